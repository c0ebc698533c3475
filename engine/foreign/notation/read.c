/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of all notations share.
 */
#include "foreign/notation/read.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "base/room.h"

static sw_span nowhere(void)
{
	return (sw_span){0, 0};
}

bool sw_read_word(sw_reader *reader, const char *word)
{
	size_t before = reader->scan.at;
	sw_span at;
	if (sw_str_is(sw_scan_word(&reader->scan, &at), word))
		return true;
	reader->scan.at = before;
	return false;
}

bool sw_read_sees(sw_reader *reader, const char *sign)
{
	sw_scan *scan = &reader->scan;
	size_t length = strlen(sign);
	sw_scan_peek(scan);
	return scan->text.length - scan->at >= length && memcmp(scan->text.at + scan->at, sign, length) == 0;
}

bool sw_read_sign(sw_reader *reader, const char *sign)
{
	if (!sw_read_sees(reader, sign))
		return false;
	reader->scan.at += strlen(sign);
	return true;
}

void sw_read_note(sw_reader *reader, const char *format, ...)
{
	char sentence[320];
	const char *before = reader->out->note ? reader->out->note : "";
	va_list values;
	va_start(values, format);
	int length = vsnprintf(sentence, sizeof(sentence), format, values);
	va_end(values);
	size_t old = strlen(before), more = length < 0 ? 0 : strlen(sentence);
	char *note = sw_arena_alloc(reader->arena, old + more + 2, 1);
	if (!note)
		return;
	memcpy(note, before, old);
	memcpy(note + old, sentence, more);
	memcpy(note + old + more, "\n", 2);
	reader->out->note = note;
}

bool sw_read_refuse(sw_reader *reader, const char *expected)
{
	return sw_scan_unexpected(&reader->scan, expected, nowhere());
}

void sw_read_known_mesh(sw_reader *reader)
{
	const sw_notation_context *context = reader->context;
	if (!context || !context->mesh)
		return;
	reader->out->mesh = *context->mesh;
	reader->out->named = true;
}

bool sw_read_need_mesh(sw_reader *reader, sw_span at)
{
	if (!reader->out->named)
		sw_read_known_mesh(reader);
	if (!reader->out->named) {
		sw_diag_set(reader->scan.diag, SW_N03, at, "the mesh of this is unknown");
		sw_diag_expected(reader->scan.diag, "a mesh with these axes, such as mesh {x: 4, y: 2}");
		return false;
	}
	return true;
}

static bool read_unknown_axis(sw_reader *reader, sw_str name, sw_span at)
{
	const sw_mesh *mesh = &reader->out->mesh;
	sw_quote quote = sw_scan_quote(name);
	int near = sw_mesh_nearest(mesh, name);
	sw_text axes = {0};
	sw_diag_set(reader->scan.diag, SW_T02, at, "axis %s is not in the mesh", quote.text);
	sw_mesh_print(mesh, &axes);
	sw_diag_expected(reader->scan.diag, "an axis of the mesh %s", sw_text_get(&axes));
	sw_diag_found(reader->scan.diag, "%s", quote.text);
	if (near >= 0)
		sw_diag_hint(reader->scan.diag, "did you mean '%s'?", mesh->axis[near].name);
	sw_text_free(&axes);
	return false;
}

/* The dimension or subgroup that is being read. */
static int read_slot(const sw_sharding *out)
{
	return out->rank + out->subgroups;
}

static bool read_push(sw_reader *reader, sw_part part, sw_span at)
{
	sw_sharding *out = reader->out;
	int slot = read_slot(out), count = out->first[slot + 1];
	int clash = sw_parts_clash(out->parts, count, part);
	if (clash >= 0)
		return sw_parts_refuse(&out->mesh, out->parts[clash], reader->at[clash], part, at, reader->scan.diag);
	if (count == SW_MAX_PARTS)
		return sw_diag_set(reader->scan.diag, SW_N01, at, "more than %d parts of axes", SW_MAX_PARTS);
	sw_part *last = count > out->first[slot] ? &out->parts[count - 1] : NULL;
	if (last && last->axis == part.axis && part.pre == last->pre * last->size) {
		last->size *= part.size;
		return true;
	}
	reader->at[count] = at;
	out->parts[count] = part;
	out->first[slot + 1] = count + 1;
	return true;
}

bool sw_read_part(sw_reader *reader, sw_str name, sw_span at, int64_t pre, int64_t size)
{
	sw_sharding *out = reader->out;
	if (!sw_read_need_mesh(reader, at))
		return false;
	int axis = sw_mesh_find(&out->mesh, name);
	if (axis < 0)
		return read_unknown_axis(reader, name, at);
	sw_part part = {axis, pre, size ? size : out->mesh.axis[axis].size};
	if (!sw_part_check(&out->mesh, part, at, reader->scan.diag))
		return false;
	return part.size == 1 || read_push(reader, part, at);
}

bool sw_read_axis(sw_reader *reader)
{
	sw_str name;
	sw_span at, open;
	int64_t pre = 1, size = 0;
	if (!sw_scan_name(&reader->scan, "the name of an axis", nowhere(), &name, &at))
		return false;
	if (sw_read_sign(reader, ":")) {
		open = sw_scan_next_span(&reader->scan);
		if (!sw_scan_expect(&reader->scan, '(', "'(' and the size of what is more major", nowhere()) ||
			!sw_read_number(reader, "size of the more major parts", 1, INT64_MAX, &pre) ||
			!sw_scan_expect(&reader->scan, ')', "')'", open) ||
			!sw_read_number(reader, "size of the part", 1, INT64_MAX, &size))
			return false;
		at.end = reader->scan.at;
	}
	return sw_read_part(reader, name, at, pre, size);
}

bool sw_read_end_dim(sw_reader *reader, sw_span at)
{
	sw_sharding *out = reader->out;
	if (out->rank == SW_MAX_DIMS) {
		sw_diag_set(reader->scan.diag, SW_T06, at, "more than %d dimensions", SW_MAX_DIMS);
		return false;
	}
	SW_ROOM(out->priority, out->rank);
	out->priority[out->rank++] = -1;
	SW_ROOM(out->first, out->rank + 1);
	out->first[out->rank + 1] = out->first[out->rank];
	return true;
}

bool sw_read_end_subgroup(sw_reader *reader, sw_subgroup state, sw_span at)
{
	sw_sharding *out = reader->out;
	if (out->subgroups == SW_MAX_SUBGROUPS)
		return sw_diag_set(reader->scan.diag, SW_N01, at, "more than %d kinds of subgroups", SW_MAX_SUBGROUPS);
	SW_ROOM(out->subgroup, out->subgroups);
	out->subgroup[out->subgroups++] = state;
	int slot = read_slot(out);
	if (slot + 1 < (int)(sizeof(out->first) / sizeof(*out->first)))
		out->first[slot + 1] = out->first[slot];
	return true;
}

static int compare_ids(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return left < right ? -1 : left > right;
}

/* Devices with numbers of their own, each once: those of another mesh than one of all devices. */
static bool takes_numbers(sw_reader *reader, const int64_t *ids, int64_t count)
{
	int64_t *sorted = reader->context && reader->context->numbers ? SW_NEW(reader->arena, int64_t, count) : NULL;
	if (!sorted || count < 1)
		return false;
	memcpy(sorted, ids, (size_t)count * sizeof *ids);
	qsort(sorted, (size_t)count, sizeof *sorted, compare_ids);
	for (int64_t i = 1; i < count; i++)
		if (sorted[i] == sorted[i - 1])
			return false;
	if (sorted[0] < 0 || sorted[count - 1] < count)
		return false;
	reader->out->numbers = ids;
	return true;
}

bool sw_read_ids(sw_reader *reader, const int64_t *ids, int64_t count, sw_span at)
{
	sw_diag *diag = reader->scan.diag;
	bool iota = true;
	int64_t wrong = -1;
	uint8_t *seen = SW_NEW_ZERO(reader->arena, uint8_t, count);
	if (!seen)
		return sw_diag_memory(diag);
	for (int64_t i = 0; i < count && wrong < 0; i++) {
		if (ids[i] < 0 || ids[i] >= count || seen[ids[i]]++)
			wrong = i;
		iota = iota && ids[i] == i;
	}
	reader->out->listed = true;
	if (wrong >= 0 && takes_numbers(reader, ids, count))
		return true;
	if (wrong >= 0) {
		bool outside = ids[wrong] < 0 || ids[wrong] >= count;
		sw_diag_set(diag, SW_N04, at, "device %" PRId64 " %s", ids[wrong],
			outside ? "is not one of these devices" : "appears twice in the list");
		sw_diag_expected(diag, "each of 0 to %" PRId64 " once", count - 1);
		return false;
	}
	reader->out->mesh.order = iota ? NULL : ids;
	return true;
}

bool sw_numbers_add(sw_numbers *numbers, int64_t value, sw_arena *arena, sw_diag *diag)
{
	if (numbers->count == numbers->room) {
		int64_t room = numbers->room ? 2 * numbers->room : 64;
		int64_t *at = SW_NEW(arena, int64_t, room);
		if (!at)
			return sw_diag_memory(diag);
		if (numbers->count)
			memcpy(at, numbers->at, (size_t)numbers->count * sizeof *at);
		numbers->at = at;
		numbers->room = room;
	}
	numbers->at[numbers->count++] = value;
	return true;
}

bool sw_read_shape(sw_reader *reader, sw_dtype dtype, const sw_numbers *sizes)
{
	sw_sharding *out = reader->out;
	sw_type shape;
	if (sizes->count > SW_MAX_DIMS)
		return sw_diag_set(reader->scan.diag, SW_T06, nowhere(), "more than %d dimensions", SW_MAX_DIMS);
	if (!sw_type_replicated(dtype, (int)sizes->count, sizes->at, &shape, reader->scan.diag))
		return false;
	shape.dtype_given = true;
	if (out->rank == 0 && !out->extends) { /* the dimensions come next */
		out->shape = shape;
		out->has_shape = true;
		return true;
	}
	return sw_sharding_take_shape(out, &shape, reader->scan.diag);
}

static bool read_opens(sw_reader *reader)
{
	int next = sw_scan_peek(&reader->scan);
	return next == '[' || next == '(' || next == '{';
}

bool sw_read_array(sw_reader *reader, sw_numbers *numbers, int64_t *dim, int *dims)
{
	char close[SW_MAX_DIMS];
	int64_t length[SW_MAX_DIMS];
	sw_span open[SW_MAX_DIMS];
	int depth = 0;
	*dims = 0;
	do {
		while (read_opens(reader)) {
			if (depth == SW_MAX_DIMS)
				return sw_read_refuse(reader, "fewer brackets");
			open[depth] = sw_scan_next_span(&reader->scan);
			char opened = reader->scan.text.at[reader->scan.at++];
			length[depth] = 0;
			SW_ROOM(close, depth);
			close[depth++] = opened == '[' ? ']' : opened == '(' ? ')' : '}';
		}
		int64_t value;
		if (depth == 0)
			return sw_read_refuse(reader, "a list in brackets");
		bool empty = sw_scan_peek(&reader->scan) == (unsigned char)close[depth - 1];
		if (!empty &&
			(!sw_read_number(reader, "number of a device", 0, SW_MAX_DEVICES, &value) ||
				!sw_numbers_add(numbers, value, reader->arena, reader->scan.diag)))
			return false;
		length[depth - 1] += !empty;
		bool more = false;
		while (depth > 0 && !more) {
			if (!sw_scan_list(&reader->scan, close[depth - 1], "a comma, or the closing bracket", open[depth - 1],
					&more))
				return false;
			if (more)
				break;
			depth--;
			if (depth >= *dims)
				*dims = depth + 1;
			dim[depth] = length[depth];
			if (depth > 0)
				length[depth - 1]++;
		}
	} while (depth > 0);
	return true;
}

bool sw_read_sizes(sw_reader *reader, sw_numbers *numbers)
{
	size_t before = reader->scan.at;
	int64_t dim[SW_MAX_DIMS];
	int dims;
	sw_span at;
	sw_py_list list;
	bool call = sw_py_word(&reader->scan, &at).length > 0 && sw_py_open(&list, &reader->scan, "(", NULL);
	if (!call)
		reader->scan.at = before;
	return sw_read_array(reader, numbers, dim, &dims) && (!call || sw_py_rest(&list));
}

void sw_axis_name(int i, char name[SW_NAME_SIZE])
{
	assert(i >= 0);
	if (i < 26)
		snprintf(name, SW_NAME_SIZE, "%c", 'a' + i);
	else
		snprintf(name, SW_NAME_SIZE, "%c%d", 'a' + i % 26, i / 26);
}

bool sw_read_mesh_axes(sw_reader *reader, char close, sw_span open)
{
	sw_sharding *out = reader->out;
	out->mesh = (sw_mesh){.devices = 1};
	out->named = out->own_mesh = true;
	if (sw_scan_take(&reader->scan, close))
		return true;
	for (bool more = true; more;) {
		sw_str name;
		sw_span at;
		int64_t size;
		if (!sw_scan_name(&reader->scan, "the name of an axis", open, &name, &at))
			return false;
		if (!sw_read_sign(reader, "=") && !sw_read_sign(reader, ":"))
			return sw_read_refuse(reader, "'=' and the axis's size");
		if (!sw_read_number(reader, "size of the axis", 1, SW_MAX_DEVICES, &size))
			return false;
		if (!sw_mesh_add(&out->mesh, name, size, reader->scan.diag)) {
			if (reader->scan.diag)
				reader->scan.diag->at = at;
			return false;
		}
		if (!sw_scan_list(&reader->scan, close, "a comma, or the closing bracket", open, &more))
			return false;
	}
	return true;
}

bool sw_read_digits(sw_reader *reader, int64_t *number)
{
	sw_scan *scan = &reader->scan;
	size_t at = scan->at;
	*number = 0;
	for (; at < scan->text.length && scan->text.at[at] >= '0' && scan->text.at[at] <= '9'; at++) {
		if (*number > INT64_MAX / 10 - 10)
			return false;
		*number = 10 * *number + (scan->text.at[at] - '0');
	}
	bool some = at > scan->at;
	scan->at = at;
	return some;
}

bool sw_read_numbered_mesh(sw_reader *reader, const int64_t *size, int64_t count, sw_span at)
{
	sw_sharding *out = reader->out;
	if (count < 1 || count > SW_MAX_AXES)
		return sw_diag_set(reader->scan.diag, count < 1 ? SW_N01 : SW_M04, at, "a mesh of %" PRId64 " axes", count);
	out->mesh = (sw_mesh){.devices = 1};
	out->named = out->own_mesh = true;
	for (int64_t i = 0; i < count; i++) {
		char made[24];
		snprintf(made, sizeof(made), "m%" PRId64, i);
		if (!sw_mesh_add(&out->mesh, sw_str_of(made), size[i], reader->scan.diag)) {
			if (reader->scan.diag)
				reader->scan.diag->at = at;
			return false;
		}
	}
	return true;
}
