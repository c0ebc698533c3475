/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entries of inputs for which all arithmetic of a program is exact.
 *
 * Of every value a bound of its elements is known, and one of the sum of absolute values along each dimension.  A product over
 * letters is bounded by the sum along one of them in one operand times the largest element of the other.  Where that, or anything
 * else, is too much, inputs get fewer entries: first those that the product reads, then all.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/local.h>
#include <shardwalk/number.h>
#include <shardwalk/schedule_program.h>

#include "program/ops.h"

enum { LARGEST_ENTRY = 3, LARGEST_EXPONENT = 8, PATIENCE = 4096 };

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

/* -most to most, never 0. */
static int64_t small(uint64_t seed, int64_t most)
{
	int64_t n = (int64_t)(mix(seed) % (uint64_t)(2 * most));
	return n < most ? n - most : n - most + 1;
}

/* The row-major index of an element. */
static int64_t element_of(const sw_type *type, const int64_t *index)
{
	int64_t element = 0;
	for (int i = 0; i < type->rank; i++)
		element = element * type->global[i] + index[i];
	return element;
}

int64_t sw_data_entry(const sw_data *data, int input, const int64_t *index, int64_t term, int64_t terms)
{
	const sw_type *type = data->program->value[input].type;
	if (data->array != NULL && data->array[input] >= 0)
		return sw_schedule_datum(data->array[input], element_of(type, index));
	uint64_t seed = (uint64_t)input * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u;
	int64_t diagonal = 0, value, others = 0;
	for (int i = 0; i < type->rank; i++) {
		seed = seed * 0xD1B54A32D192ED03u + (uint64_t)index[i] + 1;
		diagonal += index[i];
	}
	if (diagonal % data->period[input] != 0)
		return 0;
	value = small(seed, data->most[input]);
	if (terms <= 1)
		return value;
	for (int64_t t = 0; t < (term + 1 < terms ? 1 : terms - 1); t++)
		others += small(seed + 0x2545F4914F6CDD1Du * (uint64_t)((term + 1 < terms ? term : t) + 1),
			data->most[input]);
	return term + 1 < terms ? others : value - others;
}

void sw_data_fill(const sw_data *data, int input, const int64_t *offset, const int64_t *tile, int64_t term, void *out)
{
	assert(input >= 0 && input < data->program->inputs);
	const sw_type *type = data->program->value[input].type;
	int64_t index[SW_MAX_DIMS], count = 1, terms = sw_type_terms(type);
	for (int i = 0; i < type->rank; i++) {
		index[i] = offset[i];
		count *= tile[i];
	}
	for (int64_t n = 0; n < count; n++) {
		sw_element_set(data->dtype, out, n, sw_data_entry(data, input, index, term, term < 0 ? 1 : terms));
		for (int i = type->rank - 1; i >= 0; i--) {
			if (++index[i] < offset[i] + tile[i])
				break;
			index[i] = offset[i];
		}
	}
}

bool sw_data_store(const sw_data *data, int input, int64_t device, void *out)
{
	assert(input >= 0 && input < data->program->inputs);
	int64_t index[SW_MAX_DIMS];
	sw_arena *arena = sw_arena_new();
	sw_local local;
	bool known = arena != NULL && sw_program_local(data->program, input, device, arena, &local);
	for (int64_t at = 0; known && at < local.size; at++)
		if (sw_local_element(&local, at, index, NULL))
			sw_element_set(data->dtype, out, at, sw_data_entry(data, input, index, -1, 1));
	sw_arena_free(arena);
	return known;
}

/* ---- comparing ---- */

bool sw_same_element(sw_dtype dtype, const void *a, const void *b, int64_t at)
{
	size_t bytes = (size_t)sw_dtype_bytes(dtype);
	const char *left = (const char *)a + (size_t)at * bytes, *right = (const char *)b + (size_t)at * bytes;
	return memcmp(left, right, bytes) == 0 || (sw_element(dtype, a, at) == 0 && sw_element(dtype, b, at) == 0);
}

static bool near_enough(sw_dtype dtype, const void *found, const void *right, int64_t at, double bound, double *off)
{
	double difference = fabs(sw_element(dtype, found, at) - sw_element(dtype, right, at));
	if (difference > *off)
		*off = difference;
	return difference <= bound;
}

int64_t sw_compare(sw_dtype dtype, const void *found, const void *right, int64_t count, double bound, double *off)
{
	assert(count >= 0);
	size_t bytes = (size_t)sw_dtype_bytes(dtype);
	if (memcmp(found, right, (size_t)count * bytes) == 0)
		return -1;
	for (int64_t i = 0; i < count; i++)
		if (!sw_same_element(dtype, found, right, i) &&
			(bound <= 0 || !near_enough(dtype, found, right, i, bound, off)))
			return i;
	return -1;
}

/* ---- bounds ---- */

/* Whole numbers up to here, and all their sums, are exact. */
static double exact_to(sw_dtype dtype)
{
	switch (dtype) {
	case SW_F32:
		return 0x1p24;
	case SW_F64:
		return 0x1p53;
	case SW_I32:
		return 0x1p31 - 1;
	default:
		return 0x1p62;
	}
}

static void expect_input(const sw_data *data, int input)
{
	const sw_type *type = data->program->value[input].type;
	sw_expectation *expected = &data->value[input];
	int64_t terms = sw_type_terms(type), period = data->period[input];
	*expected = (sw_expectation){.most = (double)data->most[input] * (terms > 1 ? 2 * (double)terms : 1)};
	for (int i = 0; i < type->rank; i++)
		expected->along[i] = expected->most * (double)((type->global[i] + period - 1) / period);
}

typedef struct letters_read {
	const sw_equation *equation;
	const sw_type *type[2];
	const sw_expectation *value[2];
} letters_read;

static int64_t size_of(const letters_read *r, char letter)
{
	int at = sw_equation_find(r->equation, SW_EQUATION_A, letter);
	return at >= 0 ? r->type[0]->global[at] :
					 r->type[1]->global[sw_equation_find(r->equation, SW_EQUATION_B, letter)];
}

/* The largest sum of absolute values along a letter in one operand. */
static double along(const letters_read *r, int side, char letter)
{
	int at = sw_equation_find(r->equation, side, letter);
	return at < 0 ? r->value[side]->most : r->value[side]->along[at];
}

/* A bound of what is summed at one element: along letter n of the summed ones in one operand, others in full. */
static double summed_bound(const letters_read *r, const char *letter, int count)
{
	double best = INFINITY, all = r->value[0]->most * r->value[1]->most;
	for (int i = 0; i < count; i++)
		all *= (double)size_of(r, letter[i]);
	best = all;
	for (int i = 0; i < count; i++) {
		double others = all / (double)size_of(r, letter[i]) / (r->value[0]->most * r->value[1]->most);
		for (int side = 0; side < 2; side++)
			if (sw_equation_find(r->equation, side, letter[i]) >= 0)
				best = fmin(best, others * along(r, side, letter[i]) * r->value[1 - side]->most);
	}
	return best;
}

static int summed_letters(const sw_equation *equation, char *letter)
{
	int count = 0;
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < equation->rank[side]; i++) {
			char c = equation->letter[side][i];
			if (sw_equation_find(equation, SW_EQUATION_RESULT, c) < 0 && !memchr(letter, c, (size_t)count)) {
				assert(count < 2 * SW_MAX_DIMS);
				letter[count++] = c;
			}
		}
	return count;
}

/* Along dimension `dim` of the result: over that letter and one summed one, in both operands. */
static double along_result(const letters_read *r, const sw_expectation *result, int dim, const char *summed,
	int count)
{
	char letter = r->equation->letter[SW_EQUATION_RESULT][dim];
	double best = result->most * (double)size_of(r, letter);
	bool a = sw_equation_find(r->equation, SW_EQUATION_A, letter) >= 0,
		 b = sw_equation_find(r->equation, SW_EQUATION_B, letter) >= 0;
	if (a && b)
		return best;
	double others = 1;
	for (int i = 1; i < count; i++)
		others *= (double)size_of(r, summed[i]);
	if (count && others == 1 && sw_equation_find(r->equation, a ? 1 : 0, summed[0]) >= 0)
		best = fmin(best, along(r, a ? 0 : 1, letter) * along(r, a ? 1 : 0, summed[0]));
	return best;
}

static const sw_type *operand_of(const sw_program *program, int s, int k)
{
	return program->value[program->step[s].operand[k]].type;
}

static const sw_type *result_of(const sw_program *program, int s)
{
	return program->value[sw_program_value_of(program, s)].type;
}

bool sw_expect_same(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
	sw_expectation *scratch, sw_expectation *result)
{
	(void)program, (void)s, (void)limit, (void)scratch;
	*result = *operand[0];
	return true;
}

static bool is_exact_below(const sw_expectation *result, double limit)
{
	return result->exactness != SW_DATA_EXACT || result->most < limit;
}

bool sw_expect_product(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
	sw_expectation *scratch, sw_expectation *result)
{
	const letters_read r = {program->step[s].equation, {operand_of(program, s, 0), operand_of(program, s, 1)},
		{operand[0], operand[1]}};
	const sw_type *type = result_of(program, s);
	char summed[2 * SW_MAX_DIMS];
	int count = summed_letters(r.equation, summed);
	bool whole = operand[0]->exactness == SW_DATA_EXACT && operand[1]->exactness == SW_DATA_EXACT;
	bool rounded = operand[0]->exactness == SW_DATA_ROUNDED || operand[1]->exactness == SW_DATA_ROUNDED;
	(void)scratch;
	*result = (sw_expectation){.most = summed_bound(&r, summed, count)};
	result->exactness = whole                       ? SW_DATA_EXACT :
		rounded || count || sw_type_terms(type) > 1 ? SW_DATA_ROUNDED :
													  SW_DATA_ALIKE;
	for (int i = 0; i < type->rank; i++)
		result->along[i] = along_result(&r, result, i, summed, count);
	return is_exact_below(result, limit);
}

static const struct growth {
	double factor;    /* of the first operand */
	bool times_other; /* the factor is the bound of the second */
	bool plus_other;
	bool exponential;
} growths[SW_GROWTHS] = {
	[SW_GROWS_NOT] = {.factor = 1},
	[SW_GROWS_TWICE] = {.factor = 2},
	[SW_GROWS_AS_SUM] = {.factor = 1, .plus_other = true},
	[SW_GROWS_AS_PRODUCT] = {.factor = 1, .times_other = true},
	[SW_GROWS_AS_POWER] = {.factor = 1, .exponential = true},
};

static sw_exactness exactness_of(const struct growth *growth, const sw_type *type, const sw_expectation *a,
	const sw_expectation *b)
{
	sw_exactness exactness = b->exactness > a->exactness ? b->exactness : a->exactness;
	if (growth->exponential && exactness == SW_DATA_EXACT)
		exactness = SW_DATA_ALIKE;
	return exactness == SW_DATA_ALIKE && sw_type_terms(type) > 1 ? SW_DATA_ROUNDED : exactness;
}

/* Element by element: the bound of one element, and sums that follow from it or from those of the operands. */
bool sw_expect_elements(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
	sw_expectation *scratch, sw_expectation *result)
{
	const sw_step *step = &program->step[s];
	const struct growth *growth = &growths[sw_operation_of(step->op)->grows];
	const sw_type *type = result_of(program, s);
	const sw_expectation *a = operand[0], *b = operand[step->operands - 1];
	double factor = growth->times_other ? b->most : growth->factor;
	bool adds = growth->plus_other;
	(void)scratch;
	*result = (sw_expectation){.exactness = exactness_of(growth, type, a, b)};
	result->most = growth->exponential ? exp(a->most) : a->most * factor + (adds ? b->most : 0);
	for (int i = 0; i < type->rank; i++)
		result->along[i] = growth->exponential ? result->most * (double)type->global[i] :
												 a->along[i] * factor + (adds ? b->along[i] : 0);
	bool exponent = growth->exponential && a->exactness == SW_DATA_EXACT && a->most > LARGEST_EXPONENT;
	return !exponent && is_exact_below(result, limit);
}

/* The terms of the result add up; and it varies from tile to tile. */
static void finish_body(const sw_type *type, sw_expectation *result)
{
	double terms = (double)sw_type_terms(type);
	result->most *= terms;
	if (terms > 1 && result->exactness == SW_DATA_ALIKE)
		result->exactness = SW_DATA_ROUNDED;
	for (int i = 0; i < type->rank; i++)
		result->along[i] *= terms * (double)(type->global[i] / type->tile[i]);
}

/* Inside a body: bounds of tiles, which those of the whole arrays hold for. */
bool sw_expect_body(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
	sw_expectation *scratch, sw_expectation *result)
{
	const sw_program *body = program->step[s].body;
	for (int i = 0; i < body->inputs; i++)
		scratch[i] = *operand[i];
	for (int k = 0; k < body->steps; k++) {
		const sw_step *call = &body->step[k];
		sw_expectation *made = &scratch[body->inputs + k];
		const sw_expectation *of[] = {&scratch[call->operand[0]], &scratch[call->operand[call->operands - 1]]};
		sw_workings_of(call->op)->expect(body, k, of, limit, NULL, made);
		if (made->exactness == SW_DATA_EXACT && made->most > limit) {
			result->exactness = SW_DATA_ROUNDED;
			return false;
		}
	}
	*result = scratch[body->returned];
	finish_body(result_of(program, s), result);
	return is_exact_below(result, limit);
}

/* What the result of a step may be; false where it is too much to be exact. */
static bool expect_step(const sw_data *data, int s, double limit, sw_expectation *scratch)
{
	const sw_program *program = data->program;
	const sw_step *step = &program->step[s];
	const sw_expectation *operand[SW_MAX_OPERANDS];
	for (int i = 0; i < step->operands; i++)
		operand[i] = &data->value[step->operand[i]];
	return sw_workings_of(step->op)->expect(program, s, operand, limit, scratch,
		&data->value[sw_program_value_of(program, s)]);
}

/* ---- choosing ---- */

/* The input that a value is, whatever its type; -1 where it is computed. */
static int input_of(const sw_program *program, int value)
{
	for (int s = sw_program_maker(program, value); s >= 0; s = sw_program_maker(program, value)) {
		if (!program->step[s].inside)
			return -1;
		value = program->step[s].operand[0];
	}
	return value;
}

static int64_t longest(const sw_type *type)
{
	int64_t most = 1;
	for (int i = 0; i < type->rank; i++)
		most = sw_larger(most, type->global[i]);
	return most;
}

/* Fewer entries, and then smaller ones; false where there is no fewer. */
static bool thin(const sw_data *data, int input)
{
	if (data->period[input] < longest(data->program->value[input].type))
		data->period[input] *= 2;
	else if (data->most[input] > 1)
		data->most[input]--;
	else
		return false;
	return true;
}

/* Inputs that the step reads, else all. */
static bool thin_for(const sw_data *data, int s)
{
	const sw_step *step = &data->program->step[s];
	bool any = false;
	for (int i = step->operands - 1; i >= 0 && !any; i--) {
		int input = input_of(data->program, step->operand[i]);
		any = input >= 0 && thin(data, input);
	}
	for (int i = 0; !any && i < data->program->inputs; i++)
		any |= thin(data, i);
	return any;
}

/* What a round brings is the first input.  Is more to be known of it than before? */
static bool expect_again(const sw_data *data)
{
	sw_expectation *first = &data->value[0], *last = &data->value[sw_program_brings(data->program)];
	bool more = first->exactness != last->exactness || first->most < last->most;
	*first = *last;
	return more && first->exactness == SW_DATA_EXACT;
}

/* The first of these steps that is too much, -1: none. */
static int excess_in(const sw_data *data, int from, int to, double limit, sw_expectation *scratch)
{
	for (int s = from; s < to; s++)
		if (!expect_step(data, s, limit, scratch))
			return s;
	return -1;
}

static int first_excess(const sw_data *data, double limit, sw_expectation *scratch)
{
	const sw_program *program = data->program;
	int loop = sw_program_loop(program), excess = -1;
	bool more = true;
	for (int i = 0; i < program->inputs; i++)
		expect_input(data, i);
	for (int64_t round = 0; more && excess < 0 && (round == 0 || round < program->rounds); round++) {
		excess = excess_in(data, 0, loop, limit, scratch);
		more = sw_program_goes_on(program, round) && expect_again(data);
	}
	return excess >= 0 ? excess : excess_in(data, loop, program->steps, limit, scratch);
}

static int most_inside(const sw_program *program)
{
	int most = 1;
	for (int s = 0; s < program->steps; s++)
		if (program->step[s].body && program->step[s].body->values > most)
			most = program->step[s].body->values;
	return most;
}

/* Nothing is exact any more behind the first step that is too much. */
static void give_up(const sw_data *data, sw_expectation *scratch)
{
	for (int s = 0; s < data->program->steps; s++) {
		sw_expectation *result = &data->value[sw_program_value_of(data->program, s)];
		if (!expect_step(data, s, INFINITY, scratch) && result->exactness == SW_DATA_EXACT)
			result->exactness = SW_DATA_ROUNDED;
		if (result->exactness == SW_DATA_EXACT && result->most >= exact_to(data->dtype))
			result->exactness = SW_DATA_ROUNDED;
	}
}

/* The data of a schedule, where all that it makes of it is exact: each input that one reads in the beginning is one of its arrays. */
static bool take_arrays(sw_data *data, sw_arena *arena)
{
	const sw_program *program = data->program;
	int *array = SW_NEW(arena, int, program->inputs + 1);
	for (int i = 0; array && i < program->inputs; i++)
		array[i] = -1;
	for (int s = 0; array && s < program->steps; s++) {
		const sw_iteration *iteration = program->step[s].iteration;
		int arrays = iteration && sw_step_does(&program->step[s], SW_DOES_LEAF) ?
			iteration->lowering->schedule->problem->formula.arrays :
			0;
		for (int k = 0; k < arrays; k++) {
			int value = sw_program_origin(program, program->step[s].operand[iteration->home[k]]);
			if (value < program->inputs)
				array[value] = k;
		}
	}
	data->array = array;
	return array;
}

bool sw_data_make(const sw_program *program, sw_arena *arena, sw_data *data, sw_diag *diag)
{
	sw_expectation *scratch = SW_NEW_ZERO(arena, sw_expectation, most_inside(program));
	*data = (sw_data){.program = program, .dtype = program->value[0].type->dtype};
	data->most = SW_NEW(arena, int64_t, program->inputs + 1);
	data->period = SW_NEW(arena, int64_t, program->inputs + 1);
	data->value = SW_NEW_ZERO(arena, sw_expectation, program->values + 1);
	if (!scratch || !data->most || !data->period || !data->value)
		return sw_diag_memory(diag);
	for (int i = 0; i < program->inputs; i++) {
		data->most[i] = LARGEST_ENTRY;
		data->period[i] = 1;
	}
	if (!sw_dtype_computes(data->dtype)) {
		sw_diag_set(diag, SW_P05, (sw_span){0, 0}, "elements of type %s can be planned but not computed",
			sw_dtype_name(data->dtype));
		sw_diag_hint(diag, "`--dtype f32` computes with another type: f32, f64, i32 or i64");
		return false;
	}
	int excess = first_excess(data, exact_to(data->dtype), scratch);
	bool whole = data->dtype == SW_F64 || data->dtype == SW_I64;
	if (excess < 0 && whole && sw_program_lowering(program) && !take_arrays(data, arena))
		return sw_diag_memory(diag);
	for (int tries = 0; excess >= 0 && tries < PATIENCE && thin_for(data, excess); tries++)
		excess = first_excess(data, exact_to(data->dtype), scratch);
	if (excess >= 0)
		give_up(data, scratch);
	data->exact = true;
	for (int i = 0; i < program->values; i++)
		data->exact &= data->value[i].exactness != SW_DATA_ROUNDED;
	return true;
}
