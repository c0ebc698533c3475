/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of a module on a mesh that lies on a system: over which axes its all-reduces go, and what the best program would take.
 */
#include "command/import/import_sums.h"

#include <stdlib.h>

#include "command/placement/placement.h"
#include "command/placement/reduction.h"
#include "views/draw.h"

/* An all-reduce over groups that have a name on the placement. */
struct sum_found {
	uint32_t axes;
	sw_group_name name;
	double bytes, now, best;
	int64_t runs;
	sw_ports *ports;
	sw_plan program; /* the best, where there is one */
};

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
	found->bytes = (double)plan->program.value[k + 1].localsize * sw_dtype_bytes(plan->problem.from.dtype);
	return member != NULL &&
		sw_group_name_find(&placing->placement, member, devices, step.group_size, arena, &found->axes, &found->name);
}

/* Seconds of one all-reduce over whole axes, and of the best program; groups that are a part of them have no program. */
static bool price(const struct import *import, struct sum_found *found)
{
	const struct placing *placing = import->placing;
	sw_context_path best;

	found->now = found->best = -1;
	found->ports = SW_NEW(import->arena, sw_ports, 1);
	if (found->ports == NULL ||
		!sw_ports_make(&placing->system, &placing->placement, found->axes, allreduce_asked(import->run->session),
			found->ports, NULL))
		return false;
	if (found->name.form != SW_FORM_INSIDE || found->name.slice != 0)
		return true;
	const sw_contexts *contexts = contexts_asked(import->run->session, found->ports->hierarchy.count, NULL);
	if (contexts == NULL || !sw_reduction_best(contexts, found->ports, found->bytes, 0, &best) ||
		!sw_context_path_plan(contexts, &best, import->arena, &found->program))
		return true;
	found->now = sw_ports_allreduce(found->ports, found->bytes);
	found->best = best.seconds;
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

static void print_instruction(const struct sum_found *found, sw_text *text)
{
	const sw_step step = {.op = SW_ALLREDUCE, .by = found->name};

	sw_step_print(found->ports->system, &found->ports->hierarchy, &step, text);
}

static void say_sum(const struct import *import, const struct sum_found *found)
{
	sw_text text = {0};

	sw_text_add(&text, "  over ");
	print_axes(import, found->axes, &text);
	sw_text_add(&text, ": ");
	print_instruction(found, &text);
	sw_text_add(&text, ", ");
	sw_print_real_bytes(&text, found->bytes);
	sw_text_addf(&text, ", %s", words_plural(found->runs, "time", "times").text);
	if (found->now > 0)
		sw_text_addf(&text, "; %s each", words_seconds_to(found->now, 4).text);
	document_line(import->run->answer, "%s", sw_text_get(&text));
	sw_text_clear(&text);
	if (found->best > 0 && found->best < found->now * (1 - 1e-9)) {
		sw_text_addf(&text, "    best, %s: ", words_seconds_to(found->best, 4).text);
		reduction_steps_text(found->ports, &found->program, &text);
		document_line(import->run->answer, "%s", sw_text_get(&text));
	}
	sw_text_free(&text);
}

static bool is_same(const struct sum_found *a, const struct sum_found *b)
{
	return a->axes == b->axes && sw_group_name_same(&a->name, &b->name) &&
		sw_nearest(a->bytes) == sw_nearest(b->bytes);
}

/* The all-reduces of a module, those that are alike once; and how many more there are, over groups that are no axes. */
enum { MOST_SUMS = 16 };
struct sums_found {
	struct sum_found at[MOST_SUMS];
	int count;
	int64_t others;
};

static void add_sum(const struct import *import, const sw_hlo_chain *chain, int k, struct sums_found *found)
{
	struct sum_found one = {.runs = chain->runs};
	int same = 0;

	if (!recognise(import, &chain->plan, k, &one) || !price(import, &one)) {
		found->others += chain->runs;
		return;
	}
	while (same < found->count && !is_same(&found->at[same], &one))
		same++;
	if (same < found->count)
		found->at[same].runs += one.runs;
	else if (same < MOST_SUMS)
		found->at[found->count++] = one;
	else
		found->others += chain->runs;
}

static bool is_placed(const struct import *import)
{
	return import->module != NULL && import->placing != NULL && import->placing->placed &&
		import->placing->system.devices == import->module->partitions;
}

static void find_sums(const struct import *import, struct sums_found *found)
{
	*found = (struct sums_found){.count = 0};
	for (int c = 0; is_placed(import) && c < import->module->count; c++) {
		const sw_hlo_chain *chain = &import->module->chains[c];

		for (int k = 0; k < chain->plan.program.steps; k++)
			if (sw_sums_whole(chain->plan.program.step[k].op))
				add_sum(import, chain, k, found);
	}
}

void import_sums(const struct import *import)
{
	struct sums_found found;

	find_sums(import, &found);
	if (found.count > 0 || found.others > 0)
		document_line(import->run->answer, "all-reduces on the placed mesh");
	for (int i = 0; i < found.count; i++)
		say_sum(import, &found.at[i]);
	if (found.others > 0)
		document_line(import->run->answer, "  %lld more are over groups that are not axes of it",
			(long long)found.others);
}

/* ---- fields ---- */

static void add_sum_fields(const struct import *import, const struct sum_found *found, struct fields *in)
{
	const sw_mesh *mesh = &import->placing->axes;
	struct fields *axes = field_list(in, "axes"), *best;
	sw_text instruction = {0};

	for (int i = 0; i < mesh->count; i++)
		if (found->axes >> i & 1)
			field_text(axes, NULL, mesh->axis[i].name);
	print_instruction(found, &instruction);
	field_printed(in, "instruction", &instruction);
	field_number(in, "bytes", found->bytes);
	field_int(in, "runs", found->runs);
	field_digits(in, "seconds", found->now, 9);
	field_digits(in, "best_seconds", found->best, 9);
	best = field_list(in, "best");
	if (found->best > 0)
		reduction_steps_fields(found->ports, &found->program, best);
}

void import_sums_fields(const struct import *import, struct fields *in)
{
	struct sums_found found;
	struct fields *list = NULL;

	if (!is_placed(import))
		return;
	find_sums(import, &found);
	list = field_list(in, "allreduces");
	for (int i = 0; i < found.count; i++)
		add_sum_fields(import, &found.at[i], field_object(list, NULL));
	field_int(in, "allreduces_elsewhere", found.others);
}

/* ---- findings ---- */

/* What is found in some chains, and what plans save in these. */
struct finding {
	sw_hlo_finding what;
	int64_t rows, runs;
	double now, planned, saved;
};

static bool has_finding(const struct import *import, const struct import_row *row, sw_hlo_finding what)
{
	return (import->module->chains[row->index].found >> what & 1) != 0;
}

static void weigh_finding(const struct import *import, struct finding *finding)
{
	for (int i = 0; i < import->imports.count; i++) {
		const struct import_row *row = &import->imports.row[i];

		if (!has_finding(import, row, finding->what))
			continue;
		finding->rows++;
		finding->runs += row->runs;
		finding->now += row->now != NULL ? (double)import_bytes(row->now) * (double)row->runs : 0;
		finding->planned += row->planned != NULL ? (double)import_bytes(row->planned) * (double)row->runs : 0;
		finding->saved += import_saving(row);
	}
}

static int by_saving(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	return x->saved > y->saved ? -1 : x->saved < y->saved ? 1 : (int)x->what - (int)y->what;
}

static void add_finding(const struct import *import, const struct finding *finding, struct fields *in)
{
	struct fields *rows = NULL;

	field_text(in, "name", sw_hlo_finding_name(finding->what));
	field_text(in, "words", sw_hlo_finding_words(finding->what));
	rows = field_list(in, "rows");
	for (int i = 0; i < import->imports.count; i++)
		if (has_finding(import, &import->imports.row[i], finding->what))
			field_int(rows, NULL, import->imports.row[i].number);
	field_int(in, "runs", finding->runs);
	field_number(in, "bytes_now", finding->now);
	field_number(in, "bytes_planned", finding->planned);
	field_number(in, "bytes_saved", finding->saved);
}

void import_findings_fields(const struct import *import, struct fields *in)
{
	struct finding all[SW_HLO_FINDING_COUNT] = {0};
	struct fields *list = field_list(in, "findings");

	for (int k = 0; k < SW_HLO_FINDING_COUNT; k++) {
		all[k].what = (sw_hlo_finding)k;
		weigh_finding(import, &all[k]);
	}
	qsort(all, SW_HLO_FINDING_COUNT, sizeof *all, by_saving);
	for (int k = 0; k < SW_HLO_FINDING_COUNT; k++)
		if (all[k].rows > 0)
			add_finding(import, &all[k], field_object(list, NULL));
}
