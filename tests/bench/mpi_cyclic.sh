#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A block-cyclic matrix of 8192 x 8192 doubles, from blocks of 32 on 2 x 4 ranks to blocks of 96 on 4 x 2: LAUNCHES launches
# (default 5), those of shardwalk-exec and of others in turns, each repetition beside a copy of the same bytes.  Printed: medians of
# the launches, the share of the copy, and how many times as long others take.
#
# Others are left out where they are not found.  pdgemr2d: SCALAPACK names the library's file, else -lscalapack-mpich.  COSTA: COSTA names the
# folder it was installed in.  Nothing is installed here.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'mpi_cyclic'
MPICXX=$(command -v mpicxx.mpich || command -v mpicxx)
launches=${LAUNCHES:-5}
size=${SIZE:-8192}
source=$SRC/tests/bench

plan cyclic direct '{d: 8}' \
	"f64[32{r,..}$size, 32{c,..}$size] over {r: 2, c: 4} ~> f64[96{r,..}$size, 96{c,..}$size] over {r: 4, c: 2}"

[ -z "$MPICC" ] || $MPICC -O2 -DSCALAPACK -o "$TMP/pdgemr2d" "$source/mpi_cyclic.c" "$SRC/mpi_exec/yield.c" \
	"${SCALAPACK:--lscalapack-mpich}" -Wl,-rpath,"$(dirname "${SCALAPACK:-/usr/lib/x}")" 2>"$TMP/pdgemr2d.err" || true
if [ -n "$COSTA" ] && [ -n "$MPICXX" ]; then
	$MPICC -O2 -c -o "$TMP/cyclic.o" "$source/mpi_cyclic.c" &&
		$MPICC -O2 -c -o "$TMP/yield.o" "$SRC/mpi_exec/yield.c" &&
		$MPICXX -O2 -std=c++17 -fopenmp -I"$COSTA/include" -o "$TMP/costa" "$source/mpi_costa.cpp" "$TMP/cyclic.o" \
			"$TMP/yield.o" -L"$COSTA/lib" -lcosta -Wl,-rpath,"$COSTA/lib"
fi 2>"$TMP/costa.err"

# NAME SHARE SECONDS BUSY
launch_mine() { # NAME OPTION...
	name=$1
	shift
	ranks 8 --launch "$launch" "$@" "$TMP/cyclic.json"
	[ $status = 0 ] || not_ok "$name" "$(head -c 300 "$TMP/err")"
	awk -v name="$name" '
	/"record":"step"/ { share = $0; sub(/.*"share":/, "", share); sub(/.*"seconds":\{"median":/, ""); seconds = $0 + 0 }
	/"record":"machine"/ { print name, share + 0, seconds, (index($0, "\"busy\":true") > 0) }' "$TMP/out" >>"$TMP/all"
}

launch_other() { # NAME
	[ -x "$TMP/$1" ] || return 0
	seconds=$(OMP_NUM_THREADS=1 timeout "$PATIENCE" "$MPIEXEC" -n 8 "$TMP/$1" "$size" 5 </dev/null)
	if [ -n "$seconds" ]; then echo "$1 0 $seconds 0" >>"$TMP/all"; else not_ok "$1" 'it moves the matrix wrongly'; fi
}

launch=1
while [ "$launch" -le "$launches" ]; do
	launch_mine shared
	launch_mine messages --transport messages
	launch_other pdgemr2d
	launch_other costa
	launch=$((launch + 1))
done

awk -v launches="$launches" -v size="$size" '
function median(list, count,  i, j, t) {
	for (i = 2; i <= count; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
	return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
}
{ n[$1]++; share[$1, n[$1]] = $2; seconds[$1, n[$1]] = $3; busy[$1] += $4 }
function of(what, name,  i, t) {
	for (i = 1; i <= n[name]; i++) t[i] = what == "share" ? share[name, i] : seconds[name, i]
	return n[name] ? median(t, n[name]) : 0
}
function mine(name, goal,  s) {
	s = 100 * of("share", name)
	printf "%-12s %9.1f ms  %3.0f %% of a copy%s%s%s\n", name, of("seconds", name) * 1e3, s,
		goal ? ", goal " goal " %" : "", goal && s < goal ? "  MISSED" : "",
		busy[name] ? "  " busy[name] " of " n[name] " launches busy" : ""
}
function other(name, goal,  t) {
	t = of("seconds", name) / of("seconds", "shared")
	if (!n[name]) printf "%-12s left out\n", name
	else printf "%-12s %9.1f ms: %.1f times as long, goal %d%s\n", name, of("seconds", name) * 1e3, t, goal,
		t < goal ? "  MISSED" : ""
}
END {
	printf "block-cyclic 32 on 2 x 4 to 96 on 4 x 2, %d x %d doubles, 8 ranks, %d launches in turns\n", size, size, launches
	mine("shared", 50)
	mine("messages", 0)
	other("costa", 2)
	other("pdgemr2d", 4)
}' "$TMP/all"
finish
