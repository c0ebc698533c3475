/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules in words and fields.
 */
#include "views/scheduled.h"

#include <assert.h>
#include <stdio.h>

#include "answer/words.h"
#include "session/schedules.h"

#define RUN_MOST (1 << 22)     /* operations of a run whose result is told */
#define WALK_MOST (1 << 12)    /* steps of processors of a walk that is listed */
#define SENDERS_MOST (1 << 22) /* steps of processors, of which it is looked at who sends */

bool session_schedule_look(struct session *session, struct schedule_look *look, sw_diag *diag)
{
	const struct kept_schedule *kept = session_kept_schedule(&session->state);

	if (kept == NULL)
		kept = session_schedule_begun(session, diag);
	if (kept == NULL)
		return false;
	*look = (struct schedule_look){kept->schedule, kept->lowering, session_schedule_step(session), kept->exact,
		kept->words, session->arena};
	if (look->lowering == NULL)
		look->lowering = sw_lowering_of(kept->schedule, session->arena, diag);
	return look->lowering != NULL;
}

/* ---- words ---- */

sw_str schedule_array(const sw_lowering *lowering, int array)
{
	const sw_formula *formula = &lowering->schedule->problem->formula;

	assert(array >= 0 && array < formula->arrays);
	return formula->array[array].name;
}

static int levels_of(const sw_lowering *lowering)
{
	return sw_mesh_levels(lowering->schedule->problem->mesh);
}

void schedule_print_fetch(const sw_lowering *lowering, const sw_fetch *fetch, sw_text *text)
{
	sw_text_add_str(text, schedule_array(lowering, fetch->array));
	if (levels_of(lowering) > 1)
		sw_text_addf(text, "@%d", fetch->level);
}

/* `0-2`, or `3` alone, as regions have it. */
static void print_range(const int64_t *range, const char *before, sw_text *text)
{
	sw_text_addf(text, "%s%lld", before, (long long)range[0]);
	if (range[1] - range[0] != 1)
		sw_text_addf(text, "-%lld", (long long)range[1] - 1);
}

void schedule_print_box(const int64_t *box, int rank, sw_text *text)
{
	sw_text_add_char(text, '[');
	for (int d = 0; d < rank; d++)
		print_range(&box[2 * d], d > 0 ? ", " : "", text);
	sw_text_add_char(text, ']');
}

void schedule_print_boxes(const sw_boxes *boxes, sw_text *text)
{
	if (boxes->count == 0)
		sw_text_add(text, "nothing");
	for (int k = 0; k < boxes->count; k++) {
		sw_text_add(text, k > 0 ? " " : "");
		schedule_print_box(boxes->at + (int64_t)k * 2 * boxes->rank, boxes->rank, text);
	}
}

int schedule_axes(const sw_lowering *lowering, int level, int axis[SW_MAX_AXES])
{
	const sw_mesh *mesh = lowering->schedule->problem->mesh;
	int count = 0;

	for (int k = 0; k < mesh->count; k++)
		if (mesh->axis[k].level < level)
			axis[count++] = k;
	return count;
}

void schedule_print_offset(const sw_schedule_pattern *pattern, sw_text *text)
{
	static const char *const words[2][2] = {{"left", "right"}, {"up", "down"}};
	int moved = 0, along = 0;

	for (int k = 0; k < pattern->axes; k++)
		if (pattern->offset[k] != 0) {
			moved++;
			along = k;
		}
	int64_t by = moved == 1 ? pattern->offset[along] : 0;
	if (pattern->axes <= 2 && (by == 1 || by == -1)) {
		sw_text_add(text, words[pattern->axes - 1 - along][by > 0]);
		return;
	}
	for (int k = 0; k < pattern->axes; k++)
		sw_text_addf(text, "%s%+lld", k > 0 ? ", " : "by (", (long long)pattern->offset[k]);
	sw_text_add_char(text, ')');
}

/* The elements of each message, where all have as many; else 0. */
static int64_t each_of(const sw_schedule_messages *messages, int fetch)
{
	int64_t each = -1;

	for (int64_t k = 0; k < messages->count; k++) {
		const sw_schedule_message *message = &messages->message[k];
		if (message->fetch == fetch)
			each = each < 0 || each == message->elements ? message->elements : 0;
	}
	return each < 0 ? 0 : each;
}

void schedule_print_pattern(const sw_schedule_pattern *pattern, const sw_schedule_messages *messages, int fetch,
	sw_text *text)
{
	int64_t each = each_of(messages, fetch);

	sw_text_add(text, sw_schedule_pattern_word(pattern->name));
	if (pattern->name == SW_SCHEDULE_PATTERN_NONE)
		return;
	if (pattern->name == SW_SCHEDULE_PATTERN_SHIFT) {
		sw_text_add_char(text, ' ');
		schedule_print_offset(pattern, text);
	}
	if (each > 0)
		sw_text_addf(text, ", %s of %lld", words_plural(pattern->messages, "tile", "tiles").text, (long long)each);
	else
		sw_text_addf(text, ", %s, %s", words_plural(pattern->messages, "message", "messages").text,
			words_plural(pattern->elements, "element", "elements").text);
}

/* ---- what all steps come to ---- */

static int64_t sum_of(const int64_t *list, int64_t count)
{
	int64_t sum = 0;

	for (int64_t k = 0; k < count; k++)
		sum += list[k];
	return sum;
}

static void say_volumes(const sw_formula *formula, const sw_schedule_totals *totals, sw_text *text)
{
	for (int k = 0; k < formula->arrays; k++)
		sw_text_addf(text, "%s%.*s %s", k > 0 ? ", " : " (", (int)formula->array[k].name.length,
			formula->array[k].name.at, words_count(totals->volumes[k]).text);
	sw_text_add_char(text, ')');
}

void schedule_say_totals(const sw_formula *formula, int64_t steps, const sw_schedule_totals *totals,
	struct document *answer)
{
	sw_text text = {0};

	sw_text_addf(&text, "%s, %s moved", words_plural(steps, "step", "steps").text,
		words_plural(totals->volume, "element", "elements").text);
	if (totals->volume > 0)
		say_volumes(formula, totals, &text);
	sw_text_addf(&text, "; on one device at most %s received, %s held, %s live (%s while the next arrives)",
		words_count(totals->most_received).text, words_count(totals->most_held).text,
		words_count(totals->most_peak).text, words_count(totals->most_peak_overlap).text);
	if (totals->idle > 0)
		sw_text_addf(&text, "; %s idle", words_plural(totals->idle, "device is", "devices are").text);
	document_say(answer, 0, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

bool schedule_say(const struct schedule_look *look, const sw_pulse *pulse, struct document *answer, sw_diag *diag)
{
	const sw_lowering *lowering = look->lowering;
	sw_arena *arena = sw_arena_new();
	sw_schedule_totals totals;
	bool ok = arena != NULL ? sw_lowering_totals(lowering, false, pulse, arena, &totals, diag) : sw_diag_memory(diag);

	if (ok)
		schedule_say_totals(&lowering->schedule->problem->formula, lowering->steps, &totals, answer);
	sw_arena_free(arena);
	return ok;
}

/* ---- fields ---- */

struct telling {
	const sw_lowering *lowering;
	const sw_pulse *pulse;
	sw_arena *arena;
	sw_diag *diag;
	int64_t processors;
};

static void tell_loops(const sw_schedule *schedule, struct fields *out)
{
	struct fields *list = field_list(out, "loops");

	for (int k = 0; k < schedule->loops; k++)
		field_str(list, NULL, schedule->loop[k].name);
}

/* What is communicated under a loop. */
static void tell_communicates(const sw_schedule *schedule, int variable, struct fields *in)
{
	struct fields *list = field_list(in, "communicate");

	for (int k = 0; k < schedule->communicates; k++)
		if (schedule->communicate[k].variable == variable)
			field_str(list, NULL, schedule->problem->formula.array[schedule->communicate[k].array].name);
}

static void tell_nest(const sw_schedule *schedule, struct fields *out)
{
	struct fields *list = field_list(out, "nest");

	for (int k = 0; k < schedule->loops; k++) {
		const sw_schedule_loop *loop = &schedule->loop[k];
		struct fields *in = field_object(list, NULL);
		field_str(in, "loop", loop->name);
		field_int(in, "extent", loop->extent);
		field_text(in, "in",
			loop->distributed ? "space" :
				loop->leaf    ? "kernel" :
				loop->threads ? "threads" :
								"time");
		tell_communicates(schedule, loop->variable, in);
	}
}

static void tell_schedule(const sw_schedule *schedule, struct fields *out)
{
	struct fields *commands = field_list(out, "schedule");
	sw_text notation = {0};

	field_str(out, "statement", schedule->problem->statement);
	for (int k = 0; k < schedule->commands; k++)
		field_str(commands, NULL, sw_schedule_command_text(schedule, k));
	tell_loops(schedule, out);
	tell_nest(schedule, out);
	sw_schedule_print(schedule, &notation);
	field_printed(out, "notation", &notation);
}

/* By which rule one of several holders sends. */
static void tell_senders(const sw_lowering *lowering, struct fields *out)
{
	field_text(out, "sender", sw_sender_rule_name(lowering->senders));
}

static void tell_totals(const struct telling *t, const sw_schedule_totals *totals, struct fields *out)
{
	const sw_schedule_problem *problem = t->lowering->schedule->problem;
	int levels = levels_of(t->lowering);
	const struct {
		const char *key;
		const int64_t *list;
	} lists[] = {{"received", totals->received}, {"sent", totals->sent}, {"held", totals->held},
		{"peak", totals->peak}, {"peak_overlap", totals->peak_overlap}, {"flops", totals->flops}};

	field_int(out, "volume", totals->volume);
	struct fields *volumes = field_object(out, "volumes");
	for (int k = 0; k < problem->formula.arrays; k++) {
		sw_str name = problem->formula.array[k].name;
		field_int(volumes, fields_key(volumes, name), totals->volumes[k]);
	}
	for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
		if (lists[k].list != NULL)
			field_ints(out, lists[k].key, lists[k].list, t->processors);
	if (levels > 1) {
		field_ints(out, "volume_by_level", (const int64_t[]){totals->between, totals->inside}, 2);
		field_ints(out, "node_peak", totals->node_peak, sw_schedule_units(problem->mesh, levels - 1));
	}
}

static bool tell_result(const struct telling *t, struct fields *out)
{
	sw_schedule_result result;

	if (!sw_lowering_run(t->lowering, t->pulse, t->arena, &result, t->diag))
		return false;
	field_int(out, "sum", result.sum);
	field_int(out, "checksum", result.checksum);
	field_ints(out, "first", result.first, result.firsts);
	return true;
}

/* ---- the walk, step by step ---- */

static const char *fetch_key(const struct telling *t, const sw_fetch *fetch, struct fields *in)
{
	sw_text text = {0};
	const char *key;

	schedule_print_fetch(t->lowering, fetch, &text);
	key = fields_key(in, sw_str_of(sw_text_get(&text)));
	sw_text_free(&text);
	return key;
}

static void tell_box(const int64_t *at, int rank, struct fields *in)
{
	struct fields *box = field_list(in, NULL);

	for (int d = 0; d < rank; d++)
		field_ints(box, NULL, at + 2 * d, 2);
}

static bool tell_need(const struct telling *t, int number, int64_t step, struct fields *in)
{
	const sw_fetch *fetch = &t->lowering->fetch[number];
	int64_t units = sw_schedule_units(t->lowering->schedule->problem->mesh, fetch->level);
	struct fields *of = field_object(in, fetch_key(t, fetch, in));
	sw_boxes need;

	for (int64_t unit = 0; unit < units; unit++) {
		char name[24];
		if (sw_lowering_idle(t->lowering, fetch->level, unit))
			continue;
		if (!sw_lowering_need(t->lowering, number, step, unit, t->arena, &need))
			return sw_diag_memory(t->diag);
		snprintf(name, sizeof name, "%lld", (long long)unit);
		struct fields *boxes = field_list(of, fields_key(of, sw_str_of(name)));
		for (int k = 0; k < need.count; k++)
			tell_box(need.at + (int64_t)k * 2 * need.rank, need.rank, boxes);
	}
	return true;
}

static bool tell_pattern(const struct telling *t, int number, const sw_schedule_messages *messages,
	struct fields *patterns)
{
	const sw_fetch *fetch = &t->lowering->fetch[number];
	sw_schedule_pattern pattern;

	if (!sw_lowering_pattern(t->lowering, number, messages, t->arena, &pattern))
		return sw_diag_memory(t->diag);
	if (pattern.name == SW_SCHEDULE_PATTERN_NONE)
		return true;
	struct fields *in = field_object(patterns, fetch_key(t, fetch, patterns));
	field_text(in, "pattern", sw_schedule_pattern_word(pattern.name));
	if (pattern.name == SW_SCHEDULE_PATTERN_SHIFT)
		field_ints(in, "offset", pattern.offset, pattern.axes);
	return true;
}

static void tell_message(const struct telling *t, const sw_schedule_message *message, struct fields *list)
{
	const sw_fetch *fetch = &t->lowering->fetch[message->fetch];
	struct fields *in = field_list(list, NULL);

	field_text(in, NULL, fetch_key(t, fetch, in));
	field_int(in, NULL, message->from);
	field_int(in, NULL, message->to);
	tell_box(message->box, t->lowering->schedule->problem->formula.array[fetch->array].rank, in);
}

static void tell_at(const struct telling *t, int64_t step, struct fields *in)
{
	const sw_lowering *lowering = t->lowering;
	struct fields *at = field_object(in, "at");
	int64_t *value = SW_NEW(t->arena, int64_t, lowering->times + 1);

	if (value != NULL)
		sw_lowering_at(lowering, step, value);
	for (int k = 0; value != NULL && k < lowering->times; k++) {
		sw_str name = lowering->schedule->loop[lowering->time[k]].name;
		field_int(at, fields_key(at, name), value[k]);
	}
}

static bool tell_step(const struct telling *t, int64_t step, struct fields *in)
{
	const sw_lowering *lowering = t->lowering;
	sw_schedule_messages messages;

	tell_at(t, step, in);
	struct fields *need = field_object(in, "need");
	for (int k = 0; k < lowering->fetches; k++)
		if (sw_fetch_begins(&lowering->fetch[k], step) && !tell_need(t, k, step, need))
			return false;
	if (!sw_lowering_messages(lowering, step, t->arena, &messages))
		return sw_diag_memory(t->diag);
	struct fields *patterns = field_object(in, "patterns");
	for (int k = 0; k < lowering->fetches; k++)
		if (!tell_pattern(t, k, &messages, patterns))
			return false;
	struct fields *ins = field_list(in, "in"), *outs = field_list(in, "out");
	for (int64_t k = 0; k < messages.count; k++)
		tell_message(t, &messages.message[k], k < messages.count - messages.outs ? ins : outs);
	return true;
}

static bool tell_walk(const struct telling *t, struct fields *out)
{
	struct fields *list = field_list(out, "walk");

	for (int64_t step = 0; step < t->lowering->steps; step++)
		if (!tell_step(t, step, field_object(list, NULL)))
			return false;
	return true;
}

/* What is told of small problems only. */
static bool tell_small(const struct telling *t, const sw_schedule_totals *totals, struct fields *out)
{
	bool small = sum_of(totals->flops, t->processors) <= RUN_MOST;
	bool listed = t->lowering->steps <= WALK_MOST / t->processors;

	return (!small || tell_result(t, out)) && (!listed || tell_walk(t, out));
}

bool schedule_has_senders(const sw_lowering *lowering)
{
	return levels_of(lowering) > 1 || lowering->steps <= SENDERS_MOST / lowering->schedule->problem->mesh->devices;
}

bool schedule_fields(const struct schedule_look *look, const sw_pulse *pulse, struct fields *out, sw_diag *diag)
{
	struct telling t = {.lowering = look->lowering,
		.pulse = pulse,
		.diag = diag,
		.processors = look->schedule->problem->mesh->devices};
	sw_schedule_totals totals;
	bool ok;

	if (out == NULL)
		return true;
	tell_schedule(look->schedule, out);
	tell_senders(look->lowering, out);
	field_int(out, "steps", look->lowering->steps);
	t.arena = sw_arena_new();
	ok = t.arena != NULL ?
		sw_lowering_totals(t.lowering, schedule_has_senders(t.lowering), pulse, t.arena, &totals, diag) :
		sw_diag_memory(diag);
	if (ok) {
		tell_totals(&t, &totals, out);
		ok = tell_small(&t, &totals, out);
	}
	sw_arena_free(t.arena);
	return ok;
}
