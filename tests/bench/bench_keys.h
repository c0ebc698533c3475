/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From key to picture: keys pressed on a screen without a terminal, and for each what the processor worked until the picture was there,
 * in the median and at worst, beside what the clock said.
 */
#ifndef TESTS_BENCH_KEYS_H
#define TESTS_BENCH_KEYS_H

#include <locale.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "kit/stage.h"

#define KEY_GOAL 16.0   /* milliseconds: a picture at 60 a second */
#define FRAME_GOAL 33.0 /* of pieces that travel: 30 a second */
#define KEY_TICK "tick" /* in place of a key: what plays goes on by a frame */
#define KEYS_OF_A_SCENE 128
#define PRESSES_MOST 400

struct key_scene {
	const char *name, *lines;
	const char *view; /* with the focus, alone on the screen; NULL: as the lines leave it */
	const char *keys; /* names with blanks between them, `12*s` for twelve of one */
};

struct key_times {
	char view[16], name[16];
	int count;
	double worked[PRESSES_MOST], waited[PRESSES_MOST];
};

/* Milliseconds of this process, user and system; and of the clock. */
static inline double key_worked(void)
{
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	return 1e3 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
		1e-3 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static inline double key_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static inline int key_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static inline struct key_times *key_times_of(struct key_times *times, const char *view, const char *name)
{
	int i = 0;
	while (i < KEYS_OF_A_SCENE - 1 && times[i].count &&
		(strcmp(times[i].name, name) != 0 || strcmp(times[i].view, view) != 0))
		i++;
	snprintf(times[i].name, sizeof(times[i].name), "%s", name);
	snprintf(times[i].view, sizeof(times[i].view), "%s", view);
	return &times[i];
}

static inline void key_press(struct screen *screen, const char *name, int width, int height, struct key_times *times)
{
	double worked = key_worked(), begun = key_clock();
	if (strcmp(name, KEY_TICK) == 0)
		screen_tick(screen);
	else
		screen_key(screen, key_named(sw_str_of(name)));
	look(screen, width, height, NULL);
	worked = key_worked() - worked;
	begun = key_clock() - begun;
	struct key_times *of = key_times_of(times, pane_rows[screen->viewpoint.view].name, name);
	if (of->count == PRESSES_MOST)
		return;
	of->worked[of->count] = worked;
	of->waited[of->count++] = begun;
}

static inline void key_press_all(struct screen *screen, const char *names, int width, int height,
	struct key_times *times)
{
	char copy[1024], *rest = NULL;
	snprintf(copy, sizeof(copy), "%s", names);
	for (char *name = strtok_r(copy, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
		char *star = strchr(name, '*');
		int often = star && star > name ? atoi(name) : 1;
		for (int i = 0; i < often; i++)
			key_press(screen, star && star > name ? star + 1 : name, width, height, times);
	}
}

/* Rows of what was measured; how many keys are above the goal in the median. */
static inline int keys_print(struct key_times *times)
{
	int slow = 0;
	for (struct key_times *of = times; of->count; of++) {
		double goal = strcmp(of->name, KEY_TICK) == 0 ? FRAME_GOAL : KEY_GOAL;
		qsort(of->worked, (size_t)of->count, sizeof(double), key_compare);
		qsort(of->waited, (size_t)of->count, sizeof(double), key_compare);
		double median = of->worked[of->count / 2], worst = of->worked[of->count - 1];
		printf("  %-11s %-6s x%-3d  median %7.2f  worst %7.2f  goal %2.0f   clock %7.2f %7.2f%s\n", of->view,
			of->name, of->count, median, worst, goal, of->waited[of->count / 2], of->waited[of->count - 1],
			median > goal    ? "  above the goal" :
				worst > goal ? "  (worst above the goal)" :
							   "");
		slow += median > goal;
	}
	return slow;
}

static inline int key_scene_measure(const struct key_scene *scene, int width, int height)
{
	static struct key_times times[KEYS_OF_A_SCENE + 1];
	struct session session;
	double load = 0, begun = key_worked();
	struct screen *screen = stage_open(&session, scene->lines);
	sw_text line = {0};
	memset(times, 0, sizeof(times));
	if (scene->view) {
		sw_text_addf(&line, "focus %s", scene->view);
		screen_take_line(screen, "layout one");
		screen_take_line(screen, sw_text_get(&line));
	}
	look(screen, width, height, NULL);
	double made = key_worked() - begun;
	key_press_all(screen, scene->keys, width, height, times);
	getloadavg(&load, 1);
	printf(
		"%s, %dx%d, load %.1f (lines and first picture: %.0f ms)\n"
		"  milliseconds of the processor for each key, its picture included, and of the clock in the median and at worst\n",
		scene->name, width, height, load, made);
	int slow = keys_print(times);
	if (session.failures)
		printf("  %lld of the lines failed\n", session.failures);
	sw_text_free(&line);
	stage_close(&session);
	return slow;
}

#endif
