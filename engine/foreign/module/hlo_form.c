/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Local tensors as atoms of the array: what reshapes, transposes, slices and exchanges do to them.
 */
#include "foreign/module/hlo_form.h"
#include "base/room.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

void hlo_form_start(hlo_form *form, int rank, const int64_t *tile)
{
	assert(rank >= 0 && rank <= SW_MAX_DIMS);
	int atoms = 0;
	form->dims = rank;
	for (int i = 0; i < rank; i++) {
		form->first[i] = atoms;
		if (tile[i] != 1) {
			SW_ROOM(form->atom, atoms);
			form->atom[atoms++] = (sw_digit){.size = tile[i], .stride = 1, .dim = i};
		}
	}
	form->first[rank] = atoms;
}

int64_t hlo_form_size(const hlo_form *form, int k)
{
	assert(k >= 0 && k < form->dims);
	int64_t size = 1;
	for (int i = form->first[k]; i < form->first[k + 1]; i++)
		size *= form->atom[i].size;
	return size;
}

bool hlo_form_fits(const hlo_form *form, const hlo_shape *shape)
{
	bool fits = form->dims == shape->rank;
	for (int k = 0; fits && k < shape->rank; k++)
		fits = hlo_form_size(form, k) == shape->dim[k];
	return fits;
}

/* Appends an atom to the dimension that begins at `begin`; one that goes on where the last ended is joined. */
static bool atom_push(hlo_form *form, int begin, int *count, sw_digit atom)
{
	if (*count == SW_MAX_DIGITS)
		return atom.size == 1;
	*count = begin + sw_digits_push(form->atom + begin, *count - begin, atom);
	return true;
}

/* Takes `need` places off the front of an atom; what is left of it stays there. */
static bool atom_take(sw_digit *atom, int64_t *need, sw_digit *taken)
{
	int64_t size = *need < atom->size ? *need : atom->size;
	if (atom->size % size != 0 || *need % size != 0)
		return false;
	*taken = (sw_digit){.size = size, .stride = atom->stride * (atom->size / size), .dim = atom->dim};
	atom->size /= size;
	*need /= size;
	return true;
}

bool hlo_form_reshape(hlo_form *form, int dims, const int64_t *dim)
{
	hlo_form old = *form;
	int at = 0, end = old.first[old.dims], count = 0;
	if (dims > HLO_DIMS)
		return false;
	for (int k = 0; k < dims; k++) {
		int64_t need = dim[k];
		form->first[k] = count;
		while (need > 1) {
			sw_digit taken;
			while (at < end && old.atom[at].size == 1)
				at++;
			if (at == end || !atom_take(&old.atom[at], &need, &taken) ||
				!atom_push(form, form->first[k], &count, taken))
				return false;
		}
		if (need < 1)
			return false;
	}
	form->first[dims] = count;
	form->dims = dims;
	while (at < end && old.atom[at].size == 1)
		at++;
	return at == end;
}

bool hlo_form_transpose(hlo_form *form, int dims, const int *from)
{
	hlo_form old = *form;
	uint64_t seen = 0;
	int count = 0;
	if (dims != old.dims)
		return false;
	for (int k = 0; k < dims; k++) {
		int source = from[k];
		if (source < 0 || source >= dims || seen >> source & 1)
			return false;
		seen |= (uint64_t)1 << source;
		form->first[k] = count;
		for (int i = old.first[source]; i < old.first[source + 1]; i++) {
			SW_ROOM(form->atom, count);
			form->atom[count++] = old.atom[i];
		}
	}
	form->first[dims] = count;
	return true;
}

/* Atoms for dimension k in the place of those it has. */
static bool form_set(hlo_form *form, int k, const sw_digit *atom, int atoms)
{
	hlo_form old = *form;
	int count = old.first[k];
	for (int i = 0; i < atoms; i++)
		if (!atom_push(form, old.first[k], &count, atom[i]))
			return false;
	for (int j = k + 1; j <= old.dims; j++) {
		form->first[j] = count;
		for (int i = old.first[j]; j < old.dims && i < old.first[j + 1]; i++) {
			if (count == SW_MAX_DIGITS)
				return false;
			SW_ROOM(form->atom, count);
			form->atom[count++] = old.atom[i];
		}
	}
	return true;
}

bool hlo_form_grow(hlo_form *form, int k, const sw_digit *atom, int count)
{
	return hlo_form_replace(form, k, 1, atom, count);
}

bool hlo_form_replace(hlo_form *form, int k, int64_t count, const sw_digit *atom, int atoms)
{
	assert(k >= 0 && k < form->dims);
	sw_digit made[2 * SW_MAX_DIGITS];
	int n = 0, at = form->first[k], end = form->first[k + 1];
	if (atoms > SW_MAX_DIGITS)
		return false;
	for (int i = 0; i < atoms; i++) {
		SW_ROOM(made, n);
		made[n++] = atom[i];
	}
	while (count > 1) {
		sw_digit taken;
		while (at < end && form->atom[at].size == 1)
			at++;
		if (at == end || !atom_take(&form->atom[at], &count, &taken))
			return false;
	}
	for (; at < end; at++) {
		SW_ROOM(made, n);
		made[n++] = form->atom[at];
	}
	return form_set(form, k, made, n);
}

bool hlo_form_shrink(hlo_form *form, int k, int64_t size)
{
	int64_t have = hlo_form_size(form, k);
	return size >= 1 && have % size == 0 && hlo_form_replace(form, k, have / size, NULL, 0);
}

void hlo_form_offset(const hlo_form *form, int k, int64_t index, int64_t *offset)
{
	assert(k >= 0 && k < form->dims);
	for (int i = form->first[k + 1] - 1; i >= form->first[k]; i--) {
		const sw_digit *atom = &form->atom[i];
		offset[atom->dim] += index % atom->size * atom->stride;
		index /= atom->size;
	}
}

bool hlo_form_box(const hlo_form *form, int rank, int64_t *tile)
{
	int left = form->first[form->dims];
	bool used[SW_MAX_DIGITS] = {false};
	int64_t size = 1;
	for (int i = 0; i < rank; i++)
		tile[i] = 1;
	for (bool found = true; found && left > 0;) {
		found = false;
		for (int i = 0; i < form->first[form->dims]; i++) {
			const sw_digit *atom = &form->atom[i];
			if (used[i] || atom->stride != tile[atom->dim])
				continue;
			if (!sw_mul(tile[atom->dim], atom->size, &tile[atom->dim]))
				return false;
			used[i] = found = true;
			left--;
		}
	}
	for (int i = 0; left == 0 && i < rank; i++)
		if (!sw_mul(size, tile[i], &size) || size > HLO_MOST)
			return false;
	return left == 0;
}

bool hlo_form_ordered(const hlo_form *form, int rank)
{
	int64_t last[SW_MAX_DIMS];
	for (int i = 0; i < rank; i++)
		last[i] = INT64_MAX;
	for (int i = 0; i < form->first[form->dims]; i++) {
		const sw_digit *atom = &form->atom[i];
		if (atom->stride >= last[atom->dim])
			return false;
		last[atom->dim] = atom->stride;
	}
	return true;
}
