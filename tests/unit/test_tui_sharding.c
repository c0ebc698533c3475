/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of a sharding: whatever the sharding and the width, what it shows is what the engine says.
 */
#include <locale.h>

#include <shardwalk/arena.h>
#include <shardwalk/notation.h>

#include "kit/arena.h"
#include "kit/draw.h"
#include "views/views.h"
#include "kit/kit.h"

static void read_text(const char *text, const sw_mesh *mesh, sw_sharding *out)
{
	sw_notation_context context = {.mesh = mesh, .rank = -1};
	sw_diag diag = {.code = SW_OK};
	if (!sw_sharding_parse(sw_str_of(text), &context, arena, out, &diag))
		fail_msg("%s: %s", text, diag.message);
}

static void print_view(const sw_sharding *one, const sw_sharding *two, int width, sw_text *text)
{
	struct view_options options = view_options_default(width);
	struct view_input in = {.sharding = one, .other = two};
	struct canvas canvas = {0};
	struct canvas_style style = {.ascii = true};
	sw_diag diag = {.code = SW_OK};
	if (!view_sharding(&in, &options, &canvas, &diag))
		fail_msg("%s", diag.message);
	assert_true(canvas.width <= width && !canvas.failed);
	canvas_print(&canvas, &style, text);
	canvas_free(&canvas);
}

/* A transposed iota over a grid of two or three dimensions, of at most 64 devices. */
static void draw_sharding(draw *from, char text[128])
{
	static const int sizes[] = {1, 2, 3, 4};
	int a = sizes[draw_below(from, 4)], b = sizes[1 + draw_below(from, 3)], c = sizes[1 + draw_below(from, 3)];
	static const char *const orders[] = {"0,1,2", "0,2,1", "1,0,2", "1,2,0", "2,0,1", "2,1,0"};
	int cut[] = {a, b, c}, turn = draw_below(from, 3);
	snprintf(text, 128, "{devices=[%d,%d,%d]<=[%d,%d,%d]T(%s)%s}", cut[turn], cut[(turn + 1) % 3],
		cut[(turn + 2) % 3], a, b, c, orders[draw_below(from, 6)],
		draw_below(from, 2) ? " last_tile_dim_replicate" : "");
}

/* `12 [0, 3]` stands somewhere in the table. */
static void expect_device(const char *table, int64_t device, const int64_t *tile, int rank, const char *text)
{
	char entry[128], *at = entry;
	at += snprintf(at, 32, " %lld [", (long long)device);
	for (int d = 0; d < rank; d++)
		at += snprintf(at, 32, "%s%lld", d ? ", " : "", (long long)tile[d]);
	snprintf(at, 8, "]");
	if (!strstr(table, entry))
		fail_msg("%s: no '%s' in\n%s", text, entry, table);
}

static void tables_are_true(void **state)
{
	draw from = draw_start("pictures");
	(void)state;
	for (int round = 0; round < 400; round++) {
		char text[128];
		sw_sharding s;
		sw_text view = {0};
		draw_sharding(&from, text);
		read_text(text, NULL, &s);
		print_view(&s, NULL, 400, &view);
		const int64_t *table = sw_sharding_table(&s, arena, NULL);
		const char *shown = strstr(sw_text_get(&view), "device and its tile");
		assert_true(table && (shown || s.mesh.devices == 1));
		for (int64_t device = 0; shown && device < s.mesh.devices; device++)
			expect_device(shown, device, table + device * s.rank, s.rank, text);
		sw_text_free(&view);
		sw_arena_clear(arena);
	}
}

/* At any width nothing is lost but what is counted, and no line is longer than the view. */
static void widths_hold(void **state)
{
	static const char *const texts[] = {"{devices=[2,32,16]<=[2,8,4,16]T(0,2,1,3) last_tile_dim_replicate}",
		"{devices=[4]3,2,1,0}", "{devices=[1024]<=[1024]}", "{devices=[1,1,1024]<=[32,32]T(1,0)}",
		"{devices=[1024,1]<=[2,2,2,2,2,2,2,2,2,2]T(9,8,7,6,5,4,3,2,1,0)}", "{replicated}",
		"{devices=[65536,16]<=[1048576] last_tile_dim_replicate}"};
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		for (int width = 24; width <= 200; width += 11) {
			sw_sharding s;
			sw_text view = {0};
			read_text(texts[i], NULL, &s);
			print_view(&s, NULL, width, &view);
			int lines = 0;
			for (const char *at = sw_text_get(&view); *at; lines++) {
				size_t length = strcspn(at, "\n");
				assert_true(length <= (size_t)width);
				at += length + (at[length] == '\n');
			}
			assert_true(lines < 130);
			sw_text_free(&view);
			sw_arena_clear(arena);
		}
}

static void two_side_by_side(void **state)
{
	sw_sharding a, b;
	sw_text view = {0};
	(void)state;
	read_text("{devices=[4,1]<=[4]}", NULL, &a);
	read_text("{devices=[4,1]<=[2,2]T(1,0)}", NULL, &b);
	print_view(&a, &b, 80, &view);
	assert_string_equal(sw_text_get(&view),
		"device, its tile in the first and in the second; * where they differ\n"
		" 0 [0, 0] [0, 0]  *1 [1, 0] [2, 0]  *2 [2, 0] [1, 0]   3 [3, 0] [3, 0]\n");
	sw_text_clear(&view);
	read_text("{devices=[1024]<=[1024]}", NULL, &a);
	read_text("{devices=[1024]<=[512,2]T(0,1)}", NULL, &b);
	print_view(&a, &b, 80, &view);
	assert_non_null(strstr(sw_text_get(&view), "more devices"));
	assert_null(strstr(sw_text_get(&view), "*"));
	sw_text_clear(&view);
	read_text("{devices=[512,2]<=[1024] last_tile_dim_replicate}", NULL, &a);
	read_text("{devices=[512,2]<=[256,2,2]T(0,2,1) last_tile_dim_replicate}", NULL, &b);
	print_view(&a, &b, 80, &view);
	assert_non_null(strstr(sw_text_get(&view), "devices that differ, with the tile of each sharding"));
	assert_non_null(strstr(sw_text_get(&view), "*   1 [0]   [1]"));
	assert_null(strstr(sw_text_get(&view), " 0 [0]"));
	sw_text_free(&view);
}

static void nothing_to_show(void **state)
{
	struct view_options options = view_options_default(80);
	struct view_input in = {.sharding = NULL};
	struct canvas canvas = {0};
	sw_diag diag = {.code = SW_OK};
	(void)state;
	assert_false(view_sharding(&in, &options, &canvas, &diag));
	assert_int_equal(diag.code, SW_L07);
	canvas_free(&canvas);
}

static int start(void **state)
{
	setlocale(LC_ALL, "C.UTF-8");
	return arena_start(state);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(tables_are_true),
		TEST(widths_hold),
		TEST(two_side_by_side),
		TEST(nothing_to_show),
	};
	return kit_run(tests, COUNT(tests), start, arena_end);
}
