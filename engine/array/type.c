/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributed types as values: building, printing, measuring, comparing.  Reading one is in type_parse.c.
 *
 * Source: seed 000, sections 2.1, 2.5 and 4.1, figures 6 and 7.
 */
#include <shardwalk/type.h>

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/uneven.h>

#include "array/packed.h"
#include "array/parts.h"
#include "base/room.h"

static const sw_span type_nowhere = {0, 0};

void sw_type_print_tile(const int64_t *tile, int rank, sw_text *text)
{
	sw_text_add_char(text, '[');
	for (int d = 0; d < rank; d++) {
		sw_text_add(text, d ? ", " : "");
		sw_text_add_int(text, tile[d]);
	}
	sw_text_add_char(text, ']');
}

static void type_print_dimension(const sw_mesh *mesh, const sw_type *type, int d, sw_text *text)
{
	int begin = type->first[d], end = type->first[d + 1];
	if (begin < end) {
		sw_text_add_int(text, type->tile[d]);
		sw_text_add_char(text, '{');
		for (int p = begin; p < end; p++) {
			sw_text_add(text, p > begin ? "," : "");
			sw_part_print(mesh, sw_type_part(type, p), text);
		}
		sw_text_add_char(text, '}');
	}
	sw_text_add_int(text, type->global[d]);
}

void sw_type_print(const sw_mesh *mesh, const sw_type *type, bool dtype, sw_text *text)
{
	sw_text_add(text, dtype ? sw_dtype_name(type->dtype) : "");
	sw_text_add_char(text, '[');
	for (int d = 0; d < type->rank; d++) {
		sw_text_add(text, d ? ", " : "");
		type_print_dimension(mesh, type, d, text);
	}
	sw_text_add_char(text, ']');
	sw_sums_print(mesh, type, text);
}

static bool type_refuse_shape(int rank, const int64_t *global, sw_diag *diag)
{
	if (rank < 0 || rank > SW_MAX_DIMS) {
		sw_diag_set(diag, SW_T06, type_nowhere, "the array has %d dimensions", rank);
		sw_diag_expected(diag, "at most %d dimensions", SW_MAX_DIMS);
		sw_diag_found(diag, "%d", rank);
		return true;
	}
	int64_t elements = 1;
	for (int d = 0; d < rank; d++) {
		bool positive = global[d] >= 1;
		if (positive && sw_mul(elements, global[d], &elements))
			continue;
		sw_diag_set(diag, positive ? SW_T10 : SW_T05, type_nowhere,
			positive ? "the array has more elements than 64 bits count" : "dimension %d is empty", d);
		sw_diag_expected(diag, positive ? "fewer than 2^63 elements" : "a size of at least 1");
		sw_diag_found(diag, "%" PRId64 " in dimension %d", global[d], d);
		return true;
	}
	return false;
}

bool sw_type_replicated(sw_dtype dtype, int rank, const int64_t *global, sw_type *type, sw_diag *diag)
{
	if (type_refuse_shape(rank, global, diag))
		return false;
	type->dtype = dtype;
	type->dtype_given = true;
	type->rank = rank;
	sw_packed_start(type);
	memset(type->first, 0, sizeof(type->first));
	type->padding = 0;
	for (int d = 0; d < rank; d++)
		type->tile[d] = type->global[d] = global[d];
	return true;
}

/* `part`: those of the dimension, minor to major. */
static bool type_refuse_tiles(const sw_type *type, int d, int64_t tiles, const sw_part *part, int count,
	sw_diag *diag)
{
	sw_diag_set(diag, SW_T04, type_nowhere, "dimension %d of size %" PRId64 " does not split into %" PRId64 " tiles",
		d, type->global[d], tiles);
	sw_diag_expected(diag, "a size divisible by %" PRId64, tiles);
	sw_diag_found(diag, "%" PRId64, type->global[d]);
	sw_uneven_hint(diag, "", type->global[d], part, count);
	return false;
}

static bool type_refuse_padding(const sw_type *type, int d, sw_diag *diag)
{
	sw_diag_set(diag, SW_T10, type_nowhere, "dimension %d has no padded size", d);
	sw_diag_expected(diag, "fewer than 2^63 elements, padding included");
	sw_diag_found(diag, "%" PRId64 " in dimension %d", type->global[d], d);
	return false;
}

/* May the parts stand together in one type? */
static bool type_check_parts(const sw_mesh *mesh, const sw_part *parts, int count, sw_diag *diag)
{
	for (int i = 0; i < count; i++) {
		if (!sw_part_check(mesh, parts[i], type_nowhere, diag))
			return false;
		int clash = sw_parts_clash(parts, i, parts[i]);
		if (clash >= 0)
			return sw_parts_refuse(mesh, parts[clash], type_nowhere, parts[i], type_nowhere, diag);
	}
	return true;
}

/* May the parts of the dimensions stand in one type with these sums? */
static bool type_check_apart(const sw_mesh *mesh, const sw_part *parts, int count, const sw_part *sums, int summed,
	sw_diag *diag)
{
	for (int i = 0; i < summed; i++) {
		int clash = sw_parts_clash(parts, count, sums[i]);
		if (clash >= 0)
			return sw_parts_refuse_sum(mesh, parts[clash], type_nowhere, sums[i], type_nowhere, diag);
	}
	return true;
}

bool sw_type_partition_as(const sw_mesh *mesh, sw_type *type, const int *count, const sw_part *parts, bool pads,
	sw_diag *diag)
{
	sw_type out;
	int64_t real[SW_MAX_DIMS];
	int total = 0;
	for (int d = 0; d < type->rank; d++)
		total += count[d];
	sw_part sums[SW_MAX_PARTS];
	int summed = sw_type_sums(type, sums);
	if (!type_check_parts(mesh, parts, total, diag) || !type_check_apart(mesh, parts, total, sums, summed, diag))
		return false;
	sw_type_real(type, real);
	out.rank = type->rank;
	sw_packed_start(&out);
	for (int d = 0; d < type->rank; d++) {
		sw_part merged[SW_MAX_PARTS];
		int length = 0;
		int64_t tiles = 1;
		for (int p = 0; p < count[d]; p++, parts++) {
			SW_ROOM(merged, length);
			length = sw_parts_push(merged, 0, length, *parts);
			tiles *= parts->size;
		}
		if (type->global[d] % tiles != 0 && !pads)
			return type_refuse_tiles(type, d, tiles, parts - count[d], count[d], diag);
		out.global[d] = type->global[d];
		if (pads && !sw_uneven_pad(real[d], tiles, &out.global[d]))
			return type_refuse_padding(type, d, diag);
		out.tile[d] = out.global[d] / tiles;
		sw_packed_add(&out, d, merged, length);
	}
	sw_packed_add(&out, out.rank, sums, summed);
	if (pads && type_refuse_shape(type->rank, out.global, diag))
		return false;
	memcpy(type->global, out.global, sizeof(*out.global) * (size_t)type->rank);
	memcpy(type->tile, out.tile, sizeof(*out.tile) * (size_t)type->rank);
	sw_packed_copy(type, &out);
	sw_type_set_real(type, real);
	return true;
}

bool sw_type_partition(const sw_mesh *mesh, sw_type *type, const int *count, const sw_part *parts, sw_diag *diag)
{
	return sw_type_partition_as(mesh, type, count, parts, false, diag);
}

/* ---- sums ---- */

int sw_type_sums(const sw_type *type, sw_part *parts)
{
	return sw_type_parts(type, type->rank, parts);
}

int64_t sw_type_terms(const sw_type *type)
{
	return sw_type_cuts(type, type->rank);
}

int64_t sw_type_term(const sw_mesh *mesh, const sw_type *type, int64_t device)
{
	assert(device >= 0 && device < mesh->devices);
	int64_t term = 0, weight = 1;
	for (int p = type->first[type->rank]; p < type->first[type->rank + 1]; p++) {
		sw_part part = sw_type_part(type, p);
		term += device / sw_part_stride(mesh, part) % part.size * weight;
		weight *= part.size;
	}
	return term;
}

bool sw_type_check_sums(const sw_type *type, sw_diag *diag)
{
	return type->first[type->rank] == type->first[type->rank + 1] || sw_sums_check(type->dtype, diag);
}

bool sw_sums_check(sw_dtype dtype, sw_diag *diag)
{
	if (dtype != SW_PRED)
		return true;
	sw_diag_set(diag, SW_T11, type_nowhere, "truth values have no sums");
	sw_diag_expected(diag, "an element type that adds, such as f32 or i32");
	sw_diag_found(diag, "%s", sw_dtype_name(dtype));
	sw_diag_hint(diag, "count in an integer type, or leave the sum out");
	if (diag)
		diag->rule = SW_RULE_SUM;
	return false;
}

bool sw_type_set_sums(const sw_mesh *mesh, sw_type *type, const sw_part *parts, int count, sw_diag *diag)
{
	assert(count >= 0 && count <= SW_MAX_PARTS);
	sw_part sums[SW_MAX_PARTS], cuts[SW_MAX_PARTS];
	int cut = 0;
	for (int i = 0; i < count; i++) {
		int clash = sw_parts_clash(parts, i, parts[i]);
		if (!sw_part_check(mesh, parts[i], type_nowhere, diag))
			return false;
		if (clash >= 0)
			return sw_parts_refuse_sum(mesh, parts[clash], type_nowhere, parts[i], type_nowhere, diag);
		SW_ROOM(sums, i);
		sums[i] = parts[i];
	}
	for (int d = 0; d < type->rank; d++)
		cut += sw_type_parts(type, d, cuts + cut);
	if (!type_check_apart(mesh, cuts, cut, sums, count, diag))
		return false;
	sw_type changed = *type;
	sw_type_put(&changed, type->rank, sums, sw_parts_order_sums(sums, count));
	if (!sw_type_check_sums(&changed, diag))
		return false;
	*type = changed;
	return true;
}

static int64_t type_product(const int64_t *sizes, int rank)
{
	int64_t product = 1;
	for (int d = 0; d < rank; d++)
		product *= sizes[d];
	return product;
}

int64_t sw_type_localsize(const sw_type *type)
{
	return type_product(type->tile, type->rank);
}

int64_t sw_type_globalsize(const sw_type *type)
{
	return type_product(type->global, type->rank);
}

/* The padding of all dimensions is one number: with `global` as its digits' ranges it is below the number of elements. */
void sw_type_real(const sw_type *type, int64_t real[SW_MAX_DIMS])
{
	int64_t padding = type->padding;
	for (int d = type->rank - 1; d >= 0; d--) {
		real[d] = type->global[d] - (padding ? padding % type->global[d] : 0);
		padding = padding ? padding / type->global[d] : 0;
	}
	assert(padding == 0);
}

void sw_type_set_real(sw_type *type, const int64_t *real)
{
	type->padding = 0;
	for (int d = 0; d < type->rank; d++) {
		assert(real[d] >= 1 && real[d] <= type->global[d]);
		type->padding = type->padding * type->global[d] + type->global[d] - real[d];
	}
}

int64_t sw_type_size(const sw_type *type, int dim)
{
	assert(dim >= 0 && dim < type->rank);
	int64_t real[SW_MAX_DIMS];
	sw_type_real(type, real);
	return real[dim];
}

bool sw_type_padded(const sw_type *type)
{
	return type->padding != 0;
}

int64_t sw_type_tiles(const sw_type *type)
{
	int64_t tiles = 1;
	for (int d = 0; d < type->rank; d++)
		tiles *= sw_type_cuts(type, d);
	return tiles;
}

int64_t sw_type_copies(const sw_mesh *mesh, const sw_type *type)
{
	return mesh->devices / sw_type_tiles(type) / sw_type_terms(type);
}

void sw_type_offset(const sw_mesh *mesh, const sw_type *type, int64_t device, int64_t *offset)
{
	assert(device >= 0 && device < mesh->devices);
	sw_part parts[SW_MAX_PARTS];
	for (int d = 0; d < type->rank; d++) {
		int64_t weight = type->tile[d];
		int count = sw_type_parts(type, d, parts);
		offset[d] = 0;
		for (int p = 0; p < count; p++) {
			offset[d] += device / sw_part_stride(mesh, parts[p]) % parts[p].size * weight;
			weight *= parts[p].size;
		}
	}
}

static bool type_same_sizes(const sw_type *a, const sw_type *b)
{
	size_t bytes = sizeof(*a->tile) * (size_t)a->rank;
	return a->rank == b->rank && memcmp(a->tile, b->tile, bytes) == 0 && memcmp(a->global, b->global, bytes) == 0;
}

bool sw_type_equal(const sw_type *a, const sw_type *b)
{
	return a->dtype == b->dtype && type_same_sizes(a, b) && sw_packed_equal(a, b);
}

/* A digit of the device number: `device / stride % size`. */
typedef struct type_digit {
	int64_t stride;
	int64_t size;
} type_digit;

/* The digits that dimension `d` reads, minor to major.  Digits that stand side by side in the device number
 * and in the dimension are one, so that each map has one list; how long it is. */
static int type_digits(const sw_mesh *mesh, const sw_type *type, int d, type_digit digits[SW_MAX_PARTS])
{
	int count = 0;
	for (int p = type->first[d]; p < type->first[d + 1]; p++) {
		sw_part part = sw_type_part(type, p);
		type_digit digit = {sw_part_stride(mesh, part), part.size};
		if (digit.size == 1)
			continue;
		if (count && digits[count - 1].stride * digits[count - 1].size == digit.stride)
			digits[count - 1].size *= digit.size;
		else
			digits[count++] = digit;
	}
	return count;
}

static bool type_same_digits(const sw_mesh *mesh, const sw_type *a, const sw_type *b, int d)
{
	type_digit left[SW_MAX_PARTS], right[SW_MAX_PARTS];
	int count = type_digits(mesh, a, d, left);
	if (type_digits(mesh, b, d, right) != count)
		return false;
	for (int i = 0; i < count; i++)
		if (left[i].stride != right[i].stride || left[i].size != right[i].size)
			return false;
	return true;
}

/* The digits that are summed, the fastest first, joined: each set of groups has one list. */
static int type_summed_digits(const sw_mesh *mesh, const sw_type *type, type_digit digits[SW_MAX_PARTS])
{
	int count = 0, joined = 0;
	for (int p = type->first[type->rank]; p < type->first[type->rank + 1]; p++) {
		sw_part part = sw_type_part(type, p);
		type_digit digit = {sw_part_stride(mesh, part), part.size};
		int at = count;
		if (digit.size == 1)
			continue;
		for (; at > 0 && digits[at - 1].stride > digit.stride; at--)
			digits[at] = digits[at - 1];
		digits[at] = digit;
		count++;
	}
	for (int i = 0; i < count; i++)
		if (joined && digits[joined - 1].stride * digits[joined - 1].size == digits[i].stride)
			digits[joined - 1].size *= digits[i].size;
		else
			digits[joined++] = digits[i];
	return joined;
}

static bool type_same_sums(const sw_mesh *mesh, const sw_type *a, const sw_type *b)
{
	type_digit left[SW_MAX_PARTS], right[SW_MAX_PARTS];
	if (sw_type_terms(a) != sw_type_terms(b))
		return false;
	if (sw_type_terms(a) == 1)
		return true;
	int count = type_summed_digits(mesh, a, left);
	bool same = type_summed_digits(mesh, b, right) == count;
	for (int i = 0; same && i < count; i++)
		same = left[i].stride == right[i].stride && left[i].size == right[i].size;
	return same;
}

bool sw_type_same_map(const sw_mesh *mesh, const sw_type *a, const sw_type *b)
{
	if (!type_same_sizes(a, b))
		return false;
	if (sw_packed_equal(a, b))
		return true;
	for (int d = 0; d < a->rank; d++)
		if (!type_same_digits(mesh, a, b, d))
			return false;
	return type_same_sums(mesh, a, b);
}

int64_t sw_terms_joined(const sw_type *before, const sw_type *after)
{
	int64_t from = sw_type_terms(before), to = sw_type_terms(after);

	return from > to ? (from + to - 1) / to : 1;
}
