/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collectives hop by hop: what is said to be sent, carried out on sets of pieces, leads to what is said to be held; what crosses
 * links is what is known of it.
 */
#include <math.h>
#include <stdlib.h>

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
	/* a corner gets 3 of 4 by two links, 15 of 16, 31 of 32 by three */
	{"gather on 2 by 2", "1kB/s 1ns ring 4", "{x: 2, y: 2}", "i8[1{x,y}4] ~> i8[4]", SW_ALLGATHER, false, 2, 1.5,
		0.0015},
	{"gather on 2 by 2, the other order", "1kB/s 1ns ring 4", "{x: 2, y: 2}", "i8[1{y,x}4] ~> i8[4]", SW_ALLGATHER,
		false, 2, 1.5, 0.0015},
	{"gather on lines", "1kB/s 1ns ring 8", "{x: 3, y: 4}", "i8[1{x,y}12] ~> i8[12]", SW_ALLGATHER, false, 5, 5.5,
		0.0055},
	{"gather on a ring and a line", "1kB/s 1ns ring 4", "{x: 4, y: 2}", "i8[1{x,y}8] ~> i8[8]", SW_ALLGATHER, false,
		3, 7.0 / 3, 0.007 / 3},
	{"gather on three lines", "1kB/s 1ns ring 4", "{x: 2, y: 3, z: 2}", "i8[1{x,y,z}12] ~> i8[12]", SW_ALLGATHER,
		false, 4, 11.0 / 3, 0.011 / 3},
	{"gather on links of other bandwidths", "1kB/s 1ns ring 8", "{x: 2 @ 3kB/s, y: 2}", "i8[1{x,y}4] ~> i8[4]",
		SW_ALLGATHER, false, 2, 1, 0.001},
	{"gather on rings", "1kB/s 1ns ring 4", "{x: 4, y: 4}", "i8[1{x,y}16] ~> i8[16]", SW_ALLGATHER, false, 4, 3.75,
		0.004},
	{"gather on a part and a line", "1kB/s 1ns ring 8", "{x: 4, y: 2}", "i8[1{x:(1)2,y}4] ~> i8[4]", SW_ALLGATHER,
		false, 2, 2, 0.002},
	{"gather on rings, one way", "1kB/s 1ns ring 2", "{x: 4, y: 2}", "i8[1{x,y}8] ~> i8[8]", SW_ALLGATHER, true, 4,
		3.5, 0.0035},
	{"alltoall on a ring and a line", "1kB/s 1ns ring 4", "{x: 4, y: 2}", "i8[8{x,y}64, 8] ~> i8[64, 1{x,y}8]",
		SW_ALLTOALL, false, 3, 32, 0.032},
	{"alltoall on lines", "1kB/s 1ns ring 8", "{x: 2, y: 6}", "i8[12{x,y}144, 12] ~> i8[144, 1{x,y}12]", SW_ALLTOALL,
		false, 6, 216, 0.216},
	{"a reduction on 2 by 2", "1kB/s 1ns ring 4", "{x: 2, y: 2}", "i8[4]+{x,y} ~> i8[1{y,x}4]", SW_REDUCESCATTER,
		false, 2, 1.5, 0.0015},
	{"a reduction on a ring and a line", "1kB/s 1ns ring 4", "{x: 4, y: 3}", "i8[12]+{x,y} ~> i8[1{y,x}12]",
		SW_REDUCESCATTER, false, 4, 11.0 / 3, 0.011 / 3},
	{"an allreduce on 2 by 2", "1kB/s 1ns ring 4", "{x: 2, y: 2}", "i8[4]+{x,y} ~> i8[4]", SW_ALLREDUCE, false, 4, 3,
		0.003},
	{"round two switches", "1kB/s 1ns", "{x: 3, y: 2}", "i8[1{x,y}6] ~> i8[6]", SW_ALLGATHER, false, 2, 1.25, 0.0025},
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

/* The next member of the line that the hop goes along. */
static int64_t neighbour(const sw_rounds *r, int64_t hop, int64_t m, bool up)
{
	const sw_rounds_line *line = &r->line[sw_rounds_line_of(r, hop)];
	int64_t place = m / line->apart % line->members, at = up ? place + 1 : place - 1;

	if (!line->closed && (at < 0 || at >= line->members))
		return -1;
	return m + ((at + line->members) % line->members - place) * line->apart;
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
			int64_t to = neighbour(r, hop, m, up != 0);

			if (send.amount <= 0)
				continue;
			double amount = send.amount / (double)send.pieces;
			for (int64_t p = send.piece; p < send.piece + send.pieces; p++) {
				assert_true(to >= 0 && held->of[m][p] >= amount);
				next.of[to][p] += amount;
			}
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

/* Pieces of one member that are still on their way in every hop, and those that came; along one line. */
static void swap_on_a_line(const sw_rounds *r, const struct rounds_row *row)
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

/* Hops between two members, along all lines. */
static int64_t between(const sw_rounds *r, int64_t m, int64_t other)
{
	int64_t hops = 0;

	for (int n = 0; n < r->axes; n++) {
		const sw_rounds_line *line = &r->line[n];
		int64_t d = llabs(m / line->apart % line->members - other / line->apart % line->members);

		hops += line->closed && !r->one_way && line->members - d < d ? line->members - d : d;
	}
	return hops;
}

/* Everything goes from everyone to everyone, a link a hop. */
static void swap_is_carried_out(const sw_rounds *r, const struct rounds_row *row)
{
	double sent = 0;
	int64_t hops = 0;

	if (r->axes == 1)
		swap_on_a_line(r, row);
	for (int64_t m = 0; m < r->members; m++) {
		for (int64_t hop = 1; hop <= r->hops; hop++)
			sent += sw_rounds_sent(r, hop, m, true).amount + sw_rounds_sent(r, hop, m, false).amount;
		for (int64_t other = 0; other < r->members; other++) {
			assert_int_equal(sw_rounds_held(r, r->hops, m, other), 1);
			hops += between(r, m, other);
		}
	}
	if (!r->one_way)
		near(sent, (double)hops, row->name);
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
			int64_t to = neighbour(r, hop, m, up != 0);

			if (send.amount <= 0)
				continue;
			assert_true(to >= 0);
			for (int64_t k = 0; k < 2 * send.pieces; k++) {
				int64_t piece = send.piece + k / 2, half = k % 2;

				assert_int_equal(send.terms, more_of(terms->of[m][piece]));
				if (send.amount < (double)send.pieces && half != up)
					continue;
				next.of[to][piece][half] += terms->of[m][piece][half];
				next.of[m][piece][half] -= terms->of[m][piece][half];
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
