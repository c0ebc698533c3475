/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of devices and axes of meshes, by which collectives of StableHLO and of Shardy say their groups.
 */
#define _GNU_SOURCE
#include "foreign/module/mlir_groups.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "foreign/module/hlo_text.h"
#include "foreign/module/mlir.h"
#include "foreign/module/reading.h"

/* ---- tables ---- */

/* `dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>` */
typedef struct table {
	sw_str numbers; /* what stands in `dense<...>` */
	int64_t rows, columns;
} table;

static bool table_read(sw_str text, table *out)
{
	size_t end = sw_str_starts(text, "dense<") ? sw_str_balanced(text, strlen("dense"), SW_NESTING_MLIR) : 0;
	mlir_shape shape;
	if (!end)
		return false;
	out->numbers = sw_str_inner((sw_str){text.at + strlen("dense"), end - strlen("dense")});
	sw_str type = sw_str_trim(sw_str_behind(text, end));
	if (!mlir_shape_read(sw_str_trim(sw_str_behind(type, sw_str_starts(type, ":"))), &shape) || shape.rank != 2)
		return false;
	out->rows = shape.dim[0];
	out->columns = shape.dim[1];
	return out->rows >= 0 && out->columns >= 0 && out->rows <= DEVICES_MOST && out->columns <= DEVICES_MOST;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789ABCDEF0123456789abcdef";
	const char *at = c ? strchr(c >= 'a' ? digits + 16 : digits, c) : NULL;
	return at ? (int)((at - digits) % 16) : 0;
}

/* Of `"0x..."`, as larger tables are printed: bytes in the order of memory, the lowest first. */
static bool next_hex(sw_str text, size_t *at, int64_t *number)
{
	uint64_t value = 0;
	*at = *at ? *at : strlen("\"0x");
	if (*at + 16 > text.length)
		return false;
	for (size_t k = 8; k-- > 0;)
		value = value << 8 | (uint64_t)(hex_digit(text.at[*at + 2 * k]) << 4 | hex_digit(text.at[*at + 2 * k + 1]));
	*at += 16;
	*number = (int64_t)value;
	return true;
}

/* The numbers of the table, row after row, without those below 0, which fill short rows; how many, and -1: not as many as it
 * has places.  start[g]: where row g begins. */
static int64_t numbers_read(const table *t, int64_t *number, int64_t *start)
{
	bool hex = sw_str_starts(t->numbers, "\"0x");
	int64_t places = t->rows * t->columns, count = 0;
	size_t at = 0;
	if (!hex && hlo_numbers(t->numbers, number, places) < places)
		return -1;
	for (int64_t k = 0; k < places; k++) {
		if (k % t->columns == 0)
			start[k / t->columns] = count;
		if (hex && !next_hex(t->numbers, &at, &number[k]))
			return -1;
		number[count] = number[k];
		count += number[count] >= 0;
	}
	start[t->rows] = count;
	return count;
}

bool mlir_groups_read(sw_str text, sw_sharding_kind kind, sw_arena *arena, sw_sharding *out)
{
	table t;
	bool pairs = kind == SW_SHARDING_PAIRS;
	assert(pairs || kind == SW_SHARDING_GROUPS);
	out->kind = kind;
	out->count = 0;
	out->members = out->starts = NULL;
	if (!table_read(text, &t))
		return false;
	int64_t places = t.rows * t.columns;
	if (places == 0)
		return true;
	int64_t *number = places <= (int64_t)t.numbers.length + 2 ? SW_NEW(arena, int64_t, places + 1) : NULL;
	int64_t *start = number ? SW_NEW(arena, int64_t, t.rows + 1) : NULL;
	int64_t count = start ? numbers_read(&t, number, start) : -1;
	out->count = (int)t.rows;
	out->members = number;
	out->starts = start;
	return count >= 0 && (!pairs || (t.columns == 2 && count == 2 * t.rows));
}

/* ---- meshes ---- */

static bool number_at(sw_str text, int64_t *number)
{
	return sw_read_int((sw_str){text.at, sw_str_digits(text)}, number, NULL);
}

/* Product of the sizes in `<["x"=2, "y"=4]>`, and how many there are. */
static int64_t mesh_devices(sw_str mesh, int *axes)
{
	int64_t devices = 1, size;
	*axes = 0;
	for (size_t i = 0; i < mesh.length && mesh.at[i] != ']'; i++) {
		if (mesh.at[i] != '=')
			continue;
		bool read = number_at(sw_str_behind(mesh, i + 1), &size);
		++*axes;
		if (read && !sw_mul(devices, size, &devices))
			return 1;
	}
	return devices;
}

/* The mesh that shardings name first, `<@mesh, ...>`, or say, `<mesh<["x"=4]>, ...>`; empty: none. */
static sw_str mesh_of(const graph_module *module, sw_str shardings)
{
	const char *said = shardings.length ? memmem(shardings.at, shardings.length, "mesh<[", strlen("mesh<[")) : NULL;
	const char *sign = shardings.length ? memchr(shardings.at, '@', shardings.length) : NULL;
	if (said && (!sign || said < sign)) {
		sw_str rest = sw_str_behind(shardings, (size_t)(said - shardings.at) + strlen("mesh"));
		return (sw_str){rest.at, sw_str_balanced(rest, 0, SW_NESTING_MLIR)};
	}
	sw_str name = {sign ? sign + 1 : NULL, 0};
	while (sign && name.at + name.length < shardings.at + shardings.length && mlir_is_name(name.at[name.length]))
		name.length++;
	const graph_mesh *mesh = sign ? mlir_mesh_named(module, name) : NULL;
	return mesh ? mesh->text : (sw_str){"", 0};
}

/* The number after the largest one in groups or pairs; 1: there are none. */
static int64_t devices_named(const graph_instruction *op)
{
	bool pairs = hlo_traffic_of(op->op) == SW_TRAFFIC_PERMUTE;
	int64_t most = 1, number;
	size_t at = 0;
	sw_str text;
	table t;
	if (!mlir_attribute(op, pairs ? "source_target_pairs" : "replica_groups", &text) || !table_read(text, &t))
		return 1;
	if (!sw_str_starts(t.numbers, "\"0x"))
		return graph_behind_all(t.numbers, DEVICES_MOST);
	while (next_hex(t.numbers, &at, &number))
		most = number >= most && number < DEVICES_MOST ? number + 1 : most;
	return most;
}

/* Of a collective. */
static int64_t devices_of(const graph_module *module, const graph_instruction *op)
{
	int axes;
	if (hlo_traffic_of(op->op) == SW_TRAFFIC_KIND_COUNT)
		return 1;
	return sw_str_starts(op->word, "sdy.") ?
		mesh_devices(mesh_of(module, mlir_sharding_in(op->attributes, "out_sharding=")), &axes) :
		devices_named(op);
}

int64_t mlir_devices(const graph_module *module)
{
	int64_t devices = 1;
	int axes;
	assert(module->partitions >= 1 && module->replicas >= 1);
	if (!sw_mul(module->partitions, module->replicas, &devices))
		return module->partitions;
	for (int k = 0; k < module->meshes && devices <= 1; k++)
		devices = mesh_devices(module->mesh[k].text, &axes);
	if (!module->meshes && module->given.text.length)
		devices = mesh_devices(module->given.text, &axes);
	bool said = devices > 1;
	for (int i = 0; i < module->instructions && !said; i++) {
		int64_t here = devices_of(module, &module->instruction[i]);
		devices = here > devices ? here : devices;
	}
	return devices < 1 ? 1 : devices;
}

/* `{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}`: do the devices of one place of the manual dimension differ in
 * others? */
static bool is_partly_manual(sw_str sharding)
{
	int64_t size[SW_MAX_DIMS + 4];
	sw_str rest;
	int count = mlir_list(sharding, "devices=[", size, SW_MAX_DIMS + 4), kinds = 1, manual = -1;
	if (count < 1 || !sw_str_after(sharding, "last_tile_dims={", &rest))
		return false;
	for (size_t at = 0; at < rest.length && rest.at[at] != '}'; at++) {
		kinds += rest.at[at] == ',';
		manual = sw_str_starts(sw_str_behind(rest, at), "manual") ? kinds : manual;
	}
	for (int i = 0; i < count && manual >= 1 && kinds <= count; i++)
		if (i != count - kinds + manual - 1 && size[i] > 1)
			return true;
	return false;
}

bool mlir_is_partial(const graph_module *module, const graph_instruction *op)
{
	int manual = 0, axes;
	sw_str rest;
	if (op->op == HLO_TO_SHARD)
		return is_partly_manual(mlir_sharding_in(op->attributes, "mhlo.sharding = "));
	if (op->op != HLO_MANUAL || !sw_str_after(op->attributes, "manual_axes={", &rest))
		return false;
	for (size_t at = 0; at < rest.length && rest.at[at] != '}'; at++)
		manual += rest.at[at] == '"';
	sw_str mesh = mesh_of(module, mlir_shardings_in(op->attributes, "_shardings=["));
	mesh_devices(mesh, &axes);
	return manual / 2 < axes;
}

/* ---- axes ---- */

/* Of `"x"`, or of a part of it, `"x":(1)2`; `axis`: with its quotes and what follows.  0: the mesh has none of this name. */
static int64_t axis_size(sw_str mesh, sw_str axis, size_t quoted)
{
	sw_str rest = sw_str_behind(axis, quoted);
	const char *close = sw_str_starts(rest, ":") ? memchr(rest.at, ')', rest.length) : NULL;
	const char *at = close ? NULL : memmem(mesh.at, mesh.length, axis.at, quoted);
	int64_t size;
	rest = close ? sw_str_behind(rest, (size_t)(close - rest.at) + 1) :
				   sw_str_behind(mesh, at ? (size_t)(at - mesh.at) + quoted + 1 : mesh.length);
	return number_at(rest, &size) ? size : 0;
}

/* The product of the sizes of all axes in a text; 0: one of them is unknown. */
static int64_t axes_product(sw_str mesh, sw_str text)
{
	int64_t product = 1;
	for (size_t at = 0; at < text.length; at++) {
		sw_str axis = sw_str_behind(text, at);
		const char *close = axis.at[0] == '"' && axis.length > 1 ? memchr(axis.at + 1, '"', axis.length - 1) : NULL;
		if (!close)
			continue;
		size_t quoted = (size_t)(close - axis.at) + 1;
		if (!sw_mul(product, axis_size(mesh, axis, quoted), &product) || product > DEVICES_MOST)
			return 0;
		at += quoted - 1;
	}
	return product;
}

/* What a device holds of `whole` bytes that are cut so: `<@mesh, [{"x"}, {}]>`. */
static double tile_bytes(sw_str mesh, sw_str sharding, const mlir_shape *shape)
{
	double bytes = traffic_element_bytes(shape->dtype);
	sw_str dims = mlir_shardings_in(sharding, ", [");
	for (int d = 0; d < shape->rank; d++) {
		sw_str part = mlir_part(dims, d);
		int64_t cut = part.length ? axes_product(mesh, part) : 1;
		cut = cut > 0 ? cut : 1;
		bytes *= (double)(shape->dim[d] / cut + (shape->dim[d] % cut != 0));
	}
	return bytes;
}

bool mlir_axes_read(const graph_module *module, const graph_instruction *op, int64_t devices, traffic_groups *groups,
	double *result)
{
	if (!sw_str_starts(op->word, "sdy.") || !op->results)
		return false;
	sw_str sharding = mlir_sharding_in(op->attributes, "out_sharding="), mesh = mesh_of(module, sharding);
	const char *value = memchr(op->attributes.at, '%', op->attributes.length);
	mlir_shape shape;
	if (!mesh.length || !value || !mlir_shape_read(module->value[op->first_result].type, &shape))
		return false;
	bool permutes = op->op == HLO_SDY_PERMUTE;
	sw_str axes = {op->attributes.at, permutes ? 0 : (size_t)(value - op->attributes.at)};
	int64_t size = axes_product(mesh, axes);
	*result = tile_bytes(mesh, sharding, &shape);
	*groups = traffic_whole(devices);
	groups->wrong = size < 1 || devices % size != 0;
	if (!groups->wrong && !permutes)
		*groups = (traffic_groups){.count = devices / size, .largest = size, .seats = devices};
	if (permutes)
		*groups = (traffic_groups){.form = SW_TRAFFIC_PAIRS, .count = devices, .largest = 1, .seats = devices};
	return true;
}
