#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Schedules: what is written before there is a formula, what is typed again, what is said of processors that differ.
. "$SRC/tests/lib.sh"

arrays='mesh {x: 3, y: 3}
type A = f64[9, 9] xy->xy; type B = f64[9, 9] xy->xy; type C = f64[9, 9] xy->xy'

# ---- names without a formula ----
refused 'a mistyped name is met with the nearest' D12 "did you mean 'cannon'" "$SHARDWALK" -c 'mesh {x: 3, y: 3}; schedule canon'
says 'the word is marked' '^^^^^' "$TMP/err"
refused 'with sizes, too' D12 "did you mean 'cannon'" "$SHARDWALK" -c 'mesh {x: 3, y: 3}; schedule canon m=9 n=9 k=9'
refused 'a mistyped command too' D12 "did you mean 'divide'" "$SHARDWALK" -c 'mesh {x: 3, y: 3}; schedule .devide(i,io,ii,3)'
refused 'a command has nothing to work on' L07 'schedule cannon m=9 n=9 k=9. writes types and formula' \
	"$SHARDWALK" -c 'mesh {x: 3, y: 3}; schedule .divide(i,io,ii,3)'
refused 'sizes of matrices are m, n and k' L02 'm=N n=N k=N' "$SHARDWALK" -c 'mesh {x: 3, y: 3}; schedule cannon'
refused 'those of others their letters' L02 'i=N j=N k=N l=N' "$SHARDWALK" -c 'mesh {x: 8}; schedule ttm'
refused 'steps need a schedule' L07 'schedule .distribute' "$SHARDWALK" -c "$arrays
compute A(i,j) = B(i,k) * C(k,j)
step"

# ---- what is written can be typed ----
again() { # MESH SCHEDULE
	sw "mesh $1; schedule $2"
	{
		echo "mesh $1"
		sed '/^    forall/,$d' "$TMP/out" | grep -v '^.[a-z]* runs on'
	} >"$TMP/again.sw"
	sed -n '/^    forall/,$p' "$TMP/out" >"$TMP/said"
	equal "$2 writes types and statement" 'status 0' "status $(grep -q '^type ' "$TMP/again.sw" && grep -q '^compute ' "$TMP/again.sw"; echo $?)"
	"$SHARDWALK" --quiet "$TMP/again.sw" >"$TMP/out" 2>"$TMP/err"
	tail -n "$(wc -l <"$TMP/said")" "$TMP/out" | cmp -s - "$TMP/said" && ok "$2 is read again" || not_ok "$2 is read again" "$(head -n 3 "$TMP/err")"
}
again '{x: 3, y: 3}' 'cannon m=9 n=9 k=9'
again '{x: 4}' 'summa m=8 n=8 k=8'
again '{x: 3, y: 3}' 'johnson m=8 n=8 k=8'
again '{x: 2, y: 2, z: 2}' 'mttkrp i=4 j=6 k=8 l=3'
again '{n: 4; g: 3}' 'innerprod i=6 j=3 k=5'
again '{x: 2, y: 2}' 'cosma pm2,sm2,pk2 m=8 n=8 k=8'

# ---- what compute says ----
sw "$arrays
compute A(i,j) = B(i,k) * C(k,j)"
says 'what is not local' 'B is not local: device 0 lacks [0-2, 3-8]'
says 'what is needed' 'B is needed as f64[3{x}9, 9]'
lacks 'no table of devices' 'alpha'
sw 'mesh {x: 6}; type x = [4{x}24]; type y = x; compute y[i] = x[i-1] + x[i+1]'
says 'a stencil has one' 'alpha'

# ---- processors that differ ----
sw 'mesh {x: 2, y: 2, z: 2}; schedule johnson m=8 n=8 k=8; step; show holds'
says 'the most that one holds' 'one holds at most 48 elements'
sw 'mesh {x: 4}; type a = f64[3] x->x; type b = f64[3] x->x; compute a(i) = b(j); schedule .divide(i,io,ii,4).distribute(io)'
says 'empty pieces are idle' '1 device is idle'
refused 'what is rotated stays in time' D25 'the loops are io, jo, kos' "$SHARDWALK" -c "mesh {x: 3, y: 3}; schedule cannon m=9 n=9 k=9
.distribute(kos)"

# ---- names of types ----
sw 'mesh {x: 3, y: 3}; type T = f64[9, 9] xy->xy; explain T'
says 'a defined type comes before a group of codes' 'dimension 0 in 3 parts over x'
sw 'explain T'
says 'else the group is listed' 'codes T'

# ---- many processors ----
sw 'mesh {x: 64, y: 64}; schedule cannon m=512 n=512 k=512; step; enter B; show relation'
says 'what is entered of many' '4032 messages'

finish
