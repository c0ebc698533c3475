/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs and moves of whatever is walked, in words.
 */
#include "views/walk_words.h"

struct words words_cost(const struct walked *walk, int64_t cost)
{
	return walk->row->unit > 0 && cost > 0 ? words_seconds_to((double)cost * walk->row->unit, 4) : words_count(cost);
}

void walk_move_text(const struct walked *walk, const sw_move *move, sw_text *text)
{
	if (walk->row->print_move)
		walk->row->print_move(walk->of, move, text);
	else
		move_text(move, text);
}
