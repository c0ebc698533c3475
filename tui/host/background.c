/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The background of the terminal, as it tells.
 */
#include "host/background.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum shade { SHADE_UNKNOWN, SHADE_DARK, SHADE_LIGHT };

static struct {
	bool asked;
	enum shade heard;
} background;

/* "15;0", "0;default;15": the last number is that of the background, one of sixteen colours. */
static enum shade shade_of_variable(void)
{
	const char *value = getenv("COLORFGBG"), *last = value ? strrchr(value, ';') : NULL;
	char *end;
	if (!last)
		return SHADE_UNKNOWN;
	long color = strtol(last + 1, &end, 10);
	if (end == last + 1 || *end || color < 0 || color > 15)
		return SHADE_UNKNOWN;
	return color == 7 || color > 8 ? SHADE_LIGHT : SHADE_DARK;
}

bool background_is_light(void)
{
	return (background.heard ? background.heard : shade_of_variable()) == SHADE_LIGHT;
}

/* Those that know OSC, and leave nothing on the screen where they do not know this one. */
static bool answers(const char *term)
{
	static const char *const names[] = {"xterm", "screen", "tmux", "rxvt", "alacritty", "foot", "konsole", "vte",
		"gnome", "st-", "wezterm", "contour", "kitty"};
	for (size_t i = 0; term && i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(term, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

void background_ask(void)
{
	if (background.asked || shade_of_variable() || !answers(getenv("TERM")))
		return;
	background.asked = true;
	fputs("\033]11;?\033\\", stdout);
	fflush(stdout);
}

bool background_awaited(void)
{
	return background.asked && !background.heard;
}

/* "ff", "ffff": hexadecimal digits as a share of the largest number of so many. */
static bool read_share(const char **at, double *share)
{
	size_t digits = strspn(*at, "0123456789abcdefABCDEF");
	if (digits < 1 || digits > 4)
		return false;
	*share = (double)strtol(*at, NULL, 16) / (double)((1 << 4 * digits) - 1);
	*at += digits;
	return true;
}

bool background_heard(const char *answer)
{
	static const char head[] = "11;rgb";
	const char *at = strchr(answer, ':');
	double red, green, blue;
	if (strncmp(answer, head, strlen(head)) != 0 || !at++ || !read_share(&at, &red) || *at++ != '/' ||
		!read_share(&at, &green) || *at++ != '/' || !read_share(&at, &blue))
		return false;
	background.heard = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? SHADE_LIGHT : SHADE_DARK;
	return true;
}

bool background_read(int (*next)(void))
{
	char answer[64];
	size_t length = 0;
	int byte = next();
	while (byte >= 0 && byte != '\a' && byte != '\033' && length + 1 < sizeof(answer)) {
		answer[length++] = (char)byte;
		byte = next();
	}
	if (byte == '\033')
		next(); /* its backslash */
	answer[length] = '\0';
	return background_heard(answer);
}
