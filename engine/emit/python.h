/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Python programs share.
 */
#ifndef SW_EMIT_PYTHON_H
#define SW_EMIT_PYTHON_H

#include "emit/write.h"

/* Adds `P("x", None, ("y", "z"))`. */
void sw_python_spec(sw_text *text, const sw_mesh *mesh, const sw_type *type);

/* Adds a tuple of numbers, also where it has one or none. */
void sw_python_tuple(sw_text *text, const int64_t *number, int count);

/* Adds the names of all axes, or of these, as a tuple. */
void sw_python_axes(sw_text *text, const sw_mesh *mesh, const int *axes, int count);

/* Adds a list of devices between two texts. */
void sw_python_order(sw_text *text, const char *open, const int64_t *devices, int64_t count, const char *close);

/* Adds `np.array(jax.devices()[:8])`, the devices in this order (NULL: as they come); with `all`, which there are,
 * without the number. */
void sw_python_devices(sw_text *text, const int64_t *devices, int64_t count, bool all);

/* Adds `Mesh(OF.reshape(4, 2), ("x", "y"))`, with axes of explicit sharding or not. */
void sw_python_mesh(sw_text *text, const sw_mesh *mesh, const char *of, bool explicit_axes);

/* What a program calls the mesh of type k: `mesh`, `mesh2`, ..., or where it has `first` of them from `mesh2` on. */
enum { SW_PYTHON_MESH = 24 };
const char *sw_python_mesh_name(const sw_type_chain *chain, int k, int first, char name[SW_PYTHON_MESH]);

/* The same of an array whose first dimension counts terms: `P(("x",), "y", None)`. */
void sw_python_spec_of_terms(sw_text *text, const sw_mesh *mesh, const sw_type *type);

/* Adds `P("x", None, unreduced={"y"})`. */
void sw_python_sums_spec(sw_text *text, const sw_mesh *mesh, const sw_type *type);

/* Adds `NAME = jax.lax.with_sharding_constraint(NAME, NamedSharding(OF, P("x")))` and a line break; `of` is what the mesh is called. */
void sw_python_constraint(sw_text *text, const char *name, const char *of, const sw_mesh *mesh, const sw_type *type);

/* Adds `told(compiled)`, which prints how many collectives XLA made of each kind. */
void sw_python_told(const sw_emitter *e);

/* The name of an element type in numpy, and of the type in which what is computed is compared. */
const char *sw_python_dtype(sw_dtype dtype);
const char *sw_python_wide(sw_dtype dtype);

/* Adds imports, `sharding` among them, and asks for the devices. */
void sw_python_jax_start(const sw_emitter *e, const char *sharding, sw_dtype dtype);

/* Of a plan under shard_map: the constants of its steps, numbered from `base` + 1, and its steps, of the variable `a`.  The mesh has axes
 * for the groups, or they are listed.  Errors: P06, P05, E01. */
bool sw_shard_map_constants(sw_emitter *e, const sw_mesh *mesh, int base);
bool sw_shard_map_steps(sw_emitter *e, const sw_mesh *mesh, int base);

#endif
