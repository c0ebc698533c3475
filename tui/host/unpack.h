/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that gzip has packed.
 */
#ifndef SHARDWALK_HOST_UNPACK_H
#define SHARDWALK_HOST_UNPACK_H

#include <stdbool.h>

#include <shardwalk/text.h>

/* Do the bytes begin as gzip's do? */
bool unpack_is(sw_str bytes);

/* Which other program has packed the bytes, by how they begin, and the command that unpacks a file; NULL: none does. */
const char *unpack_other(sw_str bytes, const char **command);

/* Adds what was packed, one member after the other; at most `most` bytes are kept.  What is cut off or damaged gives what stands before.
 * Returns NULL, or what is wrong in words; EFBIG's are the system's. */
const char *unpack(sw_str packed, size_t most, sw_text *text);

#endif
