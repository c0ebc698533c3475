#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What if a constraint were not there?  One program of JAX with a constraint on the way, and the same without: what is promised is saved.
. "$SRC/tests/lib.sh"
modules=$SRC/tests/cases/modules

status 'a StableHLO program' 0 "$SHARDWALK" import "$modules/constraint-with.loc.mlir"
holds 'asks for a sharding on the way' '^without some constraints on the way:$'
holds 'in a line of the program' '^  without the constraint %5, b.py:13, each device receives 192 KiB in place of'
holds 'and once more backwards' '^  without the constraint %52, b.py:13, each device receives 192 KiB in place'
status 'without places' 0 "$SHARDWALK" import "$modules/constraint-with.mlir"
holds 'it is the same' '^  without the constraint %5, each device receives 192 KiB in place of 768 KiB$'
status 'the module that is compiled' 0 "$SHARDWALK" import "$modules/constraint-with.hlo"
holds 'knows the line too' '^  without the constraint before %dynamic-slice.26, b.py:13, each device'
holds 'and says where a plan is a bound though a constraint is there' '^    the program constrains the sharding on the way, not only at the ends'
holds 'as its total does' 'The savings of all plans add up to 576 KiB'
status 'the same without the line' 0 "$SHARDWALK" import "$modules/constraint-without.mlir"
lacks 'asks for nothing on the way' 'without some constraints'
status 'nor does its module' 0 "$SHARDWALK" import "$modules/constraint-without.hlo"
lacks 'when it is compiled' 'without some constraints'
equal 'and no more rows are bounds than have a plan' 2 "$(grep -c 'saves this or less$' "$TMP/out")"

for row in 1 3; do
	status "advice about row $row" 0 "$SHARDWALK" -c "import $modules/constraint-with.loc.mlir $row; advise"
	holds 'proposes it' '^Leave a constraint out of your program:$'
	holds 'with its line' '^without the constraint %5*2*, b.py:13, each device receives 192 KiB in place of 768 KiB$'
done
status 'a row that was taken later' 0 "$SHARDWALK" -c "import $modules/constraint-with.hlo; import --take 3; advise"
holds 'has it too' '^Leave a constraint out of your program:$'
status 'other ends' 0 "$SHARDWALK" -c \
	"import $modules/constraint-with.loc.mlir 1; redistribute [16, 8{dp}16, 32] ~> [16, 16, 32]; advise"
lacks 'have none' 'Leave a constraint'
status 'in JSON' 0 "$SHARDWALK" -c "import $modules/constraint-with.loc.mlir 1; advise --json"
holds 'too' '"left_out_constraint": "without the constraint %5, '

if command -v python3 >/dev/null; then
	"$SHARDWALK" import "$modules/constraint-with.hlo" --json >"$TMP/with" 2>/dev/null
	"$SHARDWALK" import "$modules/constraint-without.hlo" --json >"$TMP/without" 2>/dev/null
	status 'what is promised is saved, to the byte' 0 python3 - "$TMP/with" "$TMP/without" <<'END'
import json, sys
there, gone = (json.load(open(name)) for name in sys.argv[1:])
promised = sum((o["bytes_now"] - o["bytes_without"]) * o["runs"] for o in there["left_out_constraints"])
assert there["traffic"]["bytes"] == 3014666, there["traffic"]["bytes"]
assert gone["traffic"]["bytes"] == 1835018, gone["traffic"]["bytes"]
assert promised == 3014666 - 1835018, promised
assert gone["left_out_constraints"] == []
END
else
	skip 'what is promised is saved' 'no python3'
fi

# A value that something else uses as well keeps its constraint.
sed 's/^\( *\)return .*/\1%used = stablehlo.negate %5 : tensor<16x64x512xf32>\n&/' "$modules/constraint-with.mlir" >"$TMP/used.mlir"
status 'a value that is used' 0 "$SHARDWALK" import "$TMP/used.mlir"
lacks 'keeps its constraint' 'without the constraint %5,'
holds 'others may still be left out' 'without the constraint %52,'
