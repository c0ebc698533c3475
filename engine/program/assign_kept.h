/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a value may be kept: in its home, to which an input may be moved first, and in a second type that is made from there.
 *
 * A second type is of use where two uses or more begin at it, and none of less than three uses all begin at it, unless the home
 * is given: otherwise it would be the home, or made by its one use.
 */
#ifndef SW_PROGRAM_ASSIGN_KEPT_H
#define SW_PROGRAM_ASSIGN_KEPT_H

#include "program/assign_space.h"

/* Fills `count`, `at`, `second` and `begin` of a value; *own in net->arena is what each way to keep it costs, with its ties.
 * false: see net->diag, or store.failure. */
bool sw_kept_list(sw_net *net, int v, double **own);

/* From the ways to keep a value that has a choice: rows and table, which is `metric` where nothing else holds. */
sw_rows_of sw_kept_rows(const sw_net_value *value);
const sw_costs *sw_kept_begin(const sw_net_value *value, const sw_costs *metric);

/* What ties add to a value that is kept so. */
double sw_kept_tie(const sw_net *net, int v, int32_t home, int32_t second);

#endif
