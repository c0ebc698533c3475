/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of rounds: the hops of the step under the cursor, one after the other; of a step without any, those of the first that
 * has some.
 */
#include <stdio.h>

#include "command/rounds.h"
#include "screen/panes.h"
#include "views/draw.h"

static bool has_rounds(const sw_plan *plan, int step)
{
	return step > 0 && plan->program.step[step - 1].group_size > 1;
}

static int step_of(const struct screen *screen)
{
	const sw_plan *plan = screen_plan(screen);
	return has_rounds(plan, plan_step(screen)) ? plan_step(screen) : rounds_step(plan);
}

static bool fill(const struct screen *screen, struct view_input *in, sw_rounds *rounds, sw_diag *diag)
{
	*in = (struct view_input){.plan = screen_plan(screen)};
	if (!in->plan && screen_steps(screen))
		return plan_on_tiles(screen_steps(screen), diag);
	if (!in->plan)
		return draw_missing(diag, "plan", "P makes one");
	return rounds_fill(screen->session, step_of(screen), screen->viewpoint.one_way, in, rounds, diag);
}

int rounds_hops(const struct screen *screen)
{
	struct view_input in;
	sw_rounds rounds;
	return fill(screen, &in, &rounds, NULL) && in.rounds ? (int)rounds.hops : 0;
}

int rounds_now(const struct screen *screen)
{
	int hops = rounds_hops(screen);
	return screen->viewpoint.hop > hops ? hops : screen->viewpoint.hop;
}

#define PIECES_MOST ((int64_t)1 << 20)

/* What takes long is for the command, which can be stopped: S08. */
static bool refuse_many(int64_t pieces, sw_diag *diag)
{
	sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "%s pieces are too many to draw at every key",
		words_count(pieces).text);
	sw_diag_hint(diag, "`show rounds` draws them");
	return false;
}

bool draw_rounds(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	struct view_options options = view_options_default(width);
	struct view_input in;
	sw_rounds rounds;
	(void)height;
	if (!fill(screen, &in, &rounds, diag))
		return false;
	if (rounds.members > PIECES_MOST)
		return refuse_many(rounds.members, diag);
	options.hop = rounds_now(screen);
	options.device = screen->viewpoint.device;
	if (!view_rounds(&in, &options, out, diag))
		return false;
	snprintf(frame->object, sizeof(frame->object), "step %d", in.rounds_step + 1);
	frame->at = options.hop;
	frame->of = rounds.hops;
	frame->row = -1;
	return true;
}

static void echo(struct screen *screen)
{
	screen_echo(screen, true, "show rounds %d --hop %d%s", step_of(screen), screen->viewpoint.hop,
		screen->viewpoint.one_way ? " --one-way" : "");
}

void rounds_choose(struct screen *screen, int hop)
{
	int hops = rounds_hops(screen);
	if (!hops) {
		screen_say(screen, ROLE_NOTE, "there is no plan with hops yet; P makes one");
		return;
	}
	if (hop < 0 || hop > hops) {
		screen_say(screen, ROLE_NOTE, hop < 0 ? "this is before the first hop" : "this is the last hop");
		return;
	}
	screen->viewpoint.hop = hop;
	echo(screen);
}

/* One way, or both. */
void rounds_turn(struct screen *screen)
{
	struct view_input in;
	sw_rounds rounds;
	sw_diag diag;
	screen->viewpoint.one_way = !screen->viewpoint.one_way;
	if (!fill(screen, &in, &rounds, &diag)) {
		screen->viewpoint.one_way = false;
		screen_say(screen, ROLE_BAD, "%s", diag.message);
		return;
	}
	screen->viewpoint.hop = 0;
	echo(screen);
}

/* To the step before or after that has rounds. */
static void choose_step(struct screen *screen, int direction)
{
	const sw_plan *plan = screen_plan(screen);
	int step = step_of(screen) + direction;
	while (step > 0 && step <= plan->program.steps && !has_rounds(plan, step))
		step += direction;
	if (step < 1 || step > plan->program.steps) {
		screen_say(screen, ROLE_NOTE, "no step %s this one has hops", direction > 0 ? "after" : "before");
		return;
	}
	screen->viewpoint.hop = 0;
	plan_choose_step(screen, step);
	echo(screen);
}

bool move_rounds(struct screen *screen, int across, int down)
{
	if (!screen_plan(screen) || !rounds_hops(screen))
		return false;
	if (down)
		choose_step(screen, down > 0 ? 1 : -1);
	else
		rounds_choose(screen, rounds_now(screen) + (across > 0 ? 1 : -1));
	return true;
}
