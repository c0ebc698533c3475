/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands above the lines that advice asks for: that they are to be written, or that they are an offer, for what.
 */
#ifndef SHARDWALK_COMMAND_ADVISE_CODE_H
#define SHARDWALK_COMMAND_ADVISE_CODE_H

#include <shardwalk/advise.h>

#include "answer/fields.h"

/* "Write in your program:", where something falls and nothing rises; else what rises and what falls, each with both numbers, and then
 * that it is an offer.  `better`: sw_advice_is_better. */
void advise_code_head(const sw_advice_weight *weight, bool better, sw_dtype dtype, sw_text *text);

/* The changes alone: what rises, what falls, what stays. */
void advise_code_changes(const sw_advice_weight *weight, sw_dtype dtype, sw_text *text);

/* The lines for a gradient, on its forward value: those that constrain it the other way round, as the gradient takes them from the
 * last to the first. */
void advise_code_forward(sw_str code, sw_text *text);

/* That `x` is the forward value, and why. */
void advise_code_gradient(sw_text *text);

/* `mesh["dp", "tp"]._flatten()` for each mesh dimension to be made; nothing where there is none. */
void advise_flatten_lines(const sw_advice *advice, sw_text *text);

/* The same with what it is worth. */
void advise_flatten_say(const sw_advice *advice, sw_text *text);

/* "falls" and "rises". */
void advise_falls_fields(const sw_advice_weight *weight, struct fields *in);

/* The same, and "flatten". */
void advise_weight_fields(const sw_advice *advice, struct fields *in);

#endif
