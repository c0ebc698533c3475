/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of tiles, and collectives on them: what a group may do, and what its members have then (seed 001, figure 8).
 */
#include <shardwalk/pieces.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/keys.h"
#include "step/hold.h"
#include "step/row.h"

int64_t sw_piece_begin(int64_t size, int count, int piece)
{
	assert(count > 0 && piece >= 0 && piece <= count);
	return size / count * piece + size % count * piece / count;
}

static size_t row_bytes(const sw_pieces *pieces)
{
	return (size_t)pieces->words * sizeof *pieces->none;
}

static bool same_terms(const sw_pieces *pieces, const uint64_t *a, const uint64_t *b)
{
	return a == b || memcmp(a, b, row_bytes(pieces)) == 0;
}

/* ---- lists ---- */

/* What all members of a group have is cut where a run of one of them begins or ends. */
struct sw_pieces_room {
	int runs;
	sw_pieces_run *run;   /* of the list that is put together */
	uint64_t *cut;        /* a bit for each piece that begins such a part, and for the end */
	const uint64_t **sum; /* of the part that begins with a piece; NULL: nobody has it */
	uint64_t **own;       /* the same where it is nobody's terms alone, else NULL */
};

static const sw_pieces_list nothing = {.runs = 0};

static bool make_room(sw_pieces *pieces, sw_arena *arena)
{
	struct sw_pieces_room *room = SW_NEW_ZERO(arena, struct sw_pieces_room, 1);
	int64_t count = pieces->count + 1;

	pieces->arena = arena;
	pieces->room = room;
	pieces->none = SW_NEW_ZERO(arena, uint64_t, pieces->words);
	pieces->list = SW_NEW(arena, const sw_pieces_list *, pieces->devices);
	if (room == NULL || pieces->none == NULL || pieces->list == NULL)
		return false;
	room->run = SW_NEW(arena, sw_pieces_run, count);
	room->cut = SW_NEW(arena, uint64_t, count / 64 + 1);
	room->sum = SW_NEW(arena, const uint64_t *, count);
	room->own = SW_NEW(arena, uint64_t *, count);
	return room->run != NULL && room->cut != NULL && room->sum != NULL && room->own != NULL;
}

static void push(const sw_pieces *pieces, int first, int end, const uint64_t *terms)
{
	struct sw_pieces_room *room = pieces->room;
	sw_pieces_run *last = room->runs > 0 ? &room->run[room->runs - 1] : NULL;

	assert(first < end && end <= pieces->count && (last == NULL || last->end <= first));
	if (last != NULL && last->end == first && same_terms(pieces, last->terms, terms))
		last->end = end;
	else
		room->run[room->runs++] = (sw_pieces_run){first, end, terms};
}

/* The list of what was pushed.  NULL: no memory. */
static const sw_pieces_list *take_list(const sw_pieces *pieces)
{
	struct sw_pieces_room *room = pieces->room;
	size_t bytes = (size_t)room->runs * sizeof *room->run;
	sw_pieces_list *list = room->runs > 0 ? sw_arena_alloc(pieces->arena, 1, sizeof *list + bytes) : NULL;

	if (room->runs == 0)
		return &nothing;
	if (list != NULL) {
		list->runs = room->runs;
		memcpy(list->run, room->run, bytes);
	}
	room->runs = 0;
	return list;
}

static uint64_t *copy_terms(const sw_pieces *pieces, const uint64_t *terms)
{
	uint64_t *copy = SW_NEW(pieces->arena, uint64_t, pieces->words);

	if (copy != NULL)
		memcpy(copy, terms, row_bytes(pieces));
	return copy;
}

/* ---- made ---- */

bool sw_pieces_make(sw_pieces *pieces, int64_t devices, int count, int64_t terms, sw_arena *arena, sw_diag *diag)
{
	assert(devices >= 1 && count >= 1 && terms >= 1);
	int64_t words = (terms + 63) / 64, rows, bytes;

	if (!sw_mul(devices, count, &rows) || !sw_mul(rows, words * 8, &bytes) || bytes > SW_PIECES_MEMORY) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "what %lld devices hold of %d chunks is too much to track",
			(long long)devices, count);
		return sw_diag_hint(diag, "use a sum over fewer devices"), false;
	}
	*pieces = (sw_pieces){.devices = devices, .terms = terms, .count = count, .words = (int)words};
	if (!make_room(pieces, arena))
		return sw_diag_memory(diag);
	for (int64_t d = 0; d < devices; d++)
		pieces->list[d] = &nothing;
	return true;
}

/* Every piece, of one term alone.  NULL: no memory. */
static const sw_pieces_list *whole_term(const sw_pieces *pieces, int64_t term)
{
	assert(term >= 0 && term < pieces->terms);
	uint64_t *terms = copy_terms(pieces, pieces->none);

	if (terms == NULL)
		return NULL;
	terms[term / 64] |= (uint64_t)1 << term % 64;
	push(pieces, 0, pieces->count, terms);
	return take_list(pieces);
}

bool sw_pieces_start(sw_pieces *pieces, int64_t devices, int count, int64_t terms, const int32_t *term,
	sw_arena *arena, sw_diag *diag)
{
	const sw_pieces_list **of_term = SW_NEW_ZERO(arena, const sw_pieces_list *, terms);

	if (of_term == NULL)
		return sw_diag_memory(diag);
	if (!sw_pieces_make(pieces, devices, count, terms, arena, diag))
		return false;
	for (int64_t d = 0; d < devices; d++) {
		int64_t own = term != NULL ? term[d] : d;

		of_term[own] = of_term[own] != NULL ? of_term[own] : whole_term(pieces, own);
		pieces->list[d] = of_term[own];
		if (pieces->list[d] == NULL)
			return sw_diag_memory(diag);
	}
	return true;
}

bool sw_pieces_share(const sw_pieces *from, sw_arena *arena, sw_pieces *to, sw_diag *diag)
{
	*to = *from;
	if (!make_room(to, arena))
		return sw_diag_memory(diag);
	memcpy(to->list, from->list, (size_t)from->devices * sizeof(*to->list));
	return true;
}

/* ---- copied ---- */

/* What several devices share they share afterwards: by the pointers to the old. */
struct copies {
	sw_keys lists, terms;
	const sw_pieces_list **list;
	const uint64_t **row;
	int room_lists, room_rows;
};

static const uint64_t *copied_terms(const sw_pieces *to, struct copies *copies, const uint64_t *terms)
{
	int count = copies->terms.count, at = sw_keys_add(&copies->terms, (const uint8_t *)&terms);

	if (at < 0 || !SW_GROW(to->arena, copies->row, count, copies->room_rows, 64))
		return NULL;
	if (at == count)
		copies->row[at] = copy_terms(to, terms);
	return copies->row[at];
}

static const sw_pieces_list *copied_list(const sw_pieces *to, struct copies *copies, const sw_pieces_list *list)
{
	int count = copies->lists.count, at = sw_keys_add(&copies->lists, (const uint8_t *)&list);
	bool done = at >= 0 && SW_GROW(to->arena, copies->list, count, copies->room_lists, 64);

	if (!done)
		return NULL;
	for (int r = 0; done && at == count && r < list->runs; r++) {
		const uint64_t *terms = copied_terms(to, copies, list->run[r].terms);

		done = terms != NULL;
		if (done)
			push(to, list->run[r].first, list->run[r].end, terms);
	}
	if (at == count)
		copies->list[at] = done ? take_list(to) : NULL;
	return copies->list[at];
}

bool sw_pieces_copy(const sw_pieces *from, sw_arena *arena, sw_pieces *to, sw_diag *diag)
{
	struct copies copies = {.room_lists = 0};
	bool done = sw_keys_init(&copies.lists, sizeof(void *)) && sw_keys_init(&copies.terms, sizeof(void *)) &&
		sw_pieces_share(from, arena, to, NULL);

	for (int64_t d = 0; done && d < to->devices; d++) {
		to->list[d] = copied_list(to, &copies, from->list[d]);
		done = to->list[d] != NULL;
	}
	sw_keys_free(&copies.lists);
	sw_keys_free(&copies.terms);
	return done || sw_diag_memory(diag);
}

/* ---- of a device ---- */

/* NULL: the device has not got the piece. */
static const sw_pieces_run *run_at(const sw_pieces *pieces, int64_t device, int piece)
{
	const sw_pieces_list *list = pieces->list[device];
	int from = 0, to = list->runs;

	while (from < to) {
		int half = (from + to) / 2;

		if (piece < list->run[half].first)
			to = half;
		else if (piece >= list->run[half].end)
			from = half + 1;
		else
			return &list->run[half];
	}
	return NULL;
}

const uint64_t *sw_pieces_terms(const sw_pieces *pieces, int64_t device, int piece)
{
	const sw_pieces_run *run = run_at(pieces, device, piece);

	return run != NULL ? run->terms : pieces->none;
}

void sw_pieces_get(const sw_pieces *pieces, int64_t device, uint64_t *bits)
{
	const sw_pieces_list *list = pieces->list[device];

	memset(bits, 0, row_bytes(pieces) * (size_t)pieces->count);
	for (int r = 0; r < list->runs; r++)
		for (int p = list->run[r].first; p < list->run[r].end; p++)
			memcpy(bits + (int64_t)p * pieces->words, list->run[r].terms, row_bytes(pieces));
}

bool sw_pieces_put(const sw_pieces *pieces, int64_t device, const uint64_t *bits)
{
	for (int p = 0, end; p < pieces->count; p = end) {
		const uint64_t *row = bits + (int64_t)p * pieces->words, *terms;

		for (end = p + 1; end < pieces->count; end++)
			if (!same_terms(pieces, row, bits + (int64_t)end * pieces->words))
				break;
		if (same_terms(pieces, row, pieces->none))
			continue;
		terms = copy_terms(pieces, row);
		if (terms == NULL)
			return false;
		push(pieces, p, end, terms);
	}
	pieces->list[device] = take_list(pieces);
	return pieces->list[device] != NULL;
}

bool sw_pieces_has(const sw_pieces *pieces, int64_t device, int piece)
{
	return run_at(pieces, device, piece) != NULL;
}

static int held_of(const sw_pieces_list *list)
{
	int held = 0;

	for (int r = 0; r < list->runs; r++)
		held += list->run[r].end - list->run[r].first;
	return held;
}

int sw_pieces_held(const sw_pieces *pieces, int64_t device)
{
	assert(device >= 0 && device < pieces->devices);
	return held_of(pieces->list[device]);
}

bool sw_pieces_are(const sw_pieces *pieces, int64_t device, int first, int end, const uint64_t *terms)
{
	assert(first >= 0 && first < end && end <= pieces->count);
	const sw_pieces_run *run = run_at(pieces, device, first);

	return run != NULL && run->end >= end && same_terms(pieces, run->terms, terms);
}

static bool all_terms(const sw_pieces *pieces, const uint64_t *terms)
{
	for (int64_t t = 0; t < pieces->terms; t++)
		if ((terms[t / 64] >> t % 64 & 1) == 0)
			return false;
	return true;
}

bool sw_pieces_done(const sw_pieces *pieces)
{
	const uint64_t *known = NULL; /* to have all */

	for (int64_t d = 0; d < pieces->devices; d++) {
		const uint64_t *terms = sw_pieces_terms(pieces, d, 0);

		if (!sw_pieces_are(pieces, d, 0, pieces->count, terms) || (terms != known && !all_terms(pieces, terms)))
			return false;
		known = terms;
	}
	return true;
}

/* Where the pieces end that follow run `*r` of a device without a gap; *r becomes the last run of them. */
static int end_of_held(const sw_pieces_list *list, int *r)
{
	while (*r + 1 < list->runs && list->run[*r + 1].first == list->run[*r].end)
		++*r;
	return list->run[*r].end;
}

void sw_pieces_print(const sw_pieces *pieces, int64_t device, sw_text *text)
{
	const sw_pieces_list *list = pieces->list[device];
	int held = held_of(list);

	sw_text_add(text, held == 0 ? "no chunk" : held == 1 ? "chunk" : "chunks");
	for (int r = 0; r < list->runs; r++) {
		int first = list->run[r].first;

		sw_text_addf(text, r == 0 ? " %d" : ", %d", first);
		int end = end_of_held(list, &r);
		if (end > first + 1)
			sw_text_addf(text, "-%d", end - 1);
	}
}

/* ---- what a group has ---- */

static void cut_at(struct sw_pieces_room *room, int piece)
{
	room->cut[piece / 64] |= (uint64_t)1 << piece % 64;
	room->sum[piece] = NULL;
	room->own[piece] = NULL;
}

/* The first cut behind a piece; there is one. */
static int next_cut(const struct sw_pieces_room *room, int piece)
{
	int word = ++piece / 64;
	uint64_t bits = room->cut[word] >> piece % 64 << piece % 64;

	while (bits == 0)
		bits = room->cut[++word];
	return word * 64 + __builtin_ctzll(bits);
}

static void cut_all(const sw_pieces *pieces, const int32_t *member, int64_t size)
{
	struct sw_pieces_room *room = pieces->room;

	memset(room->cut, 0, sizeof *room->cut * (size_t)((pieces->count + 1) / 64 + 1));
	cut_at(room, 0);
	cut_at(room, pieces->count);
	for (int64_t m = 0; m < size; m++) {
		const sw_pieces_list *list = pieces->list[member[m]];

		if (m > 0 && list == pieces->list[member[m - 1]])
			continue;
		for (int r = 0; r < list->runs; r++) {
			cut_at(room, list->run[r].first);
			cut_at(room, list->run[r].end);
		}
	}
}

typedef enum added {
	ADDED,
	TWICE, /* a term came twice */
	NO_MEMORY
} added;

/* Adds terms to the part that begins with a piece. */
static added add_terms(const sw_pieces *pieces, int part, const uint64_t *terms)
{
	struct sw_pieces_room *room = pieces->room;
	uint64_t *own = room->own[part], twice = 0;

	if (room->sum[part] == NULL) {
		room->sum[part] = terms;
		return ADDED;
	}
	if (own == NULL)
		own = room->own[part] = copy_terms(pieces, room->sum[part]);
	if (own == NULL)
		return NO_MEMORY;
	room->sum[part] = own;
	for (int w = 0; w < pieces->words; w++) {
		twice |= own[w] & terms[w];
		own[w] |= terms[w];
	}
	return twice != 0 ? TWICE : ADDED;
}

/* Adds up what all members have, part by part. */
static added add_up(const sw_pieces *pieces, const int32_t *member, int64_t size)
{
	added done = ADDED;

	cut_all(pieces, member, size);
	for (int64_t m = 0; m < size; m++) {
		const sw_pieces_list *list = pieces->list[member[m]];

		for (int r = 0; r < list->runs; r++)
			for (int p = list->run[r].first; p < list->run[r].end && done == ADDED; p = next_cut(pieces->room, p))
				done = add_terms(pieces, p, list->run[r].terms);
	}
	return done;
}

/* What was added up, as a list.  NULL: no memory. */
static const sw_pieces_list *take_sum(const sw_pieces *pieces)
{
	const struct sw_pieces_room *room = pieces->room;

	for (int p = 0, end; p < pieces->count; p = end) {
		end = next_cut(room, p);
		if (room->sum[p] != NULL)
			push(pieces, p, end, room->sum[p]);
	}
	return take_list(pieces);
}

/* ---- premises and effects: the columns `premise` and `hold` ---- */

static bool same_pieces(const sw_pieces_list *a, const sw_pieces_list *b)
{
	int r = 0, s = 0;

	for (; a != b && r < a->runs && s < b->runs; r++, s++)
		if (a->run[r].first != b->run[s].first || end_of_held(a, &r) != end_of_held(b, &s))
			return false;
	return a == b || (r == a->runs && s == b->runs);
}

/* The first piece that two devices have in common, from their runs *r and *s on; -1: none. */
static int next_common(const sw_pieces_list *a, const sw_pieces_list *b, int *r, int *s)
{
	while (*r < a->runs && *s < b->runs) {
		const sw_pieces_run *one = &a->run[*r], *other = &b->run[*s];

		if (one->end <= other->first)
			++*r;
		else if (other->end <= one->first)
			++*s;
		else
			return one->first > other->first ? one->first : other->first;
	}
	return -1;
}

static void pass_common(const sw_pieces_list *a, const sw_pieces_list *b, int *r, int *s)
{
	if (a->run[*r].end <= b->run[*s].end)
		++*r;
	else
		++*s;
}

/* The first piece of which two devices have the same term, and which one; false: none. */
static bool share_term(const sw_pieces *pieces, const sw_pieces_list *a, const sw_pieces_list *b, sw_breach *of)
{
	int r = 0, s = 0;

	for (int p = next_common(a, b, &r, &s); p >= 0; p = next_common(a, b, &r, &s)) {
		const uint64_t *one = a->run[r].terms, *other = b->run[s].terms;

		for (int w = 0; w < pieces->words; w++)
			if ((one[w] & other[w]) != 0) {
				of->piece = p;
				of->term = w * (int64_t)64 + __builtin_ctzll(one[w] & other[w]);
				return true;
			}
		pass_common(a, b, &r, &s);
	}
	return false;
}

/* The first two members that have the same term of a piece. */
static sw_premise find_twice(const sw_pieces *pieces, sw_breach *of)
{
	for (of->a = 0; of->a < of->size; of->a++)
		for (of->b = of->a + 1; of->b < of->size; of->b++)
			if (share_term(pieces, pieces->list[of->member[of->a]], pieces->list[of->member[of->b]], of))
				return SW_PREMISE_ADDED_TWICE;
	return SW_PREMISE_HOLDS;
}

sw_premise sw_premise_terms(const sw_pieces *pieces, const sw_collective *row, sw_breach *of)
{
	sw_arena_mark mark = sw_arena_here(pieces->arena);
	const sw_pieces_list *first = pieces->list[of->member[0]];
	int held = held_of(first);

	for (of->b = 1; of->b < of->size; of->b++)
		if (!same_pieces(first, pieces->list[of->member[of->b]]))
			return SW_PREMISE_CHUNKS_DIFFER;
	of->b = of->size - 1;
	if (held == 0)
		return SW_PREMISE_NOTHING;
	bool twice = add_up(pieces, of->member, of->size) == TWICE; /* without memory the step fails, not its premise */
	sw_arena_back(pieces->arena, mark);
	if (twice)
		return find_twice(pieces, of);
	return row->leaves == SW_LEAVES_PARTS && held % of->size != 0 ? SW_PREMISE_INDIVISIBLE : SW_PREMISE_HOLDS;
}

/* The first piece that two members have, `count` where there is none. */
static int first_common(const sw_pieces *pieces, const int32_t *member, int64_t size)
{
	struct sw_pieces_room *room = pieces->room;
	int least = pieces->count;

	cut_all(pieces, member, size);
	for (int64_t m = 0; m < size; m++) {
		const sw_pieces_list *list = pieces->list[member[m]];

		for (int r = 0; r < list->runs; r++)
			for (int p = list->run[r].first; p < list->run[r].end && p < least; p = next_cut(room, p)) {
				least = room->sum[p] != NULL ? p : least;
				room->sum[p] = list->run[r].terms;
			}
	}
	return least;
}

sw_premise sw_premise_parts(const sw_pieces *pieces, const sw_collective *row, sw_breach *of)
{
	int held = sw_pieces_held(pieces, of->member[0]);

	(void)row;
	for (of->b = 1; of->b < of->size; of->b++)
		if (sw_pieces_held(pieces, of->member[of->b]) != held)
			return SW_PREMISE_COUNTS_DIFFER;
	of->b = of->size - 1;
	if (held == 0)
		return SW_PREMISE_NOTHING;
	of->piece = first_common(pieces, of->member, of->size);
	if (of->piece == pieces->count)
		return SW_PREMISE_HOLDS;
	for (of->a = 0; !sw_pieces_has(pieces, of->member[of->a], of->piece);)
		of->a++;
	for (of->b = of->a + 1; !sw_pieces_has(pieces, of->member[of->b], of->piece);)
		of->b++;
	return SW_PREMISE_SAME_CHUNK;
}

/* The first piece of which a device has a term that the root has not; -1: none. */
static int first_unknown(const sw_pieces *pieces, int32_t root, const sw_pieces_list *list)
{
	for (int r = 0; r < list->runs; r++)
		for (int p = list->run[r].first; p < list->run[r].end;) {
			const sw_pieces_run *known = run_at(pieces, root, p);

			for (int w = 0; known != NULL && w < pieces->words; w++)
				if ((list->run[r].terms[w] & ~known->terms[w]) != 0)
					return p;
			if (known == NULL)
				return p;
			p = known->end;
		}
	return -1;
}

static bool same_lists(const sw_pieces *pieces, const sw_pieces_list *a, const sw_pieces_list *b)
{
	if (a == b)
		return true;
	if (a->runs != b->runs)
		return false;
	for (int r = 0; r < a->runs; r++)
		if (a->run[r].first != b->run[r].first || a->run[r].end != b->run[r].end ||
			!same_terms(pieces, a->run[r].terms, b->run[r].terms))
			return false;
	return true;
}

sw_premise sw_premise_root(const sw_pieces *pieces, const sw_collective *row, sw_breach *of)
{
	const sw_pieces_list *root = pieces->list[of->member[0]];
	bool new = false;

	(void)row;
	for (of->b = 1; of->b < of->size; of->b++) {
		const sw_pieces_list *own = pieces->list[of->member[of->b]];
		int unknown = first_unknown(pieces, of->member[0], own);

		if (unknown >= 0) {
			of->piece = unknown;
			return SW_PREMISE_ROOT_KNOWS_LESS;
		}
		new = new || !same_lists(pieces, own, root);
	}
	of->b = 1;
	return new ? SW_PREMISE_HOLDS : SW_PREMISE_NOTHING_NEW;
}

/* Each member keeps its share of the sum, as many pieces as the others: the first member the first ones. */
static bool keep_shares(const sw_pieces *pieces, const sw_pieces_list *sum, const int32_t *member, int each)
{
	int left = each;

	for (int r = 0; r < sum->runs; r++)
		for (int p = sum->run[r].first, end; p < sum->run[r].end; p = end) {
			end = sum->run[r].end - p < left ? sum->run[r].end : p + left;
			push(pieces, p, end, sum->run[r].terms);
			left -= end - p;
			if (left > 0)
				continue;
			pieces->list[*member] = take_list(pieces);
			if (pieces->list[*member++] == NULL)
				return false;
			left = each;
		}
	return true;
}

bool sw_hold_sum(const sw_pieces *pieces, const sw_collective *row, const int32_t *member, int64_t size)
{
	int held = sw_pieces_held(pieces, member[0]);

	assert(row->leaves != SW_LEAVES_PARTS || (held > 0 && held % size == 0));
	const sw_pieces_list *sum = add_up(pieces, member, size) == NO_MEMORY ? NULL : take_sum(pieces);
	if (sum == NULL)
		return false;
	if (row->leaves == SW_LEAVES_PARTS)
		return keep_shares(pieces, sum, member, (int)(held / size));
	for (int64_t m = 0; m < size; m++)
		pieces->list[member[m]] = row->leaves == SW_LEAVES_ALL || m == 0 ? sum : &nothing;
	return true;
}

bool sw_hold_root(const sw_pieces *pieces, const sw_collective *row, const int32_t *member, int64_t size)
{
	(void)row;
	for (int64_t m = 1; m < size; m++)
		pieces->list[member[m]] = pieces->list[member[0]];
	return true;
}

bool sw_pieces_step(sw_pieces *pieces, sw_op op, const int32_t *member, int64_t grouped, int64_t size,
	sw_breach *breach)
{
	assert(size >= 1 && grouped % size == 0);
	const sw_collective *row = sw_row(op);
	assert(row->premise != NULL && row->hold != NULL);

	*breach = (sw_breach){.member = member, .size = size};
	for (int64_t n = 0; n < grouped; n += size) {
		breach->member = member + n;
		breach->a = 0;
		breach->premise = row->premise(pieces, row, breach);
		if (breach->premise != SW_PREMISE_HOLDS)
			return true;
	}
	for (int64_t n = 0; n < grouped; n += size)
		if (!row->hold(pieces, row, member + n, size))
			return false;
	return true;
}
