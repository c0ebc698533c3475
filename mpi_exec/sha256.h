/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SHA-256, so that a result says which plan file it belongs to.
 */
#ifndef EX_SHA256_H
#define EX_SHA256_H

#include <stddef.h>

/* The digest of `length` bytes as 64 hexadecimal digits. */
void ex_sha256(const char *data, size_t length, char hex[65]);

#endif
