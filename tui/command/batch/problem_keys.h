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

/* A key that is read. */
struct key_read {
	const char *name;
	unsigned kinds;       /* that its value may be of: bits 1 << json_type */
	const char *expected; /* in words */
	bool notation;        /* read beside texts of another notation, and not copied to a problem in types */
};
#define KEYS_READ 14
extern const struct key_read keys_read[KEYS_READ];

/* The row of a key that is read; NULL where it is not. */
const struct key_read *key_read(const char *name);

/* Unknown keys that were named in this run; start from {0}, end with sw_text_free. */
struct keys_named {
	sw_text names;
	int line;  /* the present one */
	bool full; /* more than are remembered */
};

/* Refuses a key with a meaning that is not read, marked in `line`: B03, N05 where it is one mesh more.  `remark` gets
 * the unknown keys that no line before this one had.  What is null or an empty list says nothing. */
bool keys_check(json_t *object, sw_str line, struct keys_named *named, sw_text *remark, sw_diag *diag);

#endif
