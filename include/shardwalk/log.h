/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Logs: the pairs of shardings between which a system said it could not reshard well, and those that a program asks for.
 *
 * A text may be one pasted line or a file of many thousands.  Found are XLA's warnings "Involuntary full
 * rematerialization", in all their wordings, what DTensor says of collectives one after the other and JAX of sizes that do
 * not divide, whatever stands before and after them, with colours, escapes and line breaks anywhere inside; and between
 * them plain lines `A -> B`; or two dictionaries of shardings, whose equal keys are pairs.  Of a StableHLO program it is the constraints.  Equal pairs are one with a count.
 */
#ifndef SHARDWALK_LOG_H
#define SHARDWALK_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/notation.h>
#include <shardwalk/text.h>
#include <shardwalk/traffic.h>

#pragma GCC visibility push(default)

#define SW_LOG_NAMES 8 /* values of one pair that are kept by name */

/* Where the global shape is from. */
typedef enum sw_log_shape {
	SW_LOG_PRINTED, /* the shape of one device was printed: its sizes times the cuts of `from` */
	SW_LOG_WRITTEN, /* the text says it as it is */
	SW_LOG_GIVEN,   /* the caller said it */
	SW_LOG_ASSUMED  /* nobody says it: sizes that all devices divide */
} sw_log_shape;

/* What says it. */
typedef enum sw_log_kind {
	SW_LOG_PAIR,       /* a compiler's warning, or a plain `A -> B` */
	SW_LOG_SEQUENTIAL, /* DTensor: it runs collectives one after the other that one could replace */
	SW_LOG_ASKED,      /* a StableHLO program: it asks for the sharding `to` of a value that has `from` */
	SW_LOG_INDIVISIBLE /* JAX: a size is no multiple of its parts; it names one sharding, and `from` is {replicated} */
} sw_log_kind;

/* Why DTensor does not run them as one. */
typedef enum sw_log_merge {
	SW_LOG_UNSAID,
	SW_LOG_FLATTEN,  /* the mesh lacks an axis that is both of them */
	SW_LOG_DESCENDS, /* the axes of the dimension do not ascend */
	SW_LOG_UNEVEN    /* the size is no multiple of the axes' product */
} sw_log_merge;

#define SW_RUNS_MOST ((int64_t)1 << 48) /* what runs more often counts as so often */

/* A problem in less room: a log has a hundred thousand of them over few meshes. */
typedef struct sw_log_problem {
	const sw_mesh *mesh; /* that other pairs may have too */
	const int64_t *to_order;
	sw_type from, to;
	const struct sw_distribution *from_words, *to_words; /* as in sw_problem */
} sw_log_problem;

typedef struct sw_log_pair {
	sw_log_kind kind;
	const char *from, *to; /* as the text has them, line breaks and colours left out */
	const char *shape;     /* the same; NULL: none */
	int64_t count;         /* how often it is there */
	int64_t
		runs; /* the same; of a program how often it happens while that runs once: loops multiply, at most SW_RUNS_MOST */
	int64_t loop; /* line of the innermost loop of a program around the first of them, from 1; 0: none */
	bool open;    /* a loop around it does not say how often it runs, and counts once */
	bool untaken; /* of a program: it is only in branches that are not counted, as others move more */
	int64_t line; /* where it is first, from 1 */
	sw_span at;   /* bytes of the text: the first of them */
	int names;    /* different values that it is about, at most SW_LOG_NAMES of them, without `%` */
	const char *name[SW_LOG_NAMES];
	bool more_names;     /* there are others */
	bool entry;          /* it is an entry of two dictionaries, of the key that is its name */
	bool two_meshes;     /* its shardings are over two meshes of other axes */
	bool warned;         /* XLA warns of it; else it is a plain `A -> B` */
	int64_t devices;     /* that its shardings speak of; 0: not known */
	const char *op;      /* what made the first of them, "copy"; NULL: not said */
	const char *operand; /* of what it was made, without `%`; NULL: not said */
	const char *op_name; /* `op_name` of its metadata; NULL: not said */
	int64_t frame;       /* `stack_frame_id` of its metadata, of a module's table; 0: not said */
	const char *source;  /* `FILE:LINE` of the program; NULL: not said */
	sw_log_shape shape_is;
	sw_dtype dtype; /* of the shape that was printed, where shape_is says so, and its sizes */
	int rank;
	int64_t size[SW_MAX_DIMS];
	const sw_sharding *ends[2]; /* from and to as they were read; NULL: they could not be, or nothing warns of it */
	const sw_log_problem *problem; /* NULL: it is none, see `why` */
	bool found_mesh;               /* the problem's mesh was recovered from device lists; its names are made up */
	const sw_diag *why;            /* positions are bytes of the whole text; NULL: it is a problem */
	const char *remark;            /* what had to be assumed, in words; NULL: nothing */
	const char *means; /* of DTensor and JAX: what the message says, in words; NULL: the pair says it all */
	const char *write; /* what to write in the program; NULL: nothing that always helps */
	const char *type;  /* a command that tells more; NULL: none */
} sw_log_pair;

/* Entries that only one of two dictionaries has: how many, and the first names as text; NULL: none. */
typedef struct sw_log_alone {
	int64_t count;
	const char *names;
} sw_log_alone;

typedef struct sw_log {
	int64_t lines;       /* of the text */
	int64_t warnings;    /* found, each counted */
	int64_t repeats;     /* more of them that the log itself says were left out */
	int64_t devices;     /* the most that one of them speaks of */
	int64_t sequential;  /* warnings of DTensor ... */
	int64_t indivisible; /* ... and errors of JAX that were found */
	const char *module;  /* of a StableHLO program (the first one); NULL: it is none */
	const char *printed; /* what JAX or PyTorch print of a program: "jaxpr", "trace"; NULL: it is none */
	int64_t partitions;  /* devices that it is for */
	int64_t cut_line;    /* in which the text ends inside of a program; 0: in none */
	int64_t asked;       /* operations that ask for a sharding ... */
	int64_t unsaid;      /* ... those of values that nothing says the sharding of, and ... */
	int64_t unsaid_line; /* ... the first of them */
	const char *
		undefined; /* a mesh that shardings of a program name and no line of it defines, nor the caller; NULL: none */
	const sw_diag *
		bound; /* of a program: N09, at the first call that was too much to be gone through with its own shardings; NULL */
	sw_traffic traffic;    /* of the collectives that the program calls itself */
	bool entries;          /* the text is two dictionaries of shardings: each pair is an entry of both ... */
	sw_log_alone alone[2]; /* ... beside those that the first or the second has alone */
	int64_t plain;         /* pairs `A -> B` outside of warnings, each counted */
	int64_t left_out;      /* what looked like such a pair, and was none ... */
	int64_t left_line;     /* ... the first of them ... */
	sw_diag left_why;      /* ... and the reason */
	int count;
	sw_log_pair *pairs; /* in the order of the text */
} sw_log;

/* What the text does not say. */
typedef struct sw_log_options {
	const sw_mesh *mesh;   /* types are over this one where its axes suffice; NULL: none */
	const sw_type *shape;  /* of arrays whose shape is not said; NULL: not known */
	bool pads;             /* sizes that do not divide are padded; those of warnings are, as XLA does */
	const sw_pulse *pulse; /* asked now and then with the bytes that are read; may be NULL */
} sw_log_options;

/* What JAX names in "Received incompatible devices for jitted computation". */
typedef struct sw_log_device_end {
	sw_str what;  /* `argument u of f`, `explicit output sharding` */
	sw_str shape; /* `float32[16,16]`; empty: none is said */
	int64_t devices;
	const int64_t *id; /* of each */
} sw_log_device_end;

typedef struct sw_log_devices {
	sw_log_device_end end[2];
} sw_log_devices;

bool sw_log_is_devices(sw_str text);

/* Reads the first such error of a text, into which slices point.  Errors: N01 where it is cut off. */
bool sw_log_read_devices(sw_str text, sw_arena *arena, sw_log_devices *devices, sw_diag *diag);

#define SW_LOG_OPERANDS 16

/* DTensor's error "Sharding propagation failed". */
typedef struct sw_log_failed {
	sw_str op;     /* `aten.unbind.int` */
	sw_str mesh;   /* `DeviceMesh(...)` or `(2, 4)`; empty: it is not said */
	sw_str reason; /* the sentence before or behind it; empty: none */
	int64_t dim;   /* of the tensor, which must not be cut, as the sentence says; -1: it does not say that ... */
	int64_t axis;  /* ... the same of an axis of the mesh, which must cut nothing */
	int operands;
	sw_str operand[SW_LOG_OPERANDS]; /* `Spec(...)` of each tensor among its arguments, in their order */
} sw_log_failed;

bool sw_log_is_failed(sw_str text);

/* Reads the first such error of a text in which there is one; slices point into the text.  Errors: N01 where it is cut off, or has more
 * than SW_LOG_OPERANDS operands. */
bool sw_log_read_failed(sw_str text, sw_log_failed *failed, sw_diag *diag);

/* A pair's problem as others take it; what it points to stays where the log is. */
sw_problem sw_log_problem_of(const sw_log_pair *pair);

/* Finds all pairs in a text.  Everything in `log` lives in `arena`; it is empty where there are none.
 * Errors: S03, E01. */
bool sw_log_read(sw_str text, const sw_log_options *options, sw_arena *arena, sw_log *log, sw_diag *diag);

#pragma GCC visibility pop

#endif
