/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as a table: values with types, memory and time, and what moves.
 */
#include "views/program.h"

#include <shardwalk/number.h>
#include <shardwalk/simulate.h>

#include "answer/watch.h"
#include "canvas/table.h"
#include "views/draw.h"

int64_t program_value_bytes(const sw_program *program, int value)
{
	const sw_type *type = &program->value[value].home;
	int64_t bytes;
	bool fits = !program->value[value].open && sw_mul(sw_type_localsize(type), sw_dtype_bytes(type->dtype), &bytes);
	return fits ? bytes : -1;
}

static int64_t flops_of(const sw_program *program, int value)
{
	int s = value - program->inputs;
	int64_t flops = 0;
	if (s < 0)
		return 0;
	return program->statement[s].typed && sw_program_flops(program, s, &flops, NULL) ? flops : -1;
}

double program_value_seconds(const struct program_picture *picture, int value)
{
	const sw_program *program = picture->program;
	int64_t flops = flops_of(program, value);
	double rate = picture->by ? sw_machine_flops(picture->by) : 0;
	if (flops <= 0 || rate <= 0)
		return -1;
	const sw_program_statement *s = &program->statement[value - program->inputs];
	if (!sw_program_op_multiplies(s->op))
		return (double)flops / rate;
	return sw_product_seconds(picture->by, &s->equation, s->types->computed.dtype, s->types->use[0].tile,
		s->types->use[1].tile);
}

static void add_or_none(int64_t *sum, int64_t more)
{
	if (*sum < 0 || more < 0 || !sw_add(*sum, more, sum))
		*sum = -1;
}

/* Seconds of all products; negative where they are not known. */
static double all_computed(const struct program_picture *picture)
{
	double sum = 0;
	if (!picture->by || sw_machine_flops(picture->by) <= 0)
		return -1;
	for (int v = 0; v < picture->program->values; v++) {
		int64_t flops = flops_of(picture->program, v);
		double seconds = flops > 0 ? program_value_seconds(picture, v) : 0;
		if (flops < 0 || seconds < 0)
			return -1;
		sum += seconds;
	}
	return sum;
}

struct program_total program_sum(const struct program_picture *picture)
{
	const sw_program *program = picture->program;
	struct program_total total = {.moved = picture->machine ? 0 : -1};
	for (int v = 0; v < program->values; v++) {
		total.open += program->value[v].open;
		if (!program->value[v].open)
			add_or_none(&total.bytes, program_value_bytes(program, v));
		add_or_none(&total.flops, flops_of(program, v));
	}
	for (int i = 0; i < picture->moves; i++) {
		const struct program_move *move = &picture->move[i];
		total.unplanned += !move->plan;
		if (move->plan)
			add_or_none(&total.cost, move->plan->cost);
		total.moved = total.moved < 0 || move->seconds < 0 ? -1 : total.moved + move->seconds;
	}
	total.computed = all_computed(picture);
	return total;
}

void program_value_text(const sw_program *program, int value, sw_text *text)
{
	int s = value - program->inputs;
	if (s < 0) {
		sw_text_add(text, "input");
		return;
	}
	const sw_program_statement *statement = &program->statement[s];
	sw_text_add(text, sw_program_op_name(statement->op));
	if (sw_program_op_multiplies(statement->op)) {
		sw_text_add(text, " \"");
		sw_equation_print(&statement->equation, text);
		sw_text_add(text, "\"");
	}
	for (int i = 0; i < statement->count; i++) {
		sw_text_add_char(text, ' ');
		sw_text_add_str(text, program->value[statement->operand[i]].name);
	}
}

void program_steps_text(const sw_plan *plan, sw_text *text)
{
	int64_t count[SW_OP_COUNT] = {0};
	bool any = false;
	for (int k = 0; k < plan->count; k++)
		count[plan->steps[k].op]++;
	for (int op = 0; op < SW_OP_COUNT; op++) {
		if (count[op])
			sw_text_addf(text, "%s%lld %s", any ? ", " : "", (long long)count[op], sw_collective_of((sw_op)op)->name);
		any |= count[op] > 0;
	}
	if (!any)
		sw_text_add(text, "nothing");
}

/* ---- values ---- */

static const struct column value_columns[] = {
	{.head = "value", .role = ROLE_LABEL},
	{.head = "is", .role = ROLE_OP, .fit = CELL_CUT, .most = 32, .drops = 1, .wants = 14, .gives = 14},
	{.head = "type", .role = ROLE_TYPE, .fit = CELL_WRAP, .indent = 2, .wants = 20, .gives = 20},
	{.head = "memory", .right = true, .role = ROLE_NUMBER},
	{.head = "time", .right = true, .role = ROLE_NUMBER, .optional = true},
	{0},
};

static void add_type(struct table *table, const sw_mesh *mesh, const sw_type *type, bool open)
{
	sw_text text = {0};
	sw_text_add(&text, open ? "?" : "");
	sw_type_print(mesh, type, type->dtype_given, &text);
	table_add_text(table, &text);
}

static void add_value(struct table *table, const struct program_picture *picture, int v)
{
	const sw_program *program = picture->program;
	const sw_program_value *value = &program->value[v];
	sw_text is = {0};
	double seconds = program_value_seconds(picture, v);
	table_add(table, "%.*s", (int)value->name.length, value->name.at);
	program_value_text(program, v, &is);
	table_add_text(table, &is);
	add_type(table, &program->mesh, &value->home, value->open);
	table_add(table, "%s", value->open ? "?" : words_bytes(sw_type_localsize(&value->home), value->home.dtype).text);
	table_add(table, "%s", seconds > 0 ? words_seconds(seconds).text : "");
}

/* Draws the rows and frees the table; false: a signal ended the list. */
static bool draw_table(struct table *table, struct canvas *out, int *y, sw_diag *diag)
{
	bool goes_on = true;
	table_fit(table, out->width);
	*y = table_draw_ruled_heads(table, out, *y, table_width(table));
	for (int row = 0; row < table_rows(table) && (goes_on = list_goes_on(row, diag)); row++)
		*y = table_draw_row(table, out, *y, row);
	table_free(table);
	return goes_on;
}

static bool draw_values(const struct program_picture *picture, struct canvas *out, int *y, sw_diag *diag)
{
	struct table table;
	bool goes_on = true;
	table_start(&table, value_columns);
	for (int v = 0; v < picture->program->values && (goes_on = list_goes_on(v, diag)); v++)
		add_value(&table, picture, v);
	return draw_table(&table, out, y, diag) && goes_on;
}

/* ---- redistributions ---- */

static const struct column move_columns[] = {
	{.head = "#", .right = true, .role = ROLE_LABEL},
	{.head = "of", .role = ROLE_LABEL},
	{.head = "from ~> to", .role = ROLE_TYPE, .fit = CELL_WRAP, .indent = 2, .wants = 24, .gives = 24},
	{.head = "steps", .role = ROLE_OP, .fit = CELL_WRAP, .drops = 1, .wants = 15, .gives = 15},
	{.head = "cost", .right = true, .role = ROLE_NUMBER},
	{.head = "time", .right = true, .role = ROLE_NUMBER, .optional = true},
	{0},
};

static void add_move(struct table *table, const struct program_picture *picture, int i, bool marked)
{
	const struct program_move *move = &picture->move[i];
	const sw_mesh *mesh = &picture->program->mesh;
	const sw_program_value *value = &picture->program->value[move->move->value];
	sw_text ends = {0}, steps = {0};
	table_add(table, "%s%d", picture->entered == i + 1 ? "*" : "", i + 1);
	if (marked)
		table_paint(table, ROLE_CURRENT);
	table_add(table, "%.*s", (int)value->name.length, value->name.at);
	sw_type_print(mesh, &move->move->from, move->move->from.dtype_given, &ends);
	sw_text_add(&ends, " ~> ");
	sw_type_print(mesh, &move->move->to, move->move->to.dtype_given, &ends);
	table_add_text(table, &ends);
	if (!move->plan)
		sw_text_add(&steps, picture->unasked ? "not planned yet" : "no plan");
	else
		program_steps_text(move->plan, &steps);
	sw_text_add(&steps, move->chosen ? ", chosen" : "");
	table_add_text(table, &steps);
	table_add(table, "%s", move->plan ? words_count(move->plan->cost).text : "-");
	table_add(table, "%s", move->seconds >= 0 ? words_seconds(move->seconds).text : "");
}

static bool draw_moves(const struct program_picture *picture, int marked, struct canvas *out, int *y, sw_diag *diag)
{
	struct table table;
	bool goes_on = true;
	if (!picture->moves && program_sum(picture).open)
		return true;
	++*y;
	if (!picture->moves) {
		*y = draw_note(out, 0, *y, ROLE_TEXT, "no redistribution: everything is computed where it lies");
		return true;
	}
	table_start(&table, move_columns);
	for (int i = 0; i < picture->moves && (goes_on = list_goes_on(i, diag)); i++)
		add_move(&table, picture, i, marked == i + 1);
	return draw_table(&table, out, y, diag) && goes_on;
}

/* ---- all ---- */

static int draw_totals(const struct program_picture *picture, struct canvas *out, int y)
{
	struct program_total total = program_sum(picture);
	if (total.open)
		return draw_note(out, 0, y, ROLE_NOTE, "%s no type yet: `assign` chooses the types of least total cost",
			total.open == 1 ? "1 value has" : words_plural(total.open, "value", "values have").text);
	sw_text text = {0};
	sw_text_addf(&text, "in all: cost %s, ", total.cost < 0 ? "huge" : words_count(total.cost).text);
	sw_text_addf(&text, "%s of products, ",
		total.flops < 0 ? "huge" : words_plural(total.flops, "flop", "flops").text);
	sw_text_addf(&text, "%s of values on a device", total.bytes < 0 ? "huge" : words_bytes(total.bytes, SW_I8).text);
	y = draw_note(out, 0, y, ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	struct words computed = total.computed < 0 ? (struct words){"an unknown time"} : words_seconds(total.computed);
	if (picture->machine && total.moved > 0)
		y = draw_note(out, 0, y, ROLE_TEXT, "on %s: %s for redistributions, %s for products", picture->machine,
			words_seconds(total.moved).text, computed.text);
	else if (picture->machine && total.moved == 0)
		y = draw_note(out, 0, y, ROLE_TEXT, "on %s: %s for products", picture->machine, computed.text);
	if (total.unplanned && picture->unasked)
		y = draw_note(out, 0, y, ROLE_NOTE, "%s not planned yet and %s nothing: `program` plans all",
			words_plural(total.unplanned, "redistribution is", "redistributions are").text,
			total.unplanned == 1 ? "counts" : "count");
	else if (total.unplanned)
		y = draw_note(out, 0, y, ROLE_NOTE,
			"%s no plan within the bounds, and count nothing; `enter N` and `plan` tell why",
			words_plural(total.unplanned, "redistribution has", "redistributions have").text);
	return y;
}

static int draw_program_notes(const sw_program *program, struct canvas *out, int y)
{
	for (int i = 0; i < program->notes; i++) {
		const sw_program_note *note = &program->note[i];
		for (int s = 0; s < program->statements; s++) {
			const sw_program_value *value = &program->value[sw_program_value_of(program, s)];
			if (program->statement[s].at.begin == note->at.begin)
				y = draw_note(out, 0, y, ROLE_NOTE, "note: %.*s has %s", (int)value->name.length, value->name.at,
					note->text);
		}
	}
	return y;
}

bool view_program(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	const struct program_picture *picture = in->program;
	sw_text rest = {0};
	if (!picture)
		return draw_missing(diag, "program", "type: program FILE");
	if (!draw_begin("program", opt, out))
		return true;
	const sw_program *program = picture->program;
	sw_text_addf(&rest, "%.*s%s%s over ", (int)program->name.length, program->name.at, picture->source ? " of " : "",
		picture->source ? picture->source : "");
	sw_mesh_print(&program->mesh, &rest);
	int y = draw_title(out, 0, "program", sw_text_get(&rest)) + 1;
	sw_text_free(&rest);
	if (!draw_values(picture, out, &y, diag) || !draw_moves(picture, opt->step, out, &y, diag))
		return false;
	y = draw_totals(picture, out, y + 1);
	draw_program_notes(program, out, y);
	return true;
}
