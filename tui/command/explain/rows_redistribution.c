/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the paper on redistribution defines, states, draws and measures: the rows.
 *
 * Source of all of it: seed 000, "Memory-efficient array redistribution through portable collective communication".
 */
#include "command/explain/paper.h"

#include <stddef.h>

/* ---- examples that several rows draw ---- */

#define SWAP_SMALL .mesh = "{x: 2, y: 2}", .start = "[2{x}4, 2{y}4] ~> [2{y}4, 2{x}4]"

#define SAME_MAP .mesh = "{x: 2, y: 2, z: 1}", .start = "[2{x}4, 2{y}4] ~> [2{x,z}4, 2{y}4]"

#define FOUR_BY_SIX \
	.mesh = "{x: 4, y: 6}", .start = "[3{x}12, 2{y}12]", \
	.steps = "allgather(0); allgather(1); dynslice(0, y); dynslice(1, x)", .after = "normalize"

#define TO_NORMAL_FORM \
	.mesh = "{x: 2, y: 3, z: 2}", .start = "[3{x}6, 2{y}6, 6]", \
	.steps = "allgather(0, 2); alltoall(1, 2, 3); dynslice(2, z)", .after = "normalize"

#define PEAK .mesh = "{x: 2, y: 3}", .start = "[3{x}6]", .steps = "allgather(0); dynslice(0, y)", .after = "normalize"

#define RISING \
	.mesh = "{x: 2, y: 2}", .start = "[1{x,y}4, 8]", .steps = "allgather(0); alltoall(0, 1)", .after = "normalize"

#define FALLING \
	.mesh = "{x: 2, y: 3}", .start = "[3{x}6, 6]", .steps = "alltoall(0, 1); dynslice(0, y)", .after = "normalize"

#define THREE_AXES .mesh = "{a0: 2, a1: 2, a2: 2}", .start = "[1{a0,a1,a2}8, 8]"
#define PERMUTES_BETWEEN \
	"alltoall(0, 1); allpermute [2{a2,a1}8, 4{a0}8]; alltoall(0, 1); allpermute [4{a1}8, 2{a0,a2}8]; alltoall(0, 1); " \
	"allpermute [8, 1{a0,a1,a2}8]"
#define PERMUTE_LAST "alltoall(0, 1); alltoall(0, 1); alltoall(0, 1); allpermute [8, 1{a0,a1,a2}8]"

#define TWO_AXES_WEAK \
	.mesh = "{x: 2, y: 2}", .start = "[1{x,y}4, 4]", \
	.steps = "alltoall(0, 1); allpermute [2{x}4, 2{y}4]; alltoall(0, 1)", .after = "alltoall(0, 1); alltoall(0, 1)"

#define OVER_PARTITIONED \
	.mesh = "{x: 4, y: 2, z: 4}", .start = "[8{y}16, 4{x}16]", .steps = "alltoall(1, 0); allgather(0, 8)", \
	.after = "dynslice(0, z:(1)2); alltoall(1, 0); allgather(0, 16)"

#define GATHERED_OR_MOVED \
	.mesh = "{a: 2, b: 2, c: 2}", .start = "[80, 40{c}80, 72, 64]", \
	.steps = "allgather(1); dynslice(0, b); dynslice(2, c)", .after = "dynslice(0, b); alltoall(1, 2)"

static const int64_t turned[] = {0, 2, 1, 3};
#define RENUMBERED .mesh = "{x: 2, y: 2}", .start = "[2{x,y}8] ~> [2{y,x}8]", .after_places = turned

static const struct printed worst_cases[] = {
	{"P1: bytes of the array", "mesh {a: 2, b: 2, c: 2}; show type f32[360, 368, 320]", "~elements, ", .unit = 'B',
		.print = "162 MiB", .why = "sizes are of f32, in MiB"},
	{"P1: cost by the paper's method",
		"mesh {a: 2, b: 2, c: 2}; f32[360, 184{c}368, 320] ~> [90{c,a}360, 368, 160{b}320]; plan paper", "cost",
		.unit = 'n'},
	{"P1: least cost", "mesh {a: 2, b: 2, c: 2}; f32[360, 184{c}368, 320] ~> [90{c,a}360, 368, 160{b}320]; plan",
		"cost", .unit = 'n'},
	{"P1: cost of what XLA does",
		"mesh {a: 2, b: 2, c: 2}; f32[360, 184{c}368, 320] ~> [90{c,a}360, 368, 160{b}320]; plan xla", "cost",
		.unit = 'n'},
	{"P2: bytes of the array", "mesh {a: 2, b: 2, c: 2}; show type f32[80, 80, 72, 64]", "~elements, ", .unit = 'B',
		.print = "113 MiB", .why = "sizes are of f32, in MiB"},
	{"P2: cost by the paper's method",
		"mesh {a: 2, b: 2, c: 2}; f32[80, 40{c}80, 72, 64] ~> [40{b}80, 80, 36{c}72, 64]; plan paper", "cost",
		.unit = 'n'},
	{"P2: least cost", "mesh {a: 2, b: 2, c: 2}; f32[80, 40{c}80, 72, 64] ~> [40{b}80, 80, 36{c}72, 64]; plan",
		"cost", .unit = 'n'},
	{"P2: cost of what XLA does",
		"mesh {a: 2, b: 2, c: 2}; f32[80, 40{c}80, 72, 64] ~> [40{b}80, 80, 36{c}72, 64]; plan xla", "cost",
		.unit = 'n'},
	{"P3: bytes of the array", "mesh {a: 2, b: 2, c: 2}; show type f32[296, 360, 312]", "~elements, ", .unit = 'B',
		.print = "127 MiB", .why = "sizes are of f32, in MiB"},
	{"P3: cost by the paper's method",
		"mesh {a: 2, b: 2, c: 2}; f32[296, 360, 156{c}312] ~> [74{b,c}296, 180{a}360, 312]; plan paper", "cost",
		.unit = 'n'},
	{"P3: least cost", "mesh {a: 2, b: 2, c: 2}; f32[296, 360, 156{c}312] ~> [74{b,c}296, 180{a}360, 312]; plan",
		"cost", .unit = 'n'},
	{"P3: cost of what XLA does",
		"mesh {a: 2, b: 2, c: 2}; f32[296, 360, 156{c}312] ~> [74{b,c}296, 180{a}360, 312]; plan xla", "cost",
		.unit = 'n'},
	{"P4: bytes of the array", "mesh {a: 2, b: 2, c: 2}; show type f32[16, 16, 16, 16, 16, 16]", "~elements, ",
		.unit = 'B', .print = "64 MiB", .why = "sizes are of f32, in MiB"},
	{"P4: cost by the paper's method",
		"mesh {a: 2, b: 2, c: 2}; f32[8{c}16, 16, 16, 8{a}16, 16, 8{b}16] ~> [16, 16, 16, 16, 16, 8{a}16]; plan paper",
		"cost", .unit = 'n'},
	{"P4: least cost",
		"mesh {a: 2, b: 2, c: 2}; f32[8{c}16, 16, 16, 8{a}16, 16, 8{b}16] ~> [16, 16, 16, 16, 16, 8{a}16]; plan",
		"cost", .unit = 'n'},
	{"P4: cost of what XLA does",
		"mesh {a: 2, b: 2, c: 2}; f32[8{c}16, 16, 16, 8{a}16, 16, 8{b}16] ~> [16, 16, 16, 16, 16, 8{a}16]; plan xla",
		"cost", .unit = 'n'},
	{0},
};

/* Example 3.1 as the three problems of the paper. */
#define SWAP_FACTORS "mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; plan "
static const struct printed easy_way[] = {
	{"height", SWAP_FACTORS "naive", "height", .unit = 'n'},
	{"of the larger end", NULL, "budget", .unit = 'n'},
	{"cost", NULL, "cost", .unit = 'n'},
	{0},
};
static const struct printed low_way[] = {
	{"height", SWAP_FACTORS "paper", "height", .unit = 'n'},
	{"of the larger end", NULL, "budget", .unit = 'n'},
	{"cost", NULL, "cost", .unit = 'n'},
	{0},
};
static const struct printed cheap_way[] = {
	{"height", SWAP_FACTORS "fused", "height", .unit = 'n'},
	{"of the larger end", NULL, "budget", .unit = 'n'},
	{"cost, the least", NULL, "cost", .unit = 'n'},
	{0},
};

#define TRANSPOSED "mesh {a0: 2, a1: 2, a2: 2}; [1{a0,a1,a2}8, 8] ~> [8, 1{a0,a1,a2}8]; "
#define AXIS_BY_AXIS TRANSPOSED "apply alltoall(0, 1); apply alltoall(0, 1); apply alltoall(0, 1); "
#define PER_DEVICE "elements of a device"
static const struct printed one_axis_at_a_time[] = {
	{"three alltoalls", AXIS_BY_AXIS "show plan", "~cost ", .unit = 'n', .print = "24", .why = PER_DEVICE},
	{"and the permutation", AXIS_BY_AXIS "apply allpermute [8, 1{a0,a1,a2}8]; show plan", "~cost ", .unit = 'n',
		.print = "32", .why = PER_DEVICE},
	{0},
};
static const struct printed three_axes_at_once[] = {
	{"one axis at a time", AXIS_BY_AXIS "show plan", "~cost ", .unit = 'n', .print = "24", .why = PER_DEVICE},
	{"all three axes at once", TRANSPOSED "plan", "cost", .unit = 'n', .print = "8", .why = PER_DEVICE},
	{0},
};

#define PRIMES \
	"mesh {x1: 2, x2: 2, y1: 3, y2: 2}; [3{x1,x2}12, 2{y1,y2}12] ~> [2{y1,y2}12, 3{x1,x2}12]; apply alltoall(1, 0); " \
	"apply allpermute [1{x1,y1,x2}12, 6{y2}12]; apply alltoall(0, 1); " \
	"apply allpermute [2{y1,y2}12, 3{x1,x2}12]; show plan"
#define IN_PRIMES "tiles are those of the mesh of primes"

static const struct printed four_by_six[] = {
	{"devices of the mesh", "mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; plan naive", "~naive, ",
		.unit = 'n', .print = "24", .why = "axes of 4 and 6"},
	{"gathered, rows of a tile", NULL, "steps[1].localtype[0]", .unit = 'n', .print = "12", .why = "all is gathered"},
	{"and columns", NULL, "steps[1].localtype[1]", .unit = 'n', .print = "12", .why = "all is gathered"},
	{"in primes, after the first step: rows", PRIMES, "~alltoall(1, 0, 3)  [", .unit = 'n', .print = "1",
		.why = IN_PRIMES},
	{"columns", NULL, "~alltoall(1, 0, 3)  [1, ", .unit = 'n', .print = "6", .why = IN_PRIMES},
	{"after the third: rows", NULL, "~alltoall(0, 1, 2)  [", .unit = 'n', .print = "2", .why = IN_PRIMES},
	{"columns", NULL, "~alltoall(0, 1, 2)  [2, ", .unit = 'n', .print = "3", .why = IN_PRIMES},
	{"steps", NULL, "< steps, ", .unit = 'n', .print = "4", .why = IN_PRIMES},
	{0},
};

#define PROOF "The proof, in short: "

const struct artefact redistribution_rows[] = {
	/* ---- listings ---- */
	{"listing", "1", "a product whose left matrix is partitioned by rows",
		"Every device multiplies its rows by a matrix that all devices hold. `program` reads the listing as "
		"printed and type-checks it.",
		.mesh = "{devices: 4}", .start = "[2{devices}8, 1024]",
		.source = "section 2.2; here with 4 devices in place of 32",
		.next = "mesh {devices: 32}; show tiles [8{devices}256, 1024]"},
	{"listing", "2", "a product over a mesh of two axes",
		"One axis cuts the rows of one matrix, the other axis the columns of the other matrix, so both cut "
		"the result. `program` reads the listing as printed; its footnote mentions other possible types, "
		"which a note repeats.",
		.mesh = "{xdev: 4, ydev: 8}", .start = "[64{xdev}256, 128{ydev}1024]", .source = "section 2.3",
		.next = "mesh {xdev: 4, ydev: 8}; show tiles [64{xdev}256, 128{ydev}1024]"},
	{"listing", "3", "two products in a row, and the redistribution between them",
		"The first product leaves its result partitioned by columns; the second sums along just that "
		"dimension, so it needs whole rows. One alltoall does it: `program` reads the listing, and `enter 1` "
		"makes this the problem.",
		.mesh = "{devs: 4}", .start = "[4, 2{devs}8] ~> [1{devs}4, 8]",
		.source = "section 2.4; here with 4 devices in place of 32",
		.next = "mesh {devs: 32}; [32, 64{devs}2048] ~> [1{devs}32, 2048]; plan"},

	/* ---- figures ---- */
	{"figure", "1", "tiles of two arrays on a mesh of 4 by 8",
		"Each array is cut by one axis; along the other axis all devices hold the same tile. The first "
		"array:",
		.mesh = "{xdev: 4, ydev: 8}", .start = "[64{xdev}256, 1024]", .source = "section 2.2; the types of listing 2",
		.next = "mesh {xdev: 4, ydev: 8}; show tiles [1024, 128{ydev}1024]"},
	{"figure", "2", "what moves in the redistribution of listing 3",
		"Columns become rows. Each device keeps the corner where its two tiles overlap, and sends one piece "
		"to every other device.",
		.mesh = "{devs: 4}", .start = "[4, 2{devs}8] ~> [1{devs}4, 8]",
		.source = "section 2.4; here with 4 devices in place of 32",
		.next = "mesh {devs: 4}; [4, 2{devs}8] ~> [1{devs}4, 8]; show traffic"},
	{"figure", "3", "redistributions that are one permutation",
		"Two axes are swapped in one dimension, or between two dimensions, or an axis is replaced by one "
		"that had copies. Tiles keep their shape, so they only change devices.",
		SWAP_SMALL, .source = "section 2.5, example 2.1; here with axes of 2", .next = "explain example 2.1"},
	{"figure", "4", "an allpermute and an allgather, tile by tile",
		"On the left, an axis along which there were copies replaces another axis: whole tiles move. On the "
		"right, the minor axis of a dimension is removed, and tiles grow by its size. The left one:",
		.mesh = "{xdev: 4, ydev: 4}", .start = "[32{xdev}128] ~> [32{ydev}128]", .source = "section 2.6",
		.next = "mesh {x: 4, y: 4}; [32{x,y}512, 512] ~> [128{y}512, 512]; plan"},
	{"figure", "5", "the same ends, reached in two ways",
		"Most redistributions have several sequences, which differ in cost and in how large tiles grow on "
		"the way. In the third row, gathering first makes the alltoall move large tiles:",
		.mesh = "{x: 4, y: 4}", .start = "[32{x}128, 512, 32{y}128]", .steps = "allgather(0); alltoall(2, 1)",
		.after = "alltoall(2, 1); allgather(0)", .source = "section 3",
		.next = "mesh {x: 4, y: 4}; [2{x}8, 8, 2{y}8] ~> [8, 2{y}8, 8]; compare"},
	{"figure", "6", "how meshes and types are written",
		"A dimension is a tile, the axes that cut it from minor to major, and the whole size. Without the "
		"axes, that is the local type; without tile and axes, the global type. `explain metafunctions TYPE` "
		"applies each to a type.",
		.mesh = "{x: 2, y: 3}", .start = "[2{x}4, 2{y}6]", .source = "section 4",
		.next = "mesh {x: 2, y: 3}; explain metafunctions [2{x}4, 2{y}6]"},
	{"figure", "7", "what a type means, and which types are well-formed",
		"The offset of a device is a sum over the axes of each dimension: its coordinate, times the tile, "
		"times the sizes of the axes before. An axis may appear only once in a type, and the sizes must "
		"multiply to the dimension. `explain meaning TYPE` writes both out.",
		.mesh = "{x: 2, y: 3}", .start = "[2{x,y}12]", .source = "section 4.1",
		.next = "mesh {x: 2, y: 3}; explain meaning [2{x,y}12]"},
	{"figure", "8", "the rules of the four collectives",
		"dynslice: an unused axis cuts a dimension whose tile it divides; otherwise C04, C05.\nallgather: "
		"the minor axis of a dimension is removed; if no axis cuts it, C06.\nalltoall: the minor axis of one "
		"dimension becomes the minor axis of another whose tile it divides; otherwise C06, C05.\nallpermute: "
		"any type with the same tile; otherwise C10. One step after another:",
		.mesh = "{x: 2, y: 2}", .start = "[4, 4]",
		.steps = "dynslice(0, x); alltoall(0, 1); allpermute [4, 2{y}4]; allgather(1)",
		.source = "sections 2.6 and 4.2", .next = "explain alltoall"},
	{"figure", "9", "what a region of a program means",
		"Each device computes only on its tiles; the result is an array if the tiles fit together as its type says. `show "
		"derivation` draws both rules for every region of a program.",
		.mesh = "{x: 2, y: 2}", .start = "[2{x}4, 2{y}4]", .source = "section 4.1", .next = "explain listing 2"},
	{"figure", "10", "the rules of low-level collectives",
		"With the type goes a device map, phi: which device is at which coordinate of the mesh. Renumbering "
		"the devices can make any axis the minor one of its dimension: each device keeps its tile and "
		"nothing moves. Then the axis is gathered or moved. A slice and a permutation keep the numbering. "
		"One of each:",
		.mesh = "{x: 2, y: 2, z: 2}", .start = "[2{x,y}8, 8]",
		.low = "alltoall(0, 1, y); dynslice(0, z); allgather(0, x); allpermute", .source = "section 6",
		.next = "verify lemma 6.3"},
	{"figure", "11", "what each collective costs",
		"Elements per device. dynslice: nothing. allgather: the tile that it makes. alltoall and allpermute: "
		"the tile, which keeps its size. A sequence costs the sum.",
		.mesh = "{x: 2, y: 2}", .start = "[4, 8]",
		.steps = "dynslice(0, x); alltoall(0, 1); allpermute [4, 4{y}8]; allgather(1)", .source = "section 6.2",
		.next = "explain appendix B"},
	{"figure", "12", "slicing further than either end",
		"An axis along which both ends hold copies may cut the array on the way. Slices are free, so a later "
		"alltoall moves less: 272 instead of 288.",
		OVER_PARTITIONED, .source = "section 7.2", .next = "explain over-partitioning"},
	{"figure", "13", "the four worst cases of the published method",
		"P1 to P3 are so small that a gather and a slice take less time than several steps; P4 needs a "
		"gather of two dimensions at once. XLA's programs were 1.6, 1.6, 1.5 and 1.5 times as fast. Costs "
		"are elements per device. What XLA does for P2, and what is planned:",
		GATHERED_OR_MOVED, .printed = worst_cases, .source = "section 8",
		.next = "mesh {a: 2, b: 2, c: 2}; [4, 2{c}4, 4] ~> [2{b}4, 4, 2{c}4]; compare"},
	{"figure", "14", "times of planned programs against those of XLA",
		"A point for each of 1000 problems by its two times, and the distribution of the ratios. Most are "
		"near 1. When XLA gathers the whole array first, the plan is up to 5.7 times as fast; the geometric "
		"mean of all is 1.22. Such a case:",
		GATHERED_OR_MOVED, .source = "section 8, on 8 TPU devices", .next = "evaluate --strategies xla,paper"},

	/* ---- sequences ---- */
	{"sequence", "2", "gather everything, then slice",
		"It leads from any type to any other type of the same array, but every device holds the whole array "
		"on the way.",
		FOUR_BY_SIX, .source = "section 4.3", .next = "explain easy"},
	{"sequence", "5", "a normal form full of permutations",
		"The proof of theorem 4.8 applied to gathering an axis of 8 in three primes and slicing it again: see example 4.9.",
		THREE_AXES, .steps = PERMUTES_BETWEEN, .source = "section 4.3; example 4.9", .next = "explain sequence 9"},
	{"sequence", "9", "one permutation, at the end",
		"Each alltoall makes the minor axis of the rows the minor axis of the columns. So the axes end in "
		"reverse order, and phi never changes.",
		.mesh = "{a0: 2, a1: 2, a2: 2}", .start = "[1{a0,a1,a2}8, 8]",
		.low = "alltoall(0, 1, a0); alltoall(0, 1, a1); alltoall(0, 1, a2); allpermute",
		.source = "section 6.2, example 6.8", .next = "explain sequence 10"},
	{"sequence", "10", "axes end in the wanted order",
		"Each alltoall moves the major axis of the rows, as a low-level step may: a2, then a1, then a0. They end in the order of the "
		"target; phi 3 decides whether a permutation is needed.",
		.mesh = "{a0: 2, a1: 2, a2: 2}", .start = "[1{a0,a1,a2}8, 8]",
		.low = "alltoall(0, 1, a2); alltoall(0, 1, a1); alltoall(0, 1, a0); allpermute",
		.printed = one_axis_at_a_time, .source = "section 6.2, examples 6.8 and 7.1", .next = "explain example 7.1"},

	/* ---- examples ---- */
	{"example", "2.1", "three redistributions by one permutation",
		"Reorder the axes of a dimension, swap axes of two dimensions, or exchange an axis for one with "
		"copies: an allpermute does any of these, or several at once, and every permutation of tiles is made "
		"of them. The first:",
		.mesh = "{x: 2, y: 2}", .start = "[2{y,x}8] ~> [2{x,y}8]", .source = "section 2.6, figure 3",
		.next = "mesh {x: 2, y: 2}; [2{y,x}8] ~> [2{x,y}8]; plan"},
	{"example", "3.1", "axes of 4 and 6 are swapped",
		"Neither axis fits in the place of the other, so with whole axes everything must be gathered: 144 "
		"elements on every device. Split into 2, 2, 3 and 2, they can move prime by prime: height 6, and a "
		"plan of cost 18.",
		FOUR_BY_SIX, .printed = four_by_six, .source = "section 3",
		.next = "mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; plan"},
	{"example", "4.9", "a normal form that is valid but wasteful",
		"Its height is low, but it puts every axis in its final position at once: half of its steps are "
		"permutations. Merging neighbours restores the single alltoall.",
		THREE_AXES, .steps = PERMUTES_BETWEEN, .after = "normalize", .source = "section 4.3",
		.next = "explain example 6.8"},
	{"example", "6.8", "one permutation instead of three",
		"Up to permutations, the axes may be in any order, so only the last step reorders them. With another "
		"numbering of the devices even that step would not be needed.",
		THREE_AXES, .steps = PERMUTES_BETWEEN, .after = PERMUTE_LAST, .source = "section 6.2",
		.next = "verify principle 2"},
	{"example", "7.1", "three axes by one alltoall",
		"Steps of one axis cost 24, and the permutation 8 more. One step of all three axes costs 8 and puts "
		"the axes in the wanted order: 8 instead of 32.",
		THREE_AXES, .steps = PERMUTE_LAST, .after = "alltoall(0, 1, 8)", .printed = three_axes_at_once,
		.source = "section 7.1", .next = "explain section 7.1"},

	/* ---- principles ---- */
	{"principle", "1", "axes should have prime size",
		"Only then can a redistribution always keep to the memory of its ends: half of an axis of 4 cannot "
		"be moved. Whole axes must be gathered, all 144 elements; split axes move one prime at a time, and 6 "
		"elements are enough.",
		FOUR_BY_SIX, .source = "section 3; example 3.1", .next = "verify principle 1"},
	{"principle", "2", "collectives should work up to a permutation",
		"Permutations between other steps only put axes into the order that the next step needs. If steps "
		"may name their devices, all permutations can go except one at the end.",
		THREE_AXES, .steps = PERMUTES_BETWEEN, .after = PERMUTE_LAST, .source = "section 3; examples 4.9 and 6.8",
		.next = "verify principle 2"},

	/* ---- definitions ---- */
	{"definition", "4.3", "what a collective means",
		"A relation between base offset maps: it relates the maps of two types whenever its rule leads from "
		"one type to the other. Values do not matter: elements never change, only their holders. One pair "
		"that alltoall relates:",
		.mesh = "{x: 2}", .start = "[2{x}4, 4] ~> [4, 2{x}4]", .source = "section 4.2", .next = "explain figure 8"},
	{"definition", "4.4", "the height of a sequence",
		"The largest tile of all its types, including both ends. The easy problem is to find any sequence: "
		"gathering everything works, at a height of 144 here. The memory-constrained problem allows no more "
		"than the larger end: 6.",
		FOUR_BY_SIX, .source = "section 4.3, problems (2) and (4)",
		.next = "mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; compare"},
	{"definition", "4.5", "normal form",
		"Steps come in the order dynslice* (alltoall | allpermute)* allgather*. Sizes first fall, then stay, "
		"then rise, so no tile on the way is larger than the larger end.",
		TO_NORMAL_FORM, .source = "section 4.3", .next = "explain theorem 4.8"},
	{"definition", "5.2", "equivalent maps, and weak types",
		"Two maps are equivalent if a permutation of the devices turns one into the other. A weak type is a "
		"class of equivalent maps; for a given array, its local type names it.",
		SWAP_SMALL, .source = "section 5", .next = "explain weak type"},
	{"definition", "5.3", "collectives up to permutations",
		"A weak collective, or collective up to permutations, leads from one class to another if the "
		"collective leads from a map of the first to a map of the second. Permutations vanish; the others "
		"remain, with their costs.",
		TWO_AXES_WEAK, .source = "section 5", .next = "explain theorem 6.4"},
	{"definition", "6.1", "device maps and device assignments",
		"A device map says which device is at each coordinate of the mesh; with a type, it says what every "
		"device holds. Two device maps with different types and the same tiles on all devices:",
		RENUMBERED, .source = "section 6", .next = "explain figure 10"},
	{"definition", "6.2", "equivalent device assignments",
		"Two pairs of a device map and a type are equivalent if every device holds the same tile under both; "
		"nothing moves between them.",
		RENUMBERED, .source = "section 6", .next = "explain device map"},

	/* ---- lemmas and theorems ---- */
	{"lemma", "4.1", "offsets along a dimension",
		"The base offsets of a dimension are the multiples of its tile below its size, and no others.\n" PROOF
		"by induction over the axes. Without axes, the tile is the whole dimension, and 0 the only offset. "
		"One more axis adds its coordinate times a larger tile; the axis occurs nowhere else, so all its "
		"coordinates combine with all offsets so far.",
		.mesh = "{x: 2, y: 3}", .start = "[2{x,y}12]", .source = "section 4.1, appendix A",
		.next = "verify lemma 4.1"},
	{"lemma", "4.2", "offsets of a type",
		"The base offsets of a type are all corners of its tiles within the array: together the tiles cover it.\n" PROOF
		"lemma 4.1 for each dimension. No axis cuts two dimensions, so every offset along one combines with "
		"every offset along the others.",
		.mesh = "{x: 2, y: 3}", .start = "[2{x}4, 2{y}6]", .source = "section 4.1, appendix A",
		.next = "verify lemma 4.2"},
	{"lemma", "4.6", "the peak lemma",
		"An allgather followed by a dynslice can be replaced by at most three steps that are never above both ends.\n" PROOF
		"four cases. The same axis and dimension: drop both. A different axis in the same dimension: if of "
		"equal size, a permutation; otherwise slice, permute, gather, which fits because both sizes are "
		"prime. The same axis in a different dimension: an alltoall. Neither the same: swap them.",
		PEAK, .source = "section 4.3, appendix A", .next = "verify lemma 4.6"},
	{"lemma", "4.7", "rising and falling edges",
		"An allgather before an alltoall or a permute can follow it, and a dynslice after one before it, with one "
		"permute more at most.\n" PROOF
		"by the dimensions that the two steps touch. None in common: swap the steps. The same dimension "
		"loses both axes: permute them first. One step removes an axis where the other adds one: a permute "
		"if the sizes are equal, otherwise alltoall, permute, gather. Falling edges are rising edges read "
		"backwards.",
		RISING, .source = "section 4.3, appendix A", .next = "verify lemma 4.7"},
	{"theorem", "4.8", "every sequence has a normal form",
		"Between the ends of any sequence there is one in normal form.\n" PROOF
		"replace peaks (4.6) and move edges (4.7) until none are left; what remains is slices, steps that "
		"keep the size, and gathers.",
		TO_NORMAL_FORM, .source = "section 4.3, appendix A", .next = "verify theorem 4.8"},
	{"lemma", "5.1", "equal tiles, and a permutation",
		"Types of one array with the same tile differ only by a permutation of the devices.\n" PROOF
		"both have the same base offsets, each on the same number of devices; so devices can be paired.",
		SWAP_SMALL, .source = "section 5, appendix A", .next = "verify lemma 5.1"},
	{"lemma", "6.3", "lowering one step",
		"A step up to permutations can be done by one low-level step from any map of its class, with any device map.\n" PROOF
		"because sizes are prime, any other map of the class has an axis of the same size in that dimension. "
		"Renumber the devices so that it is the minor one, and gather or move it; a slice takes any free "
		"axis of that size.",
		RENUMBERED, .source = "section 6.1, appendix A", .next = "verify lemma 6.3"},
	{"theorem", "6.4", "lowering a sequence",
		"Every sequence up to permutations has a sequence of low-level steps, one for each step, without "
		"permutations.\n" PROOF "lemma 6.3, step by step: each step ends in the class where the next begins.",
		TWO_AXES_WEAK, .source = "section 6.1, appendix A", .next = "verify theorem 6.4"},
	{"lemma", "6.5", "normal forms cost no more",
		"Up to permutations, every sequence has a normal form that costs no more.\n" PROOF
		"up to permutations, lemmas 4.6 and 4.7 never raise the cost: an alltoall that is swapped with a "
		"gather moves smaller tiles, and there are no more steps than before.",
		.mesh = "{x: 2, y: 2}", .start = "[2{x}4, 4]", .steps = "allgather(0); dynslice(1, x)", .after = "normalize",
		.source = "section 6.2, appendix A", .next = "verify lemma 6.5"},
	{"lemma", "6.6", "lifting a sequence",
		"Low-level steps without their permutations form a sequence up to permutations: the other steps keep "
		"their names and their order.\n" PROOF
		"renumbering devices and permuting tiles both lead to a map of the same class, so a step can begin "
		"from any of these maps.",
		TWO_AXES_WEAK, .source = "section 6.2, appendix A", .next = "verify lemma 6.6"},
	{"theorem", "6.7", "near optimality",
		"A normal form followed by at most one permutation costs at most one tile of the target more than the cheapest sequence.\n" PROOF
		"lift the cheapest sequence (6.6), which drops its permutations; take a normal form that costs no "
		"more (6.5); lower it to steps on devices (6.4); and permute once, for one tile of the target.",
		THREE_AXES, .steps = PERMUTES_BETWEEN, .after = PERMUTE_LAST, .source = "section 6.2, appendix A",
		.next = "verify theorem 6.7"},

	/* ---- sections and appendices ---- */
	{"section", "2", "arrays on meshes, and what moves between their types",
		"A type says how each dimension is cut by axes of the mesh. Programs compute on tiles; if two types "
		"of one array differ, the array is redistributed.",
		.mesh = "{x: 2, y: 2}", .start = "[2{x}4, 2{y}4] ~> [4, 2{x}4]", .source = "section 2",
		.next = "explain section 2.1"},
	{"section", "2.1", "distributed types",
		"A tile, the axes that cut a dimension, minor to major, and the whole size. The device at the origin has the first tile.",
		.mesh = "{x: 2, y: 3}", .start = "[2{x,y}12]", .source = "section 2.1", .next = "explain figure 6"},
	{"section", "2.2", "every device runs the same program", "On its own tiles, without communication.",
		.mesh = "{devices: 4}", .start = "[2{devices}8, 4]", .source = "section 2.2", .next = "explain listing 1"},
	{"section", "2.3", "a product over a mesh",
		"Rows of one matrix times columns of the other, each partitioned along its own "
		"axis.",
		.mesh = "{xdev: 2, ydev: 2}", .start = "[2{xdev}4, 2{ydev}4]", .source = "section 2.3",
		.next = "explain listing 2"},
	{"section", "2.4", "a program that redistributes",
		"The result of a product is partitioned by columns, but needed by rows.", .mesh = "{devs: 4}",
		.start = "[4, 2{devs}8] ~> [1{devs}4, 8]", .source = "section 2.4", .next = "explain listing 3"},
	{"section", "2.5", "what a redistribution is",
		"It goes from one type of an array to another. Elements do not change, only their "
		"holders.",
		SWAP_SMALL, .source = "section 2.5", .next = "explain figure 2"},
	{"section", "2.6", "the four collectives",
		"dynslice cuts tiles, allgather joins them, alltoall moves an axis to another dimension, allpermute "
		"moves whole tiles.",
		.mesh = "{x: 2, y: 2}", .start = "[4, 4]",
		.steps = "dynslice(0, x); alltoall(0, 1); allpermute [4, 2{y}4]; allgather(1)", .source = "section 2.6",
		.next = "explain figure 8"},
	{"section", "3", "what is hard about it",
		"Several sequences lead from one type to another; some hold more than either end, and some send more than they must.",
		FOUR_BY_SIX, .source = "section 3; principles 1 and 2", .next = "explain principle 1"},
	{"section", "4", "what types and steps mean",
		"A type is a map from devices to the corners of their tiles, and a step relates two such maps.",
		.mesh = "{x: 2, y: 2}", .start = "[2{x}4, 2{y}4]", .source = "section 4", .next = "explain section 4.1"},
	{"section", "4.1", "what a type means",
		"The base offset of each device, dimension by dimension; `explain meaning TYPE` writes the sum out.",
		.mesh = "{x: 2, y: 3}", .start = "[2{x,y}12]", .source = "section 4.1; figure 7, lemmas 4.1 and 4.2",
		.next = "verify lemma 4.1"},
	{"section", "4.2", "what a step means",
		"It relates the maps of two types whenever its rule leads from one to the other.", .mesh = "{x: 2}",
		.start = "[2{x}4, 4] ~> [4, 2{x}4]", .source = "section 4.2; definition 4.3",
		.next = "explain definition 4.3"},
	{"section", "4.3", "sequences in normal form",
		"Two problems, easy and memory-constrained, and the normal form that solves the second: peaks and "
		"edges are rewritten until none are left.",
		TO_NORMAL_FORM, .source = "section 4.3; lemmas 4.6 and 4.7, theorem 4.8",
		.next = "explain memory-constrained"},
	{"section", "5", "up to permutations",
		"Maps that differ by a permutation of the devices form one class. Between classes no permutations "
		"are needed, and one permutation at the end turns any map of the last class into the wanted one.",
		TWO_AXES_WEAK, .source = "section 5; definitions 5.2 and 5.3, lemma 5.1",
		.next = "explain weak redistribution"},
	{"section", "6", "steps that name their devices",
		"A device map beside the type lets any axis leave its dimension. Steps up to permutations become such steps, one for one.",
		.mesh = "{x: 2, y: 2}", .start = "[2{x,y}8]", .low = "allgather(0, y); allpermute",
		.source = "section 6; figure 10", .next = "explain figure 10"},
	{"section", "6.1", "lowering",
		"One low-level step for each step up to permutations, and one permutation at the end.",
		.mesh = "{x: 2, y: 2}", .start = "[1{x,y}4, 4]", .low = "alltoall(0, 1, y); alltoall(0, 1, x); allpermute",
		.source = "section 6.1; lemma 6.3, theorem 6.4", .next = "verify theorem 6.4"},
	{"section", "6.2", "what steps cost",
		"What each device sends or receives, and why a normal form followed by one permutation costs little "
		"more than the least.",
		.mesh = "{x: 2, y: 2}", .start = "[4, 8]",
		.steps = "dynslice(0, x); alltoall(0, 1); allpermute [4, 4{y}8]; allgather(1)",
		.source = "section 6.2; figure 11, lemmas 6.5 and 6.6, theorem 6.7", .next = "explain optimal-cost"},
	{"section", "7", "how it is searched",
		"Steps of several axes, a graph of local types, and the place of the one permutation.", THREE_AXES,
		.steps = PERMUTE_LAST, .after = "alltoall(0, 1, 8)", .source = "section 7", .next = "explain section 7.2"},
	{"section", "7.1", "merging collectives",
		"Rules for several axes at once merge neighbours of one kind into one step. That costs less: the "
		"tile moves only once.",
		THREE_AXES, .steps = PERMUTE_LAST, .after = "alltoall(0, 1, 8)", .source = "section 7.1; example 7.1",
		.next = "mesh {a: 2, b: 2}; [1{a,b}4, 4] ~> [4, 1{a,b}4]; show rewriting paper"},
	{"section", "7.2", "a search for the shortest path",
		"Nodes are local types no larger than the ends, edges are collectives of several axes up to "
		"permutations, and lengths are costs. Axes and their order do not matter, so there are few nodes. "
		"Because slices are free, over-partitioning pays: 272 instead of 288.",
		OVER_PARTITIONED, .source = "section 7.2; figure 12",
		.next = "mesh {x: 4, y: 2, z: 4}; [8{y}16, 4{x}16] ~> [16, 16]; finish; path"},
	{"section", "7.3", "where the permutation goes, and which axes are used",
		"The one permutation goes before the gathers at the end, where tiles are small. A slice uses the "
		"axes of the target: from [16] to [4{x}16] the axis x, not y of the same size; then no permutation "
		"is needed at all.",
		.mesh = "{x: 2, y: 2}", .start = "[2{x,y}8, 8]", .steps = "allgather(0); allpermute [4{x}8, 8]",
		.after = "allpermute [2{y,x}8, 8]; allgather(0)", .source = "section 7.3",
		.next = "mesh {x: 2, y: 2}; [2{x,y}8, 8] ~> [4{x}8, 8]; show rewriting paper"},
	{"section", "8", "the evaluation",
		"1000 random problems: three axes, up to six dimensions, 64 to 800 MB. RQ1: each was planned within "
		"a second. RQ2: the programs were 1.22 times as fast as XLA's in the geometric mean, 5.7 times at "
		"best, 0.6 times at worst. RQ3: cost predicts the order of times well for large arrays; for small "
		"arrays latency dominates. A case where XLA gathers:",
		GATHERED_OR_MOVED, .source = "section 8; figures 13 and 14", .next = "evaluate"},
	{"appendix", "A", "the proofs",
		"Each is summarized under its lemma or theorem: 4.1, 4.2, 4.6, 4.7, 4.8, 5.1, 6.3 to 6.7. The proofs "
		"are constructive, so `normalize` can follow them and `verify` can test them. A peak, removed by the "
		"third case of 4.6:",
		.mesh = "{x: 2, y: 2}", .start = "[2{x}4, 4]", .steps = "allgather(0); dynslice(1, x)", .after = "normalize",
		.source = "appendix A", .next = "explain lemma 4.6"},
	{"appendix", "B", "where the costs come from",
		"What all N devices send, divided by N; t is the tile before, n the size of the axis.\nallpermute: "
		"each device sends its tile: N t / N = t.\nallgather: N / n groups, n n t in each: (N / n) n n t / N "
		"= n t, the tile after.\nalltoall: each device splits its tile into n pieces and sends them: N n (t "
		"/ n) / N = t.\ndynslice: nothing is sent. With N = 4, n = 2, t = 16: 16, 32, 16 and 0. An alltoall "
		"and an allgather:",
		.mesh = "{x: 2, y: 2}", .start = "[4{x}8, 4{y}8]", .steps = "allgather(0); alltoall(1, 0)",
		.source = "appendix B; figure 11", .next = "explain figure 11"},

	/* ---- words ---- */
	{NULL, "normal form", "slices, then alltoalls and permutations, then gathers",
		"dynslice* (alltoall | allpermute)* allgather*: sizes fall, stay, then rise, so nothing on the way "
		"is larger than the larger end.",
		TO_NORMAL_FORM, .source = "definition 4.5", .next = "explain theorem 4.8"},
	{NULL, "height", "the largest tile of a sequence",
		"Both ends count. A device must be able to hold it; the budget limits it.", FOUR_BY_SIX,
		.source = "definition 4.4", .next = "explain definition 4.4"},
	{NULL, "peak", "an allgather followed by a dynslice",
		"The tile grows and shrinks again; the type between is larger than both neighbours. Before, and with the peak removed:",
		PEAK, .source = "lemma 4.6", .next = "verify lemma 4.6"},
	{NULL, "rising edge", "an allgather followed by a step that keeps the size",
		"The tile grows too early, so the other step moves large tiles. Rewritten, it moves small ones:", RISING,
		.source = "lemma 4.7", .next = "verify lemma 4.7"},
	{NULL, "falling edge", "a step that keeps the size followed by a dynslice",
		"The tile shrinks later than it could. Rewritten, it shrinks at "
		"once:",
		FALLING, .source = "lemma 4.7", .next = "verify lemma 4.7"},
	{NULL, "plateau", "a rise, steps that keep the size, and a fall",
		"Its edges move toward each other until only a peak is left, which is removed. A plateau of one "
		"alltoall:",
		TO_NORMAL_FORM, .source = "lemma 4.7", .next = "explain peak"},
	{NULL, "local type", "the sizes of one tile",
		"A type without its axes and without the size of the array: [3{x}12, 2{y}12] has the local type [3, "
		"2]. It says how much a device holds, not which part.",
		SWAP_SMALL, .source = "figure 6, section 7.2", .next = "explain weak type"},
	{NULL, "global type", "the sizes of the whole array",
		"A type without tiles and axes: [3{x}12, 2{y}12] has the global type [12, 12]. Both ends of a redistribution have the same one.",
		.mesh = "{x: 2}", .start = "[2{x}4, 4] ~> [4, 2{x}4]", .source = "figure 6, section 2.5",
		.next = "explain T09"},
	{NULL, "base offset map", "where the tile of each device begins",
		"It gives every device the lowest index of its tile in the array. All tiles have the same size, so "
		"that determines everything.",
		.mesh = "{x: 2, y: 3}", .start = "[2{x}4, 2{y}6]", .source = "section 4.1, figure 7",
		.next = "verify lemma 4.2"},
	{NULL, "semantic type", "the base offset map of a type",
		"Types that give every device the same tile have the same semantic type, however they are written. "
		"An axis of size 1 cuts nothing, so these two mean the same, and nothing moves:",
		SAME_MAP, .source = "definition 4.3", .next = "explain weak type"},
	{NULL, "weak type", "a class of maps that differ only by permutations of the devices",
		"For a given array, a local type names the class: it contains all types with the same tile. The "
		"search runs over these classes. Two types of one class:",
		SWAP_SMALL, .source = "definition 5.2, section 7.2", .next = "verify lemma 5.1"},
	{NULL, "over-partitioning", "to slice further than either end, because slices are free",
		"If both ends hold copies along an axis, the array is cut along it for a while: the next alltoall moves less.",
		OVER_PARTITIONED, .source = "section 7.2, figure 12",
		.next = "mesh {x: 4, y: 2, z: 4}; [8{y}16, 4{x}16] ~> [16, 16]; plan exact"},
	{NULL, "merging", "neighbours of one kind become one step",
		"One step of several axes moves the tile "
		"only once.",
		THREE_AXES, .steps = PERMUTE_LAST, .after = "alltoall(0, 1, 8)", .source = "section 7.1",
		.next = "explain section 7.1"},
	{NULL, "lowering", "from steps up to permutations to steps on devices",
		"A path over local types says how large tiles are. Lowering turns it into steps: it assigns axes and "
		"groups, and adds one permutation if the axes do not end as required.",
		TWO_AXES_WEAK, .source = "lemma 6.3, theorem 6.4", .next = "verify theorem 6.4"},
	{NULL, "lifting", "from steps on devices to steps up to permutations",
		"Permutations are dropped, all other steps stay: the result is a path over local types that costs no "
		"more.",
		TWO_AXES_WEAK, .source = "lemma 6.6", .next = "verify lemma 6.6"},
	{NULL, "device map", "which device is at which coordinate of the mesh",
		"Another map with another type may put the same tile on every device; then nothing moves. That is "
		"why any axis of a dimension can be gathered.",
		RENUMBERED, .source = "definitions 6.1 and 6.2, figure 10", .next = "explain figure 10"},
	{NULL, "RQ1", "is the search quick enough?",
		"Each of the 1000 problems was planned within a second by a program in Python; the compiler around it takes minutes. "
		"Here: a histogram of the search times, with the median and the longest.",
		.source = "section 8", .next = "evaluate --problems 200 --strategies paper"},
	{NULL, "RQ2", "are the plans better than those of a compiler?",
		"By time, they were 1.22 times as fast in the geometric mean. Here they are compared by cost, and "
		"with `--run` by measured time: each problem is a point, with the distribution of the ratios. A case "
		"where a compiler gathers and the plan does not:",
		GATHERED_OR_MOVED, .source = "section 8; figures 13 and 14",
		.next = "evaluate --problems 200 --strategies xla,paper"},
	{NULL, "RQ3", "does low cost lead to fast plans?",
		"It does if much is moved; if little is moved, latency matters more. Here: how well the ranks of "
		"cost and time agree, and how often the cheaper of two plans is the faster one, by the amount that a "
		"device moves.",
		.source = "section 8; figure 14", .next = "evaluate --problems 200 --strategies xla,paper,naive"},
	{NULL, "weak redistribution", "a redistribution up to the order of devices",
		"It must end with the right tiles, on any devices, and use no more memory than the larger end. One "
		"permutation turns it into a redistribution.",
		TWO_AXES_WEAK, .source = "section 5", .next = "explain definition 5.3"},
	{NULL, "easy", "the problem of finding any sequence",
		"Gather everything and slice: sequence 2. Axes of 4 and 6 swapped by the strategy `naive`:",
		.printed = easy_way, .source = "section 4.3", .next = "explain sequence 2"},
	{NULL, "memory-constrained", "the problem of staying below the larger end",
		"No tile on the way may be larger than the larger of the two ends. Any normal form solves it. The "
		"same problem, by the method of the paper:",
		.printed = low_way, .source = "section 4.3, inequality (4)", .next = "explain definition 4.5"},
	{NULL, "optimal-cost", "the problem of the least cost below the larger end",
		"Find a memory-constrained sequence of least cost. The same problem, by the search for the optimum:",
		.printed = cheap_way, .source = "section 6.2", .next = "explain theorem 6.7"},
	{0},
};
