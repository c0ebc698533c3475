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

/* The whole number that is nearest to `amount`; INT64_MAX or INT64_MIN where it does not fit, INT64_MAX for what is no number. */
int64_t sw_nearest(double amount);

/* The greatest common divisor of two numbers that are not negative. */
int64_t sw_gcd(int64_t a, int64_t b);

static inline int64_t sw_smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t sw_larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

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

/* The same for bytes that were multiplied or averaged, rounded; "huge" from 9e18 on. */
void sw_print_real_bytes(sw_text *text, double bytes);

/* How sizes of memory are told: in elements, or to who typed bytes in bytes of the same kind, with the elements beside. */
typedef enum sw_unit {
	SW_UNIT_ELEMENTS,
	SW_UNIT_BYTES,   /* 300B */
	SW_UNIT_DECIMAL, /* 31.25GB */
	SW_UNIT_BINARY   /* 2GiB */
} sw_unit;

/* "elements", "B", "GB", "GiB"; and back, where the name is one of them. */
const char *sw_unit_name(sw_unit unit);
bool sw_unit_parse(sw_str name, sw_unit *unit);

typedef struct sw_amount {
	char text[96];
} sw_amount;

/* Elements of `bytes` bytes each: "6 elements", "24 B (6 elements)", "31.25 GB (7 812 500 000 elements)". */
sw_amount sw_size_said(int64_t elements, int bytes, sw_unit unit);

/* Bytes alone: "24 B", "34.36 GB", and where elements are told "31.2 MiB" as sw_print_bytes does. */
sw_amount sw_size_bytes(int64_t elements, int bytes, sw_unit unit);

/* The same as a budget is typed, exactly: "6", "24B", "31.25GB". */
sw_amount sw_size_typed(int64_t elements, int bytes, sw_unit unit);

#pragma GCC visibility pop

#endif
