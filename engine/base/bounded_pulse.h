/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pulse that beats on another one, and also ends by itself.
 */
#ifndef SW_BASE_BOUNDED_PULSE_H
#define SW_BASE_BOUNDED_PULSE_H

#include <assert.h>
#include <stdint.h>

#include <shardwalk/diag.h>

typedef struct sw_bounded_pulse {
	sw_pulse pulse; /* to be handed on; the struct must not move */
	const sw_pulse *outer;
	int64_t left; /* beats */
	bool stopped; /* by the outer one */
} sw_bounded_pulse;

static inline bool sw_bounded_pulse_goes_on(void *context, const char *what, long long done, long long total)
{
	sw_bounded_pulse *pulse = context;

	pulse->stopped = pulse->stopped || !sw_pulse_beat(pulse->outer, what, done, total);
	return --pulse->left > 0 && !pulse->stopped;
}

/* The most-th beat ends it; `outer` may be NULL. */
static inline void sw_bounded_pulse_init(sw_bounded_pulse *pulse, const sw_pulse *outer, int64_t most)
{
	assert(most > 0);
	*pulse = (sw_bounded_pulse){{sw_bounded_pulse_goes_on, pulse}, outer, most, false};
}

#endif
