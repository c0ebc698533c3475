/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An array at every moment as small pictures in a row.
 *
 * A picture has two rows of elements in a row of cells, or one where owners are letters.  Large arrays are drawn in blocks, and values
 * that wait for terms have a row for each.
 */
#include "views/strip.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "views/draw.h"
#include "views/followed.h"

#define PICTURE_WANTED 18 /* columns of a picture, its frame included: as many pictures as have so much */
#define SCOPE_MOST 64
#define ZOOM_MOST 4
#define BESIDE_DEVICES 256 /* asked one by one, for each block */

#define PANE_ROWS 8 /* with a title and a name above a picture */

bool strip_begin(const struct view_options *opt, struct canvas *out)
{
	if (!draw_begin("film", opt, out))
		return false;
	if (!opt->room || opt->room >= PANE_ROWS)
		return true;
	draw_note(out, 0, 0, ROLE_NOTE, "film: a picture needs %d rows and %d columns; here are %d rows", PANE_ROWS,
		VIEW_MIN_WIDTH, opt->room);
	return false;
}

/* ---- which moments ---- */

int film_steps_a_picture(int steps)
{
	int group = 1;
	while (steps / group > SCOPE_MOST)
		group *= 10;
	return group;
}

int film_columns(int pictures, int columns)
{
	assert(pictures > 0 && columns >= PICTURE_WANTED);
	return STRIP_MARGIN + pictures * (columns + STRIP_GAP) - STRIP_GAP;
}

int strip_place(const struct strip *strip, int k)
{
	assert(k >= strip->first && strip->stride >= 1);
	return (k - strip->first + strip->stride - 1) / strip->stride;
}

int strip_next(const struct strip *strip, int k)
{
	if (strip_place(strip, k) + 1 >= strip->count || k >= strip->steps)
		return -1;
	return k + strip->stride < strip->steps ? k + strip->stride : strip->steps;
}

int strip_before(const struct strip *strip, int k)
{
	assert(k > strip->first);
	return strip->first + (strip_place(strip, k) - 1) * strip->stride;
}

/* Which pictures are in sight, if not all are: `pictures 1 to 3 of 5`; and of how many steps each is. */
static void print_sight(const struct strip *strip, sw_text *text)
{
	int pictures = (strip->steps + strip->stride - 1) / strip->stride + 1, first = strip->first / strip->stride + 1;
	if (strip->count < pictures)
		sw_text_addf(text, "pictures %d to %d of %d", first, first + strip->count - 1, pictures);
	if (strip->stride > 1)
		sw_text_addf(text, "%s%d steps from one to the next%s", strip->count < pictures ? ", " : "", strip->stride,
			strip->opt->room ? "; Enter opens them" : "");
}

#define ROWS_SPARE 24 /* of a pane that has some */

bool strip_spares(const struct view_options *opt)
{
	return !opt->room || opt->room >= ROWS_SPARE;
}

int strip_title(const struct strip *strip, const char *name, sw_text *rest, struct canvas *out, int y)
{
	sw_text sight = {0};
	print_sight(strip, &sight);
	int taken = canvas_text_width(name) + 2 + canvas_text_width(sw_text_get(rest)) + 2 +
		canvas_text_width(sw_text_get(&sight));
	bool beside = sight.length && taken <= out->width;
	if (beside)
		sw_text_addf(rest, "  %s", sw_text_get(&sight));
	y = draw_title(out, y, name, sw_text_get(rest));
	if (sight.length && !beside)
		y = draw_note(out, 0, y, ROLE_NOTE, "%s", sw_text_get(&sight));
	sw_text_free(&sight);
	return y;
}

/* ---- how large it is ---- */

/* All pictures have one scale; of many moments those in sight have. */
static int scope_first(const struct strip *strip)
{
	return strip->steps > SCOPE_MOST ? strip->first : 0;
}

static int scope_next(const struct strip *strip, int k)
{
	if (strip->steps > SCOPE_MOST)
		return strip_next(strip, k);
	return k < strip->steps ? k + 1 : -1;
}

bool strip_tiled(const struct strip *strip, int k)
{
	const sw_holding *holding = sw_owners_holding(strip->of, k);
	return holding && holding->region == NULL && holding->rule == NULL;
}

int64_t strip_copies(const struct strip *strip, int k)
{
	const sw_holding *holding = sw_owners_holding(strip->of, k);
	int64_t copies = holding && strip_tiled(strip, k) ? holding->devices : 0;
	if (!copies || copies % holding->terms)
		return 0;
	copies /= holding->terms;
	for (int i = 0; i < holding->rank; i++) {
		int64_t tile = holding->tile[i], tiles = tile > 0 ? holding->global[i] / tile : 0;
		if (!tiles || holding->global[i] % tile || copies % tiles)
			return 0;
		copies /= tiles;
	}
	return copies;
}

/* Along one side of picture `k`; 0: no tiles are known there. */
static int64_t tile_along(const struct strip *strip, int k, int side)
{
	bool tiles = strip_tiled(strip, k) && strip->dims[side] != VIEW_ALL;
	return tiles ? sw_owners_holding(strip->of, k)->tile[strip->dims[side]] : 0;
}

/* Lines of one term of a block: an array of one dimension fills a row of cells, not half of it. */
static int lines_each(const struct strip *strip)
{
	bool low = strip->size[0] == 1 && strip->terms == 1 && strip->zoom < strip->per;
	return low ? strip->per : strip->zoom;
}

/* The cells of one block along a side, before two rows are put into one. */
static int block_cells(const struct strip *strip, int side)
{
	return side ? strip->zoom * strip->across : lines_each(strip) * strip->terms;
}

/* Blocks between two borders of tiles in picture `k`; 0: no borders are drawn inside. */
static int blocks_of_tile(const struct strip *strip, int k, int side)
{
	int64_t tile = tile_along(strip, k, side), unit = strip->unit[side];
	if (strip->bare[side] || !tile || tile >= strip->size[side] || tile % unit ||
		tile / unit * block_cells(strip, side) < (side ? 1 : strip->per))
		return 0;
	return (int)(tile / unit);
}

static int rows_of(const struct strip *strip, int side, int cells)
{
	return side ? cells : (cells + strip->per - 1) / strip->per;
}

/* The place of what is not made yet is as large as what is made there first. */
int strip_extent(const struct strip *strip, int k, int side)
{
	assert(side == 0 || side == 1);
	k = k < strip->born && strip->born <= strip->steps ? strip->born : k;
	int tile = blocks_of_tile(strip, k, side), cells = block_cells(strip, side);
	if (!tile)
		return 2 + rows_of(strip, side, strip->units[side] * cells);
	return 1 + strip->units[side] / tile * (1 + rows_of(strip, side, tile * cells));
}

static bool fits(const struct strip *strip, int side)
{
	for (int k = scope_first(strip); k >= 0; k = scope_next(strip, k))
		if (strip_extent(strip, k, side) > (side ? strip->width : strip->height))
			return false;
	return true;
}

/* So many elements are in one tile, whole, at every moment. */
static int64_t never_apart(const struct strip *strip, int side)
{
	int64_t unit = strip->size[side];
	for (int k = scope_first(strip); k >= 0; k = scope_next(strip, k))
		if (tile_along(strip, k, side))
			unit = sw_gcd(unit, tile_along(strip, k, side));
	return unit;
}

static bool units_try(struct strip *strip, int side, int units, int64_t apart)
{
	int64_t unit = (strip->size[side] + units - 1) / units;
	if (apart && (strip->size[side] % unit || (strip->bare[side] && !(unit % apart) ? 0 : apart % unit)))
		return false;
	strip->unit[side] = unit;
	strip->units[side] = (int)((strip->size[side] + unit - 1) / unit);
	return fits(strip, side);
}

/* As many blocks as there is room for, of elements with one owner each where that is possible. */
static void units_find(struct strip *strip, int side)
{
	int64_t apart = never_apart(strip, side);
	int room = (side ? strip->width : strip->height * strip->per) - 2;
	int most = strip->size[side] < room ? (int)strip->size[side] : room;
	for (int bare = 0; bare < 2; bare++) {
		strip->bare[side] = bare;
		for (int units = most; units > 0; units--)
			if (units_try(strip, side, units, apart))
				return;
	}
	for (int units = most; units > 1; units--)
		if (units_try(strip, side, units, 0))
			return;
	units_try(strip, side, 1, 0);
}

static void zoom_find(struct strip *strip)
{
	for (strip->zoom = strip->per == 1 ? 1 : ZOOM_MOST; strip->zoom > 1; strip->zoom--)
		if (fits(strip, 0) && fits(strip, 1))
			return;
}

/* Are there lines between the tiles of some pictures, and none between those of others that are cut there, too? */
static bool lines_in_some(const struct strip *strip, int side)
{
	bool some = false, missing = false;
	for (int k = scope_first(strip); k >= 0; k = scope_next(strip, k)) {
		bool cut = tile_along(strip, k, side) && tile_along(strip, k, side) < strip->size[side];
		some = some || (cut && blocks_of_tile(strip, k, side));
		missing = missing || (cut && !blocks_of_tile(strip, k, side));
	}
	return some && missing;
}

/* One array has one size in all pictures: where lines do not fit into one of them none has any. */
static void lines_agree(struct strip *strip)
{
	for (int side = 0; side < 2; side++)
		if (lines_in_some(strip, side)) {
			strip->bare[side] = true;
			zoom_find(strip);
		}
}

bool strip_alike(const struct strip *strip)
{
	return never_apart(strip, 0) % strip->unit[0] == 0 && never_apart(strip, 1) % strip->unit[1] == 0;
}

/* A row for each term where there is room, else for some of them: elements are not left out for them. */
static void blocks_find(struct strip *strip)
{
	int64_t terms = sw_owners_terms(strip->of);
	int room = (strip->height - 2) * strip->per;
	strip->terms = terms < room ? (int)terms : room;
	units_find(strip, 1);
	units_find(strip, 0);
	while (strip->terms > 1 && !strip_alike(strip)) {
		strip->terms = (strip->terms + 1) / 2;
		units_find(strip, 0);
	}
	zoom_find(strip);
	lines_agree(strip);
}

void strip_window(struct strip *strip, int height)
{
	int room = strip->opt->width - STRIP_MARGIN, first = (strip->now + strip->stride - 1) / strip->stride - 1;
	int most = (room + STRIP_GAP) / (PICTURE_WANTED + STRIP_GAP),
		pictures = (strip->steps + strip->stride - 1) / strip->stride + 1;
	strip->count = most < 1 ? 1 : most < pictures ? most : pictures;
	if (first > pictures - strip->count)
		first = pictures - strip->count;
	strip->first = first < 0 ? 0 : first * strip->stride;
	strip->width = (room - (strip->count - 1) * STRIP_GAP) / strip->count;
	strip->height = height < STRIP_LEAST ? STRIP_LEAST : height;
}

/* The first moment at which there is something. */
static int born(const struct strip *strip)
{
	int k = 0;
	while (k < strip->steps && !sw_owners_holding(strip->of, k))
		k++;
	return k;
}

void strip_start(struct strip *strip, const sw_owners *of, const sw_mesh *mesh, const struct view_options *opt)
{
	*strip = (struct strip){.opt = opt, .of = of, .steps = sw_owners_steps(of), .zoom = 1, .lit = opt->device};
	strip->signs = owners_of_mesh(mesh);
	strip->beside = mesh->devices <= BESIDE_DEVICES;
	strip->stride = opt->group > 0 ? opt->group : film_steps_a_picture(strip->steps);
	strip->now = opt->step < 0 ? 0 : opt->step;
	if (strip->now > strip->steps)
		strip->now = strip->steps;
	strip->about = strip->now < strip->steps && opt->passed > 0 ? strip->now + 1 : strip->now;
	strip->born = born(strip);
	strip->per = opt->letters ? 1 : 2;
	int sign = owners_sign_width(&strip->signs);
	strip->across = strip->per == 2 ? 1 : sign > 1 ? sign + 1 : 1;
	if (strip->lit >= mesh->devices)
		strip->lit = VIEW_ALL;
}

/* ---- pictures without tiles ---- */

#define SUMMED_DEVICES 4096 /* asked one by one */

/* Have devices more than there is after step `k`, where no lines say which?  The most that one has; 0: no. */
static int64_t overlapping(const struct strip *strip, int k)
{
	const sw_holding *holding = sw_owners_holding(strip->of, k);
	int64_t all = 1, held = 0, most = 0;
	if (!holding || strip_tiled(strip, k) || holding->terms > 1 || holding->devices > SUMMED_DEVICES)
		return 0;
	for (int i = 0; i < holding->rank; i++)
		if (__builtin_mul_overflow(all, holding->global[i], &all))
			return 0;
	for (int64_t device = 0; device < holding->devices; device++) {
		int64_t size = sw_holding_size(holding, device);
		most = size > most ? size : most;
		if (size < 0 || __builtin_add_overflow(held, size, &held))
			return 0;
	}
	return held > all && most < all ? most : 0;
}

#define ANEW_MOST 64
#define ANEW_ELEMENTS 4096 /* asked one by one */

static void block_index(const struct strip *strip, int row, int column, int64_t *index)
{
	const int at[2] = {row, column};
	memset(index, 0, sizeof(*index) * SW_MAX_DIMS);
	if (strip->opt->element)
		memcpy(index, strip->opt->element, sizeof(*index) * (size_t)strip->rank);
	for (int side = 0; side < 2; side++)
		if (strip->dims[side] != VIEW_ALL)
			index[strip->dims[side]] = at[side] * strip->unit[side];
}

/* Has a block one holder after step `k`? */
static bool block_whole(const struct strip *strip, int k, int row, int column)
{
	int64_t index[SW_MAX_DIMS], owner = -1;
	const int at[2] = {row, column};
	for (int64_t i = 0; i < strip->unit[0] * strip->unit[1]; i++) {
		const int64_t inside[2] = {i / strip->unit[1], i % strip->unit[1]};
		block_index(strip, row, column, index);
		for (int side = 0; side < 2; side++) {
			if (at[side] * strip->unit[side] + inside[side] >= strip->size[side])
				continue;
			if (strip->dims[side] != VIEW_ALL)
				index[strip->dims[side]] += inside[side];
		}
		int64_t has = sw_owners_at(strip->of, k, index, 0);
		if (i > 0 && has != owner)
			return false;
		owner = has;
	}
	return true;
}

/* Are there no tiles after step `k`, so that only colours can say who has what, and do they? */
static bool is_without_tiles(const struct strip *strip, int k)
{
	int64_t elements;
	if (k < strip->born || strip_tiled(strip, k) || sw_owners_terms(strip->of) > 1 || overlapping(strip, k) ||
		__builtin_mul_overflow(strip->size[0], strip->size[1], &elements) || elements > ANEW_ELEMENTS)
		return false;
	for (int block = 0; block < strip->units[0] * strip->units[1]; block++)
		if (!block_whole(strip, k, block / strip->units[1], block % strip->units[1]))
			return false;
	return true;
}

static void anew_find(struct strip *strip)
{
	strip->anew = 0;
	for (int k = strip->first; k >= 0 && strip_place(strip, k) < ANEW_MOST; k = strip_next(strip, k))
		if (is_without_tiles(strip, k))
			strip->anew |= (uint64_t)1 << strip_place(strip, k);
}

void strip_shape(struct strip *strip, const sw_type *array, const int dims[2])
{
	strip->rank = array->rank;
	for (int side = 0; side < 2; side++) {
		strip->dims[side] = dims[side];
		strip->size[side] = dims[side] == VIEW_ALL ? 1 : array->global[dims[side]];
	}
	blocks_find(strip);
	anew_find(strip);
}

/* ---- a picture ---- */

#define UNLIT (-2)

/* Do blocks of picture `k` have the colour of who has them then? */
static bool is_anew(const struct strip *strip, int k)
{
	int place = k >= strip->first ? strip_place(strip, k) : ANEW_MOST;
	return place < ANEW_MOST && strip->anew >> place & 1;
}

/* Who is drawn of a block with these indices: in a buffer beside its home who has it there, else who had it first, or of a sum who has the
 * term now. */
static int64_t owner_of(const struct strip *strip, int k, const int64_t *index, int64_t term)
{
	int64_t terms = sw_owners_terms(strip->of);
	int64_t beside = strip->beside && strip->lit < 0 && terms == 1 ? sw_owners_beside(strip->of, k, index) : -1;
	return beside >= 0 ? beside :
						 sw_owners_at(strip->of, terms > 1 || is_anew(strip, k) ? k : strip->born, index, term);
}

/* The tile that is followed in this array, or NULL. */
static const struct view_tile *tile_of(const struct strip *strip)
{
	return strip->opt->element && strip->opt->tile.of ? &strip->opt->tile : NULL;
}

/* Who is drawn in a block: the first owner of its first element; where there are sums, who has the term now.  Of a device that is
 * looked at only what it has is lit, of a tile that is followed only its elements are. */
static int64_t line_owner(const struct strip *strip, int k, int line, int column)
{
	int row = line / lines_each(strip), term = row % strip->terms;
	int64_t index[SW_MAX_DIMS], terms = sw_owners_terms(strip->of);
	block_index(strip, row / strip->terms, column, index);
	if (tile_of(strip) && !followed_tile_has(&strip->opt->tile, index))
		return UNLIT;
	if (strip->lit >= 0 && !sw_owners_has(strip->of, k, strip->lit, index))
		return UNLIT;
	term = term * terms / strip->terms;
	if (strip->lit >= 0 && strip->terms > 1 && !sw_owners_adds(strip->of, k, strip->lit, index, term))
		return UNLIT;
	return owner_of(strip, k, index, term);
}

static enum role role_of(const struct strip *strip, int64_t device)
{
	return device == UNLIT ? ROLE_UNLIT : device < 0 ? ROLE_DIM : owners_role(&strip->signs, device);
}

/* A row of cells of picture `k`: the lines of blocks in it, one or two, and how far it is below the picture's top. */
struct band {
	int k, line, lines, row;
};

/* The next row of cells, the first one after {k}; false: there is none. */
static bool band_next(const struct strip *strip, struct band *band)
{
	int cells = block_cells(strip, 0), tile = blocks_of_tile(strip, band->k, 0);
	int span = (tile ? tile : strip->units[0]) * cells, line = band->line + band->lines;
	if (line >= strip->units[0] * cells)
		return false;
	band->row += 1 + (band->lines > 0 && line % span == 0);
	band->line = line;
	band->lines = line % span + strip->per > span ? 1 : strip->per;
	return true;
}

static void block_draw(const struct strip *strip, const struct band *band, int column, struct canvas *out, int x,
	int y)
{
	int64_t owner = line_owner(strip, band->k, band->line, column);
	int cells = block_cells(strip, 1);
	if (strip->per == 1) {
		canvas_put_right(out, x, y, strip->across, role_of(strip, owner),
			owner == UNLIT ? "·" : owners_sign(&strip->signs, owner).text);
		return;
	}
	enum role lower = band->lines > 1 ? role_of(strip, line_owner(strip, band->k, band->line + 1, column)) :
										ROLE_TEXT;
	for (int i = 0; i < cells; i++)
		canvas_put_halves(out, x + i, y, role_of(strip, owner), lower);
}

/* The column, or the row, where a block begins, behind the frame. */
static int block_at(const struct strip *strip, int k, int side, int block)
{
	int tile = blocks_of_tile(strip, k, side), cells = block_cells(strip, side);
	if (!tile)
		return 1 + block * cells / (side ? 1 : strip->per);
	return block / tile * (1 + rows_of(strip, side, tile * cells)) + 1 +
		block % tile * cells / (side ? 1 : strip->per);
}

static void frame_draw(const struct strip *strip, int k, struct canvas *out, int x, int y)
{
	int width = strip_extent(strip, k, 1), height = strip_extent(strip, k, 0);
	bool now = k == strip->now;
	enum role role = now ? ROLE_TITLE : ROLE_BORDER;
	for (int side = 0; side < 2; side++) {
		int tile = blocks_of_tile(strip, k, side);
		for (int block = tile; tile && block < strip->units[side]; block += tile) {
			int at = block_at(strip, k, side, block) - 1;
			if (side)
				canvas_vline(out, x + at, y, height, role, 0);
			else
				canvas_hline(out, x, y + at, width, role, 0);
		}
	}
	canvas_box(out, x, y, width, height, role, now ? LINE_HEAVY : 0);
}

static void element_draw(const struct strip *strip, int k, struct canvas *out, int x, int y)
{
	int at[2];
	for (int side = 0; side < 2; side++) {
		int dim = strip->dims[side];
		at[side] = dim == VIEW_ALL ? 0 : (int)(strip->opt->element[dim] / strip->unit[side]);
	}
	x += block_at(strip, k, 1, at[1]);
	y += block_at(strip, k, 0, at[0]);
	canvas_put_glyph(out, x, y, (enum role)canvas_cell_at(out, x, y)->role, GLYPH_STAR);
}

/* Before anything is made there is nothing but its place. */
static void absent_draw(const struct strip *strip, int k, struct canvas *out, int x, int y)
{
	int width = strip_extent(strip, k, 1), height = strip_extent(strip, k, 0);
	canvas_box(out, x, y, width, height, ROLE_DIM, LINE_DOTTED);
}

/* The block along a side that is so many cells from the corner of picture `k`; -1: none is. */
static int block_of_cell(const struct strip *strip, int k, int side, int at)
{
	int cells = rows_of(strip, side, block_cells(strip, side));
	for (int block = 0; block < strip->units[side]; block++)
		if (at >= block_at(strip, k, side, block) && at < block_at(strip, k, side, block) + cells)
			return block;
	return -1;
}

static void spot_fill(const struct strip *strip, int k, int x, int y)
{
	struct film_spot *spot = strip->opt->spot;
	int row = block_of_cell(strip, k, 0, spot->y - y), column = block_of_cell(strip, k, 1, spot->x - x);
	if (spot->found || row < 0 || column < 0)
		return;
	spot->found = true;
	spot->moment = k;
	block_index(strip, row, column, spot->index);
	spot->device = sw_owners_at(strip->of, k, spot->index, 0);
}

void strip_picture(const struct strip *strip, int k, struct canvas *out, int x, int y)
{
	assert(k >= 0 && k <= strip->steps);
	if (strip->opt->spot && k >= strip->born)
		spot_fill(strip, k, x, y);
	if (k < strip->born) {
		absent_draw(strip, k, out, x, y);
		return;
	}
	frame_draw(strip, k, out, x, y);
	for (struct band band = {.k = k}; band_next(strip, &band);)
		for (int column = 0; column < strip->units[1]; column++)
			block_draw(strip, &band, column, out, x + block_at(strip, k, 1, column), y + band.row);
	if (strip->opt->element)
		element_draw(strip, k, out, x, y);
}

void strip_spot(const struct strip *strip, struct film_spot *spot)
{
	for (int side = 0; side < 2; side++) {
		spot->dims[side] = strip->dims[side];
		spot->unit[side] = strip->unit[side];
	}
}

/* ---- the row of them ---- */

int strip_column(const struct strip *strip, int k)
{
	return STRIP_MARGIN + strip_place(strip, k) * (strip->width + STRIP_GAP);
}

int strip_x(const struct strip *strip, int k)
{
	return strip_column(strip, k) + (strip->width - strip_extent(strip, k, 1)) / 2;
}

int strip_tallest(const struct strip *strip)
{
	int height = 0;
	for (int k = strip->first; k >= 0; k = strip_next(strip, k))
		height = strip_extent(strip, k, 0) > height ? strip_extent(strip, k, 0) : height;
	return height;
}

/* As far as the step has passed the line is heavy. */
void strip_arrow(const struct strip *strip, int k, const char *above, struct canvas *out, int y)
{
	int before = strip_before(strip, k);
	int from = strip_x(strip, before) + strip_extent(strip, before, 1) + 1, to = strip_x(strip, k) - 2;
	double part = (strip->now - before + strip->opt->passed) / (k - before);
	int passed = strip->now >= k ? to - from : strip->now >= before ? (int)(part * (to - from) + 1e-6) : 0;
	canvas_hline(out, from, y, to - from, ROLE_BORDER, 0);
	if (passed > 1)
		canvas_hline(out, from, y, passed, ROLE_MOVED, LINE_HEAVY);
	canvas_put_glyph(out, to, y, passed == to - from ? ROLE_MOVED : ROLE_BORDER, GLYPH_CURRENT);
	canvas_put_center(out, from - 1, y - 1, to - from + 3, ROLE_NUMBER, above);
}

/* ---- on the way ---- */

#define PIECE 2      /* columns of a block on its way, where it is a colour */
#define NOTHING (-3) /* of a line is on its way */

/* Does the device that has a term of a block after the step get it from another one? */
static bool term_moves(const struct strip *strip, int k, const int64_t *index, int64_t term)
{
	int64_t owner = sw_owners_at(strip->of, k, index, term),
			beside = strip->beside ? sw_owners_beside(strip->of, k, index) : -1;
	owner = beside >= 0 ? beside : owner;
	if (sw_owners_terms(strip->of) > 1)
		return owner != sw_owners_at(strip->of, k - 1, index, term);
	return owner >= 0 && !sw_owners_has(strip->of, k - 1, owner, index);
}

static int64_t term_of(const struct strip *strip, int row)
{
	return row * sw_owners_terms(strip->of) / strip->terms;
}

static bool block_moves(const struct strip *strip, int k, const int64_t *index)
{
	for (int row = 0; row < strip->terms; row++)
		if (term_moves(strip, k, index, term_of(strip, row)))
			return true;
	return false;
}

/* Is something looked at, so that of what moves its own is drawn? */
static bool looks_at_some(const struct strip *strip)
{
	return strip->lit >= 0 || tile_of(strip);
}

/* Is a block of the tile that is followed, or does the device that is looked at get it or give it away in the step? */
static bool block_concerns(const struct strip *strip, int k, const int64_t *index)
{
	if (tile_of(strip))
		return followed_tile_has(&strip->opt->tile, index);
	return strip->lit >= 0 &&
		sw_owners_has(strip->of, k, strip->lit, index) != sw_owners_has(strip->of, k - 1, strip->lit, index);
}

/* The block of a row that is drawn on its way: the first that moves, of a device or a tile that is looked at one of its own; -1: none does. */
static int block_moving(const struct strip *strip, int k, int row)
{
	int64_t index[SW_MAX_DIMS];
	int first = -1;
	for (int column = 0; column < strip->units[1]; column++) {
		block_index(strip, row, column, index);
		if (first >= 0 && (!looks_at_some(strip) || !block_concerns(strip, k, index)))
			continue;
		if (!block_moves(strip, k, index))
			continue;
		if (!looks_at_some(strip) || block_concerns(strip, k, index))
			return column;
		first = column;
	}
	return first;
}

/* Whose colour is on its way in a line; NOTHING: none is. */
static int64_t piece_owner(const struct strip *strip, int k, int line, bool any)
{
	int64_t index[SW_MAX_DIMS];
	int row = line / block_cells(strip, 0), column = any ? block_moving(strip, k, row) : 0,
		term = line / lines_each(strip) % strip->terms;
	if (column < 0)
		return NOTHING;
	block_index(strip, row, column, index);
	if (any && strip->terms > 1 && !term_moves(strip, k, index, term_of(strip, term)))
		return NOTHING;
	if (block_concerns(strip, k, index))
		return owner_of(strip, k - 1, index, term_of(strip, term));
	return line_owner(strip, k - 1, line, column);
}

static void piece_draw(const struct strip *strip, const int64_t owner[2], struct canvas *out, int x, int y)
{
	int64_t upper = owner[0] == NOTHING ? owner[1] : owner[0];
	if (upper == NOTHING || canvas_cell_at(out, x, y)->glyph || canvas_cell_at(out, x + strip->across, y)->glyph)
		return;
	if (strip->per == 1)
		canvas_put_right(out, x, y, strip->across, role_of(strip, upper), owners_sign(&strip->signs, upper).text);
	for (int i = 0; i < PIECE && strip->per == 2; i++)
		canvas_put_halves(out, x + i, y, role_of(strip, upper),
			owner[1] == NOTHING ? ROLE_TEXT : role_of(strip, owner[1]));
}

void strip_travel(const struct strip *strip, int k, bool copies, struct canvas *out, int y)
{
	int64_t index[SW_MAX_DIMS];
	bool any = false;
	assert(k > strip->first);
	if (strip->stride > 1 || k <= strip->born || strip->now != k - 1 || strip->opt->passed <= 0)
		return;
	int from = strip_x(strip, k - 1) + strip_extent(strip, k - 1, 1), wide = strip->per == 1 ? strip->across : PIECE,
		room = strip_x(strip, k) - from - wide, x = from + (int)(strip->opt->passed * room + 1e-6);
	for (int block = 0; block < strip->units[0] * strip->units[1] && !any; block++) {
		block_index(strip, block / strip->units[1], block % strip->units[1], index);
		any = block_moves(strip, k, index);
	}
	for (struct band band = {.k = k - 1}; room > 0 && (any || copies) && band_next(strip, &band);) {
		const int64_t owner[2] = {piece_owner(strip, k, band.line, any),
			band.lines > 1 ? piece_owner(strip, k, band.line + 1, any) : NOTHING};
		piece_draw(strip, owner, out, x, y + band.row);
	}
}

/* ---- words ---- */

/* The first picture in sight with such tiles is said. */
static int overlaps_note(const struct strip *strip, const char *name, struct canvas *out, int y)
{
	for (int k = strip->first; k >= 0; k = strip_next(strip, k)) {
		int64_t most = overlapping(strip, k);
		char when[48] = "before the first step";
		if (!most)
			continue;
		if (k)
			snprintf(when, sizeof(when), "after step %d", k);
		return draw_note(out, 0, y, ROLE_NOTE,
			"%swhat devices have %s overlaps, at most %s elements on one: no lines are drawn", name, when,
			words_count(most).text);
	}
	return y;
}

/* The first picture in sight without tiles is said. */
static int anew_note(const struct strip *strip, const char *name, struct canvas *out, int y)
{
	for (int k = strip->first; k >= 0; k = strip_next(strip, k)) {
		if (k == 0 || k < strip->born || strip_tiled(strip, k) || sw_owners_terms(strip->of) > 1 ||
			overlapping(strip, k))
			continue;
		return draw_note(out, 0, y, ROLE_NOTE, "%safter step %d there are no tiles: %s", name, k,
			is_anew(strip, k) ? strip->per == 2 ? "there the colour is the device that has a block then" :
												  "there the sign is the device that has a block then" :
								"who has what is not drawn, for want of room");
	}
	return y;
}

/* Is there a block in sight that no device has? */
static bool unheld(const struct strip *strip)
{
	for (int k = strip->first; k >= 0; k = strip_next(strip, k))
		for (int line = 0; k >= strip->born && line < strip->units[0] * block_cells(strip, 0); line++)
			for (int column = 0; column < strip->units[1]; column++)
				if (line_owner(strip, k, line, column) == -1)
					return true;
	return false;
}

/* Which two dimensions are drawn, and at which index of the others. */
static int cut_note(const struct strip *strip, const char *name, struct canvas *out, int y)
{
	sw_text others = {0};
	for (int i = 0; i < strip->rank; i++)
		if (i != strip->dims[0] && i != strip->dims[1])
			sw_text_addf(&others, ", %d at index %lld", i,
				strip->opt->element ? (long long)strip->opt->element[i] : 0LL);
	y = draw_note(out, 0, y, ROLE_NOTE, "%sdimension %d down, %d across%s%s", name, strip->dims[0], strip->dims[1],
		sw_text_get(&others), strip->opt->room ? "; x draws other dimensions, o takes the next index" : "");
	sw_text_free(&others);
	return y;
}

/* Is there a picture in sight with tiles along a side, between which no lines are? */
static bool lines_missing(const struct strip *strip, int side)
{
	for (int k = strip->first; k >= 0; k = strip_next(strip, k))
		if (tile_along(strip, k, side) && tile_along(strip, k, side) < strip->size[side] &&
			!blocks_of_tile(strip, k, side))
			return true;
	return false;
}

int strip_notes(const struct strip *strip, const char *name, struct canvas *out, int y)
{
	int64_t terms = sw_owners_terms(strip->of);
	bool down = lines_missing(strip, 0), across = lines_missing(strip, 1);
	if (terms > 1)
		y = draw_note(out, 0, y, ROLE_NOTE,
			"%seach value is the sum of %s terms, %s; lines of one %s are already added", name,
			words_count(terms).text, strip->terms < terms ? "a line for some of them" : "one line each",
			strip->per == 2 ? "colour" : owners_sign_words(&strip->signs, strip->opt).text);
	if (down || across)
		y = draw_note(out, 0, y, ROLE_NOTE, "%snot enough room for the lines between %stiles", name,
			down && across ? "" :
				down       ? "rows of " :
							 "columns of ");
	y = anew_note(strip, name, out, y);
	if (strip->rank > 2)
		y = cut_note(strip, name, out, y);
	if (strip->unit[0] > 1 || strip->unit[1] > 1)
		y = draw_note(out, 0, y, ROLE_NOTE, "%sin blocks of %s x %s elements%s", name,
			words_count(strip->unit[0]).text, words_count(strip->unit[1]).text,
			strip_alike(strip) ? "" : ", each drawn as its first element");
	if (unheld(strip))
		y = draw_note(out, 0, y, ROLE_NOTE, "%s%s: no device has it", name, strip->per == 1 ? "?" : "grey");
	return overlaps_note(strip, name, out, y);
}
