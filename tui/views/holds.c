/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What processors hold in a step of a schedule: a cell each, over two dimensions of the machine, with who sent it.
 */
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/schedule_walk.h>

#include "views/draw.h"
#include "views/held_words.h"

#define FIRST_PART 29 /* where what moves of the first array begins, if there is room, */
#define NEXT_PART 34  /* and how much further that of the next */
#define ROWS_MOST 16
#define PARTS_MOST 16

struct holds {
	const struct held_words *words;
	const struct view_options *opt;
	struct canvas *out;
	const sw_mesh *mesh;
	int across, down; /* axes; down -1: there is one row */
	int number, cell, label, y;
	struct stretch row[STRETCHES_MAX], column[STRETCHES_MAX];
	int rows, columns;
	int *width; /* of each array's words */
};

/* ---- the heading ---- */

static int put_parts(struct canvas *out, int x, int y, sw_text *part, int parts)
{
	int begin = x + 2 > FIRST_PART ? x + 2 : FIRST_PART, end = begin;
	bool columns = true;

	for (int k = 0; k < parts; k++) {
		columns = columns && end <= begin + k * NEXT_PART;
		end = begin + k * NEXT_PART + canvas_text_width(sw_text_get(&part[k])) + 2;
	}
	columns = columns && end <= out->width + 2;
	for (int k = 0; k < parts; k++) {
		int width = canvas_text_width(sw_text_get(&part[k]));
		int at = columns ? begin + k * NEXT_PART : x + 2;
		if (!columns && at + width > out->width) {
			at = 2;
			y++;
		}
		x = canvas_put(out, at, y, ROLE_OP, sw_text_get(&part[k]));
		sw_text_free(&part[k]);
	}
	return y + 1;
}

static bool draw_heading(struct holds *h)
{
	const struct schedule_look *look = h->words->look;
	sw_text head = {0}, part[PARTS_MOST] = {0};
	int parts = held_parts(h->words, part, PARTS_MOST), x;

	if (parts < 0)
		return false;
	sw_text_addf(&head, "step %lld of %lld", (long long)look->step, (long long)look->lowering->steps);
	x = canvas_put(h->out, 0, 0, ROLE_TITLE, sw_text_get(&head));
	sw_text_free(&head);
	head = (sw_text){0};
	if (look->step > 0)
		sw_lowering_print_at(look->lowering, look->step - 1, &head);
	else
		sw_text_add(&head, "nothing is fetched yet");
	if (head.length > 0)
		x = canvas_put(h->out, x + 2, 0, ROLE_TEXT, sw_text_get(&head));
	sw_text_free(&head);
	h->y = put_parts(h->out, x, 0, part, parts);
	return true;
}

/* ---- layout ---- */

/* The grid is that of the last level, its first two dimensions; the others are told above it. */
static void choose_axes(struct holds *h)
{
	int levels = sw_mesh_levels(h->mesh), first, end;

	sw_mesh_level(h->mesh, levels - 1, &first, &end);
	h->down = end - first > 1 ? first : -1;
	h->across = end - first > 1 ? first + 1 : first;
}

static void axis_text(const struct holds *h, int axis, int64_t at, char text[80])
{
	const sw_lowering *lowering = h->words->look->lowering;
	sw_str name = axis < lowering->spaces ? lowering->schedule->loop[lowering->space[axis]].name :
											sw_str_of(h->mesh->axis[axis].name);

	snprintf(text, 80, "%.*s=%lld", (int)(name.length < 40 ? name.length : 40), name.at, (long long)at);
}

static int64_t extent_of(const struct holds *h, int axis)
{
	return axis < 0 ? 1 : h->mesh->axis[axis].size;
}

static void lay_out(struct holds *h)
{
	char text[80];
	int rows;

	h->number = words_device_room(h->mesh);
	h->cell = h->number + 1;
	for (int k = 0; k < h->words->arrays; k++)
		h->cell += 1 + h->width[k];
	axis_text(h, h->across, extent_of(h, h->across) - 1, text);
	h->cell = (int)sw_larger(h->cell, (int64_t)strlen(text) + 3);
	axis_text(h, h->down < 0 ? 0 : h->down, extent_of(h, h->down) - 1, text);
	h->label = h->down < 0 ? 0 : (int)strlen(text) + 2;
	rows = h->opt->height > 12 ? (h->opt->height - 6) / 2 : h->opt->height > 0 ? 3 : ROWS_MOST;
	h->rows = fold_stretches(extent_of(h, h->down), rows, -1, h->row);
	rows = (h->out->width - h->label - 1) / (h->cell + 1);
	h->columns = fold_stretches(extent_of(h, h->across), rows < 1 ? 1 : rows, -1, h->column);
}

/* ---- cells ---- */

static int left_of(const struct holds *h, int column)
{
	return h->label + column * (h->cell + 1);
}

static void draw_cell(const struct holds *h, int column, int y, int64_t processor)
{
	int x = left_of(h, column) + 1;
	bool marked = processor == h->opt->device, any = false;

	canvas_put(h->out, x, y, marked ? ROLE_CURRENT : ROLE_LABEL, words_device(h->mesh, processor).text);
	x += h->number;
	for (int k = 0; k < h->words->arrays; k++) {
		const struct held_word *word = &h->words->word[processor * h->words->arrays + k];
		canvas_put(h->out, x + 1, y, word->arrives ? ROLE_MOVED : word->leaves ? ROLE_OP : ROLE_KEPT, word->text);
		x += 1 + h->width[k];
		any = any || *word->text != '\0';
	}
	if (!any && h->words->look->step > 0)
		canvas_put_cut(h->out, left_of(h, column) + 2 + h->number, y, h->cell - h->number - 1, ROLE_DIM, "idle");
}

/* The processor at these coordinates of the grid, in the plane whose first one is `base`. */
static int64_t processor_at(const struct holds *h, int64_t base, int64_t row, int64_t column)
{
	return base + (h->down >= 0 ? row * h->mesh->axis[h->down].stride : 0) + column * h->mesh->axis[h->across].stride;
}

static void draw_row(const struct holds *h, int row, int64_t base)
{
	int y = h->y + 1 + 2 * row;
	char text[80];

	if (stretch_folded(h->row[row])) {
		canvas_putf(h->out, left_of(h, 0) + 2, y, ROLE_DIM, "… %s like these",
			words_plural(h->row[row].to - h->row[row].from + 1, "row", "rows").text);
		return;
	}
	if (h->down >= 0) {
		axis_text(h, h->down, h->row[row].from, text);
		canvas_put(h->out, 0, y, ROLE_LABEL, text);
	}
	for (int column = 0; column < h->columns; column++) {
		if (stretch_folded(h->column[column]))
			canvas_putf(h->out, left_of(h, column) + 2, y, ROLE_DIM, "…");
		else
			draw_cell(h, column, y, processor_at(h, base, h->row[row].from, h->column[column].from));
	}
}

static void draw_heads(struct holds *h)
{
	char text[80];

	for (int column = 0; column < h->columns; column++) {
		axis_text(h, h->across, h->column[column].from, text);
		if (stretch_folded(h->column[column]))
			canvas_put_cut(h->out, left_of(h, column) + 2, h->y, h->cell - 1, ROLE_DIM,
				words_plural(h->column[column].to - h->column[column].from + 1, "more", "more").text);
		else
			canvas_put(h->out, left_of(h, column) + 3, h->y, ROLE_LABEL, text);
	}
	h->y++;
}

static void draw_grid(struct holds *h, int64_t base)
{
	int width = h->columns * (h->cell + 1) + 1, height = 2 * h->rows + 1;

	draw_heads(h);
	canvas_box(h->out, h->label, h->y, width, height, ROLE_BORDER, 0);
	for (int row = 1; row < h->rows; row++)
		canvas_hline(h->out, h->label, h->y + 2 * row, width, ROLE_BORDER, 0);
	for (int column = 1; column < h->columns; column++)
		canvas_vline(h->out, left_of(h, column), h->y, height, ROLE_BORDER, 0);
	for (int row = 0; row < h->rows; row++)
		draw_row(h, row, base);
	h->y += height;
}

/* ---- planes ---- */

/* The next coordinates on the axes that the grid does not have; false: there are none. */
static bool next_plane(const struct holds *h, int64_t at[SW_MAX_AXES])
{
	for (int axis = h->mesh->count - 1; axis >= 0; axis--) {
		if (axis == h->across || axis == h->down)
			continue;
		if (++at[axis] < h->mesh->axis[axis].size)
			return true;
		at[axis] = 0;
	}
	return false;
}

static int64_t draw_plane_name(struct holds *h, const int64_t at[SW_MAX_AXES])
{
	int64_t base = 0;
	char text[80];
	int x = 0;

	for (int axis = 0; axis < h->mesh->count; axis++) {
		if (axis == h->across || axis == h->down)
			continue;
		base += at[axis] * h->mesh->axis[axis].stride;
		axis_text(h, axis, at[axis], text);
		x = canvas_put(h->out, x, h->y, ROLE_LABEL, text) + 1;
	}
	h->y += x > 0;
	return base;
}

static void draw_planes(struct holds *h)
{
	int64_t at[SW_MAX_AXES] = {0}, planes = h->words->processors / (extent_of(h, h->down) * extent_of(h, h->across));
	int64_t most = sw_larger(1, (h->opt->height > 12 ? h->opt->height : 48) / (2 * h->rows + 3)), drawn = 0;
	bool more = true;

	for (; more && drawn < most; drawn++) {
		draw_grid(h, draw_plane_name(h, at));
		more = next_plane(h, at);
	}
	if (drawn < planes)
		h->y = draw_note(h->out, 0, h->y, ROLE_DIM, "… %s like these",
			words_plural(planes - drawn, "grid", "grids").text);
}

/* ---- what it takes ---- */

struct taken {
	int64_t held, buffers, live, next, elements;
	bool differs; /* what processors take */
};

static bool take(const struct holds *h, struct taken *taken)
{
	const struct schedule_look *look = h->words->look;
	int levels = sw_mesh_levels(h->mesh);
	int64_t step = look->step - 1;

	for (int64_t p = 0; p < h->words->processors; p++) {
		int64_t held = 0, live, next;
		for (int k = 0; k < look->schedule->problem->formula.arrays; k++) {
			sw_boxes home;
			sw_lowering_home(look->lowering, k, levels, p, &home);
			held += sw_boxes_size(&home);
		}
		live = step < 0 ? held : sw_lowering_live(look->lowering, levels, p, step, false, h->words->arena);
		next = step < 0 ? held : sw_lowering_live(look->lowering, levels, p, step, true, h->words->arena);
		if (live < 0 || next < 0)
			return false;
		taken->differs = taken->differs || (p > 0 && held != taken->held);
		taken->held = sw_larger(taken->held, held);
		taken->buffers = sw_larger(taken->buffers, live - held);
		taken->live = sw_larger(taken->live, live);
		taken->next = sw_larger(taken->next, next);
	}
	for (int64_t n = 0; n < h->words->messages.count; n++)
		taken->elements += h->words->messages.message[n].elements;
	return true;
}

static bool draw_sums(struct holds *h, sw_diag *diag)
{
	struct taken taken = {0};
	sw_schedule_totals totals;

	if (!take(h, &taken))
		return sw_diag_memory(diag);
	if (!sw_lowering_totals(h->words->look->lowering, false, NULL, h->words->arena, &totals, diag))
		return false;
	h->y = draw_note(h->out, 0, h->y, ROLE_TEXT,
		"%s %s and %s in buffers, %s live (%s while the next arrives); %s, %s; %s in all",
		taken.differs ? "one holds at most" : "each holds", words_plural(taken.held, "element", "elements").text,
		words_count(taken.buffers).text, words_count(taken.live).text, words_count(taken.next).text,
		words_plural(h->words->messages.count, "message", "messages").text,
		words_plural(taken.elements, "element", "elements").text,
		words_plural(totals.volume, "element", "elements").text);
	return true;
}

/* The first word of something that moves; NULL: nothing does. */
static const char *word_moving(const struct held_words *words)
{
	for (int64_t n = 0; n < words->processors * words->arrays; n++)
		if (words->word[n].arrives || words->word[n].leaves)
			return words->word[n].text;
	return NULL;
}

/* Where a pane shows it one word is explained. */
static void draw_legend(struct holds *h)
{
	const char *word = h->opt->room ? word_moving(h->words) : NULL;

	if (word != NULL)
		h->y = draw_note(h->out, 0, h->y, ROLE_NOTE,
			"%s: an array, the row and column of the tile, and behind the arrow who sends it (=> who gets it); grey: it "
			"was there before",
			word);
}

static bool draw_holds(struct holds *h, sw_diag *diag)
{
	h->width = SW_NEW(h->words->arena, int, h->words->arrays + 1);
	if (h->width == NULL)
		return sw_diag_memory(diag);
	for (int k = 0; k < h->words->arrays; k++)
		h->width[k] = held_words_width(h->words, k);
	choose_axes(h);
	lay_out(h);
	if (!draw_heading(h))
		return sw_diag_memory(diag);
	draw_planes(h);
	if (!draw_sums(h, diag))
		return false;
	draw_legend(h);
	return true;
}

bool view_holds(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct held_words words;
	struct holds h = {.words = &words, .opt = opt, .out = out};
	sw_arena *arena;
	bool drawn;

	if (in->schedule == NULL)
		return draw_missing(diag, "schedule",
			"after `compute A(i,j) = B(i,k) * C(k,j)`, type: schedule .distribute(...)");
	if (!draw_begin("holds", opt, out))
		return true;
	h.mesh = in->schedule->schedule->problem->mesh;
	arena = sw_arena_new();
	drawn = arena != NULL && held_words_of(in->schedule, arena, &words) ? draw_holds(&h, diag) : sw_diag_memory(diag);
	sw_arena_free(arena);
	return drawn;
}
