/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of an asciicast.
 */
#include "answer/record.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <shardwalk/json.h>

#include "host/file.h"

#define HEIGHT_UNKNOWN 24

struct recording {
	sw_text lines;
	struct timespec begun;
	struct canvas shown; /* the picture that stands there; of width 0: none does */
	int width, height;
};

static double seconds_since(const struct timespec *begun)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - begun->tv_sec) + 1e-9 * (double)(now.tv_nsec - begun->tv_nsec);
}

static void event_add(struct recording *recording, const char *kind, const sw_text *data)
{
	sw_json json;
	if (!data->length)
		return;
	sw_json_start(&json, &recording->lines, true);
	json.digits = 6;
	sw_json_open(&json, '[', false);
	sw_json_number(&json, seconds_since(&recording->begun));
	sw_json_string(&json, kind);
	sw_json_str(&json, (sw_str){sw_text_get(data), data->length});
	sw_json_close(&json);
	sw_text_add_char(&recording->lines, '\n');
}

static void head_add(struct recording *recording, const char *title)
{
	sw_json json;
	sw_json_start(&json, &recording->lines, true);
	sw_json_open(&json, '{', false);
	sw_json_key(&json, "version");
	sw_json_int(&json, 2);
	sw_json_key(&json, "width");
	sw_json_int(&json, recording->width);
	sw_json_key(&json, "height");
	sw_json_int(&json, recording->height);
	sw_json_key(&json, "timestamp");
	sw_json_int(&json, time(NULL));
	sw_json_key(&json, "title");
	sw_json_string(&json, title);
	sw_json_key(&json, "env");
	sw_json_open(&json, '{', false);
	sw_json_key(&json, "TERM");
	sw_json_string(&json, "xterm-256color");
	sw_json_close(&json);
	sw_json_close(&json);
	sw_text_add_char(&recording->lines, '\n');
}

struct recording *recording_new(int width, int height, const char *title)
{
	struct recording *recording = calloc(1, sizeof(*recording));
	if (!recording)
		return NULL;
	recording->width = width;
	recording->height = height ? height : HEIGHT_UNKNOWN;
	clock_gettime(CLOCK_MONOTONIC, &recording->begun);
	head_add(recording, title);
	return recording;
}

void recording_free(struct recording *recording)
{
	if (!recording)
		return;
	sw_text_free(&recording->lines);
	canvas_free(&recording->shown);
	free(recording);
}

void recording_write(struct recording *recording, const char *text, size_t length)
{
	sw_text data = {0};
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\n')
			sw_text_add_char(&data, '\r');
		sw_text_add_char(&data, text[i]);
	}
	event_add(recording, "o", &data);
	sw_text_free(&data);
}

/* ---- pictures ---- */

static bool row_stands(const struct canvas *before, const struct canvas *now, int y)
{
	size_t width = (size_t)now->width;
	return before->width == now->width && y < before->height && y < now->height &&
		memcmp(before->cells + (size_t)y * width, now->cells + (size_t)y * width, width * sizeof(*now->cells)) == 0;
}

static void follow_size(struct recording *recording, const struct canvas *canvas)
{
	sw_text size = {0};
	if (canvas->width == recording->width && canvas->height == recording->height)
		return;
	recording->width = canvas->width;
	recording->height = canvas->height;
	sw_text_addf(&size, "%dx%d", canvas->width, canvas->height);
	event_add(recording, "r", &size);
	sw_text_free(&size);
	recording->shown.height = 0;
}

static void row_add(const struct canvas *canvas, int y, const struct canvas_style *style, sw_text *data)
{
	size_t before = data->length;
	sw_text_addf(data, "\033[%d;1H\033[0m\033[2K", y + 1);
	canvas_print_rows(canvas, y, y + 1, style, data);
	if (data->length > before && sw_text_get(data)[data->length - 1] == '\n')
		data->length--;
}

void recording_frame(struct recording *recording, const struct canvas *canvas, const struct canvas_style *style)
{
	sw_text data = {0};
	follow_size(recording, canvas);
	if (!recording->shown.height)
		sw_text_add(&data, "\033[?25l\033[0m\033[2J");
	for (int y = 0; y < canvas->height; y++)
		if (!row_stands(&recording->shown, canvas, y))
			row_add(canvas, y, style, &data);
	event_add(recording, "o", &data);
	sw_text_free(&data);
	canvas_reset(&recording->shown, canvas->width);
	canvas_copy(&recording->shown, 0, 0, canvas);
}

bool recording_save(const struct recording *recording, const char *name, sw_diag *diag)
{
	if (recording->lines.failed || recording->shown.failed)
		return sw_diag_memory(diag);
	return file_write(name, &recording->lines, diag);
}
