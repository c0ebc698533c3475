/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways of the present product as programs: planned, predicted, and what the last run of them measured.
 */
#include "command/programs/product_ways.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/simulate.h>

#include "answer/order.h"
#include "answer/watch.h"
#include "command/plan.h"
#include "command/programs/planned.h"
#include "command/programs/product.h"
#include "session/sums.h"

sw_ways_order product_ways_order(const sw_machine *machine)
{
	return machine == NULL ? SW_WAYS_BY_COST : machine->roofline ? SW_WAYS_BY_OVERLAP : SW_WAYS_BY_TIME;
}

void product_ways_bounds(const struct session *session, sw_ways_options *options)
{
	options->memory = (size_t)session->state.settings.value[SETTING_MEMORY].size.count;
	options->list = (size_t)memory_of_searches(session);
}

bool product_is_present(const struct session *session)
{
	const struct state *state = &session->state;

	return state->product != NULL && state->subject == SUBJECT_PRODUCT && !state->entered;
}

/* ---- finding them ---- */

static bool refuse_unwanted(sw_diag *diag)
{
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no type is given for the product, so it has no ways");
	sw_diag_hint(diag, "einsum ij,jk->ik [4, 6], [6, 8] as [4, 8]: `as TYPE` gives the type");
	return false;
}

static const char *key_of(const struct invocation *run, const struct product_ways *found, sw_model model)
{
	sw_text text = {0};

	sw_mesh_print(&found->product.mesh, &text);
	sw_text_addf(&text, " %s %s", sw_model_name(model), run->session->state.product->text);
	return sw_text_keep(&text, run->arena);
}

static bool find_ways(const struct invocation *run, struct product_ways *found, sw_diag *diag)
{
	struct watch watch;

	watch_start(&watch, run->session->console);
	found->options.pulse = &watch.pulse;
	found->options.by = product_ways_order(found->options.machine);
	product_ways_bounds(run->session, &found->options);
	bool ok = sw_ways_find(&found->product, &found->options, run->arena, &found->ways, diag);
	watch_end(&watch);
	return ok;
}

bool product_ways_find(const struct invocation *run, struct product_ways *found, sw_diag *diag)
{
	struct plan_request asked;

	*found = (struct product_ways){.product = run->session->state.product->of};
	if (!plan_request_read(run, NULL, &asked, diag))
		return false;
	if (!found->product.wanted)
		return refuse_unwanted(diag);
	found->key = key_of(run, found, asked.model);
	return found->key != NULL ?
		product_machine(&asked, &found->product.mesh, &found->options.machine, diag) && find_ways(run, found, diag) :
		sw_diag_memory(diag);
}

/* ---- a way as a program ---- */

const char *product_way_name(int64_t number, sw_arena *arena)
{
	sw_text text = {0};

	sw_text_addf(&text, "way%lld", (long long)number);
	return sw_text_keep(&text, arena);
}

bool product_way_planned(const struct invocation *run, const struct product_ways *found, int64_t number,
	sw_program *planned, sw_diag *diag)
{
	const char *name = product_way_name(number, run->arena);
	sw_program *program = SW_NEW(run->arena, sw_program, 1);

	if (name == NULL || program == NULL)
		return sw_diag_memory(diag);
	return sw_way_program(&found->ways, &found->ways.way[number - 1], name, run->arena, program, diag) &&
		planned_of(run, program, run->arena, planned, diag);
}

/* ---- predicted ---- */

static double step_seconds(const sw_program *planned, int s, const sw_machine *machine)
{
	if (planned->step[s].inside != NULL)
		return sw_predict_seconds(planned->step[s].inside, -1, machine);
	if (machine->hardware == NULL)
		return sw_compute_seconds(planned, s, machine);
	double rate = sw_machine_flops(machine);
	return rate > 0 ? sw_compute_flops(planned, s) / rate : -1;
}

double product_planned_seconds(const sw_program *planned, const sw_machine *machine)
{
	double sum = 0;

	for (int s = 0; s < planned->steps; s++) {
		double seconds = step_seconds(planned, s, machine);

		if (seconds < 0)
			return -1;
		sum += seconds;
	}
	return sum;
}

bool product_way_best(const struct invocation *run, const struct product_ways *found, int64_t *number,
	double *seconds, sw_program *planned, sw_diag *diag)
{
	const sw_machine *machine = found->options.machine;
	int64_t count = machine != NULL ? sw_smaller(WAYS_COMPARED, found->ways.fitting) : 1;

	*seconds = -1;
	for (int64_t n = 1; n <= count; n++) {
		sw_program one;

		if (!product_way_planned(run, found, n, &one, diag))
			return false;
		double predicted = machine != NULL ? product_planned_seconds(&one, machine) : -1;
		if (n > 1 && (predicted < 0 || (*seconds >= 0 && predicted >= *seconds)))
			continue;
		*number = n;
		*seconds = predicted;
		*planned = one;
	}
	return true;
}

/* ---- as rows ---- */

/* Operations of a device: all digits, or from a billion on four of them, "137.4G". */
static void print_flops(const struct row_at *at, sw_text *text)
{
	static const struct {
		double one;
		const char *name;
	} units[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}};
	int64_t flops = ((const sw_way *)at->row)->flops;
	size_t k = 0;

	while (k < sizeof units / sizeof *units && (double)flops < units[k].one)
		k++;
	if (k < sizeof units / sizeof *units)
		sw_text_addf(text, "%.4g%s", (double)flops / units[k].one, units[k].name);
	else
		sw_text_add_int(text, flops);
}

static void print_type(const struct row_at *at, sw_text *text)
{
	sw_type types[3];

	sw_ways_types(at->of, at->row, types);
	sw_type_print(at->mesh, &types[at->part], false, text);
}

static int64_t needs_of(const struct row_at *at)
{
	const sw_way *way = at->row;

	return way->fits ? -1 : way->needs;
}

static const char *bound_of(const struct row_at *at)
{
	static const char *const words[2][2] = {{"computation", "communication"}, {"product", "comm"}};
	const sw_way *way = at->row;

	return words[at->part][way->comm > way->math];
}

static double total_of(const struct row_at *at)
{
	const sw_way *way = at->row;

	return way->comm + way->math;
}

/* A letter as a key, which lasts. */
static const char *letter_key(char letter)
{
	static const char small[] = "a\0b\0c\0d\0e\0f\0g\0h\0i\0j\0k\0l\0m\0n\0o\0p\0q\0r\0s\0t\0u\0v\0w\0x\0y\0z";
	static const char large[] = "A\0B\0C\0D\0E\0F\0G\0H\0I\0J\0K\0L\0M\0N\0O\0P\0Q\0R\0S\0T\0U\0V\0W\0X\0Y\0Z";

	return letter >= 'a' ? &small[2 * (letter - 'a')] : &large[2 * (letter - 'A')];
}

/* Letters in the order in which they stand. */
static bool fill_turn(const struct row_at *at, struct fields *in)
{
	const sw_ways *ways = at->of;
	const sw_equation *e = &ways->product->equation;

	for (int side = 0; side < 2; side++)
		for (int i = 0; i < e->rank[side]; i++) {
			const char *name = letter_key(e->letter[side][i]);
			sw_turn turn;
			double size;

			if (side == 1 && sw_equation_find(e, SW_EQUATION_A, *name) >= 0)
				continue;
			if (!sw_ways_turn(ways, at->row, *name, &turn, &size, at->diag))
				return false;
			if (turn == SW_TURN_AT)
				field_number(in, name, size);
			else if (turn == SW_TURN_NEVER)
				field_null(in, name);
		}
	return true;
}

/* A type goes on below where there is no room for it. */
#define TYPE_COLUMN(key, heading, which, ...) \
	ROW_BY(key, heading, TEXT, .print = print_type, .part = (which), \
		.as = {.fit = CELL_WRAP, .indent = 1, .wants = 15, .gives = 14}, __VA_ARGS__)

enum { WAYS_TIMED = 8, WAYS_TURN = 16 };

/* Where there is no room, memory goes first; flops stay. */
static const struct row_column way_columns[] = {
	ROW_AT("front", " ", FLAG, sw_way, front, .mark = "*", .role = ROLE_LABEL, .when = WAYS_LISTED),
	ROW_BY(NULL, "#", NUMBERED, .place = 1, .as = {.gap = 1}),
	ROW_BY("needs", "needs", COUNT, .count_of = needs_of, .missing = "yes", .place = 3, .when = WAYS_BOUNDED),
	TYPE_COLUMN("a", "A multiplied as", 0, .place = 4, .folds = true),
	TYPE_COLUMN("b", "B multiplied as", 1, .place = 4, .folds = true),
	TYPE_COLUMN("product", "product", 2, .place = 4, .folds = true),
	ROW_AT("comm_seconds", "comm", SECONDS, sw_way, comm, .place = 2, .when = WAYS_TIMED, .unless = WAYS_NAMED),
	ROW_AT("math_seconds", "product", SECONDS, sw_way, math, .place = 2, .when = WAYS_TIMED, .unless = WAYS_NAMED),
	ROW_BY("bound", NULL, WORD, .word_of = bound_of, .folds = true, .when = WAYS_TIMED, .unless = WAYS_NAMED),
	ROW_BY(NULL, "longer", WORD, .word_of = bound_of, .part = 1, .place = 2, .when = WAYS_TURN, .as = {.drops = 2}),
	ROW_BY(NULL, "total", SECONDS, .number_of = total_of, .place = 2, .when = WAYS_TIMED, .unless = WAYS_TURN,
		.as = {.drops = 2}),
	ROW_AT("cost", "cost", NUMBER, sw_way, cost, .place = 2, .when = WAYS_TIMED, .unless = WAYS_NAMED,
		.as = {.drops = 3}),
	ROW_AT("cost", "cost", NUMBER, sw_way, cost, .place = 2, .unless = WAYS_TIMED | WAYS_NAMED),
	ROW_AT("flops", "flops", COUNT, sw_way, flops, .print = print_flops, .place = 2),
	ROW_AT("memory", "memory", COUNT, sw_way, memory, .place = 2, .unless = WAYS_NAMED, .as = {.drops = 1}),
	ROW_BY("turn", NULL, OBJECT, .fill = fill_turn, .when = WAYS_TURN, .unless = WAYS_NAMED),
};

const struct rows product_ways_words = ROWS_WORDS(way_columns);

struct rows product_ways_rows(const sw_ways *ways, int64_t count, unsigned said)
{
	unsigned timed = ways->timed ? WAYS_TIMED : 0, turn = sw_ways_turns(ways) ? WAYS_TURN : 0;

	return ROWS_OF(way_columns, ways->way, count, .of = ways, .mesh = &ways->product->mesh, .is = said | timed | turn,
		.rises = true);
}

/* ---- compare ---- */

struct row {
	sw_way way;
	int64_t number;
	double predicted, measured; /* below 0: not known */
};

double product_way_measured(const struct invocation *run, const struct product_ways *found, int64_t number)
{
	const struct kept_run *last = run->session->last_run;
	const char *name = product_way_name(number, run->arena);

	if (name == NULL || last == NULL || last->ways == NULL || strcmp(last->ways, found->key) != 0)
		return -1;
	const struct times *times = records_merge(&last->records, name);
	return times != NULL && times->total.seconds.median > 0 ? times->total.seconds.median : -1;
}

/* What is predicted comes first, then what was measured, then numbers. */
static int by_seconds(const void *one, const void *other)
{
	const struct row *a = one, *b = other;
	int order = (a->predicted > b->predicted) - (a->predicted < b->predicted);

	return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static bool fill_rows(const struct invocation *run, const struct product_ways *found, struct row *rows, int64_t count,
	sw_diag *diag)
{
	for (int64_t n = 0; n < count; n++) {
		sw_program planned;

		rows[n] = (struct row){found->ways.way[n], n + 1, -1, product_way_measured(run, found, n + 1)};
		if (found->options.machine == NULL)
			continue;
		if (!product_way_planned(run, found, n + 1, &planned, diag))
			return false;
		rows[n].predicted = product_planned_seconds(&planned, found->options.machine);
	}
	qsort(rows, (size_t)count, sizeof *rows, by_seconds);
	return true;
}

/* The row that was measured fastest; NULL: none was. */
static const struct row *fastest(const struct row *rows, int64_t count)
{
	const struct row *best = NULL;

	for (int64_t n = 0; n < count; n++)
		if (rows[n].measured >= 0 && (best == NULL || rows[n].measured < best->measured))
			best = &rows[n];
	return best;
}

/* "way 3 was fastest; way 1, predicted to be, took 4 % longer" */
static void add_verdict(const struct invocation *run, const struct row *rows, int64_t count)
{
	const struct row *best = fastest(rows, count);

	if (best == NULL) {
		document_line(run->answer, "`run --compare ways` measures them");
		return;
	}
	if (rows->predicted < 0 || rows->measured < 0) {
		document_line(run->answer, "way %lld was fastest", (long long)best->number);
		return;
	}
	if (best == rows) {
		document_line(run->answer, "way %lld was fastest, as predicted", (long long)best->number);
		return;
	}
	document_line(run->answer, "way %lld was fastest; way %lld, predicted to be fastest, took %.1f %% longer",
		(long long)best->number, (long long)rows->number, 100 * (rows->measured / best->measured - 1));
}

static const struct row_column compared_columns[] = {
	ROW_AT("way", "#", COUNT, struct row, number, .role = ROLE_LABEL),
	ROW_AT("predicted_seconds", "predicted", SECONDS, struct row, predicted, .as = {.optional = true}),
	ROW_AT("measured_seconds", "measured", SECONDS, struct row, measured, .as = {.optional = true}),
	ROW_AT("cost", "cost", NUMBER, struct row, way.cost, .as = {.drops = 1}),
	ROW_AT("flops", "flops", COUNT, struct row, way.flops, .print = print_flops),
	TYPE_COLUMN("a", "A multiplied as", 0),
	TYPE_COLUMN("b", "B multiplied as", 1),
	TYPE_COLUMN("product", "product", 2),
};

const struct rows compared_way_words = ROWS_WORDS(compared_columns);

static bool answer_compared(const struct invocation *run, const struct product_ways *found, const struct row *row,
	int64_t count, sw_diag *diag)
{
	struct fields *out = document_fields(run->answer, "shardwalk.ways-compared/1");
	const struct rows rows = ROWS_OF(compared_columns, row, count, .of = &found->ways, .mesh = &found->product.mesh,
		.rises = true);

	field_int(out, "count", found->ways.priced);
	if (!rows_answer(&rows, run->answer, out, "ways", diag))
		return false;
	if (count < found->ways.priced)
		document_line(run->answer, "%lld of %lld ways; --limit N compares N of them", (long long)count,
			(long long)found->ways.priced);
	add_verdict(run, row, count);
	return true;
}

bool product_ways_counted(const struct invocation *run, const struct product_ways *found, int64_t *count,
	sw_diag *diag)
{
	*count = WAYS_COMPARED;
	if (!option_count(run, OPTION_LIMIT, 1, WAYS_MOST, count, diag))
		return false;
	*count = sw_smaller(*count, found->ways.fitting);
	return true;
}

bool compare_ways(struct invocation *run, sw_diag *diag)
{
	struct product_ways *found = SW_NEW(run->arena, struct product_ways, 1);
	int64_t count;

	if (found == NULL)
		return sw_diag_memory(diag);
	if (!product_ways_find(run, found, diag) || !product_ways_counted(run, found, &count, diag))
		return false;
	struct row *rows = SW_NEW(run->arena, struct row, count + 1);
	if (rows == NULL)
		return sw_diag_memory(diag);
	return fill_rows(run, found, rows, count, diag) && answer_compared(run, found, rows, count, diag);
}
