/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps in words: the operation as the language writes it, its groups folded, lists of devices by runs.
 */
#include "views/draw.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

/* ---- operations ---- */

bool entries_are_pairs(int gathers, int splits)
{
	return gathers > 1 || splits > 1;
}

int pairs_note(struct canvas *out, int y)
{
	return draw_note(out, 2, y, ROLE_NOTE, "0:2 is dimension 0 by 2: it grows if gathered, shrinks if split");
}

/* Have all devices tiles of one size?  Of other values the size is that of a box around what they have. */
static bool has_tiles(const sw_value *value)
{
	return value->words == NULL && value->pieces == NULL;
}

/* Along which dimensions tiles grow and shrink. */
static void add_changes(const sw_plan *plan, int k, sw_text *words)
{
	const int64_t *before = plan->program.value[k].tile, *after = plan->program.value[k + 1].tile;
	if (!has_tiles(&plan->program.value[k]) || !has_tiles(&plan->program.value[k + 1]))
		return;
	for (int d = 0; d < plan->problem.from.rank; d++)
		if (before[d] != after[d])
			sw_text_addf(words, "; dimension %d of the tiles %s from %s to %s", d,
				before[d] < after[d] ? "grows" : "shrinks", words_count(before[d]).text, words_count(after[d]).text);
}

void step_sentence(const sw_plan *plan, int k, sw_text *text)
{
	sw_plan_why(plan, k, text);
	add_changes(plan, k, text);
}

/* ---- lists of devices ---- */

/* How many devices from `i` on go up by equal strides. */
static int64_t run_length(const int64_t *devices, int64_t listed, int64_t i)
{
	int64_t n = i + 1 < listed ? 2 : 1;
	while (i + n < listed && devices[i + n] - devices[i + n - 1] == devices[i + 1] - devices[i])
		n++;
	return n;
}

/* Adds the devices by runs; gives up where that takes more than `room` columns. */
static bool runs_text(const sw_mesh *mesh, const int64_t *devices, int64_t listed, int room, sw_text *text)
{
	for (int64_t i = 0; i < listed;) {
		int64_t n = run_length(devices, listed, i);
		struct words first = words_device(mesh, devices[i]), last = words_device(mesh, devices[i + n - 1]);
		bool dense = n > 1 && devices[i + 1] - devices[i] == 1;
		sw_text_add(text, i ? "," : "");
		if (dense)
			sw_text_addf(text, "%s-%s", first.text, last.text);
		else if (n > 3)
			sw_text_addf(text, "%s,%s..%s", first.text, words_device(mesh, devices[i + 1]).text, last.text);
		else
			sw_text_add(text, first.text);
		i += dense || n > 3 ? n : 1;
		if (text->length > (size_t)room)
			return false;
	}
	return true;
}

void devices_text(const sw_mesh *mesh, const int64_t *devices, int64_t listed, int64_t count, int room, sw_text *text)
{
	assert(listed >= 0 && listed <= count);
	sw_text runs = {0};
	if (!count)
		sw_text_add(text, "-");
	else if (count == 1)
		sw_mesh_print_device(mesh, devices[0], text);
	else if (listed == count && runs_text(mesh, devices, listed, room, &runs))
		sw_text_add(text, sw_text_get(&runs));
	else
		sw_text_addf(text, "%s+%lld", words_device(mesh, devices[0]).text, (long long)count - 1);
	sw_text_free(&runs);
}

/* ---- groups ---- */

static void group_text(const sw_mesh *mesh, const int32_t *group, int64_t size, int room, sw_text *text)
{
	sw_text list = {0};
	for (int64_t i = 0; i < size && list.length <= (size_t)room; i++)
		sw_text_addf(&list, "%s%s", i ? " " : "", words_device(mesh, group[i]).text);
	if (list.length > (size_t)room && size > 3) {
		sw_text_clear(&list);
		sw_text_addf(&list, "%s %s … %s", words_device(mesh, group[0]).text, words_device(mesh, group[1]).text,
			words_device(mesh, group[size - 1]).text);
	}
	sw_text_addf(text, "[%s]", sw_text_get(&list));
	sw_text_free(&list);
}

/* A step, and the mesh whose devices work together in it. */
struct grouping {
	const sw_step *step;
	const sw_mesh *mesh;
};

/* Adds items 0, 1, ... of `count` as long as they fit into `room` columns beside `total`; then, behind `stop` where all
 * of them fitted, `total`. */
static void folded_text(int64_t count, void (*item)(const struct grouping *, int64_t, int, sw_text *),
	const struct grouping *of, int room, const char *stop, const char *total, sw_text *text)
{
	sw_text list = {0}, one = {0};
	int left = room - canvas_text_width(total) - 3;
	int64_t i = 0;
	for (; i < count; i++) {
		sw_text_clear(&one);
		item(of, i, left > 24 ? left / 2 : left, &one);
		int width = canvas_text_width(sw_text_get(&one)) + 1;
		if (width > left)
			break;
		left -= width;
		sw_text_addf(&list, "%s%s", i ? " " : "", sw_text_get(&one));
	}
	sw_text_addf(text, "%s%s %s", sw_text_get(&list), i == count ? stop : i ? " …" : "…", total);
	sw_text_free(&list);
	sw_text_free(&one);
}

static void group_item(const struct grouping *of, int64_t i, int room, sw_text *text)
{
	const sw_step *step = of->step;
	group_text(of->mesh, step->groups + i * step->group_size, step->group_size, room, text);
}

static void pair_item(const struct grouping *of, int64_t i, int room, sw_text *text)
{
	(void)room;
	sw_text_addf(text, "%s→%s", words_device(of->mesh, of->step->source[i]).text, words_device(of->mesh, i).text);
}

static int64_t pairs_moved(const sw_step *step, int64_t devices)
{
	int64_t moved = 0;
	for (int64_t i = 0; i < devices; i++)
		moved += step->source[i] != i;
	return moved;
}

void step_groups_text(const sw_plan *plan, int k, int room, sw_text *text)
{
	assert(k >= 0 && k < plan->program.steps);
	sw_arena *arena = sw_arena_new();
	sw_step shown;
	const sw_step *step = arena && sw_step_on_devices(plan, k, arena, &shown, NULL) ? &shown : &plan->program.step[k];
	int64_t devices = plan->problem.mesh.devices;
	const struct grouping grouping = {step, &plan->problem.mesh};
	sw_text total = {0};
	if (step->source) {
		sw_text_addf(&total, "%s of %s move", words_plural(pairs_moved(step, devices), "tile", "tiles").text,
			words_count(devices).text);
		folded_text(devices, pair_item, &grouping, room, ",", sw_text_get(&total), text);
	} else if (step->group_size > 0) {
		int64_t groups = step->grouped / step->group_size;
		sw_text_addf(&total, "%s of %s", words_plural(groups, "group", "groups").text,
			words_count(step->group_size).text);
		if (step->groups)
			folded_text(groups, group_item, &grouping, room, "", sw_text_get(&total), text);
		else
			sw_text_addf(text, "%s%s%s", step->groups_text ? step->groups_text : "", step->groups_text ? "  " : "",
				sw_text_get(&total));
	}
	sw_text_free(&total);
	sw_arena_free(arena);
}
