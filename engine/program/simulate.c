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
#include <shardwalk/transfers.h>

#include "index/box.h"
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
	char **held; /* of each value: tiles, device after device */
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
	sw_diag_set(s->diag, SW_E01, (sw_span){0, 0}, "the program takes %s on %lld virtual devices, and may take %s",
		bytes < 0 ? "more than can be counted" : sw_text_get(&needs), (long long)s->program->mesh.devices,
		sw_text_get(&has));
	sw_diag_hint(s->diag, "`set memory SIZE` allows more; smaller sizes on the same mesh take the same steps");
	sw_text_free(&needs);
	sw_text_free(&has);
	return false;
}

/* Tiles of all devices; what nothing comes to is 0. */
static char *new_tiles(const simulation *s, int64_t tile)
{
	return calloc((size_t)s->program->mesh.devices, (size_t)(tile ? tile : 1));
}

static int64_t bytes_of(const simulation *s, int value)
{
	return s->program->value[value].bytes;
}

static int64_t device_in(const simulation *s, int64_t slot)
{
	return sw_device_at(s->program->mesh.order, slot);
}

static char *tile_on(const simulation *s, int value, int64_t device)
{
	return s->held[value] + device * bytes_of(s, value);
}

static bool beat(const simulation *s, int step)
{
	const sw_pulse *pulse = s->options ? s->options->pulse : NULL;
	if (sw_pulse_beat(pulse, "steps", step + 1, s->program->steps + 1))
		return true;
	return sw_diag_set(s->diag, SW_S03, (sw_span){0, 0}, "stopped before step %d of %d", step + 1, s->program->steps);
}

/* ---- redistributing ---- */

static int64_t tile_bytes(const sw_plan *plan, int k)
{
	int64_t bytes = sw_dtype_bytes(plan->problem.from.dtype);
	for (int i = 0; i < plan->problem.from.rank; i++)
		bytes *= plan->program.value[k].tile[i];
	return bytes;
}

/* One step of a plan, from tiles to tiles. */
static bool move_step(const simulation *s, const sw_plan *plan, int k, char *from, char *to)
{
	sw_arena_mark mark = sw_arena_here(s->arena);
	const sw_transfers *transfers = sw_plan_transfers(plan, k, s->arena, s->diag);
	if (!transfers)
		return false;
	for (int64_t d = 0; d < plan->problem.mesh.devices; d++)
		sw_device_take(transfers, s->data.dtype, d, from, to);
	sw_arena_back(s->arena, mark);
	return true;
}

static bool redistribute(simulation *s, int at)
{
	const sw_plan *plan = s->program->step[at].inside;
	int result = sw_program_value_of(s->program, at);
	char *held = s->held[s->program->step[at].operand[0]], *next = NULL;
	bool own = false, ok = true; /* own: `held` is one on the way */
	for (int k = 0; ok && k < plan->program.steps; k++) {
		next = new_tiles(s, tile_bytes(plan, k + 1));
		ok = next ? move_step(s, plan, k, held, next) : sw_diag_memory(s->diag);
		if (own)
			free(held);
		held = next;
		own = true;
	}
	if (own) {
		s->held[result] = held;
		return ok;
	}
	s->held[result] = new_tiles(s, bytes_of(s, result));
	if (!s->held[result])
		return sw_diag_memory(s->diag);
	memcpy(s->held[result], held, (size_t)(bytes_of(s, result) * plan->problem.mesh.devices));
	return true;
}

/* ---- steps ---- */

static bool compute(simulation *s, int at)
{
	const sw_step *step = &s->program->step[at];
	int result = sw_program_value_of(s->program, at);
	const void *operand[SW_MAX_OPERANDS];
	void *room = malloc((size_t)sw_compute_room(s->program, at) + 1);
	s->held[result] = new_tiles(s, bytes_of(s, result));
	bool ok = room && s->held[result];
	for (int64_t d = 0; ok && d < s->program->mesh.devices; d++) {
		for (int i = 0; i < step->operands; i++)
			operand[i] = tile_on(s, step->operand[i], d);
		sw_compute(s->program, at, operand, tile_on(s, result, d), room, &sw_plain_multiplier);
	}
	free(room);
	return ok || sw_diag_memory(s->diag);
}

static bool fill_inputs(simulation *s)
{
	const sw_mesh *mesh = &s->program->mesh;
	int64_t offset[SW_MAX_DIMS];
	for (int i = 0; i < s->program->inputs; i++) {
		const sw_type *type = s->program->value[i].type;
		s->held[i] = new_tiles(s, bytes_of(s, i));
		if (!s->held[i])
			return sw_diag_memory(s->diag);
		for (int64_t slot = 0; slot < mesh->devices; slot++) {
			sw_type_offset(mesh, type, slot, offset);
			sw_data_fill(&s->data, i, offset, type->tile, sw_type_term(mesh, type, slot),
				tile_on(s, i, device_in(s, slot)));
		}
		sw_reference_input(&s->whole, i, 0, 1);
	}
	return true;
}

/* ---- comparing ---- */

typedef struct comparison {
	const simulation *s;
	int value;
	const sw_type *type;
	char *right;    /* a tile of the whole array */
	char *sum;      /* the terms seen so far of each tile */
	int64_t *first; /* the slot in which a term of a tile was first seen, -1: in none */
	int64_t terms, tiles;
} comparison;

static bool wrong(const comparison *c, int64_t slot, const int64_t *offset, int64_t at, const void *found)
{
	simulation *s = (simulation *)(uintptr_t)c->s;
	sw_simulated *result = s->result;
	result->right = false;
	result->wrong.step = sw_program_maker(s->program, c->value);
	result->wrong.value = c->value;
	result->wrong.device = device_in(s, slot);
	result->wrong.expected = sw_element(s->data.dtype, c->right, at);
	result->wrong.found = sw_element(s->data.dtype, found, at);
	for (int i = c->type->rank - 1; i >= 0; i--) {
		result->wrong.index[i] = offset[i] + at % c->type->tile[i];
		at /= c->type->tile[i];
	}
	return false;
}

static double bound_of(const comparison *c)
{
	return 2 * c->s->whole.error[c->value];
}

static bool compare_slot(const comparison *c, int64_t slot, const void *found)
{
	const simulation *s = c->s;
	int64_t offset[SW_MAX_DIMS];
	sw_type_offset(&s->program->mesh, c->type, slot, offset);
	sw_reference_cut(c->type, s->whole.array[c->value], offset, c->right);
	int64_t at = sw_compare(s->data.dtype, found, c->right, sw_type_localsize(c->type), bound_of(c), &s->result->off);
	return at < 0 || wrong(c, slot, offset, at, found);
}

static int64_t tile_number(const comparison *c, int64_t slot)
{
	int64_t offset[SW_MAX_DIMS];
	sw_type_offset(&c->s->program->mesh, c->type, slot, offset);
	return sw_tile_number(c->type->rank, c->type->global, c->type->tile, offset);
}

/* Copies of a term are equal, and its first copy joins the sum. */
static bool compare_copy(comparison *c, int64_t slot)
{
	const simulation *s = c->s;
	int64_t bytes = bytes_of(s, c->value), number = tile_number(c, slot), offset[SW_MAX_DIMS];
	int64_t *first = &c->first[number * c->terms + sw_type_term(&s->program->mesh, c->type, slot)];
	const char *tile = tile_on(s, c->value, device_in(s, slot));
	if (*first < 0) {
		*first = slot;
		sw_add_to(s->data.dtype, c->sum + number * bytes, tile, sw_type_localsize(c->type));
		return true;
	}
	memcpy(c->right, tile_on(s, c->value, device_in(s, *first)), (size_t)bytes);
	sw_type_offset(&s->program->mesh, c->type, slot, offset);
	int64_t at = sw_compare(s->data.dtype, tile, c->right, sw_type_localsize(c->type), bound_of(c), &s->result->off);
	return at < 0 || wrong(c, slot, offset, at, tile);
}

static bool compare_sums(comparison *c)
{
	int64_t devices = c->s->program->mesh.devices;
	bool right = true;
	for (int64_t slot = 0; right && slot < devices; slot++)
		right = compare_copy(c, slot);
	for (int64_t slot = 0; right && slot < devices; slot++) {
		int64_t number = tile_number(c, slot);
		if (c->first[number * c->terms] == slot)
			right = compare_slot(c, slot, c->sum + number * bytes_of(c->s, c->value));
	}
	return right;
}

static bool compare_whole(const comparison *c)
{
	bool right = true;
	for (int64_t slot = 0; right && slot < c->s->program->mesh.devices; slot++)
		right = compare_slot(c, slot, tile_on(c->s, c->value, device_in(c->s, slot)));
	return right;
}

/* false: it could not be done.  What is wrong is in the result. */
static bool compare(simulation *s, int value)
{
	const sw_type *type = s->program->value[value].type;
	comparison c = {.s = s, .value = value, .type = type, .terms = sw_type_terms(type)};
	c.tiles = sw_type_globalsize(type) / sw_type_localsize(type);
	c.right = malloc((size_t)bytes_of(s, value) + 1);
	bool ok = c.right;
	if (c.terms > 1) {
		c.sum = calloc((size_t)c.tiles, (size_t)bytes_of(s, value));
		c.first = malloc((size_t)(c.tiles * c.terms) * sizeof *c.first);
		ok = ok && c.sum && c.first;
		for (int64_t i = 0; ok && i < c.tiles * c.terms; i++)
			c.first[i] = -1;
	}
	if (bound_of(&c) > s->result->bound)
		s->result->bound = bound_of(&c);
	if (ok && (c.terms > 1 ? compare_sums(&c) : compare_whole(&c)))
		s->result->compared += sw_type_localsize(type) * s->program->mesh.devices;
	free(c.right);
	free(c.sum);
	free(c.first);
	return ok || sw_diag_memory(s->diag);
}

/* ---- the whole ---- */

static void drop(simulation *s, int step)
{
	for (int i = 0; i < s->program->values; i++)
		if (s->program->value[i].last == step) {
			free(s->held[i]);
			s->held[i] = NULL;
		}
}

static bool run_step(simulation *s, int k)
{
	int result = sw_program_value_of(s->program, k);
	if (!beat(s, k))
		return false;
	bool ok = s->program->step[k].inside ? redistribute(s, k) : compute(s, k);
	if (!ok || !sw_reference_step(&s->whole, k, 0, 1))
		return ok && sw_diag_memory(s->diag);
	sw_reference_error(&s->whole, result);
	if (!compare(s, result))
		return false;
	drop(s, k);
	return true;
}

static bool run(simulation *s)
{
	bool ok = fill_inputs(s);
	for (int i = 0; ok && s->result->right && i < s->program->inputs; i++)
		ok = compare(s, i);
	for (int k = 0; ok && s->result->right && k < s->program->steps; k++)
		ok = run_step(s, k);
	for (int i = 0; i < s->program->values; i++)
		free(s->held[i]);
	return ok;
}

bool sw_simulate(const sw_program *program, const sw_simulate_options *options, sw_simulated *result, sw_diag *diag)
{
	simulation s = {program, options, sw_arena_new(), {0}, {0}, result, diag, NULL};
	void *memory = NULL;
	*result = (sw_simulated){.right = true};
	bool ok = s.arena ? sw_data_make(program, s.arena, &s.data, diag) && allowed(&s) : sw_diag_memory(diag);
	if (ok) {
		memory = malloc((size_t)sw_reference_bytes(program) + 64);
		s.held = SW_NEW_ZERO(s.arena, char *, program->values + 1);
		ok = memory && s.held ? sw_reference_make(&s.data, memory, s.arena, &s.whole, diag) : sw_diag_memory(diag);
	}
	result->exact = ok && s.data.exact;
	ok = ok && run(&s);
	free(memory);
	sw_arena_free(s.arena);
	return ok;
}
