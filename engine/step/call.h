/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls while they are read and checked: what each argument's position in the text was.
 */
#ifndef SHARDWALK_MOVE_CALL_H
#define SHARDWALK_MOVE_CALL_H

#include <shardwalk/collective.h>

/* Where the text says what: all empty for a call that was not read. */
typedef struct sw_call_positions {
	sw_span op;
	sw_span gather_dim[SW_MAX_DIMS], gather_factor[SW_MAX_DIMS];
	sw_span split_dim[SW_MAX_DIMS], split_factor[SW_MAX_DIMS];
	sw_span pushed[SW_MAX_PARTS];
	sw_span sum[SW_MAX_PARTS];
	sw_span target;
} sw_call_positions;

/* As sw_call_apply, with the positions for a refusal. */
bool sw_call_check(const sw_mesh *mesh, const sw_type *before, const sw_call *call,
	const sw_call_positions *positions, sw_type *after, sw_diag *diag);

/* Columns of the table: the arguments of a slice, of a gather, of an alltoall, of a reducescatter, and parts alone, as they are
 * read and printed; and the ways of applying: by entries, to a type that is given, and with parts that leave or join the sums. */
bool sw_read_slice(struct sw_call_reader *reader, sw_span open);
bool sw_read_gather(struct sw_call_reader *reader, sw_span open);
bool sw_read_swap(struct sw_call_reader *reader, sw_span open);
bool sw_read_scatter(struct sw_call_reader *reader, sw_span open);
bool sw_read_sums(struct sw_call_reader *reader, sw_span open);
void sw_print_slice(const sw_mesh *mesh, const sw_call *call, sw_text *text);
void sw_print_gather(const sw_mesh *mesh, const sw_call *call, sw_text *text);
void sw_print_swap(const sw_mesh *mesh, const sw_call *call, sw_text *text);
void sw_print_scatter(const sw_mesh *mesh, const sw_call *call, sw_text *text);
void sw_print_sums(const sw_mesh *mesh, const sw_call *call, sw_text *text);
void sw_print_target(const sw_mesh *mesh, const sw_call *call, sw_text *text);
bool sw_apply_entries(struct sw_call_work *work);
bool sw_apply_target(struct sw_call_work *work);
bool sw_apply_sums(struct sw_call_work *work);
bool sw_apply_zeros(struct sw_call_work *work);
bool sw_apply_pad(struct sw_call_work *work);
bool sw_apply_no_type(struct sw_call_work *work); /* refuses: what it leaves is no type */

/* Names the parts that a call pushes, as they stand in the type that it leads to; as far as they are found there. */
void sw_call_name_pushes(sw_call *call, const sw_type *after);

/* What a call with one split sums becomes what it names as pushed, in that order, and the name goes. */
void sw_call_sum_pushes(sw_call *call);

/* Is there a dimension with this number? (C03) */
bool sw_call_has_dim(const sw_type *before, int64_t dim, sw_span at, sw_diag *diag);

/* Refuses to gather from a dimension that has no parts (C06). */
bool sw_call_refuse_whole(const sw_type *before, int dim, sw_span at, sw_diag *diag);

#endif
