/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How devices of a sum are called where a step of it is refused.
 */
#include "placement/summing.h"

#include "step/premise.h"

static void name_device(const void *of, int64_t device, sw_text *text)
{
	const sw_summing *summing = of;

	sw_system_print_device(summing->system, summing->device[device], text);
}

/* The device whose share it is, in the sum of this one. */
static int64_t owner_of(const void *of, int64_t device, int64_t share)
{
	const sw_summing *summing = of;
	const sw_placement *placement = summing->sum.placement;

	for (int d = 0; d < summing->devices; d++) {
		bool same = summing->share[d] == share;

		for (int i = 0; same && i < placement->axes; i++)
			same = (summing->sum.summed >> i & 1) ||
				sw_placement_coordinate(placement, summing->device[d], i) ==
					sw_placement_coordinate(placement, summing->device[device], i);
		if (same)
			return d;
	}
	return 0;
}

bool sw_summing_refuse(const sw_summing *summing, sw_op op, const int32_t *member, int64_t size, sw_premise premise,
	sw_diag *diag)
{
	const sw_piece_names names = {summing, name_device, owner_of};

	return sw_premise_say(&(sw_refusal){&summing->pieces, &names, op, member, size}, premise, diag);
}

bool sw_summing_refuse_axis(const sw_summing *summing, const sw_reduction_step *step, int axis, sw_arena *arena,
	sw_diag *diag)
{
	const sw_piece_names names = {summing, name_device, owner_of};
	int64_t grouped, size, other = 1;
	const int32_t *list = sw_reduction_members(&summing->small, step, arena, &grouped, &size);

	if (list == NULL)
		return sw_diag_memory(diag);
	while (other + 1 < size &&
		sw_placement_coordinate(summing->sum.placement, summing->device[list[other]], axis) ==
			sw_placement_coordinate(summing->sum.placement, summing->device[list[0]], axis))
		other++;
	return sw_premise_say_crosses(&(sw_refusal){&summing->pieces, &names, step->op, list, size}, other,
		summing->axes->axis[axis].name, diag);
}
