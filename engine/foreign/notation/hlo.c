/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shardings as XLA prints them: a grid of tiles and the devices along it, listed (V1) or as a transposed iota (V2).
 *
 * Digits of the device list become the axes of a mesh; a list that is no sum of digits, or whose digits do not end
 * where dimensions end, stays a list: the mesh is then the grid itself.
 */
#include "foreign/notation/read.h"
#include "foreign/notation/rewritten.h"

#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "base/room.h"

#define HLO_DIMS (SW_MAX_DIMS + SW_MAX_SUBGROUPS)

enum hlo_list { HLO_NO_LIST, HLO_LISTED, HLO_IOTA };

typedef struct hlo {
	int dims, digits, states;
	int64_t dim[HLO_DIMS], devices;
	sw_digit digit[SW_MAX_PARTS];
	sw_subgroup state[SW_MAX_SUBGROUPS];
	enum hlo_list how;
	sw_numbers list;
	sw_span dims_at, list_at, device_at;
	int64_t device;
	bool has_dims, has_device, has_kind;
	sw_span kind_at;
	sw_sharding_kind kind;
} hlo;

/* Comments such as index=5 stand between the shardings of a tuple. */
static void hlo_skip_comment(sw_reader *reader)
{
	while (sw_read_sign(reader, "/*")) {
		sw_scan *scan = &reader->scan;
		while (scan->at + 1 < scan->text.length && memcmp(scan->text.at + scan->at, "*/", 2) != 0)
			scan->at++;
		scan->at = scan->at + 2 < scan->text.length ? scan->at + 2 : scan->text.length;
	}
}

static bool hlo_read_list(sw_reader *reader, hlo *h)
{
	sw_diag *diag = reader->scan.diag;
	h->list_at = sw_scan_next_span(&reader->scan);
	do {
		int64_t id;
		if (h->list.count > SW_MAX_MAP_DEVICES)
			return sw_diag_set(diag, SW_S08, h->list_at, "more than 2^20 devices are listed");
		if (!sw_read_number(reader, "number of a device", 0, SW_MAX_DEVICES, &id) ||
			!sw_numbers_add(&h->list, id, reader->arena, diag))
			return false;
	} while (sw_scan_take(&reader->scan, ','));
	h->list_at.end = reader->scan.at;
	return true;
}

static bool hlo_refuse_count(sw_reader *reader, const hlo *h, int64_t found)
{
	sw_diag_set(reader->scan.diag, SW_N04, h->list_at, "%" PRId64 " devices for %" PRId64 " places of the tile grid",
		found, h->devices);
	sw_diag_expected(reader->scan.diag, "%" PRId64 ", the product of the tile dimensions", h->devices);
	sw_diag_found(reader->scan.diag, "%" PRId64, found);
	sw_diag_also(reader->scan.diag, h->dims_at, "the tile dimensions");
	return false;
}

static bool hlo_read_devices(sw_reader *reader, hlo *h)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	int64_t found;
	if (!sw_scan_expect(&reader->scan, '[', "'[' and the tile dimensions", (sw_span){0, 0}))
		return false;
	h->dims = sw_read_numbers(reader, ']', open, "tile dimension", 1, h->dim, HLO_DIMS);
	h->dims_at = (sw_span){open.begin, reader->scan.at};
	h->devices = 1;
	h->has_dims = true;
	for (int i = 0; i < h->dims; i++)
		if (!sw_mul(h->devices, h->dim[i], &h->devices) || h->devices > SW_MAX_DEVICES)
			return sw_diag_set(reader->scan.diag, SW_M05, h->dims_at, "more than 2^40 devices");
	if (h->dims < 0)
		return false;
	int next = sw_scan_peek(&reader->scan);
	h->list_at = h->dims_at;
	if (sw_read_sign(reader, "<=")) {
		h->how = HLO_IOTA;
		h->list_at = sw_scan_next_span(&reader->scan);
		h->digits = sw_digits_scan(&reader->scan, h->digit, SW_MAX_PARTS, &found);
		h->list_at.end = reader->scan.at;
		return h->digits >= 0 && (found == h->devices || hlo_refuse_count(reader, h, found));
	}
	if (next < '0' || next > '9')
		return true;
	h->how = HLO_LISTED;
	return hlo_read_list(reader, h) && (h->list.count == h->devices || hlo_refuse_count(reader, h, h->list.count));
}

static const struct hlo_state {
	const char *name;
	sw_subgroup state;
} hlo_states[] = {{"replicated", SW_SUBGROUP_REPLICATED}, {"manual", SW_SUBGROUP_MANUAL},
	{"unreduced", SW_SUBGROUP_UNREDUCED}, {"maximal", SW_SUBGROUP_MAXIMAL}};

static bool hlo_read_state(sw_reader *reader, hlo *h)
{
	for (size_t i = 0; i < sizeof(hlo_states) / sizeof(*hlo_states); i++) {
		if (!sw_read_word(reader, hlo_states[i].name))
			continue;
		if (h->states == SW_MAX_SUBGROUPS)
			return sw_read_refuse(reader, "at most four kinds of subgroups");
		SW_ROOM(h->state, h->states);
		h->state[h->states++] = hlo_states[i].state;
		return true;
	}
	return sw_read_refuse(reader, "replicated, manual, unreduced or maximal");
}

static bool hlo_read_states(sw_reader *reader, hlo *h)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	bool more = true;
	if (!sw_scan_expect(&reader->scan, '{', "'{' and the kinds of the last dimensions", (sw_span){0, 0}))
		return false;
	while (more)
		if (!hlo_read_state(reader, h) || !sw_scan_list(&reader->scan, '}', "a comma or '}'", open, &more))
			return false;
	return true;
}

static const struct hlo_kind {
	const char *name;
	sw_sharding_kind kind;
} hlo_kinds[] = {{"replicated", SW_SHARDING_TILED}, {"manual", SW_SHARDING_MANUAL}, {"unknown", SW_SHARDING_UNKNOWN},
	{"unreduced", SW_SHARDING_UNREDUCED}, {"maximal", SW_SHARDING_MAXIMAL}};

static bool hlo_read_kind(sw_reader *reader, hlo *h)
{
	sw_span at = sw_scan_next_span(&reader->scan);
	for (size_t i = 0; i < sizeof(hlo_kinds) / sizeof(*hlo_kinds); i++)
		if (!h->has_kind && sw_read_word(reader, hlo_kinds[i].name)) {
			h->has_kind = true;
			h->kind_at = at;
			h->kind = hlo_kinds[i].kind;
			return true;
		}
	return sw_read_refuse(reader, "replicated, maximal, manual, devices=[...] or last_tile_dim_replicate");
}

static bool hlo_read_item(sw_reader *reader, hlo *h)
{
	static const char equals[] = "'='";
	sw_scan *scan = &reader->scan;
	sw_span nowhere = {0, 0};
	int64_t group;
	if (sw_read_word(reader, "devices"))
		return sw_scan_expect(scan, '=', equals, nowhere) && hlo_read_devices(reader, h);
	if (sw_read_word(reader, "last_tile_dim_replicate")) {
		h->state[0] = SW_SUBGROUP_REPLICATED;
		h->states = 1;
		return true;
	}
	if (sw_read_word(reader, "last_tile_dims"))
		return sw_scan_expect(scan, '=', equals, nowhere) && hlo_read_states(reader, h);
	if (sw_read_word(reader, "device")) {
		h->has_device = true;
		h->device_at = sw_scan_next_span(scan);
		return sw_scan_expect(scan, '=', equals, nowhere) &&
			sw_read_number(reader, "number of the device", 0, SW_MAX_DEVICES, &h->device);
	}
	if (sw_read_word(reader, "shard_as") || sw_read_word(reader, "shard_like"))
		return sw_read_number(reader, "number of the group", 0, INT64_MAX, &group);
	if (sw_read_word(reader, "metadata")) {
		sw_read_sign(reader, "=");
		sw_py_value(&reader->scan);
		return true;
	}
	return hlo_read_kind(reader, h);
}

/* ---- from digits to a mesh ---- */

static bool hlo_make_mesh(sw_reader *reader, const sw_digit *digit, int count, int *axis)
{
	sw_sharding *out = reader->out;
	int64_t taken = INT64_MAX;
	out->mesh = (sw_mesh){.devices = 1};
	for (int made = 0; made < count; made++) {
		int largest = -1;
		for (int i = 0; i < count; i++)
			if (digit[i].stride < taken && (largest < 0 || digit[i].stride > digit[largest].stride))
				largest = i;
		char name[SW_NAME_SIZE];
		sw_axis_name(made, name);
		if (largest < 0 || !sw_mesh_add(&out->mesh, sw_str_of(name), digit[largest].size, NULL))
			return false;
		taken = digit[largest].stride;
		axis[largest] = made;
	}
	for (int i = 0; i < count; i++)
		if (out->mesh.axis[axis[i]].stride != digit[i].stride)
			return false;
	return true;
}

/* Hands the digits out to the dimensions of the grid; false where one does not end with a dimension. */
static bool hlo_cut(sw_sharding *out, const hlo *h, const sw_digit *digit, int count, const int *axis)
{
	int at = 0, parts = 0;
	int64_t pre = 1;
	for (int d = 0; d < h->dims; d++) {
		out->first[d] = parts;
		for (int64_t need = h->dim[d]; need > 1;) {
			int64_t left = at < count ? digit[at].size / pre : 1;
			int64_t size = left % need == 0 ? need : left;
			if (left == 1 || need % size != 0 || parts == SW_MAX_PARTS)
				return false;
			SW_ROOM(out->parts, parts);
			out->parts[parts++] = (sw_part){axis[at], pre, size};
			need /= size;
			pre = size == left ? 1 : pre * size;
			at += size == left;
		}
	}
	out->first[h->dims] = parts;
	return true;
}

/* How many parts lie further out in the order of the devices than part `i`. */
static int hlo_major_parts(const sw_sharding *s, int count, int i)
{
	int before = 0;
	for (int k = 0; k < count; k++)
		before += s->parts[k].axis < s->parts[i].axis ||
			(s->parts[k].axis == s->parts[i].axis && s->parts[k].pre < s->parts[i].pre);
	return before;
}

/* A mesh that is cut where the grid is, so that every part is an axis. */
static void hlo_cut_mesh(sw_sharding *out, int dims)
{
	sw_mesh fine = {.devices = 1};
	sw_part parts[SW_MAX_PARTS];
	int count = out->first[dims];
	if (out->mesh.devices == 1 || count > SW_MAX_AXES)
		return;
	for (int made = 0; made < count; made++)
		for (int i = 0; i < count; i++) {
			char name[SW_NAME_SIZE];
			if (hlo_major_parts(out, count, i) != made)
				continue;
			sw_axis_name(made, name);
			if (!sw_mesh_add(&fine, sw_str_of(name), out->parts[i].size, NULL))
				return;
			parts[i] = (sw_part){made, 1, out->parts[i].size};
		}
	memcpy(out->parts, parts, sizeof(*parts) * (size_t)count);
	out->mesh = fine;
}

/* The grid itself as a mesh, the list as the order of its devices. */
static bool hlo_keep_list(sw_reader *reader, hlo *h)
{
	sw_sharding *out = reader->out;
	sw_diag *diag = reader->scan.diag;
	if (h->devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(diag, SW_S08, h->list_at, "a list of more than 2^20 devices that no mesh orders");
	if (h->how != HLO_LISTED) {
		h->list.at = SW_NEW(reader->arena, int64_t, h->devices);
		if (!h->list.at)
			return sw_diag_memory(diag);
		sw_digits_expand(h->digit, h->digits, h->list.at);
	}
	int parts = 0;
	out->mesh = (sw_mesh){.devices = 1};
	for (int d = 0; d < h->dims; d++) {
		char name[SW_NAME_SIZE];
		out->first[d] = parts;
		if (h->dim[d] == 1)
			continue;
		sw_axis_name(parts, name);
		if (!sw_mesh_add(&out->mesh, sw_str_of(name), h->dim[d], diag))
			return false;
		out->parts[parts] = (sw_part){parts, 1, h->dim[d]};
		parts++;
	}
	out->first[h->dims] = parts;
	out->mesh.order = h->list.at;
	return true;
}

static bool hlo_find_digits(sw_reader *reader, hlo *h)
{
	if (h->how == HLO_NO_LIST) {
		h->digit[0] = (sw_digit){.size = h->devices, .stride = 1};
		h->digits = 1;
	} else if (h->how == HLO_LISTED) {
		if (!sw_read_ids(reader, h->list.at, h->devices, h->list_at))
			return false;
		reader->out->mesh.order = NULL;
		h->digits = sw_digits_of_list(h->list.at, h->devices, h->digit, SW_MAX_PARTS);
	}
	return true;
}

static bool hlo_tiles(sw_reader *reader, hlo *h)
{
	sw_sharding *out = reader->out;
	int axis[SW_MAX_PARTS];
	if (h->states >= h->dims && h->states > 0 && h->dims < h->states) {
		sw_diag_set(reader->scan.diag, SW_N01, h->dims_at, "%d dimensions, of which the last %d are subgroups",
			h->dims, h->states);
		return false;
	}
	if (h->dims - h->states > SW_MAX_DIMS) {
		sw_diag_set(reader->scan.diag, SW_T06, h->dims_at, "more than %d dimensions", SW_MAX_DIMS);
		return false;
	}
	if (!hlo_find_digits(reader, h))
		return false;
	sw_digit digit[SW_MAX_PARTS];
	int count = h->digits;
	if (count > 0) {
		memcpy(digit, h->digit, sizeof(*digit) * (size_t)count);
		count = sw_digits_merge(digit, count);
	}
	bool meshed = count >= 0 && count <= SW_MAX_AXES && hlo_make_mesh(reader, digit, count, axis) &&
		hlo_cut(out, h, digit, count, axis);
	if (meshed)
		hlo_cut_mesh(out, h->dims);
	else if (!hlo_keep_list(reader, h))
		return false;
	out->rank = h->dims - h->states;
	out->subgroups = h->states;
	memcpy(out->subgroup, h->state, sizeof(out->subgroup));
	out->notation = h->how == HLO_LISTED ? SW_NOTATION_HLO_LIST : SW_NOTATION_HLO;
	out->assumed_iota = h->how == HLO_NO_LIST;
	for (int d = 0; d < out->rank; d++)
		out->priority[d] = -1;
	return true;
}

static bool hlo_finish(sw_reader *reader, hlo *h, sw_span open)
{
	sw_sharding *out = reader->out;
	sw_diag *diag = reader->scan.diag;
	sw_span all = {open.begin, reader->scan.at};
	bool maximal = h->has_kind && h->kind == SW_SHARDING_MAXIMAL;
	if (maximal && !h->has_device)
		return sw_diag_set(diag, SW_N01, h->kind_at, "maximal says which device: device=N is missing");
	if (h->has_device && !maximal)
		return sw_diag_set(diag, SW_N01, h->device_at, "device= belongs to maximal; a list is devices=[...]");
	if (h->has_kind && h->has_dims)
		return sw_diag_set(diag, SW_N01, h->kind_at, "this and devices=[...] exclude each other");
	if (h->has_dims)
		return hlo_tiles(reader, h);
	if (h->states)
		return sw_diag_set(diag, SW_N01, all, "last_tile_dims without devices=[...]");
	if (!h->has_kind) {
		sw_diag_set(diag, SW_N01, all, "an empty sharding");
		sw_diag_expected(diag, "{replicated}, {maximal device=N}, {manual} or {devices=[...]...}");
		return false;
	}
	out->kind = h->kind;
	out->device = h->device;
	out->extends = h->kind == SW_SHARDING_TILED;
	if (out->extends || out->kind == SW_SHARDING_UNREDUCED)
		sw_read_known_mesh(reader);
	return true;
}

static bool hlo_read_one(sw_reader *reader)
{
	hlo h = {.dims = 0};
	sw_span open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '{', "'{'", (sw_span){0, 0}))
		return false;
	reader->out->notation = SW_NOTATION_HLO;
	hlo_skip_comment(reader);
	if (sw_read_sees(reader, "mesh") || sw_read_sees(reader, "maximal_mesh")) {
		reader->scan.at = open.begin;
		return sw_read_hlo_named(reader);
	}
	while (!sw_scan_take(&reader->scan, '}')) {
		if (sw_scan_peek(&reader->scan) < 0)
			return sw_scan_unexpected(&reader->scan, "'}'", open);
		if (!hlo_read_item(reader, &h))
			return false;
		sw_scan_take(&reader->scan, ',');
		hlo_skip_comment(reader);
	}
	return hlo_finish(reader, &h, open);
}

#define HLO_MOST_ITEMS 4096

static bool hlo_read_tuple(sw_reader *reader)
{
	sw_sharding *out = reader->out, *items = NULL;
	sw_span open = sw_scan_next_span(&reader->scan);
	int count = 0, room = 0;
	bool more = !sw_read_sign(reader, "{") || sw_scan_peek(&reader->scan) >= 0;
	while (more) {
		if (count == HLO_MOST_ITEMS)
			return sw_read_refuse(reader, "a tuple of at most 4096 shardings");
		if (count == room) {
			room = room ? 2 * room : 4;
			sw_sharding *grown = SW_NEW_ZERO(reader->arena, sw_sharding, room);
			if (!grown)
				return sw_diag_memory(reader->scan.diag);
			if (count)
				memcpy(grown, items, sizeof(*items) * (size_t)count);
			items = grown;
		}
		hlo_skip_comment(reader);
		reader->out = &items[count++];
		bool ok = hlo_read_one(reader);
		reader->out = out;
		hlo_skip_comment(reader);
		if (!ok || !sw_scan_list(&reader->scan, '}', "a comma or '}'", open, &more))
			return false;
	}
	out->kind = SW_SHARDING_TUPLE;
	out->notation = SW_NOTATION_HLO;
	out->items = items;
	out->count = count;
	return true;
}

/* ---- orders of devices without tiles: `[3,8]T(1,0)` ---- */

/* A mesh whose places have their devices in this order. */
static bool hlo_mesh_of_order(sw_reader *reader, const sw_digit *digit, int count, int64_t devices, sw_span at)
{
	sw_sharding *out = reader->out;
	sw_diag *diag = reader->scan.diag;
	if (devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(diag, SW_S08, at, "an order of more than 2^20 devices is too long for a list");
	int64_t *ids = SW_NEW(reader->arena, int64_t, devices);
	if (!ids)
		return sw_diag_memory(diag);
	out->mesh = (sw_mesh){.devices = 1};
	for (int i = 0; i < count; i++) {
		char name[SW_NAME_SIZE];
		sw_axis_name(i, name);
		if (!sw_mesh_add(&out->mesh, sw_str_of(name), digit[i].size, diag))
			return false;
	}
	sw_digits_expand(digit, count, ids);
	out->named = true;
	return sw_read_ids(reader, ids, devices, at);
}

static void hlo_note_order(sw_reader *reader, sw_span at, int64_t devices)
{
	const char *order = reader->scan.text.at + at.begin;
	sw_read_note(reader,
		"it has no tiles; after tiles it is written as in {devices=[%" PRId64
		",1]<=%.*s}, which cuts the first of two "
		"dimensions in %" PRId64,
		devices, (int)(at.end - at.begin), order, devices);
}

static bool hlo_read_order(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_digit digit[SW_MAX_PARTS];
	int64_t devices;
	sw_read_sign(reader, "<=");
	sw_span at = sw_scan_next_span(scan);
	int count = sw_digits_scan(scan, digit, SW_MAX_PARTS, &devices);
	at.end = scan->at;
	reader->out->notation = SW_NOTATION_HLO;
	reader->out->kind = SW_SHARDING_MESH;
	if (count < 0 || !hlo_mesh_of_order(reader, digit, count, devices, at))
		return false;
	hlo_note_order(reader, at, devices);
	return true;
}

bool sw_read_hlo(sw_reader *reader)
{
	if (sw_is_rewritten(reader->scan.text))
		return sw_read_rewritten(reader);
	if (sw_read_sees(reader, "[") || sw_read_sees(reader, "<="))
		return hlo_read_order(reader);
	if (sw_read_word(reader, "sharding"))
		sw_read_sign(reader, "=");
	size_t before = reader->scan.at;
	bool tuple = sw_read_sign(reader, "{");
	hlo_skip_comment(reader);
	tuple = tuple && sw_read_sees(reader, "{");
	reader->scan.at = before;
	return tuple ? hlo_read_tuple(reader) : hlo_read_one(reader);
}

/* ---- printing ---- */

static int64_t hlo_product(const sw_part *parts, int begin, int end)
{
	int64_t product = 1;
	for (int i = begin; i < end; i++)
		product *= parts[i].size;
	return product;
}

static bool hlo_is_xla(const sw_sharding *sharding)
{
	return sharding->notation == SW_NOTATION_HLO || sharding->notation == SW_NOTATION_HLO_LIST;
}

/* What is printed: parts of the dimensions, of the subgroups in their order, then all others. */
typedef struct hlo_order {
	int count, dims, states;
	sw_part parts[SW_MAX_PARTS + SW_MAX_AXES];
	int64_t dim[HLO_DIMS + 1];
	sw_subgroup state[SW_MAX_SUBGROUPS + 1];
} hlo_order;

static void hlo_order_of(const sw_sharding *s, hlo_order *order)
{
	bool keeps = hlo_is_xla(s);
	unsigned used = keeps ? ~0u : ~(1u << SW_SUBGROUP_REPLICATED);
	*order = (hlo_order){.count = 0};
	for (int slot = 0; slot < s->rank + s->subgroups; slot++) {
		int begin = s->first[slot], end = s->first[slot + 1];
		if (slot >= s->rank && !keeps && s->subgroup[slot - s->rank] == SW_SUBGROUP_REPLICATED)
			continue;
		if (slot >= s->rank && begin == end)
			continue;
		if (slot >= s->rank) {
			SW_ROOM(order->state, order->states);
			order->state[order->states++] = s->subgroup[slot - s->rank];
		}
		SW_ROOM(order->dim, order->dims);
		order->dim[order->dims++] = hlo_product(s->parts, begin, end);
		for (int i = begin; i < end; i++) {
			SW_ROOM(order->parts, order->count);
			order->parts[order->count++] = s->parts[i];
		}
	}
	int rest = sw_sharding_rest(s, used, order->parts + order->count, SW_MAX_AXES);
	int64_t copies = hlo_product(order->parts, order->count, order->count + rest);
	order->count += rest;
	if (copies > 1) {
		SW_ROOM(order->state, order->states);
		order->state[order->states++] = SW_SUBGROUP_REPLICATED;
		SW_ROOM(order->dim, order->dims);
		order->dim[order->dims++] = copies;
	}
}

static void hlo_print_states(const hlo_order *order, sw_text *text)
{
	if (order->states == 1 && order->state[0] == SW_SUBGROUP_REPLICATED) {
		sw_text_add(text, " last_tile_dim_replicate");
		return;
	}
	for (int i = 0; i < order->states; i++)
		sw_text_addf(text, "%s%s", i ? ", " : " last_tile_dims={", hlo_states[order->state[i]].name);
	sw_text_add(text, order->states ? "}" : "");
}

static bool hlo_whole(const sw_sharding *s)
{
	bool whole = s->first[s->rank] == 0;
	for (int g = 0; g < s->subgroups; g++)
		whole = whole &&
			(s->subgroup[g] == SW_SUBGROUP_REPLICATED || sw_subgroup_first(s, g) == sw_subgroup_first(s, g + 1));
	return whole;
}

static bool hlo_print_list(const sw_sharding *s, sw_digit *digit, int count, bool list, sw_arena *arena,
	sw_text *text, sw_diag *diag)
{
	int64_t devices = s->mesh.devices;
	if (!list && !s->mesh.order) {
		sw_text_add(text, "<=");
		return sw_digits_print(digit, count, devices, text);
	}
	if (devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "a list of more than 2^20 devices is too long");
	int64_t *ids = SW_NEW(arena, int64_t, devices);
	if (!ids)
		return sw_diag_memory(diag);
	sw_digits_expand(digit, count, ids);
	for (int64_t i = 0; i < devices && s->mesh.order; i++)
		ids[i] = s->mesh.order[ids[i]];
	int found = list ? -1 : sw_digits_of_list(ids, devices, digit, SW_MAX_PARTS);
	size_t before = text->length;
	sw_text_add(text, "<=");
	if (found >= 0 && sw_digits_print(digit, sw_digits_merge(digit, found), devices, text))
		return true;
	if (!text->failed)
		text->data[text->length = before] = '\0';
	for (int64_t i = 0; i < devices; i++)
		sw_text_addf(text, "%s%" PRId64, i ? "," : "", ids[i]);
	return true;
}

static bool hlo_print_tiles(const sw_sharding *s, bool list, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	hlo_order order;
	sw_digit digit[SW_MAX_PARTS + SW_MAX_AXES];
	if (hlo_whole(s)) {
		sw_text_add(text, "{replicated}");
		return true;
	}
	hlo_order_of(s, &order);
	int count = sw_digits_merge(digit, sw_digits_of_parts(&s->mesh, order.parts, order.count, digit));
	for (int i = 0; i < order.dims; i++)
		sw_text_addf(text, "%s%" PRId64, i ? "," : "{devices=[", order.dim[i]);
	sw_text_add(text, "]");
	if (!hlo_print_list(s, digit, count, list, arena, text, diag))
		return false;
	hlo_print_states(&order, text);
	sw_text_add(text, "}");
	return true;
}

/* A mesh that was read here is an order of devices.  `[8]` alone would be an array. */
static bool hlo_print_order(const sw_sharding *s, sw_text *text, sw_diag *diag)
{
	sw_digit digit[SW_MAX_PARTS] = {{.size = s->mesh.devices, .stride = 1}};
	int count = 1;
	if (s->kind != SW_SHARDING_MESH || !hlo_is_xla(s))
		return sw_print_refuse(diag, SW_NOTATION_HLO, "it is not a sharding");
	if (s->mesh.order)
		count = sw_digits_of_list(s->mesh.order, s->mesh.devices, digit, SW_MAX_PARTS);
	if (count < 0)
		return sw_print_refuse(diag, SW_NOTATION_HLO, "its order of devices is a list");
	count = sw_digits_merge(digit, count);
	if (count <= 1)
		sw_text_add(text, "<=");
	return sw_digits_print(digit, count, s->mesh.devices, text) ||
		sw_print_refuse(diag, SW_NOTATION_HLO, "its order of devices is a list");
}

static bool hlo_print(const sw_sharding *s, bool list, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	if (s->kind == SW_SHARDING_TUPLE) {
		for (int i = 0; i < s->count; i++) {
			sw_text_add(text, i ? ", " : "{");
			if (i && i % 5 == 0)
				sw_text_addf(text, "/*index=%d*/", i);
			if (!hlo_print(&s->items[i], s->items[i].notation == SW_NOTATION_HLO_LIST, arena, text, diag))
				return false;
		}
		sw_text_add(text, "}");
		return true;
	}
	if (s->kind == SW_SHARDING_TILED)
		return hlo_print_tiles(s, list, arena, text, diag);
	if (s->kind == SW_SHARDING_MAXIMAL)
		sw_text_addf(text, "{maximal device=%" PRId64 "}", s->device);
	for (size_t i = 1; i + 1 < sizeof(hlo_kinds) / sizeof(*hlo_kinds); i++)
		if (hlo_kinds[i].kind == s->kind)
			sw_text_addf(text, "{%s}", hlo_kinds[i].name);
	return s->kind <= SW_SHARDING_TUPLE || hlo_print_order(s, text, diag);
}

bool sw_print_hlo(const sw_sharding *sharding, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	return hlo_print(sharding, false, arena, text, diag);
}

bool sw_print_hlo_list(const sw_sharding *sharding, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	return hlo_print(sharding, true, arena, text, diag);
}
