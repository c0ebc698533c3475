/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What papers define, state, draw and measure, for `explain`: a row each, with an example that is drawn, or statements that are
 * run, and numbers that are computed beside those that are printed there.
 *
 * Source: seeds 000, 001, 002 and 004; theory.h has the papers.
 */
#ifndef SHARDWALK_COMMAND_PAPER_H
#define SHARDWALK_COMMAND_PAPER_H

#include <shardwalk/diag.h>
#include <shardwalk/text.h>
#include <shardwalk/theory.h>

#include "answer/document.h"
#include "session/session.h"

struct invocation;

/* A number, as the program finds it and as a paper prints it. */
struct printed {
	const char *what;
	const char
		*lines; /* statements with "; " between them, of which the last one answers; NULL: those of the row before */
	const char *key;   /* of its JSON, "steps[1].cost"; `~words`: what stands behind these words in its text */
	double times;      /* the value is that of the key times this; 0: 1 */
	char unit;         /* of the value: s, B for bytes, x for a ratio, else a number */
	const char *print; /* "377 us" as it is printed; NULL: nothing is */
	const char *why;   /* said where both differ; NULL with a number printed: it was measured, and is not compared */
	const char *over;  /* the value is divided by that of this key of the same answer; NULL: it is not */
	const char
		*option; /* the column in which it is; columns that follow each other have the same rows; NULL: in none */
};

struct artefact {
	const char *kind; /* "lemma"; NULL: a word */
	const char *name; /* "4.6", or the word */
	const char *title;
	const char *words; /* what it says; paragraphs end with a newline */
	const char *mesh;  /* of the example */
	const char *start; /* a type; or two, A ~> B, whose tiles stand side by side */
	const char *steps; /* operations from `start` on, with "; " between them; NULL: tiles are drawn */
	const char *after; /* other operations, "normalize", or NULL: none */
	const char *low;   /* in place of `steps`: low-level steps, "alltoall(0, 1, a2); allpermute" */
	const char *lines; /* statements that are run, "; " between them, and their answers shown; NULL: none */
	const struct printed *printed; /* up to one without `what`; NULL: none */
	const char *source;
	const char *next; /* the line to type next */
	const char
		*unpublished; /* why `verify` cannot compare the numbers that it prints; NULL: it can, or there are none */
	const int64_t *after_places; /* the device in each slot of the mesh for the second type; NULL: its number */
};

/* The rows of a paper, up to one without a name. */
extern const struct artefact redistribution_rows[], placements_rows[], book_rows[], distributions_rows[];

/* The n-th of all, paper by paper, NULL after the last; its paper. */
const struct artefact *artefact_at(int n);
sw_paper artefact_paper(int n);

/* "lemma 4.6", or the word; it stays until the next call. */
const char *artefact_name(const struct artefact *artefact);

/* Answers what is called so, in any case of letters, a dotted number alone too, with `of PAPER` behind it or without: that of the
 * first paper that has it, and which others have one.  *any: there was some. */
bool artefacts_answer(struct session *session, sw_str name, sw_arena *arena, struct document *answer, bool *any,
	sw_diag *diag);

/* L08 with the nearest names, where the text begins like the name of an artefact or is near to one; *is: so it was. */
bool artefact_refuse(sw_str text, bool *is, sw_diag *diag);

/* Is it the name of an artefact, or does it begin like one with a number: "table 3 of placements", "easy"? */
bool artefact_is_named(sw_str text);

/* `verify table 4`: how many of its printed numbers agree with what the program finds, and those that do not.  Of papers that have one
 * the first with numbers counts where none is named.  Errors: L08 where there is none of that name, or none with numbers; those of the
 * statements that find them. */
bool artefact_verify(const struct invocation *run, sw_str text, sw_diag *diag);

/* Everything that `explain` knows, by paper and kind. */
void explain_list(struct document *answer);

/* ---- parts of an answer ---- */

/* A canvas as wide as an explanation is. */
struct canvas *narrow_canvas(struct document *answer);

/* Runs the statements of a row in a session of their own, and shows them with their answers. */
bool paper_lines_answer(struct session *session, const char *lines, sw_arena *arena, struct document *answer,
	sw_diag *diag);

/* The numbers of a row beside those that are printed, and why some differ. */
bool paper_printed_answer(struct session *session, const struct artefact *artefact, sw_arena *arena,
	struct document *answer, sw_diag *diag);

/* Numbers of an artefact that are compared with what is printed. */
struct agreement {
	int printed, agree; /* that can be computed */
	int measured, near; /* that only predictions are of; those that differ at most AGREEMENT_NEAR times */
};
#define AGREEMENT_NEAR 1.25

/* Adds up the numbers of a row, and lists them in `fields`; where that is NULL those that do not agree in `others`. */
bool paper_printed_verify(const struct invocation *run, const struct artefact *artefact, struct fields *fields,
	struct agreement *sum, struct document *others, sw_diag *diag);

/* Low-level steps, with who is at each coordinate of the mesh after each; they are executed. */
bool paper_low_draw(const struct artefact *artefact, const sw_mesh *mesh, sw_arena *arena, struct canvas *canvas,
	sw_diag *diag);

#endif
