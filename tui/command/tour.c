/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of the tour are rows of a table: what is said, and the lines that run.
 */
#include "command/tour.h"

#include <string.h>

#include "command/command.h"

static const struct tour_step {
	const char *title;
	const char *words;
	const char *lines;
	const char *needs; /* a command without which the step is left out */
} steps[] = {
	{
		.title = "Devices form a mesh",
		.words = "24 devices stand in a grid of 4 rows, the axis x, and 6 columns, the axis y. Each "
				 "has a number; the "
				 "last axis counts fastest.",
		.lines = "mesh {x: 4, y: 6}\nshow mesh",
	},
	{
		.title = "A type says how an array lies on them",
		.words = "An array of 12 by 12 is too large for one device. 3{x}12 says: 12 rows, cut along x "
				 "into tiles of 3. "
				 "2{y}12: 12 columns, cut along y into tiles of 2.",
		.lines = "from [3{x}12, 2{y}12]\nshow type from",
	},
	{
		.title = "The next step of a program needs it in another way",
		.words = "Now the rows shall be cut along y and the columns along x. The number above a tile "
				 "is the device that holds it. A letter and a colour is the device that an element is on "
				 "before, and the same after.",
		.lines = "to [2{y}12, 3{x}12]\nshow tiles",
	},
	{
		.title = "What one writes without thinking",
		.words = "Gather the whole array on every device, then cut it anew. It works, and at its "
				 "height every device "
				 "holds all 144 elements instead of 6.",
		.lines = "show heights naive",
	},
	{
		.title = "A plan that keeps to the memory",
		.words = "No tile may be larger than those at the ends: that is the budget, unless `budget` "
				 "says otherwise. The "
				 "cheapest steps that keep to it:",
		.lines = "plan",
	},
	{
		.title = "Memory, step by step",
		.words = "The same picture of this plan: no bar goes past the dotted line. While a step runs, "
				 "the tiles before and "
				 "after it are both alive.",
		.lines = "show heights",
	},
	{
		.title = "How it is found: a graph of local types",
		.words = "A node is the size of a tile, an edge an operation and what it costs. The search "
				 "visits the nearest "
				 "node, then the next. `step` does one, `back` takes it back; afterwards Enter alone repeats them.",
		.lines = "step 2\nedges",
	},
	{
		.title = "The graph, and the way through it",
		.words = "`finish` goes on to the goal and tells what the way costs. High in the picture are "
				 "large tiles, low "
				 "are small ones; nothing stands above the budget.",
		.lines = "finish\nshow graph",
	},
	{
		.title = "By hand",
		.words = "Any operation can be applied to see what it makes. One whose premise fails is "
				 "refused with the "
				 "reason; `explain` tells the rule. `undo` takes it back.",
		.lines = "apply alltoall(1, 0, 3)\nundo",
	},
	{
		.title = "Is the plan right?",
		.words = "Virtual devices carry it out in this program, with every element its own number, "
				 "and all are compared "
				 "at the end. And who else could have done it?",
		.lines = "verify\ncompare",
	},
	{
		.title = "On the machine",
		.words = "`run` starts one MPI process for each device and measures every step: type it when "
				 "the tour is over. "
				 "`tui` opens the pictures that one can walk through by keys.",
		.lines = "show traffic",
		.needs = "run",
	},
	{
		.title = "Who sends what to whom",
		.words = "Each device keeps what it has already; the rest goes to few others.",
		.lines = "show traffic",
		.needs = "!run",
	},
};

/* Does the program have what the step speaks of? */
static bool is_there(const struct tour_step *step)
{
	bool absent = step->needs && *step->needs == '!';
	return !step->needs || (command_exact(sw_str_of(step->needs + absent)) != NULL) != absent;
}

/* Step n, from 1; NULL after the last. */
static const struct tour_step *tour_step(int n)
{
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (is_there(&steps[i]) && --n == 0)
			return &steps[i];
	return NULL;
}

int tour_length(void)
{
	int length = 0;
	while (tour_step(length + 1))
		length++;
	return length;
}

static void say(const struct invocation *run, int n, const struct tour_step *step)
{
	struct canvas *canvas = document_canvas(run->answer);
	canvas_reset(canvas, canvas->width < 80 ? canvas->width : 80);
	canvas_putf(canvas, 0, 1, ROLE_TITLE, "%d/%d  %s", n, tour_length(), step->title);
	canvas_put_wrapped(canvas, 0, 2, canvas->width, 0, ROLE_TEXT, step->words);
}

static bool defines(sw_str line)
{
	const struct command *command = command_exact(line_first(line));
	return command && command->statement;
}

/* The lines run as those of a script, each shown before its answer; or only what they define, in silence. */
static bool run_lines(const struct invocation *run, const char *lines, bool shown, sw_diag *diag)
{
	struct session *session = run->session;
	bool was = session->interactive, ok = true;
	struct position position = {.file = "tour"};
	session->interactive = false;
	for (; *lines && ok && !session->leaving; lines += position.text.length + (lines[position.text.length] == '\n')) {
		position.line++;
		position.text = (sw_str){lines, strcspn(lines, "\n")};
		if (shown)
			document_line(run->answer, "> %.*s", (int)position.text.length, lines);
		ok = answer_flush(session, diag);
		if (ok && (shown || defines(position.text)))
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
		ok = run_lines(run, tour_step(i)->lines, false, diag);
	return ok;
}

static bool tour_show(const struct invocation *run, int n, sw_diag *diag)
{
	const struct tour_step *step = tour_step(n);
	say(run, n, step);
	return run_lines(run, step->lines, true, diag);
}

static bool tour_leave(const struct invocation *run)
{
	run->session->tour = 0;
	document_line(run->answer,
		"\nThe tour ends here. `help` lists the commands, `help COMMAND` tells "
		"more; go on with what is defined now.");
	return true;
}

/* One step, where a person goes on. */
static bool tour_go(const struct invocation *run, int n, sw_diag *diag)
{
	struct session *session = run->session;
	if (!tour_show(run, n, diag))
		return false;
	session->tour = n;
	if (n == tour_length())
		return tour_leave(run);
	answer_remark(session, "(Enter goes on, q leaves; any command works in between)");
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

bool command_tour(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	int64_t n = session->tour + 1;
	const struct word *word = argument(run, 0);
	if (word && !read_count(run, word, 0, tour_length(), &n, diag))
		return false;
	if (n == 0)
		return tour_leave(run);
	if (word && !catch_up(run, (int)n, diag))
		return false;
	if (!session->interactive || !session->console->in_terminal)
		return tour_all(run, (int)n, diag);
	if (!session->tour && !word && session->state.has[DEFINED_MESH])
		answer_remark(session,
			"the tour defines a mesh of its own: `save FILE` keeps what is defined "
			"now");
	return tour_go(run, (int)n, diag);
}
