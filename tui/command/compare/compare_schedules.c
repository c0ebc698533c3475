/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare of the last formula: every theory of how to compute it, in one table.
 */
#include "command/compare/compare_schedules.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/computation.h>
#include <shardwalk/number.h>
#include <shardwalk/planned.h>

#include "answer/watch.h"
#include "command/programs/algorithm.h"
#include "command/programs/product_ways.h"
#include "session/schedules.h"

#define SENDERS_MOST (1 << 16) /* steps of processors, of which it is looked at who sends */
#define EXACT_MOST (1 << 12)   /* and at what their points touch */

bool schedules_are_present(const struct session *session)
{
	const struct state *state = &session->state;

	return state->formula != NULL && !state->entered &&
		(state->subject == SUBJECT_FORMULA || state->subject == SUBJECT_SCHEDULE);
}

/* ---- what they are measured by ---- */

/* What was measured here has no row: the rates of its first messages, and of its products. */
static void rates_of(const sw_machine *machine, int64_t processors, sw_dtype dtype, sw_schedule_rates *rates)
{
	const sw_hardware *hardware = machine->hardware;

	if (hardware != NULL) {
		bool far = hardware->node > 0 && processors > hardware->node;
		sw_schedule_rates_of(hardware, processors, sw_dtype_bytes(dtype), far, rates);
		rates->flops = sw_hardware_flops(hardware, dtype);
		return;
	}
	*rates = (sw_schedule_rates){.flops = sw_larger(0, sw_nearest(floor(sw_machine_flops(machine)))),
		.bandwidth = machine->count > 0 ? machine->rate[0].bandwidth : 0,
		.latency = machine->count > 0 ? machine->rate[0].alpha : 0,
		.bytes = sw_dtype_bytes(dtype)};
}

static sw_dtype dtype_of(const sw_computation *computation)
{
	return computation->array[0].is.known ? computation->array[0].is.type.dtype : SW_F64;
}

/* The bound of live memory in elements; `2x` is twice what a device holds at most. */
static bool read_live(const struct size *size, const sw_computation *computation, int64_t *live, sw_diag *diag)
{
	int64_t held = 0, found;
	sw_problem problem = {0};

	for (int64_t d = 0; size->unit == SIZE_TIMES && d < computation->mesh.devices; d++) {
		int64_t here = 0;
		for (int n = 0; n < computation->formula.arrays; n++)
			here += sw_holding_size(&computation->array[n].held, d);
		held = sw_larger(held, here);
	}
	if (!sw_type_replicated(dtype_of(computation), 1, (const int64_t[]){sw_larger(1, held)}, &problem.from, diag))
		return false;
	problem.to = problem.from;
	if (!size_elements(size, &problem, &found, diag))
		return false;
	*live = size->unit == SIZE_NONE ? SW_NO_BOUND : found;
	return true;
}

bool contest_begin(const struct invocation *run, struct contest *contest, sw_diag *diag)
{
	const sw_computation *computation = run->session->state.formula->computation;
	struct plan_request asked;

	if (!plan_request_read(run, NULL, &asked, diag) ||
		!compare_machine(&asked, computation->mesh.devices, &contest->machine, diag))
		return false;
	contest->schedules = session_schedule_begun(run->session, &contest->why) != NULL;
	contest->formula = &computation->formula;
	contest->statement = run->session->state.formula->text;
	contest->processors = computation->mesh.devices;
	if (!read_live(&asked.live, computation, &contest->live, diag))
		return false;
	if (contest->machine != NULL)
		rates_of(contest->machine, contest->processors, dtype_of(computation), &contest->rates);
	contest->by_time = contest->machine != NULL && contest->rates.bandwidth > 0 && asked.model != SW_MODEL_VOLUME;
	return true;
}

/* ---- rows ---- */

static struct contender *add(struct contest *contest, const char *name)
{
	struct contender *c = &contest->contender[contest->count++];

	assert(contest->count <= CONTENDERS_MOST);
	*c = contender_blank(name);
	c->steps = 1;
	return c;
}

static void leave_out(const struct invocation *run, struct contest *contest, const char *name, const char *why)
{
	struct left_out *out = &contest->left_out[contest->left_out_count++];

	assert(contest->left_out_count <= CONTENDERS_MOST);
	*out = (struct left_out){name, sw_arena_copy(run->arena, why, strlen(why))};
}

/* ---- owner computes ---- */

int64_t contest_flops_of_element(const sw_formula *formula)
{
	int64_t flops = 0;

	for (int term = 0; term < formula->sum.terms; term++) {
		bool has[SW_MAX_LETTERS] = {false};
		int64_t points = formula->sum.term[term].factors;
		for (int n = 1; n < formula->accesses; n++)
			for (int d = 0; formula->access[n].term == term && d < formula->array[formula->access[n].array].rank;
				 d++) {
				const char *at = memchr(formula->letter, formula->access[n].index[d].letter,
					(size_t)formula->letters);
				if (at != NULL)
					has[at - formula->letter] = true;
			}
		for (int letter = formula->kept; letter < formula->letters; letter++)
			points *= has[letter] ? formula->size[letter] : 1;
		flops += points;
	}
	return flops;
}

/* What devices receive and send, and keep beside what they hold: a need that is not at home as a whole. */
struct loads {
	int64_t devices;
	int64_t *received, *sent, *held, *live;
};

static bool add_array(const sw_computed *array, const sw_formula_array *is, struct loads *loads, sw_arena *arena,
	int64_t *volume)
{
	sw_tally *tally = SW_NEW(arena, sw_tally, loads->devices);
	(void)is;

	if (tally == NULL || (array->relation != NULL && !sw_relation_tally(array->relation, SW_SENDER_BALANCED, tally)))
		return false;
	*volume = 0;
	for (int64_t d = 0; d < loads->devices; d++) {
		int64_t held = sw_holding_size(&array->held, d);
		loads->held[d] += held;
		loads->live[d] += held;
		if (array->relation == NULL)
			continue;
		loads->received[d] += tally[d].in;
		loads->sent[d] += tally[d].out;
		loads->live[d] += array->need == NULL ? (tally[d].held > tally[d].kept ? tally[d].held : 0) :
			tally[d].in > 0                   ? tally[d].needed :
												0;
		*volume += tally[d].in;
	}
	return true;
}

static int64_t most_of(const int64_t *list, int64_t count)
{
	int64_t most = 0;

	for (int64_t k = 0; k < count; k++)
		most = sw_larger(most, list[k]);
	return most;
}

static void take_loads(const sw_computation *computation, const struct loads *loads, struct contender *c)
{
	int64_t most = 0;

	c->received = most_of(loads->received, loads->devices);
	c->sent = most_of(loads->sent, loads->devices);
	c->held = most_of(loads->held, loads->devices);
	c->peak = c->peak_overlap = most_of(loads->live, loads->devices);
	c->idle = 0;
	c->excess = 0;
	for (int64_t d = 0; d < loads->devices; d++) {
		int64_t made = sw_holding_size(&computation->made, d);
		most = sw_larger(most, made);
		c->idle += made == 0;
	}
	c->flops = most * contest_flops_of_element(&computation->formula);
}

bool contest_add_owner(const struct invocation *run, struct contest *contest, sw_diag *diag)
{
	const sw_computation *computation = run->session->state.formula->computation;
	int64_t devices = computation->mesh.devices;
	struct loads loads = {devices, SW_NEW_ZERO(run->arena, int64_t, devices),
		SW_NEW_ZERO(run->arena, int64_t, devices), SW_NEW_ZERO(run->arena, int64_t, devices),
		SW_NEW_ZERO(run->arena, int64_t, devices)};
	struct contender *c = add(contest, "owner");

	if (loads.received == NULL || loads.sent == NULL || loads.held == NULL || loads.live == NULL)
		return sw_diag_memory(diag);
	c->mesh = &computation->mesh;
	c->volume = 0;
	for (int n = 0; n < computation->formula.arrays; n++) {
		const sw_formula_array *array = &computation->formula.array[n];
		int64_t volume;
		if (!add_array(&computation->array[n], array, &loads, run->arena, &volume))
			return sw_diag_memory(diag);
		c->volume += volume;
		if (n >= SW_SCHEME_ARRAYS)
			continue;
		c->arrays = n + 1;
		c->array[n] = sw_arena_copy(run->arena, array->name.at, array->name.length);
		c->volumes[n] = volume;
	}
	take_loads(computation, &loads, c);
	return true;
}

/* ---- einsum ---- */

/* Elements that arrive on a device in all redistributions of a way, on average. */
static double moved_of(const sw_program *planned)
{
	double moved = 0;

	for (int s = 0; s < planned->steps; s++)
		if (planned->step[s].inside != NULL)
			moved += sw_plan_volume(planned->step[s].inside);
	return moved;
}

/* The tiles of both ends: those that are multiplied, and beside them others that are held. */
static void take_memory(const struct product_ways *found, const sw_way *way, struct contender *c)
{
	const sw_type *const home[] = {&found->product.a, &found->product.b, &found->product.as};
	sw_type types[3];

	sw_ways_types(&found->ways, way, types);
	c->held = 0;
	c->peak = way->memory;
	for (int k = 0; k < 3; k++) {
		int64_t size = sw_type_localsize(home[k]);
		c->held += size;
		c->peak += sw_type_equal(home[k], &types[k]) ? 0 : size;
	}
}

static bool way_row(const struct invocation *run, const struct product_ways *found, struct contest *contest,
	sw_diag *why)
{
	sw_program planned;
	double seconds;
	int64_t number = 1;

	if (found->ways.fitting == 0)
		return sw_diag_set(why, SW_S01, (sw_span){0, 0}, "no way fits into the memory limit");
	if (!product_way_best(run, found, &number, &seconds, &planned, why))
		return false;
	const sw_way *way = &found->ways.way[number - 1];
	struct contender *c = add(contest, "einsum");
	double moved = moved_of(&planned);
	c->mesh = &run->session->state.formula->computation->mesh;
	c->steps = planned.steps;
	c->received = sw_nearest(moved);
	c->volume = sw_nearest(moved * (double)contest->processors);
	c->flops = way->flops;
	c->idle = 0;
	c->excess = 0;
	c->predicted = seconds;
	c->measured = product_way_measured(run, found, number);
	take_memory(found, way, c);
	return true;
}

/* Is the product of the formula one that has ways here? */
static bool add_einsum(const struct invocation *run, struct contest *contest, sw_diag *diag)
{
	const struct state *state = &run->session->state;
	struct product_ways *found = SW_NEW(run->arena, struct product_ways, 1);
	sw_diag why = {.code = SW_OK};

	if (found == NULL)
		return sw_diag_memory(diag);
	if (!state->formula->product || state->product == NULL) {
		leave_out(run, contest, "einsum",
			"the statement is not a product of two arrays that are cut into "
			"tiles");
		return true;
	}
	if (product_ways_find(run, found, &why) && way_row(run, found, contest, &why))
		return true;
	if (why.code == SW_S03 || why.code == SW_E01) {
		*diag = why;
		return false;
	}
	leave_out(run, contest, "einsum", why.message);
	return true;
}

/* ---- recipes ---- */

static bool add_recipe(const struct invocation *run, const sw_recipe *recipe, struct contest *contest, sw_diag *diag)
{
	struct contender *c = add(contest, "");
	sw_diag why;

	if (recipe->exact ? contender_of_recipe(recipe, contest->processors, run->arena, c, &why) :
						contest_lower(run, recipe, c, &why))
		return true;
	contest->count--;
	if (why.code == SW_E01 || why.code == SW_S03)
		*diag = why;
	leave_out(run, contest, recipe->algorithm != NULL ? recipe->algorithm->name : "best", why.message);
	return why.code != SW_E01 && why.code != SW_S03;
}

/* Its recipe for the formula; false: it has none, `why` says the reason, OK where it computes something else. */
static bool recipe_of(struct invocation *run, const struct contest *contest, const sw_schedule_algorithm *algorithm,
	sw_recipe *recipe, sw_diag *why)
{
	sw_recipe_question question;

	if (!algorithm_question(run, algorithm, &question, why))
		return false;
	if (contest->any_machine)
		question.axes = 0;
	return sw_recipe_of(algorithm, &question, run->arena, recipe, why);
}

static bool add_algorithm(struct invocation *run, const sw_schedule_algorithm *algorithm, struct contest *contest,
	sw_diag *diag)
{
	sw_recipe *recipe = SW_NEW(run->arena, sw_recipe, 1);
	bool matrices = strcmp(algorithm->statement, sw_schedule_algorithm_at(0)->statement) == 0;
	sw_diag why;

	if (recipe == NULL)
		return sw_diag_memory(diag);
	if (recipe_of(run, contest, algorithm, recipe, &why))
		return add_recipe(run, recipe, contest, diag);
	if (why.code == SW_E01)
		*diag = why;
	else if (why.code != SW_OK || matrices)
		leave_out(run, contest, algorithm->name,
			why.code != SW_OK ? why.message :
								"the statement is not a product of two matrices, A(i,j) = B(i,k) * C(k,j)");
	return why.code != SW_E01;
}

static bool add_algorithms(struct invocation *run, struct contest *contest, sw_diag *diag)
{
	const sw_schedule_algorithm *algorithm;

	for (int n = 0; (algorithm = sw_schedule_algorithm_at(n)) != NULL; n++)
		if (sw_schedule_algorithm_named(sw_str_of(algorithm->name)) == algorithm &&
			!add_algorithm(run, algorithm, contest, diag))
			return false;
	return true;
}

static void leave_out_best(const struct invocation *run, struct contest *contest, const sw_diag *why)
{
	sw_text text = {0};
	const char *reason;

	sw_text_add(&text, why->message);
	if (*why->found && why->code == SW_S02)
		sw_text_addf(&text, ": %s", why->found);
	if (*why->expected && why->code == SW_S01)
		sw_text_addf(&text, ": %s", why->expected);
	reason = sw_text_keep(&text, run->arena);
	leave_out(run, contest, "best", reason != NULL ? reason : why->message);
}

static bool add_best(const struct invocation *run, struct contest *contest, sw_diag *diag)
{
	sw_recipe *recipe = SW_NEW(run->arena, sw_recipe, 1);
	sw_diag why;

	if (recipe == NULL)
		return sw_diag_memory(diag);
	if (contest_best(contest, run->arena, recipe, &why))
		return add_recipe(run, recipe, contest, diag);
	if (why.code == SW_E01)
		*diag = why;
	leave_out_best(run, contest, &why);
	return why.code != SW_E01;
}

/* ---- one's own ---- */

void contest_name_arrays(const struct invocation *run, const sw_formula *formula, struct contender *contender)
{
	for (int n = 0; n < contender->arrays; n++)
		contender->array[n] = sw_arena_copy(run->arena, formula->array[n].name.at, formula->array[n].name.length);
}

bool contest_add_own(const struct invocation *run, struct contest *contest, sw_diag *diag)
{
	const struct kept_schedule *kept = session_kept_schedule(&run->session->state);
	sw_schedule_totals totals;
	struct watch watch;
	bool ok;

	if (kept == NULL || kept->lowering == NULL) {
		leave_out(run, contest, "own",
			"you have not written a schedule for this formula; `schedule .distribute(...)` begins one");
		return true;
	}
	int64_t work = kept->lowering->steps <= SENDERS_MOST ? kept->lowering->steps * contest->processors : INT64_MAX;
	watch_start(&watch, run->session->console);
	ok = sw_lowering_totals(kept->lowering, work <= SENDERS_MOST, &watch.pulse, run->arena, &totals, diag) &&
		(work > EXACT_MOST || sw_lowering_exact(kept->lowering, &watch.pulse, &totals, diag));
	watch_end(&watch);
	if (!ok)
		return false;
	struct contender *c = add(contest, "own");
	contender_of_totals(kept->lowering, &totals, c);
	contest_name_arrays(run, contest->formula, c);
	return true;
}

/* ---- order ---- */

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_merit(const struct contender *a, const struct contender *b, bool by_time, int64_t live)
{
	bool over[] = {a->peak > live, b->peak > live};
	int order = compare_numbers(over[0], over[1]);

	if (order == 0 && by_time)
		order = (a->predicted > b->predicted * (1 + 1e-9)) - (b->predicted > a->predicted * (1 + 1e-9));
	if (order == 0)
		order = compare_numbers(a->volume, b->volume);
	if (order == 0)
		order = compare_numbers(a->peak, b->peak);
	return order != 0 ? order : compare_numbers(a->steps, b->steps);
}

bool contest_is_better(const struct contest *contest, const struct contender *contender,
	const struct contender *other)
{
	return by_merit(contender, other, contest->by_time, contest->live) < 0;
}

void contest_predict(const struct contest *contest, struct contender *contender)
{
	if (contest->rates.bandwidth > 0)
		contender_predict(&contest->rates, contender);
}

/* Equal ones stay as they are listed. */
static void sort(struct contest *contest)
{
	for (int n = 1; n < contest->count; n++) {
		struct contender one = contest->contender[n];
		int at = n;
		for (; at > 0 && contest_is_better(contest, &one, &contest->contender[at - 1]); at--)
			contest->contender[at] = contest->contender[at - 1];
		contest->contender[at] = one;
	}
}

/* One's own as it grew, or as it is in the session. */
static bool find_own(const struct invocation *run, struct contest *contest, sw_diag *diag)
{
	const char *why = contest->no_own != NULL ? contest->no_own : contest->no_arrays;

	if (contest->own == NULL && why == NULL)
		return contest_add_own(run, contest, diag);
	if (contest->own == NULL) {
		leave_out(run, contest, "own", why);
		return true;
	}
	int before = contest->count;
	if (!add_recipe(run, contest->own, contest, diag))
		return false;
	if (contest->count > before)
		contest->contender[before].name = "own";
	else
		contest->left_out[contest->left_out_count - 1].name = "own";
	return true;
}

/* What follows from where the arrays of the session are. */
static bool find_by_arrays(const struct invocation *run, struct contest *contest, sw_diag *diag)
{
	if (contest->no_arrays == NULL)
		return add_einsum(run, contest, diag) && contest_add_owner(run, contest, diag);
	leave_out(run, contest, "einsum", contest->no_arrays);
	leave_out(run, contest, "owner", contest->no_arrays);
	return true;
}

bool contest_find(struct invocation *run, struct contest *contest, sw_diag *diag)
{
	if (!add_best(run, contest, diag) || !find_own(run, contest, diag) || !add_algorithms(run, contest, diag) ||
		!find_by_arrays(run, contest, diag))
		return false;
	for (int n = 0; n < contest->count; n++) {
		contest_predict(contest, &contest->contender[n]);
		if (strcmp(contest->contender[n].name, "einsum") != 0)
			contest_measure(run, contest, &contest->contender[n]);
	}
	sort(contest);
	return true;
}
