/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views: pictures compared with those in tests/views (UPDATE=1 writes them anew), and what holds for every
 * picture: no row is wider than asked for, both alphabets draw the same, figures add up.
 */
#include <locale.h>

#include <shardwalk/hardware.h>

#include "kit/by_hand.h"
#include "views/computed.h"
#include "views/general.h"
#include "views/sets.h"
#include "views/draw.h"
#include "views/holding.h"
#include "views/owners.h"
#include "views/traffic.h"
#include "views/views.h"
#include "kit/draw.h"
#include "kit/kit.h"
#include "kit/snapshot.h"

/* ---- scenes: a problem, a plan by hand, and what is looked at ---- */

struct scene {
	const char *name; /* tests/views/NAME.txt */
	const char *mesh, *problem, *ops;
	const char *views; /* separated by blanks */
	const char *widths;
	int step, height, walk;
	int64_t budget, live_budget, device;
	bool panes; /* in panes of screens of 80x24, 120x40 and 200x50, and with colours */
};

static const struct scene scenes[] = {
	{"owners", "{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]",
		"alltoall(0,1,2); allpermute [6{y:(1)2}12, 1{y:(2)3,x}12]; alltoall(1,0,3)",
		"tiles devices traffic mesh type", "80 120 200", .step = 1, .device = VIEW_ALL, .panes = true},
	{"transpose", "{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]",
		"alltoall(0,1,2); allpermute [6{y:(1)2}12, 1{y:(2)3,x}12]; alltoall(1,0,3)",
		"mesh type tiles devices heights plan graph traffic", "40 80 120", .step = VIEW_ALL, .walk = 9, .device = 7},
	{"merge", "{x: 4, y: 4}", "[32{x,y}512, 128] ~> [128{x}512, 32{y}128]", "alltoall(0,1,4); allpermute",
		"tiles devices plan heights traffic", "80", .step = 1, .device = VIEW_ALL},
	{"kept", "{x: 4, y: 4}", "[32{x}128, 16] ~> [8{y,x}128, 16]", "dynslice(0, y)", "tiles devices plan traffic",
		"40 80", .step = 1, .device = 6},
	{"large", "{x: 32, y: 8, z: 4}", "bf16[8{x,y:(1)2}512, 256{z}1024, 7] ~> [512, 8{x:(1)16,y:(1)2,z}1024, 7]",
		"allgather(0,2); alltoall(0,1,32)", "mesh type tiles devices heights plan graph traffic", "40 80 120",
		.step = 2, .height = 24, .walk = 12, .device = 300},
	{"names",
		"{\"Größe der Zeile\": 2, \"日本\": 3, a_very_long_name_of_an_axis_that_does_not_fit_anywhere: 4, one: 1}",
		"[2{\"Größe der Zeile\",\"日本\"}12, {a_very_long_name_of_an_axis_that_does_not_fit_anywhere}8] ~> [12, 8]",
		"gather [[0,6],[1,4]]", "mesh type plan traffic", "40 80", .step = VIEW_ALL, .device = VIEW_ALL},
	{"rounds", "{x: 8, y: 4}", "[2{x}16, 4{y}16] ~> [16, 4{y}16]", "allgather(0,8)", "rounds", "80 120", .step = 1,
		.device = VIEW_ALL, .panes = true},
	{"rounds-swap", "{x: 6}", "[2{x}12, 12] ~> [12, 2{x}12]", "alltoall(0,1,6)", "rounds", "40 80", .step = 1,
		.device = VIEW_ALL},
	{"rounds-sum", "{x: 8}", "[16, 4]+{x} ~> [2{x}16, 4]", "reducescatter(0, {x})", "rounds", "80", .step = 1,
		.device = VIEW_ALL, .panes = true},
	{"sums", "{x: 2, y: 2, z: 2}", "[8{x}16, 12]+{y} ~> [8{x}16, 6{y}12]", "reducescatter(1, {y})",
		"type tiles devices plan heights", "40 80", .step = 1, .device = VIEW_ALL, .panes = true},
	{"sums-many", "{x: 512, y: 2, z: 3}", "[1{x}512, 8]+{y,z} ~> [1{x}512, 8]", "allreduce {y}", "type tiles devices",
		"40 80", .step = 1, .height = 24, .device = 9},
	{"rounds-many", "{x: 64, y: 2}", "[2{x}128, 16] ~> [128, 16]", "allgather(0,64)", "rounds", "40 80", .step = 1,
		.device = 6},
	{"budget", "{x: 2, y: 4}", "[4{x}8, 2{y}8] ~> [1{y,x}8, 8]", "gather [[0,2],[1,4]]; split [[0,8]]",
		"heights plan compare", "40 80", .step = 1, .budget = 16, .live_budget = 40, .device = VIEW_ALL},
	{"scalar", "{one: 1}", "[] ~> []", "", "mesh type tiles devices heights plan graph traffic", "40",
		.step = VIEW_ALL, .device = VIEW_ALL},
	{"deep",
		"{a: 2, b: 2, c: 2, d: 2, e: 2, f: 2, g: 2, h: 2, i: 2, j: 2, k: 2, l: 2, m: 2, n: 2, o: 2, p: 2, q: 2, r: 2, "
		"s: 2, t: 2}",
		"[1{a,b,c,d,e,f,g,h}256, 16, 4{i,j}16, 8{k}16, 4] ~> [256, 1{a,b,c,d}16, 4{i,j}16, 8{k}16, 1{e,f}4]",
		"alltoall(0,1,16); alltoall(0,4,4); allgather(0,4)", "mesh type tiles devices heights plan traffic", "80",
		.step = VIEW_ALL, .height = 30, .device = VIEW_ALL},
};

/* Everything that a scene's views look at. */
struct stage {
	sw_mesh mesh;
	sw_problem problem;
	sw_arena *arena;
	sw_plan plan;
	const sw_plan *plans[2];
	sw_rounds rounds;
	sw_walk *walk;
	struct view_input in;
	struct view_options opt;
};

static void stage_walk(struct stage *stage, int steps)
{
	sw_walk_options options = {.model = SW_MODEL_PAPER};
	stage->walk = sw_walk_new(&stage->problem, &options, NULL);
	assert_non_null(stage->walk);
	for (int i = 0; i < steps && sw_walk_step(stage->walk, NULL); i++)
		;
}

static void stage_open(struct stage *stage, const struct scene *scene)
{
	sw_diag diag = {0};
	*stage = (struct stage){.arena = sw_arena_new()};
	if (!sw_mesh_parse(sw_str_of(scene->mesh), &stage->mesh, &diag) ||
		!sw_problem_parse(&stage->mesh, sw_str_of(scene->problem), &stage->problem, &diag) ||
		!by_hand(&stage->problem, scene->ops, stage->arena, &stage->plan, &diag))
		fail_msg("%s: %s", scene->name, diag.message);
	if (scene->budget)
		stage->plan.budget = scene->budget;
	stage->plan.live_budget = scene->live_budget;
	stage->plans[0] = stage->plans[1] = &stage->plan;
	if (strstr(scene->views, "graph"))
		stage_walk(stage, scene->walk);
	stage->opt = view_options_default(80);
	stage->opt.step = scene->step;
	stage->opt.height = scene->height;
	stage->opt.device = scene->device;
}

static void stage_close(struct stage *stage)
{
	sw_walk_free(stage->walk);
	sw_arena_free(stage->arena);
}

static const double some_ratios[] = {0.25, 1, 1, 1.2, 4, 64};
static const struct ratios ratios[] = {
	{.name = "one", .count = 6, .ratio = some_ratios, .infinite = 2, .over = 3, .missing = 4},
	{.name = "none"},
	{.name = "same", .count = 2, .ratio = some_ratios + 1},
};
static const struct plan_facts facts[] = {{512, 7.8e-6, -1, 0}, {0, 0, 1.5, 0}};

/* Each element of one array is made of all of another one of the same shape, which is held as the stage needs it. */
static const sw_computation *stage_formula(struct stage *stage)
{
	const sw_type *to = &stage->problem.to;
	sw_array_type type[2] = {{.known = true}, {.known = !sw_type_padded(to), .type = *to}};
	sw_text text = {0};
	sw_formula formula;

	assert_true(sw_type_replicated(to->dtype, to->rank, to->global, &type[0].type, NULL));
	type[1] = type[1].known ? type[1] : type[0];
	sw_text_add(&text, "y");
	for (int d = 0; d < to->rank; d++)
		sw_text_addf(&text, d == 0 ? "[%c" : ", %c", SW_DIMENSION_LETTERS[d]);
	sw_text_add(&text, to->rank > 0 ? "] = f(x" : " = f(x");
	for (int d = 0; d < to->rank; d++)
		sw_text_add(&text, d == 0 ? "[:" : ", :");
	sw_text_add(&text, to->rank > 0 ? "])" : ")");
	const char *kept = sw_text_keep(&text, stage->arena);
	assert_true(sw_formula_parse(sw_str_of(kept), NULL, stage->arena, &formula, NULL));
	return sw_computation_new(&stage->mesh, &formula, type, NULL, stage->arena, NULL);
}

#define TASKS_MOST 512 /* devices of which each needs all */

/* It is repeated, and the first round is done. */
static const struct tasks_look *stage_tasks(struct stage *stage)
{
	struct tasks_look *look = SW_NEW(stage->arena, struct tasks_look, 1);
	sw_tasks *tasks = SW_NEW(stage->arena, sw_tasks, 1);
	const sw_computation *computation = stage_formula(stage);

	assert_true(sw_computation_tasks(computation, 40, 1, NULL, stage->arena, tasks, NULL));
	*look = (struct tasks_look){computation, tasks, 1};
	return look;
}

static struct view_input stage_input(struct stage *stage, const char *view)
{
	struct view_input in = {.mesh = &stage->mesh,
		.plan = &stage->plan,
		.plans = stage->plans,
		.plan_count = 2,
		.walk = stage->walk ? stage->walk : NULL,
		.ratios = ratios,
		.ratio_count = COUNT(ratios),
		.against = "cost of one"};
	if (strcmp(view, "rounds") == 0) {
		sw_machine machine;
		assert_true(sw_hardware_roofline(sw_hardware_named(sw_str_of("v4p")), stage->arena, &machine));
		for (int k = 0; k < stage->plan.program.steps && !in.rounds; k++)
			in.rounds = sw_rounds_of(&stage->plan, k, &machine, false, &stage->rounds, NULL) ? &stage->rounds : NULL;
		in.machine = "v4p";
	}
	if (strcmp(view, "sets") == 0) {
		struct sets_look *look = SW_NEW(stage->arena, struct sets_look, 1);
		const struct any_type type = {.type = stage->problem.to};
		assert_true(sets_look_at(&stage->mesh, &type, NULL, stage->arena, look, NULL));
		in.sets = look;
	}
	if (strcmp(view, "relation") == 0) {
		struct relation_look *look = SW_NEW(stage->arena, struct relation_look, 1);
		assert_true(relation_look_at(&stage->problem, NULL, stage->arena, look, NULL));
		in.relation = look;
	}
	if (strcmp(view, "needs") == 0)
		in.formula = stage_formula(stage);
	if (strcmp(view, "tasks") == 0 && stage->mesh.devices <= TASKS_MOST)
		in.tasks = stage_tasks(stage);
	if (strcmp(view, "pareto") == 0)
		in.facts = facts;
	if (strcmp(view, "type") == 0 && stage->opt.step <= 0) {
		in.type = &stage->problem.from;
		in.type_name = "from";
	}
	return in;
}

/* ---- what holds for every picture ---- */

static void assert_ascii(const char *text)
{
	for (; *text; text++)
		assert_in_range((unsigned char)*text, '\n', '~');
}

static int longest_row(const char *text)
{
	int longest = 0;
	char row[4096];
	for (const char *end; *text; text = end + 1) {
		end = strchr(text, '\n');
		assert_non_null(end);
		assert_true((size_t)(end - text) < sizeof(row));
		memcpy(row, text, (size_t)(end - text));
		row[end - text] = '\0';
		assert_true(end == text || end[-1] != ' ');
		int width = canvas_text_width(row);
		longest = width > longest ? width : longest;
	}
	return longest;
}

static int rows_of(const char *text)
{
	int rows = 0;
	for (; *text; text++)
		rows += *text == '\n';
	return rows;
}

/* Draws, checks, and adds both alphabets to `unicode` and `ascii`. */
static void picture(const struct view *view, const struct view_input *in, const struct view_options *opt,
	sw_text *unicode, sw_text *ascii)
{
	struct canvas canvas = {0};
	sw_diag diag = {0};
	if (!view->draw(in, opt, &canvas, &diag))
		fail_msg("%s: %s", view->name, diag.message);
	assert_false(canvas.failed);
	canvas_print(&canvas, &(struct canvas_style){0}, unicode);
	canvas_print(&canvas, &(struct canvas_style){.ascii = true}, ascii);
	assert_true(longest_row(sw_text_get(unicode)) <= opt->width);
	assert_true(longest_row(sw_text_get(ascii)) <= opt->width);
	assert_int_equal(rows_of(sw_text_get(unicode)), rows_of(sw_text_get(ascii)));
	assert_ascii(sw_text_get(ascii));
	canvas_free(&canvas);
}

/* The same with 256 colours; `$` stands for the escape character. */
static void coloured(const struct view *view, const struct view_input *in, const struct view_options *opt,
	sw_text *all)
{
	struct canvas canvas = {0};
	sw_text text = {0};
	assert_true(view->draw(in, opt, &canvas, NULL));
	canvas_print(&canvas, &(struct canvas_style){.colors = 256}, &text);
	sw_text_addf(all, "== %s %d coloured\n", view->name, opt->width);
	for (const char *at = sw_text_get(&text); *at; at++)
		sw_text_add_char(all, *at == '\033' ? '$' : *at);
	sw_text_free(&text);
	canvas_free(&canvas);
}

/* ---- snapshots ---- */

static void scene_draw(const struct scene *scene, sw_text *all)
{
	struct stage stage;
	char words[128], *rest = NULL;
	stage_open(&stage, scene);
	snprintf(words, sizeof(words), "%s", scene->views);
	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		const struct view *view = view_named(sw_str_of(word));
		struct view_input in = stage_input(&stage, word);
		assert_non_null(view);
		for (const char *at = scene->widths; *at;) {
			char *end;
			sw_text unicode = {0}, ascii = {0};
			stage.opt.width = (int)strtol(at, &end, 10);
			stage.opt.room = !scene->panes ? 0 : stage.opt.width == 80 ? 20 : stage.opt.width == 120 ? 36 : 46;
			at = end;
			picture(view, &in, &stage.opt, &unicode, &ascii);
			sw_text_addf(all, "== %s %d\n%s", word, stage.opt.width, sw_text_get(&unicode));
			if (stage.opt.width != 120 || scene->panes)
				sw_text_addf(all, "== %s %d ascii\n%s", word, stage.opt.width, sw_text_get(&ascii));
			if (scene->panes)
				coloured(view, &in, &stage.opt, all);
			sw_text_free(&unicode);
			sw_text_free(&ascii);
		}
	}
	stage_close(&stage);
}

static void scene_is_as_before(void **state)
{
	const struct scene *scene = *state;
	sw_text found = {0};
	scene_draw(scene, &found);
	assert_snapshot("views", scene->name, sw_text_get(&found));
	sw_text_free(&found);
}

/* ---- parts of pictures ---- */

static const struct list_row {
	int64_t devices[8], listed, count;
	int room;
	const char *text;
	int64_t unit;
} lists[] = {
	{{0}, 0, 0, 20, "-", 0},
	{{7}, 1, 1, 1, "7", 0},
	{{0, 1, 2, 3}, 4, 4, 20, "0-3", 0},
	{{0, 4}, 2, 2, 20, "0,4", 0},
	{{0, 4, 8, 12}, 4, 4, 20, "0,4..12", 0},
	{{0, 4, 8, 12}, 4, 4, 5, "0+3", 0},
	{{0, 1, 4, 5, 8, 9}, 6, 6, 20, "0-1,4-5,8-9", 0},
	{{3, 5, 6, 7, 11}, 5, 5, 20, "3,5-7,11", 0},
	{{0, 1, 2, 3}, 4, 4096, 20, "0+4095", 0},
	{{7}, 1, 1, 2, "B3", 4},
	{{2, 3, 4, 5}, 4, 4, 20, "A2-B1", 4},
	{{0, 4, 8, 12}, 4, 4, 20, "A0,B0..D0", 4},
	{{0, 4, 8, 12}, 4, 4, 5, "A0+3", 4},
};

static void devices_are_listed_by_runs(void **state)
{
	const struct list_row *row = *state;
	sw_text text = {0};
	const sw_mesh mesh = {.devices = 4096, .unit = row->unit};
	devices_text(&mesh, row->devices, row->listed, row->count, row->room, &text);
	assert_string_equal(sw_text_get(&text), row->text);
	sw_text_free(&text);
}

/* Slots hold every thing once, in order; no more slots than asked for; the kept one stands alone. */
static void folds_lose_nothing(void **state)
{
	(void)state;
	for (int64_t count = 1; count < 40; count++) {
		for (int room = 1; room < 20; room++) {
			for (int64_t keep = -1; keep < count; keep++) {
				struct stretch stretches[STRETCHES_MAX];
				int n = fold_stretches(count, room, keep, stretches);
				int64_t next = 0;
				bool alone = keep < 0 || room < 3;
				assert_in_range(n, 1, room);
				for (int i = 0; i < n; i++) {
					assert_int_equal(stretches[i].from, next);
					alone |= stretches[i].from == keep && stretches[i].to == keep;
					next = stretches[i].to + 1;
				}
				assert_int_equal(next, count);
				assert_true(alone);
			}
		}
	}
}

static void empty_views_say_what_to_type(void **state)
{
	(void)state;
	for (int i = 0; i < view_count; i++) {
		struct canvas canvas = {0};
		struct view_input in = {0};
		struct view_options opt = view_options_default(40);
		sw_diag diag = {0};
		sw_text text = {0};
		assert_false(views[i].draw(&in, &opt, &canvas, &diag));
		assert_int_equal(diag.code, SW_L07);
		view_draw_empty(&diag, 40, &canvas);
		canvas_print(&canvas, &(struct canvas_style){0}, &text);
		assert_non_null(strstr(sw_text_get(&text), "type"));
		canvas_free(&canvas);
		sw_text_free(&text);
	}
}

/* The geometric mean, the extremes and the bins are those of the ratios; who has none, or only ones, has no picture. */
static void histograms_add_up(void **state)
{
	(void)state;
	struct view_input in = {.ratios = ratios, .ratio_count = COUNT(ratios), .against = "cost of one"};
	struct view_options opt = view_options_default(100);
	sw_text unicode = {0}, ascii = {0};
	picture(view_named(sw_str_of("histogram")), &in, &opt, &unicode, &ascii);
	const char *text = sw_text_get(&ascii);
	assert_non_null(strstr(text, "one        2.062   0.250   1.200  64.000      6      3        4      2\n"));
	assert_non_null(strstr(text, "none           -       -       -       -      0"));
	assert_non_null(strstr(text, "\none\n    to 0.5      1  "));
	assert_non_null(strstr(text, "         1      2  "));
	assert_non_null(strstr(text, "  above 10      1  "));
	assert_null(strstr(text, "\nsame\n"));
	sw_text_free(&unicode);
	sw_text_free(&ascii);
}

/* Nothing is allocated per device, and nothing takes long, where a mesh has 2^40 devices. */
static void huge_meshes_are_folded(void **state)
{
	(void)state;
	static const struct scene huge = {"huge", "{a: 1048576, b: 1048576}",
		"[1{a}1048576, 1048576] ~> [1{b}1048576, 1048576]", "", "", "", .device = VIEW_ALL};
	static const char *const names[] = {"mesh", "type", "tiles", "devices", "heights", "plan", "traffic"};
	struct stage stage;
	stage_open(&stage, &huge);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		sw_text unicode = {0}, ascii = {0};
		struct view_input in = stage_input(&stage, names[i]);
		stage.opt = view_options_default(80);
		stage.opt.device = (int64_t)1 << 39;
		picture(view_named(sw_str_of(names[i])), &in, &stage.opt, &unicode, &ascii);
		assert_true(rows_of(sw_text_get(&unicode)) < 100);
		sw_text_free(&unicode);
		sw_text_free(&ascii);
	}
	stage_close(&stage);
}

/* ---- random problems ---- */

static draw random_from;

static int random_below(int64_t n)
{
	return draw_below(&random_from, (int)n);
}

static void random_mesh(sw_mesh *mesh)
{
	static const char *const names[] = {"x", "y", "größe", "日本語", "a long name with blanks in it", "\xe2\x80\xae",
		"e\xcc\x81", "_"};
	static const int64_t sizes[] = {1, 2, 2, 3, 4, 4, 5, 6, 8, 12, 16};
	*mesh = (sw_mesh){0};
	int count = 1 + (int)random_below(4), first = (int)random_below(8);
	for (int i = 0; i < count; i++)
		sw_mesh_add(mesh, sw_str_of(names[(first + i) % 8]), sizes[random_below(11)], NULL);
}

/* Every axis, or the halves of it, goes to a dimension or to none. */
static bool random_partition(const sw_mesh *mesh, sw_type *type)
{
	sw_part parts[SW_MAX_PARTS];
	int count[SW_MAX_DIMS] = {0}, n = 0, home[2 * SW_MAX_AXES];
	sw_part pieces[2 * SW_MAX_AXES];
	int piece_count = 0;
	for (int i = 0; i < mesh->count; i++) {
		int64_t size = mesh->axis[i].size, cut = size % 2 == 0 && size > 2 && random_below(3) == 0 ? 2 : 1;
		pieces[piece_count] = (sw_part){i, cut, size / cut};
		home[piece_count++] = (int)random_below(type->rank + 1);
		if (cut > 1) {
			pieces[piece_count] = (sw_part){i, 1, cut};
			home[piece_count++] = (int)random_below(type->rank + 1);
		}
	}
	for (int dim = 0; dim < type->rank; dim++)
		for (int i = 0; i < piece_count; i++)
			if (home[i] == dim) {
				parts[n++] = pieces[i];
				count[dim]++;
			}
	return sw_type_partition(mesh, type, count, parts, NULL);
}

static void random_problem(sw_problem *problem)
{
	int64_t global[SW_MAX_DIMS];
	*problem = (sw_problem){0};
	random_mesh(&problem->mesh);
	for (;;) {
		int rank = 1 + (int)random_below(4);
		for (int i = 0; i < rank; i++)
			global[i] = (1 + random_below(3)) * (random_below(2) ? 48 : 1) * (random_below(3) ? 1 : 16);
		sw_type shape;
		assert_true(sw_type_replicated(SW_BF16, rank, global, &shape, NULL));
		problem->from = problem->to = shape;
		if (random_partition(&problem->mesh, &problem->from) && random_partition(&problem->mesh, &problem->to))
			return;
	}
}

static void random_op(const sw_problem *problem, char text[160])
{
	int rank = problem->from.rank;
	const char *axis = problem->mesh.axis[random_below(problem->mesh.count)].name;
	int i = (int)random_below(rank), j = (int)random_below(rank);
	switch (random_below(5)) {
	case 0:
		snprintf(text, 160, "allgather(%d)", i);
		break;
	case 1:
		snprintf(text, 160, "dynslice(%d, \"%s\")", i, axis);
		break;
	case 2:
		snprintf(text, 160, "allpermute");
		break;
	case 3:
		snprintf(text, 160, "exchange");
		break;
	default:
		snprintf(text, 160, "alltoall(%d, %d)", i, j);
	}
}

/* Operations tried at random; those that are refused are left out. */
static void random_plan(const sw_problem *problem, sw_arena *arena, sw_plan *plan)
{
	by_hand(problem, "", arena, plan, NULL);
	for (int tries = 0; tries < 12 && plan->program.steps < 5; tries++) {
		char text[160];
		random_op(problem, text);
		by_hand_step(plan, arena, sw_str_of(text), NULL);
	}
	sw_diag diag = {0};
	if (!sw_plan_total(plan, &diag) || !sw_plan_group(plan, arena, &diag))
		fail_msg("random plan: %s", diag.message);
}

/* An element of the array, or none. */
static const int64_t *random_element(const sw_plan *plan)
{
	static int64_t element[SW_MAX_DIMS];
	const sw_type *from = &plan->problem.from;
	for (int i = 0; i < from->rank; i++)
		element[i] = random_below(from->global[i]);
	return random_below(2) ? element : NULL;
}

static void random_options(struct view_options *opt, const sw_plan *plan, int seen)
{
	static const int widths[] = {1, 3, 12, 24, 25, 40, 60, 80, 120, 200};
	*opt = view_options_default(widths[random_below(10)]);
	opt->height = (int)random_below(2) * (1 + (int)random_below(60));
	opt->room = (int)random_below(2) * (1 + (int)random_below(60));
	opt->element = random_element(plan);
	opt->step = (int)random_below(plan->program.steps + 3) - 1;
	for (int i = 0; i < 2; i++) {
		opt->dims[i] = (int)random_below(5) - 1;
		opt->axes[i] = (int)random_below(5) - 1;
	}
	opt->fold = random_below(2);
	for (int i = 0; i < 4; i++) {
		opt->fixed[i] = random_below(9) - 1;
		opt->coordinate[i] = random_below(9) - 1;
	}
	opt->device = random_below(plan->problem.mesh.devices + 2) - 1;
	opt->node = (int)random_below(seen + 3) - 1;
	opt->refused = random_below(2);
	opt->bytes = random_below(2);
}

/* That of gathering and slicing everything. */
static sw_film *film_of(const sw_problem *problem)
{
	sw_sequence *naive = sw_sequence_naive(problem, NULL);
	sw_film *film = naive ? sw_film_rewriting(naive, false, NULL) : NULL;
	assert_non_null(film);
	sw_sequence_free(naive);
	return film;
}

/* Those of systems and sums have problems of their own: test_tui_sums.c. */
static bool of_sums(view_function *draw)
{
	return draw == view_system || draw == view_placement || draw == view_groups || draw == view_state ||
		draw == view_hierarchies || draw == view_reductions;
}

static bool of_program(const struct view *view)
{
	return view->draw == view_terms || view->draw == view_indices || view->draw == view_program ||
		view->draw == view_derivation;
}

static void any_problem_can_be_drawn(void **state)
{
	(void)state;
	for (int round = 0; round < 150; round++) {
		struct stage stage = {.arena = sw_arena_new()};
		random_problem(&stage.problem);
		stage.mesh = stage.problem.mesh;
		random_plan(&stage.problem, stage.arena, &stage.plan);
		stage.plans[0] = stage.plans[1] = &stage.plan;
		stage_walk(&stage, (int)random_below(30));
		sw_film *film = film_of(&stage.problem);
		for (int i = 0; i < view_count; i++) {
			sw_text unicode = {0}, ascii = {0};
			struct view_input in = stage_input(&stage, views[i].name);
			in.film = film;
			random_options(&stage.opt, &stage.plan, sw_walk_seen(stage.walk));
			bool nothing = (views[i].draw == view_rounds && !in.rounds) || of_sums(views[i].draw) ||
				of_program(&views[i]) || (views[i].draw == view_tasks && !in.tasks) ||
				(views[i].of == OF_SCHEDULE && !in.schedule);
			if (views[i].draw != view_times && !nothing) /* that takes what a run measured */
				picture(&views[i], &in, &stage.opt, &unicode, &ascii);
			sw_text_free(&unicode);
			sw_text_free(&ascii);
		}
		sw_film_free(film);
		stage_close(&stage);
	}
}

/* What tile types are, drawn element by element. */
static void any_problem_can_be_drawn_as_general(void **state)
{
	(void)state;
	static const char *const names[] = {"tiles", "type", "devices"};
	for (int round = 0; round < 150; round++) {
		struct stage stage = {.arena = sw_arena_new()};
		struct general general;
		random_problem(&stage.problem);
		random_plan(&stage.problem, stage.arena, &stage.plan);
		bool drawn = general_of_problem(&stage.problem, stage.arena, &general, NULL);
		general.count = 1 + (int)random_below(2);
		for (size_t i = 0; i < COUNT(names) && drawn; i++) {
			const struct view_input in = {.general = &general};
			sw_text unicode = {0}, ascii = {0};
			random_options(&stage.opt, &stage.plan, 0);
			picture(view_named(sw_str_of(names[i])), &in, &stage.opt, &unicode, &ascii);
			sw_text_free(&unicode);
			sw_text_free(&ascii);
		}
		stage_close(&stage);
	}
}

/* ---- types of any kind, formulas and tasks ---- */

static const struct general_scene {
	const char *name, *mesh, *problem, *views, *widths; /* `problem`: a type, or both ends */
	int64_t device, element[2];
	bool follows;
} general_scenes[] = {
	{"cyclic", "{x: 4}", "[1{x,..}13]", "tiles type devices", "24 40 80", VIEW_ALL, {0, 0}, false},
	{"figure-2", "{p: 3, q: 4}", "[1{p,..}12, 1{q,..}12]", "tiles type", "40 80", 5, {3, 7}, true},
	{"block-cyclic", "{d: 6}", "[2{r,..}9, 2{c,..}9] over {r: 2, c: 3} ~> [3{r,..}9, 3{c,..}9] over {r: 3, c: 2}",
		"tiles devices", "40 80 120", VIEW_ALL, {0, 0}, false},
	{"overlap", "{x: 4}", "[3{x}12] shift 1 union [3{x}12] ~> [12] on 0,2", "tiles type devices", "40 80", 1, {4, 0},
		true},
	{"irregular", "{x: 3}", "[9]+ at {0: 0-3; 1: 3-6; 2: 6-8}", "tiles type devices", "40 80", VIEW_ALL, {0, 0},
		false},
	{"many", "{x: 100000}", "[64{x,..}1000000000]", "tiles type", "40 80 120", VIEW_ALL, {0, 0}, false},
	{"depth", "{x: 4, y: 2}", "[3, 1{x,..}10, 2{y,..}9] on 0-5", "tiles devices", "40 80", VIEW_ALL, {0, 0}, false},
};

static void general_read(const struct general_scene *scene, sw_mesh *mesh, sw_arena *arena, struct general *general)
{
	sw_diag diag = {0};
	sw_problem *problem = SW_NEW(arena, sw_problem, 1);
	struct any_type type;
	bool read = sw_mesh_parse(sw_str_of(scene->mesh), mesh, &diag);
	if (strstr(scene->problem, "~>"))
		read = read && sw_problem_parse_any(mesh, sw_str_of(scene->problem), false, NULL, arena, problem, &diag) &&
			general_of_problem(problem, arena, general, &diag);
	else
		read = read &&
			sw_type_parse_any(mesh, sw_str_of(scene->problem), NULL, arena, &type.type, &type.words, &diag) &&
			general_of_type(mesh, &type, NULL, NULL, arena, general, &diag);
	if (!read)
		fail_msg("%s: %s", scene->name, diag.message);
}

/* One view in all widths and both alphabets, and with colours in the widest. */
static void draw_widths(const char *name, const struct view_input *in, struct view_options *opt, const char *widths,
	sw_text *all)
{
	const struct view *view = view_named(sw_str_of(name));
	assert_non_null(view);
	for (const char *at = widths; *at;) {
		char *end;
		sw_text unicode = {0}, ascii = {0};
		opt->width = (int)strtol(at, &end, 10);
		at = end;
		picture(view, in, opt, &unicode, &ascii);
		sw_text_addf(all, "== %s %d\n%s", name, opt->width, sw_text_get(&unicode));
		sw_text_addf(all, "== %s %d ascii\n%s", name, opt->width, sw_text_get(&ascii));
		if (!*at)
			coloured(view, in, opt, all);
		sw_text_free(&unicode);
		sw_text_free(&ascii);
	}
}

static void general_is_as_before(void **state)
{
	const struct general_scene *scene = *state;
	sw_arena *arena = sw_arena_new();
	sw_mesh mesh;
	struct general general;
	struct view_options opt = view_options_default(80);
	char words[128], name[64], *rest = NULL;
	sw_text all = {0};
	general_read(scene, &mesh, arena, &general);
	const struct view_input in = {.mesh = &mesh, .general = &general};
	opt.device = scene->device;
	opt.element = scene->follows ? scene->element : NULL;
	snprintf(words, sizeof(words), "%s", scene->views);
	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		draw_widths(word, &in, &opt, scene->widths, &all);
	snprintf(name, sizeof(name), "general-%s", scene->name);
	assert_snapshot("views", name, sw_text_get(&all));
	sw_text_free(&all);
	sw_arena_free(arena);
}

static const struct formula_scene {
	const char *name, *mesh, *type, *formula, *widths;
	int64_t steps, every, done, device;
} formula_scenes[] = {
	{"three-points", "{x: 6}", "[4{x}24]", "y[i] = 2*x[i] - x[i-1] - x[i+1]", "24 40 80", 15, 1, 3, 2},
	{"every", "{x: 6}", "[4{x}24]", "y[i] = f(x[i-1], x[i], x[i+1]) wrap", "40 80", 14, 3, 5, VIEW_ALL},
	{"grid", "{p: 3, q: 4}", "[4{p}12, 3{q}12]", "y[i, j] = f(x[i-1, j-1], x[i, j-1], x[i, j], x[i+1, j+1])",
		"40 80 120", 4, 1, 0, 5},
	{"large", "{x: 10000}", "[64{x}640000]", "y[i] = f(x[i-1], x[i], x[i+70])", "40 80", 1000000, 1, 0, 5000},
};

static void formula_is_as_before(void **state)
{
	const struct formula_scene *scene = *state;
	sw_arena *arena = sw_arena_new();
	sw_array_type type[2] = {{.known = true}, {.known = true}};
	struct tasks_look look = {NULL, NULL, scene->done};
	struct view_options opt = view_options_default(80);
	sw_mesh mesh;
	sw_formula formula;
	sw_tasks tasks;
	char name[64];
	sw_text all = {0};
	assert_true(sw_mesh_parse(sw_str_of(scene->mesh), &mesh, NULL));
	assert_true(sw_type_parse(&mesh, sw_str_of(scene->type), &type[0].type, NULL));
	type[1] = type[0];
	assert_true(sw_formula_parse(sw_str_of(scene->formula), NULL, arena, &formula, NULL));
	look.computation = sw_computation_new(&mesh, &formula, type, NULL, arena, NULL);
	assert_non_null(look.computation);
	assert_true(sw_computation_tasks(look.computation, scene->steps, scene->every, NULL, arena, &tasks, NULL));
	look.tasks = &tasks;
	const struct view_input in = {.mesh = &mesh, .formula = look.computation, .tasks = &look};
	opt.device = scene->device;
	draw_widths("needs", &in, &opt, scene->widths, &all);
	draw_widths("tasks", &in, &opt, scene->widths, &all);
	snprintf(name, sizeof(name), "formula-%s", scene->name);
	assert_snapshot("views", name, sw_text_get(&all));
	sw_text_free(&all);
	sw_arena_free(arena);
}

static bool choice_holds(const struct holding *holding, const struct tile_choice *choice, int64_t device)
{
	int64_t offset[SW_MAX_DIMS];
	holding_offset(holding, device, offset);
	for (int i = 0; i < holding->rank; i++)
		if (choice->position[i] != VIEW_ALL && choice->position[i] != offset[i] / holding->tile[i])
			return false;
	return true;
}

/* The base offsets of a type on every device: what a step that is no type has instead. */
static int64_t *map_of(const sw_mesh *mesh, const sw_type *type)
{
	int64_t *map = malloc((size_t)mesh->devices * (size_t)type->rank * sizeof(*map));
	for (int64_t device = 0; device < mesh->devices; device++)
		sw_type_offset(mesh, type, device, map + device * type->rank);
	return map;
}

/* The devices that digits say are those that offsets say, and so are runs of equal tiles. */
static void holders_are_those_of_the_offsets(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		sw_problem problem;
		random_problem(&problem);
		struct holding holding = holding_of_type(&problem.mesh, &problem.from, NULL);
		int64_t devices = problem.mesh.devices, count, run = holding_run(&holding);
		struct tile_choice choice;
		for (int i = 0; i < SW_MAX_DIMS; i++)
			choice.position[i] = i >= holding.rank || random_below(3) == 0 ? VIEW_ALL :
																			 random_below(holding_tiles(&holding, i));
		int64_t *listed = malloc((size_t)devices * sizeof(*listed)), n = 0;
		int64_t found = holding_list(&holding, &choice, devices, listed, &count);
		for (int64_t device = 0; device < devices; device++) {
			if (choice_holds(&holding, &choice, device))
				assert_true(n < found && listed[n++] == device);
			int64_t a[SW_MAX_DIMS], b[SW_MAX_DIMS];
			holding_offset(&holding, device, a);
			holding_offset(&holding, device / run * run, b);
			assert_memory_equal(a, b, (size_t)holding.rank * sizeof(*a));
		}
		assert_int_equal(n, found);
		assert_int_equal(count, found);
		int64_t *map = map_of(&problem.mesh, &problem.from), *again = malloc((size_t)devices * sizeof(*again));
		holding.type = NULL;
		sw_holding_of_offsets(devices, &problem.from, problem.from.tile, map, &holding.held);
		assert_int_equal(holding_list(&holding, &choice, devices, again, &count), found);
		assert_memory_equal(again, listed, (size_t)found * sizeof(*again));
		free(map);
		free(again);
		free(listed);
	}
}

/* What one device receives in a step, by the definition of the step. */
static double received(const sw_plan *plan, int k)
{
	const sw_step *step = &plan->program.step[k];
	double before = (double)plan->program.value[k].localsize, after = (double)plan->program.value[k + 1].localsize;
	return step->op == SW_ALLGATHER ? after - before : after - after / (double)step->group_size;
}

/* Device by device: sent and received add up, and everyone receives what the step must bring. */
/* The lowest device whose tile has the element; its colour is that of its coordinates. */
static void first_owners_are_the_lowest(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		sw_problem problem;
		random_problem(&problem);
		struct holding holding = holding_of_type(&problem.mesh, &problem.from, NULL);
		struct view_input in = {.mesh = &problem.mesh, .type = &problem.from};
		struct owners owners = owners_of(&in, &holding, 1);
		int64_t element[SW_MAX_DIMS], offset[SW_MAX_DIMS], lowest = 0;
		for (int i = 0; i < holding.rank; i++)
			element[i] = random_below(problem.from.global[i]);
		for (bool there = false; !there; lowest += !there) {
			holding_offset(&holding, lowest, offset);
			there = true;
			for (int i = 0; i < holding.rank; i++)
				there = there && element[i] >= offset[i] && element[i] < offset[i] + holding.tile[i];
		}
		assert_int_equal(owners_at(&owners, element, 0), lowest);
		assert_in_range(owners_role(&owners, lowest), ROLE_OWNER11, ROLE_OWNER84);
	}
}

/* Cells of one letter, by their colours: column and row of each stand in every step where they stood before. */
static void colours_stand_still(void **state)
{
	struct stage stage;
	struct canvas pictures[4] = {{0}};
	(void)state;
	stage_open(&stage, &scenes[0]);
	struct view_input in = stage_input(&stage, "tiles");
	stage.opt.width = 120;
	stage.opt.room = 60;
	for (int k = 1; k <= stage.plan.program.steps; k++) {
		stage.opt.step = k;
		assert_true(view_tiles(&in, &stage.opt, &pictures[k], NULL));
		for (int y = 0; y < pictures[1].height && k > 1; y++)
			for (int x = 0; x < 60; x++) {
				const struct cell *then = canvas_cell_at(&pictures[1], x, y),
								  *now = canvas_cell_at(&pictures[k], x, y);
				if (then->role >= ROLE_OWNER11 && now->role >= ROLE_OWNER11)
					assert_int_equal(then->role, now->role);
				if (then->role >= ROLE_OWNER11 && then->glyph >= 'a')
					assert_int_equal(now->glyph, then->glyph);
			}
	}
	for (int k = 1; k <= stage.plan.program.steps; k++)
		canvas_free(&pictures[k]);
	stage_close(&stage);
}

static void traffic_adds_up(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++) {
		sw_problem problem;
		sw_plan plan;
		sw_arena *arena = sw_arena_new();
		do
			random_problem(&problem);
		while (problem.mesh.devices > 128);
		random_plan(&problem, arena, &plan);
		for (int k = 0; k < plan.program.steps; k++) {
			struct traffic each, all;
			int devices = (int)problem.mesh.devices;
			double sum = 0;
			assert_true(traffic_new(&each, devices, devices) && traffic_new(&all, devices, 1));
			sw_diag diag = {0};
			if (!traffic_add(&each, &plan, k, &diag) || !traffic_add(&all, &plan, k, &diag))
				fail_msg("step %d of %d: %s", k + 1, plan.program.steps, diag.message);
			for (int d = 0; d < devices; d++) {
				assert_true(each.sent[(size_t)d * (size_t)devices + (size_t)d] == 0);
				if (plan.program.step[k].group_size > 0 && plan.program.step[k].op != SW_DYNSLICE)
					assert_true(each.in[d] == received(&plan, k) && each.out[d] == traffic_per_device(&plan, k));
				sum += each.in[d] - each.out[d];
			}
			assert_true(sum == 0 && each.total == all.total && all.inside == all.total);
			if (plan.program.step[k].op == SW_DYNSLICE)
				assert_true(each.total == 0);
			traffic_free(&each);
			traffic_free(&all);
		}
		sw_arena_free(arena);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(devices_are_listed_by_runs, lists, text),
		TEST(folds_lose_nothing),
		TEST(empty_views_say_what_to_type),
		TEST(histograms_add_up),
		TEST(huge_meshes_are_folded),
		TEST(any_problem_can_be_drawn),
		TEST(any_problem_can_be_drawn_as_general),
		ROWS(general_is_as_before, general_scenes, name),
		ROWS(formula_is_as_before, formula_scenes, name),
		TEST(holders_are_those_of_the_offsets),
		TEST(first_owners_are_the_lowest),
		TEST(colours_stand_still),
		TEST(traffic_adds_up),
		ROWS(scene_is_as_before, scenes, name),
	};
	random_from = draw_start("views");
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 77;
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
