/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of products and programs as other systems write them.
 */
#include <jansson.h>

#include <shardwalk/program_text.h>

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/draw.h"
#include "kit/kit.h"
#include "kit/mutate.h"

static bool read_product(const sw_mesh *mesh, sw_str text, sw_product_text *product, sw_diag *diag)
{
	*diag = (sw_diag){.code = SW_OK};
	if (sw_product_form_of(text) == SW_PRODUCT_BOOK)
		return sw_product_read_book(mesh, text, arena, product, diag);
	return sw_product_read_jax(mesh, text, arena, product, diag);
}

static void mesh_of(const char *text, sw_mesh *mesh)
{
	sw_diag diag;
	if (!sw_mesh_parse(sw_str_of(text), mesh, &diag))
		fail_msg("%s: %s", text, diag.message);
}

/* `ij,jk->ik A, B as C` */
static const char *written(const sw_mesh *mesh, const sw_product_text *product)
{
	sw_text text = {0};
	sw_equation_print(&product->equation, &text);
	sw_text_add(&text, " ");
	sw_type_print(mesh, &product->a, product->a.dtype_given, &text);
	sw_text_add(&text, ", ");
	sw_type_print(mesh, &product->b, product->b.dtype_given, &text);
	if (product->wanted) {
		sw_text_add(&text, " as ");
		sw_type_print(mesh, &product->as, false, &text);
	}
	const char *kept = sw_arena_copy(arena, sw_text_get(&text), text.length);
	sw_text_free(&text);
	return kept;
}

static const struct product_row {
	const char *text, *mesh, *means;
} products[] = {
	{"jnp.einsum('bd,df->bf', x: bf16[8,2048] P('x', 'y'), w: bf16[2048,8192] P(None, 'y'), out_sharding=P('x', 'y'))",
		"{x: 4, y: 2}", "bd,df->bf bf16[2{x}8, 1024{y}2048], bf16[2048, 4096{y}8192] as [2{x}8, 4096{y}8192]"},
	{"jnp.einsum('bd,df->bf', x: f32[8,2048] P('x', None), w: f32[2048,8192] P(None, 'y'))", "{x: 4, y: 2}",
		"bd,df->bf f32[2{x}8, 2048], f32[2048, 4096{y}8192]"},
	{"y = jax.numpy.einsum(\"bd,df->bf\", f32[8@x,2048], w: float32[2048,8192@(x,y)], precision='highest', "
	 "out_shardings=PartitionSpec('x',),)",
		"{x: 4, y: 2}", "bd,df->bf f32[2{x}8, 2048], f32[2048, 1024{y,x}8192] as [2{x}8, 8192]"},
	{"jnp.dot(x: f32[8,2048] P('x'), w: f32[2048])", "{x: 4, y: 2}", "ij,j->i f32[2{x}8, 2048], f32[2048]"},
	{"jnp.dot(x: f32[8,16], w: f32[4,16,2@x])", "{x: 2}", "ij,kjl->ikl f32[8, 16], f32[4, 16, 1{x}2]"},
	{"jnp.matmul(x: f32[6@x,8,16], w: f32[6@x,16,32])", "{x: 2}",
		"ijk,ikl->ijl f32[3{x}6, 8, 16], f32[3{x}6, 16, 32]"},
	{"jnp.matmul(x: f32[6@x,8,16], w: f32[16,32])", "{x: 2}", "ijk,kl->ijl f32[3{x}6, 8, 16], f32[16, 32]"},
	{"x: f32[8@x,2048] @ w: f32[2048@x,8192]", "{x: 4}", "ij,jk->ik f32[2{x}8, 2048], f32[512{x}2048, 8192]"},
	{"z = (x: f32[8@x,2048]{U:y}) @ (w: f32[2048,8192] P())", "{x: 4, y: 2}",
		"ij,jk->ik f32[2{x}8, 2048]+{y}, f32[2048, 8192]"},
	{"jnp.matmul(x: f32[8,2048] P('x', unreduced={'y'}), w: f32[2048,8192], out_sharding=P('x', unreduced={'y'}))",
		"{x: 4, y: 2}", "ij,jk->ik f32[2{x}8, 2048]+{y}, f32[2048, 8192] as [2{x}8, 8192]+{y}"},
	{"A[I:64, J_X:32] B[J_X:32, K:48] -> C[I, K_X]", "{X: 4}",
		"ij,jk->ik [64, 8{X}32], [8{X}32, 48] as [64, 12{X}48]"},
	{"A[I:64, J_X:32] B[J_X:32, K:48] -> C[I, K] {U_X}", "{X: 4}",
		"ij,jk->ik [64, 8{X}32], [8{X}32, 48] as [64, 48]+{X}"},
	{"A[I_{XY}:64, J] * B[J:32, K:48]", "{X: 4, Y: 2}", "ij,jk->ik [8{Y,X}64, 32], [32, 48]"},
	{"bf16[B_X:8, D_Y:2048] · W[D, F_Y:8192] → C[B_X, F_Y]", "{X: 4, Y: 2}",
		"bd,df->bf bf16[2{X}8, 1024{Y}2048], bf16[2048, 4096{Y}8192] as [2{X}8, 4096{Y}8192]"},
	{"A[batch_X:8, i:4] B[batch_X, I:4, i] -> C[batch_X, I]", "{X: 2}",
		"bi,bIi->bI [4{X}8, 4], [4{X}8, 4, 4] as [4{X}8, 4]"},
};

static void product_is_read(void **state)
{
	const struct product_row *row = *state;
	sw_mesh mesh;
	sw_product_text product;
	sw_diag diag;
	mesh_of(row->mesh, &mesh);
	if (!read_product(&mesh, sw_str_of(row->text), &product, &diag))
		fail_msg("%s: %s (expected %s)", row->text, diag.message, diag.expected);
	assert_string_equal(written(&mesh, &product), row->means);
}

static const struct refused_row {
	const char *text;
	sw_code code;
	const char *at, *message;
} refused[] = {
	{"jnp.einsum('bd,df->bf', x, w)", SW_N03, "x", "nothing says the type of 'x'"},
	{"jnp.einsum('bd,df->bf', x: f32[8,4] P('q'), w: f32[4,8])", SW_T02, "'q'", "not in the mesh"},
	{"jnp.einsum('bd,df->bf', x: f32[8@X] P('X'), w: f32[4,8])", SW_N01, "P('X')", "and so does what follows"},
	{"jnp.einsum('bd,df->bq', x: f32[8,4], w: f32[4,8])", SW_A02, "q", "q"},
	{"jnp.einsum('bd,df->bf', x: f32[8,4], w: f32[5,8])", SW_A04, NULL, "letter 'd' is 4 in A and 5 in B"},
	{"jnp.einsum('bd,df->bf', x: f32[8,4])", SW_N01, NULL, "too early"},
	{"jnp.einsum('bd,df->bf', x: f32[8,4], w: f32[4,8]", SW_N01, NULL, "too early"},
	{"jnp.einsum(bd, x: f32[8,4], w: f32[4,8])", SW_N01, "bd", "cannot read"},
	{"jnp.tensordot(x: f32[8,4], w: f32[4,8])", SW_N01, NULL, "cannot read"},
	{"jnp.dot(x: f32[], w: f32[4,8])", SW_A03, NULL, "0 and of 2 dimensions"},
	{"A[I:64, J_X:32] B[J_X:33, K:48]", SW_A04, "J_X:33", "letter 'J' is 32 and 33"},
	{"A[I, J_X:32] B[J_X, K:48]", SW_N03, "A[I, J_X:32]", "the size of I"},
	{"A[I:64, J_Z:32] B[J, K:48]", SW_T02, "Z", "not in the mesh"},
	{"A[I:64, J:0] B[J, K:48]", SW_N01, NULL, NULL},
	{"A[I:64, J:32]", SW_N01, NULL, "too early"},
	{"A[I:64, J:32] B[J, K:48] C[I, K]", SW_N01, "C[I, K]", "cannot read"},
	{"A[I:64, I:64] B[I, K:48]", SW_A02, NULL, "i"},
};

static void product_is_refused(void **state)
{
	const struct refused_row *row = *state;
	sw_mesh mesh;
	sw_product_text product;
	sw_diag diag;
	mesh_of("{X: 4, Y: 2}", &mesh);
	assert_false(read_product(&mesh, sw_str_of(row->text), &product, &diag));
	if (diag.code != row->code || (row->message && !strstr(diag.message, row->message)))
		fail_msg("%s: %s %s", row->text, sw_code_info_of(diag.code)->name, diag.message);
	assert_true(diag.at.end <= strlen(row->text) && diag.at.begin <= diag.at.end);
	if (row->at) {
		size_t length = strlen(row->at);
		if (diag.at.end - diag.at.begin != length || memcmp(row->text + diag.at.begin, row->at, length) != 0)
			fail_msg("%s: at %.*s", row->text, (int)(diag.at.end - diag.at.begin), row->text + diag.at.begin);
	}
}

/* Whatever a text has become, it is read or refused with a position inside it. */
static void changed_products_keep_their_places(void **state)
{
	(void)state;
	draw from = draw_start("changed products");
	static mutant m;
	sw_mesh mesh;
	mesh_of("{x: 4, y: 2, X: 2}", &mesh);
	for (int round = 0; round < 10000; round++) {
		sw_product_text product;
		sw_diag diag;
		mutant_draw(&m, &from, products[draw_below(&from, COUNT(products))].text);
		char *copy = mutant_copy(&m);
		sw_arena_mark mark = sw_arena_here(arena);
		bool ok = read_product(&mesh, (sw_str){copy, m.length}, &product, &diag);
		sw_span at = ok ? product.at_b : diag.at;
		if ((!ok && diag.code == SW_OK) || at.end > m.length || at.begin > at.end)
			fail_msg("%.*s: code %d at %zu to %zu", (int)m.length, copy, diag.code, at.begin, at.end);
		sw_arena_back(arena, mark);
		free(copy);
	}
}

/* ---- the lines of the cases ---- */

static void check_line(const char *name, json_t *line)
{
	const char *mesh_text = json_string_value(json_object_get(line, "mesh"));
	const char *text = json_string_value(json_object_get(line, "text"));
	const char *equation = json_string_value(json_object_get(line, "einsum"));
	sw_product_text product;
	sw_type type;
	sw_diag diag;
	sw_mesh mesh;
	if (!equation)
		return;
	mesh_of(mesh_text, &mesh);
	if (!read_product(&mesh, sw_str_of(text), &product, &diag))
		fail_msg("%s: %s", name, diag.message);
	sw_text printed = {0};
	sw_equation_print(&product.equation, &printed);
	assert_string_equal(sw_text_get(&printed), equation);
	sw_text_free(&printed);
	static const char *const keys[] = {"a", "b", "as"};
	const sw_type *read[] = {&product.a, &product.b, product.wanted ? &product.as : NULL};
	for (int i = 0; i < 3; i++) {
		const char *said = json_string_value(json_object_get(line, keys[i]));
		assert_true(!said == !read[i]);
		if (!said)
			continue;
		assert_true(sw_type_parse(&mesh, sw_str_of(said), &type, &diag));
		assert_true(sw_type_same_map(&mesh, &type, read[i]));
	}
}

static void lines_of_the_cases(void **state)
{
	(void)state;
	json_t *line;
	FILE *file = cases_open("programs-notations.jsonl");
	char text[4096];
	int count = 0;
	assert_non_null(file);
	while (fgets(text, sizeof(text), file) && (line = json_loads(text, 0, NULL))) {
		check_line(json_string_value(json_object_get(line, "name")), line);
		count += json_object_get(line, "einsum") != NULL;
		json_decref(line);
	}
	fclose(file);
	assert_true(count >= 4);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(product_is_read, products, text),
		ROWS(product_is_refused, refused, text),
		TEST(lines_of_the_cases),
		TEST(changed_products_keep_their_places),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
