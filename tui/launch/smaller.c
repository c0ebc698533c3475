/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dropping prime factors of axes, and growing dimensions.
 */
#include "launch/smaller.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

/* ---- types anew ---- */

/* How much is padding where that share of the dimension was. */
static int64_t in_proportion(int64_t padding, int64_t size, int64_t before)
{
	return (int64_t)((long double)padding * (long double)size / (long double)before);
}

/* The type with other global sizes, its parts as they are. */
static bool type_resize(const sw_mesh *mesh, const sw_type *old, const int64_t *global, sw_type *type)
{
	int count[SW_MAX_DIMS], n = 0;
	int64_t real[SW_MAX_DIMS];
	sw_part parts[SW_MAX_PARTS];
	sw_type made;
	for (int i = 0; i < old->rank; n += count[i++])
		count[i] = sw_type_parts(old, i, parts + n);
	if (!sw_type_replicated(old->dtype, old->rank, global, &made, NULL) ||
		!sw_type_partition(mesh, &made, count, parts, NULL))
		return false;
	made.dtype_given = old->dtype_given;
	sw_type_real(old, real);
	for (int i = 0; i < old->rank; i++)
		real[i] = global[i] - in_proportion(old->global[i] - real[i], global[i], old->global[i]);
	sw_type_set_real(&made, real);
	*type = made;
	return true;
}

static bool problem_resize(sw_problem *problem, const sw_type *from, const sw_type *to, const int64_t *global)
{
	return type_resize(&problem->mesh, from, global, &problem->from) &&
		type_resize(&problem->mesh, to, global, &problem->to);
}

/* ---- fewer devices ---- */

/* Takes the factor out of the axis's most minor digit (else its most major one) wherever the type uses it; false
 * where a part is not divisible. */
static bool drop_from_parts(const sw_mesh *mesh, int axis, int64_t factor, bool minor, sw_type *type)
{
	for (int dim = 0; dim < type->rank; dim++) {
		sw_part parts[SW_MAX_PARTS];
		int kept = 0, count = sw_type_parts(type, dim, parts);
		for (int i = 0; i < count; i++) {
			sw_part part = parts[i];
			bool mine = part.axis == axis;
			bool has = minor ? part.pre * part.size == mesh->axis[axis].size : part.pre == 1;
			if (mine && has && part.size % factor)
				return false;
			if (mine && !has && !minor)
				part.pre /= factor;
			if (mine && has)
				part.size /= factor;
			if (part.size > 1)
				parts[kept++] = part;
		}
		sw_type_put(type, dim, parts, kept);
	}
	return true;
}

static bool mesh_drop(const sw_mesh *mesh, int axis, int64_t factor, sw_mesh *small)
{
	*small = (sw_mesh){.count = 0};
	for (int i = 0; i < mesh->count; i++) {
		const sw_axis *old = &mesh->axis[i];
		if (!sw_mesh_add(small, sw_str_of(old->name), i == axis ? old->size / factor : old->size, NULL))
			return false;
		small->axis[i].bandwidth = old->bandwidth;
		small->axis[i].latency = old->latency;
	}
	return true;
}

/* A dimension that one end splits by less than before and the other does not shrinks where the other can follow. */
static int64_t shrunk_size(const sw_problem *old, const sw_type *from, const sw_type *to, int dim)
{
	int64_t n = old->from.global[dim], of_from = sw_type_cuts(from, dim), of_to = sw_type_cuts(to, dim);
	int64_t less_from = sw_type_cuts(&old->from, dim) / of_from, less_to = sw_type_cuts(&old->to, dim) / of_to;
	int64_t less = less_from > less_to ? less_from : less_to;
	return n % less == 0 && n / less % of_from == 0 && n / less % of_to == 0 ? n / less : n;
}

static bool problem_drop(const sw_problem *old, int axis, int64_t factor, bool minor, sw_problem *small)
{
	sw_type from = old->from, to = old->to;
	int64_t global[SW_MAX_DIMS];
	if (!drop_from_parts(&old->mesh, axis, factor, minor, &from) ||
		!drop_from_parts(&old->mesh, axis, factor, minor, &to) || !mesh_drop(&old->mesh, axis, factor, &small->mesh))
		return false;
	small->to_order = NULL;
	for (int i = 0; i < from.rank; i++)
		global[i] = shrunk_size(old, &from, &to, i);
	return problem_resize(small, &from, &to, global);
}

/* A prime factor of an axis. */
struct drop {
	int axis;
	int64_t factor, size;
};

/* The largest factors first; of equal ones those of the largest axes. */
static int by_preference(const void *left, const void *right)
{
	const struct drop *a = left, *b = right;
	if (a->factor != b->factor)
		return a->factor < b->factor ? 1 : -1;
	return a->size != b->size ? (a->size < b->size ? 1 : -1) : a->axis - b->axis;
}

static int list_drops(const sw_mesh *mesh, struct drop *drops)
{
	int64_t primes[63];
	int count = 0;
	for (int i = 0; i < mesh->count; i++) {
		int factors = sw_prime_factors(mesh->axis[i].size, primes);
		for (int k = 0; k < factors; k++)
			if (!k || primes[k] != primes[k - 1])
				drops[count++] = (struct drop){i, primes[k], mesh->axis[i].size};
	}
	qsort(drops, (size_t)count, sizeof(*drops), by_preference);
	return count;
}

static bool moves(const sw_problem *problem)
{
	return !sw_type_equal(&problem->from, &problem->to);
}

/* Drops one prime factor.  Rather a smaller one than one without which nothing is left to move. */
static bool drop_one(const sw_problem *old, sw_problem *small)
{
	struct drop drops[SW_MAX_AXES + SW_MAX_FACTORS];
	int count = list_drops(&old->mesh, drops);
	for (int still = moves(old); still >= 0; still--)
		for (int i = 0; i < count; i++)
			for (int minor = 1; minor >= 0; minor--)
				if (problem_drop(old, drops[i].axis, drops[i].factor, minor, small) && (!still || moves(small)))
					return true;
	return false;
}

bool problem_for_devices(const sw_problem *problem, int64_t most, sw_problem *small)
{
	sw_problem now = *problem;
	while (now.mesh.devices > most)
		if (!drop_one(&now, small))
			return false;
		else
			now = *small;
	*small = now;
	return true;
}

/* ---- other sizes ---- */

static int64_t larger_tile(const sw_problem *problem)
{
	int64_t from = sw_type_localsize(&problem->from), to = sw_type_localsize(&problem->to), bytes = 0;
	sw_mul(from > to ? from : to, sw_dtype_bytes(problem->from.dtype), &bytes);
	return bytes;
}

/* By how much the dimension can shrink with both types still whole. */
static int64_t slack(const sw_problem *problem, int dim)
{
	int64_t from = sw_type_cuts(&problem->from, dim), to = sw_type_cuts(&problem->to, dim);
	return problem->from.global[dim] / (from / sw_gcd(from, to) * to);
}

/* Divides the dimension with the most slack by its smallest prime factor; false where none has any. */
static bool shrink_once(sw_problem *problem)
{
	int64_t primes[63], global[SW_MAX_DIMS], most = 1;
	int dim = -1;
	for (int i = 0; i < problem->from.rank; i++) {
		int64_t here = slack(problem, i);
		if (here > most) {
			most = here;
			dim = i;
		}
	}
	if (dim < 0)
		return false;
	sw_prime_factors(most, primes);
	sw_problem old = *problem;
	memcpy(global, old.from.global, sizeof(global));
	global[dim] /= primes[0];
	return problem_resize(problem, &old.from, &old.to, global);
}

int64_t problem_for_bytes(const sw_problem *problem, int64_t bytes, sw_problem *scaled)
{
	sw_problem small = *problem;
	int last = small.from.rank - 1;
	while (larger_tile(&small) > bytes && shrink_once(&small))
		continue;
	int64_t tile = larger_tile(&small), global[SW_MAX_DIMS];
	if (last < 0 || tile <= 0)
		return 0;
	int64_t factor = bytes > tile ? (bytes + tile / 2) / tile : 1;
	memcpy(global, small.from.global, sizeof(global));
	scaled->mesh = small.mesh;
	scaled->to_order = small.to_order;
	if (!sw_mul(global[last], factor, &global[last]) || !problem_resize(scaled, &small.from, &small.to, global))
		return 0;
	return larger_tile(scaled);
}

/* ---- a share of the elements ---- */

static double elements_of(const int64_t *global, int rank)
{
	double product = 1;
	for (int i = 0; i < rank; i++)
		product *= (double)global[i];
	return product;
}

/* The dimension that has the most pieces of its grain. */
static int roomiest(const int64_t *global, const int64_t *grain, int rank)
{
	int best = 0;
	for (int i = 1; i < rank; i++)
		best = global[i] / grain[i] > global[best] / grain[best] ? i : best;
	return best;
}

/* Shortens one dimension after the other, by a quarter of what is left at least, as evenly as that goes. */
static void shorten(int64_t *global, const int64_t *grain, int rank, double goal)
{
	double now = elements_of(global, rank);
	while (now > goal) {
		int dim = roomiest(global, grain, rank);
		int64_t pieces = global[dim] / grain[dim];
		double wanted = (double)pieces * fmax(goal / now, 0.25);
		if (pieces <= 1)
			return;
		global[dim] = grain[dim] * (wanted < 1 ? 1 : (int64_t)wanted);
		now = elements_of(global, rank);
	}
}

bool problem_for_share(const sw_problem *problem, double share, sw_problem *scaled)
{
	int64_t global[SW_MAX_DIMS], grain[SW_MAX_DIMS];
	int rank = problem->from.rank;
	for (int i = 0; i < rank; i++) {
		global[i] = problem->from.global[i];
		grain[i] = sw_gcd(global[i], problem->mesh.devices);
	}
	if (elements_of(global, rank) > 0)
		shorten(global, grain, rank, share * elements_of(global, rank));
	*scaled = *problem;
	return problem_resize(scaled, &problem->from, &problem->to, global);
}
