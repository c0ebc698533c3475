/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of C programs that no tile says: which elements devices store, and which they send.
 */
#include <assert.h>

#include <shardwalk/number.h>

#include "emit/program_c.h"
#include "plan/between.h"

/* ---- what there is ---- */

bool sw_c_moves_stored(const sw_c_writer *c, int s)
{
	const sw_plan *plan = c->program->step[s].inside;

	return plan != NULL && sw_problem_has_words(&plan->problem);
}

int64_t sw_c_terms(const sw_c_writer *c, int value)
{
	assert(value >= 0 && value < c->program->values);
	return sw_c_is_stored(c, value) ? c->stored[value].holding.terms : sw_type_terms(c->program->value[value].type);
}

/* What devices have of a value: of a plan, at one of its ends. */
static bool take_holding(const sw_c_writer *c, int v, sw_holding *holding)
{
	if (c->e->plan == NULL)
		return sw_program_holding(c->program, v, c->e->arena, holding);
	*holding = c->moved[0].between->end[v];
	return true;
}

/* How all devices store it. */
static bool take_value(sw_c_writer *c, int v)
{
	sw_c_stored *stored = &c->stored[v];
	const sw_emitter *e = c->e;
	sw_local *local = SW_NEW(e->arena, sw_local, e->devices);
	sw_region region;

	if (local == NULL || !take_holding(c, v, &stored->holding))
		return sw_diag_memory(e->diag);
	stored->local = local;
	for (int64_t d = 0; d < e->devices; d++) {
		if (!sw_holding_region(&stored->holding, d, e->arena, &region) || !sw_local_of(&region, e->arena, &local[d]))
			return sw_diag_memory(e->diag);
		c->large = c->large || sw_mpi_tile_is_large(&local[d].size, 1);
	}
	return true;
}

/* Sums are put together in whole arrays. */
static bool sums_large(const sw_c_writer *c, int v)
{
	const sw_type *type = c->program->value[v].type;

	return sw_c_terms(c, v) > 1 && sw_c_is_stored(c, v) && sw_mpi_tile_is_large(type->global, type->rank);
}

static bool take_moves(sw_c_writer *c, int s)
{
	const sw_plan *plan = c->program->step[s].inside;
	sw_c_moved *moved = &c->moved[s];

	moved->between = sw_between_of(&plan->problem, c->e->arena, c->e->diag);
	if (moved->between != NULL && plan->program.steps > 0)
		moved->transfers = sw_plan_transfers(plan, 0, c->e->arena, c->e->diag);
	return moved->between != NULL && (plan->program.steps == 0 || moved->transfers != NULL);
}

/* All that a device takes, or that all take of one, in a call. */
static bool take_large(sw_c_writer *c, int s)
{
	const sw_plan *plan = c->program->step[s].inside;
	int64_t taken, others, all;

	if (plan->program.steps == 0)
		return true;
	if (!sw_between_taken(c->moved[s].between, plan->program.step->rule, &taken, &others))
		return sw_diag_memory(c->e->diag);
	c->large = c->large || !sw_mul(taken, c->e->devices, &all) || all > INT32_MAX;
	return true;
}

bool sw_c_take_stored(sw_c_writer *c)
{
	const sw_program *p = c->program;

	c->stored = SW_NEW_ZERO(c->e->arena, sw_c_stored, p->values + 1);
	c->moved = SW_NEW_ZERO(c->e->arena, sw_c_moved, p->steps + 1);
	if (c->stored == NULL || c->moved == NULL)
		return sw_diag_memory(c->e->diag);
	for (int s = 0; s < p->steps; s++)
		if (sw_c_moves_stored(c, s) && (!take_moves(c, s) || !take_large(c, s)))
			return false;
	bool ends = c->e->plan != NULL && sw_problem_has_words(&c->e->plan->problem);
	for (int v = 0; v < p->values; v++)
		if ((p->value[v].words != NULL || ends) && !take_value(c, v))
			return false;
	c->large = c->large || sums_large(c, p->returned);
	return true;
}

/* ---- what it needs ---- */

/* The input that is moved and nothing else, where it is a sum of what no tile says. */
static bool moves_terms(const sw_c_writer *c)
{
	return !c->computes && sw_c_is_stored(c, 0) && sw_c_terms(c, 0) > 1;
}

void sw_c_needs_stored(sw_c_writer *c)
{
	for (int v = 0; v < c->program->values; v++)
		c->all |= sw_c_is_stored(c, v) ? SW_MPI_STORED : 0;
	for (int s = 0; s < c->program->steps; s++)
		c->all |= sw_c_moves_stored(c, s) ? SW_MPI_STORED | SW_MPI_SENT : 0;
	c->all |= moves_terms(c) ? SW_MPI_SOURCE_TERMS : 0;
}

/* ---- tables ---- */

/* Moves, and their loops, which all are in one list. */
typedef struct tables {
	const sw_c_writer *c;
	sw_text moves;
	int64_t device, loops;
} tables;

static void add_loops(tables *t, const sw_loops *loops)
{
	for (int i = 0; i < loops->loops; i++)
		sw_text_addf(t->c->e->text, "\t{%lld, %lld, %lld},\n", (long long)loops->count[i],
			(long long)loops->from_by[i], (long long)loops->into_by[i]);
	sw_text_add(t->c->e->text, "\t{0, 0, 0},\n");
	t->loops += loops->loops + 1;
}

static void add_move(tables *t, int64_t from, int64_t into, const sw_loops *loops)
{
	sw_text_addf(&t->moves, "\t{%lld, %lld, %lld, %lld, %lld},\n", (long long)from, (long long)into,
		(long long)loops->from, (long long)loops->into, (long long)t->loops);
	add_loops(t, loops);
}

static bool add_piece(void *user, const sw_loops *loops)
{
	tables *t = user;

	add_move(t, -1, t->device, loops);
	return true;
}

static void add_moves(tables *t, const sw_transfers *moved)
{
	sw_transfer transfer;

	for (int64_t d = 0; d < t->c->e->devices; d++)
		for (int64_t n = 0, all = sw_transfers_into(moved, d); n < all; n++)
			if (sw_transfers_get(moved, d, n, &transfer))
				add_move(t, transfer.from, d, transfer.loops);
}

/* What devices have of the whole array. */
static bool add_pieces(tables *t, int v)
{
	const sw_c_writer *c = t->c;
	const sw_type *type = c->program->value[v].type;
	sw_local whole;
	sw_region region;
	bool done = sw_local_whole(type->rank, type->global, c->e->arena, &whole);

	for (t->device = 0; done && t->device < c->e->devices; t->device++)
		done = sw_holding_region(&c->stored[v].holding, t->device, c->e->arena, &region) &&
			sw_local_loops(&region, &whole, &c->stored[v].local[t->device], c->e->arena, add_piece, t);
	return done || sw_diag_memory(c->e->diag);
}

/* Terms are those of the devices' numbers. */
static void add_numbers(sw_text *text, const sw_c_writer *c, int v, bool terms)
{
	const sw_c_stored *stored = &c->stored[v];

	sw_text_addf(text, "static const %s %s_%d[DEVICES] = {", terms ? "int" : "long long", terms ? "terms" : "sizes",
		v);
	for (int64_t d = 0; d < c->e->devices; d++)
		sw_text_addf(text, "%s%lld", d > 0 ? ", " : "",
			(long long)(terms ? sw_term_held(&stored->holding, d) : stored->local[d].size));
	sw_text_add(text, "};\n");
}

static void end_moves(tables *t, sw_text *all, const char *name, int number)
{
	sw_text_addf(all, "static const struct move %s_%d[] = {\n", name, number);
	sw_text_add(all, sw_text_get(&t->moves));
	sw_text_add(all, "\t{-1, -1, 0, 0, 0},\n};\n");
	sw_text_clear(&t->moves);
}

static bool add_values(tables *t, sw_text *all)
{
	const sw_c_writer *c = t->c;
	bool done = true;

	for (int v = 0; done && v < c->program->values; v++) {
		if (!sw_c_is_stored(c, v))
			continue;
		add_numbers(all, c, v, false);
		if (sw_c_terms(c, v) > 1)
			add_numbers(all, c, v, true);
		done = add_pieces(t, v);
		end_moves(t, all, "pieces", v);
	}
	return done;
}

/* The loops come first, the moves behind them. */
bool sw_c_stored_tables(const sw_c_writer *c)
{
	tables t = {.c = c};
	sw_text all = {0};

	sw_emit_line(c->e,
		"/* What devices have and send beyond tiles: their numbers of elements, and loops over these. */");
	sw_emit_line(c->e, "static const struct loop loops[] = {");
	bool done = add_values(&t, &all);
	for (int s = 0; done && s < c->program->steps; s++)
		if (c->moved[s].transfers != NULL) {
			add_moves(&t, c->moved[s].transfers);
			end_moves(&t, &all, "moves", s + 1);
		}
	sw_emit_line(c->e, "\t{0, 0, 0}\n};");
	sw_text_add(c->e->text, sw_text_get(&all));
	done = done && !all.failed && !t.moves.failed;
	sw_text_free(&all);
	sw_text_free(&t.moves);
	return done || sw_diag_memory(c->e->diag);
}

/* ---- fields ---- */

void sw_c_stored_value(const sw_c_writer *c, int value)
{
	if (sw_c_is_stored(c, value))
		sw_text_addf(c->e->text, ", .sizes = sizes_%d, .pieces = pieces_%d", value, value);
}

void sw_c_stored_move(const sw_c_writer *c, int s)
{
	if (c->moved[s].transfers != NULL)
		sw_text_addf(c->e->text, ", .moves = moves_%d", s + 1);
}

/* ---- a plan ---- */

bool sw_emit_mpi_between(sw_emitter *e)
{
	sw_program_emitter w;

	if (e->plan->program.steps == 0)
		return sw_emit_refuse(e, "there is nothing to run", "every device has what it needs");
	return sw_program_of_plan(e, &w) && sw_emit_program_c(&w, SW_MPI_RANKS);
}
