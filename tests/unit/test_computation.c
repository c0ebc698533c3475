/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computations that a pulse stops, at every beat: what is asked of them afterwards is answered as if nothing had been.
 */
#include <shardwalk/computation.h>

#include "kit/arena.h"
#include "kit/kit.h"

struct beats {
	long long count, stop_at; /* 0: never */
	bool over;                /* it was asked for more than there is */
};

static bool beat(void *context, const char *what, long long done, long long total)
{
	struct beats *beats = context;

	assert_non_null(what);
	beats->over |= done > total;
	return ++beats->count != beats->stop_at;
}

static const struct stopped_row {
	const char *name, *mesh, *formula, *type;
} stopped[] = {
	{"runs", "{x: 6}", "y[i] = x[i-1] + x[i+1]", "[4{x}24]"},
	{"cyclic", "{x: 4}", "y[i] = x[3*i+1] wrap", "[3{x,..}40]"},
	{"copies", "{x: 4}", "y[i] = x[3*i+1] wrap", "[3{x,..}40] union [4{x,..}40] shift 1"},
	{"elsewhere", "{x: 4}", "y[i] = A[i,j]*x[j] on A", NULL},
};

static const sw_computation *make(const struct stopped_row *row, const sw_pulse *pulse, sw_diag *diag)
{
	static const char *const product[] = {"[8{x}32]", "[32, 2{x,..}24]", "[6{x}24]"};
	sw_mesh mesh;
	sw_formula formula;
	sw_array_type type[3] = {{0}};

	assert_true(sw_mesh_parse(sw_str_of(row->mesh), &mesh, NULL));
	assert_true(sw_formula_parse(sw_str_of(row->formula), NULL, arena, &formula, NULL));
	for (int k = 0; k < formula.arrays; k++) {
		const char *text = row->type != NULL ? row->type : product[k];
		type[k].known = true;
		assert_true(sw_type_parse_any(&mesh, sw_str_of(text), NULL, arena, &type[k].type, &type[k].words, NULL));
	}
	return sw_computation_new(&mesh, &formula, type, pulse, arena, diag);
}

static void what_is_stopped_says_so(void **state)
{
	const struct stopped_row *row = *state;
	struct beats beats = {0};
	const sw_pulse pulse = {beat, &beats};
	const sw_computation *made = make(row, &pulse, NULL);
	long long all = beats.count;

	assert_non_null(made);
	assert_true(all > made->mesh.devices && !beats.over);
	for (long long n = 1; n <= all; n++) {
		sw_diag diag = {0};
		beats = (struct beats){.stop_at = n};
		assert_null(make(row, &pulse, &diag));
		assert_int_equal(diag.code, SW_S03);
		assert_int_equal(beats.count, n);
	}
}

/* Size, pattern and messages of what moves of an array; -1: an answer was stopped. */
static int64_t ask_array(const sw_computation *c, sw_relation *relation)
{
	sw_tally *tally = SW_NEW(arena, sw_tally, c->mesh.devices);
	sw_messages messages;
	sw_pattern pattern;
	int64_t volume = 0, count = sw_relation_count(relation, SW_SENDER_BALANCED);

	if (count < 0 || !sw_relation_tally(relation, SW_SENDER_BALANCED, tally) ||
		!sw_relation_messages(relation, SW_SENDER_BALANCED, arena, &messages) ||
		!sw_relation_pattern(relation, SW_SENDER_BALANCED, &c->mesh, arena, &pattern))
		return -1;
	assert_int_equal(messages.count, count);
	for (int64_t device = 0; device < c->mesh.devices; device++)
		volume += tally[device].in;
	return volume * 1000 + count * 20 + pattern.name;
}

static int64_t ask(const sw_computation *c)
{
	int64_t all = 0;

	for (int k = 0; all >= 0 && k < c->formula.arrays; k++) {
		int64_t one = c->array[k].relation != NULL ? ask_array(c, c->array[k].relation) : 0;
		all = one < 0 ? -1 : all * 1000000 + one;
	}
	return all;
}

static void a_stopped_question_is_asked_again(void **state)
{
	const struct stopped_row *row = *state;
	struct beats beats = {0};
	const sw_pulse pulse = {beat, &beats};
	int64_t answer = ask(make(row, NULL, NULL));

	assert_true(answer > 0);
	for (long long n = 1;; n++) {
		const sw_computation *c = make(row, NULL, NULL);
		sw_diag diag = {0};
		beats = (struct beats){.stop_at = n};
		sw_computation_pulse(c, &pulse);
		int64_t said = ask(c);
		if (beats.count < n) {
			assert_int_equal(said, answer);
			assert_true(n > 1);
			return;
		}
		assert_true(said == -1 || said == answer);
		assert_false(sw_computation_failed(c, &diag));
		assert_int_equal(diag.code, SW_S03);
		sw_computation_pulse(c, NULL);
		assert_int_equal(ask(c), answer);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(what_is_stopped_says_so, stopped, name),
		ROWS(a_stopped_question_is_asked_again, stopped, name),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
