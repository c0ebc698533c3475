/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding names.
 */
#include "language/names.h"

#include <stdio.h>
#include <string.h>

#define MOST_NAMES 128

static bool begins(const char *name, sw_str word)
{
	return strncmp(name, word.at, word.length) == 0;
}

static int shown(sw_str word)
{
	return (int)(word.length < 60 ? word.length : 60);
}

static int refuse_ambiguous(const struct names *names, sw_str word, sw_diag *diag)
{
	char list[160] = "";
	size_t used = 0;
	for (int i = 0; names->at(names->context, i) && used < sizeof(list); i++)
		if (begins(names->at(names->context, i), word))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "",
				names->at(names->context, i));
	sw_diag_set(diag, SW_L09, (sw_span){0, word.length},
		"'%.*s' is ambiguous: several %ss begin with "
		"it",
		shown(word), word.at, names->what);
	sw_diag_expected(diag, "one of %s", list);
	sw_diag_hint(diag, "write more of it");
	return -1;
}

static int refuse_unknown(const struct names *names, sw_str word, sw_code code, sw_diag *diag)
{
	const char *all[MOST_NAMES];
	int count = 0;
	char list[160] = "";
	size_t used = 0;
	for (; count < MOST_NAMES && names->at(names->context, count); count++) {
		all[count] = names->at(names->context, count);
		if (used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", count ? ", " : "", all[count]);
	}
	int near = word.length < NAME_NEAR ? sw_str_nearest(word, all, count) : -1;
	sw_diag_set(diag, code, (sw_span){0, word.length}, "there is no %s '%.*s'", names->what, shown(word), word.at);
	if (used < sizeof(list))
		sw_diag_expected(diag, "%s%s", count > 1 ? "one of " : "", list);
	if (near >= 0)
		sw_diag_hint(diag, "did you mean '%s'?", all[near]);
	else
		sw_diag_hint(diag, "%s", names->hint);
	return -1;
}

int name_find(const struct names *names, sw_str word, sw_code unknown, sw_diag *diag)
{
	int found = -1, count = 0;
	for (int i = 0; names->at(names->context, i); i++) {
		const char *name = names->at(names->context, i);
		if (sw_str_is(word, name))
			return i;
		if (word.length && begins(name, word)) {
			found = i;
			count++;
		}
	}
	if (count == 1)
		return found;
	return count ? refuse_ambiguous(names, word, diag) : refuse_unknown(names, word, unknown, diag);
}
