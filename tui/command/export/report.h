/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A report: what a session is about, what was found, and how to make it again, with its pictures.
 */
#ifndef SHARDWALK_COMMAND_REPORT_H
#define SHARDWALK_COMMAND_REPORT_H

#include "command/command.h"

/* Fills the document, which is started; a part that cannot be made says why in its place. */
void report_fill(const struct invocation *run, struct document *document);

#endif
