/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tour and a problem of each theory: rows of a table, each with what is typed and pressed when it is opened.
 */
#include "screen/start.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/between.h>

#include "screen/actions.h"
#include "screen/enter.h"
#include "screen/panes.h"
#include "screen/visit.h"
#include "session/schedules.h"
#include "session/settings.h"
#include "session/walks.h"

#define NAME_WIDTH 32

static const struct start_row {
	const char *name, *about;
	const char *lines; /* typed, a line each */
	const char *keys;  /* pressed then: names with blanks between them */
} rows[] = {
	{"the tour",
		"Twelve short steps through mesh, types, plan, memory and search: the keys are pressed for you, on screen.",
		"tour", ""},
	{"rows become columns",
		"A matrix on 4 by 6 devices must swap the axes of its rows and columns: three steps, and no tile "
		"grows.",
		"mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", "P 2 s"},
	{"weights for a layer", "Each device holds a quarter of the weights and needs all of them, as in FSDP.",
		"mesh {data: 2, fsdp: 4}\nbf16[1024{fsdp}4096, 4096] ~> [4096, 4096]", "P 3"},
	{"attention, sequence to heads",
		"Activations sharded along the sequence must be sharded along the heads: who sends what.",
		"mesh {seq: 8}\nbf16[4, 512{seq}4096, 32, 128] ~> [4, 4096, 4{seq}32, 128]", "P 5 s"},
	{"a cube that turns",
		"Three dimensions exchange their axes in a circle: what each device holds before and "
		"after.",
		"mesh {x: 2, y: 3, z: 2}\n[6{x}12, 4{y}12, 6{z}12] ~> [4{y}12, 6{z}12, 6{x}12]", "P 2 s t"},
	{"a search graph", "1024 devices, three axes: how the search finds the cheapest path over local types.",
		"mesh {a: 8, b: 16, c: 8}\n[64{a}512, 32{b}512, 16{c}128] ~> [4{c,b}512, 64{a}512, 128]", "1 f"},
	{"a sum on two levels", "32 GPUs on 2 nodes add up gradients: programs of all placements, the fastest first.",
		"system p2-a100 2\naxes {data: 8, shard: 4}\nreduce {data} f32[268435456]\nplace [[2 4] [1 4]]\nreductions 1",
		"F9"},
	{"where axes are placed",
		"Which axis goes inside a node and which between nodes, judged by the time of "
		"two sums.",
		"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[2147483648]", "F5"},
	{"a product of matrices",
		"Every way to multiply two sharded matrices, with what it moves, computes and "
		"holds.",
		"mesh {x: 2, y: 2}\neinsum ij,jk->ik [32{x}64, 16{y}32], [16{y}32, 48] as [32{x}64, 48]", "W Down"},
	{"a formula and its neighbours",
		"What devices need from each other to compute a formula 15 times, drawn as tasks.",
		"mesh {x: 6}\ntype x = [4{x}24]\ntype y = x\ncompute y[i] = f(x[i-1], x[i], x[i+1])\ntasks 15 --every 3",
		"K"},
	{"block-cyclic rows", "Rows dealt out in blocks of 2 must become contiguous blocks: who needs what.",
		"mesh {x: 4}\nfrom [2{x,..}24, 6]\nto [6{x}24, 6]", "F"},
	{"a schedule: Cannon's product", "9 devices pass tiles around rings: what each holds and computes, step by step.",
		"mesh {x: 3, y: 3}\nschedule cannon m=9 n=9 k=9", "B s"},
	{"memory against time",
		"A higher budget allows a faster plan: the curve shows both, and < > move the "
		"budget.",
		"mesh {a: 2, c: 2}\n[4, 2{c}4, 4, 4] ~> [4, 4, 2{a}4, 2{c}4]\nmodel latency", "0"},
};

int start_count(void)
{
	return sizeof(rows) / sizeof(*rows);
}

static int chosen_of(const struct screen *screen)
{
	int chosen = screen->viewpoint.start;
	return chosen < 0 ? 0 : chosen >= start_count() ? start_count() - 1 : chosen;
}

/* ---- drawing ---- */

static int offered_draw(int chosen, struct canvas *out, int y)
{
	for (int i = 0; i < start_count(); i++, y++) {
		enum role role = i == chosen ? ROLE_CURRENT : ROLE_TEXT;
		const char *mesh = strcmp(rows[i].lines, "tour") == 0 ? "" : rows[i].lines;
		canvas_putf(out, 2, y, role, i == chosen ? "▶ %s" : "  %s", rows[i].name);
		canvas_putf(out, NAME_WIDTH + 4, y, ROLE_DIM, "%.*s", (int)strcspn(mesh, "\n"), mesh);
	}
	return y;
}

static int lines_draw(const char *lines, struct canvas *out, int y)
{
	for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
		length = strcspn(lines, "\n");
		canvas_putf(out, 4, y++, ROLE_OP, "%.*s", (int)length, lines);
	}
	return y;
}

/* How to define one's own, with the axes of the mesh that is there. */
static int own_draw(const struct session *session, struct canvas *out, int y)
{
	sw_text words = {0}, from = {0}, to = {0};
	session_example(session, &from, &to);
	sw_text_add(&words,
		"F2 comes back here, z lists all views, U takes back what you opened. For your own problem, : goes to "
		"the prompt; ");
	sw_text_addf(&words, session->state.has[DEFINED_MESH] ? "over the present mesh " : "mesh {x: 4, y: 6}, then ");
	sw_text_addf(&words, "%s ~> %s", sw_text_get(&from), sw_text_get(&to));
	sw_text_add(&words, ". Paste what a compiler printed there as it is; import FILE reads a log.");
	y = canvas_put_wrapped(out, 0, y, out->width, 0, ROLE_NOTE, sw_text_get(&words));
	sw_text_free(&words);
	sw_text_free(&from);
	sw_text_free(&to);
	return y;
}

bool draw_offer(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	int chosen = chosen_of(screen);
	(void)height, (void)diag;
	canvas_reset(out, width);
	int y = canvas_put_wrapped(out, 0, 0, width, 0, ROLE_TEXT,
		"How does a distributed array move between layouts on many devices: in which steps, and at what cost "
		"in memory and time?");
	frame->row = y + 1 + chosen;
	y = offered_draw(chosen, out, y + 1);
	y = canvas_put_wrapped(out, 2, y + 1, width - 2, 0, ROLE_TEXT, rows[chosen].about);
	y = lines_draw(rows[chosen].lines, out, y);
	own_draw(screen->session, out, y + 1);
	snprintf(frame->object, sizeof(frame->object), "Enter opens");
	frame->at = chosen + 1;
	frame->of = start_count();
	return true;
}

/* ---- choosing and opening ---- */

bool move_offer(struct screen *screen, int across, int down)
{
	if (across)
		return false;
	screen->viewpoint.start = chosen_of(screen) + down;
	screen->viewpoint.start = chosen_of(screen);
	return true;
}

static bool type_lines(struct screen *screen, const char *lines)
{
	bool ok = true;
	for (size_t length; *lines && ok; lines += length + (lines[length] == '\n')) {
		length = strcspn(lines, "\n");
		ok = screen_do(screen, false, "%.*s", (int)length, lines);
	}
	return ok;
}

void open_offer(struct screen *screen)
{
	const struct start_row *row = &rows[chosen_of(screen)];
	if (!type_lines(screen, row->lines))
		return;
	for (const char *keys = row->keys; *keys;) {
		size_t length = strcspn(keys, " ");
		screen_press(screen, key_named((sw_str){keys, length}));
		keys += length + (keys[length] == ' ');
	}
}

/* Where there is no search to walk: what draws a formula, its tasks, or ends that are no tile types; -1: none of these is there. */
static int view_of_any(const struct session *session)
{
	sw_problem problem;
	if (session_kept_schedule(&session->state))
		return PANE_HOLDS;
	if (session_tasks(session, NULL))
		return PANE_TASKS;
	if (session->state.formula)
		return PANE_NEEDS;
	return session_any_problem(session, &problem, NULL) ? PANE_SETS : -1;
}

static bool has_walk(const struct session *session)
{
	sw_problem problem;
	const struct kept_plan *kept = session->state.plan;
	return session_problem(session, &problem, NULL) || (kept && !sw_problem_has_words(&kept->plan.problem));
}

/* A row of a list was made the plan, or the program. */
static bool took_row(const struct session *session, int view)
{
	const struct state *state = &session->state;
	return (view == PANE_REDUCTIONS && state->plan && (state->plan->program || state->plan->algorithm)) ||
		(view == PANE_WAYS && state->program && state->subject == SUBJECT_PROGRAM);
}

/* The view of what was made last; -1: it is the graph, where one stays where one was, or has none. */
static int view_made(const struct session *session)
{
	int view = session->shown ? pane_named(session->shown) : -1;
	view = took_row(session, view) ? PANE_FILM : view;
	bool film = view != PANE_FILM || setting_is(&session->state.settings, SETTING_OPENS, "film");
	return view == PANE_GRAPH || !film ? -1 : view;
}

/* A plan that no command made which has a view: one of a file. */
static bool plan_is_first(const struct session *session)
{
	return !session->shown && session->state.plan && setting_is(&session->state.settings, SETTING_OPENS, "film");
}

/* What there is to look at first; -1: nothing. */
static int view_there(const struct session *session)
{
	int made = view_made(session);
	if (made >= 0)
		return made;
	return plan_is_first(session) ? PANE_FILM : has_walk(session) ? PANE_GRAPH : view_of_any(session);
}

void start_offer(struct screen *screen)
{
	struct session *session = screen->session;
	bool first = screen->trail_count == 1;
	int view = view_there(session);
	screen->offers = view < 0 && !session->imports && !session->tour && first;
	if (screen->offers)
		screen_visit(screen, PANE_START);
	else if (view >= 0 && !session->tour && (first || view_made(session) >= 0))
		view_open(screen, view);
	session->shown = NULL;
}

void start_follow(struct screen *screen)
{
	int view = screen->offers ? view_there(screen->session) : -1;
	if (view < 0)
		return;
	screen->offers = false;
	if (screen->viewpoint.view == PANE_START)
		view_open(screen, view);
}
