/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views of products: blocks as terms, indices of devices; compared with tests/views in three sizes and three styles.
 */
#include <locale.h>
#include <signal.h>

#include "host/interrupt.h"
#include "kit/arena.h"
#include "kit/pictures.h"
#include "kit/snapshot.h"
#include "views/products.h"
#include "views/program.h"
#include "views/views.h"

static const struct scene {
	const char *name, *text;
} scenes[] = {
	{"products",
		"mesh {x: 2, y: 2}\n"
		"fn main(A : [64, 16{x}32], B : [16{x}32, 48], w : [48, 32{y}64]) -> ? {\n"
		"  C = einsum \"ij,jk->ik\" A B as [64, 48]\n"
		"  D = einsum \"ik,kl->li\" C w\n"
		"  return D\n}\n"},
	{"products-many",
		"mesh {x: 16, y: 4, z: 4, p: 2}\n"
		"fn main(q : [2, 2{x}32, 8{y}32, 4{z}16], k : [2, 2{x}32, 8{y}32, 16]+{p}, a1 : [2{x}32, 32], b1 : [32, 8{z}32])"
		" -> ? {\n"
		"  s = einsum \"bhqd,bhqe->bhde\" q k\n"
		"  c1 = spmd_op a1 b1 (u : [2, 32], v : [32, 8]) {\n"
		"    return matmul u v\n  } as [2{x}32, 8{z}32]\n"
		"  return c1\n}\n"},
};

static void read_scene(const char *text, sw_program *program)
{
	sw_diag diag;
	if (!sw_program_parse(sw_str_of(text), NULL, arena, program, &diag))
		fail_msg("%s", diag.message);
}

static void view_add(const struct view *view, const sw_program *program, sw_text *all)
{
	for (size_t i = 0; i < COUNT(picture_sizes); i++) {
		struct canvas canvas = {0};
		struct view_options options = view_options_default(picture_sizes[i].width);
		const struct view_input in = {.products = program};
		sw_diag diag;
		if (!view->draw(&in, &options, &canvas, &diag))
			fail_msg("%s", diag.message);
		assert_svg_same(&canvas);
		sw_text_addf(all, "== %s\n", view->name);
		for (size_t k = 0; k < COUNT(picture_styles); k++)
			picture_add(&canvas, (int)k, all);
		canvas_free(&canvas);
	}
}

static void scene_is_as_before(void **state)
{
	const struct scene *scene = *state;
	static const char *const names[] = {"terms", "indices"};
	sw_text found = {0}, text = {0};
	sw_program program;
	read_scene(scene->text, &program);
	for (int i = 0; i < 2; i++)
		view_add(view_named(sw_str_of(names[i])), &program, &found);
	for (const char *at = sw_text_get(&found); *at; at++)
		sw_text_add_char(&text, *at == '\033' ? '$' : *at);
	assert_snapshot("views", scene->name, sw_text_get(&text));
	sw_text_free(&found);
	sw_text_free(&text);
}

/* Every block of every letter is multiplied somewhere: each device's pieces are among them, and all are reached. */
static void all_blocks_are_multiplied(void **state)
{
	(void)state;
	sw_program program;
	struct product product;
	int64_t pieces[PRODUCT_LETTERS], seen[64] = {0}, blocks, reached = 0;
	read_scene(scenes[0].text, &program);
	for (int n = 0; product_at(&program, n, &product); n++) {
		blocks = product_blocks(&product, false);
		assert_in_range(blocks, 1, 64);
		memset(seen, 0, sizeof seen);
		reached = 0;
		for (int64_t slot = 0; slot < program.mesh.devices; slot++) {
			int64_t number = 0;
			product_pieces(&product, slot, pieces);
			for (int i = 0; i < product.letters; i++) {
				assert_in_range(pieces[i], 0, product.cuts[i] - 1);
				number = number * product.cuts[i] + pieces[i];
			}
			reached += !seen[number]++;
		}
		assert_int_equal(reached, blocks);
	}
	assert_false(product_at(&program, 2, &product));
}

/* A long list of values ends where a signal came; one that fits into a screen is drawn to its end. */
static void a_signal_ends_a_long_list(void **state)
{
	const struct view_options options = view_options_default(80);
	(void)state;
	interrupt_install();
	for (int values = 512; values <= 4096; values *= 8) {
		struct program_picture picture = {.machine = NULL};
		const struct view_input in = {.program = &picture};
		struct canvas canvas = {0};
		sw_text text = {0};
		sw_program program;
		sw_diag diag;
		sw_text_add(&text, "mesh {x: 2}\nfn f(v0 : [4{x}8]) -> [4{x}8] {\n");
		for (int v = 1; v < values; v++)
			sw_text_addf(&text, "  v%d = relu v%d\n", v, v - 1);
		sw_text_addf(&text, "  return v%d\n}\n", values - 1);
		read_scene(sw_text_get(&text), &program);
		picture.program = &program;
		raise(SIGINT);
		bool whole = view_program(&in, &options, &canvas, &diag);
		interrupt_clear();
		assert_true(whole == (values < 1024) && (whole || diag.code == SW_S03));
		assert_true(whole ? canvas.height > values : canvas.height < values);
		canvas_free(&canvas);
		sw_text_free(&text);
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(scene_is_as_before, scenes, name),
		TEST(all_blocks_are_multiplied),
		TEST(a_signal_ends_a_long_list),
	};
	setlocale(LC_ALL, "C.UTF-8");
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
