/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems, placements and sums on the screens: pictures in three sizes and styles, compared with those in tests/screens.
 */
#include <locale.h>

#include "kit/pictures.h"
#include "kit/snapshot.h"
#include "kit/stage.h"

#define FIGURE_2 \
	"system {rack: 1 @ 1GB/s, server: 2 @ 4GB/s shared, cpu: 2 @ 16GB/s, gpu: 4 @ 64GB/s}\naxes {data: 4, shard: 4}\n" \
	"place [[1 1 2 2] [1 2 1 2]]\nreduce {shard} f32[1048576]\n"
#define STEPS "apply reducescatter inside server\napply allreduce across server\n"
#define MANY \
	"system {node: 64 @ 8GB/s shared, gpu: 16 @ 270GB/s}\naxes {data: 128, shard: 8}\nplace [[64 2] [1 8]]\n" \
	"reduce {data} f32[1048576]\n"
#define NODES \
	"system {node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}\naxes {data: 64}\nplace 1\nreduce {data} f32[2147483648]\n"

static const struct scene {
	const char *name, *lines, *view;
} scenes[] = {
	{"sums-system", FIGURE_2 STEPS, "system"},
	{"sums-system-v100", "system p2-v100 2\naxes {data: 16}\nplace [[2 8]]\nreduce {data} f32[1048576]\n", "system"},
	{"sums-placement", FIGURE_2, "placement"},
	{"sums-placement-many", MANY, "placement"},
	{"sums-groups", FIGURE_2 STEPS, "groups"},
	{"sums-groups-all", FIGURE_2, "groups"},
	{"sums-state", FIGURE_2 STEPS, "state"},
	{"sums-state-many", MANY "apply reducescatter inside root\n", "state"},
	{"sums-hierarchies", FIGURE_2, "hierarchies"},
	{"sums-reductions", FIGURE_2, "reductions"},
	{"sums-contexts", NODES "walk reductions\ncontinue\n", "graph"},
	{"sums-contexts-start", NODES "walk reductions\n", "graph"},
	{"sums-plan", NODES "reductions 4\n", "plan"},
	{"sums-heights", NODES "reductions 4\n", "heights"},
	{"sums-film", FIGURE_2 "reductions 1\n", "film --device C0"},
};

static void scene_is_as_before(void **state)
{
	const struct scene *scene = *state;
	struct session session;
	struct screen *screen = stage_open(&session, scene->lines);
	char focus[40];
	sw_text found = {0};

	snprintf(focus, sizeof focus, "focus %s", scene->view);
	screen_take_line(screen, "layout one");
	screen_take_line(screen, focus);
	pictures_add(screen, &found);
	assert_snapshot("screens", scene->name, sw_text_get(&found));
	sw_text_free(&found);
	stage_close(&session);
}

/* Without what they show they say what to type. */
static void test_empty(void **state)
{
	static const char *const lines[] = {"", "system {a: 4}", "system {a: 4}\naxes {x: 4}",
		"system {a: 4}\naxes {x: 4}\nplace [[4]]"};

	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++)
		for (int view = PANE_SYSTEM; view <= PANE_REDUCTIONS; view++) {
			struct session session;
			struct screen *screen = stage_open(&session, lines[i]);
			struct canvas canvas = {0};
			char focus[40];

			snprintf(focus, sizeof focus, "focus %s", pane_rows[view].name);
			screen_take_line(screen, "layout one");
			screen_take_line(screen, focus);
			screen_compose(screen, 80, 24, &canvas);
			assert_false(canvas.failed);
			canvas_free(&canvas);
			stage_close(&session);
		}
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(scene_is_as_before, scenes, name),
		TEST(test_empty),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
