/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as sharding constraints of Shardy: one after each step.  Parts of axes need no finer mesh there.
 */
#include "emit/write.h"

#include <stdio.h>

#include "emit/mlir.h"

static void add_mesh(const sw_emitter *e, const sw_mesh *mesh)
{
	const int64_t *devices = e->mesh ? e->mesh->devices : e->plan->problem.mesh.order;

	sw_text_add(e->text, "sdy.mesh @mesh = <[");
	for (int a = 0; a < mesh->count; a++) {
		sw_text_add(e->text, a ? ", " : "");
		sw_emit_quoted(e->text, mesh->axis[a].name);
		sw_text_addf(e->text, "=%lld", (long long)mesh->axis[a].size);
	}
	sw_text_add_char(e->text, ']');
	for (int64_t p = 0; devices && p < mesh->devices; p++)
		sw_text_addf(e->text, "%s%lld%s", p ? ", " : ", device_ids=[", (long long)devices[p],
			p + 1 == mesh->devices ? "]" : "");
	sw_text_add(e->text, ">\n");
}

static void add_sharding(sw_text *text, const sw_mesh *mesh, const sw_type *type)
{
	sw_text_add(text, "<@mesh, [");
	for (int i = 0; i < type->rank; i++) {
		sw_text_add(text, i ? ", {" : "{");
		for (int k = type->first[i + 1] - 1; k >= type->first[i]; k--) {
			sw_part part = sw_type_part(type, k);

			sw_text_add(text, k < type->first[i + 1] - 1 ? ", " : "");
			sw_emit_quoted(text, mesh->axis[part.axis].name);
			if (part.size != mesh->axis[part.axis].size)
				sw_text_addf(text, ":(%lld)%lld", (long long)part.pre, (long long)part.size);
		}
		sw_text_add_char(text, '}');
	}
	sw_text_add(text, "]>");
}

static void add_constraint(const sw_emitter *e, const sw_mesh *mesh, const sw_type *type, const char *from, int k)
{
	sw_text_addf(e->text, "    %%%d = sdy.sharding_constraint %s ", k, from);
	add_sharding(e->text, mesh, type);
	sw_text_add(e->text, " : ");
	sw_mlir_tensor(e->text, type->global, type->rank, type->dtype);
	sw_text_add_char(e->text, '\n');
}

static void add_function(const sw_emitter *e, const sw_type *from, const sw_type *to, const sw_mesh *mesh)
{
	sw_text_add(e->text, "  func.func @main(%a: ");
	sw_mlir_tensor(e->text, from->global, from->rank, from->dtype);
	sw_text_add(e->text, " {sdy.sharding = #sdy.sharding");
	add_sharding(e->text, mesh, from);
	sw_text_add(e->text, "}) -> (");
	sw_mlir_tensor(e->text, to->global, to->rank, to->dtype);
	sw_text_add(e->text, " {sdy.sharding = #sdy.sharding");
	add_sharding(e->text, mesh, to);
	sw_text_add(e->text, "}) {\n");
}

/* The types to pass through: of the advice, or of the plan. */
static bool take_types(const sw_emitter *e, const sw_type ***types, int *count)
{
	int most = e->advice ? e->advice->via_count : e->plan->count;
	const sw_type **out = SW_NEW(e->arena, const sw_type *, most + 2);

	if (!out)
		return sw_diag_memory(e->diag);
	*types = out;
	*count = 0;
	for (int k = 0; k < most; k++) {
		const sw_type *type = e->advice ? e->advice->via[k] : e->plan->steps[k].type;

		if (!type)
			return sw_emit_refuse(e, "the formats shard_map and mpi write the steps themselves",
				"what the devices hold after step %d is no type, so no constraint can say it", k + 1);
		out[(*count)++] = type;
	}
	if (e->advice)
		out[(*count)++] = &e->advice->problem.to;
	return true;
}

bool sw_emit_shardy(sw_emitter *e)
{
	const sw_problem *problem = e->advice ? &e->advice->problem : &e->plan->problem;
	const sw_type **types = NULL;
	char name[16] = "%a";
	int count;

	if (!take_types(e, &types, &count))
		return false;
	sw_emit_line(e, "// Redistribution of an array by sharding constraints of Shardy, written by shardwalk.\n//");
	sw_emit_remark_problem(e, "//   ");
	sw_text_add(e->text, "\nmodule @redistribute {\n  ");
	add_mesh(e, &problem->mesh);
	add_function(e, &problem->from, &problem->to, &problem->mesh);
	for (int k = 0; k < count; k++) {
		add_constraint(e, &problem->mesh, types[k], name, k);
		snprintf(name, sizeof name, "%%%d", k);
	}
	sw_text_addf(e->text, "    return %s : ", name);
	sw_mlir_tensor(e->text, problem->to.global, e->rank, problem->to.dtype);
	sw_text_add(e->text, "\n  }\n}\n");
	return true;
}

bool sw_emit_shardy_lines(sw_emitter *e, const sw_type_chain *chain)
{
	if (e->mesh->unnamed)
		sw_emit_line(e, "// the machine has %lld devices in all", (long long)e->devices);
	if (chain->finer || e->mesh->unnamed)
		add_mesh(e, &chain->mesh);
	for (int k = 1; k < chain->count; k++) {
		sw_text_addf(e->text, "%%x%d = sdy.sharding_constraint %%x%d ", k, k - 1);
		add_sharding(e->text, &chain->mesh, &chain->type[k]);
		sw_text_add(e->text, " : ");
		sw_mlir_tensor(e->text, chain->type[k].global, e->rank, chain->type[k].dtype);
		sw_text_add_char(e->text, '\n');
	}
	return true;
}
