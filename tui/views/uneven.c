/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A size that does not divide: what each device holds by each rule, as many side by side as fit, and what the padding wastes.
 */
#include <string.h>

#include <shardwalk/number.h>

#include "views/draw.h"

#define LABEL_WIDTH 9
#define RULE_WIDTH 10
#define DEVICE_ROWS 20
#define BAR_WIDTH 6
#define COLUMN_LEAST 21 /* narrower ones stand below each other */
#define LISTED 12       /* empty devices that are listed */

static const char *const rule_heads[SW_UNEVEN_RULE_COUNT] = {"XLA (ceil)", "DTensor (chunk)", "balanced",
	"Chapel (floor)", "DISTAL (nested)"};

struct layout {
	const sw_uneven *uneven;
	int first, end; /* the rules that stand side by side */
	int column;     /* columns of a rule */
	int digits;     /* of the largest piece */
	bool bars;
};

static int column_at(const struct layout *layout, int rule)
{
	return LABEL_WIDTH + 2 + (rule - layout->first) * (layout->column + 2);
}

/* How many rules stand side by side: as few rows of them as fit, and as many in each. */
static int rules_across(int width)
{
	int most = (width - LABEL_WIDTH) / (COLUMN_LEAST + 2);
	most = most < 1 ? 1 : most;
	int bands = (SW_UNEVEN_RULE_COUNT + most - 1) / most;
	return (SW_UNEVEN_RULE_COUNT + bands - 1) / bands;
}

static struct layout layout_of(const sw_uneven *uneven, int width, int first)
{
	struct layout layout = {.uneven = uneven, .first = first};
	int across = rules_across(width);
	layout.end = first + across < SW_UNEVEN_RULE_COUNT ? first + across : SW_UNEVEN_RULE_COUNT;
	layout.digits = canvas_text_width(words_count(sw_uneven_largest(uneven, SW_UNEVEN_CEIL)).text);
	layout.column = (width - LABEL_WIDTH - 2 * across) / across;
	layout.bars = layout.column >= layout.digits + BAR_WIDTH + 10;
	return layout;
}

static void range_text(int64_t begin, int64_t size, sw_text *text)
{
	sw_text_clear(text);
	if (size == 0)
		sw_text_add(text, "empty");
	else if (size == 1)
		sw_text_addf(text, "%lld", (long long)begin);
	else
		sw_text_addf(text, "%lld-%lld", (long long)begin, (long long)(begin + size - 1));
}

static void piece_draw(const struct layout *layout, struct canvas *out, int rule, int y, int64_t device,
	sw_text *text)
{
	int64_t begin, size = sw_uneven_piece(layout->uneven, (sw_uneven_rule)rule, device, &begin);
	int64_t most = sw_uneven_largest(layout->uneven, (sw_uneven_rule)rule);
	int x = column_at(layout, rule), room = layout->column - layout->digits - 1;
	canvas_put_right(out, x, y, layout->digits, size ? ROLE_NUMBER : ROLE_BAD, words_count(size).text);
	x += layout->digits + 1;
	if (layout->bars) {
		canvas_bar(out, x, y, BAR_WIDTH, ROLE_BAR, (double)size, (double)most);
		x += BAR_WIDTH + 1;
		room -= BAR_WIDTH + 1;
	}
	range_text(begin, size, text);
	canvas_put_cut(out, x, y, room, size ? ROLE_DIM : ROLE_BAD, sw_text_get(text));
}

/* Devices in the middle are folded into one row. */
static int devices_draw(const struct layout *layout, struct canvas *out, int y)
{
	struct stretch stretches[STRETCHES_MAX];
	sw_text text = {0};
	int count = fold_stretches(layout->uneven->pieces, DEVICE_ROWS, -1, stretches);
	for (int i = 0; i < count; i++, y++) {
		if (stretch_folded(stretches[i])) {
			struct words more = words_plural(stretches[i].to - stretches[i].from + 1, "device more", "devices more");
			canvas_putf(out, 0, y, ROLE_DIM, "… %s", more.text);
			continue;
		}
		canvas_put_right(out, 0, y, LABEL_WIDTH, ROLE_LABEL, words_count(stretches[i].from).text);
		for (int rule = layout->first; rule < layout->end; rule++)
			piece_draw(layout, out, rule, y, stretches[i].from, &text);
	}
	sw_text_free(&text);
	return y;
}

/* ---- what it comes to ---- */

enum { SUM_LARGEST, SUM_ROOM, SUM_WASTED, SUM_BYTES, SUM_EMPTY, SUMS };

static const char *const sum_labels[SUMS] = {"largest", "room for", "wasted", "", "empty"};

static void sum_text(const struct view_input *in, sw_uneven_rule rule, int sum, sw_text *text)
{
	const sw_uneven *u = in->uneven;
	int64_t largest = sw_uneven_largest(u, rule), empty = sw_uneven_empty(u, rule), room = 0;
	bool fits = sw_mul(largest, u->pieces, &room);
	int64_t wasted = room - u->size;
	sw_text_clear(text);
	if (sum == SUM_LARGEST)
		sw_text_add(text, words_count(largest).text);
	else if (sum == SUM_EMPTY)
		sw_text_add(text, empty ? words_plural(empty, "device", "devices").text : "none");
	else if (!fits)
		sw_text_add(text, "huge");
	else if (sum == SUM_ROOM)
		sw_text_add(text, words_count(room).text);
	else if (sum == SUM_WASTED)
		sw_text_addf(text, "%s (%.3g %%)", words_count(wasted).text, 100.0 * (double)wasted / (double)room);
	else
		sw_text_add(text, words_bytes(wasted * in->row_bytes, SW_I8).text);
}

static int sums_draw(const struct view_input *in, const struct layout *layout, struct canvas *out, int y)
{
	sw_text text = {0};
	for (int sum = 0; sum < SUMS; sum++) {
		if (sum == SUM_BYTES && !in->row_bytes)
			continue;
		canvas_put_right(out, 0, y, LABEL_WIDTH, ROLE_LABEL, sum_labels[sum]);
		for (int rule = layout->first; rule < layout->end; rule++) {
			sum_text(in, (sw_uneven_rule)rule, sum, &text);
			canvas_put_cut(out, column_at(layout, rule), y, layout->column, ROLE_TEXT, sw_text_get(&text));
		}
		y++;
	}
	sw_text_free(&text);
	return y;
}

/* Which devices hold nothing. */
static int empty_draw(const sw_uneven *u, sw_uneven_rule rule, struct canvas *out, int y)
{
	sw_text text = {0};
	int listed = 0;
	if (!sw_uneven_empty(u, rule) || u->pieces > SW_MAX_MAP_DEVICES)
		return y;
	sw_text_addf(&text, "empty by %s:", sw_uneven_name(rule));
	for (int64_t i = 0; i < u->pieces && listed <= LISTED; i++) {
		if (sw_uneven_piece(u, rule, i, NULL))
			continue;
		if (listed++ < LISTED)
			sw_text_addf(&text, " %lld", (long long)i);
		else
			sw_text_add(&text, " …");
	}
	y = draw_note(out, 0, y, ROLE_WARN, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int rules_draw(struct canvas *out, int y)
{
	int room = out->width - RULE_WIDTH;
	for (int rule = 0; rule < SW_UNEVEN_RULE_COUNT; rule++) {
		canvas_put(out, 0, y, ROLE_LABEL, sw_uneven_name((sw_uneven_rule)rule));
		y = canvas_put_wrapped(out, RULE_WIDTH, y, room, 0, ROLE_TEXT, sw_uneven_words((sw_uneven_rule)rule));
		y = canvas_put_wrapped(out, RULE_WIDTH, y, room, 0, ROLE_NOTE, sw_uneven_who((sw_uneven_rule)rule));
	}
	for (int i = 0; i < SW_UNEVEN_SYSTEMS; i++) {
		canvas_put(out, 0, y, ROLE_LABEL, sw_uneven_systems[i].name);
		y = canvas_put_wrapped(out, RULE_WIDTH, y, room, 0, ROLE_TEXT, sw_uneven_systems[i].does);
	}
	return y;
}

static int question_draw(const struct view_input *in, struct canvas *out)
{
	const sw_uneven *u = in->uneven;
	sw_text rest = {0};
	sw_text_addf(&rest, "%s over ", words_count(u->size).text);
	for (int i = 0; i < u->count; i++)
		sw_text_addf(&rest, "%s%lld", i ? "x" : "", (long long)u->cut[i]);
	if (u->size % u->pieces)
		sw_text_addf(&rest, ": does not divide, %s left over", words_count(u->size % u->pieces).text);
	else
		sw_text_addf(&rest, ": divides; every system gives each device %s", words_count(u->size / u->pieces).text);
	int y = draw_title(out, 0, "uneven", sw_text_get(&rest)) + 1;
	sw_text_free(&rest);
	return y;
}

/* The rules from this one on, as many as stand side by side. */
static int band_draw(const struct view_input *in, int first, struct canvas *out, int y)
{
	struct layout layout = layout_of(in->uneven, out->width, first);
	canvas_put_right(out, 0, y, LABEL_WIDTH, ROLE_LABEL, "device");
	for (int rule = layout.first; rule < layout.end; rule++)
		canvas_put_cut(out, column_at(&layout, rule), y, layout.column, ROLE_LABEL, rule_heads[rule]);
	canvas_hline(out, 0, y + 1, out->width, ROLE_BORDER, 0);
	y = devices_draw(&layout, out, y + 2);
	canvas_hline(out, 0, y, out->width, ROLE_BORDER, 0);
	return sums_draw(in, &layout, out, y + 1) + (layout.end < SW_UNEVEN_RULE_COUNT);
}

bool view_uneven(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->uneven)
		return draw_missing(diag, "size", "for instance: explain 17 over 8");
	if (!draw_begin("uneven", opt, out))
		return true;
	int y = question_draw(in, out);
	if (in->uneven->size % in->uneven->pieces == 0)
		return true;
	for (int rule = 0; rule < SW_UNEVEN_RULE_COUNT; rule += rules_across(out->width))
		y = band_draw(in, rule, out, y);
	for (int rule = 0; rule < SW_UNEVEN_RULE_COUNT; rule++)
		y = empty_draw(in->uneven, (sw_uneven_rule)rule, out, y);
	y = draw_note(out, 0, y, ROLE_NOTE, "wasted: if every device has room for the largest piece");
	y = draw_note_ends(out, y, y);
	rules_draw(out, y + 1);
	return true;
}
