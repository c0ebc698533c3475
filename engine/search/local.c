/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes of the graph of local types as exponents, their bounds, and the moves between them.  See local.h.
 */
#include "search/local.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "base/room.h"
#include "cost/latency.h"
#include "cost/model.h"
#include "step/row.h"

/* Takes a prime out of *n, at most `most` times; how often. */
static int local_take(int64_t *n, int64_t prime, int most)
{
	int taken = 0;

	if (prime == 2) {
		taken = __builtin_ctzll((unsigned long long)*n);
		taken = taken < most ? taken : most;
		*n >>= taken;
		return taken;
	}
	for (; taken < most && *n % prime == 0; taken++)
		*n /= prime;
	return taken;
}

/* Exponents of one dimension's split; false where it has a prime, or a power of one, that the mesh has not. */
static bool local_split(const sw_local *local, int64_t split, uint8_t *exponents)
{
	for (int p = 0; p < local->primes; p++)
		exponents[p] = (uint8_t)local_take(&split, local->prime[p], local->has[p]);
	return split == 1;
}

static void local_mesh(sw_local *local, const sw_mesh *mesh)
{
	int64_t primes[63];
	int count = sw_prime_factors(mesh->devices, primes);

	local->primes = 0;
	for (int k = 0; k < count; k++) {
		if (k == 0 || primes[k] != primes[k - 1]) {
			local->prime[local->primes] = primes[k];
			local->has[local->primes++] = 0;
		}
		local->has[local->primes - 1]++;
	}
}

static void local_ends(sw_local *local, const sw_problem *problem)
{
	local->globalsize = 1;
	for (int i = 0; i < local->rank; i++) {
		int at = i * local->primes;
		int64_t n = problem->from.global[i];

		local->global[i] = n;
		local->globalsize *= n;
		local_split(local, n, local->most + at);
		local_split(local, n / problem->from.tile[i], local->from + at);
		local_split(local, n / problem->to.tile[i], local->to + at);
	}
	if (local->sums) {
		int at = local->rank * local->primes;

		memcpy(local->most + at, local->has, (size_t)local->primes);
		local_split(local, sw_type_terms(&problem->from), local->from + at);
		local_split(local, sw_type_terms(&problem->to), local->to + at);
	}
	local->from_size = sw_local_size(local, local->from);
	local->to_size = sw_local_size(local, local->to);
}

/* The local size when as much of the mesh as the array's sizes allow is used. */
static int64_t local_least(const sw_local *local)
{
	int64_t size = local->globalsize;

	for (int p = 0; p < local->primes; p++) {
		int can = 0;
		for (int i = 0; i < local->rank; i++)
			can += local->most[i * local->primes + p];
		for (int k = can < local->has[p] ? can : local->has[p]; k > 0; k--)
			size /= local->prime[p];
	}
	return size;
}

static sw_amount local_said(const sw_local *local, int64_t size)
{
	return sw_size_said(size, local->bytes, local->unit);
}

/* Without the word "elements" where nothing but elements is told. */
static sw_amount local_short(const sw_local *local, int64_t size)
{
	return local->unit == SW_UNIT_ELEMENTS ? sw_size_typed(size, local->bytes, local->unit) : local_said(local, size);
}

void sw_local_above(const sw_local *local, int64_t size, char *text, size_t room)
{
	snprintf(text, room, "%s are above the budget of %s", local_said(local, size).text,
		local_short(local, local->budget).text);
}

bool sw_local_init(sw_local *local, const sw_problem *problem, const sw_walk_options *options, sw_diag *diag)
{
	bool sums = sw_type_terms(&problem->from) > 1 || sw_type_terms(&problem->to) > 1;

	if (!sw_type_redistributable(&problem->from, &problem->to, diag) ||
		(problem->from.rank == SW_MAX_DIMS &&
			!sw_sums_refuse(&problem->from, &problem->to, "the walk through 16 dimensions", diag)))
		return false;
	local->rank = problem->from.rank;
	local->sums = sums;
	local_mesh(local, &problem->mesh);
	local->width = (local->rank + sums) * local->primes;
	local_ends(local, problem);
	local->least = local_least(local);
	local->model = options->model;
	local->machine = options->machine ? options->machine : sw_machine_of_model(options->model);
	local->bytes = sw_dtype_bytes(problem->from.dtype);
	local->multi_dim = options->multi_dim;
	local->without = options->without;

	int64_t needed = local->from_size > local->to_size ? local->from_size : local->to_size;
	local->budget = options->budget ? options->budget : needed;
	local->unit = options->unit;
	if (local->budget >= needed)
		return true;
	sw_diag_set(diag, SW_S01, (sw_span){0, 0}, "a budget of %s is too small: '%s' alone takes %s",
		local_said(local, local->budget).text, local->from_size == needed ? "from" : "to",
		local_short(local, needed).text);
	sw_diag_expected(diag, "a budget of at least %s", local_said(local, needed).text);
	sw_diag_found(diag, "%s", local_said(local, local->budget).text);
	sw_diag_hint(diag, "the smallest sufficient budget is %s", sw_size_typed(needed, local->bytes, local->unit).text);
	return false;
}

bool sw_local_divisors(const sw_local *local, sw_arena *arena, sw_divisors *factors)
{
	int divisors = 1, stride = 1;

	for (int p = 0; p < local->primes; p++)
		divisors *= local->has[p] + 1;
	factors->count = divisors - 1;
	factors->value = SW_NEW(arena, int64_t, divisors);
	factors->exponents = SW_NEW_ZERO(arena, uint8_t, divisors * (local->primes + 1));
	if (!factors->value || !factors->exponents)
		return false;

	for (int k = 1; k < divisors; k++) {
		uint8_t exponents[LOCAL_MAX_PRIMES];
		int rest = k, at = k - 1;
		for (int p = 0; p < local->primes; p++, rest /= stride) {
			stride = local->has[p] + 1;
			exponents[p] = (uint8_t)(rest % stride);
		}
		int64_t value = sw_local_product(local, exponents);
		for (; at > 0 && factors->value[at - 1] > value; at--) {
			factors->value[at] = factors->value[at - 1];
			memcpy(factors->exponents + at * local->primes, factors->exponents + (at - 1) * local->primes,
				(size_t)local->primes);
		}
		factors->value[at] = value;
		memcpy(factors->exponents + at * local->primes, exponents, (size_t)local->primes);
	}
	return true;
}

int64_t sw_local_product(const sw_local *local, const uint8_t *exponents)
{
	int64_t product = 1;

	for (int p = 0; p < local->primes; p++) {
		if (local->prime[p] == 2)
			product <<= exponents[p];
		else
			for (int k = 0; k < exponents[p]; k++)
				product *= local->prime[p];
	}
	return product;
}

void sw_local_tile(const sw_local *local, const uint8_t *key, int64_t *tile)
{
	assert(local->rank + local->sums <= SW_MAX_DIMS);
	for (int i = 0; i < local->rank; i++)
		tile[i] = local->global[i] / sw_local_product(local, key + i * local->primes);
	if (local->sums)
		tile[local->rank] = sw_local_product(local, key + local->rank * local->primes);
}

int64_t sw_local_size(const sw_local *local, const uint8_t *key)
{
	uint8_t sum[LOCAL_MAX_PRIMES] = {0};

	for (int i = 0; i < local->rank; i++)
		for (int p = 0; p < local->primes; p++)
			sum[p] += key[i * local->primes + p];
	return local->globalsize / sw_local_product(local, sum);
}

static bool local_dimension_key(const sw_local *local, int dim, int64_t tile, uint8_t *exponents, sw_diag *diag)
{
	int64_t n = local->global[dim];

	if (tile < 1 || n % tile)
		return sw_diag_set(diag, SW_S06, (sw_span){0, 0},
			"there is no node with tile %" PRId64 " in dimension %d: it does not divide %" PRId64, tile, dim, n);
	if (!local_split(local, n / tile, exponents))
		return sw_diag_set(diag, SW_S06, (sw_span){0, 0},
			"tile %" PRId64 " splits dimension %d into %" PRId64 ", but the mesh does not have these "
			"factors",
			tile, dim, n / tile);
	return true;
}

bool sw_local_key_of(const sw_local *local, const int64_t *tile, uint8_t *key, sw_diag *diag)
{
	for (int i = 0; i < local->rank; i++)
		if (!local_dimension_key(local, i, tile[i], key + i * local->primes, diag))
			return false;
	if (local->sums &&
		(tile[local->rank] < 1 || !local_split(local, tile[local->rank], key + local->rank * local->primes)))
		return sw_diag_set(diag, SW_S06, (sw_span){0, 0},
			"%" PRId64 " terms are more than the factors of the mesh allow", tile[local->rank]);
	for (int p = 0; p < local->primes; p++) {
		int used = 0;
		for (int i = 0; i < local->rank + local->sums; i++)
			used += key[i * local->primes + p];
		if (used > local->has[p])
			return sw_diag_set(diag, SW_S06, (sw_span){0, 0},
				"the tiling uses the factor %" PRId64 " %d times, but the mesh has it %d times", local->prime[p],
				used, local->has[p]);
	}
	int64_t size = sw_local_size(local, key);
	if (size <= local->budget)
		return true;
	char above[200];
	sw_local_above(local, size, above, sizeof above);
	return sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "%s", above);
}

/* Enters what happens to dimension `dim`; false where it is gathered and split at once. */
static bool local_entry(const sw_local *local, int dim, const uint8_t *before, const uint8_t *after, sw_move *move)
{
	uint8_t gathered[LOCAL_MAX_PRIMES], split[LOCAL_MAX_PRIMES];

	for (int p = 0; p < local->primes; p++) {
		gathered[p] = before[p] > after[p] ? before[p] - after[p] : 0;
		split[p] = after[p] > before[p] ? after[p] - before[p] : 0;
	}
	int64_t up = sw_local_product(local, gathered), down = sw_local_product(local, split);
	if (up > 1)
		move->gather[move->gathers++] = (sw_entry){dim, up};
	if (down > 1) {
		SW_ROOM(move->split, move->splits);
		move->split[move->splits++] = (sw_entry){dim, down};
	}
	return up == 1 || down == 1;
}

static int64_t local_entries_product(const sw_entry *entries, int count)
{
	int64_t product = 1;

	for (int k = 0; k < count; k++)
		product *= entries[k].factor;
	return product;
}

static int64_t local_nanoseconds(const sw_local *local, sw_op op, int64_t before, int64_t after, int64_t factor)
{
	sw_load load;

	sw_load_sizes(op, (double)before * local->bytes, (double)after * local->bytes, factor, 0, &load);
	double seconds = sw_load_seconds(local->machine, op, &load, NULL, NULL);
	return seconds >= 0 && seconds <= 1e9 ? (int64_t)(seconds * 1e9 + 0.5) : INT64_MAX / 4;
}

int64_t sw_local_cost(const sw_local *local, sw_op op, int64_t before, int64_t after, int64_t factor)
{
	if (sw_model_is_timed(local->model))
		return local_nanoseconds(local, op, before, after, factor);
	return sw_model_move_cost(local->model, op, before, after, factor);
}

/* The same where the sums change; tiles grow by `up` and shrink by `down`. */
static bool local_sum_between(const sw_local *local, const uint8_t *before, const uint8_t *after, int64_t up,
	int64_t down, sw_move *move)
{
	int at = local->rank * local->primes;
	int64_t old = sw_local_product(local, before + at), now = sw_local_product(local, after + at);
	bool fewer = now < old;

	move->terms = fewer ? old / now : now / old;
	if (move->terms * (fewer ? now : old) != (fewer ? old : now))
		return false;
	if (!fewer && (down > 1 || (up > 1 && up != move->terms)))
		return false;
	if (fewer && (down > 1 ? down != up * move->terms : up > 1))
		return false;
	move->op = !fewer ? (up > 1 ? SW_PAD : SW_ZEROS) : down > 1 ? SW_REDUCESCATTER : SW_ALLREDUCE;
	move->cost = sw_local_cost(local, move->op, sw_local_size(local, before), sw_local_size(local, after),
		up * move->terms);
	return true;
}

bool sw_local_move_between(const sw_local *local, const uint8_t *before, const uint8_t *after, sw_move *move)
{
	int at = local->rank * local->primes;

	move->gathers = move->splits = 0;
	for (int i = 0; i < local->rank; i++)
		if (!local_entry(local, i, before + i * local->primes, after + i * local->primes, move))
			return false;

	int64_t up = local_entries_product(move->gather, move->gathers);
	int64_t down = local_entries_product(move->split, move->splits);
	move->terms = 1;
	if (local->sums && memcmp(before + at, after + at, (size_t)local->primes) != 0)
		return local_sum_between(local, before, after, up, down, move);
	if (up == down && up == 1)
		return false;
	if (up > 1 && down > 1 && up != down)
		return false;
	move->op = up == 1 ? SW_DYNSLICE : down == 1 ? SW_ALLGATHER : SW_ALLTOALL;
	move->cost = sw_local_cost(local, move->op, sw_local_size(local, before), sw_local_size(local, after),
		up > 1 ? up : down);
	return true;
}

static int64_t local_bound_paper(const sw_local *local, const uint8_t *key)
{
	int excess = 0;

	for (int i = 0; i < local->rank; i++) {
		bool more = false;
		for (int p = 0; p < local->primes; p++)
			more |= key[i * local->primes + p] > local->to[i * local->primes + p];
		excess += more;
	}
	if (excess == 0)
		return 0;
	return local->to_size + (local->multi_dim ? 0 : (excess - 1) * local->least);
}

/* The common refinement may need more than the mesh has; it divides the global sizes all the same. */
static int64_t local_bound_volume(const sw_local *local, const uint8_t *key)
{
	int64_t meet = local->to_size;

	for (int k = 0, p = 0; k < local->width; k++, p = p + 1 < local->primes ? p + 1 : 0)
		for (int more = key[k] - local->to[k]; more > 0; more--)
			meet /= local->prime[p];
	return local->to_size - meet;
}

/* What the goal does not sum has to be summed, at the least size of any node; pads gather for nothing. */
static int64_t local_bound_sums(const sw_local *local, const uint8_t *key)
{
	const uint8_t *own = key + local->rank * local->primes, *goal = local->to + local->rank * local->primes;

	for (int p = 0; p < local->primes; p++)
		if (own[p] > goal[p])
			return sw_model_least_alltoall(local->model, local->least);
	return 0;
}

int64_t sw_local_missing(const sw_local *local, const uint8_t *key)
{
	if (sw_model_is_timed(local->model))
		return 0;
	if (local->sums)
		return local_bound_sums(local, key);
	return local->model == SW_MODEL_VOLUME ? local_bound_volume(local, key) : local_bound_paper(local, key);
}
