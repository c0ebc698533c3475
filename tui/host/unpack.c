/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that gzip has packed, read by zlib.
 */
#include "host/unpack.h"

#include <assert.h>
#include <limits.h>
#include <string.h>
#include <zlib.h>

#define GZIP (15 + 16) /* windows of any size, with gzip's head */

bool unpack_is(sw_str bytes)
{
	return bytes.length > 2 && (unsigned char)bytes.at[0] == 0x1F && (unsigned char)bytes.at[1] == 0x8B &&
		bytes.at[2] == Z_DEFLATED;
}

static const struct packer {
	const char *name, *mark;
	size_t length, at;   /* of the mark, and where it stands */
	const char *command; /* that writes what is packed to its output */
} packers[] = {
	{"zstd", "\x28\xB5\x2F\xFD", 4, 0, "zstd -dc"},
	{"xz",
		"\xFD"
		"7zXZ",
		5, 0, "xz -dc"},
	{"bzip2", "1AY&SY", 6, 4, "bzip2 -dc"},
	{"lz4", "\x04\x22\x4D\x18", 4, 0, "lz4 -dc"},
	{"zip", "PK\x03\x04", 4, 0, "unzip -p"},
};

const char *unpack_other(sw_str bytes, const char **command)
{
	for (size_t i = 0; i < sizeof(packers) / sizeof(*packers); i++) {
		*command = packers[i].command;
		if (bytes.length > packers[i].at + packers[i].length &&
			memcmp(bytes.at + packers[i].at, packers[i].mark, packers[i].length) == 0)
			return packers[i].name;
	}
	return NULL;
}

/* zlib counts bytes in fewer bits than memory does. */
static void feed(z_stream *stream, const char *end)
{
	size_t left = (size_t)(end - (const char *)stream->next_in);
	stream->avail_in = left < INT_MAX ? (uInt)left : INT_MAX;
}

/* Z_OK while there is more. */
static int step(z_stream *stream, const char *end, sw_text *text)
{
	unsigned char buffer[1 << 14];
	feed(stream, end);
	stream->next_out = buffer;
	stream->avail_out = sizeof(buffer);
	int result = inflate(stream, Z_NO_FLUSH);
	sw_text_add_str(text, (sw_str){(const char *)buffer, sizeof(buffer) - stream->avail_out});
	return result;
}

/* Another member may follow. */
static bool goes_on(z_stream *stream, const char *end)
{
	sw_str rest = {(const char *)stream->next_in, (size_t)(end - (const char *)stream->next_in)};
	return unpack_is(rest) && inflateReset(stream) == Z_OK;
}

const char *unpack(sw_str packed, size_t most, sw_text *text)
{
	z_stream stream = {.next_in = (z_const Bytef *)packed.at};
	const char *end = packed.at + packed.length;
	assert(unpack_is(packed));
	int result = inflateInit2(&stream, GZIP);
	while (result == Z_OK && text->length <= most && !text->failed) {
		result = step(&stream, end, text);
		if (result == Z_STREAM_END && goes_on(&stream, end))
			result = Z_OK;
	}
	inflateEnd(&stream);
	if (text->length > most)
		return "its contents are too large";
	return result == Z_STREAM_END || text->failed ? NULL :
		result == Z_BUF_ERROR                     ? "it is compressed with gzip, but cut off" :
													"it is compressed with gzip, but damaged";
}
