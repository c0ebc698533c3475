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
	int64_t *caller; /* of frame k + 1: that which called it; 0: none */
	bool *shared; /* of position k + 1: frames of it have different callers, as in a function that only constrains */
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

/* A loop is in the frames once more as its own caller. */
static bool calls_itself(const struct hlo_sources *all, int64_t k, int64_t position)
{
	int64_t caller = all->caller[k];
	return caller > 0 && hlo_number_after(all->table[2].line[caller - 1], "file_location_id=") == position;
}

/* Who called whom.  A module whose first frame is its own caller counts callers from one more. */
static bool callers_read(graph_reading *r, struct hlo_sources *all)
{
	const source_table *frames = &all->table[2];
	bool later = frames->count > 0 && hlo_number_after(frames->line[0], "parent_frame_id=") == 1;
	int64_t *first = SW_NEW_ZERO(r->work, int64_t, all->table[1].count + 1);
	all->caller = SW_NEW_ZERO(r->work, int64_t, frames->count + 1);
	all->shared = SW_NEW_ZERO(r->work, bool, all->table[1].count + 1);
	if (!first || !all->caller || !all->shared)
		return false;
	for (int64_t k = 0; k < frames->count; k++) {
		int64_t caller = hlo_number_after(frames->line[k], "parent_frame_id=");
		int64_t position = hlo_number_after(frames->line[k], "file_location_id=");
		all->caller[k] = caller > later && caller <= k + later ? caller - later : 0;
		if (!line_of(&all->table[1], position) || calls_itself(all, k, position))
			continue;
		if (!first[position - 1])
			first[position - 1] = k + 1;
		all->shared[position - 1] |= all->caller[first[position - 1] - 1] != all->caller[k];
	}
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
	r->failed = r->failed || !made || !callers_read(r, made);
	return r->sources = r->failed ? NULL : made;
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

/* `FILE:LINE` of a frame; `name`: without the folders of the file. */
static bool place_add(const struct hlo_sources *all, sw_str frame, bool name, sw_text *out)
{
	const sw_str *position = line_of(&all->table[1], hlo_number_after(frame, "file_location_id="));
	const sw_str *file = position ? line_of(&all->table[0], hlo_number_after(*position, "file_name_id=")) : NULL;
	sw_text path = {0};
	bool is = file && hlo_quoted(*file, "\"", &path);
	const char *slash = is && name ? strrchr(sw_text_get(&path), '/') : NULL;
	if (is)
		sw_text_addf(out, "%s:%lld", slash ? slash + 1 : sw_text_get(&path),
			(long long)hlo_number_after(*position, " line="));
	sw_text_free(&path);
	return is;
}

bool hlo_frame_add(graph_reading *r, int64_t frame, sw_text *out)
{
	const struct hlo_sources *all = sources_of(r);
	const sw_str *at = all ? line_of(&all->table[2], frame) : NULL;
	if (!at || !place_add(all, *at, false, out))
		return false;
	int64_t position = hlo_number_after(*at, "file_location_id="), caller = all->caller[frame - 1];
	bool shared = line_of(&all->table[1], position) && all->shared[position - 1];
	caller = shared && !calls_itself(all, frame - 1, position) ? caller : 0;
	sw_text from = {0}, own = {0};
	bool called = caller > 0 && place_add(all, all->table[2].line[caller - 1], true, &from) &&
		place_add(all, *at, true, &own);
	/* A function that is called in the line where it is written has no other place. */
	if (called && strcmp(sw_text_get(&from), sw_text_get(&own)) != 0)
		sw_text_addf(out, ", from %s", sw_text_get(&from));
	sw_text_free(&from);
	sw_text_free(&own);
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
