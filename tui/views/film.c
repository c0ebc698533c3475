/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The film of a plan: what devices have before the first step and after each, as small pictures in a row, with memory below and time in
 * proportion.
 */
#include <string.h>

#include <shardwalk/owners.h>

#include "views/film.h"
#include "views/film_way.h"
#include "views/owners.h"
#include "views/summed.h"
#include "views/tiles.h"

#define PICTURE_ROWS 14 /* where no height is known */
#define PICTURE_LEAST 5
#define ROWS_AROUND 12       /* of all else in a pane, */
#define ROWS_AROUND_LOW 10   /* of one that is low, */
#define ROWS_AROUND_BOTH 16  /* and of two plans */
#define ROWS_AROUND_TIGHT 12 /* where few rows are left */
#define ROWS_TIGHT 28        /* of a pane */
#define PICTURE_LEAST_BOTH 4

/* Rows of a picture. */
static int height_of(const struct films *films, const struct film *film)
{
	const struct view_options *opt = &film->opt;
	bool both = films->count > 1;
	int room = opt->room ? opt->room - films->ports : opt->height, most = 2 * PICTURE_ROWS / film->strip.per,
		least = both ? PICTURE_LEAST_BOTH : PICTURE_LEAST;
	if (room)
		most = both ? (room - (film->tight ? ROWS_AROUND_TIGHT : ROWS_AROUND_BOTH)) / FILMS_MOST :
					  room - (strip_spares(opt) ? ROWS_AROUND : ROWS_AROUND_LOW);
	return most < least ? least : most;
}

static bool film_start(const struct films *films, struct film *film, sw_arena *arena, sw_diag *diag)
{
	const sw_plan *plan = film->plan;
	struct holding ends[2] = {holding_of_step(plan, 0), holding_of_step(plan, plan->program.steps)};
	int dims[2];
	if (!film->owners)
		film->owners = sw_owners_of_plan(plan, arena, diag);
	if (!film->owners)
		return false;
	strip_start(&film->strip, film->owners, &plan->problem.mesh, &film->opt);
	strip_window(&film->strip, height_of(films, film));
	tiles_dims(ends, 2, &film->opt, dims);
	strip_shape(&film->strip, &plan->problem.from, dims);
	return true;
}

#define PICTURE_BESIDE_PORTS 8 /* rows that the pictures keep where the system is below them */

/* The system below the pictures takes so many rows, where there is room for both. */
static int ports_rows(const struct films *films, const struct view_options *opt)
{
	struct canvas canvas = {0};
	if (!ports_known(films->look) || films->count > 1)
		return 0;
	canvas_reset(&canvas, opt->width);
	int rows = 1 + ports_draw(films->look, 1, &canvas, 0);
	canvas_free(&canvas);
	return !opt->room || opt->room - ROWS_AROUND - rows >= PICTURE_BESIDE_PORTS ? rows : 0;
}

/* The second plan is at the same time as the first; where times are not known at the same step. */
static void take_second(struct films *films, const struct view_input *in)
{
	struct film *first = &films->film[0], *second = &films->film[films->count++];
	*second = (struct film){.plan = in->beside,
		.timed = in->timed,
		.name = in->beside_name,
		.owners = in->beside_owners,
		.opt = first->opt};
	if (!film_times_known(first->timed, first->plan) || !film_times_known(second->timed, second->plan))
		return;
	double longest = film_seconds(second->timed, second->plan, -1);
	film_at_seconds(second->timed, second->plan, film_passed(first->timed, first->plan, &first->opt, longest),
		&second->opt);
}

static bool films_start(struct films *films, const struct view_input *in, const struct view_options *opt,
	sw_arena *arena, sw_diag *diag)
{
	const sw_plan *plan = in->plan;
	*films = (struct films){.count = 1, .measured = in->measured, .look = in->look};
	films->film[0] = (struct film){.plan = plan,
		.timed = in->timed,
		.name = plan->origin ? plan->origin : sw_strategy_name(plan->strategy),
		.owners = in->owners,
		.opt = *opt};
	if (in->beside)
		take_second(films, in);
	films->ports = ports_rows(films, opt);
	double most = 0;
	for (int i = 0; i < films->count; i++)
		most = step_memory_most(films->film[i].plan) > most ? step_memory_most(films->film[i].plan) : most;
	for (int i = 0; i < films->count; i++) {
		films->film[i].memory = most;
		films->film[i].tight = films->count > 1 && opt->room > 0 && opt->room < ROWS_TIGHT;
		if (!film_start(films, &films->film[i], arena, diag))
			return false;
	}
	return true;
}

/* ---- the row of them ---- */

/* What is above picture `k`.  false: there is no room for all of it. */
static bool name_text(const struct film *film, int k, sw_text *text)
{
	int room = film->strip.width, before = k > film->strip.first ? STRIP_GAP : 0;
	if (before && film->strip.stride > 1) {
		sw_text_addf(text, "steps %d to %d", strip_before(&film->strip, k) + 1, k);
	} else if (k) {
		sw_text_addf(text, "%d ", k);
		sw_plan_print_step(film->plan, k - 1, text);
	} else {
		sw_text_add(text, "from");
	}
	if (!k || canvas_text_width(sw_text_get(text)) <= room + before)
		return true;
	sw_text_clear(text);
	sw_text_addf(text, "%d %s …", k, sw_collective_of(film->plan->program.step[k - 1].op)->name);
	return false;
}

static void name_draw(const struct film *film, int k, struct canvas *out, int y)
{
	int x = strip_column(&film->strip, k), room = film->strip.width, before = k > film->strip.first ? STRIP_GAP : 0;
	sw_text text = {0};
	name_text(film, k, &text);
	canvas_put_center(out, x - before, y, room + before, k == film->strip.now ? ROLE_CURRENT : ROLE_OP,
		sw_text_get(&text));
	sw_text_free(&text);
}

/* The steps in sight whose names are shortened, in full. */
static int names_note(const struct film *film, struct canvas *out, int y)
{
	sw_text names = {0};
	for (int k = strip_next(&film->strip, film->strip.first); k >= 0; k = strip_next(&film->strip, k)) {
		sw_text text = {0};
		if (!name_text(film, k, &text)) {
			sw_text_addf(&names, "%s%d ", names.length ? "; " : "", k);
			sw_plan_print_step(film->plan, k - 1, &names);
		}
		sw_text_free(&text);
	}
	if (names.length)
		y = draw_note(out, 0, y, ROLE_OP, "%s", sw_text_get(&names));
	sw_text_free(&names);
	return y;
}

static void arrow_draw(const struct film *film, int k, struct canvas *out, int y)
{
	int64_t members = film->strip.stride > 1 ? 0 : sw_step_members(film->plan, k - 1);
	strip_arrow(&film->strip, k, members > 1 ? words_count(members).text : "", out, y);
}

/* Does what devices have come from others in this step? */
static bool sends(const sw_plan *plan, int k)
{
	sw_manner manner = sw_collective_of(plan->program.step[k].op)->manner;
	return manner != SW_MANNER_CUT && manner != SW_MANNER_KEPT && manner != SW_MANNER_PADDED;
}

static int pictures_draw(const struct film *film, struct canvas *out, int y)
{
	int height = strip_tallest(&film->strip);
	for (int k = film->strip.first; k >= 0; k = strip_next(&film->strip, k)) {
		name_draw(film, k, out, y);
		strip_picture(&film->strip, k, out, strip_x(&film->strip, k), y + 1);
		if (k == film->strip.first)
			continue;
		arrow_draw(film, k, out, y + 1 + height / 2);
	}
	for (int k = strip_next(&film->strip, film->strip.first); k >= 0; k = strip_next(&film->strip, k))
		strip_travel(&film->strip, k, sends(film->plan, k - 1), out, y + 1);
	return y + 1 + height;
}

/* ---- memory ---- */

static bool is_over(const sw_plan *plan, int k)
{
	return plan->budget > 0 && plan->program.value[k].localsize > plan->budget;
}

/* The largest tile since the picture before. */
static int heaviest(const struct film *film, int k)
{
	int from = k > film->strip.first ? strip_before(&film->strip, k) + 1 : k, most = k;
	for (int i = from; i < k; i++)
		if (film->plan->program.value[i].localsize > film->plan->program.value[most].localsize)
			most = i;
	return most;
}

/* Columns of the widest bar: one less than there are, so that its end is seen; in a tight film the size is behind it. */
static int memory_room(const struct film *film)
{
	return film->tight ? film->strip.width / 2 : film->strip.width - 1;
}

/* The bar of a tile, and of what a device has beside it meanwhile. */
static void memory_bar(const struct film *film, int k, struct canvas *out, int y)
{
	const sw_plan *plan = film->plan;
	int x = strip_column(&film->strip, k), room = memory_room(film);
	k = heaviest(film, k);
	double most = film->memory, tile = (double)plan->program.value[k].localsize;
	int live = (int)((double)step_live(plan, k) / most * room + 0.5), bar = (int)(tile / most * room + 0.5);
	for (int i = bar; i < live; i++)
		canvas_put_glyph(out, x + i, y, ROLE_LIVE, GLYPH_SHADE2);
	canvas_bar(out, x, y, room, is_over(plan, k) ? ROLE_BAD : ROLE_BAR, tile, most);
	int budget = (int)((double)plan->budget / most * room + 0.5);
	if (plan->budget > 0 && budget <= room)
		canvas_lines(out, x + budget, y, ROLE_BUDGET, LINE_UP | LINE_DOWN | LINE_DASHED);
}

static int memories_draw(const struct film *film, struct canvas *out, int y)
{
	const sw_plan *plan = film->plan;
	int room = film->strip.width, behind = film->tight ? memory_room(film) + 1 : 0;
	canvas_put(out, 0, y, ROLE_LABEL, "mem");
	for (int k = film->strip.first; k >= 0; k = strip_next(&film->strip, k)) {
		memory_bar(film, k, out, y);
		canvas_put_cut(out, strip_column(&film->strip, k) + behind, y + !film->tight, room - behind + STRIP_GAP - 1,
			is_over(plan, heaviest(film, k)) ? ROLE_BAD : ROLE_NUMBER,
			words_bytes(plan->program.value[heaviest(film, k)].localsize, plan->problem.from.dtype).text);
	}
	return y + (film->tight ? 1 : 2);
}

/* ---- words ---- */

static struct film_way way_of(const struct film *film)
{
	return (struct film_way){.of = film->strip.of,
		.mesh = &film->plan->problem.mesh,
		.rank = film->plan->problem.from.rank,
		.now = film->strip.now,
		.about = film->strip.about,
		.element = film->opt.element,
		.tile = film->opt.tile,
		.device = film->strip.lit,
		.plan = film->plan};
}

static int title_draw(const struct film *film, const char *name, struct canvas *out, int y)
{
	int steps = film->plan->program.steps;
	sw_text rest = {0};
	sw_text_addf(&rest, "%d step%s", steps, steps == 1 ? "" : "s");
	if (film_times_known(film->timed, film->plan))
		sw_text_addf(&rest, "  %s", words_seconds(film_seconds(film->timed, film->plan, -1)).text);
	const struct film_way way = way_of(film);
	if (film->opt.element)
		film_way_add_places(&way, &rest);
	y = strip_title(&film->strip, name, &rest, out, y);
	sw_text_free(&rest);
	return y;
}

/* The step that makes the largest tile above the budget, from 1; 0: none does. */
static int step_over(const sw_plan *plan)
{
	int64_t most = plan->budget;
	int over = 0;
	for (int k = 1; plan->budget > 0 && k <= plan->program.steps; k++)
		if (plan->program.value[k].localsize > most) {
			most = plan->program.value[k].localsize;
			over = k;
		}
	return over;
}

static int over_draw(const struct film *film, struct canvas *out, int y)
{
	const sw_plan *plan = film->plan;
	int k = step_over(plan);
	if (!k)
		return y;
	struct words tile = words_bytes(plan->program.value[k].localsize, plan->problem.from.dtype),
				 budget = words_bytes(plan->budget, plan->problem.from.dtype);
	return draw_note(out, 0, y, ROLE_BAD, "%s: the tile of step %d, %s, exceeds the budget of %s.", film->name, k,
		tile.text, budget.text);
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
		words_seconds(film_seconds(film->timed, film->plan, about - 1)).text, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int legend_draw(const struct films *films, struct canvas *out, int y)
{
	const struct film *film = &films->film[0];
	struct owners signs = film->strip.signs;
	struct holding first = holding_of_step(film->plan, 0);
	if (sw_owners_terms(film->strip.of) > 1)
		signs.now = &first;
	y = strip_notes(&film->strip, "", out, y);
	y = film->strip.per == 2 ? owners_note_colour(&signs, &film->opt, out, y) :
							   owners_note(&signs, &film->opt, out, y);
	y = draw_note(out, 0, y, ROLE_NOTE, "█ tile  ▒ source and destination together%s%s%s; arrows: group size",
		film->plan->budget > 0 ? "  ╎ budget, " : "",
		film->plan->budget > 0 ? words_bytes(film->plan->budget, film->plan->problem.from.dtype).text : "",
		!film->opt.element    ? "" :
			film->opt.tile.of ? "  highlighted: the tile, ★ its element" :
								"  ★ the element");
	if (films->ports)
		y = draw_note(out, 0, y, ROLE_NOTE,
			"ports: what passes the busiest of each kind in the step; heavy: the step waits for it, dotted: no load");
	if (films->measured)
		y = draw_note(out, 0, y, ROLE_NOTE, "run: measured medians; below them ├┃┤ from %s",
			films->measured->launches > 1 ? "the fastest to the slowest launch" : "p10 to p90");
	if (film->plan->program.steps == 0)
		return y;
	if (!film_times_known(film->timed, film->plan))
		return draw_note(out, 0, y, ROLE_NOTE, "the time of some of these steps is unknown");
	if (sw_model_is_timed(film->plan->model))
		return y;
	bool named = film->timed && film->timed->name && strcmp(film->timed->name, "default") != 0;
	return draw_note(out, 0, y, ROLE_NOTE, "time by the model latency%s%s", named ? " on " : "",
		named ? film->timed->name : "");
}

static int film_draw(const struct film *film, const char *name, struct canvas *out, int y)
{
	y = title_draw(film, name, out, y);
	y = pictures_draw(film, out, y + (strcmp(name, "film") == 0 && !film->tight && strip_spares(&film->opt)));
	return memories_draw(film, out, y);
}

/* Where there is no room for it, where the system is drawn. */
static int system_note(const struct films *films, struct canvas *out, int y)
{
	if (films->ports || !ports_known(films->look) || !films->film[0].opt.room)
		return y;
	return draw_note(out, 0, y, ROLE_NOTE, "F3 draws the system with the load of this step; V comes back");
}

/* The ports fill while the step goes on. */
static int system_draw(const struct films *films, struct canvas *out, int y)
{
	const struct strip *strip = &films->film[0].strip;
	double passed = strip->about > strip->now ? strip->opt->passed : strip->about > 0;
	return films->ports ? ports_draw(films->look, passed < 1 ? passed : 1, out, y + 1) : y;
}

static void films_draw(struct films *films, struct canvas *out)
{
	const struct film *first = &films->film[0];
	if (first->opt.spot)
		strip_spot(&first->strip, first->opt.spot);
	int y = film_draw(first, "film", out, 0);
	if (films->count > 1)
		y = film_draw(&films->film[1], films->film[1].name, out, y);
	y = film_axis_draw(films, out, y);
	const struct film_way way = way_of(first);
	y = film_way_draw(&way, out, y);
	for (int i = 0; i < films->count; i++)
		y = over_draw(&films->film[i], out, y);
	y = system_note(films, out, sentence_draw(first, out, y));
	for (int i = 0; i < films->count; i++)
		y = names_note(&films->film[i], out, y);
	y = system_draw(films, out, y);
	legend_draw(films, out, y);
}

bool view_film(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (in->moments)
		return film_of_program(in, opt, out, diag);
	if (!in->plan)
		return draw_missing(diag, "plan", "after mesh and redistribute, type: plan");
	if (!strip_begin(opt, out))
		return true;
	struct films films;
	sw_arena *arena = sw_arena_new();
	bool ok = arena ? films_start(&films, in, opt, arena, diag) : sw_diag_memory(diag);
	if (ok)
		films_draw(&films, out);
	sw_arena_free(arena);
	return ok;
}
