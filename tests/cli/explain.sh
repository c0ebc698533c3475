#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `explain CODE` for every code: its title, and an example that does what it says.  A line with `# wrong` is
# refused with that code and nothing else is refused; see engine/base/codes.c.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

rows() {
	sed -n 's/^\tX(\([A-Z][0-9][0-9]\), "\(.*\)").*/\1 \2/p' "$SRC/include/shardwalk/diag.h"
}

## The files that examples name

"$SHARDWALK" plan 'mesh {x: 4, y: 6}' '[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]' --json >good.json || exit
echo '{"mesh": "{x: 4}", "from": "[3{x}12]", "to": "[12]"}' >batch.json
echo 'mesh {x: 4}' >session.shw
sed 's,shardwalk.plan/2,shardwalk.plan/3,' good.json >newer.json
sed 's/"height": 6/"height": 7/' good.json >edited-P03.json
sed 's/\[\[0, 1, 2\], \[3, /[[0, 1, 2], [2, /' good.json >edited-P05.json

files_for() { # CODE
	cp good.json plan.json
	[ ! -f "edited-$1.json" ] || cp "edited-$1.json" edited.json
}

## One example

# "LINE CODE" for every statement that was refused.
refusals() {
	sed -n 's/^{"schema": "shardwalk.error\/1".*"code": "\([^"]*\)".*"line": \([0-9]*\).*/\2 \1/p' |
		sort -u -k 1,1n -k 2
}

wanted() { # CODE
	awk -v code="$1" '/# wrong/ && !/# wrong if/ { print NR " " code }' example
}

refused() { # CODE
	case $1 in
	B03 | B04)
		sed 's/ *#.*//' example >problems.jsonl
		"$SHARDWALK" batch problems.jsonl --json
		;;
	*)
		sed 's/\\xe9/\xe9/' example >example.shw
		"$SHARDWALK" --json example.shw
		;;
	esac 2>/dev/null | refusals | sed "s/^$(sed -n '/fails by itself/{=;q}' example) .*//;/^$/d"
}

# Codes that a line of 75 columns or a healthy machine cannot bring about.
shown_only() { # CODE
	case $1 in
	R03 | M04 | S03 | P04 | N09 | E01 | E02 | E03 | E04) return 0 ;;
	esac
	return 1
}

explain() { # CODE TITLE
	"$SHARDWALK" explain "$1" >explained 2>&1
	IFS= read -r first <explained
	equal "$1 has its title" "$1: $2" "$first"
	sed -n 's/^    //p' explained >whole
	equal "$1 has no line that was cut" '' "$(grep -E '.{76}' whole)"
	grep -v '# wrong if' whole >example || cp whole example
	files_for "$1"
	wanted=$(wanted "$1")
	[ -n "$wanted" ] || shown_only "$1" || not_ok "$1 has something wrong" "its example has no line '# wrong'"
	equal "$1 is what its example brings about" "$wanted" "$(refused "$1")"
}

rows >rows
while read -r code title; do
	explain "$code" "$title"
done <rows

equal 'all codes were explained' "$(grep -c '^	X([A-Z][0-9]' "$SRC/include/shardwalk/diag.h")" "$(grep -c . rows)"
status 'a code may be in lower case' 0 "$SHARDWALK" explain t04
for rule in $(sed -n 's/^#define SW_RULE_[A-Z_]* "\([A-Z-]*\)".*/\1/p' "$SRC"/include/shardwalk/*.h) T-SPMD EINSUM; do
	status "rule $rule is explained" 0 "$SHARDWALK" explain "$rule"
	grep -q "^rule $rule: " "$TMP/out" && grep -q '# wrong' "$TMP/out" && ok "$rule has an example" ||
		not_ok "$rule has an example" "$(head -c 400 "$TMP/out")"
done
status 'an unknown code is refused' 1 "$SHARDWALK" explain Q99

# Strategies, models and words: what they do, and of strategies that follow a system what differs from it; the examples run.
topic() { # NAME WORDS
	status "explain $1" 0 "$SHARDWALK" explain "$1"
	for words in "$2" "$3"; do
		grep -q -- "$words" "$TMP/out" && ok "$1: $words" || not_ok "$1: $words" "$(head -c 400 "$TMP/out")"
	done
	equal "$1 fits" 0 "$(awk 'length > 80' "$TMP/out" | wc -l)"
	[ "$1" = calibrated ] && return
	{ echo 'mesh {a: 2, c: 2}'; echo '[4, 2{c}4, 4, 4] ~> [4, 4, 2{a}4, 2{c}4]'; sed -n 's/^    \([^ ]\)/\1/p' "$TMP/out"; } >"$TMP/example"
	status "the example of $1" 0 "$SHARDWALK" "$TMP/example"
}
for name in $("$SHARDWALK" help --man strategies | sed -n 's/^\.It Ic //p' | tr -d '\\'); do topic "$name" '^does ' ', a strategy: '; done
for name in $("$SHARDWALK" help --man models | sed -n 's/^\.It Ic //p'); do topic "$name" '^counts ' ', a cost model: '; done
for name in xla shardy; do topic "$name" 'jaxlib 0\.10\.2' '^differs  Sizes that a step would not divide evenly are refused'; done
for name in dtensor dtensor-min-cost; do topic "$name" 'torch 2\.13\.0' '^differs  Sizes'; done
topic strategy '^  dtensor-min-cost  what' '^bound'
topic model '^  calibrated  *seconds' '^units'
topic pareto 'N` makes row N' 'that no other plan beats'
topic hardware 'half the bandwidth' '^packing'
status 'as JSON' 0 "$SHARDWALK" explain xla --json
grep -q '^{"schema": "shardwalk.text/1", "command": "explain", "text": "xla, a strategy' "$TMP/out" && ok 'is text' ||
	not_ok 'is text' "$(head -c 200 "$TMP/out")"
status 'a command is not explained' 1 "$SHARDWALK" explain export
grep -q 'help: `help export`' "$TMP/err" && ok 'but helped with' || not_ok 'but helped with' "$(cat "$TMP/err")"

# What a sharding means: parts of sums are no copies, and a rank that is not said is assumed.
says() { # NAME WORDS TEXT
	"$SHARDWALK" -c "mesh {x: 4, y: 2}; explain $3" >"$TMP/out" 2>&1
	grep -q -- "$2" "$TMP/out" && ok "$1" || not_ok "$1" "$(head -c 400 "$TMP/out")"
}
says 'parts of a sum are shown' '^8 devices, terms of a sum of 4 for each tile, one copy of each term$' '(Partial(), Shard(0))'
says 'also of whole arrays' '^every device holds a term of a sum of 4 whole arrays, 2 copies of each term$' "P(unreduced={'x'})"
says 'copies in JSON are those of a part' '"copies": 2, "summands": 4' "P(unreduced={'x'}) --json"
says 'without sums there are copies' '^8 devices, 2 copies of each tile$' '[Shard(0), Replicate()]'
says 'a rank is assumed' 'number of dimensions is unknown: 1 assumed' '[Shard(0), Replicate()]'
says 'and none is named' 'number of dimensions is unknown: none is partitioned$' '{replicated}'
says 'sums are no copies of what they add up to' '^not the same: 8 devices hold other tiles or parts of other sums$' \
	"P('x') ~> P('x', unreduced={'y'})"
says 'sums over the same devices are the same' '^the same' "P('x', unreduced={'y'}) ~> (Shard(0), Partial())"
says 'sums over others are not' '^not the same: 8 devices' "P(unreduced={'y'}) ~> P(unreduced={'x'})"

## Every strategy and model at length

for name in $(sed -n 's/^\tX([A-Z_]*, [a-z_]*, "\([a-z-]*\)".*/\1/p' "$SRC/include/shardwalk/plan.h"); do
	"$SHARDWALK" -c "explain $name" >out 2>&1
	grep -Eq "^$name, a (strategy|cost model): " out && ok "explain $name" || not_ok "explain $name" "$(head -n 3 out)"
done

## bytes a device, and on all

"$SHARDWALK" -c 'mesh {X: 2, Y: 8, Z: 2}; explain i8[{X,Y}128, 2048]; show type i8[{X,Y}128, 2048]' >out 2>&1
grep -q '^16 KiB a device, 512 KiB on all 32$' out && ok 'bytes on all devices' || not_ok 'bytes on all devices' "$(head -n 5 out)"
grep -q '^  16 tiles, each on 2 devices: 512 KiB on all 32$' out && ok 'of a type that is drawn' || not_ok 'of a type that is drawn' "$(grep tiles out)"
"$SHARDWALK" explain 'mesh {x: 4}' 'bf16[{x}8, 4]' --json 2>&1 | grep -q '"tile_bytes": 16, "bytes_on_all_devices": 64' && ok 'and in JSON' || not_ok 'and in JSON'
"$SHARDWALK" -c 'mesh {x: 4, y: 2}; f32[8{x}32, 16] ~> f32[32, 16]; plan; show tiles; show devices; show tiles f32[8{x}32, 16]' >out 2>&1
grep -q '^  0 from .* 128  512 B   4 KiB$' out && ok 'in the table of a plan' || not_ok 'in the table of a plan' "$(head -n 6 out)"
grep -q '^  height 512 (2 KiB), within the budget of 512; 16 KiB on all 8$' out && ok 'below it' || not_ok 'below it' "$(grep height out)"
for view in tiles devices; do
	grep -q "^$view  512 B a device, 4 KiB on all 8; then 2 KiB a device, 16 KiB on all 8\$" out && ok "in the title of $view" || not_ok "in the title of $view" "$(grep "^$view" out)"
done
grep -q '^tiles  512 B a device, 4 KiB on all 8$' out && ok 'of one type' || not_ok 'of one type' "$(grep ^tiles out)"
"$SHARDWALK" --json -c 'mesh {x: 4}; f32[8{x}32] ~> f32[32]; plan --budget 1KiB' 2>&1 | grep -q '"height_bytes": 128, "height_bytes_on_all_devices": 512,' && ok 'in a plan as JSON' || not_ok 'in a plan as JSON'

# Always: as a column where there is room, else below the table or in a title.
has() { grep -Eq -- "$2" out && ok "$1" || not_ok "$1" "$(cat out)"; }
"$SHARDWALK" -c 'hardware v5e; model roofline; mesh {X: 8, Y: 4}; bf16[512{Y}2048, 8192] ~> bf16[2048, 8192]; plan; show heights' >out 2>&1
has 'below a plan without room for the column' '^  on all 32 devices: 256 MiB at first, 1 GiB at most, 1 GiB at last$'
has 'in the title of heights' 'height 16 777 216 \(32 MiB, 1 GiB on all 32\),$'
has 'of peak memory too' 'peak memory 18 874 368 \(36 MiB, 1.1 GiB on all 32\)$'
"$SHARDWALK" -c 'system {a: 2 @ 8GB/s, b: 2 @ 20GB/s}; axes {u: 4}; place 1; reduce {u} f32[6]; reductions; reductions 3' >out 2>&1
has 'of a list of reduction programs' '^  24 B a device, 96 B on all 4$'
has 'of pieces that are not of one size' '^  on all 4 devices: 96 B at first, 96 B at most, 96 B at last$'
"$SHARDWALK" --json -c 'system {a: 2 @ 8GB/s, b: 2 @ 20GB/s}; axes {u: 4}; place 1; reduce {u} f32[8]; reductions' >out 2>&1
has 'of a list in JSON' '"bytes": 32, "bytes_on_all_devices": 128,'
echo 'mesh {x: 2, y: 2} fn main(a : f32[64, 16{x}32], b : f32[16{x}32, 64]) -> f32[64, 64]+{x} { c = einsum "ij,jk->ik" a b as ? return c }' >p.spmd
"$SHARDWALK" -c 'program p.spmd; assign' -c program >out 2>&1
has 'of values of a program' '^a  .* 4 KiB  16 KiB'
tr -s '\n ' ' ' <out | grep -q '24 KiB of values on a device, 96 KiB on all 4' && ok 'of all of them' || not_ok 'of all of them' "$(cat out)"
"$SHARDWALK" --json program p.spmd >out 2>&1
has 'of values in JSON' '"bytes": 4096, "bytes_on_all_devices": 16384,'

## words of levels are those of a system that is shown

"$SHARDWALK" explain reduce >out 2>&1
has 'the system of a picture on chunks' '^on chunks, in groups of \{node: 2, gpu: 2\}: `reduce inside node`$'
grep -q 'inside cpu' out && not_ok 'no level of another system' || ok 'no level of another system'
finish
