/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes that become lines.
 */
#include "launch/stream.h"

#include <string.h>

enum { LINE_MOST = 1 << 24 };

static void end_line(struct stream *stream)
{
	stream->take(stream->context, (sw_str){sw_text_get(&stream->line), stream->line.length});
	sw_text_clear(&stream->line);
}

void stream_add(struct stream *stream, const char *bytes, size_t count)
{
	while (count) {
		const char *end = memchr(bytes, '\n', count);
		size_t part = end ? (size_t)(end - bytes) : count;
		if (stream->line.length + part < LINE_MOST)
			sw_text_add_str(&stream->line, (sw_str){bytes, part});
		if (end)
			end_line(stream);
		part += end != NULL;
		bytes += part;
		count -= part;
	}
}

void stream_end(struct stream *stream)
{
	if (stream->line.length)
		end_line(stream);
	sw_text_free(&stream->line);
}
