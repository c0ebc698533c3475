/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the text of HLO modules in one pass: headers, computations in braces, an instruction a line (a literal may
 * go on over more).
 */
#define _GNU_SOURCE
#include "foreign/module/hlo_text.h"

#include <inttypes.h>
#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

hlo_op hlo_combines_by(const graph_module *module, int i)
{
	sw_str text;
	int c = hlo_attribute(module->instruction[i].attributes, "to_apply", &text) ?
		hlo_computation_named(module, text) :
		-1;
	int at = c >= 0 ? module->computation[c].root : -1;
	while (at >= 0 && module->instruction[at].op == HLO_CONVERT)
		at = graph_operand(module, at, 0);
	return at >= 0 ? module->instruction[at].op : HLO_OTHER;
}

typedef struct reader {
	sw_str text;
	size_t at;
	int64_t line;
	const sw_pulse *pulse;
	sw_arena *arena;
	sw_diag *diag;
	graph_module *module;
	int instruction_room, operand_room, computation_room;
	int32_t *table; /* of instructions, by the names in the computation that is being read */
	uint32_t mask;
	int inside;    /* the computation, or -1 */
	size_t opened; /* where it began */
} reader;

/* ---- refusals ---- */

static bool refuse(reader *r, size_t begin, size_t end, const char *message)
{
	sw_diag_set(r->diag, SW_N06, (sw_span){begin, end}, "line %" PRId64 ": %s", r->line, message);
	return false;
}

/* The module keeps why, and what was read before; nothing behind it is read. */
static bool keep_cut(reader *r)
{
	sw_diag *cut = SW_NEW(r->arena, sw_diag, 1);
	if (!cut)
		return sw_diag_memory(r->diag);
	*cut = *r->diag;
	*r->diag = (sw_diag){.code = SW_OK};
	r->module->cut = cut;
	r->inside = -1;
	return false;
}

static bool refuse_cut(reader *r, size_t begin, size_t end, const char *message)
{
	refuse(r, begin, end, message);
	sw_diag_hint(r->diag,
		"the text seems to be cut off or damaged there: import the file that the compiler "
		"dumped");
	return false;
}

/* ---- slices ---- */

static sw_str slice(const reader *r, size_t begin, size_t end)
{
	return sw_str_trim((sw_str){r->text.at + begin, end - begin});
}

static size_t line_end(const reader *r, size_t at)
{
	const char *found = memchr(r->text.at + at, '\n', r->text.length - at);
	return found ? (size_t)(found - r->text.at) : r->text.length;
}

/* ---- headers ---- */

static bool read_header(reader *r, sw_str line)
{
	graph_module *m = r->module;
	size_t length = 0;
	if (m->name.at) {
		refuse(r, (size_t)(line.at - r->text.at), (size_t)(line.at - r->text.at) + line.length,
			"a second module begins here");
		sw_diag_hint(r->diag, "give the modules one by one");
		return false;
	}
	line.at += strlen("HloModule");
	line.length -= strlen("HloModule");
	line = sw_str_trim(line);
	while (length < line.length && line.at[length] != ',' && line.at[length] != ' ')
		length++;
	m->name = (sw_str){line.at, length};
	graph_header_number(line, "num_partitions=", &m->partitions);
	graph_header_number(line, "replica_count=", &m->replicas);
	return true;
}

/* `ENTRY %main (x: f32[2]) -> f32[2] {`, `%body {` */
static bool open_computation(reader *r, sw_str line)
{
	graph_module *m = r->module;
	if (!SW_GROW(r->arena, m->computation, m->computations, r->computation_room, 256))
		return sw_diag_memory(r->diag);
	graph_computation *c = &m->computation[m->computations];
	if (m->computations == 0)
		m->front = (sw_str){r->text.at, (size_t)(line.at - r->text.at)};
	*c = (graph_computation){.first = m->instructions, .root = -1, .next = -1, .loop = -1};
	r->opened = (size_t)(line.at - r->text.at);
	c->entry = sw_str_starts(line, "ENTRY ");
	if (c->entry)
		line = sw_str_trim((sw_str){line.at + 6, line.length - 6});
	if (sw_str_starts(line, "%"))
		line.at++, line.length--;
	while (c->name.length < line.length && !strchr(" ({", line.at[c->name.length]))
		c->name.length++;
	c->name.at = line.at;
	r->inside = m->computations++;
	return true;
}

/* ---- instructions ---- */

static uint32_t name_hash(int computation, sw_str name)
{
	uint32_t hash = 2166136261u ^ ((uint32_t)computation * 0x9e3779b9u);
	for (size_t i = 0; i < name.length; i++)
		hash = (hash ^ (uint8_t)name.at[i]) * 16777619u;
	return hash ^ hash >> 15;
}

/* The slot of a name: that of its instruction, or an empty one. */
static int32_t *name_slot(const reader *r, int computation, sw_str name)
{
	const graph_module *m = r->module;
	for (uint32_t i = name_hash(computation, name);; i++) {
		int32_t *slot = &r->table[i & r->mask];
		if (*slot < 0)
			return slot;
		const graph_instruction *there = &m->instruction[*slot];
		if (there->computation == computation && sw_str_equal(there->name, name))
			return slot;
	}
}

static bool table_grow(reader *r)
{
	uint32_t size = r->mask ? 2 * (r->mask + 1) : 1024;
	r->table = SW_NEW(r->arena, int32_t, size);
	if (!r->table)
		return sw_diag_memory(r->diag);
	memset(r->table, -1, size * sizeof(*r->table));
	r->mask = size - 1;
	for (int i = 0; i < r->module->instructions; i++)
		*name_slot(r, r->module->instruction[i].computation, r->module->instruction[i].name) = i;
	return true;
}

static bool add_operand(reader *r, graph_instruction *at, sw_str text)
{
	graph_module *m = r->module;
	if (!text.length)
		return true;
	size_t begin = text.length;
	while (begin > 0 && text.at[begin - 1] != ' ' && text.at[begin - 1] != '/')
		begin--;
	sw_str name = {text.at + begin, text.length - begin};
	if (sw_str_starts(name, "%"))
		name.at++, name.length--;
	if (!SW_GROW(r->arena, m->operand, m->operands, r->operand_room, 256))
		return sw_diag_memory(r->diag);
	int32_t found = *name_slot(r, r->inside, name);
	if (found >= 0)
		m->instruction[found].users++;
	m->operand[m->operands++] = found;
	at->operands++;
	return true;
}

static bool read_operands(reader *r, graph_instruction *at)
{
	at->first = r->module->operands;
	if (at->op == HLO_CONSTANT || at->op == HLO_PARAMETER || at->op == HLO_IOTA)
		return true;
	for (size_t next = 0; next <= at->inside.length;)
		if (!add_operand(r, at, sw_str_split(at->inside, &next, SW_NESTING_HLO)))
			return false;
	return true;
}

/* Where the instruction at `at` ends: at a line's end outside of brackets. */
static bool instruction_end(reader *r, size_t begin, size_t *end)
{
	int depth = 0;
	size_t at = begin;
	int64_t lines = 0;
	while (at < r->text.length && !(r->text.at[at] == '\n' && depth <= 0)) {
		if (r->text.at[at] == '\n') {
			sw_str next = slice(r, at + 1, line_end(r, at + 1));
			lines++;
			if (sw_str_starts(next, "%") || sw_str_starts(next, "ROOT ") || sw_str_starts(next, "HloModule ") ||
				(at + 1 < r->text.length && r->text.at[at + 1] == '}'))
				break;
		}
		at = sw_str_step(r->text, at, SW_NESTING_HLO, &depth);
	}
	*end = at;
	if (depth != 0)
		return refuse_cut(r, begin, line_end(r, begin), "the instruction ends before its brackets do") || keep_cut(r);
	r->line += lines;
	return true;
}

/* Splits `NAME = SHAPE OP(INSIDE), ATTRIBUTES`. */
static bool split_instruction(reader *r, sw_str text, graph_instruction *at)
{
	const char *equals = memmem(text.at, text.length, " = ", 3);
	if (!equals)
		return false;
	at->name = (sw_str){text.at, (size_t)(equals - text.at)};
	at->root = sw_str_starts(at->name, "ROOT ");
	if (at->root)
		at->name = sw_str_trim((sw_str){at->name.at + 5, at->name.length - 5});
	if (sw_str_starts(at->name, "%"))
		at->name.at++, at->name.length--;
	text.length -= (size_t)(equals + 3 - text.at);
	text.at = equals + 3;
	size_t end = sw_str_balanced(text, 0, SW_NESTING_HLO);
	if (sw_str_starts(text, "(") && end == 0)
		return false;
	while (end < text.length && text.at[end] != ' ')
		end++;
	if (end >= text.length)
		return false;
	at->shape = (sw_str){text.at, end};
	size_t open = ++end;
	while (open < text.length && text.at[open] != '(')
		open++;
	size_t close = sw_str_balanced(text, open, SW_NESTING_HLO);
	if (close == 0 || open == end || at->name.length == 0)
		return false;
	at->op = hlo_op_named((sw_str){text.at + end, open - end});
	at->inside = (sw_str){text.at + open + 1, close - open - 2};
	at->attributes = (sw_str){text.at + close, text.length - close};
	at->line = r->line;
	at->computation = r->inside;
	return true;
}

static bool read_instruction(reader *r, size_t begin)
{
	graph_module *m = r->module;
	graph_instruction at = {.op = HLO_OTHER, .child = {-1, -1}, .callee = -1};
	size_t end;
	int64_t line = r->line;
	if (!instruction_end(r, begin, &end))
		return false;
	if (!split_instruction(r, slice(r, begin, end), &at)) {
		refuse_cut(r, begin, line_end(r, begin), "this is not an instruction");
		sw_diag_expected(r->diag, "NAME = SHAPE OPERATION(OPERANDS), or '}'");
		return keep_cut(r);
	}
	at.line = line;
	at.users = at.root;
	if (!read_operands(r, &at))
		return false;
	if (!SW_GROW(r->arena, m->instruction, m->instructions, r->instruction_room, 256))
		return sw_diag_memory(r->diag);
	if ((uint32_t)m->instructions >= (r->mask + 1) / 2 && !table_grow(r))
		return false;
	int32_t *slot = name_slot(r, r->inside, at.name);
	if (at.root)
		m->computation[r->inside].root = m->instructions;
	m->instruction[m->instructions] = at;
	*slot = m->instructions++;
	m->computation[r->inside].count++;
	r->at = end;
	return true;
}

/* ---- lines ---- */

static bool is_comment(sw_str line)
{
	return sw_str_starts(line, "//") || sw_str_starts(line, "#");
}

static bool read_outside(reader *r, sw_str line, size_t end)
{
	bool opens = line.length && !is_comment(line) && line.at[line.length - 1] == '{';
	r->at = end;
	if (sw_str_starts(line, "HloModule "))
		return read_header(r, line);
	return !opens || open_computation(r, line);
}

static bool read_inside(reader *r, sw_str line, size_t begin, size_t end)
{
	if (!line.length || is_comment(line)) {
		r->at = end;
		return true;
	}
	if (!sw_str_starts(line, "}"))
		return read_instruction(r, begin);
	r->inside = -1;
	r->at = end;
	return true;
}

static bool read_lines(reader *r)
{
	while (r->at < r->text.length) {
		size_t begin = r->at, end = line_end(r, begin);
		sw_str line = slice(r, begin, end);
		if (r->line % 256 == 1 && !sw_pulse_beat(r->pulse, "bytes", (long long)begin, (long long)r->text.length))
			return sw_diag_set(r->diag, SW_S03, (sw_span){begin, end}, "stopped in line %" PRId64, r->line);
		if (!(r->inside < 0 ? read_outside(r, line, end) : read_inside(r, line, begin, end)))
			return r->module->cut != NULL;
		r->at += r->at < r->text.length;
		r->line++;
	}
	return true;
}

/* The first line that is not blank. */
static size_t first_line(const reader *r)
{
	size_t at = 0;
	while (at < r->text.length && strchr(" \t\r\n", r->text.at[at]))
		at++;
	return at < r->text.length ? at : 0;
}

/* Does the text end where the module does?  false: it keeps why not. */
static bool is_whole(reader *r)
{
	graph_module *m = r->module;
	size_t begin = first_line(r);
	bool entry = false;
	if (r->inside >= 0)
		return refuse_cut(r, r->opened, line_end(r, r->opened), "the text ends inside this computation");
	for (int i = 0; i < m->computations; i++)
		entry = entry || m->computation[i].entry;
	if (entry)
		return true;
	refuse(r, begin, line_end(r, begin),
		m->computations ? "no computation is the ENTRY" : "a module without computations");
	sw_diag_hint(r->diag, "the text seems to be cut off: import the file that the compiler dumped");
	return false;
}

/* What was read before the text breaks off is a module, too, where it is more than a header. */
static bool read_whole(reader *r)
{
	graph_module *m = r->module;
	bool whole = !m->cut && is_whole(r);
	if (!whole && !m->cut)
		keep_cut(r);
	if (whole || (m->cut && m->instructions > 0))
		return true;
	if (!m->cut)
		return false;
	*r->diag = *m->cut;
	return false;
}

static bool name_computations(reader *r)
{
	graph_module *m = r->module;
	sw_names_start(&m->names, r->arena);
	for (int i = 0; i < m->computations; i++)
		if (!sw_names_add(&m->names, m->computation[i].name, i))
			return sw_diag_memory(r->diag);
	return true;
}

int hlo_computation_named(const graph_module *module, sw_str name)
{
	name = sw_str_trim(name);
	return sw_names_find(&module->names, sw_str_behind(name, sw_str_starts(name, "%")));
}

bool hlo_module_read(sw_str text, const sw_pulse *pulse, sw_arena *arena, graph_module *module, sw_diag *diag)
{
	reader r =
		{.text = text, .line = 1, .pulse = pulse, .arena = arena, .diag = diag, .module = module, .inside = -1};
	*module = (graph_module){.partitions = 1, .replicas = 1};
	return table_grow(&r) && read_lines(&r) && read_whole(&r) && name_computations(&r);
}

/* ---- slices that are asked for ---- */

int64_t hlo_numbers(sw_str text, int64_t *number, int64_t room)
{
	int64_t count = 0;
	int depth = 0;
	for (size_t i = 0; i < text.length;) {
		size_t begin = i;
		if (text.at[i] == '/' && i + 1 < text.length && text.at[i + 1] == '*') {
			i = sw_str_step(text, i, SW_NESTING_HLO, &depth);
			continue;
		}
		while (i < text.length && text.at[i] >= '0' && text.at[i] <= '9')
			i++;
		int64_t value;
		if (i > begin && sw_read_int((sw_str){text.at + begin, i - begin}, &value, NULL)) {
			if (count < room)
				number[count] = begin > 0 && text.at[begin - 1] == '-' ? -value : value;
			count++;
		}
		i += i == begin;
	}
	return count;
}

int64_t hlo_element_index(const graph_instruction *at)
{
	int64_t index;
	sw_str text;

	return hlo_attribute(at->attributes, "index", &text) && hlo_numbers(text, &index, 1) == 1 && index >= 0 ? index :
																											  -1;
}

static bool shape_layout(sw_str text, hlo_shape *shape)
{
	size_t end = 0;
	int64_t minor[HLO_DIMS];
	bool seen[HLO_DIMS] = {false};
	while (end < text.length && text.at[end] != ':' && text.at[end] != '}')
		end++;
	if (!sw_str_starts(text, "{") || hlo_numbers((sw_str){text.at, end}, minor, HLO_DIMS) != shape->rank)
		return false;
	for (int i = 0; i < shape->rank; i++) {
		if (minor[i] < 0 || minor[i] >= shape->rank || seen[minor[i]])
			return false;
		seen[minor[i]] = true;
		shape->major[shape->rank - 1 - i] = (int)minor[i];
	}
	return true;
}

bool hlo_shape_read(sw_str text, hlo_shape *shape)
{
	const char *open = memchr(text.at, '[', text.length);
	if (!open || sw_str_starts(text, "("))
		return false;
	size_t word = (size_t)(open - text.at);
	const char *close = memchr(open, ']', text.length - word);
	if (!close)
		return false;
	int64_t count = hlo_numbers((sw_str){open, (size_t)(close - open)}, shape->dim, HLO_DIMS);
	if (count > HLO_DIMS)
		return false;
	shape->rank = (int)count;
	shape->typed = sw_dtype_parse((sw_str){text.at, word}, &shape->dtype, NULL);
	size_t done = (size_t)(close + 1 - text.at);
	shape->laid_out = shape_layout((sw_str){close + 1, text.length - done}, shape);
	for (int i = 0; i < shape->rank && !shape->laid_out; i++)
		shape->major[i] = i;
	return true;
}

/* The end of the value at `at`: a comma outside of brackets.  `device_ids=` belongs to the mesh before it. */
static size_t value_end(sw_str text, size_t at)
{
	bool mesh = text.length - at > 5 && memcmp(text.at + at, "mesh[", 5) == 0;
	at = sw_str_outside(text, at, SW_NESTING_HLO, ",");
	while (mesh && at < text.length && sw_str_starts(sw_str_trim(sw_str_behind(text, at + 1)), "device_ids="))
		at = sw_str_outside(text, at + 1, SW_NESTING_HLO, ",");
	return at;
}

sw_str hlo_tuple_item(sw_str list, size_t *at)
{
	sw_str item = sw_str_split(list, at, SW_NESTING_HLO);
	const char *end = item.length > 2 && memcmp(item.at, "/*", 2) == 0 ? memchr(item.at + 2, '/', item.length - 2) :
																		 NULL;
	return end ? sw_str_trim(sw_str_behind(item, (size_t)(end + 1 - item.at))) : item;
}

int hlo_tuple_shapes(sw_str text, sw_str *part, int room)
{
	size_t close = sw_str_balanced(text, 0, SW_NESTING_HLO);
	sw_str list = {text.at + 1, close ? close - 2 : 0};
	int count = 0;
	for (size_t at = 0; close && at <= list.length; count++) {
		sw_str item = hlo_tuple_item(list, &at);
		if (count < room)
			part[count] = item;
	}
	return count;
}

bool hlo_attribute(sw_str attributes, const char *name, sw_str *value)
{
	size_t length = strlen(name);
	for (size_t at = 0; at < attributes.length;) {
		while (at < attributes.length && (attributes.at[at] == ',' || attributes.at[at] == ' '))
			at++;
		size_t key = at;
		while (at < attributes.length && attributes.at[at] != '=' && attributes.at[at] != ',')
			at++;
		bool found = at - key == length && memcmp(attributes.at + key, name, length) == 0;
		size_t begin = at < attributes.length && attributes.at[at] == '=' ? at + 1 : at;
		at = value_end(attributes, begin);
		if (found && at > begin) {
			*value = sw_str_trim((sw_str){attributes.at + begin, at - begin});
			return true;
		}
		at += at == key;
	}
	return false;
}

int hlo_positions_in(sw_str text, int64_t limit, int *position, int room)
{
	assert(room <= HLO_DIMS);
	int64_t number[HLO_DIMS], count = hlo_numbers(text, number, room);
	for (int64_t i = 0; i < count && i < room; i++) {
		if (number[i] < 0 || number[i] >= limit)
			return -1;
		position[i] = (int)number[i];
	}
	return count > room ? -1 : (int)count;
}

int hlo_positions(const graph_instruction *at, const char *name, int64_t limit, int *position, int room)
{
	sw_str value;
	return hlo_attribute(at->attributes, name, &value) ? hlo_positions_in(value, limit, position, room) : -1;
}
