/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who talks to whom: replica groups as lists (V1), as a transposed iota (V2), as axes of a mesh (V3); and the pairs
 * of a permutation.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>

#include "array/parts.h"

static const sw_span nowhere = {0, 0};

/* {{0,1},{2,3}}; the lists' starts follow. */
static bool groups_read_lists(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_scan *scan = &reader->scan;
	sw_numbers members = {0}, starts = {0};
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '{', "'{' and groups", nowhere))
		return false;
	if (!sw_numbers_add(&starts, 0, reader->arena, scan->diag))
		return false;
	for (bool more = !sw_scan_take(scan, '}'); more;) {
		sw_span inner = sw_scan_next_span(scan);
		if (!sw_scan_expect(scan, '{', "'{' and the devices of a group", nowhere))
			return false;
		for (bool another = !sw_scan_take(scan, '}'); another;) {
			int64_t id;
			if (!sw_read_number(reader, "number of a device", 0, SW_MAX_DEVICES, &id) ||
				!sw_numbers_add(&members, id, reader->arena, scan->diag) ||
				!sw_scan_list(scan, '}', "a comma or '}'", inner, &another))
				return false;
		}
		if (!sw_numbers_add(&starts, members.count, reader->arena, scan->diag) ||
			!sw_scan_list(scan, '}', "a comma or '}'", open, &more))
			return false;
	}
	out->members = members.at;
	out->starts = starts.at;
	out->count = (int)starts.count - 1;
	return true;
}

static bool groups_refuse_twice(sw_reader *reader, int64_t id, const char *where, sw_span at)
{
	sw_diag_set(reader->scan.diag, SW_N04, at, "device %" PRId64 " appears twice%s", id, where);
	sw_diag_expected(reader->scan.diag, "each device once");
	return false;
}

/* Does a device stand twice at every `step`-th place from `from` on? */
static bool groups_once(sw_reader *reader, int64_t from, int64_t step, int64_t count, const char *where, sw_span at)
{
	const int64_t *members = reader->out->members;
	int64_t most = 0;
	for (int64_t i = from; i < count; i += step)
		most = members[i] > most ? members[i] : most;
	if (most > 16 * SW_MAX_MAP_DEVICES)
		return sw_diag_set(reader->scan.diag, SW_S08, at, "device %" PRId64 " is beyond what is listed", most);
	uint8_t *seen = SW_NEW_ZERO(reader->arena, uint8_t, most + 1);
	if (!seen)
		return sw_diag_memory(reader->scan.diag);
	for (int64_t i = from; i < count; i += step)
		if (seen[members[i]]++)
			return groups_refuse_twice(reader, members[i], where, at);
	return true;
}

/* `{{}}` is a group of all devices, as `{}` is; beside others a group has some. */
static bool groups_have_devices(sw_reader *reader, sw_span at)
{
	sw_sharding *out = reader->out;
	if (out->starts[out->count] == 0 && out->count == 1)
		out->count = 0;
	for (int g = 0; g < out->count; g++)
		if (out->starts[g] == out->starts[g + 1]) {
			sw_diag_set(reader->scan.diag, SW_N04, at, "group %d of %d has no devices", g + 1, out->count);
			sw_diag_expected(reader->scan.diag, "one device or more in each group");
			return false;
		}
	return true;
}

/* Groups of `size` from the devices in the order of digits, through the mesh's order of devices. */
static bool groups_expand(sw_reader *reader, const sw_digit *digit, int count, int64_t devices, int64_t size,
	const int64_t *ids)
{
	sw_sharding *out = reader->out;
	if (devices > SW_MAX_MAP_DEVICES)
		return sw_diag_set(reader->scan.diag, SW_S08, nowhere, "groups of more than 2^20 devices");
	int64_t *members = SW_NEW(reader->arena, int64_t, devices);
	int64_t *starts = SW_NEW(reader->arena, int64_t, devices / size + 1);
	if (!members || !starts)
		return sw_diag_memory(reader->scan.diag);
	sw_digits_expand(digit, count, members);
	for (int64_t i = 0; i < devices && ids; i++)
		members[i] = ids[members[i]];
	for (int64_t g = 0; g <= devices / size; g++)
		starts[g] = g * size;
	out->members = members;
	out->starts = starts;
	out->count = (int)(devices / size);
	return true;
}

/* [4,2]<=[2,4]T(1,0) */
static bool groups_read_iota(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_digit digit[SW_MAX_PARTS];
	int64_t shape[2], devices;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '[', "'[' and how many groups of how many devices", nowhere))
		return false;
	int dims = sw_read_numbers(reader, ']', open, "number", 1, shape, 2);
	sw_span at = {open.begin, scan->at};
	if (dims < 0)
		return false;
	if (dims != 2)
		return sw_diag_set(scan->diag, SW_N01, at, "groups are [GROUPS,SIZE]<=[...]");
	if (!sw_read_sign(reader, "<="))
		return sw_read_refuse(reader, "'<=' and the devices");
	int count = sw_digits_scan(&reader->scan, digit, SW_MAX_PARTS, &devices);
	if (count < 0)
		return false;
	if (shape[0] > devices || shape[1] > devices || shape[0] * shape[1] != devices) {
		sw_diag_set(scan->diag, SW_N04, at, "%" PRId64 " groups of %" PRId64 " are not %" PRId64 " devices", shape[0],
			shape[1], devices);
		sw_diag_expected(scan->diag, "two numbers whose product is %" PRId64, devices);
		return false;
	}
	return groups_expand(reader, digit, count, devices, shape[1], NULL);
}

/* mesh[a=2,b=4] {a,b:(1)2}: all other axes first, then those listed. */
static bool groups_read_axes(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_scan *scan = &reader->scan;
	sw_part rest[SW_MAX_PARTS];
	sw_digit digit[2 * SW_MAX_PARTS];
	if (!sw_read_mesh_and_order(reader))
		return false;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '{', "'{' and the axes of a group", nowhere))
		return false;
	for (bool more = !sw_scan_take(scan, '}'); more;)
		if (!sw_read_axis(reader) || !sw_scan_list(scan, '}', "a comma or '}'", open, &more))
			return false;
	if (!sw_read_end_dim(reader, open))
		return false;
	int others = sw_sharding_rest(out, ~0u, rest, SW_MAX_PARTS);
	int count = sw_digits_of_parts(&out->mesh, rest, others, digit);
	count += sw_digits_of_parts(&out->mesh, out->parts, out->first[1], digit + count);
	return groups_expand(reader, digit, count, out->mesh.devices, sw_sharding_cuts(out, 0), out->mesh.order);
}

bool sw_read_groups(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	out->notation = SW_NOTATION_GROUPS;
	if (sw_read_word(reader, "replica_groups"))
		sw_read_sign(reader, "=");
	out->kind = SW_SHARDING_GROUPS;
	sw_span at = sw_scan_next_span(&reader->scan);
	if (sw_read_sees(reader, "["))
		return groups_read_iota(reader);
	if (sw_read_word(reader, "mesh"))
		return groups_read_axes(reader);
	if (!groups_read_lists(reader))
		return false;
	at.end = reader->scan.at;
	return groups_have_devices(reader, at) && groups_once(reader, 0, 1, out->starts[out->count], "", at);
}

bool sw_read_pairs(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	out->notation = SW_NOTATION_PAIRS;
	if (sw_read_word(reader, "source_target_pairs"))
		sw_read_sign(reader, "=");
	sw_span at = sw_scan_next_span(&reader->scan);
	if (!groups_read_lists(reader))
		return false;
	at.end = reader->scan.at;
	out->kind = SW_SHARDING_PAIRS;
	for (int i = 0; i < out->count; i++)
		if (out->starts[i + 1] != out->starts[i] + 2)
			return sw_diag_set(reader->scan.diag, SW_N01, at, "pair %d is not a source and a target", i);
	return out->count == 0 ||
		(groups_once(reader, 0, 2, 2 * (int64_t)out->count, " as a source", at) &&
			groups_once(reader, 1, 2, 2 * (int64_t)out->count, " as a target", at));
}

static bool groups_print_iota(const sw_sharding *s, sw_text *text)
{
	sw_digit digit[SW_MAX_PARTS];
	int64_t size = s->count ? s->starts[1] : 0, devices = s->count ? s->starts[s->count] : 0;
	for (int g = 0; g < s->count; g++)
		if (s->starts[g + 1] - s->starts[g] != size)
			return false;
	if (devices == 0)
		return false;
	int count = sw_digits_of_list(s->members, devices, digit, SW_MAX_PARTS);
	sw_text dims = {0};
	bool ok = count >= 0 && sw_digits_print(digit, sw_digits_merge(digit, count), devices, &dims);
	if (ok)
		sw_text_addf(text, "[%d,%" PRId64 "]<=%s", s->count, size, sw_text_get(&dims));
	sw_text_free(&dims);
	return ok;
}

static void groups_print_lists(const sw_sharding *s, sw_text *text)
{
	sw_text_add(text, "{");
	for (int g = 0; g < s->count; g++) {
		sw_text_add(text, g ? ",{" : "{");
		for (int64_t i = s->starts[g]; i < s->starts[g + 1]; i++)
			sw_text_addf(text, "%s%" PRId64, i > s->starts[g] ? "," : "", s->members[i]);
		sw_text_add(text, "}");
	}
	sw_text_add(text, "}");
}

bool sw_print_groups(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	if (s->kind != SW_SHARDING_GROUPS)
		return sw_print_refuse(diag, SW_NOTATION_GROUPS,
			"it says where tiles are, not which devices "
			"communicate");
	if (!groups_print_iota(s, text))
		groups_print_lists(s, text);
	return true;
}

bool sw_print_pairs(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)arena;
	if (s->kind != SW_SHARDING_PAIRS)
		return sw_print_refuse(diag, SW_NOTATION_PAIRS,
			"it says where tiles are, not which devices "
			"communicate");
	sw_text_add(text, "source_target_pairs=");
	groups_print_lists(s, text);
	return true;
}
