/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The products of a program, and which blocks of them each device multiplies.
 */
#ifndef SHARDWALK_VIEWS_PRODUCTS_H
#define SHARDWALK_VIEWS_PRODUCTS_H

#include <shardwalk/program.h>

#include "canvas/canvas.h"

#define PRODUCT_LETTERS 32

/* A product of two operands as its devices use them. */
struct product {
	const sw_program *program;
	sw_str name[SW_EQUATION_SIDES];
	const sw_type *type[2];
	sw_equation equation;
	int letters, kept; /* those of the result first */
	char letter[PRODUCT_LETTERS];
	int64_t size[PRODUCT_LETTERS], cuts[PRODUCT_LETTERS]; /* of a letter: its size, and how many pieces there are */
};

/* Product number n of the program, those of bodies too; false after the last. */
bool product_at(const sw_program *program, int n, struct product *product);

/* Which piece of each letter the device in a slot multiplies. */
void product_pieces(const struct product *product, int64_t slot, int64_t pieces[PRODUCT_LETTERS]);

/* How many blocks all letters make, or those of the result; -1: too many to list. */
int64_t product_blocks(const struct product *product, bool kept);

/* Draws what is multiplied, in which types; returns the next row. */
int product_draw_head(const struct product *product, struct canvas *out, int y);

#endif
