/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people ask for by the names of MPI, ScaLAPACK, PETSc, JAX and PyTorch.
 */
#include "command/explain/elsewhere.h"

const struct elsewhere elsewhere_topics[] = {
	{
		.others = "pblas elpa costa descset blacs_gridinit block-cyclic pdgemm "
				  "blacs descinit desc descriptor numroc pdgemr2d psgemr2d pigemr2d pzgemr2d pcgemr2d pdtrmr2d",
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
		.others = "ghost dmplex mpiaij hypre petsclayout petsc_decide dmda vecscatter tpetra trilinos",
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
			"alltoallv alltoallw bcast allgatherv mpi_bcast mpi_gather mpi_scatter mpi_put mpi_ialltoall mpi_neighbor_alltoallw "
			"mpi_cart_create mpi_type_vector mpi_type_create_darray "
			"mpi_alltoall mpi_alltoallv mpi_alltoallw mpi_allgather mpi_allgatherv mpi_reduce_scatter "
			"mpi_allreduce mpi_sendrecv mpi_type_create_subarray mpiexec mpirun",
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
		.others =
			"jax.device_put reshard with_sharding_constraint make_array_from_callback namedsharding partitionspec",
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
		.others = "nccl ncclallreduce ncclallgather ncclreducescatter ncclsend nccl_alltoall rccl mscclpp "
				  "ucc c10d backend process_group processgroup all_to_all_single all_gather_into_tensor",
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
		.topic.example = "mesh {x: 4, y: 2}\n[4{x}16, 16] ~> [16, 4{x}16]\nadvise --for dtensor",
	},
	{
		.others =
			"dtensor devicemesh distribute_tensor redistribute redistribute_input debugmode commdebugmode dtensorspec "
			"placements _c10d_functional torch_logs aot_graphs fx torch.compile from_local full_tensor shard replicate partial",
		.says = "Sharding propagation failed",
		.topic.kind = TOPIC_WORD,
		.topic.name = "PyTorch",
		.topic.about = "what DTensor says of a tensor, and what it prints of what it does",
		.topic.part =
			{
				{"placements",
					"(Shard(0), Replicate()), Spec(f32[16, 8](S(0)R)), or a call that gives a tensor its own, distribute_tensor(x, mesh, "
					"[Shard(0)]), are read as types; `mesh {dp: 2, tp: 4}` is the DeviceMesh."},
				{"a move",
					"`from` what it has, then `import x.redistribute(mesh, [Replicate(), Shard(1)])`; or `import A -> B`. Strategies "
					"`dtensor` and `dtensor-min-cost` are its own ways, `advise --for dtensor` is what to write."},
				{"a program",
					"`import` counts every collective that DebugMode, CommDebugMode, FX graphs and the logs of torch.compile print, and "
					"explains \"Sharding propagation failed\"; `explain N07` lists all forms."},
				{"code", "`export dtensor FILE` writes a plan as redistributions, checked on ranks."},
			},
		.topic.example =
			"mesh {dp: 2, tp: 4}\nshape f32[16,32]\nfrom (Shard(0), Shard(1))\nimport x.redistribute(mesh, [Replicate(), Shard(1)])",
	},
	{
		.others = "fully_shard fsdp2 hsdp ddp zero zero1 zero2 zero3 deepspeed zero-3 flatparameter shardedtensor",
		.topic.kind = TOPIC_WORD,
		.topic.name = "FSDP",
		.topic.about = "parameters, gradients and states of the optimizer cut over the axis of data",
		.topic.part =
			{
				{"what it is",
					"Each parameter is Shard(0) over that axis, [2{dp}16, 32]; before it is used an allgather makes it whole, and its "
					"gradient ends in a reducescatter. With replicas, HSDP, another axis cuts nothing."},
				{"as types",
					"[2{dp}16, 32] ~> [16, 32] is the gather, [16, 32]+{dp} ~> [2{dp}16, 32] what happens to a gradient."},
				{"a step",
					"`import` of DebugMode or CommDebugMode around a step counts its all-gathers and reduce-scatters with their bytes."},
			},
		.topic.example = "mesh {dp: 8}\n[16, 32]+{dp} ~> [2{dp}16, 32]\nplan",
	},
	{
		.others =
			"megatron megatron-lm megatron_core columnparallellinear rowparallellinear vocabparallelembedding colwiseparallel "
			"rowwiseparallel sequenceparallel sequence_parallel tensor_model_parallel context_parallel",
		.topic.kind = TOPIC_WORD,
		.topic.name = "Megatron",
		.topic.about = "tensor parallelism, and checkpoints as ShardedTensor",
		.topic.part =
			{
				{"layers",
					"ColwiseParallel() and RowwiseParallel() are read as the weight of a linear layer over a mesh of one axis; "
					"`explain ColwiseParallel()` says which dimension it cuts."},
				{"checkpoint",
					"ShardedTensor(axis_fragmentations=(4, 1)) is a type; two of them with an arrow are a checkpoint that is loaded "
					"otherwise cut. The notation is `megatron`."},
			},
		.topic.example = "mesh {tp: 4}\nshape f32[16,16]\nexplain ColwiseParallel()",
	},
	{
		.others =
			"alpa shardy spmd xla sdy auto_sharding shard_parallel pipeshard mark_sharding mesh_split xla_shard shardonnay "
			"opsharding",
		.topic.kind = TOPIC_WORD,
		.topic.name = "GSPMD",
		.topic.about = "compilers that cut a program by the shardings of some of its values",
		.topic.part =
			{
				{"notations",
					"{devices=[2,1,4]<=[8] last_tile_dim_replicate} is `hlo`, #sdy.sharding<@mesh, [{\"x\"}, {}]> `shardy`, S01R of Alpa "
					"`alpa`, torch_xla's ('x', None) `torch_xla`: each is read as a type."},
				{"its plan",
					"Strategy `xla` is what the partitioner does from one sharding to another; `compare` has it beside others."},
				{"a module",
					"`import FILE` counts all collectives of a partitioned module, plans what is a redistribution, and explains "
					"\"Involuntary full rematerialization\"."},
			},
		.topic.example = "mesh {x: 4, y: 2}\n[4{x}16, 16] ~> [16, 4{x}16]\nplan xla",
	},
	{
		.others =
			"make_jaxpr pjit shard_map psum pmean pmax ppermute psum_scatter lax.psum lax.all_to_all in_shardings out_shardings "
			"visualize_array_sharding visualize_sharding shapedtypestruct jax.jit input_shardings jax all_gather all_to_all "
			"reduce_scatter all-gather all-reduce reduce-scatter all-to-all collective-permute ring",
		.topic.kind = TOPIC_WORD,
		.topic.name = "jaxpr",
		.topic.about = "what JAX prints of a program, and the collectives in it",
		.topic.part =
			{
				{"read",
					"`import FILE` of print(jax.make_jaxpr(f)(x)) counts psum, all_gather, all_to_all, ppermute and the like of a "
					"shard_map as often as loops run; constraints and reshard are rows."},
				{"names",
					"psum and pmean are an all-reduce, psum_scatter a reducescatter, ppermute an allpermute; `explain allreduce` and the "
					"like say what they cost."},
				{"one array",
					"print(x.sharding), a ShapeDtypeStruct, the picture of visualize_array_sharding: `import` makes it `from`. "
					"Of print(compiled.input_shardings) paste one, or two dumps, one after the other: equal keys and places are "
					"pairs."},
			},
		.topic.example = "mesh {x: 2, y: 4}\nimport float32[16@x,32@y]",
	},
	{
		.others = "collective-permute collective_permute gpipe ring_attention stages microbatches",
		.topic.kind = TOPIC_WORD,
		.topic.name = "pipeline",
		.topic.about = "permutes that shift values from device to device, as stages of a pipeline and rings do",
		.topic.part =
			{
				{"no redistribution",
					"A collective-permute among devices that hold the same place of an array is in no chain of `import FILE`, unless an "
					"annotation says that they hold copies: its values differ by device. Its bytes count, with ring or line, offset and "
					"steps, and no plan saves them."},
				{"a bound",
					"Under shard_map, values derived from annotated ones may look like copies and not be copies. A plan that relies "
					"on them, or on no annotation at all, saves at most what is shown, and the total does not count it as planned."},
			},
		.topic.example = "explain ppermute",
	},
	{
		.others =
			"hpf dmapped blockdist cyclicdist blockcyclicdist stencildist locales coforall distribute align template processors "
			"high_performance_fortran vienna",
		.topic.kind = TOPIC_WORD,
		.topic.name = "Chapel",
		.topic.about = "Chapel and HPF: domains and arrays that are distributed by directives",
		.topic.part =
			{
				{"Chapel",
					"{1..9} dmapped new blockCycDist(startIdx=1, blocksize=2) is read as a type. The notation is `chapel`."},
				{"HPF",
					"REAL X(24); DISTRIBUTE X(CYCLIC(4)) ONTO P(3), with ALIGN and TEMPLATE, too. The notation is `hpf`; REDISTRIBUTE is "
					"a second type with an arrow between them."},
			},
		.topic.example = "explain \"REAL X(24); DISTRIBUTE X(CYCLIC(4)) ONTO P(3)\"",
	},
	{
		.others = "distal regent legate cunumeric realm logical_region index_launch taco halide cannon summa",
		.topic.kind = TOPIC_WORD,
		.topic.name = "Legion",
		.topic.about = "tasks over regions, as DISTAL makes them of a schedule",
		.topic.part =
			{
				{"partitions",
					"A region that is cut by its points is a placement of DISTAL, f64[9, 9] xy->xy; `explain distal` has the grammar."},
				{"tasks",
					"`compute` and `schedule` cut a statement into tasks; `show execution` says when each brings what."},
				{"code", "`export distal FILE` writes the program that DISTAL compiles to Legion."},
			},
		.topic.example = "mesh {x: 2, y: 2}\ntype T = f64[4, 4] xy->xy\nexplain T",
	},
};

const int elsewhere_topic_count = sizeof(elsewhere_topics) / sizeof(*elsewhere_topics);
