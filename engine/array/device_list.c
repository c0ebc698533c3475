/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What single devices have, as text and from files of owners.
 */
#include "array/device_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#define RUNS_IN_ORDER (1 << 16) /* sets of more runs are printed as they were read */

static const sw_span nowhere = {0, 0};

/* What one device has, and where it is said. */
struct entry {
	int64_t device;
	sw_indices set;
	sw_span at;
};

struct entries {
	struct entry *entry;
	int count, room;
};

static int by_device(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return (a->device > b->device) - (a->device < b->device);
}

/* ---- texts ---- */

static bool refuse_run(sw_scan *scan, size_t begin, const char *why, const char *expected)
{
	sw_span at = {begin, scan->at};
	sw_quote quote = sw_scan_quote((sw_str){scan->text.at + begin, scan->at - begin});

	sw_diag_set(scan->diag, SW_T16, at, "%s %s", quote.text, why);
	sw_diag_expected(scan->diag, "%s", expected);
	sw_diag_found(scan->diag, "%s", quote.text);
	return false;
}

static bool next_is(const sw_scan *scan, char c)
{
	return scan->at < scan->text.length && scan->text.at[scan->at] == c;
}

/* `+step*count` behind a run that begins at `begin` in the text. */
static bool read_repeats(sw_scan *scan, size_t begin, int64_t size, sw_family *f)
{
	int64_t last;

	scan->at++;
	if (!sw_word_number(scan, "step", size, &f->step) ||
		!sw_scan_expect(scan, '*', "'*' and how often it comes", nowhere) ||
		!sw_word_number(scan, "number of runs", size, &f->count))
		return false;
	if (f->count == 0 || (f->count > 1 && f->step < f->run))
		return refuse_run(scan, begin, "overlaps itself",
			"a step that is no shorter than a run, and at least one run");
	if (!sw_mul(f->count - 1, f->step, &last) || last > size - f->first - f->run)
		return refuse_run(scan, begin, "ends past the last index", "indices below the size of the dimension");
	return true;
}

/* `8`, `0-3`, `4+2*3`, `2-3+4*6`: nothing stands between the signs. */
static bool read_run(sw_scan *scan, int64_t size, sw_family *f)
{
	size_t begin = scan->at;
	int64_t last;

	*f = (sw_family){.step = 1, .count = 1};
	if (!sw_word_number(scan, "index", size - 1, &f->first))
		return false;
	last = f->first;
	if (next_is(scan, '-')) {
		scan->at++;
		if (!sw_word_number(scan, "index", size - 1, &last))
			return false;
	}
	if (last < f->first)
		return refuse_run(scan, begin, "descends", "the lower index first");
	f->run = last - f->first + 1;
	return !next_is(scan, '+') || read_repeats(scan, begin, size, f);
}

static bool read_runs(sw_scan *scan, const sw_device_list_place *place, sw_indices *set)
{
	sw_family *list = NULL;
	int count = 0, room = 0, next;

	for (next = sw_scan_peek(scan); next >= '0' && next <= '9'; next = sw_scan_peek(scan)) {
		if (!SW_GROW(place->arena, list, count, room, 4))
			return sw_diag_memory(scan->diag);
		if (!read_run(scan, place->size, &list[count++]))
			return false;
	}
	return sw_indices_in_order(list, count, RUNS_IN_ORDER, place->arena, set) || sw_diag_memory(scan->diag);
}

static bool read_entries(sw_scan *scan, const sw_device_list_place *place, struct entries *all)
{
	sw_span open = sw_scan_next_span(scan);
	bool more;

	sw_scan_take(scan, '{');
	more = !sw_scan_take(scan, '}');
	while (more) {
		if (!SW_GROW(place->arena, all->entry, all->count, all->room, 16))
			return sw_diag_memory(scan->diag);
		struct entry *entry = &all->entry[all->count++];
		entry->at = sw_scan_next_span(scan);
		if (!sw_word_number(scan, "device", place->devices - 1, &entry->device) ||
			!sw_scan_expect(scan, ':', "':' and the indices of the device", open) ||
			!read_runs(scan, place, &entry->set))
			return false;
		more = sw_scan_take(scan, ';') && sw_scan_peek(scan) != '}';
		if (!more && !sw_scan_expect(scan, '}', "an index, ';' or '}'", open))
			return false;
	}
	return true;
}

static bool refuse_twice(sw_scan *scan, const struct entry *first, const struct entry *second)
{
	bool turned = second->at.begin < first->at.begin;

	sw_diag_set(scan->diag, SW_T16, turned ? first->at : second->at, "device %" PRId64 " is named twice",
		first->device);
	sw_diag_also(scan->diag, turned ? second->at : first->at, "first named here");
	sw_diag_expected(scan->diag, "each device at most once");
	sw_diag_found(scan->diag, "%" PRId64 " again", first->device);
	return false;
}

/* ---- files ---- */

/* The indices of each device that owns some, as runs in the order of the file. */
static bool add_owned(const sw_device_list_place *place, int64_t owner, int64_t index, sw_families *owned)
{
	sw_families *of = &owned[owner];
	sw_family *last = of->count > 0 ? &of->family[of->count - 1] : NULL;

	of->arena = place->arena;
	if (last != NULL && last->first + last->run == index)
		last->step = ++last->run;
	else
		sw_families_range(of, index, index + 1);
	return !of->failed;
}

static bool refuse_line(sw_scan *scan, sw_span at, int64_t line, const char *expected, sw_str found)
{
	sw_diag_set(scan->diag, SW_T16, at, "line %" PRId64 " of the file is no owner", line);
	sw_diag_expected(scan->diag, "%s", expected);
	sw_diag_found(scan->diag, "%s", sw_scan_quote(found).text);
	return false;
}

static bool refuse_lines(sw_scan *scan, sw_span at, int64_t lines, int64_t size)
{
	sw_diag_set(scan->diag, SW_T16, at, "the file names owners for the wrong number of indices");
	sw_diag_expected(scan->diag, "%" PRId64 " lines", size);
	sw_diag_found(scan->diag, "%s%" PRId64, lines > size ? "at least " : "", lines);
	return false;
}

static bool read_owners(sw_scan *scan, const sw_device_list_place *place, sw_span at, sw_str text, sw_families *owned)
{
	int64_t index = 0, owner;
	char expected[64];

	snprintf(expected, sizeof expected, "a device from 0 to %" PRId64, place->devices - 1);
	for (sw_str rest = sw_str_trim(text), line; rest.length > 0; index++) {
		line = sw_str_word(&rest);
		if (index == place->size)
			return refuse_lines(scan, at, index + 1, place->size);
		if (!sw_read_int(line, &owner, NULL) || owner >= place->devices)
			return refuse_line(scan, at, index + 1, expected, line);
		if (!add_owned(place, owner, index, owned))
			return sw_diag_memory(scan->diag);
	}
	return index == place->size || refuse_lines(scan, at, index, place->size);
}

static bool keep_owned(const sw_device_list_place *place, sw_families *owned, struct entries *all)
{
	for (int64_t d = 0; d < place->devices; d++) {
		if (owned[d].count == 0)
			continue;
		if (!SW_GROW(place->arena, all->entry, all->count, all->room, 16))
			return false;
		struct entry *entry = &all->entry[all->count++];
		entry->device = d;
		entry->at = nowhere;
		if (!sw_families_finish(&owned[d], &entry->set))
			return false;
	}
	return true;
}

static bool read_file_name(sw_scan *scan, sw_str *name, sw_span *at)
{
	int next = sw_scan_peek(scan);
	sw_str rest = sw_str_behind(scan->text, scan->at);

	if (next == '"' || next == '\'')
		return sw_scan_name(scan, "the name of a file", nowhere, name, at);
	if (next < 0)
		return sw_scan_unexpected(scan, "{DEVICE: INDICES; ...}, or the name of a file", nowhere);
	*name = sw_str_word(&rest);
	*at = (sw_span){scan->at, scan->at + name->length};
	scan->at = at->end;
	return true;
}

static bool read_file(sw_scan *scan, const sw_device_list_place *place, struct entries *all)
{
	sw_str name, text;
	sw_span at;

	if (!read_file_name(scan, &name, &at))
		return false;
	if (place->names == NULL || place->names->file == NULL) {
		sw_diag_set(scan->diag, SW_B01, at, "no files are read here");
		sw_diag_expected(scan->diag, "{DEVICE: INDICES; ...}");
		sw_diag_found(scan->diag, "%s", sw_scan_quote(name).text);
		return false;
	}
	if (!place->names->file(place->names->of, name, place->arena, &text, scan->diag)) {
		if (scan->diag != NULL)
			scan->diag->at = at;
		return false;
	}
	sw_families *owned = SW_NEW_ZERO(place->arena, sw_families, place->devices);
	if (owned == NULL)
		return sw_diag_memory(scan->diag);
	return read_owners(scan, place, at, text, owned) && (keep_owned(place, owned, all) || sw_diag_memory(scan->diag));
}

/* ---- both ---- */

static bool keep(const sw_device_list_place *place, const struct entries *all, sw_device_list *list)
{
	int64_t *device = SW_NEW(place->arena, int64_t, all->count);
	sw_indices *set = SW_NEW(place->arena, sw_indices, all->count);

	for (int i = 0; device != NULL && set != NULL && i < all->count; i++) {
		device[i] = all->entry[i].device;
		set[i] = all->entry[i].set;
	}
	*list = (sw_device_list){all->count, device, set};
	return device != NULL && set != NULL;
}

bool sw_device_list_scan(sw_scan *scan, const sw_device_list_place *place, sw_device_list *list)
{
	struct entries all = {0};

	if (!(sw_scan_peek(scan) == '{' ? read_entries : read_file)(scan, place, &all))
		return false;
	if (all.count > 1)
		qsort(all.entry, (size_t)all.count, sizeof *all.entry, by_device);
	for (int i = 1; i < all.count; i++)
		if (all.entry[i].device == all.entry[i - 1].device)
			return refuse_twice(scan, &all.entry[i - 1], &all.entry[i]);
	return keep(place, &all, list) || sw_diag_memory(scan->diag);
}
