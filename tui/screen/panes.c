/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of the screen's views.
 */
#include "screen/panes.h"

#include "language/names.h"

const struct pane_row pane_rows[PANE_COUNT] = {
	[PANE_GRAPH] = {"graph", '1', "walk", draw_graph, move_graph, open_edges,
		"the search graph: a level for each local size", "nodes"},
	[PANE_TILES] = {"tiles", '2', "tiles", draw_tiles, move_device, NULL,
		"which device holds which tile, before and after a step", "devices across, rows down"},
	[PANE_HEIGHTS] = {"heights", '3', "plan", draw_heights, move_steps, NULL,
		"memory of every step against the budget", "steps"},
	[PANE_PLAN] = {"plan", '4', "plan", draw_plan, move_steps, NULL, "the steps of the plan", "steps"},
	[PANE_TRAFFIC] = {"traffic", '5', "traffic", draw_traffic, move_device, NULL, "who sends how much to whom",
		"devices across, rows down"},
	[PANE_TIMES] = {"times", '6', "one", draw_times, NULL, NULL, "predicted and measured times of the steps", "rows"},
	[PANE_COMPARE] = {"compare", '7', "one", draw_compare, NULL, open_compare, "strategies side by side", "rows"},
	[PANE_OUTPUT] = {"output", '8', "one", draw_output, NULL, NULL, "what commands answered", "rows"},
	[PANE_EDGES] = {"edges", 0, "walk", draw_edges, move_edges, open_edge,
		"the operations that lead out of the chosen node", "edges"},
	[PANE_REWRITING] = {"rewriting", '9', "one", draw_rewriting, move_rewriting, NULL,
		"how a sequence comes into normal form, rewriting by rewriting", "rewritings"},
	[PANE_ROUNDS] = {"rounds", 'H', "one", draw_rounds, move_rounds, NULL,
		"the step hop by hop: what devices hold and send", "hops across, steps down"},
	[PANE_PARETO] = {"pareto", '0', "budget", draw_pareto, move_pareto, open_pareto,
		"plans that trade memory against cost", "plans"},
	[PANE_TYPE] = {"type", 'Y', "types", draw_type, move_steps, NULL,
		"the types before and after a step, with a ruler for every dimension", "steps"},
	[PANE_MESH] = {"mesh", 'M', "types", draw_mesh, move_steps, NULL,
		"the mesh and its links; the groups of the step in their colours", "steps"},
	[PANE_IMPORTS] = {"imports", 'I', "one", draw_imports, move_imports, open_imports,
		"what was imported last, by what a plan saves", "rows"},
	[PANE_PROGRAM] = {"program", 'O', "one", draw_program, move_program, open_program,
		"the values of the program, what moves, and what it comes to", "redistributions"},
	[PANE_WAYS] = {"ways", 'W', "one", draw_ways, move_ways, open_ways,
		"the ways to compute a product of sharded arrays", "ways"},
	[PANE_SYSTEM] = {"system", 0, "sums", draw_system, move_steps, NULL,
		"the levels of a system, its ports and their load", "rows"},
	[PANE_PLACEMENT] = {"placement", 0, "sums", draw_placement, NULL, NULL,
		"the coordinates of every device along the axes of parallelism", "rows"},
	[PANE_GROUPS] = {"groups", 0, "sums", draw_groups, move_steps, NULL, "who works together in a step on chunks",
		"rows"},
	[PANE_STATE] = {"state", 0, "sums", draw_state, move_steps, NULL, "which shares of which chunks devices hold",
		"rows"},
	[PANE_HIERARCHIES] = {"hierarchies", 0, "one", draw_hierarchies, NULL, NULL,
		"the factors of the placement in five orders", "rows"},
	[PANE_REDUCTIONS] = {"reductions", 0, "one", draw_reductions, NULL, NULL,
		"the programs that make the sum, on every placement", "rows"},
	[PANE_SETS] = {"sets", 'D', "sets", draw_sets, move_among, NULL,
		"what each device holds before a step, or after it", "devices across, rows down"},
	[PANE_RELATION] = {"relation", 'F', "sets", draw_relation, move_among, NULL,
		"who needs what of whom between both ends", "devices across, rows down"},
	[PANE_NEEDS] = {"needs", 'A', "tasks", draw_needs, move_among, NULL,
		"what devices need for a formula: alpha, beta and gamma", "devices across, rows down"},
	[PANE_TASKS] = {"tasks", 'K', "tasks", draw_tasks, move_among, NULL,
		"the tasks of a formula that is repeated, and what may start", "devices across, rows down"},
	[PANE_START] = {"start", 0, "one", draw_offer, move_offer, open_offer, "the tour, and problems to open", "rows"},
	[PANE_HELP] = {"help", 0, "one", draw_help, NULL, NULL, "keys, symbols and colours", "rows"},
};

CHOICES(pane_choice, PANE_COUNT, pane_rows[n].name, "")
