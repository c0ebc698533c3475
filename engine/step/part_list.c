/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stacks of parts: popping and pushing by factors, and what a type leaves unused.
 */
#include "step/part_list.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "base/room.h"

void sw_part_list_of(const sw_type *type, int dim, sw_part_list *stack)
{
	stack->count = sw_type_parts(type, dim, stack->at);
}

void sw_part_list_put(sw_type *type, int dim, const sw_part_list *stack)
{
	sw_type_put(type, dim, stack->at, stack->count);
	if (dim < type->rank)
		type->tile[dim] = type->global[dim] / sw_part_list_product(stack);
}

void sw_part_list_put_sums(sw_type *type, const sw_part_list *sums)
{
	sw_part_list in_order = *sums;
	in_order.count = sw_parts_order_sums(in_order.at, in_order.count);
	sw_part_list_put(type, type->rank, &in_order);
}

int64_t sw_part_list_product(const sw_part_list *stack)
{
	int64_t product = 1;
	for (int p = 0; p < stack->count; p++)
		product *= stack->at[p].size;
	return product;
}

void sw_part_list_append(sw_part_list *stack, sw_part part)
{
	SW_ROOM(stack->at, stack->count);
	stack->count = sw_parts_push(stack->at, 0, stack->count, part);
}

void sw_part_list_push(sw_part_list *stack, const sw_part *parts, int count)
{
	sw_part_list old = *stack;
	stack->count = 0;
	for (int p = 0; p < count; p++)
		sw_part_list_append(stack, parts[p]);
	for (int p = 0; p < old.count; p++)
		sw_part_list_append(stack, old.at[p]);
}

/* The minor `size` of a part, and what is left of it. */
static sw_part stack_minor(sw_part part, int64_t size)
{
	return (sw_part){part.axis, part.pre * (part.size / size), size};
}

static sw_part stack_major(sw_part part, int64_t size)
{
	return (sw_part){part.axis, part.pre, size};
}

bool sw_part_list_pop(sw_part_list *stack, int64_t factor, sw_part_list *popped)
{
	assert(factor >= 1);
	int whole = 0;
	while (whole < stack->count && factor > 1 && factor % stack->at[whole].size == 0)
		factor /= stack->at[whole++].size;
	sw_part *cut = stack->at + whole;
	if (factor > 1 && (whole == stack->count || cut->size % factor != 0))
		return false;
	for (int p = 0; p < whole; p++)
		sw_part_list_append(popped, stack->at[p]);
	if (factor > 1) {
		sw_part_list_append(popped, stack_minor(*cut, factor));
		*cut = stack_major(*cut, cut->size / factor);
	}
	stack->count -= whole;
	memmove(stack->at, cut, sizeof(*cut) * (size_t)stack->count);
	return true;
}

/* Cuts `factor` off part `p`; the part goes where nothing of it is left. */
static sw_part stack_cut(sw_part_list *stack, int p, int64_t factor, bool major)
{
	sw_part part = stack->at[p];
	sw_part taken = major ? stack_major(part, factor) : stack_minor(part, factor);
	int64_t rest = part.size / factor;
	stack->at[p] = major ? stack_minor(part, rest) : stack_major(part, rest);
	if (rest == 1) {
		stack->count--;
		memmove(stack->at + p, stack->at + p + 1, sizeof(part) * (size_t)(stack->count - p));
	}
	return taken;
}

bool sw_part_list_take(sw_part_list *stack, int64_t factor, bool slicing, sw_part_list *taken)
{
	assert(factor >= 1);
	sw_part_list rest = *stack, found = *taken;
	for (int p = 0; p < rest.count && factor > 1;) {
		int64_t common = sw_gcd(rest.at[p].size, factor);
		int before = rest.count;
		if (common > 1) {
			sw_part part = stack_cut(&rest, p, common, slicing);
			factor /= common;
			if (slicing)
				sw_part_list_push(&found, &part, 1);
			else
				sw_part_list_append(&found, part);
		}
		p += rest.count == before;
	}
	if (factor > 1)
		return false;
	*stack = rest;
	*taken = found;
	return true;
}

/* The used parts of one axis with size above 1, sums included, major to minor. */
static int stack_used(const sw_type *type, int axis, sw_part used[SW_MAX_PARTS])
{
	int count = 0;
	for (int p = 0; p < type->first[type->rank + 1]; p++) {
		sw_part part = sw_type_part(type, p);
		if (part.axis != axis || part.size == 1)
			continue;
		int at = count++;
		for (; at > 0 && used[at - 1].pre > part.pre; at--)
			used[at] = used[at - 1];
		used[at] = part;
	}
	return count;
}

void sw_part_list_free_of(const sw_mesh *mesh, const sw_type *type, sw_part_list *free)
{
	sw_part used[SW_MAX_PARTS];
	free->count = 0;
	for (int a = 0; a < mesh->count; a++) {
		int count = stack_used(type, a, used);
		int64_t pre = 1;
		for (int u = 0; u <= count; u++) {
			int64_t end = u < count ? used[u].pre : mesh->axis[a].size;
			if (end > pre) {
				SW_ROOM(free->at, free->count);
				free->at[free->count++] = (sw_part){a, pre, end / pre};
			}
			pre = u < count ? end * used[u].size : end;
		}
	}
}

/* Does `part` lie in `room`, cutting it in one chain of divisors? */
static bool stack_holds(sw_part room, sw_part part)
{
	return room.axis == part.axis && part.pre % room.pre == 0 && (room.pre * room.size) % (part.pre * part.size) == 0;
}

bool sw_part_list_remove(sw_part_list *free, sw_part part)
{
	if (part.size == 1)
		return true;
	int at = 0;
	while (at < free->count && !stack_holds(free->at[at], part))
		at++;
	if (at == free->count)
		return false;
	sw_part room = free->at[at];
	sw_part ends[2] = {
		{room.axis, room.pre, part.pre / room.pre},
		{room.axis, part.pre * part.size, room.pre * room.size / (part.pre * part.size)},
	};
	sw_part_list old = *free;
	free->count = at;
	for (int e = 0; e < 2; e++)
		if (ends[e].size > 1) {
			SW_ROOM(free->at, free->count);
			free->at[free->count++] = ends[e];
		}
	for (int p = at + 1; p < old.count; p++) {
		SW_ROOM(free->at, free->count);
		free->at[free->count++] = old.at[p];
	}
	return true;
}

void sw_type_strip(sw_type *type)
{
	for (int d = 0; d <= type->rank; d++) {
		sw_part_list all, kept = {0};
		sw_part_list_of(type, d, &all);
		for (int p = 0; p < all.count; p++)
			if (all.at[p].size > 1)
				sw_part_list_append(&kept, all.at[p]);
		sw_part_list_put(type, d, &kept);
	}
}
