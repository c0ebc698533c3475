#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `verify lemma N`: statements hold, those that rest on primes do not without them, and what refutes one is a script that runs.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

statements='lemma 4.1
lemma 4.2
lemma 4.6
lemma 4.7
lemma 5.1
lemma 6.3
lemma 6.5
lemma 6.6
theorem 4.8
theorem 6.4
theorem 6.7
principle 1
principle 2'

always='lemma 4.1
lemma 4.2
lemma 5.1'

## What holds

echo "$statements" | while read -r kind number; do
	"$SHARDWALK" verify "$kind" "$number" --random 200 --seed 5 >out 2>err
	equal "$kind $number holds" "status 0 $kind $number held in 200 of 200, seed 5" "status $? $(head -n 1 out)"
	equal "$kind $number is shown in 80 columns" '' "$(grep -E '.{81}' out err)"
	"$SHARDWALK" verify "$kind" "$number" --random 200 --seed 5 >again 2>&1
	equal "$kind $number is the same for the same seed" '' "$(diff out again)"
done >each
cat each
grep -q '^not ok' each && lib_failed=$((lib_failed + 1))

## Other papers, and names in full

echo 'lemma B.1
lemma B.2
lemma B.3
corollary B.4
lemma B.5
lemma B.6
lemma B.8
lemma 1
lemma 3
theorem 1
case 1
case 2
case 3
case 4' | while read -r kind number; do
	"$SHARDWALK" verify "$kind" "$number" --random 100 --seed 5 >out 2>err
	equal "$kind $number holds" "status 0 held in 100 of 100, seed 5" "status $? $(sed -n '1s/.*\(held\)/\1/p' out)"
	equal "$kind $number is shown in 80 columns" '' "$(grep -E '.{81}' out err)"
done >each
cat each
grep -q '^not ok' each && lib_failed=$((lib_failed + 1))

for name in 'theorem 3.2' 'lemma B.7'; do
	refused "$name is refuted" P08 'this is known' "$SHARDWALK" verify "$name"
	holds "$name says so" "^$name of placements is refuted by case [0-9]*, seed 1: as is known"
	sed -n 's/^    //p' out | sed '/^ /d' >case.sw
	"$SHARDWALK" --bail case.sw >ran 2>&1
	equal "the case of $name runs" 'status 0 1' "status $? $(grep -c '^system ' case.sw)"
done

status 'a name in quotes' 0 "$SHARDWALK" verify 'lemma 4.6' --random 20
status 'a name in quotes in a script' 0 "$SHARDWALK" -c 'verify "lemma 4.6" --random 20'
status 'a name with its paper' 0 "$SHARDWALK" verify lemma 4.6 of redistribution --random 20
status 'both' 0 "$SHARDWALK" verify 'lemma B.2 of placements' --random 20
status 'a lemma of two papers' 0 "$SHARDWALK" verify lemma 1 --random 2000
holds 'is tried as both state it' '^lemma 1 of book held in 2000 of 2000, seed 1$'
holds 'paper by paper' '^lemma 1 of distributions held in 2000 of 2000, seed 1$'
status 'and as one does' 0 "$SHARDWALK" verify lemma 1 of distributions --random 20
lacks 'no other is tried then' 'of book'
status 'both as JSON' 0 "$SHARDWALK" verify lemma 1 --random 20 --json
holds 'the second beside the first' '"paper": "book".*"others": \[{"statement": "lemma 1", "paper": "distributions".*"held": 20'
status 'a lemma that is not what is printed' 0 "$SHARDWALK" verify lemma 2 --random 2000
holds 'the true form holds' '^lemma 2 of distributions held in 2000 of 2000, seed 1; as printed it is false$'
holds 'the printed one is refuted' '^  false     a broadcast over 2 devices: k = 1, .P. = 2, .Q. = 2, but F(1) is$'
sed -n 's/^    //p' out | sed '/^ /d' >case.sw
status 'by a case that runs' 0 "$SHARDWALK" --bail case.sw
holds 'in which nobody needs device 1' '^ *1  0  *-  '
status 'all of that as JSON' 0 "$SHARDWALK" verify lemma 2 --random 20 --json
holds 'is one answer' '"refuted": false, "printed": .*"misprinted": true, .*"devices": 2, "script": \["mesh {x: 2}", "\[1\] at {0: 0; 1:} ~> \[1\]"'
refused 'numbers are listed by paper' L08 '6.6 of redistribution; .* of placements; 1 of book; 1, 2, 3 of distributions' "$SHARDWALK" verify lemma 9
for name in 'lemma 1' 'lemma 2' 'lemma 3' 'theorem 1' 'definition 1'; do
	status "explain $name" 0 "$SHARDWALK" explain $name
	holds "$name names its paper" "$name of distributions"
done
refused 'a lemma of another paper' L08 "there is no lemma 'B.2' to test" "$SHARDWALK" verify lemma B.2 of book
refused 'a paper that is none' L08 "no paper is called 'magic'" "$SHARDWALK" verify lemma B.2 of magic
refused 'primes where none are supposed' L04 'does not assume primes' "$SHARDWALK" verify lemma B.2 --unsplit

## What does not hold without primes

echo "$statements" | while read -r kind number; do
	want=1
	echo "$always" | grep -qx "$kind $number" && want=0
	"$SHARDWALK" verify "$kind" "$number" --unsplit >out 2>err
	equal "$kind $number without primes" "status $want" "status $?"
	[ $want = 1 ] || continue
	equal "$kind $number says that this is expected" '1 1' "$(grep -c 'as expected$' out) $(grep -c 'this is expected' err)"
	sed -n 's/^    //p' out | sed '/^ /d' >case.sw
	"$SHARDWALK" --bail case.sw >ran 2>&1
	equal "the case of $kind $number runs" 'status 0' "status $?"
	equal "the case of $kind $number has a mesh and ends" 2 "$(grep -cE '^mesh |^redistribute ' case.sw)"
done >each
cat each
grep -q '^not ok' each && lib_failed=$((lib_failed + 1))

"$SHARDWALK" verify lemma 6.3 --unsplit >out 2>err
sed -n 's/^    //p' out | sed '/^ /d' >case.sw
equal 'the case of lemma 6.3 has the other type of the class' 'type other' "$(grep -o '^type other' case.sw)"

status 'a refuted lemma as JSON ends with 1' 1 "$SHARDWALK" verify lemma 4.6 --unsplit --json
equal 'its case is in the JSON' '["mesh {x: 4, y: 2}", "redistribute [2{y}4] ~> [1{x}4]", "apply allgather(0)", "apply dynslice(0, x)", "show heights", "normalize"]' \
	"$(sed -n 's/.*"script": \(\[.*\]\), "program": .*}$/\1/p' out)"
status 'a lemma that holds, as JSON' 0 "$SHARDWALK" verify lemma 4.1 --random 10 --json
equal 'it says how many' 1 "$(grep -c '"cases": 10, "seed": 1, "unsplit": false, "held": 10, "refuted": false, "program": ' out)"

## What is wrong to ask

refused 'a lemma that is none' L08 "there is no lemma '9'" "$SHARDWALK" verify lemma 9
equal 'those that there are' 1 "$(grep -c '^expected: a lemma that can be tested: 4.1, 4.2, 4.6, 4.7' err)"
refused 'a lemma without a number' L03 'needs a number' "$SHARDWALK" verify lemma
refused 'a plan with a number' L04 'belongs to a statement' "$SHARDWALK" verify fused 3
refused 'a plan with a seed' L04 'belongs to a statement' "$SHARDWALK" verify --seed 3
refused 'no cases' L12 'out of range' "$SHARDWALK" verify lemma 4.6 --random 0

## What takes too long

sh -c 'trap - INT; exec "$0" verify lemma 4.7 --random 100000000' "$SHARDWALK" >out 2>err &
pid=$!
at_work() { [ "$(cut -d ' ' -f 14 /proc/$pid/stat)" -ge 50 ]; } # half a second of the processor: starting takes less
await at_work
kill -INT $pid
wait $pid
equal 'it can be stopped' 'all of which held' "$(grep -o 'all of which held' err)"

## Numbers that papers print

says_first() { # NAME FIRST-LINE ARGUMENT...
	name=$1 first=$2
	shift 2
	"$SHARDWALK" verify "$@" >out 2>err
	equal "$name" "status 0 $first" "status $? $(head -n 1 out)"
}
says_first 'numbers that agree' 'appendix A of placements: 42 of 42 printed numbers agree' appendix a of placements
equal 'numbers that agree are not shown' 1 "$(wc -l <out)"
says_first 'numbers that do not' 'pop quiz 2 of book: 4 of 5 printed numbers agree' pop quiz 2
equal 'they are shown, with the reason' '377 us is printed: the text rounds the array to 34 MB first: it has 33.55' "$(tail -n 1 out)"
says_first 'numbers that were measured' 'table 3 of placements: 26 of 44 measured numbers are predicted within 1.25 times' 'table 3'
"$SHARDWALK" verify result 2 --json >out 2>&1
grep -q '"agrees": true}.*"name": "result 2", "paper": "placements", "compared": 3, "agree": 3, "measured": 0, "near": 0' out && ok 'numbers as JSON' || not_ok 'numbers as JSON' "$(cat out)"
says_first 'hierarchies' 'definition 3.1 of placements: 4 of 4 printed numbers agree' definition 3.1
says_first 'all that a table prints' 'table 1 of placements: 9 of 9 printed numbers agree' table 1 of placements
says_first 'groups that are printed a row too low' 'table 2 of placements: 12 of 14 printed numbers agree' table 2
says_first 'costs of steps by hand' 'sequence 10 of redistribution: 2 of 2 printed numbers agree' sequence 10
says_first 'costs of a plan' 'example 7.1 of redistribution: 2 of 2 printed numbers agree' example 7.1
refused 'numbers of times that nobody published' L08 'table 5 of placements needs the time of every program, which was not published: `run SUMS --compare reductions --throttle` measures' "$SHARDWALK" verify table 5
"$SHARDWALK" verify example 3.1 >out 2>&1
grep -q '^example 3.1 of redistribution: 8 of 8 printed numbers agree$' out && ok 'tiles of example 3.1' || not_ok 'tiles of example 3.1' "$(cat out)"
for name in 'phi 1' 'phi 3' '(10)' 'phi 2 of redistribution'; do
	"$SHARDWALK" explain "$name" >out 2>&1
	grep -q '^sequence 10: ' out && ok "explain $name" || not_ok "explain $name" "$(head -n 3 out)"
done
"$SHARDWALK" -c 'verify (10)' >out 2>&1
grep -q '^sequence 10 of redistribution: 2 of 2 printed numbers agree$' out && ok 'verify (10)' || not_ok 'verify (10)' "$(cat out)"
refused 'a map that is none' L08 "nothing to explain about 'phi 9'" "$SHARDWALK" explain phi 9
refused 'what has no numbers' L08 'definition 4.3 of redistribution prints no numbers' "$SHARDWALK" verify definition 4.3
refused 'a word, too' L08 'easy of redistribution prints no numbers' "$SHARDWALK" verify easy
refused 'in capitals' L08 'of redistribution prints no numbers' "$SHARDWALK" verify RQ1
refused 'what is not there' L08 "there is no 'table 77' in the papers" "$SHARDWALK" verify table 77
refused 'options of plans' L04 'not for printed numbers' "$SHARDWALK" verify table 3 --full
finish
