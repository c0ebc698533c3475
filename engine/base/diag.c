/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Filling diagnostics, and the pulse that long work asks whether it may go on.
 */
#include <shardwalk/diag.h>

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The last bytes of a full field say that there was more; a UTF-8 sequence is not cut in two. */
static void diag_ellipsis(char *field, size_t size)
{
	size_t end = size - 4;
	while (end > 0 && ((unsigned char)field[end] & 0xC0) == 0x80)
		end--;
	memcpy(field + end, "...", 4);
}

static void diag_print(char *field, size_t size, const char *format, va_list arguments)
{
	int length = vsnprintf(field, size, format, arguments);
	if (length < 0)
		field[0] = '\0';
	else if ((size_t)length >= size)
		diag_ellipsis(field, size);
}

#define DIAG_PRINT(field, format) \
	do { \
		va_list arguments; \
		va_start(arguments, format); \
		diag_print(field, sizeof(field), format, arguments); \
		va_end(arguments); \
	} while (0)

bool sw_diag_set(sw_diag *diag, sw_code code, sw_span at, const char *format, ...)
{
	assert(code > SW_OK && code < SW_CODE_COUNT);
	assert(at.begin <= at.end);
	if (!diag)
		return false;
	*diag = (sw_diag){.code = code, .at = at};
	DIAG_PRINT(diag->message, format);
	return false;
}

void sw_diag_expected(sw_diag *diag, const char *format, ...)
{
	if (diag)
		DIAG_PRINT(diag->expected, format);
}

void sw_diag_found(sw_diag *diag, const char *format, ...)
{
	if (diag)
		DIAG_PRINT(diag->found, format);
}

void sw_diag_hint(sw_diag *diag, const char *format, ...)
{
	if (diag)
		DIAG_PRINT(diag->hint, format);
}

void sw_diag_also(sw_diag *diag, sw_span also, const char *format, ...)
{
	assert(also.begin <= also.end);
	if (!diag)
		return;
	diag->also = also;
	DIAG_PRINT(diag->also_label, format);
}

static void diag_shift_span(sw_span *span, size_t offset)
{
	if (span->begin == 0 && span->end == 0)
		return;
	span->begin += offset;
	span->end += offset;
}

void sw_diag_shift(sw_diag *diag, size_t offset)
{
	if (!diag)
		return;
	diag_shift_span(&diag->at, offset);
	diag_shift_span(&diag->also, offset);
}

bool sw_diag_memory(sw_diag *diag)
{
	sw_diag_set(diag, SW_E01, (sw_span){0, 0}, "memory ran out");
	sw_diag_hint(diag, "try a smaller problem, or a machine with more memory");
	return false;
}

bool sw_pulse_beat(const sw_pulse *pulse, const char *what, long long done, long long total)
{
	return !pulse || !pulse->go_on || pulse->go_on(pulse->context, what, done, total);
}
