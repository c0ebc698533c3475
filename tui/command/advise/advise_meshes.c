/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `advise` between two meshes of different devices.
 *
 * One exchange is all that there is, and no compiler makes it.  jax.device_put goes from device to device where every tile of the
 * second end is one of the first; else through the memory of a host.  So the lines make the tiles the same first.
 */
#include "command/advise/advise_meshes.h"

#include <assert.h>

#include <shardwalk/number.h>

#include "answer/words.h"
#include "session/session.h"

struct between_meshes {
	sw_problem problem;
	sw_meshes_advice advice;
	sw_advise_target target;
};

bool advise_meshes_asked(const struct invocation *run)
{
	sw_problem problem;
	sw_diag ignored;
	return session_any_problem(run->session, &problem, &ignored) && sw_advise_between_meshes(&problem);
}

/* ---- in words ---- */

static void say_end(const struct between_meshes *of, int k, struct document *document)
{
	const sw_problem *problem = &of->problem;
	sw_text text = {0};
	sw_type_print_any(&problem->mesh, k ? &problem->to : &problem->from, k ? problem->to_words : problem->from_words,
		true, &text);
	document_line(document, "%s  %s: on %s", k ? "to      " : "from    ", sw_text_get(&text),
		words_plural(of->advice.end[k].devices, "device", "devices").text);
	sw_text_free(&text);
}

static void say_exchange(const struct between_meshes *of, struct document *document)
{
	struct words received = words_bytes(of->advice.received, of->problem.from.dtype);
	document_line(document, "both      %s of both ends", words_plural(of->advice.common, "device", "devices").text);
	document_line(document,
		"exchange  one, in which a device receives %s at most; no compiler generates "
		"it:",
		received.text);
	document_line(document, "          a program runs on one set of devices");
}

/* What the system does by itself, and why; the array goes through the memory of a host where `whole`. */
static const char *now_of(const struct between_meshes *of, const char **why, bool *whole)
{
	static const struct {
		const char *now, *why;
	} others[SW_ADVISE_COUNT] = {
		[SW_ADVISE_DTENSOR] = {"`redistribute` refuses another device mesh",
			"\"Cross device mesh comm not supported yet!\""},
		[SW_ADVISE_SHARDY] = {"no constraint names other devices",
			"a module has one set of devices "
			"throughout"},
	};
	*whole = of->target == SW_ADVISE_JAX && of->advice.way != SW_MESHES_PUT;
	*why = others[of->target].why;
	if (of->target != SW_ADVISE_JAX)
		return others[of->target].now;
	*why = *whole                      ? "some tile of the second end is not a tile of the first" :
		of->advice.end[0].devices == 1 ? "the only device of the first end cuts them" :
										 "every tile of the second end is a tile of the first";
	return *whole ? "`jax.device_put` copies the whole array to the host and cuts it there" :
					"`jax.device_put` copies tiles from device to device";
}

static void say_now(const struct between_meshes *of, struct document *document)
{
	const char *why;
	bool whole;
	const char *now = now_of(of, &why, &whole);
	document_line(document, "now       %s%s%s", now, whole ? ", " : "",
		whole ? words_bytes(of->advice.whole, of->problem.from.dtype).text : "");
	document_line(document, "          %s", why);
	if (of->target == SW_ADVISE_JAX)
		document_line(document, "          across processes it refuses other devices");
}

/* ---- lines for JAX ---- */

/* `(4, 1, 2)` without the dimensions that are whole, and the copies behind them; `('d0', 'copies',)`; `P('d0', None)`. */
static void add_mesh(const int64_t *cuts, const char *devices, int rank, sw_text *text)
{
	sw_text names = {0}, spec = {0};
	sw_text_addf(text, "mesh = Mesh(%s.reshape(", devices);
	for (int i = 0; i < rank; i++) {
		bool cut = cuts[i] > 1;
		if (cut) {
			sw_text_addf(text, "%lld, ", (long long)cuts[i]);
			sw_text_addf(&names, "'d%d', ", i);
			sw_text_addf(&spec, "%s'd%d'", i ? ", " : "", i);
		} else
			sw_text_addf(&spec, "%sNone", i ? ", " : "");
	}
	sw_text_addf(text, "-1), (%s'copies',))\ntiles = NamedSharding(mesh, P(%s))\n", sw_text_get(&names),
		sw_text_get(&spec));
	sw_text_free(&names);
	sw_text_free(&spec);
}

/* On the way to other tiles, where XLA would gather the whole array. */
static void add_stop(const struct between_meshes *of, const char *devices, int rank, sw_text *text)
{
	if (!of->advice.jit.stops)
		return;
	sw_text_add(text, "# tiles in between, so that XLA does not gather the whole array\n");
	add_mesh(of->advice.jit.cuts, devices, rank, text);
	sw_text_add(text, "x = jax.jit(lambda x: x, out_shardings=tiles)(x)\n");
}

static void add_jax(const struct between_meshes *of, sw_text *text)
{
	int rank = of->problem.from.rank;
	assert(of->advice.way < SW_MESHES_WAYS);
	if (of->advice.way == SW_MESHES_BEFORE) {
		add_stop(of, "x.sharding.mesh.devices", rank, text);
		sw_text_add(text, "# the tiles of `target` on the devices of x\n");
		add_mesh(of->advice.end[1].cuts, "x.sharding.mesh.devices", rank, text);
		sw_text_add(text, "x = jax.jit(lambda x: x, out_shardings=tiles)(x)\nx = jax.device_put(x, target)\n");
	} else if (of->advice.way == SW_MESHES_BEHIND) {
		sw_text_add(text, "# the tiles of x on the devices of `target`\n");
		add_mesh(of->advice.end[0].cuts, "target.mesh.devices", rank, text);
		sw_text_add(text, "x = jax.device_put(x, tiles)\n");
		add_stop(of, "target.mesh.devices", rank, text);
		sw_text_add(text, "x = jax.jit(lambda x: x, out_shardings=target)(x)\n");
	} else
		sw_text_add(text, "x = jax.device_put(x, target)\n");
}

static const char *const heads[SW_MESHES_WAYS] = {
	[SW_MESHES_PUT] = "Write in your program (`target` is the sharding of the second end):",
	[SW_MESHES_BEFORE] =
		"Write in your program, so that everything goes from device to device (`target` is the sharding of the "
		"second end):",
	[SW_MESHES_BEHIND] =
		"Write in your program, so that everything goes from device to device (`target` is the sharding of the "
		"second end):",
	[SW_MESHES_HOST] =
		"The host cannot be avoided: neither number of devices is a multiple of the other end's tiles. That is:",
};

static void add_code(const struct between_meshes *of, sw_text *code)
{
	if (of->target == SW_ADVISE_JAX)
		add_jax(of, code);
}

/* The lines, and what the jit in them moves. */
static void add_said(const struct between_meshes *of, sw_str code, sw_text *text)
{
	struct words bytes = words_bytes(sw_nearest(of->advice.jit.received), of->problem.from.dtype);
	sw_text_addf(text, "\n%s\n\n%.*s", heads[of->advice.way], (int)code.length, code.at);
	if (!of->advice.jit.known)
		return;
	if (of->advice.jit.warns && !of->advice.jit.stops)
		sw_text_addf(text,
			"\nThe jit gathers the whole array, %s a device, and XLA warns about it; no intermediate sharding "
			"avoids that.\n",
			bytes.text);
	else
		sw_text_addf(text, "\n%s %s to a device, and XLA does not warn%s\n",
			of->advice.jit.stops ? "Both jits together bring" : "The jit brings", bytes.text,
			of->advice.jit.stops ? ": in a single jit XLA would gather the whole array." : ".");
}

static void say_code(const struct between_meshes *of, sw_str code, struct document *document)
{
	sw_text text = {0};
	if (of->target == SW_ADVISE_JAX)
		add_said(of, code, &text);
	else
		sw_text_add(&text,
			"\nNo code in your program does this: `export mpi` writes the exchange, and `show traffic` lists "
			"its messages.\n");
	document_lines(document, &text);
}

/* ---- for programs ---- */

static void add_fields(const struct between_meshes *of, sw_str code, struct fields *in)
{
	static const char *const ways[SW_MESHES_WAYS] = {"put", "before", "behind", "host"};
	const sw_problem *problem = &of->problem;
	int bytes = sw_dtype_bytes(problem->from.dtype);
	const char *why;
	bool whole;
	const char *now = now_of(of, &why, &whole);
	field_text(in, "for", sw_advise_name(of->target));
	field_mesh(in, "mesh", &problem->mesh);
	field_ends(in, problem, true);
	struct fields *ends = field_list(in, "ends");
	for (int k = 0; k < 2; k++) {
		struct fields *end = field_object(ends, NULL);
		field_int(end, "devices", of->advice.end[k].devices);
		field_number(end, "most_bytes", (double)of->advice.end[k].most * bytes);
		field_int(end, "tiles", of->advice.end[k].tiles);
	}
	field_int(in, "common", of->advice.common);
	field_number(in, "received_bytes", (double)of->advice.received * bytes);
	field_number(in, "whole_bytes", (double)of->advice.whole * bytes);
	field_text(in, "now", now);
	field_text(in, "why", why);
	field_bool(in, "through_host", whole);
	field_text(in, "way", of->target == SW_ADVISE_JAX ? ways[of->advice.way] : NULL);
	if (of->target == SW_ADVISE_JAX && of->advice.jit.known) {
		struct fields *jit = field_object(in, "jit");
		field_bool(jit, "stops", of->advice.jit.stops);
		field_bool(jit, "warns", of->advice.jit.warns && !of->advice.jit.stops);
		field_number(jit, "received_bytes", of->advice.jit.received * bytes);
	}
	field_str(in, "code", code);
}

/* ---- the command ---- */

bool advise_meshes(struct invocation *run, sw_advise_target target, sw_diag *diag)
{
	struct between_meshes of = {.target = target};
	sw_text code = {0};
	assert((unsigned)target < SW_ADVISE_COUNT);
	if (!session_any_problem(run->session, &of.problem, diag) ||
		!sw_advise_meshes(&of.problem, run->arena, &of.advice, diag))
		return false;
	add_code(&of, &code);
	sw_str lines = {sw_text_get(&code), code.length};
	add_fields(&of, lines, document_fields(run->answer, "shardwalk.advice_meshes/1"));
	say_end(&of, 0, run->answer);
	say_end(&of, 1, run->answer);
	say_exchange(&of, run->answer);
	say_now(&of, run->answer);
	say_code(&of, lines, run->answer);
	bool ok = !code.failed || sw_diag_memory(diag);
	sw_text_free(&code);
	return ok;
}
