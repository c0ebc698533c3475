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

static void in_the_child(int terminal, int answer)
{
	dup2(terminal, STDIN_FILENO);
	dup2(terminal, STDOUT_FILENO);
	char failed = (char)on_a_terminal();
	_exit(write(answer, &failed, 1) != 1);
}

/* By a pipe: what watches over memory has statuses of its own. */
static int answer_of_child(pid_t child, int master, int answer)
{
	char written[4096], failed = -1;
	while (read(master, written, sizeof written) > 0)
		continue;
	if (read(answer, &failed, 1) != 1)
		failed = -1;
	waitpid(child, NULL, 0);
	return failed;
}

static void a_window_that_changes_while_terminfo_is_asked(void **state)
{
	(void)state;
	int answer[2], master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) || unlockpt(master))
		skip();
	int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(terminal >= 0);
	assert_int_equal(pipe(answer), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0)
		in_the_child(terminal, answer[1]);
	close(terminal);
	close(answer[1]);
	assert_int_equal(answer_of_child(child, master, answer[0]), 0);
	close(answer[0]);
	close(master);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_that_changes_while_terminfo_is_asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
