/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as a table: values with types, memory and time, and what moves.
 */
#include "views/program.h"
#include "answer/order.h"

#include <assert.h>

#include <shardwalk/computation.h>
#include <shardwalk/number.h>
#include <shardwalk/simulate.h>

#include "views/draw.h"

int64_t program_value_bytes(const sw_program *program, int value)
{
	assert(value >= 0 && value < program->values);
	int64_t bytes, elements = program->value[value].open ? -1 : sw_program_elements(program, value);
	bool fits = elements >= 0 && sw_mul(elements, sw_dtype_bytes(program->value[value].type->dtype), &bytes);
	return fits ? bytes : -1;
}

void program_type_text(const sw_program *program, int value, sw_text *text)
{
	const sw_value *of = &program->value[value];
	if (of->words)
		sw_type_print_any(&program->mesh, of->type, of->words, of->type->dtype_given, text);
	else
		sw_type_print(&program->mesh, of->type, of->type->dtype_given, text);
}

void program_type_field(const sw_program *program, int value, struct fields *in, const char *key)
{
	sw_text text = {0};
	program_type_text(program, value, &text);
	field_printed(in, key, &text);
}

/* On all devices; -1: 64 bits do not hold it. */
static int64_t on_all(const sw_program *program, int64_t bytes)
{
	int64_t all;
	return bytes >= 0 && sw_mul(bytes, program->mesh.devices, &all) ? all : -1;
}

static int64_t flops_of(const sw_program *program, int value)
{
	int s = sw_program_keeper(program, value);
	int64_t flops = 0;
	if (s < 0)
		return 0;
	return sw_program_typed(program, s) && sw_program_flops(program, s, &flops, NULL) ? flops : -1;
}

double program_value_seconds(const struct program_picture *picture, int value)
{
	const sw_program *program = picture->program;
	int64_t flops = flops_of(program, value);
	double rate = picture->by ? sw_machine_flops(picture->by) : 0;
	if (flops <= 0 || rate <= 0)
		return -1;
	int s = sw_program_keeper(program, value);
	const sw_step *step = &program->step[s];
	if (!step->equation)
		return (double)flops / rate;
	return sw_product_seconds(picture->by, step->equation, sw_program_to(program, s)->dtype,
		program->value[step->operand[0]].type->tile, program->value[step->operand[1]].type->tile);
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
		int64_t flops = sw_program_keeps(picture->program, v) ? flops_of(picture->program, v) : 0;
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
		if (!sw_program_keeps(program, v))
			continue;
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
	total.bytes_on_all = on_all(program, total.bytes);
	total.computed = all_computed(picture);
	return total;
}

void program_value_text(const sw_program *program, int value, sw_text *text)
{
	assert(value >= 0 && value < program->values);
	int s = sw_program_keeper(program, value);
	if (s < 0) {
		sw_text_add(text, "input");
		return;
	}
	const sw_step *step = &program->step[s];
	sw_text_add(text, sw_op_name(step->formula ? SW_COMPUTE : step->op));
	if (step->equation && !step->formula) {
		sw_text_add(text, " \"");
		sw_equation_print(step->equation, text);
		sw_text_add(text, "\"");
	}
	if (step->formula) {
		sw_text_add_char(text, ' ');
		sw_formula_print(&step->formula->formula, text);
		return;
	}
	for (int i = 0; i < step->operands; i++) {
		sw_text_add_char(text, ' ');
		sw_text_add_str(text, program->value[step->operand[i]].name);
	}
}

void program_steps_text(const sw_plan *plan, sw_text *text)
{
	int64_t count[SW_COLLECTIVES] = {0};
	bool any = false;
	for (int k = 0; k < plan->program.steps; k++)
		count[plan->program.step[k].op]++;
	for (int op = 0; op < SW_COLLECTIVES; op++) {
		if (count[op])
			sw_text_addf(text, "%s%lld %s", any ? ", " : "", (long long)count[op], sw_collective_of((sw_op)op)->name);
		any |= count[op] > 0;
	}
	if (!any)
		sw_text_add(text, "nothing");
}

/* ---- values ---- */

static int value_at(const struct row_at *at)
{
	return (int)at->number - 1;
}

static const sw_program *program_of(const struct row_at *at)
{
	return ((const struct program_picture *)at->of)->program;
}

/* Others are on the way. */
static bool is_kept(const struct row_at *at)
{
	return sw_program_keeps(program_of(at), value_at(at));
}

static void print_made(const struct row_at *at, sw_text *text)
{
	program_value_text(program_of(at), value_at(at), text);
}

static void print_home(const struct row_at *at, sw_text *text)
{
	const sw_value *value = at->row;
	sw_text_add(text, value->open ? "?" : "");
	program_type_text(program_of(at), value_at(at), text);
}

static void print_type(const struct row_at *at, sw_text *text)
{
	program_type_text(program_of(at), value_at(at), text);
}

static int64_t bytes_of(const struct row_at *at)
{
	return program_value_bytes(program_of(at), value_at(at));
}

static void print_bytes(const struct row_at *at, sw_text *text)
{
	const sw_value *value = at->row;
	sw_text_add(text,
		value->open ? "?" : words_bytes(sw_program_elements(program_of(at), value_at(at)), value->type->dtype).text);
}

static int64_t all_bytes_of(const struct row_at *at)
{
	return on_all(program_of(at), bytes_of(at));
}

static void print_all_bytes(const struct row_at *at, sw_text *text)
{
	const sw_value *value = at->row;
	sw_text_add(text, value->open ? "?" : words_all(all_bytes_of(at), SW_I8, SW_UNIT_ELEMENTS).text);
}

static double seconds_of(const struct row_at *at)
{
	return program_value_seconds(at->of, value_at(at));
}

static const struct row_column value_columns[] = {
	ROW_AT("name", "value", STR, sw_value, name, .role = ROLE_LABEL),
	ROW_BY("is", "is", TEXT, .print = print_made, .role = ROLE_OP,
		.as = {.fit = CELL_CUT, .most = 32, .drops = 1, .wants = 14, .gives = 14}),
	ROW_BY("type", NULL, TEXT, .print = print_type),
	ROW_BY(NULL, "type", TEXT, .print = print_home, .role = ROLE_TYPE,
		.as = {.fit = CELL_WRAP, .indent = 2, .wants = 20, .gives = 20}),
	ROW_AT("open", NULL, FLAG, sw_value, open),
	ROW_BY("bytes", "memory", COUNT, .count_of = bytes_of, .print = print_bytes),
	ROW_BY("bytes_on_all_devices", "on all", COUNT, .count_of = all_bytes_of, .print = print_all_bytes,
		.as.drops = 1),
	ROW_BY("seconds", "time", SECONDS, .number_of = seconds_of, .round = 9, .as.optional = true),
};

const struct rows program_value_words = ROWS_WORDS(value_columns);

struct rows program_value_rows(const struct program_picture *picture)
{
	const sw_program *program = picture->program;
	return ROWS_OF(value_columns, program->value, program->values, .of = picture, .mesh = &program->mesh,
		.only = is_kept, .narrow = true);
}

/* ---- redistributions ---- */

static void print_number(const struct row_at *at, sw_text *text)
{
	bool entered = ((const struct program_picture *)at->of)->entered == at->number;
	sw_text_addf(text, "%s%lld", entered ? "*" : "", (long long)at->number);
}

static enum role paint_number(const struct row_at *at)
{
	return ((const struct program_picture *)at->of)->marked == at->number ? ROLE_CURRENT : ROLE_COUNT;
}

static int step_of(const struct row_at *at)
{
	return ((const struct program_move *)at->row)->step;
}

static void print_value(const struct row_at *at, sw_text *text)
{
	const sw_program *program = program_of(at);
	sw_text_add_str(text, program->value[sw_program_value_of(program, step_of(at))].name);
}

static void print_ends(const struct row_at *at, sw_text *text)
{
	const sw_program *program = program_of(at);
	program_type_text(program, program->step[step_of(at)].operand[0], text);
	sw_text_add(text, " ~> ");
	program_type_text(program, sw_program_value_of(program, step_of(at)), text);
}

static bool fill_ends(const struct row_at *at, struct fields *in)
{
	const sw_program *program = program_of(at);
	program_type_field(program, program->step[step_of(at)].operand[0], in, "from");
	program_type_field(program, sw_program_value_of(program, step_of(at)), in, "to");
	return true;
}

static const char *strategy_of(const struct row_at *at)
{
	const sw_plan *plan = ((const struct program_move *)at->row)->plan;
	return plan ? sw_strategy_name(plan->strategy) : NULL;
}

static void print_plan(const struct row_at *at, sw_text *text)
{
	const sw_plan *plan = ((const struct program_move *)at->row)->plan;
	if (plan)
		program_steps_text(plan, text);
}

/* For people: also why there are none, and whose choice they are. */
static void print_steps(const struct row_at *at, sw_text *text)
{
	const struct program_move *move = at->row;
	print_plan(at, text);
	if (!move->plan)
		sw_text_add(text, ((const struct program_picture *)at->of)->unasked ? "not planned yet" : "no plan");
	sw_text_add(text, move->chosen ? ", chosen" : "");
}

static const struct row_column move_columns[] = {
	ROW_BY("number", "#", NUMBERED, .print = print_number, .paint = paint_number),
	ROW_BY("of", "of", TEXT, .print = print_value, .role = ROLE_LABEL),
	ROW_BY(NULL, "from ~> to", TEXT, .print = print_ends, .role = ROLE_TYPE,
		.as = {.fit = CELL_WRAP, .indent = 2, .wants = 24, .gives = 24}),
	ROW_BY("", NULL, OBJECT, .fill = fill_ends),
	ROW_AT("chosen", NULL, FLAG, struct program_move, chosen),
	ROW_BY("strategy", NULL, WORD, .word_of = strategy_of, .folds = true),
	ROW_BY("steps", NULL, TEXT, .print = print_plan, .any = true),
	ROW_BY(NULL, "steps", TEXT, .print = print_steps, .role = ROLE_OP,
		.as = {.fit = CELL_WRAP, .drops = 1, .wants = 15, .gives = 15}),
	ROW_THROUGH("cost", "cost", LARGE, struct program_move, plan, sw_plan, cost, .missing = "-", .adds = true),
	ROW_AT("seconds", "time", SECONDS, struct program_move, seconds, .round = 9, .adds = true, .as.optional = true),
};

const struct rows program_move_words = ROWS_WORDS(move_columns);

struct rows program_move_rows(const struct program_picture *picture)
{
	return ROWS_OF(move_columns, picture->move, picture->moves, .of = picture, .mesh = &picture->program->mesh,
		.narrow = true);
}

static bool is_scheduled(const sw_program *program)
{
	int s = 0;

	while (s < program->steps && program->step[s].iteration == NULL)
		s++;
	return s < program->steps;
}

static bool draw_moves(const struct view_input *in, int marked, struct canvas *out, int *y, sw_diag *diag)
{
	const struct program_picture *picture = in->program;
	struct program_picture drawn = *picture;
	struct rows rows = program_move_rows(&drawn);
	drawn.marked = marked;
	if (!picture->moves && program_sum(picture).open)
		return true;
	++*y;
	if (picture->moves)
		return rows_arrange_as(&rows, in->arranged, diag) && rows_draw(&rows, out, y, diag);
	*y = draw_note(out, 0, *y, ROLE_TEXT,
		is_scheduled(picture->program) ?
			"no redistribution: the steps of the schedule fetch what they need, as in `show loops` and `show traffic`" :
			"no redistribution: everything is computed in place");
	return true;
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
	sw_text_addf(&text, "%s of values on a device, ", words_all(total.bytes, SW_I8, SW_UNIT_ELEMENTS).text);
	sw_text_addf(&text, "%s on all %s", words_all(total.bytes_on_all, SW_I8, SW_UNIT_ELEMENTS).text,
		words_count(picture->program->mesh.devices).text);
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
		y = draw_note(out, 0, y, ROLE_NOTE, "%s no plan within the limits: not counted; `enter N` and `plan` say why",
			words_plural(total.unplanned, "redistribution with", "redistributions with").text);
	return y;
}

static int draw_program_notes(const sw_program *program, struct canvas *out, int y)
{
	for (int i = 0; i < program->notes; i++) {
		const sw_program_note *note = &program->note[i];
		for (int s = 0; s < program->steps; s++) {
			const sw_value *value = &program->value[sw_program_value_of(program, s)];
			if (program->step[s].at.begin == note->at.begin)
				y = draw_note(out, 0, y, ROLE_NOTE, "note: %.*s has %s", (int)value->name.length, value->name.at,
					note->text);
		}
	}
	return y;
}

/* The values that are made in the first round, as all rounds would make the same. */
static void list_constants(const sw_program *program, sw_text *text)
{
	sw_arena *arena = sw_arena_new();
	const bool *constant = arena ? sw_program_constants(program, arena) : NULL;
	for (int s = 0; constant && s < program->steps; s++) {
		const sw_value *value = &program->value[sw_program_value_of(program, s)];
		if (constant[sw_program_value_of(program, s)])
			sw_text_addf(text, "%s%.*s", text->length > 0 ? ", " : "", (int)value->name.length, value->name.at);
	}
	sw_arena_free(arena);
}

static int draw_repeats(const sw_program *program, struct canvas *out, int y)
{
	sw_text constant = {0};
	if (program->loop > 0)
		y = draw_note(out, 0, y, ROLE_TEXT,
			"the first %s executed %s, and what %s is again the first input; the rest follows once",
			words_plural(program->loop, "step is", "steps are").text,
			words_plural(program->rounds, "time", "times").text, program->loop == 1 ? "it brings" : "they bring");
	else
		y = draw_note(out, 0, y, ROLE_TEXT, "repeated %lld times; the result is again the first input",
			(long long)program->rounds);
	list_constants(program, &constant);
	if (constant.length > 0)
		y = draw_note(out, 0, y, ROLE_TEXT,
			"only once, because it is the same in all rounds: "
			"%s",
			sw_text_get(&constant));
	sw_text_free(&constant);
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
	struct rows values = program_value_rows(picture);
	if (!rows_arrange_as(&values, in->arranged, diag) || !rows_draw(&values, out, &y, diag) ||
		!draw_moves(in, opt->step, out, &y, diag))
		return false;
	if (sw_program_repeats(program))
		y = draw_repeats(program, out, y + 1);
	y = draw_totals(picture, out, y + 1);
	draw_program_notes(program, out, y);
	return true;
}
