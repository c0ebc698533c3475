/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures as they were: compared with those in tests/screens; UPDATE=1 writes them anew.
 */
#ifndef TESTS_KIT_SNAPSHOT_H
#define TESTS_KIT_SNAPSHOT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/text.h>

#include "kit/kit.h"

static inline FILE *snapshot_open(const char *name, const char *mode)
{
	char path[4096];
	const char *source = getenv("SRC");
	snprintf(path, sizeof(path), "%s/tests/screens/%s.txt", source ? source : ".", name);
	FILE *file = fopen(path, mode);
	if (!file)
		fail_msg("cannot open %s (UPDATE=1 writes it)", path);
	return file;
}

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
	assert_true(!*expected && !*found);
}

/* Compares `found` with tests/screens/NAME.txt. */
static inline void assert_snapshot(const char *name, const char *found)
{
	sw_text expected = {0};
	char line[4096];
	if (getenv("UPDATE")) {
		FILE *file = snapshot_open(name, "w");
		fputs(found, file);
		assert_int_equal(fclose(file), 0);
	}
	FILE *file = snapshot_open(name, "r");
	while (fgets(line, sizeof(line), file))
		sw_text_add(&expected, line);
	fclose(file);
	assert_same(name, sw_text_get(&expected), found);
	sw_text_free(&expected);
}

#endif
