/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How sure it is that the lines of advice save what they say, and of what.
 */
#ifndef SHARDWALK_COMMAND_ADVISE_SURE_H
#define SHARDWALK_COMMAND_ADVISE_SURE_H

#include "session/session.h"
#include "views/advice.h"

/* Of the value of a warning: how often it came, what else uses the value, and whether the partitioner chose where it goes. */
void advise_sure_warning(const struct advice_picture *picture, sw_text *text);

/* Of the row of a module that was imported last: what is a bound, and, where there are lines, why they may save more or less. */
void advise_sure_row(const struct kept_left_out *kept, bool lines, sw_text *text);

#endif
