/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The version, which the Makefile says.
 */
#include <shardwalk/json.h>

#ifndef SW_VERSION
#define SW_VERSION "unknown"
#endif

const char *sw_written_by(void)
{
	return "shardwalk " SW_VERSION;
}
