/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Locations of operations, which a module has where it was printed with them:
 *
 *     #loc5 = loc("train.py":11:6 to :53)
 *     #loc12 = loc("f"(#loc5))
 *     #loc18 = loc(callsite(#loc12 at #loc11))
 *     #loc25 = loc("jit(f)/sharding_constraint"(#loc18))
 */
#define _GNU_SOURCE
#include "foreign/module/mlir.h"

#include <string.h>

#define LOC_DEEP 64 /* locations within locations */

struct mlir_locs {
	sw_names names;
	int room;
	sw_str *text;
	sw_str *caller; /* of what is called: the first location that calls it */
	bool *shared;   /* others call it, too, as a function that only constrains */
};

/* `#loc12`, or empty. */
static sw_str name_at(sw_str text)
{
	size_t length = strlen("#loc");
	return (sw_str){text.at, sw_str_starts(text, "#loc") ? length + sw_str_digits(sw_str_behind(text, length)) : 0};
}

/* The next line that defines a location, from *at on; empty: none. */
static sw_str next_definition(sw_str text, size_t *at)
{
	while (*at < text.length) {
		const char *end = memchr(text.at + *at, '\n', text.length - *at);
		sw_str line = {text.at + *at, end ? (size_t)(end - text.at) - *at : text.length - *at};
		*at += line.length + 1;
		sw_str name = name_at(line);
		if (name.length && sw_str_starts((sw_str){line.at + name.length, line.length - name.length}, " = loc("))
			return line;
	}
	return (sw_str){"", 0};
}

/* Of `callsite(#loc12 at #loc11)`; false: it is none. */
static bool is_call(sw_str text, sw_str *called, sw_str *caller)
{
	static const char word[] = "callsite(", between[] = " at #loc";
	const char *at = memmem(text.at, text.length, between, strlen(between));
	if (!sw_str_starts(text, word) || !at)
		return false;
	*called = name_at((sw_str){text.at + strlen(word), text.length - strlen(word)});
	at += strlen(" at ");
	*caller = name_at((sw_str){at, (size_t)(text.at + text.length - at)});
	return called->length > 0;
}

static void note_callers(struct mlir_locs *locs)
{
	sw_str called, caller;
	for (int i = 0; i < locs->names.count; i++) {
		if (!is_call(locs->text[i], &called, &caller) || sw_str_equal(called, caller))
			continue;
		int slot = sw_names_find(&locs->names, called);
		if (slot < 0)
			continue;
		if (!locs->caller[slot].length)
			locs->caller[slot] = caller;
		locs->shared[slot] |= !sw_str_equal(locs->caller[slot], caller);
	}
}

static struct mlir_locs *locs_of(graph_module *module)
{
	size_t at = 0;
	sw_str line;
	struct mlir_locs *locs = module->locs ? module->locs : SW_NEW_ZERO(module->arena, struct mlir_locs, 1);
	if (!locs || module->locs)
		return locs;
	sw_names_start(&locs->names, module->arena);
	while ((line = next_definition(module->around, &at)).length) {
		sw_str name = name_at(line);
		int count = locs->names.count;
		if (!SW_GROW(module->arena, locs->text, count, locs->room, 64) || !sw_names_add(&locs->names, name, count))
			return NULL;
		locs->text[count] = sw_str_behind(line, name.length + strlen(" = loc("));
	}
	locs->caller = SW_NEW_ZERO(module->arena, sw_str, locs->names.count + 1);
	locs->shared = SW_NEW_ZERO(module->arena, bool, locs->names.count + 1);
	if (!locs->caller || !locs->shared)
		return NULL;
	note_callers(locs);
	return module->locs = locs;
}

/* The string in quotes at the start, and what follows it. */
static sw_str quoted(sw_str text, sw_str *rest)
{
	size_t end = 1;
	while (end < text.length && text.at[end] != '"')
		end += text.at[end] == '\\' ? 2 : 1;
	if (end >= text.length)
		end = text.length ? text.length - 1 : 0;
	*rest = (sw_str){text.at + end + (text.length > 0), text.length - end - (text.length > 0)};
	return (sw_str){text.at + 1, end > 1 ? end - 1 : 0};
}

/* Is it a position: a string, and the number of a line behind it? */
static bool is_place(sw_str text, sw_str *file, sw_str *line)
{
	sw_str rest;
	if (!sw_str_starts(text, "\""))
		return false;
	*file = quoted(text, &rest);
	if (!sw_str_starts(rest, ":"))
		return false;
	*line = (sw_str){rest.at + 1, 0};
	line->length = sw_str_digits(sw_str_behind(rest, 1));
	return line->length > 0;
}

/* The position that a location leads to, and, where others call it, too, who calls it here. */
struct place {
	sw_str file, line, caller;
};

static bool find_place(const struct mlir_locs *locs, sw_str loc, sw_text *name, struct place *place)
{
	sw_str text = loc, rest, called, caller;
	*place = (struct place){.caller = {"", 0}};
	for (int deep = 0; deep < LOC_DEEP && text.length; deep++) {
		if (is_place(text, &place->file, &place->line))
			return true;
		int slot = is_call(text, &called, &caller) ? sw_names_find(&locs->names, called) : -1;
		if (slot >= 0 && locs->shared[slot])
			place->caller = caller;
		sw_str own = sw_str_starts(text, "\"") ? quoted(text, &rest) : (sw_str){"", 0};
		if (own.length && !name->length)
			sw_text_add_str(name, own);
		const char *inner = own.length ? memmem(rest.at, rest.length, "#loc", 4) :
										 memmem(text.at, text.length, "#loc", 4);
		const char *position = own.length && sw_str_starts(rest, "(\"") ? rest.at + 1 :
			!own.length                                                 ? memchr(text.at, '"', text.length) :
																		  NULL;
		const char *next = inner && (!position || inner < position) ? inner : position;
		if (!next)
			break;
		text = (sw_str){next, (size_t)(text.at + text.length - next)};
		int named = next == inner ? sw_names_find(&locs->names, name_at(text)) : -1;
		if (next == inner)
			text = named >= 0 ? locs->text[named] : (sw_str){"", 0};
	}
	return false;
}

static void add_place(const struct place *place, sw_text *text)
{
	sw_text_add_str(text, place->file);
	sw_text_add_char(text, ':');
	sw_text_add_str(text, place->line);
}

/* ", from FILE:LINE", the file without its folders. */
static void add_caller(const struct mlir_locs *locs, const struct place *called, sw_text *text)
{
	struct place place;
	sw_str loc = called->caller;
	sw_text name = {0};
	const char *slash;
	bool found = loc.length && find_place(locs, loc, &name, &place);
	/* A loop calls itself there. */
	if (found && !(sw_str_equal(place.file, called->file) && sw_str_equal(place.line, called->line))) {
		slash = memrchr(place.file.at, '/', place.file.length);
		if (slash)
			place.file = (sw_str){slash + 1, (size_t)(place.file.at + place.file.length - slash) - 1};
		sw_text_add(text, ", from ");
		add_place(&place, text);
	}
	sw_text_free(&name);
}

bool mlir_loc_read(graph_module *module, sw_str loc, sw_text *name, sw_text *source)
{
	const struct mlir_locs *locs = locs_of(module);
	struct place place;
	if (locs && find_place(locs, loc, name, &place)) {
		add_place(&place, source);
		add_caller(locs, &place, source);
	}
	return locs != NULL;
}
