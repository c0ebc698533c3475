/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collectives of a module as rows, and in words.
 */
#include "views/collectives.h"

#include <string.h>

#include <shardwalk/number.h>

#include "answer/order.h"

/* ---- rows ---- */

/* -1: the text does not say its size. */
static double bytes_of(const struct row_at *at)
{
	const sw_traffic_row *row = at->row;
	return row->unsized && row->bytes <= 0 ? -1 : sw_traffic_bytes(row);
}

static double each_of(const struct row_at *at)
{
	const sw_traffic_row *row = at->row;
	return row->unsized && row->bytes <= 0 ? -1 : row->bytes;
}

static double mean_of(const struct row_at *at)
{
	const sw_traffic_row *row = at->row;
	return row->unsized && row->bytes <= 0 ? -1 : row->mean;
}

static double share_of(const struct row_at *at)
{
	const sw_traffic *traffic = at->of;
	return traffic->bytes > 0 ? sw_traffic_bytes(at->row) / traffic->bytes : -1;
}

/* Where it is, for folds: the line of the program, or else of the module. */
static void print_place(const struct row_at *at, sw_text *text)
{
	const sw_traffic_row *row = at->row;
	if (row->source)
		sw_text_add(text, row->source);
	else
		sw_text_addf(text, "line %lld", (long long)row->line);
}

static void print_loop(const struct row_at *at, sw_text *text)
{
	const sw_traffic_row *row = at->row;
	sw_text_addf(text, row->loop ? "line %lld" : "none", (long long)row->loop);
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

enum { FOLDED = 1, FOLDED_BY_LOOP = 2, FOLDED_BY_LINE = 4 };

#define PATH_LIKED 43 /* columns of a whole path, beside what each row has to have */
#define SOURCE_LIKED 15
#define SOURCE_LEAST 12 /* columns of the end of one */

static const struct row_column columns[] = {
	ROW_BY("place", "line", TEXT, .print = print_place, .order = "line", .folds = true, .when = FOLDED_BY_LINE,
		.as = {.fit = CELL_WRAP, .wants = PATH_LIKED, .gives = PATH_LIKED}),
	ROW_BY("rows", "rows", FOLDED, .when = FOLDED),
	ROW_BY("bytes_in_all", "bytes", AMOUNT, .number_of = bytes_of, .adds = true, .order = "bytes"),
	ROW_BY("share", "share", SHARE, .number_of = share_of, .adds = true, .round = 6, .as = {.drops = 1}),
	ROW_AT("runs", "runs", COUNT, sw_traffic_row, runs, .adds = true, .as = {.drops = 3}),
	ROW_BY("bytes", "each", AMOUNT, .number_of = each_of, .as = {.optional = true, .drops = 2}),
	ROW_BY("mean", NULL, NUMBER, .number_of = mean_of),
	ROW_BY("kind", "collective", WORD, .word_of = kind_of, .role = ROLE_OP, .order = "kind", .folds = true),
	ROW_AT("count", NULL, COUNT, sw_traffic_row, count, .adds = true),
	ROW_AT("where", "groups or ring", WORD, sw_traffic_row, where,
		.as = {.fit = CELL_WRAP, .optional = true, .drops = 4, .wants = 14, .gives = 14}),
	ROW_AT("source", "source", WORD, sw_traffic_row, source, .order = "line", .unless = FOLDED_BY_LINE, .place = 1,
		.as = {.fit = CELL_END, .less = ", from ", .optional = true, .wants = SOURCE_LIKED, .gives = SOURCE_LEAST}),
	ROW_AT("line", "line", COUNT, sw_traffic_row, line, .rises = true, .order = "line", .unless = FOLDED_BY_LINE,
		.as = {.optional = true}),
	ROW_AT("loop", NULL, COUNT, sw_traffic_row, loop, .above = true),
	ROW_BY(NULL, "in loop", TEXT, .print = print_loop, .order = "loop", .folds = true, .when = FOLDED_BY_LOOP),
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
	ROW_AT("unsized", NULL, FLAG, sw_traffic_row, unsized),
	ROW_AT("wrong_groups", NULL, FLAG, sw_traffic_row, wrong),
};

struct rows collectives_rows(const sw_traffic *traffic)
{
	return ROWS_OF(columns, traffic->row, traffic->count, .of = traffic);
}

static bool is_other(const sw_traffic_row *row)
{
	return row->unsized || (!row->planned && row->bytes > 0);
}

/* Orders that these rows have: they know no saving and no time. */
static bool has_order(const struct rows *rows, const char *by)
{
	const char *word;
	for (int n = 0; (word = rows_order_word(rows, false, n)); n++)
		if (strcmp(word, by) == 0)
			return true;
	return false;
}

bool collectives_arrange(struct rows *rows, const char *by, const char *fold, sw_arena *arena, sw_diag *diag)
{
	static const char *const folds[] = {"loop", "line"};
	rows->is = fold ? FOLDED : 0;
	for (size_t k = 0; fold && k < sizeof(folds) / sizeof(*folds); k++)
		rows->is |= strcmp(fold, folds[k]) == 0 ? (unsigned)FOLDED_BY_LOOP << k : 0;
	return (!fold || rows_fold(rows, sw_str_of(fold), arena, diag)) &&
		rows_order(rows, sw_str_of("bytes"), arena, diag) &&
		(!by || !has_order(rows, by) || rows_order(rows, sw_str_of(by), arena, diag));
}

bool collectives_others(const sw_traffic *traffic, const char *by, const char *fold, sw_arena *arena,
	struct rows *rows, sw_diag *diag)
{
	sw_traffic_row *row = SW_NEW(arena, sw_traffic_row, traffic->count + 1);
	int count = 0;
	if (!row)
		return sw_diag_memory(diag);
	for (int i = 0; i < traffic->count; i++)
		if (is_other(&traffic->row[i]))
			row[count++] = traffic->row[i];
	*rows = ROWS_OF(columns, row, count, .of = traffic, .narrow = true);
	return collectives_arrange(rows, by, fold, arena, diag);
}

/* ---- in words ---- */

/* "8 collective-permutes and 3 all-to-alls"; how many that is. */
static int64_t add_kinds(const sw_traffic *traffic, sw_text *text)
{
	int64_t count[SW_TRAFFIC_KIND_COUNT] = {0};
	int64_t all = 0;
	int kinds = 0, said = 0;
	for (int i = 0; i < traffic->count; i++)
		if (is_other(&traffic->row[i]) && (traffic->row[i].unsized || sw_traffic_bytes(&traffic->row[i]) > 0))
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

/* None of its collectives says its sizes. */
static void add_unsized(const sw_traffic *traffic, bool beside, sw_text *text)
{
	sw_text_addf(text, "The program calls%s ", beside ? ", in addition to what it asks for," : "");
	sw_text_add(text, add_kinds(traffic, text) ? ", whose bytes are unknown:" : ":");
}

/* Of a program that is not partitioned yet redistributions are asked for, and collectives called. */
static void add_called(const sw_traffic *traffic, bool beside, sw_text *text)
{
	sw_text_add(text, "Collectives that the program itself calls bring ");
	sw_print_real_bytes(text, traffic->bytes);
	sw_text_add(text, " to a device in each run (mean ");
	sw_print_real_bytes(text, traffic->mean);
	sw_text_addf(text, ")%s, in ", beside ? ", in addition to what it asks for" : "");
	add_kinds(traffic, text);
	sw_text_add(text, ":");
}

static void add_found(const sw_traffic *traffic, sw_text *text)
{
	double rest = traffic->bytes - traffic->planned_bytes;
	sw_text_add(text, "Of ");
	sw_print_real_bytes(text, traffic->bytes);
	sw_text_add(text, " that collectives bring to a device in each run of the module (mean ");
	sw_print_real_bytes(text, traffic->mean);
	sw_text_add(text, "), ");
	if (rest <= 0)
		sw_text_add(text, "all are in chains.");
	else if (traffic->planned_bytes > 0)
		sw_print_real_bytes(text, traffic->planned_bytes);
	if (rest <= 0)
		return;
	sw_text_add(text, traffic->planned_bytes > 0 ? " are in chains, the rest in " : "none are in chains, all in ");
	int64_t all = add_kinds(traffic, text);
	sw_text_addf(text, " that %s not redistributions:", plural(all, "is", "are"));
}

void collectives_total(const sw_traffic *traffic, bool called, bool beside, sw_text *text)
{
	if (called && traffic->bytes <= 0 && traffic->unsized)
		add_unsized(traffic, beside, text);
	else if (called)
		add_called(traffic, beside, text);
	else
		add_found(traffic, text);
}

void collectives_most(const sw_traffic *traffic, sw_text *text)
{
	const sw_traffic_row *most = traffic->row;
	for (int i = 1; i < traffic->count; i++)
		most = sw_traffic_bytes(&traffic->row[i]) > sw_traffic_bytes(most) ? &traffic->row[i] : most;
	if (traffic->count < 2 || 2 * sw_traffic_bytes(most) <= traffic->bytes ||
		sw_traffic_bytes(most) == traffic->bytes)
		return;
	sw_print_real_bytes(text, sw_traffic_bytes(most));
	sw_text_add(text, " of ");
	sw_print_real_bytes(text, traffic->bytes);
	if (most->count == 1)
		sw_text_addf(text, " are one %s, ", sw_traffic_name(most->kind));
	else
		sw_text_addf(text, " are %lld %ss, ", (long long)most->count, sw_traffic_name(most->kind));
	if (most->source)
		sw_text_add(text, most->source);
	else
		sw_text_addf(text, "line %lld", (long long)most->line);
}
