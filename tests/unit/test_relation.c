/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relations of two holdings: recorded moves, formulas, sums and matrices between grids of processes, and laws on random ones.
 */
#include <jansson.h>

#include <shardwalk/distribution.h>
#include <shardwalk/relation.h>
#include <shardwalk/transfers.h>

#include "kit/cases.h"
#include "kit/indices.h"
#include "kit/problem.h"
#include "kit/sets.h"

/* ---- reading lines ---- */

static const char *text_at(const json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static int64_t int_at(const json_t *line, const char *key)
{
	return json_integer_value(json_object_get(line, key));
}

static int64_t item(const json_t *list, size_t n)
{
	return json_integer_value(json_array_get(list, n));
}

/* A list of regions, one a device, of the same array. */
static void listed_holding(const json_t *list, const sw_holding *array, sw_holding *holding)
{
	sw_region *region = SW_NEW(arena, sw_region, array->devices);

	assert_int_equal(json_array_size(list), array->devices);
	for (int64_t d = 0; d < array->devices; d++)
		region[d] = region_of(json_array_get(list, (size_t)d), array->rank);
	*holding = (sw_holding){.devices = array->devices, .terms = 1, .rank = array->rank, .region = region};
	memcpy(holding->global, array->global, sizeof holding->global);
}

static void typed_holding(const sw_mesh *mesh, const char *text, sw_holding *holding)
{
	sw_distribution *distribution = SW_NEW(arena, sw_distribution, 1);
	sw_diag diag;

	if (!sw_distribution_parse(mesh, sw_str_of(text), NULL, arena, distribution, &diag))
		fail_msg("%s: %s", text, diag.message);
	assert_true(sw_holding_of_distribution(mesh, distribution, NULL, arena, holding));
}

struct question {
	const json_t *line;
	const char *name;
	sw_mesh mesh;
	sw_holding from, to;
	sw_relation *relation;
};

static void start_question(const json_t *line, struct question *q)
{
	sw_arena_clear(arena);
	*q = (struct question){.line = line, .name = text_at(line, "name"), .mesh = mesh_of(text_at(line, "mesh"))};
}

static void relate(struct question *q)
{
	sw_diag diag;

	q->relation = sw_relation_new(&q->from, &q->to, NULL, arena, &diag);
	if (q->relation == NULL)
		fail_msg("%s: %s", q->name, diag.message);
}

/* ---- what is compared ---- */

static void same_lists(const struct question *q, const char *key, int64_t (*ask)(sw_relation *, int64_t, int32_t *))
{
	const json_t *lists = json_object_get(q->line, key);
	int32_t *list = SW_NEW(arena, int32_t, q->from.devices);

	assert_int_equal(json_array_size(lists), q->from.devices);
	for (int64_t d = 0; d < q->from.devices; d++) {
		const json_t *wanted = json_array_get(lists, (size_t)d);
		int64_t count = ask(q->relation, d, list);
		if (count != (int64_t)json_array_size(wanted))
			fail_msg("%s: %s of %lld has %lld devices", q->name, key, (long long)d, (long long)count);
		for (int64_t i = 0; i < count; i++)
			if (list[i] != item(wanted, (size_t)i))
				fail_msg("%s: %s of %lld, place %lld", q->name, key, (long long)d, (long long)i);
	}
}

static int64_t largest(const sw_tally *tally, int64_t devices, bool in)
{
	int64_t most = 0;

	for (int64_t d = 0; d < devices; d++) {
		int64_t one = in ? tally[d].in : tally[d].out;
		most = one > most ? one : most;
	}
	return most;
}

static void is_number(const struct question *q, const char *key, int64_t number)
{
	if (json_object_get(q->line, key) != NULL && int_at(q->line, key) != number)
		fail_msg("%s: %s is %lld, not %lld", q->name, key, (long long)number, (long long)int_at(q->line, key));
}

static void same_tally(const struct question *q, sw_sender_rule rule)
{
	sw_tally *tally = SW_NEW(arena, sw_tally, q->from.devices);
	int64_t volume = 0, kept = 0;

	assert_true(sw_relation_tally(q->relation, rule, tally));
	for (int64_t d = 0; d < q->from.devices; d++) {
		volume += tally[d].in;
		kept += tally[d].kept;
		assert_int_equal(tally[d].held, sw_holding_size(&q->from, d));
		assert_int_equal(tally[d].needed, sw_holding_size(&q->to, d));
	}
	is_number(q, "volume", volume);
	is_number(q, "kept", kept);
	is_number(q, "max_in", largest(tally, q->from.devices, true));
	if (rule == SW_SENDER_LOWEST)
		is_number(q, "max_out", largest(tally, q->from.devices, false));
}

static void same_message(const struct question *q, const json_t *wanted, const sw_message *message)
{
	const json_t *last = json_array_get(wanted, 3);
	bool same = message->sender == item(wanted, 0) && message->receiver == item(wanted, 1) &&
		message->elements == item(wanted, 2) && sw_region_size(&message->region) == message->elements;

	if (json_is_array(last)) {
		sw_region region = region_of(last, q->from.rank);
		same = same && sw_region_equal(&message->region, &region);
	} else if (last != NULL) {
		same = same && (uint64_t)json_integer_value(last) == sw_region_sum(&message->region, q->from.global);
	}
	if (!same)
		fail_msg("%s: message from %d to %d, %lld elements; wanted from %lld to %lld, %lld", q->name, message->sender,
			message->receiver, (long long)message->elements, (long long)item(wanted, 0), (long long)item(wanted, 1),
			(long long)item(wanted, 2));
}

static void same_messages(const struct question *q)
{
	const json_t *wanted = json_object_get(q->line, "messages");
	sw_messages messages;

	assert_true(sw_relation_messages(q->relation, SW_SENDER_LOWEST, arena, &messages));
	if (messages.count != (int64_t)json_array_size(wanted))
		fail_msg("%s: %lld messages, not %zu", q->name, (long long)messages.count, json_array_size(wanted));
	for (int64_t i = 0; i < messages.count; i++)
		same_message(q, json_array_get(wanted, (size_t)i), &messages.message[i]);
	is_number(q, "pieces", sw_messages_pieces(&messages, q->from.global));
}

static void same_missing(const struct question *q)
{
	const json_t *all = json_object_get(q->line, "missing");
	char key[24];

	for (int64_t d = 0; d < q->from.devices; d++) {
		sw_region missing, wanted;
		assert_true(sw_relation_missing(q->relation, d, arena, &missing));
		snprintf(key, sizeof key, "%lld", (long long)d);
		const json_t *one = all != NULL ? json_object_get(all, key) : NULL;
		wanted = one != NULL ? region_of(one, q->from.rank) : (sw_region){q->from.rank, 0, NULL};
		if (!sw_region_equal(&missing, &wanted))
			fail_msg("%s: something else is missing on %s", q->name, key);
	}
}

static void same_relabelling(const struct question *q)
{
	int32_t *role = SW_NEW(arena, int32_t, q->from.devices);
	bool *used = SW_NEW_ZERO(arena, bool, q->from.devices);
	int64_t kept, found = 0;

	assert_true(sw_relation_relabel(q->relation, role, &kept));
	for (int64_t d = 0; d < q->from.devices; d++) {
		assert_false(used[role[d]]);
		used[role[d]] = true;
		found += sw_holding_meets(&q->from, d, &q->to, role[d]);
	}
	assert_int_equal(found, kept);
	is_number(q, "relabelled_kept", kept);
}

/* ---- patterns ---- */

static json_t *numbers(const int32_t *list, int64_t count)
{
	json_t *made = json_array();

	for (int64_t i = 0; i < count; i++)
		json_array_append_new(made, json_integer(list[i]));
	return made;
}

static json_t *rows_of(const int32_t *first, const int32_t *list, int64_t count, bool single)
{
	json_t *made = json_array();

	for (int64_t i = 0; i < count; i++) {
		bool one = single && first[i + 1] - first[i] == 1;
		json_array_append_new(made,
			one ? json_integer(list[first[i]]) : numbers(list + first[i], first[i + 1] - first[i]));
	}
	return made;
}

static json_t *vectors(const int64_t *vector, int64_t count, int width)
{
	json_t *made = json_array();

	for (int64_t i = 0; i < count; i++) {
		json_t *one = json_array();
		for (int k = 0; k < width; k++)
			json_array_append_new(one, json_integer(vector[i * width + k]));
		json_array_append_new(made, one);
	}
	return made;
}

static void same_value(const struct question *q, const char *key, json_t *made)
{
	const json_t *wanted = json_object_get(q->line, key);

	if (wanted != NULL && !json_equal(wanted, made))
		fail_msg("%s: %s are %s, not %s", q->name, key, json_dumps(made, JSON_COMPACT),
			json_dumps(wanted, JSON_COMPACT));
	json_decref(made);
}

static json_t *pairs_of(const sw_pattern *pattern)
{
	json_t *made = json_array();

	for (int32_t i = 0; i < pattern->pairs; i++)
		json_array_append_new(made, numbers(pattern->pair + 2 * (size_t)i, 2));
	return made;
}

static void same_pattern(const struct question *q)
{
	sw_pattern pattern;

	assert_true(sw_relation_pattern(q->relation, SW_SENDER_LOWEST, &q->mesh, arena, &pattern));
	if (strcmp(sw_pattern_text(pattern.name), text_at(q->line, "pattern")) != 0)
		fail_msg("%s: pattern is %s, not %s", q->name, sw_pattern_text(pattern.name), text_at(q->line, "pattern"));
	same_value(q, "groups", rows_of(pattern.first_member, pattern.member, pattern.groups, false));
	same_value(q, "pairs", pairs_of(&pattern));
	same_value(q, "offsets", vectors(pattern.offset, pattern.offsets, pattern.axes));
	if (pattern.by != NULL) {
		json_t *by = vectors(pattern.by, 1, pattern.axes);
		same_value(q, "by", json_incref(json_array_get(by, 0)));
		json_decref(by);
	}
	if (pattern.first_root != NULL)
		same_value(q, "roots", rows_of(pattern.first_root, pattern.root, pattern.groups, true));
}

/* ---- lines ---- */

static void each_line(const char *file_name, size_t flags, void (*one)(const json_t *line))
{
	FILE *file = cases_open(file_name);
	static char text[1 << 18];
	int lines = 0;

	if (file == NULL)
		skip();
	for (; fgets(text, sizeof text, file) != NULL; lines++) {
		json_t *line = json_loads(text, flags, NULL);
		assert_non_null(line);
		one(line);
		json_decref(line);
	}
	assert_true(lines > 0);
	printf("%s: %d lines\n", file_name, lines);
	fclose(file);
}

/* The document has the keys of the line, and says the same; regions may be split in other ways. */
static void same_json(const struct question *q)
{
	static const char *const keys[] = {"T", "F", "pieces", "volume", "bytes", "kept", "max_in", "max_out", "pattern",
		"groups", "roots", "offsets", "pairs", "by", "relabelled_kept", "unique_sender"};
	sw_relation_question question = {.rule = SW_SENDER_LOWEST, .mesh = &q->mesh};
	sw_text text = {0};
	sw_dtype dtype;
	sw_json json;

	assert_true(sw_dtype_parse(sw_str_of(text_at(q->line, "dtype")), &dtype, NULL));
	question.element = sw_dtype_bytes(dtype);
	sw_json_start(&json, &text, true);
	sw_json_open(&json, '{', true);
	assert_true(sw_relation_write(q->relation, &question, &json));
	sw_json_close(&json);
	json_t *made = json_loads(sw_text_get(&text), 0, NULL);
	assert_non_null(made);
	for (size_t i = 0; i < COUNT(keys); i++)
		if (json_object_get(q->line, keys[i]) != NULL)
			same_value(q, keys[i], json_incref(json_object_get(made, keys[i])));
	assert_int_equal(json_array_size(json_object_get(made, "messages")),
		json_array_size(json_object_get(q->line, "messages")));
	assert_int_equal(json_object_size(json_object_get(made, "missing")),
		json_object_size(json_object_get(q->line, "missing")));
	json_decref(made);
	sw_text_free(&text);
}

/* All keys that the line has. */
static void same_relation(struct question *q)
{
	relate(q);
	same_lists(q, "T", sw_relation_before);
	same_lists(q, "F", sw_relation_after);
	same_tally(q, SW_SENDER_LOWEST);
	same_tally(q, SW_SENDER_BALANCED);
	same_messages(q);
	same_missing(q);
	same_relabelling(q);
	same_pattern(q);
	same_json(q);
	assert_int_equal(sw_relation_is_unique(q->relation), json_is_true(json_object_get(q->line, "unique_sender")));
}

static void is_move(const json_t *line)
{
	struct question q;

	start_question(line, &q);
	typed_holding(&q.mesh, text_at(line, "from"), &q.from);
	typed_holding(&q.mesh, text_at(line, "to"), &q.to);
	same_relation(&q);
}

static void recorded_moves(void **state)
{
	(void)state;
	each_line("imp-moves.jsonl", 0, is_move);
}

static void matrices_between_grids(void **state)
{
	(void)state;
	each_line("imp-lapack.jsonl", 0, is_move);
}

static void is_kernel(const json_t *line)
{
	struct question q;

	start_question(line, &q);
	typed_holding(&q.mesh, text_at(line, "x"), &q.from);
	listed_holding(json_object_get(line, "beta"), &q.from, &q.to);
	same_relation(&q);
}

static void needs_of_formulas(void **state)
{
	(void)state;
	each_line("imp-kernels.jsonl", 0, is_kernel);
}

/* The type with `+` behind its bracket. */
static void is_sum(const json_t *line)
{
	const char *partial = text_at(line, "partial"), *end = strchr(partial, ']') + 1;
	char text[300];
	struct question q;

	start_question(line, &q);
	snprintf(text, sizeof text, "%.*s+%s", (int)(end - partial), partial, end);
	typed_holding(&q.mesh, text, &q.from);
	typed_holding(&q.mesh, text_at(line, "to"), &q.to);
	relate(&q);
	same_messages(&q);
	same_pattern(&q);
	same_tally(&q, SW_SENDER_LOWEST);
}

static void recorded_sums(void **state)
{
	(void)state;
	each_line("imp-sums.jsonl", 0, is_sum);
}

/* ---- large ones ---- */

/* Of whom a device needs something are the devices that hold some of it; how much that is has the test of distributions. */
static void is_before(const struct question *q, const json_t *row)
{
	int32_t *list = SW_NEW(arena, int32_t, q->from.devices);
	int64_t sender = (int64_t)json_number_value(json_array_get(row, 0));
	int64_t count = sw_relation_before(q->relation, (int64_t)json_number_value(json_array_get(row, 1)), list),
			found = 0;

	for (int64_t i = 0; i < count; i++)
		found += list[i] == sender;
	assert_int_equal(found, json_number_value(json_array_get(row, 2)) > 0);
}

static void is_large(const json_t *line)
{
	const json_t *pairs = json_object_get(line, "pairs");
	struct question q;

	start_question(line, &q);
	typed_holding(&q.mesh, text_at(line, "from"), &q.from);
	typed_holding(&q.mesh, text_at(line, "to"), &q.to);
	relate(&q);
	for (size_t i = 0; i < json_array_size(pairs); i++)
		is_before(&q, json_array_get(pairs, i));
}

static void large_ones(void **state)
{
	(void)state;
	each_line("imp-large.jsonl", JSON_DECODE_INT_AS_REAL, is_large);
}

/* ---- stretches ---- */

/* Every index plus the step of its dimension, `times` times. */
static sw_region moved(const sw_region *region, const int64_t *step, int64_t times)
{
	sw_indices *set = SW_NEW(arena, sw_indices, region->count * region->rank);

	for (int i = 0; i < region->count * region->rank; i++) {
		sw_family *family = SW_NEW(arena, sw_family, region->set[i].count);
		for (int k = 0; k < region->set[i].count; k++) {
			family[k] = region->set[i].family[k];
			family[k].first += times * step[i % region->rank];
		}
		set[i] = (sw_indices){region->set[i].count, family};
	}
	return (sw_region){region->rank, region->count, set};
}

/* From each device on all that its stretch says; how many stretches there are. */
static int64_t stretches_of(const sw_mesh *mesh, const char *text)
{
	int64_t step[SW_MAX_DIMS], stretches = 0, end = 0;
	sw_holding holding;
	sw_region region, other;

	typed_holding(mesh, text, &holding);
	for (int64_t d = 0; d < holding.devices; d++) {
		int64_t devices = sw_holding_stretch(&holding, d, arena, step);
		assert_in_range(devices, 1, holding.devices - d);
		if (d == end) {
			end += devices;
			stretches++;
		}
		assert_true(sw_holding_region(&holding, d, arena, &region));
		for (int64_t n = 1; n < devices; n++) {
			assert_true(sw_holding_region(&holding, d + n, arena, &other));
			sw_region wanted = moved(&region, step, n);
			if (!sw_region_equal(&other, &wanted))
				fail_msg("%s: a stretch of %lld from device %lld", text, (long long)devices, (long long)d);
		}
	}
	return stretches;
}

static void is_stretched(const json_t *line)
{
	static const char *const keys[] = {"type", "from", "to", "partial", "x", "y"};
	sw_mesh mesh = mesh_of(text_at(line, "mesh"));

	sw_arena_clear(arena);
	for (size_t i = 0; i < COUNT(keys); i++)
		if (text_at(line, keys[i]) != NULL)
			stretches_of(&mesh, text_at(line, keys[i]));
}

static void stretches_are_right(void **state)
{
	(void)state;
	each_line("imp-moves.jsonl", 0, is_stretched);
	each_line("imp-sets.jsonl", 0, is_stretched);
	each_line("imp-lapack.jsonl", 0, is_stretched);
}

/* How few stretches say all. */
static const struct stretched {
	const char *text, *mesh;
	int64_t stretches;
} stretched[] = {
	{"[4{x}400]", "{x: 100}", 1},
	{"[4{x}400] union [4{x}400] shift 1 union [4{x}400] shift -1", "{x: 100}", 3},
	{"[4{x}400] shift 1 wrap", "{x: 100}", 2},
	{"[3{x,..}1000]", "{x: 100}", 3},
	{"[3{x@7,..}900]", "{x: 100}", 2},
	{"[{x}1050] by balanced", "{x: 100}", 2},
	{"[{x}1050] by ceil", "{x: 100}", 6},
	{"[4{x}400] on 10-29", "{x: 100}", 81},
	{"[4{x}400] only 100:300", "{x: 100}", 51},
	{"[4{x}400] crop 100:300", "{x: 100}", 51},
	{"[10{x}100, 5{y}50] union [10{x}100, 5{y}50] shift 1, 0", "{x: 10, y: 10}", 10},
	{"[10{x}100, 5{y}50] on {y: 2-5}", "{x: 10, y: 10}", 70},
	{"[50{x}400] over {x: 8}", "{x: 100}", 93},
};

static void few_stretches_say_all(void **state)
{
	const struct stretched *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);

	sw_arena_clear(arena);
	assert_int_equal(stretches_of(&mesh, row->text), row->stretches);
}

/* ---- laws ---- */

enum { LAWS = 3000, MOST_SIDE = 9, MOST_DEVICES = 7, MOST_ELEMENTS = MOST_SIDE * MOST_SIDE };

/* Two holdings at random, and every element of both. */
struct law {
	struct question q;
	int elements;
	bool held[MOST_DEVICES][MOST_ELEMENTS], needed[MOST_DEVICES][MOST_ELEMENTS];
	int owner[MOST_ELEMENTS]; /* the lowest number that holds it, -1: nobody */
};

static sw_region draw_region(draw *random, const sw_holding *array)
{
	sw_region all = {array->rank, 0, NULL};

	for (int n = draw_below(random, 3); n > 0; n--) {
		sw_indices *set = SW_NEW(arena, sw_indices, array->rank);
		bool empty = false;
		for (int dim = 0; dim < array->rank; dim++) {
			set[dim] = draw_indices(random, array->global[dim]);
			empty |= set[dim].count == 0;
		}
		assert_true(sw_region_union(&all, &(sw_region){array->rank, !empty, set}, arena, &all));
	}
	return all;
}

/* What each index of the first dimension, and now and then of the second, belongs to. */
static sw_region cyclic_region(const sw_holding *array, int64_t device, int64_t run, int dim)
{
	sw_indices *set = SW_NEW(arena, sw_indices, array->rank);
	sw_family *family = SW_NEW(arena, sw_family, array->global[dim] + array->rank);
	int64_t step = run * array->devices;
	int count = 0;

	for (int d = 0; d < array->rank; d++)
		set[d] = sw_indices_range(0, array->global[d], &family[array->global[dim] + d]);
	for (int64_t first = device * run; first < array->global[dim]; first += step) {
		int64_t left = array->global[dim] - first;
		family[count++] = (sw_family){first, left < run ? left : run, left < run ? left : run, 1};
	}
	assert_true(sw_indices_of(family, count, arena, &set[dim]));
	return (sw_region){array->rank, count > 0, set};
}

static void draw_holding(draw *random, sw_holding *holding)
{
	sw_region *region = SW_NEW(arena, sw_region, holding->devices);
	int kind = draw_below(random, 3), dim = draw_below(random, holding->rank);
	int64_t run = 1 + draw_below(random, 3), turn = draw_below(random, (int)holding->devices);

	for (int64_t d = 0; d < holding->devices; d++)
		if (kind == 0)
			region[d] = draw_region(random, holding);
		else if (kind == 1)
			region[d] = cyclic_region(holding, (d + turn) % holding->devices, run, dim);
		else
			region[d] = d > 0 && draw_below(random, 2) == 0 ? region[draw_below(random, (int)d)] :
															  draw_region(random, holding);
	holding->region = region;
}

static void element(const sw_holding *array, int number, int64_t *index)
{
	for (int dim = array->rank - 1; dim >= 0; dim--) {
		index[dim] = number % array->global[dim];
		number /= (int)array->global[dim];
	}
}

static void draw_law(draw *random, struct law *law)
{
	int64_t index[SW_MAX_DIMS];

	sw_arena_clear(arena);
	law->q = (struct question){.name = "law"};
	law->q.from =
		(sw_holding){.devices = 1 + draw_below(random, MOST_DEVICES), .terms = 1, .rank = 1 + draw_below(random, 2)};
	law->elements = 1;
	for (int dim = 0; dim < law->q.from.rank; dim++)
		law->elements *= (int)(law->q.from.global[dim] = 1 + draw_below(random, MOST_SIDE));
	law->q.to = law->q.from;
	draw_holding(random, &law->q.from);
	draw_holding(random, &law->q.to);
	for (int e = 0; e < law->elements; e++) {
		element(&law->q.from, e, index);
		law->owner[e] = -1;
		for (int d = (int)law->q.from.devices - 1; d >= 0; d--) {
			law->held[d][e] = sw_holding_has(&law->q.from, d, index);
			law->needed[d][e] = sw_holding_has(&law->q.to, d, index);
			law->owner[e] = law->held[d][e] ? d : law->owner[e];
		}
	}
	relate(&law->q);
}

static bool meets(const struct law *law, int64_t q, int64_t p)
{
	for (int e = 0; e < law->elements; e++)
		if (law->held[q][e] && law->needed[p][e])
			return true;
	return false;
}

/* T holds whom p meets, F is its converse, and both are those of the relation the other way round. */
static void predecessors_are_right(const struct law *law)
{
	int32_t before[MOST_DEVICES], after[MOST_DEVICES];
	sw_relation *back = sw_relation_new(&law->q.to, &law->q.from, NULL, arena, NULL);

	assert_non_null(back);
	for (int64_t d = 0; d < law->q.from.devices; d++) {
		int64_t befores = sw_relation_before(law->q.relation, d, before), n = 0;
		for (int64_t q = 0; q < law->q.from.devices; q++)
			if (meets(law, q, d))
				assert_true(n < befores && before[n++] == q);
		assert_int_equal(n, befores);
		int64_t afters = sw_relation_after(law->q.relation, d, after);
		assert_int_equal(sw_relation_before(back, d, before), afters);
		assert_memory_equal(before, after, (size_t)afters * sizeof *after);
	}
}

/* Messages into a device are disjoint, and are what it needs and does not hold, of what somebody holds. */
static void messages_are_right(const struct law *law, sw_sender_rule rule)
{
	int came[MOST_DEVICES][MOST_ELEMENTS] = {{0}};
	int64_t index[SW_MAX_DIMS];
	sw_messages list;

	assert_true(sw_relation_messages(law->q.relation, rule, arena, &list));
	for (int64_t i = 0; i < list.count; i++) {
		const sw_message *m = &list.message[i];
		assert_true(i == 0 || list.message[i - 1].sender < m->sender ||
			(list.message[i - 1].sender == m->sender && list.message[i - 1].receiver < m->receiver));
		assert_int_equal(sw_region_size(&m->region), m->elements);
		for (int e = 0; e < law->elements; e++) {
			element(&law->q.from, e, index);
			if (!sw_region_has(&m->region, index))
				continue;
			assert_true(law->held[m->sender][e]);
			assert_true(rule != SW_SENDER_LOWEST || law->owner[e] == m->sender);
			came[m->receiver][e]++;
		}
	}
	for (int64_t d = 0; d < law->q.from.devices; d++)
		for (int e = 0; e < law->elements; e++)
			assert_int_equal(came[d][e], law->needed[d][e] && !law->held[d][e] && law->owner[e] >= 0);
}

static void sizes_are_right(const struct law *law, sw_sender_rule rule)
{
	sw_tally tally[MOST_DEVICES];
	int64_t sent = 0, received = 0;
	bool unique = true;

	assert_true(sw_relation_tally(law->q.relation, rule, tally));
	for (int d = 0; d < law->q.from.devices; d++) {
		sw_tally own = {.out = tally[d].out};
		for (int e = 0; e < law->elements; e++) {
			own.held += law->held[d][e];
			own.needed += law->needed[d][e];
			own.kept += law->held[d][e] && law->needed[d][e];
			own.missing += law->needed[d][e] && law->owner[e] < 0;
			unique = unique && (!law->held[d][e] || law->owner[e] == d);
		}
		own.in = own.needed - own.kept - own.missing;
		assert_memory_equal(&own, &tally[d], sizeof own);
		sent += own.out;
		received += own.in;
	}
	assert_int_equal(sent, received);
	assert_int_equal(sw_relation_is_unique(law->q.relation), unique);
}

static void missing_is_right(const struct law *law)
{
	int64_t index[SW_MAX_DIMS];
	sw_region missing;

	for (int64_t d = 0; d < law->q.from.devices; d++) {
		assert_true(sw_relation_missing(law->q.relation, d, arena, &missing));
		for (int e = 0; e < law->elements; e++) {
			element(&law->q.from, e, index);
			assert_int_equal(sw_region_has(&missing, index), law->needed[d][e] && law->owner[e] < 0);
		}
	}
}

static void pieces_are_right(const struct law *law)
{
	for (int64_t d = 0; d < law->q.from.devices; d++) {
		int64_t pieces = 0;
		for (int e = 0; e < law->elements; e++)
			pieces += law->held[d][e] && (e == 0 || !law->held[d][e - 1]);
		assert_int_equal(sw_region_pieces(&law->q.from.region[d], law->q.from.global), pieces);
	}
}

/* The most that stays when devices from `device` on play the roles that are left. */
static int64_t most_kept(const struct law *law, int64_t device, unsigned used)
{
	int64_t most = 0;

	for (int64_t role = 0; role < law->q.from.devices; role++) {
		if (used >> role & 1)
			continue;
		int64_t kept = device + 1 < law->q.from.devices ? most_kept(law, device + 1, used | 1u << role) : 0;
		for (int e = 0; e < law->elements; e++)
			kept += law->held[device][e] && law->needed[role][e];
		most = kept > most ? kept : most;
	}
	return most;
}

static void renumbering_is_best(const struct law *law)
{
	int32_t role[MOST_DEVICES];
	int64_t kept, found = 0;
	unsigned used = 0;

	if (law->q.from.devices > 5)
		return;
	assert_true(sw_relation_relabel(law->q.relation, role, &kept));
	for (int64_t d = 0; d < law->q.from.devices; d++) {
		used |= 1u << role[d];
		for (int e = 0; e < law->elements; e++)
			found += law->held[d][e] && law->needed[role[d]][e];
	}
	assert_int_equal(used, (1u << law->q.from.devices) - 1);
	assert_int_equal(found, kept);
	assert_int_equal(kept, most_kept(law, 0, 0));
}

static void laws(void **state)
{
	(void)state;
	draw random = draw_start("relations");
	static struct law law;

	for (int n = 0; n < LAWS; n++) {
		draw_law(&random, &law);
		predecessors_are_right(&law);
		for (int rule = 0; rule < SW_SENDER_RULE_COUNT; rule++) {
			messages_are_right(&law, (sw_sender_rule)rule);
			sizes_are_right(&law, (sw_sender_rule)rule);
		}
		missing_is_right(&law);
		pieces_are_right(&law);
		renumbering_is_best(&law);
	}
}

/* An array of no dimensions is one element, and devices may be few or none that hold it. */
static void one_element(void **state)
{
	(void)state;
	sw_region held[] = {{0, 0, NULL}, {0, 1, NULL}, {0, 0, NULL}},
			  needed[] = {{0, 1, NULL}, {0, 1, NULL}, {0, 0, NULL}};
	struct question q = {.name = "one element"};
	sw_mesh mesh = mesh_of("{x: 3}");
	sw_messages list;
	sw_pattern pattern;

	sw_arena_clear(arena);
	q.from = (sw_holding){.devices = 3, .terms = 1, .region = held};
	q.to = (sw_holding){.devices = 3, .terms = 1, .region = needed};
	relate(&q);
	assert_true(sw_relation_messages(q.relation, SW_SENDER_BALANCED, arena, &list));
	assert_int_equal(list.count, 1);
	assert_int_equal(list.message->sender, 1);
	assert_int_equal(list.message->elements, 1);
	assert_int_equal(sw_messages_pieces(&list, NULL), 1);
	assert_true(sw_relation_pattern(q.relation, SW_SENDER_LOWEST, &mesh, arena, &pattern));
	assert_int_equal(pattern.name, SW_PATTERN_SEND);
	relate(&(struct question){.name = "nobody holds it", .from = q.to, .to = q.from});
	held[1].count = 0;
	relate(&q);
	assert_true(sw_relation_pattern(q.relation, SW_SENDER_LOWEST, &mesh, arena, &pattern));
	assert_int_equal(pattern.name, SW_PATTERN_NONE);
}

/* ---- sums between tiles ---- */

static const struct summed {
	const char *mesh, *from, *to, *pattern;
	int64_t volume;
} summed[] = {
	{"{x: 2, y: 3}", "[6]+{y}", "[6]", "allreduce", 72},
	{"{x: 2, y: 3}", "[6]+{y}", "[2{y}6]", "reducescatter", 24},
	{"{x: 2, y: 3}", "[3{x}6]+{y}", "[1{y,x}6]", "reducescatter", 12},
	{"{x: 2, y: 3}", "[6]+{y}", "[6]+{y}", "none", 0},
	{"{x: 2, y: 3}", "[3{x}6]+{y}", "[6]+{y}", "allgather", 18},
	{"{x: 2, y: 3}", "[3{x}6]+{y}", "[6]", "general sum", 90},
	{"{x: 2, y: 3}", "[6]", "[6]+{y}", "none", 0},
	{"{x: 4}", "[1]+", "[1] on 0", "reduce", 3},
	{"{x: 3}", "[9]+ at {0: 0-3; 1: 3-6; 2: 6-8}", "[3{x}9]", "general sum", 2},
};

static void sums_between_tiles(void **state)
{
	const struct summed *row = *state;
	struct question q = {.name = row->from, .mesh = mesh_of(row->mesh)};
	sw_tally tally[6];
	sw_pattern pattern;
	int64_t volume = 0;

	sw_arena_clear(arena);
	typed_holding(&q.mesh, row->from, &q.from);
	typed_holding(&q.mesh, row->to, &q.to);
	relate(&q);
	assert_true(sw_relation_pattern(q.relation, SW_SENDER_BALANCED, &q.mesh, arena, &pattern));
	assert_string_equal(sw_pattern_text(pattern.name), row->pattern);
	assert_true(sw_relation_tally(q.relation, SW_SENDER_BALANCED, tally));
	for (int64_t d = 0; d < q.mesh.devices; d++) {
		volume += tally[d].in;
		assert_int_equal(tally[d].missing, 0);
	}
	assert_int_equal(volume, row->volume);
}

static void terms_are_refused(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 2, y: 2}");
	sw_holding from, to;
	sw_diag diag;
	const int32_t joins[] = {0, 0, 1, 1};

	sw_arena_clear(arena);
	typed_holding(&mesh, "[8]+{x,y}", &from);
	typed_holding(&mesh, "[8]+{y}", &to);
	assert_null(sw_relation_new(&from, &to, NULL, arena, &diag));
	assert_int_equal(diag.code, SW_T11);
	assert_non_null(sw_relation_new(&from, &to, joins, arena, &diag));
}

/* ---- the rule of an exchange ---- */

enum { EXCHANGES = 600 };

static void tiles_of(const sw_mesh *mesh, const sw_type *type, sw_tiles *tiles)
{
	int64_t *at = SW_NEW(arena, int64_t, mesh->devices * type->rank + 1);

	for (int64_t d = 0; d < mesh->devices; d++)
		sw_type_offset(mesh, type, d, at + d * type->rank);
	*tiles = (sw_tiles){.rank = type->rank,
		.devices = mesh->devices,
		.global = type->global,
		.tile = type->tile,
		.at = at};
}

/* Elements that each device sends to each, by the transfers of an exchange. */
static void exchanged(const sw_problem *problem, int64_t *elements)
{
	sw_step step = {.op = SW_EXCHANGE};
	sw_tiles before, after;
	sw_transfer box;

	tiles_of(&problem->mesh, &problem->from, &before);
	tiles_of(&problem->mesh, &problem->to, &after);
	const sw_transfers *t = sw_transfers_new(&step, &before, &after, arena, NULL);
	assert_non_null(t);
	for (int64_t d = 0; d < before.devices; d++)
		for (int64_t n = 0, all = sw_transfers_into(t, d); n < all; n++) {
			assert_true(sw_transfers_get(t, d, n, &box));
			int64_t size = 1;
			for (int dim = 0; dim < before.rank; dim++)
				size *= box.extent[dim];
			elements[box.from * before.devices + d] += box.from != d ? size : 0;
		}
}

/* Between tiles the rule `balanced` is that of an exchange. */
static void balanced_is_the_rule_of_an_exchange(void **state)
{
	(void)state;
	static const int64_t axes[] = {2, 3, 2};
	draw random = draw_start("exchanges");

	for (int n = 0; n < EXCHANGES; n++) {
		sw_problem problem;
		struct question q = {.name = "exchange"};
		sw_messages list;
		sw_arena_clear(arena);
		draw_problem(&random, axes, (int)COUNT(axes), 1 + draw_below(&random, 3), &problem);
		int64_t devices = problem.mesh.devices, *elements = SW_NEW_ZERO(arena, int64_t, devices * devices);
		exchanged(&problem, elements);
		assert_true(sw_holding_of_type(&problem.mesh, &problem.from, NULL, arena, &q.from) &&
			sw_holding_of_type(&problem.mesh, &problem.to, NULL, arena, &q.to));
		relate(&q);
		assert_true(sw_relation_messages(q.relation, SW_SENDER_BALANCED, arena, &list));
		for (int64_t i = 0; i < list.count; i++)
			elements[list.message[i].sender * devices + list.message[i].receiver] -= list.message[i].elements;
		for (int64_t i = 0; i < devices * devices; i++)
			assert_int_equal(elements[i], 0);
	}
}

/* ---- many sets ---- */

enum { CROWDS = 40, CROWD = 120, CROWD_SIDE = 3000 };

/* Runs and families of many steps, so that not all have a place of their own. */
static void draw_crowd(draw *random, sw_holding *holding)
{
	sw_region *region = SW_NEW(arena, sw_region, CROWD);
	int steps = draw_below(random, 2) == 0 ? 4 : 200;

	for (int d = 0; d < CROWD; d++) {
		sw_indices *set = SW_NEW(arena, sw_indices, 1);
		sw_family *family = SW_NEW(arena, sw_family, 1);
		int64_t run = 1 + draw_below(random, 9), step = run + 1 + draw_below(random, steps);
		int64_t first = draw_below(random, CROWD_SIDE - 10), most = (CROWD_SIDE - first - run) / step + 1;
		int64_t count = 1 + draw_below(random, draw_below(random, 2) == 0 ? 1 : (int)most);
		*family = (sw_family){first, run, count > 1 ? step : run, count};
		*set = (sw_indices){1, family};
		region[d] = (sw_region){1, 1, set};
	}
	*holding = (sw_holding){.devices = CROWD, .terms = 1, .rank = 1, .global = {CROWD_SIDE}, .region = region};
}

static void all_that_meet_are_found(void **state)
{
	(void)state;
	draw random = draw_start("crowds");
	int32_t before[CROWD];

	for (int n = 0; n < CROWDS; n++) {
		struct question q = {.name = "crowd"};
		sw_arena_clear(arena);
		draw_crowd(&random, &q.from);
		draw_crowd(&random, &q.to);
		relate(&q);
		for (int64_t d = 0; d < CROWD; d++) {
			int64_t befores = sw_relation_before(q.relation, d, before), k = 0;
			for (int64_t e = 0; e < CROWD; e++)
				if (sw_holding_meets(&q.from, e, &q.to, d) > 0)
					assert_true(k < befores && before[k++] == e);
			assert_int_equal(k, befores);
		}
	}
}

int main(void)
{
	static const struct kit_test tests[] = {TEST(recorded_moves), TEST(matrices_between_grids),
		TEST(needs_of_formulas), TEST(recorded_sums), TEST(large_ones), TEST(stretches_are_right),
		ROWS(few_stretches_say_all, stretched, text), TEST(laws), TEST(one_element),
		NUMBERED(sums_between_tiles, summed), TEST(terms_are_refused), TEST(balanced_is_the_rule_of_an_exchange),
		TEST(all_that_meet_are_found)};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
