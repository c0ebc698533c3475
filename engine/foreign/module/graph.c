/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both front ends ask of a graph of instructions.
 */
#include "foreign/module/graph.h"

#include <assert.h>
#include <string.h>

#include "foreign/module/hlo_text.h"
#include "foreign/module/mlir.h"

int graph_operand(const graph_module *module, int instruction, int k)
{
	assert(instruction >= 0 && instruction < module->instructions);
	return graph_operand_of(module, &module->instruction[instruction], k);
}

int graph_operand_of(const graph_module *module, const graph_instruction *at, int k)
{
	return k >= 0 && k < at->operands ? module->operand[at->first + k] : -1;
}

int graph_maker(const graph_module *module, int value)
{
	return value < 0 || !module->value ? value : module->value[value].op;
}

sw_str graph_type(const graph_module *module, int value)
{
	if (value < 0)
		return (sw_str){"", 0};
	return module->value ? module->value[value].type : module->instruction[value].shape;
}

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
