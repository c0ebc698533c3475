/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far `exact` and `fused` are from the best plan whose maps need not be types: on small meshes, a search over
 * every map that holds all tiles evenly.  Where a mesh has one prime, the same search over the maps that are types
 * alone must find what the strategies cost; with different primes, what all maps cannot beat, types cannot either.
 *
 *     bench_all_maps [PAIRS]      at most so many pairs of types a row, drawn with SEED where there are more
 *
 * The same as JSON goes to all_maps.json in the folder that BUILD names (else `build`).  Status 1: a search and a
 * strategy disagree.
 */
#include "bench_problem.h"

#include <math.h>

enum { DIMS = 3, MOST_DEVICES = 8, MOST_PARTS = 6, MOST_LOCAL = 32, MOST_TYPES = 512, MOST_STATES = 1 << 20 };

#define FAR (INT64_MAX / 4)

/* Four bits a device: its tile, counted row-major; above them the number of the local type. */
typedef uint64_t map_key;

/* ---- local types and what leads from one to another ---- */

struct space {
	int rank, devices, count;
	int64_t global[DIMS];
	int split[MOST_LOCAL][DIMS]; /* tiles along each dimension */
	int tiles[MOST_LOCAL];
	int64_t size[MOST_LOCAL];
	int64_t edge[2][MOST_LOCAL][MOST_LOCAL];             /* cost with moves of one, of several dimensions; -1: none */
	uint8_t block[MOST_LOCAL][MOST_LOCAL][MOST_DEVICES]; /* of a tile of the first, where both agree at best */
};

static int64_t edge_cost(const struct space *s, int a, int b, bool multi_dim)
{
	int gathers = 0, splits = 0;

	for (int i = 0; i < s->rank; i++) {
		int before = s->split[a][i], after = s->split[b][i];

		if (before % after != 0 && after % before != 0)
			return -1;
		gathers += before > after;
		splits += before < after;
	}
	if (gathers == 0)
		return splits > 0 ? 0 : -1;
	if (!multi_dim && (gathers > 1 || splits > 1))
		return -1;
	return splits == 0 || s->tiles[a] == s->tiles[b] ? s->size[b] : -1;
}

/* The number of the block that holds a tile of local type a: blocks are the least that whole tiles of a, and of b, fill. */
static int block_of(const struct space *s, int a, int b, int tile)
{
	int block = 0, place = 1;

	for (int i = s->rank - 1; i >= 0; i--) {
		int before = s->split[a][i], blocks = before < s->split[b][i] ? before : s->split[b][i];

		block += tile % before / (before / blocks) * place;
		tile /= before;
		place *= blocks;
	}
	return block;
}

static void space_connect(struct space *s)
{
	for (int a = 0; a < s->count; a++)
		for (int b = 0; b < s->count; b++) {
			s->edge[0][a][b] = edge_cost(s, a, b, false);
			s->edge[1][a][b] = edge_cost(s, a, b, true);
			for (int t = 0; s->edge[1][a][b] >= 0 && t < s->tiles[a]; t++)
				s->block[a][b][t] = (uint8_t)block_of(s, a, b, t);
		}
}

static void space_fill(struct space *s, int dim, int *split, int tiles)
{
	if (dim < s->rank) {
		for (int f = 1; f * tiles <= s->devices; f++)
			if (s->devices % (f * tiles) == 0 && s->global[dim] % f == 0) {
				split[dim] = f;
				space_fill(s, dim + 1, split, f * tiles);
			}
		return;
	}
	int n = s->count++;

	s->tiles[n] = tiles;
	s->size[n] = 1;
	for (int i = 0; i < s->rank; i++) {
		s->split[n][i] = split[i];
		s->size[n] *= s->global[i] / split[i];
	}
}

static void space_start(struct space *s, const sw_mesh *mesh, const int64_t *global, int rank)
{
	int split[DIMS];

	memset(s, 0, sizeof *s);
	s->rank = rank;
	s->devices = (int)mesh->devices;
	memcpy(s->global, global, (size_t)rank * sizeof *global);
	space_fill(s, 0, split, 1);
	space_connect(s);
}

static map_key map_of(const struct space *s, const sw_mesh *mesh, const sw_type *type)
{
	map_key key = 0;
	int local = 0;

	for (int n = 0; n < s->count; n++)
		for (int i = 0; i < s->rank && s->split[n][i] == type->global[i] / type->tile[i]; i++)
			local = i == s->rank - 1 ? n : local;
	for (int d = 0; d < s->devices; d++) {
		int64_t offset[SW_MAX_DIMS], tile = 0;

		sw_type_offset(mesh, type, d, offset);
		for (int i = 0; i < s->rank; i++)
			tile = tile * s->split[local][i] + offset[i] / type->tile[i];
		key |= (map_key)tile << 4 * d;
	}
	return key | (map_key)local << 32;
}

static int local_of(map_key key)
{
	return (int)(key >> 32);
}

static int tile_on(map_key key, int device)
{
	return (int)(key >> 4 * device & 15);
}

/* ---- all types over some parts of axes ---- */

struct types {
	const sw_mesh *mesh;
	sw_type whole, *out;
	int count, parts;
	sw_part part[MOST_PARTS];
};

/* Deals the parts that are left to dimension `dim` and those after it, in every order. */
static void types_fill(struct types *t, int dim, unsigned used, int *count, sw_part *dealt, int n)
{
	sw_type *type = &t->out[t->count];

	if (dim == t->whole.rank) {
		*type = t->whole;
		t->count += t->count < MOST_TYPES - 1 && sw_type_partition(t->mesh, type, count, dealt, NULL);
		return;
	}
	types_fill(t, dim + 1, used, count, dealt, n);
	for (int p = 0; p < t->parts; p++)
		if ((used >> p & 1) == 0) {
			dealt[n] = t->part[p];
			count[dim]++;
			types_fill(t, dim, used | 1u << p, count, dealt, n + 1);
			count[dim]--;
		}
}

static int types_of(struct types *t, const sw_mesh *mesh, const int64_t *global, int rank, bool primes)
{
	int count[SW_MAX_DIMS] = {0};
	sw_part dealt[MOST_PARTS];

	t->mesh = mesh;
	t->count = t->parts = 0;
	for (int a = 0; a < mesh->count; a++) {
		int64_t size = mesh->axis[a].size, step = primes && size % 2 == 0 ? 2 : size;

		for (int64_t pre = 1; pre < size; pre *= step)
			t->part[t->parts++] = (sw_part){a, pre, step};
	}
	sw_type_replicated(SW_F32, rank, global, &t->whole, NULL);
	types_fill(t, 0, 0, count, dealt, 0);
	return t->count;
}

/* ---- the search over maps ---- */

struct state {
	map_key key;
	int64_t cost;
	uint32_t search;
	bool settled;
};

struct entry {
	int64_t bound, cost;
	map_key key;
};

struct search {
	const struct space *space;
	const map_key *types; /* the only maps there are, in order; NULL: all */
	int type_count;
	bool multi_dim;
	map_key to;
	int64_t budget, best, ahead[MOST_LOCAL];
	int64_t maps; /* settled, in all searches */
	uint32_t number;
	struct state *state;
	struct entry *heap;
	size_t queued, room;
};

static int key_order(const void *a, const void *b)
{
	map_key x = *(const map_key *)a, y = *(const map_key *)b;

	return (x > y) - (x < y);
}

/* There are fewer than half as many maps on 8 devices as places here. */
static struct state *state_at(struct search *s, map_key key)
{
	size_t place = (key * 0x9E3779B97F4A7C15u) >> 44;

	while (s->state[place].search == s->number && s->state[place].key != key)
		place = (place + 1) % MOST_STATES;
	if (s->state[place].search != s->number)
		s->state[place] = (struct state){key, FAR, s->number, false};
	return &s->state[place];
}

/* Among equal bounds the one that has come farther. */
static bool before(const struct entry *a, const struct entry *b)
{
	return a->bound < b->bound || (a->bound == b->bound && a->cost > b->cost);
}

static void heap_push(struct search *s, struct entry entry)
{
	if (s->queued == s->room) {
		s->room = s->room ? 2 * s->room : 1024;
		s->heap = realloc(s->heap, s->room * sizeof *s->heap);
		if (s->heap == NULL)
			abort();
	}
	size_t k = s->queued++;

	for (; k > 0 && before(&entry, &s->heap[(k - 1) / 2]); k = (k - 1) / 2)
		s->heap[k] = s->heap[(k - 1) / 2];
	s->heap[k] = entry;
}

static struct entry heap_pop(struct search *s)
{
	struct entry first = s->heap[0], last = s->heap[--s->queued];
	size_t k = 0;

	for (size_t child = 1; child < s->queued; child = 2 * k + 1) {
		if (child + 1 < s->queued && before(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (!before(&s->heap[child], &last))
			break;
		s->heap[k] = s->heap[child];
		k = child;
	}
	s->heap[k] = last;
	return first;
}

/* Costs over local types alone, from `start` or (backward) to it. */
static void distances(const struct search *s, int start, bool backward, int64_t *distance)
{
	const struct space *space = s->space;

	for (int n = 0; n < space->count; n++)
		distance[n] = n == start ? 0 : FAR;
	for (bool change = true; change;) {
		change = false;
		for (int a = 0; a < space->count; a++)
			for (int b = 0; b < space->count; b++) {
				int64_t edge = backward ? space->edge[s->multi_dim][b][a] : space->edge[s->multi_dim][a][b];

				bool fits = space->size[a] <= s->budget && space->size[b] <= s->budget;

				if (edge < 0 || !fits || distance[a] + edge >= distance[b])
					continue;
				distance[b] = distance[a] + edge;
				change = true;
			}
	}
}

/* The cheapest plan with an allpermute: it reaches every map of its local type, and from every map something leads on. */
static int64_t permuted(const struct search *s, map_key from)
{
	int64_t behind[MOST_LOCAL], best = FAR;

	distances(s, local_of(from), false, behind);
	for (int n = 0; n < s->space->count; n++)
		if (behind[n] + s->space->size[n] + s->ahead[n] < best)
			best = behind[n] + s->space->size[n] + s->ahead[n];
	return best;
}

static void reach(struct search *s, map_key key, int64_t cost)
{
	if (s->types != NULL && bsearch(&key, s->types, (size_t)s->type_count, sizeof key, key_order) == NULL)
		return;
	struct state *state = state_at(s, key);

	if (state->settled || state->cost <= cost)
		return;
	state->cost = cost;
	heap_push(s, (struct entry){cost + s->ahead[local_of(key)], cost, key});
}

static bool blocks_agree(const struct space *space, map_key a, map_key b)
{
	const uint8_t *old = space->block[local_of(a)][local_of(b)], *new = space->block[local_of(b)][local_of(a)];

	for (int d = 0; d < space->devices; d++)
		if (old[tile_on(a, d)] != new[tile_on(b, d)])
			return false;
	return true;
}

/* Every even map of the local type that `next` names, in which devices stay in their blocks. */
static void expand(struct search *s, map_key from, map_key next, int device, int *holders, int64_t cost)
{
	const struct space *space = s->space;
	int a = local_of(from), b = local_of(next);

	if (device == space->devices) {
		reach(s, next, cost);
		return;
	}
	const uint8_t *block = space->block[b][a];

	for (int t = 0; t < space->tiles[b]; t++)
		if (block[t] == space->block[a][b][tile_on(from, device)] && holders[t] < space->devices / space->tiles[b]) {
			holders[t]++;
			expand(s, from, next | (map_key)t << 4 * device, device + 1, holders, cost);
			holders[t]--;
		}
}

static void settle(struct search *s, map_key from, int64_t so_far)
{
	const struct space *space = s->space;

	for (int b = 0; b < space->count; b++) {
		int64_t edge = space->edge[s->multi_dim][local_of(from)][b];
		int holders[MOST_DEVICES] = {0};

		if (edge < 0 || space->size[b] > s->budget || so_far + edge + s->ahead[b] >= s->best)
			continue;
		if (b == local_of(s->to) && blocks_agree(space, from, s->to))
			reach(s, s->to, so_far + edge);
		else
			expand(s, from, (map_key)b << 32, 0, holders, so_far + edge);
	}
}

/* The least cost from one map to another. */
static int64_t search_run(struct search *s, map_key from, map_key to)
{
	const struct space *space = s->space;
	int64_t a = space->size[local_of(from)], b = space->size[local_of(to)];

	s->budget = a > b ? a : b;
	s->to = to;
	s->number++;
	s->queued = 0;
	distances(s, local_of(to), true, s->ahead);
	s->best = permuted(s, from);
	reach(s, from, 0);
	while (s->queued > 0) {
		struct entry entry = heap_pop(s);
		struct state *state = state_at(s, entry.key);

		if (entry.bound >= s->best)
			break;
		if (entry.key == to)
			return entry.cost;
		if (state->settled)
			continue;
		state->settled = true;
		s->maps++;
		settle(s, entry.key, entry.cost);
	}
	return s->best;
}

/* ---- against the strategies ---- */

struct tally {
	int count, open, cheaper, left_out;
	double logs, most;
	int64_t plan, maps;
	char from[128], to[128];
};

static void print_type(const sw_mesh *mesh, const sw_type *type, char *out, size_t size)
{
	static sw_text text;

	sw_text_clear(&text);
	sw_type_print(mesh, type, false, &text);
	snprintf(out, size, "%s", sw_text_get(&text));
}

/* Without an example nothing was above 1. */
static double most(const struct tally *t)
{
	return t->most > 1 ? t->most : 1;
}

/* Open is a problem whose plan costs more than sizes alone demand: there only the search can tell. */
static void tally_add(struct tally *t, const sw_problem *problem, int64_t plan, int64_t maps, int64_t local)
{
	t->open += local < plan;
	if (maps == 0 && plan > 0) {
		t->left_out++;
		return;
	}
	double ratio = maps > 0 ? (double)plan / (double)maps : 1;

	t->count++;
	t->cheaper += maps < plan;
	t->logs += log(ratio);
	if (ratio <= most(t))
		return;
	t->most = ratio;
	t->plan = plan;
	t->maps = maps;
	print_type(&problem->mesh, &problem->from, t->from, sizeof t->from);
	print_type(&problem->mesh, &problem->to, t->to, sizeof t->to);
}

static bool disagrees(const sw_problem *problem, const char *strategy, int64_t plan, const char *what, int64_t found)
{
	char from[128], to[128];

	print_type(&problem->mesh, &problem->from, from, sizeof from);
	print_type(&problem->mesh, &problem->to, to, sizeof to);
	printf("%s ~> %s: %s costs %lld, but the search over %s finds %lld\n", from, to, strategy, (long long)plan, what,
		(long long)found);
	return false;
}

struct row {
	struct search search;
	struct space space;
	map_key from, to;
	const map_key *types; /* NULL: with different primes no search over types is made */
	int type_count;
	struct tally tally[2];
};

static bool compare_strategy(struct row *row, const sw_problem *problem, bool multi_dim, sw_arena *arena)
{
	sw_plan_options options = {.strategy = multi_dim ? SW_FUSED : SW_EXACT, .sizes_only = true};
	const char *name = sw_strategy_name(options.strategy);
	struct search *s = &row->search;
	sw_plan plan;

	sw_arena_clear(arena);
	if (!sw_plan_find(problem, &options, arena, &plan, NULL))
		return disagrees(problem, name, -1, "maps", 0);
	s->multi_dim = multi_dim;
	s->types = NULL;
	int64_t maps = search_run(s, row->from, row->to);

	tally_add(&row->tally[multi_dim], problem, plan.cost, maps, s->ahead[local_of(row->from)]);
	if (maps > plan.cost || (plan.optimal && row->types == NULL && maps < plan.cost))
		return disagrees(problem, name, plan.cost, "maps", maps);
	if (row->types == NULL)
		return true;
	s->types = row->types;
	s->type_count = row->type_count;
	int64_t types = search_run(s, row->from, row->to);

	return types == plan.cost || disagrees(problem, name, plan.cost, "types", types);
}

static bool compare_pair(struct row *row, const sw_mesh *mesh, const sw_type *from, const sw_type *to,
	sw_arena *arena)
{
	static sw_problem problem;

	problem.mesh = *mesh;
	problem.from = *from;
	problem.to = *to;
	row->from = map_of(&row->space, mesh, from);
	row->to = map_of(&row->space, mesh, to);
	bool exact = compare_strategy(row, &problem, false, arena);

	return compare_strategy(row, &problem, true, arena) && exact;
}

/* ---- the table ---- */

static double mean(const struct tally *t)
{
	return t->count > 0 ? exp(t->logs / t->count) : 1;
}

static json_t *tally_json(const struct tally *t)
{
	json_t *example = t->cheaper == 0 ? json_null() :
										json_pack("{s:s, s:s, s:I, s:I}", "from", t->from, "to", t->to, "plan",
											(json_int_t)t->plan, "maps", (json_int_t)t->maps);

	return json_pack("{s:i, s:i, s:i, s:i, s:f, s:f, s:o}", "problems", t->count, "open", t->open, "cheaper",
		t->cheaper, "against_zero", t->left_out, "geometric_mean", mean(t), "most", most(t), "example", example);
}

static void print_tally(const struct tally *t)
{
	printf(" |%6d %7d %7.4f %6.3f", t->open, t->cheaper, mean(t), most(t));
}

static void print_row(const char *mesh, const char *array, const struct tally tally[2], double seconds)
{
	printf("%-18s %-12s %8d", mesh, array, tally[0].count + tally[0].left_out);
	for (int multi_dim = 0; multi_dim < 2; multi_dim++)
		print_tally(&tally[multi_dim]);
	printf(" |%8.1f\n", seconds);
	for (int multi_dim = 0; multi_dim < 2; multi_dim++) {
		const struct tally *t = &tally[multi_dim];
		const char *name = multi_dim ? "fused" : "exact";

		if (t->cheaper > 0)
			printf("    %s ~> %s: %s %lld, over all maps %lld\n", t->from, t->to, name, (long long)t->plan,
				(long long)t->maps);
		if (t->left_out > 0)
			printf("    %d cost something with %s and nothing over all maps: not in the mean\n", t->left_out, name);
	}
}

static void print_head(void)
{
	printf("costs of plans against the least over all maps whose tiles are evenly held\n");
	printf(
		"open: above what sizes alone demand; cheaper: over all maps than the plan; mean, most: plan / all maps\n\n");
	printf("%40s |%15s%14s |%15s%14s |\n", "", "exact", "", "fused", "");
	printf("%-18s %-12s %8s", "mesh", "array", "problems");
	for (int multi_dim = 0; multi_dim < 2; multi_dim++)
		printf(" |%6s %7s %7s %6s", "open", "cheaper", "mean", "most");
	printf(" |%8s\n", "seconds");
}

static void tally_join(struct tally *all, const struct tally *t)
{
	struct tally best = t->most > all->most ? *t : *all;

	best.count = all->count + t->count;
	best.open = all->open + t->open;
	best.cheaper = all->cheaper + t->cheaper;
	best.left_out = all->left_out + t->left_out;
	best.logs = all->logs + t->logs;
	*all = best;
}

static void keep_types(struct row *row, const sw_mesh *mesh, struct types *primes, map_key *keys)
{
	row->types = NULL;
	if (mesh->devices % 2 == 0 && mesh->devices % 3 == 0)
		return;
	types_of(primes, mesh, row->space.global, row->space.rank, true);
	for (int k = 0; k < primes->count; k++)
		keys[k] = map_of(&row->space, mesh, &primes->out[k]);
	qsort(keys, (size_t)primes->count, sizeof *keys, key_order);
	row->types = keys;
	row->type_count = primes->count;
}

/* Every pair of types over whole axes, or as many as `pairs` drawn from them. */
static bool compare_row(struct row *row, const sw_mesh *mesh, const struct types *types, int pairs, draw *random,
	sw_arena *arena)
{
	int all = types->count * types->count, count = all < pairs ? all : pairs;
	bool good = true;

	memset(row->tally, 0, sizeof row->tally);
	for (int k = 0; k < count; k++) {
		int pair = count < all ? draw_below(random, all) : k;

		good &= compare_pair(row, mesh, &types->out[pair / types->count], &types->out[pair % types->count], arena);
	}
	return good;
}

struct bench {
	struct row row;
	struct types types, primes;
	sw_type room[2][MOST_TYPES];
	map_key keys[MOST_TYPES];
	sw_arena *arena;
	draw random;
	struct tally all[2];
	double seconds;
	bool good;
	json_t *rows;
};

static void bench_row(struct bench *b, const char *mesh_text, int rank, const int64_t *global, int pairs)
{
	struct row *row = &b->row;
	double begin = now();
	sw_mesh mesh;
	char array[64];
	int n = 0;

	sw_mesh_parse(sw_str_of(mesh_text), &mesh, NULL);
	for (int i = 0; i < rank; i++)
		n += snprintf(array + n, sizeof array - (size_t)n, "%s%lld%s", i ? ", " : "[", (long long)global[i],
			i < rank - 1 ? "" : "]");
	space_start(&row->space, &mesh, global, rank);
	row->search.space = &row->space;
	b->types.out = b->room[0];
	b->primes.out = b->room[1];
	types_of(&b->types, &mesh, global, rank, false);
	keep_types(row, &mesh, &b->primes, b->keys);
	b->good &= compare_row(row, &mesh, &b->types, pairs, &b->random, b->arena);
	double seconds = now() - begin;

	b->seconds += seconds;
	for (int multi_dim = 0; multi_dim < 2; multi_dim++)
		tally_join(&b->all[multi_dim], &row->tally[multi_dim]);
	print_row(mesh_text, array, row->tally, seconds);
	json_array_append_new(b->rows,
		json_pack("{s:s, s:s, s:o, s:o}", "mesh", mesh_text, "array", array, "exact", tally_json(&row->tally[0]),
			"fused", tally_json(&row->tally[1])));
}

static void write_json(json_t *root)
{
	const char *build = getenv("BUILD");
	char path[4096];

	snprintf(path, sizeof path, "%s/all_maps.json", build != NULL ? build : "build");
	if (json_dump_file(root, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0)
		printf("as JSON: %s\n", path);
	else
		printf("cannot write %s\n", path);
}

/* Pairs: the most of them a row, so that the whole stays below a minute. */
static void bench_all(struct bench *b, int most)
{
	static const char *const meshes[] = {"{x: 2, y: 2}", "{x: 4}", "{x: 2, y: 3}", "{x: 6}", "{x: 4, y: 2}",
		"{x: 2, y: 2, z: 2}"};
	static const struct {
		int rank;
		int64_t global[DIMS];
		int pairs;
	} arrays[] = {{2, {8, 8}, 10000}, {2, {12, 12}, 10000}, {2, {6, 24}, 10000}, {3, {8, 8, 8}, 2000},
		{3, {12, 12, 12}, 10000}, {3, {4, 6, 12}, 10000}, {3, {2, 8, 24}, 10000}, {3, {6, 6, 6}, 10000}};

	for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++)
		for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
			bench_row(b, meshes[m], arrays[a].rank, arrays[a].global,
				arrays[a].pairs < most ? arrays[a].pairs : most);
	print_row("all", "", b->all, b->seconds);
}

int main(int argc, char **argv)
{
	static struct bench b;
	struct search *s = &b.row.search;

	setvbuf(stdout, NULL, _IOLBF, 0);
	b.random = draw_start("all maps");
	b.good = true;
	b.arena = sw_arena_new();
	b.rows = json_array();
	s->state = calloc(MOST_STATES, sizeof *s->state);
	if (s->state == NULL)
		return 3;
	print_head();
	bench_all(&b, argc > 1 ? atoi(argv[1]) : INT32_MAX);
	printf("\nmaps looked at: %lld\n%s\n", (long long)s->maps,
		b.good ?
			"no plan costs less than its search finds; with one prime, the search over types finds the plan's cost" :
			"a search and a strategy disagree, see above");
	json_t *root = json_pack("{s:o, s:o, s:o, s:b}", "rows", b.rows, "exact", tally_json(&b.all[0]), "fused",
		tally_json(&b.all[1]), "agrees", b.good);
	write_json(root);
	json_decref(root);
	free(s->heap);
	free(s->state);
	sw_arena_free(b.arena);
	return b.good ? 0 : 1;
}
