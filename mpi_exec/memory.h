/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much memory a host can still give, asked before anything is allocated.
 */
#ifndef EX_MEMORY_H
#define EX_MEMORY_H

#include <stdint.h>

#include "run.h"

/* The smaller of what the system and the control groups leave, in bytes. */
int64_t ex_memory_available(void);

/* Memory of this process as the system counts it, shared pages by their share; -1 where it does not say. */
int64_t ex_memory_process(void);

/* Compares what every host needs with what it has (at most `limit`, 0: all of it).  All ranks call it; all get the same
 * answer, with the numbers. */
bool ex_memory_suffices(ex_team *team, const ex_need *need, int64_t limit, ex_fault *fault);

#endif
