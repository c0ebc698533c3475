/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributions: recorded types with the sets they mean, texts there and back, refusals with their places, and random types against
 * a second reading that goes through all elements and devices.
 */
#include <shardwalk/distribution.h>

#include <inttypes.h>

#include <jansson.h>

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/draw.h"
#include "kit/problem.h"

/* ---- recorded sets ---- */

static sw_indices indices_of(const json_t *list)
{
	sw_family *family = SW_NEW(arena, sw_family, json_array_size(list));
	sw_indices made;
	size_t count = json_array_size(list);

	for (size_t i = 0; i < count; i++) {
		const json_t *one = json_array_get(list, i);
		family[i] = (sw_family){json_integer_value(json_array_get(one, 0)),
			json_integer_value(json_array_get(one, 1)), json_integer_value(json_array_get(one, 2)),
			json_integer_value(json_array_get(one, 3))};
	}
	assert_true(sw_indices_of(family, (int)count, arena, &made));
	return made;
}

static sw_region region_of(const json_t *products, int rank)
{
	sw_region all = {.rank = rank};

	for (size_t n = 0; n < json_array_size(products); n++) {
		sw_indices *set = SW_NEW(arena, sw_indices, rank);
		for (int dim = 0; dim < rank; dim++)
			set[dim] = indices_of(json_array_get(json_array_get(products, n), (size_t)dim));
		assert_true(sw_region_union(&all, &(sw_region){rank, 1, set}, arena, &all));
	}
	return all;
}

static sw_distribution read_as(const sw_mesh *mesh, const char *text)
{
	sw_distribution read;
	sw_diag diag;

	if (!sw_distribution_parse(mesh, sw_str_of(text), NULL, arena, &read, &diag))
		fail_msg("%s: %s, %s, %s", text, diag.message, diag.expected, diag.found);
	return read;
}

static sw_holding held_of(const sw_mesh *mesh, const char *text)
{
	sw_distribution *kept = SW_NEW(arena, sw_distribution, 1);
	sw_holding holding;

	*kept = read_as(mesh, text);
	assert_true(sw_holding_of_distribution(mesh, kept, NULL, arena, &holding));
	return holding;
}

/* Reading what is printed gives the same, and prints the same. */
static void reads_back(const sw_mesh *mesh, const char *text)
{
	sw_distribution first = read_as(mesh, text), again;
	sw_text printed[2] = {{0}};

	sw_distribution_print(mesh, &first, true, &printed[0]);
	again = read_as(mesh, sw_text_get(&printed[0]));
	sw_distribution_print(mesh, &again, true, &printed[1]);
	assert_string_equal(sw_text_get(&printed[0]), sw_text_get(&printed[1]));
	assert_int_equal(first.tile, again.tile);
	sw_holding a = held_of(mesh, text), b = held_of(mesh, sw_text_get(&printed[0]));
	if (!sw_holding_equal(&a, &b))
		fail_msg("%s: printed as %s, which is another", text, sw_text_get(&printed[0]));
	for (int i = 0; i < 2; i++)
		sw_text_free(&printed[i]);
}

static void check_sets(const char *name, const sw_holding *holding, const json_t *sets)
{
	assert_int_equal(json_array_size(sets), holding->devices);
	for (int64_t d = 0; d < holding->devices; d++) {
		const json_t *set = json_array_get(sets, (size_t)d);
		sw_region has, right = region_of(set, holding->rank);
		sw_text text = {0};
		if (sw_holding_defined(holding, d) == json_is_null(set))
			fail_msg("%s: device %" PRId64 " is %sdefined", name, d, json_is_null(set) ? "" : "not ");
		assert_true(sw_holding_region(holding, d, arena, &has));
		if (sw_region_equal(&has, &right))
			continue;
		sw_holding_print(holding, d, &text);
		sw_text_add(&text, " in place of ");
		sw_region_print(&right, &text);
		fail_msg("%s: device %" PRId64 " has %s", name, d, sw_text_get(&text));
	}
}

/* How many devices have an element, for all elements. */
static void check_cover(const sw_holding *holding, bool disjoint, bool covers)
{
	int64_t elements = 1, index[SW_MAX_DIMS];
	bool once = true, all = true;

	for (int dim = 0; dim < holding->rank; dim++)
		elements *= holding->global[dim];
	for (int64_t n = 0; n < elements; n++) {
		int64_t rest = n, held = 0;
		for (int dim = holding->rank - 1; dim >= 0; dim--) {
			index[dim] = rest % holding->global[dim];
			rest /= holding->global[dim];
		}
		for (int64_t d = 0; d < holding->devices; d++)
			held += sw_holding_has(holding, d, index);
		once = once && held <= 1;
		all = all && held > 0;
	}
	assert_int_equal(once, disjoint);
	assert_int_equal(all, covers);
}

static const char *text_of(const json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static void sets_line(const json_t *line)
{
	sw_mesh mesh = mesh_of(text_of(line, "mesh"));
	const char *type = text_of(line, "type"), *name = text_of(line, "name");
	const json_t *sizes = json_object_get(line, "sizes"), *shape = json_object_get(line, "shape");
	sw_holding holding = held_of(&mesh, type);

	assert_int_equal(json_array_size(shape), holding.rank);
	for (int dim = 0; dim < holding.rank; dim++)
		assert_int_equal(json_integer_value(json_array_get(shape, (size_t)dim)), holding.global[dim]);
	check_sets(name, &holding, json_object_get(line, "sets"));
	for (int64_t d = 0; d < holding.devices; d++)
		assert_int_equal(sw_holding_size(&holding, d), json_integer_value(json_array_get(sizes, (size_t)d)));
	check_cover(&holding, json_is_true(json_object_get(line, "disjoint")),
		json_is_true(json_object_get(line, "covers")));
	reads_back(&mesh, type);
}

static int64_t place_of(const int64_t *index, const sw_holding *holding)
{
	int64_t place = 0;

	for (int dim = 0; dim < holding->rank; dim++)
		place = place * holding->global[dim] + index[dim];
	return place;
}

/* `sets` are of row-major indices. */
static void foreign_line(const json_t *line)
{
	const char *type = text_of(line, "type");
	const json_t *sets = json_object_get(line, "sets");

	if (type == NULL)
		return;
	sw_mesh mesh = mesh_of(text_of(line, "mesh"));
	sw_holding holding = held_of(&mesh, type);
	for (int64_t d = 0; d < holding.devices; d++) {
		sw_indices right = indices_of(json_array_get(sets, (size_t)d));
		int64_t elements = 1, index[SW_MAX_DIMS];
		for (int dim = 0; dim < holding.rank; dim++)
			elements *= holding.global[dim];
		for (int64_t n = 0; n < elements; n++) {
			int64_t rest = n;
			for (int dim = holding.rank - 1; dim >= 0; dim--) {
				index[dim] = rest % holding.global[dim];
				rest /= holding.global[dim];
			}
			assert_int_equal(place_of(index, &holding), n);
			assert_int_equal(sw_holding_has(&holding, d, index), sw_indices_has(&right, n));
		}
	}
	reads_back(&mesh, type);
}

/* The sum of the row-major indices, modulo 2^64. */
static uint64_t sum_of_indices(const sw_indices *set)
{
	uint64_t sum = 0;

	for (int i = 0; i < set->count; i++) {
		const sw_family *f = &set->family[i];
		uint64_t run = (uint64_t)f->run, count = (uint64_t)f->count;
		unsigned __int128 runs = (unsigned __int128)run * (run - 1) / 2,
						  steps = (unsigned __int128)count * (count - 1) / 2;
		sum += (uint64_t)f->first * run * count + (uint64_t)runs * count + (uint64_t)steps * (uint64_t)f->step * run;
	}
	return sum;
}

static uint64_t sum_of_region(const sw_region *region, const int64_t *global)
{
	uint64_t sum = 0;

	for (int n = 0; n < region->count; n++) {
		uint64_t weight = 1,
				 size = (uint64_t)sw_region_size(&(sw_region){region->rank, 1, region->set + n * region->rank});
		for (int dim = region->rank - 1; dim >= 0; dim--) {
			const sw_indices *set = &region->set[n * region->rank + dim];
			sum += sum_of_indices(set) * weight * (size / (uint64_t)sw_indices_size(set));
			weight *= (uint64_t)global[dim];
		}
	}
	return sum;
}

/* A number, or one that is too large for JSON in its quotes. */
static uint64_t number_at(const json_t *list, size_t i)
{
	const json_t *value = json_array_get(list, i);

	return json_is_string(value) ? strtoull(json_string_value(value), NULL, 10) : (uint64_t)json_integer_value(value);
}

/* Puts numbers of 19 digits and more in quotes. */
static char *quote_large(const char *line)
{
	char *quoted = malloc(2 * strlen(line) + 1), *to = quoted;

	assert_non_null(quoted);
	while (*line != '\0') {
		size_t digits = strspn(line, "0123456789");
		size_t copied = digits > 0 ? digits : 1;
		if (digits >= 19)
			*to++ = '"';
		memcpy(to, line, copied);
		to += copied;
		line += copied;
		if (digits >= 19)
			*to++ = '"';
	}
	*to = '\0';
	return quoted;
}

static void large_line(const json_t *line)
{
	sw_mesh mesh = mesh_of(text_of(line, "mesh"));
	sw_holding end[2] = {held_of(&mesh, text_of(line, "from")), held_of(&mesh, text_of(line, "to"))};
	const json_t *held = json_object_get(line, "held"), *pairs = json_object_get(line, "pairs");
	sw_region region[2], both;

	for (size_t i = 0; i < json_array_size(held); i++) {
		const json_t *row = json_array_get(held, i);
		for (int e = 0; e < 2; e++) {
			assert_true(sw_holding_region(&end[e], (int64_t)number_at(row, 0), arena, &region[0]));
			assert_int_equal(sw_region_size(&region[0]), number_at(row, (size_t)(1 + 2 * e)));
			assert_true(sum_of_region(&region[0], end[e].global) == number_at(row, (size_t)(2 + 2 * e)));
		}
	}
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		const json_t *row = json_array_get(pairs, i);
		for (int e = 0; e < 2; e++)
			assert_true(sw_holding_region(&end[e], (int64_t)number_at(row, (size_t)e), arena, &region[e]));
		assert_true(sw_region_meet(&region[0], &region[1], arena, &both));
		assert_int_equal(sw_region_size(&both), number_at(row, 2));
		assert_true(sum_of_region(&both, end[0].global) == number_at(row, 3));
	}
}

/* Types of other files: they are read, and printed as they are read. */
static void typed_line(const json_t *line)
{
	static const char *const keys[] = {"from", "to", "partial", "x", "y", "type"};
	sw_mesh mesh = mesh_of(text_of(line, "mesh"));

	for (size_t i = 0; i < COUNT(keys); i++)
		if (text_of(line, keys[i]) != NULL)
			reads_back(&mesh, text_of(line, keys[i]));
}

/* Statements that are refused, and what the answer says. */
static void bad_line(const json_t *line)
{
	static const char begin[] = "type A = ";
	const char *statement = text_of(line, "statement");
	const json_t *says = json_object_get(line, "says");
	sw_mesh mesh = mesh_of(text_of(line, "mesh"));
	sw_distribution read;
	sw_diag diag;
	char all[1024];

	if (strncmp(statement, begin, strlen(begin)) != 0)
		return;
	if (sw_distribution_parse(&mesh, sw_str_of(statement + strlen(begin)), NULL, arena, &read, &diag))
		fail_msg("%s was accepted", statement);
	snprintf(all, sizeof all, "%s; %s; %s; %s", diag.message, diag.expected, diag.found, diag.hint);
	for (size_t i = 0; i < json_array_size(says); i++)
		if (strstr(all, json_string_value(json_array_get(says, i))) == NULL)
			fail_msg("%s: not said: %s; but: %s", statement, json_string_value(json_array_get(says, i)), all);
}

static const struct recorded {
	const char *file;
	void (*check)(const json_t *line);
	int lines;
} recorded[] = {
	{"imp-sets.jsonl", sets_line, 100},
	{"imp-foreign.jsonl", foreign_line, 16},
	{"imp-large.jsonl", large_line, 6},
	{"imp-moves.jsonl", typed_line, 140},
	{"imp-kernels.jsonl", typed_line, 60},
	{"imp-sums.jsonl", typed_line, 25},
	{"imp-graphs.jsonl", typed_line, 20},
	{"imp-lapack.jsonl", typed_line, 30},
	{"imp-bad.jsonl", bad_line, 16},
};

static void recorded_lines(void **state)
{
	const struct recorded *row = *state;
	FILE *file = cases_open(row->file);
	char *line = NULL;
	size_t room = 0;
	int lines = 0;

	if (file == NULL)
		skip();
	for (; getline(&line, &room, file) > 0; lines++) {
		char *quoted = quote_large(line);
		json_t *object = json_loads(quoted, 0, NULL);
		free(quoted);
		sw_arena_clear(arena);
		assert_non_null(object);
		row->check(object);
		json_decref(object);
	}
	assert_in_range(lines, 1, row->lines);
	free(line);
	fclose(file);
}

/* ---- texts ---- */

static const struct printed_row {
	const char *text, *mesh, *printed; /* NULL: as it is read */
} printed_rows[] = {
	/* what equals a tile type is one */
	{"[4{x,..}16]", "{x: 4}", "[4{x}16]"},
	{"[{x}12] by nested", "{x: 4}", "[3{x}12]"},
	{"[3+3+3+3{x}12, 5]", "{x: 4}", "[3{x}12, 5]"},
	{"[3{x@0}12]", "{x: 4}", "[3{x}12]"},
	{"[3{..4}12]", "{x: 4}", "[12]"},
	{"[2{..2,x}16]", "{x: 4}", "[4{x}16]"},
	{"[3{..}12]", "{x: 4}", "[12]"},
	{"[12] shift 5 wrap", "{x: 4}", "[12]"},
	{"[3{x}12] shift 0", "{x: 4}", "[3{x}12]"},
	{"[3{x}12] shift 12 wrap", "{x: 4}", "[3{x}12]"},
	{"[3{x}12] only :", "{x: 4}", "[3{x}12]"},
	{"[3{x}12, 8] only 0:12, :", "{x: 4}", "[3{x}12, 8]"},
	{"[3{x}12] on 0-3", "{x: 4}", "[3{x}12]"},
	{"[3{x}12] on {x: 0-3}", "{x: 4}", "[3{x}12]"},
	{"[6{x,y}24] crop :12", "{x: 2, y: 2}", "[6{x,y}24] crop 0:12"},
	{"[12, 4{x}16] crop :, 4:12", "{x: 4}", NULL},
	{"[12, 16] crop 2, 4:12", "{x: 4}", "[1, 8]"},
	{"[3{x}12] union [3{x}12]", "{x: 4}", "[3{x}12]"},
	{"[12] at {0: 0-2; 1: 3-5; 2: 6-8; 3: 9-11}", "{x: 4}", "[3{x}12]"},
	{"[12] at {3: 9-11; 0: 0-2; 1: 3-5; 2: 6-8}", "{a: 2, b: 2}", "[3{b,a}12]"},
	{"[12] at {0: 0-2; 2: 3-5; 1: 6-8; 3: 9-11}", "{a: 2, b: 2}", "[3{a,b}12]"},
	{"[12] at {0: 0-5; 1: 0-5; 2: 6-11; 3: 6-11}", "{x: 4}", "[6{x:(1)2}12]"},
	{"[12] at {0: 0-5; 2: 0-5; 1: 6-11; 3: 6-11}", "{x: 4}", "[6{x:(2)2}12]"},
	{"[3{r}6, 4{c}12] over {r: 2, c: 3}", "{d: 6}", "[3{d:(1)2}6, 4{d:(2)3}12]"},
	{"[3{r}6, 12] over {c: 3, r: 2}", "{d: 6}", "[3{d:(3)2}6, 12]"},
	{"[1{x}4] through i to 4", "{x: 4}", "[1{x}4]"},
	{"[2{x}8, 4] through j, i to 4, 8", "{x: 4}", "[4, 2{x}8]"},
	{"[2{x}8] through i/2 to 4", "{x: 4}", "[1{x}4]"},
	{"[2{x}8] through i, 0 to 8, 1", "{x: 4}", "[2{x}8, 1]"},
	{"[2{x}8, 4] through i to 8", "{x: 4}", "[2{x}8]"},
	{"[]", "{x: 4}", NULL},
	{"[] on 0-3", "{x: 4}", "[]"},
	{"[] on 0 union [] on 2 union [] on 0-1", "{x: 4}", NULL},
	/* sums */
	{"[12]+", "{x: 4}", "[12]+{x}"},
	{"[12]+ shift 12 wrap", "{x: 4}", "[12]+{x}"},
	{"[3{x}12]+", "{x: 4}", "[3{x}12]"},
	{"[6{x:(1)2}12]+", "{x: 4}", "[6{x:(1)2}12]+{x:(2)2}"},
	{"[6{x:(2)2}12]+", "{x: 8, y: 3}", "[6{x:(2)2}12]+{x:(4)2,x:(1)2,y}"},
	{"[]+", "{x: 4, y: 2}", "[]+{x,y}"},
	{"[12]+ union [12]+", "{x: 4}", "[12]+{x}"},
	{"[6]+{c} over {r: 2, c: 3}", "{d: 6}", "[6]+{d:(2)3}"},
	{"[9]+ at {0: 0-3; 1: 3-6; 2: 6-8}", "{x: 3}", NULL},
	{"[9] at {0: 0-3; 1: 3-6} over {z: 2}", "{x: 3}", "[9] over {z: 2} at {0: 0-3; 1: 3-6}"},
	{"[9] at {}", "{x: 3}", NULL},
	{"[13]+ only 2:5", "{x: 3}", NULL},
	{"[{x}13]+{y} by ceil shift 1", "{x: 3, y: 2}", NULL},
	{"[1{x,..}13]+ union [1{x,..}13]+ shift 1", "{x: 3}", NULL},
	/* all others as they are read */
	{"[1{x,..}13]", "{x: 4}", NULL},
	{"[2{x@1,..}13]", "{x: 4}", NULL},
	{"[2{x,..3,y}24]", "{x: 2, y: 2}", NULL},
	{"[2{x,..2,y,..}29]", "{x: 2, y: 2}", NULL},
	{"[5+4+3+1{x}13]", "{x: 4}", NULL},
	{"[5+0+8+0{x}13]", "{x: 4}", NULL},
	{"[{x}13, 2{y}4] by balanced", "{x: 4, y: 2}", NULL},
	{"[{x@2}13] by ceil", "{x: 4}", NULL},
	{"[3{x@1}12]", "{x: 4}", NULL},
	{"[2{x:(1)2,..}13]", "{x: 4}", NULL},
	{"[{x}13] over {x: 3} by floor", "{d: 4}", "[{x}13] by floor over {x: 3}"},
	{"[2{r,..}9, 2{c,..}9] on 0,1 over {r: 2, c: 3} only 2:8, :", "{d: 6}",
		"[2{r,..}9, 2{c,..}9] over {r: 2, c: 3} on 0-1 only 2:8, :"},
	{"[3{x}12] on 2,0", "{x: 4}", "[3{x}12] on 0,2"},
	{"[3{x}12, 4] on {y: 0}", "{x: 4, y: 2}", NULL},
	{"[3{x}12, 4] on {y: 0, x: 1-2}", "{x: 4, y: 2}", NULL},
	{"[12] only 5", "{x: 4}", NULL},
	{"[12, 8] only 2:8:2, :", "{x: 4}", NULL},
	{"[12, 8] only 2:7:2, 1::4", "{x: 4}", "[12, 8] only 2:8:2, 1:8:4"},
	{"[12, 8] only 3:3, 1", "{x: 4}", NULL},
	{"[12, 8] crop 2:8:3, 1:8", "{x: 4}", "[2, 7]"},
	{"[3{x}12] crop 2:8:3", "{x: 4}", NULL},
	{"[3{x}12] shift -1 wrap", "{x: 4}", NULL},
	{"[3{x}12, 8] shift 0, -2", "{x: 4}", NULL},
	{"[3{x}12, 8] shift 1", "{x: 4}", NULL},
	{"[3{x}12] shift 1 union [3{x}12] shift 2 wrap union [12] on 0", "{x: 4}", NULL},
	{"[3{x}12] through 2*i+1 to 24", "{x: 4}", NULL},
	{"[{x}6] by balanced through (i+1)/2 to 3", "{x: 4}", NULL},
	{"[2{x}8, 8] through i-1, j to 8, 8", "{x: 4}", NULL},
	{"[8, 1{x}4] through :, j to 5, 12", "{x: 4}", NULL},
	{"[13] at {0: 0-3 8; 2: 4+2*3 2-3+4*2; 3:}", "{x: 4}", "[13] at {0: 0-3 8; 2: 2-4+4*2; 3:}"},
	{"[30] at {2: 2-3+4*6}", "{x: 4}", NULL},
	{"f64[1{x,..}13] union [13] on 0", "{x: 4}", "f64[1{x,..}13] union f64[13] on 0"},
	{"\"[1{x,..}13] shift 1\"", "{x: 4}", "[1{x,..}13] shift 1"},
	{"[1{x,..}8, 4]{1,0} shift 1", "{x: 4}", "[1{x,..}8, 4] shift 1"},
	{"[1{\"odd name\",..}8]", "{\"odd name\": 4}", NULL},
};

static void printed_text(void **state)
{
	const struct printed_row *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_distribution read = read_as(&mesh, row->text);
	sw_text text = {0};

	sw_distribution_print(&mesh, &read, read.type.dtype_given, &text);
	assert_string_equal(sw_text_get(&text), row->printed != NULL ? row->printed : row->text);
	sw_text_free(&text);
	reads_back(&mesh, row->text);
}

/* Texts that say the same. */
static const struct same_row {
	const char *mesh, *one, *other;
} same_rows[] = {
	{"{x: 4}", "[2{x:(1)2,..}13]", "[2{a,..}13] over {a: 2, b: 2}"},
	{"{x: 4}", "[2{x:(2)2,..}13]", "[2{b,..}13] over {a: 2, b: 2}"},
	{"{x: 4}", "[{x:(2)2,x:(1)2}13] by nested", "[{b,a}13] by nested over {a: 2, b: 2}"},
	{"{x: 2, y: 4}", "[{y,x}17] by nested", "[17] at {0: 0-2; 1: 3-5; 2: 6-8; 3:; 4: 9-11; 5: 12-14; 6: 15-16; 7:}"},
	{"{x: 2, y: 4}", "[{y,x}17] by chunk", "[3+3+3+0+2+2+2+2{y,x}17]"},
	{"{x: 2, y: 4}", "[{y,x}17] by ceil", "[3+3+3+3+3+2+0+0{y,x}17]"},
	{"{x: 4}", "[{x}13] by nested", "[{x}13] by ceil"},
	{"{x: 4}", "[{x}13] by chunk", "[{x}13] by ceil"},
	{"{x: 4}", "[{x}6] by balanced through i/2 to 3", "[3] at {0: 0; 1: 1; 2: 2; 3: 2}"},
	{"{x: 4}", "[3{x@1}12]", "[3{x}12] shift -3 wrap"},
	{"{x: 4}", "[1{x@3,..}13]", "[13] at {3: 0+4*4; 0: 1+4*3; 1: 2+4*3; 2: 3+4*3}"},
	{"{x: 2, y: 2}", "[2{x,..3,y}24]", "[24] at {0: 0-1+4*3; 2: 2-3+4*3; 1: 12-13+4*3; 3: 14-15+4*3}"},
	{"{x: 2, y: 2}", "[2{x,..,y}16]", "[2{x,..2,y}16]"},
	{"{x: 2, y: 2}", "[1{..,x,y}12]", "[3{x,y}12]"},
	{"{x: 2, y: 2}", "[2{x,..,y,..2}32]", "[2{x,..2,y,..2}32]"},
	{"{x: 4}", "[12] only 5", "[12] at {0: 5; 1: 5; 2: 5; 3: 5}"},
	{"{x: 4}", "[4{z}12] over {z: 3}", "[12] at {0: 0-3; 1: 4-7; 2: 8-11}"},
	{"{x: 4}", "[12] on 0 union [12] only 0:0", "[12] at {0: 0-11; 1:; 2:; 3:}"},
	{"{x: 4}", "[8{x}32] crop 4:20", "[16] at {0: 0-3; 1: 4-11; 2: 12-15; 3:}"},
	{"{x: 4}", "[2{x}8, 4] through j+1, (i+3)/4 to 5, 3", "[4, 2{x}8] through i+1, (j+3)/4 to 5, 3"},
	{"{x: 4}", "[2{x}8, 3{..}6]", "[2{x}8, 6]"},
	{"{x: 4}", "[8{x,..}24]", "[8+8+8+0{x}24]"},
};

static void same_text(void **state)
{
	const struct same_row *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_holding one = held_of(&mesh, row->one), other = held_of(&mesh, row->other);

	for (int64_t d = 0; d < mesh.devices; d++) {
		sw_text text[2] = {{0}};
		sw_holding_print(&one, d, &text[0]);
		sw_holding_print(&other, d, &text[1]);
		if (!sw_holding_within(&one, d, &other, d) || !sw_holding_within(&other, d, &one, d))
			fail_msg("device %" PRId64 ": %s and %s", d, sw_text_get(&text[0]), sw_text_get(&text[1]));
		sw_text_free(&text[0]);
		sw_text_free(&text[1]);
	}
	assert_true(sw_holding_equal(&one, &other));
}

/* ---- refusals ---- */

static const struct refused_row {
	const char *text, *mesh;
	sw_code code;
	const char *at, *also; /* what the places show; "": the end; NULL: no second place */
	const char *said[3];   /* somewhere in the answer */
} refused_rows[] = {
	/* rounds */
	{"[{x,..}12]", "{x: 4}", SW_T13, "{x,..}", NULL, {"1{x,..}12"}},
	{"[1{x,..,y,..}12]", "{x: 2, y: 2}", SW_T13, "..", "..", {"..3"}},
	{"[2{x,..,y}13]", "{x: 2, y: 2}", SW_T13, "..", "13", {"a multiple of 8, such as 8 or 16", "13"}},
	{"[2{x,..,y}4]", "{x: 2, y: 2}", SW_T13, "..", "4", {"a multiple of 8", "whole rounds"}},
	{"[2{x,..,..3}13]", "{x: 2, y: 2}", SW_T13, "..", "13", {"a multiple of 12, such as 12 or 24"}},
	{"[2{x,..0}12]", "{x: 4}", SW_T13, "0", NULL, {"rounds"}},
	{"[2{x,..x}12]", "{x: 4}", SW_T13, "x", NULL, {"rounds"}},
	{"[2{x,.}12]", "{x: 4}", SW_T01, ".", "{", {"..3"}},
	{"[2{x,..3}23]", "{x: 4}", SW_T04, "2", "23", {"2 * 4 * 3 = 24", "2{x,..3}24"}},
	{"[2{x@4,..}13]", "{x: 4}", SW_T13, "4", NULL, {"0 to 3"}},
	{"[2{x@-1,..}13]", "{x: 4}", SW_T13, "-1", NULL, {"0 to 3"}},
	{"[2{x:(1)2@1,..}13]", "{x: 4}", SW_T13, "@", NULL, {"x@1"}},
	{"[2{x,..}13, {x}4]", "{x: 4}", SW_T03, "x", "x", {"twice"}},
	{"[2{q,..}13]", "{x: 4}", SW_T02, "q", NULL, {"x"}},
	{"[3{x@1}13]", "{x: 4}", SW_T04, "3", "13", {"12"}},
	{"[{x@1}13]", "{x: 4}", SW_T04, "13", "{x@1}", {"4"}},
	{"[1{x,..99999,y,..}99999999999]", "{x: 2, y: 2}", SW_T13, "{x,..99999,y,..}", NULL, {"4096"}},
	/* pieces */
	{"[5+4+3{x}13]", "{x: 3}", SW_T14, "5+4+3", "13", {"12", "13"}},
	{"[5+8{x}13]", "{x: 4}", SW_T14, "5+8", "{x}", {"4", "2"}},
	{"[5+8{x,..}13]", "{x: 2}", SW_T14, "{x,..}", "5+8", {"rounds"}},
	{"[5+8]", "{x: 2}", SW_T01, "]", "[", {"'{'"}},
	{"[5+{x}5]", "{x: 2}", SW_T01, "{", NULL, {"next piece"}},
	{"[5+x{x}5]", "{x: 2}", SW_T14, "x", NULL, {"piece"}},
	/* rules */
	{"[{x}13] by even", "{x: 4}", SW_T15, "even", NULL, {"ceil, chunk, balanced, floor, nested"}},
	{"[{x}13] by", "{x: 4}", SW_T15, "", NULL, {"ceil"}},
	{"[3{x}12] by ceil", "{x: 4}", SW_T15, "by ceil", "[", {"tile", "`by ceil`"}},
	{"[5+4+3+1{x}13] by ceil", "{x: 4}", SW_T15, "by ceil", "[", {"tile"}},
	{"[12] by ceil", "{x: 4}", SW_T15, "by ceil", "[", {"tile"}},
	{"[3{x}13] by ceil", "{x: 4}", SW_T04, "3", "13", {"12"}},
	{"[{x}13] by ceil by floor", "{x: 4}", SW_T16, "by", NULL, {"twice"}},
	{"[{x}13]", "{x: 4}", SW_T04, "13", "{x}", {"balanced"}},
	{"[{x}13] shift 1", "{x: 4}", SW_T04, "13", "{x}", {"balanced"}},
	/* on, over, at */
	{"[12] on 4", "{x: 4}", SW_T16, "4", NULL, {"0 to 3"}},
	{"[12] on 2-1", "{x: 4}", SW_T16, "2-1", NULL, {"1-2"}},
	{"[12] on", "{x: 4}", SW_T01, "", NULL, {"device"}},
	{"[12] on {y: 0}", "{x: 4}", SW_T02, "y", NULL, {"axis"}},
	{"[12] on {x: 4}", "{x: 4}", SW_T16, "4", NULL, {"0 to 3"}},
	{"[12] on {x: 1", "{x: 4}", SW_L06, "{", NULL, {"}"}},
	{"[2{r,..}9] over {r: 7}", "{d: 6}", SW_T16, "{r: 7}", NULL, {"7", "6"}},
	{"[2{r,..}9] over 7", "{d: 6}", SW_T01, "7", NULL, {"mesh"}},
	{"[2{r,..}9] over {r: 0}", "{d: 6}", SW_M03, "0", NULL, {"0"}},
	{"[2{r,..}9] over {r: 2} over {r: 2}", "{d: 6}", SW_T16, "over", NULL, {"twice"}},
	{"[2{d,..}9] over {r: 2}", "{d: 6}", SW_T02, "d", NULL, {"r"}},
	{"[13] at {0: 0-3; 9: 4}", "{x: 4}", SW_T16, "9", NULL, {"9", "0 to 3"}},
	{"[13] at {0: 0-13}", "{x: 4}", SW_T16, "13", NULL, {"13", "0 to 12"}},
	{"[13] at {0: 3-1}", "{x: 4}", SW_T16, "3-1", NULL, {"lower"}},
	{"[13] at {0: 3-6+2*2}", "{x: 4}", SW_T16, "3-6+2*2", NULL, {"overlaps"}},
	{"[13] at {0: 3+5*3}", "{x: 4}", SW_T16, "3+5*3", NULL, {"last index"}},
	{"[13] at {0: 1; 1: 2; 0: 3}", "{x: 4}", SW_T16, "0", "0", {"twice"}},
	{"[13] at {0: 1, 1: 2}", "{x: 4}", SW_T01, ",", "{", {"';'"}},
	{"[13] at owners", "{x: 4}", SW_B01, "owners", NULL, {"DEVICE"}},
	{"[13, 2] at {0: 1}", "{x: 4}", SW_T16, "at", NULL, {"union"}},
	{"[{x}12] at {0: 1}", "{x: 4}", SW_T16, "at", NULL, {"not partitioned"}},
	{"[13] shift 1 at {0: 1}", "{x: 4}", SW_T16, "at", NULL, {"before all other words"}},
	/* only, crop, shift, through */
	{"[12, 5] only 2:8", "{x: 4}", SW_T16, "only 2:8", NULL, {"2 slices", "1"}},
	{"[12] only 2:8, :", "{x: 4}", SW_T16, "only 2:8,", NULL, {"1 dimension", "2"}},
	{"[12] shift 1,2", "{x: 4}", SW_T16, "shift 1,", NULL, {"1 distance", "2"}},
	{"[12] only 12", "{x: 4}", SW_T16, "12", NULL, {"0 to 11"}},
	{"[12] only 2:13", "{x: 4}", SW_T16, "13", NULL, {"0 to 12"}},
	{"[12] only 5:2", "{x: 4}", SW_T16, "5:2", NULL, {"slice"}},
	{"[12] only 2:8:0", "{x: 4}", SW_T16, "2:8:0", NULL, {"step"}},
	{"[12] crop 3:3", "{x: 4}", SW_T16, "crop 3:3", NULL, {"only"}},
	{"[12, 5, 3] shift 1, 2 wrap", "{x: 4}", SW_T16, "shift 1, 2", NULL, {"3 distances", "2"}},
	{"[12] shift x", "{x: 4}", SW_T16, "x", NULL, {"distance"}},
	{"[] shift 1", "{x: 4}", SW_T16, "shift", NULL, {"single value"}},
	{"[12] through i*i to 4", "{x: 4}", SW_T01, "i", "i", {"affine"}},
	{"[12] through i/0 to 4", "{x: 4}", SW_T01, "0", NULL, {"0"}},
	{"[12] through j to 4", "{x: 4}", SW_T01, "j", NULL, {"i"}},
	{"[12] through i 4", "{x: 4}", SW_T01, "4", NULL, {"to"}},
	{"[12] through i, i to 4, 4", "{x: 4}", SW_T16, "i", "i", {"diagonal"}},
	{"[12] through i, 0 to 4294967296, 4294967296", "{x: 4}", SW_T10, "4294967296", NULL, {"2^63"}},
	/* unions, sums, names */
	{"[12] union [13]", "{x: 4}", SW_T09, "[13]", "[12]", {"[12]", "[13]"}},
	{"f32[12] union f64[12]", "{x: 4}", SW_T09, "f64", "f32", {"f32", "f64"}},
	{"[12]+ union [12]", "{x: 4}", SW_T11, "[12]", "[12]+", {"sums"}},
	{"[12] union", "{x: 4}", SW_T01, "", NULL, {"type"}},
	{"pred[1{x,..}12]+", "{x: 4}", SW_T11, "+", "pred", {"truth"}},
	{"([12] union [12] shift 1)+", "{x: 4}", SW_T01, "(", NULL, {"name the union first"}},
	{"[12] sift 1", "{x: 4}", SW_T01, "sift", NULL, {"nothing more", "did you mean shift?"}},
	{"u shift 1", "{x: 4}", SW_T07, "u", NULL, {"u"}},
};

static void is_place(const char *text, sw_span at, const char *wanted)
{
	char shown[128];

	snprintf(shown, sizeof shown, "%.*s", (int)(at.end - at.begin), text + at.begin);
	assert_string_equal(shown, wanted);
}

static void refused_text(void **state)
{
	const struct refused_row *row = *state;
	sw_mesh mesh = mesh_of(row->mesh);
	sw_distribution read;
	sw_diag diag;
	char all[1024];

	if (sw_distribution_parse(&mesh, sw_str_of(row->text), NULL, arena, &read, &diag))
		fail_msg("%s was accepted", row->text);
	snprintf(all, sizeof all, "%s; %s; %s; %s", diag.message, diag.expected, diag.found, diag.hint);
	if (diag.code != row->code)
		fail_msg("%s: %s: %s", row->text, sw_code_info_of(diag.code)->name, all);
	is_place(row->text, diag.at, row->at);
	is_place(row->text, diag.also, row->also != NULL ? row->also : "");
	assert_true(diag.message[0] != '\0' && diag.expected[0] != '\0' && diag.found[0] != '\0');
	for (size_t i = 0; i < COUNT(row->said) && row->said[i] != NULL; i++)
		if (strstr(all, row->said[i]) == NULL)
			fail_msg("%s: not said: %s; but: %s", row->text, row->said[i], all);
	assert_false(sw_distribution_parse(&mesh, sw_str_of(row->text), NULL, arena, &read, NULL));
}

/* ---- names, files and rules ---- */

struct known {
	const char *name;
	sw_distribution distribution;
};

struct context {
	struct known known[5];
	int count;
};

static const sw_distribution *named(const void *of, sw_str name)
{
	const struct context *context = of;

	for (int i = 0; i < context->count; i++)
		if (sw_str_is(name, context->known[i].name))
			return &context->known[i].distribution;
	return NULL;
}

static bool read_file(const void *of, sw_str name, sw_arena *into, sw_str *text, sw_diag *diag)
{
	static const struct {
		const char *name, *text;
	} files[] = {
		{"owners", "0\n0\n2\n2\n 0 \n0\n2\n2\n3\n"},
		{"by.over", "0\n0\n1\n1\n0\n0\n1\n1\n0\n"},
		{"short", "0\n1\n"},
		{"long", "0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n"},
		{"odd one", "0\n1\n2\n3\n4\n0\n0\n0\n0\n"},
	};

	(void)of;
	(void)into;
	for (size_t i = 0; i < COUNT(files); i++)
		if (sw_str_is(name, files[i].name)) {
			*text = sw_str_of(files[i].text);
			return true;
		}
	sw_diag_set(diag, SW_B01, (sw_span){0, 0}, "there is no such file");
	sw_diag_expected(diag, "a file");
	sw_diag_found(diag, "none");
	return false;
}

static bool read_known(const char *text, const sw_mesh *mesh, struct context *context, const sw_uneven_rule *rule,
	sw_distribution *read, sw_diag *diag)
{
	const sw_distribution_names names = {.rule = rule, .named = named, .file = read_file, .of = context};

	return sw_distribution_parse(mesh, sw_str_of(text), &names, arena, read, diag);
}

static void start_context(const sw_mesh *mesh, struct context *context)
{
	static const struct {
		const char *name, *text;
	} rows[] = {{"u", "[3{x}12]"}, {"f32", "[1]"}, {"w", "[1{x,..}12] on 0-2 union [12] only 3:5"},
		{"d", "f64[1{x,..}12]"}, {"m", "[3{x}12] union [3{r,..}12] over {r: 2}"}};

	context->count = COUNT(rows);
	for (size_t i = 0; i < COUNT(rows); i++)
		context->known[i] = (struct known){rows[i].name, read_as(mesh, rows[i].text)};
}

static const struct known_row {
	const char *text, *printed; /* or, where it is refused, the code, and where */
	sw_code code;
	const char *at;
} known_rows[] = {
	{"u", "[3{x}12]", SW_OK, NULL},
	{" u ", "[3{x}12]", SW_OK, NULL},
	{"u shift 1", "[3{x}12] shift 1", SW_OK, NULL},
	{"u union u shift 1 union u shift -1", "[3{x}12] union [3{x}12] shift 1 union [3{x}12] shift -1", SW_OK, NULL},
	{"u on 0,2", "[3{x}12] on 0,2", SW_OK, NULL},
	{"u through i/4 to 3 only 1", "[3{x}12] through i/4 to 3 only 1", SW_OK, NULL},
	{"w shift 1 wrap", "[1{x,..}12] on 0-2 shift 1 wrap union [12] only 3:5 shift 1 wrap", SW_OK, NULL},
	{"w+", "[1{x,..}12]+ on 0-2 union [12]+ only 3:5", SW_OK, NULL},
	{"u+", "[3{x}12]+{y}", SW_OK, NULL},
	{"u+{y}", "[3{x}12]+{y}", SW_OK, NULL},
	{"u+ shift 1", "[3{x}12]+ shift 1", SW_OK, NULL},
	{"d shift 1", "f64[1{x,..}12] shift 1", SW_OK, NULL},
	{"u union d", "f64[3{x}12] union f64[1{x,..}12]", SW_OK, NULL},
	{"f32[3{x}12]", "f32[3{x}12]", SW_OK, NULL},
	{"[9] at owners", "[9] at {0: 0-1+4*2; 2: 2-3+4*2; 3: 8}", SW_OK, NULL},
	{"[9] at by.over over {z: 2}", "[9] over {z: 2} at {0: 0-1+4*2 8; 1: 2-3+4*2}", SW_OK, NULL},
	{"[9]+ at owners union [9]+ on 1", "[9]+ at {0: 0-1+4*2; 2: 2-3+4*2; 3: 8} union [9]+ on 1", SW_OK, NULL},
	{"m on 1,3", "[3{x}12] on 1,3 union [3{r,..}12] over {r: 2} on 1,3", SW_OK, NULL},
	{"m on {x: 1}", NULL, SW_T16, "x"},
	{"u by ceil", NULL, SW_T16, "by"},
	{"u over {r: 2}", NULL, SW_T16, "over"},
	{"u at {0: 1}", NULL, SW_T16, "at"},
	{"u+{x}", NULL, SW_T11, "x"},
	{"v shift 1", NULL, SW_T07, "v"},
	{"[9] at short", NULL, SW_T16, "short"},
	{"[9] at long", NULL, SW_T16, "long"},
	{"[9] at \"odd one\"", NULL, SW_T16, "\"odd one\""},
	{"[9] at none", NULL, SW_B01, "none"},
};

static void known_text(void **state)
{
	const struct known_row *row = *state;
	sw_mesh mesh;
	struct context context;
	sw_distribution read;
	sw_diag diag = {.code = SW_OK};
	sw_text text = {0};

	mesh = mesh_of(strstr(row->text, "at ") != NULL ? "{x: 4}" : "{x: 4, y: 2}");
	start_context(&mesh, &context);
	if (!read_known(row->text, &mesh, &context, NULL, &read, &diag)) {
		if (row->code != diag.code)
			fail_msg("%s: %s: %s", row->text, sw_code_info_of(diag.code)->name, diag.message);
		is_place(row->text, diag.at, row->at);
		return;
	}
	sw_distribution_print(&mesh, &read, read.type.dtype_given, &text);
	assert_string_equal(sw_text_get(&text), row->printed != NULL ? row->printed : "refused");
	sw_text_free(&text);
	reads_back(&mesh, row->printed);
}

static void a_rule_stands_for_a_missing_one(void **state)
{
	static const struct {
		const char *text, *printed;
	} rows[] = {
		{"[{x}13]", "[{x}13] by floor"},
		{"[{x}13] by nested", "[{x}13] by nested"},
		{"[{x}12]", "[3{x}12]"},
		{"[{x}13, 2{y}4] shift 1", "[{x}13, 2{y}4] by floor shift 1"},
	};
	const sw_uneven_rule rule = SW_UNEVEN_FLOOR;
	sw_mesh mesh = mesh_of("{x: 4, y: 2}");
	struct context none = {.count = 0};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		sw_distribution read;
		sw_text text = {0};
		assert_true(read_known(rows[i].text, &mesh, &none, &rule, &read, NULL));
		sw_distribution_print(&mesh, &read, false, &text);
		assert_string_equal(sw_text_get(&text), rows[i].printed);
		sw_text_free(&text);
	}
}

/* ---- holdings ---- */

static int64_t term_of(const sw_holding *holding, int64_t device)
{
	sw_family family;
	sw_indices summed = sw_holding_summed(holding, device, &family);

	assert_int_equal(sw_indices_size(&summed), 1);
	return summed.family->first;
}

static void terms_of_sums(void **state)
{
	sw_mesh mesh = mesh_of("{x: 3, y: 2}");
	sw_holding each = held_of(&mesh, "[13]+ only 2:5"), axes = held_of(&mesh, "[1{x,..}13]+{y} shift 1"),
			   over = held_of(&mesh, "[13]+{b} over {a: 2, b: 2} only 2:5"), whole = held_of(&mesh, "[13] only 2:5");

	(void)state;
	assert_int_equal(each.terms, 6);
	assert_int_equal(axes.terms, 2);
	assert_int_equal(over.terms, 2);
	assert_int_equal(whole.terms, 1);
	for (int64_t d = 0; d < 6; d++) {
		assert_int_equal(term_of(&each, d), d);
		assert_int_equal(term_of(&axes, d), d % 2);
		assert_int_equal(term_of(&whole, d), 0);
		assert_int_equal(sw_holding_defined(&over, d), d < 4);
		if (d < 4)
			assert_int_equal(term_of(&over, d), d % 2);
	}
}

static void devices_lie_in_slots(void **state)
{
	static const int64_t order[] = {2, 0, 3, 1};
	sw_mesh mesh = mesh_of("{x: 4}");
	sw_distribution read = read_as(&mesh, "[1{x,..}9] on 0-2");
	sw_holding plain, ordered;

	(void)state;
	assert_true(sw_holding_of_distribution(&mesh, &read, NULL, arena, &plain));
	assert_true(sw_holding_of_distribution(&mesh, &read, order, arena, &ordered));
	for (int64_t slot = 0; slot < 4; slot++) {
		assert_int_equal(sw_holding_defined(&plain, slot), sw_holding_defined(&ordered, order[slot]));
		assert_true(sw_holding_within(&plain, slot, &ordered, order[slot]));
	}
	assert_false(sw_holding_equal(&plain, &ordered));
}

/* A tile type is the same by its cuts. */
static void tile_types_are_general_ones(void **state)
{
	draw random = draw_start("tile types");

	(void)state;
	for (int n = 0; n < 400; n++) {
		static sw_distribution cut;
		sw_mesh mesh = {0};
		sw_type type;
		sw_holding regular, general;
		int64_t global[2] = {144, 288};
		sw_arena_clear(arena);
		for (int axis = 0; axis < 3; axis++)
			add_axis(&mesh, axis, 1 + draw_below(&random, 4));
		assert_true(sw_type_replicated(SW_F32, 2, global, &type, NULL));
		draw_parts(&random, &mesh, &type);
		assert_true(sw_distribution_of_type(&mesh, &type, arena, &cut));
		assert_true(sw_holding_of_distribution(&mesh, &cut, NULL, arena, &regular));
		cut.tile = false;
		assert_true(sw_holding_of_distribution(&mesh, &cut, NULL, arena, &general));
		assert_true(regular.rule == NULL && general.rule != NULL);
		assert_true(sw_holding_equal(&regular, &general) && sw_holding_equal(&general, &regular));
	}
}

/* What is a tile type reads as one where only those are read; the others are refused there. */
static void tile_types_are_read_as_such(void **state)
{
	sw_mesh mesh = mesh_of("{x: 4}");
	sw_type type = type_of(&mesh, "[4{x,..}16]"), right = type_of(&mesh, "[4{x}16]");
	sw_diag diag;

	(void)state;
	assert_true(sw_type_equal(&type, &right));
	type = type_of(&mesh, "[12]+");
	right = type_of(&mesh, "[12]+{x}");
	assert_true(sw_type_equal(&type, &right));
	type = type_of(&mesh, "\"[12] at {0: 0-2; 1: 3-5; 2: 6-8; 3: 9-11}\"");
	right = type_of(&mesh, "[3{x}12]");
	assert_true(sw_type_equal(&type, &right));
	assert_false(sw_type_parse(&mesh, sw_str_of(" [3{x}12] shift 1 "), &type, &diag));
	assert_int_equal(diag.code, SW_T17);
	assert_int_equal(diag.at.begin, 1);
	assert_int_equal(diag.at.end, 17);
	assert_string_equal(diag.found, "[3{x}12] shift 1");
	assert_false(sw_type_parse_as(&mesh, sw_str_of("[{x}13] shift 1"), true, &type, &diag));
	assert_int_equal(diag.code, SW_T04);
}

/* How many of n indices in blocks of nb process `p` of `np` has, where the first block lies on process `source`: numroc. */
static int64_t numroc(int64_t n, int64_t nb, int64_t p, int64_t source, int64_t np)
{
	int64_t distance = (np + p - source) % np, blocks = n / nb, local = blocks / np * nb, extra = blocks % np;

	return local + (distance < extra ? nb : distance == extra ? n % nb : 0);
}

static void local_sizes_are_those_of_numroc(void **state)
{
	draw random = draw_start("numroc");

	(void)state;
	for (int n = 0; n < 2000; n++) {
		char mesh_text[64], text[128];
		int64_t rows = 1 + draw_below(&random, 200), mb = 1 + draw_below(&random, 20),
				grid = 1 + draw_below(&random, 6);
		int64_t columns = 1 + draw_below(&random, 200), nb = 1 + draw_below(&random, 20),
				wide = 1 + draw_below(&random, 6);
		int64_t rsrc = draw_below(&random, (int)grid), csrc = draw_below(&random, (int)wide);
		sw_arena_clear(arena);
		snprintf(mesh_text, sizeof mesh_text, "{d: %d}", (int)(grid * wide));
		snprintf(text, sizeof text, "[%d{r@%d,..}%d, %d{c@%d,..}%d] over {r: %d, c: %d}", (int)mb, (int)rsrc,
			(int)rows, (int)nb, (int)csrc, (int)columns, (int)grid, (int)wide);
		sw_mesh mesh = mesh_of(mesh_text);
		sw_holding holding = held_of(&mesh, text);
		for (int64_t d = 0; d < mesh.devices; d++)
			assert_int_equal(sw_holding_size(&holding, d),
				numroc(rows, mb, d / wide, rsrc, grid) * numroc(columns, nb, d % wide, csrc, wide));
	}
}

/* Block-cyclic, by the rule alone. */
struct cyclic {
	int block, first, count;
};

static bool cyclic_has(const struct cyclic *c, int64_t device, int64_t index)
{
	return device < c->count && (index / c->block + c->first) % c->count == device;
}

static sw_holding draw_cyclic(draw *random, const sw_mesh *mesh, int size, struct cyclic *c)
{
	char text[128];

	*c = (struct cyclic){.block = 1 + draw_below(random, 30), .count = 1 + draw_below(random, (int)mesh->devices)};
	c->first = draw_below(random, c->count);
	snprintf(text, sizeof text, "[%d{r@%d,..}%d] over {r: %d}", c->block, c->first, size, c->count);
	return held_of(mesh, text);
}

/* 20,000 pairs of devices: what both have, by families, is what both have index by index. */
static void closed_forms_are_those_of_all_indices(void **state)
{
	draw random = draw_start("pairs");

	(void)state;
	for (int n = 0; n < 1000; n++) {
		sw_mesh mesh = mesh_of("{d: 12}");
		struct cyclic a, b;
		int size = 1 + draw_below(&random, 400);
		sw_arena_clear(arena);
		sw_holding of_a = draw_cyclic(&random, &mesh, size, &a), of_b = draw_cyclic(&random, &mesh, size, &b);
		for (int pair = 0; pair < 20; pair++) {
			int64_t p = draw_below(&random, a.count), q = draw_below(&random, b.count), both = 0;
			for (int64_t i = 0; i < size; i++)
				both += cyclic_has(&a, p, i) && cyclic_has(&b, q, i);
			assert_int_equal(sw_holding_meets(&of_a, p, &of_b, q), both);
		}
	}
}

/* `crop` has the elements of `only`, counted from 0. */
static void crop_is_only_counted_from_0(void **state)
{
	draw random = draw_start("crop");

	(void)state;
	for (int n = 0; n < 2000; n++) {
		sw_mesh mesh = mesh_of("{d: 6}");
		int rows = 1 + draw_below(&random, 30), columns = 1 + draw_below(&random, 8),
			block = 1 + draw_below(&random, 5);
		int first = draw_below(&random, rows), end = first + 1 + draw_below(&random, rows - first),
			step = 1 + draw_below(&random, 4), left = draw_below(&random, columns);
		char begin[64], slice[64], text[200];
		sw_arena_clear(arena);
		snprintf(begin, sizeof begin, "[%d{d,..}%d, %d]", block, rows, columns);
		snprintf(slice, sizeof slice, "%d:%d:%d, %d:", first, end, step, left);
		snprintf(text, sizeof text, "%s only %s", begin, slice);
		sw_holding only = held_of(&mesh, text);
		snprintf(text, sizeof text, "%s crop %s", begin, slice);
		sw_holding crop = held_of(&mesh, text);
		assert_int_equal(crop.global[0], (end - first + step - 1) / step);
		assert_int_equal(crop.global[1], columns - left);
		for (int64_t d = 0; d < mesh.devices; d++) {
			assert_int_equal(sw_holding_size(&only, d), sw_holding_size(&crop, d));
			for (int64_t i = 0; i < crop.global[0] * crop.global[1]; i++) {
				const int64_t at[] = {i / crop.global[1], i % crop.global[1]},
							  before[] = {first + at[0] * step, left + at[1]};
				assert_int_equal(sw_holding_has(&crop, d, at), sw_holding_has(&only, d, before));
			}
		}
	}
}

static void words_are_no_names(void **state)
{
	static const char *const words[] = {"by", "over", "at", "on", "only", "crop", "shift", "wrap", "through",
		"union"};

	(void)state;
	for (size_t i = 0; i < COUNT(words); i++)
		assert_true(sw_distribution_is_word(sw_str_of(words[i])));
	assert_false(sw_distribution_is_word(sw_str_of("onto")) || sw_distribution_is_word(sw_str_of("")));
}

/* The examples of `explain`: wrong lines are refused with the code, all others accepted. */
static void explained_examples_hold(void **state)
{
	(void)state;
	for (int code = SW_T13; code <= SW_T16; code++) {
		char copy[1024], *rest = copy;
		sw_mesh mesh = mesh_of("{x: 1}");
		assert_true(strlen(sw_code_info_of((sw_code)code)->example) < sizeof copy);
		strcpy(copy, sw_code_info_of((sw_code)code)->example);
		for (char *line = strtok_r(rest, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
			sw_distribution read;
			sw_diag diag = {.code = SW_OK};
			char *comment = strstr(line, " #"), *type = strchr(line, '=');
			bool wrong = comment != NULL && strncmp(comment, " # wrong", 8) == 0;
			if (comment != NULL)
				*comment = '\0';
			if (strncmp(line, "mesh ", 5) == 0)
				mesh = mesh_of(line + 5);
			else
				sw_distribution_parse(&mesh, sw_str_of(type + 1), NULL, arena, &read, &diag);
			if (diag.code != (wrong ? (sw_code)code : SW_OK))
				fail_msg("%s: %s", line, diag.message);
		}
	}
}

/* 10^5 devices, 10^12 elements: nothing counts them. */
static void large_types_are_small(void **state)
{
	sw_mesh mesh = mesh_of("{x: 100000}");
	sw_holding cyclic = held_of(&mesh, "[64{x,..}1000000000000]"),
			   halo = held_of(&mesh, "[10000000{x}1000000000000] shift 1 union [10000000{x}1000000000000] shift -1");
	size_t bytes = sw_arena_used(arena);
	sw_region region;

	(void)state;
	assert_int_equal(sw_holding_size(&cyclic, 99999), (int64_t)64 * 156250);
	assert_true(sw_holding_region(&cyclic, 5, arena, &region));
	assert_int_equal(region.set->count, 1);
	assert_int_equal(region.set->family->count, 156250);
	assert_true(sw_holding_region(&halo, 77, arena, &region));
	assert_int_equal(sw_region_size(&region), 10000002);
	assert_true(sw_arena_used(arena) - bytes < 4096);
}

/* ---- random types against a second reading ---- */

enum { DRAWN = 3000, DEVICES = 36, ELEMENTS = 2200, RANKS = 3 };

/* What devices have, element by element. */
struct table {
	int rank;
	int64_t size[RANKS];
	bool defined[DEVICES];
	bool has[DEVICES][ELEMENTS];
};

static int64_t elements_of(const struct table *t)
{
	int64_t elements = 1;

	for (int dim = 0; dim < t->rank; dim++)
		elements *= t->size[dim];
	return elements;
}

static void index_of(const struct table *t, int64_t n, int64_t *index)
{
	for (int dim = t->rank - 1; dim >= 0; dim--) {
		index[dim] = n % t->size[dim];
		n /= t->size[dim];
	}
}

/* -1: outside */
static int64_t number_of(const struct table *t, const int64_t *index)
{
	int64_t n = 0;

	for (int dim = 0; dim < t->rank; dim++) {
		if (index[dim] < 0 || index[dim] >= t->size[dim])
			return -1;
		n = n * t->size[dim] + index[dim];
	}
	return n;
}

/* One dimension as it was drawn. */
struct drawn_cut {
	int64_t size, tile; /* 0: pieces */
	int64_t piece[DEVICES];
	int pieces; /* stated; 0: by the rule */
	int entries;
	struct {
		int axis; /* -1: rounds */
		int64_t size, first;
	} entry[6];
};

static int64_t blocks_of(const struct drawn_cut *cut)
{
	int64_t blocks = 1;

	for (int i = 0; i < cut->entries; i++)
		blocks *= cut->entry[i].size > 0 ? cut->entry[i].size : 1;
	return blocks;
}

static bool cut_has(const struct drawn_cut *cut, const sw_mesh *mesh, sw_uneven_rule rule, int64_t device, int64_t i)
{
	int64_t block = cut->tile > 0 ? i / cut->tile : 0, begin = 0;
	sw_uneven uneven;
	int64_t share[6];

	if (cut->entries == 0)
		return true;
	for (; cut->pieces > 0 && i >= begin + cut->piece[block]; block++)
		begin += cut->piece[block];
	for (int k = 0; k < cut->entries; k++)
		share[k] = cut->entry[cut->entries - 1 - k].size;
	if (cut->tile == 0 && cut->pieces == 0) {
		assert_true(sw_uneven_start(cut->size, share, cut->entries, &uneven, NULL));
		int64_t piece = sw_uneven_piece(&uneven, rule, block, &begin);
		while (i >= begin + piece)
			piece = sw_uneven_piece(&uneven, rule, ++block, &begin);
	}
	for (int k = 0; k < cut->entries; k++) {
		int64_t size = cut->entry[k].size;
		if (size == 0)
			return true;
		if (cut->entry[k].axis >= 0 &&
			sw_mesh_coordinate(mesh, device, cut->entry[k].axis) != (block % size + cut->entry[k].first) % size)
			return false;
		block /= size;
	}
	return block == 0;
}

/* Axes, now and then from another device on, and rounds. */
static void draw_entries(draw *random, const sw_mesh *mesh, bool *used, bool rounds, struct drawn_cut *cut)
{
	for (int axis = 0; axis < mesh->count; axis++) {
		if (used[axis] || draw_below(random, 2) > 0 || cut->entries > 3)
			continue;
		used[axis] = true;
		if (rounds && draw_below(random, 5) == 0) {
			cut->entry[cut->entries].axis = -1;
			cut->entry[cut->entries++].size = 1 + draw_below(random, 3);
		}
		int64_t size = mesh->axis[axis].size;
		cut->entry[cut->entries].axis = axis;
		cut->entry[cut->entries].first = draw_below(random, 6) == 0 ? draw_below(random, (int)size) : 0;
		cut->entry[cut->entries++].size = size;
	}
	if (rounds && draw_below(random, 2) == 0) {
		cut->entry[cut->entries].axis = -1;
		cut->entry[cut->entries++].size = draw_below(random, 3) > 0 ? 0 : 1 + draw_below(random, 3);
	}
}

static bool is_open(const struct drawn_cut *cut)
{
	return cut->entries > 0 && cut->entry[cut->entries - 1].size == 0;
}

static void draw_cut(draw *random, const sw_mesh *mesh, bool *used, bool *ruled, struct drawn_cut *cut)
{
	int form = draw_below(random, 4); /* blocks, pieces, by a rule, whole */

	*cut = (struct drawn_cut){.size = 1 + draw_below(random, 13)};
	if (form == 3)
		return;
	draw_entries(random, mesh, used, form == 0, cut);
	if (cut->entries == 0)
		return;
	if (form == 0) {
		cut->tile = 1 + draw_below(random, 4);
		cut->size = is_open(cut) ? cut->size : cut->tile * blocks_of(cut);
		return;
	}
	*ruled |= form == 2;
	if (form == 2)
		return;
	cut->size = 0;
	for (cut->pieces = 0; cut->pieces < blocks_of(cut); cut->pieces++) {
		cut->piece[cut->pieces] = draw_below(random, 4) + (cut->pieces == 0);
		cut->size += cut->piece[cut->pieces];
	}
	if (cut->pieces == 1)
		cut->pieces = 0, cut->tile = cut->size;
}

static void add_cut(const sw_mesh *mesh, const struct drawn_cut *cut, sw_text *text)
{
	if (cut->tile > 0)
		sw_text_add_int(text, cut->tile);
	for (int i = 0; i < cut->pieces; i++)
		sw_text_addf(text, "%s%" PRId64, i > 0 ? "+" : "", cut->piece[i]);
	for (int i = 0; i < cut->entries; i++) {
		sw_text_add(text, i > 0 ? "," : "{");
		sw_text_add(text, cut->entry[i].axis >= 0 ? mesh->axis[cut->entry[i].axis].name : "..");
		if (cut->entry[i].axis < 0 && cut->entry[i].size > 0)
			sw_text_add_int(text, cut->entry[i].size);
		if (cut->entry[i].first > 0)
			sw_text_addf(text, "@%" PRId64, cut->entry[i].first);
	}
	sw_text_addf(text, "%s%" PRId64, cut->entries > 0 ? "}" : "", cut->size);
}

/* What a device has: an element all of whose indices it has. */
static void fill_device(struct table *t, const struct drawn_cut *cut, const sw_mesh *own, sw_uneven_rule rule,
	int64_t d)
{
	static bool has[RANKS][ELEMENTS];
	int64_t index[RANKS], count = elements_of(t);

	for (int dim = 0; dim < t->rank; dim++)
		for (int64_t i = 0; i < t->size[dim]; i++)
			has[dim][i] = cut_has(&cut[dim], own, rule, d, i);
	t->defined[d] = true;
	for (int64_t n = 0; n < count; n++) {
		index_of(t, n, index);
		t->has[d][n] = true;
		for (int dim = 0; dim < t->rank; dim++)
			t->has[d][n] = t->has[d][n] && has[dim][index[dim]];
	}
}

static bool draw_bracket(draw *random, const sw_mesh *mesh, const sw_mesh *own, struct table *t, sw_text *text)
{
	struct drawn_cut cut[RANKS];
	bool used[SW_MAX_AXES] = {false}, ruled = false;
	sw_uneven_rule rule = (sw_uneven_rule)draw_below(random, SW_UNEVEN_RULE_COUNT);

	memset(t, 0, sizeof *t);
	t->rank = 1 + draw_below(random, RANKS);
	for (int dim = 0; dim < t->rank; dim++) {
		draw_cut(random, own, used, &ruled, &cut[dim]);
		t->size[dim] = cut[dim].size;
		sw_text_add(text, dim > 0 ? ", " : "[");
		add_cut(own, &cut[dim], text);
	}
	if (elements_of(t) > ELEMENTS)
		return false;
	sw_text_add(text, "]");
	if (ruled)
		sw_text_addf(text, " by %s", sw_uneven_name(rule));
	if (own != mesh) {
		sw_text_add(text, " over ");
		sw_mesh_print(own, text);
	}
	for (int64_t d = 0; d < own->devices; d++)
		fill_device(t, cut, own, rule, d);
	return true;
}

/* Runs of devices, or of indices, that a table may have at random: `at`. */
static void draw_list(draw *random, const sw_mesh *mesh, struct table *t, sw_text *text)
{
	memset(t, 0, sizeof *t);
	t->rank = 1;
	t->size[0] = 1 + draw_below(random, 40);
	sw_text_addf(text, "[%" PRId64 "] at {", t->size[0]);
	bool first = true;
	for (int64_t d = 0; d < mesh->devices; d++) {
		if (draw_below(random, 3) == 0)
			continue;
		t->defined[d] = true;
		sw_text_addf(text, "%s%" PRId64 ":", first ? "" : "; ", d);
		first = false;
		for (int runs = draw_below(random, 4); runs > 0; runs--) {
			int64_t begin = draw_below(random, (int)t->size[0]), most = t->size[0] - begin;
			int64_t run = 1 + draw_below(random, (int)(most < 4 ? most : 4)), step = run + draw_below(random, 3);
			int64_t count = 1 + draw_below(random, (int)((most - run) / step + 1));
			sw_text_addf(text, " %" PRId64, begin);
			if (run > 1)
				sw_text_addf(text, "-%" PRId64, begin + run - 1);
			if (count > 1)
				sw_text_addf(text, "+%" PRId64 "*%" PRId64, step, count);
			for (int64_t i = 0; i < run * count; i++)
				t->has[d][begin + i / run * step + i % run] = true;
		}
	}
	sw_text_add(text, "}");
}

/* ---- words on tables ---- */

/* Moves each element where `to` says; -1: nowhere. */
static void map_table(struct table *t, const struct table *shape,
	int64_t (*to)(const int64_t *, const void *, const struct table *), const void *with)
{
	static struct table made;
	int64_t index[RANKS];

	made = *shape;
	memset(made.has, 0, sizeof made.has);
	memcpy(made.defined, t->defined, sizeof made.defined);
	for (int64_t n = 0; n < elements_of(t); n++) {
		index_of(t, n, index);
		int64_t into = to(index, with, &made);
		for (int d = 0; into >= 0 && d < DEVICES; d++)
			made.has[d][into] |= t->has[d][n];
	}
	*t = made;
}

struct slices {
	int64_t begin[RANKS], end[RANKS], step[RANKS];
	bool crops;
};

static int64_t to_slice(const int64_t *index, const void *with, const struct table *made)
{
	const struct slices *s = with;
	int64_t place[RANKS];

	for (int dim = 0; dim < made->rank; dim++) {
		int64_t at = index[dim] - s->begin[dim];
		if (at < 0 || index[dim] >= s->end[dim] || at % s->step[dim] != 0)
			return -1;
		place[dim] = s->crops ? at / s->step[dim] : index[dim];
	}
	return number_of(made, place);
}

static void draw_slices(draw *random, struct table *t, sw_text *text)
{
	struct slices s = {.crops = draw_below(random, 2) == 0};
	struct table shape = {.rank = t->rank};

	sw_text_add(text, s.crops ? " crop" : " only");
	for (int dim = 0; dim < t->rank; dim++) {
		int size = (int)t->size[dim];
		s.begin[dim] = draw_below(random, size);
		s.end[dim] = s.begin[dim] + s.crops + draw_below(random, size - (int)s.begin[dim] + !s.crops);
		s.step[dim] = draw_below(random, 3) > 0 ? 1 : 1 + draw_below(random, 4);
		shape.size[dim] = s.crops ? (s.end[dim] - s.begin[dim] - 1) / s.step[dim] + 1 : size;
		sw_text_addf(text, "%s %" PRId64 ":%" PRId64, dim > 0 ? "," : "", s.begin[dim], s.end[dim]);
		if (s.step[dim] > 1)
			sw_text_addf(text, ":%" PRId64, s.step[dim]);
	}
	map_table(t, &shape, to_slice, &s);
}

struct distances {
	int64_t by[RANKS];
	bool wrap;
};

static int64_t to_shifted(const int64_t *index, const void *with, const struct table *made)
{
	const struct distances *s = with;
	int64_t place[RANKS];

	for (int dim = 0; dim < made->rank; dim++) {
		int64_t size = made->size[dim];
		place[dim] = index[dim] + s->by[dim];
		if (s->wrap)
			place[dim] = (place[dim] % size + size) % size;
	}
	return number_of(made, place);
}

static void draw_shift(draw *random, struct table *t, sw_text *text)
{
	struct distances s = {.wrap = draw_below(random, 2) == 0};
	struct table shape = *t;
	int said = draw_below(random, 2) == 0 ? 1 : t->rank;

	sw_text_add(text, " shift");
	for (int dim = 0; dim < said; dim++) {
		s.by[dim] = draw_below(random, 41) - 20;
		sw_text_addf(text, "%s %" PRId64, dim > 0 ? "," : "", s.by[dim]);
	}
	sw_text_add(text, s.wrap ? " wrap" : "");
	map_table(t, &shape, to_shifted, &s);
}

struct image {
	int of[RANKS]; /* the dimension before, -1: none */
	int64_t factor[RANKS], offset[RANKS], divisor[RANKS];
};

static int64_t to_image(const int64_t *index, const void *with, const struct table *made)
{
	const struct image *s = with;
	int64_t place[RANKS];

	for (int dim = 0; dim < made->rank; dim++) {
		int64_t value = (s->of[dim] >= 0 ? s->factor[dim] * index[s->of[dim]] : 0) + s->offset[dim];
		place[dim] = value >= 0 ? value / s->divisor[dim] : -((-value + s->divisor[dim] - 1) / s->divisor[dim]);
	}
	return number_of(made, place);
}

static void draw_through(draw *random, struct table *t, sw_text *text)
{
	struct image s;
	struct table shape = {.rank = 1 + draw_below(random, RANKS)};
	bool used[RANKS] = {false};

	sw_text_add(text, " through");
	for (int dim = 0; dim < shape.rank; dim++) {
		int of = draw_below(random, t->rank);
		s.of[dim] = used[of] ? -1 : of;
		used[of] = true;
		s.factor[dim] = 1 + draw_below(random, 3);
		s.offset[dim] = draw_below(random, 5) - (s.of[dim] >= 0 ? 2 : 0);
		s.divisor[dim] = s.of[dim] >= 0 ? 1 + draw_below(random, 3) : 1;
		shape.size[dim] = 1 + draw_below(random, 12);
		sw_text_addf(text, "%s ", dim > 0 ? "," : "");
		if (s.of[dim] >= 0)
			sw_text_addf(text, "(%" PRId64 "*%c%+" PRId64 ")/%" PRId64, s.factor[dim], 'i' + s.of[dim], s.offset[dim],
				s.divisor[dim]);
		else
			sw_text_add_int(text, s.offset[dim]);
	}
	for (int dim = 0; dim < shape.rank; dim++)
		sw_text_addf(text, "%s %" PRId64, dim > 0 ? "," : " to", shape.size[dim]);
	map_table(t, &shape, to_image, &s);
}

static void draw_on(draw *random, const sw_mesh *own, struct table *t, sw_text *text)
{
	int axis = draw_below(random, own->count), first = draw_below(random, (int)own->devices);
	bool coordinate = draw_below(random, 2) == 0, stays[DEVICES] = {false};
	int64_t at = coordinate ? draw_below(random, (int)own->axis[axis].size) : 0;

	if (coordinate)
		sw_text_addf(text, " on {%s: %" PRId64 "}", own->axis[axis].name, at);
	else
		sw_text_addf(text, " on %d", first);
	for (int64_t d = 0; d < own->devices; d++) {
		stays[d] = coordinate ? sw_mesh_coordinate(own, d, axis) == at : d == first || draw_below(random, 2) == 0;
		if (!coordinate && stays[d] && d != first)
			sw_text_addf(text, ",%" PRId64, d);
	}
	for (int d = 0; d < DEVICES; d++)
		if (!stays[d]) {
			t->defined[d] = false;
			memset(t->has[d], 0, sizeof t->has[d]);
		}
}

static void draw_words(draw *random, const sw_mesh *own, struct table *t, sw_text *text)
{
	for (int words = draw_below(random, 3); words > 0; words--)
		switch (draw_below(random, 4)) {
		case 0:
			draw_slices(random, t, text);
			break;
		case 1:
			draw_shift(random, t, text);
			break;
		case 2:
			draw_through(random, t, text);
			break;
		default:
			draw_on(random, own, t, text);
		}
}

static void draw_mesh(draw *random, int64_t most, char first, sw_mesh *mesh)
{
	memset(mesh, 0, sizeof *mesh);
	for (int axes = 1 + draw_below(random, 3); axes > 0 && mesh->count < 3; axes--) {
		char name[2] = {(char)(first + mesh->count), '\0'};
		int64_t size = 1 + draw_below(random, 4);
		if ((mesh->count > 0 ? mesh->devices : 1) * size <= most)
			assert_true(sw_mesh_add(mesh, sw_str_of(name), size, NULL));
	}
	if (mesh->count == 0)
		assert_true(sw_mesh_add(mesh, sw_str_of("z"), 1, NULL));
}

/* A member of a union; false: it is too large. */
static bool draw_member(draw *random, const sw_mesh *mesh, struct table *t, sw_text *text)
{
	sw_mesh over;
	const sw_mesh *own = mesh;

	if (draw_below(random, 8) == 0) {
		draw_list(random, mesh, t, text);
	} else {
		if (draw_below(random, 5) == 0) {
			draw_mesh(random, mesh->devices, 'p', &over);
			own = &over;
		}
		if (!draw_bracket(random, mesh, own, t, text))
			return false;
	}
	draw_words(random, own, t, text);
	return true;
}

static bool same_array(const struct table *a, const struct table *b)
{
	return a->rank == b->rank && memcmp(a->size, b->size, (size_t)a->rank * sizeof *a->size) == 0;
}

/* One member, or two of the same array. */
static bool draw_distribution(draw *random, const sw_mesh *mesh, struct table *t, sw_text *text)
{
	static struct table other;

	sw_text_clear(text);
	if (!draw_member(random, mesh, t, text))
		return false;
	size_t length = text->length;
	sw_text_add(text, " union ");
	if (draw_member(random, mesh, &other, text) && same_array(t, &other)) {
		for (int d = 0; d < DEVICES; d++) {
			t->defined[d] |= other.defined[d];
			for (int64_t n = 0; n < elements_of(t); n++)
				t->has[d][n] |= other.has[d][n];
		}
		return true;
	}
	text->data[length] = '\0';
	text->length = length;
	return true;
}

/* Its holding written down is the same. */
static void writes_down(const sw_mesh *mesh, const sw_holding *holding, const char *text)
{
	sw_distribution *made = SW_NEW(arena, sw_distribution, 1);
	sw_holding again, whole = *holding;
	sw_type array;
	sw_diag diag = {.code = SW_OK};
	sw_text printed = {0};

	assert_true(sw_type_replicated(SW_F64, holding->rank, holding->global, &array, NULL));
	if (!sw_distribution_of_holding(mesh, &whole, &array, arena, made, &diag)) {
		for (int64_t d = 0; d < holding->devices; d++)
			assert_false(sw_holding_defined(holding, d));
		assert_int_equal(diag.code, SW_T16);
		return;
	}
	assert_true(sw_holding_of_distribution(mesh, made, NULL, arena, &again));
	if (!sw_holding_equal(holding, &again))
		fail_msg("%s: written down as another", text);
	sw_distribution_print(mesh, made, true, &printed);
	again = held_of(mesh, sw_text_get(&printed));
	if (!sw_holding_equal(holding, &again))
		fail_msg("%s: written down as %s", text, sw_text_get(&printed));
	sw_text_free(&printed);
}

static void check_table(const struct table *t, const sw_holding *holding, const char *text)
{
	int64_t index[RANKS];

	assert_true(holding->rank == t->rank && memcmp(holding->global, t->size, (size_t)t->rank * sizeof *t->size) == 0);
	for (int64_t d = 0; d < holding->devices; d++) {
		sw_region region;
		int64_t size = 0;
		if (sw_holding_defined(holding, d) != t->defined[d])
			fail_msg("%s: device %" PRId64 " is %sdefined", text, d, t->defined[d] ? "not " : "");
		assert_true(sw_holding_region(holding, d, arena, &region));
		for (int64_t n = 0; n < elements_of(t); n++) {
			index_of(t, n, index);
			if (sw_region_has(&region, index) != t->has[d][n])
				fail_msg("%s: device %" PRId64 ", element %" PRId64, text, d, n);
			size += t->has[d][n];
		}
		assert_int_equal(sw_holding_size(holding, d), size);
		assert_int_equal(sw_region_size(&region), size);
	}
}

/* What pairs of devices have in common, in one holding or in two. */
static void check_pairs(const struct table *a, const sw_holding *of_a, const struct table *b, const sw_holding *of_b,
	int64_t d, int64_t e)
{
	sw_region one, other, both, left, all;
	int64_t common = 0, apart = 0, index[RANKS];
	bool equal = true;

	assert_true(sw_holding_region(of_a, d, arena, &one) && sw_holding_region(of_b, e, arena, &other));
	assert_true(sw_region_meet(&one, &other, arena, &both) && sw_region_minus(&one, &other, arena, &left) &&
		sw_region_union(&one, &other, arena, &all));
	for (int64_t n = 0; n < elements_of(a); n++) {
		bool in_one = a->has[d][n], in_other = b->has[e][n];
		index_of(a, n, index);
		assert_int_equal(sw_region_has(&both, index), in_one && in_other);
		assert_int_equal(sw_region_has(&left, index), in_one && !in_other);
		assert_int_equal(sw_region_has(&all, index), in_one || in_other);
		common += in_one && in_other;
		apart += in_one && !in_other;
		equal = equal && in_one == in_other;
	}
	assert_int_equal(sw_region_size(&all), sw_region_size(&other) + apart);
	assert_int_equal(sw_region_equal(&one, &other), equal);
	assert_int_equal(sw_holding_meets(of_a, d, of_b, e), common);
	assert_int_equal(sw_holding_within(of_a, d, of_b, e), apart == 0);
}

static bool same_table(const struct table *a, const struct table *b)
{
	return memcmp(a->defined, b->defined, sizeof a->defined) == 0 && memcmp(a->has, b->has, sizeof a->has) == 0;
}

static void random_types_are_those_of_all_elements(void **state)
{
	static struct table t[2];
	draw random = draw_start("distributions");
	sw_text text[2] = {{0}};
	int tiles = 0, compared = 0;

	(void)state;
	for (int n = 0; n < DRAWN; n++) {
		sw_mesh mesh;
		sw_holding holding[2];
		int now = n % 2;
		sw_arena_clear(arena);
		if (now == 0)
			draw_mesh(&random, DEVICES, 'x', &mesh);
		bool drawn = draw_distribution(&random, &mesh, &t[now], &text[now]);
		for (int again = 0; again < 40 && (!drawn || (now == 1 && !same_array(&t[0], &t[1]))); again++)
			drawn = draw_distribution(&random, &mesh, &t[now], &text[now]);
		if (!drawn)
			continue;
		const char *last = sw_text_get(&text[now]);
		holding[now] = held_of(&mesh, last);
		tiles += holding[now].rule == NULL;
		check_table(&t[now], &holding[now], last);
		reads_back(&mesh, last);
		writes_down(&mesh, &holding[now], last);
		int64_t d = draw_below(&random, (int)mesh.devices), e = draw_below(&random, (int)mesh.devices);
		check_pairs(&t[now], &holding[now], &t[now], &holding[now], d, e);
		if (now == 0 || !same_array(&t[0], &t[1]))
			continue;
		holding[0] = held_of(&mesh, sw_text_get(&text[0]));
		check_pairs(&t[0], &holding[0], &t[1], &holding[1], d, e);
		assert_int_equal(sw_holding_equal(&holding[0], &holding[1]), same_table(&t[0], &t[1]));
		compared++;
	}
	printf("%d tile types, %d pairs of one array\n", tiles, compared);
	for (int i = 0; i < 2; i++)
		sw_text_free(&text[i]);
}

/* ---- problems ---- */

static const sw_distribution *named_u(const void *of, sw_str name)
{
	return sw_str_is(name, "u") ? of : NULL;
}

/* `tile`: both ends are tile types, which other readers take too. */
static void is_problem(const char *text, int64_t held, int64_t needed, bool tile)
{
	sw_mesh mesh = mesh_of("{x: 4}");
	sw_distribution u = read_as(&mesh, "[3{x}12]");
	const sw_distribution_names names = {.named = named_u, .of = &u};
	sw_problem problem, other;
	sw_holding from, to;
	sw_diag diag;

	if (!sw_problem_parse_any(&mesh, sw_str_of(text), false, &names, arena, &problem, &diag))
		fail_msg("%s: %s", text, diag.message);
	assert_true(tile == (problem.from_words == NULL && problem.to_words == NULL));
	assert_true(sw_problem_holdings(&problem, arena, &from, &to));
	assert_int_equal(sw_holding_size(&from, 3), held);
	assert_int_equal(sw_holding_size(&to, 3), needed);
	if (strchr(text, 'u') == NULL && sw_problem_parse(&mesh, sw_str_of(text), &other, &diag) != tile)
		fail_msg("%s is read by who asks for tile types", text);
}

static void problems(void **state)
{
	(void)state;
	is_problem("[3{x}12] ~> [12]", 3, 12, true);
	is_problem("[3{x}12] ~> [1{x,..}12]", 3, 3, false);
	is_problem("[3{x}12] shift 1 -> [12] at {0: 0-2; 1: 3-5; 2: 6-8; 3: 9-11}", 2, 3, false);
	is_problem("u ~> u shift -1 union u", 3, 4, false);
	is_problem("u on 0,2 ~> u", 0, 3, false);
	is_problem("i64[3{x}12] ~> [12] only 5", 3, 1, false);
}

static void refused_problems(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		sw_code code;
		size_t at;
	} rows[] = {{"[3{x}12] ~> [1{x,..}13]", SW_T09, 20}, {"[1{x,..}12] ~> [3{x}11]", SW_T04, 16},
		{"[3{x}12] shift 1", SW_L02, 0}, {"[1{x,..}13] ~> [{x}13]", SW_T04, 0}};
	sw_mesh mesh = mesh_of("{x: 4}");

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		sw_problem problem;
		sw_diag diag = {0};
		bool pads = i == 3;
		assert_false(sw_problem_parse_any(&mesh, sw_str_of(rows[i].text), pads, NULL, arena, &problem, &diag));
		assert_int_equal(diag.code, rows[i].code);
		assert_true(pads || diag.at.begin >= rows[i].at);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(recorded_lines, recorded, file),
		ROWS(printed_text, printed_rows, text),
		ROWS(same_text, same_rows, one),
		ROWS(refused_text, refused_rows, text),
		ROWS(known_text, known_rows, text),
		TEST(a_rule_stands_for_a_missing_one),
		TEST(terms_of_sums),
		TEST(devices_lie_in_slots),
		TEST(tile_types_are_general_ones),
		TEST(tile_types_are_read_as_such),
		TEST(local_sizes_are_those_of_numroc),
		TEST(closed_forms_are_those_of_all_indices),
		TEST(crop_is_only_counted_from_0),
		TEST(words_are_no_names),
		TEST(problems),
		TEST(refused_problems),
		TEST(explained_examples_hold),
		TEST(large_types_are_small),
		TEST(random_types_are_those_of_all_elements),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
