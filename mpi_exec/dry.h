/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dry runs: what every rank would copy and send, said without MPI.
 */
#ifndef EX_DRY_H
#define EX_DRY_H

#include "options.h"

/* Prints it for one plan on standard output, or for each redistribution of a program, with the memory and the command line that it
 * needs; the status. */
int ex_dry_run(const ex_options *options, const char *file);

#endif
