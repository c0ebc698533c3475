/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of the table of formats that write pictures and reports (struct export_format).
 */
#ifndef SHARDWALK_COMMAND_FORMATS_H
#define SHARDWALK_COMMAND_FORMATS_H

#include "command/export.h"

bool export_svg(const struct invocation *run, const struct export_format *format, const sw_plan *plan, sw_text *text,
	sw_diag *diag);
bool export_dot(const struct invocation *run, const struct export_format *format, const sw_plan *plan, sw_text *text,
	sw_diag *diag);
bool export_markdown(const struct invocation *run, const struct export_format *format, const sw_plan *plan,
	sw_text *text, sw_diag *diag);
bool export_html(const struct invocation *run, const struct export_format *format, const sw_plan *plan, sw_text *text,
	sw_diag *diag);

#endif
