/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of the tour, and the tour at the prompt.
 */
#include "command/tour.h"

#include <string.h>

#include "answer/report.h"
#include "command/command.h"

static const struct tour_step steps[] = {
	{
		.sentence = "24 devices form a mesh, 4 along axis x and 6 along axis y; their numbers count along y "
					"first.",
		.typed = "mesh {x: 4, y: 6}",
		.keys = "M Z",
		.lines = "mesh {x: 4, y: 6}\nshow mesh",
	},
	{
		.sentence =
			"3{x}12 is 12 rows cut along x into tiles of 3; 2{y}12 is 12 columns cut along y into tiles of 2.",
		.typed = "from [3{x}12, 2{y}12]",
		.keys = "Y Z",
		.lines = "from [3{x}12, 2{y}12]\nshow type from",
	},
	{
		.sentence =
			"We need it cut the other way. Numbers name the device of a tile; letters, the first device of an element.",
		.typed = "to [2{y}12, 3{x}12]",
		.keys = "2 Z",
		.lines = "to [2{y}12, 3{x}12]\nshow tiles",
		.tail = 1,
	},
	{
		.sentence = "The first step is alltoall(1, 0, 3): in groups of 3, a tile's dimension 1 grows 3 times, "
					"dimension 0 shrinks.",
		.keys = "P M s",
		.lines = "show mesh --step 1",
		.tail = 1,
	},
	{
		.sentence =
			"y is used in parts: y:(1)2, its 2 halves, cuts the columns; y:(2)3, the 3 devices in a half, cuts "
			"the rows.",
		.keys = "Y",
		.lines = "show type [1{y:(2)3,x}12, 6{y:(1)2}12]",
	},
	{
		.sentence = "Devices 0, 1 and 2 have swapped parts: each now holds one row of all three.",
		.keys = "2",
		.lines = "show tiles --step 1",
		.tail = 1,
	},
	{
		.sentence = "allpermute sent whole tiles to other devices, and one more alltoall cut them: every device has "
					"what it needs.",
		.keys = "s s",
		.lines = "show tiles --step 3",
		.tail = 1,
	},
	{
		.sentence = "No tile exceeds the budget (dotted), the tile size at both ends. During a step, a device holds "
					"two tiles.",
		.keys = "3",
		.lines = "show heights",
	},
	{
		.sentence = "Gathering all (allgather), then slicing (dynslice), puts 144 elements on every device: far over "
					"the budget.",
		.typed = "plan naive",
		.keys = "",
		.lines = "show heights naive",
	},
	{
		.sentence = "A graph finds it: a node is a local type (shape of a tile), an edge an operation; the "
					"best path is heavy.",
		.typed = "plan",
		.keys = "1 s s f",
		.lines = "finish\nshow graph",
	},
	{
		.sentence = "Over local types the optimum is 12; allpermute adds 6. The normal form slices, then exchanges, "
					"then gathers.",
		.keys = "4",
		.lines = "plan",
		.tail = 6,
	},
	{
		.sentence = "verify checked every element on virtual devices; compare shows what other strategies "
					"would do.",
		.typed = "verify",
		.answers = true,
		.keys = "7",
		.lines = "verify\ncompare",
		.tail = 3,
	},
};

int tour_length(void)
{
	return sizeof(steps) / sizeof(*steps);
}

const struct tour_step *tour_step(int n)
{
	return n >= 1 && n <= tour_length() ? &steps[n - 1] : NULL;
}

/* ---- an answer with so many rows ---- */

struct cut {
	struct console *console;
	sw_text answer;
	int rows; /* of messages, which are not held back */
};

static int rows_of(const char *text, size_t length)
{
	int rows = 0;
	for (size_t i = 0; i < length; i++)
		rows += text[i] == '\n';
	return rows;
}

static void take_text(void *context, bool message, const char *text, size_t length)
{
	struct cut *cut = context;
	const struct console_taker *taker = cut->console->taker;
	sw_text said = {0};
	if (!message) {
		sw_text_add_str(&cut->answer, (sw_str){text, length});
		return;
	}
	sw_text_add_str(&said, (sw_str){text, length});
	cut->console->taker = NULL;
	console_message(cut->console, &said);
	cut->console->taker = taker;
	cut->rows += rows_of(text, length);
	sw_text_free(&said);
}

static void take_canvas(void *context, const struct canvas *canvas)
{
	struct cut *cut = context;
	canvas_print(canvas, &cut->console->style, &cut->answer);
}

static void take_progress(void *context, const char *line)
{
	(void)context, (void)line;
}

static void take_wipe(void *context)
{
	(void)context;
}

static bool take_beat(void *context)
{
	(void)context;
	return true;
}

static void take_terminal(void *context, bool released)
{
	(void)context, (void)released;
}

/* The rows from `first` on, `count` of them. */
static sw_str rows_at(const sw_text *text, int first, int count)
{
	const char *at = sw_text_get(text), *end = at + text->length;
	for (; first > 0 && at < end; first--)
		at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
	const char *from = at;
	for (; count > 0 && at < end; count--)
		at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
	return (sw_str){from, (size_t)(at - from)};
}

/* What has more rows than there is room for is shown from its beginning, with `tail` rows of its end.  Returns its rows. */
static int cut_rows(const struct cut *cut, sw_str line, int room, int tail, sw_text *shown)
{
	int rows = rows_of(sw_text_get(&cut->answer), cut->answer.length), head = room - 1 - tail;
	if (rows <= room) {
		sw_text_add_str(shown, (sw_str){sw_text_get(&cut->answer), cut->answer.length});
		return rows;
	}
	head = head < 1 ? 1 : head;
	sw_text_add_str(shown, rows_at(&cut->answer, 0, head));
	sw_text_addf(shown, "(%d more rows; all of them: %.*s)\n", rows - head - tail, (int)line.length, line.at);
	sw_text_add_str(shown, rows_at(&cut->answer, rows - tail, tail));
	return head + 1 + tail;
}

/* *room: rows that are left. */
static bool run_cut(const struct invocation *run, const struct position *position, int *room, int tail, sw_diag *diag)
{
	struct console *console = run->session->console;
	struct cut cut = {.console = console};
	const struct console_taker taker = {.context = &cut,
		.text = take_text,
		.canvas = take_canvas,
		.progress = take_progress,
		.wipe = take_wipe,
		.beat = take_beat,
		.release_terminal = take_terminal};
	const struct console_taker *before = console->taker;
	sw_text shown = {0};
	console->taker = &taker;
	statement_run_line(run->session, position);
	console->taker = before;
	*room -= cut.rows;
	*room -= cut_rows(&cut, position->text, *room, tail, &shown);
	bool ok = console_write(console, &shown, diag) && console_flush(console, diag);
	sw_text_free(&cut.answer);
	sw_text_free(&shown);
	return ok;
}

/* ---- a step ---- */

#define REMARK_ROWS 1 /* how one goes on */

/* Returns the rows that it takes. */
static int say(const struct invocation *run, int n)
{
	struct canvas *canvas = document_canvas(run->answer);
	canvas_reset(canvas, canvas->width < 80 ? canvas->width : 80);
	int x = canvas_putf(canvas, 0, 1, ROLE_TITLE, "%d/%d", n, tour_length()) + 2;
	return canvas_put_wrapped(canvas, x, 1, canvas->width - x, 0, ROLE_TEXT, tour_step(n)->sentence);
}

static bool defines(sw_str line)
{
	const struct command *command = command_exact(line_first(line));
	return command && command->statement;
}

static bool run_line(const struct invocation *run, const struct position *position, int *room, int tail,
	sw_diag *diag)
{
	document_line(run->answer, "> %.*s", (int)position->text.length, position->text.at);
	if ((run->session->json && !answer_wrap(run->session, "tour", diag)) || !answer_flush(run->session, diag))
		return false;
	--*room;
	if (!run->session->json)
		return run_cut(run, position, room, tail, diag);
	statement_run_line(run->session, position);
	return true;
}

/* The lines run as those of a script, each shown before its answer, in `room` rows; or, where that is 0, only what they
 * define, in silence. */
static bool run_lines(const struct invocation *run, const struct tour_step *step, int room, sw_diag *diag)
{
	struct session *session = run->session;
	const char *lines = step->lines;
	bool was = session->interactive, shown = room, ok = true;
	struct position position = {.file = "tour"};
	session->interactive = false;
	for (; *lines && ok && !session->leaving; lines += position.text.length + (lines[position.text.length] == '\n')) {
		position.line++;
		position.text = (sw_str){lines, strcspn(lines, "\n")};
		if (shown)
			ok = run_line(run, &position, &room, lines[position.text.length] ? 0 : step->tail, diag);
		else if (defines(position.text))
			statement_run_line(session, &position);
	}
	session->interactive = was;
	return ok;
}

/* Who begins in the middle gets what the steps before have defined. */
static bool catch_up(const struct invocation *run, int n, sw_diag *diag)
{
	bool ok = true;
	for (int i = 1; i < n && ok; i++)
		ok = run_lines(run, tour_step(i), 0, diag);
	return ok;
}

static bool tour_show(const struct invocation *run, int n, sw_diag *diag)
{
	int rows = say(run, n);
	return run_lines(run, tour_step(n), TOUR_ROWS - rows - REMARK_ROWS, diag);
}

static void keep_aside(struct session *session)
{
	session_place_free(session->aside);
	session->aside = session_place(session);
}

/* What was defined before it is there again, under the settings of now. */
static bool give_back(struct session *session, sw_diag *diag)
{
	struct settings settings = session->state.settings;
	bool ok = !session->aside || session_return(session, session->aside, "tour", diag);
	session->state.settings = settings;
	session_place_free(session->aside);
	session->aside = NULL;
	return ok;
}

static bool tour_leave(const struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	session->tour = 0;
	document_line(run->answer, "\nThe tour ends here. `help` lists the commands, `help COMMAND` says more.");
	if (session->aside)
		document_line(run->answer, "The session is as it was before; `undo` brings back what the tour defined.");
	return give_back(session, diag);
}

/* One step, where a person goes on. */
static bool tour_go(const struct invocation *run, int n, sw_diag *diag)
{
	struct session *session = run->session;
	if (!tour_show(run, n, diag))
		return false;
	session->tour = n;
	if (n == tour_length())
		return tour_leave(run, diag);
	answer_remark(session, "(Enter continues, q leaves; any command works in between)");
	return true;
}

static bool tour_all(const struct invocation *run, int from, sw_diag *diag)
{
	int length = tour_length();
	for (int n = from; n <= length && !run->session->leaving; n++)
		if (!tour_show(run, n, diag))
			return false;
	return true;
}

/* Where the screens are, or will be opened, they show the step that session->tour says. */
static bool is_driven(const struct session *session)
{
	return session->picture || (session->screen && session->console->taker);
}

bool command_tour(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	int64_t n = session->tour + 1;
	const struct word *word = argument(run, 0);
	if (!read_count(run, word, 0, tour_length(), &n, diag))
		return false;
	if (is_driven(session)) {
		session->tour = n > tour_length() ? 0 : (int)n;
		return true;
	}
	if (n == 0)
		return tour_leave(run, diag);
	if (!session->tour && session->interactive && session->console->in_terminal)
		keep_aside(session);
	if (word && !catch_up(run, (int)n, diag))
		return false;
	if (!session->interactive || !session->console->in_terminal)
		return tour_all(run, (int)n, diag);
	return tour_go(run, (int)n, diag);
}
