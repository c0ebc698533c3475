/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command placements: how axes can lie on a system, and what sums over them take there.
 */
#include <math.h>
#include <string.h>

#include <shardwalk/number.h>

#include "answer/order.h"
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
		sw_str name = sw_str_split(names, &at, SW_NESTING_PLAIN);
		int axis = sw_mesh_find(mesh, name), nearest = sw_mesh_nearest(mesh, name);

		if (axis < 0) {
			sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "no axis has this name");
			if (nearest >= 0)
				sw_diag_hint(diag, "did you mean '%s'?", mesh->axis[nearest].name);
			return refuse_at(run, name, diag);
		}
		*axes |= (uint32_t)1 << axis;
	}
	return true;
}

static bool refuse_sums(const struct invocation *run, sw_str text, sw_diag *diag)
{
	sw_diag_set(diag, SW_L02, (sw_span){0, 0}, "this is not a sum of so many bytes");
	sw_diag_expected(diag, "{AXIS, ...} BYTES, such as {%s} 1GiB", run->session->state.placing->axes.axis[0].name);
	return refuse_at(run, text, diag);
}

/* `{data} 1GiB, {shard} 64MiB` */
static bool read_sums(const struct invocation *run, sw_str text, struct ranking *ranking, sw_diag *diag)
{
	for (size_t at = 0; at < text.length; ranking->sums++) {
		size_t begin = at;
		sw_str item = sw_str_split(text, &at, SW_NESTING_PLAIN);
		size_t close = sw_str_starts(item, "{") ? sw_str_balanced(item, 0, SW_NESTING_PLAIN) : 0;
		sw_str bytes = sw_str_trim(sw_str_behind(item, close));
		struct sum *sum = &ranking->sum[ranking->sums];
		struct setting_value size;

		if (close == 0 || ranking->sums == SW_MAX_PLACED)
			return refuse_sums(run, sw_str_trim(sw_str_behind(text, begin)), diag);
		if (!read_axes(run, (sw_str){item.at + 1, close - 2}, &sum->axes, diag))
			return false;
		if (!setting_read(SETTING_MEMORY, bytes, &size, diag))
			return refuse_at(run, bytes, diag);
		sum->bytes = (double)size.size.count;
	}
	return true;
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

/* ---- rows ---- */

static bool has_bounds(const struct placing *placing)
{
	return placing->system.topology == SW_TOPOLOGY_TREE;
}

static void print_matrix(const struct row_at *at, sw_text *text)
{
	sw_placement_print(at->row, text);
}

void ranked_matrix(const sw_placement *placement, struct fields *list)
{
	for (int i = 0; i < placement->axes; i++)
		field_ints(list, NULL, placement->factor[i], placement->levels);
}

static bool fill_matrix(const struct row_at *at, struct fields *list)
{
	ranked_matrix(at->row, list);
	return true;
}

static void print_parts(const struct row_at *at, sw_text *text)
{
	const struct placements_of *of = at->of;

	sw_placement_print_parts(of->system, at->row, at->part, text);
}

static bool fill_parts(const struct row_at *at, struct fields *in)
{
	struct row_at axis = *at;

	for (axis.part = 0; axis.part < ((const sw_placement *)at->row)->axes; axis.part++) {
		sw_text text = {0};

		print_parts(&axis, &text);
		field_printed(in, NULL, &text);
	}
	return true;
}

/* What each axis is, as far as there is room. */
static int axes_shown(const void *of)
{
	return ((const struct placements_of *)of)->axes;
}

static const char *axis_heading(const void *of, int axis)
{
	return ((const struct placements_of *)of)->heading[axis];
}

enum { RANKED_WIDE = 16 }; /* columns may be left out beside the matrix, which stays as wide */

static const struct row_column ranked_columns[] = {
	ROW_BY(NULL, "#", NUMBERED),
	ROW_BY("matrix", NULL, LIST, .fill = fill_matrix, .unless = RANKED_SAMPLE),
	ROW_BY(NULL, "matrix", TEXT, .print = print_matrix, .role = ROLE_NUMBER, .unless = RANKED_WIDE),
	ROW_BY(NULL, "matrix", TEXT, .print = print_matrix, .role = ROLE_NUMBER, .when = RANKED_WIDE,
		.as = {.gives = 1000}),
	ROW_BY("parts", NULL, LIST, .fill = fill_parts, .unless = RANKED_CHOICE),
	ROW_BY(NULL, "", TEXT, .named = axis_heading, .parts = axes_shown, .print = print_parts, .as = {.drops = 1}),
	ROW_AT("allreduce_s", "allreduce", SECONDS, struct ranked, seconds.allreduce, .digits = 4, .folds = true,
		.when = RANKED_TIMED),
	ROW_AT("best_s", "best", SECONDS, struct ranked, seconds.best, .digits = 4, .folds = true, .when = RANKED_TIMED),
	ROW_AT("port_bound_s", "bound", SECONDS, struct ranked, seconds.bound, .digits = 4,
		.when = RANKED_TIMED | RANKED_BOUNDED),
};

const struct rows ranked_words = ROWS_WORDS(ranked_columns);

struct rows ranked_rows(const struct ranked *row, int64_t count, const struct placements_of *of, unsigned is)
{
	return ROWS_OF(ranked_columns, row, count, .of = of, .is = is | (of->axes > 2 ? RANKED_WIDE : 0), .rises = true);
}

static bool name_axes(const struct invocation *run, struct placements_of *of, sw_diag *diag)
{
	const struct placing *placing = run->session->state.placing;

	*of = (struct placements_of){&placing->system, (int)sw_smaller(placing->axes.count, RANKED_AXES), {NULL}};
	for (int i = 0; i < of->axes; i++) {
		sw_text heading = {0};

		sw_text_addf(&heading, "%s is", placing->axes.axis[i].name);
		of->heading[i] = sw_text_keep(&heading, run->arena);
		if (of->heading[i] == NULL)
			return sw_diag_memory(diag);
	}
	return true;
}

static bool answer_rows(const struct invocation *run, const struct ranking *ranking, int64_t shown,
	struct fields *fields, sw_diag *diag)
{
	const struct placing *placing = run->session->state.placing;
	unsigned is = (ranking->timed ? RANKED_TIMED : 0) | (has_bounds(placing) ? RANKED_BOUNDED : 0);
	struct placements_of of;

	if (!name_axes(run, &of, diag))
		return false;
	const struct rows rows = ranked_rows(ranking->row, shown, &of, is);
	return rows_answer(&rows, run->answer, fields, "placements", diag);
}

/* ---- what is said beside them ---- */

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

static struct fields *add_head(const struct invocation *run, const struct ranking *ranking)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.placements/1");

	field_count(fields, "count", ranking->count);
	field_number(fields, "orders_log2", orders_log2(run->session->state.placing));
	if (ranking->timed)
		field_bool(fields, "complete", !ranking->incomplete);
	if (counts_programs(ranking))
		field_count(fields, "programs", programs_on_all(ranking));
	return fields;
}

static void say_rest(const struct invocation *run, const struct ranking *ranking)
{
	struct document *answer = run->answer;

	if (ranking->timed && !has_bounds(run->session->state.placing))
		document_line(answer, "no bound: none is known for nodes with a ring of eight");
	if (ranking->incomplete)
		document_line(answer, INCOMPLETE);
	if (counts_programs(ranking))
		document_line(answer, "%lld programs of at most %d steps on all of them", (long long)programs_on_all(ranking),
			RANKED_STEPS);
	if (ranking->timed && ranking->looked < ranking->count)
		document_line(answer, "only the first %lld, in ascending order of rows, were timed: others may be faster",
			(long long)ranking->looked);
	else if (ranking->timed && ranking->listed < ranking->count)
		document_line(answer, "all were timed; the fastest %d are kept for `place`", ranking->listed);
	if (ranking->sums > 0 && !ranking->timed)
		answer_hint(run->session,
			"no seconds: a level has no bandwidth (system {node: 4 @ 8GB/s, gpu: 16 @ 270GB/s})");
}

bool command_placements(struct invocation *run, sw_diag *diag)
{
	const struct word *sums = argument(run, 0);
	struct ranking ranking = {0};
	int64_t shown;

	if (!need_axes(run->session, diag))
		return false;
	if (sums == NULL)
		ranking.sums = present_sum(run->session, ranking.sum);
	else if (!read_sums(run, sums->raw, &ranking, diag))
		return false;
	if (!rank_placements(run, &ranking, diag) || !keep_list(run->session, &ranking, diag) ||
		!rows_to_show(run, ranking.listed, ranking.listed, &shown, diag))
		return false;
	say_placements(run, &ranking, (int)shown);
	say_orders(run);
	if (!answer_rows(run, &ranking, shown, add_head(run, &ranking), diag))
		return false;
	say_rest(run, &ranking);
	return true;
}
