/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cheapest ways from one place: a step costs 1, a bend and a crossing more.  Costs are small numbers, so that what
 * waits stands in a ring of lists, one a cost.
 */
#include "canvas/graph_route.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 1, BEND = 3, CROSSING = 4, RING = 16 };
enum { UP, DOWN, LEFT, RIGHT, TURNS };

static const struct {
	int x, y;
	unsigned ahead, back;
} turns[TURNS] = {
	[UP] = {0, -1, LINE_UP, LINE_DOWN},
	[DOWN] = {0, 1, LINE_DOWN, LINE_UP},
	[LEFT] = {-1, 0, LINE_LEFT, LINE_RIGHT},
	[RIGHT] = {1, 0, LINE_RIGHT, LINE_LEFT},
};

#define DIRECTIONS (LINE_UP | LINE_DOWN | LINE_LEFT | LINE_RIGHT)

/* A cell that was come to in a direction. */
struct waiting {
	int state, next;
};

/* What was in a cell before any way was drawn. */
enum ground { BLOCKED, FREE, LINE_GOES_ACROSS, LINE_GOES_DOWN };

struct route_map {
	int left, top, width, height;
	unsigned char *ground;
	int *cost, *before; /* by state; -1: the beginning */
	struct waiting *pool;
	int pool_count, pool_room;
	int ring[RING];
	bool failed;
};

static int state_of(const struct route_map *map, int x, int y, int turn)
{
	return ((y - map->top) * map->width + x - map->left) * TURNS + turn;
}

static void state_read(const struct route_map *map, int state, int *x, int *y, int *turn)
{
	*turn = state % TURNS;
	*x = map->left + state / TURNS % map->width;
	*y = map->top + state / TURNS / map->width;
}

/* A blank between two glyphs is one of a name. */
static enum ground ground_of(const struct canvas *canvas, int x, int y)
{
	const struct cell *cell = canvas_cell_at(canvas, x, y);
	unsigned lines = cell->lines & DIRECTIONS;
	bool inside = canvas_cell_at(canvas, x - 1, y)->glyph && canvas_cell_at(canvas, x + 1, y)->glyph;
	if (cell->glyph || (inside && !lines))
		return BLOCKED;
	if (!lines)
		return FREE;
	return lines == (LINE_UP | LINE_DOWN) ? LINE_GOES_DOWN :
		lines == (LINE_LEFT | LINE_RIGHT) ? LINE_GOES_ACROSS :
											BLOCKED;
}

/* What it costs to go through a cell; 0: one cannot. */
static int cell_cost(const struct route_map *map, int x, int y, int turn)
{
	if (x < map->left || y < map->top || x >= map->left + map->width || y >= map->top + map->height)
		return 0;
	enum ground ground = map->ground[(y - map->top) * map->width + x - map->left];
	if (ground == FREE)
		return STEP;
	return ground == (turn == UP || turn == DOWN ? LINE_GOES_ACROSS : LINE_GOES_DOWN) ? STEP + CROSSING : 0;
}

static void push(struct route_map *map, int state, int cost, int before)
{
	if (cost >= map->cost[state])
		return;
	if (map->pool_count == map->pool_room) {
		int room = map->pool_room ? 2 * map->pool_room : 1024;
		struct waiting *pool = realloc(map->pool, (size_t)room * sizeof(*pool));
		map->failed |= !pool;
		if (!pool)
			return;
		map->pool = pool;
		map->pool_room = room;
	}
	map->cost[state] = cost;
	map->before[state] = before;
	map->pool[map->pool_count] = (struct waiting){state, map->ring[cost % RING]};
	map->ring[cost % RING] = map->pool_count++;
}

/* The cells next to a name, and the direction from the name to each. */
static int cells_next_to(const struct route_end *end, struct route_end next[4], int turn[4])
{
	if (!end->width) {
		next[0] = (struct route_end){end->x, end->y, 0};
		turn[0] = DOWN;
		return 1;
	}
	next[0] = (struct route_end){end->x, end->y - 1, 0};
	next[1] = (struct route_end){end->x, end->y + 1, 0};
	next[2] = (struct route_end){end->x - 1, end->y, 0};
	next[3] = (struct route_end){end->x + end->width, end->y, 0};
	for (int i = 0; i < 4; i++)
		turn[i] = i;
	return 4;
}

/* A way cannot bend where it crosses a line. */
static bool is_free(const struct route_map *map, int x, int y, int turn)
{
	return cell_cost(map, x, y, turn) == STEP;
}

static void spread(struct route_map *map, int state)
{
	int x, y, turn, cost = map->cost[state];
	state_read(map, state, &x, &y, &turn);
	for (int to = 0; to < TURNS; to++) {
		int x2 = x + turns[to].x, y2 = y + turns[to].y, step = cell_cost(map, x2, y2, to);
		if (!step || (to != turn && !is_free(map, x, y, turn)) || turns[to].ahead == turns[turn].back)
			continue;
		push(map, state_of(map, x2, y2, to), cost + step + (to == turn ? 0 : BEND), state);
	}
}

/* The best state in which a way comes to `to`, and what it costs; -1: none. */
static int state_at(const struct route_map *map, const struct route_end *to, int *cost)
{
	struct route_end next[4];
	int turn[4], best = -1;
	int count = cells_next_to(to, next, turn);
	*cost = INT_MAX;
	for (int i = 0; i < count; i++) {
		int into = turn[i] ^ 1;
		for (int from = 0; from < TURNS; from++) {
			if (!cell_cost(map, next[i].x, next[i].y, from))
				continue;
			int state = state_of(map, next[i].x, next[i].y, from), found = map->cost[state];
			if (found == INT_MAX || (from != into && !is_free(map, next[i].x, next[i].y, from)))
				continue;
			found += from == into ? 0 : BEND;
			if (found < *cost) {
				*cost = found;
				best = state;
			}
		}
	}
	return best;
}

static void search(struct route_map *map, const struct route_end *only)
{
	int far = INT_MAX;
	for (int cost = 0, idle = 0; idle < RING && cost <= far; cost++, idle++) {
		while (map->ring[cost % RING] >= 0) {
			struct waiting first = map->pool[map->ring[cost % RING]];
			map->ring[cost % RING] = first.next;
			idle = 0;
			if (map->cost[first.state] == cost)
				spread(map, first.state);
		}
		if (only && cost % RING == 0)
			state_at(map, only, &far);
	}
}

struct route_map *route_map_new(const struct canvas *canvas, int left, int top, int width, int height,
	const struct route_end *from, const struct route_end *only)
{
	struct route_map *map = calloc(1, sizeof(*map));
	size_t states = (size_t)width * (size_t)height * TURNS;
	if (!map)
		return NULL;
	*map = (struct route_map){.left = left, .top = top, .width = width, .height = height};
	map->ground = malloc((size_t)width * (size_t)height + 1);
	map->cost = malloc((states + 1) * sizeof(*map->cost));
	map->before = malloc((states + 1) * sizeof(*map->before));
	for (int i = 0; i < RING; i++)
		map->ring[i] = -1;
	struct route_end next[4];
	int turn[4], count = cells_next_to(from, next, turn);
	if (map->cost && map->before && map->ground) {
		for (size_t i = 0; i < states; i++)
			map->cost[i] = INT_MAX;
		for (int y = 0; y < height; y++)
			for (int x = 0; x < width; x++)
				map->ground[y * width + x] = (unsigned char)ground_of(canvas, left + x, top + y);
		for (int i = 0; i < count; i++)
			if (is_free(map, next[i].x, next[i].y, turn[i]))
				push(map, state_of(map, next[i].x, next[i].y, turn[i]), STEP, -1);
		search(map, only);
	}
	if (map->cost && map->before && map->ground && !map->failed)
		return map;
	route_map_free(map);
	return NULL;
}

void route_map_free(struct route_map *map)
{
	if (!map)
		return;
	free(map->cost);
	free(map->before);
	free(map->ground);
	free(map->pool);
	free(map);
}

bool route_draw(const struct route_map *map, const struct route_end *to, struct canvas *out, enum role role,
	unsigned style)
{
	int cost, x, y, turn, state = state_at(map, to, &cost);
	if (state < 0)
		return false;
	state_read(map, state, &x, &y, &turn);
	struct route_end next[4];
	int side[4], count = cells_next_to(to, next, side);
	unsigned ahead = 0;
	for (int i = 0; i < count; i++)
		if (next[i].x == x && next[i].y == y && !ahead)
			ahead = turns[side[i]].back;
	for (; state >= 0; state = map->before[state]) {
		state_read(map, state, &x, &y, &turn);
		if (is_free(map, x, y, turn))
			canvas_lines(out, x, y, role, turns[turn].back | ahead | style);
		ahead = turns[turn].ahead;
	}
	return true;
}
