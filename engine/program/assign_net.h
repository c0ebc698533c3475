/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as choices: of each open home that is used more than once, and of each statement's form.
 */
#ifndef SW_PROGRAM_ASSIGN_NET_H
#define SW_PROGRAM_ASSIGN_NET_H

#include "program/assign_space.h"

/* Makes the choices and their links.  Under options->live values have no second type, and inputs lie where they are.  What
 * follows from SW_NET_RELAXED is a lower bound where net->cut is set.  false: see net->diag, or store.failure. */
bool sw_net_init(sw_net *net, const sw_program *program, const sw_assign_options *options, enum sw_net_kind kind,
	sw_arena *arena, sw_diag *diag);
void sw_net_end(sw_net *net);

/* Are there types that are given with sums? */
bool sw_net_gives_sums(const sw_program *program);

/* All values whole at once, and as much again, in elements or bytes.  false: 64 bits do not count it. */
bool sw_net_most(const sw_program *program, bool bytes, int64_t *sum);

/* The form of a statement that has some, the home of a value and its second type (-1: none) under these values of the choices. */
sw_form sw_net_form(const sw_net *net, int statement, const int32_t *value);
int32_t sw_net_home(const sw_net *net, int value, const int32_t *values);
int32_t sw_net_second(const sw_net *net, int value, const int32_t *values);

/* Does a use in state `use` begin at the second type? */
bool sw_net_begins_second(const sw_net *net, int value, const int32_t *values, int32_t use);

/* What products cost under these values, and what ties add to all that they cost. */
double sw_net_products(const sw_net *net, const int32_t *values);
double sw_net_ties(const sw_net *net, const int32_t *values);

#endif
