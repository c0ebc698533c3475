/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HeAT: the one dimension that is split, over all processes in their order.
 */
#include "foreign/notation/read.h"

#include <inttypes.h>
#include <string.h>

static const sw_span nowhere = {0, 0};

/* `lshape 23/22/22`: what each process holds of the dimension. */
static bool split_even(sw_reader *reader)
{
	sw_span at = sw_scan_next_span(&reader->scan);
	int64_t first, next;
	bool even = true;
	if (!sw_read_number(reader, "size of a process's block", 0, INT64_MAX, &first))
		return false;
	while (sw_scan_take(&reader->scan, '/')) {
		if (!sw_read_number(reader, "size of a process's block", 0, INT64_MAX, &next))
			return false;
		even = even && next == first;
	}
	at.end = reader->scan.at;
	if (even)
		return true;
	sw_diag_set(reader->scan.diag, SW_N02, at, "the split is into blocks of different sizes");
	sw_diag_expected(reader->scan.diag, "blocks of one size on all processes");
	sw_diag_hint(reader->scan.diag, "even types cannot say an arbitrary map along the split dimension");
	return false;
}

bool sw_read_split(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_sharding *out = reader->out;
	sw_span at = sw_scan_next_span(scan);
	int64_t dim = -1;
	out->notation = SW_NOTATION_SPLIT;
	if (!sw_read_word(reader, "split") || !sw_scan_expect(scan, '=', "'=' and a dimension or None", nowhere))
		return sw_read_refuse(reader, "split=N or split=None");
	if (!sw_read_word(reader, "None") && !sw_read_number(reader, "dimension that is split", 0, SW_MAX_DIMS - 1, &dim))
		return false;
	at.end = scan->at;
	if (sw_scan_take(scan, ',') && !(sw_read_word(reader, "lshape") && split_even(reader)))
		return scan->diag && scan->diag->code != SW_OK ? false : sw_read_refuse(reader, "lshape A/B/...");
	if (!sw_read_need_mesh(reader, at))
		return false;
	out->extends = true;
	for (int64_t d = 0; d <= dim; d++) {
		for (int i = 0; d == dim && i < out->mesh.count; i++)
			if (!sw_read_part(reader, sw_str_of(out->mesh.axis[i].name), at, 1, 0))
				return false;
		if (!sw_read_end_dim(reader, at))
			return false;
	}
	return true;
}

bool sw_print_split(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	int split = -1, cuts = 0;
	(void)arena;
	for (int d = 0; d < s->rank && s->kind == SW_SHARDING_TILED; d++)
		if (s->first[d] < s->first[d + 1]) {
			split = d;
			cuts++;
		}
	int64_t devices = s->mesh.devices ? s->mesh.devices : 1;
	bool plain = s->kind == SW_SHARDING_TILED && cuts <= 1 && !s->mesh.order;
	bool major = true;
	for (int i = 1; i < s->first[s->rank] && plain; i++)
		major = major && s->parts[i].axis > s->parts[i - 1].axis;
	if (!plain || !major || (cuts == 1 && sw_sharding_cuts(s, split) != devices))
		return sw_print_refuse(diag, SW_NOTATION_SPLIT,
			"HeAT splits one dimension over all processes, in their order");
	sw_text_add(text, "split=");
	if (split < 0)
		sw_text_add(text, "None");
	else
		sw_text_addf(text, "%d", split);
	return true;
}
