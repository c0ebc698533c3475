/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a plan ends: does every device hold in the end what `to` says?
 */
#include <shardwalk/between.h>
#include <shardwalk/distribution.h>
#include <shardwalk/plan.h>

#include <inttypes.h>
#include <string.h>

#include <shardwalk/uneven.h>

#include "plan/tile_numbers.h"

#define TYPE_ROOM 90 /* of the message: longer types are said by their tiles */

typedef struct ending {
	const sw_plan *plan;
	const sw_mesh *mesh;
	const sw_type *type; /* after the last step; NULL: `map` */
	const sw_type *sums; /* that says what is still to be summed then */
	const int64_t *map, *tile;
	int64_t *held_at, *needed_at; /* the slot of each device in the end, and in `to`; NULL: its number */
	int rank;
} ending;

static void ending_offset(const ending *e, int64_t slot, int64_t *offset)
{
	if (e->type)
		sw_type_offset(e->mesh, e->type, slot, offset);
	else
		memcpy(offset, e->map + slot * e->rank, sizeof(*offset) * (size_t)e->rank);
}

/* What the device holds, and what it needs. */
static void ending_offsets(const ending *e, int64_t device, int64_t *holds, int64_t *needs)
{
	ending_offset(e, e->held_at ? e->held_at[device] : device, holds);
	sw_type_offset(e->mesh, &e->plan->problem.to, e->needed_at ? e->needed_at[device] : device, needs);
}

/* The term of the value that the device holds; -1 - terms: it is one of so many others. */
static int64_t ending_term(const ending *e, const sw_type *type, const int64_t *slots, int64_t device)
{
	if (sw_type_terms(e->sums) != sw_type_terms(&e->plan->problem.to))
		return -sw_type_terms(type);
	return sw_type_term(e->mesh, type, slots ? slots[device] : device);
}

static bool ending_differs(const ending *e, int64_t device)
{
	int64_t holds[SW_MAX_DIMS], needs[SW_MAX_DIMS];
	size_t size = sizeof(*holds) * (size_t)e->rank;
	ending_offsets(e, device, holds, needs);
	if (ending_term(e, e->sums, e->held_at, device) != ending_term(e, &e->plan->problem.to, e->needed_at, device))
		return true;
	return memcmp(holds, needs, size) != 0 || memcmp(e->tile, e->plan->problem.to.tile, size) != 0;
}

/* The least device at which a digit of the type begins or ends and that differs, where that is less than `least`. */
static int64_t ending_strides(const ending *e, const sw_type *type, int64_t least)
{
	sw_digit digit[SW_MAX_PARTS];
	int count = sw_digits_of_type(e->mesh, type, digit);
	for (int i = 0; i < count; i++) {
		int64_t ends[] = {digit[i].stride, digit[i].stride * digit[i].size};
		for (int k = 0; k < 2; k++)
			if (ends[k] < e->mesh->devices && (least < 0 || ends[k] < least) && ending_differs(e, ends[k]))
				least = ends[k];
	}
	return least;
}

/* The first device that differs; -1: none.  Of very many devices two types tell it by their digits. */
static int64_t ending_first(const ending *e)
{
	if (ending_differs(e, 0))
		return 0;
	if (e->mesh->devices > SW_MAX_MAP_DEVICES)
		return e->type ? ending_strides(e, &e->plan->problem.to, ending_strides(e, e->type, -1)) : -1;
	for (int64_t d = 1; d < e->mesh->devices; d++)
		if (ending_differs(e, d))
			return d;
	return -1;
}

/* ---- in words ---- */

/* `[0:2, 4:8]`, without padding. */
static void say_tile(const sw_type *to, const int64_t *offset, const int64_t *tile, sw_text *text)
{
	sw_text_add_char(text, '[');
	for (int i = 0; i < to->rank; i++) {
		int64_t real = sw_type_size(to, i), end = offset[i] + tile[i];
		int64_t first = offset[i] < real ? offset[i] : real;
		sw_text_addf(text, "%s%" PRId64 ":%" PRId64, i ? ", " : "", first, end < real ? end : real);
	}
	sw_text_add_char(text, ']');
}

static void say_end(const ending *e, sw_text *text)
{
	if (e->type)
		sw_type_print(e->mesh, e->type, false, text);
	if (e->type && text->length <= TYPE_ROOM)
		return;
	sw_text_clear(text);
	sw_text_add(text, "tiles of ");
	sw_type_print_tile(e->tile, e->rank, text);
}

static bool ending_expect(const ending *e, int64_t device, const int64_t *holds, const int64_t *needs, sw_diag *diag)
{
	const sw_type *to = &e->plan->problem.to;
	sw_text held = {0}, needed = {0};
	bool shaped = memcmp(e->tile, to->tile, sizeof(*e->tile) * (size_t)e->rank) == 0;
	sw_type_print_tile(holds, e->rank, &held);
	sw_type_print_tile(needs, e->rank, &needed);
	if (shaped && sw_type_terms(e->sums) == sw_type_terms(to)) {
		sw_diag_expected(diag, "the tile at %s on device %" PRId64, sw_text_get(&needed), device);
		sw_diag_found(diag, "the tile at %s", sw_text_get(&held));
	}
	sw_text_free(&held);
	sw_text_clear(&needed);
	sw_type_print(e->mesh, to, false, &needed);
	if (!shaped || sw_type_terms(e->sums) != sw_type_terms(to))
		sw_diag_expected(diag, "%s", sw_text_get(&needed));
	sw_text_free(&needed);
	return false;
}

static bool ending_refuse(const ending *e, int64_t device, sw_diag *diag)
{
	const sw_type *to = &e->plan->problem.to;
	int64_t offset[SW_MAX_DIMS], needed[SW_MAX_DIMS];
	sw_text end = {0}, holds = {0}, needs = {0};
	ending_offsets(e, device, offset, needed);
	say_end(e, &end);
	say_tile(to, offset, e->tile, &holds);
	say_tile(to, needed, to->tile, &needs);
	if (memcmp(offset, needed, sizeof(*offset) * (size_t)e->rank) == 0 &&
		sw_type_terms(e->sums) != sw_type_terms(to)) {
		sw_text_addf(&holds, ", one of %" PRId64 " terms", sw_type_terms(e->sums));
		sw_text_addf(&needs, ", one of %" PRId64 " terms", sw_type_terms(to));
	}
	sw_diag_set(diag, SW_P07, (sw_span){0, 0}, "ends on %s, not on `to`: device %" PRId64 " holds tile %s, needs %s",
		sw_text_get(&end), device, sw_text_get(&holds), sw_text_get(&needs));
	sw_text_free(&end);
	sw_text_free(&holds);
	sw_text_free(&needs);
	return ending_expect(e, device, offset, needed, diag);
}

/* ---- the whole ---- */

static int64_t *ending_places(const int64_t *devices, int64_t count, sw_arena *arena)
{
	int64_t *slot = SW_NEW(arena, int64_t, count);
	for (int64_t p = 0; slot && p < count; p++)
		slot[devices[p]] = p;
	return slot;
}

static bool ending_orders(ending *e, sw_arena *arena)
{
	const int64_t *held = sw_plan_order(e->plan, e->plan->program.steps),
				  *needed = sw_problem_to_order(&e->plan->problem);
	int64_t count = e->mesh->devices;
	e->held_at = held ? ending_places(held, count, arena) : NULL;
	e->needed_at = needed ? ending_places(needed, count, arena) : NULL;
	return (e->held_at || !held) && (e->needed_at || !needed);
}

/* Of which one end is no tile type. */
static bool between_reaches(const sw_plan *plan, sw_diag *diag)
{
	int steps = plan->program.steps;
	const sw_value *last = &plan->program.value[steps];
	sw_arena *arena = sw_arena_new();
	sw_holding ends[2], held;
	bool known = arena && sw_problem_holdings(&plan->problem, arena, &ends[0], &ends[1]) &&
		sw_holding_of_any(&plan->problem.mesh, last->type, last->words, sw_plan_order(plan, steps), arena, &held);
	bool reaches = known && sw_holding_equal(&held, &ends[1]);
	sw_arena_free(arena);
	if (!known)
		return sw_diag_memory(diag);
	return reaches || sw_diag_set(diag, SW_P07, (sw_span){0, 0}, "devices do not end with the parts of `to`");
}

bool sw_plan_reaches(const sw_plan *plan, sw_diag *diag)
{
	if (sw_problem_has_words(&plan->problem))
		return between_reaches(plan, diag);
	ending e = {.plan = plan,
		.mesh = &plan->problem.mesh,
		.rank = plan->problem.from.rank,
		.type = plan->program.value[plan->program.steps].type,
		.sums = sw_plan_sums_before(plan, plan->program.steps),
		.tile = plan->program.value[plan->program.steps].tile};
	if (plan->program.value[plan->program.steps].pieces)
		return sw_diag_set(diag, SW_P07, (sw_span){0, 0}, "ends with something that is not a type, not on `to`");
	if (!e.type)
		e.map = plan->program.value[plan->program.steps].map;
	if (e.type && !sw_problem_ordered(&plan->problem) && sw_type_same_map(e.mesh, e.type, &plan->problem.to))
		return true;
	sw_arena *arena = sw_arena_new();
	if (!arena || !ending_orders(&e, arena)) {
		sw_arena_free(arena);
		return sw_diag_memory(diag);
	}
	int64_t device = ending_first(&e);
	bool reaches = device < 0 || ending_refuse(&e, device, diag);
	sw_arena_free(arena);
	return reaches;
}
