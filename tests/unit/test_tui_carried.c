/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pieces in which a step brings elements: of every theory, all elements together are in as many as all transfers of the step move, and
 * each piece goes from a device that has the element to one that has it afterwards.  Of all that a device has at a moment as many elements are
 * in a piece as of its elements, one by one, go from there to there.
 */
#include <locale.h>

#include <shardwalk/moments.h>
#include <shardwalk/transfers.h>

#include "command/programs/moments.h"
#include "kit/carried.h"
#include "kit/film.h"
#include "screen/panes.h"

static const struct theory {
	const char *name, *lines;
} theories[] = {
	{"tiles", PAPER},
	{"copies", COPIES},
	{"sums", SUM},
	{"orders", "redistribute f32[16,8] {devices=[4,1]<=[4]} ~> {devices=[4,1]3,2,1,0}\nplan\n"},
	{"runs of elements", "mesh {x: 4}\nfrom [2{x,..}24, 6]\nto [6{x}24, 6]\nplan\n"},
	{"chunks", REDUCE "reductions 1\n"},
	{"chunks in groups", REDUCE},
	{"products", "mesh {x: 2, y: 2}\neinsum ij,jk->ik [2{x}4, 3{y}6], [3{y}6, 4{x}8] as [2{x}4, 4{y}8]\nways 1\n"},
	{"schedules", "mesh {x: 3, y: 3}\nschedule cannon m=9 n=9 k=9\n"},
	{"copies of schedules", "mesh {x: 2, y: 2}\nschedule summa m=8 n=8 k=8\n"},
	{"schedules in depth", "mesh {x: 2, y: 2, z: 2}\nschedule johnson m=4 n=4 k=4\n"},
};

struct counting {
	const sw_owners *owners;
	int k;
	const int64_t *index;
	int64_t pieces, moved;
};

static bool count_piece(void *user, const sw_carried *carried)
{
	struct counting *counting = user;

	assert_int_not_equal(carried->from, carried->to);
	assert_true(carried->elements > 0);
	assert_true(sw_owners_has(counting->owners, counting->k - 1, carried->from, counting->index) ||
		sw_owners_has(counting->owners, counting->k, carried->from, counting->index));
	assert_true(sw_owners_has(counting->owners, counting->k, carried->to, counting->index));
	counting->pieces++;
	return true;
}

/* ---- plans ---- */

static int64_t check_plan(const sw_plan *plan, sw_arena *arena)
{
	const sw_type *type = &plan->problem.from;
	struct counting counting = {.owners = sw_owners_of_plan(plan, arena, NULL)};
	int64_t all = 0;

	assert_non_null(counting.owners);
	for (int k = 1; k <= plan->program.steps; k++) {
		int64_t index[SW_MAX_DIMS] = {0};
		counting.k = k;
		counting.pieces = 0;
		counting.index = index;
		for (int64_t e = 0; e < sw_type_globalsize(type); e++) {
			indices_of(e, type->global, type->rank, index);
			assert_true(sw_plan_carries(plan, k - 1, index, arena, count_piece, &counting, NULL));
		}
		assert_int_equal(counting.pieces, arriving(plan, k - 1, arena));
		all += counting.pieces;
	}
	return all;
}

/* ---- programs ---- */

static int64_t check_array(const sw_moments *moments, int k, int array, sw_arena *arena)
{
	const sw_type *type = moments->program->value[moments->first[array]].type;
	int64_t index[SW_MAX_DIMS] = {0};
	struct counting counting = {.owners = moments->owners[array], .k = k, .index = index};

	for (int64_t e = 0; e < sw_type_globalsize(type); e++) {
		indices_of(e, type->global, type->rank, index);
		assert_true(
			sw_moments_carries(moments, k, &(sw_array_element){array, index}, arena, count_piece, &counting, NULL));
	}
	assert_int_equal(counting.pieces, sw_moments_moved(moments, k, array, arena));
	return counting.pieces;
}

/* ---- of all that a device has ---- */

#define DEVICES 64

struct table_of {
	int64_t sent[DEVICES][DEVICES];
	bool one_by_one; /* a piece counts as the one element that it is asked for */
};

static bool put(void *user, const sw_carried *carried)
{
	struct table_of *table = user;

	assert_true(carried->from < DEVICES && carried->to < DEVICES);
	table->sent[carried->from][carried->to] += table->one_by_one ? 1 : carried->elements;
	return true;
}

/* One of the plan or of the moments. */
struct carrier {
	const sw_plan *plan;
	const sw_moments *moments;
	int array;
	const sw_owners *owners;
	const sw_type *type;
	int64_t devices;
};

static void check_tile(const struct carrier *of, int k, int moment, int64_t device, sw_arena *arena)
{
	struct table_of all = {.one_by_one = false}, one = {.one_by_one = true};
	int64_t index[SW_MAX_DIMS] = {0}, size = 0;
	sw_region region;

	assert_true(sw_owners_region(of->owners, moment, device, arena, &region));
	for (int64_t e = 0; e < sw_type_globalsize(of->type); e++) {
		indices_of(e, of->type->global, of->type->rank, index);
		if (!sw_owners_has(of->owners, moment, device, index))
			continue;
		size++;
		assert_true(of->plan ?
				sw_plan_carries(of->plan, k - 1, index, arena, put, &one, NULL) :
				sw_moments_carries(of->moments, k, &(sw_array_element){of->array, index}, arena, put, &one, NULL));
	}
	assert_int_equal(sw_region_size(&region), size);
	assert_true(of->plan ?
			sw_plan_carries_of(of->plan, k - 1, &region, arena, put, &all, NULL) :
			sw_moments_carries_of(of->moments, k, &(sw_array_part){of->array, &region}, arena, put, &all, NULL));
	assert_memory_equal(all.sent, one.sent, sizeof all.sent);
}

/* Some devices, at each moment, in each step. */
static void check_tiles(const struct carrier *of, int steps, sw_arena *arena)
{
	for (int k = 1; k <= steps; k++)
		for (int moment = 0; moment <= steps; moment++)
			for (int64_t device = (k + moment) % 3; device < of->devices; device += 3)
				check_tile(of, k, moment, device, arena);
}

static void tiles_are_carried_as_their_elements(void **state)
{
	const struct theory *theory = *state;
	struct session session;
	sw_arena *arena = sw_arena_new();
	struct screen *screen = film_open(&session, theory->lines, 0);
	const sw_moments *moments = moments_are_subject(&session.state) ? session_moments(&session, NULL) : NULL;

	if (moments == NULL) {
		const sw_plan *plan = screen_steps(screen);
		const struct carrier of = {.plan = plan,
			.owners = sw_owners_of_plan(plan, arena, NULL),
			.type = &plan->problem.from,
			.devices = plan->problem.mesh.devices};
		check_tiles(&of, plan->program.steps, arena);
	}
	for (int array = 0; moments != NULL && array < moments->arrays; array++) {
		const struct carrier of = {.moments = moments,
			.array = array,
			.owners = moments->owners[array],
			.type = moments->program->value[moments->first[array]].type,
			.devices = moments->program->mesh.devices};
		check_tiles(&of, moments->count, arena);
	}
	sw_arena_free(arena);
	stage_close(&session);
}

static void pieces_are_what_moves(void **state)
{
	const struct theory *theory = *state;
	struct session session;
	sw_arena *arena = sw_arena_new();
	int64_t all = 0;

	struct screen *screen = film_open(&session, theory->lines, 0);
	assert_true(film_count(screen) > 0);
	if (!moments_are_subject(&session.state))
		all = check_plan(screen_steps(screen), arena);
	const sw_moments *moments = moments_are_subject(&session.state) ? session_moments(&session, NULL) : NULL;
	for (int k = 1; moments != NULL && k <= moments->count; k++)
		for (int array = 0; array < moments->arrays; array++)
			all += check_array(moments, k, array, arena);
	assert_true(all > 0);
	sw_arena_free(arena);
	stage_close(&session);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(pieces_are_what_moves, theories, name),
		ROWS(tiles_are_carried_as_their_elements, theories, name),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
