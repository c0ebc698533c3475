/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The signs of hosts that are out of reach.
 */
#define _GNU_SOURCE
#include "launch/unreachable.h"

#include <ctype.h>
#include <string.h>

#include "answer/report.h"

/* What launchers say, whatever stands around it, and what may help. */
static const struct sign {
	const char *words, *hint;
} signs[] = {
	{"Could not resolve hostname", "no host has this name: check `--hosts` and `--hostfile`"},
	{"Host key verification failed", "connect to it once by hand to store its key"},
	{"Permission denied (publickey", "ranks need access without a password"},
	{"Connection refused", "nothing listens there: is it running?"},
	{"Connection timed out", "is it on, and in this network?"},
	{"No route to host", "is it on, and in this network?"},
	{"Network is unreachable", "is it on, and in this network?"},
	{"unable to connect", "ranks need access without a password"},
	{"cannot find launcher", "`--launcher` names another one"},
	{"unrecognized launcher", "`--launcher` names another one: ssh, slurm, ..."},
};

/* The line with the first sign; empty: none says it. */
static sw_str find_line(const struct fault_tail *tail, const struct sign **sign)
{
	const char *text = sw_text_get(&tail->text);
	*sign = NULL;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		const char *found = strcasestr(text, signs[i].words), *begin = found;
		if (!found)
			continue;
		while (begin > text && begin[-1] != '\n')
			begin--;
		*sign = &signs[i];
		return sw_str_trim((sw_str){begin, strcspn(begin, "\n")});
	}
	return (sw_str){text, 0};
}

static bool names_hosts(const struct asked_hosts *asked)
{
	return asked->hosts || asked->hostfile || asked->launcher;
}

bool unreachable_is_said(const struct asked_hosts *asked, const struct fault_tail *tail)
{
	const struct sign *sign;
	return names_hosts(asked) && find_line(tail, &sign).length > 0;
}

static bool is_word_byte(char c)
{
	return c == '-' || c == '.' || c == '_' || isalnum((unsigned char)c);
}

/* Does the line name this host, and not only one whose name has the letters of this one? */
static bool names(sw_str line, sw_str host)
{
	for (size_t i = 0; i + host.length <= line.length; i++) {
		size_t end = i + host.length;
		bool alone = (i == 0 || !is_word_byte(line.at[i - 1])) && (end == line.length || !is_word_byte(line.at[end]));
		if (alone && memcmp(line.at + i, host.at, host.length) == 0)
			return true;
	}
	return false;
}

/* The host of `--hosts` that the line names, or the only one; empty: it is not known which. */
static sw_str host_in(const char *hosts, sw_str line)
{
	for (const char *at = hosts ? hosts : ""; *at;) {
		sw_str host = {at, strcspn(at, ",")};
		bool only = !strchr(hosts, ',');
		if (host.length && (only || names(line, host)))
			return host;
		at += host.length + (at[host.length] == ',');
	}
	return (sw_str){"", 0};
}

static void add_who(const struct asked_hosts *asked, sw_str host, sw_text *text)
{
	if (host.length)
		sw_text_addf(text, "host '%.*s'", (int)host.length, host.at);
	else if (asked->hosts)
		sw_text_addf(text, "a host of %s", asked->hosts);
	else if (asked->hostfile)
		sw_text_addf(text, "a host of '%s'", asked->hostfile);
	else
		sw_text_add(text, "a host");
}

bool unreachable_tell(const struct asked_hosts *asked, const struct fault_tail *tail, double seconds, sw_diag *diag)
{
	const char *launcher = asked->launcher ? asked->launcher : "ssh";
	const struct sign *sign;
	sw_text who = {0}, words = {0};
	sw_str line = find_line(tail, &sign);
	add_who(asked, host_in(asked->hosts, line), &who);
	report_show_bytes(line, &words);
	if (sign) {
		sw_diag_set(diag, SW_E04, (sw_span){0, 0}, "%s cannot be reached by %s", sw_text_get(&who), launcher);
		sw_diag_found(diag, "%s", sw_text_get(&words));
		sw_diag_hint(diag, "%s", sign->hint);
	} else {
		sw_diag_set(diag, SW_E04, (sw_span){0, 0},
			"no rank started within %.3g s: %s may be out of reach of "
			"%s",
			seconds, sw_text_get(&who), launcher);
		sw_diag_found(diag, "nothing from mpiexec");
		sw_diag_hint(diag, "`%s HOST true` must end at once, without a password", launcher);
	}
	sw_text_free(&who);
	sw_text_free(&words);
	return false;
}
