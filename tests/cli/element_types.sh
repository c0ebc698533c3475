#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a jaxpr moves is counted by the size of its elements, under the short names that JAX prints.
. "$SRC/tests/lib.sh"

# A sum over 4 devices brings each twice three quarters of its 64 elements: 96 of them.
while read -r type bytes; do
	printf '{ lambda ; a:%s[8,8]. let\n  b:%s[8,8] = psum[axes=(%sy%s,)] a\n in (b,) }\n' "$type" "$type" "'" "'" >"$TMP/a.jaxpr"
	status "$type" 0 "$SHARDWALK" --quiet --json -c "mesh {x: 2, y: 4}; import $TMP/a.jaxpr"
	holds "$type has its bytes" "\"bytes\": *$bytes[,}.]"
done <<'TYPES'
bool 96
u4 48
i8 96
f8_e5m2 96
f8_e4m3fn 96
f8_e4m3b11fnuz 96
f8_e8m0fnu 96
f4_e2m1fn 48
bf16 192
f32 384
c64 768
c128 1536
TYPES
finish
