/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rewriting a sequence into normal form, one lemma at a time.
 *
 * Source: seed 000, lemmas 4.6 and 4.7 with their proofs in appendix A; merging as in section 7.1.
 *
 * Order of work: steps that do nothing and neighbours of one kind first.  Then the leftmost dynslice that stands
 * too far right moves left, over an allgather (a peak) or over a step that keeps the size (a falling edge), until
 * all dynslices stand in front.  Then the rightmost allgather that stands too far left moves right (a rising edge).
 * Last, in normal form, what can be shortened is.
 *
 * Where sums are finished or made between two neighbours, they are rewritten by rules of their own (rewrite_sums.c), which lower
 * the cost, or the number of pairs that are out of order; where none applies the steps stay as they are.
 *
 * Why it ends: sliced factors never become more, and each rewrite moves the leftmost misplaced slice over one more
 * step; gathered factors neither, once no slice is misplaced, and each rewrite moves the rightmost misplaced gather
 * over one more step; merging makes the sequence shorter, and shortening lowers local cost, cost and steps, in that
 * order.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "step/detour.h"
#include "step/rewrite_sums.h"
#include "step/row.h"

#define REWRITE_WINDOW 3 /* steps that are shortened at once */

static const char *const lemma_names[SW_LEMMA_COUNT] = {
#define X(id, name, about) name,
	SW_LEMMAS(X)
#undef X
};

static const char *const lemma_abouts[SW_LEMMA_COUNT] = {
#define X(id, name, about) about,
	SW_LEMMAS(X)
#undef X
};

const char *sw_lemma_name(sw_lemma lemma)
{
	assert((unsigned)lemma < SW_LEMMA_COUNT);
	return lemma_names[lemma];
}

const char *sw_lemma_about(sw_lemma lemma)
{
	assert((unsigned)lemma < SW_LEMMA_COUNT);
	return lemma_abouts[lemma];
}

/* ---- cases in words ---- */

/* What a rewrite leaves: bit 1 << op for each operation in it. */
static const char *const rewrite_results[16] = {
	[0] = "they undo each other",
	[1 << SW_DYNSLICE] = "a slice is all that remains",
	[1 << SW_ALLGATHER] = "a gather is all that remains",
	[1 << SW_ALLTOALL] = "one dimension loses what another gains, and an alltoall moves it",
	[1 << SW_ALLPERMUTE] = "the tiles have the same shape before and after, and a permutation reorders them",
	[1 << SW_DYNSLICE | 1 << SW_ALLGATHER] = "they commute: slice first, gather last",
	[1 << SW_DYNSLICE | 1 << SW_ALLTOALL] = "slice first, then move what one dimension loses to the other",
	[1 << SW_DYNSLICE | 1 << SW_ALLPERMUTE] = "slice first, then reorder the tiles while they are small",
	[1 << SW_ALLGATHER | 1 << SW_ALLTOALL] = "move while the tiles are small, gather last",
	[1 << SW_ALLGATHER | 1 << SW_ALLPERMUTE] = "reorder the tiles while they are small, gather last",
	[1 << SW_ALLTOALL | 1 << SW_ALLPERMUTE] =
		"one dimension loses what another gains: an alltoall moves it, a permutation puts the axes in order",
	[1 << SW_DYNSLICE | 1 << SW_ALLGATHER | 1 <<
		SW_ALLTOALL] = "slice first, move what one dimension loses to the other, gather the rest last",
	[1 << SW_DYNSLICE | 1 << SW_ALLGATHER | 1 <<
		SW_ALLPERMUTE] = "slice first, gather last, and a permutation puts the axes in order in between",
	[1 << SW_DYNSLICE | 1 << SW_ALLTOALL | 1 <<
		SW_ALLPERMUTE] = "slice first, then move, and a permutation puts the axes in order",
	[1 << SW_ALLGATHER | 1 << SW_ALLTOALL | 1 <<
		SW_ALLPERMUTE] = "move while the tiles are small, put the axes in order, gather last",
	[15] = "slice first, move, put the axes in order, gather the rest last",
};

typedef struct rewrite_words {
	char *at;
	size_t room;
} rewrite_words;

static void rewrite_say(rewrite_words *words, const char *more)
{
	int length = snprintf(words->at, words->room, "%s", more);
	size_t used = (size_t)length < words->room ? (size_t)length : words->room - 1;
	words->at += used;
	words->room -= used;
}

static void rewrite_say_dims(rewrite_words *words, const sw_entry *entry, int count)
{
	char number[16];
	for (int e = 0; e < count; e++) {
		snprintf(number, sizeof(number), "%s%d", e ? "+" : " ", entry[e].dim);
		rewrite_say(words, number);
	}
}

/* "alltoall 0 to 1" */
static void rewrite_say_step(rewrite_words *words, const sw_call *call)
{
	rewrite_say(words, sw_collective_of(call->op)->name);
	rewrite_say_dims(words, call->gather, call->gathers);
	rewrite_say(words, sw_swaps(call->op) ? " to" : "");
	rewrite_say_dims(words, call->split, call->splits);
}

/* Sums come in too many ways to have a sentence each. */
static void rewrite_say_detour(rewrite_words *words, const sw_sequence *detour)
{
	for (int k = 0; k < sw_sequence_count(detour); k++) {
		rewrite_say(words, k ? ", then " : "");
		rewrite_say_step(words, sw_sequence_call(detour, k));
	}
}

/* "allgather 1, dynslice 0: they commute ..." */
static void rewrite_explain(const sw_sequence *sequence, const sw_sequence *detour, sw_rewrite *rewrite)
{
	rewrite_words words = {rewrite->words, sizeof(rewrite->words)};
	unsigned ops = 0;
	for (int k = 0; k < rewrite->removed; k++) {
		rewrite_say(&words, k ? ", " : "");
		rewrite_say_step(&words, sw_sequence_call(sequence, rewrite->first + k));
	}
	for (int k = 0; k < sw_sequence_count(detour); k++)
		ops |= 1u << sw_sequence_call(detour, k)->op;
	rewrite_say(&words, ": ");
	if (rewrite->lemma == SW_LEMMA_DROP)
		rewrite_say(&words, "it changes nothing");
	else if (rewrite->lemma == SW_LEMMA_MERGE)
		rewrite_say(&words, "one step does what both did");
	else if (ops < sizeof rewrite_results / sizeof *rewrite_results)
		rewrite_say(&words, rewrite_results[ops]);
	else
		rewrite_say_detour(&words, detour);
}

/* ---- one rewrite ---- */

/* What rewriting may look for; true where the detour over the window is worth it. */
typedef bool rewrite_wanted(const sw_measure *old, const sw_measure *new);

static bool rewrite_any(const sw_measure *old, const sw_measure *new)
{
	(void)old, (void)new;
	return true;
}

static bool rewrite_fewer(const sw_measure *old, const sw_measure *new)
{
	return new->steps < old->steps &&new->steps <= 1;
}

static bool rewrite_cheaper(const sw_measure *old, const sw_measure *new)
{
	if (new->local_cost != old->local_cost)
		return new->local_cost < old->local_cost;
	if (new->cost != old->cost)
		return new->cost < old->cost;
	return new->steps < old->steps;
}

typedef struct rewrite_work {
	sw_sequence *sequence;
	bool multi_dim;
	sw_rewrite *rewrite;
	bool failed; /* no memory */
} rewrite_work;

/* The name of what was done where no lemma of the paper was asked for. */
static sw_lemma rewrite_kind(const rewrite_work *work, int first, int count, const sw_sequence *detour)
{
	int added = sw_sequence_count(detour);
	sw_op op = sw_sequence_call(work->sequence, first)->op;
	if (added == 0)
		return count == 1 ? SW_LEMMA_DROP : SW_LEMMA_CANCEL;
	for (int k = 1; k < count; k++)
		if (sw_sequence_call(work->sequence, first + k)->op != op)
			return SW_LEMMA_SHORTEN;
	return added == 1 && sw_sequence_call(detour, 0)->op == op ? SW_LEMMA_MERGE : SW_LEMMA_SHORTEN;
}

static bool rewrite_commit(rewrite_work *work, const sw_sequence *detour)
{
	sw_rewrite *rewrite = work->rewrite;
	rewrite->added = sw_sequence_count(detour);
	rewrite_explain(work->sequence, detour, rewrite);
	if (!sw_sequence_replace(work->sequence, rewrite->first, rewrite->removed, detour)) {
		work->failed = true;
		return false;
	}
	rewrite->after = sw_sequence_measure(work->sequence);
	return true;
}

/* Pairs of steps that stand in another order than in a normal form. */
static int rewrite_inversions(const sw_sequence *sequence, int first, int count)
{
	int inversions = 0;
	for (int a = first; a < first + count; a++)
		for (int b = a + 1; b < first + count; b++)
			inversions += sw_collective_of(sw_sequence_call(sequence, a)->op)->phase >
				sw_collective_of(sw_sequence_call(sequence, b)->op)->phase;
	return inversions;
}

/* Replaces two steps between which sums change: by what is cheaper, or as cheap and more in order, or shorter. */
static bool rewrite_pair(rewrite_work *work, int first)
{
	sw_sequence *other;
	if (!sw_rewrite_sums(work->sequence, first, &other)) {
		work->failed = true;
		return false;
	}
	if (!other)
		return false;
	sw_measure old = sw_sequence_measure_part(work->sequence, first, 2), new = sw_sequence_measure(other);
	int before = rewrite_inversions(work->sequence, first, 2);
	int after = rewrite_inversions(other, 0, sw_sequence_count(other));
	bool fits = new.height <= old.height &&new.local_cost <= old.local_cost &&new.cost <= old.cost;
	bool done = fits && (new.cost < old.cost || after < before || (after == before && new.steps < old.steps));
	if (done) {
		work->rewrite->first = first;
		work->rewrite->removed = 2;
		work->rewrite->lemma = new.steps == 1 &&
				sw_sequence_call(work->sequence, first)->op == sw_sequence_call(work->sequence, first + 1)->op ?
			SW_LEMMA_MERGE :
			SW_LEMMA_SUMS;
		done = rewrite_commit(work, other);
	}
	sw_sequence_free(other);
	return done;
}

/* Replaces `count` steps from `first` on by their detour, if that is wanted.  `lemma` NONE: by what it does. */
static bool rewrite_window(rewrite_work *work, int first, int count, sw_lemma lemma, rewrite_wanted *wanted)
{
	if (!sw_same_sums(sw_sequence_type(work->sequence, first), sw_sequence_type(work->sequence, first + count)))
		return count == 2 && rewrite_pair(work, first);
	sw_sequence *detour = sw_detour(work->sequence, first, count, work->multi_dim);
	if (!detour) {
		work->failed = true;
		return false;
	}
	sw_measure old = sw_sequence_measure_part(work->sequence, first, count);
	sw_measure new = sw_sequence_measure(detour);
	bool done = new.height <= old.height &&new.local_cost <= old.local_cost &&wanted(&old, &new);
	if (done) {
		work->rewrite->lemma = lemma ? lemma : rewrite_kind(work, first, count, detour);
		work->rewrite->first = first;
		work->rewrite->removed = count;
		done = rewrite_commit(work, detour);
	}
	sw_sequence_free(detour);
	return done;
}

static sw_op rewrite_op(const rewrite_work *work, int k)
{
	return sw_sequence_call(work->sequence, k)->op;
}

static int rewrite_phase(const rewrite_work *work, int k)
{
	return sw_collective_of(rewrite_op(work, k))->phase;
}

/* Steps that do nothing: permutations onto the same type. */
static bool rewrite_drop(rewrite_work *work)
{
	for (int k = 0; k < sw_sequence_count(work->sequence) && !work->failed; k++)
		if (sw_type_equal(sw_sequence_type(work->sequence, k), sw_sequence_type(work->sequence, k + 1)) &&
			rewrite_window(work, k, 1, SW_LEMMA_NONE, rewrite_fewer))
			return true;
	return false;
}

/* Neighbours of one kind that one step, or none, can replace. */
static bool rewrite_merge(rewrite_work *work)
{
	for (int k = 1; k < sw_sequence_count(work->sequence) && !work->failed; k++)
		if (rewrite_op(work, k - 1) == rewrite_op(work, k) &&
			rewrite_window(work, k - 1, 2, SW_LEMMA_NONE, rewrite_fewer))
			return true;
	return false;
}

static bool slices(const rewrite_work *work, int k)
{
	return rewrite_phase(work, k) == 0;
}

static bool only_gathers(const rewrite_work *work, int k)
{
	return rewrite_phase(work, k) == 2;
}

/* The leftmost dynslice that stands after something else, and can move. */
static bool rewrite_slice(rewrite_work *work)
{
	for (int k = 1; k < sw_sequence_count(work->sequence) && !work->failed; k++) {
		bool peak = only_gathers(work, k - 1);
		if (slices(work, k) && !slices(work, k - 1) &&
			rewrite_window(work, k - 1, 2, peak ? SW_LEMMA_PEAK : SW_LEMMA_FALLING, rewrite_any))
			return true;
	}
	return false;
}

/* The rightmost allgather that stands before something else, and can move. */
static bool rewrite_gather(rewrite_work *work)
{
	for (int k = sw_sequence_count(work->sequence) - 2; k >= 0 && !work->failed; k--)
		if (only_gathers(work, k) && !only_gathers(work, k + 1) && !slices(work, k + 1) &&
			rewrite_window(work, k, 2, SW_LEMMA_RISING, rewrite_any))
			return true;
	return false;
}

/* The first pair of neighbours that stays out of order. */
static int rewrite_stays(const rewrite_work *work)
{
	for (int k = 1; k < sw_sequence_count(work->sequence); k++)
		if (rewrite_phase(work, k) < rewrite_phase(work, k - 1))
			return k - 1;
	return -1;
}

static void rewrite_say_stays(const rewrite_work *work, int k)
{
	rewrite_words words = {work->rewrite->words, sizeof(work->rewrite->words)};
	work->rewrite->first = k;
	rewrite_say_step(&words, sw_sequence_call(work->sequence, k));
	rewrite_say(&words, " stays before ");
	rewrite_say_step(&words, sw_sequence_call(work->sequence, k + 1));
	rewrite_say(&words, ": no rule swaps them without a larger tile or a higher cost");
}

static bool rewrite_is_normal(const rewrite_work *work)
{
	for (int k = 1; k < sw_sequence_count(work->sequence); k++)
		if (rewrite_phase(work, k) < rewrite_phase(work, k - 1))
			return false;
	return true;
}

static bool rewrite_has_sums(const rewrite_work *work)
{
	for (int k = 0; k < sw_sequence_count(work->sequence); k++)
		if (sw_changes_terms(rewrite_op(work, k)))
			return true;
	return false;
}

static bool rewrite_shorten(rewrite_work *work)
{
	if (!rewrite_is_normal(work) && !rewrite_has_sums(work))
		return false;
	for (int count = 1; count <= REWRITE_WINDOW; count++)
		for (int k = 0; k + count <= sw_sequence_count(work->sequence) && !work->failed; k++)
			if (rewrite_window(work, k, count, SW_LEMMA_NONE, rewrite_cheaper))
				return true;
	return false;
}

bool sw_sequence_rewrite(sw_sequence *sequence, bool multi_dim, sw_rewrite *rewrite, sw_diag *diag)
{
	static bool (*const rules[])(
		rewrite_work *) = {rewrite_drop, rewrite_merge, rewrite_slice, rewrite_gather, rewrite_shorten};
	rewrite_work work = {.sequence = sequence, .multi_dim = multi_dim, .rewrite = rewrite};
	*rewrite = (sw_rewrite){.before = sw_sequence_measure(sequence)};
	rewrite->after = rewrite->before;
	for (size_t r = 0; r < sizeof(rules) / sizeof(*rules) && !work.failed; r++)
		if (rules[r](&work))
			return true;
	int stays = rewrite_stays(&work);
	if (stays >= 0)
		rewrite_say_stays(&work, stays);
	return work.failed ? sw_diag_memory(diag) : true;
}
