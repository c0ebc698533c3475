/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ncurses on a pseudo terminal: the size that is painted is that of the window, whoever asked terminfo meanwhile.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "screen/terminal.h"

#include <curses.h>
#include <term.h>

static bool window_is(unsigned short width, unsigned short height)
{
	struct winsize size = {.ws_row = height, .ws_col = width};
	return ioctl(STDOUT_FILENO, TIOCSWINSZ, &size) == 0;
}

static bool measures(int width, int height)
{
	int seen_width, seen_height;
	terminal_measure(&seen_width, &seen_height);
	return seen_width == width && seen_height == height && getmaxx(stdscr) == width && getmaxy(stdscr) == height &&
		!is_term_resized(height, width);
}

/* What readline does at its prompt, and the console for its colours. */
static bool terminfo_is_asked(const char *width, const char *height)
{
	int error;
	TERMINAL *before = cur_term;
	if (setenv("COLUMNS", width, 1) || setenv("LINES", height, 1) || setupterm(NULL, STDOUT_FILENO, &error) != OK)
		return false;
	TERMINAL *ours = cur_term;
	set_curterm(before);
	del_curterm(ours);
	return true;
}

/* The number of what failed, 0 for none: a process that has taken a terminal cannot say more. */
static int on_a_terminal(void)
{
	sw_diag diag = {0};
	setenv("TERM", "xterm-256color", 1);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	if (!window_is(90, 28) || !terminal_open(&diag))
		return 1;
	if (!measures(90, 28))
		return 2;
	if (!window_is(100, 30) || !terminfo_is_asked("100", "30") || LINES != 30)
		return 3;
	if (!measures(100, 30))
		return 4;
	if (!window_is(80, 24) || !measures(80, 24))
		return 5;
	terminal_close();
	return 0;
}

static int status_of_child(pid_t child, int master)
{
	char written[4096];
	int status = -1;
	while (read(master, written, sizeof written) > 0)
		continue;
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_window_that_changes_while_terminfo_is_asked(void **state)
{
	(void)state;
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) || unlockpt(master))
		skip();
	int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(slave >= 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(slave, STDIN_FILENO);
		dup2(slave, STDOUT_FILENO);
		_exit(on_a_terminal());
	}
	close(slave);
	assert_int_equal(status_of_child(child, master), 0);
	close(master);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_that_changes_while_terminfo_is_asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
