/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is held at once.
 */
#include "program/assign_live.h"

#include <math.h>

#include "program/ops.h"

/* The choices, or the least of those that a branch leaves. */
struct view {
	sw_live *live;
	const int32_t *value; /* NULL: a branch */
};

/* ---- sizes ---- */

static int64_t size_in(const sw_net *net, const sw_net_space *space, int32_t state)
{
	return sw_type_space_size(&space->types, state) * (net->options->bytes ? space->bytes : 1);
}

static bool is_allowed(const sw_live *l, int choice, int32_t value)
{
	return l->allowed[choice] == NULL || l->allowed[choice][value];
}

static int64_t least_home(const sw_live *l, int v)
{
	const sw_net_value *value = &l->net->value[v];
	int64_t least = INT64_MAX;

	for (int k = 0; k < value->count; k++)
		if (is_allowed(l, value->choice, k)) {
			int64_t size = size_in(l->net, value->space, value->at[k]);

			least = size < least ? size : least;
		}
	return least;
}

static int32_t home_at(const struct view *w, int v)
{
	const sw_net_value *value = &w->live->net->value[v];

	return value->at[w->value[value->choice]];
}

static int64_t home_size(const struct view *w, int v)
{
	const sw_net *net = w->live->net;

	return w->value == NULL ? w->live->least[v] : size_in(net, net->value[v].space, home_at(w, v));
}

/* ---- moments ---- */

/* Values that are there before statement `s` and needed after it. */
static bool stays(const sw_net *net, int s, int v)
{
	return v < sw_program_value_of(net->program, s) && net->value[v].last > s;
}

static int64_t beside(const struct view *w, int s)
{
	const sw_net *net = w->live->net;
	int64_t sum = 0;

	for (int v = 0; v < sw_program_value_of(net->program, s); v++)
		if (stays(net, s, v))
			sum += home_size(w, v);
	return sum;
}

static int operand(const sw_net *net, int s, int k)
{
	return net->program->step[s].operand[k];
}

/* The second operand waits while the first is redistributed, unless it is counted anyway. */
static int64_t waiting(const struct view *w, int s)
{
	const sw_net *net = w->live->net;

	if (net->program->step[s].operands < 2 || operand(net, s, 1) == operand(net, s, 0) ||
		stays(net, s, operand(net, s, 1)))
		return 0;
	return home_size(w, operand(net, s, 1));
}

/* Is the home itself what is used, of a value that is kept?  On a branch: may it be? */
static bool is_the_home(const struct view *w, int s, int k, int32_t state)
{
	const sw_net *net = w->live->net;
	int v = operand(net, s, k);
	const sw_net_value *value = &net->value[v];

	if (!stays(net, s, v))
		return false;
	if (w->value != NULL)
		return home_at(w, v) == state;
	for (int i = 0; i < value->count; i++)
		if (value->at[i] == state)
			return is_allowed(w->live, value->choice, i);
	return false;
}

/* What an operand takes as it is used, beside what is counted anyway. */
static int64_t used_size(const struct view *w, int s, int k, sw_form form)
{
	const sw_net *net = w->live->net;

	if (k > 0 && operand(net, s, k) == operand(net, s, 0) && form.use[k] == form.use[0])
		return 0;
	return is_the_home(w, s, k, form.use[k]) ? 0 : size_in(net, net->value[operand(net, s, k)].space, form.use[k]);
}

/* Operands as they are used, and the result, which of a redistribution is the operand. */
static int64_t form_size(const struct view *w, int s, sw_form form)
{
	const sw_net *net = w->live->net;
	const sw_step *statement = &net->program->step[s];
	bool computes = sw_op_computes(statement->op);
	int64_t sum = computes ? size_in(net, net->value[sw_program_value_of(net->program, s)].space, form.result) : 0;

	for (int k = 0; k < statement->operands; k++)
		sum += used_size(w, s, k, form);
	return sum;
}

static sw_form form_at(const sw_net *net, int s, int32_t k)
{
	return sw_forms_at(&net->form[s]->list, k);
}

/* The first operand as it is used, which waits while the second is redistributed. */
static int64_t first_used(const struct view *w, int s)
{
	const sw_net *net = w->live->net;
	int choice = net->form_choice[s];
	int64_t least = INT64_MAX;

	if (w->value != NULL)
		return used_size(w, s, 0, form_at(net, s, w->value[choice]));
	for (int32_t k = 0; k < net->form[s]->list.count; k++)
		if (is_allowed(w->live, choice, k)) {
			int64_t size = used_size(w, s, 0, form_at(net, s, k));

			least = size < least ? size : least;
		}
	return least == INT64_MAX ? 0 : least;
}

/* What is left for the steps of a link. */
static int64_t left_for(const struct view *w, sw_net_link of)
{
	int64_t left = w->live->net->options->live - beside(w, of.statement);

	if (of.operand == 0)
		left -= waiting(w, of.statement);
	if (of.operand == 1)
		left -= first_used(w, of.statement);
	return left;
}

static sw_net_space *space_of(const sw_net *net, sw_net_link of)
{
	int v = of.operand < 0 ? sw_program_value_of(net->program, of.statement) : operand(net, of.statement, of.operand);

	return net->value[v].space;
}

static const sw_costs *metric_for(const struct view *w, sw_net_link of)
{
	sw_net *net = w->live->net;
	sw_net_space *space = space_of(net, of);
	int64_t left = left_for(w, of) / (net->options->bytes ? space->bytes : 1);

	return sw_net_metric(net, space, left > 0 ? left : 1);
}

/* Values are there before the first statement, and at a body lie as they are. */
static int64_t lying(const struct view *w, int s)
{
	const sw_net *net = w->live->net;
	const sw_step *statement = &net->program->step[s];
	int64_t sum = beside(w, s);

	for (int k = 0; k < statement->operands; k++) {
		bool counted = stays(net, s, operand(net, s, k));

		for (int i = 0; i < k; i++)
			counted = counted || operand(net, s, i) == operand(net, s, k);
		sum += counted ? 0 : home_size(w, operand(net, s, k));
	}
	return net->form[s] != NULL ? sum : sum + home_size(w, sw_program_value_of(net->program, s));
}

/* ---- a branch ---- */

bool sw_live_init(sw_live *live, sw_net *net)
{
	*live = (sw_live){.net = net, .least = SW_NEW(net->arena, int64_t, net->program->values)};
	return live->least != NULL;
}

/* Forms that take too much beside the least that lies there cannot be. */
static bool drop_forms(struct view *w, int s, const double **own)
{
	sw_net *net = w->live->net;
	int choice = net->form_choice[s];
	int32_t count = net->form[s]->list.count;
	int64_t left = net->options->live - beside(w, s);
	double *mine = sw_costs_draft(&net->store, count, sizeof *mine);

	if (mine == NULL)
		return false;
	for (int32_t k = 0; k < count; k++) {
		double cost = own[choice] != NULL ? own[choice][k] : 0;

		mine[k] = lying(w, s) > net->options->live || form_size(w, s, form_at(net, s, k)) > left ? INFINITY : cost;
	}
	own[choice] = sw_costs_own(&net->store, mine, count);
	return own[choice] != NULL;
}

bool sw_live_tighten(sw_live *live, const bool *const *allowed, sw_choice_link *link, const double **own)
{
	sw_net *net = live->net;
	struct view w = {live, NULL};

	live->allowed = allowed;
	for (int v = 0; v < net->program->values; v++)
		live->least[v] = least_home(live, v);
	for (int s = 0; s < net->program->steps; s++)
		if (net->form[s] != NULL && !drop_forms(&w, s, own))
			return false;
	for (int k = 0; k < net->choices.links; k++) {
		link[k].costs.costs = metric_for(&w, net->link_of[k]);
		if (link[k].costs.costs == NULL)
			return false;
	}
	return true;
}

/* ---- what came out ---- */

/* Homes that could be smaller. */
static bool branch_on_home(const struct view *w, int v, int *branch, bool *left)
{
	const sw_net *net = w->live->net;
	const sw_net_value *value = &net->value[v];
	int64_t size = home_size(w, v);

	if (w->live->least[v] >= size)
		return false;
	*branch = value->choice;
	for (int k = 0; k < value->count; k++)
		left[k] = size_in(net, value->space, value->at[k]) < size;
	return true;
}

/* Of what lies beside statement `s`, and of its operands, the one that could become smaller by most. */
static bool branch_on_homes(const struct view *w, int s, int *branch, bool *left)
{
	const sw_net *net = w->live->net;
	int best = -1;
	int64_t most = 0;

	for (int v = 0; v < sw_program_value_of(net->program, s); v++) {
		int64_t gain = net->value[v].last >= s ? home_size(w, v) - w->live->least[v] : 0;

		if (gain > most) {
			most = gain;
			best = v;
		}
	}
	return best >= 0 && branch_on_home(w, best, branch, left);
}

/* A kept operand that is not used as it lies, though the branch hopes so. */
static bool branch_on_kept(const struct view *w, int s, int *branch, bool *left)
{
	const sw_net *net = w->live->net;
	struct view hope = {w->live, NULL};

	for (int k = 0; net->form[s] != NULL && k < net->program->step[s].operands; k++) {
		const sw_net_value *value = &net->value[operand(net, s, k)];
		int32_t use = sw_net_form(net, s, w->value).use[k];

		if (is_the_home(w, s, k, use) || !is_the_home(&hope, s, k, use))
			continue;
		*branch = value->choice;
		for (int i = 0; i < value->count; i++)
			left[i] = value->at[i] == use;
		return true;
	}
	return false;
}

/* Forms whose first operand takes less, or may. */
static bool branch_on_form(const struct view *w, int s, int *branch, bool *left)
{
	const sw_net *net = w->live->net;
	struct view hope = {w->live, NULL};

	if (net->form[s] == NULL || first_used(&hope, s) >= first_used(w, s))
		return false;
	*branch = net->form_choice[s];
	for (int32_t k = 0; k < net->form[s]->list.count; k++)
		left[k] = used_size(&hope, s, 0, form_at(net, s, k)) < first_used(w, s);
	return true;
}

static bool branch_at(const struct view *w, int s, int *branch, bool *left)
{
	return branch_on_homes(w, s, branch, left) || branch_on_kept(w, s, branch, left) ||
		branch_on_form(w, s, branch, left);
}

static bool fits(const struct view *w, int s)
{
	const sw_net *net = w->live->net;

	return lying(w, s) <= net->options->live &&
		(net->form[s] == NULL || beside(w, s) + form_size(w, s, sw_net_form(net, s, w->value)) <= net->options->live);
}

bool sw_live_judge(sw_live *live, const int32_t *value, double *cost, int *branch, bool *left)
{
	sw_net *net = live->net;
	struct view w = {live, value}, hope = {live, NULL};
	bool fine = true;

	*cost = 0;
	for (int i = 0; i < net->choices.count; i++)
		*cost += net->choice[i].own != NULL ? net->choice[i].own[value[i]] : 0;
	for (int s = 0; s < net->program->steps; s++)
		if (!fits(&w, s)) {
			*cost = INFINITY;
			fine = fine && !branch_at(&w, s, branch, left);
		}
	for (int k = 0; k < net->choices.links; k++) {
		sw_net_link of = net->link_of[k];
		sw_link_costs real = net->link[k].costs, hoped = real;

		real.costs = metric_for(&w, of);
		hoped.costs = metric_for(&hope, of);
		if (real.costs == NULL || hoped.costs == NULL)
			return true;
		double is = sw_link_cost(&real, value[net->link[k].first], value[net->link[k].second]);
		*cost += is;
		if (fine && is > sw_link_cost(&hoped, value[net->link[k].first], value[net->link[k].second]))
			fine = !branch_at(&w, of.statement, branch, left);
	}
	return fine;
}
