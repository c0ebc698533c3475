/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding programs.  MPICH's own names come first, so that another MPI beside it, which may own the name mpiexec, does
 * no harm; what a launcher is, it says itself.
 */
#define _GNU_SOURCE
#include "host/programs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/limits.h"
#include "host/interrupt.h"
#include "host/safe.h"

#define VERSION_SECONDS 5

extern char **environ;

/* ---- files ---- */

static bool is_program(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* A name with a slash is a path; any other is looked for along PATH. */
static bool find_by_path(const char *name, char found[PATH_MAX])
{
	const char *path = getenv("PATH");
	if (strchr(name, '/'))
		return snprintf(found, PATH_MAX, "%s", name) < PATH_MAX && is_program(found);
	for (const char *at = path ? path : "/usr/local/bin:/usr/bin:/bin"; *at;) {
		int length = (int)strcspn(at, ":");
		bool fits = snprintf(found, PATH_MAX, "%.*s/%s", length, at, name) < PATH_MAX;
		if (length && fits && is_program(found))
			return true;
		at += length + (at[length] == ':');
	}
	return false;
}

static bool find_beside(const char *name, char found[PATH_MAX])
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (length <= 0)
		return false;
	self[length] = '\0';
	char *slash = strrchr(self, '/');
	*slash = '\0';
	return snprintf(found, PATH_MAX, "%s/%s", self, name) < PATH_MAX && is_program(found);
}

/* ---- what a launcher is ---- */

/* 0, or an error number. */
static int start_version(const char *path, int output, pid_t *pid)
{
	char *const words[] = {(char *)path, "--version", NULL};
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, output, 1);
	posix_spawn_file_actions_adddup2(&actions, output, 2);
	int error = posix_spawn(pid, path, &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* Takes what fits; a program that does not end in time is ended, and so it is when a signal comes. */
static void take_output(int input, pid_t pid, char *text, size_t room)
{
	size_t length = 0;
	struct pollfd wait = {.fd = input, .events = POLLIN};
	for (int n = 1; n > 0 && !interrupt_signal() && poll(&wait, 1, VERSION_SECONDS * 1000) > 0;) {
		char rest[512];
		bool fits = length + 1 < room;
		n = (int)read(input, fits ? text + length : rest, fits ? room - 1 - length : sizeof(rest));
		length += n > 0 && fits ? (size_t)n : 0;
	}
	text[length] = '\0';
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static bool refuse_unasked(const char *path, int error, sw_diag *diag)
{
	if (interrupt_signal())
		return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped before the ranks were started");
	if (limits_are_why(path, error, diag))
		return false;
	sw_diag_set(diag, SW_E02, (sw_span){0, 0}, "cannot start '%s': %s", path, strerror(error));
	sw_diag_hint(diag, "SHARDWALK_MPIEXEC names another launcher");
	return false;
}

/* What it prints for --version.  false where it could not be asked, with E02, E04, or S03 where a signal came. */
static bool ask_version(const char *path, char *text, size_t room, sw_diag *diag)
{
	int ends[2];
	pid_t pid;
	*text = '\0';
	if (pipe2(ends, O_CLOEXEC) != 0)
		return refuse_unasked(path, errno, diag);
	int error = start_version(path, ends[1], &pid);
	close(ends[1]);
	if (error == 0)
		take_output(ends[0], pid, text, room);
	close(ends[0]);
	return (error == 0 && !interrupt_signal()) || refuse_unasked(path, error, diag);
}

/* Kinds of MPI by what their launchers print; the more special word stands first. */
static const struct kind {
	const char *sign, *name;
	bool mpich;
} kinds[] = {
	{"Intel(R) MPI", "Intel MPI", false},
	{"MVAPICH", "MVAPICH", false},
	{"Open MPI", "Open MPI", false},
	{"OpenRTE", "Open MPI", false},
	{"PRRTE", "Open MPI", false},
	{"prterun", "Open MPI", false},
	{"HYDRA", "MPICH", true},
	{"MPICH", "MPICH", true},
};

static const struct kind *kind_of(const char *version)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcasestr(version, kinds[i].sign))
			return &kinds[i];
	return NULL;
}

/* "MPICH 4.0.2": the kind, and the first word that starts with a digit. */
static void name_mpi(const struct kind *kind, const char *version, char name[64])
{
	const char *digit = strpbrk(version, "0123456789");
	int length = digit ? (int)strspn(digit, "0123456789.abcrp") : 0;
	snprintf(name, 64, "%s%s%.*s", kind->name, length ? " " : "", length < 30 ? length : 30, digit ? digit : "");
}

/* ---- the launcher ---- */

static bool refuse_foreign(const char *path, const char *mpi, sw_diag *diag)
{
	sw_diag_set(diag, SW_E02, (sw_span){0, 0}, "'%s' is the launcher of %s, not of MPICH", path, mpi);
	sw_diag_expected(diag, "MPICH's, which is called mpiexec.hydra or mpiexec.mpich");
	sw_diag_hint(diag,
		"On Debian, MPICH is in the packages mpich and libmpich-dev, which can be installed beside another "
		"MPI. SHARDWALK_MPIEXEC names a launcher.");
	return false;
}

static bool refuse_missing(const char *program, sw_diag *diag)
{
	sw_diag_set(diag, SW_E02, (sw_span){0, 0}, "there is no %s", program);
	sw_diag_expected(diag, "mpiexec.hydra, mpiexec.mpich or mpiexec of MPICH on the PATH");
	sw_diag_hint(diag,
		"install the packages mpich and libmpich-dev, or set SHARDWALK_MPIEXEC; `verify` executes plans "
		"without MPI");
	return false;
}

/* The launcher that the user names may be anything that does not say it is another MPI. */
static bool take_named(const char *named, struct programs *programs, sw_diag *diag)
{
	char version[4096];
	if (!find_by_path(named, programs->launcher)) {
		sw_diag_set(diag, SW_E02, (sw_span){0, 0}, "SHARDWALK_MPIEXEC is '%.100s', but there is no such program",
			named);
		sw_diag_hint(diag, "name MPICH's mpiexec.hydra, or unset the variable");
		return false;
	}
	if (!ask_version(programs->launcher, version, sizeof(version), diag))
		return false;
	const struct kind *kind = kind_of(version);
	if (kind)
		name_mpi(kind, version, programs->mpi);
	return !kind || kind->mpich || refuse_foreign(programs->launcher, programs->mpi, diag);
}

static bool find_launcher(struct programs *programs, sw_diag *diag)
{
	static const char *const names[] = {"mpiexec.hydra", "mpiexec.mpich", "mpiexec"};
	const char *named = getenv("SHARDWALK_MPIEXEC");
	char version[4096], path[PATH_MAX], foreign[PATH_MAX] = "", mpi[64] = "";
	if (safe_refuses(diag, "the launcher would be asked for its version"))
		return false;
	if (named && *named)
		return take_named(named, programs, diag);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!find_by_path(names[i], path))
			continue;
		if (!ask_version(path, version, sizeof(version), diag))
			return false;
		const struct kind *kind = kind_of(version);
		if (kind)
			name_mpi(kind, version, kind->mpich ? programs->mpi : mpi);
		if (kind && kind->mpich) {
			memcpy(programs->launcher, path, sizeof(path));
			return true;
		}
		memcpy(foreign, path, sizeof(path));
	}
	return *foreign ? refuse_foreign(foreign, *mpi ? mpi : "an unknown MPI", diag) : refuse_missing("mpiexec", diag);
}

/* ---- the executor ---- */

static bool find_executor(struct programs *programs, sw_diag *diag)
{
	const char *named = getenv("SHARDWALK_EXEC");
	if (named && *named) {
		if (find_by_path(named, programs->executor))
			return true;
		sw_diag_set(diag, SW_E02, (sw_span){0, 0}, "SHARDWALK_EXEC is '%.100s', but there is no such program", named);
		sw_diag_hint(diag, "name shardwalk-exec, or unset the variable");
		return false;
	}
	if (find_beside("shardwalk-exec", programs->executor) || find_by_path("shardwalk-exec", programs->executor))
		return true;
	sw_diag_set(diag, SW_E02, (sw_span){0, 0}, "there is no shardwalk-exec, which runs plans");
	sw_diag_expected(diag, "shardwalk-exec next to shardwalk, on the PATH, or in SHARDWALK_EXEC");
	sw_diag_hint(diag, "`make` builds it if MPICH is installed (packages mpich and libmpich-dev)");
	return false;
}

bool programs_find(struct programs *programs, sw_diag *diag)
{
	*programs = (struct programs){.mpi = ""};
	return find_launcher(programs, diag) && find_executor(programs, diag);
}

void programs_mpi(char mpi[64])
{
	struct programs programs = {.mpi = ""};
	sw_diag diag;
	find_launcher(&programs, &diag);
	memcpy(mpi, programs.mpi, sizeof(programs.mpi));
}

void programs_print(sw_text *text)
{
	struct programs programs = {.mpi = ""};
	sw_diag diag;
	if (find_launcher(&programs, &diag))
		sw_text_addf(text, "launcher: %s%s%s%s\n", programs.launcher, *programs.mpi ? " (" : "", programs.mpi,
			*programs.mpi ? ")" : "");
	else
		sw_text_addf(text, "launcher: none: %s\n", diag.message);
	if (find_executor(&programs, &diag))
		sw_text_addf(text, "executor: %s\n", programs.executor);
	else
		sw_text_addf(text, "executor: none: %s\n", diag.message);
}
