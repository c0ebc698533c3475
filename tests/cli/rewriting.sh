#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `show rewriting`: the rewritings of `normalize` one by one, before and after it ran, and what the strategy `paper` did.
. "$SRC/tests/lib.sh"

problem='mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'

run() { # STATEMENTS
	"$SHARDWALK" -c "$problem; $1" >"$TMP/out" 2>"$TMP/err"
}

run normalize
steps=$(sed -n 's/^\([0-9]*\)\. .*/\1/p' "$TMP/out" | tail -n 1)
sed -n 's/^[0-9]*\. \([a-z ]*\), step.*/\1/p' "$TMP/out" >"$TMP/rules"
sed -n 's/^   height \([0-9]*\) -> \([0-9]*\), .*/\1 \2/p' "$TMP/out" >"$TMP/heights"

for number in $(seq "$steps"); do
	run "show rewriting --step $number"
	equal "rewriting $number has its rule" "$number of $steps: $(sed -n "${number}p" "$TMP/rules")" \
		"$(sed -n 's/^rewriting  \([^,]*\),.*/\1/p' "$TMP/out")"
	equal "rewriting $number has its heights" "$(sed -n "${number}p" "$TMP/heights")" \
		"$(sed -n 's/^before: height \([0-9]*\),.*/\1/p; s/^after: height \([0-9]*\),.*/\1/p' "$TMP/out" | tr '\n' ' ' | sed 's/ $//')"
	equal "rewriting $number is named in the list" 1 "$(grep -c "[ ,]$number $(sed -n "${number}p" "$TMP/rules")" "$TMP/out")"
	[ "$(wc -L <"$TMP/out")" -le 80 ] && ok "rewriting $number fits" || not_ok "rewriting $number fits" "$(wc -L <"$TMP/out")"
	cp "$TMP/out" "$TMP/alone"
	run "normalize; show rewriting --step $number"
	equal "rewriting $number is the same after normalize" '' "$(sed -n '/^rewriting/,$p' "$TMP/out" | diff "$TMP/alone" -)"
done

run 'apply allgather(0); apply dynslice(1, x:(1)2); normalize; show rewriting'
equal 'steps by hand are rewritten' 'before: height 24, cost 24, 2 steps' "$(grep '^before' "$TMP/out")"
run 'normalize; apply alltoall(1, 0, 2); show rewriting'
equal 'a step more begins anew' 1 "$(grep -c '^rewriting' "$TMP/out")"
equal 'from the normal form' 0 "$(sed -n '/^rewriting/,$p' "$TMP/out" | grep -c 'height 144')"

"$SHARDWALK" -c 'mesh {a: 2, b: 2, c: 2}; [1{a,b,c}8, 8] ~> [8, 1{a,b,c}8]; show rewriting paper' >"$TMP/out" 2>&1
equal 'paper merges' '1 of 1: merge 32 8' "$(sed -n 's/^rewriting  \([^,]*\),.*/\1/p; s/.*, cost \([0-9]*\), .*/\1/p' "$TMP/out" | tr '\n' ' ' | sed 's/ $//')"
"$SHARDWALK" -c 'mesh {x: 2, y: 2}; [2{x,y}8, 8] ~> [4{x}8, 8]; show rewriting paper' >"$TMP/out" 2>&1
equal 'paper moves its permutation' '1 of 1: move the permutation 64 48' "$(sed -n 's/^rewriting  \([^,]*\),.*/\1/p; s/.*, cost \([0-9]*\), .*/\1/p' "$TMP/out" | tr '\n' ' ' | sed 's/ $//')"
"$SHARDWALK" -c 'mesh {x: 4, y: 4}; [16] ~> [4{y}16]; show rewriting paper --step 2' >"$TMP/out" 2>&1
equal 'paper chooses axes' 1 "$(grep -c '^rewriting  2 of 2: choose axes' "$TMP/out")"

refused 'another strategy' L08 "no rewritings of 'fused'" "$SHARDWALK" -c "$problem; show rewriting fused"
refused 'a step too far' L12 'out of range' "$SHARDWALK" -c "$problem; show rewriting --step 99"
refused 'nothing defined' L07 'mesh' "$SHARDWALK" show rewriting

finish
