/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A redistribution as it stands in a statement, cut once.
 */
#define _GNU_SOURCE
#include "command/ends.h"

#include <string.h>

#include <shardwalk/notation.h>

#include "command/foreign.h"
#include "language/line.h"
#include "session/present.h"

/* `u shift 1`, `u+`: a type of the session with words behind its name. */
static bool has_words(const struct session *session, sw_str text)
{
	size_t length = 0;
	while (length < text.length && !strchr(" \t+", text.at[length]))
		length++;
	sw_str name = {text.at, length};
	struct any_type formula;
	bool end = sw_str_is(name, "from") || sw_str_is(name, "to") ||
		(session && session_formula_type(session, name, &formula));
	return session && length < text.length && is_type_name(name) && (end || session_type(session, name));
}

/* `(A union B)+`, which types refuse. */
static bool is_union(sw_str text)
{
	return text.length > 0 && *text.at == '(' && memmem(text.at, text.length, " union ", strlen(" union ")) != NULL;
}

enum written written_as(const struct session *session, sw_str text)
{
	text = sw_str_trim(text);
	bool name = session && is_type_name(text);
	if (name && session_type(session, text))
		return WRITTEN_AS_NAME;
	if (has_words(session, text) || is_union(text))
		return WRITTEN_AS_TYPE;
	if (is_foreign(text))
		return WRITTEN_AS_SHARDING;
	if (name)
		return WRITTEN_AS_NAME;
	bool known = !text.length || memchr(text.at, '~', text.length) || sw_notation_known(text);
	return known ? WRITTEN_AS_TYPE : WRITTEN_UNKNOWN;
}

sw_str ends_behind(sw_str text, sw_str slice)
{
	const char *end = slice.at + slice.length;
	return (sw_str){end, (size_t)(text.at + text.length - end)};
}

sw_str ends_stop(sw_str text)
{
	sw_str arrow = line_arrow(text);
	while (arrow.length && *arrow.at != '~')
		arrow = line_arrow(ends_behind(text, arrow));
	return arrow;
}

static sw_str before(sw_str text, sw_str slice)
{
	return (sw_str){text.at, (size_t)(slice.at - text.at)};
}

/* With the word `mesh` or without. */
static sw_str cut_mesh(sw_str text, sw_arena *arena, struct ends *ends)
{
	struct word *words;
	int count = line_words(before(text, line_arrow(text)), arena, &words);
	int named = count > 0 && sw_str_is(words[0].raw, "mesh");
	if (count < named + 2 || !line_is_mesh(words[named].raw))
		return text;
	ends->mesh = words[named].raw;
	return ends_behind(text, before(text, words[named + 1].raw));
}

static bool is_plain_shape(sw_str text)
{
	sw_mesh none = {0};
	sw_type shape;
	return sw_type_parse(&none, text, &shape, NULL) && shape.first[shape.rank] == 0;
}

static bool is_sharding(const struct session *session, sw_str text)
{
	return text.length && written_as(session, text) == WRITTEN_AS_SHARDING;
}

/* In front of shardings stands a shape only where it is one; in front of types whatever is known may be meant as one. */
static void cut_shape(const struct session *session, sw_str left, sw_arena *arena, struct ends *ends)
{
	struct word *words;
	bool two = line_words(left, arena, &words) > 1 && !sw_distribution_is_word(words[1].raw),
		 plain = two && is_plain_shape(words[0].raw);
	sw_str rest = two ? ends_behind(left, before(left, words[1].raw)) : left;
	sw_str sharding = trace_first(plain ? rest : left);
	bool traced = is_sharding(session, sharding);
	ends->foreign = sharding.length && ends->to.length && (traced || is_sharding(session, ends->to));
	bool shaped = ends->foreign ? plain : two && sw_notation_known(words[0].raw);
	ends->shape = shaped ? words[0].raw : (sw_str){left.at, 0};
	ends->from = ends->foreign ? sharding : sw_str_trim(shaped ? rest : left);
	if (traced)
		ends->to = trace_last(ends->to);
}

void ends_cut(const struct session *session, sw_str text, sw_arena *arena, struct ends *ends)
{
	*ends = (struct ends){0};
	text = cut_mesh(text, arena, ends);
	ends->arrow = line_arrow(text);
	ends->to = sw_str_trim(ends_behind(text, ends->arrow));
	cut_shape(session, before(text, ends->arrow), arena, ends);
}
