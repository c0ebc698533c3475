/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The version, which the Makefile says.
 */
#include "version.h"

#ifndef SW_VERSION
#define SW_VERSION "unknown"
#endif
#ifndef SW_FLAGS
#define SW_FLAGS ""
#endif

const char *const ex_version = SW_VERSION;
const char *const ex_flags = SW_FLAGS;
