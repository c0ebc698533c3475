/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command hardware: what the model `latency` speaks of.
 */
#include "command/command.h"

#include <stdio.h>
#include <string.h>

#include "command/answer.h"
#include "launch/machine.h"

static void add_bandwidth(struct table *table, double bandwidth)
{
	if (bandwidth > 0)
		table_add(table, "%.4g GB/s", 1e-9 * bandwidth);
	else
		table_add(table, "-");
}

static void add_shape(struct table *table, const sw_hardware *row)
{
	if (row->ring)
		table_add(table, "rings of %lld n", (long long)row->ring);
	else if (row->node)
		table_add(table, "%lld, then %.4g GB/s", (long long)row->node, 1e-9 * row->network);
	else
		table_add(table, "all");
}

static bool list(struct invocation *run, sw_diag *diag)
{
	static const struct column columns[] = {
		{"name", false, ROLE_LABEL}, {"link", true, ROLE_NUMBER}, {"latency", true, ROLE_NUMBER}, {"devices", false, ROLE_NUMBER},
		{"packing", true, ROLE_NUMBER}, {"what it is, and the source of its numbers", false, ROLE_TEXT}, {0},
	};
	const struct setting_value *chosen = &run->session->state.settings.value[SETTING_HARDWARE];
	struct table table = table_start(run->arena, columns);
	for (int i = 0; hardware_at(i); i++) {
		const sw_hardware *row = hardware_at(i);
		table_add(&table, "%s%s", row->name, strcmp(row->name, chosen->text) == 0 ? " *" : "");
		add_bandwidth(&table, row->bandwidth);
		table_add(&table, "%.3g us", 1e6 * row->latency);
		add_shape(&table, row);
		add_bandwidth(&table, row->copy);
		table_add(&table, "%s. %s", row->about, row->source);
	}
	return table_print(&table, run->session, diag) && answer_line(run->session, diag,
		"*: chosen. Bandwidths are of one device and direction. The machine in front of you is `model calibrated`, "
		"after `calibrate`.");
}

static bool choose(struct invocation *run, sw_str name, sw_diag *diag)
{
	struct setting_value value;
	if (!hardware_named(name, diag))
		return refuse_at(run, name, diag);
	if (!setting_read(SETTING_HARDWARE, name, &value, diag))
		return refuse_at(run, name, diag);
	run->session->state.settings.value[SETTING_HARDWARE] = value;
	if (run->session->state.walk)
		session_drop_walk(run->session);
	return true;
}

bool command_hardware(struct invocation *run, sw_diag *diag)
{
	const struct word *word = argument(run, 0);
	if (!word)
		return list(run, diag);
	sw_str text = sw_str_trim(word->raw);
	const char *equals = memchr(text.at, '=', text.length);
	if (!equals)
		return choose(run, text, diag);
	sw_str name = sw_str_trim((sw_str){text.at, (size_t)(equals - text.at)});
	sw_str rates = sw_str_trim((sw_str){equals + 1, (size_t)(text.at + text.length - equals - 1)});
	if (!hardware_define(name, rates, diag))
		return refuse_at(run, diag->at.end ? rates : name, diag);
	return choose(run, name, diag);
}
