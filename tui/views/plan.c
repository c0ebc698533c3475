/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as a table, step by step.
 */
#include <math.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>
#include <shardwalk/uneven.h>

#include "canvas/table.h"
#include "views/draw.h"
#include "views/followed.h"

/* ---- what a plan comes to ---- */

static const char *plan_strategy(const sw_plan *plan)
{
	return plan->origin ? plan->origin : sw_strategy_name(plan->strategy);
}

static void model_cost_text(double cost, sw_text *text)
{
	double size = cost < 0 ? -cost : cost;
	sw_text_addf(text, size >= 1e9 ? "%.3g" : size == floor(size) ? "%.0f" : "%.4g", cost);
}

static void step_cost_text(const sw_plan *plan, double cost, sw_text *text)
{
	if (sw_model_is_timed(plan->model))
		sw_text_add(text, words_seconds(cost).text);
	else
		model_cost_text(cost, text);
}

/* What a file says of how good its plan is. */
static int claim_draw(const sw_plan *plan, struct canvas *out, int y)
{
	bool timed = sw_model_is_timed(plan->model);
	struct words least = timed ?
		words_seconds(plan->model_bound) :
		words_count(plan->model == SW_MODEL_PAPER ? plan->lower_bound : sw_nearest(plan->model_bound));
	if (plan->optimal)
		return draw_note(out, 2, y, ROLE_WARN, "optimal, as the file claims; `plan` proves what it finds");
	return draw_note(out, 2, y, ROLE_WARN,
		"the file claims that no plan of this strategy %s less than %s; `plan` proves what it finds",
		timed ? "takes" : "costs", least.text);
}

/* Is it proved that none is better?  Else how far off the plan may be; a bound of 0 says nothing. */
static int proof_draw(const sw_plan *plan, struct canvas *out, int y)
{
	int64_t least = plan->model == SW_MODEL_PAPER ? plan->lower_bound : sw_nearest(plan->model_bound);

	if (plan->program.claimed)
		return claim_draw(plan, out, y);
	if (plan->optimal)
		return draw_note(out, 2, y, ROLE_GOOD, "optimal: proved");
	if (sw_model_is_timed(plan->model) && plan->model_bound > 0)
		return draw_note(out, 2, y, ROLE_WARN,
			"not proved optimal: no plan of this strategy takes less than %s, so this one takes at most "
			"%.3g times the best",
			words_seconds(plan->model_bound).text, plan->model_cost / plan->model_bound);
	if (!sw_model_is_timed(plan->model) && least > 0)
		return draw_note(out, 2, y, ROLE_WARN, "not proved optimal: no plan of this strategy costs less than %s",
			words_count(least).text);
	return draw_note(out, 2, y, ROLE_WARN, "not proved optimal, and how far off it may be is unknown");
}

static int stopped_draw(const sw_plan *plan, struct canvas *out, int y)
{
	sw_text bytes = {0};

	sw_print_bytes(&bytes, plan->search.memory);
	y = draw_note(out, 2, y, ROLE_WARN,
		"a search stopped, with this bound, before it would have taken more than %s; `set plan_memory` allows "
		"more",
		sw_text_get(&bytes));
	sw_text_free(&bytes);
	return y;
}

static int totals_cost(const sw_plan *plan, struct canvas *out, int y)
{
	y = draw_note(out, 2, y, ROLE_TEXT, "cost %s elements (%s) per device", words_count(plan->cost).text,
		words_bytes_in(plan->cost, plan->problem.from.dtype, plan->unit).text);
	if (plan->model != SW_MODEL_PAPER) {
		sw_text text = {0};
		step_cost_text(plan, plan->model_cost, &text);
		bool timed = sw_model_is_timed(plan->model);
		y = draw_note(out, 2, y, ROLE_TEXT, "model %s: %s%s%s%s%s", sw_model_name(plan->model), sw_text_get(&text),
			timed ? "" : " elements",
			!plan->machine                    ? "" :
				plan->model == SW_MODEL_PORTS ? " on " :
												" on hardware ",
			plan->machine ? plan->machine : "",
			timed && plan->program.claimed && !plan->timed_here ? ", claimed by the file" : "");
		sw_text_free(&text);
	}
	if (plan->has_bound)
		y = proof_draw(plan, out, y);
	if (plan->search.memory > 0 && !plan->program.claimed)
		y = stopped_draw(plan, out, y);
	if (plan->local_cost >= 0)
		y = draw_note(out, 2, y, ROLE_TEXT, "optimum over local types %s, with steps of one dimension%s",
			words_count(plan->local_cost).text, plan->program.claimed ? ": claimed by the file" : "");
	return y;
}

/* "height 6 (24 B)", or as its budget was typed. */
static void size_text(const sw_plan *plan, const char *what, int64_t size, sw_text *text)
{
	sw_dtype dtype = plan->problem.from.dtype;
	if (plan->unit == SW_UNIT_ELEMENTS)
		sw_text_addf(text, "%s %s (%s)", what, words_count(size).text, words_bytes(size, dtype).text);
	else
		sw_text_addf(text, "%s %s", what, words_size(size, dtype, plan->unit).text);
}

static int totals_live(const sw_plan *plan, struct canvas *out, int y)
{
	sw_dtype dtype = plan->problem.from.dtype;
	sw_text text = {0};
	bool over = plan->live_budget > 0 && plan->live_peak > plan->live_budget;
	size_text(plan, "peak memory", plan->live_peak, &text);
	if (plan->live_budget > 0)
		sw_text_addf(&text, over ? ", above its budget of %s" : ", within its budget of %s",
			words_short(plan->live_budget, dtype, plan->unit).text);
	y = draw_note(out, 2, y, over ? ROLE_BAD : ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int totals_memory(const sw_plan *plan, struct canvas *out, int y)
{
	bool over = plan->budget > 0 && plan->height > plan->budget;
	sw_dtype dtype = plan->problem.from.dtype;
	sw_text text = {0};
	size_text(plan, "height", plan->height, &text);
	if (over)
		sw_text_addf(&text, ", above the budget of %s by %s", words_short(plan->budget, dtype, plan->unit).text,
			words_short(plan->height - plan->budget, dtype, plan->unit).text);
	else if (plan->budget > 0)
		sw_text_addf(&text, ", within the budget of %s", words_short(plan->budget, dtype, plan->unit).text);
	sw_text_addf(&text, "; %s on all %s", words_all(sw_plan_height_on_all(plan), dtype, plan->unit).text,
		words_count(plan->problem.mesh.devices).text);
	y = draw_note(out, 2, y, over ? ROLE_BAD : ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return totals_live(plan, out, y);
}

/* Which devices lie in the slots of the mesh, if not those of the same numbers. */
static int totals_order(const sw_plan *plan, struct canvas *out, int y)
{
	int64_t devices = plan->problem.mesh.devices, listed = devices < 32 ? devices : 32;
	for (int k = 0; k <= plan->program.steps && sw_problem_ordered(&plan->problem); k++) {
		const int64_t *order = k ? plan->program.step[k - 1].order : plan->problem.mesh.order;
		sw_text text = {0};
		for (int64_t i = 0; i < listed && (order || !k); i++)
			sw_text_addf(&text, " %s", words_device(&plan->problem.mesh, sw_device_at(order, i)).text);
		sw_text_add(&text, listed < devices ? " …" : "");
		if (!k)
			y = draw_note(out, 2, y, ROLE_NOTE, "the slots of the mesh are on devices%s", sw_text_get(&text));
		else if (order)
			y = draw_note(out, 2, y, ROLE_NOTE, "the %s of step %d brings them to devices%s",
				sw_collective_of(plan->program.step[k - 1].op)->among == SW_AMONG_PAIRS ?
					"permute" :
					sw_collective_of(plan->program.step[k - 1].op)->name,
				k, sw_text_get(&text));
		sw_text_free(&text);
	}
	return y;
}

/* Steps by hand, or of a file, that lead elsewhere. */
static int totals_end(const sw_plan *plan, struct canvas *out, int y)
{
	sw_diag diag = {.code = SW_OK};
	return sw_plan_reaches(plan, &diag) ? y :
										  draw_note(out, 2, y, ROLE_BAD,
											  "not a solution: it "
											  "%s",
											  diag.message);
}

static int totals_note(const sw_plan *plan, struct canvas *out, int y)
{
	y = totals_end(plan, out, y);
	y = totals_order(plan, out, y);
	return plan->note ?
		draw_note(out, 2, y, ROLE_WARN, "%s%s", plan->program.claimed ? "the file notes: " : "", plan->note) :
		y;
}

static int totals_padded_end(const sw_plan *plan, const sw_type *type, const char *when, struct canvas *out, int y)
{
	sw_padding_count count;
	sw_dtype dtype = type->dtype;
	sw_text text = {0};
	sw_type_padding(&plan->problem.mesh, type, &count);
	sw_text_addf(&text, "%s: padding is %s of %s elements", when, words_count(count.total).text,
		words_count(count.elements).text);
	sw_text_addf(&text, " (%s)", words_bytes(count.total, dtype).text);
	sw_text_addf(&text, ", at most %s", words_count(count.most).text);
	sw_text_addf(&text, " (%s) on a device", words_bytes(count.most, dtype).text);
	if (count.empty)
		sw_text_addf(&text, "; %s nothing else", words_plural(count.empty, "device holds", "devices hold").text);
	y = draw_note(out, 2, y, ROLE_WARN, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int totals_padding(const sw_plan *plan, struct canvas *out, int y)
{
	const sw_problem *problem = &plan->problem;
	sw_text words = {0};
	if (!sw_type_padded(&problem->from))
		return y;
	sw_uneven_explain(&problem->from, &problem->to, "; ", &words);
	y = draw_note(out, 2, y, ROLE_WARN, "%s", sw_text_get(&words));
	sw_text_free(&words);
	y = totals_padded_end(plan, &problem->from, "at first", out, y);
	return totals_padded_end(plan, &problem->to, "at last", out, y);
}

/* What many executions come to: layers times steps. */
static int totals_repeated(const sw_plan *plan, const struct repeated *sum, struct canvas *out, int y)
{
	sw_text text = {0};
	if (sum->times < 2)
		return y;
	sw_text_addf(&text, "%s times: cost %s elements", words_count(sum->times).text, words_count(sum->cost).text);
	sw_text_addf(&text, " (%s), ", words_bytes_in(sum->cost, plan->problem.from.dtype, plan->unit).text);
	sw_text_addf(&text, "%s received per device", words_bytes(sum->received, SW_I8).text);
	if (sum->seconds >= 0)
		sw_text_addf(&text, ", %s%s%s", words_seconds(sum->seconds).text, sum->machine ? " on hardware " : "",
			sum->machine ? sum->machine : "");
	y = draw_note(out, 2, y, ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int totals_shape(const sw_plan *plan, struct canvas *out, int y)
{
	return draw_note(out, 2, y, ROLE_TEXT, "%s, %s%s", words_plural(plan->program.steps, "step", "steps").text,
		words_plural(plan->permutes, "permutation", "permutations").text,
		plan->normal_form ? ", in normal form" : ", not in normal form");
}

/* ---- the table of steps ---- */

enum {
	COLUMN_NUMBER,
	COLUMN_OPERATION,
	COLUMN_TILE,
	COLUMN_SIZE,
	COLUMN_BYTES,
	COLUMN_ON_ALL,
	COLUMN_COST,
	COLUMN_MODEL,
	COLUMN_TYPE
};

/* The type stands on the same row where there is room, else on one of its own. */
static const struct column columns[] = {
	{.head = "#", .right = true, .role = ROLE_LABEL, .least = 3, .most = 7},
	{.head = "operation", .role = ROLE_OP, .fit = CELL_WRAP, .gap = 1, .indent = 2, .wants = 22, .gives = 6},
	{.head = "local type", .role = ROLE_TYPE, .fit = CELL_CUT, .drops = 4},
	{.head = "elements", .right = true, .role = ROLE_NUMBER},
	{.head = "bytes", .right = true, .role = ROLE_NUMBER, .drops = 3},
	{.head = "on all", .right = true, .role = ROLE_NUMBER, .drops = 1},
	{.head = "cost", .right = true, .role = ROLE_NUMBER},
	{.head = "model", .right = true, .role = ROLE_NUMBER, .optional = true, .drops = 2},
	{.head = "type after", .role = ROLE_TYPE, .takes = 32},
	{0},
};

static void add_costs(struct table *table, const sw_plan *plan, int k)
{
	sw_text model = {0};
	table_add_if(table, k > 0, k ? plan->program.step[k - 1].cost : 0);
	if (k && plan->model != SW_MODEL_PAPER)
		step_cost_text(plan, plan->program.step[k - 1].model_cost, &model);
	table_add_text(table, &model);
}

struct row_signs {
	bool marked, moves; /* it is the chosen one; what is followed moves in it */
};

static void add_row(struct table *table, const sw_plan *plan, int k, const struct row_signs *signs)
{
	sw_dtype dtype = plan->problem.from.dtype;
	sw_text op = {0}, tile = {0};
	bool many = plan->program.steps >= 100; /* numbers leave room for the mark in all rows, or none */
	table_add(table, signs->marked ? ">%d" : many ? " %d" : "%d", k);
	if (signs->marked)
		table_paint(table, ROLE_CURRENT);
	sw_text_add(&op, !k ? "from" : signs->moves ? "★ " : "");
	if (k)
		sw_plan_print_step(plan, k - 1, &op);
	table_add_text(table, &op);
	if (!k)
		table_paint(table, ROLE_TEXT);
	if (!plan->program.value[k].words)
		sw_type_print_tile(plan->program.value[k].tile, plan->problem.from.rank, &tile);
	table_add_text(table, &tile);
	table_add_count(table, plan->program.value[k].localsize);
	if (plan->budget > 0 && plan->program.value[k].localsize > plan->budget)
		table_mark_over(table);
	table_add(table, "%s", words_bytes_in(plan->program.value[k].localsize, dtype, plan->unit).text);
	table_add(table, "%s", words_all(sw_plan_on_all(plan, k), dtype, plan->unit).text);
	add_costs(table, plan, k);
	table_add(table, "%s", "");
}

/* Of pieces the type of the blocks that they make, where there is one. */
static int pieces_draw(const sw_plan *plan, struct canvas *out, int x, int y, int room, int k)
{
	const sw_type *type = plan->program.value[k].blocks;
	return type ? draw_type_rows(out, x, y, room, &plan->problem.mesh, type, false) :
				  canvas_put_wrapped(out, x, y, room, 2, ROLE_NOTE, "no type says it");
}

/* A type that is no tile type. */
static int words_draw(const sw_plan *plan, struct canvas *out, int x, int y, int room, int k)
{
	const sw_value *value = &plan->program.value[k];
	sw_text text = {0};
	sw_type_print_any(&plan->problem.mesh, value->type, value->words, false, &text);
	y = canvas_put_wrapped(out, x, y, room, 2, ROLE_TYPE, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int type_draw(const sw_plan *plan, struct canvas *out, int x, int y, int room, int k)
{
	const sw_type *type = plan->program.value[k].type;
	if (type && plan->program.value[k].words)
		return words_draw(plan, out, x, y, room, k);
	if (type)
		return draw_type_rows(out, x, y, room, &plan->problem.mesh, type, false);
	if (plan->program.value[k].pieces)
		return pieces_draw(plan, out, x, y, room, k);
	return canvas_put_wrapped(out, x, y, room, 2, ROLE_NOTE, "no type: see its map");
}

/* Of the one step that is marked, its changes too. */
static int why_draw(const sw_plan *plan, const struct view_options *opt, struct canvas *out, int y, int k)
{
	sw_text text = {0};
	(opt->terse ? step_sentence : sw_plan_why)(plan, k - 1, &text);
	y = draw_note(out, 4, y, ROLE_TEXT, "why: %s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int groups_draw(const sw_plan *plan, struct canvas *out, int y, int k)
{
	sw_text text = {0};
	if (k)
		step_groups_text(plan, k - 1, out->width - 4, &text);
	if (text.length)
		y = canvas_put_wrapped(out, 4, y, out->width - 4, 2, ROLE_DIM, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int step_draw(const struct table *table, const sw_plan *plan, struct canvas *out, int y, int k,
	const struct view_options *opt)
{
	int room = table->width[COLUMN_TYPE], end = table_draw_row(table, out, y, k);
	if (room) {
		int next = type_draw(plan, out, table_at(table, COLUMN_TYPE), y, room, k);
		end = next > end ? next : end;
	} else {
		end = type_draw(plan, out, 4, end, out->width - 4, k);
	}
	if (k && (opt->step == k || !opt->terse))
		end = why_draw(plan, opt, out, end, k);
	return groups_draw(plan, out, end, k);
}

/* Where devices have pieces, seconds say more than elements that are moved, and operations have their forms beside them. */
static void keep_seconds(struct table *table)
{
	table->column[COLUMN_MODEL].drops = 0;
	table->column[COLUMN_COST].drops = 2;
	table->column[COLUMN_OPERATION].wants = 28;
}

/* What the column on all devices says, where it has no room. */
static int on_all_draw(const sw_plan *plan, struct canvas *out, int y)
{
	sw_dtype dtype = plan->problem.from.dtype;
	int64_t first = sw_plan_on_all(plan, 0), last = sw_plan_on_all(plan, plan->program.steps), most = 0;
	for (int k = 0; k <= plan->program.steps && most >= 0; k++)
		most = sw_plan_on_all(plan, k) < 0 ? -1 : sw_larger(most, sw_plan_on_all(plan, k));
	return draw_note(out, 2, y, ROLE_TEXT, "on all %s: %s at first, %s at most, %s at last",
		words_plural(plan->problem.mesh.devices, "device", "devices").text, words_all(first, dtype, plan->unit).text,
		words_all(most, dtype, plan->unit).text, words_all(last, dtype, plan->unit).text);
}

static void nothing_taken(void *user, int64_t from, int64_t to)
{
	(void)user, (void)from, (void)to;
}

/* Where something is followed, in how many steps that moves; nothing where it is not known. */
static int followed_draw(const struct view_input *in, const struct view_options *opt, int moving, struct canvas *out,
	int y)
{
	sw_text text = {0};
	if (in->plan->program.steps == 0 || !followed_each(in, 0, opt, nothing_taken, NULL))
		return y;
	followed_print(in, opt, &text);
	if (moving)
		y = draw_note(out, 2, y, ROLE_NOTE, "★ %s%s %s in this step", opt->tile.of ? "some of " : "",
			sw_text_get(&text), opt->element ? "goes to another device" : "sends or gets something");
	else
		y = draw_note(out, 2, y, ROLE_NOTE, "%s%s %s in any step", opt->tile.of ? "nothing of " : "",
			sw_text_get(&text),
			opt->tile.of     ? "goes to another device" :
				opt->element ? "goes to no other device" :
							   "sends and gets nothing");
	sw_text_free(&text);
	return y;
}

static int steps_draw(const struct view_input *in, const struct view_options *opt, struct canvas *out, int y)
{
	const sw_plan *plan = in->plan;
	struct table table;
	int moving = 0;
	table_start(&table, columns);
	if (sw_plan_first_pieces(plan) >= 0)
		keep_seconds(&table);
	for (int k = 0; k <= plan->program.steps; k++) {
		bool moves = k > 0 && followed_moves(in, k - 1, opt);
		add_row(&table, plan, k, &(struct row_signs){opt->step == k, moves});
		moving += moves;
	}
	table_fit(&table, opt->width);
	y = table_draw_ruled_heads(&table, out, y, table_width(&table));
	for (int k = 0; k <= plan->program.steps; k++)
		y = step_draw(&table, plan, out, y, k, opt);
	canvas_hline(out, 0, y++, table_width(&table), ROLE_BORDER, 0);
	y = followed_draw(in, opt, moving, out, y);
	if (table.width[COLUMN_ON_ALL] == 0)
		y = on_all_draw(plan, out, y);
	table_free(&table);
	return y;
}

/* What `0:2` means in an operation on several dimensions, where there is one. */
static int totals_pairs(const sw_plan *plan, struct canvas *out, int y)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (entries_are_pairs(plan->program.step[k].gathers, plan->program.step[k].splits))
			return pairs_note(out, y);
	return y;
}

bool view_plan(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->plan)
		return draw_missing(diag, "plan", "after mesh and redistribute, type: plan");
	if (!draw_begin("plan", opt, out))
		return true;
	const sw_plan *plan = in->plan;
	sw_text rest = {0};
	sw_text_addf(&rest, "%s%sstrategy %s%s, %s of %s", plan->name ? plan->name : "", plan->name ? ", " : "",
		plan_strategy(plan), plan->program.claimed ? " (claimed by the file)" : "",
		words_plural(plan->problem.mesh.devices, "device", "devices").text, sw_dtype_name(plan->problem.from.dtype));
	int y = draw_title(out, 0, "plan", sw_text_get(&rest)) + 1;
	sw_text_free(&rest);
	y = steps_draw(in, opt, out, y);
	y = totals_cost(plan, out, y);
	y = totals_repeated(plan, &in->repeated, out, y);
	y = totals_memory(plan, out, y);
	y = totals_shape(plan, out, y);
	y = totals_padding(plan, out, y);
	y = totals_note(plan, out, y);
	y = totals_pairs(plan, out, y);
	if (in->planned_in > 0)
		draw_note(out, 2, y, ROLE_TEXT, "planned in %s", words_seconds(in->planned_in).text);
	return true;
}
