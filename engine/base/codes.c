/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `explain CODE` tells: for every code of SW_CODES the rule with its reason, and an example.  A code
 * without its rule_ and example_ below does not compile.
 *
 * Examples are lines of the language, or of a batch where they start with a brace.  A line with `# wrong` is refused
 * with the code, unless it goes on `# wrong where ...`: that depends on the machine.  All others are accepted, but for a
 * line that `fails by itself`.  No line is longer than 75 columns.  tests/cli/explain.sh runs them, beside a folder of
 * the files that they name.
 */
#include <shardwalk/diag.h>

#include <shardwalk/notation.h>
#include <shardwalk/text.h>

#define CODE(name, rule, example) \
	static const char rule_##name[] = rule; \
	static const char example_##name[] = example;

/* The language. */

CODE(L01,
	"The first word of a statement is a command. Commands may be shortened as long as only one command "
	"starts that way; `help` lists them all, with the nearest names where a word is none of them.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plam exact    # wrong: no command starts with plam\n"
	"plan exact    # right")
CODE(L02,
	"Each argument of a command has a kind: a name, a number, a mesh, a type, a problem FROM ~> TO. This "
	"one is of another kind than the command asks for in this place; `help COMMAND` shows the kinds.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12]                   # wrong: one type, no arrow\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]   # right")
CODE(L03,
	"The command cannot work without this argument, and there is nothing it could sensibly assume. "
	"`help COMMAND` shows what it takes and which arguments may be left out.",
	"budget       # wrong: how much?\n"
	"budget 2x    # right: twice the larger of both ends' tiles")
CODE(L04,
	"The line has more words than the command takes. Rather than ignore words that somebody meant, the "
	"whole statement is refused. Two statements on one line are separated by `;`.",
	"mesh {x: 4}\n"
	"undo mesh        # wrong: undo takes nothing\n"
	"undo; mesh {x: 8}    # right")
CODE(L05,
	"Options belong to a command and start with `--`; a mistyped one would silently change what is asked, "
	"so that unknown options are errors. `--` alone ends the options. `help COMMAND` lists them.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan --stratgy exact     # wrong\n"
	"plan --strategy exact    # right")
CODE(L06,
	"Brackets, braces, parentheses and quotes come in pairs, and close in the opposite order of their "
	"opening. In a script each statement ends on its own line, so that a forgotten bracket cannot swallow "
	"the statements after it; only an interactive prompt goes on reading.",
	"mesh {x: 4    # wrong: the brace is never closed\n"
	"mesh {x: 4}   # right")
CODE(L07,
	"The command works on something that earlier statements define: types need a mesh, a plan needs both "
	"ends of a redistribution, walking needs a search, which starts from them.",
	"plan                                        # wrong: there is no mesh yet\n"
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan                                        # right")
CODE(L08,
	"A name refers to something that was defined before: a type by `type NAME = TYPE`, a setting, a "
	"command to explain. Names are case-sensitive, and a definition counts only from its line on.",
	"mesh {x: 4}\n"
	"type rows = [3{x}12, 12]\n"
	"from row     # wrong: no type has this name\n"
	"from rows    # right")
CODE(L09,
	"A shortened word is accepted where only one full word starts with it. Here several do, and which of "
	"them was meant makes a difference.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"b 2x            # wrong: budget, back or batch?\n"
	"budget 2x       # right")
CODE(L10,
	"Input is text in UTF-8. Control characters and other bytes usually mean that a file of another kind "
	"was given, or text in another encoding. They are refused, and named by their number, because shown "
	"as they are they could change the terminal.",
	"mesh {\"caf\\xe9\": 4}    # wrong: the byte 0xe9 of another encoding\n"
	"mesh {\"cafe\": 4}       # right")
CODE(L11,
	"A number is written with decimal digits alone: no sign, no point, no exponent, no separators. Units "
	"are allowed only where an argument takes them, as a budget in bytes does.",
	"mesh {x: 4}\n"
	"type A = [1e6]        # wrong\n"
	"type A = [1000000]    # right")
CODE(L12,
	"Numbers are signed 64-bit integers, and every product of them is checked. The largest number is "
	"9223372036854775807, which is 2^63 - 1.",
	"mesh {x: 4}\n"
	"type A = [99999999999999999999]    # wrong: more than 2^63 - 1\n"
	"type A = [9223372036854775807]     # right")
CODE(L13,
	"The value is of the right kind but outside of what this setting or argument can mean. The message "
	"says the smallest and the largest that it takes.",
	"set color sometimes    # wrong\n"
	"set color auto         # right")
CODE(L14,
	"A `mesh`, `type`, `from` or `to` before this statement failed. Going on with an older definition would "
	"give an answer to a question that nobody asked, so that what depends on it is refused until it is "
	"defined again.",
	"mesh {x: 0}                                 # fails by itself\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]   # wrong: it has no mesh\n"
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]   # right")
CODE(L15,
	"A session that began with --safe, or in which `set safe on` was said, runs nothing on ranks, writes no file and starts "
	"no program, whatever a script says. Nothing takes it back before the session ends. Pictures, plans and exports to - are "
	"what they always are.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"set safe on\n"
	"export svg heights.svg heights    # wrong: it would write a file\n"
	"export svg - heights              # right")

/* Meshes. */

CODE(M01,
	"A mesh is a list of named axes in braces, each with its size, separated by commas. Devices are numbered "
	"row-major over the axes as written, the last axis fastest; that number is the MPI rank.",
	"mesh {x = 4, y = 6}    # wrong: a colon goes between name and size\n"
	"mesh {x: 4, y: 6}      # right")
CODE(M02, "Types refer to axes by their names, so that each axis needs a name of its own.",
	"mesh {x: 4, x: 6}    # wrong\n"
	"mesh {x: 4, y: 6}    # right")
CODE(M03,
	"The size of an axis is the number of devices along it: at least 1. Where a type says the size once more, "
	"as in {x:4}, it must be the size in the mesh. An axis of size 1 is allowed; it splits nothing.",
	"mesh {x: 0}    # wrong\n"
	"mesh {x: 1}    # right")
CODE(M04,
	"A mesh has at most 64 axes, those of size 1 included. More are never needed: axes of size 1 can be left "
	"out, and two axes that are always used together can be one.",
	"mesh {a: 2, b: 1, c: 1, d: 1}    # right; with more than 64 of them wrong\n"
	"mesh {a: 2}                      # right, and the same devices")
CODE(M05,
	"The number of devices is the product of all axis sizes. Planning by sizes works up to 2^40 devices, which "
	"are at most forty prime factors. Nothing is stored per device, but the search grows with the factors.",
	"mesh {x: 1048576, y: 1048577}    # wrong: more than 1099511627776\n"
	"mesh {x: 1048576, y: 1048576}    # right: 2^40")
CODE(M06,
	"A name of letters, digits and `_` that does not start with a digit needs no quotes. Any other name is written "
	"in quotes. It has at most 63 bytes, no double quote and no control character.",
	"mesh {2nd: 4}      # wrong\n"
	"mesh {\"2nd\": 4}    # right")
CODE(M07,
	"After `@` an axis may say how fast its devices are connected: a bandwidth per device and direction, a "
	"latency, or both. GB means 10^9 bytes. A step is as slow as the slowest axis that its groups cross.",
	"mesh {node: 2 @ 10Gb, core: 4}          # wrong: Gb is no unit\n"
	"mesh {node: 2 @ 10GB/s 20us, core: 4}   # right")

/* Types. */

CODE(T01,
	"A type lists the dimensions of an array in brackets. A dimension is written tile{axes}global, or as its "
	"size alone where it is not partitioned. Axes are written minor to major: the first varies fastest along the "
	"dimension. The tile may be left out; it is the global size divided by the sizes of the axes.",
	"mesh {x: 4, y: 6}\n"
	"type A = [3{x}, 2{y}12]       # wrong: the global size is missing\n"
	"type A = [3{x}12, 2{y}12]     # right\n"
	"type A = [{x}12, {y}12]       # right, and the same")
CODE(T02, "Only axes of the mesh can split an array. Names are case-sensitive.",
	"mesh {rows: 4}\n"
	"type A = [3{row}12]     # wrong\n"
	"type A = [3{rows}12]    # right")
CODE(T03,
	"Each axis, or each part of it, splits at most one dimension, and only once. If x split two dimensions, "
	"a device would hold only tiles of equal position in both, and the others would be held by nobody. Two "
	"parts of one axis may be used where they are different digits of the coordinate.",
	"mesh {x: 4}\n"
	"type A = [3{x}12, 3{x}12]              # wrong\n"
	"type A = [3{x}12, 12]                  # right\n"
	"type A = [6{x:(1)2}12, 6{x:(2)2}12]    # right: x is split in two")
CODE(T04,
	"Along each dimension the tiles cover the array exactly: the tile size times the sizes of the axes is the "
	"global size. Uneven tiles are not part of the theory, because then a collective would move different "
	"amounts on different devices. `explain 13 over 4` tells what other systems do with such a size; after "
	"`set uneven pad` it is padded as XLA pads it.",
	"mesh {x: 4}\n"
	"type A = [3{x}13]    # wrong: 3 * 4 = 12\n"
	"type A = [3{x}12]    # right\n"
	"type A = [{x}12]     # right: the tile is computed")
CODE(T05,
	"Sizes are whole numbers of at least 1. An array with a dimension of size 0 has no elements, and there is "
	"nothing to move.",
	"mesh {x: 4}\n"
	"type A = [0, 12]    # wrong\n"
	"type A = [1, 12]    # right")
CODE(T06,
	"A type has at most 16 dimensions. Dimensions that are not partitioned and are side by side can be one: "
	"the answer is the same.",
	"mesh {x: 4}\n"
	"type A = [2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]    # wrong: 17\n"
	"type A = [4,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]      # right: 16, the same size")
CODE(T07,
	"The element type comes before the bracket and says how many bytes an element has. Without one, f32 is "
	"assumed. Names of other systems, such as s32, float32 or bfloat16, are understood.",
	"mesh {x: 4}\n"
	"type A = f31[12]    # wrong\n"
	"type A = f32[12]    # right\n"
	"type A = [12]       # right: f32")
CODE(T08,
	"A part of an axis is written x:(pre)size. The coordinate along x is read as a number of several digits; "
	"the part is the digit of `size` values that has `pre` combinations of more major digits before it. So "
	"pre * size divides the size of the axis, and a part has at least size 2.",
	"mesh {x: 4}\n"
	"type A = [4{x:(1)3}12]     # wrong: 3 does not divide 4\n"
	"type A = [6{x:(1)2}12]     # right: the major half of x\n"
	"type A = [6{x:(2)2}12]     # right: the minor half")
CODE(T09,
	"A redistribution changes where the elements are, never how many there are or what they are: both types "
	"have the same global sizes and the same element type.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 4{x}16]    # wrong: dimension 1 grew\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]    # right")
CODE(T10,
	"The number of elements of the whole array is the product of its global sizes and has to fit in 64 bits, "
	"because costs and memory are counted in elements.",
	"mesh {x: 4}\n"
	"type A = [4294967296, 4294967296]    # wrong: 2^64\n"
	"type A = [4294967296, 1073741824]    # right: 2^62")

CODE(T11,
	"Behind the bracket `+{x}` says that the devices along x hold terms whose sum is the value (rule WF-SUM). A part of an "
	"axis appears at most once in the whole type, since a device along it holds either another tile or another term; and "
	"truth values have no sums, since `or` and `and` are no additions.",
	"mesh {x: 4, y: 2}\n"
	"type A = [3{x}12]+{x}       # wrong: x cuts the array\n"
	"type A = [12]+{x,x}         # wrong: x twice\n"
	"type A = pred[12]+{x}       # wrong: truth values\n"
	"type A = f32[3{x}12]+{y}    # right: two terms of each tile, along y")

CODE(T12,
	"These words follow a type: by, over, at, on, only, crop, shift, wrap, through, union. They name no type, since nobody could "
	"tell the name from the word.",
	"mesh {x: 4}\n"
	"type only = [3{x}12]    # wrong\n"
	"type part = [3{x}12]    # right")
CODE(T13,
	"`..` in the braces goes on from the first device again, `..3` exactly three times. What comes round are blocks, so that "
	"their size comes before the brace. `..` without a number goes on to the end; in front of another axis it makes whole "
	"rounds, as many as the size has. `x@1` gives the first block to x = 1.",
	"mesh {x: 4, y: 2}\n"
	"type A = [{x,..}12]        # wrong: blocks of which size?\n"
	"type A = [2{x,..,y}24]     # wrong: a round has 16 elements\n"
	"type A = [2{x@4,..}24]     # wrong: x goes from 0 to 3\n"
	"type A = [1{x,..}12]       # right: cyclic\n"
	"type A = [1{x,..3,y}24]    # right: three rounds over x, then y counts")
CODE(T14,
	"Pieces that are stated, 5+4+3+1{x}13, are one for each device along the axes, in the order of its blocks, and add up to "
	"the size. A piece may be 0.",
	"mesh {x: 4}\n"
	"type A = [5+8{x}13]        # wrong: two pieces\n"
	"type A = [5+4+3+2{x}13]    # wrong: 14\n"
	"type A = [5+4+3+1{x}13]    # right")
CODE(T15,
	"`by` says how to share out a size that does not divide: ceil, chunk, balanced, floor or nested. It is for "
	"dimensions without a tile; where each of them says its tile or its pieces it would say nothing.",
	"mesh {x: 4}\n"
	"type A = [{x}13] by even        # wrong: no rule\n"
	"type A = [3{x}12] by ceil       # wrong: the tile is said\n"
	"type A = [{x}13] by balanced    # right: 4 3 3 3")
CODE(T16,
	"Words behind a type speak of devices, indices and sizes that are there: `on` and `at` of devices of the mesh, `only` and "
	"`crop` of one slice a dimension, `shift` of one distance or one a dimension, `over` of a mesh with no more devices than "
	"there are.",
	"mesh {x: 4}\n"
	"type A = [3{x}12] on 4            # wrong: devices are 0 to 3\n"
	"type A = [3{x}12, 5] only 2:8     # wrong: and of the other dimension?\n"
	"type A = [3{x}12, 5] only 2:8, :  # right\n"
	"type A = [12] at {0: 0-5; 2: 6-11} # right")
CODE(T17,
	"Steps of tiles, and what is made of them, begin and end where each device has one tile and all tiles have one size. Other "
	"distributions are redistributed as a whole.",
	"mesh {x: 4}\n"
	"type A = [1{x,..}12]\n"
	"A ~> [12]; step                     # wrong: A is no tile type\n"
	"type B = [12] at {0: 0-2; 1: 3-5; 2: 6-8; 3: 9-11}\n"
	"B ~> [12]; step                     # right: B is [3{x}12]")

/* Collectives. */

CODE(C01,
	"There are four operations of the theory: dynslice, allgather, alltoall and allpermute. Of "
	"several dimensions each has its factor: `alltoall(gather 0:2 1:2, split 2:4)`. With sums come "
	"reducescatter, allreduce, zeros and pad, and on chunks, in groups of a placed mesh, reduce and broadcast: "
	"`reduce inside node`.",
	"mesh {x: 4}\n"
	"from [3{x}12, 12]\n"
	"apply shuffle(0)      # wrong: no such operation\n"
	"apply allgather(0)    # right")
CODE(C02,
	"Each operation has its own arguments: dynslice(i, x), allgather(i) or allgather(i, f), alltoall(i, j) or "
	"alltoall(i, j, f), allpermute with or without a type. i and j are dimensions counted from 0, x is an "
	"axis, f a factor.",
	"mesh {x: 4}\n"
	"from [3{x}12, 12]\n"
	"apply alltoall(0)       # wrong: and split along which dimension?\n"
	"apply alltoall(0, 1)    # right")
CODE(C03, "Dimensions count from 0, so that an array of two dimensions has the dimensions 0 and 1.",
	"mesh {x: 4}\n"
	"from [3{x}12, 12]\n"
	"apply allgather(2)    # wrong: there are 0 and 1\n"
	"apply allgather(0)    # right")
CODE(C04,
	"dynslice keeps on each device one piece of what it holds, chosen by its coordinate along an axis. If the "
	"axis already splits the array, devices that differ along it hold different tiles, and the pieces that "
	"the others drop are lost.",
	"mesh {x: 4, y: 2}\n"
	"from [3{x}12, 12]\n"
	"apply dynslice(1, x)    # wrong: x already splits dimension 0\n"
	"apply dynslice(1, y)    # right")
CODE(C05,
	"Splitting a dimension by a factor cuts each tile into that many equal pieces, so that the factor divides "
	"the tile size of the dimension.",
	"mesh {x: 4, y: 2}\n"
	"from [3{x}12, 12]\n"
	"apply dynslice(0, y)    # wrong: 3 is not divisible by 2\n"
	"apply dynslice(1, y)    # right: 12 is")
CODE(C06,
	"Gathering along a dimension joins the tiles into which axes have split it. Where no axis splits it, every "
	"device has all of it already.",
	"mesh {x: 4}\n"
	"from [3{x}12, 12]\n"
	"apply allgather(1)    # wrong: dimension 1 is whole\n"
	"apply allgather(0)    # right")
CODE(C07,
	"Only neighbouring tiles make a larger tile, and neighbours differ in the innermost axes of the dimension. "
	"So the gathered factor is the product of whole innermost axes, or of these and a minor part of the next.",
	"mesh {x: 2, y: 3}\n"
	"from [2{x,y}12]\n"
	"apply allgather(0, 3)    # wrong: x, of size 2, is the innermost\n"
	"apply allgather(0, 2)    # right: gathers x\n"
	"apply allgather(0, 3)    # right now: only y is left")
CODE(C08,
	"An all-to-all trades the split of one dimension for that of another. Gathering and splitting the same "
	"dimension would leave the tile sizes as they are: that is a permutation of tiles, allpermute.",
	"mesh {x: 4}\n"
	"from [3{x}12, 12]\n"
	"apply alltoall(0, 0)    # wrong\n"
	"apply alltoall(0, 1)    # right")
CODE(C09,
	"An all-to-all keeps the number of elements on a device: what grows along the gathered dimensions shrinks "
	"along the split ones by the same product.",
	"mesh {x: 4}\n"
	"from [3{x}12, 12]\n"
	"apply alltoall(gather 0:4, split 1:2)    # wrong: gathers by 4, splits by 2\n"
	"apply alltoall(gather 0:4, split 1:4)    # right")
CODE(C10,
	"allpermute sends whole tiles between devices and never cuts one, so that tiles have the same shape "
	"before and after it.",
	"mesh {x: 4}\n"
	"from [3{x}12, 12]\n"
	"apply allpermute [12, 3{x}12]           # wrong: 3 x 12 becomes 12 x 3\n"
	"mesh {x: 2, y: 2}\n"
	"from [6{x}12, 12]\n"
	"apply allpermute [6{y}12, 12]           # right: 6 x 12 before and after")
CODE(C11,
	"A slice without a gather splits by axes that no dimension uses yet, or by parts of them. Their sizes make up "
	"the factor.",
	"mesh {x: 4, y: 2}\n"
	"from [3{x}12, 12]\n"
	"apply dynslice(1, 4)    # wrong: y, the only unused axis, has size 2\n"
	"apply dynslice(1, 2)    # right")

CODE(C12,
	"A reducescatter and an allreduce add up what the devices along an axis hold, so that these have to be terms: the axis, "
	"or the part of one, follows the bracket of the type, in `+{...}`.",
	"mesh {x: 4, y: 2}\n"
	"from [3{x}12, 12]+{y}\n"
	"apply allreduce {x}    # wrong: x cuts the array\n"
	"apply allreduce {y}    # right")

CODE(C13,
	"Groups hand out as many pieces as they bring together: a reducescatter pushes the size of what it sums times that of what "
	"it pops. An allpermute sends whole tiles, terms as they are, so that there are as many terms after it as before.",
	"mesh {x: 4, y: 2}\n"
	"from [3{x}12, 12]+{y}\n"
	"apply reducescatter {y} [[0,2]] [[1,2]]    # wrong: 2 * 2 pieces\n"
	"apply reducescatter {y} [[0,2]] [[1,4]]    # right")

CODE(C14,
	"A reducescatter leaves each device of a group one piece of the sum, and all pieces are of one size. Where no dimension "
	"divides, an allreduce leaves the whole sum on all.",
	"mesh {x: 4, y: 2}\n"
	"from [7, 4]+{y}\n"
	"apply reducescatter(0, {y})    # wrong: 7 is odd\n"
	"apply reducescatter(1, {y})    # right")

/* Steps on chunks: seed 001, figure 8 and lemmas B.3 to B.6. */

CODE(R01,
	"A collective that adds, adds what its members hold place by place. They have to hold the same chunks; where one holds the first half and another the second, halves of different chunks would be added, and no later step can take them apart.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply reducescatter inside cpu\n"
	"apply allreduce inside cpu    # wrong: A0 holds chunks 0-1, A1 holds 2-3\n"
	"apply allreduce across cpu    # right: A0 and B0 hold the same chunks")

CODE(R02,
	"No share of a chunk may be added to it twice. Devices that were summed before hold the same shares, and summing over both counts them again; nothing takes a share out of a sum.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply allreduce across cpu\n"
	"apply allreduce inside root    # wrong: A0 and B0 hold the share of A0\n"
	"apply allreduce inside cpu     # right: A0 and A1 hold others")

CODE(R03,
	"A reducescatter leaves each member of a group as many chunks as any other. What they hold has to divide by the size of the group. Programs do not get there: there are as many chunks as devices in a sum, and each step divides by factors of that number that have not divided it yet.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"# wrong where devices hold chunks that are no multiple of the group\n"
	"apply reducescatter inside cpu    # right: four chunks, two devices")

CODE(R04,
	"An allgather takes as much from every member: buffers of one length are joined. Where some members hold more chunks than others, as after a step between the first devices alone, it has nothing to go by.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply reduce inside cpu\n"
	"apply allgather inside cpu    # wrong: A0 holds four chunks, A1 none\n"
	"apply broadcast inside cpu    # right")

CODE(R05,
	"An allgather joins different chunks. Where two members hold the same one there would be two of it, and none would be the sum.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply allgather inside cpu        # wrong: both hold all chunks\n"
	"apply reducescatter inside cpu    # right: then each holds its own")

CODE(R06,
	"A broadcast puts what the first device of a group holds in place of what the others hold. It has to know all that they know, chunk by chunk and share by share, or something is lost for good.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply broadcast inside cpu    # wrong: A1 holds its own share, A0 does not\n"
	"apply reduce inside cpu       # right\n"
	"apply broadcast inside cpu    # right: now A0 knows more")

CODE(R07,
	"A broadcast has to tell at least one device something: every step makes devices know more, or empties them for good, so that programs end. Where the others of a group hold what the first does already, it is left out.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply allreduce inside root\n"
	"apply broadcast inside cpu    # wrong: all know the sum\n"
	"verify                        # right")

CODE(R08,
	"A collective works on what its members hold. After a reduce all but the first devices hold nothing, and a group of those has nothing to do; the form `masters` is the group of the firsts alone.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply reduce inside cpu\n"
	"apply allreduce across cpu     # wrong: A1 and B1 hold nothing\n"
	"apply allreduce masters cpu    # right: A0 and B0")

CODE(R09,
	"Devices that differ along an axis that is not summed hold values of their own, which must not be added to each other. Whoever works together differs along summed axes only (lemmas B.3 to B.5): every factor between the ancestor and the slice of `across`, and below the slice of `inside`, has size 1 or belongs to a summed axis. Hierarchies d and e have no other factors. The form `masters` needs more (lemma B.6): where a factor of another axis is below its slice, firsts sum and the others never can.",
	"system {cpu: 2, gpu: 4}\n"
	"axes {data: 2, shard: 4}\n"
	"place [[1 2] [2 2]]\n"
	"reduce {data} f32[1024]\n"
	"set hierarchy a\n"
	"apply allreduce inside cpu     # wrong: A0 and A1 differ along shard\n"
	"set hierarchy e\n"
	"apply allreduce inside cpu     # right: A0 and A2, A1 and A3")

/* Arithmetic: products and programs. */

CODE(A01,
	"A program is a mesh, a function with typed inputs and a result, statements of one form each, and a return. Here the text is none of these (rule SYNTAX).",
	"program mesh {x: 2} fn f(a : [4]) [4] {return a}     # wrong\n"
	"program mesh {x: 2} fn f(a : [4]) -> [4] {return a}  # right")

CODE(A02,
	"An equation names each dimension of both operands and of the result by one letter, `ij,jk->ik`. A letter appears once in each of them, and one of the result is in an operand (rule E-EQ).",
	"mesh {x: 2}\n"
	"einsum ij,jk->iz [4, 6], [6, 3]    # wrong: no operand has z\n"
	"einsum ij,jk->ik [4, 6], [6, 3]    # right")

CODE(A03, "An equation has as many letters for an operand as that has dimensions (rule E-RANK).",
	"mesh {x: 2}\n"
	"einsum ij,j->i [4, 6], [6, 3]      # wrong: B has two dimensions\n"
	"einsum ij,jk->ik [4, 6], [6, 3]    # right")

CODE(A04, "A letter is one index, which runs over the same range wherever it is (rule E-SIZE).",
	"mesh {x: 2}\n"
	"einsum ij,jk->ik [4, 6], [5, 3]    # wrong: j is 6 and 5\n"
	"einsum ij,jk->ik [4, 6], [6, 3]    # right")

CODE(A05,
	"Tiles are multiplied where they are. Of a letter that both operands have each device needs the same part of both; here one is cut there differently from the other (rule E-SHARED, case 2 of seed 004).",
	"program mesh {x:2} fn f(a:[{x}4], b:[4])->? {c = mul a b return c} # wrong\n"
	"program mesh {x:2}fn f(a:[{x}4],b:[{x}4])->?{c=mul a b return c} # right")

CODE(A06,
	"One axis cuts a letter of one operand and another letter of the other, or of the same: only the tiles on the diagonal would be computed (rule E-AXIS, case 4 of seed 004).",
	"program mesh {x:2}fn f(a:[{x}4])->?{b=einsum\"i,j->ij\"a a return b} # wrong\n"
	"program mesh {x:2}fn f(a:[{x}4])->?{b=einsum\"i,i->i\"a a return b} # right")

CODE(A07,
	"A product of two sums over one axis is not the sum of the products of their terms. One of them has to be finished first, or gathered (rule E-SUM).",
	"program mesh {x:2} fn f(a:[4]+{x})->? {b = mul a a return b} # wrong\n"
	"program mesh {x:2} fn f(a:[4])->? {b = mul a a return b}     # right")

CODE(A08, "relu and exp of a sum are not the sums of relu and exp of its terms. Finish the sum first (rule EW-SUM).",
	"program mesh {x:2} fn f(a:[4]+{x}) -> [4] {b = relu a return b} # wrong\n"
	"program mesh {x:2} fn f(a:[4]+{x}) -> [4]+{x} {b = neg a return b} # right")

CODE(A09,
	"Element by element both operands have one layout, with the same sums: a copy that is added to a term would be added once for each device (rule EW-TYPE). zeros makes of a copy a sum.",
	"program mesh {x:2} fn f(a:[4], b:[2]) -> [4] {c = add a b return c} # wrong\n"
	"program mesh {x:2} fn f(a:[4], b:[4]) -> [4] {c = add a b return c} # right")

CODE(A10, "A statement uses inputs and what earlier statements have defined (rule T-VAR).",
	"program mesh {x: 2} fn f(a : [4]) -> [4] {return b}  # wrong\n"
	"program mesh {x: 2} fn f(a : [4]) -> [4] {return a}  # right")

CODE(A11, "A body has one parameter for each operand of its spmd_op (rule T-SPMD-ARGS).",
	"program mesh {x:2} fn f(a:[4]) -> [4] {\n"
	"b = spmd_op a (t:[4], u:[4]) {return t} as [4] return b}    # wrong\n"
	"program mesh {x:2} fn f(a:[4]) -> [4] {\n"
	"b = spmd_op a a (t:[4], u:[4]) {return t} as [4] return b}  # right")

CODE(A12,
	"A parameter is the tile that a device holds of the operand: the local type of its type (rule T-SPMD-TILE).",
	"program mesh {x:2} fn f(a:[{x}4]) -> [{x}4] {\n"
	"b = spmd_op a (t:[4]) {return t} as [{x}4] return b}  # wrong: tiles of [2]\n"
	"program mesh {x:2} fn f(a:[{x}4]) -> [{x}4] {\n"
	"b = spmd_op a (t:[2]) {return t} as [{x}4] return b}  # right")

CODE(A13,
	"A local operation works on whole tiles: matmul of [a, b] and [b, c] makes [a, c], element by element both are equal (rule T-LOCAL).",
	"program mesh {x:2} fn f(a:[2,8], c:[8,2]) -> [2,2] {\n"
	"b = spmd_op a a (t:[2,8], u:[2,8]) {return matmul t u}  # wrong\n"
	"as [2,2] return b}\n"
	"program mesh {x:2} fn f(a:[2,8], c:[8,2]) -> [2,2] {\n"
	"b = spmd_op a c (t:[2,8], u:[8,2]) {return matmul t u}\n"
	"as [2,2] return b}  # right")

CODE(A14, "The local type that is written behind a call is the one it has (rule T-ASCRIBE).",
	"program mesh {x:2} fn f(a:[4]) -> [4] {\n"
	"b = spmd_op a (t:[4]) {return neg t : [2]} as [4] return b}  # wrong\n"
	"program mesh {x:2} fn f(a:[4]) -> [4] {\n"
	"b = spmd_op a (t:[4]) {return neg t : [4]} as [4] return b}  # right")

CODE(A15, "The type after `as` has the tile that the body returns as its local type (rule T-SPMD-OUT).",
	"program mesh {x:2} fn f(a:[{x}4]) -> [{x}4] {\n"
	"b = spmd_op a (t:[2]) {return t} as [4] return b}     # wrong\n"
	"program mesh {x:2} fn f(a:[{x}4]) -> [{x}4] {\n"
	"b = spmd_op a (t:[2]) {return t} as [{x}4] return b}  # right")

CODE(A16,
	"Devices that hold the same tile of the result have to compute it from the same tiles. Along an axis that the type after `as` leaves out, they would differ (rule D-SPMD).",
	"program mesh {x:2} fn f(a:[{x}4]) -> [2] {\n"
	"b = spmd_op a (t:[2]) {return t} as [2] return b}  # wrong: x has two tiles\n"
	"program mesh {x:2} fn f(a:[2]) -> [2] {\n"
	"b = spmd_op a (t:[2]) {return t} as [2] return b}  # right")

CODE(A17,
	"A redistribution changes where the elements are, never which array it is: sizes and element type stay (rule T-REDIST).",
	"program mesh {x:2} fn f(a:[4])->?{b=redistribute a as [2] return b} # wrong\n"
	"program mesh {x:2} fn f(a:[4])->?{b=redistribute a as [4] return b} # right")

CODE(A18, "What is returned has the type that the signature promises (rule T-RETURN).",
	"program mesh {x: 2} fn f(a : [4]) -> [2{x}4] {return a}  # wrong\n"
	"program mesh {x: 2} fn f(a : [4]) -> [4] {return a}      # right")

CODE(A19,
	"A name refers to one value, and a parameter of a body to one tile: what reads it would else depend on where it "
	"reads. Both places are marked.",
	"program mesh {x: 2} fn f(a : [4]) -> [4] {a = neg a return a}  # wrong\n"
	"program mesh {x: 2} fn f(a : [4]) -> [4] {b = neg a return b}  # right")

/* Formulas, of computations and of schedules. */

#define FORMULA(name, rule, wrong, right) \
	CODE(name, rule, \
		"mesh {x: 2}; type x = [{x}4]; type y = [{x}4]; type A = [{x}4, 6]\n" \
		"compute " wrong "  # wrong\n" \
		"compute " right "  # right")

FORMULA(F01,
	"A formula is an access, `=` or `+=`, and a sum of products of numbers, accesses and functions of them; `wrap` and `on NAME` may follow.",
	"y[i] = 2x[i]", "y[i] = 2*x[i]")
FORMULA(F02,
	"An array is what `type NAME = TYPE` says: how it is held. Only the left side may lack a type, where `on` says where it is computed.",
	"y[i] = z[i]", "y[i] = x[i]")
FORMULA(F03, "An access has as many indices as the array has dimensions, and all accesses of one array have as many.",
	"y[i] = A[i]", "y[i] = f(A[i,:])")
FORMULA(F04, "A letter is one index, which runs over the same range wherever it is alone. Both places are marked.",
	"y[i] = A[i,j]*x[j]", "y[i] = A[i,j]*x[i]")
FORMULA(F05,
	"In one access each letter appears once: the elements with two equal indices are a diagonal, which is no product of sets of indices; on "
	"the left all others would be undefined.",
	"A[i,i] = x[i]", "A[i,j] = x[i]")
FORMULA(F06,
	"No array may be on both sides of a formula: in which order its elements are made would count. `+=` adds to what it holds.",
	"y[i] = y[i] + x[i]", "y[i] += x[i]")
FORMULA(F07,
	"An index is `:`, or a whole number times one letter and a whole number added, perhaps divided by a whole number of at least 1, rounded down.",
	"y[i] = x[i*i]", "y[i] = x[2*i+1]")
FORMULA(F08, "On the left letters are alone: they are the elements that are made. An offset belongs on the right.",
	"y[i+1] = x[i]", "y[i] = x[i-1]")
FORMULA(F09,
	"A letter runs over the sizes of a dimension in which it is alone. One that the left side lacks is summed, and needs an access that says from where to where.",
	"y[i] = x[i]*x[j-1]", "y[i] = x[i-1]")
FORMULA(F10,
	"A letter of the left side is an index, and no value: what is computed with are numbers, accesses and functions of them.",
	"y[i] = i*x[i]", "y[i] = 3*x[i]")
FORMULA(F11,
	"What makes one value of many elements is a function: a whole dimension `:` and the neighbours that a graph says are inside of one.",
	"y[i] = x[:]", "y[i] = f(x[:])")
CODE(F12,
	"`graph FILE` is a list of neighbours, a line for each value of the letter, or a Matrix Market file; it names elements of the array only.",
	"mesh {x: 2}; type x = [{x}4]; type y = [{x}4]\n"
	"compute y[i] = f(x[graph session.shw])      # wrong: no list of numbers\n"
	"compute y[i] = f(x[i])                      # right")
FORMULA(F13,
	"`on NAME` computes where an array of the formula is: it has an access in which letters alone say where an element is.",
	"y[i] = x[i-1] on x", "y[i] = x[i-1] + 0*x[i] on x")
CODE(F14,
	"A formula has so many letters, indices, arrays and functions in each other as there is room for, and indices whose values are numbers of 64 bits.",
	"mesh {x: 2}; type x = [{x}4]; type y = [{x}4398046511104]\n"
	"compute y[i] = x[1000000*i]  # wrong\n"
	"compute y[i] = x[1000*i]     # right")
CODE(F15,
	"A schedule computes sums of products of accesses with letters alone, and says itself where: its loops run over the letters.",
	"mesh {x: 2}; type x = [{x}4]; type y = [{x}4]\n"
	"compute y[i] = x[i-1]\n"
	"schedule .divide(i,io,ii,2)  # wrong\n"
	"compute y[i] = x[i]\n"
	"schedule .divide(i,io,ii,2)  # right")
CODE(F17,
	"In rounds the result becomes the first input of the next: it has the shape of that array, and several steps in a row are computed where it is.",
	"mesh {x: 2}; type x = [{x}4]; type y = [{x}4]; type A = [{x}4, 6]\n"
	"compute y[i] = f(A[i,:]); tasks 2  # wrong\n"
	"compute y[i] = f(x[i]); tasks 2    # right")
CODE(F18, "A statement of a program that computes by a formula has the name of the array that the formula makes.",
	"program mesh {x:2} fn f(x:[{x}4])->[{x}4]{\n"
	"y = compute \"z[i] = x[i]\" as [{x}4] return y}   # wrong\n"
	"program mesh {x:2} fn f(x:[{x}4])->[{x}4]{\n"
	"y = compute \"y[i] = x[i]\" as [{x}4] return y}   # right")

CODE(F19, "What is computed has one element type: no value is converted on the way.",
	"mesh {x: 2}; type x = f64[{x}4]; type y = i64[{x}4]; type z = f64[{x}4]\n"
	"compute y[i] = x[i]; verify  # wrong\n"
	"compute z[i] = x[i]; verify  # right")
/* Schedules.  A command that is refused changes nothing, so that the right one can follow. */

#define COMMAND(name, rule, wrong, right) \
	CODE(name, rule, \
		"mesh {x: 2, y: 2}\n" \
		"type B = f64[2, 6] xy->xy; type C = f64[6, 2] xy->xy\n" \
		"type A = f64[2, 2] xy->xy; compute A(i,j) = B(i,k) * C(k,j)\n" \
		"schedule " wrong "  # wrong\n" \
		"schedule " right "  # right")

COMMAND(D11,
	"A schedule is a chain of commands, `.divide(i, io, ii, 2).reorder({io, j})`: a word and its arguments in brackets, lists in braces.",
	".divide i io ii 2", ".divide(i, io, ii, 2)")
COMMAND(D12,
	"The commands are those of the paper: divide, split, collapse, reorder, distribute, communicate, rotate, parallelize, precompute, substitute.",
	".vectorize(k)", ".parallelize(i, threads)")
COMMAND(D13,
	"Each command has its own arguments, and lists that belong together are of one length; `help schedule` has a row for each.",
	".divide(i, io, ii)", ".divide(i, io, ii, 2)")
COMMAND(D14, "A command names loops of the statement, or loops that commands before it made of these.",
	".divide(q, qo, qi, 2)", ".divide(k, ko, ki, 2)")
COMMAND(D15, "A loop that was cut, fused or rotated is replaced by others; commands after that name these.",
	".divide(i,io,ii,2).divide(i,a,b,2)", ".divide(i,io,ii,2).divide(ii,a,b,2)")
COMMAND(D16,
	"A new loop or workspace has a name that no loop, array or letter has or had, so that each name means one thing.",
	".divide(k, j, ki, 2)", ".divide(k, ko, ki, 2)")
COMMAND(D17,
	"A loop is cut in one piece at least, and a piece has one iteration at least; what does not divide leaves the last piece short.",
	".divide(i, io, ii, 0)", ".divide(i, io, ii, 2)")
COMMAND(D18, "A list of loops names each of them once: it says in which order they come, or where.",
	".reorder({i, j, i})", ".reorder({j, i})")
COMMAND(D19, "Loops are fused that are directly inside each other, the outer one first.", ".collapse(i, k, f)",
	".collapse(i, j, f)")
COMMAND(D20,
	"A loop in space is one processor an iteration: it is cut and fused before it is distributed, and its iterations are no threads.",
	".distribute(i).divide(i, io, ii, 2)", ".divide(i, io, ii, 2).distribute(io)")
COMMAND(D21, "The iterations of a loop of threads are on one processor; a loop is either of threads or in space.",
	".parallelize(i, threads).distribute(i)", ".distribute(i)")
COMMAND(D22,
	"A rotation shifts when a loop does its iterations by the values of other loops; by its own value it would do some of them twice.",
	".rotate(k, {k}, ks)", ".rotate(k, {i}, ks)")
COMMAND(D23, "The loops by which another one is rotated are outside of it: else their values change while it runs.",
	".reorder({k, i}).rotate(k, {i}, ks)", ".rotate(k, {i}, ks)")
COMMAND(D24, "What a rotation makes or uses stays as it is: cut and fuse loops before they are rotated.",
	".rotate(k,{i},ks).divide(ks,ko,ki,2)", ".divide(k,ko,ki,2).rotate(ko,{i},ks)")
COMMAND(D25,
	"A rotation is in time: it says when a processor does an iteration. In space it would only number processors anew.",
	".distribute(j).rotate(j, {i}, js)", ".distribute(j).rotate(k, {j}, ks)")
COMMAND(D26, "A loop that has a communicate stays as it is: cut, fuse and rotate it first.",
	".communicate(B,k).divide(k,ko,ki,2)", ".divide(k,ko,ki,2).communicate(B,ko)")
COMMAND(D27, "What an array is communicated under is said once for each loop.",
	".communicate(A, j).communicate({A,B}, j)", ".communicate({A, B}, j)")
COMMAND(D28, "What is communicated is an array of the statement: nothing else is read or made.", ".communicate(D, j)",
	".communicate(C, j)")
COMMAND(D29, "Threads of a loop of a sum add to the same elements; `reduce` gives each its own.",
	".parallelize(k, threads)", ".parallelize(k, threads, reduce)")
COMMAND(D30, "What is computed first is a product of factors of one term, as they are in the statement.",
	".precompute(B(i,j), W)", ".precompute(B(i,k), W)")
COMMAND(D31, "A kernel takes the place of the innermost loops, of all from some loop on.",
	".substitute({i, j}, gemm)", ".substitute({i, j, k}, gemm)")
COMMAND(D32,
	"The kernels are gemm, gemv, ttv, ttm, mttkrp, dot and innerprod; a prefix `X::` and capitals do not count.",
	".substitute({i, j, k}, hemm)", ".substitute({i, j, k}, gemm)")
COMMAND(D33, "A kernel takes the place of loops that compute what it computes, and are the loops of all its letters.",
	".substitute({i, j, k}, ttv)", ".substitute({i, j, k}, gemm)")
COMMAND(D34, "A kernel computes and communicates nothing: what it needs is fetched under a loop outside of it.",
	".communicate(B,k).substitute({i,j,k},gemm)", ".communicate({B,C},j).communicate(A,j)")
COMMAND(D35,
	"Loops in space run over the axes of the mesh, outer loops on outer axes: there are no more of them than axes.",
	".distribute(i).distribute(j).distribute(k)", ".distribute(i).distribute(j)")
COMMAND(D36,
	"A loop in space has no more iterations than its axis has processors. For more pieces than processors, split it: some of them follow "
	"each other in time.",
	".distribute(k)", ".divide(k, ko, ki, 2).distribute(ko)")

/* Searching. */

CODE(S01,
	"The budget bounds the height of a plan: the largest tile that a device holds at any time, both ends "
	"included. No plan can stay below the larger tile of its two ends; the message says what is needed.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan --budget 20    # wrong: both ends hold 36 elements\n"
	"plan --budget 36    # right")
CODE(S02,
	"With the operations that are allowed, no sequence leads from one type to the other. Allow one that was "
	"forbidden. Where a larger budget would help, the error is S01 and says the number that is needed. A strategy "
	"that follows another system has no plan either where that system would pad tiles or end in an error of its own; those of DTensor have none for parts "
	"of axes either, and know no hosts: like DTensor on CPU they take every link for one between hosts.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan --without alltoall,allgather      # wrong: nothing can join tiles\n"
	"plan --without alltoall --budget 144   # right: gather, then slice")
CODE(S03,
	"The search was interrupted, before it had any answer. Where it had found a plan, that plan is "
	"the answer, with a lower bound of the cost.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan exact    # wrong where Ctrl-C stops it at once\n"
	"plan exact    # right")
CODE(S04, "A strategy is a way to choose a plan; `help plan` lists them. fused is used where none is named.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan fuse_all    # wrong\n"
	"plan fused       # right")
CODE(S05,
	"A cost model turns a step into a number. `paper` counts elements per device as the theory does, `volume` "
	"only those that arrive from another device; `latency`, `calibrated` and `roofline` are seconds.",
	"model volumes    # wrong\n"
	"model volume     # right")
CODE(S06,
	"A node of the search graph is a local type: tile sizes that divide the global sizes, with factors that the "
	"mesh has, and that fit the budget. It is named by its number or by its tile sizes.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"goto [5, 12]    # wrong: 5 does not divide 12\n"
	"goto [6, 6]     # right")
CODE(S07,
	"The walk is at its first step and cannot go back, or at its last and cannot go on: a search has ended when "
	"the goal is visited or nothing is left to look at.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"back    # wrong: the walk is at its start\n"
	"step    # right")
CODE(S08,
	"Showing or checking what each device holds needs a row per device, and is done up to 2^20 devices. Planning "
	"itself knows only sizes and goes up to 2^40. Where no type describes the tiles after a step, the plan has a map instead, "
	"a row per device again: maps of all devices may take 1 GiB while a plan is made. `plan direct` needs none.",
	"mesh {x: 4194304}\n"
	"redistribute [1{x}4194304, 4194304] ~> [4194304, 1{x}4194304]\n"
	"plan --maps    # wrong: 2^22 rows\n"
	"plan           # right")
CODE(S09,
	"The cost of a plan is a sum of tile sizes over its steps and has to fit in 64 bits. Dividing all sizes of "
	"a dimension by a factor that no axis has leaves the choice of the plan as it is.",
	"mesh {x: 2, y: 2}\n"
	"from [1{x}2, 2305843009213693951{y}4611686018427387902]\n"
	"to [2, 4611686018427387902]\n"
	"plan        # wrong: the steps cost more than 2^63 - 1\n"
	"from [1{x}2, 2305843009213693{y}4611686018427386]\n"
	"to [2, 4611686018427386]\n"
	"plan        # right")

CODE(S10,
	"The model `calibrated` predicts seconds from what was measured on this machine: on the host of this name, with as many "
	"processors and the same MPI. There is no such measurement: none was made, its file cannot be read, or it is of another "
	"host, number of processors or MPI; the message says which. `calibrate` makes a new one; `model latency` does with round "
	"figures.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan --model calibrated    # wrong before `calibrate` ran here\n"
	"plan --model latency       # right")
CODE(S11, "Hardware is a row of a table, with a name and the rates of its links; `hardware` lists them all.",
	"hardware h1000    # wrong\n"
	"hardware h100     # right")

/* Plans. */

CODE(P01,
	"A plan file is a JSON object whose \"schema\" is \"shardwalk.plan/2\", with a mesh, two types and steps. "
	"`export plan FILE` writes one, `open FILE` reads it.",
	"open batch.json    # wrong: JSON, but no plan\n"
	"open plan.json     # right: written by `export plan plan.json`")
CODE(P02,
	"The number at the end of a schema's name counts incompatible changes. This program reads versions 1 and 2; a "
	"plan of another version has to be planned again, from its mesh and its two types.",
	"open newer.json    # wrong: it says \"shardwalk.plan/3\"\n"
	"open plan.json     # right: it says \"shardwalk.plan/2\"")
CODE(P03,
	"A plan file says some things twice, types as well as tile sizes, costs as well as steps. They were derived "
	"again, and what the file says is something else: it was changed by hand or damaged.",
	"open edited.json    # wrong: it says height 7, and no tile has 7 elements\n"
	"open plan.json      # right")
CODE(P04,
	"A plan is executed on real data, and every element of every device is compared with what the target type "
	"says. The message names the first that differs: device, index, where it should have come from, and where "
	"it came from. The plan is wrong, whatever its cost. `plan` and `open` check the maps of a plan, so that this "
	"code means a fault in shardwalk itself: please report it.",
	"open plan.json\n"
	"verify    # wrong where an element is not the one the target type says\n"
	"verify    # right where all are")
CODE(P05,
	"The devices do not hold after the step what a collective could have brought them: a group that is not made "
	"of neighbouring tiles, a device in two groups, a tile that nobody sends.",
	"open edited.json    # wrong: device 2 is in two groups of step 1\n"
	"open plan.json      # right: each device is in one")
CODE(P06,
	"Formats of constraints name what the array is after every step, so every step has to end in a type whose axes one "
	"mesh has. Formats of collectives list groups and offsets, which is done for up to 4096 devices, and know only the "
	"collectives of their system. Of a program the message names the step that a format cannot say: a sum that JAX multiplies, a body "
	"on tiles where operations are those on whole arrays, elements that C does not compute with.",
	"mesh {x: 4}\n[3{x}12, 12] ~> [12, 3{x}12]\n"
	"export hlo - direct    # wrong: an exchange is no collective of HLO\n"
	"export mpi - direct    # right: MPI sends what each rank needs")

CODE(P07,
	"Steps by hand, or of a file, lead from `from` to somewhere; a solution ends with the tile on every device that `to` says. "
	"The message names the first device that ends with another. `verify --prefix` executes the steps all the same, as far as "
	"they go.",
	"mesh {x: 4, y: 2}\n[8, 2{x}8, 4{y}8] ~> [8, 8, 1{y,x}8]\n"
	"apply alltoall(1, 2)    # leads to [8, 8, 1{x,y}8]\n"
	"verify                  # wrong: the axes are in the other order\n"
	"verify --prefix         # right: it says that this is no solution\n"
	"plan                    # right: it permutes as well")

CODE(P08,
	"`verify lemma 4.6` draws small cases, builds what the statement promises, and executes both sides. One case for which it "
	"is not so refutes it; it is made as small as it stays one, and shown as a script. With `--unsplit` axes need not be of prime "
	"size, on which most statements rest: then this is the answer that is expected.",
	"verify lemma 4.6 --unsplit         # wrong: axes of 4 and 6 are not prime\n"
	"verify lemma 4.6 --random 200      # right: with prime axes it holds")

/* Files and batches. */

CODE(B01,
	"The file could not be read: it is not there, it is a folder, or its rights do not allow it. The system's "
	"own words are in the message.",
	"source sesion.shw     # wrong: no such file\n"
	"source session.shw    # right")
CODE(B02,
	"The file could not be written: its folder is not there, its rights do not allow it, or the disk is full. "
	"A file that was there before is left as it was.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan\n"
	"export plan nowhere/plan.json    # wrong: there is no folder nowhere\n"
	"export plan plan.json            # right")
CODE(B03,
	"A line of a batch is one problem: a JSON object with mesh, from and to, or the text MESH FROM ~> TO. A bad "
	"line gives an error in its place, the others are planned, and the exit status is 1.",
	"{\"mesh\": \"{x: 4}\", \"from\": \"[3{x}12]\"}                   # wrong: no \"to\"\n"
	"{\"mesh\": \"{x: 4}\", \"from\": \"[3{x}12]\", \"to\": \"[12]\"}     # right\n"
	"{x: 4} [3{x}12] ~> [12]                                  # right")
CODE(B04,
	"The text was to be JSON and is not: the message says the line and the column where reading stopped. Names "
	"and texts are in double quotes, and nothing follows the last entry.",
	"{\"mesh\": \"{x: 4}\", \"from\": \"[3{x}12]\", \"to\": \"[12]\",}    # wrong: a comma\n"
	"{\"mesh\": \"{x: 4}\", \"from\": \"[3{x}12]\", \"to\": \"[12]\"}     # right")

/* Notations of others. */

CODE(N01,
	"The text was taken for a sharding as another system writes it, by how it starts, and does not go on as that "
	"system would print it. The message says which notation it was taken for. So is the error \"Sharding propagation failed\" of "
	"PyTorch that ends before its operands or its mesh do, on DeviceMesh((dp=2, tp=4), ...) or @ mesh: (2, 4). `explain N07` has "
	"all forms that `import` reads.",
	"mesh {x: 4}\n"
	"shape f32[12,12]\n"
	"from P('x' None)     # wrong: a comma is missing\n"
	"from P('x', None)    # right")
CODE(N02,
	"Planning needs to know which tile each device holds at either end. A sharding that puts everything on one device, "
	"leaves the layout to the program (manual), or has devices hold parts of something that is no sum, such as a mean or a maximum, says none.",
	"mesh {x: 4}\n"
	"shape f32[12,12]\n"
	"from {maximal device=0}         # wrong: one device has it all\n"
	"from {devices=[4,1]<=[4]}       # right")
CODE(N03,
	"Most notations say how an array is cut and leave out how large it is; many leave out the mesh as well. `shape` and "
	"`mesh` say it before them, or the text itself: f32[12,12] in front; NamedSharding(mesh=Mesh('x': 4), spec=P('x')); "
	"ShapeDtypeStruct(shape=(12, 12), dtype=float32, sharding=NamedSharding(...)); {devices=[4,1]<=[4]}, which says its devices. "
	"jax.device_put(x, NamedSharding(...)) says where an array goes: `from` before it says where it is.",
	"mesh {x: 4}\n"
	"from P('x', None)    # wrong: of which array?\n"
	"shape f32[12,12]\n"
	"from P('x', None)    # right")
CODE(N04, "A list of devices names each of 0 to N - 1 once, N being the product of the tile dimensions.",
	"mesh {x: 4}\n"
	"shape f32[12,12]\n"
	"from {devices=[4,1]0,1,2,2}    # wrong: device 2 twice\n"
	"from {devices=[4,1]0,1,2,3}    # right")
CODE(N05,
	"Both ends of a redistribution speak of one array, of as many dimensions. One end alone is over the mesh of the "
	"session; `A ~> B` in one statement, and what `import` reads, may be over two meshes of other devices: two shardings, "
	"two dictionaries of shardings, jax.device_put(x, NamedSharding(...)).",
	"mesh {x: 4}\n"
	"shape f32[12,12]\n"
	"from {devices=[2,1]<=[2]}    # wrong: the mesh has 4 devices\n"
	"from {devices=[2,2]<=[4]}    # right")
CODE(N06,
	"A module that a compiler dumped is read whole: the line `HloModule`, its computations in braces, one of them "
	"`ENTRY`, and instructions in them, each on a line of its own. Text that was cut off, by a log or a terminal, "
	"is read up to where it broke, if a collective comes before that.",
	"import HloModule f, num_partitions=8    # wrong: only its first line\n"
	"# right: import FILE, as `--xla_dump_hlo_pass_re=spmd.*` writes it")

CODE(N07,
	"A text is imported for what it holds: warnings \"Involuntary full rematerialization\" of XLA, an arrow or "
	"`to` between two shardings, an HLO module after partitioning, a plan, or the result of a run; jaxprs with "
	"sharding_constraint or collectives; of PyTorch DebugMode, graphs and generated code with _c10d_functional, tables and "
	"counts of CommDebugMode, the error \"Sharding propagation failed\", calls of redistribute and distribute_tensor; "
	"ShapeDtypeStruct, NamedSharding, Spec, DTensorSpec, an OpSharding as text, the picture of visualize_sharding. What a compiler "
	"prints beside them is passed over; but one of them has to be there.",
	"import the compiler was slow today    # wrong: no sharding in it\n"
	"# right: two shardings\n"
	"import f32[16,16] {devices=[4,1]<=[4]} -> {devices=[1,4]<=[4]}")

#define NOTATION(id, name, called, example) called ", " example "; "

CODE(N08,
	"The text begins like no type of the paper and no sharding, mesh or group of devices of another system. What is "
	"read, with an example each: " SW_NOTATIONS(NOTATION) "and what `import` finds in logs and modules.",
	"mesh {x: 4}\n"
	"shape f32[12,12]\n"
	"from by rows        # wrong: no system writes this\n"
	"from P('x', None)   # right")

/* Placements. */

CODE(D01,
	"A placement says for each level of the mesh which dimensions its axes cut: one text a level, outer first, in brackets where "
	"there are several. `;` between the axes of a mesh begins a level.",
	"mesh {x: 2, y: 2; g: 2}\n"
	"type B = f64[8, 8] xy->xy             # wrong: and inside of a node?\n"
	"type B = f64[8, 8] [xy->xy, zw->z]    # right")
CODE(D02, "The names on the left of the arrow are the dimensions of the array, in their order: as many as it has.",
	"mesh {x: 2, y: 2}\n"
	"type B = f64[8, 8] xyz->xy    # wrong: the array has two dimensions\n"
	"type B = f64[8, 8] xy->xy     # right")
CODE(D03,
	"The places on the right of the arrow are the axes of the mesh, or of one of its levels, in their order: for each a dimension "
	"that it cuts, a coordinate that alone has the array, or `*`, for the same on all.",
	"mesh {x: 2, y: 2}\n"
	"type B = f64[8, 8] xy->x     # wrong: and along y?\n"
	"type B = f64[8, 8] xy->x*    # right: the same along y")
CODE(D04,
	"A name refers to one dimension, and a dimension is cut by one axis of a level at most. What two axes of one level cut a type "
	"says: [{y,x}8].",
	"mesh {x: 2, y: 2}\n"
	"type B = f64[8, 8] xy->xx    # wrong: x twice\n"
	"type B = f64[8, 8] xy->yx    # right")
CODE(D05,
	"What an axis cuts is a dimension of the array, by the name that it has on the left. Without commas each letter is a name.",
	"mesh {x: 2, y: 2}\n"
	"type B = f64[8, 8] xy->xz    # wrong: no dimension is called z\n"
	"type B = f64[8, 8] xy->xy    # right")
CODE(D06, "A number on the right is a coordinate along the axis in whose place it is, from 0 to its size - 1.",
	"mesh {x: 2, y: 2}\n"
	"type B = f64[8, 8] xy->x2    # wrong: coordinates along y are 0 and 1\n"
	"type B = f64[8, 8] xy->x1    # right")

CODE(N09,
	"A function of a module that calls another twice makes everything in it twice, and so on: few lines can make more "
	"operations than a machine has memory for. What a module moves is counted all the same, times how often it runs; "
	"as a program it is read where it makes at most 100000 operations.",
	"import deep.mlir    # wrong where functions call each other too often\n"
	"# right: loops, which are stablehlo.while")

/* Where arrays lie and loops run. */

CODE(D40,
	"An algorithm runs on machines of one shape: Johnson's on a cube, Solomonik's on square layers whose number divides their "
	"side. Where the present machine has another shape the nearest one is taken; where no such machine has so few "
	"processors, or as many, the algorithm is left out.",
	"mesh {x: 2, y: 2}\nschedule johnson m=8 n=8 k=8     # wrong: the smallest cube has 8\n"
	"schedule cannon m=8 n=8 k=8      # right")
CODE(D41,
	"How many steps an algorithm takes follows from its machine in most of them. SUMMA has a size of its chunks, COSMA a "
	"number of steps.",
	"mesh {x: 2, y: 2}\nschedule cannon chunk=3 m=9 n=9 k=9     # wrong\n"
	"schedule summa chunk=3 m=9 n=9 k=9      # right")
CODE(D42,
	"A string of splits is COSMA's: `p` (parallel) or `s` (sequential), the dimension `m`, `n` or `k`, and how many parts, "
	"separated by commas. The parallel ones multiply to the number of processors.",
	"mesh {x: 2, y: 2}\nschedule cosma px2,sm2 m=8 n=8 k=8         # wrong: 'x' is no dimension\n"
	"schedule cosma pm2,sm2,pk2 m=8 n=8 k=8     # right")

/* The environment. */

CODE(E01,
	"The system gave no more memory. What was defined before is still there. Searching needs memory for each "
	"node it has seen, and maps for each device.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan --maps    # wrong where there is no room for a map of every device\n"
	"plan           # right: no map is needed")
CODE(E02,
	"Something that this statement starts is not installed, or not on the PATH. Planning, looking and checking need "
	"no other program.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan | lesss    # wrong where no program has this name\n"
	"plan            # right")
CODE(E03,
	"A screen needs a terminal that can place the cursor, with a name that the terminal database knows, and some "
	"room. What a screen shows can also be printed by `show`.",
	"mesh {x: 4}\n"
	"# wrong where a screen is asked for in a pipe, or with TERM=dumb\n"
	"show mesh    # right anywhere")

CODE(E04,
	"The ranks were started, and did not finish: one died, hung, or left without a word. A run counts "
	"only with its last record, whatever the exit status of the launcher is. Everything that was started has been "
	"ended, and the session is as it was before.",
	"mesh {x: 2}\n"
	"redistribute [6{x}12, 12] ~> [12, 6{x}12]\n"
	"run       # wrong where a rank is killed for want of memory\n"
	"verify    # right: executes the plan without MPI")

static const sw_code_info code_table[SW_CODE_COUNT] = {
#define X(name, title) [SW_##name] = {#name, title, rule_##name, example_##name},
	SW_CODES(X)
#undef X
};

const sw_code_info *sw_code_info_of(sw_code code)
{
	if ((int)code <= SW_OK || code >= SW_CODE_COUNT)
		return NULL;
	return &code_table[code];
}

bool sw_code_is_lack(sw_code code)
{
	return code == SW_B02 || (code >= SW_E01 && code <= SW_E04);
}

/* The codes' names are upper-case letters and digits. */
static char code_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

sw_code sw_code_named(const char *name, size_t length)
{
	char upper[4] = "";
	if (length != 3)
		return SW_OK;
	for (size_t i = 0; i < length; i++)
		upper[i] = code_upper(name[i]);
	for (int code = SW_OK + 1; code < SW_CODE_COUNT; code++)
		if (sw_str_equal(sw_str_of(code_table[code].name), (sw_str){upper, length}))
			return (sw_code)code;
	return SW_OK;
}

static const sw_error_row error_table[] = {
	{"statement", "syntax", SW_F01},
	{"statement", "unknown-tensor", SW_F02},
	{"statement", "tensor-rank", SW_F03},
	{"statement", "size-mismatch", SW_F04},
	{"statement", "duplicate-index", SW_F05},
	{"statement", "reads-output", SW_F06},
	{"distribution", "levels", SW_D01},
	{"distribution", "tensor-rank", SW_D02},
	{"distribution", "machine-rank", SW_D03},
	{"distribution", "duplicate-name", SW_D04},
	{"distribution", "unknown-name", SW_D05},
	{"distribution", "fixed-range", SW_D06},
	{"schedule", "syntax", SW_D11},
	{"schedule", "unknown-command", SW_D12},
	{"schedule", "arguments", SW_D13},
	{"schedule", "unknown-loop", SW_D14},
	{"schedule", "not-a-loop", SW_D15},
	{"schedule", "name-taken", SW_D16},
	{"schedule", "parts", SW_D17},
	{"schedule", "duplicate-loop", SW_D18},
	{"schedule", "not-nested", SW_D19},
	{"schedule", "already-distributed", SW_D20},
	{"schedule", "parallelized", SW_D21},
	{"schedule", "rotate-self", SW_D22},
	{"schedule", "rotate-inner", SW_D23},
	{"schedule", "rotated", SW_D24},
	{"schedule", "rotated-distributed", SW_D25},
	{"schedule", "communicated", SW_D26},
	{"schedule", "twice", SW_D27},
	{"schedule", "unknown-tensor", SW_D28},
	{"schedule", "race", SW_D29},
	{"schedule", "not-a-subexpression", SW_D30},
	{"schedule", "not-innermost", SW_D31},
	{"schedule", "unknown-kernel", SW_D32},
	{"schedule", "kernel-mismatch", SW_D33},
	{"schedule", "communicate-in-leaf", SW_D34},
	{"lowering", "too-many-distributed", SW_D35},
	{"lowering", "extent-over-machine", SW_D36},
};

const sw_error_row *sw_error_at(int n)
{
	bool there = n >= 0 && n < (int)(sizeof(error_table) / sizeof(*error_table));
	return there ? &error_table[n] : NULL;
}

static const sw_rule_row rule_table[] = {
	{"WF-MESH", SW_M02},
	{"WF-MESH", SW_M03},
	{"WF-MESH", SW_M04},
	{"WF-MESH", SW_M05},
	{"WF-DIM", SW_T02},
	{"WF-DIM", SW_T03},
	{"WF-DIM", SW_T04},
	{"WF-DIM", SW_T08},
	{"WF-TYPE", SW_T03},
	{"WF-TYPE", SW_T10},
	{"WF-SUM", SW_T11},
	{"SYNTAX", SW_A01},
	{"SYNTAX", SW_A19},
	{"T-VAR", SW_A10},
	{"T-SPMD", SW_A11},
	{"T-SPMD", SW_A12},
	{"T-SPMD", SW_A15},
	{"T-SPMD", SW_A16},
	{"T-SPMD-ARGS", SW_A11},
	{"T-SPMD-TILE", SW_A12},
	{"T-LOCAL", SW_A13},
	{"T-ASCRIBE", SW_A14},
	{"T-SPMD-OUT", SW_A15},
	{"D-SPMD", SW_A16},
	{"T-REDIST", SW_A17},
	{"T-RETURN", SW_A18},
	{"E-EQ", SW_A02},
	{"E-RANK", SW_A03},
	{"E-SIZE", SW_A04},
	{"EINSUM", SW_A05},
	{"EINSUM", SW_A06},
	{"EINSUM", SW_A07},
	{"E-SHARED", SW_A05},
	{"E-AXIS", SW_A06},
	{"E-SUM", SW_A07},
	{"EW-SUM", SW_A08},
	{"EW-TYPE", SW_A09},
};

const sw_rule_row *sw_rule_at(int n)
{
	return n >= 0 && (size_t)n < sizeof(rule_table) / sizeof(*rule_table) ? &rule_table[n] : NULL;
}
