/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traffic of a relation, in one pass over its shares.
 */
#include "relation/traffic.h"

#include <string.h>

#include "relation/shares.h"

/* ---- messages from shares ---- */

/* The shares of one receiver, added up by senders. */
struct adding {
	int32_t receiver; /* -1: none yet */
	int32_t *last;    /* of each sender, for whom it was added last */
	int64_t *elements;
	int32_t *sender;
	int32_t count;
	sw_traffic_use use; /* of all, those that stay where they are too */
	void *user;
};

static bool start_adding(struct adding *a, int32_t devices, sw_arena *arena)
{
	a->receiver = -1;
	a->count = 0;
	a->last = SW_NEW(arena, int32_t, devices);
	a->elements = SW_NEW(arena, int64_t, devices);
	a->sender = SW_NEW(arena, int32_t, devices);
	if (a->last == NULL || a->elements == NULL || a->sender == NULL)
		return false;
	memset(a->last, 0xff, (size_t)devices * sizeof *a->last);
	return true;
}

static bool end_adding(struct adding *a)
{
	bool done = true;

	for (int32_t i = 0; done && i < a->count; i++)
		done = a->use(a->user, a->sender[i], a->receiver, a->elements[a->sender[i]]);
	a->count = 0;
	return done;
}

static bool add_share(void *user, const sw_share *share)
{
	struct adding *a = user;

	if (share->receiver != a->receiver && !end_adding(a))
		return false;
	a->receiver = share->receiver;
	if (a->last[share->sender] != a->receiver) {
		a->last[share->sender] = a->receiver;
		a->elements[share->sender] = 0;
		a->sender[a->count++] = share->sender;
	}
	a->elements[share->sender] += share->size;
	return true;
}

static bool use_share(void *user, const sw_share *share)
{
	const struct adding *a = user;

	return a->use(a->user, share->sender, share->receiver, share->size);
}

static bool add_all(const sw_traffic *t, sw_traffic_use use, void *user)
{
	struct adding a = {.use = use, .user = user};

	if (t->relation->single)
		return sw_relation_shares(t->relation, t->rule, NULL, use_share, &a);
	sw_arena *scratch = sw_arena_new();
	bool done = scratch != NULL && start_adding(&a, t->devices, scratch) &&
		sw_relation_shares(t->relation, t->rule, NULL, add_share, &a) && end_adding(&a);

	sw_arena_free(scratch);
	return done;
}

/* Leaves out what stays where it is. */
struct moving {
	sw_traffic_use use;
	void *user;
};

static bool use_moving(void *user, int32_t sender, int32_t receiver, int64_t elements)
{
	const struct moving *m = user;

	return sender == receiver || m->use(m->user, sender, receiver, elements);
}

bool sw_traffic_messages(const sw_traffic *traffic, sw_traffic_use use, void *user)
{
	struct moving moving = {use, user};

	return add_all(traffic, use_moving, &moving);
}

static bool count_message(void *user, int32_t sender, int32_t receiver, int64_t elements)
{
	int64_t *count = user;

	*count += sender != receiver && elements > 0;
	return true;
}

/* All are looked at. */
static int64_t count_all(sw_relation *relation, sw_sender_rule rule)
{
	const sw_traffic traffic = {.relation = relation, .rule = rule, .devices = relation->held.devices};
	int64_t count = 0;

	return sw_traffic_messages(&traffic, count_message, &count) ? count : -1;
}

/* Each device gets something of every device that has what it needs, and one message fewer where it has some itself. */
static int64_t count_pairs(sw_relation *relation)
{
	sw_arena *scratch = sw_arena_new();
	int64_t count = scratch != NULL ? sw_relation_pairs(relation) : -1, kept = 0;

	for (int64_t device = 0; count >= 0 && kept >= 0 && device < relation->held.devices; device++) {
		kept = sw_relation_kept(relation, device, scratch);
		count -= kept > 0;
	}
	sw_arena_free(scratch);
	return kept < 0 ? -1 : count;
}

int64_t sw_relation_count(sw_relation *relation, sw_sender_rule rule)
{
	return relation->unique && relation->single ? count_pairs(relation) : count_all(relation, rule);
}

/* ---- who is connected ---- */

/* What is known so far. */
struct survey {
	sw_traffic *traffic;
	int32_t *up; /* of each device another of its party; its own number: it speaks for it */
	int32_t apart, receiver;
	int32_t senders, receivers;
	bool some_in_part, some_anew, some_often, some_few; /* a sender, or a receiver, that breaks a rule */
	bool sample;                                        /* a few receivers, to see whether it is general */
};

/* Where so many devices are at work some are looked at first, and where the first few of these break no rule, no more. */
enum { MANY_DEVICES = 4096, FEW_RECEIVERS = 64, FEW_MESSAGES = 1 << 16, EVERY_IN_SAMPLE = 8 };

static int32_t speaker_of(int32_t *up, int32_t device)
{
	while (up[device] != device) {
		up[device] = up[up[device]];
		device = up[device];
	}
	return device;
}

static void connect(struct survey *s, int32_t a, int32_t b)
{
	if (s->apart == 1)
		return;
	a = speaker_of(s->up, a);
	b = speaker_of(s->up, b);
	s->apart -= a != b;
	s->up[a > b ? a : b] = a > b ? b : a;
}

/* All that a device receives has been seen. */
static void end_receiver(struct survey *s)
{
	const sw_station *station = s->receiver >= 0 ? &s->traffic->station[s->receiver] : NULL;

	if (station == NULL || station->in == 0)
		return;
	s->receivers++;
	s->some_anew |= !sw_station_extends(station);
	s->some_few |= station->in < s->traffic->devices - 1;
	s->some_often |= station->in > 1;
}

static bool breaks_rules(const struct survey *s)
{
	return s->senders > 1 && s->receivers > 1 && s->some_in_part && s->some_anew && s->some_often && s->some_few;
}

/* Before the next receiver: does it matter what follows?  Not where all devices are one party for which only the last rule is left,
 * nor where a sample shows nothing. */
static bool goes_on(struct survey *s, int32_t receiver)
{
	end_receiver(s);
	s->receiver = receiver;
	s->traffic->general = s->apart == 1 && breaks_rules(s);
	return !s->traffic->general &&
		(!s->sample || breaks_rules(s) || (s->receivers < FEW_RECEIVERS && s->traffic->messages < FEW_MESSAGES));
}

static bool survey_message(void *user, int32_t sender, int32_t receiver, int64_t elements)
{
	struct survey *s = user;
	sw_traffic *t = s->traffic;
	sw_station *from = &t->station[sender], *to = &t->station[receiver];

	if (receiver != s->receiver && !goes_on(s, receiver))
		return false;
	if (sender == receiver) {
		to->kept = elements;
		return true;
	}
	s->senders += from->out == 0;
	from->whole = from->whole && elements == from->held;
	s->some_in_part |= !from->whole;
	s->some_often |= from->out > 0;
	from->out++;
	to->in++;
	to->source = sender;
	to->received += elements;
	t->messages++;
	connect(s, sender, receiver);
	return true;
}

static bool survey_share(void *user, const sw_share *share)
{
	return survey_message(user, share->sender, share->receiver, share->size);
}

/* Numbers parties in the order of their first members. */
static bool list_parties(sw_traffic *t, int32_t *up, sw_arena *arena)
{
	int32_t *party_of = SW_NEW(arena, int32_t, t->devices);

	t->party = SW_NEW_ZERO(arena, sw_party, t->devices);
	t->first = SW_NEW(arena, int32_t, t->devices + 1);
	t->member = SW_NEW(arena, int32_t, t->devices);
	if (party_of == NULL || t->party == NULL || t->first == NULL || t->member == NULL)
		return false;
	for (int32_t device = 0; device < t->devices; device++) {
		const sw_station *station = &t->station[device];
		int32_t speaker = speaker_of(up, device);
		if (station->in + station->out == 0 && !t->general)
			continue;
		if (speaker == device)
			party_of[device] = t->parties++;
		sw_party *party = &t->party[party_of[speaker]];
		party->members++;
		party->senders += station->out > 0;
		party->receivers += station->in > 0;
		party->messages += station->in;
	}
	return true;
}

static void list_members(sw_traffic *t, int32_t *up, int32_t *next)
{
	int32_t all = 0;

	for (int32_t p = 0; p < t->parties; p++) {
		t->first[p] = all;
		all += t->party[p].members;
	}
	t->first[t->parties] = all;
	for (int32_t device = 0, parties = 0; device < t->devices; device++) {
		int32_t speaker = speaker_of(up, device);
		if (t->station[device].in + t->station[device].out == 0 && !t->general)
			continue;
		if (speaker == device) {
			next[device] = t->first[parties];
			parties++;
		}
		t->member[next[speaker]++] = device;
	}
}

/* As if nothing had been seen. */
static void start_survey(sw_traffic *t, struct survey *s)
{
	*s = (struct survey){.traffic = t, .up = s->up, .apart = t->devices, .receiver = -1};
	t->messages = 0;
	for (int32_t device = 0; device < t->devices; device++) {
		sw_station *station = &t->station[device];
		s->up[device] = device;
		station->in = station->out = 0;
		station->source = -1;
		station->whole = true;
		station->kept = station->received = 0;
	}
}

/* ---- block by block ---- */

static int32_t holder_of(const sw_relation *r, int32_t block)
{
	return r->held.holder[r->held.first_holder[block]];
}

static bool needs_block(const sw_relation *r, int32_t device, int32_t need)
{
	int32_t first = r->needed.first_block[device];

	return first < r->needed.first_block[device + 1] && r->needed.block[first] == need;
}

/* Who holds what meets a needed block sends it to all that need the block, but himself. */
static void survey_senders(struct survey *s, const sw_meetings *met, int32_t need, int32_t some)
{
	const sw_relation *r = s->traffic->relation;
	int32_t needs = sw_block_holders(&r->needed, need);

	for (int i = 0; i < met->count; i++) {
		int32_t sender = holder_of(r, met->meeting[i].block);
		sw_station *from = &s->traffic->station[sender];
		bool own = needs_block(r, sender, need);
		if (own)
			from->kept = met->meeting[i].size;
		if (needs == own)
			continue;
		from->whole = from->whole && met->meeting[i].size == from->held;
		from->out += needs - own;
		if (sender != some)
			connect(s, sender, some);
	}
}

/* Whoever needs a block receives it from all that hold some of it, but himself. */
static void survey_receivers(struct survey *s, const sw_meetings *met, int32_t need)
{
	const sw_relation *r = s->traffic->relation;
	int32_t some = holder_of(r, met->meeting[0].block), last = holder_of(r, met->meeting[met->count - 1].block);
	int64_t size = 0;

	for (int i = 0; i < met->count; i++)
		size += met->meeting[i].size;
	for (int32_t i = r->needed.first_holder[need]; i < r->needed.first_holder[need + 1]; i++) {
		int32_t receiver = r->needed.holder[i];
		sw_station *to = &s->traffic->station[receiver];
		to->in = met->count - (to->kept > 0);
		to->received = size - to->kept;
		to->source = some != receiver ? some : last;
		s->traffic->messages += to->in;
		if (some != receiver)
			connect(s, receiver, some);
	}
}

/* Of devices with at most one block of either, each with one holder. */
static bool survey_blocks(struct survey *s)
{
	sw_relation *r = s->traffic->relation;

	for (int32_t need = 0; need < r->needed.count; need++) {
		const sw_meetings *met = sw_relation_meetings(r, need);
		if (met == NULL)
			return false;
		if (met->count == 0)
			continue;
		survey_senders(s, met, need, r->needed.holder[r->needed.first_holder[need]]);
		survey_receivers(s, met, need);
	}
	return true;
}

/* The sample shows that it is general, or the rest is looked at too. */
static bool survey(sw_traffic *t, struct survey *s)
{
	const sw_relation *r = t->relation;

	start_survey(t, s);
	if (r->unique && r->single && t->devices >= MANY_DEVICES) {
		s->sample = true;
		if (!sw_relation_sample(t->relation, EVERY_IN_SAMPLE, survey_share, s) && t->general)
			return true;
		start_survey(t, s);
	}
	if (r->unique && r->single)
		return survey_blocks(s);
	if (!add_all(t, survey_message, s) && !t->general)
		return false;
	end_receiver(s);
	return true;
}

bool sw_traffic_of(sw_relation *relation, sw_sender_rule rule, sw_arena *arena, sw_traffic *traffic)
{
	sw_traffic *t = traffic;
	struct survey s = {.up = SW_NEW(arena, int32_t, relation->held.devices)};

	*t = (sw_traffic){.relation = relation, .rule = rule, .devices = relation->held.devices};
	t->station = SW_NEW(arena, sw_station, t->devices);
	int32_t *next = SW_NEW(arena, int32_t, t->devices);
	if (s.up == NULL || t->station == NULL || next == NULL)
		return false;
	for (int32_t device = 0; device < t->devices; device++) {
		t->station[device].held = sw_relation_elements(relation, &relation->held, device);
		t->station[device].needed = sw_relation_elements(relation, &relation->needed, device);
	}
	if (!survey(t, &s) || !list_parties(t, s.up, arena))
		return false;
	list_members(t, s.up, next);
	return true;
}
