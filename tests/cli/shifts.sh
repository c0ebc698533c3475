#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What looks like a redistribution among copies and is none promises nothing, and what a module does on its way `import` and `advise`
# say alike.  The modules are what XLA made of programs of JAX 0.10.2.
. "$SRC/tests/lib.sh"
modules=$SRC/tests/hlo

status 'a pipeline under shard_map' 0 "$SHARDWALK" import "$modules/pipeline.hlo"
says 'shifts values' 'it shifts values among devices that hold the same part of an array, as a ring or a pipeline does' "$TMP/err"
holds 'which counts, apart' '4.5 KiB are in chains, the rest in 1 collective-permute that is not$'
holds 'as a ring, with steps and bytes' '9  512 B  collective-permute  2 rings of 4,  *156 '
holds 'of so many steps' 'offset +2: 9$'
lacks 'and promises nothing' 'nothing to do\|times less'
status 'in JSON' 0 "$SHARDWALK" import "$modules/pipeline.hlo" --json
says 'nothing is saved' '"bytes_saved": 0, "bytes_saved_implied": 0'
says 'and all of it counts' '"traffic": {"bytes": 9216, '

for word in pipeline collective-permute gpipe; do
	status "the word $word" 0 "$SHARDWALK" explain "$word"
	says 'is explained' 'no chain of `import'
done

status 'a conditional in a loop' 0 "$SHARDWALK" import "$modules/conditional.hlo"
holds 'knows what its branches get' '^    \[128{a}256, 64{b}256\] -> \[64{b}256, 128{a}256\] over {a: 2, b: 4}$'
lacks 'and promises nothing that is not saved' 'times less'

status 'a constraint that is undone' 0 "$SHARDWALK" -c "import $modules/undone.hlo 2; advise"
holds 'is said by import' '^an offer: without the shardings on the way from %all-to-all.2 to %all-to-all.3,$'
holds 'and by advise' '^an offer: without the shardings on the way from %all-to-all.2 to %all-to-all.3, each device receives 0 B in place of 3 KiB, 6 times$'
holds 'which has no waypoint for it' '^  no waypoint is needed: from end to end, XLA moves less than the module does'
lacks 'and denies nothing' 'nothing can be gained'
status 'in the table' 0 "$SHARDWALK" import "$modules/undone.hlo"
says 'it is an offer too' '  this saves 18 KiB in all; leave out those that nothing else needs'
status 'two constraints of one value' 0 "$SHARDWALK" -c "import $modules/on-the-way.hlo 1; advise"
lacks 'are no row without gain' 'nothing can be gained'
equal 'in both answers' 2 "$(grep -c 'without the shardings on the way' "$TMP/out")"
status 'for programs' 0 "$SHARDWALK" -c "import $modules/on-the-way.hlo 1; advise --json"
says 'it is no constraint that has a name' '"left_out_constraint": "an offer: without the shardings on the way from %dynamic-slice.9 '
says 'and the reason is the same' '"why": "no waypoint is needed: '

# A sum that borrows copies, in a part of a program that is written device by device.
cat >"$TMP/sum.hlo" <<'HLO'
HloModule jit_f, num_partitions=8

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
ENTRY %main (x: f32[64,8]) -> f32[64,64] {
  %x = f32[64,8]{1,0} parameter(0), sharding={devices=[1,4,2]<=[8] last_tile_dim_replicate}
  %y = f32[64,64]{1,0} dot(%x, %x), lhs_contracting_dims={1}, rhs_contracting_dims={1}, metadata={op_name="jit(f)/WHERE/dot_general"}
  ROOT %r = f32[64,64]{1,0} all-reduce(%y), channel_id=1, replica_groups={{0,2,4,6},{1,3,5,7}}, use_global_device_ids=true, to_apply=%add
}
HLO
sed 's/WHERE/shard_map/' "$TMP/sum.hlo" >"$TMP/manual.hlo"
sed 's/WHERE/while/' "$TMP/sum.hlo" >"$TMP/auto.hlo"
sed 's/, metadata=.*}//' "$TMP/sum.hlo" >"$TMP/bare.hlo"
for module in manual bare; do
	status "a sum of $module code" 0 "$SHARDWALK" -c "import $TMP/$module.hlo 1; advise"
	holds 'gains at best' '^the plan moves at best 1.2 times less'
	says 'and says why' 'like copies may not be copies, so a plan saves this or less'
	holds 'in advice, too' '^No annotation of the module gives both ends: of the 24 KiB that its steps bring to a device, a plan saves '
	status 'in JSON' 0 "$SHARDWALK" import "$TMP/$module.hlo" --json
	says 'nothing is promised' '"bytes_saved": 0, "bytes_saved_implied": '
	says 'and that is a field' '"ends": "derived", "at_most": true'
done
status 'a sum that the partitioner made' 0 "$SHARDWALK" -c "import $TMP/auto.hlo 1; advise"
lacks 'has copies that are some' 'at best\|No annotation'

# What lines of advice save is sure, a bound, or may be more or less.
modules=$SRC/tests/cases/modules
status 'lines for ends that nothing annotates' 0 "$SHARDWALK" -c "import $modules/back-without.hlo 2; advise"
holds 'save this or less' '^No annotation of the module gives both ends: of the 1.8 MiB that its steps bring to a device, a plan saves 1.5 MiB or less\.$'
lacks 'not more' 'more or less may be saved'
status 'lines for ends that follow' 0 "$SHARDWALK" -c "import $modules/back-without.hlo 3; advise"
holds 'may save more or less' '^The compiler chose the first sharding, and may choose another one with these lines: more or less may be'
status 'lines for ends that are annotated' 0 "$SHARDWALK" -c "import $SRC/tests/hlo/on-the-way.hlo 1; advise --json"
says 'save what they say' '"bound": null, "unsure": null'
finish
