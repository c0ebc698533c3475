/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A command runs as usual; its document is drawn instead of shown.
 */
#include "command/export/picture.h"

#include <string.h>

#include "language/names.h"
#include "host/version.h"
#include "views/views.h"

void picture_free(struct picture *picture)
{
	canvas_free(&picture->canvas);
	sw_text_free(&picture->statement);
}

/* ---- the answer of a command ---- */

/* What the command remarks is said as its own would be. */
static void pass_remarks(struct session *session, const struct document *document)
{
	for (const struct piece *piece = document->first; piece; piece = piece->next)
		if (piece->kind == PIECE_REMARK)
			answer_remark(session, "%s", sw_text_get(&piece->text));
}

/* Starts the document, and runs the command into it. */
static bool run_into(struct invocation *inner, int columns, struct document *answer, sw_diag *diag)
{
	struct session *session = inner->session;
	struct document *before = session->answer;
	bool json = session->json;
	document_start(answer, columns);
	answer->whole = true;
	session->answer = inner->answer = answer;
	session->json = false;
	bool ok = invocation_run(inner, diag);
	session->json = json;
	session->answer = before;
	pass_remarks(session, answer);
	return ok;
}

static bool take_answer(struct invocation *inner, int columns, struct canvas *canvas, sw_diag *diag)
{
	struct document answer;
	bool ok = run_into(inner, columns, &answer, diag) && document_draw(&answer, canvas, diag);
	document_clear(&answer);
	return ok;
}

bool picture_take(struct session *session, const char *statement, int columns, struct picture *picture, sw_diag *diag)
{
	struct position position = {.text = sw_str_of(statement)};
	struct invocation inner = {.session = session,
		.position = &position,
		.statement = position.text,
		.arena = sw_arena_new()};
	*picture = (struct picture){0};
	sw_text_add(&picture->statement, statement);
	bool ok = inner.arena || sw_diag_memory(diag);
	ok = ok && invocation_read(&inner, diag) && take_answer(&inner, columns, &picture->canvas, diag);
	sw_arena_free(inner.arena);
	return ok;
}

/* ---- what was asked for ---- */

static const char *const pictures[] = {"compare", "evaluate", "pareto", "explain", "hardware", "frontier", "edges",
	"path", "import", "advise", "help", "info", "einsum", "ways", "simulate"};
enum { PICTURES = sizeof(pictures) / sizeof(*pictures) };

const char *picture_command(int n)
{
	for (int i = 0; i < PICTURES; i++)
		if (command_exact(sw_str_of(pictures[i])) && n-- == 0)
			return pictures[i];
	return NULL;
}

static bool is_picture_command(const char *name)
{
	for (int i = 0; i < PICTURES; i++)
		if (strcmp(name, pictures[i]) == 0)
			return true;
	return false;
}

/* A name that is a command's as well as a view's is the command's: it has more to show. */
static const char *name_at(const void *context, int n)
{
	(void)context;
	int commands = 0;
	while (picture_command(commands))
		commands++;
	if (n < commands)
		return picture_command(n);
	for (int i = 0, left = n - commands; i < view_count; i++)
		if (!is_picture_command(views[i].name) && left-- == 0)
			return views[i].name;
	return NULL;
}

/* The command that draws what the name says.  `show` takes the name as its first argument. */
static const struct command *drawing_command(const char *name)
{
	if (strcmp(name, "histogram") == 0)
		return command_exact(sw_str_of("compare"));
	return command_exact(sw_str_of(is_picture_command(name) ? name : "show"));
}

static bool is_same_word(const struct word *word, sw_str raw)
{
	return word && word->raw.at == raw.at;
}

/* Is it a word that only `export` itself understands: command, format, file, width? */
static bool is_own_word(const struct invocation *run, const struct word *words, int i)
{
	sw_str raw = words[i].raw;
	if (i == 0 || is_same_word(argument(run, 0), raw) || is_same_word(argument(run, 1), raw))
		return true;
	for (int g = 0; g < run->given_count; g++)
		if (run->given[g].option == OPTION_WIDTH &&
			(run->given[g].name.raw.at == raw.at || run->given[g].value.raw.at == raw.at))
			return true;
	return false;
}

static int other_words(const struct invocation *run, struct word **words, sw_diag *diag)
{
	int count = line_words(run->statement, run->arena, words), kept = 0;
	if (count < 0) {
		sw_diag_memory(diag);
		return -1;
	}
	for (int i = 0; i < count; i++)
		if (!is_own_word(run, *words, i))
			(*words)[kept++] = (*words)[i];
	return kept;
}

/* The first word that is no option names the picture; it moves to the front. */
static bool find_name(const struct invocation *run, struct word *words, int count, sw_diag *diag)
{
	const struct word *what = argument(run, 2);
	int at = 0;
	while (what && at < count && words[at].raw.at != what->raw.at)
		at++;
	if (what && at < count) {
		struct word word = words[at];
		memmove(words + 1, words, (size_t)at * sizeof(*words));
		words[0] = word;
		return true;
	}
	size_t end = (size_t)(run->statement.at + run->statement.length - run->position->text.at);
	sw_diag_set(diag, SW_L03, (sw_span){end, end}, "'export %.*s' needs a view", (int)argument(run, 0)->text.length,
		argument(run, 0)->text.at);
	sw_diag_expected(diag, "a view with the arguments of `show`, or a command that draws");
	sw_diag_found(diag, "the end of the statement");
	sw_diag_hint(diag, "for instance: export svg plan.svg plan");
	return false;
}

/* A raw command takes all that follows its name. */
static bool read_inner(const struct invocation *run, struct invocation *inner, const struct word *words, int count,
	sw_diag *diag)
{
	const char *end = run->statement.at + run->statement.length;
	bool shows = sw_str_is(sw_str_of(inner->command->name), "show");
	if (!inner->command->raw)
		return invocation_take(inner, words + !shows, count - !shows, diag);
	if (count > 1)
		inner->argument[inner->count++].raw = sw_str_trim((sw_str){words[1].raw.at, (size_t)(end - words[1].raw.at)});
	inner->argument[0].text = inner->argument[0].raw;
	return invocation_complete(inner, diag);
}

static void name_statement(const struct invocation *inner, const struct word *words, int count, sw_text *text)
{
	bool shows = sw_str_is(sw_str_of(inner->command->name), "show");
	sw_text_add(text, inner->command->name);
	for (int i = !shows; i < count; i++) {
		sw_text_add_char(text, ' ');
		sw_text_add_str(text, words[i].raw);
	}
}

int picture_width(const struct invocation *run)
{
	return (int)option_number(run, OPTION_WIDTH, run->answer->width);
}

/* The command that the words ask for, ready to run, with its statement. */
static bool read_asked(const struct invocation *run, struct invocation *inner, sw_text *statement, sw_diag *diag)
{
	const struct names names = {name_at, NULL, "view", "`help show` lists the views"};
	struct word *words;
	int count = other_words(run, &words, diag);
	if (count < 0 || !find_name(run, words, count, diag))
		return false;
	int found = name_find(&names, words[0].text, SW_L08, diag);
	if (found < 0)
		return refuse_at(run, words[0].raw, diag);
	*inner = (struct invocation){.session = run->session,
		.position = run->position,
		.statement = run->statement,
		.arena = run->arena,
		.elsewhere = run->elsewhere};
	inner->command = drawing_command(name_at(NULL, found));
	name_statement(inner, words, count, statement);
	return read_inner(run, inner, words, count, diag);
}

bool picture_asked(const struct invocation *run, struct picture *picture, sw_diag *diag)
{
	struct invocation inner;
	return read_asked(run, &inner, &picture->statement, diag) &&
		take_answer(&inner, picture_width(run), &picture->canvas, diag);
}

bool picture_answer(const struct invocation *run, struct document *answer, sw_text *statement, sw_diag *diag)
{
	struct invocation inner;
	document_start(answer, run->answer->width);
	return read_asked(run, &inner, statement, diag) && run_into(&inner, picture_width(run), answer, diag);
}

/* ---- what it is about ---- */

void picture_about(const struct session *session, sw_text *text)
{
	const struct state *state = &session->state;
	const struct {
		const char *head;
		const sw_type *type;
		bool has;
	} ends[] = {{", from ", &state->from, state->has[DEFINED_FROM]}, {", to ", &state->to, state->has[DEFINED_TO]}};
	if (state->has[DEFINED_MESH]) {
		sw_text_add(text, "mesh ");
		sw_mesh_print(&state->mesh, text);
	}
	for (int i = 0; i < 2 && state->has[DEFINED_MESH]; i++) {
		if (!ends[i].has)
			continue;
		sw_text_add(text, ends[i].head);
		sw_type_print(&state->mesh, ends[i].type, true, text);
	}
	sw_text_addf(text, "%sdrawn by shardwalk %s", text->length ? "; " : "", version_number());
}
