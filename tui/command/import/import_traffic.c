/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all collectives of a module bring to a device: the total, how much of it is in chains, and a table of the others.
 */
#include "command/import/import_traffic.h"

#include "views/collectives.h"

#define ROWS_MOST 24 /* of the table that people read */

const sw_traffic *import_traffic_of(const struct import *import)
{
	return import->module                                            ? &import->module->traffic :
		import->beside                                               ? &import->beside->traffic :
		import->log && (import->log->module || import->log->printed) ? &import->log->traffic :
																	   NULL;
}

/* The reasons that hold for rows of the total, each once. */
static void say_bound(const struct import *import, const sw_traffic *traffic)
{
	bool printed = import->log && import->log->printed, ragged = false, other = false;
	sw_text text = {0};
	for (int i = 0; i < traffic->count; i++) {
		const sw_traffic_row *row = &traffic->row[i];
		ragged |= row->at_most && row->runs && row->kind == SW_TRAFFIC_RAGGED;
		other |= row->at_most && row->runs && row->kind != SW_TRAFFIC_RAGGED;
	}
	if (ragged)
		sw_text_add(&text, "the sizes of a ragged-all-to-all are known only when the program runs");
	if (other)
		sw_text_addf(&text, "%s%s", ragged ? "; " : "",
			printed ? "the text does not give the size of a group" :
					  "a manual computation leaves axes to the compiler");
	answer_remark(import->run->session, "the total is an upper bound: %s", sw_text_get(&text));
	sw_text_free(&text);
}

#define WRONG_MOST 8 /* lines that are named */

/* Each row whose groups are none, by its line. */
static void say_wrong(const struct import *import, const sw_traffic *traffic)
{
	int64_t said = 0, named = traffic->wrong < WRONG_MOST ? traffic->wrong : WRONG_MOST;
	sw_text text = {0};
	for (int i = 0; i < traffic->count && said < named; i++) {
		if (!traffic->row[i].wrong)
			continue;
		sw_text_add(&text, !said ? "" : said + 1 < traffic->wrong ? ", " : " and ");
		sw_text_addf(&text, "%lld", (long long)traffic->row[i].line);
		said++;
	}
	if (traffic->wrong > named)
		sw_text_addf(&text, " and %lld more", (long long)(traffic->wrong - named));
	if (traffic->wrong == 1)
		answer_remark(import->run->session,
			"line %s: its groups do not match the devices; it counts as one group of all", sw_text_get(&text));
	else if (traffic->wrong)
		answer_remark(import->run->session,
			"lines %s: their groups do not match the devices; each counts as one group of "
			"all",
			sw_text_get(&text));
	sw_text_free(&text);
}

static void say_branches(const struct import *import, const sw_traffic *traffic)
{
	if (traffic->branches)
		answer_remark(import->run->session, "only the branch that moves most counts, for %lld %s",
			(long long)traffic->branches, plural(traffic->branches, "conditional", "conditionals"));
}

static void say_limits(const struct import *import, const sw_traffic *traffic)
{
	struct session *session = import->run->session;
	say_branches(import, traffic);
	if (traffic->open)
		answer_remark(session, "the total is too low if a loop does not say how often it runs: it counts once");
	if (traffic->at_most)
		say_bound(import, traffic);
	if (traffic->unsized)
		answer_remark(session,
			"the total leaves out %lld %s whose sizes the text does not give; DebugMode and print_readable() "
			"print them",
			(long long)traffic->unsized, plural(traffic->unsized, "collective", "collectives"));
	say_wrong(import, traffic);
}

static bool add_table(const struct import *import, const sw_traffic *traffic, sw_diag *diag)
{
	struct rows rows;
	if (!collectives_others(traffic, import->imports.by, import->imports.fold, import->run->arena, &rows, diag))
		return false;
	int64_t count = rows_shown(&rows);
	struct row_order shown = count ? *rows.order : (struct row_order){0};
	shown.count = count > ROWS_MOST + 1 ? ROWS_MOST : count;
	rows.order = &shown;
	if (count && !rows_table(&rows, import->run->answer, diag))
		return false;
	if (shown.count < count)
		document_line(import->run->answer, "and %lld more that move less", (long long)(count - shown.count));
	return true;
}

void import_traffic_most(const struct import *import)
{
	const sw_traffic *traffic = import_traffic_of(import);
	sw_text text = {0};
	if (traffic && traffic->count)
		collectives_most(traffic, &text);
	if (text.length)
		document_say(import->run->answer, 0, "%s.", sw_text_get(&text));
	sw_text_free(&text);
}

bool import_traffic(const struct import *import, sw_diag *diag)
{
	const sw_traffic *traffic = import_traffic_of(import);
	sw_text text = {0};
	if (!traffic)
		return true;
	if (traffic->bytes <= 0 && !traffic->unsized) {
		say_branches(import, traffic);
		return true;
	}
	document_line(import->run->answer, "%s", "");
	collectives_total(traffic, !import->module && !import->beside && traffic->planned_bytes <= 0,
		import->imports.count > 0, &text);
	document_say(import->run->answer, 0, "%s", sw_text_get(&text));
	sw_text_free(&text);
	say_limits(import, traffic);
	return add_table(import, traffic, diag);
}

/* ---- fields ---- */

/* All of them in their order, and where they are folded what is folded. */
static bool add_rows(const struct import *import, struct rows *rows, struct fields *in, sw_diag *diag)
{
	const struct imports *imports = &import->imports;
	sw_arena *arena = import->run->arena;
	if (!collectives_arrange(rows, imports->by, NULL, arena, diag))
		return false;
	return rows_list(rows, in, "rows", diag) &&
		(!imports->fold ||
			(collectives_arrange(rows, imports->by, imports->fold, arena, diag) &&
				rows_list(rows, in, "folds", diag)));
}

bool import_traffic_fields(const struct import *import, struct fields *in, sw_diag *diag)
{
	const sw_traffic *traffic = import_traffic_of(import);
	if (!traffic)
		return true;
	struct fields *object = field_object(in, "traffic");
	struct rows rows = collectives_rows(traffic);
	field_number(object, "bytes", traffic->bytes);
	field_number(object, "mean", traffic->mean);
	field_number(object, "bytes_in_chains", traffic->planned_bytes);
	field_int(object, "branches", traffic->branches);
	field_int(object, "open", traffic->open);
	field_int(object, "at_most", traffic->at_most);
	field_int(object, "unsized", traffic->unsized);
	field_int(object, "wrong_groups", traffic->wrong);
	return add_rows(import, &rows, object, diag);
}
