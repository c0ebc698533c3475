/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a log: pairs are found one after the other, equal ones are counted, and each different one is settled once.
 */
#include <shardwalk/log.h>

#include <stdlib.h>
#include <string.h>

#include "import/log_parts.h"

#define BEAT 4096 /* lines */

struct reading {
	sw_str text;
	const sw_log_options *options;
	sw_arena *arena;
	sw_log *log;
	int room;
	uint64_t *hash;       /* of each pair */
	const char **key;     /* the same */
	int *slot;            /* open addressing: index of a pair + 1 */
	int slots;
	int64_t values;       /* names that were kept */
	size_t counted;       /* bytes whose lines are counted ... */
	int64_t line;         /* ... and the line that byte stands on */
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
	add_key(&key, found->shape);
	sw_text_add(&key, found->cut ? "cut" : found->is_global ? "global" : "");
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

static bool take(struct reading *r, const sw_log_found *found)
{
	if (!grow(r))
		return false;
	char *key = key_of(r, found);
	if (!key)
		return sw_diag_memory(r->diag);
	uint64_t hash = hash_text(key);
	int *slot = find_slot(r, hash, key);
	if (!*slot) {
		sw_log_pair *pair = &r->log->pairs[r->log->count];
		*pair = (sw_log_pair){.line = line_at(r, found->at.begin)};
		if (!sw_log_settle(found, r->options, r->arena, pair, r->diag))
			return false;
		r->hash[r->log->count] = hash;
		r->key[r->log->count] = key;
		*slot = ++r->log->count;
	}
	sw_log_pair *pair = &r->log->pairs[*slot - 1];
	pair->count += 1 + found->repeats;
	r->log->repeats += found->repeats;
	return add_name(r, pair, found->value);
}

/* ---- the two kinds ---- */

/* What was kept of a pair that is there already is forgotten, unless its value has a new name. */
static bool take_warning(struct reading *r, const sw_log_found *found, sw_arena_mark mark)
{
	int count = r->log->count, room = r->room;
	int64_t values = r->values;
	r->log->warnings++;
	if (!take(r, found))
		return false;
	if (r->log->count == count && r->room == room && r->values == values)
		sw_arena_back(r->arena, mark);
	return true;
}

static bool read_warnings(struct reading *r)
{
	size_t at = 0;
	sw_log_found found;
	sw_arena_mark mark = sw_arena_here(r->arena);
	while (sw_log_warning(r->text, &at, pulse_of(r), r->arena, &found, r->diag)) {
		if (!take_warning(r, &found, mark))
			return false;
		mark = sw_arena_here(r->arena);
	}
	return r->diag->code == SW_OK;
}

static bool read_plain(struct reading *r)
{
	sw_log_found found;
	int64_t lines = 0;
	for (size_t begin = 0, end; begin < r->text.length; begin = end + 1, lines++) {
		const char *newline = memchr(r->text.at + begin, '\n', r->text.length - begin);
		end = newline ? (size_t)(newline - r->text.at) : r->text.length;
		if (lines % BEAT == 0 && !sw_pulse_beat(pulse_of(r), "bytes", (long long)begin, (long long)r->text.length))
			return sw_diag_set(r->diag, SW_S03, (sw_span){0, 0}, "stopped at line %lld", (long long)lines + 1);
		if (!sw_log_plain(r->text, (sw_span){begin, end}, &found))
			continue;
		r->log->plain++;
		if (!take(r, &found))
			return false;
	}
	return true;
}

bool sw_log_read(sw_str text, const sw_log_options *options, sw_arena *arena, sw_log *log, sw_diag *diag)
{
	sw_diag own = {.code = SW_OK};
	sw_log out = {0};
	struct reading r = {.text = text, .options = options, .arena = arena, .log = &out, .line = 1, .diag = &own};
	if (!read_warnings(&r) || (!out.warnings && !read_plain(&r))) {
		if (diag)
			*diag = own;
		return false;
	}
	out.lines = line_at(&r, text.length) - (!text.length || text.at[text.length - 1] == '\n');
	*log = out;
	return true;
}
