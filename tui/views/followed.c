/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is followed, in a step of a plan, by its transfers.
 */
#include "views/followed.h"

#include <assert.h>

#include <shardwalk/owners.h>
#include <shardwalk/transfers.h>

#define DEVICES_MOST 4096 /* whose transfers are looked through */

/* ---- pieces ---- */

struct handing {
	followed_use *use;
	void *user;
};

static bool hand(void *user, const sw_carried *carried)
{
	const struct handing *handing = user;
	handing->use(handing->user, carried->from, carried->to);
	return true;
}

static bool device_each(const sw_plan *plan, int k, int64_t device, sw_arena *arena, const struct handing *handing)
{
	sw_diag ignored;
	const sw_transfers *transfers = sw_plan_transfers(plan, k, arena, &ignored);
	sw_transfer piece;
	for (int64_t to = 0; transfers && to < plan->problem.mesh.devices; to++) {
		for (int64_t n = 0; to == device && n < sw_transfers_into(transfers, to); n++)
			if (sw_transfers_get(transfers, to, n, &piece) && piece.from != to)
				handing->use(handing->user, piece.from, to);
		if (to != device && sw_transfers_between(transfers, device, to, &piece))
			handing->use(handing->user, device, to);
	}
	return transfers != NULL;
}

bool followed_each(const sw_plan *plan, int k, const struct view_options *opt, followed_use *use, void *user)
{
	bool device = opt->device >= 0 && opt->device < plan->problem.mesh.devices;
	struct handing handing = {use, user};
	sw_diag ignored;
	assert(k >= 0 && k < plan->program.steps);
	if ((!opt->element && !device) || plan->problem.mesh.devices > DEVICES_MOST)
		return false;
	sw_arena *arena = sw_arena_new();
	bool known = arena && opt->element ? sw_plan_carries(plan, k, opt->element, arena, hand, &handing, &ignored) :
										 arena && device_each(plan, k, opt->device, arena, &handing);
	sw_arena_free(arena);
	return known;
}

/* ---- of a step ---- */

static void take(void *user, int64_t from, int64_t to)
{
	struct followed *followed = user;
	followed->pieces++;
	if (from != followed->device)
		followed->sends[from] = true;
	if (to != followed->device)
		followed->gets[to] = true;
}

void followed_new(struct followed *followed, const sw_plan *plan, int k, const struct view_options *opt)
{
	int64_t devices = plan->problem.mesh.devices;
	*followed = (struct followed){.device = opt->element ? VIEW_ALL : opt->device};
	sw_arena *arena = opt->element || opt->device >= 0 ? sw_arena_new() : NULL;
	if (!arena)
		return;
	followed->sends = SW_NEW_ZERO(arena, bool, devices);
	followed->gets = SW_NEW_ZERO(arena, bool, devices);
	if (followed->sends && followed->gets && followed_each(plan, k, opt, take, followed))
		followed->arena = arena;
	else
		sw_arena_free(arena);
}

void followed_free(struct followed *followed)
{
	sw_arena_free(followed->arena);
	followed->arena = NULL;
}

static void note(void *user, int64_t from, int64_t to)
{
	(void)from, (void)to;
	*(bool *)user = true;
}

bool followed_moves(const sw_plan *plan, int k, const struct view_options *opt)
{
	bool moves = false;
	return followed_each(plan, k, opt, note, &moves) && moves;
}

void followed_print(const sw_plan *plan, const struct view_options *opt, sw_text *text)
{
	sw_text_add(text, opt->element ? "element " : "");
	if (opt->element)
		sw_type_print_tile(opt->element, plan->problem.from.rank, text);
	else
		sw_text_addf(text, "device %lld", (long long)opt->device);
}
