/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transfers against the meeting of maps, device by device, on plans of every strategy and in any order of devices;
 * who sends in an exchange against the rule, spelled out.
 */
#include <shardwalk/transfers.h>

#include "kit/problem.h"
#include "kit/kit.h"

enum { DEVICES = 64 };

typedef struct moment {
	int rank;
	int64_t tile[SW_MAX_DIMS];
	int64_t at[DEVICES][SW_MAX_DIMS];
} moment;

/* What devices hold before step k. */
static void moment_of(const sw_plan *plan, int k, moment *out)
{
	int64_t map[DEVICES * SW_MAX_DIMS];
	const int64_t *device = sw_plan_order(plan, k), *tile = plan->program.value[k].tile;

	out->rank = plan->problem.from.rank;
	memcpy(out->tile, tile, sizeof out->tile);
	assert_true(sw_plan_map(plan, k, map, NULL));
	for (int64_t p = 0; p < plan->problem.mesh.devices; p++)
		memcpy(out->at[device ? device[p] : p], map + p * out->rank, (size_t)out->rank * sizeof *map);
}

/* Elements that both tiles have; fills where they meet. */
static int64_t meet(const moment *before, int64_t s, const moment *after, int64_t d, sw_transfer *box)
{
	int64_t elements = 1;

	for (int i = 0; i < before->rank; i++) {
		int64_t a = before->at[s][i], b = after->at[d][i], begin = a > b ? a : b;
		int64_t a_end = a + before->tile[i], b_end = b + after->tile[i], end = a_end < b_end ? a_end : b_end;

		if (end <= begin)
			return 0;
		box->from_at[i] = begin - a;
		box->to_at[i] = begin - b;
		box->extent[i] = end - begin;
		elements *= end - begin;
	}
	return elements;
}

static bool in_one_group(const sw_step *step, int64_t devices, int64_t s, int64_t d)
{
	int64_t s_at = 0, d_at = 0;

	for (int64_t n = 0; n < devices; n++) {
		s_at = step->groups[n] == s ? n : s_at;
		d_at = step->groups[n] == d ? n : d_at;
	}
	return s_at / step->group_size == d_at / step->group_size;
}

static bool alike(const moment *m, int64_t a, int64_t b)
{
	return memcmp(m->at[a], m->at[b], (size_t)m->rank * sizeof(int64_t)) == 0;
}

/* The rule of transfers.h: who of those that hold the tile of `s` sends it to `d`. */
static int64_t dealt(const moment *before, const moment *after, int64_t devices, int64_t s, int64_t d)
{
	int64_t holder[DEVICES], holders = 0, all = 0, sent = 0;
	sw_transfer box;

	if (alike(before, s, d))
		return d;
	for (int64_t n = 0; n < devices; n++) {
		if (alike(before, s, n))
			holder[holders++] = n;
		else
			all += meet(before, s, after, n, &box);
	}
	for (int64_t n = 0; n < d; n++)
		sent += alike(before, s, n) ? 0 : meet(before, s, after, n, &box);
	return holder[((2 * sent + meet(before, s, after, d, &box)) * holders - 1) / (2 * all)];
}

static bool expected(const sw_step *step, const moment *before, const moment *after, int64_t devices, int64_t s,
	int64_t d, sw_transfer *box)
{
	if (meet(before, s, after, d, box) == 0)
		return false;
	if (step->groups)
		return in_one_group(step, devices, s, d);
	if (step->source)
		return step->source[d] == s;
	return step->op == SW_EXCHANGE ? dealt(before, after, devices, s, d) == s : s == d;
}

static void same_box(const sw_transfer *a, const sw_transfer *b, int rank)
{
	size_t bytes = (size_t)rank * sizeof(int64_t);

	assert_memory_equal(a->from_at, b->from_at, bytes);
	assert_memory_equal(a->to_at, b->to_at, bytes);
	assert_memory_equal(a->extent, b->extent, bytes);
}

/* All that comes into a device is found from both sides, once. */
static int64_t check_into(const sw_transfers *t, int64_t d, int rank)
{
	int64_t elements = 0;

	for (int64_t n = 0; n < sw_transfers_into(t, d); n++) {
		sw_transfer one, other;
		int64_t size = 1;

		if (!sw_transfers_get(t, d, n, &one))
			continue;
		assert_int_equal(one.to, d);
		assert_true(sw_transfers_between(t, one.from, d, &other));
		same_box(&one, &other, rank);
		for (int i = 0; i < rank; i++)
			size *= one.extent[i];
		elements += size;
	}
	return elements;
}

static void check_step(const sw_plan *plan, int k, const sw_transfers *t, const sw_step *step)
{
	static moment before, after;
	int64_t devices = plan->problem.mesh.devices;

	moment_of(plan, k, &before);
	moment_of(plan, k + 1, &after);
	for (int64_t d = 0; d < devices; d++) {
		for (int64_t s = 0; s < devices; s++) {
			sw_transfer want, got;
			bool takes = expected(step, &before, &after, devices, s, d, &want);

			if (takes != sw_transfers_between(t, s, d, &got))
				fail_msg("step %d: does device %d take from device %d?", k + 1, (int)d, (int)s);
			if (takes)
				same_box(&want, &got, before.rank);
		}
		assert_int_equal(check_into(t, d, before.rank), plan->program.value[k + 1].localsize);
	}
}

static double amount[DEVICES][DEVICES];

static void add_flow(void *user, const sw_flow *flow)
{
	int sign = *(int *)user;

	for (int64_t s = 0; s < flow->froms; s++)
		for (int64_t d = 0; d < flow->tos; d++)
			if (flow->from[s] != flow->to[d])
				amount[flow->from[s]][flow->to[d]] += sign * flow->elements;
}

static void check_flows(const sw_plan *plan, int k, const sw_transfers *t)
{
	int64_t devices = plan->problem.mesh.devices;
	int plus = 1;
	sw_transfer transfer;

	memset(amount, 0, sizeof amount);
	assert_true(sw_plan_flows(plan, k, add_flow, &plus, NULL));
	for (int64_t d = 0; d < devices; d++)
		for (int64_t n = 0; n < sw_transfers_into(t, d); n++) {
			double size = 1;

			if (!sw_transfers_get(t, d, n, &transfer) || transfer.from == d)
				continue;
			for (int i = 0; i < plan->problem.from.rank; i++)
				size *= (double)transfer.extent[i];
			amount[transfer.from][d] -= size;
		}
	for (int64_t n = 0; n < devices * DEVICES; n++)
		assert_true(amount[n / DEVICES][n % DEVICES] == 0);
}

static void check_plan(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++) {
		sw_arena *arena = sw_arena_new();
		sw_diag diag;
		sw_step step;
		const sw_transfers *t = sw_plan_transfers(plan, k, arena, &diag);

		if (!t || !sw_step_on_devices(plan, k, arena, &step, &diag))
			fail_msg("%s", diag.message);
		check_step(plan, k, t, &step);
		check_flows(plan, k, t);
		sw_arena_free(arena);
	}
}

static void shuffle(draw *random, int64_t *order, int64_t count)
{
	for (int64_t n = 0; n < count; n++) {
		int64_t other = draw_below(random, (int)n + 1);

		order[n] = order[other];
		order[other] = n;
	}
}

static void check_strategy(draw *random, const sw_problem *problem, sw_strategy strategy)
{
	sw_arena *arena = sw_arena_new();
	sw_plan_options options = {.strategy = strategy};
	int64_t before[DEVICES], after[DEVICES];
	sw_plan plan;

	if (sw_plan_find(problem, &options, arena, &plan, NULL)) {
		check_plan(&plan);
		shuffle(random, before, problem->mesh.devices);
		shuffle(random, after, problem->mesh.devices);
		if (reorder(&plan, before, draw_below(random, 2) ? before : after, &options, arena, NULL))
			check_plan(&plan);
	}
	sw_arena_free(arena);
}

static void transfers_are_where_maps_meet(void **state)
{
	static const int64_t axes[][3] = {{2, 2, 2}, {4, 2, 3}, {2, 3, 2}, {8, 2, 1}, {6, 4, 2}, {3, 3, 1}};
	draw random = draw_start("transfers");

	(void)state;
	for (int n = 0; n < 60; n++) {
		sw_problem problem;

		draw_problem(&random, axes[draw_below(&random, 6)], 3, 1 + draw_below(&random, 3), &problem);
		for (sw_strategy strategy = 0; strategy < SW_STRATEGY_COUNT; strategy++)
			check_strategy(&random, &problem, strategy);
	}
}

/* A device of four copies sends as much as the three others, also where those that lack it stand in one run. */
static const struct holders_send_alike_row {
	const char *mesh, *ends;
} holders_send_alike_rows[] = {
	{"{x: 2, y: 4}", "[4{x}8, 8] ~> [8, 2{y}8]"},
	{"{x: 4, y: 4}", "[2{x}8, 8] ~> [8, 2{y}8]"},
	{"{x: 4, y: 2, z: 2}", "[4{y}8, 16] ~> [8, 4{x}16]"},
	{"{x: 8, y: 8}", "[8{x}64, 8] ~> [64, 1{y}8]"},
};

static void holders_send_alike(void **state)
{
	const struct holders_send_alike_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	int plus = 1;

	read_problem(row->mesh, row->ends, &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_DIRECT}, arena, &plan);
	memset(amount, 0, sizeof amount);
	assert_true(sw_plan_flows(&plan, 0, add_flow, &plus, NULL));
	for (int64_t s = 0; s < problem.mesh.devices; s++) {
		double sent = 0, first = 0;

		for (int64_t d = 0; d < problem.mesh.devices; d++) {
			sent += amount[s][d];
			first += amount[0][d];
		}
		if (sent != first)
			fail_msg("%s: device %d sends %g, device 0 %g", row->ends, (int)s, sent, first);
	}
	sw_arena_free(arena);
}

/* The plan through a file. */
static bool read_back(const sw_plan *plan, sw_arena *arena, sw_plan *back, sw_diag *diag)
{
	sw_text text = {0};
	bool done = sw_plan_write(plan, SW_JSON_LINE, &text, diag) &&
		sw_plan_read((sw_str){sw_text_get(&text), text.length}, arena, back, diag);

	sw_text_free(&text);
	return done && sw_plan_check(back, diag);
}

static void same_senders(const sw_step *a, const sw_step *b, int64_t devices)
{
	assert_int_equal(a->sender != NULL, b->sender != NULL);
	if (!a->sender)
		return;
	assert_memory_equal(a->first_sender, b->first_sender, (size_t)(devices + 1) * sizeof(int32_t));
	assert_memory_equal(a->sender, b->sender, (size_t)a->first_sender[devices] * sizeof(int32_t));
}

static void check_file(draw *random, sw_plan *plan, sw_arena *arena)
{
	sw_step *step = &plan->program.step[0];
	int64_t devices = plan->problem.mesh.devices;
	sw_verdict verdict;
	sw_plan back;
	sw_diag diag;

	if (!read_back(plan, arena, &back, &diag))
		fail_msg("%s", diag.message);
	same_senders(step, &back.program.step[0], devices);
	if (!step->sender)
		return;
	int32_t *sender = (int32_t *)back.program.step[0].sender, at = draw_below(random, step->first_sender[devices]);
	const int32_t *first = step->first_sender;
	sender[at] = (sender[at] + 1 + draw_below(random, (int)devices - 1)) % (int32_t)devices;
	bool right = sw_plan_check(&back, &diag);
	assert_true(right || diag.code == SW_P05);
	assert_true(sw_plan_verify(&back, NULL, &verdict, &diag) && (verdict.right || !right));
	if (right)
		assert_true(verdict.right);
	back.program.step[0].first_sender = NULL;
	back.program.step[0].sender = NULL;
	assert_true(sw_plan_check(&back, &diag) && sw_plan_verify(&back, NULL, &verdict, &diag) && verdict.right);
	assert_true(first[devices] >= devices);
}

static void senders_are_recorded(void **state)
{
	static const int64_t axes[][3] = {{2, 2, 2}, {4, 2, 3}, {2, 3, 2}, {4, 4, 1}};
	draw random = draw_start("senders");
	int recorded = 0;

	(void)state;
	for (int n = 0; n < 200; n++) {
		sw_arena *arena = sw_arena_new();
		sw_plan_options options = {.strategy = SW_DIRECT};
		int64_t before[DEVICES], after[DEVICES];
		sw_problem problem;
		sw_plan plan;

		draw_problem(&random, axes[draw_below(&random, 4)], 3, 1 + draw_below(&random, 3), &problem);
		find(&problem, &options, arena, &plan);
		recorded += plan.program.steps && plan.program.step[0].sender;
		if (plan.program.steps)
			check_file(&random, &plan, arena);
		shuffle(&random, before, problem.mesh.devices);
		shuffle(&random, after, problem.mesh.devices);
		if (plan.program.steps && reorder(&plan, before, after, &options, arena, NULL) && plan.program.steps == 1)
			check_file(&random, &plan, arena);
		sw_arena_free(arena);
	}
	assert_true(recorded > 20);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(transfers_are_where_maps_meet),
		ROWS(holders_send_alike, holders_send_alike_rows, ends),
		TEST(senders_are_recorded),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
