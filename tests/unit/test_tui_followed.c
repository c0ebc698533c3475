/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is pinned in a film lights up in the mesh, in the plan and in the traffic: signs there are those of the transfers of the step.
 */
#include <locale.h>
#include <string.h>

#include <shardwalk/owners.h>

#include "command/programs/moments.h"
#include "kit/film.h"
#include "screen/panes.h"
#include "views/followed.h"

#define STILL "mesh {x: 4}\nredistribute [8, 6] ~> [2{x}8, 6]\nplan\n"

static const struct film_scene scenes[] = {
	{"pin-mesh", PAPER, "Enter Down Down + + s M", 256},
	{"pin-mesh-tile", PAPER, "Enter Down Down + + t s M", 256},
	{"pin-plan-tile", PAPER, "Enter Down + t s 4", 0},
	{"pin-traffic-tile", PAPER, "Enter Down Down + + t s 5", 256},
	{"pin-mesh-program", WAYS, "Enter Down s s M", 256},
	{"pin-traffic-program", WAYS, "Enter t s 5", 0},
	{"pin-traffic-program-device", WAYS, "Down Down s 5", 256},
	{"pin-traffic-schedule", CANNON, "s Enter s 5", 0},
	{"pin-mesh-device", PAPER, "Down Down s M", 0},
	{"pin-plan", PAPER, "Enter Down + + s 4", 0},
	{"pin-plan-device", STILL, "Down Down s 4", 256},
	{"pin-traffic", PAPER, "Enter Down Down + + s 5", 256},
	{"pin-traffic-device", GATHER, "Down Down s 5", 0},
};

/* ---- by transfers ---- */

struct table_of {
	bool sent[64][64];
};

static void take(void *user, int64_t from, int64_t to)
{
	((struct table_of *)user)->sent[from][to] = true;
}

static bool carried_there(void *user, const sw_carried *carried)
{
	((struct table_of *)user)->sent[carried->from][carried->to] = true;
	return true;
}

static void pieces_of_an_element_are_its_own(void **state)
{
	(void)state;
	struct session session;
	film_open(&session, PAPER, 0);
	const sw_plan *plan = &session.state.plan->plan;
	sw_arena *arena = sw_arena_new();
	int moves = 0;
	for (int64_t e = 0; e < 144; e += 7)
		for (int k = 0; k < plan->program.steps; k++) {
			const int64_t index[SW_MAX_DIMS] = {e / 12, e % 12};
			struct view_options opt = view_options_default(80);
			struct table_of found = {0}, expected = {0};
			opt.element = index;
			assert_true(followed_each(&(struct view_input){.plan = plan}, k, &opt, take, &found));
			assert_true(sw_plan_carries(plan, k, index, arena, carried_there, &expected, NULL));
			assert_memory_equal(&found, &expected, sizeof found);
			moves += followed_moves(&(struct view_input){.plan = plan}, k, &opt);
		}
	assert_true(moves > 20);
	sw_arena_free(arena);
	stage_close(&session);
}

/* A device has a part in all pieces that any element takes from it or to it. */
static void a_device_has_the_pieces_of_all_elements(void **state)
{
	(void)state;
	struct session session;
	film_open(&session, PAPER, 0);
	const sw_plan *plan = &session.state.plan->plan;
	for (int k = 0; k < plan->program.steps; k++) {
		struct table_of all = {0};
		for (int64_t e = 0; e < 144; e++) {
			const int64_t index[SW_MAX_DIMS] = {e / 12, e % 12};
			struct view_options opt = view_options_default(80);
			opt.element = index;
			assert_true(followed_each(&(struct view_input){.plan = plan}, k, &opt, take, &all));
		}
		for (int64_t device = 0; device < 24; device++) {
			struct view_options opt = view_options_default(80);
			struct followed followed;
			opt.device = device;
			followed_new(&followed, &(struct view_input){.plan = plan}, k + 1, &opt);
			assert_non_null(followed.arena);
			for (int64_t other = 0; other < 24; other++) {
				assert_int_equal(followed.sends[other], all.sent[other][device]);
				assert_int_equal(followed.gets[other], all.sent[device][other]);
			}
			followed_free(&followed);
		}
	}
	stage_close(&session);
}

/* ---- of programs ---- */

/* An element goes as moments carry it; a device sends and gets what any element of any array takes from it or to it. */
static void check_moment(const sw_moments *moments, int k, sw_arena *arena)
{
	const struct view_input in = {.moments = moments};
	struct table_of all = {0};
	for (int array = 0; array < moments->arrays; array++) {
		const sw_type *type = moments->program->value[moments->first[array]].type;
		for (int64_t e = 0; e < sw_type_globalsize(type); e++) {
			const int64_t index[SW_MAX_DIMS] = {e / type->global[1], e % type->global[1]};
			struct view_options opt = view_options_default(80);
			struct table_of found = {0}, expected = {0};
			opt.element = index;
			opt.array = array;
			assert_true(followed_each(&in, k - 1, &opt, take, &found));
			assert_true(sw_moments_carries(moments, k, &(sw_array_element){array, index}, arena, carried_there,
				&expected, NULL));
			assert_memory_equal(&found, &expected, sizeof found);
			for (size_t i = 0; i < sizeof all; i++)
				((char *)&all)[i] |= ((char *)&found)[i];
		}
	}
	for (int64_t device = 0; device < moments->program->mesh.devices; device++) {
		struct view_options opt = view_options_default(80);
		struct followed followed;
		opt.device = device;
		followed_new(&followed, &in, k, &opt);
		assert_non_null(followed.arena);
		for (int64_t other = 0; other < moments->program->mesh.devices; other++) {
			assert_int_equal(followed.sends[other], all.sent[other][device]);
			assert_int_equal(followed.gets[other], all.sent[device][other]);
		}
		followed_free(&followed);
	}
}

static void the_same_in_programs(void **state)
{
	static const char *const programs[] = {WAYS, CANNON};
	(void)state;
	for (size_t n = 0; n < COUNT(programs); n++) {
		struct session session;
		sw_arena *arena = sw_arena_new();
		film_open(&session, programs[n], 0);
		const sw_moments *moments = session_moments(&session, NULL);
		assert_true(moments->count > 0);
		for (int k = 1; k <= moments->count; k++)
			check_moment(moments, k, arena);
		sw_arena_free(arena);
		stage_close(&session);
	}
}

/* In mesh and traffic of a program s and b go through its moments, + and - through devices. */
static void keys_go_through_a_program(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, WAYS, 0);
	press(screen, "5 s s b");
	assert_int_equal(screen->viewpoint.view, PANE_TRAFFIC);
	assert_int_equal(film_now(screen), 1);
	press(screen, "+ +");
	assert_int_equal(screen->viewpoint.device, 1);
	press(screen, "M s -");
	assert_int_equal(film_now(screen), 2);
	assert_int_equal(screen->viewpoint.device, 0);
	assert_non_null(strstr(sw_text_get(&screen->echo), "show mesh --step 2 --device 0"));
	stage_close(&session);
}

/* In the mesh of a program a device has the sign of who holds the element where it has it then, pinned in the film. */
static void holders_in_programs_are_marked(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, WAYS, 0);
	const sw_moments *moments = session_moments(&session, NULL);
	int marked = 0;
	press(screen, "Enter");
	for (int k = 0; k <= moments->count; k++) {
		struct view_options opt = view_options_default(80);
		struct followed followed;
		opt.element = screen->viewpoint.element;
		opt.array = film_array_number(screen);
		followed_new(&followed, &(struct view_input){.moments = moments}, k, &opt);
		for (int64_t device = 0; device < moments->program->mesh.devices; device++) {
			assert_int_equal(followed.has[device],
				sw_owners_holding(moments->owners[opt.array], k) != NULL &&
					sw_owners_has(moments->owners[opt.array], k, device, opt.element));
			marked += followed.has[device];
		}
		followed_free(&followed);
		press(screen, "M");
		look(screen, 120, 40, NULL);
		assert_int_equal(film_now(screen), k);
		press(screen, "s V");
	}
	assert_true(marked > 0);
	stage_close(&session);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(film_is_as_before, scenes, name),
		TEST(pieces_of_an_element_are_its_own),
		TEST(a_device_has_the_pieces_of_all_elements),
		TEST(the_same_in_programs),
		TEST(keys_go_through_a_program),
		TEST(holders_in_programs_are_marked),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
