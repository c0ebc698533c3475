/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A formula repeated: its tasks in layers, a round each, with the arcs between them, the critical path, and what may start.
 */
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/task_walk.h>

#include "canvas/glyphs.h"
#include "session/walks.h"
#include "views/computed.h"
#include "views/draw.h"

#define LAYERS_MOST 12
#define DEVICES_MOST 64 /* columns */
#define FAR_TOLD 8      /* arcs that are no lines */

struct layers {
	const struct tasks_look *look;
	const struct view_options *opt;
	struct canvas *out;
	sw_arena *arena;
	int32_t *list;                                              /* room for all devices */
	int y, label, width;                                        /* columns of the labels, of a device */
	struct stretch layer[STRETCHES_MAX], device[STRETCHES_MAX]; /* layer 0 are the inputs */
	int layers, devices;
	int64_t path;             /* the device of the critical path; -1: it is not one device's */
	int32_t far_from, far_to; /* the first arc that no line shows */
	bool far, marked;
};

bool session_tasks_look(const struct session *session, struct tasks_look *look, sw_diag *diag)
{
	const struct kept_tasks *tasks = session_tasks(session, diag);
	const struct kept_walk *walk = session->state.walks[SW_WALK_STEPS];

	if (tasks == NULL)
		return false;
	*look = (struct tasks_look){tasks->formula->computation, &tasks->of, 0};
	if (walk != NULL && walk->tasks == tasks)
		look->done = sw_walk_settled(walk->walk);
	return true;
}

/* ---- the critical path ---- */

static bool needs_itself(struct layers *l, int64_t device)
{
	int64_t count = sw_relation_before(l->look->tasks->full.relation, device, l->list);

	for (int64_t k = 0; k < count; k++)
		if (l->list[k] == device)
			return true;
	return false;
}

/* The device that computes most, if it needs its own results: no path takes longer. */
static int64_t path_device(struct layers *l, int64_t *most)
{
	const sw_holding *made = &l->look->computation->made;
	int64_t device = -1;

	*most = 0;
	for (int64_t d = 0; d < made->devices; d++) {
		int64_t size = sw_holding_size(made, d);
		if (size > *most) {
			*most = size;
			device = d;
		}
	}
	return device >= 0 && l->look->tasks->full.relation != NULL && needs_itself(l, device) ? device : -1;
}

/* ---- layout ---- */

static void label_of(const struct layers *l, int64_t layer, char text[48])
{
	const sw_tasks *tasks = l->look->tasks;
	int64_t first = (layer - 1) * tasks->every + 1, last = sw_smaller(layer * tasks->every, tasks->steps);

	if (layer == 0)
		snprintf(text, 48, "inputs");
	else if (first == last)
		snprintf(text, 48, "step %lld", (long long)first);
	else
		snprintf(text, 48, "steps %lld-%lld", (long long)first, (long long)last);
}

static void lay_out(struct layers *l)
{
	const sw_tasks *tasks = l->look->tasks;
	int64_t devices = l->look->computation->mesh.devices;
	int rows = l->opt->height > 16 ? (l->opt->height - 8) / 2 : LAYERS_MOST, fit;
	char text[48];

	label_of(l, tasks->rounds, text);
	l->label = (int)sw_larger(6, (int64_t)strlen(text));
	l->width = words_device_room(&l->look->computation->mesh) + 2;
	l->width = l->width < 4 ? 4 : l->width;
	fit = (l->out->width - l->label - (l->out->width >= 60 ? 16 : l->out->width >= 40 ? 11 : 2)) / l->width;
	fit = fit < 1 ? 1 : fit > DEVICES_MOST ? DEVICES_MOST : fit;
	l->layers = fold_stretches(tasks->rounds + 1, rows, l->look->done < tasks->rounds ? l->look->done + 1 : -1,
		l->layer);
	l->devices = fold_stretches(devices, fit, l->opt->device < devices ? l->opt->device : -1, l->device);
}

static int device_x(const struct layers *l, int column)
{
	return l->label + 2 + column * l->width;
}

/* ---- a layer ---- */

enum progress { DONE, READY, LATER };

static enum progress progress_of(const struct layers *l, int64_t layer)
{
	return layer <= l->look->done ? DONE : layer == l->look->done + 1 ? READY : LATER;
}

static void draw_task(const struct layers *l, int column, int64_t layer)
{
	static const uint32_t glyph[] = {[DONE] = GLYPH_SETTLED, [READY] = GLYPH_FRONTIER, [LATER] = GLYPH_DOT};
	static const enum role role[] = {[DONE] = ROLE_KEPT, [READY] = ROLE_GOOD, [LATER] = ROLE_DIM};
	int64_t device = l->device[column].from;
	enum progress progress = progress_of(l, layer);
	int x = device_x(l, column);

	if (stretch_folded(l->device[column]))
		canvas_put_glyph(l->out, x, l->y, ROLE_DIM, GLYPH_ELLIPSIS);
	else if (!sw_holding_defined(&l->look->computation->made, device))
		return;
	else
		canvas_put_glyph(l->out, x, l->y,
			device == l->opt->device && layer > 0 ? ROLE_CURRENT :
				device == l->path                 ? ROLE_WARN :
													role[progress],
			layer == 0 ? GLYPH_FULL : glyph[progress]);
}

/* Why a layer is as it is, at its end, if there is room. */
static void draw_remark(const struct layers *l, int64_t layer)
{
	int x = device_x(l, l->devices) + 1;
	enum progress progress = progress_of(l, layer);
	const char *words = progress == READY ? "may start" : layer > 0 && layer == l->look->done ? "done" : "";

	if (x + canvas_text_width(words) <= l->out->width)
		canvas_put(l->out, x, l->y, progress == READY ? ROLE_GOOD : ROLE_KEPT, words);
}

static void draw_layer(struct layers *l, int64_t layer)
{
	char text[48];

	label_of(l, layer, text);
	canvas_put_right(l->out, 0, l->y, l->label, ROLE_LABEL, text);
	for (int column = 0; column < l->devices; column++)
		draw_task(l, column, layer);
	draw_remark(l, layer);
	l->y++;
}

/* ---- arcs ---- */

/* Which arcs come to the devices that are shown, and from where: bits by columns. */
struct arcs {
	bool own[STRETCHES_MAX];
	unsigned between[STRETCHES_MAX]; /* in the gap behind a column: from its left, from its right */
	int far;
	int32_t from[FAR_TOLD], to[FAR_TOLD];
};

enum { FROM_LEFT = 1, FROM_RIGHT = 2 };

static void add_arc(const struct layers *l, struct arcs *arcs, int column, int64_t from)
{
	int64_t to = l->device[column].from;

	if (from == to)
		arcs->own[column] = true;
	else if (column > 0 && from == to - 1 && !stretch_folded(l->device[column - 1]))
		arcs->between[column - 1] |= FROM_LEFT;
	else if (column + 1 < l->devices && from == to + 1 && !stretch_folded(l->device[column + 1]))
		arcs->between[column] |= FROM_RIGHT;
	else {
		if (arcs->far < FAR_TOLD) {
			arcs->from[arcs->far] = (int32_t)from;
			arcs->to[arcs->far] = (int32_t)to;
		}
		arcs->far++;
	}
}

static bool find_arcs(struct layers *l, int64_t layer, struct arcs *arcs)
{
	sw_relation *relation = sw_tasks_round(l->look->tasks, layer)->relation;

	memset(arcs, 0, sizeof *arcs);
	for (int column = 0; column < l->devices; column++) {
		if (stretch_folded(l->device[column]))
			continue;
		int64_t count = sw_relation_before(relation, l->device[column].from, l->list);
		if (count < 0)
			return false;
		for (int64_t k = 0; k < count; k++)
			add_arc(l, arcs, column, l->list[k]);
	}
	return true;
}

/* What is no line: `5 to 0, 0 to 5`. */
static void draw_far(struct layers *l, const struct arcs *arcs)
{
	const sw_mesh *mesh = &l->look->computation->mesh;
	int x = device_x(l, l->devices) + 1;
	sw_text text = {0};

	for (int k = 0; k < arcs->far && k < FAR_TOLD; k++)
		sw_text_addf(&text, "%s%s to %s", k > 0 ? ", " : "", words_device(mesh, arcs->from[k]).text,
			words_device(mesh, arcs->to[k]).text);
	if (arcs->far > FAR_TOLD)
		sw_text_addf(&text, ", … %d more", arcs->far - FAR_TOLD);
	canvas_put_cut(l->out, x, l->y, l->out->width - x, ROLE_DIM, sw_text_get(&text));
	sw_text_free(&text);
	if (arcs->far == 0)
		return;
	l->far = true;
	l->far_from = arcs->from[0];
	l->far_to = arcs->to[0];
}

static void draw_arcs(struct layers *l, const struct arcs *arcs)
{
	static const uint32_t glyph[] = {' ', GLYPH_FALLING, GLYPH_RISING, GLYPH_CROSSED};

	for (int column = 0; column < l->devices; column++) {
		bool path = l->path >= 0 && l->device[column].from == l->path && !stretch_folded(l->device[column]);
		if (arcs->own[column])
			canvas_lines(l->out, device_x(l, column), l->y, path ? ROLE_WARN : ROLE_BORDER,
				LINE_UP | LINE_DOWN | (path ? LINE_HEAVY : 0));
		if (arcs->between[column])
			canvas_put_glyph(l->out, device_x(l, column) + l->width / 2, l->y, ROLE_BORDER,
				glyph[arcs->between[column]]);
	}
	draw_far(l, arcs);
	l->y++;
}

/* The layers, with the arcs that come to each of them; far ones are told once. */
static bool draw_layers(struct layers *l)
{
	struct arcs arcs;

	for (int k = 0; k < l->layers; k++) {
		struct stretch layer = l->layer[k];
		if (stretch_folded(layer)) {
			l->y = draw_note(l->out, l->label + 2, l->y, ROLE_DIM, "… %s",
				words_plural(layer.to - layer.from + 1, "layer like these", "layers like these").text);
			continue;
		}
		if (layer.from > 0 && k > 0 && !stretch_folded(l->layer[k - 1])) {
			if (!find_arcs(l, layer.from, &arcs))
				return false;
			arcs.far = l->far ? 0 : arcs.far;
			draw_arcs(l, &arcs);
		}
		draw_layer(l, layer.from);
	}
	return true;
}

/* ---- around them ---- */

static void draw_heads(struct layers *l)
{
	canvas_put_right(l->out, 0, l->y, l->label, ROLE_LABEL, "device");
	for (int column = 0; column < l->devices; column++) {
		struct stretch device = l->device[column];
		canvas_putf(l->out, device_x(l, column), l->y, stretch_folded(device) ? ROLE_DIM : ROLE_LABEL, "%s",
			stretch_folded(device) ? "…" : words_device(&l->look->computation->mesh, device.from).text);
		l->marked = l->marked || (!stretch_folded(device) && device.from == l->opt->device);
	}
	l->y++;
}

/* How far it is, in tasks. */
static void draw_progress(struct layers *l)
{
	const sw_tasks *tasks = l->look->tasks;
	int64_t done = l->look->done, left = tasks->rounds - done;

	if (left > 0)
		l->y = draw_note(l->out, 0, l->y, ROLE_TEXT, "round %lld of %lld is done: %lld of %lld tasks; %lld may start",
			(long long)done, (long long)tasks->rounds, (long long)(done * tasks->devices), (long long)tasks->tasks,
			(long long)tasks->devices);
	else
		l->y = draw_note(l->out, 0, l->y, ROLE_TEXT, "all %lld rounds are done: %lld tasks", (long long)tasks->rounds,
			(long long)tasks->tasks);
}

static void draw_path(struct layers *l, int64_t most)
{
	const sw_tasks *tasks = l->look->tasks;
	int64_t elements;

	if (l->path >= 0 && tasks->every > 1)
		l->y = draw_note(l->out, 0, l->y, ROLE_NOTE, "critical path: %lld tasks one after the other, on device %s",
			(long long)tasks->rounds, words_device_first(&l->look->computation->mesh, l->path).text);
	else if (l->path >= 0 && sw_mul(tasks->steps, most, &elements))
		l->y = draw_note(l->out, 0, l->y, ROLE_NOTE,
			"critical path: %lld tasks, %lld elements one after the other, on device %s", (long long)tasks->rounds,
			(long long)elements, words_device_first(&l->look->computation->mesh, l->path).text);
	else
		l->y = draw_note(l->out, 0, l->y, ROLE_NOTE, "critical path: %lld tasks, one after the other",
			(long long)tasks->rounds);
}

static void draw_legend(struct layers *l)
{
	const sw_tasks *tasks = l->look->tasks;

	l->y = draw_note(l->out, 0, l->y, ROLE_NOTE,
		"█ input, ● done, ○ may start, · waits for the layer before; lines: a task needs the one above%s",
		l->path >= 0 ? ", ┃ the critical path" : "");
	if (l->far) {
		struct words from = words_device(&l->look->computation->mesh, l->far_from),
					 to = words_device(&l->look->computation->mesh, l->far_to);
		l->y = draw_note(l->out, 0, l->y, ROLE_NOTE, "%s to %s: device %s needs what %s made, as in each layer",
			from.text, to.text, to.text, from.text);
	}
	if (tasks->move.relation != NULL)
		l->y = draw_note(l->out, 0, l->y, ROLE_NOTE, "between rounds the results move: %lld more messages",
			(long long)tasks->move.messages);
	if (l->marked)
		l->y = draw_note(l->out, 0, l->y, ROLE_NOTE, "marked: device %s",
			words_device_first(&l->look->computation->mesh, l->opt->device).text);
}

static bool draw_tasks(struct layers *l)
{
	int64_t most;

	l->list = SW_NEW(l->arena, int32_t, l->look->computation->mesh.devices);
	if (l->list == NULL)
		return false;
	l->path = path_device(l, &most);
	lay_out(l);
	draw_progress(l);
	draw_path(l, most);
	l->y++;
	draw_heads(l);
	if (!draw_layers(l))
		return false;
	draw_legend(l);
	return true;
}

bool view_tasks(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct layers l = {.look = in->tasks, .opt = opt, .out = out};
	sw_text formula = {0};
	bool drawn;

	if (l.look == NULL)
		return draw_missing(diag, "repeated formula", "after `compute`, type: tasks 15");
	if (!draw_begin("tasks", opt, out))
		return true;
	sw_formula_print(&l.look->computation->formula, &formula);
	l.y = draw_title(out, 0, "tasks", sw_text_get(&formula));
	sw_text_free(&formula);
	l.arena = sw_arena_new();
	drawn = l.arena != NULL && draw_tasks(&l);
	sw_arena_free(l.arena);
	return drawn || sw_diag_memory(diag);
}

bool tasks_view_fields(const struct view_input *in, const struct view_options *opt, struct fields *fields,
	sw_diag *diag)
{
	const struct tasks_look *look = in->tasks;

	(void)opt;
	if (look == NULL)
		return draw_missing(diag, "repeated formula", "after `compute`, type: tasks 15");
	field_mesh(fields, "mesh", &look->computation->mesh);
	field_int(fields, "done", look->done);
	return tasks_fields(look->computation, look->tasks, fields, diag);
}
