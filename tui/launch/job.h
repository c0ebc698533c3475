/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job: plans in files, launched once or several times, and what was measured.
 */
#ifndef SHARDWALK_LAUNCH_JOB_H
#define SHARDWALK_LAUNCH_JOB_H

#include <shardwalk/planned.h>

#include "command/command.h"
#include "session/calibration.h"
#include "launch/launch.h"

#define JOB_PLANS 256

struct job {
	const struct invocation *run;
	struct live_run live; /* how far it is; the session points to it */
	struct programs programs;
	struct launch_options options;
	struct calibration calibration;
	sw_arena *arena; /* of the result */
	struct records records;
	char folder[PATH_MAX]; /* "" until it is made */
	int lock;              /* of the folder */
	int count;
	const sw_plan *plan[JOB_PLANS]; /* with names */
	const char *file[JOB_PLANS];
	const sw_program *planned[JOB_PLANS]; /* programs in place of plans; NULL: there are none */
	bool other[JOB_PLANS];                /* it takes other steps than its program: the executor predicts them */
	double predicted;                     /* of its steps so far; NAN: not of all */
	bool lines;                           /* print the records as they come */
	bool told_hosts;                      /* that there are fewer than `--hosts` names */
	int present;                          /* plan that runs */
	sw_machine machine;                   /* for it */
};

/* Reads what `run` and `calibrate` tell every launch.  Errors: L11 to L13. */
struct launch_options run_options(const struct invocation *run);

/* `run` and `lines` are set.  Finds the programs, makes the folder, reads the calibration.  Errors: E02, B02, E01.  Ends with job_end. */
bool job_start(struct job *job, const char *what, sw_diag *diag);

/* Adds a plan under a name of its own, as a file with maps.  Errors: S08, B02, L13. */
bool job_add(struct job *job, const sw_plan *plan, const char *name, sw_diag *diag);

/* Adds a program as a file, under the name of its function, which no other of the job has.  Errors: S08, B02, L13. */
bool job_add_program(struct job *job, const sw_program *planned, sw_diag *diag);

/* How many hosts `--hosts` names; 0: it was not given. */
int job_hosts(const struct job *job);

/* Adds the command line of a launch of one plan, from the file plan.json. */
void job_print(const struct job *job, sw_text *text);

/* How many launches there will be in all: for those who watch. */
void job_expect(struct job *job, int launches);

/* Launches all plans once, the first of them being number `first`, the others after it in a ring. */
bool job_launch(struct job *job, int first, sw_diag *diag);

/* Keeps what was measured as a result of the session; NULL where nothing was. */
const struct kept_run *job_keep(struct job *job);

void job_end(struct job *job);

#endif
