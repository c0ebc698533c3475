/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The read-only mode, and files that one may want it for.
 */
#include "host/safe.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static bool safe;

void safe_begin(void)
{
	safe = true;
}

bool safe_is_on(void)
{
	return safe;
}

bool safe_refuses(sw_diag *diag, const char *format, ...)
{
	char what[160];
	va_list arguments;
	if (!safe)
		return false;
	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	sw_diag_set(diag, SW_L15, (sw_span){0, 0}, "%s, and this session is read-only", what);
	sw_diag_hint(diag, "--safe or `set safe on` made it so until it ends; a file may be -, standard output");
	return true;
}

/* Browsers and other loaders note the address that a file came from. */
static bool was_loaded(const char *name)
{
	return getxattr(name, "user.xdg.origin.url", NULL, 0) >= 0;
}

const char *safe_elsewhere(const char *name)
{
	struct stat info;
	if (stat(name, &info) != 0 || !S_ISREG(info.st_mode))
		return NULL;
	if (was_loaded(name))
		return "it was loaded from elsewhere";
	if (info.st_uid != geteuid() && info.st_uid != 0)
		return "it belongs to another user";
	return info.st_mode & S_IWOTH ? "everyone may write to it" : NULL;
}
