/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files: every failure becomes a diagnostic with the file's name and the system's reason.
 */
#define _GNU_SOURCE
#include "host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/safe.h"
#include "host/unpack.h"

static bool refuse(sw_diag *diag, sw_code code, const char *verb, const char *name, int error, const char *hint)
{
	sw_diag_set(diag, code, (sw_span){0, 0}, "cannot %s '%s': %s", verb, name, strerror(error));
	sw_diag_hint(diag, "%s", hint);
	return false;
}

static bool refuse_read(sw_diag *diag, const char *name, int error)
{
	return refuse(diag, SW_B01, "read", name, error, "check its name and your permission to read it");
}

static bool refuse_packed(sw_diag *diag, const char *name, const char *why)
{
	sw_diag_set(diag, SW_B01, (sw_span){0, 0}, "cannot read '%s': %s", name, why);
	sw_diag_hint(diag, "`gzip -t FILE` says whether gzip can read it");
	return false;
}

/* What gzip has packed becomes what it was.  Where that breaks *broken gets why, and what was before it is kept; NULL, or nothing
 * before it: false, as where something else has packed it. */
static bool unpacked(const char *name, sw_text *text, const char **broken, sw_diag *diag)
{
	sw_str bytes = {sw_text_get(text), text->length};
	sw_text packed = *text;
	const char *command, *other = text->failed ? NULL : unpack_other(bytes, &command);
	if (other) {
		sw_diag_set(diag, SW_B01, (sw_span){0, 0}, "cannot read '%s': it is compressed with %s", name, other);
		sw_diag_expected(diag, "text, or text compressed by gzip");
		sw_diag_hint(diag, "`%s FILE | shardwalk import -` reads its contents", command);
		return false;
	}
	if (text->failed || !unpack_is(bytes))
		return true;
	*text = (sw_text){0};
	const char *why = unpack(bytes, FILE_MOST, text);
	sw_text_free(&packed);
	if (broken && text->length > 0 && text->length <= FILE_MOST) {
		*broken = why;
		return true;
	}
	return !why || refuse_packed(diag, name, why);
}

/* Does it begin as files do whose lines are not read as they are? */
static bool is_coded(FILE *file)
{
	char mark[3];
	size_t got = fread(mark, 1, sizeof(mark), file);
	bool wide = got > 1 && ((mark[0] == '\xFF' && mark[1] == '\xFE') || (mark[0] == '\xFE' && mark[1] == '\xFF'));
	rewind(file);
	return wide || unpack_is((sw_str){mark, got});
}

/* A file in memory with the text of a file of UTF-16, or of one that gzip has packed; NULL: it is none, is damaged, or there is no
 * memory. */
static FILE *decoded(FILE *file, const char *name, sw_diag *diag)
{
	sw_text raw = {0}, text = {0};
	char buffer[1 << 16];
	size_t got = 0;
	bool coded = is_coded(file);
	while (coded && raw.length <= FILE_MOST && (got = fread(buffer, 1, sizeof(buffer), file)) > 0)
		sw_text_add_str(&raw, (sw_str){buffer, got});
	if (coded && unpacked(name, &raw, NULL, diag))
		sw_text_decode((sw_str){sw_text_get(&raw), raw.length}, &text);
	FILE *memory = text.length && !raw.failed && !text.failed ? fmemopen(NULL, text.length + 1, "w+") : NULL;
	if (memory)
		fwrite(text.data, 1, text.length, memory);
	if (memory)
		rewind(memory);
	sw_text_free(&raw);
	sw_text_free(&text);
	return memory;
}

/* Lines of UTF-16 in a file that says so by its mark are read as the others are, and so are those of one that gzip has packed. */
static FILE *plain(FILE *file, const char *name, sw_diag *diag)
{
	struct stat info;
	if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode))
		return file;
	sw_diag own = {.code = SW_OK};
	FILE *memory = decoded(file, name, &own);
	if (memory || own.code != SW_OK)
		fclose(file);
	if (own.code != SW_OK && diag)
		*diag = own;
	return memory || own.code != SW_OK ? memory : file;
}

static FILE *open_any(const char *name, sw_diag *diag)
{
	if (strcmp(name, "-") == 0)
		return stdin;
	FILE *file = fopen(name, "re");
	struct stat info;
	if (file && fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode)) {
		fclose(file);
		file = NULL;
		errno = EISDIR;
	}
	if (!file)
		refuse_read(diag, name, errno);
	return file;
}

FILE *file_open(const char *name, sw_diag *diag)
{
	FILE *file = open_any(name, diag);
	return file && file != stdin ? plain(file, name, diag) : file;
}

void file_close(FILE *file)
{
	if (file && file != stdin)
		fclose(file);
}

static bool read_whole(const char *name, sw_text *text, const char **broken, sw_diag *diag)
{
	char buffer[1 << 16];
	FILE *file = open_any(name, diag);
	if (!file)
		return false;
	size_t got = 0;
	while (text->length <= FILE_MOST && !text->failed && !feof(file) &&
		(got = fread(buffer, 1, sizeof(buffer), file)) > 0)
		sw_text_add_str(text, (sw_str){buffer, got});
	int error = ferror(file) ? errno : text->length > FILE_MOST ? EFBIG : 0;
	file_close(file);
	if (text->failed)
		return sw_diag_memory(diag);
	return error ? refuse_read(diag, name, error) : unpacked(name, text, broken, diag);
}

bool file_read(const char *name, sw_text *text, sw_diag *diag)
{
	return read_whole(name, text, NULL, diag);
}

bool file_decode(sw_text *raw, sw_text *text, size_t *zeros, sw_diag *diag)
{
	sw_str bytes = {sw_text_get(raw), raw->length};
	if (!sw_text_is_encoded(bytes)) {
		*text = *raw;
		*raw = (sw_text){0};
		return true;
	}
	size_t found = sw_text_decode(bytes, text);
	if (zeros)
		*zeros = found;
	sw_text_free(raw);
	return !text->failed || sw_diag_memory(diag);
}

bool file_read_before(const char *name, sw_text *text, size_t *zeros, const char **broken, sw_diag *diag)
{
	sw_text raw = {0};
	if (broken)
		*broken = NULL;
	if (read_whole(name, &raw, broken, diag))
		return file_decode(&raw, text, zeros, diag);
	*text = raw;
	return false;
}

bool file_read_text(const char *name, sw_text *text, size_t *zeros, sw_diag *diag)
{
	return file_read_before(name, text, zeros, NULL, diag);
}

static bool grow(char **line, size_t *room, size_t length)
{
	if (length + 1 < *room)
		return true;
	size_t wanted = *room ? *room * 2 : 4096;
	char *more = wanted <= FILE_MOST_LINE ? realloc(*line, wanted) : NULL;
	if (!more)
		return false;
	*line = more;
	*room = wanted;
	return true;
}

long long file_line(FILE *file, char **line, size_t *room)
{
	size_t length = 0;
	for (;;) {
		int c = getc_unlocked(file);
		if (c == EOF && ferror(file))
			return -3;
		if (c == EOF && length == 0)
			return -1;
		if (!grow(line, room, length))
			return -2;
		if (c == EOF || c == '\n')
			break;
		(*line)[length++] = (char)c;
	}
	(*line)[length] = '\0';
	return (long long)length;
}

/* ---- writing ---- */

static bool write_all(int fd, const char *at, size_t length)
{
	while (length) {
		ssize_t got = write(fd, at, length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		at += got;
		length -= (size_t)got;
	}
	return true;
}

/* Devices and pipes cannot be replaced: they are written where they stand. */
bool file_is_special(const char *name)
{
	struct stat info;
	return stat(name, &info) == 0 && !S_ISREG(info.st_mode);
}

static bool write_in_place(const char *name, const sw_text *text)
{
	int fd = open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	bool ok = fd >= 0 && write_all(fd, sw_text_get(text), text->length);
	int error = errno;
	if (fd >= 0 && close(fd) != 0)
		return false;
	errno = error;
	return ok;
}

/* The new file gets the rights of the one it replaces, or those that the umask allows. */
static mode_t mode_for(const char *name)
{
	struct stat info;
	mode_t mask = umask(0);
	umask(mask);
	return stat(name, &info) == 0 ? info.st_mode & 07777 : 0666 & ~mask;
}

static bool write_beside(const char *name, const sw_text *text)
{
	char *target = realpath(name, NULL);
	const char *final = target ? target : name;
	char *beside = malloc(strlen(final) + 8);
	if (!beside) {
		free(target);
		errno = ENOMEM;
		return false;
	}
	sprintf(beside, "%s.XXXXXX", final);
	int fd = mkostemp(beside, O_CLOEXEC);
	bool ok = fd >= 0 && write_all(fd, sw_text_get(text), text->length) && fchmod(fd, mode_for(final)) == 0 &&
		fsync(fd) == 0;
	int error = errno;
	if (fd >= 0 && close(fd) != 0 && ok) {
		ok = false;
		error = errno;
	}
	if (ok && rename(beside, final) != 0) {
		ok = false;
		error = errno;
	}
	if (!ok && fd >= 0)
		unlink(beside);
	free(beside);
	free(target);
	errno = error;
	return ok;
}

bool file_write(const char *name, const sw_text *text, sw_diag *diag)
{
	if (text->failed)
		return sw_diag_memory(diag);
	if (safe_refuses(diag, "'%.80s' would be written", name))
		return false;
	if (file_is_special(name) ? write_in_place(name, text) : write_beside(name, text))
		return true;
	return refuse(diag, SW_B02, "write", name, errno,
		"check the folder, its permissions and the space on the "
		"disk");
}
