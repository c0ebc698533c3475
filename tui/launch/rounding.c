/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of rounding: a sum of n terms is off by (n - 1) u of the sum of their magnitudes at most, to first order, u being half of the
 * last place of 1 (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 4.2); two orders differ by twice that.
 */
#include "launch/rounding.h"

/* Half of the last place of 1 in the type of the sum, and of the elements where these are narrower; 0: they are integers. */
struct unit {
	double sum, element;
};

static struct unit unit_of(sw_dtype dtype)
{
	switch (dtype) {
	case SW_F16:
		return (struct unit){0x1p-24, 0x1p-11};
	case SW_BF16:
		return (struct unit){0x1p-24, 0x1p-8};
	case SW_F32:
	case SW_C64:
		return (struct unit){0x1p-24, 0};
	case SW_F64:
	case SW_C128:
		return (struct unit){0x1p-53, 0};
	default:
		return (struct unit){0, 0};
	}
}

/* How many terms the step makes one of; 1: it adds nothing, or its run says how far sums of other data are off. */
static double terms_added(const sw_plan *plan, int k)
{
	return plan->program.step[k].passing == SW_PASSES_AT_ONCE ? (double)sw_step_terms(plan, k) : 1;
}

double rounding_of(const sw_plan *plan)
{
	struct unit unit = unit_of(plan->problem.from.dtype);
	double most = 0;
	for (int k = 0; k < plan->program.steps; k++)
		if (terms_added(plan, k) > 1)
			most += 2 * ((terms_added(plan, k) - 1) * unit.sum + unit.element);
	return most;
}

void rounding_print(const sw_plan *plan, sw_text *text)
{
	int steps = 0;
	sw_text_addf(text, "%s: on other data, the order of adding changes the last digits, in step",
		sw_dtype_name(plan->problem.from.dtype));
	for (int k = 0; k < plan->program.steps; k++)
		steps += terms_added(plan, k) > 1;
	sw_text_add(text, steps > 1 ? "s" : "");
	for (int k = 0, told = 0; k < plan->program.steps; k++)
		if (terms_added(plan, k) > 1)
			sw_text_addf(text, "%s %d", !told++ ? "" : told == steps ? " and" : ",", k + 1);
	sw_text_addf(text, ", by %.2g of the sum of the magnitudes at most", rounding_of(plan));
}
