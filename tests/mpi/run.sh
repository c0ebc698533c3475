#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `run` with real ranks: what is measured, and what is left when something dies.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'runs from the front end'
mkdir -p "$TMP/scratch"
export TMPDIR="$TMP/scratch"
mesh='mesh {x: 2, y: 2}'
ends='f64[256{x}512, 512{y}1024] ~> f64[512, 256{y,x}1024]'

# An executor with a fault of its own; the mark in its name tells its ranks from all others.
executor() { # NAME [OPTION...]
	mark=$TMP/executor-$1
	shift
	ln -sf "$EXEC" "$mark"
	printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$mark" "$*" >"$mark.sh"
	chmod +x "$mark.sh"
	export SHARDWALK_EXEC="$mark.sh"
}

gone() { # NAME
	ends "$1: no rank is left" "$TMP/executor-"
	await is_empty "$TMP/scratch"
	equal "$1: no file is left" '' "$(ls -A "$TMP/scratch")"
}

## What is measured

executor plain
status 'a run' 0 "$SHARDWALK" run "$mesh" "$ends" --reps 5
holds 'has every step' 'all steps  *[0-9.]* [mu]s' "$TMP/out"
holds 'and the memory' 'memory of a rank: 2 MiB for tiles' "$TMP/out"
status 'by messages' 0 "$SHARDWALK" run "$mesh" "$ends" --reps 5 --transport messages
holds 'is shown' 'transport messages' "$TMP/out"
status 'by the collectives of the library' 0 "$SHARDWALK" run "$mesh" "$ends" --reps 5 --collectives
status 'a part of the mesh' 0 "$SHARDWALK" run 'mesh {x: 2, y: 6}' 'f32[8{x}16, 4{y}24] ~> f32[4{y:(1)2,x}16, 24]' --ranks 4 --reps 3
# More launches and more sizes with VERIFY=full.
launches=2 last=8 sizes='1 2 4 8'
[ "$VERIFY" != full ] || launches=3 last=64 sizes='1 2 4 8 16 32 64'
status 'plans in turns' 0 "$SHARDWALK" run "$mesh" "$ends" --compare fused,naive --launches $launches --reps 3 --samples "$TMP/samples.csv"
holds 'medians of launches' "medians of $launches launches" "$TMP/out"
equal 'with every single time' $((6 * launches)) "$(grep -c '^"[a-z]*",total,' "$TMP/samples.csv")"
status 'many sizes' 0 "$SHARDWALK" run "$mesh" "$ends" --sweep 1KiB:${last}KiB --reps 3
equal 'each twice the one before' "$sizes" \
	"$(sed -n 's/^ *[1-7] \([0-9]*\) KiB .*%.*/\1/p' "$TMP/out" | paste -sd' ')"
gone 'runs'

## What dies

for kind in die segv leave; do
	executor $kind --fault $kind:2:1
	status "a rank that does $kind" 3 "$SHARDWALK" run "$mesh" "$ends" --reps 2
	equal "a rank that does $kind: one message" 1 "$(grep -c '^error' "$TMP/err")"
	gone "a rank that does $kind"
done
executor hang --fault hang:1:1
status 'a rank that hangs' 3 "$SHARDWALK" run "$mesh" "$ends" --reps 2 --timeout 3
holds 'is named' 'rank 1 .*hangs' "$TMP/err"
gone 'a rank that hangs'
executor flip --flip 1:8
status 'a wrong element' 1 "$SHARDWALK" run "$mesh" "$ends" --reps 2
holds 'is shown' 'error\[P04\].*on device 1' "$TMP/err"

executor long
for signal in INT:130 TERM:143 HUP:129 KILL:137; do
	: >"$TMP/out"
	sh -c 'trap - INT; exec "$@"' sh "$SHARDWALK" run "$mesh" "$ends" --reps 1000000 --json >"$TMP/out" 2>"$TMP/err" &
	await grep -q '"start"' "$TMP/out"
	equal "SIG${signal%:*} meets ranks" 4 "$(pgrep -fc "^$TMP/executor-")"
	kill -"${signal%:*}" $!
	wait $! 2>/dev/null
	equal "SIG${signal%:*} ends the program" "${signal#*:}" $?
	gone "SIG${signal%:*}"
done

finish
