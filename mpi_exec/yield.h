/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Does the MPI library give up the processor while it waits?
 */
#ifndef EX_YIELD_H
#define EX_YIELD_H

#include <stdbool.h>

/* True once the library has polled through our replacement, which yields. */
bool ex_yield_called(void);

#endif
