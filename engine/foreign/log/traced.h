/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collectives as PyTorch calls them: those of functional graphs, and those of a backend that write into their first argument.
 */
#ifndef SW_FOREIGN_LOG_TRACED_H
#define SW_FOREIGN_LOG_TRACED_H

#include <shardwalk/text.h>
#include <shardwalk/traffic.h>

/* Numbers of arguments; -1: none. */
typedef struct sw_traced_kind {
	const char *name;
	sw_traffic_kind kind;
	int size; /* says how many devices a group has ... */
	int list; /* ... or has a number for each */
	int out;  /* of a backend: what the call writes ... */
	int in;   /* ... and of what: their ratio is the size of the group */
} sw_traced_kind;

/* `all_reduce` of `_c10d_functional::all_reduce`, with `backend` `allreduce_` of `c10d::allreduce_`; NULL: it is no collective. */
const sw_traced_kind *sw_traced_kind_of(sw_str name, bool backend);

/* A collective that a line calls. */
typedef struct sw_traced_call {
	const sw_traced_kind *row;
	sw_str before;    /* of the line */
	sw_str arguments; /* without the parentheses */
	sw_str behind;
} sw_traced_call;

/* `_c10d_functional::NAME(`, `torch.ops._c10d_functional.NAME.default(`, `...default](args = (` and `c10d::NAME(`.  false: there is
 * none. */
bool sw_traced_find(sw_str line, sw_traced_call *call);

/* `*c10d_functional.all_reduce: 2` and `<OpOverloadPacket(op='c10d_functional.all_reduce')>: 2`: the next count of a line, from *at
 * on; *name: what is counted.  false: there is none. */
bool sw_traced_count(sw_str line, size_t *at, const sw_traced_kind **row, sw_str *name, int64_t *count);

bool sw_traced_letter(char c);

/* The letters, digits and underscores that a text begins with. */
sw_str sw_traced_word(sw_str text);

/* The argument with this number, -1: the last one; empty: there are not so many. */
sw_str sw_traced_argument(sw_str list, int number);

/* "f32[16, 32]" at the start of `f32[16, 32][32, 1]cpu`; empty: none. */
sw_str sw_traced_type(sw_str text);

/* The type of the tensor `t: f32[1, 32]` or `t$12: f32[1, 32]`; empty: it is none. */
sw_str sw_traced_tensor(sw_str text);

/* Bytes of a tensor, or of all tensors of a list, one in another too: `[['t: f32[8]', 't: f32[8]']]`. */
double sw_traced_bytes(sw_str text);

#endif
