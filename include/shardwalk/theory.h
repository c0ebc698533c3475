/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements of the papers, tried on drawn cases.
 *
 * Source: seed 000, principles 1 and 2, lemmas 4.1 to 6.6, theorems 4.8 to 6.7: a case is a small mesh and types over it.  Seed
 * 001, theorem 3.2, lemmas B.1 to B.8: a case is a placement on a small system and what is summed.  Seed 004, the lemma and the
 * four cases: a case is a product of sharded matrices.  Seed 002, lemmas 1 to 3 and theorem 1: a case is two distributions, or a
 * formula over some.  What a statement promises is built, executed on virtual devices or listed,
 * and compared.  A case that refutes it is made as small as it stays one.
 */
#ifndef SHARDWALK_THEORY_H
#define SHARDWALK_THEORY_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/diag.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* The papers that statements are of.  One row each: identifier, name, authors and title. */
#define SW_PAPERS(X) \
	X(REDISTRIBUTION, "redistribution", \
		"Rink, Paszke, Vytiniotis, Schmid, \"Memory-efficient array redistribution through portable collective " \
		"communication\"") \
	X(PLACEMENTS, "placements", \
		"Xie, Norman, Grewe, Vytiniotis, \"Synthesizing optimal parallelism placement and reduction strategies on " \
		"hierarchical systems for deep learning\"") \
	X(BOOK, "book", \
		"Austin and others, \"How to Scale Your Model\", part 3, \"Sharded matrices and how to multiply them\"") \
	X(DISTRIBUTIONS, "distributions", "Eijkhout, \"IMP distribution theory\"")

typedef enum sw_paper {
#define X(id, name, citation) SW_PAPER_##id,
	SW_PAPERS(X)
#undef X
		SW_PAPER_COUNT
} sw_paper;

/* "redistribution"; who wrote it, and what it is called; the paper of a name, SW_PAPER_COUNT where there is none. */
const char *sw_paper_name(sw_paper paper);
const char *sw_paper_citation(sw_paper paper);
sw_paper sw_paper_named(sw_str name);

typedef enum sw_statement_kind {
	SW_STATEMENT_LEMMA,
	SW_STATEMENT_THEOREM,
	SW_STATEMENT_PRINCIPLE,
	SW_STATEMENT_COROLLARY,
	SW_STATEMENT_CASE,
	SW_STATEMENT_KINDS
} sw_statement_kind;

typedef struct sw_statement {
	sw_statement_kind kind;
	const char *number;   /* "4.6" */
	const char *about;    /* what it promises */
	const char *drawn;    /* what a case is */
	const char *compared; /* what is compared in each */
	bool needs_primes;    /* it rests on axes of prime size */
	sw_paper paper;
	int64_t cases;     /* as many are tried where nobody says how many; 0: 2000 */
	const char *known; /* why it does not hold as it is printed; NULL: it does, as far as is known */

	/* The form that is printed, where that does not hold, and `about` is the true one that is meant; NULL: they are the same. */
	const char *printed;
} sw_statement;

/* "lemma"; the kind of a name, SW_STATEMENT_KINDS where there is none. */
const char *sw_statement_kind_name(sw_statement_kind kind);
sw_statement_kind sw_statement_kind_named(sw_str name);

/* The n-th, NULL after the last; the one of this paper (SW_PAPER_COUNT: of the first that has it), kind and number, NULL where
 * there is none. */
const sw_statement *sw_statement_at(int n);
const sw_statement *sw_statement_of(sw_paper paper, sw_statement_kind kind, sw_str number);

typedef struct sw_trial_options {
	int64_t cases;         /* to draw, at least 1 */
	uint64_t seed;         /* the same seed draws the same cases, on every machine */
	bool unsplit;          /* axes need not be of prime size */
	const sw_pulse *pulse; /* asked before every case; may be NULL */
} sw_trial_options;

typedef struct sw_trial {
	int64_t held; /* cases in which it held */
	bool refuted; /* the case after those refutes it; what follows is of that case, made small */
	bool
		misprinted; /* all held, but not the form that is printed; what follows is of the smallest case that refutes that */
	int64_t devices;    /* of its mesh, or of its system */
	int rank;           /* of its array; 0: it has none */
	char why[256];      /* what was promised, and what is */
	const char *script; /* lines of the language that lead to the case, in the arena of the trial */
} sw_trial;

/* Draws cases and tries the statement on each, until all held or one refutes it.  `statement` is one of the table.
 * Errors: S03 where `pulse` stopped it, with what held until then in `trial`; E01. */
bool sw_statement_try(const sw_statement *statement, const sw_trial_options *options, sw_arena *arena,
	sw_trial *trial, sw_diag *diag);

/* ---- low-level steps (seed 000, definition 6.1 and figure 10) ---- */

/* An axis leaves dimension `from` (-1: a slice takes one that is free) for `to` (-1: it is gathered); it need not be the minor one of its
 * dimension.  SW_ALLPERMUTE: every device gets the tile of its own coordinate. */
typedef struct sw_low_call {
	sw_op op;
	int from, to, axis;
} sw_low_call;

/* A device assignment: coordinates have tiles by the type, and at[c] is the device at coordinate c.  Then who works together
 * in the step that led there: lists of `group_size` devices each, 0: nobody, or all by pairs. */
typedef struct sw_low_state {
	sw_type type;
	const int64_t *at;
	const int32_t *groups;
	int64_t group_size;
	bool right; /* executed up to here, every device held what each state says */
} sw_low_state;

/* Walks from a type on, device d at coordinate d; states[k] is that after step k, of count + 1.  Each step is executed.  Lives in
 * `arena`.  Errors: S08 for more than 3 axes or dimensions, or parts of axes; C06; E01. */
bool sw_low_walk(const sw_mesh *mesh, const sw_type *start, const sw_low_call *calls, int count, sw_arena *arena,
	sw_low_state *states, sw_diag *diag);

#pragma GCC visibility pop

#endif
