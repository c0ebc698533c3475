/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plain lines: two shardings with an arrow or `to` between them, and perhaps the shape of the array.
 *
 *     {devices=[2,1,4]<=[4,2]T(1,0)} -> {devices=[1,8,1]<=[8]}
 *     f32[16,16,16] P('y', None, 'x') to P(None, ('x', 'y'), None), P('x') -> P()
 *     12:30:01 worker 3: sharding {replicated} to {devices=[8]<=[8]} in 3 ms
 *
 * A sharding in brackets is found whatever stands around it; others have to fill their side of the arrow.
 */
#define _GNU_SOURCE
#include "foreign/log/parts.h"

#include <string.h>

#define TRIED 32 /* arrows of a line with no pair around them */
#define BEGUN 16 /* shardings before an arrow, one inside of the other, that are looked at */

static const char *const arrows[] = {"~>", "->", "=>", "\xE2\x86\x92", " to "};
static const char *const leading[] = {"redistribute ", "reshard ", "resharding ", "from ", "sharding ", "import ",
	"and ", "- ", "* "};

/* What only a sharding begins with, and the bracket that it ends with. */
static const struct beginning {
	const char *with;
	char close;
} beginnings[] = {{"{devices=", '}'}, {"{replicated}", '}'}, {"{maximal", '}'}, {"{manual}", '}'},
	{"{unreduced", '}'}, {"{mesh[", '}'}, {"{{devices=", '}'}, {"{{replicated}", '}'}, {"{{maximal", '}'},
	{"{{manual}", '}'}, {"P(", ')'}, {"jax.P(", ')'}, {"PartitionSpec(", ')'}, {"jax.sharding.PartitionSpec(", ')'},
	{"NamedSharding(", ')'}, {"jax.sharding.NamedSharding(", ')'}, {"#sdy.sharding<", '>'}, {"sdy.sharding<", '>'}};

static bool is_in(char c, const char *set)
{
	return c && strchr(set, c);
}

static sw_str skip(sw_str text, size_t length)
{
	return sw_str_trim(sw_str_behind(text, length));
}

static sw_str from_to(const char *begin, const char *end)
{
	return (sw_str){begin, (size_t)(end - begin)};
}

bool sw_log_may_pair(sw_str text)
{
	static const char *const signs[] = {">", "\xE2\x86\x92", " to ", "&gt;", "\\u003"};
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (memmem(text.at, text.length, signs[i], strlen(signs[i])))
			return true;
	return false;
}

/* ---- brackets ---- */

struct nesting {
	int depth;
	char quote;
	char before; /* the byte before */
};

/* An apostrophe inside a word is a letter of it. */
static bool opens_quote(const struct nesting *at, char c)
{
	return c == '"' || (c == '\'' && (!at->before || is_in(at->before, " ([{,=:")));
}

static void nesting_step(struct nesting *at, char c)
{
	bool opens = c == '{' || c == '[' || c == '(', closes = c == '}' || c == ']' || c == ')';
	if (at->quote)
		at->quote = c == at->quote ? 0 : at->quote;
	else if (opens_quote(at, c))
		at->quote = c;
	else if (opens)
		at->depth++;
	else if (closes)
		at->depth -= at->depth > 0;
	at->before = c;
}

static bool is_outside(const struct nesting *at)
{
	return !at->quote && !at->depth;
}

/* The length up to the bracket that ends what begins here, or 0.  `}` ends all that is open inside of it. */
static size_t unit_length(sw_str text, char close)
{
	const char open = close == '}' ? '{' : close == ')' ? '(' : '<';
	int depth = 0;
	char quote = 0;
	for (size_t i = 0; i < text.length; i++) {
		char c = text.at[i];
		if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (c == open)
			depth++;
		else if (c == close && --depth <= 0)
			return depth ? 0 : i + 1;
	}
	return 0;
}

static bool may_begin(char c)
{
	return c == '{' || c == 'P' || c == 'j' || c == 'N' || c == '#' || c == 's';
}

static const struct beginning *beginning_of(sw_str text)
{
	if (!text.length || !may_begin(*text.at))
		return NULL;
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (*beginnings[i].with == *text.at && sw_str_starts(text, beginnings[i].with))
			return &beginnings[i];
	return NULL;
}

/* The length of the sharding in brackets that begins here, or 0. */
static size_t bracketed(sw_str text)
{
	const struct beginning *beginning = beginning_of(text);
	size_t length = beginning ? unit_length(text, beginning->close) : 0;
	sw_str rest = length ? skip(text, length) : text;
	return length && rest.length && is_in(*rest.at, "=(") ? 0 : length;
}

/* ---- arrows ---- */

/* The length of the arrow here, or 0. */
static size_t arrow_length(sw_str rest)
{
	for (size_t i = 0; i < sizeof(arrows) / sizeof(*arrows); i++)
		if (rest.length && *rest.at == *arrows[i] && sw_str_starts(rest, arrows[i]))
			return strlen(arrows[i]);
	return 0;
}

/* The next arrow from *at on, and whether it stands outside quotes and brackets; length 0: none. */
static sw_str next_arrow(sw_str line, size_t *at, struct nesting *nesting, bool *outside)
{
	for (; *at < line.length; ++*at) {
		sw_str rest = {line.at + *at, line.length - *at};
		size_t length = arrow_length(rest);
		if (length) {
			*outside = is_outside(nesting);
			*at += length;
			return (sw_str){rest.at, length};
		}
		nesting_step(nesting, *rest.at);
	}
	return (sw_str){"", 0};
}

static bool has_arrow(sw_str text)
{
	struct nesting nesting = {0};
	size_t at = 0;
	bool outside = false;
	while (!outside && next_arrow(text, &at, &nesting, &outside).length)
		;
	return outside;
}

/* The first of these bytes outside quotes and brackets; the end where there is none. */
static const char *find_outside(sw_str text, const char *set)
{
	struct nesting nesting = {0};
	for (size_t i = 0; i < text.length; i++) {
		if (is_outside(&nesting) && is_in(text.at[i], set))
			return text.at + i;
		nesting_step(&nesting, text.at[i]);
	}
	return text.at + text.length;
}

/* ---- one side ---- */

/* The length of `f32[16,16]` at the start, or 0. */
static size_t shape_length(sw_str text)
{
	size_t i = 0;
	sw_dtype dtype;
	while (i < text.length && text.at[i] != '[' && text.at[i] > ' ')
		i++;
	if (i == text.length || text.at[i] != '[' || !sw_dtype_parse((sw_str){text.at, i}, &dtype, NULL))
		return 0;
	i++;
	while (i < text.length && is_in(text.at[i], "0123456789, "))
		i++;
	return i < text.length && text.at[i] == ']' ? i + 1 : 0;
}

static sw_str take_leading(sw_str text)
{
	while (text.length && is_in(*text.at, ",; "))
		text = skip(text, 1);
	for (size_t i = 0; i < sizeof(leading) / sizeof(*leading); i++)
		if (sw_str_starts(text, leading[i]))
			return take_leading(skip(text, strlen(leading[i])));
	return text;
}

/* `f32[16,16] A` or `f32[16,16]: A`; what is left is A. */
static sw_str take_shape_before(sw_str text, sw_str *shape)
{
	size_t length = shape_length(text);
	sw_str rest = skip(text, length);
	if (!length || !rest.length)
		return text;
	*shape = (sw_str){text.at, length};
	return take_leading(is_in(*rest.at, ":,") ? skip(rest, 1) : rest);
}

/* `B f32[16,16]` or `B, f32[16,16]`; what is left is B. */
static sw_str take_shape_after(sw_str text, sw_str *shape)
{
	size_t blank = text.length;
	while (blank > 0 && text.at[blank - 1] != ' ')
		blank--;
	sw_str last = {text.at + blank, text.length - blank};
	if (!blank || !shape_length(last) || shape_length(last) != last.length)
		return text;
	*shape = last;
	sw_str rest = sw_str_trim((sw_str){text.at, blank});
	return rest.length && is_in(rest.at[rest.length - 1], ",:") ? (sw_str){rest.at, rest.length - 1} : rest;
}

static bool is_sharding(sw_str text)
{
	return text.length && sw_notation_guess(text) != SW_NOTATION_PAPER;
}

/* Without a word that may stand between a shape and its sharding. */
static sw_str drop_last_word(sw_str text)
{
	for (size_t i = 0; i < sizeof(leading) / sizeof(*leading); i++) {
		size_t length = strlen(leading[i]);
		if (text.length > length && memcmp(text.at + text.length - length, leading[i], length) == 0)
			return (sw_str){text.at, text.length - length};
	}
	return text;
}

/* A shape that ends where the sharding begins: `x = f32[8,8] `, `param f32[8,8]: `, `f32[8,8] sharding `. */
static void shape_in_front(sw_str text, sw_str *shape)
{
	text = sw_str_trim(drop_last_word(text));
	if (text.length && is_in(text.at[text.length - 1], ":,"))
		text = sw_str_trim((sw_str){text.at, text.length - 1});
	for (size_t i = 0; i < text.length; i++) {
		sw_str word = {text.at + i, text.length - i};
		if ((!i || is_in(text.at[i - 1], " \"'(")) && shape_length(word) == word.length)
			*shape = word;
	}
}

/* The sharding that ends the left side, whatever stands before it where it is one in brackets; empty: none. */
static sw_str left_side(sw_str text, bool outside, sw_str *shape)
{
	int begun = 0;
	for (size_t i = text.length; i-- > 0 && begun < BEGUN;) {
		sw_str rest = {text.at + i, text.length - i};
		begun += beginning_of(rest) != NULL;
		bool word = !i ||
			!is_in(text.at[i - 1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.#=");
		if (word && bracketed(rest) == rest.length) {
			shape_in_front((sw_str){text.at, i}, shape);
			return rest;
		}
	}
	text = take_shape_before(take_leading(text), shape);
	return outside && is_sharding(text) ? text : (sw_str){text.at, 0};
}

/* The sharding that begins the right side, and where it ends with its shape. */
static sw_str right_side(sw_str text, bool more, sw_str *shape, const char **end)
{
	text = take_leading(text);
	size_t length = bracketed(text);
	*end = more && !length ? find_outside(text, ";,") : find_outside(text, ";");
	sw_str whole = sw_str_trim(from_to(text.at, *end));
	while (whole.length && is_in(whole.at[whole.length - 1], ",."))
		whole = sw_str_trim((sw_str){whole.at, whole.length - 1});
	if (!length) {
		whole = take_shape_after(whole, shape);
		return is_sharding(whole) ? whole : (sw_str){whole.at, 0};
	}
	sw_str side = {text.at, length}, rest = skip(text, length);
	rest = rest.length && is_in(*rest.at, ",:") ? skip(rest, 1) : rest;
	size_t after = shape_length(rest);
	if (after < rest.length && !is_in(rest.at[after], ",;.") && has_arrow(rest))
		after = 0;
	if (after)
		*shape = (sw_str){rest.at, after};
	*end = after ? rest.at + after : side.at + side.length;
	return side;
}

/* ---- a line ---- */

static sw_log_text position(const sw_log_line *line, sw_str slice)
{
	size_t begin = (size_t)(slice.at - line->text.at);
	if (!slice.length)
		return (sw_log_text){.text = {"", 0}};
	return (sw_log_text){slice, {line->position[begin], line->position[begin + slice.length - 1] + 1},
		&line->position[begin]};
}

static sw_span span_over(const sw_log_found *found)
{
	const sw_span from = found->from.at, to = found->to.at, shape = found->shape.at;
	sw_span span = {sw_log_least(from.end ? from.begin : to.begin, to.end ? to.begin : from.begin),
		from.end > to.end ? from.end : to.end};
	if (!shape.end)
		return span;
	return (sw_span){sw_log_least(span.begin, shape.begin), span.end > shape.end ? span.end : shape.end};
}

static bool fill(sw_log_plain *plain, sw_str from, sw_str to, sw_str shape, sw_log_found *found)
{
	*found = (sw_log_found){.from = position(&plain->line, from),
		.to = position(&plain->line, to),
		.shape = position(&plain->line, shape),
		.is_global = true,
		.half = !from.length || !to.length};
	found->at = span_over(found);
	return !found->half;
}

/* A sharding that begins but never ends, up to the arrow inside of it. */
static void find_unclosed(sw_log_plain *plain, sw_str rest, sw_log_found *found)
{
	const sw_str none = {"", 0};
	for (size_t i = 0; i < rest.length; i++) {
		sw_str text = {rest.at + i, rest.length - i};
		const struct beginning *beginning = beginning_of(text);
		size_t length = beginning ? unit_length(text, beginning->close) : 0;
		i += length ? length - 1 : 0;
		if (!beginning || length)
			continue;
		for (size_t k = 0; k < text.length; k++)
			if (arrow_length((sw_str){text.at + k, text.length - k})) {
				fill(plain, sw_str_trim((sw_str){text.at, k}), none, none, found);
				return;
			}
		return;
	}
}

/* `A -> B -> C`: B is where the next one starts. */
static sw_str side_before(const sw_log_plain *plain, sw_str left, bool outside, sw_str *shape)
{
	if (left.length || !plain->last.to.text.length)
		return left_side(left, outside, shape);
	*shape = plain->last.shape.text;
	return plain->last.to.text;
}

/* A line of bytes that are no text holds no shardings. */
static bool is_text(sw_str line)
{
	for (size_t i = 0; i < line.length; i++)
		if ((unsigned char)line.at[i] < ' ')
			return false;
	return true;
}

/* Without a comma at its end, and the quotes around it. */
static void unwrap(sw_log_plain *plain)
{
	const sw_str text = plain->line.text;
	sw_str line = sw_str_trim(text);
	while (line.length && is_in(line.at[line.length - 1], ",;"))
		line = sw_str_trim((sw_str){line.at, line.length - 1});
	while (line.length > 1 && is_in(*line.at, "\"'") && line.at[line.length - 1] == *line.at)
		line = sw_str_trim(sw_str_inner(line));
	plain->at = is_text(line) ? (size_t)(line.at - text.at) : text.length;
	plain->end = is_text(line) ? plain->at + line.length : text.length;
	plain->begun = true;
}

/* Is there a pair around this arrow?  A half of one is kept in `half`, if it is the first. */
static bool pair_around(sw_log_plain *plain, sw_str whole, sw_str arrow, bool outside, sw_log_found *found,
	sw_log_found *half)
{
	sw_str shape = {"", 0}, before = {"", 0};
	const char *end = whole.at + whole.length;
	sw_str left = side_before(plain, sw_str_trim(from_to(whole.at, arrow.at)), outside, &before);
	sw_str right = sw_str_trim(from_to(arrow.at + arrow.length, end));
	if (!outside && (!left.length || !bracketed(take_leading(right))))
		return false;
	right = right_side(right, has_arrow(right), &shape, &end);
	if (left.length && right.length) {
		plain->at = (size_t)(end - plain->line.text.at);
		return fill(plain, left, right, shape.length ? shape : before, found);
	}
	bool any = (left.length && bracketed(left)) || (right.length && bracketed(right));
	if (any && !half->half)
		fill(plain, left, right, shape.length ? shape : before, half);
	return false;
}

bool sw_log_plain_next(sw_log_plain *plain, sw_log_found *found)
{
	struct nesting nesting = {0};
	sw_log_found half = {0};
	size_t at = 0;
	bool outside;
	if (!plain->begun)
		unwrap(plain);
	if (plain->at == plain->end) {
		*found = half;
		return false;
	}
	sw_str whole = {plain->line.text.at + plain->at, plain->end - plain->at}, arrow;
	for (int tried = 0; tried < TRIED && (arrow = next_arrow(whole, &at, &nesting, &outside)).length; tried++)
		if (pair_around(plain, whole, arrow, outside, found, &half)) {
			plain->last = *found;
			return true;
		}
	if (!half.half)
		find_unclosed(plain, whole, &half);
	plain->at = plain->end;
	*found = half;
	return false;
}

/* ---- several lines ---- */

static bool is_arrow_last(sw_str line)
{
	line = sw_str_trim(line);
	for (size_t i = 0; i + 1 < sizeof(arrows) / sizeof(*arrows); i++) {
		size_t length = strlen(arrows[i]);
		if (line.length >= length && memcmp(line.at + line.length - length, arrows[i], length) == 0)
			return true;
	}
	return false;
}

/* A sharding that begins and does not end. */
static bool is_open(sw_str line)
{
	for (size_t i = 0; i < line.length; i++) {
		sw_str text = {line.at + i, line.length - i};
		const struct beginning *beginning = beginning_of(text);
		size_t length = beginning ? unit_length(text, beginning->close) : 0;
		if (beginning && !length)
			return true;
		i += length ? length - 1 : 0;
	}
	return false;
}

bool sw_log_goes_on(sw_str line, sw_str next)
{
	next = sw_str_trim(next);
	return next.length && (arrow_length(next) || is_arrow_last(line) || is_open(line));
}
