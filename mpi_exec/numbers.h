/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Floats of any value in place of small integers: sums depend on the order of adding then, and are off by so much at most.
 */
#ifndef EX_NUMBERS_H
#define EX_NUMBERS_H

#include "data.h"

bool ex_numbers_are_floats(sw_dtype dtype);

/* Fills this rank's first tile with terms. */
void ex_numbers_fill(const ex_run *run);

/* Compares this rank's last tile with the sums: by how much it is off at most, and may be.  false: it is off by more, or memory is short. */
bool ex_numbers_check(const ex_run *run, sw_arena *arena, double *error, double *bound);

#endif
