/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading journals, which `mpi_exec/journal.c` describes.
 */
#define _GNU_SOURCE
#include "launch/leftovers.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

static void remove_file(const char *path, unsigned long long device, unsigned long long inode)
{
	struct stat info;
	if (lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_dev == device && info.st_ino == inode)
		unlink(path);
}

/* One that ranks still use goes with the last of them. */
static void remove_segment(unsigned key, int pid)
{
	struct shmid_ds info;
	int segment = shmget((key_t)key, 0, 0);
	if (segment >= 0 && shmctl(segment, IPC_STAT, &info) == 0 && info.shm_cpid == pid &&
		info.shm_perm.cuid == geteuid())
		shmctl(segment, IPC_RMID, NULL);
}

static void take_line(const char *line)
{
	unsigned long long device, inode;
	unsigned key;
	int pid, at = 0;
	if (sscanf(line, "file %llx %llx %n", &device, &inode, &at) == 2 && line[at] == '/')
		remove_file(line + at, device, inode);
	else if (sscanf(line, "segment %x %d", &key, &pid) == 2)
		remove_segment(key, pid);
}

void leftovers_remove(const char *folder)
{
	char line[PATH_MAX + 80];
	int length = snprintf(line, sizeof(line), "%s/%s", folder, JOURNAL);
	FILE *file = length < (int)sizeof(line) ? fopen(line, "re") : NULL;
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		take_line(line);
	}
	if (file)
		fclose(file);
}
