/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links of axes: reading and printing bandwidths and latencies without loss.
 *
 * A quantity is read as digits and a power of ten, `1.5GB/s` as 15e8, and only that goes through strtod: it is
 * rounded once, and there is no decimal point in it that a locale could change.
 */
#include "array/link.h"
#include "base/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINK_DIGITS 40 /* digits of a quantity that are read at most */

typedef struct link_unit {
	const char *name;
	int exponent; /* power of ten */
} link_unit;

/* Both from large to small. */
static const link_unit link_bandwidths[] = {{"TB/s", 12}, {"GB/s", 9}, {"MB/s", 6}, {"kB/s", 3}, {"B/s", 0}, {0}};
static const link_unit link_latencies[] = {{"s", 0}, {"ms", -3}, {"us", -6}, {"ns", -9}, {0}};

static const char link_expected[] = "a bandwidth such as 10GB/s or a latency such as 20us";

/* A number without its sign and point: digits * 10^exponent. */
typedef struct link_decimal {
	char digits[LINK_DIGITS + 1];
	int count;
	int exponent;
} link_decimal;

static double link_value(const link_decimal *decimal, int exponent)
{
	char text[LINK_DIGITS + 16];
	snprintf(text, sizeof(text), "%se%d", decimal->digits, decimal->exponent + exponent);
	return strtod(text, NULL);
}

/* Reads digits with at most one point from the front of `word`; how many bytes, 0 where there are none. */
static size_t link_digits(sw_str word, link_decimal *decimal)
{
	bool point = false;
	size_t i = 0;
	*decimal = (link_decimal){.count = 0};
	for (; i < word.length && decimal->count < LINK_DIGITS; i++) {
		char c = word.at[i];
		if (c == '.' && !point && decimal->count > 0) {
			point = true;
			continue;
		}
		if (c < '0' || c > '9')
			break;
		SW_ROOM(decimal->digits, decimal->count);
		decimal->digits[decimal->count++] = c;
		decimal->exponent -= point;
	}
	return decimal->count ? i : 0;
}

/* What stands up to the next blank, comma or bracket: `10GB/s`. */
static sw_str link_word(sw_scan *scan, sw_span *at)
{
	sw_scan_peek(scan);
	size_t end = scan->at;
	while (end < scan->text.length && !memchr(" \t\r\n,{}", scan->text.at[end], 7))
		end++;
	*at = (sw_span){scan->at, end};
	return (sw_str){scan->text.at + at->begin, end - at->begin};
}

static const link_unit *link_find(const link_unit *units, sw_str name)
{
	for (; units->name; units++)
		if (sw_str_is(name, units->name))
			return units;
	return NULL;
}

static bool link_refuse(sw_scan *scan, sw_str word, sw_span at, const char *why)
{
	sw_quote quote = sw_scan_quote(word);
	sw_diag_set(scan->diag, SW_M07, at, "%s %s", quote.text, why);
	sw_diag_expected(scan->diag, "%s", link_expected);
	sw_diag_found(scan->diag, "%s", quote.text);
	sw_diag_hint(scan->diag,
		"bandwidths are per device in B/s, kB/s, MB/s, GB/s or TB/s (powers of ten), "
		"latencies in s, ms, us or ns");
	return false;
}

/* Puts a quantity where it belongs, once. */
static bool link_store(sw_scan *scan, sw_str word, sw_span at, double value, double *slot)
{
	if (*slot != 0)
		return link_refuse(scan, word, at, "is given twice");
	if (!(value > 0))
		return link_refuse(scan, word, at, "is not above zero");
	if (value < 1e-15 || value > 1e21)
		return link_refuse(scan, word, at, "is out of range");
	*slot = value;
	return true;
}

bool sw_link_quantity(sw_scan *scan, sw_axis *axis)
{
	sw_span at;
	sw_str word = link_word(scan, &at);
	link_decimal decimal;
	size_t used = link_digits(word, &decimal);
	sw_str name = {word.at + used, word.length - used};
	const link_unit *bandwidth = link_find(link_bandwidths, name);
	const link_unit *latency = link_find(link_latencies, name);
	if (word.length == 0)
		return sw_scan_unexpected(scan, link_expected, (sw_span){0, 0});
	if (used == 0)
		return link_refuse(scan, word, at, "is not a number with a unit");
	if (!bandwidth && !latency)
		return link_refuse(scan, word, at, name.length ? "has an unknown unit" : "has no unit");
	scan->at = at.end;
	if (bandwidth)
		return link_store(scan, word, at, link_value(&decimal, bandwidth->exponent), &axis->bandwidth);
	return link_store(scan, word, at, link_value(&decimal, latency->exponent), &axis->latency);
}

bool sw_link_parse(sw_scan *scan, sw_axis *axis)
{
	axis->bandwidth = axis->latency = 0;
	do {
		if (!sw_link_quantity(scan, axis))
			return false;
	} while (sw_scan_peek(scan) >= 0 && !strchr(",}", scan->text.at[scan->at]));
	return true;
}

/* The fewest digits that read back as `value`. */
static void link_shortest(double value, link_decimal *decimal)
{
	for (int precision = 0; precision < 17; precision++) {
		char text[LINK_DIGITS];
		snprintf(text, sizeof(text), "%.*e", precision, value);
		const char *exponent = strchr(text, 'e') + 1;
		*decimal = (link_decimal){.exponent = atoi(exponent) - precision};
		for (const char *c = text; *c != 'e'; c++)
			if (*c >= '0' && *c <= '9') {
				SW_ROOM(decimal->digits, decimal->count);
				decimal->digits[decimal->count++] = *c;
			}
		if (link_value(decimal, 0) == value)
			return;
	}
}

/* The largest unit of which the quantity is at least one; else the smallest. */
static const link_unit *link_choose(const link_unit *units, const link_decimal *decimal)
{
	while (units[1].name && decimal->exponent + decimal->count - 1 < units->exponent)
		units++;
	return units;
}

static void link_print_quantity(double value, const link_unit *units, sw_text *text)
{
	link_decimal decimal;
	link_shortest(value, &decimal);
	const link_unit *unit = link_choose(units, &decimal);
	int whole = decimal.count + decimal.exponent - unit->exponent; /* digits before the point */
	sw_text_add(text, whole > 0 ? " " : " 0.");
	for (int i = whole < 0 ? whole : 0; i < decimal.count || i < whole; i++) {
		if (i == whole && i > 0)
			sw_text_add_char(text, '.');
		sw_text_add_char(text, i >= 0 && i < decimal.count ? decimal.digits[i] : '0');
	}
	sw_text_add(text, unit->name);
}

void sw_link_print(const sw_axis *axis, sw_text *text)
{
	if (axis->bandwidth == 0 && axis->latency == 0)
		return;
	sw_text_add(text, " @");
	if (axis->bandwidth != 0)
		link_print_quantity(axis->bandwidth, link_bandwidths, text);
	if (axis->latency != 0)
		link_print_quantity(axis->latency, link_latencies, text);
}
