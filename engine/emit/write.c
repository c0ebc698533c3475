/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What formats share: groups and maps of a plan, refusals, and pieces of text.
 */
#include "emit/write.h"
#include "step/row.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/uneven.h>

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

void sw_emit_numbers(sw_text *text, const int64_t *number, int count)
{
	for (int k = 0; k < count; k++)
		sw_text_addf(text, "%s%lld", k ? ", " : "", (long long)number[k]);
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

/* ---- remarks ---- */

/* A comment of any language: on one line, and without the sign that ends one of C. */
static void add_harmless(sw_text *text, const char *words)
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
	add_harmless(e->text, sw_text_get(words));
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

static void remark_devices(const sw_emitter *e, const char *mark, const char *when, const int64_t *devices,
	sw_text *words)
{
	sw_text_addf(words, "devices %s:", when);
	for (int64_t p = 0; p < e->devices && p < 32; p++)
		sw_text_addf(words, " %lld", (long long)devices[p]);
	sw_text_add(words, e->devices > 32 ? " ..." : "");
	remark_line(e, mark, words);
}

static void remark_plan(const sw_emitter *e, const char *mark, sw_text *words)
{
	const sw_plan *plan = e->plan;

	sw_text_addf(words, "plan    %s: %d step%s, cost %lld, height %lld elements per device",
		plan->origin ? plan->origin : sw_strategy_name(plan->strategy), plan->count, plan->count == 1 ? "" : "s",
		(long long)plan->cost, (long long)plan->height);
	remark_line(e, mark, words);
}

static void remark_advice(const sw_emitter *e, const char *mark, sw_text *words)
{
	sw_text_addf(words, "advice  %s", e->advice->why ? e->advice->why : "");
	remark_line(e, mark, words);
}

void sw_emit_remark_problem(const sw_emitter *e, const char *mark)
{
	const sw_problem *problem = &e->plan->problem;
	sw_text words = {0};

	sw_text_add(&words, "mesh    ");
	sw_mesh_print(&problem->mesh, &words);
	remark_line(e, mark, &words);
	sw_text_add(&words, "from    ");
	sw_type_print(&problem->mesh, &problem->from, true, &words);
	remark_line(e, mark, &words);
	sw_text_add(&words, "to      ");
	sw_type_print(&problem->mesh, &problem->to, true, &words);
	remark_line(e, mark, &words);
	if (sw_type_padded(&problem->from))
		remark_padding(e, mark, &words);
	if (e->plan->devices)
		remark_devices(e, mark, "of the mesh", e->plan->devices, &words);
	if (e->plan->devices && memcmp(e->plan->devices, e->plan->to_devices, sizeof(int64_t) * (size_t)e->devices) != 0)
		remark_devices(e, mark, "of the mesh at the end", e->plan->to_devices, &words);
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
	const sw_step *step = &e->plan->steps[k];

	sw_text_addf(text, "step %d, %s:", k + 1, sw_collective_of(step->op)->name);
	remark_entries("gathers ", step->gather, step->gathers, text);
	sw_text_add(text, step->gathers && step->splits ? ";" : "");
	remark_entries("splits ", step->split, step->splits, text);
	sw_text_add(text, step->gathers || step->splits ? "; " : " ");
	sw_type_print_tile(sw_plan_tile_before(e->plan, k), e->rank, text);
	sw_text_add(text, " becomes ");
	sw_type_print_tile(step->tile, e->rank, text);
}

/* ---- the plan, prepared ---- */

static bool lacks_groups(const sw_plan *plan)
{
	for (int k = 0; k < plan->count; k++) {
		const sw_step *step = &plan->steps[k];

		if (sw_row(step->op)->grouped && !step->groups)
			return true;
		if (sw_row(step->op)->permutes && !step->source)
			return true;
	}
	return false;
}

static bool add_groups(sw_emitter *e)
{
	sw_plan *copy = SW_NEW(e->arena, sw_plan, 1);
	sw_step *steps = SW_NEW(e->arena, sw_step, e->plan->count);

	if (!copy || !steps)
		return sw_diag_memory(e->diag);
	*copy = *e->plan;
	for (int k = 0; k < copy->count; k++)
		steps[k] = copy->steps[k];
	copy->steps = steps;
	e->plan = copy;
	return sw_plan_group(copy, e->arena, e->diag) && (!e->moved || sw_plan_on_devices(copy, e->arena, e->diag));
}

const sw_type *sw_emit_type_at(const sw_emitter *e, int k)
{
	return e->moved ? NULL : sw_plan_type_at(e->plan, k);
}

/* The map before step k, in which the devices of places take the numbers of these. */
static bool add_map(sw_emitter *e, int k)
{
	const int64_t *ids = e->moved ? sw_plan_devices(e->plan, k) : NULL;
	size_t numbers = (size_t)(e->devices * (e->rank + 1)), row = (size_t)e->rank * sizeof(int64_t);
	int64_t *map = SW_NEW(e->arena, int64_t, numbers), *moved = SW_NEW(e->arena, int64_t, numbers);

	if (!map || !moved)
		return sw_diag_memory(e->diag);
	if (!sw_plan_map(e->plan, k, map, e->diag))
		return false;
	for (int64_t p = 0; p < e->devices; p++)
		memcpy(moved + (ids ? ids[p] : p) * e->rank, map + p * e->rank, row);
	e->map[k] = moved;
	return true;
}

bool sw_emit_prepare(sw_emitter *e, bool by_device)
{
	e->moved = by_device && e->plan->devices;
	if (e->devices > SW_MAX_EMIT_DEVICES)
		return sw_emit_refuse(e, "the formats jax and shardy list no devices",
			"steps of %lld devices are not listed: %d are the most", (long long)e->devices, SW_MAX_EMIT_DEVICES);
	if ((lacks_groups(e->plan) || e->moved) && !add_groups(e))
		return false;
	e->map = SW_NEW(e->arena, const int64_t *, e->plan->count + 1);
	if (!e->map)
		return sw_diag_memory(e->diag);
	for (int k = 0; k <= e->plan->count; k++)
		if (!add_map(e, k))
			return false;
	return true;
}
