/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders of devices, as digits and as lists.
 */
#include "peers/xla_order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/mesh.h>

void sw_order_push(sw_order *order, int64_t size, int64_t stride)
{
	assert(size == 1 || order->digits < SW_MAX_FACTORS);
	order->digits = sw_digits_push(order->digit, order->digits, (sw_digit){.size = size, .stride = stride});
}

static void order_start(int64_t count, sw_order *out)
{
	out->count = count;
	out->digits = 0;
	out->list = NULL;
}

void sw_order_identity(int64_t count, sw_order *out)
{
	order_start(count, out);
	sw_order_push(out, count, 1);
}

int64_t sw_order_at(const sw_order *order, int64_t index)
{
	assert(index >= 0 && index < order->count);
	return order->list != NULL ? order->list[index] : sw_digits_at(order->digit, order->digits, index);
}

bool sw_order_equal(const sw_order *a, const sw_order *b)
{
	if (a->count != b->count)
		return false;
	if (a->list == NULL && b->list == NULL)
		return sw_digits_equal(a->digit, a->digits, b->digit, b->digits);
	for (int64_t i = 0; i < a->count; i++)
		if (sw_order_at(a, i) != sw_order_at(b, i))
			return false;
	return true;
}

/* ---- lists ---- */

static int32_t *list_new(sw_order_room *room, int64_t count)
{
	int32_t *list = NULL;

	if (count > SW_MAX_MAP_DEVICES)
		room->too_large = true;
	else if ((list = SW_NEW(room->arena, int32_t, count)) == NULL)
		room->failed = true;
	return list;
}

/* An order that is a list; without one an identity, so that work can go on to its end. */
static void list_order(int64_t count, const int32_t *list, sw_order *out)
{
	sw_order_identity(count, out);
	if (list != NULL)
		out->digits = 0;
	out->list = list;
}

void sw_order_of_list(sw_order_room *room, const int64_t *devices, int64_t count, sw_order *out)
{
	int32_t *list = list_new(room, count);

	for (int64_t i = 0; list != NULL && i < count; i++)
		list[i] = (int32_t)devices[i];
	list_order(count, list, out);
}

static void compose_lists(sw_order_room *room, const sw_order *outer, const sw_order *inner, sw_order *out)
{
	int32_t *list = list_new(room, inner->count);

	for (int64_t i = 0; list != NULL && i < inner->count; i++)
		list[i] = (int32_t)sw_order_at(outer, sw_order_at(inner, i));
	list_order(inner->count, list, out);
}

static void inverse_list(sw_order_room *room, const sw_order *order, sw_order *out)
{
	int32_t *list = list_new(room, order->count);

	for (int64_t i = 0; list != NULL && i < order->count; i++)
		list[order->list[i]] = (int32_t)i;
	list_order(order->count, list, out);
}

static void repeat_list(sw_order_room *room, const sw_order *order, int64_t groups, sw_order *out)
{
	int64_t count = order->count * groups;
	int32_t *list = list_new(room, count);

	for (int64_t i = 0; list != NULL && i < count; i++)
		list[i] = (int32_t)(i / order->count * order->count) + order->list[i % order->count];
	list_order(count, list, out);
}

static int ascending(const void *a, const void *b)
{
	return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

static void sort_list(sw_order_room *room, const sw_order *order, int64_t run, sw_order *out)
{
	int32_t *list = list_new(room, order->count);

	for (int64_t i = 0; list != NULL && i < order->count; i++)
		list[i] = (int32_t)sw_order_at(order, i);
	for (int64_t i = 0; list != NULL && i < order->count; i += run)
		qsort(list + i, (size_t)run, sizeof *list, ascending);
	list_order(order->count, list, out);
}

/* ---- digits ---- */

int sw_order_range(const sw_order *order, int64_t weight, int64_t size, sw_digit digit[SW_MAX_FACTORS])
{
	int64_t at = 1, end = weight * size, next;
	int n = 0;

	if (order->list != NULL)
		return -1;
	for (int k = order->digits - 1; k >= 0 && at < end; k--, at = next) {
		int64_t low = at > weight ? at : weight, high;

		next = at * order->digit[k].size;
		high = next < end ? next : end;
		if (low >= high)
			continue;
		if (low % at != 0 || high % low != 0 || next % high != 0)
			return -1;
		digit[n++] = (sw_digit){.size = high / low, .stride = order->digit[k].stride * (low / at)};
	}
	sw_digits_reverse(digit, n);
	return n;
}

void sw_order_compose(sw_order_room *room, const sw_order *outer, const sw_order *inner, sw_order *out)
{
	sw_digit digit[SW_MAX_FACTORS];
	sw_order result;

	order_start(inner->count, &result);
	if (inner->list != NULL) {
		compose_lists(room, outer, inner, out);
		return;
	}
	for (int k = 0; k < inner->digits; k++) {
		int n = sw_order_range(outer, inner->digit[k].stride, inner->digit[k].size, digit);

		if (n < 0) {
			compose_lists(room, outer, inner, out);
			return;
		}
		for (int i = 0; i < n; i++)
			sw_order_push(&result, digit[i].size, digit[i].stride);
	}
	*out = result;
}

void sw_order_inverse(sw_order_room *room, const sw_order *order, sw_order *out)
{
	sw_digit digit[SW_MAX_FACTORS]; /* the stride of the order is the position of the digit in its inverse */
	int64_t weight = 1;

	if (order->list != NULL) {
		inverse_list(room, order, out);
		return;
	}
	for (int k = order->digits - 1; k >= 0; weight *= order->digit[k--].size) {
		digit[k] = order->digit[k];
		digit[k].weight = weight;
	}
	int digits = order->digits;
	sw_digits_descend(digit, digits);
	order_start(order->count, out);
	for (int k = 0; k < digits; k++)
		sw_order_push(out, digit[k].size, digit[k].weight);
}

void sw_order_transpose(sw_order_room *room, const sw_order *order, const int64_t *shape, const int *axis, int rank,
	sw_order *out)
{
	sw_order turn;

	order_start(order->count, &turn);
	for (int k = 0; k < rank; k++) {
		int64_t weight = 1;

		for (int i = axis[k] + 1; i < rank; i++)
			weight *= shape[i];
		sw_order_push(&turn, shape[axis[k]], weight);
	}
	sw_order_compose(room, order, &turn, out);
}

void sw_order_sort(sw_order_room *room, const sw_order *order, int64_t run, sw_order *out)
{
	assert(run >= 1 && order->count % run == 0);
	sw_digit major[SW_MAX_FACTORS], minor[SW_MAX_FACTORS];
	int majors = sw_order_range(order, run, order->count / run, major);
	int minors = sw_order_range(order, 1, run, minor);

	if (majors < 0 || minors < 0) {
		sort_list(room, order, run, out);
		return;
	}
	sw_digits_descend(minor, minors);
	order_start(order->count, out);
	for (int k = 0; k < majors; k++)
		sw_order_push(out, major[k].size, major[k].stride);
	for (int k = 0; k < minors; k++)
		sw_order_push(out, minor[k].size, minor[k].stride);
}

void sw_order_repeat(sw_order_room *room, const sw_order *order, int64_t groups, sw_order *out)
{
	assert(groups >= 1);
	sw_order result;

	if (order->list != NULL) {
		repeat_list(room, order, groups, out);
		return;
	}
	order_start(order->count * groups, &result);
	sw_order_push(&result, groups, order->count);
	for (int k = 0; k < order->digits; k++)
		sw_order_push(&result, order->digit[k].size, order->digit[k].stride);
	*out = result;
}

static bool list_keeps_runs(sw_order_room *room, const sw_order *order, int64_t run)
{
	if (order->count > SW_MAX_MAP_DEVICES) {
		room->too_large = true;
		return false;
	}
	for (int64_t i = 0; i < order->count; i++)
		if (sw_order_at(order, i) / run != i / run)
			return false;
	return true;
}

bool sw_order_keeps_runs(sw_order_room *room, const sw_order *order, int64_t run)
{
	assert(run >= 1 && order->count % run == 0);
	sw_digit digit[SW_MAX_FACTORS];
	sw_order major;
	int n = sw_order_range(order, run, order->count / run, digit);

	if (n < 0)
		return list_keeps_runs(room, order, run);
	order_start(order->count / run, &major);
	for (int k = 0; k < n; k++)
		sw_order_push(&major, digit[k].size, digit[k].stride);
	return major.digits == 0 || (major.digits == 1 && major.digit[0].stride == run);
}

void sw_order_first(sw_order_room *room, const sw_order *order, int64_t run, sw_order *out)
{
	assert(run >= 1 && run <= order->count);
	sw_digit digit[SW_MAX_FACTORS];
	int n = sw_order_range(order, 1, run, digit);

	if (n < 0) {
		int32_t *list = list_new(room, run);

		for (int64_t i = 0; list != NULL && i < run; i++)
			list[i] = (int32_t)sw_order_at(order, i);
		list_order(run, list, out);
		return;
	}
	order_start(run, out);
	for (int k = 0; k < n; k++)
		sw_order_push(out, digit[k].size, digit[k].stride);
}
