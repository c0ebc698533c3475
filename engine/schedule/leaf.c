/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of a schedule on the data of one device, and on whole arrays: what they compute, and how much that is.
 */
#include "schedule/leaf.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/arithmetic.h>
#include <shardwalk/number.h>
#include <shardwalk/schedule_program.h>
#include <shardwalk/simulate.h>

#include "index/family.h"
#include "plan/devices.h"
#include "program/formula.h"
#include "program/formula_run.h"
#include "program/ops.h"
#include "schedule/program.h"

static sw_dtype dtype_of(const sw_program *program, int s)
{
	return program->value[sw_program_value_of(program, s)].type->dtype;
}

/* ---- what a device begins with ---- */

int sw_iteration_before(const sw_step *step)
{
	const sw_iteration *iteration = step->iteration;
	int inner = sw_fetch_inner(iteration->lowering, 0);

	if (sw_step_does(step, SW_DOES_START))
		return -1;
	if (iteration->fetch < 0)
		return iteration->in_place ? iteration->home[0] : iteration->buffer[inner];
	if (iteration->lowering->fetch[iteration->fetch].array > 0)
		return -1;
	return iteration->to_copies ? iteration->buffer[sw_fetch_outer(iteration->lowering, inner)] : iteration->home[0];
}

int sw_program_goes_on_from(const sw_program *program, int s)
{
	const sw_step *step = &program->step[s];
	int operand = step->iteration != NULL ? sw_iteration_before(step) : -1;

	if (operand < 0)
		return -1;
	const sw_value *from = &program->value[step->operand[operand]],
				   *to = &program->value[sw_program_value_of(program, s)];
	return sw_type_same_any(&program->mesh, from->type, from->words, to->type, to->words) ? step->operand[operand] :
																							-1;
}

static bool region_of_value(const sw_program *program, int value, int64_t device, sw_arena *arena, sw_region *region)
{
	sw_holding holding;

	return sw_program_holding(program, value, arena, &holding) && sw_holding_region(&holding, device, arena, region);
}

/* Where elements come from and go to. */
typedef struct packing {
	sw_dtype dtype;
	char *to;
	const char *from;
} packing;

static bool pack_loops(void *user, const sw_loops *loops)
{
	const packing *p = user;

	sw_loops_move(p->dtype, p->to, p->from, loops, false);
	return true;
}

/* Copies what two regions have in common; `of`: how the one that is read is stored. */
static bool copy_from(const sw_region *from, const sw_local *of, const sw_region *to, packing *p, sw_arena *arena)
{
	sw_region both;
	sw_local into;

	return sw_region_meet(from, to, arena, &both) && sw_local_of(to, arena, &into) &&
		sw_local_loops(&both, of, &into, arena, pack_loops, p);
}

static bool copy_common(const sw_region *from, const sw_region *to, packing *p, sw_arena *arena)
{
	sw_local of;

	return sw_local_of(from, arena, &of) && copy_from(from, &of, to, p, arena);
}

/* What a device adds up in other boxes begins as 0. */
static bool goes_on_in_buffer(const sw_program *program, int s, int64_t device, sw_arena *arena, bool *same)
{
	const sw_iteration *iteration = program->step[s].iteration;
	int inner = sw_fetch_inner(iteration->lowering, 0);

	*same = true;
	return iteration->in_place || sw_goes_on_in_box(iteration->lowering, inner, iteration->step, device, arena, same);
}

/* The same of a copy that was given away. */
static bool goes_on_in_copy(const sw_program *program, int s, int64_t device, sw_arena *arena, bool *same)
{
	const sw_iteration *iteration = program->step[s].iteration;
	bool ends = false;

	if (iteration->to_copies) {
		int outer = sw_fetch_outer(iteration->lowering, iteration->fetch);
		int64_t devices = sw_unit_devices(&program->mesh, iteration->lowering->fetch[outer].level);
		int before = sw_program_maker(program, program->step[s].operand[iteration->buffer[outer]]);
		if (!sw_copy_ends(iteration->lowering, program->step[before].iteration->step, iteration->step,
				device / devices, arena, &ends))
			return false;
	}
	*same = !ends;
	return true;
}

bool sw_iteration_goes_on(const sw_program *program, int s, int64_t device, sw_arena *arena, bool *goes_on)
{
	const sw_step *step = &program->step[s];

	*goes_on = sw_iteration_before(step) >= 0;
	return !*goes_on ||
		(sw_step_does(step, SW_DOES_LEAF) ? goes_on_in_buffer : goes_on_in_copy)(program, s, device, arena, goes_on);
}

static bool begin(const sw_program *program, int s, const sw_work *work, sw_arena *arena)
{
	const sw_step *step = &program->step[s];
	int from = sw_iteration_before(step), value = sw_program_value_of(program, s);
	packing p = {dtype_of(program, s), work->result, from >= 0 ? work->operand[from] : NULL};
	sw_region region, before;

	bool goes_on;

	if (!sw_iteration_goes_on(program, s, work->device, arena, &goes_on))
		return false;
	if (goes_on && p.from == p.to)
		return true;
	if (!region_of_value(program, value, work->device, arena, &region))
		return false;
	memset(work->result, 0, (size_t)(sw_region_size(&region) * sw_dtype_bytes(p.dtype)));
	return !goes_on ||
		(region_of_value(program, step->operand[from], work->device, arena, &before) &&
			copy_common(&before, &region, &p, arena));
}

/* What comes by messages comes afterwards: of a fetch that is all. */
bool sw_iteration_begin(const sw_program *program, int s, const sw_work *work)
{
	bool fetches = sw_step_does(&program->step[s], SW_DOES_FETCH);
	sw_arena *arena = fetches ? NULL : sw_arena_new();
	bool done = fetches || (arena != NULL && begin(program, s, work, arena));

	sw_arena_free(arena);
	return done;
}

/* ---- what a device reads ---- */

/* A step while it is computed on a device; what is packed is on the heap. */
typedef struct leaf {
	const sw_program *program;
	int s;
	const sw_iteration *iteration;
	const sw_formula *formula;
	const sw_work *work;
	const int64_t *const *steps; /* of operands that are stored elsewhere; NULL: none is */
	sw_arena *arena;
	sw_stored *array;
	void **packed;
} leaf;

static bool region_of(const leaf *l, int operand, sw_region *region)
{
	return region_of_value(l->program, l->program->step[l->s].operand[operand], l->work->device, l->arena, region);
}

static bool store(const leaf *l, int k, const sw_region *region, const void *data)
{
	sw_local *local = SW_NEW(l->arena, sw_local, 1);

	l->array[k] = (sw_stored){data, local};
	return local != NULL && sw_local_of(region, l->arena, local);
}

/* How the elements of an operand are stored: of a box that is read in place, as the array is in which it is. */
static bool local_of(const leaf *l, int operand, const sw_region *region, sw_local *local)
{
	const int64_t *step = l->steps != NULL ? l->steps[operand] : NULL;

	if (step == NULL || region->count == 0)
		return sw_local_of(region, l->arena, local);
	sw_local_part *part = SW_NEW(l->arena, sw_local_part, 1);
	assert(region->count == 1);
	if (part == NULL)
		return false;
	*part = (sw_local_part){region->set, 0, step};
	*local = (sw_local){region->rank, 1, part, sw_region_size(region)};
	return true;
}

static bool store_operand(const leaf *l, int k, int operand, const sw_region *region)
{
	sw_local *local = SW_NEW(l->arena, sw_local, 1);

	l->array[k] = (sw_stored){l->work->operand[operand], local};
	return local != NULL && local_of(l, operand, region, local);
}

/* Of what is needed a part is at home, and the rest in the buffer. */
static bool pack(const leaf *l, int k, const sw_region *needed, const sw_region *buffer, const sw_region *home)
{
	const sw_iteration *iteration = l->iteration;
	sw_dtype dtype = dtype_of(l->program, l->s);
	packing p = {dtype, malloc((size_t)(sw_region_size(needed) * sw_dtype_bytes(dtype)) + 1), NULL};
	int buffered = iteration->buffer[sw_fetch_inner(iteration->lowering, k)];
	sw_local of;

	l->packed[k] = p.to;
	if (p.to == NULL || !store(l, k, needed, p.to))
		return false;
	p.from = l->work->operand[iteration->home[k]];
	if (!copy_common(home, needed, &p, l->arena))
		return false;
	p.from = l->work->operand[buffered];
	return local_of(l, buffered, buffer, &of) && copy_from(buffer, &of, needed, &p, l->arena);
}

/* Where a device has what it reads of an array in this step. */
static bool find_array(const leaf *l, int k)
{
	const sw_iteration *iteration = l->iteration;
	int f = sw_fetch_inner(iteration->lowering, k), buffered = f >= 0 ? iteration->buffer[f] : -1;
	sw_region home, buffer, needed, both;
	sw_boxes need;

	if (!region_of(l, iteration->home[k], &home))
		return false;
	if (buffered < 0)
		return store(l, k, &home, l->work->operand[iteration->home[k]]);
	if (!region_of(l, buffered, &buffer) ||
		!sw_lowering_need(iteration->lowering, f, iteration->step, l->work->device, l->arena, &need) ||
		!sw_region_of_boxes(&need, l->arena, &needed) || !sw_region_meet(&needed, &buffer, l->arena, &both))
		return false;
	if (both.count == 0)
		return store(l, k, &home, l->work->operand[iteration->home[k]]);
	if (sw_region_size(&both) == sw_region_size(&needed))
		return store_operand(l, k, buffered, &buffer);
	return pack(l, k, &needed, &buffer, &home);
}

static bool find_arrays(const leaf *l)
{
	sw_region region;
	bool found = region_of_value(l->program, sw_program_value_of(l->program, l->s), l->work->device, l->arena,
					 &region) &&
		store(l, 0, &region, NULL);

	for (int k = 1; k < l->formula->arrays && found; k++)
		found = find_array(l, k);
	return found;
}

/* ---- products of matrices ---- */

bool sw_leaf_box(const sw_region *points, int64_t *low, int64_t *size)
{
	bool is = points->count == 1;

	for (int n = 0; n < points->rank && is; n++) {
		const sw_indices *set = &points->set[n];
		is = set->count == 1 && set->family[0].count == 1;
		if (is) {
			low[n] = set->family[0].first;
			size[n] = set->family[0].run;
		}
	}
	return is;
}

/* A product of two arrays over a box, where they are stored. */
typedef struct product {
	const sw_formula *formula;
	sw_equation equation;
	int64_t low[SW_MAX_LETTERS], size[SW_MAX_LETTERS];
	int64_t first[SW_EQUATION_SIDES]; /* where the box begins */
	sw_letters letters;
} product;

static void sizes_of(const product *p, int side, int64_t *size)
{
	for (int d = 0; d < p->equation.rank[side]; d++)
		size[d] = p->size[sw_formula_letter(p->formula, p->equation.letter[side][d])];
}

/* The strides of an array along its letters.  false: its elements are not at equal distances. */
static bool find_strides(product *p, int side, const sw_local *local)
{
	int rank = p->equation.rank[side];
	int64_t low[SW_MAX_DIMS] = {0}, step;

	for (int d = 0; d < rank; d++)
		low[d] = p->low[sw_formula_letter(p->formula, p->equation.letter[side][d])];
	p->first[side] = sw_local_index(local, low);
	if (p->first[side] < 0)
		return false;
	for (int d = 0; d < rank; d++) {
		int64_t size[SW_MAX_DIMS], first;
		sizes_of(p, side, size);
		step = 1;
		if (size[d] > 1 && !sw_local_line(local, low, d, 1, size[d], &first, &step))
			return false;
		for (int i = 0; i < p->letters.count; i++)
			if (p->letters.letter[i].letter == p->equation.letter[side][d])
				p->letters.letter[i].stride[side] = step;
	}
	return true;
}

/* Is it one product of matrices?  Else points are computed one by one. */
static bool product_of(const sw_formula *formula, const sw_region *points, const sw_stored *array, product *p)
{
	sw_formula plain = *formula;
	int64_t size[2][SW_MAX_DIMS];
	bool is;

	plain.adds = false;
	p->formula = formula;
	is = formula->arrays == 3 && sw_formula_equation(&plain, &p->equation) && sw_leaf_box(points, p->low, p->size);
	if (!is)
		return false;
	sizes_of(p, SW_EQUATION_A, size[0]);
	sizes_of(p, SW_EQUATION_B, size[1]);
	sw_letters_of(&p->equation, size[0], size[1], &p->letters);
	return find_strides(p, SW_EQUATION_A, array[formula->access[formula->sum.term->factor[0].access].array].local) &&
		find_strides(p, SW_EQUATION_B, array[formula->access[formula->sum.term->factor[1].access].array].local) &&
		find_strides(p, SW_EQUATION_RESULT, array[0].local);
}

/* false: it is none, or no memory; then the result is as it was. */
static bool multiply(const sw_formula_work *work, const sw_region *points, const sw_multiplier *by)
{
	const sw_formula *formula = work->formula;
	int64_t bytes = sw_dtype_bytes(work->dtype);
	product p;
	sw_gemm gemm;

	if (by == NULL || !product_of(formula, points, work->array, &p))
		return false;
	const sw_stored *a = &work->array[formula->access[formula->sum.term->factor[0].access].array],
					*b = &work->array[formula->access[formula->sum.term->factor[1].access].array];
	sw_gemm_of(&p.letters, &gemm);
	if (gemm.c.packed)
		return false;
	gemm.adds = true;
	void *room = malloc((size_t)(sw_gemm_room(&gemm) * bytes) + 1);
	if (room == NULL)
		return false;
	sw_gemm_run(&gemm, work->dtype, (const char *)a->data + p.first[SW_EQUATION_A] * bytes,
		(const char *)b->data + p.first[SW_EQUATION_B] * bytes,
		(char *)work->made + p.first[SW_EQUATION_RESULT] * bytes, room, by);
	free(room);
	return true;
}

static bool add_points(const sw_formula_work *work, const sw_region *points, const sw_multiplier *by, sw_arena *arena)
{
	return multiply(work, points, by) || sw_leaf_chain(work, points, by) || sw_formula_run(work, points, arena);
}

/* ---- a step ---- */

/* Of the points those whose first letter is in this part of its values. */
static bool take_part(const leaf *l, int part, int parts, sw_region *points)
{
	int64_t low = INT64_MAX, high = 0;
	sw_indices *set = SW_NEW(l->arena, sw_indices, points->rank + 1);
	sw_family *family = SW_NEW(l->arena, sw_family, points->rank + 1);

	if (parts == 1 || points->rank == 0) {
		points->count = part == 0 ? points->count : 0;
		return true;
	}
	if (set == NULL || family == NULL)
		return false;
	for (int n = 0; n < points->count; n++)
		for (int i = 0; i < points->set[(int64_t)n * points->rank].count; i++) {
			const sw_family *f = &points->set[(int64_t)n * points->rank].family[i];
			low = sw_smaller(low, f->first);
			high = sw_larger(high, sw_family_end(f));
		}
	for (int d = 0; d < points->rank; d++)
		set[d] = sw_indices_range(0, l->formula->size[d], &family[d]);
	set[0] = sw_indices_range(low + (high - low) * part / parts, low + (high - low) * (part + 1) / parts, &family[0]);
	return sw_region_meet(points, &(sw_region){points->rank, 1, set}, l->arena, points);
}

static bool compute(const leaf *l, int part, int parts)
{
	sw_region points;
	const sw_formula_work work = {l->formula, dtype_of(l->program, l->s), l->array, l->work->result};

	if (!sw_lowering_points(l->iteration->lowering, l->iteration->step, l->work->device, l->arena, &points))
		return false;
	if (points.count == 0)
		return true;
	if (!take_part(l, part, parts, &points))
		return false;
	if (points.count == 0)
		return true;
	return find_arrays(l) && add_points(&work, &points, l->work->by, l->arena);
}

bool sw_program_leaf(const sw_program *program, int s, const sw_leaf_part *of, const sw_multiplier *by)
{
	sw_arena *arena = sw_arena_new();
	const sw_iteration *iteration = program->step[s].iteration;
	const sw_work work = {of->operand, of->made, NULL, by, of->device};
	leaf l = {program, s, iteration, sw_iteration_formula(iteration), &work, of->steps, arena, NULL, NULL};
	bool done = arena != NULL && (of->part > 0 || begin(program, s, &work, arena));

	if (done) {
		l.array = SW_NEW_ZERO(arena, sw_stored, l.formula->arrays);
		l.packed = SW_NEW_ZERO(arena, void *, l.formula->arrays);
		done = l.array != NULL && l.packed != NULL && compute(&l, of->part, of->parts);
		for (int k = 0; k < l.formula->arrays && l.packed != NULL; k++)
			free(l.packed[k]);
	}
	sw_arena_free(arena);
	return done;
}

bool sw_iteration_compute(const sw_program *program, int s, const sw_work *work)
{
	return sw_program_leaf(program, s, &(sw_leaf_part){work->operand, NULL, work->result, work->device, 0, 1},
		work->by);
}

/* ---- on whole arrays ---- */

/* The part of all points in which the first letter has its part of the values. */
static bool part_of_points(const sw_formula *formula, int part, int parts, sw_arena *arena, sw_region *points)
{
	sw_indices *set = SW_NEW(arena, sw_indices, formula->letters + 1);
	sw_family *family = SW_NEW(arena, sw_family, formula->letters + 1);
	int64_t rows = formula->kept > 0 ? formula->size[0] : 1, first = rows * part / parts,
			end = rows * (part + 1) / parts;

	if (set == NULL || family == NULL)
		return false;
	for (int k = 0; k < formula->letters; k++) {
		bool shared = k == 0 && formula->kept > 0;
		set[k] = sw_indices_range(shared ? first : 0, shared ? end : formula->size[k], &family[k]);
	}
	*points = (sw_region){formula->letters, first < end, set};
	return true;
}

static bool whole_arrays(const sw_reference *whole, int s, sw_arena *arena, sw_stored *array)
{
	const sw_program *program = whole->data->program;
	const sw_formula *formula = sw_iteration_formula(program->step[s].iteration);
	sw_local *local = SW_NEW(arena, sw_local, formula->arrays);

	while (!sw_step_does(&program->step[s], SW_DOES_LEAF)) /* who reads them */
		s--;
	for (int k = 0; k < formula->arrays && local != NULL; k++) {
		const sw_formula_array *is = &formula->array[k];
		if (!sw_local_whole(is->rank, is->size, arena, &local[k]))
			return false;
		int value = program->step[s].operand[program->step[s].iteration->home[k]];
		array[k] = (sw_stored){whole->array[value], &local[k]};
	}
	return local != NULL;
}

/* All that the statement adds, once, where it is finished: what is made on the way is part of it. */
static bool add_all(const sw_reference *whole, int s, int part, int parts, sw_arena *arena)
{
	const sw_program *program = whole->data->program;
	const sw_formula *formula = sw_iteration_formula(program->step[s].iteration);
	sw_stored *array = SW_NEW_ZERO(arena, sw_stored, formula->arrays);
	const sw_formula_work work = {formula, dtype_of(program, s), array,
		whole->array[sw_program_value_of(program, s)]};
	sw_region points;

	if (array == NULL || !whole_arrays(whole, s, arena, array) ||
		!part_of_points(formula, part, parts, arena, &points))
		return false;
	return points.count == 0 || add_points(&work, &points, whole->by, arena);
}

bool sw_iteration_reference(const sw_reference *whole, int s, int part, int parts)
{
	const sw_step *step = &whole->data->program->step[s];
	sw_arena *arena = step->iteration->last ? sw_arena_new() : NULL;
	bool done = !step->iteration->last || (arena != NULL && add_all(whole, s, part, parts, arena));

	sw_arena_free(arena);
	return done;
}

bool sw_start_reference(const sw_reference *whole, int s, int part, int parts)
{
	const sw_program *program = whole->data->program;
	int value = sw_program_value_of(program, s);
	int64_t all = sw_type_globalsize(program->value[value].type), bytes = sw_dtype_bytes(dtype_of(program, s)),
			first = all * part / parts;

	memset((char *)whole->array[value] + first * bytes, 0, (size_t)((all * (part + 1) / parts - first) * bytes));
	return true;
}

/* ---- how much it is ---- */

/* Of the processor that has most to do. */
double sw_iteration_flops(const sw_program *program, int s)
{
	const sw_iteration *iteration = program->step[s].iteration;
	sw_arena *arena = sw_arena_new();
	int64_t most = 0;
	sw_region points;

	for (int64_t d = 0; arena != NULL && d < program->mesh.devices; d++) {
		sw_arena_clear(arena);
		if (sw_lowering_points(iteration->lowering, iteration->step, d, arena, &points))
			most = sw_larger(most, sw_region_size(&points));
	}
	sw_arena_free(arena);
	return (double)most * (double)sw_formula_operations(sw_iteration_formula(iteration));
}

void sw_program_leaf_load(const sw_program *program, int s, sw_leaf_load *load)
{
	const sw_iteration *iteration = program->step[s].iteration;
	const sw_formula *formula = sw_iteration_formula(iteration);
	sw_arena *arena = sw_arena_new();
	sw_region points;

	assert(sw_step_does(&program->step[s], SW_DOES_LEAF));
	*load = (sw_leaf_load){0, 0};
	for (int64_t d = 0; arena != NULL && d < program->mesh.devices; d++) {
		sw_arena_clear(arena);
		if (!sw_lowering_points(iteration->lowering, iteration->step, d, arena, &points))
			continue;
		load->operations = fmax(load->operations, sw_leaf_operations(formula, &points));
		load->elements = fmax(load->elements, sw_leaf_elements(formula, &points));
	}
	sw_arena_free(arena);
}

/* Nobody has measured anything but products of matrices. */
double sw_iteration_time(const sw_machine *machine, const sw_program *program, int s)
{
	(void)machine, (void)program, (void)s;
	return -1;
}

/* What the whole statement may make at most. */
static double most_made(const sw_program *program, int s, const double *operand)
{
	const sw_iteration *iteration = program->step[s].iteration;
	const sw_formula *formula = sw_iteration_formula(iteration);
	double *most = calloc((size_t)formula->arrays, sizeof *most), bound = INFINITY;

	for (int k = 0; most != NULL && k < formula->arrays; k++)
		most[k] = operand[iteration->home[k]];
	if (most != NULL)
		bound = sw_formula_bound(formula, most) + most[0];
	free(most);
	return bound;
}

bool sw_expect_iteration(const sw_program *program, int s, const sw_expectation *const *operand, double limit,
	sw_expectation *scratch, sw_expectation *result)
{
	const sw_step *step = &program->step[s];
	const sw_type *type = program->value[sw_program_value_of(program, s)].type;
	double most[SW_MAX_OPERANDS] = {0};

	(void)scratch;
	*result = (sw_expectation){.exactness = SW_DATA_EXACT};
	for (int i = 0; i < step->operands; i++) {
		most[i] = operand[i]->most;
		result->most = fmax(result->most, most[i]);
		result->exactness = operand[i]->exactness > result->exactness ? operand[i]->exactness : result->exactness;
	}
	if (sw_step_does(step, SW_DOES_LEAF))
		result->most = fmax(most_made(program, s, most), result->most);
	if (result->exactness == SW_DATA_ALIKE && !sw_step_does(step, SW_DOES_FETCH))
		result->exactness = SW_DATA_ROUNDED;
	for (int d = 0; d < type->rank; d++)
		result->along[d] = result->most * (double)type->global[d];
	return result->exactness != SW_DATA_EXACT || result->most < limit;
}

/* Where sums are rounded in another order than in one process. */
sw_extent sw_iteration_extent(const sw_program *program, int s, const sw_extent *operand, double terms, double unit)
{
	const sw_step *step = &program->step[s];
	const sw_formula *formula = sw_iteration_formula(step->iteration);
	double summed = (double)sw_formula_operations(formula) + terms, most[SW_MAX_OPERANDS] = {0};
	sw_extent e = {0, 0};

	for (int i = 0; i < step->operands; i++) {
		most[i] = operand[i].most;
		e = (sw_extent){fmax(e.most, operand[i].most), fmax(e.error, operand[i].error)};
	}
	if (!sw_step_does(step, SW_DOES_LEAF) && !step->iteration->last)
		return e;
	for (int letter = formula->kept; letter < formula->letters; letter++)
		summed *= (double)formula->size[letter];
	e.most = sw_step_does(step, SW_DOES_LEAF) ? fmax(most_made(program, s, most), e.most) : e.most;
	e.error += (summed + 8) * unit * e.most;
	return e;
}

int64_t sw_reference_checksum(const sw_reference *whole)
{
	const sw_program *program = whole->data->program;
	const sw_type *type = program->value[program->returned].type;
	int64_t all = sw_type_globalsize(type);
	uint64_t sum = 0;

	for (int64_t r = 0; r < all; r++)
		sum += (uint64_t)sw_nearest(trunc(sw_element(type->dtype, whole->array[program->returned], r))) *
			(uint64_t)(1 + r % 97);
	return (int64_t)sum;
}
