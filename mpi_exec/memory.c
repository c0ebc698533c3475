/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Available memory: /proc/meminfo, and the control groups of version 1 and 2 above this process.
 */
#define _GNU_SOURCE
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shardwalk/number.h>
#include <shardwalk/text.h>

#include "requests.h"

/* The number after `key` in a file of lines "key number"; -1 where there is none.  An empty key: the first line. */
static int64_t number_in(const char *path, const char *key)
{
	char line[256];
	int64_t value = -1;
	FILE *file = fopen(path, "r");
	while (file && value < 0 && fgets(line, sizeof(line), file)) {
		size_t length = strlen(key);
		char *end, *at = line + length;
		if (strncmp(line, key, length) != 0)
			continue;
		long long n = strtoll(at, &end, 10);
		if (end != at)
			value = n;
		else if (!length)
			break;
	}
	if (file)
		fclose(file);
	return value;
}

/* What one control group leaves: its limit less its use, of which the file cache can be given back. */
static int64_t group_leaves(const char *folder, const char *limit_file, const char *use_file, const char *cache_key)
{
	char path[640];
	snprintf(path, sizeof(path), "%s/%s", folder, limit_file);
	int64_t limit = number_in(path, "");
	snprintf(path, sizeof(path), "%s/%s", folder, use_file);
	int64_t use = number_in(path, "");
	snprintf(path, sizeof(path), "%s/memory.stat", folder);
	int64_t cache = number_in(path, cache_key);
	if (limit < 0 || use < 0)
		return INT64_MAX;
	int64_t left = limit - use + (cache > 0 ? cache : 0);
	return left > 0 ? left : 0;
}

/* This group and all above it. */
static int64_t groups_leave(const char *root, char *group, const char *limit, const char *use, const char *cache)
{
	char folder[512];
	int64_t left = INT64_MAX;
	for (;;) {
		snprintf(folder, sizeof(folder), "%s%s", root, group);
		left = sw_smaller(left, group_leaves(folder, limit, use, cache));
		char *slash = strrchr(group, '/');
		if (!slash || !group[0])
			return left;
		*slash = '\0';
	}
}

int64_t ex_memory_available(void)
{
	char line[384];
	int64_t kib = number_in("/proc/meminfo", "MemAvailable:");
	int64_t left = kib < 0 ? INT64_MAX : kib * 1024;
	FILE *file = fopen("/proc/self/cgroup", "r");
	while (file && fgets(line, sizeof(line), file)) {
		char *group = strchr(line, ':') ? strchr(strchr(line, ':') + 1, ':') : NULL;
		line[strcspn(line, "\n")] = '\0';
		if (!group)
			continue;
		if (strncmp(line, "0::", 3) == 0)
			left = sw_smaller(left,
				groups_leave("/sys/fs/cgroup", group + 1, "memory.max", "memory.current", "inactive_file"));
		else if (strstr(line, ":memory:"))
			left = sw_smaller(left,
				groups_leave("/sys/fs/cgroup/memory", group + 1, "memory.limit_in_bytes", "memory.usage_in_bytes",
					"total_inactive_file"));
	}
	if (file)
		fclose(file);
	return left;
}

int64_t ex_memory_process(void)
{
	int64_t kib = number_in("/proc/self/smaps_rollup", "Pss:");
	return kib < 0 ? -1 : kib * 1024;
}

/* ---- need against what is there ---- */

typedef struct demand {
	char host[64];
	int ranks;
	int64_t tiles, buffers, need, has;
} demand;

static bool too_little(const demand *d, ex_fault *fault)
{
	sw_text need = {0}, has = {0}, tiles = {0}, buffers = {0};
	sw_print_bytes(&need, d->need);
	sw_print_bytes(&has, d->has);
	sw_print_bytes(&tiles, d->tiles);
	sw_print_bytes(&buffers, d->buffers);
	ex_fault_set(fault, EX_LACKS, "E01",
		"host '%s' needs %s (%lld bytes) and has %s (%lld bytes): %d ranks with %s "
		"of tiles and %s of buffers each",
		d->host, sw_text_get(&need), (long long)d->need, sw_text_get(&has), (long long)d->has, d->ranks,
		sw_text_get(&tiles), sw_text_get(&buffers));
	ex_fault_hint(fault, "a smaller array needs less; `verify` proves the plan without ranks");
	sw_text_free(&need);
	sw_text_free(&has);
	sw_text_free(&tiles);
	sw_text_free(&buffers);
	return false;
}

bool ex_memory_suffices(ex_team *team, const ex_need *need, int64_t limit, ex_fault *fault)
{
	demand mine = {.ranks = team->local_ranks, .tiles = need->tiles, .buffers = need->buffers};
	int64_t each;
	gethostname(mine.host, sizeof(mine.host) - 1);
	if (!sw_add(need->tiles, need->buffers, &each) || !sw_mul(each, team->local_ranks, &mine.need))
		mine.need = INT64_MAX;
	mine.has = team->local_rank ? INT64_MAX : ex_memory_available();
	if (limit && limit < mine.has)
		mine.has = limit;
	bool ok = team->local_rank || mine.need <= mine.has;
	if (!ok)
		too_little(&mine, fault);
	return ex_agree(team, ok, fault);
}
