/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures in words.
 */
#include "answer/words.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

/* The text with blanks that do not break. */
static struct words words_take(sw_text *text)
{
	struct words words;
	size_t n = 0;
	for (const char *at = sw_text_get(text); *at && n + 3 < sizeof(words.text); at++) {
		if (*at == ' ')
			words.text[n++] = '\xc2';
		words.text[n++] = *at == ' ' ? '\xa0' : *at;
	}
	words.text[n] = '\0';
	sw_text_free(text);
	return words;
}

struct words words_count(int64_t n)
{
	sw_text text = {0};
	sw_print_count(&text, n);
	return words_take(&text);
}

struct words words_bytes_in(int64_t elements, sw_dtype dtype, sw_unit unit)
{
	sw_text text = {0};
	sw_text_add(&text, sw_size_bytes(elements, sw_dtype_bytes(dtype), unit).text);
	return words_take(&text);
}

struct words words_bytes(int64_t elements, sw_dtype dtype)
{
	return words_bytes_in(elements, dtype, SW_UNIT_ELEMENTS);
}

struct words words_all(int64_t elements, sw_dtype dtype, sw_unit unit)
{
	return elements < 0 ? (struct words){"huge"} : words_bytes_in(elements, dtype, unit);
}

struct words words_of_all(int64_t elements, sw_dtype dtype, sw_unit unit, int64_t devices)
{
	int64_t all;
	return words_all(sw_mul(elements, devices, &all) ? all : -1, dtype, unit);
}

struct words words_on_all(int64_t elements, sw_dtype dtype, sw_unit unit, int64_t devices)
{
	struct words words;
	snprintf(words.text, sizeof(words.text), "%.40s on all %.40s", words_of_all(elements, dtype, unit, devices).text,
		words_count(devices).text);
	return words;
}

struct words words_size(int64_t elements, sw_dtype dtype, sw_unit unit)
{
	sw_text text = {0};
	if (unit == SW_UNIT_ELEMENTS)
		return words_plural(elements, "element", "elements");
	sw_text_add(&text, sw_size_said(elements, sw_dtype_bytes(dtype), unit).text);
	return words_take(&text);
}

struct words words_short(int64_t elements, sw_dtype dtype, sw_unit unit)
{
	return unit == SW_UNIT_ELEMENTS ? words_count(elements) : words_size(elements, dtype, unit);
}

void words_tick(double seconds, const char *blank, sw_text *text)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
	int i = 0;
	while (i < 3 && seconds < units[i].unit * 0.9995)
		i++;
	sw_text_addf(text, "%.3g%s%s", seconds / units[i].unit, blank, units[i].name);
}

struct words words_seconds_to(double seconds, int digits)
{
	static const struct {
		double least, factor;
		const char *unit;
	} units[] = {{1, 1, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}, {0, 1e9, "ns"}};
	struct words words = {"-"};
	int i = 0;
	if (seconds < 0)
		return words;
	while (seconds < units[i].least * 0.9995)
		i++;
	double n = seconds * units[i].factor;
	int decimals = digits - (n < 9.995 ? 1 : n < 99.95 ? 2 : 3);
	snprintf(words.text, sizeof(words.text), "%.*f\u00a0%s", decimals > 0 ? decimals : 0, n, units[i].unit);
	return words;
}

struct words words_seconds(double seconds)
{
	return words_seconds_to(seconds, 3);
}

struct words words_price(sw_model model, double cost)
{
	return sw_model_is_timed(model) ? words_seconds(cost) : words_count(sw_nearest(cost));
}

struct words words_amount(double n)
{
	static const char units[] = " kMGTPEZY";
	int unit = 0;
	while (n >= 999.5 && units[unit + 1]) {
		n /= 1000;
		unit++;
	}
	struct words words;
	if (!unit)
		snprintf(words.text, sizeof(words.text), "%.0f", n);
	else
		snprintf(words.text, sizeof(words.text), n < 9.95 ? "%.1f%c" : "%.0f%c", n, units[unit]);
	return words;
}

struct words words_plural(int64_t n, const char *one, const char *many)
{
	struct words words;
	snprintf(words.text, sizeof(words.text), "%.64s %.30s", words_count(n).text, n == 1 ? one : many);
	return words;
}

void words_steps(const sw_plan *plan, const char *none, sw_text *text)
{
	for (int k = 0; k < plan->program.steps; k++) {
		sw_text_add(text, k ? ", " : "");
		sw_plan_print_step(plan, k, text);
	}
	sw_text_add(text, plan->program.steps ? "" : none);
}

struct words words_device(const sw_mesh *mesh, int64_t device)
{
	sw_text text = {0};
	sw_mesh_print_device(mesh, device, &text);
	return words_take(&text);
}

struct words words_device_first(const sw_mesh *mesh, int64_t device)
{
	sw_text text = {0};
	sw_mesh_introduce_device(mesh, device, &text);
	return words_take(&text);
}

int words_device_room(const sw_mesh *mesh)
{
	return (int)strlen(words_device(mesh, mesh->devices - 1).text);
}
