/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Following a launch: records from its standard output, everything else kept for the message where it fails.
 */
#define _GNU_SOURCE
#include "launch/launch.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/child.h"
#include "launch/fault.h"
#include "launch/stream.h"
#include "launch/unreachable.h"
#include "host/limits.h"
#include "host/interrupt.h"
#include "session/live.h"

enum {
	TICK_MS = 100,
	WATCHED_TICK_MS = 50, /* where a picture is painted meanwhile */
	WORDS = 48,
};

#define LOOK 0.25    /* seconds from one look at the ranks to the next */
#define GRACE 0.8    /* that the executor's own watch is given to speak first */
#define FAREWELL 5.0 /* from the last complete record to the end, at most */
#define ORPHANED 1.0 /* from the end of all ranks to that of the launcher */

struct follow {
	const struct launch *launch;
	struct records *records;
	struct child child;
	struct stream out;      /* lines of standard output */
	struct fault_tail tail; /* what else was printed */
	int complete_before, first;
	double alive, looked_at, ranks_at, complete_at, shown_at, start;
	size_t looked_for; /* bytes of it in which a host out of reach was looked for */
	long long work;    /* of the ranks, in ticks */
	int ranks;         /* that run here and have a launcher; -1: none was seen yet */
	struct fault_stopped stopped;
	bool hung, interrupted, unreachable;
	sw_diag unheard; /* why nobody hears of records any more; else SW_OK */
	bool out_open, err_open;
};

/* ---- the command line ---- */

struct words {
	char *word[WORDS];
	int count;
	sw_arena *arena;
};

static void add_word(struct words *words, const char *word)
{
	if (words->count < WORDS - 1)
		words->word[words->count++] = sw_arena_copy(words->arena, word, strlen(word));
}

static void add_option(struct words *words, const char *name, const char *value)
{
	if (!value)
		return;
	add_word(words, name);
	add_word(words, value);
}

static void add_number(struct words *words, const char *name, double value)
{
	char text[40];
	if (value < 0)
		return;
	snprintf(text, sizeof(text), "%.15g", value);
	add_option(words, name, text);
}

/* Launcher, its options, the executor, its options, the plans. */
static char **make_words(const struct launch *launch, sw_arena *arena)
{
	const struct launch_options *options = launch->options;
	struct words words = {.arena = arena};
	add_word(&words, launch->programs->launcher);
	add_option(&words, "-launcher", options->launcher);
	add_option(&words, "-hosts", options->hosts);
	if (options->each > 0)
		add_number(&words, "-ppn", options->each);
	add_option(&words, "-f", options->hostfile);
	add_number(&words, "-n", options->ranks);
	add_word(&words, launch->programs->executor);
	add_option(&words, "--transport", options->transport);
	add_option(&words, "--overlap", options->overlap);
	add_option(&words, "--in-place", options->in_place);
	if (options->throttle)
		add_word(&words, "--throttle");
	if (options->collectives)
		add_word(&words, "--collectives");
	if (options->total) {
		add_word(&words, "--total");
		add_word(&words, "--no-reference");
	}
	add_option(&words, "--pdgemm", options->pdgemm);
	if (options->rivals) {
		add_option(&words, "--alltoallw", LAUNCH_ALLTOALLW);
		add_option(&words, "--alltoallv", LAUNCH_ALLTOALLV);
	}
	add_number(&words, "--reps", options->reps);
	add_number(&words, "--warmup", options->warmup);
	add_number(&words, "--timeout", options->timeout);
	add_number(&words, "--launch", options->number);
	add_option(&words, "--samples", options->samples);
	char **all = SW_NEW(arena, char *, words.count + launch->count + 1);
	if (!all)
		return NULL;
	memcpy(all, words.word, (size_t)words.count * sizeof(*all));
	for (int i = 0; i < launch->count; i++)
		all[words.count + i] = (char *)launch->plans[i];
	all[words.count + launch->count] = NULL;
	return all;
}

void launch_print(const struct launch *launch, sw_text *text)
{
	sw_arena *arena = sw_arena_new();
	char **words = arena ? make_words(launch, arena) : NULL;
	for (int i = 0; words && words[i]; i++)
		sw_text_addf(text, strpbrk(words[i], " \t") ? "%s'%s'" : "%s%s", i ? " " : "", words[i]);
	sw_arena_free(arena);
}

/* ---- output ---- */

static void take_record(struct follow *follow, sw_record *record)
{
	const struct launch *launch = follow->launch;
	follow->alive = live_now();
	if (launch->record && follow->unheard.code == SW_OK)
		launch->record(launch->context, record, &follow->unheard);
	records_take(follow->records, record, NULL);
	if (records_complete(follow->records) - follow->complete_before == launch->count)
		follow->complete_at = live_now();
}

static void take_line(void *context, sw_str line)
{
	struct follow *follow = context;
	sw_record record;
	if (line.length && line.at[0] == '{' && sw_record_read(line, follow->records->arena, &record, NULL))
		take_record(follow, &record);
	else
		fault_tail_add(&follow->tail, line);
}

static void take_output(struct follow *follow, const char *bytes, size_t count)
{
	stream_add(&follow->out, bytes, count);
}

static void take_errors(struct follow *follow, const char *bytes, size_t count)
{
	fault_tail_add_bytes(&follow->tail, bytes, count);
}

/* Reads what is there; false at the end. */
static bool drain(struct follow *follow, int fd, void (*take)(struct follow *follow, const char *bytes, size_t count))
{
	char bytes[16384];
	ssize_t n;
	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		take(follow, bytes, (size_t)n);
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* ---- eyes ---- */

/* What the ranks do at the moment. */
static void tell_present(const struct follow *follow, sw_text *line)
{
	const struct records *records = follow->records;
	int done = records_complete(records) - follow->complete_before;
	if (records->count > follow->first && !records->times[records->count - 1].complete) {
		const struct times *times = &records->times[records->count - 1];
		sw_text_addf(line, "%s, %d %s measured", times->plan ? times->plan : "plan", times->count,
			times->count == 1 ? "step" : "steps");
	} else if (done) {
		sw_text_addf(line, "%d of %d plans measured", done, follow->launch->count);
	} else {
		sw_text_addf(line, "starting %d ranks", follow->launch->options->ranks);
	}
}

static void tell(struct follow *follow)
{
	const struct launch *launch = follow->launch;
	sw_text line = {0};
	if (!launch->console->err_terminal || launch->console->quiet || live_now() - follow->shown_at < 0.2)
		return;
	sw_text_addf(&line, "%s: ", launch->live->what);
	live_print(launch->live, live_now(), &line);
	sw_text_add(&line, ": ");
	tell_present(follow, &line);
	sw_text_add(&line, "  (Ctrl-C stops)");
	console_progress(launch->console, sw_text_get(&line));
	sw_text_free(&line);
	follow->shown_at = live_now();
}

struct sight {
	struct follow *follow;
	long long work;
	int ranks;
};

/* Work of the launcher is no progress, and none counts as long as a process of the run is stopped. */
static void see_process(pid_t pid, void *context)
{
	struct sight *sight = context;
	struct process process = process_look(pid);
	bool rank = child_is_rank(&sight->follow->child, pid);
	if (process.state == 'T')
		fault_stopped_add(&sight->follow->stopped, pid, rank ? process_rank(pid) : -1);
	sight->ranks += rank && process.parent != sight->follow->child.keeper;
	sight->work += rank ? process.work : 0;
}

/* Ranks on other hosts do their work unseen: once they have started, their own watch has to do. */
static bool is_unseen(const struct follow *follow)
{
	const struct launch_options *options = follow->launch->options;
	return (options->hosts || options->hostfile || options->launcher) && follow->ranks < options->ranks &&
		follow->records->count;
}

static void look(struct follow *follow, double time)
{
	struct sight sight = {.follow = follow};
	follow->stopped.count = 0;
	child_visit(&follow->child, see_process, &sight);
	if (sight.ranks || follow->ranks > 0)
		follow->ranks = sight.ranks;
	if (sight.ranks)
		follow->ranks_at = time;
	if ((sight.work > follow->work && !follow->stopped.count) || is_unseen(follow))
		follow->alive = time;
	follow->work = sight.work;
	follow->looked_at = time;
}

/* No record and no processor time for too long: the executor's own watch, which can name the rank, did not speak. */
static bool is_hung(const struct follow *follow, double time)
{
	return time - follow->alive > follow->launch->options->timeout + GRACE;
}

/* The ranks are gone, or the process of the launcher that started them, and the launcher does not notice. */
static bool is_orphaned(const struct follow *follow, double time)
{
	return follow->ranks == 0 && !is_unseen(follow) && time - follow->ranks_at > ORPHANED;
}

static bool has_said_farewell(const struct follow *follow, double time)
{
	double timeout = follow->launch->options->timeout;
	return follow->complete_at && time - follow->complete_at > (timeout < FAREWELL ? timeout : FAREWELL);
}

/* A signal came, or a picture that reads keys meanwhile was told to stop. */
static bool is_stopped(const struct follow *follow)
{
	const struct console_taker *taker = follow->launch->console->taker;
	return interrupt_signal() || (taker && !taker->beat(taker->context));
}

static struct asked_hosts hosts_of(const struct launch *launch)
{
	const struct launch_options *options = launch->options;
	return (struct asked_hosts){options->hosts, options->hostfile, options->launcher};
}

/* Does what was printed say that a host is out of reach? */
static bool is_said(const struct follow *follow)
{
	const struct asked_hosts asked = hosts_of(follow->launch);
	return unreachable_is_said(&asked, &follow->tail);
}

/* false: it has to be ended now. */
static bool may_go_on(struct follow *follow)
{
	double time = live_now();
	console_beat(follow->launch->console);
	follow->interrupted = is_stopped(follow);
	if (follow->interrupted || follow->unheard.code != SW_OK || !child_is_kept(&follow->child))
		return false;
	if (time - follow->looked_at > LOOK)
		look(follow, time);
	follow->unreachable = follow->records->count == follow->first && follow->tail.text.length != follow->looked_for &&
		is_said(follow);
	follow->looked_for = follow->tail.text.length;
	if (follow->unreachable)
		return false;
	follow->hung = !follow->complete_at && is_hung(follow, time);
	return !follow->hung && !is_orphaned(follow, time) && !has_said_farewell(follow, time);
}

static void follow_output(struct follow *follow)
{
	follow->out_open = follow->err_open = true;
	follow->ranks = -1;
	while ((follow->out_open || follow->err_open) && may_go_on(follow)) {
		const struct console_taker *taker = follow->launch->console->taker;
		struct pollfd wait[3] = {
			{.fd = follow->out_open ? follow->child.out : -1, .events = POLLIN},
			{.fd = follow->err_open ? follow->child.err : -1, .events = POLLIN},
			{.fd = taker && taker->wakes ? taker->wakes(taker->context) : -1, .events = POLLIN},
		};
		if (poll(wait, 3, taker ? WATCHED_TICK_MS : TICK_MS) < 0)
			continue; /* a signal came */
		if (wait[0].revents)
			follow->out_open = drain(follow, follow->child.out, take_output);
		if (wait[1].revents)
			follow->err_open = drain(follow, follow->child.err, take_errors);
		tell(follow);
	}
	/* Where the keeper has gone before this was read, it is all there. */
	if (follow->out_open)
		drain(follow, follow->child.out, take_output);
	if (follow->err_open)
		drain(follow, follow->child.err, take_errors);
	stream_end(&follow->out);
}

/* ---- the whole ---- */

static bool all_verified(const struct follow *follow)
{
	for (int i = follow->first; i < follow->records->count; i++)
		if (!follow->records->times[i].right)
			return false;
	return true;
}

static bool any_measured(const struct follow *follow)
{
	for (int i = follow->first; i < follow->records->count; i++)
		if (follow->records->times[i].count)
			return true;
	return false;
}

static bool began_nowhere(const struct follow *follow)
{
	return follow->records->count == follow->first && follow->ranks <= 0;
}

static bool is_elsewhere(const struct follow *follow)
{
	return follow->launch->options->hosts || follow->launch->options->hostfile;
}

/* Said so, or it hangs where no rank was ever seen. */
static bool is_out_of_reach(const struct follow *follow)
{
	bool nowhere = began_nowhere(follow);
	return follow->unreachable || (nowhere && is_said(follow)) || (nowhere && follow->hung && is_elsewhere(follow));
}

static bool judge(const struct follow *follow, int status, sw_diag *diag)
{
	if (follow->interrupted) {
		sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped: the ranks were ended");
		if (any_measured(follow))
			sw_diag_hint(diag, "the results so far are kept; `show times` shows them");
		return false;
	}
	if (follow->unheard.code != SW_OK) {
		*diag = follow->unheard;
		return false;
	}
	if (follow->complete_at && all_verified(follow))
		return true;
	if (is_out_of_reach(follow)) {
		const struct asked_hosts asked = hosts_of(follow->launch);
		return unreachable_tell(&asked, &follow->tail, follow->launch->options->timeout, diag);
	}
	if (follow->hung)
		return fault_hang(follow->records, follow->first, &follow->stopped, follow->launch->options->timeout, diag);
	return fault_tell(follow->records, follow->first, &follow->tail, &follow->stopped, status, diag);
}

/* Advice to take the transport that was taken, or cannot be chosen, helps nobody. */
static void check_advice(const struct launch_options *options, sw_diag *diag)
{
	bool taken = options->transport && strcmp(options->transport, "messages") == 0;
	if (strstr(diag->hint, "--transport messages") && (taken || options->both || options->collectives))
		sw_diag_hint(diag, "fewer ranks need less; `df /dev/shm` and `ulimit -v` show the limits");
}

bool launch_run(const struct launch *launch, struct records *records, sw_diag *diag)
{
	struct follow follow = {.launch = launch, .records = records, .unheard.code = SW_OK};
	follow.out = (struct stream){.take = take_line, .context = &follow};
	if (!launch->options->hosts && !launch->options->hostfile && !limits_allow_ranks(launch->options->ranks, diag))
		return false;
	sw_arena *arena = sw_arena_new();
	char **words = arena ? make_words(launch, arena) : NULL;
	if (!words || !child_start(&follow.child, words, launch->folder, diag)) {
		sw_arena_free(arena);
		return words ? false : sw_diag_memory(diag);
	}
	follow.complete_before = records_complete(records);
	follow.first = records->count;
	follow.alive = follow.looked_at = follow.start = live_now();
	follow_output(&follow);
	int status = child_end(&follow.child);
	console_progress(launch->console, "");
	bool ok = judge(&follow, status, diag);
	if (!ok)
		check_advice(launch->options, diag);
	fault_tail_free(&follow.tail);
	sw_arena_free(arena);
	return ok;
}
