/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers that are lists.
 */
#include "screen/listed.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "command/command.h"
#include "screen/panes.h"
#include "session/subject.h"
#include "views/compared.h"

/* ---- lists ---- */

/* A list is known by its command and by a column that it has. */
static const struct list {
	enum listed listed;
	int view;
	const char *commands[3];
	const char *head;
	const char *again;                 /* lists it again, whatever is present; NULL: what was typed does */
	session_subject_function *subject; /* what it is about; NULL: it says so itself */
} lists[] = {
	{LISTED_WAYS, PANE_WAYS, {"einsum", "ways"}, "A multiplied as", "ways", NULL},
	{LISTED_PLACEMENTS, PANE_PLACEMENTS, {"placements"}, "matrix", NULL, session_axes_subject},
	{LISTED_COMPARED, PANE_COMPARE, {"compare"}, "schedule", NULL, NULL},
	{LISTED_COMPARED, PANE_COMPARE, {"compare"}, "algorithm", NULL, session_subject},
	{LISTED_COMPARED, PANE_COMPARE, {"compare"}, "A multiplied as", NULL, NULL},
	{LISTED_TRADES, PANE_PARETO, {"pareto"}, "grid", NULL, NULL},
};
static const struct list strategies = {LISTED_STRATEGIES, PANE_COMPARE, {"compare"}, NULL, NULL, NULL};
#define LISTS (sizeof lists / sizeof *lists)

static struct table *table_with(const struct document *document, const char *head)
{
	for (struct piece *piece = document->first; piece != NULL; piece = piece->next)
		if (piece->kind == PIECE_TABLE && table_rows(&piece->table) > 0 && table_headed(&piece->table, head) >= 0)
			return &piece->table;
	return NULL;
}

static bool is_of(const char *const commands[3], const char *name)
{
	for (int k = 0; k < 3 && commands[k] != NULL; k++)
		if (strcmp(commands[k], name) == 0)
			return true;
	return false;
}

/* The command, and its options, which are at its end: they say in which order rows are. */
static void keep_statement(const struct list *list, struct listing *listing, const char *statement)
{
	const char *options = strstr(statement, " --"), *behind = options != NULL ? options : "";
	size_t before = options != NULL ? (size_t)(options - statement) : strlen(statement);
	size_t length = strcspn(behind, ";|>\n");
	const char *again = list->again != NULL ? list->again : list->commands[0];

	if (list->again == NULL && before < sizeof listing->asked)
		snprintf(listing->asked, sizeof listing->asked, "%.*s", (int)before, statement);
	else
		snprintf(listing->asked, sizeof listing->asked, "%s", again);
	length = length < sizeof listing->options ? length : 0;
	snprintf(listing->options, sizeof listing->options, "%.*s", (int)length, behind);
}

void listing_options(const struct listing *listing, sw_text *text)
{
	static const char option[] = " --by ";
	const char *options = listing->options, *by = strstr(options, option);

	sw_text_addf(text, "%.*s", (int)(by != NULL ? (size_t)(by - options) : strlen(options)), options);
	if (by != NULL)
		sw_text_add(text, by + strlen(option) + strcspn(by + strlen(option), " "));
}

static bool own_tables(const struct document *document)
{
	for (struct piece *piece = document->first; piece != NULL; piece = piece->next)
		if (piece->kind == PIECE_TABLE && !table_own(&piece->table))
			return false;
	return true;
}

void listing_free(struct listing *listing)
{
	if (listing->there)
		document_clear(&listing->answer);
	sw_text_free(&listing->about);
	*listing = (struct listing){.there = false};
}

static void take(struct screen *screen, const struct list *list, struct document *answer)
{
	struct listing *listing = &screen->listings[list->listed];

	listing_free(listing);
	if (!own_tables(answer))
		return;
	document_start(&listing->answer, answer->width);
	document_join(&listing->answer, answer);
	listing->there = true;
	if (list->subject != NULL)
		list->subject(screen->session, &listing->about);
	keep_statement(list, listing, screen->session->running);
}

void listed_take(struct screen *screen, struct document *answer)
{
	const struct command *command = command_named(line_first(sw_str_of(screen->session->running)), NULL);

	if (command == NULL)
		return;
	for (size_t k = 0; k < LISTS; k++) {
		if (!is_of(lists[k].commands, command->name) || table_with(answer, lists[k].head) == NULL)
			continue;
		take(screen, &lists[k], answer);
		if (lists[k].listed == LISTED_WAYS)
			screen->listings[LISTED_WAYS].of = screen->session->state.product;
		if (lists[k].listed == LISTED_TRADES)
			screen->listings[LISTED_TRADES].of = screen->session->state.formula;
		return;
	}
	if (strcmp(command->name, "compare") == 0 && answer->first != NULL)
		listing_free(&screen->listings[LISTED_COMPARED]);
}

/* Those that the session compared last, where they are of its problem. */
static struct listing *strategies_of(struct screen *screen)
{
	struct listing *listing = &screen->listings[LISTED_STRATEGIES];
	const struct kept_compared *kept = session_compared(screen->session);

	if (kept != NULL && listing->number != kept->number) {
		listing_free(listing);
		document_start(&listing->answer, screen->width);
		listing->there = true;
		listing->number = kept->number;
		listing->compared = kept->shown;
		keep_statement(&strategies, listing, kept->statement);
	}
	return kept != NULL ? listing : NULL;
}

struct listing *listed_of(struct screen *screen, int view)
{
	for (size_t k = 0; k < LISTS; k++) {
		struct listing *listing = &screen->listings[lists[k].listed];
		if (lists[k].view != view || !listing->there || table_with(&listing->answer, lists[k].head) == NULL)
			continue;
		if (lists[k].subject == NULL ||
			session_is_about(screen->session, lists[k].subject, sw_text_get(&listing->about)))
			return listing;
	}
	return view == PANE_COMPARE ? strategies_of(screen) : NULL;
}

struct table *listing_table(const struct listing *listing)
{
	struct table *table = NULL;

	for (size_t k = 0; k < LISTS && table == NULL; k++)
		table = table_with(&listing->answer, lists[k].head);
	return table;
}

int listing_number(const struct listing *listing)
{
	const struct table *table = listing_table(listing);
	int column = table != NULL ? table_headed(table, "#") : -1;
	int64_t number = 0;

	if (column < 0 || listing->chosen < 1 || listing->chosen > table_rows(table) ||
		!sw_read_int(sw_str_of(table_text(table, listing->chosen - 1, column)), &number, NULL))
		return 0;
	return (int)number;
}

int listing_count(const struct listing *listing)
{
	const struct table *table = listing_table(listing);

	return listing->compared != NULL ? compared_count(listing->compared) : table != NULL ? table_rows(table) : 0;
}

static bool draw_answer(struct listing *listing, int width, struct canvas *out, sw_diag *diag)
{
	struct table *table = listing_table(listing);

	assert(listing->there && table != NULL);
	table_choose(table, listing->chosen - 1);
	table->column[0].gives = INT_MAX; /* so the table fits a narrow pane, with fewer columns */
	listing->answer.width = width;
	return document_draw(&listing->answer, out, diag);
}

static bool draw_compared(const struct listing *listing, int width, struct canvas *out, sw_diag *diag)
{
	struct view_options options = view_options_default(width);

	options.step = listing->chosen > 0 ? compared_at(listing->compared, listing->chosen - 1) : VIEW_ALL;
	return view_compare(listing->compared, &options, out, diag);
}

bool listing_draw(struct listing *listing, int width, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	int count = listing_count(listing);

	listing->chosen = listing->chosen > count ? count : listing->chosen;
	bool drawn = listing->compared != NULL ? draw_compared(listing, width, out, diag) :
											 draw_answer(listing, width, out, diag);
	frame->row = drawn && listing->chosen > 0 ? row_chosen(out) : -1;
	frame->at = listing->chosen;
	frame->of = listing->chosen > 0 ? count : 0;
	return drawn;
}

bool row_move(int *chosen, int by, int count)
{
	int to = *chosen + by;

	if (count == 0)
		return false;
	*chosen = to < 0 ? 0 : to > count ? count : to;
	return true;
}

bool listing_move(struct listing *listing, int by)
{
	return row_move(&listing->chosen, by, listing_count(listing));
}
