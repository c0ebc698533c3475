/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What devices hold, who needs what of whom, what a formula needs, and its tasks, on the screens: the pictures that `show` draws.
 */
#include <stdio.h>
#include <string.h>

#include <shardwalk/between.h>
#include <shardwalk/number.h>

#include "answer/words.h"
#include "screen/enter.h"
#include "screen/panes.h"
#include "session/walks.h"
#include "views/computed.h"
#include "views/sets.h"

static struct view_options options_for(const struct screen *screen, int width, int height)
{
	struct view_options options = view_options_default(width);
	options.height = height;
	options.letters = screen_letters(screen);
	options.device = screen->viewpoint.device;
	return options;
}

static void frame_device(const struct screen *screen, const char *what, struct frame *frame)
{
	if (screen->viewpoint.device == VIEW_ALL)
		snprintf(frame->object, sizeof(frame->object), "%s", what);
	else
		snprintf(frame->object, sizeof(frame->object), "%s, device %.40s", what,
			words_device(&screen->session->state.mesh, screen->viewpoint.device).text);
	frame->row = -1;
}

/* ---- what was drawn before ---- */

/* All on which the pictures of both ends depend. */
static void key_text(const struct screen *screen, const struct view_options *options, sw_text *key)
{
	const struct state *state = &screen->session->state;
	struct any_type end;
	sw_mesh_print(&state->mesh, key);
	for (int64_t i = 0; state->mesh.order && i < state->mesh.devices; i++)
		sw_text_addf(key, " %lld", (long long)state->mesh.order[i]);
	for (int64_t i = 0; state->to_order && i < state->mesh.devices; i++)
		sw_text_addf(key, " %lld", (long long)state->to_order[i]);
	for (int what = DEFINED_FROM; what <= DEFINED_TO; what++)
		if (session_any_end(state, (enum definition)what, &end)) {
			sw_text_add_char(key, '\n');
			sw_type_print_any(&state->mesh, &end.type, end.words, true, key);
		}
	sw_text_addf(key, "\n%d %lld", options->width, (long long)options->device);
}

/* And on which that of one end does. */
static void key_of_end(const struct screen *screen, sw_text *key)
{
	sw_text_addf(key, " %d %d", plan_step(screen), screen->viewpoint.has_element);
	for (int i = 0; screen->viewpoint.has_element && i < SW_MAX_DIMS; i++)
		sw_text_addf(key, " %lld", (long long)screen->viewpoint.element[i]);
}

typedef bool drawer(struct screen *screen, const struct view_options *options, sw_arena *arena, struct canvas *out,
	sw_diag *diag);

/* Draws it anew where something is not as it was. */
static bool draw_kept(struct screen *screen, struct drawn_before *before, drawer *draw,
	const struct view_options *options, sw_arena *arena, struct canvas *out, sw_diag *diag)
{
	sw_text key = {0};
	key_text(screen, options, &key);
	if (before == &screen->sets)
		key_of_end(screen, &key);
	bool same = before->key.length > 0 && !key.failed && strcmp(sw_text_get(&before->key), sw_text_get(&key)) == 0;
	if (same) {
		sw_text_free(&key);
		canvas_reset(out, before->picture.width);
		canvas_copy(out, 0, 0, &before->picture);
		return true;
	}
	sw_text_free(&before->key);
	if (!draw(screen, options, arena, out, diag)) {
		sw_text_free(&key);
		return false;
	}
	before->key = key;
	canvas_reset(&before->picture, out->width);
	canvas_copy(&before->picture, 0, 0, out);
	return true;
}

void drawn_free(struct drawn_before *before)
{
	canvas_free(&before->picture);
	sw_text_free(&before->key);
}

/* ---- types of any kind ---- */

#define DEVICES_MOST ((int64_t)1 << 17)
#define MESSAGES_MOST ((int64_t)1 << 23)

/* What takes seconds is for commands, which can be stopped: S08. */
static bool refuse_many(const char *what, sw_diag *diag)
{
	sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "there are too many devices to compute this at every key");
	sw_diag_hint(diag, "`%s` computes it", what);
	return false;
}

/* As many as some devices have make a guess of all. */
static bool has_many_messages(const struct relation_look *look, sw_arena *arena)
{
	int64_t devices = look->problem->mesh.devices, most = 0;
	int32_t *list = SW_NEW(arena, int32_t, devices);
	for (int k = 0; k < 8 && list; k++)
		most = sw_larger(most, sw_relation_before(look->relation, (devices - 1) * k / 7, list));
	return most * devices > MESSAGES_MOST;
}

/* Who needs what takes long to find.  Every device may send to every other. */
bool need_relation(struct screen *screen)
{
	sw_problem problem;
	sw_diag ignored;
	return session_any_problem(screen->session, &problem, &ignored) && !sw_problem_has_words(&problem) &&
		!sw_type_padded(&problem.from) && problem.mesh.devices <= MESSAGES_MOST / problem.mesh.devices;
}

/* After a step of the plan the end that it leads to. */
static bool set_end(const struct screen *screen, struct any_type *end)
{
	const struct state *state = &screen->session->state;
	bool to = plan_step(screen) > 0 && session_any_end(state, DEFINED_TO, end);
	if (!to && !session_any_end(state, DEFINED_FROM, end))
		return false;
	return to;
}

static bool draw_sets_anew(struct screen *screen, const struct view_options *options, sw_arena *arena,
	struct canvas *out, sw_diag *diag)
{
	const struct state *state = &screen->session->state;
	struct sets_look look;
	struct any_type end;
	struct view_input in = {.sets = &look};
	struct view_options own = *options;
	bool to = set_end(screen, &end);
	if (!session_has_end(state, DEFINED_FROM))
		return session_need(screen->session, DEFINED_FROM, diag);
	if (state->mesh.devices > DEVICES_MOST)
		return refuse_many("show sets", diag);
	if (!sets_look_at(&state->mesh, &end, to ? state->to_order : state->mesh.order, arena, &look, diag))
		return false;
	own.element = screen->viewpoint.has_element ? screen->viewpoint.element : NULL;
	return view_sets(&in, &own, out, diag);
}

static bool draw_relation_anew(struct screen *screen, const struct view_options *options, sw_arena *arena,
	struct canvas *out, sw_diag *diag)
{
	sw_problem problem;
	struct relation_look look;
	struct view_input in = {.relation = &look};
	if (!session_any_problem(screen->session, &problem, diag))
		return false;
	if (problem.mesh.devices > DEVICES_MOST)
		return refuse_many("show relation", diag);
	if (!relation_look_at(&problem, NULL, arena, &look, diag))
		return false;
	if (has_many_messages(&look, arena))
		return refuse_many("show relation", diag);
	return view_relation(&in, options, out, diag);
}

static bool draw_sets_in(struct screen *screen, const struct view_options *options, sw_arena *arena,
	struct canvas *out, struct frame *frame, sw_diag *diag)
{
	frame_device(screen, plan_step(screen) > 0 ? "to" : "from", frame);
	return draw_kept(screen, &screen->sets, draw_sets_anew, options, arena, out, diag);
}

static bool draw_relation_in(struct screen *screen, const struct view_options *options, sw_arena *arena,
	struct canvas *out, struct frame *frame, sw_diag *diag)
{
	frame_device(screen, "both ends", frame);
	return draw_kept(screen, &screen->relation, draw_relation_anew, options, arena, out, diag);
}

/* ---- formulas ---- */

static bool draw_needs_in(struct screen *screen, const struct view_options *options, sw_arena *arena,
	struct canvas *out, struct frame *frame, sw_diag *diag)
{
	const struct kept_formula *kept = screen->session->state.formula;
	struct view_input in = {.formula = kept ? kept->computation : NULL};
	(void)arena;
	frame_device(screen, "the formula", frame);
	return view_needs(&in, options, out, diag);
}

/* The layer that may start. */
static int row_ready(const struct canvas *canvas)
{
	for (int y = 0; y < canvas->height; y++)
		for (int x = 0; x < canvas->width; x++)
			if (canvas_cell_at(canvas, x, y)->role == ROLE_GOOD && canvas_cell_at(canvas, x, y)->glyph)
				return y;
	return -1;
}

static bool draw_tasks_in(struct screen *screen, const struct view_options *options, sw_arena *arena,
	struct canvas *out, struct frame *frame, sw_diag *diag)
{
	struct tasks_look look;
	struct view_input in = {.tasks = &look};
	(void)arena;
	if (!session_tasks_look(screen->session, &look, diag) || !view_tasks(&in, options, out, diag))
		return false;
	frame_device(screen, look.done < look.tasks->rounds ? "tasks" : "tasks, all done", frame);
	frame->row = row_ready(out);
	frame->at = look.done;
	frame->of = look.tasks->rounds;
	return true;
}

/* ---- panes ---- */

#define DRAW(name) \
	bool draw_##name(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, \
		sw_diag *diag) \
	{ \
		struct view_options options = options_for(screen, width, height); \
		sw_arena *arena = sw_arena_new(); \
		bool drawn = arena != NULL ? draw_##name##_in(screen, &options, arena, out, frame, diag) : \
									 sw_diag_memory(diag); \
		sw_arena_free(arena); \
		return drawn; \
	}
DRAW(sets)
DRAW(relation)
DRAW(needs)
DRAW(tasks)

/* The mesh whose devices there are to choose from; NULL: none. */
static const sw_mesh *mesh_of(const struct screen *screen)
{
	const struct state *state = &screen->session->state;
	int view = screen->viewpoint.view;
	bool of_formula = view == PANE_NEEDS || view == PANE_TASKS || view == PANE_HOLDS || view == PANE_EXECUTION ||
		pane_of_schedule(screen, view);
	if (of_formula)
		return state->formula ? &state->formula->computation->mesh : NULL;
	return state->has[DEFINED_MESH] ? &state->mesh : NULL;
}

bool move_among(struct screen *screen, int across, int down)
{
	const sw_mesh *mesh = mesh_of(screen);
	int64_t devices = mesh ? mesh->devices : 0, device = screen->viewpoint.device;
	if (devices == 0 || down || !across)
		return false;
	device = device == VIEW_ALL ? (across > 0 ? 0 : devices - 1) : device + across;
	screen->viewpoint.device = device < 0 ? devices - 1 : device >= devices ? 0 : device;
	screen_say_device(screen, mesh);
	screen_echo(screen, true, "show %s --device %lld", pane_rows[screen->viewpoint.view].name,
		(long long)screen->viewpoint.device);
	return true;
}
