/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paths, by the XDG base directory rules: a relative path in a variable is as good as none.
 */
#include "host/paths.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A base directory, and a name under it. */
static void add_place(sw_text *path, const char *variable, const char *usual, const char *name)
{
	const char *base = getenv(variable), *home = getenv("HOME");
	if (base && *base == '/')
		sw_text_addf(path, "%s/shardwalk/%s", base, name);
	else if (home && *home == '/')
		sw_text_addf(path, "%s/%s/shardwalk/%s", home, usual, name);
}

void path_config(sw_text *path)
{
	add_place(path, "XDG_CONFIG_HOME", ".config", "config");
}

void path_history(sw_text *path)
{
	add_place(path, "XDG_STATE_HOME", ".local/state", "history");
}

void path_calibration(sw_text *path)
{
	add_place(path, "XDG_STATE_HOME", ".local/state", "calibration.json");
}

const char *pager_program(void)
{
	const char *own = getenv("SHARDWALK_PAGER"), *everybody = getenv("PAGER");
	const char *program = own ? own : everybody ? everybody : "less";
	return *program && strcmp(program, "cat") != 0 ? program : NULL;
}

static void print_path(sw_text *text, const char *what, void (*path_of)(sw_text *path))
{
	sw_text path = {0};
	path_of(&path);
	const char *name = sw_text_get(&path);
	sw_text_addf(text, "%s: %s%s\n", what, *name ? name : "none",
		*name && access(name, R_OK) != 0 ? " (not there)" : "");
	sw_text_free(&path);
}

void paths_print(sw_text *text)
{
	print_path(text, "configuration", path_config);
	print_path(text, "history", path_history);
	sw_text_addf(text, "pager: %s\n", pager_program() ? pager_program() : "none");
	print_path(text, "calibration", path_calibration);
}
