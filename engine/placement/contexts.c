/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of what devices can hold on the way to a sum.
 *
 * Devices are numbers of as many bits as there are factors, the outermost first: all digits of a factor but 0 are alike.  A
 * context says for each chunk and each device whose shares of the chunk the device holds, and for each device which factors
 * have divided what it holds.  Every step tells devices more or empties them for good, so that no context comes back.
 */
#include "placement/contexts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/keys.h"
#include "step/row.h"

/* A step of the graph as groups of devices. */
struct groups {
	int groups, size;
	uint8_t over; /* the factors that its members differ in */
	uint8_t member[SW_MAX_CLASSES];
};

struct builder {
	struct sw_contexts *contexts;
	struct groups groups[SW_MAX_SUMMED * SW_MAX_SUMMED * SW_CHUNK_OPS];
	sw_keys rows;   /* what one class holds */
	sw_keys keys;   /* contexts: the number of a row for each class */
	int64_t memory; /* bytes that may be taken; 0: no bound */
	const sw_pulse *pulse;
};

/* ---- contexts as keys ---- */

/* Bytes of a share: a bit for each class. */
static int share_bytes(int classes)
{
	return classes > 16 ? (int)sizeof(uint32_t) : (int)sizeof(uint16_t);
}

/* The shares of all chunks, and by what they were divided. */
static int row_bytes(int classes)
{
	return classes * share_bytes(classes) + 1;
}

static void pack_row(const struct sw_context_held *held, int n, int class, uint8_t *row)
{
	const uint32_t *share = &held->share[class * n];
	uint16_t narrow[16];

	for (int c = 0; n <= 16 && c < n; c++)
		narrow[c] = (uint16_t)share[c];
	memcpy(row, n <= 16 ? (const void *)narrow : share, (size_t)(n * share_bytes(n)));
	row[n * share_bytes(n)] = held->divided[class];
}

static void unpack_row(const uint8_t *row, int n, int class, struct sw_context_held *held)
{
	uint32_t *share = &held->share[class * n];
	uint16_t narrow[16];

	memcpy(n <= 16 ? (void *)narrow : share, row, (size_t)(n * share_bytes(n)));
	for (int c = 0; n <= 16 && c < n; c++)
		share[c] = narrow[c];
	held->divided[class] = row[n * share_bytes(n)];
	held->which[class] = 0;
	for (int c = 0; c < n; c++)
		held->which[class] |= (uint32_t)(share[c] != 0) << c;
}

static bool same_row(const struct sw_context_held *a, const struct sw_context_held *b, int n, int class)
{
	return a->divided[class] == b->divided[class] &&
		memcmp(&a->share[class * n], &b->share[class * n], (size_t)n * sizeof *a->share) == 0;
}

/* The number of the context, which may be new; classes that hold what they held `before` (NULL: of none that is known) keep the numbers
 * of their rows.  -1: no memory. */
static int32_t add_context(struct builder *builder, const struct sw_context_held *held,
	const struct sw_context_held *before, const int32_t *was)
{
	int32_t key[SW_MAX_CLASSES];
	uint8_t row[SW_MAX_CLASSES * sizeof(uint32_t) + 1];
	int n = builder->contexts->classes;

	for (int c = 0; c < n; c++) {
		if (before != NULL && same_row(held, before, n, c)) {
			key[c] = was[c];
			continue;
		}
		pack_row(held, n, c, row);
		key[c] = sw_keys_add(&builder->rows, row);
		if (key[c] < 0)
			return -1;
	}
	return sw_keys_add(&builder->keys, (const uint8_t *)key);
}

/* The context, and the numbers of its rows. */
static void take_context(const struct builder *builder, int context, struct sw_context_held *held, int32_t *key)
{
	int n = builder->contexts->classes;

	memcpy(key, sw_keys_at(&builder->keys, context), (size_t)n * sizeof *key);
	for (int c = 0; c < n; c++)
		unpack_row(sw_keys_at(&builder->rows, key[c]), n, c, held);
}

/* Bytes that the graph takes, and what it is made with. */
static int64_t bytes_taken(const struct builder *builder)
{
	const struct sw_contexts *contexts = builder->contexts;
	const sw_keys *rows = &builder->rows, *keys = &builder->keys;
	int64_t slot = 2 * (int64_t)sizeof *keys->slot;
	int64_t finished = contexts->classes + (int64_t)(3 * sizeof(int) + sizeof(bool));

	return rows->room * (rows->bytes + slot) + keys->room * (keys->bytes + slot + finished) +
		contexts->edge_room * (int64_t)sizeof *contexts->edge;
}

static void copy(const struct sw_context_held *from, int n, struct sw_context_held *to)
{
	memcpy(to->which, from->which, (size_t)n * sizeof *to->which);
	memcpy(to->divided, from->divided, (size_t)n);
	memcpy(to->share, from->share, (size_t)(n * n) * sizeof *to->share);
}

/* ---- what a group may do ---- */

static bool may_sum(const struct sw_context_held *held, int n, const struct groups *groups, const uint8_t *member)
{
	uint32_t chunks = held->which[member[0]], sum[SW_MAX_CLASSES];

	if (chunks == 0)
		return false;
	for (int m = 1; m < groups->size; m++)
		if (held->which[member[m]] != chunks)
			return false;
	memcpy(sum, &held->share[member[0] * n], (size_t)n * sizeof *sum);
	for (int m = 1; m < groups->size; m++) {
		const uint32_t *share = &held->share[member[m] * n];
		uint32_t twice = 0;

		for (int c = 0; c < n; c++) {
			twice |= sum[c] & share[c];
			sum[c] |= share[c];
		}
		if (twice != 0)
			return false;
	}
	return true;
}

static bool may_gather(const struct sw_context_held *held, const struct groups *groups, const uint8_t *member)
{
	uint32_t chunks = held->which[member[0]];
	int count = __builtin_popcount(chunks);

	for (int m = 1; m < groups->size; m++) {
		uint32_t more = held->which[member[m]];

		if ((more & chunks) != 0 || __builtin_popcount(more) != count)
			return false;
		chunks |= more;
	}
	return count > 0;
}

static bool may_hand_down(const struct sw_context_held *held, int n, const struct groups *groups,
	const uint8_t *member)
{
	const uint32_t *root = &held->share[member[0] * n];
	bool new = false;

	for (int m = 1; m < groups->size; m++)
		if ((held->which[member[m]] & ~held->which[member[0]]) != 0)
			return false;
	for (int m = 1; m < groups->size; m++) {
		const uint32_t *other = &held->share[member[m] * n];
		uint32_t more = 0, less = 0;

		for (int c = 0; c < n; c++) {
			more |= other[c] & ~root[c];
			less |= root[c] & ~other[c];
		}
		if (more != 0)
			return false;
		new = new || less != 0;
	}
	return new;
}

static bool may_in_group(const struct sw_context_held *held, int n, const struct groups *groups,
	const sw_collective *row, const uint8_t *member)
{
	switch (row->brings) {
	case SW_BRINGS_PARTS:
		return may_gather(held, groups, member);
	case SW_BRINGS_ROOT:
		return may_hand_down(held, n, groups, member);
	default:
		return may_sum(held, n, groups, member);
	}
}

static bool may(const struct sw_context_held *held, int n, const struct groups *groups, sw_op op)
{
	const sw_collective *row = sw_row(op);

	for (int g = 0; g < groups->groups; g++)
		if (!may_in_group(held, n, groups, row, groups->member + g * groups->size))
			return false;
	return true;
}

/* Does what each group holds divide into as many pieces as it has devices? */
static bool divides(const struct sw_context_held *held, const struct groups *groups)
{
	for (int g = 0; g < groups->groups; g++)
		if (__builtin_popcount(held->which[groups->member[g * groups->size]]) % groups->size != 0)
			return false;
	return true;
}

/* The steps of one set of groups stand side by side, the all-reduce first: what it may sum the others may. */
static bool may_step(const struct sw_context_held *held, int n, const struct groups *groups, sw_op op, bool *sums)
{
	const sw_collective *row = sw_row(op);

	if (row->brings != SW_BRINGS_TERMS)
		return may(held, n, groups, op);
	if (row->leaves == SW_LEAVES_ALL)
		*sums = may(held, n, groups, op);
	return *sums && (row->leaves != SW_LEAVES_PARTS || divides(held, groups));
}

/* ---- what it does ---- */

static void add_up(const struct sw_context_held *held, int n, const uint8_t *member, int size, uint32_t *sum)
{
	memcpy(sum, &held->share[member[0] * n], (size_t)n * sizeof *sum);
	for (int m = 1; m < size; m++)
		for (int c = 0; c < n; c++)
			sum[c] |= held->share[member[m] * n + c];
}

/* All of the sum, which holds these chunks. */
static void give(struct sw_context_held *held, int n, int device, const uint32_t *sum, uint32_t chunks,
	uint8_t divided)
{
	memcpy(&held->share[device * n], sum, (size_t)n * sizeof *sum);
	held->which[device] = chunks;
	held->divided[device] = divided;
}

static void empty(struct sw_context_held *held, int n, int device)
{
	memset(&held->share[device * n], 0, (size_t)n * sizeof *held->share);
	held->which[device] = 0;
	held->divided[device] = SW_HOLDS_NOTHING;
}

/* These chunks of the sum, at least one. */
static void give_part(struct sw_context_held *held, int n, int device, const uint32_t *sum, uint32_t chunks,
	uint8_t divided)
{
	empty(held, n, device);
	for (uint32_t left = chunks; left != 0; left &= left - 1) {
		int c = __builtin_ctz(left);

		held->share[device * n + c] = sum[c];
	}
	held->which[device] = chunks;
	held->divided[device] = divided;
}

/* The first `count` of these chunks, which leave the set. */
static uint32_t take_chunks(uint32_t *chunks, int count)
{
	uint32_t taken = 0;

	while (count-- > 0) {
		uint32_t lowest = *chunks & -*chunks;

		taken |= lowest;
		*chunks &= ~lowest;
	}
	return taken;
}

static void sum_up(struct sw_context_held *held, int n, const struct groups *groups, sw_leaves leaves,
	const uint8_t *member)
{
	uint32_t sum[SW_MAX_CLASSES], chunks = held->which[member[0]], left = chunks;
	uint8_t divided = held->divided[member[0]];
	int each = __builtin_popcount(chunks) / groups->size;

	add_up(held, n, member, groups->size, sum);
	for (int m = 0; m < groups->size; m++) {
		if (leaves == SW_LEAVES_PARTS)
			give_part(held, n, member[m], sum, take_chunks(&left, each), divided | groups->over);
		else if (leaves == SW_LEAVES_ROOT && m > 0)
			empty(held, n, member[m]);
		else
			give(held, n, member[m], sum, chunks, divided);
	}
}

static void gather_up(struct sw_context_held *held, int n, const struct groups *groups, const uint8_t *member)
{
	uint32_t sum[SW_MAX_CLASSES], chunks = 0;

	add_up(held, n, member, groups->size, sum);
	for (int m = 0; m < groups->size; m++)
		chunks |= held->which[member[m]];
	for (int m = 0; m < groups->size; m++)
		give(held, n, member[m], sum, chunks, held->divided[member[m]] & (uint8_t)~groups->over);
}

static void hand_down(struct sw_context_held *held, int n, const struct groups *groups, const uint8_t *member)
{
	for (int m = 1; m < groups->size; m++) {
		memcpy(&held->share[member[m] * n], &held->share[member[0] * n], (size_t)n * sizeof *held->share);
		held->which[member[m]] = held->which[member[0]];
		held->divided[member[m]] = held->divided[member[0]];
	}
}

static void do_step(struct sw_context_held *held, int n, const struct groups *groups, sw_op op)
{
	const sw_collective *row = sw_row(op);

	for (int g = 0; g < groups->groups; g++) {
		const uint8_t *member = groups->member + g * groups->size;

		switch (row->brings) {
		case SW_BRINGS_PARTS:
			gather_up(held, n, groups, member);
			break;
		case SW_BRINGS_ROOT:
			hand_down(held, n, groups, member);
			break;
		default:
			sum_up(held, n, groups, row->leaves, member);
		}
	}
}

/* ---- the steps there are ---- */

static void make_groups(int h, const sw_group_name *name, struct groups *groups)
{
	int from, to;

	sw_group_name_factors(name, h, &from, &to);
	assert(from >= 0 && from <= to && to <= h);
	int low = h - to, varying = ((1 << (to - from)) - 1) << low; /* bits of devices */

	groups->size = 1 << (to - from);
	groups->groups = 0;
	groups->over = (uint8_t)(((1 << (to - from)) - 1) << from);
	for (int d = 0; d < 1 << h; d++) {
		if ((d & varying) != 0 || (name->form == SW_FORM_MASTERS && (d & ((1 << low) - 1)) != 0))
			continue;
		for (int m = 0; m < groups->size; m++)
			groups->member[groups->groups * groups->size + m] = (uint8_t)(d | m << low);
		groups->groups++;
	}
	assert(groups->groups * groups->size <= 1 << h);
}

static void add_steps(struct builder *builder, sw_group_form form, int slice, int ancestor, bool all)
{
	struct sw_contexts *contexts = builder->contexts;

	for (int op = 0; op < (all ? SW_CHUNK_OPS : 1); op++) {
		sw_step *step = &contexts->step[contexts->steps];

		*step = (sw_step){.op = sw_chunk_ops[op], .by = {form, slice, ancestor, NULL}};
		make_groups(contexts->factors, &step->by, &builder->groups[contexts->steps++]);
	}
}

/* Each set of groups once: across to the innermost factor is inside, and its masters are all devices. */
static void list_steps(struct builder *builder, bool all_masters)
{
	int h = builder->contexts->factors;

	for (int ancestor = 0; ancestor < h; ancestor++) {
		add_steps(builder, SW_FORM_INSIDE, ancestor, 0, true);
		for (int slice = ancestor + 1; slice < h; slice++) {
			add_steps(builder, SW_FORM_ACROSS, slice, ancestor, true);
			add_steps(builder, SW_FORM_MASTERS, slice, ancestor, all_masters);
		}
	}
}

/* ---- the graph ---- */

void sw_context_held_start(int factors, struct sw_context_held *held)
{
	assert(factors >= 0 && factors <= SW_MAX_SUMMED);
	int n = 1 << factors;

	memset(held, 0, sizeof *held);
	for (int d = 0; d < n; d++) {
		held->which[d] = (uint32_t)(((uint64_t)1 << n) - 1);
		for (int c = 0; c < n; c++)
			held->share[d * n + c] = (uint32_t)1 << d;
	}
}

bool sw_context_held_step(int factors, const sw_step *step, struct sw_context_held *held)
{
	const sw_collective *row = sw_row(step->op);
	struct groups groups;

	make_groups(factors, &step->by, &groups);
	if (!may(held, 1 << factors, &groups, step->op) || (row->leaves == SW_LEAVES_PARTS && !divides(held, &groups)))
		return false;
	do_step(held, 1 << factors, &groups, step->op);
	return true;
}

bool sw_context_held_done(int factors, const struct sw_context_held *held)
{
	int n = 1 << factors;

	for (int c = 0; c < n * n; c++)
		if (held->share[c] != (uint32_t)(((uint64_t)1 << n) - 1))
			return false;
	return true;
}

static bool add_edge(struct sw_contexts *contexts, int from, int to, int step)
{
	if (contexts->edges == contexts->edge_room) {
		int room = contexts->edge_room ? 2 * contexts->edge_room : 256;
		struct sw_context_edge *more = realloc(contexts->edge, sizeof *more * (size_t)room);

		if (more == NULL)
			return false;
		contexts->edge = more;
		contexts->edge_room = room;
	}
	contexts->edge[contexts->edges++] = (struct sw_context_edge){from, to, step};
	return true;
}

static bool expand(struct builder *builder, int from)
{
	struct sw_contexts *contexts = builder->contexts;
	int32_t was[SW_MAX_CLASSES], n = contexts->classes;
	struct sw_context_held before, held;
	bool sums = false;

	take_context(builder, from, &before, was);
	for (int s = 0; s < contexts->steps; s++) {
		if (!may_step(&before, n, &builder->groups[s], contexts->step[s].op, &sums))
			continue;
		copy(&before, n, &held);
		do_step(&held, n, &builder->groups[s], contexts->step[s].op);
		int32_t to = add_context(builder, &held, &before, was);

		if (to < 0 || !add_edge(contexts, from, to, s))
			return false;
	}
	return true;
}

static bool start_and_goal(struct builder *builder)
{
	int n = builder->contexts->classes;
	struct sw_context_held held;

	sw_context_held_start(builder->contexts->factors, &held);
	bool started = add_context(builder, &held, NULL, NULL) >= 0;
	for (int c = 0; c < n; c++)
		for (int d = 0; d < n; d++)
			held.share[d * n + c] = (uint32_t)(((uint64_t)1 << n) - 1);
	builder->contexts->goal = add_context(builder, &held, NULL, NULL);
	return started && builder->contexts->goal >= 0;
}

static bool explore(struct builder *builder, sw_diag *diag)
{
	struct sw_contexts *contexts = builder->contexts;

	contexts->complete = true;
	if (!start_and_goal(builder))
		return sw_diag_memory(diag);
	for (int at = 0; contexts->complete && at < builder->keys.count; at++) {
		if (at % 64 == 0 && !sw_pulse_beat(builder->pulse, "contexts of sums", at, 0))
			return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %d contexts", at);
		if (!expand(builder, at))
			return sw_diag_memory(diag);
		contexts->complete = builder->memory == 0 || bytes_taken(builder) <= builder->memory;
	}
	return true;
}

/* Where edges of each context begin; they were added in the order of contexts. */
static void index_edges(struct sw_contexts *contexts)
{
	int edge = 0;

	for (int i = 0; i <= contexts->count; i++) {
		while (edge < contexts->edges && contexts->edge[edge].from < i)
			edge++;
		contexts->first[i] = edge;
	}
}

/* Each context after those to which its edges lead: depth first, with the edges gone over so far as the stack.  There is no
 * cycle. */
static bool put_in_order(struct sw_contexts *contexts)
{
	int *next = malloc(sizeof *next * (size_t)contexts->count),
		*stack = malloc(sizeof *stack * (size_t)contexts->count);
	bool *seen = calloc((size_t)contexts->count, sizeof *seen);
	int depth = 0, done = 0;

	if (next != NULL && stack != NULL && seen != NULL) {
		memcpy(next, contexts->first, sizeof *next * (size_t)contexts->count);
		for (int root = 0; root < contexts->count; root++) {
			if (!seen[root])
				seen[stack[depth++] = root] = true;
			while (depth > 0) {
				int at = stack[depth - 1];

				if (next[at] == contexts->first[at + 1]) {
					contexts->order[done++] = at;
					depth--;
					continue;
				}
				int to = contexts->edge[next[at]++].to;
				if (!seen[to])
					seen[stack[depth++] = to] = true;
			}
		}
	}
	free(seen);
	free(stack);
	free(next);
	return done == contexts->count;
}

static void mark_useful(struct sw_contexts *contexts)
{
	contexts->useful[contexts->goal] = true;
	for (int n = 0; n < contexts->count; n++) {
		int at = contexts->order[n];

		for (int e = contexts->first[at]; e < contexts->first[at + 1]; e++)
			contexts->useful[at] = contexts->useful[at] || contexts->useful[contexts->edge[e].to];
	}
}

/* By what each class of a context was divided: the last byte of its row. */
static void take_divided(const struct builder *builder, int context, uint8_t *divided)
{
	int n = builder->contexts->classes;
	int32_t key[SW_MAX_CLASSES];

	memcpy(key, sw_keys_at(&builder->keys, context), (size_t)n * sizeof *key);
	for (int c = 0; c < n; c++)
		divided[c] = sw_keys_at(&builder->rows, key[c])[row_bytes(n) - 1];
}

static bool number_amounts(struct builder *builder, sw_diag *diag)
{
	struct sw_contexts *contexts = builder->contexts;
	sw_keys keys;
	bool done = sw_keys_init(&keys, contexts->classes), goes_on = true;

	for (int i = 0; done && goes_on && i < contexts->count; i++) {
		uint8_t *divided = contexts->divided + (size_t)i * (size_t)contexts->classes;

		take_divided(builder, i, divided);
		contexts->amounts[i] = sw_keys_add(&keys, divided);
		done = contexts->amounts[i] >= 0;
		goes_on = i % 4096 != 0 || sw_pulse_beat(builder->pulse, "contexts of sums", i, contexts->count);
	}
	contexts->amount_count = keys.count;
	sw_keys_free(&keys);
	if (!goes_on)
		return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped while %d contexts were compared", contexts->count);
	return done || sw_diag_memory(diag);
}

static bool finish(struct builder *builder, sw_diag *diag)
{
	struct sw_contexts *contexts = builder->contexts;
	int n = contexts->classes;
	uint32_t count = (uint32_t)builder->keys.count;

	contexts->count = (int)count;
	contexts->first = malloc(sizeof *contexts->first * ((size_t)count + 1));
	contexts->divided = malloc((size_t)count * (size_t)n);
	contexts->useful = calloc((size_t)count, sizeof *contexts->useful);
	contexts->order = malloc(sizeof *contexts->order * (size_t)count);
	contexts->amounts = malloc(sizeof *contexts->amounts * (size_t)count);
	if (contexts->first == NULL || contexts->divided == NULL || contexts->useful == NULL || contexts->order == NULL ||
		contexts->amounts == NULL)
		return sw_diag_memory(diag);
	index_edges(contexts);
	if (!put_in_order(contexts))
		return sw_diag_memory(diag);
	mark_useful(contexts);
	return number_amounts(builder, diag);
}

static bool start(struct builder *builder)
{
	struct sw_contexts *contexts = builder->contexts;
	int n = contexts->classes;

	contexts->step = calloc((size_t)(contexts->factors * contexts->factors * SW_CHUNK_OPS), sizeof *contexts->step);
	return contexts->step != NULL && sw_keys_init(&builder->rows, row_bytes(n)) &&
		sw_keys_init(&builder->keys, n * (int)sizeof(int32_t));
}

sw_contexts *sw_contexts_new(int factors, bool all_masters, int64_t memory, const sw_pulse *pulse, sw_diag *diag)
{
	if (factors < 1 || factors > SW_MAX_SUMMED) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "sums over %d levels cannot be searched, only over 1 to %d",
			factors, SW_MAX_SUMMED);
		return NULL;
	}
	struct sw_contexts *contexts = calloc(1, sizeof *contexts);
	struct builder *builder = calloc(1, sizeof *builder);
	bool made = contexts != NULL && builder != NULL;

	if (made) {
		*contexts = (struct sw_contexts){.factors = factors, .classes = 1 << factors};
		builder->contexts = contexts;
		builder->memory = memory;
		builder->pulse = pulse;
		made = start(builder);
	}
	if (!made)
		sw_diag_memory(diag);
	else {
		list_steps(builder, all_masters);
		made = explore(builder, diag) && finish(builder, diag);
	}
	if (builder != NULL) {
		sw_keys_free(&builder->rows);
		sw_keys_free(&builder->keys);
	}
	free(builder);
	if (made)
		return contexts;
	sw_contexts_free(contexts);
	return NULL;
}

void sw_contexts_free(sw_contexts *contexts)
{
	if (contexts == NULL)
		return;
	free(contexts->step);
	free(contexts->edge);
	free(contexts->first);
	free(contexts->divided);
	free(contexts->amounts);
	free(contexts->useful);
	free(contexts->order);
	free(contexts);
}

bool sw_contexts_complete(const sw_contexts *contexts)
{
	return contexts->complete;
}

int sw_contexts_count(const sw_contexts *contexts)
{
	return contexts->count;
}

const sw_step *sw_contexts_steps(const sw_contexts *contexts)
{
	return contexts->step;
}
