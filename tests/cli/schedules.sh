#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Schedules: commands, walks, views, algorithms by name, programs as figure 2 has them, batch lines, sessions.
. "$SRC/tests/lib.sh"

arrays='mesh {x: 3, y: 3}; type A = f64[3{x}9, 3{y}9]; type B = A; type C = A; compute A(i,j) = B(i,k) * C(k,j)'
tiles='.distribute({i,j}, {io,jo}, {ii,ji}, Grid(3,3)).divide(k, ko, ki, 3).reorder({ko,ii,ji,ki})'
cannon="$tiles.rotate(ko, {io,jo}, kos).communicate(A, jo).communicate({B,C}, kos).substitute({ii,ji,ki}, gemm)"
running='mesh {x: 3}; type a = f64[1{x}3]; type b = a; compute a(i) = b(j)'

script() { # LINE...: what it answers, both streams, in $TMP/out
	printf '%s\n' "$@" >"$TMP/script.sw"
	"$SHARDWALK" --quiet "$TMP/script.sw" >"$TMP/out" 2>&1
}

tells() { # NAME TEXT LINE...
	lib_name=$1 lib_text=$2
	shift 2
	script "$@"
	says "$lib_name" "$lib_text"
}

fails() { # NAME CODE COLUMN LENGTH LINE...: the last line is refused there
	lib_name=$1 lib_code=$2 lib_at="$3 $4"
	shift 4
	printf '%s\n' "$@" >"$TMP/script.sw"
	"$SHARDWALK" --quiet --json "$TMP/script.sw" >"$TMP/out" 2>/dev/null
	equal "$lib_name" "$lib_code $lib_at" "$(grep '"error"' "$TMP/out" | tail -n 1 | python3 -S -c '
import json, sys
e = json.load(sys.stdin)["error"]
print(e["code"], e["column"], e["length"])' 2>/dev/null)"
}

# ---- commands ----
tells 'a chain moves what the paper says' '3 steps, 324 elements moved (A 0, B 162, C 162)' "$arrays" "schedule $cannon"
says 'and says the memory' '27 held, 45 live (63 while the next'
tells 'lines that begin with a dot go on' '.substitute({ii,ji,ki}, gemm)' "$arrays" "schedule $tiles" \
	'.rotate(ko, {io,jo}, kos)' '.communicate(A, jo).communicate({B,C}, kos).substitute({ii,ji,ki}, gemm)' 'schedule'
tells 'axes mean their sizes' 'divide(i,io,ii,3)' "$arrays" 'schedule .divide(i, io, ii, x)'
tells 'and numbers have names' 'split(k,ko,ki,3)' "$arrays" 'param chunkSize = 3' '.split(k, ko, ki, chunkSize)'
script "$arrays" "schedule $tiles" 'undo' 'schedule'
says 'undo takes one command back' '.divide(k, ko, ki, 3)'
lacks 'and that is gone' '^\.reorder'
script "$arrays" "schedule $tiles" '.divide(q, a, b, 2)' 'schedule'
says 'a line that is refused changes nothing' '.reorder({ko,ii,ji,ki})'
script "$arrays" 'schedule .divide(i, io, ii, 3).divide(q, a, b, 2)' 'schedule'
says 'all commands of a line are taken or none' 'the formula has no schedule yet'
tells 'a new statement has no schedule' 'the formula has no schedule yet' "$arrays" "schedule $cannon" \
	'compute A(i,j) = B(j,i)' 'schedule'
fails 'a schedule needs a statement' L07 1 8 'mesh {x: 3}' 'schedule'
fails 'no such loop' D14 9 1 "$arrays" '.divide(q, a, b, 2)'
fails 'more loops in space than axes' D35 16 10 "$running" '.distribute(i).distribute(j)'
fails 'a number that has no name' D13 19 1 "$arrays" '.split(k, ko, ki, q)'
fails 'a name of a number' L02 7 2 'param 3x = 4'
fails 'a number of a name' L02 7 1 'param q'
fails 'a loop in space more than once' D20 46 2 "$arrays" '.distribute({i}, {io}, {ii}, Grid(3)).divide(io, p, q, 2)'

script 'mesh {x: 2}' 'type C = f64[4] xy->x' 'compute A(i) = C(i)'
lacks 'what has no type is not said its own name' "did you mean 'C'"

# ---- walking ----
tells 'before the first step, nothing is fetched' 'step 0 of 3  nothing is fetched yet' "$arrays" "schedule $cannon" 'show holds'
script "$arrays" "schedule $cannon" 'step 2' 'show holds' 'goto 1' 'show holds' 'continue' 'show holds' 'back' 'show holds'
equal 'step, goto, continue and back walk' 'step 2 of 3 step 1 of 3 step 3 of 3 step 2 of 3' \
	"$(grep -o '^step [0-9] of 3' "$TMP/out" | tr '\n' ' ' | sed 's/ $//')"
fails 'there is no fourth step' S06 6 1 "$arrays" "schedule $cannon" 'goto 4'
script "$arrays" "schedule $cannon" 'step 2' '[3{x}9, 9] ~> [9, 9]' 'step' 'walk steps' 'step'
says 'walk steps comes back from another walk' 'steps: step 3:'

# ---- views ----
cat >"$TMP/want" <<'END'
step 2 of 3  kos = 1         B: shift left, 6 tiles of 9       C: shift up, 6 tiles of 9
         jo=0           jo=1           jo=2
      ┌──────────────┬──────────────┬──────────────┐
io=0  │0 B01←1 C10↑3 │1 B02←2 C21↑4 │2 B00←0 C02   │
      ├──────────────┼──────────────┼──────────────┤
io=1  │3 B12←4 C20↑6 │4 B10←5 C01↑7 │5 B11←3 C12   │
      ├──────────────┼──────────────┼──────────────┤
io=2  │6 B20   C00↑0 │7 B21   C11↑1 │8 B22   C22   │
      └──────────────┴──────────────┴──────────────┘
each holds 27 elements and 18 in buffers, 45 live (63 while the next arrives); 12 messages, 108 elements; 324 elements in all
END
script 'set width 130' "$arrays" "schedule $cannon" 'step 2' 'show holds'
tail -n 10 "$TMP/out" >"$TMP/got"
equal 'holds is the picture of figure 12' "$(cat "$TMP/want")" "$(cat "$TMP/got")"
tells 'words of several arrays do not run into each other' '28 tiles of 4  C: shift by' 'set width 200' 'mesh {x: 4, y: 4, z: 2}' \
	'schedule solomonik m=8 n=8 k=8' 'step 2' 'show holds'
tells 'loops say where they run' 'io         3  axis x' "$arrays" "schedule $cannon" 'show loops'
says 'and the pseudocode of figure 11' 'shift B 1 space to the left'
tells 'a statement has loops without a schedule' 'k          9  time     (A, B, C)' "$arrays" 'show loops'
tells 'point (i, j) is on processor i at time j' 'j = 1  (0,1)  (1,1)  (2,1)' "$running" 'schedule .distribute(i)' 'show execution'
tells 'needs have bounds and volumes' '324 elements move in all steps by bounding boxes; 324 would' "$arrays" "schedule $cannon" 'show needs'
tells 'traffic is that of the step' 'total 108 elements between devices' "$arrays" "schedule $cannon" 'step 2' 'show traffic'
tells 'and of all of them' 'total 324 elements between devices' "$arrays" "schedule $cannon" 'show traffic'
tells 'explain step says who sends' 'used it before, 1 hop away' "$arrays" "schedule $cannon" 'step 2' 'explain step'
tells 'commands are explained' 'rotate, a command of schedules' 'explain rotate'
tells 'and what refuses them' 'D23: ' 'explain D23'
tells 'a run gives one result' 'checksum 7375, sum 110' "$arrays" "schedule $cannon" 'simulate'

# ---- what moves in a step, as a problem ----
script "$arrays" "schedule $cannon" 'step 2' 'enter B' 'plan' 'leave' 'show holds'
says 'what moves of an array can be entered' '6 messages of 9, 54 elements'
says 'and left' 'array B is left'
says 'the schedule is where it was' 'step 2 of 3  kos = 1'
fails 'before the first step nothing is entered' L07 1 5 "$arrays" "schedule $cannon" 'enter B'
fails 'the left side is given away' L08 1 5 "$arrays" "schedule $cannon" 'step' 'enter A'
script "$arrays" "schedule $cannon" 'step 2' 'enter B' "save $TMP/entered.sw"
"$SHARDWALK" --quiet -c "open $TMP/entered.sw; plan; leave; show holds" >"$TMP/out" 2>&1
says 'a session keeps what is entered' '6 messages of 9, 54 elements'
says 'and the step' 'step 2 of 3'

# ---- algorithms by name ----
named() { # NAME MESH WORDS TEXT
	tells "$1" "$4" "mesh $2" "schedule $3"
}
named 'cannon' '{x: 3, y: 3}' 'cannon m=9 n=9 k=9' '3 steps, 324 elements moved (A 0, B 162, C 162)'
named 'pumma' '{x: 3, y: 3}' 'pumma m=9 n=9 k=9' '3 steps, 324 elements moved'
named 'summa' '{x: 3, y: 3}' 'summa m=9 n=9 k=9 chunk=3' '3 steps, 324 elements moved'
named 'johnson' '{x: 2, y: 2, z: 2}' 'johnson m=8 n=8 k=8' '1 step, 192 elements moved (A 64, B 64, C 64)'
named 'solomonik' '{x: 4, y: 4, z: 2}' 'solomonik m=8 n=8 k=8' '2 steps, 512 elements moved (A 64, B 224, C 224)'
named 'cosma' '{x: 2, y: 3, z: 2}' 'cosma m=8 n=9 k=8 steps=2' '2 steps, 272 elements moved (A 72, B 128, C 72)'
named "COSMA's own string" '{x: 2, y: 2}' 'cosma pm2,sm2,pk2 m=1000 n=1000 k=1000' '2 000 000 elements moved'
named 'mttkrp' '{x: 2, y: 2, z: 2}' 'mttkrp i=4 j=6 k=8 l=3' '162 elements moved (A 36, B 0, C 54, D 72)'
named 'innerprod in levels' '{n: 4; g: 3}' 'innerprod i=6 j=3 k=5' '8 elements moved (a 8'
tells 'sizes are those of the arrays' '324 elements moved' "$arrays" 'schedule cannon'
tells 'and names, too' 'P(i,j) += Q(i,k) * R(k,j)' 'mesh {x: 3, y: 3}; type P = f64[3{x}9, 3{y}9]; type Q = P; type R = P' \
	'compute P(i,j) = Q(i,k) * R(k,j)' 'schedule cannon'
fails 'sizes have to be known' L02 10 6 'mesh {x: 2, y: 2}' 'schedule cannon'
fails 'arrays that 64 bits do not count' T10 1 8 'mesh {x: 2, y: 2}' 'schedule cannon m=4000000000 n=4000000000 k=4000000000'
fails 'a size that 64 bits do not count' L02 17 22 'mesh {x: 2, y: 2}' 'schedule cannon m=99999999999999999999 n=4 k=4'
fails 'splits that are none' D42 20 3 'mesh {x: 2, y: 2}' 'schedule cosma pm2,xx2 m=8 n=8 k=8'

# ---- programs ----
cp "$SRC/samples/schedules/figure-2.distal" "$TMP/program" 2>/dev/null
sizes='param gx = 3; param gy = 3; param n = 9; param chunkSize = 3'
tells 'a program as figure 2 has it' '3 steps, 324 elements moved' "$sizes" "import $TMP/program" 'schedule'
says 'its kernel has a prefix' 'substitute({ii, ji, ki}, CuBLAS::GeMM)'
"$SHARDWALK" -c "$sizes; import $TMP/program" >"$TMP/out" 2>&1
says 'names without case are said' "'a' is read as 'A'"
refused 'a parameter without a value' L02 'neither a number nor the name of one' "$SHARDWALK" -c "import $TMP/program"
sed 's/kii\{0,1\}, chunkSize/ki, 0/' "$TMP/program" >"$TMP/zero"
refused 'a command of it that is refused' D17 "$TMP/zero:16" "$SHARDWALK" -c "$sizes; import $TMP/zero"

# ---- sessions ----
script "$arrays" 'param chunkSize = 3' "schedule $cannon" 'step 2' "save $TMP/saved.sw"
"$SHARDWALK" --quiet -c "open $TMP/saved.sw; schedule; show holds; param" >"$TMP/out" 2>&1
says 'a session keeps commands' '.rotate(ko, {io,jo}, kos)'
says 'where it was' 'step 2 of 3'
says 'and numbers' 'param chunkSize = 3'

# ---- batch ----
for file in distal-schedules distal-illegal; do
	for lines in "$CASES/$file.jsonl" "$SRC/../shared/cases/$file.jsonl"; do
		[ -f "$lines" ] || continue
		"$SHARDWALK" batch "$lines" --json >"$TMP/answers" 2>/dev/null
		if python3 "$SRC/tests/cli/schedules_check.py" "$lines" "$TMP/answers" >"$TMP/said"; then ok "$file is met"
		else not_ok "$file is met" "$(head -n 5 "$TMP/said")"; fi
	done
done
echo '{"name": "n", "machine": [[3]], "statement": "a(i) = b(j)", "shapes": {"a": [3]}, "distributions": {"a": "x->x"}, "schedule": []}' >"$TMP/line"
refused 'an array without a shape' F02 'there is no array' "$SHARDWALK" batch "$TMP/line"

finish
