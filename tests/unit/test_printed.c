/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of what JAX and PyTorch print of programs (tests/printed, with where each file came from): bytes and collectives that were counted
 * by hand, pairs of shardings, and texts changed at random.
 */
#include <shardwalk/log.h>

#include <stdio.h>

#include "kit/arena.h"
#include "kit/kit.h"
#include "kit/mutate.h"

#define TEXT_MOST ((size_t)1 << 16)

/* A file, over which mesh it is read ("": none), and what is in it. */
struct printed {
	const char *file, *mesh;
	double bytes;
	int64_t collectives, unsized;
	int pairs, problems;
};

static const struct printed files[] = {
	{"torch-2.15-debugmode.txt", "", 896, 1, 0, 1, 0},
	{"torch-2.15-debugmode.txt", "{x: 8}", 896, 1, 0, 1, 1},
	/* 32 x 16, 64 x 8, 32 x 8 and 16 x 32 floats are gathered, over 4, 2, 4 and 2; one is summed over 4 */
	{"torch-2.15-debugmode-2d.txt", "{dp: 2, tp: 4}", 1536 + 1024 + 768 + 1024 + 6, 5, 0, 4, 4},
	{"torch-2.10-debugmode-2d.txt", "{dp: 2, tp: 4}", 1536 + 1024 + 768 + 1024 + 6, 5, 0, 4, 4},
	/* 64 x 32 gathered, 16 x 32 scattered, at most twice 16 x 32 summed, 16 x 32 exchanged */
	{"torch-2.15-fx-readable.txt", "", 6144 + 6144 + 4096 + 1536, 4, 0, 0, 0},
	{"torch-2.15-fx-strides.txt", "", 6144 + 6144 + 4096 + 1536, 4, 0, 0, 0},
	{"torch-2.15-fx-graph.txt", "", 0, 4, 4, 0, 0},
	{"torch-2.15-fx-code.txt", "", 0, 4, 4, 0, 0},
	{"torch-2.15-commdebug.txt", "", 0, 5, 5, 0, 0},
	{"torch-2.15-commdebug-modules.txt", "", 0, 1, 1, 0, 0},
	/* psum over y, two all_to_alls over x, a ring, all_gather and reduce_scatter over y, pmax over all; tiles of 8 x 8 floats */
	{"jaxpr-0.10.2-shard-map.txt", "", 384 + 2 * 128 + 256 + 768 + 768 + 448, 7, 0, 0, 0},
	{"jaxpr-0.10.2-ring.txt", "", 3 * 256, 1, 0, 0, 0},
	{"jaxpr-0.10.2-scan.txt", "", 5 * 384, 1, 0, 0, 0},
	/* the branch that gathers, and one round of the loop */
	{"jaxpr-0.10.2-branches.txt", "", 768 + 448, 3, 0, 0, 0},
	{"jaxpr-0.10.2-constraint.txt", "", 0, 0, 0, 1, 1},
	{"jaxpr-0.10.2-gradient.txt", "", 0, 0, 0, 2, 2},
	{"jaxpr-0.10.2-jit.txt", "", 0, 0, 0, 2, 2},
	{"jaxpr-0.10.2-explicit.txt", "{x: 2, y: 4}", 0, 0, 0, 2, 2},
	/* the graph, and not again the code that was made of it */
	{"torch-2.15-compile.log", "", 6144 + 12288 + 8192, 3, 0, 0, 0},
	/* tiles of 8 x 8 floats: psum over y, a permute over x, psum over both */
	{"jaxpr-0.10.2-permute.txt", "", 384 + 256 + 448, 3, 0, 0, 0},
	{"jaxpr-0.10.2-shard-map-gradient.txt", "", 2 * (384 + 256 + 448), 6, 0, 0, 0},
	{"jaxpr-0.10.2-vmap.txt", "", 3 * (384 + 256 + 448), 3, 0, 0, 0},
	{"jaxpr-0.10.2-scan-gather.txt", "", 6 * 768, 1, 0, 0, 0},
	{"jaxpr-0.10.2-colours.txt", "", 6 * 768, 1, 0, 0, 0},
	{"jaxpr-0.10.2-source.txt", "", 6 * 768, 1, 0, 0, 0},
	{"jaxpr-0.10.2-remat.txt", "", 0, 0, 0, 2, 2},
	{"jaxpr-0.10.2-remat-shard-map.txt", "", 2 * 384, 2, 0, 0, 0},
	{"jaxpr-0.10.2-custom-vjp.txt", "", 384, 1, 0, 0, 0},
	{"jaxpr-0.10.2-custom-vjp-gradient.txt", "", 384 + 768, 2, 0, 0, 0},
	{"jaxpr-0.10.2-custom-jvp.txt", "", 0, 0, 0, 1, 1},
	{"jaxpr-0.10.2-switch.txt", "", 0, 0, 0, 2, 2},
	{"jaxpr-0.10.2-reshard.txt", "{x: 2, y: 4}", 0, 0, 0, 2, 2},
	/* 15 permutes, 5 psum over x */
	{"jaxpr-0.10.2-nested-loops.txt", "", 15 * 256 + 5 * 256, 2, 0, 0, 0},
	/* bf16 8 x 8 and i8 8 x 16 over all, then a part over y, an exchange over x, pmax over x, pmin over y */
	{"jaxpr-0.10.2-dtypes.txt", "", 2 * 224 + 96 + 64 + 32 + 192, 6, 0, 0, 0},
	{"jaxpr-0.10.2-vma.txt", "", 448, 1, 0, 0, 0},
	{"jaxpr-0.10.2-ragged.txt", "", 256, 1, 0, 0, 0},
	/* 2 rows of 32 bytes of each of 3 others */
	{"jaxpr-0.10.2-ragged-sizes.txt", "", 192, 1, 0, 0, 0},
	/* counters from 0 by 2 to below 11, from 10 down by 3 to 0, and a scan: as hlo_bytes.py counts it compiled */
	{"jaxpr-0.10.2-while.txt", "", 6 * 256 + 4 * 256 + 5 * 384, 3, 0, 0, 0},
	{"jaxpr-0.10.2-halo.txt", "", 2 * 32, 2, 0, 0, 0},
	{"jaxpr-0.10.2-shared.txt", "", 2 * 384, 2, 0, 0, 0},
	/* an all_reduce does not say its group: at most all 8, and of 16 x 32 floats; without a mesh twice what there is */
	{"torch-2.15-debugmode-tp.txt", "{dp: 2, tp: 4}", 4 * 3584, 4, 0, 1, 0},
	{"torch-2.15-debugmode-tp.txt", "", 4 * 4096, 4, 0, 1, 0},
	{"torch-2.15-debugmode-ids.txt", "{dp: 2, tp: 4}", 2 * 3584, 2, 0, 1, 0},
	{"torch-2.15-debugmode-functions.txt", "{dp: 2, tp: 4}", 2 * 3584, 2, 0, 1, 0},
	/* gathered and scattered over 4 in two blocks, which is tp */
	{"torch-2.15-debugmode-modules.txt", "{dp: 2, tp: 4}", 4 * 1536, 4, 0, 2, 2},
	{"torch-2.15-debugmode-modules.txt", "{a: 4, b: 4}", 4 * 1536, 4, 0, 1, 0},
	{"torch-2.15-debugmode-fsdp.txt", "", 6 * 8320, 6, 0, 0, 0},
	{"torch-2.15-debugmode-nested.txt", "{dp: 2, tp: 4}", 1024 + 256 + 768 + 1024 + 1536, 5, 0, 2, 2},
	{"torch-2.15-debugmode-partial.txt", "{dp: 2, tp: 4}", 6144 + 4096 + 3072 + 4096, 4, 0, 2, 2},
	{"torch-2.15-debugmode-uneven.txt", "{dp: 2, tp: 4}", 1080 + 288 + 864 + 1080, 4, 0, 1, 1},
	{"torch-2.15-debugmode-embedding.txt", "{dp: 2, tp: 4}", 8192 + 2048 + 512 + 512 + 6144, 5, 0, 2, 0},
	{"torch-2.15-debugmode-redistribute.txt", "{dp: 2, tp: 4}", 1024 + 256 + 256 + 1536 + 768 + 1024, 6, 0, 3, 3},
	{"torch-2.15-commdebug-0.txt", "", 0, 4, 4, 0, 0},
	{"torch-2.15-commdebug-1.txt", "", 0, 4, 4, 0, 0},
	{"torch-2.15-commdebug-3.txt", "", 0, 4, 4, 0, 0},
	{"torch-2.15-commdebug-fsdp.txt", "", 0, 6, 6, 0, 0},
	{"torch-2.15-commdebug-counts.txt", "", 0, 6, 6, 0, 0},
	{"torch-2.15-commdebug-dict.txt", "", 0, 2, 2, 0, 0},
	{"torch-2.15-compile-fsdp.log", "", 2 * 7168, 2, 0, 0, 0},
};

static size_t read_file(const char *name, char *text)
{
	char path[512];
	const char *source = getenv("SRC");
	snprintf(path, sizeof(path), "%s/tests/printed/%s", source ? source : ".", name);
	FILE *file = fopen(path, "re");
	if (!file)
		fail_msg("%s is not there", path);
	size_t length = fread(text, 1, TEXT_MOST, file);
	fclose(file);
	return length;
}

static bool read_mesh(const char *text, sw_mesh *mesh)
{
	sw_diag diag;
	return *text && sw_mesh_parse(sw_str_of(text), mesh, &diag);
}

static void test_file(void **state)
{
	const struct printed *row = *state;
	char *text = malloc(TEXT_MOST);
	assert_non_null(text);
	size_t length = read_file(row->file, text);
	sw_mesh mesh = {0};
	sw_log log;
	sw_diag diag = {.code = SW_OK};
	sw_log_options options = {.mesh = read_mesh(row->mesh, &mesh) ? &mesh : NULL};
	int64_t collectives = 0;
	int problems = 0;
	assert_true(sw_log_read((sw_str){text, length}, &options, arena, &log, &diag));
	for (int i = 0; i < log.traffic.count; i++)
		collectives += log.traffic.row[i].count;
	for (int i = 0; i < log.count; i++)
		problems += log.pairs[i].problem != NULL;
	assert_non_null(log.printed);
	assert_true(log.traffic.bytes == row->bytes);
	assert_int_equal(collectives, row->collectives);
	assert_int_equal(log.traffic.unsized, row->unsized);
	assert_int_equal(log.count, row->pairs);
	assert_int_equal(problems, row->problems);
	free(text);
}

/* Of a file with cases that are empty lines apart, the next one: what XLA prints of a sharding, and on further lines the same in
 * another form. */
static bool next_case(const char **at, sw_str *hlo, sw_str *other)
{
	const char *end = strchr(*at, '\n'), *stop = strstr(*at, "\n\n");
	if (**at != '{' || !end)
		return false;
	*hlo = (sw_str){*at, (size_t)(end - *at)};
	stop = stop ? stop : *at + strlen(*at);
	*other = end < stop ? (sw_str){end + 1, (size_t)(stop - end - 1)} : (sw_str){"", 0};
	*at = *stop ? stop + 2 : stop;
	return true;
}

static const struct other_form {
	const char *file;
	int cases;
} other_forms[] = {{"opsharding-0.10.2.txt", 8}, {"pictures-0.10.2.txt", 4}};

/* Every device has the same tile, by what XLA itself prints. */
static void test_other_form(void **state)
{
	const struct other_form *row = *state;
	char *text = malloc(TEXT_MOST);
	sw_sharding *ends = calloc(2, sizeof(*ends));
	const char *at = text;
	int cases = 0;
	sw_str hlo, other;
	assert_true(text && ends);
	text[read_file(row->file, text)] = '\0';
	for (; next_case(&at, &hlo, &other); cases++) {
		sw_diag diag = {.code = SW_OK};
		int64_t first;
		if (!sw_sharding_parse(hlo, NULL, arena, &ends[0], &diag) ||
			!sw_sharding_parse(other, NULL, arena, &ends[1], &diag))
			fail_msg("%.*s: %s", (int)hlo.length, hlo.at, diag.message);
		assert_int_equal(ends[0].kind, ends[1].kind);
		assert_int_equal(ends[0].device, ends[1].device);
		if (ends[0].kind == SW_SHARDING_TILED && ends[0].mesh.devices)
			assert_int_equal(sw_sharding_differ(&ends[0], &ends[1], arena, &first, &diag), 0);
	}
	assert_int_equal(cases, row->cases);
	free(text);
	free(ends);
}

#define LINE_START "\xE2\x94\x8C"
#define LINE "\xE2\x94\x8C\xE2\x94\x80\xE2\x94\x90\n"
#define BAR "\xE2\x94\x82"

static const char *const no_pictures[] = {LINE, LINE BAR "CPU 0" BAR "CPU 1,2" BAR, LINE BAR "CPU 0" BAR "CPU x" BAR,
	LINE BAR "CPU 0" BAR BAR, LINE BAR "CPU 0" BAR "CPU 1" BAR "\n" BAR "CPU 2" BAR, LINE BAR "CPU 0",
	LINE BAR "CPU 0" BAR "CPU 0" BAR};

static void test_no_picture(void **state)
{
	const char *text = *(const char *const *)*state;
	sw_sharding *sharding = calloc(1, sizeof(*sharding));
	sw_diag diag = {.code = SW_OK};
	assert_non_null(sharding);
	assert_false(sw_sharding_parse(sw_str_of(text), NULL, arena, sharding, &diag));
	assert_true(diag.code != SW_OK && diag.at.end > 0 && diag.at.end <= strlen(text));
	free(sharding);
}

/* Protos and pictures are changed, too. */
static void read_as_sharding(sw_str text)
{
	sw_sharding *sharding = calloc(1, sizeof(*sharding));
	sw_diag diag = {.code = SW_OK};
	assert_non_null(sharding);
	if (!sw_sharding_parse(text, NULL, arena, sharding, &diag))
		assert_true(diag.code != SW_OK && diag.at.end <= text.length);
	free(sharding);
}

/* Cut, copied, swapped, overwritten: it is read, or refused. */
static void test_mutants(void **state)
{
	draw from = draw_start("printed");
	char *text = malloc(TEXT_MOST);
	mutant m;
	sw_mesh mesh = {0};
	(void)state;
	assert_non_null(text);
	for (int round = 0; round < 3000; round++) {
		const struct printed *row = &files[draw_below(&from, (int)COUNT(files))];
		sw_log_options options = {.mesh = read_mesh(row->mesh, &mesh) ? &mesh : NULL};
		sw_log log;
		sw_diag diag = {.code = SW_OK};
		size_t length = read_file(round % 4 ? row->file : other_forms[round / 4 % 2].file, text), from_case = 0;
		text[length < 6000 ? length : 6000] = '\0';
		if (round % 4 == 0) {
			const char *found = strstr(text, round % 8 ? "goo.gle" : LINE_START);
			from_case = found ? (size_t)(found - text) : 0;
		}
		mutant_draw(&m, &from, text + from_case);
		char *copy = mutant_copy(&m);
		assert_non_null(copy);
		assert_true(sw_log_read((sw_str){copy, m.length}, &options, arena, &log, &diag));
		assert_true(log.traffic.bytes >= 0);
		if (round % 4 == 0)
			read_as_sharding((sw_str){copy, m.length});
		for (int i = 0; i < log.count; i++)
			assert_true(log.pairs[i].at.end <= m.length && (log.pairs[i].problem || log.pairs[i].why->code != SW_OK));
		free(copy);
		sw_arena_clear(arena);
	}
	free(text);
}

static const char *const errors[] = {"failed-2.10-two-meshes.txt", "failed-2.10-unbind.txt", "failed-2.10-view.txt",
	"failed-2.15-index-put.txt", "failed-2.15-unbind.txt", "failed-2.15-view.txt"};

static bool is_inside(sw_str slice, sw_str text)
{
	return !slice.length || (slice.at >= text.at && slice.at + slice.length <= text.at + text.length);
}

/* An error that was changed is read, with slices of the text, or refused where it ends. */
static void check_failed(sw_str text, int *read)
{
	sw_log_failed failed;
	sw_diag diag = {.code = SW_OK};
	if (!sw_log_is_failed(text))
		return;
	if (!sw_log_read_failed(text, &failed, &diag)) {
		assert_int_equal(diag.code, SW_N01);
		assert_true(diag.at.begin <= diag.at.end && diag.at.end == text.length);
		return;
	}
	++*read;
	assert_true(is_inside(failed.op, text) && is_inside(failed.mesh, text) && is_inside(failed.reason, text));
	assert_true(failed.operands >= 0 && failed.operands <= SW_LOG_OPERANDS && failed.dim >= -1 && failed.axis >= -1);
	for (int i = 0; i < failed.operands; i++)
		assert_true(failed.operand[i].length > 0 && is_inside(failed.operand[i], text));
}

static void test_failed_mutants(void **state)
{
	draw from = draw_start("failed");
	char *text = malloc(TEXT_MOST);
	mutant m;
	int read = 0;
	(void)state;
	assert_non_null(text);
	for (int round = 0; round < 4000; round++) {
		text[read_file(errors[draw_below(&from, (int)COUNT(errors))], text)] = '\0';
		mutant_draw(&m, &from, text);
		char *copy = mutant_copy(&m);
		assert_non_null(copy);
		check_failed((sw_str){copy, m.length}, &read);
		free(copy);
	}
	assert_true(read > 0);
	free(text);
}

/* Every beginning of an error is read or refused, and the whole of it is read. */
static void test_failed_cut(void **state)
{
	const char *file = *(const char *const *)*state;
	char *text = malloc(TEXT_MOST);
	int read = 0;
	assert_non_null(text);
	size_t length = read_file(file, text);
	for (size_t cut = 0; cut <= length; cut++) {
		char *copy = malloc(cut + 1);
		assert_non_null(copy);
		memcpy(copy, text, cut);
		check_failed((sw_str){copy, cut}, &read);
		free(copy);
	}
	assert_true(read > 0);
	free(text);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(test_file, files, file),
		ROWS(test_other_form, other_forms, file),
		TEXTS(test_no_picture, no_pictures),
		TEST(test_mutants),
		TEST(test_failed_mutants),
		TEXTS(test_failed_cut, errors),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
