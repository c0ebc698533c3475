/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each front end says of its graph in words of its own.
 */
#ifndef SW_FOREIGN_DIALECT_H
#define SW_FOREIGN_DIALECT_H

#include "foreign/module/graph.h"

/* false: it has no shape that is known. */
bool graph_shape(const graph_module *module, int value, hlo_shape *shape);

/* By the name that HLO has for it; "literal": the numbers of a constant.  false: it says none. */
bool graph_attribute(const graph_module *module, const graph_instruction *at, const char *name, sw_str *value);

/* The numbers of such an attribute, each from 0 to below `limit`, at most HLO_DIMS of them; 0: it says none, -1: others. */
int graph_positions(const graph_module *module, const graph_instruction *at, const char *name, int64_t limit,
	int *position);

#endif
