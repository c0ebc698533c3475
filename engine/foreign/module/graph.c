/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both front ends ask of a graph of instructions.
 */
#include "foreign/module/graph.h"

#include <assert.h>

#include <shardwalk/number.h>

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

void graph_header_number(sw_str line, const char *key, int64_t *number)
{
	int64_t value;
	sw_str rest;
	if (sw_str_after(line, key, &rest) && sw_read_int((sw_str){rest.at, sw_str_digits(rest)}, &value, NULL) &&
		value >= 1)
		*number = value;
}

int64_t graph_behind_all(sw_str text, int64_t limit)
{
	int64_t most = 1, number;
	while (text.length) {
		size_t length = sw_str_digits(text);
		if (length && sw_read_int((sw_str){text.at, length}, &number, NULL) && number < limit)
			most = number + 1 > most ? number + 1 : most;
		text = sw_str_behind(text, length + 1);
	}
	return most;
}
