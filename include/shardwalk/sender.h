/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules by which one of several holders sends, as relations (relation.h) and steps have them.
 */
#ifndef SHARDWALK_SENDER_H
#define SHARDWALK_SENDER_H

#pragma GCC visibility push(default)

/* Who sends an element that several devices hold; one that holds it itself needs no other. */
typedef enum sw_sender_rule {
	SW_SENDER_LOWEST,
	SW_SENDER_BALANCED,
	SW_SENDER_NEAREST,
	SW_SENDER_RULE_COUNT
} sw_sender_rule;

/* "lowest", "balanced", "nearest"; and what the rule says. */
const char *sw_sender_rule_name(sw_sender_rule rule);
const char *sw_sender_rule_text(sw_sender_rule rule);

#pragma GCC visibility pop

#endif
