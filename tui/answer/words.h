/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures in words, as cells and sentences have them.
 */
#ifndef SHARDWALK_ANSWER_WORDS_H
#define SHARDWALK_ANSWER_WORDS_H

#include <stdint.h>

#include <shardwalk/mesh.h>
#include <shardwalk/number.h>
#include <shardwalk/plan.h>
#include <shardwalk/type.h>

/* Their blanks do not break, so that a figure stays on one row. */
struct words {
	char text[96];
};
struct words words_count(int64_t n);                                         /* "1 234 567" */
struct words words_bytes_in(int64_t elements, sw_dtype dtype, sw_unit unit); /* as its budget was typed: "34.4 GB" */

/* A size as its budget was typed: "6 elements", or "24 B (6 elements)". */
struct words words_size(int64_t elements, sw_dtype dtype, sw_unit unit);
struct words words_short(int64_t elements, sw_dtype dtype, sw_unit unit); /* "6", or the same */
struct words words_bytes(int64_t elements, sw_dtype dtype); /* "31.2 MiB"; "huge" where it does not fit */

/* What all devices hold together where each holds so much, copies and terms counted as often as there are: "3 KiB", and
 * "3 KiB on all 8". */
struct words words_of_all(int64_t elements, sw_dtype dtype, sw_unit unit, int64_t devices);
struct words words_all(int64_t elements, sw_dtype dtype,
	sw_unit unit); /* the sum itself; "huge" where it is negative */
struct words words_on_all(int64_t elements, sw_dtype dtype, sw_unit unit, int64_t devices);
struct words words_seconds(double seconds);                        /* "12.5 us"; "-" where it is negative */
void words_tick(double seconds, const char *blank, sw_text *text); /* "12.5us", and with a blank that is given */
struct words words_seconds_to(double seconds, int digits);         /* the same with so many digits, 3 at least */

/* What a plan costs under a model: seconds, or elements. */
struct words words_price(sw_model model, double cost);
struct words words_amount(double n); /* short: "512", "1.5k", "20M" */

/* Adds the operations of a plan with commas between them, or what is said of a plan that has none. */
void words_steps(const sw_plan *plan, const char *none, sw_text *text);

/* The name of a device, "B0" or its number; and as a text says it at first, "B0 (4)". */
struct words words_device(const sw_mesh *mesh, int64_t device);
struct words words_device_first(const sw_mesh *mesh, int64_t device);

/* How many columns the longest name takes. */
int words_device_room(const sw_mesh *mesh);

/* "1 device", "1 024 devices". */
struct words words_plural(int64_t n, const char *one, const char *many);

#endif
