/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The second plan of a film: another strategy's, another program of the same sum, or another way of the product, below the present one.
 */
#ifndef SHARDWALK_SCREEN_SECOND_H
#define SHARDWALK_SCREEN_SECOND_H

#include "screen/model.h"
#include "views/views.h"

/* Is the present program a way of the product, beside which there are others? */
bool second_has_ways(const struct screen *screen);

/* The next one below the present plan; after the last none. */
void second_next(struct screen *screen);

/* The present plan is another one: what is below it is found anew. */
void second_follow(struct screen *screen);

/* Gives it to the film, where there is one that belongs to the present plan. */
void second_take(const struct screen *screen, struct view_input *in);

/* What the last run measured of the present plan, which it gives to the film. */
void second_take_measured(struct screen *screen, struct view_input *in);

/* ` --beside naive`, where a command says it. */
void second_option(const struct screen *screen, sw_text *text);

void second_free(struct screen *screen);

#endif
