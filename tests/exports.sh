#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The shared library exports what the public headers declare, all of it and nothing else: tests/exports.sh LIBRARY.
# `make check-exports` runs it, with CC set.

cd "$(dirname "$0")/.." || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# Functions stand before a bracket, tables behind `extern`; inline ones are no part of the library, wherever they are called, and what a
# pointer to a function returns is none.
${CC:-cc} -E -P -Iinclude include/shardwalk/shardwalk.h >"$scratch/all" || exit 2
grep -v '^static inline ' "$scratch/all" >"$scratch/headers"
sed -nE 's/^static inline [^(]*\b(sw_[a-z0-9_]+) ?\(.*/\1/p' "$scratch/all" | sort -u >"$scratch/inline"
{
	grep -oE '\bsw_[a-z0-9_]+ ?\(\*?' "$scratch/headers" | grep -v '\*$' | tr -d ' ('
	sed -nE 's/^extern .*\b(sw_[a-z0-9_]+)(\[[^]]*\])?;$/\1/p' "$scratch/headers"
} | sort -u | comm -23 - "$scratch/inline" >"$scratch/declared"
nm -D --defined-only "$1" | awk '{ print $3 }' | sort -u >"$scratch/exported" || exit 2

[ -s "$scratch/declared" ] || { echo 'the public headers declare nothing' >&2; exit 1; }
unheard=$(comm -13 "$scratch/declared" "$scratch/exported")
missing=$(comm -23 "$scratch/declared" "$scratch/exported")
for name in $unheard; do echo "$1 exports $name, which no public header declares" >&2; done
for name in $missing; do echo "$1 does not export $name, which a public header declares" >&2; done
[ -z "$unheard$missing" ]
