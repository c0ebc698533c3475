/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sharded checkpoints of Megatron: in how many fragments each dimension is cut, and the tile of the rank that printed.
 *
 *     ShardedTensor(key='w', dtype=torch.float32, local_shape=(4, 8), global_shape=(16, 8), global_offset=(4, 0),
 *         axis_fragmentations=(4, 1), replica_id=0, prepend_axis_num=0, allow_shape_mismatch=False, flattened_range=None)
 *
 * It names neither devices nor axes: over a mesh the axes are found by their sizes, and asked for where these leave a
 * choice.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>

#include <shardwalk/uneven.h>

static const sw_span nowhere = {0, 0};

typedef struct megatron {
	sw_numbers global, local, offset, cuts;
	sw_span global_at, local_at, offset_at, cuts_at, range_at;
	sw_dtype dtype;
	bool dtype_given, irregular, flattened;
	int64_t prepended;
} megatron;

/* `(4, 8)`, `torch.Size([4, 8])` or None */
static bool megatron_tuple(sw_reader *reader, sw_numbers *numbers, sw_span *at)
{
	*at = sw_scan_next_span(&reader->scan);
	if (sw_read_word(reader, "None"))
		return true;
	bool ok = sw_read_sizes(reader, numbers);
	at->end = reader->scan.at;
	return ok;
}

static bool megatron_cuts(sw_reader *reader, megatron *m)
{
	m->irregular = sw_read_sees(reader, "None");
	return megatron_tuple(reader, &m->cuts, &m->cuts_at);
}

static bool megatron_global(sw_reader *reader, megatron *m)
{
	return megatron_tuple(reader, &m->global, &m->global_at);
}

static bool megatron_local(sw_reader *reader, megatron *m)
{
	return megatron_tuple(reader, &m->local, &m->local_at);
}

static bool megatron_offset(sw_reader *reader, megatron *m)
{
	return megatron_tuple(reader, &m->offset, &m->offset_at);
}

static bool megatron_dtype(sw_reader *reader, megatron *m)
{
	sw_span at;
	m->dtype_given = true;
	return sw_dtype_parse(sw_py_word(&reader->scan, &at), &m->dtype, reader->scan.diag);
}

static bool megatron_prepended(sw_reader *reader, megatron *m)
{
	return sw_read_number(reader, "number of dimensions in front", 0, SW_MAX_DIMS, &m->prepended);
}

static bool megatron_range(sw_reader *reader, megatron *m)
{
	m->range_at = sw_scan_next_span(&reader->scan);
	m->flattened = !sw_read_sees(reader, "None");
	sw_py_value(&reader->scan);
	m->range_at.end = reader->scan.at;
	return true;
}

static const struct {
	const char *name;
	bool (*read)(sw_reader *reader, megatron *m);
} megatron_keywords[] = {{"axis_fragmentations", megatron_cuts}, {"global_shape", megatron_global},
	{"local_shape", megatron_local}, {"global_offset", megatron_offset}, {"dtype", megatron_dtype},
	{"prepend_axis_num", megatron_prepended}, {"flattened_range", megatron_range}};

static bool megatron_keyword(sw_reader *reader, megatron *m)
{
	for (size_t i = 0; i < sizeof(megatron_keywords) / sizeof(*megatron_keywords); i++)
		if (sw_read_word(reader, megatron_keywords[i].name))
			return sw_scan_expect(&reader->scan, '=', "'='", nowhere) && megatron_keywords[i].read(reader, m);
	sw_py_value(&reader->scan);
	return true;
}

/* ---- what it says ---- */

static bool megatron_refuse(sw_reader *reader, sw_span at, const char *why, const char *hint)
{
	sw_diag_set(reader->scan.diag, SW_N02, at, "%s", why);
	sw_diag_expected(reader->scan.diag, "a regular grid of tiles, such as axis_fragmentations=(4, 1)");
	sw_diag_hint(reader->scan.diag, "%s", hint);
	return false;
}

static bool megatron_check(sw_reader *reader, const megatron *m, sw_span all)
{
	sw_diag *diag = reader->scan.diag;
	int64_t rank = m->cuts.count;
	if (m->irregular)
		return megatron_refuse(reader, m->cuts_at, "the tiles are not a regular grid",
			"then one rank's output does not show what the others hold");
	if (!rank)
		return megatron_refuse(reader, all, "the number of fragments of each dimension is unknown",
			"repr() of a ShardedTensor prints it, str() only the key");
	if (m->flattened)
		return megatron_refuse(reader, m->range_at, "each rank holds a range of the flattened tile",
			"a distributed optimizer stores it like this; the parameter itself has whole tiles");
	if (rank > SW_MAX_DIMS)
		return sw_diag_set(diag, SW_T06, m->cuts_at, "more than %d dimensions", SW_MAX_DIMS);
	if (m->global.count && m->global.count != rank) {
		sw_diag_set(diag, SW_N05, m->cuts_at, "%" PRId64 " fragmentations for an array of %" PRId64 " dimensions",
			rank, m->global.count);
		sw_diag_also(diag, m->global_at, "its shape");
		return false;
	}
	for (int64_t d = 0; d < rank; d++)
		if (m->cuts.at[d] < 1)
			return sw_diag_set(diag, SW_N01, m->cuts_at, "a dimension is cut in %" PRId64, m->cuts.at[d]);
	return true;
}

/* ---- axes ---- */

/* The axis of the mesh that alone has this size; -1: none, -2: several. */
static int megatron_axis(const sw_mesh *mesh, int64_t size)
{
	int found = -1;
	for (int i = 0; i < mesh->count; i++)
		if (mesh->axis[i].size == size)
			found = found == -1 ? i : -2;
	return found;
}

/* The axis of each dimension, -1 where it is whole; false: sizes do not tell. */
static bool megatron_axes(const sw_mesh *mesh, const sw_numbers *cuts, int *axis)
{
	uint64_t used = 0;
	for (int64_t d = 0; d < cuts->count; d++) {
		axis[d] = cuts->at[d] > 1 ? megatron_axis(mesh, cuts->at[d]) : -1;
		if (cuts->at[d] > 1 && (axis[d] < 0 || used >> axis[d] & 1))
			return false;
		used |= cuts->at[d] > 1 ? UINT64_C(1) << axis[d] : 0;
	}
	return true;
}

static bool megatron_ask_axes(sw_reader *reader, const megatron *m)
{
	sw_diag *diag = reader->scan.diag;
	sw_text mesh = {0}, line = {0};
	sw_mesh_print(&reader->out->mesh, &mesh);
	for (int64_t d = 0; d < m->cuts.count; d++)
		sw_text_addf(&line, "%s%s", d ? ", " : "", m->cuts.at[d] > 1 ? "('AXIS', ...)" : "None");
	sw_diag_set(diag, SW_N03, m->cuts_at, "sizes do not show which axes of mesh %s cut which dimension",
		sw_text_get(&mesh));
	sw_diag_expected(diag, "one axis of its size for each dimension that is cut");
	sw_diag_hint(diag, "`P(%s)` with the axes of each, major first, says it", sw_text_get(&line));
	sw_text_free(&mesh);
	sw_text_free(&line);
	return false;
}

static bool megatron_over_mesh(sw_reader *reader, const megatron *m)
{
	const sw_mesh *mesh = &reader->out->mesh;
	int axis[SW_MAX_DIMS];
	if (!megatron_axes(mesh, &m->cuts, axis))
		return megatron_ask_axes(reader, m);
	for (int64_t d = 0; d < m->cuts.count; d++)
		if ((axis[d] >= 0 && !sw_read_part(reader, sw_str_of(mesh->axis[axis[d]].name), m->cuts_at, 1, 0)) ||
			!sw_read_end_dim(reader, m->cuts_at))
			return false;
	return true;
}

/* The grid itself as a mesh, its devices in the order of the tiles. */
static bool megatron_grid(sw_reader *reader, const megatron *m)
{
	sw_sharding *out = reader->out;
	int parts = 0;
	out->mesh = (sw_mesh){.devices = 1};
	for (int64_t d = 0; d < m->cuts.count; d++) {
		char name[SW_NAME_SIZE];
		sw_axis_name(parts, name);
		if (m->cuts.at[d] > 1) {
			if (!sw_mesh_add(&out->mesh, sw_str_of(name), m->cuts.at[d], reader->scan.diag))
				return false;
			out->parts[parts] = (sw_part){parts, 1, m->cuts.at[d]};
			out->first[out->rank + 1] = ++parts;
		}
		if (!sw_read_end_dim(reader, m->cuts_at))
			return false;
	}
	out->assumed_iota = parts > 0;
	if (!parts)
		out->mesh = (sw_mesh){0};
	return true;
}

/* ---- the rank that printed ---- */

/* The tile that starts at the offset, as `[1, 0]`; false where the sizes are of no grid. */
static bool megatron_tile(const megatron *m, sw_text *text)
{
	for (int64_t d = 0; d < m->cuts.count; d++) {
		int64_t cuts = m->cuts.at[d], size = m->global.at[d] / cuts;
		if (!size || m->global.at[d] % cuts || m->offset.at[d] % size || m->offset.at[d] >= m->global.at[d])
			return false;
		sw_text_addf(text, "%s%" PRId64, d ? ", " : "[", m->offset.at[d] / size);
	}
	sw_text_add(text, "]");
	return true;
}

/* Dimensions that the checkpoint puts in front, layers and experts, are not in the local shape. */
static bool megatron_local_fits(const megatron *m)
{
	if (!m->local.count)
		return true;
	int64_t front = m->global.count - m->local.count;
	bool fits = front >= 0 && front == m->prepended;
	for (int64_t d = 0; d < m->local.count && fits; d++)
		fits = m->local.at[d] == m->global.at[d + front] / m->cuts.at[d + front];
	return fits;
}

static bool megatron_rank(sw_reader *reader, const megatron *m)
{
	sw_text tile = {0};
	bool all = m->global.count && m->offset.count == m->global.count;
	bool ok = !all || !m->global.count || (megatron_tile(m, &tile) && megatron_local_fits(m));
	if (!ok)
		megatron_refuse(reader, m->offset_at, "the tile of this rank is not in the grid",
			"uneven or hand-made sizes are not a grid of equal tiles");
	else if (all)
		sw_read_note(reader, "one rank printed it: it holds tile %s; the grid is that of all ranks",
			sw_text_get(&tile));
	sw_text_free(&tile);
	return ok;
}

static bool megatron_shape(sw_reader *reader, const megatron *m)
{
	if (!m->global.count)
		return true;
	if (!sw_read_shape(reader, m->dtype_given ? m->dtype : SW_F32, &m->global))
		return false;
	reader->out->shape.dtype_given = m->dtype_given;
	return true;
}

bool sw_read_megatron(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span all = sw_scan_next_span(scan), at;
	megatron m = {0};
	reader->out->notation = SW_NOTATION_MEGATRON;
	if (!sw_str_is(sw_py_word(&reader->scan, &at), "ShardedTensor"))
		return sw_read_refuse(reader, "ShardedTensor(..., axis_fragmentations=(4, 1))");
	sw_py_list list;
	if (!sw_py_open(&list, scan, "(", "'(' and keywords"))
		return false;
	while (sw_py_next(&list))
		if (!megatron_keyword(reader, &m))
			return false;
	all.end = scan->at;
	if (!list.ok || !megatron_check(reader, &m, all) || !megatron_rank(reader, &m))
		return false;
	sw_read_known_mesh(reader);
	bool over = reader->out->named && reader->out->mesh.count;
	return (over ? megatron_over_mesh : megatron_grid)(reader, &m) && megatron_shape(reader, &m);
}

/* ---- printing ---- */

static const char *megatron_why_not(const sw_sharding *s)
{
	if (s->kind != SW_SHARDING_TILED)
		return "it has no tiles";
	if (s->rank == 0)
		return "there is no dimension";
	if (s->mesh.order)
		return "it has no order of devices";
	for (int d = 0; d < s->rank; d++) {
		int count = s->first[d + 1] - s->first[d];
		sw_part part = s->parts[s->first[d]];
		if (count > 1 || (count == 1 && part.size != s->mesh.axis[part.axis].size))
			return "one whole axis at most cuts a dimension";
		if (count == 1 && megatron_axis(&s->mesh, part.size) < 0)
			return "axes of one size cannot be distinguished";
	}
	return NULL;
}

static void megatron_print_tuple(const int64_t *number, int count, sw_text *text)
{
	for (int i = 0; i < count; i++)
		sw_text_addf(text, "%s%" PRId64, i ? ", " : "(", number[i]);
	sw_text_add(text, count == 1 ? ",)" : ")");
}

bool sw_print_megatron(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	const char *why_not = megatron_why_not(s);
	int64_t cuts[SW_MAX_DIMS], real[SW_MAX_DIMS];
	(void)arena;
	if (why_not)
		return sw_print_refuse(diag, SW_NOTATION_MEGATRON, why_not);
	for (int d = 0; d < s->rank; d++)
		cuts[d] = sw_sharding_cuts(s, d);
	sw_text_add(text, "ShardedTensor(");
	if (s->has_shape) {
		sw_type_real(&s->shape, real);
		sw_text_add(text, "global_shape=");
		megatron_print_tuple(real, s->rank, text);
		sw_text_add(text, ", ");
	}
	sw_text_add(text, "axis_fragmentations=");
	megatron_print_tuple(cuts, s->rank, text);
	sw_text_add(text, ")");
	return true;
}
