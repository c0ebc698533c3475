/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types of any kind as pictures, before and after: the array as a grid, what is said of a type, and what each device holds.
 */
#include "views/general.h"

#include <assert.h>

#include <shardwalk/between.h>
#include <shardwalk/number.h>

#include "answer/rows.h"
#include "views/beside.h"
#include "views/draw.h"
#include "views/general_grid.h"

#define DEVICES_SHOWN 64
#define GAP 2

/* ---- what is drawn ---- */

bool general_of_type(const sw_mesh *mesh, const struct any_type *type, const char *name, const int64_t *order,
	sw_arena *arena, struct general *general, sw_diag *diag)
{
	*general = (struct general){.mesh = mesh, .count = 1, .type = {*type}, .name = {name}};
	return sets_check_padding(&type->type, diag) &&
		(sw_holding_of_any(mesh, &type->type, type->words, order, arena, &general->held[0]) || sw_diag_memory(diag));
}

bool general_of_problem(const sw_problem *problem, sw_arena *arena, struct general *general, sw_diag *diag)
{
	*general = (struct general){.mesh = &problem->mesh,
		.count = 2,
		.type = {{problem->from, problem->from_words}, {problem->to, problem->to_words}},
		.name = {"from", "to"}};
	return sets_check_padding(&problem->from, diag) && sets_check_padding(&problem->to, diag) &&
		(sw_problem_holdings(problem, arena, &general->held[0], &general->held[1]) || sw_diag_memory(diag));
}

bool general_ends(const struct state *state, bool both)
{
	struct any_type end;
	bool general = session_any_end(state, DEFINED_FROM, &end) && end.words != NULL;

	return general || (both && session_any_end(state, DEFINED_TO, &end) && end.words != NULL);
}

bool general_of_session(const struct session *session, bool both, sw_arena *arena, struct general *general,
	sw_diag *diag)
{
	const struct state *state = &session->state;
	sw_problem *problem = SW_NEW(arena, sw_problem, 1);
	struct any_type from, to;
	bool has_from = session_any_end(state, DEFINED_FROM, &from), has_to = session_any_end(state, DEFINED_TO, &to);

	if (problem == NULL)
		return sw_diag_memory(diag);
	if (both && has_from && has_to)
		return session_any_problem(session, problem, diag) && general_of_problem(problem, arena, general, diag);
	return general_of_type(&state->mesh, has_from ? &from : &to, has_from ? "from" : "to",
		has_from ? state->mesh.order : state->to_order, arena, general, diag);
}

bool is_general(const struct view_input *in)
{
	return in->general != NULL || (in->type == NULL && in->plan != NULL && sw_problem_has_words(&in->plan->problem));
}

bool general_choose(const struct view_input *in, const struct view_options *opt, sw_arena *arena,
	struct general *general, sw_diag *diag)
{
	assert(is_general(in));
	if (in->general != NULL) {
		*general = *in->general;
		return true;
	}
	if (!general_of_problem(&in->plan->problem, arena, general, diag))
		return false;
	general->name[0] = "before the first step";
	general->name[1] = "after step 1";
	general->count = opt->step == 0 ? 1 : 2;
	return true;
}

/* ---- headings ---- */

/* Elements on the device that has most, and on all. */
static void sizes_of(const sw_holding *held, int64_t *most, int64_t *all)
{
	*most = *all = 0;
	for (int64_t device = 0; device < held->devices; device++) {
		int64_t size = sw_holding_size(held, device);
		*most = sw_larger(*most, size);
		*all += sw_larger(size, 0);
	}
}

static int draw_general_title(const struct general *general, const char *view, struct canvas *out)
{
	sw_text rest = {0};
	int64_t told = -1;
	int y;

	for (int i = 0; i < general->count; i++) {
		sw_dtype dtype = general->type[i].type.dtype;
		int64_t most, all;
		sizes_of(&general->held[i], &most, &all);
		if (most != told)
			sw_text_addf(&rest, "%s%s a device at most, %s on all %lld", i > 0 ? "; then " : "",
				words_bytes(most, dtype).text, words_bytes(all, dtype).text, (long long)general->mesh->devices);
		told = most;
	}
	y = draw_title(out, 0, view, sw_text_get(&rest));
	sw_text_free(&rest);
	return y;
}

static int draw_type_text(const struct general *general, int i, struct canvas *out, int y)
{
	const struct any_type *type = &general->type[i];
	sw_text text = {0};

	if (general->name[i] != NULL)
		y = draw_note(out, 0, y, ROLE_LABEL, "%s:", general->name[i]);
	sw_type_print_any(general->mesh, &type->type, type->words, type->type.dtype_given, &text);
	y = canvas_put_wrapped(out, 0, y, out->width, 2, ROLE_TYPE, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int note_dims(const struct general *general, const struct grid_signs *signs, const struct view_options *opt,
	struct canvas *out, int y)
{
	const sw_holding *held = &general->held[0];

	if (held->rank > 1)
		y = draw_note(out, 0, y, ROLE_TEXT, "dimension %d down, dimension %d across, elements by their index",
			signs->dims[0], signs->dims[1]);
	for (int dim = 0; dim < held->rank; dim++)
		if (dim != signs->dims[0] && dim != signs->dims[1])
			y = draw_note(out, 0, y, ROLE_NOTE, "dimension %d is at index %lld of %lld", dim,
				(long long)sw_smaller(opt->fixed[dim], held->global[dim] - 1), (long long)held->global[dim]);
	return y;
}

static int note_sums(const struct general *general, struct canvas *out, int y)
{
	for (int i = 0; i < general->count; i++)
		if (general->held[i].terms > 1)
			return draw_note(out, 0, y, ROLE_NOTE,
				"devices with the same element hold its terms, and it is "
				"their sum");
	return y;
}

/* ---- the array as a grid ---- */

struct grids {
	struct canvas canvas[2];
	struct grid_signs signs;
};

static bool draw_one(const struct general *general, int i, const struct view_options *opt, int height,
	struct canvas *out, struct grid_signs *signs)
{
	const sw_holding *other = general->count == 2 ? &general->held[1 - i] : NULL;
	struct view_options own = *opt;

	own.width = out->width;
	own.height = height;
	return grid_draw_holding(general->mesh, &general->held[i], other, &own, out, draw_type_text(general, i, out, 0),
		signs);
}

/* Side by side in two halves, where nothing has to be left out there; else one below the other. */
static bool draw_both(const struct general *general, const struct view_options *opt, struct grids *grids)
{
	int halves = general->count == 2 && (opt->width - GAP) / 2 >= VIEW_MIN_WIDTH ? 2 : 1;
	int height = opt->height > 16 ? opt->height - 10 : 0;

	for (; halves > 0; halves--) {
		grids->signs = (struct grid_signs){.several = false};
		for (int i = 0; i < general->count; i++) {
			canvas_reset(&grids->canvas[i], halves == 2 ? (opt->width - GAP) / 2 : opt->width);
			if (!draw_one(general, i, opt, height / (general->count / halves), &grids->canvas[i], &grids->signs))
				return false;
		}
		if (!grids->signs.folded && !grids->signs.wrapped)
			return true;
	}
	return true;
}

/* The pictures and what explains them, from row `y` on. */
static bool draw_grids(const struct general *general, const struct view_options *opt, struct canvas *out, int y,
	sw_diag *diag)
{
	struct grids grids = {.signs = {.several = false}};
	bool drawn = draw_both(general, opt, &grids);

	if (drawn) {
		y = note_dims(general, &grids.signs, opt, out, y);
		y = tiles_beside(out, y + 1, grids.canvas, general->count);
		y = grid_legend(general->mesh, &grids.signs, opt, out, y);
		note_sums(general, out, y);
	}
	canvas_free(&grids.canvas[0]);
	canvas_free(&grids.canvas[1]);
	return drawn || sw_diag_memory(diag);
}

static bool drawn_tiles(const struct general *general, const struct view_options *opt, struct canvas *out,
	sw_arena *arena, sw_diag *diag)
{
	(void)arena;
	return draw_grids(general, opt, out, draw_general_title(general, "tiles", out), diag);
}

/* ---- a type ---- */

static int64_t undefined_devices(const sw_holding *held)
{
	int64_t count = 0;

	for (int64_t device = 0; device < held->devices; device++)
		count += !sw_holding_defined(held, device);
	return count;
}

static int64_t least_size(const sw_holding *held)
{
	int64_t least = INT64_MAX;

	for (int64_t device = 0; device < held->devices; device++)
		if (sw_holding_defined(held, device))
			least = sw_smaller(least, sw_holding_size(held, device));
	return least == INT64_MAX ? 0 : least;
}

static int draw_facts(const struct sets_look *look, struct canvas *out, int y)
{
	const sw_type *array = &look->type.type;
	int64_t most, all, least = least_size(&look->holding), undefined = undefined_devices(&look->holding);
	sw_text sizes = {0};

	sizes_of(&look->holding, &most, &all);
	sw_type_print_tile(array->global, array->rank, &sizes);
	y = draw_note(out, 2, y, ROLE_TEXT, "array   %s: %s, %s", sw_text_get(&sizes),
		words_plural(sw_type_globalsize(array), "element", "elements").text,
		words_bytes(sw_type_globalsize(array), array->dtype).text);
	sw_text_free(&sizes);
	y = draw_note(out, 2, y, ROLE_TEXT, "device  %s%s%s, %s on all %lld", least < most ? words_count(least).text : "",
		least < most ? " to " : "", words_plural(most, "element", "elements").text, words_count(all).text,
		(long long)look->holding.devices);
	y = draw_note(out, 2, y, ROLE_TEXT, "%s, %s",
		look->disjoint ? "no element is on two devices" : "elements have copies",
		look->covers ? "each is on one" : "some are on none");
	if (look->holding.terms > 1)
		y = draw_note(out, 2, y, ROLE_TEXT, "sum: %s of every value",
			words_plural(look->holding.terms, "term", "terms").text);
	if (undefined > 0)
		y = draw_note(out, 2, y, ROLE_TEXT, "%s undefined: the type does not say what they have",
			words_plural(undefined, "device is", "devices are").text);
	return y;
}

/* Of two types the one after the step. */
static bool drawn_type(const struct general *general, const struct view_options *opt, struct canvas *out,
	sw_arena *arena, sw_diag *diag)
{
	int last = general->count - 1;
	struct general one = {.mesh = general->mesh,
		.count = 1,
		.type = {general->type[last]},
		.held = {general->held[last]}};
	struct sets_look look;
	int y = draw_title(out, 0, "type", general->name[last] != NULL ? general->name[last] : "");

	return sets_look_at(general->mesh, &general->type[last], NULL, arena, &look, diag) &&
		draw_grids(&one, opt, out, draw_facts(&look, out, y), diag);
}

/* ---- devices ---- */

/* A device as a row: what it holds, before and after. */
struct general_row {
	int64_t device;
	const char *holds[2];
	bool kept;
};

enum { ROWS_OF_TWO = 1 };

static const char *holding_name(const void *of, int part)
{
	const struct general *general = of;

	return general->count == 1 ? "holds" : part == 0 ? "before" : "after";
}

static void print_kept(const struct row_at *at, sw_text *text)
{
	sw_text_add(text, ((const struct general_row *)at->row)->kept ? "=" : "");
}

static const struct row_column general_columns[] = {
	ROW_AT(NULL, "device", DEVICE, struct general_row, device, .role = ROLE_LABEL),
	ROW_AT("", "", WORD, struct general_row, holds[0], .named = holding_name, .part = 0, .role = ROLE_NUMBER,
		.as = {.fit = CELL_WRAP}),
	ROW_AT("", "", WORD, struct general_row, holds[1], .named = holding_name, .part = 1, .role = ROLE_NUMBER,
		.as = {.fit = CELL_WRAP}, .when = ROWS_OF_TWO),
	ROW_BY(NULL, "", TEXT, .print = print_kept, .role = ROLE_KEPT, .when = ROWS_OF_TWO),
};

static bool fill_device(const struct general *general, int64_t device, sw_arena *arena, struct general_row *row)
{
	*row = (struct general_row){.device = device};
	for (int i = 0; i < general->count; i++) {
		const sw_holding *held = &general->held[i];
		sw_region region;
		sw_text text = {0};
		if (!sw_holding_region(held, device, arena, &region))
			return false;
		if (sw_holding_defined(held, device))
			region_text(&region, arena, &text);
		else
			sw_text_add(&text, "undefined");
		row->holds[i] = sw_text_keep(&text, arena);
		if (row->holds[i] == NULL)
			return false;
	}
	row->kept = general->count == 2 && sw_holding_size(&general->held[1], device) > 0 &&
		sw_holding_within(&general->held[1], device, &general->held[0], device);
	return true;
}

/* The first devices, and the one that is asked for. */
static bool drawn_devices(const struct general *general, const struct view_options *opt, struct canvas *out,
	sw_arena *arena, sw_diag *diag)
{
	struct general_row row[DEVICES_SHOWN];
	int64_t devices = general->mesh->devices, count = sw_smaller(devices, DEVICES_SHOWN);
	int y = draw_general_title(general, "devices", out);
	bool kept = false;

	for (int i = 0; i < general->count; i++)
		y = draw_type_text(general, i, out, y);
	for (int64_t i = 0; i < count; i++) {
		if (!fill_device(general, i == count - 1 && opt->device > i && opt->device < devices ? opt->device : i, arena,
				&row[i]))
			return sw_diag_memory(diag);
		kept = kept || row[i].kept;
	}
	const struct rows rows = ROWS_OF(general_columns, row, count, .of = general, .mesh = general->mesh,
		.is = general->count == 2 ? ROWS_OF_TWO : 0, .narrow = true);
	y++;
	if (!rows_draw(&rows, out, &y, diag))
		return false;
	if (devices > count)
		y = draw_note(out, 0, y, ROLE_DIM, "… %s; --device N shows one of them",
			words_plural(devices - count, "device more", "devices more").text);
	if (kept)
		draw_note(out, 0, y, ROLE_NOTE, "=: nothing arrives there; its devices held it before");
	return true;
}

/* ---- the views ---- */

typedef bool drawer(const struct general *general, const struct view_options *opt, struct canvas *out,
	sw_arena *arena, sw_diag *diag);

static bool draw_by(drawer *draw, const char *name, const struct view_input *in, const struct view_options *opt,
	struct canvas *out, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	struct general general;
	bool drawn = arena != NULL ? general_choose(in, opt, arena, &general, diag) : sw_diag_memory(diag);

	if (drawn && draw_begin(name, opt, out))
		drawn = draw(&general, opt, out, arena, diag);
	sw_arena_free(arena);
	return drawn;
}

bool general_tiles(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	return draw_by(drawn_tiles, "tiles", in, opt, out, diag);
}

bool general_type(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	return draw_by(drawn_type, "type", in, opt, out, diag);
}

bool general_devices(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	return draw_by(drawn_devices, "devices", in, opt, out, diag);
}
