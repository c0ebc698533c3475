/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What processors need in a step of a schedule: bounding boxes beside the elements that their points touch, and both volumes.
 *
 * Source: seed 003, section 6.2.
 */
#include <stdio.h>

#include "answer/rows.h"
#include "views/draw.h"
#include "views/schedule_views.h"
#include "views/scheduled.h"
#include "views/sets.h"

#define NEEDS_MOST 64

/* What a unit needs of one array. */
struct need_row {
	int64_t unit, bounds, exact, comes;
	int fetch;
	const char *box, *touched;
};

struct needs_of {
	const struct schedule_look *look;
	const sw_pulse *pulse;
	sw_arena *arena;
	int64_t step; /* from 0 */
	sw_schedule_messages messages;
	struct need_row row[NEEDS_MOST];
	int rows;
	bool more;
};

static void print_array(const struct row_at *at, sw_text *text)
{
	const struct schedule_look *look = at->of;
	const struct need_row *row = at->row;

	schedule_print_fetch(look->lowering, &look->lowering->fetch[row->fetch], text);
}

static void print_loop(const struct row_at *at, sw_text *text)
{
	const struct schedule_look *look = at->of;
	const struct need_row *row = at->row;
	int loop = look->lowering->fetch[row->fetch].loop;

	if (loop >= 0)
		sw_text_add_str(text, look->schedule->loop[loop].name);
}

/* Of the last level it is a device. */
static void print_unit(const struct row_at *at, sw_text *text)
{
	const struct schedule_look *look = at->of;
	const struct need_row *row = at->row;

	if (look->lowering->fetch[row->fetch].level == sw_mesh_levels(look->schedule->problem->mesh))
		sw_mesh_print_device(look->schedule->problem->mesh, row->unit, text);
	else
		sw_text_add_int(text, row->unit);
}

static const struct row_column need_columns[] = {
	ROW_AT(NULL, "device", COUNT, struct need_row, unit, .role = ROLE_LABEL, .any = true, .print = print_unit),
	ROW_BY(NULL, "array", TEXT, .print = print_array, .role = ROLE_TYPE),
	ROW_BY(NULL, "when", TEXT, .print = print_loop, .as = {.drops = 2}),
	ROW_AT(NULL, "bounds", WORD, struct need_row, box),
	ROW_AT(NULL, "elements", LARGE, struct need_row, bounds, .any = true),
	ROW_AT(NULL, "touched", WORD, struct need_row, touched, .as = {.drops = 1, .fit = CELL_WRAP, .gives = 16}),
	ROW_AT(NULL, "exact", LARGE, struct need_row, exact, .any = true),
	ROW_AT(NULL, "arrive", LARGE, struct need_row, comes, .any = true),
};

static int64_t arrives(const struct needs_of *n, int fetch, int64_t unit)
{
	int64_t elements = 0;

	for (int64_t k = 0; k < n->messages.count; k++)
		if (n->messages.message[k].fetch == fetch && n->messages.message[k].to == unit)
			elements += n->messages.message[k].elements;
	return elements;
}

static bool add_row(struct needs_of *n, int fetch, int64_t unit)
{
	const sw_lowering *lowering = n->look->lowering;
	struct need_row *row = &n->row[n->rows];
	sw_text box = {0}, touched = {0};
	sw_region exact;
	sw_boxes need;

	if (!sw_lowering_need(lowering, fetch, n->step, unit, n->arena, &need) ||
		!sw_lowering_touched(lowering, fetch, n->step, unit, n->arena, &exact))
		return false;
	schedule_print_boxes(&need, &box);
	if (exact.rank > 0)
		region_text(&exact, n->arena, &touched);
	else
		sw_text_add(&touched, exact.count > 0 ? "[]" : "nothing");
	*row = (struct need_row){unit, sw_boxes_size(&need), sw_region_size(&exact), arrives(n, fetch, unit), fetch,
		sw_text_keep(&box, n->arena), sw_text_keep(&touched, n->arena)};
	n->rows++;
	return row->box != NULL && row->touched != NULL;
}

/* Of one processor, or of all, what is fetched in this step. */
static bool add_rows(struct needs_of *n, int64_t only)
{
	const sw_lowering *lowering = n->look->lowering;
	int levels = sw_mesh_levels(n->look->schedule->problem->mesh);

	for (int64_t unit = 0; unit < n->look->schedule->problem->mesh->devices && !n->more; unit++)
		for (int k = 0; k < lowering->fetches; k++) {
			const sw_fetch *fetch = &lowering->fetch[k];
			bool there = unit < sw_schedule_units(n->look->schedule->problem->mesh, fetch->level);
			if (!there || !sw_fetch_begins(fetch, n->step) || (only >= 0 && (unit != only || fetch->level < levels)))
				continue;
			n->more = n->rows == NEEDS_MOST;
			if (n->more)
				break;
			if (!add_row(n, k, unit))
				return false;
		}
	return true;
}

static bool draw_volumes(const struct needs_of *n, struct canvas *out, int y, sw_diag *diag)
{
	sw_schedule_totals totals;
	int64_t *exact = n->look->exact;

	if (!sw_lowering_totals(n->look->lowering, false, n->pulse, n->arena, &totals, diag))
		return false;
	if (exact != NULL && *exact >= 0)
		totals.exact = *exact;
	else if (!sw_lowering_exact(n->look->lowering, n->pulse, &totals, diag))
		return false;
	if (exact != NULL)
		*exact = totals.exact;
	draw_note(out, 0, y, ROLE_TEXT, "%s move in all steps by bounding boxes; %s would if only touched elements moved",
		words_plural(totals.volume, "element", "elements").text, words_count(totals.exact).text);
	return true;
}

static bool draw_needs(struct needs_of *n, const struct view_options *opt, struct canvas *out, int y, sw_diag *diag)
{
	const struct rows rows = ROWS_OF(need_columns, n->row, n->rows, .of = n->look, .narrow = true);

	if (!rows_draw(&rows, out, &y, diag))
		return false;
	if (n->rows == 0)
		y = draw_note(out, 0, y, ROLE_GOOD, "nothing is fetched in this step");
	if (n->more)
		y = draw_note(out, 0, y, ROLE_DIM, "… and more; --device N draws one%s", opt->device >= 0 ? " of them" : "");
	return draw_volumes(n, out, y, diag);
}

bool schedule_needs(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct needs_of *n;
	sw_arena *arena;
	char rest[64];
	bool drawn;

	if (!draw_begin("needs", opt, out))
		return true;
	arena = sw_arena_new();
	n = SW_NEW_ZERO(arena, struct needs_of, 1);
	if (n == NULL) {
		sw_arena_free(arena);
		return sw_diag_memory(diag);
	}
	n->look = in->schedule;
	n->pulse = in->pulse;
	n->arena = arena;
	n->step = in->schedule->step > 0 ? in->schedule->step - 1 : 0;
	snprintf(rest, sizeof rest, "of step %lld of %lld%s", (long long)n->step + 1,
		(long long)in->schedule->lowering->steps, in->schedule->step > 0 ? "" : ", which is the first");
	drawn = sw_lowering_messages(n->look->lowering, n->step, arena, &n->messages) && add_rows(n, opt->device);
	drawn = drawn ? draw_needs(n, opt, out, draw_title(out, 0, "needs", rest), diag) : sw_diag_memory(diag);
	sw_arena_free(arena);
	return drawn;
}
