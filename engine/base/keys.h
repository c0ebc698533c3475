/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A set of byte strings of one length, numbered 0, 1, 2, ... in the order in which they came.
 */
#ifndef SW_BASE_KEYS_H
#define SW_BASE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sw_keys {
	int bytes; /* of a key */
	int32_t count, room;
	uint8_t *key;
	int32_t *slot; /* open addressing: number + 1, 0 is free */
	uint32_t mask;
} sw_keys;

/* An empty set, to be freed.  false: memory. */
bool sw_keys_init(sw_keys *keys, int bytes);
void sw_keys_free(sw_keys *keys);

/* The number of a key, -1 where it is not there. */
int32_t sw_keys_find(const sw_keys *keys, const uint8_t *key);

/* The same; a new key gets the next number.  -1: memory. */
int32_t sw_keys_add(sw_keys *keys, const uint8_t *key);

/* Forgets the key that came last, of those that there are. */
void sw_keys_drop(sw_keys *keys);

/* The key with this number, until another is added. */
static inline const uint8_t *sw_keys_at(const sw_keys *keys, int32_t number)
{
	return keys->key + (int64_t)number * keys->bytes;
}

#endif
