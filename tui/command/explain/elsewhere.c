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
					"DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x 3: what descinit fills in, and the grid. "
					"`import` makes it `from`; `explain` says who holds what. The notation is "
					"`scalapack`."},
				{"pdgemr2d",
					"The call with both descriptors is a problem: `import pdgemr2d(...)`. For a submatrix "
					"that moves to another place, use `crop`."},
				{"code",
					"`export scalapack FILE` writes one call of pdgemr2d for both ends, with a check of every element."},
				{"against it",
					"A plan of collectives takes several steps; pdgemr2d sends one message for each pair "
					"of processes, as `direct` does."},
			},
		.topic.example = "mesh {x: 2, y: 2}\nimport DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x 2",
	},
	{
		.others = "ghost dmplex mpiaij hypre petsclayout petsc_decide dmda vecscatter tpetra trilinos",
		.topic.kind = TOPIC_WORD,
		.topic.name = "PETSc",
		.topic.about = "vectors and grids whose ranks own ranges of different sizes",
		.topic.part =
			{
				{"layout",
					"`local sizes 5 4 3 1`, `ownership ranges 0 5 9 12 13` or PETSC_DECIDE, 13: the "
					"contents of a PetscLayout or a Tpetra map. The notation is `petsc`; `import` makes it "
					"`from`."},
				{"DMDA",
					"What each rank owns of a grid is a type with an axis of the mesh for each dimension, "
					"[5{x}10, 3{y}9]; ghost points are not part of it; `compute` shows what a stencil "
					"needs from other ranks."},
				{"VecScatter",
					"Between two layouts it is a redistribution: write one as `from` and the other as "
					"`to`, and `relation` says who needs what from whom."},
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
		.topic.about = "MPI collectives, including those with counts, beside the steps of a plan",
		.topic.part =
			{
				{"alltoallv",
					"Every rank sends every other rank a part of any size. This is the strategy `direct`, one exchange; `show "
					"traffic` has the counts, `--maps` the offsets."},
				{"alltoallw",
					"The same with a datatype for each pair: subarrays, without packing. A plan packs "
					"tiles that are not contiguous in memory, and its step says so."},
				{"measured",
					"`run` executes a plan on MPI ranks, `run --collectives` compares it with MPI's own "
					"collectives, in turns, and `run --compare direct,fused` one strategy with another."},
				{"code",
					"`export mpi FILE` writes the steps as a C program that times each step and "
					"checks every element."},
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
					"`import A -> B` makes a pair of them the problem."},
				{"inside jit",
					"with_sharding_constraint and reshard are redistributions that XLA plans: strategy "
					"`xla`. `advise` says which constraint between them makes that cheaper."},
				{"outside",
					"device_put to another order of devices is one permutation, which no constraint in a "
					"jit can do. `export jax` writes both. To other devices it is one exchange: `import y "
					"= jax.device_put(x, NamedSharding(...))` goes from the "
					"present `from`, and `advise` says whether it passes a host."},
			},
		.topic.example = "mesh {x: 4, y: 2}\nimport f32[16,16] P('x', None) -> P(None, 'x')",
	},
	{
		.others = "incompatible_devices",
		.says = "Received incompatible devices",
		.topic.kind = TOPIC_WORD,
		.topic.name = "incompatible",
		.topic.about = "JAX's error about values on different devices: \"Received incompatible devices for jitted "
					   "computation\"",
		.topic.part =
			{
				{"says",
					"Two arguments of a jitted function, or an argument and a sharding inside the "
					"function, are on different devices, or on the same devices in another order. A jitted "
					"function runs on one list of devices."},
				{"import",
					"`import FILE` with the whole message names the devices of both, counts those in both, "
					"and says which of these cases it is."},
				{"cure",
					"jax.device_put(x, NamedSharding(mesh, spec)) before the call. `A ~> B` with both shardings, their meshes as "
					"Mesh(device_ids=array([4, 5, 6, 7]), axis_names=('t',)), plans what that moves: one exchange over the devices of both."},
				{"cost",
					"`advise` then says whether device_put copies from device to device or through host "
					"memory, and what to write to avoid the host."},
			},
		.topic.example = "redistribute f32[16] {devices=[2]0,1} ~> {devices=[2]2,3}\nadvise",
	},
	{
		.others = "nccl ncclallreduce ncclallgather ncclreducescatter ncclsend nccl_alltoall rccl mscclpp "
				  "ucc c10d backend process_group processgroup all_to_all_single all_gather_into_tensor",
		.topic.kind = TOPIC_WORD,
		.topic.name = "gloo",
		.topic.about = "backends of torch.distributed, which execute what DTensor plans",
		.topic.part =
			{
				{"plan",
					"DTensor does the same over each of them: strategies `dtensor` and `dtensor-min-cost`. "
					"Some execute an alltoall as a gather and a chunk, which holds the whole dimension for "
					"a while."},
				{"time",
					"`hardware` lists links of GPUs and of hosts; for a backend over sockets, define your "
					"own: `hardware name = 1GB/s 30us`."},
				{"code",
					"`export dtensor FILE` runs over gloo and NCCL alike; `export nccl FILE` writes a reduction program as NCCL calls."},
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
		.topic.about = "how DTensor describes a tensor, and the logs of what it does",
		.topic.part =
			{
				{"placements",
					"(Shard(0), Replicate()), Spec(f32[16, 8](S(0)R)), or a call such as "
					"distribute_tensor(x, mesh, [Shard(0)]) are read as types; `mesh {dp: 2, tp: 4}` is "
					"the DeviceMesh."},
				{"a move",
					"Set `from` to the present placements, then `import x.redistribute(mesh, [Replicate(), "
					"Shard(1)])`; or `import A -> B`. Strategies `dtensor` and `dtensor-min-cost` are what "
					"DTensor does; `advise --for dtensor` says what to write."},
				{"a program",
					"`import` counts every collective that DebugMode, CommDebugMode, FX graphs and the logs of torch.compile print, and "
					"explains \"Sharding propagation failed\"; `explain N07` lists all forms."},
				{"code",
					"`export dtensor FILE` writes a plan as redistributions, which check their data "
					"on ranks."},
			},
		.topic.example =
			"mesh {dp: 2, tp: 4}\nshape f32[16,32]\nfrom (Shard(0), Shard(1))\nimport x.redistribute(mesh, [Replicate(), Shard(1)])",
	},
	{
		.others = "fully_shard fsdp2 hsdp ddp zero zero1 zero2 zero3 deepspeed zero-3 flatparameter shardedtensor",
		.topic.kind = TOPIC_WORD,
		.topic.name = "FSDP",
		.topic.about = "parameters, gradients and optimizer states, sharded over the data axis",
		.topic.part =
			{
				{"what it is",
					"Each parameter is Shard(0) over that axis, [2{dp}16, 32]. An allgather makes it whole "
					"before use, and a reducescatter ends its gradient. With replicas (HSDP), another axis "
					"shards nothing."},
				{"as types",
					"[2{dp}16, 32] ~> [16, 32] is the gather, and [16, 32]+{dp} ~> [2{dp}16, 32] is the "
					"reducescatter of a gradient."},
				{"a step",
					"`import` of what DebugMode or CommDebugMode prints around a step counts its "
					"all-gathers and reduce-scatters with their bytes."},
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
					"ShardedTensor(axis_fragmentations=(4, 1)) is a type; two of them with an arrow are a "
					"checkpoint loaded with another sharding. The notation is `megatron`."},
			},
		.topic.example = "mesh {tp: 4}\nshape f32[16,16]\nexplain ColwiseParallel()",
	},
	{
		.others =
			"alpa shardy spmd xla sdy auto_sharding shard_parallel pipeshard mark_sharding mesh_split xla_shard shardonnay "
			"opsharding",
		.topic.kind = TOPIC_WORD,
		.topic.name = "GSPMD",
		.topic.about = "compilers that partition a program given the shardings of some of its values",
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
		.topic.about = "programs as JAX prints them, and the collectives in them",
		.topic.part =
			{
				{"read",
					"`import FILE` of print(jax.make_jaxpr(f)(x)) counts psum, all_gather, all_to_all, "
					"ppermute and the like in a shard_map, as often as loops run them; constraints and "
					"reshard are rows."},
				{"names",
					"psum and pmean are an all-reduce, psum_scatter a reducescatter, ppermute an allpermute; `explain allreduce` and the "
					"like say what they cost."},
				{"one array",
					"print(x.sharding), a ShapeDtypeStruct, the picture of visualize_array_sharding: `import` makes it `from`. "
					"Paste one print(compiled.input_shardings), or two, one after the other: equal keys "
					"and positions are pairs."},
			},
		.topic.example = "mesh {x: 2, y: 4}\nimport float32[16@x,32@y]",
	},
	{
		.others = "collective-permute collective_permute gpipe ring_attention stages microbatches",
		.topic.kind = TOPIC_WORD,
		.topic.name = "pipeline",
		.topic.about = "permutations that shift values from device to device, as in pipelines and rings",
		.topic.part =
			{
				{"not a redistribution",
					"A collective-permute among devices that hold the same part of an array belongs to no "
					"chain of `import FILE`, unless an annotation says that they hold copies: its values "
					"differ by device. Its bytes count, with ring or line, offset and steps, and no plan "
					"saves them."},
				{"a bound",
					"Under shard_map, values derived from annotated ones may look like copies without "
					"being copies. A plan that relies on them, or on no annotation at all, saves at most "
					"the bytes shown, and the total does not count it as planned."},
			},
		.topic.example = "explain ppermute",
	},
	{
		.others =
			"hpf dmapped blockdist cyclicdist blockcyclicdist stencildist locales coforall distribute align template processors "
			"high_performance_fortran vienna",
		.topic.kind = TOPIC_WORD,
		.topic.name = "Chapel",
		.topic.about = "Chapel and HPF: domains and arrays distributed by directives",
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
		.topic.about = "tasks over regions, as DISTAL derives them from a schedule",
		.topic.part =
			{
				{"partitions",
					"A region that is partitioned by its points is a placement of DISTAL, f64[9, 9] "
					"xy->xy; `explain distal` has the grammar."},
				{"tasks",
					"`compute` and `schedule` divide a statement into tasks; `show execution` says what "
					"each fetches, and when."},
				{"code", "`export distal FILE` writes the program that DISTAL compiles to Legion."},
			},
		.topic.example = "mesh {x: 2, y: 2}\ntype T = f64[4, 4] xy->xy\nexplain T",
	},
};

const int elsewhere_topic_count = sizeof(elsewhere_topics) / sizeof(*elsewhere_topics);
