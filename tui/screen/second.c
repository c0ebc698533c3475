/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The second plan of a film.
 *
 * Choices are numbered from 1: strategies, what one writes without thinking first, then XLA's; of a reduction program the programs of the
 * same sum, as `reductions` counts them; of a product its ways.  Those that have no plan are passed over.
 */
#include "screen/second.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/owners.h>

#include "answer/words.h"
#include "command/beside.h"
#include "command/compare/compare.h"
#include "command/programs/moments.h"
#include "screen/panes.h"
#include "session/present.h"
#include "views/draw.h"

#define PROGRAMS_MOST 10 /* the fastest, that one goes through */
#define WAYS_MOST 10     /* the best */

static const struct kept_plan *present(const struct screen *screen)
{
	return screen->session->state.plan;
}

/* ---- choices ---- */

static int strategy_rank(int choice)
{
	static const sw_strategy first[] = {SW_NAIVE, SW_XLA};
	enum { FIRST = sizeof first / sizeof *first };
	int left = choice - 1 - FIRST;

	if (left < 0)
		return (int)first[choice - 1];
	for (int s = 0; s < SW_STRATEGY_COUNT; s++)
		if (s != SW_NAIVE && s != SW_XLA && left-- == 0)
			return s;
	return SW_STRATEGY_COUNT;
}

static bool is_own(const struct kept_plan *kept, int choice)
{
	if (kept->program)
		return kept->program == choice;
	return !kept->plan.origin && (int)kept->plan.strategy == strategy_rank(choice);
}

static int choices(const struct kept_plan *kept)
{
	return kept->program ? PROGRAMS_MOST : SW_STRATEGY_COUNT;
}

/* ---- finding ---- */

void second_free(struct screen *screen)
{
	struct second *second = &screen->second;

	sw_arena_free(second->arena);
	second->arena = NULL;
	second->plan = NULL;
	second->owners = NULL;
	second->moments = NULL;
	second->program = NULL;
	second->beside = second->choice = 0;
}

static bool begin(struct screen *screen, sw_diag *diag)
{
	second_free(screen);
	screen->second.arena = sw_arena_new();
	return screen->second.arena != NULL || sw_diag_memory(diag);
}

static bool find_program(struct screen *screen, int choice, sw_diag *diag)
{
	struct second *second = &screen->second;

	second->plan = beside_program(screen->session, choice, second->arena, diag);
	snprintf(second->name, sizeof second->name, "program %d", choice);
	return second->plan != NULL;
}

static bool find_strategy(struct screen *screen, int choice, sw_diag *diag)
{
	struct second *second = &screen->second;
	sw_strategy strategy = (sw_strategy)strategy_rank(choice);

	second->plan = beside_find(screen->session, &present(screen)->plan, strategy, second->arena, diag);
	snprintf(second->name, sizeof second->name, "%s", sw_strategy_name(strategy));
	return second->plan != NULL;
}

static bool find(struct screen *screen, int choice, sw_diag *diag)
{
	const struct kept_plan *kept = present(screen);
	struct second *second = &screen->second;

	assert(kept != NULL && choice >= 1);
	bool begun = begin(screen, diag);
	second->beside = kept->number;
	bool found = begun && (kept->program ? find_program : find_strategy)(screen, choice, diag);
	second->owners = found ? sw_owners_of_plan(second->plan, second->arena, diag) : NULL;
	if (second->owners == NULL)
		second_free(screen);
	second->beside = kept->number;
	second->choice = choice;
	return second->owners != NULL;
}

/* NULL: there is none, or of another plan. */
static const sw_plan *second_plan(const struct screen *screen)
{
	const struct second *second = &screen->second;
	const struct kept_plan *kept = present(screen);
	bool fits = kept != NULL && second->beside == kept->number && second->choice == screen->viewpoint.beside;

	return fits ? second->plan : NULL;
}

/* ---- ways of a product ---- */

bool second_has_ways(const struct screen *screen)
{
	return beside_has_ways(&screen->session->state);
}

static bool is_present_program(const struct screen *screen, const sw_program *program)
{
	sw_text one = {0}, other = {0};

	sw_program_print(program, &one);
	sw_program_print(&screen->session->state.program->program, &other);
	bool same = strcmp(sw_text_get(&one), sw_text_get(&other)) == 0;
	sw_text_free(&one);
	sw_text_free(&other);
	return same;
}

static bool find_way(struct screen *screen, int choice, sw_diag *diag)
{
	struct second *second = &screen->second;

	assert(choice >= 1);
	bool begun = begin(screen, diag);
	second->moments = begun ? beside_way(screen->session, choice, second->arena, diag) : NULL;
	bool found = second->moments != NULL && !is_present_program(screen, second->moments->program);
	if (!found)
		second_free(screen);
	second->program = screen->session->state.program;
	second->choice = choice;
	snprintf(second->name, sizeof second->name, "way %d", choice);
	return found;
}

static const sw_moments *second_moments(const struct screen *screen)
{
	const struct second *second = &screen->second;
	bool fits = second_has_ways(screen) && second->program == screen->session->state.program &&
		second->choice == screen->viewpoint.way;

	return fits ? second->moments : NULL;
}

static void next_way(struct screen *screen)
{
	int *way = &screen->viewpoint.way;
	sw_diag ignored;

	for (++*way; *way <= WAYS_MOST; ++*way)
		if (find_way(screen, *way, &ignored))
			break;
	if (*way > WAYS_MOST) {
		second_free(screen);
		*way = 0;
	}
	if (second_moments(screen) != NULL)
		screen_say(screen, ROLE_NOTE, "below: %s of the product; d takes the next one, or none", screen->second.name);
	else
		screen_say(screen, ROLE_NOTE, "no second way; d begins again with the first");
}

/* ---- what the screen asks for ---- */

static void say(struct screen *screen)
{
	const sw_plan *plan = second_plan(screen), *first = &present(screen)->plan;
	const sw_machine *timed = session_timing(screen->session);
	double seconds = plan != NULL ? film_seconds(timed, plan, -1) : -1;

	if (plan == NULL)
		screen_say(screen, ROLE_NOTE, "no second plan; d starts again with the first");
	else if (seconds >= 0 && film_seconds(timed, first, -1) >= 0)
		screen_say(screen, ROLE_NOTE, "below: %s, %s beside %s; d takes the next one, or none", screen->second.name,
			words_seconds(seconds).text, words_seconds(film_seconds(timed, first, -1)).text);
	else
		screen_say(screen, ROLE_NOTE, "below: %s; d takes the next one, or none", screen->second.name);
}

void second_next(struct screen *screen)
{
	const struct kept_plan *kept = present(screen);
	int *beside = &screen->viewpoint.beside;
	sw_diag ignored;

	if (second_has_ways(screen)) {
		next_way(screen);
		film_echo(screen);
		return;
	}
	if (kept == NULL) {
		screen_say(screen, ROLE_NOTE, "there is no plan yet to draw a second one below; P makes one");
		return;
	}
	for (++*beside; *beside <= choices(kept); ++*beside)
		if (!is_own(kept, *beside) && find(screen, *beside, &ignored))
			break;
	if (*beside > choices(kept)) {
		second_free(screen);
		*beside = 0;
	}
	say(screen);
}

void second_follow(struct screen *screen)
{
	sw_diag diag;

	if (screen->viewpoint.beside > 0 && present(screen) != NULL && second_plan(screen) == NULL &&
		!find(screen, screen->viewpoint.beside, &diag))
		screen_say(screen, ROLE_NOTE, "%.300s", diag.message);
}

void second_take(const struct screen *screen, struct view_input *in)
{
	in->beside = in->moments != NULL ? NULL : second_plan(screen);
	in->beside_moments = in->moments != NULL ? second_moments(screen) : NULL;
	in->beside_name = screen->second.name;
	in->beside_owners = in->beside != NULL ? screen->second.owners : NULL;
}

void second_take_measured(struct screen *screen, struct view_input *in)
{
	const struct kept_run *run = screen->session->last_run;
	const struct kept_plan *kept = present(screen);
	struct second *second = &screen->second;

	if (kept == NULL || run == NULL)
		return;
	if (second->run != run->number || second->measured_of != kept->number)
		second->measured = compare_times(screen->session, &kept->plan);
	second->run = run->number;
	second->measured_of = kept->number;
	in->measured = second->measured;
}

void second_option(const struct screen *screen, sw_text *text)
{
	if (second_moments(screen) != NULL)
		sw_text_addf(text, " --way %d", screen->second.choice);
	else if (!moments_are_subject(&screen->session->state) && second_plan(screen) != NULL &&
		present(screen)->program == 0)
		sw_text_addf(text, " --beside %s", screen->second.name);
}
