/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One rewriting of a sequence: the rule, the steps that it takes and makes, and the heights before and after.
 */
#include <string.h>

#include <shardwalk/number.h>

#include "views/draw.h"
#include "views/sequence.h"

/* "2 peak lemma, 3 merge": all of them, the one that is drawn in its role. */
static int list_draw(const sw_film *film, int now, struct canvas *out, int y)
{
	int x = canvas_put(out, 0, y, ROLE_LABEL, "all: ");
	for (int k = 1; k <= sw_film_count(film); k++) {
		sw_text text = {0};
		sw_text_addf(&text, "%d %s%s", k, sw_lemma_name(sw_film_rewrite(film, k)->lemma),
			k < sw_film_count(film) ? "," : "");
		int width = canvas_text_width(sw_text_get(&text));
		if (x + width > out->width && x > 5) {
			x = 5;
			y++;
		}
		x = canvas_put(out, x, y, k == now ? ROLE_CURRENT : ROLE_DIM, sw_text_get(&text)) + 1;
		sw_text_free(&text);
	}
	return y + 1;
}

static int one_draw(const sw_sequence *sequence, const char *head, int first, int count, int64_t most,
	struct canvas *out, int y)
{
	sw_measure measure = sw_sequence_measure(sequence);
	sw_text text = {0};
	sw_text_addf(&text, "%s: ", head);
	sequence_measure_text(&measure, &text);
	y = draw_note(out, 0, y, ROLE_LABEL, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return sequence_draw(sequence, first, count, most, out, y);
}

/* "takes steps 2 to 3, makes 3" */
static void steps_text(int first, int count, const char *verb, sw_text *text)
{
	if (!count)
		sw_text_addf(text, "%s none", verb);
	else if (count == 1)
		sw_text_addf(text, "%s step %d", verb, first + 1);
	else
		sw_text_addf(text, "%s steps %d to %d", verb, first + 1, first + count);
}

static void rewriting_draw(const sw_film *film, int now, bool keys, struct canvas *out)
{
	const sw_rewrite *rewrite = sw_film_rewrite(film, now);
	const sw_sequence *before = sw_film_sequence(film, now - 1), *after = sw_film_sequence(film, now);
	int64_t most = sw_larger(sequence_height(before), sequence_height(after));
	sw_text text = {0};
	sw_text_addf(&text, "%d of %d: %s, ", now, sw_film_count(film), sw_lemma_name(rewrite->lemma));
	steps_text(rewrite->first, rewrite->removed, "takes", &text);
	sw_text_add(&text, ", ");
	steps_text(rewrite->first, rewrite->added, "makes", &text);
	int y = draw_title(out, 0, "rewriting", sw_text_get(&text));
	sw_text_free(&text);
	y = draw_note(out, 0, y, ROLE_TEXT, "%s", rewrite->words) + 1;
	y = one_draw(before, "before", rewrite->first, rewrite->removed, most, out, y) + 1;
	y = one_draw(after, "after", rewrite->first, rewrite->added, most, out, y) + 1;
	y = list_draw(film, now, out, y);
	y = draw_note_ends(out, y, y);
	if (now < sw_film_count(film) && keys)
		draw_note(out, 0, y, ROLE_NOTE, "s shows the next one");
	else if (now < sw_film_count(film))
		draw_note(out, 0, y, ROLE_NOTE, "--step %d is the next one", now + 1);
}

bool view_rewriting(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->film)
		return draw_missing(diag, "sequence", "after mesh and redistribute, type: show rewriting");
	if (!draw_begin("rewriting", opt, out))
		return true;
	if (sw_film_count(in->film) == 0) {
		int y = draw_title(out, 0, "rewriting", "there is nothing to rewrite");
		const sw_sequence *steps = sw_film_sequence(in->film, 0);
		one_draw(steps, "the steps", 0, 0, sequence_height(steps), out, y + 1);
		return true;
	}
	int now = opt->step > 0 && opt->step <= sw_film_count(in->film) ? opt->step : 1;
	rewriting_draw(in->film, now, opt->room > 0, out);
	return true;
}
