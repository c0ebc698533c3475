/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures as they were: compared with those in a folder of tests; UPDATE=1 writes them anew.
 */
#ifndef TESTS_KIT_SNAPSHOT_H
#define TESTS_KIT_SNAPSHOT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/text.h>

#include "kit/kit.h"

static inline FILE *snapshot_open(const char *folder, const char *name, const char *mode)
{
	char path[4096];
	const char *source = getenv("SRC");
	snprintf(path, sizeof(path), "%s/tests/%s/%s.txt", source ? source : ".", folder, name);
	FILE *file = fopen(path, mode);
	if (!file)
		fail_msg("cannot open %s (UPDATE=1 writes it)", path);
	return file;
}

/* Names the first row that differs, and the picture it stands in. */
static inline void assert_same(const char *name, const char *expected, const char *found)
{
	const char *picture = found;
	while (*expected && *found) {
		size_t a = strcspn(expected, "\n"), b = strcspn(found, "\n");
		if (strncmp(found, "== ", 3) == 0)
			picture = found;
		if (a != b || memcmp(expected, found, a) != 0)
			fail_msg("%s, %.*s\nexpected: %.*s\n   found: %.*s", name, (int)strcspn(picture, "\n"), picture, (int)a,
				expected, (int)b, found);
		expected += a + (expected[a] == '\n');
		found += b + (found[b] == '\n');
	}
	if (*expected || *found)
		fail_msg("%s: one ends before the other", name);
}

/* Compares `found` with tests/FOLDER/NAME.txt. */
static inline void assert_snapshot(const char *folder, const char *name, const char *found)
{
	sw_text expected = {0};
	char line[4096];
	if (getenv("UPDATE")) {
		FILE *file = snapshot_open(folder, name, "w");
		fputs(found, file);
		assert_int_equal(fclose(file), 0);
	}
	FILE *file = snapshot_open(folder, name, "r");
	while (fgets(line, sizeof(line), file))
		sw_text_add(&expected, line);
	fclose(file);
	assert_same(name, sw_text_get(&expected), found);
	sw_text_free(&expected);
}

#endif
