/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `import` found, as view_imports shows it: a row for each different pair of shardings, or chain of a module.
 */
#ifndef SHARDWALK_VIEWS_IMPORTS_H
#define SHARDWALK_VIEWS_IMPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/log.h>
#include <shardwalk/plan.h>
#include <shardwalk/whole.h>

#include "answer/rows.h"
#include "canvas/canvas.h"
#include "views/group.h"

/* What is shown of a plan, which is not kept itself: a log has a hundred thousand of them. */
struct import_plan {
	int64_t bytes;               /* that reach each device from others, and ... */
	int64_t peak;                /* ... of its largest tile, and ... */
	int64_t live;                /* ... of its peak memory; what does not fit is INT64_MAX */
	int64_t budget, live_budget; /* the bounds on both, in bytes, too; 0: none */
	int64_t cost;
	int count; /* of steps; of each ... */
	const char
		*texts; /* ... its operation, itself as text, and why it is there, one after the other: see import_step */
};

enum import_text { IMPORT_OPERATION, IMPORT_STEP, IMPORT_WHY, IMPORT_TEXTS };

struct import_row {
	int number; /* as `import FILE N` takes it */
	int index;  /* in the log or module */
	int64_t count, line;
	int64_t runs;          /* how often it happens: `count`, or as often as loops run it */
	int64_t loop;          /* line of the innermost loop around it; 0: none */
	bool open;             /* a loop around it does not say how often */
	bool untaken;          /* it is in a branch that is not counted, as another one moves more */
	const char *from, *to; /* as the text has them; NULL: it has none, and the types stand for them */
	const char *name;      /* of the value; NULL: not said */
	const char *maker;     /* the operation that made it; NULL: not said */
	const char *source;    /* `FILE:LINE` of the program; NULL: not said */
	const sw_problem *own; /* its problem, where the row has it: ask import_problem, which knows those of logs, too */
	const sw_log_pair *pair;             /* of a log; NULL: it is of a module */
	sw_strategy planner;                 /* which system does so: xla or dtensor */
	const sw_plan *chain;                /* of a module: what the compiler does; NULL: it is of a log */
	const struct import_plan *now;       /* what the compiler does; NULL: see `why_now` */
	const struct import_plan *planned;   /* what there is better, else `now`; NULL: see `why` */
	double seconds_now, seconds_planned; /* predicted for one time; negative: not known */
	const sw_diag *why, *why_now;        /* NULL: nothing is wrong */
	const char *ends;                    /* of a chain: how its shardings are known; NULL: they are in the text */
	int asks;              /* of a warning: the pair of its log that is the constraint it is about; -1: none */
	int others;            /* of a warning, with its module: what else uses the value; -1: not known */
	bool at_most;          /* of a chain: a plan saves its saving or less */
	const char *means;     /* what the message says, in words; NULL: the pair says it all */
	const char *remark;    /* what was assumed; NULL: nothing */
	bool assumed;          /* nobody says the shape of the array */
	bool found_mesh;       /* the axes of its mesh have made-up names */
	struct group group;    /* of a warning */
	bool chosen;           /* of a warning, with its module: the partitioner chose where the value goes */
	const sw_whole *whole; /* `problem` is the one that the warning is about; NULL: it is as the warning says */
};

struct imports;

/* Adds what else programs read of a row. */
typedef bool import_fill(const struct imports *imports, const struct import_row *row, struct fields *in,
	sw_diag *diag);

struct imports {
	bool chains;         /* of a partitioned module */
	bool program;        /* of a StableHLO program; neither: of a log */
	int64_t times;       /* that all of it happens; `runs` of the rows count them */
	const char *machine; /* that seconds are predicted for */
	int count;
	const struct import_row *row; /* in the order of their numbers: by bytes as often as they run */
	const sw_traffic *traffic;    /* all collectives of a module or a program; NULL: it is none */
	double whole;                 /* bytes of all rows, or of all collectives of a module: what shares are of */
	const char *by;               /* a word of imports_rows: how they are ordered; NULL: by bytes */
	bool turned;                  /* the other way round */
	const char *fold;             /* which of them are one; NULL: each is one */
	int chosen;                   /* the number that is marked; 0: none */
	import_fill *fill;            /* NULL: nothing else */
	const void *context;          /* for `fill` */
};

/* Adds it in one line: "now 14 KiB, planned 1.8 KiB, f32[16,16]: FROM -> TO". */
void import_row_text(const struct import_row *row, sw_text *text);

/* Adds the operations of both plans: "alltoall, allgather; planned: allgather". */
void import_row_steps(const struct import_row *row, sw_text *text);

/* As rows in their order, `bytes`, `saved`, `time` or `line`, or folded by `line`, `loop` or `kind`.  Errors: L08, E01. */
bool imports_rows(const struct imports *imports, sw_arena *arena, struct rows *rows, sw_diag *diag);

/* Their columns alone, for these words. */
extern const struct rows imports_words;

/* "by what a plan saves" */
const char *imports_order_words(const char *by);

/* Fills `whole`. */
void imports_weigh(struct imports *imports);

/* Bytes of what the compiler does, or of the plan where that is not known, as often as it happens; -1: not known. */
double import_in_all(const struct import_row *row);

/* Where the heads of columns are on the canvas, and which row is the chosen one. */
struct import_heads {
	int64_t shown;                /* rows; 0: there are none */
	int chosen;                   /* of them, from 0 */
	const struct import_row *row; /* it, of a fold the first */
	int y, count;
	struct head_spot spot[TABLE_COLUMNS];
};

/* Draws them a row each, as high as it may be: the chosen one (from 0, of what is shown; else the last) in sight, and below all rows what it is, the
 * totals, and where there is room the collectives that are in none.  `heads` may be NULL.  Errors: L08, E01. */
bool imports_draw_list(const struct imports *imports, int chosen, int height, struct canvas *out,
	struct import_heads *heads, sw_diag *diag);

/* The row's problem, made in `room` where it is that of its pair; NULL: it is none. */
const sw_problem *import_problem(const struct import_row *row, sw_problem *room);

/* What is shown of a plan, in `arena`; NULL: no memory. */
const struct import_plan *import_plan_of(const sw_plan *plan, sw_arena *arena);

/* One text of step `k`. */
const char *import_step(const struct import_plan *plan, int k, enum import_text which);

/* Bytes that reach each device from others, of its largest tile, and of its peak memory; -1 without a plan. */
int64_t import_bytes(const struct import_plan *plan);
int64_t import_peak(const struct import_plan *plan);
int64_t import_live(const struct import_plan *plan);

/* Does nothing better replace what the compiler does? */
bool import_keeps(const struct import_row *row);

/* The bound that the compiler's plan is above, and what both plans have of it, in bytes; `what` NULL: it is above none. */
struct import_over {
	const char *what;
	int64_t now, planned;
};
struct import_over import_over(const struct import_row *row);

/* What the better plan saves in all the times that it happens; 0 where that is not known, or nothing. */
double import_saving(const struct import_row *row);

/* Seconds in all the times that it happens, by those of one time; 0 where they are not known. */
double import_seconds(const struct import_row *row, double once);

/* Over all rows that are planned both ways, as often as they occur. */
struct import_total {
	int64_t occurrences, runs;
	int64_t planned, failed, open;          /* rows */
	double bytes_now, bytes_planned, saved; /* saved: by the rows that save some, and surely */
	double at_most;                      /* the same, by the others: this or less, which is not counted as planned */
	double seconds_now, seconds_planned; /* predicted */
	int64_t peak_now, peak_planned;      /* the largest */
};
struct import_total import_sum(const struct imports *imports);

#endif
