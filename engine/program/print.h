/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names under which the values of a program are printed.
 */
#ifndef SW_PROGRAM_PRINT_H
#define SW_PROGRAM_PRINT_H

#include <shardwalk/program.h>

/* Of each value, in `arena`: words of the language, and no two values have one, but for what is computed and what is kept of it.
 * NULL: memory. */
const sw_str *sw_program_names(const sw_program *program, sw_arena *arena);

#endif
