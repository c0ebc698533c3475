/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as sharding constraints of Shardy: one after each step.  Parts of axes need no finer mesh there.
 */
#include "emit/program.h"

#include <stdio.h>

#include "array/parts.h"
#include "emit/mlir.h"
#include "peers/shardy_parts.h"
#include "peers/sums.h"
#include "step/row.h"

void sw_shardy_mesh(sw_text *text, const sw_mesh *mesh, const int64_t *devices)
{
	sw_text_add(text, "sdy.mesh @mesh = <[");
	for (int a = 0; a < mesh->count; a++) {
		sw_text_add(text, a ? ", " : "");
		sw_emit_quoted(text, mesh->axis[a].name);
		sw_text_addf(text, "=%lld", (long long)mesh->axis[a].size);
	}
	sw_text_add_char(text, ']');
	for (int64_t p = 0; devices && p < mesh->devices; p++)
		sw_text_addf(text, "%s%lld%s", p ? ", " : ", device_ids=[", (long long)devices[p],
			p + 1 == mesh->devices ? "]" : "");
	sw_text_add(text, ">\n");
}

/* `{"x", "y":(1)2}`, of parts that stand major to minor */
static void add_axes(sw_text *text, const sw_mesh *mesh, const sw_part_list *list)
{
	sw_text_add_char(text, '{');
	for (int k = 0; k < list->count; k++) {
		sw_part part = list->at[k];

		sw_text_add(text, k ? ", " : "");
		sw_emit_quoted(text, mesh->axis[part.axis].name);
		if (part.size != mesh->axis[part.axis].size)
			sw_text_addf(text, ":(%lld)%lld", (long long)part.pre, (long long)part.size);
	}
	sw_text_add_char(text, '}');
}

/* The parts of a dimension, or of the sums, major to minor. */
static void read_parts(const sw_type *type, int dim, sw_part_list *list)
{
	list->count = 0;
	for (int k = type->first[dim + 1] - 1; k >= type->first[dim]; k--)
		sw_shardy_parts_push(list, sw_type_part(type, k));
	if (dim == type->rank)
		sw_shardy_parts_sort(list);
}

void sw_shardy_sharding(sw_text *text, const sw_mesh *mesh, const sw_type *type)
{
	sw_part_list list;

	sw_text_add(text, "<@mesh, [");
	for (int i = 0; i < type->rank; i++) {
		sw_text_add(text, i ? ", " : "");
		read_parts(type, i, &list);
		add_axes(text, mesh, &list);
	}
	sw_text_add_char(text, ']');
	read_parts(type, type->rank, &list);
	if (list.count > 0) {
		sw_text_add(text, ", unreduced=");
		add_axes(text, mesh, &list);
	}
	sw_text_add_char(text, '>');
}

void sw_shardy_constraint(sw_text *text, const sw_mesh *mesh, const sw_type *type, const char *name)
{
	sw_text_addf(text, "sdy.sharding_constraint %%%s ", name);
	sw_shardy_sharding(text, mesh, type);
	sw_text_add(text, " : ");
	sw_mlir_tensor(text, type->global, type->rank, type->dtype);
	sw_text_add_char(text, '\n');
}

/* ---- steps as collectives ---- */

typedef struct writer {
	const sw_emitter *e;
	const sw_mesh *mesh;
	const sw_type *now;
	int values;
} writer;

/* What dimension i of `more` has behind all that it has in `less`; false where it does not begin so. */
static bool read_rest(const sw_type *less, const sw_type *more, int i, sw_part_list *rest)
{
	sw_part_list had;

	read_parts(less, i, &had);
	read_parts(more, i, rest);
	for (int k = 0; k < had.count; k++) {
		sw_part part = had.at[k];

		if (rest->count == 0 || rest->at[0].axis != part.axis || rest->at[0].pre != part.pre ||
			rest->at[0].size % part.size != 0)
			return false;
		rest->at[0] = (sw_part){part.axis, part.pre * part.size, rest->at[0].size / part.size};
		if (rest->at[0].size == 1)
			sw_shardy_parts_remove(rest, 0);
	}
	return true;
}

/* `%1 = sdy.all_gather PARAMETERS %0 out_sharding=<...> : tensor<...>` */
static void add_collective(writer *w, const char *name, const sw_text *parameters, const sw_type *after)
{
	sw_text *text = w->e->text;

	sw_text_addf(text, "    %%%d = sdy.%s %s%s", w->values, name, sw_text_get(parameters),
		parameters->length ? " " : "");
	if (w->values)
		sw_text_addf(text, "%%%d", w->values - 1);
	else
		sw_text_add(text, "%a");
	sw_text_add(text, " out_sharding=");
	sw_shardy_sharding(text, w->mesh, after);
	sw_text_add(text, " : ");
	sw_mlir_tensor(text, after->global, after->rank, after->dtype);
	sw_text_add_char(text, '\n');
	w->values++;
	w->now = after;
}

/* `[{"x"}, {}]`: what each dimension of `more` has beyond `less`. */
static bool add_lists(const writer *w, const sw_type *less, const sw_type *more, sw_text *text)
{
	sw_part_list rest;

	for (int i = 0; i < less->rank; i++) {
		sw_text_add(text, i ? ", " : "[");
		if (!read_rest(less, more, i, &rest))
			return false;
		add_axes(text, w->mesh, &rest);
	}
	sw_text_add_char(text, ']');
	return true;
}

/* `{"y"}`: what one type sums and the other does not. */
static bool add_summed(const writer *w, const sw_type *before, const sw_type *after, sw_text *text)
{
	sw_problem problem = {.mesh = *w->mesh, .from = *before, .to = *after};
	sw_peer_sums sums;

	sw_peer_sums_of(&problem, &sums);
	add_axes(text, w->mesh, sums.ended.count ? &sums.ended : &sums.begun);
	return true;
}

/* `[{"x"}: 0->1]`; false where what one dimension loses is not what one other gets. */
static bool add_moves(const writer *w, const sw_type *before, const sw_type *after, sw_text *text)
{
	sw_part_list lost, got;
	int moves = 0;

	sw_text_add_char(text, '[');
	for (int i = 0; i < before->rank; i++) {
		bool found = after->tile[i] <= before->tile[i];

		if (found)
			continue;
		if (!read_rest(after, before, i, &lost))
			return false;
		for (int j = 0; j < before->rank && !found; j++) {
			if (after->tile[j] >= before->tile[j] || !read_rest(before, after, j, &got) || got.count != lost.count)
				continue;
			found = true;
			for (int k = 0; k < lost.count; k++)
				found = found && sw_part_same(lost.at[k], got.at[k]);
			if (!found)
				continue;
			sw_text_add(text, moves++ ? ", " : "");
			add_axes(text, w->mesh, &lost);
			sw_text_addf(text, ": %d->%d", i, j);
		}
		if (!found)
			return false;
	}
	sw_text_add_char(text, ']');
	return true;
}

/* Leaves dimension i the parts that it has before and after the step, from the major end on. */
static void keep_common(const sw_type *before, const sw_type *after, int i, sw_type *between)
{
	sw_part_list had, has, kept = {.count = 0};
	int count = 0;

	read_parts(before, i, &had);
	read_parts(after, i, &has);
	while (count < had.count && count < has.count && sw_part_same(had.at[count], has.at[count]))
		count++;
	for (int k = count - 1; k >= 0; k--)
		sw_shardy_parts_push(&kept, had.at[k]);
	sw_part_list_put(between, i, &kept);
}

/* A step without words of its own: all that changes is gathered, and then cut. */
static bool add_by_gather(writer *w, const sw_type *after)
{
	sw_type *between = SW_NEW(w->e->arena, sw_type, 1);
	sw_text gathered = {0}, cut = {0};
	const sw_type *before = w->now;

	if (!between)
		return sw_diag_memory(w->e->diag);
	*between = *before;
	for (int i = 0; i < before->rank; i++)
		keep_common(before, after, i, between);
	sw_emit_line(w->e, "    // no single collective of Shardy does this step: it gathers and slices");
	bool ok = add_lists(w, between, before, &gathered) && add_lists(w, between, after, &cut);
	if (ok) {
		add_collective(w, "all_gather", &gathered, between);
		add_collective(w, "all_slice", &cut, after);
	}
	sw_text_free(&gathered);
	sw_text_free(&cut);
	return ok ||
		sw_emit_refuse(w->e, "the format mpi writes any step", "no collective of Shardy does a step of the plan");
}

static bool add_cuts(const writer *w, const sw_type *before, const sw_type *after, sw_text *text)
{
	return add_lists(w, before, after, text);
}

static bool add_joined(const writer *w, const sw_type *before, const sw_type *after, sw_text *text)
{
	return add_lists(w, after, before, text);
}

static bool add_nothing(const writer *w, const sw_type *before, const sw_type *after, sw_text *text)
{
	(void)w, (void)before, (void)after, (void)text;
	return true;
}

/* The words of a step between two types: its name, and what stands behind that; false: these types have none. */
static const struct {
	const char *name;
	bool (*parameters)(const writer *w, const sw_type *before, const sw_type *after, sw_text *text);
} words[SW_MANNER_COUNT] = {
	[SW_MANNER_CUT] = {"all_slice", add_cuts},
	[SW_MANNER_JOINED] = {"all_gather", add_joined},
	[SW_MANNER_SWAPPED] = {"all_to_all", add_moves},
	[SW_MANNER_PERMUTED] = {"collective_permute", add_nothing},
	[SW_MANNER_SCATTERED] = {"reduce_scatter", add_cuts},
	[SW_MANNER_SUMMED] = {"all_reduce", add_summed},
	[SW_MANNER_KEPT] = {"replicated_to_unreduced", add_summed},
	[SW_MANNER_PADDED] = {"sharded_to_unreduced", add_joined},
}; /* without a row: no type says it */

static bool add_step(writer *w, int k)
{
	const sw_step *step = &w->e->plan->program.step[k];
	const sw_type *after = w->e->plan->program.value[k + 1].type;
	sw_manner manner = sw_row(step->op)->manner;
	sw_text text = {0};
	bool ok = true;

	sw_text_add(w->e->text, "    // ");
	sw_emit_remark_step(w->e, k, w->e->text);
	sw_text_add_char(w->e->text, '\n');
	if (words[manner].parameters && words[manner].parameters(w, w->now, after, &text))
		add_collective(w, words[manner].name, &text, after);
	else
		ok = add_by_gather(w, after);
	sw_text_free(&text);
	return ok;
}

static bool add_steps(writer *w)
{
	for (int k = 0; k < w->e->plan->program.steps; k++)
		if (!add_step(w, k))
			return false;
	return true;
}

static bool take_types(const sw_emitter *e, sw_type **types, int *count)
{
	const sw_type **way;

	if (!sw_emit_way(e, &way, count))
		return false;
	*types = SW_NEW(e->arena, sw_type, *count);
	if (!*types)
		return sw_diag_memory(e->diag);
	for (int k = 0; k < *count; k++)
		(*types)[k] = *way[k];
	return true;
}

/* A plan is a program that moves one array by constraints.  Plans with sums are written collective by collective: constraints leave it to
 * the pass when it sums. */
bool sw_emit_shardy(sw_emitter *e)
{
	sw_program_emitter program;
	sw_type *types;
	int count = 0;

	if (!take_types(e, &types, &count) || !sw_program_of_types(e, types, count, NULL, &program))
		return false;
	if (e->advice || !sw_emit_has_sums(e))
		return sw_emit_program_shardy(&program);
	writer w = {.e = e, .mesh = &program.mesh, .now = &types[0]};
	sw_shardy_begin(&program);
	if (!add_steps(&w))
		return false;
	sw_text_addf(e->text, w.values ? "    return %%%d" : "    return %%a", w.values - 1);
	sw_mlir_end(e->text, program.result.global, e->rank, program.result.dtype);
	return true;
}

bool sw_emit_shardy_lines(sw_emitter *e, const sw_type_chain *chain)
{
	char name[16];

	if (e->mesh->unnamed)
		sw_emit_line(e, "// the machine has %lld devices in all", (long long)e->devices);
	if (chain->finer || e->mesh->unnamed)
		sw_shardy_mesh(e->text, &chain->mesh, e->mesh->devices);
	for (int k = 1; k < chain->count; k++) {
		snprintf(name, sizeof name, "x%d", k - 1);
		sw_text_addf(e->text, "%%x%d = ", k);
		sw_shardy_constraint(e->text, &chain->mesh, &chain->type[k], name);
	}
	return true;
}
