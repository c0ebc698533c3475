/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keeper and its flock.
 */
#define _GNU_SOURCE
#include "launch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch/folder.h"

enum { POLITE_MS = 500, REAP_MS = 2000, DEPTH = 64, STATUS_NO_EXEC = 127 };

/* ---- the process tree, by /proc ---- */

typedef void visit(pid_t pid, void *context);

/* Children before their parents, so that no parent can start another one in time. */
static void visit_children(pid_t pid, int depth, visit *each, void *context)
{
	char name[64], number[32];
	snprintf(name, sizeof(name), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	FILE *file = depth < DEPTH ? fopen(name, "re") : NULL;
	while (file && fscanf(file, "%31s", number) == 1) {
		pid_t child = (pid_t)atoi(number);
		visit_children(child, depth + 1, each, context);
		each(child, context);
	}
	if (file)
		fclose(file);
}

static void kill_one(pid_t pid, void *context)
{
	kill(pid, *(int *)context);
}

static void add_work(pid_t pid, void *context)
{
	char name[64], line[1024];
	unsigned long long user = 0, system = 0;
	snprintf(name, sizeof(name), "/proc/%d/stat", (int)pid);
	FILE *file = fopen(name, "re");
	char *after = file && fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	if (after && sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &system) == 2)
		*(long long *)context += (long long)(user + system);
	if (file)
		fclose(file);
}

/* ---- the keeper ---- */

struct keeper {
	int hold, signals;
	pid_t launcher;
	pid_t parent;
	const char *folder;
	bool ended;
	int status;
};

static long long now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int status_of(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Takes the ends of all that ended; false where no child is left. */
static bool keeper_reap(struct keeper *keeper)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != keeper->launcher)
			continue;
		keeper->ended = true;
		keeper->status = status_of(status);
	}
	return pid == 0;
}

/* Waits for the end of a child, for a time, or for the end of this program where `watch` says so. */
static bool keeper_wait(struct keeper *keeper, bool watch, int ms)
{
	struct signalfd_siginfo info;
	struct pollfd wait[2] = {{.fd = keeper->signals, .events = POLLIN}, {.fd = keeper->hold, .events = POLLIN}};
	if (poll(wait, watch ? 2 : 1, ms) > 0 && wait[0].revents & POLLIN)
		(void)!read(keeper->signals, &info, sizeof(info));
	return !watch || !wait[1].revents;
}

static void keeper_wait_for_end(struct keeper *keeper)
{
	while (!keeper->ended && keeper_wait(keeper, true, -1))
		keeper_reap(keeper);
}

/* First a word, then force. */
static void keeper_end_all(struct keeper *keeper)
{
	int force = SIGKILL;
	if (!keeper->ended)
		kill(keeper->launcher, SIGTERM);
	long long start = now_ms();
	while (keeper_reap(keeper) && now_ms() - start < POLITE_MS)
		keeper_wait(keeper, false, 20);
	start = now_ms();
	while (keeper_reap(keeper) && now_ms() - start < REAP_MS) {
		visit_children(getpid(), 0, kill_one, &force);
		keeper_wait(keeper, false, 10);
	}
}

static void keeper_run(struct keeper *keeper)
{
	keeper_wait_for_end(keeper);
	keeper_end_all(keeper);
	if (keeper->folder && getppid() != keeper->parent)
		folder_remove(keeper->folder);
	_exit(keeper->status);
}

/* ---- starting ---- */

/* Faster starts of MPICH over UCX, where the user says nothing else. */
static void set_environment(void)
{
	setenv("UCX_VFS_ENABLE", "n", 0);
	setenv("UCX_MEM_EVENTS", "n", 0);
	setenv("HWLOC_COMPONENTS", "-pci,-linuxio,-opencl,-cuda", 0);
}

static void reset_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGQUIT, SIGTSTP, SIGTTOU, SIGWINCH};
	sigset_t none;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		signal(numbers[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the launcher's process: it dies with the keeper. */
static void become_launcher(char *const *words, pid_t keeper, int out, int err)
{
	int null = open("/dev/null", O_RDONLY);
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	reset_signals();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper)
		_exit(STATUS_NO_EXEC);
	set_environment();
	execv(words[0], words);
	dprintf(STDERR_FILENO, "shardwalk-exec: cannot start '%s': %s\n", words[0], strerror(errno));
	_exit(STATUS_NO_EXEC);
}

static void leave_terminal(void)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGTSTP};
	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

/* In the keeper's process. */
static void become_keeper(char *const *words, const char *folder, pid_t parent, int hold, int out, int err)
{
	struct keeper keeper = {.hold = hold, .parent = parent, .folder = folder, .status = STATUS_NO_EXEC};
	sigset_t children;
	setpgid(0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	sigprocmask(SIG_SETMASK, &children, NULL);
	signal(SIGCHLD, SIG_DFL);
	keeper.signals = signalfd(-1, &children, SFD_CLOEXEC);
	pid_t self = getpid();
	keeper.launcher = fork();
	if (keeper.launcher == 0)
		become_launcher(words, self, out, err);
	close(out);
	close(err);
	leave_terminal();
	if (keeper.launcher > 0)
		keeper_run(&keeper);
	_exit(STATUS_NO_EXEC);
}

static bool refuse_start(const char *what, sw_diag *diag)
{
	sw_diag_set(diag, SW_E04, (sw_span){0, 0}, "cannot start '%s': %s", what, strerror(errno));
	sw_diag_hint(diag, "are there too many processes or open files?");
	return false;
}

/* Pipes in pairs: hold, out, err. */
static bool open_pipes(int ends[6])
{
	for (int i = 0; i < 6; i++)
		ends[i] = -1;
	for (int i = 0; i < 6; i += 2)
		if (pipe2(ends + i, O_CLOEXEC) != 0)
			return false;
	fcntl(ends[2], F_SETFL, O_NONBLOCK);
	fcntl(ends[4], F_SETFL, O_NONBLOCK);
	return true;
}

static void close_all(const int *ends, int count)
{
	for (int i = 0; i < count; i++)
		if (ends[i] >= 0)
			close(ends[i]);
}

bool child_start(struct child *child, char *const *words, const char *folder, sw_diag *diag)
{
	int ends[6];
	pid_t parent = getpid();
	if (!open_pipes(ends)) {
		close_all(ends, 6);
		return refuse_start(words[0], diag);
	}
	child->keeper = fork();
	if (child->keeper == 0) {
		close(ends[1]);
		close(ends[2]);
		close(ends[4]);
		become_keeper(words, folder, parent, ends[0], ends[3], ends[5]);
	}
	if (child->keeper < 0) {
		close_all(ends, 6);
		return refuse_start(words[0], diag);
	}
	setpgid(child->keeper, child->keeper);
	close(ends[0]);
	close(ends[3]);
	close(ends[5]);
	child->hold = ends[1];
	child->out = ends[2];
	child->err = ends[4];
	return true;
}

/* ---- while it runs, and its end ---- */

void child_interrupt(const struct child *child)
{
	kill(-child->keeper, SIGINT);
}

long long child_work(const struct child *child)
{
	long long ticks = 0;
	visit_children(child->keeper, 0, add_work, &ticks);
	return ticks;
}

int child_end(struct child *child)
{
	int status = 0;
	close(child->hold);
	while (waitpid(child->keeper, &status, 0) < 0 && errno == EINTR)
		continue;
	close(child->out);
	close(child->err);
	child->hold = child->out = child->err = -1;
	return status_of(status);
}
