/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What JAX and PyTorch print of a program: jaxprs, graphs, traces and tables of collectives.
 */
#ifndef SW_FOREIGN_LOG_PRINTED_H
#define SW_FOREIGN_LOG_PRINTED_H

#include "foreign/log/parts.h"
#include "foreign/module/mlir_walk.h"

/* A text that is read, and where what is found goes. */
typedef struct sw_log_printed {
	sw_str text;
	const sw_log_options *options; /* may be NULL */
	sw_arena *work;                /* for what is given back */
	sw_arena *arena;               /* for what stays: the rows */
	sw_traffic *traffic;
	int *room; /* of its rows */
	sw_log_taker *take;
	void *context;
	int64_t asked, unsaid,
		unsaid_line; /* operations that ask for a sharding; those of values that nothing says the sharding of */
	sw_diag *diag;
} sw_log_printed;

/* Readers of one kind of text each: *any tells whether the text is that.  false: an error in `diag`.  Errors: S03, E01. */
typedef bool sw_log_printed_reader(sw_log_printed *printed, bool *any);
sw_log_printed_reader sw_log_read_traced, sw_log_read_jaxpr;

/* The next row, empty but for its line; NULL: no memory. */
sw_traffic_row *sw_log_printed_row(sw_log_printed *printed, sw_traffic_kind kind, int64_t line);

/* Groups of `size` of the devices, of which there are at least so many. */
traffic_groups sw_log_printed_groups(int64_t size, int64_t devices);

/* ---- types by the names of values ---- */

/* What is known of a value, by its name. */
typedef struct sw_log_value {
	sw_str name;
	sw_str type;     /* "f32[16, 32]" */
	sw_str sharding; /* empty: not known */
	sw_str spread;   /* of a jaxpr: the number that is in all its places, as it is written; empty: not known */
} sw_log_value;

typedef struct sw_log_values {
	sw_log_value *slot;
	int count, room; /* room: a power of two, or 0 */
} sw_log_values;

/* The value of this name; a new one is empty but for the name.  NULL: no memory. */
sw_log_value *sw_log_value_add(sw_log_values *values, sw_str name, sw_arena *arena);

/* NULL: there is none. */
const sw_log_value *sw_log_value_find(const sw_log_values *values, sw_str name);

#endif
