/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a picture is made of: where one looks, what was typed, what was answered.
 *
 * Nothing here knows a terminal: a screen is composed into a canvas, so that tests can read it.
 */
#ifndef SHARDWALK_SCREEN_MODEL_H
#define SHARDWALK_SCREEN_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <shardwalk/text.h>

#include "answer/rows.h"
#include "canvas/canvas.h"
#include "command/tour.h"
#include "screen/graph.h"
#include "screen/keys.h"
#include "screen/screen.h"
#include "session/session.h"
#include "views/search_graph.h"

#define SCREEN_MIN_WIDTH 24
#define SCREEN_MIN_HEIGHT 7
#define PANES_MOST 4
#define TRAIL_MOST 64
#define OUTPUT_MOST 5000 /* rows kept of what commands answered */

enum pane_view {
	PANE_GRAPH,
	PANE_TILES,
	PANE_HEIGHTS,
	PANE_FILM,
	PANE_PLAN,
	PANE_TRAFFIC,
	PANE_TIMES,
	PANE_COMPARE,
	PANE_OUTPUT,
	PANE_EDGES,
	PANE_REWRITING,
	PANE_ROUNDS,
	PANE_PARETO,
	PANE_TYPE,
	PANE_MESH,
	PANE_IMPORTS,
	PANE_PROGRAM,
	PANE_WAYS,
	PANE_SYSTEM,
	PANE_PLACEMENT,
	PANE_GROUPS,
	PANE_STATE,
	PANE_HIERARCHIES,
	PANE_REDUCTIONS,
	PANE_PLACEMENTS,
	PANE_SETS,
	PANE_RELATION,
	PANE_NEEDS,
	PANE_TASKS,
	PANE_HOLDS,
	PANE_EXECUTION,
	PANE_LOOPS,
	PANE_START,
	PANE_HELP,
	PANE_COUNT
};

/* What one looks at.  Views that were visited are remembered as such values. */
struct viewpoint {
	int view;                            /* the pane with the focus */
	int layout;                          /* row of the table of layouts */
	int step;                            /* of the plan */
	double passed;                       /* film: this part of the next step has passed, below 1 */
	int rewriting;                       /* of the film, from 1; 0: the first */
	int hop;                             /* of the rounds of a step; 0: before the first */
	bool one_way;                        /* rounds: over one direction of each link */
	int trade;                           /* of pareto, from 1; 0: the cheapest below the wall */
	int import;                          /* of imports, from 0: of the rows that the filter leaves */
	const char *import_by, *import_fold; /* their order, and which are one; NULL: as `import` was asked, and none */
	const void *import_of;               /* the table that these are about */
	bool import_turned;                  /* the order the other way round */
	int start;                           /* of what is offered, from 0 */
	int move;                            /* of the program's redistributions, from 1; 0: none */
	int reduction;                       /* of the programs of a sum on all placements, from 1; 0: none */
	const char *reduction_by;            /* their order (views/summed.h); NULL: the fastest first */
	int64_t device;                      /* followed; VIEW_ALL: none */
	int dims[2];                         /* tiles: shown dimensions; VIEW_ALL: the view chooses */
	bool fold;
	int64_t fixed[SW_MAX_DIMS];
	bool by_device; /* tiles from the device's side */
	bool has_element;
	int64_t element[SW_MAX_DIMS];
	bool has_tile; /* the whole tile that has the element after step `tile` is followed */
	int tile;
	int array;    /* film of a program: which of its arrays the element is of */
	bool refused; /* edges: the refused ones too */
	bool lanes;   /* graph: the second drawing */
	bool total;   /* traffic of all steps */
	int opened;   /* film: so often groups of steps were opened */
	bool inside;  /* one came from the film, to which Esc goes back */
	int beside;   /* film: choice of the second plan (screen/second.h), from 1; 0: none */
	int way;      /* film of a product: the way that is below it, from 1; 0: none */
	int edge;     /* of the chosen node, from 0 */
	int top[PANE_COUNT], left[PANE_COUNT];
	bool has_node;
	int64_t node[SW_MAX_DIMS]; /* local type of the chosen node */
};

/* The rows of a list in a picture; the head above them stays in sight (screen/heads.h). */
struct list_place {
	int head;      /* row of the picture with the heads */
	int from, end; /* its own rows; end of 0: there is no list */
	int left,
		right; /* of the head of the first column: a row of the list begins where something is below one of both */
};

/* What a view says about its picture. */
struct frame {
	char object[96];    /* "node 4 [2, 3]" */
	long long at, of;   /* position 1 to `of`; of 0: none */
	int row;            /* where the selection stands, to be kept in sight; -1: nowhere */
	bool empty;         /* there is no picture: words say what is missing */
	bool scrolls;       /* it chose its rows itself: the picture is as high as the pane */
	int heads, heads_y; /* heads of columns that a click orders by, and their row */
	struct head_spot head[TABLE_COLUMNS];
	struct list_place list; /* below these heads */
};

struct pane {
	int view;
	int x, y, width, height; /* of the picture, without the line above it */
	struct canvas picture;
	struct frame frame;
};

/* The menu of all views (screen/menu.h): what there is to see in each, found when it opens. */
struct menu {
	bool open;
	int chosen; /* of the rows that the filter leaves, from 0 */
	bool there[PANE_COUNT];
	char why[PANE_COUNT][200]; /* where there is nothing */
	char key[PANE_COUNT][24];
	void (*view_open)(struct screen *screen, int view);
};

/* A line asked for at the bottom of the picture: a search, a filter, an element. */
struct ask {
	const struct ask_row *row; /* NULL: nothing is asked */
	char text[128];
	int from; /* where the search began */
};

struct needle {
	char text[128];
	long long at, of; /* match i of n */
	int row, view;    /* where the search came to last */
};

/* The edges out of the chosen node, as last asked for. */
struct edge_list {
	sw_arena *arena;
	sw_edge *edges;
	int count;
	int64_t tile[SW_MAX_DIMS];
	bool refused;
	int number, seen, settled; /* of the walk */
};

/* Where the nodes of the graph stand in its picture, for clicks. */
#define SPOTS_MOST 2048
struct spots {
	int count;
	struct graph_spot spot[SPOTS_MOST];
};

/* Where the tour stands.  Before each step the session is kept: `b` comes back to it. */
struct player {
	int step;          /* of the table, from 1; 0: there is no tour */
	const char *typed; /* a line that is still to be run, or NULL */
	const char *keys;  /* names of keys that are still to be pressed */
	bool in_sight;     /* the line stands at the prompt */
	bool driving;      /* its keys are pressed now: they are for the picture */
	bool paused;
	struct player_place *before[TOUR_MOST + 2]; /* before step n, NULL: it was not there yet */
};

/* A script that is played (screen/played.h). */
struct played {
	bool on, held;
	bool zoomed; /* as it was before */
	char place[80], words[512], line[208];
};

/* Lines that run when the command that works has ended (screen/waiting.h). */
#define WAITING_MOST 16
struct waiting {
	int count;
	char *line[WAITING_MOST];
};

/* A picture that takes long to find, and what it is of. */
struct drawn_before {
	struct canvas picture;
	sw_text key; /* empty: there is none */
};

/* The second plan of the film (screen/second.h). */
struct second {
	sw_arena *arena;
	const sw_plan *plan; /* in it */
	const sw_owners *owners;
	int beside, choice;               /* of which result it was found, and which choice it is */
	const struct sw_moments *moments; /* of a way of the product, in the arena; NULL: it is a plan */
	const void *program;              /* of which program they were found */
	char name[40];
	int run, measured_of; /* results: `measured` is of this run, and of this plan */
	const struct times *measured;
};

/* A list that a command answered (screen/listed.h). */
enum listed { LISTED_WAYS, LISTED_PLACEMENTS, LISTED_COMPARED, LISTED_STRATEGIES, LISTED_TRADES, LISTED_COUNT };
struct listing {
	bool there;
	struct document answer;
	char asked[120];                   /* the command that lists it again, without its options */
	char options[120];                 /* of the command */
	const void *of;                    /* the product or formula; NULL: of what may change */
	sw_text about;                     /* what it is about, where that may change (session/subject.h) */
	int chosen;                        /* row, from 1; 0: none */
	int number;                        /* of kept_compared, which it is drawn from instead of an answer; 0: of none */
	const struct view_input *compared; /* that one's; NULL: the answer has a table */
};

struct screen {
	struct session *session;
	struct prompt *prompt_lines; /* what takes the lines of the prompt; NULL: nothing does, and keeps no history */
	struct viewpoint viewpoint;
	struct viewpoint trail[TRAIL_MOST];
	int trail_count, trail_at;
	int width, height;
	struct pane panes[PANES_MOST];
	int pane_count;
	bool zoomed;

	struct needle search, filter[PANE_COUNT];
	bool found; /* the row that a search came to is in sight, wherever the chosen one is, up to the next key */
	struct ask ask;
	struct menu menu;

	char message[512]; /* the one line */
	enum role message_role;
	char progress[160];
	struct canvas output;  /* rows that commands answered */
	char answer_line[256]; /* the row of the last answer that is its message */
	bool answer_bad;       /* it says what failed */
	struct timespec begun; /* when the command began that works, or worked last */
	int answer_rows;       /* rows of the last answer */
	int answer_at;         /* row of the output where it begins */
	bool answer_first;     /* its view is to begin there */
	bool answered;         /* it stands above the prompt up to the next key */

	bool typing; /* the prompt has the focus */
	bool ahead;  /* it has it while a command works: what is typed is for later */
	struct waiting waiting;
	char typed[64]; /* what the prompt shall begin with, when it gets the focus */
	char prompt[200];
	bool searching;   /* the history, by readline's own prompt */
	const char *line; /* what is typed there, and where the cursor stands (bytes) */
	int line_point;

	bool offers;  /* there was nothing to look at */
	bool running; /* the walk, or the plan's steps, go on with a pace */
	bool busy;    /* a command works: only what looks may act */
	int stops;    /* Ctrl-C while it works */
	bool leaving; /* back to the prompt */
	bool redraw, suspend;
	bool stale;  /* what a command that works has said is not painted yet */
	char repeat; /* what `.` and an empty line repeat: 's' or 'b' */

	sw_text echo;         /* a command that waits for the history: the next of its kind replaces it */
	sw_text script;       /* all commands that keys stood for, a line each */
	struct canvas listed; /* completions, until the next key */
	sw_text copied;       /* waits for the terminal's clipboard */
	int reductions;       /* bars in the picture of them, as it was drawn last */
	struct listing listings[LISTED_COUNT];
	struct second second;
	struct drawn_before sets, relation; /* panes of types of any kind */
	struct bindings bindings;
	struct player player;
	struct played played;
	void (*play)(struct screen *screen, const struct film_moment *moment); /* NULL: nothing is played here */
	void (*paint)(struct screen *screen);                                  /* at once; NULL: there is no terminal */
	struct graph_index graph;
	struct search_graph places;
	int lanes_top; /* first row of the second drawing */
	struct spots spots;
	struct edge_list edges;
	struct console_taker taker;
	void (*poll)(struct screen *screen); /* reads keys while a command works; NULL: nobody does */
	int (*wakes)(struct screen *screen); /* the file that has a key for `poll`; -1, or NULL: none */
	void (*release_terminal)(struct screen *screen, bool released);
	void *terminal;
};

/* ---- saying and doing ---- */

void screen_say(struct screen *screen, enum role role, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Says which device is followed, and which there are. */
void screen_say_device(struct screen *screen, const sw_mesh *mesh);

/* Adds what an action stands for to the history, without running it: the picture shows it already.  `moves`: it only says
 * where one looks, so that the next such command of its kind replaces it there. */
void screen_echo(struct screen *screen, bool moves, const char *format, ...) __attribute__((format(printf, 3, 4)));
void screen_flush_echo(struct screen *screen);

/* Begins and ends what commands answer while the picture is there. */
void screen_capture(struct screen *screen, bool on);

/* ---- composing ---- */

/* Draws the whole screen, width x height cells.  Returns where the cursor stands. */
struct cursor {
	int x, y;
	bool shown;
};
struct cursor screen_compose(struct screen *screen, int width, int height, struct canvas *out);

/* The pane that shows a view, NULL where none does. */
struct pane *screen_pane(struct screen *screen, int view);

/* ---- keys ---- */

/* A key of a person, as terminal and tests hand it over. */
void screen_key(struct screen *screen, int key);

/* A key as the program means it, whatever it is bound to. */
void screen_press(struct screen *screen, int key);

/* While the walk goes on with a pace: its next step. */
void screen_tick(struct screen *screen);

/* ---- where one looks ---- */

/* The chosen node: what `goto` chose, else the one settled last, else the start.  false: there is no walk. */
bool screen_node(const struct screen *screen, sw_node *node);
sw_walk *screen_walked(const struct screen *screen);

/* Its number; of a session that has one. */
int screen_walk_number(const struct screen *screen);

/* The same where it is the search; else NULL. */
sw_walk *screen_walk(const struct screen *screen);
const sw_plan *screen_plan(const struct screen *screen);

/* The plan whose steps one goes through: one over types, or a reduction program; or NULL. */
const sw_plan *screen_steps(const struct screen *screen);

/* Kinds of lines asked for at the bottom. */
struct ask_row {
	const char *sign;
	const char *hint;
	void (*changed)(struct screen *screen);
	void (*done)(struct screen *screen, bool accepted);
	bool (*key)(struct screen *screen, int key); /* takes keys in front of the text; NULL: none */
	const char *ends;                            /* what the bar says of the keys that end it; NULL: as of all */
};
void ask_begin(struct screen *screen, const struct ask_row *row, const char *text);

/* The key as a layer above the picture takes it (a search that is typed); false: it does not. */
bool ask_key(struct screen *screen, int key);

#endif
