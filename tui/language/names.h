/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding a name: exactly, by an unambiguous beginning, or the nearest one to suggest.  Commands, options,
 * settings, values and views are all found this way.
 */
#ifndef SHARDWALK_LANGUAGE_NAMES_H
#define SHARDWALK_LANGUAGE_NAMES_H

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#define NAME_NEAR 60 /* bytes from which a word is near no name */

struct names {
	const char *(*at)(const void *context, int n); /* the n-th name, NULL after the last */
	const void *context;
	const char *what; /* "command" */
	const char *hint; /* what else to do */
};

/* The index of the name, or -1: L09 where several begin like this, `unknown` where none does.  The position is all
 * of `word`. */
int name_find(const struct names *names, sw_str word, sw_code unknown, sw_diag *diag);

#endif
