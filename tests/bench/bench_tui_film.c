/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From key to picture in films of every theory and in what they open, at 120x36, on 1024 devices and arrays of 10^9 elements.  Arguments: only
 * scenes with that in their name; and keys in place of theirs.
 */
#define _GNU_SOURCE
#include "bench_keys.h"

#define WIDTH 120
#define HEIGHT 36

/* The playhead, frames, devices, an element, dimensions. */
#define PLAY "12*Right 6*Left Space 30*tick 5*s 3*b 3*Down Esc Enter Right Esc Esc V "
#define FILM PLAY "E 5 , 7 Enter 2*Right 3*Down 2*+ Esc 3*x 3*o Esc "
#define BOTH "4*d 4*Right 4*d "
#define WALL "3*< 3*> "
#define PLAN_ZOOMS "2 s b 3*t 2*x 2*+ V 3 s b V 4 s b V 5 s b 2*T V Y s b V M s b V D s b V F s b V H s b V z Esc V "
#define SUM_ZOOMS "F3 s b V F4 V F5 V F6 s b V F7 s b V F8 V F9 V 4 s b V 5 s b V 3 s b V z Esc V "
#define PROGRAM_ZOOMS "O V W V A V K V B s b V X s b V C s b V 5 V D V F V z Esc V "

static const struct key_scene scenes[] = {
	{"redistribution on 4 axes",
		"mesh {a: 8, b: 4, c: 8, d: 4}\n"
		"redistribute f32[1024{a,b}32768, 1024{c,d}32768] ~> [1024{d,c}32768, 1024{b,a}32768]\nplan",
		"film", FILM BOTH WALL PLAN_ZOOMS},
	{"redistribution of 3 dimensions",
		"mesh {a: 16, b: 8, c: 8}\nredistribute f32[64{a}1024, 128{b}1024, 128{c}1024] ~> [1024, 8{a,b}1024, 128{c}1024]\nplan",
		"film", FILM BOTH WALL PLAN_ZOOMS},
	{"redistribution without a type between",
		"mesh {a: 32, b: 32}\n"
		"redistribute f32[1024{a}32768, 1024{b}32768] ~> [32768, 32{b,a}32768]\nplan direct",
		"film", FILM BOTH WALL PLAN_ZOOMS},
	{"sum", "mesh {x: 32, y: 32}\nredistribute f32[32768, 32768]+{x,y} ~> f32[32{x,y}32768, 32768]\nplan", "film",
		FILM BOTH WALL PLAN_ZOOMS},
	{"reduction program",
		"system {node: 128 @ 8GB/s shared, gpu: 8 @ 270GB/s}\naxes {data: 1024}\nplace 1\nreduce {data} f32[1073741824]\n"
		"reductions 4",
		"film", PLAY BOTH SUM_ZOOMS},
	{"product",
		"program mesh {x: 32, y: 32} fn main(a : f32[1024{x}32768, 1024{y}32768], b : f32[1024{x}32768, 1024{y}32768]) -> "
		"f32[1024{x}32768, 1024{y}32768] { c = redistribute a as f32[1024{x}32768, 32768] d = redistribute b as "
		"f32[32768, 1024{y}32768] e = einsum \"ij,jk->ik\" c d return e }",
		"film", PLAY PROGRAM_ZOOMS},
	{"formula",
		"mesh {x: 1024}\ntype B = f32[1048576{x}1073741824]\ntype A = f32[1048576{x}1073741824]\n"
		"compute A(i) = B(i) + B(i+1)",
		"film", PLAY PROGRAM_ZOOMS},
	{"schedule", "mesh {x: 32, y: 32}\nschedule cannon m=32768 n=32768 k=32768", "film", PLAY PROGRAM_ZOOMS},
};

int main(int count, char **words)
{
	int slow = 0;
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 77;
	for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++) {
		struct key_scene scene = scenes[i];
		scene.keys = count > 2 ? words[2] : scene.keys;
		if (count < 2 || strstr(scene.name, words[1]))
			slow += key_scene_measure(&scene, WIDTH, HEIGHT);
	}
	printf("%d keys above the goal in the median\n", slow);
	return 0;
}
