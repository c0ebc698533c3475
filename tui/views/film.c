/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The film of a plan: what devices have before the first step and after each, as small pictures in a row, with memory below and time in
 * proportion.
 */
#include <assert.h>

#include <shardwalk/cost.h>
#include <shardwalk/owners.h>

#include "views/draw.h"
#include "views/owners.h"
#include "views/strip.h"
#include "views/tiles.h"

#define PICTURE_ROWS 14 /* where no height is known */
#define PICTURE_LEAST 5
#define ROWS_AROUND 12 /* of all else in a pane */

struct film {
	const sw_plan *plan;
	struct strip strip;
};

static bool film_start(struct film *film, const struct view_options *opt, sw_arena *arena, sw_diag *diag)
{
	const sw_plan *plan = film->plan;
	struct holding ends[2] = {holding_of_step(plan, 0), holding_of_step(plan, plan->program.steps)};
	const sw_owners *owners = sw_owners_of_plan(plan, arena, diag);
	int dims[2];
	if (!owners)
		return false;
	strip_start(&film->strip, owners, &plan->problem.mesh, opt);
	int height = opt->room ? opt->room - ROWS_AROUND : 2 * PICTURE_ROWS / film->strip.per;
	strip_window(&film->strip, plan->program.steps + 1, height < PICTURE_LEAST ? PICTURE_LEAST : height);
	tiles_dims(ends, 2, opt, dims);
	strip_shape(&film->strip, &plan->problem.from, dims);
	return true;
}

/* ---- the row of them ---- */

static void name_draw(const struct film *film, int k, struct canvas *out, int y)
{
	int x = strip_column(&film->strip, k), room = film->strip.width, before = k > film->strip.first ? STRIP_GAP : 0;
	sw_text text = {0};
	if (k)
		sw_text_addf(&text, "%d ", k);
	if (k)
		sw_plan_print_step(film->plan, k - 1, &text);
	else
		sw_text_add(&text, "from");
	if (k && canvas_text_width(sw_text_get(&text)) > room + before) {
		sw_text_clear(&text);
		sw_text_addf(&text, "%d %s", k, sw_collective_of(film->plan->program.step[k - 1].op)->name);
	}
	canvas_put_center(out, x - before, y, room + before, k == film->strip.now ? ROLE_CURRENT : ROLE_OP,
		sw_text_get(&text));
	sw_text_free(&text);
}

static void arrow_draw(const struct film *film, int k, struct canvas *out, int y)
{
	int64_t members = sw_step_members(film->plan, k - 1);
	strip_arrow(&film->strip, k, members > 1 ? words_count(members).text : "", out, y);
}

static int pictures_draw(const struct film *film, struct canvas *out, int y)
{
	int height = strip_tallest(&film->strip);
	for (int k = film->strip.first; k < film->strip.first + film->strip.count; k++) {
		name_draw(film, k, out, y);
		strip_picture(&film->strip, k, out, strip_x(&film->strip, k), y + 1);
		if (k > film->strip.first)
			arrow_draw(film, k, out, y + 1 + height / 2);
	}
	return y + 1 + height;
}

/* ---- memory ---- */

static void memory_draw(const struct film *film, int k, struct canvas *out, int y)
{
	const sw_plan *plan = film->plan;
	int x = strip_column(&film->strip, k), room = film->strip.width;
	double most = step_memory_most(plan), tile = (double)plan->program.value[k].localsize;
	int live = (int)((double)step_live(plan, k) / most * room + 0.5), bar = (int)(tile / most * room + 0.5);
	bool over = plan->budget > 0 && plan->program.value[k].localsize > plan->budget;
	for (int i = bar; i < live; i++)
		canvas_put_glyph(out, x + i, y, ROLE_LIVE, GLYPH_SHADE2);
	canvas_bar(out, x, y, room, over ? ROLE_BAD : ROLE_BAR, tile, most);
	int budget = (int)((double)plan->budget / most * room + 0.5);
	if (plan->budget > 0 && budget <= room)
		canvas_lines(out, x + budget, y, ROLE_BUDGET, LINE_UP | LINE_DOWN | LINE_DASHED);
	sw_dtype dtype = plan->problem.from.dtype;
	canvas_put_cut(out, x, y + 1, room + STRIP_GAP - 1, over ? ROLE_BAD : ROLE_NUMBER,
		words_bytes(plan->program.value[k].localsize, dtype).text);
}

static int memories_draw(const struct film *film, struct canvas *out, int y)
{
	canvas_put(out, 0, y, ROLE_LABEL, "mem");
	for (int k = film->strip.first; k < film->strip.first + film->strip.count; k++)
		memory_draw(film, k, out, y);
	return y + 2;
}

/* ---- time ---- */

double film_seconds(const sw_plan *plan, int k)
{
	if (!sw_model_is_timed(plan->model))
		return sw_predict_seconds(plan, k, sw_machine_default());
	return k < 0 ? plan->model_cost : plan->program.step[k].model_cost;
}

/* The column of a moment of the axis. */
static int moment_at(const struct film *film, int room, int step, double passed)
{
	double at = 0, all = film_seconds(film->plan, -1);
	for (int k = 0; k < step; k++)
		at += film_seconds(film->plan, k);
	if (step < film->plan->program.steps)
		at += film_seconds(film->plan, step) * passed;
	return STRIP_MARGIN + (int)(at / all * (room - 1) + 0.5);
}

static void span_draw(const struct film *film, int k, int room, struct canvas *out, int y)
{
	int from = moment_at(film, room, k, 0), to = moment_at(film, room, k + 1, 0);
	enum role role = k + 1 == film->strip.about ? ROLE_MOVED : ROLE_BORDER;
	struct words words = words_seconds(film_seconds(film->plan, k));
	assert(room > 0 && k < film->plan->program.steps);
	int width = canvas_text_width(words.text) + 2;
	if (to > from)
		canvas_hline(out, from, y, to - from + 1, role, 0);
	canvas_lines(out, from, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	canvas_lines(out, to, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	if (to - from > width)
		canvas_putf(out, from + (to - from + 1 - width) / 2, y, k + 1 == film->strip.about ? ROLE_MOVED : ROLE_NUMBER,
			" %s ", words.text);
}

static bool times_known(const sw_plan *plan)
{
	bool known = film_seconds(plan, -1) > 0;
	for (int k = 0; k < plan->program.steps; k++)
		known = known && film_seconds(plan, k) >= 0;
	return known;
}

static int time_draw(const struct film *film, struct canvas *out, int y)
{
	if (!times_known(film->plan))
		return y;
	struct words all = words_seconds(film_seconds(film->plan, -1));
	int room = film->strip.opt->width - STRIP_MARGIN - canvas_text_width(all.text) - 1;
	canvas_put(out, 0, y + 1, ROLE_LABEL, "time");
	for (int k = 0; k < film->plan->program.steps; k++)
		span_draw(film, k, room, out, y + 1);
	canvas_put_glyph(out, moment_at(film, room, film->strip.now, film->strip.opt->passed), y, ROLE_MOVED,
		GLYPH_RECEIVES);
	canvas_put(out, STRIP_MARGIN + room + 1, y + 1, ROLE_NUMBER, all.text);
	return y + 2;
}

/* ---- words ---- */

/* On which devices the element is, step after step: the first of its copies. */
static void add_way(const struct film *film, sw_text *text)
{
	const int64_t *element = film->strip.opt->element;
	int64_t before = -1;
	sw_text_add(text, "  element [");
	for (int i = 0; i < film->plan->problem.from.rank; i++)
		sw_text_addf(text, "%s%lld", i ? ", " : "", (long long)element[i]);
	sw_text_add(text, "]: device ");
	for (int k = 0; k <= film->plan->program.steps; k++) {
		int64_t device = sw_owners_at(film->strip.of, k, element, 0);
		if (device != before)
			sw_text_addf(text, "%s%lld", k ? " → " : "", (long long)device);
		before = device;
	}
}

static int title_draw(const struct film *film, struct canvas *out)
{
	int steps = film->plan->program.steps;
	sw_text rest = {0};
	sw_text_addf(&rest, "%d step%s", steps, steps == 1 ? "" : "s");
	if (times_known(film->plan))
		sw_text_addf(&rest, "  %s", words_seconds(film_seconds(film->plan, -1)).text);
	if (film->strip.opt->element)
		add_way(film, &rest);
	int y = draw_title(out, 0, "film", sw_text_get(&rest));
	sw_text_free(&rest);
	if (film->strip.count <= steps)
		y = draw_note(out, 0, y, ROLE_NOTE, "pictures %d to %d of %d", film->strip.first + 1,
			film->strip.first + film->strip.count, steps + 1);
	return y;
}

static int sentence_draw(const struct film *film, struct canvas *out, int y)
{
	int steps = film->plan->program.steps, about = film->strip.about;
	struct words size = words_bytes(film->plan->program.value[0].localsize, film->plan->problem.from.dtype);
	if (!about && strip_tiled(&film->strip, 0))
		return draw_note(out, 0, y, ROLE_TEXT, "Before the first step: %s on each of %s devices.", size.text,
			words_count(film->plan->problem.mesh.devices).text);
	if (!about)
		return draw_note(out, 0, y, ROLE_TEXT, "Before the first step: at most %s on a device.", size.text);
	sw_text text = {0};
	step_sentence(film->plan, about - 1, &text);
	y = draw_note(out, 0, y, ROLE_TEXT, "Step %d of %d, %s: %s.", about, steps,
		words_seconds(film_seconds(film->plan, about - 1)).text, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int legend_draw(const struct film *film, struct canvas *out, int y)
{
	struct owners signs = film->strip.signs;
	struct holding first = holding_of_step(film->plan, 0);
	if (sw_owners_terms(film->strip.of) > 1)
		signs.now = &first;
	y = strip_notes(&film->strip, "", out, y);
	y = film->strip.per == 2 ? owners_note_colour(&signs, out, y) : owners_note(&signs, out, y);
	y = draw_note(out, 0, y, ROLE_NOTE,
		"█ tile   ▒ source and destination together%s%s%s; above an arrow: devices a group",
		film->plan->budget > 0 ? "   ╎ budget, " : "",
		film->plan->budget > 0 ? words_bytes(film->plan->budget, film->plan->problem.from.dtype).text : "",
		film->strip.opt->element ? "   ★ the element" : "");
	if (film->plan->program.steps == 0)
		return y;
	if (!times_known(film->plan))
		return draw_note(out, 0, y, ROLE_NOTE, "no time is known for some of these steps");
	return sw_model_is_timed(film->plan->model) ? y : draw_note(out, 0, y, ROLE_NOTE, "time by the model latency");
}

bool view_film(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (in->moments)
		return film_of_program(in, opt, out, diag);
	if (!in->plan)
		return draw_missing(diag, "plan", "after mesh and redistribute, type: plan");
	if (!draw_begin("film", opt, out))
		return true;
	struct film film = {.plan = in->plan};
	sw_arena *arena = sw_arena_new();
	bool ok = arena ? film_start(&film, opt, arena, diag) : sw_diag_memory(diag);
	if (ok) {
		int y = title_draw(&film, out) + 1;
		y = pictures_draw(&film, out, y);
		y = memories_draw(&film, out, y);
		y = time_draw(&film, out, y);
		y = sentence_draw(&film, out, y);
		legend_draw(&film, out, y);
	}
	sw_arena_free(arena);
	return ok;
}
