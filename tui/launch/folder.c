/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making and removing the folder of a run.
 */
#define _GNU_SOURCE
#include "launch/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool folder_make(char path[PATH_MAX], bool here, sw_diag *diag)
{
	const char *base = getenv("TMPDIR");
	char present[PATH_MAX];
	if (here)
		base = getcwd(present, sizeof(present));
	if (!base || *base != '/')
		base = "/tmp";
	errno = ENAMETOOLONG;
	if (snprintf(path, PATH_MAX, "%s/%sshardwalk-XXXXXX", base, here ? "." : "") < PATH_MAX && mkdtemp(path))
		return true;
	sw_diag_set(diag, SW_B02, (sw_span){0, 0}, "cannot make a folder in '%.120s' for the files of the run: %s", base,
		strerror(errno));
	sw_diag_hint(diag, "%s", here ? "runs on several hosts keep their files in the present folder, which the hosts share"
		: "TMPDIR may name another place with room");
	return false;
}

void folder_remove(const char *path)
{
	DIR *folder = opendir(path);
	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	rmdir(path);
}
