/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The film as a file: a still as SVG, an animated page, or an asciicast.
 */
#ifndef SHARDWALK_COMMAND_EXPORT_FILM_H
#define SHARDWALK_COMMAND_EXPORT_FILM_H

#include "command/export/formats.h"

/* Adds what the end of the name asks for: .svg, .html or .cast; `-` is a still.  The page and the cast need no other file.  Errors: L02 for
 * another end, S08 above the moments that a file has, those of `film`. */
bool export_film(const struct invocation *run, const struct export_format *format, const sw_plan *plan, sw_text *text,
	sw_diag *diag);

#endif
