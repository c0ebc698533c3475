/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of the present program: as `program` showed it last, or without plans where that was another one.
 */
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
		moves[i] = (struct program_move){&kept->move[i], plan, plan != NULL, -1};
	}
	*picture = (struct program_picture){.program = &kept->program,
		.source = kept->source,
		.moves = kept->moves,
		.move = moves};
	return moves != NULL;
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
	if (!kept)
		return view_program(&in, &options, out, diag);
	sw_arena *arena = sw_arena_new();
	bool fresh = drawn && drawn->of == kept && drawn->chosen == session->state.chosen;
	bool ok = fresh || (arena && fill_known(screen, kept, arena, &picture));
	if (fresh)
		picture = *drawn->picture;
	picture.entered = session->state.entered;
	in.program = &picture;
	ok = ok ? view_program(&in, &options, out, diag) : sw_diag_memory(diag);
	frame->row = -1;
	sw_arena_free(arena);
	return ok;
}
