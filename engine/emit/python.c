/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of Python programs for JAX that do not depend on the steps.
 */
#include "emit/python.h"

#include <stdio.h>

void sw_python_tuple(sw_text *text, const int64_t *number, int count)
{
	sw_text_add_char(text, '(');
	sw_emit_numbers(text, number, count);
	sw_text_add(text, count == 1 ? ",)" : ")");
}

void sw_python_axes(sw_text *text, const sw_mesh *mesh, const int *axes, int count)
{
	sw_text_add_char(text, '(');
	for (int k = 0; k < count; k++) {
		sw_text_add(text, k ? ", " : "");
		sw_emit_quoted(text, mesh->axis[axes ? axes[k] : k].name);
	}
	sw_text_add(text, count == 1 ? ",)" : ")");
}

static void add_spec(sw_text *text, const sw_mesh *mesh, const sw_type *type, bool terms)
{
	int axes[SW_MAX_PARTS];

	sw_text_add(text, "P(");
	if (terms) {
		sw_python_axes(text, mesh, axes, sw_emit_axes(type, type->rank, axes));
		sw_text_add(text, type->rank ? ", " : ",");
	}
	for (int i = 0; i < type->rank; i++) {
		int count = sw_emit_axes(type, i, axes);

		sw_text_add(text, i ? ", " : "");
		if (count == 0)
			sw_text_add(text, "None");
		else if (count == 1)
			sw_emit_quoted(text, mesh->axis[axes[0]].name);
		else
			sw_python_axes(text, mesh, axes, count);
	}
	sw_text_add_char(text, ')');
}

void sw_python_spec(sw_text *text, const sw_mesh *mesh, const sw_type *type)
{
	add_spec(text, mesh, type, false);
}

void sw_python_spec_of_terms(sw_text *text, const sw_mesh *mesh, const sw_type *type)
{
	add_spec(text, mesh, type, sw_type_terms(type) > 1);
}

void sw_python_order(sw_text *text, const char *open, const int64_t *devices, int64_t count, const char *close)
{
	sw_text_add(text, open);
	for (int64_t p = 0; p < count; p++)
		sw_text_addf(text, "%s%lld", p ? ", " : "", (long long)devices[p]);
	sw_text_add(text, close);
}

void sw_python_devices(sw_text *text, const int64_t *devices, int64_t count, bool all)
{
	if (devices)
		sw_python_order(text, "np.array(jax.devices())[[", devices, count, "]]");
	else if (all)
		sw_text_add(text, "np.array(jax.devices())");
	else
		sw_text_addf(text, "np.array(jax.devices()[:%lld])", (long long)count);
}

void sw_python_mesh(sw_text *text, const sw_mesh *mesh, const char *of)
{
	sw_text_addf(text, "Mesh(%s.reshape(", of);
	for (int a = 0; a < mesh->count; a++)
		sw_text_addf(text, "%s%lld", a ? ", " : "", (long long)mesh->axis[a].size);
	sw_text_add(text, "), ");
	sw_python_axes(text, mesh, NULL, mesh->count);
	sw_text_add_char(text, ')');
}

const char *sw_python_mesh_name(const sw_type_chain *chain, int k, int first, char name[SW_PYTHON_MESH])
{
	int number = first + sw_emit_mesh_number(chain, k);

	snprintf(name, SW_PYTHON_MESH, number ? "mesh%d" : "mesh", number + 1);
	return name;
}

static const char *const dtypes[SW_DTYPE_COUNT] = {
	[SW_PRED] = "bool",
	[SW_I8] = "int8",
	[SW_U8] = "uint8",
	[SW_F8E4M3FN] = "float8_e4m3fn",
	[SW_F8E4M3] = "float8_e4m3",
	[SW_F8E4M3B11FNUZ] = "float8_e4m3b11fnuz",
	[SW_F8E4M3FNUZ] = "float8_e4m3fnuz",
	[SW_F8E5M2] = "float8_e5m2",
	[SW_F8E5M2FNUZ] = "float8_e5m2fnuz",
	[SW_F8E3M4] = "float8_e3m4",
	[SW_F8E8M0FNU] = "float8_e8m0fnu",
	[SW_I16] = "int16",
	[SW_U16] = "uint16",
	[SW_F16] = "float16",
	[SW_BF16] = "bfloat16",
	[SW_I32] = "int32",
	[SW_U32] = "uint32",
	[SW_F32] = "float32",
	[SW_I64] = "int64",
	[SW_U64] = "uint64",
	[SW_F64] = "float64",
	[SW_C64] = "complex64",
	[SW_C128] = "complex128",
};

static bool is_wide(sw_dtype dtype)
{
	return dtype == SW_I64 || dtype == SW_U64 || dtype == SW_F64 || dtype == SW_C128;
}

const char *sw_python_dtype(sw_dtype dtype)
{
	return dtypes[dtype];
}

/* Are there as many devices as are needed? */
static void add_count(const sw_emitter *e)
{
	long long count = (long long)e->devices;

	sw_emit_line(e,
		"if len(jax.devices()) %s %lld:\n    raise SystemExit(f\"%lld devices are needed, "
		"{len(jax.devices())} are there\")\n",
		e->all ? "!=" : "<", count, count);
}

void sw_python_jax_start(const sw_emitter *e, const char *sharding, sw_dtype dtype)
{
	sw_emit_line(e, "import os\n");
	sw_emit_line(e, "# As many devices in this process, where there is no other hardware.");
	sw_emit_line(e, "os.environ.setdefault(\"XLA_FLAGS\", \"--xla_force_host_platform_device_count=%lld\")\n",
		(long long)e->devices);
	sw_emit_line(e, "import jax\nimport jax.numpy as jnp\nimport numpy as np\n%s\n", sharding);
	if (is_wide(dtype))
		sw_emit_line(e, "jax.config.update(\"jax_enable_x64\", True)");
	add_count(e);
}

void sw_python_explicit_mesh(sw_text *text, const sw_mesh *mesh, const char *of)
{
	sw_text_add(text, "mesh = ");
	sw_python_mesh(text, mesh, of);
	text->length -= text->failed ? 0 : 1;
	sw_text_addf(text, ", axis_types=(AxisType.Explicit,) * %d)\n", mesh->count);
}

static void add_meshes(const sw_emitter *e, const sw_type_chain *chain)
{
	char name[SW_PYTHON_MESH];
	sw_text devices = {0};

	sw_python_devices(&devices, e->plan->problem.mesh.order, e->devices, e->all);
	if (chain->of)
		sw_emit_line(e, "# Meshes of the same devices, in the same order: no one has axes for all shardings.");
	else if (chain->finer)
		sw_emit_line(e, "# A finer mesh of the same devices, in the same order.");
	for (int k = 0; k < chain->count; k++) {
		if (k > 0 && sw_emit_mesh_of(chain, k) == sw_emit_mesh_of(chain, k - 1))
			continue;
		sw_text_addf(e->text, "%s = ", sw_python_mesh_name(chain, k, 0, name));
		sw_python_mesh(e->text, sw_emit_mesh_of(chain, k), sw_text_get(&devices));
		sw_text_add_char(e->text, '\n');
	}
	e->text->failed = e->text->failed || devices.failed;
	sw_text_free(&devices);
}

void sw_python_jax_head(const sw_emitter *e, const sw_type_chain *chain, const char *about)
{
	int last = chain->count - 1;
	const sw_type *from = &chain->type[0], *to = &chain->type[last];
	char name[SW_PYTHON_MESH];

	sw_emit_line(e, "# %s, written by shardwalk.\n#", about);
	sw_emit_remark_problem(e, "#   ");
	sw_emit_line(e, "#\n# It runs by itself and checks the result: python3 THIS_FILE.py\n");
	sw_python_jax_start(e, "from jax import lax\nfrom jax.sharding import Mesh, NamedSharding, PartitionSpec as P",
		from->dtype);
	add_meshes(e, chain);
	sw_text_add(e->text, "SHAPE = ");
	sw_python_tuple(e->text, from->global, e->rank);
	sw_emit_line(e, "\nDTYPE = jnp.dtype(\"%s\")", dtypes[from->dtype]);
	sw_text_add(e->text, "SOURCE = ");
	sw_python_spec_of_terms(e->text, sw_emit_mesh_of(chain, 0), from);
	sw_text_add(e->text, "\nTARGET = ");
	sw_python_spec_of_terms(e->text, sw_emit_mesh_of(chain, last), to);
	if (sw_type_terms(from) > 1 || sw_type_terms(to) > 1)
		sw_text_addf(e->text,
			"\nTERMS = %lld, %lld  # that make up a value at both ends: they stand along a first dimension of their own",
			(long long)sw_type_terms(from), (long long)sw_type_terms(to));
	sw_emit_line(e, "\n\n\ndef sharding(spec, mesh=mesh):\n    return NamedSharding(mesh, spec)\n\n");
	sw_emit_line(e, "source = sharding(SOURCE)\ntarget = sharding(TARGET, %s)\n\n",
		sw_python_mesh_name(chain, last, 0, name));
}

void sw_python_told(const sw_emitter *e)
{
	sw_emit_line(e, "def told(compiled):\n    text = compiled.as_text()");
	sw_emit_line(e,
		"    for kind in (\"all-gather\", \"all-to-all\", \"collective-permute\", \"all-reduce\", \"reduce-scatter\"):");
	sw_emit_line(e, "        print(f\"{kind}: {text.count(f' {kind}(') + text.count(f' {kind}-start(')}\")");
	sw_emit_line(e, "    return compiled\n\n");
}

/* How the source is made: of values, or of terms that add up to them. */
static void add_source(const sw_emitter *e)
{
	sw_emit_line(e,
		"def main():\n    values = np.random.default_rng(0).integers(1, 113, SHAPE)\n"
		"    values = (values %% 2 if DTYPE == bool else values).astype(DTYPE)");
	if (sw_type_terms(&e->plan->problem.from) > 1)
		sw_emit_line(e,
			"    terms = np.random.default_rng(1).integers(0, 9, (TERMS[0],) + SHAPE).astype(DTYPE)\n"
			"    terms[-1] = values - terms[:-1].sum(axis=0, dtype=DTYPE)\n"
			"    x = jax.device_put(terms, source)");
	else
		sw_emit_line(e, "    x = jax.device_put(values, source)");
}

/* Terms are added up before they are compared. */
static void add_comparison(const sw_emitter *e)
{
	static const char *const whole[] = {
		"    for shard in result.addressable_shards:",
		"        if np.asarray(shard.data).tobytes() != values[shard.index].tobytes():",
		"            raise SystemExit(f\"WRONG: what {shard.device} holds is not {shard.index} of the array\")",
		"    print(f\"right: {len(result.addressable_shards)} devices hold what they need\")",
	};
	static const char *const terms[] = {
		"    if np.asarray(result).sum(axis=0, dtype=DTYPE).tobytes() != values.tobytes():",
		"        raise SystemExit(\"WRONG: the terms do not add up to the array\")",
		"    print(f\"right: the terms of {len(result.addressable_shards)} devices add up to the array\")",
	};

	if (sw_type_terms(&e->plan->problem.to) > 1)
		for (size_t k = 0; k < sizeof terms / sizeof *terms; k++)
			sw_emit_line(e, "%s", terms[k]);
	else
		for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
			sw_emit_line(e, "%s", whole[k]);
}

void sw_python_jax_tail(const sw_emitter *e)
{
	static const char *const tail[] = {
		"    jitted = jax.jit(redistribute, in_shardings=source, out_shardings=target)",
		"    run = told(jitted.lower(x).compile())",
		"    result = run(x)",
		"    if not result.sharding.is_equivalent_to(target, result.ndim):",
		"        raise SystemExit(f\"WRONG: the result is sharded {result.sharding}\")",
	};

	sw_text_add(e->text, "\n\n");
	sw_python_told(e);
	add_source(e);
	for (size_t k = 0; k < sizeof tail / sizeof *tail; k++)
		sw_emit_line(e, "%s", tail[k]);
	add_comparison(e);
	sw_emit_line(e, "\n\nif __name__ == \"__main__\":\n    main()");
}
