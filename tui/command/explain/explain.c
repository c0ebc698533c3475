/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `explain TEXT`: what a sharding means, in words, as a picture, as a table, and in every other notation; and of two,
 * whether they are the same.
 */
#include <string.h>

#include <shardwalk/number.h>

#include "command/ends.h"
#include "command/foreign.h"
#include "command/explain/uneven.h"
#include "language/line.h"
#include "views/draw.h"
#include "views/sets.h"

#define TEXT_MOST 400 /* bytes of a text that is printed */
#define ITEMS_MOST 64 /* groups, pairs or shardings that are printed */

static const char *const kinds[] = {
	[SW_SHARDING_TILED] = "tiled",
	[SW_SHARDING_MAXIMAL] = "maximal",
	[SW_SHARDING_MANUAL] = "manual",
	[SW_SHARDING_UNKNOWN] = "unknown",
	[SW_SHARDING_UNREDUCED] = "unreduced",
	[SW_SHARDING_TUPLE] = "tuple",
	[SW_SHARDING_MESH] = "mesh",
	[SW_SHARDING_GROUPS] = "groups",
	[SW_SHARDING_PAIRS] = "pairs",
	[SW_SHARDING_WORDS] = "words",
};

static bool is_plain(const sw_sharding *s)
{
	return s->kind != SW_SHARDING_GROUPS && s->kind != SW_SHARDING_PAIRS && s->kind != SW_SHARDING_TUPLE &&
		s->kind != SW_SHARDING_WORDS;
}

/* ---- other notations ---- */

/* One row: what it is called there, or why that cannot be said there. */
struct spelling {
	bool can;
	sw_text text, mesh;
	sw_diag why;
};

static void spell(const sw_sharding *sharding, sw_notation notation, sw_arena *arena, struct spelling *out)
{
	*out = (struct spelling){0};
	out->can = sw_sharding_print(sharding, notation, arena, &out->text, &out->why);
	if (out->can && (sharding->kind == SW_SHARDING_TILED || sharding->kind == SW_SHARDING_WORDS))
		sw_sharding_print_mesh(sharding, notation, arena, &out->mesh, NULL);
}

static void spelling_free(struct spelling *spelling)
{
	sw_text_free(&spelling->text);
	sw_text_free(&spelling->mesh);
}

/* The reason without "a JAX PartitionSpec cannot express this: ". */
static const char *spelling_why(const struct spelling *spelling)
{
	const char *why = strstr(spelling->why.message, "cannot express this: ");
	return why ? why + strlen("cannot express this: ") : spelling->why.message;
}

/* Groups and pairs say who talks to whom, all others where tiles are. */
static bool is_other_kind(const sw_sharding *sharding, sw_notation notation)
{
	bool talks = notation == SW_NOTATION_GROUPS || notation == SW_NOTATION_PAIRS;
	if (sharding->kind == SW_SHARDING_WORDS)
		return notation != SW_NOTATION_PAPER && notation != SW_NOTATION_SCALAPACK && notation != SW_NOTATION_DISTAL;
	if (notation == SW_NOTATION_DISTAL)
		return !sharding->has_shape || sharding->kind != SW_SHARDING_TILED;
	if (sw_notation_has_words(notation))
		return true;
	return sharding->kind == SW_SHARDING_GROUPS || sharding->kind == SW_SHARDING_PAIRS ?
		notation != sharding->notation :
		talks;
}

/* How many bytes of the text stand on a line with room for so many: up to a comma with a blank, a blank, or a comma. */
static size_t line_length(sw_str text, size_t room)
{
	size_t item = 0, blank = 0, comma = 0;
	if (text.length <= room)
		return text.length;
	for (size_t i = 1; i <= room; i++) {
		bool after = text.at[i - 1] == ',';
		if (text.at[i] == ' ')
			blank = i;
		if (after)
			comma = i;
		if (after && text.at[i] == ' ')
			item = i;
	}
	return item > room / 2 ? item : blank ? blank : comma ? comma : text.length;
}

/* Adds a text that starts at column `at`; its further lines start at `indent`. */
static void add_wrapped(const struct invocation *run, sw_str text, size_t at, size_t indent, sw_text *out)
{
	size_t width = run->answer->width > 60 ? (size_t)run->answer->width : 60;
	for (;;) {
		size_t length = line_length(text, width - at);
		sw_text_add_str(out, (sw_str){text.at, length});
		sw_text_add_char(out, '\n');
		text = sw_str_trim((sw_str){text.at + length, text.length - length});
		if (!text.length)
			return;
		at = indent;
		sw_text_addf(out, "%*s", (int)indent, "");
	}
}

/* Sentences, one a line. */
static void add_lines(const struct invocation *run, sw_text *lines, sw_text *out)
{
	for (const char *at = sw_text_get(lines); *at;) {
		size_t length = strcspn(at, "\n");
		add_wrapped(run, (sw_str){at, length}, 0, 2, out);
		at += length + (at[length] == '\n');
	}
	sw_text_free(lines);
}

#define SPELLED 13 /* the column where texts start */

static void add_spelling(const struct invocation *run, sw_notation notation, const struct spelling *spelling,
	sw_text *out)
{
	static const char over[] = "  over ";
	sw_text text = {0};
	if (!spelling->can)
		sw_text_addf(&text, "(not there: %s)", spelling_why(spelling));
	else if (spelling->text.length < TEXT_MOST)
		sw_text_add(&text, sw_text_get(&spelling->text));
	else
		sw_text_addf(&text, "(%zu bytes; --json has them)", spelling->text.length);
	sw_text_addf(out, "  %-10s ", sw_notation_name(notation));
	add_wrapped(run, (sw_str){sw_text_get(&text), text.length}, SPELLED, SPELLED + 4, out);
	sw_text_free(&text);
	if (!spelling->can || !spelling->mesh.length || spelling->mesh.length >= TEXT_MOST)
		return;
	sw_text_addf(out, "%*s%s", SPELLED, "", over);
	add_wrapped(run, (sw_str){sw_text_get(&spelling->mesh), spelling->mesh.length}, SPELLED + strlen(over),
		SPELLED + 4, out);
}

static void add_notations(const struct invocation *run, const sw_sharding *sharding, sw_text *out)
{
	sw_text_add(out, "in all notations\n");
	for (int n = 0; n < SW_NOTATION_COUNT; n++) {
		struct spelling spelling;
		if (is_other_kind(sharding, (sw_notation)n))
			continue;
		spell(sharding, (sw_notation)n, run->arena, &spelling);
		add_spelling(run, (sw_notation)n, &spelling, out);
		spelling_free(&spelling);
	}
}

/* ---- lists ---- */

static void add_groups(const sw_sharding *s, sw_text *out)
{
	for (int g = 0; g < s->count && g < ITEMS_MOST; g++) {
		sw_text_addf(out, "  group %d:", g);
		for (int64_t i = s->starts[g]; i < s->starts[g + 1]; i++)
			sw_text_addf(out, " %lld", (long long)s->members[i]);
		sw_text_add_char(out, '\n');
	}
}

static void add_pairs(const sw_sharding *s, sw_text *out)
{
	for (int i = 0; i < s->count && i < ITEMS_MOST; i++)
		sw_text_addf(out, "  device %lld to device %lld\n", (long long)s->members[2 * i],
			(long long)s->members[2 * i + 1]);
}

static void add_values(const sw_sharding *s, sw_text *out)
{
	for (int i = 0; i < s->count && i < ITEMS_MOST; i++) {
		sw_text_addf(out, "value %d: ", i);
		sw_sharding_explain(&s->items[i], out);
	}
}

static void add_items(const sw_sharding *s, sw_text *out)
{
	if (s->kind == SW_SHARDING_GROUPS)
		add_groups(s, out);
	else if (s->kind == SW_SHARDING_PAIRS)
		add_pairs(s, out);
	else if (s->kind == SW_SHARDING_TUPLE)
		add_values(s, out);
	if (s->count > ITEMS_MOST)
		sw_text_addf(out, "  and %d more\n", s->count - ITEMS_MOST);
}

/* ---- bytes ---- */

/* Of a tile, padding with it, and of the tiles on all devices; false: no shape says it, or 64 bits do not. */
static bool tile_bytes(const sw_sharding *s, int64_t *tile, int64_t *all)
{
	*tile = sw_dtype_bytes(s->shape.dtype);
	if (s->kind != SW_SHARDING_TILED || !s->has_shape || s->mesh.devices == 0)
		return false;
	for (int d = 0; d < s->rank; d++) {
		int64_t cuts = sw_sharding_cuts(s, d), size = s->shape.global[d];
		if (!sw_mul(*tile, size / cuts + (size % cuts != 0), tile))
			return false;
	}
	return sw_mul(*tile, s->mesh.devices, all);
}

static void add_bytes(const sw_sharding *s, sw_text *words)
{
	int64_t tile, all;
	if (!tile_bytes(s, &tile, &all))
		return;
	sw_text_addf(words, "%s a device, %s%s\n", words_bytes(tile, SW_I8).text,
		words_on_all(tile, SW_I8, SW_UNIT_ELEMENTS, s->mesh.devices).text, s->shape.dtype_given ? "" : ", of f32");
}

static void add_bytes_fields(struct fields *in, const sw_sharding *s)
{
	int64_t tile, all;
	if (!tile_bytes(s, &tile, &all))
		return;
	field_int(in, "tile_bytes", tile);
	field_int(in, "bytes_on_all_devices", all);
}

/* ---- fields ---- */

static void add_tiles(const struct invocation *run, struct fields *in, const sw_sharding *s)
{
	int64_t cuts[SW_MAX_DIMS], copies = s->mesh.devices ? s->mesh.devices : 1;
	const int64_t *table = sw_sharding_table(s, run->arena, NULL), *list = sw_sharding_devices(s, run->arena, NULL);
	for (int d = 0; d < s->rank; d++) {
		cuts[d] = sw_sharding_cuts(s, d);
		copies /= cuts[d];
	}
	field_ints(in, "cuts", cuts, s->rank);
	field_int(in, "copies", copies / sw_sharding_summands(s));
	if (sw_sharding_summands(s) > 1)
		field_int(in, "summands", sw_sharding_summands(s));
	add_bytes_fields(in, s);
	if (!table || !list)
		return;
	field_ints(in, "device_list", list, s->mesh.devices ? s->mesh.devices : 1);
	struct fields *tiles = field_list(in, "tile_of_device");
	for (int64_t device = 0; device < s->mesh.devices; device++)
		field_ints(tiles, NULL, table + device * s->rank, s->rank);
}

static void add_spellings(const struct invocation *run, struct fields *in, const sw_sharding *s)
{
	struct fields *all = field_object(in, "notations");
	for (int n = 0; n < SW_NOTATION_COUNT; n++) {
		struct spelling spelling;
		if (is_other_kind(s, (sw_notation)n))
			continue;
		spell(s, (sw_notation)n, run->arena, &spelling);
		struct fields *one = field_object(all, sw_notation_name((sw_notation)n));
		field_text(one, spelling.can ? "text" : "why_not",
			spelling.can ? sw_text_get(&spelling.text) : spelling_why(&spelling));
		if (spelling.mesh.length)
			field_text(one, "mesh", sw_text_get(&spelling.mesh));
		spelling_free(&spelling);
	}
}

static void add_lists(struct fields *in, const sw_sharding *s)
{
	struct fields *lists = field_list(in, s->kind == SW_SHARDING_GROUPS ? "groups" : "pairs");
	for (int i = 0; i < s->count; i++)
		field_ints(lists, NULL, s->members + s->starts[i], s->starts[i + 1] - s->starts[i]);
}

static void add_words(struct fields *in, const sw_sharding *s)
{
	sw_text words = {0};
	struct fields *lines = field_list(in, "words");
	sw_sharding_explain(s, &words);
	for (const char *at = sw_text_get(&words); *at;) {
		size_t length = strcspn(at, "\n");
		field_str(lines, NULL, (sw_str){at, length});
		at += length + (at[length] == '\n');
	}
	sw_text_free(&words);
}

static void add_words_fields(const struct invocation *run, struct fields *in, const sw_sharding *s);

static void add_sharding(const struct invocation *run, struct fields *in, const sw_sharding *s)
{
	field_text(in, "notation", sw_notation_name(s->notation));
	field_text(in, "kind", kinds[s->kind]);
	add_words(in, s);
	if (s->kind == SW_SHARDING_TUPLE) {
		struct fields *values = field_list(in, "values");
		for (int i = 0; i < s->count; i++)
			add_sharding(run, field_object(values, NULL), &s->items[i]);
		return;
	}
	if (s->kind == SW_SHARDING_GROUPS || s->kind == SW_SHARDING_PAIRS)
		add_lists(in, s);
	if (s->kind == SW_SHARDING_MAXIMAL)
		field_int(in, "device", s->device);
	field_int(in, "devices", s->mesh.devices);
	field_axes(in, "mesh", &s->mesh);
	if (s->mesh.order)
		field_ints(in, "device_ids", s->mesh.order, s->mesh.devices);
	if (s->kind == SW_SHARDING_TILED)
		add_tiles(run, in, s);
	if (s->kind == SW_SHARDING_WORDS)
		add_words_fields(run, in, s);
	add_spellings(run, in, s);
}

/* ---- pictures ---- */

static bool draw(const struct invocation *run, const sw_sharding *one, const sw_sharding *two, sw_diag *diag)
{
	struct view_options options = view_options_default(run->answer->width);
	struct view_input in = {.sharding = one, .other = two};
	struct canvas *canvas = document_canvas(run->answer);
	bool ok = view_sharding(&in, &options, canvas, diag);
	if (ok || diag->code != SW_S08)
		return ok;
	canvas_reset(canvas, options.width); /* words are enough */
	canvas_put_wrapped(canvas, 0, 0, options.width, 0, ROLE_DIM, diag->message);
	return true;
}

/* ---- reading ---- */

/* A type that the session knows: by a name, or one that is no tile type. */
static bool read_here(const struct invocation *run, sw_str text, struct any_type *type)
{
	sw_diag ignored;
	enum written written = written_as(run->session, text);
	return run->session->state.has[DEFINED_MESH] && (written == WRITTEN_AS_NAME || written == WRITTEN_AS_TYPE) &&
		read_any_type(run, text, run->arena, type, &ignored) && (type->words || written == WRITTEN_AS_NAME);
}

bool explain_is_type(const struct invocation *run, sw_str text)
{
	struct any_type type;
	return read_here(run, sw_str_trim(text), &type);
}

/* A tile type by its name is explained as what it is written as. */
static bool read_explained(const struct invocation *run, sw_str text, sw_sharding *sharding, sw_diag *diag)
{
	const sw_mesh *mesh = &run->session->state.mesh;
	struct any_type type;
	sw_text printed = {0};
	if (!read_here(run, sw_str_trim(text), &type))
		return read_sharding(run, text, sharding, diag);
	sw_type_print_any(mesh, &type.type, type.words, type.type.dtype_given, &printed);
	size_t length = printed.length;
	const char *words = sw_text_keep(&printed, run->arena);
	if (!words)
		return sw_diag_memory(diag);
	if (!type.words)
		return read_sharding(run, (sw_str){words, length}, sharding, diag);
	*sharding = (sw_sharding){.kind = SW_SHARDING_WORDS,
		.notation = SW_NOTATION_PAPER,
		.named = true,
		.mesh = *mesh,
		.rank = type.type.rank,
		.has_shape = true,
		.shape = type.type,
		.words = {words, length}};
	return true;
}

/* ---- one ---- */

/* Adds a sentence to what is said of a sharding. */
static void add_note(const struct invocation *run, sw_sharding *sharding, sw_text *sentence)
{
	sw_text all = {0};
	sw_text_addf(&all, "%s%s\n", sharding->note ? sharding->note : "", sw_text_get(sentence));
	const char *note = sw_text_keep(&all, run->arena);
	sharding->note = note ? note : sharding->note;
	sw_text_free(sentence);
}

/* The sizes that the session knows; where they are of an array of other dimensions it is said that they are left out. */
static void take_shape(const struct invocation *run, sw_sharding *sharding)
{
	const sw_type *shape = known_shape(&run->session->state);
	sw_mesh none = {0};
	sw_text left_out = {0};
	if (!shape || sw_sharding_take_shape(sharding, shape, NULL))
		return;
	sw_type whole;
	sw_type_replicated(shape->dtype, shape->rank, shape->global, &whole, NULL);
	sw_type_print(&none, &whole, true, &left_out);
	sw_text_addf(&left_out, " has %d %s, this text says %d: the sizes are left out", shape->rank,
		plural(shape->rank, "dimension", "dimensions"), sharding->rank);
	add_note(run, sharding, &left_out);
}

/* ---- what no tiles say ---- */

static bool look_at_words(const struct invocation *run, const sw_sharding *s, struct sets_look *look, sw_diag *diag)
{
	struct any_type type;
	return sw_sharding_any(s, &s->mesh, NULL, run->arena, &type.type, &type.words, diag) &&
		sets_look_at(&s->mesh, &type, NULL, run->arena, look, diag);
}

static bool draw_words(const struct invocation *run, const sw_sharding *s, sw_diag *diag)
{
	struct view_options options = view_options_default(run->answer->width);
	struct sets_look *look = SW_NEW(run->arena, struct sets_look, 1);
	struct view_input in = {.sets = look};
	if (!look)
		return sw_diag_memory(diag);
	return look_at_words(run, s, look, diag) && view_sets(&in, &options, document_canvas(run->answer), diag);
}

static void add_words_fields(const struct invocation *run, struct fields *in, const sw_sharding *s)
{
	sw_diag diag;
	struct sets_look *look = SW_NEW(run->arena, struct sets_look, 1);
	field_str(in, "type", s->words);
	field_ints(in, "shape", s->shape.global, s->shape.rank);
	if (look && look_at_words(run, s, look, &diag))
		sets_members(look, in, &diag);
}

static bool one_as_text(const struct invocation *run, const sw_sharding *sharding, sw_diag *diag)
{
	sw_text out = {0}, words = {0};
	sw_sharding_explain(sharding, &words);
	add_bytes(sharding, &words);
	add_uneven(sharding, &words);
	add_lines(run, &words, &out);
	add_items(sharding, &out);
	document_lines(run->answer, &out);
	if (is_plain(sharding) && !draw(run, sharding, NULL, diag))
		return false;
	if (sharding->kind == SW_SHARDING_WORDS && !draw_words(run, sharding, diag))
		return false;
	if (sharding->kind != SW_SHARDING_TUPLE)
		add_notations(run, sharding, &out);
	document_lines(run->answer, &out);
	return true;
}

static bool explain_one(struct invocation *run, sw_str text, sw_diag *diag)
{
	sw_sharding *sharding = SW_NEW(run->arena, sw_sharding, 1);
	if (!sharding)
		return sw_diag_memory(diag);
	if (!read_explained(run, text, sharding, diag))
		return false;
	if (sharding->kind != SW_SHARDING_WORDS)
		take_shape(run, sharding);
	struct fields *fields = document_fields(run->answer, "shardwalk.explain/1");
	if (fields)
		add_sharding(run, fields, sharding);
	return fields || one_as_text(run, sharding, diag);
}

/* ---- two ---- */

static bool two_as_text(const struct invocation *run, const sw_sharding *a, const sw_sharding *b, int64_t differ,
	sw_diag *diag)
{
	sw_text out = {0}, words = {0};
	sw_text_add(&words, "the first: ");
	sw_sharding_explain(a, &words);
	sw_text_add(&words, "the second: ");
	sw_sharding_explain(b, &words);
	add_lines(run, &words, &out);
	if (differ == 0)
		sw_text_add(&out,
			a->kind == SW_SHARDING_WORDS ? "the same: every device holds the same elements\n" :
										   "the same: every device holds the same tile\n");
	else if (sw_sharding_summands(a) > 1 || sw_sharding_summands(b) > 1)
		sw_text_addf(&out, "not the same: %lld %s other tiles or parts of other sums\n", (long long)differ,
			plural(differ, "device holds", "devices hold"));
	else
		sw_text_addf(&out, "not the same: %lld %s other tiles\n", (long long)differ,
			plural(differ, "device holds", "devices hold"));
	document_lines(run->answer, &out);
	if (a->kind == SW_SHARDING_WORDS || b->kind == SW_SHARDING_WORDS)
		return true;
	return draw(run, a, b, diag);
}

static void two_as_fields(const struct invocation *run, struct fields *fields, const sw_sharding *a,
	const sw_sharding *b, int64_t differ)
{
	field_bool(fields, "same", differ == 0);
	field_int(fields, "devices_that_differ", differ);
	add_sharding(run, field_object(fields, "first"), a);
	add_sharding(run, field_object(fields, "second"), b);
}

static bool explain_two(struct invocation *run, sw_str left, sw_str right, sw_diag *diag)
{
	sw_sharding *a = SW_NEW(run->arena, sw_sharding, 2), *b = a + 1;
	int64_t first = 0;
	if (!a)
		return sw_diag_memory(diag);
	if (!read_explained(run, left, a, diag) || !read_explained(run, right, b, diag))
		return false;
	if (a->kind != SW_SHARDING_WORDS)
		take_shape(run, a);
	if (b->kind != SW_SHARDING_WORDS)
		take_shape(run, b);
	int64_t differ = sw_sharding_differ(a, b, run->arena, &first, diag);
	if (differ < 0) {
		sw_str wrong = is_first_wrong(run, a, b, diag->code) ? left : right;
		diag->at = (sw_span){0, wrong.length};
		return refuse_at(run, wrong, diag);
	}
	struct fields *fields = document_fields(run->answer, "shardwalk.explain/1");
	if (fields)
		two_as_fields(run, fields, a, b, differ);
	return fields || two_as_text(run, a, b, differ, diag);
}

/* `f32[16,16] {devices=...}`: the shape in front is taken off. */
static bool take_shape_in_front(const struct invocation *run, sw_str *text, sw_type *shape)
{
	sw_mesh none = {0};
	struct word *words;
	int count = line_words(*text, run->arena, &words);
	if (count < 2 || sw_notation_guess(*text) == SW_NOTATION_DISTAL || sw_str_is(words[1].raw, "~>") ||
		sw_str_is(words[1].raw, "->") || !sw_type_parse(&none, words[0].raw, shape, NULL) ||
		shape->first[shape->rank] > 0)
		return false;
	const char *end = text->at + text->length;
	*text = (sw_str){words[1].raw.at, (size_t)(end - words[1].raw.at)};
	return true;
}

static bool explain_text(struct invocation *run, sw_str text, sw_diag *diag)
{
	sw_str arrow = line_arrow(text);
	if (!arrow.length)
		return explain_one(run, text, diag);
	const char *end = arrow.at + arrow.length;
	sw_str left = trace_first((sw_str){text.at, (size_t)(arrow.at - text.at)});
	sw_str right = trace_last(sw_str_trim((sw_str){end, (size_t)(text.at + text.length - end)}));
	return explain_two(run, left, right, diag);
}

bool explain_foreign(struct invocation *run, sw_str text, sw_diag *diag)
{
	struct state *state = &run->session->state;
	sw_type shape, old = state->shape;
	bool had = state->has[DEFINED_SHAPE];
	if (take_shape_in_front(run, &text, &shape)) {
		state->shape = shape;
		state->has[DEFINED_SHAPE] = true;
	}
	bool ok = explain_text(run, text, diag);
	state->shape = old;
	state->has[DEFINED_SHAPE] = had;
	return ok;
}
