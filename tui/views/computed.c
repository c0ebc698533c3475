/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computations in words and rows.
 */
#include "views/computed.h"

#include <shardwalk/number.h>
#include <shardwalk/schedule.h>

#include "answer/words.h"

/* ---- messages ---- */

bool messages_words(const sw_computation *computation, int array, sw_text *text)
{
	const sw_computed *of = &computation->array[array];
	const sw_problem problem = {.mesh = computation->mesh, .from = of->is.type};
	sw_arena *arena = sw_arena_new();
	const struct relation_look look = {&problem, of->relation,
		{.rule = SW_SENDER_BALANCED, .element = sw_dtype_bytes(of->is.type.dtype), .mesh = &computation->mesh},
		.arena = arena};
	bool said = arena != NULL && relation_sentence(&look, text);

	sw_arena_free(arena);
	return said;
}

/* ---- local ---- */

static bool lacking(const sw_need *need, int64_t device, sw_arena *arena, sw_region *lacks)
{
	sw_region held, needed;

	return sw_holding_region(need->held, device, arena, &held) &&
		sw_holding_region(&need->needed, device, arena, &needed) && sw_region_minus(&needed, &held, arena, lacks);
}

static bool add_lacking(const sw_mesh *mesh, const sw_need *need, sw_text *text)
{
	sw_arena *arena = sw_arena_new();
	sw_region lacks = {0};
	int64_t device = -1;
	bool found = arena != NULL;

	while (found && lacks.count == 0 && ++device < need->needed.devices) {
		sw_arena_clear(arena);
		found = lacking(need, device, arena, &lacks);
	}
	sw_text_addf(text, "not local: device %s lacks ", words_device_first(mesh, device < 0 ? 0 : device).text);
	if (found)
		region_text(&lacks, arena, text);
	sw_arena_free(arena);
	return found;
}

bool local_words(const sw_computation *computation, int array, sw_text *text)
{
	const sw_computed *of = &computation->array[array];

	if (!of->local)
		return add_lacking(&computation->mesh, of->need, text);
	sw_text_add(text, of->tight ? "local and tight" : "local");
	return true;
}

void array_type_print(const sw_computation *computation, const sw_array_type *type, sw_text *text)
{
	if (type->known)
		sw_type_print_any(&computation->mesh, &type->type, type->words, type->type.dtype_given, text);
}

/* ---- rows of devices and arrays ---- */

enum { ROWS_OF_SEVERAL = 1 };

static const struct computed_row *row_of(const struct row_at *at)
{
	return at->row;
}

static void print_held(const sw_holding *holding, int64_t device, sw_text *text)
{
	sw_arena *arena = sw_arena_new();
	sw_region region;

	if (arena == NULL || !sw_holding_region(holding, device, arena, &region))
		text->failed = true;
	else if (!sw_holding_defined(holding, device))
		sw_text_add(text, "undefined");
	else
		region_text(&region, arena, text);
	sw_arena_free(arena);
}

static void print_device(const struct row_at *at, sw_text *text)
{
	if (row_of(at)->input == 0)
		sw_mesh_print_device(at->mesh, row_of(at)->device, text);
}

static const sw_need *need_at(const struct row_at *at)
{
	const sw_computation *computation = at->of;

	return row_of(at)->input < computation->inputs ? &computation->need[row_of(at)->input] : NULL;
}

static void print_array(const struct row_at *at, sw_text *text)
{
	const sw_computation *computation = at->of;

	sw_text_add_str(text, computation->formula.array[need_at(at)->array].name);
}

static void print_alpha(const struct row_at *at, sw_text *text)
{
	if (need_at(at) != NULL)
		print_held(need_at(at)->held, row_of(at)->device, text);
}

static void print_beta(const struct row_at *at, sw_text *text)
{
	if (need_at(at) != NULL)
		print_held(&need_at(at)->needed, row_of(at)->device, text);
}

static void print_gamma(const struct row_at *at, sw_text *text)
{
	const sw_computation *computation = at->of;

	if (row_of(at)->input == 0)
		print_held(&computation->made, row_of(at)->device, text);
}

static void print_split(const struct row_at *at, bool inside, sw_text *text)
{
	const sw_computation *computation = at->of;
	sw_arena *arena = row_of(at)->input == 0 ? sw_arena_new() : NULL;
	sw_region interior, boundary;

	if (row_of(at)->input > 0)
		return;
	if (arena == NULL || !sw_computation_split(computation, row_of(at)->device, arena, &interior, &boundary))
		text->failed = true;
	else
		region_text(inside ? &interior : &boundary, arena, text);
	sw_arena_free(arena);
}

static void print_interior(const struct row_at *at, sw_text *text)
{
	print_split(at, true, text);
}

static void print_boundary(const struct row_at *at, sw_text *text)
{
	print_split(at, false, text);
}

static const struct row_column computed_columns[] = {
	ROW_BY(NULL, "device", TEXT, .print = print_device, .role = ROLE_LABEL, .as = {.right = true}),
	ROW_BY(NULL, "array", TEXT, .print = print_array, .when = ROWS_OF_SEVERAL),
	ROW_BY(NULL, "alpha", TEXT, .print = print_alpha, .as = {.fit = CELL_WRAP, .gives = 12}),
	ROW_BY(NULL, "beta", TEXT, .print = print_beta, .as = {.fit = CELL_WRAP, .gives = 12}),
	ROW_BY(NULL, "gamma", TEXT, .print = print_gamma, .as = {.fit = CELL_WRAP, .gives = 12}),
	ROW_BY(NULL, "interior", TEXT, .print = print_interior, .as = {.fit = CELL_WRAP, .gives = 12}),
	ROW_BY(NULL, "boundary", TEXT, .print = print_boundary, .as = {.fit = CELL_WRAP, .gives = 12}),
};

struct rows computed_rows(const sw_computation *computation, struct computed_row room[COMPUTED_ROWS])
{
	int inputs = computation->inputs > 1 ? computation->inputs : 1, count = 0;

	for (int64_t device = 0; device < computation->mesh.devices && count + inputs <= COMPUTED_ROWS; device++)
		for (int input = 0; input < inputs; input++)
			room[count++] = (struct computed_row){device, input};
	return ROWS_OF(computed_columns, room, count, .of = computation, .mesh = &computation->mesh,
		.is = inputs > 1 ? ROWS_OF_SEVERAL : 0, .narrow = true);
}

int64_t computed_left_out(const sw_computation *computation, const struct rows *rows)
{
	return computation->mesh.devices - rows->count / (computation->inputs > 1 ? computation->inputs : 1);
}

/* ---- answers ---- */

static void say_formula(const sw_computation *computation, struct document *document)
{
	const sw_formula *formula = &computation->formula;
	sw_text text = {0};

	sw_formula_print(formula, &text);
	document_say(document, 0, "%s", sw_text_get(&text));
	for (int k = 0; k < formula->arrays; k++) {
		sw_text_clear(&text);
		array_type_print(computation, &computation->array[k].is, &text);
		document_say(document, 2, "%.*s: %s", (int)formula->array[k].name.length, formula->array[k].name.at,
			sw_text_get(&text));
	}
	sw_text_free(&text);
}

static bool say_rows(const sw_computation *computation, struct document *document, sw_diag *diag)
{
	struct computed_row room[COMPUTED_ROWS];
	struct rows rows = computed_rows(computation, room);
	int64_t more = computed_left_out(computation, &rows);

	if (!rows_table(&rows, document, diag))
		return sw_computation_failed(computation, diag);
	if (more > 0)
		document_line(document, "and %lld more %s; `show needs --device N` draws one", (long long)more,
			plural(more, "device", "devices"));
	return true;
}

/* "x is needed as [12]". */
static void say_type(const sw_computation *computation, sw_str name, const char *what, const sw_array_type *type,
	struct document *document)
{
	sw_text text = {0};

	array_type_print(computation, type, &text);
	if (text.length > 0)
		document_say(document, 0, "%.*s is %s %s", (int)name.length, name.at, what, sw_text_get(&text));
	sw_text_free(&text);
}

/* The first device that needs what nobody holds, and how many do. */
static bool say_nobody(const sw_computation *computation, int array, struct document *document)
{
	sw_relation *relation = computation->array[array].relation;
	int64_t devices = computation->mesh.devices, first = -1, lacking = 0;
	sw_arena *arena = sw_arena_new();
	sw_tally *tally = arena != NULL ? SW_NEW(arena, sw_tally, devices) : NULL;
	bool said = tally != NULL && sw_relation_tally(relation, SW_SENDER_LOWEST, tally);
	sw_region missing;
	sw_text text = {0};

	for (int64_t device = 0; device < devices && said; device++) {
		if (tally[device].missing == 0)
			continue;
		first = first < 0 ? device : first;
		lacking++;
	}
	said = said && (first < 0 || sw_relation_missing(relation, first, arena, &missing));
	if (said && first >= 0) {
		region_text(&missing, arena, &text);
		document_say(document, 2, "device %s needs what no device holds: %s%s",
			words_device_first(&computation->mesh, first).text, sw_text_get(&text),
			lacking > 1 ? "; other devices do, too" : "");
	}
	sw_text_free(&text);
	sw_arena_free(arena);
	return said;
}

static bool say_array(const sw_computation *computation, int array, struct document *document)
{
	const sw_computed *of = &computation->array[array];
	const sw_str name = computation->formula.array[array].name;
	sw_text text = {0};
	bool said = of->need == NULL || local_words(computation, array, &text);

	if (of->need != NULL)
		document_say(document, 0, "%.*s is %s%s", (int)name.length, name.at, sw_text_get(&text),
			of->local ? ": no message" : "");
	sw_text_clear(&text);
	if (of->need == NULL || !of->local) {
		said = said && messages_words(computation, array, &text);
		document_say(document, 2, "%s", sw_text_get(&text));
		said = said && say_nobody(computation, array, document);
	}
	sw_text_free(&text);
	return said;
}

bool computed_answer(const sw_computation *computation, struct document *document, sw_diag *diag)
{
	const sw_formula *formula = &computation->formula;
	bool said = true;
	sw_diag why;

	say_formula(computation, document);
	/* Where a schedule can follow, what is needed depends on it. */
	if (!sw_schedule_computes(formula, &why) && !say_rows(computation, document, diag))
		return false;
	for (int k = 1; k < formula->arrays && said; k++) {
		if (computation->array[k].need == NULL)
			continue;
		said = say_array(computation, k, document);
		if (!computation->array[k].local)
			say_type(computation, formula->array[k].name, "needed as", &computation->array[k].needed, document);
	}
	if (computation->points.array != 0)
		say_type(computation, formula->array[0].name, "made as", &computation->made_type, document);
	if (computation->array[0].relation != NULL)
		said = said && say_array(computation, 0, document);
	return said || sw_computation_failed(computation, diag);
}

/* ---- tasks ---- */

/* `0 1; -; 1 2; ...`, of the first devices. */
static bool say_graph(const sw_computation *computation, struct document *document)
{
	enum { DEVICES_TOLD = 64 };
	sw_relation *relation = computation->array[computation->first].relation;
	int64_t devices = computation->mesh.devices, told = sw_smaller(devices, DEVICES_TOLD), count = 0;
	sw_arena *arena = sw_arena_new();
	int32_t *list = arena != NULL ? SW_NEW(arena, int32_t, devices) : NULL;
	sw_text text = {0};

	for (int64_t device = 0; device < told && list != NULL && count >= 0; device++) {
		count = sw_relation_before(relation, device, list);
		sw_text_add(&text, device > 0 ? ";" : "");
		sw_text_add(&text, count == 0 ? " -" : "");
		for (int64_t k = 0; k < count; k++)
			sw_text_addf(&text, " %s", words_device(&computation->mesh, list[k]).text);
	}
	document_say(document, 2, "kernel graph, T of each device:%s%s", sw_text_get(&text),
		told < devices ? "; .." : "");
	sw_text_free(&text);
	sw_arena_free(arena);
	return list != NULL && count >= 0;
}

/* A round, and how often it comes. */
struct round_row {
	const char *what;
	int64_t times;
	const sw_round *round;
};

static const struct row_column round_columns[] = {
	ROW_AT(NULL, "round", WORD, struct round_row, what, .role = ROLE_LABEL),
	ROW_AT(NULL, "times", COUNT, struct round_row, times),
	ROW_THROUGH(NULL, "steps", COUNT, struct round_row, round, sw_round, steps),
	ROW_THROUGH(NULL, "arcs", COUNT, struct round_row, round, sw_round, arcs),
	ROW_THROUGH(NULL, "messages", COUNT, struct round_row, round, sw_round, messages),
	ROW_THROUGH(NULL, "elements", COUNT, struct round_row, round, sw_round, elements),
	ROW_THROUGH(NULL, "computed twice", COUNT, struct round_row, round, sw_round, recomputed),
};

static int add_round(struct round_row *rows, int count, const char *what, int64_t times, const sw_round *round)
{
	if (round->relation != NULL && times > 0)
		rows[count++] = (struct round_row){what, times, round};
	return count;
}

static bool say_rounds(const sw_tasks *tasks, struct document *document, sw_diag *diag)
{
	struct round_row row[4];
	int64_t last = tasks->last.relation != NULL;
	int count = add_round(row, 0, "once", 1, &tasks->once);

	count = add_round(row, count, "full", tasks->rounds - last, &tasks->full);
	count = add_round(row, count, "last", last, &tasks->last);
	count = add_round(row, count, "move", tasks->rounds - 1, &tasks->move);
	const struct rows rows = ROWS_OF(round_columns, row, count, .narrow = true);
	return rows_table(&rows, document, diag);
}

/* The inputs that do not change. */
static void say_once(const sw_computation *computation, struct document *document)
{
	sw_text names = {0};

	for (int k = 0; k < computation->formula.arrays; k++)
		if (computation->array[k].need != NULL && k != computation->first)
			sw_text_addf(&names, "%s%.*s", names.length > 0 ? ", " : "",
				(int)computation->formula.array[k].name.length, computation->formula.array[k].name.at);
	document_line(document, "%s %s constant: the part of %s that is needed is sent once", sw_text_get(&names),
		computation->inputs > 2 ? "are" : "is", computation->inputs > 2 ? "them" : "it");
	sw_text_free(&names);
}

bool tasks_answer(const sw_computation *computation, const sw_tasks *tasks, struct document *document, sw_diag *diag)
{
	say_formula(computation, document);
	document_say(document, 0, "%lld %s, %lld tasks, %lld arcs, %lld messages, %lld elements",
		(long long)tasks->rounds, plural(tasks->rounds, "round", "rounds"), (long long)tasks->tasks,
		(long long)tasks->arcs, (long long)tasks->messages, (long long)tasks->elements);
	if (tasks->every > 1)
		document_line(document, "exchanged every %lld steps; %lld elements are computed twice",
			(long long)tasks->every, (long long)tasks->recomputed);
	if (tasks->once.relation != NULL)
		say_once(computation, document);
	if (tasks->all_after >= 0)
		document_line(document, "each result depends on all inputs after %lld %s", (long long)tasks->all_after,
			plural(tasks->all_after, "step", "steps"));
	else if (tasks->all_after == SW_TASKS_NOT_COUNTED)
		document_line(document,
			"there are too many devices to find out when every result depends on all "
			"inputs");
	else
		document_line(document, "within %lld %s no result depends on all inputs", (long long)tasks->steps,
			plural(tasks->steps, "step", "steps"));
	return (say_graph(computation, document) || sw_computation_failed(computation, diag)) &&
		say_rounds(tasks, document, diag);
}

/* ---- for programs ---- */

/* What `write` adds to an object, as members of another one. */
static bool add_members(sw_text *text, bool written, struct fields *out, sw_diag *diag)
{
	written = written && !text->failed;
	if (written)
		field_members(out, (sw_str){sw_text_get(text), text->length});
	sw_text_free(text);
	return written || sw_diag_memory(diag);
}

bool computed_fields(const sw_computation *computation, struct fields *out, sw_diag *diag)
{
	sw_text text = {0};
	sw_json json;
	bool written;

	sw_json_start(&json, &text, true);
	sw_json_open(&json, '{', false);
	written = sw_computation_write(computation, SW_SENDER_BALANCED, &json);
	sw_json_close(&json);
	return add_members(&text, written, out, diag) || sw_computation_failed(computation, diag);
}

bool tasks_fields(const sw_computation *computation, const sw_tasks *tasks, struct fields *out, sw_diag *diag)
{
	sw_text text = {0};
	sw_json json;
	bool written;

	sw_json_start(&json, &text, true);
	sw_json_open(&json, '{', false);
	written = sw_tasks_write(computation, tasks, &json);
	sw_json_close(&json);
	return add_members(&text, written, out, diag);
}
