/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From key to picture on a search graph of more than 100 000 nodes: every key of the graph, of its edges and of searching, and those that go from
 * pane to pane, which the eye should not notice.  Arguments: keys in place of these.
 */
#define _GNU_SOURCE
#include "bench_keys.h"

/* Moving, stepping, drawings, refused edges, panes, searches, filters, edges and the path. */
static const struct key_scene scenes[] = {
	{"graph of more than 100 000 nodes", STAGE_LARGE, NULL,
		"6*j 6*l 6*k 6*h 3*PgDn 3*PgUp 2*G 2*g 9*s 6*b 2*. 3*r 2*v 4*j 2*k 2*s 2*v 2*Z 4*Tab 2*S-Tab 2*L "
		"1 / 9 1 Backspace 1 Enter 4*n 4*N & 3 3 Backspace Esc 2*e 3*j 2*Enter 3*u 3*d 1 Enter 3*j Esc 1 "
		"2 1 3 1 4 1 8 1 Y 1 M 1 z Esc ? Esc 1 2*[ 2*] 1 3*s 3*b"},
};

int main(int count, char **words)
{
	static const int sizes[][2] = {{120, 36}, {200, 50}};
	int slow = 0;
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 77;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct key_scene scene = scenes[0];
		scene.keys = count > 1 ? words[1] : scene.keys;
		slow += key_scene_measure(&scene, sizes[i][0], sizes[i][1]);
	}
	printf("%d keys above the goal in the median\n", slow);
	return 0;
}
