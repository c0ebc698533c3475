/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What follows a word in a text of somebody else.
 */
#ifndef SW_BASE_AFTER_H
#define SW_BASE_AFTER_H

#include <shardwalk/text.h>

/* How many digits it begins with. */
size_t sw_str_digits(sw_str text);

/* Is `key` in it?  *rest is what follows the first one, else empty. */
bool sw_str_after(sw_str text, const char *key, sw_str *rest);

#endif
