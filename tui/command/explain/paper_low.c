/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Low-level steps drawn: the type, and which device is at which coordinate of the mesh, after each.
 */
#include "command/explain/paper.h"

#include <string.h>

#include <shardwalk/collective.h>
#include <shardwalk/number.h>

#define LOW_STEPS 8

/* "alltoall(0, 1, a2)", "allgather(0, y)", "dynslice(1, x)", "allpermute": the last argument names the axis. */
static bool read_low(const sw_mesh *mesh, sw_str text, sw_low_call *call, sw_diag *diag)
{
	const char *open = memchr(text.at, '(', text.length);
	sw_str name = {text.at, open ? (size_t)(open - text.at) : text.length};
	int64_t dims[2] = {-1, -1};
	int count = 0, axis = -1;
	*call = (sw_low_call){sw_op_named(name), -1, -1, -1};
	for (const char *at = open; at && *at != ')' && axis < 0;) {
		size_t length = strcspn(++at, ",)");
		sw_str word = sw_str_trim((sw_str){at, length});
		if (count == 2 || !sw_read_int(word, &dims[count], NULL))
			axis = sw_mesh_find(mesh, word);
		else
			count++;
		at += length;
	}
	call->axis = axis;
	call->from = call->op == SW_DYNSLICE ? -1 : (int)dims[0];
	call->to = call->op == SW_DYNSLICE ? (int)dims[0] : (int)dims[1];
	bool permutes = call->op == SW_ALLPERMUTE;
	return permutes || axis >= 0 || sw_diag_set(diag, SW_C01, (sw_span){0, 0}, "not a low-level step");
}

static int read_all(const sw_mesh *mesh, const char *text, sw_low_call calls[LOW_STEPS], sw_diag *diag)
{
	int count = 0;
	while (*text && count < LOW_STEPS) {
		size_t length = strcspn(text, ";");
		if (!read_low(mesh, sw_str_trim((sw_str){text, length}), &calls[count++], diag))
			return -1;
		text += length + (text[length] == ';');
	}
	return count;
}

static bool is_same_map(const int64_t *a, const int64_t *b, int64_t devices)
{
	return memcmp(a, b, sizeof *a * (size_t)devices) == 0;
}

static int draw_map(const sw_low_state *states, int k, int64_t devices, struct canvas *canvas, int y)
{
	sw_text text = {0};
	for (int64_t c = 0; c < devices; c++)
		sw_text_addf(&text, "%s%lld", c ? " " : "", (long long)states[k].at[c]);
	if (k && is_same_map(states[k].at, states[0].at, devices))
		sw_text_add(&text, ", the first again");
	canvas_putf(canvas, 4, y, ROLE_LABEL, k ? "phi %d" : "phi", k);
	y = canvas_put_wrapped(canvas, 11, y, canvas->width - 11, 0, ROLE_TEXT, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int draw_groups(const sw_low_state *state, int64_t devices, struct canvas *canvas, int y)
{
	sw_text text = {0};
	for (int64_t d = 0; d < devices; d++)
		sw_text_addf(&text, "%s%d%s",
			d % state->group_size ? " " :
				d                 ? " [" :
									"[",
			(int)state->groups[d], (d + 1) % state->group_size ? "" : "]");
	canvas_put(canvas, 4, y, ROLE_LABEL, "groups");
	y = canvas_put_wrapped(canvas, 11, y, canvas->width - 11, 0, ROLE_DIM, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

/* The k-th operation, as it stands in the row. */
static sw_str operation_at(const char *text, int k)
{
	for (; k > 0; k--)
		text += strcspn(text, ";") + 1;
	return sw_str_trim((sw_str){text, strcspn(text, ";")});
}

static int draw_state(const struct artefact *artefact, const sw_mesh *mesh, const sw_low_state *states, int k,
	struct canvas *canvas, int y)
{
	sw_text type = {0};
	sw_str operation = k ? operation_at(artefact->low, k - 1) : sw_str_of("start");
	sw_type_print(mesh, &states[k].type, false, &type);
	canvas_putf(canvas, 0, y, ROLE_DIM, "%2d", k);
	canvas_putf(canvas, 4, y, ROLE_OP, "%.*s", (int)operation.length, operation.at);
	canvas_put(canvas, 26, y++, ROLE_TEXT, sw_text_get(&type));
	sw_text_free(&type);
	if (states[k].group_size > 1)
		y = draw_groups(&states[k], mesh->devices, canvas, y);
	return draw_map(states, k, mesh->devices, canvas, y);
}

bool paper_low_draw(const struct artefact *artefact, const sw_mesh *mesh, sw_arena *arena, struct canvas *canvas,
	sw_diag *diag)
{
	sw_low_call calls[LOW_STEPS];
	sw_low_state states[LOW_STEPS + 1] = {0};
	sw_type start;
	int count = read_all(mesh, artefact->low, calls, diag), y = 0;
	if (count < 0 || !sw_type_parse(mesh, sw_str_of(artefact->start), &start, diag) ||
		!sw_low_walk(mesh, &start, calls, count, arena, states, diag))
		return false;
	for (int k = 0; k <= count; k++)
		y = draw_state(artefact, mesh, states, k, canvas, y);
	canvas_put(canvas, 0, y + 1, ROLE_DIM, "phi: the device at each coordinate, in the order of their numbers");
	canvas_put(canvas, 0, y + 2, ROLE_DIM,
		states[count].right ? "executed step by step: every device holds what it says" :
							  "executed: a device holds another tile");
	return true;
}
