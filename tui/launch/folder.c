/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making and removing the folder of a run.
 */
#define _GNU_SOURCE
#include "launch/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/leftovers.h"

enum { BOOT = 48, NAME = 64 };

#define BEGINNING "shardwalk-"

/* ---- folders that nobody needs any more ---- */

/* A folder on a disk that hosts share may be another host's. */
static void read_boot(char boot[BOOT])
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	if (!file || !fgets(boot, BOOT, file))
		*boot = '\0';
	if (file)
		fclose(file);
	boot[strcspn(boot, "\n")] = '\0';
}

/* Does the journal say that this machine made it, and does no process hold it? */
static bool is_left(const char *path)
{
	char journal[PATH_MAX], boot[BOOT], line[BOOT + 8] = "";
	snprintf(journal, sizeof(journal), "%.*s/%s", PATH_MAX - 16, path, JOURNAL);
	int file = open(journal, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool held = file < 0 || flock(file, LOCK_EX | LOCK_NB) != 0;
	ssize_t n = held ? -1 : read(file, line, sizeof(line) - 1);
	if (file >= 0)
		close(file);
	read_boot(boot);
	return n > 5 && *boot && strncmp(line, "boot ", 5) == 0 && strncmp(line + 5, boot, strlen(boot)) == 0;
}

/* The beginning of the name of a folder that a process of this machine makes. */
static void name_beginning(char name[NAME], long maker)
{
	char boot[BOOT];
	read_boot(boot);
	snprintf(name, NAME, BEGINNING "%.8s-%ld-", *boot ? boot : "0", maker);
}

/* Was it left before its journal said who needs it, by a process of this machine that has gone? */
static bool is_half_made(const char *path, const char *name)
{
	char journal[PATH_MAX], beginning[NAME];
	struct stat about;
	const char *number = strchr(name + sizeof(BEGINNING) - 1, '-');
	long maker = number ? strtol(number + 1, NULL, 10) : 0;
	if (maker <= 0)
		return false;
	name_beginning(beginning, maker);
	snprintf(journal, sizeof(journal), "%.*s/%s", PATH_MAX - 16, path, JOURNAL);
	return strncmp(name, beginning, strlen(beginning)) == 0 && kill((pid_t)maker, 0) != 0 && errno == ESRCH &&
		(stat(journal, &about) != 0 || about.st_size == 0);
}

static void remove_left(const char *base)
{
	char path[PATH_MAX];
	DIR *folder = opendir(base);
	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		bool ours = strncmp(entry->d_name, BEGINNING, sizeof(BEGINNING) - 1) == 0;
		if (!ours || snprintf(path, sizeof(path), "%s/%s", base, entry->d_name) >= PATH_MAX ||
			(!is_left(path) && !is_half_made(path, entry->d_name)))
			continue;
		leftovers_remove(path);
		folder_remove(path);
	}
	if (folder)
		closedir(folder);
}

/* ---- making one ---- */

static int begin_journal(const char *path)
{
	char journal[PATH_MAX], boot[BOOT];
	read_boot(boot);
	snprintf(journal, sizeof(journal), "%.*s/%s", PATH_MAX - 16, path, JOURNAL);
	int file = open(journal, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (file >= 0 && flock(file, LOCK_SH) == 0)
		dprintf(file, "boot %s\n", boot);
	return file;
}

bool folder_make(char path[PATH_MAX], bool here, int *lock, sw_diag *diag)
{
	const char *base = getenv("TMPDIR");
	char present[PATH_MAX], name[NAME];
	if (here)
		base = getcwd(present, sizeof(present));
	if (!base || *base != '/')
		base = "/tmp";
	if (!here)
		remove_left(base);
	name_beginning(name, (long)getpid());
	errno = ENAMETOOLONG;
	if (snprintf(path, PATH_MAX, "%s/%s%sXXXXXX", base, here ? "." : "", name) < PATH_MAX && mkdtemp(path)) {
		*lock = begin_journal(path);
		return true;
	}
	*path = '\0';
	sw_diag_set(diag, SW_B02, (sw_span){0, 0}, "cannot make a folder in '%.120s' for the files of the run: %s", base,
		strerror(errno));
	sw_diag_hint(diag, "%s",
		here ? "runs on several hosts keep their files in the present folder, which the hosts must share" :
			   "set TMPDIR to a place with space");
	return false;
}

/* ---- removing one ---- */

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
