#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every sample runs on real ranks, and every element is right: by every strategy, but where the mesh has more than MOST
# devices by the default one.  What has more than RANKS devices is left out, and what is larger than the machine is refused
# with what it needs.  VERIFY=full: by every strategy everywhere, and on more ranks.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'samples on ranks'
MOST=8
RANKS=24
[ -z "$VERIFY" ] || RANKS=64

# As deep as a sample, so that files beside the samples are found.
mkdir -p "$TMP/samples/one" && ln -s "$SRC/tests" "$TMP/tests"
script=$TMP/samples/one/script

# Strategies that follow another system refuse what that system would pad.
able() { # SAMPLE
	for strategy in $strategies; do
		(cat "$1"; echo; echo "plan $strategy") >"$script"
		(cd "$SRC/samples" && "$SHARDWALK" --quiet "$script") >/dev/null 2>&1 && echo "$strategy"
	done | paste -sd,
}

devices_of() { # SAMPLE
	(cat "$1"; echo; echo 'show mesh') >"$script"
	(cd "$SRC/samples" && "$SHARDWALK" --quiet "$script") 2>/dev/null | sed -n 's/^mesh  *\([0-9]*\) devices.*/\1/p' | tail -n 1
}

all=$("$SHARDWALK" help --man strategies | sed -n 's/^\.It Ic //p' | sed 's/\\-/-/g')
for sample in "$SRC"/samples/*.sw "$SRC"/samples/*/*.sw; do
	name=$(basename "$sample")
	(cat "$sample"; echo; echo 'plan; quit 7') >"$script"
	(cd "$SRC/samples" && "$SHARDWALK" --quiet "$script") >"$TMP/out" 2>&1
	grep -q 'error\[L07\]' "$TMP/out" && continue
	devices=$(devices_of "$sample")
	[ "${devices:-0}" -gt 0 ] && [ "$devices" -le $RANKS ] || continue
	strategies=$all
	[ -n "$VERIFY" ] || [ "$devices" -le $MOST ] || strategies=fused
	plans=$(able "$sample")
	(cat "$sample"; echo; echo "set max_ranks $RANKS; run --compare $plans --launches 1 --reps 1 --warmup 0 --json") >"$script"
	(cd "$SRC/samples" && "$SHARDWALK" --quiet "$script") >"$TMP/out" 2>"$TMP/err"
	if grep -q 'error\[E01\]: host .* needs ' "$TMP/err"; then
		ok "$name: is larger than this machine, and refused"
		continue
	fi
	wanted=$(printf '%s\n' "$plans" | tr , '\n' | grep -c .)
	[ "$wanted" -gt 0 ] || not_ok "$name has plans" "$(head -n 3 "$TMP/err")"
	equal "$name: every plan ran" "$wanted" "$(grep -c '"record":"complete"' "$TMP/out")"
	equal "$name: every element was right" "$wanted" "$(grep -c '"verified":true' "$TMP/out")"
	[ ! -s "$TMP/err" ] || sed 's/^/# /' "$TMP/err" | head -n 5
done
finish
