/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Totals of schedules whose steps are not walked: the same as step by step, and right where nobody could walk.
 */
#include "kit.h"

#include <shardwalk/schedule.h>
#include <shardwalk/type.h>

#include "arena.h"

typedef struct product {
	sw_mesh mesh;
	sw_type type[3];
	sw_holding home[3];
	sw_schedule_array array[3];
	sw_schedule_problem problem;
} product;

/* A(i,j) = B(i,k) * C(k,j) over arrays of these types. */
static void make(product *p, const char *mesh, const char *const *type)
{
	static const char *const names[] = {"A", "B", "C"};
	sw_diag diag;

	assert_true(sw_mesh_parse(sw_str_of(mesh), &p->mesh, &diag));
	for (int k = 0; k < 3; k++) {
		if (!sw_type_parse(&p->mesh, sw_str_of(type[k]), &p->type[k], &diag) ||
			!sw_holding_of_type(&p->mesh, &p->type[k], NULL, NULL, &p->home[k]))
			fail_msg("%s: %s", type[k], diag.message);
		p->array[k] = (sw_schedule_array){.name = sw_str_of(names[k]),
			.rank = 2,
			.size = {p->type[k].global[0], p->type[k].global[1]},
			.home = &p->home[k]};
	}
	if (!sw_schedule_problem_of(sw_str_of("A(i,j) = B(i,k) * C(k,j)"), &p->mesh, p->array, 3, arena, &p->problem,
			&diag))
		fail_msg("%s", diag.message);
}

static const sw_lowering *lower(const product *p, const char *schedule)
{
	sw_diag diag;
	const sw_schedule *read = sw_schedule_read(sw_schedule_new(&p->problem, arena), sw_str_of(schedule), arena, NULL,
		&diag);
	const sw_lowering *lowering = read != NULL ? sw_lowering_of(read, arena, &diag) : NULL;

	if (lowering == NULL)
		fail_msg("%s: %s", schedule, diag.message);
	return lowering;
}

static void add(const sw_lowering *lowering, bool senders, sw_schedule_totals *totals)
{
	sw_diag diag;

	if (!sw_lowering_totals(lowering, senders, NULL, arena, totals, &diag))
		fail_msg("%s", diag.message);
}

/* ---- the same as step by step ---- */

static const struct written {
	const char *mesh, *type[3], *schedule;
} written[] = {
	{"{x: 2, y: 2}", {"[{x}6, {y}4]", "[{x}6, {y}8]", "[{x}8, {y}4]"},
		"distribute({i,j}, {io,jo}, {ii,ji}, Grid(2,2))"},
	{"{x: 2, y: 2}", {"[{x}6, {y}4]", "[{x}6, {y}8]", "[{x}8, {y}4]"},
		"distribute({i,k}, {io,ko}, {ii,ki}, Grid(2,2))"},
	{"{x: 2, y: 2}", {"[8, {x,y}4]", "[{y,x}8, 4]", "[{y}4, 4]"}, "distribute({i,j}, {io,jo}, {ii,ji}, Grid(2,2))"},
	{"{x: 2, y: 3}", {"[{x}6, {y}6]", "[{x}6, {y}6]", "[{x}6, {y}6]"},
		".distribute({i,j}, {io,jo}, {ii,ji}, Grid(2,3)).divide(k, ko, ki, 3).reorder({ko,ii,ji,ki})"
		".rotate(ko, {io,jo}, kos).communicate(B, kos)"},
	{"{x: 2, y: 2, z: 2}", {"[{x}6, {y}4]", "[{x}6, {z}8]", "[{z}8, {y}4]"},
		"distribute({i,j,k}, {io,jo,ko}, {ii,ji,ki}, Grid(2,2,2))"},
	{"{x: 2, y: 2, z: 2}", {"[{x}6, {y}4]", "[{x}6, {z}8]", "[{z}8, {y}4]"},
		".distribute({i,j,k}, {io,jo,ko}, {ii,ji,ki}, Grid(2,2,2)).communicate(B, ii).communicate(A, ko)"},
	{"{x: 4}", {"[{x}8, 8]", "[{x}8, 8]", "[8, {x}8]"},
		".divide(i, io, ii, 4).distribute(io).split(j, jo, ji, 3).split(k, ko, ki, 5).reorder({jo,ko,ii,ji,ki})"
		".communicate(B, ko).communicate(C, ji)"},
	{"{x: 3}", {"[3, {x}6]", "[3, {x}6]", "[{x}6, 6]"}, "distribute(i).reorder({k,j})"},
	{"{x: 3}", {"[3, 6]", "[3, {x}6]", "[{x}6, 6]"}, "distribute(i).reorder({k,j})"},
	{"{x: 3}", {"[3, 6]", "[3, {x}6]", "[{x}6, 6]"}, ".divide(i, io, ii, 3).distribute(ii).communicate(A, ii)"},
};

static void same_list(const char *what, const int64_t *walked, const int64_t *summed, int64_t count)
{
	for (int64_t k = 0; k < count; k++)
		if (walked[k] != summed[k])
			fail_msg("%s of %lld: %lld, and walked %lld", what, (long long)k, (long long)summed[k],
				(long long)walked[k]);
}

static void steps_walked_and_summed(void **state)
{
	const struct written *w = *state;
	sw_schedule_totals walked, summed;
	product p;

	make(&p, w->mesh, w->type);
	const sw_lowering *lowering = lower(&p, w->schedule);
	add(lowering, true, &walked);
	add(lowering, false, &summed);
	same_list("volume", walked.volumes, summed.volumes, 3);
	same_list("received", walked.received, summed.received, p.mesh.devices);
	same_list("peak", walked.peak, summed.peak, p.mesh.devices);
	same_list("overlap", walked.peak_overlap, summed.peak_overlap, p.mesh.devices);
	same_list("flops", walked.flops, summed.flops, p.mesh.devices);
}

/* ---- more steps than anybody walks ---- */

/* Each point fetches the elements of B and C that are not at home, one by one: three quarters of n^3 of each; what is alive is one element of each. */
static void naive_completion_of_4096_cubed(void **state)
{
	static const char *const type[] = {"[{x}4096, {y}4096]", "[{x}4096, {y}4096]", "[{x}4096, {y}4096]"};
	const int64_t points = INT64_C(4096) * 4096 * 4096, home = 3 * INT64_C(1024) * 1024;
	sw_schedule_totals totals;
	product p;

	(void)state;
	make(&p, "{x: 4, y: 4}", type);
	add(lower(&p, "distribute({i,j}, {io,jo}, {ii,ji}, Grid(4,4))"), false, &totals);
	assert_int_equal(totals.volumes[0], 0);
	assert_int_equal(totals.volumes[1], points / 4 * 3);
	assert_int_equal(totals.volumes[2], points / 4 * 3);
	assert_int_equal(totals.most_received, points / 16 / 4 * 6);
	assert_int_equal(totals.most_peak, home + 2);
	assert_int_equal(totals.most_peak_overlap, home + 4);
}

/* Where the sum is in space too, each term goes to its owner when the next point begins, but of an element only once, as k is innermost. */
static void naive_completion_of_a_block_gives_each_sum_once(void **state)
{
	static const char *const type[] = {"[{x}4096, {z,y}4096]", "[{x}4096, {y,z}4096]", "[{x,z}4096, {y}4096]"};
	const int64_t square = INT64_C(4096) * 4096;
	sw_schedule_totals totals;
	product p;

	(void)state;
	make(&p, "{x: 4, y: 4, z: 4}", type);
	add(lower(&p, "distribute({i,j,k}, {io,jo,ko}, {ii,ji,ki}, Grid(4,4,4))"), false, &totals);
	assert_int_equal(totals.volumes[0], 3 * square); /* four have terms of each, one of which is its owner */
	assert_int_equal(totals.most_peak, 3 * square / 64 + 3);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(steps_walked_and_summed, written, schedule),
		TEST(naive_completion_of_4096_cubed),
		TEST(naive_completion_of_a_block_gives_each_sum_once),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
