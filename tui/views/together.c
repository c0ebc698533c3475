/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who works together in a step, device by device.
 */
#include "views/together.h"

#include <assert.h>

#include "views/draw.h"

#define LETTERS 52

bool together_new(struct together *together, const sw_plan *plan, int k)
{
	assert(k >= 0 && k < plan->program.steps);
	int64_t devices = plan->problem.mesh.devices;
	*together = (struct together){.plan = plan, .step = k, .arena = sw_arena_new()};
	if (!together->arena || devices > SW_MAX_MAP_DEVICES ||
		!sw_step_on_devices(plan, k, together->arena, &together->shown, NULL))
		return false;
	const sw_step *step = &together->shown;
	if (!step->groups || step->group_size <= 0)
		return true;
	together->group = SW_NEW(together->arena, int32_t, (size_t)devices);
	if (!together->group)
		return false;
	for (int64_t i = 0; i < devices; i++)
		together->group[step->groups[i]] = (int32_t)(i / step->group_size);
	together->groups = devices / step->group_size;
	return true;
}

void together_free(struct together *together)
{
	sw_arena_free(together->arena);
}

enum role together_role(const struct together *together, int64_t device)
{
	assert(device >= 0 && device < together->plan->problem.mesh.devices);
	const int32_t *source = together->shown.source;
	if (together->group)
		return role_of_owner(together->group[device] % CANVAS_HUES,
			together->group[device] / CANVAS_HUES % CANVAS_LIGHTS);
	return source && source[device] != device ? ROLE_MOVED : ROLE_KEPT;
}

char together_letter(const struct together *together, int64_t device)
{
	if (!together->group || together->groups > LETTERS)
		return '\0';
	int group = together->group[device];
	return (char)(group < 26 ? 'a' + group : 'A' + group - 26);
}

bool together_same(const struct together *together, int64_t a, int64_t b)
{
	return together->group && together->group[a] == together->group[b];
}

/* Is there a group whose devices lie at different coordinates of the axis? */
static bool spans(const struct together *together, int axis)
{
	const sw_mesh *mesh = &together->plan->problem.mesh;
	const int64_t *ids = sw_plan_order(together->plan, together->step);
	int64_t *first = SW_NEW(together->arena, int64_t, (size_t)together->groups);
	for (int64_t g = 0; g < together->groups && first; g++)
		first[g] = -1;
	for (int64_t slot = 0; slot < mesh->devices && first; slot++) {
		int64_t group = together->group[sw_device_at(ids, slot)], at = sw_mesh_coordinate(mesh, slot, axis);
		if (first[group] >= 0 && first[group] != at)
			return true;
		first[group] = at;
	}
	return false;
}

static void axes_text(const struct together *together, sw_text *text)
{
	const sw_mesh *mesh = &together->plan->problem.mesh;
	for (int i = 0; i < mesh->count; i++) {
		if (mesh->axis[i].size == 1 || !spans(together, i))
			continue;
		sw_text_add(text, text->length ? ", " : "");
		sw_mesh_print_name(mesh->axis[i].name, text);
		if (mesh->axis[i].bandwidth > 0)
			sw_text_addf(text, " at %sB/s", words_amount(mesh->axis[i].bandwidth).text);
	}
}

/* What the devices of one group have in common. */
static const char *group_sign(const struct together *together, const struct view_options *opt)
{
	if (together->groups > LETTERS)
		return opt->letters ? "too many groups for letters" : "colour: one group";
	return opt->letters ? "letter: one group" : "letter and colour: one group";
}

int together_note(const struct together *together, const struct view_options *opt, bool joined, struct canvas *out,
	int y)
{
	sw_text text = {0};
	sw_plan_print_step(together->plan, together->step, &text);
	y = draw_note(out, 2, y, ROLE_OP, "step %d, %s", together->step + 1, sw_text_get(&text));
	sw_text_clear(&text);
	step_groups_text(together->plan, together->step, out->width - 4, &text);
	if (text.length)
		y = draw_note(out, 2, y, ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_clear(&text);
	if (together->group) {
		axes_text(together, &text);
		y = draw_note(out, 2, y, ROLE_NOTE, "%s%s%s%s", group_sign(together, opt), text.length ? ", along " : "",
			sw_text_get(&text), joined ? "; a line joins neighbours in a group" : "");
	} else if (together->shown.source) {
		y = draw_note(out, 2, y, ROLE_NOTE, "*: its tile comes from another device");
	}
	sw_text_free(&text);
	return y;
}
