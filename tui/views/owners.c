/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * First owners: who they are, their colours and their signs.
 */
#include "views/owners.h"

#include <assert.h>
#include <stdio.h>

#include "views/draw.h"

#define LETTERS 52
#define LOOKS_MOST ((int64_t)1 << 22) /* at devices, where each element has to look at all of them */

/* The largest axis, the last of equals. */
static int axis_largest(const sw_mesh *mesh)
{
	int best = 0;
	for (int i = 1; i < mesh->count; i++)
		if (mesh->axis[i].size >= mesh->axis[best].size)
			best = i;
	return best;
}

/* Has any type of a plan sums? */
static bool plan_sums(const sw_plan *plan)
{
	for (int k = 0; k <= plan->program.steps; k++) {
		struct holding holding = holding_of_step(plan, k);
		if (holding_terms(&holding) > 1)
			return true;
	}
	return false;
}

struct owners owners_of(const struct view_input *in, const struct holding *shown, int count)
{
	assert(count >= 1);
	bool of_plan = in->plan && !in->type;
	struct owners owners = {.first = of_plan ? holding_of_step(in->plan, 0) : shown[0]};
	owners.hue = axis_largest(owners.first.mesh);
	if (of_plan ? plan_sums(in->plan) : holding_terms(&shown[0]) > 1 || holding_terms(&shown[count - 1]) > 1)
		owners.now = &shown[0];
	return owners;
}

struct owners owners_of_mesh(const sw_mesh *mesh)
{
	return (struct owners){.first = {.mesh = mesh}, .hue = axis_largest(mesh)};
}

struct owners owners_in(const struct owners *owners, const struct holding *now)
{
	struct owners of = *owners;
	if (of.now)
		of.now = now;
	return of;
}

static const struct holding *owners_looked(const struct owners *owners)
{
	return owners->now ? owners->now : &owners->first;
}

bool owners_known(const struct owners *owners, int64_t elements)
{
	const struct holding *looked = owners_looked(owners);
	bool looks_at_all = !looked->type || (looked->ids && !owners->now);
	return !looks_at_all || elements <= LOOKS_MOST / owners->first.mesh->devices;
}

int64_t owners_at(const struct owners *owners, const int64_t *element, int64_t term)
{
	const struct holding *looked = owners_looked(owners);
	struct tile_choice choice;
	int64_t device, count;
	for (int i = 0; i < SW_MAX_DIMS; i++)
		choice.position[i] = i >= looked->rank || element[i] == VIEW_ALL ? VIEW_ALL : element[i] / looked->tile[i];
	if (owners->now && looked->type)
		return holding_term_device(looked, &choice, term);
	return holding_list(looked, &choice, 1, &device, &count) ? device : -1;
}

/* Coordinates along the axes that give no hue, as one number. */
static int64_t coordinate_rest(const sw_mesh *mesh, int64_t slot, int hue)
{
	int64_t rest = 0;
	for (int i = 0; i < mesh->count; i++)
		if (i != hue)
			rest = rest * mesh->axis[i].size + sw_mesh_coordinate(mesh, slot, i);
	return rest;
}

/* `at` of `size`, as one of `shades`. */
static int shade(int64_t at, int64_t size, int shades)
{
	return (int)(size <= shades ? at : (int64_t)((double)at / (double)size * shades));
}

enum role owners_role(const struct owners *owners, int64_t device)
{
	assert(device >= 0 && device < owners->first.mesh->devices);
	const sw_mesh *mesh = owners->first.mesh;
	int64_t slot = holding_slot(owners->first.ids, mesh->devices, device);
	int64_t size = mesh->axis[owners->hue].size, others = mesh->devices / size;
	int64_t at = sw_mesh_coordinate(mesh, slot, owners->hue);
	if (others == 1 && size > CANVAS_HUES) {
		int both = shade(at, size, CANVAS_HUES * CANVAS_LIGHTS);
		return role_of_owner(both / CANVAS_LIGHTS, both % CANVAS_LIGHTS);
	}
	return role_of_owner(shade(at, size, CANVAS_HUES),
		shade(coordinate_rest(mesh, slot, owners->hue), others, CANVAS_LIGHTS));
}

struct owner_sign owners_sign(const struct owners *owners, int64_t device)
{
	struct owner_sign sign = {"?"};
	if (device >= 0 && owners->first.mesh->devices <= LETTERS)
		snprintf(sign.text, sizeof(sign.text), "%c", (int)(device < 26 ? 'a' + device : 'A' + device - 26));
	else if (device >= 0)
		snprintf(sign.text, sizeof(sign.text), "%.23s", words_device(owners->first.mesh, device).text);
	return sign;
}

int owners_sign_width(const struct owners *owners)
{
	return canvas_text_width(owners_sign(owners, owners->first.mesh->devices - 1).text);
}

struct words owners_sign_words(const struct owners *owners, const struct view_options *opt)
{
	const sw_mesh *mesh = owners->first.mesh;
	struct words words;
	snprintf(words.text, sizeof(words.text), "%s%s",
		mesh->devices <= LETTERS ? "letter" :
			mesh->unit > 0       ? "name" :
								   "number",
		opt->letters ? "" : " and colour");
	return words;
}

int owners_note_colour(const struct owners *owners, const struct view_options *opt, struct canvas *out, int y)
{
	const sw_mesh *mesh = owners->first.mesh;
	sw_text name = {0};
	if (opt->letters)
		return y;
	sw_mesh_print_name(mesh->axis[owners->hue].name, &name);
	y = draw_note(out, 0, y, ROLE_NOTE, "colour: the device that %s, hue by %s%s",
		owners->now ? "holds the term" : "held the elements first", sw_text_get(&name),
		mesh->devices > mesh->axis[owners->hue].size ? ", lightness by the rest" : "");
	sw_text_free(&name);
	return y;
}

int owners_note(const struct owners *owners, const struct view_options *opt, struct canvas *out, int y)
{
	const sw_mesh *mesh = owners->first.mesh;
	int64_t last = mesh->devices - 1;
	const char *does = owners->now ? "holds the term" : "held the element first";
	const struct words sign = owners_sign_words(owners, opt);
	if (last >= LETTERS)
		return draw_note(out, 0, y, ROLE_NOTE, "%s: the device that %s", sign.text, does);
	if (!last)
		return draw_note(out, 0, y, ROLE_NOTE, "a: held by device %s", words_device_first(mesh, 0).text);
	return draw_note(out, 0, y, ROLE_NOTE, "%s: the device that %s, a: %s to %s: %s", sign.text, does,
		words_device_first(mesh, 0).text, owners_sign(owners, last).text, words_device_first(mesh, last).text);
}
