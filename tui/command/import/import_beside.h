/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module and the warnings of its compiler in one text.
 */
#ifndef SHARDWALK_COMMAND_IMPORT_BESIDE_H
#define SHARDWALK_COMMAND_IMPORT_BESIDE_H

#include "command/import/import.h"

/* Of a log with warnings: reads the module that its text has too, where --module gives none.  Errors: S03, E01. */
bool import_beside(struct import *import, sw_diag *diag);

/* A warning that is about a constraint of the module in the same text is no row beside it: the constraint's row says so.  Rows are in
 * the order of the log's pairs.  Error: E01. */
bool import_beside_join(const struct import *import, struct import_row *rows, int *count, sw_diag *diag);

#endif
