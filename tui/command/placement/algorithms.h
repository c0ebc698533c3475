/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare for sums over axes of a placement: published algorithms side by side, and measured seconds of a file.
 */
#ifndef SHARDWALK_COMMAND_ALGORITHMS_H
#define SHARDWALK_COMMAND_ALGORITHMS_H

#include "command/command.h"

/* Is the present problem nothing but a sum over axes that are placed, and the model `ports`? */
bool algorithms_are_asked(const struct invocation *run);

bool compare_algorithms(struct invocation *run, sw_diag *diag);

/* The word that stands for the cells which are installed with the samples, in place of a file. */
#define PUBLISHED "published"

/* Is it that word, or does the file hold lines with the keys allreduce_s and optimal_s?  What it holds is added to `text`. */
bool measured_are_in(const struct invocation *run, const struct word *file, sw_text *text);

bool compare_measured(struct invocation *run, const struct word *file, const sw_text *text, sw_diag *diag);

#endif
