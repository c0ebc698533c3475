/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of the checker for steps on pieces of tiles: figure 8 of seed 001, told once more by who does not believe the table of
 * collectives.
 */
#ifndef SW_PLAN_CHECK_PIECES_H
#define SW_PLAN_CHECK_PIECES_H

#include <shardwalk/plan.h>

/* What members of a group do with their pieces. */
typedef enum sw_piece_rule {
	SW_PIECES_NEVER,     /* there is no such operation on pieces */
	SW_PIECES_ADD,       /* they add up the same pieces, and all have the sum */
	SW_PIECES_ADD_SHARE, /* each has as many pieces of it as the others, in the order of both */
	SW_PIECES_ADD_FIRST, /* the first has it, the others have nothing */
	SW_PIECES_JOIN,      /* they put together different pieces, of each as many */
	SW_PIECES_COPY       /* all get what the first has, which is more than others have */
} sw_piece_rule;

typedef struct sw_piece_check {
	const sw_plan *plan;
	int k; /* the step, from 0 */
	sw_piece_rule rule;
	int64_t cost_before, cost_after; /* how often what a member has counts */
	sw_arena *arena;
	int64_t most, cost, live; /* what its figures have to be */
	sw_code code;             /* of what is wrong */
} sw_piece_check;

/* Does the step make value k + 1 of value k?  NULL: it does, and the figures are known; else why not, and the field to blame;
 * without a field memory is short. */
const char *sw_check_pieces(sw_piece_check *check, const char **field);

#endif
