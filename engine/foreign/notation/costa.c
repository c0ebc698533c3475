/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layouts of COSTA: where rows and columns are split, and who owns each block.
 *
 *     rowsplit [0, 3, 7, 10] colsplit [0, 4, 9] owners [[0, 1], [2, 2], [1, 0]]
 */
#include "foreign/notation/read.h"

#include <inttypes.h>

#define MOST_BLOCKS (1 << 14)

static bool read_split(sw_reader *reader, const char *word, sw_numbers *split)
{
	int64_t dim[SW_MAX_DIMS];
	int dims;
	sw_span at;

	sw_read_pass(reader, ",;");
	if (!sw_read_word(reader, word))
		return sw_read_refuse(reader, "rowsplit [...] colsplit [...] owners [[...], ...]");
	sw_read_pass(reader, "=:");
	at = sw_scan_next_span(&reader->scan);
	if (!sw_read_array(reader, split, dim, &dims))
		return false;
	at.end = reader->scan.at;
	bool ascends = dims == 1 && split->count > 1 && split->at[0] == 0;
	for (int64_t i = 1; i < split->count; i++)
		ascends = ascends && split->at[i] > split->at[i - 1];
	if (ascends)
		return true;
	sw_diag_set(reader->scan.diag, SW_N01, at, "%s begins at 0, ascends, and ends at the size", word);
	sw_diag_expected(reader->scan.diag, "such as [0, 3, 7, 10]: blocks of 3, 4 and 3");
	return false;
}

static bool read_owners(sw_reader *reader, int64_t rows, int64_t columns, sw_numbers *owners)
{
	int64_t dim[SW_MAX_DIMS] = {0};
	int dims;
	sw_span at;

	sw_read_pass(reader, ",;");
	if (!sw_read_word(reader, "owners"))
		return sw_read_refuse(reader, "owners, a list for each row of blocks");
	sw_read_pass(reader, "=:");
	at = sw_scan_next_span(&reader->scan);
	if (!sw_read_array(reader, owners, dim, &dims))
		return false;
	at.end = reader->scan.at;
	if (dims == 2 && dim[0] == rows && dim[1] == columns && owners->count == rows * columns)
		return true;
	sw_diag_set(reader->scan.diag, SW_N01, at, "the splits make %" PRId64 " x %" PRId64 " blocks", rows, columns);
	sw_diag_expected(reader->scan.diag, "%" PRId64 " lists of %" PRId64 " owners", rows, columns);
	sw_diag_found(reader->scan.diag, "%" PRId64 " owners", owners->count);
	return false;
}

/* Do all blocks in a grid of as many devices lie on the device of their place? */
static bool is_grid(const sw_numbers *owners)
{
	for (int64_t i = 0; i < owners->count; i++)
		if (owners->at[i] != i)
			return false;
	return owners->count > 1;
}

static void add_pieces(const sw_numbers *split, const char *axis, sw_text *type)
{
	int64_t pieces = split->count - 1;

	for (int64_t i = 0; i < pieces && pieces > 1; i++)
		sw_text_addf(type, "%s%" PRId64, i > 0 ? "+" : "", split->at[i + 1] - split->at[i]);
	if (pieces > 1)
		sw_text_addf(type, "{%s}", axis);
	sw_text_addf(type, "%" PRId64, split->at[pieces]);
}

static bool take_grid(sw_reader *reader, const sw_numbers *rows, const sw_numbers *columns, sw_span at)
{
	sw_grid grid = {.count = 2, .size = {rows->count - 1, columns->count - 1}};
	sw_text type = {0};

	if (!sw_read_take_grid(reader, &grid, at))
		return false;
	sw_text_add_char(&type, '[');
	add_pieces(rows, grid.name[0], &type);
	sw_text_add(&type, ", ");
	add_pieces(columns, grid.name[1], &type);
	sw_text_add_char(&type, ']');
	return sw_read_words(reader, &type, at);
}

/* Blocks side by side that one device owns are one. */
static int64_t block_end(const sw_numbers *owners, int64_t columns, int64_t row, int64_t column)
{
	int64_t end = column + 1;

	while (end < columns && owners->at[row * columns + end] == owners->at[row * columns + column])
		end++;
	return end;
}

static bool take_blocks(sw_reader *reader, const sw_numbers *rows, const sw_numbers *columns,
	const sw_numbers *owners, sw_span at)
{
	int64_t down = rows->count - 1, across = columns->count - 1, devices = 1;
	sw_text type = {0};

	for (int64_t i = 0; i < owners->count; i++)
		devices = owners->at[i] >= devices ? owners->at[i] + 1 : devices;
	if (!sw_read_take_devices(reader, devices, at))
		return false;
	for (int64_t row = 0; row < down; row++)
		for (int64_t column = 0, end; column < across; column = end) {
			end = block_end(owners, across, row, column);
			sw_text_addf(&type,
				"%s[%" PRId64 ", %" PRId64 "] on %" PRId64 " only %" PRId64 ":%" PRId64 ", %" PRId64 ":%" PRId64,
				type.length > 0 ? " union " : "", rows->at[down], columns->at[across],
				owners->at[row * across + column], rows->at[row], rows->at[row + 1], columns->at[column],
				columns->at[end]);
		}
	return sw_read_words(reader, &type, at);
}

static bool refuse_blocks(sw_reader *reader, sw_span at)
{
	sw_diag_set(reader->scan.diag, SW_S08, at, "a layout of this many single blocks is too large");
	sw_diag_expected(reader->scan.diag, "at most %d blocks", MOST_BLOCKS);
	return false;
}

bool sw_read_costa(sw_reader *reader)
{
	sw_numbers rows = {0}, columns = {0}, owners = {0};
	sw_span at = sw_scan_next_span(&reader->scan);

	reader->out->notation = SW_NOTATION_COSTA;
	if (!read_split(reader, "rowsplit", &rows) || !read_split(reader, "colsplit", &columns) ||
		!read_owners(reader, rows.count - 1, columns.count - 1, &owners))
		return false;
	at.end = reader->scan.at;
	if (is_grid(&owners))
		return take_grid(reader, &rows, &columns, at);
	if (owners.count > MOST_BLOCKS)
		return refuse_blocks(reader, at);
	return take_blocks(reader, &rows, &columns, &owners, at);
}
