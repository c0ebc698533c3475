/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of a problem as an object of JSON.
 */
#define _GNU_SOURCE
#include "command/batch/problem_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "language/line.h"

#define MOST_NAMED 4096 /* bytes of names */

#define ANY_TEXT (1u << JSON_STRING)
#define ANY_INT (1u << JSON_INTEGER)
#define ANY_LIST (1u << JSON_ARRAY)
#define ANY_OBJECT (1u << JSON_OBJECT)
#define MESH_KINDS (ANY_TEXT | ANY_LIST | ANY_OBJECT)
#define MESH_EXPECTED "a mesh as text or object"
#define ORDER_EXPECTED "DTensor's ShardOrder, {\"0\": [1, 0]}: the mesh dimensions that cut dimension 0, major first"
#define IDS_EXPECTED "[DEVICE, ...], the device in each slot of the mesh"

#define HINT_MESHES \
	"\"src_mesh\" and \"dst_mesh\", or \"mesh\" and \"to_mesh\", with \"mesh_device_ids\" and \"to_mesh_device_ids\""

const struct key_read keys_read[KEYS_READ] = {
	{"name", ANY_TEXT | ANY_INT, "a text or a whole number", false},
	{"id", ANY_TEXT | ANY_INT, "a text or a whole number", false},
	{"mesh", MESH_KINDS, MESH_EXPECTED, false},
	{"from", ANY_TEXT, "a type as text", false},
	{"to", ANY_TEXT, "a type as text", false},
	{"dtype", ANY_TEXT, "the name of an element type, or null", false},
	{"shape", ANY_LIST, "[SIZE, ...], the sizes of the array", false},
	{"to_mesh", MESH_KINDS, MESH_EXPECTED, true},
	{"src_mesh", MESH_KINDS, MESH_EXPECTED, true},
	{"dst_mesh", MESH_KINDS, MESH_EXPECTED, true},
	{"mesh_device_ids", ANY_LIST, IDS_EXPECTED, true},
	{"to_mesh_device_ids", ANY_LIST, IDS_EXPECTED, true},
	{"from_shard_order", ANY_LIST | ANY_OBJECT, ORDER_EXPECTED, true},
	{"to_shard_order", ANY_LIST | ANY_OBJECT, ORDER_EXPECTED, true},
};

const struct key_read *key_read(const char *name)
{
	for (int i = 0; i < KEYS_READ; i++)
		if (*name == *keys_read[i].name && strcmp(name, keys_read[i].name) == 0)
			return &keys_read[i];
	return NULL;
}

/* ---- all others ---- */

enum key_use {
	KEY_NOTE,   /* of a source, or of what came out */
	KEY_OPTION, /* said for all lines by an option; in a record of a plan it says how that came about */
	KEY_MESH,   /* of one of two meshes */
	KEY_END,    /* another name of an end */
	KEY_REFUSED /* it would be another problem */
};

static const struct key_row {
	enum key_use use;
	const char *names; /* with a blank before and after each */
	const char *hint;
} rows[] = {
	{KEY_NOTE,
		" also comment description doc kind link links note notes reference remark schema source "
		"source_url tags title unit url version ",
		NULL},
	{KEY_NOTE,
		" best_plan best_recv_elems bound cost default_order error exact_cost expected "
		"expected_recv_elems from_axes fused_cost fused_volume_cost groups height height_bound hlo_from "
		"live_peak lower_bound maps model_bound model_cost normal_form op optimal other padding permutes "
		"planner program reference_cost reference_plan refined_mesh scattered_cost search seconds shape_printed "
		"steps to_axes units volume warns weak_cost without_zeros_pad_cost ",
		NULL},
	{KEY_NOTE,
		" F T axes by bytes boxes desca descc grida gridc held kept local_sizes max_in max_out messages missing "
		"offsets ordera orderc pairs pattern pieces relabelled_kept roots sub unique_sender ",
		NULL},
	{KEY_OPTION, " strategy ", "strategy"},
	{KEY_OPTION, " model ", "model"},
	{KEY_OPTION, " uneven ", "uneven"},
	{KEY_OPTION, " budget memory ", "budget"},
	{KEY_OPTION, " live live_budget ", "live"},
	{KEY_OPTION, " without ", "without"},
	{KEY_OPTION, " hardware machine ", "hardware NAME` before it, and `batch FILE --model"},
	{KEY_MESH, " from_mesh source_mesh target_mesh src_device_mesh dst_device_mesh ", HINT_MESHES},
	{KEY_REFUSED,
		" device_ids device_order from_device_ids to_device_ids from_mesh_device_ids mesh_devices devices "
		"to_devices ",
		"\"mesh_device_ids\" and \"to_mesh_device_ids\" list the device in each slot of the mesh"},
	{KEY_REFUSED, " shard_order src_shard_order dst_shard_order mesh_dims ",
		"\"from_shard_order\" and \"to_shard_order\" give it for each end: {\"0\": [1, 0]}"},
	{KEY_END,
		" placements src_placements dst_placements from_placements to_placements current_placements "
		"target_placements spec src_spec dst_spec from_spec to_spec current_spec target_spec in_specs "
		"out_specs in_shardings out_shardings sharding shardings src_sharding dst_sharding from_sharding "
		"to_sharding sharding_spec dims_mapping ",
		"\"from\" and \"to\" say how the array is partitioned at each end"},
	{KEY_REFUSED, " device_mesh mesh_shape mesh_axes mesh_dim_names axis_names axis_sizes ",
		"\"mesh\" gives axes and sizes: {\"x\": 4, \"y\": 2}"},
	{KEY_REFUSED, " global global_shape local_shape sizes ",
		"\"shape\" is the shape of the whole array: [16, "
		"8]"},
	{KEY_REFUSED, " element_type itemsize dtype_bytes from_dtype to_dtype ",
		"\"dtype\" is the element type of both ends"},
	{KEY_REFUSED, " partial reduce reduce_op reduction unreduced from_unreduced to_unreduced pending_sum ",
		"the type of an end contains it, \"[16, 8]+{x}\", as do the texts of other systems: \"P(None, "
		"unreduced={'x'})\", "
		"\"(Partial(), Shard(0))\""},
	{KEY_REFUSED, " memory_kind from_memory_kind to_memory_kind ",
		"this planner does not move data between memories of one device"},
	{KEY_REFUSED, " manual_axes ", "inside shard_map the whole array is not known"},
	{KEY_REFUSED, " block block_size block_sizes blocks halo rule submatrix ",
		"an array is cut into equal tiles, one for each device"},
	{KEY_REFUSED, " via waypoints ", "each leg is a line of its own"},
	{KEY_REFUSED, " unpadded ", "\"from\" and \"to\" with the real sizes, and `batch FILE --uneven pad`"},
};

/* Is a word in a list, with this mark before and after it? */
static bool is_listed(const char *list, const char *word, char mark)
{
	size_t length = strlen(word);
	for (const char *at = list; (at = strstr(at, word)); at++)
		if (at > list && at[-1] == mark && at[length] == mark)
			return true;
	return false;
}

/* The row that names a key. */
static const struct key_row *find_row(const char *key)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && !strchr(key, ' '); i++)
		if (is_listed(rows[i].names, key, ' '))
			return &rows[i];
	return NULL;
}

/* Does the line tell of a plan that was made?  Then it also says how. */
static bool is_record(json_t *object)
{
	static const char *const of_records[] = {"schema", "cost", "seconds", "steps"};
	for (size_t i = 0; i < sizeof(of_records) / sizeof(*of_records); i++)
		if (json_object_get(object, of_records[i]))
			return true;
	return false;
}

/* "op" with "hardware" asks what one step takes. */
static bool asks_time(json_t *object)
{
	return json_is_string(json_object_get(object, "op")) && json_is_string(json_object_get(object, "hardware"));
}

/* In a record, the sizes of the array stand beside types that say them too. */
static bool is_note(const struct key_row *row, const char *key, json_t *value, bool record)
{
	bool number = strcmp(key, "devices") == 0 && json_is_integer(value);
	return row->use == KEY_NOTE || (row->use == KEY_OPTION && (record || json_is_boolean(value))) ||
		(record && strcmp(key, "global") == 0) || number;
}

static bool refuse_key_of(const struct key_row *row, const char *key, sw_str line, sw_diag *diag)
{
	char quoted[64];
	snprintf(quoted, sizeof(quoted), "\"%s\"", key);
	const char *at = memmem(line.at, line.length, quoted, strlen(quoted));
	if (row->use == KEY_MESH)
		sw_diag_set(diag, SW_N05, (sw_span){0, 0}, "two meshes: \"%s\" is not a key for them", key);
	else if (row->use == KEY_OPTION)
		sw_diag_set(diag, SW_B03, (sw_span){0, 0}, "\"%s\" is not read from a line", key);
	else
		sw_diag_set(diag, SW_B03, (sw_span){0, 0}, "\"%s\" is not read, and without it this is another problem", key);
	if (row->use == KEY_OPTION)
		sw_diag_hint(diag, "`%s%s ...` sets it for all lines", strchr(row->hint, '`') ? "" : "batch FILE --",
			row->hint);
	else
		sw_diag_hint(diag, "%s", row->hint);
	return at ? line_refuse(line, (sw_str){at, strlen(quoted)}, diag) : false;
}

/* "src_mesh" and "dst_mesh" come together, and alone. */
static bool check_meshes(json_t *object, sw_str line, sw_diag *diag)
{
	static const struct key_row more = {KEY_MESH, "", HINT_MESHES};
	json_t *first = json_object_get(object, "src_mesh"), *second = json_object_get(object, "dst_mesh");
	bool others = json_object_get(object, "mesh") || json_object_get(object, "to_mesh");
	bool either = (first && !json_is_null(first)) || (second && !json_is_null(second));
	if (!either || (first && second && !others))
		return true;
	refuse_key_of(&more, first ? "src_mesh" : "dst_mesh", line, diag);
	sw_diag_set(diag, SW_N05, diag->at, "give both \"src_mesh\" and \"dst_mesh\", without \"mesh\"");
	sw_diag_hint(diag, HINT_MESHES);
	return false;
}

/* ---- keys that nobody knows ---- */

static const char *nearest_key(const char *key)
{
	const char *known[KEYS_READ];
	size_t length = strlen(key);
	for (int i = 0; i < KEYS_READ; i++)
		known[i] = keys_read[i].name;
	int near = length < 60 ? sw_str_nearest((sw_str){key, length}, known, KEYS_READ) : -1;
	return near < 0 ? NULL : known[near];
}

static void name_key(const char *key, struct keys_named *named, sw_text *remark)
{
	if (is_listed(sw_text_get(&named->names), key, '\n') || named->full)
		return;
	named->full = named->names.length + strlen(key) > MOST_NAMED;
	sw_text_addf(&named->names, "%s%s\n", named->names.length ? "" : "\n", key);
	json_t *text = json_string(key);
	char *quoted = json_dumps(text, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
	const char *near = nearest_key(key);
	sw_text_addf(remark,
		"%sline %d: %.80s is not a key of a problem and was "
		"ignored",
		remark->length ? "\n" : "", named->line, quoted ? quoted : "?");
	if (near)
		sw_text_addf(remark, "; is \"%s\" meant?", near);
	if (named->full)
		sw_text_add(remark, "; there are more");
	free(quoted);
	json_decref(text);
}

/* `_comment`, `$comment`, `//` */
static bool is_comment_key(const char *key)
{
	return strchr("_$#/", *key) != NULL; /* and the empty key */
}

/* In a line that has no ends other keys may mean anything. */
static bool is_problem(json_t *object)
{
	return json_object_get(object, "from") && json_object_get(object, "to");
}

static bool says_nothing(const char *key, json_t *value)
{
	return json_is_null(value) || is_comment_key(key) || (json_is_array(value) && !json_array_size(value));
}

bool keys_check(json_t *object, sw_str line, struct keys_named *named, sw_text *remark, sw_diag *diag)
{
	const char *key;
	json_t *value;
	bool record = is_record(object) || asks_time(object), problem = is_problem(object);
	if (!check_meshes(object, line, diag))
		return false;
	json_object_foreach(object, key, value)
	{
		if (says_nothing(key, value) || key_read(key))
			continue;
		const struct key_row *row = find_row(key);
		if (row && is_note(row, key, value, record))
			continue;
		if (row && (problem || row->use == KEY_MESH || row->use == KEY_END))
			return refuse_key_of(row, key, line, diag);
		if (!row && problem)
			name_key(key, named, remark);
	}
	return true;
}
