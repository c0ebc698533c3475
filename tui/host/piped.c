/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting for the other program, and for signals, at once: a signal that comes between a look and a wait is heard.
 */
#define _GNU_SOURCE
#include "host/piped.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/interrupt.h"
#include "host/processes.h"

enum { POLITE_MS = 50, LOOK_MS = 10, STATUS_NO_EXEC = 127 };

/* ---- waiting ---- */

static bool must_end(void)
{
	int came = interrupt_signal();
	return came && came != SIGINT;
}

/* Returns when the file is ready, at a signal, or after a time (-1: never). */
static void wait_for(int file, short events, int ms)
{
	struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
	struct pollfd ready = {.fd = file, .events = events};
	sigset_t ends, before;
	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, &before);
	if (!must_end() || ms >= 0)
		ppoll(&ready, 1, ms < 0 ? NULL : &time, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- its input ---- */

static ssize_t input_write(void *cookie, const char *bytes, size_t length)
{
	struct piped *piped = cookie;
	size_t done = 0;
	while (done < length && !must_end()) {
		ssize_t count = write(piped->to, bytes + done, length - done);
		if (count < 0 && errno == EAGAIN)
			wait_for(piped->to, POLLOUT, -1);
		else if (count < 0 && errno != EINTR)
			return (ssize_t)done;
		done += count > 0 ? (size_t)count : 0;
	}
	errno = done < length ? EPIPE : errno;
	return (ssize_t)done;
}

static int input_close(void *cookie)
{
	return close(((struct piped *)cookie)->to);
}

/* ---- its start ---- */

/* It hears of a broken pipe as usual, though we do not. */
static void become_program(const char *line, int in)
{
	signal(SIGPIPE, SIG_DFL);
	dup2(in, STDIN_FILENO);
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(STATUS_NO_EXEC);
}

bool piped_start(struct piped *piped, const char *line)
{
	cookie_io_functions_t input = {.write = input_write, .close = input_close};
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	piped->to = ends[1];
	piped->terminal = tcgetattr(STDIN_FILENO, &piped->modes) == 0;
	piped->in = fopencookie(piped, "w", input);
	piped->pid = piped->in ? fork() : -1;
	if (piped->pid == 0)
		become_program(line, ends[0]);
	int error = errno;
	close(ends[0]);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	if (piped->pid < 0 && piped->in)
		fclose(piped->in);
	else if (piped->pid < 0)
		close(ends[1]);
	errno = error;
	return piped->pid > 0;
}

/* ---- its end ---- */

static bool has_ended(const struct piped *piped, int *status)
{
	pid_t pid = waitpid(piped->pid, status, WNOHANG);
	return pid == piped->pid || (pid < 0 && errno == ECHILD);
}

static void signal_one(pid_t pid, void *number)
{
	kill(pid, *(int *)number);
}

/* What it started hears it too. */
static void signal_all(const struct piped *piped, int number)
{
	processes_below(piped->pid, signal_one, &number);
	kill(piped->pid, number);
}

/* First a word, then force. */
static void end_now(const struct piped *piped, int handle, int *status)
{
	signal_all(piped, SIGTERM);
	wait_for(handle, POLLIN, POLITE_MS);
	if (!has_ended(piped, status)) {
		signal_all(piped, SIGKILL);
		waitpid(piped->pid, status, 0);
	}
	if (piped->terminal)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &piped->modes);
}

int piped_end(struct piped *piped)
{
	int status = 0, handle = (int)syscall(SYS_pidfd_open, piped->pid, 0);
	bool ended = false;
	fclose(piped->in);
	while (!(ended = has_ended(piped, &status)) && !must_end())
		wait_for(handle, POLLIN, handle < 0 ? LOOK_MS : -1);
	if (!ended)
		end_now(piped, handle, &status);
	if (handle >= 0)
		close(handle);
	return status;
}
