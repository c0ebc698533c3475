/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a log: pairs are found one after the other, equal ones are counted, and each different one is resolved once.
 */
#include <shardwalk/log.h>

#include <stdlib.h>
#include <string.h>

#include "foreign/log/parts.h"

#define BEAT 256 /* moves of a program */

struct reading {
	sw_str text;
	const sw_log_options *options;
	sw_arena *arena;
	sw_log *log;
	int room;
	uint64_t *hash;   /* of each pair */
	const char **key; /* the same */
	int *slot;        /* open addressing: index of a pair + 1 */
	int slots;
	sw_sharding end[2]; /* of the pair that is being read */
	int64_t values;     /* names that were kept */
	size_t counted;     /* bytes whose lines are counted ... */
	int64_t line;       /* ... and the line that byte stands on */
	sw_diag *diag;
};

static const sw_pulse *pulse_of(const struct reading *r)
{
	return r->options ? r->options->pulse : NULL;
}

static int64_t line_at(struct reading *r, size_t at)
{
	while (r->counted < at) {
		const char *end = memchr(r->text.at + r->counted, '\n', at - r->counted);
		r->line += end != NULL;
		r->counted = end ? (size_t)(end - r->text.at) + 1 : at;
	}
	return r->line;
}

/* ---- equal pairs ---- */

static uint64_t hash_text(const char *text)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return hash;
}

static void add_key(sw_text *key, sw_str part)
{
	sw_text_add_str(key, part);
	sw_text_add_char(key, '\n');
}

static char *key_of(struct reading *r, const sw_log_found *found)
{
	sw_text key = {0};
	add_key(&key, found->from.text);
	add_key(&key, found->to.text);
	add_key(&key, found->shape.text);
	sw_text_add(&key, found->cut ? "cut" : found->is_global ? "global" : "");
	if (found->kind)
		sw_text_addf(&key, "%d %d", (int)found->kind, (int)found->merge);
	char *copy = key.failed ? NULL : sw_arena_copy(r->arena, sw_text_get(&key), key.length);
	sw_text_free(&key);
	return copy;
}

static int *find_slot(const struct reading *r, uint64_t hash, const char *key)
{
	size_t at = hash & (size_t)(r->slots - 1);
	while (r->slot[at]) {
		int i = r->slot[at] - 1;
		if (r->hash[i] == hash && strcmp(r->key[i], key) == 0)
			break;
		at = (at + 1) & (size_t)(r->slots - 1);
	}
	return &r->slot[at];
}

static void *grown(struct reading *r, const void *old, size_t size)
{
	char *more = sw_arena_alloc(r->arena, (size_t)r->room, size);
	if (more && r->log->count)
		memcpy(more, old, (size_t)r->log->count * size);
	return more;
}

/* Room for one more pair, and twice as many slots as there is room. */
static bool grow(struct reading *r)
{
	if (r->log->count < r->room)
		return true;
	r->room = r->room ? 2 * r->room : 64;
	sw_log_pair *pairs = grown(r, r->log->pairs, sizeof(*pairs));
	uint64_t *hash = grown(r, r->hash, sizeof(*hash));
	const char **key = grown(r, r->key, sizeof(*key));
	int *slot = SW_NEW_ZERO(r->arena, int, 2 * r->room);
	if (!pairs || !hash || !key || !slot)
		return sw_diag_memory(r->diag);
	r->log->pairs = pairs;
	r->hash = hash;
	r->key = key;
	r->slot = slot;
	r->slots = 2 * r->room;
	for (int i = 0; i < r->log->count; i++)
		*find_slot(r, hash[i], key[i]) = i + 1;
	return true;
}

static bool has_name(const sw_log_pair *pair, sw_str name)
{
	for (int i = 0; i < pair->names; i++)
		if (sw_str_is(name, pair->name[i]))
			return true;
	return false;
}

static bool add_name(struct reading *r, sw_log_pair *pair, sw_str name)
{
	if (!name.length || has_name(pair, name))
		return true;
	pair->more_names = pair->names == SW_LOG_NAMES;
	if (pair->more_names)
		return true;
	r->values++;
	pair->name[pair->names] = sw_arena_copy(r->arena, name.at, name.length);
	return pair->name[pair->names++] ? true : sw_diag_memory(r->diag);
}

/* It had an arrow and nothing else to be read. */
static void leave_out(struct reading *r, const sw_log_pair *pair)
{
	if (!r->log->left_out++) {
		r->log->left_line = pair->line;
		r->log->left_why = pair->why;
	}
}

/* The pair's shardings get a place of their own, now that it stays. */
static bool keep_ends(struct reading *r, sw_log_pair *pair)
{
	for (int k = 0; k < 2 && pair->ends[k]; k++) {
		sw_sharding *own = SW_NEW(r->arena, sw_sharding, 1);
		if (!own)
			return sw_diag_memory(r->diag);
		*own = *pair->ends[k];
		pair->ends[k] = own;
	}
	return true;
}

/* A pair that is not there yet; *read: something of it could be read. */
static bool add(struct reading *r, const sw_log_found *found, const char *key, uint64_t hash, int *slot, bool *read)
{
	sw_log_pair pair = {.line = line_at(r, found->at.begin)};
	if (!sw_log_resolve(found, r->options, r->arena, r->end, &pair, read, r->diag))
		return false;
	if ((!*read && found->kind == SW_LOG_PAIR) || found->half) {
		leave_out(r, &pair);
		return true;
	}
	if (!keep_ends(r, &pair))
		return false;
	r->log->pairs[r->log->count] = pair;
	r->hash[r->log->count] = hash;
	r->key[r->log->count] = key;
	*slot = ++r->log->count;
	return true;
}

static bool take(struct reading *r, const sw_log_found *found)
{
	bool read = true;
	if (!grow(r))
		return false;
	char *key = key_of(r, found);
	if (!key)
		return sw_diag_memory(r->diag);
	uint64_t hash = hash_text(key);
	int *slot = find_slot(r, hash, key);
	if (!*slot && !add(r, found, key, hash, slot, &read))
		return false;
	if (!*slot)
		return true;
	sw_log_pair *pair = &r->log->pairs[*slot - 1];
	pair->count += 1 + found->repeats;
	pair->runs += found->kind == SW_LOG_ASKED ? found->runs : 1 + found->repeats;
	pair->runs = pair->runs < SW_RUNS_MOST ? pair->runs : SW_RUNS_MOST;
	pair->open |= found->open;
	pair->warned |= found->warned;
	if (pair->warned && pair->devices > r->log->devices)
		r->log->devices = pair->devices;
	r->log->repeats += found->repeats;
	return add_name(r, pair, found->value);
}

/* What the log keeps, in numbers. */
struct kept {
	int count, room;
	int64_t values;
};

static struct kept kept_by(const struct reading *r)
{
	return (struct kept){r->log->count, r->room, r->values};
}

/* What was kept of a pair that is there already is forgotten, unless its value has a new name. */
static void forget(struct reading *r, struct kept before, sw_arena_mark mark)
{
	struct kept now = kept_by(r);
	if (now.count == before.count && now.room == before.room && now.values == before.values)
		sw_arena_back(r->arena, mark);
}

/* ---- logs ---- */

/* Where its kind is counted; NULL: it was left out. */
static int64_t *count_of(sw_log *log, const sw_log_found *found, int64_t left_out)
{
	if (found->kind == SW_LOG_SEQUENTIAL)
		return &log->sequential;
	if (found->kind == SW_LOG_INDIVISIBLE)
		return &log->indivisible;
	return found->warned ? &log->warnings : log->left_out == left_out ? &log->plain : NULL;
}

static bool take_counted(void *context, const sw_log_found *found, sw_arena_mark mark)
{
	struct reading *r = context;
	struct kept before = kept_by(r);
	int64_t left_out = r->log->left_out;
	if (!take(r, found))
		return false;
	int64_t *count = count_of(r->log, found, left_out);
	if (count)
		++*count;
	forget(r, before, mark);
	return true;
}

/* ---- programs ---- */

/* Its pairs, in the order of the text. */
static bool take_moves(struct reading *r, mlir_module *module, const mlir_moves *moves)
{
	bool ok = true;
	for (int k = 0; k < moves->count && ok; k++) {
		sw_arena_mark mark = sw_arena_here(r->arena);
		struct kept before = kept_by(r);
		sw_log_found found;
		ok = sw_log_asked(module, r->text, &moves->move[k], r->arena, &found, r->diag) && take(r, &found);
		forget(r, before, mark);
		if (ok && k % BEAT == BEAT - 1 && !sw_pulse_beat(pulse_of(r), "moves", k, moves->count))
			ok = sw_diag_set(r->diag, SW_S03, found.at, "stopped after %d of %d moves", k, moves->count);
	}
	r->log->asked += moves->asked;
	r->log->unsaid_line = r->log->unsaid ? r->log->unsaid_line : moves->unsaid_line;
	r->log->unsaid += moves->unsaid;
	return ok;
}

static bool read_program(struct reading *r, sw_span span, size_t around, sw_arena *work)
{
	mlir_module module;
	mlir_moves moves;
	mlir_flow *flow = SW_NEW_ZERO(work, mlir_flow, 1);
	if (!flow)
		return sw_diag_memory(r->diag);
	if (!mlir_read(r->text, span, line_at(r, span.begin), pulse_of(r), work, &module, r->diag))
		return false;
	module.around = (sw_str){r->text.at + around, r->text.length - around};
	flow->module = &module;
	flow->arena = work;
	if (!mlir_walk(flow, pulse_of(r), &moves, r->diag))
		return false;
	if (!r->log->module) {
		r->log->module = sw_arena_copy(r->arena, module.name.at, module.name.length);
		r->log->partitions = module.partitions;
	}
	return r->log->module ? take_moves(r, &module, &moves) : sw_diag_memory(r->diag);
}

/* Every StableHLO module of the text; *any: there is one. */
static bool read_programs(struct reading *r, bool *any)
{
	sw_span span;
	bool ok = true;
	size_t begin = 0;
	for (*any = false; ok && mlir_find(r->text, begin, &span); begin = span.end) {
		sw_arena *work = sw_arena_new();
		ok = work ? read_program(r, span, begin, work) : sw_diag_memory(r->diag);
		sw_arena_free(work);
		*any = true;
	}
	return ok;
}

bool sw_log_read(sw_str text, const sw_log_options *options, sw_arena *arena, sw_log *log, sw_diag *diag)
{
	sw_diag own = {.code = SW_OK};
	sw_log out = {0};
	struct reading r = {.text = text, .options = options, .arena = arena, .log = &out, .line = 1, .diag = &own};
	bool program,
		ok = read_programs(&r, &program) &&
		(program || sw_log_scan(text, pulse_of(&r), arena, take_counted, &r, &own));
	if (!ok) {
		if (diag)
			*diag = own;
		return false;
	}
	out.lines = line_at(&r, text.length) - (!text.length || text.at[text.length - 1] == '\n');
	*log = out;
	return true;
}
