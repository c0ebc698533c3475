/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products as their devices multiply them.
 */
#include "views/products.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "views/draw.h"

#define BLOCKS_MOST 65536

/* ---- which there are ---- */

static void add_letter(struct product *p, char letter)
{
	int side = sw_equation_find(&p->equation, SW_EQUATION_A, letter) >= 0 ? SW_EQUATION_A : SW_EQUATION_B;
	int dim = sw_equation_find(&p->equation, side, letter);
	if (p->letters == PRODUCT_LETTERS || memchr(p->letter, letter, (size_t)p->letters))
		return;
	p->letter[p->letters] = letter;
	p->size[p->letters] = p->type[side]->global[dim];
	p->cuts[p->letters++] = p->type[side]->global[dim] / p->type[side]->tile[dim];
}

static void add_letters(struct product *p)
{
	p->letters = 0;
	for (int i = 0; i < p->equation.rank[SW_EQUATION_RESULT]; i++)
		add_letter(p, p->equation.letter[SW_EQUATION_RESULT][i]);
	p->kept = p->letters;
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < p->equation.rank[side]; i++)
			add_letter(p, p->equation.letter[side][i]);
}

static void of_step(const sw_program *program, int s, struct product *p)
{
	const sw_step *step = &program->step[s];
	const sw_value *a = &program->value[step->operand[0]], *b = &program->value[step->operand[1]];
	*p = (struct product){.program = program,
		.name = {a->name, b->name, program->value[sw_program_value_of(program, s)].name},
		.type = {a->type, b->type},
		.equation = *step->equation};
	add_letters(p);
}

/* A product of two parameters: blocks are those of the operands, where both cut what is summed alike. */
static bool of_body(const sw_program *program, int s, const sw_step *call, struct product *p)
{
	const sw_step *step = &program->step[s];
	const int *operand = call->operand;
	if (!call->equation || operand[0] >= step->body->inputs || operand[1] >= step->body->inputs)
		return false;
	const sw_value *a = &program->value[step->operand[operand[0]]], *b = &program->value[step->operand[operand[1]]];
	*p = (struct product){.program = program,
		.name = {a->name, b->name, program->value[sw_program_value_of(program, s)].name},
		.type = {a->type, b->type},
		.equation = *call->equation};
	add_letters(p);
	return a->type->rank == 2 && b->type->rank == 2 && a->type->global[1] == b->type->global[0];
}

bool product_at(const sw_program *program, int n, struct product *product)
{
	assert(n >= 0);
	for (int s = 0; s < program->steps; s++) {
		const sw_step *step = &program->step[s];
		if (step->equation && sw_program_typed(program, s) && n-- == 0) {
			of_step(program, s, product);
			return true;
		}
		for (int k = 0; step->body && k < step->body->steps; k++)
			if (of_body(program, s, &step->body->step[k], product) && n-- == 0)
				return true;
	}
	return false;
}

/* ---- blocks ---- */

void product_pieces(const struct product *p, int64_t slot, int64_t pieces[PRODUCT_LETTERS])
{
	assert(slot >= 0 && slot < p->program->mesh.devices && p->letters <= PRODUCT_LETTERS);
	for (int side = 1; side >= 0; side--) {
		int64_t offset[SW_MAX_DIMS];
		sw_type_offset(&p->program->mesh, p->type[side], slot, offset);
		for (int i = 0; i < p->letters; i++) {
			int dim = sw_equation_find(&p->equation, side, p->letter[i]);
			if (dim >= 0)
				pieces[i] = offset[dim] / p->type[side]->tile[dim];
		}
	}
}

int64_t product_blocks(const struct product *p, bool kept)
{
	int64_t blocks = 1;
	for (int i = 0; i < (kept ? p->kept : p->letters); i++)
		if (!sw_mul(blocks, p->cuts[i], &blocks) || blocks > BLOCKS_MOST)
			return -1;
	return blocks;
}

int product_draw_head(const struct product *p, struct canvas *out, int y)
{
	sw_text text = {0};
	for (int i = 0; i < SW_EQUATION_SIDES; i++) {
		int side = i == 0 ? SW_EQUATION_RESULT : i - 1;
		sw_text_addf(&text, "%s%.*s[",
			i == 0     ? "" :
				i == 1 ? " = " :
						 " ",
			(int)p->name[side].length, p->name[side].at);
		for (int k = 0; k < p->equation.rank[side]; k++)
			sw_text_addf(&text, "%s%c", k ? "," : "", p->equation.letter[side][k]);
		sw_text_add_char(&text, ']');
	}
	y = draw_note(out, 0, y, ROLE_OP, "%s", sw_text_get(&text));
	sw_text_free(&text);
	for (int side = 0; side < 2; side++) {
		int x = canvas_putf(out, 2, y, ROLE_LABEL, "%.*s ", (int)p->name[side].length, p->name[side].at);
		y = draw_type_rows(out, x, y, out->width - x, &p->program->mesh, p->type[side], false);
	}
	return y;
}
