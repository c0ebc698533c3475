/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `explain 17 over 8`: what the systems do with a size that does not divide.
 */
#include "command/explain/uneven.h"

#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/uneven.h>

#include "command/plan.h"
#include "views/views.h"

#define CUTS_MOST 8
#define LISTED_MOST 4096

/* ---- reading: 17 over 8, 10 rows over 2x3 devices, f32[17,4] over 8 ---- */

static const char between[] = " over ";

static const char *find_over(sw_str text)
{
	size_t length = sizeof(between) - 1;
	for (size_t i = 0; i + length <= text.length; i++)
		if (memcmp(text.at + i, between, length) == 0)
			return text.at + i;
	return NULL;
}

static bool starts_with_number(sw_str text)
{
	return text.length && *text.at >= '0' && *text.at <= '9';
}

static bool is_shape(sw_str text, sw_type *shape)
{
	const sw_mesh none = {0};
	return text.length && memchr(text.at, '[', text.length) && sw_type_parse(&none, text, shape, NULL) &&
		shape->rank > 0;
}

bool is_uneven(sw_str text)
{
	sw_type shape;
	const char *over = find_over(text);
	sw_str left = over ? sw_str_trim((sw_str){text.at, (size_t)(over - text.at)}) : text;
	return over && (starts_with_number(left) || is_shape(left, &shape));
}

/* A number, and what stands behind it up to the end or an `x` between numbers. */
static sw_str take_number(sw_str *text)
{
	size_t length = 0;
	while (length < text->length && text->at[length] >= '0' && text->at[length] <= '9')
		length++;
	sw_str number = {text->at, length};
	*text = (sw_str){text->at + length, text->length - length};
	return number;
}

static bool refuse_number(const struct invocation *run, sw_str slice, sw_code code, sw_diag *diag)
{
	sw_diag_set(diag, code, (sw_span){0, slice.length},
		code == SW_L12 ? "'%.*s' is too large" : "'%.*s' is not a number of at least 1",
		(int)(slice.length < 40 ? slice.length : 40), slice.at);
	sw_diag_expected(diag, "SIZE over PIECES, such as 17 over 8, 10 over 2x3 or f32[17,4] over 8");
	return refuse_at(run, slice, diag);
}

static bool read_number(const struct invocation *run, sw_str number, sw_str rest, int64_t *value, sw_diag *diag)
{
	bool overflow = false;
	if (sw_read_int(number, value, &overflow) && *value >= 1)
		return true;
	return refuse_number(run, number.length ? number : rest, overflow ? SW_L12 : SW_L13, diag);
}

/* `word` may follow the number, in singular or plural. */
static bool skip_word(const struct invocation *run, sw_str rest, const char *const *words, sw_diag *diag)
{
	sw_str word = sw_str_trim(rest);
	for (int i = 0; words[i]; i++)
		if (sw_str_is(word, words[i]))
			return true;
	return !word.length || refuse_number(run, word, SW_L13, diag);
}

struct question {
	sw_uneven uneven;
	int64_t row_bytes; /* 0: not known */
};

static bool read_size(const struct invocation *run, sw_str left, int64_t *size, int64_t *row_bytes, sw_diag *diag)
{
	static const char *const words[] = {"rows", "row", "elements", "element", "columns", "column", NULL};
	sw_type shape;
	if (is_shape(left, &shape)) {
		*size = shape.global[0];
		*row_bytes = sw_dtype_bytes(shape.dtype);
		for (int d = 1; d < shape.rank; d++)
			if (!sw_mul(*row_bytes, shape.global[d], row_bytes))
				*row_bytes = 0;
		return true;
	}
	*row_bytes = 0;
	sw_str rest = left, number = take_number(&rest);
	return read_number(run, number, left, size, diag) && skip_word(run, rest, words, diag);
}

static bool read_cuts(const struct invocation *run, sw_str right, int64_t *cut, int *count, sw_diag *diag)
{
	static const char *const words[] = {"devices", "device", "tiles", "pieces", "ranks", NULL};
	sw_str rest = right;
	for (*count = 0; *count < CUTS_MOST;) {
		sw_str number = take_number(&rest);
		if (!read_number(run, number, right, &cut[(*count)++], diag))
			return false;
		sw_str next = sw_str_trim(rest);
		bool more = next.length > 1 && (*next.at == 'x' || *next.at == '*');
		if (!more)
			return skip_word(run, rest, words, diag);
		rest = sw_str_trim((sw_str){next.at + 1, next.length - 1});
	}
	sw_diag_set(diag, SW_L13, (sw_span){0, right.length}, "more than %d mesh axes cut one dimension", CUTS_MOST);
	return refuse_at(run, right, diag);
}

static bool read_question(const struct invocation *run, sw_str text, struct question *question, sw_diag *diag)
{
	const char *over = find_over(text), *end = over + sizeof(between) - 1;
	sw_str left = sw_str_trim((sw_str){text.at, (size_t)(over - text.at)});
	sw_str right = sw_str_trim((sw_str){end, (size_t)(text.at + text.length - end)});
	int64_t size, cut[CUTS_MOST];
	int count;
	if (!read_size(run, left, &size, &question->row_bytes, diag) || !read_cuts(run, right, cut, &count, diag))
		return false;
	return sw_uneven_start(size, cut, count, &question->uneven, diag) || refuse_at(run, right, diag);
}

/* ---- shardings ---- */

static void add_question(const sw_sharding *s, int d, sw_text *out)
{
	sw_text_addf(out, "explain %lld over ", (long long)sw_type_size(&s->shape, d));
	if (!s->named)
		sw_text_addf(out, "%lld", (long long)sw_sharding_cuts(s, d));
	for (int i = s->first[d]; i < s->first[d + 1] && s->named; i++)
		sw_text_addf(out, "%s%lld", i > s->first[d] ? "x" : "", (long long)s->parts[i].size);
}

void add_uneven(const sw_sharding *s, sw_text *out)
{
	if (s->kind != SW_SHARDING_TILED || !s->has_shape)
		return;
	for (int d = 0; d < s->rank && d < s->shape.rank; d++) {
		int64_t size = sw_type_size(&s->shape, d), cuts = sw_sharding_cuts(s, d);
		if (size % cuts == 0)
			continue;
		sw_text_addf(out,
			"size %lld of dimension %d is not divisible by %lld: systems differ in who holds what, see `",
			(long long)size, d, (long long)cuts);
		add_question(s, d, out);
		sw_text_add(out, "`\n");
	}
}

/* ---- fields ---- */

static void add_pieces(struct fields *in, const sw_uneven *u, sw_uneven_rule rule, bool begins)
{
	struct fields *list = field_list(in, begins ? "begin" : "sizes");
	for (int64_t i = 0; i < u->pieces; i++) {
		int64_t begin, size = sw_uneven_piece(u, rule, i, &begin);
		field_int(list, NULL, begins ? begin : size);
	}
}

static void add_rule(struct fields *in, const struct question *question, sw_uneven_rule rule)
{
	const sw_uneven *u = &question->uneven;
	int64_t room, bytes;
	field_text(in, "rule", sw_uneven_name(rule));
	field_text(in, "words", sw_uneven_words(rule));
	field_text(in, "systems", sw_uneven_who(rule));
	field_int(in, "largest", sw_uneven_largest(u, rule));
	field_int(in, "empty", sw_uneven_empty(u, rule));
	if (sw_mul(sw_uneven_largest(u, rule), u->pieces, &room)) {
		field_int(in, "room", room);
		field_int(in, "wasted", room - u->size);
		if (question->row_bytes && sw_mul(room - u->size, question->row_bytes, &bytes))
			field_int(in, "wasted_bytes", bytes);
	}
	if (u->pieces <= LISTED_MOST) {
		add_pieces(in, u, rule, false);
		add_pieces(in, u, rule, true);
	}
}

static void add_fields(struct fields *fields, const struct question *question)
{
	const sw_uneven *u = &question->uneven;
	field_int(fields, "size", u->size);
	field_ints(fields, "cuts", u->cut, u->count);
	field_int(fields, "pieces", u->pieces);
	field_bool(fields, "divides", u->size % u->pieces == 0);
	struct fields *rules = field_list(fields, "rules"), *systems;
	for (int rule = 0; rule < SW_UNEVEN_RULE_COUNT; rule++)
		add_rule(field_object(rules, NULL), question, (sw_uneven_rule)rule);
	systems = field_object(fields, "systems");
	for (int i = 0; i < SW_UNEVEN_SYSTEMS; i++)
		field_text(systems, sw_uneven_systems[i].name, sw_uneven_systems[i].does);
}

bool explain_uneven(struct invocation *run, sw_str text, sw_diag *diag)
{
	struct question question;
	if (!read_question(run, text, &question, diag))
		return false;
	add_fields(document_fields(run->answer, "shardwalk.uneven/1"), &question);
	struct view_input in = {.uneven = &question.uneven, .row_bytes = question.row_bytes};
	return view_answer(run, view_uneven, &in, NULL, diag);
}
