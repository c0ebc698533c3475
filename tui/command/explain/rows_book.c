/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the book on sharded matrices draws, states and asks: the rows.
 *
 * Source of all of it: seed 004, "How to Scale Your Model", part 3, "Sharded matrices and how to multiply them".
 */
#include "command/explain/paper.h"

#include <stddef.h>

static const struct printed figure_9[] = {
	{"bytes below which a hop on v5e is latency-bound: half a ring of 2",
		"hardware v5e; model roofline; mesh {X: 16}; i8[{X}720000] ~> i8[720000]; plan", "steps[0].localsize",
		.unit = 'B', .print = "45 kB", .why = "one hop moves a sixteenth of the array", .times = 0.0625},
	{"bytes on each device of 10 MB over 16 devices", "mesh {X: 16}; show type i8[{X}10000000]",
		"~tile   [625000]: ", .unit = 'B', .print = "about 500 kB", .why = "10 MB by 16 are 625 kB: the text rounds"},
	{0},
};

static const struct printed table_1[] = {
	{"all-gather", "hardware v5e; model roofline; mesh {X: 16}; i8[{X}14400000, 16] ~> i8[14400000, 16]; plan",
		"model_cost", .unit = 's'},
	{"reduce-scatter",
		"hardware v5e; model roofline; mesh {X: 16}; i8[14400000, 16]+{X} ~> i8[{X}14400000, 16]; plan", "model_cost",
		.unit = 's'},
	{"all-reduce",
		"hardware v5e; model roofline; mesh {X: 16}; i8[14400000, 16]+{X} ~> i8[14400000, 16]; plan "
		"sum-first",
		"model_cost", .unit = 's'},
	{"all-to-all", "hardware v5e; model roofline; mesh {X: 16}; i8[{X}14400000, 16] ~> i8[14400000, {X}16]; plan",
		"model_cost", .unit = 's'},
	{0},
};

static const struct printed takeaway_2[] = {
	{"57.6 MB around 16 "
	 "devices",
		"hardware v5e; model roofline; mesh {X: 16}; i8[{X}57600000] ~> i8[57600000]; plan", "model_cost",
		.unit = 's'},
	{"57.6 MB around 32 "
	 "devices",
		"hardware v5e; model roofline; mesh {X: 32}; i8[{X}57600000] ~> i8[57600000]; plan", "model_cost",
		.unit = 's'},
	{"57.6 MB around 64 "
	 "devices",
		"hardware v5e; model roofline; mesh {X: 64}; i8[{X}57600000] ~> i8[57600000]; plan", "model_cost",
		.unit = 's'},
	{0},
};

static const struct printed quiz_1[] = {
	{"bytes of a tile",
		"hardware book = 450GB/s 0.6us memory 3.4TB/s; model roofline; hardware book; mesh {X: 8, Y: 2}; "
		"show type f32[{Y,X}1024, 4096]",
		"~tile   [64, 4096]: 262 144 elements, ", .unit = 'B', .print = "1 MiB",
		.why = "64 times 4096 elements of 4 bytes"},
	{"reading them at 3.4 TB/s", NULL, "~reading the tile once from memory: ", .unit = 's', .print = "294 ns",
		.why = "the text divides 1e6 bytes; 1 MiB is 1 048 576"},
	{0},
};

static const struct printed quiz_2[] = {
	{"bytes of a tile", "mesh {X: 2, Y: 8, Z: 2}; show type i8[{Y,X}128, 2048]", "~tile   [8, 2048]: ", .unit = 'B',
		.print = "16384 B", .why = "8 times 2048 bytes"},
	{"bytes on all 32 devices", NULL, "~tile   [8, 2048]: ", .unit = 'B', .print = "512 KiB", .why = "32 tiles",
		.times = 32},
	{0},
};

static const struct printed quiz_3[] = {
	{"over Y, 4 devices in a line, as on v5e",
		"hardware v5e; model roofline; mesh {X: 8, Y: 4}; bf16[{Y}2048, 8192] ~> bf16[2048, 8192]; plan "
		"naive",
		"model_cost", .unit = 's', .print = "560 us", .why = "three hops of 8.4 MB each"},
	{"over Y as if it were a ring",
		"hardware v4p; model roofline; mesh {X: 8, Y: 4}; bf16[{Y}2048, 8192] ~> bf16[2048, 8192]; plan "
		"naive",
		"model_cost", .unit = 's', .print = "377 us",
		.why = "the text rounds the array to 34 MB first: it has 33.55"},
	{"bf16[256, 256]",
		"hardware v5e; model roofline; mesh {X: 8, Y: 4}; bf16[{Y}256, 256] ~> bf16[256, 256]; plan naive",
		"model_cost", .unit = 's', .print = "3 us", .why = "three hops"},
	{"bf16[2048, 8192], with help from the copies along X",
		"hardware v5e; model roofline; mesh {X: 8, Y: 4}; bf16[{Y}2048, 8192] ~> bf16[2048, 8192]; plan",
		"model_cost", .unit = 's'},
	{0},
};

static const struct printed question_1[] = {
	{"bytes on all 64 devices over those of one copy", "mesh {X: 4, Y: 8, Z: 2}; show type i8[{X}64]",
		"~tile   [16]: ", .unit = 'n', .print = "16", .why = "a tile on each device, divided by the array",
		.over = "~array  [64]: ", .times = 64},
	{0},
};

static const struct printed question_2[] = {
	{"AllGather over X of [B_X, D_Y]",
		"hardware v4p; model roofline; mesh {X: 4, Y: 4, Z: 4}; bf16[{X}1024, {Y}4096, {Z}4] ~> "
		"bf16[1024, {Y}4096, {Z}4]; plan",
		"model_cost", .unit = 's', .print = "23 us", .why = "a quarter of the bytes along one axis"},
	{"AllGather over X and Y",
		"hardware v4p; model roofline; mesh {X: 4, Y: 4, Z: 4}; bf16[{X}1024, {Y}4096, {Z}4] ~> "
		"bf16[1024, 4096, {Z}4]; plan",
		"model_cost", .unit = 's', .print = "46 us", .why = "the text drops the digits after 46 and does not round"},
	{"AllReduce over Z of [B_X, D_Y] {U_Z}",
		"hardware v4p; model roofline; mesh {X: 4, Y: 4, Z: 4}; bf16[{X}1024, {Y}4096]+{Z} ~> "
		"bf16[{X}1024, {Y}4096]; plan sum-first",
		"model_cost", .unit = 's', .print = "about 11.6 us", .why = "twice a gather"},
	{"hops over X and Y: 16 by 16",
		"hardware v4p; model roofline; mesh {X: 4, Y: 4, Z: 4}; bf16[{X}16, {Y}16, {Z}4] ~> bf16[16, 16, "
		"{Z}4]; plan",
		"model_cost", .unit = 's', .print = "4 us", .why = "two hops along each"},
	{0},
};

static const struct printed question_3[] = {
	{"AllGather over X",
		"hardware v4p; model roofline; mesh {X: 4, Y: 4, Z: 4}; bf16[{X}128, {Y}4, {Z}4] ~> bf16[128, "
		"{Y}4, {Z}4]; plan",
		"model_cost", .unit = 's', .print = "2 us", .why = "two hops, both ways around"},
	{0},
};

static const struct printed question_4[] = {
	{"(1) Y is gathered: communication-bound below B =",
		"hardware v5p; model roofline; mesh {X: 4}; einsum bd,df->bf bf16[1024, 8192], bf16[{X}8192, "
		"32768] as bf16[1024, 32768] --limit 4",
		"ways[2].turn.b", .unit = 'n', .print = "2550", .why = "flops of a v5p over bytes of its links"},
	{"(2) the product is summed: communication-bound below D = X 5100, X = "
	 "4",
		NULL, "ways[0].turn.d", .unit = 'n', .print = "20400", .why = "4 times 5100"},
	{"(1) communication", NULL, "ways[2].comm_seconds", .unit = 's'},
	{"(1) product", NULL, "ways[2].math_seconds", .unit = 's'},
	{"(2) communication", NULL, "ways[0].comm_seconds", .unit = 's'},
	{"(2) product", NULL, "ways[0].math_seconds", .unit = 's'},
	{0},
};

/* A product on 64 devices, of matrices of these types: a column. */
#define OPTION(name, a, b, body) \
	{"communication", \
		"hardware v5p; model roofline; program mesh {X: 4, Y: 4, Z: 4} fn product(a : bf16[" a "], b : bf16[" b \
		"]) -> bf16[4096, 4096] { c = einsum \"ij,jk->ik\" a b " body " }", \
		"moved", .unit = 's', .option = (name)}, \
		{"product", NULL, "computed", .unit = 's', .option = (name)}, \
	{ \
		"flops a device", NULL, "flops", .unit = 'n', .option = (name) \
	}
#define GATHERED "d = redistribute c as bf16[4096, 4096] return d"

static const struct printed question_5[] = {
	OPTION("(1) I cut", "{X,Y,Z}4096, 4096", "4096, 4096", GATHERED),
	OPTION("(2) K cut", "4096, 4096", "4096, {X,Y,Z}4096", GATHERED),
	OPTION("(3) J cut", "4096, {X,Y,Z}4096", "{X,Y,Z}4096, 4096", GATHERED),
	OPTION("(4) none cut", "4096, 4096", "4096, 4096", "return c"),
	{"512 by 512: the best",
		"hardware v5p; program mesh {X: 4, Y: 4, Z: 4} fn product(a : ?bf16[512, 512], b : ?bf16[512, "
		"512]) -> bf16[512, 512] { c = einsum \"ij,jk->ik\" a b as ? return c }; assign --by time",
		"seconds", .unit = 's'},
	{"863 by 863: the best",
		"hardware v5p; program mesh {X: 4, Y: 4, Z: 4} fn product(a : ?bf16[863, 863], b : ?bf16[863, "
		"863]) -> bf16[863, 863] { c = einsum \"ij,jk->ik\" a b as ? return c }; assign --by time",
		"seconds", .unit = 's'},
	{"864 by 864: the best",
		"hardware v5p; program mesh {X: 4, Y: 4, Z: 4} fn product(a : ?bf16[864, 864], b : ?bf16[864, "
		"864]) -> bf16[864, 864] { c = einsum \"ij,jk->ik\" a b as ? return c }; assign --by time",
		"seconds", .unit = 's'},
	{"4096 by 4096: the best",
		"hardware v5p; program mesh {X: 4, Y: 4, Z: 4} fn product(a : ?bf16[4096, 4096], b : ?bf16[4096, "
		"4096]) -> bf16[4096, 4096] { c = einsum \"ij,jk->ik\" a b as ? return c }; assign --by time",
		"seconds", .unit = 's'},
	{0},
};

static const struct printed question_6[] = {
	{"A[I_X, J_Y] B[J_Y, K]: communication",
		"hardware v5e; model roofline; mesh {X: 4, Y: 4}; einsum ij,jk->ik bf16[{X}8192, {Y}8192], "
		"bf16[{Y}8192, 8192] as bf16[{X}8192, 8192] --limit 1",
		"ways[0].comm_seconds", .unit = 's'},
	{"its products", NULL, "ways[0].math_seconds", .unit = 's'},
	{"A[I_X, J] B[J_X, K_Y]: communication",
		"hardware v5e; model roofline; mesh {X: 4, Y: 4}; einsum ij,jk->ik bf16[{X}8192, 8192], "
		"bf16[{X}8192, {Y}8192] as bf16[{X}8192, {Y}8192] --limit 1",
		"ways[0].comm_seconds", .unit = 's'},
	{"A[I_X, J] B[J, K_Y]: communication",
		"hardware v5e; model roofline; mesh {X: 4, Y: 4}; einsum ij,jk->ik bf16[{X}8192, 8192], "
		"bf16[8192, {Y}8192] as bf16[{X}8192, {Y}8192] --limit 1",
		"ways[0].comm_seconds", .unit = 's'},
	{0},
};

static const struct printed question_7[] = {
	{"the result scattered: in all",
		"hardware v5e; program mesh {X: 2, Y: 2} fn block(x : bf16[128, 8192], b : ?bf16[8192, 32768], c "
		": ?bf16[32768, 8192]) -> bf16[{X,Y}128, 8192] { h = einsum \"bd,df->bf\" x b as ? r = relu h as ? "
		"y = einsum \"bf,fd->bd\" r c as ? return y }; assign --by time --live 300MB",
		"seconds", .unit = 's'},
	{"its products", NULL, "products", .unit = 's'},
	{"the result everywhere: in all",
		"hardware v5e; program mesh {X: 2, Y: 2} fn block(x : bf16[128, 8192], b : ?bf16[8192, 32768], c "
		": ?bf16[32768, 8192]) -> bf16[128, 8192] { h = einsum \"bd,df->bf\" x b as ? r = relu h as ? y = "
		"einsum \"bf,fd->bd\" r c as ? return y }; assign --by time --live 300MB",
		"seconds", .unit = 's'},
	{0},
};

static const struct printed question_9[] = {
	{"elements made by the gather of A, N M", "mesh {X: 4}; [64, {X}1024] ~> [64, 1024]; plan", "cost", .unit = 'n',
		.print = "65536", .why = "N times M"},
	{"elements of the reducescatter, N K", "mesh {X: 4}; [64, 256]+{X} ~> [64, {X}256]; plan", "cost", .unit = 'n',
		.print = "16384", .why = "N times K"},
	{0},
};

static const struct printed question_10[] = {
	{"AllGather, one way: N N (1 - 1/D)",
		"hardware v4p; mesh {X: 4}; [4{X}16, 16] ~> [16, 16]; show rounds --one-way", "<scalars cross one link",
		.unit = 'n', .print = "192", .why = "16 times 16, without a device's own part"},
	{"AllToAll, one way: N N / 2 (1 - 1/D)",
		"hardware v4p; mesh {X: 4}; [4{X}16, 16] ~> [16, 4{X}16]; show rounds --one-way", "<scalars cross one link",
		.unit = 'n', .print = "96", .why = "half of that"},
	{"AllGather, both ways", "hardware v4p; mesh {X: 4}; [4{X}16, 16] ~> [16, 16]; show rounds",
		"<scalars cross one link", .unit = 'n', .print = "96",
		.why = "half of the first; the piece of the opposite device is split in two"},
	{"AllToAll, both ways", "hardware v4p; mesh {X: 4}; [4{X}16, 16] ~> [16, 4{X}16]; show rounds",
		"<scalars cross one link", .unit = 'n', .print = "48",
		.why = "the sum in the text, D/2 (D/2 + 1) / 2 pieces, counts the opposite device on both sides; "
			   "with that piece halved it is N N / 8"},
	{0},
};

const struct artefact book_rows[] = {
	/* ---- figures, in their order: they have no numbers there ---- */
	{"figure", "1", "an array on four devices",
		"A[I_X, J_Y]: rows cut along X, columns along Y; each device has a quarter. Here a dimension is "
		"written as a tile, the axes that cut it, and its size.",
		.lines = "mesh {X: 2, Y: 2}; show type [2{X}4, 64{Y}128]",
		.source = "a unified notation for sharding; the array is f32[4, 128] there", .next = "explain pop quiz 1"},
	{"figure", "2", "an array spread over four devices", "The array, and the four devices of the mesh.",
		.lines = "mesh {X: 2, Y: 2}; show tiles [2{X}4, 4{Y}8]", .source = "a unified notation for sharding",
		.next = "explain figure 3 of book"},
	{"figure", "3", "A[I, J]: everywhere", "No axis cuts a dimension: every device has the whole array.",
		.lines = "mesh {X: 2, Y: 2}; show tiles [4, 8]", .source = "a unified notation for sharding",
		.next = "explain figure 4 of book"},
	{"figure", "4", "A[I_X, J]: rows along X", "The two devices along Y have the same rows.",
		.lines = "mesh {X: 2, Y: 2}; show tiles [2{X}4, 8]", .source = "a unified notation for sharding",
		.next = "explain figure 5 of book"},
	{"figure", "5", "A[I_X, J_Y]: rows along X, columns along Y", "Every device has a different quarter.",
		.lines = "mesh {X: 2, Y: 2}; show tiles [2{X}4, 4{Y}8]", .source = "a unified notation for sharding",
		.next = "explain figure 6 of book"},
	{"figure", "6", "all other shardings over two axes",
		"Columns along X or Y, rows along Y, and both swapped. One of them:",
		.lines = "mesh {X: 2, Y: 2}; show tiles [2{Y}4, 4{X}8]", .source = "a unified notation for sharding",
		.next = "explain figure 7 of book"},
	{"figure", "7", "A[I_XY, J]: rows along both",
		"X is the major axis, Y the minor one; here the minor one comes first in the braces. A[I_YX, J] puts "
		"different rows on the devices.",
		.lines = "mesh {X: 2, Y: 2}; show tiles [1{Y,X}4, 8]", .source = "a unified notation for sharding",
		.next = "explain T03"},
	{"figure", "8", "an all-gather around a ring",
		"Each device passes on what it received, both ways around: 8 devices need 4 hops.",
		.lines = "hardware v4p; mesh {X: 8}; [32{X}256] ~> [256]; show rounds", .source = "case 2",
		.next = "explain question 10"},
	{"figure", "9", "bandwidth of an all-gather by its size",
		"Measured on an 8 by 16 slice of v5e, along the ring of 16: 95 % of the link bandwidth at 10 MB. "
		"Predicted, from small to large:",
		.lines = "hardware v5e; model roofline; mesh {X: 8, Y: 16}; bf16[{Y}4096, {X}8192] ~> bf16[4096, "
				 "{X}8192]; plan; show times --sweep 1KiB:64MiB",
		.printed = figure_9, .source = "case 2", .next = "explain pop quiz 2"},
	{"figure", "10", "a reduce-scatter around a ring",
		"Like an all-gather, but each piece gains a term at every hop.",
		.lines = "hardware v4p; mesh {X: 8}; [256]+{X} ~> [32{X}256]; apply reducescatter(0, {X}); show rounds",
		.source = "case 3", .next = "explain reducescatter"},
	{"figure", "11", "an all-to-all around a ring",
		"Pieces go at most halfway around, so each link carries a quarter of the bytes of an all-gather.",
		.lines = "hardware v4p; mesh {X: 8}; [32{X}256, 8] ~> [256, {X}8]; show rounds", .source = "a deeper dive",
		.next = "explain question 10"},
	{"figure", "12", "four collectives",
		"All-gather, reduce-scatter, all-to-all and all-reduce; `explain` describes each by its name, and "
		"`explain table 1 of book` how long each takes.",
		.lines = "mesh {X: 2, Y: 2}; show type [8{X}16, 12]+{Y}", .source = "what have we learned",
		.next = "explain table 1 of book"},

	/* ---- cases ---- */
	{"lemma", "1", "when tiles multiply in place",
		"They do, and the result is partitioned like the operands, unless the summed letter is partitioned "
		"or an axis cuts both matrices. The text does not number it.",
		.lines = "mesh {x: 2, y: 2}; einsum ij,jk->ik [32{x}64, 32], [32, 24{y}48] as [32{x}64, 24{y}48] --limit 1",
		.source = "case 1", .next = "verify lemma 1"},
	{"case", "1", "nothing is partitioned along the summed letter", "Nothing is sent.",
		.lines = "mesh {x: 2, y: 2}; einsum ij,jk->ik [32{x}64, 32], [32, 48] as [32{x}64, 48] --limit 1",
		.source = "case 1", .next = "verify case 1"},
	{"case", "2", "one matrix is partitioned along the summed letter",
		"It is gathered first; or the other matrix is partitioned alike, and the product is summed.",
		.lines = "mesh {x: 2, y: 2}; einsum ij,jk->ik [64, 16{x}32], [32, 48] as [64, 48] --limit 3",
		.source = "case 2", .next = "verify case 2"},
	{"case", "3", "both are partitioned alike along the summed letter",
		"Devices multiply their tiles into terms of the result: an allreduce sums them everywhere, a "
		"reducescatter leaves each device a piece.",
		.lines = "mesh {x: 2, y: 2}; einsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48] --limit 3",
		.source = "case 3", .next = "verify case 3"},
	{"case", "4", "an axis cuts both matrices along different letters",
		"Only tiles on the diagonal meet, so one of the two is gathered; the next operation decides which.",
		.lines = "mesh {x: 2, y: 2}; einsum ij,jk->ik [32{x}64, 32], [32, 24{x}48] as [64, 24{x}48] --limit 2",
		.source = "case 4", .next = "verify case 4"},
	{"table", "1", "how long each collective takes",
		"All-gather: V / (2 W) for V bytes, divided by n over n axes; reduce-scatter the same; all-reduce "
		"twice that; all-to-all a quarter of an all-gather. As the planner predicts for 14.4 MB times 16 on "
		"a ring of 16 of v5e:",
		.printed = table_1,
		.source = "what have we learned. One place in the text says that an all-to-all is 1/4 of an "
				  "AllReduce: it is 1/4 of an AllGather, and 1/8 of an AllReduce",
		.next = "explain alltoall"},

	/* ---- takeaways ---- */
	{"takeaway", "1", "gather the operand that is partitioned along the summed letter",
		"Then the product is local. Summing at the end can be faster if B is small: question 4.",
		.lines = "mesh {x: 2, y: 2}; einsum ij,jk->ik [64, 16{x}32], [32, 48] as [64, 48] --limit 2",
		.source = "case 2", .next = "explain question 4"},
	{"takeaway", "2", "the time of a gather does not depend on the ring",
		"As long as bytes matter and hops do not: more devices send smaller pieces.", .printed = takeaway_2,
		.source = "case 2", .next = "explain figure 8 of book"},

	/* ---- pop quizzes ---- */
	{"pop quiz", "1", "what one of 16 devices holds, and how long it takes to read",
		"f32[1024, 4096] as A[I_XY, J] on {X: 8, Y: 2}.",
		.lines = "mesh {X: 8, Y: 2}; show type f32[{Y,X}1024, 4096]", .printed = quiz_1,
		.source = "2D sharding across 1 axis", .next = "explain pop quiz 2"},
	{"pop quiz", "2", "how much memory copies take",
		"i8[128, 2048] as A[I_XY, J] on {X: 2, Y: 8, Z: 2}: the two devices along Z have the same rows. The "
		"text does not number it.",
		.lines = "mesh {X: 2, Y: 8, Z: 2}; show type i8[{Y,X}128, 2048]", .printed = quiz_2,
		.source = "the second one", .next = "explain question 1"},
	{"pop quiz", "2", "how long an all-gather takes",
		"[E_Y, F] to [E, F] on v5e with {X: 8, Y: 4}, in bf16: links run both ways, but 4 devices are a "
		"line, because axes close to rings only at 16. Measured there: 680 us, and 8 us for the small array. "
		"The text calls it pop quiz 2, but it is the third.",
		.printed = quiz_3, .source = "AllGather time", .next = "explain question 2"},
	{"pop quiz", "3", "how long an all-gather takes",
		"[E_Y, F] to [E, F] on v5e with {X: 8, Y: 4}, in bf16: links run both ways, but 4 devices are a "
		"line, because axes close to rings only at 16. Measured there: 680 us, and 8 us for the small array.",
		.printed = quiz_3, .source = "AllGather time", .next = "explain question 2"},

	/* ---- questions ---- */
	{"question", "1",
		"how much memory copies take in "
		"all",
		"A[I_X, J, K, ...] on {X: 4, Y: 8, Z: 2}: every row is on 16 devices.",
		.lines = "mesh {X: 4, Y: 8, Z: 2}; show type [{X}64]", .printed = question_1, .source = "replicated sharding",
		.next = "explain pop quiz 2"},
	{"question", "2", "gathers and a sum on a cube",
		"bf16[1024, 4096] on v4p, 4 by 4 by 4. A third dimension uses Z, so that no copies can help.",
		.printed = question_2, .source = "AllGather latency", .next = "explain question 3"},
	{"question", "3", "a gather of 256 bytes",
		"bf16[128] along one axis of 4 on v4p: hops matter, bytes do "
		"not.",
		.printed = question_3, .source = "latency-bound AllGather", .next = "explain question 2"},
	{"question", "4", "gather a matrix, or sum the product",
		"X[B, D] by Y[D_X, F] on v5p: Y is gathered (1), or X is partitioned like Y and the product is "
		"summed (2). Times of (2) for B = 1024, D = 8192, F = 32768, and the sizes at which each becomes "
		"communication-bound:",
		.lines = "hardware v5p; model roofline; mesh {X: 4}; einsum bd,df->bf bf16[1024, 8192], bf16[{X}8192, "
				 "32768] as bf16[1024, 32768] --limit 4",
		.printed = question_4, .source = "matmul strategies", .next = "explain case 2"},
	{"question", "5", "types of the operands for the least latency",
		"The result is wanted everywhere, on v5p 4 by 4 by 4. All devices compute small products; large "
		"products are partitioned 64 ways along I or K, and the result is gathered (options 1 and 2 there). "
		"First the four options for matrices of 4096 by 4096: A[I_XYZ, J] B[J, K], A[I, J] B[J, K_XYZ], A[I, "
		"J_XYZ] B[J_XYZ, K] and A[I, J] B[J, K]. Then the best of all types for some sizes:",
		.printed = question_5, .source = "minimum latency; the text gives no numbers", .next = "explain question 4"},
	{"question", "6", "three products on 4 by 4",
		"Matrices of 8192 by 8192 in bf16 on v5e: J partitioned in both, only in B, and in neither.",
		.printed = question_6, .source = "the text has no answer", .next = "explain case 3"},
	{"question", "7", "a block in 300 MB on each device",
		"Both weights of a transformer block on four v5e. Partitioned along F over both axes they fit, and "
		"only one sum at the end is sent.",
		.printed = question_7, .source = "the text has no answer", .next = "explain case 3"},
	{"question", "8", "the four primitives, timed",
		"`simulate` runs a program of one step on data; `run` instead starts MPI ranks and shows the "
		"measured time of each step beside its prediction.",
		.lines = "program mesh {X: 4} fn gather(a : [16{X}64, 48]) -> [64, 48] { b = redistribute a as [64, 48] "
				 "return b }; simulate",
		.source = "the text has no answer", .next = "help run"},
	{"question", "9", "sum the products of parts",
		"A[I, J_X] by B[J, K]: every device multiplies its columns of A by its rows of B, and the terms "
		"are scattered. N = 64, M = 1024, K = 256:",
		.lines = "program mesh {X: 4} fn scatter(A : [64, {X}1024], B : [1024, 256]) -> [64, {X}256] { R = "
				 "redistribute B as [{X}1024, 256] O = einsum \"ij,jk->ik\" A R C = redistribute O as [64, {X}256] "
				 "return C }; show indices",
		.printed = question_9, .source = "another strategy for sharded matmuls", .next = "explain question 4"},
	{"question", "10", "scalars over one link",
		"An N by N matrix on a ring of D devices, with N = 16 and D = 4, one way and both ways. For large D "
		"the limits are N N and N N / 2 one way, and half of the first and a quarter of the second both "
		"ways.",
		.printed = question_10, .source = "fun with AllToAll", .next = "explain figure 11 of book"},

	/* ---- sections ---- */
	{"section", "1", "notation",
		"A mesh names axes. A subscript says which of them cut a dimension, the major one first; here the "
		"braces have the minor one first.",
		.lines = "mesh {X: 2, Y: 2}; show type [1{Y,X}4, 8]",
		.source = "partitioning notation and collective operations", .next = "explain figure 7 of book"},
	{"section", "2", "products", "Four cases: which operands are partitioned along the summed letter.",
		.lines = "mesh {x: 2, y: 2}; einsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48] --limit 1",
		.source = "computation with sharded arrays", .next = "explain case 3 of book"},
	{"section", "3", "primitives",
		"All-to-all moves a subscript; reduce-scatter and all-gather are derivatives of each other.",
		.lines = "mesh {X: 2}; [8{X}16, 8] ~> [16, 8]; apply allgather(0); adjoint",
		.source = "a deeper dive into TPU communication primitives", .next = "explain table 1 of book"},
	{"section", "4", "what to remember", "A mesh and a sharding; four cases; four primitives and their times.",
		.printed = table_1, .source = "what have we learned?", .next = "explain takeaway 2"},
	{"section", "5", "problems", "Ten questions, of which the text answers seven.", .printed = question_1,
		.source = "some problems to work", .next = "explain question 1"},
	{0},
};
