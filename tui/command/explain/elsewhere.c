/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people ask for by the names of MPI, ScaLAPACK, PETSc, JAX and PyTorch.
 */
#include "command/explain/elsewhere.h"

const struct elsewhere elsewhere_topics[] = {
	{
		.others = "blacs descinit desc descriptor numroc pdgemr2d psgemr2d pigemr2d pzgemr2d pcgemr2d pdtrmr2d",
		.topic.kind = TOPIC_WORD,
		.topic.name = "ScaLAPACK",
		.topic.about = "block-cyclic matrices by their descriptors, and the call that moves them",
		.topic.part =
			{
				{"descriptor",
					"DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x 3, as descinit fills it, with the grid behind it: `import` makes it "
					"`from`, `explain` says who holds what. The notation is `scalapack`."},
				{"pdgemr2d",
					"The call with both descriptors is a problem: `import pdgemr2d(...)`. Submatrices that move to another place "
					"are `crop`."},
				{"code",
					"`export scalapack FILE` writes one call of pdgemr2d for both ends, with a check of every element."},
				{"against it",
					"A plan of collectives takes steps where pdgemr2d sends each pair of processes one message, as `direct` does."},
			},
		.topic.example = "mesh {x: 2, y: 2}\nimport DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x 2",
	},
	{
		.others = "petsclayout petsc_decide dmda vecscatter tpetra trilinos",
		.topic.kind = TOPIC_WORD,
		.topic.name = "PETSc",
		.topic.about = "vectors and grids whose ranks own ranges of sizes of their own",
		.topic.part =
			{
				{"layout",
					"`local sizes 5 4 3 1`, `ownership ranges 0 5 9 12 13` or PETSC_DECIDE, 13: what a PetscLayout or a map of Tpetra "
					"says. The notation is `petsc`; `import` makes it `from`."},
				{"DMDA",
					"What each rank owns of a grid is a type with an axis of the mesh for each dimension, [5{x}10, 3{y}9]; ghost points "
					"are no part of it, and what a stencil needs of others `compute` tells."},
				{"VecScatter",
					"Between two layouts it is a redistribution: write one as `from` and the other as `to`, and `relation` says who needs "
					"what of whom."},
			},
		.topic.example = "explain local sizes 5 4 3 1",
	},
	{
		.others =
			"alltoallv alltoallw mpi_alltoall mpi_alltoallv mpi_alltoallw mpi_allgather mpi_allgatherv mpi_reduce_scatter "
			"mpi_allreduce mpi_sendrecv mpi_type_create_subarray",
		.topic.kind = TOPIC_WORD,
		.topic.name = "MPI",
		.topic.about = "collectives of MPI, those with counts of their own too, beside the steps of a plan",
		.topic.part =
			{
				{"alltoallv",
					"Every rank sends each other one a part of its own size: that is the strategy `direct`, one exchange; `show "
					"traffic` has the counts, `--maps` the offsets."},
				{"alltoallw",
					"The same with a type for each pair, subarrays without packing. A plan packs tiles that are not whole in memory; "
					"its step says so."},
				{"measured",
					"`run` executes a plan on MPI ranks, `run --collectives` by MPI's own collectives in turns with it, `run --compare "
					"direct,fused` one strategy against another."},
				{"code", "`export mpi FILE` writes a C program of the steps, each timed, every element checked."},
			},
		.topic.example = "mesh {x: 4, y: 2}\n[4{x}16, 16] ~> [16, 4{x}16]\nplan direct\nshow traffic",
	},
	{
		.others = "jax.device_put reshard with_sharding_constraint make_array_from_callback namedsharding",
		.topic.kind = TOPIC_WORD,
		.topic.name = "device_put",
		.topic.about = "how a program tells JAX where an array belongs",
		.topic.part =
			{
				{"sharding",
					"P('x', None), or NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=P('x', None)), is read wherever a type may be; "
					"`import A -> B` makes two of them the problem."},
				{"inside jit",
					"with_sharding_constraint and reshard are redistributions that XLA plans: strategy `xla`. `advise` says which "
					"constraint on the way makes it cheaper."},
				{"outside",
					"device_put onto another order of devices is one permutation, which no constraint in a jit can do. `export jax` "
					"writes both. Onto other devices it is one exchange: `import y = jax.device_put(x, NamedSharding(...))` goes from the "
					"present `from`, and `advise` says whether it passes a host."},
			},
		.topic.example = "mesh {x: 4, y: 2}\nimport f32[16,16] P('x', None) -> P(None, 'x')",
	},
	{
		.others = "incompatible_devices",
		.says = "Received incompatible devices",
		.topic.kind = TOPIC_WORD,
		.topic.name = "incompatible",
		.topic.about =
			"JAX's error of values on different devices: \"Received incompatible devices for jitted computation\"",
		.topic.part =
			{
				{"says",
					"Two arguments of a jitted function, or one and a sharding inside of it, are on different devices, or on the same ones "
					"in another order. One jitted function runs on one list of devices."},
				{"import",
					"`import FILE` with the whole message names the devices of both, how many are in both, and which of these it is."},
				{"cure",
					"jax.device_put(x, NamedSharding(mesh, spec)) before the call. `A ~> B` with both shardings, their meshes as "
					"Mesh(device_ids=array([4, 5, 6, 7]), axis_names=('t',)), plans what that moves: one exchange over the devices of both."},
				{"cost",
					"`advise` then says whether device_put goes from device to device or through the memory of a host, and what to write so "
					"that it does not."},
			},
		.topic.example = "redistribute f32[16] {devices=[2]0,1} ~> {devices=[2]2,3}\nadvise",
	},
	{
		.others = "nccl ucc c10d backend process_group processgroup all_to_all_single all_gather_into_tensor",
		.topic.kind = TOPIC_WORD,
		.topic.name = "gloo",
		.topic.about = "backends of torch.distributed, which carry out what DTensor plans",
		.topic.part =
			{
				{"plan",
					"What DTensor does is the same over each of them: strategies `dtensor` and `dtensor-min-cost`. Some carry out an "
					"alltoall as a gather and a chunk, which holds the whole dimension for a while."},
				{"time",
					"`hardware` has links of GPUs and of hosts; a backend over sockets is one that you write: `hardware name = 1GB/s 30us`."},
				{"code",
					"`export dtensor FILE` runs over gloo and NCCL alike; `export nccl FILE` writes a reduction program in calls of NCCL."},
			},
		.topic.example = "explain dtensor\nadvise --for dtensor",
	},
};

const int elsewhere_topic_count = sizeof(elsewhere_topics) / sizeof(*elsewhere_topics);
