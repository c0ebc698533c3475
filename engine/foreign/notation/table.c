/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of notations: how a text of each begins, its reader, its printers; and what a sharding means in words.
 */
#include "foreign/notation/read.h"
#include "foreign/notation/rewritten.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include <shardwalk/distal.h>
#include <shardwalk/number.h>

#include "array/parts.h"

static const struct row {
	const char *name, *called, *example;
	sw_reader_function *read;
	sw_printer_function *print, *mesh;
} rows[SW_NOTATION_COUNT] = {
#define ROW(id, reader, printer, mesh_printer) [SW_NOTATION_##id] = {NULL, NULL, NULL, reader, printer, mesh_printer},
	ROW(PAPER, sw_read_paper, sw_print_paper, sw_mesh_paper) ROW(HLO, sw_read_hlo, sw_print_hlo, NULL) ROW(HLO_LIST,
		sw_read_hlo, sw_print_hlo_list,
		NULL) ROW(HLO_NAMED, sw_read_hlo_named, sw_print_hlo_named, NULL) ROW(SHARDY, sw_read_shardy, sw_print_shardy,
		sw_mesh_shardy) ROW(JAX, sw_read_jax, sw_print_jax, sw_mesh_jax) ROW(JAX_TYPE, sw_read_jax_type,
		sw_print_jax_type, sw_mesh_jax) ROW(DTENSOR, sw_read_dtensor, sw_print_dtensor, sw_mesh_dtensor) ROW(ENTRIES,
		sw_read_entries, sw_print_entries, sw_mesh_jax) ROW(LAYOUT, sw_read_layout, sw_print_layout, NULL) ROW(SBP,
		sw_read_sbp, sw_print_sbp, sw_mesh_sbp) ROW(BOOK, sw_read_book, sw_print_book, sw_mesh_book) ROW(ALPA,
		sw_read_alpa, sw_print_alpa, sw_mesh_paper) ROW(COLOSSAL, sw_read_colossal, sw_print_colossal, sw_mesh_paper)
		ROW(PADDLE, sw_read_paddle, sw_print_paddle, sw_mesh_paper) ROW(MEGATRON, sw_read_megatron, sw_print_megatron,
			sw_mesh_paper) ROW(GSPMD, sw_read_gspmd, sw_print_gspmd, sw_mesh_paper) ROW(MLIR, sw_read_mlir,
			sw_print_mlir, sw_mesh_mlir) ROW(PENCIL, sw_read_pencil, sw_print_pencil, sw_mesh_paper) ROW(SPLIT,
			sw_read_split, sw_print_split, sw_mesh_paper) ROW(SCALAPACK, sw_read_scalapack, sw_print_scalapack, NULL)
			ROW(CHAPEL, sw_read_chapel, sw_print_only_read, NULL) ROW(HPF, sw_read_hpf, sw_print_only_read, NULL)
				ROW(LOCAL_SIZES, sw_read_local_sizes, sw_print_only_read, NULL) ROW(COSTA, sw_read_costa,
					sw_print_only_read, NULL) ROW(DISTAL, sw_read_distal, sw_print_distal, sw_mesh_paper)
					ROW(GROUPS, sw_read_groups, sw_print_groups, NULL) ROW(PAIRS, sw_read_pairs, sw_print_pairs, NULL)
#undef ROW
};

static const struct {
	const char *name, *called, *example;
} words[SW_NOTATION_COUNT] = {
#define X(id, name, called, example) [SW_NOTATION_##id] = {name, called, example},
	SW_NOTATIONS(X)
#undef X
};

const char *sw_notation_name(sw_notation notation)
{
	assert((unsigned)notation < SW_NOTATION_COUNT);
	return words[notation].name;
}

const char *sw_notation_called(sw_notation notation)
{
	assert((unsigned)notation < SW_NOTATION_COUNT);
	return words[notation].called;
}

const char *sw_notation_example(sw_notation notation)
{
	assert((unsigned)notation < SW_NOTATION_COUNT);
	return words[notation].example;
}

/* Meshes alone, and shardings that bring their mesh, have names of their own. */
static const struct {
	sw_notation notation;
	const char *mesh, *with_mesh, *example;
} called_with_mesh[] = {
	{SW_NOTATION_HLO, "an order of devices of XLA", "an XLA sharding", "[4,2]T(1,0)"},
	{SW_NOTATION_JAX, "a JAX mesh", "a JAX NamedSharding", "Mesh('x': 4, 'y': 2)"},
	{SW_NOTATION_DTENSOR, "a DeviceMesh of PyTorch", "DTensor placements with their DeviceMesh",
		"DeviceMesh((x=4, y=2))"},
	{SW_NOTATION_PADDLE, "a ProcessMesh of Paddle", "a dims_mapping of Paddle",
		"ProcessMesh([[0, 1], [2, 3]], dim_names=['x', 'y'])"},
	{SW_NOTATION_SBP, "a placement of OneFlow", "an SBP of OneFlow with its placement",
		"oneflow.placement(\"cuda\", ranks=[[0, 1], [2, 3]])"},
	{SW_NOTATION_MLIR, "a grid of MLIR's shard dialect", "a sharding of MLIR's shard dialect",
		"shard.grid @mesh(shape = 4x2)"},
	{SW_NOTATION_LAYOUT, "a mesh of TensorFlow's DTensor", "a layout of TensorFlow's DTensor",
		"create_mesh([('x', 4), ('y', 2)])"},
	{SW_NOTATION_SHARDY, "a Shardy mesh", "a Shardy sharding with its mesh", "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>"},
};

const char *sw_sharding_called(const sw_sharding *s)
{
	if (s->grid)
		return "a grid, one cut for each dimension";
	for (size_t i = 0; i < sizeof(called_with_mesh) / sizeof(*called_with_mesh); i++)
		if (called_with_mesh[i].notation == s->notation && (s->kind == SW_SHARDING_MESH || s->own_mesh))
			return s->kind == SW_SHARDING_MESH ? called_with_mesh[i].mesh : called_with_mesh[i].with_mesh;
	return words[s->notation].called;
}

/* ---- guessing ---- */

/* The first byte after blanks from `i` on; 0 at the end. */
static char byte_after(sw_str text, size_t i)
{
	while (i < text.length && strchr(" \t\r\n", text.at[i]))
		i++;
	return i < text.length ? text.at[i] : '\0';
}

static sw_notation guess_brace(sw_str text)
{
	size_t i = 1;
	while (i < text.length && (text.at[i] == ' ' || text.at[i] == '{'))
		i++;
	char first = i < text.length ? text.at[i] : '\0';
	sw_str rest = {text.at + i, text.length - i};
	if (sw_str_starts(rest, "mesh") || sw_str_starts(rest, "maximal_mesh"))
		return byte_after(text, 1) == '{' ? SW_NOTATION_HLO : SW_NOTATION_HLO_NAMED;
	bool group = first >= '0' && first <= '9' && byte_after(text, 1) == '{';
	return group || first == '}' ? SW_NOTATION_GROUPS : SW_NOTATION_HLO;
}

static const struct beginning {
	const char *with;
	sw_notation notation;
} beginnings[] = {
	{"Pencil ", SW_NOTATION_PENCIL},
	{"Pencil(", SW_NOTATION_PENCIL},
	{"<=[", SW_NOTATION_HLO},
	{"ColwiseParallel", SW_NOTATION_DTENSOR},
	{"RowwiseParallel", SW_NOTATION_DTENSOR},
	{"ShardedTensor(", SW_NOTATION_MEGATRON},
	{"split=", SW_NOTATION_SPLIT},
	{"dims_mapping", SW_NOTATION_PADDLE},
	{"#shard.", SW_NOTATION_MLIR},
	{"#mesh.shard", SW_NOTATION_MLIR},
	{"shard.sharding", SW_NOTATION_MLIR},
	{"sharding=", SW_NOTATION_HLO},
	{"replica_groups", SW_NOTATION_GROUPS},
	{"source_target_pairs", SW_NOTATION_PAIRS},
	{"mesh[", SW_NOTATION_GROUPS},
	{"#sdy", SW_NOTATION_SHARDY},
	{"sdy.", SW_NOTATION_SHARDY},
	{"<@", SW_NOTATION_SHARDY},
	{"<mesh", SW_NOTATION_SHARDY},
	{"PartitionSpec", SW_NOTATION_JAX},
	{"NamedSharding", SW_NOTATION_JAX},
	{"GSPMDSharding", SW_NOTATION_JAX},
	{"Mesh(", SW_NOTATION_JAX},
	{"MeshPspecSharding", SW_NOTATION_JAX},
	{"SingleDeviceSharding", SW_NOTATION_JAX},
	{"ShapedArray(", SW_NOTATION_JAX_TYPE},
	{"ShapeDtypeStruct(", SW_NOTATION_JAX_TYPE},
	{"AbstractMesh(", SW_NOTATION_JAX},
	{"jax.", SW_NOTATION_JAX},
	{"make_mesh", SW_NOTATION_JAX},
	{"DTensor", SW_NOTATION_DTENSOR},
	{"DeviceMesh", SW_NOTATION_DTENSOR},
	{"init_device_mesh", SW_NOTATION_DTENSOR},
	{"dist.", SW_NOTATION_DTENSOR},
	{"torch.", SW_NOTATION_DTENSOR},
	{"Spec(", SW_NOTATION_DTENSOR},
	{"placements", SW_NOTATION_DTENSOR},
	{"Shard(", SW_NOTATION_DTENSOR},
	{"Replicate(", SW_NOTATION_DTENSOR},
	{"_StridedShard", SW_NOTATION_DTENSOR},
	{"Partial(", SW_NOTATION_DTENSOR},
	{"S(", SW_NOTATION_DTENSOR},
	{"_S(", SW_NOTATION_DTENSOR},
	{"ProcessMesh(", SW_NOTATION_PADDLE},
	{"placement(", SW_NOTATION_SBP},
	{"sbp=", SW_NOTATION_SBP},
	{"sbp =", SW_NOTATION_SBP},
	{"flow.sbp", SW_NOTATION_SBP},
	{"oneflow.sbp", SW_NOTATION_SBP},
	{"sharding_specs:", SW_NOTATION_LAYOUT},
	{"Layout(", SW_NOTATION_LAYOUT},
	{"#dtensor.layout", SW_NOTATION_LAYOUT},
	{"create_mesh(", SW_NOTATION_LAYOUT},
	{"create_distributed_mesh(", SW_NOTATION_LAYOUT},
	{"mesh_split(", SW_NOTATION_GSPMD},
	{"MeshSplit(", SW_NOTATION_GSPMD},
	{"DistSpec", SW_NOTATION_COLOSSAL},
	{"shard_sequence", SW_NOTATION_COLOSSAL},
	{"sharding_sequence", SW_NOTATION_COLOSSAL},
	{"shard.grid", SW_NOTATION_MLIR},
	{"mesh.mesh", SW_NOTATION_MLIR},
	{"mark_sharding(", SW_NOTATION_ENTRIES},
	{"with_partitioning(", SW_NOTATION_ENTRIES},
	{"with_logical_partitioning(", SW_NOTATION_ENTRIES},
	{"Partitioned(", SW_NOTATION_ENTRIES},
	{"LogicallyPartitioned(", SW_NOTATION_ENTRIES},
};

/* `xs.Mesh(...)` without its `xs.` */
static sw_str without_module(sw_str text)
{
	size_t end = 0, begin = 0;
	while (end < text.length && (isalnum((unsigned char)text.at[end]) || strchr("_.", text.at[end]))) {
		begin = text.at[end] == '.' ? end + 1 : begin;
		end++;
	}
	bool call = end < text.length && text.at[end] == '(';
	return call ? (sw_str){text.at + begin, text.length - begin} : text;
}

/* RS(1)P, RRR, P(sum)R; `P(` with a name, None or nothing is JAX */
static bool is_short_placements(sw_str text)
{
	size_t i = 0;
	while (i < text.length && strchr("RSP", text.at[i]))
		i++;
	bool name = i < text.length && !strchr("(_", text.at[i]);
	bool partial = sw_str_starts(text, "P(") && !sw_str_holds(text, "'") && !sw_str_holds(text, "None") &&
		!sw_str_holds(text, "\"") && !sw_str_starts(text, "P()") && !sw_str_holds(text, "UNCONSTRAINED");
	return sw_str_starts(text, "MaskP(") ||
		(i > 0 && !name && (i > 1 || *text.at == 'R' || partial || (i == text.length)));
}

/* S01R, RS1 */
static bool is_alpa(sw_str text)
{
	bool some = false;
	for (size_t i = 0; i < text.length; i++) {
		bool digit = text.at[i] >= '0' && text.at[i] <= '9';
		if (!digit && text.at[i] != 'R' && text.at[i] != 'S')
			return false;
		if (digit && (i == 0 || text.at[i - 1] == 'R'))
			return false;
		some = some || digit;
	}
	return some;
}

/* ---- lists ---- */

static int depth_of(char c)
{
	return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/* The next item of a list that starts at `at`, without blanks; *at goes behind its comma. */
static sw_str list_item(sw_str text, size_t *at)
{
	size_t begin = *at, end;
	int depth = 0;
	for (end = begin; end < text.length; end++) {
		char c = text.at[end];
		if (depth == 0 && (c == ',' || c == ')' || c == ']'))
			break;
		depth += depth_of(c);
	}
	*at = end < text.length && text.at[end] == ',' ? end + 1 : text.length;
	return sw_str_trim((sw_str){text.at + begin, end - begin});
}

static bool is_placement(sw_str item)
{
	static const char *const words[] = {"Shard(", "Replicate", "Partial", "_StridedShard(", "_MaskPartial",
		"_NormPartial", "S(", "_S(", "P("};
	sw_str call = without_module(item);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (sw_str_starts(call, words[i]))
			return true;
	return sw_str_is(item, "R") || sw_str_is(item, "P");
}

static bool is_sbp(sw_str item)
{
	return sw_str_is(item, "B") || sw_str_starts(item, "flow.sbp") || sw_str_starts(item, "oneflow.sbp") ||
		sw_str_starts(item, "sbp.");
}

/* S0, S01 */
static bool is_numbered(sw_str item)
{
	for (size_t i = 1; i < item.length; i++)
		if (!isdigit((unsigned char)item.at[i]))
			return false;
	return item.length > 1 && *item.at == 'S';
}

/* 'x', None, ('x', 'y') */
static bool is_entry(sw_str item)
{
	char first = item.length ? *item.at == '(' ? byte_after(item, 1) : *item.at : '\0';
	return first == '\'' || first == '"' || sw_str_is(item, "None");
}

/* What tells a list in round or square brackets from those of other notations, by one of its items. */
static const struct {
	sw_notation notation;
	bool (*is)(sw_str item);
} lists[] = {
	{SW_NOTATION_SBP, is_sbp},
	{SW_NOTATION_COLOSSAL, is_numbered},
	{SW_NOTATION_DTENSOR, is_placement},
	{SW_NOTATION_ENTRIES, is_entry},
};

/* Types of the paper, of which there are many: every item begins with a number, as in none of the others. */
static bool has_sizes_alone(sw_str text)
{
	for (size_t at = 1; at < text.length;) {
		sw_str item = list_item(text, &at);

		if (item.length == 0 || !isdigit((unsigned char)*item.at))
			return false;
	}
	return true;
}

/* The notation of a list, whose rows above count more; the paper's: none of these. */
static sw_notation guess_list(sw_str text)
{
	if (has_sizes_alone(text))
		return SW_NOTATION_PAPER;
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (size_t at = 1; at < text.length;)
			if (lists[i].is(list_item(text, &at)))
				return lists[i].notation;
	return SW_NOTATION_PAPER;
}

/* Block-cyclic layouts, by name, or as pairs of Elemental. */
static bool is_cyclic(sw_str text)
{
	static const char *const elemental[] = {"[MC", "[MR", "[VC", "[VR", "[*,", "[STAR", "[MD", "[CIRC"};
	bool cyclic = sw_str_holds(text, "block-cyclic");
	for (size_t i = 0; i < sizeof(elemental) / sizeof(*elemental); i++)
		cyclic = cyclic || sw_str_starts(text, elemental[i]);
	return cyclic;
}

/* f32[8,4]{V:x}, {U:x}, {R:x}, {x,y} */
static bool is_typeof(sw_str text)
{
	for (size_t i = 0; i + 2 < text.length; i++)
		if (text.at[i] == ']' && text.at[i + 1] == '{' &&
			(isalpha((unsigned char)text.at[i + 2]) || text.at[i + 2] == '_'))
			return true;
	return false;
}

/* A[I_X, J]: a name, a bracket, and a letter in it */
static bool is_book(sw_str text)
{
	size_t i = 0;
	while (i < text.length && text.at[i] != '[')
		i++;
	sw_str name = {text.at, i};
	char first = i < text.length ? byte_after(text, i + 1) : '\0';
	bool letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || (first & 0x80);
	return sw_scan_is_bare(name) && letter;
}

/* ---- what a copy brings along ---- */

/* Attributes and keywords before an equals sign. */
static const char *const labels[] = {"sharding", "mhlo.sharding", "sdy.sharding", "spec", "in_shardings",
	"out_shardings", "src_mesh", "dst_mesh", "device_mesh"};

static sw_str without_label(sw_str text)
{
	bool labelled = text.length && memchr(text.at, '=', text.length);
	for (size_t i = 0; labelled && i < sizeof(labels) / sizeof(*labels); i++) {
		size_t at = strlen(labels[i]);
		if (!sw_str_starts(text, labels[i]))
			continue;
		while (at < text.length && (text.at[at] == ' ' || text.at[at] == '\t'))
			at++;
		if (at < text.length && text.at[at] == '=')
			return (sw_str){text.at + at + 1, text.length - at - 1};
	}
	return text;
}

static sw_str without_quotes(sw_str text)
{
	char quote = text.length > 1 ? *text.at : '\0';
	bool quoted = (quote == '"' || quote == '\'') && text.at[text.length - 1] == quote;
	sw_str inner = sw_str_inner(text);
	return quoted && !memchr(inner.at, quote, inner.length) ? inner : text;
}

static sw_str without_comma(sw_str text)
{
	bool comma = text.length > 1 && strchr(",;", text.at[text.length - 1]);
	return comma ? (sw_str){text.at, text.length - 1} : text;
}

static sw_str bare(sw_str text)
{
	size_t before;
	do {
		before = text.length;
		text = without_quotes(without_label(without_comma(sw_str_trim(text))));
	} while (text.length < before);
	return text;
}

/* A tuple of numbers alone names axes of torch_xla. */
static sw_notation guess_round(sw_str text)
{
	sw_notation list = guess_list(text);
	char first = byte_after(text, 1), inner = first == '(' ? byte_after(text, 2) : first;
	if (list == SW_NOTATION_PAPER)
		return isdigit((unsigned char)inner) ? SW_NOTATION_ENTRIES : SW_NOTATION_DTENSOR;
	return list;
}

static sw_notation guess_square(sw_str text)
{
	if (sw_str_holds(text, "<="))
		return SW_NOTATION_GROUPS;
	if (sw_str_holds(text, "]T("))
		return SW_NOTATION_HLO;
	if (byte_after(text, 1) == '{' && (sw_str_ends(text, "}]") || sw_str_holds(text, "}p")))
		return SW_NOTATION_SHARDY;
	return guess_list(text);
}

/* A line of a module, about the value that it begins with. */
static sw_notation guess_value(sw_str text)
{
	if (sw_str_holds(text, "shard.sharding"))
		return SW_NOTATION_MLIR;
	return sw_str_holds(text, "sdy.") || sw_str_holds(text, "<@") ? SW_NOTATION_SHARDY : SW_NOTATION_PAPER;
}

/* `8@x` of jax.typeof; inside of braces `x@1` is the first device of a type of the language. */
static bool holds_sharded_size(sw_str text)
{
	size_t braces = 0;
	for (size_t i = 0; i < text.length; i++) {
		braces += text.at[i] == '{';
		braces -= text.at[i] == '}' && braces > 0;
		if (text.at[i] == '@' && braces == 0)
			return true;
	}
	return false;
}

/* A name and a bracket. */
static sw_notation guess_array(sw_str text)
{
	if (sw_str_holds(text, "[") && (holds_sharded_size(text) || (is_typeof(text) && !is_book(text))))
		return SW_NOTATION_JAX_TYPE;
	return is_book(text) ? SW_NOTATION_BOOK : SW_NOTATION_PAPER;
}

/* ---- notations with words ---- */

bool sw_notation_has_words(sw_notation notation)
{
	return notation >= SW_NOTATION_SCALAPACK && notation <= SW_NOTATION_DISTAL;
}

/* `DESC =`, `int desca[9] =`, DESCINIT(...) */
static bool is_descriptor(sw_str text)
{
	static const char *const begins[] = {"DESC", "desc", "int desc", "CALL DESCINIT", "call descinit",
		"INTEGER DESC"};
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (sw_str_starts(text, begins[i]) && !sw_notation_is_gemr2d(text))
			return sw_str_holds(text, "(") || sw_str_holds(text, "[") || sw_str_holds(text, "{") ||
				sw_str_holds(text, "/");
	return false;
}

/* `X dmapped ...`, `blockDist.createDomain(...)` */
static bool is_chapel(sw_str text)
{
	return sw_str_holds(text, "dmapped ") || sw_str_holds(text, "Dist.createDomain(") ||
		sw_str_holds(text, "Dist.createArray(");
}

static bool is_hpf(sw_str text)
{
	return sw_str_holds(text, "DISTRIBUTE ") || sw_str_holds(text, "!HPF$") || sw_str_holds(text, "!hpf$");
}

static bool is_local_sizes(sw_str text)
{
	static const char *const begins[] = {"local sizes ", "local rows ", "ownership ranges ", "PETSc ", "PetscLayout ",
		"Tpetra", "PETSC_DECIDE"};
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (sw_str_starts(text, begins[i]))
			return true;
	return false;
}

static bool is_costa(sw_str text)
{
	return sw_str_starts(text, "rowsplit");
}

static bool is_called(sw_str text)
{
	bool moves;
	return sw_notation_call(text, &moves).length > 0;
}

static bool is_distal(sw_str text)
{
	sw_str sizes, places;
	return sw_distal_is(text, &sizes, &places);
}

static const struct {
	sw_notation notation;
	bool (*is)(sw_str text);
} with_words[] = {
	{SW_NOTATION_SCALAPACK, is_descriptor},
	{SW_NOTATION_CHAPEL, is_chapel},
	{SW_NOTATION_HPF, is_hpf},
	{SW_NOTATION_LOCAL_SIZES, is_local_sizes},
	{SW_NOTATION_COSTA, is_costa},
	{SW_NOTATION_DISTAL, is_distal},
};

sw_notation sw_notation_guess(sw_str text)
{
	text = bare(text);
	if (text.length == 0)
		return SW_NOTATION_PAPER;
	for (size_t i = 0; i < sizeof(with_words) / sizeof(*with_words); i++)
		if (with_words[i].is(text))
			return with_words[i].notation;
	if (sw_is_rewritten(text))
		return SW_NOTATION_HLO;
	if (is_called(text))
		return SW_NOTATION_DTENSOR;
	if (*text.at == '[' && isdigit((unsigned char)byte_after(text, 1)))
		return guess_square(text);
	if (is_alpa(text))
		return SW_NOTATION_ALPA;
	if (is_cyclic(text))
		return SW_NOTATION_SPLIT; /* where it is refused */
	if (is_short_placements(text) && !sw_str_starts(text, "Pencil"))
		return SW_NOTATION_DTENSOR;
	sw_str spelled[] = {without_module(text), text};
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
			if (sw_str_starts(spelled[k], beginnings[i].with))
				return beginnings[i].notation;
	if (sw_str_starts(text, "P("))
		return SW_NOTATION_JAX;
	switch (*text.at) {
	case '(':
		return guess_round(text);
	case '[':
		return guess_square(text);
	case '{':
		return guess_brace(text);
	case '%':
		return guess_value(text);
	default:
		return guess_array(text);
	}
}

/* f32[3{x}12, 12], [12], f32[] */
static bool is_type(sw_str text)
{
	size_t i = 0;
	while (i < text.length && (isalnum((unsigned char)text.at[i]) || strchr("_ \t", text.at[i])))
		i++;
	char first = i < text.length && text.at[i] == '[' ? byte_after(text, i + 1) : '?';
	return isdigit((unsigned char)first) || (first && strchr("]{-", first)) || first == '\0' ||
		(i == 0 && first != '?');
}

/* ---- words that stand for a sharding ---- */

static void hint_taken(const sw_sharding *s, sw_notation notation, sw_diag *diag)
{
	const char *called = words[notation].called, *example = words[notation].example;
	for (size_t i = 0; i < sizeof(called_with_mesh) / sizeof(*called_with_mesh); i++)
		if (s->kind == SW_SHARDING_MESH && called_with_mesh[i].notation == notation) {
			called = called_with_mesh[i].mesh;
			example = called_with_mesh[i].example;
		}
	sw_diag_hint(diag, "it was read as %s, such as %s", called, example);
}

/* People write "replicated on ..." where a system would print something. */
static bool is_replicated(sw_str text)
{
	return sw_str_starts(text, "replicated") || sw_str_starts(text, "(no sharding");
}

bool sw_notation_known(sw_str text)
{
	text = sw_str_trim(text);
	return is_type(bare(text)) || is_replicated(text) || sw_notation_guess(text) != SW_NOTATION_PAPER;
}

/* Arguments of a redistribution from one mesh to another. */
static bool has_two_meshes(sw_str text)
{
	return sw_str_holds(text, "src_mesh") && sw_str_holds(text, "dst_mesh");
}

static bool refuse_two_meshes(sw_str text, sw_diag *diag)
{
	sw_diag_set(diag, SW_N05, (sw_span){0, text.length}, "there are two meshes: each sharding must name its own");
	sw_diag_expected(diag, "A ~> B with a mesh in each");
	return false;
}

bool sw_notation_refuse(sw_str text, sw_diag *diag)
{
	if (has_two_meshes(text))
		return refuse_two_meshes(text, diag);
	sw_diag_set(diag, SW_N08, (sw_span){0, text.length}, "'%.*s' is not in a known notation",
		(int)(text.length < 60 ? text.length : 60), text.at);
	sw_diag_expected(diag, "a type, such as [3{x}12, 12], or a sharding of another system");
	sw_diag_hint(diag, "`explain N08` lists the notations, with an example of each");
	return false;
}

static bool refuse_cyclic(sw_str text, sw_diag *diag)
{
	sw_diag_set(diag, SW_N02, (sw_span){0, text.length},
		"block-cyclic layouts deal many small blocks to each device");
	sw_diag_expected(diag, "one block of every dimension on each device");
	sw_diag_hint(diag,
		"write a type with rounds: [2{r,..}9, 3{c,..}9] deals blocks of 2 x 3; or a descriptor of ScaLAPACK");
	return false;
}

/* What follows a sharding in people's notes: `(...)`, or `= {...}`, the same once more. */
static bool read_note(sw_reader *reader, sw_diag *diag)
{
	if (sw_read_sees(reader, "(") && reader->out->notation == SW_NOTATION_SHARDY) {
		sw_span open = sw_scan_next_span(&reader->scan);
		reader->scan.at++;
		sw_py_value(&reader->scan);
		while (sw_scan_take(&reader->scan, ','))
			sw_py_value(&reader->scan);
		return sw_scan_expect(&reader->scan, ')', "')'", open);
	}
	if (reader->out->notation == SW_NOTATION_PAPER || !sw_scan_take(&reader->scan, '='))
		return true;
	sw_scan_peek(&reader->scan);
	size_t at = reader->scan.at;
	sw_sharding *again = SW_NEW(reader->arena, sw_sharding, 1);
	int64_t first;
	if (!again)
		return sw_diag_memory(diag);
	sw_str rest = {reader->scan.text.at + at, reader->scan.text.length - at};
	if (!sw_sharding_parse(rest, reader->context, reader->arena, again, diag)) {
		sw_diag_shift(diag, at);
		return false;
	}
	reader->scan.at = reader->scan.text.length;
	int64_t differ = sw_sharding_differ(reader->out, again, reader->arena, &first, diag);
	if (differ > 0)
		return sw_diag_set(diag, SW_N05, (sw_span){at, at + rest.length},
			"this is a different sharding: "
			"%" PRId64 " devices hold other tiles, device %" PRId64 " first",
			differ, first);
	return differ == 0;
}

/* Room for a text that is read, which is given back. */
typedef struct reading {
	sw_reader reader;
	sw_sharding out;
} reading;

static bool parse_in(reading *room, sw_notation notation, sw_str text, const sw_notation_context *context,
	sw_arena *arena, sw_diag *diag)
{
	sw_reader *reader = &room->reader;
	sw_sharding *out = &room->out;
	sw_str trimmed = sw_str_trim(text);
	if (is_cyclic(trimmed))
		return refuse_cyclic(text, diag);
	*reader = (sw_reader){.scan = {text, 0, SW_N01, diag}, .arena = arena, .context = context, .out = out};
	if (is_replicated(trimmed)) {
		out->notation = SW_NOTATION_HLO;
		out->extends = true;
		sw_read_known_mesh(reader);
	} else if (!rows[notation].read(reader) || !read_note(reader, diag) ||
		!sw_scan_finish(&reader->scan, "sharding")) {
		if (diag->at.end == 0)
			diag->at = (sw_span){0, text.length};
		if (!*diag->hint)
			hint_taken(out, notation, diag);
		return false;
	}
	if (out->kind == SW_SHARDING_TILED && out->mesh.devices == 0 && !out->named)
		sw_read_known_mesh(reader);
	return true;
}

/* `S1R`, `[S1, R]`: no letter has two numbers. */
static bool has_one_number(sw_str text)
{
	for (size_t i = 1; i < text.length; i++)
		if (isdigit((unsigned char)text.at[i]) && isdigit((unsigned char)text.at[i - 1]))
			return false;
	return true;
}

/* Both are possible: what is said of the one that was not taken. */
static void note_placed(reading *room, sw_str text, const reading *placed, sw_arena *work)
{
	sw_text other = {0};
	int64_t first;
	bool differ = sw_sharding_differ(&room->out, &placed->out, work, &first, NULL) != 0;
	if (differ && sw_sharding_print(&placed->out, SW_NOTATION_DTENSOR, work, &other, NULL))
		sw_read_note(&room->reader,
			"'%.*s' has a letter for each dimension of the array; with one for each dimension of the mesh, as DTensor "
			"prints placements, it would be %s",
			(int)text.length, text.at, sw_text_get(&other));
	sw_text_free(&other);
}

/* Letters of Alpa and Colossal-AI are one for each dimension of the array; those that DTensor prints, `S1R` for `S(1)R`, one for each of
 * the mesh.  They are that where only that is possible. */
static bool parse_letters(reading *room, sw_notation notation, sw_str text, const sw_notation_context *context,
	sw_arena *arena, sw_arena *work, sw_diag *diag)
{
	sw_diag own = {.code = SW_OK}, none = {.code = SW_OK};
	int rank = context && context->rank > 0 ? context->rank : 0;
	reading *placed = SW_NEW_ZERO(work, reading, 1);
	if (!placed)
		return sw_diag_memory(diag);
	bool read = parse_in(room, notation, text, context, arena, &own);
	bool possible = has_one_number(text) && parse_in(placed, SW_NOTATION_DTENSOR, text, context, arena, &none);
	if (possible && (!rank || placed->out.rank <= rank)) {
		if (read && (!rank || rank == room->out.rank) && !(context && context->placements)) {
			room->out.two_ways = true;
			note_placed(room, text, placed, work);
			return true;
		}
		sw_read_note(&placed->reader,
			"'%.*s' has a letter for each dimension of the mesh, as DTensor prints placements", (int)text.length,
			text.at);
		room->out = placed->out;
		return true;
	}
	if (!read) {
		*diag = own;
		sw_diag_hint(diag,
			"it was read as %s, such as %s; DTensor's placements, such as S(1)R or S1R, are one for each dimension "
			"of the mesh",
			words[notation].called, words[notation].example);
	}
	return read;
}

bool sw_sharding_settles(const sw_sharding *letters, const sw_sharding *other)
{
	return letters->two_ways && other->notation == SW_NOTATION_DTENSOR && other->kind == SW_SHARDING_TILED &&
		other->first[other->rank] > 0;
}

static bool parse_bare(sw_str text, const sw_notation_context *context, sw_arena *arena, sw_sharding *sharding,
	sw_diag *diag)
{
	sw_diag own;
	sw_arena *work = sw_arena_new();
	reading *room = work ? SW_NEW_ZERO(work, reading, 1) : NULL;
	sw_notation notation = sw_notation_guess(text);
	diag = diag ? diag : &own;
	bool ok = !room ? sw_diag_memory(diag) :
		notation == SW_NOTATION_ALPA || notation == SW_NOTATION_COLOSSAL ?
					  parse_letters(room, notation, text, context, arena, work, diag) :
					  parse_in(room, notation, text, context, arena, diag);
	if (ok)
		*sharding = room->out;
	sw_arena_free(work);
	return ok;
}

/* `{4,8,4}`, the grid of a decomposition; *devices gets the product.  false: it is none, or too large for one. */
static bool read_grid(sw_str text, int64_t *devices)
{
	bool digits = false;
	*devices = 1;
	if (text.length < 2 || *text.at != '{' || text.at[text.length - 1] != '}')
		return false;
	for (size_t i = 1, begin = 1; i < text.length; i++) {
		char c = text.at[i];
		int64_t size;
		digits |= c >= '0' && c <= '9';
		if (c != ',' && c != '}') {
			if (!(c >= '0' && c <= '9') && c != ' ')
				return false;
			continue;
		}
		if (!sw_read_int(sw_str_trim((sw_str){text.at + begin, i - begin}), &size, NULL) || size < 1 ||
			!sw_mul(*devices, size, devices) || *devices > SW_MAX_DEVICES)
			return false;
		begin = i + 1;
	}
	return digits;
}

/* A grid cuts each dimension by its own number, as XLA writes with its devices in their order. */
static bool parse_grid(sw_str text, int64_t devices, const sw_notation_context *context, sw_arena *arena,
	sw_sharding *sharding, sw_diag *diag)
{
	sw_text hlo = {0};
	sw_text_addf(&hlo, "{devices=[%.*s]<=[%" PRId64 "]}", (int)text.length - 2, text.at + 1, devices);
	bool ok = parse_bare((sw_str){sw_text_get(&hlo), hlo.length}, context, arena, sharding, diag);
	sw_text_free(&hlo);
	sharding->grid = ok;
	if (!ok && diag)
		diag->at = (sw_span){0, text.length};
	return ok;
}

bool sw_sharding_parse(sw_str text, const sw_notation_context *context, sw_arena *arena, sw_sharding *sharding,
	sw_diag *diag)
{
	sw_str inner = bare(text);
	if (!inner.length)
		inner = text;
	if (has_two_meshes(text))
		return refuse_two_meshes(text, diag);
	if (inner.length && !sw_notation_known(inner))
		return sw_notation_refuse(text, diag);
	int64_t devices;
	if ((read_grid(inner, &devices) && parse_grid(inner, devices, context, arena, sharding, diag)) ||
		parse_bare(inner, context, arena, sharding, diag)) {
		sharding->pads = context && context->pads;
		return true;
	}
	if (diag && diag->at.end > 0)
		sw_diag_shift(diag, (size_t)(inner.at - text.at));
	return false;
}

/* ---- printing ---- */

bool sw_print_refuse(sw_diag *diag, sw_notation notation, const char *why)
{
	sw_diag_set(diag, SW_N02, (sw_span){0, 0}, "%s cannot express this: %s", words[notation].called, why);
	return false;
}

void sw_print_rows(const sw_mesh *mesh, const int64_t *ids, int axis, int64_t at, sw_text *text)
{
	assert(axis >= 0 && axis <= mesh->count);
	if (axis == mesh->count) {
		sw_text_addf(text, "%" PRId64, ids[at]);
		return;
	}
	for (int64_t i = 0; i < mesh->axis[axis].size; i++) {
		sw_text_add(text, i ? ", " : "[");
		sw_print_rows(mesh, ids, axis + 1, at + i * mesh->axis[axis].stride, text);
	}
	sw_text_add(text, "]");
}

/* What notations have words for, beside tiles. */
#define SAYS_XLA (1u << SW_NOTATION_HLO | 1u << SW_NOTATION_HLO_LIST | 1u << SW_NOTATION_HLO_NAMED)
static const struct {
	unsigned notations;
	const char *why_not;
} states_said[] = {
	[SW_SUBGROUP_MANUAL] = {SAYS_XLA, "it cannot express manual axes"},
	[SW_SUBGROUP_COMBINED] = {1u << SW_NOTATION_DTENSOR, "it cannot express combinations other than sums"},
	[SW_SUBGROUP_UNREDUCED] = {SAYS_XLA | 1u << SW_NOTATION_PAPER | 1u << SW_NOTATION_SHARDY | 1u << SW_NOTATION_JAX |
			1u << SW_NOTATION_JAX_TYPE | 1u << SW_NOTATION_DTENSOR | 1u << SW_NOTATION_SBP | 1u << SW_NOTATION_BOOK,
		"it cannot express partial sums"},
	[SW_SUBGROUP_MAXIMAL] = {SAYS_XLA, "it cannot express devices that hold nothing"},
};

/* Notations with a word for every axis of the mesh. */
#define OVER_MESH \
	(1u << SW_NOTATION_HLO_NAMED | 1u << SW_NOTATION_DTENSOR | 1u << SW_NOTATION_SBP | 1u << SW_NOTATION_LAYOUT)

static const char *print_why_not(const sw_sharding *s, sw_notation notation)
{
	if (s->kind == SW_SHARDING_MESH && s->mesh.count == 0 && notation != SW_NOTATION_SHARDY)
		return "a mesh has axes there";
	if (s->kind == SW_SHARDING_TILED && s->mesh.count == 0 && (OVER_MESH >> notation & 1) && s->notation != notation)
		return "the text names no mesh";
	for (int g = 0; g < s->subgroups && s->kind == SW_SHARDING_TILED; g++)
		if (states_said[s->subgroup[g]].why_not && !(states_said[s->subgroup[g]].notations >> notation & 1) &&
			sw_subgroup_first(s, g) < sw_subgroup_first(s, g + 1))
			return states_said[s->subgroup[g]].why_not;
	return NULL;
}

bool sw_sharding_print(const sw_sharding *sharding, sw_notation notation, sw_arena *arena, sw_text *text,
	sw_diag *diag)
{
	sw_text own = {0};
	if (sharding->kind == SW_SHARDING_WORDS && notation == SW_NOTATION_PAPER) {
		sw_text_add_str(text, sharding->words);
		return true;
	}
	const char *why_not = print_why_not(sharding, notation);
	if (why_not)
		return sw_print_refuse(diag, notation, why_not);
	bool ok = rows[notation].print(sharding, arena, &own, diag);
	if (ok)
		sw_text_add_str(text, (sw_str){sw_text_get(&own), own.length});
	sw_text_free(&own);
	return ok;
}

bool sw_sharding_print_mesh(const sw_sharding *sharding, sw_notation notation, sw_arena *arena, sw_text *text,
	sw_diag *diag)
{
	return !rows[notation].mesh || sharding->mesh.count == 0 || rows[notation].mesh(sharding, arena, text, diag);
}

/* ---- words ---- */

/* Parts of a sum are no copies: only devices that hold the same part are. */
static void explain_sum(const sw_sharding *s, int64_t tiles, sw_text *text)
{
	int64_t parts = sw_sharding_summands(s), copies = s->mesh.devices / tiles / parts;
	if (tiles == 1)
		sw_text_addf(text, "every device holds a term of a sum of %" PRId64 " whole arrays", parts);
	else
		sw_text_addf(text, "%" PRId64 " devices, terms of a sum of %" PRId64 " for each tile", s->mesh.devices,
			parts);
	if (copies > 1)
		sw_text_addf(text, ", %" PRId64 " copies of each term\n", copies);
	else
		sw_text_add(text, ", one copy of each term\n");
}

/* A PartitionSpec lists dimensions; others name only those that they cut. */
static void explain_rank(const sw_sharding *s, sw_text *text)
{
	bool lists = s->notation == SW_NOTATION_JAX || s->notation == SW_NOTATION_ENTRIES;
	if (s->kind != SW_SHARDING_TILED || !s->extends || s->has_shape || (lists && s->rank > 0))
		return;
	if (s->rank == 0)
		sw_text_add(text, "the number of dimensions is unknown: none is partitioned\n");
	else
		sw_text_addf(text, "the number of dimensions is unknown: %d assumed, more would be whole\n", s->rank);
}

static void explain_cuts(const sw_sharding *s, int d, sw_text *text)
{
	sw_text_addf(text, "dimension %d in %" PRId64 " parts", d, sw_sharding_cuts(s, d));
	for (int i = s->first[d]; i < s->first[d + 1]; i++) {
		sw_text_add(text, i > s->first[d] ? ", then " : " over ");
		sw_part_print(&s->mesh, s->parts[i], text);
	}
	sw_text_add(text, "\n");
}

/* Dimensions about which the compiler has a say. */
static bool explain_open(const sw_sharding *s, sw_text *text)
{
	bool any = false;
	for (int d = 0; d < s->rank; d++) {
		if (!(s->open >> d & 1))
			continue;
		any = true;
		sw_text_addf(text, "dimension %d is open: the compiler may cut it%s\n", d,
			s->first[d] < s->first[d + 1] ? " further" : "");
	}
	return any;
}

static void explain_tiles(const sw_sharding *s, sw_text *text)
{
	int64_t tiles = 1, devices = s->mesh.devices;
	for (int d = 0; d < s->rank; d++) {
		int64_t cuts = sw_sharding_cuts(s, d);
		tiles *= cuts;
		if (cuts > 1)
			explain_cuts(s, d, text);
	}
	bool open = explain_open(s, text);
	if (sw_sharding_summands(s) > 1)
		explain_sum(s, tiles, text);
	else if (tiles == 1)
		sw_text_add(text,
			open ? "as long as it does not, every device holds the whole array\n" :
				   "every device holds the whole array\n");
	else if (devices > tiles)
		sw_text_addf(text, "%" PRId64 " devices, %" PRId64 " copies of each tile\n", devices, devices / tiles);
	else
		sw_text_addf(text, "%" PRId64 " devices, one copy of each tile\n", devices);
}

static void explain_states(const sw_sharding *s, sw_text *text)
{
	static const char *const states[] = {
		[SW_SUBGROUP_REPLICATED] = NULL,
		[SW_SUBGROUP_MANUAL] = "run in manual mode: each may hold something different",
		[SW_SUBGROUP_UNREDUCED] = "hold terms of a sum",
		[SW_SUBGROUP_MAXIMAL] = "hold nothing, except one",
		[SW_SUBGROUP_COMBINED] = "hold values that are combined by something other than a sum",
	};
	for (int g = 0; g < s->subgroups; g++) {
		int64_t size = 1;
		for (int i = sw_subgroup_first(s, g); i < sw_subgroup_first(s, g + 1); i++)
			size *= s->parts[i].size;
		if (states[s->subgroup[g]] && size > 1)
			sw_text_addf(text, "groups of %" PRId64 " devices %s\n", size, states[s->subgroup[g]]);
	}
}

/* A type with axes is said over the grid that has them, so that it can be pasted where the mesh is another one. */
static void explain_words(const sw_sharding *s, sw_text *text)
{
	const char *end = memchr(s->words.at, ']', s->words.length);
	bool axes = end && memchr(s->words.at, '{', (size_t)(end - s->words.at));
	sw_text_addf(text, "%" PRId64 " devices; the equivalent type: ", s->mesh.devices);
	if (axes && s->notation != SW_NOTATION_PAPER)
		sw_words_print_over(s->words, &s->mesh, text);
	else
		sw_text_add_str(text, s->words);
	sw_text_add_char(text, '\n');
}

static void explain_kind(const sw_sharding *s, sw_text *text)
{
	switch (s->kind) {
	case SW_SHARDING_TILED:
		explain_tiles(s, text);
		explain_states(s, text);
		break;
	case SW_SHARDING_MAXIMAL:
		sw_text_addf(text, "device %" PRId64 " holds the whole array, and the others nothing\n", s->device);
		break;
	case SW_SHARDING_MANUAL:
		sw_text_add(text, "inside manual code: the program decides what each device holds\n");
		break;
	case SW_SHARDING_UNKNOWN:
		sw_text_add(text, "the compiler does not know\n");
		break;
	case SW_SHARDING_UNREDUCED:
		sw_text_add(text, "every device holds a term of a sum\n");
		break;
	case SW_SHARDING_TUPLE:
		sw_text_addf(text, "%d shardings, one for each value\n", s->count);
		break;
	case SW_SHARDING_MESH:
		if (s->mesh.count)
			sw_text_addf(text, "a mesh of %" PRId64 " devices\n", s->mesh.devices);
		else if (s->count)
			sw_text_addf(text, "a mesh of one device, number %" PRId64 "\n", s->device);
		else
			sw_text_add(text, "a mesh without axes, over all devices\n");
		break;
	case SW_SHARDING_GROUPS:
		sw_text_addf(text,
			s->count ? "%d groups of devices; the member number in a group is the rank there\n" :
					   "one group of all devices\n",
			s->count);
		break;
	case SW_SHARDING_PAIRS:
		sw_text_addf(text, "%d devices send; a device that is not a target ends with zeros\n", s->count);
		break;
	case SW_SHARDING_WORDS:
		explain_words(s, text);
	}
}

void sw_sharding_explain(const sw_sharding *sharding, sw_text *text)
{
	sw_text_addf(text, "read as %s\n", sw_sharding_called(sharding));
	if (sharding->assumed_iota)
		sw_text_add(text, "it names no devices: 0, 1, 2, ... in the order of the tiles are assumed\n");
	explain_rank(sharding, text);
	explain_kind(sharding, text);
	sw_text_add(text, sharding->note ? sharding->note : "");
	if (sharding->mesh.order && sharding->named)
		sw_text_add(text, "the mesh has another order of devices: it is kept as a list\n");
	else if (sharding->mesh.order)
		sw_text_add(text, "the devices are not in the order of a mesh: their order is kept as a list\n");
}
