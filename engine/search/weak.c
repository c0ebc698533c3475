/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes of the weak graph as exponents, their bounds, and the moves between them.  See weak.h.
 */
#include "search/weak.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "cost/latency.h"
#include "cost/model.h"
#include "step/row.h"

/* Takes a prime out of *n, at most `most` times; how often. */
static int weak_take(int64_t *n, int64_t prime, int most)
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
static bool weak_split(const sw_weak *weak, int64_t split, uint8_t *exponents)
{
	for (int p = 0; p < weak->primes; p++)
		exponents[p] = (uint8_t)weak_take(&split, weak->prime[p], weak->has[p]);
	return split == 1;
}

static void weak_mesh(sw_weak *weak, const sw_mesh *mesh)
{
	int64_t primes[63];
	int count = sw_prime_factors(mesh->devices, primes);

	weak->primes = 0;
	for (int k = 0; k < count; k++) {
		if (k == 0 || primes[k] != primes[k - 1]) {
			weak->prime[weak->primes] = primes[k];
			weak->has[weak->primes++] = 0;
		}
		weak->has[weak->primes - 1]++;
	}
}

static void weak_ends(sw_weak *weak, const sw_problem *problem)
{
	weak->globalsize = 1;
	for (int i = 0; i < weak->rank; i++) {
		int at = i * weak->primes;
		int64_t n = problem->from.global[i];

		weak->global[i] = n;
		weak->globalsize *= n;
		weak_split(weak, n, weak->most + at);
		weak_split(weak, n / problem->from.tile[i], weak->from + at);
		weak_split(weak, n / problem->to.tile[i], weak->to + at);
	}
	weak->from_size = sw_weak_size(weak, weak->from);
	weak->to_size = sw_weak_size(weak, weak->to);
}

/* The local size when as much of the mesh as the array's sizes allow is used. */
static int64_t weak_least(const sw_weak *weak)
{
	int64_t size = weak->globalsize;

	for (int p = 0; p < weak->primes; p++) {
		int can = 0;
		for (int i = 0; i < weak->rank; i++)
			can += weak->most[i * weak->primes + p];
		for (int k = can < weak->has[p] ? can : weak->has[p]; k > 0; k--)
			size /= weak->prime[p];
	}
	return size;
}

static sw_amount weak_said(const sw_weak *weak, int64_t size)
{
	return sw_size_said(size, weak->bytes, weak->unit);
}

/* Without the word "elements" where nothing but elements is told. */
static sw_amount weak_short(const sw_weak *weak, int64_t size)
{
	return weak->unit == SW_UNIT_ELEMENTS ? sw_size_typed(size, weak->bytes, weak->unit) : weak_said(weak, size);
}

void sw_weak_above(const sw_weak *weak, int64_t size, char *text, size_t room)
{
	snprintf(text, room, "%s are above the budget of %s", weak_said(weak, size).text,
		weak_short(weak, weak->budget).text);
}

bool sw_weak_init(sw_weak *weak, const sw_problem *problem, const sw_walk_options *options, sw_diag *diag)
{
	if (!sw_type_redistributable(&problem->from, &problem->to, diag))
		return false;
	weak->rank = problem->from.rank;
	weak_mesh(weak, &problem->mesh);
	weak->width = weak->rank * weak->primes;
	weak_ends(weak, problem);
	weak->least = weak_least(weak);
	weak->model = options->model;
	weak->machine = options->machine ? options->machine : sw_machine_default();
	weak->bytes = sw_dtype_bytes(problem->from.dtype);
	weak->several = options->several;
	weak->without = options->without;

	int64_t needed = weak->from_size > weak->to_size ? weak->from_size : weak->to_size;
	weak->budget = options->budget ? options->budget : needed;
	weak->unit = options->unit;
	if (weak->budget >= needed)
		return true;
	sw_diag_set(diag, SW_S01, (sw_span){0, 0}, "a budget of %s is too small: '%s' alone takes %s",
		weak_said(weak, weak->budget).text, weak->from_size == needed ? "from" : "to", weak_short(weak, needed).text);
	sw_diag_expected(diag, "a budget of at least %s", weak_said(weak, needed).text);
	sw_diag_found(diag, "%s", weak_said(weak, weak->budget).text);
	sw_diag_hint(diag, "the smallest budget that will do is %s", sw_size_typed(needed, weak->bytes, weak->unit).text);
	return false;
}

bool sw_weak_factors(const sw_weak *weak, sw_arena *arena, weak_factors *factors)
{
	int divisors = 1, stride = 1;

	for (int p = 0; p < weak->primes; p++)
		divisors *= weak->has[p] + 1;
	factors->count = divisors - 1;
	factors->value = SW_NEW(arena, int64_t, divisors);
	factors->exponents = SW_NEW_ZERO(arena, uint8_t, divisors * (weak->primes + 1));
	if (!factors->value || !factors->exponents)
		return false;

	for (int k = 1; k < divisors; k++) {
		uint8_t exponents[WEAK_MAX_PRIMES];
		int rest = k, at = k - 1;
		for (int p = 0; p < weak->primes; p++, rest /= stride) {
			stride = weak->has[p] + 1;
			exponents[p] = (uint8_t)(rest % stride);
		}
		int64_t value = sw_weak_product(weak, exponents);
		for (; at > 0 && factors->value[at - 1] > value; at--) {
			factors->value[at] = factors->value[at - 1];
			memcpy(factors->exponents + at * weak->primes, factors->exponents + (at - 1) * weak->primes,
				(size_t)weak->primes);
		}
		factors->value[at] = value;
		memcpy(factors->exponents + at * weak->primes, exponents, (size_t)weak->primes);
	}
	return true;
}

int64_t sw_weak_product(const sw_weak *weak, const uint8_t *exponents)
{
	int64_t product = 1;

	for (int p = 0; p < weak->primes; p++) {
		if (weak->prime[p] == 2)
			product <<= exponents[p];
		else
			for (int k = 0; k < exponents[p]; k++)
				product *= weak->prime[p];
	}
	return product;
}

void sw_weak_tile(const sw_weak *weak, const uint8_t *key, int64_t *tile)
{
	for (int i = 0; i < weak->rank; i++)
		tile[i] = weak->global[i] / sw_weak_product(weak, key + i * weak->primes);
}

int64_t sw_weak_size(const sw_weak *weak, const uint8_t *key)
{
	uint8_t sum[WEAK_MAX_PRIMES] = {0};

	for (int i = 0; i < weak->rank; i++)
		for (int p = 0; p < weak->primes; p++)
			sum[p] += key[i * weak->primes + p];
	return weak->globalsize / sw_weak_product(weak, sum);
}

static bool weak_dimension_key(const sw_weak *weak, int dim, int64_t tile, uint8_t *exponents, sw_diag *diag)
{
	int64_t n = weak->global[dim];

	if (tile < 1 || n % tile)
		return sw_diag_set(diag, SW_S06, (sw_span){0, 0},
			"there is no node with tile %" PRId64 " in dimension %d: it does not divide %" PRId64, tile, dim, n);
	if (!weak_split(weak, n / tile, exponents))
		return sw_diag_set(diag, SW_S06, (sw_span){0, 0},
			"tile %" PRId64 " splits dimension %d into %" PRId64 ", which the mesh has not the factors for", tile,
			dim, n / tile);
	return true;
}

bool sw_weak_key_of(const sw_weak *weak, const int64_t *tile, uint8_t *key, sw_diag *diag)
{
	for (int i = 0; i < weak->rank; i++)
		if (!weak_dimension_key(weak, i, tile[i], key + i * weak->primes, diag))
			return false;
	for (int p = 0; p < weak->primes; p++) {
		int used = 0;
		for (int i = 0; i < weak->rank; i++)
			used += key[i * weak->primes + p];
		if (used > weak->has[p])
			return sw_diag_set(diag, SW_S06, (sw_span){0, 0},
				"the tiling uses the factor %" PRId64 " %d times, and the mesh has it %d times", weak->prime[p], used,
				weak->has[p]);
	}
	int64_t size = sw_weak_size(weak, key);
	if (size <= weak->budget)
		return true;
	char above[200];
	sw_weak_above(weak, size, above, sizeof above);
	return sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "%s", above);
}

/* Enters what happens to dimension `dim`; false where it is gathered and split at once. */
static bool weak_entry(const sw_weak *weak, int dim, const uint8_t *before, const uint8_t *after, sw_move *move)
{
	uint8_t gathered[WEAK_MAX_PRIMES], split[WEAK_MAX_PRIMES];

	for (int p = 0; p < weak->primes; p++) {
		gathered[p] = before[p] > after[p] ? before[p] - after[p] : 0;
		split[p] = after[p] > before[p] ? after[p] - before[p] : 0;
	}
	int64_t up = sw_weak_product(weak, gathered), down = sw_weak_product(weak, split);
	if (up > 1)
		move->gather[move->gathers++] = (sw_entry){dim, up};
	if (down > 1)
		move->split[move->splits++] = (sw_entry){dim, down};
	return up == 1 || down == 1;
}

static int64_t weak_entries_product(const sw_entry *entries, int count)
{
	int64_t product = 1;

	for (int k = 0; k < count; k++)
		product *= entries[k].factor;
	return product;
}

static int64_t weak_nanoseconds(const sw_weak *weak, sw_op op, int64_t after, int64_t factor)
{
	double whole = (double)after * weak->bytes;
	sw_load load = {.group = factor, .rounds = factor - 1, .bytes = whole - whole / (double)factor};

	if (sw_row(op)->local)
		load = (sw_load){.group = 1, .packed = whole, .passes = 1};
	double seconds = sw_load_seconds(weak->machine, op, &load, NULL, NULL);
	return seconds < 0 || seconds > 1e9 ? INT64_MAX / 4 : (int64_t)(seconds * 1e9 + 0.5);
}

int64_t sw_weak_cost(const sw_weak *weak, sw_op op, int64_t before, int64_t after, int64_t factor)
{
	if (sw_model_is_timed(weak->model))
		return weak_nanoseconds(weak, op, after, factor);
	return sw_model_move_cost(weak->model, op, before, after, factor);
}

bool sw_weak_move_between(const sw_weak *weak, const uint8_t *before, const uint8_t *after, sw_move *move)
{
	move->gathers = move->splits = 0;
	for (int i = 0; i < weak->rank; i++)
		if (!weak_entry(weak, i, before + i * weak->primes, after + i * weak->primes, move))
			return false;

	int64_t up = weak_entries_product(move->gather, move->gathers);
	int64_t down = weak_entries_product(move->split, move->splits);
	if (up == down && up == 1)
		return false;
	if (up > 1 && down > 1 && up != down)
		return false;
	move->op = up == 1 ? SW_DYNSLICE : down == 1 ? SW_ALLGATHER : SW_ALLTOALL;
	move->cost = sw_weak_cost(weak, move->op, sw_weak_size(weak, before), sw_weak_size(weak, after),
		up > 1 ? up : down);
	return true;
}

static int64_t weak_bound_paper(const sw_weak *weak, const uint8_t *key)
{
	int excess = 0;

	for (int i = 0; i < weak->rank; i++) {
		bool more = false;
		for (int p = 0; p < weak->primes; p++)
			more |= key[i * weak->primes + p] > weak->to[i * weak->primes + p];
		excess += more;
	}
	if (excess == 0)
		return 0;
	return weak->to_size + (weak->several ? 0 : (excess - 1) * weak->least);
}

/* The common refinement may need more than the mesh has; it divides the global sizes all the same. */
static int64_t weak_bound_volume(const sw_weak *weak, const uint8_t *key)
{
	int64_t meet = weak->to_size;

	for (int k = 0, p = 0; k < weak->width; k++, p = p + 1 < weak->primes ? p + 1 : 0)
		for (int more = key[k] - weak->to[k]; more > 0; more--)
			meet /= weak->prime[p];
	return weak->to_size - meet;
}

int64_t sw_weak_bound(const sw_weak *weak, const uint8_t *key)
{
	if (sw_model_is_timed(weak->model))
		return 0;
	return weak->model == SW_MODEL_VOLUME ? weak_bound_volume(weak, key) : weak_bound_paper(weak, key);
}
