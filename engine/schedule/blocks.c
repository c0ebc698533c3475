/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A product of matrices by a schedule, as a library multiplies them: on block-cyclic copies.
 */
#include <assert.h>

#include <shardwalk/distribution.h>
#include <shardwalk/planned.h>
#include <shardwalk/schedule_program.h>

#include "program/ops.h"
#include "program/typing.h"
#include "schedule/program.h"

/* ---- is it one ---- */

/* The step that reads the arrays as they were in the beginning; -1: there is none. */
static int first_leaf(const sw_program *program)
{
	for (int s = 0; s < program->steps; s++)
		if (sw_step_does(&program->step[s], SW_DOES_LEAF))
			return s;
	return -1;
}

/* The letters of a factor, where they are these two in any order. */
static bool has_letters(const sw_equation *equation, int side, char a, char b, bool *turned)
{
	const char *letter = equation->letter[side];

	*turned = letter[0] == b;
	return equation->rank[side] == 2 && (*turned ? letter[1] == a : letter[0] == a && letter[1] == b);
}

static bool product_of(const sw_equation *equation, int side_b, sw_schedule_product *product)
{
	const char *left = equation->letter[SW_EQUATION_RESULT];
	int side_c = side_b == SW_EQUATION_A ? SW_EQUATION_B : SW_EQUATION_A;

	if (equation->rank[SW_EQUATION_RESULT] != 2 || equation->rank[side_b] != 2)
		return false;
	char summed = equation->letter[side_b][equation->letter[side_b][0] == left[0]];
	return summed != left[1] && has_letters(equation, side_b, left[0], summed, &product->b_turned) &&
		has_letters(equation, side_c, summed, left[1], &product->c_turned);
}

static const char *why_no_product(const sw_program *program, sw_schedule_product *product)
{
	int s = first_leaf(program);
	sw_equation equation;

	if (s < 0)
		return "it is not a schedule";
	const sw_step *leaf = &program->step[s];
	const sw_formula *formula = sw_iteration_formula(leaf->iteration);
	if (formula->arrays != 3 || !sw_formula_equation(formula, &equation))
		return "its statement is not a product of two arrays";
	bool swapped = !product_of(&equation, SW_EQUATION_A, product);
	if (swapped && !product_of(&equation, SW_EQUATION_B, product))
		return "its statement is not a product of two matrices";
	for (int n = 0; n < 2; n++) {
		int array = formula->access[formula->sum.term->factor[swapped ? 1 - n : n].access].array;
		(n == 0 ? &product->b : &product->c)[0] = leaf->operand[leaf->iteration->home[array]];
	}
	const sw_type *b = program->value[product->b].type, *c = program->value[product->c].type;
	product->m = b->global[product->b_turned];
	product->k = b->global[!product->b_turned];
	product->n = c->global[!product->c_turned];
	return product->b < program->inputs && product->c < program->inputs ? NULL :
																		  "its arrays are made in the same program";
}

bool sw_program_product(const sw_program *program, sw_schedule_product *product, const char **why_not)
{
	*why_not = why_no_product(program, product);
	return *why_not == NULL;
}

/* ---- on copies ---- */

/* The program while it grows. */
typedef struct copying {
	sw_typing *typing;
	const sw_program *from;
	const sw_lowering *lowering;
	const int64_t *grid;
	int64_t block;
	sw_diag *diag;
} copying;

/* The type of a block-cyclic copy. */
static bool blocks_type(const copying *c, const sw_type *array, sw_array_type *type)
{
	sw_text text = {0};

	sw_text_addf(&text, "%s[%lld{r,..}%lld, %lld{c,..}%lld] over {r: %lld, c: %lld}", sw_dtype_name(array->dtype),
		(long long)c->block, (long long)array->global[0], (long long)c->block, (long long)array->global[1],
		(long long)c->grid[0], (long long)c->grid[1]);
	const char *kept = sw_text_keep(&text, c->typing->arena);
	if (kept == NULL)
		return sw_diag_memory(c->diag);
	*type = (sw_array_type){.known = true};
	return sw_type_parse_any(&c->from->mesh, sw_str_of(kept), NULL, c->typing->arena, &type->type, &type->words,
		c->diag);
}

/* Adds a step that makes a value of this name and type.  Returns the value; -1: E01. */
static int add(const copying *c, const sw_step *step, sw_str name, const sw_array_type *type)
{
	const sw_value value = {.name = name, .given = true, .words = type->words};

	return sw_typing_add(c->typing, step, &value, &type->type, c->diag);
}

static int add_move(const copying *c, int value, const sw_array_type *type)
{
	return sw_typing_move(c->typing, value, SW_STEP_WRITTEN, &type->type, type->words, c->diag);
}

/* Operands of all arrays, and of all fetches, of which there are none. */
static sw_iteration *make_iteration(const copying *c, sw_does does, int *home)
{
	sw_iteration *iteration = SW_NEW_ZERO(c->typing->arena, sw_iteration, 1);
	int *none = SW_NEW(c->typing->arena, int, c->lowering->fetches + 1);

	if (iteration == NULL || none == NULL || home == NULL)
		return NULL;
	for (int f = 0; f < c->lowering->fetches; f++)
		none[f] = SW_NO_OPERAND;
	*iteration = (sw_iteration){.does = does,
		.lowering = c->lowering,
		.fetch = -1,
		.home = home,
		.buffer = none,
		.in_place = true,
		.last = does == SW_DOES_LEAF};
	return iteration;
}

/* The product of two copies: what begins as 0, and all of its points in one step.  Returns the value; -1: E01. */
static int add_product(const copying *c, const sw_schedule_product *product, const int *copy, sw_str name,
	const sw_array_type *type)
{
	const sw_step *leaf = &c->from->step[first_leaf(c->from)];
	const sw_formula *formula = sw_iteration_formula(leaf->iteration);
	int *home = SW_NEW(c->typing->arena, int, formula->arrays);
	sw_step begin = {.op = sw_op_that_does(SW_DOES_START), .iteration = make_iteration(c, SW_DOES_START, home)},
			all = {.op = sw_op_that_does(SW_DOES_LEAF),
				.operands = 3,
				.iteration = make_iteration(c, SW_DOES_LEAF, home)};

	if (begin.iteration == NULL || all.iteration == NULL) {
		sw_diag_memory(c->diag);
		return -1;
	}
	for (int k = 0; k < formula->arrays; k++)
		home[k] = k == 0 ? 0 : 1 + (leaf->operand[leaf->iteration->home[k]] == product->c);
	all.operand[0] = add(c, &begin, name, type);
	all.operand[1] = copy[0];
	all.operand[2] = copy[1];
	return all.operand[0] < 0 ? -1 : add(c, &all, name, type);
}

static bool add_steps(const copying *c, const sw_schedule_product *product)
{
	const sw_program *from = c->from;
	const sw_value *left = &from->value[from->returned];
	const sw_array_type home = {.known = true, .type = *left->type, .words = left->words};
	int input[2] = {product->b, product->c}, copy[2];
	sw_array_type type;

	for (int n = 0; n < 2; n++) {
		const sw_value *value = &from->value[input[n]];
		if (!blocks_type(c, value->type, &type))
			return false;
		copy[n] = add_move(c, input[n], &type);
		if (copy[n] < 0)
			return false;
	}
	if (!blocks_type(c, left->type, &type))
		return false;
	int made = add_product(c, product, copy, left->name, &type);
	made = made < 0 ? -1 : add_move(c, made, &home);
	return made >= 0 && sw_typing_return(c->typing, made, NULL, NULL, false, c->diag);
}

bool sw_program_on_blocks(const sw_program *program, const int64_t grid[2], int64_t block, sw_arena *arena,
	sw_program *out, sw_diag *diag)
{
	const sw_plan_options options = {.strategy = SW_DIRECT};
	sw_typing *typing = SW_NEW_ZERO(arena, sw_typing, 1);
	sw_program *grown = SW_NEW_ZERO(arena, sw_program, 1);
	sw_schedule_product product;
	const char *why_not;
	bool is = sw_program_product(program, &product, &why_not);

	assert(is && grid[0] * grid[1] == program->mesh.devices && block > 0);
	if (typing == NULL || grown == NULL || !is)
		return sw_diag_memory(diag);
	*grown = (sw_program){.mesh = program->mesh, .name = program->name};
	*typing = (sw_typing){.program = grown, .arena = arena, .likely = 8};
	for (int i = 0; i < program->inputs; i++) {
		const sw_value *input = &program->value[i];
		const sw_value value = {.name = input->name, .type = input->type, .words = input->words};
		if (!sw_typing_input(typing, &value))
			return sw_diag_memory(diag);
	}
	const copying c = {typing, program, sw_program_lowering(program), grid, block, diag};
	return add_steps(&c, &product) && sw_typing_finish(typing, diag) &&
		sw_program_plan(grown, NULL, &options, arena, out, diag);
}
