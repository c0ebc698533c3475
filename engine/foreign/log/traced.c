/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What PyTorch prints of the collectives that it calls:
 *
 *     _c10d_functional::all_gather_into_tensor(t: f32[1, 32], 8, 0)  ->  t: f32[8, 32]              DebugMode
 *     a: "f32[64, 32]" = torch.ops._c10d_functional.all_gather_into_tensor.default(a_1, 4, '5')      graphs
 *     buf0 = torch.ops._c10d_functional.all_gather_into_tensor.default(arg0_1, 4, '5')               generated code
 *     %a : [num_users=1] = call_function[target=torch.ops._c10d_functional.all_reduce.default](args = (%b, sum, 1), kwargs = {})
 *     *c10d_functional.all_reduce: 1                                                                CommDebugMode
 *
 * and redistribute_input(t: f32[1, 32], trace: S(0)->R).  Every rank prints the same, and a job prints a graph more than once: lines
 * count that have the rank and the tag of the first collective.
 */
#define _GNU_SOURCE
#include "foreign/log/printed.h"
#include "foreign/log/traced.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/python.h"

#define BEAT 4096 /* lines */
#define AHEAD 4   /* lines behind a call that may say what it makes */
#define INSIDE 64 /* lines of a redistribution that may say over how many devices it is */
#define SIZE_MOST ((int64_t)1 << 20)

static const sw_str none = {"", 0};

#define GROUPS_MOST 256

struct trace {
	sw_log_printed *to;
	int64_t line;
	sw_str next;          /* the text behind the line */
	sw_str rank, tag;     /* of the lines that count, where `known` */
	bool known;           /* a collective was found */
	sw_str source;        /* `FILE:LINE` of the user's program, of what comes next */
	sw_log_values values; /* types of values */
	int groups;           /* whose sizes are known */
	sw_log_value group[GROUPS_MOST];
	int64_t size[GROUPS_MOST];
	int64_t devices; /* of the mesh that is known, or the largest group */
	bool has_mesh;
	sw_str operands; /* of the operation that the lines are in, as it says them */
	size_t inside;   /* indentation of the redistribution that the lines are in, + 1; 0: none */
	size_t global;   /* indentation of the counts of a table, + 1; 0: none yet */
	bool adds;       /* rows are added; else sizes of groups are learned */
};

/* ---- one line ---- */

/* `[rank0]:I1128 06:25:03 graph.py:421] [0/0] [__aot_graphs]  BODY`: what is behind it, and the two words. */
static sw_str body_of(sw_str line, sw_str *rank, sw_str *tag)
{
	*rank = *tag = none;
	if (sw_str_starts(line, "[rank") || sw_str_starts(line, "[default")) {
		const char *close = memchr(line.at, ']', line.length);
		*rank = close ? (sw_str){line.at, (size_t)(close - line.at) + 1} : none;
		line = sw_str_behind(line, rank->length);
		line = sw_str_behind(line, sw_str_starts(line, ":") ? 1 : 0);
	}
	sw_str rest = sw_str_past(line, "] [__");
	const char *close = rest.length ? memchr(rest.at, ']', rest.length) : NULL;
	if (close) {
		*tag = (sw_str){rest.at, (size_t)(close - rest.at)};
		line = sw_str_behind(rest, tag->length + 1);
	}
	if (sw_str_starts(line, "\x1b[")) {
		const char *end = memchr(line.at, 'm', line.length);
		line = end ? sw_str_behind(line, (size_t)(end - line.at) + 1) : line;
	}
	return line;
}

static size_t indent_of(sw_str line)
{
	size_t blanks = 0;
	while (blanks < line.length && line.at[blanks] == ' ')
		blanks++;
	return blanks;
}

/* ---- groups ---- */

static int group_index(const struct trace *t, sw_str name)
{
	for (int i = 0; i < t->groups; i++)
		if (sw_str_equal(t->group[i].name, name))
			return i;
	return -1;
}

/* A call of a backend writes as many parts as there are devices, or reads them; 0: it does not say it. */
static int64_t size_written(const sw_traced_call *call)
{
	double out = sw_traced_bytes(sw_traced_argument(call->arguments, call->row->out)),
		   in = sw_traced_bytes(sw_traced_argument(call->arguments, call->row->in));
	double most = out > in ? out : in, least = out > in ? in : out, ratio = least > 0 ? most / least : 0;
	bool whole = ratio >= 1 && ratio <= (double)SIZE_MOST && (double)(int64_t)ratio == ratio;
	return whole ? (int64_t)ratio : 0;
}

/* As many as the call says; 0: it does not say it. */
static int64_t size_said(const sw_traced_call *call)
{
	int64_t size = 0;
	sw_str list = call->row->list >= 0 ? sw_traced_argument(call->arguments, call->row->list) : none;
	if (call->row->size >= 0 && !sw_read_int(sw_traced_argument(call->arguments, call->row->size), &size, NULL))
		return 0;
	list = sw_str_starts(list, "[") ? sw_py_inside(list, "[") : none;
	for (sw_py_item item; size <= SIZE_MOST && sw_py_take(&list, &item);)
		size++;
	return size >= 1 && size <= SIZE_MOST ? size : call->row->in >= 0 ? size_written(call) : 0;
}

static void learn_group(struct trace *t, const sw_traced_call *call)
{
	sw_str name = sw_str_unquoted(sw_traced_argument(call->arguments, -1));
	int64_t size = size_said(call);
	t->devices = size > t->devices ? size : t->devices;
	if (call->row->out >= 0 || !size || !name.length || t->groups == GROUPS_MOST || group_index(t, name) >= 0)
		return;
	t->group[t->groups].name = name;
	t->size[t->groups++] = size;
}

/* 0: nobody says it. */
static int64_t group_size(const struct trace *t, const sw_traced_call *call)
{
	int64_t size = size_said(call);
	int known = size || call->row->out >= 0 ?
		-1 :
		group_index(t, sw_str_unquoted(sw_traced_argument(call->arguments, -1)));
	return known >= 0 ? t->size[known] : size;
}

/* ---- bytes ---- */

static bool learn_type(struct trace *t, sw_str name, sw_str type)
{
	sw_log_value *value = name.length && type.length ? sw_log_value_add(&t->values, name, t->to->work) : NULL;
	if (value)
		value->type = type;
	return value || !name.length || !type.length || sw_diag_memory(t->to->diag);
}

/* `NAME: "f32[16, 32]"`, as often as it is there. */
static bool learn_written(struct trace *t, sw_str line)
{
	bool ok = true;
	for (size_t i = 0; ok && i + 3 < line.length; i++) {
		size_t begin = i;
		if (line.at[i] != ':' || line.at[i + 1] != ' ' || line.at[i + 2] != '"')
			continue;
		while (begin > 0 && sw_traced_letter(line.at[begin - 1]))
			begin--;
		ok = learn_type(t, (sw_str){line.at + begin, i - begin}, sw_traced_type(sw_str_behind(line, i + 3)));
	}
	return ok;
}

static const struct dtype_row {
	const char *torch, *name;
} dtypes[] = {{"float32", "f32"}, {"float64", "f64"}, {"float16", "f16"}, {"bfloat16", "bf16"}, {"int64", "i64"},
	{"int32", "i32"}, {"int16", "i16"}, {"int8", "i8"}, {"uint8", "u8"}, {"bool", "b8"}, {"complex64", "c64"},
	{"complex128", "c128"}, {"float8_e4m3fn", "f8e4m3fn"}, {"float8_e5m2", "f8e5m2"}};

/* `(64, 32), (32, 1), torch.float32` as `f32[64, 32]`. */
static bool type_of_metadata(sw_str sizes, sw_str dtype, sw_arena *arena, sw_str *type)
{
	const char *name = NULL;
	*type = none;
	dtype = sw_str_starts(dtype, "torch.") ? sw_traced_word(sw_str_behind(dtype, strlen("torch."))) : none;
	for (size_t i = 0; i < sizeof(dtypes) / sizeof(*dtypes); i++)
		name = sw_str_is(dtype, dtypes[i].torch) ? dtypes[i].name : name;
	if (!name || sizes.length < 2 || *sizes.at != '(')
		return true;
	size_t length = strlen(name) + sizes.length;
	char *copy = sw_arena_alloc(arena, length, 1);
	if (!copy)
		return false;
	memcpy(copy, name, strlen(name));
	memcpy(copy + strlen(name), sizes.at, sizes.length);
	copy[strlen(name)] = '[';
	copy[length - 1] = ']';
	*type = (sw_str){copy, length};
	return true;
}

/* `assert_tensor_metadata(NAME, SIZES, STRIDES, DTYPE, ...)`, `NAME = empty_strided_cpu(SIZES, STRIDES, DTYPE)`. */
static bool learn_made(struct trace *t, sw_str line)
{
	sw_str name = none, type, list = sw_str_past(line, "assert_tensor_metadata");
	int first = 1;
	if (!list.length) {
		sw_str empty = sw_str_past(line, " = empty_strided_");
		name = sw_traced_word(sw_str_trim(line));
		list = sw_str_behind(empty, sw_traced_word(empty).length);
		first = 0;
	}
	size_t end = sw_str_starts(list, "(") ? sw_str_balanced(list, 0, SW_NESTING_PYTHON) : 0;
	if (!end)
		return true;
	list = (sw_str){list.at + 1, end - 2};
	name = first ? sw_traced_argument(list, 0) : name;
	if (!type_of_metadata(sw_traced_argument(list, first), sw_traced_argument(list, first + 2), t->to->work, &type))
		return sw_diag_memory(t->to->diag);
	return learn_type(t, name, type);
}

/* The next line, without the line break; *text: what follows. */
static sw_str take_line(sw_str *text)
{
	const char *end = text->length ? memchr(text->at, '\n', text->length) : NULL;
	sw_str line = {text->at, end ? (size_t)(end - text->at) : text->length};
	*text = sw_str_behind(*text, line.length + (end != NULL));
	return line;
}

/* Lines behind a call may say what it makes. */
static bool learn_ahead(struct trace *t)
{
	sw_str rest = t->next, rank, tag;
	bool ok = true;
	for (int i = 0; ok && i < AHEAD && rest.length; i++)
		ok = learn_made(t, body_of(take_line(&rest), &rank, &tag));
	return ok;
}

static sw_str known_type(const struct trace *t, sw_str name)
{
	name = sw_str_starts(name, "%") ? sw_str_behind(name, 1) : name;
	const sw_log_value *value = sw_log_value_find(&t->values, name);
	return value ? value->type : none;
}

static double bytes_of(sw_str type)
{
	return type.length ? traffic_type_bytes(type) : 0;
}

/* Bytes of what it makes: as it says, as lines behind it say, or as what it is given says; 0: nobody says it. */
static double result_bytes(const struct trace *t, const sw_traced_call *call, int64_t size)
{
	if (call->row->out >= 0)
		return sw_traced_bytes(sw_traced_argument(call->arguments, call->row->out));
	sw_str quoted = sw_str_past(call->before, ": \""), arrow = sw_str_past(call->behind, "->  ");
	sw_str type = quoted.length ? sw_traced_type(quoted) : sw_traced_tensor(arrow);
	sw_str name = sw_traced_word(sw_str_trim(call->before)), operand = sw_traced_argument(call->arguments, 0);
	if (!type.length && !sw_str_holds(call->before, "[target=") &&
		call->row->name[strlen(call->row->name) - 1] != '_')
		type = known_type(t, name);
	if (type.length)
		return bytes_of(type);
	type = known_type(t, operand);
	double bytes = type.length ? bytes_of(type) : sw_traced_bytes(operand), g = size ? (double)size : 1;
	return call->row->kind == SW_TRAFFIC_GATHER ? bytes * g :
		call->row->kind == SW_TRAFFIC_SCATTER   ? bytes / g :
												  bytes;
}

/* ---- rows ---- */

static bool keep(sw_log_printed *to, sw_str text, const char **out)
{
	char *copy = text.length ? sw_arena_copy(to->arena, text.at, text.length) : NULL;
	if (copy)
		*out = copy;
	return copy || !text.length || sw_diag_memory(to->diag);
}

static bool add_call(struct trace *t, const sw_traced_call *call)
{
	int64_t size = group_size(t, call), devices = t->devices > size ? t->devices : size;
	if (!learn_ahead(t))
		return false;
	double bytes = result_bytes(t, call, size);
	sw_traffic_row *row = sw_log_printed_row(t->to, call->row->kind, t->line);
	if (!row)
		return false;
	row->at_most = !size;
	row->unsized = bytes <= 0;
	size = size ? size : t->has_mesh ? devices : 1;
	devices = devices > size ? devices : size;
	traffic_groups groups = sw_log_printed_groups(size, devices);
	traffic_weigh(row, bytes, &groups, devices);
	if (row->at_most && size == 1)
		row->bytes = row->mean = row->kind == SW_TRAFFIC_REDUCE ? 2 * bytes : bytes;
	row->planned = t->inside && t->to->options && t->to->options->mesh;
	return keep(t->to, sw_str_of(call->row->name), &row->name) && keep(t->to, t->source, &row->source);
}

static bool add_counted(struct trace *t, const sw_traced_kind *kind, sw_str name, int64_t count)
{
	sw_traffic_row *row = sw_log_printed_row(t->to, kind->kind, t->line);
	if (!row)
		return false;
	traffic_groups groups = sw_log_printed_groups(1, 1);
	traffic_weigh(row, 0, &groups, 1);
	row->unsized = true;
	row->count = row->runs = count < SW_RUNS_MOST ? count : SW_RUNS_MOST;
	return keep(t->to, name, &row->name);
}

/* CommDebugMode: in a table the counts of the whole stand before those of its parts, and are indented less. */
static bool add_counts(struct trace *t, sw_str line)
{
	const sw_traced_kind *kind;
	sw_str name;
	int64_t count;
	size_t indent = indent_of(line), at = 0;
	bool table = sw_str_starts(sw_str_behind(line, indent), "*");
	if (table && t->global && t->global != indent + 1)
		return true;
	while (sw_traced_count(line, &at, &kind, &name, &count)) {
		if (!kind)
			continue;
		t->global = table ? indent + 1 : t->global;
		if (!add_counted(t, kind, name, count))
			return false;
	}
	return true;
}

/* ---- redistributions ---- */

/* `S(0)[0]P(sum)R` are three. */
static int placements_in(sw_str text)
{
	int count = 0, depth = 0;
	for (size_t i = 0; i < text.length; i++) {
		depth += strchr("([", text.at[i]) ? 1 : strchr(")]", text.at[i]) ? -1 : 0;
		count += depth == 0 && strchr("SRP", text.at[i]) != NULL;
	}
	return count;
}

/* The axis over which what is inside of a redistribution is; -1: nothing says it. */
static int axis_inside(const struct trace *t, const sw_mesh *mesh)
{
	sw_traced_call call;
	sw_str rest = t->next, rank, tag;
	int64_t size = 0;
	int axis = -1;
	int lines = 0;
	for (bool inside = true; inside && !size && rest.length && lines < INSIDE; lines++) {
		sw_str line = body_of(take_line(&rest), &rank, &tag);
		inside = indent_of(line) >= t->inside;
		size = inside && sw_traced_find(line, &call) ? group_size(t, &call) : 0;
	}
	for (int i = 0; size > 1 && i < mesh->count; i++) {
		if (mesh->axis[i].size == size && axis >= 0)
			return -1;
		axis = mesh->axis[i].size == size ? i : axis;
	}
	return axis;
}

/* Over one axis of the mesh, `S(0)`, as over all of them, `RS(0)`. */
static bool over_all(const struct trace *t, const sw_mesh *mesh, int axis, sw_str *text)
{
	sw_text whole = {0};
	for (int i = 0; i < mesh->count; i++)
		sw_text_add_str(&whole, i == axis ? *text : sw_str_of("R"));
	size_t length = whole.length;
	const char *kept = sw_text_keep(&whole, t->to->work);
	sw_text_free(&whole);
	*text = (sw_str){kept ? kept : "", kept ? length : 0};
	return kept || sw_diag_memory(t->to->diag);
}

/* Placements over an axis of a mesh of several. */
static bool take_over_all(const struct trace *t, sw_log_found *found)
{
	const sw_mesh *mesh = t->to->options ? t->to->options->mesh : NULL;
	bool one = mesh && mesh->count > 1 && placements_in(found->from.text) == 1 && placements_in(found->to.text) == 1;
	int axis = one ? axis_inside(t, mesh) : -1;
	return axis < 0 || (over_all(t, mesh, axis, &found->from.text) && over_all(t, mesh, axis, &found->to.text));
}

/* `redistribute_input(t: f32[1, 32], trace: S(0)->R->S(1))`: the shape is that of one device. */
static bool take_redistribution(struct trace *t, sw_str line)
{
	const char *begin = t->to->text.at;
	sw_str shape = sw_traced_tensor(sw_str_past(line, "(")), trace = sw_str_past(line, ", trace: ");
	size_t arrow = sw_str_outside(trace, 0, SW_NESTING_PYTHON, "->"), last = arrow, end = 0;
	if (!shape.length || arrow == trace.length)
		return true;
	for (size_t at = arrow; at < trace.length; at = sw_str_outside(trace, at + 2, SW_NESTING_PYTHON, "->"))
		last = at;
	sw_str from = sw_str_trim((sw_str){trace.at, arrow}), to = sw_str_trim(sw_str_behind(trace, last + 2));
	for (int depth = 0; end < to.length && depth >= 0; end++)
		depth += to.at[end] == '(' ? 1 : to.at[end] == ')' ? -1 : 0;
	to.length = end ? end - 1 : 0;
	size_t at = (size_t)(from.at - begin), goal = (size_t)(to.at - begin), of = (size_t)(shape.at - begin);
	sw_log_found found = {.at = {of, goal + to.length},
		.message_end = goal + to.length,
		.from = {.text = from, .at = {at, at + from.length}},
		.to = {.text = to, .at = {goal, goal + to.length}},
		.shape = {.text = shape, .at = {of, of + shape.length}},
		.source = t->source};
	sw_arena_mark mark = sw_arena_here(t->to->work);
	return !from.length || !to.length || (take_over_all(t, &found) && t->to->take(t->to->context, &found, mark));
}

/* `aten::mm(dt: f32[16, 64]| S(0), dt: f32[64, 32]| R)`: what it is given. */
static void learn_operands(struct trace *t, sw_str line)
{
	const char *open = memmem(line.at, line.length, "(dt", 3);
	size_t begin = open ? (size_t)(open - line.at) : 0,
		   end = open ? sw_str_balanced(line, begin, SW_NESTING_PLAIN) : 0;
	if (end)
		t->operands = (sw_str){open + 1, end - begin - 2};
}

/* `dt: f32[16, 64]| S(0)` as the shape of the whole tensor; empty: it is none. */
static sw_str operand_shape(const struct trace *t, int64_t number)
{
	sw_str item = number >= 0 && number < SW_LOG_OPERANDS ? sw_traced_argument(t->operands, (int)number) : none;
	return sw_str_starts(item, "dt") ? sw_traced_tensor(sw_str_behind(item, 1)) : none;
}

static sw_log_text place_of(const struct trace *t, sw_str text)
{
	size_t begin = text.length ? (size_t)(text.at - t->to->text.at) : 0;
	return (sw_log_text){.text = text, .at = {begin, begin + text.length}};
}

/* `redistribute_input(1, S(0) -> R)`: of which operand, and its placements; lines without a trace are of older releases. */
static bool take_operand(struct trace *t, sw_str line)
{
	const char *open = memchr(line.at, '(', line.length);
	size_t begin = open ? (size_t)(open - line.at) : 0,
		   end = open ? sw_str_balanced(line, begin, SW_NESTING_PLAIN) : 0;
	sw_str list = end ? (sw_str){open + 1, end - begin - 2} : none;
	sw_str number = sw_traced_argument(list, 0);
	sw_str pair = number.length ?
		sw_str_trim(sw_str_behind(list, (size_t)(number.at - list.at) + number.length + 1)) :
		none;
	size_t arrow = sw_str_outside(pair, 0, SW_NESTING_PYTHON, "->");
	int64_t operand;
	if (arrow >= pair.length || !sw_read_int(number, &operand, NULL))
		return true;
	sw_str shape = operand_shape(t, operand);
	sw_log_found found = {.from = place_of(t, sw_str_trim((sw_str){pair.at, arrow})),
		.to = place_of(t, sw_str_trim(sw_str_behind(pair, arrow + 2))),
		.shape = place_of(t, shape),
		.is_global = shape.length > 0,
		.source = t->source};
	found.at = (sw_span){found.from.at.begin, found.to.at.end};
	found.message_end = found.at.end;
	sw_arena_mark mark = sw_arena_here(t->to->work);
	return !found.from.text.length || !found.to.text.length ||
		(take_over_all(t, &found) && t->to->take(t->to->context, &found, mark));
}

/* Is the line behind it one with the trace? */
static bool says_trace(const struct trace *t)
{
	sw_str rest = t->next, rank, tag, next = body_of(take_line(&rest), &rank, &tag);
	return indent_of(next) >= t->inside && sw_str_holds(next, "redistribute_input") &&
		sw_str_holds(next, ", trace: ");
}

static bool read_redistribution(struct trace *t, sw_str line)
{
	bool traced = sw_str_holds(line, ", trace: ");
	if (!traced && !sw_str_holds(line, "->"))
		return true;
	t->inside = indent_of(line) + 1;
	if (!t->adds || (!traced && says_trace(t)))
		return true;
	return traced ? take_redistribution(t, line) : take_operand(t, line);
}

/* ---- all lines ---- */

/* `# File: moe.py:41 in forward, code: ...`; PyTorch's own files are no user's. */
static void learn_source(struct trace *t, sw_str line)
{
	sw_str file = sw_str_past(line, "# File: ");
	const char *end = file.length ? memmem(file.at, file.length, " in ", 4) : NULL;
	if (!file.length)
		return;
	t->source = end ? (sw_str){file.at, (size_t)(end - file.at)} : none;
	if (sw_str_holds(t->source, "/torch/"))
		t->source = none;
}

static bool counts(struct trace *t, sw_str rank, sw_str tag)
{
	return !t->known || (sw_str_equal(rank, t->rank) && sw_str_equal(tag, t->tag));
}

/* DebugMode prints a call of a function, and within it what that calls: the same. */
static bool is_repeated(const struct trace *t, sw_str line, const sw_traced_call *call)
{
	sw_traced_call inner;
	sw_str rest = t->next, rank, tag, next = body_of(take_line(&rest), &rank, &tag);
	return sw_str_holds(call->behind, "->  ") && indent_of(next) > indent_of(line) && sw_traced_find(next, &inner) &&
		inner.row == call->row;
}

static bool take_call(struct trace *t, const sw_traced_call *call, sw_str rank, sw_str tag)
{
	if (!t->known) {
		t->rank = rank;
		t->tag = tag;
	}
	t->known = true;
	learn_group(t, call);
	return !t->adds || add_call(t, call);
}

static bool read_line(struct trace *t, sw_str line)
{
	sw_traced_call call;
	sw_str rank, tag;
	line = body_of(line, &rank, &tag);
	sw_str body = sw_str_trim(line);
	if (!counts(t, rank, tag))
		return true;
	if (t->inside && body.length && indent_of(line) < t->inside)
		t->inside = 0;
	if (sw_str_starts(body, "#")) {
		learn_source(t, body);
		return true;
	}
	if (sw_str_starts(body, "redistribute_input"))
		return read_redistribution(t, line);
	if (sw_str_starts(body, "*c10d") || sw_str_holds(body, "(op='c10d"))
		return !t->adds || add_counts(t, line);
	if (sw_traced_find(line, &call) && !is_repeated(t, line, &call))
		return learn_written(t, call.before) && take_call(t, &call, rank, tag);
	learn_operands(t, line);
	return !t->adds || (learn_written(t, line) && learn_made(t, line));
}

static bool read_lines(struct trace *t)
{
	const sw_pulse *pulse = t->to->options ? t->to->options->pulse : NULL;
	sw_str all = t->to->text;
	bool ok = true;
	t->next = all;
	t->inside = t->global = 0;
	for (t->line = 1; ok && t->next.length; t->line++) {
		size_t at = (size_t)(t->next.at - all.at);
		if (t->line % BEAT == 0 && !sw_pulse_beat(pulse, "bytes", (long long)at, (long long)all.length))
			return sw_diag_set(t->to->diag, SW_S03, (sw_span){0, 0}, "stopped after %zu of %zu bytes", at,
				all.length);
		ok = read_line(t, take_line(&t->next));
	}
	return ok;
}

bool sw_log_read_traced(sw_log_printed *printed, bool *any)
{
	const sw_mesh *mesh = printed->options ? printed->options->mesh : NULL;
	*any = sw_str_holds(printed->text, "c10d") || sw_str_holds(printed->text, "redistribute_input");
	struct trace *t = *any ? SW_NEW_ZERO(printed->work, struct trace, 1) : NULL;
	if (!t)
		return !*any || sw_diag_memory(printed->diag);
	int before = printed->traffic->count;
	t->to = printed;
	t->source = t->operands = none;
	t->devices = mesh ? mesh->devices : 1;
	t->has_mesh = mesh && mesh->devices > 1;
	if (!read_lines(t))
		return false;
	t->adds = true;
	t->source = none;
	bool ok = read_lines(t);
	*any = t->known || printed->traffic->count > before || sw_str_holds(printed->text, ", trace: ") ||
		sw_str_holds(printed->text, "redistribute_input");
	return ok;
}
