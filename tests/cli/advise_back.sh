#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Lines for a value whose program is differentiated: JAX transposes them into lines for its gradient.  What both promise is what is saved,
# to the byte: the same program was compiled with the lines and without.
. "$SRC/tests/lib.sh"
modules=$SRC/tests/cases/modules
log=$modules/back.log before=$modules/back-before.hlo

advised() { # ROW OPTION
	status "advice about row $1 $2" 0 "$SHARDWALK" -c "import $log $1 --module $before --mesh '{h: 2, w: 4}'; advise $2"
}
advised 1
holds 'has the line that was written' '^x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("h", None, "w")))$'
holds 'and the other' '^x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P(("h", "w"), None, None)))$'
holds 'says that the gradient takes them' '^The program differentiates x: JAX transposes the lines,'
holds 'with the bytes of the way back' '^320 KiB there in place of 1.8 MiB, of which row 2 of the import warns\.$'
holds 'and, where nothing else uses the value, what is sure' '^Nothing else in the module uses x: forward, the lines save as much as stated; backward, that'
holds 'and how often the lines are needed' '^The warning came 2 times, about similar values: each needs lines of its own\.$'
status 'without the module' 0 "$SHARDWALK" -c "import $log 1; advise"
holds 'nobody knows what else uses the value' '^Other uses of x, in the gradient too, get it as the last line leaves it, and may move more or less\.$'
status 'in JSON' 0 "$SHARDWALK" -c "import $log 1; advise --json"
holds 'neither' '"other_uses": null, "bound": null, "unsure": null'
status 'with the module' 0 "$SHARDWALK" -c "import $log 1 --module $before; advise --json"
holds 'it is counted' '"other_uses": 0, "bound": null, "unsure": null'
sed 's/^\(.*\)%sharding_constraint\.1 = .*$/&\n  %used.1 = f32[16,64,512]{2,1,0} negate(%sharding_constraint.1)/' "$before" >"$TMP/used.hlo"
status 'a value that something else uses' 0 "$SHARDWALK" -c "import $log 1 --module $TMP/used.hlo; advise"
holds 'in the module' '^Other uses of x, in the gradient too, get it as the last line leaves it, and may move more or less:$'
holds 'which is counted' '^1 other operation of the module\.$'
advised 2
holds 'of a gradient' '^For the forward value, write the lines as they are\. Where it goes the way back'
holds 'names the row of the value' 'of which row 1 of the import warns\.$'
status 'ends that were typed' 0 "$SHARDWALK" -c \
	"import $log 1 --module $before; redistribute f32[16, 8{a}16] ~> [8{a}16, 16]; advise"
lacks 'are of no gradient' 'transposes the lines'
status 'another system' 0 "$SHARDWALK" -c "import $log 1 --module $before; advise --for shardy"
lacks 'has no such sentence' 'transposes the lines'

# Where nothing in the module has the second sharding of row 3 XLA chose it itself.
sed 's/devices=\[1,1,2,1,4\]<=\[8\] last_tile_dim_replicate/replicated/' "$before" >"$TMP/chosen.hlo"
status 'a sharding that the partitioner chose' 0 "$SHARDWALK" -c "import $log 3 --module $TMP/chosen.hlo; advise"
holds 'is of all devices of the module' 'all 8 devices are in it'
holds 'has its reason' '^note *nothing in the module asks for the second sharding: '
holds 'and advice that may turn out otherwise' '^The partitioner chose the second sharding for'
holds 'no promise about the warning' 'Compile again to see'
status 'the module of another program' 0 "$SHARDWALK" -c "import $log 3 --module $modules/frames-before.hlo; advise"
lacks 'has no such value' 'the partitioner chose'

if command -v python3 >/dev/null; then
	advised 1 --json
	cp "$TMP/out" "$TMP/advice"
	"$SHARDWALK" import "$modules/back-without.hlo" --json >"$TMP/without" 2>/dev/null
	"$SHARDWALK" import "$modules/back-with.hlo" --json >"$TMP/with" 2>/dev/null
	status 'what is promised is saved, to the byte' 0 python3 - "$TMP/advice" "$TMP/without" "$TMP/with" <<'END'
import json, sys
advice = json.loads(open(sys.argv[1]).read().splitlines()[-1])
without, with_lines = (json.load(open(name))["traffic"]["bytes"] for name in sys.argv[2:])
assert (without, with_lines) == (12419335, 9404679), (without, with_lines)
back = advice["back"]
assert back["row"] == 2, back
promised = advice["now"]["received_bytes"] - advice["then"]["received_bytes"] + back["bytes_now"] - back["bytes_then"]
assert promised == without - with_lines, (promised, without - with_lines)
END
else
	skip 'what is promised is saved, to the byte' 'no python3'
fi


# A product of an einsum has its dimensions in XLA's order.
. "$SRC/tests/cli/lib_warning.sh"
warn '{devices=[2,4,1]<=[8]}' '{devices=[1,1,8]<=[8]}' '%dot = f32[8,4,64]{2,1,0} dot(%p, %q)' >"$TMP/product.log"
warn '{devices=[2,4,1]<=[8]}' '{devices=[1,1,8]<=[8]}' '%copy = f32[8,4,64]{2,1,0} copy(%p)' >"$TMP/copy.log"
status 'advice about a product' 0 "$SHARDWALK" -c "import $TMP/product.log; advise"
holds 'says whose order its dimensions have' "^x is a product with its dimensions in XLA's order"
status 'about a copy' 0 "$SHARDWALK" -c "import $TMP/copy.log; advise"
lacks 'does not' 'is a product'
finish
