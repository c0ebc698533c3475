/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From symptoms to causes.
 */
#define _GNU_SOURCE
#include "launch/fault.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "answer/report.h"

enum { TAIL_MOST = 1 << 16 };

/* ---- what was printed ---- */

/* What is too much is dropped: the first words name the cause, what follows is its consequences. */
void fault_tail_add_bytes(struct fault_tail *tail, const char *bytes, size_t count)
{
	size_t room = tail->text.length < TAIL_MOST ? TAIL_MOST - tail->text.length : 0;
	sw_text_add_str(&tail->text, (sw_str){bytes, count < room ? count : room});
}

void fault_tail_add(struct fault_tail *tail, sw_str line)
{
	fault_tail_add_bytes(tail, line.at, line.length);
	fault_tail_add_bytes(tail, "\n", 1);
}

void fault_tail_free(struct fault_tail *tail)
{
	sw_text_free(&tail->text);
}

/* ---- the executor's own words ---- */

static sw_code code_of(const char *name)
{
	sw_code code = name ? sw_code_named(name, strlen(name)) : SW_OK;
	return code == SW_OK ? SW_E04 : code;
}

static bool tell_record(const struct times *times, sw_diag *diag)
{
	sw_diag_set(diag, code_of(times->error.code), (sw_span){0, 0}, "%s", times->error.message);
	if (times->error.hint && *times->error.hint)
		sw_diag_hint(diag, "%s", times->error.hint);
	return true;
}

/* `E01: words`: the code, and what follows it. */
static sw_code split_code(const char **words, size_t *length)
{
	if (*length < 5 || strncmp(*words + 3, ": ", 2) != 0)
		return SW_OK;
	sw_code code = sw_code_named(*words, 3);
	if (code != SW_OK) {
		*words += 5;
		*length -= 5;
	}
	return code;
}

/* "shardwalk-exec: E01: message" and perhaps "  hint" on the next line. */
static bool tell_line(const char *text, sw_diag *diag)
{
	static const char head[] = "\nshardwalk-exec: ";
	bool first = strncmp(text, head + 1, sizeof(head) - 2) == 0;
	const char *at = first ? text : strstr(text, head);
	if (!at)
		return false;
	at += sizeof(head) - 1 - first;
	size_t length = strcspn(at, "\n");
	const char *next = at[length] ? at + length + 1 : "";
	sw_code code = split_code(&at, &length);
	const char *subject = code == SW_OK ? memmem(at, length, ": ", 2) : NULL;
	if (subject) {
		const char *words = subject + 2;
		size_t rest = length - (size_t)(words - at);
		code = split_code(&words, &rest);
		at = code == SW_OK ? at : words;
		length = code == SW_OK ? length : rest;
	}
	sw_diag_set(diag, code == SW_OK ? SW_E04 : code, (sw_span){0, 0}, "%.*s", (int)length, at);
	if (strncmp(next, "  ", 2) == 0)
		sw_diag_hint(diag, "%.*s", (int)strcspn(next + 2, "\n"), next + 2);
	return true;
}

/* ---- the launcher's words ---- */

static const struct symptom {
	const char *sign;    /* in what was printed ... */
	const char *message; /* ... means this */
	const char *hint;
} symptoms[] = {
	{"Too many open files", "a process of the run has no file descriptor left",
		"`ulimit -n 1024` in the shell of that host allows more"},
	{"files that could be opened", "a rank has no file descriptor left",
		"`ulimit -n 1024` in the shell of that host allows more"},
	{"failed to map segment", "a program could not be loaded: it may have too little address space",
		"`ulimit -v unlimited` in the shell "
		"allows all of it"},
	{"error while loading shared libraries", "a program could not be loaded", "is MPICH installed on every host?"},
	{"check that /dev/shm", "/dev/shm has too little space for MPICH",
		"`df /dev/shm`; `--transport messages` needs less of it"},
	{"Cannot allocate memory", "a process of the run got no memory",
		"`ulimit -v` and `ulimit -u` may be the limit; fewer ranks, or a "
		"smaller array, need less"},
	{"Killed (signal 9)", "a rank was killed (signal 9)",
		"this happens when memory runs out, and `dmesg` then says so; a smaller array or fewer `--ranks` need less"},
	{"Bus error (signal 7)", "a rank got a bus error (signal 7)",
		"this happens when shared memory runs out: `df /dev/shm`; `--transport messages` needs little of it"},
	{"Segmentation fault (signal 11)", "a rank crashed (signal 11)",
		"this is a bug in shardwalk-exec or in MPI: please report it with the plan"},
	{"Terminated (signal 15)", "a rank was asked to end (signal 15)",
		"someone ended it, or another rank failed first"},
	{"assert (!closed) failed", "the launcher lost its own process hydra_pmi_proxy",
		"someone ended it, or memory ran out (see `dmesg`); run it again"},
	{"Permission denied", "the launcher was denied permission",
		"check `--hosts` and the permissions of shardwalk-exec"},
};

static const struct symptom *find_symptom(const char *text)
{
	for (size_t i = 0; i < sizeof(symptoms) / sizeof(*symptoms); i++)
		if (strcasestr(text, symptoms[i].sign))
			return &symptoms[i];
	return NULL;
}

/* Shows the first line that says something. */
static void add_words(const char *text, sw_diag *diag)
{
	sw_text line = {0};
	text += strspn(text, "=\n \t");
	report_show_bytes((sw_str){text, strcspn(text, "\n")}, &line);
	if (line.length)
		sw_diag_found(diag, "%s", sw_text_get(&line));
	sw_text_free(&line);
}

static bool tell_status(const char *text, int status, sw_diag *diag)
{
	const struct symptom *symptom = find_symptom(text);
	if (symptom) {
		sw_diag_set(diag, SW_E04, (sw_span){0, 0}, "%s", symptom->message);
		sw_diag_hint(diag, "%s", symptom->hint);
		return false;
	}
	if (status > 128 && status <= 128 + SIGRTMAX)
		sw_diag_set(diag, SW_E04, (sw_span){0, 0}, "signal %d ended the launcher", status - 128);
	else
		sw_diag_set(diag, SW_E04, (sw_span){0, 0}, "the ranks ended early, with status %d and no complete result",
			status);
	add_words(text, diag);
	sw_diag_hint(diag, "run it again; `verify` executes the plan without MPI");
	return false;
}

/* ---- what was stopped ---- */

void fault_stopped_add(struct fault_stopped *stopped, int process, int rank)
{
	enum { ROOM = sizeof(stopped->who) / sizeof(*stopped->who) };
	if (stopped->count == ROOM)
		return;
	stopped->who[stopped->count].process = process;
	stopped->who[stopped->count++].rank = rank;
}

static void print_stopped(const struct fault_stopped *stopped, sw_text *text)
{
	for (int i = 0; i < stopped->count; i++) {
		sw_text_add(text, i ? ", " : "");
		if (stopped->who[i].rank >= 0)
			sw_text_addf(text, "rank %d (process %d)", stopped->who[i].rank, stopped->who[i].process);
		else
			sw_text_addf(text, "the launcher's process %d", stopped->who[i].process);
	}
}

/* As far as records tell. */
static void print_where(const struct records *records, int first, sw_text *text)
{
	const struct times *last = records->count > first ? &records->times[records->count - 1] : NULL;
	if (!last)
		sw_text_add(text, ", before the first plan began");
	else if (last->count)
		sw_text_addf(text, ", after step %d of %s", last->count, last->plan ? last->plan : "a plan");
	else
		sw_text_addf(text, ", before the times of step 1 of %s", last->plan ? last->plan : "a plan");
}

static void add_stopped(const struct fault_stopped *stopped, sw_diag *diag)
{
	sw_text text = {0};
	if (!stopped->count || strstr(diag->message, "stopped"))
		return;
	print_stopped(stopped, &text);
	sw_diag_found(diag, "stopped: %s", sw_text_get(&text));
	sw_text_free(&text);
}

/* ---- the whole ---- */

bool fault_tell(const struct records *records, int first, const struct fault_tail *tail,
	const struct fault_stopped *stopped, int status, sw_diag *diag)
{
	const char *text = sw_text_get(&tail->text);
	int i = first;
	while (i < records->count && !records->times[i].error.message)
		i++;
	if (i < records->count)
		tell_record(&records->times[i], diag);
	else if (!tell_line(text, diag))
		tell_status(text, status, diag);
	add_stopped(stopped, diag);
	return false;
}

bool fault_hang(const struct records *records, int first, const struct fault_stopped *stopped, double seconds,
	sw_diag *diag)
{
	sw_text who = {0}, where = {0};
	print_stopped(stopped, &who);
	print_where(records, first, &where);
	if (stopped->count) {
		sw_diag_set(diag, SW_E04, (sw_span){0, 0}, "%s %s stopped: no progress for %.3g s%s", sw_text_get(&who),
			stopped->count == 1 ? "is" : "are", seconds, sw_text_get(&where));
		sw_diag_hint(diag,
			"someone stopped it (SIGSTOP, a debugger, a frozen group); everything was ended: run it again");
	} else {
		sw_diag_set(diag, SW_E04, (sw_span){0, 0}, "the ranks hang: no progress for %.3g s%s", seconds,
			sw_text_get(&where));
		sw_diag_hint(diag, "everything was ended; raise `--timeout` if the machine is slow");
	}
	sw_text_free(&who);
	sw_text_free(&where);
	return false;
}
