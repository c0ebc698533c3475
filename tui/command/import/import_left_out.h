/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What if a constraint were not there: a program asks for a sharding on the way to another, and would get there at less cost without.
 */
#ifndef SHARDWALK_COMMAND_IMPORT_LEFT_OUT_H
#define SHARDWALK_COMMAND_IMPORT_LEFT_OUT_H

#include "command/import/import.h"

/* Fills the list of the import: constraints on the way, of which both ends are known, and without which fewer bytes arrive.  Stopped
 * it has those that were found.  Error: E01. */
bool import_left_out_find(struct import *import, sw_diag *diag);

/* Tells of them: of all, or of those that a row is about. */
void import_left_out_say(const struct import *import, const struct import_row *row);
void import_left_out_fields(const struct import *import, struct fields *in);

/* The session keeps what is told of this row, for advice about it.  Error: E01. */
bool import_left_out_keep(const struct import *import, const struct import_row *row, sw_diag *diag);

#endif
