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

static bool refuse(const sw_summing *summing, sw_op op, const sw_breach *breach, const char *axis, sw_diag *diag)
{
	const sw_piece_names names = {summing, name_device, owner_of};

	return sw_premise_say(&(sw_refusal){&summing->pieces, &names, op, breach, axis}, diag);
}

bool sw_summing_refuse(const sw_summing *summing, sw_op op, const sw_breach *breach, sw_diag *diag)
{
	return refuse(summing, op, breach, NULL, diag);
}

bool sw_summing_refuse_axis(const sw_summing *summing, const sw_step *step, int axis, sw_arena *arena, sw_diag *diag)
{
	sw_breach breach = {.premise = SW_PREMISE_CROSSES, .b = 1};
	int64_t grouped;
	const int32_t *list = breach.member = sw_named_members(&summing->small, &step->by, arena, &grouped, &breach.size);

	if (list == NULL)
		return sw_diag_memory(diag);
	while (breach.b + 1 < breach.size &&
		sw_placement_coordinate(summing->sum.placement, summing->device[list[breach.b]], axis) ==
			sw_placement_coordinate(summing->sum.placement, summing->device[list[0]], axis))
		breach.b++;
	return refuse(summing, step->op, &breach, summing->axes->axis[axis].name, diag);
}
