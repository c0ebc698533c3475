/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentence of a film about what is followed: where an element goes in a step, over which axes and in a piece of what size; what a
 * device has, gets and sends.
 */
#include <assert.h>

#include <shardwalk/transfers.h>

#include "views/film.h"
#include "views/holding.h"

#define DEVICES_MOST 4096 /* asked one by one */
#define TERMS_MOST 64

static int64_t devices_of(const struct film *film)
{
	return film->plan->problem.mesh.devices;
}

static void add_element(const struct film *film, sw_text *text)
{
	sw_text_add_char(text, '[');
	for (int i = 0; i < film->plan->problem.from.rank; i++)
		sw_text_addf(text, "%s%lld", i ? ", " : "", (long long)film->opt.element[i]);
	sw_text_add_char(text, ']');
}

/* How many devices have the element after step `k`; -1: they are too many to ask. */
static int64_t holders(const struct film *film, int k)
{
	int64_t count = 0;
	if (devices_of(film) > DEVICES_MOST)
		return -1;
	for (int64_t device = 0; device < devices_of(film); device++)
		count += sw_owners_has(film->strip.of, k, device, film->opt.element);
	return count;
}

/* ---- an element ---- */

/* The axes along which two devices differ. */
static void add_axes(const struct film *film, int k, int64_t from, int64_t to, sw_text *text)
{
	const sw_mesh *mesh = &film->plan->problem.mesh;
	const int64_t *order = sw_plan_order(film->plan, k - 1);
	int64_t one = holding_slot(order, mesh->devices, from), other = holding_slot(order, mesh->devices, to);
	int axes = 0, told = 0;
	for (int i = 0; i < mesh->count; i++)
		axes += sw_mesh_coordinate(mesh, one, i) != sw_mesh_coordinate(mesh, other, i);
	sw_text_add(text, axes == 1 ? ", over axis " : axes > 1 ? ", over axes " : "");
	for (int i = 0; i < mesh->count; i++) {
		if (sw_mesh_coordinate(mesh, one, i) == sw_mesh_coordinate(mesh, other, i))
			continue;
		sw_text_add(text, !told ? "" : told + 1 == axes ? " and " : ", ");
		sw_mesh_print_name(mesh->axis[i].name, text);
		told++;
	}
}

/* Who sends an element to a device, and how much comes with it. */
struct sender {
	int64_t device; /* -1: it is not known */
	int64_t elements;
};

/* Of boxes of tiles; `map` has the offsets of devices after the step. */
static struct sender sender_among(const struct film *film, const sw_transfers *transfers, const int64_t *map,
	int64_t to)
{
	int rank = film->plan->problem.from.rank;
	sw_transfer box;
	for (int64_t n = 0; n < sw_transfers_into(transfers, to); n++) {
		bool inside = sw_transfers_get(transfers, to, n, &box) && !box.loops;
		for (int i = 0; i < rank && inside; i++) {
			int64_t at = film->opt.element[i] - map[to * rank + i] - box.to_at[i];
			inside = at >= 0 && at < box.extent[i];
		}
		if (inside)
			return (struct sender){box.from, sw_transfer_size(transfers, &box)};
	}
	return (struct sender){-1, 0};
}

static struct sender sender_to(const struct film *film, int k, int64_t to)
{
	const sw_plan *plan = film->plan;
	struct sender sender = {-1, 0};
	sw_diag ignored;
	if (devices_of(film) > DEVICES_MOST || !strip_tiled(&film->strip, k))
		return sender;
	sw_arena *arena = sw_arena_new();
	const sw_transfers *transfers = arena ? sw_plan_transfers(plan, k - 1, arena, &ignored) : NULL;
	const int64_t *map = transfers ? sw_plan_device_map(plan, k, arena, &ignored) : NULL;
	if (map)
		sender = sender_among(film, transfers, map, to);
	sw_arena_free(arena);
	return sender;
}

/* Of copies the one that is sent need not be the first. */
static void add_move(const struct film *film, int k, int64_t from, int64_t to, sw_text *text)
{
	struct sender sender = sender_to(film, k, to);
	add_element(film, text);
	if (sender.device == to) {
		sw_text_addf(text, " stays on device %lld; device %lld keeps no copy", (long long)to, (long long)from);
		return;
	}
	if (sender.device < 0)
		sender.device = from;
	bool keeps = sw_owners_has(film->strip.of, k, sender.device, film->opt.element);
	sw_text_addf(text, keeps ? " goes from device %lld to %lld" : " leaves device %lld for %lld",
		(long long)sender.device, (long long)to);
	if (sender.elements)
		sw_text_addf(text, ", in a piece of %s", words_plural(sender.elements, "element", "elements").text);
	add_axes(film, k, sender.device, to, text);
	if (keeps)
		sw_text_addf(text, "; device %lld keeps a copy", (long long)sender.device);
}

static void add_stay(const struct film *film, int k, int64_t device, sw_text *text)
{
	int64_t before = k ? holders(film, k - 1) : 0, after = holders(film, k);
	add_element(film, text);
	if (k && after != before)
		sw_text_addf(text, " stays on device %lld; %s it before the step, %lld after it", (long long)device,
			before == 1 ? "1 device has" : words_plural(before, "device", "devices").text, (long long)after);
	else
		sw_text_addf(text, " %s device %lld", k ? "stays on" : "is on", (long long)device);
	if (after > 1 && (!k || after == before))
		sw_text_addf(text, ", the first of %lld that have it", (long long)after);
}

/* On how many devices the terms of a value are. */
static int apart(const struct film *film, int k)
{
	int64_t terms = sw_owners_terms(film->strip.of), seen[TERMS_MOST];
	int count = 0;
	for (int64_t t = 0; t < terms && t < TERMS_MOST; t++) {
		int64_t owner = sw_owners_at(film->strip.of, k, film->opt.element, t);
		int i = 0;
		while (i < count && seen[i] != owner)
			i++;
		if (i == count)
			seen[count++] = owner;
	}
	return count;
}

static void add_terms(const struct film *film, int k, sw_text *text)
{
	int64_t terms = sw_owners_terms(film->strip.of);
	int before = apart(film, k ? k - 1 : 0), after = apart(film, k);
	sw_text_addf(text, "The %s%s terms of ", terms > TERMS_MOST ? "first " : "",
		words_count(terms > TERMS_MOST ? TERMS_MOST : terms).text);
	add_element(film, text);
	if (k)
		sw_text_addf(text, " are on %s before the step, on %d after it",
			words_plural(before, "device", "devices").text, after);
	else
		sw_text_addf(text, " are on %s", words_plural(after, "device", "devices").text);
}

static void add_element_way(const struct film *film, int k, sw_text *text)
{
	int64_t from = sw_owners_at(film->strip.of, k ? k - 1 : 0, film->opt.element, 0),
			to = sw_owners_at(film->strip.of, k, film->opt.element, 0);
	if (sw_owners_terms(film->strip.of) > 1) {
		add_terms(film, k, text);
	} else if (from < 0 || to < 0) {
		sw_text_addf(text, "No device has ");
		add_element(film, text);
	} else if (from == to || sw_owners_has(film->strip.of, k, from, film->opt.element)) {
		add_stay(film, k, from, text);
	} else {
		add_move(film, k, from, to, text);
	}
}

/* ---- a device ---- */

/* What a device gets from others, or gives to them. */
struct exchange {
	int64_t devices, elements;
};

static void add_box(const sw_transfers *transfers, const sw_transfer *box, struct exchange *exchange)
{
	exchange->devices++;
	exchange->elements += sw_transfer_size(transfers, box);
}

static bool exchanges(const struct film *film, int k, int64_t device, struct exchange *in, struct exchange *out)
{
	sw_arena *arena = devices_of(film) <= DEVICES_MOST ? sw_arena_new() : NULL;
	sw_diag ignored;
	sw_transfer box;
	const sw_transfers *transfers = arena ? sw_plan_transfers(film->plan, k - 1, arena, &ignored) : NULL;
	for (int64_t n = 0; transfers && n < sw_transfers_into(transfers, device); n++)
		if (sw_transfers_get(transfers, device, n, &box) && box.from != device)
			add_box(transfers, &box, in);
	for (int64_t to = 0; transfers && to < devices_of(film); to++)
		if (to != device && sw_transfers_between(transfers, device, to, &box))
			add_box(transfers, &box, out);
	sw_arena_free(arena);
	return transfers != NULL;
}

static void add_exchange(const char *verb, const char *with, const struct exchange *exchange, sw_text *text)
{
	if (exchange->elements == 0)
		sw_text_addf(text, "%s nothing", verb);
	else
		sw_text_addf(text, "%s %s %s %s", verb, words_plural(exchange->elements, "element", "elements").text, with,
			words_plural(exchange->devices, "device", "devices").text);
}

static void add_device_way(const struct film *film, int k, sw_text *text)
{
	struct exchange in = {0}, out = {0};
	sw_text held = {0};
	sw_text_addf(text, "Device %lld has ", (long long)film->strip.lit);
	sw_owners_print(film->strip.of, film->strip.now, film->strip.lit, &held);
	sw_text_add(text, held.length ? sw_text_get(&held) : "nothing");
	sw_text_free(&held);
	if (!k || !exchanges(film, k, film->strip.lit, &in, &out))
		return;
	sw_text_addf(text, "; in step %d it ", k);
	add_exchange("gets", "from", &in, text);
	sw_text_add(text, ", and ");
	add_exchange("sends", "to", &out, text);
}

int film_way_draw(const struct film *film, struct canvas *out, int y)
{
	sw_text text = {0};
	int k = film->strip.about;
	assert(k >= 0 && k <= film->plan->program.steps);
	if (film->opt.element)
		add_element_way(film, k, &text);
	else if (film->strip.lit >= 0)
		add_device_way(film, k, &text);
	if (text.length)
		y = draw_note(out, 0, y, ROLE_TEXT, "%s.", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}
