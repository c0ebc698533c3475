/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Premises of steps on pieces that fail, in words: one row each.
 */
#include "step/premise.h"

#include <assert.h>
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

static struct names names_of(const sw_refusal *r)
{
	const sw_breach *breach = r->breach;
	int32_t a = breach->member[breach->a], b = breach->member[breach->b];
	struct names names = {.op = sw_row(r->op)->name};

	names.article = *names.op == 'a' ? "an" : "a";
	name_device(r, a, names.a);
	name_device(r, b, names.b);
	name_pieces(r, a, names.a_holds);
	name_pieces(r, b, names.b_holds);
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

/* ---- sentences ---- */

static void say_crosses(const sw_refusal *r, const struct names *names, sw_diag *diag)
{
	sw_diag_set(diag, SW_R09, (sw_span){0, 0},
		"%s and %s work together but differ along '%s', which is not summed over: %s %s would mix values", names->a,
		names->b, r->axis, names->article, names->op);
}

static void say_chunks_differ(const sw_refusal *r, const struct names *names, sw_diag *diag)
{
	(void)r;
	sw_diag_set(diag, SW_R01, (sw_span){0, 0}, "%s holds %s, %s holds %s: %s %s would add different chunks", names->a,
		names->a_holds, names->b, numbers_of(names), names->article, names->op);
}

static void say_added_twice(const sw_refusal *r, const struct names *names, sw_diag *diag)
{
	const sw_breach *breach = r->breach;
	char owner[32];

	name_device(r, r->names->owner(r->names->of, breach->member[breach->a], breach->term), owner);
	sw_diag_set(diag, SW_R02, (sw_span){0, 0},
		"%s and %s both hold the share of %s in chunk %d: %s %s would add it twice", names->a, names->b, owner,
		breach->piece, names->article, names->op);
}

static void say_indivisible(const sw_refusal *r, const struct names *names, sw_diag *diag)
{
	sw_diag_set(diag, SW_R03, (sw_span){0, 0}, "%s holds %s, like the others, which %lld devices cannot share evenly",
		names->a, names->a_holds, (long long)r->breach->size);
}

static void say_counts_differ(const sw_refusal *r, const struct names *names, sw_diag *diag)
{
	(void)r;
	sw_diag_set(diag, SW_R04, (sw_span){0, 0},
		"%s holds %s, %s holds %s: %s %s takes equally many from "
		"each",
		names->a, names->a_holds, names->b, names->b_holds, names->article, names->op);
}

static void say_same_chunk(const sw_refusal *r, const struct names *names, sw_diag *diag)
{
	sw_diag_set(diag, SW_R05, (sw_span){0, 0}, "%s and %s both hold chunk %d: %s %s gathers different chunks",
		names->a, names->b, r->breach->piece, names->article, names->op);
}

static void say_root_knows_less(const sw_refusal *r, const struct names *names, sw_diag *diag)
{
	sw_diag_set(diag, SW_R06, (sw_span){0, 0},
		"%s holds shares of chunk %d that %s, the root, does not: %s %s would lose them", names->b, r->breach->piece,
		names->a, names->article, names->op);
}

static void say_nothing_new(const sw_refusal *r, const struct names *names, sw_diag *diag)
{
	(void)r;
	sw_diag_set(diag, SW_R07, (sw_span){0, 0},
		"%s, the root, holds what the others of its group already hold: %s %s would bring nothing "
		"new",
		names->a, names->article, names->op);
}

static void say_nothing(const sw_refusal *r, const struct names *names, sw_diag *diag)
{
	(void)r;
	sw_diag_set(diag, SW_R08, (sw_span){0, 0}, "no device of the group from %s to %s holds anything", names->a,
		names->b);
}

static const struct {
	void (*say)(const sw_refusal *refusal, const struct names *names, sw_diag *diag);
	const char *hint;
} rows[SW_PREMISE_COUNT] = {
	[SW_PREMISE_CROSSES] = {say_crosses, "`set hierarchy e` makes groups only along the axes summed over"},
	[SW_PREMISE_CHUNKS_DIFFER] = {say_chunks_differ,
		"an allgather joins the chunks; a sum across other units adds equal chunks"},
	[SW_PREMISE_NOTHING] = {say_nothing,
		"after a reduce, only the first devices hold something: use `masters`, or a broadcast"},
	[SW_PREMISE_ADDED_TWICE] = {say_added_twice,
		"sum across units whose devices hold different shares, or between their masters"},
	[SW_PREMISE_INDIVISIBLE] = {say_indivisible, "an allreduce leaves the chunks whole"},
	[SW_PREMISE_COUNTS_DIFFER] = {say_counts_differ, "gather in groups whose devices all hold the same amount"},
	[SW_PREMISE_SAME_CHUNK] = {say_same_chunk, "an allreduce adds what devices hold of the same chunks"},
	[SW_PREMISE_ROOT_KNOWS_LESS] = {say_root_knows_less, "reduce to the first device first, or use an allreduce"},
	[SW_PREMISE_NOTHING_NEW] = {say_nothing_new, "leave it out"},
};

bool sw_premise_say(const sw_refusal *refusal, sw_diag *diag)
{
	assert(refusal->breach->premise > SW_PREMISE_HOLDS && refusal->breach->premise < SW_PREMISE_COUNT);
	assert(refusal->breach->premise != SW_PREMISE_CROSSES || refusal->axis != NULL);
	sw_premise premise = refusal->breach->premise;
	if (diag == NULL)
		return false;
	const struct names names = names_of(refusal);
	rows[premise].say(refusal, &names, diag);
	sw_diag_hint(diag, "%s; `explain %s` shows the rule", rows[premise].hint, sw_code_info_of(diag->code)->name);
	return false;
}
