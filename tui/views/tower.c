/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems as trees, and groups of their devices.
 */
#include "views/tower.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "views/draw.h"

/* ---- levels ---- */

static void add_level(struct tower *tower, const char *name, int64_t size)
{
	assert(tower->levels < TOWER_LEVELS);
	snprintf(tower->name[tower->levels], SW_NAME_SIZE, "%s", name);
	tower->size[tower->levels++] = size;
}

/* Those of the system; rings of eight have a switch for two devices each in between. */
static void read_levels(struct tower *tower)
{
	const sw_system *system = tower->system;
	int last = system->count - 1;

	tower->ring = system->topology == SW_TOPOLOGY_V100 && system->level[last].size % 2 == 0;
	for (int j = 0; j < last; j++)
		add_level(tower, system->level[j].name, system->level[j].size);
	if (tower->ring)
		add_level(tower, "pair", system->level[last].size / 2);
	add_level(tower, system->level[last].name, tower->ring ? 2 : system->level[last].size);
	tower->devices[tower->levels - 1] = 1;
	for (int l = tower->levels - 1; l > 0; l--)
		tower->devices[l - 1] = tower->devices[l] * tower->size[l];
}

/* `A0` of its number, or of its letter. */
static void half_name(const struct tower *tower, int64_t device, bool letter, sw_text *text)
{
	sw_text name = {0};

	sw_system_print_device(tower->system, device, &name);
	int letters = (int)strcspn(sw_text_get(&name), "0123456789");
	if (letter)
		sw_text_addf(text, "%.*s", letters, sw_text_get(&name));
	else
		sw_text_add(text, sw_text_get(&name) + letters);
	sw_text_free(&name);
}

/* "node 3"; the switch of two devices has no number, a device its name. */
static void name_text(const struct tower *tower, const struct tower_unit *unit, sw_text *text)
{
	bool last = unit->level + 1 == tower->levels;

	if (unit->folded)
		sw_text_addf(text, "…%lld", (long long)unit->folded);
	else if (tower->brief && unit->level + 2 >= tower->levels)
		half_name(tower, unit->first, !last, text);
	else if (last)
		sw_system_print_device(tower->system, unit->first, text);
	else if (tower->ring && unit->level + 2 == tower->levels)
		sw_text_add(text, "pair");
	else
		sw_text_addf(text, "%s %lld", tower->name[unit->level],
			(long long)(unit->first / tower->devices[unit->level] % tower->size[unit->level]));
}

static int name_width(const struct tower *tower, const struct tower_unit *unit)
{
	sw_text text = {0};

	name_text(tower, unit, &text);
	int width = canvas_text_width(sw_text_get(&text));
	sw_text_free(&text);
	return width;
}

/* ---- widths ---- */

/* Columns of a row of units of a level within the one around them. */
static int row_width(const struct tower *tower, int level)
{
	struct stretch stretches[STRETCHES_MAX];
	int n = fold_stretches(tower->size[level], tower->shown[level], -1, stretches), width = 0;

	for (int k = 0; k < n; k++) {
		struct tower_unit fold = {.folded = stretches[k].to - stretches[k].from + 1};
		width += stretch_folded(stretches[k]) ? name_width(tower, &fold) + 1 : tower->span[level];
	}
	return width;
}

/* The columns of units of all levels, and of all together. */
static int measure(struct tower *tower)
{
	int last = tower->levels - 1;

	tower->span[last] = tower->leaf + 1;
	for (int l = last - 1; l >= 0; l--) {
		struct tower_unit widest = {.level = l, .first = tower->devices[l] * (tower->size[l] - 1)};
		int row = row_width(tower, l + 1) + 1, name = name_width(tower, &widest) + 2;
		tower->span[l] = row > name ? row : name;
	}
	return row_width(tower, 0);
}

/* How many units of the last row there are, and of all. */
static int64_t units_shown(const struct tower *tower)
{
	int64_t units = 0, row = 1;

	for (int l = 0; l < tower->levels; l++) {
		if (!sw_mul(row, sw_smaller(tower->shown[l], tower->size[l]), &row) || units > INT64_MAX - row)
			return INT64_MAX;
		units += row;
	}
	return units;
}

/* One unit fewer where most are, of the levels further in first. */
static bool fold_more(struct tower *tower)
{
	int at = -1;

	for (int l = tower->levels - 1; l >= 0; l--)
		if (tower->shown[l] > 2 && (at < 0 || tower->shown[l] > tower->shown[at]))
			at = l;
	if (at < 0)
		return false;
	tower->shown[at]--;
	tower->folds = true;
	return true;
}

/* ---- places ---- */

static void place_units(struct tower *tower, int level, int64_t first, int x, int parent)
{
	struct stretch stretches[STRETCHES_MAX];
	int n = fold_stretches(tower->size[level], tower->shown[level], -1, stretches);

	for (int k = 0; k < n && tower->count < TOWER_UNITS; k++) {
		int at = tower->count++;
		struct tower_unit *unit = &tower->unit[at];
		*unit = (struct tower_unit){.level = level,
			.parent = parent,
			.first = first + stretches[k].from * tower->devices[level],
			.folded = stretch_folded(stretches[k]) ? stretches[k].to - stretches[k].from + 1 : 0};
		int name = name_width(tower, unit), span = unit->folded ? name + 1 : tower->span[level];
		bool last = level + 1 == tower->levels;
		unit->middle = x + (unit->folded || last ? (name - 1) / 2 : (span - 2) / 2);
		if (unit->folded || last) {
			tower->leaf_at[tower->leaves++] = at;
		} else {
			int row = row_width(tower, level + 1);
			place_units(tower, level + 1, unit->first, x + (span - 1 - row) / 2, at);
		}
		x += span;
	}
}

/* Folds until all is in the room.  false: that is too little. */
static bool fold_into(struct tower *tower, int room)
{
	struct tower_unit widest = {.level = tower->levels - 1, .first = tower->system->devices - 1};

	tower->folds = false;
	for (int l = 0; l < tower->levels; l++)
		tower->shown[l] = (int)sw_smaller(tower->size[l], STRETCHES_MAX);
	if (tower->brief)
		widest.first = tower->size[tower->levels - 1] - 1;
	tower->leaf = name_width(tower, &widest);
	while ((tower->width = measure(tower)) > room || units_shown(tower) > TOWER_UNITS)
		if (!fold_more(tower))
			return false;
	return true;
}

bool tower_make(const sw_system *system, int room, struct tower *tower)
{
	*tower = (struct tower){.system = system};
	read_levels(tower);
	bool fits = fold_into(tower, room);
	tower->brief = tower->folds && system->count > 1 && !tower->ring;
	fits = tower->brief ? fold_into(tower, room) : fits;
	if (fits)
		place_units(tower, 0, 0, 0, -1);
	return fits;
}

/* ---- drawing ---- */

/* The line above the units within one unit, from the first to the last of them. */
static void draw_bus(const struct tower *tower, int parent, int from, int to, const int at[2],
	const struct tower_lines *line, struct canvas *out)
{
	int left = tower->unit[from].middle, right = tower->unit[to].middle, x = at[0], y = at[1];
	int up = parent < 0 ? left : tower->unit[parent].middle;

	left = up < left ? up : left;
	right = up > right ? up : right;
	if (left < right)
		canvas_hline(out, x + left, y, right - left + 1, line->role, line->weight);
	if (parent >= 0)
		canvas_lines(out, x + up, y, line->role, LINE_UP | line->weight);
}

static void draw_level(const struct tower *tower, int level, const int at[2], int rows,
	const struct tower_lines *line, struct canvas *out)
{
	int x = at[0], y = at[1];

	for (int i = 0, first = -1; i < tower->count; i++) {
		const struct tower_unit *unit = &tower->unit[i];
		if (unit->level != level)
			continue;
		first = first < 0 || tower->unit[first].parent != unit->parent ? i : first;
		draw_bus(tower, unit->parent, first, i, at, line, out);
		canvas_lines(out, x + unit->middle, y, line->role, LINE_DOWN | line->weight);
		for (int row = 1; row + 1 < rows; row++)
			canvas_lines(out, x + unit->middle, y + row, line->role, LINE_UP | LINE_DOWN | line->weight);
		sw_text text = {0};
		name_text(tower, unit, &text);
		int left = x + unit->middle - (canvas_text_width(sw_text_get(&text)) - 1) / 2;
		canvas_put(out, left, y + rows - 1,
			unit->folded                   ? ROLE_DIM :
				level + 1 == tower->levels ? ROLE_NUMBER :
											 ROLE_LABEL,
			sw_text_get(&text));
		sw_text_free(&text);
	}
}

/* A ring from column to column, below the devices on it. */
static void close_ring(int left, int right, int y, const struct tower_lines *line, struct canvas *out)
{
	canvas_hline(out, left, y, right - left + 1, line->role, line->weight);
	canvas_vline(out, left, y, 2, line->role, line->weight);
	canvas_vline(out, right, y, 2, line->role, line->weight);
	canvas_hline(out, left, y + 1, right - left + 1, line->role, line->weight);
}

/* Units of one node follow each other. */
static int draw_rings(const struct tower *tower, int x, int y, const struct tower_lines *line, struct canvas *out)
{
	int last = tower->levels - 1, left = -1, right = -1;
	int64_t node = -1;

	assert(last >= 2);
	for (int i = 0; i < tower->count; i++) {
		const struct tower_unit *unit = &tower->unit[i];
		if (unit->level != last && !unit->folded)
			continue;
		if (left >= 0 && (unit->level < last - 1 || unit->first / tower->devices[last - 2] != node)) {
			close_ring(left, right, y, line, out);
			left = -1;
		}
		if (unit->level < last - 1)
			continue;
		node = unit->first / tower->devices[last - 2];
		right = x + unit->middle;
		left = left < 0 ? right : left;
		canvas_lines(out, right, y, line->role, LINE_UP | line->weight);
	}
	if (left >= 0)
		close_ring(left, right, y, line, out);
	return y + 2;
}

int tower_draw(const struct tower *tower, int x, int y, int rows, const struct tower_lines *lines, struct canvas *out)
{
	static const struct tower_lines plain = {ROLE_BORDER, 0};

	assert(rows >= 2);
	for (int l = 0; l < tower->levels; l++)
		draw_level(tower, l, (int[2]){x, y + l * rows}, rows, lines ? &lines[l] : &plain, out);
	y += tower->levels * rows;
	return tower->ring ? draw_rings(tower, x, y, lines ? &lines[tower->levels] : &plain, out) : y;
}

const struct tower_unit *tower_leaf(const struct tower *tower, int64_t device)
{
	int low = 0, high = tower->leaves - 1;

	assert(tower->leaves > 0 && device >= 0);
	while (low < high) {
		int middle = (low + high + 1) / 2;
		if (tower->unit[tower->leaf_at[middle]].first <= device)
			low = middle;
		else
			high = middle - 1;
	}
	return &tower->unit[tower->leaf_at[low]];
}

/* ---- groups ---- */

struct lane {
	int left, right; /* columns */
	bool shown;      /* a device of it is drawn */
};

static struct lane lane_of(const struct tower *tower, const int64_t *device, int64_t size)
{
	struct lane lane = {tower->width, -1, false};

	for (int64_t m = 0; m < size; m++) {
		const struct tower_unit *leaf = tower_leaf(tower, device[m]);
		lane.left = leaf->middle < lane.left ? leaf->middle : lane.left;
		lane.right = leaf->middle > lane.right ? leaf->middle : lane.right;
		lane.shown = lane.shown || !leaf->folded;
	}
	return lane;
}

static void draw_lane(const struct tower *tower, const int64_t *device, int64_t size, const int at[2],
	const struct tower_lines *line, struct canvas *out)
{
	struct lane lane = lane_of(tower, device, size);

	if (lane.left < lane.right)
		canvas_hline(out, at[0] + lane.left, at[1], lane.right - lane.left + 1, line->role, line->weight);
	for (int64_t m = 0; m < size; m++) {
		const struct tower_unit *leaf = tower_leaf(tower, device[m]);
		canvas_put_glyph(out, at[0] + leaf->middle, at[1], line->role, leaf->folded ? GLYPH_ELLIPSIS : GLYPH_SETTLED);
	}
}

#define LANES_TALL 64

int tower_groups_draw(const struct tower *tower, const struct tower_groups *groups, int x, int y, int64_t *left,
	struct canvas *out)
{
	int end[LANES_TALL], rows = 0, most = groups->most < LANES_TALL ? groups->most : LANES_TALL;

	*left = 0;
	for (int64_t g = 0; g < groups->groups; g++) {
		const int64_t *device = groups->device + g * groups->size;
		struct lane lane = lane_of(tower, device, groups->size);
		struct tower_lines line = {role_of_axis((int)(g % 7)), LINE_HEAVY};
		int row = 0;
		while (row < rows && end[row] >= lane.left)
			row++;
		if (!lane.shown || row >= most) {
			++*left;
			continue;
		}
		rows = row < rows ? rows : row + 1;
		end[row] = lane.right;
		draw_lane(tower, device, groups->size, (int[2]){x, y + row}, &line, out);
	}
	return y + rows;
}
