/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command info: version, files, programs, what this machine can do, and the settings.
 */
#include "answer/console.h"
#include "command/command.h"
#include "host/paths.h"
#include "host/version.h"
#include "host/programs.h"
#include "session/calibration.h"

static void print_calibration(const struct invocation *run, sw_text *text)
{
	struct calibration calibration;
	sw_text warning = {0};
	calibration_load(run->arena, &calibration, &warning);
	if (warning.length)
		answer_remark(run->session, "%s", sw_text_get(&warning));
	calibration_print(&calibration, text);
	sw_text_free(&warning);
}

bool command_info(struct invocation *run, sw_diag *diag)
{
	sw_text text = {0};
	const struct console *console = run->session->console;
	version_print(&text);
	paths_print(&text);
	programs_print(&text);
	print_calibration(run, &text);
	sw_text_addf(&text, "terminal: %d columns, %d colours, %s\n\n", console->width, console->style.colors,
		console->style.ascii ? "ASCII" : "Unicode");
	document_lines(run->answer, &text);
	struct invocation settings = *run;
	settings.count = 0;
	return command_set(&settings, diag);
}
