/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that reads what we write: the pager, or what a user puts behind '|'.
 *
 * Ctrl-C is for both of us.  A signal that ends this program (SIGTERM, SIGHUP) ends the other one first, whether it reads
 * or waits for keys.
 */
#ifndef SHARDWALK_HOST_PIPED_H
#define SHARDWALK_HOST_PIPED_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <termios.h>

struct piped {
	FILE *in;  /* what it reads; a write fails with EPIPE where it reads no more, and where this program is to end */
	int to;    /* our end of the pipe; never blocks */
	pid_t pid; /* of the shell that runs it */
	bool terminal;
	struct termios modes; /* of the terminal before it */
};

/* Starts a line of the shell; the struct keeps its place until piped_end.  False: errno says why. */
bool piped_start(struct piped *piped, const char *line);

/* Ends its input and waits for its end.  The status is that of waitpid.  Where it had to be ended, the terminal has its modes
 * from before. */
int piped_end(struct piped *piped);

#endif
