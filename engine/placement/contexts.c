/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of what devices can hold on the way to a sum.
 *
 * Devices are numbers of as many bits as there are factors, the outermost first: all digits of a factor but 0 are alike.  A
 * context says for each chunk and each device whose shares of the chunk the device holds, and for each device which factors
 * have divided what it holds.  Every step tells devices more or empties them for good, so that no context comes back.
 */
#include "placement/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "base/keys.h"

/* A step of the graph as groups of devices. */
struct groups {
	int groups, size;
	uint8_t over; /* the factors that its members differ in */
	uint8_t member[SW_MAX_CLASSES];
};

struct builder {
	struct sw_contexts *contexts;
	struct groups groups[SW_MAX_SUMMED * SW_MAX_SUMMED * SW_REDUCTION_OP_COUNT];
	sw_keys keys;
	const sw_pulse *pulse;
};

/* ---- contexts as keys ---- */

/* Bytes of a share: a bit for each class. */
static int share_bytes(int classes)
{
	return classes > 16 ? (int)sizeof(uint32_t) : (int)sizeof(uint16_t);
}

static int key_bytes(int classes)
{
	return classes * classes * share_bytes(classes) + classes;
}

static void pack(const struct sw_context_held *held, int n, uint8_t *key)
{
	uint16_t narrow[16 * 16];
	int shares = n * n;

	for (int i = 0; n <= 16 && i < shares; i += 4) /* there are 4 at least */
		for (int k = i; k < i + 4; k++)
			narrow[k] = (uint16_t)held->share[k];
	memcpy(key, n <= 16 ? (const void *)narrow : held->share, (size_t)(shares * share_bytes(n)));
	memcpy(key + shares * share_bytes(n), held->divided, (size_t)n);
}

static void unpack(const uint8_t *key, int n, struct sw_context_held *held)
{
	uint16_t narrow[16 * 16];
	int shares = n * n;

	memcpy(n <= 16 ? (void *)narrow : held->share, key, (size_t)(shares * share_bytes(n)));
	for (int i = 0; n <= 16 && i < shares; i += 4)
		for (int k = i; k < i + 4; k++)
			held->share[k] = narrow[k];
	memcpy(held->divided, key + shares * share_bytes(n), (size_t)n);
	for (int d = 0; d < n; d++) {
		held->chunks[d] = 0;
		for (int c = 0; c < n; c++)
			held->chunks[d] |= (uint32_t)(held->share[d * n + c] != 0) << c;
	}
}

static void copy(const struct sw_context_held *from, int n, struct sw_context_held *to)
{
	memcpy(to->chunks, from->chunks, (size_t)n * sizeof *to->chunks);
	memcpy(to->divided, from->divided, (size_t)n);
	memcpy(to->share, from->share, (size_t)(n * n) * sizeof *to->share);
}

/* ---- what a group may do ---- */

static bool may_sum(const struct sw_context_held *held, int n, const struct groups *groups, const uint8_t *member)
{
	uint32_t chunks = held->chunks[member[0]], sum[SW_MAX_CLASSES];

	if (chunks == 0)
		return false;
	for (int m = 1; m < groups->size; m++)
		if (held->chunks[member[m]] != chunks)
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
	uint32_t chunks = held->chunks[member[0]];
	int count = __builtin_popcount(chunks);

	for (int m = 1; m < groups->size; m++) {
		uint32_t more = held->chunks[member[m]];

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
		if ((held->chunks[member[m]] & ~held->chunks[member[0]]) != 0)
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
	const sw_reduction_row *row, const uint8_t *member)
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

static bool may(const struct sw_context_held *held, int n, const struct groups *groups, sw_reduction_op op)
{
	const sw_reduction_row *row = sw_reduction_row_of(op);

	for (int g = 0; g < groups->groups; g++)
		if (!may_in_group(held, n, groups, row, groups->member + g * groups->size))
			return false;
	return true;
}

/* Does what each group holds divide into as many pieces as it has devices? */
static bool divides(const struct sw_context_held *held, const struct groups *groups)
{
	for (int g = 0; g < groups->groups; g++)
		if (__builtin_popcount(held->chunks[groups->member[g * groups->size]]) % groups->size != 0)
			return false;
	return true;
}

/* The steps of one set of groups stand side by side, the all-reduce first: what it may sum the others may. */
static bool may_step(const struct sw_context_held *held, int n, const struct groups *groups, sw_reduction_op op,
	bool *sums)
{
	const sw_reduction_row *row = sw_reduction_row_of(op);

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
	held->chunks[device] = chunks;
	held->divided[device] = divided;
}

static void empty(struct sw_context_held *held, int n, int device)
{
	memset(&held->share[device * n], 0, (size_t)n * sizeof *held->share);
	held->chunks[device] = 0;
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
	held->chunks[device] = chunks;
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

static void sum_up(struct sw_context_held *held, int n, const struct groups *groups, sw_reduction_leaves leaves,
	const uint8_t *member)
{
	uint32_t sum[SW_MAX_CLASSES], chunks = held->chunks[member[0]], left = chunks;
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
		chunks |= held->chunks[member[m]];
	for (int m = 0; m < groups->size; m++)
		give(held, n, member[m], sum, chunks, held->divided[member[m]] & (uint8_t)~groups->over);
}

static void hand_down(struct sw_context_held *held, int n, const struct groups *groups, const uint8_t *member)
{
	for (int m = 1; m < groups->size; m++) {
		memcpy(&held->share[member[m] * n], &held->share[member[0] * n], (size_t)n * sizeof *held->share);
		held->chunks[member[m]] = held->chunks[member[0]];
		held->divided[member[m]] = held->divided[member[0]];
	}
}

static void do_step(struct sw_context_held *held, int n, const struct groups *groups, sw_reduction_op op)
{
	const sw_reduction_row *row = sw_reduction_row_of(op);

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

/* Factors from `ancestor` to `slice` vary in a group. */
static void make_groups(const struct sw_contexts *contexts, const sw_reduction_step *step, struct groups *groups)
{
	int h = contexts->factors, from = step->form == SW_FORM_INSIDE ? step->slice : step->ancestor;
	int to = step->form == SW_FORM_INSIDE ? h : step->slice;
	int low = h - to, varying = ((1 << (to - from)) - 1) << low; /* bits of devices */

	groups->size = 1 << (to - from);
	groups->groups = 0;
	groups->over = (uint8_t)(((1 << (to - from)) - 1) << from);
	for (int d = 0; d < contexts->classes; d++) {
		if ((d & varying) != 0 || (step->form == SW_FORM_MASTERS && (d & ((1 << low) - 1)) != 0))
			continue;
		for (int m = 0; m < groups->size; m++)
			groups->member[groups->groups * groups->size + m] = (uint8_t)(d | m << low);
		groups->groups++;
	}
}

static void add_steps(struct builder *builder, sw_group_form form, int slice, int ancestor, bool all)
{
	struct sw_contexts *contexts = builder->contexts;

	for (int op = 0; op < (all ? SW_REDUCTION_OP_COUNT : 1); op++) {
		sw_reduction_step step = {(sw_reduction_op)op, form, slice, ancestor};

		make_groups(contexts, &step, &builder->groups[contexts->steps]);
		contexts->step[contexts->steps++] = step;
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

void sw_context_held_start(const sw_contexts *contexts, struct sw_context_held *held)
{
	int n = contexts->classes;

	memset(held, 0, sizeof *held);
	for (int d = 0; d < n; d++) {
		held->chunks[d] = (uint32_t)(((uint64_t)1 << n) - 1);
		for (int c = 0; c < n; c++)
			held->share[d * n + c] = (uint32_t)1 << d;
	}
}

void sw_context_held_step(const sw_contexts *contexts, int step, struct sw_context_held *held)
{
	struct groups groups;

	make_groups(contexts, &contexts->step[step], &groups);
	do_step(held, contexts->classes, &groups, contexts->step[step].op);
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

static bool expand(struct builder *builder, int from, uint8_t *key)
{
	struct sw_contexts *contexts = builder->contexts;
	int n = contexts->classes;
	struct sw_context_held before, held;
	bool sums = false;

	unpack(sw_keys_at(&builder->keys, from), n, &before);
	for (int s = 0; s < contexts->steps; s++) {
		if (!may_step(&before, n, &builder->groups[s], contexts->step[s].op, &sums))
			continue;
		copy(&before, n, &held);
		do_step(&held, n, &builder->groups[s], contexts->step[s].op);
		pack(&held, n, key);
		int32_t to = sw_keys_add(&builder->keys, key);

		if (to < 0 || !add_edge(contexts, from, to, s))
			return false;
	}
	return true;
}

static bool start_and_goal(struct builder *builder, uint8_t *key)
{
	int n = builder->contexts->classes;
	struct sw_context_held held;

	sw_context_held_start(builder->contexts, &held);
	pack(&held, n, key);
	bool started = sw_keys_add(&builder->keys, key) >= 0;
	for (int c = 0; c < n; c++)
		for (int d = 0; d < n; d++)
			held.share[d * n + c] = (uint32_t)(((uint64_t)1 << n) - 1);
	pack(&held, n, key);
	builder->contexts->goal = sw_keys_add(&builder->keys, key);
	return started && builder->contexts->goal >= 0;
}

static bool explore(struct builder *builder, uint8_t *key, sw_diag *diag)
{
	if (!start_and_goal(builder, key))
		return sw_diag_memory(diag);
	for (int at = 0; at < builder->keys.count; at++) {
		if (at % 64 == 0 && !sw_pulse_beat(builder->pulse, "contexts of sums", at, 0))
			return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %d contexts", at);
		if (!expand(builder, at, key))
			return sw_diag_memory(diag);
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

static bool number_amounts(struct sw_contexts *contexts)
{
	sw_keys keys;
	bool done = sw_keys_init(&keys, contexts->classes);

	for (int i = 0; done && i < contexts->count; i++) {
		contexts->amounts[i] = sw_keys_add(&keys, contexts->divided + (size_t)i * (size_t)contexts->classes);
		done = contexts->amounts[i] >= 0;
	}
	contexts->amount_count = keys.count;
	sw_keys_free(&keys);
	return done;
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
	for (int i = 0; i < contexts->count; i++)
		memcpy(contexts->divided + (size_t)i * (size_t)n, sw_keys_at(&builder->keys, i) + key_bytes(n) - n,
			(size_t)n);
	index_edges(contexts);
	if (!put_in_order(contexts) || !number_amounts(contexts))
		return sw_diag_memory(diag);
	mark_useful(contexts);
	return true;
}

sw_contexts *sw_contexts_new(int factors, bool all_masters, const sw_pulse *pulse, sw_diag *diag)
{
	if (factors < 1 || factors > SW_MAX_SUMMED) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "sums over %d levels cannot be searched, only over 1 to %d",
			factors, SW_MAX_SUMMED);
		return NULL;
	}
	struct sw_contexts *contexts = calloc(1, sizeof *contexts);
	struct builder *builder = calloc(1, sizeof *builder);
	uint8_t *key = malloc((size_t)key_bytes(1 << factors));
	bool made = contexts != NULL && builder != NULL && key != NULL &&
		sw_keys_init(&builder->keys, key_bytes(1 << factors));

	if (!made)
		sw_diag_memory(diag);
	else {
		builder->contexts = contexts;
		builder->pulse = pulse;
		contexts->factors = factors;
		contexts->classes = 1 << factors;
		list_steps(builder, all_masters);
		made = explore(builder, key, diag) && finish(builder, diag);
		sw_keys_free(&builder->keys);
	}
	free(key);
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
	free(contexts->edge);
	free(contexts->first);
	free(contexts->divided);
	free(contexts->amounts);
	free(contexts->useful);
	free(contexts->order);
	free(contexts);
}

int sw_contexts_count(const sw_contexts *contexts)
{
	return contexts->count;
}
