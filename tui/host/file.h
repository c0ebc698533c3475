/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files: read whole, or written beside their place and moved there when they are complete.
 */
#ifndef SHARDWALK_HOST_FILE_H
#define SHARDWALK_HOST_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#define FILE_MOST_LINE ((size_t)64 << 20) /* bytes of one line */
#define FILE_MOST ((size_t)1 << 30)       /* bytes of a file that is read whole */

/* Opens a file for reading; "-" is standard input.  A file that begins with the mark of UTF-16 is read as UTF-8, and one
 * that gzip has packed as what was packed.  Error: B01 (also for folders). */
FILE *file_open(const char *name, sw_diag *diag);
void file_close(FILE *file);

/* Reads all of a file, unpacked where gzip has packed it.  Error: B01, E01. */
bool file_read(const char *name, sw_text *text, sw_diag *diag);

/* The same as UTF-8, whatever its encoding (see sw_text_decode); *zeros: bytes of it that are no text, or NULL. */
bool file_read_text(const char *name, sw_text *text, size_t *zeros, sw_diag *diag);

/* The same of a file that gzip has packed, where it is cut off or damaged what is before that: *broken gets why in words, else NULL.
 * Error: B01, also where nothing is before it; E01. */
bool file_read_before(const char *name, sw_text *text, size_t *zeros, const char **broken, sw_diag *diag);

/* What was read so far by other means, in the same way; `raw` is empty then.  Error: E01. */
bool file_decode(sw_text *raw, sw_text *text, size_t *zeros, sw_diag *diag);

/* Reads one line without its newline into *line, a buffer of *room bytes that grows; -1 at the end, -2 where the
 * line is longer than FILE_MOST_LINE or memory is short, -3 where reading failed or a signal came. */
long long file_line(FILE *file, char **line, size_t *room);

/* A name that is there and is no file, as a device or a pipe: it is written where it is. */
bool file_is_special(const char *name);

/* Writes a file: what was there before stays until all is written.  Error: B02. */
bool file_write(const char *name, const sw_text *text, sw_diag *diag);

#endif
