/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared memory that ranks of a run left behind when they were killed.
 */
#ifndef SHARDWALK_LAUNCH_LEFTOVERS_H
#define SHARDWALK_LAUNCH_LEFTOVERS_H

/* In the folder of a run: the file in which its ranks write down what they are about to give a name to. */
#define JOURNAL "journal"
#define JOURNAL_VARIABLE "SHARDWALK_JOURNAL"

/* Removes what the journal of this folder names and is still there, once the ranks are gone.  Nothing of anybody else: a file
 * counts by its name, its device and its inode, a segment by its key and the process that made it. */
void leftovers_remove(const char *folder);

#endif
