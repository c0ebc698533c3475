/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of the MPI program around the tables of a plan, in parts; a part is written where the plan needs it.
 *
 * The parts stand as C in engine/emit/mpi/ (NAME.c.in), where a unit test compiles and runs them; engine/emit/quote.awk makes
 * texts of them.
 */
#include "emit/mpi_body.h"

#include <stddef.h>

const sw_mpi_part sw_mpi_head[] = {
#include "emit/mpi/head.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_digit[] = {
#include "emit/mpi/digit.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_middle[] = {
#include "emit/mpi/steps.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_calls[] = {
#include "emit/mpi/calls.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_calls_sums[] = {
#include "emit/mpi/calls_sums.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_calls_stored[] = {
#include "emit/mpi/calls_stored.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_large[] = {
#include "emit/mpi/large.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_adding[] = {
#include "emit/mpi/adding.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_products[] = {
#include "emit/mpi/products.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_program[] = {
#include "emit/mpi/program.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_gpus[] = {
#include "emit/mpi/gpus.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_pieces[] = {
#include "emit/mpi/pieces.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_stored[] = {
#include "emit/mpi/stored.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_formulas[] = {
#include "emit/mpi/formulas.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_schedule_head[] = {
#include "emit/mpi/schedule_head.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_schedule[] = {
#include "emit/mpi/schedule.parts"
	{0, NULL},
};

const sw_mpi_part sw_mpi_scalapack[] = {
#include "emit/mpi/scalapack.parts"
	{0, NULL},
};
