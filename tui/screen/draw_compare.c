/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of what was compared: strategies as they were drawn, or a list of ways to compute a formula; one of them is taken.
 */
#include <stdio.h>
#include <string.h>

#include "screen/enter.h"
#include "screen/heads.h"
#include "screen/listed.h"
#include "screen/panes.h"

/* ---- strategies ---- */

enum { NAME_MOST = 32, TABLE_BELOW = 2 };

/* What is in the first column of a row, before two blanks as no sentence has them; false: nothing. */
static bool name_at(const struct canvas *canvas, int y, char name[NAME_MOST])
{
	int length = 0;

	while (length < NAME_MOST - 1 && length < canvas->width && canvas_glyph_at(canvas, length, y, true) > ' ') {
		uint32_t glyph = canvas_glyph_at(canvas, length, y, true);
		name[length++] = glyph < 128 ? (char)glyph : '~';
	}
	name[length] = '\0';
	return length > 0 && canvas_glyph_at(canvas, length, y, true) <= ' ' &&
		canvas_glyph_at(canvas, length + 1, y, true) <= ' ';
}

/* The strategy with this name, or alone with the beginning before an ellipsis; -1: there is none. */
static int strategy_of(const char *name)
{
	size_t length = strcspn(name, "~");
	int found = -1;

	for (int s = 0; s < SW_STRATEGY_COUNT; s++) {
		const char *own = sw_strategy_name((sw_strategy)s);
		if (strncmp(own, name, length) != 0 || (name[length] == '\0' && own[length] != '\0'))
			continue;
		if (found >= 0)
			return -1;
		found = s;
	}
	return found;
}

/* The row of the picture in which strategy `number` of its table stands, and which one it is; how many there are. */
static int strategies_find(const struct canvas *canvas, int number, int *row, int *strategy)
{
	struct frame heads = {.heads = 0};
	char name[NAME_MOST];
	int count = 0;

	heads_find(canvas, "compare", &heads);
	*row = *strategy = -1;
	for (int y = heads.heads_y + TABLE_BELOW; heads.heads > 0 && y < canvas->height; y++) {
		int found = name_at(canvas, y, name) ? strategy_of(name) : -1;
		if (found < 0 && canvas_glyph_at(canvas, 0, y, true) > ' ')
			break;
		count += found >= 0;
		if (found >= 0 && count == number) {
			*row = y;
			*strategy = found;
		}
	}
	return count;
}

/* Where the bar at the end of a row begins, which keeps its colour. */
static int bar_at(const struct canvas *canvas, int y)
{
	enum { BLOCKS = 0x2580 };
	int x = 0;

	while (x < canvas->width && canvas_glyph_at(canvas, x, y, false) < BLOCKS)
		x++;
	return x;
}

static bool draw_strategies(struct screen *screen, struct canvas *out, struct frame *frame)
{
	const struct canvas *compare = &screen->compare;
	int row, strategy, count = strategies_find(compare, screen->compare_chosen, &row, &strategy);

	canvas_reset(out, compare->width);
	canvas_copy(out, 0, 0, compare);
	heads_find(out, "compare", frame);
	heads_keep(out, frame->heads ? frame->heads_y : -1, count, frame);
	frame->row = row;
	frame->at = screen->compare_chosen;
	frame->of = screen->compare_chosen > 0 ? count : 0;
	if (row >= 0) {
		canvas_paint(out, 0, row, bar_at(out, row), ROLE_CURRENT);
		snprintf(frame->object, sizeof frame->object, "%s; Enter takes its plan",
			sw_strategy_name((sw_strategy)strategy));
	} else {
		snprintf(frame->object, sizeof frame->object, "%s",
			count > 0 ? "strategies side by side; Down chooses one" : "side by side");
	}
	return true;
}

static bool move_strategies(struct screen *screen, int by)
{
	int row, strategy;

	return row_move(&screen->compare_chosen, by, strategies_find(&screen->compare, 0, &row, &strategy));
}

static void take_strategy(struct screen *screen)
{
	int row, strategy;

	strategies_find(&screen->compare, screen->compare_chosen, &row, &strategy);
	if (strategy < 0)
		screen_do(screen, false, "compare");
	else
		screen_do(screen, false, "plan %s", sw_strategy_name((sw_strategy)strategy));
}

/* ---- rows of a list ---- */

enum { RINGS, TREES };

/* A published algorithm of a sum.  Where trees take other steps than rings they are in a line below, without a name. */
struct algorithm {
	const char *name; /* of its row, or of the one above */
	bool is_line[2];  /* does it say how long it takes as rings, as trees? */
};

static struct algorithm algorithm_at(const struct table *table, int row)
{
	static const char *const heads[] = {"rings", "trees"};
	bool below = *table_text(table, row, 0) == '\0' && row > 0;
	struct algorithm algorithm = {.name = table_text(table, below ? row - 1 : row, 0)};

	for (int way = RINGS; way <= TREES; way++) {
		int column = table_headed(table, heads[way]);
		algorithm.is_line[way] = below ? way == TREES : column >= 0 && *table_text(table, row, column) != '\0';
	}
	return algorithm;
}

static const char *compared_what(const struct table *table)
{
	if (table_headed(table, "algorithm") >= 0)
		return "algorithms";
	return table_headed(table, "schedule") >= 0 ? "schedules" : "ways";
}

static void name_row(const struct listing *listing, struct frame *frame)
{
	const struct table *table = listing_table(listing);
	int row = listing->chosen - 1;

	if (frame->of == 0)
		snprintf(frame->object, sizeof frame->object, "%s side by side; Down chooses one", compared_what(table));
	else if (table_headed(table, "algorithm") >= 0)
		snprintf(frame->object, sizeof frame->object, "%.40s; Enter takes it", algorithm_at(table, row).name);
	else if (table_headed(table, "schedule") >= 0)
		snprintf(frame->object, sizeof frame->object, "%.40s; Enter takes it", table_text(table, row, 0));
	else
		snprintf(frame->object, sizeof frame->object, "way %d; Enter makes it the program", listing_number(listing));
}

/* Where allreduce is set to a way that the line does not speak of it is set to the other first. */
static void take_algorithm(struct screen *screen, const struct algorithm *algorithm)
{
	bool trees = setting_is(&screen->session->state.settings, SETTING_ALLREDUCE, "tree");

	if (strcmp(algorithm->name, "bound") == 0)
		screen_say(screen, ROLE_NOTE, "the bound is no program; choose a row above it");
	else if (algorithm->is_line[trees ? TREES : RINGS] ||
		screen_do(screen, false, "set allreduce %s", trees ? "ring" : "tree"))
		screen_do(screen, false, "reductions %s", algorithm->name);
}

static void take_row(struct screen *screen, const struct listing *listing)
{
	const struct table *table = listing_table(listing);
	int row = listing->chosen - 1;

	if (table_headed(table, "algorithm") >= 0) {
		const struct algorithm algorithm = algorithm_at(table, row);
		take_algorithm(screen, &algorithm);
	} else if (table_headed(table, "schedule") >= 0) {
		screen_do(screen, false, "schedule %s", table_text(table, row, 0));
	} else {
		screen_do(screen, false, "ways %d", listing_number(listing));
	}
}

/* ---- the view ---- */

bool draw_compare(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	struct listing *listing = listed_of(screen, PANE_COMPARE);
	const struct canvas *compare = &screen->compare;
	(void)height;

	if (listing == NULL && (!compare->height || !listed_is_about(screen->session, &screen->compare_about))) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "nothing compared for this problem yet");
		sw_diag_hint(diag, "Enter, or: compare");
		return false;
	}
	if (listing == NULL)
		return draw_strategies(screen, out, frame);
	bool drawn = listing_draw(listing, width, out, frame, diag);
	heads_find(out, "compare", frame);
	heads_keep_list(out, listing, frame);
	name_row(listing, frame);
	return drawn;
}

bool move_compare(struct screen *screen, int across, int down)
{
	struct listing *listing = listed_of(screen, PANE_COMPARE);
	bool moved = listing != NULL ? listing_move(listing, across + down) : move_strategies(screen, across + down);

	if (moved && (listing != NULL ? listing->chosen : screen->compare_chosen) == 0)
		screen->viewpoint.top[PANE_COMPARE] = 0;
	return moved;
}

void open_compare(struct screen *screen)
{
	const struct listing *listing = listed_of(screen, PANE_COMPARE);

	if (listing == NULL)
		take_strategy(screen);
	else if (listing->chosen == 0)
		screen_do(screen, false, "compare");
	else
		take_row(screen, listing);
}
