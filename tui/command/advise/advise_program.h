/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice for products: the present program's, or the last one that was asked for.
 */
#ifndef SHARDWALK_COMMAND_ADVISE_PROGRAM_H
#define SHARDWALK_COMMAND_ADVISE_PROGRAM_H

#include <shardwalk/advise.h>

#include "command/command.h"

/* Is `advise` about a product or a program: that came last, and no ends of a redistribution are typed with it? */
bool advise_program_asked(const struct invocation *run);

/* Answers with the constraints to add at each product.  Errors: L02 at an option that programs do not have, L07, A10 where types are
 * open, those of ways and of machines. */
bool advise_program(struct invocation *run, sw_advise_target target, sw_diag *diag);

#endif
