/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of what was compared: strategies, algorithms of a sum, ways of a product or schedules of a formula; one of them is taken.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "command/compare/compare.h"
#include "screen/enter.h"
#include "screen/heads.h"
#include "screen/listed.h"
#include "screen/panes.h"
#include "views/compared.h"

/* ---- strategies ---- */

static const sw_plan *plan_chosen(const struct listing *listing)
{
	const struct view_input *compared = listing->compared;

	assert(listing->chosen > 0 && listing->chosen <= compared_count(compared));
	return compared->plans[compared_at(compared, listing->chosen - 1)];
}

/* Is it what a row of another origin than a strategy's shows?  Behind its name there may be its number. */
static bool is_result(const struct kept_plan *kept, const sw_plan *plan)
{
	const char *name = compare_name(&kept->plan);

	return strncmp(plan->origin, name, strlen(name)) == 0 &&
		sw_mesh_equal(&kept->plan.problem.mesh, &plan->problem.mesh) && compare_same_steps(&kept->plan, plan);
}

/* The newest one; 0: there is none any more. */
static int result_of(const struct session *session, const sw_plan *plan)
{
	for (int number = session->result_count; number > 0 && number > session->result_count - SESSION_RESULTS;
		 number--) {
		const struct kept_plan *kept = session_result(session, number);
		if (kept != NULL && is_result(kept, plan))
			return number;
	}
	return 0;
}

/* What has another origin than a strategy is shown by its number. */
static void take_plan(struct screen *screen, const sw_plan *plan)
{
	int number = plan->origin != NULL ? result_of(screen->session, plan) : 0;

	if (plan->origin == NULL)
		screen_do(screen, false, "plan %s", sw_strategy_name(plan->strategy));
	else if (number > 0)
		screen_do(screen, false, "plan $%d", number);
	else
		screen_say(screen, ROLE_NOTE, "this plan is not kept any more; choose a strategy");
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

/* ---- what lists are of ---- */

static void take_strategy(struct screen *screen, const struct listing *listing)
{
	take_plan(screen, plan_chosen(listing));
}

static void name_strategy(const struct listing *listing, sw_text *name)
{
	const sw_plan *plan = plan_chosen(listing);

	sw_text_addf(name, "%.40s; Enter %s its plan", compare_name(plan), plan->origin != NULL ? "shows" : "takes");
}

static void name_algorithm(const struct listing *listing, sw_text *name)
{
	sw_text_addf(name, "%.40s; Enter takes it", algorithm_at(listing_table(listing), listing->chosen - 1).name);
}

static void name_schedule(const struct listing *listing, sw_text *name)
{
	sw_text_addf(name, "%.40s; Enter takes it", table_text(listing_table(listing), listing->chosen - 1, 0));
}

static void name_way(const struct listing *listing, sw_text *name)
{
	sw_text_addf(name, "way %d; Enter makes it the program", listing_number(listing));
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

static void take_algorithm_row(struct screen *screen, const struct listing *listing)
{
	const struct algorithm algorithm = algorithm_at(listing_table(listing), listing->chosen - 1);

	take_algorithm(screen, &algorithm);
}

static void take_schedule(struct screen *screen, const struct listing *listing)
{
	screen_do(screen, false, "schedule %s", table_text(listing_table(listing), listing->chosen - 1, 0));
}

static void take_way(struct screen *screen, const struct listing *listing)
{
	screen_do(screen, false, "ways %d", listing_number(listing));
}

/* Kinds are known by a column that their tables have; NULL: any. */
static const struct compared_kind {
	const char *head, *what;
	void (*name)(const struct listing *listing, sw_text *name);
	void (*take)(struct screen *screen, const struct listing *listing);
} kinds[] =
	{
		{"algorithm", "algorithms", name_algorithm, take_algorithm_row},
		{"schedule", "schedules", name_schedule, take_schedule},
		{NULL, "ways", name_way, take_way},
},
  strategies = {NULL, "strategies", name_strategy, take_strategy};

static const struct compared_kind *kind_of(const struct listing *listing)
{
	const struct compared_kind *kind = kinds;

	if (listing->compared != NULL)
		return &strategies;
	while (kind->head != NULL && table_headed(listing_table(listing), kind->head) < 0)
		kind++;
	return kind;
}

static void name_row(const struct listing *listing, struct frame *frame)
{
	const struct compared_kind *kind = kind_of(listing);
	sw_text name = {0};

	if (frame->of == 0)
		sw_text_addf(&name, "%s side by side; Down chooses one", kind->what);
	else
		kind->name(listing, &name);
	snprintf(frame->object, sizeof frame->object, "%s", sw_text_get(&name));
	sw_text_free(&name);
}

/* ---- the view ---- */

bool draw_compare(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	struct listing *listing = listed_of(screen, PANE_COMPARE);
	(void)height;

	if (listing == NULL) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "nothing compared for this problem yet");
		sw_diag_hint(diag, "Enter, or: compare");
		return false;
	}
	bool drawn = listing_draw(listing, width, out, frame, diag);
	heads_find(out, "compare", frame);
	heads_keep_list(out, listing, frame);
	name_row(listing, frame);
	return drawn;
}

/* Of both ends, a product or a formula. */
bool makes_comparison(struct screen *screen)
{
	const struct session *session = screen->session;
	sw_problem problem;

	return listed_of(screen, PANE_COMPARE) == NULL &&
		(session->state.product != NULL || session->state.formula != NULL ||
			session_any_problem(session, &problem, NULL));
}

bool move_compare(struct screen *screen, int across, int down)
{
	struct listing *listing = listed_of(screen, PANE_COMPARE);
	bool moved = listing != NULL && listing_move(listing, across + down);

	if (moved && listing->chosen == 0)
		screen->viewpoint.top[PANE_COMPARE] = 0;
	return moved;
}

void open_compare(struct screen *screen)
{
	const struct listing *listing = listed_of(screen, PANE_COMPARE);

	if (listing == NULL || listing->chosen == 0)
		screen_do(screen, false, "compare");
	else
		kind_of(listing)->take(screen, listing);
}
