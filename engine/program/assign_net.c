/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a program to choices.
 *
 * A home that is open and is used once needs no choice: distances are shortest ways, so that it may lie where it is computed or
 * where it is used.
 */
#include "program/assign_net.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/hardware.h>
#include <shardwalk/number.h>
#include <shardwalk/simulate.h>

#include "program/assign_kept.h"
#include "program/ops.h"

static const sw_span nowhere = {0, 0};

/* ---- values ---- */

static bool not_whole(sw_net *net, const sw_type *type)
{
	sw_text text = {0};

	sw_type_print(&net->program->mesh, type, false, &text);
	sw_diag_set(net->diag, SW_T08, nowhere, "%s splits an axis in an unsupported way", sw_text_get(&text));
	sw_text_free(&text);
	if (net->options->machine != NULL)
		sw_diag_expected(net->diag, "whole axes: seconds are counted only over these");
	else
		sw_diag_expected(net->diag, "axes of several primes, split in the same order everywhere");
	sw_diag_hint(net->diag, "a mesh whose axes are those parts can express all types");
	return false;
}

/* The state of a type that is given. */
static bool state_of(sw_net *net, const sw_net_space *space, const sw_type *type, int32_t *state)
{
	*state = sw_type_space_find(&space->types, type);
	if (*state < 0)
		return not_whole(net, type);
	if (space->budget > 0 && sw_type_localsize(type) > space->budget) {
		net->impossible = true;
		*state = SW_HOME_ABOVE;
	}
	return true;
}

static bool fill_value(sw_net *net, int v)
{
	const sw_value *value = &net->program->value[v];
	sw_net_value *out = &net->value[v];

	*out = (sw_net_value){.space = sw_net_space_of(net, value->type),
		.home = SW_HOME_OPEN,
		.given = -1,
		.last = -1,
		.maker = -1,
		.choice = -1};
	return out->space != NULL && (value->open || state_of(net, out->space, value->type, &out->home));
}

static bool has_form(const sw_step *step)
{
	return sw_operation_of(step->op)->forms != NULL;
}

static bool open_in_body(sw_net *net, int s, int v)
{
	sw_str name = net->program->value[v].name;

	sw_diag_set(net->diag, SW_A10, net->program->step[s].at, "a body uses '%.*s', whose type is open",
		(int)name.length, name.at);
	sw_diag_expected(net->diag, "a type, which determines the tiles of parameters");
	sw_diag_hint(net->diag, "write the type of '%.*s'", (int)name.length, name.at);
	return false;
}

static bool fill_uses(sw_net *net)
{
	const sw_program *p = net->program;

	for (int s = 0; s < p->steps; s++) {
		if (has_form(&p->step[s]))
			net->value[sw_program_value_of(p, s)].maker = s;
		for (int k = 0; k < p->step[s].operands; k++) {
			int v = p->step[s].operand[k];

			net->value[v].uses++;
			net->value[v].free += has_form(&p->step[s]);
			net->value[v].last = s;
			if (!has_form(&p->step[s]) && p->value[v].open)
				return open_in_body(net, s, v);
		}
	}
	net->value[p->returned].uses++;
	net->value[p->returned].free++;
	net->value[p->returned].last = p->steps;
	return true;
}

/* An input that is used more than once may be moved first. */
static void free_inputs(sw_net *net)
{
	for (int v = 0; v < net->program->inputs && net->options->live == 0; v++) {
		sw_net_value *value = &net->value[v];

		if (value->home < 0 || value->uses < 2 || value->free < value->uses)
			continue;
		value->given = value->home;
		value->home = SW_HOME_OPEN;
	}
}

/* All ties together stay below half an element, or what seconds are told to.  In long programs they would take most of the time:
 * a coarse tile, from which slices lead to all finer ones, would stand for none of them. */
static void set_tie(sw_net *net)
{
	enum { LONG = 64 };
	const sw_program *p = net->program;
	double sum = 1;

	if (p->steps > LONG)
		return;
	for (int v = 0; v < p->values; v++)
		sum += (double)(net->value[v].uses + 4) * (double)sw_type_globalsize(p->value[v].type);
	net->tie = (net->options->machine != NULL ? 1e-17 : 0.25) / sum;
}

/* What is made only to be returned has its home where the signature says, unless it would have to be kept there for long. */
static bool settle_return(sw_net *net)
{
	const sw_program *p = net->program;
	sw_net_value *value = &net->value[p->returned];
	bool last = value->maker == p->steps - 1;

	if (p->result_open || value->home != SW_HOME_OPEN || value->uses != 1 || value->maker < 0 ||
		(net->options->live > 0 && !last))
		return true;
	return state_of(net, value->space, p->result, &value->home);
}

static bool fill_values(sw_net *net)
{
	net->value = SW_NEW(net->arena, sw_net_value, net->program->values);
	if (net->value == NULL)
		return sw_diag_memory(net->diag);
	for (int v = 0; v < net->program->values; v++)
		if (!fill_value(net, v))
			return false;
	if (!fill_uses(net) || !settle_return(net))
		return false;
	free_inputs(net);
	set_tie(net);
	return true;
}

/* ---- forms ---- */

static bool alike(const sw_form_of *a, const sw_form_of *b)
{
	return a->op == b->op && a->operands == b->operands && a->operand[0] == b->operand[0] &&
		a->operand[1] == b->operand[1] && a->result == b->result && a->home == b->home &&
		(a->equation == NULL || memcmp(a->equation, b->equation, sizeof *a->equation) == 0);
}

static const int64_t *tile_of_use(const sw_net_forms *f, const sw_form *form, int k)
{
	const sw_type_space *s = f->of.operand[k];

	return s->tile + (int64_t)s->of[form->use[k]] * s->rank;
}

/* Seconds of the product, negative where they are not known; 0 where elements are counted. */
static double product_cost(const sw_net *net, const sw_net_forms *f, const sw_form *form)
{
	const sw_machine *machine = net->options->machine;

	if (machine == NULL || f->of.equation == NULL)
		return 0;
	return sw_product_seconds(machine, f->of.equation, f->of.result->shape.dtype, tile_of_use(f, form, 0),
		tile_of_use(f, form, 1));
}

/* What was measured are products of f32 and f64. */
static bool refuse_dtype(sw_net *net, sw_dtype dtype)
{
	sw_diag_set(net->diag, SW_S11, nowhere, "products of %s were not measured", sw_dtype_name(dtype));
	sw_diag_expected(net->diag, "f32 or f64");
	sw_diag_hint(net->diag, "`assign --by cost` counts elements; `model roofline` takes any element type");
	return false;
}

static double tie_of(const sw_net *net, const sw_net_forms *f, const sw_form *form)
{
	double size = (double)sw_type_space_size(f->of.result, form->result);

	for (int k = 0; k < f->of.operands; k++)
		size += (double)sw_type_space_size(f->of.operand[k], form->use[k]);
	return size * net->tie;
}

static bool price_forms(sw_net *net, sw_net_forms *f)
{
	double *own = sw_costs_draft(&net->store, f->list.count, sizeof *own);

	for (int32_t k = 0; own != NULL && k < f->list.count; k++) {
		sw_form form = sw_forms_at(&f->list, k);
		double seconds = product_cost(net, f, &form);

		if (seconds < 0)
			return refuse_dtype(net, f->of.result->shape.dtype);
		own[k] = seconds + tie_of(net, f, &form);
	}
	if (own == NULL)
		return false;
	f->own = sw_costs_own(&net->store, own, f->list.count);
	return f->own != NULL;
}

static sw_net_forms *forms_of(sw_net *net, int s)
{
	const sw_step *step = &net->program->step[s];
	const sw_net_value *result = &net->value[sw_program_value_of(net->program, s)];
	bool computes = sw_op_computes(step->op);
	sw_form_of of = {.op = step->op,
		.equation = step->equation,
		.operands = step->operands,
		.home = computes ? -1 : result->home,
		.result = &result->space->types,
		.budget = result->space->budget};

	for (int k = 0; k < step->operands; k++)
		of.operand[k] = &net->value[step->operand[k]].space->types;
	for (int k = 0; k < net->forms; k++)
		if (alike(&net->form_list[k]->of, &of))
			return net->form_list[k];
	sw_net_forms *f = SW_NEW_ZERO(net->arena, sw_net_forms, 1);
	if (f == NULL)
		return sw_diag_memory(net->diag), NULL;
	f->of = of;
	net->form_list[net->forms++] = f;
	return sw_forms_list(&f->of, &net->store, &f->list, net->diag) && price_forms(net, f) ? f : NULL;
}

static bool fill_forms(sw_net *net)
{
	int count = net->program->steps;

	net->form_list = SW_NEW(net->arena, sw_net_forms *, count);
	net->form = SW_NEW_ZERO(net->arena, sw_net_forms *, count);
	net->form_choice = SW_NEW(net->arena, int, count);
	if (net->form_list == NULL || net->form == NULL || net->form_choice == NULL)
		return sw_diag_memory(net->diag);
	for (int s = 0; s < count; s++) {
		net->form_choice[s] = -1;
		if (!sw_net_goes_on(net, s))
			return false;
		if (has_form(&net->program->step[s]) && (net->form[s] = forms_of(net, s)) == NULL)
			return false;
	}
	return true;
}

/* ---- choices ---- */

/* Is it redistributed to be returned, from a home that is given? */
static bool is_returned_elsewhere(const sw_net *net, int v)
{
	const sw_program *p = net->program;
	const sw_net_value *value = &net->value[v];

	return v == p->returned && !p->result_open && value->home >= 0 &&
		sw_type_space_find(&value->space->types, p->result) != value->home;
}

static bool needs_choice(const sw_net *net, int v)
{
	const sw_net_value *value = &net->value[v];

	if (net->options->live > 0)
		return true;
	if (value->home == SW_HOME_OPEN)
		return value->uses > 1;
	return value->home >= 0 && (value->free > 1 || is_returned_elsewhere(net, v));
}

static bool add_home_choice(sw_net *net, int v)
{
	sw_net_value *value = &net->value[v];
	double *own;

	if (!sw_kept_list(net, v, &own))
		return false;
	value->choice = net->choices.count;
	net->choice[net->choices.count++] = (sw_choice){value->count, true, sw_costs_own(&net->store, own, value->count)};
	return net->store.failure == SW_COSTS_FINE;
}

static bool fill_choices(sw_net *net)
{
	const sw_program *p = net->program;

	net->choice = SW_NEW(net->arena, sw_choice, p->values + p->steps);
	net->link = SW_NEW(net->arena, sw_choice_link, 4 * (p->values + p->steps) + 4);
	net->link_of = SW_NEW(net->arena, sw_net_link, 4 * (p->values + p->steps) + 4);
	if (net->choice == NULL || net->link == NULL || net->link_of == NULL)
		return sw_diag_memory(net->diag);
	for (int v = 0; v < p->values; v++)
		if (needs_choice(net, v) && !add_home_choice(net, v))
			return false;
	for (int s = 0; s < p->steps; s++)
		if (net->form[s] != NULL) {
			net->form_choice[s] = net->choices.count;
			net->choice[net->choices.count++] = (sw_choice){net->form[s]->list.count, false, net->form[s]->own};
		}
	net->choices.choice = net->choice;
	net->choices.link = net->link;
	return true;
}

/* ---- what they cost ---- */

/* One value more of `own` in a choice: from a fixed state, or to it. */
static bool charge(sw_net *net, int choice, const sw_costs *metric, sw_rows_of at, int32_t from, int32_t to)
{
	sw_choice *c = &net->choice[choice];
	double *own = sw_costs_draft(&net->store, c->count, sizeof *own);

	if (own == NULL)
		return false;
	for (int v = 0; v < c->count; v++)
		own[v] = (c->own != NULL ? c->own[v] : 0) +
			metric->at[(int64_t)(from >= 0 ? from :
							   at == NULL  ? v :
											 at[v]) *
					metric->cols +
				(to >= 0 ? to : at[v])];
	c->own = sw_costs_own(&net->store, own, c->count);
	return c->own != NULL;
}

static void add_link(sw_net *net, int first, sw_rows_of row, int second, sw_rows_of col, const sw_costs *costs,
	sw_net_link of)
{
	net->link_of[net->choices.links] = of;
	net->link[net->choices.links++] = (sw_choice_link){first, second, {costs, row, col}};
}

/* An open input that is used once may lie in any type without sums. */
static bool charge_input(sw_net *net, int choice, const sw_type_space *types, const sw_costs *metric, sw_rows_of at)
{
	sw_choice *c = &net->choice[choice];
	double *least = SW_NEW(net->arena, double, types->count);
	double *own = sw_costs_draft(&net->store, c->count, sizeof *own);

	if (least == NULL)
		return sw_diag_memory(net->diag);
	if (own == NULL)
		return false;
	for (int32_t to = 0; to < types->count; to++) {
		least[to] = INFINITY;
		for (int32_t from = 0; from < types->count; from++)
			if (types->sums[from] == 0)
				least[to] = fmin(least[to], metric->at[(int64_t)from * metric->cols + to]);
		if (!sw_costs_looked(&net->store, types->count))
			return false;
	}
	for (int v = 0; v < c->count; v++)
		own[v] = (c->own != NULL ? c->own[v] : 0) + least[at[v]];
	c->own = sw_costs_own(&net->store, own, c->count);
	return c->own != NULL;
}

static bool link_use(sw_net *net, int s, int k)
{
	const sw_net_value *value = &net->value[net->program->step[s].operand[k]];
	const sw_costs *metric = sw_net_metric(net, value->space, 0);
	int choice = net->form_choice[s];
	sw_rows_of at = net->form[s]->list.side[k];

	if (metric == NULL)
		return false;
	if (value->home >= 0 && value->choice < 0)
		return charge(net, choice, metric, at, value->home, -1);
	if (value->choice >= 0)
		add_link(net, value->choice, sw_kept_rows(value), choice, at, sw_kept_begin(value, metric),
			(sw_net_link){s, k});
	else if (value->maker >= 0)
		add_link(net, net->form_choice[value->maker], net->form[value->maker]->list.side[SW_FORM_RESULT], choice, at,
			metric, (sw_net_link){s, k});
	else
		return charge_input(net, choice, &value->space->types, metric, at);
	return true;
}

static bool link_result(sw_net *net, int s)
{
	int v = sw_program_value_of(net->program, s);
	const sw_net_value *value = &net->value[v];
	sw_rows_of at = net->form[s]->list.side[SW_FORM_RESULT];

	if (value->home == SW_HOME_OPEN && value->choice < 0)
		return true;
	const sw_costs *metric = sw_net_metric(net, value->space, 0);
	if (metric == NULL)
		return false;
	if (value->choice < 0)
		return charge(net, net->form_choice[s], metric, at, -1, value->home);
	add_link(net, net->form_choice[s], at, value->choice, value->at, metric, (sw_net_link){s, -1});
	return true;
}

/* The result of an open program may be of any type. */
static bool charge_return(sw_net *net)
{
	const sw_net_value *value = &net->value[net->program->returned];
	int32_t state;

	if (net->program->result_open)
		return true;
	if (!state_of(net, value->space, net->program->result, &state))
		return false;
	if (state < 0 || (value->home != SW_HOME_OPEN && value->choice < 0))
		return true;
	const sw_costs *metric = sw_net_metric(net, value->space,
		net->options->live > 0 ? sw_net_live(net, value->space) : 0);
	if (metric == NULL)
		return false;
	if (value->choice >= 0)
		return charge(net, value->choice, sw_kept_begin(value, metric), sw_kept_rows(value), -1, state);
	if (value->maker < 0)
		return true;
	return charge(net, net->form_choice[value->maker], metric, net->form[value->maker]->list.side[SW_FORM_RESULT], -1,
		state);
}

static bool fill_links(sw_net *net)
{
	const sw_program *p = net->program;

	if (!charge_return(net))
		return false;
	for (int s = 0; s < p->steps && !net->impossible; s++) {
		if (!sw_net_goes_on(net, s))
			return false;
		if (net->form[s] == NULL)
			continue;
		for (int k = 0; k < p->step[s].operands; k++)
			if (!link_use(net, s, k))
				return false;
		if (!link_result(net, s))
			return false;
	}
	return true;
}

static bool has_flops(sw_net *net)
{
	const sw_machine *machine = net->options->machine;

	if (machine == NULL || sw_machine_flops(machine) > 0)
		return true;
	sw_diag_set(net->diag, SW_S11, nowhere, "the hardware does not state its flops");
	sw_diag_expected(net->diag, "flops, since seconds count products");
	sw_diag_hint(net->diag, "write `flops 1.97e14` after its bandwidth and latency");
	return false;
}

bool sw_net_most(const sw_program *program, bool bytes, int64_t *sum)
{
	*sum = 0;
	for (int v = 0; v < program->values; v++) {
		const sw_type *type = program->value[v].type;
		int64_t size;

		if (!sw_mul(sw_type_globalsize(type), bytes ? 2 * sw_dtype_bytes(type->dtype) : 2, &size) ||
			!sw_add(*sum, size, sum))
			return false;
	}
	return true;
}

/* Where sizes are added up. */
static bool sizes_fit(const sw_net *net)
{
	const sw_assign_options *o = net->options;
	int64_t sum;

	return (o->live == 0 && !o->bytes) || sw_net_most(net->program, o->bytes, &sum) ||
		sw_diag_set(net->diag, SW_S09, nowhere, "the values of the program together do not fit 64 bits");
}

bool sw_net_gives_sums(const sw_program *p)
{
	for (int v = 0; v < p->values; v++)
		if (!p->value[v].open && sw_type_terms(p->value[v].type) > 1)
			return true;
	return !p->result_open && sw_type_terms(p->result) > 1;
}

bool sw_net_init(sw_net *net, const sw_program *program, const sw_assign_options *options, enum sw_net_kind kind,
	sw_arena *arena, sw_diag *diag)
{
	*net = (sw_net){.program = program, .options = options, .kind = kind, .arena = arena, .diag = diag};
	if (!sw_costs_store_init(&net->store, arena, sw_net_memory(options), options->pulse))
		return sw_diag_memory(diag);
	sw_prime_parts_default(&program->mesh, &net->factors);
	return has_flops(net) && sizes_fit(net) && fill_values(net) && fill_forms(net) && fill_choices(net) &&
		fill_links(net);
}

void sw_net_end(sw_net *net)
{
	sw_costs_store_end(&net->store);
}

sw_form sw_net_form(const sw_net *net, int statement, const int32_t *value)
{
	assert(net->form[statement] != NULL);
	return sw_forms_at(&net->form[statement]->list, value[net->form_choice[statement]]);
}

/* A type without sums that leads to `to` at the least cost: that type itself where it has none. */
static int32_t without_sums(const sw_net_space *space, int32_t to)
{
	const sw_type_space *types = &space->types;
	const sw_costs *metric = space->metric[0];
	int32_t best = types->sums[to] == 0 ? to : -1;

	for (int32_t from = 0; types->sums[to] != 0 && from < types->count; from++)
		if (types->sums[from] == 0 &&
			(best < 0 ||
				metric->at[(int64_t)from * metric->cols + to] < metric->at[(int64_t)best * metric->cols + to]))
			best = from;
	return best;
}

/* Where it is used once: where that is, or where it is computed if the tile is smaller there. */
static int32_t collapsed_home(const sw_net *net, int v, const int32_t *values)
{
	const sw_program *p = net->program;
	const sw_net_value *value = &net->value[v];
	const sw_type_space *types = &value->space->types;
	int32_t made = value->maker < 0 ? SW_HOME_OPEN : sw_net_form(net, value->maker, values).result, used = made;

	if (value->last == p->steps)
		used = p->result_open ? made : sw_type_space_find(types, p->result);
	else if (value->last >= 0)
		used = sw_net_form(net, value->last, values).use[p->step[value->last].operand[0] != v];
	if (made < 0)
		return used < 0 ? 0 : without_sums(value->space, used);
	return used < 0 || sw_type_space_size(types, made) < sw_type_space_size(types, used) ? made : used;
}

int32_t sw_net_home(const sw_net *net, int v, const int32_t *values)
{
	assert(v >= 0 && v < net->program->values);
	const sw_net_value *value = &net->value[v];

	if (value->home >= 0)
		return value->home;
	return value->choice >= 0 ? value->at[values[value->choice]] : collapsed_home(net, v, values);
}

int32_t sw_net_second(const sw_net *net, int v, const int32_t *values)
{
	assert(v >= 0 && v < net->program->values);
	const sw_net_value *value = &net->value[v];

	return value->choice < 0 || value->second == NULL ? -1 : value->second[values[value->choice]];
}

bool sw_net_begins_second(const sw_net *net, int v, const int32_t *values, int32_t use)
{
	const sw_net_value *value = &net->value[v];
	const sw_costs *metric = value->space->metric[0];
	int32_t second = sw_net_second(net, v, values);

	return second >= 0 &&
		metric->at[(int64_t)second * metric->cols + use] <
		metric->at[(int64_t)sw_net_home(net, v, values) * metric->cols + use];
}

double sw_net_products(const sw_net *net, const int32_t *values)
{
	double sum = 0;

	for (int s = 0; s < net->program->steps; s++)
		if (net->form[s] != NULL) {
			sw_form form = sw_net_form(net, s, values);

			sum += product_cost(net, net->form[s], &form);
		}
	return sum;
}

double sw_net_ties(const sw_net *net, const int32_t *values)
{
	double sum = 0;

	for (int s = 0; s < net->program->steps; s++)
		if (net->form[s] != NULL) {
			sw_form form = sw_net_form(net, s, values);

			sum += tie_of(net, net->form[s], &form);
		}
	for (int v = 0; v < net->program->values; v++)
		if (net->value[v].choice >= 0)
			sum += sw_kept_tie(net, v, sw_net_home(net, v, values), sw_net_second(net, v, values));
	return sum;
}
