#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Ten thousand drawn schedules, each with one result: the test of the same name, longer.  SEED repeats a failure.
SCHEDULES=${SCHEDULES:-10000} exec "$BUILD/tests/test_schedule_fuzz"
