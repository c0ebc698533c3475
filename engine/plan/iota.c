/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of very large meshes: derived from types digit by digit, without a number per device.
 *
 * A gather of f pieces takes the minor-most digits of its dimensions; a split puts digits there.  Where both are
 * the same digits, every group is a line of them: all devices that agree in the other digits.
 */
#include "plan/iota.h"

#include <string.h>

#include <shardwalk/number.h>

/* ---- digits ---- */

int sw_digits_merge(sw_digit *digit, int count)
{
	int kept = 0;
	for (int k = 0; k < count; k++) {
		if (kept > 0 && digit[kept - 1].stride == digit[k].stride * digit[k].size) {
			digit[kept - 1].stride = digit[k].stride;
			digit[kept - 1].size *= digit[k].size;
		} else {
			digit[kept++] = digit[k];
		}
	}
	return kept;
}

bool sw_digits_equal(const sw_digit *a, int a_count, const sw_digit *b, int b_count)
{
	if (a_count != b_count)
		return false;
	for (int k = 0; k < a_count; k++)
		if (a[k].stride != b[k].stride || a[k].size != b[k].size)
			return false;
	return true;
}

static void digits_reverse(sw_digit *digit, int count)
{
	for (int k = 0; k < count / 2; k++) {
		sw_digit kept = digit[k];
		digit[k] = digit[count - 1 - k];
		digit[count - 1 - k] = kept;
	}
}

/* ---- what a step pops and pushes ---- */

/* The digits of one dimension, slowest first, cut in two: the minor ones that make up `factor`, and the rest. */
typedef struct cut {
	int rest_count, taken_count;
	sw_digit rest[SW_MAX_PARTS], taken[SW_MAX_PARTS];
} cut;

static bool cut_take(cut *out, sw_digit digit, int64_t *left)
{
	if (*left % digit.size == 0) {
		out->taken[out->taken_count++] = digit;
		*left /= digit.size;
	} else if (digit.size % *left == 0) {
		sw_digit minor = {digit.stride, *left, 1, digit.dim};
		sw_digit major = {digit.stride * *left, digit.size / *left, 1, digit.dim};
		if (*left > 1)
			out->taken[out->taken_count++] = minor;
		out->rest[out->rest_count++] = major;
		*left = 1;
	} else {
		return false;
	}
	return true;
}

static bool cut_dimension(const sw_digit *digit, int count, int dim, int64_t factor, cut *out)
{
	int64_t left = factor;
	out->rest_count = out->taken_count = 0;
	for (int k = 0; k < count; k++) {
		if (digit[k].dim != dim)
			continue;
		if (!cut_take(out, digit[k], &left))
			return false;
	}
	digits_reverse(out->rest, out->rest_count);
	digits_reverse(out->taken, out->taken_count);
	out->rest_count = sw_digits_merge(out->rest, out->rest_count);
	return left == 1;
}

static int64_t entry_factor(const sw_entry *entry, int count, int dim)
{
	for (int e = 0; e < count; e++)
		if (entry[e].dim == dim)
			return entry[e].factor;
	return 1;
}

typedef struct side {
	int count, taken_count;
	sw_digit digit[SW_MAX_PARTS]; /* of the whole type, minor to major */
	sw_digit taken[SW_MAX_PARTS]; /* by all entries, slowest first */
} side;

static void side_take(side *s, const cut *c)
{
	memcpy(s->taken + s->taken_count, c->taken, (size_t)c->taken_count * sizeof *c->taken);
	s->taken_count += c->taken_count;
}

/* Cuts every dimension on both sides.  false where a factor does not end between digits (*legal stays) or where
 * what is left of both sides differs (*legal becomes false). */
static bool sides_cut(const sw_step *step, int rank, side *before, side *after, bool *legal)
{
	cut popped, pushed;
	for (int i = 0; i < rank; i++) {
		int64_t gather = entry_factor(step->gather, step->gathers, i);
		int64_t split = entry_factor(step->split, step->splits, i);
		if (!cut_dimension(before->digit, before->count, i, gather, &popped) ||
		    !cut_dimension(after->digit, after->count, i, split, &pushed))
			return false;
		if (!sw_digits_equal(popped.rest, popped.rest_count, pushed.rest, pushed.rest_count)) {
			*legal = false;
			return false;
		}
		side_take(before, &popped);
		side_take(after, &pushed);
	}
	return true;
}

/* Do two lists of digits run over the same device numbers? */
static bool digits_same_set(const side *a, const side *b)
{
	sw_digit x[SW_MAX_PARTS], y[SW_MAX_PARTS];
	memcpy(x, a->taken, (size_t)a->taken_count * sizeof *x);
	memcpy(y, b->taken, (size_t)b->taken_count * sizeof *y);
	sw_digits_sort(x, a->taken_count);
	sw_digits_sort(y, b->taken_count);
	digits_reverse(x, a->taken_count);
	digits_reverse(y, b->taken_count);
	return sw_digits_equal(x, sw_digits_merge(x, a->taken_count), y, sw_digits_merge(y, b->taken_count));
}

/* ---- the string's numbers ---- */

/* Fills `iota` with one group a line over `member` (slowest first). */
static void iota_of_members(int64_t devices, const sw_digit *member, int count, sw_iota *iota)
{
	int rising[SW_MAX_PARTS];
	for (int k = 0; k < count; k++) {
		int at = k;
		for (; at > 0 && member[rising[at - 1]].stride > member[k].stride; at--)
			rising[at] = rising[at - 1];
		rising[at] = k;
	}
	int others = 0, others_at[SW_MAX_IOTA], place[SW_MAX_PARTS];
	int64_t top = devices;
	iota->count = 0;
	iota->size = 1;
	for (int r = count - 1; r >= 0; r--) {
		const sw_digit *digit = &member[rising[r]];
		int64_t gap = top / (digit->stride * digit->size);
		if (gap > 1) {
			others_at[others++] = iota->count;
			iota->dims[iota->count++] = gap;
		}
		place[rising[r]] = iota->count;
		iota->dims[iota->count++] = digit->size;
		iota->size *= digit->size;
		top = digit->stride;
	}
	if (top > 1 || iota->count == 0) {
		others_at[others++] = iota->count;
		iota->dims[iota->count++] = top;
	}
	memcpy(iota->perm, others_at, (size_t)others * sizeof *others_at);
	memcpy(iota->perm + others, place, (size_t)count * sizeof *place);
	iota->groups = devices / iota->size;
}

bool sw_iota_of_step(const sw_mesh *mesh, const sw_type *before, const sw_step *step, sw_iota *iota, bool *legal)
{
	side pop = {0}, push = {0};
	*legal = true;
	pop.count = sw_digits_of_type(mesh, before, pop.digit);
	push.count = sw_digits_of_type(mesh, step->type, push.digit);
	if (!sides_cut(step, before->rank, &pop, &push, legal))
		return false;
	if (step->op == SW_ALLTOALL && !digits_same_set(&pop, &push))
		return false;
	side *order = step->op == SW_ALLTOALL ? &push : &pop;
	int count = sw_digits_merge(order->taken, order->taken_count);
	iota_of_members(mesh->devices, order->taken, count, iota);
	return true;
}

int sw_iota_members(const sw_iota *iota, sw_digit member[SW_MAX_IOTA])
{
	int64_t stride[SW_MAX_IOTA], size = 1;
	int first = iota->count;
	for (int k = iota->count - 1; k >= 0; k--)
		stride[k] = k == iota->count - 1 ? 1 : stride[k + 1] * iota->dims[k + 1];
	while (first > 0 && size < iota->size)
		size *= iota->dims[iota->perm[--first]];
	if (size != iota->size)
		return -1;
	int count = 0;
	for (int k = first; k < iota->count; k++)
		if (iota->dims[iota->perm[k]] > 1)
			member[count++] = (sw_digit){stride[iota->perm[k]], iota->dims[iota->perm[k]], 1, 0};
	return count;
}

void sw_iota_expand(const sw_iota *iota, int32_t *device)
{
	int64_t length = 1, stride[SW_MAX_IOTA];
	for (int k = iota->count - 1; k >= 0; k--)
		stride[k] = k == iota->count - 1 ? 1 : stride[k + 1] * iota->dims[k + 1];
	device[0] = 0;
	for (int k = iota->count - 1; k >= 0; k--) {
		int64_t size = iota->dims[iota->perm[k]];
		for (int64_t d = length; d < length * size; d++)
			device[d] = (int32_t)(device[d - length] + stride[iota->perm[k]]);
		length *= size;
	}
}

/* ---- the string ---- */

static bool iota_transposes(const sw_iota *iota)
{
	for (int k = 0; k < iota->count; k++)
		if (iota->perm[k] != k)
			return true;
	return false;
}

void sw_iota_print(const sw_iota *iota, sw_text *text)
{
	sw_text_addf(text, "[%lld,%lld]<=[", (long long)iota->groups, (long long)iota->size);
	if (!iota_transposes(iota)) {
		sw_text_addf(text, "%lld]", (long long)(iota->groups * iota->size));
		return;
	}
	for (int k = 0; k < iota->count; k++)
		sw_text_addf(text, "%s%lld", k ? "," : "", (long long)iota->dims[k]);
	sw_text_add(text, "]T(");
	for (int k = 0; k < iota->count; k++)
		sw_text_addf(text, "%s%d", k ? "," : "", iota->perm[k]);
	sw_text_add(text, ")");
}

/* Takes `open` NUMBER,NUMBER,... `close` off the front of the text. */
static bool iota_list(sw_str *text, const char *open, char close, int64_t *out, int room, int *count)
{
	size_t skip = strlen(open);
	*count = 0;
	if (text->length < skip || memcmp(text->at, open, skip) != 0)
		return false;
	size_t at = skip;
	while (at < text->length) {
		size_t end = at;
		while (end < text->length && text->at[end] >= '0' && text->at[end] <= '9')
			end++;
		if (end == text->length || *count == room ||
		    !sw_read_int((sw_str){text->at + at, end - at}, &out[(*count)++], NULL))
			return false;
		at = end + 1;
		if (text->at[end] == close) {
			*text = (sw_str){text->at + at, text->length - at};
			return true;
		}
		if (text->at[end] != ',')
			return false;
	}
	return false;
}

static bool iota_sound(const sw_iota *iota, int64_t devices)
{
	bool used[SW_MAX_IOTA] = {false};
	int64_t total = 1, pairs = 1;
	for (int k = 0; k < iota->count; k++) {
		int at = iota->perm[k];
		if (at < 0 || at >= iota->count || used[at] || iota->dims[k] < 1 || !sw_mul(total, iota->dims[k], &total))
			return false;
		used[at] = true;
	}
	return iota->size >= 1 && sw_mul(iota->groups, iota->size, &pairs) && pairs == devices && total == devices;
}

bool sw_iota_parse(sw_str text, int64_t devices, sw_iota *iota)
{
	int64_t shape[2], perm[SW_MAX_IOTA];
	int shapes, perms;
	if (!iota_list(&text, "[", ']', shape, 2, &shapes) || shapes != 2 ||
	    !iota_list(&text, "<=[", ']', iota->dims, SW_MAX_IOTA, &iota->count))
		return false;
	iota->groups = shape[0];
	iota->size = shape[1];
	for (int k = 0; k < iota->count; k++)
		perm[k] = k;
	if (text.length > 0 && (!iota_list(&text, "T(", ')', perm, SW_MAX_IOTA, &perms) || perms != iota->count))
		return false;
	for (int k = 0; k < iota->count; k++)
		iota->perm[k] = perm[k] < SW_MAX_IOTA ? (int)perm[k] : -1;
	return text.length == 0 && iota_sound(iota, devices);
}
