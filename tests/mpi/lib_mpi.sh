# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the tests of the executor need: `. "$SRC/tests/mpi/lib_mpi.sh"`.
. "$SRC/tests/lib.sh"

EXEC=$BUILD/shardwalk-exec
MPIEXEC=$(command -v mpiexec.hydra || command -v mpiexec.mpich || command -v mpiexec)

# With the leak sanitizer: only what is ours counts.
export LSAN_OPTIONS="suppressions=$SRC/tests/mpi/leaks.supp:print_suppressions=0"

# Without the executor or its launcher a test says so and ends well.
needs_mpi() { # NAME
	[ -x "$EXEC" ] || { skip "$1" 'there is no shardwalk-exec'; exit 0; }
	[ -n "$MPIEXEC" ] || { skip "$1" 'there is no mpiexec'; exit 0; }
}

# Writes $TMP/NAME.json, the plan of a problem; its mesh and types as `shardwalk plan` takes them.
plan() { # NAME STRATEGY MESH PROBLEM
	"$SHARDWALK" plan "mesh $3" "$4" "$2" --json --maps >"$TMP/$1.json" 2>"$TMP/plan.err" \
		|| { not_ok "plan $1" "$(head -c 300 "$TMP/plan.err")"; finish; }
}

# For tests of data: ranks meet through UCX alone.  In MPICH's own shared memory all wait at full speed until the last one is there,
# which is half of what a start of 8 ranks takes.  Tests of starts and ends have the library as it is, and with VERIFY=full all have.
light_start() {
	[ "$VERIFY" = full ] || export MPIR_CVAR_NOLOCAL=1
}

# Runs the executor; what it printed is in $TMP/out and $TMP/err, its status in $status.  One that ignores a time limit
# of its own is ended with status 124.
ranks() { # N ARGUMENTS...
	lib_ranks=$1
	shift
	timeout "$PATIENCE" "$MPIEXEC" -n "$lib_ranks" "$EXEC" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
	status=$?
}

records() { # KIND
	grep -c "\"record\":\"$1\"" "$TMP/out"
}

# The run came to its end, and every element was right.
verified() { # NAME COUNT
	right=$(grep -c '"verified":true' "$TMP/out")
	if [ "$status" = 0 ] && [ "$right" = "$2" ] && [ "$(records complete)" = "$2" ]; then ok "$1"
	else not_ok "$1" "status $status, $right of $2 verified: $(head -c 400 "$TMP/err")"; fi
}

digests() {
	sed -n 's/.*"digest":"\([0-9a-f]*\)".*/\1/p' "$TMP/out"
}

says() { # NAME TEXT
	if grep -q -- "$2" "$TMP/err"; then ok "$1"; else not_ok "$1" "'$2' is not in: $(head -c 400 "$TMP/err")"; fi
}

# Other runs of the machine are not ours to judge: our ranks are those that name a file in $TMP, and our files in
# /dev/shm are those that they have mapped (some without their name by then).
our_ranks="^$EXEC .*$TMP/"
our_memory() {
	for pid in $(pgrep -f "$our_ranks"); do
		sed -n 's,^.* \(/dev/shm/[^ ]*\).*,\1,p' "/proc/$pid/maps"
	done 2>/dev/null | sort -u
}

# No process of this run is left, and none of the files in /dev/shm that stand in $TMP/memory.
nothing_left() { # NAME
	ends "$1: no rank is left" "$our_ranks"
	[ ! -f "$TMP/memory" ] || equal "$1: no shared memory is left" '' \
		"$(while read -r file; do ls "$file" 2>/dev/null; done <"$TMP/memory")"
	rm -f "$TMP/memory"
}

# Runs a program that was compiled here.  It waits as MPICH does, which never gives up the processor: with more ranks than cores
# that is most of its time.  With the executor's own hook it gives it up, too.
compiled_ranks() { # N PROGRAM
	[ -f "$TMP/yield.so" ] || ${CC:-cc} -shared -fPIC -I"$SRC/mpi_exec" -o "$TMP/yield.so" "$SRC/mpi_exec/yield.c" || return
	LD_PRELOAD=$TMP/yield.so timeout "$PATIENCE" "$MPIEXEC" -n "$1" "$2" </dev/null
}
