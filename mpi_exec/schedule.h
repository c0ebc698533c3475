/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one rank has to copy in a step of a schedule that sends: a program of one step, as that of a plan is.
 */
#ifndef EX_SCHEDULE_H
#define EX_SCHEDULE_H

#include <shardwalk/schedule_program.h>

#include "program.h"

/* Steps `s` to s + count - 1 of a program, which send, on a rank, as one step; several where they fetch.  Everything lives in `arena`. */
bool ex_schedule_make(const sw_program *of, int s, int count, int rank, sw_arena *arena, ex_program *program,
	ex_fault *fault);

/* The values of the program lie at these places of a region.  Once. */
void ex_schedule_place(ex_program *program, const int64_t *at);

#endif
