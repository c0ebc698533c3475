/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partition specs that are bare tuples, with one entry for each dimension: torch_xla's `('x', None)` and `(0, None)`,
 * flax's names of partitioned parameters.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>
#include <string.h>

static const sw_span nowhere = {0, 0};

/* Names that a module gives to dimensions become axes by rules that the text does not hold. */
static bool entries_hint(sw_reader *reader, bool ok)
{
	sw_diag *diag = reader->scan.diag;
	if (!ok && diag && diag->code == SW_T02 && !*diag->hint)
		sw_diag_hint(diag, "flax's rules turn names of dimensions into axes, ('embed', 'x'): write the axis here");
	return ok;
}

/* 'x' or 0 */
static bool entries_axis(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at = sw_scan_next_span(scan);
	int next = sw_scan_peek(scan);
	int64_t axis;
	sw_str name;
	if (next >= '0' && next <= '9')
		return sw_read_number(reader, "number of an axis", 0, SW_MAX_AXES, &axis) && sw_read_need_mesh(reader, at) &&
			sw_read_axis_number(reader, axis, at);
	if (next != '\'' && next != '"')
		return sw_read_refuse(reader, "None, an axis in quotes, its number, or a tuple of them");
	return sw_scan_name(scan, "the name of an axis", nowhere, &name, &at) &&
		entries_hint(reader, sw_read_part(reader, name, at, 1, 0));
}

/* ('x', 'y') or (0, 1): major first */
static bool entries_axes(sw_reader *reader, sw_py_list *list)
{
	while (sw_py_next(list))
		if (!entries_axis(reader))
			return false;
	return list->ok;
}

static bool entries_dim(sw_reader *reader)
{
	sw_span at = sw_scan_next_span(&reader->scan);
	sw_py_list list;
	if (sw_read_word(reader, "None"))
		return sw_read_end_dim(reader, at);
	bool several = sw_py_open(&list, &reader->scan, "([", NULL);
	return (several ? entries_axes(reader, &list) : entries_axis(reader)) && sw_read_end_dim(reader, at);
}

static bool entries_dims(sw_reader *reader)
{
	sw_py_list list;
	if (!sw_py_open(&list, &reader->scan, "([", "a tuple with an entry for each dimension, such as ('x', None)"))
		return false;
	while (sw_py_next(&list))
		if (!entries_dim(reader))
			return false;
	return list.ok;
}

/* What programs write around the tuple, and before which argument or keyword it stands. */
static const struct {
	const char *call, *keyword;
	int skip; /* arguments before it */
} entries_calls[] = {{"mark_sharding", "partition_spec", 2}, {"with_partitioning", "names", 1},
	{"with_logical_partitioning", "names", 1}, {"Partitioned", "names", 1}, {"LogicallyPartitioned", "names", 1}};

/* After the call's name. */
static bool entries_argument(sw_reader *reader, const char *keyword, int skip)
{
	sw_scan *scan = &reader->scan;
	sw_py_list list;
	if (!sw_py_open(&list, scan, "(", "'(' and the arguments"))
		return false;
	for (int index = 0; !sw_py_named(scan, keyword) && index < skip; index++) {
		sw_py_value(scan);
		if (!sw_scan_expect(scan, ',', "a comma and the next argument", list.open))
			return false;
	}
	return entries_dims(reader) && sw_py_rest(&list);
}

bool sw_read_entries(sw_reader *reader)
{
	sw_span at;
	size_t before = reader->scan.at;
	sw_str word = sw_py_word(&reader->scan, &at);
	reader->out->notation = SW_NOTATION_ENTRIES;
	reader->out->extends = true;
	for (size_t i = 0; i < sizeof(entries_calls) / sizeof(*entries_calls); i++)
		if (sw_str_is(word, entries_calls[i].call))
			return entries_argument(reader, entries_calls[i].keyword, entries_calls[i].skip);
	reader->scan.at = before;
	return entries_dims(reader);
}

bool sw_print_entries(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	sw_sharding fine;
	(void)arena;
	if (s->kind != SW_SHARDING_TILED)
		return sw_print_refuse(diag, SW_NOTATION_ENTRIES, "it has no tiles");
	if (s->rank == 0)
		return sw_print_refuse(diag, SW_NOTATION_ENTRIES, "there is no dimension");
	sw_sharding_refine(s, &fine);
	sw_text_add(text, "(");
	for (int d = 0; d < fine.rank; d++) {
		int count = fine.first[d + 1] - fine.first[d];
		sw_text_addf(text, "%s%s", d ? ", " : "", count == 0 ? "None" : count > 1 ? "(" : "");
		for (int i = fine.first[d]; i < fine.first[d + 1]; i++)
			sw_text_addf(text, "%s'%s'", i > fine.first[d] ? ", " : "", fine.mesh.axis[fine.parts[i].axis].name);
		sw_text_add(text, count > 1 ? ")" : "");
	}
	sw_text_add(text, fine.rank == 1 ? ",)" : ")");
	return true;
}
