/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blanks: parts on a path of layouts of which it is not said yet which they are (sw_moves_blank).
 */
#ifndef SW_SEARCH_BLANKS_H
#define SW_SEARCH_BLANKS_H

#include "search/layout.h"

/* Puts parts in place of the blanks of a path that begins at space->from: of each prime those that nothing else uses as long as
 * the blank is there.  false where that was not found; then the path is of no use. */
bool sw_name_blanks(const sw_space *space, sw_layout_path *path);

#endif
