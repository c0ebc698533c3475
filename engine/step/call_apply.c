/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Applying calls to types, premise by premise; a premise that fails names the number that broke it.
 *
 * Source: seed 000, figure 8, with several axes at once (section 7.1) and several dimensions at once.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "step/call.h"
#include "step/part_list.h"
#include "base/room.h"
#include "step/row.h"

static const sw_call_positions call_nowhere;

/* A call at work: the type loses what is gathered, then gains what is split. */
typedef struct sw_call_work {
	const sw_mesh *mesh;
	const sw_type *before;
	const sw_call *call;
	const sw_call_positions *at;
	sw_diag *diag;
	sw_type type;
	sw_part_list popped; /* gather entry after entry, each minor to major; then what was summed */
} call_work;

static const char *call_axes_word(int count)
{
	return count == 1 ? "axis" : "axes";
}

/* "x, y:(2)2"; cut short where it is long. */
static void call_list_parts(const sw_mesh *mesh, const sw_part_list *parts, sw_text *text)
{
	int shown = parts->count <= 8 ? parts->count : 8;
	for (int p = 0; p < shown; p++) {
		sw_text_add(text, p ? ", " : "");
		sw_part_print(mesh, parts->at[p], text);
	}
	if (shown < parts->count)
		sw_text_addf(text, " and %d more", parts->count - shown);
}

static void call_hint_free(const sw_mesh *mesh, const sw_part_list *free, sw_diag *diag)
{
	sw_text list = {0};
	call_list_parts(mesh, free, &list);
	if (free->count)
		sw_diag_hint(diag, "unused: %s", sw_text_get(&list));
	else
		sw_diag_hint(diag, "every axis is in use: gather or move one away first");
	sw_text_free(&list);
}

/* ---- dimensions ---- */

bool sw_call_has_dim(const sw_type *before, int64_t dim, sw_span at, sw_diag *diag)
{
	if (dim >= 0 && dim < before->rank)
		return true;
	sw_diag_set(diag, SW_C03, at, "the type has no dimension %" PRId64, dim);
	sw_diag_found(diag, "%" PRId64, dim);
	if (before->rank == 0) {
		sw_diag_expected(diag, "a type with dimensions");
		sw_diag_hint(diag, "a scalar cannot be partitioned");
	} else {
		sw_diag_expected(diag, "0 to %d", before->rank - 1);
		sw_diag_hint(diag, "dimensions are counted from 0: the last one is %d", before->rank - 1);
	}
	return false;
}

static bool call_refuse_twice(int dim, sw_span first, sw_span at, const char *how, sw_diag *diag)
{
	sw_diag_set(diag, SW_C08, at, "dimension %d %s", dim, how);
	sw_diag_also(diag, first, "first used here");
	sw_diag_expected(diag, "every dimension at most once in one step");
	sw_diag_found(diag, "dimension %d twice", dim);
	sw_diag_hint(diag, "choose another dimension, or write two steps");
	return false;
}

static bool call_check_dims(const call_work *work)
{
	const sw_call *call = work->call;
	for (int g = 0; g < call->gathers; g++)
		if (!sw_call_has_dim(work->before, call->gather[g].dim, work->at->gather_dim[g], work->diag))
			return false;
	for (int s = 0; s < call->splits; s++)
		if (!sw_call_has_dim(work->before, call->split[s].dim, work->at->split_dim[s], work->diag))
			return false;
	return true;
}

static bool call_check_once(const call_work *work)
{
	const sw_call *call = work->call;
	const sw_call_positions *at = work->at;
	for (int g = 1; g < call->gathers; g++)
		if (call->gather[g].dim == call->gather[g - 1].dim)
			return call_refuse_twice(call->gather[g].dim, at->gather_dim[g - 1], at->gather_dim[g],
				"is gathered twice", work->diag);
	for (int s = 1; s < call->splits; s++)
		if (call->split[s].dim == call->split[s - 1].dim)
			return call_refuse_twice(call->split[s].dim, at->split_dim[s - 1], at->split_dim[s], "is split twice",
				work->diag);
	for (int s = 0; s < call->splits; s++)
		for (int g = 0; g < call->gathers; g++)
			if (call->split[s].dim == call->gather[g].dim)
				return call_refuse_twice(call->split[s].dim, at->gather_dim[g], at->split_dim[s],
					"is both gathered and split", work->diag);
	return true;
}

/* ---- what the row says about entries ---- */

static bool call_refuse_shape(const call_work *work, const char *what)
{
	const sw_collective *row = sw_collective_of(work->call->op);
	sw_diag_set(work->diag, SW_C02, work->at->op, "'%s' %s", row->name, what);
	sw_diag_expected(work->diag, "%s", row->usage);
	return false;
}

static bool call_refuse_factor(const call_work *work, int64_t factor, sw_span at)
{
	sw_diag_set(work->diag, SW_C02, at, "a factor of %" PRId64 " moves nothing", factor);
	sw_diag_expected(work->diag, "a factor of at least 2");
	sw_diag_found(work->diag, "%" PRId64, factor);
	sw_diag_hint(work->diag, "leave the step out");
	return false;
}

static bool call_ascends(const sw_entry *entry, int count)
{
	for (int e = 1; e < count; e++)
		if (entry[e].dim < entry[e - 1].dim)
			return false;
	return true;
}

static bool call_check_factors(const call_work *work)
{
	const sw_call *call = work->call;
	for (int g = 0; g < call->gathers; g++)
		if (call->gather[g].factor < 2)
			return call_refuse_factor(work, call->gather[g].factor, work->at->gather_factor[g]);
	for (int s = 0; s < call->splits; s++)
		if (call->split[s].factor < 2)
			return call_refuse_factor(work, call->split[s].factor, work->at->split_factor[s]);
	return true;
}

static bool call_check_shape(const call_work *work)
{
	const sw_call *call = work->call;
	const sw_collective *row = sw_collective_of(call->op);
	if (call->gathers < 0 || call->gathers > SW_MAX_DIMS || call->splits < 0 || call->splits > SW_MAX_DIMS)
		return call_refuse_shape(work, "has too many dimensions");
	if (row->gathers != (call->gathers > 0) && !row->may_gather)
		return call_refuse_shape(work, row->gathers ? "gathers nothing" : "gathers no dimension");
	if (row->splits != (call->splits > 0))
		return call_refuse_shape(work, row->splits ? "splits nothing" : "splits no dimension");
	if ((row->told == SW_TOLD_BY_PARTS) != (call->sums > 0) || call->sums > SW_MAX_PARTS)
		return call_refuse_shape(work, call->sums ? "names no sums" : "does not name its sums");
	if (!call_ascends(call->gather, call->gathers) || !call_ascends(call->split, call->splits))
		return call_refuse_shape(work, "has dimensions out of order");
	return call_check_factors(work);
}

/* Product of factors; false where it does not fit. */
static bool call_product(const sw_entry *entry, int count, int64_t *product)
{
	*product = 1;
	for (int e = 0; e < count; e++)
		if (!sw_mul(*product, entry[e].factor, product))
			return false;
	return true;
}

static bool call_check_equal(const call_work *work)
{
	const sw_call *call = work->call;
	int64_t gathered, split;
	bool fits = call_product(call->gather, call->gathers, &gathered);
	fits = call_product(call->split, call->splits, &split) && fits;
	if (!sw_swaps(call->op) || (fits && gathered == split))
		return true;
	sw_diag_set(work->diag, SW_C09, work->at->split_factor[0], "'alltoall' gathers and splits by different factors");
	sw_diag_also(work->diag, work->at->gather_factor[0], "gathered here");
	sw_diag_expected(work->diag, "equal products");
	if (fits)
		sw_diag_found(work->diag, "gathered by %" PRId64 ", split by %" PRId64, gathered, split);
	if (fits && gathered > split && gathered % split == 0)
		sw_diag_hint(work->diag, "split by %" PRId64 " more, or gather that much less", gathered / split);
	else if (fits && split % gathered == 0)
		sw_diag_hint(work->diag, "gather by %" PRId64 " more, or split that much less", split / gathered);
	else
		sw_diag_hint(work->diag, "a group has as many pieces to hand out as it brings together");
	return false;
}

/* ---- gathering ---- */

/* The dimensions that are partitioned: "0, 2". */
static int call_list_partitioned(const sw_type *type, sw_text *text)
{
	int count = 0;
	for (int d = 0; d < type->rank; d++) {
		bool parted = type->tile[d] < type->global[d];
		if (parted)
			sw_text_addf(text, "%s%d", count ? ", " : "", d);
		count += parted;
	}
	return count;
}

bool sw_call_refuse_whole(const sw_type *before, int dim, sw_span at, sw_diag *diag)
{
	assert(dim >= 0 && dim < before->rank);
	sw_text list = {0};
	int count = call_list_partitioned(before, &list);
	sw_diag_set(diag, SW_C06, at, "dimension %d is not partitioned", dim);
	sw_diag_expected(diag, "a dimension whose tile is smaller than the whole");
	sw_diag_found(diag, "%" PRId64 " of %" PRId64, before->tile[dim], before->global[dim]);
	if (count)
		sw_diag_hint(diag, "partitioned %s: %s", count == 1 ? "is dimension" : "are dimensions", sw_text_get(&list));
	else
		sw_diag_hint(diag, "no dimension is partitioned: every device holds the whole array");
	sw_text_free(&list);
	return false;
}

/* The factors above 1 that the innermost parts make: "2, 4, 12". */
static void call_list_factors(const sw_part_list *stack, sw_text *text)
{
	int64_t below = 1;
	int shown = 0;
	for (int p = 0; p < stack->count; below *= stack->at[p++].size)
		for (int64_t f = 2; f <= stack->at[p].size && f <= 4096 && shown < 12; f++)
			if (stack->at[p].size % f == 0)
				sw_text_addf(text, "%s%" PRId64, shown++ ? ", " : "", below * f);
	if (shown == 12)
		sw_text_add(text, ", ...");
}

static bool call_refuse_pop(const call_work *work, sw_entry entry, const sw_part_list *stack, sw_span at)
{
	sw_text list = {0}, parts = {0};
	call_list_factors(stack, &list);
	call_list_parts(work->mesh, stack, &parts);
	sw_diag_set(work->diag, SW_C07, at, "factor %" PRId64 " is not made of the innermost %s of dimension %d",
		entry.factor, call_axes_word(stack->count), entry.dim);
	sw_diag_expected(work->diag, "one of %s", sw_text_get(&list));
	sw_diag_found(work->diag, "%" PRId64 " from {%s}", entry.factor, sw_text_get(&parts));
	if (sw_part_list_product(stack) % entry.factor == 0)
		sw_diag_hint(work->diag, "an allpermute can bring the axes into another order first");
	else
		sw_diag_hint(work->diag, "the dimension is partitioned by %" PRId64 " in all", sw_part_list_product(stack));
	sw_text_free(&list);
	sw_text_free(&parts);
	return false;
}

static bool call_gather(call_work *work)
{
	const sw_call *call = work->call;
	for (int g = 0; g < call->gathers; g++) {
		sw_part_list stack;
		sw_entry entry = call->gather[g];
		sw_part_list_of(&work->type, entry.dim, &stack);
		if (sw_part_list_product(&stack) == 1)
			return sw_call_refuse_whole(work->before, entry.dim, work->at->gather_dim[g], work->diag);
		if (!sw_part_list_pop(&stack, entry.factor, &work->popped))
			return call_refuse_pop(work, entry, &stack, work->at->gather_factor[g]);
		sw_part_list_put(&work->type, entry.dim, &stack);
	}
	return true;
}

/* ---- splitting ---- */

/* Where a sum may go instead: dimensions that it divides, and an allreduce. */
static bool call_refuse_scatter(const call_work *work, int k)
{
	sw_entry entry = work->call->split[k];
	sw_text sums = {0}, ways = {0};
	sw_part_list summed = {.count = work->call->sums};
	memcpy(summed.at, work->call->sum, sizeof(*summed.at) * (size_t)summed.count);
	call_list_parts(work->mesh, &summed, &sums);
	for (int d = 0; d < work->type.rank; d++)
		if (d != entry.dim && work->type.tile[d] % sw_part_list_product(&summed) == 0)
			sw_text_addf(&ways, "reducescatter(%d, {%s}), ", d, sw_text_get(&sums));
	sw_diag_set(work->diag, SW_C14, work->at->split_factor[k],
		"local size %" PRId64 " of dimension %d is not divisible by %" PRId64, work->type.tile[entry.dim], entry.dim,
		entry.factor);
	sw_diag_also(work->diag, work->at->split_dim[k], "its local size is %" PRId64, work->type.tile[entry.dim]);
	sw_diag_expected(work->diag, "a divisor of %" PRId64, work->type.tile[entry.dim]);
	sw_diag_found(work->diag, "%" PRId64, entry.factor);
	sw_diag_hint(work->diag, "what remains: %sallreduce {%s}", sw_text_get(&ways), sw_text_get(&sums));
	sw_text_free(&sums);
	sw_text_free(&ways);
	return false;
}

static bool call_refuse_tile(const call_work *work, int k, const sw_part_list *free)
{
	sw_entry entry = work->call->split[k];
	int64_t tile = work->type.tile[entry.dim];
	bool axis = sw_row(work->call->op)->among == SW_AMONG_NONE && work->call->count[k] == 1;
	sw_text name = {0}, list = {0};
	int pushed = 0;
	for (int s = 0; s < k; s++)
		pushed += work->call->count[s];
	if (axis)
		sw_part_print(work->mesh, work->call->pushed[pushed], &name);
	sw_diag_set(work->diag, SW_C05, work->at->split_factor[k],
		"local size %" PRId64 " of dimension %d is not divisible by %s%s%s%" PRId64, tile, entry.dim,
		axis ? "axis " : "factor ", sw_text_get(&name), axis ? " of size " : "", entry.factor);
	sw_diag_also(work->diag, work->at->split_dim[k], "its local size is %" PRId64, tile);
	sw_diag_expected(work->diag, "a divisor of %" PRId64, tile);
	sw_diag_found(work->diag, "%" PRId64, entry.factor);
	int64_t common = sw_gcd(tile, entry.factor);
	sw_part_list fitting = {0};
	for (int p = 0; p < free->count; p++)
		if (tile % free->at[p].size == 0) {
			SW_ROOM(fitting.at, fitting.count);
			fitting.at[fitting.count++] = free->at[p];
		}
	call_list_parts(work->mesh, &fitting, &list);
	if (axis && fitting.count)
		sw_diag_hint(work->diag, "unused axes that fit: %s", sw_text_get(&list));
	else if (common > 1)
		sw_diag_hint(work->diag, "a factor of %" PRId64 " would do", common);
	else if (tile == 1)
		sw_diag_hint(work->diag, "the dimension cannot be split further");
	else
		sw_diag_hint(work->diag, "%" PRId64 " and %" PRId64 " have no common factor: split another dimension", tile,
			entry.factor);
	sw_text_free(&name);
	sw_text_free(&list);
	return false;
}

/* The dimension that uses what `part` clashes with, the rank for the sums, or -1. */
static int call_user_of(const sw_type *type, sw_part part)
{
	sw_part parts[SW_MAX_PARTS];
	for (int d = 0; d <= type->rank; d++)
		if (sw_parts_clash(parts, sw_type_parts(type, d, parts), part) >= 0)
			return d;
	return -1;
}

static bool call_refuse_used(const call_work *work, sw_part part, sw_span at, const sw_part_list *free)
{
	sw_text name = {0};
	sw_part_print(work->mesh, part, &name);
	int dim = call_user_of(&work->type, part);
	if (dim == work->type.rank)
		sw_diag_set(work->diag, SW_C04, at, "axis '%s' is used by the sum", sw_text_get(&name));
	else if (dim >= 0)
		sw_diag_set(work->diag, SW_C04, at, "axis '%s' already partitions dimension %d", sw_text_get(&name), dim);
	else
		sw_diag_set(work->diag, SW_C04, at, "axis '%s' is pushed twice", sw_text_get(&name));
	sw_diag_expected(work->diag, "an unused axis, or an unused part of one");
	sw_diag_found(work->diag, "%s", sw_text_get(&name));
	call_hint_free(work->mesh, free, work->diag);
	sw_text_free(&name);
	return false;
}

/* Takes the parts that the call names for entry k out of the unused ones. */
static bool call_named_pushes(call_work *work, int k, int begin, sw_part_list *free, sw_part_list *pushed)
{
	const sw_call *call = work->call;
	int64_t product = 1;
	for (int p = begin; p < begin + call->count[k]; p++) {
		sw_part part = call->pushed[p];
		if (part.axis < 0 || part.axis >= work->mesh->count)
			return call_refuse_shape(work, "pushes an axis that the mesh does not have");
		if (!sw_part_check(work->mesh, part, work->at->pushed[p], work->diag))
			return false;
		if (!sw_part_list_remove(free, part))
			return call_refuse_used(work, part, work->at->pushed[p], free);
		sw_part_list_append(pushed, part);
		product *= part.size;
	}
	if (product != call->split[k].factor)
		return call_refuse_shape(work, "pushes parts that do not make the factor");
	return true;
}

static bool call_refuse_no_unused(const call_work *work, int k, const sw_part_list *free)
{
	int64_t factor = work->call->split[k].factor;
	sw_diag_set(work->diag, SW_C11, work->at->split_factor[k], "the unused axes do not have a factor %" PRId64,
		factor);
	sw_diag_expected(work->diag, "a divisor of %" PRId64, sw_part_list_product(free));
	sw_diag_found(work->diag, "%" PRId64, factor);
	call_hint_free(work->mesh, free, work->diag);
	return false;
}

/* The parts that a call without names takes: what was popped, or the first unused ones. */
static bool call_own_pushes(call_work *work, int k, sw_part_list *free, sw_part_list *pushed)
{
	bool slicing = sw_row(work->call->op)->among == SW_AMONG_NONE;
	if (sw_part_list_take(slicing ? free : &work->popped, work->call->split[k].factor, slicing, pushed))
		return true;
	return call_refuse_no_unused(work, k, free);
}

static bool call_names_parts(const sw_call *call)
{
	for (int k = 0; k < call->splits; k++)
		if (call->count[k])
			return true;
	return false;
}

static bool call_split(call_work *work)
{
	const sw_call *call = work->call;
	bool named = call_names_parts(call);
	sw_part_list free;
	sw_part_list_free_of(work->mesh, &work->type, &free);
	for (int k = 0, begin = 0; k < call->splits; begin += call->count[k++]) {
		sw_part_list pushed = {0}, stack;
		sw_entry entry = call->split[k];
		bool fits = work->type.tile[entry.dim] % entry.factor == 0;
		if (!fits)
			return sw_row(call->op)->terms == SW_TERMS_ADDED ? call_refuse_scatter(work, k) :
															   call_refuse_tile(work, k, &free);
		if (!(named ? call_named_pushes(work, k, begin, &free, &pushed) : call_own_pushes(work, k, &free, &pushed)))
			return false;
		sw_part_list_of(&work->type, entry.dim, &stack);
		sw_part_list_push(&stack, pushed.at, pushed.count);
		sw_part_list_put(&work->type, entry.dim, &stack);
	}
	return true;
}

bool sw_apply_entries(call_work *work)
{
	return call_check_shape(work) && call_check_dims(work) && call_check_once(work) && call_check_equal(work) &&
		call_gather(work) && call_split(work);
}

/* ---- sums ---- */

static bool call_refuse_sum(const call_work *work, sw_part part, sw_span at)
{
	sw_text name = {0}, list = {0};
	sw_part_list sums;
	sw_part_list_of(work->before, work->before->rank, &sums);
	sw_part_print(work->mesh, part, &name);
	call_list_parts(work->mesh, &sums, &list);
	sw_diag_set(work->diag, SW_C12, at, "'%s' is not among the sums", sw_text_get(&name));
	if (sums.count)
		sw_diag_expected(work->diag, "axes of the sum: %s", sw_text_get(&list));
	else
		sw_diag_expected(work->diag, "a type with sums, such as [12]+{%s}", sw_text_get(&name));
	sw_diag_found(work->diag, "%s", sw_text_get(&name));
	sw_diag_hint(work->diag, sums.count ? "the sums are: %s" : "the values are complete: there are no sums",
		sw_text_get(&list));
	sw_text_free(&name);
	sw_text_free(&list);
	return false;
}

/* Moves the parts that the call names from `from`, the sums or the unused parts. */
static bool call_take_named(const call_work *work, sw_part_list *from, sw_part_list *taken)
{
	bool adds = sw_row(work->call->op)->terms == SW_TERMS_ADDED;
	for (int p = 0; p < work->call->sums; p++) {
		sw_part part = work->call->sum[p];
		if (part.axis < 0 || part.axis >= work->mesh->count)
			return call_refuse_shape(work, "names an axis that the mesh does not have");
		if (!sw_part_check(work->mesh, part, work->at->sum[p], work->diag))
			return false;
		if (!sw_part_list_remove(from, part))
			return adds ? call_refuse_sum(work, part, work->at->sum[p]) :
						  call_refuse_used(work, part, work->at->sum[p], from);
		sw_part_list_append(taken, part);
	}
	return true;
}

/* What is pushed is what the groups hold: terms times pieces. */
static bool call_check_scattered(const call_work *work, const sw_part_list *summed)
{
	const sw_call *call = work->call;
	int64_t held = sw_part_list_product(summed) * sw_part_list_product(&work->popped), pushed;
	if (!call->splits || (call_product(call->split, call->splits, &pushed) && pushed == held))
		return true;
	sw_diag_set(work->diag, SW_C13, work->at->split_factor[0],
		"'reducescatter' pushes a product different from what it sums and pops");
	sw_diag_expected(work->diag, "%" PRId64 ": %" PRId64 " terms, popped by %" PRId64, held,
		sw_part_list_product(summed), sw_part_list_product(&work->popped));
	sw_diag_found(work->diag, "%" PRId64, pushed);
	sw_diag_hint(work->diag, "a group has as many pieces to hand out as it brings together: push %" PRId64 " in all",
		held);
	return false;
}

bool sw_apply_sums(call_work *work)
{
	sw_part_list sums, summed = {0};
	if (!call_check_shape(work) || !call_check_dims(work) || !call_check_once(work))
		return false;
	sw_part_list_of(&work->type, work->type.rank, &sums);
	if (!call_take_named(work, &sums, &summed))
		return false;
	sw_part_list_put_sums(&work->type, &sums);
	if (!call_gather(work) || !call_check_scattered(work, &summed))
		return false;
	for (int p = 0; p < summed.count; p++)
		sw_part_list_append(&work->popped, summed.at[p]);
	return call_split(work);
}

static bool call_join_sums(call_work *work, const sw_part_list *joining)
{
	sw_part_list sums;
	sw_part_list_of(&work->type, work->type.rank, &sums);
	for (int p = 0; p < joining->count; p++) {
		SW_ROOM(sums.at, sums.count);
		sums.at[sums.count++] = joining->at[p];
	}
	sw_part_list_put_sums(&work->type, &sums);
	return true;
}

bool sw_apply_zeros(call_work *work)
{
	sw_part_list free, joining = {0};
	sw_part_list_free_of(work->mesh, &work->type, &free);
	return call_check_shape(work) && call_take_named(work, &free, &joining) && call_join_sums(work, &joining);
}

bool sw_apply_pad(call_work *work)
{
	return call_check_shape(work) && call_check_dims(work) && call_check_once(work) && call_gather(work) &&
		call_join_sums(work, &work->popped);
}

bool sw_apply_no_type(call_work *work)
{
	const char *name = sw_row(work->call->op)->name;

	sw_diag_set(work->diag, SW_C02, work->at->op, "no type describes what devices hold after a %s", name);
	sw_diag_hint(work->diag, "on a placed mesh it works on chunks: apply %s inside LEVEL", name);
	return false;
}

/* ---- operations with a type to reach ---- */

/* A permute carries whole terms: as many as there are. */
static bool call_check_terms(const call_work *work)
{
	int64_t have = sw_type_terms(work->before), want = sw_type_terms(&work->call->target);
	if (have == want)
		return true;
	sw_diag_set(work->diag, SW_C13, work->at->target, "'allpermute' keeps the number of terms");
	sw_diag_expected(work->diag, "sums whose product is %" PRId64, have);
	sw_diag_found(work->diag, "%" PRId64, want);
	sw_diag_hint(work->diag, "%s",
		want < have ? "sum first: allreduce or reducescatter" : "make terms first: zeros or pad");
	return false;
}

static bool call_check_tiles(const call_work *work)
{
	const sw_type *before = work->before, *target = &work->call->target;
	sw_text have = {0}, want = {0};
	int d = 0;
	while (d < before->rank && before->tile[d] == target->tile[d])
		d++;
	if (d == before->rank)
		return true;
	sw_type_print_tile(before->tile, before->rank, &have);
	sw_type_print_tile(target->tile, target->rank, &want);
	sw_diag_set(work->diag, SW_C10, work->at->target,
		"'allpermute' keeps the local type, but dimension %d would go from %" PRId64 " to %" PRId64, d,
		before->tile[d], target->tile[d]);
	sw_diag_expected(work->diag, "the local type %s", sw_text_get(&have));
	sw_diag_found(work->diag, "%s", sw_text_get(&want));
	sw_diag_hint(work->diag, "%s",
		target->tile[d] > before->tile[d] ? "gather or move axes out of the dimension first" :
											"slice or move axes into the dimension first");
	sw_text_free(&have);
	sw_text_free(&want);
	return false;
}

/* An element type that the target alone says is that of the array. */
bool sw_apply_target(call_work *work)
{
	const sw_call *call = work->call;
	sw_type before = *work->before;
	if (!call->has_target)
		return call_refuse_shape(work, "needs the target type");
	if (call->target.dtype_given && !before.dtype_given)
		before.dtype = call->target.dtype;
	if (!sw_type_redistributable(&before, &call->target, work->diag)) {
		if (work->diag)
			work->diag->at = work->at->target;
		return false;
	}
	if (sw_row(call->op)->among == SW_AMONG_PAIRS && (!call_check_tiles(work) || !call_check_terms(work)))
		return false;
	work->type = call->target;
	work->type.dtype_given = before.dtype_given || call->target.dtype_given;
	return true;
}

bool sw_call_check(const sw_mesh *mesh, const sw_type *before, const sw_call *call,
	const sw_call_positions *positions, sw_type *after, sw_diag *diag)
{
	const sw_collective *row = sw_collective_of(call->op);
	if (!row)
		return sw_diag_set(diag, SW_C01, (sw_span){0, 0}, "no such operation");
	call_work work = {.mesh = mesh, .before = before, .call = call, .at = positions, .diag = diag, .type = *before};
	bool done = row->apply(&work) && sw_type_check_sums(&work.type, diag);
	if (done)
		*after = work.type;
	return done;
}

bool sw_call_apply(const sw_mesh *mesh, const sw_type *before, const sw_call *call, sw_type *after, sw_diag *diag)
{
	return sw_call_check(mesh, before, call, &call_nowhere, after, diag);
}

/* ---- parts that are named ---- */

void sw_call_name_pushes(sw_call *call, const sw_type *after)
{
	int count = 0;
	for (int s = 0; s < call->splits; s++) {
		sw_part_list stack, pushed = {0};
		sw_part_list_of(after, call->split[s].dim, &stack);
		if (!sw_part_list_pop(&stack, call->split[s].factor, &pushed))
			return;
		call->count[s] = pushed.count;
		memcpy(call->pushed + count, pushed.at, (size_t)pushed.count * sizeof *pushed.at);
		count += pushed.count;
	}
}

void sw_call_sum_pushes(sw_call *call)
{
	assert(call->splits == 1);
	call->sums = call->count[0];
	memcpy(call->sum, call->pushed, (size_t)call->sums * sizeof *call->sum);
	call->count[0] = 0;
}
