/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distances between all pairs of types: rows that others are like are copied.
 */
#include "program/metric.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "program/elements.h"

/* Which part stands in for which. */
struct renaming {
	int of[SW_SPACE_PARTS];
	uint32_t named, taken;
};

struct metric {
	const sw_type_space *space;
	bool alike;
	sw_costs_store *store;
	bool (*make_row)(const struct metric *m, int32_t state);
	sw_distances *distances; /* of rows that are searched */
	const sw_distance_rules *rules;
	const sw_second *second; /* of rows by way of second types */
	double *at;
	bool *known;    /* rows */
	int32_t *image; /* of arrangements, renamed */
};

/* The parts of a dimension, major to minor. */
static int parts_of(const sw_type_space *s, int32_t arrangement, int dim, int parts[SW_SPACE_PARTS])
{
	int count = 0, part;

	for (int32_t a = arrangement; (a = sw_type_space_pop(s, a, dim, &part)) >= 0;) {
		assert(count < SW_SPACE_PARTS);
		parts[count++] = part;
	}
	for (int i = 0, j = count - 1; i < j; i++, j--) {
		int kept = parts[i];

		parts[i] = parts[j];
		parts[j] = kept;
	}
	return count;
}

/* The first part of the same prime that stands in for none yet stands in for `part`. */
static int name_anew(const sw_type_space *s, struct renaming *r, int part)
{
	int first = 0;

	while ((r->taken >> first & 1) != 0 || s->factors.at[first].prime != s->factors.at[part].prime)
		first++;
	r->of[first] = part;
	r->taken |= (uint32_t)1 << first;
	r->named |= (uint32_t)1 << part;
	return first;
}

/* The state that a state is like with its parts in their order; r->of leads back to it. */
static int32_t model_of(const sw_type_space *s, int32_t state, struct renaming *r)
{
	int parts[SW_SPACE_PARTS];
	uint32_t sums = 0;
	int32_t a = 0;

	*r = (struct renaming){.named = 0};
	for (int d = 0; d < s->rank; d++) {
		int count = parts_of(s, s->of[state], d, parts);

		for (int k = 0; k < count; k++)
			a = sw_type_space_push(s, a, d, name_anew(s, r, parts[k]));
	}
	for (uint32_t rest = s->sums[state]; rest != 0; rest &= rest - 1)
		sums |= (uint32_t)1 << name_anew(s, r, __builtin_ctz(rest));
	for (int part = 0; part < s->parts; part++)
		if ((r->named >> part & 1) == 0)
			name_anew(s, r, part);
	return sw_type_space_state(s, a, sums);
}

/* Arrangements with fewer parts come first. */
static void rename_arrangements(const struct metric *m, const struct renaming *r)
{
	const sw_type_space *s = m->space;

	m->image[0] = 0;
	for (int32_t a = 1; a < s->arrangements; a++)
		for (int d = s->rank - 1; d >= 0; d--) {
			int part;
			int32_t before = sw_type_space_pop(s, a, d, &part);

			if (before < 0)
				continue;
			m->image[a] = sw_type_space_push(s, m->image[before], d, r->of[part]);
			break;
		}
}

static void copy_row(const struct metric *m, int32_t from, int32_t to, const struct renaming *r)
{
	const sw_type_space *s = m->space;

	rename_arrangements(m, r);
	for (int32_t k = 0; k < s->count; k++) {
		uint32_t sums = 0;

		for (uint32_t rest = s->sums[k]; rest != 0; rest &= rest - 1)
			sums |= (uint32_t)1 << r->of[__builtin_ctz(rest)];
		m->at[(int64_t)to * s->count + sw_type_space_state(s, m->image[s->of[k]], sums)] =
			m->at[(int64_t)from * s->count + k];
	}
}

static bool search_row(const struct metric *m, int32_t state)
{
	double *row = m->at + (int64_t)state * m->space->count;

	for (int32_t k = 0; k < m->space->count; k++)
		row[k] = k == state ? 0 : INFINITY;
	if (!sw_distances_find(m->distances, m->rules, row, NULL)) {
		m->store->failure = SW_COSTS_NO_MEMORY;
		return false;
	}
	if (!sw_pulse_beat(m->store->pulse, "distances", state, m->space->count)) {
		m->store->failure = SW_COSTS_STOPPED;
		return false;
	}
	return true;
}

/* Lowers a row to what comes by way of one second type, of whose cost a share is paid. */
SW_VECTORISED static void lower(double *restrict row, const double *restrict onward, double share, int count)
{
	for (int k = 0; k < count; k++) {
		double way = share + onward[k];

		row[k] = way < row[k] ? way : row[k];
	}
}

static bool lower_row(const struct metric *m, int32_t state)
{
	int count = m->space->count;
	const sw_second *second = m->second;
	const double *direct = second->metric->at + (int64_t)state * count;
	double *row = m->at + (int64_t)state * count;

	memcpy(row, direct, sizeof *row * (size_t)count);
	for (int32_t s = 0; s < count; s++)
		if (direct[s] < INFINITY && (second->budget == 0 || sw_type_space_size(m->space, s) <= second->budget))
			lower(row, second->metric->at + (int64_t)s * count, direct[s] / second->shares, count);
	return sw_costs_goes_on(m->store);
}

static bool fill_row(const struct metric *m, int32_t state)
{
	struct renaming r;
	int32_t model = m->alike ? model_of(m->space, state, &r) : state;

	if (!m->known[model] && !m->make_row(m, model))
		return false;
	m->known[model] = true;
	if (model != state)
		copy_row(m, model, state, &r);
	return sw_costs_looked(m->store, m->space->count);
}

static sw_costs *fill(struct metric *m)
{
	const sw_type_space *space = m->space;
	sw_costs *table;

	m->at = sw_costs_new(m->store, space->count, space->count, &table);
	m->known = SW_NEW_ZERO(m->store->arena, bool, space->count);
	m->image = SW_NEW(m->store->arena, int32_t, space->arrangements);
	if (m->at == NULL || m->known == NULL || m->image == NULL) {
		m->store->failure = m->store->failure == SW_COSTS_FINE ? SW_COSTS_NO_MEMORY : m->store->failure;
		return NULL;
	}
	for (int32_t k = 0; k < space->count; k++)
		if (!fill_row(m, k))
			return NULL;
	return table;
}

const sw_costs *sw_metric_make(const sw_type_space *space, sw_distances *distances, const sw_distance_rules *rules,
	bool alike, sw_costs_store *store)
{
	struct metric m = {.space = space,
		.alike = alike,
		.store = store,
		.make_row = search_row,
		.distances = distances,
		.rules = rules};
	sw_costs *table = fill(&m);

	if (table != NULL)
		table->detour = table->onward = table->at;
	return table;
}

const sw_costs *sw_metric_by_second(const sw_type_space *space, const sw_second *second, bool alike,
	sw_costs_store *store)
{
	struct metric m = {.space = space, .alike = alike, .store = store, .make_row = lower_row, .second = second};
	sw_costs *table = fill(&m);

	if (table != NULL)
		table->detour = table->onward = second->metric->at;
	return table;
}
