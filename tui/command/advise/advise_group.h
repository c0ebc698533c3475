/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What advise says where a warning of XLA may be about one group of devices.
 */
#ifndef SHARDWALK_COMMAND_ADVISE_GROUP_H
#define SHARDWALK_COMMAND_ADVISE_GROUP_H

#include <shardwalk/advise.h>

#include "command/import/warned.h"

/* "dimension 0 from 4 parts to 2", of each dimension whose number of parts changes. */
void advise_moves(const sw_type *from, const sw_type *to, sw_text *text);

/* What moves between which dimensions, hop by hop: all that can be said of a group without code. */
void advise_group_moves(const sw_advice *advice, const struct warning *warning, sw_text *text);

/* What to type so that the whole problem is known, and where it is found. */
void advise_group_asks(const struct warning *warning, const struct group *group, sw_text *text);

#endif
