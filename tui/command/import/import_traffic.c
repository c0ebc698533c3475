/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all collectives of a module bring to a device: the total, how much of it is in chains, and a table of the others.
 */
#include "command/import/import_traffic.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "answer/rows.h"

#define ROWS_MOST 24 /* of the table that people read */

const sw_traffic *import_traffic_of(const struct import *import)
{
	return import->module                  ? &import->module->traffic :
		import->log && import->log->module ? &import->log->traffic :
											 NULL;
}

/* ---- rows ---- */

static void print_large(double bytes, sw_text *text)
{
	if (bytes < 9e18)
		sw_print_bytes(text, (int64_t)(bytes + 0.5));
	else
		sw_text_add(text, "huge");
}

static double bytes_of(const struct row_at *at)
{
	return sw_traffic_bytes(at->row);
}

static void print_bytes(const struct row_at *at, sw_text *text)
{
	print_large(sw_traffic_bytes(at->row), text);
}

static void print_each(const struct row_at *at, sw_text *text)
{
	print_large(((const sw_traffic_row *)at->row)->bytes, text);
}

static const char *kind_of(const struct row_at *at)
{
	return sw_traffic_name(((const sw_traffic_row *)at->row)->kind);
}

static const char *form_of(const struct row_at *at)
{
	static const char *const forms[] = {
		[SW_TRAFFIC_GROUPS] = "groups",
		[SW_TRAFFIC_PAIRS] = "pairs",
		[SW_TRAFFIC_RING] = "ring",
		[SW_TRAFFIC_LINE] = "line",
		[SW_TRAFFIC_HALO] = "halo",
	};
	return forms[((const sw_traffic_row *)at->row)->form];
}

static bool fill_halo(const struct row_at *at, struct fields *in)
{
	const sw_traffic_row *row = at->row;
	if (row->form != SW_TRAFFIC_HALO)
		return true;
	field_int(in, "dimension", row->halo_dim);
	field_int(in, "from", row->halo_from);
	field_int(in, "to", row->halo_to);
	field_int(in, "of", row->halo_of);
	return true;
}

static const struct row_column traffic_columns[] = {
	ROW_BY("bytes_in_all", "bytes", NUMBER, .number_of = bytes_of, .print = print_bytes),
	ROW_AT("runs", "runs", COUNT, sw_traffic_row, runs),
	ROW_AT("bytes", "each", NUMBER, sw_traffic_row, bytes, .print = print_each),
	ROW_AT("mean", NULL, NUMBER, sw_traffic_row, mean),
	ROW_BY("kind", "collective", WORD, .word_of = kind_of, .role = ROLE_OP),
	ROW_AT("count", NULL, COUNT, sw_traffic_row, count),
	ROW_AT("where", "groups or ring", WORD, sw_traffic_row, where, .as = {.fit = CELL_WRAP, .gives = 16}),
	ROW_AT("line", "line", COUNT, sw_traffic_row, line),
	ROW_AT("source", "source", WORD, sw_traffic_row, source, .as = {.fit = CELL_CUT, .gives = 8}),
	ROW_AT("op_name", NULL, WORD, sw_traffic_row, op_name),
	ROW_AT("name", NULL, WORD, sw_traffic_row, name),
	ROW_AT("computation", NULL, WORD, sw_traffic_row, computation),
	ROW_BY("form", NULL, WORD, .word_of = form_of),
	ROW_AT("groups", NULL, COUNT, sw_traffic_row, groups),
	ROW_AT("size", NULL, COUNT, sw_traffic_row, size),
	ROW_AT("uneven", NULL, FLAG, sw_traffic_row, uneven),
	ROW_AT("offset", NULL, COUNT, sw_traffic_row, offset, .any = true),
	ROW_AT("beside", NULL, COUNT, sw_traffic_row, beside),
	ROW_BY("halo", NULL, OBJECT, .fill = fill_halo),
	ROW_AT("in_chain", NULL, FLAG, sw_traffic_row, planned),
	ROW_AT("open", NULL, FLAG, sw_traffic_row, open),
	ROW_AT("untaken", NULL, FLAG, sw_traffic_row, untaken),
	ROW_AT("at_most", NULL, FLAG, sw_traffic_row, at_most),
	ROW_AT("wrong_groups", NULL, FLAG, sw_traffic_row, wrong),
};

/* ---- in words ---- */

static int compare_bytes(const void *a, const void *b)
{
	const sw_traffic_row *const *x = a, *const *y = b;
	double left = sw_traffic_bytes(*x), right = sw_traffic_bytes(*y);
	return left != right ? (left < right) - (left > right) : ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

/* "8 collective-permutes and 3 all-to-alls"; how many that is. */
static int64_t add_kinds(const sw_traffic *traffic, sw_text *text)
{
	int64_t count[SW_TRAFFIC_KIND_COUNT] = {0};
	int64_t all = 0;
	int kinds = 0, said = 0;
	for (int i = 0; i < traffic->count; i++)
		if (!traffic->row[i].planned && sw_traffic_bytes(&traffic->row[i]) > 0)
			count[traffic->row[i].kind] += traffic->row[i].count;
	for (int k = 0; k < SW_TRAFFIC_KIND_COUNT; k++)
		kinds += count[k] > 0;
	for (int k = 0; k < SW_TRAFFIC_KIND_COUNT; k++) {
		if (!count[k])
			continue;
		sw_text_add(text, !said ? "" : said + 1 < kinds ? ", " : " and ");
		sw_text_addf(text, "%lld %s%s", (long long)count[k], sw_traffic_name(k), count[k] > 1 ? "s" : "");
		all += count[k];
		said++;
	}
	return all;
}

/* Of a program that is not partitioned yet redistributions are asked for, and collectives called. */
static void say_called(const struct import *import, const sw_traffic *traffic)
{
	sw_text text = {0};
	sw_text_add(&text, "Collectives that the program calls itself bring ");
	print_large(traffic->bytes, &text);
	sw_text_add(&text, " to a device while it runs once (mean ");
	print_large(traffic->mean, &text);
	sw_text_addf(&text, ")%s, in ", import->imports.count ? ", beside what it asks for" : "");
	add_kinds(traffic, &text);
	document_say(import->run->answer, 0, "%s:", sw_text_get(&text));
	sw_text_free(&text);
}

static void say_total(const struct import *import, const sw_traffic *traffic)
{
	double rest = traffic->bytes - traffic->planned_bytes;
	sw_text text = {0};
	sw_text_add(&text, "Of ");
	print_large(traffic->bytes, &text);
	sw_text_add(&text, " that collectives bring to a device while the module runs once (mean ");
	print_large(traffic->mean, &text);
	sw_text_add(&text, "), ");
	if (rest <= 0)
		sw_text_add(&text, "all are in chains.");
	else if (traffic->planned_bytes > 0)
		print_large(traffic->planned_bytes, &text);
	if (rest > 0) {
		sw_text_add(&text,
			traffic->planned_bytes > 0 ? " are in chains, the rest in " : "none are in chains, all in ");
		int64_t all = add_kinds(traffic, &text);
		sw_text_addf(&text, " that %s no redistribution:", plural(all, "is", "are"));
	}
	document_say(import->run->answer, 0, "%s", sw_text_get(&text));
	sw_text_free(&text);
}

/* "24 KiB of 31 KiB are one all-reduce, moe.py:41" */
static void say_most(const struct import *import, const sw_traffic *traffic)
{
	const sw_traffic_row *most = traffic->row;
	sw_text text = {0};
	for (int i = 1; i < traffic->count; i++)
		most = sw_traffic_bytes(&traffic->row[i]) > sw_traffic_bytes(most) ? &traffic->row[i] : most;
	if (traffic->count < 2 || 2 * sw_traffic_bytes(most) <= traffic->bytes ||
		sw_traffic_bytes(most) == traffic->bytes)
		return;
	print_large(sw_traffic_bytes(most), &text);
	sw_text_add(&text, " of ");
	print_large(traffic->bytes, &text);
	if (most->count == 1)
		sw_text_addf(&text, " are one %s, ", sw_traffic_name(most->kind));
	else
		sw_text_addf(&text, " are %lld %ss, ", (long long)most->count, sw_traffic_name(most->kind));
	if (most->source)
		sw_text_add(&text, most->source);
	else
		sw_text_addf(&text, "line %lld of the module", (long long)most->line);
	document_say(import->run->answer, 0, "%s.", sw_text_get(&text));
	sw_text_free(&text);
}

static void say_limits(const struct import *import, const sw_traffic *traffic)
{
	struct session *session = import->run->session;
	if (traffic->branches)
		answer_remark(session, "of the branches of %lld %s only the one that moves most counts",
			(long long)traffic->branches, plural(traffic->branches, "conditional", "conditionals"));
	if (traffic->open)
		answer_remark(session, "the total is too low where a loop does not say how often it runs: it counts once");
	if (traffic->at_most)
		answer_remark(session,
			"the total is an upper bound: sizes of a ragged-all-to-all are not known before the program runs, or a manual "
			"computation leaves axes to the compiler");
	if (traffic->wrong)
		answer_remark(session, "line %lld: its groups are none of the devices; it counts as one group of all",
			(long long)traffic->wrong_line);
}

static bool add_table(const struct import *import, const sw_traffic *traffic, sw_diag *diag)
{
	const sw_traffic_row **order = SW_NEW(import->run->arena, const sw_traffic_row *, traffic->count);
	sw_traffic_row *row = SW_NEW(import->run->arena, sw_traffic_row, traffic->count);
	int count = 0;
	if (!order || !row)
		return sw_diag_memory(diag);
	for (int i = 0; i < traffic->count; i++)
		if (!traffic->row[i].planned && traffic->row[i].bytes > 0)
			order[count++] = &traffic->row[i];
	if (count)
		qsort(order, (size_t)count, sizeof(*order), compare_bytes);
	for (int i = 0; i < count; i++)
		row[i] = *order[i];
	int shown = count > ROWS_MOST + 1 ? ROWS_MOST : count;
	struct rows rows = ROWS_OF(traffic_columns, row, shown, .narrow = true);
	if (count && !rows_table(&rows, import->run->answer, diag))
		return false;
	if (shown < count)
		document_line(import->run->answer, "and %d more that move less", count - shown);
	return true;
}

bool import_traffic(const struct import *import, sw_diag *diag)
{
	const sw_traffic *traffic = import_traffic_of(import);
	if (!traffic || traffic->bytes <= 0)
		return true;
	document_line(import->run->answer, "%s", "");
	say_most(import, traffic);
	(import->module ? say_total : say_called)(import, traffic);
	say_limits(import, traffic);
	return add_table(import, traffic, diag);
}

/* ---- fields ---- */

bool import_traffic_fields(const struct import *import, struct fields *in, sw_diag *diag)
{
	const sw_traffic *traffic = import_traffic_of(import);
	if (!traffic)
		return true;
	struct fields *object = field_object(in, "traffic");
	struct rows rows = ROWS_OF(traffic_columns, traffic->row, traffic->count);
	field_number(object, "bytes", traffic->bytes);
	field_number(object, "mean", traffic->mean);
	field_number(object, "bytes_in_chains", traffic->planned_bytes);
	field_int(object, "branches", traffic->branches);
	field_int(object, "open", traffic->open);
	field_int(object, "at_most", traffic->at_most);
	field_int(object, "wrong_groups", traffic->wrong);
	return rows_list(&rows, object, "rows", diag);
}
