#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A large function that is called with many shardings is not gone through for each of them, and what it moves is counted all the
# same: it is no program, but there is a table.
. "$SRC/tests/lib.sh"

shardings='{"a"},{} {},{"a"} {"b"},{} {},{"b"} {"c"},{} {},{"c"} {"a"},{"b"} {"b"},{"a"} {"a"},{"c"} {"c"},{"a"} {"b"},{"c"} {"c"},{"b"}'
awk -v shardings="$shardings" 'BEGIN {
	type = "tensor<64x64xf32>"
	print "module @m attributes {mhlo.num_partitions = 8 : i32} {\n  sdy.mesh @mesh = <[\"a\"=2, \"b\"=2, \"c\"=2]>"
	printf "  func.func public @main(%%arg0: %s) -> %s {\n", type, type
	count = split(shardings, each, " ")
	for (k = 1; k <= count; k++) {
		gsub(",", ", ", each[k])
		printf "    %%%d = sdy.sharding_constraint %%arg0 <@mesh, [%s]> : %s\n", 2 * k, each[k], type
		printf "    %%%d = func.call @g(%%%d) : (%s) -> %s\n", 2 * k + 1, 2 * k, type, type
	}
	printf "    return %%arg0 : %s\n  }\n  func.func private @g(%%arg0: %s) -> %s {\n", type, type, type
	printf "    %%0 = \"stablehlo.all_gather\"(%%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : "
	printf "tensor<1x8xi64>}> : (%s) -> tensor<512x64xf32>\n    %%1 = stablehlo.negate %%arg0 : %s\n", type, type
	for (k = 2; k <= 120000; k++)
		printf "    %%%d = stablehlo.negate %%%d : %s\n", k, k - 1, type
	printf "    return %%120000 : %s\n  }\n}\n", type
}' >"$TMP/large.mlir"
status 'a function of 120,000 operations' 0 "$SHARDWALK" --json -c "import $TMP/large.mlir"
says 'is counted twelve times' '"traffic": {"bytes": 1376256,'
holds 'and it is said where the bound was met' \
	"^line 2[0-9]: '@g' and others are called with more than [0-9]* different shardings of their arguments" "$TMP/err"
says 'it is no program' 'not read as a program: line' "$TMP/err"
finish
