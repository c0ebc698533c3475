/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the chains of a module and makes plans of them; tells of what became none.
 */
#define _GNU_SOURCE
#include <shardwalk/hlo.h>

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "foreign/module/collectives.h"
#include "foreign/module/hlo_parts.h"
#include "base/room.h"

#define PATH_MOST 256  /* instructions of a chain */
#define IMPLIED 9      /* ways to say what a value is before its chain by what is known of it ... */
#define WAYS 17        /* ... and all ways */
#define CALLS_MOST 64  /* computations within computations */
#define LEFT_MOST 4096 /* different reasons and first instructions that are kept apart */

/* What was taken of the path from one value: steps, and how far it went. */
typedef struct attempt {
	const hlo_value *from;
	sw_hlo_ends ends;
	int count;                  /* steps that did something */
	int end;                    /* path[0] to path[end - 1] could be taken */
	const char *reason;         /* why no more, or no plan */
	bool contradicts;           /* something else was known, which did not lead as far */
	bool shifts;                /* path[end] only shifts values */
	int instruction[PATH_MOST]; /* of the steps */
	hlo_step step[PATH_MOST];
	const hlo_value *after[PATH_MOST];
} attempt;

/* A chain as it was taken, to find it again. */
typedef struct taken {
	uint64_t hash;
	const hlo_value *from;
	const hlo_step *step;
	int count;
	sw_dtype dtype;
	hlo_said said;
	int chain;
} taken;

typedef struct importing {
	graph_reading r;
	sw_hlo_import *out;
	int chain_room, left_room;
	taken *known;
	int known_room;                    /* a power of 2 */
	uint8_t *reached;                  /* computations */
	int by_device;                     /* 1: parts may be written device by device, -1: none is, 0: nobody asked */
	int path[PATH_MOST], length, last; /* from the first step on; path[last] is the last step */
} importing;

static const graph_instruction *at_of(const importing *m, int i)
{
	return &m->r.module->instruction[i];
}

static char *keep(importing *m, sw_str text)
{
	char *copy = sw_arena_copy(m->r.arena, text.at, text.length);
	m->r.failed = m->r.failed || !copy;
	return copy;
}

static const char *keep_text(importing *m, sw_text *text)
{
	char *copy = text->failed ? NULL : keep(m, (sw_str){sw_text_get(text), text->length});
	m->r.failed = m->r.failed || text->failed;
	sw_text_free(text);
	return copy;
}

/* ---- what is left out ---- */

static bool has_room(importing *m, bool grown)
{
	m->r.failed = m->r.failed || !grown;
	return grown;
}

static void leave(importing *m, int i, const char *reason)
{
	sw_hlo_import *out = m->out;
	m->r.judged[i] = 2;
	out->left_out++;
	for (int k = 0; k < out->lefts; k++)
		if (out->left[k].reason == reason || strcmp(out->left[k].reason, reason) == 0) {
			out->left[k].count++;
			return;
		}
	if (out->lefts == LEFT_MOST)
		return;
	if (has_room(m, SW_GROW(m->r.arena, out->left, out->lefts, m->left_room, 16)))
		out->left[out->lefts++] = (sw_hlo_left){reason, keep(m, at_of(m, i)->name), at_of(m, i)->line, 1};
}

/* Why a reduction is no step of a chain. */
static const char *why_no_sum(importing *m, int i)
{
	hlo_op by = hlo_combines_by(m->r.module, i);
	sw_text text = {0};
	if (by == HLO_ADD)
		return "what it sums is not there";
	if (by == HLO_OTHER)
		return "it combines by an unknown operation, but only sums are planned";
	sw_text_addf(&text, "it combines by %s, but only sums are planned", hlo_op_name(by));
	return keep_text(m, &text);
}

/* The reason, and the groups that it is about. */
static void leave_sum(importing *m, int i, const char *reason)
{
	sw_str groups;
	sw_text text = {0};
	if (!hlo_attribute(at_of(m, i)->attributes, "replica_groups", &groups) || groups.length > 120) {
		leave(m, i, reason);
		return;
	}
	sw_text_addf(&text, "%s: groups %.*s", reason, (int)groups.length, groups.at);
	reason = keep_text(m, &text);
	if (reason)
		leave(m, i, reason);
}

static void leave_step(importing *m, int i, const char *reason)
{
	(hlo_reduces(at_of(m, i)->op) ? leave_sum : leave)(m, i, reason);
}

/* ---- chains that were there before ---- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ at[i]) * 1099511628211u;
	return hash;
}

static uint64_t taken_hash(const importing *m, const taken *t)
{
	uint64_t hash = mix(14695981039346656037u, t->from->global, (size_t)t->from->rank * sizeof(int64_t));
	for (int k = 0; k < t->count; k++) {
		hash = mix(hash, &t->step[k].op, sizeof(t->step[k].op));
		hash = mix(hash, t->step[k].tile, (size_t)t->from->rank * sizeof(int64_t));
		if (t->step[k].member)
			hash = mix(hash, t->step[k].member, (size_t)m->r.devices * sizeof(int32_t));
	}
	for (int k = 0; k < t->said.lines; k++)
		hash = mix(hash, t->said.line[k], strlen(t->said.line[k]));
	return hash ^ hash >> 31;
}

static bool same_bases(const importing *m, const int64_t *a, const int64_t *b, int rank)
{
	static const int64_t none[SW_MAX_DIMS];
	if (a == b)
		return true;
	for (int64_t d = 0; d < m->r.devices; d++)
		if (memcmp(a ? a + d * rank : none, b ? b + d * rank : none, (size_t)rank * sizeof(*a)) != 0)
			return false;
	return true;
}

static bool same_step(const importing *m, const hlo_step *a, const hlo_step *b, int rank)
{
	return a->op == b->op && a->size == b->size && memcmp(a->tile, b->tile, (size_t)rank * sizeof(*a->tile)) == 0 &&
		!a->member == !b->member &&
		(!a->member || memcmp(a->member, b->member, (size_t)m->r.devices * sizeof(*a->member)) == 0) &&
		same_bases(m, a->base, b->base, rank);
}

static bool same_chain(const importing *m, const taken *a, const taken *b)
{
	int rank = a->from->rank;
	bool same = a->hash == b->hash && rank == b->from->rank && a->count == b->count && a->dtype == b->dtype &&
		memcmp(a->from->global, b->from->global, (size_t)rank * sizeof(int64_t)) == 0 &&
		same_bases(m, a->from->base, b->from->base, rank) && hlo_said_same(&a->said, &b->said);
	for (int k = 0; same && k < a->count; k++)
		same = same_step(m, &a->step[k], &b->step[k], rank);
	return same;
}

/* The slot of a chain: where it was put, or an empty one (chain -1). */
static taken *taken_slot(importing *m, const taken *t)
{
	for (uint64_t i = t->hash;; i++) {
		taken *slot = &m->known[i & (uint64_t)(m->known_room - 1)];
		if (slot->chain < 0 || same_chain(m, slot, t))
			return slot;
	}
}

static bool taken_grow(importing *m)
{
	taken *old = m->known;
	int room = m->known_room;
	if (old && 2 * m->out->count < room)
		return true;
	m->known_room = room ? 2 * room : 64;
	m->known = SW_NEW(m->r.work, taken, m->known_room);
	if (!m->known)
		return !(m->r.failed = true);
	for (int i = 0; i < m->known_room; i++)
		m->known[i].chain = -1;
	for (int i = 0; i < room; i++)
		if (old[i].chain >= 0)
			*taken_slot(m, &old[i]) = old[i];
	return true;
}

/* ---- chains ---- */

/* The instruction whose value the chain starts with, before any glue. */
static int origin_of(const importing *m, int head)
{
	int at = m->r.link[head].source;
	while (m->r.link[at].source >= 0 && !m->r.link[at].step)
		at = m->r.link[at].source;
	return at;
}

/* Does the program itself ask for a sharding between the steps? */
/* The first of the chain's path; -1: there is none. */
static int constraint_within(const importing *m, const attempt *a)
{
	static const char word[] = "sharding_constraint";
	bool inside = false;
	for (int k = 0; k < m->length && m->path[k] != a->instruction[a->count - 1]; k++) {
		const graph_instruction *at = at_of(m, m->path[k]);
		inside = inside || m->path[k] == a->instruction[0];
		if (inside && at->op == HLO_COPY && memmem(at->attributes.at, at->attributes.length, word, sizeof(word) - 1))
			return m->path[k];
	}
	return -1;
}

/* The value that it starts with is asked before the instructions on its path. */
static hlo_said said_of(importing *m, const attempt *a)
{
	int before[PATH_MOST + 1] = {origin_of(m, a->instruction[0])};
	memcpy(before + 1, m->path, (size_t)m->length * sizeof(*before));
	return hlo_said_of(&m->r, a->instruction, a->count, before, m->length + 1);
}

/* May a part of the program be written device by device, by shard_map or pmap?  Without names of operations nobody knows. */
static bool by_device(importing *m)
{
	static const char *const words[] = {"shard_map", "pmap"};
	bool named = false, found = false;
	for (int i = 0; i < m->r.module->instructions && !m->by_device && !found; i++) {
		sw_str at = at_of(m, i)->attributes, rest;
		bool here = sw_str_after(at, "op_name=", &rest);
		named = named || here;
		for (size_t k = 0; here && k < sizeof(words) / sizeof(*words); k++)
			found = found || memmem(rest.at, rest.length, words[k], strlen(words[k])) != NULL;
	}
	if (!m->by_device)
		m->by_device = found || !named ? 1 : -1;
	return m->by_device > 0;
}

/* Is what a plan saves no more than a bound? */
static bool is_bound(importing *m, const sw_hlo_chain *chain)
{
	const sw_problem *problem = &chain->plan.problem;
	return chain->ends == SW_HLO_IMPLIED ||
		(chain->ends == SW_HLO_DERIVED && sw_type_copies(&problem->mesh, &problem->from) > 1 && by_device(m));
}

static void chain_names(importing *m, const attempt *a, const hlo_said *said, sw_hlo_chain *chain)
{
	int first = a->instruction[0];
	const graph_instruction *head = at_of(m, first);
	chain->ends = a->ends;
	chain->at_most = is_bound(m, chain);
	chain->first = keep(m, head->name);
	hlo_said of_constraint = {.lines = 0};
	int constraint = constraint_within(m, a);
	chain->last = keep(m, at_of(m, a->instruction[a->count - 1])->name);
	chain->computation = keep(m, m->r.module->computation[head->computation].name);
	chain->line = head->line;
	chain->count = 1;
	chain->plan.name = chain->last;
	chain->constrained = constraint >= 0;
	if (chain->constrained)
		hlo_said_add(&m->r, constraint, &of_constraint);
	chain->constraint = of_constraint.source ? keep(m, sw_str_of(of_constraint.source)) : NULL;
	if (!chain->remark && chain->constrained)
		chain->remark = "the program constrains the sharding on the way, not only at the ends";
	if (a->contradicts)
		chain->remark = "its operands imply another sharding; this is the one that its groups imply";
	chain->op_name = said->op_name;
	chain->source = said->source;
	chain->sources = said->line;
	chain->source_count = said->lines;
}

static bool chain_add(importing *m, taken *t, const attempt *a, const char **reason)
{
	sw_hlo_import *out = m->out;
	sw_hlo_chain chain = {.count = 0};
	t->said = said_of(m, a);
	if (m->r.failed || !taken_grow(m))
		return false;
	t->hash = taken_hash(m, t);
	taken *slot = taken_slot(m, t);
	const runs_part *runs = &m->r.runs.part[at_of(m, a->instruction[0])->computation];
	if (slot->chain >= 0) {
		sw_hlo_chain *there = &out->chains[slot->chain];
		there->count++;
		there->runs += runs->count;
		there->open = there->open || runs->open;
		there->untaken = there->untaken && runs->untaken;
		return true;
	}
	if (!hlo_plan_make(&m->r, t->from, t->dtype, t->step, t->count, &chain, reason) ||
		!has_room(m, SW_GROW(m->r.arena, out->chains, out->count, m->chain_room, 16)))
		return false;
	t->said = hlo_said_keep(&m->r, &t->said);
	chain_names(m, a, &t->said, &chain);
	chain.runs = runs->count;
	chain.loop = runs->loop;
	chain.open = runs->open;
	chain.untaken = runs->untaken;
	out->chains[out->count] = chain;
	t->chain = out->count++;
	hlo_step *steps = SW_NEW(m->r.work, hlo_step, t->count);
	if (!steps)
		return !(m->r.failed = true);
	memcpy(steps, t->step, (size_t)t->count * sizeof(*steps));
	t->step = steps;
	*slot = *t;
	return true;
}

/* ---- paths ---- */

/* Can the sums of a chain be `terms` and those of instruction `i`?  No more terms than devices are held. */
static bool path_holds(importing *m, int i, int64_t *terms)
{
	const graph_instruction *at = at_of(m, i);
	const graph_groups *groups = m->r.link[i].step && hlo_reduces(at->op) ? graph_groups_of(&m->r, at) : NULL;
	return !groups || !groups->right || (sw_mul(*terms, groups->size, terms) && *terms <= m->r.devices);
}

/* Everything that is made of the value of `head` and of nothing else, up to the last glue. */
static void path_find(importing *m, int head)
{
	int at = head;
	int64_t terms = 1;
	m->length = m->last = 0;
	path_holds(m, head, &terms);
	do {
		if (m->r.link[at].step)
			m->last = m->length;
		SW_ROOM(m->path, m->length);
		m->path[m->length++] = at;
		at = m->r.link[at].consumer;
	} while (at >= 0 && m->length < PATH_MOST && path_holds(m, at, &terms));
	if (m->length > m->last + 17)
		m->length = m->last + 17;
}

/* Does every device get a tile of the place that it had one of?  Of copies that would be for nothing: where no annotation says that
 * they are copies, values of the devices differ, and it shifts them. */
static bool only_shifts(const importing *m, const attempt *a, const hlo_value *before, const hlo_value *after)
{
	return a->ends != SW_HLO_ANNOTATED && hlo_traffic_of(at_of(m, m->path[a->end])->op) == SW_TRAFFIC_PERMUTE &&
		same_bases(m, before->base, after->base, before->rank);
}

static void path_walk(importing *m, attempt *a)
{
	const hlo_value *from = a->from;
	a->count = a->end = 0;
	a->shifts = false;
	a->reason = NULL;
	for (; a->end < m->length; a->end++) {
		int i = m->path[a->end];
		hlo_step *step = &a->step[a->count];
		const hlo_value *made = hlo_step_take(&m->r, i, from, step, &a->reason);
		if (made && only_shifts(m, a, from, made)) {
			a->reason =
				"it shifts values among devices that hold the same part of an array, as a ring or a pipeline does";
			a->shifts = true;
			a->after[a->end] = from;
			return;
		}
		if (!made)
			return;
		if (step->op != SW_OP_COUNT) {
			SW_ROOM(a->instruction, a->count);
			a->instruction[a->count++] = i;
		}
		a->after[a->end] = from = made;
	}
}

/* Does the tensor stand in the order of its array at some place after the last step? */
static bool path_ordered(const importing *m, const attempt *a)
{
	int k = a->end - 1;
	while (k > 0 && m->path[k] != a->instruction[a->count - 1])
		k--;
	for (; k < a->end; k++)
		if (hlo_form_ordered(a->after[k]->form, a->after[k]->rank))
			return true;
	return false;
}

/* Makes a plan of what was walked; false where it makes none. */
static bool path_plan(importing *m, attempt *a)
{
	hlo_shape shape;
	if (a->count == 0)
		return a->end > m->last;
	if (!path_ordered(m, a)) {
		a->reason = "the pieces of its tiles are in another order";
		return false;
	}
	if (!hlo_shape_read(at_of(m, m->r.link[m->path[0]].source)->shape, &shape) || !shape.typed) {
		a->reason = "its element type is unknown";
		return false;
	}
	taken t = {.from = a->from, .step = a->step, .count = a->count, .dtype = shape.dtype, .chain = -1};
	return chain_add(m, &t, a, &a->reason);
}

/* ---- where a chain starts ---- */

/* The glue before `head`: fills path[0] to path[count - 1] in its order; the source of the first is *source. */
static int lead_find(const importing *m, int head, int path[PATH_MOST], int *source)
{
	int count = 0;
	*source = m->r.link[head].source;
	while (count < PATH_MOST && m->r.link[*source].source >= 0 && !m->r.link[*source].step) {
		path[count++] = *source;
		*source = m->r.link[*source].source;
	}
	for (int k = 0; k < count / 2; k++) {
		int kept = path[k];
		path[k] = path[count - 1 - k];
		path[count - 1 - k] = kept;
	}
	return count;
}

/* The value after path[k] and what follows it, from the value before it. */
static const hlo_value *lead_take(importing *m, const int *path, int k, int count, const hlo_value *value)
{
	const char *reason;
	hlo_step step;
	for (; value && k < count; k++)
		value = hlo_step_take(&m->r, path[k], value, &step, &reason);
	return value;
}

/* What the path implies of the k-th value before `head`. */
static const hlo_value *start_implied(importing *m, int head, int k)
{
	int path[2 * PATH_MOST], source, lead = lead_find(m, head, path, &source);
	if (k > lead)
		return NULL;
	memcpy(path + lead, m->path, (size_t)m->length * sizeof(*path));
	const hlo_value *value = hlo_infer(&m->r, m->r.link[path[k]].source, path + k, lead - k + m->length,
		lead - k + m->last);
	return lead_take(m, path, k, lead, value);
}

/* What is known, in the k-th shape that the value has before `head`; NULL where that says nothing new. */
static const hlo_value *start_reshaped(importing *m, int head, int k)
{
	int path[PATH_MOST], source, lead = lead_find(m, head, path, &source);
	hlo_shape shape;
	if (k > lead)
		return NULL;
	source = k < lead ? m->r.link[path[k]].source : m->r.link[head].source;
	const hlo_value *known = m->r.value[source], *other = NULL;
	if (known && hlo_shape_read(at_of(m, source)->shape, &shape))
		other = hlo_value_rebase(&m->r, known, &shape);
	return other == known ? NULL : lead_take(m, path, k, lead, other);
}

/* The ways to say what the value before `head` is: as it is known, as tiles of an array of one of its shapes before
 * `head`, and as the chain implies it, seen from one of those. */
static const hlo_value *start_of(importing *m, int head, int way)
{
	if (way == 0)
		return m->r.value[m->r.link[head].source];
	return way < IMPLIED ? start_reshaped(m, head, way - 1) : start_implied(m, head, way - IMPLIED);
}

static sw_hlo_ends ends_of(const importing *m, int head, int way)
{
	sw_str text;
	bool says = hlo_attribute(at_of(m, origin_of(m, head))->attributes, "sharding", &text);
	return way >= IMPLIED ? SW_HLO_IMPLIED : says ? SW_HLO_ANNOTATED : SW_HLO_DERIVED;
}

/* Judges the steps that a plan was made of, or could not be. */
static void path_judge(importing *m, const attempt *a, bool planned)
{
	for (int k = 0; k < a->end; k++) {
		m->r.value[m->path[k]] = a->after[k];
		if (m->r.link[m->path[k]].step && planned)
			m->r.judged[m->path[k]] = 1;
		else if (m->r.link[m->path[k]].step)
			leave_step(m, m->path[k], a->reason);
	}
	if (a->end < m->length && m->r.link[m->path[a->end]].step)
		leave_step(m, m->path[a->end], a->reason);
	if (a->shifts && a->ends == SW_HLO_DERIVED)
		m->r.value[m->path[a->end]] = a->after[a->end];
}

/* The attempt that makes a plan of most steps; NULL where none makes one. */
static attempt *best_of(importing *m, attempt **tried)
{
	for (;;) {
		int best = -1;
		for (int way = 0; way < WAYS; way++)
			if (tried[way] && (best < 0 || tried[way]->count > tried[best]->count))
				best = way;
		if (best < 0 || tried[best]->count == 0)
			return NULL;
		if (path_plan(m, tried[best]))
			return tried[best];
		tried[best] = NULL;
	}
}

/* A chain that makes no plan may make two, of which one is about a sum: ends the path before the last step that sums, or behind it.
 * false: there is no such place. */
static bool path_cut(importing *m)
{
	int after = -1;
	for (int k = m->last; k >= 0; after = m->r.link[m->path[k]].step ? k : after, k--) {
		if (!m->r.link[m->path[k]].step)
			continue;
		bool sums = hlo_reduces(at_of(m, m->path[k])->op);
		int end = sums && after > 0 ? after : sums ? k : -1;
		if (end <= 0)
			continue;
		m->length = end;
		for (m->last = end - 1; m->last > 0 && !m->r.link[m->path[m->last]].step;)
			m->last--;
		return true;
	}
	return false;
}

/* The steps from `head` on, as far as the path goes: by what is known of the value, else by what they imply.  false: no plan. */
static bool path_take(importing *m, int head, attempt **best)
{
	attempt *tried[WAYS] = {NULL}, *first = NULL;
	for (int way = 0; way < WAYS; way++) {
		const hlo_value *from = start_of(m, head, way);
		attempt *a = from ? SW_NEW(m->r.brief, attempt, 1) : NULL;
		m->r.failed = m->r.failed || (from && !a);
		if (!a)
			continue;
		a->from = from;
		a->ends = ends_of(m, head, way);
		a->contradicts = way >= IMPLIED && m->r.value[m->r.link[head].source] != NULL;
		path_walk(m, a);
		if (a->end > m->last && path_plan(m, a)) {
			*best = a;
			return true;
		}
		first = first ? first : a;
		tried[way] = a->end > m->last ? NULL : a;
	}
	*best = best_of(m, tried);
	if (*best)
		return true;
	*best = first;
	return false;
}

static void chain_take(importing *m, int head)
{
	attempt *first = NULL, *best = NULL;
	path_find(m, head);
	bool planned = path_take(m, head, &first);
	int length = m->length, last = m->last;
	for (best = first; !planned && path_cut(m);)
		planned = path_take(m, head, &best);
	if (!planned) {
		m->length = length;
		m->last = last;
		best = first;
	}
	if (best)
		path_judge(m, best, planned);
	if (m->r.judged[head] == 0)
		leave_step(m, head, "the sharding of its value is unknown, and its groups do not imply it");
}

/* ---- computations ---- */

static void computation_take(importing *m, int c, int depth);

/* Parameter k of computation `c` holds what the operand does. */
static void bind(importing *m, int c, int k, int operand)
{
	const graph_computation *to = &m->r.module->computation[c];
	for (int i = to->first; operand >= 0 && i < to->first + to->count; i++) {
		const graph_instruction *at = at_of(m, i);
		int64_t number;
		if (at->op != HLO_PARAMETER || hlo_numbers(at->inside, &number, 1) != 1 || number != k)
			continue;
		m->r.value[i] = m->r.value[operand];
		m->r.tuple[i] = m->r.tuple[operand];
		return;
	}
}

static int callee_of(const importing *m, int i, const char *name)
{
	sw_str text;
	return hlo_attribute(at_of(m, i)->attributes, name, &text) ? hlo_computation_named(m->r.module, text) : -1;
}

/* Element by element what is known of two tuples, of the first before the second; NULL: they are not alike. */
static const hlo_value **tuples_merge(importing *m, const hlo_value **in, const hlo_value **out)
{
	int count = 0;
	while (in && out && in[count] != &hlo_tuple_end && out[count] != &hlo_tuple_end)
		count++;
	if (count == 0 || in[count] != out[count])
		return NULL;
	const hlo_value **both = SW_NEW(m->r.work, const hlo_value *, count + 1);
	m->r.failed = m->r.failed || !both;
	for (int k = 0; both && k <= count; k++)
		both[k] = in[k] ? in[k] : out[k];
	return both;
}

/* What a loop gives is what goes in; where that is not known, what its body makes. */
static void loop_result(importing *m, int i, int root)
{
	graph_reading *r = &m->r;
	const hlo_value **both = tuples_merge(m, r->tuple[graph_operand(r->module, i, 0)], r->tuple[root]);
	r->tuple[i] = both ? both : r->tuple[i];
}

/* What a branch gives; where that is not known, what another does: all give the same sharding. */
static void branch_result(importing *m, int i, int root)
{
	graph_reading *r = &m->r;
	const hlo_value **both = tuples_merge(m, r->tuple[i], r->tuple[root]);
	r->value[i] = r->value[i] ? r->value[i] : r->value[root];
	r->tuple[i] = both ? both : r->tuple[i] ? r->tuple[i] : r->tuple[root];
}

/* Each branch gets one operand after that which chooses. */
static void branches_take(importing *m, int i, int depth)
{
	static const char *const keys[] = {"branch_computations", "true_computation", "false_computation"};
	const graph_module *module = m->r.module;
	int operand = 1;
	sw_str names, name;
	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys) && depth < CALLS_MOST; k++) {
		if (!hlo_attribute(at_of(m, i)->attributes, keys[k], &names))
			continue;
		for (size_t at = 0; hlo_next_name(names, &at, &name); operand++) {
			int c = hlo_computation_named(module, name);
			if (c < 0 || m->reached[c])
				continue;
			bind(m, c, 0, operand < at_of(m, i)->operands ? graph_operand(module, i, operand) : -1);
			computation_take(m, c, depth + 1);
			if (module->computation[c].root >= 0)
				branch_result(m, i, module->computation[c].root);
		}
	}
}

/* Takes a computation that is called, the first time it is. */
static void call_take(importing *m, int i, int depth)
{
	const graph_instruction *at = at_of(m, i);
	int c = callee_of(m, i, at->op == HLO_WHILE ? "body" : at->op == HLO_CALL ? "to_apply" : "calls");
	if (c < 0 || m->reached[c] || depth >= CALLS_MOST)
		return;
	for (int k = 0; k < at->operands; k++)
		bind(m, c, k, graph_operand(m->r.module, i, k));
	computation_take(m, c, depth + 1);
	int root = m->r.module->computation[c].root;
	if (at->op == HLO_WHILE && root >= 0 && graph_operand(m->r.module, i, 0) >= 0) {
		loop_result(m, i, root);
	} else if (root >= 0) {
		m->r.value[i] = m->r.value[root];
		m->r.tuple[i] = m->r.tuple[root];
	}
}

static void instruction_take(importing *m, int i, int depth)
{
	const graph_instruction *at = at_of(m, i);
	hlo_class kind = hlo_class_of(at->op);
	bool elided = at->op == HLO_DYNAMIC_SLICE && !m->r.link[i].step && hlo_slice_elided(&m->r, i);
	bool computes = kind == HLO_COMPUTES && m->r.traffic[i].count;
	bool collective = computes || elided || (kind == HLO_MOVES && (at->op != HLO_DYNAMIC_SLICE || m->r.link[i].step));
	m->out->collectives += collective;
	if (m->r.judged[i])
		return;
	if (computes)
		leave(m, i, "it computes, but does not move an array from one sharding to another");
	else if (hlo_reduces(at->op) && !m->r.link[i].step)
		leave(m, i, why_no_sum(m, i));
	else if (m->r.link[i].step && m->r.link[i].source >= 0)
		chain_take(m, i);
	else if (elided)
		leave(m, i, "the text leaves out where its slices start: dump it with --xla_dump_large_constants");
	else if (collective)
		leave(m, i,
			at->operands > 1 ? "it takes several values, or pieces of several values" : "what it moves is not there");
	if (at->op == HLO_WHILE || at->op == HLO_CALL || at->op == HLO_FUSION)
		call_take(m, i, depth);
	else if (at->op == HLO_CONDITIONAL)
		branches_take(m, i, depth);
	if (!m->r.link[i].step || (hlo_reduces(at->op) && !m->r.value[i]))
		hlo_know(&m->r, i);
}

static void computation_take(importing *m, int c, int depth)
{
	const graph_computation *at = &m->r.module->computation[c];
	m->reached[c] = 1;
	for (int i = at->first; i < at->first + at->count && !m->r.failed; i++) {
		if (i % 64 == 0 && !sw_pulse_beat(m->r.pulse, "instructions", i, m->r.module->instructions))
			return;
		instruction_take(m, i, depth);
		sw_arena_clear(m->r.brief);
	}
}

/* ---- the module ---- */

static bool room_make(importing *m)
{
	graph_reading *r = &m->r;
	int n = r->module->instructions;
	r->value = SW_NEW_ZERO(r->work, const hlo_value *, n);
	r->tuple = SW_NEW_ZERO(r->work, const hlo_value **, n);
	r->judged = SW_NEW_ZERO(r->work, uint8_t, n);
	m->reached = SW_NEW_ZERO(r->work, uint8_t, r->module->computations);
	return r->value && r->tuple && r->judged && m->reached && graph_groups_start(r) && graph_scalars_start(r) &&
		hlo_links_find(r) && graph_traffic_find(r) && hlo_calls_find(r);
}

static int compare_chains(const void *a, const void *b)
{
	const sw_hlo_chain *x = a, *y = b;
	return (x->line > y->line) - (x->line < y->line);
}

static int compare_lefts(const void *a, const void *b)
{
	const sw_hlo_left *x = a, *y = b;
	return (x->line > y->line) - (x->line < y->line);
}

/* Entries first, then what they do not reach. */
static void module_take(importing *m)
{
	const graph_module *module = m->r.module;
	for (int entry = 1; entry >= 0; entry--)
		for (int c = module->computations - 1; c >= 0; c--)
			if (!m->reached[c] && (!entry || module->computation[c].entry))
				computation_take(m, c, 0);
	if (m->out->count)
		qsort(m->out->chains, (size_t)m->out->count, sizeof(*m->out->chains), compare_chains);
	if (m->out->lefts)
		qsort(m->out->left, (size_t)m->out->lefts, sizeof(*m->out->left), compare_lefts);
}

/* `[2,4]<=[8]`, or a list of devices. */
static int64_t devices_in(sw_str text)
{
	int64_t number[2];
	if (!text.length || text.at[0] != '[')
		return graph_behind_all(text, SW_MAX_MAP_DEVICES);
	if (hlo_numbers(text, number, 2) < 2 || number[0] < 1 || number[0] > SW_MAX_MAP_DEVICES || number[1] < 1 ||
		number[1] > SW_MAX_MAP_DEVICES)
		return 1;
	return number[0] * number[1];
}

/* Of `{devices=[2,1,4]<=[8] last_tile_dim_replicate}` the product of the sizes, in all of them as many as devices. */
static int64_t devices_cut(sw_str text)
{
	int64_t number[SW_MAX_DIMS + 2], product = 1;
	sw_str sizes;
	if (!sw_str_after(text, "devices=[", &sizes))
		return 1;
	const char *close = memchr(sizes.at, ']', sizes.length);
	sizes.length = close ? (size_t)(close - sizes.at) : 0;
	int64_t count = hlo_numbers(sizes, number, SW_MAX_DIMS + 2);
	for (int64_t k = 0; k < count && k < SW_MAX_DIMS + 2; k++)
		if (number[k] < 1 || !sw_mul(product, number[k], &product) || product > SW_MAX_MAP_DEVICES)
			return 1;
	return product;
}

/* Where the module does not say how many devices there are its groups and shardings do. */
static int64_t devices_of(const graph_module *module)
{
	int64_t devices = module->partitions > 1 ? module->partitions : module->replicas;
	bool said = devices > 1;
	for (int i = 0; i < module->instructions && !said; i++) {
		const graph_instruction *at = &module->instruction[i];
		bool pairs = hlo_traffic_of(at->op) == SW_TRAFFIC_PERMUTE,
			 moves = hlo_traffic_of(at->op) < SW_TRAFFIC_KIND_COUNT;
		int64_t here = 1;
		sw_str text;
		if (moves && hlo_attribute(at->attributes, pairs ? "source_target_pairs" : "replica_groups", &text))
			here = devices_in(text);
		else if (hlo_attribute(at->attributes, "sharding", &text))
			here = devices_cut(text);
		devices = here > devices ? here : devices;
	}
	return devices;
}

static bool traffic_give(importing *m, sw_traffic *traffic)
{
	int count = 0, room = 0;
	collective *met = SW_NEW(m->r.work, collective, m->r.module->instructions + 1);
	for (int i = 0; met && i < m->r.module->instructions; i++)
		if (m->r.traffic[i].count)
			met[count++] = (collective){i, at_of(m, i)->computation, m->r.judged[i] == 1, false};
	return met && graph_traffic_give(&m->r, met, count, traffic, &room) && traffic_finish(traffic, m->r.arena);
}

static bool import_run(importing *m, sw_span header, sw_diag *diag)
{
	sw_hlo_import *out = m->out;
	const graph_module *module = m->r.module;
	m->r.devices = devices_of(module);
	if (m->r.devices > DEVICES_MOST) {
		sw_diag_set(diag, SW_S08, header, "a module for %lld devices: too many for a map of each",
			(long long)m->r.devices);
		sw_diag_expected(diag, "at most %lld", (long long)DEVICES_MOST);
		return false;
	}
	*out = (sw_hlo_import){.partitions = m->r.devices,
		.devices = graph_all_devices(&m->r),
		.computations = module->computations,
		.instructions = module->instructions,
		.name = keep(m, module->name)};
	if (!room_make(m))
		return sw_diag_memory(diag);
	module_take(m);
	if (m->r.failed || !traffic_give(m, &out->traffic))
		return sw_diag_memory(diag);
	if (!sw_pulse_beat(m->r.pulse, "instructions", module->instructions, module->instructions))
		return sw_diag_set(diag, SW_S03, header, "stopped before all chains were found");
	return true;
}

bool sw_hlo_is_module(sw_str text)
{
	for (;;) {
		text = sw_str_trim(text);
		if (!sw_str_starts(text, "//") && !sw_str_starts(text, "#"))
			break;
		const char *end = memchr(text.at, '\n', text.length);
		size_t line = end ? (size_t)(end - text.at) : text.length;
		text.at += line;
		text.length -= line;
	}
	return text.length >= 10 && memcmp(text.at, "HloModule ", 10) == 0;
}

/* The first line that says something. */
static sw_span first_line(sw_str text)
{
	sw_str rest = sw_str_trim(text);
	size_t begin = rest.length ? (size_t)(rest.at - text.at) : 0;
	const char *end = rest.length ? memchr(rest.at, '\n', rest.length) : NULL;
	if (!rest.length)
		return (sw_span){0, text.length};
	return (sw_span){begin, end ? (size_t)(end - text.at) : begin + rest.length};
}

/* A module in which no collective is before it is cut off is none. */
static bool keep_cut(const graph_module *module, sw_hlo_import *out, sw_arena *arena, sw_diag *diag)
{
	sw_diag *cut = module->cut ? SW_NEW(arena, sw_diag, 1) : NULL;
	if (!module->cut)
		return true;
	if (!cut)
		return sw_diag_memory(diag);
	*cut = *module->cut;
	out->cut = cut;
	if (!out->collectives)
		*diag = *cut;
	return out->collectives > 0;
}

bool sw_hlo_read_module(sw_str text, const sw_pulse *pulse, sw_arena *arena, sw_hlo_import *result, sw_diag *diag)
{
	sw_hlo_import out;
	graph_module module;
	if (!sw_hlo_is_module(text)) {
		sw_diag_set(diag, SW_N06, first_line(text), "this does not begin as an HLO module does");
		sw_diag_expected(diag, "'HloModule NAME' and computations");
		sw_diag_hint(diag,
			"give the file that the compiler dumps with --xla_dump_to and "
			"--xla_dump_hlo_pass_re=spmd.*");
		return false;
	}
	sw_arena *work = sw_arena_new(), *brief = sw_arena_new();
	importing *m = work ? SW_NEW_ZERO(work, importing, 1) : NULL;
	bool right = m && brief ? hlo_module_read(text, pulse, work, &module, diag) : sw_diag_memory(diag);
	int64_t instructions = right ? module.instructions : 0;
	right = right && hlo_inline(&module, work, diag);
	if (right) {
		hlo_loops_find(&module);
		m->out = &out;
		m->r = (graph_reading){.module = &module,
			.pulse = pulse,
			.arena = arena,
			.work = work,
			.brief = brief,
			.diag = diag};
		right = import_run(m, first_line(text), diag);
	}
	right = right && keep_cut(&module, &out, arena, diag);
	if (right) {
		out.instructions = instructions;
		*result = out;
	}
	sw_arena_free(brief);
	sw_arena_free(work);
	return right;
}
