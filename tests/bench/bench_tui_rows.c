/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From key to picture on 10,000 rows of an import, which keys move through, order and fold: the time of the processor for each, and
 * the longest, which the eye should not notice.
 */
#define _GNU_SOURCE
#include "kit/stage.h"

#include <locale.h>
#include <stdlib.h>
#include <time.h>

#define ROWS_MANY 10000
#define GOAL 16.0 /* milliseconds: a picture at 60 a second */

static double milliseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static bool write_log(const char *name)
{
	FILE *file = fopen(name, "w");
	for (int i = 1; file && i <= ROWS_MANY; i++)
		fprintf(file, "f32[%d,16,4] {devices=[2,1,4]<=[4,2]T(1,0)} -> {devices=[1,8,1]<=[8]}\n", 8 * i);
	return file && fclose(file) == 0;
}

static double longest_key(struct screen *screen)
{
	static const char *const keys[] = {"Down", "Down", "%", "%", "%", "%", "=", "Down", "=", "=", "=", "G", "Up"};
	double longest = 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		double begun = milliseconds();
		screen_key(screen, key_named(sw_str_of(keys[i])));
		look(screen, 200, 50, NULL);
		double taken = milliseconds() - begun;
		printf("  %-5s %8.2f ms\n", keys[i], taken);
		longest = taken > longest ? taken : longest;
	}
	return longest;
}

int main(void)
{
	struct session session;
	char name[] = "/tmp/bench_rows_XXXXXX";
	int file = mkstemp(name);
	if (!setlocale(LC_ALL, "C.UTF-8") || file < 0 || !write_log(name))
		return 77;
	struct screen *screen = stage_open(&session, "");
	sw_text line = {0};
	sw_text_addf(&line, "import %s", name);
	type_lines(screen, sw_text_get(&line));
	screen_key(screen, key_named(sw_str_of("I")));
	look(screen, 200, 50, NULL);
	double longest = longest_key(screen);
	printf("key to picture on %d rows: longest %.2f ms, goal %.0f ms%s\n", ROWS_MANY, longest, GOAL,
		longest > GOAL ? ": above the goal" : "");
	sw_text_free(&line);
	stage_close(&session);
	remove(name);
	return 0;
}
