/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of distributed types and problems: accepted and refused texts, random types there and back, offsets
 * against a second implementation, equality of maps against comparing all devices, prime factors.
 */
#include <shardwalk/number.h>
#include <shardwalk/type.h>

#include "array/prime_parts.h"
#include "kit/draw.h"
#include "kit/problem.h"

static const char mesh_text[] = "{x: 4, y: 6, c: 2, \"odd name\": 1, z: 12}";

typedef struct accepted_row {
	const char *input;
	const char *printed;
} accepted_row;

static const accepted_row accepted[] = {
	{"[3{x}12, 2{y}12]", "f32[3{x}12, 2{y}12]"},
	{"[3{x}12,2{y}12]", "f32[3{x}12, 2{y}12]"},
	{" f64 [ 3 { \"x\" } 12 ,\n2{'y'}12 ] ", "f64[3{x}12, 2{y}12]"},
	{"[{x}12, 7]", "f32[3{x}12, 7]"},
	{"[{}12, 7{}7, 007]", "f32[12, 7, 7]"},
	{"\"[8{}8]\"", "f32[8]"},
	{"'f16[8{\"x\"}32]'", "f16[8{x}32]"},
	{"[]", "f32[]"},
	{"bf16[]", "bf16[]"},
	{"s32[1]", "i32[1]"},
	{"float8_e4m3fn[1]", "f8e4m3fn[1]"},
	{"bool[4{c:2}8]", "pred[4{c}8]"},
	{"[1{y,x}24]", "f32[1{y,x}24]"},
	{"[1{x,y}24]", "f32[1{x,y}24]"},
	{"[2{\"odd name\"}2, 5]", "f32[2{\"odd name\"}2, 5]"},
	{"[2{\"odd name\":(1)1}2]", "f32[2{\"odd name\"}2]"},
	{"[6{x:(1)2}12, 1{x:(2)2,y}12]", "f32[6{x:(1)2}12, 1{x:(2)2,y}12]"},
	{"[2{y:(2)3,y:(1)2}12]", "f32[2{y}12]"},
	{"[2{y:(3)2,y:(1)3}12]", "f32[2{y}12]"},
	{"[2{y:(1)3,y:(3)2}12]", "f32[2{y:(1)3,y:(3)2}12]"},
	{"[2{x:(1)4}8]", "f32[2{x}8]"},
	{"[1{z:(6)2,z:(2)3}6]", "f32[1{z:(2)6}6]"},
	{"[1{z:(6)2,x,z:(2)3,z:(1)2}48]", "f32[1{z:(6)2,x,z:(1)6}48]"},
	{"[1{z:(2)2}2, 1{z:(4)3}3]", "f32[1{z:(2)2}2, 1{z:(4)3}3]"},
	{"[9223372036854775807]", "f32[9223372036854775807]"},
	{"[2305843009213693951{x}9223372036854775804]", "f32[2305843009213693951{x}9223372036854775804]"},
	{"[3{x}12, 12]+{y}", "f32[3{x}12, 12]+{y}"},
	{"[12] +{ y , x }", "f32[12]+{x,y}"},
	{"[12]+{}", "f32[12]"},
	{"[]+{x}", "f32[]+{x}"},
	{"bf16[12]+{z,x:(1)2,c}", "bf16[12]+{x:(1)2,c,z}"},
	{"[12]+{z:(1)2,z:(6)2}", "f32[12]+{z:(6)2,z:(1)2}"},
	{"[12]+{z:(1)2,c,z:(2)3,z:(6)2}", "f32[12]+{c,z}"},
	{"[2{x:(2)2}4]+{x:(1)2}", "f32[2{x:(2)2}4]+{x:(1)2}"},
	{"[12]+{\"odd name\"}", "f32[12]+{\"odd name\"}"},
	{"\"[12]+{x}\"", "f32[12]+{x}"},
	{"[4, 12]{1,0}+{x}", "f32[4, 12]+{x}"},
	{"[4, 12]+{x}{1,0}", "f32[4, 12]+{x}"},
	{"[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1{c}2]+{x}", "f32[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1{c}2]+{x}"},
	{"[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "f32[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"},
};

static void accepted_texts(void **state)
{
	const accepted_row *row = *state;
	sw_mesh mesh = mesh_of(mesh_text);
	sw_text text = {0};
	sw_type type = type_of(&mesh, row->input);
	sw_text_clear(&text);
	sw_type_print(&mesh, &type, true, &text);
	assert_string_equal(sw_text_get(&text), row->printed);
	sw_type again = type_of(&mesh, sw_text_get(&text));
	assert_true(sw_type_equal(&type, &again));
	assert_true(sw_type_same_map(&mesh, &type, &again));
	sw_text_free(&text);
}

typedef struct refused_row {
	const char *input;
	sw_code code;
	size_t begin, end, also_begin, also_end;
	const char *hint; /* NULL: not looked at */
} refused_row;

static const refused_row refused[] = {
	{"", SW_T01, 0, 0, 0, 0, NULL},
	{" ", SW_T01, 1, 1, 0, 0, NULL},
	{"f32", SW_T01, 3, 3, 0, 0, NULL},
	{"3{x}12", SW_T07, 0, 1, 0, 0, NULL},
	{"f31[8]", SW_T07, 0, 3, 0, 0, "did you mean f32?"},
	{" flaot32[8]", SW_T07, 1, 8, 0, 0, NULL},
	{"[8", SW_L06, 0, 1, 0, 0, "add ]"},
	{"[8,", SW_L06, 0, 1, 0, 0, NULL},
	{"[", SW_L06, 0, 1, 0, 0, NULL},
	{"[3{x", SW_L06, 2, 3, 0, 0, "add }"},
	{"[3{", SW_L06, 2, 3, 0, 0, NULL},
	{"[3{x,", SW_L06, 2, 3, 0, 0, NULL},
	{"[3{x}", SW_L06, 0, 1, 0, 0, NULL},
	{"[3{x:(", SW_L06, 5, 6, 0, 0, "add )"},
	{"[3{x:(1", SW_L06, 5, 6, 0, 0, NULL},
	{"[3{x:(1)", SW_L06, 2, 3, 0, 0, NULL},
	{"[3{\"x}12]", SW_L06, 3, 4, 0, 0, NULL},
	{"\"[8]", SW_L06, 0, 1, 0, 0, NULL},
	{"[8]]", SW_L06, 3, 4, 0, 0, NULL},
	{"[8] 9", SW_T01, 4, 5, 0, 0, NULL},
	{"\"[8]\" x", SW_T01, 6, 7, 0, 0, NULL},
	{"[8,]", SW_T01, 3, 4, 0, 1, NULL},
	{"[8 9]", SW_T01, 3, 4, 0, 1, NULL},
	{"[3{x]12]", SW_T01, 4, 5, 2, 3, NULL},
	{"[3{x y}12]", SW_T01, 5, 6, 2, 3, NULL},
	{"[3{,x}12]", SW_T01, 3, 4, 2, 3, NULL},
	{"[3{x}, 4]", SW_T01, 5, 6, 2, 5, "write 3{x}12"},
	{"[{x}]", SW_T01, 4, 5, 1, 4, NULL},
	{"[3{2x}12]", SW_T01, 3, 5, 0, 0, NULL},
	{"[n]", SW_T01, 1, 2, 0, 1, NULL},
	{"[3{w}12]", SW_T02, 3, 4, 0, 0, "the mesh has the axes x, y, c, \"odd name\", z"},
	{"[3{X}12]", SW_T02, 3, 4, 0, 0, "did you mean x?"},
	{"[3{\"odd-name\"}12]", SW_T02, 3, 13, 0, 0, "did you mean \"odd name\"?"},
	{"[3{x}12, 3{x}12]", SW_T03, 11, 12, 3, 4, NULL},
	{"[3{\"x\",x}12]", SW_T03, 7, 8, 3, 6, NULL},
	{"[1{\"odd name\",\"odd name\"}1]", SW_T03, 14, 24, 3, 13, NULL},
	{"[6{x:(1)2}12, 3{x}12]", SW_T03, 16, 17, 3, 9, NULL},
	{"[{y:(1)2}12, {y:(3)2}12]", SW_T03, 14, 20, 2, 8, NULL},
	{"[{z:(2)2}12, {z:(3)2}12]", SW_T03, 14, 20, 2, 8, NULL},
	{"[3{x}13]", SW_T04, 1, 2, 5, 7,
		"write 3{x}12; XLA pads (4,4,4,1), DTensor chunks (the same), balanced systems hold 4,3,3,3: "
		"`explain 13 over 4` compares them, `by RULE` after the type chooses one, `set uneven pad` plans with padding"},
	{"[3{x}16]", SW_T04, 1, 2, 5, 7, "write 4{x}16, or leave the tile out: {x}16"},
	{"[{x}13]", SW_T04, 4, 6, 1, 4,
		"XLA pads (4,4,4,1), DTensor chunks (the same), balanced systems hold 4,3,3,3: "
		"`explain 13 over 4` compares them, `by RULE` after the type chooses one, `set uneven pad` plans with padding"},
	{"[{x}3]", SW_T04, 4, 5, 1, 4,
		"XLA pads (1,1,1,0), DTensor chunks (the same), balanced systems hold 1,1,1,0: "
		"`explain 3 over 4` compares them, `by RULE` after the type chooses one, `set uneven pad` plans with padding"},
	{"[{x}9223372036854775807]", SW_T04, 4, 23, 1, 4, NULL},
	{"[8{}9]", SW_T04, 1, 2, 4, 5, "write 8{}8 or 9{}9"},
	{"[9223372036854775807{x}12]", SW_T04, 1, 20, 23, 25, NULL},
	{"[0]", SW_T05, 1, 2, 0, 0, NULL},
	{"[-3]", SW_T05, 1, 3, 0, 0, NULL},
	{"[3{x}0]", SW_T05, 5, 6, 0, 0, NULL},
	{"[0{x}0]", SW_T05, 1, 2, 0, 0, NULL},
	{"[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1, 17]", SW_T06, 34, 36, 0, 0, NULL},
	{"[4{x:(1)3}12]", SW_T08, 3, 9, 0, 0, NULL},
	{"[4{x:(3)2}12]", SW_T08, 3, 9, 0, 0, NULL},
	{"[4{x:(4)2}12]", SW_T08, 3, 9, 0, 0, NULL},
	{"[4{x:(2)1}12]", SW_T08, 3, 9, 0, 0, NULL},
	{"[4{x:(0)2}12]", SW_T08, 6, 7, 0, 0, NULL},
	{"[4{x:(9223372036854775807)2}12]", SW_T08, 3, 27, 0, 0, NULL},
	{"[3{x:5}12]", SW_M03, 5, 6, 0, 0, NULL},
	{"[3{x:2}12]", SW_M03, 5, 6, 0, 0, "write the axis alone, or a part of it: 'x':(1)2"},
	{"[8{x}32]+{x}", SW_T11, 10, 11, 3, 4, NULL},
	{"[16]+{x,x}", SW_T11, 8, 9, 6, 7, NULL},
	{"[16]+{x:(1)2,x}", SW_T11, 13, 14, 6, 12, NULL},
	{"[16]+{q}", SW_T02, 6, 7, 0, 0, NULL},
	{"pred[8]+{x}", SW_T11, 7, 11, 0, 4, NULL},
	{"[16]+ {x}", SW_T01, 6, 7, 0, 0, NULL},
	{"[16]+x", SW_T01, 5, 6, 0, 0, NULL},
	{"[16]+{x", SW_L06, 5, 6, 0, 0, NULL},
	{"[16]+{x}+{y}", SW_T01, 8, 9, 0, 0, NULL},
	{"[16]+{x y}", SW_T01, 8, 9, 5, 6, NULL},
	{"[16]+{x:(1)3}", SW_T08, 6, 12, 0, 0, NULL},
	{"[4,4]{1,0}+{x}{1,0}", SW_T01, 14, 15, 0, 0, NULL},
	{"[4294967296, 4294967296]", SW_T10, 13, 23, 0, 0, NULL},
	{"[99999999999999999999]", SW_L12, 1, 21, 0, 0, NULL},
	{"[9223372036854775808]", SW_L12, 1, 20, 0, 0, NULL},
	{"[1e6]", SW_L11, 1, 4, 0, 0, NULL},
	{"[1.5]", SW_L11, 1, 4, 0, 0, NULL},
	{"[1_000]", SW_L11, 1, 6, 0, 0, NULL},
	{"[\x01]", SW_L10, 1, 2, 0, 0, NULL},
	{"[3{x\xff}12]", SW_L10, 4, 5, 0, 0, NULL},
	{"[3{\"\x1b[2J\"}12]", SW_L10, 4, 5, 0, 0, NULL},
	{"\x89PNG", SW_L10, 0, 1, 0, 0, NULL},
};

static void check_place(const char *input, const refused_row *row, const sw_diag *diag)
{
	if (diag->code != row->code)
		fail_msg("%s: %s: %s", input, sw_code_info_of(diag->code)->name, diag->message);
	if (diag->at.begin != row->begin || diag->at.end != row->end)
		fail_msg("%s: at %zu to %zu", input, diag->at.begin, diag->at.end);
	if (diag->also.begin != row->also_begin || diag->also.end != row->also_end)
		fail_msg("%s: also %zu to %zu", input, diag->also.begin, diag->also.end);
}

/* Is it printable, in lower case at its start, and without a full stop? */
static void check_words(const sw_diag *diag)
{
	const char *fields[] = {diag->message, diag->expected, diag->found, diag->hint, diag->also_label};
	for (int f = 0; f < 5; f++)
		for (const char *c = fields[f]; *c; c++)
			assert_true((unsigned char)*c >= ' ' && *c != 0x7F);
	assert_true(diag->message[0] && diag->expected[0] && diag->found[0]);
	assert_false(diag->message[0] >= 'A' && diag->message[0] <= 'Z');
	assert_int_not_equal(diag->message[strlen(diag->message) - 1], '.');
	assert_true((diag->also_label[0] != 0) == (diag->also.end > 0));
}

static void refused_texts(void **state)
{
	const refused_row *row = *state;
	sw_mesh mesh = mesh_of(mesh_text);
	sw_type type = {.rank = 77};
	sw_diag diag;
	if (sw_type_parse(&mesh, sw_str_of(row->input), &type, &diag))
		fail_msg("%s was accepted", row->input);
	check_place(row->input, row, &diag);
	check_words(&diag);
	if (row->hint)
		assert_string_equal(diag.hint, row->hint);
	assert_true((diag.rule != NULL) == (row->code == SW_T11 || (row->code == SW_T02 && strstr(row->input, "+{"))));
	assert_int_equal(type.rank, 77);
	assert_false(sw_type_parse(&mesh, sw_str_of(row->input), &type, NULL));
}

static void product_is_shown(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of(mesh_text);
	sw_type type;
	sw_diag diag;
	assert_false(sw_type_parse(&mesh, sw_str_of("[3{x}13]"), &type, &diag));
	assert_string_equal(diag.expected, "3 * 4 = 12");
	assert_string_equal(diag.found, "13");
	assert_false(sw_type_parse(&mesh, sw_str_of("[3{x,y:(1)2}13]"), &type, &diag));
	assert_string_equal(diag.expected, "3 * 4 * 2 = 24");
}

/* The examples of `explain`: wrong lines are refused with the code, all others accepted. */

static sw_code run_example_line(const char *line, sw_mesh *mesh)
{
	const char *comment = strstr(line, " #");
	sw_str text = {line, comment ? (size_t)(comment - line) : strlen(line)};
	sw_diag diag = {0};
	sw_type type;
	sw_problem problem;
	const char *equals = strchr(line, '=');
	if (strncmp(line, "mesh ", 5) == 0)
		sw_mesh_parse((sw_str){text.at + 5, text.length - 5}, mesh, &diag);
	else if (strncmp(line, "type A = ", 9) == 0)
		sw_type_parse(mesh, (sw_str){equals + 1, text.length - (size_t)(equals + 1 - line)}, &type, &diag);
	else if (strncmp(line, "redistribute ", 13) == 0)
		sw_problem_parse(mesh, (sw_str){text.at + 13, text.length - 13}, &problem, &diag);
	else
		fail_msg("%s: no statement that this test knows", line);
	return diag.code;
}

static void explained_examples_hold(void **state)
{
	(void)state;
	static const sw_code others[] = {SW_L02, SW_L06, SW_L11, SW_L12};
	for (int code = SW_OK + 1; code < SW_CODE_COUNT; code++) {
		const sw_code_info *info = sw_code_info_of((sw_code)code);
		bool tested = (code >= SW_M01 && code <= SW_T11);
		for (size_t i = 0; i < 4; i++)
			tested = tested || others[i] == (sw_code)code;
		if (!tested)
			continue;
		char copy[1024], *rest = copy;
		sw_mesh mesh = mesh_of("{x: 4}");
		assert_true(strlen(info->example) < sizeof(copy));
		strcpy(copy, info->example);
		for (char *line = strtok_r(rest, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
			int wanted = strstr(line, "# wrong") ? code : SW_OK;
			if ((int)run_example_line(line, &mesh) != wanted)
				fail_msg("%s: %s", info->name, line);
		}
	}
}

/* Element types. */

static void element_types(void **state)
{
	(void)state;
	sw_dtype dtype = SW_PRED;
	sw_diag diag;
	for (int i = 0; i < SW_DTYPE_COUNT; i++) {
		assert_true(sw_dtype_parse(sw_str_of(sw_dtype_name((sw_dtype)i)), &dtype, NULL));
		assert_int_equal(dtype, i);
	}
	assert_true(sw_dtype_parse(sw_str_of("complex128"), &dtype, NULL) && sw_dtype_bytes(dtype) == 16);
	assert_true(sw_dtype_parse(sw_str_of("half"), &dtype, NULL) && dtype == SW_F16);
	assert_true(sw_dtype_parse(sw_str_of("long"), &dtype, NULL) && dtype == SW_I64);
	assert_false(sw_dtype_parse(sw_str_of(""), &dtype, &diag));
	assert_false(sw_dtype_parse(sw_str_of("s64 int64"), &dtype, &diag));
	assert_false(sw_dtype_parse(sw_str_of("bf61"), &dtype, &diag));
	assert_string_equal(diag.hint, "did you mean bf16?");
	assert_int_equal(dtype, SW_I64);
	sw_mesh mesh = mesh_of("{x: 2}");
	assert_false(type_of(&mesh, "[8]").dtype_given);
	assert_true(type_of(&mesh, "f32[8]").dtype_given);
}

/* Sizes. */

static void sizes_and_copies(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 4, y: 6}");
	sw_type type = type_of(&mesh, "[3{x}12, 6{y:(1)2}12, 5]");
	assert_int_equal(sw_type_localsize(&type), 90);
	assert_int_equal(sw_type_globalsize(&type), 720);
	assert_int_equal(sw_type_tiles(&type), 8);
	assert_int_equal(sw_type_copies(&mesh, &type), 3);
	sw_type scalar = type_of(&mesh, "[]");
	assert_int_equal(sw_type_localsize(&scalar), 1);
	assert_int_equal(sw_type_copies(&mesh, &scalar), 24);
	sw_text text = {0};
	sw_type_print_tile(type.tile, type.rank, &text);
	assert_string_equal(sw_text_get(&text), "[3, 6, 5]");
	sw_text_free(&text);
}

/* Random types. */

static sw_mesh draw_mesh(draw *random)
{
	static const int sizes[] = {1, 2, 2, 3, 4, 6, 8, 12};
	sw_mesh mesh = {0};
	for (int axes = 1 + draw_below(random, 4); axes > 0; axes--) {
		char name[2] = {(char)('a' + axes), 0};
		assert_true(sw_mesh_add(&mesh, sw_str_of(name), sizes[draw_below(random, 8)], NULL));
	}
	return mesh;
}

/* Cuts every axis into parts at random; how many there are. */
static int cut_axes(draw *random, const sw_mesh *mesh, sw_part *parts)
{
	int count = 0;
	for (int a = 0; a < mesh->count; a++) {
		int64_t size = mesh->axis[a].size, pre = 1;
		if (size == 1)
			parts[count++] = (sw_part){a, 1, 1};
		while (pre < size) {
			int64_t part = 2 + draw_below(random, (int)(size / pre) - 1);
			if ((size / pre) % part != 0)
				continue;
			parts[count++] = (sw_part){a, pre, part};
			pre *= part;
		}
	}
	return count;
}

static sw_type draw_any_type(draw *random, const sw_mesh *mesh)
{
	sw_part parts[SW_MAX_PARTS], used[SW_MAX_PARTS];
	int64_t global[SW_MAX_DIMS];
	int count[SW_MAX_DIMS] = {0}, total = cut_axes(random, mesh, parts), rank = draw_below(random, 4), length = 0;
	sw_type type;
	for (int d = 0; d < rank; d++) {
		global[d] = 1 + draw_below(random, 5);
		for (int picks = draw_below(random, 4); picks > 0 && total > 0; picks--) {
			int pick = draw_below(random, total);
			used[length++] = parts[pick];
			parts[pick] = parts[--total];
			count[d]++;
			global[d] *= used[length - 1].size;
		}
	}
	assert_true(sw_type_replicated((sw_dtype)draw_below(random, SW_DTYPE_COUNT), rank, global, &type, NULL));
	assert_true(sw_type_partition(mesh, &type, count, used, NULL));
	while (total > 0 && draw_below(random, 2))
		total--;
	if (type.dtype != SW_PRED)
		assert_true(sw_type_set_sums(mesh, &type, parts, total, NULL));
	return type;
}

static void random_types_round_trip(void **state)
{
	(void)state;
	draw random = draw_start("types");
	sw_text text = {0}, second = {0};
	for (int round = 0; round < 5000; round++) {
		sw_mesh mesh = draw_mesh(&random);
		sw_type type = draw_any_type(&random, &mesh);
		sw_text_clear(&text);
		sw_text_clear(&second);
		sw_type_print(&mesh, &type, true, &text);
		sw_type again = type_of(&mesh, sw_text_get(&text));
		if (!sw_type_equal(&type, &again))
			fail_msg("%s reads back as another type", sw_text_get(&text));
		sw_type_print(&mesh, &again, true, &second);
		assert_string_equal(sw_text_get(&text), sw_text_get(&second));
	}
	sw_text_free(&text);
	sw_text_free(&second);
}

/* The definition, written once more: D[c](i) = 0, D[c{x, rest}n](i) = c * i_x + D[(c * size(x)){rest}n](i). */
static int64_t defined_offset(const sw_mesh *mesh, const sw_part *part, int parts, int64_t tile, int64_t device)
{
	if (parts == 0)
		return 0;
	int64_t below = mesh->axis[part->axis].size / (part->pre * part->size);
	int64_t coordinate = sw_mesh_coordinate(mesh, device, part->axis);
	return tile * (coordinate / below % part->size) +
		defined_offset(mesh, part + 1, parts - 1, tile * part->size, device);
}

static void offsets_follow_the_definition(void **state)
{
	(void)state;
	draw random = draw_start("offsets");
	for (int round = 0; round < 1000; round++) {
		sw_mesh mesh = draw_mesh(&random);
		sw_type type = draw_any_type(&random, &mesh);
		for (int64_t device = 0; device < mesh.devices; device += 1 + draw_below(&random, 9)) {
			int64_t offset[SW_MAX_DIMS];
			sw_type_offset(&mesh, &type, device, offset);
			for (int d = 0; d < type.rank; d++) {
				sw_part parts[SW_MAX_PARTS];
				int count = sw_type_parts(&type, d, parts);
				assert_int_equal(offset[d], defined_offset(&mesh, parts, count, type.tile[d], device));
			}
		}
	}
}

static void known_offsets(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 2, y: 2}");
	sw_type minor_x = type_of(&mesh, "[1{x,y}4]"), minor_y = type_of(&mesh, "[1{y,x}4]");
	static const int64_t right[2][4] = {{0, 2, 1, 3}, {0, 1, 2, 3}};
	for (int device = 0; device < 4; device++) {
		int64_t offset;
		sw_type_offset(&mesh, &minor_x, device, &offset);
		assert_int_equal(offset, right[0][device]);
		sw_type_offset(&mesh, &minor_y, device, &offset);
		assert_int_equal(offset, right[1][device]);
	}
}

/* The first of the devices that hold the terms of one value with this one. */
static int64_t first_term(const sw_mesh *mesh, const sw_type *type, int64_t device)
{
	sw_part sums[SW_MAX_PARTS];
	int count = sw_type_sums(type, sums);
	int64_t first = device;
	for (int i = 0; i < count; i++) {
		const sw_axis *axis = &mesh->axis[sums[i].axis];
		int64_t stride = axis->stride * (axis->size / (sums[i].pre * sums[i].size));
		first -= device / stride % sums[i].size * stride;
	}
	return first;
}

static bool same_sums(const sw_mesh *mesh, const sw_type *a, const sw_type *b)
{
	for (int64_t device = 0; device < mesh->devices; device++)
		if (first_term(mesh, a, device) != first_term(mesh, b, device))
			return false;
	return true;
}

static bool same_offsets(const sw_mesh *mesh, const sw_type *a, const sw_type *b)
{
	for (int64_t device = 0; device < mesh->devices; device++) {
		int64_t left[SW_MAX_DIMS], right[SW_MAX_DIMS];
		sw_type_offset(mesh, a, device, left);
		sw_type_offset(mesh, b, device, right);
		if (memcmp(left, right, sizeof(*left) * (size_t)a->rank) != 0)
			return false;
	}
	return true;
}

static bool same_sizes(const sw_type *a, const sw_type *b)
{
	size_t bytes = sizeof(*a->tile) * (size_t)a->rank;
	return a->rank == b->rank && !memcmp(a->tile, b->tile, bytes) && !memcmp(a->global, b->global, bytes);
}

/* The same global sizes and other parts, or the same in another order. */
static bool draw_variant(draw *random, const sw_mesh *mesh, const sw_type *type, sw_type *out)
{
	sw_part parts[SW_MAX_PARTS], used[SW_MAX_PARTS];
	int count[SW_MAX_DIMS] = {0}, total = cut_axes(random, mesh, parts), length = 0;
	*out = *type;
	for (int d = 0; d < type->rank; d++) {
		int64_t left = type->global[d] / type->tile[d];
		for (int tries = 0; left > 1 && tries < 20 && total > 0; tries++) {
			int pick = draw_below(random, total);
			if (left % parts[pick].size != 0)
				continue;
			left /= parts[pick].size;
			used[length++] = parts[pick];
			parts[pick] = parts[--total];
			count[d]++;
		}
	}
	return sw_type_partition(mesh, out, count, used, NULL);
}

static void same_map_is_equal_offsets(void **state)
{
	(void)state;
	draw random = draw_start("same map");
	int same = 0, written_otherwise = 0;
	for (int round = 0; round < 6000; round++) {
		sw_mesh mesh = draw_mesh(&random);
		sw_type a = draw_any_type(&random, &mesh), b;
		if (mesh.devices > 300 || !draw_variant(&random, &mesh, &a, &b))
			continue;
		bool right = same_sizes(&a, &b) && same_offsets(&mesh, &a, &b) && same_sums(&mesh, &a, &b);
		if (sw_type_same_map(&mesh, &a, &b) != right)
			fail_msg("round %d: %d is wrong", round, !right);
		same += right && a.first[a.rank] > 0;
		written_otherwise += right && !sw_type_equal(&a, &b) && a.dtype == b.dtype;
	}
	assert_true(same > 50 && written_otherwise > 5);
}

/* Sums. */

static void sums_are_counted(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 4, y: 6, z: 2}");
	sw_type type = type_of(&mesh, "[3{x}12]+{z,y:(3)2}"), whole = type_of(&mesh, "[12]");
	sw_part sums[SW_MAX_PARTS];
	bool seen[4] = {false};
	assert_int_equal(sw_type_sums(&type, sums), 2);
	assert_int_equal(sums[0].axis, 1);
	assert_int_equal(sums[1].axis, 2);
	assert_int_equal(sw_type_terms(&type), 4);
	assert_int_equal(sw_type_terms(&whole), 1);
	assert_int_equal(sw_type_tiles(&type), 4);
	assert_int_equal(sw_type_copies(&mesh, &type), 3);
	for (int64_t device = 0; device < mesh.devices; device++) {
		int64_t y = device / 2 % 6, z = device % 2, term = sw_type_term(&mesh, &type, device);
		assert_int_equal(term, y % 2 + 2 * z);
		assert_int_equal(sw_type_term(&mesh, &whole, device), 0);
		seen[term] = true;
	}
	assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
}

static void sums_are_set(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 4, y: 6}");
	sw_type type = type_of(&mesh, "f32[3{x}12, 4]"), right = type_of(&mesh, "f32[3{x}12, 4]+{y}"), before = type;
	sw_type truth = type_of(&mesh, "pred[8]");
	sw_diag diag;
	assert_false(sw_type_set_sums(&mesh, &type, (sw_part[]){{0, 1, 4}}, 1, &diag));
	assert_int_equal(diag.code, SW_T11);
	assert_false(sw_type_set_sums(&mesh, &type, (sw_part[]){{1, 1, 6}, {1, 1, 2}}, 2, &diag));
	assert_int_equal(diag.code, SW_T11);
	assert_false(sw_type_set_sums(&mesh, &type, (sw_part[]){{1, 1, 4}}, 1, &diag));
	assert_int_equal(diag.code, SW_T08);
	assert_false(sw_type_set_sums(&mesh, &truth, (sw_part[]){{1, 1, 6}}, 1, &diag));
	assert_int_equal(diag.code, SW_T11);
	assert_true(sw_type_equal(&type, &before));
	assert_true(sw_type_set_sums(&mesh, &type, (sw_part[]){{1, 1, 2}, {1, 2, 3}}, 2, &diag));
	assert_true(sw_type_equal(&type, &right) && !sw_type_equal(&type, &before));
	assert_false(sw_type_same_map(&mesh, &type, &before));
	assert_true(sw_type_redistributable(&type, &before, &diag));
	assert_false(sw_type_partition(&mesh, &type, (int[]){0, 1}, (sw_part[]){{1, 1, 2}}, &diag));
	assert_int_equal(diag.code, SW_T11);
	assert_true(sw_type_partition(&mesh, &type, (int[]){0, 1}, (sw_part[]){{0, 1, 4}}, &diag));
	assert_int_equal(sw_type_terms(&type), 6);
	type.dtype = SW_PRED;
	before.dtype = SW_PRED;
	assert_false(sw_type_redistributable(&type, &before, &diag));
	assert_int_equal(diag.code, SW_T11);
}

static void same_map_on_large_meshes(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{a: 1048576, b: 1048576, one: 1}");
	sw_type whole = type_of(&mesh, "[1{b,a}1099511627776]");
	sw_type other = type_of(&mesh, "[1{b,one,a}1099511627776]");
	sw_type turned = type_of(&mesh, "[1{a,b}1099511627776]");
	assert_true(sw_type_same_map(&mesh, &whole, &other));
	assert_false(sw_type_equal(&whole, &other));
	assert_false(sw_type_same_map(&mesh, &whole, &turned));
}

/* Building. */

static void building_refuses(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 4, y: 6}");
	sw_type type;
	sw_diag diag;
	int64_t sizes[SW_MAX_DIMS + 1] = {12, 12};
	assert_false(sw_type_replicated(SW_F32, 3, sizes, &type, &diag));
	assert_int_equal(diag.code, SW_T05);
	assert_false(sw_type_replicated(SW_F32, 17, sizes, &type, &diag));
	assert_int_equal(diag.code, SW_T06);
	assert_false(sw_type_replicated(SW_F32, 2, (int64_t[]){INT64_MAX, 2}, &type, &diag));
	assert_int_equal(diag.code, SW_T10);
	assert_true(sw_type_replicated(SW_F32, 2, sizes, &type, &diag));
	sw_type before = type;
	assert_false(sw_type_partition(&mesh, &type, (int[]){1, 1}, (sw_part[]){{0, 1, 4}, {0, 1, 2}}, &diag));
	assert_int_equal(diag.code, SW_T03);
	assert_false(sw_type_partition(&mesh, &type, (int[]){2, 0}, (sw_part[]){{0, 1, 4}, {1, 1, 6}}, &diag));
	assert_int_equal(diag.code, SW_T04);
	assert_false(sw_type_partition(&mesh, &type, (int[]){1, 0}, (sw_part[]){{0, 1, 3}}, &diag));
	assert_int_equal(diag.code, SW_T08);
	assert_true(sw_type_equal(&type, &before));
}

/* Factors. */

static void factors_of_axes(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{x: 12, one: 1, y: 2}");
	sw_prime_parts factors;
	sw_prime_parts_default(&mesh, &factors);
	static const sw_prime_part right[] = {{0, 2, 1, 12}, {0, 2, 2, 6}, {0, 3, 4, 2}, {2, 2, 1, 1}};
	assert_int_equal(factors.count, 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(factors.at[i].axis, right[i].axis);
		assert_int_equal(factors.at[i].prime, right[i].prime);
		assert_int_equal(factors.at[i].pre, right[i].pre);
		assert_int_equal(factors.at[i].stride, right[i].stride);
	}
	assert_true(sw_prime_parts_ordered(&mesh, (int64_t[]){3, 2, 2, 2}, &factors));
	assert_int_equal(factors.at[1].pre, 3);
	assert_int_equal(factors.at[0].stride, 8);
	assert_false(sw_prime_parts_ordered(&mesh, (int64_t[]){3, 3, 2, 2}, &factors));
	assert_false(sw_prime_parts_ordered(&mesh, (int64_t[]){1, 3, 2, 2}, &factors));
}

static void factors_that_cannot_express(void **state)
{
	(void)state;
	sw_mesh mesh = mesh_of("{y: 6}");
	sw_type low = type_of(&mesh, "[1{y:(2)3}3]"), high = type_of(&mesh, "[1{y:(3)2}2]");
	sw_prime_parts two_three, three_two;
	uint8_t order[SW_MAX_FACTORS];
	int first[SW_MAX_DIMS + 1];
	sw_prime_parts_default(&mesh, &two_three);
	assert_true(sw_prime_parts_ordered(&mesh, (int64_t[]){3, 2}, &three_two));
	assert_true(sw_prime_parts_split(&mesh, &two_three, &low, order, first) && order[0] == 1 && first[1] == 1);
	assert_false(sw_prime_parts_split(&mesh, &three_two, &low, order, first));
	assert_false(sw_prime_parts_split(&mesh, &two_three, &high, order, first));
	assert_true(sw_prime_parts_split(&mesh, &three_two, &high, order, first));
}

static void drop_small_axes(const sw_mesh *mesh, sw_type *type)
{
	sw_part parts[SW_MAX_PARTS];
	int count[SW_MAX_DIMS] = {0}, length = 0;
	for (int d = 0; d < type->rank; d++)
		for (int p = type->first[d]; p < type->first[d + 1]; p++)
			if (sw_type_part(type, p).size > 1) {
				parts[length++] = sw_type_part(type, p);
				count[d]++;
			}
	assert_true(sw_type_partition(mesh, type, count, parts, NULL));
}

static void split_and_join_are_inverse(void **state)
{
	(void)state;
	draw random = draw_start("factors");
	int joined = 0;
	for (int round = 0; round < 5000; round++) {
		sw_mesh mesh = draw_mesh(&random);
		sw_type type = draw_any_type(&random, &mesh), again;
		sw_prime_parts factors;
		uint8_t order[SW_MAX_FACTORS];
		int first[SW_MAX_DIMS + 1];
		sw_prime_parts_default(&mesh, &factors);
		assert_true(sw_type_set_sums(&mesh, &type, NULL, 0, NULL));
		if (!sw_prime_parts_split(&mesh, &factors, &type, order, first))
			continue;
		int64_t tiles = 1;
		for (int i = 0; i < first[type.rank]; i++)
			tiles *= factors.at[order[i]].prime;
		assert_int_equal(tiles, sw_type_tiles(&type));
		sw_prime_parts_join(&mesh, &factors, &type, order, first, &again);
		assert_true(sw_type_same_map(&mesh, &type, &again));
		drop_small_axes(&mesh, &type);
		assert_true(sw_type_equal(&type, &again));
		joined++;
	}
	assert_true(joined > 2000);
}

/* Parts in few bytes. */

/* Parts of an axis that has `left` devices at the most, some with room between them; what is left for others. */
static int64_t draw_chain(draw *random, int axis, int64_t left, bool all, sw_part *parts, int *count)
{
	int64_t pre = 1;
	while (left > 1 && (all || draw_below(random, 8))) {
		int64_t most = all ? 2 : left >> draw_below(random, 40), size = most < 2 ? 2 : most - most / 3 * (most > 9);
		if (!all && left > 2 * size && draw_below(random, 3) == 0) {
			pre *= 2;
			left /= 2;
		}
		parts[(*count)++] = (sw_part){axis, pre, size};
		pre *= size;
		left /= size;
	}
	return left;
}

/* Parts of a mesh that is as large as can be, in any order. */
static int draw_many_parts(draw *random, sw_part parts[SW_MAX_PARTS])
{
	int64_t left = SW_MAX_DEVICES;
	bool all = draw_below(random, 4) == 0;
	int count = 0, axes = all ? 1 : 1 + draw_below(random, 20);
	for (int axis = 0; axis < axes; axis++)
		left = draw_chain(random, axis, left, all, parts, &count);
	for (int axis = axes, end = all ? 64 : axes + draw_below(random, 64 - axes + 1); axis < end; axis++)
		parts[count++] = (sw_part){axis, 1, 1};
	for (int k = count - 1; k > 0; k--) {
		int j = draw_below(random, k + 1);
		sw_part part = parts[k];
		parts[k] = parts[j];
		parts[j] = part;
	}
	return count;
}

static void check_parts(const sw_type *type, const sw_part *parts, const int *count)
{
	int at = 0;
	for (int d = 0; d < type->rank; d++) {
		sw_part got[SW_MAX_PARTS];
		int64_t cuts = 1;
		assert_int_equal(sw_type_parts(type, d, got), count[d]);
		for (int p = 0; p < count[d]; p++, at++) {
			sw_part one = sw_type_part(type, at);
			assert_int_equal(one.axis, parts[at].axis);
			assert_int_equal(one.pre, parts[at].pre);
			assert_int_equal(one.size, parts[at].size);
			assert_int_equal(got[p].axis, one.axis);
			assert_int_equal(got[p].pre, one.pre);
			assert_int_equal(got[p].size, one.size);
			cuts *= one.size;
		}
		assert_int_equal(sw_type_cuts(type, d), cuts);
	}
}

static void parts_are_kept(void **state)
{
	(void)state;
	draw random = draw_start("packed parts");
	int64_t global[SW_MAX_DIMS];
	for (int d = 0; d < SW_MAX_DIMS; d++)
		global[d] = 1;
	for (int round = 0; round < 5000; round++) {
		sw_part parts[SW_MAX_PARTS];
		sw_type type, again;
		int rank = 1 + draw_below(&random, SW_MAX_DIMS), all = draw_many_parts(&random, parts),
			count[SW_MAX_DIMS] = {0};
		assert_true(sw_type_replicated(SW_F32, rank, global, &type, NULL));
		for (int p = 0; p < all; p++)
			count[draw_below(&random, rank)]++;
		for (int d = rank - 1, at = all; d >= 0; d--)
			sw_type_put(&type, d, parts + (at -= count[d]), count[d]);
		check_parts(&type, parts, count);
		again = type;
		for (int d = 0, at = 0; d < rank; at += count[d++]) {
			sw_type_put(&again, d, NULL, 0);
			assert_true(sw_type_equal(&type, &again) == (count[d] == 0));
			sw_type_put(&again, d, parts + at, count[d]);
			assert_true(sw_type_equal(&type, &again));
		}
	}
}

/* Problems. */

typedef struct problem_row {
	const char *input;
	const char *from;
	const char *to;
} problem_row;

static const problem_row problems[] = {
	{"[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", "f32[3{x}12, 2{y}12]", "f32[2{y}12, 3{x}12]"},
	{"[8]->[8]", "f32[8]", "f32[8]"},
	{"[8]+{x} ~> [2{x}8]", "f32[8]+{x}", "f32[2{x}8]"},
	{"[8] +{x} -> bf16[8] +{y}", "bf16[8]+{x}", "bf16[8]+{y}"},
	{"bf16[8] ~> [2{x}8]", "bf16[8]", "bf16[2{x}8]"},
	{" [8] -> i8[2{x}8] ", "i8[8]", "i8[2{x}8]"},
	{"\"[8]\" ~> \"[2{x}8]\"", "f32[8]", "f32[2{x}8]"},
	{"f32[] ~> []", "f32[]", "f32[]"},
	{"[2{\"~>\"}2] ~> [2]", "f32[2{\"~>\"}2]", "f32[2]"},
};

static const refused_row refused_problems[] = {
	{"", SW_L02, 0, 0, 0, 0, NULL},
	{"[8] [8]", SW_L02, 0, 7, 0, 0, NULL},
	{"[8] ~> ", SW_T01, 4, 6, 0, 0, NULL},
	{"~> [8]", SW_T01, 0, 2, 0, 0, NULL},
	{"[8] ~> [8] ~> [8]", SW_T01, 11, 12, 0, 0, NULL},
	{"[8 ~> [8]", SW_L06, 0, 1, 0, 0, NULL},
	{"[8] ~> [8", SW_L06, 7, 8, 0, 0, NULL},
	{"[8] ~> f31[8]", SW_T07, 7, 10, 0, 0, NULL},
	{"[8] ~> pred[8]+{x}", SW_T11, 14, 18, 7, 11, NULL},
	{"[8]+{x} ~> pred[8]", SW_T11, 0, 7, 0, 0, NULL},
	{"[8] ~> [2{x}8, {x}8]", SW_T03, 16, 17, 10, 11, NULL},
	{"[12, 3{x}12] ~> [12, 4{x}16]", SW_T09, 25, 27, 9, 11, NULL},
	{" [12] ~> [12, 1] ", SW_T09, 9, 16, 1, 5, NULL},
	{"f32[12] ~> f16[12]", SW_T09, 11, 14, 0, 3, NULL},
};

static void problems_are_read(void **state)
{
	const problem_row *row = *state;
	sw_mesh mesh = mesh_of("{x: 4, y: 6, \"~>\": 1}");
	sw_text text = {0};
	sw_problem problem;
	sw_diag diag;
	if (!sw_problem_parse(&mesh, sw_str_of(row->input), &problem, &diag))
		fail_msg("%s: %s", row->input, diag.message);
	assert_true(sw_mesh_equal(&problem.mesh, &mesh));
	assert_true(sw_type_redistributable(&problem.from, &problem.to, NULL));
	sw_text_clear(&text);
	sw_type_print(&mesh, &problem.from, true, &text);
	assert_string_equal(sw_text_get(&text), row->from);
	sw_text_clear(&text);
	sw_type_print(&mesh, &problem.to, true, &text);
	assert_string_equal(sw_text_get(&text), row->to);
	sw_text_free(&text);
}

static void problems_are_refused(void **state)
{
	const refused_row *row = *state;
	sw_mesh mesh = mesh_of("{x: 4, y: 6}");
	sw_problem problem;
	sw_diag diag;
	if (sw_problem_parse(&mesh, sw_str_of(row->input), &problem, &diag))
		fail_msg("%s was accepted", row->input);
	check_place(row->input, row, &diag);
	check_words(&diag);
	assert_false(sw_problem_parse(&mesh, sw_str_of(row->input), &problem, NULL));
}

/* Broken and enormous texts. */

static void check_broken(const sw_mesh *mesh, const char *text, size_t length)
{
	char *exact = malloc(length ? length : 1); /* the sanitizer sees a byte read beyond it */
	memcpy(exact, text, length);
	sw_problem problem;
	sw_diag diag = {0};
	if (!sw_problem_parse(mesh, (sw_str){exact, length}, &problem, &diag)) {
		check_words(&diag);
		assert_true(diag.at.begin <= diag.at.end && diag.at.end <= length && diag.also.end <= length);
	}
	free(exact);
}

static void broken_texts_never_crash(void **state)
{
	(void)state;
	draw random = draw_start("broken types");
	static const char pieces[] = "{}[]():,\"'~>- xyz0126f\t\x01\xc3\xa4\xff";
	sw_mesh mesh = mesh_of(mesh_text);
	for (int round = 0; round < 40000; round++) {
		char text[80];
		const char *start = problems[draw_below(&random, 5)].input;
		size_t length = round % 3 ? strlen(start) : (size_t)draw_below(&random, 80);
		for (size_t i = 0; i < length; i++)
			text[i] = round % 3 ? start[i] : pieces[draw_below(&random, sizeof(pieces))];
		for (int edits = draw_below(&random, 4); length && edits > 0; edits--)
			text[draw_below(&random, (int)length)] = pieces[draw_below(&random, sizeof(pieces))];
		check_broken(&mesh, text, length);
	}
}

/* Each byte is read a few times, not once for each other one: that would take hours, and the runner ends it. */
static void megabytes_are_read(void **state)
{
	(void)state;
	static const char *const repeated[] = {"[", "{", "1,", "\"", "'", "x", "9", " ", "[1,", "[{x,", "~>", "[1{",
		"\x80", "\xc3\xa4", "\"'", "[{\"", "(-"};
	static const char *const before[] = {"", "[", "[{", "[{x:(", "[8] ~> [8", "[3{\"", "{x: 1 @ "};
	size_t length = 1 << 20;
	char *text = malloc(length);
	sw_mesh mesh = mesh_of(mesh_text), other;
	for (size_t b = 0; b < sizeof(before) / sizeof(*before); b++)
		for (size_t r = 0; r < sizeof(repeated) / sizeof(*repeated); r++) {
			size_t start = strlen(before[b]), step = strlen(repeated[r]);
			for (size_t i = 0; i < length; i++)
				text[i] = i < start ? before[b][i] : repeated[r][(i - start) % step];
			sw_problem problem;
			sw_diag diag;
			assert_false(sw_problem_parse(&mesh, (sw_str){text, length}, &problem, &diag));
			check_words(&diag);
			assert_false(sw_mesh_parse((sw_str){text, length}, &other, &diag));
			check_words(&diag);
		}
	free(text);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(accepted_texts, accepted, input),
		ROWS(refused_texts, refused, input),
		TEST(product_is_shown),
		TEST(explained_examples_hold),
		TEST(element_types),
		TEST(sizes_and_copies),
		TEST(random_types_round_trip),
		TEST(offsets_follow_the_definition),
		TEST(known_offsets),
		TEST(same_map_is_equal_offsets),
		TEST(sums_are_counted),
		TEST(sums_are_set),
		TEST(same_map_on_large_meshes),
		TEST(building_refuses),
		TEST(factors_of_axes),
		TEST(factors_that_cannot_express),
		TEST(split_and_join_are_inverse),
		TEST(parts_are_kept),
		ROWS(problems_are_read, problems, input),
		ROWS(problems_are_refused, refused_problems, input),
		TEST(broken_texts_never_crash),
		TEST(megabytes_are_read),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
