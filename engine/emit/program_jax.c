/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as JAX with explicit sharding: each operation says the sharding of what it makes, and `reshard` moves.  A plan between
 * types without sums moves by constraints instead, and the compiler finds the step.  Head and tail are those of every program of JAX.
 */
#include "emit/program.h"
#include "emit/writing.h"

#include <string.h>

static const sw_mesh *mesh_of(const sw_program_emitter *w, int value)
{
	return w->chain ? sw_emit_mesh_of(w->chain, value) : &w->mesh;
}

static const char *mesh_name(const sw_program_emitter *w, int value, char name[SW_PYTHON_MESH])
{
	return w->chain ? sw_python_mesh_name(w->chain, value, 0, name) : "mesh";
}

/* That of a value. */
static void add_sharding(const sw_program_emitter *w, int value, sw_text *text)
{
	char name[SW_PYTHON_MESH];

	sw_text_addf(text, "NamedSharding(%s, ", mesh_name(w, value, name));
	sw_python_sums_spec(text, mesh_of(w, value), &w->type[value]);
	sw_text_add_char(text, ')');
}

/* JAX multiplies no sums, and of the operations element by element it has a rule for `add` alone. */
static bool can(const sw_program_emitter *w, int s)
{
	return sw_words_of(sw_program_step_at(w, s)->op)->jax_sums || !sw_program_uses_sum(w, s) ||
		sw_program_refuse(w, s, "JAX has no rule for an operand that is a sum");
}

/* Brought to where it is used, where that is elsewhere. */
static void add_operand(const sw_program_emitter *w, int s, int k, sw_text *text)
{
	int value = sw_program_step_at(w, s)->operand[k], use = sw_program_use(w, value);

	if (use < 0) {
		sw_text_add(text, w->name[value]);
		return;
	}
	sw_text_addf(text, "reshard(%s, ", w->name[sw_program_step_at(w, use)->operand[0]]);
	add_sharding(w, value, text);
	sw_text_add_char(text, ')');
}

static void add_type(const sw_program_emitter *w, int value)
{
	sw_text_add(w->e.text, "  # ");
	sw_type_print(mesh_of(w, value), &w->type[value], false, w->e.text);
	sw_text_add_char(w->e.text, '\n');
}

static void add_move(const sw_program_emitter *w, int from, int to)
{
	sw_text_addf(w->e.text, "    %s = %s(%s, ", w->name[to], w->chain ? "lax.with_sharding_constraint" : "reshard",
		w->name[from]);
	add_sharding(w, to, w->e.text);
	sw_text_add_char(w->e.text, ')');
	add_type(w, to);
}

bool sw_jax_elements(const sw_program_emitter *w, int s)
{
	const sw_step *step = sw_program_step_at(w, s);
	const sw_words *words = sw_words_of(step->op);
	sw_text a = {0}, b = {0};

	if (!can(w, s))
		return false;
	add_operand(w, s, 0, &a);
	add_operand(w, s, step->operands - 1, &b);
	sw_text_addf(w->e.text, "    %s = ", w->name[sw_program_value_of(w->program, s)]);
	sw_program_python_form(w->e.text, words->outside ? words->outside : words->python, "jnp", sw_text_get(&a),
		sw_text_get(&b));
	add_type(w, sw_program_value_of(w->program, s));
	sw_text_free(&a);
	sw_text_free(&b);
	return true;
}

bool sw_jax_move(const sw_program_emitter *w, int s)
{
	int from = sw_program_step_at(w, s)->operand[0], to = sw_program_value_of(w->program, s);

	if (!sw_type_same_map(&w->mesh, &w->type[from], &w->type[to])) {
		add_move(w, from, to);
	} else {
		sw_text_addf(w->e.text, "    %s = %s", w->name[to], w->name[from]);
		add_type(w, to);
	}
	return true;
}

bool sw_jax_product(const sw_program_emitter *w, int s)
{
	sw_text *text = w->e.text;

	if (!can(w, s))
		return false;
	sw_text_addf(text, "    %s = jnp.einsum(", w->name[sw_program_value_of(w->program, s)]);
	sw_program_python_equation(w, s);
	for (int k = 0; k < sw_program_step_at(w, s)->operands; k++) {
		sw_text_add(text, ", ");
		add_operand(w, s, k, text);
	}
	sw_text_add(text, ", out_sharding=");
	add_sharding(w, sw_program_value_of(w->program, s), text);
	sw_text_add_char(text, ')');
	add_type(w, sw_program_value_of(w->program, s));
	return true;
}

bool sw_jax_body(const sw_program_emitter *w, int s)
{
	return sw_program_refuse(w, s, "what a body computes on tiles is no operation on whole arrays");
}

/* ---- head and tail ---- */

static const struct {
	const char *how, *imports;
	void (*spec)(sw_text *text, const sw_mesh *mesh, const sw_type *type);
} forms[] = {
	[SW_JAX_EXPLICIT] = {" in JAX, with explicit sharding",
		"from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P, reshard", sw_python_sums_spec},
	[SW_JAX_CONSTRAINTS] = {" by sharding constraints in JAX",
		"from jax import lax\nfrom jax.sharding import Mesh, NamedSharding, PartitionSpec as P", sw_python_spec},
	[SW_JAX_TILES] = {" under shard_map in JAX, collective by collective",
		"from jax import lax\nfrom jax.sharding import Mesh, NamedSharding, PartitionSpec as P",
		sw_python_spec_of_terms},
};

static void add_meshes(const sw_program_emitter *w, sw_jax_form form)
{
	sw_text devices = {0};
	char name[SW_PYTHON_MESH];

	sw_python_devices(&devices, w->program->mesh.order, w->e.devices, w->e.all);
	if (w->chain && w->chain->of)
		sw_emit_line(&w->e,
			"# Meshes of the same devices, in the same order: no single one has axes for all shardings.");
	else if (w->finer)
		sw_emit_line(&w->e, "# A finer mesh of the same devices, in the same order.");
	for (int v = 0; v < (w->chain ? w->chain->count : 1); v++) {
		if (v > 0 && mesh_of(w, v) == mesh_of(w, v - 1))
			continue;
		sw_text_addf(w->e.text, "%s = ", mesh_name(w, v, name));
		sw_python_mesh(w->e.text, mesh_of(w, v), sw_text_get(&devices), form == SW_JAX_EXPLICIT);
		sw_text_add_char(w->e.text, '\n');
	}
	w->e.text->failed = w->e.text->failed || devices.failed;
	sw_text_free(&devices);
}

void sw_program_jax_head(const sw_program_emitter *w, sw_jax_form form)
{
	int returned = w->program->returned;

	sw_program_head(w, "#", "#", forms[form].how);
	sw_emit_line(&w->e, "#\n# It runs by itself and checks the result: python3 THIS_FILE.py\n");
	sw_python_jax_start(&w->e, forms[form].imports, w->type[returned].dtype);
	add_meshes(w, form);
	sw_text_add(w->e.text, "SOURCES = [");
	for (int v = 0; v < w->program->inputs; v++) {
		sw_text_add(w->e.text, v ? ", " : "");
		forms[form].spec(w->e.text, mesh_of(w, v), &w->type[v]);
	}
	sw_text_add(w->e.text, "]\nTARGET = ");
	forms[form].spec(w->e.text, mesh_of(w, returned), &w->type[returned]);
	sw_emit_line(&w->e, "\nDTYPE = jnp.dtype(\"%s\")", sw_python_dtype(w->type[returned].dtype));
}

/* Of arrays whose terms a spec counts as sums over axes. */
static const char *const tools_of_sums[] = {
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
	NULL,
};

/* Of arrays whose terms stand along a first dimension. */
static const char *const placed[] = {
	"def placed(values, spec):",
	"    \"\"\"The array on the devices; or terms that add up to it, along a first dimension of their own.\"\"\"",
	NULL,
};

static const char *const counted[] = {
	"    if len(spec) > values.ndim:",
	"        count = int(np.prod([mesh.shape[axis] for axis in np.atleast_1d(spec[0])]))",
	NULL,
};

/* Each term has a part of each value. */
static const char *const spread[] = {
	"        terms[-1] = values - terms[:-1].sum(axis=0, dtype=DTYPE)",
	"        values = terms",
	NULL,
};

/* One term has the value. */
static const char *const chosen[] = {
	"        chosen = np.random.default_rng(1).integers(0, count, values.shape)",
	"        values = np.stack([np.where(chosen == term, values, 0) for term in range(count)]).astype(DTYPE)",
	NULL,
};

static const char *const whole[] = {
	"        raise SystemExit(f\"WRONG: the result is sharded {result.sharding}\")",
	"    values = np.asarray(result)",
	"    for shard in result.addressable_shards:",
	"        if np.asarray(shard.data).tobytes() != values[shard.index].tobytes():",
	"            raise SystemExit(f\"WRONG: {shard.device} holds another copy of {shard.index} than others\")",
	NULL,
};

/* Even a sum of small numbers may be rounded. */
static bool is_narrow(sw_dtype dtype)
{
	return strncmp(sw_python_dtype(dtype), "float8", 6) == 0;
}

/* Parts are so small that any order of adding is exact.  A product of parts would not be exact where that of the values is. */
static void add_terms(const sw_program_emitter *w)
{
	int64_t terms = 1, most;

	for (int v = 0; v < w->program->inputs; v++)
		terms = sw_type_terms(&w->type[v]) > terms ? sw_type_terms(&w->type[v]) : terms;
	if (terms == 1)
		return;
	sw_emit_lines(&w->e, counted);
	most = is_narrow(w->type[0].dtype) ? 0 : (((int64_t)1 << sw_program_exact_bits(w->type[0].dtype)) - 113) / terms;
	if (sw_program_computes(w) || most < 1) {
		sw_emit_lines(&w->e, chosen);
		return;
	}
	sw_emit_line(&w->e,
		"        terms = np.random.default_rng(1).integers(0, %d, (count,) + values.shape).astype(DTYPE)",
		most < 8 ? (int)most + 1 : 9);
	sw_emit_lines(&w->e, spread);
}

static void add_tools_of_tiles(const sw_program_emitter *w)
{
	const sw_type *result = &w->type[w->program->returned];
	char name[SW_PYTHON_MESH];

	sw_emit_lines(&w->e, placed);
	add_terms(w);
	sw_emit_line(&w->e, "    return jax.device_put(values, NamedSharding(mesh, spec))\n\n");
	sw_emit_line(&w->e,
		"def whole(result, spec):\n    \"\"\"What the devices hold, put together; copies have to be the same.\"\"\"\n"
		"    if not result.sharding.is_equivalent_to(NamedSharding(%s, spec), result.ndim):",
		mesh_name(w, w->program->returned, name));
	sw_emit_lines(&w->e, whole);
	sw_text_add(w->e.text, "    return values");
	if (sw_type_terms(result) > 1)
		sw_text_addf(w->e.text, ".sum(axis=0, dtype=%s%s)", sw_program_computes(w) ? "np." : "DTYPE",
			sw_program_computes(w) ? sw_python_wide(result->dtype) : "");
	sw_text_add_char(w->e.text, '\n');
}

static void add_main(const sw_program_emitter *w, sw_jax_form form)
{
	char name[SW_PYTHON_MESH];

	sw_emit_line(&w->e, "def main():\n    inputs = values_of()");
	sw_emit_line(&w->e, "    arrays = [placed(value.astype(DTYPE), spec) for value, spec in zip(inputs, SOURCES)]");
	sw_text_add(w->e.text, "    run = told(jax.jit(program");
	if (form == SW_JAX_CONSTRAINTS)
		sw_text_addf(w->e.text, ", out_shardings=NamedSharding(%s, TARGET)",
			mesh_name(w, w->program->returned, name));
	sw_emit_line(&w->e, ").lower(*arrays).compile())");
	sw_emit_line(&w->e,
		"    print(compared(whole(run(*arrays), TARGET), inputs))\n\n\nif __name__ == \"__main__\":\n    main()");
}

void sw_program_jax_tail(const sw_program_emitter *w, sw_jax_form form)
{
	if (form == SW_JAX_EXPLICIT)
		sw_emit_lines(&w->e, tools_of_sums);
	else
		add_tools_of_tiles(w);
	sw_text_add(w->e.text, "\n\n");
	sw_python_told(&w->e);
	sw_program_python_whole(w);
	sw_program_python_check(w);
	add_main(w, form);
}

/* ---- the program ---- */

static bool add_step(const sw_program_emitter *w, int s)
{
	const sw_step *step = sw_program_step_at(w, s);

	if (step->why == SW_STEP_WRITTEN)
		return sw_writing_of(step->op)->jax(w, s);
	if (step->why != SW_STEP_TO_USE)
		add_move(w, step->operand[0], sw_program_value_of(w->program, s));
	return true;
}

static bool add_program(const sw_program_emitter *w)
{
	sw_text_addf(w->e.text, "def program(");
	sw_program_python_inputs(w);
	sw_text_add(w->e.text, "):\n");
	for (int s = 0; s < w->program->steps; s++)
		if (!add_step(w, s))
			return false;
	sw_emit_line(&w->e, "    return %s\n\n", w->name[w->program->returned]);
	return true;
}

bool sw_emit_program_jax(sw_program_emitter *w)
{
	sw_jax_form form = w->chain ? SW_JAX_CONSTRAINTS : SW_JAX_EXPLICIT;

	sw_program_jax_head(w, form);
	sw_text_add(w->e.text, "\n\n");
	if (!add_program(w))
		return false;
	sw_program_jax_tail(w, form);
	return true;
}
