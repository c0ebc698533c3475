/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Placements: matrices of factors whose rows multiply to the axes and whose columns multiply to the levels.
 *
 * In ascending order of rows a cell takes the least factor that leaves its row a way to be completed; the rows below can
 * always be completed, since for each prime what they still need is what the columns still have.
 */
#include <shardwalk/placement.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#define COUNT_STATES ((int64_t)1 << 22) /* of columns that are partly used, for one prime */

/* ---- in order ---- */

/* What the cells before this one leave of its row, of its column, and of the columns behind it together. */
struct rest {
	int64_t row, column, behind;
};

static int64_t column_rest(const sw_system *system, const sw_placement *placement, int row, int column)
{
	int64_t rest = system->level[column].size;

	for (int i = 0; i < row; i++)
		rest /= placement->factor[i][column];
	return rest;
}

static struct rest rest_at(const sw_system *system, const sw_placement *placement, int64_t axis, int row, int column)
{
	struct rest rest = {axis, column_rest(system, placement, row, column), 1};

	for (int j = 0; j < column; j++)
		rest.row /= placement->factor[row][j];
	for (int j = column + 1; j < placement->levels; j++)
		rest.behind *= column_rest(system, placement, row, j);
	return rest;
}

/* Can what is left of the row behind this factor be made of the columns behind?  For each prime it is at most what they have. */
static bool can_follow(int64_t row, int64_t behind)
{
	return behind % row == 0;
}

/* The least factor above `above` that this cell can take; 0: none. */
static int64_t factor_above(const struct rest *rest, int64_t above)
{
	int64_t common = sw_gcd(rest->row, rest->column), best = 0;

	for (int64_t d = 1; d <= common / d; d++) {
		int64_t pair[2] = {d, common / d};

		for (int k = 0; k < 2 && common % d == 0; k++)
			if (pair[k] > above && (best == 0 || pair[k] < best) && can_follow(rest->row / pair[k], rest->behind))
				best = pair[k];
	}
	return best;
}

/* Fills the cells from this one on. */
static bool fill(const sw_system *system, const int64_t *axis, sw_placement *placement, int cell)
{
	for (; cell < placement->axes * placement->levels; cell++) {
		int row = cell / placement->levels, column = cell % placement->levels;
		struct rest rest = rest_at(system, placement, axis[row], row, column);

		placement->factor[row][column] = factor_above(&rest, 0);
		if (placement->factor[row][column] == 0)
			return false;
	}
	return true;
}

static bool same_product(const sw_system *system, const int64_t *axis, int axes)
{
	int64_t devices = 1;

	for (int i = 0; i < axes; i++)
		if (axis[i] < 1 || !sw_mul(devices, axis[i], &devices))
			return false;
	return devices == system->devices;
}

bool sw_placement_first(const sw_system *system, const int64_t *axis, int axes, sw_placement *placement)
{
	assert(axes >= 0 && axes <= SW_MAX_PLACED);
	memset(placement, 0, sizeof *placement);
	placement->axes = axes;
	placement->levels = system->count;
	return same_product(system, axis, axes) && fill(system, axis, placement, 0);
}

bool sw_placement_next(const sw_system *system, sw_placement *placement)
{
	assert(placement->levels == system->count && placement->axes <= SW_MAX_PLACED);
	int64_t axis[SW_MAX_PLACED];

	for (int i = 0; i < placement->axes; i++) {
		axis[i] = 1;
		for (int j = 0; j < placement->levels; j++)
			axis[i] *= placement->factor[i][j];
	}
	for (int cell = placement->axes * placement->levels - 1; cell >= 0; cell--) {
		int row = cell / placement->levels, column = cell % placement->levels;
		struct rest rest = rest_at(system, placement, axis[row], row, column);
		int64_t factor = factor_above(&rest, placement->factor[row][column]);

		if (factor > 0) {
			placement->factor[row][column] = factor;
			return fill(system, axis, placement, cell + 1);
		}
	}
	return false;
}

/* ---- how many ---- */

static int exponent(int64_t n, int64_t prime)
{
	int e = 0;

	for (; n % prime == 0; n /= prime)
		e++;
	return e;
}

/* Tables of exponents of one prime: how many ways there are to have used so much of each column. */
struct tables {
	int columns, most; /* most: exponent of a row */
	int64_t stride[SW_MAX_LEVELS], room[SW_MAX_LEVELS], states;
	int64_t *ways; /* a number for each state and each exponent that its row has left */
};

static int64_t saturated(int64_t a, int64_t b)
{
	int64_t sum;

	return sw_add(a, b, &sum) ? sum : INT64_MAX;
}

/* Lets a row use column j. */
static void use_column(struct tables *tables, int j)
{
	for (int64_t state = tables->states - 1; state >= 0; state--) {
		int64_t used = state / tables->stride[j] % (tables->room[j] + 1);

		for (int left = 0; left <= tables->most; left++) {
			int64_t *here = &tables->ways[state * (tables->most + 1) + left];

			for (int64_t k = 1; k <= used && left + k <= tables->most; k++)
				*here = saturated(*here, here[-k * tables->stride[j] * (tables->most + 1) + k]);
		}
	}
}

/* A row of this exponent starts where the one before has none left. */
static void use_row(struct tables *tables, int e)
{
	for (int64_t state = 0; state < tables->states; state++) {
		int64_t *here = &tables->ways[state * (tables->most + 1)], kept = here[0];

		memset(here, 0, sizeof *here * (size_t)(tables->most + 1));
		here[e] = kept;
	}
	for (int j = 0; j < tables->columns; j++)
		use_column(tables, j);
}

static int64_t count_prime(const sw_system *system, const int64_t *axis, int axes, int64_t prime)
{
	struct tables tables = {.columns = system->count, .states = 1};
	int64_t count;

	for (int j = 0; j < system->count; j++) {
		tables.stride[j] = tables.states;
		tables.room[j] = exponent(system->level[j].size, prime);
		if (!sw_mul(tables.states, tables.room[j] + 1, &tables.states))
			return INT64_MAX;
	}
	for (int i = 0; i < axes; i++)
		tables.most = (int)sw_larger(tables.most, exponent(axis[i], prime));
	if (tables.states > COUNT_STATES)
		return INT64_MAX;
	tables.ways = calloc((size_t)tables.states * (size_t)(tables.most + 1), sizeof *tables.ways);
	if (tables.ways == NULL)
		return -1;
	tables.ways[0] = 1;
	for (int i = 0; i < axes; i++)
		use_row(&tables, exponent(axis[i], prime));
	count = tables.ways[(tables.states - 1) * (tables.most + 1)];
	free(tables.ways);
	return count;
}

int64_t sw_placements_count(const sw_system *system, const int64_t *axis, int axes)
{
	int64_t primes[63], count = 1;
	int found = sw_prime_factors(system->devices, primes);

	if (!same_product(system, axis, axes))
		return 0;
	for (int i = 0; i < found; i++) {
		if (i > 0 && primes[i] == primes[i - 1])
			continue;
		int64_t one = count_prime(system, axis, axes, primes[i]);

		if (one < 0)
			return -1;
		if (!sw_mul(count, one, &count))
			count = INT64_MAX;
	}
	return count;
}

/* ---- what a placement says ---- */

/* How far neighbours along a factor are apart. */
static int64_t factor_stride(const sw_placement *placement, int axis, int level)
{
	int64_t stride = 1;

	for (int i = axis + 1; i < placement->axes; i++)
		stride *= placement->factor[i][level];
	for (int j = level + 1; j < placement->levels; j++)
		for (int i = 0; i < placement->axes; i++)
			stride *= placement->factor[i][j];
	return stride;
}

int64_t sw_placement_coordinate(const sw_placement *placement, int64_t device, int axis)
{
	assert(device >= 0 && axis >= 0 && axis < placement->axes);
	int64_t coordinate = 0;

	for (int j = 0; j < placement->levels; j++)
		coordinate = coordinate * placement->factor[axis][j] +
			device / factor_stride(placement, axis, j) % placement->factor[axis][j];
	return coordinate;
}

sw_part sw_placement_part(const sw_placement *placement, int axis, int level)
{
	assert(axis >= 0 && axis < placement->axes && level >= 0 && level < placement->levels);
	sw_part part = {.axis = axis, .pre = 1, .size = placement->factor[axis][level]};

	for (int j = level + 1; j < placement->levels; j++)
		part.pre *= placement->factor[axis][j];
	return part;
}

int64_t sw_placement_device(const sw_placement *placement, const int64_t *coordinate)
{
	int64_t device = 0;

	for (int i = 0; i < placement->axes; i++) {
		int64_t rest = coordinate[i];

		for (int j = placement->levels - 1; j >= 0; j--) {
			device += rest % placement->factor[i][j] * factor_stride(placement, i, j);
			rest /= placement->factor[i][j];
		}
	}
	return device;
}

int sw_placement_parts(const sw_placement *placement, int axis, sw_part parts[SW_MAX_LEVELS])
{
	assert(axis >= 0 && axis < placement->axes);
	int count = 0;

	for (int j = placement->levels - 1; j >= 0; j--) {
		int64_t pre = 1;

		if (placement->factor[axis][j] == 1)
			continue;
		for (int i = 0; i < axis; i++)
			pre *= placement->factor[i][j];
		parts[count++] = (sw_part){j, pre, placement->factor[axis][j]};
	}
	return count;
}

bool sw_placement_fits(const sw_system *system, const sw_mesh *axes, const sw_placement *placement, sw_diag *diag)
{
	assert(placement->axes == axes->count && placement->levels == system->count);
	static const sw_span nowhere = {0, 0};

	for (int i = 0; i < placement->axes; i++) {
		int64_t product = 1;

		for (int j = 0; j < placement->levels; j++)
			if (!sw_mul(product, placement->factor[i][j], &product))
				product = INT64_MAX;
		if (product != axes->axis[i].size) {
			sw_diag_set(diag, SW_M03, nowhere, "the product of row %d of the placement is %lld", i + 1,
				(long long)product);
			sw_diag_expected(diag, "%lld, the size of axis '%s'", (long long)axes->axis[i].size, axes->axis[i].name);
			return false;
		}
	}
	for (int j = 0; j < placement->levels; j++) {
		int64_t product = 1;

		for (int i = 0; i < placement->axes; i++)
			product *= placement->factor[i][j];
		if (product != system->level[j].size) {
			sw_diag_set(diag, SW_M03, nowhere, "the product of column %d of the placement is %lld", j + 1,
				(long long)product);
			sw_diag_expected(diag, "%lld, the size of level '%s'", (long long)system->level[j].size,
				system->level[j].name);
			return false;
		}
	}
	return true;
}

void sw_placement_print(const sw_placement *placement, sw_text *text)
{
	for (int i = 0; i < placement->axes; i++) {
		sw_text_add(text, i > 0 ? " [" : "[");
		for (int j = 0; j < placement->levels; j++)
			sw_text_addf(text, j > 0 ? " %lld" : "%lld", (long long)placement->factor[i][j]);
		sw_text_add_char(text, ']');
	}
}

void sw_placement_print_parts(const sw_system *system, const sw_placement *placement, int axis, sw_text *text)
{
	sw_part parts[SW_MAX_LEVELS];
	int count = sw_placement_parts(placement, axis, parts);

	sw_text_add_char(text, '{');
	for (int k = 0; k < count; k++) {
		const sw_level *level = &system->level[parts[k].axis];

		if (k > 0)
			sw_text_add_char(text, ',');
		sw_mesh_print_name(level->name, text);
		if (parts[k].size != level->size)
			sw_text_addf(text, ":(%lld)%lld", (long long)parts[k].pre, (long long)parts[k].size);
	}
	sw_text_add_char(text, '}');
}
