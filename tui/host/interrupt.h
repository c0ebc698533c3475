/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signals.
 *
 * The first signal asks the work to stop; where nothing asks, a second one ends the program at once.
 */
#ifndef SHARDWALK_HOST_INTERRUPT_H
#define SHARDWALK_HOST_INTERRUPT_H

#include <stdbool.h>

#include <shardwalk/diag.h>

/* Listens to SIGINT, SIGTERM, SIGHUP and SIGQUIT; SIGPIPE is left to the writers. */
void interrupt_install(void);

/* The signal that came, 0 where none did. */
int interrupt_signal(void);
void interrupt_clear(void);

/* A pulse that a signal stops. */
const sw_pulse *interrupt_pulse(void);

/* With a person at the prompt no number of Ctrl-C ends the program. */
void interrupt_patient(bool yes);

/* What else a prompt wants to know; interrupt_events returns and forgets it. */
enum interrupt_event {
	INTERRUPT_RESIZE = 1,  /* the window has another size */
	INTERRUPT_STOP = 2,    /* Ctrl-Z: the terminal is to be given back, then interrupt_suspend called */
	INTERRUPT_CONTINUE = 4 /* the program goes on, perhaps on a terminal that a shell has used */
};
void interrupt_listen(void);
unsigned interrupt_events(void);

/* While a line is edited Ctrl-Z waits to be heard; else it stops the program at once. */
void interrupt_hold_stop(bool yes);

/* Stops the program as Ctrl-Z does; returns when it goes on. */
void interrupt_suspend(void);

/* A file descriptor that becomes readable when a signal comes: for a prompt that waits.  -1 where there is none. */
int interrupt_wake(void);

#endif
