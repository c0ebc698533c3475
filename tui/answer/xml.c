/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Escapes of XML.
 */
#include "answer/xml.h"

#include <stdarg.h>
#include <stdbool.h>

#include "canvas/glyphs.h"

static const char *escape_of(uint32_t code)
{
	switch (code) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	default:
		return NULL;
	}
}

static bool is_forbidden(uint32_t code)
{
	return (code < 0x20 && code != '\t' && code != '\n') || code == 0x7f || (code >= 0xd800 && code < 0xe000) ||
		(code & 0xfffe) == 0xfffe || code > 0x10ffff;
}

void xml_add_code(sw_text *text, uint32_t code)
{
	const char *escape = escape_of(code);
	if (escape)
		sw_text_add(text, escape);
	else if (is_forbidden(code))
		sw_text_addf(text, "&#x%x;", (unsigned)GLYPH_REPLACEMENT);
	else if (code < 0x80)
		sw_text_add_char(text, (char)code);
	else
		sw_text_addf(text, "&#x%x;", (unsigned)code);
}

/* Takes one code point of UTF-8; a byte that is none is forbidden. */
static uint32_t next_code(const unsigned char **at)
{
	unsigned first = *(*at)++;
	int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
	uint32_t code = more ? first & (0x3fu >> more) : first;
	if (first >= 0x80 && !more)
		return 0;
	for (; more; more--) {
		if ((**at & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (*(*at)++ & 0x3f);
	}
	return code;
}

void xml_add(sw_text *text, const char *words)
{
	const unsigned char *at = (const unsigned char *)words;
	while (*at)
		xml_add_code(text, next_code(&at));
}

void xml_addf(sw_text *text, const char *format, ...)
{
	sw_text words = {0};
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&words, format, arguments);
	va_end(arguments);
	xml_add(text, sw_text_get(&words));
	text->failed |= words.failed;
	sw_text_free(&words);
}
