/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of rows (rows.h), and rows that are folded into one: by a column, for every table that has columns.
 *
 * Orders are stable, so one after another sorts by both, the last first; what is not known is last.  All lives in the arena, and rows
 * themselves stay where they are: ROW_NUMBERED has the number that a row has in its array, whatever the order.
 */
#ifndef SHARDWALK_ANSWER_ORDER_H
#define SHARDWALK_ANSWER_ORDER_H

#include <shardwalk/arena.h>

#include "answer/rows.h"

/* Shows them in the order of the columns of this word, `order` or else the key: numbers from the largest on, texts and columns that
 * rise from the smallest; digits in texts count as numbers, so that moe.py:9 is before moe.py:41.  false: no column has the word,
 * L08 without a place, which lists the words that there are, or E01. */
bool rows_order(struct rows *rows, sw_str word, sw_arena *arena, sw_diag *diag);

/* The same, the other way round: what is last is first. */
bool rows_turn(struct rows *rows, sw_arena *arena, sw_diag *diag);

/* Shows those as one that have the same text in the column of this word that folds; they stay in the order in which the first of each
 * is.  Errors as above. */
bool rows_fold(struct rows *rows, sw_str word, sw_arena *arena, sw_diag *diag);

/* Can they be ordered, or folded, by this word?  Error: L08, as above. */
bool rows_has(const struct rows *rows, sw_str word, bool folds, sw_diag *diag);

/* Refuses a word, L08, with those that there are and the nearest of them. */
bool rows_refuse(sw_str word, bool folds, const char *const *words, int count, sw_diag *diag);

/* The words that rows have for an order, or for a fold; NULL after the last. */
const char *rows_order_word(const struct rows *rows, bool folds, int n);

/* As it was asked for, or by the reader of a document, where the rows have such columns: of several tables those that have. */
bool rows_arrange_as(struct rows *rows, struct arrangement *asked, sw_diag *diag);
bool rows_arrange(struct rows *rows, struct document *document, sw_diag *diag);

/* A table for people, and a list of objects for programs, whichever the document is for, arranged so.  `in` may be NULL.  false: a
 * `fill` failed, or a signal ended a long list, S03. */
bool rows_answer(const struct rows *rows, struct document *document, struct fields *in, const char *key,
	sw_diag *diag);

#endif
