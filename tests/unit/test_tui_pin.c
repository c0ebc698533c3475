/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is pinned in a film: its sentence says what transfers do, a click pins what is drawn there, keys move it; and the views that one goes
 * into and comes back from.
 */
#include <locale.h>
#include <stdio.h>

#include <shardwalk/transfers.h>

#include "kit/film.h"
#include "screen/pin.h"

#define GATHER "mesh {x: 4}\nredistribute [2{x}8, 6] ~> [8, 6]\nplan\n"
#define CUBE "mesh {x: 2, y: 3}\nredistribute [6{x}12, 4{y}12, 6] ~> [12, 6{x}12, 2{y}6]\nplan\n"
#define COPIES "mesh {a: 4, b: 3}\nredistribute [2{a}8, 6] ~> [8, 2{b}6]\nplan\n"
#define SUM "mesh {x: 4}\nf32[8, 6]+{x} ~> f32[2{x}8, 6]\nplan\n"
#define LARGE "mesh {a: 32, b: 32}\n[32768{a}1048576, 1024] ~> [1048576, 32{b}1024]\nplan\n"

static const struct film_scene scenes[] = {
	{"pin-element", PAPER, "Enter Down Down + + s", 256},
	{"pin-device", PAPER, "Down Down s", 0},
	{"pin-copies", GATHER, "Enter s", 0},
	{"pin-sum", SUM, "Enter Down s", 256},
	{"pin-cube", CUBE, "Enter x o o s", 0},
	{"pin-large", LARGE, "Enter Down + s", 256},
};

/* ---- the sentence, by transfers ---- */

static bool in_box(const int64_t *at, const int64_t *extent, const int64_t *index, const int64_t *base, int rank)
{
	for (int i = 0; i < rank; i++) {
		int64_t inside = index[i] - (base ? base[i] : 0) - at[i];
		if (inside < 0 || inside >= extent[i])
			return false;
	}
	return true;
}

static bool device_has(const sw_plan *plan, int k, int64_t device, const int64_t *index, sw_arena *arena)
{
	int rank = plan->problem.from.rank;
	const int64_t *map = sw_plan_device_map(plan, k, arena, NULL);
	assert_non_null(map);
	return in_box(map + device * rank, plan->program.value[k].tile, index, NULL, rank);
}

/* How many elements come along with this one; 0: it does not come from there. */
static int64_t sent(const sw_plan *plan, int k, int64_t from, int64_t to, const int64_t *index, sw_arena *arena)
{
	int rank = plan->problem.from.rank;
	const sw_transfers *transfers = sw_plan_transfers(plan, k - 1, arena, NULL);
	const int64_t *map = sw_plan_device_map(plan, k, arena, NULL);
	sw_transfer box;
	for (int64_t n = 0; n < sw_transfers_into(transfers, to); n++)
		if (sw_transfers_get(transfers, to, n, &box) && box.from == from &&
			in_box(box.to_at, box.extent, index, map + to * rank, rank))
			return sw_transfer_size(transfers, &box);
	return 0;
}

static void sentence_at(const sw_plan *plan, int k, const int64_t *index, char *text, size_t size)
{
	struct view_options opt = view_options_default(200);
	struct view_input in = {.plan = plan};
	struct canvas canvas = {0};
	sw_text all = {0};
	opt.step = k;
	opt.element = index;
	assert_true(view_film(&in, &opt, &canvas, NULL));
	canvas_print(&canvas, &(struct canvas_style){0}, &all);
	const char *at = strstr(sw_text_get(&all), "\n[");
	assert_non_null(at);
	snprintf(text, size, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
	sw_text_free(&all);
	canvas_free(&canvas);
}

static int moved, stayed;

static void check_sentence(const sw_plan *plan, int k, const int64_t *index, sw_arena *arena)
{
	char text[400];
	long long from = -1, to = -1, piece = -1;
	sentence_at(plan, k, index, text, sizeof(text));
	const char *leaves = strstr(text, "leaves device "), *stays = strstr(text, "stays on device "),
			   *goes = strstr(text, "goes from device ");
	if (goes) {
		assert_true(sscanf(goes, "goes from device %lld to %lld, in a piece of %lld", &from, &to, &piece) == 3);
		assert_true(device_has(plan, k - 1, from, index, arena) && device_has(plan, k, from, index, arena));
		assert_true(device_has(plan, k, to, index, arena));
		assert_int_equal(sent(plan, k, from, to, index, arena), piece);
		moved++;
	} else if (leaves) {
		assert_true(sscanf(leaves, "leaves device %lld for %lld, in a piece of %lld", &from, &to, &piece) == 3);
		assert_true(device_has(plan, k - 1, from, index, arena));
		assert_false(device_has(plan, k, from, index, arena));
		assert_false(device_has(plan, k - 1, to, index, arena));
		assert_true(device_has(plan, k, to, index, arena));
		assert_int_equal(sent(plan, k, from, to, index, arena), piece);
		moved++;
	} else {
		assert_non_null(stays);
		assert_true(sscanf(stays, "stays on device %lld", &from) == 1);
		assert_true(device_has(plan, k - 1, from, index, arena) && device_has(plan, k, from, index, arena));
		stayed++;
	}
}

/* Each element of small plans in each step. */
static void the_sentence_is_what_is_sent(void **state)
{
	static const char *const problems[] = {PAPER, GATHER, CUBE, COPIES};
	(void)state;
	for (size_t n = 0; n < COUNT(problems); n++) {
		struct session session;
		film_open(&session, problems[n], 0);
		const sw_plan *plan = &session.state.plan->plan;
		sw_arena *arena = sw_arena_new();
		int64_t index[SW_MAX_DIMS] = {0};
		const sw_type *type = &plan->problem.from;
		for (int64_t e = 0; e < sw_type_globalsize(type); e += 5) {
			int64_t rest = e;
			for (int i = type->rank - 1; i >= 0; rest /= type->global[i--])
				index[i] = rest % type->global[i];
			for (int k = 1; k <= plan->program.steps; k++)
				check_sentence(plan, k, index, arena);
		}
		sw_arena_free(arena);
		stage_close(&session);
	}
	assert_true(moved > 20 && stayed > 20);
}

/* ---- clicks and keys ---- */

/* Where letters are drawn, each cell with an element has the star when that is pinned. */
static void a_click_pins_what_is_drawn_there(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, PAPER, 0);
	int clicks = 0;
	for (int y = 0; y < 38; y++)
		for (int x = y % 3; x < 120; x += 3) {
			struct film_spot spot = {.x = x, .y = y};
			assert_true(film_spot_at(screen, &spot));
			screen->viewpoint.has_element = false;
			pin_click(screen, x, y);
			assert_int_equal(screen->viewpoint.has_element, spot.found);
			if (!spot.found)
				continue;
			look(screen, 120, 40, NULL);
			const struct pane *pane = screen_pane(screen, PANE_FILM);
			assert_int_equal(canvas_glyph_at(&pane->picture, x, y, false), GLYPH_STAR);
			clicks++;
		}
	assert_true(clicks > 50);
	stage_close(&session);
}

static void a_second_click_pins_its_device(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, PAPER, 0);
	struct film_spot spot = {.x = 0, .y = 8};
	while (spot.x < 100 && !spot.found) {
		spot.x++;
		assert_true(film_spot_at(screen, &spot));
	}
	pin_click(screen, spot.x, spot.y);
	assert_true(screen->viewpoint.has_element);
	pin_click(screen, spot.x, spot.y);
	assert_false(screen->viewpoint.has_element);
	assert_int_equal(screen->viewpoint.device, spot.device);
	stage_close(&session);
}

static void keys_move_it_by_blocks(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, LARGE, 256);
	int64_t *element = screen->viewpoint.element;
	press(screen, "Enter Down");
	int64_t unit = element[0];
	assert_true(unit > 1 && element[1] == 0);
	press(screen, "Down");
	assert_int_equal(element[0], 2 * unit);
	press(screen, "Up Up Up");
	assert_true(element[0] > 1048576 - 2 * unit && element[0] < 1048576);
	press(screen, "+ -");
	assert_int_equal(element[1], 0);
	press(screen, "Esc");
	assert_false(screen->viewpoint.has_element);
	stage_close(&session);
}

/* Enter goes in, Esc out, and the playhead is where it was, or where one stepped to. */
static void enter_goes_in_and_esc_out(void **state)
{
	static const struct {
		const char *lines, *keys;
		int view;
	} ways[] = {
		{PAPER, "s Enter Enter", PANE_TILES},
		{PAPER, "s Down Enter", PANE_TILES},
		{CHUNKS, "s Enter Enter", PANE_STATE},
		{CANNON, "s Enter", PANE_HOLDS},
		{"mesh {x: 4}\ntype B = f64[4{x}16]\ntype A = f64[4{x}16]\ncompute A(i) = B(i) + B(i+1)\n", "s Enter",
			PANE_NEEDS},
		{"mesh {x: 4}\nfrom [2{x,..}24, 6]\nto [6{x}24, 6]\nplan\n", "s Enter Enter", PANE_SETS},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct session session;
		struct screen *screen = film_open(&session, ways[i].lines, 256);
		press(screen, ways[i].keys);
		assert_int_equal(screen->viewpoint.view, ways[i].view);
		assert_int_equal(screen->viewpoint.step, 1);
		press(screen, "Esc");
		assert_int_equal(screen->viewpoint.view, PANE_FILM);
		assert_int_equal(screen->viewpoint.step, 1);
		stage_close(&session);
	}
}

/* What was pinned in an array before is none of another one. */
static void another_array_has_it_not(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, PAPER, 256);
	press(screen, "Enter Up");
	assert_int_equal(screen->viewpoint.element[0], 11);
	screen_take_line(screen, "mesh {x: 2}");
	screen_take_line(screen, "[2{x}4, 4] ~> [4, 2{x}4]");
	screen_take_line(screen, "plan");
	look(screen, 80, 24, NULL);
	press(screen, "s Down + Enter Esc");
	stage_close(&session);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(film_is_as_before, scenes, name),
		TEST(the_sentence_is_what_is_sent),
		TEST(a_click_pins_what_is_drawn_there),
		TEST(a_second_click_pins_its_device),
		TEST(keys_move_it_by_blocks),
		TEST(enter_goes_in_and_esc_out),
		TEST(another_array_has_it_not),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
