/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes of all collectives of a module, those that are no redistribution too.
 */
#ifndef SHARDWALK_COMMAND_IMPORT_TRAFFIC_H
#define SHARDWALK_COMMAND_IMPORT_TRAFFIC_H

#include "command/import/import.h"

/* The one line that moves more than half, if there is one: on top of all. */
void import_traffic_most(const struct import *import);

/* How many bytes reach a device, how many of them in chains, and a table of the others. */
bool import_traffic(const struct import *import, sw_diag *diag);

/* The same as an object `traffic`, with all collectives. */
bool import_traffic_fields(const struct import *import, struct fields *in, sw_diag *diag);

#endif
