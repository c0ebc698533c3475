/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Virtual devices: boxes of tiles in memory.
 */
#include "plan/devices.h"

#include <string.h>

#include "index/box.h"
#include "step/transfers.h"

static int64_t corner_index(const sw_corner *c, const int64_t *step, int rank)
{
	int64_t index = 0;

	for (int i = 0; i < rank; i++)
		index = index * c->shape[i] + (c->at ? c->at[i] : 0) + step[i];
	return index;
}

/* The last dimensions that are whole on both sides make one row. */
void sw_box_move(sw_dtype dtype, sw_corner to, sw_corner from, const int64_t *box, int rank, bool add)
{
	int64_t row = 1, step[SW_MAX_DIMS] = {0}, size = sw_dtype_bytes(dtype);
	int outer = rank;

	while (outer > 0) {
		outer--;
		row *= box[outer];
		if (box[outer] != to.shape[outer] || box[outer] != from.shape[outer])
			break;
	}
	do {
		char *into = to.data + corner_index(&to, step, rank) * size;
		const char *out = from.data + corner_index(&from, step, rank) * size;

		if (add)
			sw_add_to(dtype, into, out, row);
		else
			memcpy(into, out, (size_t)(row * size));
	} while (sw_box_next(step, box, outer));
}

static char *tile_on(void *tiles, const sw_tiles *held, sw_dtype dtype, int64_t device)
{
	int64_t bytes = sw_dtype_bytes(dtype);

	for (int i = 0; i < held->rank; i++)
		bytes *= held->tile[i];
	return (char *)tiles + device * bytes;
}

void sw_device_take(const sw_transfers *transfers, sw_dtype dtype, int64_t device, void *before, void *after)
{
	const sw_tiles *old = &transfers->before, *now = &transfers->after;
	sw_corner to = {tile_on(after, now, dtype, device), now->tile, NULL};
	bool add = sw_transfers_add(transfers);
	sw_transfer box;

	for (int64_t n = 0, all = sw_transfers_into(transfers, device); n < all; n++)
		if (sw_transfers_get(transfers, device, n, &box)) {
			to.at = box.to_at;
			sw_box_move(dtype, to, (sw_corner){tile_on(before, old, dtype, box.from), old->tile, box.from_at},
				box.extent, old->rank, add);
		}
}
