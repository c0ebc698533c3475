/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading /proc: what is gone meanwhile has no words, no work and no children.
 */
#define _GNU_SOURCE
#include "host/processes.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64 };

static FILE *open_file(pid_t pid, const char *name)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

/* ---- which there are ---- */

static void visit_children(pid_t pid, int depth, process_visit *each, void *context)
{
	char name[48], number[32];
	snprintf(name, sizeof(name), "task/%d/children", (int)pid);
	FILE *file = depth < DEPTH ? open_file(pid, name) : NULL;
	while (file && fscanf(file, "%31s", number) == 1) {
		pid_t child = (pid_t)atoi(number);
		visit_children(child, depth + 1, each, context);
		each(child, context);
	}
	if (file)
		fclose(file);
}

void processes_below(pid_t pid, process_visit *each, void *context)
{
	visit_children(pid, 0, each, context);
}

/* Goes through the words of a file that end with NULs, until one is wanted. */
static bool find_word(pid_t pid, const char *name, bool (*wanted)(const char *word, void *context), void *context)
{
	char *word = NULL;
	size_t room = 0;
	bool found = false;
	FILE *file = open_file(pid, name);
	while (file && !found && getdelim(&word, &room, '\0', file) > 0)
		found = wanted(word, context);
	free(word);
	if (file)
		fclose(file);
	return found;
}

static bool is_word(const char *word, void *context)
{
	return strcmp(word, context) == 0;
}

void processes_marked(const char *mark, process_visit *each, void *context)
{
	DIR *all = opendir("/proc");
	for (struct dirent *entry; all && (entry = readdir(all));) {
		pid_t pid = (pid_t)atoi(entry->d_name);
		if (isdigit((unsigned char)entry->d_name[0]) && find_word(pid, "environ", is_word, (void *)mark))
			each(pid, context);
	}
	if (all)
		closedir(all);
}

/* ---- what one is ---- */

static bool is_part(const char *word, void *context)
{
	return strstr(word, context) != NULL;
}

bool process_has_word(pid_t pid, const char *text)
{
	return find_word(pid, "cmdline", is_part, (void *)text);
}

/* From what follows the name, which may hold anything. */
struct process process_look(pid_t pid)
{
	char line[1024];
	int parent;
	unsigned long long user, system;
	struct process process = {0};
	FILE *file = open_file(pid, "stat");
	char *after = file && fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	if (after &&
		sscanf(after + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &process.state, &parent, &user,
			&system) == 4) {
		process.parent = (pid_t)parent;
		process.work = (long long)(user + system);
	}
	if (file)
		fclose(file);
	return process;
}

/* Leaves the rank in the context. */
static bool is_rank(const char *word, void *context)
{
	static const char *const names[] = {"PMI_RANK=", "PMIX_RANK="};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t length = strlen(names[i]);
		if (strncmp(word, names[i], length) != 0 || !isdigit((unsigned char)word[length]))
			continue;
		*(int *)context = atoi(word + length);
		return true;
	}
	return false;
}

int process_rank(pid_t pid)
{
	int rank = -1;
	find_word(pid, "environ", is_rank, &rank);
	return rank;
}
