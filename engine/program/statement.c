/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas as statements of programs: the steps that one is, and what a step by a formula computes.
 */
#include <math.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>

#include "program/ops.h"
#include "program/statement.h"
#include "program/typing.h"

/* ---- the steps ---- */

struct adding {
	sw_typing *typing;
	const sw_computation *c;
	const int *of;
	sw_diag *diag;
};

bool sw_formula_is_operand(const sw_computation *c, int array)
{
	return c->array[array].need != NULL || (array == 0 && c->formula.adds);
}

/* Of what no words say the type is told device by device. */
static bool type_of_holding(const struct adding *a, const sw_holding *holding, const sw_type *array,
	sw_array_type *type)
{
	sw_distribution *words = SW_NEW(a->typing->arena, sw_distribution, 1);

	if (type->known)
		return true;
	if (words == NULL)
		return sw_diag_memory(a->diag);
	if (holding->terms > 1)
		return sw_diag_set(a->diag, SW_T17, (sw_span){0, 0}, "no words say the type of what is made");
	type->type.dtype = array->dtype;
	type->type.dtype_given = array->dtype_given;
	if (!sw_distribution_of_holding(&a->c->mesh, holding, &type->type, a->typing->arena, words, a->diag))
		return false;
	type->known = true;
	type->type = words->type;
	type->words = words->tile ? NULL : words;
	return true;
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
		return sw_diag_set(a->diag, SW_A11, (sw_span){0, 0}, "more than %d operands", SW_MAX_OPERANDS);
	for (int k = 0; k < formula->arrays; k++) {
		const sw_type *type = a->of[k] >= 0 ? program->value[a->of[k]].type : &a->c->array[k].is.type;
		if (!type->dtype_given)
			continue;
		if (first != NULL && first->dtype != type->dtype) {
			sw_diag_set(a->diag, SW_A15, (sw_span){0, 0}, "a formula of %s and %s", sw_dtype_name(first->dtype),
				sw_dtype_name(type->dtype));
			sw_diag_expected(a->diag, "one element type for all its arrays");
			return false;
		}
		first = type;
	}
	return true;
}

/* An array as it is used: where each device has all that it needs it stays. */
static int use_array(const struct adding *a, int k, const sw_array_type *made)
{
	const sw_computed *array = &a->c->array[k];
	sw_array_type needed = array->needed;
	bool lies = k == 0 ? array->relation == NULL : array->local;

	if (lies)
		return a->of[k];
	if (k == 0)
		needed = *made;
	else if (!type_of_holding(a, &array->need->needed, &array->is.type, &needed))
		return -1;
	return sw_typing_move(a->typing, a->of[k], SW_STEP_TO_USE, &needed.type, needed.words, a->diag);
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

	if (c->formula.arrays != 3 || made->words != NULL || !sw_formula_equation(&c->formula, equation))
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
	sw_step step = {.op = SW_COMPUTE, .at = at, .formula = a->c};
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

int sw_typing_formula(sw_typing *typing, const sw_computation *computation, const int *of, sw_span at,
	const sw_value *value, sw_diag *diag)
{
	const struct adding a = {typing, computation, of, diag};
	sw_array_type made = computation->made_type;
	const sw_computed *left = &computation->array[0];

	if (computation->mesh.order != NULL) {
		sw_diag_set(diag, SW_T17, (sw_span){0, 0}, "formulas are computed on devices in the order of their numbers");
		return -1;
	}
	if (!check_operands(&a) || !type_of_holding(&a, &computation->made, &left->is.type, &made))
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

/* The arrays that are read are the inputs. */
static bool add_inputs(sw_typing *typing, const sw_computation *c, int *of)
{
	for (int k = 0; k < c->formula.arrays; k++) {
		const sw_array_type *is = &c->array[k].is;
		const sw_value value = {.name = c->formula.array[k].name, .type = &is->type, .words = is->words};
		of[k] = sw_formula_is_operand(c, k) ? typing->program->values : -1;
		if (of[k] >= 0 && !sw_typing_input(typing, &value))
			return false;
	}
	return true;
}

bool sw_program_of_formula(const sw_computation *computation, sw_arena *arena, sw_program *program, sw_diag *diag)
{
	const sw_formula *formula = &computation->formula;
	sw_typing *typing = SW_NEW_ZERO(arena, sw_typing, 1);
	int *of = SW_NEW(arena, int, formula->arrays);
	const sw_value value = {.name = formula->array[0].name,
		.given = formula->on < 0 || computation->array[0].relation != NULL};

	*program = (sw_program){.mesh = computation->mesh,
		.name = formula->name.length > 0 ? formula->name : sw_str_of("main")};
	if (typing == NULL || of == NULL)
		return sw_diag_memory(diag);
	typing->program = program;
	typing->arena = arena;
	typing->likely = 2 * formula->arrays + 1;
	if (!add_inputs(typing, computation, of))
		return sw_diag_memory(diag);
	int kept = sw_typing_formula(typing, computation, of, (sw_span){0, 0}, &value, diag);
	return kept >= 0 && sw_typing_return(typing, kept, NULL, NULL, false, diag) && sw_typing_finish(typing, diag);
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

bool sw_formula_execute(const sw_program *program, int s, const sw_work *work)
{
	const sw_step *step = &program->step[s];
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

	for (int i = 0; i < step->operands; i++) {
		most[i] = operand[i].most;
		more[i] = operand[i].most + operand[i].error + (operand[i].error > 0);
	}
	for (int letter = formula->kept; letter < formula->letters; letter++)
		summed *= (double)formula->size[letter];
	double bound = bound_of(step, most), beyond = bound_of(step, more);
	return (sw_extent){beyond, beyond - bound + (summed + 8) * unit * beyond};
}
