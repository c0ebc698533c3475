/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of Python programs for JAX that do not depend on the steps.
 */
#include "emit/python.h"

#include <assert.h>
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

void sw_python_constraint(sw_text *text, const char *name, const char *of, const sw_mesh *mesh, const sw_type *type)
{
	sw_text_addf(text, "%s = jax.lax.with_sharding_constraint(%s, NamedSharding(%s, ", name, name, of);
	sw_python_spec(text, mesh, type);
	sw_text_add(text, "))\n");
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

void sw_python_mesh(sw_text *text, const sw_mesh *mesh, const char *of, bool explicit_axes)
{
	sw_text_addf(text, "Mesh(%s.reshape(", of);
	for (int a = 0; a < mesh->count; a++)
		sw_text_addf(text, "%s%lld", a ? ", " : "", (long long)mesh->axis[a].size);
	sw_text_add(text, "), ");
	sw_python_axes(text, mesh, NULL, mesh->count);
	if (explicit_axes)
		sw_text_addf(text, ", axis_types=(AxisType.Explicit,) * %d", mesh->count);
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
	assert((unsigned)dtype < SW_DTYPE_COUNT);
	return dtypes[dtype];
}

const char *sw_python_wide(sw_dtype dtype)
{
	return dtype == SW_C64 || dtype == SW_C128 ? "complex128" : "float64";
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
	sw_emit_line(e, "# This many devices in this process, if there is no other hardware.");
	sw_emit_line(e, "os.environ.setdefault(\"XLA_FLAGS\", \"--xla_force_host_platform_device_count=%lld\")\n",
		(long long)e->devices);
	sw_emit_line(e, "import jax\nimport jax.numpy as jnp\nimport numpy as np\n%s\n", sharding);
	if (is_wide(dtype))
		sw_emit_line(e, "jax.config.update(\"jax_enable_x64\", True)");
	add_count(e);
}

void sw_python_told(const sw_emitter *e)
{
	sw_emit_line(e, "def told(compiled):\n    text = compiled.as_text()");
	sw_emit_line(e,
		"    for kind in (\"all-gather\", \"all-to-all\", \"collective-permute\", \"all-reduce\", \"reduce-scatter\"):");
	sw_emit_line(e, "        print(f\"{kind}: {text.count(f' {kind}(') + text.count(f' {kind}-start(')}\")");
	sw_emit_line(e, "    return compiled\n\n");
}
