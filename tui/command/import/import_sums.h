/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All-reduces of a module on a mesh that lies on a system.
 */
#ifndef SHARDWALK_COMMAND_IMPORT_SUMS_H
#define SHARDWALK_COMMAND_IMPORT_SUMS_H

#include "command/import/import.h"

/* Says over which axes they go, as instructions on the placement that there was before the import, and the best program of each.
 * Nothing where the axes were not placed, or the module is for another number of devices. */
void import_sums(const struct import *import);

/* The same as a list `allreduces`. */
void import_sums_fields(const struct import *import, struct fields *in);

/* What people look for in sums, what saves most first, with the rows where it is found and their bytes as often as they run. */
void import_findings_fields(const struct import *import, struct fields *in);

#endif
