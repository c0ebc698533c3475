/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a value stands in a JSON text: the places of diagnostics about plan files.
 */
#ifndef SHARDWALK_BASE_JSON_PLACE_H
#define SHARDWALK_BASE_JSON_PLACE_H

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

/* The span of the value at `path` ("steps[2].groups[0]") in a text that is known to be JSON.  Where the path leaves
 * the text, the opening bracket of the last value that exists. */
sw_span sw_json_locate(sw_str text, const char *path);

#endif
