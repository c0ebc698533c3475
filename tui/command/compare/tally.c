/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ratios of costs: collected and sorted.
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
