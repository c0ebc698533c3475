/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The console: where answers and messages go, and how they may look there.
 *
 * Answers go to `out`, everything else to standard error.  A pipe that nobody reads any more ends the program in
 * silence (status 141); any other failure to write is remembered and told once.
 */
#ifndef SHARDWALK_ANSWER_CONSOLE_H
#define SHARDWALK_ANSWER_CONSOLE_H

#include <stdbool.h>
#include <stdio.h>

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#include "canvas/canvas.h"

enum choice { CHOICE_AUTO, CHOICE_ALWAYS, CHOICE_NEVER };

/* A statement of a script that is played. */
struct film_moment {
	const char *file; /* of the script; may be NULL */
	int line;
	const char *words; /* the comment before it */
	sw_str statement;
	bool done; /* it has run; else it is about to */
};

struct document;

/* Somebody who takes what would go to the terminal, because a picture covers it. */
struct console_taker {
	void *context;
	void (*text)(void *context, bool message, const char *text, size_t length);
	void (*canvas)(void *context, const struct canvas *canvas);
	void (*progress)(void *context, const char *line);
	void (*wipe)(void *context); /* away with all that was shown */
	bool (*beat)(void *context); /* now and then in long work; false stops it */
	int (*wakes)(void *context); /* a file that can be read when a beat is wanted at once; -1: none can */
	void (*release_terminal)(void *context,
		bool released); /* the terminal is given to another program, or comes back */
	void (*resume)(
		void *context); /* what `beat` stopped has ended, and other work of the same command begins; or NULL */
	void (*film)(void *context, const struct film_moment *moment); /* what is played, NULL: it is over; or NULL */
	bool (*holds)(void *context);                                  /* what is played shall wait; or NULL */
	void (*document)(void *context,
		struct document *document); /* takes the pieces that were shown, as it likes; or NULL */
};

struct console {
	FILE *out;
	const struct console_taker *taker; /* NULL: nobody, all goes to `out` and standard error */
	bool in_terminal, out_terminal, err_terminal;
	struct canvas_style style;     /* of answers */
	struct canvas_style err_style; /* of messages */
	int width, height;             /* of the terminal; 80 and 0 where there is none */
	struct recording *recording;   /* of what the terminal shows (answer/record.h); NULL: nobody records */
	int progress;                  /* columns of the line of progress that stands there */
	bool quiet;                    /* no remarks */
	bool broken;                   /* writing failed, and it was told */
};

struct console console_of_process(void);

/* Decides colours and alphabet: what was asked for, then NO_COLOR, then what the terminal can. */
void console_choose(struct console *console, enum choice color, enum choice ascii, bool light, int width);

/* The terminal's columns and rows, whoever covers it; rows 0 where they are not known. */
void console_size(const struct console *console, int *width, int *height);

/* Writes an answer.  Error: B02. */
bool console_write(struct console *console, const sw_text *text, sw_diag *diag);
bool console_draw(struct console *console, const struct canvas *canvas, sw_diag *diag);
bool console_flush(struct console *console, sw_diag *diag);

/* An empty terminal, with the prompt at its top; elsewhere nothing. */
void console_clear(struct console *console);

/* A message on standard error. */
void console_message(struct console *console, const sw_text *text);

/* To be called now and then in long work: a picture reads its keys meanwhile. */
void console_beat(struct console *console);

/* Gives the terminal to another program, and takes it back. */
void console_release_terminal(struct console *console, bool released);

/* A remark on standard error, unless it was asked to be quiet. */
void console_remark(struct console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line of progress on standard error, overwritten by the next; "" takes it away. */
void console_progress(struct console *console, const char *line);

#endif
