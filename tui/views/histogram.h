/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ratios of several strategies as a table.
 */
#ifndef SHARDWALK_VIEWS_HISTOGRAM_H
#define SHARDWALK_VIEWS_HISTOGRAM_H

#include "answer/rows.h"
#include "views/views.h"

/* Geometric mean, extremes, and what was left out. */
extern const struct rows ratios_words; /* their columns alone */
struct rows ratios_rows(const struct ratios *ratios, int count);

#endif
