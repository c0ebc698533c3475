/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DTensor's error "Sharding propagation failed": an operation for which it found no sharding of the result.
 *
 *     RuntimeError: Attempted to unbind along the sharded dimension 0. ...
 *     Sharding propagation failed for aten.unbind.int(Spec(f32[16, 32](RS(0)))) on DeviceMesh((dp=2, tp=4), 'cpu', stride=(4, 1)))
 *
 * and before 2.10
 *
 *     Sharding propagation failed for Op(op=aten.unbind.int, args_schema=Spec(RS(0) on (16, 32)) @ mesh: (2, 4))
 */
#define _GNU_SOURCE
#include <shardwalk/log.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/python.h"

static const char opening[] = "Sharding propagation failed ";
static const sw_str none = {"", 0};

/* What the sentence before it says of a dimension of the tensor, or of an axis of the mesh, that must not cut. */
static const char *const dim_words[] = {"sharded dimension ", "with dimension "};
static const char axis_words[] = "divisible by mesh dimension ";

static sw_str up_to(sw_str text, size_t length)
{
	return (sw_str){text.at, length < text.length ? length : text.length};
}

bool sw_log_is_failed(sw_str text)
{
	return sw_str_past(text, opening).length > 0;
}

/* The number behind the words; -1: it is not there. */
static int64_t number_behind(sw_str text, const char *words)
{
	sw_str rest = sw_str_past(text, words);
	size_t length = 0;
	int64_t number;
	while (length < rest.length && rest.at[length] >= '0' && rest.at[length] <= '9')
		length++;
	return length && sw_read_int(up_to(rest, length), &number, NULL) ? number : -1;
}

/* The last line before it that says something, without the name of the exception. */
static sw_str reason_before(sw_str text)
{
	for (text = sw_str_trim(text); text.length;) {
		const char *end = memrchr(text.at, '\n', text.length);
		sw_str line = end ? sw_str_behind(text, (size_t)(end - text.at) + 1) : text;
		sw_str named = sw_str_past(line, "Error: ");
		if (named.length)
			return sw_str_trim(named);
		text = sw_str_trim(up_to(text, end ? (size_t)(end - text.at) : 0));
	}
	return none;
}

static bool add_operands(sw_str list, bool nested, sw_log_failed *failed)
{
	for (sw_py_item item; sw_py_take(&list, &item);) {
		bool spec = sw_str_starts(item.text, "Spec(") || sw_str_starts(item.text, "DTensorSpec(");
		sw_str inner = sw_py_inside(item.text, "[");
		if (spec && failed->operands == SW_LOG_OPERANDS)
			return false;
		if (spec)
			failed->operand[failed->operands++] = item.text;
		else if (inner.length < item.text.length && !nested && !add_operands(inner, true, failed))
			return false;
	}
	return true;
}

/* `OP(ARGUMENTS) on DeviceMesh(...))`; false: it ends before. */
static bool read_call(sw_str rest, sw_log_failed *failed)
{
	const char *open = memchr(rest.at, '(', rest.length);
	size_t begin = open ? (size_t)(open - rest.at) : 0,
		   end = open ? sw_str_balanced(rest, begin, SW_NESTING_PYTHON) : 0;
	if (!end)
		return false;
	failed->op = sw_str_trim(up_to(rest, begin));
	sw_str mesh = sw_str_trim(sw_str_behind(rest, end));
	mesh = sw_str_starts(mesh, "on ") ? sw_str_trim(sw_str_behind(mesh, 3)) : none;
	open = mesh.length ? memchr(mesh.at, '(', mesh.length) : NULL;
	size_t length = open ? sw_str_balanced(mesh, (size_t)(open - mesh.at), SW_NESTING_PYTHON) : 0;
	failed->mesh = up_to(mesh, length);
	return add_operands((sw_str){rest.at + begin + 1, end - begin - 2}, false, failed);
}

/* `Op(op=OP, args_schema=ARGUMENTS @ mesh: (2, 4))` */
static bool read_schema(sw_str rest, sw_log_failed *failed)
{
	static const char schema[] = ", args_schema=", at_mesh[] = " @ mesh: ";
	sw_str arguments = sw_str_past(rest, schema), sizes = sw_str_past(arguments, at_mesh);
	size_t length = sw_str_starts(sizes, "(") ? sw_str_balanced(sizes, 0, SW_NESTING_PYTHON) : 0;
	if (!length)
		return false;
	failed->op = up_to(rest, (size_t)(arguments.at - rest.at) - strlen(schema));
	failed->mesh = up_to(sizes, length);
	return add_operands(up_to(arguments, (size_t)(sizes.at - arguments.at) - strlen(at_mesh)), false, failed);
}

bool sw_log_read_failed(sw_str text, sw_log_failed *failed, sw_diag *diag)
{
	sw_str rest = sw_str_past(text, opening);
	assert(rest.length > 0);
	size_t begin = (size_t)(rest.at - text.at);
	*failed = (sw_log_failed){.op = none, .mesh = none, .dim = -1, .axis = -1};
	rest = sw_str_behind(rest, sw_str_starts(rest, "for ") ? 4 : sw_str_starts(rest, "on op ") ? 6 : 0);
	bool schema = sw_str_starts(rest, "Op(op=");
	failed->reason = reason_before(up_to(text, begin - strlen(opening)));
	failed->reason = failed->reason.length ? failed->reason : reason_before(rest);
	for (size_t i = 0; failed->dim < 0 && i < sizeof(dim_words) / sizeof(*dim_words); i++)
		failed->dim = number_behind(failed->reason, dim_words[i]);
	failed->axis = number_behind(failed->reason, axis_words);
	if (schema ? read_schema(sw_str_behind(rest, strlen("Op(op=")), failed) : read_call(rest, failed))
		return true;
	sw_diag_set(diag, SW_N01, (sw_span){begin, text.length},
		"the error ends before it names the mesh, or has more than %d operands", SW_LOG_OPERANDS);
	sw_diag_expected(diag,
		"OP(Spec(...), ...) on DeviceMesh(...), or Op(op=OP, args_schema=Spec(...) @ mesh: (2, 4))");
	return false;
}
