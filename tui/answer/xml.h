/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text for XML and HTML: what would be read as markup is escaped.
 */
#ifndef SHARDWALK_ANSWER_XML_H
#define SHARDWALK_ANSWER_XML_H

#include <stdint.h>

#include <shardwalk/text.h>

/* Adds a code point: as it is where that is safe, else as a reference, so that what is added is ASCII.  What
 * XML forbids becomes U+FFFD. */
void xml_add_code(sw_text *text, uint32_t code);

/* The same for UTF-8 text, in the content of an element or in an attribute in double quotes. */
void xml_add(sw_text *text, const char *words);
void xml_addf(sw_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
