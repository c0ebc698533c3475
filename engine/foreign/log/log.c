/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a log: pairs are found one after the other, equal ones are counted, and each different one is settled once.
 */
#include <shardwalk/log.h>

#include <stdlib.h>
#include <string.h>

#include "foreign/log/parts.h"

#define BEAT ((size_t)1 << 18)      /* bytes */
#define LINE_MOST ((size_t)1 << 16) /* bytes of a line, or of several that are one */
#define JOINED 64                   /* lines of them */
#define VAIN 200                    /* times that lines were joined and held no pair; there is no more of it then */

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
	int64_t values;   /* names that were kept */
	size_t counted;   /* bytes whose lines are counted ... */
	int64_t line;     /* ... and the line that byte stands on */
	sw_log_line seen; /* the line that is looked at */
	int vain;         /* times that lines were joined and held no pair */
	size_t beat;      /* where it was asked whether to go on */
	sw_diag *diag;
};

static const sw_pulse *pulse_of(const struct reading *r)
{
	return r->options ? r->options->pulse : NULL;
}

static int64_t line_at(struct reading *r, size_t at)
{
	for (; r->counted < at; r->counted++)
		r->line += r->text.at[r->counted] == '\n';
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

/* A pair that is not there yet; *read: something of it could be read. */
static bool add(struct reading *r, const sw_log_found *found, const char *key, uint64_t hash, int *slot, bool *read)
{
	sw_log_pair pair = {.line = line_at(r, found->at.begin)};
	if (!sw_log_settle(found, r->options, r->arena, &pair, read, r->diag))
		return false;
	if ((!*read && found->kind == SW_LOG_PAIR) || found->half) {
		leave_out(r, &pair);
		return true;
	}
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

/* ---- plain lines ---- */

static sw_str slice(const struct reading *r, sw_span span)
{
	return (sw_str){r->text.at + span.begin, span.end - span.begin};
}

/* The line that begins here, without its end. */
static sw_span line_from(const struct reading *r, size_t begin)
{
	const char *end = begin < r->text.length ? memchr(r->text.at + begin, '\n', r->text.length - begin) : NULL;
	return (sw_span){begin, end ? (size_t)(end - r->text.at) : r->text.length};
}

static bool read_seen(struct reading *r, bool *any, sw_log_found *half)
{
	sw_log_plain plain = {.line = &r->seen};
	sw_log_found found;
	while (sw_log_plain_next(&plain, &found)) {
		sw_arena_mark mark = sw_arena_here(r->arena);
		struct kept before = kept_by(r);
		int64_t left = r->log->left_out;
		*any = true;
		if (!take(r, &found))
			return false;
		r->log->plain += r->log->left_out == left;
		forget(r, before, mark);
	}
	*half = found;
	return true;
}

static bool see(struct reading *r, sw_span span, bool more)
{
	if (!more)
		sw_text_clear(&r->seen.text);
	while (span.begin < span.end && strchr(" \t\r", r->text.at[span.begin]))
		span.begin++;
	while (span.begin < span.end && strchr(" \t\r", r->text.at[span.end - 1]))
		span.end--;
	return sw_log_line_add(&r->seen, r->text, span) ? true : sw_diag_memory(r->diag);
}

/* Lines that belong together as brackets and arrows say, up to `limit`. */
static bool see_on(struct reading *r, sw_span *span, size_t limit)
{
	for (int more = 0; more < JOINED && span->end + 1 < limit; more++) {
		sw_span next = line_from(r, span->end + 1);
		sw_str seen = {sw_text_get(&r->seen.text), r->seen.text.length};
		if (next.end > limit || next.end - span->begin > LINE_MOST || !sw_log_goes_on(seen, slice(r, next)))
			return true;
		if (!see(r, next, true))
			return false;
		span->end = next.end;
	}
	return true;
}

/* One line, or those that it goes on in where it alone has no pair; *end: where they end. */
static bool read_line(struct reading *r, sw_span line, size_t limit, size_t *end)
{
	bool any = false;
	sw_log_found half = {0};
	sw_span joined = line;
	*end = line.end;
	if (line.end - line.begin > LINE_MOST || !see(r, line, false) || !read_seen(r, &any, &half))
		return r->diag->code == SW_OK;
	if (!any && r->vain < VAIN && !see_on(r, &joined, limit))
		return false;
	if (joined.end > line.end && !read_seen(r, &any, &half))
		return false;
	r->vain += joined.end > line.end && !any;
	if (any)
		*end = joined.end;
	return !half.half || take(r, &half);
}

/* A line that has an arrow, or may go on in one that has. */
static bool is_worth(const struct reading *r, sw_span line, size_t limit)
{
	sw_str text = slice(r, line);
	return sw_log_may_pair(text) ||
		(line.end + 1 < limit && sw_log_goes_on(text, slice(r, line_from(r, line.end + 1))));
}

static bool go_on(struct reading *r, size_t at)
{
	if (at - r->beat < BEAT)
		return true;
	r->beat = at;
	return sw_pulse_beat(pulse_of(r), "bytes", (long long)at, (long long)r->text.length) ?
		true :
		sw_diag_set(r->diag, SW_S03, (sw_span){0, 0}, "stopped after %zu of %zu bytes", at, r->text.length);
}

/* The lines in [begin, limit). */
static bool read_plain(struct reading *r, size_t begin, size_t limit)
{
	while (begin < limit) {
		sw_span line = line_from(r, begin);
		size_t end = line.end;
		if (!go_on(r, begin) || (is_worth(r, line, limit) && !read_line(r, line, limit, &end)))
			return false;
		begin = end + 1;
	}
	return true;
}

/* ---- warnings ---- */

static size_t line_begin(sw_str text, size_t at)
{
	while (at > 0 && text.at[at - 1] != '\n')
		at--;
	return at;
}

/* Warnings, and the lines between them. */
static bool read_all(struct reading *r)
{
	size_t at = 0, plain = 0;
	sw_log_found found;
	sw_arena_mark mark = sw_arena_here(r->arena);
	while (sw_log_warning(r->text, &at, pulse_of(r), r->arena, &found, r->diag)) {
		struct kept before = kept_by(r);
		size_t end = line_from(r, at).end + 1;
		*(found.kind == SW_LOG_SEQUENTIAL        ? &r->log->sequential :
				found.kind == SW_LOG_INDIVISIBLE ? &r->log->indivisible :
												   &r->log->warnings) += 1;
		if (!read_plain(r, plain, line_begin(r->text, found.at.begin)) || !take(r, &found))
			return false;
		forget(r, before, mark);
		plain = end > plain ? end : plain;
		mark = sw_arena_here(r->arena);
	}
	return r->diag->code == SW_OK && read_plain(r, plain, r->text.length);
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
	if (!mlir_walk(flow, &moves))
		return sw_diag_memory(r->diag);
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
	bool program, ok = read_programs(&r, &program) && (program || read_all(&r));
	sw_log_line_free(&r.seen);
	if (!ok) {
		if (diag)
			*diag = own;
		return false;
	}
	out.lines = line_at(&r, text.length) - (!text.length || text.at[text.length - 1] == '\n');
	*log = out;
	return true;
}
