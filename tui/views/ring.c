/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rings and lines of devices: around a rectangle, clockwise from its upper left corner.
 */
#include "views/ring.h"

#include <assert.h>
#include <string.h>

#include "answer/words.h"
#include "canvas/glyphs.h"
#include "views/draw.h"
#include "views/hops.h"

enum { LEAST = 3, TALL = 3 };

struct ring {
	const sw_rounds *r;
	int64_t hops;
	int margin, name, cell; /* columns on the left, of a number, of a device with what it holds */
	int link, side;         /* of what is on a link between two columns, and beside a vertical one */
	int across, down;       /* devices of a horizontal side, of a vertical one */
	int gap;                /* rows between two of these */
};

struct spot {
	int column, row;
};

/* ---- what is on a link ---- */

/* What member `m` sends in the next hop to one side: "7"; nothing: "". */
static void passing_text(const struct ring *ring, int64_t m, bool up, sw_text *text)
{
	const sw_rounds *r = ring->r;
	sw_rounds_send send = {0};

	if (ring->hops < r->hops)
		send = sw_rounds_sent(r, ring->hops + 1, m, up);
	if (send.amount <= 0)
		return;
	if (r->kind == SW_ROUNDS_SWAP)
		sw_text_addf(text, "%g", send.amount);
	else
		hops_send_text(r, &send, text);
}

/* The most columns that this takes in any hop. */
static int passing_width(const sw_rounds *r)
{
	int most = 1;

	for (int64_t hop = 0; hop < r->hops; hop++)
		for (int64_t m = 0; m < r->members; m++)
			for (int up = 0; up < 2; up++) {
				struct ring ring = {.r = r, .hops = hop};
				sw_text text = {0};
				passing_text(&ring, m, up != 0, &text);
				int width = canvas_text_width(sw_text_get(&text));
				most = width > most ? width : most;
				sw_text_free(&text);
			}
	return most;
}

/* ---- the rectangle ---- */

/* As wide as the room allows; the rest of the devices are on its sides. */
static struct ring ring_of(const struct view_input *in, int width)
{
	const sw_rounds *r = in->rounds;
	struct ring ring = {.r = r};
	int passing = passing_width(r);

	for (int64_t m = 0; m < r->members; m++) {
		int length = (int)strlen(hops_name(in, m).text);
		ring.name = length > ring.name ? length : ring.name;
	}
	ring.cell = ring.name + 1 + (int)r->members;
	ring.link = 2 * passing + 6;
	ring.side = passing + 2;
	ring.margin = ring.side - ring.cell / 2 > 2 ? ring.side - ring.cell / 2 : 2;
	int most = (width - 2 * ring.margin + ring.link) / (ring.cell + ring.link), half = ((int)r->members + 1) / 2;
	ring.across = most < half ? most : half;
	int rest = (int)r->members - 2 * ring.across;
	ring.down = rest > 0 ? 2 + (rest + 1) / 2 : 2;
	ring.gap = ring.down == 2 ? TALL : 1;
	return ring;
}

bool ring_fits(const struct view_input *in, int width)
{
	const sw_rounds *r = in->rounds;

	return r->axes == 1 && r->members >= LEAST && r->members <= HOPS_SMALL && ring_of(in, width).across >= 2;
}

static struct spot spot_of(const struct ring *ring, int64_t m)
{
	int at = (int)m, across = ring->across, sides = ring->down - 2;

	if (at < across)
		return (struct spot){at, 0};
	at -= across;
	if (at < sides)
		return (struct spot){across - 1, at + 1};
	at -= sides;
	if (at < across)
		return (struct spot){across - 1 - at, ring->down - 1};
	return (struct spot){0, ring->down - 2 - (at - across)};
}

static int x_of(const struct ring *ring, struct spot spot)
{
	return ring->margin + spot.column * (ring->cell + ring->link);
}

static int y_of(const struct ring *ring, struct spot spot, int y)
{
	return y + spot.row * (ring->gap + 1);
}

/* ---- drawing ---- */

/* A link between two columns: what goes right, and what goes left. */
static void draw_across(const struct ring *ring, int64_t m, int x, int y, int length, bool rightwards,
	struct canvas *out)
{
	sw_text right = {0}, left = {0};
	int64_t next = (m + 1) % ring->r->members;

	passing_text(ring, rightwards ? m : next, rightwards, &right);
	passing_text(ring, rightwards ? next : m, !rightwards, &left);
	sw_text_add(&right, right.length ? "→" : "");
	int wide = canvas_text_width(sw_text_get(&right)) + canvas_text_width(sw_text_get(&left)) + (left.length > 0);
	canvas_hline(out, x, y, length, ROLE_BORDER, 0);
	x += (length - wide) / 2;
	x = canvas_put(out, x, y, ROLE_MOVED, sw_text_get(&right));
	if (left.length > 0) {
		x = canvas_put(out, x, y, ROLE_MOVED, "←");
		canvas_put(out, x, y, ROLE_MOVED, sw_text_get(&left));
	}
	sw_text_free(&right);
	sw_text_free(&left);
}

/* One between two rows: what goes down stands left of it, what goes up right of it. */
static void draw_down(const struct ring *ring, int64_t m, int64_t next, struct spot from, struct spot to, int y,
	struct canvas *out)
{
	bool downwards = to.row > from.row;
	int upper = y_of(ring, downwards ? from : to, y), lower = y_of(ring, downwards ? to : from, y);
	int x = x_of(ring, from) + ring->cell / 2, middle = (upper + lower) / 2;
	sw_text down = {0}, up = {0};

	passing_text(ring, downwards ? m : next, downwards, &down);
	passing_text(ring, downwards ? next : m, !downwards, &up);
	for (int row = upper + 1; row < lower; row++)
		canvas_lines(out, x, row, ROLE_BORDER, LINE_UP | LINE_DOWN);
	if (down.length)
		canvas_putf(out, x - 2 - canvas_text_width(sw_text_get(&down)), middle, ROLE_MOVED, "%s↓",
			sw_text_get(&down));
	if (up.length)
		canvas_putf(out, x + 2, middle, ROLE_MOVED, "↑%s", sw_text_get(&up));
	sw_text_free(&down);
	sw_text_free(&up);
}

/* Members of a ring that is not full leave the last places of its left side empty. */
static void draw_link(const struct ring *ring, int64_t m, int y, struct canvas *out)
{
	int64_t next = (m + 1) % ring->r->members;
	struct spot from = spot_of(ring, m), to = spot_of(ring, next);

	if (from.row == to.row) {
		int left = x_of(ring, from.column < to.column ? from : to) + ring->cell;
		int right = x_of(ring, from.column < to.column ? to : from);
		draw_across(ring, m, left + 1, y_of(ring, from, y), right - left - 2, from.column < to.column, out);
		return;
	}
	if (from.column != to.column) {
		struct spot corner = {0, from.row};
		int x = x_of(ring, corner) + ring->cell / 2;
		canvas_hline(out, x, y_of(ring, from, y), x_of(ring, from) - 1 - x, ROLE_BORDER, 0);
		canvas_lines(out, x, y_of(ring, from, y), ROLE_BORDER, LINE_UP | LINE_RIGHT);
		draw_down(ring, m, next, corner, to, y, out);
		return;
	}
	draw_down(ring, m, next, from, to, y, out);
}

static void draw_middle(const struct ring *ring, int y, struct canvas *out)
{
	const sw_rounds *r = ring->r;
	int left = x_of(ring, (struct spot){0, 0}) + ring->cell, right = x_of(ring, (struct spot){ring->across - 1, 0});
	sw_text text = {0};

	if (ring->hops == 0)
		sw_text_addf(&text, "before hop 1 of %lld", (long long)r->hops);
	else
		sw_text_addf(&text, "after hop %lld of %lld, %s", (long long)ring->hops, (long long)r->hops,
			words_seconds(sw_rounds_seconds(r, ring->hops)).text);
	if (canvas_text_width(sw_text_get(&text)) + 2 * ring->side <= right - left)
		canvas_put_center(out, left, y + (ring->down - 1) * (ring->gap + 1) / 2, right - left, ROLE_LABEL,
			sw_text_get(&text));
	sw_text_free(&text);
}

int ring_draw(const struct view_input *in, int64_t hops, struct canvas *out, int y)
{
	const sw_rounds *r = in->rounds;
	struct ring ring = ring_of(in, out->width);

	assert(ring_fits(in, out->width));
	ring.hops = hops;
	for (int64_t m = 0; m < r->members; m++)
		if (r->closed || m + 1 < r->members)
			draw_link(&ring, m, y, out);
	for (int64_t m = 0; m < r->members; m++) {
		struct spot spot = spot_of(&ring, m);
		int x = x_of(&ring, spot), row = y_of(&ring, spot, y);
		canvas_put_right(out, x, row, ring.name, ROLE_LABEL, hops_name(in, m).text);
		hops_draw_held(r, hops, m, 1, out, x + ring.name + 1, row);
	}
	draw_middle(&ring, y, out);
	return y + (ring.down - 1) * (ring.gap + 1) + 1;
}
