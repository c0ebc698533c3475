/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems in levels: reading, printing, those of the paper.
 *
 *     system = "{" level { "," level } "}"
 *     level  = name ":" size [ "@" [ bandwidth ] [ latency ] [ "shared" ] ]
 */
#include <shardwalk/placement.h>

#include <assert.h>
#include <string.h>

#include "array/link.h"
#include "array/mesh_rules.h"
#include "base/scan.h"

static const sw_size_words level_size_words = {"level size", SW_M03, SW_M05, SW_MAX_DEVICES};

struct reader {
	sw_scan scan;
	sw_span open;
	sw_mesh mesh; /* the levels as axes, with the rules of axes */
	bool shared[SW_MAX_LEVELS];
	sw_span named[SW_MAX_AXES];
};

static bool at_end_of_level(sw_scan *scan)
{
	int next = sw_scan_peek(scan);

	return next < 0 || next == ',' || next == '}';
}

static bool take_word(sw_scan *scan, const char *word)
{
	sw_scan ahead = *scan;
	sw_span at;

	if (sw_scan_peek(scan) < 0 || !sw_str_is(sw_scan_word(&ahead, &at), word))
		return false;
	*scan = ahead;
	return true;
}

static bool read_port(struct reader *reader, int level)
{
	do {
		if (take_word(&reader->scan, "shared"))
			reader->shared[level] = true;
		else if (!sw_link_quantity(&reader->scan, &reader->mesh.axis[level]))
			return false;
	} while (!at_end_of_level(&reader->scan));
	return true;
}

static bool read_level(struct reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_str name;
	sw_span named, sized;
	int64_t size;
	int level = reader->mesh.count;

	if (!sw_scan_name(scan, "the name of a level", reader->open, &name, &named) ||
		!sw_mesh_axis_check(&reader->mesh, name, reader->named, named, scan->diag) ||
		!sw_scan_expect(scan, ':', "':' and the size of the level", reader->open) ||
		!sw_scan_size(scan, level_size_words, reader->open, &size, &sized))
		return false;
	if (level == SW_MAX_LEVELS)
		return sw_diag_set(scan->diag, SW_M04, named, "a system has at most %d levels", SW_MAX_LEVELS);
	if (!sw_mesh_append(&reader->mesh, name, size, sized, scan->diag))
		return false;
	reader->named[level] = named;
	return !sw_scan_take(scan, '@') || read_port(reader, level);
}

static void system_of(const struct reader *reader, sw_system *system)
{
	memset(system, 0, sizeof *system);
	system->count = reader->mesh.count;
	system->devices = reader->mesh.devices;
	for (int j = 0; j < system->count; j++) {
		const sw_axis *axis = &reader->mesh.axis[j];

		memcpy(system->level[j].name, axis->name, sizeof axis->name);
		system->level[j].size = axis->size;
		system->level[j].bandwidth = axis->bandwidth;
		system->level[j].latency = axis->latency;
		system->level[j].shared = reader->shared[j];
	}
}

bool sw_system_parse(sw_str text, sw_system *system, sw_diag *diag)
{
	struct reader reader = {.scan = {.text = text, .syntax = SW_M01, .diag = diag}};
	sw_scan *scan = &reader.scan;
	bool more = true;

	reader.open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '{', "a system such as {node: 4 @ 8GB/s, gpu: 16 @ 270GB/s}", (sw_span){0, 0}))
		return false;
	while (more)
		if (!read_level(&reader) || !sw_scan_list(scan, '}', "',' or '}'", reader.open, &more))
			return false;
	if (!sw_scan_finish(scan, "system"))
		return false;
	system_of(&reader, system);
	return true;
}

void sw_system_print(const sw_system *system, sw_text *text)
{
	for (int j = 0; j < system->count; j++) {
		const sw_level *level = &system->level[j];
		sw_axis axis = {.bandwidth = level->bandwidth, .latency = level->latency};

		sw_text_add(text, j == 0 ? "{" : ", ");
		sw_mesh_print_name(level->name, text);
		sw_text_addf(text, ": %lld", (long long)level->size);
		sw_link_print(&axis, text);
		if (level->shared)
			sw_text_add(text, axis.bandwidth > 0 || axis.latency > 0 ? " shared" : " @ shared");
	}
	sw_text_add_char(text, '}');
}

/* ---- the systems of the paper ---- */

/* Fitted: rates inside a node alone, least squares of the logarithms of the seconds of one all-reduce inside a node in appendix A,
 * of cells with even numbers, 16 on A100 and 12 on V100.  The neighbours' links of a V100 come out as 26.8 GB/s, one NVLink; its
 * pairs as 4 GB/s, staged through the host. */
static const struct {
	const char *name;
	sw_topology topology;
	bool plain; /* its levels say it all */
	sw_level level[2];
	sw_node_rates node;
	const char *fitted;
} named[] = {
	{"p2-a100", SW_TOPOLOGY_TREE, true, {{"node", 0, 8e9, 0, true}, {"gpu", 16, 270e9, 0, false}}, {0, 0, false},
		"p2-a100-fitted"},
	{"p2-v100", SW_TOPOLOGY_V100, false, {{"node", 0, 8e9, 0, true}, {"gpu", 8, 135e9, 0, false}},
		{0, SW_PAIR_BANDWIDTH, false}, "p2-v100-fitted"},
	{"p2-a100-fitted", SW_TOPOLOGY_TREE, false, {{"node", 0, 8e9, 0, true}, {"gpu", 16, 116.5e9, 0, false}},
		{420e9, 0, false}, NULL},
	{"p2-v100-fitted", SW_TOPOLOGY_V100, false, {{"node", 0, 8e9, 0, true}, {"gpu", 8, 26.84e9, 0, false}},
		{0, 4.04e9, true}, NULL},
};

const char *sw_system_name_at(int n)
{
	return n >= 0 && n < (int)(sizeof named / sizeof *named) ? named[n].name : NULL;
}

const char *sw_system_fitted(sw_str name)
{
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (sw_str_is(name, named[i].name))
			return named[i].fitted;
	return NULL;
}

bool sw_system_named(sw_str name, int64_t nodes, sw_system *system)
{
	for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
		if (!sw_str_is(name, named[i].name) || nodes < 1 || nodes > SW_MAX_DEVICES / 16)
			continue;
		*system = (sw_system){.count = 2,
			.topology = named[i].topology,
			.name = named[i].plain ? NULL : named[i].name,
			.node = named[i].node};
		memcpy(system->level, named[i].level, sizeof named[i].level);
		system->level[0].size = nodes;
		system->devices = nodes * system->level[1].size;
		return true;
	}
	return false;
}

/* ---- levels ---- */

int64_t sw_system_unit(const sw_system *system, int level)
{
	assert(level >= -1 && level < system->count);
	int64_t devices = 1;

	for (int j = level + 1; j < system->count; j++)
		devices *= system->level[j].size;
	return devices;
}

int sw_system_find(const sw_system *system, sw_str name)
{
	for (int j = 0; j < system->count; j++)
		if (sw_str_is(name, system->level[j].name))
			return j;
	return -1;
}

int sw_system_nearest(const sw_system *system, sw_str name)
{
	const char *names[SW_MAX_LEVELS];

	for (int j = 0; j < system->count; j++)
		names[j] = system->level[j].name;
	return sw_str_nearest(name, names, system->count);
}

/* ---- devices ---- */

int64_t sw_system_innermost(const sw_system *system)
{
	return system->count > 1 ? system->level[system->count - 1].size : 0;
}

void sw_system_print_device(const sw_system *system, int64_t device, sw_text *text)
{
	assert(device >= 0 && device < system->devices);
	sw_device_print(sw_system_innermost(system), device, text);
}
