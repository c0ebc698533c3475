/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices as XLA lists them: as a transposed grid where they are one.
 */
#include "emit/lists.h"

#include <assert.h>

/* The devices tile by tile, in each term by term, those of one ascending; NULL where memory is short. */
static int32_t *devices_by_tile(const sw_emitter *e, const sw_type *type)
{
	int32_t *tile_number = SW_NEW(e->arena, int32_t, e->devices), *list = SW_NEW(e->arena, int32_t, e->devices);
	int64_t terms = sw_type_terms(type), tiles = sw_type_tiles(type) * terms, copies = e->devices / tiles;
	int32_t *next = SW_NEW_ZERO(e->arena, int32_t, tiles);

	if (!tile_number || !list || !next)
		return NULL;
	sw_tile_numbers_of_type(&e->plan->problem.mesh, type, tile_number);
	for (int64_t d = 0; d < e->devices && terms > 1; d++)
		tile_number[d] = (int32_t)(tile_number[d] * terms + sw_type_term(&e->plan->problem.mesh, type, d));
	for (int64_t d = 0; d < e->devices; d++)
		list[tile_number[d] * copies + next[tile_number[d]]++] =
			(int32_t)(e->by_device ? sw_device_at(e->plan->problem.mesh.order, d) : d);
	return list;
}

static void add_numbers(sw_text *text, const char *open, const int64_t *number, int count, const char *close)
{
	sw_text_add(text, open);
	for (int k = 0; k < count; k++)
		sw_text_addf(text, "%s%lld", k ? "," : "", (long long)number[k]);
	sw_text_add(text, close);
}

/* Adds what follows `<=`: the grid by descending strides, and the order in which it is read. */
bool sw_xla_sharding(const sw_emitter *e, const sw_type *type, sw_text *text)
{
	assert(e->devices <= SW_MAX_EMIT_DEVICES);
	int64_t cuts[SW_MAX_DIMS + 2];
	sw_digit digit[SW_MAX_DIGITS];
	int64_t terms = sw_type_terms(type), copies = e->devices / sw_type_tiles(type) / terms;
	int32_t *list = devices_by_tile(e, type);
	int count, rank = type->rank;

	if (!list)
		return sw_diag_memory(e->diag);
	if (sw_type_tiles(type) == 1 && terms == 1) {
		sw_text_add(text, "{replicated}");
		return true;
	}
	for (int i = 0; i < rank; i++)
		cuts[i] = type->tile[i] ? type->global[i] / type->tile[i] : 1;
	cuts[rank] = terms > 1 ? terms : copies;
	cuts[rank + 1] = copies;
	add_numbers(text, "{devices=[", cuts, rank + (terms > 1) + (copies > 1), "]");
	count = sw_emit_digits(e, list, e->devices, digit);
	if (count) {
		sw_text_add(text, "<=");
		sw_digits_print(digit, count, e->devices, text);
	}
	for (int64_t d = 0; !count && d < e->devices; d++)
		sw_text_addf(text, "%s%d", d ? "," : "", (int)list[d]);
	if (terms > 1)
		sw_text_addf(text, " last_tile_dims={unreduced%s}}", copies > 1 ? ", replicated" : "");
	else
		sw_text_add(text, copies > 1 ? " last_tile_dim_replicate}" : "}");
	return true;
}

void sw_xla_groups(const sw_device_step *m, sw_text *text)
{
	if (m->lined) {
		sw_groups_print(&m->lines, text);
		return;
	}
	sw_text_add_char(text, '{');
	sw_emit_rows(text, m->group, m->groups, m->size, "{", ",", "}");
	sw_text_add_char(text, '}');
}
