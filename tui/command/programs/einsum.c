/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands einsum and ways: a product of two sharded arrays, the case that it is, and every way with its price.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <shardwalk/number.h>

#include "answer/order.h"
#include "answer/watch.h"
#include "command/plan.h"
#include "command/programs/product.h"
#include "command/programs/product_ways.h"
#include "command/placement/reduction.h"
#include "command/programs/vary.h"
#include "session/machine.h"
#include "session/present.h"
#include "views/draw.h"

enum { ROWS_USUAL = 12, ROWS_KEPT = 300, ROWS_BESIDE = 10, TURNS_TOLD = 3, RESULTS_USUAL = 20 };

/* What is asked, and found. */
struct einsum {
	struct invocation *run;
	sw_product product;
	sw_ways_options options;
	const struct word *chosen; /* the number of a way, which becomes the present program; NULL: none */
	int64_t shown;
	sw_ways ways;
	const sw_xla_product *xla; /* what XLA likely does; NULL: not known */
	int64_t xla_way;           /* from 0; -1: none of these */
};

/* ---- options ---- */

static const struct choice_row ways_orders[] = {
#define X(id, name, about) {name, about},
	SW_WAYS_ORDERS(X)
#undef X
};

CHOICES(ways_order_choice, (int)(sizeof(ways_orders) / sizeof(*ways_orders)), ways_orders[n].name,
	ways_orders[n].about)

/* What counts; a column of the table orders what was found. */
static bool read_order(struct einsum *e, sw_diag *diag)
{
	bool timed = e->options.machine != NULL;
	int order = (int)product_ways_order(e->options.machine);
	const struct word *by = option_given(e->run, OPTION_BY);

	for (int n = 0; by != NULL && ways_order_choice(n).name != NULL; n++)
		order = sw_str_is(by->text, ways_order_choice(n).name) ? n : order;
	e->options.by = (sw_ways_order)order;
	if (timed || order == SW_WAYS_BY_COST || order == SW_WAYS_BY_MEMORY)
		return true;
	sw_diag_set(diag, SW_S11, (sw_span){0, 0}, "a model that counts elements has no seconds");
	sw_diag_hint(diag, "`model calibrated`, or `model roofline` with `hardware v5p` or another row of `hardware`");
	return refuse_at(e->run, option_given(e->run, OPTION_BY)->raw, diag);
}

static bool read_options(struct einsum *e, sw_diag *diag)
{
	struct plan_request asked;
	sw_problem sizes = {.mesh = e->product.mesh, .from = e->product.a, .to = e->product.a};

	if (!plan_request_read(e->run, NULL, &asked, diag) || !size_elements(&asked.live, &sizes, &e->options.live, diag))
		return false;
	if (!product_machine(&asked, &e->product.mesh, &e->options.machine, diag))
		return false;
	if (e->options.machine == NULL && asked.model != SW_MODEL_PAPER)
		answer_remark(e->run->session, "ways count elements by the model paper: this is paper");
	product_ways_bounds(e->run->session, &e->options);
	return read_order(e, diag);
}

/* ---- what it is ---- */

/* What comes of multiplying where tiles lie. */
static void add_local(const sw_product *p, sw_text *out)
{
	sw_type local;
	sw_diag diag;

	if (!sw_product_local(&p->mesh, &p->equation, &p->a, &p->b, &local, &diag)) {
		sw_text_addf(out, "; they do not multiply in place (%s)", diag.rule);
		return;
	}
	sw_text_add(out, "; in place they multiply into ");
	sw_type_print(&p->mesh, &local, false, out);
}

/* A line for each case, with what makes it occur; the last one tells what comes of it. */
static void add_cases(const struct einsum *e)
{
	static const int order[] = {1, 2, 3, 4, 0};
	const sw_product *p = &e->product;
	unsigned left = sw_product_cases(&p->mesh, &p->equation, &p->a, &p->b);

	for (int k = 0; k < 5; k++) {
		sw_text out = {0};

		if ((left >> order[k] & 1) == 0)
			continue;
		left &= ~(1u << order[k]);
		if (order[k] > 0)
			sw_text_addf(&out, "case %d: ", order[k]);
		sw_product_tell(&p->mesh, &p->equation, &p->a, &p->b, order[k], &out);
		if (left == 0)
			add_local(p, &out);
		document_say(e->run->answer, 0, "%s", sw_text_get(&out));
		sw_text_free(&out);
	}
}

/* ---- ways ---- */

static bool list_ways(const struct einsum *e, struct fields *out, sw_diag *diag)
{
	struct document *answer = e->run->answer;
	struct rows rows = product_ways_rows(&e->ways, e->ways.count,
		WAYS_LISTED | (e->options.live > 0 ? WAYS_BOUNDED : 0));

	rows.most = e->shown;
	field_int(out, "count", e->ways.priced);
	field_bool(out, "complete", e->ways.complete);
	if (!rows_answer(&rows, answer, out, "ways", diag))
		return false;
	document_say(answer, 0, "cost and memory: elements of a device; flops: its operations");
	if (e->shown < e->ways.priced)
		document_say(answer, 0, "%lld of %lld ways; --limit N shows N of them", (long long)e->shown,
			(long long)e->ways.priced);
	if (!e->ways.complete)
		document_say(answer, 0, "incomplete: the setting `plan_memory` holds the first %lld of them by %s",
			(long long)e->ways.count, sw_ways_order_name(e->options.by));
	return true;
}

/* ---- what is proved ---- */

/* What an allreduce of the product where the operands lie would cost; 0: it is no sum, or `as` keeps it. */
static double plain_allreduce(const sw_product *p)
{
	sw_type local;

	if (!p->wanted || !sw_product_local(&p->mesh, &p->equation, &p->a, &p->b, &local, NULL) ||
		sw_type_terms(&local) == 1 || sw_type_terms(&p->as) > 1)
		return 0;
	return (double)sw_paper_cost(SW_ALLREDUCE, sw_type_localsize(&local), sw_type_localsize(&local));
}

/* The way that XLA likely takes, from 0; -1: none of these. */
static int64_t way_of(const struct einsum *e, const sw_xla_product *xla)
{
	sw_type types[3];

	for (int64_t n = 0; n < e->ways.count; n++) {
		sw_ways_types(&e->ways, &e->ways.way[n], types);
		if (sw_type_same_map(&e->product.mesh, &types[0], &xla->stop[0][xla->stops[0] - 1]) &&
			sw_type_same_map(&e->product.mesh, &types[1], &xla->stop[1][xla->stops[1] - 1]))
			return n;
	}
	return -1;
}

static void find_xla(struct einsum *e)
{
	sw_xla_product *xla = SW_NEW_ZERO(e->run->arena, sw_xla_product, 1);
	bool found = xla != NULL && e->product.wanted &&
		sw_xla_product_find(&e->product, e->options.machine, e->run->arena, xla, NULL);

	e->xla = found ? xla : NULL;
	e->xla_way = found ? way_of(e, xla) : -1;
}

static void add_xla(const struct einsum *e)
{
	const sw_xla_product *xla = e->xla;
	sw_text text = {0};

	if (xla == NULL)
		return;
	if (e->xla_way >= 0)
		sw_text_addf(&text, "XLA likely takes way %lld", (long long)e->xla_way + 1);
	else
		sw_text_addf(&text, "XLA likely takes a way %s", e->ways.complete ? "of its own" : "that is not listed");
	sw_text_addf(&text, ": %lld", (long long)xla->cost);
	if (e->xla_way >= 0 && e->ways.way[e->xla_way].cost != (double)xla->cost)
		sw_text_addf(&text, " by moves of its own, while the way costs %.0f", e->ways.way[e->xla_way].cost);
	if (xla->seconds >= 0)
		sw_text_addf(&text, ", %s of communication", words_seconds(xla->seconds).text);
	sw_text_addf(&text, "; right for %d of %d recorded products", SW_XLA_RIGHT, SW_XLA_RECORDED);
	if ((double)xla->cost > e->ways.least)
		sw_text_add(&text, "; `advise` says how to get another");
	document_say(e->run->answer, 0, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

static void xla_fields(const struct einsum *e, struct fields *out)
{
	const sw_xla_product *xla = e->xla;

	if (xla == NULL) {
		field_null(out, "xla");
		return;
	}
	struct fields *in = field_object(out, "xla");
	field_int(in, "right", SW_XLA_RIGHT);
	field_int(in, "recorded", SW_XLA_RECORDED);
	field_int(in, "cost", xla->cost);
	field_int(in, "flops", xla->flops);
	field_count(in, "way", e->xla_way < 0 ? -1 : e->xla_way + 1);
	if (xla->seconds >= 0)
		field_number(in, "comm_seconds", xla->seconds);
}

static void add_least(const struct einsum *e)
{
	const sw_ways *ways = &e->ways;
	const char *proved = ways->proved ? "proved: " : "for axes cut in one order: ";

	if (ways->fitting == 0) {
		document_say(e->run->answer, 0,
			"no way fits into %lld elements; the smallest limit that admits one: "
			"%lld",
			(long long)e->options.live, (long long)ways->admits);
		return;
	}
	if (!ways->timed) {
		document_say(e->run->answer, 0, "%sno way costs less than %.0f", proved, ways->least);
	} else if (!sw_ways_turns(ways)) {
		document_say(e->run->answer, 0, "by steps over whole axes, no way takes less than %s",
			words_seconds(ways->least_sum).text);
	} else {
		document_say(e->run->answer, 0,
			"%sno way takes less than %s if communication and product take turns, or %s if they "
			"overlap",
			proved, words_seconds(ways->least_sum).text, words_seconds(ways->least_overlap).text);
	}
	add_xla(e);
	double plain = plain_allreduce(&e->product);
	if (plain > ways->least)
		document_say(e->run->answer, 0, "a plain allreduce of the product in place would cost %.0f", plain);
}

/* ---- where times turn ---- */

static int letters_of(const sw_equation *e, char letters[2 * SW_MAX_DIMS])
{
	int n = 0;

	for (int side = 0; side < 2; side++)
		for (int i = 0; i < e->rank[side]; i++)
			if (side == 0 || sw_equation_find(e, SW_EQUATION_A, e->letter[side][i]) < 0)
				letters[n++] = e->letter[side][i];
	return n;
}

/* "d = 20400", or "d between 26266 and 26267": a letter has a whole number of indices. */
static void add_size(sw_text *text, char letter, double size)
{
	double whole = round(size);
	sw_text_add(text, text->length > 0 ? ", " : "");
	if (fabs(size - whole) <= 1e-9 * size)
		sw_text_addf(text, "%c = %.0f", letter, whole);
	else
		sw_text_addf(text, "%c between %.0f and %.0f", letter, floor(size), ceil(size));
}

/* "d = 20400; at no size of b, f" */
static bool add_turn(const struct einsum *e, int64_t n, sw_diag *diag)
{
	char letters[2 * SW_MAX_DIMS];
	int count = letters_of(&e->product.equation, letters);
	sw_text at = {0}, never = {0}, other = {0};
	bool ok = true;

	for (int k = 0; k < count && ok; k++) {
		sw_turn turn;
		double size;
		sw_text *into = &never;

		ok = sw_ways_turn(&e->ways, &e->ways.way[n], letters[k], &turn, &size, diag);
		if (ok && turn == SW_TURN_AT) {
			add_size(&at, letters[k], size);
			continue;
		}
		into = turn == SW_TURN_OTHER ? &other : &never;
		sw_text_addf(into, "%s%c", into->length > 0 ? ", " : "", letters[k]);
	}
	if (ok) {
		document_say(e->run->answer, 0, "%lld: both take equally long %s%s%s%s%s%s", (long long)n + 1,
			at.length > 0 ? "at " : "", sw_text_get(&at),
			never.length > 0 ? (at.length > 0 ? "; at no size of " : "at no size of ") : "", sw_text_get(&never),
			other.length > 0 ? "; the best plan changes on the way for " : "", sw_text_get(&other));
	}
	sw_text_free(&at);
	sw_text_free(&never);
	sw_text_free(&other);
	return ok;
}

static bool add_turns(const struct einsum *e, sw_diag *diag)
{
	for (int64_t n = 0; sw_ways_turns(&e->ways) && n < e->shown && n < TURNS_TOLD; n++)
		if (!add_turn(e, n, diag))
			return false;
	return true;
}

/* ---- what is proved, for programs ---- */

static void add_proved(const struct einsum *e, struct fields *out)
{
	bool fits = e->ways.fitting > 0;

	field_bool(out, "proved", e->ways.proved);
	if (fits)
		field_number(out, "cost", e->ways.least);
	else
		field_null(out, "cost");
	if (e->options.live > 0)
		field_count(out, "admits", fits ? -1 : e->ways.admits);
	if (e->ways.timed && fits) {
		field_number(out, "least_sum_seconds", e->ways.least_sum);
		field_number(out, "least_overlap_seconds", e->ways.least_overlap);
	}
}

/* ---- without a wanted type ---- */

enum { RESULTS_TIMED = 1 };

static const struct row_column result_columns[] = {
	ROW_AT("type", "result", TYPE, sw_ways_result, type, .place = 1),
	ROW_AT("seconds", "price", SECONDS, sw_ways_result, cost, .when = RESULTS_TIMED),
	ROW_AT("cost", "price", NUMBER, sw_ways_result, cost, .unless = RESULTS_TIMED),
};

static bool list_results(const struct einsum *e, const sw_ways_result *results, int64_t shown, int64_t count,
	sw_diag *diag)
{
	struct document *answer = e->run->answer;
	struct fields *out = document_fields(answer, "shardwalk.results/1");
	const struct rows rows = ROWS_OF(result_columns, results, shown, .mesh = &e->product.mesh,
		.is = e->options.machine != NULL ? RESULTS_TIMED : 0);

	add_cases(e);
	product_fields(&e->product, out);
	field_int(out, "count", count);
	if (!rows_answer(&rows, answer, out, "results", diag))
		return false;
	if (shown < count)
		document_line(answer, "%lld of %lld types of the result; --limit N shows N, `as TYPE` the ways to one",
			(long long)shown, (long long)count);
	else
		document_say(answer, 0, "add `as TYPE` to list the ways to one of them");
	return true;
}

/* Where answers are kept they scroll, else a window holds them. */
static int64_t rows_usual(const struct einsum *e, int64_t least)
{
	const struct console_taker *taker = e->run->session->console->taker;
	int width, height;

	if (taker != NULL && taker->document != NULL)
		return ROWS_KEPT;
	console_size(e->run->session->console, &width, &height);
	return height > 0 ? sw_larger(4, (height - ROWS_BESIDE) / 2) : least;
}

static bool answer_results(struct einsum *e, sw_diag *diag)
{
	const sw_ways_result *results;
	int64_t shown, count = sw_ways_results(&e->product, &e->options, e->run->arena, &results, diag);

	if (count < 0 || !rows_to_show(e->run, count, rows_usual(e, RESULTS_USUAL), &shown, diag))
		return false;
	return list_results(e, results, shown, count, diag);
}

/* ---- a way as a program ---- */

static bool take_way(const struct einsum *e, sw_diag *diag)
{
	struct session *session = e->run->session;
	int64_t number;
	sw_program program;

	if (e->ways.count == 0 || !read_count(e->run, e->chosen, 1, e->ways.count, &number, diag) ||
		!sw_way_program(&e->ways, &e->ways.way[number - 1], "product", session->arena, &program, diag) ||
		!session_keep_program(session, &program, NULL, diag))
		return false;
	document_say(e->run->answer, 0,
		"way %lld is the present program: `program` shows it, `enter 1` works on its first redistribution",
		(long long)number);
	return true;
}

/* ---- the tiles of a product that is refused ---- */

enum { TILES_DRAWN = 16, DEVICES_LOOKED_AT = 4096 };

/* A letter of A alone and one of B alone that one axis cuts; false: there are none. */
static bool crossed_letters(const sw_product *p, int *i, int *k)
{
	const sw_equation *e = &p->equation;
	sw_part of_a[SW_MAX_PARTS], of_b[SW_MAX_PARTS];

	for (*i = 0; *i < e->rank[0]; ++*i)
		for (*k = 0; *k < e->rank[1]; ++*k) {
			int a = sw_type_parts(&p->a, *i, of_a), b = sw_type_parts(&p->b, *k, of_b);

			if (sw_equation_find(e, SW_EQUATION_B, e->letter[0][*i]) >= 0 ||
				sw_equation_find(e, SW_EQUATION_A, e->letter[1][*k]) >= 0)
				continue;
			for (int n = 0; n < a * b; n++)
				if (of_a[n / b].axis == of_b[n % b].axis)
					return true;
		}
	return false;
}

static void draw_computed(const struct einsum *e, int i, int k)
{
	const sw_product *p = &e->product;
	int64_t rows = sw_type_cuts(&p->a, i), columns = sw_type_cuts(&p->b, k), count = 0;
	int32_t first[TILES_DRAWN][TILES_DRAWN];
	int64_t a[SW_MAX_DIMS], b[SW_MAX_DIMS];
	char down = p->equation.letter[0][i], across = p->equation.letter[1][k];
	bool diagonal = true;

	memset(first, -1, sizeof first);
	for (int64_t device = 0; device < p->mesh.devices; device++) {
		sw_type_offset(&p->mesh, &p->a, device, a);
		sw_type_offset(&p->mesh, &p->b, device, b);
		int64_t y = a[i] / p->a.tile[i], x = b[k] / p->b.tile[k];
		count += first[y][x] < 0;
		diagonal = diagonal && x == y;
		first[y][x] = first[y][x] < 0 ? (int32_t)device : first[y][x];
	}
	document_say(e->run->answer, 0, "tiles of %c down, of %c across, and the first device that would compute them",
		down, across);
	for (int64_t y = 0; y < rows; y++) {
		sw_text row = {0};

		for (int64_t x = 0; x < columns; x++)
			if (first[y][x] < 0)
				sw_text_addf(&row, "%5s", ".");
			else
				sw_text_addf(&row, "%5d", (int)first[y][x]);
		document_line(e->run->answer, "%s", sw_text_get(&row));
		sw_text_free(&row);
	}
	if (diagonal)
		document_say(e->run->answer, 0, "only the tiles (%c, %c) = (i, i) on the diagonal are computed, %lld of %lld",
			down, across, (long long)count, (long long)(rows * columns));
	else
		document_say(e->run->answer, 0, "%lld of %lld tiles are computed", (long long)count,
			(long long)(rows * columns));
}

bool product_tiles(struct invocation *run, bool *took, sw_diag *diag)
{
	const struct kept_product *kept = run->session->state.product;
	struct einsum *e = SW_NEW_ZERO(run->arena, struct einsum, 1);
	int i, k;

	*took = false;
	if (kept == NULL || run->session->state.has[DEFINED_FROM])
		return true;
	if (e == NULL)
		return sw_diag_memory(diag);
	e->run = run;
	e->product = kept->of;
	const sw_product *p = &e->product;
	*took = p->mesh.devices <= DEVICES_LOOKED_AT && crossed_letters(p, &i, &k) &&
		sw_type_cuts(&p->a, i) <= TILES_DRAWN && sw_type_cuts(&p->b, k) <= TILES_DRAWN;
	if (*took)
		draw_computed(e, i, k);
	return true;
}

/* ---- the commands ---- */

static bool answer_ways(struct einsum *e, sw_diag *diag)
{
	if (!sw_ways_find(&e->product, &e->options, e->run->arena, &e->ways, diag) ||
		!rows_to_show(e->run, e->ways.count, rows_usual(e, ROWS_USUAL), &e->shown, diag))
		return false;
	if (e->chosen != NULL)
		return take_way(e, diag);
	struct fields *out = document_fields(e->run->answer, "shardwalk.ways/1");
	const struct word *vary = option_given(e->run, OPTION_VARY);
	field_mesh(out, "mesh", &e->product.mesh);
	product_ends_fields(&e->product, out);
	product_fields(&e->product, out);
	add_proved(e, out);
	find_xla(e);
	xla_fields(e, out);
	add_cases(e);
	if (!list_ways(e, out, diag))
		return false;
	if (out != NULL)
		return true;
	add_least(e);
	return add_turns(e, diag) && (vary == NULL || vary_answer(e->run, &e->ways, vary, &e->options, diag));
}

static bool answer_einsum(struct invocation *run, const sw_product *product, const struct word *chosen, sw_diag *diag)
{
	struct einsum *e = SW_NEW_ZERO(run->arena, struct einsum, 1);

	if (e == NULL)
		return sw_diag_memory(diag);
	e->run = run;
	e->chosen = chosen;
	e->product = *product;
	if (!read_options(e, diag))
		return false;
	struct watch watch;
	watch_start(&watch, run->session->console);
	e->options.pulse = &watch.pulse;
	bool ok = e->product.wanted ? answer_ways(e, diag) : answer_results(e, diag);
	watch_end(&watch);
	return ok;
}

bool product_keep(struct session *session, sw_str text, const sw_product *product, sw_diag *diag)
{
	struct kept_product *kept = SW_NEW(session->arena, struct kept_product, 1);

	if (kept == NULL)
		return sw_diag_memory(diag);
	*kept = (struct kept_product){.text = sw_arena_copy(session->arena, text.at, text.length), .of = *product};
	session->state.product = kept;
	session->state.subject = SUBJECT_PRODUCT;
	return kept->text != NULL || sw_diag_memory(diag);
}

bool command_einsum(struct invocation *run, sw_diag *diag)
{
	sw_str text = argument(run, 0)->raw;
	sw_product product;

	if (text.length == 0) {
		sw_diag_set(diag, SW_L03, (sw_span){0, 0}, "'einsum' needs an equation and two operands");
		sw_diag_expected(diag, "EQ A, B, such as ij,jk->ik [4, 6], [6, 8]");
		return false;
	}
	return product_read(run, text, &product, diag) && answer_einsum(run, &product, NULL, diag) &&
		product_keep(run->session, text, &product, diag);
}

bool command_ways(struct invocation *run, sw_diag *diag)
{
	const struct kept_product *kept = run->session->state.product;

	if (kept != NULL)
		return answer_einsum(run, &kept->of, argument(run, 0), diag);
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "there is no product yet");
	sw_diag_hint(diag, "einsum ij,jk->ik [4, 6], [6, 8] as [4, 8] lists its ways");
	return false;
}
