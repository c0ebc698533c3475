# SPDX-License-Identifier: GPL-3.0-or-later
#
# A warning of XLA's partitioner as a log has it, on standard output: `. "$SRC/tests/cli/lib_warning.sh"`.

warn() { # FROM TO VALUE
	printf '%s %s %s %s %s %s %s\n' 'W1121 00:29:04.6 11855 spmd_partitioner.cc:656] [SPMD] Involuntary full rematerialization. The' \
		'compiler cannot go from sharding' "$1" to "$2" 'efficiently for HLO operation' \
		"$3. As the last resort, SPMD will replicate the tensor and then partition it to obtain the target sharding."
}
