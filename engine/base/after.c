/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words and digits that are looked for in a text.
 */
#define _GNU_SOURCE
#include "base/after.h"

#include <string.h>

size_t sw_str_digits(sw_str text)
{
	size_t length = 0;
	while (length < text.length && text.at[length] >= '0' && text.at[length] <= '9')
		length++;
	return length;
}

bool sw_str_after(sw_str text, const char *key, sw_str *rest)
{
	size_t length = strlen(key);
	const char *at = text.length ? memmem(text.at, text.length, key, length) : NULL;
	*rest = sw_str_behind(text, at ? (size_t)(at - text.at) + length : text.length);
	return at != NULL;
}
