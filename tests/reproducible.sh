#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The same sources in two folders make the same bytes: every program and library, stripped.  `make check-reproducible`
# calls it.
set -e
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

build() { # FOLDER
	mkdir -p "$1"
	cp -R Makefile .ci include engine tui mpi_exec man samples "$1"
	env -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" -C "$1" -j"$(nproc 2>/dev/null || echo 2)" BUILD=build CC="${CC:-cc}" \
		CFLAGS="${CFLAGS:--O2 -g}" all >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log" >&2; exit 1; }
	strip -D "$1"/build/shardwalk "$1"/build/libshardwalk.so.* && strip -D -g "$1"/build/libshardwalk.a
	[ ! -f "$1/build/shardwalk-exec" ] || strip -D "$1/build/shardwalk-exec"
}

one=$scratch/one another=$scratch/another/with-a-longer-name
build "$one"
build "$another"
differ=0
for file in "$one"/build/shardwalk* "$one"/build/libshardwalk.*; do
	name=${file##*/}
	cmp "$file" "$another/build/$name" && echo "$name: the same $(wc -c <"$file") bytes in two folders" || differ=1
done
exit $differ
