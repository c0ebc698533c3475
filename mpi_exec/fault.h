/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Faults as values: what went wrong, with the exit status it leads to and what to do about it.
 */
#ifndef EX_FAULT_H
#define EX_FAULT_H

#include <stdbool.h>

#include <shardwalk/diag.h>

/* Exit statuses, the same as the front end's. */
enum { EX_DONE = 0, EX_NO = 1, EX_USAGE = 2, EX_LACKS = 3 };

typedef struct ex_fault {
	int status;   /* one of the above; EX_DONE: no fault */
	char code[4]; /* a row of SW_CODES, or "" */
	char message[768];
	char hint[320]; /* what to do; may be empty */
} ex_fault;

/* Fills a fault and returns false, so that a function can say `return ex_fault_set(...)`. */
bool ex_fault_set(ex_fault *fault, int status, const char *code, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
bool ex_fault_hint(ex_fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The fault that an engine's diagnostic means; returns false. */
bool ex_fault_of(ex_fault *fault, const sw_diag *diag);

/* Prints `shardwalk-exec: SUBJECT: message` and the hint on standard error with one write. */
void ex_fault_print(const ex_fault *fault, const char *subject);

/* Waits until whoever reads standard output and error has taken what was written, at most a second: MPICH's launcher
 * drops what it has not read when it hears of an abort. */
void ex_fault_deliver(void);

#endif
