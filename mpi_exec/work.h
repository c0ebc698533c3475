/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work: what a job runs.  There are two kinds, a plan, which is a chain, and the values of a program; what differs between them is here,
 * the sequence that both go through is in job.c.
 *
 * Steps are those of the program that was read, from 0.  Parts are what is executed one after another: the steps, or what is inside of
 * them.  Part p makes value `inputs + p`.
 */
#ifndef EX_WORK_H
#define EX_WORK_H

#include <shardwalk/program.h>

#include "compare.h"
#include "options.h"
#include "probe.h"
#include "result.h"
#include "timing.h"

typedef struct ex_work ex_work;

/* One kind.  What returns false has set a fault, on all ranks unless it is said otherwise. */
typedef struct ex_work_kind {
	const char *what;               /* in messages: "plan" */
	const char *smaller;            /* the hint where memory does not suffice; NULL: that of memory.h */
	bool (*read)(ex_work *work);    /* the text; false: on this rank */
	bool (*lay_out)(ex_work *work); /* without touching memory for data; false: on this rank */
	bool (*open)(ex_work *work);    /* allocates */
	void (*close)(ex_work *work);   /* also what was not opened */
	void (*fill)(ex_work *work);    /* this rank's tiles of the inputs */
	void (*perform)(ex_work *work, int part);
	void (*again)(
		ex_work *work); /* what is returned becomes the first input of another round; NULL: there is one round */
	void (*prove_again)(
		ex_work *work); /* the same of what it is proved by; all ranks are there, before and after it */
	bool (*proves)(const ex_work *work, int value); /* is it compared as soon as it is made?  NULL: each is */
	bool (*prove)(ex_work *work, int value); /* false: it is wrong on this rank, which is no fault; see `wrong` */
	bool (*prove_last)(ex_work *work);       /* the same of what else there is in the end; or NULL */
	void (*measure)(ex_work *work); /* what the processors do, before the first record; or NULL.  All ranks call it */
	bool (*tune)(ex_work *work);    /* before steps are timed */
	/* The times of a step, of all together behind the last one; NULL: it is not timed. */
	bool (*take)(ex_work *work, int step, const ex_timed **timed);
	int64_t (*landing)(const ex_work *work, int step); /* bytes of what it makes, over all ranks */
	/* Seconds, the same; NAN: unknown. */
	double (*predicted)(const ex_work *work, int step);
	void (*describe)(ex_work *work, int step, const ex_timed *timed, sw_record *record);
	void (*element)(const ex_wrong *wrong, const void *element, char text[40]); /* as records have it */
	void (*add[SW_RECORD_KINDS])(ex_work *work, sw_record *record); /* what it adds to such a record; or NULL */
	void (*report)(const ex_work *work);                            /* says on rank 0 what is wrong */
} ex_work_kind;

struct ex_work {
	const ex_work_kind *kind;
	ex_team *team;
	const ex_options *options;
	ex_result *result;
	const char *file, *name; /* of records: at first that of the file */
	sw_arena *arena;
	const sw_text *text; /* of the file */
	ex_usage usage;      /* when it began */
	ex_fault fault;
	ex_probe probe; /* of the machine at first; all 0 where nothing is timed */
	ex_transport transport;

	/* set by read */
	const sw_program *program;
	int inputs, parts, made; /* `made` is the value that is returned */
	int64_t rounds;          /* in which the first `loop` parts are done; 0: one */
	int loop;                /* the others follow once */
	int64_t round;           /* the present one, from 0; behind all of them 0 */
	const int *outer;        /* the step that a part is, or is inside of; NULL: that of its number */
	void *own;               /* of the kind, in the arena; NULL: there is none yet */

	/* set by lay_out */
	const ex_run *memory; /* who has the memory of tiles */
	ex_need need;
	struct {
		int64_t at;          /* where it is in the region */
		const sw_type *type; /* of which it is a tile */
		int64_t elements;    /* of it */
	} returned;              /* this rank's tile of what is returned */
	const ex_need *messages; /* by messages; NULL: the same, or not known */

	ex_wrong wrong; /* the first element that is wrong, of the lowest rank that has one */
};

extern const ex_work_kind ex_work_chain, ex_work_values;

/* The step that a part is, or is inside of. */
static inline int ex_work_step(const ex_work *work, int part)
{
	return work->outer ? work->outer[part] : part;
}

/* Is a part done in the present round?  What is the same in all of them is there from the first on. */
static inline bool ex_work_does(const ex_work *work, int part)
{
	return work->round == 0 || !work->program->value[work->inputs + part].constant;
}

/* Sets the fault; returns false. */
static inline bool ex_work_no_memory(ex_work *work)
{
	return ex_fault_set(&work->fault, EX_LACKS, "E01", "out of memory");
}

#endif
