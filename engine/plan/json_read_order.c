/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading plans: the devices in the slots of the mesh, where these are not their numbers.
 */
#include "plan/json_reader.h"
#include "plan/reorder.h"

bool sw_reader_ids(const sw_plan_reader *r, json_t *root, const char *key, const int64_t **out)
{
	bool ok;
	int64_t devices = r->plan->problem.mesh.devices;
	json_t *list = sw_json_read_value(&r->in, root, key, SW_KIND_LIST, SW_OPTIONAL, &ok);
	*out = NULL;
	if (!list)
		return ok;
	if ((int64_t)json_array_size(list) != devices)
		return sw_json_refuse(&r->in, SW_P03, key, "names %zu of %lld devices", json_array_size(list),
			(long long)devices);
	int64_t *ids = SW_NEW(r->in.arena, int64_t, devices);
	bool *seen = SW_NEW_ZERO(r->in.arena, bool, devices);
	if (!ids || !seen)
		return sw_diag_memory(r->in.diag);
	for (int64_t i = 0; i < devices; i++) {
		json_t *id = json_array_get(list, (size_t)i);
		ids[i] = json_integer_value(id);
		if (!json_is_integer(id) || ids[i] < 0 || ids[i] >= devices || seen[ids[i]])
			return sw_json_refuse(&r->in, SW_P03, key, "does not name each device once");
		seen[ids[i]] = true;
	}
	*out = ids;
	return true;
}

bool sw_reader_orders(const sw_plan_reader *r, json_t *root)
{
	const int64_t *before, *after;
	if (!sw_reader_ids(r, root, "devices", &before) || !sw_reader_ids(r, root, "to_devices", &after))
		return false;
	if (!before != !after)
		return sw_json_refuse(&r->in, SW_P03, before ? "devices" : "to_devices", "is given for only one end");
	r->plan->problem.mesh.order = before;
	r->plan->problem.to_order = after;
	return true;
}

bool sw_reader_order_change(const sw_plan_reader *r)
{
	sw_plan *plan = r->plan;
	const sw_problem *problem = &plan->problem;
	int permute = sw_plan_first_permute(plan), told = -1;
	for (int k = plan->program.steps - 1; k >= 0; k--)
		told = plan->program.step[k].order ? k : told;
	if (told >= 0 && !sw_problem_ordered(problem))
		return sw_json_refuse(&r->in, SW_P03, "steps",
			"changes the order of devices in step %d, but the plan has no order", told + 1);
	if (told < 0 && permute >= 0 &&
		!sw_device_order_equal(problem->mesh.order, problem->to_order, problem->mesh.devices))
		plan->program.step[permute].order = problem->to_order;
	return true;
}
