/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cheapest choices, and the types of programs that follow from them: compared with trying everything.
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include <shardwalk/arena.h>
#include <shardwalk/assign.h>

#include "kit/draw.h"
#include "kit/kit.h"
#include "program/assign_net.h"
#include "program/minimum.h"
#include "program/narrow.h"

enum { MOST_CHOICES = 6, MOST_VALUES = 4, MOST_LINKS = 12 };

/* A drawn problem; values cost whole numbers. */
typedef struct drawn {
	sw_arena *arena;
	sw_costs_store store;
	sw_choice choice[MOST_CHOICES];
	sw_choice_link link[MOST_LINKS];
	sw_choices all;
} drawn;

static double draw_cost(draw *seed)
{
	return draw_below(seed, 8) == 0 ? INFINITY : (double)draw_below(seed, 20);
}

static sw_rows_of draw_rows(drawn *d, draw *seed, int values, int of)
{
	int32_t rows[MOST_VALUES];

	for (int v = 0; v < values; v++)
		rows[v] = draw_below(seed, of);
	return sw_costs_rows(&d->store, rows, values);
}

/* Some tables are ways between points, which have detours. */
static const sw_costs *draw_table(drawn *d, draw *seed)
{
	int size = 2 + draw_below(seed, 4);
	bool metric = draw_below(seed, 2) == 0;
	sw_costs *table;
	double *at = sw_costs_new(&d->store, size, size, &table);

	for (int i = 0; i < size * size; i++)
		at[i] = metric && i % (size + 1) == 0 ? 0 : draw_cost(seed);
	for (int k = 0; metric && k < size; k++)
		for (int i = 0; i < size; i++)
			for (int j = 0; j < size; j++)
				at[i * size + j] = fmin(at[i * size + j], at[i * size + k] + at[k * size + j]);
	table->detour = table->onward = metric ? at : NULL;
	return table;
}

static void draw_choices(drawn *d, draw *seed)
{
	int choices = 2 + draw_below(seed, MOST_CHOICES - 1), links = draw_below(seed, MOST_LINKS + 1);

	d->arena = sw_arena_new();
	assert_true(sw_costs_store_init(&d->store, d->arena, 0, NULL));
	for (int i = 0; i < choices; i++) {
		double own[MOST_VALUES];
		int count = 1 + draw_below(seed, MOST_VALUES);

		for (int v = 0; v < count; v++)
			own[v] = draw_cost(seed);
		d->choice[i] = (sw_choice){count, draw_below(seed, 2) == 0,
			draw_below(seed, 3) == 0 ? NULL : sw_costs_own(&d->store, own, count)};
	}
	for (int k = 0; k < links; k++) {
		int first = draw_below(seed, choices), second = (first + 1) % choices;
		const sw_costs *table = draw_table(d, seed);

		if (choices > 2 && draw_below(seed, 2) == 0)
			second = (first + 2) % choices;
		d->link[k] = (sw_choice_link){first, second,
			{table, draw_rows(d, seed, d->choice[first].count, table->rows),
				draw_rows(d, seed, d->choice[second].count, table->cols)}};
	}
	d->all = (sw_choices){choices, links, d->choice, d->link};
}

/* The least cost of all values, and of all that are not the same as `unlike`. */
static double try_all(const drawn *d, const int32_t *unlike)
{
	int32_t value[MOST_CHOICES] = {0};
	double best = INFINITY;

	for (int i = 0; i < d->all.count;) {
		double cost = sw_choices_cost(&d->all, value);

		if (cost < best && (unlike == NULL || memcmp(value, unlike, (size_t)d->all.count * sizeof *value) != 0))
			best = cost;
		for (i = 0; i < d->all.count && ++value[i] == d->choice[i].count; i++)
			value[i] = 0;
	}
	return best;
}

/* Is each solution that costs `most` or less still among the values that are left? */
static bool all_are_left(const drawn *d, const sw_narrowed *left, double most)
{
	int32_t value[MOST_CHOICES] = {0};
	bool all = true;

	for (int i = 0; i < d->all.count;) {
		bool kept = true;

		for (i = 0; i < d->all.count && kept; i++) {
			kept = false;
			for (int k = 0; k < left->choices.choice[i].count; k++)
				kept = kept || left->value[i][k] == value[i];
		}
		all = all && (kept || sw_choices_cost(&d->all, value) > most);
		for (i = 0; i < d->all.count && ++value[i] == d->choice[i].count; i++)
			value[i] = 0;
	}
	return all;
}

/* The first values of all that are left. */
static bool costs_are_left(const drawn *d, const sw_narrowed *left)
{
	int32_t value[MOST_CHOICES] = {0}, before[MOST_CHOICES];

	for (int i = 0; i < d->all.count; i++) {
		if (left->choices.choice[i].count == 0)
			return true;
		before[i] = left->value[i][0];
	}
	return sw_choices_cost(&left->choices, value) == sw_choices_cost(&d->all, before);
}

/* Some values leave, and none that a solution within the bound has. */
static void narrowed_choices_have_all_that_is_cheap(void **state)
{
	draw seed = draw_start("narrow");
	int values = 0, left_of_them = 0;

	(void)state;
	for (int n = 0; n < 3000; n++) {
		drawn d;
		sw_narrowed left;
		sw_elimination thin;
		const double *own[MOST_CHOICES];

		draw_choices(&d, &seed);
		double most = try_all(&d, NULL) + draw_below(&seed, 4);
		for (int i = 0; i < d.all.count; i++)
			own[i] = d.choice[i].own;
		assert_true(sw_eliminate(&d.all, d.link, own, true, &d.store, &thin));
		assert_true(sw_narrow(&d.all, &thin, most, &d.store, &left));
		assert_true(all_are_left(&d, &left, most) && costs_are_left(&d, &left));
		for (int i = 0; i < d.all.count; i++) {
			values += d.choice[i].count;
			left_of_them += left.choices.choice[i].count;
		}
		sw_costs_store_end(&d.store);
		sw_arena_free(d.arena);
	}
	print_message("%d of %d are left\n", left_of_them, values);
	assert_true(5 * left_of_them < 4 * values);
}

static bool same_values(void *context, const int32_t *a, const int32_t *b)
{
	const drawn *d = context;

	return memcmp(a, b, (size_t)d->all.count * sizeof *a) == 0;
}

static void drawn_choices_are_the_cheapest(void **state)
{
	draw seed = draw_start("assign");

	(void)state;
	for (int n = 0; n < 3000; n++) {
		drawn d;
		sw_minimum m;

		draw_choices(&d, &seed);
		sw_minimum_options options = {.same = same_values, .context = &d, .next = true};
		assert_true(sw_minimum_find(&d.all, &options, &d.store, &m));
		double best = try_all(&d, NULL);
		assert_true(m.proved);
		assert_int_equal(m.found, best < INFINITY);
		if (m.found) {
			double next = try_all(&d, m.value);

			assert_true(m.cost == best && sw_choices_cost(&d.all, m.value) == best && m.bound == best);
			assert_int_equal(m.has_next, next < INFINITY);
			assert_true(!m.has_next || (m.next_cost == next && sw_choices_cost(&d.all, m.next) == next));
		}
		sw_costs_store_end(&d.store);
		sw_arena_free(d.arena);
	}
}

/* ---- tables ---- */

/* Of a table that is its own detours one is made, and turned again it is the one that there was. */
static void a_table_is_turned_once(void **state)
{
	enum { SIZE = 100, FEW = 1024 };
	sw_arena *arena = sw_arena_new();
	sw_costs_store store;
	sw_costs *table;
	sw_link_costs link = {.row = NULL}, turned, back;

	(void)state;
	assert_true(sw_costs_store_init(&store, arena, 0, NULL));
	double *at = sw_costs_new(&store, SIZE, SIZE, &table);
	for (int k = 0; k < SIZE * SIZE; k++)
		at[k] = k % SIZE - k / SIZE >= 0 ? k % SIZE - k / SIZE : 1;
	table->detour = table->onward = at;
	link.costs = table;
	size_t before = sw_arena_used(arena);
	assert_true(sw_costs_turn(&store, &link, &turned) && sw_costs_turn(&store, &turned, &back));
	assert_true(sw_arena_used(arena) - before < SIZE * SIZE * sizeof *at + FEW);
	assert_true(back.costs == table && turned.costs->detour == turned.costs->at);
	assert_true(sw_link_cost(&turned, 7, 3) == sw_link_cost(&link, 3, 7));
	sw_costs_store_end(&store);
	sw_arena_free(arena);
}

/* ---- work that is ended ---- */

static bool a_few_times(void *context, const char *what, long long done, long long total)
{
	int *left = context;

	(void)what;
	(void)done;
	(void)total;
	return --*left > 0;
}

static void what_was_ended_tells_an_honest_bound(void **state)
{
	draw seed = draw_start("ended");
	int ended = 0;

	(void)state;
	for (int n = 0; n < 1000; n++) {
		int left = 1 + n % 7;
		sw_pulse pulse = {a_few_times, &left};
		sw_minimum_options options = {.judge = NULL};
		drawn d;
		sw_minimum m;

		draw_choices(&d, &seed);
		d.store.pulse = &pulse;
		assert_true(sw_minimum_find(&d.all, &options, &d.store, &m));
		double best = try_all(&d, NULL);
		assert_true(m.proved || m.bound <= best);
		assert_true(!m.found || (m.cost >= best && sw_choices_cost(&d.all, m.value) == m.cost));
		ended += !m.proved;
		sw_costs_store_end(&d.store);
		sw_arena_free(d.arena);
	}
	assert_true(ended > 20);
}

/* ---- programs on two devices ---- */

enum { TYPES = 4, MOST = 8 };

static const char *const texts[TYPES] = {"[4, 4]", "[2{x}4, 4]", "[4, 2{x}4]", "[4, 4]+{x}"};

/* What every assignment of two devices is made of: all types of [4, 4], and what leads from each to each. */
typedef struct world {
	sw_arena *arena;
	sw_mesh mesh;
	sw_type type[TYPES];
	double way[TYPES][TYPES];
	sw_equation equation;
} world;

static void world_begin(world *w)
{
	w->arena = sw_arena_new();
	assert_true(sw_mesh_parse(sw_str_of("{x: 2}"), &w->mesh, NULL));
	assert_true(sw_equation_parse(sw_str_of("ij,jk->ik"), &w->equation, NULL));
	for (int k = 0; k < TYPES; k++)
		assert_true(sw_type_parse(&w->mesh, sw_str_of(texts[k]), &w->type[k], NULL));
	for (int a = 0; a < TYPES; a++)
		for (int b = 0; b < TYPES; b++) {
			sw_problem problem = {.mesh = w->mesh, .from = w->type[a], .to = w->type[b], .to_order = NULL};
			sw_plan_options options = {.strategy = SW_FUSED, .budget = 16};
			sw_plan plan;

			assert_true(sw_plan_find(&problem, &options, w->arena, &plan, NULL));
			w->way[a][b] = (double)plan.cost;
		}
}

/* The type of an operation on two of them; -1: the rule forbids it. */
static int made_of(const world *w, sw_op op, int a, int b)
{
	bool sum_a = a == TYPES - 1, sum_b = b == TYPES - 1;
	sw_type out;

	switch (op) {
	case SW_RELU:
		return sum_a ? -1 : a;
	case SW_SCALE:
	case SW_REDISTRIBUTE:
		return a;
	case SW_ADD:
		return a == b ? a : -1;
	case SW_MUL: /* a sum times what does not use its axis */
		return a == b && !sum_a ? a : (sum_a && b == 0) || (sum_b && a == 0) ? TYPES - 1 : -1;
	default:
		if (!sw_product_local(&w->mesh, &w->equation, &w->type[a], &w->type[b], &out, NULL))
			return -1;
		for (int k = 0; k < TYPES; k++)
			if (sw_type_equal(&out, &w->type[k]))
				return k;
		return -1;
	}
}

static int type_of(const world *w, const sw_type *type)
{
	int k = 0;

	while (!sw_type_equal(type, &w->type[k]))
		k++;
	return k;
}

/* How each value is kept: its home, and a second type; -1: it has none. */
typedef struct keeping {
	int home[MOST], second[MOST];
} keeping;

static double begin(const world *w, const keeping *k, int v, int use)
{
	double home = w->way[k->home[v]][use];

	return k->second[v] < 0 ? home : fmin(home, w->way[k->second[v]][use]);
}

/* The least that a statement costs where values are kept so. */
static double statement_cost(const world *w, const sw_step *s, const keeping *kept, int result)
{
	bool two = s->operands > 1;
	double least = INFINITY;

	for (int u = 0; u < TYPES; u++)
		for (int v = 0; v < (two ? TYPES : 1); v++) {
			int made = made_of(w, s->op, u, v);

			if (made >= 0)
				least = fmin(least,
					begin(w, kept, s->operand[0], u) + (two ? begin(w, kept, s->operand[1], v) : 0) +
						w->way[made][result]);
		}
	return least;
}

static int uses_of(const sw_program *p, int v)
{
	int uses = p->returned == v;

	for (int s = 0; s < p->steps; s++)
		for (int k = 0; k < p->step[s].operands; k++)
			uses += p->step[s].operand[k] == v;
	return uses;
}

/* What it costs to keep a value so, beside its statement; INFINITY: it cannot be. */
static double keeping_cost(const world *w, const sw_program *p, int v, int home, int second)
{
	const sw_value *value = &p->value[v];
	bool input = v < p->inputs;
	double cost = 0;

	if (input && value->open && home == TYPES - 1)
		return INFINITY;
	if (!value->open && input)
		cost = uses_of(p, v) > 1 || home == type_of(w, value->type) ? w->way[type_of(w, value->type)][home] :
																	  INFINITY;
	else if (!value->open && home != type_of(w, value->type))
		return INFINITY;
	if (second >= 0)
		cost += uses_of(p, v) > 1 ? w->way[home][second] : INFINITY;
	return cost;
}

/* All ways to keep all values. */
typedef struct trying {
	const world *w;
	const sw_program *p;
	const int *unlike; /* homes of open values, of which one is to be another; NULL: any */
	keeping kept;
	double least;
} trying;

static bool is_unlike(const trying *t)
{
	for (int v = 0; t->unlike != NULL && v < t->p->values; v++)
		if (t->p->value[v].open && t->kept.home[v] != t->unlike[v])
			return true;
	return t->unlike == NULL;
}

static void try_value(trying *t, int v, double cost)
{
	const sw_program *p = t->p;

	if (v == p->values) {
		cost += p->result_open ? 0 : begin(t->w, &t->kept, p->returned, type_of(t->w, p->result));
		if (cost < t->least && is_unlike(t))
			t->least = cost;
		return;
	}
	for (int home = 0; home < TYPES; home++)
		for (int second = -1; second < TYPES; second++) {
			double more = keeping_cost(t->w, p, v, home, second);

			t->kept.home[v] = home;
			t->kept.second[v] = second;
			if (cost + more < t->least && v >= p->inputs)
				more += statement_cost(t->w, &p->step[v - p->inputs], &t->kept, home);
			if (cost + more < t->least)
				try_value(t, v + 1, cost + more);
		}
}

/* The least of all ways to keep values that cost less than `bound`, else that. */
static double every_assignment(const world *w, const sw_program *p, const int *unlike, double bound)
{
	trying t = {.w = w, .p = p, .unlike = unlike, .least = bound};

	try_value(&t, 0, 0);
	return t.least;
}

/* ---- the same within a bound of what is held ---- */

enum { MOST_LIVE = 128 };

/* Ways within each bound of the tiles before and after a step. */
static double within[MOST_LIVE][TYPES][TYPES];

static double size_of(const world *w, int type)
{
	return (double)sw_type_localsize(&w->type[type]);
}

static void fill_within(world *w)
{
	for (int k = 0; k < MOST_LIVE * TYPES * TYPES; k++) {
		int live = k / (TYPES * TYPES), a = k / TYPES % TYPES, b = k % TYPES;
		sw_problem problem = {.mesh = w->mesh, .from = w->type[a], .to = w->type[b], .to_order = NULL};
		sw_plan_options options = {.strategy = SW_FUSED, .budget = 16, .live_budget = live};
		sw_plan plan;

		if (a == b)
			within[live][a][b] = 0;
		else if (live > 0 && live < 33 && sw_plan_find(&problem, &options, w->arena, &plan, NULL))
			within[live][a][b] = (double)plan.cost;
		else
			within[live][a][b] = live < 33 ? INFINITY : w->way[a][b];
	}
}

static double way_within(double left, int a, int b)
{
	return left < 0 ? (a == b ? 0 : INFINITY) : within[left < MOST_LIVE ? (int)left : MOST_LIVE - 1][a][b];
}

static bool needed_after(const sw_program *p, int s, int v)
{
	bool needed = p->returned == v;

	for (int k = s + 1; k < p->steps; k++)
		for (int i = 0; i < p->step[k].operands; i++)
			needed = needed || p->step[k].operand[i] == v;
	return needed;
}

static double live_statement(const world *w, const sw_program *p, int s, const int *home, double live)
{
	const sw_step *t = &p->step[s];
	int x = t->operand[0], y = t->operands > 1 ? t->operand[1] : x;
	bool two = t->operands > 1, keeps_x = needed_after(p, s, x), keeps_y = needed_after(p, s, y);
	double beside = 0, least = INFINITY;

	for (int v = 0; v < p->inputs + s; v++)
		beside += needed_after(p, s, v) ? size_of(w, home[v]) : 0;
	double wait = y == x || keeps_y ? 0 : size_of(w, home[y]);
	if (beside + wait + (keeps_x ? 0 : size_of(w, home[x])) > live)
		return INFINITY;
	for (int a = 0; a < TYPES; a++)
		for (int b = 0; b < (two ? TYPES : 1); b++) {
			int made = made_of(w, t->op, a, b);
			double first = keeps_x && a == home[x] ? 0 : size_of(w, a);
			double second = !two || (x == y && a == b) || (keeps_y && b == home[y]) ? 0 : size_of(w, b);

			if (made < 0 || beside + first + second + size_of(w, made) > live)
				continue;
			least = fmin(least,
				way_within(live - beside - wait, home[x], a) +
					(two ? way_within(live - beside - first, home[y], b) : 0) +
					way_within(live - beside, made, home[p->inputs + s]));
		}
	return least;
}

static double live_cost(const world *w, const sw_program *p, const int *home, double live)
{
	double cost = p->result_open ? 0 : way_within(live, home[p->returned], type_of(w, p->result));

	for (int s = 0; s < p->steps; s++)
		cost += live_statement(w, p, s, home, live);
	return cost;
}

static double every_live(const world *w, const sw_program *p, double live)
{
	int home[MOST];
	double least = INFINITY;
	int v;

	for (v = 0; v < p->values; v++)
		home[v] = p->value[v].open ? 0 : type_of(w, p->value[v].type);
	do {
		least = fmin(least, live_cost(w, p, home, live));
		for (v = 0; v < p->values; v++)
			if (p->value[v].open && ++home[v] < TYPES - (v < p->inputs))
				break;
			else if (p->value[v].open)
				home[v] = 0;
	} while (v < p->values);
	return least;
}

/* `given`: some statements redistribute to a type that is given. */
static void draw_program(draw *seed, int most, bool given, sw_text *text)
{
	static const char *const ops[] = {"einsum \"ij,jk->ik\"", "relu", "scale", "add", "mul", "redistribute"};
	int inputs = 1 + draw_below(seed, 3), statements = 1 + draw_below(seed, most);

	sw_text_add(text, "mesh {x: 2}\nfn f(");
	for (int v = 0; v < inputs; v++)
		sw_text_addf(text, "%sv%d : %s", v > 0 ? ", " : "", v,
			draw_below(seed, 3) == 0 ? "?[4, 4]" : texts[draw_below(seed, TYPES)]);
	sw_text_addf(text, ") -> %s {\n", draw_below(seed, 4) == 0 ? "?" : texts[draw_below(seed, TYPES)]);
	for (int v = inputs; v < inputs + statements; v++) {
		int op = draw_below(seed, given && v + 1 < inputs + statements ? 6 : 5);

		sw_text_addf(text, "  v%d = %s v%d", v, ops[op], draw_below(seed, v));
		if (op != 1 && op != 2 && op != 5)
			sw_text_addf(text, " v%d", draw_below(seed, v));
		sw_text_addf(text, " as %s\n", op == 5 ? texts[draw_below(seed, TYPES)] : "?");
	}
	sw_text_addf(text, "  return v%d\n}\n", inputs + statements - 1);
}

/* What moves costs so much, also where the program is printed and read again. */
static void costs_what_moves(const world *w, const sw_program *program, double right, sw_arena *arena)
{
	sw_text text = {0};
	sw_program again;
	double cost[2] = {0, 0};

	sw_program_print(program, &text);
	assert_true(sw_program_parse(sw_str_of(sw_text_get(&text)), NULL, arena, &again, NULL));
	for (int n = 0; n < 2; n++) {
		const sw_program *p = n == 0 ? program : &again;

		for (int s = -1; (s = sw_program_next_move(p, s)) >= 0;)
			cost[n] += w->way[type_of(w, sw_program_from(p, s))][type_of(w, sw_program_to(p, s))];
	}
	if (cost[0] != right || cost[1] != right)
		fail_msg("%s\nmoves %g, %g instead of %g", sw_text_get(&text), cost[0], cost[1], right);
	sw_text_free(&text);
}

/* With little room what is told is still so. */
static void is_honest_with_little_memory(const sw_program *program, double least, int64_t memory, int *cut)
{
	sw_arena *arena = sw_arena_new();
	sw_assign_options options = {.memory = memory};
	sw_program assigned;
	sw_assignment out;
	sw_diag diag;

	if (!sw_assign(program, &options, arena, &assigned, &out, &diag)) {
		assert_int_equal(diag.code, SW_S08);
	} else {
		assert_true(out.bound <= least);
		assert_true(!out.found || out.cost >= least);
		assert_true(!out.proved || out.cost == least);
		*cut += out.found && !out.proved && out.bound > 0;
	}
	sw_arena_free(arena);
}

static void compare_with_every_assignment(const world *w, sw_str text, int *cut)
{
	sw_arena *arena = sw_arena_new();
	sw_assign_options options = {.machine = NULL};
	sw_program program, assigned;
	sw_assignment out;
	int home[MOST];
	sw_diag diag;

	if (!sw_program_parse(text, NULL, arena, &program, &diag))
		fail_msg("%.*s%s", (int)text.length, text.at, diag.message);
	assert_true(sw_assign(&program, &options, arena, &assigned, &out, &diag));
	assert_true(out.found && out.proved && out.cost == out.bound);
	double least = every_assignment(w, &program, NULL, out.cost);
	if (out.cost != least)
		fail_msg("%.*scosts %g, not %g", (int)text.length, text.at, out.cost, least);
	for (int v = 0; v < program.values; v++)
		home[v] = type_of(w, out.home[v]);
	if (out.has_next)
		assert_true(out.next_cost >= every_assignment(w, &program, home, out.next_cost + 1));
	costs_what_moves(w, &assigned, out.cost, arena);
	for (int64_t memory = 1024; memory < 65536; memory += memory / 2)
		is_honest_with_little_memory(&program, least, memory, cut);
	for (int k = 0; k < out.moves; k++)
		assert_true(uses_of(&assigned, out.move[k].made) > 0);
	sw_arena_free(arena);
}

/* And one element less admits nothing where the smallest bound is told. */
static void compare_within(const world *w, sw_str text, int live)
{
	sw_arena *arena = sw_arena_new();
	sw_assign_options options = {.live = live};
	sw_program program, assigned;
	sw_assignment out;

	assert_true(sw_program_parse(text, NULL, arena, &program, NULL));
	assert_true(sw_assign(&program, &options, arena, &assigned, &out, NULL));
	assert_true(out.proved);
	double least = every_live(w, &program, live);
	if ((out.found ? out.cost : INFINITY) != least)
		fail_msg("%.*scosts %g within %d, not %g", (int)text.length, text.at, out.found ? out.cost : INFINITY, live,
			least);
	if (!out.found && out.smallest > 0) {
		assert_true(every_live(w, &program, (double)out.smallest) < INFINITY);
		assert_true(every_live(w, &program, (double)out.smallest - 1) == INFINITY);
	}
	sw_arena_free(arena);
}

static void drawn_programs_keep_below_a_bound(void **state)
{
	draw seed = draw_start("live");
	world w;

	(void)state;
	world_begin(&w);
	fill_within(&w);
	int most = getenv("VERIFY") ? 150 : 60;

	for (int n = 0; n < most; n++) {
		sw_text text = {0};

		draw_program(&seed, 4, false, &text);
		compare_within(&w, sw_str_of(sw_text_get(&text)), 16 + 4 * draw_below(&seed, 16));
		sw_text_free(&text);
	}
	sw_arena_free(w.arena);
}

/* The first operand of the sum may be used as it lies, in types that are no smaller than the one that was chosen. */
static void a_branch_on_forms_has_two_sides(void **state)
{
	world w;

	(void)state;
	world_begin(&w);
	fill_within(&w);
	compare_within(&w,
		sw_str_of(
			"mesh {x: 2}\nfn f(v0 : ?[4, 4], v1 : [4, 4]) -> [4, 4] {\n  v2 = relu v1 as ?\n  v3 = mul v2 v2 as ?\n"
			"  v4 = add v3 v0 as ?\n  v5 = scale v2 as ?\n  return v5\n}\n"),
		28);
	sw_arena_free(w.arena);
}

/* 120; with VERIFY=full 250. */
static void drawn_programs_cost_what_every_assignment_says(void **state)
{
	draw seed = draw_start("assign");
	int cut = 0, most = getenv("VERIFY") ? 250 : 120;
	world w;

	(void)state;
	world_begin(&w);
	for (int n = 0; n < most; n++) {
		sw_text text = {0};

		draw_program(&seed, 5, true, &text);
		compare_with_every_assignment(&w, sw_str_of(sw_text_get(&text)), &cut);
		sw_text_free(&text);
	}
	assert_true(cut > 0);
	sw_arena_free(w.arena);
}

/* ---- long programs ---- */

enum { LONG = 16384 };

static void draw_chain(int length, sw_text *text)
{
	sw_text_add(text, "mesh {x: 2, y: 2}\nfn f(a : [64, 16{x}32]) -> [64, 16{x}32] {\n  v0 = relu a as ?\n");
	for (int v = 1; v < length; v++)
		sw_text_addf(text, "  v%d = relu v%d as ?\n", v, v - 1);
	sw_text_addf(text, "  return v%d\n}\n", length - 1);
}

struct asked {
	int times, stop_at; /* 0: never */
};

static bool ask(void *context, const char *what, long long done, long long total)
{
	struct asked *asked = context;

	(void)what;
	(void)done;
	(void)total;
	return ++asked->times != asked->stop_at;
}

/* Reading asks as well, and ends at the statement that comes next. */
static void read_asking(sw_str text, sw_arena *arena, sw_program *program)
{
	struct asked never = {.stop_at = 0}, third = {.stop_at = 3};
	sw_pulse asks = {ask, &never}, ends = {ask, &third};
	sw_diag diag;

	assert_false(sw_program_parse(text, &ends, arena, program, &diag));
	assert_int_equal(diag.code, SW_S03);
	assert_true(third.times == 3 && diag.at.begin > 0 && diag.at.end < text.length && diag.rule == NULL);
	assert_true(sw_program_parse(text, &asks, arena, program, NULL));
	assert_int_equal(never.times, LONG / 1024);
}

/* Statements that are alike share their tables, but not the questions whether work may go on; and it ends where it is told. */
static void long_programs_ask_whether_they_may_go_on(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	sw_program program;

	(void)state;
	draw_chain(LONG, &text);
	read_asking(sw_str_of(sw_text_get(&text)), arena, &program);
	int total = 1;
	for (int stop_at = 0; stop_at < total; stop_at += 23) {
		struct asked asked = {.stop_at = stop_at};
		sw_pulse pulse = {ask, &asked};
		sw_assign_options options = {.pulse = &pulse};
		sw_program assigned;
		sw_assignment out;
		sw_diag diag;
		bool ok = sw_assign(&program, &options, arena, &assigned, &out, &diag);

		if (stop_at == 0)
			assert_true(ok && out.found && out.proved && (total = asked.times) >= 6 * LONG / 1024);
		else
			assert_true(asked.times == stop_at && (ok || diag.code == SW_S03));
	}
	sw_text_free(&text);
	sw_arena_free(arena);
}

/* Where filling in takes long, what was found before the end is given up. */
static void very_long_programs_are_not_filled_in_after_their_end(void **state)
{
	enum { LONGER = 40000, TURNS = 8 };
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	sw_program program;
	int total = 0;

	(void)state;
	draw_chain(LONGER, &text);
	assert_true(sw_program_parse(sw_str_of(sw_text_get(&text)), NULL, arena, &program, NULL));
	for (int turn = 0; turn < TURNS; turn++) {
		struct asked asked = {.stop_at = total * turn / TURNS};
		sw_pulse pulse = {ask, &asked};
		sw_assign_options options = {.pulse = &pulse};
		sw_program assigned;
		sw_assignment out;
		bool found = sw_assign(&program, &options, arena, &assigned, &out, NULL) && out.found;

		total = turn == 0 ? asked.times : total;
		assert_true(found == (turn == 0));
		assert_true(turn == 0 || asked.times <= asked.stop_at + 1);
	}
	sw_text_free(&text);
	sw_arena_free(arena);
}

/* What is read and what is assigned take some 770 bytes a statement, and not types of their own. */
static void statements_that_are_alike_share_their_types(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_assign_options options = {.machine = NULL};
	sw_text text = {0};
	sw_program program, assigned;
	sw_assignment out;

	(void)state;
	draw_chain(LONG, &text);
	assert_true(sw_program_parse(sw_str_of(sw_text_get(&text)), NULL, arena, &program, NULL));
	assert_true(sw_assign(&program, &options, arena, &assigned, &out, NULL));
	assert_ptr_equal(assigned.value[assigned.values - 2].type, assigned.value[2].type);
	assert_true(sw_arena_bytes(arena) < (size_t)LONG * 3000);
	sw_text_free(&text);
	sw_arena_free(arena);
}

/* ---- what tables take ---- */

/* All that is made for a search counts against its bound; values and statements themselves do not. */
static void tables_keep_within_their_bound(void **state)
{
	enum { AROUND = 1 << 18 };
	sw_arena *arena = sw_arena_new();
	sw_program program;
	int full = 0;

	(void)state;
	assert_true(
		sw_program_parse(sw_str_of(
							 "mesh {x: 6, y: 4} fn f(a : [12{x}72, 48], b : ?[48, 96], c : [96, 12{y}48]) -> ? {\n"
							 "  t = einsum \"ij,jk->ik\" a b as ?\n  u = einsum \"ij,jk->ik\" t c as ?\n"
							 "  v = add u a as ?\n  return v\n}\n"),
			NULL, arena, &program, NULL));
	for (int64_t memory = (int64_t)1 << 18; memory <= (int64_t)1 << 29; memory *= 2) {
		sw_arena *tables = sw_arena_new();
		sw_assign_options options = {.memory = memory};
		sw_minimum minimum;
		sw_net net;
		sw_diag diag;

		if (sw_net_init(&net, &program, &options, SW_NET_ALL, tables, &diag))
			assert_true(sw_minimum_find(&net.choices, &(sw_minimum_options){.judge = NULL}, &net.store, &minimum));
		full += net.store.failure == SW_COSTS_FULL;
		assert_true(sw_arena_used(tables) <= (size_t)memory + AROUND);
		sw_net_end(&net);
		sw_arena_free(tables);
	}
	assert_true(full > 0 && full < 11);
	sw_arena_free(arena);
}

/* One weight for all products: each step makes tables like no others. */
static void draw_products(int length, sw_text *text)
{
	sw_text_add(text, "mesh {x: 2, y: 2}\nfn f(v0 : [64, 16{x}32], w : [32, 16{y}32]) -> ? {\n");
	for (int v = 1; v <= length; v++)
		sw_text_addf(text, "  v%d = einsum \"ij,jk->ik\" v%d w as ?\n", v, v - 1);
	sw_text_addf(text, "  return v%d\n}\n", length);
}

/* After the tables were full all room may be taken; from then on it ends at the next question. */
struct past_full {
	const sw_costs_store *store;
	int64_t memory;
	int times;
	bool ends, searches;
};

static bool ask_past_full(void *context, const char *what, long long done, long long total)
{
	struct past_full *asked = context;

	(void)what;
	(void)done;
	(void)total;
	if (!asked->searches || asked->store->most < asked->memory)
		return true;
	asked->times++;
	return !asked->ends;
}

/* Where tables are full values are guessed without them, which asks whether it may go on. */
static void what_is_guessed_past_full_tables_can_be_ended(void **state)
{
	enum { PRODUCTS = 2000 };
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	sw_program program;

	(void)state;
	draw_products(PRODUCTS, &text);
	assert_true(sw_program_parse(sw_str_of(sw_text_get(&text)), NULL, arena, &program, NULL));
	for (int ends = 0; ends < 2; ends++) {
		sw_arena *tables = sw_arena_new();
		sw_net net;
		struct past_full asked = {&net.store, (int64_t)32 << 20, 0, ends != 0, false};
		sw_pulse pulse = {ask_past_full, &asked};
		sw_assign_options options = {.memory = asked.memory, .pulse = &pulse};
		sw_minimum minimum;

		assert_true(sw_net_init(&net, &program, &options, SW_NET_ALL, tables, NULL));
		asked.searches = true;
		assert_true(sw_minimum_find(&net.choices, &(sw_minimum_options){.judge = NULL}, &net.store, &minimum));
		assert_true(minimum.found && !minimum.proved && minimum.bound <= minimum.cost);
		assert_true(ends != 0 ? asked.times == 1 : asked.times > 1);
		assert_int_equal(net.store.failure, ends != 0 ? SW_COSTS_STOPPED : SW_COSTS_FULL);
		sw_net_end(&net);
		sw_arena_free(tables);
	}
	sw_text_free(&text);
	sw_arena_free(arena);
}

/* The longest that a processor worked between two questions. */
struct patience {
	double begun, last, longest;
};

static double worked(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool ask_often(void *context, const char *what, long long done, long long total)
{
	struct patience *patience = context;
	double now = worked();

	(void)what;
	(void)done;
	(void)total;
	patience->longest = fmax(patience->longest, now - patience->last);
	patience->last = now;
	return true;
}

/* On five axes a shape has thousands of types: what is no use is left out, and a signal is heard everywhere. */
static void five_axes_are_answered(void **state)
{
	static const struct {
		const char *text;
		int64_t cost;
		bool proved, wide; /* it takes seconds, and is tried with VERIFY=full */
	} cases[] = {
		{"fn f(x : [64{a}128, 64{b}128], w : [128, 64{c}128], v : ?[128, 128]) -> [128, 128] {"
		 "t = einsum \"ij,jk->ik\" x w as ? u = relu t as ? s = einsum \"ij,jk->ik\" u v as ? r = add s x as ? return r }",
			17920, true, true},
		{"fn f(x : ?[128, 128, 128], w : ?[128, 128, 128]) -> [128, 128, 64{a}128] {"
		 "t = add x w as ? u = relu t as ? q = exp u as ? r = add q x as ? return r }",
			0, true, true},
		{"fn f(x : [64{a}128, 128, 128], w : [128, 64{b}128, 128]) -> [64{a}128, 128, 128] {"
		 "t = add x w as ? u = exp t as ? return u }",
			1 << 20, false, false},
		{"fn f(x : [64{a}128, 64{b}128], u : ?[128, 128], w : ?[128, 128], v : ?[128, 128]) -> [128, 128] {"
		 "q = einsum \"bd,df->bf\" x u as ? k = einsum \"bd,df->bf\" x w as ? h = einsum \"bd,df->bf\" x v as ?"
		 "m = mul q k as ? n = mul m h as ? return n }",
			16384, true, true},
	};

	(void)state;
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		if (cases[n].wide && !getenv("VERIFY"))
			continue;
		sw_arena *arena = sw_arena_new();
		sw_text text = {0};
		sw_program program, assigned;
		sw_assignment found;
		double begun = worked();
		struct patience patience = {begun, begun, 0};
		sw_pulse pulse = {ask_often, &patience};
		sw_assign_options options = {.memory = (int64_t)512 << 20, .pulse = &pulse};

		sw_text_addf(&text, "mesh {a: 2, b: 2, c: 2, d: 2, e: 2} %s", cases[n].text);
		assert_true(sw_program_parse(sw_str_of(sw_text_get(&text)), NULL, arena, &program, NULL));
		assert_true(sw_assign(&program, &options, arena, &assigned, &found, NULL));
		ask_often(&patience, NULL, 0, 0);
		assert_true(found.found);
		assert_int_equal(found.proved, cases[n].proved);
		assert_int_equal(found.cost, cases[n].cost);
		print_message("program %zu: the longest silence took %.3f of %.3f s\n", n, patience.longest,
			patience.last - patience.begun);
		assert_true(patience.longest < (patience.last - patience.begun) / 4);
		sw_text_free(&text);
		sw_arena_free(arena);
	}
}

/* The smallest bound is looked for in tables that end with it. */
static void the_smallest_bound_leaves_no_tables_behind(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_assign_options options = {.budget = 1};
	sw_program program, assigned;
	sw_assignment out;

	(void)state;
	assert_true(sw_program_parse(sw_str_of("mesh {x: 4, y: 2} fn f(a : [8{x}32, 32], b : ?[32, 32]) -> ? {\n"
										   "  t = einsum \"ij,jk->ik\" a b as ?\n  return t\n}\n"),
		NULL, arena, &program, NULL));
	assert_true(sw_assign(&program, &options, arena, &assigned, &out, NULL));
	assert_true(!out.found && out.proved && out.smallest > 0);
	assert_true(sw_arena_used(arena) < (size_t)1 << 16);
	sw_arena_free(arena);
}

/* ---- what has its types already ---- */

/* A home that is given, and returned in another type: what that costs is counted, whether the value is used elsewhere or not. */
static void a_return_elsewhere_costs_what_it_moves(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_assign_options options = {.machine = NULL};
	sw_program program, assigned;
	sw_assignment out;
	sw_type whole;

	(void)state;
	assert_true(sw_program_parse(sw_str_of("mesh {x: 2}\nfn f(a : [64, 16{x}32]) -> ? {\n"
										   "  v = relu a as [64, 16{x}32]\n  return v\n}\n"),
		NULL, arena, &program, NULL));
	assert_true(sw_type_parse(&program.mesh, sw_str_of("[64, 32]"), &whole, NULL));
	program.result = &whole;
	program.result_open = false;
	for (int turn = 0; turn < 2; turn++) {
		assert_true(sw_assign(&program, &options, arena, &assigned, &out, NULL));
		assert_true(out.found && out.proved);
		assert_int_equal((int64_t)out.cost, 64 * 32);
		program = assigned;
	}
	sw_arena_free(arena);
}

/* ---- what 64 bits do not count ---- */

/* Operations of a product of whole arrays, and bytes of values that are added up. */
static void what_does_not_fit_64_bits_is_refused(void **state)
{
	static const struct {
		const char *text;
		sw_assign_options options;
	} rows[] = {
		{"mesh {x: 2} fn main(a : [1000000{x}2000000, 2000000], b : [2000000, 2000000]) -> [2000000, 2000000] "
		 "{ c = einsum \"ij,jk->ik\" a b as ? return c }",
			{.budget = 0}},
		{"mesh {x: 2} fn main(a : f32[2305843009213693952]) -> f32[2305843009213693952] { c = neg a as ? return c }",
			{.budget = 1000, .bytes = true}},
		{"mesh {x: 2} fn main(a : [2305843009213693952]) -> [2305843009213693952] { c = neg a as ? return c }",
			{.live = 1000}},
	};

	(void)state;
	for (size_t k = 0; k < COUNT(rows); k++) {
		sw_arena *arena = sw_arena_new();
		sw_program program, assigned;
		sw_assignment out;
		sw_diag diag;

		assert_true(sw_program_parse(sw_str_of(rows[k].text), NULL, arena, &program, &diag));
		assert_false(sw_assign(&program, &rows[k].options, arena, &assigned, &out, &diag));
		assert_int_equal(diag.code, SW_S09);
		sw_arena_free(arena);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(drawn_choices_are_the_cheapest),
		TEST(narrowed_choices_have_all_that_is_cheap),
		TEST(a_table_is_turned_once),
		TEST(what_was_ended_tells_an_honest_bound),
		TEST(drawn_programs_cost_what_every_assignment_says),
		TEST(drawn_programs_keep_below_a_bound),
		TEST(a_branch_on_forms_has_two_sides),
		TEST(long_programs_ask_whether_they_may_go_on),
		TEST(very_long_programs_are_not_filled_in_after_their_end),
		TEST(statements_that_are_alike_share_their_types),
		TEST(tables_keep_within_their_bound),
		TEST(what_is_guessed_past_full_tables_can_be_ended),
		TEST(five_axes_are_answered),
		TEST(the_smallest_bound_leaves_no_tables_behind),
		TEST(a_return_elsewhere_costs_what_it_moves),
		TEST(what_does_not_fit_64_bits_is_refused),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
