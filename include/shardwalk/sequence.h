/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sequences of collectives: built by hand, measured, and rewritten into normal form one step at a time.
 *
 * Source: seed 000, section 4.3 (height, normal form, peak lemma 4.6, edge lemmas 4.7), appendix A (their cases),
 * section 6.2 (cost), section 7.1 (merging).  Normal form: dynslice* (alltoall | allpermute)* allgather*; its
 * height is at most the larger of both ends.  With sums: (dynslice | zeros)* (alltoall | allpermute | reducescatter)*
 * (allgather | allreduce | pad)*.
 *
 * A sequence leaves out axes of size 1, which tell no tiles apart.
 */
#ifndef SHARDWALK_SEQUENCE_H
#define SHARDWALK_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/collective.h>
#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

typedef struct sw_sequence sw_sequence;

/* What a sequence needs and costs, in elements per device under the model `paper`.  A sum that does not fit into 64
 * bits stays at INT64_MAX. */
typedef struct sw_measure {
	int64_t height; /* the largest localsize, both ends included */
	int64_t cost;
	int64_t local_cost; /* cost without the permutations */
	int64_t live_peak;  /* the largest sum of a step's tiles before and after; the tile where there is no step */
	int steps;
	int permutes;
	bool normal_form;
} sw_measure;

/* The empty sequence at `start`.  NULL where memory is short. */
sw_sequence *sw_sequence_new(const sw_mesh *mesh, const sw_type *start);
sw_sequence *sw_sequence_copy(const sw_sequence *sequence);
void sw_sequence_free(sw_sequence *sequence);

/* What one writes without thinking: an allgather of every partitioned dimension of `from`, ascending, then a
 * dynslice of every partitioned dimension of `to`.  NULL where memory is short (E01) or the arrays differ (T09). */
sw_sequence *sw_sequence_naive(const sw_problem *problem, sw_diag *diag);

/* Applies a call to the last type and appends it.  Errors: those of sw_call_apply, C01 for an exchange, E01. */
bool sw_sequence_push(sw_sequence *sequence, const sw_call *call, sw_diag *diag);

/* Takes the last step back; false where there is none. */
bool sw_sequence_pop(sw_sequence *sequence);

const sw_mesh *sw_sequence_mesh(const sw_sequence *sequence);
int sw_sequence_count(const sw_sequence *sequence);

/* Step k (0-based), and the type before it; of k = count, the last type.  They stay until the sequence changes. */
const sw_call *sw_sequence_call(const sw_sequence *sequence, int k);
const sw_type *sw_sequence_type(const sw_sequence *sequence, int k);

/* Cost of step k under the model `paper`. */
int64_t sw_sequence_cost(const sw_sequence *sequence, int k);

sw_measure sw_sequence_measure(const sw_sequence *sequence);

/* ---- derivatives ---- */

/* The type of the derivative of an array: sums and unused axes exchanged.  Error: T11. */
bool sw_type_adjoint(const sw_mesh *mesh, const sw_type *type, sw_type *adjoint, sw_diag *diag);

/* The sequence of the derivative: from the derivative of the last type to that of the first.  allgather and reducescatter change
 * places, so do dynslice and pad, an alltoall is reversed, the others stay; a reducescatter that pops is an alltoall and an
 * allgather.  NULL: T11, S02 where a step cannot be turned, E01. */
sw_sequence *sw_sequence_adjoint(const sw_sequence *sequence, sw_diag *diag);

/* ---- rewriting ---- */

/* One row a lemma: name and what it does. */
#define SW_LEMMAS(X) \
	X(NONE, "none", "nothing is left to rewrite") \
	X(PEAK, "peak lemma", "an allgather before a dynslice becomes flat or a valley") \
	X(RISING, "rising edge lemma", "an allgather moves after a step that keeps the size") \
	X(FALLING, "falling edge lemma", "a dynslice moves before a step that keeps the size") \
	X(MERGE, "merge", "neighbours of one kind become one step") \
	X(DROP, "drop", "a step that does nothing is dropped") \
	X(CANCEL, "cancel", "neighbours that undo each other are dropped") \
	X(SHORTEN, "shorten", "neighbours are replaced by a shorter or cheaper way between the same types") \
	X(PERMUTE, "move the permutation", "a permutation moves before the gathers at the end, where tiles are small") \
	X(CHOOSE, "choose axes", "slices and alltoalls use the axes of the target") \
	X(SUMS, "sums", "neighbours that complete or make a sum are replaced by a cheaper way, or swapped")

typedef enum sw_lemma {
#define X(id, name, about) SW_LEMMA_##id,
	SW_LEMMAS(X)
#undef X
		SW_LEMMA_COUNT
} sw_lemma;

const char *sw_lemma_name(sw_lemma lemma);
const char *sw_lemma_about(sw_lemma lemma);

/* What one rewrite did: steps first .. first + removed - 1 (0-based) became `added` steps. */
typedef struct sw_rewrite {
	sw_lemma lemma;
	int first, removed, added;
	char words[192];          /* the case of the lemma */
	sw_measure before, after; /* of the whole sequence */
} sw_rewrite;

/* Rewrites once.  Start and end stay what they are, height and local cost do not grow.  The lemmas come first; once
 * the sequence is in normal form, what can be shortened is.  Where nothing is left, rewrite->lemma is
 * SW_LEMMA_NONE, the sequence is in normal form, and nothing has changed.  Where sums are finished or made a step may
 * stay out of order: then rewrite->first is it, and rewrite->words say so; else they are empty.
 *
 * `multi_dim`: neighbours that work on different dimensions may become one step of several dimensions.
 * Repeating it always comes to an end.  Error: E01. */
bool sw_sequence_rewrite(sw_sequence *sequence, bool multi_dim, sw_rewrite *rewrite, sw_diag *diag);

#pragma GCC visibility pop

#endif
