/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When the program crashes: the terminal first, then a report.
 */
#ifndef SHARDWALK_SCREEN_CRASH_H
#define SHARDWALK_SCREEN_CRASH_H

#include <stdbool.h>

/* From here on the terminal's modes as they are now are what a crash brings back; `command` is where the
 * present one stands. */
void crash_guard(const char *command);

/* The picture took the terminal (its sequences are asked for now, not in the crash), or gave it back. */
void crash_take(bool taken);

#endif
