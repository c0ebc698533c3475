/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flags in shared memory by which the ranks of one host wait for each other.  Waiting yields the
 * processor and soon sleeps, so that more ranks than cores work well; and it is watched, so that a rank that hangs
 * is named.
 */
#ifndef EX_FLAGS_H
#define EX_FLAGS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A number that only grows (modulo 2^32), alone on its cache line. */
typedef struct ex_flag {
	_Alignas(64) atomic_uint value;
	atomic_uint sleepers;
} ex_flag;

enum { EX_VALUES = 4 };

/* What one rank tells the others of its host. */
typedef struct ex_rank_flags {
	ex_flag done;                      /* number of the last step whose copies this rank has made */
	ex_flag ready;                     /* number of the last step that is over for this rank and all it meets in it */
	_Alignas(64) _Atomic double alive; /* when it last got on, on the monotonic clock */
	_Atomic double looked;             /* when it last looked around, waiting */
	atomic_int waiting;                /* it waits for others: not to blame as long as it looks around */
	atomic_int step;                   /* 1 on; 0: between steps */
	atomic_int operation;              /* of that step, a sw_op */
	int pid, rank;
	_Alignas(64) double value[2][EX_VALUES]; /* brought to a reduction; two of them may be under way */
} ex_rank_flags;

typedef struct ex_host_flags {
	ex_flag turn; /* of the barrier */
	atomic_uint arrived;
	atomic_int claimed; /* somebody is reporting a fault */
	atomic_uint ball;   /* of the probe */
	int count;
	ex_rank_flags rank_flags[];
} ex_host_flags;

void ex_flag_set(ex_flag *flag, unsigned value);
bool ex_flag_reached(ex_flag *flag, unsigned value);

/* Waits until the flag has reached `value`, some while; false where it did not yet. */
bool ex_flag_wait(ex_flag *flag, unsigned value, bool spin);

/* Seconds on the monotonic clock. */
double ex_now(void);

#endif
