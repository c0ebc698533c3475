/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data: every element is made of its position in the whole array, so that each can be proved right anywhere.
 *
 * Element i holds the low bytes of splitmix64(i), i its row-major index; in elements of 16 bytes the upper eight are
 * splitmix64(i + 2^63).
 *
 * In a plan with sums floating elements are small integers, for which every order of adding is exact.  A rank begins with a term of each
 * element: it comes from the index and the number of the term, and the last term makes the sum that value.
 */
#ifndef EX_DATA_H
#define EX_DATA_H

#include "compare.h"
#include "run.h"

/* Hands runs of elements of this rank's tile before step k to `use`, which lie one after the other in the array too: from which one of
 * the tile on, and of the array, and how many. */
typedef void (*ex_data_use)(void *user, int64_t at, uint64_t index, int64_t count);
void ex_data_each(const ex_run *run, int k, ex_data_use use, void *user);

/* Fills this rank's first tile. */
void ex_data_fill(const ex_run *run);

/* Compares every element of this rank's tile before step k with what the plan says; false names the first wrong
 * one.  Where values are still to be summed then, all ranks call it: copies of a term have to be equal, and terms to add up.
 * `digest` changes with every byte of the tile and its position. */
bool ex_data_check(const ex_run *run, int k, ex_wrong *wrong, uint64_t *digest);

#endif
