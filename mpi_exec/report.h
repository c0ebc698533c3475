/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What records of a plan and of a program have in common.
 */
#ifndef EX_REPORT_H
#define EX_REPORT_H

#include "options.h"
#include "probe.h"
#include "result.h"
#include "timing.h"

/* Whose records they are. */
typedef struct ex_report {
	ex_team *team;
	const ex_options *options;
	ex_result *result;
	const char *file, *name;
	sw_arena *arena;
	const sw_text *text; /* of the file */
	ex_usage usage;      /* when it began */
} ex_report;

/* Which transport was chosen; false where it cannot be had. */
bool ex_report_transport(const ex_report *report, ex_transport *transport, ex_fault *fault);

/* The start; `more` is what a program has beside, or NULL. */
void ex_report_start(const ex_report *report, ex_transport transport, const ex_probe *at_first, sw_record *more);

/* Times into a record, and all of them into the samples. */
void ex_report_times(sw_record *record, const ex_timed *timed, int64_t bytes);
void ex_report_samples(const ex_report *report, const char *what, int step, const ex_timed *timed);

void ex_report_machine(const ex_report *report);
void ex_report_complete(const ex_report *report, bool right);

/* Did the records get out?  Asked after every one, so that a full disk ends the run and not the patience. */
bool ex_report_written(const ex_report *report, ex_fault *fault);

/* Tells a fault; its status. */
int ex_report_fault(const ex_report *report, const ex_fault *fault);

#endif
