/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ratios of costs: collected, sorted, and as fields.
 */
#include "command/compare/tally.h"

bool tally_add(struct tally *tally, double cost, double against)
{
	if (against <= 0 && cost > 0) {
		tally->ratios.infinite++;
		return true;
	}
	return sample_add(&tally->sample, against > 0 ? cost / against : 1);
}

void tally_finish(struct tally *tally, const char *name)
{
	sample_sort(&tally->sample);
	tally->ratios.count = tally->sample.count;
	tally->ratios.ratio = tally->sample.value;
	tally->ratios.name = name;
}

void tally_free(struct tally *tally)
{
	sample_free(&tally->sample);
}

void ratios_fields(struct fields *in, const struct ratios *ratios)
{
	enum { DIGITS = 6 };
	const double *ratio = ratios->ratio;
	int count = ratios->count;
	field_text(in, "strategy", ratios->name);
	field_int(in, "count", count);
	field_digits(in, "geometric_mean", sample_geometric_mean(ratio, count), DIGITS);
	field_digits(in, "least", count ? ratio[0] : 0, DIGITS);
	field_digits(in, "median", count ? ratio[count / 2] : 0, DIGITS);
	field_digits(in, "most", count ? ratio[count - 1] : 0, DIGITS);
	field_int(in, "against_zero", ratios->infinite);
	field_int(in, "over_budget", ratios->over);
	field_int(in, "missing", ratios->missing);
}
