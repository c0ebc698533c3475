/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From key to picture, on a search graph of more than 100 000 nodes: the time of each key, and the median, which the
 * eye should not notice.
 */
#define _GNU_SOURCE
#include "kit/stage.h"

#include <locale.h>
#include <stdlib.h>
#include <time.h>

#define KEYS (sizeof(stage_keys) / sizeof(*stage_keys))
#define GOAL 16.0 /* milliseconds: a picture at 60 a second */

static double milliseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median_of_keys(struct screen *screen)
{
	double times[KEYS];
	for (size_t i = 0; i < KEYS; i++) {
		double begun = milliseconds();
		screen_key(screen, key_named(sw_str_of(stage_keys[i])));
		look(screen, 200, 50, NULL);
		times[i] = milliseconds() - begun;
		printf("  %-5s %8.2f ms\n", stage_keys[i], times[i]);
	}
	qsort(times, KEYS, sizeof(*times), compare_doubles);
	return times[KEYS / 2];
}

int main(void)
{
	struct session session;
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 77;
	struct screen *screen = stage_open(&session, STAGE_LARGE);
	look(screen, 200, 50, NULL);
	double median = median_of_keys(screen);
	printf("key to picture: median %.2f ms, goal %.0f ms\n", median, GOAL);
	stage_close(&session);
	return median > GOAL;
}
