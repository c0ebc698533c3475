/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JAX: meshes, as programs make them and as its versions print them.
 *
 *     jax.make_mesh((4, 2), ('x', 'y'))                                   sizes and names
 *     Mesh(axis_sizes=(4, 2), axis_names=('x', 'y'), axis_types=(...))    repr since 2025
 *     Mesh('x': 4, 'y': 2, axis_types=(...)), {'x': 4, 'y': 2}            str, and what shardings print
 *     Mesh(device_ids=array([[0, 1], [2, 3]]), axis_names=('x', 'y'))     repr before
 *     Mesh({'X': 4, 'Y': 2}), Mesh(mesh_shape=(4, 2), axis_names=...)     the scaling book, also with ‘X' as it is printed
 *     Mesh(devices=((0, 1), (2, 3)), axis_names=('X', 'Y'))               the same
 *     AbstractMesh((('x', 4), ('y', 2)))                                  pairs
 */
#include "base/room.h"
#include "foreign/notation/read.h"

#include <string.h>

static const sw_span nowhere = {0, 0};

typedef struct jax_axes {
	int sizes, names;
	int64_t size[SW_MAX_AXES];
	sw_str name[SW_MAX_AXES];
	sw_span at[SW_MAX_AXES], names_at;
} jax_axes;

/* ---- lists ---- */

static bool jax_sees_bracket(sw_reader *reader)
{
	return sw_read_sees(reader, "(") || sw_read_sees(reader, "[") || sw_read_sees(reader, "{");
}

#define JAX_OPENING "\xE2\x80\x98" /* quotes of a printed page */
#define JAX_CLOSING "\xE2\x80\x99"

/* After the quote: `X'`, or the same with its own quote, whose bytes count as letters. */
static bool jax_read_printed(sw_reader *reader, jax_axes *axes)
{
	sw_str name = sw_scan_word(&reader->scan, &axes->at[axes->names]);
	bool closed = sw_str_ends(name, JAX_CLOSING);
	if (closed)
		name.length -= strlen(JAX_CLOSING);
	if (!sw_scan_is_bare(name) || (!closed && !sw_read_sign(reader, "'")))
		return sw_read_refuse(reader, "the name of an axis, in quotes");
	SW_ROOM(axes->name, axes->names);
	axes->name[axes->names++] = name;
	return true;
}

static bool jax_read_name(sw_reader *reader, jax_axes *axes, sw_span open)
{
	if (axes->names == SW_MAX_AXES)
		return sw_read_refuse(reader, "at most 64 names");
	if (sw_read_sign(reader, JAX_OPENING))
		return jax_read_printed(reader, axes);
	if (!sw_scan_name(&reader->scan, "the name of an axis", open, &axes->name[axes->names], &axes->at[axes->names]))
		return false;
	axes->names++;
	return true;
}

static bool jax_read_size(sw_reader *reader, jax_axes *axes)
{
	if (axes->sizes == SW_MAX_AXES)
		return sw_read_refuse(reader, "at most 64 sizes");
	return sw_read_number(reader, "size of the axis", 1, SW_MAX_DEVICES, &axes->size[axes->sizes++]);
}

/* ('x', 'y') or just 'x' */
static bool jax_read_names(sw_reader *reader, jax_axes *axes)
{
	sw_py_list list;
	axes->names = 0;
	axes->names_at = sw_scan_next_span(&reader->scan);
	bool several = sw_py_open(&list, &reader->scan, SW_PY_BRACKETS, NULL);
	bool ok = several || jax_read_name(reader, axes, nowhere);
	list.filled = true;
	while (several && ok && sw_py_next(&list))
		ok = jax_read_name(reader, axes, list.open);
	axes->names_at.end = reader->scan.at;
	return ok && (!several || list.ok);
}

/* After its bracket: `'x', 4)` */
static bool jax_read_pair(sw_reader *reader, jax_axes *axes, const sw_py_list *pair)
{
	return jax_read_name(reader, axes, pair->open) &&
		sw_scan_expect(&reader->scan, ',', "a comma and the axis's size", pair->open) &&
		jax_read_size(reader, axes) && sw_scan_expect(&reader->scan, pair->close, "the closing bracket", pair->open);
}

/* (4, 2), 4, or (('x', 4), ('y', 2)) */
static bool jax_read_sizes(sw_reader *reader, jax_axes *axes)
{
	sw_py_list list, pair;
	axes->sizes = 0;
	if (!sw_py_open(&list, &reader->scan, SW_PY_BRACKETS, NULL))
		return jax_read_size(reader, axes);
	list.filled = true;
	while (sw_py_next(&list))
		if (sw_py_open(&pair, &reader->scan, SW_PY_BRACKETS, NULL) ? !jax_read_pair(reader, axes, &pair) :
																	 !jax_read_size(reader, axes))
			return false;
	return list.ok;
}

static bool jax_sees_name(sw_reader *reader)
{
	return sw_read_sees(reader, "'") || sw_read_sees(reader, "\"") || sw_read_sees(reader, JAX_OPENING);
}

/* `'x': 4, 'y': 2` up to the end, or, *more, to what is no name in quotes. */
static bool jax_read_items(sw_reader *reader, jax_axes *axes, sw_py_list *list, bool *more)
{
	for (*more = sw_py_next(list); *more && jax_sees_name(reader); *more = sw_py_next(list))
		if (!jax_read_name(reader, axes, list->open) ||
			!sw_scan_expect(&reader->scan, ':', "':' and the axis's size", nowhere) || !jax_read_size(reader, axes))
			return false;
	return list->ok;
}

/* ---- from axes to a mesh ---- */

static bool jax_make(sw_reader *reader, const jax_axes *axes)
{
	sw_sharding *out = reader->out;
	if (axes->names != axes->sizes) {
		sw_diag_set(reader->scan.diag, SW_N01, axes->names_at, "%d names for %d axes", axes->names, axes->sizes);
		sw_diag_expected(reader->scan.diag, "%d names", axes->sizes);
		return false;
	}
	out->mesh = (sw_mesh){.devices = 1};
	out->named = out->own_mesh = true;
	for (int i = 0; i < axes->sizes; i++)
		if (!sw_mesh_add(&out->mesh, axes->name[i], axes->size[i], reader->scan.diag)) {
			if (reader->scan.diag)
				reader->scan.diag->at = axes->at[i];
			return false;
		}
	return axes->sizes > 0 || sw_read_refuse(reader, "the axes of the mesh");
}

/* `, ('x', 'y')` or `, axis_names=('x', 'y')` */
static bool jax_read_names_next(sw_reader *reader, jax_axes *axes)
{
	if (!sw_scan_expect(&reader->scan, ',', "a comma and the names of the axes", nowhere))
		return false;
	if (sw_read_word(reader, "axis_names") && !sw_scan_expect(&reader->scan, '=', "'='", nowhere))
		return false;
	return jax_read_names(reader, axes);
}

/* ---- the ways to write it ---- */

/* Rows of devices: `array([[0, 1], [2, 3]]), axis_names=('x', 'y')` */
static bool jax_read_ids(sw_reader *reader, jax_axes *axes)
{
	sw_numbers ids = {0};
	sw_span at = sw_scan_next_span(&reader->scan), word;
	size_t before = reader->scan.at;
	bool array = sw_str_is(sw_py_word(&reader->scan, &word), "array");
	if (!array)
		reader->scan.at = before;
	if ((array && !sw_scan_expect(&reader->scan, '(', "'('", nowhere)) ||
		!sw_read_array(reader, &ids, axes->size, &axes->sizes) ||
		(array && !sw_scan_expect(&reader->scan, ')', "')'", at)))
		return false;
	at.end = reader->scan.at;
	if (!jax_read_names_next(reader, axes) || !jax_make(reader, axes))
		return false;
	if (reader->out->mesh.devices != ids.count)
		return sw_diag_set(reader->scan.diag, SW_N04, at, "the rows of devices are not equally long");
	return sw_read_ids(reader, ids.at, ids.count, at);
}

/* `np.array(jax.devices()).reshape(4, 2), ('x', 'y')` */
static bool jax_read_reshaped(sw_reader *reader, jax_axes *axes)
{
	sw_scan *scan = &reader->scan;
	while (sw_scan_peek(scan) >= 0 && !sw_read_sees(reader, ".reshape"))
		scan->at++;
	if (!sw_read_sign(reader, ".reshape"))
		return sw_read_refuse(reader, "the shape of the mesh, .reshape(4, 2)");
	sw_py_list list, inner;
	if (!sw_py_open(&list, scan, "(", "'(' and the sizes of the axes"))
		return false;
	bool nested = sw_py_open(&inner, scan, SW_PY_BRACKETS, NULL);
	axes->sizes = sw_read_numbers(reader, nested ? inner.close : ')', list.open, "size of the axis", 1, axes->size,
		SW_MAX_AXES);
	if (axes->sizes < 0 || (nested && !sw_scan_expect(scan, ')', "')'", list.open)))
		return false;
	return jax_read_names_next(reader, axes) && jax_make(reader, axes);
}

/* `device_ids, (4, 2), ('x', 'y')`: torch_xla names a list of devices first, which stays unread */
static bool jax_read_third(sw_reader *reader, jax_axes *axes)
{
	sw_span at;
	return sw_scan_word(&reader->scan, &at).length && sw_scan_take(&reader->scan, ',') &&
		(sw_read_sees(reader, "(") || sw_read_sees(reader, "[")) && jax_read_sizes(reader, axes) &&
		sw_read_sees(reader, ",") && jax_read_names_next(reader, axes) && jax_make(reader, axes);
}

static bool jax_read_devices(sw_reader *reader, jax_axes *axes)
{
	size_t before = reader->scan.at;
	sw_diag *diag = reader->scan.diag;
	reader->scan.diag = NULL;
	bool third = jax_read_third(reader, axes);
	reader->scan.diag = diag;
	if (third)
		return true;
	reader->scan.at = before;
	*axes = (jax_axes){.sizes = 0};
	return jax_read_reshaped(reader, axes);
}

enum jax_argument { JAX_SIZES, JAX_NAMES, JAX_OTHER };

static const struct {
	const char *word;
	enum jax_argument argument;
} jax_keywords[] = {{"axis_sizes", JAX_SIZES}, {"axis_shapes", JAX_SIZES}, {"shape_tuple", JAX_SIZES},
	{"mesh_shape", JAX_SIZES}, {"axis_names", JAX_NAMES}};

/* Which argument `axis_sizes=` and others are; OTHER: no such word is there. */
static enum jax_argument jax_read_keyword(sw_reader *reader)
{
	for (size_t i = 0; i < sizeof(jax_keywords) / sizeof(*jax_keywords); i++)
		if (sw_py_named(&reader->scan, jax_keywords[i].word))
			return jax_keywords[i].argument;
	return JAX_OTHER;
}

/* Which argument comes next, by its keyword or its position. */
static enum jax_argument jax_read_argument(sw_reader *reader, int position)
{
	enum jax_argument argument = jax_read_keyword(reader);
	if (argument != JAX_OTHER || position > 2 || !jax_sees_bracket(reader))
		return argument;
	return position == 1 ? JAX_SIZES : JAX_NAMES;
}

/* Sizes and names as arguments, by keyword or by position, and whatever else up to ')'. */
static bool jax_read_arguments(sw_reader *reader, jax_axes *axes, sw_py_list *list)
{
	list->filled = true;
	while (sw_py_next(list)) {
		enum jax_argument argument = jax_read_argument(reader, list->count);
		if (argument == JAX_OTHER)
			sw_py_value(&reader->scan);
		else if (!(argument == JAX_SIZES ? jax_read_sizes : jax_read_names)(reader, axes))
			return false;
	}
	if (!list->ok)
		return false;
	if (axes->sizes == 0)
		return sw_read_refuse(reader, "the sizes of the axes, such as (4, 2)");
	return jax_make(reader, axes);
}

static bool jax_sees_keyword(sw_reader *reader)
{
	size_t before = reader->scan.at;
	bool found = jax_read_keyword(reader) != JAX_OTHER;
	reader->scan.at = before;
	return found;
}

/* Rows of devices follow, perhaps behind `device_ids=` or `devices=`, which is passed. */
static bool jax_sees_rows(sw_reader *reader)
{
	if (!sw_py_named(&reader->scan, "device_ids"))
		sw_py_named(&reader->scan, "devices");
	return jax_sees_bracket(reader) || sw_read_sees(reader, "array");
}

/* `{'x': 4, 'y': 2}` */
static bool jax_read_dict(sw_reader *reader)
{
	jax_axes axes = {.sizes = 0};
	bool more;
	sw_py_list list;
	if (!sw_py_open(&list, &reader->scan, "{", "'{' and the axes") || !jax_read_items(reader, &axes, &list, &more))
		return false;
	return (!more ||
			   sw_scan_expect(&reader->scan, '}', "'}' and the names of axes in quotes before it", list.open)) &&
		jax_make(reader, &axes);
}

/* After `Mesh` or `AbstractMesh`, which says sizes where the other lists devices. */
static bool jax_read_mesh(sw_reader *reader, bool abstract)
{
	jax_axes axes = {.sizes = 0};
	bool more = true;
	sw_py_list list;
	if (!sw_py_open(&list, &reader->scan, "(", "'(' and the mesh"))
		return false;
	if (sw_read_sees(reader, ")"))
		return sw_read_refuse(reader, "the axes");
	if (sw_read_sees(reader, "{"))
		return jax_read_dict(reader) && sw_py_rest(&list);
	if (jax_sees_keyword(reader) || (abstract && jax_sees_bracket(reader)))
		return jax_read_arguments(reader, &axes, &list);
	if (!jax_read_items(reader, &axes, &list, &more))
		return false;
	if (axes.sizes > 0 && more)
		sw_py_value(&reader->scan);
	if (axes.sizes > 0)
		return (!more || sw_py_rest(&list)) && jax_make(reader, &axes);
	bool rows = jax_sees_rows(reader);
	return (rows ? jax_read_ids(reader, &axes) : jax_read_devices(reader, &axes)) && sw_py_rest(&list);
}

static bool jax_read_make_mesh(sw_reader *reader)
{
	jax_axes axes = {.sizes = 0};
	sw_py_list list;
	return sw_py_open(&list, &reader->scan, "(", "'('") && jax_read_arguments(reader, &axes, &list);
}

/* After `OrderedDict`: `([('x', 4), ('y', 2)])` or `({'x': 4})` */
static bool jax_read_ordered(sw_reader *reader)
{
	jax_axes axes = {.sizes = 0};
	sw_span open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '(', "'(' and the axes", nowhere))
		return false;
	bool dict = sw_read_sees(reader, "{");
	return (dict ? jax_read_dict(reader) : jax_read_sizes(reader, &axes)) &&
		sw_scan_expect(&reader->scan, ')', "')'", open) && (dict || jax_make(reader, &axes));
}

bool sw_read_jax_mesh(sw_reader *reader, bool *found)
{
	size_t before = reader->scan.at;
	sw_span at;
	*found = true;
	if (sw_read_sees(reader, "{"))
		return jax_read_dict(reader);
	sw_str word = sw_py_word(&reader->scan, &at);
	if (sw_str_is(word, "make_mesh"))
		return jax_read_make_mesh(reader);
	if (sw_str_is(word, "Mesh") || sw_str_is(word, "AbstractMesh"))
		return jax_read_mesh(reader, sw_str_is(word, "AbstractMesh"));
	if (sw_str_is(word, "OrderedDict"))
		return jax_read_ordered(reader);
	reader->scan.at = before;
	*found = false;
	return true;
}
