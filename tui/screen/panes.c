/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of the screen's views.
 */
#include "screen/panes.h"

#include <string.h>

#include "language/names.h"

const struct pane_row pane_rows[PANE_COUNT] = {
	[PANE_GRAPH] = {"graph", "walk", draw_graph, move_graph, open_edges, need_walk, NULL,
		"the search graph: a level for each size of a local type", "nodes"},
	[PANE_TILES] = {"tiles", "tiles", draw_tiles, move_device, NULL, NULL, NULL,
		"which device holds which tile, before and after a step", "devices across, rows down"},
	[PANE_HEIGHTS] = {"heights", "plan", draw_heights, move_steps, NULL, NULL, NULL,
		"memory of every step against the budget", "steps"},
	[PANE_FILM] = {"film", "one", draw_film, move_film, open_film, NULL, NULL,
		"the whole plan as a row of pictures, with memory and time", "tenths of a step across, steps down"},
	[PANE_PLAN] = {"plan", "plan", draw_plan, move_steps, NULL, NULL, NULL, "the steps of the plan", "steps"},
	[PANE_TRAFFIC] = {"traffic", "traffic", draw_traffic, move_device, NULL, NULL, NULL, "who sends how much to whom",
		"devices across, rows down"},
	[PANE_TIMES] = {"times", "one", draw_times, NULL, NULL, NULL, NULL, "predicted and measured times of the steps",
		"rows"},
	[PANE_COMPARE] = {"compare", "one", draw_compare, move_compare, open_compare, NULL, makes_comparison,
		"strategies side by side", "rows"},
	[PANE_OUTPUT] = {"output", "one", draw_output, NULL, NULL, need_output, NULL, "the answers of commands", "rows"},
	[PANE_EDGES] = {"edges", "walk", draw_edges, move_edges, open_edge, need_walk, NULL,
		"the operations that lead out of the chosen node", "edges"},
	[PANE_REWRITING] = {"rewriting", "one", draw_rewriting, move_rewriting, NULL, NULL, NULL,
		"how a sequence is rewritten into normal form, one rewriting at a time", "rewritings"},
	[PANE_ROUNDS] = {"rounds", "one", draw_rounds, move_rounds, NULL, NULL, NULL,
		"the step hop by hop: what devices hold and send", "hops across, steps down"},
	[PANE_PARETO] = {"pareto", "budget", draw_pareto, move_pareto, open_pareto, NULL, makes_trades,
		"plans that trade memory for cost", "plans"},
	[PANE_TYPE] = {"type", "types", draw_type, move_steps, NULL, NULL, NULL,
		"the types before and after a step, with a ruler for every dimension", "steps"},
	[PANE_MESH] = {"mesh", "types", draw_mesh, move_steps, NULL, NULL, NULL,
		"the mesh and its links; the groups of the step in their colours", "steps"},
	[PANE_IMPORTS] = {"imports", "one", draw_imports, move_imports, open_imports, NULL, NULL,
		"the last import, by bytes, saving, time or line", "rows"},
	[PANE_PROGRAM] = {"program", "one", draw_program, move_program, open_program, NULL, makes_program,
		"the values of the program, what moves, and its totals", "redistributions"},
	[PANE_WAYS] = {"ways", "one", draw_ways, move_ways, open_ways, NULL, makes_ways,
		"the ways to compute a product of sharded arrays", "ways"},
	[PANE_SYSTEM] = {"system", "sums", draw_system, move_steps, NULL, NULL, NULL,
		"the levels of a system, its ports and their load", "rows"},
	[PANE_PLACEMENT] = {"placement", "sums", draw_placement, NULL, NULL, NULL, NULL,
		"the coordinates of every device along the axes of parallelism", "rows"},
	[PANE_GROUPS] = {"groups", "sums", draw_groups, move_steps, NULL, NULL, NULL,
		"the devices that work together in a "
		"step on chunks",
		"rows"},
	[PANE_STATE] = {"state", "sums", draw_state, move_steps, NULL, NULL, NULL,
		"which shares of which chunks devices hold", "rows"},
	[PANE_HIERARCHIES] = {"hierarchies", "one", draw_hierarchies, NULL, NULL, NULL, NULL,
		"the factors of the placement in five orders", "rows"},
	[PANE_REDUCTIONS] = {"reductions", "one", draw_reductions, move_reductions, open_reductions, NULL, NULL,
		"the programs that compute the sum, on every placement", "programs"},
	[PANE_PLACEMENTS] = {"placements", "one", draw_placements, move_placements, open_placements, NULL,
		makes_placements, "the ways to place the axes on the levels, by the time of sums", "placements"},
	[PANE_SETS] = {"sets", "sets", draw_sets, move_among, NULL, NULL, NULL,
		"what each device holds before or after a step", "devices across, rows down"},
	[PANE_RELATION] = {"relation", "sets", draw_relation, move_among, NULL, need_relation, NULL,
		"who needs what from whom between both ends", "devices across, rows down"},
	[PANE_NEEDS] = {"needs", "tasks", draw_needs, move_among, NULL, NULL, NULL,
		"what devices need to compute a formula: alpha, beta and gamma", "devices across, rows down"},
	[PANE_TASKS] = {"tasks", "tasks", draw_tasks, move_among, NULL, NULL, NULL,
		"the tasks of a repeated formula, and those that may start", "devices across, rows down"},
	[PANE_HOLDS] = {"holds", "schedule", draw_holds, move_among, NULL, need_schedule, NULL,
		"what devices hold in a step of a schedule, and who sent it", "devices across, rows down"},
	[PANE_EXECUTION] = {"execution", "schedule", draw_execution, move_among, NULL, need_schedule, NULL,
		"devices against time: the points of a schedule", "devices across, rows down"},
	[PANE_LOOPS] = {"loops", "schedule", draw_loops, NULL, NULL, need_schedule, NULL,
		"the loops of a schedule, and pseudocode", "rows"},
	[PANE_START] = {"start", "one", draw_offer, move_offer, open_offer, NULL, NULL, "the tour, and problems to open",
		"rows"},
	[PANE_HELP] = {"help", "one", draw_help, NULL, NULL, NULL, NULL, "keys, symbols and colours", "rows"},
};

int pane_named(const char *name)
{
	for (int view = 0; view < PANE_COUNT; view++)
		if (strcmp(pane_rows[view].name, name) == 0)
			return view;
	return -1;
}

CHOICES(pane_choice, PANE_COUNT, pane_rows[n].name, "")
