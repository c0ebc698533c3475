/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which functions of a StableHLO module call which, and how many operations each of them makes where it is called.
 */
#include "foreign/module/mlir.h"
#include "foreign/module/runs.h"

#include <string.h>

const graph_function *mlir_function_named(const graph_module *m, sw_str name)
{
	int f = sw_names_find(&m->names, name);
	return f >= 0 ? &m->function[f] : NULL;
}

const graph_mesh *mlir_mesh_named(const graph_module *m, sw_str name)
{
	int mesh = sw_names_find(&m->mesh_names, name);
	return mesh >= 0 ? &m->mesh[mesh] : m->given.text.length ? &m->given : NULL;
}

/* `call @f(%0)` */
static int callee_of(const graph_module *m, const graph_instruction *op)
{
	const char *sign = memchr(op->attributes.at, '@', op->attributes.length);
	const char *open = sign ? memchr(sign, '(', (size_t)(op->attributes.at + op->attributes.length - sign)) : NULL;
	return open ? sw_names_find(&m->names, (sw_str){sign + 1, (size_t)(open - sign - 1)}) : -1;
}

/* Calls in loops do not count: loops are not taken apart. */
static bool find_calls(graph_module *m, int function, runs *all)
{
	int own = m->function[function].computation;
	const graph_computation *region = &m->computation[own];
	bool ok = true;
	all->part[function].weight = region->count;
	for (int i = region->first; i < region->first + region->count && ok; i++) {
		graph_instruction *op = &m->instruction[i];
		op->callee = op->op == HLO_CALL ? callee_of(m, op) : -1;
		if (op->callee >= 0 && op->computation == own)
			ok = runs_add_call(all, (runs_call){.from = function, .to = op->callee, .times = 1, .choice = -1});
	}
	return ok;
}

bool mlir_calls_find(graph_module *m)
{
	runs all = {.arena = m->arena};
	bool ok = true;
	for (int f = 0; f < m->functions && ok; f++)
		ok = runs_add_part(&all) == f;
	for (int f = 0; f < m->functions && ok; f++)
		ok = find_calls(m, f, &all);
	if (!ok || !runs_settle(&all))
		return false;
	for (int f = 0; f < m->functions; f++) {
		const runs_part *part = &all.part[f];
		m->function[f].makes = part->callers ? 0 : part->weight < MLIR_MANY ? (int64_t)part->weight : MLIR_MANY;
	}
	return true;
}
