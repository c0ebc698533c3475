/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is pinned in a film.
 */
#include "screen/pin.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/between.h>
#include <shardwalk/number.h>

#include "answer/words.h"
#include "command/programs/moments.h"
#include "screen/enter.h"
#include "screen/panes.h"
#include "screen/visit.h"
#include "views/followed.h"
#include "views/views.h"

/* NULL: nothing is drawn whose elements could be pinned. */
static const sw_type *array_of(const struct screen *screen)
{
	const sw_type *array = film_array(screen);

	return array != NULL && array->rank > 0 ? array : NULL;
}

static const sw_mesh *mesh_of(const struct screen *screen)
{
	const struct state *state = &screen->session->state;
	const sw_moments *moments = moments_are_subject(state) ? session_moments(screen->session, NULL) : NULL;
	const sw_plan *plan = screen_steps(screen);

	return moments != NULL ? &moments->program->mesh : plan != NULL ? &plan->problem.mesh : &state->mesh;
}

static void say(struct screen *screen)
{
	struct view_tile tile;
	sw_text text = {0};

	sw_text_add_str(&text, film_array_name(screen));
	if (film_tile(screen, &tile))
		followed_tile_print(&tile, mesh_of(screen), &text);
	else
		sw_type_print_tile(screen->viewpoint.element, array_of(screen)->rank, &text);
	if (tile.of != NULL)
		screen_say(screen, ROLE_NOTE, "tile %.60s is pinned: Up Down + - move it, t: its device, Esc: unpin",
			sw_text_get(&text));
	else
		screen_say(screen, ROLE_NOTE, "%.60s is pinned: Up Down + - move it, t: its tile, Enter: into, Esc: unpin",
			sw_text_get(&text));
	sw_text_free(&text);
	film_echo(screen);
}

static void pin(struct screen *screen, int array, const int64_t *element)
{
	screen->viewpoint.array = array;
	memcpy(screen->viewpoint.element, element, sizeof screen->viewpoint.element);
	screen->viewpoint.has_element = true;
	screen->viewpoint.has_tile = false;
	say(screen);
}

static void light(struct screen *screen, int64_t device)
{
	screen->viewpoint.has_element = false;
	screen->viewpoint.device = device;
	screen_say(screen, ROLE_NOTE, "device %s is pinned: what it has is highlighted; Enter: into, Esc: unpin",
		words_device_first(mesh_of(screen), device).text);
	film_echo(screen);
}

/* The tile that has the element at this moment; false: nobody has it. */
static bool pin_tile(struct screen *screen)
{
	struct viewpoint *viewpoint = &screen->viewpoint;
	struct view_tile tile;

	viewpoint->has_tile = true;
	viewpoint->tile = film_now(screen);
	viewpoint->device = VIEW_ALL;
	if (film_tile(screen, &tile)) {
		say(screen);
		return true;
	}
	viewpoint->has_tile = false;
	return false;
}

void pin_widen(struct screen *screen)
{
	static const int64_t first[SW_MAX_DIMS];
	struct viewpoint *viewpoint = &screen->viewpoint;
	struct view_tile tile;

	if (array_of(screen) == NULL)
		screen_say(screen, ROLE_NOTE, "the film has no array to pin something in");
	else if (film_tile(screen, &tile))
		light(screen, tile.device);
	else if (!viewpoint->has_element)
		pin(screen, film_array_changed(screen), first);
	else if (!pin_tile(screen))
		screen_say(screen, ROLE_NOTE, "no device has the element yet: s goes on to a moment at which one does");
}

/* ---- clicks ---- */

static bool is_pinned(const struct screen *screen, const struct film_spot *spot)
{
	int rank = array_of(screen)->rank;

	return screen->viewpoint.has_element && film_array_number(screen) == spot->array &&
		memcmp(screen->viewpoint.element, spot->index, (size_t)rank * sizeof *spot->index) == 0;
}

/* Where the element is pinned its tile is, then the device that has it. */
void pin_click(struct screen *screen, int x, int y)
{
	struct film_spot spot = {.x = x, .y = y};

	if (!film_spot_at(screen, &spot) || !spot.found)
		return;
	if (array_of(screen) != NULL && !is_pinned(screen, &spot))
		pin(screen, spot.array, spot.index);
	else if (screen->viewpoint.has_element && !screen->viewpoint.has_tile && pin_tile(screen))
		return;
	else if (spot.device >= 0)
		light(screen, spot.device);
}

/* ---- moving ---- */

/* Beyond an edge of one array of a program begins the next one. */
static bool pin_neighbour(struct screen *screen, const struct film_spot *spot, int by)
{
	int *number = &screen->viewpoint.array, before = film_array_number(screen);
	int64_t *element = screen->viewpoint.element;

	*number = by > 0 ? spot->below : spot->above;
	const sw_type *array = array_of(screen);
	if (*number == before || array == NULL) {
		*number = before;
		return false;
	}
	for (int i = 0; i < array->rank; i++)
		element[i] = sw_smaller(element[i], array->global[i] - 1);
	int down = spot->dims[0] != VIEW_ALL && spot->dims[0] < array->rank ? spot->dims[0] : 0;
	element[down] = by > 0 ? 0 : array->global[down] - 1;
	return true;
}

/* A tile is moved by its size, where that is the same for all. */
static int64_t unit_of(const struct screen *screen, int dim, int64_t unit)
{
	struct view_tile tile;
	const sw_holding *holding = film_tile(screen, &tile) ? sw_owners_holding(tile.of, tile.step) : NULL;
	bool tiled = holding != NULL && holding->region == NULL && holding->rule == NULL && holding->tile[dim] > 0;

	return tiled ? holding->tile[dim] : unit;
}

bool pin_move(struct screen *screen, int side, int by)
{
	struct film_spot spot = {.x = -1, .y = -1};
	const sw_type *array = array_of(screen);
	int64_t *element = screen->viewpoint.element;

	if (array == NULL || !screen->viewpoint.has_element || !film_spot_at(screen, &spot))
		return false;
	int dim = spot.dims[side] == VIEW_ALL ? 0 : spot.dims[side];
	int64_t size = array->global[dim], unit = unit_of(screen, dim, spot.unit[side]);
	assert(unit >= 1 && dim < array->rank);
	int64_t blocks = (size + unit - 1) / unit, block = element[dim] / unit + by;
	bool over = block < 0 || block >= blocks;
	if (!over || side > 0 || !pin_neighbour(screen, &spot, by))
		element[dim] = (block < 0 ? blocks - 1 : block >= blocks ? 0 : block) * unit;
	say(screen);
	return true;
}

/* The last of them fastest, by the tile that is there after the step. */
void pin_other(struct screen *screen)
{
	struct film_spot spot = {.x = -1, .y = -1};
	const sw_type *array = array_of(screen);
	int64_t *element = screen->viewpoint.element;

	if (array == NULL || array->rank < 3 || !film_spot_at(screen, &spot)) {
		screen_say(screen, ROLE_NOTE, "the array has no other dimensions to draw");
		return;
	}
	if (!screen->viewpoint.has_element)
		memset(element, 0, sizeof screen->viewpoint.element);
	screen->viewpoint.has_element = true;
	const sw_plan *plan = moments_are_subject(&screen->session->state) ? NULL : screen_steps(screen);
	const int64_t *tile = plan != NULL ? plan->program.value[plan_step(screen)].tile : NULL;
	for (int dim = array->rank - 1; dim >= 0; dim--) {
		if (dim == spot.dims[0] || dim == spot.dims[1])
			continue;
		element[dim] += tile != NULL && tile[dim] > 0 && tile[dim] < array->global[dim] ? tile[dim] : 1;
		if (element[dim] < array->global[dim])
			break;
		element[dim] = 0;
	}
	say(screen);
}

/* ---- going in, and out ---- */

static int view_inside(const struct screen *screen)
{
	const struct state *state = &screen->session->state;

	if (moments_are_subject(state))
		return state->subject == SUBJECT_SCHEDULE ? PANE_HOLDS :
			state->subject == SUBJECT_FORMULA     ? PANE_NEEDS :
													PANE_PROGRAM;
	if (sw_problem_has_words(&screen_steps(screen)->problem))
		return PANE_SETS;
	return screen_plan(screen) != NULL ? PANE_TILES : PANE_STATE;
}

void open_film(struct screen *screen)
{
	static const int64_t first[SW_MAX_DIMS];
	struct viewpoint *viewpoint = &screen->viewpoint;

	const struct pane *pane = screen_pane(screen, PANE_FILM);

	if (film_count(screen) < 0 || (pane != NULL && pane->frame.empty)) {
		screen_say(screen, ROLE_NOTE,
			film_count(screen) < 0 ? "there is no plan yet; P makes one" :
									 "nothing to open: the film has no picture");
		return;
	}
	if (film_group(screen) > 1) {
		viewpoint->opened++;
		screen_say(screen, ROLE_NOTE, "%d step%s from one picture to the next; Esc closes the group",
			film_group(screen), film_group(screen) == 1 ? "" : "s");
		return;
	}
	if (array_of(screen) != NULL && !viewpoint->has_element && viewpoint->device == VIEW_ALL) {
		pin(screen, film_array_changed(screen), first);
		return;
	}
	int view = view_inside(screen);
	viewpoint->by_device = viewpoint->device != VIEW_ALL && !viewpoint->has_element;
	screen_visit(screen, view);
	screen->viewpoint.inside = true;
	screen_say(screen, ROLE_NOTE, "inside the film: %s; 5 shows the traffic, Esc goes back to the film",
		pane_rows[view].name);
}

bool pin_out(struct screen *screen)
{
	struct viewpoint *viewpoint = &screen->viewpoint;
	bool inside = viewpoint->inside && viewpoint->view != PANE_FILM;

	viewpoint->inside = false;
	if (inside)
		screen_visit(screen, PANE_FILM);
	return inside;
}
