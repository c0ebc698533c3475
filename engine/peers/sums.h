/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is still to be summed at both ends of a redistribution, as XLA and Shardy see it.
 */
#ifndef SW_PEERS_SUMS_H
#define SW_PEERS_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/type.h>

#include "step/part_list.h"

/* All lists stand in the order of the mesh, the major part of an axis first; neighbours that make one larger part are one. */
typedef struct sw_peer_sums {
	sw_part_list kept;  /* summed at both ends */
	sw_part_list ended; /* at the beginning alone */
	sw_part_list begun; /* at the end alone */
	sw_part_list zeros; /* of `begun` what joins the sums by zeros: all of it, but for what is padded last */
	bool pads;          /* some is */
	int64_t terms;      /* the product of `ended` */
	sw_problem bare;    /* the same ends with nothing to be summed; and nothing padded yet */
} sw_peer_sums;

void sw_peer_sums_of(const sw_problem *problem, sw_peer_sums *sums);

/* The type that `bare` is with the sums of `kept` and of `more` (NULL: nothing).  false: they cut a dimension there. */
bool sw_peer_sums_put(const sw_peer_sums *sums, const sw_part_list *more, const sw_type *bare, sw_type *type);

/* XLA: does a slice from `before` to `after` cut one dimension alone, in as many pieces as `ended` has devices, every device of a
 * group another one, in the order of the mesh?  XLA makes an all-reduce and this slice one reduce-scatter. */
bool sw_peer_scatters(const sw_peer_sums *sums, const sw_type *before, const sw_type *after);

/* Shardy: each dimension has a list of axes that a slice from `before` to `after` cuts it by, the major one first.  Do the
 * beginnings of these lists make up exactly `ended`?  Then `scattered` gets the type after they alone are cut. */
bool sw_peer_scatters_some(const sw_peer_sums *sums, const sw_type *before, const sw_type *after, sw_type *scattered);

/* A dimension that `to` cuts as `from` does, but for parts at its minor end that all begin to be summed, keeps these until one
 * pad ends on `to`: bare.to cuts it as `from`, and `zeros` are the others.  false: there is none. */
bool sw_peer_pads_last(sw_peer_sums *sums);

#endif
