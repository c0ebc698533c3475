/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recorded problems: whole where they stand beside the project, else the selection in tests/cases.
 */
#ifndef TESTS_KIT_CASES_H
#define TESTS_KIT_CASES_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The folder: what tests/run found, else what is here. */
static inline const char *cases_folder(void)
{
	const char *folder = getenv("CASES");

	if (folder != NULL)
		return folder;
	return access("../shared/cases", R_OK) == 0 ? "../shared/cases" : "tests/cases";
}

static inline FILE *cases_open(const char *name)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", cases_folder(), name);
	return fopen(path, "r");
}

#endif
