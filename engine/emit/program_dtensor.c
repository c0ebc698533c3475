/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program by PyTorch's DTensor: what an operation computes on tiles is an array of the placements that its rule gives, and
 * `redistribute` moves.
 */
#include "emit/dtensor.h"
#include "emit/program.h"
#include "emit/writing.h"

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

typedef struct sw_dtensor_writer {
	sw_program_emitter *w;
	sw_type_chain chain; /* the types of all values */
	int order[SW_MAX_AXES];
} dtensor_writer;

/* ---- what DTensor can say ---- */

static bool has_dtype(const sw_program_emitter *w)
{
	sw_dtype dtype = w->result.dtype;

	if (!dtypes[dtype].name)
		return sw_emit_refuse(&w->e, "the other formats have it", "PyTorch has no element type like %s",
			sw_dtype_name(dtype));
	return !dtypes[dtype].moved || !sw_program_computes(w) ||
		sw_emit_refuse(&w->e, SW_PROGRAM_HINT, "DTensor moves no elements of type %s here", sw_dtype_name(dtype));
}

/* Does an order of the axes fit the first types? */
static bool has_order(const void *context, const sw_type *const *list, int count)
{
	sw_type_chain chain = ((const dtensor_writer *)context)->chain;
	int order[SW_MAX_AXES];

	(void)list;
	chain.count = count;
	return sw_dtensor_order(&chain, order);
}

static bool take_order(dtensor_writer *d)
{
	const sw_program_emitter *w = d->w;

	return sw_dtensor_ascends(&w->e, &w->mesh, w->program->mesh.order) &&
		(sw_dtensor_order(&d->chain, d->order) || sw_program_refuse_types(w, has_order, d, SW_DTENSOR_NO_ORDER));
}

/* DTensor finishes sums, but begins none. */
static bool can_move(const dtensor_writer *d, int s)
{
	int axis = sw_emit_sum_beside(sw_program_made(d->w, s), sw_program_used(d->w, s, 0));

	return axis < 0 ||
		sw_program_refuse(d->w, s,
			"it begins a sum over '%s', and DTensor redistributes to no Partial that was not there",
			d->w->mesh.axis[axis].name);
}

/* ---- the program ---- */

static void add_placements(const dtensor_writer *d, const sw_type *type)
{
	sw_dtensor_placements(d->w->e.text, &d->w->mesh, type, d->order);
}

static void add_type(const dtensor_writer *d, int s)
{
	sw_text_add(d->w->e.text, "  # ");
	sw_type_print(&d->w->mesh, sw_program_made(d->w, s), false, d->w->e.text);
	sw_text_add_char(d->w->e.text, '\n');
}

/* What step `s` moves, and `.redistribute(...)` behind it. */
static bool add_moved(const dtensor_writer *d, int s)
{
	sw_text_add(d->w->e.text, d->w->name[sw_program_step_at(d->w, s)->operand[0]]);
	sw_dtensor_redistribute(d->w->e.text, &d->w->mesh, sw_program_made(d->w, s), d->order);
	return can_move(d, s);
}

static bool add_operand(const dtensor_writer *d, int s, int k)
{
	int value = sw_program_step_at(d->w, s)->operand[k], use = sw_program_use(d->w, value);

	if (use >= 0)
		return add_moved(d, use);
	sw_text_add(d->w->e.text, d->w->name[value]);
	return true;
}

static void add_local(const dtensor_writer *d, int s)
{
	sw_text_addf(d->w->e.text, "    %s = local(", d->w->name[sw_program_value_of(d->w->program, s)]);
}

static bool add_operands(const dtensor_writer *d, int s)
{
	const sw_program_emitter *w = d->w;

	sw_text_add(w->e.text, ", mesh, ");
	add_placements(d, sw_program_made(w, s));
	for (int k = 0; k < sw_program_step_at(w, s)->operands; k++) {
		sw_text_add(w->e.text, ", ");
		if (!add_operand(d, s, k))
			return false;
	}
	sw_text_add_char(w->e.text, ')');
	add_type(d, s);
	return true;
}

bool sw_dtensor_product(const dtensor_writer *d, int s)
{
	add_local(d, s);
	sw_text_add(d->w->e.text, "lambda a, b: torch.einsum(");
	sw_program_python_equation(d->w, s);
	sw_text_add(d->w->e.text, ", a, b)");
	return add_operands(d, s);
}

bool sw_dtensor_elements(const dtensor_writer *d, int s)
{
	add_local(d, s);
	sw_text_add(d->w->e.text, sw_words_of(sw_program_step_at(d->w, s)->op)->torch);
	return add_operands(d, s);
}

bool sw_dtensor_body(const dtensor_writer *d, int s)
{
	return sw_program_refuse(d->w, s, "what a body computes on tiles is no operation on whole arrays");
}

bool sw_dtensor_move(const dtensor_writer *d, int s)
{
	sw_text_addf(d->w->e.text, "    %s = ", d->w->name[sw_program_value_of(d->w->program, s)]);
	if (!add_moved(d, s))
		return false;
	add_type(d, s);
	return true;
}

static bool add_program(const dtensor_writer *d)
{
	const sw_program_emitter *w = d->w;
	const sw_program *p = w->program;

	sw_text_add(w->e.text, "def program(mesh, ");
	sw_program_python_inputs(w);
	sw_text_add(w->e.text, "):\n");
	for (int s = 0; s < p->steps; s++)
		if (p->step[s].why != SW_STEP_TO_USE && !sw_writing_of(p->step[s].op)->dtensor(d, s))
			return false;
	sw_emit_line(&w->e, "    return %s\n\n", w->name[p->returned]);
	return true;
}

/* ---- head and tail ---- */

static void add_head(const sw_program_emitter *w)
{
	sw_dtype dtype = w->result.dtype;

	sw_program_head(w, "#", "#", " by PyTorch's DTensor");
	sw_emit_line(&w->e,
		"#\n# It runs by itself, as %lld processes on this machine, and checks the result: python3 THIS_FILE.py\n",
		(long long)w->e.devices);
	sw_emit_line(&w->e,
		"import os\nimport tempfile\n\nimport numpy as np\nimport torch\nimport torch.distributed as dist\n"
		"import torch.multiprocessing as multiprocessing\n"
		"from torch.distributed.tensor import DTensor, DeviceMesh, Partial, Replicate, Shard\n");
	if (dtypes[dtype].moved)
		sw_emit_line(&w->e, "DTYPE = torch.%s  # as large as %s, which gloo does not move\n\n", dtypes[dtype].moved,
			dtypes[dtype].name);
	else
		sw_emit_line(&w->e, "DTYPE = torch.%s\n\n", dtypes[dtype].name);
}

static const char *const local[] = {
	"def local(function, mesh, placements, *operands):",
	"    \"\"\"What every rank computes on its tiles, as an array of these placements.\"\"\"",
	"    tile = function(*[operand.to_local() for operand in operands])",
	"    return DTensor.from_local(tile, mesh, placements, run_check=False)",
	"",
	"",
	NULL,
};

static const char *const tools[] = {
	"def held(mesh, placements, shape, rank):",
	"    \"\"\"The place of a rank's tile, and the number of its term.\"\"\"",
	"    size, start, term = list(shape), [0] * len(shape), 0",
	"    for count, at, placement in zip(mesh.shape, (mesh.mesh == rank).nonzero()[0].tolist(), placements):",
	"        if placement.is_partial():",
	"            term = term * count + at",
	"        elif placement.is_shard():",
	"            size[placement.dim] //= count",
	"            start[placement.dim] += at * size[placement.dim]",
	"    return tuple(slice(s, s + k) for s, k in zip(start, size)), term",
	"",
	"",
	"def placed(mesh, values, placements, rank):",
	"    \"\"\"The array, or terms that add up to it.\"\"\"",
	"    count = int(np.prod([n for n, p in zip(mesh.shape, placements) if p.is_partial()], dtype=int))",
	"    terms = np.random.default_rng(1).integers(0, 9, (count,) + values.shape).astype(values.dtype)",
	"    terms[-1] = values - terms[:-1].sum(axis=0, dtype=values.dtype)",
	"    place, term = held(mesh, placements, values.shape, rank)",
	"    tile = torch.tensor(terms[term][place].astype(np.int64)).to(DTYPE)",
	"    return DTensor.from_local(tile, mesh, placements, run_check=False)",
	"",
	"",
	"def whole(mesh, result):",
	"    \"\"\"What the ranks hold, added up; copies have to be the same.\"\"\"",
	"    tile = result.to_local().contiguous()",
	"    tiles = [torch.empty_like(tile) for _ in range(mesh.size())]",
	"    dist.all_gather(tiles, tile)",
	"    found, total = {}, torch.zeros(result.shape, dtype=DTYPE)",
	"    for rank, other in enumerate(tiles):",
	"        place, term = held(mesh, result.placements, result.shape, rank)",
	"        if (str(place), term) not in found:",
	"            total[place] += other",
	"        elif not torch.equal(found[str(place), term], other):",
	"            raise SystemExit(f\"WRONG: rank {rank} holds another copy of {place} than others\")",
	"        found[str(place), term] = other",
	"    return (total if total.is_complex() else total.to(torch.float64)).numpy()",
	"",
	"",
	NULL,
};

static void add_main(const dtensor_writer *d)
{
	const sw_program_emitter *w = d->w;

	sw_emit_line(&w->e, "def run(rank, store):");
	sw_emit_line(&w->e,
		"    dist.init_process_group(\"gloo\", init_method=f\"file://{store}\", rank=rank, world_size=%lld)",
		(long long)w->e.devices);
	sw_text_add(w->e.text, "    mesh = ");
	sw_dtensor_mesh(w->e.text, &w->mesh, w->program->mesh.order, d->order, "\"cpu\"");
	sw_text_add(w->e.text, "\n    sources = [");
	for (int v = 0; v < w->program->inputs; v++) {
		sw_text_add(w->e.text, v ? ", " : "");
		add_placements(d, &w->type[v]);
	}
	sw_emit_line(&w->e, "]\n    inputs = values_of()");
	sw_emit_line(&w->e, "    result = program(mesh, *[placed(mesh, v, p, rank) for v, p in zip(inputs, sources)])");
	sw_emit_line(&w->e, "    words = compared(whole(mesh, result), inputs)");
	sw_emit_line(&w->e, "    if rank == 0:\n        print(words)\n    dist.destroy_process_group()\n\n");
	sw_emit_line(&w->e, "if __name__ == \"__main__\":\n    with tempfile.TemporaryDirectory() as folder:");
	sw_emit_line(&w->e, "        multiprocessing.spawn(run, (os.path.join(folder, \"store\"),), nprocs=%lld)",
		(long long)w->e.devices);
}

bool sw_emit_program_dtensor(sw_program_emitter *w)
{
	dtensor_writer d = {.w = w, .chain = {.mesh = w->mesh, .count = w->program->values, .type = w->type}};

	if (!has_dtype(w) || !take_order(&d))
		return false;
	add_head(w);
	if (!add_program(&d))
		return false;
	if (sw_program_computes(w))
		sw_emit_lines(&w->e, local);
	sw_emit_lines(&w->e, tools);
	sw_program_python_whole(w);
	sw_program_python_check(w);
	add_main(&d);
	return true;
}
