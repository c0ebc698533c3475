/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of a mesh, with positions: what sw_mesh_add and the parser share.
 */
#ifndef SHARDWALK_ARRAY_MESH_RULES_H
#define SHARDWALK_ARRAY_MESH_RULES_H

#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>

/* Can an axis have this name?  Error: M06. */
bool sw_mesh_name_check(sw_str name, sw_span at, sw_diag *diag);

/* Can the mesh take another axis of this name?  `positions` holds where its axes were named; NULL: nowhere.
 * Errors: M02, M04, M06. */
bool sw_mesh_axis_check(const sw_mesh *mesh, sw_str name, const sw_span *positions, sw_span at, sw_diag *diag);

/* Appends an axis whose name was checked and whose size is at least 1.  `at` is the position of the size.
 * Error: M05. */
bool sw_mesh_append(sw_mesh *mesh, sw_str name, int64_t size, sw_span at, sw_diag *diag);

#endif
