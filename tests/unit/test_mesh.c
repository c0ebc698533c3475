/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of meshes: accepted and refused texts, printing, links, numbering of devices.
 */
#include <shardwalk/mesh.h>

#include "kit/draw.h"
#include "kit/kit.h"

typedef struct accepted_row {
	const char *input;
	const char *printed;
} accepted_row;

static const accepted_row accepted[] = {
	{"{x: 4, y: 6}", "{x: 4, y: 6}"},
	{"{x:4,y:6}", "{x: 4, y: 6}"},
	{" {\t\"x\" :\n4 ,'y': 006 } ", "{x: 4, y: 6}"},
	{"{\"odd name\": 3, _a9: 1}", "{\"odd name\": 3, _a9: 1}"},
	{"{\"2nd\": 3, \"it's\": 2, \"\u03b1\": 5}", "{\"2nd\": 3, \"it's\": 2, \"\u03b1\": 5}"},
	{"{x: 1}", "{x: 1}"},
	{"{x: 1099511627776}", "{x: 1099511627776}"},
	{"{x: 1048576, y: 1048576, z: 1}", "{x: 1048576, y: 1048576, z: 1}"},
	{"{n: 2 @ 10GB/s 20us, c: 4}", "{n: 2 @ 10GB/s 20us, c: 4}"},
	{"{n: 2@20us 10GB/s}", "{n: 2 @ 10GB/s 20us}"},
	{"{n: 2 @ 0.5us}", "{n: 2 @ 500ns}"},
	{"{n: 2 @ 0.25ns}", "{n: 2 @ 0.25ns}"},
	{"{n: 2 @ 1500MB/s}", "{n: 2 @ 1.5GB/s}"},
	{"{n: 2 @ 12500000000B/s 0.0015s}", "{n: 2 @ 12.5GB/s 1.5ms}"},
	{"{n: 2 @ 2000TB/s 3s}", "{n: 2 @ 2000TB/s 3s}"},
	{"{n: 2 @ 0.1GB/s 100000s}", "{n: 2 @ 100MB/s 100000s}"},
	{"{n: 2 @ 1.10kB/s 1.us}", "{n: 2 @ 1.1kB/s 1us}"},
	{"{n: 2 @ 0.7B/s}", "{n: 2 @ 0.7B/s}"},
};

static void accepted_texts(void **state)
{
	const accepted_row *row = *state;
	sw_text text = {0};
	sw_mesh mesh, again;
	sw_diag diag;
	bool right = sw_mesh_parse(sw_str_of(row->input), &mesh, &diag);
	if (!right)
		fail_msg("%s: %s", row->input, diag.message);
	sw_text_clear(&text);
	sw_mesh_print(&mesh, &text);
	assert_string_equal(sw_text_get(&text), row->printed);
	assert_true(sw_mesh_parse(sw_str_of(sw_text_get(&text)), &again, NULL));
	assert_true(sw_mesh_equal(&mesh, &again));
	sw_text_free(&text);
}

typedef struct refused_row {
	const char *input;
	sw_code code;
	size_t begin, end, also_begin, also_end;
} refused_row;

#define NAME60 "a23456789012345678901234567890123456789012345678901234567890"

static const refused_row refused[] = {
	{"", SW_M01, 0, 0, 0, 0},
	{"   ", SW_M01, 3, 3, 0, 0},
	{"x: 4", SW_M01, 0, 1, 0, 0},
	{"{}", SW_M01, 1, 2, 0, 1},
	{"{x}", SW_M01, 2, 3, 0, 1},
	{"{x = 4}", SW_M01, 3, 4, 0, 1},
	{"{x: 4 y: 6}", SW_M01, 6, 7, 0, 1},
	{"{x: 4,}", SW_M01, 6, 7, 0, 1},
	{"{x: 4]", SW_M01, 5, 6, 0, 1},
	{"{x: 4} z", SW_M01, 7, 8, 0, 0},
	{"{x: 4}}", SW_L06, 6, 7, 0, 0},
	{"{x: 4", SW_L06, 0, 1, 0, 0},
	{" {x: 4,", SW_L06, 1, 2, 0, 0},
	{"{x", SW_L06, 0, 1, 0, 0},
	{"{", SW_L06, 0, 1, 0, 0},
	{"{\"x: 4}", SW_L06, 1, 2, 0, 0},
	{"{x: 4, y: 2, x: 3}", SW_M02, 13, 14, 1, 2},
	{"{\"x\": 4, x: 3}", SW_M02, 9, 10, 1, 4},
	{"{x: 0}", SW_M03, 4, 5, 0, 0},
	{"{x: -4}", SW_M03, 4, 6, 0, 0},
	{"{x: 4.5}", SW_L11, 4, 7, 0, 0},
	{"{x: 4e2}", SW_L11, 4, 7, 0, 0},
	{"{x: four}", SW_M01, 4, 8, 0, 1},
	{"{x: 1099511627777}", SW_M05, 4, 17, 0, 0},
	{"{x: 99999999999999999999999}", SW_M05, 4, 27, 0, 0},
	{"{x: 1048576, y: 1048577}", SW_M05, 16, 23, 0, 0},
	{"{2nd: 4}", SW_M06, 1, 4, 0, 0},
	{"{a-b: 4}", SW_M06, 1, 4, 0, 0},
	{"{\u03b1: 4}", SW_M06, 1, 3, 0, 0},
	{"{\"\": 4}", SW_M06, 1, 3, 0, 0},
	{"{'a\"b': 4}", SW_M06, 1, 6, 0, 0},
	{"{" NAME60 "abcd: 4}", SW_M06, 1, 65, 0, 0},
	{"{\"a\tb\": 4}", SW_L10, 3, 4, 0, 0},
	{"{\"a\xff\": 4}", SW_L10, 3, 4, 0, 0},
	{"{x\x01: 4}", SW_L10, 2, 3, 0, 0},
	{"\x7f"
	 "ELF",
		SW_L10, 0, 1, 0, 0},
	{"{x: 4 @}", SW_M01, 7, 8, 0, 0},
	{"{x: 4 @ 10GB}", SW_M07, 8, 12, 0, 0},
	{"{x: 4 @ 10}", SW_M07, 8, 10, 0, 0},
	{"{x: 4 @ GB/s}", SW_M07, 8, 12, 0, 0},
	{"{x: 4 @ 10GB/s 5GB/s}", SW_M07, 15, 20, 0, 0},
	{"{x: 4 @ 0us}", SW_M07, 8, 11, 0, 0},
	{"{x: 4 @ -1us}", SW_M07, 8, 12, 0, 0},
	{"{x: 4 @ 1.2.3us}", SW_M07, 8, 15, 0, 0},
	{"{x: 4 @ 10GB/s 20us", SW_L06, 0, 1, 0, 0},
};

static void check_refused(const char *input, const refused_row *row, const sw_diag *diag)
{
	if (diag->code != row->code)
		fail_msg("%s: %s: %s", input, sw_code_info_of(diag->code)->name, diag->message);
	if (diag->at.begin != row->begin || diag->at.end != row->end)
		fail_msg("%s: at %zu to %zu", input, diag->at.begin, diag->at.end);
	if (diag->also.begin != row->also_begin || diag->also.end != row->also_end)
		fail_msg("%s: also %zu to %zu", input, diag->also.begin, diag->also.end);
	assert_true(diag->message[0] && diag->expected[0] && diag->found[0]);
	assert_true((diag->also_label[0] != 0) == (row->also_end > 0));
}

static void refused_texts(void **state)
{
	const refused_row *row = *state;
	sw_mesh mesh = {.count = 77};
	sw_diag diag;
	if (sw_mesh_parse(sw_str_of(row->input), &mesh, &diag))
		fail_msg("%s was accepted", row->input);
	check_refused(row->input, row, &diag);
	assert_int_equal(mesh.count, 77);
	assert_false(sw_mesh_parse(sw_str_of(row->input), &mesh, NULL));
}

static void axes_up_to_sixty_four(void **state)
{
	(void)state;
	for (int count = 64; count <= 65; count++) {
		sw_text text = {0};
		sw_mesh mesh;
		sw_diag diag;
		for (int i = 0; i < count; i++)
			sw_text_addf(&text, "%sa%d: 1", i ? ", " : "{", i);
		size_t last = text.length - strlen("a64: 1");
		sw_text_add(&text, "}");
		bool right = sw_mesh_parse(sw_str_of(sw_text_get(&text)), &mesh, &diag);
		assert_int_equal(right, count == 64);
		if (!right) {
			assert_int_equal(diag.code, SW_M04);
			assert_int_equal(diag.at.begin, last);
			assert_int_equal(diag.at.end, last + 3);
		}
		sw_text_free(&text);
	}
}

static void names_up_to_63_bytes(void **state)
{
	(void)state;
	sw_mesh mesh;
	assert_true(sw_mesh_parse(sw_str_of("{" NAME60 "abc: 4}"), &mesh, NULL));
	assert_int_equal(strlen(mesh.axis[0].name), 63);
}

static void devices_are_numbered_row_major(void **state)
{
	(void)state;
	sw_mesh mesh;
	assert_true(sw_mesh_parse(sw_str_of("{x: 4, y: 1, z: 6, w: 5}"), &mesh, NULL));
	assert_int_equal(mesh.devices, 120);
	int64_t device = 0;
	for (int x = 0; x < 4; x++)
		for (int z = 0; z < 6; z++)
			for (int w = 0; w < 5; w++, device++) {
				assert_int_equal(sw_mesh_coordinate(&mesh, device, 0), x);
				assert_int_equal(sw_mesh_coordinate(&mesh, device, 1), 0);
				assert_int_equal(sw_mesh_coordinate(&mesh, device, 2), z);
				assert_int_equal(sw_mesh_coordinate(&mesh, device, 3), w);
			}
}

static void axes_are_added_and_found(void **state)
{
	(void)state;
	sw_mesh mesh = {0}, other;
	sw_diag diag;
	assert_true(sw_mesh_add(&mesh, sw_str_of("rows"), 4, &diag));
	assert_true(sw_mesh_add(&mesh, sw_str_of("odd name"), 6, &diag));
	assert_true(sw_mesh_parse(sw_str_of("{rows: 4, 'odd name': 6}"), &other, NULL));
	assert_true(sw_mesh_equal(&mesh, &other));
	assert_int_equal(mesh.axis[0].stride, 6);
	assert_int_equal(sw_mesh_find(&mesh, sw_str_of("odd name")), 1);
	assert_int_equal(sw_mesh_find(&mesh, sw_str_of("Rows")), -1);
	assert_int_equal(sw_mesh_nearest(&mesh, sw_str_of("row")), 0);
	assert_int_equal(sw_mesh_nearest(&mesh, sw_str_of("columns")), -1);
	assert_false(sw_mesh_add(&mesh, sw_str_of("rows"), 4, &diag));
	assert_int_equal(diag.code, SW_M02);
	assert_false(sw_mesh_add(&mesh, sw_str_of("z"), 0, &diag));
	assert_int_equal(diag.code, SW_M03);
	assert_false(sw_mesh_add(&mesh, sw_str_of("a\nb"), 2, &diag));
	assert_int_equal(diag.code, SW_M06);
	assert_false(sw_mesh_add(&mesh, sw_str_of("z"), INT64_MAX, &diag));
	assert_int_equal(diag.code, SW_M05);
	assert_true(sw_mesh_equal(&mesh, &other));
}

static void meshes_differ(void **state)
{
	(void)state;
	static const char *const texts[] = {"{x: 4}", "{x: 2}", "{y: 4}", "{x: 4, y: 1}", "{x: 4 @ 1us}",
		"{x: 4 @ 1GB/s}"};
	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 6; j++) {
			sw_mesh a, b;
			assert_true(sw_mesh_parse(sw_str_of(texts[i]), &a, NULL));
			assert_true(sw_mesh_parse(sw_str_of(texts[j]), &b, NULL));
			assert_int_equal(sw_mesh_equal(&a, &b), i == j);
		}
}

/* A quantity between 10^-9 and 10^9 of some unit, with all its bits. */
static double draw_quantity(draw *random)
{
	double value = 1 + (double)(draw_bits(random) >> 11) / 9007199254740992.0;
	for (int power = draw_below(random, 60) - 30; power; power += power < 0 ? 1 : -1)
		value = power < 0 ? value / 2 : value * 2;
	return value;
}

static void random_meshes_round_trip(void **state)
{
	(void)state;
	draw random = draw_start("meshes");
	sw_text text = {0};
	for (int round = 0; round < 3000; round++) {
		sw_mesh mesh = {0}, again;
		for (int axes = 1 + draw_below(&random, 6); axes > 0; axes--) {
			char name[12];
			int length = 1 + draw_below(&random, 10);
			for (int i = 0; i < length; i++)
				name[i] = " abcXYZ019_-{}:,'@#\\"[draw_below(&random, 20)];
			if (!sw_mesh_add(&mesh, (sw_str){name, (size_t)length}, 1 + draw_below(&random, 40), NULL))
				continue;
			sw_axis *axis = &mesh.axis[mesh.count - 1];
			axis->bandwidth = draw_below(&random, 2) ? draw_quantity(&random) : 0;
			axis->latency = draw_below(&random, 2) ? draw_quantity(&random) : 0;
		}
		sw_text_clear(&text);
		sw_mesh_print(&mesh, &text);
		sw_diag diag;
		if (!sw_mesh_parse(sw_str_of(sw_text_get(&text)), &again, &diag))
			fail_msg("%s: %s", sw_text_get(&text), diag.message);
		if (!sw_mesh_equal(&mesh, &again))
			fail_msg("%s reads back as another mesh", sw_text_get(&text));
	}
	sw_text_free(&text);
}

static void broken_texts_never_crash(void **state)
{
	(void)state;
	draw random = draw_start("broken meshes");
	static const char pieces[] = "{}[]():,@\"' xy049.GB/skus-\t\x01\xc3\xa4\xff";
	for (int round = 0; round < 30000; round++) {
		char text[64];
		const char *start = accepted[draw_below(&random, 4)].input;
		size_t length = round % 3 ? strlen(start) : (size_t)draw_below(&random, 60);
		for (size_t i = 0; i < length; i++)
			text[i] = round % 3 ? start[i] : pieces[draw_below(&random, sizeof(pieces))];
		for (int edits = draw_below(&random, 4); length && edits > 0; edits--)
			text[draw_below(&random, (int)length)] = pieces[draw_below(&random, sizeof(pieces))];
		char *exact = malloc(length ? length : 1); /* the sanitizer sees a byte read beyond it */
		memcpy(exact, text, length);
		sw_mesh mesh;
		sw_diag diag = {0};
		if (!sw_mesh_parse((sw_str){exact, length}, &mesh, &diag))
			assert_true(diag.code != SW_OK && diag.at.begin <= diag.at.end && diag.at.end <= length);
		free(exact);
	}
}

static const struct name_row {
	const char *label;
	int64_t unit, device;
	const char *name, *first;
} names[] = {
	{"without units", 0, 7, "7", "7"},
	{"the first of a unit", 4, 4, "B0", "B0 (4)"},
	{"the last of a unit", 4, 7, "B3", "B3 (7)"},
	{"units of one device", 1, 25, "Z0", "Z0 (25)"},
	{"two letters", 2, 52, "AA0", "AA0 (52)"},
	{"the last of all", 1, SW_MAX_DEVICES - 1, "EFWFSWHTP0", "EFWFSWHTP0 (1099511627775)"},
};

static void devices_have_names(void **state)
{
	const struct name_row *row = *state;
	const sw_mesh mesh = {.devices = SW_MAX_DEVICES, .unit = row->unit};
	sw_text text = {0};
	sw_mesh_print_device(&mesh, row->device, &text);
	assert_string_equal(sw_text_get(&text), row->name);
	int64_t device = -1;
	assert_int_equal(sw_mesh_find_device(&mesh, sw_str_of(row->name), &device), row->unit > 0);
	assert_int_equal(device, row->unit > 0 ? row->device : -1);
	assert_true(text.length < SW_DEVICE_SIZE);
	sw_text_clear(&text);
	sw_mesh_introduce_device(&mesh, row->device, &text);
	assert_string_equal(sw_text_get(&text), row->first);
	sw_text_free(&text);
}

static void other_words_are_no_names(void **state)
{
	static const char *const words[] = {"", "A", "B4", "C0", "4", "b0", "A-1", "A0 ", "AAAAAAAAAAAAAAAAAAAA0",
		"A9223372036854775808", "ZZZZZZZZZZZZZ3"};
	const sw_mesh mesh = {.devices = 8, .unit = 4};
	int64_t device;
	(void)state;
	for (size_t i = 0; i < COUNT(words); i++)
		assert_false(sw_mesh_find_device(&mesh, sw_str_of(words[i]), &device));
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(accepted_texts, accepted, input),
		ROWS(refused_texts, refused, input),
		TEST(axes_up_to_sixty_four),
		TEST(names_up_to_63_bytes),
		TEST(devices_are_numbered_row_major),
		TEST(axes_are_added_and_found),
		TEST(meshes_differ),
		ROWS(devices_have_names, names, label),
		TEST(other_words_are_no_names),
		TEST(random_meshes_round_trip),
		TEST(broken_texts_never_crash),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
