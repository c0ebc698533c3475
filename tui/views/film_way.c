/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentence of a film about what is followed: where an element or a tile goes in a step, over which axes and in pieces of what size; what
 * a device has, gets and sends.
 */
#include "views/film_way.h"

#include <assert.h>

#include <shardwalk/transfers.h>

#include "views/draw.h"
#include "views/followed.h"
#include "views/holding.h"

#define DEVICES_MOST 4096 /* asked one by one */
#define BESIDE_MOST 256   /* of them, step after step */
#define TERMS_MOST 64
#define PLACES_MOST 16  /* of an element, that are listed, */
#define STEPS_MOST 1000 /* of those after so many steps */

void film_way_add_element(const struct film_way *way, sw_text *text)
{
	sw_text_add_str(text, way->name);
	sw_text_add_char(text, '[');
	for (int i = 0; i < way->rank; i++)
		sw_text_addf(text, "%s%lld", i ? ", " : "", (long long)way->element[i]);
	sw_text_add_char(text, ']');
}

/* The first device that has it in a buffer, else at home. */
static int64_t place_of(const struct film_way *way, int k)
{
	int64_t beside = way->mesh->devices <= BESIDE_MOST ? sw_owners_beside(way->of, k, way->element) : -1;
	return beside >= 0 ? beside : sw_owners_at(way->of, k, way->element, 0);
}

/* ---- who has some of a tile ---- */

/* How many devices have some of these elements after step `k`, and the first of them; -1: they are too many to ask. */
struct tile_place {
	int64_t devices, first;
};

static struct tile_place tile_place(const struct film_way *way, int k, const sw_region *region, sw_arena *arena)
{
	struct tile_place place = {.first = -1};
	if (way->mesh->devices > DEVICES_MOST)
		return (struct tile_place){-1, -1};
	for (int64_t device = 0; sw_owners_holding(way->of, k) && device < way->mesh->devices; device++) {
		if (followed_tile_on(way->of, k, device, region, arena) <= 0)
			continue;
		place.first = place.devices++ ? place.first : device;
	}
	return place;
}

static void add_tile_name(const struct film_way *way, sw_text *text)
{
	sw_text_add_str(text, way->name);
	followed_tile_print(&way->tile, way->mesh, text);
}

/* `device 3` or `4 devices`. */
static void add_tile_place(const struct film_way *way, const struct tile_place *place, sw_text *text)
{
	if (place->devices == 1)
		sw_text_addf(text, "device %s", words_device_first(way->mesh, place->first).text);
	else
		sw_text_add(text, place->devices ? words_plural(place->devices, "device", "devices").text : "no device");
}

#define TILE_STEPS_MOST 64

static void add_tile_places(const struct film_way *way, sw_text *text)
{
	struct tile_place before = {-1, -1};
	int places = 0;
	sw_region region;
	sw_arena *arena = sw_arena_new();
	sw_text_add(text, "  tile ");
	add_tile_name(way, text);
	bool known = arena && followed_tile_region(&way->tile, arena, &region);
	for (int k = 0; known && k <= sw_owners_steps(way->of) && k <= TILE_STEPS_MOST; k++) {
		struct tile_place place = tile_place(way, k, &region, arena);
		if (place.devices <= 0 || (place.devices == before.devices && place.first == before.first))
			continue;
		sw_text_add(text, places++ ? " → " : ": ");
		if (places > PLACES_MOST) {
			sw_text_add(text, "…");
			break;
		}
		add_tile_place(way, &place, text);
		before = place;
	}
	sw_arena_free(arena);
}

void film_way_add_places(const struct film_way *way, sw_text *text)
{
	if (way->tile.of) {
		add_tile_places(way, text);
		return;
	}
	int64_t before = -1;
	int places = 0;
	sw_text_add(text, "  element ");
	film_way_add_element(way, text);
	sw_text_add(text, ": device ");
	for (int k = 0; k <= sw_owners_steps(way->of) && k < STEPS_MOST; k++) {
		int64_t device = place_of(way, k);
		if (device == before || device < 0)
			continue;
		if (++places > PLACES_MOST) {
			sw_text_add(text, " → …");
			return;
		}
		sw_text_addf(text, "%s%s", places > 1 ? " → " : "", words_device(way->mesh, device).text);
		before = device;
	}
}

/* How many devices have the element after step `k`; -1: they are too many to ask. */
static int64_t holders(const struct film_way *way, int k)
{
	int64_t count = 0;
	if (way->mesh->devices > DEVICES_MOST)
		return -1;
	for (int64_t device = 0; device < way->mesh->devices; device++)
		count += sw_owners_has(way->of, k, device, way->element);
	return count;
}

/* ---- pieces ---- */

/* Those that the element goes in. */
struct pieces {
	bool known;
	int64_t count, receivers;
	sw_carried first, own; /* that to the device asked for; elements 0: none goes there */
	int64_t last, asked;   /* the receiver before, and that device */
	int64_t most, all;     /* elements of the largest, and of all together */
};

static bool take_piece(void *user, const sw_carried *carried)
{
	struct pieces *pieces = user;
	if (!pieces->count++)
		pieces->first = *carried;
	pieces->most = carried->elements > pieces->most ? carried->elements : pieces->most;
	pieces->all += carried->elements;
	if (carried->to == pieces->asked && !pieces->own.elements)
		pieces->own = *carried;
	pieces->receivers += pieces->count == 1 || carried->to != pieces->last;
	pieces->last = carried->to;
	return true;
}

static struct pieces pieces_of(const struct film_way *way, int64_t to)
{
	struct pieces pieces = {.asked = to};
	sw_diag ignored;
	sw_arena *arena = way->about && way->mesh->devices <= DEVICES_MOST ? sw_arena_new() : NULL;
	if (!arena)
		return pieces;
	pieces.known = way->plan ?
		sw_plan_carries(way->plan, way->about - 1, way->element, arena, take_piece, &pieces, &ignored) :
		sw_moments_carries(way->moments, way->about, &(sw_array_element){way->array, way->element}, arena, take_piece,
			&pieces, &ignored);
	sw_arena_free(arena);
	return pieces;
}

/* The devices in the slots of the mesh before the step. */
static const int64_t *order_of(const struct film_way *way)
{
	if (way->plan)
		return sw_plan_order(way->plan, way->about - 1);
	const sw_moment *moment = &way->moments->moment[way->about - 1];
	return moment->plan ? sw_plan_order(moment->plan, moment->inside) : way->mesh->order;
}

/* The axes along which two devices differ. */
static void add_axes(const struct film_way *way, int64_t from, int64_t to, sw_text *text)
{
	const sw_mesh *mesh = way->mesh;
	const int64_t *order = order_of(way);
	int64_t one = holding_slot(order, mesh->devices, from), other = holding_slot(order, mesh->devices, to);
	int axes = 0, named = 0;
	for (int i = 0; i < mesh->count; i++)
		axes += sw_mesh_coordinate(mesh, one, i) != sw_mesh_coordinate(mesh, other, i);
	sw_text_add(text, axes == 1 ? ", over axis " : axes > 1 ? ", over axes " : "");
	for (int i = 0; i < mesh->count; i++) {
		if (sw_mesh_coordinate(mesh, one, i) == sw_mesh_coordinate(mesh, other, i))
			continue;
		sw_text_add(text, !named ? "" : named + 1 == axes ? " and " : ", ");
		sw_mesh_print_name(mesh->axis[i].name, text);
		named++;
	}
}

/* Who gets a copy, or terms, from whom. */
static void add_receivers(const struct film_way *way, const struct pieces *pieces, const char *what, sw_text *text)
{
	const sw_carried *first = &pieces->first;
	if (!pieces->known || !pieces->count)
		return;
	struct words to = words_device_first(way->mesh, first->to);
	struct words elements = words_plural(first->elements, "element", "elements");
	if (pieces->count > 1 && pieces->receivers == 1) {
		sw_text_addf(text, "; device %s gets %s from %s, in pieces of %s", to.text, what,
			words_plural(pieces->count, "device", "devices").text, elements.text);
		return;
	}
	if (pieces->receivers > 1)
		sw_text_addf(text, "; %s get %s, device %s from device %s, in a piece of %s",
			words_plural(pieces->receivers, "device", "devices").text, what, to.text,
			words_device_first(way->mesh, first->from).text, elements.text);
	else
		sw_text_addf(text, "; device %s gets %s from device %s, in a piece of %s", to.text, what,
			words_device_first(way->mesh, first->from).text, elements.text);
	add_axes(way, first->from, first->to, text);
}

/* ---- an element ---- */

/* Of copies the one that is sent need not be the first. */
static void add_move(const struct film_way *way, int64_t from, int64_t to, sw_text *text)
{
	struct pieces pieces = pieces_of(way, to);
	int k = way->about;
	int64_t sender = pieces.own.elements ? pieces.own.from : from;
	film_way_add_element(way, text);
	if (!pieces.own.elements && pieces.known) {
		sw_text_addf(text, " stays on device %s; device %s keeps no copy", words_device_first(way->mesh, to).text,
			words_device_first(way->mesh, from).text);
		return;
	}
	bool keeps = sw_owners_has(way->of, k, sender, way->element);
	sw_text_addf(text, keeps ? " goes from device %s to %s" : " leaves device %s for %s",
		words_device_first(way->mesh, sender).text, words_device_first(way->mesh, to).text);
	if (pieces.own.elements)
		sw_text_addf(text, ", in a piece of %s", words_plural(pieces.own.elements, "element", "elements").text);
	add_axes(way, sender, to, text);
	if (keeps)
		sw_text_addf(text, "; device %s keeps a copy", words_device(way->mesh, sender).text);
}

static void add_stay(const struct film_way *way, int64_t device, sw_text *text)
{
	int k = way->about;
	int64_t before = k ? holders(way, k - 1) : 0, after = holders(way, k);
	film_way_add_element(way, text);
	if (k && after != before)
		sw_text_addf(text, " stays on device %s; %s it before the step, %lld after it",
			words_device_first(way->mesh, device).text, words_plural(before, "device has", "devices have").text,
			(long long)after);
	else
		sw_text_addf(text, " %s device %s", k ? "stays on" : "is on", words_device_first(way->mesh, device).text);
	if (after > 1 && (!k || after == before))
		sw_text_addf(text, ", the first of %lld that have it", (long long)after);
	struct pieces pieces = pieces_of(way, VIEW_ALL);
	add_receivers(way, &pieces, "it", text);
}

static void add_made(const struct film_way *way, int64_t device, sw_text *text)
{
	int64_t after = holders(way, way->about);
	film_way_add_element(way, text);
	sw_text_addf(text, " is made on device %s", words_device_first(way->mesh, device).text);
	if (after > 1)
		sw_text_addf(text, ", the first of %lld that make it", (long long)after);
}

/* On how many devices the terms of a value are. */
static int apart(const struct film_way *way, int k)
{
	int64_t terms = sw_owners_terms(way->of), seen[TERMS_MOST];
	int count = 0;
	for (int64_t t = 0; t < terms && t < TERMS_MOST; t++) {
		int64_t owner = sw_owners_at(way->of, k, way->element, t);
		int i = 0;
		while (i < count && seen[i] != owner)
			i++;
		if (i == count)
			seen[count++] = owner;
	}
	return count;
}

static void add_terms(const struct film_way *way, bool made, sw_text *text)
{
	int64_t terms = sw_owners_terms(way->of);
	int k = way->about, before = apart(way, k && !made ? k - 1 : k), after = apart(way, k);
	sw_text_addf(text, "The %s%s terms of ", terms > TERMS_MOST ? "first " : "",
		words_count(terms > TERMS_MOST ? TERMS_MOST : terms).text);
	film_way_add_element(way, text);
	if (k && !made)
		sw_text_addf(text, " are on %s before the step, on %d after it",
			words_plural(before, "device", "devices").text, after);
	else
		sw_text_addf(text, " are %s on %s", made ? "made" : "", words_plural(after, "device", "devices").text);
	struct pieces pieces = pieces_of(way, VIEW_ALL);
	add_receivers(way, &pieces, "terms", text);
}

static void add_element_way(const struct film_way *way, sw_text *text)
{
	int k = way->about, before = k ? k - 1 : 0;
	bool made = !sw_owners_holding(way->of, before) && sw_owners_holding(way->of, k);
	int64_t from = made ? -1 : sw_owners_at(way->of, before, way->element, 0),
			to = sw_owners_at(way->of, k, way->element, 0);
	if (!sw_owners_holding(way->of, k) || to < 0) {
		sw_text_add(text, "No device has ");
		film_way_add_element(way, text);
		sw_text_add(text, sw_owners_holding(way->of, k) ? "" : " yet");
	} else if (sw_owners_terms(way->of) > 1) {
		add_terms(way, made, text);
	} else if (from < 0) {
		add_made(way, to, text);
	} else if (from == to || sw_owners_has(way->of, k, from, way->element)) {
		add_stay(way, from, text);
	} else {
		add_move(way, from, to, text);
	}
}

/* ---- a tile ---- */

static struct pieces tile_pieces(const struct film_way *way, const sw_region *region, sw_arena *arena)
{
	struct pieces pieces = {.asked = VIEW_ALL};
	sw_diag ignored;
	if (!way->about || way->mesh->devices > DEVICES_MOST)
		return pieces;
	pieces.known = way->plan ?
		sw_plan_carries_of(way->plan, way->about - 1, region, arena, take_piece, &pieces, &ignored) :
		sw_moments_carries_of(way->moments, way->about, &(sw_array_part){way->array, region}, arena, take_piece,
			&pieces, &ignored);
	return pieces;
}

static void add_tile_pieces(const struct film_way *way, const struct pieces *pieces, sw_text *text)
{
	const sw_carried *first = &pieces->first;
	if (!pieces->known)
		return;
	if (!pieces->count) {
		sw_text_add(text, "; nothing of it goes from device to device");
		return;
	}
	sw_text_addf(text, "; %s of it %s from device to device, in %s",
		words_plural(pieces->all, "element", "elements").text, pieces->all == 1 ? "goes" : "go",
		words_plural(pieces->count, "piece", "pieces").text);
	if (pieces->count > 1)
		sw_text_addf(text, " of at most %s", words_count(pieces->most).text);
	sw_text_addf(text, "%s from device %s to %s", pieces->count > 1 ? ", the first" : ",",
		words_device_first(way->mesh, first->from).text, words_device_first(way->mesh, first->to).text);
	add_axes(way, first->from, first->to, text);
}

static void add_tile_way(const struct film_way *way, sw_text *text)
{
	sw_region region;
	sw_arena *arena = sw_arena_new();
	if (arena && followed_tile_region(&way->tile, arena, &region)) {
		struct tile_place before = tile_place(way, way->about ? way->about - 1 : 0, &region, arena),
						  after = tile_place(way, way->about, &region, arena);
		struct pieces pieces = tile_pieces(way, &region, arena);
		sw_text_add(text, "Tile ");
		add_tile_name(way, text);
		sw_text_addf(text, ", %s,", words_plural(sw_region_size(&region), "element", "elements").text);
		if (before.devices < 0) {
			sw_text_addf(text, " is what device %s has after step %d",
				words_device_first(way->mesh, way->tile.device).text, way->tile.step);
		} else if (way->about) {
			sw_text_add(text, " is on ");
			add_tile_place(way, &before, text);
			sw_text_add(text, " before the step and on ");
			add_tile_place(way, &after, text);
			sw_text_add(text, " after it");
		} else {
			sw_text_add(text, " is on ");
			add_tile_place(way, &after, text);
		}
		add_tile_pieces(way, &pieces, text);
	}
	sw_arena_free(arena);
}

/* ---- a device ---- */

/* What a device gets from others, and gives to them. */
struct exchange {
	int64_t device;
	struct exchanged {
		int64_t devices, elements;
		bool *met;
	} in, out;
};

static void add_elements(struct exchanged *exchanged, int64_t other, int64_t elements)
{
	exchanged->devices += !exchanged->met[other];
	exchanged->met[other] = true;
	exchanged->elements += elements;
}

static bool add_moved(void *user, const sw_moment_move *move)
{
	struct exchange *exchange = user;
	if (move->to == exchange->device)
		add_elements(&exchange->in, move->from, move->elements);
	else if (move->from == exchange->device)
		add_elements(&exchange->out, move->to, move->elements);
	return true;
}

static bool plan_exchange(const sw_plan *plan, int k, sw_arena *arena, struct exchange *exchange, sw_diag *diag)
{
	const sw_transfers *transfers = sw_plan_transfers(plan, k, arena, diag);
	sw_transfer piece;
	for (int64_t to = 0; transfers && to < plan->problem.mesh.devices; to++) {
		bool meets = to == exchange->device || sw_transfers_between(transfers, exchange->device, to, &piece);
		for (int64_t n = 0; meets && n < sw_transfers_into(transfers, to); n++)
			if (sw_transfers_get(transfers, to, n, &piece) && piece.from != to)
				add_moved(exchange,
					&(sw_moment_move){.from = piece.from, .to = to, .elements = sw_transfer_size(transfers, &piece)});
	}
	return transfers != NULL;
}

static bool exchanges(const struct film_way *way, sw_arena *arena, struct exchange *exchange)
{
	sw_diag ignored;
	*exchange = (struct exchange){.device = way->device};
	exchange->in.met = SW_NEW_ZERO(arena, bool, way->mesh->devices);
	exchange->out.met = SW_NEW_ZERO(arena, bool, way->mesh->devices);
	if (!exchange->in.met || !exchange->out.met)
		return false;
	if (way->plan)
		return plan_exchange(way->plan, way->about - 1, arena, exchange, &ignored);
	return sw_moments_each_move(way->moments, way->about, arena, add_moved, exchange, &ignored);
}

static void add_side(const char *verb, const char *with, const struct exchanged *exchanged, sw_text *text)
{
	if (exchanged->elements == 0)
		sw_text_addf(text, "%s nothing", verb);
	else
		sw_text_addf(text, "%s %s %s %s", verb, words_plural(exchanged->elements, "element", "elements").text, with,
			words_plural(exchanged->devices, "device", "devices").text);
}

void film_way_add_exchange(const struct film_way *way, sw_text *text)
{
	struct exchange exchange;
	sw_arena *arena = way->about && way->mesh->devices <= DEVICES_MOST ? sw_arena_new() : NULL;
	if (arena && exchanges(way, arena, &exchange)) {
		sw_text_addf(text, "; in step %d it ", way->about);
		add_side("gets", "from", &exchange.in, text);
		sw_text_add(text, ", and ");
		add_side("sends", "to", &exchange.out, text);
	}
	sw_arena_free(arena);
}

static void add_device_way(const struct film_way *way, sw_text *text)
{
	sw_text held = {0};
	sw_text_addf(text, "Device %s has ", words_device_first(way->mesh, way->device).text);
	sw_owners_print(way->of, way->now, way->device, &held);
	sw_text_add(text, held.length ? sw_text_get(&held) : "nothing");
	sw_text_free(&held);
	film_way_add_exchange(way, text);
}

int film_way_draw(const struct film_way *way, struct canvas *out, int y)
{
	sw_text text = {0};
	assert(way->about >= 0 && way->about <= sw_owners_steps(way->of));
	if (way->element && way->tile.of)
		add_tile_way(way, &text);
	else if (way->element)
		add_element_way(way, &text);
	else if (way->device >= 0 && way->plan)
		add_device_way(way, &text);
	if (text.length)
		y = draw_note(out, 0, y, ROLE_TEXT, "%s.", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}
