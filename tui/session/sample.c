/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples: sorted, and their means and ranks.
 */
#include "session/sample.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

bool sample_add(struct sample *sample, double value)
{
	if (sample->count == sample->room) {
		int room = sample->room ? sample->room * 2 : 256;
		double *grown = realloc(sample->value, (size_t)room * sizeof(*grown));
		if (!grown)
			return false;
		sample->value = grown;
		sample->room = room;
	}
	sample->value[sample->count++] = value;
	return true;
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

void sample_sort(struct sample *sample)
{
	if (sample->count)
		qsort(sample->value, (size_t)sample->count, sizeof(*sample->value), by_value);
}

void sample_free(struct sample *sample)
{
	free(sample->value);
	*sample = (struct sample){.count = 0};
}

double sample_quantile(const double *sorted, int count, double share)
{
	assert(share >= 0 && share <= 1);
	int at = (int)(share * count);
	return count ? sorted[at < count ? at : count - 1] : 0;
}

double sample_geometric_mean(const double *values, int count)
{
	double sum = 0;
	for (int i = 0; i < count; i++)
		sum += log(values[i] > 0 ? values[i] : 1);
	return count ? exp(sum / count) : 0;
}

/* ---- ranks ---- */

struct ranked {
	double value;
	int at;
};

static int by_ranked_value(const void *left, const void *right)
{
	return by_value(&((const struct ranked *)left)->value, &((const struct ranked *)right)->value);
}

/* Ranks from 0; equal values share the mean of theirs. */
static void rank(const double *values, int count, struct ranked *order, double *ranks)
{
	for (int i = 0; i < count; i++)
		order[i] = (struct ranked){values[i], i};
	qsort(order, (size_t)count, sizeof(*order), by_ranked_value);
	for (int from = 0, to; from < count; from = to) {
		for (to = from + 1; to < count && order[to].value <= order[from].value; to++)
			;
		for (int i = from; i < to; i++)
			ranks[order[i].at] = 0.5 * (from + to - 1);
	}
}

static double correlation(const double *xs, const double *ys, int count)
{
	double mean = 0.5 * (count - 1), xy = 0, xx = 0, yy = 0;
	for (int i = 0; i < count; i++) {
		xy += (xs[i] - mean) * (ys[i] - mean);
		xx += (xs[i] - mean) * (xs[i] - mean);
		yy += (ys[i] - mean) * (ys[i] - mean);
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

double sample_rank_correlation(const double *xs, const double *ys, int count)
{
	struct ranked *order = count > 1 ? malloc((size_t)count * sizeof(*order)) : NULL;
	double *ranks = count > 1 ? malloc(2 * (size_t)count * sizeof(*ranks)) : NULL, result = NAN;
	if (order && ranks) {
		rank(xs, count, order, ranks);
		rank(ys, count, order, ranks + count);
		result = correlation(ranks, ranks + count, count);
	}
	free(order);
	free(ranks);
	return result;
}
