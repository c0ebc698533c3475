/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the notations: texts and what they print as in every notation, texts that are refused and why, tables of
 * devices against a second computation, meshes recovered from lists, real problems, random changes of all texts.
 */
#include <time.h>

#include <jansson.h>

#include <shardwalk/notation.h>
#include <shardwalk/plan.h>

#include "kit/arena.h"
#include "kit/draw.h"
#include "kit/mutate.h"
#include "kit/cases.h"
#include "kit/kit.h"

static sw_mesh mesh_xy, mesh_XY, mesh_abc, mesh_dtensor;

static void mesh_of(const char *text, sw_mesh *mesh)
{
	sw_diag diag;
	if (!sw_mesh_parse(sw_str_of(text), mesh, &diag))
		fail_msg("%s: %s", text, diag.message);
}

static int start(void **state)
{
	mesh_of("{x: 4, y: 2}", &mesh_xy);
	mesh_of("{X: 2, Y: 4}", &mesh_XY);
	mesh_of("{a: 2, b: 3, c: 4}", &mesh_abc);
	mesh_of("{m0: 4, m1: 2}", &mesh_dtensor);
	return arena_start(state);
}

static void read_over(const char *text, const sw_mesh *mesh, int rank, sw_sharding *out)
{
	sw_diag diag = {.code = SW_OK};
	sw_notation_context context = {.mesh = mesh, .rank = rank};
	if (!sw_sharding_parse(sw_str_of(text), &context, arena, out, &diag))
		fail_msg("%s: %s (expected %s, found %s)", text, diag.message, diag.expected, diag.found);
}

static void expect_print(const sw_sharding *s, sw_notation notation, const char *expected)
{
	sw_text text = {0};
	sw_diag diag = {.code = SW_OK};
	if (!sw_sharding_print(s, notation, arena, &text, &diag))
		fail_msg("%s: %s", expected, diag.message);
	assert_string_equal(sw_text_get(&text), expected);
	sw_text_free(&text);
}

/* ---- accepted ---- */

typedef struct accepted_row {
	const char *text, *printed;
	sw_notation notation;
} accepted_row;

static const accepted_row accepted[] = {
	{"sdy.mesh @single = <[], device_ids=[3]>", "sdy.mesh @single = <[], device_ids=[3]>", SW_NOTATION_SHARDY},
	{"sdy.mesh @empty = <[]>", "sdy.mesh @empty = <[]>", SW_NOTATION_SHARDY},
	{"S01R", "S01R", SW_NOTATION_ALPA},
	{"RS1", "RS1", SW_NOTATION_ALPA},
	{"S10", "S10", SW_NOTATION_ALPA},
	{"dims_mapping=[0,-1]", "dims_mapping=[0,-1]", SW_NOTATION_PADDLE},
	{"dims_mapping: [-1, 1]", "dims_mapping=[-1,1]", SW_NOTATION_PADDLE},
	{"shard.sharding @mesh split_axes = [[0],[1]]", "#shard.sharding<@mesh, split_axes = [[0], [1]]>",
		SW_NOTATION_MLIR},
	{"#mesh.shard<@mesh, [[0,1],[]]>", "#shard.sharding<@mesh, split_axes = [[0, 1], []]>", SW_NOTATION_MLIR},
	{"float32[8,4]{V:x}", NULL, SW_NOTATION_JAX_TYPE},
	{"{devices=[2,1,4]<=[4,2]T(1,0)}", "{devices=[2,1,4]<=[4,2]T(1,0)}", SW_NOTATION_HLO},
	{"sharding={ devices=[8,1,1] }", "{devices=[8,1,1]<=[8]}", SW_NOTATION_HLO},
	{"{devices=[2,2]0,2,1,3}", "{devices=[2,2]0,2,1,3}", SW_NOTATION_HLO_LIST},
	{"{devices=[4]3,2,1,0}", "{devices=[4]3,2,1,0}", SW_NOTATION_HLO_LIST},
	{"{devices=[4,1]<=[2,1,2]T(2,1,0)}", "{devices=[4,1]<=[2,2]T(1,0)}", SW_NOTATION_HLO},
	{"{devices=[4,1]<=[2,2]T(0,1)}", "{devices=[4,1]<=[4]}", SW_NOTATION_HLO},
	{"{devices=[2,2]<=[3,4]T(1,0) last_tile_dims={replicated}}", NULL, SW_NOTATION_HLO},
	{"{replicated}", "{replicated}", SW_NOTATION_HLO},
	{"{manual}", "{manual}", SW_NOTATION_HLO},
	{"{maximal device=3}", "{maximal device=3}", SW_NOTATION_HLO},
	{"{device=3 maximal}", "{maximal device=3}", SW_NOTATION_HLO},
	{"{devices=[1,1,4]<=[4] last_tile_dim_replicate}", "{replicated}", SW_NOTATION_HLO},
	{"{last_tile_dim_replicate devices=[2,2]<=[4]}", "{devices=[2,2]<=[4] last_tile_dim_replicate}", SW_NOTATION_HLO},
	{"{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}",
		"{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}", SW_NOTATION_HLO},
	{"{devices=[2,2]<=[4] metadata={op_name=\"a}b\" x={1,2}}}", "{devices=[2,2]<=[4]}", SW_NOTATION_HLO},
	{"{{replicated}, {devices=[2,1]<=[2]}, /*index=2*/{maximal device=0}}",
		"{{replicated}, {devices=[2,1]<=[2]}, {maximal device=0}}", SW_NOTATION_HLO},
	{"{mesh[x=4,y=2], [{x}, {y:(1)2}, {?}]}", "{mesh[x=4,y=2], [{x}, {y}, {?}]}", SW_NOTATION_HLO_NAMED},
	{"{mesh[x=4,y=2], [{}, {x:(2)2}], unreduced={y}}", "{mesh[x=4,y=2], [{}, {x:(2)2}], unreduced={y}}",
		SW_NOTATION_HLO_NAMED},
	{"{mesh[a=2,b=2], device_ids=(0,2,1,3), [{a}, {b}]}", "{mesh[a=2,b=2], device_ids=(0,2,1,3), [{a}, {b}]}",
		SW_NOTATION_HLO_NAMED},
	{"{mesh[x=4,y=2], replicated}", "{mesh[x=4,y=2], replicated}", SW_NOTATION_HLO_NAMED},
	{"{mesh['a-b'=4,y=2], [{\"a-b\", y}]}", "{mesh[\"a-b\"=4,y=2], [{\"a-b\", y}]}", SW_NOTATION_HLO_NAMED},
	{"{mesh[x=4], manual}", "{mesh[x=4], manual}", SW_NOTATION_HLO_NAMED},
	{"{maximal_mesh[device_id=0]}", "{maximal_mesh[device_id=0]}", SW_NOTATION_HLO_NAMED},
	{"sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>", "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>", SW_NOTATION_SHARDY},
	{"sdy.mesh @m2 = <[\"a\"=3,\"b\"=2], device_ids=[0,2,4,1,3,5]>",
		"sdy.mesh @m2 = <[\"a\"=3, \"b\"=2], device_ids=[0, 2, 4, 1, 3, 5]>", SW_NOTATION_SHARDY},
	{"#sdy.sharding<@mesh, [{\"x\":(1)2, \"y\", ?}p1, {?}], replicated={\"x\":(2)2}>",
		"#sdy.sharding<@mesh, [{\"x\":(1)2, \"y\", ?}p1, {?}], replicated={\"x\":(2)2}>", SW_NOTATION_SHARDY},
	{"#sdy.sharding<mesh<[\"q\"=4]>, [{\"q\"}]>", "#sdy.sharding<mesh<[\"q\"=4]>, [{\"q\"}]>", SW_NOTATION_SHARDY},
	{"[{\"x\":(1)2, \"x\":(2)2}, {}]", "#sdy.sharding<@mesh, [{\"x\"}, {}]>", SW_NOTATION_SHARDY},
	{"#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>, <@mesh, [{}, {}]>]>",
		"#sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>, <@mesh, [{}, {}]>]>", SW_NOTATION_SHARDY},
	{"#sdy.sharding<mesh<[], device_ids=[3]>, []>", "#sdy.sharding<mesh<[], device_ids=[3]>, []>",
		SW_NOTATION_SHARDY},
	{"%0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {\"x\"}]> : tensor<16x16xf32>",
		"#sdy.sharding<@mesh, [{}, {\"x\"}]>", SW_NOTATION_SHARDY},
	{"sdy.reshard %0 <@mesh, [{\"x\"}]> : tensor<16xbf16>", "#sdy.sharding<@mesh, [{\"x\"}]>", SW_NOTATION_SHARDY},
	{"%1 = sdy.all_gather [{\"y\"}, {}] %0 out_sharding=<@mesh, [{\"x\"}, {}]> : (tensor<16x2xf32>) -> tensor<16x2xf32> loc(#loc)",
		"#sdy.sharding<@mesh, [{\"x\"}, {}]>", SW_NOTATION_SHARDY},
	{"%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>}, %arg1",
		"#sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>", SW_NOTATION_SHARDY},
	{"sdy.reshard %0 <@mesh, [{}, {}]> : tensor<?x16xf32>", "#sdy.sharding<@mesh, [{}, {}]>", SW_NOTATION_SHARDY},
	{"P('x',)", "PartitionSpec('x',)", SW_NOTATION_JAX},
	{"P()", "PartitionSpec()", SW_NOTATION_JAX},
	{"jax.sharding.PartitionSpec(('x', \"y\"), None, P.UNCONSTRAINED)",
		"PartitionSpec(('x', 'y'), None, PartitionSpec.UNCONSTRAINED)", SW_NOTATION_JAX},
	{"P('x', None, unreduced={'y'})", "PartitionSpec('x', None, unreduced={'y'})", SW_NOTATION_JAX},
	{"NamedSharding(mesh=Mesh('p': 4, 'q': 2), spec=PartitionSpec('p', None), memory_kind=device)",
		"NamedSharding(mesh=Mesh('p': 4, 'q': 2), spec=PartitionSpec('p', None))", SW_NOTATION_JAX},
	{"NamedSharding(Mesh(device_ids=array([[0, 1],\n [2, 3]]), axis_names=('p', 'q')), P('q'))",
		"NamedSharding(mesh=Mesh('p': 2, 'q': 2), spec=PartitionSpec('q',))", SW_NOTATION_JAX},
	{"Mesh(axis_sizes=(4, 2), axis_names=('x', 'y'), axis_types=(Auto, Auto))", "Mesh('x': 4, 'y': 2)",
		SW_NOTATION_JAX},
	{"Mesh(axis_sizes=(8,), axis_names=('x',))", "Mesh('x': 8)", SW_NOTATION_JAX},
	{"AbstractMesh('x': 4, 'y': 2, axis_types=(Explicit, Explicit), device_kind=cpu, num_cores=None, platform=cpu)",
		"Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"Mesh({'x': 4, 'y': 2})", "Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"Mesh({\xE2\x80\x98x': 4, \xE2\x80\x98y\xE2\x80\x99: 2})", "Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"Mesh(mesh_shape=(4, 2), axis_names=('x', 'y'))", "Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"Mesh(devices=((0, 1), (2, 3), (4, 5), (6, 7)), axis_names=(\xE2\x80\x98x', \xE2\x80\x98y'))",
		"Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"Mesh(devices=np.array(jax.devices()).reshape(4, 2), axis_names=('x', 'y'))", "Mesh('x': 4, 'y': 2)",
		SW_NOTATION_JAX},
	{"src_mesh=Mesh({'x': 4, 'y': 2})", "Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"AbstractMesh((('x', 4), ('y', 2)))", "Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"AbstractMesh((4, 2), ('x', 'y'))", "Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"jax.make_mesh(axis_shapes=[4, 2], axis_names=['x', 'y'], axis_types=(AxisType.Auto,) * 2)",
		"Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"xs.Mesh(device_ids, (4, 2), ('x', 'y'))", "Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"NamedSharding(mesh={'p': 4, 'q': 2}, spec=PartitionSpec('p', None))",
		"NamedSharding(mesh=Mesh('p': 4, 'q': 2), spec=PartitionSpec('p', None))", SW_NOTATION_JAX},
	{"NamedSharding(mesh={'dev': 8}, partition_spec=PartitionSpec(('dev',),))",
		"NamedSharding(mesh=Mesh('dev': 8), spec=PartitionSpec('dev',))", SW_NOTATION_JAX},
	{"MeshPspecSharding(mesh={'dev': 8}, partition_spec=PartitionSpec(None, 'dev'))",
		"NamedSharding(mesh=Mesh('dev': 8), spec=PartitionSpec(None, 'dev'))", SW_NOTATION_JAX},
	{"NamedSharding(mesh=OrderedDict([('p', 4), ('q', 2)]), spec=P('q', 'p'))",
		"NamedSharding(mesh=Mesh('p': 4, 'q': 2), spec=PartitionSpec('q', 'p'))", SW_NOTATION_JAX},
	{"NamedSharding(mesh=Mesh('x': 4, 'y': 2, axis_types=(Explicit, Explicit)), spec=P(('x', 'y'), None), memory_kind=device)",
		"NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=PartitionSpec(('x', 'y'), None))", SW_NOTATION_JAX},
	{"ShapeDtypeStruct(shape=(16, 16, 4), dtype=float32, sharding=NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=P('x', 'y')))",
		"NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=PartitionSpec('x', 'y', None))", SW_NOTATION_JAX},
	{"SingleDeviceSharding(device=CpuDevice(id=3), memory_kind=device)", "SingleDeviceSharding(jax.devices()[3])",
		SW_NOTATION_JAX},
	{"SingleDeviceSharding(device=TpuDevice(id=1, process_index=0, coords=(0,0,0), core_on_chip=1))",
		"SingleDeviceSharding(jax.devices()[1])", SW_NOTATION_JAX},
	{"SingleDeviceSharding(device=TFRT_CPU_2)", "SingleDeviceSharding(jax.devices()[2])", SW_NOTATION_JAX},
	{"jax.sharding.SingleDeviceSharding(cuda:1)", "SingleDeviceSharding(jax.devices()[1])", SW_NOTATION_JAX},
	{"SingleDeviceSharding(device=0)", "SingleDeviceSharding(jax.devices()[0])", SW_NOTATION_JAX},
	{"ShapedArray(float32[16@x,16])", "float32[16@x,16]", SW_NOTATION_JAX_TYPE},
	{"ShapedArray(bfloat16<host>[16@(x,y),16], local_type=True)", "bfloat16[16@(x,y),16]", SW_NOTATION_JAX_TYPE},
	{"float32[16@x,16]{V:y, R:x}", "float32[16@x,16]", SW_NOTATION_JAX_TYPE},
	{"f32[16,16]{x,y}", "float32[16,16]", SW_NOTATION_JAX_TYPE},
	{"float32[16,16@x]{y}", "float32[16,16@x]", SW_NOTATION_JAX_TYPE},
	{"float32[16@x,16]{U:y}", "float32[16@x,16]{U:y}", SW_NOTATION_JAX_TYPE},
	{"float32[16,16]{U:(x,y)}", "float32[16,16]{U:(x,y)}", SW_NOTATION_JAX_TYPE},
	{"A[IX, J]", "A[I_X, J]", SW_NOTATION_BOOK},
	{"A[IXY, J]", "A[I_XY, J]", SW_NOTATION_BOOK},
	{"A[I\u2093, J\u1d67]", "A[I_X, J_Y]", SW_NOTATION_BOOK},
	{"A[I_X\u1d67, J]", "A[I_XY, J]", SW_NOTATION_BOOK},
	{"A[I\u200bX\u200bY, J]", "A[I_XY, J]", SW_NOTATION_BOOK},
	{"A[Batch, Embed]", "A[I, J]", SW_NOTATION_BOOK},
	{"A[\u03bb, J] {UX}", "A[I, J] {U_X}", SW_NOTATION_BOOK},
	{"Mesh('x': 4, 'y': 2, axis_types=(Auto, Auto))", "Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"Mesh(np.array(jax.devices()).reshape(4,2), ('x','y'))", "Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"jax.make_mesh((4, 2), ('x', 'y'))", "Mesh('x': 4, 'y': 2)", SW_NOTATION_JAX},
	{"Mesh(device_ids=array([[0, 2], [1, 3]]), axis_names=('x', 'y'))",
		"Mesh(device_ids=array([[0, 2], [1, 3]]), axis_names=('x', 'y'))", SW_NOTATION_JAX},
	{"float32[8@x,4@(y),2]", "float32[8@x,4@y,2]", SW_NOTATION_JAX_TYPE},
	{"bfloat16[8@(y,x)]{V:x}", "bfloat16[8@(y,x)]", SW_NOTATION_JAX_TYPE},
	{"A[I_XY, J]", "A[I_XY, J]", SW_NOTATION_BOOK},
	{"A[I_Y, J] {U_X}", "A[I_Y, J] {U_X}", SW_NOTATION_BOOK},
	{"B[J, K]{U_{XY}}", "A[I, J] {U_XY}", SW_NOTATION_BOOK},
	{"B[J, K]{U_X}", "A[I, J] {U_X}", SW_NOTATION_BOOK},
	{"[3{x}12, 12]", "f32[3{x}12, 12]", SW_NOTATION_PAPER},
	{"bf16[1{y,x}8]", "bf16[1{y,x}8]", SW_NOTATION_PAPER},
	{"('x', None)", "('x', None)", SW_NOTATION_ENTRIES},
	{"(0, None)", "('x', None)", SW_NOTATION_ENTRIES},
	{"((\"x\", 'y'), None)", "(('x', 'y'), None)", SW_NOTATION_ENTRIES},
	{"((1, 0),)", "(('y', 'x'),)", SW_NOTATION_ENTRIES},
	{"[None, 'y']", "(None, 'y')", SW_NOTATION_ENTRIES},
	{"(1, 0)", "('y', 'x')", SW_NOTATION_ENTRIES},
	{"xs.mark_sharding(t, mesh, ('x', None))", "('x', None)", SW_NOTATION_ENTRIES},
	{"nn.with_partitioning(nn.initializers.lecun_normal(), (None, 'x'))", "(None, 'x')", SW_NOTATION_ENTRIES},
	{"nn.Partitioned(value=ShapeDtypeStruct(shape=(8,), dtype=float32), names=('x',), mesh=None)", "('x',)",
		SW_NOTATION_ENTRIES},
	{"sharding_specs:x,unsharded, mesh:|x=4,y=2|*CPU", "sharding_specs:x,unsharded, mesh:|x=4,y=2|*CPU",
		SW_NOTATION_LAYOUT},
	{"sharding_specs:x,unsharded, mesh:|x=4,y=2|...", "sharding_specs:x,unsharded, mesh:|x=4,y=2|*CPU",
		SW_NOTATION_LAYOUT},
	{"sharding_specs:x, mesh:name|x=2|0,1|0,1|/job:localhost/replica:0/task:0/device:CPU:0,/job:localhost/replica:0/task:0/device:CPU:1",
		"sharding_specs:x, mesh:|x=2|*CPU", SW_NOTATION_LAYOUT},
	{"sharding_specs:unsharded,y, mesh:|x=2,y=2|4,5,6,7|4,5,6,7|/job:worker/task:1",
		"sharding_specs:unsharded,y, mesh:|x=2,y=2|*CPU", SW_NOTATION_LAYOUT},
	{"sharding_specs:x,any, mesh:TPU|x=2,y=2|*TPU", "sharding_specs:x,any, mesh:|x=2,y=2|*CPU", SW_NOTATION_LAYOUT},
	{"sharding_specs:scalar, mesh:|x=2,y=2|*CPU", "sharding_specs:scalar, mesh:|x=2,y=2|*CPU", SW_NOTATION_LAYOUT},
	{"#dtensor.layout<sharding_specs:x,y, mesh:CPU|x=2,y=2|*CPU>", "sharding_specs:x,y, mesh:|x=2,y=2|*CPU",
		SW_NOTATION_LAYOUT},
	{"Layout([dtensor.UNSHARDED, \"y\"], mesh)", "sharding_specs:unsharded,y, mesh:|x=4,y=2|*CPU",
		SW_NOTATION_LAYOUT},
	{"Layout(sharding_specs=['p'], mesh=<Mesh object with dims=[('p', 2), ('q', 3)], device_type=\"CPU\", num_local_devices=6), size=6>)",
		"sharding_specs:p, mesh:|p=2,q=3|*CPU", SW_NOTATION_LAYOUT},
	{"(flow.sbp.split(0), flow.sbp.broadcast)", "(oneflow.sbp.split(dim=0), oneflow.sbp.broadcast)", SW_NOTATION_SBP},
	{"[S(0), B]", "(oneflow.sbp.split(dim=0), oneflow.sbp.broadcast)", SW_NOTATION_SBP},
	{"sbp=(oneflow.sbp.split(axis=1), oneflow.sbp.partial_sum)",
		"(oneflow.sbp.split(dim=1), oneflow.sbp.partial_sum)", SW_NOTATION_SBP},
	{"(oneflow.sbp.broadcast, flow.sbp.split(dim=0)) on flow.placement(\"cuda\", ranks=[[0, 1], [2, 3]])",
		"(oneflow.sbp.broadcast, oneflow.sbp.split(dim=0))", SW_NOTATION_SBP},
	{"oneflow.placement(type=\"cuda\", ranks=[[0, 2], [1, 3]])",
		"oneflow.placement(type=\"cuda\", ranks=[[0, 2], [1, 3]])", SW_NOTATION_SBP},
	{"dist.ProcessMesh([[0, 1], [3, 2]], dim_names=[\"x\", \"y\"])",
		"ProcessMesh([[0, 1], [3, 2]], dim_names=['x', 'y'])", SW_NOTATION_PADDLE},
	{"mesh_split(x, mesh, [0, -1])", "mesh_split(x, mesh, [0, -1])", SW_NOTATION_GSPMD},
	{"gshard_utils.MeshSplit(w, device_mesh, tensor_split_dims_mapping=[-1, 1], use_sharding_op=True)",
		"mesh_split(x, mesh, [-1, 1])", SW_NOTATION_GSPMD},
	{"[4,2]T(1,0)", "[4,2]T(1,0)", SW_NOTATION_HLO},
	{"<=[2,3,4]T(2,0,1)", "[6,4]T(1,0)", SW_NOTATION_HLO},
	{"[2,4]T(0,1)", NULL, SW_NOTATION_HLO},
	{"<=[8]", "<=[8]", SW_NOTATION_HLO},
	{"Pencil(subcomm, (8, 8, 8), 2)", "Pencil(subcomm, (8, 8, 8), 2)", SW_NOTATION_PENCIL},
	{"Pencil(subcomm, (8, 8, 8))", "Pencil(subcomm, (8, 8, 8), 2)", SW_NOTATION_PENCIL},
	{"mpi4py_fft.pencil.Pencil(p, shape=[8, 8, 8], axis=0)", "Pencil(subcomm, (8, 8, 8), 0)", SW_NOTATION_PENCIL},
	{"Pencil(Subcomm(MPI.COMM_WORLD, [0, 0, 1]), (8, 8, 8), axis=-1)", "Pencil(subcomm, (8, 8, 8), 2)",
		SW_NOTATION_PENCIL},
	{"Pencil(Subcomm(comm, [1, 4, 2]), (8, 8, 8), 0)", "Pencil(subcomm, (8, 8, 8), 0)", SW_NOTATION_PENCIL},
	{"ShardedTensor(axis_fragmentations=(4, 1))", "ShardedTensor(axis_fragmentations=(4, 1))", SW_NOTATION_MEGATRON},
	{"ShardedTensor(key='w', data=tensor([1., 2.]), dtype=torch.float32, local_shape=(8, 4), global_shape=(16, 16), "
	 "global_offset=(8, 12), axis_fragmentations=(2, 4), replica_id=(0, 0, 1), prepend_axis_num=0, "
	 "allow_shape_mismatch=False, flattened_range=None)",
		"ShardedTensor(global_shape=(16, 16), axis_fragmentations=(2, 4))", SW_NOTATION_MEGATRON},
	{"ShardedTensor(local_shape=torch.Size([4]), global_shape=(8, 16), global_offset=(1, 4), axis_fragmentations=(2, 4), "
	 "prepend_axis_num=1)",
		NULL, SW_NOTATION_MEGATRON},
	{"[S0, R]", "[S0, R]", SW_NOTATION_COLOSSAL},
	{"[S01, R]", "[S01, R]", SW_NOTATION_COLOSSAL},
	{"[R,S10]", "[R, S10]", SW_NOTATION_COLOSSAL},
	{"[R, R, R]", "[R, R, R]", SW_NOTATION_COLOSSAL},
	{"RRR", "RRR", SW_NOTATION_ALPA},
	{"DistSpec: \n\tshard_sequence: S0,R \n\tdevice_mesh_shape: (4, 2)", "[S0, R]", SW_NOTATION_COLOSSAL},
	{"sharding_sequence=[S01, R] device_mesh_shape: torch.Size([4, 2])", "[S01, R]", SW_NOTATION_COLOSSAL},
	{"shard.grid @mesh(shape = 4x2)", "shard.grid @mesh(shape = 4x2)", SW_NOTATION_MLIR},
	{"mesh.mesh @grid(shape = 8)", "shard.grid @mesh(shape = 8)", SW_NOTATION_MLIR},
	{"%s = shard.sharding @mesh split_axes = [[0], []] : !shard.sharding",
		"#shard.sharding<@mesh, split_axes = [[0], []]>", SW_NOTATION_MLIR},
	{"(Shard(0), Replicate())", "(Shard(dim=0), Replicate())", SW_NOTATION_DTENSOR},
	{"S(0)R", "(Shard(dim=0), Replicate())", SW_NOTATION_DTENSOR},
	{"RS(1)", "(Replicate(), Shard(dim=1))", SW_NOTATION_DTENSOR},
	{"RR", "(Replicate(), Replicate())", SW_NOTATION_DTENSOR},
	{"S(0)[1]S(0)[0]", "(_StridedShard(dim=0, split_factor=2), Shard(dim=0))", SW_NOTATION_DTENSOR},
	{"(_StridedShard(0, 2), Shard(0))", "(_StridedShard(dim=0, split_factor=2), Shard(dim=0))", SW_NOTATION_DTENSOR},
	{"_S(0, 2)S(0)", "(_StridedShard(dim=0, split_factor=2), Shard(dim=0))", SW_NOTATION_DTENSOR},
	{"(Shard(0), Shard(0)), shard_order=(ShardOrderEntry(tensor_dim=0, mesh_dims=(1, 0)),)",
		"(_StridedShard(dim=0, split_factor=2), Shard(dim=0))", SW_NOTATION_DTENSOR},
	{"[Shard(1), Partial()]", "(Shard(dim=1), Partial(sum))", SW_NOTATION_DTENSOR},
	{"DTensor(local_tensor=tensor([1., 2.]), device_mesh=DeviceMesh('cuda', [[0, 1], [2, 3]], mesh_dim_names=('p', "
	 "'q')), placements=(Shard(dim=0), Replicate()))",
		"DTensor(device_mesh=init_device_mesh('cuda', (2, 2), "
		"mesh_dim_names=('p', 'q')), placements=(Shard(dim=0), Replicate()))",
		SW_NOTATION_DTENSOR},
	{"init_device_mesh(\"cuda\", (4, 2), mesh_dim_names=(\"dp\",\"tp\"))",
		"init_device_mesh('cuda', (4, 2), mesh_dim_names=('dp', 'tp'))", SW_NOTATION_DTENSOR},
	{"(S(0), R)", "(Shard(dim=0), Replicate())", SW_NOTATION_DTENSOR},
	{"[S(0)[1], S(0)[0]]", "(_StridedShard(dim=0, split_factor=2), Shard(dim=0))", SW_NOTATION_DTENSOR},
	{"[R, P(sum)]", "(Replicate(), Partial(sum))", SW_NOTATION_DTENSOR},
	{"Spec(f32[8, 8](S(0)R))", "(Shard(dim=0), Replicate())", SW_NOTATION_DTENSOR},
	{"Spec((Shard(dim=0), Replicate()) on (16, 16))", "(Shard(dim=0), Replicate())", SW_NOTATION_DTENSOR},
	{"Spec(S(0)R on (16, 16))", "(Shard(dim=0), Replicate())", SW_NOTATION_DTENSOR},
	{"Spec(S(0)[1]S(0)[0] on unknown shape)", "(_StridedShard(dim=0, split_factor=2), Shard(dim=0))",
		SW_NOTATION_DTENSOR},
	{"Spec((_StridedShard(dim=0, sf=2), Shard(dim=0)) on (16, 16))",
		"(_StridedShard(dim=0, split_factor=2), Shard(dim=0))", SW_NOTATION_DTENSOR},
	{"Spec(f32[16, 16](_S(0, 2)S(0)))", "(_StridedShard(dim=0, split_factor=2), Shard(dim=0))", SW_NOTATION_DTENSOR},
	{"Spec(unknown dtypeunknown shape(RP(avg)))", "(Replicate(), Partial(avg))", SW_NOTATION_DTENSOR},
	{"Spec(S(0) on (16, 16)) on DeviceMesh((tp=2))",
		"DTensor(device_mesh=init_device_mesh('cuda', (2,), mesh_dim_names=('tp',)), "
		"placements=(Shard(dim=0),))",
		SW_NOTATION_DTENSOR},
	{"DTensorSpec(mesh=DeviceMesh:([[0, 1], [2, 3]]), placements=(Shard(dim=0), Replicate()))",
		"DTensor(device_mesh="
		"init_device_mesh('cuda', (2, 2), mesh_dim_names=('m0', 'm1')), placements=(Shard(dim=0), Replicate()))",
		SW_NOTATION_DTENSOR},
	{"[dist.Shard(0), dist.Replicate()]", "(Shard(dim=0), Replicate())", SW_NOTATION_DTENSOR},
	{"(Shard(0), Partial('max'))", "(Shard(dim=0), Partial(max))", SW_NOTATION_DTENSOR},
	{"(_MaskPartial(offset_shape=None), Partial(reduce_op='sum'))", "(Partial(_MaskPartial), Partial(sum))",
		SW_NOTATION_DTENSOR},
	{"[paddle.distributed.Replicate(), dist.Partial(dist.ReduceType.kRedSum)]", "(Replicate(), Partial(sum))",
		SW_NOTATION_DTENSOR},
	{"Spec(f32[8, 8](S(0)R) on DeviceMesh((4, 2)))",
		"DTensor(device_mesh=init_device_mesh('cuda', (4, 2), "
		"mesh_dim_names=('m0', 'm1')), placements=(Shard(dim=0), Replicate()))",
		SW_NOTATION_DTENSOR},
	{"(Shard(dim=0), Replicate()) DeviceMesh((2,2))",
		"DTensor(device_mesh=init_device_mesh('cuda', (2, 2), "
		"mesh_dim_names=('m0', 'm1')), placements=(Shard(dim=0), Replicate()))",
		SW_NOTATION_DTENSOR},
	{"S(0)R on DeviceMesh((dp=2, tp=2), 'cpu', stride=(1, 2))",
		"DTensor(device_mesh=DeviceMesh('cuda', [[0, 2], [1, 3]], "
		"mesh_dim_names=('dp', 'tp')), placements=(Shard(dim=0), Replicate()))",
		SW_NOTATION_DTENSOR},
	{"DeviceMesh((a=2, b=2), 'cpu', stride=(4, 2))", "init_device_mesh('cuda', (2, 2), mesh_dim_names=('a', 'b'))",
		SW_NOTATION_DTENSOR},
	{"DTensorSpec(mesh=DeviceMesh((dp=2, tp=2), 'cpu', stride=(2, 1)), placements=(Shard(dim=0), Shard(dim=0)), "
	 "tensor_meta=TensorMeta(shape=torch.Size([8, 8]), stride=(8, 1), dtype=torch.float32), "
	 "shard_order=(ShardOrderEntry(tensor_dim=0, mesh_dims=(1,0)),), use_strided_shard_as_shard_order=False)",
		"DTensor(device_mesh=init_device_mesh('cuda', (2, 2), mesh_dim_names=('dp', 'tp')), "
		"placements=(_StridedShard(dim=0, split_factor=2), Shard(dim=0)))",
		SW_NOTATION_DTENSOR},
	{"torch.distributed.init_device_mesh('cuda', (2,))", "init_device_mesh('cuda', (2,), mesh_dim_names=('m0',))",
		SW_NOTATION_DTENSOR},
	{"sharding={devices=[4]<=[4]},", "{devices=[4]<=[4]}", SW_NOTATION_HLO},
	{"mhlo.sharding = \"{devices=[4,1]<=[4]}\",", "{devices=[4,1]<=[4]}", SW_NOTATION_HLO},
	{"\"P('x')\"", "PartitionSpec('x',)", SW_NOTATION_JAX},
	{"spec=P('x',),", "PartitionSpec('x',)", SW_NOTATION_JAX},
	{"split=1, lshape 2/2/2", "split=1", SW_NOTATION_SPLIT},
	{"split=None", "split=None", SW_NOTATION_SPLIT},
	{"replica_groups={{0,1},{2,3}}", "[2,2]<=[4]", SW_NOTATION_GROUPS},
	{"{{0,3},{1,2}}", "{{0,3},{1,2}}", SW_NOTATION_GROUPS},
	{"replica_groups={}", "{}", SW_NOTATION_GROUPS},
	{"replica_groups={{}}", "{}", SW_NOTATION_GROUPS},
	{"[4,2]<=[2,2,2]T(1,0,2)", "[4,2]<=[2,2,2]T(1,0,2)", SW_NOTATION_GROUPS},
	{"replica_groups=mesh[a=2,b=4] {a,b:(1)2}", "[2,4]<=[4,2]T(1,0)", SW_NOTATION_GROUPS},
	{"replica_groups=mesh['axis_0'=2,'axis_1'=1,'axis_2'=4], device_ids=([4,2]T(1,0)) {'axis_2'}",
		"[2,4]<=[4,2]T(1,0)", SW_NOTATION_GROUPS},
	{"source_target_pairs={{0,0},{1,4},{2,1}}", "source_target_pairs={{0,0},{1,4},{2,1}}", SW_NOTATION_PAIRS},
};

/* Devices by their numbers, where no mesh says that there are any. */
static void test_at_without_mesh(void **state)
{
	sw_sharding s;
	sw_diag diag = {.code = SW_OK};
	(void)state;
	assert_false(sw_sharding_parse(sw_str_of("[13] at {0: 0-3}"), NULL, arena, &s, &diag));
	assert_int_equal(diag.code, SW_T16);
	assert_int_equal(diag.at.begin, 5);
	assert_int_equal(diag.at.end, 7);
	assert_non_null(strstr(diag.expected, "a mesh before it"));
}

/* Letters of an axis behind a longer name, and capitals where no mesh says what they are. */
static void test_book_unmarked(void **state)
{
	sw_sharding s;
	sw_diag diag = {.code = SW_OK};
	sw_notation_context context = {.mesh = &mesh_XY, .rank = -1}, none = {.mesh = NULL, .rank = -1};
	(void)state;
	assert_false(sw_sharding_parse(sw_str_of("A[MAX, J]"), &context, arena, &s, &diag));
	assert_int_equal(diag.code, SW_N01);
	assert_non_null(strstr(diag.expected, "MA_X"));
	assert_false(sw_sharding_parse(sw_str_of("A[IX, J]"), &none, arena, &s, &diag));
	assert_int_equal(diag.code, SW_N03);
	read_over("A[IX, J]", &mesh_XY, -1, &s);
	assert_non_null(strstr(s.note, "IX is read as I_X"));
	read_over("A[I, J]", &mesh_XY, -1, &s);
	assert_null(s.note);
	assert_int_equal(s.mesh.devices, 8);
}

/* Styles of PyTorch name the weight's dimension, and no axis: it is the only one. */
static void test_styles(void **state)
{
	sw_mesh one;
	sw_sharding s;
	sw_diag diag = {.code = SW_OK};
	(void)state;
	mesh_of("{tp: 4}", &one);
	read_over("ColwiseParallel()", &one, 2, &s);
	expect_print(&s, SW_NOTATION_DTENSOR, "(Shard(dim=0),)");
	assert_non_null(strstr(s.note, "bias"));
	read_over("torch.distributed.tensor.parallel.RowwiseParallel(input_layouts=Shard(-1), use_local_output=False)",
		&one, 2, &s);
	expect_print(&s, SW_NOTATION_DTENSOR, "(Shard(dim=1),)");
	sw_notation_context none = {.mesh = NULL, .rank = 2}, two = {.mesh = &mesh_xy, .rank = 2};
	assert_false(sw_sharding_parse(sw_str_of("ColwiseParallel()"), &none, arena, &s, &diag));
	assert_non_null(strstr(diag.expected, "mesh {tp: 8}"));
	assert_false(sw_sharding_parse(sw_str_of("RowwiseParallel()"), &two, arena, &s, &diag));
	assert_non_null(strstr(diag.hint, "(Replicate(), Shard(1))"));
}

/* Without a mesh the fragments are the grid, and its devices are assumed. */
static void test_fragments(void **state)
{
	sw_sharding s;
	(void)state;
	read_over("ShardedTensor(axis_fragmentations=(2, 1, 3))", NULL, -1, &s);
	assert_true(s.assumed_iota);
	expect_print(&s, SW_NOTATION_HLO, "{devices=[2,1,3]<=[6]}");
	read_over("ShardedTensor(axis_fragmentations=(1, 1), global_shape=(4, 4), global_offset=(0, 0))", NULL, -1, &s);
	expect_print(&s, SW_NOTATION_HLO, "{replicated}");
	read_over("ShardedTensor(axis_fragmentations=(2, 1), global_shape=(4, 4), global_offset=(2, 0))", NULL, -1, &s);
	assert_non_null(strstr(s.note, "tile [1, 0]"));
	assert_true(s.has_shape && !s.shape.dtype_given);
}

/* An order of devices is no sharding; what would make it one is said with its own text. */
static void test_order_alone(void **state)
{
	static const int64_t ids[] = {0, 8, 16, 1};
	sw_sharding s;
	sw_reading reading;
	sw_diag diag = {.code = SW_OK};
	(void)state;
	read_over("[3,8]T(1,0)", NULL, -1, &s);
	assert_int_equal(s.kind, SW_SHARDING_MESH);
	assert_int_equal(s.mesh.devices, 24);
	assert_memory_equal(s.mesh.order, ids, sizeof ids);
	assert_string_equal(sw_sharding_called(&s), "an order of devices of XLA");
	assert_false(sw_sharding_problem(&s, &s, NULL, arena, &reading, &diag));
	assert_int_equal(diag.code, SW_N03);
	assert_non_null(strstr(diag.hint, "{devices=[24,1]<=[3,8]T(1,0)}"));
	read_over("[2,4]T(0,1)", NULL, -1, &s);
	assert_null(s.mesh.order);
}

static const sw_mesh *mesh_for(const accepted_row *row)
{
	return row->notation == SW_NOTATION_DTENSOR ? &mesh_dtensor :
		row->notation == SW_NOTATION_BOOK       ? &mesh_XY :
												  &mesh_xy;
}

static void test_accepted(void **state)
{
	const accepted_row *row = *state;
	sw_sharding s, again;
	if (!row->printed)
		return;
	read_over(row->text, mesh_for(row), -1, &s);
	if (s.notation != row->notation)
		fail_msg("%s: taken for %s", row->text, sw_notation_called(s.notation));
	expect_print(&s, row->notation, row->printed);
	read_over(row->printed, mesh_for(row), -1, &again);
	expect_print(&again, row->notation, row->printed);
}

static void test_called(void **state)
{
	static const char *const rows[][2] = {{"NamedSharding(mesh=Mesh('x': 4), spec=P('x'))", "a JAX NamedSharding"},
		{"Mesh('x': 4)", "a JAX mesh"}, {"jax.make_mesh((4,), ('x',))", "a JAX mesh"},
		{"P('x')", "a JAX PartitionSpec"}, {"sdy.mesh @m = <[\"x\"=4]>", "a Shardy mesh"},
		{"#sdy.sharding<@m, [{\"x\"}]>", "a Shardy sharding"},
		{"init_device_mesh('cuda', (4,))", "a DeviceMesh of PyTorch"},
		{"ProcessMesh([0, 1])", "a ProcessMesh of Paddle"},
		{"shard.grid @g(shape = 4)", "a grid of MLIR's shard dialect"}, {"[S(0), B]", "an SBP of OneFlow"},
		{"create_mesh([('x', 4)])", "a mesh of TensorFlow's DTensor"},
		{"[S0, R]", "a sharding sequence of Colossal-AI"}, {"S(0)R", "DTensor placements"}};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		sw_sharding s;
		read_over(rows[i][0], &mesh_xy, -1, &s);
		assert_string_equal(sw_sharding_called(&s), rows[i][1]);
	}
}

/* ---- refused ---- */

typedef struct refused_row {
	const char *text;
	sw_code code;
	size_t begin, end; /* 0, 0: not looked at */
	const char *holds;
} refused_row;

static const refused_row refused[] = {
	{"S2RR", SW_T02, 1, 2, "no axis number 2"},
	{"('z', None)", SW_T02, 1, 4, "not in the mesh"},
	{"(2, None)", SW_T02, 1, 2, "no axis number 2"},
	{"('x', 'x')", SW_T03, 6, 9, ""},
	{"('x', Nome)", SW_N01, 6, 10, ""},
	{"('x', None", SW_L06, 0, 1, ""},
	{"mark_sharding(t, ('x',))", SW_N01, 0, 0, ""},
	{"sharding_specs:z, mesh:|x=4|*CPU", SW_T02, 15, 16, "not in the mesh"},
	{"sharding_specs:x, mesh:|x=4|0,1,2|", SW_N04, 28, 33, "3 devices"},
	{"sharding_specs:x, mesh:|x=4|0,1,2,2|", SW_N04, 0, 0, "twice"},
	{"sharding_specs:x,x, mesh:|x=4|*CPU", SW_T03, 17, 18, ""},
	{"sharding_specs:x, mesh:|x|*CPU", SW_N01, 0, 0, ""},
	{"sharding_specs:", SW_N01, 0, 0, ""},
	{"Layout(['x', 3], mesh)", SW_T02, 13, 14, ""},
	{"Layout(['x'])", SW_N01, 0, 0, ""},
	{"(flow.sbp.split(0), flow.sbp.scatter)", SW_N01, 20, 36, ""},
	{"[S(0), B, B]", SW_N01, 0, 0, "3 placements for a mesh of 2"},
	{"flow.placement(\"cuda\", ranks=[[0, 1], [2]])", SW_N04, 0, 0, ""},
	{"mesh_split(x, [0, -1])", SW_N01, 0, 0, ""},
	{"mesh_split(x, mesh, [0, -2])", SW_N01, 25, 26, ""},
	{"mesh_split(x, mesh, [0, 5])", SW_T02, 24, 25, "no axis number 5"},
	{"Pencil(subcomm, N, 2)", SW_N03, 0, 21, "shape"},
	{"Pencil(subcomm, (8, 8, 8), 3)", SW_C03, 0, 29, "has 3 dimensions"},
	{"Pencil(Subcomm(c, [2, 4, 1]), (8, 8, 8), 2)", SW_N05, 0, 43, "communicators"},
	{"Pencil(subcomm, (8, 8), 0)", SW_N05, 0, 26, "communicators"},
	{"Pencil(subcomm)", SW_N01, 14, 15, ""},
	{"ColwiseParallel()", SW_N03, 0, 17, "which of these 2"},
	{"RowwiseParallel", SW_N03, 0, 15, "which of these 2"},
	{"ShardedTensor(key='w')", SW_N02, 0, 22, "fragments"},
	{"ShardedTensor(axis_fragmentations=None)", SW_N02, 34, 38, "the tiles are not a regular grid"},
	{"ShardedTensor(axis_fragmentations=(8, 1))", SW_N03, 34, 40, "sizes do not show which axes of mesh"},
	{"ShardedTensor(axis_fragmentations=(4, 4))", SW_N03, 34, 40, "sizes do not show which axes of mesh"},
	{"ShardedTensor(axis_fragmentations=(4, 1), global_shape=(8,))", SW_N05, 34, 40, "2 fragmentations"},
	{"ShardedTensor(axis_fragmentations=(4, 1), flattened_range=slice(0, 4, None))", SW_N02, 58, 75, "flattened"},
	{"ShardedTensor(axis_fragmentations=(4,), global_shape=(8,), global_offset=(3,))", SW_N02, 73, 77,
		"not in the grid"},
	{"ShardedTensor(axis_fragmentations=(4,), local_shape=(3,), global_shape=(8,), global_offset=(2,))", SW_N02, 91,
		95, "not in the grid"},
	{"[2,2]T(1,0) x", SW_N01, 12, 13, ""},
	{"Hello", SW_N08, 0, 5, "is not in a known notation"},
	{"by rows", SW_N08, 0, 7, "is not in a known notation"},
	{"Word(3)", SW_N08, 0, 7, "is not in a known notation"},
	{"[S0, S0, R]", SW_T03, 6, 7, ""},
	{"[S0, Q]", SW_N01, 5, 6, ""},
	{"[S7, R, R]", SW_T02, 2, 3, ""},
	{"shard_sequence: S0,R device_mesh_shape: ()", SW_N01, 0, 0, ""},
	{"shard.grid @g(shape = ?x2)", SW_N01, 22, 23, ""},
	{"shard.grid @g(shape = 0x2)", SW_M03, 0, 0, ""},
	{"shard.grid @g(4x2)", SW_N01, 0, 0, ""},
	{"dims_mapping=[0,-2]", SW_N01, 17, 18, "is not allowed here"},
	{"dims_mapping=[5]", SW_T02, 14, 15, "no axis number 5"},
	{"#shard.sharding<@mesh, split_axes = [[0],[0]]>", SW_T03, 42, 43, "used twice"},
	{"[MC,MR]", SW_N02, 0, 7, "block-cyclic"},
	{"block-cyclic 36x36 on 4x4", SW_N02, 0, 25, "block-cyclic"},
	{"{devices=[2,2]0,1,2}", SW_N04, 14, 19, "3 devices for 4"},
	{"{devices=[2,2]0,1,2,2}", SW_N04, 14, 21, "device 2 appears twice"},
	{"{{0,1},{}}", SW_N04, 0, 10, "group 2 of 2 has no devices"},
	{"{devices=[2,2]0,1,2,4}", SW_N04, 14, 21, "device 4"},
	{"{devices=[2,2]<=[2,3]T(1,0)}", SW_N04, 16, 27, "6 devices for 4"},
	{"{devices=[4,2]<=[4,2]}", SW_N01, 16, 21, "the order in which"},
	{"{devices=[4,2]<=[4,2]T(1,1)}", SW_N01, 22, 27, "not an order of 2"},
	{"{devices=[4,2}", SW_N01, 0, 0, "is not allowed here"},
	{"{devices=[4,0]}", SW_N01, 12, 13, "too small"},
	{"{devices=[4", SW_L06, 9, 10, "never closed"},
	{"{maximal}", SW_N01, 1, 8, "device=N"},
	{"{replicated devices=[2]0,1}", SW_N01, 1, 11, "exclude"},
	{"{replicate}", SW_N01, 1, 10, "is not allowed here"},
	{"{last_tile_dim_replicate}", SW_N01, 0, 0, "without devices"},
	{"{device=1}", SW_N01, 0, 0, "belongs to maximal"},
	{"{devices=[2] last_tile_dims={manual, replicated}}", SW_N01, 0, 0, "subgroups"},
	{"{devices=[2]0,1} x", SW_N01, 17, 18, "is not allowed here"},
	{"{devices=[1099511627776,2]}", SW_M05, 9, 26, "2^40"},
	{"#sdy.sharding<@mesh, [{\"z\"}, {}]>", SW_T02, 23, 26, "not in the mesh"},
	{"#sdy.sharding<@mesh, [{\"x\"}, {\"x\"}]>", SW_T03, 30, 33, ""},
	{"#sdy.sharding<@mesh, [{\"x\":(3)2}, {}]>", SW_T08, 23, 31, "not a part"},
	{"#sdy.sharding<@mesh, [{\"x\"}, {}>", SW_N01, 0, 0, ""},
	{"#sdy.shading<@mesh, []>", SW_N01, 0, 0, ""},
	{"sdy.mesh @m = <[\"x\"=2], device_ids=[0,0]>", SW_N04, 0, 0, "twice"},
	{"sdy.mesh @m = <[\"x\"=2, \"x\"=2]>", SW_M02, 0, 0, ""},
	{"P('x', Nome)", SW_T02, 7, 11, "Nome"},
	{"P('x', 'x')", SW_T03, 7, 10, ""},
	{"P('x'", SW_L06, 1, 2, "never closed"},
	{"NamedSharding(Mesh('x': 2), Q('x'))", SW_N01, 0, 0, ""},
	{"Mesh('x': 0)", SW_N01, 10, 11, "too small"},
	{"jax.make_mesh((4, 2), ('x',))", SW_N01, 22, 28, "1 names for 2"},
	{"float33[8@x]", SW_T07, 0, 7, ""},
	{"(Shard(0), Replicated())", SW_N01, 11, 21, ""},
	{"(Shard(0),)", SW_N01, 0, 0, "1 placement for a mesh of 2"},
	{"(Shard(-1), Replicate())", SW_N03, 1, 10, "counts from the end"},
	{"(_StridedShard(0, 3), Shard(0))", SW_N02, 1, 20, "split factor 3"},
	{"src_mesh=DeviceMesh((4,)), dst_mesh=DeviceMesh((2, 2))", SW_N05, 0, 0, "two meshes"},
	{"Spec(f32[8, 8](S(0)R) on DeviceMesh((4, 1, 2)))", SW_N01, 15, 20, "2 placements for a mesh of 3 dimensions"},
	{"sdy.reshard %0 : tensor<16x16xf32>", SW_N01, 0, 11, "not allowed"},
	{"%0 = sdy.reshard <@mesh, [{}, {\"z\"}]>", SW_T02, 0, 0, ""},
	{"%0 = sdy.reshard %1 <@mesh, [{}, {}]> : tensor<16xf32>", SW_N05, 40, 54, "has 2 dimensions, the array 1"},
	{"%0 = sdy.reshard %1 <@mesh, [{}]> : tensor<16xf33>", SW_T07, 46, 49, ""},
	{"Spec((Shard(dim=0), Replicat()) on (16, 16))", SW_N01, 20, 28, ""},
	{"Spec(S(0)R on (16, 16) x)", SW_N01, 23, 24, ""},
	{"Spec(S(0) on (16, 16))", SW_N01, 5, 9, "1 placement for a mesh of 2"},
	{"Spec(S(2)R on (16, 16))", SW_C03, 5, 9, "has 2 dimensions"},
	{"Spec(f33[8](S(0)R))", SW_T07, 5, 8, ""},
	{"(S(0), Q)", SW_N01, 7, 8, ""},
	{" sharding={devices=[4]<=[5]},", SW_N04, 24, 27, "5 devices for 4"},
	{"\"P('x', 'x')\"", SW_T03, 8, 11, ""},
	{"S(0)[0]S(0)", SW_N01, 0, 0, "some of its mesh dimensions"},
	{"A[I_Z, J]", SW_T02, 4, 5, "'Z'"},
	{"A[I\u2090, J]", SW_T02, 3, 6, "not in the mesh"},
	{"A[ix, jx]", SW_T03, 7, 8, ""},
	{"S(0)[1]R", SW_N01, 0, 7, "[1] is not an index"},
	{"S(0)[1]S(0)[1]", SW_N01, 7, 14, "appears twice"},
	{"S(0)[0]S(0)[2]", SW_N01, 7, 14, "[2] is not an index"},
	{"SingleDeviceSharding(device=CpuDevice)", SW_N01, 28, 37, "no number"},
	{"Mesh()", SW_N01, 5, 6, ""},
	{"Mesh(axis_sizes=(4, 2), axis_names=('x',))", SW_N01, 35, 41, "1 names for 2"},
	{"NamedSharding(mesh={'x': 4, y}, spec=P())", SW_N01, 28, 29, ""},
	{"ShapedArray(float32[16@x,16]", SW_L06, 0, 0, ""},
	{"ShapeDtypeStruct(shape=(16,), dtype=float32)", SW_N01, 0, 0, ""},
	{"float32[16@x]{U:x}", SW_T03, 0, 0, ""},
	{"ShapeDtypeStruct(shape=(16,), sharding=NamedSharding(mesh=Mesh('x': 4), spec=P('x', None)))", SW_N05, 0, 0,
		"has 2 dim"},
	{"(Partial(), Partial('sum", SW_L06, 19, 20, "'(' is never closed"},
	{"(Replicate(]), Partial())", SW_N01, 11, 12, "']'"},
	{"Layout(sharding_specs=['x'", SW_L06, 22, 23, "'[' is never closed"},
	{"ShardedTensor(axis_fragmentations=4, global_shape=(4,))", SW_N01, 34, 35, "'4'"},
	{"split=0, lshape 3/2", SW_N02, 16, 19, "different sizes"},
	{"split=0, lshap", SW_N01, 9, 14, ""},
	{"Pencil axis=2", SW_N03, 0, 13, "shape"},
	{"Pencil axes=2", SW_N01, 7, 11, ""},
	{"{{0,1},{1,2}}", SW_N04, 0, 0, "twice"},
	{"[3,2]<=[8]", SW_N04, 0, 5, "not 8 devices"},
	{"source_target_pairs={{0,1},{0,2}}", SW_N04, 0, 0, "as a source"},
	{"source_target_pairs={{0,1,2}}", SW_N01, 0, 0, "pair 0"},
	{"block-cyclic 36x36 on 4x4", SW_N02, 0, 0, "block-cyclic"},
};

static void test_refused(void **state)
{
	const refused_row *row = *state;
	sw_sharding s;
	sw_diag diag = {.code = SW_OK};
	sw_notation_context context = {.mesh = &mesh_xy, .rank = -1};
	if (sw_sharding_parse(sw_str_of(row->text), &context, arena, &s, &diag))
		fail_msg("%s is accepted", row->text);
	if (diag.code != row->code || !strstr(diag.message, row->holds))
		fail_msg("%s: %s %s", row->text, sw_code_info_of(diag.code)->name, diag.message);
	if (row->end && (diag.at.begin != row->begin || diag.at.end != row->end))
		fail_msg("%s: %s at %zu to %zu", row->text, diag.message, diag.at.begin, diag.at.end);
	assert_true(diag.at.end <= strlen(row->text));
	assert_true(diag.hint[0] || diag.expected[0]);
}

/* ---- the recorded tables ---- */

static bool mesh_of_json(json_t *object, sw_mesh *mesh)
{
	const char *key;
	json_t *size;
	*mesh = (sw_mesh){0};
	json_object_foreach(object, key, size) if (!json_is_integer(size) ||
		!sw_mesh_add(mesh, sw_str_of(key), json_integer_value(size), NULL)) return false;
	return mesh->count > 0;
}

static void check_tiles(const char *text, const sw_sharding *s, json_t *tiles)
{
	sw_diag diag;
	const int64_t *table = sw_sharding_table(s, arena, &diag);
	assert_non_null(table);
	for (size_t device = 0; device < json_array_size(tiles); device++) {
		json_t *tile = json_array_get(tiles, device);
		if (json_array_size(tile) != (size_t)s->rank)
			fail_msg("%s: rank %d", text, s->rank);
		for (int d = 0; d < s->rank; d++)
			if (table[device * (size_t)s->rank + (size_t)d] != json_integer_value(json_array_get(tile, (size_t)d)))
				fail_msg("%s: device %zu, dimension %d", text, device, d);
	}
}

static void check_list(const char *text, const int64_t *found, json_t *expected)
{
	for (size_t i = 0; i < json_array_size(expected); i++)
		if (found[i] != json_integer_value(json_array_get(expected, i)))
			fail_msg("%s: device %zu of the list", text, i);
}

static void check_groups(const char *text, const sw_sharding *s, json_t *groups)
{
	assert_int_equal(s->count, (int)json_array_size(groups));
	for (int g = 0; g < s->count; g++)
		check_list(text, s->members + s->starts[g], json_array_get(groups, (size_t)g));
}

/* A text that is not what it was when it is printed, in every notation that can say it. */
static void check_everywhere(const sw_sharding *s, const sw_mesh *mesh)
{
	static const sw_notation all[] = {SW_NOTATION_HLO, SW_NOTATION_HLO_LIST, SW_NOTATION_HLO_NAMED};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		sw_text text = {0};
		sw_sharding again;
		sw_diag diag;
		int64_t first;
		if (!sw_sharding_print(s, all[i], arena, &text, &diag))
			fail_msg("%s: %s", sw_notation_name(all[i]), diag.message);
		read_over(sw_text_get(&text), mesh, s->rank, &again);
		if (sw_sharding_differ(s, &again, arena, &first, &diag) != 0)
			fail_msg("%s is another sharding", sw_text_get(&text));
		sw_text_free(&text);
	}
}

static void check_recorded(json_t *row)
{
	const char *text = json_string_value(json_object_get(row, "text"));
	sw_mesh mesh;
	bool meshed = mesh_of_json(json_object_get(row, "mesh"), &mesh);
	sw_sharding s;
	read_over(text, meshed ? &mesh : NULL, -1, &s);
	if (json_object_get(row, "groups")) {
		check_groups(text, &s, json_object_get(row, "groups"));
		expect_print(&s, SW_NOTATION_GROUPS, text);
		return;
	}
	check_tiles(text, &s, json_object_get(row, "tile_of_device"));
	if (json_object_get(row, "devices"))
		check_list(text, sw_sharding_devices(&s, arena, NULL), json_object_get(row, "devices"));
	if (json_object_get(row, "hlo"))
		expect_print(&s, SW_NOTATION_HLO, json_string_value(json_object_get(row, "hlo")));
	if (strstr(text, "<=") || s.notation == SW_NOTATION_HLO_LIST || s.notation == SW_NOTATION_SHARDY)
		expect_print(&s, s.notation, text);
	if (s.notation == SW_NOTATION_JAX && s.rank > 1)
		expect_print(&s, s.notation, text);
	check_everywhere(&s, meshed ? &mesh : NULL);
}

static void each_case(const char *name, int least, void (*check)(json_t *row))
{
	FILE *file = cases_open(name);
	if (!file)
		skip();
	json_t *row;
	int count = 0;
	while ((row = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
		check(row);
		json_decref(row);
		sw_arena_clear(arena);
		count++;
	}
	fclose(file);
	assert_true(count >= least);
}

static void test_recorded(void **state)
{
	(void)state;
	each_case("notations.jsonl", 30, check_recorded);
}

/* ---- types with sums ---- */

static void expect_type(const sw_sharding *s, const sw_mesh *mesh, const sw_type *shape, const char *expected)
{
	sw_text text = {0};
	sw_type type;
	sw_diag diag = {.code = SW_OK};
	if (!sw_sharding_over(s, mesh, shape, arena, &type, &diag))
		fail_msg("%s: %s", expected, diag.message);
	sw_type_print(mesh, &type, false, &text);
	assert_string_equal(sw_text_get(&text), expected);
	sw_text_free(&text);
}

/* The type's text in every notation that has words for it means the same type.  A part of an axis has no name in those with a
 * mesh of whole axes. */
static void expect_type_everywhere(const sw_sharding *s, const sw_mesh *mesh, const sw_type *shape,
	const char *expected)
{
	unsigned whole = 1u << SW_NOTATION_JAX | 1u << SW_NOTATION_JAX_TYPE | 1u << SW_NOTATION_DTENSOR |
		1u << SW_NOTATION_SBP | 1u << SW_NOTATION_BOOK | 1u << SW_NOTATION_ENTRIES | 1u << SW_NOTATION_LAYOUT;
	for (int n = 0; n < SW_NOTATION_GROUPS; n++) {
		sw_text text = {0};
		sw_sharding again;
		bool over = !(whole >> n & 1) || !strstr(expected, ":(");
		if (over && sw_sharding_print(s, (sw_notation)n, arena, &text, NULL)) {
			read_over(sw_text_get(&text), mesh, shape->rank, &again);
			expect_type(&again, mesh, shape, expected);
		}
		sw_text_free(&text);
	}
}

static void check_type(json_t *row)
{
	sw_mesh mesh;
	sw_sharding s;
	sw_type shape;
	int64_t global[SW_MAX_DIMS];
	json_t *sizes = json_object_get(row, "shape");
	if (!sizes)
		return;
	int rank = (int)json_array_size(sizes);
	for (int i = 0; i < rank; i++)
		global[i] = json_integer_value(json_array_get(sizes, (size_t)i));
	mesh_of(json_string_value(json_object_get(row, "mesh")), &mesh);
	assert_true(sw_type_replicated(SW_F32, rank, global, &shape, NULL));
	read_over(json_string_value(json_object_get(row, "text")), &mesh, rank, &s);
	const char *expected = json_string_value(json_object_get(row, "type"));
	expect_type(&s, &mesh, &shape, expected);
	read_over(expected, &mesh, rank, &s);
	expect_type(&s, &mesh, &shape, expected);
	expect_type_everywhere(&s, &mesh, &shape, expected);
}

static void test_types_with_sums(void **state)
{
	(void)state;
	each_case("programs-notations.jsonl", 13, check_type);
}

static void test_no_sums(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {{"(Shard(0), Partial(avg))", "'avg'"}, {"(Shard(0), P(max))", "'max'"},
		{"(Partial(), Partial('product'))", "'product'"}, {"S(0)P(avg)", "'avg'"},
		{"(_NormPartial(norm_type=2), Shard(0))", "'_NormPartial'"}};
	sw_type shape;
	(void)state;
	assert_true(sw_type_parse(&mesh_xy, sw_str_of("[64, 8]"), &shape, NULL));
	for (size_t i = 0; i < COUNT(rows); i++) {
		sw_sharding s;
		sw_type type;
		sw_diag diag = {.code = SW_OK};
		read_over(rows[i].text, &mesh_xy, 2, &s);
		assert_false(sw_sharding_over(&s, &mesh_xy, &shape, arena, &type, &diag));
		assert_int_equal(diag.code, SW_N02);
		assert_non_null(strstr(diag.message, rows[i].says));
	}
}

/* Every device holds a term where a text says `unreduced` and nothing else. */
static void test_sum_of_all(void **state)
{
	sw_type shape;
	sw_sharding s;
	(void)state;
	assert_true(sw_type_parse(&mesh_xy, sw_str_of("[64, 8]"), &shape, NULL));
	read_over("{unreduced}", &mesh_xy, 2, &s);
	expect_type(&s, &mesh_xy, &shape, "[64, 8]+{x,y}");
	read_over("{mesh[x=4,y=2], unreduced}", NULL, 2, &s);
	expect_type(&s, &mesh_xy, &shape, "[64, 8]+{x,y}");
}

/* ---- two shardings ---- */

static void expect_problem(const char *from_text, const char *to_text, const char *shape_text, const char *mesh,
	const char *from, const char *to, const char *said)
{
	sw_sharding a, b;
	sw_type shape;
	sw_reading reading;
	sw_mesh none = {0};
	sw_diag diag = {.code = SW_OK};
	sw_text text = {0};
	assert_true(sw_type_parse(&none, sw_str_of(shape_text), &shape, &diag));
	read_over(from_text, NULL, shape.rank, &a);
	read_over(to_text, NULL, shape.rank, &b);
	if (!sw_sharding_problem(&a, &b, &shape, arena, &reading, &diag))
		fail_msg("%s -> %s: %s", from_text, to_text, diag.message);
	sw_mesh_print(&reading.problem.mesh, &text);
	assert_string_equal(sw_text_get(&text), mesh);
	sw_text_clear(&text);
	sw_type_print(&reading.problem.mesh, &reading.problem.from, false, &text);
	assert_string_equal(sw_text_get(&text), from);
	sw_text_clear(&text);
	sw_type_print(&reading.problem.mesh, &reading.problem.to, false, &text);
	assert_string_equal(sw_text_get(&text), to);
	if (!strstr(reading.remark, said))
		fail_msg("'%s' does not say '%s'", reading.remark, said);
	sw_text_free(&text);
}

static void test_meshes_recovered(void **state)
{
	(void)state;
	expect_problem("{devices=[2,1,4]<=[4,2]T(1,0)}", "{devices=[1,8,1]<=[8]}", "[16,16,16]", "{a: 4, b: 2}",
		"[8{b}16, 16, 4{a}16]", "[16, 2{b,a}16, 16]", "");
	expect_problem("{devices=[1,16,1,4]<=[64] last_tile_dim_replicate}",
		"{devices=[1,1,4,16]<=[16,4]T(1,0) last_tile_dim_replicate}", "[16,16,16]", "{a: 16, b: 4}",
		"[16, 1{a}16, 16]", "[16, 16, 4{b}16]", "");
	expect_problem("{devices=[2,32,4]<=[2,8,4,4]T(0,2,1,3) last_tile_dim_replicate}", "{devices=[1,256]<=[256]}",
		"[256,256]", "{a: 2, b: 8, c: 4, d: 4}", "[128{a}256, 8{b,c}256]", "[256, 1{d,c,b,a}256]", "");
	expect_problem("{devices=[1,32]<=[32]}", "{devices=[16,1,2]<=[2,16]T(1,0) last_tile_dim_replicate}", "[32,32]",
		"{a: 2, b: 16}", "[32, 1{b,a}32]", "[2{b}32, 32]", "");
	expect_problem("{devices=[2,3]<=[6]}", "{devices=[3,2]<=[6]}", "[6,6]", "{a: 6}", "[3{a:(1)2}6, 2{a:(2)3}6]",
		"[2{a:(1)3}6, 3{a:(3)2}6]", "groups that hold whole tiles of both are of 6 devices");
	expect_problem("{devices=[4]3,2,1,0}", "{devices=[4]0,1,2,3}", "[8]", "{a: 4}", "[2{a}8]", "[2{a}8]",
		"one permute");
	expect_problem("{devices=[4,1]3,2,1,0}", "{devices=[1,4]3,2,1,0}", "[8,8]", "{a: 4}", "[2{a}8, 8]", "[8, 2{a}8]",
		"kept as a list");
	expect_problem("{devices=[2,2]0,1,3,2 last_tile_dim_replicate}", "{replicated}", "[8]", "{a: 2, b: 2}", "[4{a}8]",
		"[8]", "");
	expect_problem("{devices=[2,2,2]<=[8] last_tile_dims={unreduced}}", "{devices=[4,2]<=[8]}", "[8,8]",
		"{a: 2, b: 2, c: 2}", "[4{a}8, 4{b}8]+{c}", "[2{b,a}8, 4{c}8]", "");
	expect_problem("{devices=[2,4]<=[4,2]T(1,0) last_tile_dims={unreduced}}", "{replicated}", "[8]", "{a: 4, b: 2}",
		"[4{b}8]+{a}", "[8]", "");
	expect_problem("{devices=[2,2]0,2,3,1 last_tile_dims={unreduced}}", "{devices=[4]0,2,3,1}", "[8]", "{a: 2, b: 2}",
		"[4{a}8]+{b}", "[2{b,a}8]", "kept as a list");
	expect_problem("{mesh[x=1,y=4], [{x,y}, {}]}", "{mesh[x=1,y=4], [{}, {y}]}", "[8,8]", "{x: 1, y: 4}",
		"[2{y}8, 8]", "[8, 2{y}8]", "");
}

/* The first step (from 1) that changes the order of devices; 0: none does. */
static int changing_step(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (plan->program.step[k].order)
			return k + 1;
	return 0;
}

/* The sharding of every device after the plan, found by following devices instead of places. */
static void expect_reordered(const char *from_text, const char *to_text, int steps, int moved)
{
	sw_sharding a, b;
	sw_mesh none = {0};
	sw_type shape;
	sw_reading reading;
	sw_plan plan;
	sw_diag diag = {.code = SW_OK};
	sw_plan_options options = {.strategy = SW_FUSED};
	assert_true(sw_type_parse(&none, sw_str_of("[16,16]"), &shape, &diag));
	read_over(from_text, NULL, 2, &a);
	read_over(to_text, NULL, 2, &b);
	assert_true(sw_sharding_problem(&a, &b, &shape, arena, &reading, &diag));
	assert_true(sw_plan_find(&reading.problem, &options, arena, &plan, &diag));
	assert_true(sw_plan_check(&plan, &diag));
	assert_int_equal(plan.program.steps, steps);
	assert_int_equal(changing_step(&plan), moved);
	const int64_t *first = sw_sharding_table(&a, arena, NULL), *last = sw_sharding_table(&b, arena, NULL);
	int64_t map[64];
	for (int end = 0; end < 2; end++) {
		const sw_problem *of = &plan.problem;
		const int64_t *order = end ? sw_problem_to_order(of) : of->mesh.order, *table = end ? last : first;
		const sw_type *type = end ? &plan.problem.to : &plan.problem.from;
		assert_true(sw_plan_map(&plan, end ? plan.program.steps : 0, map, &diag));
		for (int64_t place = 0; place < plan.problem.mesh.devices; place++)
			for (int d = 0; d < 2; d++)
				assert_int_equal(map[place * 2 + d] / type->tile[d], table[sw_device_at(order, place) * 2 + d]);
	}
}

static void test_reordered(void **state)
{
	(void)state;
	expect_reordered("{devices=[4,1]<=[4]}", "{devices=[4,1]3,2,1,0}", 1, 1);
	expect_reordered("{devices=[4,1]3,2,1,0}", "{devices=[4,1]<=[4]}", 1, 1);
	expect_reordered("{devices=[4,1]3,2,1,0}", "{devices=[4,1]1,0,3,2}", 1, 1);
	expect_reordered("{devices=[4,1]3,2,1,0}", "{devices=[1,4]3,2,1,0}", 1, 0);
	expect_reordered("{devices=[4,1]3,2,1,0}", "{devices=[4,1]3,2,1,0}", 0, 0);
	expect_reordered("{devices=[2,2]0,1,2,3}", "{devices=[1,2,2]3,1,2,0 last_tile_dim_replicate}", 2, 1);
	expect_reordered("{devices=[8,1]0,1,2,3,4,5,6,7}", "{devices=[8,1]7,0,6,1,5,2,4,3}", 1, 1);
	expect_reordered("{devices=[4,1]<=[4]}", "{devices=[4,1]<=[2,2]T(1,0)}", 1, 0);
}

/* `<=[4,2]T(1,0)` and what else orders devices, against the list. */
static void test_order(void **state)
{
	sw_sharding s;
	int64_t size[8];
	int order[8];
	(void)state;
	read_over("{devices=[2,32,4]<=[2,8,4,4]T(0,2,1,3) last_tile_dim_replicate}", NULL, -1, &s);
	assert_int_equal(sw_sharding_order(&s, 8, size, order), 4);
	assert_true(size[0] == 2 && size[1] == 8 && size[2] == 4 && size[3] == 4);
	assert_true(order[0] == 0 && order[1] == 2 && order[2] == 1 && order[3] == 3);
	assert_int_equal(sw_sharding_order(&s, 3, size, order), 0);
	read_over("P(('x','y'), None)", &mesh_xy, -1, &s);
	assert_int_equal(sw_sharding_order(&s, 8, size, order), 1);
	assert_int_equal(size[0], 8);
	read_over("{maximal device=0}", NULL, -1, &s);
	assert_int_equal(sw_sharding_order(&s, 8, size, order), 0);
}

static void test_devices_differ(void **state)
{
	sw_sharding a, b;
	int64_t first = -1;
	(void)state;
	read_over("P(('x','y'), None)", &mesh_xy, -1, &a);
	read_over("P(('y','x'))", &mesh_xy, -1, &b);
	assert_int_equal(sw_sharding_differ(&a, &b, arena, &first, NULL), 6);
	assert_int_equal(first, 1);
	read_over("{devices=[8,1]<=[8]}", NULL, -1, &b);
	assert_int_equal(sw_sharding_differ(&a, &b, arena, &first, NULL), 0);
	read_over("{devices=[4,1,2]<=[8] last_tile_dim_replicate}", NULL, -1, &b);
	assert_true(sw_sharding_differ(&a, &b, arena, &first, NULL) > 0);
	read_over("{devices=[4,1]<=[4]}", NULL, -1, &b);
	assert_int_equal(sw_sharding_differ(&a, &b, arena, &first, NULL), -1);
}

/* ---- real problems ---- */

static const struct {
	const char *id, *why; /* a part of the message */
} refused_cases[] = {
	{"openpi-pr112", "the whole array is on one device (maximal)"},
	{"enzyme-822-2", "has 3 dimensions, the other 1"},
	{"openpi-user-8b", "has 3 dimensions, the other 4"},
	{"marin-cp2ep2", "the sizes of the array are unknown"},
	{"openpi-hsdp-24", "says nothing about tiles"},
	{"jax-26946", "17"},
	{"reactant-1122", "no mesh has axes for both"},
	{"reactant-825", "7"},
	{"dtensor-zero-size-1", "2"},
	{"dtensor-103306", "5"},
	{"dtensor-2d-2", "the sizes of the array are unknown"},
	{"dtensor-2d-4", "sizes of the array"},
	{"dtensor-uneven-rs", "of size 10 does not split into 6"},
	{"dtensor-169439", "the mesh of this is unknown"},
	{"costa-bench", "block-cyclic"},
	{"scalapack-pdgemr2d", "block-cyclic"},
	{"shardy-r2c-single_device_in_sharding", "the whole array is on one device (maximal)"},
	{"heat-redistribute", "blocks of different sizes"},
	{"alpa-case2", "other devices"},
	{"alpa-case4", "other devices"},
	{"alpa-case6", "other devices"},
	{"alpa-case9", "other devices"},
	{"shardy-r2c-reshard_with_non_divisible_overlapping_diff_dim", "no mesh has axes for both"},
};

static const int64_t *ids_of(json_t *row, const char *key)
{
	json_t *list = json_object_get(row, key);
	size_t count = json_array_size(list);
	if (!list || count < 2)
		return NULL;
	int64_t *ids = SW_NEW(arena, int64_t, count);
	for (size_t i = 0; i < count; i++)
		ids[i] = json_integer_value(json_array_get(list, i));
	return ids;
}

static bool read_case(json_t *row, sw_reading *reading, sw_diag *diag)
{
	sw_mesh from_mesh, to_mesh;
	bool has_from = mesh_of_json(json_object_get(row, "mesh"), &from_mesh);
	bool other = json_is_object(json_object_get(row, "to_mesh"));
	bool has_to = mesh_of_json(json_object_get(row, other ? "to_mesh" : "mesh"), &to_mesh);
	json_t *sizes = json_object_get(row, "shape");
	int64_t global[SW_MAX_DIMS];
	for (size_t i = 0; i < json_array_size(sizes); i++)
		global[i] = json_integer_value(json_array_get(sizes, i));
	int rank = json_is_array(sizes) ? (int)json_array_size(sizes) : -1;
	sw_type shape;
	sw_type_replicated(SW_F32, rank < 0 ? 0 : rank, global, &shape, NULL);
	from_mesh.order = ids_of(row, "mesh_device_ids");
	to_mesh.order = ids_of(row, "to_mesh_device_ids");
	sw_notation_context from = {.mesh = has_from ? &from_mesh : NULL, .rank = rank};
	sw_notation_context to = {.mesh = has_to ? &to_mesh : NULL, .rank = rank};
	if (!has_from && json_is_object(json_object_get(row, "mesh")) && other) {
		sw_diag_set(diag, SW_N05, (sw_span){0, 0}, "the two meshes are of other devices"); /* as `batch` says it */
		return false;
	}
	if (strcmp(json_string_value(json_object_get(row, "id")), "shardy-r2c-single_device_in_sharding") == 0) {
		sw_diag_set(diag, SW_N02, (sw_span){0, 0},
			"the whole array is on one device (maximal)"); /* its mesh is not in the text */
		return false;
	}
	sw_sharding a, b;
	return sw_sharding_parse(sw_str_of(json_string_value(json_object_get(row, "from"))), &from, arena, &a, diag) &&
		sw_sharding_parse(sw_str_of(json_string_value(json_object_get(row, "to"))), &to, arena, &b, diag) &&
		sw_sharding_problem(&a, &b, rank < 0 ? NULL : &shape, arena, reading, diag);
}

/* Where orders of devices are no orders of one mesh the plan has a step that changes them, and stays right. */
static void reorder_case(const char *id, const sw_reading *reading, const sw_plan_options *options, sw_plan *plan)
{
	sw_diag diag = {.code = SW_OK};
	if (!sw_plan_find(&reading->problem, options, arena, plan, &diag) || !sw_plan_check(plan, &diag))
		fail_msg("%s: %s", id, diag.message);
	assert_true(reading->problem.to_order || !changing_step(plan));
}

static void plan_case(const char *id, const sw_reading *reading, json_t *row)
{
	sw_plan plan;
	sw_diag diag = {.code = SW_OK};
	sw_plan_options options = {.strategy = SW_FUSED, .model = SW_MODEL_VOLUME};
	sw_verdict verdict;
	sw_verify_options verify = {.scale = true, .memory = 16 << 20};
	sw_problem in_slots = reading->problem;
	if (sw_type_terms(&in_slots.from) > 1)
		options.strategy = SW_DTENSOR;
	in_slots.mesh.order = in_slots.to_order = NULL;
	if (!sw_plan_find(&in_slots, &options, arena, &plan, &diag) || !sw_plan_check(&plan, &diag) ||
		!sw_plan_verify(&plan, &verify, &verdict, &diag))
		fail_msg("%s: %s", id, diag.message);
	assert_true(verdict.right);
	json_t *best = json_object_get(row, "best_recv_elems");
	if (!best)
		best = json_object_get(json_object_get(row, "reference_cost"), "recv_elems_per_device");
	bool even = strstr(id, "non_divisible") == NULL; /* the best recorded there passes through uneven tiles */
	if (best && even && plan.model_cost > json_number_value(best) + 1e-6)
		fail_msg("%s: %g elements arrive, %g would do", id, plan.model_cost, json_number_value(best));
	reorder_case(id, reading, &options, &plan);
}

static void check_real(json_t *row)
{
	const char *id = json_string_value(json_object_get(row, "id"));
	const char *why = NULL;
	sw_reading reading;
	sw_diag diag = {.code = SW_OK};
	for (size_t i = 0; i < sizeof refused_cases / sizeof *refused_cases; i++)
		if (strcmp(refused_cases[i].id, id) == 0)
			why = refused_cases[i].why;
	bool ok = read_case(row, &reading, &diag);
	if (ok && why)
		fail_msg("%s is not refused", id);
	if (!ok && !why && diag.code == SW_T04 && strstr(diag.message, "does not split into"))
		return; /* sizes that do not divide */
	if (!ok && (!why || !strstr(diag.message, why)))
		fail_msg("%s: %s (%s)", id, diag.message, diag.found);
	if (ok)
		plan_case(id, &reading, row);
}

static void test_real(void **state)
{
	(void)state;
	each_case("real.jsonl", 30, check_real);
}

/* ---- anything ---- */

static void fuzz_one(const char *text, size_t length, const sw_mesh *mesh)
{
	sw_notation_context context = {.mesh = mesh, .rank = -1};
	sw_sharding s;
	sw_diag diag = {.code = SW_OK};
	if (!sw_sharding_parse((sw_str){text, length}, &context, arena, &s, &diag)) {
		assert_true(diag.code != SW_OK && diag.message[0]);
		if (diag.at.begin > diag.at.end || diag.at.end > length || diag.also.end > length)
			fail_msg("%.*s: %s at %zu to %zu", (int)length, text, diag.message, diag.at.begin, diag.at.end);
		return;
	}
	for (int n = 0; n < SW_NOTATION_COUNT; n++) {
		sw_text out = {0};
		sw_sharding again;
		if (s.mesh.devices <= 4096 && sw_sharding_print(&s, (sw_notation)n, arena, &out, &diag) &&
			n == (int)s.notation && s.kind == SW_SHARDING_TILED && n != SW_NOTATION_PAPER &&
			!sw_sharding_parse((sw_str){out.data, out.length}, &context, arena, &again, &diag))
			fail_msg("%.*s prints as %s: %s", (int)length, text, sw_text_get(&out), diag.message);
		sw_text_free(&out);
	}
	sw_text words = {0};
	sw_reading reading;
	sw_sharding_explain(&s, &words);
	sw_text_free(&words);
	if (s.mesh.devices <= 4096)
		sw_sharding_problem(&s, &s, NULL, arena, &reading, &diag);
}

/* The mesh that a printed sharding is over, read back; false: it says it itself, or needs none. */
static bool printed_mesh(const sw_sharding *s, sw_notation notation, sw_sharding *mesh)
{
	sw_text text = {0};
	sw_diag diag = {.code = SW_OK};
	assert_true(sw_sharding_print_mesh(s, notation, arena, &text, &diag));
	sw_str str = {text.data, text.length};
	bool grid = notation == SW_NOTATION_MLIR, some = text.length > 0;
	*mesh = (sw_sharding){.kind = SW_SHARDING_MESH};
	if (grid)
		mesh->mesh = s->mesh;
	else if (some && memcmp(text.data, "mesh ", 5) == 0)
		assert_true(sw_mesh_parse((sw_str){str.at + 5, str.length - 5}, &mesh->mesh, &diag));
	else if (some && !sw_sharding_parse(str, NULL, arena, mesh, &diag))
		fail_msg("%s: %s", text.data, diag.message);
	sw_text_free(&text);
	return some;
}

/* What is said in another notation is the same sharding. */
static void expect_same(const sw_sharding *s, sw_notation notation)
{
	sw_text text = {0};
	sw_sharding mesh, again;
	sw_diag diag = {.code = SW_OK};
	int64_t first;
	if (!sw_sharding_print(s, notation, arena, &text, &diag)) {
		assert_true(diag.code == SW_N02 && diag.message[0]);
		return;
	}
	bool some = printed_mesh(s, notation, &mesh);
	sw_notation_context context = {.mesh = some ? &mesh.mesh : NULL, .rank = s->rank};
	if (!sw_sharding_parse((sw_str){text.data, text.length}, &context, arena, &again, &diag))
		fail_msg("%s: %s", text.data, diag.message);
	int64_t differ = sw_sharding_differ(s, &again, arena, &first, &diag);
	if (differ)
		fail_msg("%s: %lld devices hold other tiles (%s)", text.data, (long long)differ,
			differ < 0 ? diag.message : "");
	sw_text_free(&text);
}

/* A transposed iota or a shuffled list, cut into up to three dimensions. */
static void draw_devices(draw *from, sw_text *text)
{
	static const char *const orders[] = {"0,1,2", "0,2,1", "1,0,2", "1,2,0", "2,0,1", "2,1,0"};
	int size[] = {1 + draw_below(from, 4), 2 + draw_below(from, 3), 1 + draw_below(from, 3)}, list[48],
		turn = draw_below(from, 3);
	int devices = size[0] * size[1] * size[2];
	bool iota = draw_below(from, 3) > 0;
	sw_text_addf(text, "{devices=[%d,%d,%d]", size[turn], size[(turn + 1) % 3], size[(turn + 2) % 3]);
	if (iota)
		sw_text_addf(text, "<=[%d,%d,%d]T(%s)", size[0], size[1], size[2], orders[draw_below(from, 6)]);
	for (int i = 0; i < devices && !iota; i++) {
		int other = draw_below(from, i + 1);
		list[i] = i == other ? i : list[other];
		list[other] = i;
	}
	for (int i = 0; i < devices && !iota; i++)
		sw_text_addf(text, "%s%d", i ? "," : "", list[i]);
	sw_text_add(text, draw_below(from, 2) ? " last_tile_dim_replicate}" : "}");
}

static void test_same_everywhere(void **state)
{
	draw from = draw_start("same");
	(void)state;
	for (int round = 0; round < 2000; round++) {
		sw_text text = {0};
		sw_sharding s;
		const int64_t global[] = {144, 144, 144};
		draw_devices(&from, &text);
		read_over(sw_text_get(&text), NULL, -1, &s);
		s.has_shape = sw_type_replicated(SW_F32, s.rank, global, &s.shape, NULL);
		for (int n = 0; n < SW_NOTATION_GROUPS; n++)
			expect_same(&s, (sw_notation)n);
		sw_text_free(&text);
		sw_arena_clear(arena);
	}
}

static void test_mutants(void **state)
{
	draw from = draw_start("notations");
	mutant m;
	(void)state;
	for (int round = 0; round < 15000; round++) {
		const accepted_row *row = &accepted[draw_below(&from, (int)(sizeof accepted / sizeof *accepted))];
		mutant_draw(&m, &from, row->text);
		char *copy = mutant_copy(&m);
		assert_non_null(copy);
		fuzz_one(copy, m.length, mesh_for(row));
		free(copy);
		sw_arena_clear(arena);
	}
}

/* What reading and joining need for themselves is given back: logs hold many shardings. */
static void test_kept(void **state)
{
	(void)state;
	const sw_str text[] = {sw_str_of("{devices=[2,1,4]<=[4,2]T(1,0)}"), sw_str_of("{devices=[1,8,1]<=[8]}")};
	sw_arena *own = sw_arena_new();
	sw_type shape;
	assert_true(sw_type_replicated(SW_F32, 3, (int64_t[]){8, 8, 8}, &shape, NULL));
	for (int i = 0; i < 1000; i++) {
		sw_sharding from, to;
		sw_reading reading;
		assert_true(sw_sharding_parse(text[0], NULL, own, &from, NULL));
		assert_true(sw_sharding_parse(text[1], NULL, own, &to, NULL));
		assert_true(sw_sharding_problem(&from, &to, &shape, own, &reading, NULL));
	}
	assert_true(sw_arena_bytes(own) < (size_t)4 << 20);
	sw_arena_free(own);
}

int main(void)
{
	static const struct kit_test tests[] = {ROWS(test_accepted, accepted, text), TEST(test_called),
		TEST(test_at_without_mesh), TEST(test_styles), TEST(test_fragments), TEST(test_order_alone),
		TEST(test_book_unmarked), ROWS(test_refused, refused, text), TEST(test_recorded), TEST(test_types_with_sums),
		TEST(test_no_sums), TEST(test_sum_of_all), TEST(test_meshes_recovered), TEST(test_reordered),
		TEST(test_order), TEST(test_devices_differ), TEST(test_real), TEST(test_same_everywhere), TEST(test_mutants),
		TEST(test_kept)};
	return kit_run(tests, COUNT(tests), start, arena_end);
}
