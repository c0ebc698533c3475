/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The films that `show rewriting` draws.
 */
#include "command/rewriting.h"

#include "command/plan.h"

static bool push_steps(sw_sequence *sequence, const struct hand_step *hand, sw_diag *diag)
{
	return !hand || (push_steps(sequence, hand->before, diag) && sw_sequence_push(sequence, &hand->call, diag));
}

sw_sequence *sequence_start(struct session *session, const struct hand_step *hand, sw_diag *diag)
{
	const struct state *state = &session->state;
	sw_problem problem;
	if (!session_need(session, DEFINED_MESH, diag) || !session_need(session, DEFINED_FROM, diag))
		return NULL;
	if (!hand)
		return session_problem(session, &problem, diag) ? sw_sequence_naive(&problem, diag) : NULL;
	sw_sequence *sequence = sw_sequence_new(&state->mesh, &state->from);
	if (!sequence) {
		sw_diag_memory(diag);
		return NULL;
	}
	if (push_steps(sequence, hand, diag))
		return sequence;
	sw_sequence_free(sequence);
	return NULL;
}

sw_film *session_film(struct session *session, sw_diag *diag)
{
	const struct state *state = &session->state;
	bool normalized = state->hand && state->hand == state->normal;
	sw_sequence *sequence = sequence_start(session,
		normalized ? state->rewritten : session_hand(&session->state, false), diag);
	if (!sequence)
		return NULL;
	sw_film *film = sw_film_rewriting(sequence, setting_is(&state->settings, SETTING_MOVES, "several"), diag);
	sw_sequence_free(sequence);
	return film;
}

static sw_film *film_of_paper(const struct invocation *run, sw_diag *diag)
{
	struct plan_request asked;
	sw_plan_options options;
	sw_problem problem;
	sw_plan plan;
	if (!session_problem(run->session, &problem, diag) || !plan_request_read(run, NULL, &asked, diag))
		return NULL;
	problem.mesh.order = problem.to_order = NULL;
	asked.strategy = SW_PAPER;
	if (!plan_request_options(&asked, &problem, NULL, &options, diag))
		return NULL;
	options.sizes_only = true;
	return sw_plan_find(&problem, &options, run->arena, &plan, diag) ? sw_film_paper(&plan, diag) : NULL;
}

sw_film *read_film(const struct invocation *run, sw_diag *diag)
{
	const struct word *word = argument(run, 1);
	if (!word)
		return session_film(run->session, diag);
	if (sw_str_is(word->raw, sw_strategy_name(SW_PAPER)))
		return film_of_paper(run, diag);
	sw_diag_set(diag, SW_L08, line_span(run->position->text, word->raw), "there are no rewritings of '%.*s'",
		AS_SHOWN(word->raw));
	sw_diag_expected(diag, "nothing, for the steps by hand, or paper");
	sw_diag_hint(diag, "`show rewriting paper` draws what the strategy did, `show rewriting` what `normalize` does");
	return NULL;
}
