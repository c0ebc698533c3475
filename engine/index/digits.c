/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Digits: lists of them, their texts, and groups that run over some of them.
 */
#include "index/digits.h"
#include "base/room.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/mesh.h>
#include <shardwalk/number.h>

/* ---- lists ---- */

int sw_digits_push(sw_digit *digit, int count, sw_digit minor)
{
	sw_digit *last = count > 0 ? &digit[count - 1] : NULL;
	if (minor.size == 1)
		return count;
	if (!last || last->dim != minor.dim || last->stride != minor.size * minor.stride) {
		digit[count] = minor;
		return count + 1;
	}
	last->size *= minor.size;
	last->stride = minor.stride;
	last->weight = minor.weight;
	return count;
}

int sw_digits_merge(sw_digit *digit, int count)
{
	int kept = 0;
	for (int k = 0; k < count; k++)
		kept = sw_digits_push(digit, kept, digit[k]);
	return kept;
}

bool sw_digits_equal(const sw_digit *a, int a_count, const sw_digit *b, int b_count)
{
	bool same = a_count == b_count;
	for (int k = 0; same && k < a_count; k++)
		same = a[k].stride == b[k].stride && a[k].size == b[k].size;
	return same;
}

static int compare_strides(const void *a, const void *b)
{
	const sw_digit *left = a, *right = b;
	return (left->stride > right->stride) - (left->stride < right->stride);
}

void sw_digits_ascend(sw_digit *digit, int count)
{
	if (count > 1)
		qsort(digit, (size_t)count, sizeof *digit, compare_strides);
}

void sw_digits_descend(sw_digit *digit, int count)
{
	sw_digits_ascend(digit, count);
	sw_digits_reverse(digit, count);
}

void sw_digits_reverse(sw_digit *digit, int count)
{
	for (int k = 0; k < count / 2; k++) {
		sw_digit kept = digit[k];
		digit[k] = digit[count - 1 - k];
		digit[count - 1 - k] = kept;
	}
}

void sw_digits_expand(const sw_digit *digit, int count, int64_t *value)
{
	int64_t done = 1;
	value[0] = 0;
	for (int k = count - 1; k >= 0; done *= digit[k--].size)
		for (int64_t n = done; n < done * digit[k].size; n++)
			value[n] = value[n - done] + digit[k].stride;
}

void sw_digits_expand_narrow(const sw_digit *digit, int count, int32_t *value)
{
	int64_t done = 1;
	value[0] = 0;
	for (int k = count - 1; k >= 0; done *= digit[k--].size)
		for (int64_t n = done; n < done * digit[k].size; n++)
			value[n] = (int32_t)(value[n - done] + digit[k].stride);
}

int64_t sw_digits_at(const sw_digit *digit, int count, int64_t index)
{
	int64_t value = 0;
	for (int k = count - 1; k >= 0; k--) {
		value += index % digit[k].size * digit[k].stride;
		index /= digit[k].size;
	}
	return value;
}

/* ---- digits of a list ---- */

/* Does every block of `size` repeat the first, shifted by its own first entry, in steps of `stride`? */
static bool list_repeats(const int64_t *list, int64_t count, int64_t step, int64_t size, int64_t stride)
{
	for (int64_t block = 0; block < count; block += size)
		for (int64_t j = 1; j < size; j++)
			if (list[(block + j) * step] != list[block * step] + j * stride)
				return false;
	return true;
}

/* Of the entries `step` apart. */
static int digits_of_entries(const int64_t *list, int64_t count, int64_t step, sw_digit *digit, int room)
{
	if (count == 1)
		return 0;
	int64_t stride = list[step] - list[0], run = 2;
	if (room == 0 || stride <= 0)
		return -1;
	while (run < count && list[run * step] == list[0] + run * stride)
		run++;
	for (int64_t size = run; size > 1; size--) {
		if (count % size != 0 || !list_repeats(list, count, step, size, stride))
			continue;
		int more = digits_of_entries(list, count / size, step * size, digit, room - 1);
		if (more < 0)
			continue;
		digit[more] = (sw_digit){.size = size, .stride = stride};
		return more + 1;
	}
	return -1;
}

int sw_digits_of_list(const int64_t *list, int64_t count, sw_digit *digit, int room)
{
	assert(count >= 1 && room >= 0);
	return list[0] == 0 ? digits_of_entries(list, count, 1, digit, room) : -1;
}

/* ---- orders of reading ---- */

bool sw_digits_order(const sw_digit *digit, int count, int64_t total, int64_t *shape, int *order)
{
	sw_digit sorted[SW_MAX_DIGITS];
	int64_t stride = 1;
	if (count > SW_MAX_DIGITS)
		return false;
	if (count > 0)
		memcpy(sorted, digit, (size_t)count * sizeof *sorted);
	sw_digits_descend(sorted, count);
	for (int k = count - 1; k >= 0; stride *= sorted[k--].size)
		if (sorted[k].stride != stride)
			return false;
	for (int k = 0; k < count; k++) {
		shape[k] = sorted[k].size;
		for (order[k] = 0; sorted[order[k]].stride != digit[k].stride;)
			order[k]++;
	}
	return stride == total;
}

bool sw_digits_print(const sw_digit *digit, int count, int64_t total, sw_text *text)
{
	int64_t shape[SW_MAX_DIGITS];
	int order[SW_MAX_DIGITS];
	if (!sw_digits_order(digit, count, total, shape, order))
		return false;
	if (count <= 1) {
		sw_text_addf(text, "[%" PRId64 "]", total);
		return true;
	}
	for (int k = 0; k < count; k++)
		sw_text_addf(text, "%s%" PRId64, k ? "," : "[", shape[k]);
	sw_text_add(text, "]T(");
	for (int k = 0; k < count; k++)
		sw_text_addf(text, "%s%d", k ? "," : "", order[k]);
	sw_text_add(text, ")");
	return true;
}

/* ---- reading them ---- */

static bool scan_takes_word(sw_scan *scan, const char *word)
{
	size_t before = scan->at;
	sw_span at;
	if (sw_str_is(sw_scan_word(scan, &at), word))
		return true;
	scan->at = before;
	return false;
}

static bool is_order(const int64_t *order, int count, int dims)
{
	bool seen[SW_MAX_DIGITS] = {false}, right = count == dims;
	for (int k = 0; k < count && right; k++) {
		right = order[k] < dims && !seen[order[k]];
		if (right)
			seen[order[k]] = true;
	}
	return right;
}

/* The permutation after `T`, or the identity of one dimension. */
static bool scan_order(sw_scan *scan, int dims, int64_t *order, sw_span dims_at)
{
	order[0] = 0;
	if (!scan_takes_word(scan, "T")) {
		if (dims == 1)
			return true;
		sw_diag_set(scan->diag, scan->syntax, dims_at,
			"a list over %d dimensions needs the order in which to "
			"read them",
			dims);
		sw_diag_expected(scan->diag, "T(...) after the dimensions");
		return false;
	}
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '(', "'(' and the order of the dimensions", (sw_span){0, 0}))
		return false;
	int count = sw_scan_numbers(scan, ')', open, "number of the dimension", 0, order, SW_MAX_DIGITS);
	if (count < 0 || is_order(order, count, dims))
		return count >= 0;
	sw_diag_set(scan->diag, scan->syntax, (sw_span){open.begin, scan->at},
		"this is not an order of %d "
		"dimensions",
		dims);
	sw_diag_expected(scan->diag, "each of 0 to %d once", dims - 1);
	return false;
}

static bool strides_of(const int64_t *shape, int dims, int64_t *stride, int64_t *total)
{
	*total = 1;
	for (int k = dims - 1; k >= 0; k--) {
		stride[k] = *total;
		if (!sw_mul(*total, shape[k], total) || *total > SW_MAX_DEVICES)
			return false;
	}
	return true;
}

int sw_digits_scan(sw_scan *scan, sw_digit *digit, int room, int64_t *total)
{
	int64_t shape[SW_MAX_DIGITS], order[SW_MAX_DIGITS], stride[SW_MAX_DIGITS];
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '[', "'[' and the dimensions of the devices", (sw_span){0, 0}))
		return -1;
	int dims = sw_scan_numbers(scan, ']', open, "size of the dimension", 1, shape,
		room < SW_MAX_DIGITS ? room : SW_MAX_DIGITS);
	sw_span at = {open.begin, scan->at};
	if (dims < 0)
		return -1;
	if (!strides_of(shape, dims, stride, total)) {
		sw_diag_set(scan->diag, SW_M05, at, "more than 2^40 devices");
		return -1;
	}
	if (!scan_order(scan, dims, order, at))
		return -1;
	for (int k = 0; k < dims; k++)
		digit[k] = (sw_digit){.size = shape[order[k]], .stride = stride[order[k]]};
	return dims;
}

/* ---- groups ---- */

bool sw_groups_parse(sw_str text, int64_t total, sw_groups *groups)
{
	sw_diag diag = {.code = SW_OK};
	sw_scan scan = {.text = text, .syntax = SW_N01, .diag = &diag};
	int64_t shape[2], all, product;
	if (!sw_scan_take(&scan, '[') || sw_scan_numbers(&scan, ']', (sw_span){0, 1}, "size", 1, shape, 2) != 2 ||
		!sw_scan_take(&scan, '<') || !sw_scan_take(&scan, '='))
		return false;
	groups->groups = shape[0];
	groups->size = shape[1];
	groups->count = sw_digits_scan(&scan, groups->digit, SW_MAX_DIGITS, &all);
	return groups->count >= 0 && sw_scan_finish(&scan, "groups") && sw_mul(shape[0], shape[1], &product) &&
		product == total && all == total;
}

void sw_groups_print(const sw_groups *groups, sw_text *text)
{
	assert(groups->count >= 0 && groups->count <= SW_MAX_DIGITS);
	sw_digit all[SW_MAX_DIGITS];
	memcpy(all, groups->digit, sizeof *all * (size_t)groups->count);
	sw_text_addf(text, "[%" PRId64 ",%" PRId64 "]<=", groups->groups, groups->size);
	sw_digits_print(all, sw_digits_merge(all, groups->count), groups->groups * groups->size, text);
}

void sw_groups_over(const sw_digit *member, int count, int64_t total, sw_groups *groups)
{
	assert(count >= 0 && count <= SW_MAX_DIGITS && total >= 1);
	sw_digit sorted[SW_MAX_DIGITS];
	int64_t top = total;
	groups->size = 1;
	groups->count = 0;
	if (count > 0)
		memcpy(sorted, member, (size_t)count * sizeof *sorted);
	sw_digits_descend(sorted, count);
	for (int k = 0; k <= count; k++) {
		int64_t low = k < count ? sorted[k].stride * sorted[k].size : 1;
		if (top / low > 1) {
			SW_ROOM(groups->digit, groups->count);
			groups->digit[groups->count++] = (sw_digit){.size = top / low, .stride = low};
		}
		top = k < count ? sorted[k].stride : 1;
	}
	for (int k = 0; k < count; groups->size *= member[k++].size) {
		SW_ROOM(groups->digit, groups->count);
		groups->digit[groups->count++] = (sw_digit){.size = member[k].size, .stride = member[k].stride};
	}
	assert(total % groups->size == 0);
	groups->groups = total / groups->size;
}

int sw_groups_members(const sw_groups *groups, sw_digit member[SW_MAX_DIGITS])
{
	assert(groups->count >= 0 && groups->count <= SW_MAX_DIGITS && groups->size >= 1);
	int64_t left = groups->size;
	int count = 0;
	for (int k = groups->count - 1; k >= 0 && left > 1; k--) {
		sw_digit digit = groups->digit[k];
		if (left % digit.size != 0) {
			if (digit.size % left != 0)
				return -1;
			digit.size = left;
		}
		left /= digit.size;
		if (digit.size > 1)
			member[count++] = digit;
	}
	sw_digits_reverse(member, count);
	return left == 1 ? count : -1;
}
