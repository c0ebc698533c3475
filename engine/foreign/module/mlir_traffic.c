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
static int64_t mesh_devices(const mlir_mesh *mesh, int *axes)
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

int64_t mlir_traffic_devices(const mlir_module *module)
{
	int64_t devices = module->partitions;
	int axes;
	for (int k = 0; k < module->meshes && devices <= 1; k++)
		devices = mesh_devices(&module->mesh[k], &axes);
	return devices < 1 ? 1 : devices;
}

bool mlir_traffic_partial(const mlir_module *module, const mlir_op *op)
{
	static const char key[] = "manual_axes={";
	const char *at = memmem(op->text.at, op->text.length, key, sizeof(key) - 1), *sign;
	sw_str in = mlir_shardings_in(op->text, "_shardings=["), name = {NULL, 0};
	int manual = 0, axes;
	if (op->op != HLO_MANUAL || !at)
		return false;
	for (at += sizeof(key) - 1; at < op->text.at + op->text.length && *at != '}'; at++)
		manual += *at == '"';
	sign = in.length ? memchr(in.at, '@', in.length) : NULL;
	if (!sign)
		return false;
	name.at = sign + 1;
	while (name.at + name.length < in.at + in.length && mlir_is_name(name.at[name.length]))
		name.length++;
	const mlir_mesh *mesh = mlir_mesh_named(module, name);
	mesh_devices(mesh ? mesh : &(mlir_mesh){.name = name}, &axes);
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

static traffic_groups groups_of(const mlir_op *op, bool pairs, int64_t devices, sw_arena *brief)
{
	table t;
	traffic_groups whole = traffic_whole(devices);
	whole.wrong = true;
	if (!table_read(op->text, pairs ? "source_target_pairs = " : "replica_groups = ", &t))
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

static double operand_bytes(const mlir_op *op)
{
	const char *arrow = memmem(op->text.at, op->text.length, " : (tensor<", strlen(" : (tensor<"));
	sw_str rest = arrow ? sw_str_behind(op->text, (size_t)(arrow - op->text.at) + 4) : (sw_str){"", 0};
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
static void halo_find(const mlir_module *m, const mlir_op *op, sw_traffic_row *row)
{
	int value = mlir_operand(m, op, 0), made = value >= 0 ? m->value[value].op : -1;
	const mlir_op *slice = made >= 0 && m->op[made].op == HLO_SLICE ? &m->op[made] : NULL;
	const char *open = slice ? memchr(slice->text.at, '[', slice->text.length) : NULL;
	const char *types = slice ? memmem(slice->text.at, slice->text.length, "(tensor<", strlen("(tensor<")) : NULL;
	int64_t bound[2 * MLIR_DIMS];
	mlir_shape whole;
	if ((row->form != SW_TRAFFIC_RING && row->form != SW_TRAFFIC_LINE) || !open || !types || open > types)
		return;
	sw_str type = sw_str_behind(slice->text, (size_t)(types - slice->text.at) + 1),
		   bounds = sw_str_behind(slice->text, (size_t)(open - slice->text.at) + 1);
	type.length = sw_str_balanced(type, strlen("tensor"), SW_NESTING_MLIR);
	const char *close = memchr(bounds.at, ']', (size_t)(types - open) - 1);
	bounds.length = close ? (size_t)(close - bounds.at) : 0;
	if (mlir_shape_read(type, &whole) && bounds_read(bounds, whole.rank, bound))
		traffic_halo(row, whole.rank, bound, whole.dim);
}

/* ---- one of them ---- */

bool mlir_traffic_read(const mlir_module *module, const mlir_op *op, int64_t devices, sw_arena *brief,
	sw_traffic_row *row)
{
	sw_traffic_kind kind = hlo_traffic_of(op->op);
	double result = 0;
	assert(devices >= 1);
	if (kind == SW_TRAFFIC_KIND_COUNT || devices > DEVICES_MOST)
		return false;
	bool pairs = kind == SW_TRAFFIC_PERMUTE;
	for (int k = 0; k < op->results; k++)
		result += bytes_of(module->value[op->first_result + k].type);
	traffic_groups groups = groups_of(op, pairs, devices, brief);
	*row = (sw_traffic_row){.kind = kind, .line = op->line, .count = 1, .beside = -1};
	if (kind == SW_TRAFFIC_RAGGED) {
		double others = operand_bytes(op) * (double)(groups.largest - 1);
		row->at_most = true;
		result = others < result ? others : result;
	}
	traffic_weigh(row, result, &groups, devices);
	if (pairs)
		halo_find(module, op, row);
	return true;
}
