/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Actions: what a key may do on the screen.
 *
 * One row each, and one row for each key: the dispatcher, the bar at the bottom, the help and `bind` read them.
 */
#ifndef SHARDWALK_SCREEN_ACTIONS_H
#define SHARDWALK_SCREEN_ACTIONS_H

#include "screen/model.h"

/* What has to be there for an action; else it says why not. */
enum need {
	NEED_NOTHING,
	NEED_WALK,
	NEED_WALK_OR_FILM,
	NEED_RUN, /* a problem of any types, a plan or a program */
	NEED_PLAN,
	NEED_SENDERS, /* a plan, or a schedule in the view with the focus */
	NEED_STEPS,   /* a walk or a plan, whatever the view is about */
	NEED_TILES,   /* the view of tiles, and a plan */
	NEED_DIMS,    /* that, or the film */
	NEED_TILES_OR_WALL,
	NEED_FINDING, /* something to search for */
	NEED_PAST,
	NEED_FUTURE,
	NEED_COUNT
};

struct action {
	const char *name;  /* for `bind` */
	const char *group; /* of the help */
	const char *label; /* in the bar at the bottom */
	void (*run)(struct screen *screen, int argument);
	int argument;
	enum need need;
	bool looks; /* may act while a command works */
	const char *about;
};
extern const struct action actions[];
extern const int action_count;

struct key_row {
	int key;
	const char *action;
};
extern const struct key_row key_rows[];
extern const int key_row_count;

const struct action *action_named(sw_str name);

/* What a key is bound to: an action, or a line (then NULL, and *line). */
const struct action *action_of(const struct screen *screen, int key, const char **line);

/* Why an action cannot be done now; NULL: it can. */
const char *action_refused(const struct screen *screen, const struct action *action);

/* The first key that does an action, as a person reads it; "" where none does. */
void action_keys(const struct screen *screen, const struct action *action, bool all, sw_text *text);

/* Goes to a view, and has made what it shows where that takes a command. */
void view_open(struct screen *screen, int view);

/* The actions worth a place in the bar for the view with the focus; NULL after the last. */
const char *const *actions_useful(const struct screen *screen);

/* search.c */
void search_begin(struct screen *screen, int argument);
void search_next(struct screen *screen, int direction);
void filter_begin(struct screen *screen, int argument);

/* Draws what the search found so that it stands out. */
void search_mark(const struct screen *screen, struct canvas *canvas);

/* Rows without the text of the filter are left out. */
void filter_rows(struct canvas *canvas, const char *text, struct frame *frame);

#endif
