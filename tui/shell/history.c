/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The history: readline's list, and its file.
 */
#define _GNU_SOURCE
#include "shell/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "language/line.h"
#include "shell/edit.h"
#include "host/paths.h"
#include "host/safe.h"

#define ENTRY_MOST ((size_t)64 << 10) /* bytes of one entry that are kept */
#define TABLE_SIZE (4 * HISTORY_MOST)

static struct {
	sw_text path;
	int file;      /* to add to; -1: nothing is kept */
	int left_out;  /* entries that were no text */
	int from_file; /* entries that the file holds */
} kept = {.file = -1};

/* ---- the list ---- */

/* With the undos of an entry that was edited; those of the line stay. */
static void forget_entry(int i)
{
	UNDO_LIST *of_line = rl_undo_list;
	rl_undo_list = free_history_entry(remove_history(i));
	rl_free_undo_list();
	rl_undo_list = of_line;
}

static void forget_same(const char *entry)
{
	for (int i = history_length - 1; i >= 0; i--)
		if (strcmp(history_get(history_base + i)->line, entry) == 0)
			forget_entry(i);
}

static void bound_list(void)
{
	while (history_length > HISTORY_MOST)
		forget_entry(0);
}

/* Readline knows where it is in the list by a number: an open line begins anew, at the new end. */
static void list_add(const char *entry)
{
	edit_restart();
	forget_same(entry);
	add_history(entry);
	bound_list();
	using_history();
}

const char *history_entry(int n)
{
	return n >= 1 && n <= history_length ? history_get(history_base + history_length - n)->line : NULL;
}

/* ---- the file's text ---- */

/* Tabs join an entry's lines; a tab at the start of a line would say more than it is meant to. */
static void write_entry(const char *entry, sw_text *text)
{
	while (*entry == '\t' || *entry == ' ')
		entry++;
	for (; *entry; entry++) {
		sw_text_add_char(text, *entry);
		if (*entry == '\n')
			sw_text_add_char(text, '\t');
	}
	sw_text_add_char(text, '\n');
}

static bool is_fit(const char *entry, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)entry[i] < 32 && entry[i] != '\t' && entry[i] != '\n')
			return false;
	return length <= ENTRY_MOST && line_is_text((sw_str){entry, length}, NULL);
}

/* The end of the entry that starts here. */
static size_t entry_length(sw_str text)
{
	for (size_t at = 0;;) {
		const char *end = memchr(text.at + at, '\n', text.length - at);
		if (!end)
			return text.length;
		at = (size_t)(end - text.at) + 1;
		if (at == text.length || text.at[at] != '\t')
			return at;
	}
}

/* The entry without the tabs of its further lines and the newline at its end. */
static void read_entry(sw_str raw, sw_text *entry)
{
	sw_text_clear(entry);
	for (size_t i = 0; i < raw.length; i++)
		if (raw.at[i] != '\t' || !i || raw.at[i - 1] != '\n')
			sw_text_add_char(entry, raw.at[i]);
	if (entry->length && entry->data[entry->length - 1] == '\n')
		entry->data[--entry->length] = '\0';
}

static void list_read(sw_str raw)
{
	sw_text entry = {0};
	read_entry(raw, &entry);
	if (!is_fit(sw_text_get(&entry), entry.length))
		kept.left_out++;
	else if (entry.length)
		add_history(sw_text_get(&entry));
	sw_text_free(&entry);
}

/* Is the entry in the table of those that were met?  It is from now on. */
static bool met_before(sw_str *table, sw_str entry)
{
	size_t hash = 14695981039346656037u;
	for (size_t i = 0; i < entry.length; i++)
		hash = (hash ^ (unsigned char)entry.at[i]) * 1099511628211u;
	size_t slot = hash % TABLE_SIZE;
	while (table[slot].at && !sw_str_equal(table[slot], entry))
		slot = (slot + 1) % TABLE_SIZE;
	bool met = table[slot].at != NULL;
	table[slot] = entry;
	return met;
}

/* The latest entries, each where it stands last: chosen from the end, added from the start. */
static void choose_entries(const sw_str *entries, int count, sw_str *table)
{
	sw_str chosen[HISTORY_MOST];
	int most = 0;
	for (int i = count - 1; i >= 0 && most < HISTORY_MOST; i--)
		if (entries[i].length <= ENTRY_MOST && !met_before(table, entries[i]))
			chosen[most++] = entries[i];
	while (most)
		list_read(chosen[--most]);
}

static void read_entries(sw_str text)
{
	int room = 1, count = 0;
	for (size_t i = 0; i < text.length; i++)
		room += text.at[i] == '\n';
	sw_str *entries = calloc((size_t)room, sizeof(*entries));
	sw_str *table = calloc(TABLE_SIZE, sizeof(*table));
	while (entries && text.length) {
		size_t length = entry_length(text);
		entries[count++] = (sw_str){text.at, length};
		text = (sw_str){text.at + length, text.length - length};
	}
	if (table && entries)
		choose_entries(entries, count, table);
	kept.from_file = count;
	free(entries);
	free(table);
}

/* ---- the file ---- */

static void warn(struct console *console, const char *why)
{
	console_remark(console, "warning: the history %s: %s", sw_text_get(&kept.path), why);
}

static void give_up(struct console *console, const char *what, int error)
{
	sw_text why = {0};
	sw_text_addf(&why, "%s: %s; this session's lines are not kept", what, strerror(error));
	warn(console, sw_text_get(&why));
	sw_text_free(&why);
	if (kept.file >= 0)
		close(kept.file);
	kept.file = -1;
}

static void make_folders(const char *path)
{
	char *folder = strdup(path);
	for (char *at = folder ? strchr(folder + 1, '/') : NULL; at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(folder, 0700);
		*at = '/';
	}
	free(folder);
}

static bool read_at(int file, off_t from, size_t length, sw_text *text)
{
	char buffer[1 << 14];
	while (length && !text->failed) {
		ssize_t got = pread(file, buffer, length < sizeof(buffer) ? length : sizeof(buffer), from);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0;
		sw_text_add_str(text, (sw_str){buffer, (size_t)got});
		from += got;
		length -= (size_t)got;
	}
	return !text->failed;
}

/* Reads the end of the file; the first line of a cut one is no whole entry. */
static bool read_file(int file, off_t size)
{
	bool cut = size > (off_t)HISTORY_BYTES;
	sw_text text = {0};
	bool ok = read_at(file, cut ? size - (off_t)HISTORY_BYTES : 0, cut ? HISTORY_BYTES : (size_t)size, &text);
	sw_str rest = {sw_text_get(&text), text.length};
	const char *first = cut ? memchr(rest.at, '\n', rest.length) : NULL;
	if (first)
		rest = (sw_str){first + 1, rest.length - (size_t)(first + 1 - rest.at)};
	if (ok && (first || !cut))
		read_entries(rest);
	if (ok && text.length && text.data[text.length - 1] != '\n')
		ok = write(file, "\n", 1) == 1;
	sw_text_free(&text);
	return ok;
}

/* Writes the list beside the file, and puts it in its place. */
static bool replace_file(void)
{
	sw_text text = {0}, beside = {0};
	for (int i = history_length; i >= 1; i--)
		write_entry(history_entry(i), &text);
	sw_text_addf(&beside, "%s.XXXXXX", sw_text_get(&kept.path));
	int file = beside.failed ? -1 : mkostemp(beside.data, O_CLOEXEC | O_APPEND);
	bool ok = file >= 0 && !text.failed && write(file, text.data, text.length) == (ssize_t)text.length &&
		rename(beside.data, sw_text_get(&kept.path)) == 0;
	if (!ok && file >= 0) {
		unlink(beside.data);
		close(file);
	} else if (ok) {
		close(kept.file);
		kept.file = file;
	}
	sw_text_free(&text);
	sw_text_free(&beside);
	return ok;
}

/* Opens the file; what is no file (/dev/null) keeps nothing, and nobody needs to be told. */
static bool open_file(struct console *console, struct stat *info)
{
	const char *path = sw_text_get(&kept.path);
	make_folders(path);
	kept.file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
	if (kept.file < 0 || fstat(kept.file, info) != 0) {
		give_up(console, "cannot open it", errno);
		return false;
	}
	if (S_ISREG(info->st_mode))
		return true;
	close(kept.file);
	kept.file = -1;
	return false;
}

static void tell_damage(struct console *console, off_t size)
{
	sw_text why = {0};
	if (size > (off_t)HISTORY_BYTES)
		sw_text_addf(&why, "it has %lld MiB, of which only the last %zu were read", (long long)(size >> 20),
			HISTORY_BYTES >> 20);
	if (kept.left_out)
		sw_text_addf(&why, "%s%d %s not text and left out", why.length ? "; " : "", kept.left_out,
			kept.left_out == 1 ? "line is" : "lines are");
	if (why.length)
		warn(console, sw_text_get(&why));
	sw_text_free(&why);
}

void history_start(struct console *console, bool keep)
{
	struct stat info;
	using_history();
	sw_text_clear(&kept.path);
	if (keep)
		path_history(&kept.path);
	if (!kept.path.length || !open_file(console, &info))
		return;
	if (info.st_mode & 077)
		fchmod(kept.file, 0600);
	if (!read_file(kept.file, info.st_size)) {
		give_up(console, "cannot read it", errno);
		return;
	}
	bound_list();
	tell_damage(console, info.st_size);
	if (kept.from_file > 2 * HISTORY_MOST && info.st_size <= (off_t)HISTORY_BYTES && !kept.left_out)
		replace_file();
}

void history_append(struct console *console, const char *entry)
{
	sw_text text = {0};
	if (!*entry)
		return;
	bool again = history_length && strcmp(history_entry(1), entry) == 0;
	list_add(entry);
	write_entry(entry, &text);
	if (kept.file >= 0 && !again && !safe_is_on() && text.length <= ENTRY_MOST &&
		write(kept.file, sw_text_get(&text), text.length) != (ssize_t)text.length)
		give_up(console, "cannot write it", errno);
	sw_text_free(&text);
}

/* ---- the command ---- */

/* An entry with what its further lines are joined by. */
static void add_entry(const struct invocation *run, int n, const char *entry)
{
	sw_text text = {0};
	sw_text_addf(&text, "%7d  ", n);
	for (; *entry; entry++) {
		sw_text_add_char(&text, *entry);
		if (*entry == '\n')
			sw_text_add(&text, "         ");
	}
	sw_text_add_char(&text, '\n');
	document_lines(run->answer, &text);
}

/* Who asks at a terminal wants the last lines: as many as it shows, and is told of the others. */
static int lines_at_end(const struct invocation *run, int count)
{
	const struct console *console = run->session->console;
	int most = console->height - 3;
	bool seen = console->out_terminal && console->out == stdout && !console->taker;
	if (!run->session->interactive || !seen || most < 1 || count <= most)
		return HISTORY_MOST;
	document_line(run->answer, "%d earlier lines: `history %d` lists them all", count - most, count);
	return most;
}

bool command_history(struct invocation *run, sw_diag *diag)
{
	const struct word *word = argument(run, 0), *keyword = option_given(run, OPTION_KEYWORD);
	int64_t most = argument_number(run, 0, HISTORY_MOST);
	(void)diag;
	int count = 0, shown = 0;
	while (history_entry(count + 1))
		count++;
	if (!word && !keyword)
		most = lines_at_end(run, count);
	for (int n = count < most ? count : (int)most; n >= 1; n--) {
		if (keyword && !strstr(history_entry(n), file_name(run, keyword)))
			continue;
		add_entry(run, count - n + 1, history_entry(n));
		shown++;
	}
	if (!shown)
		document_line(run->answer,
			count ? "no line of the history matches" : "there is no history: only lines typed at a prompt are kept");
	return true;
}
