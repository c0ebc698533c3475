/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading distributions.
 *
 *     distribution = member { "union" member }
 *     member       = ( type | name [ "+" | "+{" ... "}" ] ) { "by" rule | "over" mesh | "at" list | word ... }
 *
 * `over` and `by` belong to the bracket, wherever they stand behind it; the words act from the left (words.c).
 */
#include "array/distribution_parse.h"

#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/device_list.h"
#include "array/distribution.h"

static const sw_span nowhere = {0, 0};

/* ---- words outside of brackets ---- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

static bool stands_at(sw_str text, size_t at, const char *word)
{
	size_t end = at + strlen(word);

	return sw_str_starts(sw_str_behind(text, at), word) && (at == 0 || !is_letter(text.at[at - 1])) &&
		(end == text.length || !is_letter(text.at[end]));
}

/* Is the word somewhere, in brackets or names too? */
static bool occurs(sw_str text, size_t at, const char *word)
{
	while (at < text.length) {
		const char *next = memchr(text.at + at, *word, text.length - at);
		at = next != NULL ? (size_t)(next - text.at) : text.length;
		if (at < text.length && sw_str_starts(sw_str_behind(text, at), word))
			return true;
		at++;
	}
	return false;
}

/* The position behind the name of a file, which is one word; the same where a list or a name in quotes stands. */
static size_t behind_file(sw_str text, size_t at)
{
	sw_str rest = sw_str_behind(text, at), word = sw_str_word(&rest);
	bool file = word.length > 0 && *word.at != '{' && *word.at != '"' && *word.at != '\'';

	return file ? (size_t)(word.at - text.at) + word.length : at;
}

size_t sw_type_word(sw_str text, size_t at, const char *word)
{
	int depth = 0;

	if (!occurs(text, at, word))
		return text.length;
	while (at < text.length) {
		if (depth <= 0 && stands_at(text, at, "union"))
			return text.length;
		if (depth <= 0 && stands_at(text, at, word))
			return at;
		at = depth <= 0 && stands_at(text, at, "at") ? behind_file(text, at + strlen("at")) :
													   sw_str_step(text, at, SW_NESTING_TYPES, &depth);
	}
	return text.length;
}

/* ---- what is read ---- */

/* A member of the union, or all that a name stands for, while words are added. */
struct operand {
	int first; /* of the members */
	sw_span at;
	bool bracket;       /* not a name */
	bool by, over;      /* the word was met */
	const sw_mesh *own; /* `over`; NULL: the present mesh */
	int rank;           /* of the array as it is now, and its sizes */
	const int64_t *size;
};

struct reading {
	const sw_mesh *mesh;
	const sw_distribution_names *names;
	sw_arena *arena;
	sw_scan scan;
	sw_type_reader bracket; /* of the operand that was read last */
	sw_distribution_member *member;
	int members, room;
	sw_dtype dtype;
	bool dtype_given;
	sw_span dtype_at;
	sw_type_positions positions; /* of the first bracket */
};

static sw_distribution_member *add_member(struct reading *r)
{
	if (!SW_GROW(r->arena, r->member, r->members, r->room, 4)) {
		sw_diag_memory(r->scan.diag);
		return NULL;
	}
	return &r->member[r->members++];
}

/* An element type said once holds for all; two that are said are the same. */
static bool take_dtype(struct reading *r, const sw_type *type, sw_span at)
{
	sw_diag *diag = r->scan.diag;

	if (!type->dtype_given)
		return true;
	if (r->dtype_given && r->dtype != type->dtype) {
		sw_diag_set(diag, SW_T09, at, "the united types have different element types");
		sw_diag_also(diag, r->dtype_at, "the first");
		sw_diag_expected(diag, "%s", sw_dtype_name(r->dtype));
		sw_diag_found(diag, "%s", sw_dtype_name(type->dtype));
		return false;
	}
	r->dtype = type->dtype;
	r->dtype_given = true;
	r->dtype_at = at;
	return true;
}

/* ---- over, by ---- */

static bool refuse_devices(struct reading *r, const sw_mesh *own, sw_span at)
{
	sw_diag *diag = r->scan.diag;

	sw_diag_set(diag, SW_T16, at, "the mesh after `over` has too many devices");
	sw_diag_expected(diag, "at most %" PRId64 " devices", r->mesh->devices);
	sw_diag_found(diag, "%" PRId64, own->devices);
	return false;
}

/* Reads a mesh at the scanner, which is behind `over`. */
static bool read_over(struct reading *r, sw_scan *scan, sw_mesh *own)
{
	sw_scan_peek(scan);
	size_t begin = scan->at, end = sw_str_balanced(scan->text, begin, SW_NESTING_TYPES);

	if (begin == scan->text.length || scan->text.at[begin] != '{' || end == 0)
		return sw_scan_unexpected(scan, "a mesh such as {r: 2, c: 3}", nowhere);
	if (!sw_mesh_parse((sw_str){scan->text.at + begin, end - begin}, own, scan->diag)) {
		sw_diag_shift(scan->diag, begin);
		return false;
	}
	scan->at = end;
	return own->devices <= r->mesh->devices || refuse_devices(r, own, (sw_span){begin, end});
}

/* The mesh that `over` says somewhere behind the bracket. */
static bool find_over(struct reading *r, struct operand *operand)
{
	sw_scan ahead = r->scan;
	sw_mesh *own;

	ahead.at = sw_type_word(ahead.text, ahead.at, "over");
	if (ahead.at == ahead.text.length)
		return true;
	ahead.at += strlen("over");
	own = SW_NEW(r->arena, sw_mesh, 1);
	operand->own = own;
	return own != NULL ? read_over(r, &ahead, own) : sw_diag_memory(r->scan.diag);
}

static bool refuse_rule(sw_scan *scan, sw_span at, sw_str name)
{
	sw_text names = {0};

	for (int rule = 0; rule < SW_UNEVEN_RULE_COUNT; rule++)
		sw_text_addf(&names, "%s%s", rule > 0 ? ", " : "", sw_uneven_name((sw_uneven_rule)rule));
	sw_diag_set(scan->diag, SW_T15, at, "there is no such rule");
	sw_diag_expected(scan->diag, "%s", sw_text_get(&names));
	sw_diag_found(scan->diag, "%s", name.length > 0 ? sw_scan_quote(name).text : "the end of the text");
	sw_text_free(&names);
	return false;
}

static bool read_by(sw_scan *scan, sw_uneven_rule *rule)
{
	sw_span at;
	sw_str name = sw_scan_bare(scan, &at);

	*rule = sw_uneven_named(name);
	return *rule != SW_UNEVEN_RULE_COUNT || refuse_rule(scan, at, name);
}

static bool find_by(struct reading *r, sw_uneven_rule *rule, sw_span *at)
{
	sw_scan ahead = r->scan;

	*rule = r->names != NULL && r->names->rule != NULL ? *r->names->rule : SW_UNEVEN_RULE_COUNT;
	ahead.at = sw_type_word(ahead.text, ahead.at, "by");
	*at = (sw_span){ahead.at, ahead.at};
	if (ahead.at == ahead.text.length)
		return true;
	ahead.at += strlen("by");
	if (!read_by(&ahead, rule))
		return false;
	at->end = ahead.at;
	return true;
}

static bool refuse_idle(struct reading *r, sw_span at)
{
	sw_diag *diag = r->scan.diag;

	sw_diag_set(diag, SW_T15, at, "the rule has no effect: each partitioned dimension states its tile or its pieces");
	sw_diag_also(diag, r->bracket.open, "the type");
	sw_diag_expected(diag, "a dimension such as {x}13, without a tile");
	sw_diag_found(diag, "none");
	sw_diag_hint(diag, "leave out the tile, or `%.*s`", (int)(at.end - at.begin), r->scan.text.at + at.begin);
	return false;
}

/* ---- brackets and names ---- */

static bool keep_bracket(struct reading *r, const struct operand *operand, sw_distribution_member *member)
{
	const sw_type *type = &r->bracket.type;
	sw_part sum[SW_MAX_PARTS];
	int sums = sw_type_sums(type, sum);
	sw_cut *cut = SW_NEW(r->arena, sw_cut, type->rank);
	int64_t *size = SW_NEW(r->arena, int64_t, type->rank);
	sw_part *kept = SW_NEW(r->arena, sw_part, sums);

	if (cut == NULL || size == NULL || kept == NULL)
		return sw_diag_memory(r->scan.diag);
	memcpy(cut, r->bracket.cut, (size_t)type->rank * sizeof *cut);
	memcpy(size, type->global, (size_t)type->rank * sizeof *size);
	memcpy(kept, sum, (size_t)sums * sizeof *kept);
	*member = (sw_distribution_member){.mesh = operand->own,
		.devices = r->bracket.mesh->devices,
		.rank = type->rank,
		.size = size,
		.cut = cut,
		.each = r->bracket.each,
		.sums = sums,
		.sum = kept};
	return true;
}

static bool read_bracket(struct reading *r, struct operand *operand)
{
	sw_uneven_rule rule;
	sw_span by;

	operand->bracket = true;
	if (!find_over(r, operand) || !find_by(r, &rule, &by))
		return false;
	sw_type_reader_start(&r->bracket, operand->own != NULL ? operand->own : r->mesh, &r->scan, r->arena);
	r->bracket.rule = rule;
	if (!sw_type_read_bracket(&r->bracket))
		return false;
	r->scan.at = r->bracket.scan.at;
	if (by.end > by.begin && !r->bracket.open_sizes)
		return refuse_idle(r, by);
	if (r->members == 0)
		r->positions = r->bracket.positions;
	sw_distribution_member *member = add_member(r);
	return member != NULL && keep_bracket(r, operand, member) &&
		take_dtype(r, &r->bracket.type, r->bracket.positions.dtype);
}

/* What the sums behind a name may not use: the axes that cut what it stands for. */
static void use_parts(struct reading *r, const struct operand *operand)
{
	sw_type_reader *reader = &r->bracket;
	const sw_distribution_member *member = &r->member[operand->first];

	for (int dim = 0; dim < member->rank; dim++)
		for (int i = 0; i < member->cut[dim].entries && reader->parts < SW_MAX_PARTS; i++) {
			if (sw_is_rounds(member->cut[dim].entry[i].part))
				continue;
			reader->part_at[reader->parts] = operand->at;
			reader->part[reader->parts++] = member->cut[dim].entry[i].part;
		}
}

static bool refuse_sums_twice(struct reading *r, const struct operand *operand)
{
	sw_diag *diag = r->scan.diag;

	sw_diag_set(diag, SW_T11, r->bracket.sums_at, "the type of that name already has sums");
	sw_diag_also(diag, operand->at, "the name");
	sw_diag_expected(diag, "a type of complete values before `+`");
	sw_diag_found(diag, "sums");
	return false;
}

/* `+` or `+{x}` behind a name. */
static bool read_sums_of_name(struct reading *r, struct operand *operand, const sw_type *type)
{
	const sw_mesh *own = r->member[operand->first].mesh;
	sw_part sum[SW_MAX_PARTS], *kept;

	sw_type_reader_start(&r->bracket, own != NULL ? own : r->mesh, &r->scan, r->arena);
	r->bracket.type = *type;
	sw_type_put(&r->bracket.type, type->rank, NULL, 0);
	r->bracket.positions.dtype = operand->at;
	use_parts(r, operand);
	if (!sw_type_read_sums(&r->bracket))
		return false;
	r->scan.at = r->bracket.scan.at;
	int sums = sw_type_sums(&r->bracket.type, sum);
	kept = SW_NEW(r->arena, sw_part, sums);
	if (kept == NULL)
		return sw_diag_memory(r->scan.diag);
	memcpy(kept, sum, (size_t)sums * sizeof *kept);
	for (int i = operand->first; i < r->members && (sums > 0 || r->bracket.each); i++) {
		if (r->member[i].each || r->member[i].sums > 0)
			return refuse_sums_twice(r, operand);
		r->member[i].each = r->bracket.each;
		r->member[i].sums = sums;
		r->member[i].sum = kept;
	}
	return true;
}

static bool read_named(struct reading *r, struct operand *operand, const sw_distribution *named)
{
	for (int i = 0; i < named->members; i++) {
		sw_distribution_member *member = add_member(r);
		if (member == NULL)
			return false;
		*member = named->member[i];
	}
	return take_dtype(r, &named->type, operand->at) && read_sums_of_name(r, operand, &named->type);
}

/* The distribution of the name at the scanner, which is then behind it; NULL: none stands there. */
static const sw_distribution *take_name(struct reading *r)
{
	size_t before = r->scan.at;
	sw_span at;
	sw_str name = sw_scan_bare(&r->scan, &at);
	const sw_distribution *named = NULL;

	if (name.length > 0 && r->names != NULL && r->names->named != NULL && sw_scan_peek(&r->scan) != '[')
		named = r->names->named(r->names->of, name);
	r->scan.at = named != NULL ? at.end : before;
	return named;
}

/* ---- words ---- */

static bool refuse_word(struct reading *r, sw_span at, const char *why, const char *expected)
{
	sw_quote quote = sw_scan_quote((sw_str){r->scan.text.at + at.begin, at.end - at.begin});

	sw_diag_set(r->scan.diag, SW_T16, at, "%s %s", quote.text, why);
	sw_diag_expected(r->scan.diag, "%s", expected);
	sw_diag_found(r->scan.diag, "%s", quote.text);
	return false;
}

/* `over` and `by`, which were read with the bracket: they are passed over. */
static bool pass_over(struct reading *r, struct operand *operand, sw_span at)
{
	sw_mesh own;

	if (!operand->bracket || operand->over)
		return refuse_word(r, at, operand->bracket ? "appears twice here" : "cannot follow a name",
			"one mesh after a type in brackets");
	operand->over = true;
	return read_over(r, &r->scan, &own);
}

static bool pass_by(struct reading *r, struct operand *operand, sw_span at)
{
	sw_uneven_rule rule;

	if (!operand->bracket || operand->by)
		return refuse_word(r, at, operand->bracket ? "appears twice here" : "cannot follow a name",
			"one rule after a type in brackets");
	operand->by = true;
	return read_by(&r->scan, &rule);
}

static bool read_at(struct reading *r, struct operand *operand, sw_span at)
{
	sw_distribution_member *member = &r->member[operand->first];
	sw_device_list *list = SW_NEW(r->arena, sw_device_list, 1);
	bool plain = operand->bracket && member->rank == 1 && member->cut[0].entries == 0;

	if (list == NULL)
		return sw_diag_memory(r->scan.diag);
	if (!plain || member->words > 0 || member->at != NULL)
		return refuse_word(r, at,
			"must follow a single dimension that is not partitioned, before all other "
			"words",
			"a type such as [13] before it; in more dimensions a union of types `on DEVICE only ...`");
	if (member->devices < 1)
		return refuse_word(r, at, "names devices, but there is no mesh", "a mesh before it, such as mesh {x: 4}");
	member->at = list;
	return sw_device_list_scan(&r->scan,
		&(sw_device_list_place){member->devices, member->size[0], r->arena, r->names}, list);
}

/* Adds a word to each member of the operand. */
static bool add_word(struct reading *r, struct operand *operand, const sw_word *word)
{
	for (int i = operand->first; i < r->members; i++) {
		sw_distribution_member *member = &r->member[i];
		sw_word *list = SW_NEW(r->arena, sw_word, member->words + 1);
		if (list == NULL)
			return sw_diag_memory(r->scan.diag);
		if (member->words > 0)
			memcpy(list, member->word, (size_t)member->words * sizeof *list);
		list[member->words++] = *word;
		member->word = list;
	}
	operand->rank = word->rank;
	operand->size = word->size;
	return true;
}

static const sw_mesh *mesh_of(const struct reading *r, int member)
{
	return r->member[member].mesh != NULL ? r->member[member].mesh : r->mesh;
}

/* The one mesh of the operand; NULL: its members have several. */
static const sw_mesh *mesh_of_all(const struct reading *r, const struct operand *operand)
{
	const sw_mesh *mesh = mesh_of(r, operand->first);

	for (int i = operand->first + 1; i < r->members; i++)
		if (mesh_of(r, i) != mesh && !sw_mesh_equal(mesh_of(r, i), mesh))
			return NULL;
	return mesh;
}

static bool read_row(struct reading *r, struct operand *operand, const sw_word_row *row, sw_span at)
{
	const sw_word_place place = {mesh_of_all(r, operand), r->mesh->devices, operand->rank, operand->size, r->arena,
		at};
	sw_word word = {.row = row,
		.rank = place.rank,
		.size = place.size,
		.rank_before = place.rank,
		.before = place.size};

	return row->read(&r->scan, &place, &word) && add_word(r, operand, &word);
}

/* The words that belong to the bracket. */
static const struct bracket_word {
	const char *word;
	bool (*read)(struct reading *r, struct operand *operand, sw_span at);
} bracket_words[] = {{"by", pass_by}, {"over", pass_over}, {"at", read_at}};

static const struct bracket_word *bracket_word_named(sw_str name)
{
	for (size_t i = 0; i < sizeof bracket_words / sizeof *bracket_words; i++)
		if (sw_str_is(name, bracket_words[i].word))
			return &bracket_words[i];
	return NULL;
}

/* Reads the words up to one that is none, or `union`. */
static bool read_words(struct reading *r, struct operand *operand)
{
	while (true) {
		sw_span at;
		size_t before = r->scan.at;
		sw_str name = sw_scan_bare(&r->scan, &at);
		const sw_word_row *row = sw_word_named(name);
		const struct bracket_word *other = bracket_word_named(name);
		if (row == NULL && other == NULL) {
			r->scan.at = before;
			return true;
		}
		if (!(row != NULL ? read_row(r, operand, row, at) : other->read(r, operand, at)))
			return false;
	}
}

/* ---- unions ---- */

static bool refuse_array(struct reading *r, const struct operand *first, const struct operand *second)
{
	sw_diag *diag = r->scan.diag;
	sw_text sizes[2] = {{0}};

	sw_type_print_tile(first->size, first->rank, &sizes[0]);
	sw_type_print_tile(second->size, second->rank, &sizes[1]);
	sw_diag_set(diag, SW_T09, second->at, "the united types are of different arrays");
	sw_diag_also(diag, first->at, "the first");
	sw_diag_expected(diag, "%s", sw_text_get(&sizes[0]));
	sw_diag_found(diag, "%s", sw_text_get(&sizes[1]));
	for (int i = 0; i < 2; i++)
		sw_text_free(&sizes[i]);
	return false;
}

static bool same_sums(const sw_distribution_member *a, const sw_distribution_member *b)
{
	bool same = a->each == b->each && a->sums == b->sums && (a->sums == 0 || (a->mesh == NULL) == (b->mesh == NULL));

	if (same && a->sums > 0 && a->mesh != NULL)
		same = sw_mesh_equal(a->mesh, b->mesh);
	return same && (a->sums == 0 || memcmp(a->sum, b->sum, (size_t)a->sums * sizeof *a->sum) == 0);
}

static bool refuse_sums(struct reading *r, const struct operand *first, const struct operand *second)
{
	sw_diag *diag = r->scan.diag;

	sw_diag_set(diag, SW_T11, second->at, "the united types have different sums");
	sw_diag_also(diag, first->at, "the first");
	sw_diag_expected(diag, "the same `+` after each of them");
	sw_diag_found(diag, "another");
	return false;
}

static bool check_united(struct reading *r, const struct operand *first, const struct operand *second)
{
	if (first->rank != second->rank ||
		memcmp(first->size, second->size, (size_t)first->rank * sizeof *first->size) != 0)
		return refuse_array(r, first, second);
	for (int i = second->first; i < r->members; i++)
		if (!same_sums(&r->member[0], &r->member[i]))
			return refuse_sums(r, first, second);
	return true;
}

/* `(A union B)+` */
static bool refuse_parenthesis(struct reading *r)
{
	sw_scan_unexpected(&r->scan, "a type such as f32[3{x}12, 2{y}12], or the name of one", nowhere);
	sw_diag_hint(r->scan.diag,
		"words and sums bind tighter than `union`: name the union first, and write its name here");
	return false;
}

static bool read_operand(struct reading *r, struct operand *operand)
{
	if (sw_scan_peek(&r->scan) == '(')
		return refuse_parenthesis(r);
	*operand = (struct operand){.first = r->members, .at = {r->scan.at, r->scan.at}};
	const sw_distribution *named = take_name(r);

	operand->at.end = r->scan.at;
	if (!(named != NULL ? read_named(r, operand, named) : read_bracket(r, operand)))
		return false;
	operand->size = sw_member_array(&r->member[operand->first], &operand->rank);
	if (!read_words(r, operand))
		return false;
	operand->at = sw_scan_since(&r->scan, operand->at.begin);
	return true;
}

static bool take_union(struct reading *r)
{
	size_t before = r->scan.at;
	sw_span at;

	if (sw_str_is(sw_scan_bare(&r->scan, &at), "union"))
		return true;
	r->scan.at = before;
	return false;
}

static bool read_union(struct reading *r, struct operand *first)
{
	struct operand next;

	if (!read_operand(r, first))
		return false;
	while (take_union(r))
		if (!read_operand(r, &next) || !check_united(r, first, &next))
			return false;
	return true;
}

/* ---- the whole ---- */

/* Adds the nearest word to a refusal of what stands in the place of one. */
static void hint_word(const struct reading *r, sw_span at)
{
	const char *names[16] = {"union"};
	int count = 1;

	for (size_t i = 0; i < sizeof bracket_words / sizeof *bracket_words; i++)
		names[count++] = bracket_words[i].word;
	for (int i = 0; sw_word_row_at(i) != NULL && count < 16; i++)
		names[count++] = sw_word_row_at(i)->word;
	int nearest = sw_str_nearest((sw_str){r->scan.text.at + at.begin, at.end - at.begin}, names, count);
	if (nearest >= 0 && r->scan.diag != NULL && r->scan.diag->hint[0] == '\0')
		sw_diag_hint(r->scan.diag, "did you mean %s?", names[nearest]);
}

static bool read_end(struct reading *r, size_t length)
{
	sw_span next = sw_scan_next_span(&r->scan);

	if (sw_type_close_quotes(&r->scan, length))
		return true;
	hint_word(r, next);
	return false;
}

static bool finish(struct reading *r, const struct operand *first, sw_span whole, sw_distribution *made)
{
	sw_distribution d = {.devices = r->mesh->devices,
		.each = r->member[0].each,
		.members = r->members,
		.member = r->member};

	if (!sw_type_replicated(r->dtype, first->rank, first->size, &d.type, r->scan.diag))
		return false;
	d.type.dtype_given = r->dtype_given;
	if (!sw_distribution_settle(r->mesh, r->arena, &d, r->scan.diag)) {
		if (r->scan.diag != NULL)
			r->scan.diag->at = whole;
		return false;
	}
	*made = d;
	return true;
}

bool sw_distribution_read(const sw_mesh *mesh, sw_str text, const sw_distribution_names *names, sw_arena *arena,
	sw_distribution *distribution, sw_type_positions *positions, sw_diag *diag)
{
	struct reading r = {.mesh = mesh, .names = names, .arena = arena};
	struct operand first;
	size_t length, begin;

	r.scan = (sw_scan){.text = text, .syntax = SW_T01, .diag = diag};
	r.dtype = SW_F32;
	sw_scan_peek(&r.scan);
	begin = r.scan.at;
	if (!sw_type_open_quotes(&r.scan, &length) || !read_union(&r, &first) || !read_end(&r, length))
		return false;
	sw_span whole = {begin, begin + sw_str_trim(text).length};
	if (!finish(&r, &first, whole, distribution))
		return false;
	*positions = r.positions;
	positions->whole = whole;
	return true;
}

bool sw_distribution_parse(const sw_mesh *mesh, sw_str text, const sw_distribution_names *names, sw_arena *arena,
	sw_distribution *distribution, sw_diag *diag)
{
	sw_type_positions positions;

	return sw_distribution_read(mesh, text, names, arena, distribution, &positions, diag);
}

bool sw_distribution_is_word(sw_str name)
{
	return sw_word_named(name) != NULL || bracket_word_named(name) != NULL || sw_str_is(name, "union") ||
		sw_str_is(name, "wrap");
}
