/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graphs for Graphviz: the search graph of a walk, and the steps of a plan.
 */
#ifndef SHARDWALK_EXPORT_DOT_H
#define SHARDWALK_EXPORT_DOT_H

#include <shardwalk/diag.h>
#include <shardwalk/plan.h>
#include <shardwalk/text.h>
#include <shardwalk/walk.h>

/* Nodes: settled, of the frontier, and those that were not reached but lie next to it; their edges, those by
 * which a node was best reached with labels, the best path bold.  Of very many nodes the first are drawn, and
 * the graph says so. Error: E01. */
bool dot_add_walk(const sw_walk *walk, sw_text *text, sw_diag *diag);

/* What the devices hold before and after each step, with memory, and the operations between with their costs. */
void dot_add_plan(const sw_plan *plan, sw_text *text);

/* Adds words in double quotes, as DOT reads them. */
void dot_add_string(sw_text *text, const char *words);

#endif
