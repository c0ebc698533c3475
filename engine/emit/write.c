/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What formats share: groups and maps of a plan, refusals, and pieces of text.
 */
#include "emit/write.h"
#include "step/row.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/uneven.h>

/* ---- emitters ---- */

sw_emitter sw_emit_of_plan(const sw_plan *plan, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	return (sw_emitter){.plan = plan,
		.arena = arena,
		.text = text,
		.diag = diag,
		.devices = plan->problem.mesh.devices,
		.rank = plan->problem.from.rank};
}

bool sw_emit_end(const sw_emitter *e, size_t start, bool ok)
{
	assert(start <= e->text->length);
	if (ok && e->text->failed)
		ok = sw_diag_memory(e->diag);
	if (!ok && e->text->data) {
		e->text->length = start;
		e->text->data[start] = '\0';
	}
	return ok;
}

/* ---- refusals and text ---- */

bool sw_emit_refuse(const sw_emitter *e, const char *hint, const char *format, ...)
{
	char reason[240];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	sw_diag_set(e->diag, SW_P06, (sw_span){0, 0}, "%s", reason);
	sw_diag_hint(e->diag, "%s", hint);
	return false;
}

void sw_emit_line(const sw_emitter *e, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	sw_text_addv(e->text, format, arguments);
	va_end(arguments);
	sw_text_add_char(e->text, '\n');
}

void sw_emit_lines(const sw_emitter *e, const char *const *line)
{
	for (; *line; line++)
		sw_emit_line(e, "%s", *line);
}

void sw_emit_numbers(sw_text *text, const int64_t *number, int count)
{
	for (int k = 0; k < count; k++)
		sw_text_addf(text, "%s%lld", k ? ", " : "", (long long)number[k]);
}

void sw_emit_rows(sw_text *text, const int32_t *number, int64_t rows, int64_t size, const char *open,
	const char *comma, const char *close)
{
	assert(size >= 1);
	for (int64_t n = 0; n < rows * size; n++) {
		bool first = n % size == 0, last = n % size == size - 1;
		sw_text_addf(text, "%s%s%d%s", n ? comma : "", first ? open : "", (int)number[n], last ? close : "");
	}
}

void sw_emit_quoted(sw_text *text, const char *name)
{
	sw_text_add_char(text, '"');
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			sw_text_add_char(text, '\\');
		sw_text_add_char(text, *name);
	}
	sw_text_add_char(text, '"');
}

bool sw_emit_adds(const sw_emitter *e)
{
	for (int k = 0; k < e->plan->program.steps; k++)
		if (sw_adds_terms(e->plan->program.step[k].op))
			return true;
	return false;
}

bool sw_emit_has_sums(const sw_emitter *e)
{
	for (int k = 0; k <= e->plan->program.steps; k++) {
		const sw_type *type = e->plan->program.value[k].type;

		if (type && sw_type_terms(type) > 1)
			return true;
	}
	return false;
}

/* ---- remarks ---- */

void sw_emit_harmless(sw_text *text, const char *words)
{
	for (; *words; words++) {
		bool ends = (*words == '*' && words[1] == '/') || (*words == '/' && words[1] == '*');

		sw_text_add_char(text, (unsigned char)*words < ' ' ? ' ' : *words);
		if (ends)
			sw_text_add_char(text, ' ');
	}
}

static void remark_line(const sw_emitter *e, const char *mark, sw_text *words)
{
	sw_text_addf(e->text, "%s", mark);
	sw_emit_harmless(e->text, sw_text_get(words));
	sw_text_add_char(e->text, '\n');
	sw_text_clear(words);
}

/* Whoever takes the code over has to pad his array, and to cut what comes back. */
static void remark_padding(const sw_emitter *e, const char *mark, sw_text *words)
{
	const sw_problem *problem = &e->plan->problem;

	sw_text_add(words, "padded  ");
	sw_uneven_explain(&problem->from, &problem->to, "; ", words);
	remark_line(e, mark, words);
}

static void remark_devices(const sw_emitter *e, const char *mark, const char *when, const int64_t *order,
	sw_text *words)
{
	sw_text_addf(words, "devices %s:", when);
	for (int64_t p = 0; p < e->devices && p < 32; p++)
		sw_text_addf(words, " %lld", (long long)sw_device_at(order, p));
	sw_text_add(words, e->devices > 32 ? " ..." : "");
	remark_line(e, mark, words);
}

static void remark_plan(const sw_emitter *e, const char *mark, sw_text *words)
{
	const sw_plan *plan = e->planned ? e->planned : e->plan;

	sw_text_addf(words, "plan    %s: %d step%s, cost %lld, height %lld elements per device",
		plan->origin ? plan->origin : sw_strategy_name(plan->strategy), plan->program.steps,
		plan->program.steps == 1 ? "" : "s", (long long)plan->cost, (long long)plan->height);
	if (e->plan != plan)
		sw_text_addf(words, "; written as %d steps, cost %lld, height %lld", e->plan->program.steps,
			(long long)e->plan->cost, (long long)e->plan->height);
	remark_line(e, mark, words);
}

static void remark_advice(const sw_emitter *e, const char *mark, sw_text *words)
{
	sw_text_addf(words, "advice  %s", e->advice->why ? e->advice->why : "");
	remark_line(e, mark, words);
}

static void print_end(const sw_problem *problem, const sw_type *type, const sw_distribution *words, sw_text *text)
{
	if (words)
		sw_distribution_print(&problem->mesh, words, true, text);
	else
		sw_type_print(&problem->mesh, type, true, text);
}

void sw_emit_remark_problem(const sw_emitter *e, const char *mark)
{
	const sw_problem *problem = &e->plan->problem;
	sw_text words = {0};

	sw_text_add(&words, "mesh    ");
	sw_mesh_print(&problem->mesh, &words);
	remark_line(e, mark, &words);
	sw_text_add(&words, "from    ");
	print_end(problem, &problem->from, problem->from_words, &words);
	remark_line(e, mark, &words);
	sw_text_add(&words, "to      ");
	print_end(problem, &problem->to, problem->to_words, &words);
	remark_line(e, mark, &words);
	if (sw_type_padded(&problem->from))
		remark_padding(e, mark, &words);
	if (sw_problem_ordered(problem))
		remark_devices(e, mark, "of the mesh", problem->mesh.order, &words);
	if (!sw_device_order_equal(problem->mesh.order, sw_problem_to_order(problem), e->devices))
		remark_devices(e, mark, "of the mesh at the end", sw_problem_to_order(problem), &words);
	if (!e->advice)
		remark_plan(e, mark, &words);
	else
		remark_advice(e, mark, &words);
	sw_text_free(&words);
}

static void remark_entries(const char *what, const sw_entry *entry, int count, sw_text *text)
{
	for (int k = 0; k < count; k++)
		sw_text_addf(text, "%s %sdimension %d by %lld", k ? "," : "", k ? "" : what, entry[k].dim,
			(long long)entry[k].factor);
}

void sw_emit_remark_step(const sw_emitter *e, int k, sw_text *text)
{
	assert(k >= 0 && k < e->plan->program.steps);
	static const char *const sums[SW_ON_TERMS] = {"", " sums;", " fills with zeros;",
		" fills with zeros;"}; /* in the order of sw_on_terms */
	const sw_step *step = &e->plan->program.step[k];

	sw_text_addf(text, "step %d, %s%s%s:%s", k + 1, sw_collective_of(step->op)->name, step->by.words ? " " : "",
		step->by.words ? step->by.words : "", sums[sw_row(step->op)->terms]);
	remark_entries("gathers ", step->gather, step->gathers, text);
	sw_text_add(text, step->gathers && step->splits ? ";" : "");
	remark_entries("splits ", step->split, step->splits, text);
	sw_text_add(text, step->gathers || step->splits ? "; " : " ");
	sw_type_print_tile(e->plan->program.value[k].tile, e->rank, text);
	sw_text_add(text, " becomes ");
	sw_type_print_tile(e->plan->program.value[k + 1].tile, e->rank, text);
	if (e->remarks && e->remarks[k])
		sw_text_addf(text, "; %s", e->remarks[k]);
}

/* ---- the plan, prepared ---- */

static bool lacks_groups(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++) {
		const sw_step *step = &plan->program.step[k];

		if ((step->group_size > 0 && !step->groups) || (sw_row(step->op)->among == SW_AMONG_PAIRS && !step->source))
			return true;
	}
	return false;
}

static bool add_groups(sw_emitter *e)
{
	sw_plan *copy = SW_NEW(e->arena, sw_plan, 1);

	if (!copy)
		return sw_diag_memory(e->diag);
	*copy = *e->plan;
	if (!sw_plan_own(copy, 0, e->arena))
		return sw_diag_memory(e->diag);
	e->plan = copy;
	return sw_plan_group(copy, e->arena, e->diag);
}

const sw_type *sw_emit_type_at(const sw_emitter *e, int k)
{
	assert(k >= 0 && k <= e->plan->program.steps);
	return e->by_device ? NULL : e->plan->program.value[k].type;
}

static bool add_steps(sw_emitter *e)
{
	sw_step *steps = SW_NEW(e->arena, sw_step, e->plan->program.steps);

	e->steps = e->by_device ? steps : e->plan->program.step;
	for (int k = 0; steps && e->by_device && k < e->plan->program.steps; k++)
		if (!sw_step_on_devices(e->plan, k, e->arena, &steps[k], e->diag))
			return false;
	return steps || sw_diag_memory(e->diag);
}

static bool add_map(sw_emitter *e, int k)
{
	int64_t *map = e->by_device ? NULL : SW_NEW(e->arena, int64_t, e->devices * e->rank);

	if (e->by_device)
		e->map[k] = sw_plan_device_map(e->plan, k, e->arena, e->diag);
	else if (map && sw_plan_map(e->plan, k, map, e->diag))
		e->map[k] = map;
	else
		return map ? false : sw_diag_memory(e->diag);
	return e->map[k] != NULL;
}

bool sw_emit_prepare(sw_emitter *e, bool by_device)
{
	e->by_device = by_device && sw_problem_ordered(&e->plan->problem);
	if (e->devices > SW_MAX_EMIT_DEVICES)
		return sw_emit_refuse(e, "the formats jax, dtensor and shardy list no devices",
			"steps of %lld devices are not listed: %d are the most", (long long)e->devices, SW_MAX_EMIT_DEVICES);
	if ((lacks_groups(e->plan) && !add_groups(e)) || !add_steps(e))
		return false;
	e->map = SW_NEW(e->arena, const int64_t *, e->plan->program.steps + 1);
	if (!e->map)
		return sw_diag_memory(e->diag);
	for (int k = 0; k <= e->plan->program.steps; k++)
		if (!add_map(e, k))
			return false;
	return true;
}
