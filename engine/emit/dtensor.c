/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as redistribute calls of PyTorch's DTensor.
 *
 * Where several axes of a mesh cut one dimension, DTensor takes the first axis for the most major one.  So the
 * axes are put into an order that fits all types on the way; the mesh then lists its devices transposed.
 */
#include "emit/dtensor.h"

/* Element types of PyTorch, and what the check moves in their place where gloo has them not. */
static const struct {
	const char *name, *moved;
} dtypes[SW_DTYPE_COUNT] = {
	[SW_PRED] = {"bool", NULL},
	[SW_I8] = {"int8", NULL},
	[SW_U8] = {"uint8", NULL},
	[SW_F8E4M3FN] = {"float8_e4m3fn", "uint8"},
	[SW_F8E4M3FNUZ] = {"float8_e4m3fnuz", "uint8"},
	[SW_F8E5M2] = {"float8_e5m2", "uint8"},
	[SW_F8E5M2FNUZ] = {"float8_e5m2fnuz", "uint8"},
	[SW_F8E8M0FNU] = {"float8_e8m0fnu", "uint8"},
	[SW_I16] = {"int16", "float16"},
	[SW_U16] = {"uint16", "float16"},
	[SW_F16] = {"float16", NULL},
	[SW_BF16] = {"bfloat16", NULL},
	[SW_I32] = {"int32", NULL},
	[SW_U32] = {"uint32", "int32"},
	[SW_F32] = {"float32", NULL},
	[SW_I64] = {"int64", NULL},
	[SW_U64] = {"uint64", "int64"},
	[SW_F64] = {"float64", NULL},
	[SW_C64] = {"complex64", NULL},
	[SW_C128] = {"complex128", NULL},
};

const char *sw_dtensor_dtype(sw_dtype dtype)
{
	return dtypes[dtype].moved ? NULL : dtypes[dtype].name;
}

/* ---- the order of the axes ---- */

/* Has axis b to stand behind an axis that is not done yet? */
static bool waits(const sw_type_chain *chain, int b, const bool *done)
{
	int axes[SW_MAX_PARTS];

	for (int t = 0; t < chain->count; t++)
		for (int i = 0; i < chain->type[t].rank; i++) {
			int count = sw_emit_axes(&chain->type[t], i, axes);
			bool behind = false;

			for (int k = 0; k < count && axes[k] != b; k++)
				behind = behind || !done[axes[k]];
			for (int k = 0; k < count; k++)
				if (axes[k] == b && behind)
					return true;
		}
	return false;
}

bool sw_dtensor_order(const sw_emitter *e, const sw_type_chain *chain, int order[SW_MAX_AXES])
{
	bool done[SW_MAX_AXES] = {false};

	for (int n = 0; n < chain->mesh.count; n++) {
		int a = 0;

		while (a < chain->mesh.count && (done[a] || waits(chain, a, done)))
			a++;
		if (a == chain->mesh.count)
			return sw_emit_refuse(e, "the format jax has no such order",
				"no order of the mesh's axes fits all types: DTensor takes the first axis of a dimension for the most major");
		done[a] = true;
		order[n] = a;
	}
	return true;
}

/* A process group of PyTorch has its ranks in ascending order, whatever the mesh says: along an axis that lists
 * them otherwise its collectives bring the pieces in the wrong order. */
bool sw_dtensor_ascends(const sw_emitter *e, const sw_mesh *mesh, const int64_t *devices)
{
	for (int a = 0; devices && a < mesh->count; a++) {
		const sw_axis *axis = &mesh->axis[a];

		for (int64_t p = 0; p + axis->stride < mesh->devices; p++)
			if (sw_mesh_coordinate(mesh, p, a) + 1 < axis->size && devices[p] > devices[p + axis->stride])
				return sw_emit_refuse(e, "the formats jax and shardy take devices in any order",
					"along axis '%s' the devices do not ascend, and PyTorch sorts the ranks of a group", axis->name);
	}
	return true;
}

/* ---- pieces ---- */

static void add_order(sw_text *text, const int *order, int count)
{
	bool moves = false;

	for (int n = 0; n < count; n++)
		moves = moves || order[n] != n;
	if (!moves)
		return;
	sw_text_add(text, ".permute(");
	for (int n = 0; n < count; n++)
		sw_text_addf(text, "%s%d", n ? ", " : "", order[n]);
	sw_text_add_char(text, ')');
}

void sw_dtensor_mesh(sw_text *text, const sw_mesh *mesh, const int64_t *devices, const int *order, const char *device)
{
	sw_text_addf(text, "DeviceMesh(%s, torch.", device);
	if (devices)
		sw_python_order(text, "tensor([", devices, mesh->devices, "]).reshape(");
	else
		sw_text_addf(text, "arange(%lld).reshape(", (long long)mesh->devices);
	for (int a = 0; a < mesh->count; a++)
		sw_text_addf(text, "%s%lld", a ? ", " : "", (long long)mesh->axis[a].size);
	sw_text_add_char(text, ')');
	add_order(text, order, mesh->count);
	sw_text_add(text, ", mesh_dim_names=");
	sw_python_axes(text, mesh, order, mesh->count);
	sw_text_add_char(text, ')');
}

/* The dimension that an axis cuts; the rank where it is summed, -1: neither. */
static int dimension_of(const sw_type *type, int axis)
{
	for (int i = 0; i <= type->rank; i++)
		for (int k = type->first[i]; k < type->first[i + 1]; k++)
			if (sw_type_part(type, k).axis == axis)
				return i;
	return -1;
}

void sw_dtensor_placements(sw_text *text, const sw_type_chain *chain, const sw_type *type, const int *order)
{
	sw_text_add_char(text, '[');
	for (int n = 0; n < chain->mesh.count; n++) {
		int i = dimension_of(type, order[n]);

		sw_text_add(text, n ? ", " : "");
		if (i == type->rank)
			sw_text_add(text, "Partial()");
		else
			sw_text_addf(text, i < 0 ? "Replicate()" : "Shard(%d)", i);
	}
	sw_text_add_char(text, ']');
}

/* ---- sums ---- */

/* Are there sums on the way? */
static bool has_sums(const sw_type_chain *chain)
{
	bool any = false;

	for (int k = 0; k < chain->count; k++)
		any = any || sw_type_terms(&chain->type[k]) > 1;
	return any;
}

int sw_dtensor_begins(const sw_mesh *mesh, const sw_type *before, const sw_type *after)
{
	for (int a = 0; a < mesh->count; a++)
		if (dimension_of(after, a) == after->rank && dimension_of(before, a) != before->rank)
			return a;
	return -1;
}

/* DTensor finishes sums, but begins none. */
static bool ends_sums(const sw_emitter *e, const sw_type_chain *chain)
{
	for (int k = 1; k < chain->count; k++) {
		int a = sw_dtensor_begins(&chain->mesh, &chain->type[k - 1], &chain->type[k]);

		if (a >= 0)
			return sw_emit_refuse(e,
				"the formats hlo, stablehlo, shard_map, shardy and mpi write the steps themselves",
				"step %d begins a sum over '%s', and DTensor redistributes to no Partial that was not there", k,
				chain->mesh.axis[a].name);
	}
	return true;
}

/* ---- the program ---- */

static bool add_starts(const sw_emitter *e, const sw_type *type, const char *prefix, const char *when)
{
	const sw_mesh *mesh = &e->plan->problem.mesh;
	int64_t *start = SW_NEW(e->arena, int64_t, e->devices * SW_MAX_DIMS);

	if (!start)
		return sw_diag_memory(e->diag);
	for (int64_t p = 0; p < e->devices; p++)
		sw_type_offset(mesh, type, p, start + sw_device_at(mesh->order, p) * SW_MAX_DIMS);
	sw_text_addf(e->text, "%sTILE = ", prefix);
	sw_python_tuple(e->text, type->tile, type->rank);
	sw_text_addf(e->text, "\n%sSTARTS = [  # where the tile of each rank begins %s", prefix, when);
	for (int64_t d = 0; d < e->devices; d++) {
		sw_text_add(e->text, d % 4 ? " " : "\n    ");
		sw_python_tuple(e->text, start + d * SW_MAX_DIMS, type->rank);
		sw_text_add_char(e->text, ',');
	}
	sw_text_add(e->text, "\n]\n");
	return true;
}

static bool add_terms(const sw_emitter *e, const sw_type *type, const char *prefix, const char *when)
{
	const sw_mesh *mesh = &e->plan->problem.mesh;
	int64_t *term = SW_NEW(e->arena, int64_t, e->devices);

	if (!term)
		return sw_diag_memory(e->diag);
	for (int64_t p = 0; p < e->devices; p++)
		term[sw_device_at(mesh->order, p)] = sw_type_term(mesh, type, p);
	sw_text_addf(e->text, "%sTERMS = [", prefix);
	sw_emit_numbers(e->text, term, (int)e->devices);
	sw_emit_line(e, "]  # which term each rank holds %s", when);
	return true;
}

static bool add_places(const sw_emitter *e, bool sums)
{
	const sw_problem *problem = &e->plan->problem;

	if (!sums)
		return add_starts(e, &problem->to, "", "in the end");
	return add_starts(e, &problem->from, "SOURCE_", "at first") &&
		add_terms(e, &problem->from, "SOURCE_", "at first") && add_starts(e, &problem->to, "", "in the end") &&
		add_terms(e, &problem->to, "", "in the end");
}

static void add_head(const sw_emitter *e, const sw_type *from, bool sums)
{
	sw_emit_line(e, "# Redistribution of an array by PyTorch's DTensor, written by shardwalk.\n#");
	sw_emit_remark_problem(e, "#   ");
	sw_emit_line(e,
		"#\n# It runs by itself, as %lld processes on this machine, and checks the result: python3 "
		"THIS_FILE.py\n",
		(long long)e->devices);
	sw_emit_line(e,
		"import os\nimport tempfile\n\nimport torch\nimport torch.distributed as dist\n"
		"import torch.multiprocessing as multiprocessing\n"
		"from torch.distributed.tensor import %s\n",
		sums ? "DTensor, DeviceMesh, Partial, Replicate, Shard" : "DeviceMesh, Replicate, Shard, distribute_tensor");
	sw_text_add(e->text, "SHAPE = ");
	sw_python_tuple(e->text, from->global, from->rank);
	if (dtypes[from->dtype].moved)
		sw_emit_line(e, "\nDTYPE = torch.%s  # as large as %s, which gloo does not move", dtypes[from->dtype].moved,
			dtypes[from->dtype].name);
	else
		sw_emit_line(e, "\nDTYPE = torch.%s", dtypes[from->dtype].name);
}

static void add_redistribute(const sw_emitter *e, const sw_type_chain *chain, const int *order)
{
	sw_emit_line(e, "\n\ndef redistribute(x):");
	for (int k = 1; k < chain->count; k++) {
		sw_text_add(e->text, "    x = x.redistribute(placements=");
		sw_dtensor_placements(e->text, chain, &chain->type[k], order);
		sw_text_add(e->text, ")  # ");
		sw_type_print(&chain->mesh, &chain->type[k], false, e->text);
		sw_text_add_char(e->text, '\n');
	}
	sw_emit_line(e, "    return x");
}

static void add_run(const sw_emitter *e, const sw_type_chain *chain, const int *order)
{
	sw_emit_line(e,
		"\n\ndef as_bytes(x):\n    return x.contiguous().flatten().view(torch.uint8)\n\n\n"
		"def run(rank, store):\n"
		"    dist.init_process_group(\"gloo\", init_method=f\"file://{store}\", rank=rank, world_size=%lld)",
		(long long)e->devices);
	sw_text_add(e->text, "    mesh = ");
	sw_dtensor_mesh(e->text, &chain->mesh, e->plan->problem.mesh.order, order, "\"cpu\"");
	sw_text_add(e->text, "\n    source = ");
	sw_dtensor_placements(e->text, chain, &chain->type[0], order);
	sw_text_add_char(e->text, '\n');
}

/* The array is cut where it lies. */
static const char *const whole_check[] = {
	"    x = redistribute(distribute_tensor(values, mesh, source, src_data_rank=None))",
	"    needed = values[tuple(slice(s, s + t) for s, t in zip(STARTS[rank], TILE))]",
	"    right = x.to_local().shape == needed.shape and torch.equal(as_bytes(x.to_local()), as_bytes(needed))",
};

/* Each rank has a term; in the end each tile and term counts once, and copies are compared with the first of them. */
static const char *const sums_check[] = {
	"    terms = torch.randint(0, 9, (max(SOURCE_TERMS) + 1, *SHAPE), generator=torch.Generator().manual_seed(1)).to(DTYPE)",
	"    terms[-1] = values - terms[:-1].sum(dim=0, dtype=DTYPE)",
	"    place = tuple(slice(s, s + t) for s, t in zip(SOURCE_STARTS[rank], SOURCE_TILE))",
	"    tile = terms[SOURCE_TERMS[rank]][place].contiguous()",
	"    x = redistribute(DTensor.from_local(tile, mesh, source, run_check=False))",
	"    held = [torch.empty(TILE, dtype=DTYPE) for _ in STARTS]",
	"    dist.all_gather(held, x.to_local().contiguous())",
	"    first = [list(zip(STARTS, TERMS)).index(key) for key in zip(STARTS, TERMS)]",
	"    total = torch.zeros(SHAPE, dtype=DTYPE)",
	"    for at in sorted(set(first)):",
	"        total[tuple(slice(s, s + t) for s, t in zip(STARTS[at], TILE))] += held[at]",
	"    right = torch.equal(as_bytes(held[rank]), as_bytes(held[first[rank]]))",
	"    right = right and torch.equal(as_bytes(total), as_bytes(values))",
};

static void add_tail(const sw_emitter *e, bool sums)
{
	static const char *const head[] = {
		"    values = torch.randint(1, 113, SHAPE, generator=torch.Generator().manual_seed(0))",
		"    values = (values % 2 if DTYPE == torch.bool else values).to(DTYPE)",
	};
	static const char *const tail[] = {
		"    wrong = torch.tensor(0 if right else 1)",
		"    dist.all_reduce(wrong)",
		"    if rank == 0:",
		"        print(f\"WRONG: on {int(wrong)} ranks\" if wrong else \"right: all ranks hold what they need\")",
		"    dist.destroy_process_group()",
		"    if wrong:",
		"        raise SystemExit(1)",
		"",
		"",
		"if __name__ == \"__main__\":",
		"    with tempfile.TemporaryDirectory() as folder:",
	};

	for (size_t k = 0; k < sizeof head / sizeof *head; k++)
		sw_emit_line(e, "%s", head[k]);
	for (size_t k = 0; !sums && k < sizeof whole_check / sizeof *whole_check; k++)
		sw_emit_line(e, "%s", whole_check[k]);
	for (size_t k = 0; sums && k < sizeof sums_check / sizeof *sums_check; k++)
		sw_emit_line(e, "%s", sums_check[k]);
	for (size_t k = 0; k < sizeof tail / sizeof *tail; k++)
		sw_emit_line(e, "%s", tail[k]);
	sw_emit_line(e, "        multiprocessing.spawn(run, (os.path.join(folder, \"store\"),), nprocs=%lld)",
		(long long)e->devices);
}

static bool can(const sw_emitter *e)
{
	sw_dtype dtype = e->plan->problem.from.dtype;

	if (!dtypes[dtype].name)
		return sw_emit_refuse(e, "the other formats have it", "PyTorch has no element type like %s",
			sw_dtype_name(dtype));
	if (e->devices > SW_MAX_EMIT_DEVICES)
		return sw_emit_refuse(e, "the formats jax and shardy list no devices",
			"the program lists what each of %lld ranks holds: %d are the most", (long long)e->devices,
			SW_MAX_EMIT_DEVICES);
	return true;
}

bool sw_emit_dtensor(sw_emitter *e)
{
	int order[SW_MAX_AXES];
	sw_type_chain chain;

	if (!can(e) || !sw_emit_type_chain(e, false, &chain) ||
		!sw_dtensor_ascends(e, &chain.mesh, e->plan->problem.mesh.order) || !sw_dtensor_order(e, &chain, order) ||
		!ends_sums(e, &chain))
		return false;
	bool sums = has_sums(&chain);
	add_head(e, &chain.type[0], sums);
	if (!add_places(e, sums))
		return false;
	add_redistribute(e, &chain, order);
	add_run(e, &chain, order);
	add_tail(e, sums);
	return true;
}

bool sw_emit_dtensor_lines(sw_emitter *e, const sw_type_chain *chain)
{
	int order[SW_MAX_AXES];
	bool moves = chain->finer || e->mesh->unnamed;

	if (!sw_dtensor_ascends(e, &chain->mesh, e->mesh->devices) || !sw_dtensor_order(e, chain, order))
		return false;
	for (int n = 0; n < chain->mesh.count; n++)
		moves = moves || order[n] != n;
	if (e->mesh->unnamed)
		sw_emit_line(e, "assert x.device_mesh.size() == %lld", (long long)e->devices);
	if (moves) {
		sw_text_add(e->text, "mesh = ");
		sw_dtensor_mesh(e->text, &chain->mesh, e->mesh->devices, order, "x.device_mesh.device_type");
		sw_text_add(e->text, "\nx = DTensor.from_local(x.to_local(), mesh, ");
		sw_dtensor_placements(e->text, chain, &chain->type[0], order);
		sw_text_add(e->text, ", run_check=False)\n");
	}
	for (int k = 1; k < chain->count; k++) {
		sw_text_add(e->text, "x = x.redistribute(placements=");
		sw_dtensor_placements(e->text, chain, &chain->type[k], order);
		sw_text_add(e->text, ")\n");
	}
	return true;
}
