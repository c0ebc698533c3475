#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Comparing the strategies on one problem: the sentence about the winner, bounds, who has no plan, columns, plans of others.
. "$SRC/tests/lib.sh"

# Why the first is the first: what both spend, ratios near 1 in per cent with as many digits as show them, ties said as such.
why() { # NAME PATTERN PROBLEM OPTIONS...
	name=$1 pattern=$2 problem=$3
	shift 3
	echo "$problem" >"$TMP/problem"
	"$SHARDWALK" compare "$TMP/problem" --json "$@" 2>"$TMP/err" | sed -n 's/.*"why": "\([^"]*\)".*/\1/p' >"$TMP/out"
	holds "$name" "$pattern"
}
near='{a: 2, b: 2, c: 2} [128{a}256, 44{c}88, 10{b}20, 232] ~> [256, 44{b}88, 5{a,c}20, 232]'
why 'a ratio near 1' 'naive, the next, costs 0.0[0-9]* % more than fused: ' '{a: 2, b: 2, c: 2} [5714816{b,a}22859264] ~> [22859264]' --model latency
why 'all that makes it up' 'dtensor spends 23\.5 ms on 4 alltoalls, fused 5\.23 ms on 1 alltoall and 5\.23 ms on 1 allpermute\.$' \
	"$near" --model latency --without exchange
why 'elements with blanks that JSON readers know' '13 066 240 elements on 1 alltoall and 13 066 240 on 1 allpermute, direct 13 066 240 on 1 exchange' "$near"
rounds='{a: 2, b: 2, c: 2} [3544{a,b,c}28352, 2224] ~> [28352, 1112{a}2224]'
why 'two figures that differ look so' 'paper spends 9\.473[0-9]* ms on 1 allgather, fused 9\.468[0-9]* ms on 2 allgathers (the same bytes in 4 rounds instead of 3)' \
	"$rounds" --model latency
slower='{a: 2, b: 2, c: 2} [18{c}36, 44{b}88, 24, 392] ~> [36, 88, 12{a}24, 392]'
why 'ties go to the predicted time' '^fused costs as much as shardy and 1 more, of which 1 takes the same steps; direct takes more time, 13\.4 ms instead of 10\.4 ms' "$slower"
why 'against nothing' 'costs [0-9 ]* elements and [a-z]* nothing: ' '{x: 4} [16, 8] ~> [16, 2{x}8]'
why 'one element' 'direct, the next, costs 1 element and fused nothing: direct spends 1 element on 1 exchange' '{x: 2, y: 2, z: 2} [2{y,z}8] ~> [1{x,y,z}8]'
why 'large ratios are whole' 'costs 2048 times as much as fused: ' \
	'{x: 1024, y: 1024} [65536{x}67108864, 131072{y}134217728] ~> [65536{y}67108864, 131072{x}134217728]' --budget 1024x

# Above a bound is after all that are within; where nothing is within it is the error of `plan`.
small='mesh {x: 4, y: 6}'
swap='[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'
refused 'a budget under the minimum' S01 'budget 6 is the smallest' "$SHARDWALK" compare "$small" "$swap" --budget 5
refused 'a live budget under the minimum' S01 '11 elements' "$SHARDWALK" compare "$small" "$swap" --live 11
status 'some above the live budget' 0 "$SHARDWALK" compare "$small" "$swap" --live 12
holds 'are marked' '^dtensor .* 72! '
holds 'and said of' 'live!: above the'
status 'what is cheaper but above the budget' 0 "$SHARDWALK" compare 'mesh {a: 2, b: 2, c: 2}' '[16, 8{b}16, 16] ~> [16, 16, 8{b}16]' \
	--model latency --without alltoall,exchange
holds 'is not the first' '^fused .* 13.6 us'
tr '\n' ' ' <"$TMP/out" | sed 's/  */ /g' >"$TMP/flat" && mv "$TMP/flat" "$TMP/out"
holds 'and said of' 'naive would cost less, 9.46 us instead of 13.6 us, but is above the budget\.'

# Plans of the same steps share a row; bars are of the column beside them, under its name; and why the first is not the default.
status 'plans of the same steps' 0 "$SHARDWALK" compare '{x: 4}' '[3{x}12, 12] ~> [12, 3{x}12]'
holds 'share a row' '^  = paper, exact, xla, shardy, dtensor$'
equal 'and only once' 1 "$(grep -ac '^fused .* 16\.0 us  ' "$TMP/out")"
holds 'bars have a heading' '^strategy .* permutes  *time  *time, to 1[0-9.]* us$\|^strategy .* permutes  *time  *time$'
holds 'which is that of the column beside them' '^naive .* [0-9.]* us  [█▉▊▋▌▍▎▏]*$'
holds 'the same messages take as long, whatever the step is called' '^direct .* 16\.0 us  [█▉▊▋▌▍▎▏]*$'
status 'where pairs would be cheaper' 0 "$SHARDWALK" -c "mesh ${near%%\}*}}; ${near#*\} }; compare"
holds 'a cheaper row is explained' '^`plan` still uses fused, because direct is not a collective'
status 'what is the default' 0 "$SHARDWALK" -c "mesh ${near%%\}*}}; ${near#*\} }; set strategy direct; compare"
lacks_line() { if grep -q -- "$2" "$TMP/out"; then not_ok "$1" "$(grep -- "$2" "$TMP/out")"; else ok "$1"; fi; }
lacks_line 'needs no word' '`plan` uses'

# Who has no plan is reported, in a row of JSON too.
status 'a strategy without a plan' 0 "$SHARDWALK" compare "$small" "$swap"
holds 'is reported with the reason' '^no plan by shardy: Shardy would pad dimension 1 here'
status 'and as JSON' 0 "$SHARDWALK" compare "$small" "$swap" --json
holds 'as an error' '{"strategy": "shardy", "error": {"code": "S02", "message": "Shardy would pad.*}}\], "program": "shardwalk [^"]*", "units": {.*}}$'

# All columns are there at 80 columns, and whole.
large='mesh {x: 1024, y: 1024}'
status 'large figures' 0 "$SHARDWALK" compare "$large" '[65536{x}67108864, 131072{y}134217728] ~> [65536{y}67108864, 131072{x}134217728]'
for column in cost volume height live steps permutes time; do holds "have a column $column" "^strategy.* $column"; done
equal 'in 80 columns' 0 "$(LC_ALL=C.UTF-8 awk 'length($0) > 240' "$TMP/out" | wc -l)"
holds 'with grouped figures' ' 8 589 934 592  *8 589 934 592$'
LC_ALL=C "$SHARDWALK" compare "$large" '[65536{x}67108864, 131072{y}134217728] ~> [65536{y}67108864, 131072{x}134217728]' >"$TMP/out"
if LC_ALL=C grep -q '[^ -~]' "$TMP/out"; then not_ok 'in ASCII' "$(LC_ALL=C grep -m 1 '[^ -~]' "$TMP/out")"; else ok 'in ASCII'; fi
equal 'of which none is wider' 0 "$(awk 'length($0) > 80' "$TMP/out" | wc -l)"

# A plan that is no strategy's own is beside them.
status 'steps by hand' 0 "$SHARDWALK" -c "$small; $swap; apply allgather(0); apply allgather(1); apply dynslice(0, y); apply dynslice(1, x); compare"
holds 'have a row' '^by hand  *168 '
"$SHARDWALK" plan "$small" "$swap" --strategy paper --json >"$TMP/plan.json"
status 'a plan from a file' 0 "$SHARDWALK" -c "open $TMP/plan.json; compare"
equal 'that is a strategy'"'"'s has no row of its own' 1 "$(grep -c '^paper\|^  = .*paper' "$TMP/out")"
status 'a plan by its number' 0 "$SHARDWALK" -c "$small; $swap; plan naive; plan; compare \$1 --model latency"
holds 'has a row' '^naive \$1  *168 .* us'
refused 'a number that is none' L08 'no plan' "$SHARDWALK" -c "$small; $swap; plan; compare \$7"
refused 'a plan of another problem' L08 'another problem' "$SHARDWALK" -c "$small; $swap; plan; [3{x}12, 12] ~> [12, 12]; compare \$1"

refused 'a limit without a file' L02 'no file' "$SHARDWALK" compare "$small" "$swap" --limit 3

# Many problems: what no budget allows is reported like a bad line, a strategy without a plan once.
printf '%s\n' '{x: 4} [3{x}12, 12] ~> [12, 3{x}12] # one' '{a: 2, c: 2} [4, 2{c}4, 4, 4] ~> [4, 4, 2{a}4, 2{c}4]' \
	'{x: 2, y: 2} [4{x}8, 2] ~> [4{y}8, 2]' '{x: 4, y: 6} [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12] # swap' nonsense >"$TMP/problems"
status 'problems that no budget allows' 1 "$SHARDWALK" compare "$TMP/problems" --budget 20
equal 'are shown of like bad lines' 3 "$(grep -c '^error' "$TMP/err")"
holds 'the others are compared' '^fused  *1.000  *1.000  *1.000  *1.000  *2 '
"$SHARDWALK" compare "$TMP/problems" --budget 20 >"$TMP/out" 2>&1
holds 'with the budget that would do' 'budget 36 is the smallest'
holds 'who has no plan is reported' 'swap: shardy has no plan, the first such problem: Shardy would pad'
sed 5d "$TMP/problems" >"$TMP/good"
status 'many problems' 0 "$SHARDWALK" compare "$TMP/good"
holds 'all columns are there' '^strategy  *mean  *least  *median  *most  *count  *above  *no plan  *vs 0$'
equal 'in 80 columns' 0 "$(LC_ALL=C "$SHARDWALK" compare "$TMP/good" 2>/dev/null | awk 'length($0) > 80' | wc -l)"
refused 'no problems at all' L12 'a number of at least 1' "$SHARDWALK" compare "$TMP/good" --limit 0
refused 'a module' B03 'import FILE' "$SHARDWALK" compare tests/hlo/mlp.hlo
equal 'is one error' 1 "$(grep -c '^error' "$TMP/err")"
plain='{"shape": [8, 8], "dtype": "f32", "from": "{devices=[4,1]<=[4]}", "to": "{devices=[4,1]<=[4]}"}'
turned='{"shape": [8, 8], "dtype": "f32", "from": "{devices=[4,1]<=[4]}", "to": "{devices=[4,1]3,2,1,0}"}'
printf '%s\n' "$plain" "$turned" >"$TMP/devices"
status 'devices in other orders' 0 "$SHARDWALK" -c "shape f32[4,4]; {devices=[2,1]<=[2]} ~> {devices=[2,1]1,0}; compare $TMP/devices --json"
equal 'are those of the lines' '0 16' "$(sed -n 's/.*"strategy": "fused", "model": "paper", "budget": 16, "cost": \([0-9]*\).*/\1/p' "$TMP/out" | tr '\n' ' ' | sed 's/ $//')"

# The compiler's own plan; and what was measured, for all that take the same steps.
status 'an imported plan' 0 "$SHARDWALK" -c 'import tests/hlo/reshaped.hlo 1; compare --json'
holds 'has a row' '"strategy": "hlo", "model": "paper", .*"predicted_s": [0-9]'
printf '#!/bin/sh\n' >"$TMP/exec"
cat >"$TMP/launcher" <<'END'
#!/bin/sh
case $1 in --version) echo "HYDRA build details:"; echo "    Version: 4.0.2"; exit ;; esac
cat <<'RECORDS'
{"schema": "shardwalk.run/1", "record": "start", "plan": "fused", "host": "here", "hosts": 1, "cores": 2, "ranks": 8, "mpi": "MPICH 4.0.2", "transport": "shared", "reps": 5, "warmup": 3, "launch": 1}
{"record": "step", "step": 1, "op": "alltoall", "transport": "shared", "seconds": {"median": 0.002, "p10": 0.001, "p90": 0.003, "max": 0.004}, "bytes": 4000}
{"record": "total", "seconds": {"median": 0.002, "p10": 0.001, "p90": 0.003, "max": 0.004}, "bytes": 4000}
{"record": "check", "verified": true, "first_wrong": null}
{"record": "complete"}
RECORDS
END
chmod +x "$TMP/exec" "$TMP/launcher"
export SHARDWALK_EXEC="$TMP/exec" SHARDWALK_MPIEXEC="$TMP/launcher"
status 'after a run' 0 "$SHARDWALK" -c 'mesh {a: 2, b: 2, c: 2}; [{a}16, 8] ~> [16, {a}8]; plan; run; compare'
holds 'what ran has its time' '^fused .* 2.00 ms$'
holds 'and all that take its steps' '^  = paper, exact, xla, shardy'

holds 'other steps have none' '^naive .* -$'
status 'after a run with another budget' 0 "$SHARDWALK" -c 'mesh {a: 2, b: 2}; [{a}16, {b}8] ~> [{b}16, {a}8]; plan; run; compare --without allpermute'
if sed -n '/^compare/,$p' "$TMP/out" | grep -q measured; then not_ok 'other steps of the same strategy have none' "$(tail -15 "$TMP/out")"; else ok 'other steps of the same strategy have none'; fi
finish
