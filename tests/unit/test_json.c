/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of JSON: tables of fields both ways, numbers, records of runs, meshes and problems, and the positions of errors.
 */
#include <math.h>

#include <jansson.h>
#include <shardwalk/json.h>
#include <shardwalk/problem_json.h>
#include <shardwalk/record.h>

#include "kit/kit.h"

/* ---- tables ---- */

struct inner {
	int64_t n;
	double x;
};

struct all {
	int64_t number;
	int count;
	double real, seconds;
	bool yes;
	const char *text, *note;
	const struct inner *one;
	sw_list ints, numbers, texts, many;
};

static const sw_field inner_rows[] = {
	SW_FIELD("n", INT, struct inner, n, .least = 1),
	SW_FIELD("x", NUMBER, struct inner, x),
};
static const sw_fields inner_table = SW_FIELDS(inner_rows, struct inner);

static bool has_text(const void *of)
{
	return ((const struct all *)of)->text != NULL;
}

static const sw_field all_rows[] = {
	SW_FIELD("number", INT, struct all, number, .least = -3),
	SW_FIELD("count", COUNT, struct all, count),
	SW_FIELD("real", NUMBER, struct all, real),
	SW_FIELD("seconds", SECONDS, struct all, seconds),
	SW_FIELD("yes", BOOL, struct all, yes),
	SW_FIELD("text", TEXT, struct all, text),
	SW_FIELD("note", TEXT, struct all, note, .sparse = true),
	SW_FIELD("one", OBJECT, struct all, one, .in = &inner_table, .needed = has_text),
	SW_FIELD("ints", INTS, struct all, ints),
	SW_FIELD("numbers", NUMBERS, struct all, numbers),
	SW_FIELD("texts", TEXTS, struct all, texts),
	SW_FIELD("many", OBJECTS, struct all, many, .in = &inner_table),
};
static const sw_fields all_table = SW_FIELDS(all_rows, struct all);

static void write_all(const struct all *all, bool compact, int digits, sw_text *text)
{
	sw_json json;
	sw_text_clear(text);
	sw_json_start(&json, text, true);
	json.compact = compact;
	json.digits = digits;
	sw_json_open(&json, '{', false);
	sw_fields_write(&json, all_table.field, all_table.count, all);
	sw_json_close(&json);
}

static const char known[] = "{\"number\": -3, \"count\": 7, \"real\": 0.5, \"seconds\": 1e-09, \"yes\": true, "
							"\"text\": \"a\", \"note\": \"b\", \"one\": {\"n\": 1, \"x\": null}, \"ints\": [3, 4], "
							"\"numbers\": [0.25, 2], \"texts\": [\"c\", \"d\"], \"many\": [{\"n\": 2, \"x\": 3}]}";
static const char unknown[] =
	"{\"number\": null, \"count\": null, \"real\": null, \"seconds\": null, \"yes\": false, "
	"\"text\": null, \"one\": null, \"ints\": null, \"numbers\": null, \"texts\": null, "
	"\"many\": null}";

static void tables_are_both_ways(void **state)
{
	static const char *const rows[] = {known, unknown};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		sw_arena *arena = sw_arena_new();
		sw_text text = {0};
		struct all all;
		assert_true(sw_fields_parse(sw_str_of(rows[i]), arena, &all_table, &all, NULL));
		write_all(&all, false, 0, &text);
		assert_string_equal(sw_text_get(&text), rows[i]);
		sw_text_free(&text);
		sw_arena_free(arena);
	}
}

static void one_text_is_a_list_of_one(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	struct all all;
	assert_true(sw_fields_parse(sw_str_of("{\"texts\": \"c\"}"), arena, &all_table, &all, NULL));
	assert_int_equal(all.texts.count, 1);
	write_all(&all, false, 0, &text);
	assert_non_null(strstr(sw_text_get(&text), "\"texts\": \"c\""));
	sw_text_free(&text);
	sw_arena_free(arena);
}

static void lines_may_be_compact(void **state)
{
	(void)state;
	sw_text text = {0};
	struct all all;
	sw_fields_forget(all_table.field, all_table.count, &all);
	all.number = 12;
	all.real = 2;
	all.seconds = 2.5e-6;
	all.numbers = (sw_list){(const double[]){1.0 / 3, -1e20, 1e-300}, 3};
	write_all(&all, true, 6, &text);
	assert_string_equal(sw_text_get(&text),
		"{\"number\":12,\"count\":null,\"real\":2.0,\"seconds\":2.5e-6,\"yes\":false,\"text\":null,\"one\":null,"
		"\"ints\":null,\"numbers\":[0.333333,-1e20,1e-300],\"texts\":null,\"many\":null}");
	sw_text_free(&text);
}

static const struct bad {
	const char *text;
	sw_code code;
	const char *marked, *says;
} bad[] = {
	{"{\"number\": -4}", SW_P01, "-4", "'number' is too small"},
	{"{\"count\": 1.5}", SW_P01, "1.5", "'count' is not a whole number"},
	{"{\"real\": \"a\"}", SW_P01, "\"a\"", "'real' is not a number"},
	{"{\"yes\": 1}", SW_P01, "1", "'yes' is not true or false"},
	{"{\"text\": \"a\"}", SW_P01, "{", "'one' is missing"},
	{"{\"one\": {\"n\": 0}}", SW_P01, "0", "'one.n' is too small"},
	{"{\"ints\": [3, \"4\"]}", SW_P01, "\"4\"", "'ints[1]' has the wrong type"},
	{"{\"many\": [{\"n\": 2}, {\"n\": 3, \"x\": true}]}", SW_P01, "true", "'many[1].x' is not a number"},
	{"{\"many\": [7]}", SW_P01, "7", "'many[0]' has the wrong type"},
	{"[]", SW_P01, "[]", "not an object"},
	{"{\"count\": 1", SW_B04, NULL, "this is not JSON"},
	{"{\"count\": 1, \"count\": 2}", SW_B04, NULL, "this is not JSON"},
};

static void bad_values_are_marked(void **state)
{
	const struct bad *row = *state;
	sw_arena *arena = sw_arena_new();
	struct all all;
	sw_diag diag = {.code = SW_OK};
	sw_str text = sw_str_of(row->text);
	assert_false(sw_fields_parse(text, arena, &all_table, &all, &diag));
	assert_int_equal(diag.code, row->code);
	assert_non_null(strstr(diag.message, row->says));
	if (row->marked)
		assert_true(sw_str_is((sw_str){text.at + diag.at.begin, diag.at.end - diag.at.begin}, row->marked));
	sw_arena_free(arena);
}

/* ---- records ---- */

/* As shardwalk-exec wrote them before there was a table. */
static const char *const records[] = {
	"{\"schema\":\"shardwalk.run/1\",\"record\":\"start\",\"plan\":\"p\",\"file\":\"p.json\",\"plan_sha256\":\"00ff\","
	"\"host\":\"h\",\"hosts\":1,\"cores\":2,\"ranks\":4,\"mpi\":\"MPICH 4.0.2\",\"yield\":true,"
	"\"transport\":\"shared\",\"collectives\":false,\"reps\":-1,\"warmup\":3,\"launch\":1,\"vectors\":\"avx512\","
	"\"binding\":\"0,1\",\"probe\":{\"hop_seconds\":null,\"stream_bytes_per_second\":2e10}}",
	"{\"record\":\"step\",\"step\":1,\"op\":\"alltoall\",\"transport\":\"shared\",\"direction\":\"pull\","
	"\"store\":\"plain\",\"block\":0,\"seconds\":{\"median\":0.002,\"p10\":0.001,\"p90\":0.003,\"max\":1.0},"
	"\"reference_seconds\":null,\"reference_store\":null,\"share\":null,\"bytes\":4000,\"reps\":5,"
	"\"algorithm_bandwidth\":2500000.0,\"bus_bandwidth\":1250000.0,\"predicted_seconds\":null,\"label\":\"alltoall(0)\"}",
	"{\"record\":\"step\",\"step\":2,\"op\":\"dynslice\",\"transport\":\"messages\",\"direction\":null,\"store\":null,"
	"\"predicted_seconds\":1.5e-6}",
	"{\"record\":\"total\",\"seconds\":{\"median\":0.002,\"p10\":0.001,\"p90\":0.003,\"max\":1.0},"
	"\"reference_seconds\":{\"median\":0.001,\"p10\":0.001,\"p90\":0.001,\"max\":0.001},"
	"\"reference_store\":\"stream\",\"share\":0.5,\"bytes\":4000,\"reps\":5,\"course_seconds\":[0.001,0.003],\"step_seconds\":[0.001,0.001],"
	"\"predicted_seconds\":null}",
	"{\"record\":\"machine\",\"probe\":{\"hop_seconds\":1e-7,\"stream_bytes_per_second\":null},"
	"\"others_share\":-1.0,\"busy\":false}",
	"{\"record\":\"memory\",\"predicted_bytes\":128,\"tile_bytes\":4096,\"buffer_bytes\":0,\"process_bytes\":9000000,"
	"\"padding_bytes\":[12,0]}",
	"{\"record\":\"check\",\"verified\":false,\"first_wrong\":{\"device\":0,\"place\":[0,1],\"index\":[2,3],"
	"\"expected\":\"0x00\",\"found\":\"0x01\",\"belongs\":{\"index\":[4,5],\"device\":-1},\"belongs_known\":true},"
	"\"digest\":\"0123\"}",
	"{\"record\":\"complete\",\"status\":1}",
	"{\"schema\":\"shardwalk.run/1\",\"record\":\"error\",\"plan\":\"p\",\"error\":{\"code\":\"E01\","
	"\"message\":\"m\",\"hint\":\"\",\"status\":3}}",
};

static void records_come_back_as_they_were(void **state)
{
	const char *line = *(const char *const *)*state;
	sw_arena *arena = sw_arena_new();
	sw_text text = {0};
	sw_record record;
	sw_diag diag = {.code = SW_OK};
	if (!sw_record_read(sw_str_of(line), arena, &record, &diag))
		fail_msg("%s", diag.message);
	sw_record_write(&record, &text);
	assert_string_equal(sw_text_get(&text), line);
	sw_text_free(&text);
	sw_arena_free(arena);
}

static void records_of_later_versions_are_passed_over(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	sw_record record;
	assert_true(sw_record_read(sw_str_of("{\"record\": \"new\", \"step\": {}}"), arena, &record, NULL));
	assert_int_equal(record.kind, SW_RECORD_KINDS);
	assert_true(sw_record_read(sw_str_of("{\"record\": \"complete\", \"new\": 1}"), arena, &record, NULL));
	assert_int_equal(record.kind, SW_RECORD_COMPLETE);
	assert_true(sw_record_is(sw_str_of("{\"schema\": \"shardwalk.run/7\"}")));
	assert_false(sw_record_is(sw_str_of("{\"schema\": \"shardwalk.plan/1\"}")));
	sw_arena_free(arena);
}

/* ---- meshes and problems ---- */

static const struct mesh_row {
	const char *value, *printed; /* printed NULL: refused */
	sw_code code;
	const char *marked;
} meshes[] = {
	{"\"{x: 4, y: 6}\"", "{x: 4, y: 6}", SW_OK, NULL},
	{"{\"x\": 4, \"y\": 6}", "{x: 4, y: 6}", SW_OK, NULL},
	{"[{\"axis\": \"x\", \"size\": 4}, {\"axis\": \"y\", \"size\": 6}]", "{x: 4, y: 6}", SW_OK, NULL},
	{"[{\"axis\": \"x\", \"size\": 4, \"bandwidth\": 1e10, \"latency\": null}]", "{x: 4 @ 10GB/s}", SW_OK, NULL},
	{"[]", "{}", SW_OK, NULL},
	{"7", NULL, SW_P01, "7"},
	{"[7]", NULL, SW_P01, "7"},
	{"[{\"axis\": \"x\"}]", NULL, SW_P01, "{"},
	{"[{\"axis\": \"x\", \"size\": \"4\"}]", NULL, SW_P01, "\"4\""},
	{"{\"x\": 4, \"y\": 1.5}", NULL, SW_P01, "1.5"},
	{"{\"x\": 4, \"y\": 0}", NULL, SW_M03, "0"},
	{"[{\"axis\": \"x\", \"size\": 4, \"latency\": -1}]", NULL, SW_M07,
		"{\"axis\": \"x\", \"size\": 4, \"latency\": -1}"},
	{"\"{x: 4, x: 6}\"", NULL, SW_M02, "x"},
};

static void meshes_are_read(void **state)
{
	const struct mesh_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_text text = {0}, printed = {0};
	sw_diag diag = {.code = SW_OK};
	sw_mesh mesh;
	sw_text_addf(&text, "{\"to\": 1, \"mesh\": %s}", row->value);
	sw_json_in in = {.text = {text.data, text.length}, .arena = arena, .diag = &diag};
	json_t *root = sw_json_parse(in.text, "", NULL);
	assert_non_null(root);
	assert_true(sw_json_read_mesh(&in, root, "mesh", &mesh) == (row->printed != NULL));
	assert_int_equal(diag.code, row->code);
	if (row->printed) {
		sw_mesh_print(&mesh, &printed);
		assert_string_equal(sw_text_get(&printed), row->printed);
	} else {
		assert_true(sw_str_is((sw_str){text.data + diag.at.begin, diag.at.end - diag.at.begin}, row->marked));
	}
	json_decref(root);
	sw_text_free(&text);
	sw_text_free(&printed);
	sw_arena_free(arena);
}

static void problems_are_both_ways(void **state)
{
	static const char text[] =
		"{\"mesh\": [{\"axis\": \"x\", \"size\": 4, \"latency\": 0.001}], \"dtype\": \"bf16\", "
		"\"global\": [20], \"unpadded\": [17], \"padding\": [{\"elements\": 3, \"of\": 20, "
		"\"most_per_device\": 3, \"empty_devices\": 0}, {\"elements\": 12, \"of\": 80, "
		"\"most_per_device\": 3, \"empty_devices\": 0}], \"from\": \"[5{x}20]\", \"to\": "
		"\"[20]\"}";
	(void)state;
	sw_arena *arena = sw_arena_new();
	sw_diag diag = {.code = SW_OK};
	sw_json_in in = {.text = sw_str_of(text), .arena = arena, .diag = &diag};
	sw_problem problem;
	sw_text out = {0};
	sw_json json;
	json_t *root = sw_json_parse(in.text, "", NULL);
	if (!sw_json_read_problem(&in, root, &problem))
		fail_msg("%s", diag.message);
	sw_json_start(&json, &out, true);
	sw_json_open(&json, '{', false);
	sw_json_problem(&json, &problem);
	sw_json_close(&json);
	assert_string_equal(sw_text_get(&out), text);
	json_decref(root);
	sw_text_free(&out);
	sw_arena_free(arena);
}

static void seconds_are_written_as_numbers(void **state)
{
	static const sw_field rows[] = {
		SW_FIELD("at", NUMBER, struct all, real),
		SW_FIELD("at", SECONDS, struct all, real),
	};
	sw_text number = {0}, seconds = {0};
	sw_text *const texts[] = {&number, &seconds};
	(void)state;
	for (int64_t n = 0; n < 120000; n++) {
		const struct all all = {.real = (double)n / 1e9};
		for (int i = 0; i < 2; i++) {
			sw_json json;
			sw_text_clear(texts[i]);
			sw_json_start(&json, texts[i], true);
			sw_json_open(&json, '{', false);
			sw_fields_write(&json, &rows[i], 1, &all);
			sw_json_close(&json);
		}
		assert_string_equal(sw_text_get(&number), sw_text_get(&seconds));
	}
	sw_text_free(&number);
	sw_text_free(&seconds);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(tables_are_both_ways),
		TEST(one_text_is_a_list_of_one),
		TEST(lines_may_be_compact),
		TEST(seconds_are_written_as_numbers),
		ROWS(bad_values_are_marked, bad, text),
		NUMBERED(records_come_back_as_they_were, records),
		TEST(records_of_later_versions_are_passed_over),
		ROWS(meshes_are_read, meshes, value),
		TEST(problems_are_both_ways),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
