#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs that are ended, stopped or starved: soon, with the one to blame, and without a name left in shared memory.
#
# Which names are ours says the journal of each run (mpi_exec/journal.c): ranks get a second link to it before they start, so that
# it is there when the run has removed it.  Nothing here waits for a machine to be slow or fast: what has to be under way is
# held at a point by the executor (--fault hold, stop, hang), and what has to end is waited for, until $PATIENCE is at its end; but
# for us none of it would.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'runs that are ended'
mkdir -p "$TMP/scratch" "$TMP/journals"
export TMPDIR="$TMP/scratch"
mesh='mesh {x: 2, y: 2}'
ends='f64[256{x}512, 512{y}1024] ~> f64[512, 256{y,x}1024]'

# An executor with a fault of its own; its name tells its ranks from all others.
executor() { # NAME [OPTION...]
	mark=$TMP/executor-$1
	shift
	ln -sf "$EXEC" "$mark"
	cat >"$mark.sh" <<-END
		#!/bin/sh
		if [ -n "\$SHARDWALK_JOURNAL" ]; then
			: >>"\$SHARDWALK_JOURNAL"
			ln "\$SHARDWALK_JOURNAL" "$TMP/journals/\$(basename "\$(dirname "\$SHARDWALK_JOURNAL")")" 2>/dev/null
		fi
		exec "$mark" $* "\$@"
	END
	chmod +x "$mark.sh"
	export SHARDWALK_EXEC="$mark.sh"
}

# Names of the journals that are still there.
left() {
	cat "$TMP/journals"/* 2>/dev/null | while read -r kind a b path; do
		case $kind in
		file) [ "$(stat -c %i "$path" 2>/dev/null)" != $((0x$b)) ] || echo "$path" ;;
		segment) awk -v key="$((0x$a))" -v pid="$b" '($1 + 4294967296) % 4294967296 == key && $5 == pid { print "segment " $2 }' \
			/proc/sysvipc/shm ;;
		esac
	done
}

nothing_is_left() {
	! pgrep -f "$TMP/executor-" >/dev/null && [ -z "$(left)" ] && [ -z "$(ls -A "$TMP/scratch")" ]
}

gone() { # NAME
	await nothing_is_left
	equal "$1: no rank is left" '' "$(pgrep -fa "$TMP/executor-" | head -n 3)"
	equal "$1: no shared memory is left" '' "$(left)"
	equal "$1: no file is left" '' "$(ls -A "$TMP/scratch")"
	rm -f "$TMP/journals"/*
}

start() { # ARGUMENTS...
	: >"$TMP/out"
	sh -c 'trap - INT; exec "$@"' sh "$SHARDWALK" "$@" >"$TMP/out" 2>"$TMP/err" &
	program=$!
}

has_ended() {
	! kill -0 $program || grep -q '^State:.*zombie' "/proc/$program/status"
}

# What it left is in $status; one that does not end is ended, and that is a failure.
until_ended() { # NAME
	if await has_ended; then
		ok "$1: it ends"
	else
		not_ok "$1: it ends" 'it goes on'
		kill -9 $program
	fi
	wait $program 2>/dev/null
	status=$?
}

child() { # PID: its first one
	pgrep -P "$1" | head -n 1
}

# The processes of the run: keeper, launcher, its proxy, and rank 2.
find_family() {
	keeper=$(child $program) launcher=$(child "$(child $program)")
	proxy=$(child "$launcher")
	rank=$(for pid in $(pgrep -P "$proxy"); do grep -zqx PMI_RANK=2 "/proc/$pid/environ" && echo "$pid"; done)
}

## Names in shared memory

executor plain
status 'a run' 0 "$SHARDWALK" run "$mesh" "$ends" --reps 2
cat "$TMP/journals"/* >"$TMP/journal"
holds 'MPICH gives a name to a file' '^file .*/mpich_shar_tmp' "$TMP/journal"
holds 'UCX to a segment' '^segment ' "$TMP/journal"
equal 'the library sees our functions' 3 "$(nm -D --defined-only "$EXEC" | grep -cE ' (mkstemp|shm_open|shmget)$')"
gone 'a run'

# A rank has given its N-th name and stays there; then somebody dies: two of them, with VERIFY=full all.
is_held() {
	cat "$TMP/journals"/* 2>/dev/null | grep -q '^held$'
}
is_held_or_ended() {
	is_held || has_ended
}
names=0
held='2 5' moments='006 014'
[ "$VERIFY" != full ] || held='1 2 3 4 5 6' moments='002 006 010 014 018'
for n in $held; do
	executor hold --fault hold:0:$n
	start run "$mesh" "$ends" --reps 1
	await is_held_or_ended
	is_held || break # it gives no more names than these
	names=$n
	equal "name $n is there" yes "$([ -z "$(left)" ] || echo yes)"
	find_family
	case $n in
	1) victim=$program ;;
	2) victim=$keeper ;;
	3) victim=$launcher ;;
	4) victim=$proxy ;;
	5) victim=$(pgrep -P "$proxy" | head -n 1) ;;
	6) victim=$program ;;
	esac
	kill -9 "$victim"
	until_ended "name $n"
	gone "name $n"
done
[ $names -gt 0 ] && ok 'names were held' || not_ok 'names were held' 'there was none'

# Nobody is left who could remove it: the next run does.
executor hold --fault hold:0:1
start run "$mesh" "$ends" --reps 1
await is_held_or_ended
find_family
kill -9 "$keeper" $program
until_ended 'all were killed at once'
mkdir "$TMP/scratch/shardwalk-others"
echo 'boot of another machine' >"$TMP/scratch/shardwalk-others/journal"
sh -c "mkdir $TMP/scratch/shardwalk-$(head -c 8 /proc/sys/kernel/random/boot_id)-\$\$-half00"
executor plain
status 'the next run' 0 "$SHARDWALK" run "$mesh" "$ends" --reps 1
equal 'leaves alone what is of another machine' yes "$([ -f "$TMP/scratch/shardwalk-others/journal" ] && echo yes)"
rm -r "$TMP/scratch/shardwalk-others"
gone 'all were killed at once'

# Many runs ended at their start, beside runs that add up to their end and must not lose anything: 4, 60 with VERIFY=full.
runs=4
[ "$VERIFY" != full ] || runs=60
executor beside
while [ ! -e "$TMP/stop" ]; do
	"$SHARDWALK" run "$mesh" "$ends" --reps 1 --warmup 0 --json >"$TMP/beside" 2>&1
	grep -q '"verified":true' "$TMP/beside" && echo complete || head -c 300 "$TMP/beside"
done >"$TMP/beside.log" &
other=$!
executor early
for i in $(seq 0 $((runs - 1))); do
	start run 'mesh {x: 2, y: 4}' 'f32[{x,y}16, 16] ~> f32[16, {x,y}16]'
	sleep 0.$(printf %03d $((30 + i % 11 * 10)))
	if [ $((i % 4)) = 3 ]; then kill -9 $program; else kill -TERM $program; fi
	until_ended "run $((i + 1)), ended at its start"
done
: >"$TMP/stop"
wait $other
executor plain # a program that was killed before it had a keeper left a folder
status 'a run after them' 0 "$SHARDWALK" run "$mesh" "$ends" --reps 1
gone "$runs runs ended at their start"
holds 'a run beside them' complete "$TMP/beside.log"
equal 'loses nothing' '' "$(grep -v '^complete$' "$TMP/beside.log" | head -n 3)"

## Ends soon

# A launcher that does not listen yet, as MPICH's is in its first milliseconds.
printf '#!/bin/sh\n[ "$1" != --version ] || { echo HYDRA; exit; }\ntrap "" INT TERM\n: >"%s/up"\nsleep 9973 & wait; wait\n' "$TMP" >"$TMP/deaf"
chmod +x "$TMP/deaf"
for signal in INT:130 TERM:143; do
	rm -f "$TMP/up"
	SHARDWALK_MPIEXEC=$TMP/deaf
	export SHARDWALK_MPIEXEC
	start run "$mesh" "$ends"
	await test -e "$TMP/up"
	kill -"${signal%:*}" $program
	until_ended "SIG${signal%:*} at the start"
	equal "SIG${signal%:*} at the start: status" "${signal#*:}" "$status"
done
unset SHARDWALK_MPIEXEC
executor plain
for ms in $moments; do
	start run "$mesh" "$ends" --reps 1000000
	sleep 0.$ms
	kill -TERM $program
	until_ended "ended after $ms ms"
done
gone 'ended at the start'

has_start() {
	grep -q '"start"' "$TMP/out"
}
executor hang --fault hang:1:1
for who in keeper proxy launcher; do
	start run "$mesh" "$ends" --reps 2 --timeout 3 --json
	await has_start
	find_family
	case $who in
	keeper) kill -STOP "$keeper" ;;
	proxy) kill -9 "$proxy" ;;
	launcher) kill -STOP "$launcher" ;;
	esac
	until_ended "the $who is hit while a rank hangs"
	equal "the $who is hit while a rank hangs: status" 3 "$status"
	equal "the $who is hit while a rank hangs: one message" 1 "$(grep -c '^error' "$TMP/err")"
	gone "the $who is hit while a rank hangs"
done

## Processes that are stopped

executor stop --fault stop:2:2
for transport in shared messages; do
	status "a rank that is stopped, $transport" 3 "$SHARDWALK" run 'mesh {x: 2, y: 2}' 'f32[{x}16, {y}16] ~> f32[{y}16, {x}16]' naive --timeout 2 --transport $transport
	holds 'is named with its step' 'rank 2 (process [0-9]*) is stopped: no progress for [0-9]* s in step 2 (' "$TMP/err"
	gone 'a rank that is stopped'
done
executor plain
start run "$mesh" "$ends" --reps 1000000 --timeout 8 --json
await has_start
find_family
kill -STOP "$rank"
until_ended 'one that is stopped from outside'
holds 'one that is stopped from outside is named' "rank 2 (process $rank) is stopped: no progress" "$TMP/err"
gone 'one that is stopped from outside'
start run "$mesh" "$ends" --reps 1000000 --timeout 8 --json
await has_start
find_family
kill -STOP $(pgrep -P "$proxy")
until_ended 'all are stopped'
equal 'all are stopped: status' 3 "$status"
holds 'all are stopped: they are named' "rank 2 (process $rank).* are stopped: no progress" "$TMP/err"
gone 'all are stopped'
finish
