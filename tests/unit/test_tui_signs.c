/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signs on the screen: each that is drawn is named, and no other; what is cut is said.
 */
#define _GNU_SOURCE
#include <locale.h>

#include "kit/stage.h"

static const char paper[] = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]";

static void assert_shows(struct screen *screen, int width, int height, const char *words, bool there)
{
	sw_text text = {0};
	look(screen, width, height, &text);
	if ((strstr(sw_text_get(&text), words) != NULL) != there)
		fail_msg("%s '%s' at %dx%d in\n%s", there ? "no" : "a", words, width, height, sw_text_get(&text));
	sw_text_free(&text);
}

/* ---- the graph ---- */

static const struct legend {
	const char *name, *keys, *words;
	bool there;
} legends[] = {
	{"no edge is refused", "1 s s", "╎ refused", false},
	{"no wall is drawn on", "1 s s", "above budget", false},
	{"refused edges", "1 s s r", "╎ refused", true},
	{"the wall", "1 s s r", "█ above budget", true},
	{"other edges", "1 s s r", "┈ other edges of ▶", true},
	{"ways", "1 s s", "─ from its parent", true},
	{"no way before the first step", "1", "from its parent", false},
	{"the goal is not seen", "1 s", "★ goal", false},
	{"the goal", "1 s s s", "★ goal", true},
	{"the path in lanes", "1 s s v", "━ best path", true},
	{"bars of lanes", "1 s s v", "█ its tile", true},
};

static void signs_of_the_graph_are_named(void **state)
{
	static const struct canvas_area sizes[] = {{0, 0, 80, 24}, {0, 0, 120, 36}, {0, 0, 200, 50}};
	const struct legend *legend = *state;
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	look(screen, 80, 24, NULL);
	press(screen, legend->keys);
	for (size_t i = 0; i < COUNT(sizes); i++)
		assert_shows(screen, sizes[i].width, sizes[i].height, legend->words, legend->there);
	stage_close(&session);
}

static void what_a_legend_leaves_out_is_counted(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "1 s s r");
	assert_shows(screen, 80, 24, ": ?", false);
	assert_shows(screen, 48, 24, "+3: ?", true);
	stage_close(&session);
}

/* ---- tiles ---- */

static const struct tiles_case {
	const char *name, *lines;
	int width, height;
	const char *words;
} tiles_cases[] = {
	{"in cells", paper, 80, 24, "offsets at the edges, devices (0:) in cells"},
	{"in lines", paper, 120, 36, "offsets at the edges, devices (0:) in lines"},
	{"in a wide pane", paper, 200, 50, "┌0:"},
	{"in boxes", "mesh {x: 32, y: 64}\n[32{x}1024, 16{y}1024] ~> [16{y}1024, 32{x}1024]", 80, 24,
		"devices (0:) in boxes"},
	{"one dimension", "mesh {x: 4}\n[16{x}64] ~> [64]", 120, 36, "dimension 0 across; offsets at the edges"},
};

static void offsets_and_devices_are_apart(void **state)
{
	const struct tiles_case *one = *state;
	struct session session;
	struct screen *screen = stage_open(&session, one->lines);
	look(screen, 80, 24, NULL);
	press(screen, "P 2 s");
	assert_shows(screen, one->width, one->height, one->words, true);
	stage_close(&session);
}

/* Letters behind the first line of a row, without those of devices' types. */
static void count_letters(const struct canvas *canvas, int count[26])
{
	for (int y = 0; y < canvas->height; y++) {
		bool inside = false;
		for (int x = 0; x < canvas->width; x++) {
			const struct cell *cell = canvas_cell_at(canvas, x, y);
			inside = inside || (cell->lines & LINE_UP && !(cell->lines & (LINE_LEFT | LINE_RIGHT)));
			if (inside && cell->glyph >= 'a' && cell->glyph <= 'z')
				count[cell->glyph - 'a']++;
		}
	}
}

/* 24 devices had 6 elements each; all of them are in the picture before the step, and in the one after it. */
static void no_letter_is_covered_in_flat_tiles(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "P 2");
	for (int step = 1; step <= 3; step++) {
		struct canvas canvas = {0};
		int count[26] = {0};
		press(screen, "s");
		screen_compose(screen, 80, 24, &canvas);
		count_letters(&canvas, count);
		for (int i = 0; i < 24; i++)
			if (count[i] != 12)
				fail_msg("%d of 12 '%c' after step %d", count[i], 'a' + i, step);
		canvas_free(&canvas);
	}
	stage_close(&session);
}

/* Cells of one element have two columns, and the numbers of devices too. */
static void letters_that_are_covered_are_said(void **state)
{
	static const char narrow[] = "mesh {x: 24, y: 2}\n[24{y}48, 1{x}24] ~> [2{x}48, 12{y}24]";
	struct session session;
	struct screen *screen = stage_open(&session, narrow);
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "P 2 s");
	for (int i = 0; i < 8; i++)
		press(screen, "PgDn");
	assert_shows(screen, 80, 24, "covers letters where no letter follows it", true);
	stage_close(&session);
}

/* ---- what is below ---- */

static const struct below {
	const char *name, *keys;
	int width, height;
	const char *words;
} belows[] = {
	{"rows of the matrix", "P 5 s", 80, 24, "below: 12 rows, notes"},
	{"notes alone", "P 2 s", 80, 24, "0% below: notes"},
};

static void what_is_below_is_said(void **state)
{
	const struct below *below = *state;
	struct session session;
	struct screen *screen = stage_open(&session, paper);
	look(screen, 80, 24, NULL);
	press(screen, below->keys);
	assert_shows(screen, below->width, below->height, below->words, true);
	stage_close(&session);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	static const struct kit_test tests[] = {
		ROWS(signs_of_the_graph_are_named, legends, name),
		TEST(what_a_legend_leaves_out_is_counted),
		ROWS(offsets_and_devices_are_apart, tiles_cases, name),
		TEST(no_letter_is_covered_in_flat_tiles),
		TEST(letters_that_are_covered_are_said),
		ROWS(what_is_below_is_said, belows, name),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
