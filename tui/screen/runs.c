/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs from the screens.
 */
#include "screen/runs.h"

#include <string.h>

#include "language/names.h"
#include "screen/enter.h"
#include "screen/visit.h"
#include "session/live.h"

bool runs_possible(const struct screen *screen)
{
	const struct state *state = &screen->session->state;
	sw_problem problem;
	return state->plan || state->program || state->product || session_any_problem(screen->session, &problem, NULL);
}

void runs_begin(struct screen *screen)
{
	screen_visit(screen, PANE_TIMES);
	screen_do(screen, false, "run");
}

/* ---- one strategy more ---- */

/* That of the plan, else of the setting. */
static sw_strategy strategy_set(const struct screen *screen)
{
	const sw_plan *plan = screen_plan(screen);
	return plan ? plan->strategy : (sw_strategy)screen->session->state.settings.value[SETTING_STRATEGY].number;
}

/* Strategies of the run that goes on, else of the last one, else that of the plan. */
static unsigned strategies_there(const struct screen *screen)
{
	const struct live_run *live = screen->session->live;
	const struct kept_run *last = screen->session->last_run;
	sw_strategy strategy;
	unsigned there = 0;
	if (live)
		return live->has | live->wanted;
	for (const struct run_plan *of = last ? last->plans : NULL; of; of = of->next)
		if (sw_strategy_parse(sw_str_of(of->name), &strategy, NULL))
			there |= 1u << strategy;
	return there ? there : 1u << strategy_set(screen);
}

static void print_strategies(unsigned bits, const char *between, sw_text *text)
{
	for (int s = 0; s < SW_STRATEGY_COUNT; s++)
		if (bits >> s & 1)
			sw_text_addf(text, "%s%s", text->length ? between : "", sw_strategy_name((sw_strategy)s));
}

static unsigned strategies_missing(const struct screen *screen)
{
	return ((1u << SW_STRATEGY_COUNT) - 1) & ~strategies_there(screen);
}

static void add_to_live(struct screen *screen, sw_strategy strategy)
{
	if (live_want(screen->session->live, strategy))
		screen_say(screen, ROLE_NOTE, "%s joins at the next launch", sw_strategy_name(strategy));
	else
		screen_say(screen, ROLE_NOTE, "%s is already running", sw_strategy_name(strategy));
}

static void run_beside(struct screen *screen, sw_strategy strategy)
{
	sw_text names = {0};
	print_strategies(strategies_there(screen) | 1u << strategy, ",", &names);
	screen_visit(screen, PANE_TIMES);
	screen_do(screen, false, "run --compare %s", sw_text_get(&names));
	sw_text_free(&names);
}

static const char *strategy_at(const void *context, int n)
{
	(void)context;
	return n < SW_STRATEGY_COUNT ? sw_strategy_name((sw_strategy)n) : NULL;
}

/* Nothing typed means the first that is not there. */
static void strategy_done(struct screen *screen, bool accepted)
{
	static const struct names names = {strategy_at, NULL, "strategy", "names of strategies: explain strategy"};
	sw_diag diag = {.code = SW_OK};
	unsigned missing = strategies_missing(screen);
	sw_str word = sw_str_trim(sw_str_of(screen->ask.text));
	if (!accepted || (!word.length && !missing))
		return;
	int number = word.length ? name_find(&names, word, SW_L13, &diag) : __builtin_ctz(missing);
	if (number < 0)
		screen_say(screen, ROLE_BAD, "%s", diag.message);
	else if (screen->session->live)
		add_to_live(screen, (sw_strategy)number);
	else if (screen->busy)
		screen_say(screen, ROLE_WARN, "%s", runs_refusal(screen));
	else
		run_beside(screen, (sw_strategy)number);
}

static const struct ask_row strategy_row = {.sign = "strategy to add: ",
	.hint = "Enter takes the next",
	.done = strategy_done};

void runs_ask_strategy(struct screen *screen)
{
	const struct live_run *live = screen->session->live;
	unsigned missing = strategies_missing(screen);
	sw_text names = {0};
	if (live && !live->takes) {
		screen_say(screen, ROLE_WARN, "%s takes no strategies; C-c ends it", live->what);
	} else if (screen->busy && !live) {
		screen_say(screen, ROLE_WARN, "%s", runs_refusal(screen));
	} else if (!missing) {
		screen_say(screen, ROLE_NOTE, "every strategy is already running");
	} else {
		print_strategies(missing, " ", &names);
		ask_begin(screen, &strategy_row, "");
		screen_say(screen, ROLE_NOTE, "Enter alone takes the first; Esc drops it: %s", sw_text_get(&names));
	}
	sw_text_free(&names);
}

/* ---- leaving what works ---- */

static void leave(struct screen *screen, bool quit)
{
	screen->stops += screen->busy;
	screen->leaving = true;
	screen->session->leaving |= quit;
}

/* The letter alone answers. */
static void answer_leave(struct screen *screen, bool quit)
{
	char letter = screen->ask.text[0];
	screen->ask.row = NULL;
	*screen->message = '\0';
	if (letter == 'y' || letter == 'Y')
		leave(screen, quit);
}

static void leave_changed(struct screen *screen)
{
	answer_leave(screen, false);
}

static void quit_changed(struct screen *screen)
{
	answer_leave(screen, true);
}

static void leave_done(struct screen *screen, bool accepted)
{
	(void)screen, (void)accepted;
}

void runs_ask_leave(struct screen *screen, bool quit)
{
	static const char stops[] = "y stops it and leaves  any other key continues";
	static const struct ask_row leaves = {.sign = "stop it and leave the picture? y/n ",
									.hint = "",
									.changed = leave_changed,
									.done = leave_done,
									.ends = stops},
								quits = {.sign = "stop it and leave the program? y/n ",
									.hint = "",
									.changed = quit_changed,
									.done = leave_done,
									.ends = stops};
	const struct live_run *live = screen->session->live;
	ask_begin(screen, quit ? &quits : &leaves, "");
	screen_say(screen, ROLE_WARN, "%s is running; any other key continues", live ? live->what : "a command");
}

const char *runs_refusal(const struct screen *screen)
{
	const struct live_run *live = screen->session->live;
	if (!live)
		return "a command is running; Ctrl-C stops it";
	return live->takes ? "a run is under way; C-c ends it and keeps its results, a adds a strategy" :
						 "a run is under way; C-c ends it";
}
