/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line of the user's program that an instruction is of: said by its metadata, or by the tables at the head of a
 * module, where a stack frame names a position and a position names a file.
 */
#include "foreign/module/hlo_parts.h"

#include <string.h>

#define SOURCE_TABLES 3

static const char *const table_names[SOURCE_TABLES] = {"FileNames", "FileLocations", "StackFrames"};

/* Lines of a table: line k is of number k + 1. */
typedef struct source_table {
	int count;
	sw_str *line;
} source_table;

struct hlo_sources {
	source_table table[SOURCE_TABLES];
};

static sw_str next_line(sw_str *text)
{
	const char *end = memchr(text->at, '\n', text->length);
	sw_str line = {text->at, end ? (size_t)(end - text->at) : text->length};
	size_t step = line.length + (end != NULL);
	text->at += step;
	text->length -= step;
	return sw_str_trim(line);
}

/* The table that begins at this line, or -1. */
static int table_named(sw_str line)
{
	for (int t = 0; t < SOURCE_TABLES; t++)
		if (sw_str_is(line, table_names[t]))
			return t;
	return -1;
}

static bool is_numbered(sw_str line, int64_t number)
{
	int64_t first;
	return line.length > 0 && line.at[0] >= '0' && line.at[0] <= '9' && hlo_numbers(line, &first, 1) >= 1 &&
		first == number;
}

static bool table_read(graph_reading *r, sw_str rest, source_table *table)
{
	sw_str count = rest;
	int lines = 0;
	while (is_numbered(next_line(&count), lines + 1))
		lines++;
	table->line = SW_NEW(r->work, sw_str, lines);
	if (!table->line)
		return !(r->failed = true);
	for (table->count = 0; table->count < lines; table->count++)
		table->line[table->count] = next_line(&rest);
	return true;
}

static const struct hlo_sources *sources_of(graph_reading *r)
{
	sw_str rest = r->module->front;
	if (r->sources)
		return r->sources;
	struct hlo_sources *made = SW_NEW_ZERO(r->work, struct hlo_sources, 1);
	while (made && rest.length > 0) {
		int t = table_named(next_line(&rest));
		if (t >= 0 && !table_read(r, rest, &made->table[t]))
			return NULL;
	}
	r->failed = r->failed || !made;
	return r->sources = made;
}

int64_t hlo_number_after(sw_str line, const char *key)
{
	int64_t number;
	sw_str rest;
	return sw_str_after(line, key, &rest) && hlo_numbers(rest, &number, 1) >= 1 ? number : 0;
}

static const sw_str *line_of(const source_table *table, int64_t number)
{
	return number >= 1 && number <= table->count ? &table->line[number - 1] : NULL;
}

bool hlo_quoted(sw_str text, const char *key, sw_text *out)
{
	sw_str rest;
	if (!sw_str_after(text, key, &rest))
		return false;
	for (size_t at = 0; at < rest.length && rest.at[at] != '"'; at++) {
		at += rest.at[at] == '\\' && at + 1 < rest.length;
		sw_text_add_char(out, rest.at[at]);
	}
	return true;
}

bool hlo_frame_add(graph_reading *r, int64_t frame, sw_text *out)
{
	const struct hlo_sources *all = sources_of(r);
	const sw_str *at = all ? line_of(&all->table[2], frame) : NULL;
	const sw_str *position = at ? line_of(&all->table[1], hlo_number_after(*at, "file_location_id=")) : NULL;
	const sw_str *file = position ? line_of(&all->table[0], hlo_number_after(*position, "file_name_id=")) : NULL;
	if (!file || !hlo_quoted(*file, "\"", out))
		return false;
	sw_text_addf(out, ":%lld", (long long)hlo_number_after(*position, " line="));
	return true;
}

bool hlo_source_add(graph_reading *r, sw_str metadata, sw_text *out)
{
	int64_t frame = hlo_number_after(metadata, "stack_frame_id=");
	if (!frame) {
		int64_t line = hlo_number_after(metadata, "source_line=");
		if (!line || !hlo_quoted(metadata, "source_file=\"", out))
			return false;
		sw_text_addf(out, ":%lld", (long long)line);
		return true;
	}
	return hlo_frame_add(r, frame, out);
}
