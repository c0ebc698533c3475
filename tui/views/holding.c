/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every device holds, by digits of device numbers where it is a type, by offsets where it is none.
 */
#include "views/holding.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/between.h>
#include <shardwalk/number.h>

#include "views/draw.h"

struct holding holding_of_type(const sw_mesh *mesh, const sw_type *type, const char *name)
{
	struct holding holding = {
		.mesh = mesh,
		.known = true,
		.type = type,
		.tile = type->tile,
		.global = type->global,
		.array = type,
		.rank = type->rank,
		.dtype = type->dtype,
		.name = name,
		.step = -1,
	};
	sw_holding_of_type(mesh, type, NULL, NULL, &holding.held);
	return holding;
}

struct holding holding_of_step(const sw_plan *plan, int k)
{
	struct holding holding = holding_of_type(&plan->problem.mesh, &plan->problem.from, "from");
	bool there = k > 0 && k <= plan->program.steps;
	holding.step = k;
	holding.ids = sw_plan_order(plan, there ? k : 0);
	holding.known = holding.known && !sw_problem_has_words(&plan->problem);
	if (!there)
		return holding;
	const sw_value *made = &plan->program.value[k];
	holding.type = made->type;
	holding.known = !made->pieces && !made->words && !plan->problem.from_words;
	holding.tile = made->tile;
	if (holding.known)
		sw_plan_holding(plan, k, NULL, &holding.held);
	holding.name = k == plan->program.steps ? "to" : NULL;
	return holding;
}

static int holding_choose_steps(const sw_plan *plan, int step, struct holding shown[2])
{
	if (step == 0 || (step == VIEW_ALL && plan->program.steps == 0)) {
		shown[0] = holding_of_step(plan, 0);
		return 1;
	}
	int after = step == VIEW_ALL || step > plan->program.steps ? plan->program.steps : step;
	shown[0] = holding_of_step(plan, step == VIEW_ALL ? 0 : after - 1);
	shown[1] = holding_of_step(plan, after);
	return 2;
}

const int64_t *holding_order(const struct view_input *in, bool last)
{
	if (in->plan)
		return sw_plan_order(in->plan, last ? in->plan->program.steps : 0);
	return last && in->after_devices ? in->after_devices : in->devices;
}

int64_t holding_slot(const int64_t *ids, int64_t devices, int64_t device)
{
	int64_t slot = 0;
	while (ids && slot < devices && ids[slot] != device)
		slot++;
	return ids ? slot : device;
}

bool holding_known(const struct holding *holding)
{
	return holding->known;
}

int holding_choose(const struct view_input *in, const struct view_options *opt, struct holding shown[2],
	sw_diag *diag)
{
	int count = 0;
	if (in->type && in->mesh) {
		shown[count++] = holding_of_type(in->mesh, in->type, in->type_name);
		shown[0].ids = in->devices;
		if (in->after && in->after->rank == in->type->rank) {
			shown[count++] = holding_of_type(in->mesh, in->after, in->after_name);
			shown[1].ids = in->after_devices;
		}
	} else if (in->plan) {
		count = holding_choose_steps(in->plan, opt->step, shown);
	} else {
		draw_missing(diag, "type", "type, for instance: from [3{x}12, 2{y}12]");
		return 0;
	}
	for (int i = 0; i < count; i++) {
		if (!holding_known(&shown[i])) {
			sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "what the devices hold there is neither a type nor a map");
			sw_diag_hint(diag, "use a strategy that keeps to types, or a mesh of at most 2^20 devices");
			return 0;
		}
	}
	return count;
}

void holding_offset(const struct holding *holding, int64_t device, int64_t *offset)
{
	sw_holding_offset(&holding->held, holding_slot(holding->ids, holding->mesh->devices, device), offset);
}

bool holding_has(const struct holding *holding, int64_t slot, const int64_t *element)
{
	return sw_holding_has(&holding->held, slot, element);
}

static int order_draw(const struct holding *holding, const char *format, struct canvas *out, int y)
{
	int64_t devices = holding->mesh->devices, listed = devices < 32 ? devices : 32;
	sw_text text = {0};
	for (int64_t p = 0; p < listed; p++)
		sw_text_addf(&text, " %s", words_device(holding->mesh, sw_device_at(holding->ids, p)).text);
	y = draw_note(out, 0, y, ROLE_NOTE, "%s%s%s", format, sw_text_get(&text), listed < devices ? " …" : "");
	sw_text_free(&text);
	return y;
}

int holding_note_order(const struct holding *shown, int count, struct canvas *out, int y)
{
	int64_t devices = shown->mesh->devices;
	bool change = count == 2 && !sw_device_order_equal(shown[0].ids, shown[1].ids, devices);
	if (!change && sw_device_order_equal(shown->ids, NULL, devices))
		return y;
	y = order_draw(shown, "the slots of the mesh are on devices", out, y);
	return change ? order_draw(&shown[1], "and afterwards on devices", out, y) : y;
}

int holding_title(const struct holding *shown, int count, const char *view, struct canvas *out)
{
	assert(count >= 1 && count <= 2);
	sw_text rest = {0};
	int64_t before = 0;
	for (int i = 0; i < count; i++) {
		int64_t size = 1;
		for (int dim = 0; dim < shown[i].rank; dim++)
			size *= shown[i].tile[dim];
		if (size != before)
			sw_text_addf(&rest, "%s%s a device, %s", i ? "; then " : "", words_bytes(size, shown[i].dtype).text,
				words_on_all(size, shown[i].dtype, SW_UNIT_ELEMENTS, shown[i].mesh->devices).text);
		before = size;
	}
	int y = draw_title(out, 0, view, sw_text_get(&rest));
	sw_text_free(&rest);
	return y;
}

int holding_note(const struct holding *holding, struct canvas *out, int y)
{
	for (int d = 0; d < holding->rank; d++) {
		int64_t real = sw_type_size(holding->array, d), padding = holding->global[d] - real;
		if (padding == 1)
			y = draw_note(out, 0, y, ROLE_WARN, "padding: element %lld of dimension %d", (long long)real, d);
		else if (padding)
			y = draw_note(out, 0, y, ROLE_WARN, "padding: elements %lld to %lld of dimension %d", (long long)real,
				(long long)holding->global[d] - 1, d);
	}
	return y;
}

int64_t holding_tiles(const struct holding *holding, int dim)
{
	assert(dim >= 0 && dim < holding->rank);
	int64_t tile = holding->tile[dim], global = holding->global[dim];
	return tile > 0 ? global / tile + (global % tile != 0) : 1;
}

/* Is `part` one of the sums of a type, or of one of them? */
static bool is_sum(const sw_type *type, sw_part part)
{
	for (int i = type->first[type->rank]; i < type->first[type->rank + 1]; i++) {
		sw_part sum = sw_type_part(type, i);
		if (sum.axis == part.axis && part.pre % sum.pre == 0 && sum.pre * sum.size % (part.pre * part.size) == 0)
			return true;
	}
	return false;
}

/* Is what slot `to` holds in the end of no more terms than what `from` held, and of the same? */
static bool terms_kept(const struct holding *before, const struct holding *after, int64_t from, int64_t to)
{
	sw_part parts[SW_MAX_PARTS];
	int count = before->type ? sw_type_sums(before->type, parts) : 0;
	for (int i = 0; i < count; i++) {
		int64_t stride = part_stride(before->mesh, parts[i]);
		if (!after->type || !is_sum(after->type, parts[i]) ||
			from / stride % parts[i].size != to / stride % parts[i].size)
			return false;
	}
	return true;
}

bool holding_kept(const struct holding *before, const struct holding *after, int64_t device)
{
	assert(before->rank == after->rank);
	int64_t from = holding_slot(before->ids, before->mesh->devices, device);
	int64_t to = holding_slot(after->ids, after->mesh->devices, device);
	return terms_kept(before, after, from, to) &&
		sw_holding_meets(&after->held, to, &before->held, from) == sw_holding_size(&after->held, to);
}

/* ---- digits of device numbers ---- */

/* Devices that differ by one in this digit differ by `stride` in number. */
struct digit {
	int64_t stride, size;
};

/* At most the parts of a type and one gap behind each, and one for each axis. */
#define DIGITS_MAX (SW_MAX_AXES + SW_MAX_PARTS)

/* Adds the digits of an axis that no part of `parts` (of this axis, ascending by pre) takes. */
static int digits_between(const sw_axis *axis, const sw_part *parts, int count, struct digit *digits, int n)
{
	int64_t done = 1;
	for (int i = 0; i <= count; i++) {
		int64_t next = i < count ? parts[i].pre : axis->size;
		if (next > done)
			digits[n++] = (struct digit){axis->stride * (axis->size / next), next / done};
		done = i < count ? parts[i].pre * parts[i].size : done;
	}
	return n;
}

/* The parts of one axis that stand in dimensions which `choice` fixes, ascending by pre. */
static int parts_fixed(const sw_type *type, const struct tile_choice *choice, int axis, sw_part *parts)
{
	int count = 0;
	for (int dim = 0; dim < type->rank; dim++) {
		if (choice->position[dim] == VIEW_ALL)
			continue;
		for (int i = type->first[dim]; i < type->first[dim + 1]; i++) {
			sw_part part = sw_type_part(type, i);
			if (part.axis != axis || part.size == 1)
				continue;
			int at = count++;
			for (; at > 0 && parts[at - 1].pre > part.pre; at--)
				parts[at] = parts[at - 1];
			parts[at] = part;
		}
	}
	return count;
}

/* The digits that are free where `choice` fixes tiles, by descending stride. */
static int digits_free(const struct holding *holding, const struct tile_choice *choice, struct digit *digits)
{
	sw_part parts[SW_MAX_PARTS];
	int n = 0;
	for (int axis = 0; axis < holding->mesh->count; axis++) {
		int count = parts_fixed(holding->type, choice, axis, parts);
		n = digits_between(&holding->mesh->axis[axis], parts, count, digits, n);
	}
	for (int i = 1; i < n; i++) {
		struct digit digit = digits[i];
		int at = i;
		for (; at > 0 && digits[at - 1].stride < digit.stride; at--)
			digits[at] = digits[at - 1];
		digits[at] = digit;
	}
	return n;
}

/* The device with the fixed digits, all free ones 0; -1 where there is no such tile. */
static int64_t device_first(const struct holding *holding, const struct tile_choice *choice)
{
	const sw_type *type = holding->type;
	int64_t device = 0;
	for (int dim = 0; dim < type->rank; dim++) {
		int64_t position = choice->position[dim];
		if (position == VIEW_ALL)
			continue;
		for (int i = type->first[dim]; i < type->first[dim + 1]; i++) {
			sw_part part = sw_type_part(type, i);
			device += position % part.size * part_stride(holding->mesh, part);
			position /= part.size;
		}
		if (position)
			return -1;
	}
	return device;
}

static int64_t list_by_type(const struct holding *holding, const struct tile_choice *choice, int64_t room,
	int64_t *devices, int64_t *count)
{
	struct digit digits[DIGITS_MAX];
	int64_t first = device_first(holding, choice);
	*count = first >= 0;
	if (first < 0)
		return 0;
	int n = digits_free(holding, choice, digits);
	for (int i = 0; i < n; i++)
		*count *= digits[i].size;
	int64_t listed = *count < room ? *count : room;
	int64_t at[DIGITS_MAX] = {0};
	for (int64_t k = 0; k < listed; k++) {
		devices[k] = first;
		for (int i = n - 1; i >= 0; i--) {
			first += digits[i].stride;
			if (++at[i] < digits[i].size)
				break;
			first -= at[i] * digits[i].stride;
			at[i] = 0;
		}
	}
	return listed;
}

static int ascending(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left > right) - (left < right);
}

static bool stands_at(const struct holding *holding, const struct tile_choice *choice, int64_t slot)
{
	int64_t offset[SW_MAX_DIMS];
	sw_holding_offset(&holding->held, slot, offset);
	for (int i = 0; i < holding->rank; i++)
		if (choice->position[i] != VIEW_ALL && offset[i] / holding->tile[i] != choice->position[i])
			return false;
	return true;
}

/* In an order of its own: every slot is looked at, and the smallest device is kept whatever room there is. */
static int64_t list_by_order(const struct holding *holding, const struct tile_choice *choice, int64_t room,
	int64_t *devices, int64_t *count)
{
	int64_t listed = 0;
	*count = 0;
	for (int64_t p = 0; p < holding->mesh->devices; p++) {
		int64_t device = holding->ids[p];
		if (!stands_at(holding, choice, p))
			continue;
		++*count;
		if (listed && device < devices[0]) {
			int64_t first = devices[0];
			devices[0] = device;
			device = first;
		}
		if (listed < room)
			devices[listed++] = device;
	}
	qsort(devices, (size_t)listed, sizeof(*devices), ascending);
	return listed;
}

static int64_t list_by_map(const struct holding *holding, const struct tile_choice *choice, int64_t room,
	int64_t *devices, int64_t *count)
{
	int64_t listed = 0;
	*count = 0;
	for (int64_t device = 0; device < holding->mesh->devices; device++) {
		bool there = stands_at(holding, choice, device);
		if (there && listed < room)
			devices[listed++] = device;
		*count += there;
	}
	return listed;
}

int64_t holding_list(const struct holding *holding, const struct tile_choice *choice, int64_t room, int64_t *devices,
	int64_t *count)
{
	if (holding->ids)
		return list_by_order(holding, choice, room, devices, count);
	if (holding->type)
		return list_by_type(holding, choice, room, devices, count);
	return list_by_map(holding, choice, room, devices, count);
}

int64_t holding_run(const struct holding *holding)
{
	struct digit digits[DIGITS_MAX];
	struct tile_choice choice = {{0}};
	if (!holding->type || holding->ids)
		return 1;
	int64_t run = 1;
	for (int i = digits_free(holding, &choice, digits) - 1; i >= 0 && digits[i].stride == run; i--)
		run *= digits[i].size;
	for (int p = holding->type->first[holding->rank]; p < holding->type->first[holding->rank + 1]; p++) {
		sw_part part = sw_type_part(holding->type, p);
		const sw_axis *axis = &holding->mesh->axis[part.axis];
		run = sw_gcd(run, axis->stride * (axis->size / (part.pre * part.size)));
	}
	return run;
}

void holding_range_text(const struct holding *holding, const int64_t *offset, sw_text *text)
{
	sw_text_add(text, "[");
	for (int i = 0; i < holding->rank; i++) {
		sw_text_add(text, i ? ", " : "");
		if (holding->tile[i] == holding->global[i])
			sw_text_add(text, ":");
		else
			sw_text_addf(text, "%lld:%lld", (long long)offset[i], (long long)(offset[i] + holding->tile[i]));
	}
	sw_text_add(text, "]");
}

int64_t holding_terms(const struct holding *holding)
{
	return holding->held.terms;
}

int64_t holding_term(const struct holding *holding, int64_t device)
{
	sw_family family;
	int64_t slot = holding_slot(holding->ids, holding->mesh->devices, device);
	return sw_holding_summed(&holding->held, slot, &family).family->first;
}

int64_t holding_term_device(const struct holding *holding, const struct tile_choice *choice, int64_t term)
{
	assert(holding->type != NULL);
	const sw_type *type = holding->type;
	int64_t slot = device_first(holding, choice);
	for (int i = type->first[type->rank]; i < type->first[type->rank + 1] && slot >= 0; i++) {
		sw_part part = sw_type_part(type, i);
		slot += term % part.size * part_stride(holding->mesh, part);
		term /= part.size;
	}
	return slot >= 0 && holding->ids ? holding->ids[slot] : slot;
}

void holding_term_text(const struct holding *holding, int64_t device, sw_text *text)
{
	int64_t terms = holding_terms(holding);
	if (terms > 1)
		sw_text_addf(text, " term %lld of %lld", (long long)holding_term(holding, device) + 1, (long long)terms);
}
