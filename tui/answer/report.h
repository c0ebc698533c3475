/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Diagnostics for people: the message, the user's own line, the columns marked, what was expected, what to do.
 */
#ifndef SHARDWALK_ANSWER_REPORT_H
#define SHARDWALK_ANSWER_REPORT_H

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#include "canvas/canvas.h"
#include "language/line.h"

/* Draws a diagnostic whose positions count from the start of `position->text`; `width` columns are there.
 * `position` may be NULL: then no line is shown. */
void report_draw(const sw_diag *diag, const struct position *position, int width, const struct canvas_style *style,
	sw_text *text);

/* Line, column (both from 1) and length of the position, in characters; 0 where there is none. */
struct report_where {
	long long line, column, length;
};
struct report_where report_locate(const struct position *position, sw_span span);

/* Adds bytes of unknown origin as they may be shown: what is not printable text stands as <XX>. */
void report_show_bytes(sw_str bytes, sw_text *text);

#endif
