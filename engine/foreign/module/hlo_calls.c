/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which computations of HLO call which, and how often.
 */
#include "foreign/module/hlo_parts.h"

#include <string.h>

#include "foreign/module/trips.h"

static int computation_of(const graph_module *m, int i, const char *key)
{
	sw_str text;
	return hlo_attribute(m->instruction[i].attributes, key, &text) ? hlo_computation_named(m, text) : -1;
}

void hlo_loops_find(graph_module *m)
{
	static const char *const keys[] = {"condition", "body"};
	for (int i = 0; i < m->instructions; i++)
		for (int k = 0; k < 2 && m->instruction[i].op == HLO_WHILE; k++) {
			int callee = computation_of(m, i, keys[k]);
			m->instruction[i].child[k] = callee;
			if (callee >= 0)
				m->computation[callee].loop = i;
		}
}

static bool add_call(graph_reading *r, int i, int callee, int64_t times)
{
	const graph_instruction *at = &r->module->instruction[i];
	runs_call call = {.from = at->computation,
		.to = callee,
		.times = times,
		.loop = at->op == HLO_WHILE ? at->line : 0,
		.choice = at->op == HLO_CONDITIONAL ? i : -1};
	return callee < 0 || callee == at->computation || runs_add_call(&r->runs, call);
}

bool hlo_next_name(sw_str names, size_t *at, sw_str *name)
{
	while (*at < names.length && strchr("{}, ", names.at[*at]))
		++*at;
	size_t begin = *at;
	while (*at < names.length && !strchr("{}, ", names.at[*at]))
		++*at;
	*name = (sw_str){names.at + begin, *at - begin};
	return name->length > 0;
}

static bool add_calls(graph_reading *r, int i, sw_str names)
{
	sw_str name;
	for (size_t at = 0; hlo_next_name(names, &at, &name);)
		if (!add_call(r, i, hlo_computation_named(r->module, name), 1))
			return false;
	return true;
}

static bool add_loop(graph_reading *r, int i)
{
	const int *child = r->module->instruction[i].child;
	int64_t trips = trips_of(r, i);
	return add_call(r, i, child[0], trips < 0 ? trips : runs_add(trips, 1, 1)) && add_call(r, i, child[1], trips);
}

static bool add_callees(graph_reading *r, int i)
{
	static const char *const keys[] = {"to_apply", "calls", "branch_computations", "true_computation",
		"false_computation"};
	const graph_instruction *at = &r->module->instruction[i];
	sw_str text;
	if (at->op == HLO_WHILE)
		return add_loop(r, i);
	if (at->op != HLO_CALL && at->op != HLO_FUSION && at->op != HLO_CONDITIONAL && at->op != HLO_ASYNC_START)
		return true;
	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++)
		if (hlo_attribute(at->attributes, keys[k], &text) && !add_calls(r, i, text))
			return false;
	return true;
}

bool hlo_calls_find(graph_reading *r)
{
	const graph_module *m = r->module;
	bool ok = true;
	r->runs = (runs){.arena = r->work};
	for (int k = 0; k < m->computations && ok; k++)
		ok = runs_add_part(&r->runs) == k;
	for (int i = 0; i < m->instructions && ok; i++) {
		r->runs.part[m->instruction[i].computation].weight += r->traffic[i].bytes;
		ok = add_callees(r, i);
	}
	return ok && runs_settle(&r->runs);
}
