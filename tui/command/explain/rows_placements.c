/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the paper on placements defines, states, draws and measures: the rows.
 *
 * Source of all of it: seed 001, "Synthesizing optimal parallelism placement and reduction strategies on
 * hierarchical systems for deep learning".
 */
#include "command/explain/paper.h"

#include <stddef.h>

static const struct printed figure_11[] = {
	{"programs on the placements of a: 4 nodes of V100, [2 16], the second axis",
		"system p2-v100 4; axes {a: 2, b: 16}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n'},
	{"programs on those of b: 4 nodes of A100, [4 2 8], the first and the third",
		"system p2-a100 4; axes {a: 4, b: 2, c: 8}; set allreduce tree; reduce {a, c} f32[2147483648]; "
		"placements",
		"programs", .unit = 'n'},
	{0},
};

#define RUNNING_EXAMPLE \
	"system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 2]]; reduce {shard} " \
	"f32[1024]; show hierarchies"
#define NINE_FACTORS \
	"system {rack: 28, node: 80, gpu: 162}; axes {a: 6, b: 120, c: 504}; place [[1 2 3] [4 5 6] [7 8 9]]; reduce {a, c} " \
	"f32[362880]; show hierarchies"
#define FACTORS_SUMMED "factors of the axes summed over"

static const struct printed table_1[] = {
	{"column by column, the last after 1 1 1 2 2 1 2", RUNNING_EXAMPLE, "~[1 *1 1 *2 2 *1 2 *", .unit = 'n',
		.print = "2", .why = FACTORS_SUMMED},
	{"row by row, the last after 1 1 2 2 1 2 1", NULL, "~[1 1 2 2 *1 *2 *1 *", .unit = 'n', .print = "2",
		.why = FACTORS_SUMMED},
	{"of the summed axis, the last after 1 2 1", NULL, "~[*1 *2 *1 *", .unit = 'n', .print = "2",
		.why = FACTORS_SUMMED},
	{"of nine by columns, after 1 4 7 2 5 8 3 6", NINE_FACTORS, "~[*1 4 *7 *2 5 *8 *3 6 *", .unit = 'n', .print = "9",
		.why = FACTORS_SUMMED},
	{"by rows, after 1 2 3 4 5 6 7 8", NULL, "~[*1 *2 *3 4 5 6 *7 *8 *", .unit = 'n', .print = "9",
		.why = FACTORS_SUMMED},
	{"of the summed axes, after 1 2 3 7 8", NULL, "~[*1 *2 *3 *7 *8 *", .unit = 'n', .print = "9",
		.why = FACTORS_SUMMED},
	{"those of one level together, the first", NULL, "~merged\n   [*", .unit = 'n', .print = "7",
		.why = FACTORS_SUMMED},
	{"the second", NULL, "~[*7 *", .unit = 'n', .print = "16", .why = FACTORS_SUMMED},
	{"the third", NULL, "~[*7 *16 *", .unit = 'n', .print = "27", .why = FACTORS_SUMMED},
	{0},
};

/* Section 3.4 lists the hierarchies of the running example. */
static const struct printed four_hierarchies[] = {
	{"levels of the system, the last after 1 2 2", RUNNING_EXAMPLE, "~[1 2 2 ", .unit = 'n', .print = "4",
		.why = FACTORS_SUMMED},
	{"column by column, the last after 1 1 1 2 2 1 2", NULL, "~[1 *1 1 *2 2 *1 2 *", .unit = 'n', .print = "2",
		.why = FACTORS_SUMMED},
	{"row by row, the last after 1 1 2 2 1 2 1", NULL, "~[1 1 2 2 *1 *2 *1 *", .unit = 'n', .print = "2",
		.why = FACTORS_SUMMED},
	{"of the summed axis, the last after 1 2 1", NULL, "~[*1 *2 *1 *", .unit = 'n', .print = "2",
		.why = FACTORS_SUMMED},
	{0},
};

#define GROUPS_OF \
	"system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {all: 16}; place [[1 2 2 4]]; reduce {all} f32[1024]; " \
	"set hierarchy a; show groups "
#define LISTED "as many as the figure lists"
#define A_ROW_LOWER "the figure prints the rows of rack and server one row too low"

static const struct printed table_2[] = {
	{"CPU, InsideGroup: groups", GROUPS_OF "inside cpu", "~inside cpu: ", .unit = 'n', .print = "4", .why = LISTED},
	{"of so many devices", NULL, "~groups of ", .unit = 'n', .print = "4", .why = LISTED},
	{"CPU, Parallel(server): groups", GROUPS_OF "across cpu in server", "~in server: ", .unit = 'n', .print = "8",
		.why = LISTED},
	{"of so many devices", NULL, "~groups of ", .unit = 'n', .print = "2", .why = LISTED},
	{"CPU, Parallel(rack): groups", GROUPS_OF "across cpu in rack", "~in rack: ", .unit = 'n', .print = "4",
		.why = LISTED},
	{"of so many devices", NULL, "~groups of ", .unit = 'n', .print = "4", .why = LISTED},
	{"CPU, Master(rack): groups", GROUPS_OF "masters cpu in rack", "~in rack: ", .unit = 'n', .print = "1",
		.why = LISTED},
	{"of so many devices", NULL, "~group of ", .unit = 'n', .print = "4", .why = LISTED},
	{"server, InsideGroup: groups", GROUPS_OF "inside server", "~inside server: ", .unit = 'n', .print = "2",
		.why = LISTED},
	{"of so many devices", NULL, "~groups of ", .unit = 'n', .print = "8", .why = LISTED},
	{"server, Parallel(rack): groups", GROUPS_OF "across server in rack", "~in rack: ", .unit = 'n', .print = "8",
		.why = LISTED},
	{"of so many devices", NULL, "~groups of ", .unit = 'n', .print = "2", .why = LISTED},
	{"rack, InsideGroup: groups", GROUPS_OF "inside rack", "~inside rack: ", .unit = 'n', .print = "2",
		.why = A_ROW_LOWER},
	{"of so many devices", NULL, "~group of ", .unit = 'n', .print = "8", .why = A_ROW_LOWER},
	{0},
};

static const struct printed table_3[] = {
	{"A1 [[1 2] [4 8]], over the first, ring",
		"system p2-a100 4; axes {a: 2, b: 32}; place [[1 2] [4 8]]; set allreduce ring; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.12 s"},
	{"A1 [[1 2] [4 8]], over the first, tree",
		"system p2-a100 4; axes {a: 2, b: 32}; place [[1 2] [4 8]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.17 s"},
	{"A1 [[1 2] [4 8]], over the second, ring",
		"system p2-a100 4; axes {a: 2, b: 32}; place [[1 2] [4 8]]; set allreduce ring; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "8.74 s"},
	{"A1 [[1 2] [4 8]], over the second, tree",
		"system p2-a100 4; axes {a: 2, b: 32}; place [[1 2] [4 8]]; set allreduce tree; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "9.89 s"},
	{"A2 [[2 1] [2 16]], over the first, ring",
		"system p2-a100 4; axes {a: 2, b: 32}; place [[2 1] [2 16]]; set allreduce ring; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "37.16 s"},
	{"A2 [[2 1] [2 16]], over the first, tree",
		"system p2-a100 4; axes {a: 2, b: 32}; place [[2 1] [2 16]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "36.94 s"},
	{"A2 [[2 1] [2 16]], over the second, ring",
		"system p2-a100 4; axes {a: 2, b: 32}; place [[2 1] [2 16]]; set allreduce ring; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "4.81 s"},
	{"A2 [[2 1] [2 16]], over the second, tree",
		"system p2-a100 4; axes {a: 2, b: 32}; place [[2 1] [2 16]]; set allreduce tree; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "3.41 s"},
	{"B1 [[1 4] [4 4]], over the first, ring",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[1 4] [4 4]]; set allreduce ring; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.15 s"},
	{"B1 [[1 4] [4 4]], over the first, tree",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[1 4] [4 4]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.20 s"},
	{"B1 [[1 4] [4 4]], over the second, ring",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[1 4] [4 4]]; set allreduce ring; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "17.70 s"},
	{"B1 [[1 4] [4 4]], over the second, tree",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[1 4] [4 4]]; set allreduce tree; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "19.03 s"},
	{"B2 [[2 2] [2 8]], over the first, ring",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[2 2] [2 8]]; set allreduce ring; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "28.77 s"},
	{"B2 [[2 2] [2 8]], over the first, tree",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[2 2] [2 8]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "19.81 s"},
	{"B2 [[2 2] [2 8]], over the second, ring",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[2 2] [2 8]]; set allreduce ring; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "8.39 s"},
	{"B2 [[2 2] [2 8]], over the second, tree",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[2 2] [2 8]]; set allreduce tree; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "4.99 s"},
	{"B3 [[4 1] [1 16]], over the first, ring",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[4 1] [1 16]]; set allreduce ring; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "56.13 s"},
	{"B3 [[4 1] [1 16]], over the first, tree",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[4 1] [1 16]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "89.70 s"},
	{"B3 [[4 1] [1 16]], over the second, ring",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[4 1] [1 16]]; set allreduce ring; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.18 s"},
	{"B3 [[4 1] [1 16]], over the second, tree",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[4 1] [1 16]]; set allreduce tree; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.22 s"},
	{"C1 [[1 8] [4 2]], over the first, ring",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[1 8] [4 2]]; set allreduce ring; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.17 s"},
	{"C1 [[1 8] [4 2]], over the first, tree",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[1 8] [4 2]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.21 s"},
	{"C1 [[1 8] [4 2]], over the second, ring",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[1 8] [4 2]]; set allreduce ring; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "33.92 s"},
	{"C1 [[1 8] [4 2]], over the second, tree",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[1 8] [4 2]]; set allreduce tree; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "41.06 s"},
	{"C2 [[2 4] [2 4]], over the first, ring",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[2 4] [2 4]]; set allreduce ring; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "16.52 s"},
	{"C2 [[2 4] [2 4]], over the first, tree",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[2 4] [2 4]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "9.18 s"},
	{"C2 [[2 4] [2 4]], over the second, ring",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[2 4] [2 4]]; set allreduce ring; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "15.68 s"},
	{"C2 [[2 4] [2 4]], over the second, tree",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[2 4] [2 4]]; set allreduce tree; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "9.43 s"},
	{"C3 [[4 2] [1 8]], over the first, ring",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[4 2] [1 8]]; set allreduce ring; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "34.05 s"},
	{"C3 [[4 2] [1 8]], over the first, tree",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[4 2] [1 8]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "41.23 s"},
	{"C3 [[4 2] [1 8]], over the second, ring",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[4 2] [1 8]]; set allreduce ring; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.17 s"},
	{"C3 [[4 2] [1 8]], over the second, tree",
		"system p2-a100 4; axes {a: 8, b: 8}; place [[4 2] [1 8]]; set allreduce tree; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.21 s"},
	{"E1 [[1 8] [4 1]], over the first, ring",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[1 8] [4 1]]; set allreduce ring; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.28 s"},
	{"E1 [[1 8] [4 1]], over the first, tree",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[1 8] [4 1]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.39 s"},
	{"E1 [[1 8] [4 1]], over the second, ring",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[1 8] [4 1]]; set allreduce ring; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "21.74 s"},
	{"E1 [[1 8] [4 1]], over the second, tree",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[1 8] [4 1]]; set allreduce tree; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "30.42 s"},
	{"E2 [[2 4] [2 2]], over the first, ring",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[2 4] [2 2]]; set allreduce ring; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "14.25 s"},
	{"E2 [[2 4] [2 2]], over the first, tree",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[2 4] [2 2]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "15.48 s"},
	{"E2 [[2 4] [2 2]], over the second, ring",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[2 4] [2 2]]; set allreduce ring; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "10.98 s"},
	{"E2 [[2 4] [2 2]], over the second, tree",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[2 4] [2 2]]; set allreduce tree; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "7.34 s"},
	{"E3 [[4 2] [1 4]], over the first, ring",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[4 2] [1 4]]; set allreduce ring; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "14.84 s"},
	{"E3 [[4 2] [1 4]], over the first, tree",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[4 2] [1 4]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "19.90 s"},
	{"E3 [[4 2] [1 4]], over the second, ring",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[4 2] [1 4]]; set allreduce ring; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "2.96 s"},
	{"E3 [[4 2] [1 4]], over the second, tree",
		"system p2-v100 4; axes {a: 8, b: 4}; place [[4 2] [1 4]]; set allreduce tree; reduce {b} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 's', .print = "0.43 s"},
	{0},
};

static const struct printed table_4[] = {
	{"F: programs on all placements of {a: 8, b: 4}, a100 2",
		"system p2-a100 2; axes {a: 8, b: 4}; set allreduce ring; reduce {a} f32[1073741824]; placements", "programs",
		.unit = 'n', .print = "47", .why = "appendix A prints the number found here for these axes"},
	{"F1 [[1 8] [2 2]]: the best program over one allreduce",
		"system p2-a100 2; axes {a: 8, b: 4}; place [[1 8] [2 2]]; set allreduce ring; reduce {a} "
		"f32[1073741824]; reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1 x", .over = "best.total_s"},
	{"F2 [[2 4] [1 4]]: the best program over one allreduce",
		"system p2-a100 2; axes {a: 8, b: 4}; place [[2 4] [1 4]]; set allreduce ring; reduce {a} "
		"f32[1073741824]; reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1.83 x", .over = "best.total_s"},
	{"G: programs on all placements of {a: 4, b: 16}, a100 4",
		"system p2-a100 4; axes {a: 4, b: 16}; set allreduce tree; reduce {a} f32[2147483648]; placements",
		"programs", .unit = 'n', .print = "53", .why = "appendix A prints the number found here for these axes"},
	{"G1 [[1 4] [4 4]]: the best program over one allreduce",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[1 4] [4 4]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1.17 x", .over = "best.total_s"},
	{"G2 [[4 1] [1 16]]: the best program over one allreduce",
		"system p2-a100 4; axes {a: 4, b: 16}; place [[4 1] [1 16]]; set allreduce tree; reduce {a} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1.60 x", .over = "best.total_s"},
	{"H: programs on all placements of {a: 16, b: 2, c: 2}, a100 4",
		"system p2-a100 4; axes {a: 16, b: 2, c: 2}; set allreduce ring; reduce {a, c} f32[2147483648]; "
		"placements",
		"programs", .unit = 'n', .print = "235", .why = "appendix A prints the number found here for these axes"},
	{"H1 [[1 16] [2 1] [2 1]]: the best program over one allreduce",
		"system p2-a100 4; axes {a: 16, b: 2, c: 2}; place [[1 16] [2 1] [2 1]]; set allreduce ring; "
		"reduce {a, c} f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1.03 x", .over = "best.total_s"},
	{"H2 [[2 8] [2 1] [1 2]]: the best program over one allreduce",
		"system p2-a100 4; axes {a: 16, b: 2, c: 2}; place [[2 8] [2 1] [1 2]]; set allreduce ring; "
		"reduce {a, c} f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1.58 x", .over = "best.total_s"},
	{"I: programs on all placements of {a: 2, b: 2, c: 16}, a100 4",
		"system p2-a100 4; axes {a: 2, b: 2, c: 16}; set allreduce ring; reduce {a, c} f32[2147483648]; "
		"placements",
		"programs", .unit = 'n', .print = "235", .why = "appendix A prints the number found here for these axes"},
	{"I1 [[2 1] [2 1] [1 16]]: the best program over one allreduce",
		"system p2-a100 4; axes {a: 2, b: 2, c: 16}; place [[2 1] [2 1] [1 16]]; set allreduce ring; "
		"reduce {a, c} f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1.61 x", .over = "best.total_s"},
	{"I2 [[1 2] [2 1] [2 8]]: the best program over one allreduce",
		"system p2-a100 4; axes {a: 2, b: 2, c: 16}; place [[1 2] [2 1] [2 8]]; set allreduce ring; "
		"reduce {a, c} f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1.11 x", .over = "best.total_s"},
	{"J: programs on all placements of {a: 64}, a100 4",
		"system p2-a100 4; axes {a: 64}; set allreduce tree; reduce {a} f32[2147483648]; placements", "programs",
		.unit = 'n', .print = "47", .why = "appendix A prints the number found here for these axes"},
	{"J1 [[4 16]]: the best program over one allreduce",
		"system p2-a100 4; axes {a: 64}; place [[4 16]]; set allreduce tree; reduce {a} f32[2147483648]; "
		"reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1.21 x", .over = "best.total_s"},
	{"K: programs on all placements of {a: 8, b: 2, c: 2}, v100 4",
		"system p2-v100 4; axes {a: 8, b: 2, c: 2}; set allreduce ring; reduce {a, c} f32[2147483648]; "
		"placements",
		"programs", .unit = 'n', .print = "188", .why = "appendix A prints the number found here for these axes"},
	{"K1 [[2 4] [2 1] [1 2]]: the best program over one allreduce",
		"system p2-v100 4; axes {a: 8, b: 2, c: 2}; place [[2 4] [2 1] [1 2]]; set allreduce ring; "
		"reduce {a, c} f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "2.04 x", .over = "best.total_s"},
	{"K2 [[1 8] [2 1] [2 1]]: the best program over one allreduce",
		"system p2-v100 4; axes {a: 8, b: 2, c: 2}; place [[1 8] [2 1] [2 1]]; set allreduce ring; "
		"reduce {a, c} f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1 x", .over = "best.total_s"},
	{"L: programs on all placements of {a: 32}, v100 4",
		"system p2-v100 4; axes {a: 32}; set allreduce ring; reduce {a} f32[2147483648]; placements", "programs",
		.unit = 'n', .print = "47", .why = "appendix A prints the number found here for these axes"},
	{"L1 [[4 8]]: the best program over one allreduce",
		"system p2-v100 4; axes {a: 32}; place [[4 8]]; set allreduce ring; reduce {a} f32[2147483648]; "
		"reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1.4 x", .over = "best.total_s"},
	{0},
};

static const struct printed result_1[] = {
	{"B3 over B1, one allreduce by trees",
		"system p2-a100 4; axes {a: 4, b: 16}; set allreduce tree; reduce {a} f32[2147483648]; placements",
		"placements[2].allreduce_s", .unit = 'x', .print = "448.5 x", .over = "placements[0].allreduce_s"},
	{"B1 over B3, the other axis",
		"system p2-a100 4; axes {a: 4, b: 16}; set allreduce tree; reduce {b} f32[2147483648]; placements",
		"placements[2].allreduce_s", .unit = 'x', .print = "86.5 x", .over = "placements[0].allreduce_s"},
	{0},
};

static const struct printed result_2[] = {
	{"most programs of a sum in table 4, up to 5 steps",
		"system p2-a100 4; axes {a: 4, b: 2, c: 8}; reduce {a, c} f32[2147483648]; placements", "programs",
		.unit = 'n', .print = "235", .why = "the longest list of any row in appendix A"},
	{"programs over one level",
		"system {gpu: 8 @ 100GB/s}; axes {data: 8}; place 1; reduce {data} f32[1048576]; reductions", "count",
		.unit = 'n', .print = "3", .why = "from the totals of 6 over two placements"},
	{"over two levels",
		"system {node: 2 @ 8GB/s, gpu: 8 @ 100GB/s}; axes {data: 16}; place 1; reduce {data} "
		"f32[1048576]; reductions",
		"count", .unit = 'n', .print = "47", .why = "from the totals of one placement"},
	{0},
};

static const struct printed result_3[] = {
	{"F2 over F1, one allreduce", "system p2-a100 2; axes {a: 8, b: 4}; reduce {a} f32[1073741824]; placements",
		"placements[1].allreduce_s", .unit = 'x', .print = "99.06 x", .over = "placements[0].allreduce_s"},
	{"programs faster than one allreduce for F1",
		"system p2-a100 2; axes {a: 8, b: 4}; place [[1 8] [2 2]]; reduce {a} f32[1073741824]; reductions", "faster",
		.unit = 'n', .print = "0", .why = "one allreduce is the fastest inside a node"},
	{0},
};

static const struct printed result_4[] = {
	{"G2 over G1, one allreduce",
		"system p2-a100 4; axes {a: 4, b: 16}; set allreduce tree; reduce {a} f32[2147483648]; placements",
		"placements[2].allreduce_s", .unit = 'x', .print = "448.5 x", .over = "placements[0].allreduce_s"},
	{"G2 over G1, the best program of each", NULL, "placements[2].best_s", .unit = 'x', .print = "330.2 x",
		.over = "placements[0].best_s"},
	{0},
};

static const struct printed result_5[] = {
	{"K1, the best program",
		"system p2-v100 4; axes {a: 8, b: 2, c: 2}; place [[2 4] [2 1] [1 2]]; reduce {a, c} "
		"f32[2147483648]; reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "2.04 x", .over = "best.total_s"},
	{"F2, the best program",
		"system p2-a100 2; axes {a: 8, b: 4}; place [[2 4] [1 4]]; reduce {a} f32[1073741824]; "
		"reductions --limit 1",
		"allreduce_s", .unit = 'x', .print = "1.84 x", .over = "best.total_s"},
	{0},
};

static const struct printed section_35[] = {
	{"one level, up to 5 steps",
		"system {gpu: 8 @ 100GB/s}; axes {data: 8}; place 1; reduce {data} f32[1048576]; reductions", "count",
		.unit = 'n', .print = "3", .why = "from the totals"},
	{"two levels",
		"system {node: 2 @ 8GB/s, gpu: 8 @ 100GB/s}; axes {data: 16}; place 1; reduce {data} "
		"f32[1048576]; reductions",
		"count", .unit = 'n', .print = "47", .why = "from the totals"},
	{"three levels",
		"system {rack: 2 @ 1GB/s, node: 2 @ 8GB/s, gpu: 8 @ 100GB/s}; axes {data: 32}; place 1; reduce "
		"{data} f32[1048576]; reductions",
		"count", .unit = 'n'},
	{"four levels",
		"system {hall: 2 @ 1GB/s, rack: 2 @ 4GB/s, node: 2 @ 8GB/s, gpu: 8 @ 100GB/s}; axes {data: 64}; "
		"place 1; reduce {data} f32[1048576]; reductions",
		"count", .unit = 'n'},
	{0},
};

static const struct printed appendix_a[] = {
	{"2 nodes of a100, {a: 32}, over {a}", "system p2-a100 2; axes {a: 32}; reduce {a} f32[2147483648]; placements",
		"programs", .unit = 'n', .print = "47", .why = "the paper found another number of programs"},
	{"2 nodes of a100, {a: 2, b: 16}, over {a}",
		"system p2-a100 2; axes {a: 2, b: 16}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "6", .why = "the paper found another number of programs"},
	{"2 nodes of a100, {a: 2, b: 16}, over {b}",
		"system p2-a100 2; axes {a: 2, b: 16}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "50", .why = "the paper found another number of programs"},
	{"2 nodes of a100, {a: 4, b: 8}, over {a}",
		"system p2-a100 2; axes {a: 4, b: 8}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "50", .why = "the paper found another number of programs"},
	{"2 nodes of a100, {a: 4, b: 8}, over {b}",
		"system p2-a100 2; axes {a: 4, b: 8}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "50", .why = "the paper found another number of programs"},
	{"2 nodes of a100, {a: 8, b: 4}, over {a}",
		"system p2-a100 2; axes {a: 8, b: 4}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "50", .why = "the paper found another number of programs"},
	{"2 nodes of a100, {a: 8, b: 4}, over {b}",
		"system p2-a100 2; axes {a: 8, b: 4}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "50", .why = "the paper found another number of programs"},
	{"2 nodes of a100, {a: 16, b: 2}, over {a}",
		"system p2-a100 2; axes {a: 16, b: 2}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "50", .why = "the paper found another number of programs"},
	{"2 nodes of a100, {a: 16, b: 2}, over {b}",
		"system p2-a100 2; axes {a: 16, b: 2}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "6", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 64}, over {a}", "system p2-a100 4; axes {a: 64}; reduce {a} f32[2147483648]; placements",
		"programs", .unit = 'n', .print = "47", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 2, b: 32}, over {a}",
		"system p2-a100 4; axes {a: 2, b: 32}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "6", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 2, b: 32}, over {b}",
		"system p2-a100 4; axes {a: 2, b: 32}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "94", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 4, b: 16}, over {a}",
		"system p2-a100 4; axes {a: 4, b: 16}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "53", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 4, b: 16}, over {b}",
		"system p2-a100 4; axes {a: 4, b: 16}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "97", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 8, b: 8}, over {a}",
		"system p2-a100 4; axes {a: 8, b: 8}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "97", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 8, b: 8}, over {b}",
		"system p2-a100 4; axes {a: 8, b: 8}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "97", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 16, b: 4}, over {a}",
		"system p2-a100 4; axes {a: 16, b: 4}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "97", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 16, b: 4}, over {b}",
		"system p2-a100 4; axes {a: 16, b: 4}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "53", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 32, b: 2}, over {a}",
		"system p2-a100 4; axes {a: 32, b: 2}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "94", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 32, b: 2}, over {b}",
		"system p2-a100 4; axes {a: 32, b: 2}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "6", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 16, b: 2, c: 2}, over {a, c}",
		"system p2-a100 4; axes {a: 16, b: 2, c: 2}; reduce {a, c} f32[2147483648]; placements", "programs",
		.unit = 'n', .print = "188", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 8, b: 2, c: 4}, over {a, c}",
		"system p2-a100 4; axes {a: 8, b: 2, c: 4}; reduce {a, c} f32[2147483648]; placements", "programs",
		.unit = 'n', .print = "235", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 4, b: 2, c: 8}, over {a, c}",
		"system p2-a100 4; axes {a: 4, b: 2, c: 8}; reduce {a, c} f32[2147483648]; placements", "programs",
		.unit = 'n', .print = "235", .why = "the paper found another number of programs"},
	{"4 nodes of a100, {a: 2, b: 2, c: 16}, over {a, c}",
		"system p2-a100 4; axes {a: 2, b: 2, c: 16}; reduce {a, c} f32[2147483648]; placements", "programs",
		.unit = 'n', .print = "188", .why = "the paper found another number of programs"},
	{"2 nodes of v100, {a: 16}, over {a}", "system p2-v100 2; axes {a: 16}; reduce {a} f32[2147483648]; placements",
		"programs", .unit = 'n', .print = "47", .why = "the paper found another number of programs"},
	{"2 nodes of v100, {a: 2, b: 8}, over {a}",
		"system p2-v100 2; axes {a: 2, b: 8}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "6", .why = "the paper found another number of programs"},
	{"2 nodes of v100, {a: 2, b: 8}, over {b}",
		"system p2-v100 2; axes {a: 2, b: 8}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "50", .why = "the paper found another number of programs"},
	{"2 nodes of v100, {a: 4, b: 4}, over {a}",
		"system p2-v100 2; axes {a: 4, b: 4}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "50", .why = "the paper found another number of programs"},
	{"2 nodes of v100, {a: 4, b: 4}, over {b}",
		"system p2-v100 2; axes {a: 4, b: 4}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "50", .why = "the paper found another number of programs"},
	{"2 nodes of v100, {a: 8, b: 2}, over {a}",
		"system p2-v100 2; axes {a: 8, b: 2}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "50", .why = "the paper found another number of programs"},
	{"2 nodes of v100, {a: 8, b: 2}, over {b}",
		"system p2-v100 2; axes {a: 8, b: 2}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "6", .why = "the paper found another number of programs"},
	{"4 nodes of v100, {a: 32}, over {a}", "system p2-v100 4; axes {a: 32}; reduce {a} f32[2147483648]; placements",
		"programs", .unit = 'n', .print = "47", .why = "the paper found another number of programs"},
	{"4 nodes of v100, {a: 2, b: 16}, over {a}",
		"system p2-v100 4; axes {a: 2, b: 16}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "6", .why = "the paper found another number of programs"},
	{"4 nodes of v100, {a: 2, b: 16}, over {b}",
		"system p2-v100 4; axes {a: 2, b: 16}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "94", .why = "the paper found another number of programs"},
	{"4 nodes of v100, {a: 4, b: 8}, over {a}",
		"system p2-v100 4; axes {a: 4, b: 8}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "53", .why = "the paper found another number of programs"},
	{"4 nodes of v100, {a: 4, b: 8}, over {b}",
		"system p2-v100 4; axes {a: 4, b: 8}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "97", .why = "the paper found another number of programs"},
	{"4 nodes of v100, {a: 8, b: 4}, over {a}",
		"system p2-v100 4; axes {a: 8, b: 4}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "97", .why = "the paper found another number of programs"},
	{"4 nodes of v100, {a: 8, b: 4}, over {b}",
		"system p2-v100 4; axes {a: 8, b: 4}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "53", .why = "the paper found another number of programs"},
	{"4 nodes of v100, {a: 16, b: 2}, over {a}",
		"system p2-v100 4; axes {a: 16, b: 2}; reduce {a} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "94", .why = "the paper found another number of programs"},
	{"4 nodes of v100, {a: 16, b: 2}, over {b}",
		"system p2-v100 4; axes {a: 16, b: 2}; reduce {b} f32[2147483648]; placements", "programs", .unit = 'n',
		.print = "6", .why = "the paper found another number of programs"},
	{"4 nodes of v100, {a: 2, b: 2, c: 8}, over {a, c}",
		"system p2-v100 4; axes {a: 2, b: 2, c: 8}; reduce {a, c} f32[2147483648]; placements", "programs",
		.unit = 'n', .print = "188", .why = "the paper found another number of programs"},
	{"4 nodes of v100, {a: 8, b: 2, c: 2}, over {a, c}",
		"system p2-v100 4; axes {a: 8, b: 2, c: 2}; reduce {a, c} f32[2147483648]; placements", "programs",
		.unit = 'n', .print = "188", .why = "the paper found another number of programs"},
	{0},
};

static const struct printed orders_printed[] = {
	{"orders of 16 devices, the power of 2",
		"system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; placements", "orders_log2",
		.unit = 'n', .print = "44", .why = "more than 2 to the power of 44"},
	{0},
};

const struct artefact placements_rows[] = {
	/* ---- figures ---- */
	{"figure", "1", "one grid of data and shards, with sums along either",
		"Every device computes on a part of the data with a part of the parameters. The sum decides which "
		"devices communicate: gradients are summed over the data, results over the shards.",
		.lines = "system {node: 4, gpu: 4}; axes {data: 4, shard: 4}; place [[4 1] [1 4]]; reduce {data} "
				 "f32[1024]; show placement",
		.source = "section 1", .next = "explain figure 2 of placements"},
	{"figure", "2", "a system of 16 devices, and placements on it",
		"A rack of two servers, each with two processors of four devices. A placement is a matrix: how much "
		"of each axis each level takes. In this one, every server holds all shards of its part of the data:",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 2 2 1] [1 1 1 "
				 "4]]; show placement; placements",
		.source = "section 2.1; the other drawn matrices are [[1 1 2 2] [1 2 1 2]] and [[1 1 1 4] [1 2 2 1]]",
		.next = "explain parallelism matrix"},
	{"figure", "3", "three ways to sum over the shards",
		"One allreduce; one inside and one across the servers; or a reduce to the first devices, an "
		"allreduce between them, and a broadcast back. The third, executed:",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; apply reduce inside server; apply allreduce masters server; "
				 "apply broadcast inside server; verify",
		.source = "section 2.2", .next = "explain figure 10 of placements"},
	{"figure", "4", "steps that run but compute no sum",
		"After the reducescatter, A0 and A1 hold different halves, so adding them is wrong. After the "
		"allreduce across the servers, the next one would add the same shares again.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; apply reducescatter inside server; ! apply allreduce inside "
				 "server; undo; apply allreduce across server; ! apply allreduce inside root",
		.source = "section 2.3", .next = "explain R01"},
	{"figure", "5", "useless groups of the full matrix",
		"By rows, the first factor of the shards is a level of its own, and groups across it may span the "
		"data axis.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; set hierarchy c; show groups across 4 in 2; ! apply allreduce "
				 "across 4 in 2",
		.source = "section 2.5", .next = "explain figure 6 of placements"},
	{"figure", "6", "the summed axis alone, repeated",
		"Every sum has the structure [1 2 1 2] of the summed axis; the hierarchy of that axis alone is "
		"repeated over the others.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; set hierarchy d; show groups inside 2",
		.source = "section 2.5", .next = "explain hierarchies"},
	{"figure", "7", "the state of a device",
		"A row is a chunk; a column is the device whose share it contains. After a reducescatter, each "
		"device has one chunk, with the shares of all devices.",
		.lines = "system {gpu: 4}; axes {data: 4}; place [[4]]; reduce {data} f32[1024]; apply reducescatter "
				 "inside root; show state",
		.source = "section 3.2", .next = "explain device state"},
	{"figure", "8", "the premises and results of five collectives",
		"One rule each: allreduce, reducescatter, allgather, reduce, broadcast. `explain` shows each rule by "
		"its name. One of them:",
		.lines = "explain reducescatter", .source = "section 3.2", .next = "explain broadcast"},
	{"figure", "9", "two systems, and the ports of their levels",
		"A node of 16 A100s behind one switch and one network card; a node of 8 V100s on a ring, in pairs "
		"behind PCIe switches.",
		.lines = "system p2-a100 2; show system; system p2-v100 2; show system", .source = "sections 4 and 5",
		.next = "explain ports"},
	{"figure", "10", "the two programs that are usually the best",
		"i: a reduce to the first device of each node, an allreduce between these, and a broadcast back. ii: "
		"a reducescatter inside, an allreduce across, an allgather inside; only a part crosses the nodes. "
		"Fastest first, on 4 nodes of 8 V100s:",
		.lines = "system p2-v100 4; axes {data: 32}; place 1; reduce {data} f32[2147483648]; reductions --limit 3",
		.source = "section 4.2", .next = "explain section 4.3"},
	{"figure", "11", "all programs of a sum, predicted",
		"Each program of each placement as a bar, fastest first. The paper draws the times without numbers.",
		.lines = "system p2-v100 4; axes {data: 2, shard: 16}; reduce {shard} f32[2147483648]; show reductions",
		.printed = figure_11, .source = "section 5", .next = "explain table 5"},

	/* ---- tables ---- */
	{"table", "1", "five orders of the factors of a placement",
		"Column by column, row by row, and the summed axis alone; for two summed axes, the factors of one "
		"level are merged: [7 16 27].",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; show hierarchies; system {rack: 28, node: 80, gpu: 162}; axes "
				 "{a: 6, b: 120, c: 504}; place [[1 2 3] [4 5 6] [7 8 9]]; reduce {a, c} f32[362880]; show "
				 "hierarchies",
		.printed = table_1, .source = "section 2.5", .next = "explain hierarchies"},
	{"table", "2", "groups by slice and form",
		"A slice makes units, and the form says which of their devices work together. The table prints the "
		"rows of rack and server one row too low: the two groups of 8 are those inside the servers, and "
		"inside the rack are all 16.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {all: 16}; place [[1 2 2 4]]; reduce {all} "
				 "f32[1024]; set hierarchy a; show groups inside cpu; show groups across cpu in server; show "
				 "groups masters cpu in rack; show groups inside server; show groups inside rack",
		.printed = table_2, .source = "section 3.3", .next = "explain lemma B.2"},
	{"table", "3", "one allreduce, by placement",
		"Seconds for 2^31 elements on each device of 4 nodes, as predicted by the ports and as measured. A "
		"sum inside a node takes a hundredth of the time of one across nodes.",
		.printed = table_3, .source = "section 4.1", .next = "explain result 1"},
	{"table", "4", "how much a better program saves",
		"Programs of up to five steps on all placements, and the speedup of the best over one allreduce, "
		"predicted and measured. For L1, the appendix prints a speedup of 1 beside the same 11 faster "
		"programs.",
		.printed = table_4, .source = "section 4.2", .next = "explain result 5"},
	{"table", "5", "how often the fastest program is predicted",
		"In 52 % of all cells on both systems, the fastest program was predicted first; in 75 % it was among "
		"the first five, in 92 % among the first ten. To check that needs the time of every program, which "
		"is not printed; `run SUMS --compare reductions --throttle` measures them here, for a file of sums.",
		.lines = "system p2-a100 2; axes {a: 8, b: 4}; place [[2 4] [1 4]]; reduce {a} f32[1073741824]; "
				 "reductions --limit 3",
		.source = "section 5", .next = "explain ports",
		.unpublished = "needs the time of every program, which was not published: `run SUMS --compare "
					   "reductions --throttle` measures them here"},

	/* ---- results ---- */
	{"result", "1", "the placement of an axis decides how long a sum takes",
		"The same sum over 4 devices, inside a node or across four: the largest measured ratio. Predictions "
		"for sums inside a node are faster than the measurements, so the predicted ratios are larger.",
		.printed = result_1, .source = "section 4.1, RQ1; table 3", .next = "explain table 3"},
	{"result", "2", "all programs are found within two seconds",
		"Groups and premises leave few programs, so all programs of up to five steps can be listed; here "
		"that takes milliseconds.",
		.printed = result_2, .source = "section 4.2, RQ2", .next = "explain section 3.5"},
	{"result", "3", "inside a node one allreduce is best",
		"If all devices of a sum are in one node, no program is faster.", .printed = result_3,
		.source = "section 4.2, RQ3; table 4, rows F", .next = "explain result 4"},
	{"result", "4", "a better program partly makes up for a bad placement",
		"The gap between the two placements is smaller with the best program for each, but it remains.",
		.printed = result_4, .source = "section 4.2, RQ3; table 4, rows G", .next = "explain result 5"},
	{"result", "5", "across nodes a program of several steps is faster",
		"Measured speedups are 1.28 on average and 2.04 at most. The text has K2 for K1, and 1.84 for the "
		"1.83 of its table. Both, predicted:",
		.printed = result_5, .source = "section 4.2, RQ3; table 4", .next = "explain figure 10 of placements"},

	/* ---- definitions, lemmas and theorems ---- */
	{"definition", "3.1", "a more expressive hierarchy",
		"A hierarchy is as expressive as another if it can express every program of groups and operations "
		"that the other can express and that computes the sum. Four hierarchies of one placement:",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; show hierarchies",
		.printed = four_hierarchies, .source = "section 3.4", .next = "verify theorem 3.2"},
	{"theorem", "3.2", "d over c over b over a",
		"The summed axis alone (d) expresses everything that all factors by rows (c) express, c everything "
		"that factors by columns (b) express, and b everything that the levels (a) express. As tested here, "
		"this does not hold: lemma B.7 fails on this placement.",
		.lines = "system {l0: 2, l1: 2, l2: 2}; axes {data: 4, shard: 2}; place [[1 2 2] [2 1 1]]; reduce {data} "
				 "f32[8]; show hierarchies",
		.source = "section 3.4, appendix B", .next = "verify theorem 3.2"},
	{"lemma", "B.1", "columns express everything that levels express",
		"A factor of a level makes the same groups as the level, because by columns the factors of a level "
		"are adjacent.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; set hierarchy a; show groups inside cpu; set hierarchy b; show "
				 "groups inside 4",
		.source = "appendix B.1", .next = "verify lemma B.1"},
	{"lemma", "B.2", "groups of an instruction across units",
		"Across slice i within ancestor j, a group has one member for each value of the factors after j up "
		"to i, and there is one group for each value of the other factors.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {all: 16}; place [[1 2 2 4]]; reduce {all} "
				 "f32[1024]; set hierarchy a; show groups across cpu in server",
		.source = "appendix B.2.1", .next = "verify lemma B.2"},
	{"lemma", "B.3", "groups stay within the sum",
		"Devices that differ along an axis that is not summed over hold different data; once added, it "
		"cannot be removed.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; set hierarchy c; ! apply allreduce inside 2",
		.source = "appendix B.2.1", .next = "verify lemma B.3"},
	{"corollary", "B.4", "what an instruction across units needs",
		"All factors after the ancestor up to the slice are 1 or summed over: its groups differ in these "
		"factors.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; set hierarchy c; ! apply allreduce across 4 in 2",
		.source = "appendix B.2.1", .next = "verify corollary B.4"},
	{"lemma", "B.5", "what an instruction inside units needs",
		"All factors after the slice are 1 or summed "
		"over.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; set hierarchy c; ! apply reducescatter inside root",
		.source = "appendix B.2.1", .next = "verify lemma B.5"},
	{"lemma", "B.6", "what an instruction between masters needs",
		"All factors after the ancestor are 1 or summed over, including those inside the units: only the "
		"first devices take part, and the shares of the other devices could never be summed. The proof "
		"argues from adding twice, but a broadcast can be repeated.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; set hierarchy d; show groups masters 2",
		.source = "appendix B.2.1", .next = "verify lemma B.6"},
	{"lemma", "B.7", "rows express everything that columns express",
		"The proof treats each form: across, inside, masters. It holds for the first two, but not between "
		"masters: by rows, factors of other axes come after the summed ones, which lemma B.6 forbids. On "
		"this placement c has fewer programs than b.",
		.lines = "system {l0: 2, l1: 2, l2: 2}; axes {data: 4, shard: 2}; place [[1 2 2] [2 1 1]]; reduce {data} "
				 "f32[8]; show hierarchies",
		.source = "appendix B.2", .next = "verify lemma B.7"},
	{"lemma", "B.8", "the summed axis expresses everything that rows express",
		"Useful groups by rows differ only along the summed axes, and the hierarchy of these axes, with a "
		"root above, contains them.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; set hierarchy c; show groups inside 6; set hierarchy d; show "
				 "groups inside 2",
		.source = "appendix B.3", .next = "verify lemma B.8"},

	/* ---- sections and appendices ---- */
	{"section", "2.1", "placements",
		"Axes are spread over the levels of the system factor by factor, which leaves only a few of all "
		"device orders.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; placements",
		.printed = orders_printed, .source = "section 2.1", .next = "explain figure 2 of placements"},
	{"section", "2.2", "strategies of a sum",
		"A sum takes one step, or several that follow the levels; the links decide which is faster.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; apply allreduce inside server; apply allreduce across server; "
				 "verify",
		.source = "section 2.2", .next = "explain figure 3 of placements"},
	{"section", "2.3", "which steps compute a sum",
		"The contents of a device are a state; a collective needs states that fit, and changes them.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; show state",
		.source = "section 2.3", .next = "explain figure 4 of placements"},
	{"section", "2.4", "which devices work together",
		"Not arbitrary groups, only those that follow the "
		"hierarchy.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; show groups inside server",
		.source = "section 2.4", .next = "explain section 3.3"},
	{"section", "2.5", "which hierarchy",
		"The factors of a placement in several orders; the summed axis alone is enough, and the factors of "
		"one level are merged.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; show hierarchies",
		.source = "section 2.5; table 1", .next = "explain hierarchies"},
	{"section", "3.1", "matrices",
		"The product of a column is a level, the product of a row an axis. All "
		"such matrices, in order:",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; placements",
		.source = "section 3.1", .next = "explain parallelism matrix"},
	{"section", "3.2", "rules of collectives", "Premises and results are sets of shares of chunks.",
		.lines = "explain allgather", .source = "section 3.2", .next = "explain figure 8 of placements"},
	{"section", "3.3", "the language of steps",
		"An operation, a slice and a form: inside, across (the paper says parallel), masters.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {all: 16}; place [[1 2 2 4]]; reduce {all} "
				 "f32[1024]; set hierarchy a; show groups across cpu in server; show groups masters cpu in rack",
		.source = "section 3.3", .next = "help apply"},
	{"section", "3.4", "the theorem on hierarchies",
		"It says that d is enough; see theorem 3.2, which holds except for masters.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; show hierarchies",
		.source = "section 3.4", .next = "explain theorem 3.2"},
	{"section", "3.5", "programs in order of their length",
		"Programs lead from every device with its own share to every device with the sum. Each step adds to "
		"what some device knows, so programs end. How many there are:",
		.printed = section_35, .source = "section 3.5", .next = "help walk"},
	{"section", "4", "experiments",
		"Nodes of A100 and V100, 2^29 elements of f32 a node on each device, NCCL rings and trees.",
		.lines = "system p2-a100 4; show system", .source = "section 4", .next = "explain table 3"},
	{"section", "4.1", "sums by placement", "Result 1 and table 3. One placement of three:",
		.lines = "system p2-a100 4; axes {a: 4, b: 16}; place [[2 2] [2 8]]; reduce {a} f32[2147483648]; "
				 "reductions --limit 2",
		.source = "section 4.1", .next = "explain result 1"},
	{"section", "4.2", "programs by placement", "Results 2 to 5, table 4 and figure 10.",
		.lines = "system p2-a100 2; axes {a: 8, b: 4}; place [[2 4] [1 4]]; reduce {a} f32[1073741824]; "
				 "reductions --limit 3",
		.source = "section 4.2", .next = "explain result 5"},
	{"section", "4.3", "ResNet-50",
		"Data parallelism over 4 nodes of 8 V100s; the program of figure 10ii is first. The paper's 15 % "
		"faster training step depends on what is computed, and is not checked here.",
		.lines = "system p2-v100 4; axes {data: 32}; place 1; reduce {data} f32[25557032]; reductions --limit 3",
		.source = "section 4.3", .next = "explain figure 10 of placements"},
	{"section", "5", "simulation",
		"Seconds of the busiest port in each step: 8 GB/s for a network card, 32 for PCIe, 135 and 270 for "
		"NVLink.",
		.lines = "system p2-v100 2; axes {data: 16}; place 1; reduce {data} f32[1073741824]; show system",
		.source = "section 5", .next = "explain ports"},
	{"appendix", "A", "all sums of the experiments",
		"The number of programs of up to five steps for each of the 42 sums on all its placements together, "
		"as counted here and as printed. The seconds of the 200 cells were measured by the paper's authors.",
		.printed = appendix_a, .source = "appendix A", .next = "explain table 4"},
	{"appendix", "B", "the proof of theorem 3.2",
		"Three lemmas, B.1, B.7 and B.8, treat each form of an instruction; B.2 to B.6 say what instructions "
		"need. `verify` tests each on random placements.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; set hierarchy b; show groups inside 6",
		.source = "appendix B", .next = "verify lemma B.7"},

	/* ---- words ---- */
	{NULL, "parallelism matrix", "how much of each axis each level takes",
		"A row for each axis and a column for each level; the product of a row is the axis, the product of a "
		"column the level. There are few, because each level is divided into whole factors.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; placements",
		.source = "sections 2.1 and 3.1 of the paper on placements", .next = "explain section 3.1"},
	{NULL, "synthesis hierarchy", "the levels that the steps of a program name",
		"The factors of a placement in some order; its levels are the slices and ancestors of instructions. "
		"shardwalk uses the fifth order: the summed axes, with the factors of one level merged.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; show hierarchies",
		.source = "sections 2.5 and 3.4 of the paper on placements", .next = "explain hierarchies"},
	{NULL, "device state", "whose shares of which chunks a device has",
		"There are as many chunks as devices in a sum, and a bit for each share of each chunk. Collectives "
		"need states that fit: the same chunks to add, different chunks to gather.",
		.lines = "system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 "
				 "2]]; reduce {shard} f32[1024]; show state",
		.source = "section 3.2 of the paper on placements", .next = "explain figure 7 of placements"},
	{0},
};
