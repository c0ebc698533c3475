/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The screens: pictures above, the prompt below, one grammar.
 *
 * The prompt of the program and the prompt under the picture are one: shell/prompt.h takes the lines of both.
 */
#ifndef SHARDWALK_SCREEN_SCREEN_H
#define SHARDWALK_SCREEN_SCREEN_H

#include <stdbool.h>

#include <shardwalk/diag.h>

#include "command/command.h"
#include "session/session.h"
#include "shell/prompt.h"

/* Shows the picture until it is left (`q`, or session->leaving), and gives the terminal back.  Lines typed there are
 * the prompt's.  The prompt calls it when session->picture is set; it clears that.  false: there can be no picture
 * here, E03. */
bool screen_run(struct prompt *prompt, sw_diag *diag);

/* Can there be a picture on this terminal?  E03 says why not. */
bool screen_possible(const struct session *session, sw_diag *diag);

/* Ctrl-X A at the prompt opens the picture.  Once, before the first line is edited. */
void screen_bind_toggle(struct session *session);

/* Lets the terminal be given back when the program crashes; then come version, command and where it was. */
void screen_guard(const struct session *session);

/* Adds the statements that make its layout, its focus and its bindings again; nothing where it was never used. */
void screen_print(const struct session *session, sw_text *text);

/* Forgets the picture, its settings and bindings. */
void screen_free(struct session *session);

/* Layouts, the screens' views, and names of actions, NULL after the last. */
choice_function layout_choice, pane_choice;
const char *screen_action_name(int n);

/* The picture as the prompt opens it. */
extern const struct prompt_picture screen_picture;

command_function command_tui, command_layout, command_focus, command_bind;

#endif
