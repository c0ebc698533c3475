/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of numbers, and what is said of them.
 */
#ifndef SHARDWALK_SESSION_SAMPLE_H
#define SHARDWALK_SESSION_SAMPLE_H

#include <stdbool.h>

struct sample {
	double *value;
	int count, room;
};

/* false: memory is short. */
bool sample_add(struct sample *sample, double value);
void sample_sort(struct sample *sample);
void sample_free(struct sample *sample);

/* The value below which this share of `count` sorted ones is; 0 where there are none. */
double sample_quantile(const double *sorted, int count, double share);

/* What is not above 0 counts as 1; 0 where there are none. */
double sample_geometric_mean(const double *values, int count);

/* How well one order follows the other: from -1, the reverse, to 1, the same (Spearman's rank correlation, equal values of
 * equal rank).  NAN where fewer than two differ, or memory is short. */
double sample_rank_correlation(const double *xs, const double *ys, int count);

#endif
