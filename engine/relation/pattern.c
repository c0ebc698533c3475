/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of patterns: what each party does, what all of them do, and where on the mesh.
 */
#include <stdlib.h>
#include <string.h>

#include "base/keys.h"
#include "base/lower_bound.h"
#include "relation/traffic.h"

static const struct row {
	const char *name, *rule;
} rows[] = {
#define X(id, name, rule) [SW_PATTERN_##id] = {name, rule},
	SW_PATTERNS(X)
#undef X
};

const char *sw_pattern_text(sw_pattern_name name)
{
	return rows[name].name;
}

const char *sw_pattern_rule(sw_pattern_name name)
{
	return rows[name].rule;
}

sw_pattern_name sw_pattern_named(sw_str name)
{
	int n = 0;

	while (n < SW_PATTERN_COUNT && !sw_str_is(name, rows[n].name))
		n++;
	return (sw_pattern_name)n;
}

struct naming {
	sw_traffic traffic;
	sw_relation *relation;
	sw_arena *arena, *scratch;
	const sw_mesh *mesh;
	const int64_t *slot;     /* where each device lies on the mesh; NULL: by its number */
	const sw_messages *list; /* NULL: nobody had to look into messages yet */
	sw_messages messages;
	int32_t *counted; /* of each block that is held, the last party whose elements it was counted among, plus 1 */
	bool failed;      /* no memory */
};

static const sw_station *member(const struct naming *n, int32_t party, int32_t i)
{
	return &n->traffic.station[n->traffic.member[n->traffic.first[party] + i]];
}

/* ---- looking into messages ---- */

static const sw_messages *messages_of(struct naming *n)
{
	if (n->list == NULL && sw_relation_messages(n->relation, n->traffic.rule, n->scratch, &n->messages))
		n->list = &n->messages;
	n->failed |= n->list == NULL;
	return n->list;
}

/* The messages of a sender, which stand together; how many. */
static int64_t messages_from(const sw_messages *list, int32_t sender, int64_t *first)
{
	*first = SW_LOWER_BOUND(0, list->count, list->message[at].sender < sender);
	return SW_LOWER_BOUND(*first, list->count, list->message[at].sender == sender) - *first;
}

/* Is nothing needed on two devices?  Then nobody receives what another does. */
static bool needed_once(struct naming *n)
{
	int32_t needs = sw_relation_needs(n->relation);

	n->failed |= needs < 0;
	return needs == 1;
}

/* Have no two of these regions an element in common? */
static bool are_disjoint(struct naming *n, const sw_region *region, int64_t count)
{
	sw_holding holding = {.devices = count, .terms = 1, .rank = n->relation->rank, .region = region};
	sw_blocks blocks;
	bool overlap = true;

	n->failed |= !sw_blocks_of(&holding, NULL, NULL, n->scratch, &blocks, NULL) ||
		!sw_blocks_overlap(&blocks, n->scratch, &overlap);
	for (int32_t block = 0; !n->failed && block < blocks.count; block++)
		overlap = overlap || sw_block_holders(&blocks, block) > 1;
	return !overlap;
}

/* Does nobody receive of a sender what another does? */
static bool sends_parts(struct naming *n, int32_t sender)
{
	const sw_messages *list = messages_of(n);
	int64_t first, count = list != NULL ? messages_from(list, sender, &first) : 0;
	sw_region *region = SW_NEW(n->scratch, sw_region, count);

	n->failed |= region == NULL;
	for (int64_t i = 0; !n->failed && i < count; i++)
		region[i] = list->message[first + i].region;
	return !n->failed && are_disjoint(n, region, count);
}

static bool sends_the_same(struct naming *n, int32_t sender)
{
	const sw_messages *list = messages_of(n);
	int64_t first, count = list != NULL ? messages_from(list, sender, &first) : 0;

	for (int64_t i = 1; i < count; i++)
		if (!sw_region_equal(&list->message[first].region, &list->message[first + i].region))
			return false;
	return list != NULL;
}

/* ---- what a party does ---- */

static int32_t first_where(const struct naming *n, int32_t party, bool sends)
{
	const sw_traffic *t = &n->traffic;
	int32_t i = t->first[party];

	while (sends ? t->station[t->member[i]].out == 0 : t->station[t->member[i]].in == 0)
		i++;
	return t->member[i];
}

/* What some receive of the one that sends is as much for all. */
static bool receive_as_much(const struct naming *n, int32_t party)
{
	int64_t elements = -1;

	for (int32_t i = 0; i < n->traffic.party[party].members; i++) {
		const sw_station *one = member(n, party, i);
		if (one->in == 0)
			continue;
		if (elements >= 0 && one->received != elements)
			return false;
		elements = one->received;
	}
	return true;
}

static sw_pattern_name name_of_one_sender(struct naming *n, int32_t party)
{
	int32_t sender = first_where(n, party, true);

	if (receive_as_much(n, party) && sends_the_same(n, sender))
		return SW_PATTERN_BROADCAST;
	return needed_once(n) || sends_parts(n, sender) ? SW_PATTERN_SCATTER : SW_PATTERN_GENERAL;
}

/* Elements that a party holds, each counted once. */
static int64_t elements_held(struct naming *n, int32_t party)
{
	const sw_traffic *t = &n->traffic;
	const sw_blocks *held = &n->relation->held;
	int64_t elements = 0;

	if (n->counted == NULL)
		n->counted = SW_NEW_ZERO(n->scratch, int32_t, held->count);
	n->failed |= n->counted == NULL;
	for (int32_t i = t->first[party]; !n->failed && i < t->first[party + 1]; i++)
		for (int32_t k = held->first_block[t->member[i]]; k < held->first_block[t->member[i] + 1]; k++) {
			int32_t block = held->block[k];
			elements += n->counted[block] != party + 1 ? held->size[block] : 0;
			n->counted[block] = party + 1;
		}
	return elements;
}

/* Do all senders send all they hold to all receivers, and do these need just what the party holds? */
static bool gathers(struct naming *n, int32_t party)
{
	const sw_party *p = &n->traffic.party[party];
	int64_t held = -1;

	for (int32_t i = 0; i < p->members; i++) {
		const sw_station *one = member(n, party, i);
		if (!one->whole || (one->in > 0 && one->in != p->senders - (one->out > 0)))
			return false;
	}
	held = elements_held(n, party);
	for (int32_t i = 0; i < p->members; i++) {
		const sw_station *one = member(n, party, i);
		if (one->in > 0 && (one->needed != held || one->kept + one->received != held))
			return false;
	}
	return true;
}

static bool extends(const struct naming *n, int32_t party)
{
	for (int32_t i = 0; i < n->traffic.party[party].members; i++)
		if (member(n, party, i)->in > 0 && !sw_station_extends(member(n, party, i)))
			return false;
	return true;
}

static bool at_most_once(const struct naming *n, int32_t party)
{
	for (int32_t i = 0; i < n->traffic.party[party].members; i++)
		if (member(n, party, i)->in > 1 || member(n, party, i)->out > 1)
			return false;
	return true;
}

static bool all_to_all(struct naming *n, int32_t party)
{
	const sw_party *p = &n->traffic.party[party];

	if (p->messages != (int64_t)p->members * (p->members - 1))
		return false;
	if (needed_once(n))
		return true;
	for (int32_t i = 0; i < p->members; i++)
		if (!sends_parts(n, n->traffic.member[n->traffic.first[party] + i]))
			return false;
	return true;
}

static sw_pattern_name name_of_moves(struct naming *n, int32_t party)
{
	const sw_party *p = &n->traffic.party[party];

	if (p->messages == 1)
		return SW_PATTERN_SEND;
	if (p->senders == 1)
		return name_of_one_sender(n, party);
	if (p->receivers == 1)
		return SW_PATTERN_GATHER;
	if (gathers(n, party))
		return p->receivers == p->members ? SW_PATTERN_ALLGATHER : SW_PATTERN_GATHER;
	if (extends(n, party))
		return SW_PATTERN_HALO;
	if (at_most_once(n, party))
		return SW_PATTERN_PERMUTE;
	return all_to_all(n, party) ? SW_PATTERN_ALLTOALL : SW_PATTERN_GENERAL;
}

/* ---- sums ---- */

/* Do all hold terms of the same elements, and send to all that receive? */
static bool terms_of_the_same(struct naming *n, int32_t party)
{
	const sw_traffic *t = &n->traffic;
	const sw_party *p = &t->party[party];
	const sw_holding *from = n->relation->from;
	sw_region first, other;

	for (int32_t i = 0; i < p->members; i++)
		if (member(n, party, i)->held != member(n, party, 0)->held ||
			(member(n, party, i)->in > 0 && member(n, party, i)->in != p->members - 1))
			return false;
	n->failed |= !sw_holding_region(from, t->member[t->first[party]], n->scratch, &first);
	for (int32_t i = 1; !n->failed && i < p->members; i++) {
		sw_arena_mark mark = sw_arena_here(n->scratch);
		n->failed |= !sw_holding_region(from, t->member[t->first[party] + i], n->scratch, &other);
		bool same = !n->failed && sw_region_equal(&first, &other);
		sw_arena_back(n->scratch, mark);
		if (!same)
			return false;
	}
	return !n->failed;
}

/* Is nothing that a party holds added on two devices? */
static bool added_once(struct naming *n, int32_t party)
{
	const int32_t *member = n->traffic.member + n->traffic.first[party];
	int32_t members = n->traffic.party[party].members;
	sw_region *region = SW_NEW(n->scratch, sw_region, members), held, needed;

	n->failed |= region == NULL || !sw_holding_region(n->relation->from, member[0], n->scratch, &held);
	for (int32_t i = 0; !n->failed && i < members; i++)
		n->failed |= !sw_holding_region(n->relation->to, member[i], n->scratch, &needed) ||
			!sw_region_meet(&needed, &held, n->scratch, &region[i]);
	return !n->failed && are_disjoint(n, region, members);
}

/* Is each element added on one device, and has every device something to add, or every element somebody? */
static bool adds_parts(struct naming *n, int32_t party)
{
	const sw_party *p = &n->traffic.party[party];
	int64_t held = member(n, party, 0)->held, added = 0;

	for (int32_t i = 0; i < p->members; i++)
		added += member(n, party, i)->received / (p->members - 1);
	if (added > held || (p->receivers < p->members && added < held))
		return false;
	return needed_once(n) || added_once(n, party);
}

static sw_pattern_name name_of_sums(struct naming *n, int32_t party)
{
	const sw_party *p = &n->traffic.party[party];
	bool whole = true;

	if (p->receivers == 1)
		return SW_PATTERN_REDUCE;
	if (!terms_of_the_same(n, party))
		return SW_PATTERN_GENERAL_SUM;
	for (int32_t i = 0; i < p->members; i++)
		whole = whole && member(n, party, i)->whole;
	if (whole && p->receivers == p->members)
		return SW_PATTERN_ALLREDUCE;
	return adds_parts(n, party) ? SW_PATTERN_REDUCESCATTER : SW_PATTERN_GENERAL_SUM;
}

/* ---- on the mesh ---- */

static int64_t step_along(const struct naming *n, int32_t sender, int32_t receiver, int axis)
{
	if (n->slot != NULL)
		return sw_mesh_coordinate(n->mesh, n->slot[receiver], axis) -
			sw_mesh_coordinate(n->mesh, n->slot[sender], axis);
	return sw_mesh_coordinate(n->mesh, receiver, axis) - sw_mesh_coordinate(n->mesh, sender, axis);
}

/* Around the ends the shorter way, and where both are as long forwards. */
static int64_t shorter(int64_t step, int64_t size)
{
	step = (step % size + size) % size;
	return step > size / 2 ? step - size : step;
}

static bool find_slots(struct naming *n)
{
	int64_t *slot = n->mesh->order != NULL ? SW_NEW(n->scratch, int64_t, n->mesh->devices) : NULL;

	for (int64_t s = 0; slot != NULL && s < n->mesh->devices; s++)
		slot[n->mesh->order[s]] = s;
	n->slot = slot;
	return n->mesh->order == NULL || slot != NULL;
}

/* Is it as far from sender to receiver in all pairs, around the ends or not? */
static bool steps_alike(const struct naming *n, const sw_pattern *pattern, bool around, int64_t *by)
{
	for (int axis = 0; axis < n->mesh->count; axis++)
		for (int32_t i = 0; i < pattern->pairs; i++) {
			int64_t step = step_along(n, pattern->pair[2 * i], pattern->pair[2 * i + 1], axis);
			step = around ? shorter(step, n->mesh->axis[axis].size) : step;
			if (i > 0 && step != by[axis])
				return false;
			by[axis] = step;
		}
	return true;
}

/* A permute is a shift where all go as far. */
static bool name_shift(struct naming *n, sw_pattern *pattern)
{
	int64_t *by = SW_NEW(n->arena, int64_t, n->mesh->count);

	if (by == NULL)
		return false;
	bool alike = steps_alike(n, pattern, false, by) ||
		(pattern->pairs == n->traffic.devices && steps_alike(n, pattern, true, by));
	if (!alike)
		return true;
	pattern->name = SW_PATTERN_SHIFT;
	pattern->by = by;
	return true;
}

/* Everyone sends and receives at most once. */
static bool list_pairs(struct naming *n, sw_pattern *pattern)
{
	const sw_traffic *t = &n->traffic;
	int32_t *receiver = SW_NEW(n->scratch, int32_t, t->devices);

	pattern->pair = SW_NEW(n->arena, int32_t, 2 * t->messages);
	if (receiver == NULL || pattern->pair == NULL)
		return false;
	for (int32_t device = 0; device < t->devices; device++)
		if (t->station[device].in > 0)
			receiver[t->station[device].source] = device;
	for (int32_t device = 0; device < t->devices; device++)
		if (t->station[device].out > 0) {
			pattern->pair[2 * pattern->pairs] = device;
			pattern->pair[2 * pattern->pairs++ + 1] = receiver[device];
		}
	return true;
}

/* Different steps on the mesh while they are collected; most are one of a few that came before. */
enum { RECENT = 4 };

struct offsets {
	const struct naming *n;
	sw_keys keys;
	int64_t step[SW_MAX_AXES];
	int32_t apart[RECENT]; /* of devices along the only axis, where there is one */
	int next;
};

static bool is_recent(struct offsets *o, int32_t apart)
{
	if (o->n->mesh->count != 1 || o->n->slot != NULL)
		return false;
	for (int i = 0; i < RECENT; i++)
		if (o->apart[i] == apart)
			return true;
	o->apart[o->next++ % RECENT] = apart;
	return false;
}

static bool add_offset(void *user, int32_t sender, int32_t receiver, int64_t elements)
{
	struct offsets *o = user;

	(void)elements;
	if (is_recent(o, receiver - sender))
		return true;
	for (int axis = 0; axis < o->n->mesh->count; axis++)
		o->step[axis] = step_along(o->n, sender, receiver, axis);
	return sw_keys_add(&o->keys, (const uint8_t *)o->step) >= 0;
}

struct offset {
	const int64_t *step;
	int axes;
};

static int by_steps(const void *left, const void *right)
{
	const struct offset *a = left, *b = right;

	for (int axis = 0; axis < a->axes; axis++)
		if (a->step[axis] != b->step[axis])
			return a->step[axis] < b->step[axis] ? -1 : 1;
	return 0;
}

/* The keys, ascending. */
static bool sort_offsets(struct naming *n, const sw_keys *keys, sw_pattern *pattern)
{
	struct offset *offset = SW_NEW(n->scratch, struct offset, keys->count);

	pattern->offset = SW_NEW(n->arena, int64_t, (int64_t)keys->count * pattern->axes);
	if (offset == NULL || pattern->offset == NULL)
		return false;
	for (int32_t i = 0; i < keys->count; i++)
		offset[i] = (struct offset){(const int64_t *)(const void *)sw_keys_at(keys, i), pattern->axes};
	qsort(offset, (size_t)keys->count, sizeof *offset, by_steps);
	for (int32_t i = 0; i < keys->count; i++)
		memcpy(pattern->offset + (int64_t)i * pattern->axes, offset[i].step,
			(size_t)pattern->axes * sizeof *pattern->offset);
	pattern->offsets = keys->count;
	return true;
}

static bool list_offsets(struct naming *n, sw_pattern *pattern)
{
	struct offsets o = {.n = n};

	if (!sw_keys_init(&o.keys, (int)((size_t)n->mesh->count * sizeof *pattern->offset)))
		return false;
	bool done = sw_traffic_messages(&n->traffic, add_offset, &o) && sort_offsets(n, &o.keys, pattern);
	sw_keys_free(&o.keys);
	return done;
}

/* ---- roots ---- */

/* Those that send in a broadcast or a scatter, else those that receive. */
static bool list_roots(struct naming *n, sw_pattern *pattern)
{
	const sw_traffic *t = &n->traffic;
	bool sends = pattern->name == SW_PATTERN_BROADCAST || pattern->name == SW_PATTERN_SCATTER;
	int32_t count = 0;

	pattern->first_root = SW_NEW(n->arena, int32_t, t->parties + 1);
	pattern->root = SW_NEW(n->arena, int32_t, t->devices);
	if (pattern->first_root == NULL || pattern->root == NULL)
		return false;
	for (int32_t party = 0; party < t->parties; party++) {
		pattern->first_root[party] = count;
		for (int32_t i = t->first[party]; i < t->first[party + 1]; i++)
			if ((sends ? t->station[t->member[i]].out : t->station[t->member[i]].in) > 0)
				pattern->root[count++] = t->member[i];
	}
	pattern->first_root[t->parties] = count;
	return true;
}

/* ---- all parties ---- */

static bool all_extend(const struct naming *n)
{
	for (int32_t party = 0; party < n->traffic.parties; party++)
		if (!extends(n, party))
			return false;
	return true;
}

/* The name of all parties, of which those of one message may be of any; SW_PATTERN_SEND: they are no others; SW_PATTERN_COUNT: they
 * differ. */
static sw_pattern_name common_name(struct naming *n)
{
	sw_pattern_name common = SW_PATTERN_SEND;

	for (int32_t party = 0; party < n->traffic.parties; party++) {
		sw_pattern_name name = n->relation->sums ? name_of_sums(n, party) : name_of_moves(n, party);
		if (name == SW_PATTERN_SEND || name == common)
			continue;
		if (common != SW_PATTERN_SEND)
			return SW_PATTERN_COUNT;
		common = name;
	}
	return common;
}

/* Of a party of one message one cannot say that everyone sends to everyone. */
static bool some_send_alone(const struct naming *n)
{
	for (int32_t party = 0; party < n->traffic.parties; party++)
		if (n->traffic.party[party].messages == 1)
			return true;
	return false;
}

static sw_pattern_name name_of_all_moves(struct naming *n)
{
	sw_pattern_name common = common_name(n);
	bool among_all = common == SW_PATTERN_ALLGATHER || common == SW_PATTERN_ALLTOALL;

	if (common == SW_PATTERN_SEND && !all_extend(n))
		return SW_PATTERN_PERMUTE;
	if (common < SW_PATTERN_GENERAL && common != SW_PATTERN_SEND && common != SW_PATTERN_HALO &&
		!(among_all && some_send_alone(n)))
		return common;
	return all_extend(n) ? SW_PATTERN_HALO : SW_PATTERN_GENERAL;
}

static sw_pattern_name name_of_all(struct naming *n)
{
	bool sums = n->relation->sums;

	if (n->traffic.general)
		return sums ? SW_PATTERN_GENERAL_SUM : SW_PATTERN_GENERAL;
	if (n->traffic.messages == 0)
		return SW_PATTERN_NONE;
	if (n->traffic.messages == 1 && !sums)
		return SW_PATTERN_SEND;
	if (!sums)
		return name_of_all_moves(n);
	sw_pattern_name common = common_name(n);
	return common == SW_PATTERN_COUNT ? SW_PATTERN_GENERAL_SUM : common;
}

static bool add_details(struct naming *n, sw_pattern *pattern)
{
	switch (pattern->name) {
	case SW_PATTERN_SEND:
		return list_pairs(n, pattern);
	case SW_PATTERN_PERMUTE:
		return list_pairs(n, pattern) && name_shift(n, pattern);
	case SW_PATTERN_HALO:
		return list_offsets(n, pattern);
	case SW_PATTERN_BROADCAST:
	case SW_PATTERN_SCATTER:
	case SW_PATTERN_GATHER:
	case SW_PATTERN_REDUCE:
		return list_roots(n, pattern);
	default:
		return true;
	}
}

static bool find_pattern(struct naming *n, sw_sender_rule rule, sw_pattern *pattern)
{
	*pattern = (sw_pattern){.axes = n->mesh->count};
	if (!sw_traffic_of(n->relation, rule, n->arena, &n->traffic) || !find_slots(n))
		return false;
	pattern->groups = n->traffic.parties;
	pattern->first_member = n->traffic.first;
	pattern->member = n->traffic.member;
	pattern->name = name_of_all(n);
	return !n->failed && add_details(n, pattern);
}

bool sw_relation_pattern(sw_relation *relation, sw_sender_rule rule, const sw_mesh *mesh, sw_arena *arena,
	sw_pattern *pattern)
{
	struct naming n = {.relation = relation, .mesh = mesh, .arena = arena, .scratch = sw_arena_new()};
	bool done = n.scratch != NULL && find_pattern(&n, rule, pattern);

	sw_arena_free(n.scratch);
	return done;
}
