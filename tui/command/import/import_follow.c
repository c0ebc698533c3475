/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * import --follow: a log is read on while a build writes it, and each new warning is told as it comes.
 *
 * Only what is new is looked at.  What is answered at the end is read from the whole text.
 */
#define _GNU_SOURCE
#include "command/import/import.h"

#include <signal.h>
#include <string.h>

#include "host/file.h"
#include "host/interrupt.h"
#include "host/tail.h"

#define WAIT 100           /* milliseconds, before keys and signals are asked for again */
#define LONGEST (64 << 10) /* bytes that a warning may have which is not whole yet */

struct follow {
	struct import *import;
	struct tail tail;
	sw_text raw;   /* all that was read */
	size_t from;   /* what was looked at for the last time ends here, ... */
	int64_t line;  /* ... in this line */
	size_t whole;  /* lines up to here were looked at */
	sw_text told;  /* pairs, each with a zero byte behind it */
	int64_t pairs; /* of them */
};

static bool goes_on(const struct follow *follow)
{
	const struct console_taker *taker = follow->import->run->session->console->taker;
	return !interrupt_signal() && (!taker || taker->beat(taker->context));
}

/* ---- telling ---- */

static bool is_told(struct follow *follow, const char *pair)
{
	const char *at = sw_text_get(&follow->told), *end = at + follow->told.length;
	for (; at < end; at += strlen(at) + 1)
		if (strcmp(at, pair) == 0)
			return true;
	sw_text_add_str(&follow->told, (sw_str){pair, strlen(pair) + 1});
	follow->pairs++;
	return false;
}

/* Where an answer has to be one thing the news stand beside it. */
static bool tell(const struct follow *follow, const struct import_row *row, sw_diag *diag)
{
	struct invocation *run = follow->import->run;
	sw_text text = {0};
	sw_text_addf(&text, "line %lld: ", (long long)(follow->line + row->line - 1));
	import_row_text(row, &text);
	if (run->answer->for_programs || run->answer->whole) {
		answer_remark(run->session, "%s", sw_text_get(&text));
		sw_text_free(&text);
		return true;
	}
	sw_text_add_char(&text, '\n');
	document_lines(run->answer, &text);
	return answer_flush(run->session, diag);
}

static bool tell_new(struct follow *follow, const struct import *part, sw_diag *diag)
{
	bool ok = true;
	for (int i = 0; i < part->imports.count && ok; i++) {
		const struct import_row *row = &part->imports.row[i];
		const char *shape = part->log->pairs[row->index].shape;
		sw_text pair = {0};
		sw_text_addf(&pair, "%s\n%s\n%s", row->from ? row->from : "", row->to ? row->to : "", shape ? shape : "");
		ok = is_told(follow, sw_text_get(&pair)) || tell(follow, row, diag);
		sw_text_free(&pair);
	}
	return ok;
}

/* ---- what is new ---- */

static void move_on(struct follow *follow, size_t to)
{
	const char *text = sw_text_get(&follow->raw);
	for (; follow->from < to; follow->from++)
		follow->line += text[follow->from] == '\n';
}

/* The next look begins behind the last pair; nothing that is longer than any warning is looked at twice. */
static void forget(struct follow *follow, const sw_log *log, size_t end)
{
	size_t to = follow->from;
	for (int i = 0; log && i < log->count; i++)
		if (follow->from + log->pairs[i].at.end > to)
			to = follow->from + log->pairs[i].at.end;
	if (end - to > LONGEST)
		to = end - LONGEST;
	move_on(follow, to);
}

/* Lines that are there as a whole.  Work that is stopped here ends the following, and is done again at its end. */
static bool look(struct follow *follow, sw_diag *diag)
{
	const char *text = sw_text_get(&follow->raw), *newline = memrchr(text, '\n', follow->raw.length);
	size_t end = newline ? (size_t)(newline - text) + 1 : 0;
	if (end <= follow->whole)
		return true;
	struct import part = *follow->import;
	part.arena = sw_arena_new();
	part.before = NULL;
	part.log = NULL;
	part.imports.count = 0;
	part.text = (sw_str){text + follow->from, end - follow->from};
	bool ok = part.arena ? import_log_rows(&part, diag) : sw_diag_memory(diag);
	ok = ok ? tell_new(follow, &part, diag) : diag->code == SW_S03;
	forget(follow, part.log, end);
	follow->whole = end;
	sw_arena_free(part.arena);
	return ok;
}

static void begin_anew(struct follow *follow)
{
	move_on(follow, follow->raw.length);
	answer_remark(follow->import->run->session, "'%s' starts over; earlier results stay",
		import_source(follow->import));
}

static bool read_on(struct follow *follow, sw_diag *diag)
{
	bool ok = true, ended = false;
	while (ok && !ended && goes_on(follow)) {
		enum tail_state state = tail_read(&follow->tail, WAIT, &follow->raw, diag);
		if (state == TAIL_ANEW)
			begin_anew(follow);
		else if (state == TAIL_MORE)
			ok = look(follow, diag);
		ended = state == TAIL_END;
		ok = ok && state != TAIL_FAILED;
	}
	return ok;
}

/* Ctrl-C ended the following, and not what comes now. */
static void end_of_following(const struct follow *follow)
{
	struct console *console = follow->import->run->session->console;
	if (interrupt_signal() == SIGINT)
		interrupt_clear();
	if (console->taker && console->taker->resume)
		console->taker->resume(console->taker->context);
}

bool import_follow(struct import *import, sw_diag *diag)
{
	struct follow follow = {.import = import, .line = 1};
	struct invocation *run = import->run;
	import->program = warned_program(&run->session->state);
	if (!tail_open(&follow.tail, file_name(run, &import->file), diag))
		return false;
	answer_remark(run->session, "following %s; Ctrl-C ends this and shows everything found", import_source(import));
	bool ok = read_on(&follow, diag);
	end_of_following(&follow);
	tail_close(&follow.tail);
	sw_text_free(&follow.told);
	bool decoded = file_decode(&follow.raw, &import->content, &import->zeros, ok ? diag : &(sw_diag){0});
	import->text = (sw_str){sw_text_get(&import->content), import->content.length};
	return ok && decoded;
}
