/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Artefacts of papers: looked up, told, drawn, and refused with the nearest names.
 */
#include "command/explain/paper.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <shardwalk/number.h>
#include <shardwalk/relation.h>
#include <shardwalk/sequence.h>

#include "command/command.h"
#include "command/explain/topics.h"
#include "views/sequence.h"
#include "views/views.h"

#define WIDTH_MOST 80

static const char *const kinds[] = {"listing", "figure", "table", "sequence", "example", "principle", "definition",
	"lemma", "corollary", "theorem", "case", "takeaway", "result", "pop quiz", "question", "section", "appendix"};
#define ARTEFACT_KINDS (int)(sizeof(kinds) / sizeof(*kinds))

static const struct artefact *const rows[SW_PAPER_COUNT] = {
	[SW_PAPER_REDISTRIBUTION] = redistribution_rows,
	[SW_PAPER_PLACEMENTS] = placements_rows,
	[SW_PAPER_BOOK] = book_rows,
	[SW_PAPER_DISTRIBUTIONS] = distributions_rows,
};

/* The row and the paper of a number among all. */
static const struct artefact *row_at(int n, sw_paper *paper)
{
	for (int p = 0; p < SW_PAPER_COUNT && n >= 0; p++)
		for (const struct artefact *row = rows[p]; row->name; row++)
			if (n-- == 0) {
				*paper = (sw_paper)p;
				return row;
			}
	return NULL;
}

const struct artefact *artefact_at(int n)
{
	sw_paper paper;
	return row_at(n, &paper);
}

sw_paper artefact_paper(int n)
{
	sw_paper paper = SW_PAPER_COUNT;
	row_at(n, &paper);
	return paper;
}

const char *artefact_name(const struct artefact *artefact)
{
	static char name[64];
	snprintf(name, sizeof(name), "%s%s%s", artefact->kind ? artefact->kind : "", artefact->kind ? " " : "",
		artefact->name);
	return name;
}

/* ---- looking up ---- */

/* Maps of devices and sequences by the names that they have in formulas. */
static void name_formula(char *name, bool in_parentheses, size_t room)
{
	char number[16], rest[48];
	size_t digits = strspn(name, "0123456789");
	bool alone = digits > 0 && digits < sizeof number && (name[digits] == '\0' || name[digits] == ' ');
	bool map = strncmp(name, "phi ", 4) == 0 && name[4] >= '1' && name[4] <= '3' &&
		(name[5] == '\0' || name[5] == ' ');
	snprintf(number, sizeof number, "%.*s", map ? 2 : (int)(alone ? digits : 0), map ? "10" : name);
	snprintf(rest, sizeof rest, "%s", map ? name + 5 : name + digits);
	if (map || (alone && in_parentheses))
		snprintf(name, room, "sequence %s%s", number, rest);
}

/* Lower case, one blank between words, no parentheses; a number in parentheses is that of a sequence. */
static void fold_name(sw_str text, char *out, size_t room)
{
	size_t length = 0;
	text = sw_str_trim(text);
	for (size_t i = 0; i < text.length && length + 1 < room; i++) {
		char c = text.at[i];
		bool blank = c == ' ' || c == '\t';
		if (c == '(' || c == ')')
			continue;
		if (blank && length && out[length - 1] == ' ')
			continue;
		out[length++] = blank ? ' ' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	out[length] = '\0';
	name_formula(out, text.length > 0 && *text.at == '(', room);
}

/* A number with a dot in it stands for itself whatever its kind: the first paper's. */
static bool is_dotted(const char *name)
{
	return strchr(name, '.') && strspn(name, "0123456789.") == strlen(name);
}

static bool is_called(const struct artefact *artefact, const char *name)
{
	return strcasecmp(artefact_name(artefact), name) == 0 || (is_dotted(name) && strcmp(artefact->name, name) == 0);
}

/* The kind that a text begins with, -1: none. */
static int kind_of(const char *name)
{
	for (int k = 0; k < ARTEFACT_KINDS; k++) {
		size_t length = strlen(kinds[k]);
		if (strncmp(name, kinds[k], length) == 0 && (name[length] == ' ' || name[length] == '\0'))
			return k;
	}
	return -1;
}

/* ---- drawing ---- */

static bool push_steps(sw_sequence *sequence, const char *steps, sw_diag *diag)
{
	const sw_mesh *mesh = sw_sequence_mesh(sequence);
	while (*steps) {
		size_t length = strcspn(steps, ";");
		sw_call call;
		sw_type after;
		const sw_type *before = sw_sequence_type(sequence, sw_sequence_count(sequence));
		if (!sw_call_read(mesh, before, NULL, sw_str_trim((sw_str){steps, length}), &call, &after, diag) ||
			!sw_sequence_push(sequence, &call, diag))
			return false;
		steps += length + (steps[length] == ';');
	}
	return true;
}

static bool normalize(sw_sequence *sequence, sw_diag *diag)
{
	sw_rewrite rewrite = {.lemma = SW_LEMMA_DROP};
	while (rewrite.lemma != SW_LEMMA_NONE)
		if (!sw_sequence_rewrite(sequence, false, &rewrite, diag))
			return false;
	return true;
}

static bool make_after(const struct artefact *artefact, const sw_sequence *before, sw_sequence **after, sw_diag *diag)
{
	bool rewrites = artefact->after && strcmp(artefact->after, "normalize") == 0;
	*after = NULL;
	if (!artefact->after)
		return true;
	*after = rewrites ? sw_sequence_copy(before) :
						sw_sequence_new(sw_sequence_mesh(before), sw_sequence_type(before, 0));
	if (!*after)
		return sw_diag_memory(diag);
	return rewrites ? normalize(*after, diag) : push_steps(*after, artefact->after, diag);
}

static int draw_sequence(const sw_sequence *sequence, const char *head, int64_t most, struct canvas *canvas, int y)
{
	sw_measure measure = sw_sequence_measure(sequence);
	sw_text text = {0};
	sequence_measure_text(&measure, &text);
	canvas_putf(canvas, 0, y, ROLE_LABEL, "%s: %s", head, sw_text_get(&text));
	sw_text_free(&text);
	return sequence_draw(sequence, 0, 0, most, canvas, y + 1);
}

static bool draw_both(const struct artefact *artefact, sw_sequence *before, struct canvas *canvas, sw_diag *diag)
{
	sw_sequence *after;
	bool ok = push_steps(before, artefact->steps, diag) && make_after(artefact, before, &after, diag);
	if (!ok)
		return false;
	int64_t most = sequence_height(before), other = after ? sequence_height(after) : 0;
	most = most > other ? most : other;
	int y = draw_sequence(before, after ? "before" : "steps", most, canvas, 0);
	if (after)
		draw_sequence(after, "after", most, canvas, y + 1);
	sw_sequence_free(after);
	return true;
}

static bool draw_steps(const struct artefact *artefact, const sw_mesh *mesh, struct canvas *canvas, sw_diag *diag)
{
	sw_type start;
	if (!sw_type_parse(mesh, sw_str_of(artefact->start), &start, diag))
		return false;
	sw_sequence *before = sw_sequence_new(mesh, &start);
	bool ok = before ? draw_both(artefact, before, canvas, diag) : sw_diag_memory(diag);
	sw_sequence_free(before);
	return ok;
}

static bool draw_tiles(const struct artefact *artefact, const sw_mesh *mesh, struct canvas *canvas, sw_diag *diag)
{
	struct view_options options = view_options_default(canvas->width);
	struct view_input in = {.mesh = mesh};
	sw_problem problem;
	bool two = strstr(artefact->start, " ~> ") != NULL;
	if (two ? !sw_problem_parse(mesh, sw_str_of(artefact->start), &problem, diag) :
			  !sw_type_parse(mesh, sw_str_of(artefact->start), &problem.from, diag))
		return false;
	in.type = &problem.from;
	in.after = two ? &problem.to : NULL;
	in.type_name = two ? "before" : NULL;
	in.after_name = two ? "after" : NULL;
	in.devices = NULL;
	in.after_devices = artefact->after_places;
	return view_tiles(&in, &options, canvas, diag);
}

/* ---- telling ---- */

static int draw_paragraphs(const char *words, struct canvas *canvas, int y)
{
	while (*words) {
		char paragraph[1200];
		size_t length = strcspn(words, "\n");
		snprintf(paragraph, sizeof(paragraph), "%.*s", (int)length, words);
		y = canvas_put_wrapped(canvas, 0, y, canvas->width, 0, ROLE_TEXT, paragraph);
		words += length + (words[length] == '\n');
	}
	return y;
}

struct canvas *narrow_canvas(struct document *answer)
{
	struct canvas *canvas = document_canvas(answer);
	canvas_reset(canvas, canvas->width < WIDTH_MOST ? canvas->width : WIDTH_MOST);
	return canvas;
}

static void tell_end(const struct artefact *artefact, struct document *answer)
{
	struct canvas *canvas = narrow_canvas(answer);
	int y = 1;
	canvas_put(canvas, 0, y, ROLE_LABEL, "source");
	y = canvas_put_wrapped(canvas, 9, y, canvas->width - 9, 0, ROLE_DIM, artefact->source);
	canvas_put(canvas, 0, y, ROLE_LABEL, "next");
	canvas_put(canvas, 9, y, ROLE_OP, artefact->next);
}

static bool tell_example(const struct artefact *artefact, sw_arena *arena, struct document *answer, sw_diag *diag)
{
	sw_mesh mesh;
	if (!sw_mesh_parse(sw_str_of(artefact->mesh), &mesh, diag))
		return false;
	if (artefact->low)
		return paper_low_draw(artefact, &mesh, arena, narrow_canvas(answer), diag);
	return (artefact->steps ? draw_steps : draw_tiles)(artefact, &mesh, narrow_canvas(answer), diag);
}

static bool tell_artefact(struct session *session, const struct artefact *artefact, sw_paper paper, sw_arena *arena,
	struct document *answer, sw_diag *diag)
{
	struct canvas *canvas = narrow_canvas(answer);
	sw_text title = {0};
	sw_text_addf(&title, "%s", artefact_name(artefact));
	if (artefact->kind && paper != SW_PAPER_REDISTRIBUTION)
		sw_text_addf(&title, " of %s", sw_paper_name(paper));
	sw_text_addf(&title, ": %s", artefact->title);
	int y = canvas_put_wrapped(canvas, 0, 0, canvas->width, 0, ROLE_TITLE, sw_text_get(&title));
	sw_text_free(&title);
	y = draw_paragraphs(artefact->words, canvas, y);
	if (artefact->mesh)
		canvas_putf(canvas, 0, y + 1, ROLE_DIM, "mesh %s", artefact->mesh);
	if (artefact->mesh && !tell_example(artefact, arena, answer, diag))
		return false;
	if (artefact->lines && !paper_lines_answer(session, artefact->lines, arena, answer, diag))
		return false;
	if (artefact->printed && !paper_printed_answer(session, artefact, arena, answer, diag))
		return false;
	tell_end(artefact, answer);
	return true;
}

/* A name without its `of PAPER`. */
static sw_paper cut_paper(char *name)
{
	static const char of[] = " of ";
	for (char *at = strstr(name, of); at; at = strstr(at + 1, of)) {
		sw_paper paper = sw_paper_named(sw_str_of(at + strlen(of)));
		if (paper < SW_PAPER_COUNT) {
			*at = '\0';
			return paper;
		}
	}
	return SW_PAPER_COUNT;
}

/* The first of this name in a paper, or NULL. */
static const struct artefact *first_called(sw_paper paper, const char *name)
{
	const struct artefact *row = rows[paper];
	while (row->name && !is_called(row, name))
		row++;
	return row->name ? row : NULL;
}

/* Which papers have something of this name, where several do. */
static void tell_papers(const char *name, sw_paper told, struct document *answer)
{
	sw_text others = {0};
	for (int p = 0; p < SW_PAPER_COUNT; p++) {
		const struct artefact *other = first_called((sw_paper)p, name);
		if (p != (int)told && other)
			sw_text_addf(&others, "%s`explain %s of %s`", others.length ? ", " : "", artefact_name(other),
				sw_paper_name((sw_paper)p));
	}
	if (others.length) {
		struct canvas *canvas = narrow_canvas(answer);
		sw_text line = {0};
		sw_text_addf(&line, "of %s; others have one too: %s", sw_paper_name(told), sw_text_get(&others));
		canvas_put_wrapped(canvas, 0, 0, canvas->width, 0, ROLE_DIM, sw_text_get(&line));
		sw_text_free(&line);
	}
	sw_text_free(&others);
}

bool artefacts_answer(struct session *session, sw_str name, sw_arena *arena, struct document *answer, bool *any,
	sw_diag *diag)
{
	char folded[80];
	fold_name(name, folded, sizeof(folded));
	sw_paper asked = cut_paper(folded);
	int paper = 0;
	while (paper < SW_PAPER_COUNT &&
		((asked < SW_PAPER_COUNT && paper != (int)asked) || !first_called((sw_paper)paper, folded)))
		paper++;
	*any = paper < SW_PAPER_COUNT;
	if (!*any)
		return true;
	answer->width = answer->width < WIDTH_MOST ? answer->width : WIDTH_MOST;
	if (asked == SW_PAPER_COUNT)
		tell_papers(folded, (sw_paper)paper, answer);
	bool first = true;
	for (const struct artefact *row = rows[paper]; row->name; row++) {
		if (!is_called(row, folded))
			continue;
		if (!first)
			document_line(answer, "%s", "");
		first = false;
		if (!tell_artefact(session, row, (sw_paper)paper, arena, answer, diag))
			return false;
	}
	return true;
}

/* ---- refusing ---- */

/* Numbers of a kind in a paper, in all of them with SW_PAPER_COUNT: "4.1, 4.2, 4.6". */
static void add_numbers(sw_paper paper, int kind, sw_text *text)
{
	const char *last = "";
	for (int n = 0; artefact_at(n); n++) {
		const struct artefact *artefact = artefact_at(n);
		bool wanted = paper == SW_PAPER_COUNT || artefact_paper(n) == paper;
		if (!wanted || !artefact->kind || strcmp(artefact->kind, kinds[kind]) != 0 ||
			strcmp(last, artefact->name) == 0)
			continue;
		sw_text_addf(text, "%s%s", text->length ? ", " : "", artefact->name);
		last = artefact->name;
	}
}

/* What has this number under another kind: "example 4.9". */
static const char *of_other_kind(const char *name, int kind)
{
	const char *number = name + strlen(kinds[kind]);
	number += strspn(number, " ");
	for (int n = 0; *number && artefact_at(n); n++)
		if (artefact_at(n)->kind && strcmp(artefact_at(n)->name, number) == 0)
			return artefact_name(artefact_at(n));
	return NULL;
}

static bool refuse_number(sw_str text, const char *name, sw_paper paper, int kind, sw_diag *diag)
{
	sw_text list = {0};
	const char *other = of_other_kind(name, kind);
	add_numbers(paper, kind, &list);
	sw_diag_set(diag, SW_L08, (sw_span){0, 0},
		name[strlen(kinds[kind])] ? "there is no '%.*s' in %s" : "'%.*s' needs a number", AS_SHOWN(text),
		paper < SW_PAPER_COUNT ? sw_paper_name(paper) : "the papers");
	sw_diag_expected(diag, "%s %s", kinds[kind], list.length ? sw_text_get(&list) : "of another paper");
	if (other)
		sw_diag_hint(diag, "did you mean '%s'? `explain` lists all topics", other);
	else
		sw_diag_hint(diag, "`explain` lists all that it knows");
	sw_text_free(&list);
	return false;
}

/* ---- verifying ---- */

static bool has_numbers(const struct artefact *row)
{
	for (const struct printed *number = row->printed; number && number->what; number++)
		if (number->print)
			return true;
	return false;
}

/* The first row of this name in a paper whose numbers are printed, or NULL. */
static const struct artefact *first_with_numbers(sw_paper paper, const char *name)
{
	for (const struct artefact *row = first_called(paper, name); row && row->name; row++)
		if (is_called(row, name) && has_numbers(row))
			return row;
	return NULL;
}

bool artefact_is_named(sw_str text)
{
	char name[80];
	bool named = false;
	fold_name(text, name, sizeof(name));
	if (kind_of(name) >= 0)
		return true;
	sw_paper asked = cut_paper(name);
	for (int p = 0; p < SW_PAPER_COUNT && *name; p++)
		named |= (asked == SW_PAPER_COUNT || p == (int)asked) && first_called((sw_paper)p, name);
	return named;
}

static bool refuse_without_numbers(const char *name, sw_paper paper, sw_diag *diag)
{
	const char *unpublished = first_called(paper, name)->unpublished;
	sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "%s of %s %s", name, sw_paper_name(paper),
		unpublished != NULL ? unpublished : "prints no numbers to compare");
	sw_diag_expected(diag,
		"a lemma, theorem, principle, corollary or case to test, or a topic with printed numbers, such as "
		"table 4 of placements");
	sw_diag_hint(diag, "`explain %s of %s` shows it on an example", name, sw_paper_name(paper));
	return false;
}

static void say_agreement(const char *name, sw_paper paper, const struct agreement *sum, struct canvas *canvas)
{
	sw_text text = {0};
	sw_text_addf(&text, "%s of %s: ", name, sw_paper_name(paper));
	if (sum->printed)
		sw_text_addf(&text, "%d of %d printed numbers agree", sum->agree, sum->printed);
	if (sum->measured)
		sw_text_addf(&text, "%s%d of %d measured numbers are predicted within %g times", sum->printed ? "; " : "",
			sum->near, sum->measured, AGREEMENT_NEAR);
	canvas_put_wrapped(canvas, 0, 0, canvas->width, 0, ROLE_TITLE, sw_text_get(&text));
	sw_text_free(&text);
}

static bool verify_rows(const struct invocation *run, const struct artefact *row, sw_paper paper, sw_diag *diag)
{
	const char *name = sw_arena_copy(run->arena, artefact_name(row), strlen(artefact_name(row)));
	struct fields *fields = document_fields(run->answer, "shardwalk.printed/1"),
				  *numbers = field_list(fields, "numbers");
	struct agreement sum = {0};
	struct document others;
	bool ok = name || sw_diag_memory(diag);
	document_start(&others, run->answer->width);
	for (; ok && row->name; row++)
		if (is_called(row, name) && has_numbers(row))
			ok = paper_printed_verify(run, row, numbers, &sum, &others, diag);
	if (ok)
		say_agreement(name, paper, &sum, narrow_canvas(run->answer));
	document_join(run->answer, &others);
	if (!ok)
		return false;
	field_text(fields, "name", name);
	field_text(fields, "paper", sw_paper_name(paper));
	field_int(fields, "compared", sum.printed);
	field_int(fields, "agree", sum.agree);
	field_int(fields, "measured", sum.measured);
	field_int(fields, "near", sum.near);
	return true;
}

bool artefact_verify(const struct invocation *run, sw_str text, sw_diag *diag)
{
	char name[80];
	fold_name(text, name, sizeof(name));
	sw_paper asked = cut_paper(name), there = SW_PAPER_COUNT;
	for (int p = 0; p < SW_PAPER_COUNT; p++) {
		if (asked < SW_PAPER_COUNT && p != (int)asked)
			continue;
		const struct artefact *row = first_with_numbers((sw_paper)p, name);
		if (row)
			return verify_rows(run, row, (sw_paper)p, diag);
		there = there == SW_PAPER_COUNT && first_called((sw_paper)p, name) ? (sw_paper)p : there;
	}
	return there < SW_PAPER_COUNT ? refuse_without_numbers(name, there, diag) :
									refuse_number(text, name, asked, kind_of(name), diag);
}

#define NAMES_MOST 400
#define NEAREST_MOST 3 /* words that are proposed */
#define SHORT 3        /* letters of words that are near to too many */
#define NEAR_LINE 40   /* bytes of proposals that are enough */

/* Words that can be explained, in `names`; how many. */
static int names_of(const char *names[NAMES_MOST])
{
	int count = 0;
	for (int n = 0; artefact_at(n) && count < NAMES_MOST; n++)
		if (!artefact_at(n)->kind)
			names[count++] = artefact_at(n)->name;
	for (int n = 0; topic_at(n) && count < NAMES_MOST; n++)
		names[count++] = topic_name(topic_at(n));
	for (int k = 0; k < ARTEFACT_KINDS && count < NAMES_MOST; k++)
		names[count++] = kinds[k];
	for (int op = 0; op < SW_COLLECTIVES && count < NAMES_MOST; op++)
		names[count++] = sw_collective_of((sw_op)op)->name;
	for (int n = 0; n < SW_NOTATION_COUNT && count < NAMES_MOST; n++)
		names[count++] = sw_notation_name((sw_notation)n);
	return count;
}

/* "'fused', 'fold' or 'f'": the nearest first; nothing where none is near. */
static void nearest_add(sw_str name, sw_text *text)
{
	const char *names[NAMES_MOST];
	int count = names_of(names), near;
	for (int k = 0; k < NEAREST_MOST; k++) {
		near = sw_str_nearest(name, names, count);
		if (near < 0)
			return;
		sw_text_addf(text, "%s'%s'", text->length ? ", " : "", names[near]);
		const char *same = names[near];
		for (int n = count - 1; n >= 0; n--)
			if (strcmp(names[n], same) == 0)
				names[n] = names[--count];
	}
}

/* The same for each longer word of several. */
static void words_near(sw_str name, sw_text *text)
{
	for (sw_str rest = name, word = sw_str_word(&rest); rest.length || word.length; word = sw_str_word(&rest))
		if (word.length > SHORT && word.length < name.length && text->length < NEAR_LINE)
			nearest_add(word, text);
}

/* Words, and no text in a notation. */
static bool is_word(sw_str text)
{
	bool letter = false;
	for (size_t i = 0; i < text.length; i++) {
		char c = text.at[i];
		bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		if (!is_letter && !strchr("0123456789_ -", c))
			return false;
		letter |= is_letter;
	}
	return letter;
}

bool artefact_refuse(sw_str text, bool *is, sw_diag *diag)
{
	char name[80];
	sw_text near = {0};
	fold_name(text, name, sizeof(name));
	sw_paper paper = cut_paper(name);
	int kind = kind_of(name);
	*is = true;
	if (kind >= 0)
		return refuse_number(text, name, paper, kind, diag);
	*is = *name && is_word(text);
	if (*is)
		nearest_add(sw_str_of(name), &near);
	if (*is && !near.length)
		words_near(sw_str_of(name), &near);
	if (*is)
		sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "there is nothing to explain about '%.*s'",
			text.length < 80 ? (int)text.length : 80, text.at);
	if (near.length)
		sw_diag_hint(diag, "did you mean %s? `explain` lists all topics", sw_text_get(&near));
	else if (*is)
		sw_diag_hint(diag, "`explain` lists all topics, `help -k %s` searches", name);
	sw_text_free(&near);
	return false;
}

/* ---- the list ---- */

static int list_row(struct canvas *canvas, int y, const char *head, sw_text *names)
{
	canvas_put(canvas, 2, y, ROLE_LABEL, head);
	y = canvas_put_wrapped(canvas, 15, y, canvas->width - 15, 0, ROLE_OP, sw_text_get(names));
	sw_text_clear(names);
	return y;
}

static void add_name(sw_text *names, const char *name)
{
	sw_text_addf(names, "%s%s", names->length ? ", " : "", name);
}

static int list_program(struct canvas *canvas, int y, sw_text *names)
{
	static const char *const heads[] = {"strategies", "models", "words"};
	sw_text_addf(names,
		"codes of errors, T04; sharding in any notation, P('x', None); metafunctions TYPE; meaning TYPE; 17 over 8");
	y = list_row(canvas, y, "texts", names);
	for (int op = 0; op < SW_COLLECTIVES; op++)
		add_name(names, sw_collective_of((sw_op)op)->name);
	y = list_row(canvas, y, "operations", names);
	for (int pattern = 0; pattern < SW_PATTERN_COUNT; pattern++)
		add_name(names, sw_pattern_text((sw_pattern_name)pattern));
	y = list_row(canvas, y, "patterns", names);
	for (int kind = TOPIC_STRATEGY; kind <= TOPIC_WORD; kind++) {
		for (int n = 0; topic_at(n); n++)
			if ((int)topic_at(n)->kind == kind)
				add_name(names, topic_name(topic_at(n)));
		y = list_row(canvas, y, heads[kind], names);
	}
	return y;
}

static int list_paper(sw_paper paper, struct canvas *canvas, int y, sw_text *names)
{
	sw_text title = {0};
	sw_text_addf(&title, "%s: %s", sw_paper_name(paper), sw_paper_citation(paper));
	y = canvas_put_wrapped(canvas, 0, y + 1, canvas->width, 0, ROLE_TITLE, sw_text_get(&title));
	sw_text_free(&title);
	for (int k = 0; k < ARTEFACT_KINDS; k++) {
		add_numbers(paper, k, names);
		if (names->length)
			y = list_row(canvas, y, kinds[k], names);
	}
	for (int n = 0; artefact_at(n); n++)
		if (!artefact_at(n)->kind && artefact_paper(n) == paper)
			add_name(names, artefact_at(n)->name);
	return names->length ? list_row(canvas, y, "words", names) : y;
}

void explain_list(struct document *answer)
{
	struct canvas *canvas = narrow_canvas(answer);
	sw_text names = {0};
	canvas_put(canvas, 0, 0, ROLE_TITLE, "messages, operations and words of the program");
	int y = list_program(canvas, 1, &names);
	for (int p = 0; p < SW_PAPER_COUNT; p++)
		y = list_paper((sw_paper)p, canvas, y, &names);
	y = canvas_put_wrapped(canvas, 0, y + 1, canvas->width, 0, ROLE_DIM,
		"if several papers have the same name, add `of` and the paper: `lemma 1 of distributions`");
	canvas_put(canvas, 0, y + 1, ROLE_LABEL, "next");
	canvas_put(canvas, 9, y + 1, ROLE_OP, "explain lemma 4.6");
	sw_text_free(&names);
}
