/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the paper on distributions defines, states and draws: the rows.
 *
 * Source of all of it: seed 002, Eijkhout, "IMP distribution theory".
 */
#include "command/explain/paper.h"

#include <stddef.h>

#define THREE_POINTS "mesh {x: 6}; type x = [4{x}24]; type y = x; compute y[i] = 2*x[i] - x[i-1] - x[i+1]"

const struct artefact distributions_rows[] = {
	{"figure", "1", "tasks of a repeated computation",
		"Each step of a device is a task; arcs come from the tasks whose results it needs. With three "
		"points, a result needs its neighbours, and after five steps everything.",
		.lines = THREE_POINTS "; tasks 15", .source = "section 2.2", .next = "explain theorem 1 of distributions"},
	{"figure", "2", "a matrix on a grid of processes",
		"Rows are cut along p, columns along q: each of 12 devices has one cell. The printed figure has "
		"wrong indices in a_36, a_76 and a_11,6.",
		.lines = "mesh {p: 3, q: 4}; show tiles [4{p}12, 3{q}12]", .source = "section 3.8",
		.next = "explain figure 3 of distributions"},
	{"figure", "3", "a gather",
		"Each device has one element and needs all: beta (what it needs) and gamma (what it makes) are both "
		"the whole array.",
		.lines = "mesh {x: 6}; type x = [1{x}6]; type y = [6]; compute y[i] = f(x[i]); enter x; show relation",
		.source = "section 4.2.1", .next = "explain allgather"},
	{"definition", "1", "when a computation is local",
		"If each device has exactly what it needs, that is the image of what it makes: sigma gamma = alpha. "
		"`compute` calls that tight. Theorem 1 asks for less: a device may have more than it needs, which "
		"`compute` calls local.",
		.lines = "mesh {x: 6}; type y = [4{x}24]; type x = y union y shift 1 union y shift -1; "
				 "compute y[i] = 2*x[i] - x[i-1] - x[i+1]",
		.source = "section 5", .next = "explain theorem 1 of distributions"},
	{"theorem", "1", "what makes a computation local",
		"It is local if every device has at least what it needs: beta contains sigma gamma. Then nothing is "
		"sent. The definition asks for equality, the theorem only for containment; here the whole array is "
		"everywhere.",
		.lines = "mesh {x: 6}; type y = [4{x}24]; type x = [24]; compute y[i] = 2*x[i] - x[i-1] - x[i+1]",
		.source = "section 5, equation 7", .next = "verify theorem 1 of distributions"},
	{"lemma", "1", "who needs everything, and who is needed by everyone",
		"T(p) is the set of devices from which p needs something, F(q) the set that need something from q. "
		"If T(p) is all devices for every p, then F(q) is all devices for every q, and vice versa.",
		.lines = "mesh {x: 4}; [3{x}12] ~> [12]; show relation", .source = "section 4.4",
		.next = "verify lemma 1 of distributions"},
	{"lemma", "2", "many needs, many messages",
		"If each of |P| devices needs something from at least k others, then some of the |Q| devices that "
		"hold the array are needed by at least |P| k / |Q|. The paper states this for every one of the |Q|, "
		"which a broadcast over two devices refutes: k is 1, and nobody needs anything from the second.",
		.lines = "mesh {x: 2}; [1+0{x}1] ~> [1]; show relation", .source = "section 4.4",
		.next = "verify lemma 2 of distributions"},
	{"lemma", "3", "copies need copies",
		"If all devices make the same elements, they need the same elements: a replicated gamma has a "
		"replicated beta. A footnote asks whether that holds for each array separately. It does: here all of "
		"`a` is needed everywhere, but only blocks of `x`, since y is partitioned.",
		.lines = "mesh {x: 4}; type x = [3{x}12]; type y = x; type a = [1]; compute y[i] = f(a[:], x[i])",
		.source = "section 5", .next = "verify lemma 3"},
	{0},
};
