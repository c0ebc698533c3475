#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# while loops of jaxprs: how often they run where a counter starts, steps and ends at numbers that are written.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

loop() { # ADD CONDITION START [RESULT]
	cat >loop.txt <<END
{ lambda ; a:f32[16,32]. let
    b:f32[16,32] = shard_map[
      in_specs=(P('s', 't'),)
      jaxpr={ lambda ; c:f32[4,16]. let
          d:i32[] m:i32[] e:f32[4,16] = while[
            body_jaxpr={ lambda ; z:f32[] f:i32[] n:i32[] g:f32[4,16]. let
                h:i32[] = $1
                i:f32[4,16] = psum[axes=('t',) axis_index_groups=None] g
              in (${4:-h}, n, i) }
            body_nconsts=1
            cond_jaxpr={ lambda ; j:i32[] o:i32[] k:f32[4,16]. let
                l:bool[] = $2
              in (l,) }
            cond_nconsts=0
          ] 0.5:f32[] $3 7:i32[] c
        in (e,) }
      mesh=Mesh('s': 4, 't': 2)
      out_specs=(P('s', 't'),)
    ] a
  in (b,) }
END
	"$SHARDWALK" import loop.txt --json >out 2>err
}

counts() { # NAME RUNS
	holds "$1" "\"runs\": $2,"
	"$SHARDWALK" import loop.txt >out 2>err
	lacks "$1: known" 'how often'
}

loop 'add f 2:i32[]' 'lt j 11:i32[]' '0:i32[]'
counts 'up' 6
loop 'add 2:i32[] f' 'le j 12:i32[]' '0:i32[]'
counts 'up to a number' 7
loop 'sub f 3:i32[]' 'ge j 0:i32[]' '10:i32[]'
counts 'down' 4
loop 'add f 1:i32[]' 'lt j o' '2:i32[]'
counts 'to what the loop carries on' 5
loop 'add f 1:i32[]' 'gt 5:i32[] j' '0:i32[]'
counts 'the number first' 5
loop 'add f 2:i32[]' 'ne j 8:i32[]' '0:i32[]'
counts 'until it is met' 4
for odd in 'add f f|lt j 11:i32[]|0:i32[]' 'mul f 2:i32[]|lt j 11:i32[]|0:i32[]' 'add f 1:i32[]|lt j 11:i32[]|q' \
	'sub f 1:i32[]|lt j 11:i32[]|0:i32[]' 'add f 1:i32[]|eq j 0:i32[]|0:i32[]' 'add f 3:i32[]|ne j 8:i32[]|0:i32[]' \
	'add n 1:i32[]|lt j 11:i32[]|0:i32[]' 'add f 9223372036854775807:i32[]|lt j 11:i32[]|-9223372036854775808:i32[]'; do
	loop "${odd%%|*}" "$(echo "$odd" | cut -d'|' -f2)" "${odd##*|}"
	holds "not known: $odd" '"runs": 1,'
	"$SHARDWALK" import loop.txt >out 2>err
	holds "and said: $odd" 'how often'
done
loop 'add f 1:i32[]' 'lt j 3:i32[]' '3:i32[]'
holds 'a loop that never runs' '"runs": 0,\|"code": "N07"'
finish
