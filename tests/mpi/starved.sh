#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Too little memory, shared memory, address space, or too few file descriptors: status 3, with what lacks and a way out that
# leads out.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'too little of something'
mesh='mesh {x: 2, y: 4}'
ends='f32[{x,y}16, 16] ~> f32[16, {x,y}16]'
large='f32[{x,y}4096, 4096] ~> f32[4096, {x,y}4096]'
plan eight fused '{x: 2, y: 4}' "$ends"
plan one fused '{x: 1}' 'f32[{x}16, 16] ~> f32[16, {x}16]'
mkdir -p "$TMP/scratch"
export TMPDIR="$TMP/scratch"

limited() { # LIMIT VALUE COMMAND...
	limit=$1 value=$2
	shift 2
	(ulimit "$limit" "$value" && exec "$@") >"$TMP/out" 2>"$TMP/err" </dev/null
	status=$?
}

lacks() { # NAME PATTERN: one message, status 3
	equal "$1: status" 3 "$status"
	says "$1: what lacks" "$2"
	equal "$1: one message" 1 "$(grep -cE '^(error|shardwalk-exec: )' "$TMP/err")"
}

## File descriptors

for n in 6 8 12 16 24 32 40; do
	limited -n $n "$SHARDWALK" run "$mesh" "$ends"
	lacks "run with $n descriptors" "file descriptors, but a process may open only $n"
done
limited -n 16 "$SHARDWALK" calibrate --ranks 2
lacks 'calibrate with 16 descriptors' 'file descriptors, but a process may open only 16'
limited -n 16 "$EXEC" --reps 0 "$TMP/one.json"
lacks 'the executor with 16 descriptors' 'file descriptors, and may open 16'
printf '#!/bin/sh\nulimit -n 20\nexec "%s" "$@"\n' "$EXEC" >"$TMP/few"
chmod +x "$TMP/few"
limited -n 4096 "$MPIEXEC" -n 8 "$TMP/few" --reps 0 "$TMP/eight.json"
lacks 'ranks with 20 descriptors' 'file descriptors, and may open 20'
sh -c 'ulimit -S -n 16; exec "$@"' sh "$SHARDWALK" run "$mesh" "$ends" --reps 1 >"$TMP/out" 2>"$TMP/err"
equal 'a limit that may be raised is raised' 0 $?

## Shared memory

if unshare --mount true 2>/dev/null; then
	small() { # SIZE COMMAND...
		printf 'mount -t tmpfs -o size=%s tmpfs /dev/shm || exit 99\nexec "$@"\n' "$1" >"$TMP/small.sh"
		shift
		unshare --mount sh "$TMP/small.sh" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
		status=$?
	}
	for size in 1024k $([ "$VERIFY" != full ] || echo 8192k) 16384k; do
		small $size "$SHARDWALK" run "$mesh" "$ends" --reps 1
		lacks "run in $size" "/dev/shm has ${size%k} KiB left"
		says "run in $size: a way out" 'transport messages'
		small $size "$SHARDWALK" run "$mesh" "$ends" --reps 1 --transport messages
		equal "run in $size: which leads out" 0 "$status"
	done
	small 64k "$SHARDWALK" run "$mesh" "$ends" --reps 1
	lacks 'run in 64k' '/dev/shm has 64 KiB left'
	equal 'run in 64k: no advice that does not help' 0 "$(grep -c 'transport messages' "$TMP/err")"
	small 1m "$SHARDWALK" calibrate
	lacks 'calibrate' '/dev/shm has 1024 KiB left'
	equal 'calibrate: no advice that does not help' 0 "$(grep -c 'transport messages' "$TMP/err")"
	small 1m "$MPIEXEC" -n 8 "$EXEC" --reps 0 "$TMP/eight.json"
	lacks 'the executor' '/dev/shm has 1024 KiB left'
else
	skip 'shared memory' 'mount namespaces are not allowed here'
fi

## Memory

ranks 8 --reps 0 --memory 1000 "$TMP/eight.json"
lacks 'the executor with little memory' 'E01: host .* needs'
printf '#!/bin/sh\nexec "%s" --memory 1000 "$@"\n' "$EXEC" >"$TMP/poor"
chmod +x "$TMP/poor"
for command in run calibrate; do
	case $command$VERIFY in
		run*) set -- "$mesh" "$ends" ;;
		*full) set -- ;;
		*) set -- --ranks 2 ;;
	esac
	SHARDWALK_EXEC=$TMP/poor "$SHARDWALK" $command "$@" >"$TMP/out" 2>"$TMP/err"
	status=$?
	lacks "$command with little memory" 'error\[E01\]: host .* needs'
done

## Address space, which sanitizers use up by themselves

if "$EXEC" --version | grep -q fsanitize; then
	skip 'address space' 'sanitizers need all of it'
	finish
fi
limited -v 30000 "$SHARDWALK" verify --full "$mesh" "$large"
lacks 'verify' 'error\[E01\]'
says 'verify: a way out' 'verify --memory 1MiB'
limited -v 30000 "$SHARDWALK" verify --memory 1MiB "$mesh" "$large"
equal 'verify: which leads out' 0 "$status"
limited -v 30000 "$SHARDWALK" run "$mesh" "$ends"
lacks 'run without room for programs' 'address space'

# From where MPI cannot start to where all runs: never another answer, and messages are named where they run (but for what
# is close to the limit).  In finer steps with VERIFY=full.
advised=0
sizes='60 105 170 200 400'
[ "$VERIFY" != full ] || sizes='60 75 90 105 120 140 170 200 230 260 400'
for mib in $sizes; do
	limited -v $((mib * 1000)) "$SHARDWALK" run "$mesh" "$large" --reps 1 --warmup 0 --timeout 20
	[ "$status" = 0 ] || lacks "run in $mib MB" 'E01.*address space'
	shared=$status advice=$(grep -c 'transport messages' "$TMP/err")
	limited -v $((mib * 1000)) "$SHARDWALK" run "$mesh" "$large" --reps 1 --warmup 0 --timeout 20 --transport messages
	messages=$status
	case "$shared $messages $advice" in
	'3 3 0' | '3 0 0' | '3 0 1' | '0 0 0') ok "run in $mib MB: $shared, by messages $messages" ;;
	*) not_ok "run in $mib MB" "$shared, by messages $messages, advice $advice: $(head -n 2 "$TMP/err")" ;;
	esac
	advised=$((advised + advice))
done
[ $advised -gt 0 ] && ok 'messages are named' || not_ok 'messages are named' 'nowhere'
equal 'at last all runs' '0 0' "$shared $messages"
finish
