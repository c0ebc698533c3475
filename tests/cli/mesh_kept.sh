#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The axes of the user's mesh stay those of a warning, also where sizes do not divide; where they cannot, the answer says why.
. "$SRC/tests/lib.sh"
. "$SRC/tests/cli/lib_warning.sh"
cd "$TMP" || exit

warn '{devices=[6,1]<=[6]}' '{devices=[1,6]<=[6]}' '%copy = f32[10,10]{1,0} copy(%p)' >uneven.log
warn '{devices=[3,2]<=[6]}' '{devices=[2,3]<=[3,2]T(1,0)}' '%copy = f32[8,9]{1,0} copy(%p)' >other.log

status 'sizes that do not divide' 0 "$SHARDWALK" import uneven.log --mesh '{a: 2, b: 3}'
holds 'are padded' '^note   dimension 1 of 10 is padded to 12, as XLA does$'
holds 'over the mesh of the user' '^mesh   {a: 2, b: 3}$'
holds 'with its axes' '^from   f32\[10{b,a}60, 12\]$'
lacks 'and nothing is in the way' 'other ones'
status 'other names' 0 "$SHARDWALK" -c 'mesh {p: 3, q: 2}; import uneven.log'
holds 'are kept too' '^from   f32\[10{q,p}60, 12\]$'
status 'a mesh that has no axes for it' 0 "$SHARDWALK" import other.log --mesh '{a: 2, b: 3}'
holds 'has another beside it' '^mesh   {a: 3, b: 2}$'
holds 'and the reason' '^note   the mesh {a: 2, b: 3} has no axes for this sharding'
holds 'and what the names are' 'different ones'
status 'without a mesh' 0 "$SHARDWALK" import other.log
lacks 'there is nothing to say' '^note'
finish
