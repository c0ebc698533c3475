/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sequences of collectives as heights.
 */
#include "views/sequence.h"

#include <assert.h>
#include <stdio.h>

#include <shardwalk/number.h>

#include "answer/document.h"

int64_t sequence_height(const sw_sequence *sequence)
{
	return sw_sequence_measure(sequence).height;
}

void sequence_measure_text(const sw_measure *measure, sw_text *text)
{
	sw_text_add(text, "height ");
	sw_print_count(text, measure->height);
	sw_text_add(text, ", cost ");
	sw_print_count(text, measure->cost);
	sw_text_addf(text, ", %d %s%s", measure->steps, plural(measure->steps, "step", "steps"),
		measure->normal_form ? ", normal form" : "");
}

#define BAR_LEAST 8    /* columns of bars; where there are fewer there are none */
#define WORDS_LEAST 12 /* of operation and type together */

/* Columns of the words: of operations, types and sizes; the bars take the rest. */
struct sequence_layout {
	int op, type, size;
};

static void sequence_op(const sw_sequence *sequence, int k, sw_text *text)
{
	const sw_call *call = k ? sw_sequence_call(sequence, k - 1) : NULL;
	sw_text_clear(text);
	if (!call)
		sw_text_add(text, "from");
	else
		sw_call_print_beside(sw_sequence_mesh(sequence), call, text);
}

static void sequence_words(const sw_sequence *sequence, int k, sw_text *op, sw_text *type, sw_text *size)
{
	const sw_type *at = sw_sequence_type(sequence, k);
	sequence_op(sequence, k, op);
	sw_text_clear(type);
	sw_type_print(sw_sequence_mesh(sequence), at, false, type);
	sw_text_clear(size);
	sw_print_count(size, sw_type_localsize(at));
}

static int wider(int width, const sw_text *text)
{
	int own = canvas_text_width(sw_text_get(text));
	return own > width ? own : width;
}

static struct sequence_layout sequence_columns_of(const sw_sequence *sequence, int width)
{
	struct sequence_layout layout = {4, 4, 4};
	sw_text op = {0}, type = {0}, size = {0};
	for (int k = 0; k <= sw_sequence_count(sequence); k++) {
		sequence_words(sequence, k, &op, &type, &size);
		layout.op = wider(layout.op, &op);
		layout.type = wider(layout.type, &type);
		layout.size = wider(layout.size, &size);
	}
	sw_text_free(&op);
	sw_text_free(&type);
	sw_text_free(&size);
	int bars = width < 60 ? 0 : BAR_LEAST + 4, room = width - 8 - layout.size - 2 - bars;
	room = room < WORDS_LEAST ? WORDS_LEAST : room;
	layout.op = layout.op < room / 2 ? layout.op : room / 2;
	layout.type = layout.type < room - layout.op - 2 ? layout.type : room - layout.op - 2;
	return layout;
}

int sequence_draw(const sw_sequence *sequence, int first, int count, int64_t most, struct canvas *out, int y)
{
	assert(first >= 0 && count >= 0);
	struct sequence_layout at = sequence_columns_of(sequence, out->width);
	int type_x = 6 + at.op + 2, size_x = type_x + at.type + 2, bar_x = size_x + at.size + 2;
	sw_text op = {0}, type = {0}, size = {0};
	for (int k = 0; k <= sw_sequence_count(sequence); k++, y++) {
		bool marked = k > first && k <= first + count;
		sequence_words(sequence, k, &op, &type, &size);
		canvas_putf(out, 0, y, marked ? ROLE_CURRENT : ROLE_DIM, marked ? "* %2d" : "  %2d", k);
		canvas_put_cut(out, 6, y, at.op, k ? ROLE_OP : ROLE_TEXT, sw_text_get(&op));
		canvas_put_cut(out, type_x, y, at.type, ROLE_TYPE, sw_text_get(&type));
		canvas_put_right(out, size_x, y, at.size, ROLE_NUMBER, sw_text_get(&size));
		if (out->width - bar_x > BAR_LEAST)
			canvas_bar(out, bar_x, y, out->width - bar_x - 1, ROLE_BAR,
				(double)sw_type_localsize(sw_sequence_type(sequence, k)), (double)most);
	}
	sw_text_free(&op);
	sw_text_free(&type);
	sw_text_free(&size);
	return y;
}
