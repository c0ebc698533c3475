/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys by open addressing.  Only the last one ever leaves, so that no other was put behind it.
 */
#include "base/keys.h"

#include <assert.h>
#include <string.h>

#include "base/resize.h"

static uint64_t mix(uint64_t h)
{
	h = (h ^ h >> 32) * 0xff51afd7ed558ccdu;
	return h ^ h >> 32;
}

/* Products of the halves of words, each with numbers of its place: no word waits for another. */
static uint32_t hash(const uint8_t *key, int bytes)
{
	uint64_t h = (uint64_t)bytes, word;
	uint32_t place = 0x9e3779b9u;

	for (; bytes >= 8; bytes -= 8, key += 8, place += 0x3c6ef372u) {
		memcpy(&word, key, sizeof word);
		h += (uint64_t)((uint32_t)word + place) * ((uint32_t)(word >> 32) + (place ^ 0x85ebca6bu));
	}
	h = mix(h);
	for (; bytes > 0; bytes--)
		h = (h ^ *key++) * 1099511628211u;
	return (uint32_t)mix(h);
}

/* The slot of this key, or the free one where it would stand. */
static uint32_t slot_of(const sw_keys *keys, const uint8_t *key)
{
	uint32_t slot = hash(key, keys->bytes) & keys->mask;

	while (keys->slot[slot] != 0 && memcmp(sw_keys_at(keys, keys->slot[slot] - 1), key, (size_t)keys->bytes) != 0)
		slot = (slot + 1) & keys->mask;
	return slot;
}

static bool grow(sw_keys *keys, int32_t room)
{
	assert(room > keys->count && (room & (room - 1)) == 0);
	int32_t *slots = calloc((size_t)room * 2, sizeof *slots);

	if (slots == NULL || !sw_resize(&keys->key, room, (size_t)keys->bytes + (keys->bytes == 0))) {
		free(slots);
		return false;
	}
	free(keys->slot);
	keys->slot = slots;
	keys->room = room;
	keys->mask = (uint32_t)room * 2 - 1;
	for (int32_t k = 0; k < keys->count; k++)
		slots[slot_of(keys, sw_keys_at(keys, k))] = k + 1;
	return true;
}

bool sw_keys_init(sw_keys *keys, int bytes)
{
	assert(bytes >= 0);
	*keys = (sw_keys){.bytes = bytes};
	return grow(keys, 64);
}

void sw_keys_free(sw_keys *keys)
{
	free(keys->key);
	free(keys->slot);
	*keys = (sw_keys){0};
}

int32_t sw_keys_find(const sw_keys *keys, const uint8_t *key)
{
	return keys->slot[slot_of(keys, key)] - 1;
}

int32_t sw_keys_add(sw_keys *keys, const uint8_t *key)
{
	uint32_t slot = slot_of(keys, key);

	if (keys->slot[slot] != 0)
		return keys->slot[slot] - 1;
	if (keys->count == keys->room) {
		if (keys->room > INT32_MAX / 4 || !grow(keys, 2 * keys->room))
			return -1;
		slot = slot_of(keys, key);
	}
	memcpy(keys->key + (int64_t)keys->count * keys->bytes, key, (size_t)keys->bytes);
	keys->slot[slot] = ++keys->count;
	return keys->count - 1;
}

void sw_keys_drop(sw_keys *keys)
{
	assert(keys->count > 0);
	keys->slot[slot_of(keys, sw_keys_at(keys, keys->count - 1))] = 0;
	keys->count--;
}
