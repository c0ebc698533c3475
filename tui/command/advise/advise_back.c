/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waypoints in the other direction, planned hop by hop as the system does it.
 */
#include "command/advise/advise_back.h"

#include <assert.h>

#include "views/draw.h"

/* What is received from one type to another, in elements; below 0: the system has no plan. */
static double received(const sw_advice *advice, const sw_type *from, const sw_type *to, sw_arena *arena)
{
	sw_plan_options options = {.strategy = sw_advise_strategy(advice->target), .sizes_only = true};
	sw_problem *problem = SW_NEW_ZERO(arena, sw_problem, 1);
	sw_plan *plan = SW_NEW_ZERO(arena, sw_plan, 1);
	sw_diag diag = {.code = SW_OK};

	if (problem == NULL || plan == NULL)
		return -1;
	*problem = (sw_problem){.mesh = advice->problem.mesh, .from = *from, .to = *to};
	return sw_plan_find(problem, &options, arena, plan, &diag) ? sw_plan_volume(plan) : -1;
}

/* Through the waypoints from the last to the first. */
static double through(const sw_advice *advice, sw_arena *arena)
{
	const sw_type *at = &advice->problem.to;
	double sum = 0;

	for (int k = advice->via_count; k >= 0 && sum >= 0; k--) {
		const sw_type *next = k > 0 ? advice->via[k - 1] : &advice->problem.from;
		double more = received(advice, at, next, arena);

		sum = more < 0 ? -1 : sum + more;
		at = next;
	}
	return sum;
}

bool advise_back_find(const sw_advice *advice, int row, sw_arena *arena, struct advise_back *back)
{
	assert(advice != NULL && back != NULL);
	*back = (struct advise_back){.now = -1, .then = -1, .row = row, .dtype = advice->problem.from.dtype};
	if (advice->via_count == 0)
		return false;
	back->now = received(advice, &advice->problem.to, &advice->problem.from, arena);
	back->then = through(advice, arena);
	return back->now >= 0 && back->then >= 0;
}

static const char *bytes(double elements, sw_dtype dtype, sw_text *text)
{
	sw_text_clear(text);
	sw_print_real_bytes(text, elements * sw_dtype_bytes(dtype));
	return sw_text_get(text);
}

void advise_back_say(const struct advise_back *back, bool gradient, sw_text *text)
{
	sw_text then = {0}, now = {0};

	sw_text_add(text,
		gradient ? "\nFor the forward value, write the lines as they are" :
				   "\nThe program differentiates x: JAX transposes the lines, and the gradient passes them from last "
				   "to\nfirst");
	sw_text_addf(text, ". Where it goes the way back each device gets\n%s there in place of %s",
		bytes(back->then, back->dtype, &then), bytes(back->now, back->dtype, &now));
	if (back->row > 0)
		sw_text_addf(text, ", of which row %d of the import warns", back->row);
	sw_text_add(text, back->then > back->now ? "; that is more.\n" : ".\n");
	sw_text_free(&then);
	sw_text_free(&now);
}

void advise_back_fields(const struct advise_back *back, struct fields *in)
{
	int size = sw_dtype_bytes(back->dtype);

	field_number(in, "bytes_now", back->now * size);
	field_number(in, "bytes_then", back->then * size);
	field_count(in, "row", back->row > 0 ? back->row : -1);
}
