/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fewer values: what all costs at least where a choice has one of them.
 *
 * Choices that were left out one by one are a forest, and each knows what its values cost with all that hangs below.  From the last
 * to the first each hears from above what the rest costs at least.
 */
#include "program/narrow.h"

#include <math.h>

struct narrower {
	const sw_choices *choices;
	const sw_elimination *thin;
	double most;
	sw_costs_store *store;
	const double **least; /* of each choice, copies too: what all costs at least, by its values */
	bool **kept;          /* of each choice that was given */
	sw_narrowed *out;
};

static bool no_memory(struct narrower *n)
{
	n->store->failure = SW_COSTS_NO_MEMORY;
	return false;
}

static int values_of(const struct narrower *n, int choice)
{
	return n->choices->choice[n->thin->copy_of[choice]].count;
}

/* A choice that was left out with nobody beside it is the top of what hangs below. */
static bool hear(struct narrower *n, const sw_left_out *step)
{
	double *least = sw_costs_draft(n->store, step->count, sizeof *least);

	if (least == NULL)
		return false;
	for (int v = 0; step->others == 0 && v < step->count; v++)
		least[v] = step->own != NULL ? step->own[v] : 0;
	n->least[step->choice] = least;
	if (step->others == 0)
		return true;
	const sw_costs_values above = {n->least[step->other[0]], values_of(n, step->other[0])};
	return sw_costs_least(n->store, (sw_costs_values){step->own, step->count}, &step->to[0], step->turned[0], above,
		least);
}

static void drop(struct narrower *n, const sw_left_out *step)
{
	bool *kept = n->kept[n->thin->copy_of[step->choice]];

	for (int v = 0; v < step->count; v++)
		kept[v] = kept[v] && n->least[step->choice][v] <= n->most;
}

static bool begin(struct narrower *n)
{
	n->least = SW_NEW(n->store->arena, const double *, n->thin->count);
	n->kept = SW_NEW(n->store->arena, bool *, n->choices->count);
	if (n->least == NULL || n->kept == NULL)
		return no_memory(n);
	for (int i = 0; i < n->choices->count; i++) {
		int count = n->choices->choice[i].count;

		n->kept[i] = SW_NEW(n->store->arena, bool, count);
		for (int v = 0; n->kept[i] != NULL && v < count; v++)
			n->kept[i][v] = true;
		if (n->kept[i] == NULL)
			return no_memory(n);
	}
	return true;
}

/* ---- what is left ---- */

static bool list_kept(struct narrower *n, int choice, const int32_t **values, sw_choice *out)
{
	const sw_choice *whole = &n->choices->choice[choice];
	int32_t *list = SW_NEW(n->store->arena, int32_t, whole->count);
	double *own = sw_costs_draft(n->store, whole->count, sizeof *own);
	int count = 0;

	if (list == NULL || own == NULL)
		return list != NULL || no_memory(n);
	for (int32_t v = 0; v < whole->count; v++)
		if (n->kept[choice][v]) {
			own[count] = whole->own != NULL ? whole->own[v] : 0;
			list[count++] = v;
		}
	*values = list;
	*out = (sw_choice){count, whole->late, sw_costs_own(n->store, own, count)};
	return out->own != NULL;
}

/* The rows of the values that are left. */
static sw_rows_of rows_left(struct narrower *n, int choice, sw_rows_of rows)
{
	const int32_t *value = n->out->value[choice];
	int count = n->out->choices.choice[choice].count;
	int32_t *left = sw_costs_draft(n->store, count, sizeof *left);

	for (int v = 0; left != NULL && v < count; v++)
		left[v] = rows != NULL ? rows[value[v]] : value[v];
	return left == NULL ? NULL : sw_costs_rows(n->store, left, count);
}

static bool fill_links(struct narrower *n, sw_choice_link *link)
{
	for (int k = 0; k < n->choices->links; k++) {
		link[k] = n->choices->link[k];
		link[k].costs.row = rows_left(n, link[k].first, link[k].costs.row);
		link[k].costs.col = rows_left(n, link[k].second, link[k].costs.col);
	}
	return n->store->failure == SW_COSTS_FINE;
}

static bool fill(struct narrower *n)
{
	const sw_choices *all = n->choices;
	const int32_t **value = SW_NEW(n->store->arena, const int32_t *, all->count);
	sw_choice *choice = SW_NEW(n->store->arena, sw_choice, all->count);
	sw_choice_link *link = SW_NEW(n->store->arena, sw_choice_link, all->links);

	if (value == NULL || choice == NULL || link == NULL)
		return no_memory(n);
	for (int i = 0; i < all->count; i++)
		if (!list_kept(n, i, &value[i], &choice[i]))
			return false;
	*n->out = (sw_narrowed){{all->count, all->links, choice, link}, value};
	return fill_links(n, link);
}

bool sw_narrow(const sw_choices *choices, const sw_elimination *thin, double most, sw_costs_store *store,
	sw_narrowed *narrowed)
{
	struct narrower n = {.choices = choices, .thin = thin, .most = most, .store = store, .out = narrowed};

	if (!begin(&n))
		return false;
	for (int k = thin->count - 1; k >= 0; k--) {
		if (!hear(&n, &thin->step[k]))
			return false;
		drop(&n, &thin->step[k]);
	}
	return fill(&n);
}
