/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DTensor, Paddle, OneFlow: meshes, as programs make them and as they print.
 *
 *     init_device_mesh('cuda', (4, 2), mesh_dim_names=('dp', 'tp'))      sizes
 *     DeviceMesh('cuda', [[0, 1], [2, 3]])                               rows of devices
 *     DeviceMesh((dp=4, tp=2), 'cuda', stride=(2, 1))                    printed
 *     ProcessMesh([[0, 1], [2, 3]], dim_names=['x', 'y'])                Paddle
 *     placement(type="cuda", ranks=[[0, 1], [2, 3]])                     OneFlow
 */
#include "foreign/notation/read.h"

#include <stdio.h>
#include <string.h>

static const sw_span nowhere = {0, 0};

/* The sizes of a mesh's dimensions, and what else its text says of them. */
typedef struct mesh_words {
	sw_py_list list; /* of all that is said */
	int sizes, names;
	int64_t size[SW_MAX_AXES];
	sw_str name[SW_MAX_AXES];
	sw_numbers stride;
} mesh_words;

/* After `mesh_dim_names`. */
static bool dtensor_read_names(sw_reader *reader, mesh_words *mesh)
{
	sw_scan *scan = &reader->scan;
	sw_span at;
	sw_py_list list;
	if (!sw_read_sign(reader, "="))
		return sw_read_refuse(reader, "=(...)");
	if (!sw_py_open(&list, scan, "([", "'(' and names"))
		return false;
	mesh->names = 0;
	list.filled = true;
	while (sw_py_next(&list)) {
		if (mesh->names == SW_MAX_AXES)
			return sw_read_refuse(reader, "at most 64 names");
		if (!sw_scan_name(scan, "the name of a mesh dimension", list.open, &mesh->name[mesh->names++], &at))
			return false;
	}
	return list.ok;
}

/* Keywords behind the first argument, up to ')': names and strides are taken, others skipped. */
static bool dtensor_read_keywords(sw_reader *reader, mesh_words *mesh)
{
	while (sw_py_next(&mesh->list)) {
		if (sw_read_word(reader, "mesh_dim_names") || sw_read_word(reader, "dim_names")) {
			if (!dtensor_read_names(reader, mesh))
				return false;
		} else if (sw_read_word(reader, "stride")) {
			if ((!sw_read_sign(reader, "=") && !sw_read_sign(reader, ":")) || !sw_read_sizes(reader, &mesh->stride))
				return sw_read_refuse(reader, "=(...)");
		} else {
			sw_py_value(&reader->scan);
		}
	}
	return mesh->list.ok;
}

/* The device at each place, where the strides order all devices otherwise than the sizes do.  Those of a mesh that is
 * only a part of a larger one are left: its devices are numbered by their places. */
static bool dtensor_take_strides(sw_reader *reader, const mesh_words *words)
{
	const sw_mesh *mesh = &reader->out->mesh;
	sw_diag *diag = reader->scan.diag;
	if (words->stride.count != mesh->count || mesh->devices > SW_MAX_MAP_DEVICES)
		return true;
	int64_t *ids = SW_NEW_ZERO(reader->arena, int64_t, mesh->devices), last = 0;
	if (!ids)
		return sw_diag_memory(diag);
	for (int i = 0; i < mesh->count; i++)
		last += mesh->axis[i].size > 1 && words->stride.at[i] < mesh->devices ?
			(mesh->axis[i].size - 1) * words->stride.at[i] :
			0;
	if (last != mesh->devices - 1)
		return true;
	for (int64_t p = 0; p < mesh->devices; p++)
		for (int i = 0; i < mesh->count; i++)
			ids[p] += sw_mesh_coordinate(mesh, p, i) * (mesh->axis[i].size > 1 ? words->stride.at[i] : 0);
	reader->scan.diag = NULL;
	sw_read_ids(reader, ids, mesh->devices, nowhere);
	reader->scan.diag = diag;
	return true;
}

static bool dtensor_make_mesh(sw_reader *reader, const mesh_words *words)
{
	sw_sharding *out = reader->out;
	if (words->names && words->names != words->sizes)
		return sw_diag_set(reader->scan.diag, SW_N01, words->list.open, "%d names for %d dimensions of the mesh",
			words->names, words->sizes);
	out->mesh = (sw_mesh){.devices = 1};
	out->named = out->own_mesh = true;
	for (int i = 0; i < words->sizes; i++) {
		char made[16];
		snprintf(made, sizeof(made), "m%d", i);
		if (!sw_mesh_add(&out->mesh, words->names ? words->name[i] : sw_str_of(made), words->size[i],
				reader->scan.diag))
			return false;
	}
	return dtensor_take_strides(reader, words);
}

/* `(4, 2)` or `(dp=4, tp=2)`: a mesh as it prints */
static bool dtensor_read_sizes(sw_reader *reader, mesh_words *mesh)
{
	sw_scan *scan = &reader->scan;
	sw_span at;
	sw_py_list list;
	if (!sw_py_open(&list, scan, "(", "'(' and the sizes of the mesh"))
		return false;
	list.filled = true;
	while (sw_py_next(&list)) {
		size_t before = scan->at;
		if (mesh->sizes == SW_MAX_AXES)
			return sw_read_refuse(reader, "at most 64 sizes");
		mesh->name[mesh->sizes] = sw_scan_word(scan, &at);
		if (sw_read_sign(reader, "="))
			mesh->names++;
		else
			scan->at = before;
		if (!sw_read_number(reader, "size of the mesh dimension", 1, SW_MAX_DEVICES, &mesh->size[mesh->sizes++]))
			return false;
	}
	return list.ok;
}

/* Rows of devices, or with `sizes_only` one list of sizes. */
static bool dtensor_read_rows(sw_reader *reader, bool sizes_only, mesh_words *mesh)
{
	sw_numbers ids = {0};
	sw_span at = sw_scan_next_span(&reader->scan);
	if (!sw_read_array(reader, &ids, mesh->size, &mesh->sizes))
		return false;
	at.end = reader->scan.at;
	if (sizes_only && (mesh->sizes != 1 || ids.count < 1 || ids.count > SW_MAX_AXES))
		return sw_diag_set(reader->scan.diag, SW_N01, at, "the mesh's shape is one list of sizes");
	if (sizes_only) {
		mesh->sizes = (int)ids.count;
		memcpy(mesh->size, ids.at, (size_t)ids.count * sizeof(*ids.at));
	}
	if (!dtensor_read_keywords(reader, mesh) || !dtensor_make_mesh(reader, mesh))
		return false;
	if (sizes_only)
		return true;
	if (reader->out->mesh.devices != ids.count)
		return sw_diag_set(reader->scan.diag, SW_N04, at, "the rows of devices are not equally long");
	return sw_read_ids(reader, ids.at, ids.count, at);
}

/* A device type, `'cuda'` or `type="cuda"`, and the comma behind it. */
static bool dtensor_read_type(sw_reader *reader, sw_span open)
{
	bool typed = sw_read_sees(reader, "'") || sw_read_sees(reader, "\"");
	size_t before = reader->scan.at;
	typed = typed || sw_read_word(reader, "type") || sw_read_word(reader, "device_type");
	reader->scan.at = before;
	if (!typed)
		return true;
	sw_py_value(&reader->scan);
	return sw_scan_expect(&reader->scan, ',', "a comma and the mesh", open);
}

static void dtensor_read_keyword(sw_reader *reader)
{
	static const char *const words[] = {"mesh", "mesh_shape", "ranks"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (sw_py_named(&reader->scan, words[i]))
			return;
}

/* After the maker's name: a device type, and rows of devices or sizes; or as it prints, sizes first. */
static bool dtensor_read_mesh(sw_reader *reader, bool sizes_only)
{
	sw_scan *scan = &reader->scan;
	sw_read_sign(reader, ":"); /* `DeviceMesh:([0, 1])` of 2.0 */
	mesh_words mesh = {.sizes = 0};
	if (!sw_py_open(&mesh.list, scan, "(", "'('"))
		return false;
	mesh.list.filled = true;
	sw_py_next(&mesh.list);
	if (sw_read_sees(reader, "(") && !sw_read_sees(reader, "(("))
		return dtensor_read_sizes(reader, &mesh) && dtensor_read_keywords(reader, &mesh) &&
			dtensor_make_mesh(reader, &mesh);
	if (!dtensor_read_type(reader, mesh.list.open))
		return false;
	dtensor_read_keyword(reader);
	return dtensor_read_rows(reader, sizes_only, &mesh);
}

bool sw_read_dtensor_mesh(sw_reader *reader, bool *found)
{
	static const char *const makers[] = {"DeviceMesh", "init_device_mesh", "ProcessMesh", "placement"};
	size_t before = reader->scan.at;
	sw_span at;
	sw_str word = sw_py_word(&reader->scan, &at);
	*found = false;
	for (size_t i = 0; i < sizeof(makers) / sizeof(*makers) && !*found; i++)
		*found = sw_str_is(word, makers[i]);
	if (!*found)
		reader->scan.at = before;
	return !*found || dtensor_read_mesh(reader, sw_str_is(word, "init_device_mesh"));
}
