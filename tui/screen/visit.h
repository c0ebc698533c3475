/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where one looks: the view, its layout, and the way back.
 */
#ifndef SHARDWALK_SCREEN_VISIT_H
#define SHARDWALK_SCREEN_VISIT_H

#include "screen/model.h"

/* The screen of a session, made when first asked for; NULL: no memory. */
struct screen *screen_of(struct session *session);

/* Where one looks before anything was chosen. */
struct viewpoint viewpoint_at_first(void);

/* Goes to a view, in the layout that shows it best. */
void screen_visit(struct screen *screen, int view);
void screen_layout_set(struct screen *screen, int layout);

/* The view before or after, as it was left. */
void screen_trail(struct screen *screen, int direction);

#endif
