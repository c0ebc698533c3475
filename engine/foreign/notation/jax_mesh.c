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

static char jax_close(int open)
{
	return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '\0';
}

/* Steps over a bracket and tells what closes it; 0: there is none. */
static char jax_open(sw_reader *reader)
{
	char close = jax_close(sw_scan_peek(&reader->scan));
	if (close)
		reader->scan.at++;
	return close;
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
	axes->names = 0;
	axes->names_at = sw_scan_next_span(&reader->scan);
	char close = jax_open(reader);
	bool ok = close || jax_read_name(reader, axes, nowhere);
	for (bool more = close != '\0'; ok && more && !(axes->names && sw_scan_take(&reader->scan, close));)
		ok = jax_read_name(reader, axes, axes->names_at) &&
			sw_scan_list(&reader->scan, close, "a comma, or the closing bracket", axes->names_at, &more);
	axes->names_at.end = reader->scan.at;
	return ok;
}

/* After its bracket: `'x', 4)` */
static bool jax_read_pair(sw_reader *reader, jax_axes *axes, char close, sw_span open)
{
	return jax_read_name(reader, axes, open) &&
		sw_scan_expect(&reader->scan, ',', "a comma and the axis's size", open) && jax_read_size(reader, axes) &&
		sw_scan_expect(&reader->scan, close, "the closing bracket", open);
}

/* (4, 2), 4, or (('x', 4), ('y', 2)) */
static bool jax_read_sizes(sw_reader *reader, jax_axes *axes)
{
	sw_span open = sw_scan_next_span(&reader->scan);
	char close = jax_open(reader);
	axes->sizes = 0;
	if (!close)
		return jax_read_size(reader, axes);
	for (bool more = true; more && !(axes->sizes && sw_scan_take(&reader->scan, close));) {
		sw_span inner = sw_scan_next_span(&reader->scan);
		char pair = jax_open(reader);
		if (pair ? !jax_read_pair(reader, axes, pair, inner) : !jax_read_size(reader, axes))
			return false;
		if (!sw_scan_list(&reader->scan, close, "a comma, or the closing bracket", open, &more))
			return false;
	}
	return true;
}

static bool jax_sees_name(sw_reader *reader)
{
	return sw_read_sees(reader, "'") || sw_read_sees(reader, "\"") || sw_read_sees(reader, JAX_OPENING);
}

/* `'x': 4, 'y': 2` up to `close`, or to what is no name in quotes. */
static bool jax_read_items(sw_reader *reader, jax_axes *axes, char close, sw_span open, bool *more)
{
	for (*more = true; *more && jax_sees_name(reader);)
		if (!jax_read_name(reader, axes, open) ||
			!sw_scan_expect(&reader->scan, ':', "':' and the axis's size", nowhere) || !jax_read_size(reader, axes) ||
			!sw_scan_list(&reader->scan, close, "a comma, or the closing bracket", open, more))
			return false;
	return true;
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

bool sw_read_rest(sw_reader *reader, char close, sw_span open)
{
	for (bool more;;) {
		if (!sw_scan_list(&reader->scan, close, "a comma, or the closing bracket", open, &more))
			return false;
		if (!more || sw_scan_take(&reader->scan, close))
			return true;
		sw_py_value(&reader->scan);
	}
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
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '(', "'(' and the sizes of the axes", nowhere))
		return false;
	char nested = jax_open(reader);
	axes->sizes = sw_read_numbers(reader, nested ? nested : ')', open, "size of the axis", 1, axes->size,
		SW_MAX_AXES);
	if (axes->sizes < 0 || (nested && !sw_scan_expect(scan, ')', "')'", open)))
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

/* `axis_sizes=`: which argument comes next; without such a word the one at this index. */
static enum jax_argument jax_read_keyword(sw_reader *reader, int index)
{
	size_t before = reader->scan.at;
	for (size_t i = 0; i < sizeof(jax_keywords) / sizeof(*jax_keywords); i++) {
		if (sw_read_word(reader, jax_keywords[i].word) && sw_read_sign(reader, "="))
			return jax_keywords[i].argument;
		reader->scan.at = before;
	}
	bool bracket = jax_close(sw_scan_peek(&reader->scan)) != '\0';
	return bracket && index == 0 ? JAX_SIZES : bracket && index == 1 ? JAX_NAMES : JAX_OTHER;
}

/* Sizes and names as arguments, by keyword or by position, and whatever else up to ')'. */
static bool jax_read_arguments(sw_reader *reader, jax_axes *axes, sw_span open)
{
	bool more = true;
	for (int index = 0; more && !(index && sw_scan_take(&reader->scan, ')')); index++) {
		enum jax_argument argument = jax_read_keyword(reader, index);
		bool ok = argument == JAX_SIZES ? jax_read_sizes(reader, axes) :
			argument == JAX_NAMES       ? jax_read_names(reader, axes) :
										  true;
		if (argument == JAX_OTHER)
			sw_py_value(&reader->scan);
		if (!ok || !sw_scan_list(&reader->scan, ')', "a comma or ')'", open, &more))
			return false;
	}
	if (axes->sizes == 0)
		return sw_read_refuse(reader, "the sizes of the axes, such as (4, 2)");
	return jax_make(reader, axes);
}

static bool jax_sees_keyword(sw_reader *reader)
{
	size_t before = reader->scan.at;
	for (size_t i = 0; i < sizeof(jax_keywords) / sizeof(*jax_keywords); i++) {
		bool found = sw_read_word(reader, jax_keywords[i].word) && sw_read_sees(reader, "=");
		reader->scan.at = before;
		if (found)
			return true;
	}
	return false;
}

/* Rows of devices follow, perhaps behind `device_ids=` or `devices=`, which is passed. */
static bool jax_sees_rows(sw_reader *reader)
{
	static const char *const words[] = {"device_ids", "devices"};
	size_t before = reader->scan.at;
	bool keyword = false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && !keyword; i++) {
		keyword = sw_read_word(reader, words[i]) && sw_read_sign(reader, "=");
		if (!keyword)
			reader->scan.at = before;
	}
	return jax_close(sw_scan_peek(&reader->scan)) || sw_read_sees(reader, "array");
}

/* `{'x': 4, 'y': 2}` */
static bool jax_read_dict(sw_reader *reader)
{
	jax_axes axes = {.sizes = 0};
	bool more;
	sw_span open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '{', "'{' and the axes", nowhere) ||
		!jax_read_items(reader, &axes, '}', open, &more))
		return false;
	return (!more || sw_scan_expect(&reader->scan, '}', "'}' and the names of axes in quotes before it", open)) &&
		jax_make(reader, &axes);
}

/* After `(`: `{'X': 4})` */
static bool jax_read_dict_inside(sw_reader *reader, sw_span open)
{
	return jax_read_dict(reader) && sw_read_rest(reader, ')', open);
}

/* After `Mesh` or `AbstractMesh`, which says sizes where the other lists devices. */
static bool jax_read_mesh(sw_reader *reader, bool abstract)
{
	jax_axes axes = {.sizes = 0};
	bool more = true;
	sw_span open = sw_scan_next_span(&reader->scan);
	if (!sw_scan_expect(&reader->scan, '(', "'(' and the mesh", nowhere))
		return false;
	if (sw_read_sees(reader, ")"))
		return sw_read_refuse(reader, "the axes");
	if (sw_read_sees(reader, "{"))
		return jax_read_dict_inside(reader, open);
	if (!jax_read_items(reader, &axes, ')', open, &more))
		return false;
	if (axes.sizes > 0 && more)
		sw_py_value(&reader->scan);
	if (axes.sizes > 0)
		return (!more || sw_read_rest(reader, ')', open)) && jax_make(reader, &axes);
	if (jax_sees_keyword(reader) || (abstract && jax_close(sw_scan_peek(&reader->scan))))
		return jax_read_arguments(reader, &axes, open);
	bool rows = jax_sees_rows(reader);
	return (rows ? jax_read_ids(reader, &axes) : jax_read_devices(reader, &axes)) && sw_read_rest(reader, ')', open);
}

static bool jax_read_make_mesh(sw_reader *reader)
{
	jax_axes axes = {.sizes = 0};
	sw_span open = sw_scan_next_span(&reader->scan);
	return sw_scan_expect(&reader->scan, '(', "'('", nowhere) && jax_read_arguments(reader, &axes, open);
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
