/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Owners inside: what plans and programs answer, each in a way of its own.
 */
#ifndef SW_PLAN_OWNERS_H
#define SW_PLAN_OWNERS_H

#include <shardwalk/owners.h>

/* Moments, elements and terms are those that owners.h allows. */
struct sw_owners_kind {
	const sw_holding *(*holding)(const sw_owners *owners, int k);
	int64_t (*number)(const sw_owners *owners, int k, const int64_t *index,
		int64_t term); /* that the term has in the holding */
	int64_t (*at)(const sw_owners *owners, int k, const int64_t *index, int64_t term);
	bool (*has)(const sw_owners *owners, int k, int64_t device, const int64_t *index);
	bool (*adds)(const sw_owners *owners, int k, int64_t device, const int64_t *index, int64_t term);
	int64_t (*beside)(const sw_owners *owners, int k, const int64_t *index); /* NULL: devices have one home only */
	bool (*region)(const sw_owners *owners, int k, int64_t device, sw_arena *arena, sw_region *region);
	void (*print)(const sw_owners *owners, int k, int64_t device, sw_text *text);
};

/* The first member of what each kind has. */
struct sw_owners {
	const struct sw_owners_kind *kind;
	int steps;
	int64_t terms;
};

/* Has this slot of a holding an element, in which term number `number` is added up? */
bool sw_holding_adds(const sw_holding *holding, int64_t slot, const int64_t *index, int64_t number);

/* The lowest slot in which a holding has an element, in which term number `number` is added up; -1: none has. */
int64_t sw_holding_first(const sw_holding *holding, const int64_t *index, int64_t number);

#endif
