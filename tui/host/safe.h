/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The read-only mode: nothing is run, written or started.  Once begun it lasts as long as the program.
 */
#ifndef SHARDWALK_HOST_SAFE_H
#define SHARDWALK_HOST_SAFE_H

#include <stdbool.h>

#include <shardwalk/diag.h>

void safe_begin(void);
bool safe_is_on(void);

/* Where the mode is on: refuses with L15 what would be done, "'x.svg' would be written", and is true. */
bool safe_refuses(sw_diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Why a file may be another's work, "it belongs to another user"; NULL: it is one's own, or none. */
const char *safe_elsewhere(const char *name);

#endif
