/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HLO modules before partitioning: the value that a warning is about, with its shape and both shardings.
 */
#ifndef SHARDWALK_BEFORE_H
#define SHARDWALK_BEFORE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/log.h>
#include <shardwalk/text.h>
#include <shardwalk/whole.h>

#pragma GCC visibility push(default)

typedef struct sw_hlo_before sw_hlo_before;

/* Reads a module; NULL on error: N06, S03, E01.  The text has to stay; the rest lives in `arena`. */
const sw_hlo_before *sw_hlo_read_before(sw_str text, const sw_pulse *pulse, sw_arena *arena, sw_diag *diag);

/* N06: where its text is cut off or damaged, and nothing more is read; NULL: it is not. */
const sw_diag *sw_hlo_before_cut(const sw_hlo_before *before);

typedef struct sw_hlo_found {
	sw_reading reading; /* the problem, over the mesh that is given where its axes suffice */
	sw_whole whole;
	bool
		chosen; /* nothing of the module asks for what XLA goes to: the partitioner chooses it for what uses the value */
	sw_str value; /* its name, without `%`: a slice of the text */
	int64_t line;
	int others; /* operations that use it beside the one that needs it otherwise; where it is chosen beside one of its uses */
} sw_hlo_found;

/* A value that is needed in another sharding than it has, and of which XLA would say just this; those that the warning
 * names come first.  Else the value of the warning itself, where that has the shape and the sharding that XLA goes from.
 * false: there is none. */
bool sw_hlo_find_whole(const sw_hlo_before *before, const sw_log_pair *warning, const sw_mesh *mesh, sw_arena *arena,
	sw_hlo_found *found);

/* `FILE:LINE` of the program that made the value of a warning, in `arena`: by the module's table of stack frames, where an
 * instruction has the warning's `op_name` and frame; NULL where none has, or on error: E01. */
const char *sw_hlo_before_source(const sw_hlo_before *before, const sw_log_pair *warning, sw_arena *arena,
	sw_diag *diag);

#pragma GCC visibility pop

#endif
