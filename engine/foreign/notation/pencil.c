/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pencils of mpi4py-fft: the dimension that is whole, by itself or in the call that makes the array.
 *
 *     Pencil axis=2
 *     Pencil(Subcomm(comm, [0, 0, 1]), (8, 8, 8), 2)
 *
 * The call gives its communicators to the dimensions in their order and leaves the whole one out.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>
#include <string.h>

#include <shardwalk/uneven.h>

static const sw_span nowhere = {0, 0};

/* The dimension that mesh axis i cuts, where dimension `whole` is left whole: axis i cuts dimension i, and the one
 * that would cut `whole` cuts the first behind them. */
static int pencil_dim(int i, int axes, int64_t whole)
{
	return i == whole ? axes : i;
}

static bool pencil_dims(sw_reader *reader, int64_t whole, int64_t rank, sw_span at)
{
	const sw_mesh *mesh = &reader->out->mesh;
	for (int d = 0; d < rank; d++) {
		for (int i = 0; i < mesh->count; i++)
			if (pencil_dim(i, mesh->count, whole) == d &&
				!sw_read_part(reader, sw_str_of(mesh->axis[i].name), at, 1, 0))
				return false;
		if (!sw_read_end_dim(reader, at))
			return false;
	}
	return true;
}

static bool pencil_need_rank(sw_reader *reader, sw_span at)
{
	sw_diag *diag = reader->scan.diag;
	sw_diag_set(diag, SW_N03, at, "a pencil needs the array's shape: it does not say how many dimensions there are");
	sw_diag_expected(diag, "the shape before it, such as shape f64[8,8,8]");
	return false;
}

/* After `Pencil axis=` */
static bool pencil_read_axis(sw_reader *reader, sw_span at)
{
	sw_scan *scan = &reader->scan;
	int64_t whole, rank = reader->context ? reader->context->rank : -1;
	if (!sw_read_number(reader, "dimension that is whole", 0, SW_MAX_DIMS - 1, &whole))
		return false;
	at.end = scan->at;
	if (sw_scan_take(scan, '(')) { /* the local shape follows from the global one */
		sw_py_value(&reader->scan);
		if (!sw_scan_expect(scan, ')', "')'", nowhere))
			return false;
	}
	if (!sw_read_need_mesh(reader, at))
		return false;
	if (rank < 0)
		return pencil_need_rank(reader, at);
	if (whole < rank && reader->out->mesh.count < rank)
		return pencil_dims(reader, whole, rank, at);
	return sw_diag_set(scan->diag, SW_N05, at,
		"a mesh of %d axes leaves no dimension of %" PRId64 " whole, or none has "
		"this number",
		reader->out->mesh.count, rank);
}

/* ---- the call ---- */

/* The communicators: dims[i] processes, 1 where dimension i is not cut, 0 where the number of processes decides. */
typedef struct pencil_comms {
	bool said;
	sw_numbers dims;
	sw_span at;
} pencil_comms;

/* `Subcomm(comm, [2, 2, 1])`; a variable says nothing. */
static bool pencil_read_comms(sw_reader *reader, pencil_comms *comms)
{
	sw_scan *scan = &reader->scan;
	size_t before = scan->at;
	sw_py_list list;
	sw_str word = sw_py_word(scan, &comms->at);
	if (!sw_str_is(word, "Subcomm") || !sw_read_sees(reader, "(")) {
		scan->at = before;
		sw_py_value(scan);
		return true;
	}
	sw_py_open(&list, scan, "(", NULL);
	sw_py_value(scan);
	if (sw_scan_take(scan, ','))
		sw_py_named(scan, "dims");
	comms->said = sw_read_sees(reader, "[") || sw_read_sees(reader, "(");
	if (comms->said && !sw_read_sizes(reader, &comms->dims))
		return false;
	sw_py_value(scan);
	comms->at.end = scan->at;
	return sw_py_rest(&list);
}

/* `(8, 8, 8)`; a variable says nothing. */
static bool pencil_read_shape(sw_reader *reader)
{
	sw_numbers sizes = {0};
	sw_py_named(&reader->scan, "shape");
	if (!sw_read_sees(reader, "(") && !sw_read_sees(reader, "[")) {
		sw_py_value(&reader->scan);
		return true;
	}
	if (!sw_read_sizes(reader, &sizes) || !sw_read_shape(reader, SW_F32, &sizes))
		return false;
	reader->out->shape.dtype_given = false;
	return true;
}

/* `, axis)`: the last dimension where it is left out */
static bool pencil_read_whole(sw_reader *reader, sw_span open, int64_t *whole)
{
	sw_scan *scan = &reader->scan;
	*whole = -1;
	if (sw_scan_take(scan, ',')) {
		if (sw_read_word(reader, "axis"))
			sw_read_sign(reader, "=");
		if (!sw_read_number(reader, "dimension that is whole", -SW_MAX_DIMS, SW_MAX_DIMS - 1, whole))
			return false;
	}
	return sw_scan_expect(scan, ')', "')'", open);
}

/* Where no mesh is known, sizes that are all said make one. */
static bool pencil_need_mesh(sw_reader *reader, const pencil_comms *comms, sw_span at)
{
	bool sizes = comms->said && !(reader->context && reader->context->mesh);
	for (int64_t i = 0; i < comms->dims.count; i++)
		sizes = sizes && comms->dims.at[i] > 0;
	return sizes ? sw_read_numbered_mesh(reader, comms->dims.at, comms->dims.count, comms->at) :
				   sw_read_need_mesh(reader, at);
}

static bool pencil_refuse_mesh(sw_reader *reader, sw_span at)
{
	sw_text mesh = {0};
	sw_mesh_print(&reader->out->mesh, &mesh);
	sw_diag_set(reader->scan.diag, SW_N05, at, "the axes of mesh %s do not match the pencil's communicators",
		sw_text_get(&mesh));
	sw_diag_expected(reader->scan.diag, "an axis for each communicator of more than one process, in their order");
	sw_text_free(&mesh);
	return false;
}

/* The mesh axis of each communicator, -1: one process; returns how many, -1 on error. */
static int pencil_slots(sw_reader *reader, const pencil_comms *comms, int slot[SW_MAX_DIMS])
{
	const sw_mesh *mesh = &reader->out->mesh;
	int64_t count = comms->said ? comms->dims.count : mesh->count;
	int axis = 0;
	bool all = comms->said && count == mesh->count;
	if (count > SW_MAX_DIMS)
		return -1;
	for (int i = 0; i < count; i++) {
		int64_t size = comms->said ? comms->dims.at[i] : 0;
		bool none = (size == 1 && !all) || (size == 0 && comms->said && axis == mesh->count);
		if (!none && (axis == mesh->count || (size > 0 && mesh->axis[axis].size != size)))
			return -1;
		slot[i] = none ? -1 : axis++;
	}
	return axis == mesh->count ? (int)count : -1;
}

/* Dimension `whole` has no communicator, or one of one process. */
static bool pencil_deal(sw_reader *reader, const int *slot, int count, int64_t whole, int rank, sw_span at)
{
	const sw_mesh *mesh = &reader->out->mesh;
	for (int d = 0; d < rank; d++) {
		int i = count < rank ? d - (d > whole) : d;
		bool none = i >= count || slot[i] < 0 || (count < rank && d == whole);
		if (!none && d == whole && mesh->axis[slot[i]].size > 1)
			return pencil_refuse_mesh(reader, at);
		if (!none && !sw_read_part(reader, sw_str_of(mesh->axis[slot[i]].name), at, 1, 0))
			return false;
		if (!sw_read_end_dim(reader, at))
			return false;
	}
	return true;
}

/* After `Pencil` */
static bool pencil_read_call(sw_reader *reader, sw_span at)
{
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan);
	pencil_comms comms = {0};
	int64_t whole;
	int slot[SW_MAX_DIMS];
	if (!sw_scan_expect(scan, '(', "'(' and the communicators", nowhere) || !pencil_read_comms(reader, &comms) ||
		!sw_scan_expect(scan, ',', "a comma and the shape", open) || !pencil_read_shape(reader) ||
		!pencil_read_whole(reader, open, &whole))
		return false;
	at.end = scan->at;
	int rank = reader->out->has_shape ? reader->out->shape.rank : reader->context ? reader->context->rank : -1;
	if (rank < 0)
		return pencil_need_rank(reader, at);
	if (whole < -rank || whole >= rank)
		return sw_diag_set(scan->diag, SW_C03, at, "the array has %d dimensions", rank);
	if (!pencil_need_mesh(reader, &comms, at))
		return false;
	int count = pencil_slots(reader, &comms, slot);
	if (count < 0 || count > rank)
		return pencil_refuse_mesh(reader, at);
	return pencil_deal(reader, slot, count, whole < 0 ? whole + rank : whole, rank, at);
}

bool sw_read_pencil(sw_reader *reader)
{
	sw_span at = sw_scan_next_span(&reader->scan), word_at;
	reader->out->notation = SW_NOTATION_PENCIL;
	if (sw_str_is(sw_py_word(&reader->scan, &word_at), "Pencil")) {
		if (sw_read_sees(reader, "("))
			return pencil_read_call(reader, at);
		if (sw_read_word(reader, "axis") && sw_read_sign(reader, "="))
			return pencil_read_axis(reader, at);
	}
	return sw_read_refuse(reader, "Pencil axis=N or Pencil(subcomm, shape, axis)");
}

/* ---- printing ---- */

/* Is dimension d cut by this whole axis and no other; axis -1: not at all? */
static bool pencil_cut_by(const sw_sharding *s, int d, int axis)
{
	int count = s->first[d + 1] - s->first[d];
	sw_part part = s->parts[s->first[d]];
	return axis < 0 ? count == 0 : count == 1 && part.axis == axis && part.size == s->mesh.axis[axis].size;
}

/* Is it what `Pencil axis=whole` reads? */
static bool pencil_is_axis(const sw_sharding *s, int whole)
{
	const sw_mesh *mesh = &s->mesh;
	bool same = s->first[s->rank] == mesh->count && pencil_cut_by(s, whole, -1);
	for (int i = 0; i < mesh->count && same; i++)
		same = pencil_cut_by(s, pencil_dim(i, mesh->count, whole), i);
	return same;
}

/* Is it what the call reads, with a communicator for each axis? */
static bool pencil_is_call(const sw_sharding *s, int whole)
{
	bool same = s->has_shape;
	for (int d = 0; d < s->rank && same; d++) {
		int i = d - (d > whole);
		same = pencil_cut_by(s, d, d == whole || i >= s->mesh.count ? -1 : i);
	}
	return same;
}

static void pencil_print_call(const sw_sharding *s, int whole, sw_text *text)
{
	int64_t real[SW_MAX_DIMS];
	sw_type_real(&s->shape, real);
	sw_text_add(text, "Pencil(subcomm, (");
	for (int d = 0; d < s->rank; d++)
		sw_text_addf(text, "%s%" PRId64, d ? ", " : "", real[d]);
	sw_text_addf(text, "), %d)", whole);
}

bool sw_print_pencil(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	const sw_mesh *mesh = &s->mesh;
	bool can = s->kind == SW_SHARDING_TILED && mesh->count < s->rank && mesh->count > 1 && !s->mesh.order;
	(void)arena;
	for (int whole = 0; whole < s->rank && can; whole++)
		if (pencil_is_call(s, whole)) {
			pencil_print_call(s, whole, text);
			return true;
		}
	for (int whole = 0; whole < s->rank && can; whole++)
		if (pencil_is_axis(s, whole)) {
			sw_text_addf(text, "Pencil axis=%d", whole >= mesh->count ? s->rank - 1 : whole);
			return true;
		}
	return sw_print_refuse(diag, SW_NOTATION_PENCIL, "a pencil cuts all dimensions but some, each by one axis");
}
