#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Published programs of a sum become the plan by their names: priced as `compare` prices them, verified, saved and opened.
. "$SRC/tests/lib.sh"
export LC_ALL=C
cd "$TMP" || exit

sum='system p2-a100 4; axes {data: 8, shard: 8}; reduce {data} f32[2147483648]; place [[2 4] [2 4]]'

sw "$sum; compare --json" && cp out compared.json
for way in ring tree; do
	for name in ring tree rs-ag hierarchical masters best; do
		seconds=$(jq -r ".algorithms[] | select(.name == \"$name\" and .allreduce == \"$way\") | .seconds" compared.json)
		[ -n "$seconds" ] || continue
		sw "$sum; set allreduce $way; reductions $name --json"
		equal "$name ($way): the seconds of compare" "$seconds" "$(jq -r .model_cost out)"
		sw "$sum; set allreduce $way; reductions $name; verify; save $name.sw"
		says "$name ($way): verified" 'verified:' out
		sw "$sum; set allreduce $way; reductions $name; show plan" && grep -v '^reduction' out >before
		sw "source $name.sw; show plan"
		says "$name ($way): saved, and opened again" "$(tail -n 1 before)" out
	done
done
equal 'hierarchical: as it is saved' 'reductions hierarchical' "$(grep '^reductions' hierarchical.sw)"
sw "source hierarchical.sw; show plan"
says 'hierarchical: opened' 'allreduce across node' out

refuses() { # NAME STATEMENTS CODE TEXT COLUMN
	sw "$sum; $2"
	equal "refused: $1" 'status 1' "status $?"
	says "code: $1" "error[$3]" err
	says "way out: $1" "$4" err
	says "where: $1" ":1:$5" err
}
begins=$(printf '%s; ' "$sum" | wc -c)
refuses 'a tree where rings are set' 'reductions tree' L07 'first: set allreduce tree' $((begins + 12))
refuses 'a ring where trees are set' 'set allreduce tree; reductions ring' L07 'first: set allreduce ring' $((begins + 32))
refuses 'no such program' 'reductions fast' L08 'one of ring, tree, rs-ag, hierarchical, masters, best' $((begins + 12))
refuses 'a number behind the last' 'reductions 48' L12 '1 to 47' $((begins + 12))
sw 'system p2-a100 4; axes {data: 8, shard: 8}; place 1; reductions best'
says 'refused: there is no sum' 'error[L07]' err
