/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What this program is made of.
 */
#ifndef SHARDWALK_VERSION_H
#define SHARDWALK_VERSION_H

#include <shardwalk/text.h>

/* Adds version, compiler, flags and libraries, a line each. */
void version_print(sw_text *text);

#endif
