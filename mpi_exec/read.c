/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading plan files.
 */
#define _GNU_SOURCE
#include "read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "requests.h"

enum { LONGEST_PLAN = 1 << 30 };

bool ex_read_file(const char *file, sw_text *text, ex_fault *fault)
{
	char block[1 << 16];
	FILE *in = fopen(file, "re");
	size_t n;
	while (in && text->length < LONGEST_PLAN && (n = fread(block, 1, sizeof(block), in)) > 0)
		sw_text_add_str(text, (sw_str){block, n});
	int error = errno;
	bool right = in && !ferror(in) && !text->failed;
	if (in)
		fclose(in);
	if (!right) {
		ex_fault_set(fault, EX_NO, "B01", "cannot read the plan: %s", strerror(error));
		return ex_fault_hint(fault, "write one with: shardwalk plan ... --json --maps > FILE");
	}
	return text->length < LONGEST_PLAN || ex_fault_set(fault, EX_NO, "B01", "the plan is longer than 1 GiB");
}

bool ex_read_plan(const sw_text *text, bool prove, sw_arena *arena, sw_plan *plan, ex_fault *fault)
{
	sw_diag diag = {0};
	if (!sw_plan_read((sw_str){sw_text_get(text), text->length}, arena, plan, &diag) ||
		(prove && !sw_plan_check(plan, &diag)))
		return ex_fault_of(fault, &diag);
	return true;
}

bool ex_read_share(ex_team *team, const char *file, sw_arena *arena, sw_text *text, ex_fault *fault)
{
	int64_t length = 0;
	bool ok = true;
	if (team->rank == 0)
		ok = ex_read_file(file, text, fault);
	if (!ex_agree(team, ok, fault))
		return false;
	length = (int64_t)text->length;
	ex_bcast(team->world, &length, sizeof(length), 0);
	if (team->rank) {
		char *room = sw_arena_alloc(arena, (size_t)length + 1, 1);
		if (room)
			*text = (sw_text){.data = room, .length = (size_t)length, .capacity = (size_t)length};
		ok = room != NULL;
	}
	if (!ex_agree(team, ok, fault))
		return false;
	ex_bcast(team->world, text->data, (int)length, 0);
	return true;
}

bool ex_read_ranks(const ex_team *team, int64_t devices, const char *what, ex_fault *fault)
{
	if (devices == team->ranks)
		return true;
	ex_fault_set(fault, EX_NO, "P03", "the %s is for %lld devices, and %d rank%s run", what, (long long)devices,
		team->ranks, team->ranks == 1 ? "" : "s");
	return ex_fault_hint(fault, "start it with mpiexec -n %lld", (long long)devices);
}
