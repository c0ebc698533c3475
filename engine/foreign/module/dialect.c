/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes and attributes, as HLO and as StableHLO print them.
 */
#include "foreign/module/dialect.h"

#include <string.h>

#include "foreign/module/hlo_text.h"
#include "foreign/module/mlir.h"

bool graph_shape(const graph_module *module, int value, hlo_shape *shape)
{
	sw_str type = graph_type(module, value);
	mlir_shape read;
	if (!module->value)
		return type.length && hlo_shape_read(type, shape);
	if (!mlir_shape_read(type, &read))
		return false;
	*shape = (hlo_shape){.rank = read.rank};
	shape->typed = mlir_dtype_read(read.dtype, &shape->dtype);
	for (int d = 0; d < read.rank; d++) {
		shape->dim[d] = read.dim[d];
		shape->major[d] = d;
	}
	return true;
}

bool graph_attribute(const graph_module *module, const graph_instruction *at, const char *name, sw_str *value)
{
	if (module->value)
		return mlir_attribute(at, name, value);
	*value = at->inside;
	return strcmp(name, "literal") == 0 || hlo_attribute(at->attributes, name, value);
}

int graph_positions(const graph_module *module, const graph_instruction *at, const char *name, int64_t limit,
	int *position)
{
	sw_str text;
	return graph_attribute(module, at, name, &text) ? hlo_positions_in(text, limit, position, HLO_DIMS) : 0;
}
