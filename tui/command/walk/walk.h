/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands share that go on with a walk: answers begin with its name, and as JSON they hold it.
 */
#ifndef SHARDWALK_COMMAND_WALK_H
#define SHARDWALK_COMMAND_WALK_H

#include "answer/rows.h"
#include "command/command.h"
#include "session/walks.h"

/* The walk that steps go on, or refused with what to type. */
bool walk_begin(struct invocation *run, sw_walk **walk, sw_diag *diag);

/* How far it is: `search: step 3: 8 nodes seen, 20 edges looked at`. */
void walk_say_where(const struct invocation *run, sw_walk *walk);

/* What is said of nodes and edges beside what programs get. */
enum walk_said { WALK_STEPS = 1, WALK_FRONTIER = 2, WALK_PATH = 4, WALK_SECONDS = 8 };

/* What the walk calls nodes, and their size: names of columns; and WALK_SECONDS where that is its unit. */
enum walk_part { WALK_NODE, WALK_SIZE };
const char *walk_word(const void *of, int part);
unsigned walk_unit(const sw_walk *walk);

/* For programs: which walk, how far it is; and "node". */
struct fields *walk_fields(const struct invocation *run, sw_walk *walk);
void walk_node_fields(struct fields *in, sw_walk *walk, const sw_node *node);

/* These nodes, as a table or as `nodes` of the answer; `of` says what table it is.  E01. */
bool walk_answer_nodes(const struct invocation *run, sw_walk *walk, const int *ids, int count, unsigned of,
	sw_diag *diag);

/* The best way known to a node. */
bool walk_answer_path(const struct invocation *run, sw_walk *walk, int id, sw_diag *diag);

/* Goes on to the goal; Ctrl-C stops it. */
bool walk_on(struct invocation *run, sw_walk *walk, sw_diag *diag);

#endif
