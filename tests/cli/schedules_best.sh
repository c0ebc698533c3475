#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The best schedule within a bound of memory, the next best, and what is said where memory is too little.
. "$SRC/tests/lib.sh"

large='mesh {x: 8, y: 8}; schedule cannon m=8192 n=8192 k=8192'

json() { # TEXT PYTHON: of what the last statement answers, as `a`
	"$SHARDWALK" --quiet --json -c "$1" 2>/dev/null | tail -n 1 | python3 -S -c "
import json, sys
a = json.loads(sys.stdin.read())
print($2)"
}

# ---- lines of others ----
if command -v python3 >/dev/null; then
	cat >"$TMP/check.py" <<'END'
import json, subprocess, sys
wrong, right, refused = [], 0, 0
for line in open(sys.argv[1]):
    c = json.loads(line)
    if c["processors"] > 64:
        continue
    run = subprocess.run([sys.argv[2], "--quiet", "--json", "-c", "mesh {p: %(processors)d}\nschedule summa "
        "m=%(m)d n=%(n)d k=%(k)d\nschedule best cosma --model volume --live %(memory)d" % c], capture_output=True, text=True)
    if "grid" not in c:
        ok = "at least %d elements" % c["smallest"] in run.stdout + run.stderr and run.returncode != 0
        refused += ok
    else:
        a = json.loads(run.stdout.splitlines()[-1])
        best, after = a["best"], a.get("next", {"volume": c["volume"]})
        ok = [best["machine"], best["steps"], best["volume"], best["max_peak"], a["volume"]] == [
            [c["grid"]], c["steps"], c["volume"], c["peak"], c["volume"]] and after["volume"] >= c["volume"]
        right += ok
    if not ok:
        wrong.append(c["name"])
print(right > 10, refused > 0, wrong[:3])
END
	equal 'every line of distal-best is the schedule that is taken' 'True True []' \
		"$(python3 "$TMP/check.py" "$CASES/distal-best.jsonl" "$SHARDWALK")"
	equal 'the next best is on another grid, and lives within the bound' 'True True' "$(json \
		"$large; schedule best --live 4000000" \
		"a['best']['machine'] != a['next']['machine'], a['next']['max_peak'] <= 4000000" | tr -d '(,)')"
	equal 'where little memory is, another bound is larger' 'Smith and others 2019' "$(json \
		'mesh {x: 32, y: 32}; schedule summa m=1024 n=1024 k=1024; schedule best cosma --model volume --live 3200' \
		"a['bound_source']")"
else
	skip 'lines of distal-best' 'no python3'
fi

# ---- what is said ----
sw "$large; schedule best cosma --model volume --live 4000000"
holds 'an algorithm has a next best machine' '^next best: 4 x 16 x 1, 25 steps, '
holds 'commands are printed to be edited' '^.divide(ki,kio,kii,20)'
sw "$large; schedule best johnson --model volume"
holds 'what is on faces meets no bound of parts' '^a device receives at most 20 971 520 elements; if each has its part'
sw 'mesh {x: 16}; schedule mttkrp i=64 j=64 k=64 l=16; schedule best'
holds 'of other statements the next grid is another one' '^next best: 2 x 4 x 2, 1 step'
lacks 'and there is no bound' 'some processor has to'

# ---- too little memory ----
refused 'of another algorithm' S01 'at least 4194304 elements' "$SHARDWALK" -c "$large; schedule best cannon --live 10"
refused 'too little memory' S01 'at least 3147776 elements on a device' "$SHARDWALK" --quiet -c "$large
schedule best cosma --model volume --live 4000"
holds 'is marked at the bound' "^  |  *schedule best cosma --model volume --live 4000$" "$TMP/err"
holds 'under its number' "^  |  $(printf '%*s' 42 '')^^^^$" "$TMP/err"
says 'the schedule that works is the hint' \
	'with --live 3147776: 8 x 8 x 1, 8192 steps: .distribute({i,j,k},{io,jo,ko},{ii,ji,ki},Grid(8,8,1))' "$TMP/err"
sw "$large; schedule best cosma --model volume --live 3147776"
holds 'and it does work' '^8 x 8 x 1, 8192 steps, .* live 3 147 776$'
refused 'of all schedules, too' S01 'no schedule fits into that memory' "$SHARDWALK" --quiet -c "$large; schedule best --live 9MB"
says 'with the schedule' 'with --live 3147776: 8 x 8 x 1, 8192 steps' "$TMP/err"

# ---- more and more processors ----
status 'the sample of figure 15 b runs' 0 "$SHARDWALK" --quiet "$SRC/samples/schedules/figure-15b.sw"
holds 'at 32 nodes Johnson needs 12.3 GB' '^ *128  johnson  *5x5x5  *113137  *1  *12.3  yes  *3 '
holds 'at 64 nodes 17.1 GB, on 216 of 256' '^ *256  johnson  *6x6x6  *160000  *1  *17.1  *40 '
holds 'which does not fit' 'johnson needs 17.1 GB on each of 256 devices, but lassen-gpu holds 16 GB'
holds 'on a plane memory stays' '^1024  cannon  *32x32  *320000  *32  *4.0  yes'
refused 'growing needs a formula' L07 'there is no formula yet' "$SHARDWALK" --quiet -c 'mesh {x: 4}; compare --grow 1,2'
refused 'counts are numbers' L13 'numbers above 0 with commas between them' "$SHARDWALK" --quiet -c 'compare --grow 1,x'
holds 'and are marked' "^  |  $(printf '%*s' 15 '')^^^$" "$TMP/err"
finish
