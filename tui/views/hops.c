/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the members of a group hold of every piece after so many hops, and send in the next one, in signs.
 */
#include "views/hops.h"

#include "canvas/glyphs.h"
#include "views/draw.h"

int64_t hops_device(const struct view_input *in, int64_t m)
{
	return sw_device_at(sw_plan_order(in->plan, in->rounds_step), sw_rounds_slot(in->rounds, m));
}

struct words hops_name(const struct view_input *in, int64_t m)
{
	return words_device(&in->plan->problem.mesh, hops_device(in, m));
}

bool hops_sum(const sw_rounds *r)
{
	return r->kind == SW_ROUNDS_SUM || r->kind == SW_ROUNDS_SUM_GATHER;
}

/* 0 to 9, a to z. */
static char sign_of(int64_t n)
{
	return n < 10 ? (char)('0' + n) : n < 36 ? (char)('a' + n - 10) : '*';
}

/* ---- what is sent ---- */

/* "7", half of it "7/2", several "4-7", of an alltoall "0 x3.5". */
void hops_send_text(const sw_rounds *r, const sw_rounds_send *send, sw_text *text)
{
	sw_text_addf(text, "%lld", (long long)send->piece);
	if (send->pieces > 1)
		sw_text_addf(text, "-%lld", (long long)(send->piece + send->pieces - 1));
	if (r->kind == SW_ROUNDS_SWAP)
		sw_text_addf(text, "\u00d7%g", send->amount);
	else
		sw_text_add(text, send->amount < (double)send->pieces ? "/2" : "");
}

/* What goes up and down after so many hops: "→7 ←1". */
void hops_sends_text(const sw_rounds *r, int64_t hops, int64_t m, sw_text *text)
{
	for (int up = 1; up >= 0; up--) {
		sw_rounds_send send = sw_rounds_sent(r, hops + 1, m, up != 0);
		if (send.amount <= 0)
			continue;
		sw_text_add(text, text->length ? " " : "");
		sw_text_add(text, up ? "\u2192" : "\u2190");
		hops_send_text(r, &send, text);
	}
}

int hops_sends_width(const sw_rounds *r)
{
	int most = 0;
	for (int64_t hop = 0; hop < r->hops; hop++)
		for (int64_t m = 0; m < r->members; m++) {
			sw_text text = {0};
			hops_sends_text(r, hop, m, &text);
			int width = canvas_text_width(sw_text_get(&text));
			most = width > most ? width : most;
			sw_text_free(&text);
		}
	return most;
}

/* ---- what is held ---- */

static enum role role_held(const sw_rounds *r, int64_t hops, int64_t m, int64_t piece)
{
	int64_t held = sw_rounds_held(r, hops, m, piece);
	int64_t before = hops ? sw_rounds_held(r, hops - 1, m, piece) : held;
	if (!held)
		return ROLE_DIM;
	if (held != before)
		return hops_sum(r) && held == r->members ? ROLE_GOOD : ROLE_MOVED;
	return ROLE_KEPT;
}

/* A sign a piece: its number, of a sum how many terms it has. */
void hops_draw_held(const sw_rounds *r, int64_t hops, int64_t m, int stride, struct canvas *out, int x, int y)
{
	for (int64_t p = 0; p < r->members; p++) {
		int64_t held = sw_rounds_held(r, hops, m, p);
		uint32_t glyph = held ? (uint32_t)sign_of(hops_sum(r) ? held : p) : GLYPH_DOT;
		canvas_put_glyph(out, x + (int)p * stride, y, role_held(r, hops, m, p), glyph);
	}
}

void hops_draw_some(const sw_rounds *r, int64_t hops, int64_t m, const int64_t range[2], struct canvas *out, int x,
	int y)
{
	bool held = false, lacks = false, grown = false;
	for (int64_t p = range[0]; p < range[1] && !(held && lacks && grown); p++) {
		bool has = sw_rounds_held(r, hops, m, p) > 0;
		held = held || has;
		lacks = lacks || !has;
		grown = grown || (has && role_held(r, hops, m, p) != ROLE_KEPT);
	}
	uint32_t glyph = held && !lacks ? GLYPH_FULL : held ? GLYPH_SHADE2 : GLYPH_DOT;
	canvas_put_glyph(out, x, y, grown ? ROLE_MOVED : held ? ROLE_KEPT : ROLE_DIM, glyph);
}
