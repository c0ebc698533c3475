/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pane of the film: of the plan, or of the moments of the program where that came last.
 */
#include <stdio.h>

#include "command/placement/sum_look.h"
#include "command/programs/moments.h"
#include "screen/enter.h"
#include "screen/panes.h"
#include "screen/pin.h"
#include "screen/second.h"
#include "session/present.h"
#include "session/settings.h"
#include "views/draw.h"

/* NULL: it is no film of a program. */
static const sw_moments *moments_of(const struct screen *screen)
{
	return moments_are_subject(&screen->session->state) ? session_moments(screen->session, NULL) : NULL;
}

int film_count(const struct screen *screen)
{
	const sw_moments *moments = moments_of(screen);
	if (moments_are_subject(&screen->session->state))
		return moments ? moments->count : -1;
	return screen_steps(screen) ? screen_steps(screen)->program.steps : -1;
}

int film_rank(const struct screen *screen)
{
	const sw_moments *moments = moments_of(screen);
	int most = 0;
	if (!moments)
		return screen_steps(screen)->problem.from.rank;
	for (int a = 0; a < moments->arrays; a++) {
		int rank = moments->program->value[moments->first[a]].type->rank;
		most = rank > most ? rank : most;
	}
	return most;
}

bool film_has_second(const struct screen *screen)
{
	return moments_are_subject(&screen->session->state) ? second_has_ways(screen) : screen_steps(screen) != NULL;
}

int film_now(const struct screen *screen)
{
	int count = film_count(screen), step = screen->viewpoint.step;
	return count < 0 || step < 0 ? 0 : step > count ? count : step;
}

int film_group(const struct screen *screen)
{
	int group = film_steps_a_picture(film_count(screen));
	for (int i = 0; i < screen->viewpoint.opened && group > 1; i++)
		group /= 10;
	return group;
}

/* Another program need not have so many. */
int film_array_number(const struct screen *screen)
{
	const sw_moments *moments = moments_of(screen);
	int array = screen->viewpoint.array;
	return moments && array < moments->arrays ? array : 0;
}

const sw_type *film_array(const struct screen *screen)
{
	const sw_moments *moments = moments_of(screen);
	const sw_plan *plan = moments_are_subject(&screen->session->state) ? NULL : screen_steps(screen);
	if (moments && moments->arrays > 0)
		return moments->program->value[moments->first[film_array_number(screen)]].type;
	return plan ? &plan->problem.from : NULL;
}

sw_str film_array_name(const struct screen *screen)
{
	const sw_moments *moments = moments_of(screen);
	return moments && moments->arrays > 0 ? sw_moments_name(moments, film_array_number(screen)) : (sw_str){"", 0};
}

int film_array_changed(const struct screen *screen)
{
	const sw_moments *moments = moments_of(screen);
	int about = film_now(screen) > 0 ? film_now(screen) : 1;
	for (int array = 0; moments && about <= moments->count && array < moments->arrays; array++)
		if (sw_moments_changes(moments, about, array))
			return array;
	return 0;
}

/* An element that was pinned in an array before need not be one of this. */
static bool has_pinned(const struct screen *screen)
{
	const sw_type *array = film_array(screen);
	bool inside = screen->viewpoint.has_element && array;
	for (int i = 0; inside && i < array->rank; i++)
		inside = screen->viewpoint.element[i] < array->global[i];
	return inside;
}

/* Of the array that an element is pinned in. */
static const sw_owners *owners_followed(const struct screen *screen)
{
	const sw_moments *moments = moments_of(screen);
	const sw_plan *plan = moments_are_subject(&screen->session->state) ? NULL : screen_steps(screen);
	return moments ? moments->owners[film_array_number(screen)] : plan ? session_owners(screen->session, plan) : NULL;
}

bool film_tile(const struct screen *screen, struct view_tile *tile)
{
	const int64_t *element = has_pinned(screen) ? screen->viewpoint.element : NULL;
	*tile = tile_followed(screen, owners_followed(screen), element);
	return tile->of != NULL;
}

bool film_follow(struct screen *screen, struct view_input *in, struct view_options *options, sw_diag *diag)
{
	in->moments = session_moments(screen->session, diag);
	if (!in->moments)
		return false;
	in->plan = NULL;
	in->mesh = &in->moments->program->mesh;
	options->step = film_now(screen);
	options->array = film_array_number(screen);
	options->element = has_pinned(screen) ? screen->viewpoint.element : NULL;
	options->tile = tile_followed(screen, owners_followed(screen), options->element);
	return true;
}

/* In a pane of this size; what is drawn there is asked by `spot`, or NULL. */
static bool draw_in(struct screen *screen, const struct canvas_area *room, struct film_spot *spot, struct canvas *out,
	sw_diag *diag)
{
	struct view_options options = plan_options(screen, room->width, room->height);
	struct view_input in = plan_input(screen);
	sw_problem problem;
	bool program = moments_are_subject(&screen->session->state);
	in.moments = program ? session_moments(screen->session, diag) : NULL;
	options.spot = spot;
	options.group = film_group(screen);
	options.step = film_now(screen);
	options.array = film_array_number(screen);
	options.element = has_pinned(screen) ? screen->viewpoint.element : NULL;
	options.tile = tile_followed(screen, owners_followed(screen), options.element);
	if (program) {
		second_take(screen, &in);
		return in.moments && view_film(&in, &options, out, diag);
	}
	if (!session_any_problem(screen->session, &problem, diag) || !session_plan(screen->session, &in.plan, diag))
		return false;
	in.owners = session_owners(screen->session, in.plan);
	second_take_measured(screen, &in);
	second_take(screen, &in);
	sw_arena *arena = sw_arena_new();
	in.look = sum_look_in_film(screen->session, in.plan, options.step, options.passed, arena);
	bool drawn = view_film(&in, &options, out, diag);
	sw_arena_free(arena);
	return drawn;
}

bool film_spot_at(struct screen *screen, struct film_spot *spot)
{
	const struct pane *pane = screen_pane(screen, PANE_FILM);
	struct canvas canvas = {0};
	sw_diag ignored;
	if (!pane || film_count(screen) < 0)
		return false;
	const struct canvas_area room = {0, 0, pane->width, pane->height};
	bool drawn = draw_in(screen, &room, spot, &canvas, &ignored);
	canvas_free(&canvas);
	return drawn;
}

void frame_moment(const struct screen *screen, struct frame *frame)
{
	struct view_options options = plan_options(screen, 0, 0);
	options.step = film_now(screen);
	if (options.passed > 0 && options.step < film_count(screen))
		snprintf(frame->object, sizeof(frame->object), "in step %d", options.step + 1);
	else if (options.step)
		snprintf(frame->object, sizeof(frame->object), "after step %d", options.step);
	else
		snprintf(frame->object, sizeof(frame->object), "before the first step");
	frame->at = options.step;
	frame->of = film_count(screen);
}

/* A plan alone, or with a second one below it, and with what was measured of it; or a program. */
bool draw_film(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	if (!draw_in(screen, &(struct canvas_area){0, 0, width, height}, NULL, out, diag))
		return false;
	if (moments_are_subject(&screen->session->state))
		frame_moment(screen, frame);
	else
		plan_frame(screen, out, frame);
	frame->row = -1;
	return true;
}

/* Of a program it names its array: ` --element B[1,2]`. */
static void pinned_option(const struct screen *screen, sw_text *text)
{
	const sw_moments *moments = moments_of(screen);
	const sw_type *array = film_array(screen);
	sw_text_add(text, " --element ");
	if (moments)
		sw_text_add_str(text, film_array_name(screen));
	sw_text_add(text, moments ? "[" : "");
	for (int i = 0; i < array->rank; i++)
		sw_text_addf(text, "%s%lld", i ? "," : "", (long long)screen->viewpoint.element[i]);
	sw_text_add(text, moments ? "]" : "");
	if (screen->viewpoint.has_tile)
		sw_text_addf(text, " --tile %d", screen->viewpoint.tile);
}

/* The view of it that one looks at. */
static const char *film_shown(const struct screen *screen)
{
	int view = screen->viewpoint.view;
	return view == PANE_MESH || view == PANE_TRAFFIC ? pane_rows[view].name : "film";
}

int film_followed_count(const struct screen *screen)
{
	int view = screen->viewpoint.view;
	bool follows = (view == PANE_MESH || view == PANE_TRAFFIC) && moments_are_subject(&screen->session->state) &&
		(!pane_of_schedule(screen, view) || screen->viewpoint.has_element);
	return follows ? film_count(screen) : -1;
}

void film_echo(struct screen *screen)
{
	sw_text text = {0};
	const int *dims = screen->viewpoint.dims;
	if (dims[0] != VIEW_ALL && dims[1] != VIEW_ALL)
		sw_text_addf(&text, " --dims %d,%d", dims[0], dims[1]);
	if (screen->viewpoint.device != VIEW_ALL)
		sw_text_addf(&text, " --device %lld", (long long)screen->viewpoint.device);
	if (has_pinned(screen))
		pinned_option(screen, &text);
	if (screen->viewpoint.view == PANE_FILM)
		second_option(screen, &text);
	screen_echo(screen, true, "show %s --step %d%s", film_shown(screen), film_now(screen), sw_text_get(&text));
	sw_text_free(&text);
}

void film_choose(struct screen *screen, int step)
{
	int count = film_count(screen);
	if (step < 0 || step > count) {
		screen_say(screen, ROLE_NOTE, step < 0 ? "this is before the first step" : "this is after the last step");
		return;
	}
	screen->viewpoint.step = step;
	screen->viewpoint.passed = 0;
	screen->viewpoint.total = false;
	film_echo(screen);
}

/* Steps of a program take the same time each: how long is not known. */
static double seconds_of(const struct screen *screen, int step)
{
	return moments_of(screen) ? (step < 0 ? film_count(screen) : 1) :
								film_seconds(session_timing(screen->session), screen_steps(screen), step);
}

/* Seconds that the second plan goes on behind the end of the first. */
static double seconds_behind(const struct screen *screen)
{
	struct view_input in = {0};
	const sw_machine *timed = session_timing(screen->session);
	second_take(screen, &in);
	if (!in.beside || moments_of(screen) || film_seconds(timed, in.beside, -1) < 0)
		return 0;
	double behind = film_seconds(timed, in.beside, -1) - film_seconds(timed, screen_steps(screen), -1);
	return behind > 0 ? behind : 0;
}

/* Times go by ten pictures a step, on average. */
static double film_slice(const struct screen *screen)
{
	return seconds_of(screen, -1) / (10.0 * film_count(screen));
}

double film_slowness(const struct screen *screen)
{
	double slice = !moments_of(screen) && film_count(screen) > 0 ? film_slice(screen) : 0;
	return slice > 0 ? (double)screen->session->state.settings.value[SETTING_PACE].number / 1000 / slice : 0;
}

/* Before, in or after a step: those that are done, and the part of the next one that has passed. */
static void film_at(struct screen *screen, int step, double passed)
{
	int count = film_count(screen);
	bool goes_on = seconds_behind(screen) > 0;
	if (goes_on && step == count + 1 && passed <= 0 && screen->viewpoint.passed < 1) {
		screen->viewpoint.passed = 1;
		return;
	}
	if (step < 0 || step > count || (step == count && passed > 0 && !goes_on)) {
		screen_say(screen, ROLE_NOTE, step < 0 ? "this is before the first step" : "this is after the last step");
		return;
	}
	if (step != film_now(screen))
		film_choose(screen, step);
	screen->viewpoint.passed = passed;
}

bool film_done(const struct screen *screen)
{
	return film_now(screen) >= film_count(screen) && (seconds_behind(screen) <= 0 || screen->viewpoint.passed >= 1);
}

void film_pass(struct screen *screen)
{
	int step = film_now(screen);
	double seconds = step < film_count(screen) ? seconds_of(screen, step) : seconds_behind(screen),
		   slice = film_slice(screen);
	double passed = screen->viewpoint.passed + (seconds > 0 && slice > 0 ? slice / seconds : 0.1);
	film_at(screen, passed >= 0.999 ? step + 1 : step, passed >= 0.999 ? 0 : passed);
}

static void film_scrub(struct screen *screen, int direction)
{
	int step = film_now(screen), tenths = (int)(10 * screen->viewpoint.passed + 0.5) + direction;
	if (tenths < 0)
		film_at(screen, step - 1, 0.9);
	else
		film_at(screen, step + tenths / 10, tenths % 10 / 10.0);
}

void film_device(struct screen *screen, int by)
{
	const sw_moments *moments = moments_of(screen);
	const sw_mesh *mesh = moments ? &moments->program->mesh : &screen_steps(screen)->problem.mesh;
	int64_t device = screen->viewpoint.device;
	device = device == VIEW_ALL ? (by > 0 ? 0 : mesh->devices - 1) : device + by;
	screen->viewpoint.device = device < 0 ? mesh->devices - 1 : device >= mesh->devices ? 0 : device;
	screen_say(screen, ROLE_NOTE, "lit: what device %s of %s to %s has; Esc lights all",
		words_device_first(mesh, screen->viewpoint.device).text, words_device(mesh, 0).text,
		words_device(mesh, mesh->devices - 1).text);
	film_echo(screen);
}

/* To an end of the film; a page where more is below, or above, scrolls. */
static bool film_leap(struct screen *screen, int down)
{
	enum { PAGE_MOST = 1000 };
	const struct pane *pane = screen_pane(screen, PANE_FILM);
	if (down <= PAGE_MOST && down >= -PAGE_MOST && pane && pane->picture.height > pane->height)
		return false;
	film_choose(screen, down > 0 ? film_count(screen) : 0);
	return true;
}

bool move_film(struct screen *screen, int across, int down)
{
	if (film_count(screen) < 0)
		return false;
	if (across)
		film_scrub(screen, across > 0 ? 1 : -1);
	else if (down > 1 || down < -1)
		return film_leap(screen, down);
	else if (!pin_move(screen, 0, down))
		film_device(screen, down);
	return true;
}
