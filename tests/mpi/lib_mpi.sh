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

# Runs the executor; what it printed is in $TMP/out and $TMP/err, its status in $status.
ranks() { # N ARGUMENTS...
	lib_ranks=$1
	shift
	timeout 60 "$MPIEXEC" -n "$lib_ranks" "$EXEC" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
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

# No process of this run is left (dead ones that nobody has waited for do not count), and no shared memory.
# Other runs of the machine are not ours to judge: ours are those that name a file in $TMP.
nothing_left() { # NAME
	sleep 0.3
	left=$(ps -eo stat=,args= | grep -v '^Z' | grep -F "$EXEC" | grep -F "$TMP/" | grep -cv grep)
	equal "$1" 0 "$left"
}
