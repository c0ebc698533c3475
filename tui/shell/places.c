/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Places, by the XDG base directory rules: a relative path in a variable is as good as none.
 */
#include "shell/places.h"

#include <stdlib.h>
#include <unistd.h>

void places_config(sw_text *path)
{
	const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	if (base && *base == '/')
		sw_text_addf(path, "%s/shardwalk/config", base);
	else if (home && *home)
		sw_text_addf(path, "%s/.config/shardwalk/config", home);
}

void places_print(sw_text *text)
{
	sw_text path = {0};
	places_config(&path);
	const char *name = sw_text_get(&path);
	sw_text_addf(text, "configuration: %s%s\n", *name ? name : "none", *name && access(name, R_OK) != 0 ?
		" (not there)" : "");
	sw_text_free(&path);
}
