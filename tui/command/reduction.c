/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands reduce, placements and reductions: sums over axes that lie on a system, and the programs that make them.
 */
#include "command/placement.h"
#include "command/reduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/table.h"
#include "views/draw.h"

#define ROWS_LISTED 1000 /* placements that are ranked at most */
#define LENGTH_LISTED 5

/* A sum over axes of so many bytes on each device. */
struct sum {
	uint32_t axes;
	double bytes;
};

/* ---- reduce ---- */

bool command_reduce(struct invocation *run, sw_diag *diag)
{
	sw_str text = sw_str_trim(argument(run, 0)->raw);
	const char *close = text.length > 0 && *text.at == '{' ? memchr(text.at, '}', text.length) : NULL;
	sw_text ends = {0};

	if (!need_axes(run->session, diag))
		return false;
	if (close == NULL || (size_t)(close - text.at) + 1 == text.length) {
		sw_diag_set(diag, SW_L02, (sw_span){0, 0}, "the axes of the sum and its type are wanted");
		sw_diag_expected(diag, "{AXIS, ...} TYPE, such as {%s} f32[1024]", run->session->state.mesh.axis[0].name);
		return refuse_at(run, text, diag);
	}
	sw_str axes = {text.at, (size_t)(close - text.at) + 1}, type = sw_str_trim(sw_str_behind(text, axes.length));
	sw_text_addf(&ends, "%.*s+%.*s ~> %.*s", (int)type.length, type.at, (int)axes.length, axes.at, (int)type.length,
		type.at);
	sw_str made = {sw_arena_copy(run->arena, sw_text_get(&ends), ends.length), ends.length};
	bool set = made.at != NULL ? problem_set_ends(run, made, diag) : sw_diag_memory(diag);
	sw_text_free(&ends);
	if (!set)
		diag->at = diag->also = (sw_span){0, 0};
	return set || refuse_at(run, text, diag);
}

/* ---- sums ---- */

static uint32_t axes_of_sums(const sw_type *type)
{
	sw_part parts[SW_MAX_PARTS];
	int count = sw_type_sums(type, parts);
	uint32_t axes = 0;

	for (int i = 0; i < count; i++)
		axes |= (uint32_t)1 << parts[i].axis;
	return axes;
}

/* The sum that the present problem asks for; 0: none. */
static int present_sum(const struct session *session, struct sum *sum)
{
	const struct state *state = &session->state;

	if (!state->placing->has_axes || !state->has[DEFINED_FROM] || !state->has[DEFINED_TO])
		return 0;
	sum->axes = axes_of_sums(&state->from) & ~axes_of_sums(&state->to);
	sum->bytes = (double)sw_type_localsize(&state->from) * sw_dtype_bytes(state->from.dtype);
	return sum->axes != 0;
}

static bool need_sum(const struct session *session, struct sum *sum, sw_diag *diag)
{
	if (present_sum(session, sum) == 1)
		return true;
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "nothing is to be summed");
	sw_diag_hint(diag, "for instance: reduce {%s} f32[%lld]", session->state.mesh.axis[0].name,
		(long long)session->state.mesh.devices * 1024);
	return false;
}

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

/* ---- seconds ---- */

static sw_allreduce_way way_of(const struct session *session)
{
	return setting_is(&session->state.settings, SETTING_ALLREDUCE, "tree") ? SW_ALLREDUCE_TREE : SW_ALLREDUCE_RING;
}

const sw_contexts *contexts_for(struct session *session, int factors, bool all_masters, const sw_pulse *pulse,
	sw_diag *diag)
{
	sw_contexts **kept;

	if (factors < 1 || factors > SW_MAX_SUMMED) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "sums over %d levels cannot be searched, only over 1 to %d",
			factors, SW_MAX_SUMMED);
		return NULL;
	}
	kept = &session->contexts[factors][all_masters];
	if (*kept == NULL)
		*kept = sw_contexts_new(factors, all_masters, pulse, diag);
	return *kept;
}

static const sw_contexts *contexts_of(struct session *session, int factors, const sw_pulse *pulse, sw_diag *diag)
{
	return contexts_for(session, factors, setting_is(&session->state.settings, SETTING_MASTERS, "all"), pulse, diag);
}

struct seconds {
	double allreduce, best, bound;
};

/* Adds the seconds of a sum on a placement. */
static bool add_seconds(const struct invocation *run, const sw_placement *placement, const struct sum *sum,
	struct seconds *seconds, sw_diag *diag)
{
	struct session *session = run->session;
	sw_ports *ports = SW_NEW(run->arena, sw_ports, 1);
	sw_reduction_program best;

	if (ports == NULL)
		return sw_diag_memory(diag);
	if (!sw_ports_make(&session->state.placing->system, placement, sum->axes, way_of(session), ports, diag))
		return false;
	if (ports->hierarchy.count == 0)
		return true;
	const sw_contexts *contexts = contexts_of(session, ports->hierarchy.count, NULL, diag);
	if (contexts == NULL)
		return false;
	if (!sw_reduction_best(contexts, ports, sum->bytes, 0, &best))
		return sw_diag_memory(diag);
	seconds->allreduce += sw_ports_allreduce(ports, sum->bytes);
	seconds->best += best.total;
	seconds->bound += ports->system->topology == SW_TOPOLOGY_TREE ? sw_ports_bound(ports, sum->bytes) : 0;
	return true;
}

/* ---- placements ---- */

struct ranked {
	sw_placement placement;
	struct seconds seconds;
	int number; /* in ascending order */
};

struct ranking {
	int64_t count; /* of all placements */
	int listed;
	struct ranked *row;
	int sums;
	struct sum sum[SW_MAX_PLACED];
	bool timed;
};

static int by_best(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->seconds.best != y->seconds.best)
		return x->seconds.best < y->seconds.best ? -1 : 1;
	if (x->seconds.allreduce != y->seconds.allreduce)
		return x->seconds.allreduce < y->seconds.allreduce ? -1 : 1;
	return x->number - y->number;
}

static bool has_bandwidths(const sw_system *system)
{
	for (int j = 0; j < system->count; j++)
		if (system->level[j].bandwidth <= 0)
			return false;
	return true;
}

static bool time_row(const struct invocation *run, const struct ranking *ranking, struct ranked *row, sw_diag *diag)
{
	for (int i = 0; i < ranking->sums && ranking->timed; i++)
		if (!add_seconds(run, &row->placement, &ranking->sum[i], &row->seconds, diag))
			return false;
	return true;
}

static bool rank(const struct invocation *run, struct ranking *ranking, sw_diag *diag)
{
	const struct placing *placing = run->session->state.placing;
	int64_t size[SW_MAX_PLACED];
	sw_placement placement;

	for (int i = 0; i < placing->axes.count; i++)
		size[i] = placing->axes.axis[i].size;
	ranking->count = sw_placements_count(&placing->system, size, placing->axes.count);
	ranking->timed = ranking->sums > 0 && has_bandwidths(&placing->system);
	ranking->row = SW_NEW_ZERO(run->arena, struct ranked, sw_smaller(ranking->count, ROWS_LISTED));
	if (ranking->row == NULL || ranking->count < 0)
		return sw_diag_memory(diag);
	for (bool more = sw_placement_first(&placing->system, size, placing->axes.count, &placement);
		 more && ranking->listed < ROWS_LISTED; more = sw_placement_next(&placing->system, &placement)) {
		struct ranked *row = &ranking->row[ranking->listed];

		row->placement = placement;
		row->number = ranking->listed++;
		if (!time_row(run, ranking, row, diag))
			return false;
	}
	if (ranking->timed)
		qsort(ranking->row, (size_t)ranking->listed, sizeof *ranking->row, by_best);
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
	return rank(run, &ranking, diag) && keep_list(session, &ranking, diag) ? session->placements : NULL;
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

static char *axis_heading(const struct invocation *run, int axis)
{
	const char *name = run->session->state.placing->axes.axis[axis].name;
	size_t length = strlen(name);
	char *heading = SW_NEW(run->session->arena, char, length + 4);

	if (heading != NULL) {
		memcpy(heading, name, length);
		memcpy(heading + length, " is", 4);
	}
	return heading;
}

/* Number and matrix, what each axis is as far as there is room, seconds. */
static struct table *start_placements(const struct invocation *run, bool timed, int axes)
{
	struct column column[TABLE_COLUMNS] = {COLUMN_RIGHT("#", ROLE_LABEL), COLUMN_LEFT("matrix", ROLE_NUMBER)};
	int count = 2;

	for (int i = 0; i < axes; i++) {
		char *heading = axis_heading(run, i);

		column[count] = (struct column)COLUMN_LEFT(heading ? heading : "axis", ROLE_TEXT);
		column[count++].drops = axes - i;
	}
	if (timed) {
		column[count++] = (struct column)COLUMN_RIGHT("allreduce", ROLE_NUMBER);
		column[count++] = (struct column)COLUMN_RIGHT("best", ROLE_NUMBER);
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
	else
		table_add(table, "-");
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
			add_seconds_cells(table, &ranking->row[r].seconds, placing->system.topology == SW_TOPOLOGY_TREE);
	}
}

static void add_placement_fields(const struct invocation *run, const struct ranking *ranking, int shown)
{
	const struct placing *placing = run->session->state.placing;
	struct fields *fields = document_fields(run->answer, "shardwalk.placements/1"), *rows;

	field_count(fields, "count", ranking->count);
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
			if (placing->system.topology == SW_TOPOLOGY_TREE)
				field_number(one, "port_bound_s", row->seconds.bound);
		}
	}
}

static bool rows_to_show(const struct invocation *run, int64_t there, int64_t usual, int64_t *shown, sw_diag *diag)
{
	const struct word *limit = option_given(run, OPTION_LIMIT);

	*shown = wants_json(run) ? there : usual;
	if (limit != NULL && !read_count(run, limit, 1, INT64_MAX, shown, diag))
		return false;
	*shown = sw_smaller(*shown, there);
	return true;
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
	if (ranking.sums < 0 || !rank(run, &ranking, diag) || !keep_list(run->session, &ranking, diag) ||
		!rows_to_show(run, ranking.listed, ranking.listed, &shown, diag))
		return false;
	if (wants_json(run)) {
		add_placement_fields(run, &ranking, (int)shown);
		return true;
	}
	say_placements(run, &ranking, (int)shown);
	if (shown > 0)
		add_placements(run, &ranking, (int)shown);
	if (ranking.sums > 0 && !ranking.timed)
		answer_remark(run->session,
			"no seconds: a level has no bandwidth (system {node: 4 @ 8GB/s, gpu: 16 @ 270GB/s})");
	return true;
}

/* ---- reductions ---- */

struct found {
	struct sum sum;
	sw_ports *ports;
	const sw_contexts *contexts;
	int limit;
	int64_t count;
	sw_reduction_program *program;
	sw_reduction_program best; /* of any length */
	double allreduce, bound;
	int64_t faster;
	bool right;
};

static bool find_programs(struct invocation *run, struct found *found, sw_diag *diag)
{
	struct session *session = run->session;
	const struct placing *placing = session->state.placing;

	found->ports = SW_NEW(run->arena, sw_ports, 1);
	if (found->ports == NULL)
		return sw_diag_memory(diag);
	if (!sw_ports_make(&placing->system, &placing->placement, found->sum.axes, way_of(session), found->ports, diag))
		return false;
	if (found->ports->hierarchy.count == 0)
		return sw_diag_set(diag, SW_L07, (sw_span){0, 0},
			"the axes that are summed over have size 1: nothing is to be done");
	found->contexts = contexts_of(session, found->ports->hierarchy.count, NULL, diag);
	if (found->contexts == NULL)
		return false;
	found->count = sw_reduction_list(found->contexts, found->ports, found->sum.bytes, found->limit, INT64_MAX,
		run->arena, &found->program);
	if (found->count < 0 || !sw_reduction_best(found->contexts, found->ports, found->sum.bytes, 0, &found->best))
		return sw_diag_memory(diag);
	found->allreduce = sw_ports_allreduce(found->ports, found->sum.bytes);
	if (placing->system.topology == SW_TOPOLOGY_TREE)
		found->bound = sw_ports_bound(found->ports, found->sum.bytes);
	for (int64_t i = 0; i < found->count; i++)
		found->faster += found->program[i].total < found->allreduce * (1 - 1e-12);
	return true;
}

/* Executes all programs on a few devices of each factor: three tell 0, another and yet another apart. */
static bool check_programs(const struct invocation *run, struct found *found, sw_diag *diag)
{
	const sw_hierarchy *hierarchy = &found->ports->hierarchy;
	int64_t sizes[SW_MAX_SUMMED], most = hierarchy->count <= 2 ? 3 : 2;

	for (int f = 0; f < hierarchy->count; f++)
		sizes[f] = sw_smaller(sw_hierarchy_size(hierarchy, f), most);
	found->right = true;
	for (int64_t i = 0; i < found->count; i++) {
		int right = sw_reduction_sums(&found->program[i], sizes, hierarchy->count, run->arena);

		if (right < 0)
			return sw_diag_memory(diag);
		found->right = found->right && right == 1;
	}
	return true;
}

static void add_steps(const struct found *found, const sw_reduction_program *program, sw_text *text)
{
	for (int k = 0; k < program->count; k++) {
		sw_text_add(text, k > 0 ? "; " : "");
		sw_reduction_step_print(found->ports->system, &found->ports->hierarchy, &program->step[k], text);
	}
}

static bool is_tie(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static int64_t ties_from(const struct found *found, int64_t at)
{
	int64_t end = at + 1;

	while (end < found->count && is_tie(found->program[end].total, found->program[at].total))
		end++;
	return end - at;
}

/* Clauses with semicolons between them: where they are longer than a row, the last one stands in one of its own. */
static void say_clauses(const struct invocation *run, sw_text *text)
{
	const char *words = sw_text_get(text), *last = strrchr(words, ';');

	if (last == NULL || (int)strlen(words) <= run->answer->width)
		document_line(run->answer, "%s", words);
	else {
		document_line(run->answer, "%.*s;", (int)(last - words), words);
		document_line(run->answer, "  %s", last + 2);
	}
	sw_text_free(text);
}

static void say_programs(const struct invocation *run, const struct found *found)
{
	sw_text text = {0};

	sw_text_add(&text, "reductions  ");
	sw_print_count(&text, found->count);
	sw_text_addf(&text, " programs of at most %d step%s; %s; ", found->limit, found->limit == 1 ? "" : "s",
		found->right ? "all are right" : "SOME ARE WRONG");
	if (found->faster == 0)
		sw_text_add(&text, "none is faster than one allreduce");
	else
		sw_text_addf(&text, "%lld %s faster than one allreduce", (long long)found->faster,
			found->faster == 1 ? "is" : "are");
	say_clauses(run, &text);
}

/* Programs of one time share a row. */
static void add_programs(const struct invocation *run, const struct found *found, int64_t rows)
{
	static const struct column columns[] = {COLUMN_RIGHT("", ROLE_LABEL), COLUMN_RIGHT("", ROLE_NUMBER),
		COLUMN_LEFT("", ROLE_TEXT), {0}};
	struct table *table = document_table(run->answer, columns);

	for (int64_t at = 0, row = 0; at < found->count && row < rows; row++) {
		int64_t ties = ties_from(found, at);
		sw_text steps = {0};

		add_steps(found, &found->program[at], &steps);
		if (ties > 1)
			sw_text_addf(&steps, "   (%lld more tie%s)", (long long)ties - 1, ties == 2 ? "s" : "");
		table_add(table, "%lld", (long long)at + 1);
		table_add(table, "%s", words_seconds_to(found->program[at].total, 4).text);
		table_add_text(table, &steps);
		at += ties;
	}
}

static void say_proof(const struct invocation *run, const struct found *found)
{
	bool best_listed = found->count > 0 && !(found->best.total < found->program[0].total * (1 - 1e-12));
	sw_text text = {0};

	if (best_listed)
		sw_text_add(&text, "proved: no program of any length is faster");
	else {
		sw_text_addf(&text, "a program of %d steps takes %s: ", found->best.count,
			words_seconds_to(found->best.total, 4).text);
		add_steps(found, &found->best, &text);
		sw_text_add(&text, "; proved: none of any length is faster");
	}
	if (found->bound > 0)
		sw_text_addf(&text, "; no algorithm needs less than %s", words_seconds_to(found->bound, 4).text);
	say_clauses(run, &text);
}

/* ---- one program ---- */

static void add_first_group(const struct found *found, const sw_reduction_step *step, sw_arena *arena,
	struct table *table)
{
	int64_t groups, size, *list = sw_reduction_groups(&found->ports->hierarchy, step, arena, &groups, &size);
	sw_text counts = {0}, text = {0};

	if (list != NULL)
		sw_text_addf(&counts, "%lld of %lld", (long long)groups, (long long)size);
	table_add_text(table, &counts);
	for (int64_t m = 0; list != NULL && m < sw_smaller(size, 8); m++)
		sw_text_addf(&text, m == 0 ? "[%lld" : " %lld", (long long)list[m]);
	sw_text_add(&text, list == NULL ? "" : size > 8 ? " ..]" : "]");
	if (list != NULL && groups > 1)
		sw_text_add(&text, " ..");
	table_add_text(table, &text);
}

static void show_program(const struct invocation *run, const struct found *found, int64_t number)
{
	static const struct column columns[] = {COLUMN_RIGHT("step", ROLE_LABEL), COLUMN_LEFT("operation", ROLE_TEXT),
		COLUMN_RIGHT("time", ROLE_NUMBER), COLUMN_LEFT("groups", ROLE_NUMBER), COLUMN_LEFT("the first", ROLE_DIM),
		{0}};
	const sw_reduction_program *program = &found->program[number - 1];
	struct table *table;

	document_line(run->answer, "reduction %lld of %lld: %s", (long long)number, (long long)found->count,
		words_seconds_to(program->total, 4).text);
	table = document_table(run->answer, columns);
	for (int k = 0; k < program->count; k++) {
		sw_text text = {0};

		sw_reduction_step_print(found->ports->system, &found->ports->hierarchy, &program->step[k], &text);
		table_add(table, "%d", k + 1);
		table_add_text(table, &text);
		table_add(table, "%s", words_seconds_to(program->seconds[k], 4).text);
		add_first_group(found, &program->step[k], run->arena, table);
	}
}

static void add_program_fields(struct fields *in, const struct found *found, const sw_reduction_program *program)
{
	struct fields *steps = field_list(in, "steps");

	for (int k = 0; k < program->count; k++) {
		sw_text text = {0};

		sw_reduction_step_print(found->ports->system, &found->ports->hierarchy, &program->step[k], &text);
		field_printed(steps, NULL, &text);
	}
	struct fields *seconds = field_list(in, "seconds");
	for (int k = 0; k < program->count; k++)
		field_number(seconds, NULL, program->seconds[k]);
	field_number(in, "total_s", program->total);
}

static void add_found_fields(const struct invocation *run, const struct found *found, int64_t shown)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.reductions/1"), *rows;

	field_count(fields, "count", found->count);
	field_int(fields, "limit", found->limit);
	field_bool(fields, "right", found->right);
	field_int(fields, "faster", found->faster);
	field_number(fields, "allreduce_s", found->allreduce);
	field_number(fields, "any_length_s", found->best.total);
	if (found->bound > 0)
		field_number(fields, "port_bound_s", found->bound);
	add_program_fields(field_object(fields, "best"), found, &found->best);
	rows = field_list(fields, "programs");
	for (int64_t i = 0; i < shown; i++)
		add_program_fields(field_object(rows, NULL), found, &found->program[i]);
}

bool command_reductions(struct invocation *run, sw_diag *diag)
{
	const struct word *number = argument(run, 0), *length = option_given(run, OPTION_LENGTH);
	struct found found = {.limit = LENGTH_LISTED};
	int64_t limit = LENGTH_LISTED, shown, chosen = 0;

	if (!need_placement(run->session, diag) || !need_sum(run->session, &found.sum, diag))
		return false;
	if (length != NULL && !read_count(run, length, 1, SW_MAX_REDUCTION_STEPS, &limit, diag))
		return false;
	found.limit = (int)limit;
	if (!find_programs(run, &found, diag) || !check_programs(run, &found, diag) ||
		!rows_to_show(run, found.count, 10, &shown, diag))
		return false;
	if (number != NULL && !read_count(run, number, 1, found.count, &chosen, diag))
		return false;
	if (wants_json(run))
		add_found_fields(run, &found, shown);
	else if (chosen > 0)
		show_program(run, &found, chosen);
	else {
		say_programs(run, &found);
		add_programs(run, &found, shown);
		say_proof(run, &found);
	}
	return true;
}
