/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DTensor's ShardOrder beside its placements: which dimensions of the mesh cut a dimension, in the order they cut.
 */
#include <shardwalk/notation.h>

#include <assert.h>
#include <inttypes.h>

static const sw_span nowhere = {0, 0};

static bool order_refuse_notation(const sw_sharding *s, sw_diag *diag)
{
	sw_diag_set(diag, SW_N01, nowhere, "an order of the dimensions of the mesh belongs to DTensor's placements");
	sw_diag_expected(diag, "placements, such as (Shard(0), Shard(0))");
	sw_diag_found(diag, "%s", sw_sharding_called(s));
	sw_diag_hint(diag, "if axes have names, write them in order: P(('y', 'x')), [2{x,y}8]");
	return false;
}

static int order_cutters(const sw_sharding *s, int d)
{
	return s->first[d + 1] - s->first[d];
}

/* Where the axis stands among those that cut dimension d; -1: it does not cut it. */
static int order_find(const sw_sharding *s, int d, int64_t axis)
{
	for (int i = s->first[d]; i < s->first[d + 1]; i++)
		if (s->parts[i].axis == axis)
			return i;
	return -1;
}

/* The cutters of dimension d as numbers of the mesh. */
static void order_expect(const sw_sharding *s, int d, sw_diag *diag)
{
	sw_text all = {0};
	if (!order_cutters(s, d)) {
		sw_diag_expected(diag, "no order: nothing cuts dimension %d", d);
		return;
	}
	for (int i = s->first[d]; i < s->first[d + 1]; i++)
		sw_text_addf(&all, "%s%d", i > s->first[d] ? ", " : "", s->parts[i].axis);
	sw_diag_expected(diag, "[%s] in the order they cut dimension %d, major first", sw_text_get(&all), d);
	sw_text_free(&all);
}

static bool order_refuse_axis(const sw_sharding *s, int d, int64_t axis, bool twice, sw_diag *diag)
{
	sw_diag_set(diag, SW_N01, nowhere, "dimension %" PRId64 " of the mesh %s", axis,
		twice                                 ? "appears twice in the order" :
			axis < 0 || axis >= s->mesh.count ? "does not exist" :
												"does not cut this dimension");
	order_expect(s, d, diag);
	return false;
}

static bool order_take(const sw_sharding *s, int d, const int64_t *axes, int count, sw_part *parts, sw_diag *diag)
{
	int taken = 0;
	for (int i = 0; i < count; i++) {
		bool there = axes[i] >= 0 && axes[i] < s->mesh.count;
		if (there && s->mesh.axis[axes[i]].size == 1)
			continue; /* cuts nothing */
		int at = there ? order_find(s, d, axes[i]) : -1;
		bool twice = false;
		for (int k = 0; k < taken; k++)
			twice = twice || parts[k].axis == axes[i];
		if (at < 0 || twice)
			return order_refuse_axis(s, d, axes[i], twice, diag);
		assert(taken < SW_MAX_AXES);
		parts[taken++] = s->parts[at];
	}
	if (taken == order_cutters(s, d))
		return true;
	sw_diag_set(diag, SW_N01, nowhere, "the order leaves out dimensions of the mesh");
	order_expect(s, d, diag);
	return false;
}

bool sw_sharding_order_by(sw_sharding *s, int64_t dim, const int64_t *axes, int count, sw_diag *diag)
{
	sw_part parts[SW_MAX_AXES];
	if (s->kind != SW_SHARDING_TILED || s->notation != SW_NOTATION_DTENSOR)
		return order_refuse_notation(s, diag);
	if (dim < 0 || (dim >= s->rank && (!s->extends || count > 0)))
		return sw_diag_set(diag, SW_C03, nowhere, "no placement cuts dimension %" PRId64, dim);
	if (dim >= s->rank)
		return true;
	int d = (int)dim;
	if (!order_take(s, d, axes, count, parts, diag))
		return false;
	for (int i = 0; i < order_cutters(s, d); i++) {
		if (s->ordered && s->parts[s->first[d] + i].axis != parts[i].axis) {
			sw_diag_set(diag, SW_N01, nowhere, "the placements themselves imply another order");
			order_expect(s, d, diag);
			return false;
		}
	}
	for (int i = 0; i < order_cutters(s, d); i++)
		s->parts[s->first[d] + i] = parts[i];
	return true;
}
