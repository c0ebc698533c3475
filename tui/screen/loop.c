/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop of the picture: it waits for keys, signals and the pace of a run, and paints after each.
 *
 * While a command works its pulse comes by here, so that keys that only look still do.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <readline/readline.h>

#include "answer/record.h"
#include "screen/actions.h"
#include "screen/crash.h"
#include "screen/heads.h"
#include "screen/line.h"
#include "screen/panes.h"
#include "screen/pin.h"
#include "screen/played.h"
#include "screen/player.h"
#include "screen/start.h"
#include "screen/terminal.h"
#include "screen/visit.h"
#include "screen/waiting.h"
#include "session/live.h"
#include "shell/edit.h"
#include "answer/show.h"
#include "host/interrupt.h"

#define PAINT_SECONDS 0.1 /* between pictures while a command works */
#define KEYS_MOST 4096    /* taken before a picture is painted again */
#define LIVE_SECONDS 0.05 /* and while a run goes on: then only where there is something new */
#define WAIT_SECONDS 1.0  /* before its first times: seconds are counted */

struct loop {
	struct canvas canvas;
	struct timespec painted;
	long long heard; /* records of the run that goes on, when it was painted */
	int width, height;
	bool mouse;
	bool pasting; /* into what is asked for: no key of a paste does anything but stand there */
};

static double seconds_since(const struct timespec *then)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* ---- painting ---- */

static void measure(struct loop *loop)
{
	int width = loop->width, height = loop->height;
	terminal_measure(&loop->width, &loop->height);
	if (width != loop->width || height != loop->height)
		edit_fit(loop->height, loop->width);
}

static void paint(struct screen *screen, struct loop *loop)
{
	measure(loop);
	struct cursor cursor = screen_compose(screen, loop->width, loop->height, &loop->canvas);
	terminal_paint(&loop->canvas, &screen->session->console->style, cursor, screen->redraw);
	screen->redraw = screen->stale = false;
	if (screen->session->console->recording)
		recording_frame(screen->session->console->recording, &loop->canvas, &screen->session->console->style);
	if (screen->copied.length)
		terminal_copy(sw_text_get(&screen->copied), screen->copied.length);
	sw_text_clear(&screen->copied);
	clock_gettime(CLOCK_MONOTONIC, &loop->painted);
}

static void paint_now(struct screen *screen)
{
	paint(screen, screen->terminal);
}

/* ---- what came ---- */

static void suspend(struct screen *screen)
{
	screen->suspend = false;
	terminal_release(true);
	interrupt_suspend();
	terminal_release(false);
	screen->redraw = true;
}

static void handle_signals(struct screen *screen)
{
	unsigned events = interrupt_events();
	if (events & INTERRUPT_STOP || screen->suspend)
		suspend(screen);
	if (events & (INTERRUPT_RESIZE | INTERRUPT_CONTINUE))
		screen->redraw = true;
	if (interrupt_signal() == SIGINT && !screen->busy) {
		interrupt_clear();
		screen_key(screen, KEY_CONTROL('c'));
	} else if (interrupt_signal() == SIGINT) {
		screen->stops += screen->stops == 0; /* what works hears of it by itself */
	} else if (interrupt_signal()) {
		screen->session->leaving = true;
	}
}

/* ---- clicks ---- */

static bool inside(int x, int y, int left, int top, int width, int height)
{
	return x >= left && x < left + width && y >= top && y < top + height;
}

static void click_node(struct screen *screen, const struct pane *pane, int x, int y)
{
	sw_node node;
	for (int i = 0; i < screen->spots.count; i++) {
		const struct graph_spot *spot = &screen->spots.spot[i];
		if (!inside(x - pane->x, y - pane->y, spot->x, spot->y, spot->width, 1))
			continue;
		if (screen_node(screen, &node) && node.id == spot->node + 1)
			screen_key(screen, KEY_ENTERED);
		else
			graph_choose(screen, spot->node + 1);
		return;
	}
}

/* The key whose name stands under the mouse in the bar at the bottom. */
static void click_bar(struct screen *screen, const struct loop *loop, int x)
{
	int from = x, to = x;
	while (from > 0 && canvas_cell_at(&loop->canvas, from, loop->height - 1)->role != ROLE_TITLE)
		from--;
	while (from > 0 && canvas_cell_at(&loop->canvas, from - 1, loop->height - 1)->role == ROLE_TITLE)
		from--;
	for (to = from; canvas_cell_at(&loop->canvas, to, loop->height - 1)->role == ROLE_TITLE; to++)
		continue;
	char name[16] = "";
	for (int i = from; i < to && i - from < 15; i++)
		name[i - from] = (char)canvas_glyph_at(&loop->canvas, i, loop->height - 1, true);
	int key = key_named(sw_str_of(name));
	if (key >= 0)
		screen_key(screen, key);
}

static const struct pane *pane_at(const struct screen *screen, int x, int y)
{
	for (int i = 0; i < screen->pane_count; i++) {
		const struct pane *pane = &screen->panes[i];
		if (inside(x, y, pane->x, pane->y - 1, pane->width, pane->height + 1))
			return pane;
	}
	return NULL;
}

static void click(struct screen *screen, const struct loop *loop, int x, int y)
{
	if (y == loop->height - 1) {
		click_bar(screen, loop, x);
		return;
	}
	const struct pane *pane = pane_at(screen, x, y);
	if (!pane)
		return;
	screen->viewpoint.view = pane->view;
	prompt_focus(screen, false);
	if (pane->view == PANE_GRAPH)
		click_node(screen, pane, x, y);
	if (pane->view == PANE_FILM)
		pin_click(screen, x - pane->x + screen->viewpoint.left[PANE_FILM],
			y - pane->y + screen->viewpoint.top[PANE_FILM]);
	heads_click(screen, pane, x - pane->x, y - pane->y);
}

/* The wheel moves what is under the pointer, and leaves the focus where it is. */
static void wheel(struct screen *screen, int key, int x, int y)
{
	const struct pane *pane = pane_at(screen, x, y);
	int focus = screen->viewpoint.view, under = pane ? pane->view : focus;
	screen->viewpoint.view = under;
	screen_key(screen, key);
	if (screen->viewpoint.view == under)
		screen->viewpoint.view = focus;
}

/* ---- keys ---- */

/* While something is asked for a paste is text, ends of lines left out, and the mouse points at nothing.  True: it is done. */
static bool take_asked(struct screen *screen, struct loop *loop, int key)
{
	bool was = loop->pasting, asks = screen->ask.row != NULL;
	loop->pasting = key != KEY_PASTE_END && key != KEY_ESC && (was || (asks && key == KEY_PASTED));
	if (loop->pasting && asks && key >= KEY_SPACE && key < KEY_NAMED)
		screen_key(screen, key);
	return loop->pasting || key == KEY_PASTE_END || (asks && key == KEY_CLICKED);
}

static void take_key(struct screen *screen, struct loop *loop, int key, int x, int y)
{
	if (take_asked(screen, loop, key))
		return;
	if (key == KEY_CLICKED) {
		click(screen, loop, x, y);
	} else if (key == KEY_NAME_WHEEL_UP || key == KEY_NAME_WHEEL_DOWN) {
		wheel(screen, key, x, y);
	} else if (key == KEY_TOLD) {
		answer_dress(screen->session);
	} else if (key == KEY_NOTHING) {
		return;
	} else if (key == KEY_PASTED) {
		prompt_focus(screen, true);
		line_paste(screen);
	} else {
		screen_key(screen, key);
	}
}

static void take_byte(struct screen *screen, struct loop *loop, int byte)
{
	int x = 0, y = 0, pointed;
	line_byte(screen, byte, &pointed, &x, &y);
	if (pointed >= 0)
		take_key(screen, loop, pointed, x, y);
}

/* Takes the next key that waits; false: none does. */
static bool take_next(struct screen *screen, struct loop *loop)
{
	int x = 0, y = 0;
	bool typing = prompt_hears(screen);
	int key = typing ? terminal_byte(0) : terminal_key(&x, &y);
	if (key < 0)
		return false;
	if (typing)
		take_byte(screen, loop, key);
	else
		take_key(screen, loop, key, x, y);
	if (*screen->typed && screen->typing) {
		line_insert(screen, screen->typed);
		*screen->typed = '\0';
	}
	return true;
}

/* Each key is for who has the focus when it comes; what is typed behind Ctrl-C, or behind lines that wait, is for what comes after
 * the work.  False: none came. */
static bool take_keys(struct screen *screen, struct loop *loop)
{
	int stops = screen->stops, taken = 0;
	while (taken < KEYS_MOST && !screen->leaving && !screen->session->leaving && !screen->suspend) {
		bool later = screen->busy ? screen->stops > stops : screen->waiting.count > 0;
		if (later || !take_next(screen, loop))
			break;
		taken++;
	}
	return taken > 0;
}

/* A run that goes on is not to be disturbed by pictures that say nothing new. */
static bool must_paint(const struct screen *screen, const struct loop *loop)
{
	const struct live_run *live = screen->session->live;
	if (!live)
		return true;
	double since = seconds_since(&loop->painted);
	return (since >= LIVE_SECONDS && (screen->stale || screen->redraw || live->heard != loop->heard)) ||
		(since >= WAIT_SECONDS && live_unmeasured(live));
}

/* While a command works: a search beats often, a run when something came. */
static void poll_keys(struct screen *screen)
{
	struct loop *loop = screen->terminal;
	const struct live_run *live = screen->session->live;
	int stops = screen->stops;
	if (seconds_since(&screen->begun) < PAINT_SECONDS || (!live && seconds_since(&loop->painted) < PAINT_SECONDS))
		return;
	handle_signals(screen);
	bool key = take_keys(screen, loop);
	bool stopped = screen->stops > stops;
	if (stopped && !interrupt_signal())
		raise(SIGINT); /* for what listens to signals only */
	if (stopped)
		screen_say(screen, ROLE_WARN, "stopping; what is known is kept");
	if (!key && !stopped && !must_paint(screen, loop))
		return;
	loop->heard = live ? live->heard : 0;
	paint(screen, loop);
}

/* Keys that come as a command begins wait a moment: most commands have ended then. */
static int key_file(struct screen *screen)
{
	return seconds_since(&screen->begun) < PAINT_SECONDS ? -1 : STDIN_FILENO;
}

static void release_terminal(struct screen *screen, bool released)
{
	terminal_release(released);
	screen->redraw = !released;
}

/* How long to wait for a key before what goes on by itself does; -1: nothing does. */
static int pace_milliseconds(const struct screen *screen)
{
	if (!screen->running && !player_drives(screen))
		return -1;
	return (int)screen->session->state.settings.value[SETTING_PACE].number;
}

static void follow_settings(struct screen *screen, struct loop *loop)
{
	bool mouse = setting_is(&screen->session->state.settings, SETTING_MOUSE, "on");
	if (mouse != loop->mouse && !terminal_mouse(mouse))
		screen_say(screen, ROLE_WARN, "this terminal has no mouse (TERM)");
	loop->mouse = mouse;
}

static void run(struct screen *screen, struct loop *loop)
{
	while (!screen->leaving && !screen->session->leaving) {
		struct pollfd wait[2] = {{STDIN_FILENO, POLLIN, 0}, {interrupt_wake(), POLLIN, 0}};
		follow_settings(screen, loop);
		player_follow(screen);
		start_follow(screen);
		paint(screen, loop);
		if (screen->waiting.count) {
			line_run_waiting(screen);
			continue;
		}
		int came = poll(wait, interrupt_wake() >= 0 ? 2 : 1, pace_milliseconds(screen));
		handle_signals(screen);
		if (wait[0].revents & (POLLHUP | POLLERR) && !(wait[0].revents & POLLIN))
			screen->session->leaving = true;
		take_keys(screen, loop);
		if (screen->suspend)
			suspend(screen);
		if (came == 0 && player_drives(screen))
			player_tick(screen);
		else if (came == 0)
			screen_tick(screen);
		if (interrupt_signal() == SIGINT)
			interrupt_clear();
	}
}

/* ---- from and to the prompt ---- */

bool screen_possible(const struct session *session, sw_diag *diag)
{
	if (!session->console->in_terminal || !session->console->out_terminal || !session->interactive) {
		sw_diag_set(diag, SW_E03, (sw_span){0, 0}, "there is no interactive terminal");
		sw_diag_hint(diag,
			"`show` prints the same pictures; `shardwalk --tui` opens the screens in a "
			"terminal");
		return false;
	}
	return terminal_possible(diag);
}

/* What failed before the picture covered it, say a statement of a script, is not passed over. */
static void say_first(struct screen *screen)
{
	long long failures = screen->session->failures;
	const sw_code_info *last = sw_code_info_of(screen->session->last);
	if (failures > 0)
		screen_say(screen, ROLE_BAD, "%lld %s failed before this opened%s%s; q shows why", failures,
			failures == 1 ? "statement" : "statements", last ? ", the last with " : "", last ? last->name : "");
	else
		screen_say(screen, ROLE_NOTE, "? lists the keys, : goes to the prompt, q leaves the picture");
}

static void screen_start(struct screen *screen, struct prompt *prompt, struct loop *loop)
{
	screen->prompt_lines = prompt;
	screen->terminal = loop;
	screen->poll = poll_keys;
	screen->wakes = key_file;
	screen->release_terminal = release_terminal;
	screen->paint = paint_now;
	screen->play = played_moment;
	screen->leaving = screen->running = screen->typing = false;
	screen->redraw = true;
	if (!*screen->message)
		say_first(screen);
	screen_capture(screen, true);
	start_offer(screen);
	player_follow(screen);
	line_begin(screen);
}

static void screen_stop(struct screen *screen)
{
	screen_flush_echo(screen);
	line_end(screen);
	screen_capture(screen, false);
	screen->prompt_lines = NULL;
	screen->terminal = NULL;
	screen->poll = NULL;
	screen->wakes = NULL;
	screen->release_terminal = NULL;
	screen->paint = NULL;
	screen->play = NULL;
	screen->session->shown = NULL;
	*screen->message = '\0';
}

/* Who leaves while a command works leaves the lines behind that waited for its end. */
static void tell_what_waited(struct screen *screen)
{
	for (char *line = waiting_next(screen); line; line = waiting_next(screen)) {
		console_remark(screen->session->console, "it waited and did not run: %s", line);
		free(line);
	}
}

bool screen_run(struct prompt *prompt, sw_diag *diag)
{
	struct session *session = prompt->session;
	struct screen *screen = screen_of(session);
	struct loop loop = {0};
	session->picture = false;
	if (!screen)
		return sw_diag_memory(diag);
	if (!screen_possible(session, diag))
		return false;
	interrupt_hold_stop(true);
	if (!terminal_open(diag)) {
		interrupt_hold_stop(false);
		return false;
	}
	screen_start(screen, prompt, &loop);
	answer_ask_background(session);
	run(screen, &loop);
	screen_stop(screen);
	terminal_close();
	tell_what_waited(screen);
	interrupt_hold_stop(false);
	canvas_free(&loop.canvas);
	return true;
}

void screen_guard(const struct session *session)
{
	crash_guard(session->running);
}

/* ---- Ctrl-X A ---- */

static struct session *toggled;

static int toggle(int count, int key)
{
	struct screen *screen = toggled->screen;
	(void)count;
	if (screen && screen->terminal) {
		screen->leaving = true;
		return 0;
	}
	rl_replace_line("tui", 0);
	rl_point = rl_end;
	return rl_newline(1, key);
}

void screen_bind_toggle(struct session *session)
{
	toggled = session;
	rl_bind_keyseq("\\C-xa", toggle);
	rl_bind_keyseq("\\C-xA", toggle);
	rl_bind_keyseq("\\C-x\\C-a", toggle);
}

static void screen_prepare(struct session *session)
{
	screen_guard(session);
	screen_bind_toggle(session);
}

const struct prompt_picture screen_picture = {screen_prepare, screen_run};
