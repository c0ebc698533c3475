/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes as values: building, finding, printing, comparing.  Reading one is in mesh_parse.c.
 *
 * Source: seed 000, section 2.1 and figure 6.
 */
#include <shardwalk/mesh.h>

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/link.h"
#include "array/mesh_rules.h"
#include "base/room.h"
#include "base/scan.h"

static sw_str mesh_name(const sw_mesh *mesh, int axis)
{
	return sw_str_of(mesh->axis[axis].name);
}

int sw_mesh_find(const sw_mesh *mesh, sw_str name)
{
	for (int i = 0; i < mesh->count; i++)
		if (sw_str_equal(mesh_name(mesh, i), name))
			return i;
	return -1;
}

int64_t sw_mesh_levels(const sw_mesh *mesh)
{
	return mesh->count > 0 ? mesh->axis[mesh->count - 1].level + 1 : 1;
}

void sw_mesh_level(const sw_mesh *mesh, int64_t level, int *first, int *end)
{
	assert(level >= 0);
	*first = 0;
	while (*first < mesh->count && mesh->axis[*first].level < level)
		++*first;
	*end = *first;
	while (*end < mesh->count && mesh->axis[*end].level == level)
		++*end;
}

int sw_mesh_nearest(const sw_mesh *mesh, sw_str name)
{
	const char *names[SW_MAX_AXES];
	for (int i = 0; i < mesh->count; i++)
		names[i] = mesh->axis[i].name;
	return sw_str_nearest(name, names, mesh->count);
}

bool sw_mesh_name_check(sw_str name, sw_span at, sw_diag *diag)
{
	bool fits = name.length > 0 && name.length < SW_NAME_SIZE;
	if (fits && sw_scan_bad_byte(name) == name.length)
		return true;
	sw_quote quote = sw_scan_quote(name);
	if (name.length == 0)
		sw_diag_set(diag, SW_M06, at, "the axis has an empty name");
	else if (!fits)
		sw_diag_set(diag, SW_M06, at, "the name %s is too long", quote.text);
	else
		sw_diag_set(diag, SW_M06, at, "the name %s contains a character that is not allowed", quote.text);
	sw_diag_expected(diag, "a name of 1 to %d bytes without double quotes and control characters", SW_NAME_SIZE - 1);
	sw_diag_found(diag, "%zu byte%s", name.length, name.length == 1 ? "" : "s");
	return false;
}

static bool mesh_refuse_twice(const sw_mesh *mesh, int first, const sw_span *positions, sw_span at, sw_diag *diag)
{
	sw_quote quote = sw_scan_quote(mesh_name(mesh, first));
	sw_diag_set(diag, SW_M02, at, "axis %s is named twice", quote.text);
	sw_diag_expected(diag, "a name that no other axis of the mesh has");
	sw_diag_found(diag, "%s again", quote.text);
	sw_diag_hint(diag, "rename one of the two");
	if (positions)
		sw_diag_also(diag, positions[first], "first named here");
	return false;
}

bool sw_mesh_axis_check(const sw_mesh *mesh, sw_str name, const sw_span *positions, sw_span at, sw_diag *diag)
{
	if (mesh->count == SW_MAX_AXES) {
		sw_diag_set(diag, SW_M04, at, "the mesh has more than %d axes", SW_MAX_AXES);
		sw_diag_expected(diag, "at most %d axes", SW_MAX_AXES);
		sw_diag_found(diag, "axis number %d", SW_MAX_AXES + 1);
		sw_diag_hint(diag, "leave out axes of size 1, or join two axes into one");
		return false;
	}
	if (!sw_mesh_name_check(name, at, diag))
		return false;
	int first = sw_mesh_find(mesh, name);
	return first < 0 || mesh_refuse_twice(mesh, first, positions, at, diag);
}

/* Strides are those of a row-major numbering: the last axis runs fastest. */
static void mesh_number(sw_mesh *mesh)
{
	int64_t stride = 1;
	for (int i = mesh->count - 1; i >= 0; i--) {
		mesh->axis[i].stride = stride;
		stride *= mesh->axis[i].size;
	}
	mesh->devices = stride;
}

static bool mesh_refuse_devices(const sw_mesh *mesh, int64_t size, sw_span at, sw_diag *diag)
{
	int64_t before = mesh->count ? mesh->devices : 1;
	sw_diag_set(diag, SW_M05, at, "the mesh has more than 2^40 devices");
	sw_diag_expected(diag, "at most %" PRId64 " devices", SW_MAX_DEVICES);
	if (before == 1)
		sw_diag_found(diag, "%" PRId64, size);
	else
		sw_diag_found(diag, "%" PRId64 " * %" PRId64, before, size);
	if (before <= SW_MAX_DEVICES / 2)
		sw_diag_hint(diag, "this axis can have at most size %" PRId64, SW_MAX_DEVICES / before);
	else
		sw_diag_hint(diag, "the axes before it make %" PRId64 " devices", before);
	return false;
}

bool sw_mesh_append(sw_mesh *mesh, sw_str name, int64_t size, sw_span at, sw_diag *diag)
{
	assert(size >= 1 && name.length < SW_NAME_SIZE);
	int64_t before = mesh->count ? mesh->devices : 1;
	if (size > SW_MAX_DEVICES / before)
		return mesh_refuse_devices(mesh, size, at, diag);
	SW_ROOM(mesh->axis, mesh->count);
	sw_axis *axis = &mesh->axis[mesh->count++];
	*axis = (sw_axis){.size = size, .level = mesh->count > 1 ? axis[-1].level : 0};
	memcpy(axis->name, name.at, name.length);
	mesh_number(mesh);
	return true;
}

bool sw_mesh_add(sw_mesh *mesh, sw_str name, int64_t size, sw_diag *diag)
{
	sw_span nowhere = {0, 0};
	if (!sw_mesh_axis_check(mesh, name, NULL, nowhere, diag))
		return false;
	if (size >= 1)
		return sw_mesh_append(mesh, name, size, nowhere, diag);
	sw_diag_set(diag, SW_M03, nowhere, "axis %s has size %" PRId64, sw_scan_quote(name).text, size);
	sw_diag_expected(diag, "a whole number of at least 1");
	sw_diag_found(diag, "%" PRId64, size);
	return false;
}

int64_t sw_mesh_coordinate(const sw_mesh *mesh, int64_t device, int axis)
{
	assert(device >= 0 && axis >= 0 && axis < mesh->count);
	return device / mesh->axis[axis].stride % mesh->axis[axis].size;
}

void sw_mesh_print_name(const char *name, sw_text *text)
{
	bool bare = sw_scan_is_bare(sw_str_of(name));
	sw_text_add(text, bare ? "" : "\"");
	sw_text_add(text, name);
	sw_text_add(text, bare ? "" : "\"");
}

void sw_mesh_print(const sw_mesh *mesh, sw_text *text)
{
	sw_text_add_char(text, '{');
	for (int i = 0; i < mesh->count; i++) {
		bool deeper = i > 0 && mesh->axis[i].level > mesh->axis[i - 1].level;
		sw_text_add(text, deeper ? "; " : i > 0 ? ", " : "");
		sw_mesh_print_name(mesh->axis[i].name, text);
		sw_text_addf(text, ": %" PRId64, mesh->axis[i].size);
		sw_link_print(&mesh->axis[i], text);
	}
	sw_text_add_char(text, '}');
}

static bool mesh_axis_equal(const sw_axis *a, const sw_axis *b)
{
	return a->size == b->size && a->level == b->level && a->bandwidth == b->bandwidth && a->latency == b->latency &&
		strcmp(a->name, b->name) == 0;
}

int64_t sw_device_at(const int64_t *order, int64_t slot)
{
	return order ? order[slot] : slot;
}

bool sw_device_order_equal(const int64_t *a, const int64_t *b, int64_t devices)
{
	bool same = true;
	for (int64_t p = 0; a != b && same && p < devices; p++)
		same = sw_device_at(a, p) == sw_device_at(b, p);
	return same;
}

bool sw_device_order_copy(const int64_t *order, int64_t devices, sw_arena *arena, const int64_t **copy)
{
	int64_t *own = order ? SW_NEW(arena, int64_t, devices) : NULL;
	if (own)
		memcpy(own, order, sizeof(*own) * (size_t)devices);
	*copy = own;
	return own || !order;
}

bool sw_mesh_equal(const sw_mesh *a, const sw_mesh *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++)
		if (!mesh_axis_equal(&a->axis[i], &b->axis[i]))
			return false;
	return true;
}

/* ---- names of devices ---- */

/* A to Z, AA to ZZ, AAA, ... */
static void print_letters(int64_t n, sw_text *text)
{
	char letters[16];
	int at = (int)sizeof letters;

	for (n++; n > 0 && at > 0; n = (n - 1) / 26)
		letters[--at] = (char)('A' + (n - 1) % 26);
	sw_text_addf(text, "%.*s", (int)sizeof letters - at, letters + at);
}

void sw_device_print(int64_t unit, int64_t device, sw_text *text)
{
	assert(unit >= 0 && device >= 0);
	if (unit > 0)
		print_letters(device / unit, text);
	sw_text_addf(text, "%lld", (long long)(unit > 0 ? device % unit : device));
}

void sw_mesh_print_device(const sw_mesh *mesh, int64_t device, sw_text *text)
{
	sw_device_print(mesh->unit, device, text);
}

void sw_mesh_introduce_device(const sw_mesh *mesh, int64_t device, sw_text *text)
{
	sw_mesh_print_device(mesh, device, text);
	if (mesh->unit > 0)
		sw_text_addf(text, " (%lld)", (long long)device);
}

/* The number of the unit that these letters name, from 0; -1: none does. */
static int64_t unit_of(sw_str letters)
{
	int64_t n = 0;
	for (size_t i = 0; i < letters.length; i++)
		if (!sw_mul(n, 26, &n) || !sw_add(n, letters.at[i] - 'A' + 1, &n))
			return -1;
	return n - 1;
}

bool sw_mesh_find_device(const sw_mesh *mesh, sw_str name, int64_t *device)
{
	size_t letters = 0;
	int64_t number, unit;
	while (letters < name.length && name.at[letters] >= 'A' && name.at[letters] <= 'Z')
		letters++;
	if (mesh->unit <= 0 || letters == 0 || !sw_read_int(sw_str_behind(name, letters), &number, NULL))
		return false;
	unit = unit_of((sw_str){name.at, letters});
	if (unit < 0 || number < 0 || number >= mesh->unit || !sw_mul(unit, mesh->unit, &unit))
		return false;
	return sw_add(unit, number, device) && *device < mesh->devices;
}
