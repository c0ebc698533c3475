/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tour: a newcomer's first minute, one short step at a time.
 *
 * session->tour is the step that was shown last.  The prompt goes on with an empty line and leaves with `q`; in between
 * every command works.  Where nobody is there who could press Enter, the steps follow each other.
 */
#ifndef SHARDWALK_COMMAND_TOUR_H
#define SHARDWALK_COMMAND_TOUR_H

#include "session/session.h"

/* How many steps there are. */
int tour_length(void);

#endif
