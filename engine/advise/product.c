/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constraints around a product.
 *
 * Of each way the price is what the system itself does: it redistributes the operands to the types that are asked for, multiplies
 * there (JAX by what XLA makes of it) and redistributes the product.  No way costs the system less than its elements say, so
 * that the search ends at the first that costs more than the best found; in seconds it looks at a number of them.
 */
#include <assert.h>
#include <math.h>

#include <shardwalk/advise.h>
#include <shardwalk/hardware.h>

#include "advise/weigh.h"

enum {
	TIMED_DEVICES = 4096,
	MOST_TIMED = 1000 /* ways that are looked at in seconds, those of fewest elements */
};

typedef struct price {
	int64_t cost, flops, peak;
	double seconds;
	sw_type multiplied[3];
} price;

typedef struct adviser {
	const sw_product *product;
	const sw_product_advice_options *options;
	sw_arena *scratch;
	sw_product_advice *advice;
	sw_diag *diag;
	bool found, failed;
	price best;
} adviser;

static void add_seconds(double more, double *seconds)
{
	*seconds = more < 0 || *seconds < 0 ? -1 : *seconds + more;
}

static void raise_peak(const sw_type *type, int64_t *peak)
{
	int64_t size = sw_type_localsize(type);

	*peak = size > *peak ? size : *peak;
}

/* The largest tile on the way that XLA takes. */
static void raise_peak_of(const sw_xla_product *found, int64_t *peak)
{
	for (int k = 0; k < 3; k++)
		for (int n = 0; n < found->stops[k]; n++)
			raise_peak(&found->stop[k][n], peak);
}

/* What the system needs from one type to the other; false: it has no plan, or something failed. */
static bool add_move(adviser *a, const sw_type *from, const sw_type *to, price *p)
{
	sw_problem *move = SW_NEW_ZERO(a->scratch, sw_problem, 1);
	sw_plan *plan = SW_NEW_ZERO(a->scratch, sw_plan, 1);
	const sw_machine *machine = a->options->machine;
	sw_plan_options options = {.strategy = sw_advise_strategy(a->options->target),
		.sizes_only = machine == NULL || a->product->mesh.devices > TIMED_DEVICES,
		.pulse = a->options->pulse};
	sw_diag diag = {.code = SW_OK};

	if (sw_type_equal(from, to))
		return true;
	if (move == NULL || plan == NULL) {
		a->failed = true;
		return sw_diag_memory(a->diag);
	}
	*move = (sw_problem){.mesh = a->product->mesh, .from = *from, .to = *to};
	if (!sw_plan_find(move, &options, a->scratch, plan, &diag)) {
		a->failed = diag.code == SW_E01 || diag.code == SW_S03;
		*a->diag = diag;
		return false;
	}
	p->cost += plan->cost;
	p->peak = plan->height > p->peak ? plan->height : p->peak;
	add_seconds(machine != NULL ? sw_predict_seconds(plan, -1, machine) : -1, &p->seconds);
	return true;
}

/* The product of operands that were asked for in these types, by JAX. */
static bool add_xla(adviser *a, const sw_type type[3], price *p)
{
	sw_product *inner = SW_NEW(a->scratch, sw_product, 1);
	sw_xla_product *found = SW_NEW(a->scratch, sw_xla_product, 1);
	sw_diag diag = {.code = SW_OK};

	if (inner == NULL || found == NULL) {
		a->failed = true;
		return sw_diag_memory(a->diag);
	}
	*inner = *a->product;
	inner->a = type[0];
	inner->b = type[1];
	inner->as = type[2];
	if (!sw_xla_product_find(inner, a->options->machine, a->scratch, found, &diag)) {
		a->failed = diag.code == SW_E01;
		*a->diag = diag;
		return false;
	}
	p->cost += found->cost;
	p->flops = found->flops;
	raise_peak_of(found, &p->peak);
	add_seconds(found->seconds, &p->seconds);
	for (int k = 0; k < 2; k++)
		p->multiplied[k] = found->stop[k][found->stops[k] - 1];
	return sw_product_local(&inner->mesh, &inner->equation, &p->multiplied[0], &p->multiplied[1], &p->multiplied[2],
		a->diag);
}

/* Others multiply where the operands lie, and the product is what comes of it. */
static bool add_local(adviser *a, const sw_type type[3], price *p)
{
	const sw_product *of = a->product;

	p->multiplied[0] = type[0];
	p->multiplied[1] = type[1];
	return sw_product_local(&of->mesh, &of->equation, &type[0], &type[1], &p->multiplied[2], a->diag) &&
		sw_product_flops(&of->equation, &type[0], &type[1], &p->flops, a->diag) &&
		add_move(a, &p->multiplied[2], &type[2], p);
}

static bool price_of(adviser *a, const sw_type type[3], price *p)
{
	const sw_product *of = a->product;
	bool jax = a->options->target == SW_ADVISE_JAX;

	*p = (price){.seconds = a->options->machine != NULL ? 0 : -1};
	for (int k = 0; k < 3; k++)
		raise_peak(&type[k], &p->peak);
	return add_move(a, &of->a, &type[0], p) && add_move(a, &of->b, &type[1], p) &&
		(jax ? add_xla : add_local)(a, type, p) && add_move(a, &type[2], &of->as, p);
}

/* Seconds of communication and product; negative where they are not known. */
static double together(const adviser *a, const price *p)
{
	const sw_machine *machine = a->options->machine;
	double rate = machine != NULL && machine->hardware != NULL ? machine->hardware->flops : 0;

	return machine == NULL || p->seconds < 0 ? -1 : p->seconds + (rate > 0 ? (double)p->flops / rate : 0);
}

static bool better(const adviser *a, const price *p, const price *than)
{
	double seconds = together(a, p), other = together(a, than);

	if (seconds >= 0 && other >= 0 && (seconds < other || seconds > other))
		return seconds < other;
	return p->cost != than->cost ? p->cost < than->cost : p->flops < than->flops;
}

static void try_types(adviser *a, const sw_type type[3])
{
	price p;

	if (!price_of(a, type, &p) || !sw_type_equal(&p.multiplied[0], &type[0]) ||
		!sw_type_equal(&p.multiplied[1], &type[1]) || (a->found && !better(a, &p, &a->best)))
		return;
	a->found = true;
	a->best = p;
	for (int k = 0; k < 3; k++)
		a->advice->type[k] = type[k];
}

static bool has_sums(const sw_type *type)
{
	return sw_type_terms(type) > 1;
}

/* DTensor has the axes of a dimension in the order of the mesh. */
static bool can_say(const adviser *a, const sw_type *type, const sw_type *plain)
{
	sw_part parts[SW_MAX_PARTS];

	if (a->options->target != SW_ADVISE_DTENSOR || sw_type_equal(type, plain))
		return true;
	for (int i = 0; i < type->rank; i++) {
		int count = sw_type_parts(type, i, parts);

		for (int n = 1; n < count; n++)
			if (parts[n].axis > parts[n - 1].axis)
				return false;
	}
	return true;
}

/* A way as constraints.  JAX is asked for the product as it is multiplied, so that nothing is left to choose. */
static void try_way(adviser *a, const sw_ways *ways, const sw_way *way)
{
	sw_type type[3];

	sw_ways_types(ways, way, type);
	if (has_sums(&type[0]) || has_sums(&type[1]) || !can_say(a, &type[0], &a->product->a) ||
		!can_say(a, &type[1], &a->product->b))
		return;
	if (a->options->target == SW_ADVISE_DTENSOR || has_sums(&a->product->as))
		type[2] = a->product->as;
	else if (!sw_type_set_sums(&a->product->mesh, &type[2], NULL, 0, NULL))
		return;
	try_types(a, type);
}

static void say_constraints(adviser *a)
{
	const sw_type *plain[3] = {&a->product->a, &a->product->b, &a->product->as};
	sw_product_advice *advice = a->advice;

	for (int k = 0; k < 3; k++)
		advice->constrained[k] = !sw_type_equal(plain[k], &advice->type[k]);
}

static bool look_through(adviser *a, const sw_ways *ways)
{
	bool timed = a->options->machine != NULL;

	for (int64_t n = 0; n < ways->count && !a->failed; n++) {
		if (a->found && (timed ? n >= MOST_TIMED : (double)a->best.cost <= ways->way[n].cost))
			break;
		sw_arena_mark mark = sw_arena_here(a->scratch);

		try_way(a, ways, &ways->way[n]);
		sw_arena_back(a->scratch, mark);
	}
	if (a->found)
		say_constraints(a);
	return !a->failed;
}

/* ---- what the system does by itself ---- */

static const char *const unknown[SW_ADVISE_COUNT] = {
	[SW_ADVISE_DTENSOR] = "what DTensor does with a product by itself depends on its version and is not "
						  "modelled here",
	[SW_ADVISE_SHARDY] = "what a compiler with Shardy does with a product by itself is XLA's choice: use `--for jax`",
};

static bool look_now(adviser *a)
{
	sw_product_advice *advice = a->advice;
	sw_diag diag = {.code = SW_OK};

	if (a->options->target != SW_ADVISE_JAX) {
		advice->why = unknown[a->options->target];
		return true;
	}
	advice->known = sw_xla_product_find(a->product, a->options->machine, a->scratch, &advice->now, &diag);
	if (advice->known)
		return true;
	if (diag.code == SW_E01) {
		*a->diag = diag;
		return false;
	}
	advice->why = "JAX refuses operands that are sums";
	return true;
}

/* In the order of sw_weighed. */
static void set_weighed(const adviser *a, const price *p, double *weighed)
{
	weighed[SW_WEIGHED_RECEIVED] = (double)p->cost;
	weighed[SW_WEIGHED_PEAK] = (double)p->peak;
	weighed[SW_WEIGHED_TIME] = together(a, p);
}

static void weigh(adviser *a, const price *now)
{
	sw_advice_weight *weight = &a->advice->weight;

	*weight = (sw_advice_weight){.now = {-1, -1, -1}};
	set_weighed(a, &a->best, weight->then);
	if (a->advice->known)
		set_weighed(a, now, weight->now);
	sw_advise_compare(weight);
}

static void conclude(adviser *a)
{
	sw_product_advice *advice = a->advice;
	price now = {.cost = advice->now.cost, .flops = advice->now.flops, .seconds = advice->now.seconds};
	bool any = advice->constrained[0] || advice->constrained[1] || advice->constrained[2];

	if (!a->found)
		return;
	if (advice->known)
		raise_peak_of(&advice->now, &now.peak);
	weigh(a, &now);
	advice->gains = any && (!advice->known || better(a, &a->best, &now));
	advice->cost = a->best.cost;
	advice->flops = a->best.flops;
	advice->seconds = a->best.seconds;
	for (int k = 0; k < 3; k++)
		advice->multiplied[k] = a->best.multiplied[k];
}

bool sw_product_advice_is_better(const sw_product_advice *advice, sw_advise_target target)
{
	assert(advice != NULL && target < SW_ADVISE_COUNT);
	const sw_advice_weight *weight = &advice->weight;
	bool timed = weight->now[SW_WEIGHED_TIME] >= 0 && weight->then[SW_WEIGHED_TIME] >= 0;

	if (!advice->known)
		return target == SW_ADVISE_JAX;
	return weight->falls != 0 && weight->rises == 0 && (timed || advice->flops <= advice->now.flops);
}

bool sw_advise_product(const sw_product *product, const sw_product_advice_options *options, sw_arena *arena,
	sw_product_advice *advice, sw_diag *diag)
{
	const sw_ways_options all = {.pulse = options->pulse};
	sw_diag spare = {.code = SW_OK};
	sw_arena *scratch = sw_arena_new();
	adviser a = {product, options, scratch, advice, diag != NULL ? diag : &spare, false, false, {0}};
	sw_ways ways;
	bool ok;

	*advice = (sw_product_advice){.seconds = -1, .type = {product->a, product->b, product->as}};
	if (scratch == NULL)
		return sw_diag_memory(diag);
	ok = sw_ways_find(product, &all, arena, &ways, diag) && look_now(&a) && look_through(&a, &ways);
	if (ok) {
		conclude(&a);
		*a.diag = (sw_diag){.code = SW_OK};
	}
	sw_arena_free(scratch);
	return ok;
}
