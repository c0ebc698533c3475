/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading on at the end of a file: the system says when it was written to, and where it does not (a file of another
 * machine) one looks again.
 */
#define _GNU_SOURCE
#include "host/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/file.h"

static bool refuse(const struct tail *tail, int error, sw_diag *diag)
{
	sw_diag_set(diag, SW_B01, (sw_span){0, 0}, "cannot read '%s': %s", tail->name, strerror(error));
	sw_diag_hint(diag, "check its name and your permission to read it");
	return false;
}

static bool is_standard_input(const struct tail *tail)
{
	return strcmp(tail->name, "-") == 0;
}

static void watch_file(struct tail *tail)
{
	tail->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (tail->watch >= 0 && inotify_add_watch(tail->watch, tail->name, IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF) < 0) {
		close(tail->watch);
		tail->watch = -1;
	}
}

bool tail_open(struct tail *tail, const char *name, sw_diag *diag)
{
	struct stat info;
	*tail = (struct tail){.name = name, .fd = -1, .watch = -1};
	tail->fd = is_standard_input(tail) ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (tail->fd < 0 || fstat(tail->fd, &info) != 0)
		return refuse(tail, errno, diag);
	if (S_ISDIR(info.st_mode)) {
		tail_close(tail);
		return refuse(tail, EISDIR, diag);
	}
	tail->grows = S_ISREG(info.st_mode);
	if (tail->grows && !is_standard_input(tail))
		watch_file(tail);
	return true;
}

void tail_close(struct tail *tail)
{
	if (tail->fd >= 0 && !is_standard_input(tail))
		close(tail->fd);
	if (tail->watch >= 0)
		close(tail->watch);
	tail->fd = tail->watch = -1;
}

/* Was it cut, or does its name stand for another file by now?  Then that one is read. */
static bool begins_anew(struct tail *tail)
{
	struct stat now, named;
	struct tail other;
	if (!tail->grows || fstat(tail->fd, &now) != 0)
		return false;
	if (now.st_size < tail->at) {
		tail->at = 0;
		return lseek(tail->fd, 0, SEEK_SET) == 0;
	}
	if (is_standard_input(tail) || stat(tail->name, &named) != 0 ||
		(named.st_ino == now.st_ino && named.st_dev == now.st_dev) || !tail_open(&other, tail->name, NULL))
		return false;
	tail_close(tail);
	*tail = other;
	return true;
}

static void wait_for(struct tail *tail, int milliseconds)
{
	char events[4096];
	struct pollfd wait = {.fd = tail->grows ? tail->watch : tail->fd, .events = POLLIN};
	poll(&wait, 1, milliseconds);
	while (tail->watch >= 0 && read(tail->watch, events, sizeof(events)) > 0)
		continue;
}

/* A pipe is only read where something is there, so that keys and signals are heard. */
static bool is_ready(const struct tail *tail)
{
	struct pollfd now = {.fd = tail->fd, .events = POLLIN};
	return tail->grows || poll(&now, 1, 0) > 0;
}

enum tail_state tail_read(struct tail *tail, int milliseconds, sw_text *text, sw_diag *diag)
{
	char buffer[1 << 16];
	size_t before = text->length;
	ssize_t got = 1;
	while (
		text->length - before < (1 << 24) && is_ready(tail) && (got = read(tail->fd, buffer, sizeof(buffer))) > 0) {
		sw_text_add_str(text, (sw_str){buffer, (size_t)got});
		tail->at += got;
	}
	int error = got < 0 && errno != EINTR && errno != EAGAIN ? errno : text->length > FILE_MOST ? EFBIG : 0;
	if (text->failed || error) {
		text->failed ? sw_diag_memory(diag) : refuse(tail, error, diag);
		return TAIL_FAILED;
	}
	if (text->length > before)
		return TAIL_MORE;
	if (got == 0 && !tail->grows)
		return TAIL_END;
	if (begins_anew(tail))
		return TAIL_ANEW;
	wait_for(tail, milliseconds);
	return TAIL_NOTHING;
}
