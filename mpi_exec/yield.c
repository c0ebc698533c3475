/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two functions of UCX that this program replaces for the MPI library it is linked with.  MPICH 4.0 never gives
 * up the processor while it waits; with more ranks than cores one barrier then takes tens of milliseconds.  And its
 * MPI_Finalize can hang over TCP, where ranks wait for a flush while others already left.
 * On MPI libraries without UCX both are never called.  They must be visible to the dynamic linker (`nm -D`).
 */
#define _GNU_SOURCE
#include "yield.h"

#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>

enum { EMPTY_POLLS = 20 };

static unsigned long calls;

__attribute__((visibility("default"))) unsigned ucp_worker_progress(void *worker);
__attribute__((visibility("default"))) void *ucp_disconnect_nb(void *endpoint);

unsigned ucp_worker_progress(void *worker)
{
	static unsigned (*progress)(void *);
	static unsigned empty;
	if (!progress)
		*(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
	calls++;
	unsigned events = progress(worker);
	if (events) {
		empty = 0;
	} else if (++empty > EMPTY_POLLS) {
		empty = 0;
		sched_yield();
	}
	return events;
}

void *ucp_disconnect_nb(void *endpoint)
{
	(void)endpoint;
	return NULL;
}

bool ex_yield_called(void)
{
	return calls > 0;
}
