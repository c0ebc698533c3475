/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What views of other things draw of schedules.
 */
#ifndef SHARDWALK_VIEWS_SCHEDULE_VIEWS_H
#define SHARDWALK_VIEWS_SCHEDULE_VIEWS_H

#include "views/views.h"

/* The needs of `in->schedule`, which is there. */
view_function schedule_needs;

/* Its arrays, at home and in the step; and the types of these: `in->formula` is its computation. */
view_function schedule_tiles, schedule_types;

#endif
