/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What DTensor and JAX say of a sharding:
 *
 *     While redistributing from A to B, 2 sequential all_gather operations will be performed. ...
 *         To optimize, flatten mesh dimensions ["dp", "tp"] so ...   (torch 2.11 and later)
 *     One of device_put args was given the sharding of A, which implies that the global size of its dimension 0 should be
 *         divisible by 8, but it is equal to 17 (full shape: (17, 4))   (jax before 0.8)
 *     Sharding A implies that array axis 0 is partitioned 8 times, but the dimension size is 17 (full shape: (17, 4), ...
 *     Sharding spec ('x',) implies that array axis 0 is partitioned 8 times, but does not evenly divide the dimension size
 *         17. Got shape: (17, 4) and sharding A
 *     ... of shape float32[17,4], ... in_specs of value P('x',), which maps array axis 0 (of size 17) to mesh axis 'x' (of
 *         size 8), but 8 does not evenly divide 17
 *
 * Letters are compared with no blanks between them.
 */
#define _GNU_SOURCE
#include "foreign/log/parts.h"

#include <string.h>

#include <shardwalk/number.h>

#define LETTERS_MOST 8192
#define LETTERS_FEW 1024 /* that most messages end in ... */
#define LETTERS_LEFT 512 /* ... with as many behind them as a reader looks ahead */
#define NAME_MOST 60     /* of what stands before a bracket */
#define WORDS_MOST 200   /* letters between what is looked for */

/* Letters that are read from left to right. */
struct scan {
	const sw_log_message *message;
	sw_str all, rest;
};

static void pass(struct scan *s, size_t length)
{
	s->rest = (sw_str){s->rest.at + length, s->rest.length - length};
}

static bool take(struct scan *s, const char *word)
{
	bool there = sw_str_starts(s->rest, word);
	if (there)
		pass(s, strlen(word));
	return there;
}

/* Gets behind a word that stands within `most` letters; *before: what is passed over. */
static bool find(struct scan *s, const char *word, size_t most, sw_str *before)
{
	size_t length = s->rest.length < most + strlen(word) ? s->rest.length : most + strlen(word);
	const char *at = memmem(s->rest.at, length, word, strlen(word));
	if (!at)
		return false;
	if (before)
		*before = (sw_str){s->rest.at, (size_t)(at - s->rest.at)};
	pass(s, (size_t)(at - s->rest.at) + strlen(word));
	return true;
}

static bool number(struct scan *s, int64_t *out)
{
	size_t length = 0;
	while (length < s->rest.length && s->rest.at[length] >= '0' && s->rest.at[length] <= '9')
		length++;
	bool ok = sw_read_int((sw_str){s->rest.at, length}, out, NULL);
	if (ok)
		pass(s, length);
	return ok;
}

/* A text in round brackets. */
static bool brackets(struct scan *s, sw_str *out)
{
	int depth = 0;
	for (size_t i = 0; i < s->rest.length; i++) {
		depth += s->rest.at[i] == '(';
		depth -= s->rest.at[i] == ')';
		if (depth == 0 && i == 0)
			return false;
		if (depth == 0) {
			*out = (sw_str){s->rest.at, i + 1};
			pass(s, i + 1);
			return true;
		}
	}
	return false;
}

/* ---- what is kept ---- */

static size_t position_of(const struct scan *s, sw_str part)
{
	return (size_t)(part.at - s->all.at);
}

static sw_span span_of(const struct scan *s, sw_str part)
{
	return sw_log_span(s->message->letters, position_of(s, part), part.length);
}

/* As it is written, with its blanks. */
static bool keep(const struct scan *s, sw_str part, sw_str *out)
{
	const sw_log_message *m = s->message;
	return sw_log_quote(m->start, position_of(s, part), part.length, m->arena, out) || sw_diag_memory(m->diag);
}

static bool keep_text(const struct scan *s, sw_str part, sw_log_text *out)
{
	out->at = span_of(s, part);
	return keep(s, part, &out->text);
}

static bool compose(const struct scan *s, sw_text *text, sw_str *out)
{
	const char *copy = text->failed ? NULL : sw_arena_copy(s->message->arena, sw_text_get(text), text->length);
	*out = (sw_str){copy, text->length};
	sw_text_free(text);
	return copy ? true : sw_diag_memory(s->message->diag);
}

/* The message ends where reading is. */
static void end_here(const struct scan *s, sw_log_found *found)
{
	sw_str last = {s->rest.at - (s->rest.at > s->all.at), 1};
	found->at.end = found->message_end = span_of(s, last).end;
}

/* ---- DTensor ---- */

/* `"dp","tp"`, or `dims0,1ofDeviceMesh((4,2),'cpu',...)`, which is the mesh of both ends. */
static bool keep_axes(const struct scan *s, sw_str axes, sw_log_found *found)
{
	const char *mesh = memmem(axes.at, axes.length, "DeviceMesh(", strlen("DeviceMesh("));
	if (!mesh)
		return !sw_str_starts(axes, "\"") || keep(s, axes, &found->axes);
	sw_str kept;
	found->own_mesh = true;
	sw_log_text *const ends[] = {&found->from, &found->to};
	if (!keep(s, (sw_str){mesh, (size_t)(axes.at + axes.length - mesh)}, &kept))
		return false;
	for (int i = 0; i < 2; i++) {
		sw_text text = {0};
		sw_text_add_str(&text, ends[i]->text);
		sw_text_add_char(&text, ' ');
		sw_text_add_str(&text, kept);
		if (!compose(s, &text, &ends[i]->text))
			return false;
	}
	return true;
}

/* After "While redistributing from". */
static bool read_sequential(struct scan *s, sw_log_found *found)
{
	sw_str from, to, op, axes;
	if (!brackets(s, &from) || !take(s, "to") || !brackets(s, &to) || !take(s, ",") ||
		!number(s, &found->sequential) || !take(s, "sequential") || !find(s, "operations", 40, &op))
		return false;
	if (!keep_text(s, from, &found->from) || !keep_text(s, to, &found->to) || !keep(s, op, &found->op))
		return false;
	find(s, "reductionorders.", 400, NULL);
	if (take(s, "Tooptimize,flattenmeshdimensions[")) {
		found->merge = SW_LOG_FLATTEN;
		if (find(s, "]soDTensor", 400, &axes) && !keep_axes(s, axes, found))
			return false;
		find(s, "instead.", 60, NULL);
	} else if (find(s, "non-ascending", WORDS_MOST, NULL)) {
		found->merge = SW_LOG_DESCENDS;
	} else if (find(s, "evenlydivisible", WORDS_MOST, NULL)) {
		found->merge = SW_LOG_UNEVEN;
	}
	return true;
}

/* ---- JAX ---- */

/* `(17,4)` becomes the shape `f32[17,4]`; `float32[17,4]` stays. */
static bool keep_shape(const struct scan *s, sw_str part, sw_log_found *found)
{
	sw_text text = {0};
	bool tuple = sw_str_starts(part, "(");
	sw_text_add(&text, tuple ? "f32[" : "");
	for (size_t i = tuple; i < part.length - tuple; i++)
		if (!tuple || part.at[i] != ',' || i + 2 < part.length)
			sw_text_add_char(&text, part.at[i]);
	sw_text_add(&text, tuple ? "]" : "");
	found->shape.at = span_of(s, part);
	return compose(s, &text, &found->shape.text);
}

/* `full shape: (17, 4)` and its like. */
static bool read_shape(struct scan *s, const char *before, sw_log_found *found)
{
	sw_str shape;
	return find(s, before, 40, NULL) && brackets(s, &shape) && keep_shape(s, shape, found);
}

/* `NamedSharding(...)` */
static bool call(struct scan *s, sw_str *out)
{
	size_t name = 0;
	sw_str inside;
	while (name < s->rest.length && name < WORDS_MOST && s->rest.at[name] != '(')
		name++;
	*out = (sw_str){s->rest.at, name};
	pass(s, name);
	if (!brackets(s, &inside))
		return false;
	out->length += inside.length;
	return true;
}

/* After "One of ... was given the sharding of". */
static bool read_given(struct scan *s, sw_log_found *found)
{
	sw_str sharding;
	return find(s, "wasgiventhesharding", WORDS_MOST, NULL) && take(s, "of") && call(s, &sharding) &&
		take(s, ",whichimpliesthattheglobalsizeofitsdimension") && number(s, &found->dim) &&
		take(s, "shouldbedivisibleby") && number(s, &found->parts) && take(s, ",butitisequalto") &&
		number(s, &found->size) && read_shape(s, "fullshape:", found) && keep_text(s, sharding, &found->to);
}

/* After "Sharding", the sharding or a part of it. */
static bool read_implies(struct scan *s, sw_log_found *found)
{
	sw_str sharding;
	if (!call(s, &sharding) || !take(s, "impliesthatarrayaxis") || !number(s, &found->dim) ||
		!take(s, "ispartitioned") || !number(s, &found->parts) || !take(s, "times,but"))
		return false;
	if (take(s, "thedimensionsizeis"))
		return number(s, &found->size) && read_shape(s, "fullshape:", found) && keep_text(s, sharding, &found->to);
	return take(s, "doesnotevenlydividethedimensionsize") && number(s, &found->size) &&
		read_shape(s, "Gotshape:", found) && take(s, "andsharding") && call(s, &sharding) &&
		keep_text(s, sharding, &found->to);
}

/* The letters and digits, brackets and commas that begin here. */
static sw_str typed_shape(const struct scan *s)
{
	const char *end = memchr(s->rest.at, ']', s->rest.length < WORDS_MOST ? s->rest.length : WORDS_MOST);
	return (sw_str){s->rest.at, end ? (size_t)(end + 1 - s->rest.at) : 0};
}

static size_t next_in(sw_str text, size_t at, const char *set)
{
	while (at < text.length && !strchr(set, text.at[at]))
		at++;
	return at;
}

/* `(8,)` and `('x',)` become `Mesh('x': 8)`. */
static bool add_mesh(sw_str sizes, sw_str names, sw_text *text)
{
	size_t size = 1, name = 0;
	int count = 0;
	sw_text_add(text, "Mesh(");
	for (; (name = next_in(names, name, "'\"")) < names.length; count++) {
		size_t close = next_in(names, name + 1, "'\""), end = next_in(sizes, size, ",)");
		if (close >= names.length || end <= size || end >= sizes.length)
			return false;
		sw_text_addf(text, "%s%.*s: %.*s", count ? ", " : "", (int)(close + 1 - name), names.at + name,
			(int)(end - size), sizes.at + size);
		name = close + 1;
		size = end + 1;
	}
	sw_text_add_char(text, ')');
	return count > 0;
}

/* After "shard_map applied to the function". */
static bool read_specs(struct scan *s, sw_log_found *found)
{
	sw_str sizes, names, spec;
	if (!find(s, "meshgivenhasshape", LETTERS_MOST, NULL) || !brackets(s, &sizes) ||
		!find(s, "correspondingaxisnames", WORDS_MOST, NULL) || !brackets(s, &names) ||
		!find(s, "ofshape", LETTERS_MOST, NULL) || !keep_shape(s, typed_shape(s), found) ||
		!find(s, "specsofvalue", LETTERS_MOST, NULL) || !call(s, &spec) ||
		!find(s, "mapsarrayaxis", WORDS_MOST, NULL) || !number(s, &found->dim) || !take(s, "(ofsize") ||
		!number(s, &found->size) || !find(s, "size", WORDS_MOST, NULL) || !number(s, &found->parts) ||
		!keep_text(s, spec, &found->to))
		return false;
	sw_text text = {0};
	sw_text_add(&text, "NamedSharding(mesh=");
	bool right = add_mesh(sizes, names, &text);
	sw_text_add(&text, ", spec=");
	sw_text_add_str(&text, found->to.text);
	sw_text_add_char(&text, ')');
	return compose(s, &text, &found->to.text) && right;
}

/* ---- a quick look, for much else begins with the same words ---- */

/* Do these letters stand within the next `most` ones? */
static bool is_near(sw_log_cursor cursor, const char *word, size_t most)
{
	for (; most > 0; most--) {
		sw_log_cursor ahead = cursor;
		if (sw_log_letters_at(&ahead, word))
			return true;
		if (sw_log_next(&cursor) < 0)
			return false;
	}
	return false;
}

/* Does `NAME(...)` stand here, with these letters behind it? */
static bool is_call_before(sw_log_cursor cursor, const char *word)
{
	int depth = 0, c;
	for (size_t i = 0; i < LETTERS_MOST && (c = sw_log_next(&cursor)) >= 0; i++) {
		depth += c == '(';
		depth -= c == ')';
		if (depth <= 0 && (c == ')' || i > NAME_MOST || (i && cursor.blank)))
			return depth == 0 && c == ')' && sw_log_letters_at(&cursor, word);
	}
	return false;
}

static bool is_given(sw_log_cursor cursor)
{
	return is_near(cursor, "wasgiventhesharding", WORDS_MOST);
}

static bool is_implied(sw_log_cursor cursor)
{
	return is_call_before(cursor, "impliesthat");
}

static bool is_between(sw_log_cursor cursor)
{
	return sw_log_next(&cursor) == '(';
}

/* ---- one message ---- */

static bool gather(const sw_log_message *m, bool paragraphs, size_t most)
{
	sw_log_cursor cursor = m->start;
	m->letters->count = 0;
	cursor.gap = false;
	bool kept = true;
	while (kept && m->letters->count < most && sw_log_next(&cursor) >= 0 && (paragraphs || !cursor.gap))
		kept = sw_log_keep(&cursor, m->letters);
	return kept || sw_diag_memory(m->diag);
}

struct wording {
	sw_log_kind kind;
	bool paragraphs;                      /* with empty lines between them */
	bool (*may_be)(sw_log_cursor cursor); /* NULL: nothing else begins so */
	bool (*read)(struct scan *s, sw_log_found *found);
};

/* Reads it from at most so many letters; false also where more of them might change what was read. */
static bool read_letters(const sw_log_message *m, const struct wording *wording, size_t most, sw_log_found *found)
{
	static const char whole[] = "{replicated}";
	if (!gather(m, wording->paragraphs, most))
		return false;
	sw_str all = {m->letters->byte, m->letters->count};
	struct scan s = {.message = m, .all = all, .rest = all};
	*found = (sw_log_found){.at = found->at, .kind = wording->kind, .is_global = true};
	if (!all.length || !wording->read(&s, found))
		return false;
	if (most < LETTERS_MOST && all.length == most && s.rest.length < LETTERS_LEFT)
		return false;
	if (wording->kind == SW_LOG_INDIVISIBLE)
		found->from = (sw_log_text){.text = {whole, sizeof(whole) - 1}, .at = found->to.at};
	end_here(&s, found);
	return true;
}

static bool read_message(const sw_log_message *m, const struct wording *wording, sw_log_found *found)
{
	return (!wording->may_be || wording->may_be(m->start)) &&
		(read_letters(m, wording, LETTERS_FEW, found) || read_letters(m, wording, LETTERS_MOST, found));
}

bool sw_log_redistributing(const sw_log_message *message, sw_log_found *found)
{
	static const struct wording wording = {SW_LOG_SEQUENTIAL, false, is_between, read_sequential};
	return read_message(message, &wording, found);
}

bool sw_log_given(const sw_log_message *message, sw_log_found *found)
{
	static const struct wording wording = {SW_LOG_INDIVISIBLE, false, is_given, read_given};
	return read_message(message, &wording, found);
}

bool sw_log_implied(const sw_log_message *message, sw_log_found *found)
{
	static const struct wording wording = {SW_LOG_INDIVISIBLE, false, is_implied, read_implies};
	return read_message(message, &wording, found);
}

bool sw_log_specs(const sw_log_message *message, sw_log_found *found)
{
	static const struct wording wording = {SW_LOG_INDIVISIBLE, true, NULL, read_specs};
	return read_message(message, &wording, found);
}
