#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The table of the manual with what JAX and PyTorch print: each row has an example, which is imported, and files that were really printed,
# and each of these files is of a row and in the list of tests/printed.
. "$SRC/tests/lib.sh"

printed=$SRC/tests/printed
before='mesh {x: 2, y: 4}; shape f32[16,32]; from [8{x}16, 8{y}32]'

# Of each row a folder with its name, its files and its example.
awk -v folder="$TMP" '
	/^\.\\" printed / { if (!open) row++; open = 1; sub(/^\.\\" printed /, ""); print >(folder "/" row ".files") }
	/^\.It / && open { open = 0; sub(/^\.It /, ""); print >(folder "/" row ".name"); named = row }
	/^\.Ed/ { inside = 0 }
	inside { print >(folder "/" row ".example") }
	/^\.Bd/ && named { inside = 1; named = 0 }
	END { print row >(folder "/rows") }' "$SRC/man/shardwalk.7"
rows=$(cat "$TMP/rows")
[ "$rows" -ge 16 ] && ok 'the table has its rows' || not_ok 'the table has its rows' "there are $rows"

plain() {
	sed "s/^\\\\&//; s/\\\\(ti/~/g; s/\\\\(ha/^/g; s/\\\\(ga/\`/g; s/\\\\(aq/'/g; s/\\\\-/-/g; s/\\\\e/\\\\/g"
}

: >"$TMP/of_rows"
row=0
while [ $row -lt "$rows" ]; do
	row=$((row + 1))
	name=$(cat "$TMP/$row.name")
	for pattern in $(cat "$TMP/$row.files"); do
		found=0
		for file in "$printed"/$pattern; do
			[ ! -f "$file" ] || found=$((found + 1))
			echo "$file" >>"$TMP/of_rows"
		done
		[ $found -gt 0 ] || not_ok "$name: $pattern" 'there is no such file'
	done
	[ -f "$TMP/$row.example" ] || continue
	plain <"$TMP/$row.example" >"$TMP/example.txt"
	status "$name: the example is read" 0 "$SHARDWALK" -c "$before; import $TMP/example.txt"
done

## Every file is of a row, and in the list

for file in "$printed"/*; do
	base=${file##*/}
	[ "$base" != README.md ] || continue
	grep -qxF "$file" "$TMP/of_rows" && ok "$base is of a row" || not_ok "$base is of a row" 'no row of the manual names it'
	listed=0 rest=$base
	grep -qF "\`$base\`" "$printed/README.md" && listed=1
	while [ "$rest" != "${rest#*-}" ]; do
		rest=${rest#*-}
		grep -qF -e "\`-$rest\`" "$printed/README.md" && listed=1
	done
	equal "$base is in the list" 1 $listed
done

## One sharding a line

for file in "$printed"/single-*; do
	number=0
	while IFS= read -r line; do
		number=$((number + 1))
		printf '%s\n' "$line" >"$TMP/line.txt"
		case $line in *'(dp=2)'*) mesh= ;; *) mesh='mesh {dp: 2, tp: 4}; ' ;; esac
		case $file in *jax*) mesh= ;; esac
		case $line in *float32\[*) mesh='mesh {x: 2, y: 4}; ' ;; esac
		status "${file##*/}, line $number" 0 "$SHARDWALK" -c "${mesh}shape f32[16,32]; import $TMP/line.txt"
		holds "${file##*/}, line $number: is a type" 'sets  f32\['
	done <"$file"
done

finish
