/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan between types with sums as reshard calls of JAX: a spec says which axes are `unreduced`, and the mesh has axes of
 * explicit sharding, which such specs need.
 */
#include "emit/program.h"
#include "step/row.h"

#define HINT "the formats hlo, stablehlo, shard_map, shardy and mpi write the steps themselves"

void sw_python_sums_spec(sw_text *text, const sw_mesh *mesh, const sw_type *type)
{
	int axes[SW_MAX_PARTS], count = sw_emit_axes(type, type->rank, axes);

	sw_python_spec(text, mesh, type);
	if (count == 0)
		return;
	text->length -= text->failed ? 0 : 1;
	sw_text_add(text, type->rank ? ", unreduced={" : "unreduced={");
	for (int k = 0; k < count; k++) {
		sw_text_add(text, k ? ", " : "");
		sw_emit_quoted(text, mesh->axis[axes[k]].name);
	}
	sw_text_add(text, "})");
}

/* The first axis over which one is a sum and not the other, or -1. */
static int sum_beside(const sw_type *one, const sw_type *other)
{
	int own[SW_MAX_PARTS], others[SW_MAX_PARTS];
	int count = sw_emit_axes(one, one->rank, own), other_count = sw_emit_axes(other, other->rank, others);

	for (int k = 0; k < count; k++) {
		bool found = false;

		for (int j = 0; j < other_count; j++)
			found = found || others[j] == own[k];
		if (!found)
			return own[k];
	}
	return -1;
}

/* XLA sums before it moves, and what stays a sum it moves as if it were whole. */
static bool can_hop(const sw_emitter *e, const sw_type_chain *chain, int k)
{
	const sw_type *from = &chain->type[k - 1], *to = &chain->type[k];
	int done = sum_beside(from, to), made = sum_beside(to, from);
	bool stays = sw_type_terms(from) > 1 && sw_type_terms(to) > 1;
	bool permutes = !e->advice && k <= e->plan->program.steps &&
		sw_row(e->plan->program.step[k - 1].op)->among == SW_AMONG_PAIRS;

	if (done >= 0 && made >= 0)
		return sw_emit_refuse(e, HINT,
			"step %d finishes the sum over '%s' and begins one over '%s', which ends XLA's compiler", k,
			chain->mesh.axis[done].name, chain->mesh.axis[made].name);
	if (stays && permutes)
		return sw_emit_refuse(e, HINT, "step %d permutes tiles that are terms of a sum: XLA would mix the terms", k);
	return true;
}

static bool can(const sw_emitter *e, const sw_type_chain *chain)
{
	for (int k = 1; k < chain->count; k++)
		if (!can_hop(e, chain, k))
			return false;
	return true;
}

static const char *const tools[] = {
	"def held(spec, shape):",
	"    \"\"\"Each device with the place of its tile and the number of its term.\"\"\"",
	"    places = NamedSharding(mesh, P(*spec.partitions)).devices_indices_map(shape)",
	"    sums = [axis for axis in mesh.axis_names if axis in spec.unreduced]",
	"    for at, device in np.ndenumerate(mesh.devices):",
	"        term = 0",
	"        for axis in sums:",
	"            term = term * mesh.shape[axis] + at[mesh.axis_names.index(axis)]",
	"        yield device, places[device], term",
	"",
	"",
	"def placed(values, spec):",
	"    \"\"\"The array, or terms that add up to it, on the devices.\"\"\"",
	"    count = int(np.prod([mesh.shape[axis] for axis in spec.unreduced], dtype=int))",
	"    terms = np.random.default_rng(1).integers(0, 9, (count,) + values.shape).astype(values.dtype)",
	"    terms[-1] = values - terms[:-1].sum(axis=0, dtype=values.dtype)",
	"    tiles = [jax.device_put(terms[term][place], device) for device, place, term in held(spec, values.shape)]",
	"    return jax.make_array_from_single_device_arrays(values.shape, NamedSharding(mesh, spec), tiles)",
	"",
	"",
	"def whole(result, spec):",
	"    \"\"\"What the devices hold, added up; copies have to be the same.\"\"\"",
	"    if jax.typeof(result).sharding.spec != spec:",
	"        raise SystemExit(f\"WRONG: the result is sharded {result.sharding}\")",
	"    data = {shard.device: np.asarray(shard.data) for shard in result.addressable_shards}",
	"    found = {}",
	"    for device, place, term in held(spec, result.shape):",
	"        if not np.array_equal(found.setdefault((str(place), term), (place, data[device]))[1], data[device]):",
	"            raise SystemExit(f\"WRONG: {device} holds another copy of {place} than others\")",
	"    total = np.zeros(result.shape, result.dtype)",
	"    for place, tile in found.values():",
	"        total[place] += tile",
	"    return total",
	"",
	"",
};

void sw_python_sums_tools(const sw_emitter *e)
{
	for (size_t k = 0; k < sizeof tools / sizeof *tools; k++)
		sw_emit_line(e, "%s", tools[k]);
	sw_python_told(e);
}

/* The chain as a program that redistributes one array. */
static bool take_chain(const sw_type_chain *chain, sw_program *program, sw_program_emitter *w)
{
	int count = chain->count;

	program->value = SW_NEW_ZERO(w->e.arena, sw_value, count);
	program->step = SW_NEW_ZERO(w->e.arena, sw_step, count);
	w->name = SW_NEW(w->e.arena, const char *, count);
	w->type = SW_NEW(w->e.arena, sw_type, count);
	if (program->value == NULL || program->step == NULL || w->name == NULL || w->type == NULL)
		return sw_diag_memory(w->e.diag);
	for (int k = 0; k < count; k++) {
		w->name[k] = "a";
		w->type[k] = chain->type[k];
		program->value[k].type = &w->type[k];
		program->step[k] = (sw_step){.op = SW_REDISTRIBUTE, .why = SW_STEP_TO_KEEP, .operands = 1, .operand = {k}};
	}
	return true;
}

bool sw_emit_jax_sums(sw_emitter *e)
{
	sw_type_chain chain;

	if (!sw_emit_type_chain(e, false, &chain) || !can(e, &chain))
		return false;
	sw_program program = {.mesh = e->plan->problem.mesh,
		.inputs = 1,
		.values = chain.count,
		.steps = chain.count - 1,
		.returned = chain.count - 1};
	sw_program_emitter w = {.e = *e, .program = &program, .mesh = chain.mesh};

	return take_chain(&chain, &program, &w) && sw_emit_program_jax(&w);
}
