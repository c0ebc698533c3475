/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice in received elements, the largest tile and predicted seconds: what falls, what rises.
 */
#include "advise/weigh.h"

#include <assert.h>

#include <shardwalk/cost.h>

/* Numbers that differ by less of themselves are the same; seconds are read in three digits. */
static const double same[SW_WEIGHED_COUNT] =
	{[SW_WEIGHED_RECEIVED] = 1e-6, [SW_WEIGHED_PEAK] = 1e-6, [SW_WEIGHED_TIME] = 1e-3};

static void add_plan(const sw_plan *plan, const sw_machine *machine, double *sum)
{
	double seconds = machine != NULL ? sw_predict_seconds(plan, -1, machine) : -1;

	sum[SW_WEIGHED_RECEIVED] += sw_plan_volume(plan);
	if ((double)plan->height > sum[SW_WEIGHED_PEAK])
		sum[SW_WEIGHED_PEAK] = (double)plan->height;
	if (seconds < 0 || sum[SW_WEIGHED_TIME] < 0)
		sum[SW_WEIGHED_TIME] = -1;
	else
		sum[SW_WEIGHED_TIME] += seconds;
}

void sw_advise_weigh(const sw_plan *now, const sw_plan *then, int plans, const sw_machine *machine,
	sw_advice_weight *weight)
{
	assert(then != NULL && plans > 0 && weight != NULL);
	*weight = (sw_advice_weight){.now = {-1, -1, -1}};
	for (int k = 0; k < plans; k++)
		add_plan(&then[k], machine, weight->then);
	if (now == NULL)
		return;
	for (int w = 0; w < SW_WEIGHED_COUNT; w++)
		weight->now[w] = 0;
	add_plan(now, machine, weight->now);
	sw_advise_compare(weight);
}

void sw_advise_compare(sw_advice_weight *weight)
{
	assert(weight != NULL);
	for (int w = 0; w < SW_WEIGHED_COUNT; w++) {
		double a = weight->now[w], b = weight->then[w];
		bool known = a >= 0 && b >= 0;

		weight->falls |= (unsigned)(known && b < a * (1 - same[w])) << w;
		weight->rises |= (unsigned)(known && b > a * (1 + same[w])) << w;
	}
}

bool sw_advice_is_better(const sw_advice *advice)
{
	assert(advice != NULL);
	return !advice->has_now || (advice->weight.falls != 0 && advice->weight.rises == 0);
}
