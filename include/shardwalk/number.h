/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checked 64-bit arithmetic, factors, and numbers in text.
 */
#ifndef SHARDWALK_NUMBER_H
#define SHARDWALK_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/text.h>

#pragma GCC visibility push(default)

#define SW_MAX_FACTORS 40 /* prime factors of the largest mesh, 2^40 devices */

/* *out = a * b (a + b); false where it does not fit, *out unchanged. */
bool sw_mul(int64_t a, int64_t b, int64_t *out);
bool sw_add(int64_t a, int64_t b, int64_t *out);

/* The prime factors of n >= 1, ascending, with repetition; how many there are (0 for 1).  `primes` has room
 * for 63. */
int sw_prime_factors(int64_t n, int64_t primes[63]);

/* Reads decimal digits (nothing else) from the whole of `text`.  false: empty, other characters, or more
 * than an int64_t holds (*overflow tells which; it may be NULL). */
bool sw_read_int(sw_str text, int64_t *out, bool *overflow);

/* "1234567" with blanks between groups of three where it is long: "1 234 567". */
void sw_print_count(sw_text *text, int64_t n);

/* Bytes for people, binary units as memory is sold: "512 B", "1.5 KiB", "31.2 MiB". */
void sw_print_bytes(sw_text *text, int64_t bytes);

#pragma GCC visibility pop

#endif
