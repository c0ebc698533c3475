/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names that are defined one after the other; a later one hides an earlier one.
 */
#ifndef SW_PROGRAM_NAMES_H
#define SW_PROGRAM_NAMES_H

#include <stdbool.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/text.h>

typedef struct sw_name {
	sw_str name;
	int is;     /* what it names */
	int before; /* in the same list, or -1 */
	sw_span at; /* where it was defined, for those who say so */
} sw_name;

typedef struct sw_names {
	sw_arena *arena;
	int count, room;
	sw_name *name;
	int lists; /* by hash, a power of two, at least as many as names */
	int *last; /* of each list the latest name: index + 1, 0: empty */
} sw_names;

/* No names yet; they live in `arena`. */
void sw_names_start(sw_names *names, sw_arena *arena);

/* false: memory is short. */
bool sw_names_add(sw_names *names, sw_str name, int is);

/* The same with the place of the definition. */
bool sw_names_add_at(sw_names *names, sw_str name, int is, sw_span at);

/* What the name says, or -1. */
int sw_names_find(const sw_names *names, sw_str name);

/* `name` where it is free and a word that may name a value, else one that begins like it; it names 0 then.  Empty: memory is short. */
sw_str sw_names_take(sw_names *names, sw_str name);

/* Where the name was defined; false: it was not. */
bool sw_names_place(const sw_names *names, sw_str name, sw_span *at);

/* The name that is nearest to one that was not found; empty: none is near. */
sw_str sw_names_nearest(const sw_names *names, sw_str name);

#endif
