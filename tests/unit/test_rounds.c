/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collectives hop by hop: what is said to be sent, carried out on sets of pieces, leads to what is said to be held; what crosses
 * links is what is known of it.
 */
#include <math.h>

#include <shardwalk/hardware.h>
#include <shardwalk/rounds.h>

#include "kit/problem.h"

enum { MOST = 24 };

static void near(double a, double b, const char *what)
{
	if (fabs(a - b) > 1e-9 * fabs(b))
		fail_msg("%s: %.12g is not %.12g", what, a, b);
}

static const struct rounds_row {
	const char *name, *rates, *mesh, *ends;
	sw_op op;
	bool one_way;
	int64_t hops;
	double link, seconds;
} rounds_rows[] = {
	/* N by N over D, N = 16, D = 4: question 10 of seed 004 */
	{"gather, one way", "1kB/s 1ns ring 4", "{x: 4}", "i8[4{x}16, 16] ~> i8[16, 16]", SW_ALLGATHER, true, 3, 192,
		0.192},
	{"alltoall, one way", "1kB/s 1ns ring 4", "{x: 4}", "i8[4{x}16, 16] ~> i8[16, 4{x}16]", SW_ALLTOALL, true, 3, 96,
		0.096},
	{"gather, both ways", "1kB/s 1ns ring 4", "{x: 4}", "i8[4{x}16, 16] ~> i8[16, 16]", SW_ALLGATHER, false, 2, 96,
		0.128},
	{"alltoall, both ways", "1kB/s 1ns ring 4", "{x: 4}", "i8[4{x}16, 16] ~> i8[16, 4{x}16]", SW_ALLTOALL, false, 2,
		32, 0.032},
	{"gather on a ring of 8", "1kB/s 1s ring 8", "{x: 8}", "i8[1{x}8] ~> i8[8]", SW_ALLGATHER, false, 4, 3.5, 4},
	{"gather on a ring of 5", "1kB/s 1s ring 5", "{x: 5}", "i8[1{x}5] ~> i8[5]", SW_ALLGATHER, false, 2, 2, 2},
	{"alltoall on a ring of 5", "1kB/s 1s ring 5", "{x: 5}", "i8[1{x}5, 5] ~> i8[5, 1{x}5]", SW_ALLTOALL, false, 2, 3,
		2},
	{"gather on a line of 6", "1kB/s 1s ring 4", "{x: 6}", "i8[1{x}6] ~> i8[6]", SW_ALLGATHER, false, 5, 5, 5},
	{"alltoall on a line of 6", "1kB/s 1s ring 4", "{x: 6}", "i8[1{x}6, 6] ~> i8[6, 1{x}6]", SW_ALLTOALL, false, 5, 9,
		5},
	{"gather of two", "1kB/s 1s ring 2", "{x: 2}", "i8[1{x}2] ~> i8[2]", SW_ALLGATHER, false, 1, 0.5, 1},
	{"a part of an axis", "1kB/s 1s ring 8", "{x: 8}", "i8[4{x:(1)2}8] ~> i8[8]", SW_ALLGATHER, false, 1, 4, 4},
	{"a reduction of 4", "1kB/s 1s ring 4", "{x: 4}", "i8[4]+{x} ~> i8[1{x}4]", SW_REDUCESCATTER, false, 2, 1.5, 2},
	{"a reduction of 5", "1kB/s 1s ring 5", "{x: 5}", "i8[5]+{x} ~> i8[1{x}5]", SW_REDUCESCATTER, false, 2, 2, 2},
	{"a reduction of 8", "1kB/s 1s ring 4", "{x: 8}", "i8[8]+{x} ~> i8[1{x}8]", SW_REDUCESCATTER, false, 4, 3.5, 4},
	{"a reduction along a line", "1kB/s 1s ring 4", "{x: 6}", "i8[6]+{x} ~> i8[1{x}6]", SW_REDUCESCATTER, false, 5, 5,
		5},
	{"a reduction, one way", "1kB/s 1s ring 4", "{x: 4}", "i8[4]+{x} ~> i8[1{x}4]", SW_REDUCESCATTER, true, 3, 3, 3},
	{"an allreduce of 4", "1kB/s 1s ring 4", "{x: 4}", "i8[4]+{x} ~> i8[4]", SW_ALLREDUCE, false, 4, 3, 4},
	{"an allreduce along a line", "1kB/s 1s ring 4", "{x: 3}", "i8[3]+{x} ~> i8[3]", SW_ALLREDUCE, false, 4, 3, 4},
	{"round a switch", "1kB/s 1s", "{x: 8}", "i8[1000{x}8000] ~> i8[8000]", SW_ALLGATHER, false, 4, 3500, 7},
};

static sw_rounds rounds_of(const struct rounds_row *row, sw_arena *arena, sw_plan *plan)
{
	sw_hardware hardware = {.name = "drawn"};
	sw_machine machine;
	sw_problem problem;
	sw_rounds rounds = {.members = 0};
	sw_diag diag;

	assert_true(sw_hardware_parse(sw_str_of(row->rates), &hardware, NULL));
	assert_true(sw_hardware_roofline(&hardware, arena, &machine));
	read_problem(row->mesh, row->ends, &problem);
	if (!sw_plan_one_step(&problem, row->op, arena, plan, &diag) ||
		!sw_rounds_of(plan, 0, &machine, row->one_way, &rounds, &diag))
		fail_msg("%s: %s", row->name, diag.message);
	return rounds;
}

static int64_t neighbour(const sw_rounds *r, int64_t m, bool up)
{
	int64_t at = up ? m + 1 : m - 1;

	return r->closed ? (at + r->members) % r->members : at < r->members ? at : -1;
}

/* Amounts of pieces that members hold; of sums, of terms. */
struct held {
	double of[MOST][MOST];
};

/* One hop of a gather: what is sent has to be held, and comes to the neighbour. */
static void gather_hop(const sw_rounds *r, int64_t hop, struct held *held)
{
	struct held next = *held;

	for (int64_t m = 0; m < r->members; m++)
		for (int up = 0; up < 2; up++) {
			sw_rounds_send send = sw_rounds_sent(r, hop, m, up != 0);
			int64_t to = neighbour(r, m, up != 0);

			if (send.amount <= 0)
				continue;
			assert_true(to >= 0 && held->of[m][send.piece] >= send.amount);
			next.of[to][send.piece] += send.amount;
		}
	*held = next;
}

static void gather_is_carried_out(const sw_rounds *r, const struct rounds_row *row)
{
	struct held held = {{{0}}};

	for (int64_t m = 0; m < r->members; m++)
		held.of[m][m] = 1;
	for (int64_t hop = 0; hop <= r->hops; hop++) {
		if (hop > 0)
			gather_hop(r, hop, &held);
		for (int64_t m = 0; m < r->members; m++)
			for (int64_t p = 0; p < r->members; p++)
				if ((held.of[m][p] > 0) != (sw_rounds_held(r, hop, m, p) > 0) || held.of[m][p] > 1)
					fail_msg("%s: hop %d, member %d, piece %d: %g", row->name, (int)hop, (int)m, (int)p,
						held.of[m][p]);
	}
}

/* The pieces of one member that are still on their way, and those that came. */
static void swap_is_carried_out(const sw_rounds *r, const struct rounds_row *row)
{
	for (int64_t from = 0; from < r->members; from++) {
		double left = (double)(r->members - 1);

		for (int64_t hop = 1; hop <= r->hops; hop++) {
			double sent = 0, came = 0;

			for (int64_t m = 0; m < r->members; m++) {
				for (int up = 0; up < 2; up++) {
					sw_rounds_send send = sw_rounds_sent(r, hop, m, up != 0);

					sent += send.amount > 0 && send.piece == from ? send.amount : 0;
				}
				came += (double)(sw_rounds_held(r, hop, m, from) - sw_rounds_held(r, hop - 1, m, from));
			}
			near(sent, left, row->name);
			left -= came;
		}
		assert_true(left < 1e-9);
	}
}

/* Terms in the two halves of every piece; only what goes to the opposite member of a ring is ever halved. */
struct terms {
	int64_t of[MOST][MOST][2];
};

static int64_t more_of(const int64_t halves[2])
{
	return halves[0] > halves[1] ? halves[0] : halves[1];
}

/* A sum goes on with all of its terms and leaves nothing; half of a piece leaves the half that goes the other way. */
static void sum_hop(const sw_rounds *r, int64_t hop, struct terms *terms)
{
	struct terms next = *terms;

	for (int64_t m = 0; m < r->members; m++)
		for (int up = 0; up < 2; up++) {
			sw_rounds_send send = sw_rounds_sent(r, hop, m, up != 0);
			int64_t to = neighbour(r, m, up != 0);

			if (send.amount <= 0)
				continue;
			assert_true(to >= 0 && send.terms == more_of(terms->of[m][send.piece]));
			for (int half = 0; half < 2; half++) {
				if (send.amount < 1 && half != up)
					continue;
				next.of[to][send.piece][half] += terms->of[m][send.piece][half];
				next.of[m][send.piece][half] -= terms->of[m][send.piece][half];
			}
		}
	*terms = next;
}

static void sum_is_carried_out(const sw_rounds *r, const struct rounds_row *row)
{
	int64_t hops = r->kind == SW_ROUNDS_SUM ? r->hops : r->hops / 2;
	static struct terms terms;

	for (int64_t m = 0; m < r->members; m++)
		for (int64_t p = 0; p < r->members; p++)
			terms.of[m][p][0] = terms.of[m][p][1] = 1;
	for (int64_t hop = 0; hop <= hops; hop++) {
		if (hop > 0)
			sum_hop(r, hop, &terms);
		for (int64_t m = 0; m < r->members; m++)
			for (int64_t p = 0; p < r->members; p++)
				if (more_of(terms.of[m][p]) != sw_rounds_held(r, hop, m, p))
					fail_msg("%s: hop %d, member %d, piece %d: %d terms, not %d", row->name, (int)hop, (int)m, (int)p,
						(int)more_of(terms.of[m][p]), (int)sw_rounds_held(r, hop, m, p));
	}
	for (int64_t m = 0; m < r->members; m++) {
		assert_int_equal(terms.of[m][m][0], r->members);
		assert_int_equal(terms.of[m][m][1], r->members);
		for (int64_t p = 0; p < r->members; p++)
			assert_int_equal(sw_rounds_held(r, r->hops, m, p), r->kind == SW_ROUNDS_SUM && m != p ? 0 : r->members);
	}
}

static void rounds_are_what_they_say(void **state)
{
	const struct rounds_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_plan plan;
	sw_rounds r = rounds_of(row, arena, &plan);

	assert_int_equal(r.hops, row->hops);
	near(r.link, row->link, "elements over a link");
	near(sw_rounds_seconds(&r, r.hops), row->seconds, "seconds");
	near(sw_rounds_crossed(&r, r.hops), r.link, "crossed in the end");
	for (int64_t hop = 1; hop <= r.hops; hop++)
		assert_true(sw_rounds_seconds(&r, hop) >= sw_rounds_seconds(&r, hop - 1));
	if (r.kind == SW_ROUNDS_SWAP)
		swap_is_carried_out(&r, row);
	else if (r.kind == SW_ROUNDS_GATHER)
		gather_is_carried_out(&r, row);
	else
		sum_is_carried_out(&r, row);
	sw_arena_free(arena);
}

static void what_has_no_rounds_is_refused(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_machine machine;
	sw_problem problem;
	sw_rounds rounds;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	assert_true(sw_hardware_roofline(sw_hardware_named(sw_str_of("v5e")), arena, &machine));
	read_problem("{x: 8}", "[8] ~> [1{x}8]", &problem);
	assert_true(sw_plan_one_step(&problem, SW_DYNSLICE, arena, &plan, &diag));
	assert_false(sw_rounds_of(&plan, 0, &machine, false, &rounds, &diag));
	assert_int_equal(diag.code, SW_L07);
	read_problem("{x: 8}", "[1{x}8] ~> [8]", &problem);
	assert_true(sw_plan_one_step(&problem, SW_ALLGATHER, arena, &plan, &diag));
	assert_true(sw_rounds_of(&plan, 0, &machine, false, &rounds, &diag));
	assert_false(rounds.closed);
	assert_false(sw_rounds_of(&plan, 0, &machine, true, &rounds, &diag));
	assert_int_equal(diag.code, SW_L07);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(rounds_are_what_they_say, rounds_rows, name),
		TEST(what_has_no_rounds_is_refused),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
