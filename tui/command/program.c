/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's own options.
 */
#include "command/program.h"

const struct program_option_row program_options[PROGRAM_OPTION_COUNT] = {
#define X(id, letter, name, value, about) {letter, name, value, about},
	PROGRAM_OPTIONS(X)
#undef X
};

void program_option_print(int option, sw_text *text)
{
	const struct program_option_row *row = &program_options[option];
	if (row->letter)
		sw_text_addf(text, "-%c%s", row->letter, row->name ? ", " : "");
	if (row->name)
		sw_text_addf(text, "--%s", row->name);
	if (row->value)
		sw_text_addf(text, "%s%s", row->name ? "=" : " ", row->value);
}
