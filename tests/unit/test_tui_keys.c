/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every key of every view, on ten problems from 2 to 2^20 devices: nothing breaks, no row goes past the edge, the cursor
 * stays in sight, and no node of the graph moves.
 *
 * KEYS=all presses each key in each view of each problem twice, the second time in another order; without it once, each view on every
 * second problem.
 */
#define _GNU_SOURCE
#include <locale.h>
#include <unistd.h>

#include "kit/draw.h"
#include "kit/pictures.h"

#define NODES 4096
#define KEYS_MOST 256

/* Where nodes stood in a picture of one size, of one walk. */
struct places {
	int width, height, number;
	struct {
		int x, y;
	} at[NODES];
};

static struct session session;
static struct places places;
static long long pressed;

/* ---- what holds after every key ---- */

static void fail_after(const struct screen *screen, const char *key, const char *what)
{
	fail_msg("after %s in %s at %dx%d: %s", key, pane_rows[screen->viewpoint.view].name, screen->width,
		screen->height, what);
}

static void places_begin(const struct pane *pane, int number)
{
	if (places.width == pane->width && places.height == pane->height && places.number == number)
		return;
	memset(&places, 0, sizeof(places));
	places.width = pane->width;
	places.height = pane->height;
	places.number = number;
}

static void assert_places(const struct screen *screen, const struct pane *pane, const char *key)
{
	places_begin(pane, screen_walk_number(screen));
	for (int i = 0; i < screen->spots.count; i++) {
		const struct graph_spot *spot = &screen->spots.spot[i];
		if (spot->node >= NODES || screen->places.layout.place[spot->node].y < 0)
			continue;
		bool moved = places.at[spot->node].x != spot->x || places.at[spot->node].y != spot->y;
		if (places.at[spot->node].x && moved)
			fail_after(screen, key, "a node moved");
		places.at[spot->node].x = spot->x;
		places.at[spot->node].y = spot->y;
	}
}

static bool is_drawn(const struct screen *screen, int id)
{
	for (int i = 0; i < screen->spots.count; i++)
		if (screen->spots.spot[i].node == id - 1)
			return true;
	return false;
}

static void assert_graph(struct screen *screen, const struct pane *pane, const char *key)
{
	sw_node node;
	if (!screen_walked(screen) || !screen_node(screen, &node))
		return;
	if (!screen->viewpoint.lanes) {
		assert_places(screen, pane, key);
		if (node.id && !is_drawn(screen, node.id))
			fail_after(screen, key, "the node under the cursor is not in sight");
		return;
	}
	for (int y = 0; y < pane->picture.height; y++)
		if (canvas_cell_at(&pane->picture, 0, y)->role == ROLE_CURRENT)
			return;
	fail_after(screen, key, "the row under the cursor is not in sight");
}

static void assert_panes(struct screen *screen, const char *key)
{
	for (int i = 0; i < screen->pane_count; i++) {
		const struct pane *pane = &screen->panes[i];
		int row = pane->frame.row - screen->viewpoint.top[pane->view];
		if (pane->view == PANE_GRAPH)
			assert_graph(screen, pane, key);
		if (pane->frame.row >= 0 && !screen->found && (row < 0 || row >= pane->height))
			fail_after(screen, key, "the chosen row is not in sight");
	}
}

static void assert_screen(struct screen *screen, int width, int height, const char *key)
{
	sw_text text = {0};
	look(screen, width, height, &text);
	assert_rows_fit(sw_text_get(&text), width, false);
	sw_text_free(&text);
	if (width >= SCREEN_MIN_WIDTH && height >= SCREEN_MIN_HEIGHT)
		assert_panes(screen, key);
}

/* ---- pressing ---- */

/* Files are not written here, nothing is executed, and the program stays. */
static bool is_left_out(const char *action)
{
	static const char *const names[] = {"save-", "leave-program", "measure", "add-strategy"};
	for (size_t i = 0; i < COUNT(names); i++)
		if (strncmp(action, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static int keys_read(int keys[KEYS_MOST])
{
	int count = 0;
	for (int i = 0; i < key_row_count && count < KEYS_MOST; i++)
		if (!is_left_out(key_rows[i].action))
			keys[count++] = key_rows[i].key;
	return count;
}

static void keys_shuffle(draw *from, int *keys, int count)
{
	for (int i = count - 1; i > 0; i--) {
		int other = draw_below(from, i + 1), key = keys[i];
		keys[i] = keys[other];
		keys[other] = key;
	}
}

/* What a key asks for is answered, or left. */
static void answer(struct screen *screen, draw *from, int width, int height)
{
	static const char *const answers[] = {"1", "0,0", "[", "start", "zz"};
	const char *text = answers[draw_below(from, COUNT(answers))];
	for (const char *at = text; *at && screen->ask.row; at++) {
		screen_key(screen, *at);
		assert_screen(screen, width, height, text);
	}
	screen_key(screen, draw_below(from, 2) ? KEY_ENTERED : KEY_ESC);
	assert_screen(screen, width, height, text);
}

/* Work is ended when it was asked for long enough whether it may go on. */
static void stop_work(struct screen *screen)
{
	screen_key(screen, KEY_CONTROL('c'));
}

static void keys_press(struct screen *screen, draw *from, int width, int height)
{
	int keys[KEYS_MOST], count = keys_read(keys);
	keys_shuffle(from, keys, count);
	for (int i = 0; i < count; i++) {
		sw_text name = {0};
		key_print(keys[i], &name);
		screen_key(screen, keys[i]);
		screen->leaving = screen->typing = false;
		assert_screen(screen, width, height, sw_text_get(&name));
		if (screen->ask.row)
			answer(screen, from, width, height);
		if (screen->running)
			screen_tick(screen);
		sw_text_free(&name);
		pressed++;
	}
}

static void every_key_may_be_pressed(void **state)
{
	const struct stage_problem *problem = *state;
	draw from = draw_start(problem->name);
	int rounds = getenv("KEYS") ? 2 : 1, apart = getenv("KEYS") ? 1 : 2;
	for (int view = (int)(problem - stage_problems) % apart; view < PANE_COUNT; view += apart) {
		for (int round = 0; round < rounds; round++) {
			size_t size = (size_t)(view + round) % COUNT(picture_sizes);
			struct screen *screen = stage_open(&session, problem->lines);
			screen->poll = stop_work;
			memset(&places, 0, sizeof(places));
			assert_screen(screen, picture_sizes[size].width, picture_sizes[size].height, "the start");
			screen_visit(screen, view);
			keys_press(screen, &from, picture_sizes[size].width, picture_sizes[size].height);
			stage_close(&session);
		}
	}
}

/* The keys were there: each key of the table in each view, on each problem. */
static void all_were_pressed(void **state)
{
	int keys[KEYS_MOST];
	(void)state;
	assert_true(keys_read(keys) > 60);
	assert_true(
		pressed >= (long long)COUNT(stage_problems) / (getenv("KEYS") ? 1 : 2) * PANE_COUNT * keys_read(keys));
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(every_key_may_be_pressed, stage_problems, name),
		TEST(all_were_pressed),
	};
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 77;
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
