/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What travels between two pictures of a film: of each row of blocks one that a device gets from another one, as transfers say; and it goes
 * from the one picture to the other as time passes.
 */
#include <locale.h>

#include "kit/kit.h"
#include "kit/pictures.h"
#include "kit/snapshot.h"
#include "kit/stage.h"

static const char *const problems[] = {
	"mesh {x: 4, y: 6}\nredistribute [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nplan exact\n",
	"mesh {x: 3, y: 4}\nredistribute [4{x}12, 3{y}12] ~> [3{y}12, 4{x}12]\nplan direct\n",
	"mesh {x: 4}\nredistribute [2{x}8, 8] ~> [8, 2{x}8]\nplan\n",
	"mesh {x: 2, y: 2}\nredistribute [8, 8] ~> [4{x}8, 4{y}8]\nplan\n",
};

static bool has(const sw_plan *plan, const int64_t *map, int k, int64_t device, const int64_t *index)
{
	for (int i = 0; i < 2; i++) {
		int64_t at = index[i] - map[device * 2 + i];
		if (at < 0 || at >= plan->program.value[k].tile[i])
			return false;
	}
	return true;
}

/* In which rows an element comes to the first device that has it then from another one. */
static int rows_that_move(const sw_plan *plan, int k, sw_arena *arena)
{
	const int64_t *before = sw_plan_device_map(plan, k - 1, arena, NULL),
				  *after = sw_plan_device_map(plan, k, arena, NULL);
	int rows = 0;
	for (int64_t i = 0; i < plan->problem.from.global[0]; i++) {
		bool moves = false;
		for (int64_t j = 0; j < plan->problem.from.global[1]; j++) {
			const int64_t index[2] = {i, j};
			int64_t device = 0;
			while (!has(plan, after, k, device, index))
				device++;
			moves = moves || !has(plan, before, k - 1, device, index);
		}
		rows += moves;
	}
	return rows;
}

static int owners_drawn(const sw_plan *plan, int step, double passed, int *left)
{
	struct view_options opt = view_options_default(160);
	struct view_input in = {.plan = plan};
	struct canvas canvas = {0};
	int cells = 0;
	opt.step = step;
	opt.passed = passed;
	opt.letters = true;
	*left = 0;
	assert_true(view_film(&in, &opt, &canvas, NULL));
	for (int y = 0; y < canvas.height; y++)
		for (int x = 0; x < canvas.width; x++) {
			int role = canvas_cell_at(&canvas, x, y)->role;
			bool owner = role >= ROLE_OWNER11 && role <= ROLE_OWNER84 && canvas_cell_at(&canvas, x, y)->glyph;
			cells += owner;
			*left += owner ? x : 0;
		}
	canvas_free(&canvas);
	return cells;
}

static void rows_travel_that_move(void **state)
{
	int travelled = 0;
	(void)state;
	for (size_t n = 0; n < COUNT(problems); n++) {
		struct session session;
		stage_open(&session, problems[n]);
		const sw_plan *plan = &session.state.plan->plan;
		sw_arena *arena = sw_arena_new();
		for (int k = 1; k <= plan->program.steps; k++) {
			int at[3], rows = rows_that_move(plan, k, arena);
			int still = owners_drawn(plan, k - 1, 0, &at[0]);
			int early = owners_drawn(plan, k - 1, 0.2, &at[1]), late = owners_drawn(plan, k - 1, 0.8, &at[2]);
			assert_int_equal(early - still, rows);
			assert_int_equal(late - still, rows);
			assert_true(rows == 0 || at[2] > at[1]);
			travelled += rows;
		}
		sw_arena_free(arena);
		stage_close(&session);
	}
	assert_true(travelled > 20);
}

/* Of each of four tiles the terms of the three devices that do not keep it. */
static void terms_travel_that_are_added(void **state)
{
	struct session session;
	int at[2];
	(void)state;
	stage_open(&session, "mesh {x: 4}\nf32[8, 6]+{x} ~> f32[2{x}8, 6]\nplan\n");
	const sw_plan *plan = &session.state.plan->plan;
	assert_int_equal(owners_drawn(plan, 0, 0.2, &at[1]) - owners_drawn(plan, 0, 0, &at[0]), 4 * 3);
	stage_close(&session);
}

static void scene_is_as_before(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, problems[0]);
	sw_text found = {0};
	(void)state;
	session.console->style.colors = 256;
	screen_take_line(screen, "layout one");
	screen_take_line(screen, "focus film");
	press(screen, "s Right Right Right Right");
	pictures_add(screen, &found);
	assert_snapshot("screens", "strip-travel", sw_text_get(&found));
	sw_text_free(&found);
	stage_close(&session);
}

int main(void)
{
	static const struct kit_test tests[] = {TEST(rows_travel_that_move), TEST(terms_travel_that_are_added),
		TEST(scene_is_as_before)};

	setlocale(LC_ALL, "C.UTF-8");
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
