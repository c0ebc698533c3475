/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare of a sum over axes of a placement: what NCCL, BlueConnect, Horovod and others do, the best there is, and the bound.
 */
#include "command/placement/algorithms.h"

#include <math.h>
#include <string.h>

#include <shardwalk/reduction_plan.h>

#include "answer/rows.h"
#include "command/placement/placement.h"
#include "command/placement/reduction.h"

enum { RING, TREE, WAYS };

/* One row of the answer: seconds under each setting of `allreduce`, NAN where it says nothing. */
struct row {
	const char *name, *about;
	double seconds[WAYS];
	sw_plan program[WAYS];
};

struct comparison {
	sw_ports *ports[WAYS];
	const sw_contexts *contexts;
	struct row row[SW_ALGORITHM_COUNT + 1];
	int count;
	double bound;
};

bool algorithms_are_asked(const struct invocation *run)
{
	const struct session *session = run->session;
	const struct placing *placing = session->state.placing;
	struct sum sum;
	sw_ports *ports = SW_NEW(run->arena, sw_ports, 1);
	sw_problem problem;
	sw_type end;

	if (placing == NULL || !placing->placed || ports == NULL ||
		session->state.settings.value[SETTING_MODEL].number != SW_MODEL_PORTS || present_sum(session, &sum) != 1 ||
		!session_problem(run->session, &problem, NULL) ||
		!sw_ports_make(&placing->system, &placing->placement, sum.axes, SW_ALLREDUCE_RING, ports, NULL))
		return false;
	sw_reduction_problem of = {.problem = &problem, .ports = ports};
	return ports->hierarchy.count > 0 && sw_reduction_ends_on(&of, &end, NULL) &&
		sw_type_same_map(&problem.mesh, &end, &problem.to);
}

static struct row *add_row(struct comparison *c, const char *name, const char *about)
{
	struct row *row = &c->row[c->count++];

	*row = (struct row){.name = name, .about = about, .seconds = {NAN, NAN}};
	return row;
}

static bool add_algorithm(struct comparison *c, double bytes, sw_algorithm algorithm, sw_arena *arena)
{
	struct row *row = add_row(c, sw_algorithm_name(algorithm), sw_algorithm_about(algorithm));

	for (int way = RING; way < WAYS; way++) {
		if (!sw_algorithm_plan(algorithm, c->ports[way]->hierarchy.count, arena, &row->program[way]))
			return false;
		if (sw_algorithm_is(algorithm, (sw_allreduce_way)way) &&
			sw_reduction_price(c->ports[way], bytes, &row->program[way]))
			row->seconds[way] = row->program[way].model_cost;
	}
	return true;
}

static bool add_best(struct comparison *c, double bytes, sw_arena *arena)
{
	struct row *row = add_row(c, "best",
		sw_contexts_complete(c->contexts) ? "the fastest program of any length, proved" :
											"the fastest program found; `set plan_memory` allows a larger search");

	for (int way = RING; way < WAYS; way++) {
		sw_context_path path;

		if (!sw_reduction_best(c->contexts, c->ports[way], bytes, 0, &path) ||
			!sw_context_path_plan(c->contexts, &path, arena, &row->program[way]))
			return false;
		row->seconds[way] = path.seconds;
	}
	return true;
}

static bool fill(struct invocation *run, struct comparison *c, sw_diag *diag)
{
	struct session *session = run->session;
	const struct placing *placing = session->state.placing;
	struct sum sum;

	present_sum(session, &sum);
	for (int way = RING; way < WAYS; way++) {
		c->ports[way] = SW_NEW(run->arena, sw_ports, 1);
		if (c->ports[way] == NULL)
			return sw_diag_memory(diag);
		if (!sw_ports_make(&placing->system, &placing->placement, sum.axes, (sw_allreduce_way)way, c->ports[way],
				diag))
			return false;
	}
	c->contexts = contexts_asked(session, c->ports[RING]->hierarchy.count, diag);
	if (c->contexts == NULL)
		return false;
	for (int a = 0; a < SW_ALGORITHM_COUNT; a++)
		if (!add_algorithm(c, sum.bytes, (sw_algorithm)a, run->arena))
			return sw_diag_memory(diag);
	if (!add_best(c, sum.bytes, run->arena))
		return sw_diag_memory(diag);
	if (placing->system.topology == SW_TOPOLOGY_TREE)
		c->bound = sw_ports_bound(c->ports[RING], sum.bytes);
	return true;
}

/* ---- the answer ---- */

static bool same_steps(const struct row *row)
{
	const sw_plan *a = &row->program[RING], *b = &row->program[TREE];
	bool same = a->program.steps == b->program.steps;

	for (int k = 0; same && k < a->program.steps; k++)
		same = a->program.step[k].op == b->program.step[k].op &&
			sw_group_name_same(&a->program.step[k].by, &b->program.step[k].by);
	return same;
}

/* A line of the table: trees may take other steps, which stand below. */
struct line {
	const char *name;
	double seconds[WAYS];
	const sw_plan *program; /* NULL: there is only */
	const char *behind;
};

static void print_steps(const struct row_at *at, sw_text *text)
{
	const struct line *line = at->row;

	if (line->program != NULL)
		reduction_steps_text(at->of, line->program, text);
	sw_text_add(text, line->behind);
}

static const struct row_column line_columns[] = {
	ROW_AT(NULL, "algorithm", WORD, struct line, name, .role = ROLE_LABEL),
	ROW_AT(NULL, "rings", SECONDS, struct line, seconds[RING], .digits = 4),
	ROW_AT(NULL, "trees", SECONDS, struct line, seconds[TREE], .digits = 4),
	ROW_BY(NULL, "steps", TEXT, .print = print_steps, .as = {.fit = CELL_WRAP, .indent = 2}),
};

static void draw_comparison(const struct invocation *run, const struct comparison *c)
{
	struct line line[2 * SW_ALGORITHM_COUNT + 3];
	int count = 0;

	for (int i = 0; i < c->count; i++) {
		const struct row *row = &c->row[i];
		int way = isnan(row->seconds[RING]) ? TREE : RING;

		line[count++] = (struct line){row->name, {row->seconds[RING], row->seconds[TREE]}, &row->program[way], ""};
		if (!same_steps(row))
			line[count++] = (struct line){"", {NAN, NAN}, &row->program[TREE], "  (with trees)"};
	}
	if (c->bound > 0)
		line[count++] = (struct line){"bound", {c->bound, c->bound}, NULL,
			"no algorithm that sums on devices takes less"};
	const struct rows rows = ROWS_OF(line_columns, line, count, .of = c->ports[RING]);
	say_incomplete(run, c->contexts);
	document_line(run->answer, "compare  seconds with each allreduce as rings, and as trees");
	rows_table(&rows, run->answer, NULL);
}

static void add_fields(const struct invocation *run, const struct comparison *c)
{
	static const char *const ways[] = {"ring", "tree"};
	struct fields *fields = document_fields(run->answer, "shardwalk.compare-sums/1"), *rows;

	field_bool(fields, "complete", sw_contexts_complete(c->contexts));
	rows = field_list(fields, "algorithms");
	for (int i = 0; i < WAYS * c->count; i++) {
		const struct row *of = &c->row[i / WAYS];
		struct fields *row = isnan(of->seconds[i % WAYS]) ? NULL : field_object(rows, NULL);

		field_text(row, "name", of->name);
		field_text(row, "about", of->about);
		field_text(row, "allreduce", ways[i % WAYS]);
		field_number(row, "seconds", of->seconds[i % WAYS]);
		reduction_steps_fields(c->ports[i % WAYS], &of->program[i % WAYS], field_list(row, "steps"));
	}
	if (c->bound > 0)
		field_number(fields, "port_bound_s", c->bound);
}

bool compare_algorithms(struct invocation *run, sw_diag *diag)
{
	struct comparison *c = SW_NEW_ZERO(run->arena, struct comparison, 1);

	if (c == NULL)
		return sw_diag_memory(diag);
	if (!fill(run, c, diag))
		return false;
	add_fields(run, c);
	draw_comparison(run, c);
	return true;
}
