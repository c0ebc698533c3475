/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formats of pictures: what they ask of the words after the file.
 */
#include "command/export/formats.h"

#include "export/dot.h"
#include "command/export/picture.h"
#include "command/export/report.h"
#include "answer/svg.h"
#include "language/names.h"
#include "session/walks.h"

/* ---- svg ---- */

bool export_svg(const struct invocation *run, const struct export_format *format, const sw_plan *plan, sw_text *text,
	sw_diag *diag)
{
	struct picture picture = {0};
	sw_text about = {0};
	(void)format;
	(void)plan;
	bool ok = picture_asked(run, &picture, diag);
	if (ok) {
		picture_about(run->session, &about);
		const struct svg_options options = {.name = sw_text_get(&picture.statement), .about = sw_text_get(&about)};
		svg_add(&picture.canvas, &options, text);
	}
	picture_free(&picture);
	sw_text_free(&about);
	return ok;
}

/* ---- dot ---- */

static const char *const graphs[] = {"plan", "graph"};

static const char *graph_at(const void *context, int n)
{
	(void)context;
	return n < 2 ? graphs[n] : NULL;
}

static bool dot_of_walk(const struct invocation *run, sw_text *text, sw_diag *diag)
{
	sw_walk *walk;
	return session_walk(run->session, &walk, diag) && dot_add_walk(walk, text, diag);
}

static bool dot_of_plan(const struct invocation *run, const struct word *which, sw_text *text, sw_diag *diag)
{
	const sw_plan *plan;
	if (!read_plan(run, which, &plan, diag) || !plan_on_tiles(plan, diag))
		return false;
	dot_add_plan(plan, text);
	return true;
}

static bool refuse_further(const struct invocation *run, const struct word *word, sw_diag *diag)
{
	sw_diag_set(diag, SW_L04, line_span(run->position->text, word->raw), "'export dot' takes nothing further");
	sw_diag_expected(diag, "graph, or plan and which: $1, or a strategy");
	return false;
}

bool export_dot(const struct invocation *run, const struct export_format *format, const sw_plan *plan, sw_text *text,
	sw_diag *diag)
{
	const struct names names = {graph_at, NULL, "graph", "`graph` is that of the search, `plan` that of the steps"};
	const struct word *what = argument(run, 2);
	struct word *words = NULL;
	int count = what ? line_words(what->raw, run->arena, &words) : 0, found = 0;
	(void)format;
	(void)plan;
	if (count < 0)
		return sw_diag_memory(diag);
	if (count && *words[0].raw.at == '$')
		return count > 1 ? refuse_further(run, &words[1], diag) : dot_of_plan(run, &words[0], text, diag);
	if (count)
		found = name_find(&names, words[0].text, SW_L08, diag);
	if (found < 0)
		return refuse_at(run, words[0].raw, diag);
	int most = found ? 1 : 2;
	if (count > most)
		return refuse_further(run, &words[most], diag);
	return found ? dot_of_walk(run, text, diag) : dot_of_plan(run, count > 1 ? &words[1] : NULL, text, diag);
}

/* ---- reports, and answers as pages ---- */

/* Without a view there is nothing that its options could be about. */
static bool refuse_options(const struct invocation *run, sw_diag *diag)
{
	for (int i = 0; i < run->given_count; i++) {
		if (run->given[i].option == OPTION_WIDTH)
			continue;
		sw_diag_set(diag, SW_L05, line_span(run->position->text, run->given[i].name.raw),
			"a report has no option '--%s'", option_rows[run->given[i].option].name);
		sw_diag_hint(diag,
			"a report is about the session as it is; `export html FILE VIEW` takes the options "
			"of the view");
		return false;
	}
	return true;
}

/* The answer of a command under a title of its own. */
static bool make_answer(const struct invocation *run, struct document *document, sw_diag *diag)
{
	struct document answer;
	sw_text statement = {0}, title = {0}, about = {0};
	bool ok = picture_answer(run, &answer, &statement, diag);
	document_start(document, answer.width);
	sw_text_addf(&title, "`%s`", sw_text_get(&statement));
	picture_about(run->session, &about);
	document_title(document, &title, &about);
	document_join(document, &answer);
	sw_text_free(&statement);
	return ok;
}

/* The answer of a command, or the report of the session; the writer of a format follows. */
static bool make_page(const struct invocation *run, struct document *document, sw_diag *diag)
{
	if (argument(run, 2))
		return make_answer(run, document, diag);
	document_start(document, 0);
	if (!refuse_options(run, diag))
		return false;
	document_start(document, picture_width(run));
	report_fill(run, document);
	return true;
}

bool export_markdown(const struct invocation *run, const struct export_format *format, const sw_plan *plan,
	sw_text *text, sw_diag *diag)
{
	const struct canvas_style style = {.ascii = run->session->console->style.ascii};
	struct document page;
	(void)format;
	(void)plan;
	bool ok = make_page(run, &page, diag) && document_write_markdown(&page, &style, text, diag);
	document_clear(&page);
	return ok;
}

bool export_html(const struct invocation *run, const struct export_format *format, const sw_plan *plan, sw_text *text,
	sw_diag *diag)
{
	struct document page;
	(void)format;
	(void)plan;
	bool ok = make_page(run, &page, diag) && document_write_html(&page, text, diag);
	document_clear(&page);
	return ok;
}
