#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Who may include whom: in the engine and in tui a folder includes itself and those before it in its list, in mpi_exec
# a file; what stands in tui itself is above all its folders; no file, with the header of its name, includes itself by way
# of others.  The engine knows neither terminal nor MPI; tui and mpi_exec know the engine by include/shardwalk/ only, and
# each other not at all.  `make check-layers` runs it.

cd "$(dirname "$0")/.." || exit 2
layers='base index array step relation cost search placement peers plan program schedule theory foreign advise emit'
tui_layers='host canvas language session answer views export command launch shell screen table main'
exec_layers='version sha256 yield fault flags watch journal rows copy half add sum kernels requests share team trial throttle tree program schedule rings run messages
	collectives subarrays patterns places overlap fetches compare values proof data numbers memory room probe pace timing result options read work job_chain job_values job dry main'

# Lines `FILE:LINE:NAME` for what the files of a folder include.
includes() { # FOLDER
	[ ! -d "$1" ] || find "$1" -name '*.[ch]' -exec grep -nHE '^[[:blank:]]*#[[:blank:]]*include' {} + |
		sed -nE 's/^([^:]*:[0-9]+):[^"<]*["<]([^">]*)[">].*/\1:\2/p'
}

order_faults() { # FOLDER ORDER
	includes "$1" | awk -F: -v layers="$2" '
		BEGIN { count = split(layers, list, " "); for (i = 1; i <= count; i++) rank[list[i]] = i }
		{ split($1, from, "/"); split($3, to, "/"); sub(/\.[ch]$/, "", from[2]); sub(/\.h$/, "", to[1]) }
		!(from[2] in rank) { print $1 ": " from[2] " has no place in the order " layers; next }
		to[1] in rank && rank[to[1]] > rank[from[2]] { print $1 ":" $2 ": " from[2] " stands before " to[1] ", but includes " $3 }'
}

# What reads the texts of others is in order inside, where a folder knows another by one header, and the rest of the engine
# knows it by the public headers.
foreign_faults() {
	includes engine | awk -F: '
		BEGIN { count = split("notation module program log", list, " "); for (i = 1; i <= count; i++) rank[list[i]] = i }
		{ split($1, from, "/"); split($3, to, "/") }
		to[1] != "foreign" { next }
		from[2] != "foreign" { print $1 ":" $2 ": includes " $3 ", past the public headers of foreign/" }
		from[2] != "foreign" || to[2] == from[3] { next }
		rank[to[2]] > rank[from[3]] { print $1 ":" $2 ": " from[3] " stands before " to[2] ", but includes " $3; next }
		$3 != "foreign/module/mlir_walk.h" { print $1 ":" $2 ": includes " $3 ", past the one header of foreign/" to[2] }'
}

pure_faults() {
	includes engine | awk -F: '
		$3 ~ /(curses|readline|termios|mpi)\.h$|^readline\// { print $1 ":" $2 ": the engine is pure, but includes " $3 }'
}

# A file and the header of its name are one; they are included by their paths from FOLDER.
cycle_faults() { # FOLDER
	{ find "$1" -name '*.[ch]' && includes "$1"; } | awk -F: -v folder="$1/" '
		function module(file) { sub(/\.[ch]$/, "", file); return file }
		{ sub("^" folder, "", $1) }
		NF == 1 { there[$1] = 1 }
		$3 in there && module($1) != module($3) { print module($1), module($3) }' | tsort 2>&1 >/dev/null | awk -v folder="$1" '
		/loop:$/ { end(); next }
		{ list = list " " $2 }
		function end() { if (list) print folder ":" list " include each other"; list = "" }
		END { end() }'
}

program_faults() {
	for folder in tui mpi_exec; do
		includes $folder | awk -F: -v layers="$layers" -v folder=$folder '
			BEGIN { count = split(layers, list, " "); for (i = 1; i <= count; i++) private["engine/" list[i]] = 1 }
			$3 ~ /engine\// { print $1 ":" $2 ": includes " $3 " of the engine, past include/shardwalk/" }
			folder == "tui" && ($3 == "mpi.h" || $3 ~ /mpi_exec\//) { print $1 ":" $2 ": tui starts the executor, but includes " $3 }
			folder == "mpi_exec" && $3 ~ /(curses|readline)\.h$|tui\// { print $1 ":" $2 ": the executor has no terminal, but includes " $3 }'
	done
}

public_faults() {
	includes include | awk -F: '
		$3 !~ /^shardwalk\/|^std(arg|bool|def|int)\.h$|^stdio\.h$/ { print $1 ":" $2 ": a public header includes " $3 }'
}

faults=$(
	order_faults engine "$layers"
	order_faults tui "$tui_layers"
	order_faults mpi_exec "$exec_layers"
	foreign_faults
	pure_faults
	program_faults
	public_faults
	for folder in engine tui mpi_exec include tests; do cycle_faults $folder; done
)
[ -z "$faults" ] || { printf '%s\n' "$faults" >&2; exit 1; }
