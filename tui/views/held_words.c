/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What processors hold in a step of a schedule, as short words.
 */
#include "views/held_words.h"

#include <assert.h>

#include "canvas/canvas.h"

/* ---- tiles by number ---- */

/* The largest extents of an array's boxes: by them tiles are counted. */
struct grain {
	int64_t size[SW_MAX_DIMS], block[SW_MAX_DIMS];
};

static const sw_formula_array *array_of(const struct held_words *w, int k)
{
	return &w->look->schedule->problem->formula.array[w->array[k]];
}

static void widen(struct grain *grain, const sw_boxes *boxes)
{
	for (int n = 0; n < boxes->count; n++)
		for (int d = 0; d < boxes->rank; d++) {
			const int64_t *at = boxes->at + ((int64_t)n * boxes->rank + d) * 2;
			if (at[1] - at[0] > grain->block[d])
				grain->block[d] = at[1] - at[0];
		}
}

/* Is it a tile that the grain counts? */
static bool is_tile(const struct grain *grain, const int64_t *box, int rank)
{
	bool tile = true;

	for (int d = 0; d < rank && tile; d++)
		tile = box[2 * d] % grain->block[d] == 0 &&
			(box[2 * d + 1] - box[2 * d] == grain->block[d] || box[2 * d + 1] == grain->size[d]);
	return tile;
}

/* `B01`; `B` where there is one tile; `B1,12` where numbers have two digits; `B[0-1, 3-4]` where it is none of the tiles. */
static void print_box(const struct held_words *w, int k, const struct grain *grain, const int64_t *box, sw_text *text)
{
	int rank = array_of(w, k)->rank;
	bool commas = false, whole = true;

	sw_text_add_str(text, array_of(w, k)->name);
	if (!is_tile(grain, box, rank)) {
		schedule_print_box(box, rank, text);
		return;
	}
	for (int d = 0; d < rank; d++)
		whole = whole && grain->block[d] == grain->size[d];
	for (int d = 0; d < rank; d++)
		commas = commas || (grain->size[d] - 1) / grain->block[d] > 9;
	for (int d = 0; d < rank && !whole; d++)
		sw_text_addf(text, "%s%lld", commas && d > 0 ? "," : "", (long long)(box[2 * d] / grain->block[d]));
}

/* ---- from where ---- */

/* How a message goes on a mesh of one or two dimensions; in more it only comes. */
static const char *arrow_of(const struct held_words *w, const sw_schedule_message *message, int level)
{
	static const char *const along[2][2] = {{"→", "←"}, {"↓", "↑"}};
	const sw_mesh *mesh = w->look->schedule->problem->mesh;
	int axis[SW_MAX_AXES], axes = schedule_axes(w->look->lowering, level, axis), moved = 0, at = 0;
	int64_t by = 0;

	if (axes > 2 || message->from == SW_NODE_COPY || message->to == SW_NODE_COPY)
		return "←";
	for (int k = 0; k < axes; k++) {
		int64_t size = mesh->axis[axis[k]].size, stride = k + 1 < axes ? mesh->axis[axis[k + 1]].size : 1;
		int64_t step = (message->to / stride % size - message->from / stride % size + size) % size;
		if (step == 0)
			continue;
		moved++;
		at = k;
		by = 2 * step > size ? step - size : step;
	}
	return moved == 1 ? along[axes - 1 - at][by < 0] : "←";
}

/* A unit of this level: of the last one they are devices. */
static void print_unit(const sw_mesh *mesh, int level, int64_t unit, sw_text *text)
{
	if (unit == SW_NODE_COPY)
		sw_text_add(text, "node");
	else if (level == sw_mesh_levels(mesh))
		sw_mesh_print_device(mesh, unit, text);
	else
		sw_text_addf(text, "%lld", (long long)unit);
}

/* Messages of a fetch by the processor that they come to, or of the left side go away from, each list in the order of messages. */
struct ways {
	int64_t *first; /* of each processor, -1: none */
	int64_t *next;  /* of each message, -1: the last */
};

static bool list_ways(const struct held_words *w, int k, struct ways *ways)
{
	ways->first = SW_NEW(w->arena, int64_t, w->processors);
	ways->next = SW_NEW(w->arena, int64_t, w->messages.count + 1);
	for (int64_t p = 0; ways->first != NULL && p < w->processors; p++)
		ways->first[p] = -1;
	if (ways->first == NULL || ways->next == NULL)
		return false;
	for (int64_t n = w->messages.count - 1; n >= 0; n--) {
		const sw_schedule_message *message = &w->messages.message[n];
		int64_t of = w->array[k] > 0 ? message->to : message->from;
		if (message->fetch != w->fetch[k] || of < 0 || of >= w->processors)
			continue;
		ways->next[n] = ways->first[of];
		ways->first[of] = n;
	}
	return true;
}

/* Behind a word: from whom it comes, `←1`, or to whom it goes, `=>0`. */
static void print_ways(const struct held_words *w, int k, const struct ways *ways, int64_t processor,
	struct held_word *word, sw_text *text)
{
	const sw_mesh *mesh = w->look->schedule->problem->mesh;
	bool gives = w->array[k] == 0;
	int count = 0, level = w->fetch[k] >= 0 ? w->look->lowering->fetch[w->fetch[k]].level : 0;

	for (int64_t n = ways->first[processor]; n >= 0; n = ways->next[n]) {
		const sw_schedule_message *message = &w->messages.message[n];
		if (count++ >= 2)
			continue;
		sw_text_add(text, count > 1 ? "," : gives ? "=>" : arrow_of(w, message, level));
		print_unit(mesh, level, gives ? message->to : message->from, text);
	}
	word->arrives = !gives && count > 0;
	word->leaves = gives && count > 0;
	if (count > 2)
		sw_text_add(text, "…");
}

/* ---- all words ---- */

static bool boxes_of(const struct held_words *w, int k, int64_t processor, sw_boxes *boxes)
{
	const sw_lowering *lowering = w->look->lowering;
	int levels = sw_mesh_levels(w->look->schedule->problem->mesh);

	if (w->fetch[k] >= 0)
		return sw_lowering_need(lowering, w->fetch[k], w->look->step - 1, processor, w->arena, boxes);
	sw_lowering_home(lowering, w->array[k], levels, processor, boxes);
	return true;
}

static bool fill_word(const struct held_words *w, int k, int64_t processor, const struct grain *grain,
	const struct ways *ways)
{
	struct held_word *word = &w->word[processor * w->arrays + k];
	sw_arena_mark mark = sw_arena_here(w->arena);
	sw_text text = {0};
	sw_boxes boxes;

	if (!boxes_of(w, k, processor, &boxes))
		return false;
	for (int n = 0; n < boxes.count && n < 2; n++) {
		if (n > 0)
			sw_text_add_char(&text, '+');
		print_box(w, k, grain, boxes.at + (int64_t)n * 2 * boxes.rank, &text);
	}
	if (boxes.count > 2)
		sw_text_add(&text, "…");
	if (w->fetch[k] >= 0)
		print_ways(w, k, ways, processor, word, &text);
	sw_arena_back(w->arena, mark);
	word->text = text.length > 0 ? sw_text_keep(&text, w->arena) : "";
	return word->text != NULL;
}

static bool fill_array(const struct held_words *w, int k, const struct held_near *near)
{
	struct grain grain = {0};
	struct ways ways = {0};
	sw_boxes boxes;

	if (!list_ways(w, k, &ways))
		return false;
	for (int d = 0; d < array_of(w, k)->rank; d++)
		grain.size[d] = array_of(w, k)->size[d];
	sw_arena_mark mark = sw_arena_here(w->arena);
	for (int64_t p = 0; p < w->processors; p++) {
		if (!boxes_of(w, k, p, &boxes))
			return false;
		widen(&grain, &boxes);
		sw_arena_back(w->arena, mark);
	}
	for (int64_t p = 0; p < w->processors; p++)
		if (!held_is_near(near, w->processors, p))
			w->word[p * w->arrays + k].text = "";
		else if (!fill_word(w, k, p, &grain, &ways))
			return false;
	return true;
}

/* Does anything of a fetch move in this step, or does a processor keep what is not at home? */
static bool is_told(const struct held_words *w, int fetch, bool *told)
{
	const sw_lowering *lowering = w->look->lowering;
	sw_boxes buffer;

	*told = false;
	for (int64_t n = 0; n < w->messages.count && !*told; n++)
		*told = w->messages.message[n].fetch == fetch;
	for (int64_t p = 0; p < w->processors && !*told; p++) {
		if (!sw_lowering_buffer(lowering, fetch, w->look->step - 1, p, w->arena, &buffer))
			return false;
		*told = buffer.count > 0;
	}
	return true;
}

static void add_array(struct held_words *w, int array, int fetch)
{
	w->array[w->arrays] = array;
	w->fetch[w->arrays++] = fetch;
}

/* Before the first step all arrays are at home. */
static bool choose_arrays(struct held_words *w)
{
	const sw_lowering *lowering = w->look->lowering;
	int arrays = w->look->schedule->problem->formula.arrays;
	int levels = sw_mesh_levels(w->look->schedule->problem->mesh);
	bool told;

	for (int k = 0; k < arrays && w->look->step == 0; k++)
		add_array(w, k, -1);
	for (int k = 0; k < lowering->fetches && w->look->step > 0; k++) {
		if (lowering->fetch[k].level < levels)
			continue;
		if (!is_told(w, k, &told))
			return false;
		if (told || lowering->fetch[k].array > 0)
			add_array(w, lowering->fetch[k].array, k);
	}
	return true;
}

bool held_words_of(const struct schedule_look *look, sw_arena *arena, struct held_words *words)
{
	return held_words_near(look, &(struct held_near){look->schedule->problem->mesh->devices, -1}, arena, words);
}

bool held_words_near(const struct schedule_look *look, const struct held_near *near, sw_arena *arena,
	struct held_words *words)
{
	const sw_lowering *lowering = look->lowering;
	int room = look->schedule->problem->formula.arrays + lowering->fetches;

	assert(look->step >= 0 && look->step <= lowering->steps);
	*words = (struct held_words){.look = look, .arena = arena, .processors = look->schedule->problem->mesh->devices};
	words->fetch = SW_NEW(arena, int, room);
	words->array = SW_NEW(arena, int, room);
	if (words->fetch == NULL || words->array == NULL)
		return false;
	if (look->step > 0 && !sw_lowering_messages(lowering, look->step - 1, arena, &words->messages))
		return false;
	if (!choose_arrays(words))
		return false;
	words->word = SW_NEW_ZERO(arena, struct held_word, words->processors * (words->arrays + 1));
	for (int k = 0; words->word != NULL && k < words->arrays; k++)
		if (!fill_array(words, k, near))
			return false;
	return words->word != NULL;
}

int held_words_width(const struct held_words *words, int k)
{
	int most = 0;

	for (int64_t p = 0; p < words->processors; p++) {
		int width = canvas_text_width(words->word[p * words->arrays + k].text);
		most = width > most ? width : most;
	}
	return most;
}

int held_parts(const struct held_words *words, sw_text *part, int room)
{
	const sw_lowering *lowering = words->look->lowering;
	sw_schedule_pattern pattern;
	int parts = 0;

	for (int k = 0; k < lowering->fetches && parts < room && words->look->step > 0; k++) {
		if (!sw_lowering_pattern(lowering, k, &words->messages, words->arena, &pattern))
			return -1;
		if (pattern.name == SW_SCHEDULE_PATTERN_NONE)
			continue;
		schedule_print_fetch(lowering, &lowering->fetch[k], &part[parts]);
		sw_text_add(&part[parts], ": ");
		schedule_print_pattern(&pattern, &words->messages, k, &part[parts++]);
	}
	return parts;
}
