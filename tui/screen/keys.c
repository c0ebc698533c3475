/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of keys, and what `bind` said.
 */
#include "screen/keys.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
	int key;
	const char *name;
} key_names[] = {
#define X(id, name) {KEY_NAME_##id, name},
	NAMED_KEYS(X)
#undef X
		{KEY_TAB, "Tab"},
	{KEY_ENTERED, "Enter"},
	{KEY_ESC, "Esc"},
	{KEY_SPACE, "Space"},
};
#define NAMES (int)(sizeof(key_names) / sizeof(*key_names))

static void utf8_add(sw_text *text, int code)
{
	if (code < 0x80) {
		sw_text_add_char(text, (char)code);
		return;
	}
	int tail = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	static const int lead[] = {0, 0xc0, 0xe0, 0xf0};
	sw_text_add_char(text, (char)(lead[tail] | code >> 6 * tail));
	while (tail--)
		sw_text_add_char(text, (char)(0x80 | (code >> 6 * tail & 0x3f)));
}

void key_print(int key, sw_text *text)
{
	for (int i = 0; i < NAMES; i++) {
		if (key_names[i].key == key) {
			sw_text_add(text, key_names[i].name);
			return;
		}
	}
	if (key < 32)
		sw_text_addf(text, "C-%c", key + '`');
	else
		utf8_add(text, key);
}

/* The code point of a name that is a single character. */
static int single(sw_str name)
{
	unsigned char first = name.length ? (unsigned char)*name.at : 0;
	size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	static const unsigned char keep[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	if (name.length != length)
		return -1;
	int code = first & keep[length];
	for (size_t i = 1; i < length; i++)
		code = code << 6 | ((unsigned char)name.at[i] & 0x3f);
	return code > 32 ? code : -1;
}

int key_named(sw_str name)
{
	for (int i = 0; i < NAMES; i++)
		if (strlen(key_names[i].name) == name.length && strncasecmp(name.at, key_names[i].name, name.length) == 0)
			return key_names[i].key;
	bool control = name.length == 3 && (*name.at == 'C' || *name.at == 'c') && name.at[1] == '-';
	if (control && name.at[2] >= '@' && name.at[2] <= 'z')
		return KEY_CONTROL(name.at[2]);
	return single(name);
}

bool binding_set(struct bindings *bindings, int key, sw_str line)
{
	int i = 0;
	while (i < bindings->count && bindings->row[i].key != key)
		i++;
	if (i == BINDINGS_MOST || line.length >= sizeof(bindings->row[i].line))
		return false;
	bindings->count += i == bindings->count;
	bindings->row[i].key = key;
	snprintf(bindings->row[i].line, sizeof(bindings->row[i].line), "%.*s", (int)line.length, line.at);
	return true;
}

const struct binding *binding_of(const struct bindings *bindings, int key)
{
	for (int i = 0; i < bindings->count; i++)
		if (bindings->row[i].key == key)
			return &bindings->row[i];
	return NULL;
}
