/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collectives of a StableHLO program, counted by the rule that HLO has, too.
 */
#define _GNU_SOURCE
#include "foreign/module/mlir_traffic.h"
#include "foreign/module/mlir_flow.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#define DEVICES_MOST ((int64_t)1 << 16)

/* ---- devices ---- */

/* Product of the sizes in `<["x"=2, "y"=4]>`, and how many there are. */
static int64_t mesh_devices(const graph_mesh *mesh, int *axes)
{
	int64_t devices = 1, size;
	*axes = 0;
	for (size_t i = 0; i < mesh->text.length; i++) {
		size_t length = 0;
		if (mesh->text.at[i] != '=')
			continue;
		while (i + 1 + length < mesh->text.length && mesh->text.at[i + 1 + length] >= '0' &&
			mesh->text.at[i + 1 + length] <= '9')
			length++;
		bool read = sw_read_int((sw_str){mesh->text.at + i + 1, length}, &size, NULL);
		++*axes;
		if (read && !sw_mul(devices, size, &devices))
			return 1;
	}
	return devices;
}

int64_t mlir_traffic_devices(const graph_module *module)
{
	int64_t devices = module->partitions;
	int axes;
	for (int k = 0; k < module->meshes && devices <= 1; k++)
		devices = mesh_devices(&module->mesh[k], &axes);
	return devices < 1 ? 1 : devices;
}

/* The mesh that shardings name first, `<@mesh, ...>`; NULL: none. */
static const graph_mesh *mesh_of(const graph_module *module, sw_str shardings)
{
	const char *sign = shardings.length ? memchr(shardings.at, '@', shardings.length) : NULL;
	sw_str name = {sign ? sign + 1 : NULL, 0};
	while (sign && name.at + name.length < shardings.at + shardings.length && mlir_is_name(name.at[name.length]))
		name.length++;
	return sign ? mlir_mesh_named(module, name) : NULL;
}

bool mlir_traffic_partial(const graph_module *module, const graph_instruction *op)
{
	static const char key[] = "manual_axes={";
	const char *at = memmem(op->attributes.at, op->attributes.length, key, sizeof(key) - 1);
	int manual = 0, axes;
	if (op->op != HLO_MANUAL || !at)
		return false;
	for (at += sizeof(key) - 1; at < op->attributes.at + op->attributes.length && *at != '}'; at++)
		manual += *at == '"';
	const graph_mesh *mesh = mesh_of(module, mlir_shardings_in(op->attributes, "_shardings=["));
	if (mesh)
		mesh_devices(mesh, &axes);
	return mesh && manual / 2 < axes;
}

/* ---- groups ---- */

/* `dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>` */
typedef struct table {
	sw_str numbers; /* what stands in `dense<...>` */
	int64_t rows, columns;
} table;

static bool table_read(sw_str text, const char *key, table *out)
{
	const char *at = memmem(text.at, text.length, key, strlen(key));
	mlir_shape shape;
	if (!at)
		return false;
	sw_str rest = sw_str_behind(text, (size_t)(at - text.at) + strlen(key));
	size_t open = strlen("dense"),
		   end = sw_str_starts(rest, "dense<") ? sw_str_balanced(rest, open, SW_NESTING_MLIR) : 0;
	if (!end)
		return false;
	out->numbers = (sw_str){rest.at + open + 1, end - open - 2};
	rest = sw_str_trim(sw_str_behind(rest, end));
	rest = sw_str_trim(sw_str_behind(rest, sw_str_starts(rest, ":")));
	end = sw_str_starts(rest, "tensor<") ? sw_str_balanced(rest, strlen("tensor"), SW_NESTING_MLIR) : 0;
	if (!end || !mlir_shape_read((sw_str){rest.at, end}, &shape) || shape.rank != 2)
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

static bool next_decimal(sw_str text, size_t *at, int64_t *number)
{
	size_t length = 0;
	while (*at < text.length && !strchr("-0123456789", text.at[*at]))
		++*at;
	while (*at + length < text.length && strchr("-0123456789", text.at[*at + length]))
		length++;
	if (!sw_read_int((sw_str){text.at + *at, length}, number, NULL))
		*number = -1;
	*at += length;
	return length > 0;
}

/* The numbers of the table, row after row, without those below 0, which fill short rows; how many, and -1: not as many as it
 * has places.  start[g]: where row g begins. */
static int64_t numbers_read(const table *t, int64_t *number, int64_t *start)
{
	bool hex = sw_str_starts(t->numbers, "\"0x");
	int64_t places = t->rows * t->columns, count = 0;
	size_t at = 0;
	for (int64_t k = 0; k < places; k++) {
		if (k % t->columns == 0)
			start[k / t->columns] = count;
		if (!(hex ? next_hex : next_decimal)(t->numbers, &at, &number[count]))
			return -1;
		count += number[count] >= 0;
	}
	start[t->rows] = count;
	return count;
}

static traffic_groups groups_of(const graph_instruction *op, bool pairs, int64_t devices, sw_arena *brief)
{
	table t;
	traffic_groups whole = traffic_whole(devices);
	whole.wrong = true;
	if (!table_read(op->attributes, pairs ? "source_target_pairs = " : "replica_groups = ", &t))
		return whole;
	if (t.rows * t.columns == 0)
		return pairs ? (traffic_groups){.form = SW_TRAFFIC_PAIRS, .largest = 1} : traffic_whole(devices);
	int64_t most = (int64_t)t.numbers.length + 2;
	int64_t *number = t.rows * t.columns <= most ? SW_NEW(brief, int64_t, t.rows * t.columns + 1) : NULL;
	int64_t *start = number ? SW_NEW(brief, int64_t, t.rows + 1) : NULL;
	int64_t count = start ? numbers_read(&t, number, start) : -1;
	if (count < 0 || (pairs && (t.columns != 2 || count != 2 * t.rows)))
		return whole;
	return pairs ? traffic_pairs_of(t.rows, number, devices, brief) :
				   traffic_groups_of(t.rows, start, number, devices, brief);
}

/* ---- axes ---- */

static int64_t number_at(sw_str text, size_t at)
{
	int64_t number;
	size_t length = 0;
	while (at + length < text.length && text.at[at + length] >= '0' && text.at[at + length] <= '9')
		length++;
	return sw_read_int((sw_str){text.at + at, length}, &number, NULL) ? number : 0;
}

/* Of `"x"`, or of a part of it, `"x":(1)2`; `axis`: with its quotes and what follows.  0: the mesh has none of this name. */
static int64_t axis_size(sw_str mesh, sw_str axis, size_t quoted)
{
	const char *close = axis.length > quoted && axis.at[quoted] == ':' ?
		memchr(axis.at + quoted, ')', axis.length - quoted) :
		NULL;
	if (close)
		return number_at(axis, (size_t)(close - axis.at) + 1);
	const char *at = memmem(mesh.at, mesh.length, axis.at, quoted);
	size_t behind = at ? (size_t)(at - mesh.at) + quoted + 1 : 0;
	return at ? number_at(mesh, behind) : 0;
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
static double tile_bytes(const graph_mesh *mesh, sw_str sharding, const mlir_shape *shape)
{
	double bytes = traffic_element_bytes(shape->dtype);
	sw_str dims = mlir_shardings_in(sharding, "[");
	for (int d = 0; d < shape->rank; d++) {
		sw_str part = mlir_part(dims, d);
		int64_t cut = part.length ? axes_product(mesh->text, part) : 1;
		cut = cut > 0 ? cut : 1;
		bytes *= (double)(shape->dim[d] / cut + (shape->dim[d] % cut != 0));
	}
	return bytes;
}

/* A collective of Shardy, `sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{}, {}]>`, of which the shapes are those of the array. */
static bool axes_read(const graph_module *module, const graph_instruction *op, int64_t devices,
	traffic_groups *groups, double *result)
{
	sw_str sharding = mlir_sharding_in(op->attributes, "out_sharding=");
	const graph_mesh *mesh = mesh_of(module, sharding);
	const char *value = memchr(op->attributes.at, '%', op->attributes.length);
	mlir_shape shape;
	if (!mesh || !value || !op->results || !mlir_shape_read(module->value[op->first_result].type, &shape))
		return false;
	bool permutes = op->op == HLO_SDY_PERMUTE;
	sw_str axes = {op->attributes.at, permutes ? 0 : (size_t)(value - op->attributes.at)};
	int64_t size = axes_product(mesh->text, axes);
	*result = tile_bytes(mesh, sharding, &shape);
	*groups = traffic_whole(devices);
	groups->wrong = size < 1 || devices % size != 0;
	if (!groups->wrong && !permutes)
		*groups = (traffic_groups){.count = devices / size, .largest = size, .seats = devices};
	if (permutes)
		*groups = (traffic_groups){.form = SW_TRAFFIC_PAIRS, .count = devices, .largest = 1, .seats = devices};
	return true;
}

/* ---- bytes ---- */

static double bytes_of(sw_str type)
{
	mlir_shape shape;
	if (!mlir_shape_read(type, &shape))
		return 0;
	double bytes = traffic_element_bytes(shape.dtype);
	for (int d = 0; d < shape.rank; d++)
		bytes *= (double)shape.dim[d];
	return bytes;
}

static double operand_bytes(const graph_instruction *op)
{
	const char *arrow = memmem(op->attributes.at, op->attributes.length, " : (tensor<", strlen(" : (tensor<"));
	sw_str rest = arrow ? sw_str_behind(op->attributes, (size_t)(arrow - op->attributes.at) + 4) : (sw_str){"", 0};
	size_t end = rest.length ? sw_str_balanced(rest, strlen("tensor"), SW_NESTING_MLIR) : 0;
	return bytes_of((sw_str){rest.at, end});
}

/* ---- a halo ---- */

/* `14:16, 0:4` */
static bool bounds_read(sw_str text, int rank, int64_t *bound)
{
	size_t at = 0;
	for (int d = 0; d < rank; d++) {
		sw_str part = sw_str_trim(sw_str_split(text, &at, SW_NESTING_MLIR));
		const char *colon = part.length ? memchr(part.at, ':', part.length) : NULL;
		size_t before = colon ? (size_t)(colon - part.at) : 0;
		if (!colon || !sw_read_int((sw_str){part.at, before}, &bound[2 * d], NULL) ||
			!sw_read_int((sw_str){colon + 1, part.length - before - 1}, &bound[2 * d + 1], NULL))
			return false;
	}
	return true;
}

/* `stablehlo.slice %x [14:16, 0:4] : (tensor<16x4xf32>) -> ...`: a border of one dimension. */
static void halo_find(const graph_module *m, const graph_instruction *op, sw_traffic_row *row)
{
	int value = graph_operand_of(m, op, 0), made = value >= 0 ? m->value[value].op : -1;
	const graph_instruction *slice = made >= 0 && m->instruction[made].op == HLO_SLICE ? &m->instruction[made] : NULL;
	const char *open = slice ? memchr(slice->attributes.at, '[', slice->attributes.length) : NULL;
	const char *types = slice ?
		memmem(slice->attributes.at, slice->attributes.length, "(tensor<", strlen("(tensor<")) :
		NULL;
	int64_t bound[2 * MLIR_DIMS];
	mlir_shape whole;
	if ((row->form != SW_TRAFFIC_RING && row->form != SW_TRAFFIC_LINE) || !open || !types || open > types)
		return;
	sw_str type = sw_str_behind(slice->attributes, (size_t)(types - slice->attributes.at) + 1),
		   bounds = sw_str_behind(slice->attributes, (size_t)(open - slice->attributes.at) + 1);
	type.length = sw_str_balanced(type, strlen("tensor"), SW_NESTING_MLIR);
	const char *close = memchr(bounds.at, ']', (size_t)(types - open) - 1);
	bounds.length = close ? (size_t)(close - bounds.at) : 0;
	if (mlir_shape_read(type, &whole) && bounds_read(bounds, whole.rank, bound))
		traffic_halo(row, whole.rank, bound, whole.dim);
}

/* ---- one of them ---- */

bool mlir_traffic_read(const graph_module *module, const graph_instruction *op, int64_t devices, sw_arena *brief,
	sw_traffic_row *row)
{
	sw_traffic_kind kind = hlo_traffic_of(op->op);
	double result = 0;
	assert(devices >= 1);
	if (kind == SW_TRAFFIC_KIND_COUNT || devices > DEVICES_MOST)
		return false;
	bool pairs = kind == SW_TRAFFIC_PERMUTE;
	traffic_groups groups;
	bool by_axes = sw_str_starts(op->word, "sdy.") && axes_read(module, op, devices, &groups, &result);
	for (int k = 0; k < op->results && !by_axes; k++)
		result += bytes_of(module->value[op->first_result + k].type);
	if (!by_axes)
		groups = groups_of(op, pairs, devices, brief);
	*row = (sw_traffic_row){.kind = kind, .line = op->line, .count = 1, .beside = -1};
	if (kind == SW_TRAFFIC_RAGGED) {
		double others = operand_bytes(op) * (double)(groups.largest - 1);
		row->at_most = true;
		result = others < result ? others : result;
	}
	traffic_weigh(row, result, &groups, devices);
	if (pairs && !by_axes)
		halo_find(module, op, row);
	return true;
}
