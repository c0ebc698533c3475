/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing problems as the evaluation does: the mesh follows from the devices; then rank, both ends, and sizes that both divide.
 */
#include <shardwalk/evaluation.h>

#include <math.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/room.h"
#include "theory/statement.h"

enum { EVALUATION_AXES = 3, EVALUATION_RANK = 6, EVALUATION_BYTES = 4 };

/* Where each axis stands at one end. */
typedef struct sw_evaluation_end {
	int order[EVALUATION_AXES]; /* in which the axes come to their dimensions */
	int place[EVALUATION_AXES]; /* the dimension of an axis; the rank where it holds copies */
} sw_evaluation_end;

/* ---- the mesh ---- */

/* Is a triple more equal than another? */
static bool evaluation_is_closer(const int64_t *a, const int64_t *b)
{
	return !b[0] || a[0] * b[2] < b[0] * a[2] || (a[0] * b[2] == b[0] * a[2] && a[0] < b[0]);
}

/* Three factors, the largest first, whose largest is as few times the smallest as can be. */
static void evaluation_sizes(int64_t devices, int64_t best[EVALUATION_AXES])
{
	best[0] = 0;
	for (int64_t c = 1; c * c * c <= devices; c++) {
		for (int64_t b = c; devices % c == 0 && b * b <= devices / c; b++) {
			int64_t sizes[] = {devices / c / b, b, c};
			if (devices / c % b == 0 && evaluation_is_closer(sizes, best))
				memcpy(best, sizes, sizeof(sizes));
		}
	}
}

/* Axes of size 1 are left out. */
static bool evaluation_mesh(int64_t devices, sw_mesh *mesh, sw_diag *diag)
{
	static const char *const names[] = {"a", "b", "c"};
	int64_t sizes[EVALUATION_AXES];
	*mesh = (sw_mesh){.count = 0};
	evaluation_sizes(devices, sizes);
	for (int i = 0; i < EVALUATION_AXES; i++)
		if (sizes[i] > 1 && !sw_mesh_add(mesh, sw_str_of(names[i]), sizes[i], diag))
			return false;
	return true;
}

/* ---- the ends ---- */

static void evaluation_place(sw_draw *draw, int axes, int rank, sw_evaluation_end *end)
{
	for (int a = 0; a < axes; a++) {
		int other = sw_draw_below(draw, a + 1);
		end->order[a] = end->order[other];
		end->order[other] = a;
		end->place[a] = sw_draw_below(draw, rank + 1);
	}
}

static int64_t evaluation_parts(const sw_mesh *mesh, const sw_evaluation_end *end, int dim)
{
	int64_t product = 1;
	for (int a = 0; a < mesh->count; a++)
		product *= end->place[a] == dim ? mesh->axis[a].size : 1;
	return product;
}

static bool evaluation_type(const sw_mesh *mesh, const sw_evaluation_end *end, int rank, const int64_t *global,
	sw_type *type, sw_diag *diag)
{
	sw_part parts[EVALUATION_AXES];
	int count[SW_MAX_DIMS] = {0}, n = 0;
	for (int d = 0; d < rank; d++)
		for (int k = 0; k < mesh->count; k++)
			if (end->place[end->order[k]] == d) {
				SW_ROOM(parts, n);
				parts[n++] = (sw_part){end->order[k], 1, mesh->axis[end->order[k]].size};
				count[d]++;
			}
	return sw_type_replicated(SW_F32, rank, global, type, diag) && sw_type_partition(mesh, type, count, parts, diag);
}

/* ---- sizes ---- */

/* From 0 to below 1. */
static double evaluation_share(sw_draw *draw)
{
	return ldexp((double)(sw_draw_next(draw) >> 11), -53);
}

static int64_t evaluation_common(int64_t a, int64_t b)
{
	return a / sw_gcd(a, b) * b;
}

/* The multiple of `unit` nearest to `wanted`, at least one of it. */
static int64_t evaluation_multiple(double wanted, int64_t unit)
{
	double times = rint(wanted / (double)unit);
	return unit * (times < 1 ? 1 : (int64_t)times);
}

/* Sizes that are multiples of `unit`; the dimension that is to be the longest makes up for what the others were rounded by. */
static bool evaluation_global(sw_draw *draw, int rank, const int64_t *unit, int64_t *global)
{
	double elements = SW_EVALUATION_LEAST / EVALUATION_BYTES *
		exp2(evaluation_share(draw) * log2(SW_EVALUATION_MOST / SW_EVALUATION_LEAST));
	double weight[EVALUATION_RANK], sum = 0, others = 1;
	int longest = 0;
	for (int d = 0; d < rank; d++) {
		weight[d] = 0.5 + evaluation_share(draw);
		sum += weight[d];
		longest = weight[d] > weight[longest] ? d : longest;
	}
	for (int d = 0; d < rank; d++)
		if (d != longest) {
			global[d] = evaluation_multiple(pow(elements, weight[d] / sum), unit[d]);
			others *= (double)global[d];
		}
	global[longest] = evaluation_multiple(elements / others, unit[longest]);
	double bytes = others * (double)global[longest] * EVALUATION_BYTES;
	return bytes >= SW_EVALUATION_LEAST && bytes <= SW_EVALUATION_MOST;
}

static void evaluation_ends(sw_draw *draw, const sw_mesh *mesh, int rank, sw_problem *problem)
{
	enum { TURNS = 64 };
	sw_evaluation_end from, to;
	int64_t unit[EVALUATION_RANK], global[EVALUATION_RANK];
	bool large;
	do {
		evaluation_place(draw, mesh->count, rank, &from);
		evaluation_place(draw, mesh->count, rank, &to);
		for (int d = 0; d < rank; d++)
			unit[d] = evaluation_common(evaluation_parts(mesh, &from, d), evaluation_parts(mesh, &to, d));
		large = false;
		for (int turn = 0; turn < TURNS && !large; turn++)
			large = evaluation_global(draw, rank, unit, global);
	} while (!large || !evaluation_type(mesh, &from, rank, global, &problem->from, NULL) ||
		!evaluation_type(mesh, &to, rank, global, &problem->to, NULL) || sw_type_equal(&problem->from, &problem->to));
}

bool sw_evaluation_draw(int64_t devices, uint64_t seed, int64_t n, sw_problem *problem, sw_diag *diag)
{
	sw_draw numbers = {seed}, draw;
	if (devices < 2 || devices > SW_EVALUATION_DEVICES) {
		sw_diag_set(diag, SW_L12, (sw_span){0, 0},
			"there are no random problems on %lld "
			"devices",
			(long long)devices);
		sw_diag_expected(diag, "2 to %d", SW_EVALUATION_DEVICES);
		return false;
	}
	draw.state = sw_draw_next(&numbers) ^ (uint64_t)n * UINT64_C(0xd1342543de82ef95);
	sw_draw_next(&draw);
	problem->to_order = NULL;
	problem->from_words = problem->to_words = NULL;
	if (!evaluation_mesh(devices, &problem->mesh, diag))
		return false;
	evaluation_ends(&draw, &problem->mesh, 1 + sw_draw_below(&draw, EVALUATION_RANK), problem);
	return true;
}
