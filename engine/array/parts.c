/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of axes: which are parts, which can stand in one type, how they are written.
 */
#include "array/parts.h"

#include <assert.h>
#include <inttypes.h>

#include <shardwalk/number.h>

#include "base/scan.h"

static bool part_refuse(const sw_mesh *mesh, sw_part part, sw_span at, sw_diag *diag)
{
	const sw_axis *axis = &mesh->axis[part.axis];
	sw_quote quote = sw_scan_quote(sw_str_of(axis->name));
	int64_t product;
	sw_diag_set(diag, SW_T08, at,
		"(%" PRId64 ")%" PRId64 " is not a part of axis %s, whose size is "
		"%" PRId64,
		part.pre, part.size, quote.text, axis->size);
	sw_diag_expected(diag, "(pre)size with pre * size a divisor of %" PRId64, axis->size);
	if (sw_mul(part.pre, part.size, &product))
		sw_diag_found(diag, "%" PRId64 " * %" PRId64 " = %" PRId64, part.pre, part.size, product);
	else
		sw_diag_found(diag, "%" PRId64 " * %" PRId64, part.pre, part.size);
	if (part.pre < axis->size && axis->size % part.pre == 0)
		sw_diag_hint(diag, "after pre %" PRId64 " the axis has %" PRId64 " left: the size is a divisor of that",
			part.pre, axis->size / part.pre);
	else
		sw_diag_hint(diag, "pre is the product of the more major parts, a divisor of %" PRId64, axis->size);
	return false;
}

static bool part_refuse_one(const sw_mesh *mesh, sw_part part, sw_span at, sw_diag *diag)
{
	sw_quote quote = sw_scan_quote(sw_str_of(mesh->axis[part.axis].name));
	sw_diag_set(diag, SW_T08, at, "a part of size 1 of axis %s splits nothing", quote.text);
	sw_diag_expected(diag, "a part of at least size 2");
	sw_diag_found(diag, "size 1");
	sw_diag_hint(diag, "leave the part out");
	return false;
}

bool sw_parts_same(const sw_part *a, int count, const sw_part *b, int other)
{
	for (int k = 0; k < count && k < other; k++)
		if (!sw_part_same(a[k], b[k]))
			return false;
	return count == other;
}

bool sw_part_check(const sw_mesh *mesh, sw_part part, sw_span at, sw_diag *diag)
{
	assert(part.axis >= 0 && part.axis < mesh->count);
	int64_t size = mesh->axis[part.axis].size;
	int64_t product;
	if (part.pre < 1 || part.size < 1 || !sw_mul(part.pre, part.size, &product) || size % product != 0)
		return part_refuse(mesh, part, at, diag);
	if (part.size == 1 && size > 1)
		return part_refuse_one(mesh, part, at, diag);
	return true;
}

/* Does `minor` lie wholly on the minor side of `major`, in one chain of divisors? */
static bool part_follows(sw_part minor, sw_part major)
{
	return minor.pre % (major.pre * major.size) == 0;
}

static bool part_clashes(sw_part a, sw_part b)
{
	if (a.axis != b.axis)
		return false;
	bool single = a.size == 1 && b.size == 1;
	return single || (!part_follows(a, b) && !part_follows(b, a));
}

int sw_parts_clash(const sw_part *parts, int count, sw_part part)
{
	for (int i = 0; i < count; i++)
		if (part_clashes(parts[i], part))
			return i;
	return -1;
}

static bool part_overlaps(sw_part a, sw_part b)
{
	return a.pre < b.pre * b.size && b.pre < a.pre * a.size;
}

static bool part_is_whole(const sw_mesh *mesh, sw_part part)
{
	return part.pre == 1 && part.size == mesh->axis[part.axis].size;
}

bool sw_parts_refuse(const sw_mesh *mesh, sw_part first, sw_span also, sw_part second, sw_span at, sw_diag *diag)
{
	assert(first.axis == second.axis);
	sw_quote quote = sw_scan_quote(sw_str_of(mesh->axis[second.axis].name));
	bool whole = part_is_whole(mesh, first) && part_is_whole(mesh, second);
	bool overlap = whole || part_overlaps(first, second);
	if (whole)
		sw_diag_set(diag, SW_T03, at, "axis %s is used twice", quote.text);
	else if (overlap)
		sw_diag_set(diag, SW_T03, at, "these parts of axis %s overlap", quote.text);
	else
		sw_diag_set(diag, SW_T03, at, "these parts cut axis %s in two ways that do not fit", quote.text);
	sw_diag_expected(diag, "each part of an axis at most once in the whole type");
	sw_diag_found(diag, "(%" PRId64 ")%" PRId64 " and (%" PRId64 ")%" PRId64, first.pre, first.size, second.pre,
		second.size);
	if (whole)
		sw_diag_found(diag, "%s again", quote.text);
	if (overlap)
		sw_diag_hint(diag, "remove one of the two, or use another axis");
	else
		sw_diag_hint(diag, "with parts a:(p)m and a:(q)n, p * m must divide q or q * n must divide p");
	if (also.end > also.begin)
		sw_diag_also(diag, also, "first used here");
	return false;
}

bool sw_parts_refuse_sum(const sw_mesh *mesh, sw_part first, sw_span also, sw_part second, sw_span at, sw_diag *diag)
{
	sw_quote quote = sw_scan_quote(sw_str_of(mesh->axis[second.axis].name));
	sw_parts_refuse(mesh, first, also, second, at, diag);
	if (!diag)
		return false;
	diag->code = SW_T11;
	diag->rule = SW_RULE_SUM;
	sw_diag_expected(diag, "each part of an axis at most once in the whole type, sums included");
	sw_diag_hint(diag,
		"a device along %s holds either a different tile or a different term: remove one of the "
		"two",
		quote.text);
	return false;
}

int sw_parts_order_sums(sw_part *parts, int count)
{
	int length = 0;
	for (int i = 1; i < count; i++) {
		sw_part part = parts[i];
		int at = i;
		for (; at > 0 &&
			 (parts[at - 1].axis > part.axis || (parts[at - 1].axis == part.axis && parts[at - 1].pre < part.pre));
			 at--)
			parts[at] = parts[at - 1];
		parts[at] = part;
	}
	for (int i = 0; i < count; i++)
		length = sw_parts_push(parts, 0, length, parts[i]);
	return length;
}

void sw_sums_print(const sw_mesh *mesh, const sw_type *type, sw_text *text)
{
	for (int p = type->first[type->rank]; p < type->first[type->rank + 1]; p++) {
		sw_text_add(text, p > type->first[type->rank] ? "," : "+{");
		sw_part_print(mesh, sw_type_part(type, p), text);
	}
	if (type->first[type->rank] < type->first[type->rank + 1])
		sw_text_add_char(text, '}');
}

bool sw_sums_refuse(const sw_type *from, const sw_type *to, const char *who, sw_diag *diag)
{
	if (sw_type_terms(from) == 1 && sw_type_terms(to) == 1)
		return true;
	sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "%s takes no types with sums", who);
	sw_diag_expected(diag, "ends with complete values");
	sw_diag_found(diag, "%" PRId64 " terms at the beginning, %" PRId64 " at the end", sw_type_terms(from),
		sw_type_terms(to));
	sw_diag_hint(diag, "complete the sum first: `apply allreduce` or `apply reducescatter`");
	return false;
}

void sw_part_print(const sw_mesh *mesh, sw_part part, sw_text *text)
{
	assert(part.axis >= 0 && part.axis < mesh->count);
	sw_mesh_print_name(mesh->axis[part.axis].name, text);
	if (part_is_whole(mesh, part))
		return;
	sw_text_add(text, ":(");
	sw_text_add_int(text, part.pre);
	sw_text_add_char(text, ')');
	sw_text_add_int(text, part.size);
}

int sw_parts_of_digit(const sw_mesh *mesh, sw_digit digit, sw_part *part, int room)
{
	assert(digit.size >= 1 && digit.stride >= 1);
	int count = 0;
	int64_t done = 1;
	for (int i = 0; i < mesh->count && done < digit.size; i++) {
		int64_t low = mesh->axis[i].stride, high = low * mesh->axis[i].size, top = high;
		low = low > digit.stride ? low : digit.stride;
		high = high < digit.stride * digit.size ? high : digit.stride * digit.size;
		if (high <= low)
			continue;
		if (high % low || top % high || low % mesh->axis[i].stride || count == room)
			return -1;
		part[count++] = (sw_part){i, top / high, high / low};
		done *= high / low;
	}
	return done == digit.size ? count : -1;
}

int sw_digits_of_parts(const sw_mesh *mesh, const sw_part *parts, int count, sw_digit *digit)
{
	for (int i = 0; i < count; i++)
		digit[i] = (sw_digit){.size = parts[i].size, .stride = sw_part_stride(mesh, parts[i])};
	return count;
}
