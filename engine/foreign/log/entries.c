/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two dictionaries of shardings as JAX prints them: what a checkpoint has and what it is loaded for.  Equal keys are a pair.
 *
 *     {'w': NamedSharding(...), 'layer': {'b': NamedSharding(...)}} -> {'w': NamedSharding(...), ...}
 *
 * The arrow may be left out.  Keys of inner dictionaries follow those of the outer ones, behind a slash.
 */
#include "foreign/log/parts.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64 };

typedef struct entry {
	sw_str key, value;
} entry;

typedef struct dictionary {
	entry *entry;
	int count, room;
} dictionary;

typedef struct reading {
	sw_str text;
	sw_arena *arena;
	sw_diag *diag;
} reading;

/* ---- one dictionary ---- */

static bool is_quote(char c)
{
	return c == '\'' || c == '"';
}

/* The string in quotes at the start; empty: there is none. */
static sw_str quoted(sw_str text)
{
	if (text.length < 2 || !is_quote(*text.at))
		return (sw_str){text.at, 0};
	const char *end = memchr(text.at + 1, *text.at, text.length - 1);
	return end ? (sw_str){text.at, (size_t)(end - text.at) + 1} : (sw_str){text.at, 0};
}

static bool add_entry(const reading *r, dictionary *all, sw_str outer, sw_str key, sw_str value)
{
	if (all->count == all->room) {
		int room = all->room ? 2 * all->room : 64;
		entry *more = SW_NEW(r->arena, entry, room);
		if (!more)
			return sw_diag_memory(r->diag);
		if (all->count)
			memcpy(more, all->entry, (size_t)all->count * sizeof *more);
		all->entry = more;
		all->room = room;
	}
	sw_text whole = {0};
	sw_text_add_str(&whole, outer);
	sw_text_add_str(&whole, key);
	size_t length = whole.length;
	const char *kept = whole.failed ? NULL : sw_arena_copy(r->arena, sw_text_get(&whole), length);
	sw_text_free(&whole);
	if (!kept)
		return sw_diag_memory(r->diag);
	all->entry[all->count++] = (entry){{kept, length}, value};
	return true;
}

/* `outer` with the key and a slash behind it. */
static bool inner_name(const reading *r, sw_str outer, sw_str key, sw_str *name)
{
	sw_text text = {0};
	sw_text_add_str(&text, outer);
	sw_text_add_str(&text, key);
	sw_text_add_char(&text, '/');
	size_t length = text.length;
	const char *kept = text.failed ? NULL : sw_arena_copy(r->arena, sw_text_get(&text), length);
	sw_text_free(&text);
	*name = (sw_str){kept, length};
	return kept || sw_diag_memory(r->diag);
}

/* Dictionaries that are open, inside of one another. */
typedef struct level {
	sw_str items, outer;
	size_t at;
} level;

/* The next item of the innermost one; *deep is raised where it is a dictionary itself.  *is: it has a key. */
static bool read_item(const reading *r, level *open, int *deep, dictionary *all, bool *is)
{
	level *now = &open[*deep];
	sw_str item = sw_str_split(now->items, &now->at, SW_NESTING_PYTHON), key = quoted(item);
	if (!item.length)
		return true;
	sw_str rest = sw_str_trim(sw_str_behind(item, key.length));
	*is = key.length > 2 && rest.length > 1 && *rest.at == ':';
	if (!*is)
		return true;
	key = sw_str_inner(key);
	rest = sw_str_trim(sw_str_behind(rest, 1));
	bool inner = rest.length && *rest.at == '{' && quoted(sw_str_trim(sw_str_behind(rest, 1))).length &&
		sw_str_balanced(rest, 0, SW_NESTING_PYTHON) == rest.length;
	if (!inner || *deep + 1 == DEPTH)
		return add_entry(r, all, now->outer, key, rest);
	open[*deep + 1] = (level){.items = sw_str_inner(rest)};
	return inner_name(r, now->outer, key, &open[++*deep].outer);
}

/* *is: it is a dictionary with names for keys. */
static bool read_dictionary(const reading *r, sw_str text, dictionary *all, bool *is)
{
	level *open = SW_NEW(r->arena, level, DEPTH);
	if (!open)
		return sw_diag_memory(r->diag);
	open[0] = (level){.items = sw_str_inner(text), .outer = {"", 0}};
	*is = true;
	for (int deep = 0; deep >= 0 && *is;) {
		if (open[deep].at > open[deep].items.length)
			deep--;
		else if (!read_item(r, open, &deep, all, is))
			return false;
	}
	*is = *is && all->count > 0;
	return true;
}

/* ---- two ---- */

/* The dictionary that begins the text, perhaps behind `NAME =`; empty: none does. */
static sw_str dictionary_at(sw_str text)
{
	size_t at = 0;
	while (at < text.length && !strchr("{([\n\"'", text.at[at]))
		at++;
	bool named = at == 0 || text.at[at - 1] == ' ' || text.at[at - 1] == '=';
	bool begins = at < text.length && text.at[at] == '{' && named &&
		quoted(sw_str_trim(sw_str_behind(text, at + 1))).length > 0;
	size_t end = begins ? sw_str_balanced(text, at, SW_NESTING_PYTHON) : 0;
	return end ? (sw_str){text.at + at, end - at} : (sw_str){text.at, 0};
}

/* Behind blanks, an arrow, a comma or a semicolon. */
static sw_str behind_sign(sw_str text)
{
	static const char *const signs[] = {"~>", "->", "=>", "to ", ",", ";"};
	text = sw_str_trim(text);
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (sw_str_starts(text, signs[i]))
			return sw_str_trim(sw_str_behind(text, strlen(signs[i])));
	return text;
}

static int compare_entries(const void *a, const void *b)
{
	const entry *left = a, *right = b;
	size_t length = sw_log_least(left->key.length, right->key.length);
	int order = memcmp(left->key.at, right->key.at, length);
	return order ? order : (left->key.length > right->key.length) - (left->key.length < right->key.length);
}

static sw_log_text place_of(const reading *r, sw_str slice)
{
	size_t begin = (size_t)(slice.at - r->text.at);
	return (sw_log_text){.text = slice, .at = {begin, begin + slice.length}};
}

static sw_log_found found_of(const reading *r, const entry *from, const entry *to)
{
	sw_log_text left = place_of(r, from->value), right = place_of(r, to->value);
	return (sw_log_found){.from = left,
		.to = right,
		.at = {left.at.begin, right.at.end},
		.value = from->key,
		.entry = true,
		.is_global = true};
}

/* Names of entries on one side only, as a person lists them. */
static bool keep_alone(const reading *r, const dictionary *of, const dictionary *sorted, sw_log_alone *alone)
{
	sw_text text = {0};
	alone->count = 0;
	for (int i = 0; i < of->count; i++) {
		if (bsearch(&of->entry[i], sorted->entry, (size_t)sorted->count, sizeof(entry), compare_entries))
			continue;
		if (alone->count++ < SW_LOG_NAMES)
			sw_text_addf(&text, "%s'%.*s'", text.length ? ", " : "", (int)of->entry[i].key.length,
				of->entry[i].key.at);
	}
	alone->names = alone->count ? sw_text_keep(&text, r->arena) : NULL;
	sw_text_free(&text);
	return !alone->count || alone->names || sw_diag_memory(r->diag);
}

static bool sort(const reading *r, const dictionary *of, dictionary *sorted)
{
	*sorted = (dictionary){SW_NEW(r->arena, entry, of->count), of->count, of->count};
	if (!sorted->entry)
		return sw_diag_memory(r->diag);
	memcpy(sorted->entry, of->entry, (size_t)of->count * sizeof(entry));
	qsort(sorted->entry, (size_t)sorted->count, sizeof(entry), compare_entries);
	return true;
}

static bool take_pairs(const reading *r, const dictionary side[2], sw_log_taker *take, void *context,
	sw_log_alone alone[2])
{
	dictionary sorted[2];
	if (!sort(r, &side[0], &sorted[0]) || !sort(r, &side[1], &sorted[1]))
		return false;
	for (int i = 0; i < side[0].count; i++) {
		const entry *to = bsearch(&side[0].entry[i], sorted[1].entry, (size_t)sorted[1].count, sizeof(entry),
			compare_entries);
		if (!to)
			continue;
		sw_log_found found = found_of(r, &side[0].entry[i], to);
		if (!take(context, &found, sw_arena_here(r->arena)))
			return false;
	}
	return keep_alone(r, &side[0], &sorted[1], &alone[0]) && keep_alone(r, &side[1], &sorted[0], &alone[1]);
}

bool sw_log_entries(sw_str text, sw_arena *arena, sw_log_taker *take, void *context, sw_log_alone alone[2], bool *any,
	sw_diag *diag)
{
	const reading r = {.text = text, .arena = arena, .diag = diag};
	dictionary side[2] = {0};
	sw_str first = dictionary_at(sw_str_trim(text)), second = {text.at, 0};
	*any = false;
	if (first.length)
		second = dictionary_at(behind_sign(sw_str_behind(text, (size_t)(first.at - text.at) + first.length)));
	if (!second.length)
		return true;
	bool is[2] = {false, false};
	if (!read_dictionary(&r, first, &side[0], &is[0]) || !read_dictionary(&r, second, &side[1], &is[1]))
		return false;
	*any = is[0] && is[1];
	return !*any || take_pairs(&r, side, take, context, alone);
}
