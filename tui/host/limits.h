/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the system allows a run to use.
 */
#ifndef SHARDWALK_HOST_LIMITS_H
#define SHARDWALK_HOST_LIMITS_H

#include <stdbool.h>

#include <shardwalk/diag.h>

/* May the launcher, and each of so many ranks on this host, open as many files as they need?  Error: E04, with numbers. */
bool limits_allow_ranks(int ranks, sw_diag *diag);

/* In the launcher's process: takes what it may have. */
void limits_raise(void);

/* Is this why a program could not be started?  Then E04 says so. */
bool limits_are_why(const char *program, int error, sw_diag *diag);

#endif
