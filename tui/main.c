/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shardwalk: the map of the program.
 *
 * The path of one command, and the files in that order:
 *
 *     called
 *         main.c                 this file: what was asked for, in what order, with which status it ends
 *         table.c                one row a command: arguments, options, help, example, function
 *         shell/options.c        words of the command line become a line of the language; command/program.c: its options
 *         host/interrupt.c       signals
 *         host/background.c      is the terminal light?
 *         host/safe.c            the read-only mode
 *     a line is read
 *         command/script.c       files, standard input and -c, line by line
 *         shell/prompt.c         lines from a person: what becomes of them
 *         shell/edit.c           readline, key by key
 *         shell/complete.c       where the cursor is in the grammar
 *         shell/candidates.c     what may stand there; offered.c: how that is shown, completion.c: for bash and zsh
 *         shell/history.c        lines of earlier sessions
 *     the line is cut
 *         language/line.c        statements, words, quotes, brackets, arrows: slices of the line
 *         language/names.c       a name in full, by its beginning, or the nearest one
 *     the statement is understood
 *         command/read.c         which command, with which arguments and options; values.c: what they say, by their kinds,
 *                                choices.c: rows of tables as words that may stand there
 *         command/statement.c    remember the state, call the function, show its document, report
 *         command/redirect.c     answers that go to a file or a program
 *     the engine is asked (include/shardwalk/)
 *         command/problem.c      mesh, types, ends, settings; hardware.c: the table of hardware
 *         command/ends.c         FROM ~> TO, cut once, and how each end is written; foreign.c: meshes and shardings of other
 *                                systems, as ends of the problem
 *         command/plan.c         plan, verify; beside.c: a plan beside another one in its film; chain.c: A ~> B ~> C, repeat.c: plans that are executed many times,
 *                                pareto.c: memory against cost, replace.c: one step by another
 *         command/apply.c        operations by hand, undo, normal forms; rewriting.c: the films of these, rounds.c: of a step
 *         command/theory.c       verify lemma 4.6: statements tried on drawn cases
 *         command/walk/walk.c    the search, or the contexts of a sum, step by step; walk_look.c: looking around in them,
 *                                walk_finish.c: what is known at the goal
 *         command/compare/compare.c
 *                                compare; compare_facts.c: what is known beside a plan, compare_why.c: why one wins, compare_kept.c: what stays,
 *                                compare_merged.c: what merging makes, compare_targets.c: for another target;
 *                                evaluate.c: many problems by several strategies, evaluate_journal.c: what was found, line by
 *                                line, evaluate_answer.c: what it says; tally.c: ratios of costs, which both tell;
 *                                compare_schedules.c: ways to compute a formula, contender.c: as rows, contest_best.c: the best, contest_lowered.c: on levels,
 *                                contest_measured.c: as it ran,
 *                                compare_schedules_answer.c: why one wins, pareto_schedules.c: what memory buys, taken.c: one of them, best.c: the best,
 *                                growth.c: on more and more processors, grow.c: as rows
 *         command/programs/spmd.c
 *                                program, enter, leave: programs over sharded arrays; planned.c: with all their plans,
 *                                simulate.c: in process, assign.c: types for what they leave open; einsum.c: einsum and ways,
 *                                product.c: products as a user writes them, vary.c: over the size of a letter,
 *                                product_ways.c: their ways as programs, predicted and measured; compute.c: compute,
 *                                tasks.c: tasks, schedule.c: schedule, param,
 *                                moments.c: what devices have of its arrays at every moment, algorithm.c: published ones by name, within.c: statements that a command makes
 *         command/placement/placement.c
 *                                system, axes, place; placements.c: placements, ranking.c: in order, reduction.c: reduce, reductions.c: reductions;
 *                                algorithms.c: compare of sums over a placement, measured.c: and of seconds that were
 *                                measured, measured_lines.c: read, published.c: installed;
 *                                grouped.c: steps in groups, on chunks, by hand, sum_look.c: what is seen of them
 *         command/show.c         pictures, and explain of codes and operations
 *         command/explain/explain.c
 *                                explain of shardings; topics.c: of words, uneven.c: of sizes that do not divide, type_rules.c:
 *                                of types by figures 6 and 7, paper.c: of what papers have, rows_redistribution.c,
 *                                rows_placements.c, rows_book.c, rows_distributions.c: the rows, paper_lines.c: statements that
 *                                explain them, and numbers beside printed ones, paper_low.c: low-level steps,
 *                                placed.c: tensor distribution notation, schedule_step.c: schedules, elsewhere.c: words of others
 *         command/import/import.c
 *                                what is imported; import_rows.c: rows of it, import_answer.c: what is answered,
 *                                import_sums.c: all-reduces on axes that are placed, import_left_out.c: constraints on
 *                                the way, import_traffic.c: bytes of all collectives, import_beside.c: a module and
 *                                warnings in one text, import_program.c: programs,
 *                                import_distal.c: programs with schedules,
 *                                import_placed.c: placements of matrices by other libraries,
 *                                import_meshes.c: errors of different devices, device_put,
 *                                import_failed.c: errors of operations without a sharding,
 *                                import_follow.c: a log that a build still writes, warned.c: warnings about a group of devices
 *         command/advise/advise.c
 *                                what to write in a program; advise_code.c: that it is an offer,
 *                                advise_group.c: for a group of devices, advise_meshes.c: between
 *                                two meshes, advise_program.c: around products, advise_schedules.c: adapt the code, or move the data
 *                                advise_back.c: what that does to a gradient, advise_sure.c: how sure it is,
 *                                advise_group.c: for a group of devices, advise_program.c: around
 *                                products, advise_schedules.c: adapt the code, or move the data
 *         command/files.c        open, save, source
 *         command/export/export.c
 *                                one row a format; formats.c, picture.c: what a format asks for, film.c: the
 *                                film, report.c: a report
 *         command/batch/batch.c  many problems, one a line, and which line asks for what; problem_json.c: as JSON,
 *                                problem_keys.c: its keys, one_step.c: what one collective takes, sharding_line.c: what one
 *                                text means, product_line.c, formula_line.c, program_line.c, placement_line.c, placed_line.c,
 *                                schedule_line.c, schedules_line.c: lines about products, formulas, programs, placements and schedules, sets_line.c: about what devices hold; asked.c: what those of placements ask,
 *                                asked_placements.c, asked_programs.c,
 *                                asked_seconds.c: answers
 *         command/help.c         help, quit; info.c: info, manual.c: the tables as parts of the manual pages
 *         command/film.c         scripts with a pace
 *         command/tour.c         the tour's steps, and the tour at the prompt
 *     ranks are started (and meet this program in plan files and records only)
 *         launch/run.c           run_program.c: the program, run_ways.c: the product, run_sums.c: a list of sums; which plans,
 *                                on how many ranks, what is told of it; run_schedules.c: schedules in turns, run_grown.c: on more and more ranks
 *         launch/evaluate.c      evaluate, and its runs
 *         launch/calibrate.c     what this machine can do
 *         launch/kernels.c       how fast ranks compute
 *         launch/job.c           plans in files, launches, records: what both share
 *         launch/smaller.c       problems for fewer devices, or of other sizes; rounding.c: what the order of adding changes
 *         launch/launch.c        one launch, followed to its end; stream.c: its lines
 *         launch/unreachable.c   hosts that the launcher does not reach
 *         launch/child.c         the keeper, which leaves no rank behind
 *         host/processes.c       processes, as /proc shows them
 *         launch/leftovers.c     shared memory that killed ranks left
 *         launch/folder.c        the files of a run
 *         launch/fault.c         from symptoms to causes
 *         host/programs.c        mpiexec and shardwalk-exec, and other MPIs; limits.c: files that may be open
 *     the answer is kept
 *         session/session.c      the state, snapshots for undo, numbered results; pareto_set.c: the plans of `pareto`
 *         session/subject.c      what an answer is of; the strategies that `compare` drew
 *         session/present.c      the present program, plans of its redistributions, the one that is entered
 *         session/walks.c        the walks of a session; sums.c: the sum that one of them is of
 *         session/schedules.c    the schedule of a session; moved.c: what moves in a step of it, as a problem
 *         session/settings.c     one row a setting
 *         session/records.c      results of runs: read, merged; live.c: of one that goes on; sample.c: numbers, their means and ranks
 *         session/machine.c      hardware by its name; calibration.c: rates of this machine, in a file
 *     the answer is a document: for people its pieces, for programs its fields; whoever fills it asks for neither
 *         answer/rows.c          things of one kind, structs and their columns: a table, and a list of objects; columns.c: what
 *                                a column says of a row, order.c: rows in another order, and folded
 *         answer/document.c      pieces: lines, tables, pictures, remarks, and those of reports
 *         answer/fields.c        fields, and their way out as JSON; words.c: numbers as people read them
 *         answer/write.c         as text, as one picture; write_markdown.c, write_html.c
 *         answer/svg.c           a picture as SVG; color.c: its colours, xml.c: its words
 *         answer/show.c          from the document of a command to the console
 *         answer/record.c        what the terminal showed, as an asciicast
 *         answer/console.c       standard output and error, colours, alphabet, progress
 *         answer/report.c        diagnostics: the user's line with the columns marked
 *         answer/wrap.c          messages that are broken at blanks
 *         answer/watch.c         how far long work is
 *         answer/pager.c         answers that are longer than the screen; host/piped.c: programs that read what we write
 *         views/draw.c           what pictures share; words.c: steps in words, plan.c, compare.c, pareto.c: plans as tables
 *         views/type.c           rulers; mesh.c, devices.c, tiles.c, holding.c: who holds what; scale.c: to scale, owners.c:
 *                                by first owners, slots.c: device by device; together.c: who works together;
 *                                sharding.c: what a text says; general.c, general_grid.c: types of any kind, element by element;
 *                                beside.c: two pictures in one
 *         views/heights.c        memory step by step; film.c: a plan as a row of pictures, film_time.c: its axis of time,
 *                                film_way.c, followed.c: what is followed; film_program.c: a program, program_time.c: its time, time_axis.c: the axis of both,
 *                                strip.c: one array of them; rounds.c: a step hop by hop,
 *                                ring.c: on its ring, hops.c: in signs; sequence.c, rewriting.c: normal forms
 *         views/walk_words.c     costs, nodes and edges of walks
 *         views/graph.c          the search as an answer; search_graph.c: drawn, search_lanes.c: in lanes,
 *                                graph_signs.c: what its signs are
 *         views/sets.c           what devices hold, relation.c: who needs what of whom
 *         views/terms.c          blocks of products as terms, indices.c: who multiplies which, products.c: which there are
 *         views/placed.c         systems and placements; tower.c: systems as trees; summed.c: groups, states and hierarchies,
 *                                sum_bars.c: programs
 *         views/computed.c       formulas: what devices hold, need and make, and their tasks; needs.c: what they lack,
 *                                need_sets.c: as bars and grids;
 *                                tasks.c: their tasks in layers
 *         views/loops.c          the loops of a schedule; holds.c: what processors hold, held_words.c: in short words,
 *                                execution.c: processors against time, schedule_needs.c: what they need, schedule_tiles.c: who has
 *                                which, scheduled.c: words and fields
 *         views/traffic.c        who sends how much; traffic_view.c: as a picture; times.c: what a run measured, sweep.c: predicted
 *         views/program.c        a program: values, types, what moves; derivation.c: the rule of each
 *         views/imports.c        what was imported; collectives.c: what is no redistribution, advice.c, group.c, histogram.c, evaluation.c, uneven.c
 *         canvas/canvas.c        grids of cells, printed as text; style.c, glyphs.c: colours and characters, table.c: tables, chart.c: charts
 *         canvas/graph_layout.c  any graph of levels, placed: graph_tree.c as a tree, graph_rows.c in rows
 *         canvas/graph_draw.c    and drawn; graph_route.c: edges that find a way; lanes.c: rows with lanes
 *         export/dot_plan.c      graphs for Graphviz; dot_walk.c
 *         host/file.c            files that are whole or not there, unpack.c: or packed; tail.c: files that grow
 *
 *     the screens (screen/)
 *         model.c                what a picture is made of: where one looks, what was answered
 *         visit.c                from view to view; enter.c: what was typed, or a key stands for, is run
 *         screen/loop.c          keys, signals and pace; dispatch.c: from a key to what it does
 *         actions.c              one row an action, one row a key: dispatcher, bottom bar, help and `bind` read them
 *         menu.c                 the menu of views
 *         keys.c                 names of keys
 *         draw_sums.c            systems, placements and sums over them
 *         draw_sets.c            types of any kind, formulas and tasks
 *         draw_schedule.c        schedules
 *         panes.c                one row a view; draw_rewriting.c, draw_rounds.c, draw_graph.c, draw_edges.c, draw_plan.c,
 *                                draw_film.c, second.c: the plan below it, pin.c: what is pinned in it, opens.c: a new plan opens it,
 *                                draw_program.c,
 *                                help.c draw them
 *         layout.c               one row a layout
 *         compose.c              all of it as one canvas
 *         search.c               searching and filtering
 *         output.c               what commands answer while a picture is there
 *         line.c                 readline under the picture
 *         terminal.c             ncurses; crash.c gives the terminal back whatever happens
 *         graph.c                names of the search graph, kept up to date
 *         wall.c                 the budget as a slider, and the trades of memory against cost
 *         imports.c              what was imported, as a list; heads.c: clicks on heads of columns, which order rows
 *         waiting.c              lines that are typed while a command works
 *         listed.c               answers that are lists, kept whole; draw_ways.c: of ways and placements; draw_compare.c: what was compared
 *         runs.c                 runs that keys begin, widen and leave
 *         start.c                the tour and problems, where nothing is defined
 *         played.c               scripts that are played: the view of each statement
 *         player.c               the tour: where it stands, what it says; drive.c: its keys are pressed
 *         commands.c             tui, layout, focus, bind
 *
 * Beside the path: host/paths.c (where the program's own files are), version.c.
 *
 * A folder includes itself and those before it in this order, which tests/layers.sh checks: host, canvas, language,
 * session, answer, views, export, command, launch, shell, screen, and what stands in tui itself.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/command.h"
#include "answer/report.h"
#include "screen/screen.h"
#include "host/interrupt.h"
#include "shell/options.h"
#include "host/paths.h"
#include "host/safe.h"
#include "shell/prompt.h"
#include "command/script.h"
#include "host/version.h"

#define CONFIGURATION_MOST (1 << 20) /* bytes */

enum status { STATUS_DONE = 0, STATUS_NO = 1, STATUS_USAGE = 2, STATUS_ENVIRONMENT = 3, STATUS_SIGNAL = 128 };

/* Files that are opened later must not take the place of a closed standard stream. */
static void reserve_standard_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static int status_of_code(sw_code code)
{
	return sw_code_is_lack(code) ? STATUS_ENVIRONMENT : STATUS_NO;
}

static int print_and_end(struct session *session, void (*print)(sw_text *text))
{
	sw_text text = {0};
	sw_diag diag;
	print(&text);
	bool ok = console_write(session->console, &text, &diag) && console_flush(session->console, &diag);
	sw_text_free(&text);
	if (!ok)
		command_report(session, NULL, &diag, false);
	return ok ? STATUS_DONE : status_of_code(diag.code);
}

/* ---- what was asked for ---- */

static void set_option(struct session *session, enum setting setting, const char *value)
{
	setting_read(setting, sw_str_of(value), &session->state.settings.value[setting], NULL);
	if (setting == SETTING_SAFE)
		safe_begin();
}

static void follow_options(struct session *session, const struct request *request)
{
	if (request->has[PROGRAM_SAFE])
		set_option(session, SETTING_SAFE, "on");
	session->bail = request->has[PROGRAM_BAIL];
	session->echo = request->has[PROGRAM_ECHO];
	session->json = request->has[PROGRAM_JSON];
	session->console->quiet = request->has[PROGRAM_QUIET];
	if (request->color)
		set_option(session, SETTING_COLOR, request->color);
	if (request->has[PROGRAM_ASCII])
		set_option(session, SETTING_ASCII, "always");
	answer_dress(session);
}

/* Why a file that is there cannot be a configuration; NULL: it may be one. */
static const char *configuration_fault(const char *name, const struct stat *info)
{
	if (!S_ISREG(info->st_mode))
		return "it is not a file";
	if (info->st_size > CONFIGURATION_MOST)
		return "it is larger than 1 MiB";
	return access(name, R_OK) == 0 ? NULL : strerror(errno);
}

/* Whatever is wrong with it costs a message, not the session. */
static void run_configuration(struct session *session)
{
	sw_text path = {0};
	sw_diag diag;
	struct stat info;
	path_config(&path);
	const char *name = sw_text_get(&path);
	if (*name && stat(name, &info) == 0) {
		const char *fault = configuration_fault(name, &info);
		if (fault)
			console_remark(session->console, "warning: the configuration %s was not read: %s", name, fault);
		else if (!script_run_file(session, name, &diag))
			command_report(session, NULL, &diag, false);
		session->failures = 0;
	}
	sw_text_free(&path);
}

static void run_inputs(struct session *session, const struct request *request)
{
	sw_diag diag;
	for (int i = 0; i < request->input_count && !session->leaving; i++) {
		const struct input *input = &request->inputs[i];
		if (input->kind == ERRAND_TEXT)
			script_run_text(session, "-c", input->words);
		else if (!script_run_file(session, input->words, &diag))
			command_report(session, NULL, &diag, session->json);
	}
}

/* ---- one command ---- */

/* Is a line with an open or wrong bracket refused before it runs? */
static bool is_whole(const struct position *position, sw_diag *diag)
{
	sw_str rest = position->text, statement;
	return line_is_text(position->text, diag) &&
		line_next(position->text, &rest, command_is_raw, &statement, diag) < LINE_OPEN;
}

static bool run_words(struct session *session, const char *words)
{
	sw_diag diag = {.code = SW_OK};
	struct position position = {.line = 1, .text = sw_str_of(words)};
	if (is_whole(&position, &diag))
		return statement_run(session, &position, sw_str_trim(position.text));
	command_report(session, &position, &diag, session->json);
	return false;
}

static bool asks_json(const char *line)
{
	const char *at = strstr(line, "--json");
	return at && (at[6] == '\0' || at[6] == ' ');
}

/* Would the command list once more what its last statement lists, a product?  *options gets what it adds. */
static bool lists_again(const struct request *request, const char *line, const char **options)
{
	const char *last = request->statement_count ? request->statements[request->statement_count - 1] : "";
	const struct command *row = command_exact(line_first(sw_str_of(last)));
	*options = line + strcspn(line, " ");
	*options += strspn(*options, " ");
	return row && row->parameter[0].kind == KIND_PRODUCT && row->rows[0] &&
		row->rows[0] == request->command->rows[0] && (!**options || **options == '-');
}

/* The list, as it is asked for. */
static void list_once(struct session *session, const char *statement, const char *options)
{
	sw_text text = {0};
	sw_text_addf(&text, "%s %s", statement, options);
	run_words(session, sw_text_get(&text));
	sw_text_free(&text);
}

static void run_command(struct session *session, const struct request *request)
{
	const char *line = sw_text_get(&request->line), *options;
	bool ok = true, once = lists_again(request, line, &options);
	session->json |= asks_json(line);
	for (int i = 0; i < request->statement_count - once && ok && !session->leaving; i++)
		ok = run_words(session, request->statements[i]);
	if (ok && !session->leaving && once)
		list_once(session, request->statements[request->statement_count - 1], options);
	else if (ok && !session->leaving)
		run_words(session, line);
	else
		session->last = sw_code_is_lack(session->last) ? session->last : SW_L14;
}

/* ---- the end ---- */

static bool is_usage(sw_code code)
{
	return (code >= SW_L01 && code <= SW_L05) || code == SW_L09;
}

static int status_of(const struct session *session, const struct request *request, bool interactive)
{
	if (interrupt_signal())
		return STATUS_SIGNAL + interrupt_signal();
	if (session->status >= 0)
		return session->status;
	if (interactive || !session->failures)
		return STATUS_DONE;
	if (request->command && is_usage(session->last))
		return STATUS_USAGE;
	return status_of_code(session->last);
}

/* The prompt opens it; where there is no terminal all else goes on. */
static void ask_picture(struct session *session, bool terminal)
{
	sw_diag diag;
	session->picture = terminal;
	if (!terminal && !screen_possible(session, &diag))
		command_report(session, NULL, &diag, session->json);
}

static int run_request(struct session *session, const struct request *request)
{
	bool scripts = request->input_count || request->command;
	bool terminal = session->console->in_terminal && session->console->out_terminal;
	bool interactive = request->has[PROGRAM_INTERACTIVE] || ((!scripts || request->has[PROGRAM_TUI]) && terminal);
	if (interactive && !request->has[PROGRAM_NO_INIT])
		run_configuration(session);
	run_inputs(session, request);
	if (request->command && !session->leaving)
		run_command(session, request);
	if (!scripts && !interactive) {
		const struct request standard_input = {.inputs = &(struct input){ERRAND_FILE, "-"}, .input_count = 1};
		run_inputs(session, &standard_input);
	}
	if (request->has[PROGRAM_TUI])
		ask_picture(session, interactive && terminal);
	bool prompts = interactive && !session->leaving;
	if (prompts)
		prompt_run(session, &screen_picture, !request->has[PROGRAM_NO_HISTORY] && !safe_is_on());
	return status_of(session, request, prompts);
}

static int refuse_usage(struct session *session, const struct request *request, const sw_text *shown,
	const sw_diag *diag)
{
	struct position position = {.line = 1, .text = {sw_text_get(shown), shown->length}};
	command_report(session, &position, diag, request->has[PROGRAM_JSON] || asks_json(sw_text_get(shown)));
	return STATUS_USAGE;
}

static int run_arguments(struct session *session, int count, char **arguments)
{
	struct request request;
	sw_text shown = {0};
	sw_diag diag = {.code = SW_OK};
	int status;
	if (!request_read(count, arguments, &request, &shown, &diag)) {
		status = refuse_usage(session, &request, &shown, &diag);
	} else {
		follow_options(session, &request);
		if (request.has[PROGRAM_VERSION])
			status = print_and_end(session, version_print);
		else if (request.has[PROGRAM_HELP])
			status = print_and_end(session, request_print_help);
		else
			status = run_request(session, &request);
	}
	request_free(&request);
	sw_text_free(&shown);
	return status;
}

int main(int count, char **arguments)
{
	struct session session;
	sw_diag diag;
	reserve_standard_streams();
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	interrupt_install();
	struct console console = console_of_process();
	if (!session_init(&session, &console)) {
		fputs("shardwalk: memory ran out\n", stderr);
		return STATUS_ENVIRONMENT;
	}
	int status = run_arguments(&session, count > 0 ? count - 1 : 0, arguments + 1);
	if (!console_flush(session.console, &diag)) {
		command_report(&session, NULL, &diag, false);
		status = status ? status : status_of_code(diag.code);
	}
	screen_free(&session);
	session_end(&session);
	return status;
}
