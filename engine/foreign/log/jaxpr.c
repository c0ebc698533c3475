/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jaxprs, as JAX prints them:
 *
 *     { lambda ; a:f32[16,64]. let
 *         b:f32[16,64] = sharding_constraint[
 *           sharding=NamedSharding(mesh=Mesh('x': 2, 'y': 4), spec=P('x', None), memory_kind=device)
 *         ] a
 *         c:f32[8,8]{V:(x,y)} = psum[axes=('y',) axis_index_groups=None] b
 *       in (c,) }
 *
 * An equation is run as often as the loops around it say; what a shard_map does is of one device.  Constraints are pairs where
 * something before them says what the value has.
 */
#define _GNU_SOURCE
#include "foreign/log/jaxpr.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/counter.h"
#include "base/python.h"

#define BEAT 1024     /* equations */
#define DEPTH_MOST 64 /* jaxprs in each other */
#define EQUATIONS_MOST 1000000
#define NAMED_MOST 256
#define COLOUR_MOST 16 /* bytes of an escape */
#define RUNS_OF(a, b) ((a) > SW_RUNS_MOST / ((b) > 0 ? (b) : 1) ? SW_RUNS_MOST : (a) * (b))

static const sw_str none = {"", 0};

/* One jaxpr while it is read, with what is around it. */
struct frame {
	sw_log_values values;
	const sw_mesh *mesh; /* of the shard_map around it; NULL: none */
	int64_t runs, loop;
	bool open;
	int depth;
	struct frame *outer; /* a call's: its operands are the inputs, its results the outputs; NULL: neither is known */
	sw_str operands;     /* in the frame outside; empty: nothing is known of the inputs */
	bool once;           /* its results are those of the equation around it */
};

struct reading {
	sw_log_printed *to;
	size_t counted; /* bytes whose lines are counted */
	int64_t line;
	int64_t equations;
	int named; /* jaxprs that stand before the program, by name */
	sw_log_value body[NAMED_MOST];
};

/* An equation. */
struct equation {
	sw_str outs, name, params, operands;
	int64_t line;
};

static bool read_jaxpr(struct reading *r, sw_str text, struct frame *frame, const struct equation *around);

/* ---- words ---- */

static int64_t line_at(struct reading *r, const char *at)
{
	size_t goal = (size_t)(at - r->to->text.at);
	if (goal < r->counted) {
		r->counted = 0;
		r->line = 1;
	}
	while (r->counted < goal) {
		const char *end = memchr(r->to->text.at + r->counted, '\n', goal - r->counted);
		r->line += end != NULL;
		r->counted = end ? (size_t)(end - r->to->text.at) + 1 : goal;
	}
	return r->line;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static sw_str skip_blanks(sw_str text)
{
	size_t at = 0;
	while (at < text.length && is_blank(text.at[at]))
		at++;
	return sw_str_behind(text, at);
}

static sw_str before_blank(sw_str text)
{
	size_t length = 0;
	while (length < text.length && !is_blank(text.at[length]))
		length++;
	return (sw_str){text.at, length};
}

/* The next word of a list with blanks between them. */
static sw_str next_word(sw_str *list)
{
	*list = skip_blanks(*list);
	sw_str word = before_blank(*list);
	*list = sw_str_behind(*list, word.length);
	return word;
}

/* `c:f32[8,8]{V:(x,y)}`: the name, and the type without what follows its sizes. */
static sw_str name_of(sw_str word, sw_str *type)
{
	const char *colon = memchr(word.at, ':', word.length);
	*type = colon ? sw_str_behind(word, (size_t)(colon - word.at) + 1) : none;
	const char *close = type->length ? memchr(type->at, ']', type->length) : NULL;
	*type = close ? (sw_str){type->at, (size_t)(close - type->at) + 1} : none;
	return colon ? (sw_str){word.at, (size_t)(colon - word.at)} : word;
}

static size_t closed(sw_str text, size_t at)
{
	size_t end = sw_str_balanced(text, at, SW_NESTING_PYTHON);
	return end ? end : sw_str_balanced(text, at, SW_NESTING_PLAIN);
}

/* The value that begins here: `NamedSharding(...)`, `{ lambda ... }`, `('x', 'y')`, `None`. */
static sw_str value_at(sw_str text)
{
	size_t at = 0;
	while (at < text.length && !is_blank(text.at[at]) && !strchr("([{", text.at[at]))
		at++;
	size_t end = at < text.length && !is_blank(text.at[at]) ? closed(text, at) : at;
	return (sw_str){text.at, end};
}

/* The value of `key=` among parameters; empty: it is not there. */
static sw_str param(sw_str params, const char *key)
{
	int depth = 0;
	size_t length = strlen(key);
	for (size_t at = 0; at < params.length; at = sw_str_step(params, at, SW_NESTING_PYTHON, &depth)) {
		sw_str rest = {params.at + at, params.length - at};
		if (depth == 0 && (!at || is_blank(params.at[at - 1])) && rest.length > length && rest.at[length] == '=' &&
			memcmp(rest.at, key, length) == 0)
			return value_at(sw_str_behind(rest, length + 1));
	}
	return none;
}

static sw_str inside(sw_str value)
{
	return value.length > 1 && strchr("([{", *value.at) ? sw_str_inner(value) : none;
}

/* ---- values ---- */

/* Without the element type, which a conversion changes. */
static sw_str sizes_of(sw_str type)
{
	const char *open = type.length ? memchr(type.at, '[', type.length) : NULL;
	return open ? sw_str_behind(type, (size_t)(open - type.at)) : none;
}

static bool learn(struct reading *r, struct frame *frame, sw_str word, sw_str sharding)
{
	sw_str type, name = name_of(word, &type);
	sw_log_value *value = name.length ? sw_log_value_add(&frame->values, name, r->to->work) : NULL;
	if (value) {
		value->type = type;
		value->sharding = sharding;
		value->spread = none;
	}
	return value || !name.length || sw_diag_memory(r->to->diag);
}

/* What is known of the next operand, whose sizes are those of the input. */
static sw_str sharding_given(struct frame *frame, sw_str input)
{
	sw_str type, word = next_word(&frame->operands);
	const sw_log_value *value = frame->outer ? sw_log_value_find(&frame->outer->values, word) : NULL;
	name_of(input, &type);
	return value && sw_str_equal(sizes_of(value->type), sizes_of(type)) ? value->sharding : none;
}

static sw_str sharding_of(const struct frame *frame, sw_str name)
{
	const sw_log_value *value = sw_log_value_find(&frame->values, name);
	return value ? value->sharding : none;
}

static bool is_sharding(sw_str text)
{
	return sw_str_starts(text, "NamedSharding(");
}

/* ---- constraints ---- */

static sw_log_text text_at(const struct reading *r, sw_str part)
{
	size_t at = (size_t)(part.at - r->to->text.at);
	return (sw_log_text){.text = part, .at = {at, at + part.length}};
}

/* `P('x', None)` of a NamedSharding. */
static sw_str short_of(sw_str sharding)
{
	static const char key[] = "spec=";
	const char *at = is_sharding(sharding) ? memmem(sharding.at, sharding.length, key, sizeof(key) - 1) : NULL;
	return at ? value_at(sw_str_behind(sharding, (size_t)(at - sharding.at) + sizeof(key) - 1)) : none;
}

/* A value of this type gets a sharding that it may not have. */
static bool ask(struct reading *r, const struct frame *frame, sw_str name, sw_str type, const sw_str ends[2])
{
	const sw_str from = ends[0], to = ends[1];
	r->to->asked++;
	if (!from.length) {
		r->to->unsaid_line = r->to->unsaid++ ? r->to->unsaid_line : line_at(r, name.at);
		return true;
	}
	if (sw_str_equal(from, to))
		return true;
	sw_log_found found = {.from = text_at(r, from),
		.to = text_at(r, to),
		.shape = is_sharding(from) ? text_at(r, type) : (sw_log_text){.text = none},
		.shown = {short_of(from), short_of(to)},
		.kind = SW_LOG_ASKED,
		.is_global = true,
		.value = name,
		.runs = frame->runs,
		.loop = frame->loop,
		.open = frame->open};
	found.at = text_at(r, name).at;
	found.message_end = found.at.end;
	return r->to->take(r->to->context, &found, sw_arena_here(r->to->work));
}

static bool read_constraint(struct reading *r, struct frame *frame, const struct equation *e)
{
	sw_str outs = e->outs, operands = e->operands, out = next_word(&outs), operand = next_word(&operands);
	sw_str to = param(e->params, "sharding"), free = param(e->params, "unconstrained_dims"), type;
	sw_str name = name_of(out, &type);
	bool whole = is_sharding(to) && (!free.length || sw_str_is(free, "frozenset({})"));
	if (!whole)
		return learn(r, frame, out, none);
	return ask(r, frame, name, type, (const sw_str[]){sharding_of(frame, operand), to}) && learn(r, frame, out, to);
}

/* Of explicit axes types say the shardings: `b:f32[16,32@y] = reshard a`. */
static bool read_reshard(struct reading *r, struct frame *frame, const struct equation *e)
{
	sw_str outs = e->outs, operands = e->operands, out = next_word(&outs), operand = next_word(&operands), type;
	const sw_log_value *value = sw_log_value_find(&frame->values, operand);
	sw_str name = name_of(out, &type), before = value ? value->type : none;
	bool named = before.length && (memchr(before.at, '@', before.length) || memchr(type.at, '@', type.length));
	return (!named || ask(r, frame, name, type, (const sw_str[]){before, type})) && learn(r, frame, out, none);
}

/* ---- collectives ---- */

static const struct call_row {
	const char *name, *axes;
	sw_traffic_kind kind;
} calls[] = {
	{"psum", "axes", SW_TRAFFIC_REDUCE},
	{"psum2", "axes", SW_TRAFFIC_REDUCE},
	{"psum_invariant", "axes", SW_TRAFFIC_REDUCE},
	{"pmax", "axes", SW_TRAFFIC_REDUCE},
	{"pmin", "axes", SW_TRAFFIC_REDUCE},
	{"all_gather", "axis_name", SW_TRAFFIC_GATHER},
	{"all_gather_invariant", "axis_name", SW_TRAFFIC_GATHER},
	{"all_gather_reduced", "axis_name", SW_TRAFFIC_GATHER},
	{"all_to_all", "axis_name", SW_TRAFFIC_EXCHANGE},
	{"ppermute", "axis_name", SW_TRAFFIC_PERMUTE},
	{"reduce_scatter", "axis_name", SW_TRAFFIC_SCATTER},
	{"unreduced_reduce_scatter", "axis_name", SW_TRAFFIC_SCATTER},
	{"ragged_all_to_all", "axis_name", SW_TRAFFIC_RAGGED},
	{"pbroadcast", "axis_name", SW_TRAFFIC_BROADCAST},
};

static const struct call_row *call_of(sw_str name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (sw_str_is(name, calls[i].name))
			return &calls[i];
	return NULL;
}

static double bytes_of(sw_str outs)
{
	double bytes = 0;
	for (sw_str word = next_word(&outs), type; word.length; word = next_word(&outs)) {
		name_of(word, &type);
		bytes += type.length ? traffic_type_bytes(type) : 0;
	}
	return bytes;
}

static bool keep(struct reading *r, sw_str text, const char **out)
{
	char *copy = sw_arena_copy(r->to->arena, text.at, text.length);
	*out = copy;
	return copy || sw_diag_memory(r->to->diag);
}

/* A whole number that is written: `8:i32[]`. */
static bool literal_of(sw_str word, int64_t *number)
{
	sw_str type;
	return sw_read_int(name_of(word, &type), number, NULL) && type.length;
}

/* Of `f32[8,16]` the 8. */
static bool first_size(sw_str type, int64_t *size)
{
	sw_str list = inside(sizes_of(type));
	const char *comma = list.length ? memchr(list.at, ',', list.length) : NULL;
	return sw_read_int((sw_str){list.at, comma ? (size_t)(comma - list.at) : list.length}, size, NULL) && *size > 0;
}

/* Others bring as many rows as the last operand says, where one number was spread over it. */
static void weigh_ragged(const struct frame *frame, const struct equation *e, int64_t size, sw_traffic_row *row)
{
	sw_str operands = e->operands, sizes = none, type, outs = e->outs;
	int64_t rows, count, number;
	for (int k = 0; k < 6; k++)
		sizes = next_word(&operands);
	const sw_log_value *value = sw_log_value_find(&frame->values, sizes);
	name_of(next_word(&outs), &type);
	if (!value || !literal_of(value->spread, &number) || number < 1 || number > SW_RUNS_MOST || size < 1 ||
		!first_size(value->type, &count) || !first_size(type, &rows) || count % size != 0)
		return;
	row->bytes = bytes_of(e->outs) / (double)rows * (double)number * (double)(count - count / size);
	row->mean = row->bytes;
	row->at_most = false;
}

static bool read_collective(struct reading *r, struct frame *frame, const struct equation *e,
	const struct call_row *call)
{
	sw_jaxpr_axes axes;
	const sw_mesh *mesh = frame->mesh ? frame->mesh : r->to->options ? r->to->options->mesh : NULL;
	sw_traffic_row *row = sw_log_printed_row(r->to, call->kind, e->line);
	sw_str word, outs = e->outs, name = next_word(&outs), type;
	if (!row)
		return false;
	sw_jaxpr_axes_read(param(e->params, call->axes), param(e->params, "axis_index_groups"),
		param(e->params, "axis_size"), mesh, &axes);
	row->at_most = !axes.known || call->kind == SW_TRAFFIC_RAGGED;
	row->runs = frame->runs;
	row->loop = frame->loop;
	row->open = frame->open;
	traffic_groups groups = call->kind == SW_TRAFFIC_PERMUTE ?
		sw_jaxpr_pairs(&axes, param(e->params, "perm"), mesh, r->to->work) :
		sw_log_printed_groups(axes.size, axes.devices);
	traffic_weigh(row, bytes_of(e->outs), &groups, axes.devices);
	if (call->kind == SW_TRAFFIC_RAGGED && axes.known)
		weigh_ragged(frame, e, axes.size, row);
	for (outs = e->outs; (word = next_word(&outs)).length;)
		if (!learn(r, frame, word, none))
			return false;
	return keep(r, name_of(name, &type), &row->name);
}

/* ---- jaxprs in each other ---- */

/* What is around a jaxpr, for one that stands in this equation. */
static struct frame frame_within(const struct frame *frame)
{
	struct frame inner = *frame;
	inner.values = (sw_log_values){0};
	inner.depth++;
	inner.outer = NULL;
	inner.operands = none;
	inner.once = false;
	return inner;
}

static sw_str named(const struct reading *r, sw_str name)
{
	for (int i = 0; i < r->named; i++)
		if (sw_str_equal(r->body[i].name, name))
			return r->body[i].type;
	return name;
}

static bool read_inner(struct reading *r, const struct frame *inner, sw_str value, const struct equation *e)
{
	struct frame own = *inner;
	value = named(r, value);
	return !sw_str_starts(value, "{") || own.depth > DEPTH_MOST || read_jaxpr(r, inside(value), &own, e);
}

static bool read_shard_map(struct reading *r, struct frame *inner, const struct equation *e)
{
	inner->operands = none; /* a shard's values are of one device */
	sw_str text = param(e->params, "mesh");
	sw_diag ignored;
	sw_sharding *sharding = text.length ? SW_NEW_ZERO(r->to->work, sw_sharding, 1) : NULL;
	if (text.length && !sharding)
		return sw_diag_memory(r->to->diag);
	if (sharding && sw_sharding_parse(text, NULL, r->to->work, sharding, &ignored) &&
		sharding->kind == SW_SHARDING_MESH && sharding->mesh.count)
		inner->mesh = &sharding->mesh;
	return read_inner(r, inner, param(e->params, "jaxpr"), NULL);
}

static bool read_scan(struct reading *r, struct frame *inner, const struct equation *e)
{
	int64_t length;
	inner->loop = e->line;
	inner->operands = none; /* what one round makes is the next one's */
	if (sw_read_int(param(e->params, "length"), &length, NULL) && length >= 0)
		inner->runs = RUNS_OF(inner->runs, length);
	else
		inner->open = true;
	return read_inner(r, inner, param(e->params, "jaxpr"), NULL);
}

/* ---- loops that count ---- */

static int64_t number_of(sw_str params, const char *key)
{
	int64_t number;
	return sw_read_int(param(params, key), &number, NULL) && number >= 0 && number < EQUATIONS_MOST ? number : 0;
}

static sw_str word_of(sw_str list, int64_t k)
{
	sw_str word = next_word(&list);
	for (; k > 0 && word.length; k--)
		word = next_word(&list);
	return k == 0 ? word : none;
}

static bool cut_text(sw_str *text, struct equation *e);

/* A jaxpr without its braces: `lambda ; a:i32[]. let ... in (b,)`. */
struct lambda {
	sw_str inputs, equations, results;
};

static bool cut_lambda(const struct reading *r, sw_str value, struct lambda *out)
{
	struct equation e;
	sw_str text = skip_blanks(inside(named(r, value)));
	const char *let = memmem(text.at, text.length, ". let", strlen(". let"));
	if (!sw_str_starts(text, "lambda ;") || !let)
		return false;
	size_t head = strlen("lambda ;"), end = (size_t)(let - text.at);
	out->inputs = (sw_str){text.at + head, end > head ? end - head : 0};
	out->equations = skip_blanks(sw_str_behind(text, end + strlen(". let")));
	sw_str rest = out->equations;
	while (rest.length && !sw_str_starts(rest, "in ")) {
		cut_text(&rest, &e);
		rest = skip_blanks(rest);
	}
	out->results = sw_str_starts(rest, "in ") ? inside(value_at(sw_str_behind(rest, 3))) : none;
	return out->results.length > 0;
}

static sw_str result_of(const struct lambda *of, int64_t k)
{
	sw_str list = of->results;
	sw_py_item item = {.text = none};
	for (int64_t i = 0; i <= k; i++)
		if (!sw_py_take(&list, &item))
			return none;
	return item.text;
}

/* The equation that makes the one value of this name. */
static bool maker_of(const struct lambda *of, sw_str name, struct equation *e)
{
	sw_str rest = of->equations, type;
	while (name.length && rest.length && !sw_str_starts(rest, "in ")) {
		if (cut_text(&rest, e) && sw_str_equal(name_of(sw_str_trim(e->outs), &type), name))
			return true;
		rest = skip_blanks(rest);
	}
	return false;
}

/* Which of the values that go from round to round is this input; -1: none. */
static int64_t carried_at(const struct lambda *of, int64_t constants, sw_str name)
{
	sw_str list = of->inputs, word, type;
	for (int64_t k = 0; (word = next_word(&list)).length; k++)
		if (sw_str_equal(name_of(word, &type), name))
			return k - constants;
	return -1;
}

/* A while loop: condition, body, their constants, and all that it is given. */
struct loop {
	struct lambda condition, body;
	int64_t constants[2];
	sw_str given;
};

/* What is carried there in every round: it begins so, and the body gives it on. */
static bool constant_at(const struct loop *l, int64_t k, int64_t *number)
{
	sw_str type, input = name_of(word_of(l->body.inputs, l->constants[1] + k), &type);
	return k >= 0 && sw_str_equal(result_of(&l->body, k), input) &&
		literal_of(word_of(l->given, l->constants[0] + l->constants[1] + k), number);
}

/* What the condition compares a carried value with; *flipped: it is on the right. */
static int64_t compared(const struct loop *l, sw_str operands, int64_t *limit, bool *flipped)
{
	sw_str side[2] = {word_of(operands, 0), word_of(operands, 1)};
	for (int k = 0; k < 2; k++) {
		int64_t other = carried_at(&l->condition, l->constants[0], side[1 - k]);
		*flipped = k == 1;
		if (literal_of(side[1 - k], limit) || constant_at(l, other, limit))
			return carried_at(&l->condition, l->constants[0], side[k]);
	}
	return -1;
}

/* By how much the body changes it. */
static bool stepped(const struct loop *l, int64_t k, int64_t *step)
{
	struct equation e;
	sw_str type, input = name_of(word_of(l->body.inputs, l->constants[1] + k), &type);
	if (!maker_of(&l->body, result_of(&l->body, k), &e) || !input.length)
		return false;
	sw_str left = word_of(e.operands, 0), right = word_of(e.operands, 1);
	if (sw_str_is(e.name, "add"))
		return (sw_str_equal(left, input) && literal_of(right, step)) ||
			(sw_str_equal(right, input) && literal_of(left, step));
	return sw_str_is(e.name, "sub") && sw_str_equal(left, input) && literal_of(right, step) &&
		sw_mul(*step, -1, step);
}

/* How often a loop runs whose counter starts, steps and ends at numbers that are written; -1: it is none. */
static int64_t rounds_of(const struct reading *r, const struct equation *e)
{
	static const struct {
		const char *name, *direction, *flipped;
	} rows[] = {{"lt", "LT", "GT"}, {"le", "LE", "GE"}, {"gt", "GT", "LT"}, {"ge", "GE", "LE"}, {"ne", "NE", "NE"}};
	struct loop l = {.constants = {number_of(e->params, "cond_nconsts"), number_of(e->params, "body_nconsts")},
		.given = e->operands};
	struct equation asked;
	int64_t start, step, limit;
	bool flipped;
	if (!cut_lambda(r, param(e->params, "cond_jaxpr"), &l.condition) ||
		!cut_lambda(r, param(e->params, "body_jaxpr"), &l.body) ||
		!maker_of(&l.condition, result_of(&l.condition, 0), &asked))
		return -1;
	int64_t k = compared(&l, asked.operands, &limit, &flipped);
	if (k < 0 || !literal_of(word_of(l.given, l.constants[0] + l.constants[1] + k), &start) || !stepped(&l, k, &step))
		return -1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (sw_str_is(asked.name, rows[i].name))
			return sw_counter_rounds(start, step, limit, sw_str_of(flipped ? rows[i].flipped : rows[i].direction));
	return -1;
}

static bool read_while(struct reading *r, struct frame *inner, const struct equation *e)
{
	int64_t rounds = rounds_of(r, e);
	struct frame condition;
	inner->loop = e->line;
	inner->open |= rounds < 0;
	inner->operands = none;
	condition = *inner;
	inner->runs = rounds < 0 ? inner->runs : RUNS_OF(inner->runs, rounds);
	condition.runs = rounds < 0 ? condition.runs : RUNS_OF(condition.runs, rounds + 1);
	return read_inner(r, inner, param(e->params, "body_jaxpr"), NULL) &&
		read_inner(r, &condition, param(e->params, "cond_jaxpr"), NULL);
}

static double moved(const sw_traffic *traffic, int from, int to)
{
	double bytes = 0;
	for (int i = from; i < to; i++)
		bytes += sw_traffic_bytes(&traffic->row[i]);
	return bytes;
}

static void drop(const sw_traffic *traffic, int from, int to)
{
	for (int i = from; i < to; i++) {
		traffic->row[i].untaken = true;
		traffic->row[i].runs = 0;
	}
}

/* Only the branch that moves most counts. */
static bool read_cond(struct reading *r, struct frame *inner, const struct equation *e)
{
	sw_traffic *traffic = r->to->traffic;
	sw_str list = inside(param(e->params, "branches"));
	next_word(&inner->operands);
	int first = traffic->count, best = first, best_end = first;
	for (list = skip_blanks(list); list.length; list = skip_blanks(list)) {
		sw_str value = value_at(list);
		int before = traffic->count;
		if (!value.length || !read_inner(r, inner, value, NULL))
			return !value.length;
		bool more = moved(traffic, before, traffic->count) > moved(traffic, best, best_end);
		drop(traffic, more ? best : before, more ? best_end : traffic->count);
		best = more ? before : best;
		best_end = more ? traffic->count : best_end;
		list = skip_blanks(sw_str_behind(list, value.length));
		list = sw_str_starts(list, ",") ? sw_str_behind(list, 1) : list;
	}
	traffic->branches += traffic->count > first;
	return true;
}

/* `jit`, `remat` and others: each jaxpr among the parameters runs once. */
static bool read_call(struct reading *r, struct frame *inner, const struct equation *e)
{
	static const char *const keys[] = {"jaxpr", "call_jaxpr", "fun_jaxpr"};
	inner->once = true;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		sw_str value = param(e->params, keys[i]);
		if (value.length)
			return read_inner(r, inner, value, e);
	}
	return true;
}

static const struct nest_row {
	const char *name;
	bool (*read)(struct reading *r, struct frame *inner, const struct equation *e);
} nests[] = {{"shard_map", read_shard_map}, {"scan", read_scan}, {"while", read_while}, {"cond", read_cond}};

static bool read_nest(struct reading *r, struct frame *frame, const struct equation *e)
{
	struct frame inner = frame_within(frame);
	inner.outer = frame;
	inner.operands = e->operands;
	if (!memmem(e->params.at, e->params.length, "jaxpr", strlen("jaxpr")) &&
		!memmem(e->params.at, e->params.length, "lambda", strlen("lambda")))
		return true;
	for (size_t i = 0; i < sizeof(nests) / sizeof(*nests); i++)
		if (sw_str_is(e->name, nests[i].name))
			return nests[i].read(r, &inner, e);
	return read_call(r, &inner, e);
}

/* ---- equations ---- */

/* Results of these have what an operand of the same type has. */
static const char *const alike[] = {"add", "sub", "mul", "div", "max", "min", "neg", "exp", "log", "tanh", "logistic",
	"sqrt", "rsqrt", "abs", "sign", "integer_pow", "pow", "square", "sin", "cos", "copy", "convert_element_type",
	"select_n", "stop_gradient", "add_any", "optimization_barrier"};

static bool is_alike(sw_str name)
{
	for (size_t i = 0; i < sizeof(alike) / sizeof(*alike); i++)
		if (sw_str_is(name, alike[i]))
			return true;
	return false;
}

static sw_str sharding_alike(const struct frame *frame, const struct equation *e, sw_str type)
{
	sw_str operands = e->operands, word;
	while (is_alike(e->name) && (word = next_word(&operands)).length) {
		const sw_log_value *value = sw_log_value_find(&frame->values, word);
		if (value && value->sharding.length && sw_str_equal(sizes_of(value->type), sizes_of(type)))
			return value->sharding;
	}
	return none;
}

/* The item of a list of shardings with this number, if it is one. */
static sw_str listed(sw_str list, int number)
{
	sw_py_item item = {.text = none};
	list = inside(list);
	for (int i = 0; i <= number; i++)
		if (!sw_py_take(&list, &item))
			return none;
	return is_sharding(item.text) ? item.text : none;
}

static bool learn_results(struct reading *r, struct frame *frame, const struct equation *e)
{
	sw_str outs = e->outs, word, type, given = param(e->params, "out_shardings");
	bool ok = true;
	for (int i = 0; ok && (word = next_word(&outs)).length; i++) {
		sw_str own = given.length ? listed(given, i) : none, name = name_of(word, &type),
			   made = sharding_of(frame, name);
		own = own.length ? own : made;
		ok = learn(r, frame, word, own.length ? own : sharding_alike(frame, e, type));
	}
	return ok;
}

/* One number in all places: `e:i32[2] = broadcast_in_dim 3:i32[]`. */
static bool learn_spread(struct reading *r, struct frame *frame, const struct equation *e)
{
	sw_str outs = e->outs, operands = e->operands, type, name = name_of(next_word(&outs), &type);
	if (!name.length || !sw_str_is(e->name, "broadcast_in_dim"))
		return true;
	sw_log_value *value = sw_log_value_add(&frame->values, name, r->to->work);
	if (value)
		value->spread = next_word(&operands);
	return value || sw_diag_memory(r->to->diag);
}

static bool read_equation(struct reading *r, struct frame *frame, const struct equation *e)
{
	const struct call_row *call = call_of(e->name);
	if (call)
		return read_collective(r, frame, e, call);
	if (sw_str_is(e->name, "sharding_constraint"))
		return read_constraint(r, frame, e);
	if (sw_str_is(e->name, "reshard"))
		return read_reshard(r, frame, e);
	return read_nest(r, frame, e) && learn_results(r, frame, e) && learn_spread(r, frame, e);
}

static sw_str line_of(sw_str text)
{
	const char *end = text.length ? memchr(text.at, '\n', text.length) : NULL;
	return (sw_str){text.at, end ? (size_t)(end - text.at) : text.length};
}

/* Cuts the equation that begins here, but for its line; what follows is the rest.  false: it is none, and a line is passed. */
static bool cut_text(sw_str *text, struct equation *e)
{
	sw_str line = line_of(*text), rest = *text;
	const char *sign = memmem(line.at, line.length, " = ", 3);
	*text = sw_str_behind(*text, line.length);
	if (!sign)
		return false;
	e->outs = (sw_str){line.at, (size_t)(sign - line.at)};
	rest = sw_str_behind(rest, e->outs.length + 3);
	size_t length = 0;
	while (length < rest.length && !is_blank(rest.at[length]) && rest.at[length] != '[')
		length++;
	e->name = (sw_str){rest.at, length};
	rest = sw_str_behind(rest, length);
	size_t end = sw_str_starts(rest, "[") ? closed(rest, 0) : 0;
	e->params = end ? (sw_str){rest.at + 1, end - 2} : none;
	rest = sw_str_behind(rest, end);
	e->operands = line_of(rest);
	*text = sw_str_behind(rest, e->operands.length);
	return true;
}

static bool cut_equation(struct reading *r, sw_str *text, struct equation *e)
{
	const char *at = text->at;
	bool is = cut_text(text, e);
	e->line = is ? line_at(r, at) : 0;
	return is;
}

static bool go_on(struct reading *r, const char *at)
{
	const sw_pulse *pulse = r->to->options ? r->to->options->pulse : NULL;
	size_t done = (size_t)(at - r->to->text.at), all = r->to->text.length;
	if (++r->equations % BEAT || sw_pulse_beat(pulse, "bytes", (long long)done, (long long)all))
		return true;
	return sw_diag_set(r->to->diag, SW_S03, (sw_span){0, 0}, "stopped after %zu of %zu bytes", done, all);
}

/* Inputs: as the call around it says, or as its operands are. */
static bool learn_inputs(struct reading *r, struct frame *frame, sw_str inputs, const struct equation *around)
{
	sw_str word, given = around ? param(around->params, "in_shardings") : none;
	for (int i = 0; (word = next_word(&inputs)).length; i++) {
		if (sw_str_is(word, ";"))
			i = -1;
		else {
			sw_str own = given.length ? listed(given, i) : none, operand = sharding_given(frame, word);
			if (!learn(r, frame, word, own.length ? own : operand))
				return false;
		}
	}
	return true;
}

/* `in (c, b)`: results that the call around it gives shardings of its own, or that are its results. */
static bool give_results(struct reading *r, const struct frame *frame, sw_str text, const struct equation *around)
{
	sw_str given = around ? param(around->params, "out_shardings") : none, outs = around ? around->outs : none;
	sw_str list = around && sw_str_starts(text, "in ") ? inside(value_at(sw_str_behind(text, 3))) : none;
	bool ok = true;
	sw_py_item name;
	for (int i = 0; ok && sw_py_take(&list, &name); i++) {
		sw_str to = given.length ? listed(given, i) : none, out = next_word(&outs);
		const sw_log_value *value = sw_log_value_find(&frame->values, name.text);
		if (value && to.length)
			ok = ask(r, frame, name.text, value->type, (const sw_str[]){value->sharding, to});
		if (ok && value && frame->once && out.length)
			ok = learn(r, frame->outer, out, value->sharding);
	}
	return ok;
}

/* What stands between the braces of one. */
static bool read_jaxpr(struct reading *r, sw_str text, struct frame *frame, const struct equation *around)
{
	struct equation e;
	text = skip_blanks(text);
	const char *let = memmem(text.at, text.length, ". let", strlen(". let"));
	if (!sw_str_starts(text, "lambda") || !let)
		return true;
	size_t head = (size_t)(let - text.at);
	sw_str inputs = {text.at + strlen("lambda"), head - strlen("lambda")};
	if (!learn_inputs(r, frame, inputs, around))
		return false;
	text = skip_blanks(sw_str_behind(text, head + strlen(". let")));
	while (text.length && !sw_str_starts(text, "in ") && r->equations < EQUATIONS_MOST) {
		if (!go_on(r, text.at) || (cut_equation(r, &text, &e) && !read_equation(r, frame, &e)))
			return false;
		text = skip_blanks(text);
	}
	return give_results(r, frame, text, around);
}

/* ---- the text ---- */

/* `let NAME = { lambda ...`: one that is used by its name. */
static void learn_named(struct reading *r, sw_str before, sw_str body)
{
	sw_str head = sw_str_trim(before);
	size_t begin = head.length;
	if (!head.length || head.at[head.length - 1] != '=' || r->named == NAMED_MOST)
		return;
	head = sw_str_trim((sw_str){head.at, head.length - 1});
	for (begin = head.length; begin > 0 && !is_blank(head.at[begin - 1]);)
		begin--;
	r->body[r->named++] = (sw_log_value){.name = sw_str_behind(head, begin), .type = body};
}

static bool read_all(struct reading *r)
{
	const sw_str all = r->to->text;
	for (size_t at = 0; at < all.length;) {
		const char *found = memmem(all.at + at, all.length - at, "{ lambda", strlen("{ lambda"));
		if (!found)
			return true;
		size_t begin = (size_t)(found - all.at), end = closed(all, begin);
		end = end ? end : all.length + 1;
		sw_str body = {found, end - begin};
		sw_str before = {all.at + at, begin - at};
		struct frame frame = {.runs = 1};
		int named_before = r->named;
		learn_named(r, before, body);
		if (r->named == named_before && !read_jaxpr(r, inside(body), &frame, NULL))
			return false;
		at = end;
	}
	return true;
}

/* Without colours; what a line loses is blank at its end, so that lines stay where they are. */
static bool leave_colours(sw_log_printed *printed)
{
	const sw_str text = printed->text;
	char *copy = memchr(text.at, '\x1b', text.length) ? sw_arena_alloc(printed->work, text.length, 1) : NULL;
	size_t out = 0;
	if (!copy)
		return !memchr(text.at, '\x1b', text.length) || sw_diag_memory(printed->diag);
	for (size_t at = 0; at < text.length; at++) {
		const char *end = text.at[at] == '\x1b' ? memchr(text.at + at, 'm', text.length - at) : NULL;
		if (end && end - (text.at + at) < COLOUR_MOST) {
			at = (size_t)(end - text.at);
			continue;
		}
		while (text.at[at] == '\n' && out < at)
			copy[out++] = ' ';
		copy[out++] = text.at[at];
	}
	memset(copy + out, ' ', text.length - out);
	printed->text = (sw_str){copy, text.length};
	return true;
}

bool sw_log_read_jaxpr(sw_log_printed *printed, bool *any)
{
	const char *coloured = memmem(printed->text.at, printed->text.length, "{ \x1b[", strlen("{ \x1b["));
	if (coloured && memmem(printed->text.at, printed->text.length, "lambda ", strlen("lambda ")) &&
		!leave_colours(printed))
		return false;
	*any = memmem(printed->text.at, printed->text.length, "{ lambda ", strlen("{ lambda ")) != NULL;
	struct reading *r = *any ? SW_NEW_ZERO(printed->work, struct reading, 1) : NULL;
	if (!r)
		return !*any || sw_diag_memory(printed->diag);
	r->to = printed;
	r->line = 1;
	return read_all(r);
}
