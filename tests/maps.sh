#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The maps against the folders: engine/map.h, tui/main.c and mpi_exec/main.c name every source file of theirs, by its path
# or, where a path before it says the folder, by its name alone; and no file that is not there.  `make check-maps` runs it.

cd "$(dirname "$0")/.." || exit 2

# The source files that the comment at the head of a map names, as ROOT/FOLDER/NAME.  A name alone is in the folder of the
# last path, or of the last line ` * FOLDER/  about`.
named() { # ROOT MAP
	awk '/^ \*\// { exit } { print }' "$2" | grep -oE '^ \* [a-z_/]+/  |\([a-z_]+/\)$|[a-z_0-9/*]+\.[ch]\b' | awk -v root="$1" '
		/\*\./ { next }
		/^ \* / { folder = $2; next }
		/^\(/ { folder = substr($0, 2, length($0) - 2); next }
		/\// { folder = $0; sub("[^/]*$", "", folder); print root "/" $0; next }
		{ print root "/" folder $0 }' | sort -u
}

map_faults() { # ROOT MAP
	named "$1" "$2" >"$scratch/named"
	find "$1" -name '*.c' ! -path "$1/main.c" | sort >"$scratch/there"
	while read -r file; do
		[ -f "$file" ] || [ -f "$1/${file##*/}" ] || echo "$2: there is no $file"
	done <"$scratch/named"
	while read -r file; do
		grep -qxF "$file" "$scratch/named" || grep -q "/${file##*/}\$" "$scratch/named" ||
			echo "$file: stands nowhere in $2"
	done <"$scratch/there"
}

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
faults=$(map_faults engine engine/map.h; map_faults tui tui/main.c; map_faults mpi_exec mpi_exec/main.c)
[ -z "$faults" ] || { printf '%s\n' "$faults" >&2; exit 1; }
