/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What devices need and do not hold: of one device alpha, beta and gamma above each other, with arrows from the senders; of all
 * as a table.
 */
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "views/computed.h"
#include "views/draw.h"

#define NAME_ROOM 7
#define BAR_MOST 96

/* A device, and the array of which it needs something. */
struct needs {
	const sw_computation *computation;
	const sw_need *need;
	int64_t device;
	struct canvas *out;
	sw_arena *arena;
	int y;
	int bar;        /* columns of a bar */
	int64_t length; /* indices that a bar is of */
	sw_messages messages;
};

/* ---- sets ---- */

static sw_str array_name(const struct needs *n)
{
	return n->computation->formula.array[n->need->array].name;
}

/* The columns of a bar in which something of the indices is. */
static bool shade(const struct needs *n, const sw_region *region, char *column)
{
	memset(column, 0, (size_t)n->bar);
	for (int c = 0; c < n->bar; c++) {
		sw_family family;
		sw_indices here = sw_indices_range(n->length * c / n->bar, n->length * (c + 1) / n->bar, &family), both;
		for (int k = 0; k < region->count && column[c] == 0; k++) {
			if (!sw_indices_meet(&here, &region->set[k], n->arena, &both))
				return false;
			column[c] = sw_indices_size(&both) > 0;
		}
	}
	return true;
}

static bool is_drawn(const sw_region *region, const int64_t *global)
{
	return region->rank == 1 && global[0] > 0;
}

/* A bar of one dimension, and what it is in words: `alpha  ....####....  8-11`. */
static bool draw_set(struct needs *n, const char *name, const sw_region *region, const int64_t *global,
	enum role role)
{
	int x = NAME_ROOM;
	char column[BAR_MOST];
	sw_text text = {0};
	bool drawn = true;

	region_text(region, n->arena, &text);
	canvas_put(n->out, 0, n->y, ROLE_LABEL, name);
	if (is_drawn(region, global)) {
		n->length = global[0];
		n->bar = (int)sw_smaller(n->length, sw_smaller(BAR_MOST, n->out->width / 2));
		drawn = shade(n, region, column);
		for (int c = 0; c < n->bar; c++, x++)
			canvas_put_glyph(n->out, x, n->y, column[c] ? role : ROLE_DIM, column[c] ? GLYPH_FULL : GLYPH_DOT);
		x += 2;
	}
	n->y = canvas_put_wrapped(n->out, x, n->y, n->out->width - x, 0, ROLE_TEXT, sw_text_get(&text));
	sw_text_free(&text);
	return drawn;
}

/* ---- senders ---- */

/* The column of the first index of a message. */
static int column_of(const struct needs *n, const sw_region *region)
{
	int64_t first = INT64_MAX;

	for (int k = 0; k < region->count; k++)
		for (int f = 0; f < region->set[k].count; f++)
			first = sw_smaller(first, region->set[k].family[f].first);
	return NAME_ROOM + (int)(first * n->bar / n->length);
}

static bool comes_here(const struct needs *n, const sw_message *message)
{
	return message->receiver == n->device;
}

/* The numbers of senders above arrows to what they send. */
static void draw_arrows(struct needs *n)
{
	int free = 0;

	for (int64_t k = 0; k < n->messages.count; k++) {
		const sw_message *message = &n->messages.message[k];
		if (!comes_here(n, message))
			continue;
		int x = column_of(n, &message->region);
		canvas_put_glyph(n->out, x, n->y + 1, ROLE_MOVED, GLYPH_ARROW_DOWN);
		if (x >= free)
			free = canvas_putf(n->out, x, n->y, ROLE_LABEL, "%lld", (long long)message->sender) + 1;
	}
	if (free > 0)
		n->y += 2;
}

/* ---- what is lacking ---- */

/* What a device lacks of an array and gets from one owner. */
struct lack {
	int64_t device, owner; /* -1: nobody has it */
	const sw_need *need;
	sw_region region;
};

struct lacks {
	struct lack *lack;
	int count, room;
	int64_t device; /* VIEW_ALL: of all */
};

static const struct lack *lack_of(const struct row_at *at)
{
	return at->row;
}

static void print_array(const struct row_at *at, sw_text *text)
{
	const sw_computation *computation = at->of;

	sw_text_add_str(text, computation->formula.array[lack_of(at)->need->array].name);
}

static void print_lack(const struct row_at *at, sw_text *text)
{
	sw_arena *arena = sw_arena_new();

	if (arena != NULL)
		region_text(&lack_of(at)->region, arena, text);
	text->failed = text->failed || arena == NULL;
	sw_arena_free(arena);
}

static void print_place(const struct row_at *at, sw_text *text)
{
	int64_t last = sw_region_size(&lack_of(at)->region) - 1;

	if (lack_of(at)->owner >= 0)
		sw_text_addf(text, last > 0 ? "0-%lld" : "0", (long long)last);
}

enum { LACKS_OF_SEVERAL = 1 };

static const struct row_column lack_columns[] = {
	ROW_AT(NULL, "device", COUNT, struct lack, device, .role = ROLE_LABEL),
	ROW_BY(NULL, "array", TEXT, .print = print_array, .when = LACKS_OF_SEVERAL),
	ROW_BY(NULL, "lacks", TEXT, .print = print_lack, .as = {.fit = CELL_WRAP}),
	ROW_AT(NULL, "owner", COUNT, struct lack, owner, .missing = "nobody"),
	ROW_BY(NULL, "place in the message", TEXT, .print = print_place),
};

static bool add_lack(struct needs *n, struct lacks *lacks, int64_t device, int64_t owner, const sw_region *region)
{
	if (region->count == 0 || (lacks->device != VIEW_ALL && lacks->device != device))
		return true;
	if (!SW_GROW(n->arena, lacks->lack, lacks->count, lacks->room, 16))
		return false;
	lacks->lack[lacks->count++] = (struct lack){device, owner, n->need, *region};
	return true;
}

static bool add_array(struct needs *n, struct lacks *lacks)
{
	sw_relation *relation = n->computation->array[n->need->array].relation;
	sw_region missing;
	bool added = sw_relation_messages(relation, SW_SENDER_BALANCED, n->arena, &n->messages);

	for (int64_t k = 0; k < n->messages.count && added; k++) {
		const sw_message *message = &n->messages.message[k];
		added = add_lack(n, lacks, message->receiver, message->sender, &message->region);
	}
	for (int64_t device = 0; device < n->computation->mesh.devices && added; device++)
		added = sw_relation_missing(relation, device, n->arena, &missing) && add_lack(n, lacks, device, -1, &missing);
	return added;
}

static int by_device(const void *a, const void *b)
{
	const struct lack *first = a, *second = b;
	int array = (first->need > second->need) - (first->need < second->need);
	int device = (first->device > second->device) - (first->device < second->device);

	return device != 0 ? device :
		array != 0     ? array :
						 (first->owner > second->owner) - (first->owner < second->owner);
}

/* The rows of a device, or of all. */
static bool draw_lacks(struct needs *n, int64_t device, sw_diag *diag)
{
	const sw_computation *c = n->computation;
	struct lacks lacks = {.device = device};

	for (int k = 0; k < c->inputs; k++) {
		n->need = &c->need[k];
		if (!add_array(n, &lacks))
			return sw_diag_memory(diag);
	}
	if (lacks.count == 0) {
		n->y = draw_note(n->out, 0, n->y, ROLE_GOOD, "%s all that it needs",
			device == VIEW_ALL ? "each device holds" : "it holds");
		return true;
	}
	qsort(lacks.lack, (size_t)lacks.count, sizeof *lacks.lack, by_device);
	const struct rows rows = ROWS_OF(lack_columns, lacks.lack, sw_smaller(lacks.count, COMPUTED_ROWS), .of = c,
		.is = c->inputs > 1 ? LACKS_OF_SEVERAL : 0, .narrow = true);
	if (!rows_draw(&rows, n->out, &n->y, diag))
		return false;
	if (lacks.count > COMPUTED_ROWS)
		n->y = draw_note(n->out, 0, n->y, ROLE_DIM, "and %d more", lacks.count - COMPUTED_ROWS);
	return true;
}

/* ---- a device ---- */

static bool draw_array(struct needs *n)
{
	const sw_computed *of = &n->computation->array[n->need->array];
	const int64_t *global = n->need->needed.global;
	sw_region held, needed;

	if (!sw_holding_region(n->need->held, n->device, n->arena, &held) ||
		!sw_holding_region(&n->need->needed, n->device, n->arena, &needed) ||
		!sw_relation_messages(of->relation, SW_SENDER_BALANCED, n->arena, &n->messages))
		return false;
	if (n->computation->inputs > 1)
		n->y = draw_note(n->out, 0, n->y, ROLE_LABEL, "of %.*s", (int)array_name(n).length, array_name(n).at);
	if (!draw_set(n, "alpha", &held, global, ROLE_KEPT))
		return false;
	if (is_drawn(&held, global))
		draw_arrows(n);
	return draw_set(n, "beta", &needed, global, ROLE_MOVED);
}

static bool draw_sets(struct needs *n)
{
	const sw_computation *c = n->computation;
	sw_region made;

	for (int k = 0; k < c->inputs; k++) {
		n->need = &c->need[k];
		if (!draw_array(n))
			return false;
	}
	return sw_holding_region(&c->made, n->device, n->arena, &made) &&
		draw_set(n, "gamma", &made, c->made.global, ROLE_BAR);
}

static bool draw_device(struct needs *n, sw_diag *diag)
{
	n->y = draw_note(n->out, 0, n->y, ROLE_LABEL, "device %lld", (long long)n->device);
	if (!draw_sets(n))
		return sw_diag_memory(diag);
	n->y++;
	return draw_lacks(n, n->device, diag);
}

static bool refuse_none(sw_diag *diag)
{
	return draw_missing(diag, "formula", "`type x = [3{x}12]`, `type y = x`, then compute y[i] = x[i-1] + x[i+1]");
}

bool view_needs(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct needs n = {.computation = in->formula, .device = opt->device, .out = out};
	sw_text formula = {0};
	bool drawn;

	if (n.computation == NULL)
		return refuse_none(diag);
	if (n.device >= n.computation->mesh.devices)
		n.device = VIEW_ALL;
	if (!draw_begin("needs", opt, out))
		return true;
	sw_formula_print(&n.computation->formula, &formula);
	n.y = draw_title(out, 0, "needs", sw_text_get(&formula));
	sw_text_free(&formula);
	n.arena = sw_arena_new();
	drawn = n.arena != NULL ? n.device == VIEW_ALL ? draw_lacks(&n, VIEW_ALL, diag) : draw_device(&n, diag) :
							  sw_diag_memory(diag);
	sw_arena_free(n.arena);
	return drawn;
}

bool needs_fields(const struct view_input *in, const struct view_options *opt, struct fields *fields, sw_diag *diag)
{
	(void)opt;
	if (in->formula == NULL)
		return refuse_none(diag);
	field_mesh(fields, "mesh", &in->formula->mesh);
	return computed_fields(in->formula, fields, diag);
}
