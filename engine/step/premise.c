/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Premises of steps on pieces that fail, in words: one row each.
 */
#include "step/premise.h"

#include <stdio.h>
#include <string.h>

#include "step/row.h"

/* ---- names in messages ---- */

struct names {
	char a[32], b[32]; /* two devices of the group */
	char a_holds[64], b_holds[64];
	const char *op;
	const char *article;
};

static void name_device(const sw_refusal *r, int64_t device, char name[32])
{
	sw_text text = {0};

	r->names->device(r->names->of, device, &text);
	snprintf(name, 32, "%.31s", sw_text_get(&text));
	sw_text_free(&text);
}

static void name_pieces(const sw_refusal *r, int64_t device, char name[64])
{
	sw_text text = {0};

	sw_pieces_print(r->pieces, device, &text);
	if (text.length < 63)
		snprintf(name, 64, "%s", sw_text_get(&text));
	else
		snprintf(name, 64, "%d chunks", sw_pieces_held(r->pieces, device));
	sw_text_free(&text);
}

/* Of two members. */
static struct names names_of(const sw_refusal *r, int64_t a, int64_t b)
{
	struct names names = {.op = sw_row(r->op)->name};

	names.article = *names.op == 'a' ? "an" : "a";
	name_device(r, r->member[a], names.a);
	name_device(r, r->member[b], names.b);
	name_pieces(r, r->member[a], names.a_holds);
	name_pieces(r, r->member[b], names.b_holds);
	return names;
}

/* The word `chunks` stands once. */
static const char *numbers_of(const struct names *names)
{
	static const char word[] = "chunks ";
	size_t length = sizeof word - 1;
	bool both = strncmp(names->a_holds, word, length) == 0 && strncmp(names->b_holds, word, length) == 0;

	return names->b_holds + (both ? length : 0);
}

/* ---- who breaks it ---- */

static bool same_pieces(const sw_refusal *r, int64_t a, int64_t b)
{
	for (int p = 0; p < r->pieces->count; p++)
		if (sw_pieces_has(r->pieces, r->member[a], p) != sw_pieces_has(r->pieces, r->member[b], p))
			return false;
	return true;
}

static void say_chunks_differ(const sw_refusal *r, sw_diag *diag)
{
	int64_t m = 1;

	while (m + 1 < r->size && same_pieces(r, 0, m))
		m++;
	struct names names = names_of(r, 0, m);
	sw_diag_set(diag, SW_R01, (sw_span){0, 0}, "%s holds %s, %s holds %s: %s %s would add different chunks", names.a,
		names.a_holds, names.b, numbers_of(&names), names.article, names.op);
}

/* A term that is in a piece of both members: -1 where there is none. */
static int64_t common_term(const sw_refusal *r, int64_t a, int64_t b, int *piece)
{
	for (int p = 0; p < r->pieces->count; p++) {
		const uint64_t *x = sw_pieces_terms(r->pieces, r->member[a], p);
		const uint64_t *y = sw_pieces_terms(r->pieces, r->member[b], p);

		for (int w = 0; w < r->pieces->words; w++)
			if ((x[w] & y[w]) != 0) {
				*piece = p;
				return 64 * w + __builtin_ctzll(x[w] & y[w]);
			}
	}
	return -1;
}

static void say_added_twice(const sw_refusal *r, sw_diag *diag)
{
	int64_t a = 0, b = 1, term = -1;
	int piece = 0;
	char owner[32];

	for (int64_t i = 0; i < r->size && term < 0; i++)
		for (int64_t j = i + 1; j < r->size && term < 0; j++) {
			term = common_term(r, i, j, &piece);
			a = i;
			b = j;
		}
	struct names names = names_of(r, a, b);
	name_device(r, r->names->owner(r->names->of, r->member[a], term < 0 ? 0 : term), owner);
	sw_diag_set(diag, SW_R02, (sw_span){0, 0},
		"%s and %s both hold the share of %s in chunk %d: %s %s would add it twice", names.a, names.b, owner, piece,
		names.article, names.op);
}

static void say_indivisible(const sw_refusal *r, sw_diag *diag)
{
	struct names names = names_of(r, 0, 1);

	sw_diag_set(diag, SW_R03, (sw_span){0, 0},
		"%s holds %s, as the others do, which %lld devices cannot share evenly", names.a, names.a_holds,
		(long long)r->size);
}

static void say_counts_differ(const sw_refusal *r, sw_diag *diag)
{
	int held = sw_pieces_held(r->pieces, r->member[0]);
	int64_t m = 1;

	while (m + 1 < r->size && sw_pieces_held(r->pieces, r->member[m]) == held)
		m++;
	struct names names = names_of(r, 0, m);
	sw_diag_set(diag, SW_R04, (sw_span){0, 0}, "%s holds %s, %s holds %s: %s %s takes as many from each", names.a,
		names.a_holds, names.b, names.b_holds, names.article, names.op);
}

static void say_same_chunk(const sw_refusal *r, sw_diag *diag)
{
	int64_t a = 0, b = 1;
	int piece = -1;

	for (int p = 0; p < r->pieces->count && piece < 0; p++)
		for (int64_t i = 0; i < r->size && piece < 0; i++)
			for (int64_t j = i + 1; j < r->size && piece < 0; j++)
				if (sw_pieces_has(r->pieces, r->member[i], p) && sw_pieces_has(r->pieces, r->member[j], p)) {
					piece = p;
					a = i;
					b = j;
				}
	struct names names = names_of(r, a, b);
	sw_diag_set(diag, SW_R05, (sw_span){0, 0}, "%s and %s both hold chunk %d: %s %s gathers different chunks",
		names.a, names.b, piece, names.article, names.op);
}

/* Has the root all that a member has? */
static bool root_knows(const sw_refusal *r, int64_t m, int *piece)
{
	for (int p = 0; p < r->pieces->count; p++) {
		const uint64_t *x = sw_pieces_terms(r->pieces, r->member[0], p);
		const uint64_t *y = sw_pieces_terms(r->pieces, r->member[m], p);

		*piece = p;
		for (int w = 0; w < r->pieces->words; w++)
			if ((y[w] & ~x[w]) != 0)
				return false;
	}
	return true;
}

static void say_root_knows_less(const sw_refusal *r, sw_diag *diag)
{
	int64_t m = 1;
	int piece = 0;

	while (m + 1 < r->size && root_knows(r, m, &piece))
		m++;
	root_knows(r, m, &piece);
	struct names names = names_of(r, 0, m);
	sw_diag_set(diag, SW_R06, (sw_span){0, 0},
		"%s holds shares of chunk %d that %s, the root, does not: %s %s would lose them", names.b, piece, names.a,
		names.article, names.op);
}

static void say_nothing_new(const sw_refusal *r, sw_diag *diag)
{
	struct names names = names_of(r, 0, 1);

	sw_diag_set(diag, SW_R07, (sw_span){0, 0},
		"%s, the root, holds what the others of its group hold already: %s %s would tell nothing new", names.a,
		names.article, names.op);
}

static void say_nothing(const sw_refusal *r, sw_diag *diag)
{
	struct names names = names_of(r, 0, r->size - 1);

	sw_diag_set(diag, SW_R08, (sw_span){0, 0}, "no device of the group from %s to %s holds anything", names.a,
		names.b);
}

static const struct {
	void (*say)(const sw_refusal *refusal, sw_diag *diag);
	const char *hint;
} rows[SW_PREMISE_COUNT] = {
	[SW_PREMISE_CHUNKS_DIFFER] = {say_chunks_differ,
		"an allgather brings the chunks together, a sum across other units adds equal ones"},
	[SW_PREMISE_NOTHING] = {say_nothing,
		"after a reduce only the first devices hold something: use `masters`, or a broadcast"},
	[SW_PREMISE_ADDED_TWICE] = {say_added_twice,
		"sum across units whose devices hold other shares, or between their masters"},
	[SW_PREMISE_INDIVISIBLE] = {say_indivisible, "an allreduce leaves the chunks whole"},
	[SW_PREMISE_COUNTS_DIFFER] = {say_counts_differ, "gather where all devices of a group hold as much"},
	[SW_PREMISE_SAME_CHUNK] = {say_same_chunk, "an allreduce adds what devices hold of the same chunks"},
	[SW_PREMISE_ROOT_KNOWS_LESS] = {say_root_knows_less, "reduce to the first device before, or use an allreduce"},
	[SW_PREMISE_NOTHING_NEW] = {say_nothing_new, "leave it out"},
};

bool sw_premise_say(const sw_refusal *refusal, sw_premise premise, sw_diag *diag)
{
	if (diag == NULL)
		return false;
	rows[premise].say(refusal, diag);
	sw_diag_hint(diag, "%s; `explain %s` tells the rule", rows[premise].hint, sw_code_info_of(diag->code)->name);
	return false;
}

bool sw_premise_say_crosses(const sw_refusal *refusal, int64_t other, const char *axis, sw_diag *diag)
{
	struct names names = names_of(refusal, 0, other);

	sw_diag_set(diag, SW_R09, (sw_span){0, 0},
		"%s and %s work together, which differ along '%s', and that is not summed: %s %s would mix values", names.a,
		names.b, axis, names.article, names.op);
	sw_diag_hint(diag,
		"`set hierarchy e` makes groups of the axes that are summed alone; `explain R09` tells the rule");
	return false;
}
