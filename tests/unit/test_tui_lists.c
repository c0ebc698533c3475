/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists that are longer than their pane: the head stays, what is out of sight is counted, all of the chosen row is in sight; and pictures of
 * lists with a chosen row, in three sizes and styles, compared with those in tests/screens.
 */
#define _GNU_SOURCE
#include <locale.h>
#include <stdlib.h>

#include "kit/draw.h"
#include "kit/pictures.h"
#include "kit/snapshot.h"
#include "kit/stage.h"

#include "screen/heads.h"
#include "screen/listed.h"
#include "screen/opens.h"
#include "session/schedules.h"
#include "session/settings.h"
#include "views/compared.h"

#define WAYS "mesh {x: 4, y: 4}\neinsum ij,jk->ik [16{x}64, 8{y}32], [8{y}32, 48] as [16{x}64, 48]\n"
#define AXES \
	"system {rack: 2 @ 1GB/s, server: 2 @ 4GB/s shared, cpu: 2 @ 16GB/s, gpu: 4 @ 64GB/s}\naxes {data: 4, shard: 8}\n" \
	"reduce {shard} f32[1048576]\n"
#define CANNON "mesh {x: 3, y: 3}\nschedule cannon m=9 n=9 k=9\npareto\n"
#define CUBE \
	"mesh {a: 2, b: 2, c: 2}\n[8, 8{c}16, 64] ~> [2{c,a}8, 16, 32{b}64]\nmodel latency\nbudget 4x\npareto --measure " \
	"live\n"
#define FORMULA "mesh {x: 8}\ntype A = [8{x}64, 64]\ntype C = A\ncompute C(i,j) = A(i,k) * A(k,j)\ncompare\n"

#define SUM "system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[2147483648]\nplace [[2 4] [2 4]]\n"

#define MATRICES \
	"mesh {x: 4, y: 4}\ntype A = [4{x}16, 4{y}16]\ntype B = A\ntype C = A\ncompute C(i,j) = A(i,k) * B(k,j)\ncompare\n"

static const struct list_row {
	const char *name, *lines, *view;
	const char *head; /* a word of the row of heads */
	bool numbered;    /* its rows have the numbers from 1 on */
} lists[] = {
	{"ways", WAYS, "ways", "A multiplied", true},
	{"placements", AXES "placements\n", "placements", "matrix", true},
	{"reductions", AXES, "reductions", "placement", false},
	{"trades of schedules", CANNON, "pareto", "grid", true},
	{"trades of plans", CUBE, "pareto", "height", true},
	{"algorithms", SUM "compare\n", "compare", "algorithm", false},
	{"strategies", CUBE "compare\n", "compare", "strategy", false},
	{"schedules", FORMULA, "compare", "schedule", false},
};

static struct screen *open_list(struct session *session, const char *lines, const char *view)
{
	char focus[64];
	struct screen *screen = stage_open(session, lines);
	assert_int_equal(session->failures, 0);
	snprintf(focus, sizeof(focus), "focus %s", view);
	screen_take_line(screen, "layout one");
	screen_take_line(screen, focus);
	return screen;
}

static int number_before(const char *text, const char *words)
{
	const char *at = strstr(text, words);
	while (at && at > text && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return at ? atoi(at) : 0;
}

/* The rows of the list on a screen, which begin with numbers. */
static int rows_numbered(const struct pane *pane, const char *text, int top, int *first, int *last)
{
	int count = 0, used, y = top;
	for (const char *row = strchr(text, '\n'); y < pane->frame.list.end && row && row[1];
		 row = strchr(row + 1, '\n'), y++) {
		int number;
		if (y - top >= pane->height)
			break;
		const char *from = row + 1 + strspn(row + 1, " *");
		if (from - row > 8 || sscanf(from, "%d%n", &number, &used) < 1 || from[used] != ' ')
			continue;
		*first = count++ ? *first : number;
		*last = number;
	}
	return count;
}

static void check_numbers(const struct pane *pane, const char *text, int top)
{
	int first = 0, last = 0, above, below, count = rows_numbered(pane, text, top, &first, &last);
	heads_hidden(pane, top, &above, &below);
	if (count == 0)
		fail_msg("no row is in sight:\n%s", text);
	assert_int_equal(above, first - 1);
	assert_int_equal(above, number_before(text, " above"));
	assert_int_equal(below, number_before(text, " below "));
	assert_int_equal(last - first + 1, count);
}

/* Is the head above the chosen row, and all of that row in the pane? */
static void check_sight(const struct pane *pane, int top, const char *head, const char *text)
{
	const struct frame *frame = &pane->frame;
	int stay = heads_stay(frame, top, pane->height), end = heads_row_end(pane, frame->row);
	if (!strstr(text, head))
		fail_msg("'%s' is not in sight:\n%s", head, text);
	assert_in_range(frame->row, top + stay, top + pane->height - 1);
	if (end - frame->row + stay <= pane->height)
		assert_true(end <= top + pane->height);
}

/* Down through all of it, and up again, in several heights. */
static void heads_stay_in_sight(void **state)
{
	const struct list_row *row = *state;
	static const int heights[] = {11, 14, 24};
	struct session session;
	struct screen *screen = open_list(&session, row->lines, row->view);
	for (size_t h = 0; h < COUNT(heights); h++)
		for (int step = 0; step < 120; step++) {
			sw_text text = {0};
			screen_key(screen, key_named(sw_str_of(step < 60 ? "Down" : "Up")));
			if (step == 50 || step == 58)
				screen_key(screen, key_named(sw_str_of("G")));
			look(screen, 90, heights[h], &text);
			const struct pane *pane = screen_pane(screen, screen->viewpoint.view);
			int top = screen->viewpoint.top[pane->view];
			assert_true(pane->frame.list.end > pane->frame.list.from);
			if (pane->frame.row >= 0)
				check_sight(pane, top, row->head, sw_text_get(&text));
			if (pane->frame.row >= 0 && row->numbered)
				check_numbers(pane, sw_text_get(&text), top);
			sw_text_free(&text);
		}
	stage_close(&session);
}

/* What is hidden by a filter is not counted; the head is there though it matches nothing. */
static void filters_leave_the_head(void **state)
{
	struct session session;
	struct screen *screen = open_list(&session, AXES, "reductions");
	sw_text text = {0};
	(void)state;
	press(screen, "Down & m a s t e r s Enter");
	look(screen, 80, 24, &text);
	const struct pane *pane = screen_pane(screen, PANE_REDUCTIONS);
	assert_non_null(strstr(sw_text_get(&text), "   #       time placement"));
	int above, below, rows = 0;
	heads_hidden(pane, screen->viewpoint.top[PANE_REDUCTIONS], &above, &below);
	for (int y = pane->frame.list.from; y < pane->frame.list.end; y++)
		rows += canvas_glyph_at(&pane->picture, 3, y, true) > ' ';
	assert_true(below > 0 && below < rows && rows < screen->reductions);
	sw_text_free(&text);
	stage_close(&session);
}

/* The search goes on from its match, to the last one and round, also where the picture ends. */
static void searches_come_round(void **state)
{
	struct session session;
	struct screen *screen = open_list(&session, WAYS, "ways");
	int row = -1;
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "/ 3 0 0 Enter");
	row = screen->search.row;
	int top = screen->viewpoint.top[PANE_WAYS];
	const struct pane *pane = screen_pane(screen, PANE_WAYS);
	assert_in_range(row, top + heads_stay(&pane->frame, top, pane->height), top + pane->height - 1);
	for (long long k = 0; k < screen->search.of; k++) {
		long long at = screen->search.at;
		press(screen, "n");
		assert_int_equal(screen->search.at, at % screen->search.of + 1);
	}
	assert_int_equal(screen->search.row, row);
	stage_close(&session);
}

/* ---- reductions in another order ---- */

static void click_head(struct screen *screen, const char *word)
{
	look(screen, 80, 24, NULL);
	const struct pane *pane = screen_pane(screen, screen->viewpoint.view);
	int top = screen->viewpoint.top[pane->view];
	for (int k = 0; k < pane->frame.heads; k++)
		if (strcmp(pane->frame.head[k].word, word) == 0) {
			int stays = heads_stay(&pane->frame, top, pane->height);
			heads_click(screen, pane, pane->frame.head[k].x, stays ? 0 : pane->frame.heads_y - top);
			return;
		}
	fail_msg("no head is called %s", word);
}

/* The row that is first then, and the number that Enter takes. */
static void heads_order_reductions(void **state)
{
	struct session session;
	struct screen *screen = open_list(&session, AXES, "reductions");
	(void)state;
	press(screen, "G Up Up");
	click_head(screen, "placement");
	assert_int_equal(screen->viewpoint.reduction, 0);
	press(screen, "Down");
	assert_non_null(strstr(screen_pane(screen, PANE_REDUCTIONS)->frame.object, "program 1 on placement A"));
	press(screen, "Enter");
	assert_int_equal(session.failures, 0);
	assert_int_equal(session.state.plan->program, 1);
	sw_text text = {0};
	sw_placement_print(&session.state.placing->placement, &text);
	assert_string_equal(sw_text_get(&text), "[1 1 1 4] [2 2 2 1]");
	sw_text_free(&text);
	screen_take_line(screen, "focus reductions");
	click_head(screen, "steps");
	press(screen, "Down");
	assert_non_null(strstr(screen_pane(screen, PANE_REDUCTIONS)->frame.object, "on placement G"));
	press(screen, "Enter");
	assert_int_equal(session.state.plan->plan.program.steps, 1);
	screen_take_line(screen, "focus reductions");
	click_head(screen, "time");
	press(screen, "Down");
	assert_non_null(strstr(screen_pane(screen, PANE_REDUCTIONS)->frame.object, "program 1 on placement G"));
	stage_close(&session);
}

/* ---- rows of what was compared ---- */

/* Each becomes the plan, with the seconds of its row; another kind of allreduce is set first. */
static void algorithms_are_taken(void **state)
{
	static const struct {
		const char *allreduce, *name, *then;
		double seconds;
	} rows[] = {{"ring", "ring", "ring", 15.03}, {"ring", "tree", "tree", 8.590}, {"tree", "ring", "ring", 15.03},
		{"tree", "hierarchical", "tree", 8.638}, {"ring", "masters", "ring", 8.654}, {"ring", "best", "ring", 8.638}};
	(void)state;
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct session session;
		char set[40], title[60];
		struct screen *screen = open_list(&session, SUM "compare\n", "compare");
		snprintf(set, sizeof(set), "set allreduce %s", rows[k].allreduce);
		snprintf(title, sizeof(title), "compare*  %s; Enter takes it", rows[k].name);
		screen_take_line(screen, set);
		for (int row = 0; row < 8; row++) {
			sw_text text = {0};
			look(screen, 80, 24, &text);
			bool there = strstr(sw_text_get(&text), title) != NULL;
			sw_text_free(&text);
			if (there)
				break;
			press(screen, "Down");
		}
		press(screen, "Enter");
		assert_int_equal(session.failures, 0);
		assert_non_null(session.state.plan);
		assert_string_equal(session.state.plan->algorithm, rows[k].name);
		assert_float_equal(session.state.plan->plan.model_cost, rows[k].seconds, 0.005);
		assert_true(setting_is(&session.state.settings, SETTING_ALLREDUCE, rows[k].then));
		stage_close(&session);
	}
}

/* The line of trees below the best, and the bound, which is none. */
static void lines_without_a_name_are_taken(void **state)
{
	struct session session;
	struct screen *screen = open_list(&session, SUM "compare\n", "compare");
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "G Enter");
	assert_non_null(strstr(screen->message, "the bound is no program"));
	assert_null(session.state.plan);
	press(screen, "Up Enter");
	assert_string_equal(session.state.plan->algorithm, "best");
	assert_int_equal(session.state.plan->plan.program.steps, 1);
	assert_true(setting_is(&session.state.settings, SETTING_ALLREDUCE, "tree"));
	stage_close(&session);
}

/* Ways of a product and schedules of a formula, side by side. */
static void ways_and_schedules_are_taken(void **state)
{
	struct session session;
	struct screen *screen = open_list(&session, WAYS "compare\n", "compare");
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "Down Down Enter");
	assert_int_equal(session.failures, 0);
	assert_non_null(session.state.program);
	stage_close(&session);
	screen = open_list(&session, MATRICES, "compare");
	look(screen, 80, 24, NULL);
	for (int row = 0; row < 20 && !strstr(screen_pane(screen, PANE_COMPARE)->frame.object, "summa"); row++)
		press(screen, "Down");
	press(screen, "Enter");
	assert_int_equal(session.failures, 0);
	assert_non_null(session_kept_schedule(&session.state));
	stage_close(&session);
}

/* ---- strategies ---- */

#define SWAP "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\n"

/* Those that take the same steps share a row, which is counted once; the picture is as wide as the pane. */
static void strategies_share_rows(void **state)
{
	struct session session;
	struct screen *screen = open_list(&session, SWAP "compare\n", "compare");
	const struct view_input *shown = session.compared->shown;
	int shared = 0, above, below;
	(void)state;
	for (int k = 0; k < shown->plan_count; k++)
		shared += shown->facts[k].same > 0;
	assert_true(shared > 0);
	assert_int_equal(compared_count(shown), shown->plan_count - shared);
	look(screen, 80, 10, NULL);
	const struct pane *pane = screen_pane(screen, PANE_COMPARE);
	heads_hidden(pane, 0, &above, &below);
	assert_int_equal(above, 0);
	assert_int_equal(below, compared_count(shown) - 2); /* in sight are two, and the names that share the second */
	press(screen, "G");
	look(screen, 60, 10, NULL);
	pane = screen_pane(screen, PANE_COMPARE);
	assert_int_equal(pane->frame.at, compared_count(shown));
	assert_int_equal(pane->picture.width, 60);
	stage_close(&session);
}

/* A row of no strategy's own shows the result that it is; where it is kept no more that is said. */
static void plans_by_hand_are_shown(void **state)
{
	struct session session;
	struct screen *screen = open_list(&session,
		SWAP "apply allgather(0)\napply allgather(1)\napply dynslice(0, y)\napply dynslice(1, x)\n", "compare");
	const char *object = "by hand; Enter shows its plan";
	char shows[20];
	(void)state;
	snprintf(shows, sizeof(shows), "plan $%d\n", session.state.plan->number);
	assert_true(screen_do(screen, false, "compare"));
	assert_true(screen_do(screen, false, "plan"));
	screen_take_line(screen, "focus compare");
	look(screen, 120, 40, NULL);
	for (int row = 0; row < 12 && strcmp(screen_pane(screen, PANE_COMPARE)->frame.object, object) != 0; row++) {
		press(screen, "Down");
		look(screen, 120, 40, NULL);
	}
	assert_string_equal(screen_pane(screen, PANE_COMPARE)->frame.object, object);
	press(screen, "Enter");
	assert_int_equal(session.failures, 0);
	assert_non_null(strstr(sw_text_get(&screen->script), shows));
	for (int k = 0; k <= SESSION_RESULTS; k++)
		assert_true(screen_do(screen, false, k % 2 ? "plan" : "plan naive"));
	screen_take_line(screen, "focus compare");
	look(screen, 120, 40, NULL);
	press(screen, "Enter");
	assert_int_equal(session.failures, 0);
	assert_non_null(strstr(screen->message, "not kept any more"));
	stage_close(&session);
}

/* A head orders the rows, with the options that they were compared with. */
static void heads_order_strategies(void **state)
{
	struct session session;
	struct screen *screen = open_list(&session, SWAP "compare --model volume\n", "compare");
	int x = -1;
	(void)state;
	look(screen, 120, 40, NULL);
	const struct pane *pane = screen_pane(screen, PANE_COMPARE);
	for (int k = 0; k < pane->frame.heads; k++)
		x = strcmp(pane->frame.head[k].word, "strategy") == 0 ? pane->frame.head[k].x : x;
	assert_true(x >= 0);
	heads_click(screen, pane, x, pane->frame.heads_y);
	const struct view_input *shown = session.compared->shown;
	assert_string_equal(shown->order, "strategy");
	for (int k = 0; k < shown->plan_count; k++) {
		assert_int_equal(shown->plans[k]->model, SW_MODEL_VOLUME);
		assert_true(k == 0 ||
			strcmp(sw_strategy_name(shown->plans[k - 1]->strategy), sw_strategy_name(shown->plans[k]->strategy)) < 0);
	}
	assert_string_equal(session.compared->statement, "compare --model volume --by strategy");
	stage_close(&session);
}

/* ---- sentences below them ---- */

/* They are broken as wide as the pane is, not as wide as the screen was when they were answered. */
static void sentences_are_broken_anew(void **state)
{
	static const int widths[] = {120, 60, 40, 100};
	struct session session;
	(void)state;
	struct screen *screen = open_list(&session, CANNON, "pareto");
	for (size_t k = 0; k < COUNT(widths); k++) {
		sw_text text = {0};
		look(screen, widths[k], 24, &text);
		const struct canvas *picture = &screen_pane(screen, PANE_PARETO)->picture;
		for (int y = screen_pane(screen, PANE_PARETO)->frame.list.end; y < picture->height; y++)
			for (int x = widths[k]; x < picture->width; x++)
				assert_int_equal(canvas_glyph_at(picture, x, y, true), ' ');
		assert_non_null(strstr(sw_text_get(&text), widths[k] > 90 ? "324 elements are moved in both" : "in both"));
		sw_text_free(&text);
	}
	stage_close(&session);
}

/* ---- lists of what is no more ---- */

/* A key of the view lists again where other axes or ends are there, and not where rows were only taken. */
static void lists_follow_the_problem(void **state)
{
	struct session session;
	struct screen *screen = open_list(&session, AXES "placements\n", "placements");
	(void)state;
	look(screen, 80, 24, NULL);
	press(screen, "Down Down Down Enter");
	const struct listing *listing = listed_of(screen, PANE_PLACEMENTS);
	assert_int_equal(listing->chosen, 3);
	assert_null(opens_with(screen, PANE_PLACEMENTS));
	screen_take_line(screen, "axes {data: 32}");
	assert_null(listed_of(screen, PANE_PLACEMENTS));
	press(screen, "F5");
	assert_int_equal(table_rows(listing_table(listed_of(screen, PANE_PLACEMENTS))), 1);
	stage_close(&session);
	screen = open_list(&session, CUBE "compare\n", "compare");
	look(screen, 80, 24, NULL);
	press(screen, "Down Enter");
	assert_non_null(strstr(screen_pane(screen, PANE_COMPARE)->frame.object, "Enter takes its plan"));
	screen_take_line(screen, "[8] ~> [4{a}8]");
	look(screen, 80, 24, NULL);
	assert_true(screen_pane(screen, PANE_COMPARE)->frame.empty);
	press(screen, "7");
	assert_false(screen_pane(screen, PANE_COMPARE)->frame.empty);
	assert_int_equal(session.failures, 0);
	stage_close(&session);
}

/* ---- pictures ---- */

static const struct scene {
	const char *name, *lines, *view, *keys;
} scenes[] = {
	{"list-ways", WAYS, "ways", "Down Down Down"},
	{"list-ways-below", WAYS, "ways", "PgDn PgDn PgDn"},
	{"list-placements", AXES "placements\n", "placements", "Down Down"},
	{"list-reductions", AXES, "reductions", "Down Down Down"},
	{"list-trades", CANNON, "pareto", "Down Down"},
	{"list-algorithms", SUM "compare\n", "compare", "Down Down Down Down"},
	{"list-schedules", FORMULA, "compare", "Down"},
};

static void scene_is_as_before(void **state)
{
	const struct scene *scene = *state;
	struct session session;
	struct screen *screen = open_list(&session, scene->lines, scene->view);
	sw_text found = {0};
	look(screen, 80, 24, NULL);
	press(screen, scene->keys);
	pictures_add(screen, &found);
	assert_snapshot("screens", scene->name, sw_text_get(&found));
	sw_text_free(&found);
	stage_close(&session);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	static const struct kit_test tests[] = {
		ROWS(heads_stay_in_sight, lists, name),
		TEST(filters_leave_the_head),
		TEST(searches_come_round),
		TEST(heads_order_reductions),
		TEST(algorithms_are_taken),
		TEST(lines_without_a_name_are_taken),
		TEST(ways_and_schedules_are_taken),
		TEST(strategies_share_rows),
		TEST(plans_by_hand_are_shown),
		TEST(heads_order_strategies),
		TEST(sentences_are_broken_anew),
		TEST(lists_follow_the_problem),
		ROWS(scene_is_as_before, scenes, name),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
