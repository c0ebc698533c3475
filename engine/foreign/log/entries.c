/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two dictionaries of shardings as JAX prints them: what a checkpoint has and what it is loaded for.  Equal keys are a pair.
 *
 *     {'w': NamedSharding(...), 'layer': {'b': NamedSharding(...)}} -> {'w': NamedSharding(...), ...}
 *
 * The arrow may be left out.  Keys of inner dictionaries follow those of the outer ones, behind a slash.  Tuples and lists of shardings, as
 * `compiled.input_shardings` prints them, are dictionaries whose keys are 0, 1, ...
 */
#define _GNU_SOURCE
#include "foreign/log/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/python.h"

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

/* The first item of these has a name in quotes for its key. */
static bool has_name(const sw_py_item *item)
{
	return item->key.length > 0 && item->key.at > item->text.at && item->value.length > 0;
}

static bool has_shardings(sw_str text)
{
	return text.length > 0 && memmem(text.at, text.length, "Sharding(", strlen("Sharding(")) != NULL;
}

/* `(NamedSharding(...), ...)`: one that has a comma of its own. */
static bool is_tuple(sw_str text)
{
	sw_str inner = sw_py_inside(text, "([");
	return inner.length < text.length && sw_str_outside(inner, 0, SW_NESTING_PYTHON, ",") < inner.length &&
		has_shardings(inner);
}

/* The items of a dictionary that has some, or of a tuple or list of shardings; empty: it is none. */
static sw_str items_of(sw_str text)
{
	sw_py_item first;
	sw_str inner = sw_py_inside(text, "{"), rest = inner;
	bool is = inner.length < text.length && sw_py_take(&rest, &first) && has_name(&first);
	return is ? inner : is_tuple(text) ? sw_py_inside(text, "([") : (sw_str){text.at, 0};
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
	bool tuple;
	int taken; /* items of a tuple */
} level;

/* `{}` and `()`, such as the arguments by name of a function that has none. */
static bool is_empty(sw_str text)
{
	return text.length > 1 && strchr("{([", *text.at) && !sw_str_trim(sw_str_inner(text)).length;
}

/* The next item of the innermost one; *deep is raised where it is a dictionary itself.  *is: it has a key. */
static bool read_item(const reading *r, level *open, int *deep, dictionary *all, bool *is)
{
	level *now = &open[*deep];
	sw_py_item item;
	char number[16];
	if (!sw_py_take(&now->items, &item) || !item.text.length)
		return true;
	if (now->tuple) {
		int length = snprintf(number, sizeof number, "%d", now->taken++);
		item.key = (sw_str){number, (size_t)length};
		if (is_empty(item.text))
			return true;
	}
	*is = now->tuple || has_name(&item);
	if (!*is)
		return true;
	sw_str inner = items_of(item.value);
	if (!inner.length || *deep + 1 == DEPTH)
		return add_entry(r, all, now->outer, item.key, item.value);
	open[*deep + 1] = (level){.items = inner, .tuple = *sw_str_trim(item.value).at != '{'};
	return inner_name(r, now->outer, item.key, &open[++*deep].outer);
}

/* *is: it is a dictionary with names for keys. */
static bool read_dictionary(const reading *r, sw_str text, dictionary *all, bool *is)
{
	level *open = SW_NEW(r->arena, level, DEPTH);
	if (!open)
		return sw_diag_memory(r->diag);
	open[0] = (level){.items = sw_str_inner(text), .outer = {"", 0}, .tuple = *text.at != '{'};
	*is = true;
	for (int deep = 0; deep >= 0 && *is;) {
		if (!open[deep].items.length)
			deep--;
		else if (!read_item(r, open, &deep, all, is))
			return false;
	}
	*is = *is && all->count > 0;
	return true;
}

/* ---- two ---- */

/* The dictionary or tuple that begins the text, perhaps behind `NAME =`; empty: none does. */
static sw_str dictionary_at(sw_str text)
{
	size_t at = 0;
	while (at < text.length && !strchr("{([\n\"'", text.at[at]))
		at++;
	bool named = at == 0 || text.at[at - 1] == ' ' || text.at[at - 1] == '=';
	size_t end = at < text.length && strchr("{([", text.at[at]) && named ?
		sw_str_balanced(text, at, SW_NESTING_PYTHON) :
		0;
	sw_str all = {text.at + at, end ? end - at : 0};
	return items_of(all).length ? all : (sw_str){text.at, 0};
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
