/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fewest, or cheapest, alltoalls between a node that slices reach from the start and the node where the
 * gathers begin.  See local_path.h for the words.
 *
 * One prime: this is a transportation problem whose edges have a fixed charge (model paper) or a concave cost
 * (model volume), with slices as one more source that charges nothing.  Such problems have optimal solutions
 * without cycles; and a forest can be taken apart by moving, again and again, all that one of two dimensions
 * lacks or has. Going through a third dimension never helps, because one of its two moves can be cut short.
 *
 * Several primes: going through a third dimension can help (a factor 6 goes to where the 2 stays and the 3
 * goes on), so where direct moves do not reach the bound all moves are tried.  The bound: moves join
 * dimensions into groups, within each of which nothing may be lacking in all; n dimensions in g groups take n
 * - g moves.
 */
#include "search/local_path.h"

#include <string.h>

#include "cost/model.h"

#define TRANSFER_MAX_GROUPED 8    /* dimensions for which groups are counted */
#define TRANSFER_MEMO_AFTER 20000 /* nodes; before that remembering takes longer than trying again */
#define TRANSFER_MEMO_SIZE (1 << 14)

typedef struct transfer_point {
	int64_t cost;       /* gathers and transfers so far */
	int64_t size;       /* of all tiles here */
	int moves;          /* gathers and transfers so far */
	int slices;         /* at least that many slices follow */
	int source, target; /* of the transfer before; -1: none */
} transfer_point;

static int64_t transfer_cost(const path_search *search, int64_t size, int64_t factor)
{
	return sw_model_move_cost(search->local->model, SW_ALLTOALL, size, size, factor);
}

/* Two transfers between four dimensions can be done in either order: only one of them is tried. */
static bool transfer_redundant(const transfer_point *point, int source, int target)
{
	if (point->source < 0 || source == point->source || source == point->target || target == point->source ||
		target == point->target)
		return false;
	return source < point->source;
}

static void transfer_note(path_search *search, int source, int target, const uint8_t *factor)
{
	path_form *now = &search->now;

	now->source[now->transfers] = (uint8_t)source;
	now->target[now->transfers] = (uint8_t)target;
	memcpy(now->factor[now->transfers], factor, (size_t)search->local->primes);
	now->transfers++;
}

/* Backwards: the source gets the factor, the target gives it.  sign -1 undoes that. */
static void transfer_move(path_search *search, int source, int target, const uint8_t *factor, int sign)
{
	int primes = search->local->primes;

	for (int p = 0; p < primes; p++) {
		search->have[source * primes + p] += (uint8_t)(sign * factor[p]);
		search->have[target * primes + p] -= (uint8_t)(sign * factor[p]);
	}
}

static int transfer_slices(const path_search *search)
{
	const sw_local *local = search->local;
	int slices = 0;

	for (int i = 0; i < local->rank; i++)
		slices += memcmp(search->have + i * local->primes, local->from + i * local->primes, (size_t)local->primes) !=
			0;
	return slices;
}

/* ---- one prime ---- */

static void transfer_forest(path_search *search, const transfer_point *point);

/* The surpluses in ascending order, a byte each: what the rest of the search depends on. */
static void transfer_signature(const path_search *search, const int *surplus, uint64_t signature[SW_MAX_DIMS / 8])
{
	uint8_t sorted[SW_MAX_DIMS] = {0};

	for (int i = 0; i < search->local->rank; i++) {
		uint8_t value = (uint8_t)(surplus[i] + SW_MAX_FACTORS);
		int at = i;
		for (; at > 0 && sorted[at - 1] > value; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = value;
	}
	memcpy(signature, sorted, sizeof sorted);
}

/* Was this tried before, at no higher cost and with no more moves? */
static bool transfer_tried(path_search *search, const transfer_point *point, const int *surplus)
{
	uint64_t signature[SW_MAX_DIMS / 8];

	if (!search->memo && search->settled > TRANSFER_MEMO_AFTER)
		search->memo = SW_NEW_ZERO(search->arena, path_memo, TRANSFER_MEMO_SIZE);
	if (!search->memo)
		return false;
	transfer_signature(search, surplus, signature);
	uint64_t hash = (signature[0] ^ signature[1] * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
	path_memo *memo = &search->memo[hash >> 32 & (TRANSFER_MEMO_SIZE - 1)];
	bool same = memo->serial == search->serial && !memcmp(memo->surplus, signature, sizeof signature);
	if (same && memo->cost <= point->cost && memo->moves <= point->moves)
		return true;
	*memo = (path_memo){{signature[0], signature[1]}, point->cost, point->moves, search->serial};
	return false;
}

static void transfer_take(path_search *search, const transfer_point *point, int source, int target, int exponent)
{
	uint8_t factor = (uint8_t)exponent;
	int64_t cost = transfer_cost(search, point->size, search->power[0][exponent]);
	transfer_point next = {sw_cost_plus(point->cost, cost), point->size, point->moves + 1, point->slices, source,
		target};

	search->edges++;
	transfer_note(search, source, target, &factor);
	transfer_move(search, source, target, &factor, 1);
	transfer_forest(search, &next);
	transfer_move(search, source, target, &factor, -1);
	search->now.transfers--;
}

/* Every dimension that lacks must get all at once: a bin packing, whose largest item goes first. */
static void transfer_pack(path_search *search, const transfer_point *point, const int *surplus)
{
	int rank = search->local->rank, source = 0;

	for (int i = 1; i < rank; i++)
		if (surplus[i] < surplus[source])
			source = i;
	for (int j = 0; j < rank; j++) {
		bool seen = surplus[j] < -surplus[source];
		for (int k = 0; k < j && !seen; k++)
			seen = surplus[k] == surplus[j];
		if (!seen)
			transfer_take(search, point, source, j, -surplus[source]);
	}
}

static void transfer_pairs(path_search *search, const transfer_point *point, const int *surplus)
{
	int rank = search->local->rank;

	for (int i = 0; i < rank; i++)
		for (int j = 0; j < rank; j++)
			if (surplus[i] < 0 && surplus[j] > 0 && (search->memo || !transfer_redundant(point, i, j)))
				transfer_take(search, point, i, j, -surplus[i] < surplus[j] ? -surplus[i] : surplus[j]);
}

static void transfer_forest(path_search *search, const transfer_point *point)
{
	const sw_local *local = search->local;
	int surplus[SW_MAX_DIMS], lacking = 0;
	int64_t bound = point->cost;

	search->seen++;
	for (int i = 0; i < local->rank; i++) {
		surplus[i] = search->have[i] - local->from[i];
		if (surplus[i] >= 0)
			continue;
		lacking++;
		bound = sw_cost_plus(bound, transfer_cost(search, point->size, search->power[0][-surplus[i]]));
	}
	if (sw_path_beaten(search, bound, point->moves + lacking + point->slices) || !sw_path_goes_on(search))
		return;
	if (lacking == 0) {
		sw_path_keep(search, point->cost, point->moves + transfer_slices(search));
		return;
	}
	if (transfer_tried(search, point, surplus))
		return;
	int64_t one_more = local->model == SW_MODEL_PAPER ? sw_cost_plus(bound, point->size) : point->cost;
	if (one_more > search->limit || one_more > search->best_cost)
		transfer_pack(search, point, surplus);
	else
		transfer_pairs(search, point, surplus);
}

/* ---- several primes ---- */

/* Prime by prime; dimensions whose surplus is all zeros are left out.  Returns how many there are. */
static int transfer_surplus(const path_search *search, int8_t surplus[][LOCAL_MAX_PRIMES], int *dims, int *lacking)
{
	const sw_local *local = search->local;
	int count = 0;

	*lacking = 0;
	for (int i = 0; i < local->rank; i++) {
		bool any = false, less = false;
		for (int p = 0; p < local->primes; p++) {
			surplus[count][p] = (int8_t)(search->have[i * local->primes + p] - local->from[i * local->primes + p]);
			any |= surplus[count][p] != 0;
			less |= surplus[count][p] < 0;
		}
		*lacking += less;
		if (any)
			dims[count++] = i;
	}
	return count;
}

/* The most groups into which these dimensions fall such that no group lacks anything in all. */
static int transfer_groups(const path_search *search, int8_t surplus[][LOCAL_MAX_PRIMES], int count)
{
	int8_t groups[1 << TRANSFER_MAX_GROUPED];
	bool whole[1 << TRANSFER_MAX_GROUPED];
	int primes = search->local->primes;

	for (int set = 1; set < 1 << count; set++) {
		whole[set] = true;
		for (int p = 0; p < primes; p++) {
			int sum = 0;
			for (int k = 0; k < count; k++)
				sum += set >> k & 1 ? surplus[k][p] : 0;
			whole[set] &= sum >= 0;
		}
	}
	groups[0] = 0;
	for (int set = 1; set < 1 << count; set++) {
		int low = set & -set, rest = set ^ low;
		groups[set] = -1;
		for (int more = rest;; more = (more - 1) & rest) {
			int others = groups[rest ^ more];
			if (whole[low | more] && others >= 0 && others + 1 > groups[set])
				groups[set] = (int8_t)(others + 1);
			if (!more)
				break;
		}
	}
	return groups[(1 << count) - 1];
}

/* At least so many transfers are missing. */
static int transfer_missing(const path_search *search)
{
	int8_t surplus[SW_MAX_DIMS + 1][LOCAL_MAX_PRIMES];
	int dims[SW_MAX_DIMS + 1], lacking;
	int count = transfer_surplus(search, surplus, dims, &lacking);

	if (lacking == 0 || count > TRANSFER_MAX_GROUPED)
		return lacking;
	int joined = count - transfer_groups(search, surplus, count);
	return joined > lacking ? joined : lacking;
}

/* The largest factor that `source` lacks and `target` has to spare; false where that is 1. */
static bool transfer_direct(const path_search *search, int source, int target, uint8_t *factor)
{
	const sw_local *local = search->local;
	bool any = false;

	for (int p = 0; p < local->primes; p++) {
		int lack = local->from[source * local->primes + p] - search->have[source * local->primes + p];
		int spare = search->have[target * local->primes + p] - local->from[target * local->primes + p];
		int both = lack < spare ? lack : spare;
		factor[p] = both > 0 ? (uint8_t)both : 0;
		any |= both > 0;
	}
	return any;
}

static bool transfer_possible(const path_search *search, int source, int target, const uint8_t *factor)
{
	const sw_local *local = search->local;

	for (int p = 0; p < local->primes; p++) {
		int at = source * local->primes + p;
		if (factor[p] > search->have[target * local->primes + p] || search->have[at] + factor[p] > local->most[at])
			return false;
	}
	return true;
}

static void transfer_general(path_search *search, const transfer_point *point, bool direct);

static void transfer_try(path_search *search, const transfer_point *point, int source, int target,
	const uint8_t *factor, bool direct)
{
	int64_t cost = transfer_cost(search, point->size, sw_local_product(search->local, factor));
	transfer_point next = {sw_cost_plus(point->cost, cost), point->size, point->moves + 1, point->slices, source,
		target};

	search->edges++;
	transfer_note(search, source, target, factor);
	transfer_move(search, source, target, factor, 1);
	transfer_general(search, &next, direct);
	transfer_move(search, source, target, factor, -1);
	search->now.transfers--;
}

static void transfer_between(path_search *search, const transfer_point *point, int source, int target, bool direct)
{
	uint8_t factor[LOCAL_MAX_PRIMES];

	if (source == target || transfer_redundant(point, source, target))
		return;
	if (direct) {
		if (transfer_direct(search, source, target, factor))
			transfer_try(search, point, source, target, factor, true);
		return;
	}
	for (int k = 0; k < search->factors.count; k++) {
		const uint8_t *any = search->factors.exponents + k * search->local->primes;
		if (transfer_possible(search, source, target, any))
			transfer_try(search, point, source, target, any, false);
	}
}

static void transfer_general(path_search *search, const transfer_point *point, bool direct)
{
	int missing = transfer_missing(search), rank = search->local->rank;
	int64_t prime = search->local->primes > 0 ? search->local->prime[0] : 2;
	int64_t least = transfer_cost(search, point->size, prime), bound = point->cost;

	search->seen++;
	for (int k = 0; k < missing; k++)
		bound = sw_cost_plus(bound, least);
	if (sw_path_beaten(search, bound, point->moves + missing + point->slices) || !sw_path_goes_on(search))
		return;
	if (missing == 0) {
		sw_path_keep(search, point->cost, point->moves + transfer_slices(search));
		return;
	}
	if (search->now.transfers == PATH_MAX_TRANSFERS || (search->one_transfer && search->now.transfers == 1))
		return;
	for (int i = 0; i < rank; i++)
		for (int j = 0; j < rank; j++)
			transfer_between(search, point, i, j, direct);
}

/* ---- both ---- */

/* Model paper: all alltoalls cost the same, so their number is raised until one form is found. */
static void transfer_deepen(path_search *search, const transfer_point *start, int least)
{
	int64_t limit = search->limit, cost = start->cost;
	bool one_prime = search->local->primes == 1;

	for (int k = 0; k < least; k++)
		cost = sw_cost_plus(cost, start->size);
	for (; cost <= limit && cost <= search->best_cost && !search->stopped; cost = sw_cost_plus(cost, start->size)) {
		int64_t before = search->best_cost;
		int moves = search->best_moves;
		search->limit = cost;
		search->serial++;
		if (one_prime)
			transfer_forest(search, start);
		else
			transfer_general(search, start, true);
		bool found = search->best_cost < before || search->best_moves < moves;
		if (!found && !one_prime && cost < before)
			transfer_general(search, start, false);
		found = search->best_cost < before || search->best_moves < moves;
		if (found || cost == INT64_MAX)
			break;
	}
	search->limit = limit;
}

/* With moves of several dimensions one alltoall does where dimensions that lack nothing can spare all that is
 * lacking; else one for each prime does, which is the least where there are two. */
static bool transfer_lacks(const sw_local *local, const uint8_t *have, int dim)
{
	for (int p = 0; p < local->primes; p++)
		if (have[dim * local->primes + p] < local->from[dim * local->primes + p])
			return true;
	return false;
}

/* Gives all dimensions what they lack of one prime; returns how much that was. */
static int transfer_fill(path_search *search, int p)
{
	const sw_local *local = search->local;
	int given = 0;

	for (int at = p; at < local->width; at += local->primes) {
		if (search->have[at] >= local->from[at])
			continue;
		given += local->from[at] - search->have[at];
		search->have[at] = local->from[at];
	}
	return given;
}

/* Takes `missing` of a prime from the dimensions that lacked something in `before`, or from the others; what
 * is still missing. */
static int transfer_drain(path_search *search, const uint8_t *before, int p, bool lacking, int missing)
{
	const sw_local *local = search->local;

	for (int i = 0; i < local->rank; i++) {
		int at = i * local->primes + p, spare = search->have[at] - local->from[at];
		int give = spare < missing ? spare : missing;
		if (transfer_lacks(local, before, i) != lacking)
			continue;
		search->have[at] -= (uint8_t)give;
		missing -= give;
	}
	return missing;
}

/* With moves of several dimensions one alltoall does where dimensions that lack nothing can spare all that is
 * lacking; else one for each prime does, which is the least where there are two. */
static void transfer_multi_dim(path_search *search, int64_t cost, int64_t size, const path_lack *lack)
{
	const sw_local *local = search->local;
	local_key before;
	bool one = true;

	memcpy(before, search->have, (size_t)local->width);
	for (int p = 0; p < local->primes; p++) {
		int missing = transfer_drain(search, before, p, false, transfer_fill(search, p));
		one &= missing == 0;
		transfer_drain(search, before, p, true, missing);
	}
	int alltoalls = lack->dims == 0 ? 0 : one ? 1 : 2;
	bool counted = one || (local->primes == 2 && local->model == SW_MODEL_PAPER);
	for (int k = 0; k < alltoalls; k++)
		cost = sw_cost_plus(cost, transfer_cost(search, size, lack->factor));
	int moves = alltoalls + (search->now.gathers > 0) + (transfer_slices(search) > 0);
	search->unsure |= !counted;
	if (counted && !sw_path_beaten(search, cost, moves))
		sw_path_keep(search, cost, moves);
	memcpy(search->have, before, (size_t)local->width);
}

void sw_path_transfers(path_search *search, int64_t cost, int64_t size, const path_lack *lack)
{
	const sw_local *local = search->local;
	transfer_point start = {cost, size, search->now.gathers, lack->spare, -1, -1};

	if (lack->need > 1 || (lack->spare && (local->without >> SW_DYNSLICE & 1)))
		return;
	search->now.transfers = 0;
	search->serial++;
	if (local->multi_dim)
		transfer_multi_dim(search, cost, size, lack);
	else if (local->model == SW_MODEL_PAPER)
		transfer_deepen(search, &start, lack->dims);
	else if (local->primes == 1)
		transfer_forest(search, &start);
	else
		transfer_general(search, &start, true);
}
