/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensor distribution notation behind the sizes of an array, which is read as a type over the mesh that is known.
 *
 *     f64[9, 9] xy->xy      f64[9, 9] xy->x0      f64[] ->0      f64[8, 8] [xy->xy, zw->z]
 *
 * Source: seed 003, section 3.2.
 */
#include "foreign/notation/read.h"

#include <shardwalk/distal.h>
#include <shardwalk/distribution.h>

static bool read_placement(sw_reader *reader, sw_str sizes, sw_str places, sw_text *type)
{
	sw_str text = reader->scan.text;
	sw_diag *diag = reader->scan.diag;
	sw_mesh none = {0};
	sw_type array;
	sw_distal distal;

	if (!sw_type_parse(&none, sizes, &array, diag)) {
		sw_diag_shift(diag, (size_t)(sizes.at - text.at));
		return false;
	}
	if (!sw_distal_parse(&reader->out->mesh, array.rank, places, &distal, diag)) {
		sw_diag_shift(diag, (size_t)(places.at - text.at));
		return false;
	}
	sw_distal_print_type(&reader->out->mesh, &array, &distal, type);
	return true;
}

/* Where the type that was read is one of tiles, so is the sharding. */
static bool take_tiles(sw_reader *reader)
{
	sw_sharding *out = reader->out;
	sw_notation_context context = {.mesh = &out->mesh};
	sw_reader paper = {.scan = {out->words, 0, SW_N01, reader->scan.diag},
		.arena = reader->arena,
		.context = &context,
		.out = out};
	sw_type type;

	if (!sw_type_parse(&out->mesh, out->words, &type, NULL))
		return true;
	out->kind = SW_SHARDING_TILED;
	bool read = sw_read_paper(&paper);
	out->notation = SW_NOTATION_DISTAL;
	return read;
}

bool sw_read_distal(sw_reader *reader)
{
	sw_str text = reader->scan.text, sizes, places;
	sw_span whole = {0, text.length};
	sw_text type = {0};

	reader->out->notation = SW_NOTATION_DISTAL;
	if (!sw_distal_is(text, &sizes, &places))
		return sw_read_refuse(reader, "the sizes of an array and a placement, such as f64[9, 9] xy->xy");
	if (!sw_read_need_mesh(reader, whole) || !read_placement(reader, sizes, places, &type)) {
		sw_text_free(&type);
		return false;
	}
	reader->scan.at = text.length;
	return sw_read_words(reader, &type, whole) && take_tiles(reader);
}

/* ---- printing ---- */

static bool refuse(sw_diag *diag, const char *why)
{
	return sw_print_refuse(diag, SW_NOTATION_DISTAL, why);
}

/* The type over the sharding's own mesh. */
static bool read_type(const sw_sharding *s, sw_arena *arena, sw_type *type, const sw_distribution **words,
	sw_diag *diag)
{
	sw_diag own = {.code = SW_OK};

	if (s->mesh.count == 0 || s->mesh.order != NULL)
		return refuse(diag,
			s->mesh.count == 0 ? "it needs the axes of a mesh" : "the devices are not in the usual order");
	if (!s->has_shape)
		return refuse(diag, "it needs the sizes of the array");
	return sw_sharding_any(s, &s->mesh, &s->shape, arena, type, words, &own) || refuse(diag, own.message);
}

bool sw_print_distal(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	const sw_distribution *words;
	const char *why = NULL;
	sw_mesh none = {0};
	sw_distal distal;
	sw_type type, array;
	sw_text places = {0};
	int64_t size[SW_MAX_DIMS];

	if (!read_type(s, arena, &type, &words, diag))
		return false;
	if (!sw_distal_of(&s->mesh, &type, words, arena, &distal, &why) ||
		!sw_distal_print(&s->mesh, &distal, &places, &why)) {
		sw_text_free(&places);
		return why != NULL ? refuse(diag, why) : sw_diag_memory(diag);
	}
	sw_type_real(&type, size);
	sw_type_replicated(type.dtype, type.rank, size, &array, NULL);
	sw_type_print(&none, &array, type.dtype_given, text);
	sw_text_addf(text, " %s", sw_text_get(&places));
	sw_text_free(&places);
	return true;
}
