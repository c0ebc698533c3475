/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a local tensor is made of pieces of the array: each of its dimensions is a row of atoms, and each atom counts
 * along one dimension of the array.
 */
#ifndef SW_FOREIGN_HLO_FORM_H
#define SW_FOREIGN_HLO_FORM_H

#include "foreign/module/hlo_text.h"
#include "index/digits.h"

#define HLO_MOST ((int64_t)1 << 44) /* elements of an array: sums of offsets stay numbers */

typedef struct hlo_form {
	int dims;
	int first[HLO_DIMS + 1];
	sw_digit atom[SW_MAX_DIGITS]; /* major to minor */
} hlo_form;

/* A tensor of this shape whose dimensions are those of the array. */
void hlo_form_start(hlo_form *form, int rank, const int64_t *tile);

int64_t hlo_form_size(const hlo_form *form, int k);

/* Is the tensor of this shape? */
bool hlo_form_fits(const hlo_form *form, const hlo_shape *shape);

/* Cuts and joins dimensions; false where an atom straddles, or the sizes are others. */
bool hlo_form_reshape(hlo_form *form, int dims, const int64_t *dim);

/* Dimension k becomes what dimension `from[k]` was. */
bool hlo_form_transpose(hlo_form *form, int dims, const int *from);

/* Puts atoms at the major end of dimension k. */
bool hlo_form_grow(hlo_form *form, int k, const sw_digit *atom, int count);

/* Puts atoms in the place of the major `count` places of dimension k, which must be whole atoms. */
bool hlo_form_replace(hlo_form *form, int k, int64_t count, const sw_digit *atom, int atoms);

/* Keeps the minor `size` elements of dimension k. */
bool hlo_form_shrink(hlo_form *form, int k, int64_t size);

/* Adds to `offset` (by array dimensions) where element `index` of dimension k lies. */
void hlo_form_offset(const hlo_form *form, int k, int64_t index, int64_t *offset);

/* The box of the array that the tensor is; false where it is none. */
bool hlo_form_box(const hlo_form *form, int rank, int64_t *tile);

/* Along every dimension of the array, do the tensor's elements stand in the array's order? */
bool hlo_form_ordered(const hlo_form *form, int rank);

#endif
