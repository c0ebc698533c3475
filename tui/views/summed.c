/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over axes of a placement: which devices work together, what they hold, and the hierarchies that name groups.
 */
#include "views/draw.h"
#include "views/summed.h"
#include "views/tower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/table.h"

#define GROUPS_SHOWN 64
#define MEMBERS_SHOWN 16
#define NAME_ROOM 31
#define LANE_ROWS 24    /* of groups as lines */
#define MATRIX_SHOWN 16 /* rows and columns of a state */

static bool need_sum_look(const struct view_input *in, sw_diag *diag)
{
	if (in->look == NULL || in->look->placing == NULL)
		return draw_missing(diag, "system", "type: system {node: 4 @ 8GB/s, gpu: 16 @ 270GB/s}");
	if (!in->look->placing->placed)
		return draw_missing(diag, "placement", "type: placements, then place 1");
	if (!in->look->has_sum)
		return draw_missing(diag, "sum", "type: reduce {AXIS} f32[1024]");
	return true;
}

/* ---- groups of one step ---- */

static void group_text(const sw_system *system, const int64_t *device, int64_t size, int64_t most, sw_text *text)
{
	sw_text_add(text, "{");
	for (int64_t m = 0; m < sw_smaller(size, most); m++) {
		sw_text_add(text, m > 0 ? " " : "");
		sw_system_print_device(system, device[m], text);
	}
	if (size > most)
		sw_text_addf(text, " … %lld more", (long long)(size - most));
	sw_text_add(text, "}");
}

/* As many members as stand in a row of this width. */
static void group_in_row(const sw_system *system, const int64_t *device, int64_t size, int width, sw_text *text)
{
	int64_t most = MEMBERS_SHOWN;

	group_text(system, device, size, most, text);
	for (; size > MEMBERS_SHOWN && most > 1 && canvas_text_width(sw_text_get(text)) > width; most--) {
		sw_text_clear(text);
		group_text(system, device, size, most - 1, text);
	}
}

static int draw_group_list(const sw_system *system, const int64_t *list, int64_t groups, int64_t size, int x, int y,
	struct canvas *out)
{
	int left = x;

	for (int64_t g = 0; g < sw_smaller(groups, GROUPS_SHOWN); g++) {
		sw_text text = {0};

		group_in_row(system, list + g * size, size, out->width - left, &text);
		int width = canvas_text_width(sw_text_get(&text));
		if (x > left && x + width > out->width) {
			x = left;
			y++;
		}
		if (width > out->width - left)
			y = canvas_put_wrapped(out, left, y, out->width - left, 1, role_of_axis((int)(g % 7)),
					sw_text_get(&text)) -
				1;
		else
			canvas_put(out, x, y, role_of_axis((int)(g % 7)), sw_text_get(&text));
		x = width > out->width - left ? out->width : x + width + 1;
		sw_text_free(&text);
	}
	if (groups > GROUPS_SHOWN)
		y = draw_note(out, left, y + 1, ROLE_DIM, "… %lld more groups", (long long)(groups - GROUPS_SHOWN)) - 1;
	return y + 1;
}

/* Groups as lines under the system, where there is room for it; in words where some are not drawn.  Returns the next row. */
static int draw_groups(const sw_system *system, const struct tower_groups *groups, int y, struct canvas *out)
{
	struct tower *tower = malloc(sizeof *tower);
	int64_t left = groups->groups;

	out->failed |= tower == NULL;
	if (tower != NULL && tower_make(system, out->width - 2, tower)) {
		y = tower_draw(tower, 2, y, 2, NULL, out);
		y = tower_groups_draw(tower, groups, 2, y, &left, out) + 1;
		if (tower->folds)
			y = draw_note(out, 0, y, ROLE_NOTE,
				"… with a number: so many more; on a line: it goes on to some of them");
	}
	free(tower);
	if (left > 0 && left < groups->groups)
		y = draw_note(out, 0, y, ROLE_DIM, "%lld of %lld groups are not drawn; all in words:", (long long)left,
			(long long)groups->groups);
	return left > 0 ? draw_group_list(system, groups->device, groups->groups, groups->size, 2, y, out) : y;
}

static int draw_step_groups(const struct sum_look *look, const struct view_options *opt, int y, struct canvas *out)
{
	const sw_summing *summing = look->after;
	sw_arena *arena = sw_arena_new();
	struct tower_groups groups = {.most = LANE_ROWS};
	int axis = sw_summing_crosses(summing, &look->step->by);

	if (arena != NULL)
		groups.device = sw_named_groups(&summing->hierarchy, &look->step->by, arena, &groups.groups, &groups.size);
	out->failed |= groups.device == NULL;
	if (groups.device != NULL)
		y = draw_groups(summing->system, &groups, y + 1, out);
	sw_arena_free(arena);
	if (axis >= 0)
		y = draw_note(out, 0, y, ROLE_BAD, "R09: the groups extend over '%s', which is not summed over",
			summing->axes->axis[axis].name);
	return draw_note(out, 0, y, ROLE_NOTE, "a line joins devices that work together%s",
		opt->letters ? "" : "; seven colours take turns");
}

/* "inside server, 8 groups of 2" */
static void say_step_groups(const struct sum_look *look, sw_text *text)
{
	const sw_summing *summing = look->after;
	sw_arena *arena = sw_arena_new();
	int64_t groups, size;

	sw_group_name_print(summing->system, &summing->hierarchy, &look->step->by, text);
	if (arena != NULL && sw_named_groups(&summing->hierarchy, &look->step->by, arena, &groups, &size) != NULL)
		sw_text_addf(text, ": %s of %lld", words_plural(groups, "group", "groups").text, (long long)size);
	sw_arena_free(arena);
}

/* ---- all groups of a hierarchy ---- */

static const struct column table_columns[] = {COLUMN_LEFT("slice", ROLE_LABEL), COLUMN_LEFT("form", ROLE_OP),
	COLUMN_RIGHT("groups", ROLE_NUMBER), COLUMN_RIGHT("of", ROLE_NUMBER), COLUMN_LEFT("the first", ROLE_TEXT),
	COLUMN_LEFT("", ROLE_BAD), {0}};

/* `across rack in root` as slice and form. */
static void add_words(const sw_summing *summing, const sw_group_name *name, struct table *table)
{
	sw_text text = {0};

	sw_group_name_print(summing->system, &summing->hierarchy, name, &text);
	const char *form = sw_text_get(&text), *slice = strchr(form, ' ') + 1, *in = strstr(slice, " in ");
	int length = in ? (int)(in - slice) : (int)strlen(slice);
	table_add(table, "%.*s", length, slice);
	table_add(table, "%.*s%s", (int)(slice - form - 1), form,
		in                               ? in :
			name->form == SW_FORM_INSIDE ? "" :
										   " in root");
	sw_text_free(&text);
}

static bool add_name(const sw_summing *summing, const sw_group_name *name, sw_arena *arena, struct table *table)
{
	sw_arena_mark mark = sw_arena_here(arena);
	int64_t groups, size, *list = sw_named_groups(&summing->hierarchy, name, arena, &groups, &size);
	int axis = sw_summing_crosses(summing, name);
	sw_text text = {0};

	if (list == NULL)
		return false;
	if (size > 1) {
		add_words(summing, name, table);
		table_add(table, "%lld", (long long)groups);
		table_add(table, "%lld", (long long)size);
		int64_t shown = sw_smaller(groups, size <= 4 ? 2 : 1);
		for (int64_t g = 0; g < shown; g++) {
			sw_text_add(&text, g > 0 ? " " : "");
			group_text(summing->system, list + g * size, size, 8, &text);
		}
		table_add(table, "%s%s", sw_text_get(&text), groups > shown ? " …" : "");
		table_add(table, "%s%s", axis < 0 ? "" : "R09 ", axis < 0 ? "" : summing->axes->axis[axis].name);
		sw_text_free(&text);
	}
	sw_arena_back(arena, mark);
	return true;
}

static int draw_group_table(const sw_summing *summing, int y, struct canvas *out)
{
	sw_arena *arena = sw_arena_new();
	struct table table;
	bool ok = arena != NULL;

	table_start(&table, table_columns);
	for (int slice = summing->hierarchy.count; ok && slice >= 0; slice--) {
		sw_group_name name = {SW_FORM_INSIDE, slice, 0, NULL};

		ok = add_name(summing, &name, arena, &table);
		for (int form = SW_FORM_ACROSS; ok && form <= SW_FORM_MASTERS; form++)
			for (int ancestor = slice - 1; ok && ancestor >= 0; ancestor--) {
				name = (sw_group_name){(sw_group_form)form, slice, ancestor, NULL};
				ok = add_name(summing, &name, arena, &table);
			}
	}
	out->failed |= !ok;
	table_fit(&table, out->width);
	y = table_draw_ruled_heads(&table, out, y, out->width);
	for (int i = 0; i < table_rows(&table); i++)
		y = table_draw_row(&table, out, y, i);
	table_free(&table);
	sw_arena_free(arena);
	return y;
}

/* One name: a row with as many of its groups as fit side by side. */
struct named_row {
	const sw_summing *summing;
	const struct tower *tower;
	sw_arena *arena;
	int label;    /* columns before the tower */
	bool crosses; /* some reach over what is not summed */
};

static bool draw_name(struct named_row *row, const sw_group_name *name, int *y, struct canvas *out)
{
	struct tower_groups groups = {.most = 1};
	sw_arena_mark mark = sw_arena_here(row->arena);
	sw_text text = {0};
	int64_t left;

	groups.device = sw_named_groups(&row->summing->hierarchy, name, row->arena, &groups.groups, &groups.size);
	if (groups.device != NULL && groups.size > 1) {
		bool crosses = sw_summing_crosses(row->summing, name) >= 0;
		sw_group_name_print(row->summing->system, &row->summing->hierarchy, name, &text);
		canvas_put_cut(out, 0, *y, row->label - 10, crosses ? ROLE_BAD : ROLE_LABEL, sw_text_get(&text));
		sw_text_clear(&text);
		sw_text_addf(&text, "%lld × %lld", (long long)groups.groups, (long long)groups.size);
		canvas_put_right(out, row->label - 10, *y, 9, crosses ? ROLE_BAD : ROLE_NUMBER, sw_text_get(&text));
		row->crosses = row->crosses || crosses;
		*y = tower_groups_draw(row->tower, &groups, row->label, *y, &left, out);
		int x = row->label + row->tower->width;
		if (left > 0)
			x = canvas_putf(out, x, *y - 1, ROLE_DIM, "+%lld ", (long long)left);
		if (crosses)
			canvas_put(out, x, *y - 1, ROLE_BAD, "R09");
	}
	sw_text_free(&text);
	sw_arena_back(row->arena, mark);
	return groups.device != NULL;
}

static bool draw_names(struct named_row *row, int *y, struct canvas *out)
{
	bool ok = true;

	for (int slice = row->summing->hierarchy.count; ok && slice >= 0; slice--) {
		sw_group_name name = {SW_FORM_INSIDE, slice, 0, NULL};

		ok = draw_name(row, &name, y, out);
		for (int form = SW_FORM_ACROSS; ok && form <= SW_FORM_MASTERS; form++)
			for (int ancestor = slice - 1; ok && ancestor >= 0; ancestor--) {
				name = (sw_group_name){(sw_group_form)form, slice, ancestor, NULL};
				ok = draw_name(row, &name, y, out);
			}
	}
	return ok;
}

/* The names of all groups, each with its groups as lines under the system; as a table where that is too narrow. */
static int draw_all_groups(const sw_summing *summing, const struct view_options *opt, int y, struct canvas *out)
{
	struct tower *tower = malloc(sizeof *tower);
	struct named_row row = {.summing = summing, .tower = tower, .arena = sw_arena_new(), .label = NAME_ROOM};

	out->failed |= tower == NULL || row.arena == NULL;
	if (tower == NULL || row.arena == NULL || !tower_make(summing->system, out->width - NAME_ROOM - 6, tower)) {
		y = draw_group_table(summing, y, out);
	} else {
		y = tower_draw(tower, row.label, y + 1, 2, NULL, out);
		out->failed |= !draw_names(&row, &y, out);
		y = draw_note(out, 0, y + 1, ROLE_NOTE, "8 × 2: eight groups of two, each a line%s; +6: six more groups%s",
			opt->letters ? "" : " in one of seven colours",
			tower->folds ? "; … with a number: so many more units" : "");
		if (row.crosses)
			y = draw_note(out, 0, y, ROLE_BAD,
				"R09: the groups of these names extend over an axis that is not summed over");
	}
	sw_arena_free(row.arena);
	free(tower);
	return y;
}

static void say_hierarchy(const sw_summing *summing, sw_text *text)
{
	sw_text_addf(text, "hierarchy %s, %s: [", sw_hierarchy_letter(summing->sum.kind),
		sw_hierarchy_name(summing->sum.kind));
	for (int f = 0; f < summing->hierarchy.count; f++)
		sw_text_addf(text, f > 0 ? " %lld" : "%lld", (long long)sw_hierarchy_size(&summing->hierarchy, f));
	sw_text_add(text, "]");
}

bool view_groups(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	sw_text text = {0};

	if (!need_sum_look(in, diag))
		return false;
	if (in->look->after == NULL || in->look->placing->system.devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "groups of this many devices cannot be shown");
	if (!draw_begin("groups", opt, out))
		return true;
	if (in->look->step != NULL) {
		say_step_groups(in->look, &text);
		int y = draw_title(out, 0, "groups", sw_text_get(&text));
		draw_step_groups(in->look, opt, y, out);
	} else {
		say_hierarchy(in->look->after, &text);
		int y = draw_title(out, 0, "groups", sw_text_get(&text));
		y = draw_all_groups(in->look->after, opt, y, out);
		draw_note(out, 0, y, ROLE_NOTE,
			"a factor has the name of the level whose units it has, or else its "
			"number");
	}
	sw_text_free(&text);
	return true;
}

/* ---- states ---- */

static bool has_share(const sw_summing *summing, int device, int chunk, int share)
{
	return sw_pieces_terms(&summing->pieces, device, chunk)[share / 64] >> share % 64 & 1;
}

struct states {
	const struct sum_look *look;
	int side;         /* chunks and shares that are shown */
	int label, width; /* columns of the numbers of chunks, of a matrix */
};

/* What came with the step, what was there, what is not. */
static void draw_cell(const struct states *states, int device, int chunk, int share, int x, int y, struct canvas *out)
{
	const sw_summing *after = states->look->after, *before = states->look->before;
	bool there = has_share(after, device, chunk, share);
	bool was = before == NULL || has_share(before, device, chunk, share);

	canvas_put(out, x, y, !there ? ROLE_DIM : was ? ROLE_KEPT : ROLE_MOVED, !there ? "·" : was ? "■" : "▣");
}

static void draw_matrix(const struct states *states, int device, int x, int y, struct canvas *out)
{
	const sw_summing *after = states->look->after;
	sw_text name = {0};

	sw_system_print_device(after->system, after->device[device], &name);
	canvas_put(out, x, y, ROLE_LABEL, sw_text_get(&name));
	sw_text_free(&name);
	for (int c = 0; c < states->side; c++)
		for (int s = 0; s < states->side; s++)
			draw_cell(states, device, c, s, x + 2 * s, y + 1 + c, out);
}

static int draw_states(const struct states *states, int y, struct canvas *out)
{
	const sw_summing *after = states->look->after;
	int across = (out->width - states->label) / states->width;
	struct stretch stretches[STRETCHES_MAX];
	int most = states->side <= 4 ? 32 : states->side <= 8 ? 16 : 8;

	across = across < 1 ? 1 : across;
	int n = fold_stretches(after->devices, most, -1, stretches);
	for (int k = 0; k < n; k++) {
		int column = k % across, row = k / across;
		int at = y + row * (states->side + 2);

		if (column == 0)
			for (int c = 0; c < states->side; c++)
				canvas_putf(out, 0, at + 1 + c, ROLE_DIM, "%*d", states->label - 2, c);
		if (stretch_folded(stretches[k]))
			canvas_putf(out, states->label + column * states->width, at + 1, ROLE_DIM, "… %lld more",
				(long long)(stretches[k].to - stretches[k].from + 1));
		else
			draw_matrix(states, (int)stretches[k].from, states->label + column * states->width, at, out);
	}
	return y + (n + across - 1) / across * (states->side + 2);
}

static void say_when(const struct sum_look *look, sw_text *text)
{
	if (look->number == 0) {
		sw_text_add(text, "before the first step");
		return;
	}
	sw_text_addf(text, "after step %d, `", look->number);
	sw_step_print(look->after->system, &look->after->hierarchy, look->step, text);
	sw_text_addf(text, "`%s", sw_summing_done(look->after) ? ": every device has the sum" : "");
}

bool view_state(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct states states = {.look = in->look};
	sw_text text = {0};

	if (!need_sum_look(in, diag))
		return false;
	if (in->look->after == NULL)
		return draw_missing(diag, "state", "type: set hierarchy e");
	if (!draw_begin("state", opt, out))
		return true;

	const sw_summing *after = in->look->after;
	states.side = (int)sw_smaller(after->shares, MATRIX_SHOWN);
	states.label = (states.side > 10 ? 2 : 1) + 2;
	states.width = 2 * states.side + 2;
	say_when(in->look, &text);
	int y = draw_title(out, 0, "state", sw_text_get(&text)) + 1;
	sw_text_free(&text);
	y = draw_states(&states, y, out);
	y = draw_note(out, 0, y, ROLE_NOTE,
		"a row: a chunk; a column: the device whose share it contains. ■ there before, ▣ new in this step, · not there");
	if (states.side < after->shares)
		y = draw_note(out, 0, y, ROLE_NOTE, "%d of %d chunks and shares are shown", states.side, after->shares);
	if (after->few)
		draw_note(out, 0, y, ROLE_NOTE, "two devices of each factor are shown: the others are like the second");
	else if (after->devices < after->system->devices)
		draw_note(out, 0, y, ROLE_NOTE, "the first of %lld sums: the others are like it",
			(long long)(after->system->devices / after->shares));
	return true;
}

/* ---- hierarchies ---- */

static int draw_vector(const struct sum_look *look, sw_hierarchy_kind kind, int y, struct canvas *out)
{
	static const char open[] = "[", close[] = "]";
	sw_hierarchy *hierarchy = calloc(1, sizeof *hierarchy);

	out->failed |= hierarchy == NULL;
	if (hierarchy == NULL)
		return y;
	sw_hierarchy_make(&look->placing->placement, kind, look->summed, false, hierarchy);
	canvas_put(out, 0, y, ROLE_TITLE, sw_hierarchy_letter(kind));
	canvas_put(out, 3, y++, ROLE_TEXT, sw_hierarchy_name(kind));
	int x = canvas_put(out, 3, y, ROLE_BORDER, open);
	for (int f = 0; f < hierarchy->count; f++) {
		bool summed = kind != SW_HIERARCHY_LEVELS && (look->summed >> hierarchy->digit[hierarchy->first[f]].axis & 1);
		char digits[24];
		int width = snprintf(digits, sizeof digits, summed ? "*%lld" : "%lld",
			(long long)sw_hierarchy_size(hierarchy, f));

		if (x + width + 2 > out->width) {
			x = 4;
			y++;
		}
		x = canvas_put(out, x, y, summed ? ROLE_CURRENT : ROLE_NUMBER, digits);
		x = canvas_put(out, x, y, ROLE_BORDER, f + 1 < hierarchy->count ? " " : close);
	}
	free(hierarchy);
	return y + 1;
}

bool view_hierarchies(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	sw_text text = {0};

	if (!need_sum_look(in, diag))
		return false;
	if (!draw_begin("hierarchies", opt, out))
		return true;
	sw_text_add(&text, "of ");
	sw_placement_print(&in->look->placing->placement, &text);
	int y = draw_title(out, 0, "hierarchies", sw_text_get(&text));
	sw_text_free(&text);
	for (int kind = 0; kind < SW_HIERARCHY_COUNT; kind++)
		y = draw_vector(in->look, (sw_hierarchy_kind)kind, y, out);
	draw_note(out, 0, y, ROLE_NOTE,
		"*: factors of the axes summed over; `set hierarchy` chooses the hierarchy that steps name");
	return true;
}

/* ---- rules ---- */

static const char *const brings_words[] = {
	[SW_BRINGS_TERMS] =
		"members hold the same chunks (R01), hold something (R08), and no share of a chunk twice (R02)",
	[SW_BRINGS_PARTS] = "members hold equally many chunks (R04), hold something (R08), and no chunk twice (R05)",
	[SW_BRINGS_ROOT] = "the first holds everything that the others hold (R06), and more than one of them (R07)",
};

static const char *const leaves_words[] = {
	[SW_LEAVES_ALL] = "every member holds the result",
	[SW_LEAVES_PARTS] = "each member holds its part of the chunks, which divide evenly (R03)",
	[SW_LEAVES_ROOT] = "the first holds the result, the others nothing",
};

/* What has to be there before the operation makes sense: the steps of four devices, in two units of two. */
static void start_rule(sw_op op, sw_summing *summing, sw_arena *arena)
{
	sw_step before = {.op = SW_REDUCESCATTER, .by = {SW_FORM_INSIDE, 1, 0, NULL}};

	switch (sw_collective_of(op)->brings) {
	case SW_BRINGS_ROOT:
		before.op = SW_REDUCE;
		sw_summing_apply(summing, &before, arena, NULL);
		break;
	case SW_BRINGS_PARTS:
		sw_summing_apply(summing, &before, arena, NULL);
		break;
	default:
		break;
	}
}

static int draw_rule_states(const sw_summing *before, const sw_summing *after, int y, struct canvas *out)
{
	struct sum_look look = {.before = before, .after = after};
	struct states then = {.look = &look, .side = 4, .label = 3, .width = 10};
	struct sum_look was = {.after = before};
	struct states first = {.look = &was, .side = 4, .label = 3, .width = 10};

	canvas_put(out, 2, y, ROLE_LABEL, "before");
	canvas_put(out, 28, y, ROLE_LABEL, "after");
	for (int d = 0; d < 2; d++) {
		draw_matrix(&first, d, 2 + 11 * d, y + 1, out);
		draw_matrix(&then, d, 28 + 11 * d, y + 1, out);
	}
	return y + 7;
}

int sum_rule_draw(sw_op op, int y, struct canvas *out)
{
	static const sw_system system = {.count = 2,
		.devices = 4,
		.level = {{.name = "node", .size = 2}, {.name = "gpu", .size = 2}}};
	static const sw_placement placement = {.axes = 1, .levels = 2, .factor = {{2, 2}}};
	static const sw_placed_sum sum = {&placement, 1, SW_HIERARCHY_SUMMED_LEVELS};
	const sw_collective *row = sw_collective_of(op);
	sw_step step = {.op = op, .by = {SW_FORM_INSIDE, 1, 0, NULL}};
	sw_arena *arena = sw_arena_new();
	sw_summing *before = arena ? SW_NEW(arena, sw_summing, 1) : NULL;
	sw_summing *after = arena ? SW_NEW(arena, sw_summing, 1) : NULL;
	sw_mesh axes = {0};

	sw_mesh_add(&axes, sw_str_of("data"), 4, NULL);
	bool made = before != NULL && after != NULL && sw_summing_start(&system, &axes, &sum, arena, before, NULL) &&
		sw_summing_start(&system, &axes, &sum, arena, after, NULL);
	out->failed |= !made;
	if (made) {
		start_rule(op, before, arena);
		start_rule(op, after, arena);
		sw_summing_apply(after, &step, arena, NULL);
		y = draw_note(out, 0, y, ROLE_LABEL, "on chunks, in groups of {node: 2, gpu: 2}: `%s inside node`",
			row->name);
		y = draw_note(out, 2, y, ROLE_TEXT, "premise: %s", brings_words[row->brings]);
		y = draw_note(out, 2, y, ROLE_TEXT, "then: %s", leaves_words[row->leaves]);
		y = draw_rule_states(before, after, y, out);
		y = draw_note(out, 2, y, ROLE_NOTE,
			"devices 0 and 1 of 4; a row: a chunk; a column: the device whose share it contains; ▣ new in this "
			"step");
	}
	sw_arena_free(arena);
	return y;
}
