#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The same sources in two folders make the same bytes: every program and library, stripped.  `make check-reproducible`
# calls it once it has built them here, in the folder BUILD.
set -e
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

keep() { # BUILD FOLDER
	mkdir -p "$2"
	cp "$1"/shardwalk "$1"/libshardwalk.a "$1"/libshardwalk.so.* "$2"
	[ ! -f "$1/shardwalk-exec" ] || cp "$1/shardwalk-exec" "$2"
	strip -D "$2"/shardwalk* "$2"/libshardwalk.so.* && strip -D -g "$2"/libshardwalk.a
}

build() { # FOLDER
	mkdir -p "$1"
	cp -R Makefile .ci include engine tui mpi_exec man samples "$1"
	env -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" -C "$1" -j"$(nproc 2>/dev/null || echo 2)" BUILD=build CC="${CC:-cc}" \
		CFLAGS="${CFLAGS:--O2 -g}" all >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log" >&2; exit 1; }
}

another=$scratch/another/with-a-longer-name
build "$another"
keep "$another/build" "$scratch/there"
keep "${BUILD:-build}" "$scratch/here"
differ=0
for file in "$scratch"/here/*; do
	name=${file##*/}
	cmp "$file" "$scratch/there/$name" && echo "$name: the same $(wc -c <"$file") bytes in two folders" || differ=1
done
exit $differ
