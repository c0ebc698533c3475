/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as a table, step by step.
 */
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/uneven.h>

#include "views/draw.h"

/* ---- what a plan comes to ---- */

static const char *plan_strategy(const sw_plan *plan)
{
	return plan->origin ? plan->origin : sw_strategy_name(plan->strategy);
}

static void model_cost_text(double cost, sw_text *text)
{
	double size = cost < 0 ? -cost : cost;
	sw_text_addf(text, size >= 1e9 ? "%.3g" : size == (double)(int64_t)cost ? "%.0f" : "%.4g", cost);
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
		words_count(plan->model == SW_MODEL_PAPER ? plan->lower_bound : (int64_t)plan->model_bound);
	if (plan->optimal)
		return draw_note(out, 2, y, ROLE_WARN, "optimal: claimed by the file; `plan` proves what it finds");
	return draw_note(out, 2, y, ROLE_WARN,
		"no plan of this strategy %s less than %s: claimed by the file; `plan` proves what "
		"it finds",
		timed ? "takes" : "costs", least.text);
}

/* Is it proved that none is better?  Else how far off the plan may be; a bound of 0 says nothing. */
static int proof_draw(const sw_plan *plan, struct canvas *out, int y)
{
	int64_t least = plan->model == SW_MODEL_PAPER ? plan->lower_bound : (int64_t)plan->model_bound;

	if (plan->claimed)
		return claim_draw(plan, out, y);
	if (plan->optimal)
		return draw_note(out, 2, y, ROLE_GOOD, "optimal: proved");
	if (sw_model_is_timed(plan->model) && plan->model_bound > 0)
		return draw_note(out, 2, y, ROLE_WARN,
			"not proved optimal: no plan takes less than %s, so this one takes at most "
			"%.3g times the best",
			words_seconds(plan->model_bound).text, plan->model_cost / plan->model_bound);
	if (!sw_model_is_timed(plan->model) && least > 0)
		return draw_note(out, 2, y, ROLE_WARN, "not proved optimal: no plan of this strategy costs less than %s",
			words_count(least).text);
	return draw_note(out, 2, y, ROLE_WARN, "not proved optimal, and it is not known how far off it may be");
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
			timed ? "" : " elements", plan->machine ? " on hardware " : "", plan->machine ? plan->machine : "",
			timed && plan->claimed ? ", claimed by the file" : "");
		sw_text_free(&text);
	}
	if (plan->has_bound)
		y = proof_draw(plan, out, y);
	if (plan->weak_cost >= 0)
		y = draw_note(out, 2, y, ROLE_TEXT, "weak optimum %s, of steps of one dimension%s",
			words_count(plan->weak_cost).text, plan->claimed ? ": claimed by the file" : "");
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
	size_text(plan, "live peak", plan->live_peak, &text);
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
	y = draw_note(out, 2, y, over ? ROLE_BAD : ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return totals_live(plan, out, y);
}

/* Where the places of the mesh lie, if not on the devices of the same numbers. */
static int totals_places(const sw_plan *plan, struct canvas *out, int y)
{
	int64_t devices = plan->problem.mesh.devices, listed = devices < 32 ? devices : 32;
	for (int k = 0; k <= plan->count && plan->devices; k++) {
		const int64_t *order = k ? plan->steps[k - 1].devices : plan->devices;
		sw_text text = {0};
		for (int64_t i = 0; i < listed && order; i++)
			sw_text_addf(&text, " %lld", (long long)order[i]);
		sw_text_add(&text, listed < devices ? " …" : "");
		if (!k)
			y = draw_note(out, 2, y, ROLE_NOTE, "the places of the mesh lie on devices%s", sw_text_get(&text));
		else if (order)
			y = draw_note(out, 2, y, ROLE_NOTE, "the %s of step %d brings them to devices%s",
				sw_collective_of(plan->steps[k - 1].op)->permutes ? "permute" :
																	sw_collective_of(plan->steps[k - 1].op)->name,
				k, sw_text_get(&text));
		sw_text_free(&text);
	}
	return y;
}

/* Steps by hand, or of a file, that lead elsewhere. */
static int totals_end(const sw_plan *plan, struct canvas *out, int y)
{
	sw_diag diag = {.code = SW_OK};
	return sw_plan_reaches(plan, &diag) ? y : draw_note(out, 2, y, ROLE_BAD, "no solution: it %s", diag.message);
}

static int totals_note(const sw_plan *plan, struct canvas *out, int y)
{
	y = totals_end(plan, out, y);
	y = totals_places(plan, out, y);
	return plan->note ? draw_note(out, 2, y, ROLE_WARN, "%s%s", plan->claimed ? "the file notes: " : "", plan->note) :
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
	return draw_note(out, 2, y, ROLE_TEXT, "%s, %s%s%s", words_plural(plan->count, "step", "steps").text,
		words_plural(plan->permutes, "permutation", "permutations").text,
		plan->normal_form ? ", in normal form" : ", not in normal form",
		plan->uneven ? ", through uneven tiles" : "");
}

/* ---- the table of steps ---- */

enum { COLUMN_TILE, COLUMN_SIZE, COLUMN_BYTES, COLUMN_COST, COLUMN_MODEL, COLUMNS };

static const char *const column_heads[COLUMNS] = {"local type", "elements", "bytes", "cost", "model"};

/* What gives way first in a narrow table. */
static const int column_drops[] = {COLUMN_MODEL, COLUMN_BYTES, COLUMN_TILE};

struct table {
	const sw_plan *plan;
	int op, width[COLUMNS]; /* 0: left out */
	int type;               /* columns for the type on the same row; 0: it has a row of its own */
};

static const int64_t *tile_after(const sw_plan *plan, int k)
{
	return k ? plan->steps[k - 1].tile : plan->problem.from.tile;
}

static int64_t size_after(const sw_plan *plan, int k)
{
	return k ? plan->steps[k - 1].localsize : sw_type_localsize(&plan->problem.from);
}

static const sw_type *type_after(const sw_plan *plan, int k)
{
	return k ? plan->steps[k - 1].type : &plan->problem.from;
}

static void cell_text(const sw_plan *plan, int k, int column, sw_text *text)
{
	sw_text_clear(text);
	switch (column) {
	case COLUMN_TILE:
		sw_type_print_tile(tile_after(plan, k), plan->problem.from.rank, text);
		break;
	case COLUMN_SIZE:
		sw_print_count(text, size_after(plan, k));
		break;
	case COLUMN_BYTES:
		sw_text_add(text, words_bytes_in(size_after(plan, k), plan->problem.from.dtype, plan->unit).text);
		break;
	case COLUMN_COST:
		if (k)
			sw_print_count(text, plan->steps[k - 1].cost);
		break;
	default:
		if (k)
			step_cost_text(plan, plan->steps[k - 1].model_cost, text);
	}
}

static void op_text(const sw_plan *plan, int k, sw_text *text)
{
	sw_text_clear(text);
	if (k)
		step_text(plan, k - 1, text);
	else
		sw_text_add(text, "from");
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int table_width(const struct table *table)
{
	int width = 4 + table->op;
	for (int i = 0; i < COLUMNS; i++)
		width += table->width[i] ? table->width[i] + 2 : 0;
	return width;
}

static void table_layout(struct table *table, int room)
{
	const sw_plan *plan = table->plan;
	sw_text text = {0};
	table->op = 9;
	for (int i = 0; i < COLUMNS; i++)
		table->width[i] = (int)strlen(column_heads[i]);
	for (int k = 0; k <= plan->count; k++) {
		op_text(plan, k, &text);
		table->op = larger(table->op, canvas_text_width(sw_text_get(&text)));
		for (int i = 0; i < COLUMNS; i++) {
			cell_text(plan, k, i, &text);
			table->width[i] = larger(table->width[i], canvas_text_width(sw_text_get(&text)));
		}
	}
	sw_text_free(&text);
	if (plan->model == SW_MODEL_PAPER)
		table->width[COLUMN_MODEL] = 0;
	int op = table->op < 22 ? table->op : 22;
	for (size_t i = 0; i < sizeof(column_drops) / sizeof(*column_drops); i++)
		if (table_width(table) - table->op + op > room)
			table->width[column_drops[i]] = 0;
	if (table_width(table) > room)
		table->op = larger(6, table->op - (table_width(table) - room));
	table->type = room - table_width(table) - 2 >= 40 ? room - table_width(table) - 2 : 0;
}

static int heading_draw(const struct table *table, struct canvas *out, int y)
{
	int x = 4 + table->op;
	canvas_put_right(out, 0, y, 3, ROLE_LABEL, "#");
	canvas_put_cut(out, 4, y, table->op, ROLE_LABEL, "operation");
	for (int i = 0; i < COLUMNS; i++) {
		if (!table->width[i])
			continue;
		if (i == COLUMN_TILE)
			canvas_put(out, x + 2, y, ROLE_LABEL, column_heads[i]);
		else
			canvas_put_right(out, x + 2, y, table->width[i], ROLE_LABEL, column_heads[i]);
		x += table->width[i] + 2;
	}
	if (table->type)
		canvas_put(out, x + 2, y, ROLE_LABEL, "type after");
	canvas_hline(out, 0, y + 1, table->type ? out->width : x, ROLE_BORDER, 0);
	return y + 2;
}

static int type_draw(const struct table *table, struct canvas *out, int x, int y, int room, int k)
{
	const sw_type *type = type_after(table->plan, k);
	if (type)
		return draw_type_rows(out, x, y, room, &table->plan->problem.mesh, type, false);
	return canvas_put_wrapped(out, x, y, room, 2, ROLE_NOTE, "no type: see its map");
}

static int why_draw(const struct table *table, struct canvas *out, int y, int k)
{
	sw_text text = {0};
	sw_plan_why(table->plan, k - 1, &text);
	y = draw_note(out, 4, y, ROLE_TEXT, "why: %s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int groups_draw(const struct table *table, struct canvas *out, int y, int k)
{
	sw_text text = {0};
	if (k)
		step_groups_text(table->plan, k - 1, out->width - 4, &text);
	if (text.length)
		y = canvas_put_wrapped(out, 4, y, out->width - 4, 2, ROLE_DIM, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int row_draw(const struct table *table, struct canvas *out, int y, int k, const struct view_options *opt)
{
	char number[16];
	sw_text text = {0};
	int x = 4 + table->op;
	bool marked = opt->step == k;
	snprintf(number, sizeof(number), marked ? ">%d" : "%d", k);
	canvas_put_right(out, 0, y, 3, marked ? ROLE_CURRENT : ROLE_LABEL, number);
	op_text(table->plan, k, &text);
	int next = canvas_put_wrapped(out, 4, y, table->op, 2, k ? ROLE_OP : ROLE_TEXT, sw_text_get(&text));
	for (int i = 0; i < COLUMNS; i++) {
		if (!table->width[i])
			continue;
		cell_text(table->plan, k, i, &text);
		bool over = i == COLUMN_SIZE && table->plan->budget > 0 && size_after(table->plan, k) > table->plan->budget;
		if (i == COLUMN_TILE)
			canvas_put_cut(out, x + 2, y, table->width[i], ROLE_TYPE, sw_text_get(&text));
		else
			canvas_put_right(out, x + 2, y, table->width[i], over ? ROLE_BAD : ROLE_NUMBER, sw_text_get(&text));
		x += table->width[i] + 2;
		if (over)
			canvas_put(out, x, y, ROLE_BAD, "!");
	}
	sw_text_free(&text);
	int end = next;
	if (table->type)
		end = larger(end, type_draw(table, out, x + 2, y, table->type, k));
	else
		end = type_draw(table, out, 4, next, out->width - 4, k);
	if (k && (marked || !opt->terse))
		end = why_draw(table, out, end, k);
	return groups_draw(table, out, end, k);
}

bool view_plan(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->plan)
		return draw_missing(diag, "plan", "after mesh and redistribute, type: plan");
	if (!draw_begin("plan", opt, out))
		return true;
	const sw_plan *plan = in->plan;
	struct table table = {.plan = plan};
	sw_text rest = {0};
	sw_text_addf(&rest, "%s%sstrategy %s%s, %s of %s", plan->name ? plan->name : "", plan->name ? ", " : "",
		plan_strategy(plan), plan->claimed ? " (claimed by the file)" : "",
		words_plural(plan->problem.mesh.devices, "device", "devices").text, sw_dtype_name(plan->problem.from.dtype));
	int y = draw_title(out, 0, "plan", sw_text_get(&rest)) + 1;
	sw_text_free(&rest);
	table_layout(&table, opt->width);
	y = heading_draw(&table, out, y);
	for (int k = 0; k <= plan->count; k++)
		y = row_draw(&table, out, y, k, opt);
	canvas_hline(out, 0, y++, table.type ? out->width : table_width(&table), ROLE_BORDER, 0);
	y = totals_cost(plan, out, y);
	y = totals_repeated(plan, &in->repeated, out, y);
	y = totals_memory(plan, out, y);
	y = totals_shape(plan, out, y);
	y = totals_padding(plan, out, y);
	y = totals_note(plan, out, y);
	if (in->planned_in > 0)
		draw_note(out, 2, y, ROLE_TEXT, "planned in %s", words_seconds(in->planned_in).text);
	return true;
}
