/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which collectives PyTorch calls by which names, and where a line says their sizes.
 */
#include "foreign/log/traced.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/python.h"
#include "foreign/module/mlir_walk.h"

#define LISTS_MOST 8 /* in each other */

static const sw_str none = {"", 0};

static const sw_traced_kind functional[] = {
	{"all_gather_into_tensor", SW_TRAFFIC_GATHER, 1, -1, -1, -1},
	{"all_gather_into_tensor_coalesced", SW_TRAFFIC_GATHER, 1, -1, -1, -1},
	{"all_gather_into_tensor_out", SW_TRAFFIC_GATHER, 1, -1, -1, -1},
	{"reduce_scatter_tensor", SW_TRAFFIC_SCATTER, 2, -1, -1, -1},
	{"reduce_scatter_tensor_coalesced", SW_TRAFFIC_SCATTER, 2, -1, -1, -1},
	{"reduce_scatter_tensor_out", SW_TRAFFIC_SCATTER, 2, -1, -1, -1},
	{"all_reduce", SW_TRAFFIC_REDUCE, -1, -1, -1, -1},
	{"all_reduce_", SW_TRAFFIC_REDUCE, -1, -1, -1, -1},
	{"all_reduce_coalesced", SW_TRAFFIC_REDUCE, -1, -1, -1, -1},
	{"all_reduce_coalesced_", SW_TRAFFIC_REDUCE, -1, -1, -1, -1},
	{"all_to_all_single", SW_TRAFFIC_EXCHANGE, -1, 1, -1, -1},
	{"broadcast", SW_TRAFFIC_BROADCAST, -1, -1, -1, -1},
	{"broadcast_", SW_TRAFFIC_BROADCAST, -1, -1, -1, -1},
	{"shard_dim_alltoall", SW_TRAFFIC_EXCHANGE, -1, -1, -1, -1},
};

/* A scatter brings each device what a broadcast of one part would. */
static const sw_traced_kind backends[] = {
	{"_allgather_base_", SW_TRAFFIC_GATHER, -1, -1, 0, 1},
	{"allgather_", SW_TRAFFIC_GATHER, -1, -1, 0, 1},
	{"allgather_into_tensor_coalesced_", SW_TRAFFIC_GATHER, -1, -1, 0, 1},
	{"gather_", SW_TRAFFIC_GATHER, -1, -1, 0, 1},
	{"_reduce_scatter_base_", SW_TRAFFIC_SCATTER, -1, -1, 0, 1},
	{"reduce_scatter_", SW_TRAFFIC_SCATTER, -1, -1, 0, 1},
	{"reduce_scatter_tensor_coalesced_", SW_TRAFFIC_SCATTER, -1, -1, 0, 1},
	{"allreduce_", SW_TRAFFIC_REDUCE, -1, -1, 0, -1},
	{"allreduce_coalesced_", SW_TRAFFIC_REDUCE, -1, -1, 0, -1},
	{"alltoall_base_", SW_TRAFFIC_EXCHANGE, -1, -1, 0, -1},
	{"alltoall_", SW_TRAFFIC_EXCHANGE, -1, -1, 0, -1},
	{"broadcast_", SW_TRAFFIC_BROADCAST, -1, -1, 0, -1},
	{"scatter_", SW_TRAFFIC_BROADCAST, -1, -1, 0, 1},
	{"recv_", SW_TRAFFIC_BROADCAST, -1, -1, 0, -1},
};

#define COUNT_OF(rows) (sizeof(rows) / sizeof(*(rows)))

static const sw_traced_kind *find(const sw_traced_kind *row, size_t count, sw_str name)
{
	for (size_t i = 0; i < count; i++)
		if (sw_str_is(name, row[i].name))
			return &row[i];
	return NULL;
}

const sw_traced_kind *sw_traced_kind_of(sw_str name, bool backend)
{
	return backend ? find(backends, COUNT_OF(backends), name) : find(functional, COUNT_OF(functional), name);
}

/* ---- words ---- */

bool sw_traced_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

sw_str sw_traced_word(sw_str text)
{
	size_t length = 0;
	while (length < text.length && sw_traced_letter(text.at[length]))
		length++;
	return (sw_str){text.at, length};
}

sw_str sw_traced_argument(sw_str list, int number)
{
	sw_py_item item;
	sw_str last = none;
	for (int i = 0; sw_py_take(&list, &item); i++) {
		if (i == number)
			return item.text;
		last = item.text;
	}
	return number < 0 ? last : none;
}

/* ---- calls ---- */

static const struct prefix {
	const char *word;
	bool backend;
} prefixes[] = {{"_c10d_functional", false}, {"_dtensor", false}, {"c10d::", true}};

/* The name behind a prefix, if it is a collective's. */
static const sw_traced_kind *kind_behind(sw_str rest, const struct prefix *prefix, sw_str *name)
{
	size_t sign = prefix->backend ? 0 : sw_str_starts(rest, "::") ? 2 : sw_str_starts(rest, ".") ? 1 : rest.length;
	*name = sw_traced_word(sw_str_behind(rest, sign));
	return name->length ? sw_traced_kind_of(*name, prefix->backend) : NULL;
}

bool sw_traced_find(sw_str line, sw_traced_call *call)
{
	sw_str name = none;
	call->row = NULL;
	for (size_t i = 0; !call->row && i < COUNT_OF(prefixes); i++) {
		sw_str rest = sw_str_past(line, prefixes[i].word);
		call->row = rest.length ? kind_behind(rest, &prefixes[i], &name) : NULL;
	}
	if (!call->row)
		return false;
	sw_str rest = sw_str_behind(line, (size_t)(name.at - line.at) + name.length);
	rest = sw_str_behind(rest, sw_str_starts(rest, ".default") ? strlen(".default") : 0);
	rest = sw_str_starts(rest, "](args = (") ? sw_str_behind(rest, strlen("](args = ")) : rest;
	size_t end = sw_str_starts(rest, "(") ? sw_str_balanced(rest, 0, SW_NESTING_PYTHON) : 0;
	if (!end)
		return false;
	call->before = (sw_str){line.at, (size_t)(name.at - line.at)};
	call->arguments = (sw_str){rest.at + 1, end - 2};
	call->behind = sw_str_behind(rest, end);
	return true;
}

/* ---- counts ---- */

bool sw_traced_count(sw_str line, size_t *at, const sw_traced_kind **row, sw_str *name, int64_t *count)
{
	static const char *const words[] = {"*c10d", "(op='c10d"};
	assert(*at <= line.length);
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		sw_str rest = sw_str_past(sw_str_behind(line, *at), words[i]);
		bool backend = sw_str_starts(rest, ".");
		if (!backend && !sw_str_starts(rest, "_functional."))
			continue;
		rest = sw_str_behind(rest, backend ? 1 : strlen("_functional."));
		*name = sw_traced_word(rest);
		rest = sw_str_behind(rest, name->length);
		rest = sw_str_behind(rest, sw_str_starts(rest, "')>") ? 3 : 0);
		*at = (size_t)(rest.at - line.at);
		*row = sw_traced_kind_of(*name, backend);
		sw_str number = sw_str_starts(rest, ": ") ? sw_traced_word(sw_str_behind(rest, 2)) : none;
		if (!*row || !sw_read_int(number, count, NULL) || *count < 1)
			*row = NULL;
		return true;
	}
	return false;
}

/* ---- types ---- */

sw_str sw_traced_type(sw_str text)
{
	sw_str name = sw_traced_word(text);
	bool opens = name.length && name.length < text.length && text.at[name.length] == '[';
	const char *close = opens ? memchr(text.at, ']', text.length) : NULL;
	return close ? (sw_str){text.at, (size_t)(close - text.at) + 1} : none;
}

sw_str sw_traced_tensor(sw_str text)
{
	size_t at = 1;
	if (!sw_str_starts(text, "t"))
		return none;
	if (sw_str_starts(sw_str_behind(text, 1), "$"))
		at += 1 + sw_traced_word(sw_str_behind(text, 2)).length;
	text = sw_str_behind(text, at);
	return sw_str_starts(text, ": ") ? sw_traced_type(sw_str_behind(text, 2)) : none;
}

/* A tensor, or what is between the brackets of a list. */
static double bytes_within(sw_str text, int depth)
{
	double bytes = 0;
	sw_str list = sw_py_inside(text, "[");
	if (list.length == text.length) {
		sw_str type = sw_traced_tensor(sw_str_unquoted(text));
		return type.length ? traffic_type_bytes(type) : 0;
	}
	for (sw_py_item item; depth < LISTS_MOST && sw_py_take(&list, &item);)
		bytes += bytes_within(item.text, depth + 1);
	return bytes;
}

double sw_traced_bytes(sw_str text)
{
	return bytes_within(sw_str_trim(text), 0);
}
