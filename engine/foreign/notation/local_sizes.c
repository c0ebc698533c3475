/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Local sizes, as PETSc and Tpetra have them: each process states how many rows it has, one after the other.
 *
 *     local sizes 5 4 3 1        PETSc ownership ranges 0 5 9 12 13        Tpetra local sizes [5, 4, 3, 1] of 13 x 9
 *     PETSC_DECIDE, 13 on 4
 */
#include "foreign/notation/read.h"

#include <inttypes.h>

#include <shardwalk/number.h>

/* Numbers with blanks or commas between them, perhaps in brackets. */
static bool read_list(sw_reader *reader, sw_numbers *numbers)
{
	int64_t number;

	sw_read_pass(reader, "=:[({");
	while (sw_read_digits(reader, &number)) {
		if (!sw_numbers_add(numbers, number, reader->arena, reader->scan.diag))
			return false;
		sw_read_pass(reader, ",");
	}
	sw_read_pass(reader, "])}");
	return numbers->count > 0 || sw_read_refuse(reader, "a number for each process, such as 5 4 3 1");
}

/* Where each begins, and the end, becomes how many there are. */
static bool take_differences(sw_reader *reader, sw_numbers *numbers, sw_span at)
{
	bool ascends = numbers->count > 1 && numbers->at[0] == 0;

	for (int64_t i = 1; i < numbers->count; i++) {
		ascends = ascends && numbers->at[i] >= numbers->at[i - 1];
		numbers->at[i - 1] = numbers->at[i] - numbers->at[i - 1];
	}
	numbers->count--;
	if (ascends)
		return true;
	sw_diag_set(reader->scan.diag, SW_N01, at, "ranges begin at 0 and ascend");
	sw_diag_expected(reader->scan.diag, "where each process begins, and the end, such as 0 5 9 12 13");
	return false;
}

/* `of 13 x 9`: all sizes, of which the first is that of the rows. */
static bool read_of(sw_reader *reader, int64_t rows, sw_text *type)
{
	int64_t size;
	sw_span at;

	if (!sw_read_word(reader, "of"))
		return true;
	at = sw_scan_next_span(&reader->scan);
	if (!sw_read_digits(reader, &size))
		return sw_read_refuse(reader, "the sizes of the whole, such as 13 x 9");
	if (size != rows) {
		sw_diag_set(reader->scan.diag, SW_N01, at, "the local sizes add up to %" PRId64, rows);
		sw_diag_expected(reader->scan.diag, "%" PRId64, rows);
		sw_diag_found(reader->scan.diag, "%" PRId64, size);
		return false;
	}
	while (sw_read_sign(reader, "x")) {
		sw_scan_peek(&reader->scan);
		if (!sw_read_digits(reader, &size))
			return sw_read_refuse(reader, "a size, such as 9");
		sw_text_addf(type, ", %" PRId64, size);
	}
	return true;
}

static bool add_up(const sw_numbers *numbers, int64_t *sum)
{
	*sum = 0;
	for (int64_t i = 0; i < numbers->count; i++)
		if (!sw_add(*sum, numbers->at[i], sum))
			return false;
	return *sum > 0;
}

static bool refuse_sum(sw_reader *reader, sw_span at)
{
	sw_diag_set(reader->scan.diag, SW_N01, at, "the local sizes add up to 0, or to more than 64 bits");
	sw_diag_expected(reader->scan.diag, "at least one element in all");
	return false;
}

static bool take_sizes(sw_reader *reader, const sw_numbers *numbers, sw_span at)
{
	sw_grid grid = {.count = 1, .size = {numbers->count}};
	sw_text type = {0};
	int64_t sum;

	if (!add_up(numbers, &sum))
		return refuse_sum(reader, at);
	if (!sw_read_take_grid(reader, &grid, at))
		return false;
	sw_text_add_char(&type, '[');
	for (int64_t i = 0; i < numbers->count && numbers->count > 1; i++)
		sw_text_addf(&type, "%s%" PRId64, i > 0 ? "+" : "", numbers->at[i]);
	if (numbers->count > 1)
		sw_text_addf(&type, "{%s}", grid.name[0]);
	sw_text_addf(&type, "%" PRId64, sum);
	if (!read_of(reader, sum, &type)) {
		sw_text_free(&type);
		return false;
	}
	sw_text_add_char(&type, ']');
	return sw_read_words(reader, &type, at);
}

/* `PETSC_DECIDE, 13`: as equal as can be, the larger ones first. */
static bool read_decided(sw_reader *reader, sw_span at)
{
	const sw_mesh *known = reader->context != NULL ? reader->context->mesh : NULL;
	sw_grid grid = {0};
	sw_text type = {0};
	int64_t size;

	sw_read_pass(reader, ",");
	if (!sw_read_digits(reader, &size))
		return sw_read_refuse(reader, "the global size, such as PETSC_DECIDE, 13");
	sw_read_pass(reader, ")");
	if (!sw_read_on_grid(reader, &grid))
		return false;
	if (grid.count == 0 && known != NULL)
		grid = (sw_grid){.count = 1, .size = {known->devices}};
	if (grid.count != 1) {
		sw_diag_set(reader->scan.diag, SW_N03, at, "the number of processes is unknown");
		sw_diag_expected(reader->scan.diag, "a mesh, such as mesh {x: 4}, or `on 4` behind it");
		return false;
	}
	if (!sw_read_take_grid(reader, &grid, at))
		return false;
	sw_text_addf(&type, "[{%s}%" PRId64 "] by balanced", grid.name[0], size);
	return sw_read_words(reader, &type, at);
}

bool sw_read_local_sizes(sw_reader *reader)
{
	sw_numbers numbers = {0};
	sw_span at = sw_scan_next_span(&reader->scan), word;

	reader->out->notation = SW_NOTATION_LOCAL_SIZES;
	if (sw_read_word(reader, "PETSc") || sw_read_word(reader, "PetscLayout"))
		sw_read_pass(reader, ":");
	else if (sw_read_word(reader, "Tpetra"))
		sw_read_pass(reader, ":Map");
	if (sw_read_word(reader, "PETSC_DECIDE"))
		return read_decided(reader, at);
	bool ranges = sw_read_word(reader, "ownership");
	if (!ranges && !sw_read_word(reader, "local"))
		return sw_read_refuse(reader, "`local sizes` and a number for each process");
	sw_scan_word(&reader->scan, &word);
	if (!read_list(reader, &numbers))
		return false;
	at.end = reader->scan.at;
	return (!ranges || take_differences(reader, &numbers, at)) && take_sizes(reader, &numbers, at);
}
