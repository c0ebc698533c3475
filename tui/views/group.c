/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A warning's group of devices, in words.
 */
#include "views/group.h"

const char group_lacks[] = "XLA's text then contains neither the remaining axis nor the program's device numbers";

void group_print(const struct group *group, sw_text *text)
{
	long long devices = (long long)group->devices, more = (long long)group->more;
	if (group->is == GROUP_POSSIBLE)
		sw_text_addf(text, "the warning is about %lld devices, which may be one group of several", devices);
	else if (group->is == GROUP_CERTAIN && group->by_mesh)
		sw_text_addf(text, "the warning is about one group of %lld of the mesh's %lld devices", devices, more);
	else if (group->is == GROUP_CERTAIN)
		sw_text_addf(text, "the warning is about one group of %lld devices: others in the log are about %lld",
			devices, more);
}
