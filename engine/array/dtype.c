/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Element types: a table of names, sizes and aliases.
 */
#include <shardwalk/type.h>

#include <assert.h>
#include <string.h>

#include "base/scan.h"

typedef struct dtype_row {
	const char *name;
	int bytes;
	const char *aliases; /* separated by blanks */
} dtype_row;

static const dtype_row dtype_rows[SW_DTYPE_COUNT] = {
#define X(id, name, bytes, aliases) [SW_##id] = {name, bytes, aliases},
	SW_DTYPES(X)
#undef X
};

const char *sw_dtype_name(sw_dtype dtype)
{
	assert((unsigned)dtype < SW_DTYPE_COUNT);
	return dtype_rows[dtype].name;
}

int sw_dtype_bytes(sw_dtype dtype)
{
	return dtype_rows[dtype].bytes;
}

/* The next word of a list separated by blanks; empty at its end. */
static sw_str dtype_next_alias(const char **list)
{
	*list += strspn(*list, " ");
	sw_str word = {*list, strcspn(*list, " ")};
	*list += word.length;
	return word;
}

static bool dtype_is_alias(const dtype_row *row, sw_str name)
{
	const char *list = row->aliases;
	for (sw_str word = dtype_next_alias(&list); word.length; word = dtype_next_alias(&list))
		if (sw_str_equal(word, name))
			return true;
	return false;
}

static bool dtype_refuse(sw_str name, sw_diag *diag)
{
	const char *names[SW_DTYPE_COUNT];
	for (int i = 0; i < SW_DTYPE_COUNT; i++)
		names[i] = dtype_rows[i].name;
	int nearest = sw_str_nearest(name, names, SW_DTYPE_COUNT);
	sw_quote quote = sw_scan_quote(name);
	sw_diag_set(diag, SW_T07, (sw_span){0, name.length}, "there is no element type %s", quote.text);
	sw_diag_expected(diag, "an element type such as f32, bf16, i8, pred or c64");
	sw_diag_found(diag, "%s", quote.text);
	if (nearest >= 0)
		sw_diag_hint(diag, "did you mean %s?", names[nearest]);
	return false;
}

static bool dtype_is(const dtype_row *row, sw_str name)
{
	return sw_str_is(name, row->name);
}

bool sw_dtype_parse(sw_str name, sw_dtype *dtype, sw_diag *diag)
{
	static bool (*const called[])(const dtype_row *row, sw_str name) = {dtype_is, dtype_is_alias};
	for (int way = 0; way < 2; way++)
		for (int i = 0; i < SW_DTYPE_COUNT; i++)
			if (called[way](&dtype_rows[i], name)) {
				*dtype = (sw_dtype)i;
				return true;
			}
	return dtype_refuse(name, diag);
}
