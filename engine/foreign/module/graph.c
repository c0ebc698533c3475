/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both front ends ask of a graph of instructions.
 */
#include "foreign/module/graph.h"

#include <assert.h>

int graph_operand(const graph_module *module, int instruction, int k)
{
	assert(instruction >= 0 && instruction < module->instructions);
	return graph_operand_of(module, &module->instruction[instruction], k);
}

int graph_operand_of(const graph_module *module, const graph_instruction *at, int k)
{
	return k >= 0 && k < at->operands ? module->operand[at->first + k] : -1;
}
