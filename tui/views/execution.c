/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The execution space of a schedule: processors across, time down, at each place the points that are computed there and what comes before.
 *
 * Source: seed 003, section 3.3, figures 6 to 8.
 */
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/schedule_walk.h>

#include "views/draw.h"
#include "views/held_words.h"
#include "views/sets.h"

#define STEPS_MOST 12
#define PARTS_MOST 16
#define TEXT_MOST 40 /* columns of a cell */
#define CELL_LEAST 4

/* What happens on a processor in a step. */
struct moment {
	const char *comes, *points;
};

/* What happens in a step. */
struct step_words {
	const char *moves;
	struct held_near near;
	struct moment *moment; /* of each processor that is near; of others nothing */
	int cell;              /* columns of the widest of them */
};

struct execution {
	const struct schedule_look *look;
	const struct view_options *opt;
	struct canvas *out;
	sw_arena *arena;
	int64_t processors;
	struct held_near near; /* whom it may have columns of */
	struct stretch step[STRETCHES_MAX], processor[STRETCHES_MAX];
	int steps, columns, label, cell, y;
	const struct step_words **words; /* of each of the steps that are shown */
};

/* ---- words ---- */

/* The points: `(0,1)` where there is one, else by the letters, `[0-2, 0-2, 3-5]`. */
static const char *points_text(const struct execution *e, int64_t step, int64_t processor, sw_arena *arena)
{
	sw_arena_mark mark = sw_arena_here(e->arena);
	sw_region points;
	sw_text text = {0};

	if (!sw_lowering_points(e->look->lowering, step, processor, e->arena, &points))
		return NULL;
	if (sw_region_size(&points) == 1)
		for (int d = 0; d < points.rank; d++)
			sw_text_addf(&text, "%s%lld", d > 0 ? "," : "(", (long long)points.set[d].family[0].first);
	else if (sw_region_size(&points) > 1)
		region_text(&points, e->arena, &text);
	if (sw_region_size(&points) == 1)
		sw_text_add(&text, points.rank > 0 ? ")" : "()");
	sw_arena_back(e->arena, mark);
	return text.length > 0 ? sw_text_keep(&text, arena) : "";
}

/* What comes to it, and what it gives away. */
static const char *comes_text(const struct held_words *words, int64_t processor, sw_arena *arena)
{
	sw_text text = {0};

	for (int k = 0; k < words->arrays; k++) {
		const struct held_word *word = &words->word[processor * words->arrays + k];
		if (word->arrives || word->leaves)
			sw_text_addf(&text, "%s%s", text.length > 0 ? " " : "", word->text);
	}
	return text.length > 0 ? sw_text_keep(&text, arena) : "";
}

static const char *moves_text(const struct held_words *words, sw_arena *arena)
{
	sw_text part[PARTS_MOST] = {0}, text = {0};
	int parts = held_parts(words, part, PARTS_MOST);

	for (int k = 0; k < parts; k++) {
		sw_text_addf(&text, "%s%s", k > 0 ? "; " : "", sw_text_get(&part[k]));
		sw_text_free(&part[k]);
	}
	return parts < 0 ? NULL : text.length > 0 ? sw_text_keep(&text, arena) : "";
}

static void widen(int *width, const char *text)
{
	int columns = canvas_text_width(text);

	if (columns > *width)
		*width = columns < TEXT_MOST ? columns : TEXT_MOST;
}

/* NULL: no memory. */
static const struct step_words *words_find(const struct execution *e, int64_t step, sw_arena *arena)
{
	struct schedule_look look = *e->look;
	struct step_words *words = SW_NEW_ZERO(arena, struct step_words, 1);
	struct held_near near = {2 * e->near.few, e->near.about};
	struct held_words held;

	look.step = step + 1;
	if (words == NULL || !held_words_near(&look, &near, e->arena, &held))
		return NULL;
	words->near = near;
	words->moment = SW_NEW_ZERO(arena, struct moment, e->processors);
	words->moves = moves_text(&held, arena);
	for (int64_t p = 0; words->moment != NULL && p < e->processors; p++) {
		if (!held_is_near(&near, e->processors, p))
			continue;
		struct moment *moment = &words->moment[p];
		*moment = (struct moment){comes_text(&held, p, arena), points_text(e, step, p, arena)};
		if (moment->comes == NULL || moment->points == NULL)
			return NULL;
		widen(&words->cell, moment->comes);
		widen(&words->cell, moment->points);
	}
	return words->moment != NULL && words->moves != NULL ? words : NULL;
}

/* Are there words of all that are near now? */
static bool has_words(const struct execution *e, const struct step_words *words)
{
	int64_t few = words->near.few - e->near.few, about = e->near.about;

	return few >= 0 && (about < 0 || held_is_near(&(struct held_near){few, words->near.about}, e->processors, about));
}

/* Those that are kept are found once, until one looks elsewhere. */
static const struct step_words *words_of(const struct execution *e, int64_t step)
{
	const struct step_words **kept = e->look->words;

	if (kept == NULL)
		return words_find(e, step, e->arena);
	if (kept[step] == NULL || !has_words(e, kept[step]))
		kept[step] = words_find(e, step, e->look->arena);
	return kept[step];
}

/* ---- layout ---- */

static void print_time(const struct execution *e, int64_t step, sw_text *text)
{
	if (e->look->lowering->times > 0)
		sw_lowering_print_at(e->look->lowering, step, text);
	else
		sw_text_addf(text, "step %lld", (long long)step + 1);
}

/* Where some are left out, "…" takes a narrow one of them. */
static int columns_that_fit(const struct execution *e)
{
	int room = e->out->width - e->label - 2, all = room / (e->cell + 2), some = (room - 3) / (e->cell + 2) + 1;
	bool beside = e->opt->device >= 0 && some < 5 && room >= e->cell + 2 * 3;
	return e->processors <= all ? all : beside && some < 3 ? 3 : some < 2 ? 2 : some;
}

static bool lay_out(struct execution *e)
{
	int64_t steps = e->look->lowering->steps;
	int rows = e->opt->height > 12 ? (e->opt->height - 6) / 3 : STEPS_MOST;

	e->steps = fold_stretches(steps, rows < 3 ? 3 : rows, e->look->step > 0 ? e->look->step - 1 : -1, e->step);
	e->words = SW_NEW_ZERO(e->arena, const struct step_words *, e->steps);
	e->label = 4;
	e->cell = CELL_LEAST;
	e->near = (struct held_near){e->out->width / (CELL_LEAST + 2) + 1,
		e->opt->device < e->processors ? e->opt->device : -1};
	if (e->words == NULL)
		return false;
	for (int row = 0; row < e->steps; row++) {
		sw_text text = {0};
		if (stretch_folded(e->step[row]))
			continue;
		print_time(e, e->step[row].from, &text);
		widen(&e->label, sw_text_get(&text));
		sw_text_free(&text);
		e->words[row] = words_of(e, e->step[row].from);
		if (e->words[row] == NULL)
			return false;
		e->cell = e->words[row]->cell > e->cell ? e->words[row]->cell : e->cell;
	}
	e->columns = fold_stretches(e->processors, columns_that_fit(e),
		e->opt->device < e->processors ? e->opt->device : -1, e->processor);
	return true;
}

/* ---- drawing ---- */

static int column_x(const struct execution *e, int column)
{
	int x = e->label + 2;
	for (int before = 0; before < column; before++)
		x += (stretch_folded(e->processor[before]) ? 1 : e->cell) + 2;
	return x;
}

static void draw_heads(struct execution *e)
{
	const sw_mesh *mesh = e->look->schedule->problem->mesh;

	canvas_put(e->out, 0, e->y, ROLE_LABEL, "time");
	for (int column = 0; column < e->columns; column++) {
		struct stretch of = e->processor[column];
		bool marked = !stretch_folded(of) && of.from == e->opt->device;
		canvas_putf(e->out, column_x(e, column), e->y, marked ? ROLE_CURRENT : ROLE_LABEL, "%s%s",
			column == 0 && e->cell > 10 ? "device " : "",
			stretch_folded(of) ? "…" : words_device(mesh, of.from).text);
	}
	e->y++;
}

static void draw_moves(struct execution *e, int row)
{
	bool any = *e->words[row]->moves != '\0';

	for (int column = 0; column < e->columns && any; column++)
		if (!stretch_folded(e->processor[column]))
			canvas_put_cut(e->out, column_x(e, column), e->y, e->cell, ROLE_MOVED,
				e->words[row]->moment[e->processor[column].from].comes);
	e->y += any;
}

static void draw_step(struct execution *e, int row)
{
	int64_t step = e->step[row].from;
	sw_text time = {0};

	draw_moves(e, row);
	print_time(e, step, &time);
	canvas_put_cut(e->out, 0, e->y, e->label, step + 1 == e->look->step ? ROLE_CURRENT : ROLE_LABEL,
		sw_text_get(&time));
	sw_text_free(&time);
	for (int column = 0; column < e->columns; column++) {
		int x = column_x(e, column);
		if (stretch_folded(e->processor[column])) {
			canvas_put(e->out, x, e->y, ROLE_DIM, "…");
			continue;
		}
		const char *points = e->words[row]->moment[e->processor[column].from].points;
		canvas_put_cut(e->out, x, e->y, e->cell, *points ? ROLE_NUMBER : ROLE_DIM, *points ? points : "idle");
	}
	e->y++;
	if (*e->words[row]->moves != '\0')
		e->y = draw_note(e->out, e->label + 2, e->y, ROLE_OP, "%s", e->words[row]->moves);
}

static void draw_steps(struct execution *e)
{
	for (int row = 0; row < e->steps; row++) {
		if (stretch_folded(e->step[row]))
			e->y = draw_note(e->out, e->label + 2, e->y, ROLE_DIM, "… %s like these",
				words_plural(e->step[row].to - e->step[row].from + 1, "step", "steps").text);
		else
			draw_step(e, row);
	}
}

static void draw_letters(struct execution *e)
{
	const sw_formula *formula = &e->look->schedule->problem->formula;
	sw_text text = {0};

	for (int k = 0; k < formula->letters; k++)
		sw_text_addf(&text, "%s%c", k > 0 ? ", " : "", formula->letter[k]);
	e->y = draw_note(e->out, 0, e->y, ROLE_NOTE,
		"a column is a device; points are (%s); above them is what moves before, and from whom; below is what moves in "
		"all",
		sw_text_get(&text));
	sw_text_free(&text);
}

bool view_execution(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct execution e = {.look = in->schedule, .opt = opt, .out = out};
	sw_text notation = {0};
	bool drawn;

	if (in->schedule == NULL)
		return draw_missing(diag, "schedule", "after `compute a(i) = b(j)`, type: schedule .distribute(i)");
	if (!draw_begin("execution", opt, out))
		return true;
	sw_schedule_print(in->schedule->schedule, &notation);
	if (canvas_text_width(sw_text_get(&notation)) + 11 > opt->width) {
		sw_text_clear(&notation);
		sw_text_add_str(&notation, in->schedule->schedule->problem->statement);
	}
	e.y = draw_title(out, 0, "execution", sw_text_get(&notation));
	sw_text_free(&notation);
	e.processors = in->schedule->schedule->problem->mesh->devices;
	e.arena = sw_arena_new();
	drawn = e.arena != NULL && lay_out(&e);
	if (drawn) {
		draw_heads(&e);
		draw_steps(&e);
		draw_letters(&e);
	}
	sw_arena_free(e.arena);
	return drawn || sw_diag_memory(diag);
}
