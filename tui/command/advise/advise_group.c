/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice about one group of devices: what moves, and how the whole gets known.
 */
#include "command/advise/advise_group.h"

#include "answer/console.h"

/* ---- what moves ---- */

static void add_parts(int64_t parts, sw_text *text)
{
	if (parts == 1)
		sw_text_add(text, "whole");
	else
		sw_text_addf(text, "%lld parts", (long long)parts);
}

void advise_moves(const sw_type *from, const sw_type *to, sw_text *text)
{
	int count = 0;
	for (int d = 0; d < from->rank; d++) {
		int64_t before = from->global[d] / from->tile[d], after = to->global[d] / to->tile[d];
		if (before == after)
			continue;
		sw_text_addf(text, "%sdimension %d from ", count++ ? ", " : "", d);
		add_parts(before, text);
		sw_text_add(text, " to ");
		add_parts(after, text);
	}
	sw_text_add(text, count ? "" : "the same parts on different devices");
}

static void add_steps(const sw_plan *hop, sw_text *text)
{
	for (int k = 0; k < hop->program.steps; k++)
		sw_text_addf(text, "%s%s", k ? ", " : "", sw_collective_of(hop->program.step[k].op)->name);
	sw_text_add(text, hop->program.steps ? ": " : "nothing: ");
}

void advise_group_moves(const sw_advice *advice, const struct warning *warning, sw_text *text)
{
	sw_text_addf(text,
		"\nNo code yet: the warning does not say which axes of your mesh it is about. What moves within "
		"a\ngroup%s%s:\n\n",
		warning->pair.shape ? ", dimensions as in " : "", warning->pair.shape ? warning->pair.shape : "");
	for (int k = 0; k <= advice->via_count; k++) {
		const sw_plan *hop = &advice->hop[k];
		sw_text_addf(text, "  %d  ", k + 1);
		add_steps(hop, text);
		advise_moves(&hop->problem.from, &hop->problem.to, text);
		sw_text_add_char(text, '\n');
	}
}

/* ---- what to type ---- */

static const struct {
	const char *line, *about;
} abouts[] = {
	{"mesh {...}", "your program's mesh, as print(mesh) shows it"},
	{"P(...) ~> P(...)", "the value's shardings before and after"},
};

static void add_lines(const struct group *group, sw_text *text)
{
	const char *line[WARNED_LINES];
	int count = warned_lines(group, line), first = WARNED_LINES - count;
	for (int k = 0; k < count; k++)
		sw_text_addf(text, "  %-18s # %s\n", line[k], abouts[first + k].about);
}

void advise_group_asks(const struct warning *warning, const struct group *group, sw_text *text)
{
	sw_text value = {0};
	warned_value(&warning->pair, &value);
	if (group->is == GROUP_POSSIBLE)
		sw_text_addf(text, "\nIf that fails, these %lld devices are one group of several. Then type\n\n",
			(long long)group->devices);
	else
		sw_text_add(text, "\nFor code type\n\n");
	add_lines(group, text);
	sw_text_addf(text,
		"\nand `advise` again. The value is %s.\n`import LOG --module FILE` finds all of this in the module "
		"that\n  XLA_FLAGS='--xla_dump_to=DIR --xla_dump_hlo_as_text "
		"--xla_dump_hlo_pass_re=spmd-partitioning'\n"
		"writes as DIR/*before_spmd-partitioning*.txt.\n",
		sw_text_get(&value));
	sw_text_free(&value);
}
