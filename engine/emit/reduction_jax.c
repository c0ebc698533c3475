/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reduction program under JAX's shard_map: psum, psum_scatter and all_gather over groups of devices.  A step that leaves the sum on
 * one device, or leaves devices out, has no such form.
 */
#include "emit/reduction.h"

#include <string.h>

#include "step/row.h"

#define NEXT_BEST "`reductions` lists others: the first without reduce, broadcast and masters will do; or export mpi"

static bool has_form(const sw_emitter *e)
{
	for (int k = 0; k < e->plan->program.steps; k++) {
		const sw_step *step = &e->plan->program.step[k];

		if (sw_rooted(step->op))
			return sw_emit_refuse(e, NEXT_BEST,
				"step %d, '%s', has no form in JAX: no device may hold less than others", k + 1,
				sw_row(step->op)->name);
		if (step->grouped != e->devices)
			return sw_emit_refuse(e, NEXT_BEST, "step %d leaves devices out, which collectives of JAX do not", k + 1);
	}
	return true;
}

/* Groups as lists of devices, which are the positions along the only axis of the mesh. */
static void write_groups(const sw_emitter *e, int k)
{
	const sw_step *step = &e->plan->program.step[k];

	sw_text_addf(e->text, "GROUPS_%d = [", k + 1);
	for (int64_t n = 0; n < step->grouped; n++)
		sw_text_addf(e->text, "%s%lld%s", n % step->group_size == 0 ? (n > 0 ? ", [" : "[") : ", ",
			(long long)sw_device_at(e->plan->problem.mesh.order, step->groups[n]),
			n % step->group_size == step->group_size - 1 ? "]" : "");
	sw_emit_line(e, "]");
}

/* Chunks that do not stand in ascending order are brought into it, on each device in its own way. */
static bool is_sorted(const sw_piece_lists *l, int k, int64_t devices)
{
	for (int64_t p = 0; p < devices; p++)
		for (int n = 1; n < l->count[k][p]; n++)
			if (l->list[k][p][n] < l->list[k][p][n - 1])
				return false;
	return true;
}

/* Sorts the lists after step k, and writes where each chunk stood. */
static bool write_order(const sw_emitter *e, const sw_piece_lists *l, int k)
{
	const int64_t *slot = sw_slots_of_devices(e);

	if (slot == NULL)
		return sw_diag_memory(e->diag);
	sw_text_addf(e->text, "ORDER_%d = np.array([", k);
	for (int64_t d = 0; d < e->devices; d++) {
		const int *list = l->list[k][slot[d]];
		int count = l->count[k][slot[d]];

		sw_text_add(e->text, d > 0 ? ", [" : "[");
		for (int c = 0, written = 0; c < l->pieces; c++)
			for (int n = 0; n < count; n++)
				if (list[n] == c)
					sw_text_addf(e->text, "%s%d", written++ > 0 ? ", " : "", n);
		sw_text_add(e->text, "]");
	}
	sw_emit_line(e, "])");
	return true;
}

static void sort_lists(const sw_piece_lists *l, int from, int count, int64_t devices)
{
	for (int k = from; k <= count; k++)
		for (int64_t p = 0; p < devices; p++)
			for (int n = 1; n < l->count[k][p]; n++)
				for (int i = n; i > 0 && l->list[k][p][i] < l->list[k][p][i - 1]; i--) {
					int kept = l->list[k][p][i];

					l->list[k][p][i] = l->list[k][p][i - 1];
					l->list[k][p][i - 1] = kept;
				}
}

static void write_step(const sw_emitter *e, int k, bool ordered)
{
	static const char *const calls[][2] = {
		[SW_BRINGS_TERMS] = {[SW_LEAVES_ALL] = "jax.lax.psum(x, 'device'",
			[SW_LEAVES_PARTS] = "jax.lax.psum_scatter(x, 'device', scatter_dimension=0, tiled=True"},
		[SW_BRINGS_PARTS] = {[SW_LEAVES_ALL] = "jax.lax.all_gather(x, 'device', axis=0, tiled=True"},
	};
	const sw_collective *row = sw_row(e->plan->program.step[k].op);

	sw_emit_line(e, "    # %d. %s %s", k + 1, row->name,
		e->plan->program.step[k].by.words ? e->plan->program.step[k].by.words : "");
	sw_emit_line(e, "    x = %s, axis_index_groups=GROUPS_%d)", calls[row->brings][row->leaves], k + 1);
	if (ordered)
		sw_emit_line(e, "    x = x[jnp.asarray(ORDER_%d)[jax.lax.axis_index('device')]]", k + 1);
}

static void write_head(const sw_emitter *e)
{
	sw_emit_line(e, "# A reduction program on %lld devices under JAX's shard_map.", (long long)e->devices);
	sw_emit_remark_problem(e, "# ");
	sw_emit_line(e, "import os\n");
	sw_emit_line(e, "os.environ.setdefault('XLA_FLAGS', '--xla_force_host_platform_device_count=%lld')",
		(long long)e->devices);
	sw_emit_line(e, "import jax\nimport jax.numpy as jnp\nimport numpy as np");
	sw_emit_line(e, "from jax.sharding import Mesh, PartitionSpec as P\n");
	sw_emit_line(e, "DEVICES, CHUNKS, COUNT = %lld, %d, %lld", (long long)e->devices, sw_plan_pieces_of_tile(e->plan),
		(long long)sw_type_localsize(&e->plan->problem.from));
	sw_emit_line(e, "PIECE = -(-COUNT // CHUNKS)  # elements of a chunk%s",
		sw_type_localsize(&e->plan->problem.from) % sw_plan_pieces_of_tile(e->plan) != 0 ?
			": all are of one size here, so that steps move more than the plan says" :
			"");
}

/* Which devices hold terms of one sum: the same tile, and the same sum in the end. */
static bool write_sums(const sw_emitter *e)
{
	const sw_problem *problem = &e->plan->problem;
	int64_t *number = SW_NEW(e->arena, int64_t, 2 * e->devices);

	if (number == NULL)
		return sw_diag_memory(e->diag);
	for (int64_t p = 0; p < e->devices; p++) {
		int64_t at[SW_MAX_DIMS], tile = 0, device = sw_device_at(problem->mesh.order, p);

		sw_type_offset(&problem->mesh, &problem->from, p, at);
		for (int i = 0; i < e->rank; i++)
			tile = tile * (problem->from.global[i] / problem->from.tile[i]) + at[i] / problem->from.tile[i];
		number[2 * device] = tile * sw_type_terms(&problem->from) + sw_type_term(&problem->mesh, &problem->from, p);
		number[2 * device + 1] = tile * sw_type_terms(&problem->to) + sw_type_term(&problem->mesh, &problem->to, p);
	}
	sw_text_add(e->text, "TERM = np.array([  # the term of each device at first, and its sum in the end\n    ");
	for (int64_t d = 0; d < e->devices; d++)
		sw_text_addf(e->text, "[%lld, %lld], ", (long long)number[2 * d], (long long)number[2 * d + 1]);
	sw_emit_line(e, "])\n");
	return true;
}

static void write_end(const sw_emitter *e)
{
	bool whole = e->plan->problem.from.dtype != SW_F32 && e->plan->problem.from.dtype != SW_F64 &&
		e->plan->problem.from.dtype != SW_BF16 && e->plan->problem.from.dtype != SW_F16;

	sw_emit_line(e, "    return x\n\n");
	sw_emit_line(e, "def main():");
	sw_emit_line(e, "    mesh = Mesh(np.array(jax.devices()[:DEVICES]), ('device',))");
	sw_emit_line(e,
		"    terms = np.random.default_rng(1).integers(0, 16, (TERM.max() + 1, CHUNKS, PIECE)).astype('%s')",
		whole ? "int32" : "float32");
	sw_emit_line(e, "    x = np.concatenate([terms[t] for t, _ in TERM])");
	sw_emit_line(e,
		"    run = jax.jit(jax.shard_map(program, mesh=mesh, in_specs=P('device'), out_specs=P('device'), check_vma=False))");
	sw_emit_line(e, "    got = np.asarray(run(x)).reshape(DEVICES, CHUNKS, PIECE)");
	sw_emit_line(e, "    for d in range(DEVICES):");
	sw_emit_line(e, "        summed = sum(terms[t] for t in {int(t) for t, s in TERM if s == TERM[d][1]})");
	sw_emit_line(e, "        assert (got[d] == summed).all(), f'device {d} has another sum'");
	sw_emit_line(e, "    print(f'all sums on {DEVICES} devices are right')\n\n");
	sw_emit_line(e, "if __name__ == '__main__':\n    main()");
}

bool sw_emit_reduction_jax(sw_emitter *e)
{
	sw_piece_lists lists;
	bool ordered[64] = {false};

	if (!has_form(e))
		return false;
	if (e->plan->program.steps > (int)(sizeof ordered / sizeof *ordered))
		return sw_emit_refuse(e, "export mpi", "the program has %d steps, more than are written",
			e->plan->program.steps);
	if (!sw_piece_lists_make(e, &lists))
		return false;
	write_head(e);
	for (int k = 0; k < e->plan->program.steps; k++) {
		write_groups(e, k);
		ordered[k] = !is_sorted(&lists, k + 1, e->devices);
		if (ordered[k] && !write_order(e, &lists, k + 1))
			return false;
		if (ordered[k])
			sort_lists(&lists, k + 1, e->plan->program.steps, e->devices);
	}
	if (!write_sums(e))
		return false;
	sw_emit_line(e, "\ndef program(x):  # a row a chunk that the device holds");
	for (int k = 0; k < e->plan->program.steps; k++)
		write_step(e, k, ordered[k]);
	write_end(e);
	return true;
}
