/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loops of a schedule: how far each goes, where or when, what is communicated there; the notation, and pseudocode.
 *
 * Source: seed 003, section 5.1, figures 10, 11, 13 and 14.
 */
#include <string.h>

#include "answer/rows.h"
#include "views/draw.h"
#include "views/scheduled.h"

static const sw_schedule *schedule_at(const struct row_at *at)
{
	return ((const struct schedule_look *)at->of)->schedule;
}

static const sw_schedule_loop *loop_at(const struct row_at *at)
{
	return at->row;
}

/* `axis x` in space, else how it runs. */
static void print_where(const struct row_at *at, sw_text *text)
{
	const struct schedule_look *look = at->of;
	const sw_schedule_loop *loop = loop_at(at);
	const sw_mesh *mesh = look->schedule->problem->mesh;
	int axis = 0;

	for (const sw_schedule_loop *before = look->schedule->loop; before < loop; before++)
		axis += before->distributed;
	if (loop->distributed && axis < mesh->count)
		sw_text_addf(text, "axis %s", mesh->axis[axis].name);
	else
		sw_text_add(text,
			loop->distributed ? "space" :
				loop->threads ? "threads" :
				loop->leaf    ? look->schedule->kernel->name :
								"time");
	if (loop->threads && loop->reduces)
		sw_text_add(text, ", reduced");
}

static void add_name(const struct row_at *at, int array, sw_text *text)
{
	if (text->length > 0)
		sw_text_add(text, ", ");
	sw_text_add_str(text, schedule_at(at)->problem->formula.array[array].name);
}

/* By commands, and by the naive completion in brackets. */
static void print_communicates(const struct row_at *at, sw_text *text)
{
	const struct schedule_look *look = at->of;
	int loop = (int)(at->number - 1);
	sw_text naive = {0};

	for (int k = 0; k < look->schedule->communicates; k++)
		if (look->schedule->communicate[k].variable == loop_at(at)->variable)
			add_name(at, look->schedule->communicate[k].array, text);
	for (int k = 0; k < look->lowering->fetches; k++)
		if (look->lowering->fetch[k].loop == loop && !look->lowering->fetch[k].stated)
			add_name(at, look->lowering->fetch[k].array, &naive);
	if (naive.length > 0)
		sw_text_addf(text, "%s(%s)", text->length > 0 ? " " : "", sw_text_get(&naive));
	sw_text_free(&naive);
}

static const struct row_column loop_columns[] = {
	ROW_AT(NULL, "loop", STR, sw_schedule_loop, name, .role = ROLE_LABEL),
	ROW_AT(NULL, "extent", LARGE, sw_schedule_loop, extent),
	ROW_BY(NULL, "runs in", TEXT, .print = print_where, .role = ROLE_OP),
	ROW_BY(NULL, "communicated there", TEXT, .print = print_communicates, .as = {.fit = CELL_WRAP}),
};

static bool is_naive(const sw_lowering *lowering)
{
	bool naive = false;

	for (int k = 0; k < lowering->fetches; k++)
		naive = naive || (!lowering->fetch[k].stated && lowering->fetch[k].loop >= 0);
	return naive;
}

/* The pseudocode as it is, a row a line. */
static bool draw_code(const sw_lowering *lowering, struct canvas *out, int *y, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	sw_text code = {0};
	bool printed = arena != NULL && sw_lowering_print(lowering, arena, &code);

	for (const char *line = sw_text_get(&code); printed && *line != '\0';) {
		size_t length = strcspn(line, "\n");
		canvas_putf(out, 0, (*y)++, *line == '#' ? ROLE_NOTE : ROLE_OP, "%.*s", (int)length, line);
		line += length + (line[length] == '\n');
	}
	sw_text_free(&code);
	sw_arena_free(arena);
	return printed || sw_diag_memory(diag);
}

bool view_loops(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	const struct schedule_look *look = in->schedule;
	sw_text text = {0};
	int y;

	if (look == NULL)
		return draw_missing(diag, "statement", "compute A(i,j) = B(i,k) * C(k,j), over types of A, B and C");
	if (!draw_begin("loops", opt, out))
		return true;
	sw_text_add_str(&text, look->schedule->problem->statement);
	y = draw_title(out, 0, "loops", sw_text_get(&text));
	sw_text_free(&text);
	const struct rows rows = ROWS_OF(loop_columns, look->schedule->loop, look->schedule->loops, .of = look,
		.narrow = true);
	if (!rows_draw(&rows, out, &y, diag))
		return false;
	if (is_naive(look->lowering))
		y = draw_note(out, 0, y, ROLE_NOTE,
			"in brackets: no command says it, so it is fetched as late as "
			"possible");
	text = (sw_text){0};
	sw_schedule_print(look->schedule, &text);
	y = draw_note(out, 0, y + 1, ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	y++;
	return draw_code(look->lowering, out, &y, diag);
}

bool schedule_view_fields(const struct view_input *in, const struct view_options *opt, struct fields *fields,
	sw_diag *diag)
{
	(void)opt;
	if (in->schedule == NULL)
		return draw_missing(diag, "statement", "compute A(i,j) = B(i,k) * C(k,j), over types of A, B and C");
	field_mesh(fields, "mesh", in->schedule->schedule->problem->mesh);
	field_int(fields, "step", in->schedule->step);
	return schedule_fields(in->schedule, in->pulse, fields, diag);
}
