/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arenas: a stack of blocks, each larger than the one below.  One emptied block is kept for reuse.  Under the
 * address sanitizer, bytes that are not handed out are poisoned, so that use after sw_arena_back is caught.
 */
#include <shardwalk/arena.h>

#include <assert.h>
#include <limits.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <shardwalk/text.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

#define ARENA_FIRST ((size_t)16 << 10) /* bytes of the first block */
#define ARENA_LARGE ((size_t)16 << 20) /* blocks stop doubling here */
#define ARENA_PAGE ((size_t)2 << 20)   /* large blocks are whole pages of this size, where the system has them */
#define ARENA_ALIGN alignof(max_align_t)

typedef struct arena_block {
	struct arena_block *below;
	size_t capacity;
	size_t used;
	alignas(max_align_t) unsigned char data[];
} arena_block;

struct sw_arena {
	arena_block *top;
	arena_block *spare;
	size_t used; /* of all blocks */
};

sw_arena *sw_arena_new(void)
{
	return calloc(1, sizeof(sw_arena));
}

/* Takes the top block away; the larger of it and the spare one becomes the spare one. */
static void arena_pop(sw_arena *arena)
{
	arena_block *block = arena->top;
	arena->top = block->below;
	arena->used -= block->used;
	if (arena->spare && arena->spare->capacity >= block->capacity) {
		free(block);
		return;
	}
	free(arena->spare);
	block->used = 0;
	ASAN_POISON_MEMORY_REGION(block->data, block->capacity);
	arena->spare = block;
}

void sw_arena_clear(sw_arena *arena)
{
	while (arena->top)
		arena_pop(arena);
}

void sw_arena_free(sw_arena *arena)
{
	if (!arena)
		return;
	sw_arena_clear(arena);
	free(arena->spare);
	free(arena);
}

static size_t arena_next_capacity(const sw_arena *arena, size_t bytes)
{
	size_t capacity = ARENA_FIRST;
	if (arena->top)
		capacity = arena->top->capacity < ARENA_LARGE ? arena->top->capacity * 2 : ARENA_LARGE;
	return capacity < bytes ? bytes : capacity;
}

/* Room for a block.  Large ones ask for large pages: to take and to give back half a gigabyte of small ones takes a tenth of a
 * second. */
static arena_block *arena_take(size_t capacity)
{
	if (capacity < ARENA_LARGE)
		return malloc(sizeof(arena_block) + capacity);
	size_t bytes = (sizeof(arena_block) + capacity + ARENA_PAGE - 1) / ARENA_PAGE * ARENA_PAGE;
	arena_block *block = aligned_alloc(ARENA_PAGE, bytes);
	if (block)
		madvise(block, bytes, MADV_HUGEPAGE);
	return block;
}

/* Puts a block with room for `bytes` on top. */
static arena_block *arena_push(sw_arena *arena, size_t bytes)
{
	arena_block *block = arena->spare;
	if (block && block->capacity >= bytes) {
		arena->spare = NULL;
	} else {
		size_t capacity = arena_next_capacity(arena, bytes);
		block = arena_take(capacity);
		if (!block)
			return NULL;
		block->capacity = capacity;
		ASAN_POISON_MEMORY_REGION(block->data, capacity);
	}
	block->used = 0;
	block->below = arena->top;
	arena->top = block;
	return block;
}

void *sw_arena_alloc(sw_arena *arena, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 4)
		return NULL;
	size_t rounded = (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
	arena_block *block = arena->top;
	if (!block || block->capacity - block->used < rounded)
		block = arena_push(arena, rounded);
	if (!block)
		return NULL;
	void *at = block->data + block->used;
	block->used += rounded;
	assert(block->used <= block->capacity);
	arena->used += rounded;
	ASAN_UNPOISON_MEMORY_REGION(at, bytes);
	return at;
}

void *sw_arena_zero(sw_arena *arena, size_t count, size_t size)
{
	void *at = sw_arena_alloc(arena, count, size);
	if (at)
		memset(at, 0, count * size);
	return at;
}

bool sw_arena_grow(sw_arena *arena, void *where, int count, int *room, int least, size_t size)
{
	assert(count >= 0 && count <= *room && least > 0);
	void *array, *grown;
	if (count < *room)
		return true;
	if (*room > INT_MAX / 2)
		return false;
	int more = *room ? 2 * *room : least;
	memcpy(&array, where, sizeof(array));
	grown = sw_arena_alloc(arena, (size_t)more, size);
	if (!grown)
		return false;
	if (count)
		memcpy(grown, array, (size_t)count * size);
	memcpy(where, &grown, sizeof(grown));
	*room = more;
	return true;
}

char *sw_arena_copy(sw_arena *arena, const char *text, size_t length)
{
	if (length == SIZE_MAX)
		return NULL;
	char *copy = sw_arena_alloc(arena, length + 1, 1);
	if (!copy)
		return NULL;
	if (length)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

const char *sw_text_keep(sw_text *text, sw_arena *arena)
{
	const char *kept = text->failed ? NULL : sw_arena_copy(arena, sw_text_get(text), text->length);
	sw_text_free(text);
	return kept;
}

size_t sw_arena_bytes(const sw_arena *arena)
{
	size_t bytes = arena->spare ? arena->spare->capacity : 0;
	for (const arena_block *block = arena->top; block; block = block->below)
		bytes += block->capacity;
	return bytes;
}

size_t sw_arena_used(const sw_arena *arena)
{
	return arena->used;
}

sw_arena_mark sw_arena_here(const sw_arena *arena)
{
	return (sw_arena_mark){arena->top, arena->top ? arena->top->used : 0};
}

void sw_arena_back(sw_arena *arena, sw_arena_mark mark)
{
	while (arena->top && arena->top != mark.block)
		arena_pop(arena);
	assert(arena->top != NULL || mark.block == NULL);
	if (!arena->top)
		return;
	assert(mark.used <= arena->top->used);
	ASAN_POISON_MEMORY_REGION(arena->top->data + mark.used, arena->top->used - mark.used);
	arena->used -= arena->top->used - mark.used;
	arena->top->used = mark.used;
}
