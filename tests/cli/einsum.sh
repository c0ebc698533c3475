#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Products of sharded arrays: the case, the ways, bounds of memory, seconds, other notations, what is refused, lines of a batch.

. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

lines() { "$SHARDWALK" -c "set width 140; $1" 2>&1; }
squeezed() { sed 's/  */ /g; s/^ //; s/ $//'; }

example='mesh {x: 2, y: 2}; einsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]'
equal 'the case, the ways and the proof' 'case 3: x cuts j, which is summed, alike in both; in place they multiply into [64, 48]+{x}
# cost flops memory A multiplied as B multiplied as product
* 1 3584 196608 6656 [64, 32] [32, 48] [64, 48]
* 2 4608 49152 2816 [32{y}64, 16{x}32] [16{x}32, 48] [32{y}64, 48]+{x}
3 4608 49152 2944 [64, 16{x}32] [16{x}32, 24{y}48] [64, 24{y}48]+{x}
4 4608 98304 4864 [64, 16{x}32] [16{x}32, 48] [64, 48]+{x}
* 5 4864 49152 2560 [32{x}64, 32] [32, 24{y}48] [32{x}64, 24{y}48]
cost and memory: elements of a device; flops: its operations
5 of 39 ways; --limit N shows N of them
proved: no way costs less than 3584
XLA likely takes way 4: 6144 by moves of its own, while the way costs 4608; right for 180 of 200 recorded products; `advise` says how to get
another
a plain allreduce of the product in place would cost 6144' "$(lines "$example --limit 5" | squeezed)"
equal 'a list without room for all ways has the first' '* 1 3584 196608 6656 [64, 32] [32, 48] [64, 48]
cost and memory: elements of a device; flops: its operations
1 of 39 ways; --limit N shows N of them
incomplete: the setting `plan_memory` holds the first 8 of them by cost
proved: no way costs less than 3584
39 false' "$({
	lines "set plan_memory 1KiB; $example --limit 1" | squeezed | sed -n '3,7p'
	lines "set plan_memory 1KiB; $example --json" | jq -r '"\(.count) \(.complete)"'
})"
equal 'ways lists them again' '* 1 4864 49152 2560 [32{x}64, 32] [32, 24{y}48] [32{x}64, 24{y}48]' \
	"$(lines "$example --limit 1; ways --by memory --limit 1" | squeezed | grep '^\* 1' | tail -n 1)"
equal 'what does not fit comes last with the bound that it needs' '3584 196608 6656 6656' \
	"$(lines "$example --live 5000 --limit 39" | squeezed | grep ' 6656 6656 ' | head -n 1 | cut -d' ' -f2-5)"
equal 'a bound that nothing fits' 'no way fits into 3839 elements; the smallest limit that admits one: 3840' \
	"$(lines "$example --live 3839" | grep '^no way')"
equal 'and the one that is shown admits one' 'proved: no way costs less than 4608' "$(lines "$example --live 3840" | grep '^proved')"
equal 'without as, the types of the result with their prices' '768 [32{x}64, 24{y}48]' \
	"$(lines 'mesh {x: 2, y: 2}; einsum ij,jk->ik [32{x}64, 32], [32, 24{x}48] --limit 1' | squeezed | sed -n 3p)"
for text in 'i,i-> [4], [4]' 'i,i->[4], [4]' 'i, i -> f32[4], f32[4]' '"i,i->" [4], [4]'; do
	equal "no letter is left: $text" '0 []' "$(lines "mesh {x: 2}; einsum $text" | squeezed | sed -n 3p)"
done
equal 'the book' '* 1 2432' "$(lines 'mesh {X: 4}; einsum A[I:64, J_X:32] B[J_X:32, K:48] -> C[I, K_X]' | squeezed | sed -n 3p | cut -d' ' -f1-3)"
equal 'JAX' '* 1 4096' \
	"$(lines "mesh {x: 4, y: 2}; einsum jnp.einsum('bd,df->bf', x: bf16[8,2048] P('x', 'y'), w: bf16[2048,8192] P(None, 'y'), out_sharding=P('x', 'y'))" |
		squeezed | sed -n 3p | cut -d' ' -f1-3)"
equal 'seconds, and where they turn' '1: both take equally long at d = 20400; at no size of b, f' \
	"$(lines 'mesh {X: 4}; model roofline; hardware v5p; einsum bd,df->bf bf16[1024, 8192], [{X}8192, 32768] as [1024, 32768]' | grep '^1:')"
equal 'a text in quotes on the command line' 'proved: no way costs less than 0' \
	"$("$SHARDWALK" einsum '{x: 2, y: 2}' 'ij,jk->ik [64, 32], [32, 48] as [64, 48]' 2>&1 | grep '^proved')"

gathers='mesh {x: 4, y: 2}; einsum ij,jk->ik [8, 8{x}32], [16{y}32, 8] as [8, 8] --limit 1'
advised=$(lines "$gathers; advise")
case $advised in
*'XLA likely takes way 255: 512; right for 180 of 200'*'gathers both operands'*'saves 352 elements a device of 512'*'B = jax.lax.with_sharding_constraint(B, NamedSharding(mesh, P("x", "y")))'*)
	ok 'where to add a constraint, and what it saves' ;;
*) not_ok 'where to add a constraint, and what it saves' "$advised" ;;
esac
equal 'the same as JSON' '512 160 B C' \
	"$(lines "$gathers; advise --json" | tail -n 1 | jq -r '.products[0] | "\(.now.cost) \(.then.cost) \([.constraints[].of] | join(" "))"')"
equal 'in seconds' 'saves 1.49 ms of communication, 962 072 674 304 flops, for 8 388 608 more elements a device' \
	"$(lines 'mesh {x: 4, y: 2}; einsum ij,jk->ik [8192, {x}8192], [{y}8192, 8192] as [8192, 8192] --limit 1; hardware v5e; advise' | grep -o 'saves.*')"
case $(lines "$gathers; advise --for dtensor") in
*'A = A.redistribute(placements=[Shard(0), Shard(1)])'*) ok 'for DTensor' ;;
*) not_ok 'for DTensor' "$(lines "$gathers; advise --for dtensor")" ;;
esac

refused() { # NAME TEXT CODE HINT
	local said
	said=$(lines "mesh {x: 2, y: 2}; einsum $2")
	case $said in
	*"error[$3]"*"$4"*) ok "$1" ;;
	*) not_ok "$1" "$said" ;;
	esac
}
refused 'two sizes, at both places' 'ij,jk->ij [4, 6], [5, 3]' A04 'and here'
refused 'a letter twice' 'ij,jk->ii [4, 6], [6, 3]' A02 "letter 'i' appears twice"
refused 'no arrow' 'ij,jk [4, 6], [6, 3]' A02 'write it out: ij,jk->ik'
refused 'dots' '...j,jk->...k [4, 2, 6], [6, 3]' A02 'write it out: yzj,jk->yzk'
refused 'three operands' 'ij,jk,kl->il [4, 6], [6, 3], [3, 8]' A02 'ij,jk->ik, then ik,kl->il'
refused 'the other order where it is cheaper' 'ij,jk,kl->il [40, 6], [6, 30], [30, 2]' A02 'jk,kl->jl, then jl,ij->il'
refused 'letters and dimensions' 'ij,jk->ik [4, 6, 2], [6, 3]' A03 'A has 3 dimensions'
refused 'an order that needs seconds' 'ij,jk->ik [4, 6], [6, 3] as [4, 3] --by time' S11 'model roofline'
refused 'an order that is none' 'ij,jk->ik [4, 6], [6, 3] as [4, 3] --by size' L08 'cost, time, overlap, memory, front'
refused 'one operand' 'ij,jk->ik [4, 6]' L03 'EQ A, B'
refused 'another array' 'ij,jk->ik [4, 6], [6, 3] as [4, 4]' T09 ''
equal 'two sums over one axis' 'A is a sum over x, B is a sum over x; they do not multiply in place (E-SUM)' \
	"$(lines 'mesh {x: 2, y: 2}; einsum ij,jk->ik [4, 6]+{x}, [6, 4]+{x} as [4, 4]' | head -n 1)"

equal 'a way as a program' 'way 2 is the present program' "$(lines "$example; ways 2" | grep '^way 2' | cut -d: -f1)"
says_of_program=$(lines "$example; ways 2; program")
case $says_of_program in *'32{y}64, 16{x}32'*) ok 'which can be shown' ;; *) not_ok 'which can be shown' "$says_of_program" ;; esac
equal 'the tiles of a refused product' 'only the tiles (i, k) = (i, i) on the diagonal are computed, 2 of 4' \
	"$(lines 'mesh {x: 2, y: 2}; einsum ij,jk->ik [32{x}64, 32], [32, 24{x}48]; show tiles' | tail -n 1)"
equal 'both times over a letter' '1024 746 us 299 us' \
	"$(lines 'mesh {X: 4}; model roofline; hardware v5p; einsum bd,df->bf bf16[1024, 8192], [{X}8192, 32768] as [1024, 32768] --vary b=512..4096' |
		squeezed | awk '/^1024 /{print}' | cut -d' ' -f1-5)"
mine='mesh {x: 4, y: 2}; hardware mine = 20GB/s 3us copy 30GB/s flops 1e12; model latency'
wanted='[256, {x}512], [{y}512, 384] as [{y}256, 384]'
equal 'seconds of a model that looks at both tiles, the fastest first' '# comm product total' \
	"$(lines "$mine; einsum ij,jk->ik $wanted --limit 1" | squeezed | sed -n 2p | cut -d' ' -f1-4)"
equal 'what is the least of them' "$(lines "$mine; einsum ij,jk->ik $wanted --limit 1" | sed -n 's/.*takes less than //p')" \
	"$(lines "$mine; einsum ij,jk->ik $wanted --limit 1" | squeezed | sed -n 3p | cut -d' ' -f7,8)"
equal 'compare predicts them' '# predicted cost flops' \
	"$(lines "$mine; einsum ij,jk->ik $wanted --limit 1; compare --limit 2" | squeezed | grep predicted | cut -d' ' -f1-4)"
equal 'and says so as JSON' '2 null true' \
	"$(lines "$mine; einsum ij,jk->ik $wanted --limit 1; compare --limit 2 --json" | tail -n 1 |
		jq -r '"\(.ways | length) \(.ways[0].measured_seconds) \(.ways[0].predicted_seconds <= .ways[1].predicted_seconds)"')"
equal 'types of least time' 'costs 8.39 us: products 8.39 us, redistributions 0.00 ns; proved: no types cost less' \
	"$(lines "$mine; program mesh {x: 4, y: 2} fn f(a : ?[256, 512], b : ?[512, 256]) -> ? { c = einsum \"ij,jk->ik\" a b as ? return c }; assign" |
		grep '^costs')"
refused 'seconds of hardware without flops' 'ij,j->i [4, 4], [4] as [4]; model latency; ways' S11 'states no flops'
refused 'seconds of a machine that was not measured' 'ij,j->i [4, 4], [4] as [4]; model calibrated; ways' S10 'calibrate'
equal 'flops stay in 80 columns, where memory goes' '# cost flops A' \
	"$("$SHARDWALK" -c 'mesh {x: 4, y: 2}; einsum ij,jk->ik [3968, {x}1984], [{y}1984, 2976] as [{y}3968, 2976] --limit 4' 2>/dev/null |
		squeezed | grep 'multiplied' | cut -d' ' -f1-4)"
refused 'a letter that is none' 'ij,jk->ik [4, 6], [6, 3] as [4, 3] --vary b' S11 'hardware'

# A line of a batch has the keys of its file.
cases=${CASES:-../shared/cases}
[ -r "$cases/programs-einsum.jsonl" ] || cases=tests/cases
"$SHARDWALK" batch "$cases/programs-einsum.jsonl" --json >"$TMP/out" 2>&1
equal 'recorded products' "$(sed 's/.*"cost": \([0-9]*\), "one_best.*/\1/' "$cases/programs-einsum.jsonl")" \
	"$(sed 's/.*"cost": \([0-9]*\), "proved.*/\1/' "$TMP/out")"
"$SHARDWALK" batch "$cases/programs-notations.jsonl" --json >"$TMP/out" 2>&1
equal 'recorded texts of products' "$(grep -o '"local": "[^"]*"' "$cases/programs-notations.jsonl")" "$(grep -o '"local": "[^"]*"' "$TMP/out")"

product='mesh {x: 2, y: 2}; einsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]'
for format in svg html markdown; do
	"$SHARDWALK" --quiet -c "$product; export $format $TMP/ways.$format ways --by memory --limit 3" >"$TMP/out" 2>"$TMP/err"
	equal "ways as $format" 0 $?
	grep -q 'multiplied' "$TMP/ways.$format" && ok "ways as $format are listed" || not_ok "ways as $format are listed" "$(cat "$TMP/err")"
done
finish
