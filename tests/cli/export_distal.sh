#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Schedules in the words of their paper: what is exported is imported as the same, and computes the same.
. "$SRC/tests/lib.sh"

of() { # KEY COMMANDS
	"$SHARDWALK" --quiet --json -c "$2" 2>"$TMP/err" | sed -n "s/.*\"$1\": *\(\"[^\"]*\"\|[-0-9]*\).*/\1/p" | tail -1
}

both() { # WHAT COMMANDS
	"$SHARDWALK" --quiet -c "$2
export distal $TMP/p.distal" >"$TMP/out" 2>"$TMP/err" || not_ok "$1" "$(head -c 300 "$TMP/err")"
	equal "$1: the notation" "$(of notation "$2
schedule")" "$(of notation "import $TMP/p.distal
schedule")"
	equal "$1: the checksum" "$(of checksum "$2
simulate")" "$(of checksum "import $TMP/p.distal
simulate")"
}

product='type A = f64[9, 9] xy->xy
type B = f64[9, 9] xy->xy
type C = f64[9, 9] xy->xy
compute A(i,j) = B(i,k) * C(k,j)'
both 'Cannon' "mesh {x: 3, y: 3}
$product
schedule cannon"
both 'sums over nodes' 'mesh {x: 2; y: 2}
type B = f64[6, 3, 5] [xyz->x, xyz->x]
type C = f64[6, 3, 5] [xyz->x, xyz->x]
type a = f64[] [->0, ->0]
compute a = B(i,j,k) * C(i,j,k)
schedule innerprod'
equal 'Cannon of the paper' 7375 "$(of checksum "mesh {x: 3, y: 3}
$product
schedule cannon
simulate")"
refused 'no schedule' L07 'there is no formula yet' "$SHARDWALK" -c "export distal $TMP/none"
refused 'a placement that it cannot say' P06 'cannot be expressed' "$SHARDWALK" -c "mesh {x: 4}
type A = f64[1{x,..}12]
type B = f64[12] x->x
compute A(i) = B(i)
schedule .distribute(i, io, ii, Grid(4))
export distal $TMP/none"
refused 'no schedules in JAX' P06 'says no schedules' "$SHARDWALK" -c "mesh {x: 3, y: 3}
$product
schedule cannon
export jax $TMP/none program"

# ---- all that was recorded, and the samples ----
cases=$CASES/distal-schedules.jsonl
if command -v python3 >/dev/null; then
	mkdir "$TMP/written"
	python3 "$SRC/tests/cli/export_distal_check.py" "$cases" "$TMP/written" >"$TMP/script.sw"
	"$SHARDWALK" --quiet --json "$TMP/script.sw" >"$TMP/answers" 2>"$TMP/err"
	python3 "$SRC/tests/cli/export_distal_check.py" "$cases" "$TMP/written" "$TMP/answers" >"$TMP/out" 2>&1 &&
		ok 'all recorded schedules are written and read' ||
		not_ok 'all recorded schedules are written and read' "$(head -c 600 "$TMP/out")"
else
	skip 'all recorded schedules are written and read' 'there is no python3'
fi

read_back=0
cd "$SRC" || exit
for sample in samples/schedules/*.sw; do
	rm -f "$TMP/p.distal"
	before=$(of notation "$(grep -v '^run' "$sample")
export distal $TMP/p.distal
schedule")
	[ -f "$TMP/p.distal" ] || continue
	read_back=$((read_back + 1))
	equal "$(basename "$sample") is read back" "$before" "$(of notation "import $TMP/p.distal
schedule")"
done
[ "$read_back" -ge 8 ] && ok 'samples have schedules' || not_ok 'samples have schedules' "only $read_back"

both 'names of numbers' "mesh {x: 3, y: 3}
$product
param c = 3
schedule .distribute({i,j}, {io,jo}, {ii,ji}, Grid(x,y)).divide(k, ko, ki, c)
param c = 5
param x = 7"
lacks 'whatever they mean now' 'Grid(x' "$TMP/p.distal"
finish
