/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fatal signals.  Only what may be called in a signal handler is called there: write, tcsetattr, raise; the
 * sequences that give the terminal back were looked up before.
 */
#define _GNU_SOURCE
#include "screen/crash.h"

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "host/version.h"

#define FRAMES 32
#define MODES_OFF "\033[?2004l\033[?1000l\033[?1006l" /* pastes, mouse */

static struct {
	struct termios modes;
	bool known; /* there are modes to go back to */
	volatile sig_atomic_t taken;
	char back[256]; /* what gives the terminal back */
	size_t back_length;
	const char *command;
	char version[160];
} crash;

static const struct {
	int number;
	const char *name;
} fatal[] = {{SIGSEGV, "segmentation fault"}, {SIGBUS, "bus error"}, {SIGFPE, "arithmetic error"},
	{SIGILL, "illegal instruction"}, {SIGABRT, "abort"}};

static void say(const char *text)
{
	(void)!write(STDERR_FILENO, text, strlen(text));
}

static void report(int number)
{
	void *frames[FRAMES];
	say("\r\n");
	say(crash.version);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(*fatal); i++)
		if (fatal[i].number == number)
			say(fatal[i].name);
	if (crash.command && *crash.command) {
		say(" in the command: ");
		say(crash.command);
	}
	say("\nplease report this with the lines below; the history has the commands before\n");
	backtrace_symbols_fd(frames, backtrace(frames, FRAMES), STDERR_FILENO);
}

static void on_crash(int number)
{
	if (crash.taken)
		(void)!write(STDOUT_FILENO, crash.back, crash.back_length);
	if (crash.known)
		tcsetattr(STDIN_FILENO, TCSANOW, &crash.modes);
	report(number);
	raise(number);
}

void crash_guard(const char *command)
{
	struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_RESETHAND | SA_NODEFER};
	void *frames[1];
	crash.command = command;
	crash.known = tcgetattr(STDIN_FILENO, &crash.modes) == 0;
	snprintf(crash.version, sizeof(crash.version), "shardwalk %s: ", version_number());
	backtrace(frames, 1); /* loads what it needs now */
	for (size_t i = 0; i < sizeof(fatal) / sizeof(*fatal); i++)
		sigaction(fatal[i].number, &action, NULL);
}

static void add_sequence(const char *name)
{
	const char *sequence = tigetstr((char *)name);
	size_t length = sequence && sequence != (char *)-1 ? strlen(sequence) : 0;
	if (crash.back_length + length >= sizeof(crash.back))
		return;
	memcpy(crash.back + crash.back_length, sequence ? sequence : "", length);
	crash.back_length += length;
}

void crash_take(bool taken)
{
	static const char *const names[] = {"sgr0", "rmkx", "cnorm", "rmcup"};
	if (taken && !crash.back_length) {
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			add_sequence(names[i]);
		memcpy(crash.back + crash.back_length, MODES_OFF, sizeof(MODES_OFF) - 1);
		crash.back_length += sizeof(MODES_OFF) - 1;
	}
	crash.taken = taken;
}
