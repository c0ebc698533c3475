/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a row of the table of formats is, and the functions of those that write pictures and reports.
 */
#ifndef SHARDWALK_COMMAND_FORMATS_H
#define SHARDWALK_COMMAND_FORMATS_H

#include "command/command.h"

/* What a format writes: identifier, what a message calls it. */
#define EXPORT_SUBJECTS(X) \
	X(PLAN, "a plan") \
	X(WALK, "a walk") \
	X(VIEW, "a view") \
	X(SCHEDULE, "a schedule") \
	X(SESSION, "the session")

enum export_subject {
#define X(id, called) EXPORTS_##id,
	EXPORT_SUBJECTS(X)
#undef X
		EXPORTS_END
};

/* `plan` is the one that the third argument names, with its groups, where the subject is a plan; else NULL, and the
 * function reads the third argument for itself. */
struct export_format {
	const char *name;
	const char *about; /* one sentence, lower case, no full stop */
	enum export_subject subject;
	bool (*write)(const struct invocation *run, const struct export_format *format, const sw_plan *plan,
		sw_text *text, sw_diag *diag);
	bool any_option; /* all that the command has; else these */
	struct option_set options;
};
bool export_svg(const struct invocation *run, const struct export_format *format, const sw_plan *plan, sw_text *text,
	sw_diag *diag);
bool export_dot(const struct invocation *run, const struct export_format *format, const sw_plan *plan, sw_text *text,
	sw_diag *diag);
bool export_markdown(const struct invocation *run, const struct export_format *format, const sw_plan *plan,
	sw_text *text, sw_diag *diag);
bool export_html(const struct invocation *run, const struct export_format *format, const sw_plan *plan, sw_text *text,
	sw_diag *diag);

#endif
