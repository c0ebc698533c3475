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

bool mlir_loc_read(graph_module *module, sw_str loc, sw_text *name, sw_text *source)
{
	const struct mlir_locs *locs = locs_of(module);
	sw_str text = loc, file, line, rest;
	for (int deep = 0; locs && deep < LOC_DEEP && text.length; deep++) {
		if (is_place(text, &file, &line)) {
			sw_text_add_str(source, file);
			sw_text_add_char(source, ':');
			sw_text_add_str(source, line);
			break;
		}
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
	return locs != NULL;
}
