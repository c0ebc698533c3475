/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of the table of `compare` as the schedule of the session.
 */
#include "command/compare/taken.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/computation.h>

#include "command/compare/best.h"
#include "command/programs/product_ways.h"
#include "session/present.h"
#include "session/schedules.h"
#include "session/walks.h"

/* A schedule with all that it speaks of, in the session's arena. */
struct own_schedule {
	sw_mesh mesh;
	bool found_mesh;
	const struct named_type *types;
	const struct kept_product *product;
	const struct kept_formula *formula;
	const struct kept_schedule *schedule;
	const struct kept_program *program;
};

bool taken_set_own_aside(struct session *session, sw_diag *diag)
{
	struct state *state = &session->state;
	const struct kept_schedule *kept = session_kept_schedule(state);
	struct own_schedule *own;

	if (kept == NULL || kept == state->taken)
		return true;
	own = SW_NEW(session->arena, struct own_schedule, 1);
	if (own == NULL)
		return sw_diag_memory(diag);
	*own = (struct own_schedule){state->mesh, state->found_mesh, state->types, state->product, state->formula, kept,
		state->program};
	state->own = own;
	return true;
}

void taken_is_row(struct session *session)
{
	session->state.taken = session_kept_schedule(&session->state);
}

static bool need_formula(const struct session *session, sw_diag *diag)
{
	if (session->state.formula != NULL)
		return true;
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "there is no formula yet");
	sw_diag_hint(diag,
		"`schedule cannon m=9 n=9 k=9` writes types and formula too; or `type A = f64[9, 9] xy->xy` and so on, then "
		"compute A(i,j) = B(i,k) * C(k,j)");
	return false;
}

/* ---- rows ---- */

static bool take_owner(struct invocation *run, sw_str behind, bool *schedule, sw_diag *diag)
{
	struct session *session = run->session;
	(void)behind, (void)diag;

	session->state.schedule = NULL;
	session->state.subject = SUBJECT_FORMULA;
	session_drop_walk(session, SW_WALK_STEPS);
	field_text(document_fields(run->answer, "shardwalk.taken/1"), "name", "owner");
	document_say(run->answer, 0, "it is computed where its left side is held, without a schedule");
	*schedule = false;
	return true;
}

static bool refuse_product(sw_diag *diag)
{
	sw_diag_set(diag, SW_L07, (sw_span){0, 0},
		"the formula is not a product of two arrays that are cut into "
		"tiles");
	sw_diag_hint(diag, "compute A(i,j) = B(i,k) * C(k,j) over types such as f64[3{x}9, 9]");
	return false;
}

static bool take_einsum(struct invocation *run, sw_str behind, bool *schedule, sw_diag *diag)
{
	struct session *session = run->session;
	struct product_ways *found = SW_NEW(run->arena, struct product_ways, 1);
	sw_program planned, program;
	double seconds;
	int64_t number = 1;

	(void)behind;
	*schedule = false;
	if (found == NULL)
		return sw_diag_memory(diag);
	if (!session->state.formula->product || session->state.product == NULL)
		return refuse_product(diag);
	if (!product_ways_find(run, found, diag) || !product_way_best(run, found, &number, &seconds, &planned, diag) ||
		!sw_way_program(&found->ways, &found->ways.way[number - 1], "product", session->arena, &program, diag) ||
		!session_keep_program(session, &program, NULL, diag))
		return false;
	struct fields *fields = document_fields(run->answer, "shardwalk.taken/1");
	field_text(fields, "name", "einsum");
	field_int(fields, "way", number);
	document_say(run->answer, 0, "way %lld of the product is the present program: `program` shows it",
		(long long)number);
	return true;
}

static bool take_best(struct invocation *run, sw_str behind, bool *schedule, sw_diag *diag)
{
	*schedule = true;
	return best_take(run, behind, diag);
}

static bool take_own(struct invocation *run, sw_str behind, bool *schedule, sw_diag *diag)
{
	struct state *state = &run->session->state;
	const struct own_schedule *own = state->own;

	(void)behind;
	*schedule = true;
	if (own == NULL) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "you have not written a schedule");
		sw_diag_hint(diag, "schedule .distribute(...) begins one");
		return false;
	}
	problem_take_mesh(run->session, &own->mesh);
	state->found_mesh = own->found_mesh;
	state->types = own->types;
	state->product = own->product;
	state->formula = own->formula;
	state->schedule = own->schedule;
	state->program = own->program;
	state->chosen = NULL;
	state->subject = SUBJECT_SCHEDULE;
	session_drop_walk(run->session, SW_WALK_STEPS);
	session_walk_on(run->session, SW_WALK_STEPS);
	return true;
}

/* ---- by name ---- */

static const struct row {
	const char *name, *about;
	bool (*take)(struct invocation *run, sw_str behind, bool *schedule, sw_diag *diag);
	bool needs; /* a formula */
	bool more;  /* something may stand behind it */
} rows[] = {{"owner", "No schedule: it is computed where its left side is held.", take_owner, true, false},
	{"einsum", "The best way of the product, as a program.", take_einsum, true, false},
	{"best", "The best schedule of all, within --live, by time or by --model volume.", take_best, true, true},
	{"own", "The schedule that you typed before taking a row of compare.", take_own, false, false}};

static sw_str first_word(sw_str text)
{
	size_t length = 0;

	while (length < text.length && text.at[length] != ' ' && text.at[length] != '\t')
		length++;
	return (sw_str){text.at, length};
}

static const struct row *row_of(sw_str text)
{
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (sw_str_is(first_word(text), rows[k].name))
			return &rows[k];
	return NULL;
}

const char *taken_name(int n, const char **about)
{
	if (n < 0 || (size_t)n >= sizeof rows / sizeof *rows)
		return NULL;
	*about = rows[n].about;
	return rows[n].name;
}

bool taken_begins(sw_str text)
{
	return row_of(text) != NULL;
}

bool taken_take(struct invocation *run, sw_str text, bool *schedule, sw_diag *diag)
{
	const struct row *row = row_of(text);
	sw_str behind = sw_str_trim(sw_str_behind(text, first_word(text).length));

	assert(row != NULL);
	if (behind.length > 0 && !row->more) {
		sw_diag_set(diag, SW_L04, (sw_span){0, 0}, "'%s' takes no arguments", row->name);
		return refuse_at(run, behind, diag);
	}
	return (!row->needs || need_formula(run->session, diag)) && row->take(run, behind, schedule, diag);
}
