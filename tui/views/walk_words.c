/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs of whatever is walked, nodes and edges, in words.
 */
#include "views/walk_words.h"

struct words words_cost(const sw_walk *walk, int64_t cost)
{
	double unit = sw_walk_words_of(walk)->unit;
	return unit > 0 && cost > 0 ? words_seconds_to((double)cost * unit, 4) : words_count(cost);
}

const char *words_node(sw_node_state state)
{
	static const char *const words[] =
		{[SW_NODE_UNSEEN] = "unseen", [SW_NODE_FRONTIER] = "frontier", [SW_NODE_SETTLED] = "visited"};
	return words[state];
}

const char *words_edge(sw_edge_state state)
{
	static const char *const words[] = {
		[SW_EDGE_NEW] = "new",
		[SW_EDGE_BETTER] = "better",
		[SW_EDGE_TREE] = "best way",
		[SW_EDGE_NO_BETTER] = "no better",
		[SW_EDGE_REFUSED] = "refused",
	};
	return words[state];
}
