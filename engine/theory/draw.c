/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing cases: a mesh, the sizes of an array that many of its types divide, and types that follow from each other.
 */
#include <assert.h>

#include "base/room.h"
#include "theory/statement.h"

#include "theory/space.h"

enum {
	DRAW_GLOBAL_MOST = 1024, /* elements of an array: execution takes as long as it is large */
	DRAW_DEVICES_MOST = 36,
	DRAW_TURNS = 8 /* starts from which a row of steps is tried */
};

uint64_t sw_draw_next(sw_draw *draw)
{
	uint64_t z = draw->state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

int sw_draw_below(sw_draw *draw, int count)
{
	assert(count > 0);
	return (int)(sw_draw_next(draw) >> 33) % count;
}

static void draw_mesh(sw_draw *draw, bool unsplit, int rank, sw_case_mesh *mesh)
{
	static const int64_t prime[] = {2, 2, 2, 3, 3, 5}, any[] = {2, 2, 3, 4, 4, 6};
	*mesh = (sw_case_mesh){.axes = 1 + sw_draw_below(draw, CASE_AXES)};
	mesh->rank = rank ? rank : 1 + sw_draw_below(draw, CASE_DIMS);
	for (int a = 0; a < mesh->axes; a++)
		mesh->size[a] = (unsplit ? any : prime)[sw_draw_below(draw, 6)];
	for (int d = 0; d < mesh->rank; d++) {
		mesh->global[d] = 1 + sw_draw_below(draw, 2);
		for (int a = 0; a < mesh->axes; a++)
			mesh->global[d] *= sw_draw_below(draw, 3) ? mesh->size[a] : 1;
	}
}

static bool draw_is_small(const sw_case_mesh *mesh)
{
	static const sw_case_type whole = {{0}, {{0}}};
	return sw_case_size(mesh, &whole) <= DRAW_GLOBAL_MOST && sw_case_devices(mesh) <= DRAW_DEVICES_MOST;
}

/* A type that follows by one of these operations, each of those that are possible as often; -1: none does. */
static int draw_after(sw_draw *draw, const sw_case_space *space, int before, unsigned operations)
{
	int count[4] = {0}, ops = 0, op[4], pick;
	for (int t = 0; t < space->count; t++)
		if (space->step[before][t] && (operations >> (space->step[before][t] - 1) & 1))
			count[space->step[before][t] - 1]++;
	for (int o = 0; o < 4; o++)
		if (count[o]) {
			SW_ROOM(op, ops);
			op[ops++] = o;
		}
	if (!ops)
		return -1;
	int chosen = op[sw_draw_below(draw, ops)];
	pick = sw_draw_below(draw, count[chosen]);
	for (int t = 0; t < space->count; t++)
		if (space->step[before][t] == chosen + 1 && pick-- == 0)
			return t;
	return -1;
}

static bool draw_types(const sw_statement_row *row, sw_draw *draw, const sw_case_space *space, sw_case *out)
{
	int type = sw_draw_below(draw, space->count);
	out->count = row->least + sw_draw_below(draw, row->most - row->least + 1);
	for (int k = 0; k < out->count; k++) {
		if (k)
			type = row->joined ? draw_after(draw, space, type, row->step[k - 1]) : sw_draw_below(draw, space->count);
		if (type < 0)
			return false;
		out->type[k] = space->type[type];
	}
	return true;
}

bool sw_case_draw(const sw_statement_row *row, sw_draw *draw, bool unsplit, sw_arena *arena, sw_case *out,
	bool *failed)
{
	*failed = false;
	*out = (sw_case){.salt = sw_draw_next(draw)};
	draw_mesh(draw, unsplit, row->rank, &out->mesh);
	if (!draw_is_small(&out->mesh))
		return false;
	const sw_case_space *space = sw_case_space_of(&out->mesh, arena);
	*failed = !space;
	for (int turn = 0; space && turn < DRAW_TURNS; turn++)
		if (draw_types(row, draw, space, out) && sw_case_fits(row, out))
			return true;
	return false;
}

bool sw_case_fits(const sw_statement_row *row, const sw_case *one)
{
	if (one->count < row->least || one->count > row->most)
		return false;
	for (int k = 0; k < one->count; k++)
		if (!sw_case_type_sound(&one->mesh, &one->type[k]))
			return false;
	for (int k = 0; row->joined && k + 1 < one->count; k++) {
		sw_case_step step;
		if (!sw_case_step_between(&one->mesh, &one->type[k], &one->type[k + 1], &step) ||
			!(row->step[k] >> step.op & 1))
			return false;
	}
	return !row->fits || row->fits(one);
}
