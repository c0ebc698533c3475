/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs on virtual devices in this process.
 *
 * Devices hold real tiles of real elements.  A redistribution moves boxes exactly as the transfers of its plan say; everything else each
 * device computes from its own tiles.  After every step what all devices hold is compared with the whole arrays.
 */
#include <shardwalk/simulate.h>

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/schedule_program.h>
#include <shardwalk/transfers.h>

#include "plan/devices.h"

#define DEFAULT_MEMORY ((int64_t)1 << 30)

typedef struct simulation {
	const sw_program *program;
	const sw_simulate_options *options;
	sw_arena *arena;
	sw_data data;
	sw_reference whole;
	sw_simulated *result;
	sw_diag *diag;
	sw_held *held; /* of each value */
	int compared;  /* the value that is just compared */
} simulation;

/* ---- memory ---- */

static bool tiles_of_all(const sw_program *program, int64_t tile, int64_t *bytes)
{
	return sw_mul(tile, program->mesh.devices, bytes);
}

/* What a redistribution holds beside the values of the program: the most of two neighbouring tiles on the way. */
static bool on_the_way(const sw_program *program, int s, int64_t *most)
{
	const sw_step *step = &program->step[s];
	int64_t size = sw_dtype_bytes(program->value[sw_program_value_of(program, s)].type->dtype), before = 0, bytes;
	*most = 0;
	for (int k = 0; step->inside && k + 1 < step->inside->program.steps; k++) {
		if (!sw_mul(step->inside->program.value[k + 1].localsize, size, &bytes) ||
			!tiles_of_all(program, bytes, &bytes))
			return false;
		*most = sw_larger(*most, before + bytes);
		before = bytes;
	}
	return true;
}

int64_t sw_simulate_bytes(const sw_program *program)
{
	int64_t whole = sw_reference_bytes(program), most = 0, total;
	for (int s = -1; s < program->steps; s++) {
		int64_t sum = 0, bytes = 0, room = s >= 0 ? sw_compute_room(program, s) : 0;
		if (s >= 0 && !on_the_way(program, s, &sum))
			return -1;
		for (int i = 0; i < program->values; i++) {
			const sw_value *value = &program->value[i];
			bool there = sw_program_maker(program, i) <= s && (value->last >= s || s < 0);
			if (there && (!tiles_of_all(program, value->bytes, &bytes) || !sw_add(sum, bytes, &sum)))
				return -1;
		}
		if (!sw_add(sum, room, &sum))
			return -1;
		most = sw_larger(most, sum);
	}
	return whole < 0 || !sw_add(whole, most, &total) ? -1 : total;
}

static bool allowed(simulation *s)
{
	int64_t memory = s->options && s->options->memory ? s->options->memory : DEFAULT_MEMORY;
	int64_t bytes = s->result->bytes = sw_simulate_bytes(s->program);
	sw_text needs = {0}, has = {0};
	if (bytes >= 0 && bytes <= memory)
		return true;
	if (bytes >= 0)
		sw_print_bytes(&needs, bytes);
	sw_print_bytes(&has, memory);
	sw_diag_set(s->diag, SW_E01, (sw_span){0, 0}, "the program needs %s on %lld virtual devices, but may use %s",
		bytes < 0 ? "more than can be counted" : sw_text_get(&needs), (long long)s->program->mesh.devices,
		sw_text_get(&has));
	sw_diag_hint(s->diag, "`set memory SIZE` allows more; smaller sizes on the same mesh take the same steps");
	sw_text_free(&needs);
	sw_text_free(&has);
	return false;
}

/* Tiles of all devices, all 0. */
static bool new_tiles(const simulation *s, int value)
{
	sw_held *held = &s->held[value];
	held->data = calloc((size_t)s->program->mesh.devices, (size_t)s->program->value[value].bytes + 1);
	return held->data || sw_diag_memory(s->diag);
}

/* ---- what is no tile ---- */

/* Elements of the whole array, and where a device stores them, or the other way. */
typedef struct passing {
	sw_dtype dtype;
	char *whole, *stored;
	bool adds; /* from what is stored to the whole array; else out of it */
} passing;

static bool pass_loops(void *user, const sw_loops *loops)
{
	const passing *p = user;
	sw_loops_move(p->dtype, p->adds ? p->whole : p->stored, p->adds ? p->stored : p->whole, loops, p->adds);
	return true;
}

/* All that a device has of a value. */
static bool pass(const sw_program *program, int value, int64_t device, passing *p)
{
	sw_arena *arena = sw_arena_new();
	const sw_type *type = program->value[value].type;
	sw_holding holding;
	sw_region region;
	sw_local whole, local;
	bool done = arena && sw_program_holding(program, value, arena, &holding) &&
		sw_holding_region(&holding, device, arena, &region) && sw_local_of(&region, arena, &local) &&
		sw_local_whole(type->rank, type->global, arena, &whole) &&
		sw_local_loops(&region, p->adds ? &local : &whole, p->adds ? &whole : &local, arena, pass_loops, p);
	sw_arena_free(arena);
	return done;
}

bool sw_reference_store(const sw_reference *whole, int value, int64_t device, void *out)
{
	const sw_program *program = whole->data->program;
	passing p = {program->value[value].type->dtype, whole->array[value], out, false};
	return pass(program, value, device, &p);
}

/* What a device has is as a tile of one dimension, as large as the largest one. */
static bool lay_stored(const simulation *s, int value)
{
	sw_held *held = &s->held[value];
	sw_arena *arena = sw_arena_new();
	int64_t *tile = arena ? SW_NEW_ZERO(arena, int64_t, 1) : NULL;
	int64_t *at = tile ? SW_NEW_ZERO(arena, int64_t, s->program->mesh.devices) : NULL;
	*held = (sw_held){.arena = arena, .dtype = s->data.dtype};
	if (!at)
		return sw_diag_memory(s->diag);
	*tile = held->size = s->program->value[value].localsize;
	held->tiles = (sw_tiles){1, s->program->mesh.devices, tile, tile, at, 1, NULL, NULL, NULL};
	return true;
}

/* Which tile and which term every device has of a value. */
static bool lay(const simulation *s, int value)
{
	if (s->program->value[value].words)
		return lay_stored(s, value);

	const sw_mesh *mesh = &s->program->mesh;
	const sw_type *type = s->program->value[value].type;
	sw_arena *arena = sw_arena_new();
	int64_t *at = arena ? SW_NEW(arena, int64_t, mesh->devices * type->rank) : NULL;
	int32_t *term = at ? SW_NEW(arena, int32_t, mesh->devices) : NULL;
	s->held[value] = (sw_held){.arena = arena,
		.tiles = {type->rank, mesh->devices, type->global, type->tile, at, sw_type_terms(type), term, NULL, NULL},
		.dtype = s->data.dtype,
		.size = sw_type_localsize(type)};
	if (!term)
		return sw_diag_memory(s->diag);
	for (int64_t slot = 0; slot < mesh->devices; slot++) {
		int64_t device = sw_device_at(mesh->order, slot);
		sw_type_offset(mesh, type, slot, at + device * type->rank);
		term[device] = (int32_t)sw_type_term(mesh, type, slot);
	}
	return true;
}

static bool beat(const simulation *s, int step)
{
	const sw_pulse *pulse = s->options ? s->options->pulse : NULL;
	if (sw_pulse_beat(pulse, "steps", step + 1, s->program->steps + 1))
		return true;
	return sw_diag_set(s->diag, SW_S03, (sw_span){0, 0}, "stopped before step %d of %d", step + 1, s->program->steps);
}

/* ---- redistributing ---- */

static char *move_step(const simulation *s, const sw_plan *plan, int k, const char *from)
{
	sw_arena_mark mark = sw_arena_here(s->arena);
	const sw_transfers *transfers = sw_plan_transfers(plan, k, s->arena, s->diag);
	char *to = transfers ? sw_devices_step(transfers, s->data.dtype, from, NULL, NULL, s->diag) : NULL;
	sw_arena_back(s->arena, mark);
	return to;
}

static bool redistribute(const simulation *s, int at)
{
	const sw_plan *plan = s->program->step[at].inside;
	int result = sw_program_value_of(s->program, at);
	const sw_held *operand = &s->held[s->program->step[at].operand[0]];
	char **held = &s->held[result].data, *before;
	if (plan->program.steps == 0 && new_tiles(s, result))
		memcpy(*held, operand->data, (size_t)(s->program->value[result].bytes * plan->problem.mesh.devices));
	for (int k = 0; k < plan->program.steps && (k == 0 || *held); k++) {
		before = *held;
		*held = move_step(s, plan, k, before ? before : operand->data);
		free(before);
	}
	return *held;
}

/* ---- steps ---- */

static bool compute(simulation *s, int at)
{
	const sw_step *step = &s->program->step[at];
	int result = sw_program_value_of(s->program, at);
	const void *operand[SW_MAX_OPERANDS];
	void *room = malloc((size_t)sw_compute_room(s->program, at) + 1);
	bool ok = new_tiles(s, result) && room;
	for (int64_t d = 0; ok && d < s->program->mesh.devices; d++) {
		for (int i = 0; i < step->operands; i++)
			operand[i] = sw_held_by(&s->held[step->operand[i]], d);
		ok = sw_compute(s->program, at, operand, sw_held_by(&s->held[result], d), room, &sw_plain_multiplier, d);
	}
	free(room);
	return ok || sw_diag_memory(s->diag);
}

/* Elements that devices take from what others store. */
typedef struct taking {
	const simulation *s;
	int at;
	bool adds;
} taking;

static bool take(void *user, const sw_iteration_move *move)
{
	const taking *t = user;
	const sw_step *step = &t->s->program->step[t->at];
	const sw_held *from = &t->s->held[step->operand[move->operand]];
	sw_loops_move(t->s->data.dtype, sw_held_by(&t->s->held[sw_program_value_of(t->s->program, t->at)], move->to),
		sw_held_by(from, move->from), move->loops, t->adds);
	return true;
}

static bool send(const simulation *s, int at)
{
	taking t = {s, at, sw_program_sends_terms(s->program, at)};
	sw_arena_mark mark = sw_arena_here(s->arena);
	bool sent = sw_program_each_move(s->program, at, s->arena, take, &t, s->diag);
	sw_arena_back(s->arena, mark);
	return sent;
}

static bool fill_inputs(simulation *s)
{
	for (int i = 0; i < s->program->inputs; i++) {
		const sw_type *type = s->program->value[i].type;
		const sw_held *held = &s->held[i];
		bool stored = s->program->value[i].words;
		if (!lay(s, i) || !new_tiles(s, i))
			return false;
		sw_reference_input(&s->whole, i, 0, 1);
		for (int64_t d = 0; d < held->tiles.devices; d++)
			if (!stored)
				sw_data_fill(&s->data, i, held->tiles.at + d * type->rank, type->tile, sw_held_term(held, d),
					sw_held_by(held, d));
			else if (!sw_data_store(&s->data, i, d, sw_held_by(held, d)))
				return sw_diag_memory(s->diag);
	}
	return true;
}

/* ---- comparing ---- */

/* Which element it is that a device stores there. */
static void tell_index(const simulation *s, const sw_difference *wrong, int64_t *index)
{
	sw_arena *arena = sw_arena_new();
	sw_local local;
	if (arena && sw_program_local(s->program, s->compared, wrong->device, arena, &local))
		sw_local_element(&local, wrong->at, index, NULL);
	sw_arena_free(arena);
}

static void wrong(const simulation *s, const sw_difference *wrong)
{
	sw_simulated *result = s->result;
	const sw_tiles *tiles = &s->held[s->compared].tiles;
	int64_t at = wrong->at;
	result->right = false;
	result->wrong.step = sw_program_maker(s->program, s->compared);
	result->wrong.value = s->compared;
	result->wrong.device = wrong->device;
	result->wrong.expected = sw_element(s->data.dtype, &wrong->right, 0);
	result->wrong.found = sw_element(s->data.dtype, &wrong->found, 0);
	if (s->program->value[s->compared].words)
		tell_index(s, wrong, result->wrong.index);
	for (int i = tiles->rank - 1; i >= 0 && !s->program->value[s->compared].words; i--) {
		result->wrong.index[i] = tiles->at[wrong->device * tiles->rank + i] + at % tiles->tile[i];
		at /= tiles->tile[i];
	}
}

/* The tile of a device as it is in the whole array. */
static bool right_tile(void *user, const sw_tile_part *part, void *out)
{
	const simulation *s = user;
	const sw_tiles *tiles = &s->held[s->compared].tiles;
	if (s->program->value[s->compared].words) {
		memset(out, 0, (size_t)s->program->value[s->compared].bytes);
		return sw_reference_store(&s->whole, s->compared, part->device, out) || sw_diag_memory(s->diag);
	}
	sw_reference_cut(s->program->value[s->compared].type, s->whole.array[s->compared],
		tiles->at + part->device * tiles->rank, out);
	return true;
}

/* Behind what a device has its tile is 0. */
static bool clear_rests(const simulation *s, int value, sw_holding *holding, sw_arena *arena)
{
	const sw_held *held = &s->held[value];
	int64_t bytes = sw_dtype_bytes(held->dtype);
	bool done = sw_program_holding(s->program, value, arena, holding);
	for (int64_t d = 0; done && d < holding->devices; d++) {
		int64_t size = sw_holding_size(holding, d);
		done = size >= 0;
		if (done)
			memset(sw_held_by(held, d) + size * bytes, 0, (size_t)((held->size - size) * bytes));
	}
	return done;
}

/* What all devices have is put together, term by term, and each has its part of that. */
static bool add_terms(const simulation *s, int value, sw_held *sums)
{
	const sw_held *held = &s->held[value];
	const sw_type *type = s->program->value[value].type;
	char *whole = calloc((size_t)sw_type_globalsize(type), (size_t)sw_dtype_bytes(type->dtype));
	bool done = whole && sums->data;
	for (int64_t d = 0; done && d < held->tiles.devices; d++)
		done = pass(s->program, value, d, &(passing){held->dtype, whole, sw_held_by(held, d), true});
	for (int64_t d = 0; done && d < held->tiles.devices; d++)
		done = pass(s->program, value, d, &(passing){held->dtype, whole, sw_held_by(sums, d), false});
	free(whole);
	return done;
}

static bool compare_held(simulation *s, int value, const sw_held *held);

/* What is no tile; where devices have terms, their sums. */
static bool compare_stored(simulation *s, int value)
{
	sw_arena *arena = sw_arena_new();
	sw_held sums = s->held[value];
	sw_holding holding;
	bool done = arena && clear_rests(s, value, &holding, arena), adds = done && holding.terms > 1;
	sums.data = adds ? calloc((size_t)sums.tiles.devices, (size_t)s->program->value[value].bytes + 1) : NULL;
	done = (done && (!adds || add_terms(s, value, &sums))) || sw_diag_memory(s->diag);
	done = done && compare_held(s, value, adds ? &sums : &s->held[value]);
	free(sums.data);
	sw_arena_free(arena);
	return done;
}

/* false: it could not be done.  What is wrong is in the result. */
static bool compare(simulation *s, int value)
{
	return s->program->value[value].words ? compare_stored(s, value) : compare_held(s, value, &s->held[value]);
}

static bool compare_held(simulation *s, int value, const sw_held *held)
{
	double bound = 2 * s->whole.error[value];
	sw_comparison how = {held, s->program->mesh.order, held->size, right_tile, s, bound, &s->result->off};
	sw_difference found;
	s->compared = value;
	if (bound > s->result->bound)
		s->result->bound = bound;
	if (!sw_held_compare(&how, &found, s->diag))
		return false;
	if (found.device >= 0)
		wrong(s, &found);
	else
		s->result->compared += held->size * held->tiles.devices;
	return true;
}

/* ---- the whole ---- */

static void drop(simulation *s, int step)
{
	for (int i = 0; i < s->program->values; i++)
		if (s->program->value[i].last == step && (i >= s->program->inputs || !sw_program_repeats(s->program)))
			sw_held_free(&s->held[i]);
}

/* What a round brings is the first input of another one; `stays`: it is read elsewhere, too. */
static bool begin_again(const simulation *s, bool stays)
{
	int brings = sw_program_brings(s->program);
	sw_held *first = &s->held[0], *last = &s->held[brings];
	sw_reference_again(&s->whole, 0, 1);
	if (first == last)
		return true;
	free(first->data);
	first->data = stays ? NULL : last->data;
	if (stays && !new_tiles(s, 0))
		return false;
	if (stays)
		memcpy(first->data, last->data, (size_t)(s->program->mesh.devices * s->program->value[brings].bytes));
	else
		last->data = NULL;
	if (!stays)
		sw_held_free(last);
	return true;
}

static bool run_step(simulation *s, int k)
{
	int result = sw_program_value_of(s->program, k);
	sw_held_free(&s->held[result]);
	if (!beat(s, k) || !lay(s, result))
		return false;
	bool ok = s->program->step[k].inside ? redistribute(s, k) : compute(s, k);
	ok = ok && (!sw_program_sends(s->program, k) || send(s, k));
	if (!ok || !sw_reference_step(&s->whole, k, 0, 1))
		return ok && sw_diag_memory(s->diag);
	if (!sw_program_partial(s->program, k)) {
		sw_reference_error(&s->whole, result);
		if (!compare(s, result))
			return false;
	}
	drop(s, k);
	return true;
}

/* Steps from one to another; `again`: what is constant is there. */
static bool run_steps(simulation *s, int from, int to, bool again)
{
	bool ok = true;
	for (int k = from; ok && s->result->right && k < to; k++)
		ok = (again && s->program->value[sw_program_value_of(s->program, k)].constant) || run_step(s, k);
	return ok;
}

static bool run_round(simulation *s, int64_t round)
{
	const sw_program *program = s->program;
	const sw_value *brings = &program->value[sw_program_brings(program)];
	bool last = round + 1 >= program->rounds;
	return run_steps(s, 0, sw_program_loop(program), round > 0) &&
		(!sw_program_goes_on(program, round) || !s->result->right || begin_again(s, last || brings->constant) ||
			sw_diag_memory(s->diag));
}

/* Of what is right, as what all devices have was found to be. */
static void add_up(const simulation *s)
{
	s->result->summed = s->result->right && s->data.array != NULL;
	if (s->result->summed)
		s->result->checksum = sw_reference_checksum(&s->whole);
}

static bool run(simulation *s)
{
	bool ok = fill_inputs(s);
	for (int i = 0; ok && s->result->right && i < s->program->inputs; i++)
		ok = compare(s, i);
	for (int64_t round = 0; ok && s->result->right && (round == 0 || round < s->program->rounds); round++)
		ok = run_round(s, round);
	if (s->program->loop > 0)
		ok = ok && run_steps(s, s->program->loop, s->program->steps, false);
	if (ok)
		add_up(s);
	for (int i = 0; i < s->program->values; i++)
		sw_held_free(&s->held[i]);
	return ok;
}

bool sw_simulate(const sw_program *program, const sw_simulate_options *options, sw_simulated *result, sw_diag *diag)
{
	simulation s = {program, options, sw_arena_new(), {0}, {0}, result, diag, NULL, 0};
	void *memory = NULL;
	*result = (sw_simulated){.right = true};
	bool ok = s.arena ? sw_data_make(program, s.arena, &s.data, diag) && allowed(&s) : sw_diag_memory(diag);
	if (ok) {
		memory = malloc((size_t)sw_reference_bytes(program) + 64);
		s.held = SW_NEW_ZERO(s.arena, sw_held, program->values + 1);
		ok = memory && s.held ? sw_reference_make(&s.data, memory, s.arena, &s.whole, diag) : sw_diag_memory(diag);
	}
	result->exact = ok && s.data.exact;
	ok = ok && run(&s);
	free(memory);
	sw_arena_free(s.arena);
	return ok;
}
