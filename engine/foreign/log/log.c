/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a log: pairs are found one after the other, equal ones are counted, and each different one is resolved once.
 */
#include <shardwalk/log.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/distribution.h>

#include "foreign/log/parts.h"
#include "foreign/log/printed.h"

#define BEAT 256   /* moves of a program */
#define SHARED 256 /* meshes, and ends of warnings, that are kept once for the pairs that have them */

/* An end of a warning, and its text: what it is depends on little else. */
struct shared_end {
	const char *text;
	const sw_sharding *end; /* NULL: none */
};

struct reading {
	sw_str text;
	const sw_log_options *options;
	sw_arena *arena;
	sw_log *log;
	int room, traffic_room;
	uint64_t *hash;   /* of each pair */
	const char **key; /* the same */
	int *slot;        /* open addressing: index of a pair + 1 */
	int slots;
	sw_arena *work;           /* for what is read of one pair, and given back */
	sw_log_resolved resolved; /* of the pair that is being read */
	const sw_mesh *mesh[SHARED];
	struct shared_end end[SHARED];
	size_t counted; /* bytes whose lines are counted ... */
	int64_t line;   /* ... and the line that byte stands on */
	sw_diag *diag;
};

static const sw_pulse *pulse_of(const struct reading *r)
{
	return r->options ? r->options->pulse : NULL;
}

static int64_t line_at(struct reading *r, size_t at)
{
	while (r->counted < at) {
		const char *end = memchr(r->text.at + r->counted, '\n', at - r->counted);
		r->line += end != NULL;
		r->counted = end ? (size_t)(end - r->text.at) + 1 : at;
	}
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
	if (found->entry)
		add_key(&key, found->value);
	if (found->kind == SW_LOG_ASKED)
		add_key(&key, found->source);
	if (found->kind)
		sw_text_addf(&key, "%d %d", (int)found->kind, (int)found->merge);
	char *copy = key.failed ? NULL : sw_arena_copy(r->work, sw_text_get(&key), key.length);
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
	pair->name[pair->names] = sw_arena_copy(r->arena, name.at, name.length);
	return pair->name[pair->names++] ? true : sw_diag_memory(r->diag);
}

/* It had an arrow and nothing else to be read. */
static void leave_out(struct reading *r, const sw_log_pair *pair)
{
	if (!r->log->left_out++) {
		r->log->left_line = pair->line;
		r->log->left_why = r->resolved.why;
	}
}

/* ---- what is kept of a pair ---- */

static size_t hash_mesh(const sw_mesh *mesh)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (int i = 0; i < mesh->count; i++)
		hash = (hash ^ (uint64_t)mesh->axis[i].size ^ (unsigned char)*mesh->axis[i].name) * UINT64_C(1099511628211);
	return (size_t)(hash >> 32) % SHARED;
}

static bool same_mesh(const sw_mesh *a, const sw_mesh *b)
{
	return sw_mesh_equal(a, b) && (a->order == NULL) == (b->order == NULL) &&
		sw_device_order_equal(a->order, b->order, a->devices);
}

/* One that another pair has too, or a copy; NULL: no memory. */
static const sw_mesh *keep_mesh(struct reading *r, const sw_mesh *mesh)
{
	const sw_mesh **shared = &r->mesh[hash_mesh(mesh)];
	if (*shared && same_mesh(*shared, mesh))
		return *shared;
	sw_mesh *own = SW_NEW(r->arena, sw_mesh, 1);
	if (!own)
		return NULL;
	*own = *mesh;
	*shared = sw_device_order_copy(mesh->order, mesh->devices, r->arena, &own->order) ? own : NULL;
	return *shared;
}

/* Words point into the arena that they were read into. */
static bool keep_words(struct reading *r, const sw_mesh *mesh, const sw_distribution *words,
	const sw_distribution **own)
{
	sw_text text = {0};
	sw_type type;
	*own = NULL;
	if (!words)
		return true;
	sw_distribution_print(mesh, words, true, &text);
	bool ok = !text.failed &&
		sw_type_parse_any(mesh, (sw_str){sw_text_get(&text), text.length}, NULL, r->arena, &type, own, NULL);
	sw_text_free(&text);
	return ok;
}

static bool keep_problem(struct reading *r, sw_log_pair *pair)
{
	const sw_problem *problem = &r->resolved.reading.problem;
	sw_log_problem *own = SW_NEW(r->arena, sw_log_problem, 1);
	if (!own || !keep_words(r, &problem->mesh, problem->from_words, &own->from_words) ||
		!keep_words(r, &problem->mesh, problem->to_words, &own->to_words) ||
		!(own->mesh = keep_mesh(r, &problem->mesh)) ||
		!sw_device_order_copy(problem->to_order, problem->mesh.devices, r->arena, &own->to_order))
		return false;
	own->from = problem->from;
	own->to = problem->to;
	pair->problem = own;
	return true;
}

/* A text of the pair, which may be that of the one before it. */
static bool keep_text(struct reading *r, const char *before, const char **text)
{
	if (before && *text && strcmp(before, *text) == 0)
		*text = before;
	else if (*text)
		*text = sw_arena_copy(r->arena, *text, strlen(*text));
	return *text != NULL;
}

static bool keep_texts(struct reading *r, sw_log_pair *pair)
{
	static const sw_log_pair none;
	const sw_log_pair *before = r->log->count ? &r->log->pairs[r->log->count - 1] : &none;
	const char **texts[] = {&pair->from, &pair->to, &pair->shape, &pair->op, &pair->operand, &pair->op_name,
		&pair->source, &pair->remark, &pair->means, &pair->write, &pair->type};
	const char *const befores[] = {before->from, before->to, before->shape, before->op, before->operand,
		before->op_name, before->source, before->remark, before->means, before->write, before->type};
	bool ok = true;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ok = (!*texts[i] || keep_text(r, befores[i], texts[i])) && ok;
	return ok;
}

static bool keep_why(struct reading *r, sw_log_pair *pair)
{
	sw_diag *own = SW_NEW(r->arena, sw_diag, 1);
	if (own)
		*own = r->resolved.why;
	pair->why = own;
	return own != NULL;
}

/* What was read of it in the arena for work, as far as others want it. */
static bool keep_pair(struct reading *r, sw_log_pair *pair)
{
	pair->ends[0] = pair->ends[1] = NULL;
	return keep_texts(r, pair) && (r->resolved.is_problem ? keep_problem(r, pair) : keep_why(r, pair));
}

static bool same_end(const struct shared_end *shared, const char *text, const sw_sharding *end)
{
	return shared->end && strcmp(shared->text, text) == 0 && shared->end->rank == end->rank &&
		shared->end->subgroups == end->subgroups && shared->end->pads == end->pads;
}

static bool keep_end(struct reading *r, sw_str text, const sw_sharding **end)
{
	const char *copy = sw_arena_copy(r->arena, text.at, text.length);
	sw_sharding *own = SW_NEW(r->arena, sw_sharding, 1);
	if (!copy || !own)
		return false;
	*own = **end;
	*end = own;
	r->end[hash_text(copy) % SHARED] = (struct shared_end){copy, own};
	return true;
}

/* Of a warning: its ends, as they are for whoever asks what it is about.  What they point to is in the log's arena, unless
 * other pairs have them too. */
static bool keep_ends(struct reading *r, const sw_log_found *found, sw_log_pair *pair)
{
	sw_arena_mark mark = sw_arena_here(r->arena);
	sw_log_pair again = {0};
	bool read, shared = true;
	const sw_str text[2] = {found->from.text, found->to.text};
	if (!sw_log_resolve(found, r->options, r->arena, &r->resolved, &again, &read, r->diag))
		return false;
	for (int k = 0; k < 2 && again.ends[k]; k++) {
		char *word = sw_arena_copy(r->work, text[k].at, text[k].length);
		if (!word)
			return sw_diag_memory(r->diag);
		const struct shared_end *end = &r->end[hash_text(word) % SHARED];
		bool same = same_end(end, word, again.ends[k]);
		pair->ends[k] = same ? end->end : again.ends[k];
		shared = shared && same;
	}
	if (shared)
		sw_arena_back(r->arena, mark);
	for (int k = 0; k < 2 && pair->ends[k]; k++)
		if (pair->ends[k] == again.ends[k] && !keep_end(r, text[k], &pair->ends[k]))
			return sw_diag_memory(r->diag);
	return true;
}

/* A pair that is not there yet; *read: something of it could be read. */
static bool add(struct reading *r, const sw_log_found *found, const char *key, uint64_t hash, int *slot, bool *read)
{
	sw_log_pair pair = {.line = line_at(r, found->at.begin), .entry = found->entry};
	if (!sw_log_resolve(found, r->options, r->work, &r->resolved, &pair, read, r->diag))
		return false;
	if ((!*read && found->kind == SW_LOG_PAIR) || found->half) {
		leave_out(r, &pair);
		return true;
	}
	key = sw_arena_copy(r->arena, key, strlen(key));
	if (!key || !keep_pair(r, &pair))
		return sw_diag_memory(r->diag);
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
	pair->loop = pair->count ? pair->loop : found->loop;
	pair->untaken = found->untaken && (pair->untaken || !pair->count);
	pair->count += 1 + found->repeats;
	pair->runs += found->kind == SW_LOG_ASKED ? found->runs : 1 + found->repeats;
	pair->runs = pair->runs < SW_RUNS_MOST ? pair->runs : SW_RUNS_MOST;
	pair->open |= found->open;
	if (found->warned && !pair->warned && !keep_ends(r, found, pair))
		return false;
	pair->warned |= found->warned;
	if (pair->warned && pair->devices > r->log->devices)
		r->log->devices = pair->devices;
	r->log->repeats += found->repeats;
	return add_name(r, pair, found->value);
}

/* ---- logs ---- */

/* Where its kind is counted; NULL: it was left out. */
static int64_t *count_of(sw_log *log, const sw_log_found *found, int64_t left_out)
{
	if (found->kind == SW_LOG_SEQUENTIAL)
		return &log->sequential;
	if (found->kind == SW_LOG_INDIVISIBLE)
		return &log->indivisible;
	return found->warned ? &log->warnings : log->left_out == left_out ? &log->plain : NULL;
}

static bool take_counted(void *context, const sw_log_found *found, sw_arena_mark mark)
{
	struct reading *r = context;
	int64_t left_out = r->log->left_out;
	if (!take(r, found))
		return false;
	int64_t *count = count_of(r->log, found, left_out);
	if (count)
		++*count;
	sw_arena_back(r->work, mark);
	return true;
}

/* ---- programs ---- */

/* Its pairs, in the order of the text. */
static bool take_moves(struct reading *r, graph_module *module, const mlir_moves *moves)
{
	bool ok = true;
	for (int k = 0; k < moves->count && ok; k++) {
		sw_arena_mark mark = sw_arena_here(r->work);
		sw_log_found found;
		ok = sw_log_asked(module, r->text, &moves->move[k], r->work, &found, r->diag) && take(r, &found);
		sw_arena_back(r->work, mark);
		if (ok && k % BEAT == BEAT - 1 && !sw_pulse_beat(pulse_of(r), "moves", k, moves->count))
			ok = sw_diag_set(r->diag, SW_S03, found.at, "stopped after %d of %d moves", k, moves->count);
	}
	r->log->asked += moves->asked;
	r->log->unsaid_line = r->log->unsaid ? r->log->unsaid_line : moves->unsaid_line;
	r->log->unsaid += moves->unsaid;
	return ok;
}

/* The caller's mesh is what names of others mean. */
static bool give_mesh(const struct reading *r, graph_module *module, sw_arena *work)
{
	const sw_mesh *mesh = r->options ? r->options->mesh : NULL;
	sw_sharding *s = mesh ? SW_NEW_ZERO(work, sw_sharding, 1) : NULL;
	sw_text text = {0};
	if (!s)
		return !mesh;
	s->kind = SW_SHARDING_MESH;
	s->mesh = *mesh;
	bool printed = sw_sharding_print(s, SW_NOTATION_SHARDY, work, &text, NULL);
	const char *kept = printed && !text.failed ? sw_arena_copy(work, sw_text_get(&text), text.length) : NULL;
	const char *open = kept ? strchr(kept, '<') : NULL;
	sw_text_free(&text);
	module->given.text = open ? sw_str_of(open) : (sw_str){"", 0};
	return kept || !printed;
}

static bool keep_bound(struct reading *r, const mlir_moves *moves)
{
	sw_diag *own = moves->bound.code != SW_OK && !r->log->bound ? SW_NEW(r->arena, sw_diag, 1) : NULL;
	if (own)
		*own = moves->bound;
	r->log->bound = own ? own : r->log->bound;
	return moves->bound.code == SW_OK || r->log->bound;
}

/* What its shardings name and nobody says. */
static bool keep_undefined(struct reading *r, const mlir_flow *flow)
{
	if (!flow->undefined.length || r->log->undefined)
		return true;
	r->log->undefined = sw_arena_copy(r->arena, flow->undefined.at, flow->undefined.length);
	return r->log->undefined != NULL;
}

static bool read_program(struct reading *r, sw_span span, size_t around, sw_arena *work)
{
	graph_module module;
	mlir_moves moves;
	mlir_flow *flow = SW_NEW_ZERO(work, mlir_flow, 1);
	if (!flow)
		return sw_diag_memory(r->diag);
	if (!mlir_read(r->text, span, line_at(r, span.begin), pulse_of(r), work, &module, r->diag))
		return false;
	module.around = (sw_str){r->text.at + around, r->text.length - around};
	flow->arena = work;
	if (!give_mesh(r, &module, work))
		return sw_diag_memory(r->diag);
	if (!mlir_walk(&module, flow, pulse_of(r), &moves, r->diag))
		return false;
	if (!r->log->module) {
		r->log->module = sw_arena_copy(r->arena, module.name.at, module.name.length);
		r->log->partitions = moves.devices;
	}
	r->log->cut_line = module.cut_line;
	if (!r->log->module || !keep_undefined(r, flow) || !keep_bound(r, &moves) ||
		!mlir_collectives_give(&moves, r->arena, &r->log->traffic, &r->traffic_room))
		return sw_diag_memory(r->diag);
	return take_moves(r, &module, &moves);
}

/* Blanks in the place of a module; lines stay as they are. */
static void blank(sw_text *around, sw_span span)
{
	for (size_t i = span.begin; i < span.end; i++)
		around->data[i] = around->data[i] == '\n' ? '\n' : ' ';
}

/* Every StableHLO module of the text; *any: there is one.  In `around` they are blank. */
static bool read_programs(struct reading *r, sw_text *around, bool *any)
{
	sw_span span;
	bool ok = true;
	size_t begin = 0;
	for (*any = false; ok && mlir_find(r->text, begin, &span); begin = span.end) {
		sw_arena *work = sw_arena_new();
		ok = work ? read_program(r, span, begin, work) : sw_diag_memory(r->diag);
		sw_arena_free(work);
		if (!*any)
			sw_text_add_str(around, r->text);
		if (around->failed)
			return sw_diag_memory(r->diag);
		blank(around, span);
		*any = true;
	}
	return ok;
}

/* What compilers say before and behind the modules. */
static bool read_around(struct reading *r, const sw_text *around)
{
	r->counted = 0;
	r->line = 1;
	return sw_log_scan((sw_str){sw_text_get(around), around->length}, false, pulse_of(r), r->work, take_counted, r,
		r->diag);
}

sw_problem sw_log_problem_of(const sw_log_pair *pair)
{
	assert(pair->problem != NULL);
	const sw_log_problem *kept = pair->problem;
	return (sw_problem){.mesh = *kept->mesh,
		.from = kept->from,
		.to = kept->to,
		.from_words = kept->from_words,
		.to_words = kept->to_words,
		.to_order = kept->to_order};
}

/* What is made of an entry is given back here: the mark is of another arena. */
static bool take_entry(void *context, const sw_log_found *found, sw_arena_mark mark)
{
	struct reading *r = context;
	(void)mark;
	return take_counted(r, found, sw_arena_here(r->work));
}

/* What is read of two dictionaries is in an arena of its own: the other one is given back pair by pair. */
static bool read_entries(struct reading *r)
{
	sw_log *log = r->log;
	sw_arena *work = sw_arena_new();
	bool ok = work ? sw_log_entries(r->text, work, take_entry, r, log->alone, &log->entries, r->diag) :
					 sw_diag_memory(r->diag);
	for (int k = 0; k < 2; k++)
		ok = ok && (keep_text(r, NULL, &log->alone[k].names) || !log->alone[k].names || sw_diag_memory(r->diag));
	sw_arena_free(work);
	return ok;
}

/* ---- what JAX and PyTorch print ---- */

static const struct print_row {
	const char *name;
	sw_log_printed_reader *read;
} prints[] = {{"jaxpr", sw_log_read_jaxpr}, {"trace", sw_log_read_traced}};

static bool read_printed(struct reading *r)
{
	bool ok = true, any = false;
	sw_log_printed printed = {.text = r->text,
		.options = r->options,
		.work = r->work,
		.arena = r->arena,
		.traffic = &r->log->traffic,
		.room = &r->traffic_room,
		.take = take_counted,
		.context = r,
		.diag = r->diag};
	for (size_t i = 0; ok && !any && i < sizeof(prints) / sizeof(*prints); i++) {
		ok = prints[i].read(&printed, &any);
		if (any)
			r->log->printed = prints[i].name;
	}
	r->log->asked = printed.asked;
	r->log->unsaid = printed.unsaid;
	r->log->unsaid_line = printed.unsaid_line;
	return ok;
}

/* What stands between them may be a log. */
static bool read_log(struct reading *r)
{
	return read_printed(r) && (r->log->printed || read_entries(r)) &&
		(r->log->entries || sw_log_scan(r->text, !r->log->printed, pulse_of(r), r->work, take_counted, r, r->diag));
}

static bool read_text(struct reading *r)
{
	bool program;
	sw_text around = {0};
	bool ok = read_programs(r, &around, &program) && (program ? read_around(r, &around) : read_log(r));
	sw_text_free(&around);
	return ok && (traffic_finish(&r->log->traffic, r->arena) || sw_diag_memory(r->diag));
}

bool sw_log_read(sw_str text, const sw_log_options *options, sw_arena *arena, sw_log *log, sw_diag *diag)
{
	sw_diag own = {.code = SW_OK};
	sw_log out = {0};
	sw_arena *work = sw_arena_new();
	struct reading *r = work ? SW_NEW_ZERO(work, struct reading, 1) : NULL;
	if (r)
		*r = (struct reading){.text = text,
			.options = options,
			.arena = arena,
			.work = work,
			.log = &out,
			.line = 1,
			.diag = &own};
	bool ok = r ? read_text(r) : sw_diag_memory(&own);
	if (ok)
		out.lines = line_at(r, text.length) - (!text.length || text.at[text.length - 1] == '\n');
	sw_arena_free(work);
	if (ok)
		*log = out;
	else if (diag)
		*diag = own;
	return ok;
}
