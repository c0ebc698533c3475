/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The moments of a program: steps of plans, steps without a plan, and steps of schedules; what devices have of each array then.
 *
 * Of an array there are spans of moments: in each it is that of a plan step by step, or a value, with buffers beside it.  Holdings of values
 * are made when somebody asks for them.
 */
#include <shardwalk/moments.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/local.h>
#include <shardwalk/schedule_program.h>
#include <shardwalk/simulate.h>
#include <shardwalk/transfers.h>

#include "plan/owners.h"

#define BESIDE SW_MAX_AXES /* buffers of an array, one a level at most */

/* ---- the arrays of a program ---- */

static int array_new(sw_moments *moments, int *first, int value)
{
	first[moments->arrays] = value;
	return moments->arrays++;
}

static int left_side(const sw_moments *moments, const int *array, const sw_step *step)
{
	const int home = step->iteration->home[0];

	if (home != SW_NO_OPERAND)
		return array[step->operand[home]];
	for (int i = 0; i < step->operands; i++)
		if (sw_step_does(&moments->program->step[step->operand[i] - moments->program->inputs], SW_DOES_START))
			return array[step->operand[i]];
	return -1;
}

/* The array that step `s` makes a value of; -1: a new one. */
static int array_of_step(const sw_moments *moments, const int *array, int s)
{
	const sw_step *step = &moments->program->step[s];
	int value = sw_program_value_of(moments->program, s);

	if (sw_step_does(step, SW_DOES_FETCH)) {
		const sw_lowering *lowering = step->iteration->lowering;
		int home = step->iteration->home[lowering->fetch[step->iteration->fetch].array];
		return home != SW_NO_OPERAND ? array[step->operand[home]] : -1;
	}
	if (step->iteration != NULL && !sw_step_does(step, SW_DOES_START))
		return left_side(moments, array, step);
	return sw_program_origin(moments->program, value) != value ? array[step->operand[0]] : -1;
}

static bool find_arrays(sw_moments *moments, sw_arena *arena)
{
	const sw_program *program = moments->program;
	int *array = SW_NEW(arena, int, program->values + 1), *first = SW_NEW(arena, int, program->values + 1);

	moments->array = array;
	moments->first = first;
	if (array == NULL || first == NULL)
		return false;
	for (int value = 0; value < program->values; value++) {
		int s = sw_program_maker(program, value), is = s < 0 ? -1 : array_of_step(moments, array, s);
		array[value] = is >= 0 ? is : array_new(moments, first, value);
	}
	return true;
}

/* ---- moments ---- */

/* What is found out of a moment when somebody asks for it. */
struct found {
	const int64_t *moved; /* elements of each array, -1: not known; NULL: nobody asked */
	double flops;         /* negative: nobody asked */
};

/* Steps by moments, and what was asked for. */
struct sw_moments_in {
	const sw_program *program;
	sw_arena *arena;
	struct found *found; /* of each moment */
	int *from;           /* of each moment, and of one behind the last, the first of its steps in the list */
	int *steps;          /* by moments, each in its order */
	const sw_plan *const *plan;
};

static const sw_plan *plan_of(const struct sw_moments_in *in, int s)
{
	const sw_plan *plan = in->program->step[s].inside;

	return plan == NULL && in->plan != NULL ? in->plan[s] : plan;
}

/* Steps `s` and those behind it that are of one schedule; *last: the last moment that they make. */
static int take_schedule(const sw_moments *moments, int s, int *at, int before, int *last)
{
	const sw_step *step = moments->program->step;
	const sw_lowering *lowering = step[s].iteration->lowering;

	*last = before;
	for (; s < moments->program->steps && step[s].iteration != NULL && step[s].iteration->lowering == lowering; s++) {
		at[s] = before + 1 + (int)step[s].iteration->step;
		*last = at[s] > *last ? at[s] : *last;
	}
	return s;
}

/* Numbers moments; false: there are too many. */
static bool number_moments(sw_moments *moments, const struct sw_moments_in *in, const bool *moves, int *at)
{
	const sw_program *program = moments->program;
	int64_t count = 0;

	for (int s = 0; s < program->steps;) {
		const sw_plan *plan = plan_of(in, s);
		if (program->step[s].iteration != NULL) {
			int last;
			s = take_schedule(moments, s, at, (int)count, &last);
			count = last;
			continue;
		}
		bool makes = sw_program_origin(program, sw_program_value_of(program, s)) == sw_program_value_of(program, s);
		count += makes ? 1 : !moves[s] ? 0 : plan != NULL ? plan->program.steps : 1;
		if (count > SW_MAX_MOMENTS)
			return false;
		at[s++] = (int)count;
	}
	moments->count = (int)count;
	return count <= SW_MAX_MOMENTS;
}

static void fill_moments(const sw_moments *moments, const struct sw_moments_in *in, sw_moment *moment)
{
	for (int s = 0; s < moments->program->steps; s++) {
		const sw_plan *plan = plan_of(in, s);
		const sw_iteration *iteration = moments->program->step[s].iteration;
		int before = s > 0 ? moments->at[s - 1] : 0, last = moments->at[s];

		if (iteration != NULL)
			moment[last - 1] = (sw_moment){.step = s, .iteration = iteration->step + 1};
		else
			for (int k = before; k < last; k++)
				moment[k] = (sw_moment){.step = s, .plan = plan, .inside = k - before};
	}
}

/* A step belongs to its last moment, and a plan's to all before it that are its own. */
static void sort_steps(const sw_moments *moments, struct sw_moments_in *in)
{
	memset(in->from, 0, (size_t)(moments->count + 2) * sizeof *in->from);
	for (int s = 0; s < moments->program->steps; s++)
		in->from[moments->at[s] + 1]++;
	for (int k = 0; k <= moments->count; k++)
		in->from[k + 1] += in->from[k];
	for (int s = moments->program->steps - 1; s >= 0; s--)
		in->steps[--in->from[moments->at[s] + 1]] = s;
	memmove(in->from, in->from + 1, (size_t)(moments->count + 1) * sizeof *in->from);
	in->from[moments->count + 1] = moments->program->steps;
}

static bool *moving_steps(const sw_program *program, sw_arena *arena)
{
	bool *moves = SW_NEW_ZERO(arena, bool, program->steps + 1);

	for (int s = sw_program_next_move(program, -1); moves != NULL && s >= 0; s = sw_program_next_move(program, s))
		moves[s] = true;
	return moves;
}

static bool found_new(struct sw_moments_in *in, int count, sw_arena *arena)
{
	in->arena = arena;
	in->found = SW_NEW(arena, struct found, count + 1);
	for (int k = 0; in->found != NULL && k <= count; k++)
		in->found[k] = (struct found){.moved = NULL, .flops = -1};
	return in->found != NULL;
}

static bool find_moments(sw_moments *moments, struct sw_moments_in *in, sw_arena *arena, sw_diag *diag)
{
	int steps = moments->program->steps;
	const bool *moves = moving_steps(moments->program, arena);
	int *at = SW_NEW_ZERO(arena, int, steps + 1);

	moments->at = at;
	if (moves == NULL || at == NULL)
		return sw_diag_memory(diag);
	if (!number_moments(moments, in, moves, at)) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "the program has more than %d moments", SW_MAX_MOMENTS);
		return false;
	}
	sw_moment *moment = SW_NEW_ZERO(arena, sw_moment, moments->count + 1);
	in->from = SW_NEW(arena, int, moments->count + 2);
	in->steps = SW_NEW(arena, int, steps + 1);
	moments->moment = moment;
	if (moment == NULL || in->from == NULL || in->steps == NULL || !found_new(in, moments->count, arena))
		return sw_diag_memory(diag);
	fill_moments(moments, in, moment);
	sort_steps(moments, in);
	return true;
}

/* ---- what devices have of an array ---- */

/* From a moment on. */
struct span {
	int from;
	int begins;            /* the value that it begins with */
	int ends;              /* and that a plan makes of it */
	const sw_owners *plan; /* after its first step, and so on; NULL: */
	int values;            /* the first is the home */
	int value[1 + BESIDE];
};

struct of_program {
	struct sw_owners owners;
	const sw_program *program;
	int spans, room;
	struct span *span;
	sw_holding **holding; /* of each value of the program, once it was asked for */
	sw_arena *arena;
};

static const struct of_program *program_owners(const sw_owners *owners)
{
	return (const struct of_program *)owners;
}

static const struct span *span_at(const struct of_program *of, int k)
{
	int low = 0, high = of->spans;

	while (low < high) {
		int middle = (low + high) / 2;
		if (of->span[middle].from <= k)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &of->span[low - 1] : NULL;
}

static int inside(const struct span *span, int k)
{
	int steps = sw_owners_steps(span->plan);

	return k - span->from + 1 < steps ? k - span->from + 1 : steps;
}

/* NULL: no memory. */
static const sw_holding *holding_of(const struct of_program *of, int value)
{
	if (of->holding[value] == NULL) {
		sw_holding *holding = SW_NEW(of->arena, sw_holding, 1);
		if (holding == NULL || !sw_program_holding(of->program, value, of->arena, holding))
			return NULL;
		of->holding[value] = holding;
	}
	return of->holding[value];
}

static const sw_holding *program_holding(const sw_owners *owners, int k)
{
	const struct of_program *of = program_owners(owners);
	const struct span *span = span_at(of, k);

	if (span == NULL)
		return NULL;
	return span->plan != NULL ? sw_owners_holding(span->plan, inside(span, k)) : holding_of(of, span->value[0]);
}

/* The number that a term has where a span begins: plans that made what it begins with have added terms up. */
static int64_t number_before(const struct of_program *of, const struct span *span, const int64_t *index, int64_t term)
{
	for (const struct span *before = span - 1; before >= of->span; before--) {
		if (before->plan == NULL || before->ends != span->begins)
			continue;
		term = number_before(of, before, index, term);
		return term < before->plan->terms ?
			before->plan->kind->number(before->plan, before->plan->steps, index, term) :
			0;
	}
	return term;
}

static int64_t program_number(const sw_owners *owners, int k, const int64_t *index, int64_t term)
{
	const struct of_program *of = program_owners(owners);
	const struct span *span = span_at(of, k);

	term = number_before(of, span, index, term);
	return span->plan != NULL && term < span->plan->terms ?
		span->plan->kind->number(span->plan, inside(span, k), index, term) :
		term;
}

/* Of values whose terms are not told apart any device that has some. */
static int64_t first_of_any(const sw_holding *holding, const int64_t *index)
{
	for (int64_t device = 0; device < holding->devices; device++)
		if (sw_holding_has(holding, device, index))
			return device;
	return -1;
}

static int64_t program_at(const sw_owners *owners, int k, const int64_t *index, int64_t term)
{
	const struct of_program *of = program_owners(owners);
	const struct span *span = span_at(of, k);
	const sw_holding *holding = program_holding(owners, k);

	if (span == NULL || holding == NULL)
		return -1;
	term = number_before(of, span, index, term);
	if (span->plan != NULL)
		return sw_owners_at(span->plan, inside(span, k), index, term < span->plan->terms ? term : 0);
	if (of->program->value[span->value[0]].words != NULL)
		return first_of_any(holding, index);
	return sw_holding_first(holding, index, term < holding->terms ? term : 0);
}

static bool program_has(const sw_owners *owners, int k, int64_t device, const int64_t *index)
{
	const struct of_program *of = program_owners(owners);
	const struct span *span = span_at(of, k);
	bool has = false;

	if (span != NULL && span->plan != NULL)
		return sw_owners_has(span->plan, inside(span, k), device, index);
	for (int i = 0; span != NULL && i < span->values && !has; i++) {
		const sw_holding *holding = holding_of(of, span->value[i]);
		has = holding != NULL && sw_holding_has(holding, device, index);
	}
	return has;
}

/* Where terms are not told apart whoever has the element has some. */
static bool program_adds(const sw_owners *owners, int k, int64_t device, const int64_t *index, int64_t term)
{
	const struct of_program *of = program_owners(owners);
	const struct span *span = span_at(of, k);
	const sw_holding *holding = program_holding(owners, k);

	if (span == NULL || holding == NULL)
		return false;
	term = number_before(of, span, index, term);
	if (span->plan != NULL)
		return sw_owners_adds(span->plan, inside(span, k), device, index, term < span->plan->terms ? term : 0);
	if (of->program->value[span->value[0]].words != NULL)
		return program_has(owners, k, device, index);
	return sw_holding_adds(holding, device, index, term < holding->terms ? term : 0);
}

static int64_t program_beside(const sw_owners *owners, int k, const int64_t *index)
{
	const struct of_program *of = program_owners(owners);
	const struct span *span = span_at(of, k);
	int64_t first = -1;

	for (int i = 1; span != NULL && span->plan == NULL && i < span->values; i++) {
		const sw_holding *holding = holding_of(of, span->value[i]);
		int64_t device = holding != NULL ? first_of_any(holding, index) : -1;
		first = first < 0 || (device >= 0 && device < first) ? device : first;
	}
	return first;
}

/* At home and in buffers. */
static bool program_region(const sw_owners *owners, int k, int64_t device, sw_arena *arena, sw_region *region)
{
	const struct of_program *of = program_owners(owners);
	const struct span *span = span_at(of, k);
	bool made = true;

	if (span != NULL && span->plan != NULL)
		return sw_owners_region(span->plan, inside(span, k), device, arena, region);
	*region = (sw_region){.rank = 0};
	for (int i = 0; made && span != NULL && i < span->values; i++) {
		const sw_holding *holding = holding_of(of, span->value[i]);
		sw_region one, before = *region;
		made = holding != NULL && sw_holding_region(holding, device, arena, &one);
		if (made && i > 0)
			made = sw_region_union(&before, &one, arena, region);
		else if (made)
			*region = one;
	}
	return made;
}

static void program_print(const sw_owners *owners, int k, int64_t device, sw_text *text)
{
	const struct of_program *of = program_owners(owners);
	const struct span *span = span_at(of, k);
	const char *before = "";

	if (span != NULL && span->plan != NULL)
		sw_owners_print(span->plan, inside(span, k), device, text);
	for (int i = 0; span != NULL && span->plan == NULL && i < span->values; i++) {
		const sw_holding *holding = holding_of(of, span->value[i]);
		if (holding == NULL || (i > 0 && sw_holding_size(holding, device) <= 0))
			continue;
		sw_text_add(text, before);
		sw_holding_print(holding, device, text);
		before = " and ";
	}
}

static const struct sw_owners_kind kind_of_program = {program_holding, program_number, program_at, program_has,
	program_adds, program_beside, program_region, program_print};

/* ---- made ---- */

/* What an array is at the moment that was come to. */
struct present {
	int home;
	int buffer[BESIDE];    /* of each level; SW_NO_OPERAND: none */
	int64_t until[BESIDE]; /* step of the schedule, which has it not any more */
};

struct making {
	sw_moments *moments;
	struct sw_moments_in *in;
	struct of_program *of;
	struct present *now;
	sw_arena *arena;
	sw_diag *diag;
};

static struct span *span_add(struct making *m, int array, int from)
{
	struct of_program *of = &m->of[array];

	if (of->spans == of->room) {
		int room = 2 * of->room + 4;
		struct span *span = SW_NEW(m->arena, struct span, room);
		if (span == NULL)
			return NULL;
		if (of->spans > 0)
			memcpy(span, of->span, (size_t)of->spans * sizeof *span);
		of->span = span;
		of->room = room;
	}
	struct span *added = &of->span[of->spans++];
	*added = (struct span){.from = from};
	return added;
}

/* A plan of which no one sum says what devices have is one change, at its end. */
static bool add_plan(struct making *m, int array, int s)
{
	const sw_plan *plan = plan_of(m->in, s);
	const sw_owners *owners = sw_owners_of_plan(plan, m->arena, NULL);
	struct span *span;

	if (owners == NULL || plan->program.steps == 0)
		return true;
	span = span_add(m, array, m->moments->at[s] - plan->program.steps + 1);
	if (span == NULL)
		return false;
	span->plan = owners;
	span->begins = m->moments->program->step[s].operand[0];
	span->ends = sw_program_value_of(m->moments->program, s);
	if (owners->terms > m->of[array].owners.terms)
		m->of[array].owners.terms = owners->terms;
	return true;
}

static void put_buffer(struct present *now, const sw_iteration *iteration, int value)
{
	const sw_fetch *fetch = &iteration->lowering->fetch[iteration->fetch];

	assert(fetch->level >= 1 && fetch->level <= BESIDE);
	now->buffer[fetch->level - 1] = value;
	now->until[fetch->level - 1] = (iteration->step / fetch->every + 1) * fetch->every;
}

/* Sums that are not added up where they are kept are in a buffer until they are given away. */
static void put_sum(struct present *now, const sw_step *step, int value)
{
	const sw_iteration *iteration = step->iteration;
	bool buffered = sw_step_does(step, SW_DOES_LEAF) && !iteration->in_place,
		 given = sw_step_does(step, SW_DOES_GIVE);

	if (buffered || (given && iteration->to_copies)) {
		int level = buffered ? BESIDE : 1;
		now->buffer[level - 1] = value;
		now->until[level - 1] = INT64_MAX;
		if (given)
			now->buffer[BESIDE - 1] = SW_NO_OPERAND;
		return;
	}
	now->home = value;
	for (int i = 0; given && i < BESIDE; i++)
		now->buffer[i] = SW_NO_OPERAND;
}

static void put(struct making *m, int s)
{
	const sw_step *step = &m->moments->program->step[s];
	int value = sw_program_value_of(m->moments->program, s);
	struct present *now = &m->now[m->moments->array[value]];

	if (sw_step_does(step, SW_DOES_FETCH))
		put_buffer(now, step->iteration, value);
	else if (step->iteration != NULL)
		put_sum(now, step, value);
	else
		now->home = value;
}

/* Is what it is now what its last span says? */
static bool same_span(const struct of_program *of, const struct span *span)
{
	const struct span *last = of->spans > 0 ? &of->span[of->spans - 1] : NULL;

	return last != NULL && last->plan == NULL && last->values == span->values &&
		memcmp(last->value, span->value, (size_t)span->values * sizeof *span->value) == 0;
}

/* What array `array` is after moment `k`, in iteration `iteration` of a schedule. */
static bool add_values(struct making *m, int array, int k, int64_t iteration)
{
	struct present *now = &m->now[array];
	struct of_program *of = &m->of[array];
	struct span span = {.from = k, .begins = now->home, .ends = now->home};

	if (now->home == SW_NO_OPERAND)
		return true;
	span.value[span.values++] = now->home;
	for (int i = 0; i < BESIDE; i++) {
		if (now->until[i] <= iteration)
			now->buffer[i] = SW_NO_OPERAND;
		if (now->buffer[i] != SW_NO_OPERAND)
			span.value[span.values++] = now->buffer[i];
	}
	const sw_value *home = &m->moments->program->value[now->home];
	int64_t terms = home->words == NULL ? sw_type_terms(home->type) : 1;
	of->owners.terms = terms > of->owners.terms ? terms : of->owners.terms;
	if (same_span(of, &span))
		return true;
	struct span *added = span_add(m, array, k);
	if (added != NULL)
		*added = span;
	return added != NULL;
}

/* The arrays that a step reads, and that it makes a value of. */
static bool add_step(struct making *m, int s, int k)
{
	const sw_moments *moments = m->moments;
	const sw_step *step = &moments->program->step[s];
	int64_t iteration = step->iteration != NULL ? step->iteration->step : 0;
	int made = moments->array[sw_program_value_of(moments->program, s)];

	if (plan_of(m->in, s) != NULL && k > 0)
		return add_plan(m, made, s) && (put(m, s), add_values(m, made, k, iteration));
	put(m, s);
	for (int i = 0; i < step->operands; i++)
		if (moments->array[step->operand[i]] != made &&
			!add_values(m, moments->array[step->operand[i]], k, iteration))
			return false;
	return add_values(m, made, k, iteration);
}

static bool add_moments(struct making *m)
{
	const sw_moments *moments = m->moments;

	for (int value = 0; value < moments->program->inputs; value++) {
		m->now[moments->array[value]].home = value;
		if (!add_values(m, moments->array[value], 0, 0))
			return false;
	}
	for (int k = 0; k <= moments->count; k++)
		for (int i = m->in->from[k]; i < m->in->from[k + 1]; i++)
			if (!add_step(m, m->in->steps[i], k))
				return false;
	return true;
}

static bool find_owners(sw_moments *moments, struct sw_moments_in *in, sw_arena *arena)
{
	struct making m = {.moments = moments, .in = in, .arena = arena};
	const sw_owners **owners = SW_NEW(arena, const sw_owners *, moments->arrays + 1);
	sw_holding **holding = SW_NEW_ZERO(arena, sw_holding *, moments->program->values + 1);

	m.of = SW_NEW_ZERO(arena, struct of_program, moments->arrays + 1);
	m.now = SW_NEW_ZERO(arena, struct present, moments->arrays + 1);
	if (owners == NULL || holding == NULL || m.of == NULL || m.now == NULL)
		return false;
	for (int a = 0; a < moments->arrays; a++) {
		m.of[a] = (struct of_program){.owners = {&kind_of_program, moments->count, 1},
			.program = moments->program,
			.holding = holding,
			.arena = arena};
		m.now[a].home = SW_NO_OPERAND;
		for (int i = 0; i < BESIDE; i++)
			m.now[a].buffer[i] = SW_NO_OPERAND;
		owners[a] = &m.of[a].owners;
	}
	moments->owners = owners;
	return add_moments(&m);
}

const sw_moments *sw_moments_of_program(const sw_program *program, const sw_plan *const *plan, sw_arena *arena,
	sw_diag *diag)
{
	sw_moments *moments = SW_NEW_ZERO(arena, sw_moments, 1);
	struct sw_moments_in *in = SW_NEW_ZERO(arena, struct sw_moments_in, 1);

	if (moments == NULL || in == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	if (sw_program_open(program)) {
		sw_diag_set(diag, SW_A10, (sw_span){0, 0}, "a type of the program is open");
		sw_diag_hint(diag, "`assign` chooses open types");
		return NULL;
	}
	moments->program = program;
	moments->in = in;
	in->program = program;
	in->plan = plan;
	bool found = find_arrays(moments, arena) || sw_diag_memory(diag);
	found = found && find_moments(moments, in, arena, diag);
	found = found && (find_owners(moments, in, arena) || sw_diag_memory(diag));
	return found ? moments : NULL;
}

/* ---- asked ---- */

sw_str sw_moments_name(const sw_moments *moments, int array)
{
	int value = moments->first[array], s = sw_program_maker(moments->program, value);
	const sw_iteration *iteration = s >= 0 ? moments->program->step[s].iteration : NULL;

	assert(array >= 0 && array < moments->arrays);
	return iteration != NULL ? iteration->lowering->schedule->problem->formula.array[0].name :
							   moments->program->value[value].name;
}

/* The steps of a moment: those that end in it, or the one whose plan is under way. */
static int steps_of(const sw_moments *moments, int k, const int **steps)
{
	const struct sw_moments_in *in = moments->in;
	const sw_moment *moment = &moments->moment[k - 1];

	assert(k >= 1 && k <= moments->count);
	*steps = moment->plan != NULL ? &moment->step : &in->steps[in->from[k]];
	return moment->plan != NULL ? 1 : in->from[k + 1] - in->from[k];
}

/* A step that moves nothing ends in the moment before it, and is not of that. */
static bool counts(const sw_moments *moments, int k, int s)
{
	return moments->moment[k - 1].iteration > 0 || moments->moment[k - 1].step == s;
}

bool sw_moments_changes(const sw_moments *moments, int k, int array)
{
	const int *steps;
	int count = steps_of(moments, k, &steps);

	for (int i = 0; i < count; i++)
		if (counts(moments, k, steps[i]) && moments->array[sw_program_value_of(moments->program, steps[i])] == array)
			return true;
	return false;
}

bool sw_moments_about(const sw_moments *moments, int k, int array)
{
	const int *steps;
	int count = steps_of(moments, k, &steps);

	for (int i = 0; i < count; i++)
		for (int n = 0; counts(moments, k, steps[i]) && n < moments->program->step[steps[i]].operands; n++)
			if (moments->array[moments->program->step[steps[i]].operand[n]] == array)
				return true;
	return sw_moments_changes(moments, k, array);
}

struct handing {
	sw_moment_use use;
	void *user;
	int array;
	bool ended;
};

static bool hand(struct handing *to, int64_t from, int64_t device, int64_t elements)
{
	const sw_moment_move move = {to->array, from, device, elements};

	to->ended = from != device && elements > 0 && !to->use(to->user, &move);
	return !to->ended;
}

static bool hand_message(void *user, const sw_iteration_move *move)
{
	return hand(user, move->from, move->to, move->loops->elements);
}

static bool hand_transfers(const sw_plan *plan, int k, sw_arena *arena, struct handing *to, sw_diag *diag)
{
	const sw_transfers *transfers = sw_plan_transfers(plan, k, arena, diag);
	sw_transfer box;

	if (transfers == NULL)
		return false;
	for (int64_t d = 0; d < plan->problem.mesh.devices; d++)
		for (int64_t n = 0; n < sw_transfers_into(transfers, d); n++)
			if (sw_transfers_get(transfers, d, n, &box) &&
				!hand(to, box.from, box.to, sw_transfer_size(transfers, &box)))
				return false;
	return true;
}

static bool hand_step(const sw_moments *moments, int k, int s, sw_arena *arena, struct handing *to, sw_diag *diag)
{
	const sw_moment *moment = &moments->moment[k - 1];
	int value = sw_program_value_of(moments->program, s);

	to->array = moments->array[value];
	if (moment->plan != NULL)
		return hand_transfers(moment->plan, moment->inside, arena, to, diag);
	if (moments->program->step[s].iteration != NULL)
		return !sw_program_sends(moments->program, s) ||
			sw_program_each_move(moments->program, s, arena, hand_message, to, diag);
	if (!counts(moments, k, s) || sw_program_origin(moments->program, value) == value)
		return true;
	return sw_diag_set(diag, SW_P05, (sw_span){0, 0}, "the redistribution has no plan, so it is unknown what moves");
}

bool sw_moments_each_move(const sw_moments *moments, int k, sw_arena *arena, sw_moment_use use, void *user,
	sw_diag *diag)
{
	const int *steps;
	struct handing to = {use, user, 0, false};
	int count = steps_of(moments, k, &steps);

	for (int i = 0; i < count; i++)
		if (!hand_step(moments, k, steps[i], arena, &to, diag))
			return false;
	return true;
}

static bool add_up(void *user, const sw_moment_move *move)
{
	int64_t *moved = user;

	moved[move->array] += move->elements;
	return true;
}

/* Of each array in moment `k`, kept with the moments; NULL: no memory. */
static const int64_t *moved_in(const sw_moments *moments, int k, sw_arena *scratch)
{
	const struct sw_moments_in *in = moments->in;
	int64_t *moved = SW_NEW_ZERO(in->arena, int64_t, moments->arrays + 1);
	sw_arena_mark mark = sw_arena_here(scratch);

	if (moved == NULL)
		return NULL;
	bool known = sw_moments_each_move(moments, k, scratch, add_up, moved, NULL);
	for (int a = 0; !known && a < moments->arrays; a++)
		moved[a] = -1;
	sw_arena_back(scratch, mark);
	return in->found[k].moved = moved;
}

int64_t sw_moments_moved(const sw_moments *moments, int k, int array, sw_arena *scratch)
{
	assert(k >= 1 && k <= moments->count && array >= 0 && array < moments->arrays);
	const int64_t *moved = moments->in->found[k].moved;

	if (moved == NULL)
		moved = moved_in(moments, k, scratch);
	return moved != NULL ? moved[array] : -1;
}

/* ---- of one element, or of many ---- */

/* Moves of a step to one device come one after the other: where that has the element is worked out once. */
struct carrying {
	const int64_t *index;      /* NULL: */
	const sw_region *elements; /* of many */
	sw_holding holding;        /* of what the step makes */
	sw_arena *arena;
	sw_carried_use use;
	void *user;
	int64_t to, at; /* local index there; -1: it has it not */
	sw_local local; /* how it stores what it has */
	bool known;     /* else there is no memory for that */
	sw_diag *diag;
};

static void come_to(struct carrying *c, int64_t to)
{
	sw_region region;

	if (to == c->to)
		return;
	c->known = sw_holding_region(&c->holding, to, c->arena, &region) && sw_local_of(&region, c->arena, &c->local);
	c->to = to;
	c->at = c->known && c->index != NULL ? sw_local_index(&c->local, c->index) : -1;
}

/* Of the element's own message all elements count; -1: they are not counted. */
static int64_t counted(const struct carrying *c, const sw_loops *loops)
{
	if (c->elements != NULL)
		return c->known ? sw_loops_of(loops, &c->local, c->elements) : 0;
	return c->at >= 0 && sw_loops_reach(loops, c->at) ? loops->elements : 0;
}

static bool carry_message(void *user, const sw_iteration_move *move)
{
	struct carrying *c = user;

	if (move->from == move->to)
		return true;
	come_to(c, move->to);
	const sw_carried carried = {move->from, move->to, counted(c, move->loops)};
	if (carried.elements < 0)
		return sw_diag_set(c->diag, SW_S08, (sw_span){0, 0}, "a message has too many elements to count them");
	return carried.elements == 0 || c->use(c->user, &carried);
}

static bool carry_step(const sw_moments *moments, int k, int s, struct carrying *c, sw_diag *diag)
{
	const sw_moment *moment = &moments->moment[k - 1];
	const sw_program *program = moments->program;
	int value = sw_program_value_of(program, s);

	if (moment->plan != NULL && c->elements != NULL)
		return sw_plan_carries_of(moment->plan, moment->inside, c->elements, c->arena, c->use, c->user, diag);
	if (moment->plan != NULL)
		return sw_plan_carries(moment->plan, moment->inside, c->index, c->arena, c->use, c->user, diag);
	if (program->step[s].iteration == NULL)
		return hand_step(moments, k, s, c->arena, &(struct handing){.array = 0}, diag);
	if (!sw_program_sends(program, s))
		return true;
	c->to = -1;
	return (sw_program_holding(program, value, c->arena, &c->holding) || sw_diag_memory(diag)) &&
		sw_program_each_move(program, s, c->arena, carry_message, c, diag);
}

static bool carry_all(const sw_moments *moments, int k, int array, struct carrying *c, sw_diag *diag)
{
	sw_arena_mark mark = sw_arena_here(c->arena);
	const int *steps;
	int count = steps_of(moments, k, &steps);
	bool carried = true;

	c->diag = diag;
	for (int i = 0; i < count && carried; i++)
		if (moments->array[sw_program_value_of(moments->program, steps[i])] == array)
			carried = carry_step(moments, k, steps[i], c, diag);
	sw_arena_back(c->arena, mark);
	return carried;
}

bool sw_moments_carries(const sw_moments *moments, int k, const sw_array_element *element, sw_arena *scratch,
	sw_carried_use use, void *user, sw_diag *diag)
{
	struct carrying c = {.index = element->index, .arena = scratch, .use = use, .user = user};

	return carry_all(moments, k, element->array, &c, diag);
}

bool sw_moments_carries_of(const sw_moments *moments, int k, const sw_array_part *part, sw_arena *scratch,
	sw_carried_use use, void *user, sw_diag *diag)
{
	struct carrying c = {.elements = part->elements, .arena = scratch, .use = use, .user = user};

	assert(part->array >= 0 && part->array < moments->arrays);
	return part->elements->count == 0 || carry_all(moments, k, part->array, &c, diag);
}

double sw_moments_flops(const sw_moments *moments, int k)
{
	const int *steps;
	int count = steps_of(moments, k, &steps);
	double *flops = &moments->in->found[k].flops;

	if (*flops >= 0)
		return *flops;
	*flops = 0;
	for (int i = 0; i < count; i++)
		if (moments->moment[k - 1].plan == NULL && counts(moments, k, steps[i]))
			*flops += sw_compute_flops(moments->program, steps[i]);
	return *flops;
}
