#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What `make check-layers` refuses, in a small tree of its own.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

tree() { # FILE TEXT ...: a tree that is in order, with these files instead of those of the same name
	rm -rf tree
	mkdir -p tree/tests tree/include tree/engine/base tree/engine/foreign/log tree/engine/foreign/module tree/tui/host \
		tree/tui/canvas tree/mpi_exec
	cp "$SRC/tests/layers.sh" tree/tests
	set -- engine/base/a.h '' engine/base/a.c '#include "base/a.h"' engine/base/b.h '#include "base/a.h"' \
		engine/base/b.c '#include "base/b.h"' engine/foreign/module/mlir_walk.h '' engine/foreign/module/trips.h '' \
		engine/foreign/log/log.c '#include "foreign/module/mlir_walk.h"' tui/host/file.h '' \
		tui/canvas/canvas.c '#include "host/file.h"' tui/main.c '#include "host/file.h"' \
		mpi_exec/fault.h '' mpi_exec/run.h '#include "fault.h"' mpi_exec/main.c '#include "run.h"' "$@"
	while [ $# -gt 0 ]; do
		printf '%s\n' "$2" >"tree/$1"
		shift 2
	done
}

finds() { # NAME WORDS FILE TEXT
	tree "$3" "$4"
	status "$1 is refused" 1 sh tree/tests/layers.sh
	grep -qF "$2" err && ok "$1 is told" || not_ok "$1 is told" "$(head -c 300 err)"
}

tree
status 'a tree in order passes' 0 sh tree/tests/layers.sh
finds 'a file and another that include the header of each other' 'engine: base/a base/b include each other' \
	engine/base/a.c '#include "base/b.h"'
finds 'a header that includes itself by way of another' 'include each other' engine/base/a.h '#include "base/b.h"'
finds 'a folder below another' 'host stands before canvas' tui/host/file.h '#include "canvas/canvas.h"'
finds 'a file of the executor below another' 'fault stands before run' mpi_exec/fault.h '#include "run.h"'
finds 'a file without a place in the order' 'new has no place in the order' mpi_exec/new.c '#include "fault.h"'
finds 'a second header of a folder of foreign' 'past the one header' engine/foreign/log/log.c \
	'#include "foreign/module/trips.h"'
finds 'the engine in the program' 'past include/shardwalk/' tui/main.c '#include "../engine/base/a.h"'
finds 'a terminal in the engine' 'the engine is pure' engine/base/a.c '#include <curses.h>'
