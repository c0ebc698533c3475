/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values in Python syntax, as programs write and print them: calls, tuples, lists, sets, dictionaries, and what is in them.
 *
 * They are read item by item over a scan: a reader takes an item in place, with the scan's diagnostics, or steps over it.  Where nothing is
 * refused a list is a slice, and so are its items.  Nothing is kept, so brackets may be as deep as they like; a byte that is stepped over
 * is looked at once.
 */
#ifndef SHARDWALK_BASE_PYTHON_H
#define SHARDWALK_BASE_PYTHON_H

#include "base/scan.h"

#define SW_PY_BRACKETS "([{"

/* The list that is being read. */
typedef struct sw_py_list {
	sw_scan *scan;
	sw_span open; /* its bracket */
	char close;
	bool filled; /* set by the caller: one without items is refused by whoever reads the first */
	bool
		ok; /* false: something else than a comma or the closing bracket followed an item, which the diagnostic says */
	int count; /* of items, with the one that comes next */
} sw_py_list;

/* Steps over the next bracket, which is one of these, and begins its list.  Where something else is there it is refused, with what was
 * expected; or where that is NULL, left there. */
bool sw_py_open(sw_py_list *list, sw_scan *scan, const char *brackets, const char *expected);

/* Is there another item?  Steps over the comma before it, or over the closing bracket; the last item may have a comma behind it. */
bool sw_py_next(sw_py_list *list);

/* Behind an item, steps over all others and the closing bracket; what `ok` says. */
bool sw_py_rest(sw_py_list *list);

/* Steps over a value with its brackets and strings, up to a comma, a closing bracket or a zero byte; <> are brackets
 * here, as in `<Mesh ...>`. */
sw_str sw_py_value(sw_scan *scan);

/* The dotted word that comes next, without what stands before its last dot; empty where there is none. */
sw_str sw_py_word(sw_scan *scan, sw_span *at);

/* Steps over `NAME=` where it is there. */
bool sw_py_named(sw_scan *scan, const char *name);

/* ---- slices ---- */

typedef struct sw_py_item {
	sw_str text;  /* without blanks around it; empty between two commas */
	sw_str key;   /* of `NAME=VALUE` and `'NAME': VALUE`, without quotes; empty: it has none */
	sw_str value; /* the text without the key */
} sw_py_item;

/* Takes the next item off a list without its brackets; false: there is none. */
bool sw_py_take(sw_str *list, sw_py_item *item);

/* What is in the brackets around all of the text, one of these; the text itself where there are none. */
sw_str sw_py_inside(sw_str text, const char *brackets);

/* Is all of the text one call?  Its function without what stands before the last dot, and its arguments without parentheses.  The function
 * is also found where the text begins with one and is no call. */
bool sw_py_call(sw_str text, sw_str *function, sw_str *arguments);

#endif
