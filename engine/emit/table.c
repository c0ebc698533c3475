/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formats, and how a plan comes to the function of its row.
 */
#include <shardwalk/emit.h>

#include "emit/write.h"

struct row {
	bool steps; /* it writes the steps one by one, with groups and offsets */
	bool (*write)(sw_emitter *e);
};

static const struct row rows[SW_EMIT_COUNT] = {
	[SW_EMIT_HLO] = { .steps = true, .write = sw_emit_hlo },
	[SW_EMIT_STABLEHLO] = { .steps = true, .write = sw_emit_stablehlo },
	[SW_EMIT_JAX] = { .write = sw_emit_jax },
	[SW_EMIT_SHARD_MAP] = { .steps = true, .write = sw_emit_shard_map },
	[SW_EMIT_DTENSOR] = { .write = sw_emit_dtensor },
	[SW_EMIT_SHARDY] = { .write = sw_emit_shardy },
	[SW_EMIT_MPI] = { .steps = true, .write = sw_emit_mpi },
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
	return names[kind];
}

const char *sw_emit_about(sw_emit_kind kind)
{
	return abouts[kind];
}

/* A plan whose ends lie on other orders of devices than the mesh counts them. */
static bool in_order(const sw_emitter *e)
{
	const int64_t *before = e->plan->devices, *after = e->plan->to_devices;
	bool same = true;

	for (int64_t d = 0; same && d < e->devices; d++)
		same = (!before || before[d] == d) && (!after || after[d] == d);
	return same || sw_emit_refuse(e, "`export plan` lists them; `advise` says the order of a mesh in a program",
		"the tiles lie on devices in an order that the mesh does not have");
}

/* What was written before a failure is taken back. */
static bool emit_end(sw_emitter *e, size_t start, bool ok)
{
	if (ok && e->text->failed)
		ok = sw_diag_memory(e->diag);
	if (!ok && e->text->data) {
		e->text->length = start;
		e->text->data[start] = '\0';
	}
	return ok;
}

bool sw_emit(sw_emit_kind kind, const sw_plan *plan, const sw_advice *advice, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	const struct row *row = &rows[kind];
	sw_emitter e = { plan, row->steps ? NULL : advice, arena, text, diag, plan->problem.mesh.devices,
		plan->problem.from.rank, NULL };
	size_t start = text->length;

	return emit_end(&e, start, in_order(&e) && (!row->steps || sw_emit_prepare(&e)) && row->write(&e));
}

bool sw_emit_advice(const sw_advice *advice, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	static bool (*const lines[SW_ADVISE_COUNT])(sw_emitter *e, const sw_way *way) = {
		[SW_ADVISE_JAX] = sw_emit_jax_lines,
		[SW_ADVISE_DTENSOR] = sw_emit_dtensor_lines,
		[SW_ADVISE_SHARDY] = sw_emit_shardy_lines,
	};
	const sw_problem *problem = &advice->problem;
	sw_emitter e = { NULL, advice, arena, text, diag, problem->mesh.devices, problem->from.rank, NULL };
	size_t start = text->length;
	sw_way way;

	if (!advice->via_count)
		return true;
	return emit_end(&e, start, sw_emit_way(&e, &way) && lines[advice->target](&e, &way));
}
