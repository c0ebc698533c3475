/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the messages of a schedule to the inputs in which they begin.
 */
#include "places.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/local.h>
#include <shardwalk/schedule_program.h>

/* What comes to a rank in a step: the only move, or that there are more. */
typedef struct source {
	int moves, from, value;
	int64_t elements;
} source;

typedef struct finding {
	const sw_program *program;
	const ex_team *team;
	sw_arena *arena, *brief;
	ex_places *places;
	bool *copied; /* values that are not read in place */
	bool changed; /* one more is copied, and what it begins in, too */
	int s;
	source *source; /* of each rank, in step `s` */
	int64_t crossing;
} finding;

static bool add_move(void *user, const sw_iteration_move *move)
{
	finding *f = user;
	source *source = &f->source[move->to];
	source->moves++;
	source->from = (int)move->from;
	source->value = f->program->step[f->s].operand[move->operand];
	source->elements += move->loops->elements;
	f->crossing += move->from != move->to;
	if (f->copied[sw_program_value_of(f->program, f->s)] && source->value >= f->program->inputs &&
		!f->copied[source->value]) {
		f->copied[source->value] = f->changed = true;
	}
	return true;
}

/* The box that a rank has of a value, which it has to be. */
static bool box_of(const sw_region *region, int64_t *low, int64_t *size)
{
	if (region->count != 1)
		return false;
	for (int d = 0; d < region->rank; d++) {
		const sw_indices *set = &region->set[d];
		if (set->count != 1 || set->family[0].count != 1)
			return false;
		low[d] = set->family[0].first;
		size[d] = set->family[0].run;
	}
	return true;
}

/* Looks for a box in what a rank has of an input. */
static bool place_in(const finding *f, int rank, int input, const sw_region *region, ex_reading *place)
{
	int64_t low[SW_MAX_DIMS] = {0};
	sw_local local;
	*place = (ex_reading){.rank = rank, .input = input, .dims = region->rank, .any = true};
	if (region->rank == 0 || !box_of(region, low, place->size) ||
		!sw_program_local(f->program, input, rank, f->brief, &local))
		return false;
	place->at = sw_local_index(&local, low);
	for (int d = 0; place->at >= 0 && d < region->rank; d++) {
		int64_t first;
		place->step[d] = 1;
		if (place->size[d] > 1 && !sw_local_line(&local, low, d, 1, place->size[d], &first, &place->step[d]))
			return false;
	}
	return place->at >= 0 && place->step[region->rank - 1] == 1;
}

/* Where a rank finds what it would be sent. */
static bool find_place(const finding *f, int rank, int value, ex_reading *place)
{
	const source *source = &f->source[rank];
	sw_holding holding;
	sw_region region;
	*place = (ex_reading){.any = false};
	if (!sw_program_holding(f->program, value, f->brief, &holding) ||
		!sw_holding_region(&holding, rank, f->brief, &region))
		return false;
	if (region.count == 0)
		return true;
	if (source->moves != 1 || source->elements != sw_region_size(&region))
		return false;
	int from = source->from, input = source->value;
	if (input >= f->program->inputs) {
		const ex_reading *before = f->places->of[input] ? &f->places->of[input][from] : NULL;
		if (!before || !before->any)
			return false;
		from = before->rank;
		input = before->input;
	}
	return f->team->host_of[from] == f->team->host_of[rank] && place_in(f, from, input, &region, place);
}

/* On all ranks, or on none. */
static bool find_places(finding *f, int value)
{
	int64_t ranks = f->program->mesh.devices;
	ex_reading *place = SW_NEW_ZERO(f->arena, ex_reading, ranks);
	bool all = place != NULL, copied = f->copied[value];
	for (int64_t r = 0; all && !f->copied[value] && r < ranks; r++)
		f->copied[value] = !find_place(f, (int)r, value, &place[r]);
	f->changed |= f->copied[value] != copied;
	if (all && !f->copied[value]) {
		f->places->of[value] = place;
		f->places->in_place += f->crossing;
	}
	return all;
}

static bool take_step(finding *f, int s, ex_fault *fault)
{
	sw_diag diag = {0};
	int value = sw_program_value_of(f->program, s);
	f->s = s;
	f->crossing = 0;
	memset(f->source, 0, (size_t)f->program->mesh.devices * sizeof *f->source);
	if (!sw_program_each_move(f->program, s, f->brief, add_move, f, &diag))
		return diag.code ? ex_fault_of(fault, &diag) : ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	f->places->messages += f->crossing;
	bool fetches = sw_step_does(&f->program->step[s], SW_DOES_FETCH);
	bool found = !fetches || find_places(f, value);
	sw_arena_clear(f->brief);
	return found || ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
}

/* A value that is copied may begin in one that was read in place until now: then that is copied, too. */
static bool take_steps(finding *f, ex_fault *fault)
{
	bool taken = true;
	f->changed = false;
	f->places->messages = f->places->in_place = 0;
	memset(f->places->of, 0, (size_t)f->program->values * sizeof *f->places->of);
	for (int s = 0; taken && s < f->program->steps; s++)
		taken = !sw_program_sends(f->program, s) || take_step(f, s, fault);
	return taken;
}

bool ex_places_find(const sw_program *program, const ex_team *team, bool off, sw_arena *arena, ex_places *places,
	ex_fault *fault)
{
	finding f = {.program = program, .team = team, .arena = arena, .brief = sw_arena_new(), .places = places};
	assert(off || program->mesh.devices == team->ranks);
	*places = (ex_places){.of = SW_NEW_ZERO(arena, ex_reading *, program->values + 1)};
	f.copied = SW_NEW_ZERO(arena, bool, program->values + 1);
	f.source = SW_NEW(arena, source, program->mesh.devices);
	bool done = (f.brief && places->of && f.copied && f.source) ||
		ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	for (int v = 0; done && v < program->values; v++)
		f.copied[v] = off || sw_program_repeats(program);
	do
		done = done && take_steps(&f, fault);
	while (done && f.changed);
	sw_arena_free(f.brief);
	return done;
}
