#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tab: by the kind of the argument, from what is defined now.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"

# A line, a Tab, and what the screen shows then; the line is dropped.
tab() { # NAME TYPED PATTERN
	fresh
	text "$2"
	keys Tab
	sees "$1" "$3"
	keys C-c
	shown '> *$'
}

start 100 30
shown '^shardwalk> *$'
tab 'the only command' 'redi' '^shardwalk> redistribute $|^shardwalk> redistribute$'
tab 'several commands, with what they do' 'fr' '^frontier  list the nodes'
tab 'a mesh is needed for axes' 'from [3{' '^shardwalk> from \[3\{$'

line 'mesh {rows: 4, columns: 6}'
line 'type tall = [3{rows}12, 12]'
line 'type wide = [12, 2{columns}12]'
tab 'axes inside braces' 'from [3{' '^columns  axis of 6'
tab 'the axis that is meant' 'from [3{r' '3\{rows$'
tab 'an axis that is used is not offered' 'from [3{rows}12, 2{' '2\{columns$'
tab 'names of types' 'from t' '^shardwalk> from tall'
tab 'and behind an arrow' 'tall ~> w' '~> wide'
tab 'and in a definition' 'type third = w' '= wide'
tab 'the mesh to change' 'mesh ' 'mesh \{rows: 4, columns: 6\}$'

line 'from [3{rows}12, 2{columns}12]'
tab 'types that can be reached' 'to ' '^\[12, 2\{columns\}12\] +by allgather\(0\)'
line 'to [2{columns}12, 3{rows}12]'
tab 'operations that are legal now' 'apply ' '^allgather\(1\) +makes \[3\{rows\}12, 12\]'
lacks 'and no others' 'dynslice\(0, rows\)'
tab 'dimensions' 'apply alltoall(' '^1  dimension of 12, tile 2'
tab 'axes of an operation' 'apply dynslice(0, c' 'dynslice\(0, columns$'

tab 'strategies, with what they are' 'plan ' '^direct +one exchange'
tab 'options' 'plan --' '^--model= +how to price a step'
tab 'one option' 'plan --mo' 'plan --model=$'
tab 'its values' 'plan --model=v' '--model=volume'
tab 'values behind a blank too' 'plan --model v' '--model volume'
tab 'budgets, in elements' 'budget ' '^2x +12 elements'
tab 'settings, with what they are now' 'set ' '^strategy.*\(now fused\)'
tab 'values of a setting' 'set search ' '^dijkstra +the default'
tab 'several operations' 'plan --without alltoall,al' 'alltoall +allpermute +allreduce'
tab 'views' 'show ' '^heights  '
tab 'the ends' 'show tiles ' '^from  '
tab 'codes' 'explain T0' '^T04 '
tab 'commands as arguments' 'help norm' 'help normalize'
tab 'the second statement of a line' 'show mesh; veri' '; verify'
tab 'nothing in a comment that is text' '# pl' '# pl$'

line 'step 2'
tab 'nodes' 'goto ' '^1 +\[3, 2\] size 6'
tab 'nodes by their local types' 'goto [6' 'goto \[6, 1\]'
line 'plan naive'
tab 'results' 'show plan $' '\$1'
tab 'steps of the plan' 'show tiles --step=' '^2 +after'

mkdir "$TMP/a folder"
echo >"$TMP/a folder/file.shw"
echo >"$TMP/plain.shw"
tab 'files' 'source pl' 'source plain.shw'
tab 'a name with a blank is quoted' 'source a' 'source "a folder/$'
tab 'and goes on inside' 'source "a folder/f' 'source "a folder/file.shw"'
tab 'a file behind >' 'show mesh > pl' '> plain.shw'

fresh
line 'from [3{'
shown '\.\.\.> *$'
text 'ro'
keys Tab
sees 'a line that goes on' '\.\.\.> rows$'
keys C-c

# The list is as long as the screen, and no longer.
start 60 8
shown '^shardwalk> *$'
text 'explain '
keys Tab
sees 'a long list is cut, and says so' '^\.\.\. and [0-9]+ more'
finish
