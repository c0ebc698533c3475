/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What this program is made of.
 */
#ifndef SHARDWALK_HOST_VERSION_H
#define SHARDWALK_HOST_VERSION_H

#include <shardwalk/text.h>

/* "0.1.0" */
const char *version_number(void);

/* Adds version, compiler, flags and libraries, a line each. */
void version_print(sw_text *text);

#endif
