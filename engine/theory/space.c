/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All types over a small mesh, and ways between them: Dijkstra's search over types and phases of a form.
 */
#include "theory/space.h"
#include "step/row.h"

#include <string.h>

#define NODES (SPACE_TYPES * FORM_PHASES)

#define ALL_TO(phase) \
	{ \
		(phase) + 1, (phase) + 1, (phase) + 1, (phase) + 1 \
	}

const sw_case_form sw_form_any = {.next = {ALL_TO(0)}, .ends = 1};

/* By operation: dynslice, allgather, alltoall, allpermute. */
const sw_case_form sw_form_normal = {.next = {{1, 3, 2, 2}, {0, 3, 2, 2}, {0, 3, 0, 0}}, .ends = 7};

/* ---- all types ---- */

/* Adds what comes of a type when axes from `axis` on are put anywhere. */
static void space_grow(sw_case_space *space, const sw_case_type *type, int axis)
{
	const sw_case_mesh *mesh = space->mesh;
	if (axis == mesh->axes) {
		if (sw_case_size(mesh, type) > 0 && space->count < SPACE_TYPES) {
			space->size[space->count] = sw_case_size(mesh, type);
			space->type[space->count++] = *type;
		}
		return;
	}
	space_grow(space, type, axis + 1);
	for (int d = 0; d < mesh->rank; d++)
		for (int index = 0; index <= type->count[d]; index++) {
			sw_case_type more = *type;
			uint8_t *at = more.axis[d];
			memmove(at + index + 1, at + index, (size_t)(type->count[d] - index));
			at[index] = (uint8_t)axis;
			more.count[d]++;
			space_grow(space, &more, axis + 1);
		}
}

const sw_case_space *sw_case_space_of(const sw_case_mesh *mesh, sw_arena *arena)
{
	static const sw_case_type whole = {{0}, {{0}}};
	sw_case_space *space = SW_NEW_ZERO(arena, sw_case_space, 1);
	if (!space)
		return NULL;
	space->mesh = mesh;
	space_grow(space, &whole, 0);
	for (int a = 0; a < space->count; a++)
		for (int b = 0; b < space->count; b++) {
			sw_case_step step;
			if (sw_case_step_between(mesh, &space->type[a], &space->type[b], &step))
				space->step[a][b] = (uint8_t)(1 + step.op);
		}
	return space;
}

int sw_case_space_find(const sw_case_space *space, const sw_case_type *type)
{
	for (int t = 0; t < space->count; t++)
		if (sw_case_type_equal(&space->type[t], type))
			return t;
	return -1;
}

/* ---- ways ---- */

typedef struct way_node {
	int64_t price;
	int steps; /* among equal prices the fewest */
	int before;
	bool open, settled;
} way_node;

typedef struct way_search {
	const sw_case_space *space;
	const sw_case_form *form;
	sw_case_price price;
	int64_t height;
	way_node node[NODES];
} way_search;

static int64_t way_price(const way_search *search, sw_op op, int after)
{
	if (search->price == PRICE_STEPS)
		return 1;
	sw_among among = sw_row(op)->among;
	if (among == SW_AMONG_NONE || (among == SW_AMONG_PAIRS && search->price == PRICE_WEAK_COST))
		return 0;
	return search->space->size[after];
}

static bool way_less(const way_node *a, const way_node *b)
{
	return a->price != b->price ? a->price < b->price : a->steps < b->steps;
}

static int way_next(const way_search *search)
{
	int best = -1;
	for (int n = 0; n < search->space->count * FORM_PHASES; n++) {
		const way_node *node = &search->node[n];
		if (node->open && !node->settled && (best < 0 || way_less(node, &search->node[best])))
			best = n;
	}
	return best;
}

static void way_settle(way_search *search, int n)
{
	const sw_case_space *space = search->space;
	int here = n / FORM_PHASES, phase = n % FORM_PHASES;
	search->node[n].settled = true;
	for (int t = 0; t < space->count; t++) {
		if (!space->step[here][t] || (search->height && space->size[t] > search->height))
			continue;
		sw_op op = (sw_op)(space->step[here][t] - 1);
		int next = search->form->next[phase][op];
		if (!next)
			continue;
		way_node *node = &search->node[t * FORM_PHASES + next - 1];
		way_node offer = {search->node[n].price + way_price(search, op, t), search->node[n].steps + 1, n, true,
			false};
		if (!node->settled && (!node->open || way_less(&offer, node)))
			*node = offer;
	}
}

static bool way_keep(const way_search *search, int n, sw_case *path)
{
	int steps = search->node[n].steps;
	path->mesh = *search->space->mesh;
	path->count = steps + 1;
	if (path->count > CASE_TYPES)
		return false;
	for (; steps >= 0; n = search->node[n].before)
		path->type[steps--] = search->space->type[n / FORM_PHASES];
	return true;
}

bool sw_case_way(const sw_case_space *space, const sw_case_type *from, const sw_case_type *to,
	const sw_case_form *form, sw_case_price price, int64_t height, sw_case *path)
{
	way_search search = {.space = space, .form = form, .price = price, .height = height};
	int start = sw_case_space_find(space, from), goal = sw_case_space_find(space, to);
	if (start < 0 || goal < 0)
		return false;
	search.node[start * FORM_PHASES] = (way_node){0, 0, -1, true, false};
	for (int n; (n = way_next(&search)) >= 0;) {
		if (n / FORM_PHASES == goal && (form->ends >> n % FORM_PHASES & 1))
			return way_keep(&search, n, path);
		way_settle(&search, n);
	}
	return false;
}
