/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A collective hop by hop: what each member of a group holds of every piece, what it sends next, and the time so far.
 *
 * Small groups are a ring, and a grid with a row a member and a column a hop; of larger ones one member is followed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/rounds.h>

#include "canvas/glyphs.h"
#include "views/draw.h"
#include "views/holding.h"
#include "views/hops.h"
#include "views/ring.h"

enum { GRID_MOST = HOPS_SMALL, LABEL = 9, GAP = 2, COURSE_ROWS = 24, CELL_MOST = 32 };

/* The axis of the mesh that a line goes along; NULL: none. */
static const char *axis_of(const struct view_input *in, int line)
{
	int axis = in->rounds->line[line].axis;
	return axis < 0 ? NULL : in->plan->problem.mesh.axis[axis].name;
}

/* ---- the grid ---- */

/* "hop 3", over several axes "hop 3, X". */
static void hop_text(const struct view_input *in, int64_t hop, sw_text *text)
{
	const sw_rounds *r = in->rounds;
	sw_text_addf(text, "hop %lld", (long long)hop);
	if (r->axes > 1)
		sw_text_addf(text, ", %s", axis_of(in, sw_rounds_line_of(r, hop)));
}

static void heading_draw(const struct view_input *in, int64_t hop, int x, struct canvas *out, int y)
{
	const sw_rounds *r = in->rounds;
	sw_text text = {0};
	hop_text(in, hop, &text);
	canvas_put(out, x, y, ROLE_LABEL, hop ? sw_text_get(&text) : "start");
	sw_text_free(&text);
	canvas_putf(out, x, y + 1, ROLE_NUMBER, "%s", hop ? words_seconds(sw_rounds_seconds(r, hop)).text : "");
}

/* Columns of a hop: what is held, a piece every so many, and what is sent. */
struct grid {
	int stride, held, width;
};

/* Pieces stand apart where all hops still fit side by side. */
static struct grid grid_of(const sw_rounds *r, int64_t hops, int room)
{
	struct grid grid = {0};
	int sends = hops_sends_width(r);
	for (grid.stride = 3; grid.stride > 0; grid.stride--) {
		grid.held = (int)r->members * grid.stride - grid.stride + 1;
		grid.width = grid.held + grid.stride + sends + GAP;
		if (grid.stride == 1 || hops * grid.width - GAP <= room)
			break;
	}
	return grid;
}

/* Hops `from` to `to`, side by side. */
static int band_draw(const struct view_input *in, int64_t from, int64_t to, const struct grid *grid,
	struct canvas *out, int y)
{
	const sw_rounds *r = in->rounds;
	for (int64_t hop = from; hop <= to; hop++)
		heading_draw(in, hop, LABEL + (int)(hop - from) * grid->width, out, y);
	canvas_put(out, 2, y + 1, ROLE_LABEL, "device");
	y += 2;
	for (int64_t m = 0; m < r->members; m++, y++) {
		canvas_put_right(out, 2, y, 6, ROLE_LABEL, hops_name(in, m).text);
		for (int64_t hop = from; hop <= to; hop++) {
			sw_text text = {0};
			int x = LABEL + (int)(hop - from) * grid->width, sends = x + grid->held + grid->stride;
			hops_draw_held(r, hop, m, grid->stride, out, x, y);
			hops_sends_text(r, hop, m, &text);
			canvas_put_cut(out, sends, y, x + grid->width - GAP - sends + 1, ROLE_NOTE, sw_text_get(&text));
			sw_text_free(&text);
		}
	}
	return y;
}

/* Pictures of a film all stand alike. */
static int grid_draw(const struct view_input *in, int64_t from, int64_t to, struct canvas *out, int y)
{
	const sw_rounds *r = in->rounds;
	struct grid grid = grid_of(r, to > from ? to - from + 1 : 2, out->width - LABEL);
	int room = (out->width - LABEL + GAP) / grid.width;
	room = room > 0 ? room : 1;
	for (int64_t hop = from; hop <= to; hop += room) {
		int64_t last = hop + room - 1 < to ? hop + room - 1 : to;
		y = band_draw(in, hop, last, &grid, out, y) + 1;
	}
	return y;
}

static bool fits_grid(const sw_rounds *r, int width)
{
	return r->members <= GRID_MOST && (int)r->members + LABEL + 2 < width;
}

/* ---- the course of one member ---- */

static int64_t followed(const struct view_input *in, const struct view_options *opt)
{
	int64_t devices = in->plan->problem.mesh.devices;
	if (opt->device < 0 || opt->device >= devices)
		return 0;
	int64_t slot = holding_slot(sw_plan_order(in->plan, in->rounds_step), devices, opt->device);
	int64_t member = sw_rounds_member(in->rounds, slot);
	return member < 0 ? 0 : member;
}

/* Many pieces in few columns.  false: the pulse stopped it. */
static bool pieces_draw(const struct view_input *in, int64_t hops, int64_t m, struct canvas *out, int y)
{
	const sw_rounds *r = in->rounds;
	int room = out->width - 18 - 16, columns = r->members < room ? (int)r->members : room;
	for (int c = 0; c < columns; c++) {
		const int64_t range[2] = {r->members * c / columns, r->members * (c + 1) / columns};
		if (!sw_pulse_beat(in->pulse, "pieces looked at", range[0], r->members))
			return false;
		hops_draw_some(r, hops, m, range, out, 18 + c, y);
	}
	return true;
}

/* -1: the pulse stopped it. */
static int course_row(const struct view_input *in, int64_t hops, int64_t m, struct canvas *out, int y)
{
	const sw_rounds *r = in->rounds;
	sw_text text = {0};
	canvas_putf(out, 2, y, ROLE_LABEL, "%5lld", (long long)hops);
	canvas_put_right(out, 8, y, 9, ROLE_NUMBER, hops ? words_seconds(sw_rounds_seconds(r, hops)).text : "");
	if (!pieces_draw(in, hops, m, out, y))
		return -1;
	hops_sends_text(r, hops, m, &text);
	canvas_put_cut(out, out->width - 15, y, 15, ROLE_NOTE, sw_text_get(&text));
	sw_text_free(&text);
	return y + 1;
}

static int course_draw(const struct view_input *in, int64_t from, int64_t to, int64_t m, struct canvas *out, int y)
{
	const sw_rounds *r = in->rounds;
	struct stretch stretch[STRETCHES_MAX];
	int count = fold_stretches(to - from + 1, COURSE_ROWS, -1, stretch);
	y = draw_note(out, 2, y, ROLE_LABEL, "device %s of %lld that work together",
		words_device_first(&in->plan->problem.mesh, hops_device(in, m)).text, (long long)r->members);
	canvas_put(out, 4, y, ROLE_LABEL, "hop");
	canvas_put(out, 13, y, ROLE_LABEL, "time");
	canvas_put(out, 18, y, ROLE_LABEL, "holds");
	canvas_put(out, out->width - 15, y++, ROLE_LABEL, "sends");
	for (int i = 0; i < count && y >= 0; i++) {
		if (stretch_folded(stretch[i]))
			canvas_putf(out, 4, y++, ROLE_DIM, "\u2026 %lld hops", (long long)(stretch[i].to - stretch[i].from + 1));
		else
			y = course_row(in, from + stretch[i].from, m, out, y);
	}
	return y < 0 ? -1 : y + 1;
}

/* ---- in words ---- */

static const char *const kinds_held[] = {
	[SW_ROUNDS_GATHER] = "numbers: the pieces that a device holds, by the device that had them first",
	[SW_ROUNDS_SUM] = "numbers: how many terms the sum of a piece has; from 10 on, a letter",
	[SW_ROUNDS_SUM_GATHER] = "numbers: how many terms the sum of a piece has; from 10 on, a letter",
	[SW_ROUNDS_SWAP] = "numbers: the senders of the pieces for it that a device holds",
};

static const char *const kinds_sent[] = {
	[SW_ROUNDS_GATHER] = "which piece it sends next",
	[SW_ROUNDS_SUM] = "which sum it sends next",
	[SW_ROUNDS_SUM_GATHER] = "which sum it sends next",
	[SW_ROUNDS_SWAP] = "whose pieces it sends next, and how many",
};

static int legend_draw(const sw_rounds *r, struct canvas *out, int y)
{
	bool halves = false;
	for (int n = 0; n < r->axes; n++)
		halves = halves || (r->line[n].closed && r->line[n].members % 2 == 0);
	halves = halves && !r->one_way && r->kind != SW_ROUNDS_SWAP;
	return draw_note(out, 2, y, ROLE_DIM, "%s; \u2192 \u2190 %s%s%s", kinds_held[r->kind], kinds_sent[r->kind],
		r->axes > 1 ? " along the axis of the next hop" : "", halves ? ", /2 half of it" : "");
}

static int course_legend_draw(const sw_rounds *r, struct canvas *out, int y)
{
	return draw_note(out, 2, y, ROLE_DIM, "\u2588 all pieces of a column, \u2592 some; \u2192 \u2190 %s",
		kinds_sent[r->kind]);
}

/* "along Y, then X" from line `first` on. */
static void way_text(const struct view_input *in, int first, sw_text *text)
{
	const sw_rounds *r = in->rounds;
	bool back = r->kind == SW_ROUNDS_SUM;
	for (int k = 0; k < r->axes; k++) {
		int line = (first + (back ? r->axes - 1 - k : k)) % r->axes;
		sw_text_addf(text, "%s%s", k > 0 ? ", then " : "along ", axis_of(in, line));
	}
}

/* How much of each piece goes which way. */
static int shares_draw(const struct view_input *in, struct canvas *out, int y)
{
	const sw_rounds *r = in->rounds;
	sw_text text = {0};
	sw_text_add(&text,
		r->kind == SW_ROUNDS_SUM_GATHER ? "each piece is summed and then gathered in shares at once, summed in "
										  "reverse order:" :
										  "each piece goes in shares at once:");
	for (int n = 0; n < r->axes; n++) {
		sw_text_addf(&text, "%s %.3g %% ", n > 0 ? "," : "", 100 * r->line[n].share);
		way_text(in, n, &text);
		sw_text_add(&text, n > 0 ? "" : ", which is drawn");
	}
	y = draw_note(out, 2, y, ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

/* Groups that lie between each other's devices. */
static int shared_draw(const struct view_input *in, struct canvas *out, int y)
{
	const sw_rounds *r = in->rounds;
	for (int n = 0; n < r->axes; n++) {
		const sw_rounds_line *line = &r->line[n];
		if (line->shared > 1)
			y = draw_note(out, 2, y, ROLE_TEXT, "%s share each link of %s, and each hop crosses %lld of them",
				words_plural(line->shared, "group", "groups").text, axis_of(in, n), (long long)line->shared);
	}
	return y;
}

static int notes_draw(const struct view_input *in, struct canvas *out, int y)
{
	const sw_rounds *r = in->rounds;
	if (r->groups > 1)
		y = draw_note(out, 2, y, ROLE_TEXT, "the first of %s, which all do the same at once",
			words_plural(r->groups, "group", "groups").text);
	if (r->by_switch)
		y = draw_note(out, 2, y, ROLE_NOTE,
			"hardware %s is a switch: the ring is the order in which devices send, each through one port; the "
			"model roofline counts one hop for each axis",
			in->machine ? in->machine : "default");
	y = shared_draw(in, out, y);
	return r->axes > 1 ? shares_draw(in, out, y) : y;
}

/* Whole numbers as such, halves with a digit. */
static struct words amount_words(double n)
{
	struct words words;
	if (n < 9e15 && floor(n) >= n)
		return words_count((int64_t)n);
	snprintf(words.text, sizeof(words.text), "%.1f", n);
	return words;
}

static int total_draw(const struct view_input *in, struct canvas *out, int y)
{
	const sw_rounds *r = in->rounds;
	bool named = in->machine && strcmp(in->machine, "default") != 0;
	sw_roofline bound = {r->hops_s, r->bytes_s};
	y = draw_note(out, 2, y, ROLE_TEXT, "takes %s by the model roofline%s%s, bound by %s: hops take %s, bytes %s",
		words_seconds(sw_roofline_seconds(bound)).text, named ? " on " : "", named ? in->machine : "",
		sw_roofline_bound(bound), words_seconds(r->hops_s).text, words_seconds(r->bytes_s).text);
	return draw_note(out, 2, y, ROLE_TITLE, "%s scalars cross one link%s", amount_words(r->link).text,
		r->one_way ? "" : " in each direction");
}

static void title_text(const struct view_input *in, sw_text *text)
{
	const sw_rounds *r = in->rounds;
	sw_text_addf(text, "step %d: ", in->rounds_step + 1);
	sw_plan_print_step(in->plan, in->rounds_step, text);
	for (int n = r->axes - 1; n >= 0; n--) {
		const sw_rounds_line *line = &r->line[n];
		sw_text_addf(text, "%s%s of %lld", n < r->axes - 1 ? " by " : ", ", line->closed ? "a ring" : "a line",
			(long long)line->members);
	}
	sw_text_addf(text, ", %s, %s", r->one_way ? "one way" : "both ways", words_plural(r->hops, "hop", "hops").text);
}

/* ---- the whole ---- */

static bool rounds_draw(const struct view_input *in, const struct view_options *opt, struct canvas *out,
	sw_diag *diag)
{
	const sw_rounds *r = in->rounds;
	sw_text text = {0};
	int64_t to = opt->hop < 0 || opt->hop > r->hops ? r->hops : opt->hop,
			from = opt->hop < 0 ? 0 :
		to > 0                  ? to - 1 :
								  0;
	title_text(in, &text);
	int y = draw_title(out, 0, "rounds", sw_text_get(&text)) + 1;
	bool grid = fits_grid(r, out->width), ring = ring_fits(in, out->width);
	sw_text_free(&text);
	if (ring)
		y = ring_draw(in, opt->hop < 0 ? 0 : to, out, y) + 1;
	if (!ring || opt->hop < 0)
		y = grid ? grid_draw(in, from, to, out, y) : course_draw(in, from, to, followed(in, opt), out, y);
	if (y < 0)
		return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped while the pieces of devices were looked at");
	y = grid ? legend_draw(r, out, y) : course_legend_draw(r, out, y);
	y = notes_draw(in, out, y);
	total_draw(in, out, y);
	return true;
}

bool view_rounds(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->rounds || !in->plan)
		return draw_missing(diag, "step whose devices work in groups",
			"after mesh and redistribute, type: show rounds");
	return !draw_begin("rounds", opt, out) || rounds_draw(in, opt, out, diag);
}
