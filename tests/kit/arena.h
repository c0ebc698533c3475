/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An arena that all tests of a program share.
 */
#ifndef TESTS_KIT_ARENA_H
#define TESTS_KIT_ARENA_H

#include <shardwalk/arena.h>

static sw_arena *arena;

/* For kit_run. */
static inline int arena_start(void **state)
{
	(void)state;
	arena = sw_arena_new();
	return arena == NULL;
}

static inline int arena_end(void **state)
{
	(void)state;
	sw_arena_free(arena);
	return 0;
}

#endif
