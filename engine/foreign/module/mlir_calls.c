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
	mlir_module *m;
	caller *caller;
	int callers, room;
	int *first;   /* of each function, its callers */
	int *pending; /* of each function, calls whose functions are not counted yet */
} counting;

const mlir_function *mlir_function_named(const mlir_module *m, sw_str name)
{
	int f = sw_names_find(&m->function_names, name);
	return f >= 0 ? &m->function[f] : NULL;
}

const mlir_mesh *mlir_mesh_named(const mlir_module *m, sw_str name)
{
	int mesh = sw_names_find(&m->mesh_names, name);
	return mesh >= 0 ? &m->mesh[mesh] : NULL;
}

/* `call @f(%0)` */
static int callee_of(const mlir_module *m, const mlir_op *op)
{
	const char *sign = memchr(op->text.at, '@', op->text.length);
	const char *open = sign ? memchr(sign, '(', (size_t)(op->text.at + op->text.length - sign)) : NULL;
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
	mlir_module *m = c->m;
	const mlir_region *region = &m->region[m->function[function].region];
	for (int i = region->begin; i < region->end; i++) {
		mlir_op *op = &m->op[i];
		op->callee = op->op == HLO_CALL ? callee_of(m, op) : -1;
		if (op->callee >= 0 && op->region == m->function[function].region && !add_caller(c, function, op->callee))
			return false;
	}
	return true;
}

static void add_up(mlir_module *m, mlir_function *f)
{
	const mlir_region *region = &m->region[f->region];
	f->makes = region->end - region->begin;
	for (int i = region->begin; i < region->end; i++)
		if (m->op[i].callee >= 0 && m->op[i].region == f->region) {
			f->makes += m->function[m->op[i].callee].makes;
			f->makes = f->makes < MLIR_MANY ? f->makes : MLIR_MANY;
		}
}

bool mlir_calls_find(mlir_module *m)
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
