/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command assign: types of least total cost for all that a program leaves open.
 */
#include <math.h>
#include <string.h>

#include <shardwalk/assign.h>
#include <shardwalk/number.h>

#include "answer/watch.h"
#include "canvas/table.h"
#include "command/programs/assign.h"
#include "command/programs/product.h"
#include "command/plan.h"
#include "command/programs/spmd.h"
#include "session/machine.h"
#include "session/present.h"
#include "views/draw.h"

/* What is asked. */
struct asked {
	struct invocation *run;
	const sw_program *program;
	sw_assign_options options;
	struct size budget, live;
	const char *hardware; /* NULL: elements are counted */
};

/* ---- options ---- */

static bool by_time(const struct asked *a, sw_model model, bool *time, sw_diag *diag)
{
	static const char *const words[] = {"cost", "time", NULL};
	static const struct word_list orders = {"assign has no order '%.*s'", words,
		"cost, or time, which counts products too"};
	int order = sw_model_is_timed(model) && model != SW_MODEL_PORTS;
	bool ok = option_choice(a->run, OPTION_BY, &orders, &order, diag);

	*time = order == 1;
	return ok;
}

/* Elements, or bytes where one of the bounds is bytes; a factor of the larger end is the setting's usual value, and says
 * nothing of a program. */
static bool read_bound(struct asked *a, enum option option, const struct size *size, int64_t *bound, sw_diag *diag)
{
	const struct word *word = option_given(a->run, option);

	*bound = 0;
	if (size->unit == SIZE_TIMES && word != NULL) {
		sw_diag_set(diag, SW_L13, (sw_span){0, 0}, "a factor needs two ends, which a program does not have");
		sw_diag_expected(diag, "elements, or bytes, such as 300MB");
		return refuse_at(a->run, word->raw, diag);
	}
	if (size->unit == SIZE_ELEMENTS || size->unit == SIZE_BYTES)
		*bound = size->count;
	return true;
}

static bool read_bounds(struct asked *a, const struct plan_request *plan, sw_diag *diag)
{
	bool budget = plan->budget.unit == SIZE_BYTES, live = plan->live.unit == SIZE_BYTES;

	a->budget = plan->budget;
	a->live = plan->live;
	if (!read_bound(a, OPTION_BUDGET, &plan->budget, &a->options.budget, diag) ||
		!read_bound(a, OPTION_LIVE, &plan->live, &a->options.live, diag))
		return false;
	a->options.bytes = budget || live;
	if (a->options.budget > 0 && a->options.live > 0 && budget != live) {
		sw_diag_set(diag, SW_L13, (sw_span){0, 0}, "one limit counts elements, the other bytes");
		sw_diag_expected(diag, "both in elements, or both in bytes");
		return false;
	}
	return true;
}

static bool read_options(struct asked *a, sw_diag *diag)
{
	struct plan_request plan;
	bool time;

	if (!plan_request_read(a->run, NULL, &plan, diag) || !by_time(a, plan.model, &time, diag) ||
		!read_bounds(a, &plan, diag))
		return false;
	a->options.without = plan.without;
	a->options.memory = a->run->session->state.settings.value[SETTING_MEMORY].size.count;
	if (!time)
		return true;
	plan.model = sw_model_is_timed(plan.model) ? plan.model : SW_MODEL_ROOFLINE;
	a->hardware = plan.model == SW_MODEL_CALIBRATED ? CALIBRATED_NAME : plan.hardware;
	return product_machine(&plan, &a->program->mesh, &a->options.machine, diag);
}

/* ---- texts ---- */

static void add_cost(const struct asked *a, double cost, sw_text *text)
{
	if (a->hardware != NULL)
		sw_text_add(text, words_seconds(cost).text);
	else
		sw_text_addf(text, "%.0f %s", cost, cost == 1 ? "element" : "elements");
}

static sw_str name_of(const struct asked *a, int v)
{
	return a->program->value[v].name;
}

static void add_type(const struct asked *a, const sw_type *type, sw_text *text)
{
	sw_type_print(&a->program->mesh, type, type->dtype_given, text);
}

static bool kept_elsewhere(const struct asked *a, const sw_assignment *found, int v)
{
	return a->program->value[v].open && !sw_type_equal(found->home[v], found->next[v]);
}

/* A line that goes on in the next ones where it is too long. */
static void wrapped(const struct asked *a, sw_text *text)
{
	draw_note(document_canvas(a->run->answer), 0, 0, ROLE_TEXT, "%s", sw_text_get(text));
	sw_text_free(text);
}

/* "h as [8, 4], r as [8, 4]": the homes of the runner-up that are others. */
static void add_next(const struct asked *a, const sw_assignment *found, sw_text *text)
{
	enum { TOLD = 4 };
	int count = 0;

	for (int v = 0; v < a->program->values; v++) {
		if (!kept_elsewhere(a, found, v) || ++count > TOLD)
			continue;
		sw_text_addf(text, "%s%.*s as ", count > 1 ? ", " : "", (int)name_of(a, v).length, name_of(a, v).at);
		add_type(a, found->next[v], text);
	}
	if (count > TOLD)
		sw_text_addf(text, " and %d more", count - TOLD);
}

static void next_line(const struct asked *a, const sw_assignment *found)
{
	sw_text text = {0};

	sw_text_add(&text, "runner-up: ");
	add_next(a, found, &text);
	if (found->next_cost > found->cost) {
		sw_text_add(&text, ": ");
		add_cost(a, found->next_cost - found->cost, &text);
		sw_text_add(&text, " more");
	} else {
		sw_text_add(&text, ": costs as much");
	}
	wrapped(a, &text);
}

static sw_amount memory_said(const struct asked *a)
{
	return sw_size_bytes(a->options.memory, 1, SW_UNIT_ELEMENTS);
}

static void cost_line(const struct asked *a, const sw_assignment *found)
{
	sw_text text = {0};

	sw_text_add(&text, "costs ");
	add_cost(a, found->cost, &text);
	if (a->hardware != NULL) {
		sw_text_add(&text, ": products ");
		add_cost(a, found->products, &text);
		sw_text_add(&text, ", redistributions ");
		add_cost(a, found->cost - found->products, &text);
	}
	sw_text_add(&text, found->proved ? "; proved: no types cost less" : "; not proved: no types cost less than ");
	if (!found->proved)
		add_cost(a, found->bound, &text);
	if (a->options.live > 0)
		sw_text_add(&text, ", with each value kept in one type");
	if (!found->proved && found->full)
		sw_text_addf(&text, ", since tables would take more than %s (`set memory`)", memory_said(a).text);
	wrapped(a, &text);
}

/* ---- the answer ---- */

/* The move that made a value; NULL: none did.  Moves come in the order of what they make, as values do that are asked about. */
static const sw_assign_move *move_to(const sw_assignment *found, int value, int *next)
{
	bool made = *next < found->moves && found->move[*next].made == value;

	return made ? &found->move[(*next)++] : NULL;
}

static void add_row(const struct asked *a, struct table *table, const sw_value *value)
{
	sw_text type = {0};

	table_add(table, "%.*s", (int)value->name.length, value->name.at);
	add_type(a, value->type, &type);
	table_add_text(table, &type);
	table_add_count(table, sw_type_localsize(value->type));
}

/* The next value that a program keeps. */
static const sw_value *next_of(const sw_program *program, int *value)
{
	while (!sw_program_keeps(program, *value))
		++*value;
	return &program->value[(*value)++];
}

enum { MOST_ROWS = 10000 };

/* Homes that were open, and values that were added, in the order of the program. */
static void answer_table(const struct asked *a, const sw_program *assigned, const sw_assignment *found)
{
	static const struct column columns[] = {COLUMN_LEFT("value", ROLE_LABEL), COLUMN_LEFT("type", ROLE_TEXT),
		COLUMN_RIGHT("elements", ROLE_NUMBER), COLUMN_LEFT("made from", ROLE_LABEL), {0}};
	struct column shown[sizeof columns / sizeof *columns];
	int rows = 0, before = 0, next = 0;

	memcpy(shown, columns, sizeof columns);
	if (found->moves == 0)
		shown[3] = (struct column){0};
	struct table *table = document_table(a->run->answer, shown);
	for (int v = 0; v < assigned->values; v++) {
		const sw_assign_move *move = move_to(found, v, &next);

		if (!sw_program_keeps(assigned, v) || (move == NULL && !next_of(a->program, &before)->open))
			continue;
		if (rows++ >= MOST_ROWS)
			continue;
		add_row(a, table, &assigned->value[v]);
		sw_str from = move != NULL ? assigned->value[move->from].name : sw_str_of("");
		if (found->moves > 0)
			table_add(table, "%.*s", (int)from.length, from.at);
	}
	if (rows > MOST_ROWS)
		document_line(a->run->answer, "%s of %s; `program` lists all", words_count(MOST_ROWS).text,
			words_plural(rows, "value", "values").text);
	if (rows == 0)
		document_line(a->run->answer, "no home is open: only uses were chosen");
}

static void moves_field(const struct asked *a, const sw_program *assigned, const sw_assignment *found,
	struct fields *list)
{
	for (int k = 0; k < found->moves; k++) {
		const sw_value *made = &assigned->value[found->move[k].made];
		struct fields *object = field_object(list, NULL);

		field_str(object, "name", made->name);
		field_str(object, "from", assigned->value[found->move[k].from].name);
		field_type(object, "type", &a->program->mesh, made->type, made->type->dtype_given);
	}
}

static bool homes_field(const struct asked *a, const sw_assignment *found, const sw_type *const *home,
	struct fields *list, sw_diag *diag)
{
	for (int v = 0; v < a->program->values; v++) {
		if (!list_goes_on(v, diag))
			return false;
		if (!a->program->value[v].open || (home == found->next && !kept_elsewhere(a, found, v)))
			continue;
		struct fields *object = field_object(list, NULL);
		field_str(object, "name", name_of(a, v));
		field_type(object, "type", &a->program->mesh, home[v], home[v]->dtype_given);
	}
	return true;
}

static bool next_field(const struct asked *a, const sw_assignment *found, struct fields *fields, sw_diag *diag)
{
	if (!found->has_next)
		return true;
	struct fields *next = field_object(fields, "next");
	field_number(next, "cost", found->next_cost);
	return homes_field(a, found, found->next, field_list(next, "homes"), diag);
}

static bool answer_fields(const struct asked *a, const sw_program *assigned, const sw_assignment *found,
	sw_diag *diag)
{
	struct fields *fields = document_fields(a->run->answer, "shardwalk.assign/1");
	sw_text text = {0};

	if (fields == NULL)
		return true;
	field_text(fields, "by", a->hardware != NULL ? "time" : "cost");
	field_text(fields, "hardware", a->hardware);
	assign_cost_fields(found, a->hardware != NULL, fields);
	field_count(fields, "budget", a->options.budget > 0 ? a->options.budget : -1);
	field_count(fields, "live", a->options.live > 0 ? a->options.live : -1);
	if (!homes_field(a, found, found->home, field_list(fields, "homes"), diag))
		return false;
	moves_field(a, assigned, found, field_list(fields, "moves"));
	if (!next_field(a, found, fields, diag))
		return false;
	sw_program_print(assigned, &text);
	field_printed(fields, "text", &text);
	return true;
}

static bool answer(const struct asked *a, const sw_program *assigned, const sw_assignment *found, sw_diag *diag)
{
	if (!answer_fields(a, assigned, found, diag)) {
		document_clear(a->run->answer);
		return false;
	}
	answer_table(a, assigned, found);
	cost_line(a, found);
	if (found->has_next)
		next_line(a, found);
	if (found->whole && a->hardware == NULL)
		document_line(a->run->answer, "types that cut an axis in another order of its primes were not tried");
	answer_hint(a->run->session,
		"`program` shows what moves; `enter 1` works on the first redistribution; `undo` goes back");
	return true;
}

void assign_cost_fields(const sw_assignment *found, bool seconds, struct fields *fields)
{
	const char *cost = seconds ? "seconds" : "cost";

	if (!found->found)
		field_null(fields, cost);
	else if (seconds)
		field_number(fields, cost, found->cost);
	else
		field_int(fields, cost, sw_nearest(found->cost));
	if (seconds && found->found)
		field_number(fields, "products", found->products);
	field_bool(fields, "proved", found->proved);
	if (found->found && !found->proved)
		field_number(fields, "bound", found->bound);
}

static sw_amount bound_said(const struct asked *a, int64_t bound, const struct size *size)
{
	return a->options.bytes ? sw_size_bytes(bound, 1, size->scale) : sw_size_said(bound, 1, SW_UNIT_ELEMENTS);
}

static bool refuse_unknown(const struct asked *a, const sw_assignment *found, sw_diag *diag)
{
	if (!found->full)
		return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped before any types were found");
	sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "the distances between the types of a value take too much memory");
	sw_diag_expected(diag, "tables of at most %s", memory_said(a).text);
	sw_diag_hint(diag, "`set memory` allows more; `assign --by time` tries only whole axes");
	return false;
}

/* Nothing satisfies the bound. */
static bool refuse(const struct asked *a, const sw_assignment *found, sw_diag *diag)
{
	bool live = a->options.live > 0;
	const struct size *size = live ? &a->live : &a->budget;
	int64_t bound = live ? a->options.live : a->options.budget;
	const struct word *word = option_given(a->run, live ? OPTION_LIVE : OPTION_BUDGET);

	if (!found->proved)
		return refuse_unknown(a, found, diag);
	sw_diag_set(diag, bound > 0 ? SW_S01 : SW_S02, (sw_span){0, 0},
		bound == 0 ? "no types lead to the result without forbidden operations" :
			live   ? "no types hold at most %s at once" :
					 "no types keep every tile within %s",
		bound_said(a, bound, size).text);
	if (found->smallest > 0)
		sw_diag_hint(diag, "the smallest limit that admits some is %s",
			sw_size_typed(found->smallest, 1, a->options.bytes ? SW_UNIT_BYTES : SW_UNIT_ELEMENTS).text);
	return word != NULL ? refuse_at(a->run, word->raw, diag) : false;
}

bool command_assign(struct invocation *run, sw_diag *diag)
{
	struct asked a = {.run = run};
	const struct kept_program *kept;
	sw_program assigned;
	sw_assignment found;
	struct watch watch;

	if (!session_program(run->session, &kept, diag))
		return false;
	a.program = &kept->program;
	if (!read_options(&a, diag))
		return false;
	watch_start(&watch, run->session->console);
	a.options.pulse = &watch.pulse;
	bool ok = sw_assign(a.program, &a.options, run->session->arena, &assigned, &found, diag);
	watch_end(&watch);
	if (!ok || !found.found)
		return ok ? refuse(&a, &found, diag) : false;
	if (!session_keep_program(run->session, &assigned, kept->source, diag))
		return false;
	return answer(&a, &assigned, &found, diag);
}

/* ---- a line of a batch ---- */

static bool line_machine(const json_t *line, const sw_program *program, sw_assign_options *options, sw_diag *diag)
{
	const char *hardware = json_string_value(json_object_get(line, "hardware"));

	return hardware == NULL ||
		machine_find(SW_MODEL_ROOFLINE, hardware, program->mesh.devices, &options->machine, diag);
}

/* Without a bound, or within one that the line asks about. */
static bool line_bound(const sw_program *program, const sw_assign_options *options, const json_t *budget,
	sw_arena *arena, struct fields *fields, sw_diag *diag)
{
	sw_assign_options within = *options;
	sw_program assigned;
	sw_assignment found;

	within.budget = json_integer_value(budget);
	if (!sw_assign(program, &within, arena, &assigned, &found, diag))
		return false;
	if (budget != NULL)
		field_count(fields, "budget", within.budget > 0 ? within.budget : -1);
	assign_cost_fields(&found, options->machine != NULL, fields);
	return true;
}

bool assign_line_fields(const json_t *line, const sw_program *program, const sw_pulse *pulse, sw_arena *arena,
	struct fields *fields, sw_diag *diag)
{
	const json_t *budgets = json_object_get(line, "budgets");
	sw_assign_options options = {.pulse = pulse};

	if (!line_machine(line, program, &options, diag) || !line_bound(program, &options, NULL, arena, fields, diag))
		return false;
	struct fields *list = json_is_array(budgets) ? field_list(fields, "budgets") : NULL;
	for (size_t k = 0; k < json_array_size(budgets); k++) {
		const json_t *budget = json_object_get(json_array_get(budgets, k), "budget");

		if (budget != NULL && !line_bound(program, &options, budget, arena, field_object(list, NULL), diag))
			return false;
	}
	return true;
}
