/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which executor this is.
 */
#ifndef EX_VERSION_H
#define EX_VERSION_H

/* "0.1.0", and the flags it was compiled with. */
extern const char *const ex_version;
extern const char *const ex_flags;

#endif
