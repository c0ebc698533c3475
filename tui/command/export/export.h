/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formats of `export`: one row each in one table; help, completion and the manual read it.
 */
#ifndef SHARDWALK_COMMAND_EXPORT_H
#define SHARDWALK_COMMAND_EXPORT_H

#include "command/export/formats.h"

extern const struct export_format export_formats[];
extern const int export_format_count;

const char *export_subject_called(enum export_subject subject);

#endif
