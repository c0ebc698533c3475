/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formats, and how a plan comes to the function of its row.
 */
#include <assert.h>

#include <shardwalk/between.h>
#include <shardwalk/emit.h>

#include "emit/write.h"

/* What a format numbers: nothing (it has only types), the slots of a mesh that it can lay on any devices, or
 * devices. */
enum numbers { TYPES, SLOTS, DEVICES };

struct row {
	enum numbers numbers;
	bool (*write)(sw_emitter *e);
	bool simple;                    /* a reduce-scatter of it gathers nothing */
	bool types, pieces;             /* it has words for plans of types, and for reduction programs */
	bool (*between)(sw_emitter *e); /* writes plans of which one end is no tile type; NULL: it says tiles only */
};

static const struct row rows[SW_EMIT_COUNT] = {
	[SW_EMIT_HLO] = {.numbers = DEVICES, .write = sw_emit_hlo, .simple = true, .types = true},
	[SW_EMIT_STABLEHLO] = {.numbers = DEVICES, .write = sw_emit_stablehlo, .simple = true, .types = true},
	[SW_EMIT_JAX] = {.numbers = TYPES, .write = sw_emit_jax, .types = true},
	[SW_EMIT_SHARD_MAP] =
		{.numbers = SLOTS, .write = sw_emit_shard_map, .simple = true, .types = true, .pieces = true},
	[SW_EMIT_DTENSOR] = {.numbers = TYPES, .write = sw_emit_dtensor, .types = true},
	[SW_EMIT_SHARDY] = {.numbers = TYPES, .write = sw_emit_shardy, .simple = true, .types = true},
	[SW_EMIT_MPI] = {.numbers = DEVICES,
		.write = sw_emit_mpi,
		.simple = true,
		.types = true,
		.pieces = true,
		.between = sw_emit_mpi_between},
	[SW_EMIT_SCALAPACK] = {.numbers = TYPES, .write = sw_emit_scalapack, .types = true, .between = sw_emit_scalapack},
	[SW_EMIT_NCCL] = {.numbers = DEVICES, .write = sw_emit_nccl, .pieces = true},
};

static const char *const names[SW_EMIT_COUNT] = {
#define X(id, name, about) name,
	SW_EMITS(X)
#undef X
};

static const char *const abouts[SW_EMIT_COUNT] = {
#define X(id, name, about) about,
	SW_EMITS(X)
#undef X
};

const char *sw_emit_name(sw_emit_kind kind)
{
	assert((unsigned)kind < SW_EMIT_COUNT);
	return names[kind];
}

const char *sw_emit_about(sw_emit_kind kind)
{
	assert((unsigned)kind < SW_EMIT_COUNT);
	return abouts[kind];
}

/* A mesh of a program lies on the same devices from the beginning to the end. */
static bool stays(const sw_emitter *e)
{
	const sw_problem *problem = &e->plan->problem;

	return sw_device_order_equal(problem->mesh.order, sw_problem_to_order(problem), e->devices) ||
		sw_emit_refuse(e, "the formats mpi and hlo number the devices themselves",
			"the two ends have their devices in different orders, and no single mesh has both");
}

/* A reduce-scatter that gathers is written as several steps where a format cannot say it. */
static bool take_sums(sw_emitter *e, const struct row *row)
{
	return !e->plan || !row->simple || !sw_emit_has_sums(e) || sw_emit_simplify(e);
}

/* Steps that pass on pieces, in the words that the format has for them. */
static bool has_pieces(const sw_emitter *e, const struct row *row)
{
	return row->pieces && e->plan && sw_plan_pieces_of_tile(e->plan) > 0;
}

/* A plan of types, for a format that has words for them. */
static bool take_types(sw_emitter *e, const struct row *row)
{
	if (!row->types)
		return sw_emit_refuse(e, "`reductions N` makes a reduction program of the plan; or export mpi",
			"this format writes reduction programs, and the plan is one over types");
	if (e->plan && sw_plan_first_pieces(e->plan) >= 0)
		return sw_emit_refuse(e, "the formats plan, mpi, nccl and shard_map write it",
			"a reduction program works on chunks of tiles, which no type of this system says");
	return take_sums(e, row);
}

bool sw_emit_ready(sw_emitter *e, sw_emit_kind kind)
{
	assert((unsigned)kind < SW_EMIT_COUNT);
	const struct row *row = &rows[kind];

	if (!has_pieces(e, row) && !take_types(e, row))
		return false;
	if (row->numbers == DEVICES)
		return sw_emit_prepare(e, true);
	return stays(e) && (row->numbers == TYPES || sw_emit_prepare(e, false));
}

static bool refuse_words(sw_emitter *e)
{
	return sw_emit_refuse(e, "`export mpi` and `export plan` write it, and `run` runs it",
		"one of its ends is no tile type, and this format says steps of tiles");
}

bool sw_emit(sw_emit_kind kind, const sw_plan *plan, const sw_advice *advice, sw_arena *arena, sw_text *text,
	sw_diag *diag)
{
	const struct row *row = &rows[kind];
	sw_emitter e = sw_emit_of_plan(plan, arena, text, diag);
	size_t start = text->length;

	if (sw_problem_has_words(&plan->problem))
		return sw_emit_end(&e, start, (row->between ? row->between : refuse_words)(&e));
	e.advice = row->numbers == TYPES ? advice : NULL;
	return sw_emit_end(&e, start, sw_emit_ready(&e, kind) && row->write(&e));
}

bool sw_emit_steps(const sw_plan *plan, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_emitter e = sw_emit_of_plan(plan, arena, text, diag);
	size_t start = text->length;

	if (sw_problem_has_words(&plan->problem))
		return refuse_words(&e);
	e.all = true;
	return sw_emit_end(&e, start, sw_emit_ready(&e, SW_EMIT_SHARD_MAP) && sw_emit_shard_map(&e));
}

bool sw_emit_advice(const sw_advice *advice, const sw_emit_mesh *mesh, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	static const sw_emit_mesh plain = {false, NULL};
	static bool (*const lines[SW_ADVISE_COUNT])(sw_emitter * e, const sw_type_chain *chain) = {
		[SW_ADVISE_JAX] = sw_emit_jax_lines,
		[SW_ADVISE_DTENSOR] = sw_emit_dtensor_lines,
		[SW_ADVISE_SHARDY] = sw_emit_shardy_lines,
	};
	const sw_problem *problem = &advice->problem;
	sw_emitter e = {.advice = advice,
		.mesh = mesh ? mesh : &plain,
		.arena = arena,
		.text = text,
		.diag = diag,
		.devices = problem->mesh.devices,
		.rank = problem->from.rank};
	size_t start = text->length;
	sw_type_chain chain;

	if (!advice->via_count)
		return true;
	return sw_emit_end(&e, start,
		sw_emit_type_chain(&e, advice->target == SW_ADVISE_JAX, &chain) && lines[advice->target](&e, &chain));
}
