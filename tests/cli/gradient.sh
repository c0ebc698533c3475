#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Warnings about gradients: a constraint on the value that is differentiated is transposed.
. "$SRC/tests/lib.sh"
log=$SRC/tests/cases/modules/constraint-gradient.log

status 'a warning about a value' 0 "$SHARDWALK" import "$log" 1
holds 'is of what comes forwards' '^value  %mul.3, '
lacks 'which is no gradient' '^gradient '
status 'a warning about what comes back' 0 "$SHARDWALK" import "$log" 2
holds 'is of a gradient' '^gradient  differentiation makes it: JAX transposes a constraint on the$'
