/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ncurses: taking the terminal and giving it back, cells and keys.
 *
 * newterm, not initscr, which ends the process where TERM is unknown.  ncurses never sees a change of the window's
 * size, since the program hears SIGWINCH itself: the size is asked for.  LINES and COLS are not: setupterm, which is
 * called for what the terminal can, sets them to what the environment says, whatever the windows of curses have.
 * What a crash must undo is written by crash.c, without curses.
 */
#define _GNU_SOURCE
#include "screen/terminal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include <curses.h>
#include <term.h>

#include "host/background.h"
#include "screen/crash.h"

#define ESCAPE_MILLISECONDS 25
#define TOGGLE_MILLISECONDS 600
#define PASTE_KEY 0x7000
#define PASTED_KEY 0x7001 /* where a paste ends */
#define PAIRS_MOST 1400   /* any two grounds in a cell, and the roles */

static struct {
	SCREEN *screen;
	bool open, mouse;
	int pair_count;
	struct {
		short foreground, background;
	} pair[PAIRS_MOST];
} terminal;

/* ---- can it? ---- */

static bool refuse(sw_diag *diag, const char *why, const char *what)
{
	sw_diag_set(diag, SW_E03, (sw_span){0, 0}, why, what);
	sw_diag_hint(diag, "`show` prints the same pictures; the prompt continues");
	return false;
}

bool terminal_possible(sw_diag *diag)
{
	int error = 0;
	const char *term = getenv("TERM");
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return refuse(diag, "there is no terminal%s", "");
	if (!term || !*term)
		return refuse(diag, "TERM is not set, so the abilities of the terminal are unknown%s", "");
	TERMINAL *before = cur_term;
	if (setupterm(NULL, STDOUT_FILENO, &error) != OK)
		return refuse(diag, "the terminal '%.40s' is unknown (TERM)", term);
	char *address = tigetstr("cup");
	bool can = address && address != (char *)-1;
	del_curterm(cur_term);
	set_curterm(before);
	return can || refuse(diag, "the terminal '%.40s' cannot position its cursor (TERM)", term);
}

/* ---- taking and giving back ---- */

/* What terminals send for keys that TERM does not name, or names otherwise: under another TERM than their own, say. */
static const struct {
	const char *sequence;
	int key;
} other_keys[] = {{"[A", KEY_UP}, {"OA", KEY_UP}, {"[B", KEY_DOWN}, {"OB", KEY_DOWN}, {"[C", KEY_RIGHT},
	{"OC", KEY_RIGHT}, {"[D", KEY_LEFT}, {"OD", KEY_LEFT}, {"[H", KEY_HOME}, {"OH", KEY_HOME}, {"[1~", KEY_HOME},
	{"[7~", KEY_HOME}, {"[F", KEY_END}, {"OF", KEY_END}, {"[4~", KEY_END}, {"[8~", KEY_END}, {"[5~", KEY_PPAGE},
	{"[6~", KEY_NPAGE}, {"[2~", KEY_IC}, {"[3~", KEY_DC}, {"[Z", KEY_BTAB}, {"OM", KEY_ENTER}, {"OP", KEY_F(1)},
	{"[11~", KEY_F(1)}, {"[[A", KEY_F(1)}, {"OQ", KEY_F(2)}, {"[12~", KEY_F(2)}, {"[[B", KEY_F(2)}, {"OR", KEY_F(3)},
	{"[13~", KEY_F(3)}, {"[[C", KEY_F(3)}, {"OS", KEY_F(4)}, {"[14~", KEY_F(4)}, {"[[D", KEY_F(4)},
	{"[15~", KEY_F(5)}, {"[[E", KEY_F(5)}, {"[17~", KEY_F(6)}, {"[18~", KEY_F(7)}, {"[19~", KEY_F(8)},
	{"[20~", KEY_F(9)}, {"[21~", KEY_F(10)}, {"[23~", KEY_F(11)}, {"[24~", KEY_F(12)}};

static void define_others(void)
{
	for (size_t i = 0; i < sizeof(other_keys) / sizeof(*other_keys); i++) {
		char sequence[8];
		snprintf(sequence, sizeof(sequence), "\033%s", other_keys[i].sequence);
		if (key_defined(sequence) == 0)
			define_key(sequence, other_keys[i].key);
	}
}

static void terminal_modes(void)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	define_key("\033[200~", PASTE_KEY);
	define_key("\033[201~", PASTED_KEY);
	keyok(KEY_MOUSE, terminal.mouse);
	putp("\033[?2004h");
	fflush(stdout);
}

bool terminal_open(sw_diag *diag)
{
	if (!terminal_possible(diag))
		return false;
	if (!terminal.screen) {
		terminal.screen = newterm(NULL, stdout, stdin);
		if (!terminal.screen)
			return refuse(diag, "this terminal cannot show a picture%s", "");
		set_escdelay(ESCAPE_MILLISECONDS);
		if (has_colors()) {
			start_color();
			use_default_colors();
		}
		define_others();
	}
	terminal_modes();
	crash_take(true);
	terminal.open = true;
	return true;
}

/* A terminal that has one screen keeps the picture, without the bar of keys in its last row. */
static void drop_keys(void)
{
	const char *back = tigetstr("rmcup");
	if (back && back != (const char *)-1 && *back)
		return;
	move(LINES - 1, 0);
	clrtoeol();
	refresh();
}

void terminal_close(void)
{
	if (!terminal.open)
		return;
	terminal.open = false;
	drop_keys();
	putp("\033[?2004l");
	curs_set(1);
	endwin();
	crash_take(false);
}

void terminal_release(bool released)
{
	if (released && terminal.open) {
		putp("\033[?2004l");
		curs_set(1);
		endwin();
		crash_take(false);
	} else if (terminal.open) {
		refresh();
		terminal_modes();
		crash_take(true);
	}
}

void terminal_measure(int *width, int *height)
{
	struct winsize size;
	bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col;
	if (known && is_term_resized(size.ws_row, size.ws_col))
		resizeterm(size.ws_row, size.ws_col);
	getmaxyx(stdscr, *height, *width);
}

/* ---- cells ---- */

static short pair_of(int foreground, int background)
{
	for (int i = 0; i < terminal.pair_count; i++)
		if (terminal.pair[i].foreground == foreground && terminal.pair[i].background == background)
			return (short)(i + 1);
	if (terminal.pair_count == PAIRS_MOST || terminal.pair_count + 1 >= COLOR_PAIRS)
		return 0;
	terminal.pair[terminal.pair_count].foreground = (short)foreground;
	terminal.pair[terminal.pair_count].background = (short)background;
	terminal.pair_count++;
	init_pair((short)terminal.pair_count, (short)foreground, (short)background);
	return (short)terminal.pair_count;
}

static attr_t attributes_of(struct canvas_look look, short *pair)
{
	bool colored = look.foreground >= 0 || look.background >= 0;
	*pair = colored && has_colors() ? pair_of(look.foreground, look.background) : 0;
	return (look.bold ? A_BOLD : 0) | (look.faint ? A_DIM : 0) | (look.underline ? A_UNDERLINE : 0) |
		(look.reverse ? A_REVERSE : 0);
}

static void paint_cell(const struct canvas *canvas, int x, int y, const struct canvas_style *style)
{
	const struct cell *cell = canvas_cell_at(canvas, x, y);
	wchar_t text[3] = {(wchar_t)canvas_glyph_at(canvas, x, y, style->ascii), 0, 0};
	cchar_t sign;
	short pair;
	if (cell->glyph == CELL_RIGHT_HALF && !style->ascii)
		return;
	if (cell->mark && !style->ascii)
		text[1] = (wchar_t)cell->mark;
	attr_t attributes = attributes_of(canvas_look_at(canvas, x, y, style), &pair);
	if (setcchar(&sign, text, attributes, pair, NULL) == OK)
		mvadd_wch(y, x, &sign);
}

void terminal_paint(const struct canvas *canvas, const struct canvas_style *style, struct cursor cursor, bool anew)
{
	if (anew)
		clear();
	else
		erase();
	int width, height;
	getmaxyx(stdscr, height, width);
	for (int y = 0; y < canvas->height && y < height; y++)
		for (int x = 0; x < canvas->width && x < width; x++)
			paint_cell(canvas, x, y, style);
	curs_set(cursor.shown);
	if (cursor.shown)
		move(cursor.y, cursor.x < width ? cursor.x : width - 1);
	refresh();
}

/* ---- keys ---- */

static const struct {
	int curses, ours;
} key_pairs[] = {{KEY_UP, KEY_NAME_UP}, {KEY_DOWN, KEY_NAME_DOWN}, {KEY_LEFT, KEY_NAME_LEFT},
	{KEY_RIGHT, KEY_NAME_RIGHT}, {KEY_PPAGE, KEY_NAME_PAGE_UP}, {KEY_NPAGE, KEY_NAME_PAGE_DOWN},
	{KEY_HOME, KEY_NAME_HOME}, {KEY_FIND, KEY_NAME_HOME}, {KEY_END, KEY_NAME_END}, {KEY_SELECT, KEY_NAME_END},
	{KEY_BACKSPACE, KEY_NAME_BACKSPACE}, {KEY_DC, KEY_NAME_DELETE}, {KEY_IC, KEY_NAME_INSERT},
	{KEY_BTAB, KEY_NAME_BACKTAB}, {KEY_ENTER, KEY_ENTERED}, {KEY_SUSPEND, KEY_CONTROL('z')},
	{KEY_CANCEL, KEY_CONTROL('c')}, {KEY_REFRESH, KEY_CONTROL('l')}, {KEY_HELP, KEY_NAME_F1}, {PASTE_KEY, KEY_PASTED},
	{PASTED_KEY, KEY_PASTE_END}};

static int key_clicked(int *x, int *y)
{
	MEVENT event;
	if (getmouse(&event) != OK)
		return -1;
	*x = event.x;
	*y = event.y;
	if (event.bstate & BUTTON4_PRESSED)
		return KEY_NAME_WHEEL_UP;
	if (event.bstate & BUTTON5_PRESSED)
		return KEY_NAME_WHEEL_DOWN;
	return KEY_CLICKED;
}

static int key_named_by_curses(int key, int *x, int *y)
{
	if (key == KEY_MOUSE)
		return key_clicked(x, y);
	if (key >= KEY_F(1) && key <= KEY_F(12))
		return KEY_NAME_F1 + key - KEY_F(1);
	for (size_t i = 0; i < sizeof(key_pairs) / sizeof(*key_pairs); i++)
		if (key_pairs[i].curses == key)
			return key_pairs[i].ours;
	return -1;
}

/* The next key is a key of its own. */
static void put_back(int kind, wint_t key)
{
	if (kind == KEY_CODE_YES)
		ungetch((int)key);
	else if (kind == OK)
		unget_wch((wchar_t)key);
}

/* Ctrl-X A is one key. */
static int key_after_toggle(void)
{
	struct pollfd wait = {STDIN_FILENO, POLLIN, 0};
	wint_t next;
	int kind = get_wch(&next);
	if (kind == ERR && poll(&wait, 1, TOGGLE_MILLISECONDS) > 0)
		kind = get_wch(&next);
	if (kind == OK && (next == 'a' || next == 'A' || next == KEY_CONTROL('a')))
		return KEY_NAME_TOGGLE;
	put_back(kind, next);
	return KEY_CONTROL('x');
}

/* The next byte of an answer of the terminal, as a key; -1: none comes. */
static int next_answered(void)
{
	struct pollfd wait = {STDIN_FILENO, POLLIN, 0};
	wint_t next;
	for (int i = 0; i < 2; i++) {
		if (get_wch(&next) == OK)
			return (int)next;
		if (poll(&wait, 1, TOGGLE_MILLISECONDS) < 1)
			break;
	}
	return -1;
}

/* Behind Esc ]: the answer that is waited for, which begins with a digit; else these are keys. */
static bool read_answer(void)
{
	int first = background_awaited() ? next_answered() : -1;
	if (first >= 0)
		unget_wch((wchar_t)first);
	if (first < '0' || first > '9')
		return false;
	background_read(next_answered);
	return true;
}

/* ---- sequences without a name ---- */

/* The next byte that is there already, or comes at once; -1: none does. */
static int next_of_sequence(void)
{
	struct pollfd wait = {STDIN_FILENO, POLLIN, 0};
	wint_t next;
	int kind = get_wch(&next);
	if (kind == ERR && poll(&wait, 1, ESCAPE_MILLISECONDS) > 0)
		kind = get_wch(&next);
	if (kind == KEY_CODE_YES)
		put_back(kind, next);
	return kind == OK ? (int)next : -1;
}

bool sequence_control(sequence_next *next)
{
	int byte = next();
	if (byte < 0)
		return false;
	bool mouse = byte == 'M'; /* three bytes follow: button, column, row */
	while (byte >= 0x20 && byte < 0x40)
		byte = next();
	for (int i = 0; mouse && i < 3; i++)
		(void)next();
	return true;
}

void sequence_text(sequence_next *next)
{
	int byte = next();
	while (byte >= 0 && byte != '\a' && byte != KEY_ESC)
		byte = next();
	if (byte == KEY_ESC)
		(void)next();
}

/* Behind Esc: swallows what a terminal may send, and nobody has typed; false: `first` was typed. */
static bool swallow(int first)
{
	if (first == '[')
		return sequence_control(next_of_sequence);
	int second = strchr("O]P_^X", first) ? next_of_sequence() : -1;
	bool text = first != 'O' && second >= '0' && second <= '9';
	if (text)
		sequence_text(next_of_sequence);
	else if (second >= 0 && first != 'O')
		put_back(OK, (wint_t)second);
	return text || (first == 'O' && second >= 0);
}

/* Esc; or what begins like it, and is an answer of the terminal, or means nothing here: KEY_NOTHING. */
static int key_escape(void)
{
	wint_t next;
	int kind = get_wch(&next);
	if (kind == OK && next == ']' && read_answer())
		return KEY_TOLD;
	if (kind == OK && next < 0x80 && swallow((int)next))
		return KEY_NOTHING;
	put_back(kind, next);
	return KEY_ESC;
}

int terminal_key(int *x, int *y)
{
	wint_t key;
	int kind, named;
	while ((kind = get_wch(&key)) == KEY_CODE_YES) /* what has no name here is no end of what waits */
		if ((named = key_named_by_curses((int)key, x, y)) >= 0)
			return named;
	if (kind != OK)
		return -1;
	if (key == '\r')
		return KEY_ENTERED;
	if (key == KEY_ESC)
		return key_escape();
	if (key == 127)
		return KEY_NAME_BACKSPACE;
	return key == KEY_CONTROL('x') ? key_after_toggle() : (int)key;
}

int terminal_byte(int milliseconds)
{
	struct pollfd wait = {STDIN_FILENO, POLLIN, 0};
	unsigned char byte;
	while (poll(&wait, 1, milliseconds) < 0 && errno == EINTR && milliseconds >= 0)
		continue;
	return wait.revents & POLLIN && read(STDIN_FILENO, &byte, 1) == 1 ? byte : -1;
}

/* A report of the mouse behind ESC [ M or ESC [ <: button, column and row, as bytes or as numbers. */
static bool read_report(int kind, int *button, int *x, int *y)
{
	int number[3] = {0}, byte = 0;
	for (int i = 0; i < 3 && byte >= 0; i++) {
		byte = terminal_byte(ESCAPE_MILLISECONDS);
		if (kind == 'M')
			number[i] = byte - 32;
		for (; kind == '<' && byte >= '0' && byte <= '9'; byte = terminal_byte(ESCAPE_MILLISECONDS))
			number[i] = number[i] < 10000 ? 10 * number[i] + byte - '0' : number[i];
	}
	*button = number[0];
	*x = number[1] - 1;
	*y = number[2] - 1;
	return byte >= 0 && byte != 'm';
}

int terminal_report(int kind, int *x, int *y)
{
	int button;
	if (!read_report(kind, &button, x, y) || !terminal.mouse)
		return -1;
	return button == 64 ? KEY_NAME_WHEEL_UP : button == 65 ? KEY_NAME_WHEEL_DOWN : button == 0 ? KEY_CLICKED : -1;
}

bool terminal_mouse(bool on)
{
	mmask_t asked = on ? BUTTON1_CLICKED | BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0;
	terminal.mouse = on;
	keyok(KEY_MOUSE, on);
	bool heard = mousemask(asked, NULL) != 0;
	mouseinterval(0);
	return heard || !on;
}

/* ---- the clipboard ---- */

void terminal_copy(const char *text, size_t length)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	sw_text out = {0};
	sw_text_add(&out, "\033]52;c;");
	for (size_t i = 0; i < length; i += 3) {
		unsigned long bits = 0;
		for (size_t k = 0; k < 3; k++)
			bits = bits << 8 | (i + k < length ? (unsigned char)text[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			sw_text_add_char(&out, i + k > length ? '=' : digits[bits >> (18 - 6 * k) & 63]);
	}
	sw_text_add_char(&out, '\a');
	fwrite(sw_text_get(&out), 1, out.length, stdout);
	fflush(stdout);
	sw_text_free(&out);
}
