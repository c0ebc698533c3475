/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of the HLO reader share: what is known of every instruction, and how steps are taken.
 */
#ifndef SW_FOREIGN_HLO_PARTS_H
#define SW_FOREIGN_HLO_PARTS_H

#include <shardwalk/hlo.h>

#include "foreign/module/hlo_form.h"
#include "foreign/module/hlo_text.h"
#include "foreign/module/reading.h"
#include "foreign/module/traffic.h"

/* What all devices hold of one value.  The array need not be the one that another value is of. */
struct hlo_value {
	int rank; /* of the array */
	const int64_t *global;
	const int64_t *base; /* where each device's tile begins: devices x rank; NULL: all begin at 0 */
	const hlo_form *form;
};

/* How a value comes from another without computing. */
struct hlo_link {
	int source;   /* instruction, or -1 */
	int consumer; /* the one that alone uses it this way, or -1 */
	bool step;    /* a step, not glue */
	bool pieces;  /* the source is cut in slices (all-to-all of tuples), or put together again */
};

/* ---- hlo_link.c ---- */

bool hlo_links_find(graph_reading *r);

/* ---- hlo_calls.c ---- */

/* What instructions call, and how often it runs. */
void hlo_loops_find(graph_module *module);
bool hlo_calls_find(graph_reading *r);

/* The next name of `{%a, %b}`, or of one name alone, from byte *at on; false: there is no more. */
bool hlo_next_name(sw_str names, size_t *at, sw_str *name);

/* ---- hlo_step.c ---- */

/* One step as it was taken. */
typedef struct hlo_step {
	int instruction;
	sw_op op;
	int64_t tile[SW_MAX_DIMS]; /* after it */
	const int64_t *base;       /* after it; NULL: all at 0 */
	int64_t size;              /* of groups */
	const int32_t *member;     /* groups in the order of pieces; allpermute: sources */
	const int32_t *term;       /* of a step that sums: the place of each device in its group; else NULL */
} hlo_step;

/* The value of instruction `i`, whose link says its source, from that of its source.  Where it is a step that does
 * something step->op says what; else it is SW_OP_COUNT.  NULL with the reason where it is none that a plan can say. */
const hlo_value *hlo_step_take(graph_reading *r, int i, const hlo_value *from, hlo_step *step, const char **reason);

/* The form of instruction `i` from that of its source, where it is no step. */
bool hlo_glue_form(graph_reading *r, int i, hlo_form *form);

/* The form before all-to-all `i` of groups of `size`, with its pieces along *dim. */
bool hlo_exchange_form(graph_reading *r, int i, int64_t size, hlo_form *form, int *dim);

/* The form after dynamic-slice `i`; adds to every device's base where its slice starts. */
bool hlo_slice_form(graph_reading *r, int i, hlo_form *form, int rank, int64_t *base);

/* The product of the sizes of the sums that wait before step `k`, and the number of the term that a device holds then. */
int64_t hlo_terms_before(const hlo_step *step, int count, int k);
int64_t hlo_term_before(const hlo_step *step, int count, int k, int64_t device);

hlo_value *hlo_value_new(graph_reading *r, int rank, const int64_t *global, const int64_t *base,
	const hlo_form *form);

/* A value whose tensor has the array's dimensions, of the tile that the shape says. */
const hlo_value *hlo_value_plain(graph_reading *r, const hlo_shape *shape, const int64_t *global,
	const int64_t *base);

/* ---- hlo_infer.c ---- */

/* The least sharding of what `source` computes under which the path from there is legal; NULL where there is none.
 * The path's last step is path[last]; what follows is glue. */
const hlo_value *hlo_infer(graph_reading *r, int source, const int *path, int count, int last);

/* ---- hlo_derived.c ---- */

extern const hlo_value hlo_tuple_end; /* stands after the last element of a tuple */

/* The same places as tiles of an array that has the tensor's dimensions; NULL where they are none. */
const hlo_value *hlo_value_rebase(graph_reading *r, const hlo_value *value, const hlo_shape *shape);

/* Fills what is known of instruction `i` from what is known of its operands. */
void hlo_know(graph_reading *r, int i);

/* ---- hlo_source.c ---- */

/* Adds the quoted string that follows `key`, without its backslashes; false where there is none. */
bool hlo_quoted(sw_str text, const char *key, sw_text *out);

/* The number after `key`; 0 where there is none. */
int64_t hlo_number_after(sw_str line, const char *key);

/* Add `FILE:LINE`, of a stack frame by the tables of the module, or of what metadata say; false where nothing says it. */
bool hlo_frame_add(graph_reading *r, int64_t frame, sw_text *out);
bool hlo_source_add(graph_reading *r, sw_str metadata, sw_text *out);

/* ---- hlo_said.c ---- */

/* What the program says of a chain. */
typedef struct hlo_said {
	const char *op_name, *source; /* NULL: nothing says it */
	const char **line;            /* of its collectives, each once, in the order of the steps */
	int lines;
} hlo_said;

/* What the metadata of instruction `i` say, as far as it is not said yet. */
void hlo_said_add(graph_reading *r, int i, hlo_said *said);

/* The step that moves most names the chain; where none has a line it is the first that has one of the instructions before, which
 * begin with that of its value.  In r->brief. */
hlo_said hlo_said_of(graph_reading *r, const int *step, int steps, const int *before, int count);
bool hlo_said_same(const hlo_said *a, const hlo_said *b);       /* the same lines */
hlo_said hlo_said_keep(graph_reading *r, const hlo_said *said); /* in r->arena */

/* ---- hlo_found.c ---- */

/* What there is to be found in the steps of a chain: bits 1 << sw_hlo_finding. */
unsigned hlo_found(const graph_reading *r, const hlo_value *from, const hlo_step *step, int count);

/* Do devices hold copies of what a step of the plan sums to all? */
bool hlo_found_copies(const sw_plan *plan);

/* ---- hlo_plan.c ---- */

/* Makes the plan of steps that were taken.  false with the reason. */
bool hlo_plan_make(graph_reading *r, const hlo_value *from, sw_dtype dtype, const hlo_step *step, int count,
	sw_hlo_chain *chain, const char **reason);

#endif
