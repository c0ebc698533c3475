/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Charts of many values: how they are distributed, and two of each against each other, on logarithmic axes.
 *
 * A chart takes what room it is given, draws into a canvas, and returns the next row.  What is not above 0 has no place on such an
 * axis and is left out: whoever draws says how many those are.
 */
#ifndef SHARDWALK_CANVAS_CHART_H
#define SHARDWALK_CANVAS_CHART_H

#include "canvas/canvas.h"

/* The words of a value that stands at an axis. */
typedef void chart_words(double value, sw_text *text);

struct chart_axis {
	double least, most; /* above 0, least < most */
	chart_words *words;
};

/* A place of an axis, and what it says. */
struct chart_mark {
	double at;
	const char *words;
	enum role role;
};

#define CHART_LEAST 16 /* columns; a narrower chart is not drawn */

/* An axis for all values above 0, and for `with` (0: for nothing else); it is at least an octave long. */
struct chart_axis chart_axis_of(const double *values, int count, double with, chart_words *words);

/* An axis that has both. */
struct chart_axis chart_axis_join(const struct chart_axis *a, const struct chart_axis *b);

/* How many values there are at each place of the axis, as bars upwards, `rows` high; below it ticks, and a row for each mark. */
struct chart_distribution {
	struct chart_axis axis;
	const double *values;
	int count;
	const struct chart_mark *marks;
	int mark_count;
};
int chart_distribution_draw(struct canvas *canvas, int y, int width, int rows,
	const struct chart_distribution *chart);

/* A point for each pair, on the same axis to the right and up, with the diagonal.  Points below the diagonal, on it and above it differ
 * in role.  Several in one cell are a fuller sign (CHART_FEW, CHART_MANY). */
struct chart_scatter {
	struct chart_axis axis;
	const double *right, *up;
	int count;
	const char *right_words, *up_words;
};
int chart_scatter_draw(struct canvas *canvas, int y, int width, int rows, const struct chart_scatter *chart);

#define CHART_FEW 2   /* so many points in a cell, and */
#define CHART_MANY 10 /* so many, have signs of their own */

typedef double chart_value(const void *context, double at);

/* A line of a value over an axis to the right, with axes of its own; `more` (may be NULL) are lines that it is held against, dim, up
 * to a NULL.  Below it a row for each mark. */
struct chart_curve {
	struct chart_axis right, up;
	const char *right_words, *up_words;
	chart_value *value;
	chart_value *const *more;
	const void *context;
	const struct chart_mark *marks;
	int mark_count;
};
int chart_curve_draw(struct canvas *canvas, int y, int width, int rows, const struct chart_curve *curve);

/* A row for each of `count` bins: its label in `label` columns, how many, and a bar against `most`. */
int chart_bin(struct canvas *canvas, int y, int label, enum role role, const char *words, int many, int most);

/* ---- times, from 0 on ---- */

#define CHART_SPAN_LEAST 8 /* columns; a narrower span is not drawn */

/* What many measurements of one thing came to; beside and expected are 0 where they are not known. */
struct chart_span {
	double low, middle, high;
	double beside;   /* what it is held against */
	double expected; /* what was said before */
};

/* Signs of a span, as a legend names them. */
#define CHART_SPAN_SIGN "\u251c\u2503\u2524"
#define CHART_BESIDE_SIGN "\u254e"
#define CHART_EXPECTED_SIGN "\u25cb"

/* A bar of `room` columns that stand for 0 to `most`: filled up to `low`, open from there to `high`, with the middle in it, and
 * signs where `beside` and `expected` are. */
void chart_span_draw(struct canvas *canvas, int x, int y, int room, double most, const struct chart_span *span);

/* Round figures below such bars, in this unit, which the last of them names.  Returns the next row. */
int chart_scale(struct canvas *canvas, int x, int y, int room, double most, double unit, const char *name);

/* Values in their order, a column each; of more than there are columns each stands for several, their mean.  The lowest is lowest, twice
 * that is highest, or what is above it. */
void chart_course(struct canvas *canvas, int x, int y, int room, const double *values, int count);

#endif
