/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program by PyTorch's DTensor: what an operation computes on tiles is an array of the placements that its rule gives, and
 * `redistribute` moves.
 */
#include "emit/dtensor.h"
#include "emit/program.h"
#include "emit/writing.h"

typedef struct sw_dtensor_writer {
	sw_program_emitter *w;
	sw_type_chain chain; /* its mesh is that of the types */
	int order[SW_MAX_AXES];
} dtensor_writer;

static void add_placements(const dtensor_writer *d, const sw_type *type)
{
	sw_dtensor_placements(d->w->e.text, &d->chain, type, d->order);
}

/* Does an order of the axes fit these types? */
static bool has_order(const void *context, const sw_type *const *list, int count)
{
	const dtensor_writer *d = context;
	sw_diag ignored = {.code = SW_OK};
	sw_emitter e = d->w->e;
	sw_type *type = SW_NEW(e.arena, sw_type, count + 1);
	int order[SW_MAX_AXES];

	for (int k = 0; type && k < count; k++)
		type[k] = *list[k];
	e.diag = &ignored;
	return type && sw_dtensor_order(&e, &(sw_type_chain){.mesh = d->w->mesh, .count = count, .type = type}, order);
}

static bool take_chain(dtensor_writer *d)
{
	const sw_program *p = d->w->program;
	int count = 0;
	sw_type *all = SW_NEW(d->w->e.arena, sw_type, p->values + 1);

	if (!all)
		return sw_diag_memory(d->w->e.diag);
	for (int v = 0; v < p->values; v++)
		all[count++] = d->w->type[v];
	all[count++] = d->w->result;
	d->chain = (sw_type_chain){.mesh = d->w->mesh, .count = count, .type = all};
	return sw_dtensor_ascends(&d->w->e, &d->w->mesh, p->mesh.order) &&
		(sw_dtensor_order(&d->w->e, &d->chain, d->order) ||
			sw_program_refuse_types(d->w, has_order, d,
				"no order of the mesh's axes fits its types and those before: DTensor takes the first axis of a dimension for the "
				"most major"));
}

/* `.redistribute(...)` behind what step `s` moves. */
static bool add_move(const dtensor_writer *d, int s)
{
	const sw_type *to = sw_program_made(d->w, s);
	int axis = sw_dtensor_begins(&d->w->mesh, sw_program_used(d->w, s, 0), to);

	sw_text_add(d->w->e.text, ".redistribute(placements=");
	add_placements(d, to);
	sw_text_add_char(d->w->e.text, ')');
	return axis < 0 ||
		sw_program_refuse(d->w, s,
			"it begins a sum over '%s', and DTensor redistributes to no Partial that was not there",
			d->w->mesh.axis[axis].name);
}

static bool add_operand(const dtensor_writer *d, int s, int k)
{
	int value = sw_program_step_at(d->w, s)->operand[k], use = sw_program_use(d->w, value);

	sw_text_add(d->w->e.text, d->w->name[use < 0 ? value : sw_program_step_at(d->w, use)->operand[0]]);
	return use < 0 || add_move(d, use);
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
	sw_text_add(w->e.text, ")  # ");
	sw_type_print(&w->mesh, sw_program_made(w, s), false, w->e.text);
	sw_text_add_char(w->e.text, '\n');
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
	const sw_program_emitter *w = d->w;

	sw_text_addf(w->e.text, "    %s = %s", w->name[sw_program_value_of(w->program, s)],
		w->name[sw_program_step_at(w, s)->operand[0]]);
	if (!add_move(d, s))
		return false;
	sw_text_add_char(w->e.text, '\n');
	return true;
}

static bool add_program(const dtensor_writer *d)
{
	const sw_program_emitter *w = d->w;
	const sw_program *p = w->program;
	int last = p->steps - 1, returned = p->returned;
	bool moves = last >= 0 && p->step[last].why == SW_STEP_TO_RETURN;

	sw_text_add(w->e.text, "def program(mesh, ");
	sw_program_python_inputs(w);
	sw_text_add(w->e.text, "):\n");
	for (int s = 0; s < p->steps - moves; s++)
		if (p->step[s].why != SW_STEP_TO_USE && !sw_writing_of(p->step[s].op)->dtensor(d, s))
			return false;
	sw_text_addf(w->e.text, "    return %s", w->name[moves ? p->step[last].operand[0] : returned]);
	if (moves && !add_move(d, last))
		return false;
	sw_text_add(w->e.text, "\n\n\n");
	return true;
}

static const char *const tools[] = {
	"def local(function, mesh, placements, *operands):",
	"    \"\"\"What every rank computes on its tiles, as an array of these placements.\"\"\"",
	"    tile = function(*[operand.to_local() for operand in operands])",
	"    return DTensor.from_local(tile, mesh, placements, run_check=False)",
	"",
	"",
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
	"    tile = torch.tensor(terms[term][place]).to(DTYPE)",
	"    return DTensor.from_local(tile, mesh, placements, run_check=False)",
	"",
	"",
	"def whole(mesh, result):",
	"    \"\"\"What the ranks hold, added up; copies have to be the same.\"\"\"",
	"    tile = result.to_local().contiguous()",
	"    tiles = [torch.empty_like(tile) for _ in range(mesh.size())]",
	"    dist.all_gather(tiles, tile)",
	"    found, total = {}, torch.zeros(result.shape, dtype=torch.float64)",
	"    for rank, other in enumerate(tiles):",
	"        place, term = held(mesh, result.placements, result.shape, rank)",
	"        if (str(place), term) not in found:",
	"            total[place] += other.to(torch.float64)",
	"        elif not torch.equal(found[str(place), term], other):",
	"            raise SystemExit(f\"WRONG: rank {rank} holds another copy of {place} than others\")",
	"        found[str(place), term] = other",
	"    return total.numpy()",
	"",
	"",
};

static void add_main(const dtensor_writer *d)
{
	const sw_program_emitter *w = d->w;

	sw_emit_line(&w->e, "\ndef run(rank, store):");
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
	dtensor_writer d = {.w = w};
	const char *dtype = sw_dtensor_dtype(w->result.dtype);

	if (!dtype)
		return sw_program_refuse(w, 0, "DTensor moves no elements of type %s here", sw_dtype_name(w->result.dtype));
	if (!take_chain(&d))
		return false;
	sw_emit_line(&w->e, "# A program of sharded arrays by PyTorch's DTensor, written by shardwalk.\n#");
	sw_program_remark(w, "#   ");
	sw_emit_line(&w->e,
		"#\n# It runs by itself, as %lld processes on this machine, and checks the result: python3 THIS_FILE.py\n",
		(long long)w->e.devices);
	sw_emit_line(&w->e,
		"import os\nimport tempfile\n\nimport numpy as np\nimport torch\nimport torch.distributed as dist\n"
		"import torch.multiprocessing as multiprocessing\n"
		"from torch.distributed.tensor import DTensor, DeviceMesh, Partial, Replicate, Shard\n\nDTYPE = torch.%s\n\n",
		dtype);
	if (!add_program(&d))
		return false;
	for (size_t k = 0; k < sizeof tools / sizeof *tools; k++)
		sw_emit_line(&w->e, "%s", tools[k]);
	sw_program_python_whole(w);
	sw_program_python_check(w);
	add_main(&d);
	return true;
}
