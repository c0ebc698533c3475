/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that grow while they are read: a log that a build writes, or a pipe.
 */
#ifndef SHARDWALK_HOST_TAIL_H
#define SHARDWALK_HOST_TAIL_H

#include <stdbool.h>
#include <sys/types.h>

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

struct tail {
	const char *name;
	int fd, watch; /* -1: none */
	bool grows;    /* its end is not the end: a pipe ends with its writers, a file never does */
	off_t at;
};

enum tail_state {
	TAIL_MORE,    /* bytes were added */
	TAIL_NOTHING, /* none came in time, or a signal did */
	TAIL_ANEW,    /* the file was cut, or another one has its name: it is read from its beginning */
	TAIL_END,     /* nothing can come any more */
	TAIL_FAILED
};

/* "-" is standard input; the name has to stay.  Error: B01. */
bool tail_open(struct tail *tail, const char *name, sw_diag *diag);

/* Adds what is there; where there is nothing it waits for it, at most so many milliseconds.  TAIL_FAILED: B01, E01. */
enum tail_state tail_read(struct tail *tail, int milliseconds, sw_text *text, sw_diag *diag);

void tail_close(struct tail *tail);

#endif
