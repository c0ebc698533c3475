/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of the present program: as `program` showed it last, or without plans where that was another one.
 */
#include <stdio.h>

#include "screen/enter.h"
#include "screen/panes.h"
#include "session/present.h"
#include "views/program.h"

/* What is known without planning anything: plans that were chosen. */
static bool fill_known(const struct screen *screen, const struct kept_program *kept, sw_arena *arena,
	struct program_picture *picture)
{
	struct program_move *moves = SW_NEW_ZERO(arena, struct program_move, kept->moves);
	for (int i = 0; moves && i < kept->moves; i++) {
		const sw_plan *plan = session_chosen(screen->session, i);
		moves[i] = (struct program_move){kept->move[i], plan, plan != NULL, -1};
	}
	*picture = (struct program_picture){.program = &kept->program,
		.source = kept->source,
		.moves = kept->moves,
		.move = moves,
		.unasked = true};
	return moves != NULL;
}

/* Is the picture that `program` made last still true? */
static bool is_fresh(const struct session *session)
{
	const struct kept_picture *drawn = session->picture_kept;
	return drawn && drawn->of == session->state.program && drawn->chosen == session->state.chosen;
}

/* Were the redistributions of the program not planned as they are now? */
bool makes_program(struct screen *screen)
{
	const struct kept_program *kept = screen->session->state.program;
	return kept && kept->moves && !session_runs_schedule(&screen->session->state) && !is_fresh(screen->session);
}

int row_chosen(const struct canvas *out)
{
	int row = -1;
	for (int y = 0; y < out->height; y++)
		for (int x = 0; x < out->width && x < 8; x++)
			if (canvas_cell_at(out, x, y)->role == ROLE_CURRENT && canvas_cell_at(out, x, y)->glyph)
				row = y;
	return row;
}

static void frame_moves(struct screen *screen, const struct kept_program *kept, const struct canvas *out,
	struct frame *frame)
{
	int *move = &screen->viewpoint.move;
	*move = *move > kept->moves ? kept->moves : *move;
	frame->row = *move ? row_chosen(out) : -1;
	frame->at = *move;
	frame->of = *move ? kept->moves : 0;
	if (*move)
		snprintf(frame->object, sizeof(frame->object), "redistribution %d; Enter makes it the problem", *move);
}

bool draw_program(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	const struct session *session = screen->session;
	const struct kept_picture *drawn = session->picture_kept;
	const struct kept_program *kept = session->state.program;
	struct view_options options = view_options_default(width);
	struct program_picture picture = {0};
	struct view_input in = {0};
	(void)height;
	options.step = screen->viewpoint.move;
	if (!kept)
		return view_program(&in, &options, out, diag);
	sw_arena *arena = sw_arena_new();
	bool fresh = is_fresh(session);
	bool ok = fresh || (arena && fill_known(screen, kept, arena, &picture));
	if (fresh)
		picture = *drawn->picture;
	picture.entered = session->state.entered;
	in.program = &picture;
	ok = ok ? view_program(&in, &options, out, diag) : sw_diag_memory(diag);
	sw_arena_free(arena);
	if (ok)
		frame_moves(screen, kept, out, frame);
	return ok;
}

/* With none chosen the values are read, and the picture scrolls. */
bool move_program(struct screen *screen, int across, int down)
{
	const struct kept_program *kept = screen->session->state.program;
	int *move = &screen->viewpoint.move, by = across + down;
	if (!kept || !kept->moves || (!*move && by != 1))
		return false;
	*move += by;
	*move = *move < 0 ? 0 : *move > kept->moves ? kept->moves : *move;
	if (!*move)
		screen->viewpoint.top[PANE_PROGRAM] = 0;
	return true;
}

void open_program(struct screen *screen)
{
	const struct kept_program *kept = screen->session->state.program;
	if (!kept)
		screen_say(screen, ROLE_NOTE, "there is no program; at the prompt: program FILE");
	else if (!kept->moves)
		screen_say(screen, ROLE_NOTE, "nothing moves in this program");
	else if (!screen->viewpoint.move)
		screen_say(screen, ROLE_NOTE, "choose a redistribution first: Down");
	else
		screen_do(screen, false, "enter %d", screen->viewpoint.move);
}
