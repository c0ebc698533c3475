/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Escapes of XML.
 */
#include "export/xml.h"

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

void xml_add(sw_text *text, const char *words)
{
	for (const unsigned char *at = (const unsigned char *)words; *at; at++) {
		if (*at < 0x80)
			xml_add_code(text, *at);
		else
			sw_text_add_char(text, (char)*at);
	}
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
