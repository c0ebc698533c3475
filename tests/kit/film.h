/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Films on the screens: opened with lines of a problem, pressed, and kept as pictures.
 */
#ifndef TESTS_KIT_FILM_H
#define TESTS_KIT_FILM_H

#include "kit/pictures.h"
#include "kit/snapshot.h"
#include "kit/stage.h"

#define PAPER "mesh {x: 4, y: 6}\nredistribute [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nplan exact\n"
#define CANNON "mesh {x: 3, y: 3}\nschedule cannon m=9 n=9 k=9\n"
#define WAYS "mesh {x: 2, y: 2}\neinsum ij,jk->ik [2{x}4, 3{y}6], [3{y}6, 4{x}8] as [2{x}4, 4{y}8]\nways 1\n"
#define CHUNKS \
	"system {node: 4 @ 8GB/s shared, gpu: 4 @ 270GB/s}\naxes {data: 16}\nplace 1\nreduce {data} f32[1048576]\n" \
	"reductions 4\n"

#define GATHER "mesh {x: 4}\nredistribute [2{x}8, 6] ~> [8, 6]\nplan\n"
#define COPIES "mesh {a: 4, b: 3}\nredistribute [2{a}8, 6] ~> [8, 2{b}6]\nplan\n"
#define SUM "mesh {x: 4}\nf32[8, 6]+{x} ~> f32[2{x}8, 6]\nplan\n"
#define REDUCE \
	"system {node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}\naxes {data: 8}\nplace 1\nreduce {data} f32[4, 6]\n" \
	"reductions 4\n"

struct film_scene {
	const char *name, *lines, *keys;
	int colors;
};

static inline struct screen *film_open(struct session *session, const char *lines, int colors)
{
	struct screen *screen = stage_open(session, lines);
	session->console->style.colors = colors;
	screen_take_line(screen, "layout one");
	screen_take_line(screen, "focus film");
	look(screen, 120, 36, NULL);
	return screen;
}

/* A test of cmocka, whose state is a scene. */
static inline void film_is_as_before(void **state)
{
	const struct film_scene *scene = *state;
	struct session session;
	struct screen *screen = film_open(&session, scene->lines, scene->colors);
	sw_text found = {0};
	press(screen, scene->keys);
	pictures_add(screen, &found);
	assert_snapshot("screens", scene->name, sw_text_get(&found));
	sw_text_free(&found);
	stage_close(&session);
}

#endif
