/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of a problem as an object of JSON: which are read, which only tell something about it, and which
 * would make it another problem.
 */
#ifndef SHARDWALK_COMMAND_PROBLEM_KEYS_H
#define SHARDWALK_COMMAND_PROBLEM_KEYS_H

#include <jansson.h>
#include <shardwalk/diag.h>
#include <shardwalk/text.h>

/* Unknown keys that were named in this run; start from {0}, end with sw_text_free. */
struct keys_named {
	sw_text names;
	int line;  /* the present one */
	bool full; /* more than are remembered */
};

/* Refuses a key with a meaning that is not read, marked in `line`: B03, N05 where it is a second mesh.  `remark` gets
 * the unknown keys that no line before this one had.  What is null or an empty list says nothing. */
bool keys_check(json_t *object, sw_str line, struct keys_named *named, sw_text *remark, sw_diag *diag);

/* The keys of another notation: read beside texts of that notation, and not copied to a problem in types. */
extern const char *const keys_of_notations[]; /* ends with NULL */

#endif
