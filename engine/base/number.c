/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checked arithmetic, prime factors, and numbers as text.
 *
 * Factors: trial division by small primes, then Miller-Rabin (with the twelve bases that decide every 64-bit
 * number) and Pollard's rho, so that no 64-bit number takes more than some milliseconds.
 */
#include <shardwalk/number.h>

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/room.h"

__extension__ typedef unsigned __int128 wide;

#define TRIAL_END 256 /* divisors below this are tried one by one */

bool sw_mul(int64_t a, int64_t b, int64_t *out)
{
	int64_t product;
	if (__builtin_mul_overflow(a, b, &product))
		return false;
	*out = product;
	return true;
}

bool sw_add(int64_t a, int64_t b, int64_t *out)
{
	int64_t sum;
	if (__builtin_add_overflow(a, b, &sum))
		return false;
	*out = sum;
	return true;
}

int64_t sw_nearest(double amount)
{
	if (amount < -0x1p63 + 1024)
		return INT64_MIN;
	return amount < 0x1p63 - 1024 ? (int64_t)round(amount) : INT64_MAX;
}

int64_t sw_gcd(int64_t a, int64_t b)
{
	assert(a >= 0 && b >= 0);
	while (b) {
		int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static uint64_t number_mul_mod(uint64_t a, uint64_t b, uint64_t n)
{
	return (uint64_t)((wide)a * b % n);
}

static uint64_t number_pow_mod(uint64_t base, uint64_t exponent, uint64_t n)
{
	uint64_t power = 1;
	for (base %= n; exponent; exponent >>= 1, base = number_mul_mod(base, base, n))
		if (exponent & 1)
			power = number_mul_mod(power, base, n);
	return power;
}

/* Does `base` prove the odd n > 2, n - 1 = odd * 2^twos, to be composite? */
static bool number_witness(uint64_t n, uint64_t base, uint64_t odd, int twos)
{
	uint64_t x = number_pow_mod(base, odd, n);
	if (x == 1 || x == n - 1)
		return false;
	for (int i = 1; i < twos; i++) {
		x = number_mul_mod(x, x, n);
		if (x == n - 1)
			return false;
	}
	return true;
}

/* For n without divisors below TRIAL_END. */
static bool number_is_prime(uint64_t n)
{
	static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
	if (n < (uint64_t)TRIAL_END * TRIAL_END)
		return true;
	int twos = __builtin_ctzll(n - 1);
	for (size_t i = 0; i < sizeof(bases) / sizeof(*bases); i++)
		if (number_witness(n, bases[i], (n - 1) >> twos, twos))
			return false;
	return true;
}

static uint64_t number_rho_step(uint64_t x, uint64_t shift, uint64_t n)
{
	return (uint64_t)(((wide)x * x + shift) % n);
}

/* A proper divisor of the composite n. */
static uint64_t number_divisor(uint64_t n)
{
	for (uint64_t shift = 1;; shift++) {
		uint64_t slow = 2, fast = 2, divisor = 1;
		while (divisor == 1) {
			slow = number_rho_step(slow, shift, n);
			fast = number_rho_step(number_rho_step(fast, shift, n), shift, n);
			divisor = (uint64_t)sw_gcd((int64_t)(slow > fast ? slow - fast : fast - slow), (int64_t)n);
		}
		if (divisor != n)
			return divisor;
	}
}

static void number_insert(int64_t *primes, int *count, int64_t prime)
{
	int at = (*count)++;
	for (; at > 0 && primes[at - 1] > prime; at--)
		primes[at] = primes[at - 1];
	primes[at] = prime;
}

/* Factors n > 1, which has no divisors below TRIAL_END and so at most seven prime factors. */
static void number_split(uint64_t n, int64_t *primes, int *count)
{
	assert(n > 1);
	uint64_t open[8] = {n};
	for (int left = 1; left > 0;) {
		uint64_t m = open[--left];
		if (number_is_prime(m)) {
			number_insert(primes, count, (int64_t)m);
			continue;
		}
		uint64_t divisor = number_divisor(m);
		SW_ROOM(open, left);
		open[left++] = divisor;
		SW_ROOM(open, left);
		open[left++] = m / divisor;
	}
}

int sw_prime_factors(int64_t n, int64_t primes[63])
{
	assert(n >= 1);
	int count = 0;
	for (int64_t d = 2; d < TRIAL_END && d * d <= n; d += d == 2 ? 1 : 2)
		for (; n % d == 0; n /= d)
			primes[count++] = d;
	if (n > 1)
		number_split((uint64_t)n, primes, &count);
	return count;
}

bool sw_read_int(sw_str text, int64_t *out, bool *overflow)
{
	int64_t value = 0;
	bool fits = true;
	if (overflow)
		*overflow = false;
	for (size_t i = 0; i < text.length; i++) {
		if (text.at[i] < '0' || text.at[i] > '9')
			return false;
		fits = fits && sw_mul(value, 10, &value) && sw_add(value, text.at[i] - '0', &value);
	}
	if (overflow)
		*overflow = !fits;
	if (text.length == 0 || !fits)
		return false;
	*out = value;
	return true;
}

void sw_print_count(sw_text *text, int64_t n)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRId64, n);
	int sign = n < 0;
	bool grouped = length - sign > 4;
	for (int i = 0; i < length; i++) {
		if (grouped && i > sign && (length - i) % 3 == 0)
			sw_text_add_char(text, ' ');
		sw_text_add_char(text, digits[i]);
	}
}

void sw_print_bytes(sw_text *text, int64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	uint64_t size = bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
	int unit = 0;
	uint64_t tenths = size * 10;
	while (unit < 6 && (unit ? tenths >= 10240 : size >= 1024)) {
		unit++;
		wide scaled = (wide)size * 10;
		tenths = (uint64_t)((scaled + ((wide)1 << (10 * unit - 1))) >> (10 * unit));
	}
	if (unit == 0)
		sw_text_addf(text, "%" PRId64 " B", bytes);
	else if (tenths % 10 == 0)
		sw_text_addf(text, "%s%" PRIu64 " %s", bytes < 0 ? "-" : "", tenths / 10, units[unit]);
	else
		sw_text_addf(text, "%s%" PRIu64 ".%" PRIu64 " %s", bytes < 0 ? "-" : "", tenths / 10, tenths % 10,
			units[unit]);
}

void sw_print_real_bytes(sw_text *text, double bytes)
{
	if (bytes < 9e18)
		sw_print_bytes(text, sw_nearest(bytes));
	else
		sw_text_add(text, "huge");
}

/* ---- sizes as they were typed ---- */

static const char *const unit_names[] =
	{[SW_UNIT_ELEMENTS] = "elements", [SW_UNIT_BYTES] = "B", [SW_UNIT_DECIMAL] = "GB", [SW_UNIT_BINARY] = "GiB"};

const char *sw_unit_name(sw_unit unit)
{
	return unit_names[unit];
}

bool sw_unit_parse(sw_str name, sw_unit *unit)
{
	for (int i = SW_UNIT_ELEMENTS; i <= SW_UNIT_BINARY; i++)
		if (sw_str_is(name, unit_names[i])) {
			*unit = (sw_unit)i;
			return true;
		}
	return false;
}

static const struct scale {
	const char *name[2]; /* decimal, binary */
	wide decimal, binary;
} scales[] = {
	{{"TB", "TiB"}, 1000000000000, (wide)1 << 40},
	{{"GB", "GiB"}, 1000000000, 1 << 30},
	{{"MB", "MiB"}, 1000000, 1 << 20},
	{{"kB", "KiB"}, 1000, 1 << 10},
	{{"B", "B"}, 1, 1},
};

static wide scale_of(const struct scale *scale, sw_unit unit)
{
	return unit == SW_UNIT_BYTES ? 1 : unit == SW_UNIT_BINARY ? scale->binary : scale->decimal;
}

/* Three decimals say it, and it is not long. */
static bool is_exact(wide bytes, wide scale)
{
	return bytes * 1000 % scale == 0 && bytes / scale < 1000000;
}

/* The largest unit of which there is one; the largest that says it `exactly` in three decimals. */
static const struct scale *scale_for(wide bytes, sw_unit unit, bool exactly)
{
	const struct scale *last = &scales[sizeof(scales) / sizeof(*scales) - 1];
	for (const struct scale *scale = scales; scale < last && unit != SW_UNIT_BYTES; scale++)
		if (bytes >= scale_of(scale, unit) && (!exactly || is_exact(bytes, scale_of(scale, unit))))
			return scale;
	return last;
}

/* Bytes of `scale`, to the nearest hundredth or thousandth, without zeros at the end. */
static void print_scaled(sw_text *text, wide bytes, wide scale, int digits)
{
	wide tens = digits == 2 ? 100 : 1000, rounded = (bytes * tens + scale / 2) / scale;
	char rest[8];
	int length = snprintf(rest, sizeof rest, "%0*d", digits, (int)(rounded % tens));
	while (length > 0 && rest[length - 1] == '0')
		length--;
	sw_text_addf(text, "%llu", (unsigned long long)(rounded / tens));
	if (length)
		sw_text_addf(text, ".%.*s", length, rest);
}

static sw_amount size_words(sw_text *text)
{
	sw_amount words;
	snprintf(words.text, sizeof words.text, "%s", sw_text_get(text));
	sw_text_free(text);
	return words;
}

/* "34.36 GB" */
static void print_in(sw_text *text, int64_t elements, int bytes, sw_unit unit)
{
	wide all = (wide)elements * (unsigned)bytes;
	const struct scale *scale = scale_for(all, unit, false);
	print_scaled(text, all, scale_of(scale, unit), 2);
	sw_text_addf(text, " %s", scale->name[unit == SW_UNIT_BINARY]);
}

sw_amount sw_size_bytes(int64_t elements, int bytes, sw_unit unit)
{
	sw_text text = {0};
	int64_t all;
	if (unit != SW_UNIT_ELEMENTS)
		print_in(&text, elements, bytes, unit);
	else if (sw_mul(elements, bytes, &all))
		sw_print_bytes(&text, all);
	else
		sw_text_add(&text, "more than 8 EiB");
	return size_words(&text);
}

sw_amount sw_size_said(int64_t elements, int bytes, sw_unit unit)
{
	sw_text text = {0};
	const char *plural = elements == 1 ? "" : "s";
	if (unit == SW_UNIT_ELEMENTS) {
		sw_text_addf(&text, "%" PRId64 " element%s", elements, plural);
		return size_words(&text);
	}
	print_in(&text, elements, bytes, unit);
	sw_text_add(&text, " (");
	sw_print_count(&text, elements);
	sw_text_addf(&text, " element%s)", plural);
	return size_words(&text);
}

sw_amount sw_size_typed(int64_t elements, int bytes, sw_unit unit)
{
	sw_text text = {0};
	wide all = (wide)elements * (unsigned)bytes;
	const struct scale *scale = scale_for(all, unit, true);
	if (unit == SW_UNIT_ELEMENTS) {
		sw_text_addf(&text, "%" PRId64, elements);
	} else {
		print_scaled(&text, all, scale_of(scale, unit), 3);
		sw_text_add(&text, scale->name[unit == SW_UNIT_BINARY]);
	}
	return size_words(&text);
}
