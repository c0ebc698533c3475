/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading meshes.
 *
 *     mesh = "{" axis { ( "," | ";" ) axis } "}"
 *     axis = name ":" size [ "@" link ]
 */
#include <shardwalk/mesh.h>

#include <string.h>

#include "array/link.h"
#include "array/mesh_rules.h"
#include "base/scan.h"

static const sw_size_words mesh_size_words = {"axis size", SW_M03, SW_M05, SW_MAX_DEVICES};

typedef struct mesh_reader {
	sw_scan scan;
	sw_span open; /* the opening brace */
	sw_mesh mesh;
	int64_t level;              /* that is being read */
	sw_span named[SW_MAX_AXES]; /* where each axis was named */
} mesh_reader;

static bool mesh_read_axis(mesh_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_str name;
	sw_span named, sized;
	int64_t size;
	if (!sw_scan_name(scan, "the name of an axis", reader->open, &name, &named) ||
		!sw_mesh_axis_check(&reader->mesh, name, reader->named, named, scan->diag) ||
		!sw_scan_expect(scan, ':', "':' and the size of the axis", reader->open) ||
		!sw_scan_size(scan, mesh_size_words, reader->open, &size, &sized) ||
		!sw_mesh_append(&reader->mesh, name, size, sized, scan->diag))
		return false;
	int axis = reader->mesh.count - 1;
	reader->mesh.axis[axis].level = reader->level;
	reader->named[axis] = named;
	return !sw_scan_take(scan, '@') || sw_link_parse(scan, &reader->mesh.axis[axis]);
}

/* What stands behind an axis: a comma, `;` before the first axis of the next level, or the end. */
static bool mesh_read_next(mesh_reader *reader, bool *more)
{
	*more = sw_scan_take(&reader->scan, ';');
	reader->level += *more;
	return *more || sw_scan_list(&reader->scan, '}', "',' or '}'", reader->open, more);
}

static bool mesh_read(mesh_reader *reader)
{
	sw_scan *scan = &reader->scan;
	reader->open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '{', "a mesh such as {x: 4, y: 6}", (sw_span){0, 0}))
		return false;
	bool more = true;
	while (more)
		if (!mesh_read_axis(reader) || !mesh_read_next(reader, &more))
			return false;
	return sw_scan_finish(scan, "mesh");
}

bool sw_mesh_parse(sw_str text, sw_mesh *mesh, sw_diag *diag)
{
	mesh_reader reader;
	reader.scan = (sw_scan){.text = text, .syntax = SW_M01, .diag = diag};
	reader.level = 0;
	memset(&reader.mesh, 0, sizeof(reader.mesh)); /* whole: states of sessions are compared as bytes */
	if (!mesh_read(&reader))
		return false;
	*mesh = reader.mesh;
	return true;
}
