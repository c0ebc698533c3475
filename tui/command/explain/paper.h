/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the first paper defines, states, draws and measures, for `explain`: a row each, with an example that is drawn.
 *
 * Source of all of it: seed 000, "Memory-efficient array redistribution through portable collective communication".
 */
#ifndef SHARDWALK_COMMAND_PAPER_H
#define SHARDWALK_COMMAND_PAPER_H

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#include "answer/document.h"

struct artefact {
	const char *kind; /* "lemma"; NULL: a word */
	const char *name; /* "4.6", or the word */
	const char *title;
	const char *words; /* what it says; paragraphs end with a newline */
	const char *mesh;  /* of the example */
	const char *start; /* a type; or two, A ~> B, whose tiles stand side by side */
	const char *steps; /* operations from `start` on, with "; " between them; NULL: tiles are drawn */
	const char *after; /* other operations, "normalize", or NULL: none */
	const char *source;
	const char *next;            /* the line to type next */
	const int64_t *after_places; /* the device in each slot of the mesh for the second type; NULL: its number */
};

/* The n-th, NULL after the last. */
const struct artefact *artefact_at(int n);

/* "lemma 4.6", or the word; it stays until the next call. */
const char *artefact_name(const struct artefact *artefact);

/* Answers all artefacts of that name, in any case of letters, a dotted number alone too; *any: there were some. */
bool artefacts_answer(sw_str name, struct document *answer, bool *any, sw_diag *diag);

/* L08 with the nearest names, where the text begins like the name of an artefact or is near to one; *is: so it was. */
bool artefact_refuse(sw_str text, bool *is, sw_diag *diag);

/* Everything that `explain` knows, by kind. */
void explain_list(struct document *answer);

#endif
