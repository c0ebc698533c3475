/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies: what every device runs on its tiles.
 */
#ifndef SW_PROGRAM_BODY_RUN_H
#define SW_PROGRAM_BODY_RUN_H

#include <shardwalk/arithmetic.h>
#include <shardwalk/program.h>

/* Elements of room for all tiles that it makes. */
int64_t sw_body_room(const sw_body *body);

/* Computes the result from tiles; letter by letter where `by` is NULL. */
void sw_body_run(const sw_body *body, sw_dtype dtype, const void *const *operand, void *result, void *room,
	const sw_multiplier *by);

#endif
