/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a sharding means, step by step: the devices in a row, in the rows of a mesh, turned, dealt to the grid of
 * tiles; and which tile each device gets, of one sharding or of two beside each other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/arena.h>
#include <shardwalk/notation.h>

#include "views/draw.h"

#define GRID_ROWS 16     /* rows of a grid before it is folded */
#define TABLE_ROWS 16    /* rows of the table of devices before it is folded */
#define CELL_MOST 22     /* columns of a cell of the tile grid */
#define COPIES_MOST 4096 /* devices listed for one tile */

/* ---- grids ---- */

/* A grid of any number of dimensions, drawn in rows: the last of them across. */
struct picture {
	int dims;
	int64_t size[SW_MAX_PARTS];
	const sw_mesh *mesh;
	const int64_t *list; /* what stands there, row-major; NULL: 0, 1, 2, ... */
	int64_t each;        /* entries of the list in one cell */
	int room;            /* columns of a cell at most */
	int64_t *copies;     /* room for one cell */
	struct stretch row[STRETCHES_MAX], column[STRETCHES_MAX];
	int rows, columns, label, cell;
};

static int compare_devices(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return left < right ? -1 : left > right;
}

static int64_t picture_across(const struct picture *p)
{
	return p->dims ? p->size[p->dims - 1] : 1;
}

static int64_t picture_down(const struct picture *p)
{
	int64_t down = 1;
	for (int i = 0; i + 1 < p->dims; i++)
		down *= p->size[i];
	return down;
}

static void picture_cell(const struct picture *p, int64_t row, int64_t column, sw_text *text)
{
	int64_t at = (row * picture_across(p) + column) * p->each;
	int64_t listed = p->each < COPIES_MOST ? p->each : COPIES_MOST;
	for (int64_t i = 0; i < listed; i++)
		p->copies[i] = p->list ? p->list[at + i] : at + i;
	qsort(p->copies, (size_t)listed, sizeof(*p->copies), compare_devices);
	devices_text(p->mesh, p->copies, listed, p->each, p->room, text);
}

/* Where a row stands along all dimensions but the last: `0,3`. */
static void picture_label(const struct picture *p, struct stretch stretch, sw_text *text)
{
	int64_t below = picture_down(p);
	if (stretch_folded(stretch)) {
		sw_text_addf(text, "+%lld", (long long)(stretch.to - stretch.from + 1));
		return;
	}
	for (int i = 0; i + 1 < p->dims; i++) {
		below /= p->size[i];
		sw_text_addf(text, "%s%lld", i ? "," : "", (long long)(stretch.from / below % p->size[i]));
	}
}

static int text_columns(sw_text *text)
{
	int columns = canvas_text_width(sw_text_get(text));
	sw_text_clear(text);
	return columns;
}

static void picture_measure(struct picture *p)
{
	sw_text text = {0};
	p->label = p->cell = 1;
	for (int r = 0; r < p->rows; r++) {
		picture_label(p, p->row[r], &text);
		int columns = text_columns(&text);
		p->label = columns > p->label ? columns : p->label;
		for (int c = 0; c < p->columns; c++) {
			if (stretch_folded(p->row[r]) || stretch_folded(p->column[c]))
				continue;
			picture_cell(p, p->row[r].from, p->column[c].from, &text);
			columns = text_columns(&text);
			p->cell = columns > p->cell ? columns : p->cell;
		}
	}
	sw_text_free(&text);
}

static void picture_layout(struct picture *p, int width)
{
	p->rows = fold_stretches(picture_down(p), GRID_ROWS, VIEW_ALL, p->row);
	for (int fit = (int)(picture_across(p) < STRETCHES_MAX ? picture_across(p) : STRETCHES_MAX);; fit--) {
		p->columns = fold_stretches(picture_across(p), fit, VIEW_ALL, p->column);
		picture_measure(p);
		if (fit <= 1 || p->label + 2 + p->columns * (p->cell + 1) <= width)
			return;
		int fits = (width - p->label - 2) / (p->cell + 1);
		fit = fits < fit && fits >= 1 ? fits + 1 : fit;
	}
}

static void picture_head(const struct picture *p, struct canvas *out, int x, int y)
{
	for (int c = 0; c < p->columns; c++) {
		int at = x + c * (p->cell + 1);
		char text[32];
		snprintf(text, sizeof(text), stretch_folded(p->column[c]) ? "…" : "%lld", (long long)p->column[c].from);
		canvas_put_right(out, at, y, p->cell, ROLE_LABEL, text);
	}
}

static int picture_draw(struct picture *p, struct canvas *out, int y, bool heads)
{
	sw_text text = {0};
	int x = 2 + p->label + 2;
	if (heads)
		picture_head(p, out, x, y++);
	for (int r = 0; r < p->rows; r++, y++) {
		picture_label(p, p->row[r], &text);
		if (heads)
			canvas_put_right(out, 2, y, p->label, stretch_folded(p->row[r]) ? ROLE_DIM : ROLE_LABEL,
				sw_text_get(&text));
		sw_text_clear(&text);
		for (int c = 0; c < p->columns; c++) {
			bool folded = stretch_folded(p->row[r]) || stretch_folded(p->column[c]);
			if (folded)
				sw_text_add(&text, "…");
			else
				picture_cell(p, p->row[r].from, p->column[c].from, &text);
			canvas_put_right(out, x + c * (p->cell + 1), y, p->cell, folded ? ROLE_DIM : ROLE_NUMBER,
				sw_text_get(&text));
			sw_text_clear(&text);
		}
	}
	sw_text_free(&text);
	return y;
}

/* ---- the steps ---- */

struct dealing {
	const sw_sharding *sharding;
	const int64_t *list; /* devices in the order of the tiles */
	sw_arena *arena;
	struct canvas *out;
	int64_t *copies;
	int step;
};

static int step_title(struct dealing *d, int y, const char *format, const char *what)
{
	int x = canvas_putf(d->out, 0, y, ROLE_LABEL, "%d ", ++d->step);
	sw_text text = {0};
	sw_text_addf(&text, format, what);
	y = canvas_put_wrapped(d->out, x, y, d->out->width - x, 0, ROLE_TEXT, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int step_draw(struct dealing *d, int y, const int64_t *size, int dims, const int64_t *list, bool heads)
{
	struct picture *p = SW_NEW_ZERO(d->arena, struct picture, 1);
	if (!p)
		return y;
	p->mesh = &d->sharding->mesh;
	p->dims = dims;
	memcpy(p->size, size, (size_t)dims * sizeof(*size));
	p->list = list;
	p->each = 1;
	p->room = CELL_MOST;
	p->copies = d->copies;
	picture_layout(p, d->out->width - 4);
	return picture_draw(p, d->out, y, heads);
}

static void sizes_text(const int64_t *size, int dims, char close, sw_text *text)
{
	for (int i = 0; i < dims; i++)
		sw_text_addf(text, "%s%lld", i ? "," : close == ']' ? "[" : "(", (long long)size[i]);
	sw_text_add_char(text, close);
}

static int draw_row(struct dealing *d, int y)
{
	const sw_sharding *s = d->sharding;
	y = step_title(d, y, "%s",
		s->mesh.order ? "the devices in a row, in the order of the list" : "the devices in a row");
	return step_draw(d, y, &s->mesh.devices, 1, s->mesh.order, false);
}

/* `x 4, y 2`, and the sizes that are not 1. */
static int mesh_sizes(const sw_mesh *mesh, int64_t *size, sw_text *names)
{
	int dims = 0;
	for (int i = 0; i < mesh->count; i++) {
		if (mesh->axis[i].size == 1)
			continue;
		sw_text_addf(names, "%s%s %lld", dims ? ", " : "", mesh->axis[i].name, (long long)mesh->axis[i].size);
		size[dims++] = mesh->axis[i].size;
	}
	return dims;
}

static int draw_mesh(struct dealing *d, int y)
{
	const sw_sharding *s = d->sharding;
	int64_t size[SW_MAX_AXES];
	sw_text names = {0};
	int dims = mesh_sizes(&s->mesh, size, &names);
	y = step_title(d, y, dims > 1 ? "in the rows of the mesh: %s, the last across" : "along the mesh: %s",
		sw_text_get(&names));
	sw_text_free(&names);
	return step_draw(d, y, size, dims, s->mesh.order, dims > 1);
}

/* What T(1,0) does: dimension order[0] down first. */
static int draw_turned(struct dealing *d, int y, const int64_t *size, const int *order, int count)
{
	int64_t turned[SW_MAX_PARTS], by[SW_MAX_PARTS];
	sw_text text = {0};
	for (int i = 0; i < count; i++) {
		by[i] = order[i];
		turned[i] = size[order[i]];
	}
	sizes_text(by, count, ')', &text);
	sw_text_addf(&text, ", %s: now ", count == 2 ? "rows become columns" : "in that order, the last across");
	sizes_text(turned, count, ']', &text);
	y = step_title(d, y, "transposed by %s", sw_text_get(&text));
	sw_text_free(&text);
	return step_draw(d, y, turned, count, d->list, true);
}

static int draw_reshaped(struct dealing *d, int y)
{
	int64_t size[SW_MAX_PARTS];
	int order[SW_MAX_PARTS];
	int count = sw_sharding_order(d->sharding, SW_MAX_PARTS, size, order);
	if (count < 2)
		return y;
	sw_text text = {0};
	sizes_text(size, count, ']', &text);
	y = step_title(d, y, "reshaped to %s", sw_text_get(&text));
	sw_text_free(&text);
	y = step_draw(d, y, size, count, d->sharding->mesh.order, true);
	return draw_turned(d, y, size, order, count);
}

static int draw_grid(struct dealing *d, int y)
{
	const sw_sharding *s = d->sharding;
	struct picture *p = SW_NEW_ZERO(d->arena, struct picture, 1);
	int shown[SW_MAX_DIMS];
	sw_text text = {0};
	if (!p)
		return y;
	p->mesh = &s->mesh;
	p->each = s->mesh.devices;
	for (int i = 0; i < s->rank; i++) {
		p->each /= sw_sharding_cuts(s, i);
		if (sw_sharding_cuts(s, i) == 1)
			continue;
		shown[p->dims] = i;
		p->size[p->dims++] = sw_sharding_cuts(s, i);
	}
	p->list = d->list;
	p->room = CELL_MOST;
	p->copies = d->copies;
	for (int i = 0; i < s->rank; i++)
		sw_text_addf(&text, "%s%lld", i ? "," : "[", (long long)sw_sharding_cuts(s, i));
	sw_text_add(&text, s->rank ? "]" : "[]");
	if (p->each > 1)
		sw_text_addf(&text, ", %lld to each tile", (long long)p->each);
	for (int i = 0; i < p->dims; i++)
		sw_text_addf(&text, "%s dimension %d %s", i ? "," : ":", shown[i], i + 1 < p->dims ? "down" : "across");
	y = step_title(d, y, "dealt to the tiles %s", sw_text_get(&text));
	sw_text_free(&text);
	picture_layout(p, d->out->width - 4);
	return picture_draw(p, d->out, y, p->dims > 0);
}

/* ---- tables of devices ---- */

struct row_of_table {
	const sw_sharding *one, *two; /* two: NULL, or what stands beside it */
	const int64_t *first, *second;
	const int64_t *shown; /* the devices */
	int64_t count;
	int digits, tile[2]; /* columns */
};

static bool row_differs(const struct row_of_table *t, int64_t device)
{
	const sw_sharding *a = t->one, *b = t->two;
	int rank = !b || a->rank > b->rank ? a->rank : b->rank;
	for (int i = 0; b && i < rank; i++) {
		int64_t here = i < a->rank ? t->first[device * a->rank + i] : 0;
		int64_t there = i < b->rank ? t->second[device * b->rank + i] : 0;
		int64_t cuts = i < a->rank ? sw_sharding_cuts(a, i) : 1;
		if (here != there || cuts != (i < b->rank ? sw_sharding_cuts(b, i) : 1))
			return true;
	}
	return false;
}

static void row_tile(const struct row_of_table *t, int which, int64_t device, sw_text *text)
{
	const sw_sharding *s = which ? t->two : t->one;
	sw_type_print_tile((which ? t->second : t->first) + device * s->rank, s->rank, text);
}

/* As wide as the last tile of all. */
static void table_measure(struct row_of_table *t)
{
	sw_text text = {0};
	for (int which = 0; which < (t->two ? 2 : 1); which++) {
		const sw_sharding *s = which ? t->two : t->one;
		int64_t last[SW_MAX_DIMS];
		for (int d = 0; d < s->rank; d++)
			last[d] = sw_sharding_cuts(s, d) - 1;
		sw_type_print_tile(last, s->rank, &text);
		t->tile[which] = text_columns(&text);
	}
	if (t->count) {
		sw_text_addf(&text, "%lld", (long long)t->shown[t->count - 1]);
		t->digits = text_columns(&text);
	}
	sw_text_free(&text);
}

static void row_draw(const struct row_of_table *t, struct canvas *out, int x, int y, int64_t device)
{
	bool differs = row_differs(t, device);
	sw_text text = {0};
	sw_text_addf(&text, "%lld", (long long)device);
	canvas_put(out, x, y, differs ? ROLE_BAD : ROLE_TEXT, differs ? "*" : " ");
	canvas_put_right(out, x + 1, y, t->digits, ROLE_LABEL, sw_text_get(&text));
	sw_text_clear(&text);
	row_tile(t, 0, device, &text);
	canvas_put(out, x + t->digits + 2, y, differs ? ROLE_BAD : ROLE_NUMBER, sw_text_get(&text));
	sw_text_clear(&text);
	if (t->two) {
		row_tile(t, 1, device, &text);
		canvas_put(out, x + t->digits + t->tile[0] + 3, y, differs ? ROLE_BAD : ROLE_NUMBER, sw_text_get(&text));
	}
	sw_text_free(&text);
}

static int table_draw(struct row_of_table *t, struct canvas *out, int y)
{
	table_measure(t);
	int wide = 1 + t->digits + 1 + t->tile[0] + (t->two ? 1 + t->tile[1] : 0) + 2;
	int columns = out->width / wide > 0 ? out->width / wide : 1;
	int64_t rows = (t->count + columns - 1) / columns, shown = t->count;
	if (rows > TABLE_ROWS) {
		rows = TABLE_ROWS;
		shown = rows * columns;
	}
	for (int64_t i = 0; i < shown; i++)
		row_draw(t, out, (int)(i / rows) * wide, y + (int)(i % rows), t->shown[i]);
	y += (int)rows;
	if (shown < t->count)
		y = draw_note(out, 1, y, ROLE_DIM, "… and %s",
			words_plural(t->count - shown, "more device", "more devices").text);
	return y;
}

static const int64_t *all_devices(int64_t devices, sw_arena *arena)
{
	int64_t *all = SW_NEW(arena, int64_t, devices);
	for (int64_t i = 0; all && i < devices; i++)
		all[i] = i;
	return all;
}

/* ---- views ---- */

static bool sharding_has_tiles(const sw_sharding *s)
{
	return s->kind == SW_SHARDING_TILED && s->mesh.devices > 1 && (s->rank > 0 || s->first[s->rank] > 0);
}

static int draw_steps(struct dealing *d, int y)
{
	const sw_sharding *s = d->sharding;
	bool named = s->named && s->mesh.count > 0;
	y = draw_row(d, y);
	y = named ? draw_mesh(d, y) : draw_reshaped(d, y);
	return draw_grid(d, y);
}

static bool draw_one(const sw_sharding *s, sw_arena *arena, struct canvas *out, sw_diag *diag)
{
	struct dealing d = {.sharding = s, .arena = arena, .out = out};
	struct row_of_table table = {.one = s, .count = s->mesh.devices};
	d.list = sw_sharding_devices(s, arena, diag);
	table.first = sw_sharding_table(s, arena, diag);
	if (!d.list || !table.first)
		return false;
	d.copies = SW_NEW(arena, int64_t, COPIES_MOST);
	table.shown = all_devices(table.count, arena);
	if (!d.copies || !table.shown)
		return sw_diag_memory(diag);
	int y = draw_steps(&d, 0);
	canvas_put(out, 0, y, ROLE_LABEL, "device and its tile");
	table_draw(&table, out, y + 1);
	return true;
}

static int64_t *keep_different(const struct row_of_table *t, int64_t devices, sw_arena *arena, int64_t *count)
{
	int64_t *kept = SW_NEW(arena, int64_t, devices);
	*count = 0;
	for (int64_t device = 0; kept && device < devices; device++)
		if (row_differs(t, device))
			kept[(*count)++] = device;
	return kept;
}

static bool draw_two(const sw_sharding *one, const sw_sharding *two, sw_arena *arena, struct canvas *out,
	sw_diag *diag)
{
	int64_t devices = one->mesh.devices, different;
	struct row_of_table table = {.one = one, .two = two};
	table.first = sw_sharding_table(one, arena, diag);
	table.second = sw_sharding_table(two, arena, diag);
	if (!table.first || !table.second)
		return false;
	const int64_t *all = all_devices(devices, arena), *kept = keep_different(&table, devices, arena, &different);
	if (!all || !kept)
		return sw_diag_memory(diag);
	bool only = devices > TABLE_ROWS * 4 && different > 0;
	table.shown = only ? kept : all;
	table.count = only ? different : devices;
	canvas_put(out, 0, 0, ROLE_LABEL,
		only          ? "devices that differ, with the tile of each sharding" :
			different ? "device, its tile in the first and in the second; * where they differ" :
						"device, its tile in the first and in the second");
	table_draw(&table, out, 1);
	return true;
}

bool view_sharding(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	const sw_sharding *one = in->sharding, *two = in->other;
	if (!one)
		return draw_missing(diag, "sharding", "`explain TEXT` shows what a text means");
	if (!draw_begin("sharding", opt, out))
		return true;
	bool both = two && sharding_has_tiles(one) && one->mesh.devices == two->mesh.devices;
	if (!sharding_has_tiles(one) || (two && !both))
		return true;
	sw_arena *arena = sw_arena_new();
	if (!arena)
		return sw_diag_memory(diag);
	bool ok = both ? draw_two(one, two, arena, out, diag) : draw_one(one, arena, out, diag);
	sw_arena_free(arena);
	return ok;
}
