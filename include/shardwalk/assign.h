/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types for the values of a program whose homes are open, so that everything that moves costs least.
 *
 * Each value has a home.  An input that is open takes any type without sums as its home, at no cost; one whose type is given may be
 * moved to another home.  A value that is used more than once may be kept in a second type as well, which is made from its home.
 * Each use begins where it is cheaper.  A statement multiplies, or adds, in the types in which it uses its operands, by the local
 * rule, and what comes of it is redistributed to its home.  Redistributions cost what the strategy `fused` needs.  All that is
 * proved is proved of programs of this kind.  Where what is held at once is bounded, inputs lie where they are, and no value has a
 * second type.
 */
#ifndef SHARDWALK_ASSIGN_H
#define SHARDWALK_ASSIGN_H

#include <shardwalk/cost.h>
#include <shardwalk/program.h>

#pragma GCC visibility push(default)

typedef struct sw_assign_options {
	/* Seconds on this machine, which says how long products take (sw_product_seconds), over whole axes, with the products, one after the
	 * other.  NULL: elements, of which those of all element types count alike. */
	const sw_machine *machine;
	unsigned without;      /* bit 1 << sw_op: operations that are forbidden */
	int64_t budget;        /* no tile is larger; 0: any */
	int64_t live;          /* no more is held at once (see sw_assign); 0: any */
	bool bytes;            /* both are bytes, otherwise elements */
	int64_t memory;        /* bytes that tables may take; 0: 256 MiB */
	const sw_pulse *pulse; /* may be NULL */
} sw_assign_options;

/* A value that is added to the program: a value of it in another type, where several uses begin. */
typedef struct sw_assign_move {
	int value; /* of the program that was given */
	int from;  /* what is redistributed, and what comes of it: values of the program that was made */
	int made;
} sw_assign_move;

typedef struct sw_assignment {
	bool found;
	bool proved;        /* that nothing of this kind costs less; where nothing was found, that there is nothing */
	bool full;          /* options->memory did not suffice */
	bool whole;         /* only types that cut whole axes were looked at, or axes in one order of their primes */
	double cost, bound; /* elements or seconds; nothing costs less than the bound */
	double products;    /* seconds of `cost` that go to products */
	/* Of every value; of an input that is moved, where it was.  Those that were given are the program's, others may be shared. */
	const sw_type *const *home;
	int moves; /* in the order in which they happen */
	const sw_assign_move *move;
	bool has_next; /* another choice: the cheapest that keeps a value elsewhere, beside the way that it goes anyway */
	double next_cost;
	const sw_type *const *next;
	int64_t
		smallest; /* where nothing was found, and that is proved: the smallest bound that admits something; 0: none does */
	int64_t branches; /* that were looked at */
} sw_assignment;

/* Chooses the homes that are open, and the uses of all statements, of a program that sw_program_parse or sw_program_type has
 * typed.  `assigned` is a copy in `arena` with all of them filled in, unless nothing was found.  Under `live` what is held at once
 * counts: inputs and values that are needed later, what a step redistributes before and after it, operands as they are used, and
 * the result.  Errors: A10 where an operation of a body uses a value that is open; S08 where there are too many types; S11 where
 * the time of products is not known; S03 where the pulse ended the work when types were found but not filled in; E01. */
bool sw_assign(const sw_program *program, const sw_assign_options *options, sw_arena *arena, sw_program *assigned,
	sw_assignment *assignment, sw_diag *diag);

#pragma GCC visibility pop

#endif
