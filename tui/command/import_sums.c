/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of a module on a mesh that lies on a system: over which axes its all-reduces go, and what the best program would take.
 */
#include "command/import_sums.h"

#include "command/placement.h"
#include "command/reduction.h"
#include "views/draw.h"

/* An all-reduce as an instruction on the placement. */
struct sum_found {
	uint32_t axes;
	sw_reduction_step step;
	double bytes, now, best;
	int64_t runs;
	sw_ports *ports;
	sw_reduction_program program;
};

static bool is_allreduce(const sw_step *step)
{
	const sw_collective *row = sw_collective_of(step->op);

	return row->adds && !row->splits && !row->rooted && row->grouped;
}

static bool recognise(const struct import *import, const sw_plan *plan, int k, struct sum_found *found)
{
	const struct placing *placing = import->placing;
	sw_arena *arena = import->arena;
	sw_step step;

	if (!sw_step_on_devices(plan, k, arena, &step, NULL) || step.groups == NULL)
		return false;
	int64_t devices = plan->problem.mesh.devices, *member = SW_NEW(arena, int64_t, devices);
	for (int64_t d = 0; member != NULL && d < devices; d++)
		member[d] = step.groups[d];
	found->bytes = (double)plan->steps[k].localsize * sw_dtype_bytes(plan->problem.from.dtype);
	return member != NULL &&
		sw_reduction_recognise(&placing->placement, member, devices, step.group_size, arena, &found->axes,
			&found->step);
}

/* Seconds of one all-reduce over whole axes, and of the best program; groups that are a part of them have no program. */
static bool price(const struct import *import, struct sum_found *found)
{
	const struct placing *placing = import->placing;

	found->now = found->best = -1;
	found->ports = SW_NEW(import->arena, sw_ports, 1);
	if (found->ports == NULL ||
		!sw_ports_make(&placing->system, &placing->placement, found->axes, allreduce_asked(import->run->session),
			found->ports, NULL))
		return false;
	if (found->step.form != SW_FORM_INSIDE || found->step.slice != 0)
		return true;
	const sw_contexts *contexts = contexts_asked(import->run->session, found->ports->hierarchy.count, NULL);
	if (contexts == NULL || !sw_reduction_best(contexts, found->ports, found->bytes, 0, &found->program))
		return true;
	found->now = sw_ports_allreduce(found->ports, found->bytes);
	found->best = found->program.total;
	return true;
}

static void print_axes(const struct import *import, uint32_t axes, sw_text *text)
{
	const sw_mesh *mesh = &import->placing->axes;
	int count = 0;

	sw_text_add(text, "{");
	for (int i = 0; i < mesh->count; i++)
		if (axes >> i & 1)
			sw_text_addf(text, "%s%s", count++ > 0 ? "," : "", mesh->axis[i].name);
	sw_text_add(text, "}");
}

static void say_sum(const struct import *import, const struct sum_found *found)
{
	sw_text text = {0};

	sw_text_add(&text, "  over ");
	print_axes(import, found->axes, &text);
	sw_text_add(&text, ": ");
	sw_reduction_step_print(found->ports->system, &found->ports->hierarchy, &found->step, &text);
	sw_text_add(&text, ", ");
	sw_print_bytes(&text, (int64_t)found->bytes);
	sw_text_addf(&text, ", %s", words_plural(found->runs, "time", "times").text);
	if (found->now > 0)
		sw_text_addf(&text, "; %s each", words_seconds_to(found->now, 4).text);
	document_line(import->run->answer, "%s", sw_text_get(&text));
	sw_text_clear(&text);
	if (found->best > 0 && found->best < found->now * (1 - 1e-9)) {
		sw_text_addf(&text, "    best, %s: ", words_seconds_to(found->best, 4).text);
		for (int k = 0; k < found->program.count; k++) {
			sw_text_add(&text, k > 0 ? "; " : "");
			sw_reduction_step_print(found->ports->system, &found->ports->hierarchy, &found->program.step[k], &text);
		}
		document_line(import->run->answer, "%s", sw_text_get(&text));
	}
	sw_text_free(&text);
}

static bool is_same(const struct sum_found *a, const struct sum_found *b)
{
	return a->axes == b->axes && a->step.form == b->step.form && a->step.slice == b->step.slice &&
		a->step.ancestor == b->step.ancestor && (int64_t)a->bytes == (int64_t)b->bytes;
}

void import_sums(const struct import *import)
{
	enum { MOST = 16 };
	struct sum_found found[MOST];
	int count = 0;
	int64_t others = 0;

	if (import->module == NULL || import->placing == NULL || !import->placing->placed ||
		import->placing->system.devices != import->module->partitions)
		return;
	for (int c = 0; c < import->module->count; c++) {
		const sw_hlo_chain *chain = &import->module->chains[c];

		for (int k = 0; k < chain->plan.count; k++) {
			struct sum_found one = {.runs = chain->runs};
			int same = 0;

			if (!is_allreduce(&chain->plan.steps[k]))
				continue;
			if (!recognise(import, &chain->plan, k, &one) || !price(import, &one)) {
				others += chain->runs;
				continue;
			}
			while (same < count && !is_same(&found[same], &one))
				same++;
			if (same < count)
				found[same].runs += one.runs;
			else if (count < MOST)
				found[count++] = one;
			else
				others += chain->runs;
		}
	}
	if (count > 0 || others > 0)
		document_line(import->run->answer, "all-reduces on the placed mesh");
	for (int i = 0; i < count; i++)
		say_sum(import, &found[i]);
	if (others > 0)
		document_line(import->run->answer, "  %lld more are over groups that are no axes of it", (long long)others);
}
