/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes that do not divide: the rules of sharing them out, and arrays that are padded.
 *
 * The rule `chunk` is that of torch.chunk at every level, as DTensor nests it; `ceil` is the tile size of XLA.
 */
#include <shardwalk/uneven.h>

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"

__extension__ typedef __int128 wide;

#define HINT_PIECES 9 /* pieces that a hint lists */

static const struct {
	const char *name, *words, *who;
} uneven_rules[SW_UNEVEN_RULE_COUNT] = {
#define X(id, name, words, who) {name, words, who},
	SW_UNEVEN_RULES(X)
#undef X
};

const sw_uneven_system sw_uneven_systems[SW_UNEVEN_SYSTEMS] = {
	{"JAX",
		"device_put and the in_shardings and out_shardings of jit refuse it; with_sharding_constraint inside jit "
		"pads on the way, and the result may silently come back replicated"},
	{"XLA",
		"pads each dimension to a multiple of its tiles; the contents of the padding are undefined, and masked "
		"where they matter"},
	{"PyTorch",
		"local tensors have the sizes of chunk, some empty; collectives pad to the largest and cut "
		"afterwards"},
	{"MPI", "counts and displacements of Alltoallv carry the sizes; nothing is padded"},
	{"shardwalk",
		"takes a rule after the type, `by balanced`, or `set uneven RULE`, and refuses it without a rule; "
		"after `set uneven pad` it plans for the array padded as XLA pads it"},
};

const char *sw_uneven_name(sw_uneven_rule rule)
{
	assert((unsigned)rule < SW_UNEVEN_RULE_COUNT);
	return uneven_rules[rule].name;
}

const char *sw_uneven_words(sw_uneven_rule rule)
{
	assert((unsigned)rule < SW_UNEVEN_RULE_COUNT);
	return uneven_rules[rule].words;
}

const char *sw_uneven_who(sw_uneven_rule rule)
{
	assert((unsigned)rule < SW_UNEVEN_RULE_COUNT);
	return uneven_rules[rule].who;
}

sw_uneven_rule sw_uneven_named(sw_str name)
{
	int rule = 0;
	while (rule < SW_UNEVEN_RULE_COUNT && !sw_str_is(name, uneven_rules[rule].name))
		rule++;
	return (sw_uneven_rule)rule;
}

bool sw_uneven_start(int64_t size, const int64_t *cut, int count, sw_uneven *uneven, sw_diag *diag)
{
	const sw_span nowhere = {0, 0};
	uneven->size = size;
	uneven->count = count;
	uneven->pieces = 1;
	if (size < 1 || count < 1 || count > SW_MAX_PARTS)
		return sw_diag_set(diag, SW_L13, nowhere, size < 1 ? "the size is below 1" : "%d cuts", count);
	for (int i = 0; i < count; i++) {
		uneven->cut[i] = cut[i];
		if (cut[i] < 1)
			return sw_diag_set(diag, SW_L13, nowhere, "a number of pieces is below 1");
		if (!sw_mul(uneven->pieces, cut[i], &uneven->pieces) || uneven->pieces > SW_MAX_DEVICES) {
			sw_diag_set(diag, SW_L12, nowhere, "more pieces than a mesh can have devices");
			sw_diag_expected(diag, "at most %" PRId64, (int64_t)SW_MAX_DEVICES);
			return false;
		}
	}
	return true;
}

/* ---- the rules ---- */

static int64_t ceil_div(int64_t a, int64_t b)
{
	return a / b + (a % b != 0);
}

/* Piece i of pieces of `tile` each that begin one after the other: what is left of `size` there. */
static int64_t piece_ceil(int64_t size, int64_t tile, int64_t i, int64_t *begin)
{
	*begin = i >= ceil_div(size, tile) ? size : i * tile;
	return sw_smaller(tile, size - *begin);
}

/* Level by level.  `full`: each piece is cut as long as a full one is, however short it is itself. */
static int64_t piece_by_levels(const sw_uneven *u, bool full, int64_t i, int64_t *begin)
{
	int64_t size = u->size, whole = u->size, left = u->pieces, at;
	*begin = 0;
	for (int level = 0; level < u->count; level++) {
		left /= u->cut[level];
		whole = ceil_div(full ? whole : size, u->cut[level]);
		if (size > 0) {
			size = piece_ceil(size, whole, i / left % u->cut[level], &at);
			*begin += at;
		}
	}
	return size;
}

static int64_t piece_balanced(const sw_uneven *u, int64_t i, int64_t *begin)
{
	int64_t least = u->size / u->pieces, larger = u->size % u->pieces;
	*begin = i * least + sw_smaller(i, larger);
	return least + (i < larger);
}

/* The first index that lies in piece i or behind it: the smallest j with j * pieces >= i * size. */
static int64_t begin_floor(const sw_uneven *u, int64_t i)
{
	return (int64_t)(((wide)i * u->size + u->pieces - 1) / u->pieces);
}

int64_t sw_uneven_piece(const sw_uneven *u, sw_uneven_rule rule, int64_t i, int64_t *begin)
{
	assert(i >= 0 && i < u->pieces);
	int64_t at;
	begin = begin ? begin : &at;
	switch (rule) {
	case SW_UNEVEN_CHUNK:
	case SW_UNEVEN_NESTED:
		return piece_by_levels(u, rule == SW_UNEVEN_NESTED, i, begin);
	case SW_UNEVEN_BALANCED:
		return piece_balanced(u, i, begin);
	case SW_UNEVEN_FLOOR:
		*begin = begin_floor(u, i);
		return begin_floor(u, i + 1) - *begin;
	default:
		return piece_ceil(u->size, ceil_div(u->size, u->pieces), i, begin);
	}
}

int64_t sw_uneven_largest(const sw_uneven *u, sw_uneven_rule rule)
{
	return sw_uneven_piece(u, rule, 0, NULL);
}

/* A full piece of a level has as many empty ones inside as any other, the short one its own, and an empty one is
 * empty altogether.  `whole`: the size that is cut, which is that of a full piece where it is not NULL. */
static int64_t empty_by_levels(const sw_uneven *u, int level, int64_t size, const int64_t *whole)
{
	int64_t inside = 1;
	for (int i = level; i < u->count; i++)
		inside *= u->cut[i];
	if (size == 0)
		return inside;
	if (level == u->count)
		return 0;
	int64_t tile = ceil_div(whole ? *whole : size, u->cut[level]), full = size / tile, rest = size % tile;
	const int64_t *next = whole ? &tile : NULL;
	int64_t none = u->cut[level] - full - (rest > 0);
	int64_t empty = none * (inside / u->cut[level]);
	if (full)
		empty += full * empty_by_levels(u, level + 1, tile, next);
	return rest ? empty + empty_by_levels(u, level + 1, rest, next) : empty;
}

int64_t sw_uneven_empty(const sw_uneven *u, sw_uneven_rule rule)
{
	switch (rule) {
	case SW_UNEVEN_CHUNK:
		return empty_by_levels(u, 0, u->size, NULL);
	case SW_UNEVEN_NESTED:
		return empty_by_levels(u, 0, u->size, &u->size);
	case SW_UNEVEN_BALANCED:
	case SW_UNEVEN_FLOOR:
		return u->size < u->pieces ? u->pieces - u->size : 0;
	default:
		return u->pieces - ceil_div(u->size, ceil_div(u->size, u->pieces));
	}
}

void sw_uneven_print(const sw_uneven *u, sw_uneven_rule rule, int64_t most, sw_text *text)
{
	for (int64_t i = 0; i < u->pieces && i < most; i++)
		sw_text_addf(text, "%s%" PRId64, i ? "," : "", sw_uneven_piece(u, rule, i, NULL));
	sw_text_add(text, u->pieces > most ? ",..." : "");
}

/* ---- refusals ---- */

/* "17 over 8", "10 over 2x3" */
static void print_question(const sw_uneven *u, sw_text *text)
{
	sw_text_addf(text, "%" PRId64 " over ", u->size);
	for (int i = 0; i < u->count; i++)
		sw_text_addf(text, "%s%" PRId64, i ? "x" : "", u->cut[i]);
}

void sw_uneven_hint(sw_diag *diag, const char *before, int64_t size, const sw_part *part, int count)
{
	assert(count >= 0 && count <= SW_MAX_PARTS);
	sw_uneven u;
	int64_t cut[SW_MAX_PARTS];
	sw_text rule[SW_UNEVEN_COMPARED] = {{0}}, question = {0};
	for (int i = 0; i < count; i++)
		cut[i] = part[count - 1 - i].size;
	if (!diag || !sw_uneven_start(size, cut, count, &u, NULL))
		return;
	for (int i = 0; i < SW_UNEVEN_COMPARED; i++)
		sw_uneven_print(&u, (sw_uneven_rule)i, HINT_PIECES, &rule[i]);
	print_question(&u, &question);
	bool nested = strcmp(sw_text_get(&rule[SW_UNEVEN_CEIL]), sw_text_get(&rule[SW_UNEVEN_CHUNK])) != 0;
	sw_diag_hint(diag,
		"%sXLA pads (%s), DTensor chunks (%s), balanced systems hold %s: `explain %s` compares them, "
		"`by RULE` after the type chooses one, `set uneven pad` plans with padding",
		before, sw_text_get(&rule[SW_UNEVEN_CEIL]), nested ? sw_text_get(&rule[SW_UNEVEN_CHUNK]) : "the same",
		sw_text_get(&rule[SW_UNEVEN_BALANCED]), sw_text_get(&question));
	for (int i = 0; i < SW_UNEVEN_COMPARED; i++)
		sw_text_free(&rule[i]);
	sw_text_free(&question);
}

/* ---- padded arrays ---- */

bool sw_uneven_pad(int64_t size, int64_t tiles, int64_t *padded)
{
	assert(size >= 1 && tiles >= 1);
	return sw_mul(ceil_div(size, tiles), tiles, padded);
}

static void take_sizes(sw_type *type, const int64_t *global, const int64_t *real)
{
	for (int d = 0; d < type->rank; d++) {
		type->global[d] = global[d];
		type->tile[d] = global[d] / sw_type_cuts(type, d);
	}
	sw_type_set_real(type, real);
}

void sw_uneven_agree(sw_type *a, sw_type *b)
{
	int64_t global[SW_MAX_DIMS], size[SW_MAX_DIMS], of_b[SW_MAX_DIMS], elements = 1;
	if (!sw_type_padded(a) && !sw_type_padded(b))
		return;
	sw_type_real(a, size);
	sw_type_real(b, of_b);
	if (a->rank != b->rank || memcmp(size, of_b, sizeof(*size) * (size_t)a->rank) != 0)
		return;
	for (int d = 0; d < a->rank; d++) {
		int64_t left = sw_type_cuts(a, d), right = sw_type_cuts(b, d), tiles;
		if (!sw_mul(left / sw_gcd(left, right), right, &tiles) || !sw_uneven_pad(size[d], tiles, &global[d]) ||
			!sw_mul(elements, global[d], &elements))
			return;
	}
	take_sizes(a, global, size);
	take_sizes(b, global, size);
}

void sw_uneven_fit(sw_type *type, const sw_type *like)
{
	int64_t size[SW_MAX_DIMS], real[SW_MAX_DIMS];
	size_t bytes = sizeof(*real) * like->rank;
	sw_type_real(type, size);
	sw_type_real(like, real);
	bool fits = type->rank == like->rank && (!memcmp(size, real, bytes) || !memcmp(size, like->global, bytes));
	for (int d = 0; fits && d < like->rank; d++)
		fits = like->global[d] % sw_type_cuts(type, d) == 0;
	if (fits)
		take_sizes(type, like->global, real);
}

static void drop_padding(sw_type *type)
{
	int64_t real[SW_MAX_DIMS];
	sw_type_real(type, real);
	memcpy(type->global, real, sizeof(*real) * (size_t)type->rank);
	type->padding = 0;
}

bool sw_uneven_same_array(const sw_type *a, const sw_type *b, sw_diag *diag)
{
	sw_type left = *a, right = *b;
	drop_padding(&left);
	drop_padding(&right);
	if (!left.dtype_given || !right.dtype_given)
		right.dtype = left.dtype;
	return sw_type_redistributable(&left, &right, diag);
}

static void explain_ends(const sw_type *from, const sw_type *to, int d, sw_text *text)
{
	int64_t size = sw_type_size(from, d);
	int64_t of_from = sw_type_cuts(from, d), of_to = to ? sw_type_cuts(to, d) : of_from;
	int64_t alone_from = ceil_div(size, of_from) * of_from, alone_to = ceil_div(size, of_to) * of_to;
	if (alone_from == from->global[d] && (of_to == 1 || alone_to == from->global[d]))
		return;
	if (of_from == 1 && alone_to == from->global[d])
		return;
	sw_text_addf(text, "; XLA pads each end separately, to %" PRId64 " and to %" PRId64, alone_from, alone_to);
}

void sw_uneven_explain(const sw_type *from, const sw_type *to, const char *between, sw_text *text)
{
	assert(to == NULL || to->rank == from->rank);
	bool any = false;
	for (int d = 0; d < from->rank; d++) {
		int64_t of_from = sw_type_cuts(from, d), of_to = to ? sw_type_cuts(to, d) : 1;
		if (sw_type_size(from, d) == from->global[d])
			continue;
		sw_text_addf(text, "%sdimension %d is padded from %" PRId64 " to %" PRId64 ", for ", any ? between : "", d,
			sw_type_size(from, d), from->global[d]);
		if (of_from > 1 && of_to > 1 && of_from != of_to)
			sw_text_addf(text, "%" PRId64 " tiles and %" PRId64 " tiles", of_from, of_to);
		else
			sw_text_addf(text, "%" PRId64 " tiles", of_from > 1 ? of_from : of_to);
		explain_ends(from, to, d, text);
		any = true;
	}
}

void sw_type_print_real(const sw_mesh *mesh, const sw_type *type, bool dtype, sw_text *text)
{
	if (!sw_type_padded(type)) {
		sw_type_print(mesh, type, dtype, text);
		return;
	}
	sw_text_add(text, dtype ? sw_dtype_name(type->dtype) : "");
	sw_text_add_char(text, '[');
	for (int d = 0; d < type->rank; d++) {
		sw_text_add(text, d ? ", " : "");
		for (int p = type->first[d]; p < type->first[d + 1]; p++) {
			sw_text_add(text, p > type->first[d] ? "," : "{");
			sw_part_print(mesh, sw_type_part(type, p), text);
		}
		sw_text_add(text, type->first[d] < type->first[d + 1] ? "}" : "");
		sw_text_addf(text, "%" PRId64, sw_type_size(type, d));
	}
	sw_text_add_char(text, ']');
	sw_sums_print(mesh, type, text);
}

static int64_t times(int64_t a, int64_t b)
{
	int64_t product;
	return sw_mul(a, b, &product) ? product : INT64_MAX;
}

void sw_type_padding(const sw_mesh *mesh, const sw_type *type, sw_padding_count *count)
{
	assert(mesh->devices % sw_type_tiles(type) == 0);
	int64_t copies = mesh->devices / sw_type_tiles(type), real = copies, all = copies, least = 1, filled = copies;
	for (int d = 0; d < type->rank; d++) {
		int64_t size = sw_type_size(type, d), tile = type->tile[d], begin;
		real = times(real, size);
		all = times(all, type->global[d]);
		least *= piece_ceil(size, tile, type->global[d] / tile - 1, &begin);
		filled *= ceil_div(size, tile);
	}
	count->elements = all;
	count->total = all == INT64_MAX ? INT64_MAX : all - real;
	count->most = sw_type_localsize(type) - least;
	count->empty = mesh->devices - filled;
}
