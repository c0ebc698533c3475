/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which indices of a product each device multiplies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas/table.h"
#include "views/draw.h"
#include "views/products.h"

#define GROUP_ROWS 20
#define GROUPS_MOST 4096
#define LETTERS_SHOWN (TABLE_COLUMNS - 2)

/* Devices that multiply the same indices. */
struct alike {
	int64_t pieces[PRODUCT_LETTERS];
	int64_t *device, count;
};

/* How often each index is multiplied where that is more than once. */
struct groups {
	struct alike *group;
	int count;
	int64_t *devices;
};

static struct alike *group_of(struct groups *groups, const int64_t *pieces, int letters)
{
	for (int i = 0; i < groups->count; i++)
		if (memcmp(groups->group[i].pieces, pieces, (size_t)letters * sizeof *pieces) == 0)
			return &groups->group[i];
	if (groups->count == GROUPS_MOST)
		return NULL;
	struct alike *group = &groups->group[groups->count++];
	memcpy(group->pieces, pieces, (size_t)letters * sizeof *pieces);
	return group;
}

/* Counts first, then lists. */
static bool groups_make(const struct product *p, struct groups *groups)
{
	const sw_mesh *mesh = &p->program->mesh;
	int64_t pieces[PRODUCT_LETTERS], at = 0;
	*groups = (struct groups){.group = calloc(GROUPS_MOST, sizeof(struct alike))};
	groups->devices = mesh->devices <= SW_MAX_MAP_DEVICES ? calloc((size_t)mesh->devices, sizeof(int64_t)) : NULL;
	if (!groups->group || !groups->devices)
		return false;
	for (int pass = 0; pass < 2; pass++) {
		for (int64_t slot = 0; slot < mesh->devices; slot++) {
			product_pieces(p, slot, pieces);
			struct alike *group = group_of(groups, pieces, p->letters);
			if (group && pass)
				group->device[group->count] = sw_device_at(mesh->order, slot);
			if (group)
				group->count++;
		}
		for (int i = 0; i < groups->count && !pass; i++) {
			groups->group[i].device = groups->devices + at;
			at += groups->group[i].count;
			groups->group[i].count = 0;
		}
	}
	return true;
}

static void groups_free(struct groups *groups)
{
	free(groups->group);
	free(groups->devices);
}

static void add_range(struct table *table, const struct product *p, int letter, int64_t piece)
{
	int64_t size = p->size[letter] / p->cuts[letter], begin = piece * size;
	if (size == 1)
		table_add(table, "%lld", (long long)begin);
	else
		table_add(table, "%lld-%lld", (long long)begin, (long long)(begin + size - 1));
	if (p->cuts[letter] == 1)
		table_paint(table, ROLE_DIM);
}

static void add_group(struct table *table, const struct product *p, const struct alike *group)
{
	sw_text text = {0};
	devices_text(&p->program->mesh, group->device, group->count, group->count, 20, &text);
	table_add_text(table, &text);
	for (int i = 0; i < p->letters && i < LETTERS_SHOWN; i++)
		add_range(table, p, i, group->pieces[i]);
}

static void start_table(struct table *table, const struct product *p, char heads[][16])
{
	struct column columns[TABLE_COLUMNS + 1] = {COLUMN_RIGHT("devices", ROLE_LABEL)};
	int shown = p->letters < LETTERS_SHOWN ? p->letters : LETTERS_SHOWN;
	for (int i = 0; i < shown; i++) {
		snprintf(heads[i], 16, "%c%s", p->letter[i], i >= p->kept ? " summed" : "");
		columns[i + 1] = (struct column)COLUMN_RIGHT(heads[i], ROLE_NUMBER);
	}
	table_start(table, columns);
}

static int rows_draw(const struct product *p, const struct groups *groups, struct canvas *out, int y)
{
	struct stretch stretches[STRETCHES_MAX];
	char heads[LETTERS_SHOWN][16];
	struct table table;
	int count = fold_stretches(groups->count, GROUP_ROWS, -1, stretches);
	start_table(&table, p, heads);
	for (int i = 0; i < count; i++)
		if (stretch_folded(stretches[i])) {
			table_add(&table, "… %lld more", (long long)(stretches[i].to - stretches[i].from + 1));
			for (int k = 0; k < p->letters && k < LETTERS_SHOWN; k++)
				table_add(&table, " ");
		} else
			add_group(&table, p, &groups->group[stretches[i].from]);
	table_fit(&table, out->width - 2);
	y = table_draw_ruled_heads(&table, out, y, out->width - 2);
	for (int row = 0; row < table_rows(&table); row++)
		y = table_draw_row(&table, out, y, row);
	table_free(&table);
	return y;
}

/* Which letters are summed over devices. */
static int sums_draw(const struct product *p, struct canvas *out, int y)
{
	sw_text text = {0};
	for (int i = p->kept; i < p->letters; i++)
		if (p->cuts[i] > 1)
			sw_text_addf(&text, "%s%c", text.length ? ", " : "", p->letter[i]);
	if (text.length)
		y = draw_note(out, 2, y, ROLE_NOTE,
			"%s is summed and partitioned: devices with the same other indices hold terms, which a reduction "
			"adds",
			sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static bool product_draw(const struct product *p, struct canvas *out, int *y, sw_diag *diag)
{
	struct groups groups;
	*y = product_draw_head(p, out, *y);
	bool ok = groups_make(p, &groups);
	if (ok) {
		*y = rows_draw(p, &groups, out, *y);
		*y = sums_draw(p, out, *y) + 1;
	}
	groups_free(&groups);
	return ok || sw_diag_memory(diag);
}

bool view_indices(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	struct product product;
	bool ok = true;
	if (!in->products || !product_at(in->products, 0, &product))
		return draw_missing(diag, "product", "type: program FILE, or a product: einsum ij,jk->ik A, B");
	if (!draw_begin("indices", opt, out))
		return true;
	int y = draw_title(out, 0, "indices", "which each device multiplies, from 0") + 1;
	for (int n = 0; ok && product_at(in->products, n, &product); n++)
		ok = product_draw(&product, out, &y, diag);
	return ok;
}
