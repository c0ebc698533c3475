/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of algorithms.
 */
#include <string.h>

#include <shardwalk/algorithm.h>

#define GEMM "A(i,j) = B(i,k) * C(k,j)", "ijk"
#define FIGURE_9 "seed 003, figure 9"

/* Placements of figure 9: on a plane, on faces of a block, on its first layer; and each processor its part, which the notation
 * cannot say. */
#define PLANE .names = {"xy", "xy", "xy"}, .home = {"01", "01", "01"}
#define FACES .names = {"xy", "xz", "zy"}, .home = {"01.", "0.1", ".10"}
#define LAYER .names = {"xy", "xy", "xy"}, .home = {"01.", "01.", "01."}
#define BALANCED .names = {"xy", "xz", "zy"}, .home = {"010", "001", "010"}

#define NODES .names = {"xy", "xy", "xy"}, .home = {"0101", "0101", "0101"}

#define COSMA_LOOPS \
	.command = {"distribute({i,j,k},{io,jo,ko},{ii,ji,ki},Grid($x,$y,$z))", "divide(ki,kio,kii,$s)", \
		"reorder({kio,ii,ji,kii})", "communicate(A,ko)", "communicate({B,C},kio)", "substitute({ii,ji,kii},gemm)"}

static const sw_schedule_algorithm rows[] = {
	{"cannon", "Blocks of both factors rotate, aligned so that no device sends to two.",
		"L. E. Cannon 1969; " FIGURE_9, GEMM, SW_SHAPE_GRID, "ij", 'k', "ij", "x", 0, "BC", PLANE,
		.command = {"distribute({i,j},{io,jo},{ii,ji},Grid($x,$y))", "divide(k,ko,ki,$s)", "reorder({ko,ii,ji,ki})",
			"rotate(ko,{io,jo},kos)", "communicate(A,jo)", "communicate({B,C},kos)", "substitute({ii,ji,ki},gemm)"}},
	{"cannon", "The same from node to node, and inside nodes.", "L. E. Cannon 1969; seed 003, section 3.3", GEMM,
		SW_SHAPE_NODE_GRIDS, "ij", 'k', "ij", "z", 0, "BC", NODES,
		.command = {"distribute({i,j},{io,jo},{ii,ji},Grid($x,$y))", "divide(k,ko,ki,$x)", "reorder({ko,ii,ji,ki})",
			"rotate(ko,{io,jo},kos)", "communicate({B,C},kos)", "distribute({ii,ji},{iio,jio},{iii,jii},Grid($z,$w))",
			"divide(ki,kio,kii,$s)", "reorder({kio,iii,jii,kii})", "rotate(kio,{iio,jio},kios)",
			"communicate({B,C},kios)", "communicate(A,jio)", "substitute({iii,jii,kii},gemm)"}},
	{"pumma", "One factor is broadcast in rows, the other rotates in columns.",
		"J. Choi, J. J. Dongarra, D. W. Walker 1994; " FIGURE_9, GEMM, SW_SHAPE_GRID, "ij", 'k', "i", "x", 0, "BC",
		PLANE,
		.command = {"distribute({i,j},{io,jo},{ii,ji},Grid($x,$y))", "divide(k,ko,ki,$s)", "reorder({ko,ii,ji,ki})",
			"rotate(ko,{io},kos)", "communicate(A,jo)", "communicate({B,C},kos)", "substitute({ii,ji,ki},gemm)"}},
	{"summa", "Panels of both factors are broadcast, in rows and in columns.",
		"R. A. van de Geijn, J. Watts 1995; " FIGURE_9, GEMM, SW_SHAPE_GRID, "ij", 'k', "", "", 128, "BC", PLANE,
		.command = {"distribute({i,j},{io,jo},{ii,ji},Grid($x,$y))", "split(k,ko,ki,$c)", "reorder({ko,ii,ji,ki})",
			"communicate(A,jo)", "communicate({B,C},ko)", "substitute({ii,ji,ki},gemm)"}},
	{"pumma", "Broadcast and shift from node to node, broadcasts inside nodes.", "seed 003, section 3.3", GEMM,
		SW_SHAPE_NODE_GRIDS, "ij", 'k', "i", "z", 0, "BC", NODES,
		.command = {"distribute({i,j},{io,jo},{ii,ji},Grid($x,$y))", "divide(k,ko,ki,$x)", "reorder({ko,ii,ji,ki})",
			"rotate(ko,{io},kos)", "communicate({B,C},kos)", "distribute({ii,ji},{iio,jio},{iii,jii},Grid($z,$w))",
			"divide(ki,kio,kii,$s)", "reorder({kio,iii,jii,kii})", "communicate({B,C},kio)", "communicate(A,jio)",
			"substitute({iii,jii,kii},gemm)"}},
	{"summa", "Broadcasts from node to node, and inside nodes.", "seed 003, section 3.3", GEMM, SW_SHAPE_NODE_GRIDS,
		"ij", 'k', "", "z", 0, "BC", NODES,
		.command = {"distribute({i,j},{io,jo},{ii,ji},Grid($x,$y))", "divide(k,ko,ki,$x)", "reorder({ko,ii,ji,ki})",
			"communicate({B,C},ko)", "distribute({ii,ji},{iio,jio},{iii,jii},Grid($z,$w))", "divide(ki,kio,kii,$s)",
			"reorder({kio,iii,jii,kii})", "communicate({B,C},kio)", "communicate(A,jio)",
			"substitute({iii,jii,kii},gemm)"}},
	{"johnson", "A cube of devices with the arrays on three of its faces; everything is sent at once.",
		"R. C. Agarwal and others 1995; " FIGURE_9, GEMM, SW_SHAPE_CUBE, "ijk", 0, "", "1", 0, "", FACES,
		.command = {"distribute({i,j,k},{io,jo,ko},{ii,ji,ki},Grid($x,$y,$z))", "communicate({A,B,C},ko)",
			"substitute({ii,ji,ki},gemm)"}},
	{"johnson", "The same from node to node, and rows of a node's block on each of its devices.",
		"R. C. Agarwal and others 1995; seed 003, section 3.3", GEMM, SW_SHAPE_NODE_CUBE, "ijk", 0, "", "1", 0, "",
		.names = {"xy", "xz", "zy"}, .home = {"01.0", "0.10", ".10*"},
		.command = {"distribute({i,j,k},{io,jo,ko},{ii,ji,ki},Grid($x,$y,$z))", "communicate({A,B,C},ko)",
			"distribute({ii},{iio},{iii},Grid($w))", "communicate({A,B,C},iio)", "substitute({iii,ji,ki},gemm)"}},
	{"solomonik", "Cannon on each of several layers, which share the steps: more copies, fewer messages.",
		"E. Solomonik, J. Demmel 2011; " FIGURE_9, GEMM, SW_SHAPE_LAYERS, "ijk", 'k', "ij", "x/z", 0, "BC", LAYER,
		.command = {"distribute({i,j,k},{io,jo,ko},{ii,ji,ki},Grid($x,$y,$z))", "divide(ki,kio,kii,$s)",
			"reorder({kio,ii,ji,kii})", "rotate(kio,{io,jo},kios)", "communicate(A,jo)", "communicate({B,C},kios)",
			"substitute({ii,ji,kii},gemm)"}},
	{"cosma", "The block of devices that moves least, with the arrays on three of its faces.",
		"G. Kwasniewski and others 2019; " FIGURE_9, GEMM, SW_SHAPE_CUBOID, "ijk", 'k', "", "1", 0, "BC", FACES,
		COSMA_LOOPS},
	{"cosma-balanced", "The same, but each device has its part of each array.", "G. Kwasniewski and others 2019",
		GEMM, SW_SHAPE_CUBOID, "ijk", 'k', "", "1", 0, "BC", BALANCED, COSMA_LOOPS},
	{"ttv", "A tensor times a vector that every device has: nothing is sent.", "seed 003, figure 16a",
		"A(i,j) = B(i,j,k) * c(k)", "ijk", SW_SHAPE_GRID, "ij", 0, "", "1", 0, "", .names = {"xy", "xyz", "x"},
		.home = {"01", "01", "**"},
		.command = {"distribute({i,j},{io,jo},{ii,ji},Grid($x,$y))", "communicate({A,B,c},jo)",
			"substitute({ii,ji,k},ttv)"}},
	{"innerprod", "Two tensors partitioned alike, whose products are summed.", "seed 003, figure 16b",
		"a = B(i,j,k) * C(i,j,k)", "ijk", SW_SHAPE_LINE, "i", 0, "", "1", 0, "", .names = {"", "xyz", "xyz"},
		.home = {".", "0", "0"},
		.command = {"distribute({i},{io},{ii},Grid($x))", "communicate({a,B,C},io)",
			"substitute({ii,j,k},innerprod)"}},
	{"innerprod", "The same, summed inside each node first.", "seed 003, figure 16b and section 3.3",
		"a = B(i,j,k) * C(i,j,k)", "ijk", SW_SHAPE_NODES, "i", 0, "", "1", 0, "", .names = {"", "xyz", "xyz"},
		.home = {"..", "00", "00"},
		.command = {"distribute({i},{io},{ii},Grid($x))", "communicate(a,io)",
			"distribute({ii},{iio},{iii},Grid($y))", "communicate({a,B,C},iio)", "substitute({iii,j,k},innerprod)"}},
	{"ttm", "A tensor times a matrix that every device has: nothing is sent.", "seed 003, figure 16c",
		"A(i,j,l) = B(i,j,k) * C(k,l)", "ijkl", SW_SHAPE_LINE, "i", 0, "", "1", 0, "", .names = {"xyz", "xyz", "xy"},
		.home = {"0", "0", "*"},
		.command = {"distribute({i},{io},{ii},Grid($x))", "communicate({A,B,C},io)", "reorder({ii,j,k,l})",
			"substitute({ii,j,k,l},ttm)"}},
	{"mttkrp", "The tensor stays, the factors move to it, the result is summed.",
		"G. Ballard, N. Knight, K. Rouse 2018; seed 003, figure 16d", "A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", "ijkl",
		SW_SHAPE_CUBOID, "ijk", 0, "", "1", 0, "", .names = {"xy", "xyz", "xy", "xy"},
		.home = {"0..", "012", ".0.", "..0"},
		.command = {"reorder({i,j,k,l})", "distribute({i,j,k},{io,jo,ko},{ii,ji,ki},Grid($x,$y,$z))",
			"reorder({ii,ji,ki,l})", "communicate({A,B,C,D},ko)", "substitute({ii,ji,ki,l},mttkrp)"}},
};

const sw_schedule_algorithm *sw_schedule_algorithm_at(int n)
{
	return n >= 0 && (size_t)n < sizeof rows / sizeof *rows ? &rows[n] : NULL;
}

static const sw_schedule_algorithm *from_row(size_t n, sw_str name)
{
	for (; n < sizeof rows / sizeof *rows; n++)
		if (sw_str_is(name, rows[n].name))
			return &rows[n];
	return NULL;
}

const sw_schedule_algorithm *sw_schedule_algorithm_named(sw_str name)
{
	return from_row(0, name);
}

const sw_schedule_algorithm *sw_schedule_algorithm_other(const sw_schedule_algorithm *algorithm)
{
	return from_row((size_t)(algorithm - rows) + 1, sw_str_of(algorithm->name));
}
