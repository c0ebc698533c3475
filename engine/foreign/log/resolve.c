/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the texts of a pair to a problem.
 *
 * The shape in a warning is that of one device after partitioning has begun: each size times the cuts of `from` is the
 * global one.  Where that does not divide, the compiler has rounded up, and the result is its padded size.
 */
#include "foreign/log/parts.h"
#include "array/open_dims.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/between.h>
#include <shardwalk/number.h>
#include <shardwalk/uneven.h>

#define ASSUMED_MOST ((int64_t)1 << 40) /* elements of an array that nobody says the shape of */

struct resolving {
	const sw_log_found *found;
	const sw_log_options *options;
	sw_arena *arena;
	sw_log_pair *pair;
	sw_sharding *from, *to;
	sw_dtype dtype;
	int rank;                    /* of the shape in the text */
	int64_t size[SW_MAX_DIMS];   /* the same */
	sw_str size_at[SW_MAX_DIMS]; /* the same, in the text */
	bool iota;                   /* devices were assumed, and that was said */
	sw_text remark;
	sw_diag *why;
};

static void remark(struct resolving *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void remark(struct resolving *s, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	if (s->remark.length)
		sw_text_add(&s->remark, "; ");
	sw_text_addv(&s->remark, format, arguments);
	va_end(arguments);
}

/* A position in the text of a sharding or shape becomes one of the whole text, as well as that is known. */
static sw_span span_in(const sw_log_text *text, sw_span at)
{
	size_t length = text->text.length;
	if (text->position && at.begin < length)
		return (sw_span){text->position[at.begin],
			text->position[(at.end > at.begin && at.end <= length ? at.end : at.begin + 1) - 1] + 1};
	if (text->position)
		return (sw_span){text->at.end, text->at.end};
	if (text->at.end - text->at.begin != length)
		return text->at;
	return (sw_span){text->at.begin + at.begin, text->at.begin + at.end};
}

static bool refuse_at(struct resolving *s, const sw_log_text *text)
{
	s->why->at = s->why->at.end ? span_in(text, s->why->at) : text->at;
	if (s->why->also.end)
		s->why->also = span_in(text, s->why->also);
	return false;
}

/* ---- the shape that is printed ---- */

static sw_span span_of(const struct resolving *s, sw_str part)
{
	const sw_log_text *shape = &s->found->shape;
	size_t begin = (size_t)(part.at - shape->text.at);
	return shape->at.end ? span_in(shape, (sw_span){begin, begin + part.length}) : s->found->at;
}

static bool refuse_shape(struct resolving *s, sw_str part, const char *what)
{
	sw_str shape = s->found->shape.text;
	sw_diag_set(s->why, SW_N03, span_of(s, part), "the shape '%.*s' %s", shape.length < 60 ? (int)shape.length : 60,
		shape.at, what);
	sw_diag_expected(s->why, "a shape such as f32[8,6,10]");
	return false;
}

/* One size; XLA prints `<=8` for one that is at most 8. */
static bool read_size(struct resolving *s, sw_str word)
{
	word = sw_str_trim(word);
	if (s->rank == SW_MAX_DIMS)
		return refuse_shape(s, word, "has too many dimensions");
	s->size_at[s->rank] = word;
	if (word.length > 2 && memcmp(word.at, "<=", 2) == 0)
		word = sw_str_behind(word, 2);
	if (!sw_read_int(word, &s->size[s->rank], NULL) || s->size[s->rank] < 1)
		return refuse_shape(s, word, "has a size that is not a number of at least 1");
	s->rank++;
	return true;
}

static bool read_shape(struct resolving *s)
{
	sw_str shape = s->found->shape.text;
	const char *open = memchr(shape.at, '[', shape.length);
	if (!open)
		return refuse_shape(s, shape, "has no sizes");
	sw_str type = {shape.at, (size_t)(open - shape.at)};
	if (!sw_dtype_parse(type, &s->dtype, s->why)) {
		s->why->at = span_of(s, type);
		return false;
	}
	sw_str sizes = sw_str_inner(sw_str_behind(shape, type.length));
	while (sw_str_trim(sizes).length) {
		const char *comma = memchr(sizes.at, ',', sizes.length);
		size_t length = comma ? (size_t)(comma - sizes.at) : sizes.length;
		if (!read_size(s, (sw_str){sizes.at, length}))
			return false;
		sizes = comma ? (sw_str){comma + 1, sizes.length - length - 1} : (sw_str){"", 0};
	}
	return true;
}

/* ---- dimensions ---- */

static void drop_dimension(sw_sharding *sharding, int d)
{
	int last = sharding->rank + sharding->subgroups + 1;
	memmove(sharding->first + d, sharding->first + d + 1, sizeof(int) * (size_t)(last - d));
	memmove(sharding->priority + d, sharding->priority + d + 1, sizeof(int64_t) * (size_t)(sharding->rank - d - 1));
	sharding->open = (sharding->open & ((1u << d) - 1)) | ((sharding->open >> (d + 1)) << d);
	sharding->rank--;
}

/* One that does not say how many dimensions there are gets those of the value, which are whole. */
static void extend_rank(const struct resolving *s, sw_sharding *sharding)
{
	while (sharding->kind == SW_SHARDING_TILED && sharding->extends && sharding->rank < s->rank) {
		int from = sharding->rank++;
		memmove(sharding->first + from + 1, sharding->first + from, sizeof(int) * (size_t)(sharding->subgroups + 1));
		sharding->priority[from] = -1;
	}
}

/* A sharding of more dimensions than the value has (it was that of another shape of it): those that are not cut are
 * left out, the first ones first. */
static void fit_rank(struct resolving *s, sw_sharding *sharding, const char *which)
{
	int before = sharding->rank, cut = 0;
	for (int d = 0; d < sharding->rank; d++)
		cut += sw_sharding_cuts(sharding, d) > 1;
	if (sharding->kind != SW_SHARDING_TILED || before <= s->rank || cut > s->rank)
		return;
	for (int d = 0; d < sharding->rank && sharding->rank > s->rank;)
		if (sw_sharding_cuts(sharding, d) == 1)
			drop_dimension(sharding, d);
		else
			d++;
	remark(s, "the value has %d %s and '%s' %d: the ones not partitioned are left out", s->rank,
		s->rank == 1 ? "dimension" : "dimensions", which, before);
}

static bool refuse_rank(struct resolving *s)
{
	sw_diag_set(s->why, SW_N05, s->found->from.at, "the sharding has %d dimensions, the value %d", s->from->rank,
		s->rank);
	sw_diag_found(s->why, "%.*s", s->found->shape.text.length < 80 ? (int)s->found->shape.text.length : 80,
		s->found->shape.text.at);
	sw_diag_hint(s->why,
		"the warning is about the value before a reshape: give both shardings and the shape "
		"of that value");
	return false;
}

/* ---- the global shape ---- */

static bool globals_of_printed(struct resolving *s, int64_t *global)
{
	bool cut = s->from->kind == SW_SHARDING_TILED && s->from->first[s->from->rank] > 0;
	if (cut && s->from->rank != s->rank)
		return refuse_rank(s);
	for (int d = 0; d < s->rank; d++)
		if (!sw_mul(s->size[d], cut ? sw_sharding_cuts(s->from, d) : 1, &global[d]))
			return sw_diag_set(s->why, SW_T10, span_of(s, s->found->shape.text), "the array is too large");
	return true;
}

/* The least sizes that both cut evenly; with `all`, that all the devices divide. */
static bool globals_assumed(const struct resolving *s, bool all, int rank, int64_t *global)
{
	int64_t devices = s->from->mesh.devices > 1 ? s->from->mesh.devices : s->to->mesh.devices, product = 1;
	for (int d = 0; d < rank; d++) {
		int64_t a = d < s->from->rank ? sw_sharding_cuts(s->from, d) : 1;
		int64_t b = d < s->to->rank ? sw_sharding_cuts(s->to, d) : 1;
		global[d] = a / sw_gcd(a, b) * b;
		if (all && devices > 1)
			global[d] = global[d] / sw_gcd(global[d], devices) * devices;
		if (!sw_mul(product, global[d], &product) || product > ASSUMED_MOST)
			return false;
	}
	return true;
}

static bool is_tiled(const sw_sharding *sharding)
{
	return sharding->kind == SW_SHARDING_TILED;
}

/* Nobody says a shape: costs and peaks then are right up to a factor. */
static bool assume_shape(struct resolving *s, sw_type *shape)
{
	int64_t global[SW_MAX_DIMS];
	int rank = s->from->rank > s->to->rank ? s->from->rank : s->to->rank;
	if (!globals_assumed(s, true, rank, global) && !globals_assumed(s, false, rank, global))
		return sw_diag_set(s->why, SW_N03, s->found->at, "the shape of the array is unknown");
	s->pair->shape_is = SW_LOG_ASSUMED;
	if (s->found->shape_cut)
		remark(s, "the line is cut off inside the value's shape");
	return sw_type_replicated(SW_F32, rank, global, shape, s->why);
}

/* The text says it: of one device, or of the whole array. */
static bool shape_of_text(struct resolving *s, sw_type *shape)
{
	int64_t global[SW_MAX_DIMS];
	bool is_global = s->found->is_global;
	if (!read_shape(s))
		return false;
	extend_rank(s, s->from);
	extend_rank(s, s->to);
	fit_rank(s, s->from, "from");
	fit_rank(s, s->to, "to");
	memcpy(global, s->size, sizeof(global));
	memcpy(s->pair->size, s->size, sizeof(s->size));
	s->pair->rank = s->rank;
	s->pair->dtype = s->dtype;
	if ((!is_global && !globals_of_printed(s, global)) ||
		!sw_type_replicated(s->dtype, s->rank, global, shape, s->why))
		return false;
	shape->dtype_given = true;
	s->pair->shape_is = is_global ? SW_LOG_WRITTEN : SW_LOG_PRINTED;
	return true;
}

/* *known: what sw_sharding_problem gets; NULL: the shardings say it themselves, or are none. */
static bool find_shape(struct resolving *s, sw_type *shape, const sw_type **known)
{
	const sw_type *given = s->options ? s->options->shape : NULL;
	bool own = s->from->has_shape || s->to->has_shape, tiled = is_tiled(s->from) && is_tiled(s->to);
	*known = shape;
	if (s->found->shape.text.length)
		return shape_of_text(s, shape);
	if (given && tiled && given->rank == s->from->rank) {
		s->pair->shape_is = SW_LOG_GIVEN;
		*shape = *given;
		s->from->pads = s->to->pads = s->options->pads;
		return true;
	}
	if (!own && tiled)
		return assume_shape(s, shape);
	s->pair->shape_is = SW_LOG_WRITTEN;
	*known = NULL;
	return true;
}

/* ---- the problem ---- */

/* `placements`: letters are those of DTensor, as the other end is. */
static bool parse_text(struct resolving *s, sw_str text, bool placements, sw_sharding *sharding)
{
	const sw_type *shape = s->options ? s->options->shape : NULL;
	sw_notation_context context = {.mesh = s->options ? s->options->mesh : NULL,
		.rank = shape ? shape->rank : -1,
		.placements = placements,
		.numbers = s->found->kind == SW_LOG_PAIR && !s->found->warned};
	return sw_sharding_parse(text, &context, s->arena, sharding, s->why);
}

static bool parse(struct resolving *s, const sw_log_text *text, bool placements, sw_sharding *sharding)
{
	if (!parse_text(s, text->text, placements, sharding))
		return refuse_at(s, text);
	if (sharding->assumed_iota && !s->iota)
		remark(s, "devices 0, 1, 2, ... are assumed");
	s->iota |= sharding->assumed_iota;
	return true;
}

/* People who leave the devices out leave out more: the last count may be that of copies. */
static bool parse_shortened(struct resolving *s, const sw_log_text *text, sw_sharding *sharding)
{
	static const char missing[] = " last_tile_dim_replicate}";
	size_t length = text->text.length - 1;
	char *longer = sw_arena_alloc(s->arena, length + sizeof(missing), 1);
	if (!longer)
		return sw_diag_memory(s->why);
	memcpy(longer, text->text.at, length);
	memcpy(longer + length, missing, sizeof(missing));
	if (!parse_text(s, (sw_str){longer, length + strlen(missing)}, false, sharding))
		return refuse_at(s, text);
	remark(s, "'last_tile_dim_replicate' is assumed in %.*s", (int)(length < 80 ? length + 1 : 80), text->text.at);
	return true;
}

/* Letters that another system prints alike. */
static void remark_letters(struct resolving *s, const sw_sharding *sharding)
{
	if (sharding->two_ways && sharding->note)
		remark(s, "%.*s", (int)strcspn(sharding->note, "\n"), sharding->note);
}

/* Both ends; one that is of a dimension too many lacks a word. */
static bool parse_ends(struct resolving *s)
{
	const sw_log_text *from = &s->found->from, *to = &s->found->to;
	if (!parse(s, from, false, s->from) || !parse(s, to, false, s->to) ||
		(sw_sharding_settles(s->from, s->to) && !parse(s, from, true, s->from)) ||
		(sw_sharding_settles(s->to, s->from) && !parse(s, to, true, s->to)))
		return false;
	remark_letters(s, s->from);
	remark_letters(s, s->to);
	int more = s->to->rank - s->from->rank;
	bool to_shortened = more == 1 && s->to->assumed_iota && !s->to->subgroups;
	bool from_shortened = more == -1 && s->from->assumed_iota && !s->from->subgroups;
	if (to_shortened)
		return parse_shortened(s, to, s->to);
	return !from_shortened || parse_shortened(s, from, s->from);
}

/* Both over the mesh that the caller has; where that cannot be, `refused` says why. */
static bool over_mesh(struct resolving *s, const sw_type *shape, sw_reading *reading, sw_diag *refused)
{
	const sw_mesh *mesh = s->options ? s->options->mesh : NULL;
	sw_problem *problem = &reading->problem;
	if (!mesh || s->found->own_mesh)
		return false;
	*reading = (sw_reading){.problem = {.mesh = *mesh}};
	if (!sw_sharding_over(s->from, mesh, shape, s->arena, &problem->from, refused) ||
		!sw_sharding_over(s->to, mesh, shape ? shape : &problem->from, s->arena, &problem->to, refused))
		return false;
	sw_type_agree(&problem->from, &problem->to);
	return sw_type_redistributable(&problem->from, &problem->to, NULL);
}

/* Axes that are found are not those of the caller's mesh of as many devices, whatever their names. */
static void say_found(struct resolving *s, const sw_reading *reading, const sw_diag *refused)
{
	const sw_mesh *mesh = s->options ? s->options->mesh : NULL;
	if (mesh && reading->found_mesh && refused->code == SW_N05 && mesh->devices == s->pair->devices)
		remark(s, "%s: the axes of the warning are different ones, even if they have the same names",
			refused->message);
}

/* XLA pads where a size does not divide; others do only where that was asked for. */
static bool may_pad(const struct resolving *s)
{
	return s->pair->shape_is == SW_LOG_PRINTED || s->found->kind != SW_LOG_PAIR || (s->options && s->options->pads);
}

/* Would XLA pad this dimension to another size for one of the ends that cut it? */
static bool pads_otherwise(const sw_problem *problem, int d)
{
	const sw_type *ends[] = {&problem->from, &problem->to};
	for (int k = 0; k < 2; k++) {
		int64_t cuts = ends[k]->global[d] / ends[k]->tile[d];
		if (cuts > 1 && ends[k]->global[d] - sw_type_size(ends[k], d) >= cuts)
			return true;
	}
	return false;
}

static void say_padding(struct resolving *s, const sw_problem *problem)
{
	const sw_type *type = &problem->from;
	for (int d = 0; d < type->rank; d++)
		if (sw_type_size(type, d) != type->global[d])
			remark(s, "dimension %d of %" PRId64 " is padded to %" PRId64 ", %s", d, sw_type_size(type, d),
				type->global[d],
				pads_otherwise(problem, d) ? "which both ends divide; XLA pads each "
											 "separately" :
											 "as XLA does");
}

/* A compiler speaks of the devices of one program. */
static bool refuse_devices(struct resolving *s)
{
	int64_t from = s->from->mesh.devices, to = s->to->mesh.devices;
	if (s->found->kind == SW_LOG_PAIR && !s->found->warned)
		return false;
	if (from == to || from == 0 || to == 0 || !is_tiled(s->from) || !is_tiled(s->to))
		return false;
	sw_diag_set(s->why, SW_N05, s->found->to.at, "one sharding is over %" PRId64 " devices, the other over %" PRId64,
		from, to);
	sw_diag_expected(s->why, "both of one array on the same devices");
	return true;
}

/* What the second sharding leaves to the compiler is taken to stay. */
static void fill_open(struct resolving *s, sw_problem *problem)
{
	sw_type asked = problem->to;
	if (!is_tiled(s->to) || !s->to->open || s->to->rank != problem->to.rank || sw_problem_has_words(problem))
		return;
	sw_fill_open(&problem->from, s->to->open, &problem->to);
	if (!sw_type_same_map(&problem->mesh, &asked, &problem->to))
		remark(s, "what the second sharding leaves to the compiler is assumed to stay as it is");
}

static bool join(struct resolving *s, sw_type *shape, const sw_type *known, sw_reading *reading)
{
	sw_arena_mark mark = sw_arena_here(s->arena);
	sw_diag refused = {.code = SW_OK};
	if (refuse_devices(s))
		return false;
	if (over_mesh(s, known, reading, &refused))
		return true;
	if (sw_sharding_problem(s->from, s->to, known, s->arena, reading, s->why)) {
		say_found(s, reading, &refused);
		return true;
	}
	sw_arena_back(s->arena, mark);
	if (s->why->code != SW_T04 || known != shape || !may_pad(s))
		return false;
	s->from->pads = s->to->pads = true;
	if (!over_mesh(s, shape, reading, &refused)) {
		if (!sw_sharding_problem(s->from, s->to, shape, s->arena, reading, s->why))
			return false;
		say_found(s, reading, &refused);
	}
	s->why->code = SW_OK;
	say_padding(s, &reading->problem);
	return true;
}

static bool refuse_cut(struct resolving *s)
{
	sw_diag_set(s->why, SW_N01, s->found->from.at, "the warning ends before its second sharding does");
	sw_diag_expected(s->why, "sharding A to B");
	sw_diag_hint(s->why, "the log was cut off here: take the whole line");
	return false;
}

/* Is it the text itself that is wrong, whatever is known beside it? */
static bool is_garbled(const sw_diag *why)
{
	return why->code == SW_N01 || why->code == SW_L06;
}

/* A sharding on one side of an arrow. */
static bool refuse_half(struct resolving *s, bool *read)
{
	const sw_log_text *there = s->found->from.text.length ? &s->found->from : &s->found->to;
	*read = true;
	if (!parse(s, there, false, s->from) && is_garbled(s->why))
		return false;
	sw_diag_set(s->why, SW_N01, there->at, "there is no sharding %s the arrow",
		there == &s->found->from ? "after" : "before");
	sw_diag_expected(s->why, "A -> B");
	return false;
}

/* Can the text be read, were all known that it does not say? */
static bool is_read(struct resolving *s, const sw_log_text *text)
{
	sw_diag *why = s->why, own = {.code = SW_OK};
	s->why = &own;
	bool ok = parse_text(s, text->text, false, s->to);
	s->why = why;
	return ok || !is_garbled(&own);
}

/* ---- what does not fit ---- */

static bool has_tiles(const sw_sharding *sharding)
{
	bool tiles = sharding->kind == SW_SHARDING_TILED;
	for (int i = 0; i < sharding->subgroups; i++)
		tiles &= sharding->subgroup[i] == SW_SUBGROUP_REPLICATED;
	return tiles;
}

/* The first size that one of them cannot cut; NULL: they can. */
static const sw_str *uneven_size(const struct resolving *s)
{
	bool global = s->found->is_global;
	for (int d = 0; d < s->rank; d++) {
		int64_t a = d < s->from->rank && global ? sw_sharding_cuts(s->from, d) : 1;
		int64_t b = d < s->to->rank ? sw_sharding_cuts(s->to, d) : 1;
		if (s->size[d] % a || s->size[d] % b)
			return &s->size_at[d];
	}
	return NULL;
}

/* What of a pair that is no problem stands in its way: a size, one of the ends, or all of it. */
static sw_span misfit(const struct resolving *s)
{
	const sw_str *size = s->why->code == SW_T04 ? uneven_size(s) : NULL;
	if (size)
		return span_of(s, *size);
	if (s->why->code == SW_N02 && has_tiles(s->from) != has_tiles(s->to))
		return has_tiles(s->from) ? s->found->to.at : s->found->from.at;
	if (s->why->code == SW_N02 && !has_tiles(s->from))
		return s->found->from.at;
	return s->why->code == SW_N05 ? s->found->to.at : s->found->at;
}

static bool solve(struct resolving *s, sw_reading *reading, bool *read)
{
	sw_type shape;
	const sw_type *known;
	*read = true;
	if (s->found->cut)
		return refuse_cut(s);
	if (s->found->half)
		return refuse_half(s, read);
	if (!parse_ends(s)) {
		*read = !is_garbled(s->why) || is_read(s, &s->found->from) || is_read(s, &s->found->to);
		return false;
	}
	s->pair->ends[0] = s->from;
	s->pair->ends[1] = s->to;
	s->pair->devices = s->from->mesh.devices > s->to->mesh.devices ? s->from->mesh.devices : s->to->mesh.devices;
	s->pair->two_meshes = s->from->own_mesh && s->to->own_mesh && s->from->named && s->to->named &&
		!sw_mesh_equal(&s->from->mesh, &s->to->mesh);
	if (!find_shape(s, &shape, &known))
		return false;
	if (!join(s, &shape, known, reading)) {
		s->why->at = misfit(s);
		return false;
	}
	fill_open(s, &reading->problem);
	if (*reading->remark)
		remark(s, "%s", reading->remark);
	if (s->found->kind == SW_LOG_INDIVISIBLE)
		remark(s, "only one sharding is named: before it, the array is assumed whole on every device");
	s->pair->found_mesh = reading->found_mesh;
	return true;
}

static const char *text_or_null(sw_arena *arena, sw_str text, bool *memory)
{
	const char *copy = text.length ? sw_arena_copy(arena, text.at, text.length) : NULL;
	*memory &= !text.length || copy;
	return copy;
}

bool sw_log_resolve(const sw_log_found *found, const sw_log_options *options, sw_arena *arena,
	sw_log_resolved *resolved, sw_log_pair *pair, bool *read, sw_diag *diag)
{
	bool memory = true;
	struct resolving s = {.found = found,
		.options = options,
		.arena = arena,
		.pair = pair,
		.from = &resolved->ends[0],
		.to = &resolved->ends[1],
		.why = &resolved->why};
	pair->at = found->at;
	pair->kind = found->kind;
	pair->from = text_or_null(arena, found->shown[0].length ? found->shown[0] : found->from.text, &memory);
	pair->to = text_or_null(arena, found->shown[1].length ? found->shown[1] : found->to.text, &memory);
	pair->frame = found->frame;
	pair->source = text_or_null(arena, found->source, &memory);
	pair->shape = text_or_null(arena, found->shape.text, &memory);
	pair->op = text_or_null(arena, found->op, &memory);
	pair->operand = text_or_null(arena, found->operand, &memory);
	pair->op_name = text_or_null(arena, found->op_name, &memory);
	resolved->why.code = SW_OK;
	resolved->is_problem = solve(&s, &resolved->reading, read);
	if (s.remark.length)
		pair->remark = text_or_null(arena, (sw_str){sw_text_get(&s.remark), s.remark.length}, &memory);
	memory &= !s.remark.failed && resolved->why.code != SW_E01;
	sw_text_free(&s.remark);
	memory = memory && sw_log_mean(found, arena, resolved, pair);
	return memory ? true : sw_diag_memory(diag);
}
