/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What messages of DTensor and JAX mean, what to write in the program, and what to type here.
 */
#define _GNU_SOURCE
#include "foreign/log/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

static bool keep(sw_arena *arena, sw_text *text, const char **out)
{
	if (text->length)
		*out = text->failed ? NULL : sw_arena_copy(arena, sw_text_get(text), text->length);
	bool ok = !text->length || *out;
	sw_text_free(text);
	return ok;
}

/* ---- DTensor ---- */

static int names_of(sw_str axes)
{
	int quotes = 0;
	for (size_t i = 0; i < axes.length; i++)
		quotes += axes.at[i] == '"';
	return quotes / 2;
}

/* The names in `"dp", "tp"`, with `between` or before the last one `last` between them, in quotes where `quoted`. */
static void add_names(sw_str axes, const char *between, const char *last, bool quoted, sw_text *text)
{
	int inside = 0, count = 0, all = names_of(axes);
	for (size_t i = 0; i < axes.length; i++) {
		bool quote = axes.at[i] == '"';
		inside ^= quote;
		if (quote && inside && count++)
			sw_text_add(text, count == all ? last : between);
		if (quote ? quoted : inside)
			sw_text_add_char(text, axes.at[i]);
	}
}

static void mean_sequential(const sw_log_found *found, sw_text *text)
{
	static const char *const reasons[] = {
		[SW_LOG_UNSAID] = "",
		[SW_LOG_FLATTEN] = "; one over all of these axes does the same, but needs a mesh that has them as one "
						   "axis",
		[SW_LOG_DESCENDS] =
			"; they cannot be merged, because the axes of the dimension do not ascend in the order of the mesh",
		[SW_LOG_UNEVEN] =
			"; they cannot be merged, because the size of the dimension is not a multiple of the product of "
			"these axes",
	};
	sw_text_addf(text, "DTensor runs %" PRId64 " %.*s one after the other", found->sequential, (int)found->op.length,
		found->op.at);
	if (found->axes.length) {
		sw_text_add(text, ", over ");
		add_names(found->axes, ", ", " and ", false, text);
	}
	sw_text_add(text, reasons[found->merge]);
}

/* One more axis of the mesh, made once; meshes without names cannot have it. */
static void write_flattened(const sw_log_found *found, sw_text *text)
{
	if (found->merge != SW_LOG_FLATTEN)
		return;
	sw_text_add(text, "mesh[");
	add_names(found->axes.length ? found->axes : sw_str_of("\"m0\", \"m1\""), ", ", ", ", true, text);
	sw_text_add(text, "]._flatten(\"");
	add_names(found->axes.length ? found->axes : sw_str_of("\"m0\", \"m1\""), "_", "_", false, text);
	sw_text_add(text,
		found->axes.length ? "\")" : "\")  # of init_device_mesh(..., mesh_dim_names=(\"m0\", \"m1\"))");
}

/* The mesh that is missing, with a place for each size. */
static void type_mesh(const sw_log_found *found, const sw_diag *why, const sw_log_pair *pair, sw_text *text)
{
	bool named = pair->ends[0] == NULL && names_of(found->axes) == found->sequential;
	if (why->code != SW_N03)
		return;
	sw_text_add(text, "mesh {");
	if (named)
		add_names(found->axes, ": 2, ", ": 2, ", false, text);
	else
		sw_text_add(text, "x: 2, y");
	sw_text_add(text, ": 4}");
}

/* What is missing is asked for: the sizes of the mesh. */
static void ask(const sw_log_found *found, const sw_log_pair *pair, sw_diag *why)
{
	if (why->code != SW_N03)
		return;
	sw_diag_hint(why, "type `%s` with your axes and sizes, `shape f32[...]`, and import the message again",
		pair->type);
	if (found->axes.length)
		sw_diag_found(why, "axes %.*s, without their sizes", (int)found->axes.length, found->axes.at);
}

/* ---- JAX ---- */

static void mean_indivisible(const sw_log_found *found, int64_t padded, sw_text *text)
{
	sw_text_addf(text,
		"JAX refuses it: dimension %" PRId64 " of %" PRId64 " has to be cut in %" PRId64 " equal parts", found->dim,
		found->size, found->parts);
	if (padded > 0)
		sw_text_addf(text, "; the next possible size is %" PRId64, padded);
}

static void write_padded(const sw_log_found *found, const sw_log_pair *pair, int64_t padded, sw_text *text)
{
	if (!pair->rank || found->dim >= pair->rank || padded < 0)
		return;
	sw_text_add(text, "jnp.pad(x, (");
	for (int d = 0; d < pair->rank; d++)
		sw_text_addf(text, "%s(0, %" PRId64 ")", d ? ", " : "", d == found->dim ? padded - found->size : 0);
	sw_text_addf(text, pair->rank == 1 ? ",))" : "))");
}

bool sw_log_mean(const sw_log_found *found, sw_arena *arena, sw_log_resolved *resolved, sw_log_pair *pair)
{
	sw_text means = {0}, write = {0}, type = {0};
	int64_t padded = -1;
	if (found->kind == SW_LOG_SEQUENTIAL) {
		mean_sequential(found, &means);
		write_flattened(found, &write);
		type_mesh(found, &resolved->why, pair, &type);
	} else if (found->kind == SW_LOG_INDIVISIBLE && found->parts > 0) {
		if (!sw_mul((found->size - 1) / found->parts + 1, found->parts, &padded))
			padded = -1;
		mean_indivisible(found, padded, &means);
		write_padded(found, pair, padded, &write);
		sw_text_addf(&type, "explain %" PRId64 " over %" PRId64, found->size, found->parts);
	}
	bool kept = keep(arena, &means, &pair->means);
	kept = keep(arena, &write, &pair->write) && kept;
	kept = keep(arena, &type, &pair->type) && kept;
	if (kept && found->kind == SW_LOG_SEQUENTIAL && !resolved->is_problem)
		ask(found, pair, &resolved->why);
	return kept;
}
