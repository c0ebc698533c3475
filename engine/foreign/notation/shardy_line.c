/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a Shardy module: what an operation or an argument says of its value.
 *
 *     %0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {"x"}]> : tensor<16x16xf32>
 *     sdy.reshard %0 <@mesh, [{}, {"x"}]> : tensor<16x16xf32>
 *     %1 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<16x16xf32>
 *     %arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
 */
#define _GNU_SOURCE
#include "foreign/notation/read.h"

#include <string.h>

/* Where this stands from here on; the end where it does not. */
static size_t line_find(const sw_reader *reader, size_t from, const char *what)
{
	sw_str text = reader->scan.text;
	const char *found = memmem(text.at + from, text.length - from, what, strlen(what));
	return found ? (size_t)(found - text.at) : text.length;
}

/* `16x` */
static bool line_size(sw_reader *reader, int64_t *size)
{
	size_t before = reader->scan.at;
	if (sw_read_digits(reader, size) && reader->scan.at < reader->scan.text.length &&
		reader->scan.text.at[reader->scan.at] == 'x') {
		reader->scan.at++;
		return true;
	}
	reader->scan.at = before;
	return false;
}

/* `tensor<16x16xf32>`; one whose sizes are not known says nothing. */
static bool line_tensor(sw_reader *reader)
{
	sw_numbers sizes = {0};
	sw_dtype dtype;
	sw_span open = sw_scan_next_span(&reader->scan), at;
	int64_t size;
	if (!sw_read_sign(reader, "tensor<"))
		return true;
	while (line_size(reader, &size))
		if (!sw_numbers_add(&sizes, size, reader->arena, reader->scan.diag))
			return false;
	if (sw_read_sees(reader, "?") || sw_read_sees(reader, "*"))
		return true;
	sw_str word = sw_scan_word(&reader->scan, &at);
	if (!sw_dtype_parse(word, &dtype, reader->scan.diag)) {
		if (reader->scan.diag)
			reader->scan.diag->at = at;
		return false;
	}
	sw_py_value(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '>', "'>'", open))
		return false;
	if (sw_read_shape(reader, dtype, &sizes))
		return true;
	if (reader->scan.diag)
		reader->scan.diag->at = (sw_span){open.begin, reader->scan.at};
	return false;
}

bool sw_read_shardy_line(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	size_t begin = scan->at, named = line_find(reader, begin, "<@"), inlined = line_find(reader, begin, "<mesh<");
	size_t sharding = named < inlined ? named : inlined;
	if (sharding == scan->text.length)
		return sw_read_refuse(reader, "a line with a sharding, such as %1 = sdy.reshard %0 <@mesh, [{\"x\"}, {}]>");
	scan->at = sharding;
	if (!sw_read_shardy(reader))
		return false;
	size_t before = line_find(reader, begin, "tensor<");
	scan->at = before < sharding ? before : scan->at;
	if (before > sharding && sw_scan_take(scan, ':') && sw_scan_peek(scan) == '(') { /* operands -> results */
		size_t arrow = line_find(reader, scan->at, "->");
		scan->at = arrow < scan->text.length ? arrow + 2 : arrow;
	}
	if (!line_tensor(reader))
		return false;
	scan->at = scan->text.length;
	return true;
}
