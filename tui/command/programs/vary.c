/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ways of a product while one letter grows.
 */
#define _GNU_SOURCE
#include "command/programs/vary.h"

#include <math.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/chart.h"
#include "canvas/table.h"
#include "views/draw.h"

enum { WAYS_VARIED = 3, SIZES_MOST = 40, CHART_ROWS = 8 };

struct varied {
	char letter;
	int64_t least, most;
	int count, ways;
	double size[SIZES_MOST];
	double comm[WAYS_VARIED][SIZES_MOST], math[WAYS_VARIED][SIZES_MOST]; /* negative: it is none there */
};

/* ---- what is asked ---- */

static bool refuse(const struct invocation *run, const struct word *word, sw_diag *diag)
{
	sw_diag_set(diag, SW_L02, (sw_span){0, 0}, "this is not a letter with two sizes");
	sw_diag_expected(diag, "a letter of the equation and its sizes, b=64..8192");
	return refuse_at(run, word->raw, diag);
}

static bool read_varied(const struct invocation *run, const sw_product *p, const struct word *word,
	struct varied *out, sw_diag *diag)
{
	sw_str text = word->text;
	const char *dots = memmem(text.at, text.length, "..", 2);

	if (text.length < 6 || text.at[1] != '=' || dots == NULL)
		return refuse(run, word, diag);
	out->letter = *text.at;
	sw_str least = {text.at + 2, (size_t)(dots - text.at) - 2};
	sw_str most = sw_str_behind(text, (size_t)(dots - text.at) + 2);
	if (!sw_read_int(least, &out->least, NULL) || !sw_read_int(most, &out->most, NULL) || out->least < 1 ||
		out->most < out->least || out->most / out->least >= (int64_t)1 << (SIZES_MOST - 1))
		return refuse(run, word, diag);
	return sw_equation_find(&p->equation, SW_EQUATION_A, out->letter) >= 0 ||
		sw_equation_find(&p->equation, SW_EQUATION_B, out->letter) >= 0 || refuse(run, word, diag);
}

/* ---- another size ---- */

/* The same cuts of an array whose dimension `dim` has another size; false where they do not divide it. */
static bool resize(const sw_mesh *mesh, sw_type *type, int dim, int64_t size)
{
	sw_part parts[SW_MAX_PARTS], sums[SW_MAX_PARTS];
	int count[SW_MAX_DIMS], n = 0, summed = sw_type_sums(type, sums);
	int64_t global[SW_MAX_DIMS];
	sw_type out;

	for (int i = 0; i < type->rank; i++) {
		global[i] = i == dim ? size : type->global[i];
		count[i] = sw_type_parts(type, i, parts + n);
		n += count[i];
	}
	if (!sw_type_replicated(type->dtype, type->rank, global, &out, NULL) ||
		!sw_type_partition(mesh, &out, count, parts, NULL) || !sw_type_set_sums(mesh, &out, sums, summed, NULL))
		return false;
	out.dtype_given = type->dtype_given;
	*type = out;
	return true;
}

static bool resize_all(const sw_product *p, char letter, int64_t size, sw_product *out)
{
	sw_type *types[] = {&out->a, &out->b, &out->as};

	*out = *p;
	for (int side = 0; side < (p->wanted ? 3 : 2); side++) {
		int dim = sw_equation_find(&p->equation, side, letter);

		if (dim >= 0 && !resize(&p->mesh, types[side], dim, size))
			return false;
	}
	return true;
}

/* Are two types cut alike, whatever their sizes? */
static bool cut_alike(const sw_type *a, const sw_type *b)
{
	if (memcmp(a->first, b->first, (size_t)(a->rank + 2)) != 0)
		return false;
	for (int k = 0; k < a->first[a->rank + 1]; k++) {
		sw_part one = sw_type_part(a, k), other = sw_type_part(b, k);

		if (one.axis != other.axis || one.pre != other.pre || one.size != other.size)
			return false;
	}
	return true;
}

static const sw_way *same_way(const sw_ways *ways, const sw_type wanted[3])
{
	sw_type types[3];

	for (int64_t n = 0; n < ways->count; n++) {
		sw_ways_types(ways, &ways->way[n], types);
		if (cut_alike(&types[0], &wanted[0]) && cut_alike(&types[1], &wanted[1]))
			return &ways->way[n];
	}
	return NULL;
}

static bool add_size(const sw_ways *of, const sw_ways_options *options, int64_t size, struct varied *v, sw_diag *diag)
{
	sw_product product;
	sw_ways ways;
	sw_type wanted[3];
	sw_arena *arena;

	if (!resize_all(of->product, v->letter, size, &product))
		return true;
	arena = sw_arena_new();
	bool ok = arena != NULL ? sw_ways_find(&product, options, arena, &ways, diag) : sw_diag_memory(diag);
	for (int k = 0; k < v->ways && ok; k++) {
		sw_ways_types(of, &of->way[k], wanted);
		const sw_way *way = same_way(&ways, wanted);

		v->comm[k][v->count] = way != NULL ? way->comm : -1;
		v->math[k][v->count] = way != NULL ? way->math : -1;
	}
	v->size[v->count++] = (double)size;
	sw_arena_free(arena);
	return ok;
}

/* ---- drawn ---- */

/* One way, as a chart asks for it. */
struct curve_of {
	const struct varied *v;
	int way;
};

/* Between two sizes as on a logarithmic axis. */
static double between(const struct varied *v, const double *value, double at)
{
	int k = 1;

	while (k + 1 < v->count && v->size[k] < at)
		k++;
	if (value[k] <= 0 || value[k - 1] <= 0)
		return value[k];
	double part = log(at / v->size[k - 1]) / log(v->size[k] / v->size[k - 1]);
	return exp(log(value[k - 1]) + part * log(value[k] / value[k - 1]));
}

static double comm_at(const void *context, double at)
{
	const struct curve_of *of = context;
	return between(of->v, of->v->comm[of->way], at);
}

static double math_at(const void *context, double at)
{
	const struct curve_of *of = context;
	return between(of->v, of->v->math[of->way], at);
}

static void size_words(double size, sw_text *text)
{
	sw_text_addf(text, "%.4g", size);
}

static void time_words(double seconds, sw_text *text)
{
	words_tick(seconds, "", text);
}

static void draw_way(const struct invocation *run, const struct varied *v, int way)
{
	static chart_value *const more[] = {math_at, NULL};
	struct canvas *canvas = document_canvas(run->answer);
	const struct curve_of of = {v, way};
	double values[2 * SIZES_MOST];
	sw_text words = {0};
	int count = 0;

	for (int k = 0; k < v->count; k++) {
		values[count++] = v->comm[way][k];
		values[count++] = v->math[way][k];
	}
	sw_text_addf(&words, "way %d: communication and (dotted) the product, over %c", way + 1, v->letter);
	struct chart_curve curve = {.right = chart_axis_of(v->size, v->count, 0, size_words),
		.up = chart_axis_of(values, count, 0, time_words),
		.right_words = "size of the letter",
		.up_words = sw_text_get(&words),
		.value = comm_at,
		.more = more,
		.context = &of};
	chart_curve_draw(canvas, 0, canvas->width, CHART_ROWS, &curve);
	sw_text_free(&words);
}

static void add_table(const struct invocation *run, const struct varied *v)
{
	static const char *const heads[] = {"1 comm", "1 product", "2 comm", "2 product", "3 comm", "3 product"};
	struct column columns[2 * WAYS_VARIED + 2] = {COLUMN_RIGHT("size", ROLE_LABEL)};
	struct table *table;

	for (int k = 0; k < 2 * v->ways; k++)
		columns[k + 1] = (struct column)COLUMN_RIGHT(heads[k], ROLE_NUMBER);
	table = document_table(run->answer, columns);
	for (int n = 0; n < v->count; n++) {
		table_add(table, "%.0f", v->size[n]);
		for (int k = 0; k < v->ways; k++) {
			table_add(table, "%s", words_seconds(v->comm[k][n]).text);
			table_add(table, "%s", words_seconds(v->math[k][n]).text);
		}
	}
}

/* Is there anything above 0 to draw? */
static bool is_drawn(const struct varied *v, int way)
{
	return v->count > 1 && v->comm[way][0] > 0 && v->math[way][0] > 0;
}

bool vary_answer(const struct invocation *run, const sw_ways *ways, const struct word *word,
	const sw_ways_options *options, sw_diag *diag)
{
	struct varied *v = SW_NEW_ZERO(run->arena, struct varied, 1);

	if (v == NULL)
		return sw_diag_memory(diag);
	if (!ways->timed) {
		sw_diag_set(diag, SW_S11, (sw_span){0, 0}, "seconds need hardware");
		sw_diag_hint(diag, "`model roofline`, then `hardware v5p`, or another row of `hardware`");
		return refuse_at(run, word->raw, diag);
	}
	if (!read_varied(run, ways->product, word, v, diag))
		return false;
	v->ways = (int)sw_smaller(ways->count, WAYS_VARIED);
	for (int64_t size = v->least; size <= v->most; size *= 2)
		if (!add_size(ways, options, size, v, diag))
			return false;
	for (int k = 0; k < v->ways; k++)
		if (is_drawn(v, k))
			draw_way(run, v, k);
	add_table(run, v);
	if (v->count == 0)
		document_line(run->answer, "no size from %lld to %lld can be cut evenly", (long long)v->least,
			(long long)v->most);
	return true;
}
