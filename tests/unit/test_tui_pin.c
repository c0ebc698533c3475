/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is pinned in a film: its sentence says what transfers do, a click pins what is drawn there, keys move it; and the views that one goes
 * into and comes back from.
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/transfers.h>

#include "command/programs/moments.h"
#include "kit/carried.h"
#include "kit/film.h"
#include "screen/pin.h"

#define CUBE "mesh {x: 2, y: 3}\nredistribute [6{x}12, 4{y}12, 6] ~> [12, 6{x}12, 2{y}6]\nplan\n"
#define FORMULA "mesh {x: 4}\ntype B = f64[4{x}16]\ntype A = f64[4{x}16]\ncompute A(i) = B(i) + B(i+1)\n"
#define LARGE "mesh {a: 32, b: 32}\n[32768{a}1048576, 1024] ~> [1048576, 32{b}1024]\nplan\n"

static const struct film_scene scenes[] = {
	{"pin-element", PAPER, "Enter Down Down + + s", 256},
	{"pin-tile", PAPER, "Enter Down Down + + s t s", 256},
	{"pin-tile-program", CANNON, "Enter t s s", 0},
	{"pin-device", PAPER, "Down Down s", 0},
	{"pin-copies", GATHER, "Enter s", 0},
	{"pin-sum", SUM, "Enter Down s", 256},
	{"pin-cube", CUBE, "Enter x o o s", 0},
	{"pin-large", LARGE, "Enter Down + s", 256},
	{"pin-product", WAYS, "Enter Down s", 0},
	{"pin-product-terms", WAYS, "s s s Enter + +", 256},
	{"pin-product-device", WAYS, "Down Down s", 256},
	{"pin-schedule", CANNON, "Enter + + + + s s", 0},
	{"pin-chunks", REDUCE, "Enter Down s", 256},
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

/* ---- of programs, by what moments say ---- */

struct looking {
	const int64_t *index;
	int64_t from, to, piece;
	bool found;
};

static bool look_for(void *user, const sw_carried *carried)
{
	struct looking *looking = user;
	looking->found |= carried->from == looking->from && carried->to == looking->to &&
		carried->elements == looking->piece;
	return true;
}

/* Whoever sends or gets, by the sentence, does so in the moment; who is said to have it has it.  Returns the pieces that were said. */
static int check_program_sentence(const sw_moments *moments, int k, int array, const char *text, const int64_t *index,
	sw_arena *arena)
{
	const sw_owners *owners = moments->owners[array];
	long long to = -1, from = -1, piece = -1, has = -1;
	const char *gets = strstr(text, "device "), *stays = strstr(text, "stays on device ");
	if (stays && sscanf(stays, "stays on device %lld", &has) == 1) {
		assert_true(sw_owners_has(owners, k - 1, has, index));
		assert_true(sw_owners_has(owners, k, has, index));
	}
	while (gets &&
		sscanf(gets, "device %lld gets it from device %lld, in a piece of %lld", &to, &from, &piece) != 3 &&
		sscanf(gets, "device %lld from device %lld, in a piece of %lld", &to, &from, &piece) != 3)
		gets = strstr(gets + 1, "device ");
	const char *leaves = strstr(text, "leaves device ");
	if (leaves)
		assert_true(sscanf(leaves, "leaves device %lld for %lld, in a piece of %lld", &from, &to, &piece) == 3);
	if (!gets && !leaves)
		return 0;
	struct looking looking = {index, from, to, piece, false};
	assert_true(sw_moments_carries(moments, k, &(sw_array_element){array, index}, arena, look_for, &looking, NULL));
	assert_true(looking.found);
	return 1;
}

/* The sentence of the film of a program about an element. */
static void program_sentence(const sw_moments *moments, int k, int array, const int64_t *index, char *text,
	size_t size)
{
	struct view_options opt = view_options_default(300);
	const struct view_input in = {.moments = moments};
	struct canvas canvas = {0};
	sw_text all = {0}, name = {0};
	opt.step = k;
	opt.element = index;
	opt.array = array;
	assert_true(view_film(&in, &opt, &canvas, NULL));
	canvas_print(&canvas, &(struct canvas_style){0}, &all);
	sw_text_add_str(&name, sw_moments_name(moments, array));
	sw_text_add_char(&name, '[');
	const char *at = strstr(strchr(sw_text_get(&all), '\n'), sw_text_get(&name));
	assert_non_null(at);
	snprintf(text, size, "%.*s", (int)strcspn(at, "\n"), at);
	sw_text_free(&all);
	sw_text_free(&name);
	canvas_free(&canvas);
}

static void the_sentence_of_a_program_is_what_is_sent(void **state)
{
	static const char *const programs[] = {WAYS, CANNON, "mesh {x: 2, y: 2}\nschedule summa m=8 n=8 k=8\n"};
	int pieces = 0;
	(void)state;
	for (size_t n = 0; n < COUNT(programs); n++) {
		struct session session;
		sw_arena *arena = sw_arena_new();
		film_open(&session, programs[n], 0);
		const sw_moments *moments = session_moments(&session, NULL);
		for (int array = 0; array < moments->arrays; array++) {
			const sw_type *type = moments->program->value[moments->first[array]].type;
			for (int64_t e = 0; e < sw_type_globalsize(type); e += 5) {
				const int64_t index[SW_MAX_DIMS] = {e / type->global[1], e % type->global[1]};
				for (int k = 1; k <= moments->count; k++) {
					char text[600];
					program_sentence(moments, k, array, index, text, sizeof text);
					pieces += check_program_sentence(moments, k, array, text, index, arena);
				}
			}
		}
		sw_arena_free(arena);
		stage_close(&session);
	}
	assert_true(pieces > 20);
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
			look(screen, 120, 36, NULL);
			const struct pane *pane = screen_pane(screen, PANE_FILM);
			assert_int_equal(canvas_glyph_at(&pane->picture, x, y, false), GLYPH_STAR);
			clicks++;
		}
	assert_true(clicks > 50);
	stage_close(&session);
}

static void more_clicks_pin_its_tile_and_its_device(void **state)
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
	assert_false(screen->viewpoint.has_tile);
	pin_click(screen, spot.x, spot.y);
	assert_true(screen->viewpoint.has_element && screen->viewpoint.has_tile);
	pin_click(screen, spot.x, spot.y);
	assert_false(screen->viewpoint.has_element);
	assert_int_equal(screen->viewpoint.device, spot.device);
	stage_close(&session);
}

/* Of a plan carried out in process: who has the element, and is it in the tile of that device after step `moment`? */
static bool in_tile_of(const sw_plan *plan, const struct moment *moment, int k, const int64_t *pinned,
	const int64_t *index)
{
	for (int64_t device = 0; device < plan->problem.mesh.devices; device++)
		if (terms_on(plan, k, moment, device, pinned))
			return terms_on(plan, k, moment, device, index) != 0;
	return false;
}

/* Each cell is lit, or has the star, where the element is in the tile by execution; all others are dots. */
static int check_lit(struct screen *screen, const struct moment *moment, int k)
{
	const sw_plan *plan = screen_steps(screen);
	const struct pane *pane = screen_pane(screen, PANE_FILM);
	int lit = 0;

	for (int y = 0; y < pane->height; y++)
		for (int x = 0; x < pane->width; x++) {
			struct film_spot spot = {.x = x, .y = y};
			assert_true(film_spot_at(screen, &spot));
			if (!spot.found)
				continue;
			bool in = in_tile_of(plan, moment, k, screen->viewpoint.element, spot.index);
			assert_int_equal(canvas_glyph_at(&pane->picture, x, y, false) != 0xb7, in);
			lit += in;
		}
	return lit;
}

static void a_tile_lights_what_its_device_has(void **state)
{
	static const char *const problems[] = {PAPER, GATHER, COPIES};
	(void)state;
	for (size_t n = 0; n < COUNT(problems); n++) {
		struct session session;
		struct screen *screen = film_open(&session, problems[n], 0);
		const sw_plan *plan = screen_steps(screen);
		sw_arena *arena = sw_arena_new();
		struct moment now, next;
		carry_begin(plan, arena, &now);
		for (int k = 0; k <= plan->program.steps; k++) {
			press(screen, "Enter Down + t");
			assert_true(screen->viewpoint.has_tile);
			look(screen, 120, 40, NULL);
			assert_true(check_lit(screen, &now, k) > 0);
			press(screen, "Esc s");
			if (k < plan->program.steps) {
				carry_out(plan, k, arena, &now, &next);
				now = next;
			}
		}
		sw_arena_free(arena);
		stage_close(&session);
	}
}

/* A tile is moved by its size, and t goes from an element to its tile, to the device, and to an element again. */
static void t_goes_from_element_to_tile_to_device(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, PAPER, 256);
	const struct viewpoint *v = &screen->viewpoint;
	press(screen, "t");
	assert_true(v->has_element && !v->has_tile);
	press(screen, "t");
	assert_true(v->has_element && v->has_tile);
	press(screen, "Down +");
	assert_int_equal(v->element[0], 3);
	assert_int_equal(v->element[1], 2);
	press(screen, "t");
	assert_true(!v->has_element && v->device >= 0);
	press(screen, "t");
	assert_true(v->has_element && !v->has_tile);
	press(screen, "Esc");
	assert_false(v->has_element);
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

/* Where letters are drawn each cell of an array of a program is one of its elements, and has the star then.  Every fourth column; with
 * VERIFY=full every second one. */
static void a_click_pins_in_any_array(void **state)
{
	(void)state;
	int apart = getenv("VERIFY") ? 2 : 4;
	struct session session;
	struct screen *screen = film_open(&session, CANNON, 0);
	int clicks[3] = {0};
	press(screen, "s");
	look(screen, 120, 36, NULL);
	for (int y = 0; y < 38; y++)
		for (int x = y % 4; x < 120; x += apart) {
			struct film_spot spot = {.x = x, .y = y};
			screen->viewpoint.has_element = false;
			screen->viewpoint.array = 0;
			assert_true(film_spot_at(screen, &spot));
			pin_click(screen, x, y);
			assert_int_equal(screen->viewpoint.has_element, spot.found);
			if (!spot.found)
				continue;
			look(screen, 120, 36, NULL);
			assert_int_equal(canvas_glyph_at(&screen_pane(screen, PANE_FILM)->picture, x, y, false), GLYPH_STAR);
			clicks[screen->viewpoint.array]++;
		}
	assert_true(clicks[0] > 10 && clicks[1] > 10 && clicks[2] > 10);
	stage_close(&session);
}

/* Behind the last row of an array is the first one of the next, and round about. */
static void down_goes_through_all_arrays(void **state)
{
	(void)state;
	struct session session;
	struct screen *screen = film_open(&session, CANNON, 0);
	int seen[3] = {0};
	press(screen, "s Enter");
	int first = screen->viewpoint.array;
	for (int i = 0; i < 100 && (i == 0 || screen->viewpoint.array != first || screen->viewpoint.element[0] != 0);
		 i++) {
		seen[screen->viewpoint.array]++;
		press(screen, "Down");
	}
	assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
	press(screen, "Up");
	assert_int_not_equal(screen->viewpoint.array, first);
	assert_int_equal(screen->viewpoint.element[0], 8);
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
		{CANNON, "s Enter Enter", PANE_HOLDS},
		{FORMULA, "s Enter Enter", PANE_NEEDS},
		{WAYS, "s Enter Enter", PANE_PROGRAM},
		{CANNON, "s Down Enter", PANE_HOLDS},
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
		TEST(more_clicks_pin_its_tile_and_its_device),
		TEST(a_tile_lights_what_its_device_has),
		TEST(t_goes_from_element_to_tile_to_device),
		TEST(keys_move_it_by_blocks),
		TEST(the_sentence_of_a_program_is_what_is_sent),
		TEST(a_click_pins_in_any_array),
		TEST(down_goes_through_all_arrays),
		TEST(enter_goes_in_and_esc_out),
		TEST(another_array_has_it_not),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
