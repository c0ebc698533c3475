/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Predicted times over the size.
 */
#ifndef SHARDWALK_VIEWS_SWEEP_H
#define SHARDWALK_VIEWS_SWEEP_H

#include "views/views.h"

bool sweep_draw(const struct view_input *in, const struct view_options *opt, struct canvas *out);

#endif
