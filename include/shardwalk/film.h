/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Films: a sequence of collectives before and after each rewriting.
 *
 * Source: seed 000, sections 4.3 (lemmas), 7.1 (merging) and 7.3 (the position of the permutation, the choice of axes).
 */
#ifndef SHARDWALK_FILM_H
#define SHARDWALK_FILM_H

#include <shardwalk/plan.h>
#include <shardwalk/sequence.h>

#pragma GCC visibility push(default)

typedef struct sw_film sw_film;

/* All rewritings of a sequence until it is in normal form, and as short as sw_sequence_rewrite makes it.  NULL: E01. */
sw_film *sw_film_rewriting(const sw_sequence *start, bool multi_dim, sw_diag *diag);

/* How the strategy `paper` came to its plan from a path over local types: first by steps of one prime each, lowered
 * without looking ahead, and a permutation at the end; then neighbours are merged; then axes are chosen by `to`, or the
 * permutation moves in front of the gathers.  The last sequence is the plan.  Errors: P06 where a step leads to no type, E01. */
sw_film *sw_film_paper(const sw_plan *plan, sw_diag *diag);

void sw_film_free(sw_film *film);

/* How many rewritings; the sequence after the k-th of them (0: before the first), and the k-th, from 1.  They belong to
 * the film. */
int sw_film_count(const sw_film *film);
const sw_sequence *sw_film_sequence(const sw_film *film, int k);
const sw_rewrite *sw_film_rewrite(const sw_film *film, int k);

#pragma GCC visibility pop

#endif
