/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What ranks compute in how much time: a program of products and operations by element of several sizes, for `calibrate`.
 */
#ifndef SHARDWALK_LAUNCH_KERNELS_H
#define SHARDWALK_LAUNCH_KERNELS_H

#include "command/command.h"
#include "launch/launch.h"
#include "session/calibration.h"

/* Executes it on as many ranks as the options say, and fills the rates of the kernels.  None where that could not be measured.  Errors
 * as of a launch.  What it finds lives in `arena`. */
bool kernels_measure(const struct invocation *run, const struct launch_options *options, sw_arena *arena,
	struct calibration *calibration, sw_diag *diag);

#endif
