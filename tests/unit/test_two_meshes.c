/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two shardings over different devices: what each end becomes, and that every device has what its own text says.
 */
#include <shardwalk/distribution.h>
#include <shardwalk/log.h>
#include <shardwalk/notation.h>

#include <string.h>

#include "kit.h"

static sw_arena *arena;

static int setup(void **state)
{
	(void)state;
	arena = sw_arena_new();
	return arena ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	sw_arena_free(arena);
	return 0;
}

static void parse(const char *text, sw_sharding *out)
{
	sw_diag diag = {.code = SW_OK};
	const sw_notation_context context = {.rank = -1, .numbers = true};
	if (!sw_sharding_parse(sw_str_of(text), &context, arena, out, &diag))
		fail_msg("%s: %s", text, diag.message);
}

static bool join(const char *from, const char *to, const char *shape, sw_reading *reading, sw_diag *diag)
{
	static const sw_mesh none;
	sw_type type;
	sw_sharding *ends = SW_NEW(arena, sw_sharding, 2);
	assert_non_null(ends);
	assert_true(sw_type_parse(&none, sw_str_of(shape), &type, diag));
	parse(from, &ends[0]);
	parse(to, &ends[1]);
	return sw_sharding_problem(&ends[0], &ends[1], &type, arena, reading, diag);
}

static const struct {
	const char *from, *to, *shape, *is_from, *is_to, *remark;
} joined[] = {
	{"NamedSharding(Mesh('x': 4, 'y': 2), P('x', 'y'))", "NamedSharding(Mesh('t': 4), P('t'))", "f32[16,16]",
		"f32[4{x}16, 8{y}16]", "f32[4{t}16, 16] over {t: 4} on 0-3", "of 8 and of 4 devices, 4 of them in both"},
	{"NamedSharding(Mesh('t': 4), P('t'))", "NamedSharding(Mesh('x': 4, 'y': 2), P('x', 'y'))", "f32[16,16]",
		"f32[4{t}16, 16] over {t: 4} on 0-3", "f32[4{x}16, 8{y}16]", "the first 4 are assumed"},
	{"NamedSharding(Mesh(device_ids=array([[0, 1], [2, 3]]), axis_names=('x', 'y')), P('x', 'y'))",
		"NamedSharding(Mesh(device_ids=array([4, 5, 6, 7]), axis_names=('t',)), P('t'))", "f32[16,16]",
		"f32[8{x}16, 8{y}16] over {x: 2, y: 2} on 0-3", "f32[4{t}16, 16] over {rows: 2, t: 4} on 4-7",
		"of 4 and of 4 devices, 0 of them in both: one exchange over all 8"},
	{"NamedSharding(Mesh(device_ids=array([10, 11]), axis_names=('x',)), P('x'))",
		"NamedSharding(Mesh(device_ids=array([20, 21]), axis_names=('t',)), P())", "f32[16]",
		"f32[8{x}16] over {x: 2} on 0-1", "f32[16] over {rows: 2, t: 2} on 2-3", "numbered here 0 to 3"},
	{"{devices=[8]<=[8]}", "{devices=[4]<=[4]}", "f32[16]", "f32[2{a}16]", "f32[4{a}16] over {a: 4} on 0-3",
		"8 and of 4"},
};

static void test_joined(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
		sw_diag diag = {.code = SW_OK};
		sw_reading reading;
		sw_text from = {0}, to = {0};
		if (!join(joined[i].from, joined[i].to, joined[i].shape, &reading, &diag))
			fail_msg("row %zu: %s", i, diag.message);
		const sw_problem *p = &reading.problem;
		sw_type_print_any(&p->mesh, &p->from, p->from_words, true, &from);
		sw_type_print_any(&p->mesh, &p->to, p->to_words, true, &to);
		assert_string_equal(sw_text_get(&from), joined[i].is_from);
		assert_string_equal(sw_text_get(&to), joined[i].is_to);
		bool listed = strstr(joined[i].from, "ids") || strstr(joined[i].from, "devices=");
		if (listed && strstr(reading.remark, "does not number"))
			fail_msg("row %zu: %s", i, reading.remark);
		if (!strstr(reading.remark, joined[i].remark))
			fail_msg("row %zu: no '%s' in: %s", i, joined[i].remark, reading.remark);
		sw_text_free(&from);
		sw_text_free(&to);
	}
}

/* Devices in any order: each has what the text gives the slot that it is in. */
static void test_scattered(void **state)
{
	static const int64_t at[] = {6, 4, 7, 5};
	sw_diag diag = {.code = SW_OK};
	sw_reading reading;
	sw_holding from, to;
	(void)state;
	assert_true(join("NamedSharding(Mesh(device_ids=array([6, 4, 7, 5]), axis_names=('x',)), P('x'))",
		"NamedSharding(Mesh('y': 4), P('y'))", "f32[16]", &reading, &diag));
	assert_true(sw_problem_holdings(&reading.problem, arena, &from, &to));
	assert_int_equal(from.devices, 8);
	for (int64_t slot = 0; slot < 4; slot++) {
		assert_false(sw_holding_defined(&from, slot));
		assert_true(sw_holding_defined(&to, slot));
		for (int64_t i = 0; i < 16; i++)
			assert_int_equal(sw_holding_has(&from, at[slot], &i), i / 4 == slot);
	}
}

/* The same devices under other numbers are those of one mesh: any strategy plans between the ends. */
static void test_same_devices(void **state)
{
	sw_diag diag = {.code = SW_OK};
	sw_reading reading;
	(void)state;
	assert_true(join("NamedSharding(Mesh(device_ids=array([4, 5, 6, 7]), axis_names=('x',)), P('x'))",
		"NamedSharding(Mesh(device_ids=array([[4, 5], [6, 7]]), axis_names=('a', 'b')), P('b'))", "f32[16]", &reading,
		&diag));
	assert_null(reading.problem.from_words);
	assert_null(reading.problem.to_words);
	assert_int_equal(reading.problem.mesh.devices, 4);
	assert_null(strstr(reading.remark, "does not number"));
	assert_non_null(strstr(reading.remark, "devices 4 to 7 are numbered 0 to 3"));
}

static const struct {
	const char *from, *to, *shape;
	sw_code code;
} refused[] = {
	{"NamedSharding(Mesh('x': 4), P('x'))", "NamedSharding(Mesh('t': 3), P('t'))", "f32[16]", SW_T04},
	{"{devices=[8]<=[8]}", "{devices=[2,2]<=[4]}", "f32[16]", SW_N05},
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		sw_diag diag = {.code = SW_OK};
		sw_reading reading;
		assert_false(join(refused[i].from, refused[i].to, refused[i].shape, &reading, &diag));
		assert_int_equal(diag.code, refused[i].code);
	}
}

/* Without a context that allows them numbers of other devices are none. */
static void test_numbers(void **state)
{
	sw_diag diag = {.code = SW_OK};
	sw_sharding *s = SW_NEW(arena, sw_sharding, 1);
	(void)state;
	assert_non_null(s);
	assert_false(
		sw_sharding_parse(sw_str_of("Mesh(device_ids=array([4, 5]), axis_names=('x',))"), NULL, arena, s, &diag));
	assert_int_equal(diag.code, SW_N04);
	assert_int_equal(diag.at.begin, 16);
	const sw_notation_context context = {.rank = -1, .numbers = true};
	assert_false(
		sw_sharding_parse(sw_str_of("Mesh(device_ids=array([4, 4]), axis_names=('x',))"), &context, arena, s, &diag));
	assert_int_equal(diag.code, SW_N04);
}

/* JAX's error of different devices, cut off anywhere: what is named is read, or it is said that it ends. */
static void test_devices(void **state)
{
	static const char text[] =
		"Received incompatible devices for jitted computation. Got argument u of f with shape float32[16,16] and with device "
		"ids [0, 1, 2, 3] on platform CPU and explicit output sharding with device ids [4, 5] on platform CPU";
	sw_log_devices devices;
	sw_diag diag;
	(void)state;
	assert_true(sw_log_is_devices(sw_str_of(text)));
	assert_true(sw_log_read_devices(sw_str_of(text), arena, &devices, &diag));
	assert_true(sw_str_is(devices.end[0].shape, "float32[16,16]"));
	assert_true(sw_str_is(devices.end[1].what, "explicit output sharding"));
	assert_int_equal(devices.end[0].devices, 4);
	assert_int_equal(devices.end[1].devices, 2);
	assert_int_equal(devices.end[1].id[1], 5);
	for (size_t length = 0; length < sizeof text; length++) {
		bool whole = length > (size_t)(strstr(text, "4, 5]") - text) + strlen("4, 5");
		diag.code = SW_OK;
		bool read = sw_log_read_devices((sw_str){text, length}, arena, &devices, &diag);
		assert_int_equal(read, whole);
		assert_true(read || (diag.code == SW_N01 && diag.at.end <= length));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_joined, setup, teardown),
		cmocka_unit_test_setup_teardown(test_scattered, setup, teardown),
		cmocka_unit_test_setup_teardown(test_same_devices, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_devices, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
