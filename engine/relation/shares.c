/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shares: what each device gets of a block, and from whom.
 */
#include "relation/shares.h"

#include <shardwalk/number.h>

#include "relation/senders.h"

struct sharing {
	sw_relation *relation;
	sw_senders senders;
	sw_meetings meetings;
	sw_share_use use;
	void *user;
};

static int32_t sender_of(struct sharing *s, const sw_meeting *met, int32_t receiver)
{
	const sw_blocks *held = &s->relation->held;

	if (s->relation->unique)
		return held->holder[held->first_holder[met->block]];
	return sw_senders_pick(&s->senders, met->block, receiver, met->size);
}

static bool share_block(struct sharing *s, int32_t receiver, int32_t need)
{
	sw_meetings *m = &s->meetings;

	if (!sw_meetings_ask(m, need))
		return false;
	for (int i = 0; i < m->count; i++) {
		const sw_meeting *met = &m->meeting[i];
		sw_share share = {sender_of(s, met, receiver), receiver, met->block, met->size, met->set};
		if (!s->use(s->user, &share))
			return false;
	}
	return true;
}

static bool share_device(struct sharing *s, int32_t device)
{
	const sw_blocks *needed = &s->relation->needed;

	for (int32_t i = needed->first_block[device]; i < needed->first_block[device + 1]; i++)
		if (!share_block(s, device, needed->block[i]))
			return false;
	return true;
}

static bool share_all(struct sharing *s)
{
	bool done = true;

	for (int32_t device = 0; done && device < s->relation->needed.devices; device++)
		done = share_device(s, device);
	return done;
}

/* Steps of about 0.618 of all come to every device, and soon near each. */
static bool share_some(struct sharing *s, int32_t every)
{
	int64_t devices = s->relation->needed.devices, step = devices * 618 / 1000 | 1;
	bool done = true;

	while (sw_gcd(step, devices) != 1)
		step += 2;
	for (int64_t n = 0; done && n < devices / every; n++)
		done = share_device(s, (int32_t)(n * step % devices));
	return done;
}

static bool start_sharing(struct sharing *s, sw_sender_rule rule, sw_arena *sets, sw_arena *scratch)
{
	sw_relation *relation = s->relation;

	return sw_meetings_index(&relation->held, relation->arena) &&
		sw_meetings_of(&relation->held, &relation->needed, sets == NULL, sets != NULL ? sets : scratch,
			&s->meetings) &&
		sw_senders_of(relation, rule, scratch, &s->senders);
}

bool sw_relation_shares(sw_relation *relation, sw_sender_rule rule, sw_arena *sets, sw_share_use use, void *user)
{
	struct sharing s = {.relation = relation, .use = use, .user = user};
	sw_arena *scratch = sw_arena_new();
	bool done = scratch != NULL && start_sharing(&s, rule, sets, scratch) && share_all(&s);

	sw_arena_free(scratch);
	return done;
}

static bool pass_over(void *user, const sw_share *share)
{
	(void)user;
	(void)share;
	return true;
}

/* Where several hold an element, who sends it depends on those before. */
bool sw_relation_shares_to(sw_relation *relation, sw_sender_rule rule, const sw_receivers *to, sw_arena *sets,
	sw_share_use use, void *user)
{
	struct sharing s = {.relation = relation, .use = pass_over, .user = user};
	sw_arena *scratch = sw_arena_new();
	bool done = scratch != NULL && start_sharing(&s, rule, sets, scratch);

	for (int64_t device = relation->unique ? to->first : 0; done && device <= to->last; device++) {
		s.use = device >= to->first ? use : pass_over;
		done = share_device(&s, (int32_t)device);
	}
	sw_arena_free(scratch);
	return done;
}

bool sw_relation_sample(sw_relation *relation, int32_t every, sw_share_use use, void *user)
{
	struct sharing s = {.relation = relation, .use = use, .user = user};
	sw_arena *scratch = sw_arena_new();
	bool done = scratch != NULL && start_sharing(&s, SW_SENDER_LOWEST, NULL, scratch) && share_some(&s, every);

	sw_arena_free(scratch);
	return done;
}

/* ---- how much ---- */
