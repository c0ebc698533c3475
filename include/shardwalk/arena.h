/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arenas: memory that ends together.
 *
 * Ownership, once for the whole engine: small things (mesh, type, call, diagnostic) are structs that the
 * caller owns and that hold no pointers; everything of variable length lives in an arena that the caller
 * passes in and frees; the few heap objects have one _free each, which accepts NULL.
 *
 * An arena belongs to one thread at a time.
 */
#ifndef SHARDWALK_ARENA_H
#define SHARDWALK_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)

typedef struct sw_arena sw_arena;

/* An empty arena, or NULL where there is no memory. */
sw_arena *sw_arena_new(void);

/* Frees the arena and everything in it.  NULL is fine. */
void sw_arena_free(sw_arena *arena);

/* Forgets everything in the arena but keeps its largest block for what comes next. */
void sw_arena_clear(sw_arena *arena);

/* `count` items of `size` bytes, aligned for any type, not initialised.  NULL where the product overflows
 * or memory is short.  A count of 0 gives a valid pointer to nothing. */
void *sw_arena_alloc(sw_arena *arena, size_t count, size_t size);

/* The same, filled with zero bytes. */
void *sw_arena_zero(sw_arena *arena, size_t count, size_t size);

/* Room for one more behind the `count` items of `size` bytes of an array in the arena, which `*where` (of any pointer type)
 * points to: where all *room are taken it moves to twice as many, the first time to `least`.  false: no memory; it stays
 * as it is. */
bool sw_arena_grow(sw_arena *arena, void *where, int count, int *room, int least, size_t size);

/* A copy of the first `length` bytes of `text`, ended with a zero byte. */
char *sw_arena_copy(sw_arena *arena, const char *text, size_t length);

/* The same of a text, which is freed; NULL also where the text failed. */
struct sw_text;
const char *sw_text_keep(struct sw_text *text, sw_arena *arena);

/* How many bytes the arena holds in all its blocks. */
size_t sw_arena_bytes(const sw_arena *arena);

/* How many of them are in use: handed out, and not given back. */
size_t sw_arena_used(const sw_arena *arena);

/* A point in an arena's life.  Going back to it frees all that was allocated after. */
typedef struct sw_arena_mark {
	void *block;
	size_t used;
} sw_arena_mark;
sw_arena_mark sw_arena_here(const sw_arena *arena);
void sw_arena_back(sw_arena *arena, sw_arena_mark mark);

#define SW_GROW(arena, array, count, room, least) \
	sw_arena_grow((arena), &(array), (count), &(room), (least), sizeof(*(array)))
#define SW_NEW(arena, type, count) ((type *)sw_arena_alloc((arena), (size_t)(count), sizeof(type)))
#define SW_NEW_ZERO(arena, type, count) ((type *)sw_arena_zero((arena), (size_t)(count), sizeof(type)))

#pragma GCC visibility pop

#endif
