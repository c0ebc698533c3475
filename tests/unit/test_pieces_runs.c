/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of tiles as runs that devices share, against a table of bits of each piece of each device, of more terms than a word has.
 */
#include <string.h>

#include <shardwalk/pieces.h>

#include "arena.h"
#include "draw.h"
#include "kit.h"

#define DEVICES 96
#define PIECES 24
#define WORDS 2

struct table {
	uint64_t bits[DEVICES][PIECES][WORDS];
};

static struct table table[2];

static bool has(const struct table *t, int64_t d, int p)
{
	return (t->bits[d][p][0] | t->bits[d][p][1]) != 0;
}

static int count_held(const struct table *t, int64_t d)
{
	int count = 0;

	for (int p = 0; p < PIECES; p++)
		count += has(t, d, p);
	return count;
}

static void same_as(const sw_pieces *pieces, const struct table *t)
{
	uint64_t bits[PIECES][WORDS];

	for (int64_t d = 0; d < DEVICES; d++) {
		sw_pieces_get(pieces, d, bits[0]);
		assert_memory_equal(bits, t->bits[d], sizeof bits);
		assert_int_equal(sw_pieces_held(pieces, d), count_held(t, d));
		for (int p = 0; p < PIECES; p++) {
			assert_int_equal(sw_pieces_has(pieces, d, p), has(t, d, p));
			assert_memory_equal(sw_pieces_terms(pieces, d, p), t->bits[d][p], sizeof t->bits[d][p]);
			assert_int_equal(sw_pieces_are(pieces, d, 0, p + 1, t->bits[d][p]),
				has(t, d, p) && memcmp(t->bits[d][0], bits[p], sizeof *bits) == 0 &&
					memcmp(t->bits[d][0], t->bits[d][1], sizeof *bits * (size_t)p) == 0);
		}
	}
}

/* ---- steps, by what they mean ---- */

/* Has every member the same pieces, and no term of them twice? */
static bool may_add(const struct table *t, const int32_t *member, int64_t size)
{
	for (int p = 0; p < PIECES; p++)
		for (int w = 0; w < WORDS; w++)
			for (int64_t a = 0; a < size; a++)
				for (int64_t b = 0; b < a; b++)
					if (has(t, member[a], p) != has(t, member[b], p) ||
						(t->bits[member[a]][p][w] & t->bits[member[b]][p][w]) != 0)
						return false;
	return count_held(t, member[0]) > 0;
}

/* As many each, and nobody what another has? */
static bool may_join(const struct table *t, const int32_t *member, int64_t size)
{
	for (int p = 0; p < PIECES; p++)
		for (int64_t a = 0; a < size; a++)
			for (int64_t b = 0; b < a; b++)
				if ((has(t, member[a], p) && has(t, member[b], p)) ||
					count_held(t, member[a]) != count_held(t, member[b]))
					return false;
	return count_held(t, member[0]) > 0;
}

static bool may_copy(const struct table *t, const int32_t *member, int64_t size)
{
	bool new = false;

	for (int64_t m = 1; m < size; m++)
		for (int p = 0; p < PIECES; p++)
			for (int w = 0; w < WORDS; w++) {
				uint64_t root = t->bits[member[0]][p][w], own = t->bits[member[m]][p][w];

				if ((own & ~root) != 0)
					return false;
				new = new || own != root;
			}
	return new;
}

static bool may(const struct table *t, sw_op op, const int32_t *member, int64_t size)
{
	if (op == SW_ALLGATHER)
		return may_join(t, member, size);
	if (op == SW_BROADCAST)
		return may_copy(t, member, size);
	return may_add(t, member, size) && (op != SW_REDUCESCATTER || count_held(t, member[0]) % size == 0);
}

/* Who of a group has the piece afterwards that is number n of those that there are; -1: everybody. */
static int64_t keeper(sw_op op, int64_t n, int64_t each)
{
	return op == SW_REDUCESCATTER ? n / each : op == SW_REDUCE ? 0 : -1;
}

static void do_group(struct table *t, sw_op op, const int32_t *member, int64_t size)
{
	int64_t each = count_held(t, member[0]) / size, n = 0;

	for (int p = 0; p < PIECES; p++) {
		uint64_t sum[WORDS] = {0};

		for (int64_t m = 0; m < (op == SW_BROADCAST ? 1 : size); m++)
			for (int w = 0; w < WORDS; w++)
				sum[w] |= t->bits[member[m]][p][w];
		bool there = (sum[0] | sum[1]) != 0;
		int64_t gets = there ? keeper(op, n, each) : -1;
		for (int64_t m = 0; m < size; m++)
			for (int w = 0; w < WORDS; w++)
				t->bits[member[m]][p][w] = gets < 0 || gets == m ? sum[w] : 0;
		n += there;
	}
}

static bool do_step(struct table *t, sw_op op, const int32_t *member, int64_t grouped, int64_t size)
{
	for (int64_t n = 0; n < grouped; n += size)
		if (!may(t, op, member + n, size))
			return false;
	for (int64_t n = 0; n < grouped; n += size)
		do_group(t, op, member + n, size);
	return true;
}

/* ---- drawn ---- */

/* Groups of devices `apart` from each other, all of them or the first of each block alone. */
static int64_t draw_groups(draw *random, int32_t *member, int64_t *size)
{
	static const int sizes[] = {2, 3, 4, 6, 8};
	int apart = (int[]){1, 2, 4, 6, 12}[draw_below(random, 5)];
	int64_t grouped = 0;
	bool all = draw_below(random, 3) > 0;

	*size = sizes[draw_below(random, 5)];
	for (int64_t from = 0; from + *size * apart <= DEVICES; from += *size * apart)
		for (int i = 0; i < (all ? apart : 1); i++)
			for (int64_t m = 0; m < *size; m++)
				member[grouped++] = (int32_t)(from + i + m * apart);
	return grouped;
}

static void runs_are_what_a_table_of_bits_is(void **state)
{
	draw random = draw_start("runs_are_what_a_table_of_bits_is");
	int taken = 0, refused = 0;

	(void)state;
	for (int n = 0; n < 60; n++) {
		sw_arena_mark mark = sw_arena_here(arena);
		sw_pieces pieces;

		assert_true(sw_pieces_start(&pieces, DEVICES, PIECES, DEVICES, NULL, arena, NULL));
		memset(table, 0, sizeof table);
		for (int d = 0; d < DEVICES; d++)
			for (int p = 0; p < PIECES; p++)
				table->bits[d][p][d / 64] = (uint64_t)1 << d % 64;
		for (int k = 0; k < 24; k++) {
			int32_t member[DEVICES];
			int64_t size, grouped = draw_groups(&random, member, &size);
			sw_op op = sw_chunk_ops[draw_below(&random, SW_CHUNK_OPS)];
			sw_breach breach;

			assert_true(sw_pieces_step(&pieces, op, member, grouped, size, &breach));
			bool done = do_step(table, op, member, grouped, size);
			assert_int_equal(breach.premise == SW_PREMISE_HOLDS, done);
			*(done ? &taken : &refused) += 1;
		}
		same_as(&pieces, table);
		sw_arena_back(arena, mark);
	}
	assert_true(taken > 60 && refused > 60);
}

static void draw_table(draw *random, const sw_pieces *pieces, struct table *t)
{
	for (int d = 0; d < DEVICES; d++) {
		for (int p = 0; p < PIECES; p++)
			for (int w = 0; w < WORDS; w++)
				t->bits[d][p][w] = p > 0 && draw_below(random, 2) > 0 ?
					t->bits[d][p - 1][w] :
					(uint64_t)draw_below(random, 3) << draw_below(random, 30);
		assert_true(sw_pieces_put(pieces, d, t->bits[d][0]));
	}
}

static void copies_outlive_what_they_are_of(void **state)
{
	draw random = draw_start("copies_outlive_what_they_are_of");

	(void)state;
	for (int n = 0; n < 40; n++) {
		sw_arena *first = sw_arena_new();
		sw_pieces pieces, shared, copy;

		assert_non_null(first);
		assert_true(sw_pieces_make(&pieces, DEVICES, PIECES, 128, first, NULL));
		draw_table(&random, &pieces, &table[0]);
		assert_true(sw_pieces_share(&pieces, first, &shared, NULL));
		sw_arena_mark mark = sw_arena_here(arena);
		assert_true(sw_pieces_copy(&pieces, arena, &copy, NULL));
		draw_table(&random, &shared, &table[1]);
		same_as(&pieces, &table[0]);
		same_as(&shared, &table[1]);
		sw_arena_free(first);
		same_as(&copy, &table[0]);
		sw_arena_back(arena, mark);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(runs_are_what_a_table_of_bits_is),
		TEST(copies_outlive_what_they_are_of),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
