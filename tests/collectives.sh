#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How often the code asks which collective it has in hand: comparisons and case labels with the name of one, by
# file.  A question that a flag or a function of the row can answer (include/shardwalk/collective.h) is to be asked
# there.  `make check-collectives` runs it, and fails above the limit, which only falls.

cd "$(dirname "$0")/.." || exit 2
limit=40

names=$(sed -n '/^typedef enum sw_op {/,/^} sw_op;/s/^\t\(SW_[A-Z]*\),$/\1/p' include/shardwalk/collective.h | paste -sd '|' -)
reductions=$(sed -n '/^#define SW_REDUCTION_OPS/,/^$/s/^\tX(\([A-Z]*\),.*/SW_REDUCTION_\1/p' include/shardwalk/reduction.h |
	paste -sd '|' -)
[ -n "$reductions" ] || { echo "collectives: no names in include/shardwalk/reduction.h" >&2; exit 2; }
names="$names|$reductions"
[ -n "$names" ] || { echo "collectives: no names in include/shardwalk/collective.h" >&2; exit 2; }

found=$(find engine tui mpi_exec -name '*.[ch]' -exec grep -oHE "([=!]=|case) *($names)\\b|\\b($names) *[=!]=" {} + |
	cut -d: -f1 | sort | uniq -c | sort -k1,1nr -k2)
count=$(printf '%s\n' "$found" | awk '{ sum += $1 } END { print sum + 0 }')
[ "$1" != list ] || { printf '%s\n' "$found"; echo "$count in all, $limit at most"; }
[ "$count" -le "$limit" ] && exit
printf '%s\n' "$found" >&2
echo "collectives: $count comparisons and case labels with the name of one, $limit at most" >&2
exit 1
