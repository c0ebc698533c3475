/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Derived types of boxes of tiles.
 */
#include "subarrays.h"

#include <assert.h>
#include <stdlib.h>

#include "requests.h"

/* A box on the side that is read, or written: runs of elements and the loops around them, outermost first. */
typedef struct box {
	int loops;
	ex_count count[SW_LOOPS + 1], stride[SW_LOOPS + 1]; /* in elements; the last is the run itself, of stride 1 */
} box;

static void box_of(const ex_shape *shape, int64_t element, bool out, box *b)
{
	b->loops = shape->loops;
	for (int i = 0; i < shape->loops; i++) {
		int at = shape->loops - 1 - i;
		b->count[at] = (ex_count)shape->count[i];
		b->stride[at] = (ex_count)((out ? shape->from[i] : shape->into[i]) / element);
	}
	b->count[b->loops] = (ex_count)(shape->run / element);
	b->stride[b->loops] = 1;
}

/* Is it a box of a row-major array: has each loop a stride that the one outside of it is a multiple of, and room for what is inside? */
static bool is_subarray(const box *b)
{
	for (int i = 0; i < b->loops; i++)
		if (b->stride[i] % b->stride[i + 1] || b->count[i + 1] > b->stride[i] / b->stride[i + 1])
			return false;
	return true;
}

static void make_subarray(const box *b, MPI_Datatype element, MPI_Datatype *type)
{
	ex_count size[SW_LOOPS + 1], part[SW_LOOPS + 1], start[SW_LOOPS + 1] = {0};
	for (int i = 0; i <= b->loops; i++) {
		size[i] = i == 0 ? b->count[0] : b->stride[i - 1] / b->stride[i];
		part[i] = b->count[i];
	}
	EX_COUNTED(MPI_Type_create_subarray)(b->loops + 1, size, part, start, MPI_ORDER_C, element, type);
}

/* Loops that overlap in memory, or come in another order: vectors of vectors. */
static void make_vectors(const box *b, int64_t bytes, MPI_Datatype element, MPI_Datatype *type)
{
	EX_COUNTED(MPI_Type_contiguous)(b->count[b->loops], element, type);
	for (int i = b->loops - 1; i >= 0; i--) {
		MPI_Datatype inner = *type;
		EX_COUNTED(MPI_Type_create_hvector)(b->count[i], 1, (ex_place)(b->stride[i] * bytes), inner, type);
		MPI_Type_free(&inner);
	}
}

static MPI_Datatype type_of_box(const ex_program *program, const ex_move *move, bool out)
{
	MPI_Datatype type;
	box b;
	box_of(&move->shape, program->element, out, &b);
	if (is_subarray(&b))
		make_subarray(&b, ex_element_type(program->dtype), &type);
	else
		make_vectors(&b, program->element, ex_element_type(program->dtype), &type);
	return type;
}

MPI_Datatype ex_subarrays_type(const ex_program *program, const ex_step *step, int peer, bool out)
{
	const ex_move *move = out ? step->out : step->in;
	int moves = out ? step->outs : step->ins, count = 0;
	MPI_Datatype all = MPI_DATATYPE_NULL, *part = calloc((size_t)moves + 1, sizeof *part);
	MPI_Aint *at = calloc((size_t)moves + 1, sizeof *at);
	int *one = calloc((size_t)moves + 1, sizeof *one);
	assert(part && at && one);
	for (int i = 0; i < moves; i++) {
		if (move[i].peer != peer || move[i].bytes == 0)
			continue;
		part[count] = type_of_box(program, &move[i], out);
		at[count] = (MPI_Aint)(out ? move[i].from : move[i].into);
		one[count++] = 1;
	}
	if (count > 0) {
		MPI_Type_create_struct(count, one, at, part, &all);
		MPI_Type_commit(&all);
	}
	ex_subarrays_free(part, count);
	free(part);
	free(at);
	free(one);
	return all;
}

void ex_subarrays_free(MPI_Datatype *type, int count)
{
	for (int i = 0; i < count; i++)
		if (type[i] != MPI_DATATYPE_NULL)
			MPI_Type_free(&type[i]);
}
