/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The machine that models in seconds speak of: a row of hardware by its name, a person's own rows among them, or what
 * `calibrate` measured here.
 */
#ifndef SHARDWALK_SESSION_MACHINE_H
#define SHARDWALK_SESSION_MACHINE_H

#include <stdbool.h>

#include <shardwalk/cost.h>
#include <shardwalk/diag.h>
#include <shardwalk/hardware.h>
#include <shardwalk/plan.h>

#define CALIBRATED_NAME "calibrated" /* the machine in front of you: a model, and no row */

/* The n-th row: those of the table, then those that were defined.  NULL after the last. */
const sw_hardware *hardware_at(int n);
const sw_hardware *hardware_named(sw_str name, sw_diag *diag); /* S11 with the nearest name */

/* What defined the n-th row, "20GB/s 3us"; NULL for rows of the table. */
const char *hardware_rates(int n);

/* Defines a row, or defines it anew.  Errors: L11, L12 with the position in `text`; S11 for a name that the table has. */
bool hardware_define(sw_str name, sw_str text, sw_diag *diag);

/* Does a model speak of hardware that is chosen by its name? */
static inline bool model_has_hardware(sw_model model)
{
	return sw_model_is_timed(model) && model != SW_MODEL_CALIBRATED && model != SW_MODEL_PORTS;
}

/* The machine of a model for so many devices; NULL for models that count elements.  It stays where it is until the program
 * ends.  `calibrated` where nothing was measured here: S10. */
bool machine_find(sw_model model, const char *hardware, int64_t devices, const sw_machine **machine, sw_diag *diag);

/* Times a plan and its steps by a machine; false where that says nothing of a step: the plan stays as it is. */
bool machine_time_plan(const sw_machine *machine, sw_plan *plan);

#endif
