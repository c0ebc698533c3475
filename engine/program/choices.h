/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choices that cost something each and two by two.
 */
#ifndef SW_PROGRAM_CHOICES_H
#define SW_PROGRAM_CHOICES_H

#include "program/costs.h"

typedef struct sw_choice {
	int count;         /* of its values */
	bool late;         /* leave it out after others that are not, if both have two neighbours */
	const double *own; /* what each of them costs; NULL: nothing.  Made by sw_costs_own or sw_costs_absorb */
} sw_choice;

typedef struct sw_choice_link {
	int first, second; /* two choices */
	sw_link_costs costs;
} sw_choice_link;

typedef struct sw_choices {
	int count, links;
	const sw_choice *choice;
	const sw_choice_link *link;
} sw_choices;

/* Are two lists of values the same for the caller? */
typedef bool sw_choices_same(void *context, const int32_t *a, const int32_t *b);

/* What these values cost. */
double sw_choices_cost(const sw_choices *choices, const int32_t *value);

#endif
