/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder for the files of one run.
 */
#ifndef SHARDWALK_LAUNCH_FOLDER_H
#define SHARDWALK_LAUNCH_FOLDER_H

#include <limits.h>
#include <stdbool.h>

#include <shardwalk/diag.h>

/* Makes it in $TMPDIR, or with `here` in the present folder, which several hosts may share, and begins its journal in it.
 * Folders in $TMPDIR that runs of this machine left when all their processes were killed at once are removed first, with what
 * their ranks left in shared memory.  *lock says that this one is alive, until it is closed everywhere.  Error: B02. */
bool folder_make(char path[PATH_MAX], bool here, int *lock, sw_diag *diag);

/* Removes the files in it, and it. */
void folder_remove(const char *path);

#endif
