/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paths of the program's own files.
 */
#ifndef SHARDWALK_HOST_PATHS_H
#define SHARDWALK_HOST_PATHS_H

#include <shardwalk/text.h>

/* Adds the path of the configuration, $XDG_CONFIG_HOME/shardwalk/config; nothing where there is no home. */
void path_config(sw_text *path);

/* Adds the path of the history, $XDG_STATE_HOME/shardwalk/history; nothing where there is no home. */
void path_history(sw_text *path);

/* Adds the path of what `calibrate` measured, $XDG_STATE_HOME/shardwalk/calibration.json. */
void path_calibration(sw_text *path);

/* The command line of the program that scrolls, NULL where there is none. */
const char *pager_program(void);

/* Adds all of them for `info`. */
void paths_print(sw_text *text);

#endif
