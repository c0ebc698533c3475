/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plan files: read on one rank, parsed on all.
 */
#ifndef EX_READ_H
#define EX_READ_H

#include <shardwalk/plan.h>

#include "team.h"

/* Reads the text of a file. */
bool ex_read_file(const char *file, sw_text *text, ex_fault *fault);

/* Rank 0 reads, so that the other hosts need not have the file; the others keep the text in `arena`.  All ranks call it. */
bool ex_read_share(ex_team *team, const char *file, sw_arena *arena, sw_text *text, ex_fault *fault);

/* The plan of a text; with `prove` everything in it is derived again. */
bool ex_read_plan(const sw_text *text, bool prove, sw_arena *arena, sw_plan *plan, ex_fault *fault);

/* Are there as many ranks as devices? */
bool ex_read_ranks(const ex_team *team, int64_t devices, const char *what, ex_fault *fault);

#endif
