/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random numbers for tests: the seed comes from the environment variable SEED, else from the clock, and is
 * printed, so that a failure can be repeated.
 */
#ifndef TESTS_KIT_DRAW_H
#define TESTS_KIT_DRAW_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct draw {
	uint64_t state;
} draw;

static inline draw draw_start(const char *what)
{
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	printf("%s: SEED=%llu\n", what, (unsigned long long)seed);
	return (draw){seed};
}

static inline uint64_t draw_bits(draw *from)
{
	uint64_t z = from->state += 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

/* A number from 0 to n - 1. */
static inline int draw_below(draw *from, int n)
{
	return (int)(draw_bits(from) % (uint64_t)n);
}

#endif
