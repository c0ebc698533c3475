/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of logs: what a person sees of them; warnings in all their wordings, wrapped, coloured and quoted; global shapes; pairs that are equal; what is
 * refused, why and where; and texts changed at random.
 */
#include <shardwalk/log.h>

#include "foreign/log/parts.h"

#include "kit/arena.h"
#include "kit/draw.h"
#include "kit/mutate.h"
#include "kit/cases.h"
#include "kit/kit.h"

#define A "{devices=[2,1,4]<=[4,2]T(1,0)}"
#define B "{devices=[1,8,1]<=[8]}"
#define WARNS "[SPMD] Involuntary full rematerialization. "
#define RESORT \
	" As the last resort, SPMD will replicate the tensor and then partition it to obtain the target sharding, which is inefficient."
#define ENRICH " You probably want to enrich the sharding annotations to prevent this from happening."
#define VALUE \
	"%copy.3 = f32[8,16,4]{2,1,0} copy(f32[8,16,4]{2,1,0} %param), sharding=" A ", metadata={op_name=\"jit(f)/add\"}."
#define NEW WARNS "The compiler cannot go from sharding " A " to " B " efficiently for HLO operation " VALUE RESORT
#define OLD \
	WARNS "The compiler was not able to go from sharding " A " to " B \
		  " without doing a full rematerialization of the tensor"

static sw_log read_text(const char *text, const sw_log_options *options)
{
	sw_log log;
	sw_diag diag = {.code = SW_OK};
	if (!sw_log_read(sw_str_of(text), options, arena, &log, &diag))
		fail_msg("%.60s: %s", text, diag.message);
	return log;
}

static void expect_shape(const sw_log_pair *pair, const char *expected)
{
	sw_text text = {0};
	if (!pair->problem)
		fail_msg("%s -> %s: %s", pair->from, pair->to, pair->why->message);
	const sw_type *type = &pair->problem->from;
	sw_text_add(&text, sw_dtype_name(type->dtype));
	sw_type_print_tile(type->global, type->rank, &text);
	assert_string_equal(sw_text_get(&text), expected);
	sw_text_free(&text);
}

static void expect_problem(const sw_log_pair *pair, const char *mesh, const char *from, const char *to)
{
	sw_text text = {0};
	if (!pair->problem)
		fail_msg("%s -> %s: %s", pair->from, pair->to, pair->why->message);
	const sw_problem made = sw_log_problem_of(pair), *problem = &made;
	sw_mesh_print(&problem->mesh, &text);
	assert_string_equal(sw_text_get(&text), mesh);
	sw_text_clear(&text);
	sw_type_print(&problem->mesh, &problem->from, true, &text);
	assert_string_equal(sw_text_get(&text), from);
	sw_text_clear(&text);
	sw_type_print(&problem->mesh, &problem->to, true, &text);
	assert_string_equal(sw_text_get(&text), to);
	sw_text_free(&text);
}

/* ---- wordings ---- */

static const struct wording {
	const char *text;
	const char *name, *op, *shape; /* as printed; NULL: not said */
} wordings[] = {
	{"W1121 00:29:03.404363   11824 spmd_partitioner.cc:656] " NEW, "copy.3", "copy", "f32[8,16,4]"},
	{"2024-12-21 17:32:07.609345: E external/xla/xla/service/spmd/spmd_partitioner.cc:613] " OLD
	 " for HLO operation: " VALUE ENRICH,
		"copy.3", "copy", "f32[8,16,4]"},
	{"E0531 10:54:04.832741 2609008 spmd_partitioner.cc:569] " OLD "." ENRICH, NULL, NULL, NULL},
	{WARNS "The compiled was not able to go from sharding " A " to " B
		   " without doing a full rematerialization of the tensor." ENRICH,
		NULL, NULL, NULL},
	{"Involuntary full rematerialization ... sharding " A "\nto " B " ... \"enrich the sharding annotations\"", NULL,
		NULL, NULL},
	{WARNS "sharding `" A "` to `" B "`", NULL, NULL, NULL},
	{WARNS "The compiler cannot go from sharding " A " to sharding " B
		   " efficiently for HLO operation ROOT %t = (f32[8], s32[]) "
		   "tuple(%a, %b)." RESORT,
		"t", NULL, NULL},
	{OLD " for HLO operation: %...", NULL, NULL, NULL},
};

static void test_wordings(void **state)
{
	const struct wording *w = *state;
	sw_log log = read_text(w->text, NULL);
	if (log.warnings != 1 || log.count != 1)
		fail_msg("%s: %d pairs", w->text, log.count);
	const sw_log_pair *pair = log.pairs;
	assert_string_equal(pair->from, A);
	assert_string_equal(pair->to, B);
	assert_int_equal(pair->names, w->name != NULL);
	if (w->name)
		assert_string_equal(pair->name[0], w->name);
	assert_string_equal(pair->op ? pair->op : "-", w->op ? w->op : "-");
	assert_string_equal(pair->shape ? pair->shape : "-", w->shape ? w->shape : "-");
	assert_int_equal(pair->shape_is, w->shape ? SW_LOG_PRINTED : SW_LOG_ASSUMED);
	expect_shape(pair, w->shape ? "f32[16, 16, 16]" : "f32[8, 8, 8]");
}

/* ---- what is done to lines ---- */

static void expect_copy(const char *text, const char *how, int number)
{
	sw_log log = read_text(text, NULL);
	if (log.warnings != 1 || log.count != 1 || strcmp(log.pairs->from, A) != 0 || strcmp(log.pairs->to, B) != 0 ||
		!log.pairs->shape || strcmp(log.pairs->shape, "f32[8,16,4]") != 0 || log.pairs->names != 1 ||
		strcmp(log.pairs->name[0], "copy.3") != 0)
		fail_msg("%s %d: %s\n%s", how, number, log.count ? log.pairs->from : "no pair", text);
	expect_shape(log.pairs, "f32[16, 16, 16]");
}

/* Cut at this width, each line with the same before it. */
static void wrap(const char *text, size_t width, const char *lead, sw_text *out)
{
	for (size_t i = 0; i < strlen(text); i += width) {
		sw_text_add(out, lead);
		sw_text_add_str(out, (sw_str){text + i, strlen(text) - i < width ? strlen(text) - i : width});
		sw_text_add(out, "\n");
	}
}

static void test_wrapped(void **state)
{
	static const char *const leads[] = {"", "    ", "# ", "(worker pid=12) 10:00:00 | ", "> "};
	(void)state;
	for (int width = 7; width < 130; width++)
		for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
			sw_text text = {0};
			wrap(NEW, (size_t)width, leads[i], &text);
			expect_copy(sw_text_get(&text), leads[i], width);
			sw_text_free(&text);
			sw_arena_clear(arena);
		}
}

static void test_numbered_leads(void **state)
{
	sw_text text = {0};
	(void)state;
	for (int i = 0, at = 0; at < (int)strlen(NEW); i++, at += 60)
		sw_text_addf(&text, "%sworker-3  | 2025-01-02 10:00:%02d %.60s", i ? "\r\n" : "", i, &NEW[at]);
	expect_copy(sw_text_get(&text), "times", 0);
	sw_text_free(&text);
}

static void test_coloured(void **state)
{
	static const char *const codes[] = {"\x1b[31m", "\x1b[0m", "\x1b[1;38;5;208m", "\x1b[K", "\x1b]0;title\a",
		"\x1b(B", "\\u001b[33m", "\\x1b[m", "\xc2\xa0"};
	draw from = draw_start("colours");
	(void)state;
	for (int round = 0; round < 300; round++) {
		sw_text text = {0};
		for (const char *c = NEW; *c; c++) {
			if (draw_below(&from, 12) == 0)
				sw_text_add(&text, codes[draw_below(&from, (int)(sizeof codes / sizeof *codes))]);
			sw_text_add_char(&text, *c);
		}
		expect_copy(sw_text_get(&text), "colours", round);
		sw_text_free(&text);
		sw_arena_clear(arena);
	}
}

/* Every letter for which there is another form stands in it. */
static void rewrite(const char *text, const char *const (*forms)[2], sw_text *out)
{
	for (; *text; text++) {
		int i = 0;
		while (forms[i][0] && *text != *forms[i][0])
			i++;
		sw_text_add_str(out, forms[i][0] ? sw_str_of(forms[i][1]) : (sw_str){text, 1});
	}
}

static void test_quoted(void **state)
{
	static const char *const json[][2] = {{"\"", "\\\""}, {"\n", "\\n"}, {"<", "\\u003c"}, {"'", "\\u0027"},
		{NULL, NULL}};
	static const char *const html[][2] = {{"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {" ", "&nbsp;"},
		{NULL, NULL}};
	sw_text text = {0}, wrapped = {0};
	(void)state;
	wrap(NEW, 50, "", &wrapped);
	sw_text_add(&text, "{\"severity\": \"WARNING\", \"message\": \"");
	rewrite(sw_text_get(&wrapped), json, &text);
	sw_text_add(&text, "\"}\n");
	expect_copy(sw_text_get(&text), "JSON", 0);
	sw_text_clear(&text);
	rewrite(NEW, html, &text);
	expect_copy(sw_text_get(&text), "HTML", 0);
	sw_text_free(&text);
	sw_text_free(&wrapped);
}

static void test_spaces_restored(void **state)
{
	sw_log log = read_text(WARNS
		"The compiler cannot go from sharding {devices=[2,1,2]0,1,2,3\nlast_tile_dim_repl\nicate} to {maximal\n"
		"device=0} efficiently",
		NULL);
	(void)state;
	assert_int_equal(log.count, 1);
	assert_string_equal(log.pairs->from, "{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}");
	assert_string_equal(log.pairs->to, "{maximal device=0}");
}

/* What a person sees of a text, with its line breaks, and the place of the last byte of it. */
static const struct seen {
	const char *text, *bytes;
	size_t last;
} seens[] = {
	{"a \x1b[1;31mb\x1b[0m", "a b", 9},
	{"a\tb\r\nc", "a b \nc", 5},
	{"\\u001b[31mx -\\u003e `y`", "x ->  y ", 22},
	{"&lt;a&gt;&amp;", "<a>&amp;", 13},
	{"it\\'s\\n&nbsp;\xC2\xA0.", "it's   .", 15},
	{"cut \x1b[3\n1m", "cut \n1m", 9},
	{"\x1b\n\x1b(\n\x1b]0;title\a.", "\n\n.", 15},
};

static void test_seen(void **state)
{
	const struct seen *row = *state;
	sw_log_clean clean = {.text = sw_str_of(row->text)};
	while (sw_log_clean_more(&clean))
		;
	assert_int_equal(clean.end, clean.text.length);
	assert_int_equal(clean.bytes.count, strlen(row->bytes));
	assert_memory_equal(clean.bytes.byte, row->bytes, clean.bytes.count);
	for (size_t i = 1; i < clean.bytes.count; i++)
		assert_true(clean.bytes.position[i - 1] < clean.bytes.position[i]);
	assert_int_equal(clean.bytes.position[clean.bytes.count - 1], row->last);
	sw_log_bytes_free(&clean.bytes);
}

/* Lines that are read in parts: warnings may begin in one and end in the next. */
static void test_long_line(void **state)
{
	enum { WARNINGS = 900 };
	(void)state;
	for (int before = 0; before < 700; before += 97) {
		sw_text text = {0};
		sw_text_addf(&text, "{\"log\": \"%*s", before, "");
		for (int i = 0; i < WARNINGS; i++)
			sw_text_add(&text, NEW "\\n\\u001b[1m");
		sw_text_add(&text, "\"}\n" A " -> " B "\n");
		sw_log log = read_text(sw_text_get(&text), NULL);
		assert_int_equal(log.warnings, WARNINGS);
		assert_int_equal(log.plain, 1);
		assert_int_equal(log.count, 2);
		assert_int_equal(log.pairs[0].count, WARNINGS);
		assert_int_equal(log.pairs[1].line, 2);
		assert_int_equal(log.lines, 2);
		sw_text_free(&text);
		sw_arena_clear(arena);
	}
}

/* ---- counting ---- */

static void test_counted(void **state)
{
	sw_text text = {0};
	(void)state;
	sw_text_add(&text,
		"Compiling\n\n" NEW "\n" OLD " for HLO operation: %other = f32[8,16,4]{2,1,0} add(%a, %b)." ENRICH "\n");
	for (int i = 0; i < 20; i++)
		sw_text_addf(&text, "%s for HLO operation: %%v%d = f32[8,16,4]{2,1,0} add(%%a, %%b).%s\n", OLD, i % 10,
			ENRICH);
	sw_text_add(&text, OLD "." ENRICH " [repeated 4x across cluster]\n");
	sw_text_add(&text, "the manual explains Involuntary full rematerialization in full\n");
	sw_log log = read_text(sw_text_get(&text), NULL);
	assert_int_equal(log.lines, 26);
	assert_int_equal(log.warnings, 23);
	assert_int_equal(log.repeats, 4);
	assert_int_equal(log.count, 2);
	assert_int_equal(log.pairs[0].count, 22);
	assert_int_equal(log.pairs[0].line, 3);
	assert_int_equal(log.pairs[0].names, SW_LOG_NAMES);
	assert_true(log.pairs[0].more_names);
	assert_string_equal(log.pairs[0].name[1], "other");
	assert_string_equal(log.pairs[0].op_name, "jit(f)/add");
	assert_int_equal(log.pairs[1].count, 5);
	assert_int_equal(log.pairs[1].line, 25);
	assert_int_equal(log.pairs[1].names, 0);
	assert_false(log.pairs[1].more_names);
	sw_text_free(&text);
}

static void test_many(void **state)
{
	sw_text text = {0};
	(void)state;
	for (int i = 0; i < 6000; i++)
		sw_text_addf(&text,
			WARNS
			"The compiler cannot go from sharding {devices=[2,1]<=[2]} to {devices=[1,2]<=[2]} efficiently for HLO "
			"operation %%x = f32[%d,8]{1,0} add(%%a)." RESORT "\n",
			2 + i % 1500);
	sw_log log = read_text(sw_text_get(&text), NULL);
	assert_int_equal(log.warnings, 6000);
	assert_int_equal(log.count, 1500);
	for (int i = 0; i < log.count; i++) {
		assert_int_equal(log.pairs[i].count, 4);
		assert_int_equal(log.pairs[i].line, i + 1);
		assert_int_equal(log.pairs[i].problem->from.global[0], 2 * (2 + i));
		assert_ptr_equal(log.pairs[i].problem->mesh, log.pairs[0].problem->mesh);
		assert_ptr_equal(log.pairs[i].ends[1], log.pairs[0].ends[1]);
	}
	assert_true(sw_arena_used(arena) < (size_t)log.count * 4096);
	sw_text_free(&text);
}

static bool stop(void *context, const char *what, long long done, long long total)
{
	(void)what;
	*(long long *)context += done <= total;
	return false;
}

static void test_stopped(void **state)
{
	long long asked = 0;
	sw_pulse pulse = {stop, &asked};
	sw_log_options options = {.pulse = &pulse};
	sw_log log = {.count = 7};
	sw_diag diag;
	size_t length = (size_t)3 << 20;
	char *text = malloc(length);
	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < length; i++)
		text[i] = "In a log\n"[i % 9];
	assert_false(sw_log_read((sw_str){text, length}, &options, arena, &log, &diag));
	assert_int_equal(diag.code, SW_S03);
	assert_int_equal(asked, 1);
	assert_int_equal(log.count, 7);
	free(text);
}

/* ---- shapes ---- */

static const struct shaped {
	const char *from, *to, *printed;
	const char *global; /* NULL: refused */
	sw_code code;
	const char *says; /* part of the remark, or of why not */
} shaped[] = {
	{A, B, "f32[8,16,4]", "f32[16, 16, 16]", SW_OK, NULL},
	{"{devices=[1,16,1,4]<=[64] last_tile_dim_replicate}",
		"{devices=[1,1,4,16]<=[16,4]T(1,0) last_tile_dim_replicate}", "f32[3,8,128]", "f32[3, 128, 128]", SW_OK,
		NULL},
	{"{devices=[4,1,1]<=[4]}", "{devices=[1,2,1,2]<=[4] last_tile_dim_replicate}", "c128[1,656,1963]",
		"c128[4, 656, 1963]", SW_OK, NULL},
	{"{replicated}", "{devices=[4,1]<=[4]}", "bf16[8,6]", "bf16[8, 6]", SW_OK, NULL},
	{"{devices=[4]<=[4]}", "{replicated}", "s32[<=5]", "i32[20]", SW_OK, NULL},
	{"{devices=[1,4]<=[4]}", "{devices=[4,1]<=[4]}", "f32[10,3]", "f32[12, 12]", SW_OK,
		"dimension 0 of 10 is padded to 12"},
	{"{devices=[1,1,2,2]<=[4] last_tile_dim_replicate}", "{devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}",
		"f64[94]", "f64[188]", SW_OK, "the value has 1 dimension and 'from' 3"},
	{"{devices=[8,1,1]}", "{devices=[1,1,2,4]}", "f32[2,8,8]", "f32[16, 8, 8]", SW_OK,
		"'last_tile_dim_replicate' is assumed"},
	{"{devices=[8,1,1]}", "{devices=[1,2,4]}", "f32[2,8,8]", "f32[16, 8, 8]", SW_OK,
		"devices 0, 1, 2, ... are assumed"},
	{"{devices=[2,2,2]<=[8]}", "{devices=[8]<=[8]}", "f32[64]", NULL, SW_N05, "has 3 dimensions, the value 1"},
	{"{maximal device=0}", "{devices=[4,1]<=[4]}", "f32[8,8]", NULL, SW_N02, "maximal"},
	{"{devices=[2,2]<=[4]}", "{devices=[4,1]<=[4]}", "f33[8,8]", NULL, SW_T07, "f33"},
	{"{devices=[2,2]<=[4]}", "{devices=[4,1]<=[4]}", "f32[0,8]", NULL, SW_N03,
		"has a size that is not a number of at least 1"},
	{"{devices=[2,2]<=[4]}", "{devices=[4,1]<=[4]}", "f32[4611686018427387904,8]", NULL, SW_T10, "too large"},
	{"{devices=[2,2]<=[4]}", "{devices=[8,1]<=[8]}", "f32[8,8]", NULL, SW_N05, "devices"},
	{"{devices=[2,3]<=[4]}", "{devices=[4,1]<=[4]}", "f32[8,8]", NULL, SW_N04, ""},
};

static void test_shapes(void **state)
{
	const struct shaped *row = *state;
	sw_text text = {0};
	sw_text_addf(&text,
		"%sThe compiler cannot go from sharding %s to %s efficiently for HLO operation %%x = %s{0} add(%%a).%s",
		WARNS, row->from, row->to, row->printed, RESORT);
	sw_log log = read_text(sw_text_get(&text), NULL);
	assert_int_equal(log.count, 1);
	if (row->global)
		expect_shape(log.pairs, row->global);
	else if (log.pairs->problem || log.pairs->why->code != row->code || !log.pairs->why->at.end)
		fail_msg("%s: %s", sw_text_get(&text), log.pairs->problem ? "planned" : log.pairs->why->message);
	const char *said = row->global ? log.pairs->remark : log.pairs->why->message;
	if (row->says && (!said || !strstr(said, row->says)))
		fail_msg("%s: %s", sw_text_get(&text), said ? said : "no remark");
	sw_text_free(&text);
}

static void test_shape_given(void **state)
{
	sw_mesh mesh = {0};
	sw_type shape;
	sw_diag diag;
	(void)state;
	assert_true(sw_type_parse(&mesh, sw_str_of("bf16[32,16,8]"), &shape, &diag));
	sw_log_options options = {.shape = &shape};
	sw_log log = read_text(OLD "." ENRICH, &options);
	assert_int_equal(log.pairs->shape_is, SW_LOG_GIVEN);
	expect_shape(log.pairs, "bf16[32, 16, 8]");
	log = read_text(NEW, &options);
	assert_int_equal(log.pairs->shape_is, SW_LOG_PRINTED);
	expect_shape(log.pairs, "f32[16, 16, 16]");
}

static void test_mesh_given(void **state)
{
	sw_mesh mesh;
	sw_diag diag;
	(void)state;
	assert_true(sw_mesh_parse(sw_str_of("{x: 4, y: 2}"), &mesh, &diag));
	sw_log_options options = {.mesh = &mesh};
	sw_log log = read_text(NEW, &options);
	expect_problem(log.pairs, "{x: 4, y: 2}", "f32[8{y}16, 16, 4{x}16]", "f32[16, 2{y,x}16, 16]");
	log = read_text(NEW, NULL);
	expect_problem(log.pairs, "{a: 4, b: 2}", "f32[8{b}16, 16, 4{a}16]", "f32[16, 2{b,a}16, 16]");
	assert_true(sw_mesh_parse(sw_str_of("{x: 3, y: 2}"), &mesh, &diag));
	log = read_text(NEW, &options);
	expect_problem(log.pairs, "{a: 4, b: 2}", "f32[8{b}16, 16, 4{a}16]", "f32[16, 2{b,a}16, 16]");
}

/* ---- messages that end too early ---- */

static void test_cut_off(void **state)
{
	const char *to = strstr(NEW, B);
	(void)state;
	for (size_t length = (size_t)(strstr(NEW, A) - NEW) + 1; length <= strlen(NEW); length++) {
		char *text = malloc(length);
		sw_log log;
		sw_diag diag;
		assert_non_null(text);
		memcpy(text, NEW, length);
		assert_true(sw_log_read((sw_str){text, length}, NULL, arena, &log, &diag));
		assert_int_equal(log.count, 1);
		bool whole = length >= (size_t)(to - NEW) + strlen(B);
		if (whole != (log.pairs->problem != NULL))
			fail_msg("%zu letters: %s", length, log.pairs->problem ? "planned" : log.pairs->why->message);
		if (!whole)
			assert_int_equal(log.pairs->why->code, SW_N01);
		free(text);
		sw_arena_clear(arena);
	}
}

static void test_cut_off_by_next(void **state)
{
	char text[sizeof NEW + 200];
	(void)state;
	snprintf(text, sizeof text, "%.100s\n%s\n", NEW, NEW);
	sw_log log = read_text(text, NULL);
	assert_int_equal(log.warnings, 2);
	assert_int_equal(log.count, 2);
	assert_null(log.pairs[0].problem);
	assert_int_equal(log.pairs[0].why->at.begin, strchr(text, '{') - text);
	assert_non_null(log.pairs[1].problem);
	assert_int_equal(log.pairs[1].line, 2);
}

static void test_places(void **state)
{
	static const char text[] = WARNS "The compiler cannot go from sharding {devices=[2,x]<=[2]} to " B
									 " efficiently.";
	sw_log log = read_text(text, NULL);
	(void)state;
	assert_null(log.pairs->problem);
	assert_int_equal(log.pairs->why->at.begin, strstr(text, "x]") - text);
	assert_int_equal(log.pairs->at.begin, strstr(text, "Invol") - text);
	assert_int_equal(log.pairs->at.end, strstr(text, " efficiently") - text);
}

/* ---- plain lines ---- */

static const struct plain {
	const char *text;
	const char *shape; /* global; NULL: no pair */
} plains[] = {
	{"f32[16,16,16] " A " -> " B, "f32[16, 16, 16]"},
	{"  f32[16,16,16]: " A " to " B "  ", "f32[16, 16, 16]"},
	{"from " A " to " B " f32[16,16,16]", "f32[16, 16, 16]"},
	{A " ~> " B ", bf16[8,8,8]", "bf16[8, 8, 8]"},
	{"- reshard " A " => " B, "f32[8, 8, 8]"},
	{A " \xE2\x86\x92 " B, "f32[8, 8, 8]"},
	{"P('y', None, 'x') -> P(None, ('x', 'y'), None)", "f32[8, 8, 8]"},
	{"f32[16,16,16] PartitionSpec('y', None, 'x') to PartitionSpec(None, ('x', 'y'), None)", "f32[16, 16, 16]"},
	{"float32[8@y,16,4@x] -> float32[8,16@x,4]", "f32[8, 16, 4]"},
	{"went from here to there", NULL},
	{"for (i = 0; i > -1; p->next) {}", NULL},
	{"[3{x}12, 12] ~> [12, 3{x}12]", NULL},
	{"-> " B, NULL},
	{A " -> ", NULL},
};

static void test_plain(void **state)
{
	const struct plain *row = *state;
	sw_mesh mesh;
	sw_diag diag;
	assert_true(sw_mesh_parse(sw_str_of("{x: 4, y: 2}"), &mesh, &diag));
	sw_log_options options = {.mesh = &mesh};
	sw_log log = read_text(row->text, &options);
	if (log.count != (row->shape != NULL) || log.plain != log.count)
		fail_msg("%s: %d pairs", row->text, log.count);
	if (row->shape)
		expect_shape(log.pairs, row->shape);
}

static void test_plain_lines(void **state)
{
	static const char text[] = "two of them:\nf32[8,8,8] " A " -> " B "\nf32[8,8,8] " A " -> " B
							   "\n\nf32[17,8] {devices=[8,1]<=[8]} -> {replicated}\n";
	sw_log log = read_text(text, NULL);
	(void)state;
	assert_int_equal(log.plain, 3);
	assert_int_equal(log.count, 2);
	assert_int_equal(log.pairs[0].count, 2);
	assert_int_equal(log.pairs[0].line, 2);
	assert_int_equal(log.pairs[1].why->code, SW_T04);
	sw_log_options options = {.pads = true};
	log = read_text(text, &options);
	expect_shape(&log.pairs[1], "f32[24, 8]");
}

/* Warnings and pairs in one log, in the order of the text. */
static void test_mixed(void **state)
{
	static const char text[] = "start\nf32[8,8,8] " A " -> " B "\n" NEW "\n" B " -> " A "\nf32[8,8,8] " A " -> " B
							   "\n"
							   "{devices=[4,1]<=[4] ->\n" NEW
							   " end\nf32[8] {devices=[4]<=[4]} -> {replicated}\nP('x') -> None\n{a} -> {b}\n";
	sw_log log = read_text(text, NULL);
	(void)state;
	assert_int_equal(log.lines, 10);
	assert_int_equal(log.warnings, 2);
	assert_int_equal(log.plain, 4);
	assert_int_equal(log.count, 4);
	static const struct {
		int line, count;
	} rows[] = {{2, 2}, {3, 2}, {4, 1}, {8, 1}};
	for (int i = 0; i < log.count; i++) {
		assert_int_equal(log.pairs[i].line, rows[i].line);
		assert_int_equal(log.pairs[i].count, rows[i].count);
		assert_non_null(log.pairs[i].problem);
	}
	assert_int_equal(log.left_out, 3);
	assert_int_equal(log.left_line, 6);
	assert_int_equal(log.left_why.code, SW_L06);
	assert_int_equal(log.left_why.at.begin, strstr(text, "{devices=[4,1]<=[4] ->") - text);
}

/* What other programs say of two shardings; the shape of the instruction is that of one device. */
static const struct said {
	const char *text;
	int warnings;
	const char *name, *shape;
} said[] = {
	{"... was not able to go from sharding " A " to " B " without doing a full rematerialization ...", 1, NULL,
		"f32[8, 8, 8]"},
	{"The compiler was not able to go from sharding " A " to " B
	 " without doing a full rematerialization of the tensor for HLO "
	 "operation: %x = f32[8,8,8]{2,1,0} copy(%p).",
		1, "x", "f32[16, 8, 32]"},
	{"E1 partitioner] go\n  from sharding " A "\n  to " B " for HLO operation %x = f32[8,8,8]{2,1,0} copy(%p)", 1,
		"x", "f32[16, 8, 32]"},
	{"resharding: sharding " A " to " B " for HLO operation %x = f32[8,8,8]{2,1,0} copy(%p)", 1, "x",
		"f32[16, 8, 32]"},
	{"12:00 INFO: f32[16,16,16] sharding " A " to sharding " B " in 3 ms", 0, NULL, "f32[16, 16, 16]"},
	{"[worker 3] it's (x " A " => " B, 0, NULL, "f32[8, 8, 8]"},
};

static void test_said(void **state)
{
	const struct said *row = *state;
	sw_log log = read_text(row->text, NULL);
	if (log.count != 1 || log.warnings != row->warnings || strcmp(log.pairs->from, A) != 0 ||
		strcmp(log.pairs->to, B) != 0)
		fail_msg("%s: %d pairs, %d warnings", row->text, log.count, (int)log.warnings);
	expect_shape(log.pairs, row->shape);
	assert_int_equal(log.pairs->names, row->name != NULL);
	if (row->name)
		assert_string_equal(log.pairs->name[0], row->name);
}

/* How lines come out of terminals, programs and JSON, and pairs that share one. */
static const struct worn {
	const char *text;
	int count;
} worn[] = {
	{"\x1b[33mf32[16,16,16]\x1b[0m " A " -> \x1b[1m" B "\x1b[m", 1},
	{"\"f32[16,16,16] " A " -> " B "\",", 1},
	{"'f32[16,16,16] " A " -> " B "',", 1},
	{"{\"time\": 3, \"msg\": \"f32[16,16,16] " A " -\\u003e " B "\"}", 1},
	{"f32[16,16,16] `" A "` -&gt; `" B "`,", 1},
	{"f32[16,16,16] " A " -> " B ", f32[16,16,16] " B " -> " A, 2},
	{"f32[16,16,16] " A " -> " B "; f32[16,16,16] " B " -> " A ";", 2},
	{"f32[16,16,16] " A " -> " B " and f32[16,16,16] " B " -> " A, 2},
	{A " -> " B " f32[16,16,16], " B " -> " A ", f32[16,16,16]", 2},
	{"f32[16,16,16] " A " -> " B " -> {replicated}", 2},
	{"f32[16,16,16] P('x', None, None) -> P(None, 'x', None), f32[16,16,16] P('y', None, None) -> P(None, 'y', None),",
		2},
	{"f32[16,16,16] S0RR -> RS0R, f32[16,16,16] RS0R -> RRS0", 2},
	{"f32[16,16,16] " A "\n  -> " B "\n", 1},
	{"f32[16,16,16] " A " ->\r\n" B "\r\n", 1},
	{"f32[16,16,16] NamedSharding(\n  mesh=Mesh('x': 4, 'y': 2),\n  spec=PartitionSpec('x', None, None)) -> NamedSharding(\n"
	 "  mesh=Mesh('x': 4, 'y': 2),\n  spec=PartitionSpec(None, 'x', None))\nthe end",
		1},
};

static void test_worn(void **state)
{
	const struct worn *row = *state;
	sw_mesh mesh;
	sw_diag diag;
	assert_true(sw_mesh_parse(sw_str_of("{x: 4, y: 2}"), &mesh, &diag));
	sw_log_options options = {.mesh = &mesh};
	sw_log log = read_text(row->text, &options);
	if (log.count != row->count || log.plain != log.count || log.left_out)
		fail_msg("%s: %d pairs, %d left out", row->text, log.count, (int)log.left_out);
	for (int k = 0; k < log.count; k++)
		expect_shape(&log.pairs[k], "f32[16, 16, 16]");
}

/* The place is that of the size or sharding that does not fit. */
static const struct misfit {
	const char *text, *at; /* the last time that it stands there */
	sw_code code;
} misfits[] = {
	{"f32[17,16] {devices=[8,1]<=[8]} -> {devices=[1,8]<=[8]}", "17,", SW_T04},
	{"f32[16, 17] {devices=[8,1]<=[8]} -> {devices=[1,8]<=[8]}", "17]", SW_T04},
	{"f32[16,\x1b[1m17] {devices=[8,1]<=[8]} -> {devices=[1,8]<=[8]}", "17]", SW_T04},
	{"{devices=[8,1]<=[8]} -> {devices=[1,8]<=[8]} f32[16,9]", "9]", SW_T04},
	{"f32[16,16] {devices=[8,1]<=[8]} -> {maximal device=0}", "{max", SW_N02},
	{"f32[16,16] {manual} -> {devices=[1,8]<=[8]}", "{man", SW_N02},
	{"f32[16,16] {{replicated}, {replicated}} -> {devices=[1,8]<=[8]}", "{{", SW_N02},
	{"f32[16,16] {devices=[4,2]<=[8] last_tile_dims={manual}} -> {devices=[1,8]<=[8]}", "{devices=[4", SW_N02},
	{"f33[16,16] {devices=[8,1]<=[8]} -> {devices=[1,x]<=[8]}", "x]", SW_N01},
	{WARNS
		"go from sharding {devices=[1,4<=[4]} to {devices=[4,1]<=[4]} for HLO operation %x = f32[8,8]{1,0} copy(%y)",
		"<=[4]} to", SW_N01},
	{WARNS
		"go from sharding {devices=[1,4]<=[4] to {devices=[4,1]<=[4]} for HLO operation %x = f32[8,8]{1,0} copy(%y)",
		"{devices=[1,4]", SW_L06},
	{WARNS
		"go from sharding {devices=[2,2]<=[4]} to {devices=[4,1]<=[4]} for HLO operation %x = f33[8,8]{1,0} copy(%y)",
		"f33", SW_T07},
};

static void test_misfits(void **state)
{
	const struct misfit *row = *state;
	const char *text = row->text;
	sw_log log = read_text(text, NULL);
	assert_int_equal(log.count, 1);
	const sw_diag *why = log.pairs->why;
	if (log.pairs->problem || why->code != row->code || text + why->at.begin != strstr(text, row->at))
		fail_msg("%s: %s at %zu", text, why->message, why->at.begin);
}

static void test_names_keep_blanks(void **state)
{
	sw_log log = read_text("\x1b[33m" WARNS "go from sharding " A " to " B
						   " for HLO operation %x = f32[8,8,8]{2,1,0} copy(%p), "
						   "metadata={op_name=\"it's; \x1b[1ma > b\" source=\"x\"}",
		NULL);
	(void)state;
	assert_string_equal(log.pairs->op_name, "it's; a > b");
}

static void test_bytes(void **state)
{
	sw_log log;
	sw_diag diag;
	(void)state;
	assert_true(
		sw_log_read((sw_str){"\0\1\2\xff -> \0{devices=[2]<=[2]} -> {replicated}", 42}, NULL, arena, &log, &diag));
	assert_int_equal(log.count, 0);
	assert_true(sw_log_read((sw_str){"", 0}, NULL, arena, &log, &diag));
	assert_int_equal(log.count, 0);
	assert_int_equal(log.lines, 0);
}

/* ---- whole files ---- */

static char *read_file(const char *name, size_t *length)
{
	FILE *file = fopen(name, "rb");
	char *text = file ? malloc((size_t)1 << 20) : NULL;
	*length = text ? fread(text, 1, (size_t)1 << 20, file) : 0;
	if (file)
		fclose(file);
	return text;
}

static int lines_of(const char *text, size_t length)
{
	int lines = 0;
	for (size_t k = 0; k < length; k++)
		lines += text[k] == '\n';
	return lines;
}

/* Every line of the record is a warning. */
static void test_recorded(void **state)
{
	char name[4096];
	size_t length;
	sw_log log;
	sw_diag diag;
	(void)state;
	snprintf(name, sizeof name, "%s/logs/xla-warnings.log", cases_folder());
	char *text = read_file(name, &length);
	if (!text)
		skip();
	assert_true(sw_log_read((sw_str){text, length}, NULL, arena, &log, &diag));
	assert_int_equal(log.warnings, lines_of(text, length));
	assert_true(log.warnings > 5);
	for (int i = 0; i < log.count; i++)
		if (!log.pairs[i].problem)
			fail_msg("line %d: %s", (int)log.pairs[i].line, log.pairs[i].why->message);
	free(text);
}

/* ---- DTensor and JAX ---- */

static char *log_file(const char *name)
{
	size_t length;
	char *text = read_file(name, &length);
	assert_non_null(text);
	text = realloc(text, length + 1);
	text[length] = '\0';
	return text;
}

static void expect_text(const char *found, const char *expected)
{
	if (!expected)
		assert_null(found);
	else
		assert_string_equal(found ? found : "(nothing)", expected);
}

static const struct sequential {
	const char *names, *means, *write;
	sw_code why;
} sequentials[] = {
	{"{x: 2, y: 4}",
		"DTensor runs 2 all_gather one after the other, over dp and tp; one over all of these axes does the same, "
		"but needs a mesh that has them as one axis",
		"mesh[\"dp\", \"tp\"]._flatten(\"dp_tp\")", SW_OK},
	{"{m0: 4, m1: 2}",
		"DTensor runs 2 all_gather one after the other; one over all of these axes does the same, but needs a mesh "
		"that has them as one axis",
		"mesh[\"m0\", \"m1\"]._flatten(\"m0_m1\")  # of init_device_mesh(..., "
		"mesh_dim_names=(\"m0\", \"m1\"))",
		SW_OK},
	{NULL,
		"DTensor runs 3 reduce_scatter one after the other, over a, b and c; one over all of these axes does the same, but needs "
		"a mesh that has them as one axis",
		"mesh[\"a\", \"b\", \"c\"]._flatten(\"a_b_c\")", SW_N01},
	{"{x: 2, y: 4}",
		"DTensor runs 2 reduce_scatter one after the other; they cannot be merged, because the size of "
		"the dimension is not a multiple of the product of these axes",
		NULL, SW_OK},
	{"{x: 2, y: 4}",
		"DTensor runs 2 all_gather one after the other; they cannot be merged, because the axes of the dimension do not "
		"ascend in the order of the mesh",
		NULL, SW_OK}};

/* What torch 2.15 printed: over a mesh that is given where the text has none. */
static void test_dtensor(void **state)
{
	char *text = log_file("tests/logs/dtensor.log");
	sw_mesh mesh;
	(void)state;
	assert_true(sw_mesh_parse(sw_str_of("{x: 2, y: 4}"), &mesh, NULL));
	sw_log_options options = {.mesh = &mesh};
	sw_log log = read_text(text, &options);
	assert_int_equal(log.sequential, 5);
	assert_int_equal(log.warnings + log.plain + log.indivisible + log.left_out, 0);
	assert_int_equal(log.count, 5);
	for (int i = 0; i < 5; i++) {
		const sw_log_pair *pair = &log.pairs[i];
		assert_int_equal(pair->kind, SW_LOG_SEQUENTIAL);
		assert_int_equal(pair->line, i + 1);
		expect_text(pair->means, sequentials[i].means);
		expect_text(pair->write, sequentials[i].write);
		assert_int_equal(pair->why ? pair->why->code : SW_OK, sequentials[i].why);
		assert_int_equal(pair->problem != NULL, sequentials[i].names != NULL);
	}
	expect_problem(&log.pairs[0], "{x: 2, y: 4}", "f32[1{y,x}8]", "f32[8]");
	expect_problem(&log.pairs[1], "{m0: 4, m1: 2}", "f32[8, 1{m1,m0}8]", "f32[8, 8]");
	expect_problem(&log.pairs[3], "{x: 2, y: 4}", "f32[8]+{x,y}", "f32[1{y,x}8]");
	expect_problem(&log.pairs[4], "{x: 2, y: 4}", "f32[1{x,y}8]", "f32[8]");
	log = read_text(text, NULL);
	assert_int_equal(log.pairs[0].why->code, SW_N03);
	expect_text(log.pairs[0].type, "mesh {dp: 2, tp: 4}");
	assert_non_null(strstr(log.pairs[0].why->hint, "type `mesh {dp: 2, tp: 4}`"));
	assert_memory_equal(text + log.pairs[0].why->at.begin, "(Shard(dim=0), Shard(dim=0))", 28);
	assert_int_equal(log.pairs[2].why->code, SW_N03);
	expect_text(log.pairs[2].type, "mesh {a: 2, b: 2, c: 4}");
	free(text);
}

static const struct indivisible {
	const char *mesh, *to, *means, *write, *type;
	int line;
} indivisibles[] =
	{{"{x: 8}", "f32[3{x}24, 4]",
		 "JAX refuses it: dimension 0 of 17 has to be cut in 8 equal parts; the next possible size is 24",
		 "jnp.pad(x, ((0, 7), (0, 0)))", "explain 17 over 8", 4},
		{"{x: 4, y: 2}", "f32[4, 3{y,x}24]",
			"JAX refuses it: dimension 1 of 17 has to be cut in 8 equal parts; the next possible size "
			"is 24",
			"jnp.pad(x, ((0, 0), (0, 7)))", "explain 17 over 8", 8},
		{"{x: 8}", "f32[3{x}24, 4]",
			"JAX refuses it: dimension 0 of 17 has to be cut in 8 equal parts; the next possible size is 24",
			"jnp.pad(x, ((0, 7), (0, 0)))", "explain 17 over 8", 9},
		{"{x: 8}", "f32[3{x}24, 4]",
			"JAX refuses it: dimension 0 of 17 has to be cut in 8 equal parts; the next possible size is 24",
			"jnp.pad(x, ((0, 7), (0, 0)))", "explain 17 over 8", 10},
		{"{x: 8}", "f32[3{x}24, 4]",
			"JAX refuses it: dimension 0 of 17 has to be cut in 8 equal parts; the next possible size is 24",
			"jnp.pad(x, ((0, 7), (0, 0)))", "explain 17 over 8", 17}};

/* What jax 0.10 printed, in each of its wordings, and that of releases before. */
static void test_indivisible(void **state)
{
	char *text = log_file("tests/logs/jax-uneven.log");
	(void)state;
	sw_log log = read_text(text, NULL);
	assert_int_equal(log.indivisible, 5);
	assert_int_equal(log.warnings + log.plain + log.sequential + log.left_out, 0);
	assert_int_equal(log.count, 5);
	for (int i = 0; i < 5; i++) {
		const struct indivisible *expected = &indivisibles[i];
		const sw_log_pair *pair = &log.pairs[i];
		sw_text whole = {0};
		sw_text_addf(&whole, "f32[%s]", strstr(expected->to, "4, 3") ? "4, 24" : "24, 4");
		assert_int_equal(pair->kind, SW_LOG_INDIVISIBLE);
		assert_int_equal(pair->line, expected->line);
		expect_problem(pair, expected->mesh, sw_text_get(&whole), expected->to);
		expect_text(pair->means, expected->means);
		expect_text(pair->write, expected->write);
		expect_text(pair->type, expected->type);
		sw_text_free(&whole);
	}
	free(text);
}

/* Wrapped, quoted and coloured as others are; cut off it is none. */
static const char *const test_said_worn_rows[] = {
	"W While redistri\nbuting from (Shard(dim=1),\n Shard(dim=1)) to (Replicate(), Replicate()), 2 seque\nntial all_gather operations",
	"{\"m\": \"While redistributing\\nfrom (Shard(dim=1), Shard(dim=1)) to (Replicate(), Replicate()), 2 sequential all_gather "
	"operations will be\"}",
	"\x1b[33mWhile redistributing from (Shard(dim=1), Shard(dim=1))\x1b[0m to (Replicate(), Replicate()), 2 sequential all_gather "
	"operations",
};

static void test_said_worn(void **state)
{
	const char *const *row = *state;
	sw_mesh mesh;
	assert_true(sw_mesh_parse(sw_str_of("{x: 2, y: 4}"), &mesh, NULL));
	sw_log_options options = {.mesh = &mesh};
	sw_log log = read_text(*row, &options);
	assert_int_equal(log.sequential, 1);
	expect_problem(&log.pairs[0], "{x: 2, y: 4}", "f32[8, 1{y,x}8]", "f32[8, 8]");
	expect_text(log.pairs[0].means, "DTensor runs 2 all_gather one after the other");
	char *cut = strdup(*row);
	*strstr(cut, "all_gather") = '\0';
	log = read_text(cut, &options);
	assert_int_equal(log.sequential, 0);
	free(cut);
	sw_arena_clear(arena);
}

/* However long the message is, its end is read: the axes stand there, and the message behind it. */
static void test_said_long(void **state)
{
	(void)state;
	for (int axes = 1; axes <= 130; axes++) {
		sw_text text = {0};
		sw_text_add(&text, "While redistributing from (R");
		for (int i = 1; i < axes; i++)
			sw_text_add(&text, ", R");
		sw_text_add(&text, ") to (R");
		for (int i = 1; i < axes; i++)
			sw_text_add(&text, ", Shard(2)");
		sw_text_add(&text,
			"), 2 sequential all_gather operations will be performed. This may give different reduction orders. To optimize, "
			"flatten mesh dimensions [\"dp\", \"tp\"] so DTensor can use a single operation instead.\n");
		for (size_t i = 0, once = text.length; i < once; i++)
			sw_text_add_char(&text, sw_text_get(&text)[i]);
		sw_log log = read_text(sw_text_get(&text), NULL);
		assert_int_equal(log.sequential, 2);
		assert_int_equal(log.count, 1);
		assert_non_null(strstr(log.pairs[0].means, "over dp and tp"));
		sw_text_free(&text);
		sw_arena_clear(arena);
	}
}

/* What stands before a word in JSON is an escape, and no letter of it. */
static void test_said_quoted(void **state)
{
	(void)state;
	sw_log log = read_text(
		"{\"error\": \"ValueError:\\nSharding spec ('x',) implies that array axis 0 is partitioned 8 times, but "
		"does not evenly divide the dimension size 17. Got shape: (17, 4) and sharding "
		"NamedSharding(mesh=AbstractMesh('x': 8), spec=P('x', None))\"}",
		NULL);
	assert_int_equal(log.indivisible, 1);
	log = read_text(
		"NamedSharding spec ('x',) implies that array axis 0 is partitioned 8 times, but does not evenly divide the "
		"dimension size 17. Got shape: (17, 4) and sharding NamedSharding(mesh=AbstractMesh('x': 8), spec=P('x'))",
		NULL);
	assert_int_equal(log.indivisible, 0);
}

/* A line that ends inside of its shape, or of the name of what made the value, tells neither. */
static void test_cut_in_shape(void **state)
{
	static const char whole[] = "%x = f32[8,16,4]{2,1,0} copy(f32[8,16,4]{2,1,0} %param)";
	(void)state;
	for (size_t length = 0; length <= strlen(whole); length++) {
		char text[400];
		snprintf(text, sizeof text,
			WARNS "The compiler cannot go from sharding " A " to " B " efficiently for HLO operation %.*s\n",
			(int)length, whole);
		sw_log log = read_text(text, NULL);
		assert_int_equal(log.count, 1);
		const sw_log_pair *pair = &log.pairs[0];
		assert_int_equal(pair->shape_is, length >= strlen("%x = f32[8,16,4]") ? SW_LOG_PRINTED : SW_LOG_ASSUMED);
		if (pair->op)
			assert_string_equal(pair->op, "copy");
		assert_int_equal(pair->op != NULL, length >= strlen("%x = f32[8,16,4]{2,1,0} copy("));
		bool inside = length >= strlen("%x =") && length < strlen("%x = f32[8,16,4]");
		assert_int_equal(pair->remark != NULL, inside);
		sw_arena_clear(arena);
	}
}

/* A text that ends within the number of repeats says none; nothing is read behind it. */
static void test_repeats_cut_off(void **state)
{
	static const char text[] = "\x1b[1m" NEW "\x1b[0m [repeated 3x across cluster]";
	size_t whole = strlen(text) - strlen("x across cluster]");
	(void)state;
	for (int more = 0; more < 2; more++) {
		sw_log log;
		sw_diag diag;
		char *copy = malloc(whole + (size_t)more);
		assert_non_null(copy);
		memcpy(copy, text, whole + (size_t)more);
		assert_true(sw_log_read((sw_str){copy, whole + (size_t)more}, NULL, arena, &log, &diag));
		assert_int_equal(log.repeats, more ? 3 : 0);
		free(copy);
		sw_arena_clear(arena);
	}
}

static void test_mutants(void **state)
{
	static const char *const texts[] = {
		NEW "\n" OLD "." ENRICH "\n",
		"\x1b[1m" NEW "\x1b[0m [repeated 3x across cluster]",
		"f32[16,16,16] " A " -> " B "\n" B " to " A,
		"{\"m\": \"" WARNS "sharding " A "\\nto " B "\"}",
		"# " WARNS "sharding {devices=[8,1]}\n# to {devices=[1,2,4]} ... \n",
		"go from sharding " A " to " B
		" for HLO operation %x = f32[8,8,8]{2,1,0} copy(%p), op_name=\"it's; a > b\"\n" A " -> " B,
		"\"\x1b[33mf32[16,16,16]\x1b[0m `" A "` -\\u003e " B ", f32[8,8,8] " B " -> " A " -> " B
		"\",\n{devices=[4,1]<=[4] ->\n",
		("NamedSharding(\n mesh=Mesh('x': 4),\n spec=P('x'))\n -> NamedSharding(\n mesh=Mesh('x': 4),\n spec=P())\nS0R -> RS0; #sdy.sharding<"
		 "@mesh, [{\"x\"}]> -> {replicated}\n"),
		("While redistributing from (Shard(dim=0), Shard(dim=0)) to (Replicate(), Replicate()), 2 sequential all_gather operations will be "
		 "performed. ... reduction orders. To optimize, flatten mesh dimensions [dims 0, 1 of DeviceMesh((4, 2), 'cpu')] so DTensor"),
		("While redistributing from (Partial(sum), S(0)) to (S(0), R), 2 sequential reduce_scatter operations ... reduction orders. To "
		 "optimize, flatten mesh dimensions [\"a\", \"b\"] so DTensor can use a single operation instead."),
		("One of pjit arguments was given the sharding of NamedSharding(mesh=Mesh('x': 8), spec=P('x', None)), which implies that the "
		 "global size of its dimension 0 should be divisible by 8, but it is equal to 17 (full shape: (17, 4))"),
		("Sharding NamedSharding(mesh=Mesh('x': 8), spec=P('x',)) implies that array axis 0 is partitioned 8 times, but the dimension size "
		 "is 17 (full shape: (17,), per-dimension"),
		("Sharding spec ('x',) implies that array axis 0 is partitioned 8 times, but does not evenly divide the dimension size 17. Got "
		 "shape: (17, 4) and sharding NamedSharding(mesh=AbstractMesh('x': 8), spec=P('x', None))"),
		("{'w': NamedSharding(mesh=Mesh('x': 4), spec=P('x')), 'l': {'b': NamedSharding(Mesh('x': 4), P()), 'c': P()}} ->\n"
		 "{'w': NamedSharding(mesh=Mesh(device_ids=array([4, 9]), axis_names=('t',)), spec=P(None, 't')), 'l': {'b': P('t'), 'd': 1}}"),
		("f32[16] NamedSharding(mesh=Mesh(device_ids=array([[0, 1], [2, 3]]), axis_names=('x', 'y')), spec=P('y')) -> "
		 "NamedSharding(mesh=Mesh(device_ids=array([6, 4, 2, 5]), axis_names=('t',)), spec=P('t'))"),
		("shard_map applied to the function 'f' was\n\nThe mesh given has shape (4, 2) with corresponding axis names ('x', 'y').\n\nthe "
		 "passed args[0] of shape float32[17,4], corresponds to in_specs of value P(('x', 'y'),), which maps array axis 0 (of size 17) to "
		 "mesh axes 'x' and 'y' (of total size 8), but"),
	};
	draw from = draw_start("logs");
	mutant m;
	(void)state;
	for (int round = 0; round < 5000; round++) {
		sw_log log;
		sw_diag diag;
		mutant_draw(&m, &from, texts[draw_below(&from, (int)(sizeof texts / sizeof *texts))]);
		char *copy = mutant_copy(&m);
		assert_non_null(copy);
		assert_true(sw_log_read((sw_str){copy, m.length}, NULL, arena, &log, &diag));
		for (int i = 0; i < log.count; i++) {
			const sw_log_pair *pair = &log.pairs[i];
			assert_true(pair->at.begin <= pair->at.end && pair->at.end <= m.length);
			assert_true(pair->problem || pair->why->code != SW_OK);
			assert_true(!pair->why || pair->why->at.end <= m.length);
		}
		free(copy);
		sw_arena_clear(arena);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(test_wordings, wordings, text),
		TEST(test_wrapped),
		TEST(test_numbered_leads),
		TEST(test_coloured),
		TEST(test_quoted),
		TEST(test_spaces_restored),
		ROWS(test_seen, seens, text),
		TEST(test_long_line),
		TEST(test_counted),
		TEST(test_many),
		TEST(test_stopped),
		ROWS(test_shapes, shaped, printed),
		TEST(test_shape_given),
		TEST(test_mesh_given),
		TEST(test_cut_off),
		TEST(test_cut_off_by_next),
		TEST(test_places),
		ROWS(test_plain, plains, text),
		TEST(test_plain_lines),
		TEST(test_bytes),
		TEST(test_mixed),
		ROWS(test_said, said, text),
		ROWS(test_worn, worn, text),
		ROWS(test_misfits, misfits, text),
		TEST(test_names_keep_blanks),
		TEST(test_recorded),
		TEST(test_repeats_cut_off),
		TEST(test_cut_in_shape),
		TEST(test_dtensor),
		TEST(test_indivisible),
		TEXTS(test_said_worn, test_said_worn_rows),
		TEST(test_said_quoted),
		TEST(test_said_long),
		TEST(test_mutants),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
