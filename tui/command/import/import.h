/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of the command import share.
 */
#ifndef SHARDWALK_COMMAND_IMPORT_H
#define SHARDWALK_COMMAND_IMPORT_H

#include <shardwalk/before.h>
#include <shardwalk/hlo.h>
#include <shardwalk/log.h>

#include "command/plan.h"
#include "command/import/warned.h"
#include "views/imports.h"

struct needless;

struct import {
	struct invocation *run;
	bool from_file;
	struct word file;              /* where from_file */
	bool takes;                    /* one row is wanted */
	struct word take;              /* its number */
	int64_t number;                /* the same */
	sw_text content;               /* of the file */
	size_t zeros;                  /* its bytes that are no text; they became blanks */
	sw_str text;                   /* that is imported */
	sw_arena *arena;               /* ends with the command, unless it is given away */
	struct warned_program program; /* the user's mesh before it */
	sw_text module_text;           /* of --module */
	const sw_hlo_before *before;   /* the same, read: of HLO; NULL: see the next */
	const sw_log *asked;           /* of StableHLO: what it asks for; NULL: no module was given, or see `before` */
	const sw_hlo_import
		*beside;       /* what a module moves that is in the text of a log; NULL: none, or it moves nothing */
	const sw_log *log; /* one of the two */
	const sw_hlo_import *module;
	struct imports imports;    /* sorted */
	struct needless *left_out; /* constraints on the way (import_left_out.h), in the arena */
	int left_outs;
	bool kept;                     /* it was answered before, and only one of its rows is taken now */
	const struct placing *placing; /* of the session before it; NULL: none */
	const sw_mesh *mesh_before;    /* the same; NULL: none */
};

/* The file's name, or NULL where the text was pasted. */
const char *import_source(const struct import *import);

/* The line of a position in a text, from 1. */
int64_t import_line_at(sw_str text, size_t at);

/* A position in the text becomes one of the user's line, or the line of the file. */
bool import_refuse(const struct import *import, sw_diag *diag);

/* Reads on in the file until Ctrl-C, or the end of a pipe, tells each new pair, and keeps all of the text. */
bool import_follow(struct import *import, sw_diag *diag);

/* The pairs of a log as rows with both plans; there may be none. */
bool import_log_rows(struct import *import, sw_diag *diag);

/* What the module moves; NULL: it is none. */
const sw_traffic *import_traffic_of(const struct import *import);

/* A log; *nothing: there was no pair in it. */
bool import_log(struct import *import, bool *nothing, sw_diag *diag);

bool import_module(struct import *import, sw_diag *diag);

/* Keeps the mesh of the session, which rows that are taken replace.  Error: E01. */
bool import_mesh_before(struct import *import, sw_diag *diag);

/* A module of StableHLO that computes something becomes the present program; *taken tells whether it did, or is damaged.  `rows`:
 * there was an answer before, which stands. */
bool import_as_program(struct import *import, bool rows, bool *taken, sw_diag *diag);

/* Lines of JAX become the present program; *taken: the text is some. */
bool import_jax(struct import *import, bool *taken, sw_diag *diag);

/* A product as JAX or the scaling book writes it becomes the present program; *taken: the text is one. */
bool import_line(struct import *import, bool *taken, sw_diag *diag);

/* A program with a schedule becomes mesh, types, formula and schedule; *taken: the text is one. */
bool import_distal(struct import *import, bool *taken, sw_diag *diag);

/* JAX's error of values on different devices is explained; *taken: the text is one. */
bool import_devices(struct import *import, bool *taken, sw_diag *diag);

/* DTensor's error of an operation without a sharding is explained; *taken: the text is one. */
bool import_failed(struct import *import, bool *taken, sw_diag *diag);

/* `device_put(x, SHARDING)`, or the same in a jaxpr: the text becomes the pair of `from` and the sharding; *taken: it does. */
bool import_put(struct import *import, bool *taken, sw_diag *diag);

/* A placement by another library becomes `from`, a call that moves one the problem; *taken: the text is one of these. */
bool import_placed(struct import *import, bool *taken, sw_diag *diag);

/* Plans every row as the compiler does, where it has no such plan yet, and as well as possible.  false: stopped, no memory, or
 * settings that cannot be. */
bool import_plan_rows(struct import *import, struct import_row *rows, int count, sw_diag *diag);

/* Devices that other warnings of the log speak of; 0: of no more than this one. */
int64_t import_more(const struct import *import, const sw_log_pair *pair);

/* Sorts rows by bytes as often as they run, and numbers them so.  Error: E01. */
bool import_sort(struct import *import, struct import_row *rows, int count, sw_diag *diag);

/* The row that was asked for, or the only one; NULL without a diagnostic: the table is to be shown. */
const struct import_row *import_chosen(const struct import *import, sw_diag *diag);

/* The row becomes the problem, and is answered. */
bool import_take(struct import *import, const struct import_row *row, sw_diag *diag);

/* Answers with the table of all rows, and keeps them in the session with the arena. */
bool import_answer_all(struct import *import, sw_diag *diag);

/* Answers with one row: both ends, both plans and what to type next; without a row with the table of all.  As fields it is
 * shardwalk.import/1. */
bool import_answer(const struct import *import, const struct import_row *row, sw_diag *diag);

/* Tells what a message that is no problem means, if it says more than a pair. */
void import_answer_message(const struct import *import, const struct import_row *row);

#endif
