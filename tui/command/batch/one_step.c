/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one collective takes under the model `roofline`.
 */
#include "command/batch/lines.h"

#include <string.h>

#include <shardwalk/json.h>

#include "session/machine.h"
#include "views/draw.h"

bool one_step_asked(json_t *line)
{
	return json_is_string(json_object_get(line, "op")) && json_is_string(json_object_get(line, "hardware")) &&
		json_object_get(line, "from") && json_object_get(line, "to");
}

static bool refuse_at_key(const struct problem_json *of, const char *key, sw_diag *diag)
{
	sw_span at = sw_json_locate(of->line, key);
	diag->at = at.end > at.begin + 2 && of->line.at[at.begin] == '"' ? (sw_span){at.begin + 1, at.end - 1} : at;
	return false;
}

static bool read_op(const struct problem_json *of, sw_op *op, sw_diag *diag)
{
	const char *names[SW_COLLECTIVES];
	sw_str word = problem_text(of, "op");
	sw_text all = {0};
	*op = sw_op_named(word);
	if (*op != SW_OP_COUNT)
		return true;
	for (int i = 0; i < SW_COLLECTIVES; i++) {
		names[i] = sw_collective_of((sw_op)i)->name;
		sw_text_addf(&all, "%s%s", i ? ", " : "", names[i]);
	}
	sw_diag_set(diag, SW_B03, (sw_span){0, 0}, "no operation is called '%.*s'", AS_SHOWN(word));
	sw_diag_expected(diag, "%s", sw_text_get(&all));
	int near = sw_str_nearest(word, names, SW_COLLECTIVES);
	if (near >= 0)
		sw_diag_hint(diag, "did you mean %s?", names[near]);
	sw_text_free(&all);
	return refuse_at_key(of, "op", diag);
}

/* ---- axes ---- */

static bool is_crossed(const sw_plan *plan, int axis)
{
	const sw_step *step = &plan->program.step[0];
	const sw_mesh *mesh = &plan->problem.mesh;
	for (int64_t m = 1; step->groups && m < step->group_size; m++)
		if (sw_mesh_coordinate(mesh, step->groups[m], axis) != sw_mesh_coordinate(mesh, step->groups[0], axis))
			return true;
	return false;
}

static bool is_listed(json_t *axes, const char *name)
{
	for (size_t i = 0; i < json_array_size(axes); i++) {
		const char *listed = json_string_value(json_array_get(axes, i));
		if (listed && strcmp(listed, name) == 0)
			return true;
	}
	return false;
}

/* The axes that the line names are those that the groups of the step go over. */
static bool check_axes(const struct problem_json *of, const sw_plan *plan, sw_diag *diag)
{
	const sw_mesh *mesh = &plan->problem.mesh;
	json_t *axes = json_object_get(of->json, "axes");
	sw_text right = {0};
	bool same = true;
	if (!json_is_array(axes) || !plan->program.step[0].groups)
		return true;
	for (int i = 0; i < mesh->count; i++) {
		bool crossed = is_crossed(plan, i);
		if (crossed)
			sw_text_addf(&right, "%s\"%s\"", right.length ? ", " : "", mesh->axis[i].name);
		same = same && (crossed == is_listed(axes, mesh->axis[i].name) || mesh->axis[i].size == 1);
	}
	if (!same) {
		sw_diag_set(diag, SW_B03, (sw_span){0, 0}, "the axes of the step differ from those in \"axes\"");
		sw_diag_expected(diag, "[%s]", sw_text_get(&right));
		refuse_at_key(of, "axes", diag);
	}
	sw_text_free(&right);
	return same;
}

/* ---- the answer ---- */

static void answer(struct problem_json *of, const sw_plan *plan, sw_roofline bound)
{
	const char *op = sw_collective_of(plan->program.step[0].op)->name;
	struct fields *fields = problem_fields(of, "shardwalk.time/1");
	field_text(fields, "op", op);
	field_str(fields, "hardware", problem_text(of, "hardware"));
	field_text(fields, "model", sw_model_name(SW_MODEL_ROOFLINE));
	field_int(fields, "cost", plan->cost);
	field_number(fields, "hops_s", bound.hops);
	field_number(fields, "bytes_s", bound.bytes);
	field_number(fields, "seconds", sw_roofline_seconds(bound));
	field_text(fields, "bound", sw_roofline_bound(bound));
	problem_words(of, "%-13s cost %12lld  takes %s, bound by %s", op, (long long)plan->cost,
		words_seconds(sw_roofline_seconds(bound)).text, sw_roofline_bound(bound));
}

bool one_step_line(struct problem_json *of, const sw_problem *problem, sw_diag *diag)
{
	const sw_machine *machine;
	sw_plan plan;
	sw_op op;
	if (!read_op(of, &op, diag))
		return false;
	if (!hardware_named(problem_text(of, "hardware"), diag) ||
		!machine_find(SW_MODEL_ROOFLINE, problem_text(of, "hardware").at, problem->mesh.devices, &machine, diag))
		return refuse_at_key(of, "hardware", diag);
	if (!sw_plan_one_step(problem, op, of->arena, &plan, diag))
		return refuse_at_key(of, "op", diag);
	if (!check_axes(of, &plan, diag))
		return false;
	answer(of, &plan, sw_predict_roofline(&plan, 0, machine));
	return true;
}
