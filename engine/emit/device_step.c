/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step as its devices carry it out: groups in the order of pieces, and who brings which piece.
 */
#include "array/parts.h"
#include "emit/write.h"
#include "peers/sums.h"
#include "step/row.h"

#include <assert.h>
#include <string.h>

/* The piece of its block that a device's tile is, before a gather or after a split. */
static int64_t piece_of(const int64_t *offset, const int64_t *tile, const sw_entry *entry, int count)
{
	int64_t piece = 0;

	for (int k = 0; k < count; k++) {
		int i = entry[k].dim;

		piece = piece * entry[k].factor + (tile[i] ? offset[i] / tile[i] % entry[k].factor : 0);
	}
	return piece;
}

int32_t sw_emit_piece(const sw_emitter *e, const sw_device_step *m, int32_t device)
{
	assert(device >= 0 && device < e->devices);
	return (int32_t)piece_of(m->from + device * e->rank, m->before, m->step->gather, m->step->gathers);
}

static int32_t piece_kept(const sw_emitter *e, const sw_device_step *m, int32_t device)
{
	return (int32_t)piece_of(m->to + device * e->rank, m->after, m->step->split, m->step->splits);
}

static bool broken(const sw_emitter *e, const sw_device_step *m)
{
	return sw_diag_set(e->diag, SW_P05, (sw_span){0, 0}, "a group of step %d does not hold every piece once",
		(int)(m->step - e->steps) + 1);
}

/* Puts the members of a group in the order of the pieces they end with, those of a gather of the pieces they
 * bring. */
static bool order_group(const sw_emitter *e, const sw_device_step *m, const int32_t *members, int32_t *ordered)
{
	for (int64_t j = 0; j < m->size; j++)
		ordered[j] = -1;
	for (int64_t j = 0; j < m->size; j++) {
		int32_t device = members[j];
		int32_t piece = m->step->splits > 0 ? piece_kept(e, m, device) : sw_emit_piece(e, m, device);

		if (piece >= m->size || ordered[piece] >= 0)
			return broken(e, m);
		ordered[piece] = device;
	}
	return true;
}

/* Which member brings each piece, in one group. */
static bool order_pieces(const sw_emitter *e, const sw_device_step *m, const int32_t *group, int32_t *order)
{
	memset(order, 0xff, (size_t)m->size * sizeof *order);
	for (int64_t j = 0; j < m->size; j++) {
		int32_t piece = sw_emit_piece(e, m, group[j]);

		if (piece >= m->size || order[piece] >= 0)
			return broken(e, m);
		order[piece] = (int32_t)j;
	}
	return true;
}

static bool compare_orders(const sw_emitter *e, sw_device_step *m)
{
	int32_t *order = SW_NEW(e->arena, int32_t, m->size), *other = SW_NEW(e->arena, int32_t, m->size);

	if (!order || !other)
		return sw_diag_memory(e->diag);
	m->order = order;
	m->uniform = true;
	if (!order_pieces(e, m, m->group, order))
		return false;
	for (int64_t g = 1; g < m->groups; g++) {
		if (!order_pieces(e, m, m->group + g * m->size, other))
			return false;
		m->uniform = m->uniform && memcmp(order, other, (size_t)m->size * sizeof *order) == 0;
	}
	return true;
}

/* Are the groups, whatever their order, these lines? */
static bool same_groups(const sw_emitter *e, const sw_device_step *m)
{
	int32_t *line = SW_NEW(e->arena, int32_t, e->devices), *member = SW_NEW(e->arena, int32_t, e->devices);

	if (!line || !member || m->lines.size != m->size || m->lines.groups != m->groups)
		return false;
	sw_digits_expand_narrow(m->lines.digit, m->lines.count, line);
	for (int64_t n = 0; n < e->devices; n++)
		member[m->group[n]] = (int32_t)n;
	for (int64_t n = 0; n < e->devices; n++)
		if (member[line[n]] != member[line[n - n % m->size]] + n % m->size)
			return false;
	return true;
}

static bool find_lines(const sw_emitter *e, sw_device_step *m, int k)
{
	const sw_type *before = sw_emit_type_at(e, k), *after = e->plan->program.value[k + 1].type;
	bool legal;

	return before && after && sw_groups_of_step(&e->plan->problem.mesh, before, after, m->step, &m->lines, &legal) &&
		same_groups(e, m);
}

static bool take_groups(const sw_emitter *e, sw_device_step *m, int k)
{
	int32_t *group = SW_NEW(e->arena, int32_t, e->devices);

	if (!group)
		return sw_diag_memory(e->diag);
	m->size = m->step->group_size;
	m->groups = e->devices / m->size;
	for (int64_t g = 0; g < m->groups; g++)
		if (sw_sums_whole(m->step->op)) /* which member has which term is free */
			memcpy(group + g * m->size, m->step->groups + g * m->size, (size_t)m->size * sizeof *group);
		else if (!order_group(e, m, m->step->groups + g * m->size, group + g * m->size))
			return false;
	m->group = group;
	if (m->step->gathers > 0 && !compare_orders(e, m))
		return false;
	m->lined = find_lines(e, m, k);
	return true;
}

/* A device keeps its tile where it stands at 0 along all that begins to be summed. */
static bool find_keepers(const sw_emitter *e, sw_device_step *m, int k)
{
	const sw_mesh *mesh = &e->plan->problem.mesh;
	uint8_t *keeps = SW_NEW(e->arena, uint8_t, e->devices);
	sw_peer_sums *sums = SW_NEW(e->arena, sw_peer_sums, 1);
	sw_problem *step = SW_NEW(e->arena, sw_problem, 1);

	if (!keeps || !sums || !step)
		return sw_diag_memory(e->diag);
	*step = (sw_problem){.mesh = *mesh,
		.from = *e->plan->program.value[k].type,
		.to = *e->plan->program.value[k + 1].type};
	sw_peer_sums_of(step, sums);
	for (int64_t slot = 0; slot < e->devices; slot++) {
		uint8_t *keeper = &keeps[e->by_device ? sw_device_at(mesh->order, slot) : slot];

		*keeper = 1;
		for (int i = 0; i < sums->begun.count; i++)
			if (slot / sw_part_stride(mesh, sums->begun.at[i]) % sums->begun.at[i].size != 0)
				*keeper = 0;
	}
	m->keeps = keeps;
	return true;
}

static bool take_nothing(const sw_emitter *e, sw_device_step *m, int k)
{
	(void)e, (void)m, (void)k;
	return true;
}

bool sw_emit_device_step(const sw_emitter *e, int k, sw_device_step *m)
{
	assert(k >= 0 && k < e->plan->program.steps && e->steps != NULL);
	static bool (*const take[SW_MANNER_COUNT])(const sw_emitter *e, sw_device_step *m, int k) = {
		[SW_MANNER_CUT] = take_nothing,
		[SW_MANNER_JOINED] = take_groups,
		[SW_MANNER_SWAPPED] = take_groups,
		[SW_MANNER_PERMUTED] = take_nothing,
		[SW_MANNER_DEALT] = take_nothing,
		[SW_MANNER_SCATTERED] = take_groups,
		[SW_MANNER_SUMMED] = take_groups,
		[SW_MANNER_KEPT] = find_keepers,
		[SW_MANNER_PADDED] = take_nothing,
		[SW_MANNER_ROOTED] = take_groups,
	};
	const sw_step *step = &e->steps[k];

	*m = (sw_device_step){.step = step,
		.before = e->plan->program.value[k].tile,
		.after = e->plan->program.value[k + 1].tile,
		.from = e->map[k],
		.to = e->map[k + 1]};
	return take[sw_row(step->op)->manner](e, m, k);
}

int sw_emit_digits(const sw_emitter *e, const int32_t *list, int64_t count, sw_digit digit[SW_MAX_DIGITS])
{
	int64_t *wide = SW_NEW(e->arena, int64_t, count);
	int found;

	for (int64_t n = 0; wide && n < count; n++)
		wide[n] = list[n];
	found = wide && count > 0 ? sw_digits_of_list(wide, count, digit, SW_MAX_DIGITS) : -1;
	return found > 0 ? sw_digits_merge(digit, found) : 0;
}

const int32_t *sw_emit_orders(const sw_emitter *e, const sw_device_step *m)
{
	assert(m->size > 0);
	int32_t *row = SW_NEW(e->arena, int32_t, e->devices * m->size);

	if (!row) {
		sw_diag_memory(e->diag);
		return NULL;
	}
	for (int64_t n = 0; n < e->devices; n++) {
		int32_t piece = sw_emit_piece(e, m, m->group[n]);

		for (int64_t j = 0; j < m->size; j++)
			row[m->group[n - n % m->size + j] * m->size + piece] = (int32_t)(n % m->size);
	}
	return row;
}
