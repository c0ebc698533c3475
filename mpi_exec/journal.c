/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared memory of the MPI library, written down before it exists.
 *
 * MPICH and UCX give names to the memory that ranks of a host share, and take them away once all ranks have it.  A
 * rank that is killed in between leaves it behind, and nobody knows whose it was.  Where SHARDWALK_JOURNAL names a
 * file, the three functions by which they make it are replaced by these: a line says what is about to get a name, and
 * only then it gets it.  Who started the ranks reads the lines when they are gone (`launch/leftovers.c` of the front
 * end):
 *
 *     file DEVICE INODE PATH     hexadecimal, as stat(2) has them
 *     segment KEY PID            of System V shared memory: its key, hexadecimal, and the process that makes it
 *
 * They must be visible to the dynamic linker (`nm -D`).
 */
#define _GNU_SOURCE
#include "journal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEEN __attribute__((visibility("default")))

enum { TRIES = 100, NAMED_LETTERS = 6 };

static int hold_after = -1; /* names; for tests */

SEEN int mkstemp(char *template);
SEEN int shm_open(const char *name, int flags, mode_t mode);
SEEN int shmget(key_t key, size_t size, int flags);

void ex_journal_hold(int names)
{
	hold_after = names;
}

static const char *journal(void)
{
	const char *path = getenv("SHARDWALK_JOURNAL");
	return path && *path == '/' ? path : NULL;
}

/* Appends a line at once.  Where that fails the memory is made all the same. */
__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
	char line[PATH_MAX + 80];
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	int file = open(journal(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0)
		return;
	(void)!write(file, line, (size_t)length);
	close(file);
}

static void hold(void)
{
	if (hold_after < 0 || --hold_after > 0)
		return;
	note("held\n");
	for (;;)
		pause();
}

/* ---- files ---- */

/* A file that has no name yet, in the folder of `path`; -1 where the file system has no such files. */
static int make_nameless(const char *path, int flags, mode_t mode)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/');
	if (!slash || snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path) >= (int)sizeof(folder))
		return -1;
	return open(folder, O_TMPFILE | O_RDWR | (flags & O_CLOEXEC), mode);
}

static bool give_name(int file, const char *path)
{
	char self[64];
	struct stat info;
	if (fstat(file, &info) != 0)
		return false;
	note("file %llx %llx %s\n", (unsigned long long)info.st_dev, (unsigned long long)info.st_ino, path);
	snprintf(self, sizeof(self), "/proc/self/fd/%d", file);
	bool named = linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
	if (named)
		hold();
	return named;
}

/* Makes a file that must not be there yet: its descriptor, or -1 with errno; ENOTSUP: it has to be made as ever. */
static int make_file(const char *path, int flags, mode_t mode)
{
	int file = make_nameless(path, flags, mode);
	if (file < 0) {
		errno = ENOTSUP;
		return -1;
	}
	if (give_name(file, path))
		return file;
	int error = errno;
	close(file);
	errno = error == EEXIST ? EEXIST : ENOTSUP;
	return -1;
}

static bool fill_name(char *letters)
{
	static const char from[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	unsigned char random[NAMED_LETTERS];
	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return false;
	for (int i = 0; i < NAMED_LETTERS; i++)
		letters[i] = from[random[i] % (sizeof(from) - 1)];
	return true;
}

static int mkstemp_as_ever(char *template)
{
	int (*next)(char *);
	*(void **)&next = dlsym(RTLD_NEXT, "mkstemp");
	return next(template);
}

int mkstemp(char *template)
{
	size_t length = strlen(template);
	bool ours = journal() && length > NAMED_LETTERS && strcmp(template + length - NAMED_LETTERS, "XXXXXX") == 0;
	for (int i = 0; ours && i < TRIES && fill_name(template + length - NAMED_LETTERS); i++) {
		int file = make_file(template, 0, 0600);
		if (file >= 0)
			return file;
		if (errno != EEXIST)
			break;
	}
	if (ours)
		memcpy(template + length - NAMED_LETTERS, "XXXXXX", NAMED_LETTERS);
	return mkstemp_as_ever(template);
}

int shm_open(const char *name, int flags, mode_t mode)
{
	enum { NEW = O_CREAT | O_EXCL };
	int (*next)(const char *, int, mode_t);
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "/dev/shm%s%s", *name == '/' ? "" : "/", name);
	if (journal() && (flags & NEW) == NEW && length < PATH_MAX) {
		int file = make_file(path, O_CLOEXEC, mode);
		if (file >= 0 || errno == EEXIST)
			return file;
	}
	*(void **)&next = dlsym(RTLD_NEXT, "shm_open");
	return next(name, flags, mode);
}

/* ---- segments ---- */

static int shmget_as_ever(key_t key, size_t size, int flags)
{
	static int (*next)(key_t, size_t, int);
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "shmget");
	return next(key, size, flags);
}

/* A private segment has no key by which it could be found: it gets one that nobody else has. */
int shmget(key_t key, size_t size, int flags)
{
	for (int i = 0; i < TRIES && key == IPC_PRIVATE && journal(); i++) {
		uint32_t random = 0;
		if (getrandom(&random, sizeof(random), 0) != sizeof(random) || random == 0)
			continue;
		note("segment %x %d\n", (unsigned)random, (int)getpid());
		int id = shmget_as_ever((key_t)random, size, flags | IPC_CREAT | IPC_EXCL);
		if (id >= 0)
			hold();
		if (id >= 0 || errno != EEXIST)
			return id;
	}
	return shmget_as_ever(key, size, flags);
}
