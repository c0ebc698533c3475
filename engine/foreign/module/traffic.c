/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rule by which bytes of collectives are counted, and what groups and pairs come to.
 */
#include "foreign/module/traffic.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

/* ---- the rule ---- */

/* Of a result of b bytes and a group of g devices one gets gets(b, g); groups with `seats` devices in all get `sum`. */
static double part_of(double b, double g)
{
	return b * (g - 1) / g;
}

static double twice_of(double b, double g)
{
	return 2 * b * (g - 1) / g;
}

static double others_of(double b, double g)
{
	return b * (g - 1);
}

static double whole_of(double b, double g)
{
	return g > 1 ? b : 0;
}

static double parts_sum(double b, const traffic_groups *g)
{
	return b * (double)(g->seats - g->count);
}

static double twice_sum(double b, const traffic_groups *g)
{
	return 2 * b * (double)(g->seats - g->count);
}

static double others_sum(double b, const traffic_groups *g)
{
	return b * (double)(g->largest - 1) * (double)g->seats;
}

static double seats_sum(double b, const traffic_groups *g)
{
	return b * (double)g->seats;
}

static const struct kind_row {
	double (*gets)(double b, double g); /* NULL: all of it, whoever gets any */
	double (*sum)(double b, const traffic_groups *groups);
} kinds[SW_TRAFFIC_KIND_COUNT] = {
	[SW_TRAFFIC_GATHER] = {part_of, parts_sum},
	[SW_TRAFFIC_EXCHANGE] = {part_of, parts_sum},
	[SW_TRAFFIC_PERMUTE] = {NULL, seats_sum},
	[SW_TRAFFIC_REDUCE] = {twice_of, twice_sum},
	[SW_TRAFFIC_SCATTER] = {others_of, others_sum},
	[SW_TRAFFIC_BROADCAST] = {whole_of, parts_sum},
	[SW_TRAFFIC_RAGGED] = {whole_of, seats_sum},
};

static const char *const names[SW_TRAFFIC_KIND_COUNT] = {
#define X(id, name) [SW_TRAFFIC_##id] = name,
	SW_TRAFFIC_KINDS(X)
#undef X
};

const char *sw_traffic_name(sw_traffic_kind kind)
{
	assert(kind < SW_TRAFFIC_KIND_COUNT);
	return names[kind];
}

void traffic_halo(sw_traffic_row *row, int rank, const int64_t *bound, const int64_t *size)
{
	int cut = 0;
	assert(row->form == SW_TRAFFIC_RING || row->form == SW_TRAFFIC_LINE);
	for (int d = 0; d < rank; d++) {
		int64_t from = bound[2 * d], to = bound[2 * d + 1];
		if (from == 0 && to == size[d])
			continue;
		cut += from == 0 || to == size[d] ? 1 : 2;
		row->halo_dim = d;
		row->halo_from = from;
		row->halo_to = to;
		row->halo_of = size[d];
	}
	row->halo_round = row->form == SW_TRAFFIC_RING;
	row->form = cut == 1 ? SW_TRAFFIC_HALO : row->form;
}

void traffic_weigh(sw_traffic_row *row, double result, const traffic_groups *groups, int64_t devices)
{
	const struct kind_row *kind = &kinds[row->kind];
	assert(result >= 0 && devices >= 1);
	row->form = groups->form;
	row->groups = groups->count;
	row->size = groups->largest;
	row->offset = groups->offset;
	row->uneven = groups->form == SW_TRAFFIC_GROUPS && groups->count * groups->largest != groups->seats;
	row->wrong = groups->wrong;
	row->bytes = groups->seats == 0 ? 0 : kind->gets ? kind->gets(result, (double)groups->largest) : result;
	row->mean = kind->sum(result, groups) / (double)devices;
	row->mean = row->mean < row->bytes ? row->mean : row->bytes;
}

double sw_traffic_bytes(const sw_traffic_row *row)
{
	return row->bytes * (double)row->runs;
}

/* ---- groups ---- */

traffic_groups traffic_whole(int64_t devices)
{
	return (traffic_groups){.count = 1, .largest = devices, .seats = devices};
}

static traffic_groups wrong_groups(int64_t devices)
{
	traffic_groups all = traffic_whole(devices);
	all.wrong = true;
	return all;
}

traffic_groups traffic_groups_of(int64_t count, const int64_t *start, const int64_t *member, int64_t devices,
	sw_arena *brief)
{
	traffic_groups out = {.count = count};
	uint8_t *seen = SW_NEW_ZERO(brief, uint8_t, devices);
	if (count == 0)
		return traffic_whole(devices);
	if (!seen)
		return wrong_groups(devices);
	for (int64_t i = 0; i < start[count]; i++) {
		if (member[i] < 0 || member[i] >= devices || seen[member[i]]++)
			return wrong_groups(devices);
		out.seats++;
	}
	for (int64_t g = 0; g < count; g++)
		out.largest = start[g + 1] - start[g] > out.largest ? start[g + 1] - start[g] : out.largest;
	return out.largest ? out : wrong_groups(devices);
}

/* ---- pairs ---- */

typedef struct pairs {
	int64_t devices, count; /* count: those between two devices */
	int64_t *next, *before; /* of each device, or -1 */
} pairs;

static bool pairs_read(pairs *p, int64_t count, const int64_t *member, sw_arena *brief)
{
	p->next = SW_NEW(brief, int64_t, p->devices);
	p->before = SW_NEW(brief, int64_t, p->devices);
	if (!p->next || !p->before)
		return false;
	for (int64_t d = 0; d < p->devices; d++)
		p->next[d] = p->before[d] = -1;
	for (int64_t k = 0; k < count; k++) {
		int64_t from = member[2 * k], to = member[2 * k + 1];
		if (from < 0 || to < 0 || from >= p->devices || to >= p->devices || p->next[from] >= 0 || p->before[to] >= 0)
			return false;
		p->next[from] = to;
		p->before[to] = from;
		p->count += from != to;
	}
	return true;
}

/* Ways that begin at a device to which nothing comes, or, `round`, anywhere: how many, and how long the longest and the shortest are. */
static int64_t ways_find(const pairs *p, bool round, int64_t *longest, int64_t *shortest)
{
	int64_t count = 0;
	*longest = 0;
	*shortest = p->devices;
	for (int64_t d = 0; d < p->devices; d++) {
		if (p->next[d] < 0 || (!round && p->before[d] >= 0))
			continue;
		int64_t length = 0;
		for (int64_t at = d; at >= 0; length++) {
			int64_t to = p->next[at];
			p->next[at] = -1;
			at = to == d ? -1 : to;
		}
		*longest = length > *longest ? length : *longest;
		*shortest = length < *shortest ? length : *shortest;
		count++;
	}
	return count;
}

/* The difference that most pairs have; 0: no difference is that of more than half of those that there are. */
static int64_t offset_of(int64_t count, const int64_t *member)
{
	int64_t offset = 0, votes = 0, times = 0;
	for (int64_t k = 0; k < count; k++) {
		int64_t here = member[2 * k + 1] - member[2 * k];
		offset = votes == 0 ? here : offset;
		votes += here == offset ? 1 : -1;
	}
	for (int64_t k = 0; k < count; k++)
		times += member[2 * k + 1] - member[2 * k] == offset;
	return 2 * times > count ? offset : 0;
}

traffic_groups traffic_pairs_of(int64_t count, const int64_t *member, int64_t devices, sw_arena *brief)
{
	pairs p = {.devices = devices};
	int64_t longest, shortest, lines, rings, ring, least;
	if (!pairs_read(&p, count, member, brief)) {
		traffic_groups wrong = wrong_groups(devices);
		wrong.form = SW_TRAFFIC_PAIRS;
		return wrong;
	}
	traffic_groups out = {.count = p.count,
		.largest = 1,
		.seats = p.count,
		.form = SW_TRAFFIC_PAIRS,
		.offset = offset_of(count, member)};
	lines = ways_find(&p, false, &longest, &shortest);
	bool alike = lines > 0 && longest == shortest && longest > 2;
	rings = ways_find(&p, true, &ring, &least);
	if (lines && rings == 0 && (alike || (out.offset && longest > 1))) {
		out.form = SW_TRAFFIC_LINE;
		out.count = lines;
		out.largest = longest;
	} else if (!lines && rings && ring == least && ring > 1) {
		out.form = SW_TRAFFIC_RING;
		out.count = rings;
		out.largest = ring;
	}
	return out;
}

/* ---- types ---- */

double traffic_element_bytes(sw_str name)
{
	int64_t bits = 0;
	if (sw_str_is(name, "pred") || sw_str_is(name, "i1") || sw_str_is(name, "bool"))
		return 1;
	if (sw_str_starts(name, "complex<"))
		return 2 * traffic_element_bytes(sw_str_behind(name, strlen("complex<")));
	for (size_t i = 0; i < name.length && bits < 1000; i++) {
		if (name.at[i] >= '0' && name.at[i] <= '9')
			bits = 10 * bits + name.at[i] - '0';
		else if (bits)
			break;
	}
	return (double)bits / 8;
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

double traffic_type_bytes(sw_str type)
{
	double sum = 0;
	for (size_t at = 0; at < type.length; at++) {
		size_t begin = at;
		if (type.at[at] != '[')
			continue;
		while (begin > 0 && is_name(type.at[begin - 1]))
			begin--;
		double bytes = traffic_element_bytes((sw_str){type.at + begin, at - begin});
		for (at++; at < type.length && type.at[at] != ']'; at++) {
			double size = 0;
			if (type.at[at] < '0' || type.at[at] > '9')
				continue;
			for (; at < type.length && type.at[at] >= '0' && type.at[at] <= '9'; at++)
				size = 10 * size + type.at[at] - '0';
			bytes *= size;
			at--;
		}
		sum += bytes;
	}
	return sum;
}

/* ---- rows ---- */

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* What rows that are folded have in common.  One whose groups are none is a row of its own. */
static int compare_same(const sw_traffic_row *a, const sw_traffic_row *b)
{
	const double numbers[][2] = {{a->kind, b->kind}, {a->form, b->form}, {a->planned, b->planned},
		{a->untaken, b->untaken}, {a->open, b->open}, {a->at_most, b->at_most}, {a->wrong, b->wrong},
		{a->unsized, b->unsized}, {(double)a->groups, (double)b->groups}, {(double)a->size, (double)b->size},
		{(double)a->offset, (double)b->offset}, {a->bytes, b->bytes}, {a->mean, b->mean}, {a->halo_dim, b->halo_dim},
		{(double)a->halo_from, (double)b->halo_from}, {(double)a->halo_to, (double)b->halo_to},
		{a->wrong ? (double)a->line : 0, b->wrong ? (double)b->line : 0}};
	int order = compare_texts(a->source, b->source);
	order = order ? order : compare_texts(a->computation, b->computation);
	for (size_t k = 0; !order && k < sizeof(numbers) / sizeof(*numbers); k++)
		order = compare_numbers(numbers[k][0], numbers[k][1]);
	return order;
}

static int compare_lines(const void *a, const void *b)
{
	const sw_traffic_row *x = a, *y = b;
	return (x->line > y->line) - (x->line < y->line);
}

static int compare_rows(const void *a, const void *b)
{
	int order = compare_same(a, b);
	return order ? order : compare_lines(a, b);
}

static void fold(sw_traffic *traffic)
{
	int kept = 0;
	qsort(traffic->row, (size_t)traffic->count, sizeof(*traffic->row), compare_rows);
	for (int i = 0; i < traffic->count; i++) {
		sw_traffic_row *row = &traffic->row[i], *last = kept ? &traffic->row[kept - 1] : NULL;
		if (last && compare_same(last, row) == 0) {
			last->count += row->count;
			last->runs += row->runs;
		} else {
			traffic->row[kept++] = *row;
		}
	}
	traffic->count = kept;
	qsort(traffic->row, (size_t)traffic->count, sizeof(*traffic->row), compare_lines);
}

static void add_up(sw_traffic *traffic)
{
	for (int i = 0; i < traffic->count; i++) {
		const sw_traffic_row *row = &traffic->row[i];
		traffic->bytes += sw_traffic_bytes(row);
		traffic->mean += row->mean * (double)row->runs;
		traffic->planned_bytes += row->planned ? sw_traffic_bytes(row) : 0;
		traffic->open += row->open && row->runs;
		traffic->at_most += row->at_most && row->runs;
		traffic->wrong += row->wrong;
		traffic->unsized += row->unsized ? row->count : 0;
	}
}

/* ---- words ---- */

/* "2 rings of 4" */
static void add_many(sw_text *text, const sw_traffic_row *row, const char *one)
{
	if (row->groups == 1)
		sw_text_addf(text, "%s of %lld", one, (long long)row->size);
	else
		sw_text_addf(text, "%lld %ss of %lld", (long long)row->groups, one, (long long)row->size);
}

static void add_offset(sw_text *text, const sw_traffic_row *row)
{
	if (row->offset)
		sw_text_addf(text, ", offset %+lld", (long long)row->offset);
}

static void add_steps(sw_text *text, const sw_traffic_row *row)
{
	if (row->runs > row->count) {
		sw_text_add(text, ": ");
		if (row->count > 1)
			sw_text_addf(text, "%lld times ", (long long)row->count);
		sw_text_addf(text, "%lld steps of ", (long long)(row->runs / row->count));
		sw_print_real_bytes(text, row->bytes);
	}
	if (row->beside > 0)
		sw_text_addf(text, ", free to overlap with %lld product%s", (long long)row->beside,
			row->beside > 1 ? "s" : "");
}

static void words_groups(sw_text *text, const sw_traffic_row *row)
{
	if ((row->at_most || row->unsized) && row->size == 1)
		sw_text_add(text, "groups of unknown size");
	else if (row->uneven)
		sw_text_addf(text, "%lld groups of at most %lld", (long long)row->groups, (long long)row->size);
	else
		add_many(text, row, "group");
}

static void words_pairs(sw_text *text, const sw_traffic_row *row)
{
	sw_text_addf(text, "%lld pair%s", (long long)row->groups, row->groups == 1 ? "" : "s");
	add_offset(text, row);
}

static void words_ring(sw_text *text, const sw_traffic_row *row)
{
	add_many(text, row, "ring");
	add_offset(text, row);
	add_steps(text, row);
}

static void words_line(sw_text *text, const sw_traffic_row *row)
{
	add_many(text, row, "line");
	add_offset(text, row);
	add_steps(text, row);
}

static void words_halo(sw_text *text, const sw_traffic_row *row)
{
	sw_text_addf(text, "halo %lld:%lld of %lld in dimension %d", (long long)row->halo_from, (long long)row->halo_to,
		(long long)row->halo_of, row->halo_dim);
	add_offset(text, row);
	sw_text_add(text, ", ");
	add_many(text, row, row->halo_round ? "ring" : "line");
}

static void (*const words_of[])(sw_text *text, const sw_traffic_row *row) = {
	[SW_TRAFFIC_GROUPS] = words_groups,
	[SW_TRAFFIC_PAIRS] = words_pairs,
	[SW_TRAFFIC_RING] = words_ring,
	[SW_TRAFFIC_LINE] = words_line,
	[SW_TRAFFIC_HALO] = words_halo,
};

static bool put_in_words(sw_traffic_row *row, sw_arena *arena)
{
	static const struct {
		size_t at;
		const char *words;
	} marks[] = {
		{offsetof(sw_traffic_row, wrong),
			"; its groups do not match the devices, and count as one of all "
			"devices"},
		{offsetof(sw_traffic_row, at_most), "; at most"},
		{offsetof(sw_traffic_row, open), "; a loop does not say how often it runs"},
		{offsetof(sw_traffic_row, untaken), "; in a branch that is not counted"},
	};
	sw_text text = {0};
	words_of[row->form](&text, row);
	for (size_t k = 0; k < sizeof(marks) / sizeof(*marks); k++)
		if (*(const bool *)((const char *)row + marks[k].at))
			sw_text_add(&text, marks[k].words);
	row->where = text.failed ? NULL : sw_arena_copy(arena, sw_text_get(&text), text.length);
	sw_text_free(&text);
	return row->where != NULL;
}

bool traffic_finish(sw_traffic *traffic, sw_arena *arena)
{
	if (traffic->count)
		fold(traffic);
	add_up(traffic);
	for (int i = 0; i < traffic->count; i++)
		if (!put_in_words(&traffic->row[i], arena))
			return false;
	return true;
}
