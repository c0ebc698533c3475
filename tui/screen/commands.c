/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands of the screens: tui, layout, focus, bind.
 */
#include <string.h>

#include "screen/actions.h"
#include "screen/layout.h"
#include "screen/panes.h"
#include "screen/visit.h"

#define VIEWS_SAVED 16 /* that one may go back to */

bool command_tui(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	if (!screen_possible(session, diag))
		return false;
	if (!screen_of(session))
		return sw_diag_memory(diag);
	session->picture = true;
	return true;
}

bool command_layout(struct invocation *run, sw_diag *diag)
{
	struct screen *screen = screen_of(run->session);
	const struct word *word = argument(run, 0);
	if (!screen)
		return sw_diag_memory(diag);
	for (int i = 0; !word && i < layout_count; i++)
		document_line(run->answer, "%c %-8s %s", i == screen->viewpoint.layout ? '*' : ' ', layouts[i].name,
			layouts[i].about);
	if (!word)
		return true;
	screen_layout_set(screen, (int)argument_number(run, 0, 0));
	return true;
}

/* What --step, --device and --element say of a viewpoint. */
static bool read_viewpoint(const struct invocation *run, struct viewpoint *viewpoint, sw_diag *diag)
{
	const struct state *state = &run->session->state;
	int64_t step = viewpoint->step;
	int64_t steps = state->plan ? state->plan->plan.program.steps : 0,
			devices = state->has[DEFINED_MESH] ? state->mesh.devices : 1;
	if (!option_count(run, OPTION_STEP, 0, steps, &step, diag) ||
		!option_device(run, devices, &viewpoint->device, diag))
		return false;
	viewpoint->step = (int)step;
	if (!option_given(run, OPTION_ELEMENT))
		return true;
	viewpoint->has_element = session_need(run->session, DEFINED_FROM, diag) &&
		read_element_option(run, &state->from, viewpoint->element, diag);
	viewpoint->has_tile = option_given(run, OPTION_TILE) != NULL;
	viewpoint->tile = (int)option_number(run, OPTION_TILE, 0);
	return viewpoint->has_element;
}

bool command_focus(struct invocation *run, sw_diag *diag)
{
	struct screen *screen = screen_of(run->session);
	if (!screen)
		return sw_diag_memory(diag);
	struct viewpoint viewpoint = screen->viewpoint;
	if (!read_viewpoint(run, &viewpoint, diag))
		return false;
	screen_visit(screen, (int)argument_number(run, 0, 0));
	screen->viewpoint.step = viewpoint.step;
	screen->viewpoint.device = viewpoint.device;
	screen->viewpoint.has_element = viewpoint.has_element;
	screen->viewpoint.has_tile = viewpoint.has_tile;
	screen->viewpoint.tile = viewpoint.tile;
	memcpy(screen->viewpoint.element, viewpoint.element, sizeof(viewpoint.element));
	return true;
}

/* ---- bind ---- */

static void list_bindings(const struct invocation *run, const struct screen *screen)
{
	static const struct column columns[] = {COLUMN_LEFT("key", ROLE_OP), COLUMN_LEFT("does", ROLE_TEXT),
		COLUMN_LEFT("meaning", ROLE_TEXT), {0}};
	struct table *table = document_table(run->answer, columns);
	for (int i = 0; i < screen->bindings.count; i++) {
		sw_text key = {0};
		key_print(screen->bindings.row[i].key, &key);
		table_add_text(table, &key);
		table_add(table, "%s", screen->bindings.row[i].line);
		table_add(table, "bound by `bind`");
	}
	for (int i = 0; i < action_count; i++) {
		sw_text keys = {0};
		action_keys(screen, &actions[i], true, &keys);
		table_add_text(table, &keys);
		table_add(table, "%s", actions[i].name);
		table_add(table, "%s", actions[i].about);
	}
}

static void tell_binding(const struct invocation *run, const struct screen *screen, int key)
{
	const char *line;
	const struct action *action = action_of(screen, key, &line);
	document_line(run->answer, "%s", action ? action->name : line ? line : "nothing");
}

static bool refuse_key(const struct invocation *run, const struct word *word, sw_diag *diag)
{
	sw_diag_set(diag, SW_L08, line_span(run->position->text, word->raw), "there is no key '%.*s'",
		(int)(word->text.length < 40 ? word->text.length : 40), word->text.at);
	sw_diag_expected(diag, "a character, C-x for a control key, or a name such as PgDn, F2, Enter, Space");
	sw_diag_hint(diag, "`bind` lists the keys");
	return false;
}

/* `show tiles` is a command, so is its first word; else the name of an action, or none. */
static bool is_bindable(const struct invocation *run, sw_str line, sw_diag *diag)
{
	if (action_named(line) || sw_str_is(line, "none") || line_arrow(line).length)
		return true;
	if (command_named(line_first(line), diag))
		return true;
	sw_diag_hint(diag, "a command, the name of an action (`bind` lists them), or none");
	return refuse_at(run, line_first(line), diag);
}

bool command_bind(struct invocation *run, sw_diag *diag)
{
	struct screen *screen = screen_of(run->session);
	const struct word *word = argument(run, 0), *line = argument(run, 1);
	if (!screen)
		return sw_diag_memory(diag);
	if (!word) {
		list_bindings(run, screen);
		return true;
	}
	int key = key_named(word->text);
	if (key < 0)
		return refuse_key(run, word, diag);
	if (!line) {
		tell_binding(run, screen, key);
		return true;
	}
	if (!is_bindable(run, line->raw, diag))
		return false;
	if (binding_set(&screen->bindings, key, line->raw))
		return true;
	sw_diag_set(diag, SW_L12, line_span(run->position->text, word->raw),
		"too many keys are bound, or the command is too long");
	return false;
}

/* A layout is chosen where the view alone would not choose it. */
static void print_view(const struct session *session, const struct viewpoint *viewpoint,
	const struct viewpoint *before, sw_text *text)
{
	const struct state *state = &session->state;
	bool shown = before && layout_shows(&layouts[before->layout], viewpoint->view);
	int layout = !before ? -1 : shown ? before->layout : layout_of_view(viewpoint->view);
	if (layout != viewpoint->layout)
		sw_text_addf(text, "layout %s\n", layouts[viewpoint->layout].name);
	sw_text_addf(text, "focus %s", pane_rows[viewpoint->view].name);
	if (state->plan && !state->plan->plan.origin && viewpoint->step > 0 &&
		viewpoint->step <= state->plan->plan.program.steps)
		sw_text_addf(text, " --step %d", viewpoint->step);
	if (viewpoint->device >= 0 && state->has[DEFINED_MESH] && viewpoint->device < state->mesh.devices)
		sw_text_addf(text, " --device %lld", (long long)viewpoint->device);
	for (int i = 0; viewpoint->has_element && state->has[DEFINED_FROM] && i < state->from.rank; i++)
		sw_text_addf(text, "%s%lld", i ? "," : " --element ", (long long)viewpoint->element[i]);
	if (viewpoint->has_element && viewpoint->has_tile && state->has[DEFINED_FROM])
		sw_text_addf(text, " --tile %d", viewpoint->tile);
	sw_text_add_char(text, '\n');
}

/* The last views, the oldest first, and the present one. */
static void print_views(const struct screen *screen, sw_text *text)
{
	int first = screen->trail_at > VIEWS_SAVED ? screen->trail_at - VIEWS_SAVED : 0;
	for (int i = first; i < screen->trail_at; i++)
		print_view(screen->session, &screen->trail[i], i > first ? &screen->trail[i - 1] : NULL, text);
	print_view(screen->session, &screen->viewpoint,
		screen->trail_at > first ? &screen->trail[screen->trail_at - 1] : NULL, text);
}

void screen_print(const struct session *session, sw_text *text)
{
	const struct screen *screen = session->screen;
	if (!screen)
		return;
	for (int i = 0; i < screen->bindings.count; i++) {
		sw_text key = {0};
		key_print(screen->bindings.row[i].key, &key);
		sw_text_add(text, "bind ");
		line_print_word((sw_str){sw_text_get(&key), key.length}, text);
		sw_text_free(&key);
		sw_text_addf(text, " %s\n", screen->bindings.row[i].line);
	}
	print_views(screen, text);
}
