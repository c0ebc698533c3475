/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What devices need and do not hold: of one device alpha, beta and gamma above each other, with arrows from the senders; of all
 * as a table.
 */
#include <stdlib.h>

#include <shardwalk/number.h>

#include "views/computed.h"
#include "views/draw.h"
#include "views/need_sets.h"
#include "views/schedule_views.h"

/* A device, and the array of which it needs something. */
struct needs {
	const sw_computation *computation;
	const sw_need *need;
	int64_t device;
	struct canvas *out;
	sw_arena *arena;
	int y;
	sw_messages messages;
};

static sw_str array_name(const struct needs *n)
{
	return n->computation->formula.array[n->need->array].name;
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
	ROW_AT(NULL, "device", DEVICE, struct lack, device, .role = ROLE_LABEL),
	ROW_BY(NULL, "array", TEXT, .print = print_array, .when = LACKS_OF_SEVERAL),
	ROW_BY(NULL, "lacks", TEXT, .print = print_lack, .as = {.fit = CELL_WRAP}),
	ROW_AT(NULL, "owner", DEVICE, struct lack, owner, .missing = "nobody"),
	ROW_BY(NULL, "place in the message", TEXT, .print = print_place, .as = {.drops = 1}),
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

/* As many of all devices as are shown, and one more, which says that there are more. */
static bool add_array(struct needs *n, struct lacks *lacks)
{
	sw_relation *relation = n->computation->array[n->need->array].relation;
	int64_t last = n->computation->mesh.devices - 1;
	bool one = lacks->device != VIEW_ALL;
	const sw_receivers to = {one ? lacks->device : 0, one ? lacks->device : last, COMPUTED_ROWS + 1};
	sw_region missing;
	int before;
	bool added = sw_relation_messages_to(relation, SW_SENDER_BALANCED, &to, n->arena, &n->messages);

	for (int64_t k = 0; k < n->messages.count && added; k++) {
		const sw_message *message = &n->messages.message[k];
		added = add_lack(n, lacks, message->receiver, message->sender, &message->region);
	}
	before = lacks->count;
	for (int64_t device = to.first; device <= to.last && lacks->count - before <= COMPUTED_ROWS && added; device++)
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
			return sw_computation_failed(c, diag);
	}
	if (lacks.count == 0) {
		n->y = draw_note(n->out, 0, n->y, ROLE_GOOD, "%s all that it needs",
			device == VIEW_ALL ? "each device holds" : "it holds");
		return true;
	}
	qsort(lacks.lack, (size_t)lacks.count, sizeof *lacks.lack, by_device);
	const struct rows rows = ROWS_OF(lack_columns, lacks.lack, sw_smaller(lacks.count, COMPUTED_ROWS), .of = c,
		.mesh = &c->mesh, .is = c->inputs > 1 ? LACKS_OF_SEVERAL : 0, .narrow = true);
	if (!rows_draw(&rows, n->out, &n->y, diag))
		return false;
	if (lacks.count > COMPUTED_ROWS)
		n->y = draw_note(n->out, 0, n->y, ROLE_DIM, "… and more%s",
			device == VIEW_ALL ? "; --device N draws one" : "");
	return true;
}

/* ---- a device ---- */

/* What comes from others; nothing where nothing moves. */
static bool find_messages(struct needs *n)
{
	sw_relation *relation = n->computation->array[n->need->array].relation;
	const sw_receivers to = {n->device, n->device, 0};

	n->messages = (sw_messages){0, NULL};
	return relation == NULL || sw_relation_messages_to(relation, SW_SENDER_BALANCED, &to, n->arena, &n->messages);
}

static bool draw_array(struct needs *n, struct set_picture *p)
{
	const sw_holding *needs = &n->need->needed;
	sw_region held, needed;

	if (!sw_holding_region(n->need->held, n->device, n->arena, &held) ||
		!sw_holding_region(needs, n->device, n->arena, &needed) || !find_messages(n))
		return false;
	if (n->computation->inputs > 1)
		p->y = draw_note(n->out, 0, p->y, ROLE_LABEL, "of %.*s", (int)array_name(n).length, array_name(n).at);
	p->global = needs->global;
	p->rank = needs->rank;
	set_window(p, &held, &needed);
	if (!set_draw(p, "alpha", &held, ROLE_KEPT, NULL))
		return false;
	set_arrows(p, &n->messages);
	return set_draw(p, "beta", &needed, ROLE_MOVED, &n->messages);
}

static bool draw_sets(struct needs *n)
{
	const sw_computation *c = n->computation;
	struct owners owners = owners_of_mesh(&c->mesh);
	struct set_picture p = {.out = n->out, .arena = n->arena, .owners = &owners, .mesh = &c->mesh, .y = n->y};
	sw_region made;

	for (int k = 0; k < c->inputs; k++) {
		n->need = &c->need[k];
		if (!draw_array(n, &p))
			return false;
	}
	if (!sw_holding_region(&c->made, n->device, n->arena, &made))
		return false;
	if (p.global == NULL || p.rank != c->made.rank || p.global[0] != c->made.global[0])
		p.window[0] = p.window[1] = 0;
	p.global = c->made.global;
	p.rank = c->made.rank;
	if (!set_draw(&p, "gamma", &made, ROLE_BAR, NULL))
		return false;
	set_legend(&p);
	n->y = p.y;
	return true;
}

static bool draw_device(struct needs *n, sw_diag *diag)
{
	n->y = draw_note(n->out, 0, n->y, ROLE_LABEL, "device %s",
		words_device_first(&n->computation->mesh, n->device).text);
	if (!draw_sets(n))
		return sw_computation_failed(n->computation, diag);
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

	if (in->schedule != NULL)
		return schedule_needs(in, opt, out, diag);
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
	if (in->schedule != NULL)
		return schedule_view_fields(in, opt, fields, diag);
	if (in->formula == NULL)
		return refuse_none(diag);
	field_mesh(fields, "mesh", &in->formula->mesh);
	return computed_fields(in->formula, fields, diag);
}
