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
#include "launch/leftovers.h"
#include "host/limits.h"

enum { POLITE_MS = 150, REAP_MS = 600, KEEPER_MS = 900, STATUS_NO_EXEC = 127 };

/* ---- the keeper ---- */

struct keeper {
	int hold, signals;
	pid_t launcher;
	pid_t parent;
	const char *folder;
	bool ended;
	int status;
};

static void kill_one(pid_t pid, void *context)
{
	(void)context;
	kill(pid, SIGKILL);
}

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
	if (!keeper->ended) {
		kill(keeper->launcher, SIGTERM);
		kill(keeper->launcher, SIGCONT);
	}
	long long start = now_ms();
	while (keeper_reap(keeper) && now_ms() - start < POLITE_MS)
		keeper_wait(keeper, false, 20);
	start = now_ms();
	while (keeper_reap(keeper) && now_ms() - start < REAP_MS) {
		processes_below(getpid(), kill_one, NULL);
		keeper_wait(keeper, false, 10);
	}
}

static void keeper_run(struct keeper *keeper)
{
	keeper_wait_for_end(keeper);
	keeper_end_all(keeper);
	leftovers_remove(keeper->folder);
	if (getppid() != keeper->parent)
		folder_remove(keeper->folder);
	_exit(keeper->status);
}

/* ---- starting ---- */

/* "SHARDWALK_JOURNAL=FILE": what all processes of the run have in their environment. */
static void print_mark(const char *folder, char mark[PATH_MAX])
{
	snprintf(mark, PATH_MAX, "%s=%s/%s", JOURNAL_VARIABLE, folder, JOURNAL);
}

/* And faster starts of MPICH over UCX, where the user says nothing else. */
static void set_environment(const char *folder)
{
	char mark[PATH_MAX];
	print_mark(folder, mark);
	setenv(JOURNAL_VARIABLE, mark + sizeof(JOURNAL_VARIABLE), 1);
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
static void become_launcher(char *const *words, const char *folder, pid_t keeper, int out, int err)
{
	int null = open("/dev/null", O_RDONLY);
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	reset_signals();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper)
		_exit(STATUS_NO_EXEC);
	set_environment(folder);
	limits_raise();
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

/* In the keeper's process, in which signals are held back until it knows what to do with them. */
static void become_keeper(char *const *words, const char *folder, pid_t parent, int hold, int out, int err)
{
	struct keeper keeper = {.hold = hold, .parent = parent, .folder = folder, .status = STATUS_NO_EXEC};
	sigset_t children;
	setpgid(0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	signal(SIGCHLD, SIG_DFL);
	pid_t self = getpid();
	keeper.launcher = fork();
	if (keeper.launcher == 0)
		become_launcher(words, folder, self, out, err);
	close(out);
	close(err);
	leave_terminal();
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	keeper.signals = signalfd(-1, &children, SFD_CLOEXEC);
	sigprocmask(SIG_SETMASK, &children, NULL);
	if (keeper.launcher > 0)
		keeper_run(&keeper);
	_exit(STATUS_NO_EXEC);
}

static bool refuse_start(const char *what, sw_diag *diag)
{
	if (limits_are_why(what, errno, diag))
		return false;
	sw_diag_set(diag, SW_E04, (sw_span){0, 0}, "cannot start '%s': %s", what, strerror(errno));
	sw_diag_hint(diag, "are there too many processes, or too little memory?");
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

/* No signal comes to the new process before it has its own ways with signals: one that came to this program's would be lost. */
static pid_t fork_keeper(char *const *words, const char *folder, const int *ends)
{
	sigset_t all, before;
	pid_t parent = getpid();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid_t keeper = fork();
	if (keeper == 0) {
		close(ends[1]);
		close(ends[2]);
		close(ends[4]);
		become_keeper(words, folder, parent, ends[0], ends[3], ends[5]);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return keeper;
}

bool child_start(struct child *child, char *const *words, const char *folder, sw_diag *diag)
{
	int ends[6];
	*child = (struct child){.keeper = -1, .folder = folder};
	if (open_pipes(ends))
		child->keeper = fork_keeper(words, folder, ends);
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

/* ---- while it runs ---- */

bool child_is_kept(struct child *child)
{
	int status;
	pid_t pid = child->gone ? 0 : waitpid(child->keeper, &status, WNOHANG | WUNTRACED);
	if (pid == child->keeper && WIFSTOPPED(status)) {
		kill(child->keeper, SIGCONT);
	} else if (pid == child->keeper) {
		child->gone = true;
		child->killed = WIFSIGNALED(status);
		child->status = status_of(status);
	}
	return !child->gone;
}

static void visit_marked(const struct child *child, process_visit *each, void *context)
{
	char mark[PATH_MAX];
	print_mark(child->folder, mark);
	processes_marked(mark, each, context);
}

void child_visit(const struct child *child, process_visit *each, void *context)
{
	if (child->gone)
		visit_marked(child, each, context);
	else
		processes_below(child->keeper, each, context);
}

bool child_is_rank(const struct child *child, pid_t pid)
{
	return process_rank(pid) >= 0 && process_has_word(pid, child->folder);
}

/* ---- its end ---- */

static void sleep_ms(int ms)
{
	nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

static void count_one(pid_t pid, void *context)
{
	kill(pid, SIGKILL);
	++*(int *)context;
}

/* What a keeper would have done. */
static void end_without_keeper(const struct child *child)
{
	int left = 1;
	for (long long start = now_ms(); left && now_ms() - start < REAP_MS; sleep_ms(left ? 10 : 0)) {
		left = 0;
		visit_marked(child, count_one, &left);
	}
	leftovers_remove(child->folder);
}

/* A keeper that does not end in time is no use any more. */
static void await_keeper(struct child *child)
{
	for (long long start = now_ms(); child_is_kept(child) && now_ms() - start < KEEPER_MS;)
		sleep_ms(5);
	if (child->gone)
		return;
	kill(child->keeper, SIGKILL);
	waitpid(child->keeper, &(int){0}, 0);
	child->gone = child->killed = true;
	child->status = 128 + SIGKILL;
}

int child_end(struct child *child)
{
	close(child->hold);
	await_keeper(child);
	if (child->killed)
		end_without_keeper(child);
	close(child->out);
	close(child->err);
	child->hold = child->out = child->err = -1;
	return child->status;
}
