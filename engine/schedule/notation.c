/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Concrete index notation: loops, the statement, and how the loops came about.
 *
 * Source: seed 003, section 5.1 and figure 14.
 */
#include "schedule/state.h"

#include <assert.h>

static void print_loops(const sw_schedule *schedule, sw_text *text)
{
	sw_text_add(text, schedule->loops > 0 ? "forall" : "");
	for (int k = 0; k < schedule->loops; k++) {
		sw_text_add_char(text, ' ');
		sw_text_add_str(text, schedule->loop[k].name);
	}
}

static void print_relations(const sw_schedule *schedule, sw_text *text)
{
	for (int k = 0; k < schedule->state->relations; k++) {
		sw_text_add(text, k == 0 ? " s.t. " : ", ");
		sw_text_add_str(text, schedule->state->relation[k]);
	}
}

/* Loops add, whether the statement says so or not. */
static void print_statement(const sw_schedule *schedule, sw_text *text)
{
	sw_str statement = schedule->problem->statement;
	size_t equals = 0;

	while (equals < statement.length && statement.at[equals] != '=')
		equals++;
	assert(equals < statement.length);
	size_t left = equals > 0 && statement.at[equals - 1] == '+' ? equals - 1 : equals;
	sw_text_add_str(text, sw_str_trim((sw_str){statement.at, left}));
	sw_text_add(text, " += ");
	sw_text_add_str(text, sw_str_trim(sw_str_behind(statement, equals + 1)));
}

void sw_schedule_print(const sw_schedule *schedule, sw_text *text)
{
	print_loops(schedule, text);
	sw_text_add(text, schedule->loops > 0 ? ": " : "");
	print_statement(schedule, text);
	print_relations(schedule, text);
}
