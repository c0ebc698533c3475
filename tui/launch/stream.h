/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines out of bytes that arrive in parts of any size.
 */
#ifndef SHARDWALK_LAUNCH_STREAM_H
#define SHARDWALK_LAUNCH_STREAM_H

#include <shardwalk/text.h>

struct stream {
	void (*take)(void *context, sw_str line); /* hears of every line, without its end */
	void *context;
	sw_text line; /* that has not come to its end */
};

/* Takes what arrived.  Of a line above 16 MiB the rest is dropped. */
void stream_add(struct stream *stream, const char *bytes, size_t count);

/* No more comes: a last line without an end is told of, and the memory is given back. */
void stream_end(struct stream *stream);

#endif
