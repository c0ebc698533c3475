/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text as files have it.  What PowerShell redirects is UTF-16, and two programs that write to one file may each have
 * their own encoding: it is found out anew wherever letters say so.
 */
#include <shardwalk/text.h>

#include <stdint.h>
#include <string.h>

#define LETTERS 4                /* ASCII letters of UTF-16 in a row begin a part of it ... */
#define BYTES 16                 /* ... and bytes of ASCII without a zero among them end it */
#define SAMPLE ((size_t)1 << 16) /* bytes of a file by which it is judged */

#define MARK 0xFEFF
#define SWAPPED_MARK 0xFFFE

typedef enum decode_order {
	DECODE_BYTES,
	DECODE_LITTLE, /* UTF-16, low bytes first */
	DECODE_BIG
} decode_order;

typedef struct decoding {
	const unsigned char *at;
	size_t length, done;
	decode_order order;
	size_t zeros;
	sw_text *out;
} decoding;

static bool is_ascii(unsigned char c)
{
	return (c >= ' ' && c < 0x7F) || (c >= '\t' && c <= '\r') || c == 0x1B;
}

static bool starts(const decoding *d, size_t at, const char *with, size_t length)
{
	return d->length - at >= length && memcmp(d->at + at, with, length) == 0;
}

/* Do letters of ASCII stand here, each in two bytes, the low one first where `low` is 0? */
static bool is_wide(const decoding *d, size_t at, size_t low)
{
	if (at > d->length || d->length - at < 2 * LETTERS)
		return false;
	for (size_t i = 0; i < 2 * LETTERS; i++) {
		unsigned char c = d->at[at + i];
		if (i % 2 == low ? !is_ascii(c) : c != 0)
			return false;
	}
	return true;
}

/* Does a part of UTF-16 begin at `at`, by its mark or its letters?  *mark: the bytes of the mark. */
static decode_order order_at(const decoding *d, size_t at, size_t *mark)
{
	*mark = 2;
	if (starts(d, at, "\xFF\xFE", 2) && (at == 0 || is_wide(d, at + 2, 0)))
		return DECODE_LITTLE;
	if (starts(d, at, "\xFE\xFF", 2) && (at == 0 || is_wide(d, at + 2, 1)))
		return DECODE_BIG;
	*mark = 0;
	return is_wide(d, at, 0) ? DECODE_LITTLE : is_wide(d, at, 1) ? DECODE_BIG : DECODE_BYTES;
}

/* ---- bytes ---- */

/* The next byte that may not be a letter of its own: a zero byte, or one of a mark. */
static size_t next_odd(const decoding *d)
{
	size_t at = d->done;
	while (at < d->length && d->at[at] != 0 && d->at[at] < 0xFE)
		at++;
	return at;
}

static void decode_bytes(decoding *d)
{
	size_t odd = next_odd(d), mark, begin = odd > d->done && odd < d->length && !d->at[odd] ? odd - 1 : odd;
	decode_order order = odd < d->length ? order_at(d, begin, &mark) : DECODE_BYTES;
	if (order == DECODE_BYTES) {
		begin = odd;
		order = odd < d->length ? order_at(d, odd, &mark) : DECODE_BYTES;
	}
	sw_text_add_str(d->out, (sw_str){(const char *)d->at + d->done, begin - d->done});
	d->done = begin;
	if (order != DECODE_BYTES) {
		d->order = order;
		d->done += mark;
	} else if (begin < d->length) {
		d->zeros += !d->at[begin];
		sw_text_add_char(d->out, d->at[begin] ? (char)d->at[begin] : ' ');
		d->done++;
	}
}

/* ---- UTF-16 ---- */

static uint32_t unit_at(const decoding *d, size_t at)
{
	return d->order == DECODE_LITTLE ? d->at[at] | (uint32_t)d->at[at + 1] << 8 :
									   d->at[at + 1] | (uint32_t)d->at[at] << 8;
}

static void add_letter(sw_text *out, uint32_t c)
{
	if (c < 0x80) {
		sw_text_add_char(out, (char)c);
		return;
	}
	int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
	sw_text_add_char(out, (char)(first[more] | c >> (6 * more)));
	while (more-- > 0)
		sw_text_add_char(out, (char)(0x80 | (c >> (6 * more) & 0x3F)));
}

/* The letter at *at, which gets behind it; half of a pair is shown as what it is not. */
static uint32_t letter_at(const decoding *d, size_t *at)
{
	uint32_t c = unit_at(d, *at);
	*at += 2;
	if (c < 0xD800 || c > 0xDFFF)
		return c;
	uint32_t low = c < 0xDC00 && d->length - *at >= 2 ? unit_at(d, *at) : 0;
	if (low < 0xDC00 || low > 0xDFFF)
		return 0xFFFD;
	*at += 2;
	return 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
}

/* Is it ASCII from here on?  (Letters of the other byte order end a part as well: a byte is missing.) */
static bool is_narrow(const decoding *d)
{
	if (d->length - d->done < BYTES)
		return false;
	for (size_t i = 0; i < BYTES; i++)
		if (!is_ascii(d->at[d->done + i]))
			return false;
	return true;
}

static void decode_wide(decoding *d)
{
	if (d->length - d->done < 2 || is_narrow(d) || is_wide(d, d->done, d->order == DECODE_LITTLE)) {
		d->order = DECODE_BYTES;
		return;
	}
	uint32_t c = letter_at(d, &d->done);
	d->zeros += c == 0;
	if (c == SWAPPED_MARK)
		d->order = d->order == DECODE_LITTLE ? DECODE_BIG : DECODE_LITTLE;
	else if (c != MARK)
		add_letter(d->out, c ? c : ' ');
}

/* ---- all of it ---- */

/* Without a mark: is every other byte of the first part mostly zero, and the ones between them are not? */
static decode_order order_of_zeros(const decoding *d)
{
	size_t zeros[2] = {0}, length = (d->length < SAMPLE ? d->length : SAMPLE) / 2;
	for (size_t i = 0; i < 2 * length; i++)
		zeros[i % 2] += !d->at[i];
	for (int low = 0; low < 2; low++)
		if (zeros[!low] > length / 2 && zeros[low] < length / 16)
			return low == 0 ? DECODE_LITTLE : DECODE_BIG;
	return DECODE_BYTES;
}

static void decode_start(decoding *d)
{
	size_t mark;
	if (starts(d, 0, "\xEF\xBB\xBF", 3)) {
		d->done = 3;
		return;
	}
	d->order = order_at(d, 0, &mark);
	d->done = mark;
	if (d->order == DECODE_BYTES)
		d->order = order_of_zeros(d);
}

bool sw_text_is_encoded(sw_str bytes)
{
	return bytes.length && (memchr(bytes.at, '\0', bytes.length) || strchr("\xEF\xFE\xFF", *bytes.at));
}

size_t sw_text_decode(sw_str bytes, sw_text *out)
{
	decoding d = {.at = (const unsigned char *)bytes.at, .length = bytes.length, .out = out};
	if (bytes.length)
		decode_start(&d);
	while (d.done < d.length && !out->failed)
		(d.order == DECODE_BYTES ? decode_bytes : decode_wide)(&d);
	return d.zeros;
}
