/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The collectives that a walk through a StableHLO program met, as rows.
 */
#include "foreign/module/mlir_walk.h"

#include "foreign/module/mlir_traffic.h"

static const char *keep(sw_arena *arena, sw_text *text, bool *ok)
{
	const char *copy = text->length && !text->failed ? sw_arena_copy(arena, sw_text_get(text), text->length) : NULL;
	*ok &= copy || !text->length;
	sw_text_free(text);
	return copy;
}

bool mlir_collectives_give(graph_module *module, const mlir_moves *moves, sw_arena *arena, sw_traffic *traffic,
	int *room)
{
	bool ok = true;
	traffic->branches += moves->branches;
	for (int k = 0; k < moves->collectives && ok; k++) {
		const mlir_collective *from = &moves->collective[k];
		const graph_instruction *op = &module->instruction[from->op];
		sw_str value = op->results ? module->value[op->first_result].name : (sw_str){"", 0};
		sw_str in = module->function[from->function].name;
		sw_text name = {0}, source = {0};
		sw_traffic_row row;
		if (!SW_GROW(arena, traffic->row, traffic->count, *room, 16) ||
			!mlir_traffic_read(module, op, moves->devices, module->arena, &row))
			return false;
		row.runs = from->times;
		row.loop = from->loop;
		row.open = from->open;
		row.untaken = from->dropped;
		row.at_most |= from->partial;
		row.name = sw_arena_copy(arena, value.at, value.length);
		row.computation = sw_arena_copy(arena, in.at, in.length);
		ok = row.name && row.computation && mlir_loc_read(module, op->loc, &name, &source);
		row.op_name = keep(arena, &name, &ok);
		row.source = keep(arena, &source, &ok);
		traffic->row[traffic->count++] = row;
	}
	return ok;
}
