/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An exchange as users of MPI write it: one MPI_Alltoallw over derived types, which say where in its tile the elements for each rank are.
 */
#ifndef EX_SUBARRAYS_H
#define EX_SUBARRAYS_H

#include <mpi.h>

#include "program.h"

/* The elements of a rank's old tile that go to `peer`, or of its new one that come of it, as one derived type with offsets from the
 * tile's begin; MPI_DATATYPE_NULL: there are none.  Boxes are subarrays; several are a struct of them.  It is freed by ex_subarrays_free. */
MPI_Datatype ex_subarrays_type(const ex_program *program, const ex_step *step, int peer, bool out);
void ex_subarrays_free(MPI_Datatype *type, int count);

#endif
