/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas as statements of programs: the steps that one is, and what a step by a formula computes.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>

#include "program/formula.h"
#include "program/ops.h"
#include "program/statement.h"
#include "program/typing.h"

/* ---- the steps ---- */

struct adding {
	sw_typing *typing;
	const sw_computation *c;
	int64_t times; /* in a row */
	const int *of;
	sw_diag *diag;
};

bool sw_formula_is_operand(const sw_computation *c, int array)
{
	return c->array[array].need != NULL || (array == 0 && c->formula.adds);
}

static bool check_operands(const struct adding *a)
{
	const sw_program *program = a->typing->program;
	const sw_formula *formula = &a->c->formula;
	const sw_type *first = NULL;
	int operands = 0;

	for (int k = 0; k < formula->arrays; k++)
		operands += sw_formula_is_operand(a->c, k);
	if (operands > SW_MAX_OPERANDS)
		return sw_diag_set(a->diag, SW_F14, (sw_span){0, 0}, "more than %d operands", SW_MAX_OPERANDS);
	for (int k = 0; k < formula->arrays; k++) {
		const sw_type *type = a->of[k] >= 0 ? program->value[a->of[k]].type : &a->c->array[k].is.type;
		if (!type->dtype_given)
			continue;
		if (first != NULL && first->dtype != type->dtype) {
			sw_diag_set(a->diag, SW_F19, (sw_span){0, 0}, "a formula of %s and %s", sw_dtype_name(first->dtype),
				sw_dtype_name(type->dtype));
			sw_diag_expected(a->diag, "one element type for all its arrays");
			return false;
		}
		first = type;
	}
	return true;
}

/* Has every device all that it needs? */
static bool covers(const sw_holding *held, const sw_holding *needed)
{
	bool all = true;

	for (int64_t d = 0; d < needed->devices && all; d++)
		all = sw_holding_within(needed, d, held, d);
	return all;
}

/* The value in which the rounds before use a constant array, if that has all of it; -1: there is none. */
static int used_before(const struct adding *a, int k, const sw_holding *needed)
{
	const sw_program *program = a->typing->program;
	sw_holding held;

	if (program->loop == 0 || a->of[k] == 0 || a->of[k] >= program->inputs)
		return -1;
	for (int s = 0; s < program->loop; s++)
		if (program->step[s].why == SW_STEP_TO_USE && program->step[s].operand[0] == a->of[k] &&
			sw_program_holding(program, sw_program_value_of(program, s), a->typing->arena, &held) &&
			covers(&held, needed))
			return sw_program_value_of(program, s);
	return -1;
}

/* Brings an array to where it is used; what is there already is not brought again. */
static int move_array(const struct adding *a, int k, const sw_holding *holding, sw_array_type *needed)
{
	const sw_array_type *is = &a->c->array[k].is;
	int before = used_before(a, k, holding);

	if (before >= 0)
		return before;
	if (!sw_array_type_of(&a->c->mesh, holding, &is->type, a->typing->arena, needed, a->diag))
		return -1;
	return sw_type_same_any(&a->c->mesh, &is->type, is->words, &needed->type, needed->words) ?
		a->of[k] :
		sw_typing_move(a->typing, a->of[k], SW_STEP_TO_USE, &needed->type, needed->words, a->diag);
}

/* An operand of several steps in a row. */
static int use_deep(const struct adding *a, int k)
{
	sw_array_type needed = {.known = false};
	const sw_computed *array = a->c->array;
	sw_deep_need deep;

	sw_deep_need_of_other(array[a->c->first].need, array[k].need, a->times, &deep);
	if (k != a->c->first && covers(&array[k].held, &deep.needed))
		return a->of[k];
	return move_array(a, k, &deep.needed, &needed);
}

/* Several steps in a row are computed where the left side is, and the first array has its shape. */
static bool check_times(const struct adding *a)
{
	const sw_formula *formula = &a->c->formula;
	const sw_formula_array *left = &formula->array[0];

	if (a->times <= 1)
		return true;
	if (formula->adds || a->c->inputs < 1 || a->c->made.terms > 1 || a->c->array[0].relation != NULL) {
		sw_diag_set(a->diag, SW_F17, (sw_span){0, 0},
			"several steps in a row are computed where the left side is held, and cannot add to it");
		sw_diag_hint(a->diag, "with an exchange before each step (every 1), others can be repeated, too");
		return false;
	}
	const sw_formula_array *first = &formula->array[a->c->first];
	bool alike = first->rank == left->rank;
	for (int d = 0; alike && d < left->rank; d++)
		alike = first->size[d] == left->size[d];
	return alike ||
		sw_diag_set(a->diag, SW_F17, left->at,
			"the result does not have the shape of the input "
			"that it becomes");
}

/* An array as it is used: where each device has all that it needs it stays. */
static int use_array(const struct adding *a, int k, const sw_array_type *made)
{
	const sw_computed *array = &a->c->array[k];
	sw_array_type needed = array->needed;
	bool lies = k == 0 ? array->relation == NULL : array->local;

	if (a->times > 1)
		return use_deep(a, k);
	if (lies)
		return a->of[k];
	if (k > 0)
		return move_array(a, k, &array->need->needed, &needed);
	return sw_typing_move(a->typing, a->of[k], SW_STEP_TO_USE, &made->type, made->words, a->diag);
}

/* ---- products ---- */

/* The tile type in which an operand of a product is used; NULL: it is none. */
static const sw_type *tiles_used(const sw_computed *array)
{
	const sw_array_type *used = array->tight ? &array->is : &array->needed;

	return used->known && used->words == NULL ? &used->type : NULL;
}

/* Two plain accesses in tile types that make a tile type are a product, whose row computes it. */
static bool is_product(const struct adding *a, const sw_array_type *made, sw_equation *equation)
{
	const sw_computation *c = a->c;
	const sw_type *used[2];
	sw_type computed;

	if (a->times > 1 || c->formula.arrays != 3 || made->words != NULL || !sw_formula_equation(&c->formula, equation))
		return false;
	used[0] = tiles_used(&c->array[1]);
	used[1] = tiles_used(&c->array[2]);
	return used[0] != NULL && used[1] != NULL &&
		sw_product_local(&c->mesh, equation, used[0], used[1], &computed, NULL) &&
		sw_type_same_map(&c->mesh, &computed, &made->type);
}

static int multiply(const struct adding *a, sw_span at, const sw_value *value, const sw_array_type *made,
	const sw_equation *equation)
{
	sw_step step = {.op = SW_EINSUM, .at = at, .operands = 2, .formula = a->c, .equation = equation};

	for (int k = 0; k < 2; k++) {
		step.operand[k] = sw_typing_use(a->typing, a->of[k + 1], tiles_used(&a->c->array[k + 1]), a->diag);
		if (step.operand[k] < 0)
			return -1;
	}
	return sw_typing_add(a->typing, &step, value, &made->type, a->diag);
}

/* ---- the statement ---- */

static int compute(const struct adding *a, sw_span at, const sw_value *value, const sw_array_type *made)
{
	sw_step step = {.op = SW_COMPUTE, .at = at, .formula = a->c, .times = a->times};
	sw_value result = *value;

	result.words = made->words;
	for (int k = 0; k < a->c->formula.arrays; k++) {
		if (!sw_formula_is_operand(a->c, k))
			continue;
		int used = use_array(a, k, made);
		if (used < 0)
			return -1;
		step.operand[step.operands++] = used;
	}
	return sw_typing_add(a->typing, &step, &result, &made->type, a->diag);
}

int sw_typing_formula(sw_typing *typing, const sw_computation *computation, int64_t times, const int *of, sw_span at,
	const sw_value *value, sw_diag *diag)
{
	const struct adding a = {typing, computation, times, of, diag};
	sw_array_type made = computation->made_type;
	const sw_computed *left = &computation->array[0];

	if (computation->mesh.order != NULL) {
		sw_diag_set(diag, SW_T17, (sw_span){0, 0}, "formulas are computed on devices in the order of their numbers");
		return -1;
	}
	if (!check_operands(&a) || !check_times(&a) ||
		!sw_array_type_of(&computation->mesh, &computation->made, &left->is.type, typing->arena, &made, diag))
		return -1;
	if (left->relation == NULL)
		made = left->is;
	sw_equation *equation = SW_NEW(typing->arena, sw_equation, 1);
	if (equation == NULL) {
		sw_diag_memory(diag);
		return -1;
	}
	int computed = is_product(&a, &made, equation) ? multiply(&a, at, value, &made, equation) :
													 compute(&a, at, value, &made);
	if (computed < 0 || left->relation == NULL)
		return computed;
	return sw_typing_move(typing, computed, SW_STEP_TO_KEEP, &left->is.type, left->is.words, diag);
}

static bool add_input(sw_typing *typing, const sw_computation *c, int array, int *of)
{
	const sw_array_type *is = &c->array[array].is;
	const sw_value value = {.name = c->formula.array[array].name, .type = &is->type, .words = is->words};

	of[array] = typing->program->values;
	return sw_typing_input(typing, &value);
}

/* The arrays that are read are the inputs, before all that which the result becomes. */
static bool add_inputs(sw_typing *typing, const sw_computation *c, int *of)
{
	bool added = c->first < 0 || add_input(typing, c, c->first, of);

	for (int k = 0; k < c->formula.arrays && added; k++) {
		if (!sw_formula_is_operand(c, k))
			of[k] = -1;
		else if (k != c->first)
			added = add_input(typing, c, k, of);
	}
	return added;
}

/* A program of a formula while it is made. */
struct repeating {
	sw_typing *typing;
	const sw_computation *c;
	int *of;
	sw_diag *diag;
};

/* So many steps in a row; what they make is kept.  -1: errors. */
static int add_round(const struct repeating *r, int64_t times)
{
	const sw_value value = {.name = r->c->formula.array[0].name,
		.given = r->c->points.array == 0 || r->c->array[0].relation != NULL};

	return sw_typing_formula(r->typing, r->c, times, r->of, (sw_span){0, 0}, &value, r->diag);
}

/* What is returned; where it becomes the first input, in the type of that. */
static bool return_value(const struct repeating *r, int kept)
{
	const sw_program *program = r->typing->program;
	const sw_value *first = program->inputs > 0 ? &program->value[0] : NULL;

	if (program->rounds <= 1 || program->loop > 0 || first == NULL)
		return sw_typing_return(r->typing, kept, NULL, NULL, false, r->diag);
	const sw_type type = *first->type;
	return sw_typing_return(r->typing, kept, &type, first->words, true, r->diag);
}

/* What the rounds before bring becomes the first input of a shorter one. */
static int add_rest(const struct repeating *r, int brings, int64_t times)
{
	sw_program *program = r->typing->program;
	const sw_value *first = &program->value[0];

	if (!sw_type_same_any(&program->mesh, first->type, first->words, program->value[brings].type,
			program->value[brings].words))
		brings = sw_typing_move(r->typing, brings, SW_STEP_TO_RETURN, first->type, first->words, r->diag);
	if (brings < 0)
		return -1;
	program->loop = program->steps;
	program->brings = brings;
	return add_round(r, times);
}

static bool add_rounds(const struct repeating *r, int64_t steps, int64_t every)
{
	int64_t rest = steps % every;
	int kept = steps >= every ? add_round(r, every) : -1;

	r->typing->program->rounds = steps / every;
	if (rest > 0 && (steps < every || kept >= 0))
		kept = steps < every ? add_round(r, rest) : add_rest(r, kept, rest);
	return kept >= 0 && return_value(r, kept);
}

bool sw_program_of_formula(const sw_computation *computation, int64_t steps, int64_t every, sw_arena *arena,
	sw_program *program, sw_diag *diag)
{
	assert(steps > 0 && every > 0);
	const sw_formula *formula = &computation->formula;
	sw_typing *typing = SW_NEW_ZERO(arena, sw_typing, 1);
	int *of = SW_NEW(arena, int, formula->arrays);
	const struct repeating r = {typing, computation, of, diag};

	*program = (sw_program){.mesh = computation->mesh,
		.name = formula->name.length > 0 ? formula->name : sw_str_of("main")};
	if (typing == NULL || of == NULL)
		return sw_diag_memory(diag);
	typing->program = program;
	typing->arena = arena;
	typing->likely = 2 * formula->arrays + 1;
	if (!add_inputs(typing, computation, of))
		return sw_diag_memory(diag);
	return add_rounds(&r, steps, every) && sw_typing_finish(typing, diag);
}

/* ---- what is computed ---- */

/* How a device stores array k, which is this value; -1: it is whole. */
static bool store(const sw_program *program, int s, int k, int value, int64_t device, sw_arena *arena,
	sw_local *local)
{
	const sw_formula_array *of = &program->step[s].formula->formula.array[k];

	return device < 0 ? sw_local_whole(of->rank, of->size, arena, local) :
						sw_program_local(program, value, device, arena, local);
}

sw_stored *sw_formula_store(const sw_program *program, int s, int64_t device, sw_arena *arena, int64_t *bytes)
{
	const sw_step *step = &program->step[s];
	int arrays = step->formula->formula.arrays, made = sw_program_value_of(program, s), n = 0;
	sw_local *local = SW_NEW_ZERO(arena, sw_local, arrays);
	sw_stored *array = SW_NEW_ZERO(arena, sw_stored, arrays);

	if (local == NULL || array == NULL)
		return NULL;
	for (int k = 0; k < arrays; k++) {
		int operand = sw_formula_is_operand(step->formula, k) ? step->operand[n++] : -1,
			value = k == 0 ? made : operand;
		array[k].local = &local[k];
		if (value >= 0 && !store(program, s, k, value, device, arena, &local[k]))
			return NULL;
	}
	*bytes = local[0].size * sw_dtype_bytes(program->value[made].type->dtype);
	return array;
}

void sw_formula_begin(const sw_step *step, size_t bytes, const void *const *operand, void *made)
{
	if (step->formula->formula.adds)
		memcpy(made, operand[0], bytes);
	else
		memset(made, 0, bytes);
}

bool sw_formula_at(const sw_program *program, int s, const sw_stored *array, const sw_region *points,
	const void *const *operand, void *made, sw_arena *arena)
{
	const sw_step *step = &program->step[s];
	const sw_formula *formula = &step->formula->formula;
	sw_stored *stored = SW_NEW(arena, sw_stored, formula->arrays);
	int n = 0;

	if (stored == NULL)
		return false;
	for (int k = 0; k < formula->arrays; k++) {
		stored[k] = array[k];
		if (sw_formula_is_operand(step->formula, k))
			stored[k].data = operand[n++];
	}
	const sw_formula_work work = {formula, program->value[sw_program_value_of(program, s)].type->dtype, stored, made};
	return sw_formula_run(&work, points, arena);
}

/* ---- several steps in a row ---- */

/* What a device makes so many steps before the last: what these need. */
static bool made_before(const sw_computation *c, int64_t device, int64_t left, sw_arena *arena, sw_region *region)
{
	sw_deep_need deep;

	if (left == 0)
		return sw_holding_region(&c->made, device, arena, region);
	sw_deep_need_of(c->array[c->first].need, left, &deep);
	return sw_holding_region(&deep.needed, device, arena, region);
}

/* How the operands are stored, but for the one that the step before made. */
static bool store_operands(const sw_program *program, int s, int64_t device, const sw_local *before, sw_arena *arena,
	sw_stored *array)
{
	const sw_step *step = &program->step[s];
	int arrays = step->formula->formula.arrays, n = 0;
	sw_local *local = SW_NEW(arena, sw_local, arrays);

	for (int k = 1; k < arrays && local != NULL; k++) {
		if (!sw_formula_is_operand(step->formula, k))
			continue;
		bool made = k == step->formula->first && before != NULL;
		array[k].local = made ? before : &local[k];
		if (!made && !sw_program_local(program, step->operand[n], device, arena, &local[k]))
			return false;
		n++;
	}
	return local != NULL;
}

bool sw_formula_row_of(const sw_program *program, int s, int64_t device, int64_t left, const sw_local *before,
	sw_arena *arena, sw_formula_in_row *row)
{
	const sw_computation *c = program->step[s].formula;
	const sw_access access = sw_formula_access_of(&c->formula, &c->formula.access[0]);
	sw_local *local = SW_NEW(arena, sw_local, 1);
	sw_region elements;

	row->array = SW_NEW_ZERO(arena, sw_stored, c->formula.arrays);
	if (row->array == NULL || local == NULL || !made_before(c, device, left, arena, &elements) ||
		!sw_local_of(&elements, arena, local) ||
		!sw_access_preimage(&access, &c->points.letters, &elements, arena, &row->points) ||
		!store_operands(program, s, device, before, arena, row->array))
		return false;
	row->array[0].local = local;
	row->bytes = local->size * sw_dtype_bytes(program->value[sw_program_value_of(program, s)].type->dtype);
	return true;
}

int sw_formula_changing(const sw_step *step)
{
	int n = 0;

	for (int k = step->formula->formula.adds ? 0 : 1; k < step->formula->first; k++)
		n += sw_formula_is_operand(step->formula, k);
	return n;
}

/* While they are computed: the operands, of which one is what was made last, and how that is stored. */
struct in_a_row {
	const sw_program *program;
	int s;
	const sw_work *work;
	const void *operand[SW_MAX_OPERANDS];
	const sw_local *stored;
};

/* One of them, with `left` to come; what is made on the way lies in the arena. */
static bool make_next(struct in_a_row *r, int64_t left, sw_arena *arena)
{
	sw_formula_in_row row;

	if (!sw_formula_row_of(r->program, r->s, r->work->device, left, r->stored, arena, &row))
		return false;
	void *made = left == 0 ? r->work->result : sw_arena_alloc(arena, (size_t)row.bytes + 1, 1);
	if (made == NULL)
		return false;
	memset(made, 0, (size_t)row.bytes);
	if (!sw_formula_at(r->program, r->s, row.array, &row.points, r->operand, made, arena))
		return false;
	r->operand[sw_formula_changing(&r->program->step[r->s])] = made;
	r->stored = row.array[0].local;
	return true;
}

static bool compute_in_a_row(const sw_program *program, int s, const sw_work *work)
{
	const sw_step *step = &program->step[s];
	sw_arena *arena = sw_arena_new();
	struct in_a_row r = {.program = program, .s = s, .work = work};
	bool done = arena != NULL;

	memcpy(r.operand, work->operand, (size_t)step->operands * sizeof *r.operand);
	for (int64_t left = step->times - 1; done && left >= 0; left--)
		done = make_next(&r, left, arena);
	sw_arena_free(arena);
	return done;
}

/* ---- on devices, and on whole arrays ---- */

bool sw_formula_execute(const sw_program *program, int s, const sw_work *work)
{
	const sw_step *step = &program->step[s];
	if (step->times > 1)
		return compute_in_a_row(program, s, work);
	sw_arena *arena = sw_arena_new();
	int64_t bytes;
	sw_region points;
	sw_stored *array = arena != NULL ? sw_formula_store(program, s, work->device, arena, &bytes) : NULL;
	bool done = array != NULL && sw_points_region(&step->formula->points, work->device, arena, &points);

	if (done) {
		sw_formula_begin(step, (size_t)bytes, work->operand, work->result);
		done = sw_formula_at(program, s, array, &points, work->operand, work->result, arena);
	}
	sw_arena_free(arena);
	return done;
}

/* All values of the letters, of the first of the left side one of `parts` parts. */
static bool points_of_part(const sw_formula *formula, int part, int parts, sw_arena *arena, sw_region *points)
{
	sw_indices *set = SW_NEW(arena, sw_indices, formula->letters + 1);
	sw_family *family = SW_NEW(arena, sw_family, formula->letters + 1);
	int64_t rows = formula->kept > 0 ? formula->size[0] : 1;
	int64_t first = rows * part / parts, end = rows * (part + 1) / parts;

	if (set == NULL || family == NULL)
		return false;
	for (int k = 0; k < formula->letters; k++)
		set[k] = sw_indices_range(k == 0 && formula->kept > 0 ? first : 0,
			k == 0 && formula->kept > 0 ? end : formula->size[k], &family[k]);
	*points = (sw_region){formula->letters, first < end, set};
	return true;
}

/* Its rows of what is made begin. */
static void begin_rows(const sw_reference *whole, int s, int part, int parts, void *made)
{
	const sw_step *step = &whole->data->program->step[s];
	const sw_formula_array *left = &step->formula->formula.array[0];
	int64_t rows = left->rank > 0 ? left->size[0] : 1, row = sw_dtype_bytes(whole->data->dtype);

	for (int d = 1; d < left->rank; d++)
		row *= left->size[d];
	int64_t first = rows * part / parts * row, bytes = rows * (part + 1) / parts * row - first;
	const char *before = step->formula->formula.adds ? whole->array[step->operand[0]] : NULL;
	const void *const from = before != NULL ? before + first : NULL;
	if (bytes > 0)
		sw_formula_begin(step, (size_t)bytes, &from, (char *)made + first);
}

/* So many steps on the whole array; parts of one step do not follow from parts of the one before. */
static bool reference_in_a_row(const sw_reference *whole, int s, sw_arena *arena)
{
	const sw_program *program = whole->data->program;
	const sw_step *step = &program->step[s];
	void *made = whole->array[sw_program_value_of(program, s)], *before;
	const void *operand[SW_MAX_OPERANDS];
	int64_t bytes;
	sw_region points;
	sw_stored *array = sw_formula_store(program, s, -1, arena, &bytes);

	if (array == NULL || !points_of_part(&step->formula->formula, 0, 1, arena, &points))
		return false;
	for (int i = 0; i < step->operands; i++)
		operand[i] = whole->array[step->operand[i]];
	before = malloc((size_t)bytes + 1);
	for (int64_t n = 0; before != NULL && n < step->times; n++) {
		memset(made, 0, (size_t)bytes);
		if (!sw_formula_at(program, s, array, &points, operand, made, arena))
			break;
		memcpy(before, made, (size_t)bytes);
		operand[sw_formula_changing(step)] = before;
	}
	free(before);
	return before != NULL;
}

bool sw_formula_reference(const sw_reference *whole, int s, int part, int parts)
{
	const sw_program *program = whole->data->program;
	const sw_step *step = &program->step[s];
	const void *operand[SW_MAX_OPERANDS];
	void *made = whole->array[sw_program_value_of(program, s)];
	sw_arena *arena = sw_arena_new();
	int64_t bytes;
	sw_region points;

	for (int i = 0; i < step->operands; i++)
		operand[i] = whole->array[step->operand[i]];
	if (step->times > 1) {
		bool right = arena != NULL && (part > 0 || reference_in_a_row(whole, s, arena));
		sw_arena_free(arena);
		return right;
	}
	sw_stored *array = arena != NULL ? sw_formula_store(program, s, -1, arena, &bytes) : NULL;
	bool done = array != NULL && points_of_part(&step->formula->formula, part, parts, arena, &points);
	if (done) {
		begin_rows(whole, s, part, parts, made);
		done = sw_formula_at(program, s, array, &points, operand, made, arena);
	}
	sw_arena_free(arena);
	return done;
}

/* ---- how much it is ---- */

double sw_formula_flops(const sw_program *program, int s)
{
	const sw_formula *formula = &program->step[s].formula->formula;
	double each = (double)sw_formula_operations(formula);

	for (int letter = formula->kept; letter < formula->letters; letter++)
		each *= (double)formula->size[letter];
	each *= (double)(program->step[s].times > 1 ? program->step[s].times : 1);
	return each * (double)sw_program_elements(program, sw_program_value_of(program, s));
}

/* Nobody has measured it. */
double sw_formula_time(const sw_machine *machine, const sw_program *program, int s)
{
	(void)machine, (void)program, (void)s;
	return -1;
}

/* The bound of each array, where those of operands are `most`. */
static bool bounds_of(const sw_step *step, const double *most, sw_arena *arena, double **bound)
{
	const sw_computation *c = step->formula;
	int n = 0;

	*bound = SW_NEW_ZERO(arena, double, c->formula.arrays);
	for (int k = 0; *bound != NULL && k < c->formula.arrays; k++)
		if (sw_formula_is_operand(c, k))
			(*bound)[k] = most[n++];
	return *bound != NULL;
}

/* What the result may be at most; where memory is short nothing is known. */
static double bound_of(const sw_step *step, const double *most)
{
	sw_arena *arena = sw_arena_new();
	double *bound, of = INFINITY;

	if (arena != NULL && bounds_of(step, most, arena, &bound))
		of = sw_formula_bound(&step->formula->formula, bound) + (step->formula->formula.adds ? bound[0] : 0);
	sw_arena_free(arena);
	return of;
}

/* Is each element made on one device, of the same elements in the same order as of whole arrays? */
static bool is_alike(const sw_formula *formula)
{
	return formula->letters == formula->kept;
}

bool sw_expect_formula(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
	sw_expectation *scratch, sw_expectation *result)
{
	const sw_step *step = &program->step[s];
	const sw_type *type = program->value[sw_program_value_of(program, s)].type;
	double most[SW_MAX_OPERANDS] = {0};
	sw_exactness exactness = SW_DATA_EXACT;

	(void)scratch;
	for (int i = 0; i < step->operands; i++) {
		most[i] = operand[i]->most;
		exactness = operand[i]->exactness > exactness ? operand[i]->exactness : exactness;
	}
	bool alike = is_alike(&step->formula->formula);
	*result = (sw_expectation){.most = bound_of(step, most)};
	for (int64_t n = 1; n < step->times && result->most < limit; n++) {
		most[sw_formula_changing(step)] = result->most;
		result->most = bound_of(step, most);
	}
	if (exactness == SW_DATA_EXACT && !(result->most < limit) && alike)
		exactness = SW_DATA_ALIKE;
	result->exactness = exactness == SW_DATA_ALIKE && !alike ? SW_DATA_ROUNDED : exactness;
	for (int d = 0; d < type->rank; d++)
		result->along[d] = result->most * (double)type->global[d];
	return result->exactness != SW_DATA_EXACT || result->most < limit;
}

sw_extent sw_formula_extent(const sw_program *program, int s, const sw_extent *operand, double terms, double unit)
{
	const sw_step *step = &program->step[s];
	double most[SW_MAX_OPERANDS] = {0}, more[SW_MAX_OPERANDS] = {0};
	const sw_formula *formula = &step->formula->formula;
	double summed = (double)sw_formula_operations(formula) + terms;
	int changes = sw_formula_changing(step);

	for (int i = 0; i < step->operands; i++) {
		most[i] = operand[i].most;
		more[i] = operand[i].most + operand[i].error + (operand[i].error > 0);
	}
	for (int letter = formula->kept; letter < formula->letters; letter++)
		summed *= (double)formula->size[letter];
	double bound = bound_of(step, most), beyond = bound_of(step, more);
	for (int64_t n = 1; n < step->times; n++) {
		most[changes] = bound;
		more[changes] = beyond * (1 + summed * unit);
		bound = bound_of(step, most);
		beyond = bound_of(step, more);
	}
	return (sw_extent){beyond, beyond - bound + (summed + 8) * unit * beyond};
}
