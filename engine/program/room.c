/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A region of memory for what lives at different times.
 */
#include <shardwalk/planned.h>

#include <assert.h>
#include <stdlib.h>

#include <shardwalk/number.h>

static int by_size(const void *left, const void *right)
{
	const sw_tenant *a = *(sw_tenant *const *)left, *b = *(sw_tenant *const *)right;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return a < b ? -1 : a > b;
}

static bool meet(const sw_tenant *a, const sw_tenant *b)
{
	return a->first <= b->last && b->first <= a->last;
}

/* The lowest place that nobody has who is there at the same time. */
static void settle(sw_tenant *const *all, int settled, sw_tenant *tenant, int64_t unit)
{
	bool moved = true;
	tenant->at = 0;
	while (moved) {
		moved = false;
		for (int i = 0; i < settled; i++) {
			const sw_tenant *other = all[i];
			bool apart = tenant->at + tenant->bytes <= other->at || other->at + other->bytes <= tenant->at;
			if (!apart && meet(tenant, other)) {
				tenant->at = (other->at + other->bytes + unit - 1) / unit * unit;
				moved = true;
			}
		}
	}
	assert(tenant->at % unit == 0);
}

int64_t sw_tenants_place(sw_tenant *tenant, int count, int64_t unit, sw_arena *arena)
{
	assert(count >= 0 && unit >= 1);
	sw_arena_mark mark = sw_arena_here(arena);
	sw_tenant **all = SW_NEW(arena, sw_tenant *, count + 1);
	int64_t sum = 0, end = 0;
	if (!all)
		return -1;
	for (int i = 0; i < count; i++) {
		assert(tenant[i].bytes >= 0 && tenant[i].first <= tenant[i].last);
		all[i] = &tenant[i];
		if (!sw_add(sum, tenant[i].bytes, &sum) || !sw_add(sum, unit, &sum))
			return -1;
	}
	qsort(all, (size_t)count, sizeof(sw_tenant *), by_size);
	for (int i = 0; i < count; i++) {
		settle(all, i, all[i], unit);
		end = sw_larger(end, all[i]->at + all[i]->bytes);
	}
	sw_arena_back(arena, mark);
	return (end + unit - 1) / unit * unit;
}
