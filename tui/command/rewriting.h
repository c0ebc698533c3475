/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `show rewriting`: the film of a sequence, or of how the strategy `paper` came to its plan.
 */
#ifndef SHARDWALK_COMMAND_REWRITING_H
#define SHARDWALK_COMMAND_REWRITING_H

#include <shardwalk/film.h>

#include "command/command.h"

/* The sequence of these steps by hand; of none what one would write without thinking.  NULL: L07, T09, E01. */
sw_sequence *sequence_start(struct session *session, const struct hand_step *hand, sw_diag *diag);

/* The film of the steps that `normalize` last began with while its normal form stands, else of the steps by hand.  The
 * caller frees it. */
sw_film *session_film(struct session *session, sw_diag *diag);

/* The film that is asked for: that of the session, with the word `paper` of that strategy.  The caller frees it. */
sw_film *read_film(const struct invocation *run, sw_diag *diag);

#endif
