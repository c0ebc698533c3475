/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Version, compiler and libraries, as they were when this was built and as they are now.
 */
#include "host/version.h"

#include <stdio.h>

#include <curses.h>
#include <jansson.h>
#include <zlib.h>
#include <readline/readline.h>

#ifndef SW_VERSION
#define SW_VERSION "unknown"
#endif
#ifndef SW_FLAGS
#define SW_FLAGS ""
#endif

const char *version_number(void)
{
	return SW_VERSION;
}

void version_print(sw_text *text)
{
	sw_text_add(text, "shardwalk " SW_VERSION "\n");
#ifdef __clang__
	sw_text_add(text, "compiler: " __VERSION__);
#else
	sw_text_add(text, "compiler: gcc " __VERSION__);
#endif
	sw_text_add(text, *SW_FLAGS ? ", " SW_FLAGS "\n" : "\n");
	sw_text_addf(text, "libraries: jansson %s, readline %s, %s, zlib %s\n", jansson_version_str(), rl_library_version,
		curses_version(), zlibVersion());
}
