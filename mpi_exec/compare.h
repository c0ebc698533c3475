/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing tiles with what is right: the first element that is wrong, and tiles of terms that are still to be summed.
 */
#ifndef EX_COMPARE_H
#define EX_COMPARE_H

#include "add.h"
#include "team.h"

/* A rank's tile in the whole array. */
typedef struct ex_tile {
	int dims;
	sw_dtype dtype;
	const int64_t *size, *base; /* its sizes, and where it begins */
} ex_tile;

typedef struct ex_wrong {
	bool any;
	int value; /* of the program */
	int device;
	int dims;
	sw_dtype dtype;
	int64_t position[SW_MAX_DIMS]; /* in the device's tile */
	int64_t index[SW_MAX_DIMS];    /* of the element that should be there */
	int64_t terms;                 /* that make up a value there; 1: it is whole */
	int64_t term;                  /* the one that the device holds */
	int copy_of;                   /* the device with another value of the same term; -1: the terms do not add up */
	_Alignas(16) unsigned char expected[16], found[16];
	bool asked;   /* the element type is wide enough to tell where the found value belongs */
	bool belongs; /* it is the value of one element: */
	int64_t origin[SW_MAX_DIMS];
	int origin_device; /* that held it at first; -1: none */
} ex_wrong;

/* The index of element `i`, by rows. */
void ex_unravel(int dims, const int64_t *size, int64_t i, int64_t *index);

/* Element `at` of the tile on this device is wrong; its value is whole. */
void ex_wrong_say(ex_wrong *wrong, const ex_tile *tile, int device, int64_t at, const void *expected,
	const void *found);

/* This rank's tile of terms, and what is to be known of it. */
typedef struct ex_terms {
	ex_tile tile;
	const char *data;
	int64_t terms; /* that make up a value */
	/* where the tile of a rank begins, and which term it holds */
	void (*place)(const void *user, int rank, int64_t *base, int64_t *term);
	/* `count` elements of the sums, from element `at` of the tile on */
	void (*right)(const void *user, int64_t at, int64_t count, void *out);
	/* the first of so many elements that is wrong; -1: none is */
	int64_t (*differs)(const void *user, const void *found, const void *right, int64_t count);
	const void *user;
} ex_terms;

/* Copies of a term have to be equal, and the terms of a tile to add up to what is right.  All ranks call it, and those that hold a
 * tile share the work: false names an element of it that this rank has found wrong, on whichever device. */
bool ex_terms_check(const ex_terms *terms, const ex_team *team, ex_wrong *wrong);

#endif
