/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of many problems planned by several strategies: search times, costs and times against each other, how well cost orders
 * time, and the worst cases.
 */
#ifndef SHARDWALK_VIEWS_EVALUATION_H
#define SHARDWALK_VIEWS_EVALUATION_H

#include "answer/rows.h"
#include "canvas/chart.h"
#include "views/views.h"

/* Two strategies, the first and the second, by what their plans cost or take. */
struct evaluation_pair {
	const double *first, *second; /* of each problem that both have */
	int count;
	const struct ratios *ratios; /* of every strategy to the second */
	int ratio_count;
	chart_words *words; /* of a cost or a time */
	const char *what;   /* "cost", "time" */
	const char *of;     /* more about it: "elements per device, model paper" */
};

/* Search times of a strategy, sorted. */
struct evaluation_search {
	const char *strategy;
	const double *seconds;
	int count, missing;
};

/* Problems that move about as much. */
struct evaluation_class {
	double least, most; /* bytes that a device moves, by the cheapest plan; most < 0: all problems */
	int problems, plans;
	double correlation; /* NAN: not known */
	int pairs, faster;  /* plans of one problem that differ in cost; in so many the cheaper one is the faster one */
};

struct evaluation_case {
	double slowdown;
	int number;    /* of the problem */
	int64_t bytes; /* of the array */
	const char *mesh, *from, *to;
	const char *open; /* the line that opens it */
};

/* The problems for which one strategy is most above the other. */
struct evaluation_cases {
	const char *slow, *fast;
	int above; /* so many problems are */
	const struct evaluation_case *row;
	int count;
};

struct evaluation_picture {
	const char *about; /* what the problems are */
	const struct evaluation_search *search;
	const double *seconds; /* of all searches, sorted */
	int searches, seconds_count;
	const char *first, *second;        /* NULL: there is one strategy only */
	struct evaluation_pair cost, time; /* time.count 0: none ran */
	const struct evaluation_class *classes;
	int class_count;
	const char *times; /* where the times of the classes are from */
	const struct evaluation_cases *cases;
	int cases_count;
	struct arrangement *arranged; /* of the rows of its tables; NULL: as they come */
};

/* The tables of RQ1 and RQ3. */
struct rows evaluation_search_rows(const struct evaluation_search *search, int count);
struct rows evaluation_class_rows(const struct evaluation_class *classes, int count);

/* Their columns alone. */
extern const struct rows evaluation_search_words, evaluation_class_words;

/* A part clears the canvas and draws itself. */
struct evaluation_part {
	bool (*has)(const struct evaluation_picture *picture);
	void (*draw)(const struct evaluation_picture *picture, int width, struct canvas *out);
};

/* The parts in their order; `has`: is there anything to draw? */
extern const struct evaluation_part evaluation_parts[];
extern const int evaluation_part_count;

#endif
