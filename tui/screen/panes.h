/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views of the screen: one row each says how it is drawn, what arrows and Enter do there, and what it needs.
 */
#ifndef SHARDWALK_SCREEN_PANES_H
#define SHARDWALK_SCREEN_PANES_H

#include "screen/model.h"
#include "views/views.h"

/* Draws a view into `width` columns; `height` rows are there.  false: there is nothing to show, and why. */
typedef bool pane_draw(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag);

/* Moves the selection by columns and rows; false: there is none, and the picture scrolls instead. */
typedef bool pane_move(struct screen *screen, int across, int down);
typedef void pane_open(struct screen *screen);

/* Is there something to see, which is known without drawing it?  false: drawing it says whether, and why not. */
typedef bool pane_need(struct screen *screen);

/* Is there nothing yet, and does the command of the view's name make it? */
typedef bool pane_makes(struct screen *screen);

struct pane_row {
	const char *name;
	const char *layout; /* that shows it best */
	pane_draw *draw;
	pane_move *move;
	pane_open *open;   /* Enter; NULL: nothing to open */
	pane_need *need;   /* of what takes long to draw, or keeps how it was drawn; NULL: of no such thing */
	pane_makes *makes; /* NULL: no command does */
	const char *about;
	const char *moves; /* what arrows choose there */
};
extern const struct pane_row pane_rows[PANE_COUNT];

/* The view with this name; -1: none has it. */
int pane_named(const char *name);

/* Does this view show the schedule in the place of plans and formulas, as `show` does? */
bool pane_of_schedule(const struct screen *screen, int view);

/* Has a view something to see, whatever it is about, or will it when it opens?  false: no, and why. */
bool pane_has(struct screen *screen, int view, sw_diag *diag);

/* Draws a view, whatever it is about. */
bool pane_draw_view(struct screen *screen, int view, const struct canvas_area *room, struct canvas *out,
	struct frame *frame, sw_diag *diag);

/* ---- drawing, by file ---- */
pane_draw draw_film, draw_graph, draw_edges, draw_tiles, draw_heights, draw_plan, draw_traffic, draw_times,
	draw_compare, draw_output, draw_help, draw_rewriting, draw_rounds, draw_type, draw_mesh, draw_pareto,
	draw_imports, draw_program, draw_ways, draw_offer, draw_system, draw_placement, draw_groups, draw_state,
	draw_hierarchies, draw_placements, draw_reductions, draw_sets, draw_relation, draw_needs, draw_tasks, draw_holds,
	draw_execution, draw_loops;
pane_move move_film, move_graph, move_edges, move_steps, move_device, move_rewriting, move_rounds, move_pareto,
	move_imports, move_offer, move_program, move_ways, move_compare, move_among, move_placements, move_reductions;
pane_open open_film, open_edges, open_edge, open_compare, open_run, open_pareto, open_imports, open_offer,
	open_program, open_ways, open_placements, open_reductions;
pane_need need_walk, need_output, need_relation, need_schedule;
pane_makes makes_trades, makes_program, makes_ways, makes_placements, makes_comparison;

/* The row that a view has marked at its left edge; -1: none is. */
int row_chosen(const struct canvas *out);

/* Frees a picture that was kept. */
void drawn_free(struct drawn_before *before);

/* The edges out of the chosen node.  NULL: there is no walk. */
const struct edge_list *edges_of_node(struct screen *screen);

/* Chooses a node by number; the first or the last one of the picture. */
void graph_choose(struct screen *screen, int id);
void graph_end(struct screen *screen, int direction);

/* Chooses a step of the plan; remembers it as the command that shows it. */
void plan_choose_step(struct screen *screen, int step);
int plan_step(const struct screen *screen);

/* What every picture of a plan is drawn with; a view of it in its pane, plans of pieces too; and `--element` with the one that is followed. */
struct view_options plan_options(const struct screen *screen, int width, int height);

/* Are devices letters only, for want of colours or of Unicode? */
bool screen_letters(const struct screen *screen);
bool pane_of_plan(struct screen *screen, view_function *draw, int width, int height, struct canvas *out,
	struct frame *frame, sw_diag *diag);
struct view_input plan_input(const struct screen *screen);
void plan_frame(const struct screen *screen, const struct canvas *out, struct frame *frame);

/* The tile that is pinned, of these owners of the element's array; of NULL: none is. */
struct view_tile tile_followed(const struct screen *screen, const sw_owners *of, const int64_t *element);
void element_option(const struct screen *screen, sw_text *text);

/* How many steps the film has (-1: there is none), the one it is after, another; it as a command; what another device has. */
int film_count(const struct screen *screen);
int film_now(const struct screen *screen);
int film_group(const struct screen *screen); /* steps from one picture to the next */
int film_rank(const struct screen *screen);  /* the highest of its arrays */

/* The array that an element is pinned in, or would be, NULL: there is none; of a program which of its arrays that is, and its name, else empty;
 * and the first one that the step changes. */
const sw_type *film_array(const struct screen *screen);
int film_array_number(const struct screen *screen);
sw_str film_array_name(const struct screen *screen);
int film_array_changed(const struct screen *screen);

bool film_tile(const struct screen *screen, struct view_tile *tile); /* the tile that is pinned; false: none is */
bool film_spot_at(struct screen *screen, struct film_spot *spot); /* what it draws there; false: there is no film */
bool film_has_second(const struct screen *screen);                /* may a plan be laid below it? */
void film_choose(struct screen *screen, int step);

/* Draws with what is followed in the film of a program; and how many of its moments the view with the focus, which does so, goes through, -1: it
 * does not. */
bool film_follow(struct screen *screen, struct view_input *in, struct view_options *options, sw_diag *diag);
int film_followed_count(const struct screen *screen);
void frame_moment(const struct screen *screen, struct frame *frame);
void film_echo(struct screen *screen);
void film_device(struct screen *screen, int by);

/* A little on in the film, so that time passes evenly; and by how much the film is slower than the plan, 0: not known. */
void film_pass(struct screen *screen);
bool film_done(const struct screen *screen); /* also of what is below */
double film_slowness(const struct screen *screen);

/* How many rewritings there are, the one that is shown (from 1; 0: none), and another. */
int rewriting_count(const struct screen *screen);
int rewriting_now(const struct screen *screen);
void rewriting_choose(struct screen *screen, int number);

/* The hops of the step in the view of rounds, the one that is shown (0: before the first), and another; one way or both. */
int rounds_hops(const struct screen *screen);
int rounds_now(const struct screen *screen);
void rounds_choose(struct screen *screen, int hop);
void rounds_turn(struct screen *screen);

/* Puts the programs of a sum in another order, which is a head of their view. */
void order_reductions(struct screen *screen, const char *by);

/* Says in the history what one looks at in the tiles. */
void tiles_echo(struct screen *screen);

/* The command that shows what one looks at: the view, its step, what is followed. */
void step_echo(struct screen *screen);
void traffic_echo(struct screen *screen);

#endif
