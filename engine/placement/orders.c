/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders of devices as other programs make them, as placements.
 *
 * Megatron numbers ranks along its axes, the first one fastest.  JAX's create_hybrid_device_mesh lays one mesh over the units
 * of the outermost level and one over the devices of each; along every axis the first is the major one.
 */
#include <shardwalk/placement.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

/* Lays axes over the levels from `level` on, both from the minor end, where each factor has to divide what is left of the
 * other.  *straddles: the axis that crosses a bound between levels elsewhere. */
static bool lay_row_major(const sw_system *system, int level, const int64_t *size, sw_placement *placement,
	int *straddles)
{
	int j = system->count - 1;
	int64_t room = j >= level ? system->level[j].size : 1;

	for (int i = placement->axes - 1; i >= 0; i--)
		for (int64_t rest = size[i]; rest > 1;) {
			while (room == 1 && j > level)
				room = system->level[--j].size;
			int64_t factor = rest % room == 0 ? room : room % rest == 0 ? rest : 1;

			*straddles = i;
			if (factor == 1)
				return false;
			placement->factor[i][j] *= factor;
			rest /= factor;
			room /= factor;
		}
	return true;
}

static void start_placement(const sw_system *system, int axes, sw_placement *placement)
{
	assert(axes >= 0 && axes <= SW_MAX_PLACED);
	memset(placement, 0, sizeof *placement);
	placement->axes = axes;
	placement->levels = system->count;
	for (int i = 0; i < axes; i++)
		for (int j = 0; j < system->count; j++)
			placement->factor[i][j] = 1;
}

bool sw_placement_row_major(const sw_system *system, const int64_t *size, int axes, sw_placement *placement,
	int *straddles)
{
	start_placement(system, axes, placement);
	return lay_row_major(system, 0, size, placement, straddles);
}

bool sw_placement_hybrid(const sw_system *system, const int64_t *outer, const int64_t *inner, int axes,
	sw_placement *placement, int *straddles)
{
	start_placement(system, axes, placement);
	if (!lay_row_major(system, 1, inner, placement, straddles))
		return false;
	for (int i = 0; i < axes; i++)
		placement->factor[i][0] = outer[i];
	return true;
}
