/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs: a program with the memory it moves data in, ready to execute its steps any number of times.
 */
#ifndef EX_RUN_H
#define EX_RUN_H

#include "program.h"
#include "requests.h"
#include "rings.h"
#include "sum.h"
#include "share.h"
#include "team.h"

typedef enum ex_transport { EX_AUTO, EX_SHARED, EX_MESSAGES } ex_transport;
const char *ex_transport_name(ex_transport transport);

/* How a step copies inside a host: the reader pulls or the writer pushes; kind of store; peer after peer, or all
 * peers block by block of this many bytes of the tile at hand, so that what they share stays in the cache. */
typedef struct ex_choice {
	bool push;
	ex_store store;
	int64_t block; /* 0: peer after peer */
} ex_choice;

/* A part of a move that is one message, or some moves from one rank to another that are packed as one. */
typedef struct ex_message {
	const ex_move *move;
	int moves;
	bool in;              /* received, else sent */
	bool direct;          /* straight from or into the tile, else through a buffer */
	int64_t kept;         /* where it is kept until all terms are there, in the room for them; -1: nowhere */
	int64_t first, count; /* runs of the only move */
} ex_message;

/* The part of a step that crosses hosts, in the order in which it starts. */
typedef struct ex_messages {
	int count;
	ex_message *message;
} ex_messages;

/* The collective of the library that sends what an exchange sends (patterns.c), as this rank takes part. */
struct ex_pattern_row;
typedef struct ex_pattern {
	const struct ex_pattern_row *row; /* NULL: there is none */
	int color;
	MPI_Comm comm; /* of its group; MPI_COMM_NULL: it was not made yet */
	int members, me, roots;
	const int32_t *member; /* ranks; 0 members: it stands aside */
	int *root;             /* numbers of members */
	int64_t *held;         /* elements of each before */
	ex_count *out, *in;    /* bytes for each, and of each */
	ex_place *out_at, *in_at;
	int64_t out_bytes, in_bytes; /* of buffers */
	MPI_Datatype *out_type,
		*in_type;       /* where what goes to each, and comes of each, is in the tiles; NULL: it is packed */
	int64_t begin, end; /* of a broadcast, in the tile of the root */
} ex_pattern;

/* How steps are done where the library has a call for them. */
typedef enum ex_calls {
	EX_NO_CALLS,       /* by copies and messages of our own */
	EX_BY_COLLECTIVES, /* by its collectives, of an exchange by that of its pattern */
	EX_BY_ALLTOALLV,   /* an exchange by MPI_Alltoallv on packed tiles, whatever its pattern is ... */
	EX_BY_ALLTOALLW    /* ... or by MPI_Alltoallw on subarrays of the tiles */
} ex_calls;

typedef struct ex_run {
	ex_team *team;
	const ex_program *program;
	ex_transport transport; /* EX_SHARED: inside hosts; EX_MESSAGES: everywhere */
	ex_calls calls;
	bool collectives;     /* these are made; else, for once, they are not */
	ex_rings *rings;      /* of steps that pass pieces on; NULL: there are none */
	ex_share share;       /* tiles of all ranks of the host ... */
	int64_t stride;       /* ... this far apart */
	char *region;         /* this rank's tiles */
	int64_t region_bytes; /* what exists of it */
	char *staging;        /* slots for packed messages */
	int64_t slot;         /* bytes of one */
	int slots;
	int64_t staging_bytes;
	int64_t kept_at;       /* behind the slots: room for the terms of one step that come by messages */
	ex_term *term;         /* as many as the most terms of a sum */
	ex_choice *choice;     /* per step */
	ex_messages *messages; /* per part: step k is part k, and what it does `then` part count + k */
	int64_t **kept;        /* per part that adds: where each move is kept, packed; -1: it does not come by messages */
	int **partners;        /* per step: ranks of this host that it meets */
	int *partner_count;
	MPI_Request *request; /* as many as the most messages of a step */
	int *slot_of, *slot_free;
	int64_t *piece_at;   /* of every rank: for collectives */
	int *left;           /* messages of the present step that have not come yet from each rank */
	ex_pattern *pattern; /* per step; NULL: they were not asked for */
} ex_run;

/* What the run will need of memory, per rank, in bytes. */
typedef struct ex_need {
	int64_t tiles, buffers;
	bool shared; /* the tiles lie in memory shared by the host */
} ex_need;

/* Lays the run out without touching memory for data: partners, messages, slots.  Small things live in `arena`. */
bool ex_run_lay_out(ex_run *run, ex_team *team, const ex_program *program, ex_transport transport, ex_calls calls,
	sw_arena *arena, ex_fault *fault);
void ex_run_need(const ex_run *run, ex_need *need);

/* Allocates.  All ranks call it; all get the same answer. */
bool ex_run_open(ex_run *run, ex_fault *fault);
void ex_run_close(ex_run *run);

/* Uses the memory of another run, which is open and stays so. */
void ex_run_join(ex_run *run, const ex_run *owner);

/* This rank has changed tiles by itself: others may read them.  All ranks call it. */
void ex_run_alone(ex_run *run);

/* Executes step k, on all ranks: they count executions together. */
void ex_run_step(ex_run *run, int k);

/* What a rank does while the moves of a step are on their way. */
typedef struct ex_meanwhile {
	bool (*work)(void *user);              /* some of it; false: that was all */
	void (*arrived)(void *user, int peer); /* all that comes from a rank is there */
	void *user;
} ex_meanwhile;

/* Moves what this rank keeps in step k. */
void ex_run_stay(ex_run *run, int k);

/* Executes step k as ex_run_step does but for what this rank keeps, and works while that is on its way.  Not of steps that add, or
 * pass pieces on. */
void ex_run_step_while(ex_run *run, int k, const ex_meanwhile *meanwhile);

/* A part of the copies inside the host, done this way: for trying.  The processor time they took on this rank. */
double ex_run_part(ex_run *run, int k, ex_choice choice, int part, int parts);

/* Processor time that this rank has used, in seconds. */
double ex_run_used(void);

/* In place of it: every rank copies as many bytes as land in its new tile, by itself, with the same waiting. */
void ex_run_reference(ex_run *run, int k, ex_store store);

/* This rank's tile before step k; after the last for k = count. */
char *ex_run_tile(const ex_run *run, int k);

/* An offset in the region of a rank of this host. */
char *ex_run_at(const ex_run *run, int rank, int64_t offset);

/* Part number `part` of all: of a step, or of what it does then.  NULL: there is none. */
const ex_step *ex_run_half(const ex_run *run, int part);

/* Sums what came, and what lies on this host, into the new tile; `packed` has what was received, and `at` where of each move.  One
 * of `parts` equal parts of it. */
typedef struct ex_received {
	const char *packed;
	const int64_t *at; /* of each move; < 0: it lies in a tile */
} ex_received;
void ex_run_sum(ex_run *run, const ex_step *step, const ex_received *received, ex_store store);

/* messages.c: the messages of one part */
bool ex_messages_lay_out(ex_run *run, sw_arena *arena);
void ex_messages_run(ex_run *run, int part);

/* The messages of one part while they are on their way. */
typedef struct ex_round {
	ex_run *run;
	const ex_step *step;
	const ex_messages *messages;
	int k, started, finished, free;
} ex_round;
void ex_messages_begin(ex_run *run, int part, ex_round *round);

/* Waits for one to end, or with `look` only looks.  NULL: none did; all have, where it waits. */
const ex_message *ex_messages_next(ex_round *round, bool look);
bool ex_messages_cross(const ex_run *run, int peer);

/* collectives.c: the same by the library's own collective, where the step is one */
bool ex_collective_is(const ex_run *run, int k);
void ex_collective_step(ex_run *run, int k);
int64_t ex_collective_buffers(const ex_run *run);
void ex_collective_forget(void);

/* patterns.c: an exchange by the library's collective of its pattern; its name, NULL: it is none */
bool ex_patterns_lay_out(ex_run *run, sw_arena *arena);
int64_t ex_patterns_buffers(const ex_run *run);
const char *ex_pattern_call(const ex_run *run, int k);
void ex_pattern_step(ex_run *run, int k);
void ex_patterns_close(ex_run *run);

#endif
