/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The other direction of advice for a program that differentiates: JAX transposes a constraint on a value into one on its gradient.
 */
#ifndef SHARDWALK_COMMAND_ADVISE_BACK_H
#define SHARDWALK_COMMAND_ADVISE_BACK_H

#include <shardwalk/advise.h>

#include "answer/fields.h"
#include "session/session.h"

/* Elements that a device gets on the way back; below 0: not known. */
struct advise_back {
	double now, then;
	int row; /* of the import, that warns of it; 0: none */
	sw_dtype dtype;
};

/* By the system alone, and through the waypoints from the last to the first; false: there are none, or it has no plan. */
bool advise_back_find(const sw_advice *advice, int row, sw_arena *arena, struct advise_back *back);

/* What the lines do there.  `gradient`: the advice is about the gradient, and the way back is that of the value. */
void advise_back_say(const struct advise_back *back, bool gradient, sw_text *text);

/* "back": an object, or null. */
void advise_back_fields(const struct advise_back *back, struct fields *in);

#endif
