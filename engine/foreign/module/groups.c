/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups and pairs of the collectives of a module.  Many say the same text: each is read once.
 */
#include "foreign/module/reading.h"

#include <string.h>

#include <shardwalk/notation.h>
#include <shardwalk/number.h>

#include "foreign/module/dialect.h"
#include "foreign/module/mlir_groups.h"

#define CACHE_START 64

typedef struct groups_cache {
	int count, room;
	graph_groups **slot; /* by hash, `room` of them */
} groups_cache;

bool graph_groups_start(graph_reading *r)
{
	r->cache = SW_NEW_ZERO(r->work, groups_cache, 1);
	if (!r->cache)
		return false;
	r->cache->room = CACHE_START;
	r->cache->slot = SW_NEW_ZERO(r->work, graph_groups *, CACHE_START);
	return r->cache->slot != NULL;
}

static graph_groups **cache_slot(groups_cache *cache, sw_str text, bool pairs)
{
	uint64_t hash = 14695981039346656037u + pairs;
	for (size_t i = 0; i < text.length; i++)
		hash = (hash ^ (uint8_t)text.at[i]) * 1099511628211u;
	for (uint64_t i = hash ^ hash >> 29;; i++) {
		graph_groups **slot = &cache->slot[i & (uint64_t)(cache->room - 1)];
		if (!*slot || ((*slot)->pairs == pairs && sw_str_equal((*slot)->text, text)))
			return slot;
	}
}

static bool cache_grow(graph_reading *r)
{
	groups_cache *cache = r->cache, old = *cache;
	if (2 * cache->count < cache->room)
		return true;
	cache->room *= 2;
	cache->slot = SW_NEW_ZERO(r->work, graph_groups *, cache->room);
	if (!cache->slot) {
		*cache = old;
		return false;
	}
	for (int i = 0; i < old.room; i++)
		if (old.slot[i])
			*cache_slot(cache, old.slot[i]->text, old.slot[i]->pairs) = old.slot[i];
	return true;
}

/* ---- reading ---- */

static void groups_whole(graph_reading *r, graph_groups *groups)
{
	for (int64_t d = 0; d < r->devices; d++)
		groups->member[d] = (int32_t)d;
	groups->size = r->devices;
	groups->right = true;
}

/* Groups that hold every device once and are equally large. */
static void groups_take(graph_reading *r, const sw_sharding *read, graph_groups *groups)
{
	if (read->count == 0) {
		groups_whole(r, groups);
		return;
	}
	int64_t size = read->starts[1];
	for (int g = 0; g < read->count; g++)
		if (read->starts[g + 1] - read->starts[g] != size)
			return;
	if (size == 0 || read->starts[read->count] != r->devices)
		return;
	for (int64_t d = 0; d < r->devices; d++) {
		if (read->members[d] >= r->devices)
			return;
		groups->member[d] = (int32_t)read->members[d];
	}
	groups->size = size;
	groups->right = true;
}

static void pairs_take(graph_reading *r, const sw_sharding *read, graph_groups *groups)
{
	if (read->count != r->devices)
		return;
	for (int i = 0; i < read->count; i++) {
		int64_t source = read->members[2 * i], target = read->members[2 * i + 1];
		if (source >= r->devices || target >= r->devices)
			return;
		groups->member[target] = (int32_t)source;
	}
	groups->size = 1;
	groups->right = true;
}

/* Groups may be of partitions, of replicas, or of all of them. */
int64_t graph_all_devices(const graph_reading *r)
{
	int64_t all;
	bool right = sw_mul(r->module->partitions, r->module->replicas, &all) && all <= DEVICES_MOST;
	return right && all > r->devices ? all : r->devices;
}

static graph_groups *groups_read(graph_reading *r, sw_str text, sw_sharding_kind kind)
{
	graph_groups *groups = SW_NEW_ZERO(r->work, graph_groups, 1);
	sw_sharding *read = SW_NEW(r->work, sw_sharding, 1);
	sw_text whole = {0};
	if (groups)
		groups->member = SW_NEW_ZERO(r->work, int32_t, r->devices);
	if (!read || !groups || !groups->member)
		return NULL;
	groups->text = text;
	groups->pairs = kind == SW_SHARDING_PAIRS;
	sw_text_add(&whole, kind == SW_SHARDING_PAIRS ? "source_target_pairs=" : "replica_groups=");
	sw_text_add_str(&whole, text);
	sw_arena_mark mark = sw_arena_here(r->brief);
	groups->come = traffic_whole(r->devices);
	groups->come.wrong = true;
	bool right = r->module->value ?
		mlir_groups_read(text, kind, r->brief, read) :
		sw_sharding_parse((sw_str){sw_text_get(&whole), whole.length}, NULL, r->brief, read, NULL);
	if (right && read->kind == kind) {
		int64_t devices = graph_all_devices(r);
		groups->come = kind == SW_SHARDING_PAIRS ?
			traffic_pairs_of(read->count, read->members, devices, r->brief) :
			traffic_groups_of(read->count, read->starts, read->members, devices, r->brief);
		(kind == SW_SHARDING_PAIRS ? pairs_take : groups_take)(r, read, groups);
	}
	sw_arena_back(r->brief, mark);
	sw_text_free(&whole);
	return groups;
}

static const graph_groups *groups_cached(graph_reading *r, sw_str text, sw_sharding_kind kind)
{
	if (!cache_grow(r)) {
		r->failed = true;
		return NULL;
	}
	graph_groups **slot = cache_slot(r->cache, text, kind == SW_SHARDING_PAIRS);
	if (!*slot) {
		*slot = groups_read(r, text, kind);
		r->cache->count += *slot != NULL;
		r->failed = r->failed || !*slot;
	}
	return *slot;
}

/* Empty groups of HLO: without a channel those of all replicas, one for each partition; else one of all devices.  Neither is of
 * partitions alone. */
static const graph_groups *groups_of_all(graph_reading *r, bool replicas)
{
	sw_str text = sw_str_of(replicas ? "replicas" : "all");
	graph_groups **slot = cache_grow(r) ? cache_slot(r->cache, text, false) : NULL;
	if (slot && !*slot) {
		*slot = SW_NEW_ZERO(r->work, graph_groups, 1);
		r->cache->count += *slot != NULL;
		if (*slot)
			**slot = (graph_groups){.text = text, .come = traffic_whole(graph_all_devices(r))};
		if (*slot && replicas) {
			(*slot)->come.largest = r->module->replicas;
			(*slot)->come.count = (*slot)->come.seats / r->module->replicas;
		}
	}
	r->failed = r->failed || !slot || !*slot;
	return r->failed ? NULL : *slot;
}

const graph_groups *graph_groups_of(graph_reading *r, const graph_instruction *at)
{
	sw_str text, channel;
	if (!graph_attribute(r->module, at, "replica_groups", &text))
		text = sw_str_of(r->module->value ? "" : "{}");
	int64_t all = graph_all_devices(r);
	if (sw_str_is(text, "{}") && r->module->replicas > 1 && all > r->devices && all % r->module->replicas == 0)
		return groups_of_all(r, !graph_attribute(r->module, at, "channel_id", &channel));
	return groups_cached(r, text, SW_SHARDING_GROUPS);
}

/* `frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,2}}}`, with quotes around it or without. */
static bool sent_pairs(const graph_instruction *at, sw_str *text)
{
	sw_str rest;
	sw_str_after(at->attributes, "_xla_send_recv_source_target_pairs=", &rest);
	rest = sw_str_behind(rest, sw_str_starts(rest, "\""));
	*text = (sw_str){rest.at, sw_str_starts(rest, "{") ? sw_str_balanced(rest, 0, SW_NESTING_HLO) : 0};
	return text->length > 0;
}

const graph_groups *graph_pairs_of(graph_reading *r, const graph_instruction *at)
{
	sw_str text;
	if (!graph_attribute(r->module, at, "source_target_pairs", &text) && !sent_pairs(at, &text))
		return NULL;
	return groups_cached(r, text, SW_SHARDING_PAIRS);
}
