/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JAX's error "Received incompatible devices for jitted computation": two values, or a value and a sharding, on different devices.
 *
 *     Received incompatible devices for jitted computation. Got argument u of f with shape float32[16,16] and with device ids [0, 1]
 *     on platform CPU and explicit output sharding with device ids [2, 3] on platform CPU
 */
#include <shardwalk/log.h>

#include <string.h>

#include <shardwalk/number.h>

static const char opening[] = "Received incompatible devices for jitted computation. Got ";
static const char ids_words[] = "with device ids [";
static const char shape_words[] = "with shape ";

bool sw_log_is_devices(sw_str text)
{
	return sw_str_past(text, opening).length > 0;
}

static bool read_ids(sw_str list, sw_arena *arena, sw_log_device_end *end)
{
	int64_t room = 1;
	for (size_t i = 0; i < list.length; i++)
		room += list.at[i] == ',';
	int64_t *ids = SW_NEW(arena, int64_t, room);
	end->devices = 0;
	end->id = ids;
	for (size_t at = 0; ids && at <= list.length;) {
		sw_str word = sw_str_split(list, &at, SW_NESTING_PLAIN);
		if (!sw_read_int(word, &ids[end->devices], NULL))
			return false;
		end->devices++;
	}
	return ids && end->devices > 0;
}

/* What one of them is, up to the numbers of its devices; *rest is what follows. */
static bool read_end(sw_str *rest, sw_arena *arena, sw_log_device_end *end)
{
	sw_str ids = sw_str_past(*rest, ids_words);
	if (!ids.length)
		return false;
	sw_str words = {rest->at, (size_t)(ids.at - rest->at) - strlen(ids_words)};
	sw_str shape = sw_str_past(words, shape_words);
	end->shape = sw_str_word(&shape);
	end->what = sw_str_trim(
		end->shape.length ? (sw_str){words.at, (size_t)(end->shape.at - words.at) - strlen(shape_words)} : words);
	const char *close = memchr(ids.at, ']', ids.length);
	if (!close)
		return false;
	*rest = sw_str_behind(ids, (size_t)(close - ids.at) + 1);
	return read_ids((sw_str){ids.at, (size_t)(close - ids.at)}, arena, end);
}

bool sw_log_read_devices(sw_str text, sw_arena *arena, sw_log_devices *devices, sw_diag *diag)
{
	sw_str rest = sw_str_past(text, opening);
	for (int k = 0; k < 2; k++) {
		if (k == 1 && sw_str_past(rest, " and ").length)
			rest = sw_str_past(rest, " and ");
		if (read_end(&rest, arena, &devices->end[k]))
			continue;
		size_t at = (size_t)(rest.at - text.at);
		sw_diag_set(diag, SW_N01, (sw_span){at, text.length > at ? text.length : at},
			"the error ends before it names the devices of %s", k ? "the second" : "the first");
		sw_diag_expected(diag, "with device ids [0, 1, ...] on platform ...");
		return false;
	}
	return true;
}
