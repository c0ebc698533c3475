/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of actions, the table of keys, and what actions do.
 */
#include "screen/actions.h"

#include <stdio.h>
#include <string.h>

#include "command/export/picture.h"
#include "answer/svg.h"
#include "answer/words.h"
#include "host/file.h"
#include "screen/enter.h"
#include "screen/imports.h"
#include "screen/layout.h"
#include "screen/listed.h"
#include "screen/menu.h"
#include "screen/panes.h"
#include "screen/pin.h"
#include "screen/runs.h"
#include "screen/second.h"
#include "screen/opens.h"
#include "screen/visit.h"
#include "screen/waiting.h"
#include "screen/wall.h"
#include "session/walks.h"

/* ---- moving ---- */

static void pane_scroll(struct screen *screen, int across, int down)
{
	struct viewpoint *viewpoint = &screen->viewpoint;
	const struct pane *pane = screen_pane(screen, viewpoint->view);
	if (!pane)
		return;
	int lowest = pane->picture.height - pane->height, right = pane->picture.width - pane->width;
	int top = viewpoint->top[viewpoint->view] + down, left = viewpoint->left[viewpoint->view] + across;
	lowest = lowest < 0 ? 0 : lowest;
	right = right < 0 ? 0 : right;
	viewpoint->top[viewpoint->view] = top < 0 ? 0 : top > lowest ? lowest : top;
	viewpoint->left[viewpoint->view] = left < 0 ? 0 : left > right ? right : left;
}

static void move_by(struct screen *screen, int across, int down)
{
	int view = screen->viewpoint.view;
	pane_move *move = pane_of_schedule(screen, view) ? move_among : pane_rows[view].move;
	if (!move || !move(screen, across, down))
		pane_scroll(screen, across * 4, down);
}

static void act_up(struct screen *screen, int by)
{
	move_by(screen, 0, -by);
}

static void act_down(struct screen *screen, int by)
{
	move_by(screen, 0, by);
}

static void act_left(struct screen *screen, int by)
{
	move_by(screen, -by, 0);
}

static void act_right(struct screen *screen, int by)
{
	move_by(screen, by, 0);
}

static int page_of(struct screen *screen)
{
	const struct pane *pane = screen_pane(screen, screen->viewpoint.view);
	return pane && pane->height > 2 ? pane->height - 1 : 1;
}

/* By a page; a view with a selection moves that. */
static void act_page(struct screen *screen, int direction)
{
	move_by(screen, 0,
		direction * (screen->viewpoint.view == PANE_GRAPH ? page_of(screen) / 2 + 1 : page_of(screen)));
}

static void act_end(struct screen *screen, int direction)
{
	if (screen->viewpoint.view == PANE_GRAPH && screen_walked(screen))
		graph_end(screen, direction);
	else
		move_by(screen, 0, direction * 1000000);
}

/* ---- stepping: the search where one looks at it, else the plan ---- */

static bool about_tasks(const struct screen *screen)
{
	int view = screen->viewpoint.view;
	return view == PANE_TASKS || view == PANE_NEEDS || view == PANE_HOLDS || view == PANE_EXECUTION ||
		view == PANE_LOOPS || pane_of_schedule(screen, view);
}

static bool about_walk(const struct screen *screen)
{
	return screen->viewpoint.view == PANE_GRAPH || screen->viewpoint.view == PANE_EDGES || about_tasks(screen) ||
		!screen_steps(screen);
}

/* Is the walk the one that is looked at?  Tasks are walked where they are seen. */
static bool walk_in_sight(struct screen *screen)
{
	if (about_tasks(screen) && screen->session->state.walked != SW_WALK_STEPS)
		screen_do(screen, false, "walk %s", session_walk_words(SW_WALK_STEPS)->name);
	return !about_tasks(screen) || screen->session->state.walked == SW_WALK_STEPS;
}

/* Views that show one picture after the other, from picture `first` on. */
static const struct played_view {
	int view, first;
	int (*now)(const struct screen *screen);
	int (*count)(const struct screen *screen);
	void (*choose)(struct screen *screen, int number);
	const char *last;
} played_views[] = {
	{PANE_REWRITING, 1, rewriting_now, rewriting_count, rewriting_choose, "this is the last rewriting"},
	{PANE_ROUNDS, 0, rounds_now, rounds_hops, rounds_choose, "this is the last hop"},
	{PANE_FILM, 0, film_now, film_count, film_choose, "this is after the last step"},
	{PANE_MESH, 0, film_now, film_followed_count, film_choose, "this is after the last step"},
	{PANE_TRAFFIC, 0, film_now, film_followed_count, film_choose, "this is after the last step"},
};

/* What the view with the focus plays, picture after picture; NULL: nothing. */
static const struct played_view *played_of(const struct screen *screen)
{
	for (size_t i = 0; i < sizeof(played_views) / sizeof(*played_views); i++)
		if (played_views[i].view == screen->viewpoint.view)
			return played_views[i].count(screen) >= 0 ? &played_views[i] : NULL;
	return NULL;
}

static void act_step(struct screen *screen, int direction)
{
	screen->repeat = direction > 0 ? 's' : 'b';
	screen->viewpoint.edge = 0;
	const struct played_view *played = played_of(screen);
	if (played)
		played->choose(screen, played->now(screen) + direction);
	else if (!about_walk(screen))
		plan_choose_step(screen, plan_step(screen) + direction);
	else if (walk_in_sight(screen))
		screen_do(screen, false, direction > 0 ? "step" : "back");
}

static void act_repeat(struct screen *screen, int argument)
{
	(void)argument;
	act_step(screen, screen->repeat == 'b' ? -1 : 1);
}

static void act_finish(struct screen *screen, int argument)
{
	(void)argument;
	screen->running = false;
	const struct played_view *played = played_of(screen);
	if (played)
		played->choose(screen, played->count(screen));
	else if (!about_walk(screen))
		plan_choose_step(screen, screen_steps(screen)->program.steps);
	else if (walk_in_sight(screen))
		screen_do(screen, false, "finish");
}

static void act_run(struct screen *screen, int argument)
{
	(void)argument;
	screen->running = true;
	const struct played_view *played = played_of(screen);
	if (played && played->now(screen) == played->count(screen))
		played->choose(screen, played->first);
	else if (!played && !about_walk(screen) && plan_step(screen) == screen_steps(screen)->program.steps)
		screen->viewpoint.step = 0;
	screen_say(screen, ROLE_NOTE, "playing; Space pauses");
}

static void act_pause(struct screen *screen, int argument)
{
	(void)argument;
	screen->running = !screen->running;
	double slower = screen->viewpoint.view == PANE_FILM ? film_slowness(screen) : 0;
	if (screen->running && slower > 0)
		screen_say(screen, ROLE_NOTE, "playing, %s times slower than predicted", words_amount(slower).text);
	else
		screen_say(screen, ROLE_NOTE, screen->running ? "playing" : "paused");
}

/* Has what goes on by itself come to its end? */
static bool run_done(const struct screen *screen)
{
	const struct kept_walk *steps = screen->session->state.walks[SW_WALK_STEPS];
	const struct kept_walk *kept = about_tasks(screen) ? steps : session_begun(screen->session);
	sw_walk *walk = kept ? kept->walk : NULL;
	const struct played_view *played = played_of(screen);
	const sw_plan *plan = screen_steps(screen);
	if (played && played->view == PANE_FILM)
		return film_done(screen);
	if (played)
		return played->now(screen) >= played->count(screen);
	return about_walk(screen) ? walk && sw_walk_done(walk) : !plan || plan_step(screen) >= plan->program.steps;
}

void screen_tick(struct screen *screen)
{
	if (!screen->running)
		return;
	bool done = run_done(screen);
	if (!done && screen->viewpoint.view == PANE_FILM && film_count(screen) > 0)
		film_pass(screen);
	else if (!done)
		act_step(screen, 1);
	if (done || screen->answer_bad) {
		screen->running = false;
		screen_say(screen, ROLE_NOTE, "%s",
			played_of(screen)      ? played_of(screen)->last :
				about_walk(screen) ? "the goal is visited" :
									 "this is after the last step");
	}
}

/* ---- the walk ---- */

/* Along the best path: to the node before, or towards the goal. */
static void act_path(struct screen *screen, int direction)
{
	sw_node node;
	sw_walk *walk = screen_walked(screen);
	int ids[512], goal = walk ? sw_walk_goal(walk) : 0;
	if (screen->viewpoint.view == PANE_FILM && direction > 0) {
		second_next(screen);
		return;
	}
	if (screen->viewpoint.view == PANE_FILM) {
		screen_say(screen, ROLE_NOTE, "a film has steps, not paths; s and b go through them");
		return;
	}
	if (!walk || !screen_node(screen, &node))
		return;
	if (direction < 0 && node.parent) {
		graph_choose(screen, node.parent);
		return;
	}
	int count = direction > 0 && goal ? sw_walk_path(walk, goal, ids, 512) : 0;
	for (int i = 0; i + 1 < count && i + 1 < 512; i++) {
		if (ids[i] == node.id) {
			graph_choose(screen, ids[i + 1]);
			return;
		}
	}
	screen_say(screen, ROLE_NOTE,
		direction < 0 ? "this is the start of the search, or a node never seen" :
						"no best path continues from here yet");
}

static void act_edges(struct screen *screen, int argument)
{
	(void)argument;
	screen_visit(screen, PANE_EDGES);
	screen_echo(screen, true, "edges%s", screen->viewpoint.refused ? " --refused" : "");
}

static void act_refused(struct screen *screen, int argument)
{
	(void)argument;
	screen->viewpoint.refused = !screen->viewpoint.refused;
	screen->viewpoint.edge = 0;
	screen_echo(screen, true, "edges%s", screen->viewpoint.refused ? " --refused" : "");
	screen_say(screen, ROLE_NOTE,
		screen->viewpoint.refused ? "refused edges are shown, with the reason" : "refused edges are not shown");
}

/* ---- tiles ---- */

static void act_side(struct screen *screen, int argument)
{
	(void)argument;
	if (screen->viewpoint.view == PANE_FILM) {
		pin_widen(screen);
		return;
	}
	screen->viewpoint.by_device = !screen->viewpoint.by_device;
	tiles_echo(screen);
}

/* The next pair of dimensions. */
static void act_dims(struct screen *screen, int argument)
{
	bool film = screen->viewpoint.view == PANE_FILM;
	int rank = film ? film_rank(screen) : screen_plan(screen)->problem.from.rank, *dims = screen->viewpoint.dims;
	(void)argument;
	if (rank < 2) {
		screen_say(screen, ROLE_NOTE, "the array has no second dimension");
		return;
	}
	if (dims[0] == VIEW_ALL || dims[1] == VIEW_ALL) {
		dims[0] = 0;
		dims[1] = 1;
	} else if (++dims[1] >= rank) {
		dims[0] = (dims[0] + 1) % rank;
		dims[1] = 0;
	}
	if (dims[0] == dims[1] && ++dims[1] >= rank) {
		dims[0] = 0;
		dims[1] = 1;
	}
	(film ? film_echo : tiles_echo)(screen);
	screen_say(screen, ROLE_NOTE, "dimension %d down, dimension %d across", dims[0], dims[1]);
}

static bool dim_hidden(const struct screen *screen, int dim)
{
	return dim != screen->viewpoint.dims[0] && dim != screen->viewpoint.dims[1];
}

static void act_fold(struct screen *screen, int argument)
{
	(void)argument;
	if (screen->viewpoint.view == PANE_FILM) {
		pin_other(screen);
		return;
	}
	screen->viewpoint.fold = !screen->viewpoint.fold;
	if (!screen->viewpoint.fold && screen->viewpoint.dims[0] == VIEW_ALL &&
		screen_plan(screen)->problem.from.rank > 1)
		act_dims(screen, 0);
	tiles_echo(screen);
	screen_say(screen, ROLE_NOTE,
		screen->viewpoint.fold ? "other dimensions are folded" :
								 "other dimensions are at one tile; < and > choose it");
}

/* The next tile of what is not shown, the last such dimension fastest. */
static void act_fixed(struct screen *screen, int direction)
{
	if (screen->viewpoint.view != PANE_TILES) {
		wall_move(screen, direction);
		second_follow(screen);
		return;
	}
	const sw_plan *plan = screen_plan(screen);
	const int64_t *tile = plan->program.value[plan_step(screen)].tile;
	screen->viewpoint.fold = false;
	for (int i = plan->problem.from.rank - 1; i >= 0; i--) {
		int64_t tiles = plan->problem.from.global[i] / tile[i], *at = &screen->viewpoint.fixed[i];
		if (!dim_hidden(screen, i))
			continue;
		*at += direction;
		if (*at >= 0 && *at < tiles) {
			screen_say(screen, ROLE_NOTE, "dimension %d is at tile %lld of %lld", i, (long long)*at,
				(long long)tiles);
			tiles_echo(screen);
			return;
		}
		*at = direction > 0 ? 0 : tiles - 1;
	}
	tiles_echo(screen);
}

static void act_device(struct screen *screen, int direction)
{
	if (screen->viewpoint.view == PANE_FILM) {
		if (!pin_move(screen, 1, direction))
			film_device(screen, direction);
		return;
	}
	if (film_followed_count(screen) >= 0)
		film_device(screen, direction);
	else
		(pane_of_schedule(screen, screen->viewpoint.view) ? move_among : move_device)(screen, direction, 0);
}

static bool element_read(struct screen *screen, const char *text, int64_t *element)
{
	const sw_type *type = &screen_plan(screen)->problem.from;
	for (int i = 0; i < type->rank; i++) {
		int used = 0;
		long long index = -1;
		text += strspn(text, " ,[");
		if (sscanf(text, "%lld%n", &index, &used) < 1 || index < 0 || index >= type->global[i])
			return false;
		element[i] = index;
		text += used;
	}
	return text[strspn(text, " ]")] == '\0';
}

static void element_done(struct screen *screen, bool accepted)
{
	int64_t element[SW_MAX_DIMS] = {0};
	screen->viewpoint.has_element = false;
	if (!accepted || !*screen->ask.text)
		return;
	if (!element_read(screen, screen->ask.text, element)) {
		screen_say(screen, ROLE_BAD, "'%.60s' is not an element of this array", screen->ask.text);
		return;
	}
	memcpy(screen->viewpoint.element, element, sizeof(element));
	screen->viewpoint.has_element = true;
	screen->viewpoint.has_tile = false;
	step_echo(screen);
}

static const struct ask_row element_row = {.sign = "element ",
	.hint = "indices with commas: 3,5",
	.done = element_done};

static void act_element(struct screen *screen, int argument)
{
	(void)argument;
	ask_begin(screen, &element_row, "");
}

static void act_way(struct screen *screen, int argument)
{
	(void)argument;
	rounds_turn(screen);
}

static void act_total(struct screen *screen, int argument)
{
	(void)argument;
	screen->viewpoint.total = !screen->viewpoint.total;
	traffic_echo(screen);
}

/* ---- the plan ---- */

/* The prompt opens with the command that replaces the chosen step. */
static void act_replace(struct screen *screen, int argument)
{
	(void)argument;
	if (!plan_step(screen)) {
		screen_say(screen, ROLE_NOTE, "choose a step first: s, or Down");
		return;
	}
	screen->typing = true;
	snprintf(screen->typed, sizeof(screen->typed), "replace %d ", plan_step(screen));
}

static void act_plan(struct screen *screen, int argument)
{
	struct made before = opens_now(screen);
	(void)argument;
	screen_do(screen, false, "plan");
	opens_film(screen, &before);
}

static void act_measure(struct screen *screen, int argument)
{
	(void)argument;
	runs_begin(screen);
}

static void act_add_strategy(struct screen *screen, int argument)
{
	(void)argument;
	runs_ask_strategy(screen);
}

static void act_undo(struct screen *screen, int argument)
{
	(void)argument;
	screen_do(screen, false, "undo");
}

/* ---- views ---- */

void view_open(struct screen *screen, int view)
{
	screen_visit(screen, view);
	screen_echo(screen, true, "focus %s", pane_rows[view].name);
	const char *makes = opens_with(screen, view);
	if (makes)
		screen_do(screen, false, "%s", makes);
}

static void act_drawing(struct screen *screen, int argument)
{
	(void)argument;
	if (screen->viewpoint.view != PANE_GRAPH)
		view_open(screen, PANE_GRAPH);
	screen->viewpoint.lanes = !screen->viewpoint.lanes;
	screen_say(screen, ROLE_NOTE,
		screen->viewpoint.lanes ? "a row for each node in the order of visits; a lane connects it to its children" :
								  "levels from large tiles to small");
}

static void act_pane(struct screen *screen, int direction)
{
	int at = 0, count = screen->pane_count;
	for (int i = 0; i < count; i++)
		if (screen->panes[i].view == screen->viewpoint.view)
			at = i;
	if (count < 2) {
		screen_say(screen, ROLE_NOTE, "this is the only pane; z lists all views, L changes the layout");
		return;
	}
	screen->viewpoint.view = screen->panes[(at + direction + count) % count].view;
	screen_echo(screen, true, "focus %s", pane_rows[screen->viewpoint.view].name);
}

static void act_zoom(struct screen *screen, int argument)
{
	(void)argument;
	screen->zoomed = !screen->zoomed;
}

static void act_layout(struct screen *screen, int argument)
{
	(void)argument;
	screen_layout_set(screen, (screen->viewpoint.layout + 1) % layout_count);
	screen_echo(screen, true, "layout %s", layouts[screen->viewpoint.layout].name);
}

static void act_trail(struct screen *screen, int direction)
{
	screen_trail(screen, direction);
}

static void act_open(struct screen *screen, int argument)
{
	(void)argument;
	if (pane_rows[screen->viewpoint.view].open)
		pane_rows[screen->viewpoint.view].open(screen);
	else
		screen_say(screen, ROLE_NOTE, "there is nothing to open in %s", pane_rows[screen->viewpoint.view].name);
}

/* ---- the program ---- */

static void act_prompt(struct screen *screen, int argument)
{
	(void)argument;
	prompt_focus(screen, true);
}

/* Leaves one thing: a run, a filter, what is followed, a help. */
static void act_escape(struct screen *screen, int argument)
{
	struct viewpoint *viewpoint = &screen->viewpoint;
	(void)argument;
	if (screen->running)
		act_pause(screen, 0);
	else if (*screen->filter[viewpoint->view].text)
		*screen->filter[viewpoint->view].text = '\0';
	else if (*screen->search.text)
		*screen->search.text = '\0';
	else if (pin_out(screen))
		return;
	else if (viewpoint->has_element)
		viewpoint->has_element = false;
	else if (viewpoint->device != VIEW_ALL)
		viewpoint->device = VIEW_ALL;
	else if (viewpoint->view == PANE_FILM && viewpoint->opened)
		viewpoint->opened--;
	else if (viewpoint->view == PANE_HELP || viewpoint->view == PANE_EDGES || viewpoint->view == PANE_OUTPUT)
		screen_trail(screen, -1);
	else if (screen->zoomed)
		screen->zoomed = false;
	else if (screen->busy)
		screen_say(screen, ROLE_NOTE, "C-c stops the running command; q stops it and leaves");
	else
		screen_say(screen, ROLE_NOTE, "q leaves the picture, : goes to the prompt");
}

static void act_leave(struct screen *screen, int argument)
{
	(void)argument;
	if (screen->busy)
		runs_ask_leave(screen, false);
	else
		screen->leaving = true;
}

static void act_quit(struct screen *screen, int argument)
{
	(void)argument;
	if (screen->busy) {
		runs_ask_leave(screen, true);
		return;
	}
	screen->leaving = true;
	screen->session->leaving = true;
}

static void act_redraw(struct screen *screen, int argument)
{
	(void)argument;
	screen->redraw = true;
}

static void act_suspend(struct screen *screen, int argument)
{
	(void)argument;
	screen->suspend = true;
}

static void act_interrupt(struct screen *screen, int argument)
{
	(void)argument;
	if (screen->busy) {
		screen->stops++;
		screen->typing |= screen->stops > 1;
	} else if (screen->running)
		act_pause(screen, 0);
	else
		screen_say(screen, ROLE_NOTE, "nothing is running; q leaves the picture, Q the program");
}

/* Texts of several lines are told on one. */
static void say_copied(struct screen *screen)
{
	char said[61];
	size_t length = 0;
	for (const char *at = sw_text_get(&screen->copied); *at && length + 1 < sizeof(said); at++) {
		bool blank = (unsigned char)*at <= ' ';
		if (!blank || (length && said[length - 1] != ' '))
			said[length++] = blank ? ' ' : *at;
	}
	while (length && ((unsigned char)said[length - 1] & 0x80)) /* it may have been cut inside a letter */
		length--;
	said[length] = '\0';
	screen_say(screen, ROLE_NOTE, "copied, if the terminal allows it: %s", said);
}

/* Rows of imports: the next order, or the next fold. */
static void act_rows(struct screen *screen, int argument)
{
	if (screen->viewpoint.view != PANE_IMPORTS)
		screen_say(screen, ROLE_NOTE, "only the view of imports (I) sorts and folds rows");
	else
		(argument ? imports_fold_next : imports_order_next)(screen);
}

static void act_copy(struct screen *screen, int argument)
{
	const sw_plan *plan = screen_plan(screen);
	sw_node node;
	(void)argument;
	if (screen->viewpoint.view == PANE_IMPORTS) {
		imports_copy(screen);
		return;
	}
	sw_text_clear(&screen->copied);
	if (about_walk(screen) && screen_node(screen, &node))
		sw_walk_print_place(screen_walked(screen), node.place, &screen->copied);
	else if (screen->viewpoint.view == PANE_PLAN && plan)
		sw_plan_write(plan, 0, &screen->copied, NULL);
	else if (plan && plan_step(screen) && plan->program.value[plan_step(screen)].type)
		sw_type_print(&plan->problem.mesh, plan->program.value[plan_step(screen)].type, true, &screen->copied);
	else if (screen->session->state.has[DEFINED_FROM])
		sw_type_print(&screen->session->state.mesh, &screen->session->state.from, true, &screen->copied);
	if (screen->copied.length)
		say_copied(screen);
	else
		screen_say(screen, ROLE_WARN, "there is no type or plan to copy yet");
}

static void save_file(struct screen *screen, const char *what, const char *ending, const sw_text *text)
{
	sw_text name = {0};
	sw_diag diag;
	sw_text_addf(&name, "shardwalk-%s.%s", pane_rows[screen->viewpoint.view].name, ending);
	if (file_write(sw_text_get(&name), text, &diag))
		screen_say(screen, ROLE_GOOD, "the %s is in %s", what, sw_text_get(&name));
	else
		screen_say(screen, ROLE_BAD, "%s", diag.message);
	sw_text_free(&name);
}

static void act_save(struct screen *screen, int argument)
{
	struct canvas canvas = {0};
	sw_text text = {0};
	struct canvas_style style = {.ascii = screen->session->console->style.ascii};
	(void)argument;
	screen_compose(screen, screen->width, screen->height, &canvas);
	canvas_print_rows(&canvas, 0, canvas.height - 3, &style, &text);
	save_file(screen, "screen", "txt", &text);
	sw_text_free(&text);
	canvas_free(&canvas);
}

/* The picture of this pane alone, also the part of it that is out of sight. */
static void act_picture(struct screen *screen, int argument)
{
	struct canvas canvas = {0};
	sw_text text = {0}, about = {0};
	(void)argument;
	screen_compose(screen, screen->width, screen->height, &canvas);
	const struct pane *pane = screen_pane(screen, screen->viewpoint.view);
	picture_about(screen->session, &about);
	const struct svg_options options = {.name = pane_rows[screen->viewpoint.view].name, .about = sw_text_get(&about)};
	if (pane && pane->frame.empty) {
		screen_say(screen, ROLE_BAD, "there is no picture to write yet");
	} else {
		svg_add(pane ? &pane->picture : &canvas, &options, &text);
		save_file(screen, "picture", "svg", &text);
	}
	sw_text_free(&text);
	sw_text_free(&about);
	canvas_free(&canvas);
}

/* ---- the tables ---- */

#define MOVES "moving"
#define VIEWS "views"
#define WALKS "stepping"
#define TILES "tiles"
#define FINDS "searching"
#define PROGRAM "program"

static void begin_menu(struct screen *screen, int argument)
{
	struct menu *menu = &screen->menu;

	(void)argument;
	for (int view = 0; view < PANE_COUNT; view++) {
		char name[40];
		sw_text key = {0};
		snprintf(name, sizeof(name), "%s-%s", view == PANE_EDGES ? "show" : "view", pane_rows[view].name);
		const struct action *action = action_named(sw_str_of(name));
		if (action != NULL)
			action_keys(screen, action, false, &key);
		snprintf(menu->key[view], sizeof(menu->key[view]), "%s", sw_text_get(&key));
		sw_text_free(&key);
	}
	menu->view_open = view_open;
	menu_begin(screen);
}

const struct action actions[] = {
	{"move-up", MOVES, "up", act_up, 1, NEED_NOTHING, true, "up: the node, edge, step or row above"},
	{"move-down", MOVES, "down", act_down, 1, NEED_NOTHING, true, "down"},
	{"move-left", MOVES, "left", act_left, 1, NEED_NOTHING, true, "left: the node or device before"},
	{"move-right", MOVES, "right", act_right, 1, NEED_NOTHING, true, "right"},
	{"page-up", MOVES, "page up", act_page, -1, NEED_NOTHING, true, "a page up"},
	{"page-down", MOVES, "page down", act_page, 1, NEED_NOTHING, true, "a page down"},
	{"go-first", MOVES, "first", act_end, -1, NEED_NOTHING, true, "to the beginning"},
	{"go-last", MOVES, "last", act_end, 1, NEED_NOTHING, true, "to the end"},
	{"view-graph", VIEWS, "graph", view_open, PANE_GRAPH, NEED_NOTHING, true, "the search graph"},
	{"view-tiles", VIEWS, "tiles", view_open, PANE_TILES, NEED_NOTHING, true, "which device holds which tile"},
	{"view-heights", VIEWS, "heights", view_open, PANE_HEIGHTS, NEED_NOTHING, true, "memory of every step"},
	{"view-film", VIEWS, "film", view_open, PANE_FILM, NEED_NOTHING, true,
		"the whole plan as a row of pictures, with memory and time"},
	{"view-plan", VIEWS, "plan", view_open, PANE_PLAN, NEED_NOTHING, true, "the steps of the plan"},
	{"view-traffic", VIEWS, "traffic", view_open, PANE_TRAFFIC, NEED_NOTHING, true, "who sends how much to whom"},
	{"view-times", VIEWS, "times", view_open, PANE_TIMES, NEED_NOTHING, true, "predicted and measured times"},
	{"view-compare", VIEWS, "compare", view_open, PANE_COMPARE, NEED_NOTHING, true,
		"strategies side by side; Enter takes one"},
	{"view-output", VIEWS, "output", view_open, PANE_OUTPUT, NEED_NOTHING, true, "what commands answered"},
	{"view-rewriting", VIEWS, "rewriting", view_open, PANE_REWRITING, NEED_NOTHING, true,
		"how a sequence is rewritten into normal form"},
	{"view-rounds", VIEWS, "rounds", view_open, PANE_ROUNDS, NEED_NOTHING, true,
		"the step hop by hop: what devices hold and send"},
	{"view-pareto", VIEWS, "pareto", view_open, PANE_PARETO, NEED_NOTHING, true, "plans that trade memory for cost"},
	{"view-type", VIEWS, "type", view_open, PANE_TYPE, NEED_NOTHING, true, "the types before and after a step"},
	{"view-mesh", VIEWS, "mesh", view_open, PANE_MESH, NEED_NOTHING, true, "the mesh and the groups of a step"},
	{"view-imports", VIEWS, "imports", view_open, PANE_IMPORTS, NEED_NOTHING, true,
		"the last import; / filters it, Enter takes a row, y copies its advice"},
	{"view-program", VIEWS, "program", view_open, PANE_PROGRAM, NEED_NOTHING, true,
		"the program: its values, what moves, and its totals; Enter makes a redistribution the problem"},
	{"view-ways", VIEWS, "ways", view_open, PANE_WAYS, NEED_NOTHING, true,
		"the ways to compute a product; Enter makes one the program"},
	{"view-sets", VIEWS, "sets", view_open, PANE_SETS, NEED_NOTHING, true, "what each device holds"},
	{"view-relation", VIEWS, "relation", view_open, PANE_RELATION, NEED_NOTHING, true,
		"who needs what from "
		"whom"},
	{"view-needs", VIEWS, "needs", view_open, PANE_NEEDS, NEED_NOTHING, true,
		"what devices need to compute a "
		"formula"},
	{"view-tasks", VIEWS, "tasks", view_open, PANE_TASKS, NEED_NOTHING, true,
		"the tasks of a repeated formula; steps walk through them"},
	{"view-holds", VIEWS, "holds", view_open, PANE_HOLDS, NEED_NOTHING, true,
		"what each device holds in a step of a schedule, and who sent it"},
	{"view-execution", VIEWS, "execution", view_open, PANE_EXECUTION, NEED_NOTHING, true,
		"a schedule as devices against time"},
	{"view-loops", VIEWS, "loops", view_open, PANE_LOOPS, NEED_NOTHING, true,
		"the loops of a schedule, and its pseudocode"},
	{"view-system", VIEWS, "system", view_open, PANE_SYSTEM, NEED_NOTHING, true,
		"the levels of a system, its ports and their load"},
	{"view-placement", VIEWS, "placement", view_open, PANE_PLACEMENT, NEED_NOTHING, true,
		"where devices are along the axes of parallelism"},
	{"view-placements", VIEWS, "placements", view_open, PANE_PLACEMENTS, NEED_NOTHING, true,
		"the ways to place the axes on the levels, by the time of sums; Enter takes one"},
	{"view-groups", VIEWS, "groups", view_open, PANE_GROUPS, NEED_NOTHING, true,
		"the devices that work together in a step on chunks"},
	{"view-state", VIEWS, "state", view_open, PANE_STATE, NEED_NOTHING, true,
		"which shares of which chunks devices hold"},
	{"view-hierarchies", VIEWS, "hierarchies", view_open, PANE_HIERARCHIES, NEED_NOTHING, true,
		"the factors of the placement in five orders"},
	{"view-reductions", VIEWS, "reductions", view_open, PANE_REDUCTIONS, NEED_NOTHING, true,
		"the programs that compute the sum, on every placement; Enter takes one"},
	{"view-start", VIEWS, "start", view_open, PANE_START, NEED_NOTHING, true,
		"the tour, and a problem of each theory to open"},
	{"view-menu", VIEWS, "views", begin_menu, 0, NEED_NOTHING, true,
		"what else can I see: all views with their keys; typing filters them, Enter opens one"},
	{"view-help", VIEWS, "help", view_open, PANE_HELP, NEED_NOTHING, true,
		"keys, symbols and colours; / searches there"},
	{"pane-next", VIEWS, "pane", act_pane, 1, NEED_NOTHING, true, "the next pane"},
	{"pane-before", VIEWS, "pane", act_pane, -1, NEED_NOTHING, true, "the pane before"},
	{"pane-zoom", VIEWS, "zoom", act_zoom, 0, NEED_NOTHING, true, "this pane alone, and back"},
	{"layout-next", VIEWS, "layout", act_layout, 0, NEED_NOTHING, true, "the next layout"},
	{"view-back", VIEWS, "back", act_trail, -1, NEED_PAST, true, "back to the view before, as it was"},
	{"view-forward", VIEWS, "forward", act_trail, 1, NEED_FUTURE, true, "forward again"},
	{"open-it", VIEWS, "open", act_open, 0, NEED_NOTHING, false,
		"opens the selection: the edges of a node, the end of an edge"},
	{"go-step", WALKS, "step", act_step, 1, NEED_STEPS, false,
		"one step: of the search in graph and edges, of the rewriting in its view, of the plan elsewhere"},
	{"go-back", WALKS, "back", act_step, -1, NEED_STEPS, false, "a step back"},
	{"go-run", WALKS, "play", act_run, 0, NEED_STEPS, false, "plays the steps, slowly enough to follow"},
	{"go-pause", WALKS, "pause", act_pause, 0, NEED_STEPS, false, "pauses what is playing, and continues it"},
	{"go-finish", WALKS, "finish", act_finish, 0, NEED_STEPS, false, "to the end"},
	{"go-repeat", WALKS, "again", act_repeat, 0, NEED_STEPS, false, "step or back once more"},
	{"path-up", WALKS, "parent", act_path, -1, NEED_WALK, false, "to the node before on the best path"},
	{"path-down", WALKS, "onward", act_path, 1, NEED_WALK_OR_FILM, false,
		"to the next node of the best path; in the film a second plan below the first, the next one, none"},
	{"show-edges", WALKS, "edges", act_edges, 0, NEED_WALK, true, "the edges out of the chosen node"},
	{"show-refused", WALKS, "refused", act_refused, 0, NEED_WALK, true,
		"shows refused edges, dashed, with the reason, and nodes above the budget"},
	{"other-drawing", WALKS, "drawing", act_drawing, 0, NEED_WALK, true,
		"the search graph by levels, or in lanes: a row for each node in the order of visits"},
	{"make-plan", WALKS, "make plan", act_plan, 0, NEED_NOTHING, false, "finds a plan"},
	{"measure", WALKS, "measure", act_measure, 0, NEED_RUN, false,
		"runs the plan on ranks; the bars of times grow meanwhile"},
	{"add-strategy", WALKS, "add strategy", act_add_strategy, 0, NEED_WALK, true,
		"asks for a strategy to run beside those of the last or the current run"},
	{"replace-step", WALKS, "replace", act_replace, 0, NEED_PLAN, false, "replaces the chosen step by hand"},
	{"undo-last", WALKS, "undo", act_undo, 0, NEED_NOTHING, false,
		"takes back the last definition, plan or operation by hand"},
	{"tiles-side", TILES, "devices", act_side, 0, NEED_DIMS, true,
		"from the tiles' side, or from the devices'; in the film pins an element, its tile, its device"},
	{"tiles-dims", TILES, "dims", act_dims, 0, NEED_DIMS, true, "the next two dimensions; in the film, too"},
	{"tiles-fold", TILES, "fold", act_fold, 0, NEED_DIMS, true,
		"other dimensions: all their tiles in one cell, or one tile of each; in the film, their next index"},
	{"fixed-next", TILES, "higher", act_fixed, 1, NEED_TILES_OR_WALL, false,
		"the next tile of the dimensions that are not shown; in heights and pareto a higher budget"},
	{"fixed-before", TILES, "lower", act_fixed, -1, NEED_TILES_OR_WALL, false, "the tile before; a lower budget"},
	{"device-next", TILES, "device", act_device, 1, NEED_SENDERS, true, "follows the next device"},
	{"device-before", TILES, "device", act_device, -1, NEED_SENDERS, true, "follows the device before"},
	{"follow-element", TILES, "element", act_element, 0, NEED_PLAN, true,
		"follows one element through the plan, in tiles, types, mesh and traffic"},
	{"rounds-way", TILES, "one way", act_way, 0, NEED_PLAN, true, "rounds over one direction of each link, or both"},
	{"traffic-total", TILES, "total", act_total, 0, NEED_SENDERS, true, "traffic of all steps, or of the chosen one"},
	{"find-text", FINDS, "search", search_begin, 0, NEED_NOTHING, true, "searches as you type"},
	{"find-next", FINDS, "next", search_next, 1, NEED_FINDING, true, "the next match"},
	{"find-before", FINDS, "before", search_next, -1, NEED_FINDING, true, "the match before"},
	{"filter-rows", FINDS, "filter", filter_begin, 0, NEED_NOTHING, true,
		"hides rows that do not match; Esc shows all again"},
	{"order-rows", FINDS, "order", act_rows, 0, NEED_NOTHING, true,
		"imports by bytes, saving, time or line; so does a click on a column's head"},
	{"fold-rows", FINDS, "fold", act_rows, 1, NEED_NOTHING, true,
		"merges imports of one line, loop or kind "
		"into one row"},
	{"copy-it", PROGRAM, "copy", act_copy, 0, NEED_NOTHING, true,
		"copies the type, the plan or the advice to the terminal's clipboard (OSC 52)"},
	{"save-screen", PROGRAM, "save", act_save, 0, NEED_NOTHING, true, "writes this screen to a file, as text"},
	{"save-picture", PROGRAM, "SVG", act_picture, 0, NEED_NOTHING, true, "writes this view to a file, as SVG"},
	{"go-prompt", PROGRAM, "prompt", act_prompt, 0, NEED_NOTHING, true,
		"to the prompt; Esc at an empty prompt comes back; while a command runs, typed lines wait"},
	{"escape", PROGRAM, "out", act_escape, 0, NEED_NOTHING, true,
		"leaves a run, a filter or a search; stops following"},
	{"interrupt", PROGRAM, "stop", act_interrupt, 0, NEED_NOTHING, true,
		"stops the work and keeps what is known; twice: back to the prompt"},
	{"redraw", PROGRAM, "redraw", act_redraw, 0, NEED_NOTHING, true, "redraws everything"},
	{"suspend", PROGRAM, "suspend", act_suspend, 0, NEED_NOTHING, true, "suspends the program; fg comes back"},
	{"leave-picture", PROGRAM, "leave", act_leave, 0, NEED_NOTHING, true,
		"leaves the picture; asks first while a command runs"},
	{"leave-program", PROGRAM, "quit", act_quit, 0, NEED_NOTHING, true,
		"leaves the program; asks first while a command runs"},
};
const int action_count = sizeof(actions) / sizeof(*actions);

const struct key_row key_rows[] = {{KEY_NAME_UP, "move-up"}, {'k', "move-up"}, {KEY_NAME_DOWN, "move-down"},
	{'j', "move-down"}, {KEY_NAME_LEFT, "move-left"}, {'h', "move-left"}, {KEY_NAME_RIGHT, "move-right"},
	{'l', "move-right"}, {KEY_NAME_PAGE_UP, "page-up"}, {KEY_NAME_PAGE_DOWN, "page-down"},
	{KEY_NAME_WHEEL_UP, "move-up"}, {KEY_NAME_WHEEL_DOWN, "move-down"}, {KEY_NAME_HOME, "go-first"},
	{'g', "go-first"}, {KEY_NAME_END, "go-last"}, {'G', "go-last"}, {'1', "view-graph"}, {'2', "view-tiles"},
	{'3', "view-heights"}, {'4', "view-plan"}, {'5', "view-traffic"}, {'6', "view-times"}, {'7', "view-compare"},
	{'8', "view-output"}, {'9', "view-rewriting"}, {'0', "view-pareto"}, {'Y', "view-type"}, {'M', "view-mesh"},
	{'H', "view-rounds"}, {'w', "rounds-way"}, {'I', "view-imports"}, {'O', "view-program"}, {'W', "view-ways"},
	{'D', "view-sets"}, {'F', "view-relation"}, {'A', "view-needs"}, {'K', "view-tasks"}, {'B', "view-holds"},
	{'X', "view-execution"}, {'C', "view-loops"}, {'z', "view-menu"}, {'?', "view-help"}, {KEY_NAME_F1, "view-help"},
	{KEY_TAB, "pane-next"}, {KEY_NAME_BACKTAB, "pane-before"}, {'Z', "pane-zoom"}, {'L', "layout-next"},
	{'[', "view-back"}, {']', "view-forward"}, {KEY_ENTERED, "open-it"}, {'s', "go-step"}, {'b', "go-back"},
	{'c', "go-run"}, {KEY_SPACE, "go-pause"}, {'f', "go-finish"}, {'.', "go-repeat"}, {'u', "path-up"},
	{'d', "path-down"}, {'e', "show-edges"}, {'r', "show-refused"}, {'v', "other-drawing"}, {'P', "make-plan"},
	{'m', "measure"}, {'a', "add-strategy"}, {'R', "replace-step"}, {'U', "undo-last"}, {'t', "tiles-side"},
	{'x', "tiles-dims"}, {'o', "tiles-fold"}, {'>', "fixed-next"}, {'<', "fixed-before"}, {'+', "device-next"},
	{'-', "device-before"}, {'E', "follow-element"}, {'T', "traffic-total"}, {'/', "find-text"}, {'n', "find-next"},
	{'N', "find-before"}, {'&', "filter-rows"}, {'%', "order-rows"}, {'=', "fold-rows"}, {'y', "copy-it"},
	{'p', "save-screen"}, {'S', "save-picture"}, {':', "go-prompt"}, {'i', "go-prompt"}, {KEY_ESC, "escape"},
	{KEY_CONTROL('c'), "interrupt"}, {KEY_CONTROL('l'), "redraw"}, {KEY_CONTROL('z'), "suspend"},
	{'q', "leave-picture"}, {KEY_NAME_TOGGLE, "leave-picture"}, {'Q', "leave-program"}, {'V', "view-film"},
	{KEY_NAME_F2, "view-start"}, {KEY_NAME_F3, "view-system"}, {KEY_NAME_F4, "view-placement"},
	{KEY_NAME_F5, "view-placements"}, {KEY_NAME_F6, "view-groups"}, {KEY_NAME_F7, "view-state"},
	{KEY_NAME_F8, "view-hierarchies"}, {KEY_NAME_F9, "view-reductions"}};
const int key_row_count = sizeof(key_rows) / sizeof(*key_rows);

/* ---- reading them ---- */

const struct action *action_named(sw_str name)
{
	for (int i = 0; i < action_count; i++)
		if (sw_str_is(name, actions[i].name))
			return &actions[i];
	return NULL;
}

const char *screen_action_name(int n)
{
	return n < action_count ? actions[n].name : NULL;
}

const struct action *action_of(const struct screen *screen, int key, const char **line)
{
	const struct binding *binding = binding_of(&screen->bindings, key);
	*line = NULL;
	if (binding) {
		const struct action *action = action_named(sw_str_of(binding->line));
		if (!action && strcmp(binding->line, "none") != 0)
			*line = binding->line;
		return action;
	}
	for (int i = 0; i < key_row_count; i++)
		if (key_rows[i].key == key)
			return action_named(sw_str_of(key_rows[i].action));
	return NULL;
}

void action_keys(const struct screen *screen, const struct action *action, bool all, sw_text *text)
{
	bool any = false;
	for (int i = 0; i < screen->bindings.count; i++) {
		if (strcmp(screen->bindings.row[i].line, action->name) != 0 || (any && !all))
			continue;
		sw_text_add(text, any ? " " : "");
		key_print(screen->bindings.row[i].key, text);
		any = true;
	}
	for (int i = 0; i < key_row_count; i++) {
		if (strcmp(key_rows[i].action, action->name) != 0 || (any && !all) ||
			binding_of(&screen->bindings, key_rows[i].key))
			continue;
		sw_text_add(text, any ? " " : "");
		key_print(key_rows[i].key, text);
		any = true;
	}
}

static bool shows_wall(int view)
{
	return view == PANE_HEIGHTS || view == PANE_PARETO || view == PANE_FILM;
}

/* Is there a walk, or something that is played, on the screen?  What nobody sees is not stepped. */
static bool steps_in_sight(const struct screen *screen)
{
	for (int i = 0; i < screen->pane_count; i++)
		if (screen->panes[i].view == PANE_GRAPH || screen->panes[i].view == PANE_EDGES)
			return true;
	return screen->viewpoint.view == PANE_GRAPH || screen->viewpoint.view == PANE_EDGES || played_of(screen);
}

/* Steps, of tasks or of a schedule, that can be walked, where they are in sight. */
static bool tasks_in_sight(const struct screen *screen)
{
	return (about_tasks(screen) || screen->session->state.walked == SW_WALK_STEPS) &&
		session_walk_row(SW_WALK_STEPS)->possible(screen->session, NULL);
}

static bool film_in_sight(const struct screen *screen)
{
	return screen->viewpoint.view == PANE_FILM && film_count(screen) >= 0;
}

static bool need_met(const struct screen *screen, enum need need)
{
	sw_problem problem;
	bool problem_there = session_problem(screen->session, &problem, NULL);
	switch (need) {
	case NEED_WALK:
		return problem_there;
	case NEED_WALK_OR_FILM:
		return screen->viewpoint.view == PANE_FILM ? film_has_second(screen) : problem_there;
	case NEED_RUN:
		return runs_possible(screen);
	case NEED_PLAN:
		return screen_plan(screen) != NULL;
	case NEED_SENDERS:
		return screen_plan(screen) != NULL || film_in_sight(screen) || film_followed_count(screen) >= 0 ||
			pane_of_schedule(screen, screen->viewpoint.view);
	case NEED_STEPS:
		return screen_steps(screen) || film_in_sight(screen) || film_followed_count(screen) >= 0 ||
			tasks_in_sight(screen) || (problem_there && steps_in_sight(screen));
	case NEED_TILES:
		return screen->viewpoint.view == PANE_TILES && screen_plan(screen);
	case NEED_DIMS:
		return film_in_sight(screen) || (screen->viewpoint.view == PANE_TILES && screen_plan(screen));
	case NEED_TILES_OR_WALL:
		return screen->viewpoint.view == PANE_TILES ? screen_plan(screen) != NULL :
													  problem_there && shows_wall(screen->viewpoint.view);
	case NEED_FINDING:
		return *screen->search.text;
	case NEED_PAST:
		return screen->trail_at > 0;
	case NEED_FUTURE:
		return screen->trail_at + 1 < screen->trail_count;
	default:
		return true;
	}
}

static const char *const need_words[NEED_COUNT] = {
	[NEED_WALK] = "there is nothing to walk yet",
	[NEED_WALK_OR_FILM] = "there is no plan yet to draw a second one below; P makes one",
	[NEED_RUN] = "there is nothing to run yet",
	[NEED_PLAN] = "there is no plan yet; P makes one",
	[NEED_SENDERS] = "there is no plan yet; P makes one",
	[NEED_STEPS] = "there is nothing to step through yet",
	[NEED_TILES] = "this works in tiles (2), and needs a plan (P)",
	[NEED_DIMS] = "this works in tiles (2) and the film (V), and needs a plan (P)",
	[NEED_TILES_OR_WALL] =
		"this works in tiles (2), heights (3), the film (V) and pareto (0), and needs a plan (P) or a problem",
	[NEED_FINDING] = "no search yet; / begins one",
	[NEED_PAST] = "there is no view before this one",
	[NEED_FUTURE] = "there is no view after this one",
};

/* Is there a plan, but none with the tiles that an action needs? */
static bool lacks_tiles(const struct screen *screen, enum need need)
{
	static const enum need of_tiles[] = {NEED_PLAN, NEED_SENDERS, NEED_TILES, NEED_DIMS};
	for (size_t i = 0; i < sizeof(of_tiles) / sizeof(*of_tiles); i++)
		if (of_tiles[i] == need)
			return screen_steps(screen) && !screen_plan(screen);
	return need == NEED_TILES_OR_WALL && screen->viewpoint.view == PANE_TILES && screen_steps(screen);
}

const char *action_refused(const struct screen *screen, const struct action *action)
{
	if (screen->busy && !action->looks)
		return runs_refusal(screen);
	if (need_met(screen, action->need))
		return NULL;
	if (lacks_tiles(screen, action->need))
		return "the plan is a reduction program, whose steps work on chunks; F7 shows what devices hold, V the film; P "
			   "makes a plan over types";
	if (action->need == NEED_WALK_OR_FILM && film_in_sight(screen))
		return "no second film is drawn below a schedule or a formula; `compare` lists other schedules";
	bool unseen = action->need == NEED_STEPS && session_problem(screen->session, &(sw_problem){0}, NULL);
	return need_words[unseen ? NEED_PLAN : action->need];
}

const char *const *actions_useful(const struct screen *screen)
{
	static const char *const useful[PANE_COUNT][13] = {
		[PANE_GRAPH] = {"go-step", "go-back", "go-run", "go-finish", "open-it", "show-refused", "other-drawing",
			"path-up", "find-text"},
		[PANE_EDGES] = {"open-it", "show-refused", "path-up", "go-step", "go-back", "escape"},
		[PANE_TILES] = {"go-step", "go-back", "go-run", "tiles-side", "tiles-dims", "device-next", "follow-element"},
		[PANE_PARETO] = {"open-it", "fixed-before", "fixed-next", "view-plan", "view-heights", "make-plan"},
		[PANE_HEIGHTS] = {"go-step", "go-back", "go-run", "fixed-before", "fixed-next", "replace-step", "make-plan"},
		[PANE_FILM] = {"go-pause", "go-step", "go-back", "path-down", "open-it", "tiles-side", "device-next",
			"follow-element", "fixed-before", "fixed-next", "view-tiles", "view-traffic"},
		[PANE_PLAN] = {"go-step", "go-back", "replace-step", "undo-last", "view-compare", "copy-it"},
		[PANE_TRAFFIC] = {"go-step", "go-back", "go-run", "traffic-total", "device-next"},
		[PANE_TIMES] = {"measure", "add-strategy", "view-plan", "view-compare"},
		[PANE_COMPARE] = {"open-it", "view-plan"},
		[PANE_OUTPUT] = {"page-up", "page-down", "find-text", "filter-rows", "escape"},
		[PANE_REWRITING] = {"go-step", "go-back", "go-run", "go-finish", "view-plan"},
		[PANE_ROUNDS] = {"go-step", "go-back", "go-run", "rounds-way", "view-traffic", "view-plan"},
		[PANE_TYPE] = {"go-step", "go-back", "go-run", "view-mesh", "view-plan", "copy-it"},
		[PANE_MESH] = {"go-step", "go-back", "go-run", "view-type", "view-plan", "device-next"},
		[PANE_IMPORTS] = {"open-it", "order-rows", "fold-rows", "copy-it", "find-text", "escape", "view-plan",
			"view-output"},
		[PANE_PROGRAM] = {"open-it", "view-ways", "view-plan", "view-output", "find-text"},
		[PANE_WAYS] = {"open-it", "view-program", "view-output", "find-text"},
		[PANE_SYSTEM] = {"go-step", "go-back", "view-placement", "view-reductions", "view-groups"},
		[PANE_PLACEMENT] = {"view-system", "view-groups", "view-reductions", "view-hierarchies"},
		[PANE_GROUPS] = {"go-step", "go-back", "view-state", "view-system", "view-reductions"},
		[PANE_STATE] = {"go-step", "go-back", "view-groups", "view-system", "view-reductions"},
		[PANE_HIERARCHIES] = {"view-placement", "view-system", "view-reductions"},
		[PANE_PLACEMENTS] = {"open-it", "view-placement", "view-reductions", "view-system"},
		[PANE_REDUCTIONS] = {"open-it", "view-groups", "view-state", "view-system", "view-plan"},
		[PANE_SETS] = {"go-step", "go-back", "move-right", "view-relation", "view-tiles", "follow-element"},
		[PANE_RELATION] = {"move-right", "view-sets", "view-traffic", "view-tiles", "make-plan"},
		[PANE_NEEDS] = {"go-step", "go-back", "move-right", "view-tasks", "view-sets", "view-relation", "escape"},
		[PANE_TASKS] = {"go-step", "go-back", "go-run", "go-finish", "move-right", "view-needs", "view-graph"},
		[PANE_HOLDS] = {"go-step", "go-back", "go-run", "view-execution", "view-traffic", "view-loops"},
		[PANE_EXECUTION] = {"go-step", "go-back", "go-run", "view-holds", "view-traffic", "view-loops"},
		[PANE_LOOPS] = {"go-step", "go-back", "view-holds", "view-execution", "page-down"},
		[PANE_START] = {"open-it", "move-up", "move-down"},
		[PANE_HELP] = {"page-down", "find-text", "find-next", "filter-rows", "escape"},
	};
	return useful[screen->viewpoint.view];
}
