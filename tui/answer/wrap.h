/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages in a terminal: rows that are too long are broken at blanks, so that no word is cut.
 */
#ifndef SHARDWALK_ANSWER_WRAP_H
#define SHARDWALK_ANSWER_WRAP_H

#include <shardwalk/text.h>

/* Adds the text with no row longer than `width` columns where blanks allow it; what goes on is indented by two.  Sequences
 * that choose colours take no room. */
void wrap_rows(sw_str text, int width, sw_text *out);

/* Blanks inside figures, which keep them on one row, become such as every alphabet has. */
void plain_blanks(sw_text *text);

#endif
