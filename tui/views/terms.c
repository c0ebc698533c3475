/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each block of a product as the terms that it is made of, and which devices multiply them.
 */
#include <stdlib.h>
#include <string.h>

#include "views/draw.h"
#include "views/products.h"

#define BLOCK_ROWS 24
#define TERMS_MOST 16
#define DEVICES_LISTED 4096

/* Block numbers without commas, where each is one digit and the name ends with a letter. */
static bool plain_numbers(const struct product *p)
{
	for (int i = 0; i < p->letters; i++)
		if (p->cuts[i] > 10)
			return false;
	for (int side = 0; side < SW_EQUATION_SIDES; side++) {
		sw_str name = p->name[side];
		char last = name.length ? name.at[name.length - 1] : '0';
		if ((last >= '0' && last <= '9') || p->equation.rank[side] == 0)
			return false;
	}
	return true;
}

/* a01, or a1[0,12]. */
static void block_text(const struct product *p, int side, const int64_t *pieces, bool plain, sw_text *text)
{
	sw_text_add_str(text, p->name[side]);
	sw_text_add(text, plain ? "" : "[");
	for (int i = 0; i < p->equation.rank[side]; i++) {
		const char *at = memchr(p->letter, p->equation.letter[side][i], (size_t)p->letters);
		sw_text_addf(text, "%s%lld", i && !plain ? "," : "", (long long)pieces[at - p->letter]);
	}
	sw_text_add(text, plain ? "" : "]");
}

static void set_pieces(const struct product *p, int from, int to, int64_t number, int64_t *pieces)
{
	for (int i = to - 1; i >= from; i--) {
		pieces[i] = number % p->cuts[i];
		number /= p->cuts[i];
	}
}

/* The devices that multiply this block. */
static int64_t list_devices(const struct product *p, const int64_t *pieces, int64_t *device)
{
	const sw_mesh *mesh = &p->program->mesh;
	int64_t count = 0, there[PRODUCT_LETTERS];
	for (int64_t slot = 0; slot < mesh->devices && count < DEVICES_LISTED; slot++) {
		product_pieces(p, slot, there);
		if (memcmp(there, pieces, (size_t)p->letters * sizeof *there) == 0)
			device[count++] = sw_device_at(mesh->order, slot);
	}
	return count;
}

static void term_text(const struct product *p, const int64_t *pieces, bool plain, sw_text *text)
{
	block_text(p, SW_EQUATION_A, pieces, plain, text);
	sw_text_add_char(text, ' ');
	block_text(p, SW_EQUATION_B, pieces, plain, text);
}

/* One row for the sum, and one for who multiplies what. */
static int block_draw(const struct product *p, int64_t block, bool plain, int64_t *device, struct canvas *out, int y)
{
	int64_t pieces[PRODUCT_LETTERS] = {0}, terms = product_blocks(p, false) / product_blocks(p, true);
	sw_text sum = {0}, who = {0};
	set_pieces(p, 0, p->kept, block, pieces);
	block_text(p, SW_EQUATION_RESULT, pieces, plain, &sum);
	sw_text_add(&sum, " = ");
	for (int64_t t = 0; t < terms && t < TERMS_MOST; t++) {
		set_pieces(p, p->kept, p->letters, t, pieces);
		sw_text_add(&sum, t ? " + " : "");
		sw_text_addf(&who, "%s", t ? "; " : "");
		term_text(p, pieces, plain, &sum);
		term_text(p, pieces, plain, &who);
		int64_t count = list_devices(p, pieces, device);
		sw_text_add(&who, count ? count == 1 ? " on device " : " on devices " : " nowhere");
		devices_text(&p->program->mesh, device, count, count, 24, &who);
	}
	if (terms > TERMS_MOST)
		sw_text_addf(&sum, " + … %lld more", (long long)(terms - TERMS_MOST));
	y = canvas_put_wrapped(out, 2, y, out->width - 2, 4, ROLE_TEXT, sw_text_get(&sum));
	y = canvas_put_wrapped(out, 6, y, out->width - 6, 2, ROLE_NOTE, sw_text_get(&who));
	sw_text_free(&sum);
	sw_text_free(&who);
	return y;
}

static int sums_draw(const struct product *p, struct canvas *out, int y)
{
	for (int side = 0; side < 2; side++)
		if (sw_type_terms(p->type[side]) > 1)
			y = draw_note(out, 2, y, ROLE_NOTE,
				"%.*s is itself a sum of %lld terms: each device multiplies the term that it holds",
				(int)p->name[side].length, p->name[side].at, (long long)sw_type_terms(p->type[side]));
	return y;
}

static int product_draw(const struct product *p, int64_t *device, struct canvas *out, int y)
{
	struct stretch stretches[STRETCHES_MAX];
	int64_t blocks = product_blocks(p, false) < 0 ? -1 : product_blocks(p, true);
	bool plain = plain_numbers(p);
	y = product_draw_head(p, out, y);
	if (blocks < 0)
		return draw_note(out, 2, y, ROLE_WARN, "too many blocks to list: `show indices` groups them") + 1;
	int count = fold_stretches(blocks, BLOCK_ROWS, -1, stretches);
	for (int i = 0; i < count; i++)
		if (stretch_folded(stretches[i]))
			y = draw_note(out, 2, y, ROLE_DIM, "… %s",
				words_plural(stretches[i].to - stretches[i].from + 1, "block more", "blocks more").text);
		else
			y = block_draw(p, stretches[i].from, plain, device, out, y);
	return sums_draw(p, out, y) + 1;
}

bool view_terms(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct product product;
	if (!in->products || !product_at(in->products, 0, &product))
		return draw_missing(diag, "product", "type: program FILE, or a product: einsum ij,jk->ik A, B");
	if (!draw_begin("terms", opt, out))
		return true;
	int64_t *device = malloc(DEVICES_LISTED * sizeof *device);
	int y = draw_title(out, 0, "terms", "blocks of products as sums of products of blocks") + 1;
	for (int n = 0; device && product_at(in->products, n, &product); n++)
		y = product_draw(&product, device, out, y);
	free(device);
	return device || sw_diag_memory(diag);
}
