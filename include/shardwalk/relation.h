/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relations between two holdings: who needs what of whom, where an array is held in one way and needed in another.
 *
 * Source: seed 002, sections 2 and 4 (predecessors T and successors F, u^-1 v; what is needed and not held); DESIGN.md, devices.
 *
 * Device p needs its elements of `to`.  T(p) are the devices that hold some of these in `from`, p itself among them; F is the
 * converse.  What p needs and does not hold comes in messages, at most one from each device.  Where several hold an element, a
 * rule says who sends it.  What nobody holds is missing.
 *
 * Where `from` holds terms of sums, p needs every term that is summed in what it is to hold: an element counts as often as it has
 * terms on different devices.
 *
 * Nothing here counts single elements: blocks of indices are found by an index over them.  At most SW_MAX_MAP_DEVICES devices.
 */
#ifndef SHARDWALK_RELATION_H
#define SHARDWALK_RELATION_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/holding.h>
#include <shardwalk/json.h>
#include <shardwalk/mesh.h>
#include <shardwalk/sender.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

/* It lives in the arena that it was made in, and is asked by one thread at a time. */
typedef struct sw_relation sw_relation;

/* The relation of two holdings of one array over the same devices, which have to live as long.  `joins`: for each term before, the
 * term after that it is summed in; NULL: the term of its number, or where values are whole afterwards the only one.  NULL on
 * error: S08; T11 where a device has several terms but not all, or it is not said which are to be added; E01. */
sw_relation *sw_relation_new(const sw_holding *from, const sw_holding *to, const int32_t *joins, sw_arena *arena,
	sw_diag *diag);

/* The same with a pulse, which lives as long: it is asked here and in all that is asked of the relation.  Where it stops the work that is
 * no memory; who gave it knows. */
sw_relation *sw_relation_new_with(const sw_holding *from, const sw_holding *to, const int32_t *joins,
	const sw_pulse *pulse, sw_arena *arena, sw_diag *diag);

/* Says that the devices are those of a mesh: who is near whom follows from its axes, each a ring.  Else they are one ring, in the order of their
 * numbers. */
void sw_relation_lie_on(sw_relation *relation, const sw_mesh *mesh);

/* That of a problem with ends of any kind; terms of sums are joined as the ends say.  NULL on error: the same, and T11 where both ends
 * are sums, of other terms, and one is no tile type. */
sw_relation *sw_problem_relation(const sw_problem *problem, sw_arena *arena, sw_diag *diag);
sw_relation *sw_problem_relation_with(const sw_problem *problem, const sw_pulse *pulse, sw_arena *arena,
	sw_diag *diag);

/* ---- devices ---- */

/* T(p) or, of what `device` holds, F: ascending, in `list`, which has room for all devices.  How many; -1: no memory. */
int64_t sw_relation_before(sw_relation *relation, int64_t device, int32_t *list);
int64_t sw_relation_after(sw_relation *relation, int64_t device, int32_t *list);

/* Elements of a device. */
typedef struct sw_tally {
	int64_t held, needed;
	int64_t kept;    /* needed and held */
	int64_t in, out; /* received, and sent under a rule */
	int64_t missing; /* needed, and held by nobody */
} sw_tally;

/* Of all devices, in `tally`, which has room for them.  false: no memory. */
bool sw_relation_tally(sw_relation *relation, sw_sender_rule rule, sw_tally *tally);

/* The sum of the tallies of all devices; -1 where 64 bits do not hold one of its numbers. */
sw_tally sw_tally_sum(const sw_tally *tally, int64_t devices);

/* What a device needs and nobody holds. */
bool sw_relation_missing(sw_relation *relation, int64_t device, sw_arena *arena, sw_region *missing);

/* Has no element, of no term, two devices that hold it? */
bool sw_relation_is_unique(const sw_relation *relation);

/* Are terms of sums added on the way? */
bool sw_relation_sums(const sw_relation *relation);

/* ---- messages ---- */

typedef struct sw_message {
	int32_t sender, receiver;
	int64_t elements;
	sw_region region; /* products that have none in common */
} sw_message;

/* By senders, then receivers. */
typedef struct sw_messages {
	int64_t count;
	sw_message *message;
} sw_messages;

bool sw_relation_messages(sw_relation *relation, sw_sender_rule rule, sw_arena *arena, sw_messages *messages);

/* How many there are, without a list.  -1: no memory. */
int64_t sw_relation_count(sw_relation *relation, sw_sender_rule rule);

/* How many pairs of a device and a set of elements that it needs, whoever has these: what it takes to look at all messages.  -1: no
 * memory. */
int64_t sw_relation_pairs(sw_relation *relation);

/* The first `most` of those to the devices `first` to `last`, by receivers, then senders; few where many flow otherwise.  false: no
 * memory. */
typedef struct sw_receivers {
	int64_t first, last, most;
} sw_receivers;
bool sw_relation_messages_to(sw_relation *relation, sw_sender_rule rule, const sw_receivers *to, sw_arena *arena,
	sw_messages *messages);

/* How many maximal runs of row-major indices a region of an array of these sizes has, and those of all messages.  -1: no
 * memory. */
int64_t sw_region_pieces(const sw_region *region, const int64_t *global);
int64_t sw_messages_pieces(const sw_messages *messages, const int64_t *global);

/* The sum of the row-major indices of a region of an array of these sizes, modulo 2^64. */
uint64_t sw_region_sum(const sw_region *region, const int64_t *global);

/* ---- renumbering ---- */

/* The numbers of devices under which most of `to` stays where it is: role[p] is the device of `to` whose elements device p gets.
 * Several may be as good; where nobody gains by another, all keep their numbers.  `kept` counts what stays then; -1: there are too
 * many pairs of devices to find out, or more elements than 64 bits count, and all keep their numbers.  false: no memory. */
bool sw_relation_relabel(sw_relation *relation, int32_t *role, int64_t *kept);

/* Gives a problem these numbers: `to_order` is made in the arena, and stays as it is where nobody gains.  `kept` as above.  Errors: those of
 * sw_problem_relation. */
bool sw_problem_renumber(sw_problem *problem, sw_arena *arena, int64_t *kept, sw_diag *diag);

/* ---- the name of the pattern ---- */

/* One row each: identifier, name, the rule by which messages are of that pattern.  A group is a connected part of the graph of
 * messages; a group of one message is named last, and counts as any that the others are. */
#define SW_PATTERNS(X) \
	X(NONE, "none", "there is no message") \
	X(SEND, "send", "there is one message") \
	X(BROADCAST, "broadcast", "in each group one device sends, and all receive the same") \
	X(SCATTER, "scatter", "in each group one device sends, and no two devices receive the same") \
	X(GATHER, "gather", \
		"in each group one device receives; or several receive all that the group holds from every member, and " \
		"others only send") \
	X(ALLGATHER, "allgather", \
		"in each group all senders send all they hold to all others, which need exactly what the group holds") \
	X(ALLTOALL, "alltoall", "in each group every device sends to every other, and never the same to two") \
	X(SHIFT, "shift", \
		"every device sends and receives at most once, and all receivers are equally far from their senders on " \
		"the mesh; or around its ends, if every device sends") \
	X(PERMUTE, "permute", "every device sends and receives at most once") \
	X(HALO, "halo", "every receiver holds something, and needs all of it in addition to what it receives") \
	X(REDUCE, "reduce", "in each group one device receives, and adds") \
	X(REDUCESCATTER, "reducescatter", \
		"in each group all hold terms of the same elements, and each element is added on one device") \
	X(ALLREDUCE, "allreduce", \
		"in each group all hold terms of the same elements, and all are added on every device") \
	X(GENERAL_SUM, "general sum", "terms are added, but not by a reduce, reducescatter or allreduce in all groups") \
	X(GENERAL, "general", "none of the others")

typedef enum sw_pattern_name {
#define X(id, name, rule) SW_PATTERN_##id,
	SW_PATTERNS(X)
#undef X
		SW_PATTERN_COUNT
} sw_pattern_name;

const char *sw_pattern_text(sw_pattern_name name);
const char *sw_pattern_rule(sw_pattern_name name);

/* The pattern with this name, SW_PATTERN_COUNT where there is none. */
sw_pattern_name sw_pattern_named(sw_str name);

typedef struct sw_pattern {
	sw_pattern_name name;
	int32_t groups;                 /* who works together, by their first members */
	int32_t *first_member, *member; /* of each group, ascending; a bound more behind the last */
	int32_t *first_root, *root;     /* the same for its roots; NULL: it has none */
	int32_t pairs;                  /* of send, permute and shift: sender and receiver of each message, by senders */
	int32_t *pair;
	int axes;        /* of the mesh; coordinates of the receiver minus those of the sender: */
	int offsets;     /* of a halo: how many different there are, and these, ascending */
	int64_t *offset; /* offsets x axes */
	int64_t *by;     /* of a shift: as many as axes, around the ends the shorter way; NULL: it is none */
} sw_pattern;

/* What the messages under a rule are called.  No list of them is made.  false: no memory. */
bool sw_relation_pattern(sw_relation *relation, sw_sender_rule rule, const sw_mesh *mesh, sw_arena *arena,
	sw_pattern *pattern);

/* ---- JSON ---- */

/* What is asked of a relation. */
typedef struct sw_relation_question {
	sw_sender_rule rule;
	int element;         /* bytes */
	const sw_mesh *mesh; /* on which offsets are told */
	bool sums;           /* messages have the sum of their row-major indices in place of their regions */
} sw_relation_question;

/* Adds the keys of schema shardwalk.relation/1 to the object that is open: T, F, messages (sender, receiver, elements, region), pieces,
 * volume, bytes, kept, max_in, max_out, missing where there is some, pattern and what it has, relabelled_kept (null: there are too
 * many pairs of devices), unique_sender, sender (the name of the rule).  false: no memory. */
bool sw_relation_write(sw_relation *relation, const sw_relation_question *question, sw_json *json);

/* A sum of indices as a value. */
void sw_sum_write(sw_json *json, uint64_t sum);

/* Adds T alone.  false: no memory. */
bool sw_relation_write_before(sw_relation *relation, sw_json *json);

/* Indices as a value: a list of [first, run, step, count]. */
void sw_indices_write(sw_json *json, const sw_indices *indices);

/* A region as a value: products, of which each dimension is a list of [first, run, step, count]. */
void sw_region_write(sw_json *json, const sw_region *region);

/* What each device has, as a list of these, null where it is undefined.  false: no memory. */
bool sw_holding_write(sw_json *json, const sw_holding *holding);

#pragma GCC visibility pop

#endif
