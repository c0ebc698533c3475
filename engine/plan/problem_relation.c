/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Problems as relations: who needs what of whom, which terms of sums are joined, and the best renumbering of devices.
 */
#include <shardwalk/distribution.h>
#include <shardwalk/relation.h>

#include "plan/between.h"
#include "plan/tile_numbers.h"

static bool is_each(const sw_distribution *words)
{
	return words != NULL && words->each;
}

/* Marks the terms that devices have elements of.  How many; -1: no memory. */
static int64_t mark_terms(const sw_holding *holding, bool *held)
{
	int64_t count = 0;

	for (int64_t d = 0; d < holding->devices; d++) {
		int64_t size = sw_holding_size(holding, d), term = sw_term_held(holding, d);
		if (size < 0)
			return -1;
		count += size > 0 && !held[term];
		held[term] = held[term] || size > 0;
	}
	return count;
}

static int64_t terms_held(const sw_holding *holding)
{
	sw_arena *arena = sw_arena_new();
	bool *held = arena != NULL ? SW_NEW_ZERO(arena, bool, holding->terms) : NULL;
	int64_t count = held != NULL ? mark_terms(holding, held) : -1;

	sw_arena_free(arena);
	return count;
}

static bool refuse_terms(const sw_holding *from, const sw_holding *to, sw_diag *diag)
{
	int64_t before = terms_held(from), after = terms_held(to);

	if (before < 0 || after < 0)
		return sw_diag_memory(diag);
	sw_diag_set(diag, SW_T11, (sw_span){0, 0}, "both ends are sums of different terms: complete the sum first");
	sw_diag_expected(diag, "the same type at both ends, or complete values at the second, without `+`");
	sw_diag_found(diag, "sums of %lld and of %lld terms", (long long)before, (long long)after);
	sw_diag_hint(diag, "write two redistributions: T+ ~> U, then U to the second end");
	return false;
}

/* ---- terms that nobody would have ---- */

/* Takes away what devices have of the first term.  false: no memory. */
static bool minus_first_term(const sw_holding *to, sw_arena *arena, sw_region *left)
{
	sw_region held;

	for (int64_t d = 0; left->count > 0 && d < to->devices; d++)
		if (sw_term_held(to, d) == 0 &&
			(!sw_holding_region(to, d, arena, &held) || !sw_region_minus(left, &held, arena, left)))
			return false;
	return true;
}

/* The first device that needs elements of which nobody has the first term, which whole values become; -1: there is none, -2: no
 * memory. */
static int64_t find_lost_value(const sw_holding *to, sw_arena *arena)
{
	sw_region left;

	for (int64_t d = 0; d < to->devices; d++) {
		sw_arena_mark mark = sw_arena_here(arena);
		if (sw_term_held(to, d) == 0)
			continue;
		if (!sw_holding_region(to, d, arena, &left) || !minus_first_term(to, arena, &left))
			return -2;
		if (left.count > 0)
			return d;
		sw_arena_back(arena, mark);
	}
	return -1;
}

/* The first term that devices have before and none has after; -1: there is none, -2: no memory. */
static int64_t find_lost_term(const sw_holding *from, const sw_holding *to, sw_arena *arena)
{
	bool *before = SW_NEW_ZERO(arena, bool, from->terms), *after = SW_NEW_ZERO(arena, bool, to->terms);

	if (before == NULL || after == NULL || mark_terms(from, before) < 0 || mark_terms(to, after) < 0)
		return -2;
	for (int64_t term = 0; term < from->terms; term++)
		if (before[term] && !after[term])
			return term;
	return -1;
}

/* Values or terms that become terms which nobody has would be gone. */
static bool check_lost(const sw_holding *from, const sw_holding *to, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	bool whole = from->terms == 1;
	int64_t lost = arena == NULL ? -2 : whole ? find_lost_value(to, arena) : find_lost_term(from, to, arena);

	sw_arena_free(arena);
	if (lost == -1)
		return true;
	if (lost == -2)
		return sw_diag_memory(diag);
	sw_diag_set(diag, SW_T11, (sw_span){0, 0},
		whole ? "complete values become the first term of a sum, but not all elements are held" :
				"terms of the sum would be lost: no device has them at the end");
	sw_diag_expected(diag,
		whole ? "complete values at the second end, without "
				"`+`" :
				"devices that have each term, or complete values");
	sw_diag_found(diag,
		whole ? "device %lld has another term of its elements, but no device has the "
				"first" :
				"no device has term %lld",
		(long long)lost);
	sw_diag_hint(diag,
		whole ? "leave `+` out: values need no terms" :
				"write two redistributions: T+ ~> U, then U ~> the "
				"wanted type");
	return false;
}

bool sw_problem_check_sums(const sw_problem *problem, const sw_holding *from, const sw_holding *to, sw_diag *diag)
{
	bool each = is_each(problem->from_words) || is_each(problem->to_words), tiles = !sw_problem_has_words(problem);

	if (to->terms == 1 || tiles || sw_holding_equal(from, to))
		return true;
	if (from->terms == 1 || (from->terms == to->terms && !each))
		return check_lost(from, to, diag);
	return refuse_terms(from, to, diag);
}

/* The term after in which each term before is summed; NULL: as relations take it. */
static bool join_terms(const sw_problem *problem, const sw_holding *from, const sw_holding *to, sw_arena *arena,
	int32_t **joins, sw_diag *diag)
{
	*joins = NULL;
	if (!sw_problem_check_sums(problem, from, to, diag))
		return false;
	if (to->terms == 1 || sw_problem_has_words(problem))
		return true;
	*joins = SW_NEW(arena, int32_t, from->terms);
	if (*joins == NULL)
		return sw_diag_memory(diag);
	sw_terms_join(&problem->mesh, &problem->from, &problem->to, *joins);
	return true;
}

sw_relation *sw_problem_relation(const sw_problem *problem, sw_arena *arena, sw_diag *diag)
{
	return sw_problem_relation_with(problem, NULL, arena, diag);
}

sw_relation *sw_problem_relation_with(const sw_problem *problem, const sw_pulse *pulse, sw_arena *arena,
	sw_diag *diag)
{
	sw_holding *from = SW_NEW(arena, sw_holding, 2), *to = from + 1;
	int32_t *joins;

	if (from == NULL || !sw_problem_holdings(problem, arena, from, to)) {
		sw_diag_memory(diag);
		return NULL;
	}
	if (!join_terms(problem, from, to, arena, &joins, diag))
		return NULL;
	sw_relation *relation = sw_relation_new_with(from, to, joins, pulse, arena, diag);
	if (relation != NULL)
		sw_relation_lie_on(relation, &problem->mesh);
	return relation;
}

/* ---- renumbering ---- */

/* Who takes over the role of a device lies in its slot. */
static bool take_roles(sw_problem *problem, const int32_t *role, sw_arena *arena)
{
	int64_t devices = problem->mesh.devices;
	const int64_t *before = sw_problem_to_order(problem);
	int64_t *device_of = SW_NEW(arena, int64_t, 2 * devices), *order = device_of + devices;
	bool same = true;

	if (device_of == NULL)
		return false;
	for (int64_t device = 0; device < devices; device++) {
		device_of[role[device]] = device;
		same = same && role[device] == device;
	}
	for (int64_t slot = 0; slot < devices; slot++)
		order[slot] = device_of[sw_device_at(before, slot)];
	problem->to_order = same ? problem->to_order : order;
	return true;
}

bool sw_problem_renumber(sw_problem *problem, sw_arena *arena, int64_t *kept, sw_diag *diag)
{
	sw_arena *scratch = sw_arena_new();
	sw_relation *relation = scratch != NULL ? sw_problem_relation(problem, scratch, diag) : NULL;
	int32_t *role = relation != NULL ? SW_NEW(scratch, int32_t, problem->mesh.devices) : NULL;
	bool done = role != NULL && sw_relation_relabel(relation, role, kept) && take_roles(problem, role, arena);

	if (!done && (relation != NULL || scratch == NULL))
		sw_diag_memory(diag);
	sw_arena_free(scratch);
	return done;
}
