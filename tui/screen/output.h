/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands answer while the picture is there: rows of a pane, and one line for the message.
 */
#ifndef SHARDWALK_SCREEN_OUTPUT_H
#define SHARDWALK_SCREEN_OUTPUT_H

#include "screen/model.h"

void output_begin(struct screen *screen);

/* Around a command: `shown` also writes the command itself into the rows.  One that only looks may run while another
 * works, which goes on as it was.  The end of work is the end of a Ctrl-C that stopped it. */
struct work {
	struct timespec begun;
	int stops;
	bool busy;
};
struct work output_open(struct screen *screen, const char *line, bool shown);
void output_close(struct screen *screen, const struct work *before);

/* What commands answered from row `from` on, in `width` columns: sentences are broken anew where they are wider, or where more fits in a row.  *at,
 * a row of it, becomes that of `out`. */
void output_fit(const struct screen *screen, int from, int width, struct canvas *out, int *at);

#endif
