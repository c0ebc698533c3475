/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of operations, for those who read and type programs.
 */
#ifndef SW_PROGRAM_OPS_H
#define SW_PROGRAM_OPS_H

#include <shardwalk/program.h>

enum sw_with_sums sw_program_op_sums(sw_program_op op);

/* The operation of this name, or SW_DO_COUNT. */
sw_program_op sw_program_op_named(sw_str name);

/* May it stand in a body, or as a global statement? */
bool sw_program_op_local(sw_program_op op);
bool sw_program_op_global(sw_program_op op);

/* Is it a word of the language, which names no value? */
bool sw_program_reserved(sw_str name);

#endif
