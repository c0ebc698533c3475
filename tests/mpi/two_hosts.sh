#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Two hosts, made of network namespaces with shared memory of their own: shared memory inside, messages between.
# Only what this test made is removed, by names that carry its process number.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'two hosts'
unset UCX_NET_DEVICES

P=sw$$x
NET=10.$((64 + $$ % 128)).$(($$ / 128 % 250))

remove() {
	for i in 1 2; do
		ip netns del "$P$i" 2>/dev/null
		ip link del "v$P$i" 2>/dev/null
	done
	ip link del "${P}br" 2>/dev/null
}

host() { # NUMBER
	ip netns add "$P$1" && ip link add "v$P$1" type veth peer name eth0 netns "$P$1" \
		&& ip link set "v$P$1" master "${P}br" up && ip netns exec "$P$1" ip addr add "$NET.$1/24" dev eth0 \
		&& ip netns exec "$P$1" ip link set eth0 up && ip netns exec "$P$1" ip link set lo up
}

trap remove EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if ! { command -v ip && command -v unshare && unshare --uts --ipc --mount true && ip link add "${P}br" type bridge \
	&& ip addr add "$NET.254/24" dev "${P}br" && ip link set "${P}br" up && host 1 && host 2; } >/dev/null 2>&1; then
	skip 'two hosts' 'network namespaces are not allowed here'
	exit 0
fi

# What the launcher takes for ssh: HOST COMMAND..., inside the namespaces of that host.
cat >"$TMP/ssh" <<EOF2
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
name=$P\${1##*.}
shift
exec ip netns exec \$name unshare --uts --ipc --mount sh -c "hostname \$name; mount -t tmpfs tmpfs /dev/shm; exec \$*"
EOF2
chmod +x "$TMP/ssh"

two_hosts() { # ARGUMENTS...
	timeout "$PATIENCE" "$MPIEXEC" -launcher ssh -launcher-exec "$TMP/ssh" -localhost "$NET.254" -hosts "$NET.1,$NET.2" \
		-n 4 -ppn 2 "$EXEC" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
	status=$?
}

plan all fused '{x: 4}' 'f32[{x}256, 256] ~> f32[256, {x}256]'
plan swap fused '{x: 2, y: 2}' 'f64[{x}64, {y}96] ~> f64[{y}64, {x}96]'
plan gather fused '{x: 4}' 'i8[64, {x}256] ~> i8[64, 256]'
plan direct direct '{x: 2, y: 2}' 'i16[{x,y}64, 256] ~> i16[{y}64, {x}256]'
plan scatter fused '{x: 2, y: 2}' 'bf16[64, 256]+{x,y} ~> bf16[64, {x,y}256]'
plan reduce sum-first '{x: 2, y: 2}' 'f32[{x}64, 256]+{y} ~> f32[{x}64, 256]'
plan across sum-first '{x: 2, y: 2}' 'i32[64, 256]+{x} ~> i32[64, 256]'
set -- "$TMP/all.json" "$TMP/swap.json" "$TMP/gather.json" "$TMP/direct.json" "$TMP/scatter.json" "$TMP/reduce.json" "$TMP/across.json"

two_hosts --reps 0 --check-steps "$@"
verified 'shared inside, messages between' $#
equal 'two hosts are seen' $# "$(grep -c '"hosts":2' "$TMP/out")"
digests >"$TMP/mixed"
two_hosts --reps 0 --transport messages "$@"
verified 'messages only' $#
digests | cmp -s - "$TMP/mixed" && ok 'the same bytes' || not_ok 'the same bytes' 'transports differ'
two_hosts --reps 0 --collectives "$@"
verified 'collectives' $#
two_hosts --reps 3 --warmup 1 "$TMP/all.json"
verified 'with times' 1
if ip netns exec "${P}1" tc qdisc add dev eth0 root tbf rate 100mbit burst 64kb latency 20ms 2>/dev/null \
	&& ip netns exec "${P}2" tc qdisc add dev eth0 root tbf rate 100mbit burst 64kb latency 20ms 2>/dev/null; then
	plan slow fused '{x: 4}' 'f32[{x}1024, 1024] ~> f32[1024, {x}1024]'
	two_hosts --reps 3 --warmup 1 "$TMP/slow.json"
	verified 'over a slow line' 1
	# 1 MiB goes each way at 12.5 MB/s: 80 ms or more, less what the bucket lets through at once
	time=$(sed -n 's/.*"record":"step".*"seconds":{"median":\([0-9.]*\),.*/\1/p' "$TMP/out")
	if awk "BEGIN { exit !($time > 0.06) }"; then ok 'which takes as long as it must'
	else not_ok 'which takes as long as it must' "$time s"; fi
else
	skip 'over a slow line' 'no rate limits here'
fi
two_hosts --timeout 3 --fault hang:3:1 --reps 0 "$TMP/all.json"
equal 'a rank of the other host hangs' 0 "$(records complete)"
says 'and is noticed' 'no progress for'
nothing_left 'a rank of the other host hangs'
two_hosts --timeout 5 --fault stop:3:1 --reps 0 "$TMP/all.json"
equal 'a rank of the other host is stopped' 0 "$(records complete)"
says 'and is named, with its step' 'rank 3 (process [0-9]*) is stopped: no progress for [0-9]* s in step 1 (alltoall)'
# A network that fails while all ranks are well, in a run without end.
: >"$TMP/out"
(
	await grep -q '"start"' "$TMP/out"
	ip netns exec "${P}2" ip link set eth0 down
) &
cutter=$!
two_hosts --timeout 6 --reps 1000000 "$TMP/all.json"
wait $cutter
equal 'the network fails' 0 "$(records complete)"
says 'and is shown from a rank that does not answer' "all ranks of host ${P}1 answer and wait for those of ${P}2"
finish
