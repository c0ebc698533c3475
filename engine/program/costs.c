/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of costs, made once each.
 */
#include "program/costs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum made {
	MADE_ROWS,
	MADE_OWN,
	MADE_TRIM,
	MADE_TURN,
	MADE_COLUMNS,
	MADE_BOTH,
	MADE_ABSORBED,
	MADE_ABSORBED_TURNED,
	MADE_THROUGH
};

/* What was asked: the operation, and of what. */
struct asked {
	int64_t made, count;
	const void *of[8];
};

bool sw_costs_store_init(sw_costs_store *store, sw_arena *arena, int64_t most, const sw_pulse *pulse)
{
	*store = (sw_costs_store){.arena = arena, .most = most, .begun = (int64_t)sw_arena_used(arena), .pulse = pulse};
	return sw_keys_init(&store->keys, sizeof(struct asked));
}

void sw_costs_store_end(sw_costs_store *store)
{
	sw_keys_free(&store->keys);
}

static bool fail(sw_costs_store *store, enum sw_costs_failure failure)
{
	if (store->failure == SW_COSTS_FINE)
		store->failure = failure;
	return false;
}

int64_t sw_costs_left(const sw_costs_store *store)
{
	int64_t left = store->most - ((int64_t)sw_arena_used(store->arena) - store->begun) - store->beside;

	return store->most == 0 ? INT64_MAX : left > 0 ? left : 0;
}

bool sw_costs_goes_on(sw_costs_store *store)
{
	return sw_pulse_beat(store->pulse, "types", store->made, 0) || fail(store, SW_COSTS_STOPPED);
}

bool sw_costs_looked(sw_costs_store *store, int64_t count)
{
	enum { OFTEN = 1 << 18 };

	store->looked += count;
	if (store->looked < OFTEN)
		return true;
	store->looked = 0;
	return sw_costs_goes_on(store);
}

bool sw_costs_full(sw_costs_store *store)
{
	return fail(store, SW_COSTS_FULL);
}

static void *take(sw_costs_store *store, int64_t count, size_t size)
{
	void *room;

	if (store->failure != SW_COSTS_FINE)
		return NULL;
	if (count * (int64_t)size > sw_costs_left(store)) {
		sw_costs_full(store);
		return NULL;
	}
	room = sw_arena_alloc(store->arena, (size_t)count, size);
	if (room == NULL)
		fail(store, SW_COSTS_NO_MEMORY);
	return room;
}

void *sw_costs_draft(sw_costs_store *store, int64_t count, size_t size)
{
	store->before = sw_arena_here(store->arena);
	store->draft = take(store, count, size);
	return store->draft;
}

/* What was made when this was asked before; NULL: nothing. */
static const void *asked_before(const sw_costs_store *store, const struct asked *asked)
{
	int32_t number = sw_keys_find(&store->keys, (const uint8_t *)asked);

	return number < 0 ? NULL : store->result[number];
}

static bool keep(sw_costs_store *store, const struct asked *asked, const void *result)
{
	if (result == NULL || !SW_GROW(store->arena, store->result, store->made, store->room, 64) ||
		sw_keys_add(&store->keys, (const uint8_t *)asked) < 0)
		return fail(store, SW_COSTS_NO_MEMORY);
	assert(store->made + 1 == store->keys.count);
	store->result[store->made++] = result;
	return true;
}

double *sw_costs_new(sw_costs_store *store, int rows, int cols, sw_costs **table)
{
	assert(rows >= 0 && cols >= 0);
	double *at = take(store, (int64_t)rows * cols, sizeof *at);

	*table = at == NULL ? NULL : SW_NEW(store->arena, sw_costs, 1);
	if (*table == NULL)
		return NULL;
	**table = (sw_costs){rows, cols, at, NULL, NULL};
	return at;
}

/* ---- lists by contents ---- */

static uint64_t mixed(const void *bytes, size_t count)
{
	const uint8_t *at = bytes;
	uint64_t hash = 1469598103934665603u;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ at[i]) * 1099511628211u;
	return hash;
}

/* A draft is kept as it is. */
static void *kept_list(sw_costs_store *store, const void *list, int count, size_t size)
{
	void *kept = store->draft;

	if (list != kept && (kept = take(store, count, size)) != NULL && count > 0)
		memcpy(kept, list, (size_t)count * size);
	store->draft = NULL;
	return kept;
}

static const void *instead_of(sw_costs_store *store, const void *list, const void *there)
{
	if (list == store->draft)
		sw_arena_back(store->arena, store->before);
	store->draft = NULL;
	return there;
}

/* Lists of one hash stand in a row: number 0, 1, ... of them until one is the same. */
static const void *of_contents(sw_costs_store *store, enum made made, const void *list, int count, size_t size)
{
	size_t bytes = (size_t)count * size;
	struct asked asked = {made, count, {(const void *)(uintptr_t)mixed(list, bytes)}};

	for (uintptr_t n = 0; store->failure == SW_COSTS_FINE; n++) {
		asked.of[1] = (const void *)n;
		const void *there = asked_before(store, &asked);
		if (there != NULL && memcmp(there, list, bytes) == 0)
			return instead_of(store, list, there);
		if (there != NULL)
			continue;
		void *kept = kept_list(store, list, count, size);
		return kept != NULL && keep(store, &asked, kept) ? kept : NULL;
	}
	return NULL;
}

sw_rows_of sw_costs_rows(sw_costs_store *store, const int32_t *rows, int count)
{
	return of_contents(store, MADE_ROWS, rows, count, sizeof *rows);
}

const double *sw_costs_own(sw_costs_store *store, const double *own, int count)
{
	return of_contents(store, MADE_OWN, own, count, sizeof *own);
}

/* ---- fewer rows, other rows ---- */

/* The rows that values have, numbered anew in ascending order: `kept` gets the old number of each.  How many; -1: memory. */
static int used_rows(sw_costs_store *store, sw_rows_of rows, int values, int of, sw_rows_of *numbered,
	const int32_t **kept)
{
	int32_t *number = take(store, of, sizeof *number), *list = take(store, of, sizeof *list);
	int32_t *mine = sw_costs_draft(store, values, sizeof *mine);
	int count = 0;

	if (number == NULL || list == NULL || mine == NULL)
		return -1;
	memset(number, 0xff, (size_t)of * sizeof *number);
	for (int v = 0; v < values; v++)
		number[rows[v]] = 0;
	for (int r = 0; r < of; r++)
		if (number[r] == 0) {
			list[count] = r;
			number[r] = count++;
		}
	for (int v = 0; v < values; v++)
		mine[v] = number[rows[v]];
	*kept = count < of ? list : NULL;
	*numbered = sw_costs_rows(store, mine, values);
	return *numbered == NULL ? -1 : count;
}

static bool uses_all(sw_rows_of rows, int values, int of)
{
	return rows == NULL && values == of;
}

/* Of a side none of whose rows is left out `kept` is NULL. */
static int side_of(sw_costs_store *store, sw_rows_of *rows, int values, int of, const int32_t **kept)
{
	*kept = NULL;
	return uses_all(*rows, values, of) || *rows == NULL ? of : used_rows(store, *rows, values, of, rows, kept);
}

/* What is left of a square where only some rows are kept (NULL: all).  false: see store->failure. */
static bool trim_square(sw_costs_store *store, const double *square, int size, const int32_t *kept, int count,
	const double **out)
{
	double *made;

	*out = square;
	if (square == NULL || kept == NULL)
		return true;
	*out = made = take(store, (int64_t)count * count, sizeof *made);
	for (int r = 0; made != NULL && r < count; r++) {
		for (int s = 0; s < count; s++)
			made[(int64_t)r * count + s] = square[(int64_t)kept[r] * size + kept[s]];
		if (!sw_costs_looked(store, count))
			return false;
	}
	return made != NULL;
}

static bool trim_detours(sw_costs_store *store, const sw_costs *whole, const int32_t *rows, const int32_t *cols,
	sw_costs *table)
{
	return trim_square(store, whole->detour, whole->rows, rows, table->rows, &table->detour) &&
		trim_square(store, whole->onward, whole->cols, cols, table->cols, &table->onward);
}

static const sw_link_costs *trimmed(sw_costs_store *store, const sw_link_costs *link, int first, int second)
{
	sw_link_costs *out = take(store, 1, sizeof *out);
	const int32_t *row_kept, *col_kept;
	const sw_costs *whole = link->costs;
	sw_costs *table;

	if (out == NULL)
		return NULL;
	*out = *link;
	int rows = side_of(store, &out->row, first, whole->rows, &row_kept);
	int cols = side_of(store, &out->col, second, whole->cols, &col_kept);
	if (rows < 0 || cols < 0 || (rows == whole->rows && cols == whole->cols)) {
		*out = *link;
		return rows < 0 || cols < 0 ? NULL : out;
	}
	double *at = sw_costs_new(store, rows, cols, &table);
	for (int r = 0; at != NULL && r < rows; r++) {
		for (int c = 0; c < cols; c++)
			at[(int64_t)r * cols + c] = whole->at[(int64_t)(row_kept != NULL ? row_kept[r] : r) * whole->cols +
				(col_kept != NULL ? col_kept[c] : c)];
		if (!sw_costs_looked(store, cols))
			return NULL;
	}
	out->costs = table;
	return at != NULL && trim_detours(store, whole, row_kept, col_kept, table) ? out : NULL;
}

/* Answers again what was asked before, else makes it. */
#define ONCE(store, asked, out, make) \
	do { \
		const sw_link_costs *made_ = asked_before(store, asked); \
		if (made_ == NULL) { \
			made_ = (store)->failure == SW_COSTS_FINE ? (make) : NULL; \
			if (made_ == NULL || !keep(store, asked, made_)) \
				return false; \
		} \
		*(out) = *made_; \
		return true; \
	} while (0)

bool sw_costs_trim(sw_costs_store *store, sw_link_costs *link, int first, int second)
{
	struct asked asked = {MADE_TRIM, (int64_t)first << 32 | second, {link->costs, link->row, link->col}};
	sw_link_costs whole = *link;

	ONCE(store, &asked, link, trimmed(store, &whole, first, second));
}

static const double *columns_of(sw_costs_store *store, const double *from, int rows, int cols)
{
	double *made = take(store, (int64_t)rows * cols, sizeof *made);

	for (int c = 0; made != NULL && c < cols; c++) {
		for (int r = 0; r < rows; r++)
			made[(int64_t)c * rows + r] = from[(int64_t)r * cols + c];
		if (!sw_costs_looked(store, rows))
			return NULL;
	}
	return made;
}

/* The same from columns to rows, made once of each; NULL of NULL.  false: memory. */
static bool turn_table(sw_costs_store *store, const double *from, int rows, int cols, const double **out)
{
	struct asked asked = {MADE_COLUMNS, (int64_t)rows << 32 | cols, {from}};

	*out = from == NULL ? NULL : asked_before(store, &asked);
	if (from == NULL || *out != NULL)
		return true;
	*out = columns_of(store, from, rows, cols);
	return *out != NULL && keep(store, &asked, *out);
}

static const sw_link_costs *turned(sw_costs_store *store, const sw_costs *from)
{
	sw_link_costs *out = take(store, 1, sizeof *out);
	sw_costs *table = take(store, 1, sizeof *table);

	if (out == NULL || table == NULL)
		return NULL;
	*table = (sw_costs){.rows = from->cols, .cols = from->rows};
	*out = (sw_link_costs){table, NULL, NULL};
	return turn_table(store, from->at, from->rows, from->cols, &table->at) &&
			turn_table(store, from->onward, from->cols, from->cols, &table->detour) &&
			turn_table(store, from->detour, from->rows, from->rows, &table->onward) ?
		out :
		NULL;
}

static bool keep_turned(sw_costs_store *store, const sw_costs *from, const sw_link_costs *made)
{
	struct asked asked = {MADE_TURN, 0, {from, NULL, NULL}};

	return keep(store, &asked, made);
}

/* Turned again it is what it was. */
static const sw_link_costs *turned_once(sw_costs_store *store, const sw_costs *from)
{
	const sw_link_costs *made = turned(store, from);
	sw_link_costs *back = take(store, 1, sizeof *back);

	if (made == NULL || back == NULL)
		return NULL;
	*back = (sw_link_costs){from, NULL, NULL};
	return keep_turned(store, from, made) && keep_turned(store, made->costs, back) ? made : NULL;
}

bool sw_costs_turn(sw_costs_store *store, const sw_link_costs *link, sw_link_costs *out)
{
	struct asked asked = {MADE_TURN, 0, {link->costs, NULL, NULL}};
	const sw_link_costs *made = asked_before(store, &asked);

	if (made == NULL)
		made = turned_once(store, link->costs);
	if (made == NULL)
		return false;
	*out = (sw_link_costs){made->costs, link->col, link->row};
	return true;
}

/* Rows of two tables as pairs, numbered in the order in which values have them; how many, -1: memory. */
static int pair_rows(sw_costs_store *store, sw_rows_of a, sw_rows_of b, int values, sw_rows_of *paired,
	const int32_t **example)
{
	int32_t *list = take(store, values, sizeof *list), *mine = sw_costs_draft(store, values, sizeof *mine);
	sw_keys pairs;

	if (mine == NULL || list == NULL || !sw_keys_init(&pairs, 2 * sizeof(int32_t)))
		return -1;
	for (int v = 0; v < values; v++) {
		int32_t pair[2] = {a != NULL ? a[v] : v, b != NULL ? b[v] : v};
		int32_t before = pairs.count;

		mine[v] = sw_keys_add(&pairs, (const uint8_t *)pair);
		if (mine[v] == before)
			list[before] = v;
	}
	int count = pairs.count;
	sw_keys_free(&pairs);
	*example = list;
	*paired = sw_costs_rows(store, mine, values);
	return *paired == NULL ? -1 : count;
}

/* What it costs to go from one value of a choice to another: detours by rows of a table, or by columns. */
struct square {
	const double *detour; /* NULL: not known */
	int size;
	sw_rows_of rows;
};

static double detour_between(const struct square *s, int32_t a, int32_t b)
{
	return s->detour[(int64_t)(s->rows != NULL ? s->rows[a] : a) * s->size + (s->rows != NULL ? s->rows[b] : b)];
}

/* Detours in both tables at once.  false: memory. */
static bool pair_squares(sw_costs_store *store, const struct square *a, const struct square *b,
	const int32_t *example, int count, const double **out)
{
	double *made;

	if (a->detour == NULL || b->detour == NULL)
		return true;
	*out = made = take(store, (int64_t)count * count, sizeof *made);
	for (int r = 0; made != NULL && r < count; r++) {
		for (int s = 0; s < count; s++)
			made[(int64_t)r * count + s] = detour_between(a, example[r], example[s]) +
				detour_between(b, example[r], example[s]);
		if (!sw_costs_looked(store, count))
			return false;
	}
	return made != NULL;
}

static const sw_link_costs *paired(sw_costs_store *store, const sw_link_costs *a, const sw_link_costs *b, int first,
	int second)
{
	sw_link_costs *out = take(store, 1, sizeof *out);
	const int32_t *of_row, *of_col;
	sw_costs *table;

	if (out == NULL)
		return NULL;
	int rows = pair_rows(store, a->row, b->row, first, &out->row, &of_row);
	int cols = pair_rows(store, a->col, b->col, second, &out->col, &of_col);
	double *at = rows < 0 || cols < 0 ? NULL : sw_costs_new(store, rows, cols, &table);
	for (int r = 0; at != NULL && r < rows; r++) {
		for (int c = 0; c < cols; c++)
			at[(int64_t)r * cols + c] = sw_link_cost(a, of_row[r], of_col[c]) + sw_link_cost(b, of_row[r], of_col[c]);
		at = sw_costs_looked(store, cols) ? at : NULL;
	}
	if (at == NULL)
		return NULL;
	out->costs = table;
	const sw_costs *x = a->costs, *y = b->costs;
	const struct square row[] = {{x->detour, x->rows, a->row}, {y->detour, y->rows, b->row}};
	const struct square col[] = {{x->onward, x->cols, a->col}, {y->onward, y->cols, b->col}};
	bool made = pair_squares(store, &row[0], &row[1], of_row, rows, &table->detour) &&
		pair_squares(store, &col[0], &col[1], of_col, cols, &table->onward);
	return made ? out : NULL;
}

bool sw_costs_both(sw_costs_store *store, const sw_link_costs *a, const sw_link_costs *b, int first, int second,
	sw_link_costs *both)
{
	struct asked asked = {MADE_BOTH, (int64_t)first << 32 | second,
		{a->costs, a->row, a->col, b->costs, b->row, b->col}};

	ONCE(store, &asked, both, paired(store, a, b, first, second));
}

/* ---- leaving choices out ---- */

/* By column of the link the least that a value there costs. */
static double *least_by_row(sw_costs_store *store, sw_rows_of rows, const double *own, int values, int of)
{
	double *least = take(store, of, sizeof *least);

	if (least == NULL)
		return NULL;
	for (int r = 0; r < of; r++)
		least[r] = INFINITY;
	for (int v = 0; v < values; v++) {
		double *there = &least[rows != NULL ? rows[v] : v], cost = own != NULL ? own[v] : 0;

		*there = cost < *there ? cost : *there;
	}
	return least;
}

/* out[c] = min(out[c], more + row[c]), eight at a time: the most time goes by here. */
static void lower_row(double *restrict out, const double *restrict row, double more, int count)
{
	enum { AT_ONCE = 8 };
	int c = 0;

	for (; c + AT_ONCE <= count; c += AT_ONCE)
		for (int j = c; j < c + AT_ONCE; j++) {
			double cost = more + row[j];

			out[j] = cost < out[j] ? cost : out[j];
		}
	for (; c < count; c++)
		out[c] = more + row[c] < out[c] ? more + row[c] : out[c];
}

static double least_sum(const double *a, const double *b, int count)
{
	double least = INFINITY;

	for (int i = 0; i < count; i++)
		least = a[i] + b[i] < least ? a[i] + b[i] : least;
	return least;
}

/* By row of the first choice the least that a value of the second, which costs `least`, adds there. */
static bool add_least(sw_costs_store *store, const sw_costs *t, bool turned, const double *least, double *row)
{
	for (int c = 0; turned && c < t->cols; c++)
		row[c] = INFINITY;
	for (int r = 0; r < t->rows; r++) {
		const double *at = t->at + (int64_t)r * t->cols;

		if (!turned)
			row[r] = least_sum(at, least, t->cols);
		else if (least[r] < INFINITY)
			lower_row(row, at, least[r], t->cols);
		if (!sw_costs_looked(store, t->cols))
			return false;
	}
	return true;
}

static double *absorbed(sw_costs_store *store, const struct asked *asked, const double *own, int first,
	const sw_link_costs *link, const double *other)
{
	const sw_costs *t = link->costs;
	bool turned = asked->made == MADE_ABSORBED_TURNED;
	int rows = turned ? t->cols : t->rows, cols = turned ? t->rows : t->cols,
		second = (int)(asked->count & INT32_MAX);
	sw_rows_of here = turned ? link->col : link->row, there = turned ? link->row : link->col;
	double *sum = sw_costs_draft(store, first, sizeof *sum), *row = take(store, rows, sizeof *row);
	double *least = least_by_row(store, there, other, second, cols);

	if (sum == NULL || row == NULL || least == NULL || !add_least(store, t, turned, least, row))
		return NULL;
	for (int v = 0; v < first; v++)
		sum[v] = (own != NULL ? own[v] : 0) + row[here != NULL ? here[v] : v];
	return sum;
}

const double *sw_costs_absorb(sw_costs_store *store, const double *own, int first, const sw_link_costs *link,
	bool turned, const double *other, int second)
{
	struct asked asked = {turned ? MADE_ABSORBED_TURNED : MADE_ABSORBED, (int64_t)first << 32 | second,
		{own, link->costs, link->row, link->col, other}};
	const double *made = asked_before(store, &asked);

	if (made != NULL || store->failure != SW_COSTS_FINE)
		return made;
	made = absorbed(store, &asked, own, first, link, other);
	made = made == NULL ? NULL : sw_costs_own(store, made, first);
	if (made == NULL || !keep(store, &asked, made))
		return NULL;
	return sw_costs_goes_on(store) ? made : NULL;
}

bool sw_costs_least(sw_costs_store *store, sw_costs_values first, const sw_link_costs *link, bool turned,
	sw_costs_values second, double *least)
{
	const sw_costs *t = link->costs;
	sw_rows_of here = turned ? link->col : link->row, there = turned ? link->row : link->col;
	int rows = turned ? t->cols : t->rows, cols = turned ? t->rows : t->cols;
	sw_arena_mark before = sw_arena_here(store->arena);
	double *mine = least_by_row(store, here, first.cost, first.count, rows);
	double *beside = least_by_row(store, there, second.cost, second.count, cols);
	double *told = take(store, cols, sizeof *told), *heard = take(store, rows, sizeof *heard);
	bool made = mine != NULL && beside != NULL && told != NULL && heard != NULL &&
		add_least(store, t, !turned, mine, told);

	for (int c = 0; made && c < cols; c++)
		beside[c] -= told[c] < INFINITY ? told[c] : 0;
	made = made && add_least(store, t, turned, beside, heard);
	for (int v = 0; made && v < first.count; v++)
		least[v] = (first.cost != NULL ? first.cost[v] : 0) + heard[here != NULL ? here[v] : v];
	sw_arena_back(store->arena, before);
	return made;
}

static int cheapest(const double *at, int count)
{
	int best = 0;

	for (int i = 1; i < count; i++)
		best = at[i] < at[best] ? i : best;
	return best;
}

/* The least to each column from rows that cost `at`, which is used up.  false: it was stopped. */
static bool lower_all(sw_costs_store *store, double *out, const sw_costs *t, double *at)
{
	bool on = true;

	for (int k = 0; t->detour == NULL && on && k < t->rows; k++)
		if (at[k] < INFINITY) {
			lower_row(out, t->at + (int64_t)k * t->cols, at[k], t->cols);
			on = sw_costs_looked(store, t->cols);
		}
	for (int k; t->detour != NULL && on && (k = cheapest(at, t->rows), at[k] < INFINITY);) {
		const double *detour = t->detour + (int64_t)k * t->rows;
		double cost = at[k];

		lower_row(out, t->at + (int64_t)k * t->cols, cost, t->cols);
		at[k] = INFINITY;
		for (int r = 0; r < t->rows; r++)
			at[r] = cost + detour[r] <= at[r] ? INFINITY : at[r];
		on = sw_costs_looked(store, 2 * (int64_t)t->rows + t->cols);
	}
	return on;
}

/* From the rows of `in` to the rows of `out`: of values that stand at both the least one counts. */
static void to_rows(const sw_link_costs *in, const double *own, int count, const sw_link_costs *out, int row,
	double *at)
{
	const double *from = in->costs->at + (int64_t)row * in->costs->cols;

	for (int r = 0; r < out->costs->rows; r++)
		at[r] = INFINITY;
	for (int v = 0; v < count; v++) {
		double cost = from[in->col != NULL ? in->col[v] : v] + (own != NULL ? own[v] : 0);
		double *there = &at[out->row != NULL ? out->row[v] : v];

		*there = cost < *there ? cost : *there;
	}
}

static const sw_link_costs *led_through(sw_costs_store *store, const sw_link_costs *in, const double *own, int count,
	const sw_link_costs *out)
{
	const sw_costs *t = out->costs;
	sw_link_costs *made = take(store, 1, sizeof *made);
	double *middle = take(store, t->rows, sizeof *middle);
	sw_costs *table;
	double *at = made == NULL || middle == NULL ? NULL : sw_costs_new(store, in->costs->rows, t->cols, &table);

	if (at == NULL)
		return NULL;
	for (int64_t i = 0; i < (int64_t)in->costs->rows * t->cols; i++)
		at[i] = INFINITY;
	for (int r = 0; r < in->costs->rows; r++) {
		to_rows(in, own, count, out, r, middle);
		if (!lower_all(store, at + (int64_t)r * t->cols, t, middle) || !sw_costs_looked(store, count + t->rows))
			return NULL;
	}
	table->detour = in->costs->detour;
	table->onward = t->onward;
	*made = (sw_link_costs){table, in->row, out->col};
	return made;
}

bool sw_costs_through(sw_costs_store *store, const sw_link_costs *in, const double *own, int count,
	const sw_link_costs *out, sw_link_costs *through)
{
	struct asked asked = {MADE_THROUGH, count, {in->costs, in->row, in->col, own, out->costs, out->row, out->col}};

	ONCE(store, &asked, through, led_through(store, in, own, count, out));
}
