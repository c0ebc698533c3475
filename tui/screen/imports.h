/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of what was imported last.
 */
#ifndef SHARDWALK_SCREEN_IMPORTS_H
#define SHARDWALK_SCREEN_IMPORTS_H

#include "screen/model.h"

/* Takes the row under the cursor as the problem, and copies what `advise` says of it. */
void imports_copy(struct screen *screen);

#endif
