/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs on data: entries for which arithmetic is exact, what a program makes of whole arrays, and its execution on virtual
 * devices in this process.
 *
 * Inputs are small whole numbers, so few of them other than 0 that every partial sum of every product is exact in the element type,
 * in whatever order one adds.  Then what devices compute is compared bit for bit with the same of the whole arrays.  After exp numbers are not
 * whole; what is still computed element by element has the same bits, and what is summed lies within a bound, which is told.
 */
#ifndef SHARDWALK_SIMULATE_H
#define SHARDWALK_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/arithmetic.h>
#include <shardwalk/planned.h>

#pragma GCC visibility push(default)

/* ---- the data ---- */

typedef enum sw_exactness {
	SW_DATA_EXACT,  /* whole numbers; every order of adding gives the same */
	SW_DATA_ALIKE,  /* one operation makes each element from the same bits */
	SW_DATA_ROUNDED /* the order of adding matters: results lie within a bound */
} sw_exactness;

/* What is known of a value before anything is computed. */
typedef struct sw_expectation {
	sw_exactness exactness;
	double most;               /* of the absolute values, all terms of a sum together */
	double along[SW_MAX_DIMS]; /* of their sum along each dimension */
} sw_expectation;

typedef struct sw_data {
	const sw_program *program; /* with plans */
	sw_dtype dtype;
	int64_t *most, *period; /* of each input: entries are -most to most; one diagonal out of `period` is not 0 */
	sw_expectation *value;  /* of each value */
	bool exact;             /* no value is rounded */
	const int *
		array; /* of each input its number in the statement of a schedule, whose data it has (schedule.h); NULL: it has none */
} sw_data;

/* Chooses the entries of the inputs.  P05 where an element type is not computed with, E01. */
bool sw_data_make(const sw_program *program, sw_arena *arena, sw_data *data, sw_diag *diag);

/* The entry of an input at an index of the whole array, and the term `term` of it where it begins as a sum of `terms`. */
int64_t sw_data_entry(const sw_data *data, int input, const int64_t *index, int64_t term, int64_t terms);

/* Fills a tile: its base offset and sizes, in elements. */
void sw_data_fill(const sw_data *data, int input, const int64_t *offset, const int64_t *tile, int64_t term,
	void *out);

/* Fills what a device stores of an input that is of no tile type.  false: no memory. */
bool sw_data_store(const sw_data *data, int input, int64_t device, void *out);

/* Bits that are equal, or zeros of either sign. */
bool sw_same_element(sw_dtype dtype, const void *a, const void *b, int64_t at);

/* The first element that differs, -1 where none does; where values are rounded, by more than `bound`, and `*off` is the largest
 * difference. */
int64_t sw_compare(sw_dtype dtype, const void *found, const void *right, int64_t count, double bound, double *off);

/* ---- whole arrays ---- */

/* What a program makes of whole arrays, letter by letter and without tiles.  What a body computes on each device is put together,
 * tile by tile. */
typedef struct sw_reference {
	const sw_data *data;
	void **array;            /* of each value; those that a redistribution makes are that of its operand */
	int *origin;             /* the value whose array it is */
	const sw_multiplier *by; /* of products of a schedule; NULL: letter by letter */
	double *error; /* of each value, how far rounding may have taken it from the real number; NAN: not computed yet */
} sw_reference;

/* Bytes of all arrays; -1 where that overflows. */
int64_t sw_reference_bytes(const sw_program *program);

/* Lays out arrays in memory of sw_reference_bytes; NULL: only their origins.  E01. */
bool sw_reference_make(const sw_data *data, void *memory, sw_arena *arena, sw_reference *whole, sw_diag *diag);

/* Part number `part` of `parts` of an input, or of what a step computes; all parts of one before any of what reads it. */
void sw_reference_input(const sw_reference *whole, int input, int part, int parts);
bool sw_reference_step(const sw_reference *whole, int step, int part, int parts);

/* A part of the array that is returned becomes that of the first input, before another round. */
void sw_reference_again(const sw_reference *whole, int part, int parts);

/* Of what is returned the sum of value * (1 + r mod 97), over row-major indices r: of whole numbers. */
int64_t sw_reference_checksum(const sw_reference *whole);

/* When all parts are there: how far off the result may be. */
void sw_reference_error(const sw_reference *whole, int value);

/* Cuts the tile at an offset out of a whole array. */
void sw_reference_cut(const sw_type *type, const void *whole, const int64_t *offset, void *tile);

/* The same of a value of any kind, as the device stores it.  false: no memory. */
bool sw_reference_store(const sw_reference *whole, int value, int64_t device, void *out);

/* Puts a tile there. */
void sw_reference_put(const sw_type *type, void *whole, const int64_t *offset, const void *tile);

/* What a device makes of its tiles by a step, which is no redistribution.  `room` has sw_compute_room bytes.  false: no memory. */
bool sw_compute(const sw_program *program, int step, const void *const *operand, void *result, void *room,
	const sw_multiplier *by, int64_t device);
int64_t sw_compute_room(const sw_program *program, int step);

/* Floating-point operations of a device in a step: those of its products, one an element elsewhere. */
double sw_compute_flops(const sw_program *program, int step);

/* Predicted seconds of a device that multiplies two tiles: by the rates of the kernel that was measured, beginning included, or by the
 * operations a second that hardware states; negative where neither is known for this element type. */
double sw_product_seconds(const sw_machine *machine, const sw_equation *equation, sw_dtype dtype, const int64_t *a,
	const int64_t *b);

/* Predicted seconds of a device in a step that is no redistribution, by the rates that the machine has of its kernels; negative
 * where it has none for one of them. */
double sw_compute_seconds(const sw_program *program, int step, const sw_machine *machine);

/* ---- on virtual devices ---- */

typedef struct sw_simulated {
	bool right;
	bool exact; /* all was compared bit for bit; else the largest difference and its bound */
	double off, bound;
	bool summed;      /* the data is that of a schedule: ... */
	int64_t checksum; /* ... then of what is returned the sum of value * (1 + r mod 97), over row-major indices r */
	int64_t compared; /* elements, over all devices and values */
	int64_t bytes;    /* held at the highest point, whole arrays included */
	struct {          /* the first wrong element, where not right */
		int step;     /* that made it; -1: an input */
		int value;
		int64_t device;
		int64_t index[SW_MAX_DIMS]; /* in the whole array */
		double expected, found;
	} wrong;
} sw_simulated;

typedef struct sw_simulate_options {
	int64_t memory; /* bytes of data allowed; 0: 1 GiB */
	const sw_pulse *pulse;
} sw_simulate_options;

/* Bytes that the execution holds at its highest point, before anything is allocated; -1 where that overflows. */
int64_t sw_simulate_bytes(const sw_program *program);

/* Executes a program with plans, and compares after every step what every device holds with the whole array: tiles with their part of it,
 * copies of terms with each other, and their sum with the array.  A wrong element is a verdict.
 * false: E01 with the numbers where it needs more memory than allowed, S03, S08, P05. */
bool sw_simulate(const sw_program *program, const sw_simulate_options *options, sw_simulated *result, sw_diag *diag);

#pragma GCC visibility pop

#endif
