/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys: their codes and names, what they are bound to.
 *
 * A character is its code point; what has none stands above them.
 */
#ifndef SHARDWALK_SCREEN_KEYS_H
#define SHARDWALK_SCREEN_KEYS_H

#include <stdbool.h>

#include <shardwalk/text.h>

/* Identifier, name. */
#define NAMED_KEYS(X) \
	X(UP, "Up") \
	X(DOWN, "Down") \
	X(LEFT, "Left") \
	X(RIGHT, "Right") \
	X(PAGE_UP, "PgUp") \
	X(PAGE_DOWN, "PgDn") \
	X(HOME, "Home") \
	X(END, "End") \
	X(BACKSPACE, "Backspace") \
	X(DELETE, "Delete") \
	X(INSERT, "Insert") \
	X(BACKTAB, "S-Tab") \
	X(F1, "F1") \
	X(F2, "F2") \
	X(F3, "F3") \
	X(F4, "F4") \
	X(F5, "F5") \
	X(F6, "F6") \
	X(F7, "F7") \
	X(F8, "F8") \
	X(F9, "F9") \
	X(F10, "F10") \
	X(F11, "F11") \
	X(F12, "F12") \
	X(TOGGLE, "C-x a") \
	X(WHEEL_UP, "WheelUp") \
	X(WHEEL_DOWN, "WheelDown")

enum key_code {
	KEY_TAB = 9,
	KEY_ENTERED = 10,
	KEY_ESC = 27,
	KEY_SPACE = 32,
	KEY_NAMED = 0x110000,
#define X(id, name) KEY_NAME_##id,
	NAMED_KEYS(X)
#undef X
		KEY_NAMED_END
};
#define KEY_CONTROL(letter) ((letter)&31)

/* Adds the name of a key: "a", "C-l", "Space", "PgDn". */
void key_print(int key, sw_text *text);

/* The key with this name, -1 where there is none. */
int key_named(sw_str name);

#define BINDINGS_MOST 128

/* What `bind` said: a key and the line that it runs, or the name of an action. */
struct binding {
	int key;
	char line[200];
};
struct bindings {
	int count;
	struct binding row[BINDINGS_MOST];
};

/* false: there are too many. */
bool binding_set(struct bindings *bindings, int key, sw_str line);
const struct binding *binding_of(const struct bindings *bindings, int key);

#endif
