/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planning under models in seconds.
 */
#ifndef SW_PLAN_FIND_TIMED_H
#define SW_PLAN_FIND_TIMED_H

#include "plan/finder.h"

/* Considers the plans that are cheapest by sizes, and for the strategies exact and fused what a search over layouts finds, each
 * priced by the machine.  Fills f->best up to its groups.  false: see f->diag; f->any tells whether there is one. */
bool sw_find_timed(sw_finder *finder);

#endif
