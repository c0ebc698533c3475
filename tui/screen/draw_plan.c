/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views of the plan: tiles, heights, the table of steps, traffic; what was answered.
 *
 * One step is chosen for all of them.  The pictures are those that `show` prints.
 */
#include <stdio.h>
#include <string.h>

#include <shardwalk/between.h>
#include <shardwalk/number.h>

#include "command/repeat.h"
#include "session/live.h"
#include "session/machine.h"
#include "session/present.h"
#include "screen/enter.h"
#include "screen/output.h"
#include "screen/panes.h"
#include "command/programs/moments.h"
#include "views/followed.h"
#include "views/draw.h"
#include "views/general.h"
#include "views/holding.h"

#define ROOMY 44 /* rows from which a picture is fitted into its pane; in a lower one it scrolls */

/* ---- the chosen step ---- */

int plan_step(const struct screen *screen)
{
	const sw_plan *plan = screen_steps(screen);
	int step = screen->viewpoint.step;
	return !plan || step < 0 ? 0 : step > plan->program.steps ? plan->program.steps : step;
}

static bool plan_missing(const struct screen *screen, sw_diag *diag)
{
	const sw_plan *plan;
	sw_problem problem;
	return session_any_problem(screen->session, &problem, diag) && session_plan(screen->session, &plan, diag) &&
		(sw_problem_has_words(&plan->problem) || plan_on_tiles(plan, diag));
}

/* What was pinned in another array need not be there. */
static bool has_element(const struct screen *screen)
{
	const sw_plan *plan = screen_steps(screen);
	bool inside = screen->viewpoint.has_element;
	for (int i = 0; inside && plan && i < plan->problem.from.rank; i++)
		inside = screen->viewpoint.element[i] < plan->problem.from.global[i];
	return inside;
}

struct view_tile tile_followed(const struct screen *screen, const sw_owners *of, const int64_t *element)
{
	const struct viewpoint *viewpoint = &screen->viewpoint;
	if (!element || !of || !viewpoint->has_tile)
		return (struct view_tile){.of = NULL};
	return followed_tile_at(of, viewpoint->tile, element);
}

bool screen_letters(const struct screen *screen)
{
	const struct canvas_style *style = &screen->session->console->style;
	return !style->colors || style->ascii;
}

struct view_options plan_options(const struct screen *screen, int width, int height)
{
	const struct settings *settings = &screen->session->state.settings;
	struct view_options options = view_options_default(width);
	options.height = height >= ROOMY ? height : 0;
	options.room = height;
	options.element = has_element(screen) ? screen->viewpoint.element : NULL;
	if (options.element && screen_steps(screen))
		options.tile = tile_followed(screen, session_owners(screen->session, screen_steps(screen)), options.element);
	options.step = plan_step(screen);
	options.device = screen->viewpoint.device;
	options.terse = true;
	options.letters = screen_letters(screen);
	options.passed = screen->viewpoint.passed;
	options.bytes = setting_is(settings, SETTING_UNIT, "bytes");
	memcpy(options.dims, screen->viewpoint.dims, sizeof(options.dims));
	options.fold = screen->viewpoint.fold;
	memcpy(options.fixed, screen->viewpoint.fixed, sizeof(options.fixed));
	return options;
}

struct view_input plan_input(const struct screen *screen)
{
	const struct state *state = &screen->session->state;
	struct view_input in = {.plan = screen_plan(screen),
		.timed = session_timing(screen->session),
		.devices = state->mesh.order,
		.after_devices = state->to_order ? state->to_order : state->mesh.order};
	in.hardware = hardware_named(sw_str_of(state->settings.value[SETTING_HARDWARE].text), NULL);
	in.repeated = repeat_session(screen->session, in.plan);
	in.mesh = in.plan ? &in.plan->problem.mesh : state->has[DEFINED_MESH] ? &state->mesh : NULL;
	return in;
}

/* The row of a picture on which something is marked as the present one. */
static int row_marked(const struct canvas *canvas)
{
	for (int y = 0; y < canvas->height; y++)
		for (int x = 0; x < canvas->width; x++)
			if (canvas_cell_at(canvas, x, y)->role == ROLE_CURRENT && canvas_cell_at(canvas, x, y)->glyph)
				return y;
	return -1;
}

void plan_frame(const struct screen *screen, const struct canvas *out, struct frame *frame)
{
	const sw_plan *plan = screen_steps(screen);
	int step = plan_step(screen);
	sw_text text = {0};
	if (step)
		sw_plan_print_step(plan, step - 1, &text);
	else
		sw_text_add(&text, "before the first step");
	snprintf(frame->object, sizeof(frame->object), "%s%.80s", step ? "after " : "", sw_text_get(&text));
	sw_text_free(&text);
	frame->at = step;
	frame->of = plan->program.steps;
	frame->row = row_marked(out);
}

/* Plans over types and reduction programs alike. */
bool pane_of_plan(struct screen *screen, view_function *draw, int width, int height, struct canvas *out,
	struct frame *frame, sw_diag *diag)
{
	struct view_input in = plan_input(screen);
	struct view_options options = plan_options(screen, width, height);
	sw_problem problem;
	if (!session_any_problem(screen->session, &problem, diag) || !session_plan(screen->session, &in.plan, diag) ||
		!draw(&in, &options, out, diag))
		return false;
	plan_frame(screen, out, frame);
	return true;
}

bool draw_heights(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	return pane_of_plan(screen, view_heights, width, height, out, frame, diag);
}

/* With the last step what all of them come to is kept in sight. */
bool draw_plan(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	if (!pane_of_plan(screen, view_plan, width, height, out, frame, diag))
		return false;
	if (frame->at == frame->of && out->height - frame->row <= height)
		frame->row = out->height - 1;
	return true;
}

bool draw_traffic(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	struct view_input in = plan_input(screen);
	struct view_options options = plan_options(screen, width, height);
	bool program = moments_are_subject(&screen->session->state);
	if (program ? !film_follow(screen, &in, &options, diag) : !plan_missing(screen, diag))
		return false;
	options.step = screen->viewpoint.total ? 0 : options.step;
	if (!view_traffic(&in, &options, out, diag))
		return false;
	if (program)
		frame_moment(screen, frame);
	else
		plan_frame(screen, out, frame);
	if (!options.step)
		snprintf(frame->object, sizeof(frame->object), "all steps");
	frame->row = -1;
	return true;
}

/* In a pane that is too low for both, the type after the step alone. */
static bool draw_type_after(const struct screen *screen, struct view_input *in, const struct view_options *options,
	struct canvas *out, sw_diag *diag)
{
	char name[32];
	const sw_plan *plan = screen_plan(screen);
	int step = plan_step(screen);
	snprintf(name, sizeof(name), "after step %d", step);
	in->plan = NULL;
	in->type = plan->program.value[step].type;
	in->type_name = name;
	canvas_reset(out, options->width);
	return view_type(in, options, out, diag);
}

/* Before there is a plan: ends of which one is no tile type.  false: an error in `diag`. */
static bool take_general_ends(const struct screen *screen, bool both, sw_arena *arena, struct general *general,
	struct view_input *in, sw_diag *diag)
{
	if (arena == NULL)
		return sw_diag_memory(diag);
	if (in->plan || !general_ends(&screen->session->state, both))
		return true;
	in->general = general;
	return general_of_session(screen->session, both, arena, general, diag);
}

static void take_ends(const struct screen *screen, bool both, struct view_input *in)
{
	const struct state *state = &screen->session->state;
	if (in->plan || in->general || !state->has[DEFINED_FROM])
		return;
	in->type = &state->from;
	in->type_name = "from";
	in->after = both && state->has[DEFINED_TO] ? &state->to : NULL;
	in->after_name = "to";
}

static bool draw_type_in(struct screen *screen, struct view_input *in, const struct view_options *options, int height,
	struct canvas *out, sw_diag *diag)
{
	int step = plan_step(screen);
	take_ends(screen, false, in);
	bool ok = view_type(in, options, out, diag);
	if (ok && step && out->height > height && screen_plan(screen)->program.value[step].type)
		ok = draw_type_after(screen, in, options, out, diag);
	return ok;
}

/* Before there is a plan, the type that it begins with. */
bool draw_type(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	struct view_input in = plan_input(screen);
	struct view_options options = plan_options(screen, width, height);
	struct general general;
	sw_arena *arena = sw_arena_new();
	bool ok = take_general_ends(screen, false, arena, &general, &in, diag) &&
		draw_type_in(screen, &in, &options, height, out, diag);
	sw_arena_free(arena);
	if (!ok)
		return false;
	if (screen_plan(screen))
		plan_frame(screen, out, frame);
	frame->row = -1;
	return true;
}

bool draw_mesh(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	struct view_input in = plan_input(screen);
	struct view_options options = plan_options(screen, width, height);
	sw_diag ignored;
	bool program = moments_are_subject(&screen->session->state) && film_follow(screen, &in, &options, &ignored);
	if (!view_mesh(&in, &options, out, diag))
		return false;
	if (program)
		frame_moment(screen, frame);
	else if (in.plan)
		plan_frame(screen, out, frame);
	frame->row = -1;
	return true;
}

/* ---- moving by steps and devices ---- */

void element_option(const struct screen *screen, sw_text *text)
{
	const sw_plan *plan = screen_plan(screen);
	for (int i = 0; screen->viewpoint.has_element && plan && i < plan->problem.from.rank; i++)
		sw_text_addf(text, "%s%lld", i ? "," : " --element ", (long long)screen->viewpoint.element[i]);
	if (screen->viewpoint.has_element && screen->viewpoint.has_tile && plan)
		sw_text_addf(text, " --tile %d", screen->viewpoint.tile);
}

void step_echo(struct screen *screen)
{
	static const char *const names[PANE_COUNT] = {
		[PANE_HEIGHTS] = "heights",
		[PANE_PLAN] = "plan",
		[PANE_TYPE] = "type",
		[PANE_MESH] = "mesh",
	};
	int view = screen->viewpoint.view;
	sw_text text = {0};
	if (view == PANE_TILES)
		tiles_echo(screen);
	if (view == PANE_TRAFFIC)
		traffic_echo(screen);
	if (view == PANE_FILM)
		film_echo(screen);
	if (view == PANE_TYPE || view == PANE_MESH)
		element_option(screen, &text);
	if (names[view])
		screen_echo(screen, true, "show %s --step %d%s", names[view], plan_step(screen), sw_text_get(&text));
	sw_text_free(&text);
}

void plan_choose_step(struct screen *screen, int step)
{
	const sw_plan *plan = screen_steps(screen);
	if (!plan || step < 0 || step > plan->program.steps) {
		screen_say(screen, ROLE_NOTE, step < 0 ? "this is before the first step" : "this is after the last step");
		return;
	}
	screen->viewpoint.step = step;
	screen->viewpoint.passed = 0;
	screen->viewpoint.total = false;
	step_echo(screen);
}

bool move_steps(struct screen *screen, int across, int down)
{
	if (!screen_steps(screen) || !down)
		return false;
	int count = screen_steps(screen)->program.steps, step = plan_step(screen) + down;
	int bounded = step < 0 ? 0 : step > count ? count : step;
	(void)across;
	plan_choose_step(screen, bounded == plan_step(screen) ? step : bounded);
	return true;
}

static void choose_device(struct screen *screen, int64_t device)
{
	const sw_mesh *mesh = &screen_plan(screen)->problem.mesh;
	screen->viewpoint.device = device < 0 ? mesh->devices - 1 : device >= mesh->devices ? 0 : device;
	screen_say_device(screen, mesh);
	if (screen->viewpoint.view == PANE_TRAFFIC)
		traffic_echo(screen);
	else
		tiles_echo(screen);
}

bool move_device(struct screen *screen, int across, int down)
{
	if (!screen_plan(screen) || down || !across)
		return false;
	choose_device(screen,
		screen->viewpoint.device == VIEW_ALL ? (across > 0 ? 0 : -1) : screen->viewpoint.device + across);
	return true;
}

/* ---- what one looks at, as a command ---- */

void traffic_echo(struct screen *screen)
{
	sw_text text = {0};
	bool scheduled = pane_of_schedule(screen, PANE_TRAFFIC);
	if (!screen->viewpoint.total && !scheduled)
		sw_text_addf(&text, " --step %d", plan_step(screen));
	else if (screen->viewpoint.total && scheduled)
		sw_text_add(&text, " --step 0");
	if (screen->viewpoint.device != VIEW_ALL)
		sw_text_addf(&text, " --device %lld", (long long)screen->viewpoint.device);
	if (!scheduled)
		element_option(screen, &text);
	screen_echo(screen, true, "show traffic%s", sw_text_get(&text));
	sw_text_free(&text);
}

void tiles_echo(struct screen *screen)
{
	const struct viewpoint *viewpoint = &screen->viewpoint;
	const sw_plan *plan = screen_plan(screen);
	sw_text text = {0};
	if (!plan)
		return;
	sw_text_addf(&text, "show %s --step %d", viewpoint->by_device ? "devices" : "tiles", plan_step(screen));
	if (viewpoint->dims[0] != VIEW_ALL && viewpoint->dims[1] != VIEW_ALL)
		sw_text_addf(&text, " --dims %d,%d", viewpoint->dims[0], viewpoint->dims[1]);
	for (int i = 0, any = 0; !viewpoint->fold && i < plan->problem.from.rank; i++)
		if (i != viewpoint->dims[0] && i != viewpoint->dims[1])
			sw_text_addf(&text, "%s%d=%lld", any++ ? "," : " --fix ", i, (long long)viewpoint->fixed[i]);
	if (viewpoint->device != VIEW_ALL)
		sw_text_addf(&text, " --device %lld", (long long)viewpoint->device);
	element_option(screen, &text);
	screen_echo(screen, true, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

/* ---- tiles ---- */

/* What the followed device holds, before the plan and after each step. */
static void device_text(const struct screen *screen, int k, sw_text *text)
{
	const sw_plan *plan = screen_plan(screen);
	struct holding holding = holding_of_step(plan, k);
	int64_t offset[SW_MAX_DIMS];
	if (!holding_known(&holding)) {
		sw_text_add(text, "not known");
		return;
	}
	holding_offset(&holding, screen->viewpoint.device, offset);
	holding_range_text(&holding, offset, text);
}

/* The devices that hold the followed element. */
static void element_text(const struct screen *screen, int k, sw_text *text)
{
	const sw_plan *plan = screen_plan(screen);
	struct holding holding = holding_of_step(plan, k);
	struct tile_choice choice;
	int64_t devices[256], count;
	if (!holding_known(&holding)) {
		sw_text_add(text, "not known");
		return;
	}
	for (int i = 0; i < plan->problem.from.rank; i++)
		choice.position[i] = screen->viewpoint.element[i] / holding.tile[i];
	int64_t listed = holding_list(&holding, &choice, 256, devices, &count);
	devices_text(&plan->problem.mesh, devices, listed, count, 24, text);
}

/* "device 3 holds: [0:3, 0:2] → [0:1, 0:6]", the present step marked. */
static int trace_draw(const struct screen *screen, struct canvas *out, int y, const char *head,
	void (*what)(const struct screen *screen, int k, sw_text *text))
{
	int x = canvas_put(out, 0, y, ROLE_LABEL, head);
	sw_text text = {0};
	for (int k = 0; k <= screen_plan(screen)->program.steps; k++) {
		sw_text_clear(&text);
		what(screen, k, &text);
		if (x + canvas_text_width(sw_text_get(&text)) + 3 > out->width) {
			y++;
			x = 2;
		}
		x = canvas_put(out, x, y, ROLE_DIM, k ? " → " : " ");
		x = canvas_put(out, x, y, k == plan_step(screen) ? ROLE_CURRENT : ROLE_TEXT, sw_text_get(&text));
	}
	sw_text_free(&text);
	return y + 1;
}

static int traces_draw(const struct screen *screen, struct canvas *out)
{
	const sw_plan *plan = screen_plan(screen);
	char head[64];
	int y = 0;
	sw_text element = {0};
	if (screen->viewpoint.device >= 0 && screen->viewpoint.device < plan->problem.mesh.devices) {
		snprintf(head, sizeof(head), "device %.40s holds",
			words_device_first(&plan->problem.mesh, screen->viewpoint.device).text);
		y = trace_draw(screen, out, y, head, device_text);
	}
	if (screen->viewpoint.has_element) {
		sw_type_print_tile(screen->viewpoint.element, plan->problem.from.rank, &element);
		snprintf(head, sizeof(head), "element %.40s is on device", sw_text_get(&element));
		y = trace_draw(screen, out, y, head, element_text);
		sw_text_free(&element);
	}
	return y;
}

static bool draw_tiles_in(struct screen *screen, struct view_input *in, struct view_options *options,
	struct canvas *out, sw_diag *diag)
{
	struct canvas picture = {0};
	if (!in->plan)
		options->step = VIEW_ALL;
	take_ends(screen, true, in);
	bool drawn = (screen->viewpoint.by_device ? view_devices : view_tiles)(in, options, &picture, diag);
	if (drawn) {
		int y = in->plan && !sw_problem_has_words(&in->plan->problem) ? traces_draw(screen, out) : 0;
		if (!y)
			canvas_reset(out, options->width);
		canvas_copy(out, 0, y, &picture);
	}
	canvas_free(&picture);
	return drawn;
}

bool draw_tiles(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	struct view_input in = plan_input(screen);
	struct view_options options = plan_options(screen, width, height);
	struct general general;
	if (!in.plan && screen_steps(screen))
		return plan_on_tiles(screen_steps(screen), diag);
	sw_arena *arena = sw_arena_new();
	bool drawn = take_general_ends(screen, true, arena, &general, &in, diag) &&
		draw_tiles_in(screen, &in, &options, out, diag);
	sw_arena_free(arena);
	if (drawn && in.plan)
		plan_frame(screen, out, frame);
	else
		snprintf(frame->object, sizeof(frame->object), "both ends; P finds the steps between");
	frame->row = -1;
	return drawn;
}

/* ---- what commands left behind ---- */

bool draw_times(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	const struct kept_run *run = screen->session->last_run;
	const struct live_run *live = screen->session->live;
	struct view_options options = plan_options(screen, width, height);
	if (live && live->launch) {
		struct view_input in = {.times = live->records, .live = live, .now = live_now()};
		snprintf(frame->object, sizeof(frame->object), "%.60s", live->what);
		return view_times(&in, &options, out, diag);
	}
	if (!run) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no plan was run yet");
		sw_diag_hint(diag, "after mesh and redistribute, type: run, or press m");
		return false;
	}
	struct view_input in = {.times = &run->records, .times_number = run->number};
	snprintf(frame->object, sizeof(frame->object), "result $%d", run->number);
	return view_times(&in, &options, out, diag);
}

bool need_output(struct screen *screen)
{
	return screen->output.height > 0;
}

bool draw_output(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	const struct canvas *output = &screen->output;
	int at = screen->answer_at;
	(void)height;
	if (!output->height) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no answers yet");
		sw_diag_hint(diag, ": goes to the prompt; try: help");
		return false;
	}
	output_fit(screen, 0, width, out, &at);
	if (screen->answer_first)
		screen->viewpoint.top[PANE_OUTPUT] = at;
	screen->answer_first = false;
	snprintf(frame->object, sizeof(frame->object), "the answers of commands");
	return true;
}
