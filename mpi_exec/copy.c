/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes of box copies, and the loops that carry them out.  The kernels for rows stand in rows.c.
 */
#include "copy.h"

#include <assert.h>
#include <string.h>

#include "rows.h"

enum { LINE = 64 };

static void strides(int rank, int64_t element, const int64_t *size, int64_t *stride)
{
	for (int i = rank - 1; i >= 0; i--) {
		stride[i] = element;
		element *= size[i];
	}
}

static void shape_add(ex_shape *shape, int64_t count, int64_t from, int64_t into)
{
	int last = shape->loops - 1;
	if (last < 0 && from == shape->run && into == shape->run) {
		shape->run *= count;
	} else if (last >= 0 && from == shape->count[last] * shape->from[last] &&
		into == shape->count[last] * shape->into[last]) {
		shape->count[last] *= count;
		shape->runs *= count;
	} else {
		shape->count[shape->loops] = count;
		shape->from[shape->loops] = from;
		assert(shape->loops < SW_MAX_DIMS);
		shape->into[shape->loops++] = into;
		shape->runs *= count;
	}
}

void ex_shape_set(ex_shape *shape, int rank, int64_t element, const int64_t *extent, const int64_t *from,
	const int64_t *into)
{
	assert(rank >= 0 && rank <= SW_MAX_DIMS && element >= 1);
	int64_t from_stride[SW_MAX_DIMS], into_stride[SW_MAX_DIMS];
	strides(rank, element, from, from_stride);
	strides(rank, element, into, into_stride);
	memset(shape, 0, sizeof(*shape));
	shape->run = element;
	shape->runs = 1;
	for (int i = rank - 1; i >= 0; i--)
		if (extent[i] != 1)
			shape_add(shape, extent[i], from_stride[i], into_stride[i]);
}

void ex_shape_of(ex_shape *shape, int64_t element, const sw_loops *loops)
{
	memset(shape, 0, sizeof(*shape));
	shape->run = element;
	shape->runs = 1;
	for (int i = loops->loops - 1; i >= 0; i--)
		shape_add(shape, loops->count[i], loops->from_by[i] * element, loops->into_by[i] * element);
}

static bool whole(const ex_shape *shape, const int64_t *stride)
{
	int64_t bytes = shape->run;
	for (int i = 0; i < shape->loops; i++) {
		if (stride[i] != bytes)
			return false;
		bytes *= shape->count[i];
	}
	return true;
}

bool ex_shape_from_whole(const ex_shape *shape)
{
	return whole(shape, shape->from);
}

bool ex_shape_into_whole(const ex_shape *shape)
{
	return whole(shape, shape->into);
}

static void close_gaps(const ex_shape *shape, int64_t *stride)
{
	int64_t bytes = shape->run;
	for (int i = 0; i < shape->loops; i++) {
		stride[i] = bytes;
		bytes *= shape->count[i];
	}
}

void ex_shape_pack(const ex_shape *shape, ex_shape *packed)
{
	*packed = *shape;
	close_gaps(shape, packed->into);
}

void ex_shape_unpack(const ex_shape *shape, ex_shape *packed)
{
	*packed = *shape;
	close_gaps(shape, packed->from);
}

void ex_cursor_start(ex_cursor *cursor, const ex_shape *shape, int64_t first, int64_t count)
{
	assert(first >= 0 && count >= 0 && first + count <= shape->runs);
	memset(cursor, 0, sizeof(*cursor));
	cursor->shape = shape;
	cursor->left = count;
	for (int i = 0; i < shape->loops; i++) {
		cursor->at[i] = first % shape->count[i];
		first /= shape->count[i];
		cursor->from += cursor->at[i] * shape->from[i];
		cursor->into += cursor->at[i] * shape->into[i];
	}
}

/* Goes on by `rows` runs, which may reach the end of the innermost loop but not pass it. */
void ex_cursor_skip(ex_cursor *cursor, int64_t rows)
{
	const ex_shape *shape = cursor->shape;
	int64_t step = rows;
	cursor->left -= rows;
	for (int i = 0; i < shape->loops; i++) {
		cursor->at[i] += step;
		cursor->from += step * shape->from[i];
		cursor->into += step * shape->into[i];
		if (cursor->at[i] < shape->count[i])
			return;
		cursor->at[i] = 0;
		cursor->from -= shape->count[i] * shape->from[i];
		cursor->into -= shape->count[i] * shape->into[i];
		step = 1;
	}
}

/* ---- copying ---- */

/* How many rows of short runs ahead of the present one memory is asked for what they need, and from how many bytes on. */
enum { AHEAD = 12, LONGEST_ROW = 512, FEW_BYTES = 64 << 10 };

/* Runs to the end of the innermost loop. */
static inline int64_t row_left(const ex_cursor *cursor)
{
	const ex_shape *shape = cursor->shape;
	int64_t runs = shape->loops ? shape->count[0] - cursor->at[0] : 1;
	return runs < cursor->left ? runs : cursor->left;
}

/* Bytes from the first to the last byte of a row on the side with these strides. */
static int64_t row_span(const ex_shape *shape, const int64_t *stride)
{
	return (shape->count[0] - 1) * stride[0] + shape->run;
}

/* Processors foresee long rows and a single loop, but not where the next short row of several loops begins. */
static bool is_unforeseen(const ex_shape *shape, int64_t count)
{
	return shape->loops > 1 && count * shape->run >= FEW_BYTES && row_span(shape, shape->from) <= LONGEST_ROW;
}

/* What is asked for at a time: the lines of a row in the source, and in the target; of a row that is long there only the first. */
struct fetch {
	const char *from, *into;
	int64_t from_span, into_span;
};

static void fetch_row(ex_cursor *ahead, const struct fetch *fetch)
{
	for (int64_t at = 0; at < fetch->from_span; at += LINE)
		__builtin_prefetch(fetch->from + ahead->from + at);
	for (int64_t at = 0; at < fetch->into_span; at += LINE)
		__builtin_prefetch(fetch->into + ahead->into + at, 1);
	ex_cursor_skip(ahead, row_left(ahead));
}

static void copy_fetching(const ex_shape *shape, char *into, const char *from, ex_cursor cursor, ex_row_copy *copy)
{
	ex_cursor ahead = cursor;
	int64_t into_span = row_span(shape, shape->into);
	struct fetch fetch = {from, into, row_span(shape, shape->from), into_span <= LONGEST_ROW ? into_span : LINE};
	for (int i = 0; i < AHEAD && ahead.left > 0; i++)
		fetch_row(&ahead, &fetch);
	while (cursor.left > 0) {
		int64_t runs = row_left(&cursor);
		if (ahead.left > 0)
			fetch_row(&ahead, &fetch);
		copy(into + cursor.into, shape->into[0], from + cursor.from, shape->from[0], shape->run, runs);
		ex_cursor_skip(&cursor, runs);
	}
}

static void copy_rows(const ex_shape *shape, char *into, const char *from, ex_cursor cursor, ex_row_copy *copy)
{
	int64_t into_stride = shape->loops ? shape->into[0] : 0, from_stride = shape->loops ? shape->from[0] : 0;
	while (cursor.left > 0) {
		int64_t runs = row_left(&cursor);
		copy(into + cursor.into, into_stride, from + cursor.from, from_stride, shape->run, runs);
		ex_cursor_skip(&cursor, runs);
	}
}

void ex_copy(const ex_shape *shape, char *into, const char *from, int64_t first, int64_t count, ex_store store)
{
	ex_row_copy *copy = ex_row_kernel(shape->run, shape->loops ? shape->into[0] : 0, store);
	ex_cursor cursor;
	ex_cursor_start(&cursor, shape, first, count);
	(is_unforeseen(shape, count) ? copy_fetching : copy_rows)(shape, into, from, cursor, copy);
	if (store == EX_STREAM)
		ex_row_fence();
}

void ex_copy_bytes(char *into, const char *from, int64_t bytes, ex_store store)
{
	ex_row_kernel(bytes, 0, store)(into, 0, from, 0, bytes, 1);
	if (store == EX_STREAM)
		ex_row_fence();
}

const char *ex_copy_kind(void)
{
	return ex_row_kind();
}
