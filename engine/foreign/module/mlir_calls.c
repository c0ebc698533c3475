/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which functions of a StableHLO module call which, and how many operations each of them makes where it is called.
 */
#include "foreign/module/mlir.h"

#include <string.h>

typedef struct caller {
	int function, next; /* next: of the same callee, or -1 */
} caller;

typedef struct counting {
	graph_module *m;
	caller *caller;
	int callers, room;
	int *first;   /* of each function, its callers */
	int *pending; /* of each function, calls whose functions are not counted yet */
} counting;

const graph_function *mlir_function_named(const graph_module *m, sw_str name)
{
	int f = sw_names_find(&m->function_names, name);
	return f >= 0 ? &m->function[f] : NULL;
}

const graph_mesh *mlir_mesh_named(const graph_module *m, sw_str name)
{
	int mesh = sw_names_find(&m->mesh_names, name);
	return mesh >= 0 ? &m->mesh[mesh] : NULL;
}

/* `call @f(%0)` */
static int callee_of(const graph_module *m, const graph_instruction *op)
{
	const char *sign = memchr(op->attributes.at, '@', op->attributes.length);
	const char *open = sign ? memchr(sign, '(', (size_t)(op->attributes.at + op->attributes.length - sign)) : NULL;
	return open ? sw_names_find(&m->function_names, (sw_str){sign + 1, (size_t)(open - sign - 1)}) : -1;
}

static bool add_caller(counting *c, int function, int callee)
{
	if (!SW_GROW(c->m->arena, c->caller, c->callers, c->room, 64))
		return false;
	c->caller[c->callers] = (caller){function, c->first[callee]};
	c->first[callee] = c->callers++;
	c->pending[function]++;
	return true;
}

/* Calls in loops do not count: loops are not taken apart. */
static bool find_calls(counting *c, int function)
{
	graph_module *m = c->m;
	const graph_computation *region = &m->computation[m->function[function].computation];
	for (int i = region->first; i < region->first + region->count; i++) {
		graph_instruction *op = &m->instruction[i];
		op->callee = op->op == HLO_CALL ? callee_of(m, op) : -1;
		if (op->callee >= 0 && op->computation == m->function[function].computation &&
			!add_caller(c, function, op->callee))
			return false;
	}
	return true;
}

static void add_up(graph_module *m, graph_function *f)
{
	const graph_computation *region = &m->computation[f->computation];
	f->makes = region->count;
	for (int i = region->first; i < region->first + region->count; i++)
		if (m->instruction[i].callee >= 0 && m->instruction[i].computation == f->computation) {
			f->makes += m->function[m->instruction[i].callee].makes;
			f->makes = f->makes < MLIR_MANY ? f->makes : MLIR_MANY;
		}
}

bool mlir_calls_find(graph_module *m)
{
	counting c = {.m = m,
		.first = SW_NEW(m->arena, int, m->functions),
		.pending = SW_NEW_ZERO(m->arena, int, m->functions)};
	int *ready = SW_NEW(m->arena, int, m->functions), count = 0;
	if (!c.first || !c.pending || !ready)
		return false;
	for (int f = 0; f < m->functions; f++)
		c.first[f] = -1;
	for (int f = 0; f < m->functions; f++)
		if (!find_calls(&c, f))
			return false;
	for (int f = 0; f < m->functions; f++)
		if (!c.pending[f])
			ready[count++] = f;
	for (int done = 0; done < count; done++) {
		add_up(m, &m->function[ready[done]]);
		for (int k = c.first[ready[done]]; k >= 0; k = c.caller[k].next)
			if (--c.pending[c.caller[k].function] == 0)
				ready[count++] = c.caller[k].function;
	}
	return true;
}
