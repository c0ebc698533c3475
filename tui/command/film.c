/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scripts with a pace.
 */
#include "command/film.h"

#include <poll.h>
#include <string.h>
#include <time.h>

#include "answer/record.h"
#include "command/command.h"
#include "host/interrupt.h"

#define BEAT_MILLISECONDS 20

void film_line(struct session *session, sw_str line)
{
	struct film *film = session->film;
	sw_str words = sw_str_trim(line);
	if (!words.length || *words.at != '#') {
		film->fresh = true;
		return;
	}
	words.at++;
	words.length--;
	words = sw_str_trim(words);
	if (film->fresh)
		sw_text_clear(&film->words);
	film->fresh = false;
	if (film->words.length && words.length)
		sw_text_add_char(&film->words, ' ');
	sw_text_add_str(&film->words, words);
}

static void tell(const struct session *session, const struct position *position, sw_str statement, bool done)
{
	const struct console_taker *taker = session->console->taker;
	const struct film_moment moment = {.file = position->file,
		.line = position->line,
		.words = sw_text_get(&session->film->words),
		.statement = statement,
		.done = done};
	if (taker && taker->film)
		taker->film(taker->context, &moment);
}

static double seconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A pause is not counted. */
static void wait_for(const struct session *session, int64_t milliseconds)
{
	const struct console_taker *taker = session->console->taker;
	double left = 1e-3 * (double)milliseconds, last = seconds_now();
	while (left > 0 && !interrupt_signal()) {
		poll(NULL, 0, left < 1e-3 * BEAT_MILLISECONDS ? 1 : BEAT_MILLISECONDS);
		if (taker && !taker->beat(taker->context))
			return;
		double now = seconds_now();
		if (!taker || !taker->holds || !taker->holds(taker->context))
			left -= now - last;
		last = now;
	}
}

void film_before(struct session *session, const struct position *position, sw_str statement)
{
	tell(session, position, statement, false);
	if (session->console->taker)
		wait_for(session, session->film->pace / 4);
}

void film_after(struct session *session, const struct position *position, sw_str statement)
{
	sw_diag ignored;
	console_flush(session->console, &ignored);
	tell(session, position, statement, true);
	wait_for(session, session->film->pace);
	session->film->fresh = true;
}

static void end(struct session *session)
{
	const struct console_taker *taker = session->console->taker;
	if (taker && taker->film)
		taker->film(taker->context, NULL);
}

bool film_play(struct session *session, int64_t pace, const char *record, const char *title,
	bool (*run)(struct session *session, const char *name, sw_diag *diag), const char *name, sw_diag *diag)
{
	struct film film = {.pace = pace, .fresh = true}, *before = session->film;
	struct console *console = session->console;
	struct recording *outer = console->recording;
	int width, height;
	console_size(console, &width, &height);
	struct recording *recording = record ? recording_new(width, height, title) : NULL;
	if (record && !recording)
		return sw_diag_memory(diag);
	console->recording = recording ? recording : outer;
	session->film = &film;
	bool ok = run(session, name, diag);
	end(session);
	session->film = before;
	console->recording = outer;
	ok = ok && (!recording || recording_save(recording, record, diag));
	recording_free(recording);
	sw_text_free(&film.words);
	return ok;
}
