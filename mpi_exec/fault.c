/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Faults as values, and their one way to standard error.
 */
#define _GNU_SOURCE
#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

bool ex_fault_set(ex_fault *fault, int status, const char *code, const char *format, ...)
{
	va_list arguments;
	memset(fault, 0, sizeof(*fault));
	fault->status = status;
	snprintf(fault->code, sizeof(fault->code), "%s", code);
	va_start(arguments, format);
	vsnprintf(fault->message, sizeof(fault->message), format, arguments);
	va_end(arguments);
	return false;
}

bool ex_fault_hint(ex_fault *fault, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(fault->hint, sizeof(fault->hint), format, arguments);
	va_end(arguments);
	return false;
}

bool ex_fault_of(ex_fault *fault, const sw_diag *diag)
{
	const sw_code_info *info = sw_code_info_of(diag->code);
	ex_fault_set(fault, sw_code_is_lack(diag->code) ? EX_LACKS : EX_NO, info ? info->name : "", "%s", diag->message);
	size_t used = strlen(fault->message);
	char *end = fault->message + used;
	size_t room = sizeof(fault->message) - used;
	if (diag->expected[0] && diag->found[0])
		snprintf(end, room, " (expected %s, found %s)", diag->expected, diag->found);
	else if (diag->found[0])
		snprintf(end, room, " (found %s)", diag->found);
	return ex_fault_hint(fault, "%s", diag->hint);
}

void ex_fault_print(const ex_fault *fault, const char *subject)
{
	char line[2048];
	int n = snprintf(line, sizeof(line), "shardwalk-exec: %s%s%s%s%s%s%s%s\n", subject ? subject : "",
		subject ? ": " : "", fault->code, fault->code[0] ? ": " : "", fault->message, fault->hint[0] ? "\n  " : "",
		fault->hint, "");
	if (n > (int)sizeof(line) - 1)
		n = (int)sizeof(line) - 1;
	fflush(stdout);
	if (write(STDERR_FILENO, line, (size_t)n) < 0)
		return;
}

/* Bytes in the pipe that nobody has read; 0 for what is no pipe. */
static int unread(int fd)
{
	struct stat info;
	int bytes = 0;
	return fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode) && ioctl(fd, FIONREAD, &bytes) == 0 ? bytes : 0;
}

void ex_fault_deliver(void)
{
	fflush(stdout);
	for (int looks = 0; looks < 1000 && unread(STDOUT_FILENO) + unread(STDERR_FILENO) > 0; looks++)
		usleep(1000);
}
