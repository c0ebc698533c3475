/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs of whatever is walked, in words.
 */
#include "views/walk_words.h"

struct words words_cost(const sw_walk *walk, int64_t cost)
{
	double unit = sw_walk_words_of(walk)->unit;
	return unit > 0 && cost > 0 ? words_seconds_to((double)cost * unit, 4) : words_count(cost);
}
