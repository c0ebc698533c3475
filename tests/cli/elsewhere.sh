#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Words of other libraries, and words that nobody has.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

## Words of other libraries

while read -r word leads; do
	status "explain $word" 0 "$SHARDWALK" explain "$word"
	holds "$word: leads to what there is" "$leads" out
	equal "$word: and no more" '' "$(cat err)"
done <<'WORDS'
ScaLAPACK import DESC
descinit export scalapack
PDGEMR2D export scalapack
PETSc local sizes 5 4 3 1
DMDA of a grid is a type
alltoallv plan direct
MPI_Alltoallw plan direct
mpiexec run --collectives
Partial redistribute
Replicate redistribute
Shard redistribute
PartitionSpec with_sharding_constraint
OpSharding plan xla
all_gather explain allreduce
reduce_scatter explain allreduce
reduce-scatter explain allreduce
all-reduce explain allreduce
collective-permute explain allreduce
ring explain allreduce
cannon explain distal
SUMMA explain distal
mpi_alltoallv run --collectives
gloo export dtensor
device_put advise
incompatible import FILE
BLACS export scalapack
numroc export scalapack
ELPA export scalapack
COSTA export scalapack
PetscLayout local sizes 5 4 3 1
VecScatter local sizes 5 4 3 1
ghost of a grid is a type
hypre local sizes 5 4 3 1
MPI_Bcast plan direct
MPI_Allgatherv plan direct
MPI_Type_create_darray plan direct
MPI_Neighbor_alltoallw plan direct
NCCL export dtensor
ncclAllReduce export dtensor
ncclSend export dtensor
ProcessGroup export dtensor
HPF DISTRIBUTE X(CYCLIC(4)) ONTO P(3)
Chapel dmapped new blockCycDist
dmapped dmapped new blockCycDist
BlockDist dmapped new blockCycDist
DISTRIBUTE DISTRIBUTE X(CYCLIC(4)) ONTO P(3)
ALIGN DISTRIBUTE X(CYCLIC(4)) ONTO P(3)
TEMPLATE DISTRIBUTE X(CYCLIC(4)) ONTO P(3)
locales dmapped new blockCycDist
Legion export distal
Regent export distal
Legate export distal
Megatron ShardedTensor(axis_fragmentations=(4, 1))
Megatron-LM ShardedTensor(axis_fragmentations=(4, 1))
ColumnParallelLinear explain ColwiseParallel()
SequenceParallel explain ColwiseParallel()
DeepSpeed reducescatter
ZeRO reducescatter
FSDP reducescatter
fully_shard reducescatter
HSDP reducescatter
DDP reducescatter
Alpa S01R of Alpa
GSPMD plan xla
mark_sharding plan xla
auto_sharding plan xla
DTensor advise --for dtensor
DeviceMesh advise --for dtensor
DebugMode explain N07
CommDebugMode explain N07
redistribute_input explain N07
distribute_tensor explain N07
shard_map jax.make_jaxpr
psum an all-reduce
ppermute an allpermute
pjit jax.make_jaxpr
in_shardings compiled.input_shardings
ShapeDtypeStruct compiled.input_shardings
visualize_array_sharding the picture of
WORDS
status 'the message itself' 0 "$SHARDWALK" explain 'Received incompatible devices for jitted computation. Got argument u of f with shape float32[16] and with device ids [0, 1] on platform CPU'
holds 'what it says' 'are on different devices, or on the same devices'
holds 'its cure' 'jax.device_put(x, NamedSharding(mesh, spec)) before'
status 'a code' 0 "$SHARDWALK" explain N03
for form in 'f32\[12,12\] in front' 'NamedSharding(mesh=Mesh' 'ShapeDtypeStruct(shape' '{devices=\[4,1\]<=\[4\]}' 'jax.device_put(x,'; do
	tr -s ' \n' ' ' <out >flat
	holds "N03 names the form $form" "$form" flat
done

## Their examples

for word in ScaLAPACK PETSc MPI device_put gloo PyTorch FSDP Megatron GSPMD jaxpr Chapel Legion; do
	"$SHARDWALK" explain "$word" | sed -n '/^$/,$s/^    //p' >example.shw
	[ -s example.shw ] || not_ok "$word has an example" 'it has none'
	status "the example of $word" 0 "$SHARDWALK" --quiet example.shw
done

## Words that were ours before are still that

while read -r word begins; do
	status "explain $word" 0 "$SHARDWALK" explain "$word"
	holds "$word: is what it was" "^$begins" out
done <<'OURS'
dtensor dtensor
alltoall alltoall
OURS

## Words that nobody has

status 'a word that is almost one' 1 "$SHARDWALK" explain alltoal
holds 'has the nearest' "^help: did you mean 'alltoall'" err
equal 'and nothing else is answered' '' "$(cat out)"
status 'almost one of another library' 1 "$SHARDWALK" explain scalapak
holds 'has the nearest, too' "did you mean 'scalapack'" err
status 'a word that is near to none' 1 "$SHARDWALK" explain wibble
holds 'is refused where it is' '^  |          ^^^^^^$' err
holds 'with where words are' '^help: .explain. lists all topics, .help -k wibble. searches' err
equal 'no page of notations comes before it' 0 "$(grep -c 'notations that are read' err)"
status 'several words' 1 "$SHARDWALK" explain sharding of everything
holds 'several words have what is near to one of them' "did you mean 'shardy'" err
equal 'without the page, too' 0 "$(grep -c 'notations that are read' err)"
finish
