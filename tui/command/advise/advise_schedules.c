/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `advise` on the last formula.
 *
 * Code that adapts: each axis of the mesh has a letter, and the arrays stay where they are.  Data that moves first: the same letters, and each array
 * is cut by the axes of its letters and spread over the others; what is made goes back to where it is wanted.
 */
#include "command/advise/advise_schedules.h"

#include <assert.h>

#include <shardwalk/computation.h>
#include <shardwalk/number.h>

#include "answer/order.h"
#include "answer/watch.h"
#include "answer/words.h"
#include "command/compare/compare_schedules.h"
#include "command/plan.h"
#include "session/schedules.h"

#define SENDERS_MOST (1 << 16) /* steps of processors, of which it is looked at who sends */

/* What an array is redistributed to, and by which plan; NULL: it stays. */
struct move {
	const sw_plan *plan;
	int64_t volume;
	double seconds; /* below 0: not known */
};

struct first_moved {
	struct contender is; /* moves in its volume and time */
	struct move move[SW_SCHEME_ARRAYS];
	int64_t moved; /* of its volume */
};

struct weighing {
	struct invocation *run;
	struct contest contest;
	struct plan_request asked;
	const sw_computation *computation;
	const sw_schedule_problem *problem;
	sw_scheme family;
	bool adapts, moves;
	struct contender adapted;
	struct first_moved moved;
	sw_diag *diag;
};

bool advise_schedules_asked(const struct invocation *run)
{
	const struct session *session = run->session;
	struct contest *contest = SW_NEW_ZERO(run->arena, struct contest, 1);
	sw_scheme scheme;
	sw_diag why;

	if (contest == NULL || !schedules_are_present(session) || argument(run, 0) != NULL ||
		option_given(run, OPTION_FOR) != NULL || option_given(run, OPTION_FORM) != NULL ||
		option_given(run, OPTION_SEVERAL) != NULL)
		return false;
	return contest_begin(run, contest, &why) && contest_scheme(contest, &scheme, &why) &&
		sw_mesh_levels(&session->state.formula->computation->mesh) <= 1;
}

/* ---- letters on the axes of the mesh ---- */

/* An array is cut by the axes of its letters, and its first dimension is spread over the others; axes behind them have it at 0. */
static void place(const sw_scheme *scheme, sw_scheme_array *array)
{
	sw_distal *home = &array->home;

	home->axes = scheme->axes;
	home->cuts = 0;
	for (int axis = 0; axis < scheme->axes; axis++)
		home->place[axis] = axis < scheme->spaces && array->rank > 0 ? (sw_distal_place){0, -1} :
																	   (sw_distal_place){-1, 0};
	for (int spread = 0; spread < 2; spread++)
		for (int axis = 0; axis < scheme->spaces && array->rank > 0; axis++) {
			int own = -1;
			for (int dim = 0; dim < array->rank; dim++)
				own = array->letter[dim] == scheme->space[axis] ? dim : own;
			if ((own < 0) != (spread == 1))
				continue;
			home->place[axis].dim = own < 0 ? 0 : own;
			home->cut[home->cuts++] = axis;
		}
}

/* The scheme whose first axes have these letters. */
static void scheme_of(const struct weighing *w, int spaces, const int *letter, sw_scheme *scheme)
{
	const sw_mesh *mesh = &w->computation->mesh;

	*scheme = w->family;
	scheme->axes = mesh->count;
	scheme->spaces = spaces;
	for (int axis = 0; axis < mesh->count; axis++)
		scheme->extent[axis] = mesh->axis[axis].size;
	for (int axis = 0; axis < spaces; axis++)
		scheme->space[axis] = letter[axis];
	for (int n = 0; n < scheme->arrays; n++)
		place(scheme, &scheme->array[n]);
}

typedef bool weigh_letters(struct weighing *w, const sw_scheme *scheme);

/* All ways to give letters to the first axes, each letter to one. */
static bool each_letters(struct weighing *w, int given, int *letter, weigh_letters *weigh)
{
	sw_scheme scheme;

	if (given > 0) {
		scheme_of(w, given, letter, &scheme);
		if (!weigh(w, &scheme))
			return false;
	}
	if (given == w->computation->mesh.count)
		return true;
	for (int n = 0; n < w->family.letters; n++) {
		bool taken = false;
		for (int axis = 0; axis < given; axis++)
			taken |= letter[axis] == n;
		letter[given] = n;
		if (!taken && !each_letters(w, given + 1, letter, weigh))
			return false;
	}
	return true;
}

/* ---- code that adapts ---- */

static bool adapt(struct weighing *w, const sw_scheme *scheme)
{
	sw_arena *arena = w->run->arena;
	sw_schedule_totals totals;
	struct contender one;
	sw_text text = {0};
	const sw_schedule *schedule = sw_schedule_new(w->problem, arena);
	const sw_lowering *lowering;
	struct watch watch;

	sw_scheme_print(scheme, w->contest.formula, &text);
	const char *commands = sw_text_keep(&text, arena);
	if (schedule == NULL || commands == NULL)
		return sw_diag_memory(w->diag);
	schedule = sw_schedule_read(schedule, sw_str_of(commands), arena, NULL, w->diag);
	lowering = schedule != NULL ? sw_lowering_of(schedule, arena, w->diag) : NULL;
	if (lowering == NULL)
		return false;
	watch_start(&watch, w->run->session->console);
	bool ok = sw_lowering_totals(lowering, w->contest.processors <= SENDERS_MOST, &watch.pulse, arena, &totals,
		w->diag);
	watch_end(&watch);
	if (!ok)
		return false;
	contender_of_totals(lowering, &totals, &one);
	one.name = "adapt";
	contest_predict(&w->contest, &one);
	if (!w->adapts || contest_is_better(&w->contest, &one, &w->adapted))
		w->adapted = one;
	w->adapts = true;
	return true;
}

/* ---- data that moves first ---- */

static bool read_home(struct weighing *w, const sw_scheme *scheme, int array, struct any_type *to)
{
	const sw_array_type *is = &w->computation->array[array].is;
	sw_text text = {0};

	sw_distal_print_type(&w->computation->mesh, &is->type, &scheme->array[array].home, &text);
	const char *kept = sw_text_keep(&text, w->run->arena);
	if (kept == NULL)
		return sw_diag_memory(w->diag);
	return read_any_type(w->run, sw_str_of(kept), w->run->arena, to, w->diag);
}

/* The array goes from where it is kept to where it is read; what is made goes the other way. */
static bool plan_move(struct weighing *w, const sw_scheme *scheme, int array, struct move *move)
{
	const sw_array_type *is = &w->computation->array[array].is;
	struct plan_request asked = w->asked;
	sw_problem problem = {.mesh = w->computation->mesh};
	sw_plan_options options;
	struct any_type to;
	sw_plan *plan = SW_NEW(w->run->arena, sw_plan, 1);

	*move = (struct move){NULL, 0, 0};
	if (plan == NULL)
		return sw_diag_memory(w->diag);
	if (!read_home(w, scheme, array, &to))
		return false;
	problem.from = array > 0 ? is->type : to.type;
	problem.from_words = array > 0 ? is->words : to.words;
	problem.to = array > 0 ? to.type : is->type;
	problem.to_words = array > 0 ? to.words : is->words;
	problem.to.dtype = problem.from.dtype = is->type.dtype;
	plan_request_fit(&asked, &problem);
	if (!plan_request_options(&asked, &problem, NULL, &options, w->diag) ||
		!plan_find(w->run, &problem, &options, w->run->arena, plan, w->diag))
		return false;
	if (plan->program.steps == 0)
		return true;
	move->plan = plan;
	move->volume = sw_nearest(sw_plan_volume(plan) * (double)w->contest.processors);
	move->seconds = w->contest.machine != NULL ? sw_predict_seconds(plan, -1, w->contest.machine) : -1;
	return true;
}

static bool plan_moves(struct weighing *w, const sw_scheme *scheme, struct first_moved *one)
{
	for (int n = 0; n < scheme->arrays; n++) {
		if (!plan_move(w, scheme, n, &one->move[n]))
			return false;
		one->moved += one->move[n].volume;
		one->is.volumes[n] += one->move[n].volume;
		if (one->is.predicted >= 0)
			one->is.predicted = one->move[n].seconds < 0 ? -1 : one->is.predicted + one->move[n].seconds;
	}
	one->is.volume += one->moved;
	return true;
}

/* Where no plan leads, nothing is weighed. */
static bool move_first(struct weighing *w, const sw_scheme *scheme)
{
	struct first_moved one = {.moved = 0};
	sw_recipe *recipe = SW_NEW(w->run->arena, sw_recipe, 1);

	if (recipe == NULL)
		return sw_diag_memory(w->diag);
	if (!contest_write(&w->contest, scheme, w->run->arena, recipe, w->diag) ||
		!contender_of_recipe(recipe, w->contest.processors, w->run->arena, &one.is, w->diag))
		return false;
	one.is.name = "redistribute";
	contest_predict(&w->contest, &one.is);
	if (!plan_moves(w, scheme, &one)) {
		bool ends = w->diag->code == SW_S03 || w->diag->code == SW_E01;
		if (!ends)
			*w->diag = (sw_diag){.code = SW_OK};
		return !ends;
	}
	if (one.moved > 0 && (!w->moves || contest_is_better(&w->contest, &one.is, &w->moved.is))) {
		w->moved = one;
		w->moves = true;
	}
	return true;
}

/* ---- what is said ---- */

/* After how many times it has paid to move the inputs; 0: never. */
static int64_t pays_after(const struct weighing *w)
{
	int64_t once = w->moved.moved - w->moved.move[0].volume;
	int64_t each = w->adapted.volume - (w->moved.is.volume - once);

	return each > 0 ? once / each + 1 : 0;
}

static void add_advice(const struct weighing *w, sw_text *text)
{
	const struct contender *adapted = &w->adapted, *moved = &w->moved.is;
	bool better = !w->moves || !contest_is_better(&w->contest, moved, adapted);

	sw_text_addf(text, "%s: ", better ? "adapt the code" : "redistribute first");
	if (adapted->volume == 0)
		sw_text_add(text, "nothing moves where the arrays are");
	else
		sw_text_addf(text, "where the arrays are %s",
			words_plural(adapted->volume, "element moves", "elements move").text);
	if (!w->moves) {
		sw_text_add(text, ", and other placements move just as much");
		return;
	}
	sw_text_addf(text, ", with other placements %s, %s of them to get there", words_count(moved->volume).text,
		words_count(w->moved.moved).text);
	int64_t times = pays_after(w);
	if (better && times > 0)
		sw_text_addf(text,
			"; that pays if the formula is computed %s times with the same "
			"inputs",
			words_count(times).text);
}

static void tell_moves(const struct weighing *w, struct fields *out)
{
	struct fields *list = field_list(out, "moves");

	for (int n = 0; w->moves && n < w->moved.is.arrays; n++) {
		const struct move *move = &w->moved.move[n];
		sw_text steps = {0};
		if (move->plan == NULL)
			continue;
		struct fields *in = field_object(list, NULL);
		words_steps(move->plan, "nothing", &steps);
		document_say(w->run->answer, 2, "%s %s: %s, %s", w->moved.is.array[n],
			n == 0 ? "goes back from there" : "goes there first",
			words_plural(move->volume, "element", "elements").text, sw_text_get(&steps));
		field_text(in, "array", w->moved.is.array[n]);
		field_ends(in, &move->plan->problem, true);
		field_int(in, "volume", move->volume);
		field_printed(in, "steps", &steps);
	}
}

static bool answer(const struct weighing *w)
{
	struct document *document = w->run->answer;
	struct fields *out = document_fields(document, "shardwalk.advise-schedules/1");
	const struct contender both[] = {w->adapted, w->moved.is};
	bool second = w->moves && contest_is_better(&w->contest, &both[1], &both[0]);
	const struct contender sorted[] = {both[second], both[!second]};
	unsigned timed = w->contest.rates.bandwidth > 0 ? CONTENDERS_TIMED : 0;
	const struct rows rows = contenders_rows(sorted, w->moves ? 2 : 1, CONTENDERS_COMPARED | timed);
	sw_text text = {0};

	field_text(out, "statement", w->contest.statement);
	field_text(out, "by", w->contest.by_time ? "time" : "volume");
	if (!rows_answer(&rows, document, out, "schedules", w->diag))
		return false;
	add_advice(w, &text);
	document_say(document, 0, "%s", sw_text_get(&text));
	field_printed(out, "advice", &text);
	tell_moves(w, out);
	for (int n = 0; n < w->adapted.schedule->commands; n++) {
		sw_str command = sw_schedule_command_text(w->adapted.schedule, n);
		document_line(document, "%s.%.*s", n == 0 ? "schedule " : "", (int)command.length, command.at);
	}
	return true;
}

static bool begin(struct weighing *w)
{
	struct session *session = w->run->session;
	const struct kept_schedule *begun;

	if (!contest_begin(w->run, &w->contest, w->diag) || !plan_request_read(w->run, NULL, &w->asked, w->diag))
		return false;
	w->computation = session->state.formula->computation;
	begun = session_schedule_begun(session, w->diag);
	if (begun == NULL || !contest_scheme(&w->contest, &w->family, w->diag))
		return false;
	w->problem = begun->problem;
	assert(sw_mesh_levels(&w->computation->mesh) <= 1);
	if (w->computation->mesh.count <= SW_SCHEME_AXES)
		return true;
	sw_diag_set(w->diag, SW_S02, (sw_span){0, 0}, "the mesh has %d axes", w->computation->mesh.count);
	sw_diag_expected(w->diag, "at most %d", SW_SCHEME_AXES);
	return false;
}

bool advise_schedules(struct invocation *run, sw_diag *diag)
{
	struct weighing *w = SW_NEW_ZERO(run->arena, struct weighing, 1);
	int letter[SW_MAX_AXES];

	if (w == NULL)
		return sw_diag_memory(diag);
	w->run = run;
	w->diag = diag;
	if (!begin(w) || !each_letters(w, 0, letter, adapt) || !each_letters(w, 0, letter, move_first))
		return false;
	assert(w->adapts);
	contest_name_arrays(run, w->contest.formula, &w->adapted);
	return answer(w);
}
