/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the members of a group hold of every piece after so many hops, and send in the next one, in signs.
 */
#ifndef SHARDWALK_VIEWS_HOPS_H
#define SHARDWALK_VIEWS_HOPS_H

#include <shardwalk/rounds.h>
#include <shardwalk/text.h>

#include "answer/words.h"
#include "canvas/canvas.h"
#include "views/views.h"

#define HOPS_SMALL 20 /* members whose pieces are drawn one by one */

/* The device of a member, and its name. */
int64_t hops_device(const struct view_input *in, int64_t m);
struct words hops_name(const struct view_input *in, int64_t m);

/* Do its pieces grow by terms? */
bool hops_sum(const sw_rounds *r);

/* Adds "7", half of it "7/2", several "4-7", of an alltoall "0×3.5". */
void hops_send_text(const sw_rounds *r, const sw_rounds_send *send, sw_text *text);

/* Adds what a member sends after so many hops to the next one and to the one before, "→7 ←1", and the most columns that takes. */
void hops_sends_text(const sw_rounds *r, int64_t hops, int64_t m, sw_text *text);
int hops_sends_width(const sw_rounds *r);

/* Draws a sign a piece, every so many columns: its number, of a sum how many terms it has. */
void hops_draw_held(const sw_rounds *r, int64_t hops, int64_t m, int stride, struct canvas *out, int x, int y);

/* Draws in one column what it has of the pieces from one up to another: all of them, some, none. */
void hops_draw_some(const sw_rounds *r, int64_t hops, int64_t m, const int64_t range[2], struct canvas *out, int x,
	int y);

#endif
