/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The film of a plan: what devices have before the first step and after each, as small pictures in a row, with memory below and time in
 * proportion.
 *
 * A picture has two rows of elements in a row of cells, or one where owners are letters.  Large arrays are drawn in blocks, and values
 * that wait for terms have a row for each.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/cost.h>
#include <shardwalk/number.h>
#include <shardwalk/owners.h>

#include "views/draw.h"
#include "views/owners.h"
#include "views/tiles.h"

#define MARGIN 5          /* columns of the labels on the left */
#define GAP 9             /* columns of an arrow */
#define PICTURE_WANTED 18 /* columns of a picture, its frame included: as many pictures as have so much */
#define PICTURE_ROWS 14   /* where no height is known */
#define PICTURE_LEAST 5
#define ROWS_AROUND 12 /* of all else in a pane */
#define ZOOM_MOST 4

struct film {
	const sw_plan *plan;
	const struct view_options *opt;
	const sw_owners *of;
	struct owners signs;
	int dims[2];      /* down and across */
	int64_t size[2];  /* of the array there */
	int64_t unit[2];  /* elements of a block */
	int units[2];     /* blocks */
	int terms;        /* rows of a block, one a term */
	int zoom;         /* rows and columns for each of those */
	int across;       /* columns of a sign */
	bool bare[2];     /* no lines between tiles there: there is no room for them */
	int per;          /* rows of blocks in a row of cells */
	int first, count; /* pictures in sight */
	int width, height;
	int now; /* step that is chosen */
};

/* ---- how large it is ---- */

/* Along one side of picture `k`; 0: no tiles are known there. */
static int64_t tile_along(const struct film *film, int k, int side)
{
	const sw_holding *holding = sw_owners_holding(film->of, k);
	bool tiles = holding->region == NULL && holding->rule == NULL;
	return tiles && film->dims[side] != VIEW_ALL ? holding->tile[film->dims[side]] : 0;
}

/* The cells of one block along a side, before two rows are put into one. */
static int block_cells(const struct film *film, int side)
{
	return film->zoom * (side ? film->across : film->terms);
}

/* Blocks between two borders of tiles in picture `k`; 0: no borders are drawn inside. */
static int blocks_of_tile(const struct film *film, int k, int side)
{
	int64_t tile = tile_along(film, k, side), unit = film->unit[side];
	if (film->bare[side] || !tile || tile >= film->size[side] || tile % unit ||
		tile / unit * block_cells(film, side) < 2)
		return 0;
	return (int)(tile / unit);
}

static int rows_of(const struct film *film, int side, int cells)
{
	return side ? cells : (cells + film->per - 1) / film->per;
}

/* Rows or columns that picture `k` takes, its frame included. */
static int extent(const struct film *film, int k, int side)
{
	int tile = blocks_of_tile(film, k, side), cells = block_cells(film, side);
	if (!tile)
		return 2 + rows_of(film, side, film->units[side] * cells);
	return 1 + film->units[side] / tile * (1 + rows_of(film, side, tile * cells));
}

static bool fits(const struct film *film, int side)
{
	for (int k = 0; k <= film->plan->program.steps; k++)
		if (extent(film, k, side) > (side ? film->width : film->height))
			return false;
	return true;
}

/* So many elements are in one tile, whole, at every moment. */
static int64_t never_apart(const struct film *film, int side)
{
	int64_t unit = film->size[side];
	for (int k = 0; k <= film->plan->program.steps; k++)
		if (tile_along(film, k, side))
			unit = sw_gcd(unit, tile_along(film, k, side));
	return unit;
}

static bool units_try(struct film *film, int side, int units, int64_t apart)
{
	int64_t unit = (film->size[side] + units - 1) / units;
	if (apart && (film->size[side] % unit || (film->bare[side] && !(unit % apart) ? 0 : apart % unit)))
		return false;
	film->unit[side] = unit;
	film->units[side] = (int)((film->size[side] + unit - 1) / unit);
	return fits(film, side);
}

/* As many blocks as there is room for, of elements with one owner each where that is possible. */
static void units_find(struct film *film, int side)
{
	int64_t apart = never_apart(film, side);
	int room = (side ? film->width : film->height * film->per) - 2;
	int most = film->size[side] < room ? (int)film->size[side] : room;
	for (int bare = 0; bare < 2; bare++) {
		film->bare[side] = bare;
		for (int units = most; units > 0; units--)
			if (units_try(film, side, units, apart))
				return;
	}
	for (int units = most; units > 1; units--)
		if (units_try(film, side, units, 0))
			return;
	units_try(film, side, 1, 0);
}

static void zoom_find(struct film *film)
{
	for (film->zoom = film->per == 1 ? 1 : ZOOM_MOST; film->zoom > 1; film->zoom--)
		if (fits(film, 0) && fits(film, 1))
			return;
}

/* The pictures around the chosen one that there is room for. */
static void window_find(struct film *film)
{
	int pictures = film->plan->program.steps + 1, room = film->opt->width - MARGIN;
	int most = (room + GAP) / (PICTURE_WANTED + GAP), first = film->now - 1;
	film->count = most < 1 ? 1 : most < pictures ? most : pictures;
	if (first > pictures - film->count)
		first = pictures - film->count;
	film->first = first < 0 ? 0 : first;
	film->width = (room - (film->count - 1) * GAP) / film->count;
	film->height = film->opt->room ? film->opt->room - ROWS_AROUND : 2 * PICTURE_ROWS / film->per;
	if (film->height < PICTURE_LEAST)
		film->height = PICTURE_LEAST;
}

/* Has every block one owner? */
static bool blocks_alike(const struct film *film)
{
	return never_apart(film, 0) % film->unit[0] == 0 && never_apart(film, 1) % film->unit[1] == 0;
}

/* A row for each term where there is room, else for some of them: elements are not left out for them. */
static void blocks_find(struct film *film)
{
	int64_t terms = sw_owners_terms(film->of);
	int room = (film->height - 2) * film->per;
	film->terms = terms < room ? (int)terms : room;
	units_find(film, 1);
	units_find(film, 0);
	while (film->terms > 1 && !blocks_alike(film)) {
		film->terms = (film->terms + 1) / 2;
		units_find(film, 0);
	}
	zoom_find(film);
}

static bool film_start(struct film *film, const struct view_input *in, sw_arena *arena, sw_diag *diag)
{
	const sw_plan *plan = film->plan = in->plan;
	struct holding ends[2] = {holding_of_step(plan, 0), holding_of_step(plan, plan->program.steps)};
	film->of = sw_owners_of_plan(plan, arena, diag);
	if (!film->of)
		return false;
	film->signs = owners_of_mesh(&plan->problem.mesh);
	film->now = film->opt->step < 0 ? 0 : film->opt->step;
	if (film->now > plan->program.steps)
		film->now = plan->program.steps;
	film->per = film->opt->letters ? 1 : 2;
	int sign = owners_sign_width(&film->signs);
	film->across = film->per == 2 ? 1 : sign > 1 ? sign + 1 : 1;
	film->zoom = 1;
	tiles_dims(ends, 2, film->opt, film->dims);
	window_find(film);
	for (int side = 0; side < 2; side++)
		film->size[side] = film->dims[side] == VIEW_ALL ? 1 : plan->problem.from.global[film->dims[side]];
	blocks_find(film);
	return true;
}

/* ---- a picture ---- */

/* Who is drawn in a block: the first owner of its first element; where there are sums, who has the term now. */
static int64_t block_owner(const struct film *film, int k, int row, int column, int term)
{
	int64_t index[SW_MAX_DIMS] = {0}, terms = sw_owners_terms(film->of);
	if (film->opt->element)
		memcpy(index, film->opt->element, sizeof(*index) * (size_t)film->plan->problem.from.rank);
	const int at[2] = {row, column};
	for (int side = 0; side < 2; side++)
		if (film->dims[side] != VIEW_ALL)
			index[film->dims[side]] = at[side] * film->unit[side];
	return sw_owners_at(film->of, terms > 1 ? k : 0, index, term * terms / film->terms);
}

static int64_t line_owner(const struct film *film, int k, int line, int column)
{
	int row = line / film->zoom;
	return block_owner(film, k, row / film->terms, column, row % film->terms);
}

static enum role role_of(const struct film *film, int64_t device)
{
	return device < 0 ? ROLE_DIM : owners_role(&film->signs, device);
}

/* A row of cells: the lines of blocks in it, one or two. */
struct band {
	int k, line, lines;
};

static void block_draw(const struct film *film, const struct band *band, int column, struct canvas *out, int x, int y)
{
	int64_t owner = line_owner(film, band->k, band->line, column);
	int cells = block_cells(film, 1);
	if (film->per == 1) {
		canvas_put_right(out, x, y, film->across, role_of(film, owner), owners_sign(&film->signs, owner).text);
		return;
	}
	enum role lower = band->lines > 1 ? role_of(film, line_owner(film, band->k, band->line + 1, column)) : ROLE_TEXT;
	for (int i = 0; i < cells; i++)
		canvas_put_halves(out, x + i, y, role_of(film, owner), lower);
}

/* The column, or the row, where a block begins, behind the frame. */
static int block_at(const struct film *film, int k, int side, int block)
{
	int tile = blocks_of_tile(film, k, side), cells = block_cells(film, side);
	if (!tile)
		return 1 + rows_of(film, side, block * cells);
	return block / tile * (1 + rows_of(film, side, tile * cells)) + 1 + block % tile * cells / (side ? 1 : film->per);
}

static void frame_draw(const struct film *film, int k, struct canvas *out, int x, int y)
{
	int width = extent(film, k, 1), height = extent(film, k, 0);
	bool now = k == film->now;
	enum role role = now ? ROLE_TITLE : ROLE_BORDER;
	for (int side = 0; side < 2; side++) {
		int tile = blocks_of_tile(film, k, side);
		for (int block = tile; tile && block < film->units[side]; block += tile) {
			int at = block_at(film, k, side, block) - 1;
			if (side)
				canvas_vline(out, x + at, y, height, role, 0);
			else
				canvas_hline(out, x, y + at, width, role, 0);
		}
	}
	canvas_box(out, x, y, width, height, role, now ? LINE_HEAVY : 0);
}

static void element_draw(const struct film *film, int k, struct canvas *out, int x, int y)
{
	int at[2];
	for (int side = 0; side < 2; side++) {
		int dim = film->dims[side];
		at[side] = dim == VIEW_ALL ? 0 : (int)(film->opt->element[dim] / film->unit[side]);
	}
	x += block_at(film, k, 1, at[1]);
	y += block_at(film, k, 0, at[0]);
	canvas_put_glyph(out, x, y, (enum role)canvas_cell_at(out, x, y)->role, GLYPH_STAR);
}

static void picture_draw(const struct film *film, int k, struct canvas *out, int x, int y)
{
	int tile = blocks_of_tile(film, k, 0), cells = block_cells(film, 0);
	int span = (tile ? tile : film->units[0]) * cells, row = y + 1;
	frame_draw(film, k, out, x, y);
	for (int from = 0; from < film->units[0] * cells; from += span, row++)
		for (int line = from; line < from + span; line += film->per, row++) {
			const struct band band = {k, line, line + film->per > from + span ? 1 : film->per};
			for (int column = 0; column < film->units[1]; column++)
				block_draw(film, &band, column, out, x + block_at(film, k, 1, column), row);
		}
	if (film->opt->element)
		element_draw(film, k, out, x, y);
}

/* ---- the row of them ---- */

static int picture_x(const struct film *film, int k)
{
	return MARGIN + (k - film->first) * (film->width + GAP) + (film->width - extent(film, k, 1)) / 2;
}

static int tallest(const struct film *film)
{
	int height = 0;
	for (int k = film->first; k < film->first + film->count; k++)
		height = extent(film, k, 0) > height ? extent(film, k, 0) : height;
	return height;
}

static void name_draw(const struct film *film, int k, struct canvas *out, int y)
{
	int x = MARGIN + (k - film->first) * (film->width + GAP), room = film->width, before = k > film->first ? GAP : 0;
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
	canvas_put_center(out, x - before, y, room + before, k == film->now ? ROLE_CURRENT : ROLE_OP, sw_text_get(&text));
	sw_text_free(&text);
}

/* From the picture before; as far as the step has passed the line is heavy. */
static void arrow_draw(const struct film *film, int k, struct canvas *out, int y)
{
	int from = picture_x(film, k - 1) + extent(film, k - 1, 1) + 1, to = picture_x(film, k) - 2;
	int64_t members = sw_step_members(film->plan, k - 1);
	int passed = film->now >= k ? to - from : film->now == k - 1 ? (int)(film->opt->passed * (to - from)) : 0;
	canvas_hline(out, from, y, to - from, ROLE_BORDER, 0);
	if (passed > 1)
		canvas_hline(out, from, y, passed, ROLE_MOVED, LINE_HEAVY);
	canvas_put_glyph(out, to, y, passed == to - from ? ROLE_MOVED : ROLE_BORDER, GLYPH_CURRENT);
	sw_text text = {0};
	if (members > 1)
		sw_text_addf(&text, "%lld", (long long)members);
	canvas_put_center(out, from - 1, y - 1, to - from + 3, ROLE_NUMBER, sw_text_get(&text));
	sw_text_free(&text);
}

static int pictures_draw(const struct film *film, struct canvas *out, int y)
{
	int height = tallest(film);
	for (int k = film->first; k < film->first + film->count; k++) {
		name_draw(film, k, out, y);
		picture_draw(film, k, out, picture_x(film, k), y + 1);
		if (k > film->first)
			arrow_draw(film, k, out, y + 1 + height / 2);
	}
	return y + 1 + height;
}

/* ---- memory ---- */

static void memory_draw(const struct film *film, int k, struct canvas *out, int y)
{
	const sw_plan *plan = film->plan;
	int x = MARGIN + (k - film->first) * (film->width + GAP), room = film->width;
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
	canvas_put_cut(out, x, y + 1, room + GAP - 1, over ? ROLE_BAD : ROLE_NUMBER,
		words_bytes(plan->program.value[k].localsize, dtype).text);
}

static int memories_draw(const struct film *film, struct canvas *out, int y)
{
	canvas_put(out, 0, y, ROLE_LABEL, "mem");
	for (int k = film->first; k < film->first + film->count; k++)
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
	return MARGIN + (int)(at / all * (room - 1) + 0.5);
}

static void span_draw(const struct film *film, int k, int room, struct canvas *out, int y)
{
	int from = moment_at(film, room, k, 0), to = moment_at(film, room, k + 1, 0);
	enum role role = k + 1 == film->now ? ROLE_MOVED : ROLE_BORDER;
	struct words words = words_seconds(film_seconds(film->plan, k));
	assert(room > 0 && k < film->plan->program.steps);
	int width = canvas_text_width(words.text) + 2;
	if (to > from)
		canvas_hline(out, from, y, to - from + 1, role, 0);
	canvas_lines(out, from, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	canvas_lines(out, to, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	if (to - from > width)
		canvas_putf(out, from + (to - from + 1 - width) / 2, y, k + 1 == film->now ? ROLE_MOVED : ROLE_NUMBER, " %s ",
			words.text);
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
	int room = film->opt->width - MARGIN - canvas_text_width(all.text) - 1;
	canvas_put(out, 0, y + 1, ROLE_LABEL, "time");
	for (int k = 0; k < film->plan->program.steps; k++)
		span_draw(film, k, room, out, y + 1);
	canvas_put_glyph(out, moment_at(film, room, film->now, film->opt->passed), y, ROLE_MOVED, GLYPH_RECEIVES);
	canvas_put(out, MARGIN + room + 1, y + 1, ROLE_NUMBER, all.text);
	return y + 2;
}

/* ---- words ---- */

/* On which devices the element is, step after step: the first of its copies. */
static void add_way(const struct film *film, sw_text *text)
{
	const int64_t *element = film->opt->element;
	int64_t before = -1;
	sw_text_add(text, "  element [");
	for (int i = 0; i < film->plan->problem.from.rank; i++)
		sw_text_addf(text, "%s%lld", i ? ", " : "", (long long)element[i]);
	sw_text_add(text, "]: device ");
	for (int k = 0; k <= film->plan->program.steps; k++) {
		int64_t device = sw_owners_at(film->of, k, element, 0);
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
	if (film->opt->element)
		add_way(film, &rest);
	int y = draw_title(out, 0, "film", sw_text_get(&rest));
	sw_text_free(&rest);
	if (film->count <= steps)
		y = draw_note(out, 0, y, ROLE_NOTE, "pictures %d to %d of %d", film->first + 1, film->first + film->count,
			steps + 1);
	return y;
}

static int sentence_draw(const struct film *film, struct canvas *out, int y)
{
	int steps = film->plan->program.steps;
	if (!film->now)
		return draw_note(out, 0, y, ROLE_TEXT, "Before the first step: %s on each of %s devices.",
			words_bytes(film->plan->program.value[0].localsize, film->plan->problem.from.dtype).text,
			words_count(film->plan->problem.mesh.devices).text);
	sw_text text = {0};
	step_sentence(film->plan, film->now - 1, &text);
	y = draw_note(out, 0, y, ROLE_TEXT, "Step %d of %d, %s: %s.", film->now, steps,
		words_seconds(film_seconds(film->plan, film->now - 1)).text, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int blocks_note(const struct film *film, struct canvas *out, int y)
{
	int rank = film->plan->problem.from.rank;
	int64_t terms = sw_owners_terms(film->of);
	if (film->bare[0] || film->bare[1])
		y = draw_note(out, 0, y, ROLE_NOTE, "there is no room for the lines between tiles%s",
			film->bare[0] && film->bare[1] ? "" :
				film->bare[0]              ? " one below the other" :
											 " side by side");
	if (rank > 2)
		y = draw_note(out, 0, y, ROLE_NOTE, "dimension %d down, %d across, %s of the others", film->dims[0],
			film->dims[1], film->opt->element ? "where the element is" : "the first index");
	if (film->unit[0] > 1 || film->unit[1] > 1)
		y = draw_note(out, 0, y, ROLE_NOTE, "in blocks of %s x %s elements%s", words_count(film->unit[0]).text,
			words_count(film->unit[1]).text, blocks_alike(film) ? "" : ", each drawn as its first element");
	if (terms > 1)
		y = draw_note(out, 0, y, ROLE_NOTE,
			"each value is a sum of %s terms, a line for %s: lines with one owner are added up",
			words_count(terms).text, film->terms < terms ? "some of them" : "each");
	return y;
}

static int legend_draw(const struct film *film, struct canvas *out, int y)
{
	struct owners signs = film->signs;
	struct holding first = holding_of_step(film->plan, 0);
	if (sw_owners_terms(film->of) > 1)
		signs.now = &first;
	y = blocks_note(film, out, y);
	y = film->per == 2 ? owners_note_colour(&signs, out, y) : owners_note(&signs, out, y);
	y = draw_note(out, 0, y, ROLE_NOTE,
		"█ tile   ▒ source and destination together%s%s%s; above an arrow: devices a group",
		film->plan->budget > 0 ? "   ╎ budget, " : "",
		film->plan->budget > 0 ? words_bytes(film->plan->budget, film->plan->problem.from.dtype).text : "",
		film->opt->element ? "   ★ the element" : "");
	if (film->plan->program.steps == 0)
		return y;
	if (!times_known(film->plan))
		return draw_note(out, 0, y, ROLE_NOTE, "no time is known for some of these steps");
	return sw_model_is_timed(film->plan->model) ? y : draw_note(out, 0, y, ROLE_NOTE, "time by the model latency");
}

bool view_film(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->plan)
		return draw_missing(diag, "plan", "after mesh and redistribute, type: plan");
	if (!draw_begin("film", opt, out))
		return true;
	struct film film = {.opt = opt};
	sw_arena *arena = sw_arena_new();
	bool ok = arena ? film_start(&film, in, arena, diag) : sw_diag_memory(diag);
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
