/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was meant by equations that say too little.
 */
#ifndef SW_PROGRAM_EQUATION_H
#define SW_PROGRAM_EQUATION_H

#include <shardwalk/product.h>

/* How many operands a text of an equation has. */
int sw_equation_operands(sw_str text);

/* Adds the equation in full that was meant by one without arrow (the result has the letters that stand once, in the order of
 * the alphabet) or with dots; `rank`: of the first two operands, NULL where it is not known (dots are one dimension then).
 * false: none can be said. */
bool sw_equation_meant(sw_str text, const int *rank, sw_text *out);

#endif
