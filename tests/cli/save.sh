#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `save` writes a script that makes the session again: what it makes, saved again, is the same text, and shows the same.
. "$SRC/tests/lib.sh"

round() { # NAME STATEMENTS
	printf '%s\n' "$2" >"$TMP/session"
	{ cat "$TMP/session" && echo "save $TMP/first"; } >"$TMP/script"
	status "$1" 0 "$SHARDWALK" "$TMP/script"
	echo "save $TMP/second" >"$TMP/again"
	status 'runs again' 0 "$SHARDWALK" "$TMP/first" "$TMP/again"
	if cmp -s "$TMP/first" "$TMP/second"; then ok 'to the same'; else not_ok 'to the same' "$(diff "$TMP/first" "$TMP/second" | tr '\n' ' ')"; fi
	for words in 'set' 'show mesh' 'show type from' 'show tiles' "${3:-show mesh}"; do
		shows "$TMP/session" "$words" >"$TMP/one"
		shows "$TMP/first" "$words" >"$TMP/two"
		equal "$words shows the same" "$(cat "$TMP/one")" "$(cat "$TMP/two")"
	done
}

# What a statement answers after a script, without what the script itself does.
shows() { # SCRIPT STATEMENT
	"$SHARDWALK" -f "$1" >"$TMP/before" 2>&1
	"$SHARDWALK" -f "$1" -c "$2" 2>&1 | tail -n +$(($(wc -l <"$TMP/before") + 1))
}

mesh='mesh {x: 4, y: 6}'
ends='[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'
round 'a mesh with links and odd names' 'mesh {"odd name": 2 @ 10GB/s 20us, core: 4}'
round 'names of types, also hidden ones' "$mesh
type a = [3{x}12, 12]
type b = bf16[12, 2{y}12]
type a = [12, 2{y}12]
from a"
round 'a shape' "$mesh
shape bf16[12,12]
from [3{x}12, 2{y}12]"
round 'settings' "set budget 2x
set live 300MB
set without alltoall,allpermute
set model volume
set search astar
set memory 1.5GiB
set width 100"
round 'hardware of one'"'"'s own' 'hardware slow = 1GB/s 30us
hardware mine = 20GB/s 3us node 4 5GB/s 10us copy 8GB/s start 1us' 'hardware'
round 'hardware of one'"'"'s own, another one chosen' 'hardware mine = 20GB/s 3us
hardware default' 'hardware'
round 'a plan on other hardware' "$mesh
$ends
hardware mine = 20GB/s 3us
plan --model latency
hardware h100" 'show plan'
round 'a plan' "$mesh
$ends
plan" 'show plan'
round 'a plan by other settings' "$mesh
$ends
plan paper --model volume --budget 2x" 'show plan'
round 'a plan without an operation' "$mesh
$ends
plan exact --budget 300MB --without alltoall" 'show plan'
round 'a plan bound in live memory' "$mesh
$ends
plan --live 14" 'show plan'
round 'a walk' "$mesh
$ends
step 2" 'frontier'
round 'a place in the graph' "$mesh
$ends
step 2
goto [6,1]" 'edges'
round 'steps by hand' "$mesh
$ends
apply alltoall(1, 0, 3)
apply allpermute [1{x:(2)2,y}12, 6{x:(1)2}12]" 'show plan'
round 'a formula over another mesh than that of placed axes' 'mesh {x: 6}
type x = [4{x}24]
type y = x
compute y[i] = x[i-1] + x[i+1]
tasks 5
system {n: 2 @ 8GB/s shared, g: 16 @ 270GB/s}
axes {a: 32}
place 1' 'show tasks'
round 'a formula of types that have others by now' 'mesh {x: 4}
type x = [3{x}12]
type y = x
compute y[i] = x[i-1]
tasks 3
type x = [12]
type z = [3{x}12]' 'show tasks'
says 'the type that it had' 'type x = [3{x}12]' "$TMP/first"
round 'a formula over an older mesh' 'mesh {x: 4}
type x = [3{x}12]
type y = x
compute y[i] = x[i-1]
tasks 4 --every 2
mesh {x: 2}
type x = [12]' 'show tasks'
says 'its mesh is saved' 'mesh {x: 4}' "$TMP/first"
round 'a formula without a type of what is made' 'mesh {x: 4}
type x = [3{x}12]
compute y[i] = x[i] + x[i-1] on x
type x = [12]' 'show needs'

# Views, those before too, and what is followed there; `open` reads what `save` wrote, also of older versions.
cat >"$TMP/looked.sw" <<'END'
mesh {x: 4, y: 6}
[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]
plan
step 2
goto [6,1]
focus tiles --step 1 --element 5,7
focus plan --step 2 --device 3
layout budget
focus plan
END
"$SHARDWALK" -c "source '$TMP/looked.sw'; save '$TMP/looked.saved'" >/dev/null 2>"$TMP/err"
holds 'an element that is followed' '^focus tiles --step 1 --element 5,7$' "$TMP/looked.saved"
holds 'a view before' '^focus plan --step 2 --device 3 --element 5,7$' "$TMP/looked.saved"
equal 'the chosen node, once' 1 "$(grep -cx 'goto \[6, 1\]' "$TMP/looked.saved")"
"$SHARDWALK" -c "open '$TMP/looked.saved'; save '$TMP/again'" >/dev/null 2>"$TMP/err"
if diff "$TMP/looked.saved" "$TMP/again" >"$TMP/diff"; then ok 'open makes the same session'
else not_ok 'open makes the same session' "$(cat "$TMP/diff" "$TMP/err")"; fi
printf '# a session of shardwalk\nmesh {x: 4}\nfrom [2{x}8]\nto [8]\nlayout walk\nfocus graph\n' >"$TMP/older"
"$SHARDWALK" -c "open '$TMP/older'; plan" >"$TMP/out" 2>&1
holds 'and reads that of an older version' 'allgather(0, 4)'
refused 'an element outside of the array' L02 'is not an element of this array' "$SHARDWALK" -c "source '$TMP/looked.sw'; focus tiles --element 12,0"
refused 'a step that is not there' L12 'out of range' "$SHARDWALK" -c "source '$TMP/looked.sw'; focus tiles --step 9"
finish
