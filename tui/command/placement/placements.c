/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command placements: how axes can lie on a system, and what sums over them take there.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/table.h"
#include "command/placement/placement.h"
#include "command/placement/ranking.h"
#include "command/placement/reduction.h"
#include "views/draw.h"

/* ---- sums ---- */

/* Names of axes, with commas. */
static bool read_axes(const struct invocation *run, sw_str names, uint32_t *axes, sw_diag *diag)
{
	const sw_mesh *mesh = &run->session->state.placing->axes;

	*axes = 0;
	for (size_t at = 0; at <= names.length;) {
		const char *comma = at < names.length ? memchr(names.at + at, ',', names.length - at) : NULL;
		size_t end = comma ? (size_t)(comma - names.at) : names.length;
		sw_str name = sw_str_trim((sw_str){names.at + at, end - at});
		int axis = sw_mesh_find(mesh, name), nearest = sw_mesh_nearest(mesh, name);

		if (axis < 0) {
			sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "no axis has this name");
			if (nearest >= 0)
				sw_diag_hint(diag, "did you mean '%s'?", mesh->axis[nearest].name);
			return refuse_at(run, name, diag);
		}
		*axes |= (uint32_t)1 << axis;
		at = end + 1;
	}
	return true;
}

static bool refuse_sums(const struct invocation *run, sw_str text, sw_diag *diag)
{
	sw_diag_set(diag, SW_L02, (sw_span){0, 0}, "this is no sum of so many bytes");
	sw_diag_expected(diag, "{AXIS, ...} BYTES, such as {%s} 1GiB", run->session->state.placing->axes.axis[0].name);
	return refuse_at(run, text, diag);
}

/* `{data} 1GiB, {shard} 64MiB`; how many, -1: refused. */
static int read_sums(const struct invocation *run, sw_str text, struct sum *sums, int room, sw_diag *diag)
{
	int count = 0;

	for (text = sw_str_trim(text); text.length > 0; count++) {
		const char *close = *text.at == '{' ? memchr(text.at, '}', text.length) : NULL;
		struct setting_value size;

		if (close == NULL || count == room)
			return refuse_sums(run, text, diag) ? 0 : -1;
		if (!read_axes(run, (sw_str){text.at + 1, (size_t)(close - text.at) - 1}, &sums[count].axes, diag))
			return -1;
		text = sw_str_trim(sw_str_behind(text, (size_t)(close - text.at) + 1));
		const char *comma = memchr(text.at, ',', text.length);
		sw_str bytes = sw_str_trim((sw_str){text.at, comma ? (size_t)(comma - text.at) : text.length});
		if (!setting_read(SETTING_MEMORY, bytes, &size, diag))
			return refuse_at(run, bytes, diag) ? 0 : -1;
		sums[count].bytes = (double)size.size.count;
		text = comma ? sw_str_trim(sw_str_behind(text, (size_t)(comma - text.at) + 1)) : (sw_str){text.at, 0};
	}
	return count;
}

/* `place N` takes rows of the list that was shown last. */
static bool keep_list(struct session *session, const struct ranking *ranking, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	struct kept_placements *kept = arena ? SW_NEW(arena, struct kept_placements, 1) : NULL;
	sw_placement *list = kept ? SW_NEW(arena, sw_placement, ranking->listed) : NULL;

	if (list == NULL) {
		sw_arena_free(arena);
		return sw_diag_memory(diag);
	}
	for (int i = 0; i < ranking->listed; i++)
		list[i] = ranking->row[i].placement;
	*kept = (struct kept_placements){arena, ranking->listed, list};
	if (session->placements)
		sw_arena_free(session->placements->arena);
	session->placements = kept;
	return true;
}

/* Does the list belong to the axes and levels that are there now? */
static bool list_fits(const struct kept_placements *kept, const struct placing *placing)
{
	return kept != NULL && kept->count > 0 && kept->placement[0].axes == placing->axes.count &&
		kept->placement[0].levels == placing->system.count &&
		sw_placement_fits(&placing->system, &placing->axes, &kept->placement[0], NULL);
}

const struct kept_placements *placements_listed(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	struct ranking ranking = {0};

	if (list_fits(session->placements, session->state.placing))
		return session->placements;
	ranking.sums = present_sum(session, ranking.sum);
	return rank_placements(run, &ranking, diag) && keep_list(session, &ranking, diag) ? session->placements : NULL;
}

static void add_axis_names(const struct ranking *ranking, const sw_mesh *axes, sw_text *text)
{
	for (int s = 0; s < ranking->sums; s++) {
		bool first = true;

		sw_text_addf(text, "%s over ", s == 0 ? ", for the sum" : " and the one");
		for (int i = 0; i < axes->count; i++)
			if (ranking->sum[s].axes >> i & 1) {
				sw_text_addf(text, "%s%s", first ? "" : ", ", axes->axis[i].name);
				first = false;
			}
	}
}

/* "placements  data 8, shard 8 on 4 x 16 devices: 3 of 3, for the sum over data" */
static void say_placements(const struct invocation *run, const struct ranking *ranking, int shown)
{
	const struct placing *placing = run->session->state.placing;
	sw_text text = {0};

	sw_text_add(&text, "placements  ");
	for (int i = 0; i < placing->axes.count; i++)
		sw_text_addf(&text, "%s%s %lld", i > 0 ? ", " : "", placing->axes.axis[i].name,
			(long long)placing->axes.axis[i].size);
	sw_text_add(&text, " on ");
	for (int j = 0; j < placing->system.count; j++)
		sw_text_addf(&text, "%s%lld", j > 0 ? " x " : "", (long long)placing->system.level[j].size);
	sw_text_addf(&text, " devices: %d of ", shown);
	sw_print_count(&text, ranking->count);
	add_axis_names(ranking, &placing->axes, &text);
	document_line(run->answer, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

/* What is chosen from where devices are taken in any order: the binary logarithm of how many orders there are. */
static double orders_log2(const struct placing *placing)
{
	return lgamma((double)placing->system.devices + 1) / log(2);
}

static void say_orders(const struct invocation *run)
{
	const struct placing *placing = run->session->state.placing;
	document_line(run->answer, "%lld! = 2^%.2f orders of the devices", (long long)placing->system.devices,
		orders_log2(placing));
}

static char *axis_heading(const struct invocation *run, int axis)
{
	const char *name = run->session->state.placing->axes.axis[axis].name;
	size_t length = strlen(name);
	char *heading = SW_NEW(run->arena, char, length + 4);

	if (heading != NULL) {
		memcpy(heading, name, length);
		memcpy(heading + length, " is", 4);
	}
	return heading;
}

static bool has_bounds(const struct invocation *run)
{
	return run->session->state.placing->system.topology == SW_TOPOLOGY_TREE;
}

/* Number and matrix, what each axis is as far as there is room, seconds. */
static struct table *start_placements(const struct invocation *run, bool timed, int axes)
{
	struct column column[TABLE_COLUMNS] = {COLUMN_RIGHT("#", ROLE_LABEL), COLUMN_LEFT("matrix", ROLE_NUMBER)};
	int count = 2;

	column[1].gives = axes > 2 ? 1000 : 0; /* it stays as wide, but columns may be left out */

	for (int i = 0; i < axes; i++) {
		char *heading = axis_heading(run, i);

		column[count] = (struct column)COLUMN_LEFT(heading ? heading : "axis", ROLE_TEXT);
		column[count++].drops = axes - i;
	}
	if (timed) {
		column[count++] = (struct column)COLUMN_RIGHT("allreduce", ROLE_NUMBER);
		column[count++] = (struct column)COLUMN_RIGHT("best", ROLE_NUMBER);
		if (has_bounds(run))
			column[count++] = (struct column)COLUMN_RIGHT("bound", ROLE_NUMBER);
	}
	return document_table(run->answer, column);
}

static void add_seconds_cells(struct table *table, const struct seconds *seconds, bool bounded)
{
	table_add(table, "%s", words_seconds_to(seconds->allreduce, 4).text);
	table_add(table, "%s", words_seconds_to(seconds->best, 4).text);
	if (bounded)
		table_add(table, "%s", words_seconds_to(seconds->bound, 4).text);
}

static void add_placements(const struct invocation *run, const struct ranking *ranking, int shown)
{
	const struct placing *placing = run->session->state.placing;
	int axes = (int)sw_smaller(placing->axes.count, TABLE_COLUMNS - 6);
	struct table *table = start_placements(run, ranking->timed, axes);

	for (int r = 0; r < shown; r++) {
		sw_text matrix = {0};

		sw_placement_print(&ranking->row[r].placement, &matrix);
		table_add(table, "%d", r + 1);
		table_add_text(table, &matrix);
		for (int i = 0; i < axes; i++) {
			sw_text parts = {0};

			sw_placement_print_parts(&placing->system, &ranking->row[r].placement, i, &parts);
			table_add_text(table, &parts);
		}
		if (ranking->timed)
			add_seconds_cells(table, &ranking->row[r].seconds, has_bounds(run));
	}
}

static int64_t programs_on_all(const struct ranking *ranking)
{
	int64_t programs = 0;

	for (int r = 0; r < ranking->listed; r++)
		programs += ranking->row[r].seconds.programs;
	return programs;
}

static bool counts_programs(const struct ranking *ranking)
{
	return ranking->timed && ranking->sums == 1 && ranking->listed == ranking->count;
}

static void add_placement_fields(const struct invocation *run, const struct ranking *ranking, int shown)
{
	const struct placing *placing = run->session->state.placing;
	struct fields *fields = document_fields(run->answer, "shardwalk.placements/1"), *rows;

	field_count(fields, "count", ranking->count);
	field_number(fields, "orders_log2", orders_log2(placing));
	if (ranking->timed)
		field_bool(fields, "complete", !ranking->incomplete);
	if (counts_programs(ranking))
		field_count(fields, "programs", programs_on_all(ranking));
	rows = field_list(fields, "placements");
	for (int r = 0; r < shown; r++) {
		const struct ranked *row = &ranking->row[r];
		struct fields *one = field_object(rows, NULL), *matrix = field_list(one, "matrix"), *parts;

		for (int i = 0; i < placing->axes.count; i++)
			field_ints(matrix, NULL, row->placement.factor[i], placing->system.count);
		parts = field_list(one, "parts");
		for (int i = 0; i < placing->axes.count; i++) {
			sw_text text = {0};

			sw_placement_print_parts(&placing->system, &row->placement, i, &text);
			field_printed(parts, NULL, &text);
		}
		if (ranking->timed) {
			field_number(one, "allreduce_s", row->seconds.allreduce);
			field_number(one, "best_s", row->seconds.best);
			if (has_bounds(run))
				field_number(one, "port_bound_s", row->seconds.bound);
		}
	}
}

bool command_placements(struct invocation *run, sw_diag *diag)
{
	const struct word *sums = argument(run, 0);
	struct ranking ranking = {0};
	int64_t shown;

	if (!need_axes(run->session, diag))
		return false;
	ranking.sums = sums ? read_sums(run, sums->raw, ranking.sum, SW_MAX_PLACED, diag) :
						  present_sum(run->session, ranking.sum);
	if (ranking.sums < 0 || !rank_placements(run, &ranking, diag) || !keep_list(run->session, &ranking, diag) ||
		!rows_to_show(run, ranking.listed, ranking.listed, &shown, diag))
		return false;
	if (wants_json(run)) {
		add_placement_fields(run, &ranking, (int)shown);
		return true;
	}
	say_placements(run, &ranking, (int)shown);
	say_orders(run);
	if (shown > 0)
		add_placements(run, &ranking, (int)shown);
	if (ranking.timed && !has_bounds(run))
		document_line(run->answer, "no bound: none is known where nodes have a ring of eight");
	if (ranking.incomplete)
		document_line(run->answer, INCOMPLETE);
	if (counts_programs(&ranking))
		document_line(run->answer, "%lld programs of at most %d steps on all of them",
			(long long)programs_on_all(&ranking), RANKED_STEPS);
	if (ranking.timed && ranking.looked < ranking.count)
		document_line(run->answer,
			"only the first %lld, in ascending order of rows, were timed: one of the others may be faster",
			(long long)ranking.looked);
	else if (ranking.timed && ranking.listed < ranking.count)
		document_line(run->answer, "all were timed; the fastest %d are kept for `place`", ranking.listed);
	if (ranking.sums > 0 && !ranking.timed)
		answer_remark(run->session,
			"no seconds: a level has no bandwidth (system {node: 4 @ 8GB/s, gpu: 16 @ 270GB/s})");
	return true;
}
