#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The plan of every sample runs on real ranks, and every element is right: that of the default strategy, with VERIFY=full those of all
# strategies, each once however many of these find it.  Plans for as many ranks run in one launch.  What has more than RANKS devices is left out, and what is larger than the
# machine is refused with what it needs.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'samples on ranks'
light_start
RANKS=16
reps=0
strategies=fused
memory='--memory 536870912' # of a host: what needs more is tried with VERIFY=full
if [ -n "$VERIFY" ]; then
	RANKS=64
	reps=1
	memory=
	strategies=$("$SHARDWALK" help --man strategies | sed -n 's/^\.It Ic //p' | sed 's/\\-/-/g')
fi

# Strategies that follow another system refuse what that system would pad: then the plan before it is written again, and goes.
write_plans() { # SAMPLE NAME
	{
		grep -v '^run' "$1"
		for strategy in $strategies; do
			echo "plan $strategy; export plan $TMP/plans/$2.$strategy"
		done
	} >"$TMP/script"
	(cd "$(dirname "$1")" && "$SHARDWALK" --quiet) <"$TMP/script" >/dev/null 2>&1
	for plan in "$TMP/plans/$2".*; do
		[ ! -f "$plan" ] || grep -q "^ \"strategy\": \"${plan##*.}\"" "$plan" || rm "$plan"
	done
}

# Steps that another strategy has found for the same sample run once.
drop_what_is_known() { # NAME
	known=
	for plan in "$TMP/plans/$1".*; do
		steps=$(sed -n '/^ "steps": /,$p' "$plan" 2>/dev/null | cksum)
		case $known in
		*"<$steps>"*) rm "$plan" ;;
		*) known="$known<$steps>" ;;
		esac
	done
}

devices_of() { # PLAN
	sed -n 's/^ "mesh": //p' "$1" | tr , '\n' | awk -F ': *' 'BEGIN { n = 1 } /"size"/ { n *= $2 } END { print n }'
}

mkdir "$TMP/plans"
for sample in "$SRC"/samples/*.sw "$SRC"/samples/*/*.sw; do
	name=$(basename "$(dirname "$sample")")-$(basename "$sample" .sw)
	write_plans "$sample" "$name"
	drop_what_is_known "$name"
done
for plan in "$TMP/plans"/*; do
	devices=$(devices_of "$plan")
	[ "$devices" -gt $RANKS ] || echo "$plan" >>"$TMP/on-$devices"
done
for list in "$TMP"/on-*; do
	devices=${list##*-}
	PATIENCE=600 ranks "$devices" --reps $reps --warmup 0 $memory $(cat "$list")
	too_large=$(grep -c 'E01: host .* needs ' "$TMP/err")
	equal "$devices ranks: every plan ran, but those that are refused as too large" \
		"$(($(grep -c . "$list") - too_large))" "$(records complete)"
	equal "$devices ranks: every element was right" "$(records complete)" "$(grep -c '"verified":true' "$TMP/out")"
	grep -v 'E01: host .* needs ' "$TMP/err" | sed 's/^/# /' | head -n 5
done
equal 'samples are for many sizes of meshes' yes "$([ "$(ls "$TMP"/on-* | wc -l)" -ge 5 ] && echo yes)"
finish
