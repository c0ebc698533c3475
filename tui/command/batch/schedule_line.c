/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch that are schedules: a machine, arrays with shapes and placements, a statement, and commands.
 *
 *     {"machine": [[3]], "statement": "a(i) = b(j)", "shapes": {"a": [3], "b": [3]},
 *      "distributions": {"a": "x->x", "b": "x->x"}, "schedule": ["distribute(i)"]}
 */
#include "command/batch/lines.h"

#include <stdio.h>

#include <shardwalk/schedule.h>

#include "command/batch/placed.h"
#include "views/scheduled.h"

bool schedule_line_asked(json_t *line)
{
	return json_is_array(json_object_get(line, "machine")) && json_object_get(line, "schedule") != NULL &&
		json_object_get(line, "statement") != NULL;
}

/* An array of the line. */
struct home {
	struct placed is;
	sw_holding_rule rule;
	sw_holding held;
};

struct asked {
	struct problem_json *of;
	sw_mesh *mesh;
	struct home *home;
	sw_schedule_array *array;
	int arrays;
	sw_schedule_problem problem;
	sw_diag *diag;
};

/* ---- where arrays lie ---- */

/* The box that a processor has. */
static bool home_region(const void *of, int64_t device, sw_arena *arena, sw_region *region)
{
	const struct placed *is = of;
	int64_t low[SW_MAX_DIMS], high[SW_MAX_DIMS];
	sw_indices *set = SW_NEW(arena, sw_indices, is->array.rank + 1);
	sw_family *family = SW_NEW(arena, sw_family, is->array.rank + 1);
	bool has = sw_distal_box(&is->mesh, is->array.global, &is->distal, device, low, high);

	if (set == NULL || family == NULL)
		return false;
	for (int d = 0; d < is->array.rank && has; d++)
		set[d] = sw_indices_range(low[d], high[d], &family[d]);
	*region = (sw_region){is->array.rank, has, set};
	return true;
}

static bool read_shape(struct asked *a, const char *name)
{
	const sw_json_in shapes = sw_json_inside(&a->of->in, "shapes");
	struct home *home = &a->home[a->arrays];
	sw_schedule_array *array = &a->array[a->arrays++];

	home->is = (struct placed){.in = sw_json_inside(&a->of->in, "distributions"), .key = name, .mesh = *a->mesh};
	if (!placed_read_shape(&shapes, json_object_get(a->of->json, "shapes"), name, &home->is.array))
		return false;
	home->rule = (sw_holding_rule){.region = home_region, .of = &home->is};
	sw_holding_of_rule(a->mesh->devices, home->is.array.rank, home->is.array.global, &home->rule, &home->held);
	*array = (sw_schedule_array){.name = sw_str_of(name), .rank = home->is.array.rank, .home = &home->held};
	for (int d = 0; d < array->rank; d++)
		array->size[d] = home->is.array.global[d];
	return true;
}

static bool read_shapes(struct asked *a)
{
	json_t *shapes = json_object_get(a->of->json, "shapes"), *shape;
	const char *name;

	if (!json_is_object(shapes))
		return sw_json_refuse(&a->of->in, SW_B03, "shapes", "is not an object with the sizes of each array");
	a->home = SW_NEW_ZERO(a->of->arena, struct home, json_object_size(shapes) + 1);
	a->array = SW_NEW_ZERO(a->of->arena, sw_schedule_array, json_object_size(shapes) + 1);
	if (a->home == NULL || a->array == NULL)
		return sw_diag_memory(a->diag);
	json_object_foreach(shapes, name, shape)
	{
		if (!read_shape(a, name))
			return false;
	}
	return true;
}

/* Where each of them is: that of an array which the statement does not name is looked at, too. */
static bool read_homes(struct asked *a)
{
	json_t *homes = json_object_get(a->of->json, "distributions");

	if (!json_is_object(homes))
		return sw_json_refuse(&a->of->in, SW_B03, "distributions",
			"is not an object with the placement of "
			"each array");
	for (int k = 0; k < a->arrays; k++) {
		struct placed *is = &a->home[k].is;
		json_t *value = json_object_get(homes, is->key);
		if (value == NULL)
			return sw_json_refuse(&a->of->in, SW_B03, "distributions", "does not place %.40s", is->key);
		if (!placed_read(is, value))
			return false;
	}
	return true;
}

/* ---- the statement and the commands ---- */

static bool read_problem(struct asked *a)
{
	const char *source = json_string_value(json_object_get(a->of->json, "source"));

	a->mesh = SW_NEW_ZERO(a->of->arena, sw_mesh, 1);
	if (a->mesh == NULL)
		return sw_diag_memory(a->diag);
	if (!placed_read_machine(&a->of->in, a->of->json, a->mesh) || !read_shapes(a))
		return false;
	if (!json_is_string(json_object_get(a->of->json, "statement")))
		return sw_json_refuse(&a->of->in, SW_B03, "statement", "is not a text");
	if (!sw_schedule_problem_of(problem_text(a->of, "statement"), a->mesh, a->array, a->arrays, a->of->arena,
			&a->problem, a->diag))
		return sw_json_refuse_shifted(&a->of->in, "statement");
	a->problem.from_home = source != NULL && sw_str_is(sw_str_of(source), "home");
	return read_homes(a);
}

/* One text, or one a command. */
static const sw_schedule *read_commands(struct asked *a)
{
	json_t *list = json_object_get(a->of->json, "schedule"), *command;
	const sw_schedule *schedule = sw_schedule_new(&a->problem, a->of->arena);
	char key[SW_WHERE_SIZE];
	size_t k;

	if (schedule == NULL)
		sw_diag_memory(a->diag);
	if (json_is_string(list) && schedule != NULL) {
		schedule = sw_schedule_read(schedule, problem_text(a->of, "schedule"), a->of->arena, NULL, a->diag);
		if (schedule == NULL)
			sw_json_refuse_shifted(&a->of->in, "schedule");
		return schedule;
	}
	json_array_foreach(list, k, command)
	{
		snprintf(key, sizeof key, "schedule[%zu]", k);
		const char *text = json_string_value(command);
		if (text == NULL) {
			sw_json_refuse(&a->of->in, SW_B03, key, "is not a text");
			return NULL;
		}
		if (schedule == NULL)
			return NULL;
		schedule = sw_schedule_read(schedule, sw_str_of(text), a->of->arena, NULL, a->diag);
		if (schedule == NULL)
			sw_json_refuse_shifted(&a->of->in, key);
	}
	return schedule;
}

/* ---- the answer ---- */

static bool answer_words(const struct problem_json *of, const struct schedule_look *look, sw_diag *diag)
{
	sw_schedule_totals totals;
	char messages[48] = "";

	if (!sw_lowering_totals(look->lowering, schedule_has_senders(look->lowering), of->pulse, of->arena, &totals,
			diag))
		return false;
	if (totals.messages >= 0)
		snprintf(messages, sizeof messages, " %lld messages,", (long long)totals.messages);
	problem_words(of, "%lld steps,%s %lld elements, live %lld", (long long)look->lowering->steps, messages,
		(long long)totals.volume, (long long)totals.most_peak);
	return true;
}

bool schedule_line(struct problem_json *of, sw_diag *diag)
{
	struct asked a = {.of = of, .diag = diag};
	struct schedule_look look = {0};
	struct fields *out;

	if (!read_problem(&a))
		return false;
	look.schedule = read_commands(&a);
	if (look.schedule == NULL)
		return false;
	look.lowering = sw_lowering_of(look.schedule, of->arena, diag);
	if (look.lowering == NULL)
		return sw_json_refuse_shifted(&of->in, "schedule");
	out = problem_fields(of, "shardwalk.schedule/1");
	if (out == NULL)
		return answer_words(of, &look, diag);
	field_mesh(out, "mesh", a.mesh);
	return schedule_fields(&look, of->pulse, out, diag);
}
