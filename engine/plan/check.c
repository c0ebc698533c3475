/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checker of plans: which device holds which tile before and after every step, derived again from the types
 * and maps alone, and every number of the plan with it.  It uses nothing of what made the plan: offsets come one
 * by one from the definition (seed 000, figure 7a), groups are judged by the boxes that go in and come out.
 *
 * Where a map per device is too large, the same is checked on the digits of the types.  Where groups lead terms to other devices than
 * types say of them, what is left to see is that terms add up: the plan is executed.
 */
#include "plan/check.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "plan/check_between.h"
#include "plan/check_pieces.h"
#include "plan/inside.h"
#include "plan/lines.h"
#include "plan/pieces.h"
#include "plan/tile_numbers.h"

typedef struct checker {
	const sw_plan *plan;
	sw_diag *diag;
	char *where;
	sw_arena *arena;
	int rank;
	int64_t devices;
	const int64_t *global;
	int64_t *before, *after;  /* base offsets by the numbers of devices; NULL where checked by digits */
	int64_t *count;           /* scratch, one number a device */
	int32_t *member;          /* groups of devices */
	int32_t *term, *now_term; /* which term of its values a device holds, before the step and after it */
	int32_t *kept, *which; /* of a step that makes more or fewer terms: the one of the fewer, and which within that */
	const sw_type *sums, *now_sums; /* the types that say so */
	int64_t tile[SW_MAX_DIMS];      /* before the step */
	int64_t now[SW_MAX_DIMS];       /* after it */
	int64_t gather[SW_MAX_DIMS], split[SW_MAX_DIMS];
	int64_t cost, height, peak;
	double model_cost;
	int permutes, phase;
	bool normal_form;
	bool prefix;   /* its steps may end anywhere, and cost less than whole plans */
	bool doubtful; /* devices hold other terms than types number: that copies and sums agree has to be seen on data */
	sw_diag doubt; /* the first time, and its place */
	char doubt_where[SW_WHERE_SIZE];
} checker;

static bool check_fail(checker *c, sw_code code, int k, const char *field, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Blames `field` of step `k` (-1: of the plan). */
static bool check_fail(checker *c, sw_code code, int k, const char *field, const char *format, ...)
{
	char reason[192];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	if (k < 0) {
		snprintf(c->where, SW_WHERE_SIZE, "%s", field);
		return sw_diag_set(c->diag, code, (sw_span){0, 0}, "%s", reason);
	}
	snprintf(c->where, SW_WHERE_SIZE, "steps[%d].%s", k, field);
	return sw_diag_set(c->diag, code, (sw_span){0, 0}, "step %d ('%s'): %s", k + 1,
		sw_collective_of(c->plan->program.step[k].op)->name, reason);
}

static bool doubt(checker *c, int k, const char *field, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The same where only execution can tell: true, if nothing is wrong but this. */
static bool doubt(checker *c, int k, const char *field, const char *format, ...)
{
	char reason[192];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	if (!c->doubtful) {
		sw_diag *diag = c->diag;
		c->diag = &c->doubt;
		check_fail(c, SW_P05, k, field, "%s", reason);
		c->diag = diag;
		memcpy(c->doubt_where, c->where, sizeof c->doubt_where);
	}
	c->doubtful = true;
	return true;
}

/* What an operation may do, told once more by who does not believe the table of collectives. */
struct rule {
	bool (*check)(checker *c, int k);
	int64_t cost_before, cost_after; /* figure 11: how often the tile counts */
	int phase;
	enum { NEVER, MAY, ALWAYS } gathers, splits;
	bool adds;  /* terms */
	bool fills; /* with zeros, so that there are more terms */
	bool permutes;
	bool blocks;          /* every device ends with a part of the block that it was in */
	bool any;             /* the tile may become any other */
	sw_piece_rule pieces; /* where devices have pieces of tiles */
};

static const struct rule *rule_of(sw_op op);

/* The plan says `said` where `is` is right. */
static bool check_number(checker *c, int k, const char *field, int64_t said, int64_t is)
{
	if (said == is)
		return true;
	check_fail(c, SW_P03, k, field, "'%s' does not match the tiles", field);
	sw_diag_expected(c->diag, "%lld", (long long)is);
	sw_diag_found(c->diag, "%lld", (long long)said);
	return false;
}

/* Do groups stand in the order of pieces?  Those of plans that others would make, or of imports, may not. */
static bool keeps_order(const sw_plan *plan)
{
	return sw_plan_is_ours(plan) && !sw_strategy_is(plan->strategy, SW_FOLLOWS);
}

bool sw_plan_is_ours(const sw_plan *plan)
{
	return !plan->origin || strcmp(plan->origin, sw_strategy_name(plan->strategy)) == 0;
}

/* ---- maps ---- */

static const sw_type *type_after(const checker *c, int k)
{
	return k < 0 ? &c->plan->problem.from : c->plan->program.value[k + 1].type;
}

static bool check_type(checker *c, int k, const sw_type *type)
{
	const sw_type *from = &c->plan->problem.from;
	bool fits = type->rank == from->rank && type->dtype == from->dtype;
	for (int i = 0; fits && i < c->rank; i++)
		fits = type->global[i] == c->global[i];
	if (!fits || type->padding != from->padding)
		return check_fail(c, SW_P03, k, "type", "its type is of another array");
	for (int i = 0; i < c->rank; i++)
		if (type->tile[i] != c->now[i])
			return check_fail(c, SW_P03, k, "type",
				"its type has tiles of %lld along dimension %d, the step makes %lld", (long long)type->tile[i], i,
				(long long)c->now[i]);
	return true;
}

/* What devices hold, each by the slot that the order has it in. */
static void map_of(const checker *c, const sw_type *type, const int64_t *order, int64_t *map)
{
	for (int64_t p = 0; p < c->devices; p++)
		sw_type_offset(&c->plan->problem.mesh, type, p, map + sw_device_at(order, p) * c->rank);
}

/* The term of each device, by the slot that the order has it in. */
static void terms_of(const checker *c, const sw_type *type, const int64_t *order, int32_t *term)
{
	for (int64_t p = 0; p < c->devices; p++)
		term[sw_device_at(order, p)] = (int32_t)sw_type_term(&c->plan->problem.mesh, type, p);
}

/* Every term of every tile of the grid is held, and by equally many devices. */
static bool check_even(checker *c, int k)
{
	int64_t tiles = sw_type_terms(c->now_sums);
	for (int i = 0; i < c->rank; i++)
		if (!sw_mul(tiles, c->global[i] / c->now[i], &tiles) || tiles > c->devices)
			return check_fail(c, SW_P05, k, "localtype", "there are more tiles than devices");
	memset(c->count, 0, (size_t)tiles * sizeof *c->count);
	for (int64_t d = 0; d < c->devices; d++) {
		int64_t number = c->now_term[d];
		for (int i = 0; i < c->rank; i++) {
			int64_t offset = c->after[d * c->rank + i];
			if (offset < 0 || offset >= c->global[i] || offset % c->now[i] != 0)
				return check_fail(c, SW_P05, k, "type", "the tile of device %lld is off the grid along dimension %d",
					(long long)d, i);
			number = number * (c->global[i] / c->now[i]) + offset / c->now[i];
		}
		c->count[number]++;
	}
	for (int64_t t = 0; t < tiles; t++)
		if (c->count[t] * tiles != c->devices)
			return check_fail(c, SW_P05, k, "type",
				"tile %lld is held by %lld of %lld devices, not by as many as others", (long long)t,
				(long long)c->count[t], (long long)c->devices);
	return true;
}

/* Fills `after` with what the devices hold after step k (-1: in the beginning). */
static bool check_map(checker *c, int k)
{
	const sw_type *type = type_after(c, k);
	if (type && k >= 0 && !check_type(c, k, type))
		return false;
	if (!type && !c->plan->program.value[k + 1].map)
		return check_fail(c, SW_P03, k, "type", "it has neither a type nor a map");
	c->now_sums = type ? type : c->sums;
	if (!c->after)
		return type || check_fail(c, SW_S08, k, "type", "too many devices for a map");
	if (type)
		map_of(c, type, sw_plan_order(c->plan, k + 1), c->after);
	else
		sw_device_order_rows(sw_plan_order(c->plan, k + 1), c->devices, c->rank, c->plan->program.value[k + 1].map,
			c->after);
	terms_of(c, c->now_sums, sw_plan_order(c->plan, k + 1), c->now_term);
	return check_even(c, k);
}

/* ---- the shape of a step ---- */

static bool check_entries(checker *c, int k, const char *field, const sw_entry *entry, int count, int64_t *factor)
{
	for (int i = 0; i < c->rank; i++)
		factor[i] = 1;
	for (int e = 0; e < count; e++) {
		if (entry[e].dim < 0 || entry[e].dim >= c->rank || entry[e].factor < 2 || factor[entry[e].dim] != 1)
			return check_fail(c, SW_P05, k, field, "bad entry [%d, %lld] in '%s'", entry[e].dim,
				(long long)entry[e].factor, field);
		factor[entry[e].dim] = entry[e].factor;
	}
	return true;
}

static bool check_kind(checker *c, int k)
{
	const sw_step *step = &c->plan->program.step[k];
	const struct rule *rule = rule_of(step->op);
	if (step->gathers > 0 ? rule->gathers == NEVER : rule->gathers == ALWAYS)
		return check_fail(c, SW_P05, k, "gather", rule->gathers ? "it gathers nothing" : "it must not gather");
	if (step->splits > 0 ? rule->splits == NEVER : rule->splits == ALWAYS)
		return check_fail(c, SW_P05, k, "split", rule->splits ? "it splits nothing" : "it must not split");
	bool one = sw_strategy_is(c->plan->strategy, SW_ONE_DIMENSION);
	bool wide = step->gathers > 1 || step->splits > 1;
	if (rule->gathers == MAY ? !wide && step->gathers == 0 : !wide || step->gathers == 0)
		return true;
	if (sw_plan_is_ours(c->plan) && one)
		return check_fail(c, SW_P05, k, "gather", "a step of strategy '%s' works on one dimension at a time",
			sw_strategy_name(c->plan->strategy));
	return true;
}

/* The tile after the step, from the entries. */
static bool check_tiles(checker *c, int k)
{
	const sw_step *step = &c->plan->program.step[k];
	const int64_t *tile = c->plan->program.value[k + 1].tile;
	int64_t in = 1, out = 1;
	if (!check_entries(c, k, "gather", step->gather, step->gathers, c->gather) ||
		!check_entries(c, k, "split", step->split, step->splits, c->split) || !check_kind(c, k))
		return false;
	for (int i = 0; i < c->rank; i++) {
		if (c->gather[i] > 1 && c->split[i] > 1)
			return check_fail(c, SW_P05, k, "split", "dimension %d is gathered and split", i);
		if (c->tile[i] % c->split[i] != 0)
			return check_fail(c, SW_P05, k, "split", "tile %lld of dimension %d is not divisible by %lld",
				(long long)c->tile[i], i, (long long)c->split[i]);
		int64_t grown = 0;
		if (!sw_mul(c->tile[i], c->gather[i], &grown) || c->global[i] % grown != 0)
			return check_fail(c, SW_P05, k, "gather", "gathering by %lld leaves the grid of dimension %d",
				(long long)c->gather[i], i);
		if (!sw_mul(in, c->gather[i], &in) || !sw_mul(out, c->split[i], &out))
			return check_fail(c, SW_P05, k, "gather", "the factors are too large");
		c->now[i] = rule_of(step->op)->any ? tile[i] : grown / c->split[i];
		if (tile[i] < 1 || tile[i] != c->now[i] || c->global[i] % c->now[i] != 0)
			return check_fail(c, SW_P03, k, "localtype", "the tile has %lld along dimension %d, the step makes %lld",
				(long long)tile[i], i, (long long)c->now[i]);
	}
	if (step->gathers > 0 && step->splits > 0 && in != out && !rule_of(step->op)->adds)
		return check_fail(c, SW_P05, k, "split", "it gathers %lld and splits %lld", (long long)in, (long long)out);
	return true;
}

/* Of the type with more terms: the term of the other that each one is within, and which one it is there.  A device has the same
 * place along the axes of both. */
static bool check_within(checker *c, int k, const sw_type *more, const sw_type *fewer)
{
	int64_t terms = sw_type_terms(more), others = sw_type_terms(fewer);
	if (terms % others != 0)
		return check_fail(c, SW_P05, k, "type", "%lld terms are no parts of %lld", (long long)terms,
			(long long)others);
	for (int64_t t = 0; t < terms; t++)
		c->kept[t] = -1;
	for (int64_t p = 0; p < c->devices; p++) {
		int64_t t = sw_type_term(&c->plan->problem.mesh, more, p),
				in = sw_type_term(&c->plan->problem.mesh, fewer, p);
		if (c->kept[t] >= 0 && c->kept[t] != in)
			return check_fail(c, SW_P05, k, "type", "the sums before and after are not parts of each other");
		c->kept[t] = (int32_t)in;
	}
	memset(c->count, 0, (size_t)others * sizeof *c->count);
	for (int64_t t = 0; t < terms; t++)
		c->which[t] = (int32_t)c->count[c->kept[t]]++;
	for (int64_t t = 0; t < others; t++)
		if (c->count[t] != terms / others)
			return check_fail(c, SW_P05, k, "type", "the sums before and after are not parts of each other");
	return true;
}

/* Are there as many terms after the step as its kind makes? */
static bool check_terms(checker *c, int k)
{
	const sw_step *step = &c->plan->program.step[k];
	const struct rule *rule = rule_of(step->op);
	int64_t before = sw_type_terms(c->sums), after = sw_type_terms(c->now_sums), made = 1;
	for (int i = 0; i < c->rank; i++)
		made *= rule->fills ? c->gather[i] : c->split[i];
	if (rule->any)
		return true;
	if (!rule->adds && !rule->fills && before != after)
		return check_fail(c, SW_P05, k, "type", "%lld terms become %lld", (long long)before, (long long)after);
	if (rule->adds && (after >= before || before % after != 0))
		return check_fail(c, SW_P05, k, "type", "it sums nothing: %lld terms become %lld", (long long)before,
			(long long)after);
	if (rule->fills && (before >= after || after % before != 0))
		return check_fail(c, SW_P05, k, "type", "no terms are made: %lld become %lld", (long long)before,
			(long long)after);
	int64_t pieces = rule->adds ? before / after : after / before;
	for (int i = 0; i < c->rank && rule->adds; i++)
		pieces *= c->gather[i];
	if ((rule->adds && step->splits > 0 && pieces != made) || (rule->fills && step->gathers > 0 && pieces != made))
		return check_fail(c, SW_P05, k, rule->adds ? "split" : "gather", "it makes %lld pieces of %lld",
			(long long)made, (long long)pieces);
	if (!c->after || (!rule->adds && !rule->fills))
		return true;
	return rule->adds ? check_within(c, k, c->sums, c->now_sums) : check_within(c, k, c->now_sums, c->sums);
}

/* ---- steps, device by device ---- */

static bool check_slice(checker *c, int k)
{
	for (int64_t d = 0; d < c->devices; d++)
		for (int i = 0; i < c->rank; i++) {
			int64_t old = c->before[d * c->rank + i], new = c->after[d * c->rank + i];
			if (new < old || new + c->now[i] > old + c->tile[i])
				return check_fail(c, SW_P05, k, "type", "device %lld keeps data that it does not hold", (long long)d);
			if (c->term[d] != c->now_term[d] &&
				!doubt(c, k, "type", "device %lld keeps data that it does not hold", (long long)d))
				return false;
		}
	return true;
}

/* The tile of a device among zeros: it lies in the new one, and devices that hold the same term then have set the same piece there,
 * other ones another. */
static bool check_fill(checker *c, int k)
{
	int64_t pieces = sw_type_terms(c->now_sums) / sw_type_terms(c->sums);
	memset(c->count, 0, (size_t)c->devices * sizeof *c->count);
	memset(c->member, 0, (size_t)c->devices * sizeof *c->member);
	for (int64_t d = 0; d < c->devices; d++) {
		int64_t block = 0, piece = 0;
		for (int i = 0; i < c->rank; i++) {
			int64_t old = c->before[d * c->rank + i], new = c->after[d * c->rank + i];
			if (old < new || old + c->tile[i] > new + c->now[i])
				return check_fail(c, SW_P05, k, "type", "device %lld holds data that is not in its tile",
					(long long)d);
			block = block * (c->global[i] / c->now[i]) + new / c->now[i];
			piece = piece * c->gather[i] + (old - new) / c->tile[i];
		}
		if (c->kept[c->now_term[d]] != c->term[d])
			return check_fail(c, SW_P05, k, "type", "the term of device %lld becomes a part of another",
				(long long)d);
		block = (block * sw_type_terms(c->sums) + c->term[d]) * pieces;
		int64_t at = block + c->which[c->now_term[d]], where = block + piece;
		if (c->plan->program.step[k].gathers == 0)
			continue;
		if ((c->count[at] && c->count[at] != where + 1) || (c->member[where] && c->member[where] != at + 1))
			return check_fail(c, SW_P05, k, "type", "device %lld sets its tile where others of its term have zeros",
				(long long)d);
		c->count[at] = where + 1;
		c->member[where] = (int32_t)(at + 1);
	}
	return true;
}

/* Tiles by a map of devices, of which those of a group fill a block. */
typedef struct blocks {
	const int64_t *map, *tile;
	const int64_t *grow; /* a block is so many tiles along each dimension */
	bool ordered;        /* they have to be in row-major order in it */
} blocks;

/* The members' tiles are all different and fill one block.  Sets its corner. */
static bool check_block(checker *c, int k, const int32_t *member, int64_t size, const blocks *of, int64_t *corner)
{
	const int64_t *map = of->map, *tile = of->tile, *grow = of->grow;
	bool adds = rule_of(c->plan->program.step[k].op)->adds && map == c->before;
	for (int i = 0; i < c->rank; i++) {
		int64_t block = tile[i] * grow[i];
		corner[i] = map[member[0] * c->rank + i] / block * block;
	}
	memset(c->count, 0, (size_t)size * sizeof *c->count);
	for (int64_t m = 0; m < size; m++) {
		int64_t number = adds ? c->which[c->term[member[m]]] : 0;
		for (int i = 0; i < c->rank; i++) {
			int64_t at = (map[member[m] * c->rank + i] - corner[i]) / tile[i];
			if (map[member[m] * c->rank + i] < corner[i] || at >= grow[i])
				return check_fail(c, SW_P05, k, "groups",
					"devices %d and %d of one group hold parts of different blocks", member[0], member[m]);
			number = number * grow[i] + at;
		}
		if (c->count[number]++)
			return check_fail(c, SW_P05, k, "groups", "two devices of the group of device %d have the same piece",
				member[0]);
		if (of->ordered && number != m)
			return check_fail(c, SW_P05, k, "groups", "the group of device %d is not in the order of its pieces",
				member[0]);
	}
	return true;
}

/* The term that what a device brings is a part of in the end. */
static int32_t term_left(const checker *c, int k, int32_t device)
{
	int32_t term = c->term[device];
	return rule_of(c->plan->program.step[k].op)->adds ? c->kept[term] : term;
}

static bool check_group(checker *c, int k, const int32_t *member, int64_t size)
{
	int64_t in[SW_MAX_DIMS], out[SW_MAX_DIMS];
	bool ordered = keeps_order(c->plan), gathers = c->plan->program.step[k].splits == 0;
	bool pieces = c->plan->program.step[k].gathers > 0; /* terms are added in any order */
	const blocks before = {c->before, c->tile, c->gather, ordered && gathers && pieces};
	const blocks after = {c->after, c->now, c->split, ordered};
	if (!check_block(c, k, member, size, &before, in) || (!gathers && !check_block(c, k, member, size, &after, out)))
		return false;
	for (int64_t m = 0; m < size; m++)
		if (term_left(c, k, member[m]) != c->now_term[member[0]] || c->now_term[member[m]] != c->now_term[member[0]])
			return doubt(c, k, "groups", "devices %d and %d of one group hold terms of different sums", member[0],
				member[m]);
	for (int64_t m = 0; m < size; m++)
		for (int i = 0; i < c->rank; i++)
			if (in[i] != (gathers ? c->after[member[m] * c->rank + i] : out[i]))
				return check_fail(c, SW_P05, k, "groups", "device %d ends with data that did not go into its group",
					member[m]);
	return true;
}

static bool check_groups(checker *c, int k)
{
	const sw_step *step = &c->plan->program.step[k];
	int64_t size = 1;
	for (int i = 0; i < c->rank; i++)
		size *= c->gather[i];
	if (rule_of(step->op)->adds)
		size *= sw_type_terms(c->sums) / sw_type_terms(c->now_sums);
	const int64_t *order = sw_plan_order(c->plan, k);
	const int32_t *groups = sw_step_groups(c->plan, k, c->arena);
	if (!groups)
		return check_fail(c, SW_P05, k, "groups", "it has no groups");
	if (step->group_size != size || c->devices % size != 0 || step->grouped != c->devices)
		return check_fail(c, SW_P05, k, "groups", "its groups are of %lld devices, not of %lld",
			(long long)step->group_size, (long long)size);
	memset(c->count, 0, (size_t)c->devices * sizeof *c->count);
	for (int64_t d = 0; d < c->devices; d++) {
		if (groups[d] < 0 || groups[d] >= c->devices)
			return check_fail(c, SW_P05, k, "groups", "there is no device %d", groups[d]);
		if (c->count[groups[d]]++)
			return check_fail(c, SW_P05, k, "groups", "device %d is in two places", groups[d]);
		c->member[d] = (int32_t)sw_device_at(order, groups[d]);
	}
	for (int64_t d = 0; d < c->devices; d += size)
		if (!check_group(c, k, c->member + d, size))
			return false;
	return true;
}

static bool check_permute(checker *c, int k)
{
	const int64_t *from = sw_plan_order(c->plan, k), *to = sw_plan_order(c->plan, k + 1);
	const int32_t *source = c->plan->program.step[k].source;
	if (!source)
		return true;
	memset(c->count, 0, (size_t)c->devices * sizeof *c->count);
	for (int64_t d = 0; d < c->devices; d++) {
		if (source[d] < 0 || source[d] >= c->devices)
			return check_fail(c, SW_P05, k, "pairs", "there is no device %d", source[d]);
		if (c->count[source[d]]++)
			return check_fail(c, SW_P05, k, "pairs", "device %d sends its tile twice", source[d]);
		int64_t giver = sw_device_at(from, source[d]), taker = sw_device_at(to, d);
		if (c->term[giver] != c->now_term[taker] &&
			!doubt(c, k, "pairs", "device %lld does not receive its term from device %lld", (long long)taker,
				(long long)giver))
			return false;
		for (int i = 0; i < c->rank; i++)
			if (c->after[taker * c->rank + i] != c->before[giver * c->rank + i])
				return check_fail(c, SW_P05, k, "pairs",
					"device %lld does not receive its tile from device "
					"%lld",
					(long long)taker, (long long)giver);
	}
	return true;
}

/* The next tile before the step that the tile at `need` reaches into, by its offsets; false after the last. */
static bool next_needed(const checker *c, const int64_t *need, int64_t *tile)
{
	for (int i = c->rank - 1; i >= 0; i--) {
		tile[i] += c->tile[i];
		if (tile[i] < need[i] + c->now[i])
			return true;
		tile[i] = need[i] / c->tile[i] * c->tile[i];
	}
	return false;
}

/* The senders of one term of all the tiles that `device` needs, from sender *at on. */
static bool check_senders_of_term(checker *c, int k, int64_t device, const int64_t *need, int32_t term, int32_t *at)
{
	const sw_step *step = &c->plan->program.step[k];
	int32_t n = *at, end = step->first_sender[device + 1];
	int64_t tile[SW_MAX_DIMS];
	for (int i = 0; i < c->rank; i++)
		tile[i] = need[i] / c->tile[i] * c->tile[i];
	do {
		if (n == end)
			return check_fail(c, SW_P05, k, "senders", "device %lld needs more tiles than it has senders",
				(long long)device);
		for (int i = 0; i < c->rank; i++)
			if (c->before[step->sender[n] * c->rank + i] != tile[i])
				return check_fail(c, SW_P05, k, "senders", "device %d does not hold what it must send to device %lld",
					step->sender[n], (long long)device);
		if (c->term[step->sender[n]] != term)
			return check_fail(c, SW_P05, k, "senders",
				"device %d does not hold the term that it must send to device "
				"%lld",
				step->sender[n], (long long)device);
		n++;
	} while (next_needed(c, need, tile));
	*at = n;
	return true;
}

/* Every sender of `device` holds the tile that it is asked for, term after term. */
static bool check_senders_of(checker *c, int k, int64_t device, const int64_t *need)
{
	const sw_step *step = &c->plan->program.step[k];
	int32_t n = step->first_sender[device], end = step->first_sender[device + 1];
	int64_t terms = sw_type_terms(c->sums);
	for (int64_t t = 0; t < terms; t++)
		if (c->kept[t] == c->now_term[device] && !check_senders_of_term(c, k, device, need, (int32_t)t, &n))
			return false;
	return n == end ||
		check_fail(c, SW_P05, k, "senders", "device %lld has more senders than it needs tiles", (long long)device);
}

static bool check_senders(checker *c, int k)
{
	if (!c->plan->program.step[k].sender)
		return true;
	sw_terms_join(&c->plan->problem.mesh, c->sums, c->now_sums, c->kept);
	for (int64_t d = 0; d < c->devices; d++)
		if (!check_senders_of(c, k, d, c->after + d * c->rank))
			return false;
	return true;
}

/* ---- steps, by digits ---- */

/* Are the groups that the text tells those that the types give? */
static bool check_text(checker *c, int k, const sw_groups *right, bool line)
{
	const char *text = c->plan->program.step[k].groups_text;
	sw_groups said;
	sw_digit x[SW_MAX_DIGITS], y[SW_MAX_DIGITS];
	if (!text)
		return true;
	if (!sw_groups_parse(sw_str_of(text), c->devices, &said))
		return check_fail(c, SW_P05, k, "groups", "the groups are in no known form");
	int count = sw_groups_members(&said, x), want = line ? sw_groups_members(right, y) : 0;
	if (!line || count < 0 || !sw_digits_equal(x, sw_digits_merge(x, count), y, sw_digits_merge(y, want)))
		return check_fail(c, SW_P05, k, "groups", "the groups do not hold the pieces of one block");
	return true;
}

static bool check_digits(checker *c, int k)
{
	const sw_step *step = &c->plan->program.step[k];
	if (!rule_of(step->op)->blocks)
		return true;
	sw_groups iota;
	bool legal;
	bool line = sw_groups_of_step(&c->plan->problem.mesh, type_after(c, k - 1), type_after(c, k), step, &iota,
		&legal);
	if (!legal)
		return check_fail(c, SW_P05, k, "type", "devices end with data that is not in their blocks");
	return rule_of(step->op)->phase == 0 || check_text(c, k, &iota, line);
}

/* ---- steps and sums ---- */

/* What the root of a group holds alone no type or map says. */
static bool check_rootless(checker *c, int k)
{
	return check_fail(c, SW_P05, k, "op", "it works on chunks of tiles, and the plan on whole tiles");
}

static const struct rule *rule_of(sw_op op)
{
	static const struct rule rules[SW_COLLECTIVES] = {
		[SW_DYNSLICE] = {.check = check_slice, .splits = ALWAYS, .blocks = true},
		[SW_ALLGATHER] = {.check = check_groups,
			.gathers = ALWAYS,
			.cost_after = 1,
			.phase = 2,
			.blocks = true,
			.pieces = SW_PIECES_JOIN},
		[SW_ALLTOALL] = {.check = check_groups,
			.gathers = ALWAYS,
			.splits = ALWAYS,
			.cost_before = 1,
			.phase = 1,
			.blocks = true},
		[SW_ALLPERMUTE] = {.check = check_permute, .cost_before = 1, .phase = 1, .permutes = true},
		[SW_EXCHANGE] = {.check = check_senders, .cost_after = 1, .phase = 1, .any = true},
		[SW_REDUCESCATTER] = {.check = check_groups,
			.gathers = MAY,
			.splits = ALWAYS,
			.cost_before = 1,
			.phase = 1,
			.blocks = true,
			.adds = true,
			.pieces = SW_PIECES_ADD_SHARE},
		[SW_ALLREDUCE] = {.check = check_groups,
			.cost_before = 2,
			.phase = 2,
			.blocks = true,
			.adds = true,
			.pieces = SW_PIECES_ADD},
		[SW_ZEROS] = {.check = check_fill, .blocks = true, .fills = true},
		[SW_PAD] = {.check = check_fill, .gathers = ALWAYS, .phase = 2, .blocks = true, .fills = true},
		[SW_REDUCE] =
			{.check = check_rootless, .cost_before = 1, .phase = 1, .adds = true, .pieces = SW_PIECES_ADD_FIRST},
		[SW_BROADCAST] = {.check = check_rootless, .cost_after = 1, .phase = 2, .pieces = SW_PIECES_COPY},
	};

	return &rules[op];
}

static bool check_rule(checker *c, int k)
{
	if (!c->after)
		return check_digits(c, k);
	return rule_of(c->plan->program.step[k].op)->check(c, k);
}

static int64_t check_size(const int64_t *tile, int rank)
{
	int64_t size = 1;
	for (int i = 0; i < rank; i++)
		size *= tile[i];
	return size;
}

/* What a step adds to the figures of the plan: its cost, what a device has after it, and before and after it, at most. */
static bool check_add_up(checker *c, int k, int64_t cost, int64_t now, int64_t live)
{
	const struct rule *rule = rule_of(c->plan->program.step[k].op);
	if (!sw_add(c->cost, cost, &c->cost))
		return check_fail(c, SW_P03, k, "cost", "its cost does not fit into 64 bits");
	c->model_cost += c->plan->program.step[k].model_cost;
	c->height = now > c->height ? now : c->height;
	c->peak = live > c->peak ? live : c->peak;
	c->permutes += rule->permutes;
	c->normal_form = c->normal_form && c->phase <= rule->phase;
	c->phase = rule->phase;
	return true;
}

static bool check_sums(checker *c, int k)
{
	const sw_step *step = &c->plan->program.step[k];
	const struct rule *rule = rule_of(step->op);
	int64_t old = check_size(c->tile, c->rank), new = check_size(c->now, c->rank);
	int64_t cost = rule->cost_before * old + rule->cost_after * new, live;
	int64_t before = sw_type_terms(c->sums), after = sw_type_terms(c->now_sums);
	if (rule->any && before > after)
		cost *= (before + after - 1) / after;
	if (!check_number(c, k, "localsize", c->plan->program.value[k + 1].localsize, new) ||
		!check_number(c, k, "cost", step->cost, cost))
		return false;
	if (!sw_add(old, new, &live))
		return check_fail(c, SW_P03, k, "cost", "its cost does not fit into 64 bits");
	return check_add_up(c, k, cost, new, live);
}

/* Devices have pieces of tiles, or pass on whole ones, which stay where they are. */
static bool check_pieces(checker *c, int k)
{
	const struct rule *rule = rule_of(c->plan->program.step[k].op);
	const char *field;
	sw_piece_check check = {.plan = c->plan,
		.k = k,
		.rule = rule->pieces,
		.cost_before = rule->cost_before,
		.cost_after = rule->cost_after,
		.arena = c->arena};
	sw_arena_mark mark = sw_arena_here(c->arena);
	if (!c->after)
		return check_fail(c, SW_S08, k, "groups", "too many devices for pieces");
	const char *why = sw_check_pieces(&check, &field);
	sw_arena_back(c->arena, mark);
	if (why)
		return field ? check_fail(c, check.code, k, field, "%s", why) : sw_diag_memory(c->diag);
	const sw_type *type = c->plan->program.value[k + 1].type;
	c->now_sums = type ? type : c->sums;
	memcpy(c->now, c->tile, sizeof c->now);
	memcpy(c->after, c->before, (size_t)(c->devices * c->rank) * sizeof *c->after);
	terms_of(c, c->now_sums, sw_plan_order(c->plan, k + 1), c->now_term);
	return check_number(c, k, "localsize", c->plan->program.value[k + 1].localsize, check.most) &&
		check_number(c, k, "cost", c->plan->program.step[k].cost, check.cost) &&
		check_add_up(c, k, check.cost, check.most, check.live);
}

/* A plan inside is a plan like others, whose place is in that of the step. */
static bool check_inside(checker *c, int k)
{
	const sw_plan *inside = c->plan->program.step[k].inside;
	char inner[SW_WHERE_SIZE];
	sw_problem of;
	if (!inside)
		return true;
	snprintf(c->where, SW_WHERE_SIZE, "steps[%d].inside", k);
	if (!sw_inside_problem(c->plan, k, &of))
		return check_fail(c, SW_P05, k, "inside", "what is inside is not between two types");
	if (!sw_inside_fits(&c->plan->program.step[k], k, &of, c->diag))
		return false;
	if (!sw_plan_check_at(inside, false, inner, c->diag)) {
		snprintf(c->where, SW_WHERE_SIZE, "steps[%d].inside%s%.60s", k, inner[0] ? "." : "", inner);
		return false;
	}
	return sw_inside_costs(c->plan, k, c->diag);
}

static bool check_step(checker *c, int k)
{
	if (!check_inside(c, k))
		return false;
	bool pieces = sw_step_on_pieces(c->plan, k) || c->plan->program.step[k].passing != SW_PASSES_AT_ONCE;
	if (pieces ?
			!check_pieces(c, k) :
			!check_tiles(c, k) || !check_map(c, k) || !check_terms(c, k) || !check_rule(c, k) || !check_sums(c, k))
		return false;
	int64_t *kept = c->before;
	int32_t *kept_term = c->term;
	c->before = c->after;
	c->after = kept;
	c->term = c->now_term;
	c->now_term = kept_term;
	c->sums = c->now_sums;
	memcpy(c->tile, c->now, sizeof c->tile);
	return true;
}

/* ---- the plan ---- */

/* Blames the end, in the words of who asks whether a plan reaches `to`. */
static bool check_refuse_end(checker *c, int k, const char *field)
{
	sw_diag end = {.code = SW_OK};
	check_fail(c, SW_P03, k, field, "the devices do not end with the tiles of 'to'");
	if (c->diag && !sw_plan_reaches(c->plan, &end) && end.code == SW_P07) {
		end.code = SW_P03;
		end.at = c->diag->at;
		*c->diag = end;
		sw_diag_hint(c->diag, "`open --prefix FILE` takes it as the beginning of a plan");
	}
	return false;
}

static bool check_ends(checker *c)
{
	const sw_plan *plan = c->plan;
	const sw_type *to = &plan->problem.to, *last = type_after(c, plan->program.steps - 1);
	bool same = true;
	for (int i = 0; i < c->rank; i++)
		same = same && c->tile[i] == to->tile[i];
	if (same && c->before) {
		map_of(c, to, sw_problem_to_order(&plan->problem), c->after);
		terms_of(c, to, sw_problem_to_order(&plan->problem), c->now_term);
		same = memcmp(c->after, c->before, (size_t)(c->devices * c->rank) * sizeof *c->after) == 0 &&
			sw_type_terms(c->sums) == sw_type_terms(to) &&
			memcmp(c->term, c->now_term, (size_t)c->devices * sizeof *c->term) == 0;
	} else if (same) {
		same = last && sw_type_same_map(&plan->problem.mesh, last, to);
	}
	return same ||
		check_refuse_end(c, plan->program.steps > 0 ? plan->program.steps - 1 : -1,
			plan->program.steps > 0 ? "type" : "to");
}

/* Budgets bind our searches only; a bound on what plans of a strategy cost binds the plan itself. */
static bool check_bounds(checker *c)
{
	const sw_plan *plan = c->plan;
	bool searched = sw_plan_is_ours(plan) && sw_strategy_is(plan->strategy, SW_PROVES);
	if (searched && c->height > plan->budget)
		return check_fail(c, SW_P03, -1, "budget", "the height %lld is above the budget %lld", (long long)c->height,
			(long long)plan->budget);
	if (c->prefix)
		return true;
	if (plan->has_bound && plan->lower_bound > c->cost)
		return check_fail(c, SW_P03, -1, "lower_bound", "the lower bound %lld is above the cost %lld",
			(long long)plan->lower_bound, (long long)c->cost);
	if (plan->has_bound && plan->optimal && plan->model == SW_MODEL_PAPER && plan->lower_bound != c->cost)
		return check_fail(c, SW_P03, -1, "optimal", "called optimal, but the lower bound %lld is below the cost %lld",
			(long long)plan->lower_bound, (long long)c->cost);
	if (plan->has_bound && plan->model_bound > plan->model_cost * (1 + 1e-6))
		return check_fail(c, SW_P03, -1, "model_bound", "the lower bound %g is above the cost %g", plan->model_bound,
			plan->model_cost);
	if (searched && sw_strategy_is(plan->strategy, SW_ONE_DIMENSION) && plan->local_cost > c->cost)
		return check_fail(c, SW_P03, -1, "weak_cost", "the cost %lld is below the optimum over local types %lld",
			(long long)c->cost, (long long)plan->local_cost);
	return true;
}

static bool check_figures(checker *c)
{
	const sw_plan *plan = c->plan;
	if (!check_number(c, -1, "cost", plan->cost, c->cost) ||
		!check_number(c, -1, "height", plan->height, c->height) ||
		!check_number(c, -1, "live_peak", plan->live_peak, c->peak) ||
		!check_number(c, -1, "permutes", plan->permutes, c->permutes) ||
		!check_number(c, -1, "normal_form", plan->normal_form, c->normal_form))
		return false;
	if (plan->model != SW_MODEL_PAPER && fabs(c->model_cost - plan->model_cost) > 1e-9 * fabs(c->model_cost))
		return check_fail(c, SW_P03, -1, "model_cost", "'model_cost' is not the sum of the steps");
	return check_bounds(c);
}

static bool check_start(checker *c)
{
	const sw_problem *problem = &c->plan->problem;
	if (!sw_type_redistributable(&problem->from, &problem->to, c->diag)) {
		snprintf(c->where, SW_WHERE_SIZE, "to");
		return false;
	}
	memcpy(c->tile, problem->from.tile, sizeof c->tile);
	memcpy(c->now, problem->from.tile, sizeof c->now);
	c->height = c->peak = check_size(c->tile, c->rank);
	c->normal_form = true;
	c->sums = c->now_sums = &problem->from;
	if (c->devices > SW_MAX_MAP_DEVICES)
		return true;
	c->before = SW_NEW(c->arena, int64_t, c->devices * c->rank);
	c->after = SW_NEW(c->arena, int64_t, c->devices * c->rank);
	c->count = SW_NEW(c->arena, int64_t, c->devices);
	c->member = SW_NEW(c->arena, int32_t, c->devices);
	c->term = SW_NEW(c->arena, int32_t, 4 * c->devices);
	if (!c->before || !c->after || !c->count || !c->member || !c->term)
		return sw_diag_memory(c->diag);
	c->now_term = c->term + c->devices;
	c->kept = c->now_term + c->devices;
	c->which = c->kept + c->devices;
	map_of(c, &problem->from, problem->mesh.order, c->before);
	terms_of(c, &problem->from, problem->mesh.order, c->term);
	return true;
}

/* Between types of any kind devices have what these say, as much as that is. */
static bool check_between(checker *c)
{
	const sw_plan *plan = c->plan;
	int steps = plan->program.steps, last = steps > 0 ? 0 : -1;
	sw_between_check check = {.plan = plan, .diag = c->diag};
	const char *field, *why = sw_check_between(&check, c->arena, &field);
	if (why && !field)
		return false;
	if (why)
		return check_fail(c, SW_P05, last, field, "%s", why);
	c->height = c->peak = check.most[0];
	if (check.live < 0)
		return check_fail(c, SW_P03, last, "cost", "its cost does not fit into 64 bits");
	return steps == 0 ||
		(check_number(c, 0, "localsize", plan->program.value[1].localsize, check.most[1]) &&
			check_number(c, 0, "cost", plan->program.step->cost, check.cost) &&
			check_add_up(c, 0, check.cost, check.most[1], check.live));
}

static bool check_steps(checker *c)
{
	bool right = true;
	if (sw_problem_has_words(&c->plan->problem))
		return check_between(c);
	for (int k = 0; right && k < c->plan->program.steps; k++)
		right = check_step(c, k);
	return right && (c->prefix || check_ends(c));
}

/* Executed, the plan has to do what it says. */
static bool check_moves(checker *c)
{
	sw_verify_options options = {.scale = true, .prefix = c->prefix, .data_only = true};
	sw_verdict verdict;
	if (sw_plan_verify(c->plan, &options, &verdict, NULL) && verdict.right)
		return true;
	if (c->diag)
		*c->diag = c->doubt;
	memcpy(c->where, c->doubt_where, sizeof c->doubt_where);
	return false;
}

bool sw_plan_check_at(const sw_plan *plan, bool prefix, char where[SW_WHERE_SIZE], sw_diag *diag)
{
	checker c = {
		.plan = plan,
		.diag = diag,
		.prefix = prefix,
		.where = where,
		.arena = sw_arena_new(),
		.rank = plan->problem.from.rank,
		.devices = plan->problem.mesh.devices,
		.global = plan->problem.from.global,
	};
	where[0] = '\0';
	if (!c.arena)
		return sw_diag_memory(diag);
	bool right = check_start(&c) && check_steps(&c) && check_figures(&c) && (!c.doubtful || check_moves(&c));
	sw_arena_free(c.arena);
	return right;
}

bool sw_plan_check(const sw_plan *plan, sw_diag *diag)
{
	char where[SW_WHERE_SIZE];
	return sw_plan_check_at(plan, false, where, diag);
}

bool sw_plan_check_prefix(const sw_plan *plan, sw_diag *diag)
{
	char where[SW_WHERE_SIZE];
	return sw_plan_check_at(plan, true, where, diag);
}

const int32_t *sw_step_groups(const sw_plan *plan, int k, sw_arena *arena)
{
	assert(k >= 0 && k < plan->program.steps);
	const sw_step *step = &plan->program.step[k];
	int64_t devices = plan->problem.mesh.devices;
	sw_groups lines;
	if (step->groups || !step->groups_text)
		return step->groups;
	if (!sw_groups_parse(sw_str_of(step->groups_text), devices, &lines) || lines.size != step->group_size)
		return NULL;
	int32_t *groups = SW_NEW(arena, int32_t, devices);
	if (groups)
		sw_digits_expand_narrow(lines.digit, lines.count, groups);
	return groups;
}
