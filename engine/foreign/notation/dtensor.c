/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DTensor: one placement for each dimension of the mesh, long and short, with an order of the mesh's dimensions
 * where several cut one dimension of the tensor.
 */
#include "foreign/notation/read.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"

static const sw_span nowhere = {0, 0};

enum place_kind { PLACE_REPLICATE, PLACE_SHARD, PLACE_PARTIAL };

typedef struct placement {
	enum place_kind kind;
	int64_t dim;
	int64_t split; /* of _StridedShard; 0: none said */
	int64_t order; /* index in the order of that dimension; -1: none said */
	sw_str how;    /* of a partial one that is no sum: what combines; empty: it is a sum */
	sw_span at;
} placement;

typedef struct placements {
	int count;
	placement at[SW_MAX_AXES];
} placements;

/* `dim=0` or `0`, perhaps with a split factor after it */
static bool dtensor_read_shard(sw_reader *reader, placement *p)
{
	sw_scan *scan = &reader->scan;
	sw_py_list list;
	p->kind = PLACE_SHARD;
	sw_scan_peek(scan);
	if (scan->at < scan->text.length && isdigit((unsigned char)scan->text.at[scan->at]))
		return sw_read_digits(reader, &p->dim) || sw_read_refuse(reader, "the dimension of the tensor");
	if (!sw_py_open(&list, scan, "(", "'(' and the dimension"))
		return false;
	if ((sw_read_word(reader, "dim") || sw_read_word(reader, "axis")) && !sw_scan_expect(scan, '=', "'='", nowhere))
		return false;
	if (!sw_read_number(reader, "dimension of the tensor", -SW_MAX_DIMS, SW_MAX_DIMS - 1, &p->dim))
		return false;
	if (sw_scan_take(scan, ',')) {
		if ((sw_read_word(reader, "split_factor") || sw_read_word(reader, "sf")) &&
			!sw_scan_expect(scan, '=', "'='", nowhere))
			return false;
		if (!sw_read_number(reader, "split factor", 1, SW_MAX_DEVICES, &p->split))
			return false;
	}
	return sw_scan_expect(scan, ')', "')'", list.open);
}

/* `sum`, `'sum'`, `reduce_op="sum"`, `dist.ReduceType.kRedSum`: the word that says how it is combined. */
static sw_str combined_how(sw_str text)
{
	size_t begin = 0, end = text.length;
	for (size_t i = 0; i < end; i++)
		if (strchr("=.", text.at[i]))
			begin = i + 1;
	while (begin < end && strchr("'\" ", text.at[begin]))
		begin++;
	while (end > begin && strchr("'\" ", text.at[end - 1]))
		end--;
	sw_str how = {text.at + begin, end - begin};
	if (sw_str_is(how, "sum") || sw_str_is(how, "kRedSum"))
		return (sw_str){"", 0};
	for (size_t i = 0; i < how.length; i++)
		if (!isalnum((unsigned char)how.at[i]) && how.at[i] != '_')
			return sw_str_of("other");
	return how;
}

/* What may be in parentheses behind a partial placement. */
static bool dtensor_read_how(sw_reader *reader, placement *p)
{
	sw_py_list list;
	if (!sw_py_open(&list, &reader->scan, "(", NULL))
		return true;
	sw_str how = sw_py_value(&reader->scan);
	if (p->how.length == 0)
		p->how = combined_how(how);
	return sw_py_rest(&list);
}

static const struct place_word {
	const char *name;
	enum place_kind kind;
} place_words[] = {
	{"Replicate", PLACE_REPLICATE}, {"Shard", PLACE_SHARD}, {"_StridedShard", PLACE_SHARD},
	{"Partial", PLACE_PARTIAL}, {"_MaskPartial", PLACE_PARTIAL}, {"_NormPartial", PLACE_PARTIAL},
	{"split", PLACE_SHARD}, {"broadcast", PLACE_REPLICATE}, {"partial_sum", PLACE_PARTIAL}, /* OneFlow */
};

/* Replicate(), Shard(dim=0), Partial('sum') */
static bool dtensor_read_long(sw_reader *reader, placement *p)
{
	size_t before = reader->scan.at;
	sw_span at;
	sw_str word = sw_py_word(&reader->scan, &at);
	for (size_t i = 0; i < sizeof(place_words) / sizeof(*place_words); i++) {
		if (!sw_str_is(word, place_words[i].name))
			continue;
		p->kind = place_words[i].kind;
		p->at = at;
		if (p->kind == PLACE_SHARD && !dtensor_read_shard(reader, p))
			return false;
		if (p->kind == PLACE_PARTIAL && *place_words[i].name == '_')
			p->how = sw_str_of(place_words[i].name);
		if (p->kind != PLACE_SHARD && !dtensor_read_how(reader, p))
			return false;
		p->at.end = reader->scan.at;
		return true;
	}
	reader->scan.at = before;
	return sw_read_refuse(reader, "Shard(DIM), Replicate() or Partial()");
}

static bool dtensor_add(sw_reader *reader, placements *all, placement **next)
{
	if (all->count == SW_MAX_AXES)
		return sw_read_refuse(reader, "at most 64 placements");
	*next = &all->at[all->count++];
	**next = (placement){.order = -1, .at = sw_scan_next_span(&reader->scan)};
	return true;
}

/* S(0), S(0)[1], R, P, P(sum), _S(0, 2), MaskP(sum, torch.Size([64, 32]), 0); B of OneFlow */
static bool dtensor_read_letter(sw_reader *reader, placement *p)
{
	sw_scan *scan = &reader->scan;
	if (sw_read_word(reader, "MaskP")) {
		p->kind = PLACE_PARTIAL;
		p->how = sw_str_of("_MaskPartial");
		bool read = dtensor_read_how(reader, p);
		p->at.end = scan->at;
		return read;
	}
	scan->at += scan->text.at[scan->at] == '_';
	char letter = scan->text.at[scan->at++];
	p->kind = letter == 'S' ? PLACE_SHARD : letter == 'P' ? PLACE_PARTIAL : PLACE_REPLICATE;
	if (letter == 'S' && !dtensor_read_shard(reader, p))
		return false;
	if (letter == 'P' && !dtensor_read_how(reader, p))
		return false;
	p->at.end = scan->at;
	if (letter != 'S' || !sw_scan_take(scan, '['))
		return true;
	if (!sw_read_number(reader, "index in the order", 0, SW_MAX_AXES - 1, &p->order) ||
		!sw_scan_expect(scan, ']', "']'", nowhere))
		return false;
	p->at.end = scan->at;
	return true;
}

/* Is the next word one letter, as str() prints a placement? */
static bool dtensor_sees_letter(sw_reader *reader)
{
	size_t before = reader->scan.at;
	sw_span at;
	sw_str word = sw_scan_word(&reader->scan, &at);
	reader->scan.at = before;
	sw_scan_peek(&reader->scan);
	if (word.length > 1 && *word.at == 'S' && isdigit((unsigned char)word.at[1]))
		return true;
	return sw_str_is(word, "S") || sw_str_is(word, "_S") || sw_str_is(word, "R") || sw_str_is(word, "P") ||
		sw_str_is(word, "B") || sw_str_is(word, "MaskP");
}

/* Does a placement come next, long or short? */
static bool dtensor_sees_placement(sw_reader *reader)
{
	size_t before = reader->scan.at;
	sw_span at;
	sw_str word = sw_py_word(&reader->scan, &at);
	bool found = word.length > 0;
	for (size_t i = 0; i < word.length; i++)
		found = found && strchr("RSP_", word.at[i]);
	for (size_t i = 0; i < sizeof(place_words) / sizeof(*place_words) && !found; i++)
		found = sw_str_is(word, place_words[i].name);
	reader->scan.at = before;
	return found;
}

static bool dtensor_read_tuple(sw_reader *reader, placements *all)
{
	sw_py_list list;
	sw_py_open(&list, &reader->scan, "([", NULL);
	list.filled = true;
	while (sw_py_next(&list)) {
		placement *p = NULL;
		if (!dtensor_add(reader, all, &p) ||
			!(dtensor_sees_letter(reader) ? dtensor_read_letter : dtensor_read_long)(reader, p))
			return false;
	}
	return list.ok;
}

/* S(0)[1]S(0)[0]R, P(sum), _S(0, 2) */
static bool dtensor_read_short(sw_reader *reader, placements *all)
{
	while (sw_read_sees(reader, "S") || sw_read_sees(reader, "R") || sw_read_sees(reader, "P") ||
		sw_read_sees(reader, "_S") || sw_read_sees(reader, "MaskP")) {
		placement *p = NULL;
		if (!dtensor_add(reader, all, &p) || !dtensor_read_letter(reader, p))
			return false;
	}
	return all->count > 0 || sw_read_refuse(reader, "placements, such as (Shard(0), Replicate()) or S(0)R");
}

/* ---- the order of mesh dimensions ---- */

static bool dtensor_read_mesh_dims(sw_reader *reader, placements *all, int64_t dim)
{
	int64_t order[SW_MAX_AXES];
	sw_py_list list;
	if (!sw_py_open(&list, &reader->scan, "(", "'(' and dimensions of the mesh, major first"))
		return false;
	list.filled = true;
	while (sw_py_next(&list)) {
		if (list.count > SW_MAX_AXES)
			return sw_read_refuse(reader, "at most 64 dimensions of the mesh");
		if (!sw_read_number(reader, "dimension of the mesh", 0, all->count - 1, &order[list.count - 1]))
			return false;
	}
	for (int i = 0; i < list.count && list.ok; i++) {
		placement *p = &all->at[order[i]];
		if (p->kind != PLACE_SHARD || p->dim != dim || p->order >= 0)
			return sw_diag_set(reader->scan.diag, SW_N01, (sw_span){list.open.begin, reader->scan.at},
				"dimension %" PRId64 " of the mesh does not cut dimension %" PRId64 ", or appears twice", order[i],
				dim);
		p->order = i;
	}
	return list.ok;
}

/* `ShardOrderEntry(tensor_dim=0, mesh_dims=(1,0))` */
static bool dtensor_read_entry(sw_reader *reader, placements *all)
{
	int64_t dim;
	sw_span open = sw_scan_next_span(&reader->scan);
	return sw_scan_expect(&reader->scan, '(', "'('", nowhere) &&
		(sw_read_word(reader, "tensor_dim") || sw_read_refuse(reader, "tensor_dim=N")) &&
		sw_scan_expect(&reader->scan, '=', "'='", nowhere) &&
		sw_read_number(reader, "dimension of the tensor", 0, SW_MAX_DIMS - 1, &dim) &&
		sw_scan_expect(&reader->scan, ',', "a comma", open) &&
		(sw_read_word(reader, "mesh_dims") || sw_read_refuse(reader, "mesh_dims=(...)")) &&
		sw_scan_expect(&reader->scan, '=', "'='", nowhere) && dtensor_read_mesh_dims(reader, all, dim) &&
		sw_scan_expect(&reader->scan, ')', "')'", open);
}

/* `with shard_order dim0: mesh dims (1,0)`, as people write it */
static bool dtensor_read_words(sw_reader *reader, placements *all)
{
	do {
		sw_span at;
		sw_str word = sw_scan_word(&reader->scan, &at);
		if (word.length != 4 || memcmp(word.at, "dim", 3) != 0 || word.at[3] < '0' || word.at[3] > '9')
			return sw_diag_set(reader->scan.diag, SW_N01, at, "an order is 'dim0: mesh dims (1,0)'");
		if (!sw_scan_expect(&reader->scan, ':', "':'", nowhere))
			return false;
		if (sw_read_word(reader, "mesh"))
			sw_read_word(reader, "dims");
		if (!dtensor_read_mesh_dims(reader, all, word.at[3] - '0'))
			return false;
	} while (sw_scan_take(&reader->scan, ','));
	return true;
}

static bool dtensor_read_order(sw_reader *reader, placements *all)
{
	sw_read_word(reader, "with");
	sw_scan_take(&reader->scan, ',');
	if (sw_read_word(reader, "shard_order")) {
		sw_read_sign(reader, "=");
		if (!sw_read_sees(reader, "(") && !sw_read_sees(reader, "ShardOrderEntry"))
			return dtensor_read_words(reader, all);
	}
	size_t before = reader->scan.at;
	bool bracket = sw_scan_take(&reader->scan, '(');
	if (!sw_read_sees(reader, "ShardOrderEntry")) {
		reader->scan.at = before;
		return true;
	}
	while (sw_read_word(reader, "ShardOrderEntry")) {
		if (!dtensor_read_entry(reader, all))
			return false;
		sw_scan_take(&reader->scan, ',');
	}
	return !bracket || sw_scan_expect(&reader->scan, ')', "')'", nowhere);
}

/* ---- placements to dimensions ---- */

static int64_t dtensor_rank(const sw_reader *reader, const placements *all)
{
	int64_t rank = reader->out->has_shape            ? reader->out->shape.rank :
		reader->context && reader->context->rank > 0 ? reader->context->rank :
													   0;
	for (int i = 0; i < all->count && !rank; i++)
		if (all->at[i].kind == PLACE_SHARD && all->at[i].dim < 0)
			return -1;
	int64_t least = 0;
	for (int i = 0; i < all->count; i++)
		if (all->at[i].kind == PLACE_SHARD && all->at[i].dim >= least)
			least = all->at[i].dim + 1;
	return rank > least ? rank : least;
}

static bool dtensor_resolve(sw_reader *reader, placements *all, int64_t rank)
{
	for (int i = 0; i < all->count; i++) {
		placement *p = &all->at[i];
		if (p->kind != PLACE_SHARD)
			continue;
		if (rank < 0) {
			sw_diag_set(reader->scan.diag, SW_N03, p->at, "dimension %" PRId64 " counts from the end", p->dim);
			sw_diag_expected(reader->scan.diag, "the array's shape first, such as shape f32[8,4]");
			return false;
		}
		bool beyond = reader->out->has_shape && p->dim >= reader->out->shape.rank;
		if (p->dim < -rank || beyond)
			return sw_diag_set(reader->scan.diag, SW_C03, p->at, "the array has %" PRId64 " dimensions",
				beyond ? reader->out->shape.rank : rank);
		p->dim += p->dim < 0 ? rank : 0;
	}
	return true;
}

enum order_said { ORDER_NONE, ORDER_ALL, ORDER_SOME, ORDER_HOLES };

/* The mesh dimensions that cut dimension `dim`, major first, from indices that were said: 0, 1, ... */
static enum order_said dtensor_order_said(const placements *all, int64_t dim, int *order, int *count)
{
	int said = 0, at = 0;
	*count = 0;
	for (int i = 0; i < all->count; i++) {
		if (all->at[i].kind != PLACE_SHARD || all->at[i].dim != dim)
			continue;
		said += all->at[i].order >= 0;
		order[(*count)++] = i;
	}
	if (said == 0 || said < *count)
		return said ? ORDER_SOME : ORDER_NONE;
	for (int index = 0; index < *count; index++)
		for (int i = 0; i < all->count && at == index; i++)
			if (all->at[i].kind == PLACE_SHARD && all->at[i].dim == dim && all->at[i].order == index)
				order[at++] = i;
	return at == *count ? ORDER_ALL : ORDER_HOLES;
}

/* A device holds pieces that are not neighbours. */
static bool dtensor_refuse_split(const placement *p, int64_t behind, sw_diag *diag)
{
	int64_t factor = p->split ? p->split : 1;
	sw_diag_set(diag, SW_N02, p->at, "split factor %" PRId64 " is not a product of mesh dimensions to its right",
		factor);
	if (factor % behind == 0)
		sw_diag_found(diag,
			"a tensor of which each device holds %" PRId64 " pieces of dimension %" PRId64 " that are not neighbours",
			factor / behind, p->dim);
	else
		sw_diag_found(diag, "a tensor of which devices hold pieces of dimension %" PRId64 " that are not neighbours",
			p->dim);
	sw_diag_hint(diag, "views of tensors make such placements; no order of mesh dimensions expresses them");
	return false;
}

/* Parts 0 to *index - 1 make the factor; a part that does so only with some of its devices becomes two. */
static bool dtensor_find_split(const placement *p, sw_part *parts, int *count, int *index, sw_diag *diag)
{
	int64_t product = 1, factor = p->split ? p->split : 1;
	for (*index = 0; product < factor && *index < *count; ++*index) {
		sw_part *part = &parts[*index];
		int64_t rest = factor / product;
		if (factor % product != 0 || (rest < part->size && part->size % rest != 0))
			return dtensor_refuse_split(p, product, diag);
		if (rest < part->size) {
			memmove(part + 1, part, sizeof(*part) * (size_t)(*count - *index));
			part[0].size = rest;
			part[1].pre *= rest;
			part[1].size /= rest;
			++*count;
		}
		product *= part->size;
	}
	return product == factor || dtensor_refuse_split(p, product, diag);
}

/* Split factors: each mesh dimension, from the right, stands behind devices whose number is its factor. */
static bool dtensor_order_split(const sw_mesh *mesh, const placements *all, int64_t dim, sw_part parts[SW_MAX_PARTS],
	int *count, sw_diag *diag)
{
	*count = 0;
	for (int i = all->count - 1; i >= 0; i--) {
		const placement *p = &all->at[i];
		int index;
		if (p->kind != PLACE_SHARD || p->dim != dim)
			continue;
		if (*count + 2 > SW_MAX_PARTS)
			return dtensor_refuse_split(p, 1, diag);
		if (!dtensor_find_split(p, parts, count, &index, diag))
			return false;
		memmove(parts + index + 1, parts + index, sizeof(*parts) * (size_t)(*count - index));
		parts[index] = (sw_part){.axis = i, .pre = 1, .size = mesh->axis[i].size};
		++*count;
	}
	return true;
}

static bool dtensor_has_split(const placements *all, int64_t dim)
{
	for (int i = 0; i < all->count; i++)
		if (all->at[i].kind == PLACE_SHARD && all->at[i].dim == dim && all->at[i].split > 0)
			return true;
	return false;
}

/* An index twice, or one above the last. */
static bool dtensor_refuse_order(sw_reader *reader, const placements *all, int64_t dim, int count)
{
	const placement *wrong = NULL;
	bool seen[SW_MAX_AXES] = {false};
	for (int i = 0; i < all->count && !wrong; i++) {
		const placement *p = &all->at[i];
		if (p->kind != PLACE_SHARD || p->dim != dim)
			continue;
		if (p->order >= count || seen[p->order])
			wrong = p;
		else
			seen[p->order] = true;
	}
	sw_diag_set(reader->scan.diag, SW_N01, wrong ? wrong->at : nowhere,
		"[%" PRId64 "] is not an index in the order of dimension "
		"%" PRId64 ", or appears twice",
		wrong ? wrong->order : 0, dim);
	sw_diag_expected(reader->scan.diag, count == 1 ? "[0]: one mesh dimension cuts it" : "each of [0] to [%d] once",
		count - 1);
	return false;
}

static bool dtensor_dim_split(sw_reader *reader, const placements *all, int64_t dim)
{
	const sw_mesh *mesh = &reader->out->mesh;
	sw_part parts[SW_MAX_PARTS];
	int count;
	if (!dtensor_order_split(mesh, all, dim, parts, &count, reader->scan.diag))
		return false;
	for (int k = 0; k < count; k++) {
		const sw_axis *axis = &mesh->axis[parts[k].axis];
		bool whole = parts[k].size == axis->size;
		if (!sw_read_part(reader, sw_str_of(axis->name), all->at[parts[k].axis].at, parts[k].pre,
				whole ? 0 : parts[k].size))
			return false;
	}
	return sw_read_end_dim(reader, count ? all->at[parts[0].axis].at : nowhere);
}

static bool dtensor_dim(sw_reader *reader, const placements *all, int64_t dim)
{
	sw_sharding *out = reader->out;
	int order[SW_MAX_AXES], count;
	enum order_said said = dtensor_order_said(all, dim, order, &count);
	if (said == ORDER_SOME)
		return sw_diag_set(reader->scan.diag, SW_N01, all->at[order[0]].at,
			"the order of dimension %" PRId64 " is given for only some of its mesh dimensions", dim);
	if (said == ORDER_HOLES)
		return dtensor_refuse_order(reader, all, dim, count);
	if (dtensor_has_split(all, dim))
		return dtensor_dim_split(reader, all, dim);
	for (int i = 0; i < count; i++)
		if (!sw_read_part(reader, sw_str_of(out->mesh.axis[order[i]].name), all->at[order[i]].at, 1, 0))
			return false;
	return sw_read_end_dim(reader, count ? all->at[order[0]].at : nowhere);
}

static bool dtensor_need_mesh(sw_reader *reader, const placements *all, sw_span at)
{
	sw_diag *diag = reader->scan.diag;
	if (sw_read_need_mesh(reader, at))
		return true;
	const char *more = all->count == 1 ? "" : all->count == 2 ? ", y: 2" : ", y: 2, ...";
	sw_diag_expected(diag, "a mesh of %d %s, such as mesh {x: 4%s}", all->count, all->count == 1 ? "axis" : "axes",
		more);
	sw_diag_hint(diag, "the mesh may also follow the placements, as DeviceMesh((x=4%s)) does",
		all->count == 1     ? "" :
			all->count == 2 ? ", y=2" :
							  ", y=2, ...");
	return false;
}

/* `RRR` and `[R, R, R]` are also what Alpa and Colossal-AI write, with a letter for each dimension. */
static bool dtensor_is_whole(sw_reader *reader, const placements *all, sw_span at)
{
	char first = reader->scan.text.at[at.begin];
	for (int i = 0; i < all->count; i++)
		if (all->at[i].kind != PLACE_REPLICATE || all->at[i].at.end != all->at[i].at.begin + 1)
			return false;
	return !reader->out->own_mesh && (first == 'R' || first == '[');
}

static bool dtensor_read_whole(sw_reader *reader, const placements *all, sw_span at)
{
	reader->out->notation = reader->scan.text.at[at.begin] == '[' ? SW_NOTATION_COLOSSAL : SW_NOTATION_ALPA;
	for (int i = 0; i < all->count; i++)
		if (!sw_read_end_dim(reader, all->at[i].at))
			return false;
	return true;
}

/* The mesh dimensions whose devices hold terms of a sum, or of what is combined otherwise. */
static bool dtensor_partials(sw_reader *reader, const placements *all, bool combined, sw_span at)
{
	sw_sharding *out = reader->out;
	bool any = false;
	for (int i = 0; i < all->count; i++) {
		const placement *p = &all->at[i];
		if (p->kind != PLACE_PARTIAL || (p->how.length > 0) != combined)
			continue;
		any = true;
		if (combined && !out->combined)
			out->combined = sw_arena_copy(reader->arena, p->how.at, p->how.length);
		if ((combined && !out->combined) || !sw_read_part(reader, sw_str_of(out->mesh.axis[i].name), p->at, 1, 0))
			return false;
	}
	return !any || sw_read_end_subgroup(reader, combined ? SW_SUBGROUP_COMBINED : SW_SUBGROUP_UNREDUCED, at);
}

/* ---- placements that no order of axes says ---- */

/* The tensor's shape, as far as it is known. */
static const sw_type *dtensor_shape(const sw_reader *reader)
{
	const sw_type *known = reader->context ? reader->context->shape : NULL;
	return reader->out->has_shape ? &reader->out->shape : known;
}

/* Do axes say it, whose product divides the size? */
static bool dtensor_dim_divides(const sw_mesh *mesh, const placements *all, int64_t dim, int64_t size)
{
	sw_part parts[SW_MAX_PARTS];
	int count;
	int64_t cuts = 1;
	if (!dtensor_order_split(mesh, all, dim, parts, &count, NULL))
		return false;
	for (int i = 0; i < count; i++)
		if (!sw_mul(cuts, parts[i].size, &cuts))
			return false;
	return size % cuts == 0;
}

/* Is there a split factor in a dimension of which no order of axes says what devices have? */
static bool dtensor_is_strided(const sw_reader *reader, const placements *all, const sw_type *shape)
{
	const sw_mesh *mesh = &reader->out->mesh;
	for (int i = 0; i < all->count; i++)
		if (all->at[i].kind == PLACE_PARTIAL)
			return false;
	for (int dim = 0; shape && dim < shape->rank; dim++)
		if (dtensor_has_split(all, dim) && !dtensor_dim_divides(mesh, all, dim, sw_type_size(shape, dim)))
			return true;
	return false;
}

static bool dtensor_strided(sw_reader *reader, const placements *all, const sw_type *shape, sw_span at)
{
	sw_strided placed[SW_MAX_AXES];
	for (int i = 0; i < all->count; i++) {
		const placement *p = &all->at[i];
		placed[i] = (sw_strided){p->kind == PLACE_SHARD ? (int)p->dim : -1, p->split > 0 ? p->split : 1};
	}
	return sw_read_strided(reader, placed, shape, at);
}

static bool dtensor_tiles(sw_reader *reader, placements *all, sw_span at)
{
	const sw_type *shape = dtensor_shape(reader);
	sw_sharding *out = reader->out;
	sw_diag *diag = reader->scan.diag;
	if (!dtensor_need_mesh(reader, all, at))
		return false;
	if (all->count != out->mesh.count && dtensor_is_whole(reader, all, at))
		return dtensor_read_whole(reader, all, at);
	if (all->count != out->mesh.count) {
		sw_diag_set(diag, SW_N01, at, "%d %s for a mesh of %d %s", all->count,
			all->count == 1 ? "placement" : "placements", out->mesh.count,
			out->mesh.count == 1 ? "dimension" : "dimensions");
		sw_diag_expected(diag, "one placement for each dimension of the mesh: %d", out->mesh.count);
		sw_diag_found(diag, "%d", all->count);
		if (all->count < out->mesh.count)
			sw_diag_hint(diag, "use Replicate() for a mesh dimension that cuts nothing; `mesh {x: 4}` has one axis");
		return false;
	}
	int64_t rank = dtensor_rank(reader, all);
	if (!dtensor_resolve(reader, all, rank))
		return false;
	if (shape && rank == shape->rank && dtensor_is_strided(reader, all, shape))
		return dtensor_strided(reader, all, shape, at);
	for (int64_t d = 0; d < rank; d++)
		if (!dtensor_dim(reader, all, d))
			return false;
	out->extends = true;
	for (int i = 0; i < all->count; i++)
		out->ordered = out->ordered || all->at[i].order >= 0 || all->at[i].split > 0;
	return dtensor_partials(reader, all, false, at) && dtensor_partials(reader, all, true, at);
}

/* ---- the whole ---- */

static bool dtensor_read_all(sw_reader *reader, placements *all)
{
	bool tuple = sw_read_sees(reader, "(") || sw_read_sees(reader, "[");
	size_t before = reader->scan.at;
	placement one = {.order = -1};
	sw_diag *diag = reader->scan.diag;
	reader->scan.diag = NULL;
	bool alone = !tuple && dtensor_read_long(reader, &one);
	reader->scan.diag = diag;
	if (alone)
		*all = (placements){1, {one}};
	else
		reader->scan.at = before;
	return alone || (tuple ? dtensor_read_tuple(reader, all) : dtensor_read_short(reader, all));
}

/* Sizes, of the mesh that is known where it has them, else of one whose axes have numbers. */
static bool dtensor_take_sizes(sw_reader *reader)
{
	const sw_mesh *known = reader->context ? reader->context->mesh : NULL;
	sw_numbers sizes = {0};
	sw_span at = sw_scan_next_span(&reader->scan);
	if (!sw_read_sizes(reader, &sizes))
		return false;
	at.end = reader->scan.at;
	bool same = known && known->count == sizes.count;
	for (int i = 0; same && i < known->count; i++)
		same = known->axis[i].size == sizes.at[i];
	if (!same)
		return sw_read_numbered_mesh(reader, sizes.at, sizes.count, at);
	sw_read_known_mesh(reader);
	reader->out->own_mesh = true;
	return true;
}

/* `mesh (2, 2)`: the sizes alone; the mesh that is known where it has them */
static bool dtensor_read_sizes(sw_reader *reader, bool *found)
{
	size_t before = reader->scan.at;
	*found = sw_read_word(reader, "mesh") && sw_read_sees(reader, "(");
	if (!*found) {
		reader->scan.at = before;
		return true;
	}
	return dtensor_take_sizes(reader);
}

/* ` of 8`, ` of 8 x 4`: the sizes of the tensor; `as released` says nothing more */
static bool dtensor_read_of(sw_reader *reader)
{
	sw_numbers sizes = {0};
	int64_t size;
	if (!sw_read_word(reader, "of"))
		return true;
	do {
		sw_scan_peek(&reader->scan);
		if (!sw_read_digits(reader, &size))
			return sw_read_refuse(reader, "the sizes of the tensor, such as 8 x 4");
		if (!sw_numbers_add(&sizes, size, reader->arena, reader->scan.diag))
			return false;
	} while (sw_read_sign(reader, "x"));
	size_t before = reader->scan.at;
	sw_scan_take(&reader->scan, ',');
	if (!sw_read_word(reader, "as") || !sw_read_word(reader, "released"))
		reader->scan.at = before;
	if (!sw_read_shape(reader, SW_F32, &sizes))
		return false;
	reader->out->shape.dtype_given = false;
	return true;
}

/* `on DeviceMesh(...)`, with any of the words and signs that people put between */
static bool dtensor_read_mesh_behind(sw_reader *reader)
{
	static const char *const between[] = {"on", "over", "device_mesh", "mesh"};
	size_t before = reader->scan.at;
	bool found;
	sw_scan_take(&reader->scan, ',');
	size_t first = reader->scan.at;
	sw_read_word(reader, "on");
	if (!dtensor_read_sizes(reader, &found))
		return false;
	if (found)
		return true;
	reader->scan.at = first;
	for (size_t i = 0; i < sizeof(between) / sizeof(*between); i++)
		if (sw_read_word(reader, between[i])) {
			sw_read_sign(reader, "=");
			break;
		}
	if (!sw_read_dtensor_mesh(reader, &found))
		return false;
	if (!found)
		reader->scan.at = before;
	return true;
}

static bool dtensor_read_placements(sw_reader *reader)
{
	placements all = {0};
	sw_span at = sw_scan_next_span(&reader->scan);
	if (!dtensor_read_all(reader, &all))
		return false;
	at.end = reader->scan.at;
	return dtensor_read_order(reader, &all) && dtensor_read_mesh_behind(reader) && dtensor_read_of(reader) &&
		dtensor_tiles(reader, &all, at);
}

/* The shape of the tensor: `f32[8, 8]` */
static bool dtensor_read_shape(sw_reader *reader)
{
	sw_numbers sizes = {0};
	sw_dtype dtype;
	sw_span at;
	sw_str word = sw_scan_word(&reader->scan, &at);
	if (sw_dtype_parse(word, &dtype, reader->scan.diag))
		return sw_read_sizes(reader, &sizes) && sw_read_shape(reader, dtype, &sizes);
	if (reader->scan.diag)
		reader->scan.diag->at = at;
	return false;
}

/* Steps over `unknown shape` or `unknown dtype`, as far as it goes. */
static bool dtensor_skip_unknown(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	if (!sw_read_word(reader, "unknown"))
		return false;
	while (sw_scan_peek(scan) >= 0 && !sw_read_sees(reader, "(") && !sw_read_sees(reader, ")"))
		scan->at++;
	return true;
}

/* `on (8, 8)` behind the placements, as releases before 2.9 print the shape */
static bool dtensor_read_on(sw_reader *reader)
{
	sw_numbers sizes = {0};
	size_t before = reader->scan.at;
	if (!sw_read_word(reader, "on"))
		return true;
	if (dtensor_skip_unknown(reader))
		return true;
	if (!sw_read_sees(reader, "(")) {
		reader->scan.at = before;
		return true;
	}
	if (!sw_read_sizes(reader, &sizes) || !sw_read_shape(reader, SW_F32, &sizes))
		return false;
	reader->out->shape.dtype_given = false;
	return true;
}

/* `(S(0)R)` behind a shape */
static bool dtensor_read_bracketed(sw_reader *reader, placements *all, sw_span *at)
{
	sw_scan *scan = &reader->scan;
	sw_span inner = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '(', "'(' and placements", nowhere))
		return false;
	*at = sw_scan_next_span(scan);
	if (!dtensor_read_short(reader, all))
		return false;
	at->end = scan->at;
	return sw_scan_expect(scan, ')', "')'", inner);
}

/* `f32[8, 8](S(0)R)` and `unknown shape(S(0)R)`; before 2.9 `S(0) on (8, 8)`, `(Shard(dim=0), Replicate()) on (8, 8)` */
static bool dtensor_read_shaped(sw_reader *reader, placements *all, sw_span *at)
{
	sw_scan *scan = &reader->scan;
	bool tuple = sw_read_sees(reader, "(");
	if (tuple || dtensor_sees_placement(reader)) {
		*at = sw_scan_next_span(scan);
		if (!dtensor_read_all(reader, all))
			return false;
		at->end = tuple ? scan->at : all->at[all->count - 1].at.end;
		return dtensor_read_on(reader);
	}
	return (dtensor_skip_unknown(reader) || dtensor_read_shape(reader)) && dtensor_read_bracketed(reader, all, at);
}

/* After `Spec`, as str() prints a DTensorSpec: `(f32[8, 8](S(0)R) on DeviceMesh(...))`, `(S(0) on (8, 8))`. */
static bool dtensor_read_spec(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan), at;
	placements all = {0};
	return sw_scan_expect(scan, '(', "'('", nowhere) && dtensor_read_shaped(reader, &all, &at) &&
		(!sw_read_sees(reader, "[") || dtensor_take_sizes(reader)) && dtensor_read_mesh_behind(reader) &&
		sw_scan_expect(scan, ')', "')'", open) && dtensor_read_mesh_behind(reader) && dtensor_tiles(reader, &all, at);
}

/* `TensorMeta(shape=torch.Size([8, 8]), stride=(8, 1), dtype=torch.float32)` */
static bool dtensor_read_meta(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at;
	sw_py_list list;
	sw_numbers sizes = {0};
	sw_dtype dtype = SW_F32;
	if (!sw_str_is(sw_py_word(scan, &at), "TensorMeta"))
		return true;
	bool ok = sw_py_open(&list, scan, "(", "'('");
	while (ok && sw_py_next(&list))
		if (sw_py_named(scan, "shape"))
			ok = sw_read_sizes(reader, &sizes);
		else if (sw_py_named(scan, "dtype"))
			ok = sw_dtype_parse(sw_py_word(scan, &at), &dtype, scan->diag);
		else
			sw_py_value(scan);
	return ok && list.ok && sw_read_shape(reader, dtype, &sizes);
}

/* One keyword of `DTensor` or `DTensorSpec`. */
static bool dtensor_read_keyword(sw_reader *reader, placements *all, sw_span *at)
{
	bool found;
	if (sw_read_word(reader, "device_mesh") || sw_read_word(reader, "mesh"))
		return sw_scan_expect(&reader->scan, '=', "'='", nowhere) && sw_read_dtensor_mesh(reader, &found);
	if (sw_read_word(reader, "tensor_meta"))
		return sw_scan_expect(&reader->scan, '=', "'='", nowhere) && dtensor_read_meta(reader);
	if (!all->count && sw_read_word(reader, "placements")) {
		if (!sw_scan_expect(&reader->scan, '=', "'='", nowhere))
			return false;
		*at = sw_scan_next_span(&reader->scan);
		bool ok = dtensor_read_all(reader, all);
		at->end = reader->scan.at;
		return ok;
	}
	return !all->count || !sw_read_sees(reader, "shard_order") || dtensor_read_order(reader, all);
}

/* After `DTensor` or `DTensorSpec`: keywords, and an order only after the placements that it is of. */
static bool dtensor_read_tensor(sw_reader *reader)
{
	sw_span at = nowhere;
	sw_py_list list;
	placements all = {0};
	if (!sw_py_open(&list, &reader->scan, "(", "'('"))
		return false;
	while (sw_py_next(&list)) {
		if (!dtensor_read_keyword(reader, &all, &at))
			return false;
		sw_py_value(&reader->scan);
	}
	if (!list.ok)
		return false;
	if (!all.count)
		return sw_diag_set(reader->scan.diag, SW_N01, list.open, "it has no placements=...");
	return dtensor_tiles(reader, &all, at);
}

/* What the styles of a parallel plan do to the weight of a linear layer, (out, in), over a mesh of one axis. */
static const struct dtensor_style {
	const char *name;
	int64_t dim;
	const char *note;
} dtensor_styles[] = {
	{"ColwiseParallel", 0,
		"the weight of a linear layer is read, Shard(0), as its bias; an embedding's is Shard(1); the input is "
		"Replicate(), the output Shard(-1)"},
	{"RowwiseParallel", 1,
		"the weight of a linear layer is read, Shard(1), its bias is Replicate(); an embedding's is Shard(0); the input "
		"is Shard(-1), the output Replicate()"},
};

/* Which axis it is over only the program says, `parallelize_module(model, mesh["tp"], ...)`. */
static bool dtensor_style_mesh(sw_reader *reader, const struct dtensor_style *style, sw_span at)
{
	sw_diag *diag = reader->scan.diag;
	const sw_mesh *mesh = &reader->out->mesh;
	sw_text line = {0};
	if (!sw_read_need_mesh(reader, at)) {
		sw_diag_expected(diag, "a mesh of one axis, such as mesh {tp: 8}");
		return false;
	}
	if (mesh->count == 1)
		return true;
	for (int i = 0; i < mesh->count; i++)
		sw_text_addf(&line, i == mesh->count - 1 ? "%sShard(%" PRId64 ")" : "%sReplicate()", i ? ", " : "",
			style->dim);
	sw_diag_set(diag, SW_N03, at, "%s is over one axis, but it is unknown which of these %d", style->name,
		mesh->count);
	sw_diag_expected(diag, "a placement for each axis of the mesh");
	sw_diag_hint(diag, "`(%s)` is its weight over the axis '%s'", sw_text_get(&line),
		mesh->count ? mesh->axis[mesh->count - 1].name : "");
	sw_text_free(&line);
	return false;
}

/* `ColwiseParallel()`, with layouts of inputs and outputs that are not the weight's; *found tells whether it was one */
static bool dtensor_read_style(sw_reader *reader, bool *found)
{
	sw_scan *scan = &reader->scan;
	size_t before = scan->at;
	sw_span at;
	sw_str word = sw_py_word(&reader->scan, &at);
	const struct dtensor_style *style = NULL;
	for (size_t i = 0; i < sizeof(dtensor_styles) / sizeof(*dtensor_styles); i++)
		style = sw_str_is(word, dtensor_styles[i].name) ? &dtensor_styles[i] : style;
	*found = style != NULL;
	if (!style) {
		scan->at = before;
		return true;
	}
	sw_py_list list;
	if (sw_py_open(&list, scan, "(", NULL)) {
		sw_py_value(scan);
		if (!sw_py_rest(&list))
			return false;
	}
	at.end = scan->at;
	placements all = {1, {{.kind = PLACE_SHARD, .dim = style->dim, .order = -1, .at = at}}};
	if (!dtensor_style_mesh(reader, style, at) || !dtensor_tiles(reader, &all, at))
		return false;
	sw_read_note(reader, "%s", style->note);
	return true;
}

/* OneFlow's SBP: a placement for each dimension of the mesh in other words. */
bool sw_read_sbp(sw_reader *reader)
{
	bool mesh;
	reader->out->notation = SW_NOTATION_SBP;
	if (sw_read_word(reader, "sbp"))
		sw_read_sign(reader, "=");
	if (!sw_read_dtensor_mesh(reader, &mesh))
		return false;
	if (mesh)
		reader->out->kind = SW_SHARDING_MESH;
	return mesh || dtensor_read_placements(reader);
}

/* `DTensorSpec(mesh=..., placements=...)` has keywords, `DTensorSpec(S(0) on (8, 8))` none. */
static bool holds_keyword(sw_scan scan)
{
	sw_str rest = sw_str_behind(scan.text, scan.at),
		   items = rest.length && *rest.at == '(' ? sw_str_behind(rest, 1) : rest;
	return sw_str_outside(items, 0, SW_NESTING_PYTHON, "=") < items.length;
}

/* `x.redistribute(mesh, [Shard(0)])`: placements among arguments, over the mesh that is known unless the call writes one. */
static bool dtensor_read_called(sw_reader *reader, sw_str called)
{
	sw_scan *scan = &reader->scan;
	sw_str mesh = sw_dtensor_called_mesh(scan->text);
	placements all = {0};
	bool found = true;
	if (mesh.length) {
		scan->at = (size_t)(mesh.at - scan->text.at);
		if (!sw_read_dtensor_mesh(reader, &found))
			return false;
	}
	scan->at = (size_t)(called.at - scan->text.at);
	sw_span at = {scan->at, scan->at + called.length};
	if (!dtensor_read_all(reader, &all))
		return false;
	scan->at = scan->text.length;
	return dtensor_tiles(reader, &all, at);
}

bool sw_read_dtensor(sw_reader *reader)
{
	bool mesh, style, moves;
	sw_str called = sw_notation_call(reader->scan.text, &moves);
	reader->out->notation = SW_NOTATION_DTENSOR;
	if (called.length)
		return dtensor_read_called(reader, called);
	if (!dtensor_read_style(reader, &style))
		return false;
	if (style)
		return true;
	if (sw_read_word(reader, "DTensor"))
		return dtensor_read_tensor(reader);
	if (sw_read_word(reader, "Spec"))
		return dtensor_read_spec(reader);
	if (sw_read_word(reader, "DTensorSpec"))
		return (holds_keyword(reader->scan) ? dtensor_read_tensor : dtensor_read_spec)(reader);
	if (!sw_read_dtensor_mesh(reader, &mesh))
		return false;
	if (mesh) {
		bool more = sw_scan_take(&reader->scan, ',') || sw_scan_peek(&reader->scan) >= 0;
		if (!more)
			reader->out->kind = SW_SHARDING_MESH;
		return !more || dtensor_read_placements(reader);
	}
	if (sw_read_word(reader, "placements"))
		sw_read_sign(reader, "=");
	return dtensor_read_placements(reader);
}
