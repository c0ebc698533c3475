/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands share that go on with a walk: answers begin with its name, and as JSON they hold it.
 */
#ifndef SHARDWALK_COMMAND_WALK_H
#define SHARDWALK_COMMAND_WALK_H

#include "command/command.h"
#include "session/walks.h"

/* The walk that steps go on, or refused with what to type. */
bool walk_begin(struct invocation *run, sw_walk **walk, sw_diag *diag);

/* How far it is: `search: step 3: 8 nodes seen, 20 edges looked at`. */
void walk_say_where(const struct invocation *run, sw_walk *walk);

/* Cells: the name of a node; how its parent leads to it. */
void walk_add_tile(struct table *table, sw_walk *walk, const int64_t *tile);
void walk_add_via(struct table *table, sw_walk *walk, const sw_node *node);
void walk_add_cost(struct table *table, sw_walk *walk, int64_t cost);

/* The answer as JSON: which walk, how far it is; and a list in it of these nodes. */
struct fields *walk_fields(const struct invocation *run, sw_walk *walk);
void walk_node_fields(struct fields *in, const char *key, sw_walk *walk, const sw_node *node);
void walk_cost_field(struct fields *in, const char *key, sw_walk *walk, int64_t cost);
void walk_nodes_fields(struct fields *in, sw_walk *walk, const int *ids, int count);

/* The best way known to a node, as a table, or as `nodes` of the answer. */
bool walk_add_path(const struct invocation *run, sw_walk *walk, int id, sw_diag *diag);

/* Goes on to the goal; Ctrl-C stops it. */
bool walk_on(struct invocation *run, sw_walk *walk, sw_diag *diag);

#endif
