/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `explain CODE` tells: for every code of SW_CODES the rule with its reason, and an example.  A code
 * without its rule_ and example_ below does not compile.
 *
 * Examples are lines of the language, or of a batch where they start with a brace.  A line with `# wrong` is refused
 * with the code, unless it goes on `# wrong if ...`: that depends on the machine.  All others are accepted, but for a
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
	"starts that way; `help` lists them all; the message suggests the nearest names.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plam exact    # wrong: no command starts with plam\n"
	"plan exact    # right")
CODE(L02,
	"Each argument of a command has a kind: a name, a number, a mesh, a type, a problem FROM ~> TO. This "
	"argument is not of the kind that the command expects here; `help COMMAND` shows the kinds.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12]                   # wrong: one type, no arrow\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]   # right")
CODE(L03,
	"The command cannot work without this argument, and has no sensible default. "
	"`help COMMAND` shows what it takes and which arguments may be left out.",
	"budget       # wrong: how much?\n"
	"budget 2x    # right: twice the larger of both ends' tiles")
CODE(L04,
	"The line has more words than the command takes. The whole statement is refused, so that no word is "
	"silently ignored. Separate two statements on one line by `;`.",
	"mesh {x: 4}\n"
	"undo mesh        # wrong: undo takes nothing\n"
	"undo; mesh {x: 8}    # right")
CODE(L05,
	"Options belong to a command and start with `--`; a mistyped option would silently change the question, so "
	"unknown options are errors. `--` alone ends the options. `help COMMAND` lists them.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan --stratgy exact     # wrong\n"
	"plan --strategy exact    # right")
CODE(L06,
	"Brackets, braces, parentheses and quotes come in pairs, and close in the opposite order of their "
	"opening. In a script, each statement ends on its own line, so a forgotten bracket cannot swallow the "
	"statements after it; only an interactive prompt continues reading.",
	"mesh {x: 4    # wrong: the brace is never closed\n"
	"mesh {x: 4}   # right")
CODE(L07,
	"The command works on something that earlier statements define: types need a mesh, a plan needs both "
	"ends of a redistribution, walking needs a search between them.",
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
CODE(L09, "A shortened word is accepted if only one full word starts with it. Here several do.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"b 2x            # wrong: budget, back or batch?\n"
	"budget 2x       # right")
CODE(L10,
	"Input is text in UTF-8. Control characters and other bytes usually come from another kind of file or "
	"another encoding. They are refused, and the message gives their number, because printing them could "
	"change the terminal.",
	"mesh {\"caf\\xe9\": 4}    # wrong: the byte 0xe9 of another encoding\n"
	"mesh {\"cafe\": 4}       # right")
CODE(L11,
	"A number has only decimal digits: no sign, no point, no exponent, no separators. Units are allowed only "
	"if an argument takes them, such as a budget in bytes.",
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
	"The value is of the right kind but outside the range of this setting or argument. The message gives the "
	"smallest and the largest value.",
	"set color sometimes    # wrong\n"
	"set color auto         # right")
CODE(L14,
	"A `mesh`, `type`, `from` or `to` before this statement failed. An older definition would answer a "
	"different question, so statements that depend on it are refused until it is defined again.",
	"mesh {x: 0}                                 # fails by itself\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]   # wrong: it has no mesh\n"
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]   # right")
CODE(L15,
	"A session that began with --safe, or that has run `set safe on`, runs nothing on ranks, writes no file "
	"and starts no program, whatever a script says. This lasts until the session ends. Pictures, plans and "
	"exports to - work as always.",
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
CODE(M02, "Types refer to axes by their names, so each axis needs its own name.",
	"mesh {x: 4, x: 6}    # wrong\n"
	"mesh {x: 4, y: 6}    # right")
CODE(M03,
	"The size of an axis is the number of devices along it: at least 1. If a type repeats the size, as in "
	"{x:4}, it must be the size in the mesh. An axis of size 1 is allowed; it splits nothing.",
	"mesh {x: 0}    # wrong\n"
	"mesh {x: 1}    # right")
CODE(M04,
	"A mesh has at most 64 axes, including those of size 1. More are never needed: axes of size 1 can be left "
	"out, and two axes that are always used together can be merged.",
	"mesh {a: 2, b: 1, c: 1, d: 1}    # right; with more than 64 of them wrong\n"
	"mesh {a: 2}                      # right, and the same devices")
CODE(M05,
	"The number of devices is the product of all axis sizes. Planning by sizes works up to 2^40 devices, which "
	"are at most forty prime factors. Nothing is stored per device, but the search grows with the factors.",
	"mesh {x: 1048576, y: 1048577}    # wrong: more than 1099511627776\n"
	"mesh {x: 1048576, y: 1048576}    # right: 2^40")
CODE(M06,
	"A name of letters, digits and `_` that does not start with a digit needs no quotes. Put any other name in "
	"quotes. A name has at most 63 bytes, no double quote and no control character.",
	"mesh {2nd: 4}      # wrong\n"
	"mesh {\"2nd\": 4}    # right")
CODE(M07,
	"After `@`, an axis may say how fast its devices are connected: a bandwidth per device and direction, a "
	"latency, or both. GB means 10^9 bytes. A step is as slow as the slowest axis that its groups cross.",
	"mesh {node: 2 @ 10Gb, core: 4}          # wrong: Gb is not a unit\n"
	"mesh {node: 2 @ 10GB/s 20us, core: 4}   # right")

/* Types. */

CODE(T01,
	"A type lists the dimensions of an array in brackets. A dimension is written tile{axes}global, or just as "
	"its size if it is not partitioned. Axes are written minor to major: the first varies fastest along the "
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
	"Each axis, or each part of it, splits at most one dimension, and only once. If x split two dimensions, a "
	"device would hold only tiles with equal positions in both, and no device would hold the others. Two parts "
	"of one axis may be used if they are different digits of the coordinate.",
	"mesh {x: 4}\n"
	"type A = [3{x}12, 3{x}12]              # wrong\n"
	"type A = [3{x}12, 12]                  # right\n"
	"type A = [6{x:(1)2}12, 6{x:(2)2}12]    # right: x is split in two")
CODE(T04,
	"Along each dimension the tiles cover the array exactly: the tile size times the sizes of the axes is the "
	"global size. Uneven tiles are not part of the theory, because a collective would then move different "
	"amounts on different devices. `explain 13 over 4` shows what other systems do with such a size; `set "
	"uneven pad` pads it as XLA does.",
	"mesh {x: 4}\n"
	"type A = [3{x}13]    # wrong: 3 * 4 = 12\n"
	"type A = [3{x}12]    # right\n"
	"type A = [{x}12]     # right: the tile is computed")
CODE(T05, "Sizes are whole numbers of at least 1. An array with a dimension of size 0 has no elements to move.",
	"mesh {x: 4}\n"
	"type A = [0, 12]    # wrong\n"
	"type A = [1, 12]    # right")
CODE(T06,
	"A type has at most 16 dimensions. Adjacent dimensions that are not partitioned can be merged: the answer "
	"is the same.",
	"mesh {x: 4}\n"
	"type A = [2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]    # wrong: 17\n"
	"type A = [4,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]      # right: 16, the same size")
CODE(T07,
	"The element type comes before the bracket and says how many bytes an element has. Without one, f32 is "
	"assumed. Names from other systems, such as s32, float32 or bfloat16, work, too.",
	"mesh {x: 4}\n"
	"type A = f31[12]    # wrong\n"
	"type A = f32[12]    # right\n"
	"type A = [12]       # right: f32")
CODE(T08,
	"A part of an axis is written x:(pre)size. The coordinate along x is read as a number of several digits; "
	"the part is the digit of `size` values that has `pre` combinations of more major digits before it. So pre "
	"* size must divide the size of the axis, and a part has at least size 2.",
	"mesh {x: 4}\n"
	"type A = [4{x:(1)3}12]     # wrong: 3 does not divide 4\n"
	"type A = [6{x:(1)2}12]     # right: the major half of x\n"
	"type A = [6{x:(2)2}12]     # right: the minor half")
CODE(T09,
	"A redistribution changes where the elements are, never their number or their values: both types have the "
	"same global sizes and the same element type.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 4{x}16]    # wrong: dimension 1 grew\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]    # right")
CODE(T10,
	"The number of elements of the whole array is the product of its global sizes and must fit in 64 bits, "
	"because costs and memory count elements.",
	"mesh {x: 4}\n"
	"type A = [4294967296, 4294967296]    # wrong: 2^64\n"
	"type A = [4294967296, 1073741824]    # right: 2^62")

CODE(T11,
	"After the bracket, `+{x}` says that the devices along x hold terms whose sum is the value (rule WF-SUM). "
	"A part of an axis appears at most once in the whole type, since a device along it holds either a "
	"different tile or a different term. Truth values have no sums, since `or` and `and` are not additions.",
	"mesh {x: 4, y: 2}\n"
	"type A = [3{x}12]+{x}       # wrong: x cuts the array\n"
	"type A = [12]+{x,x}         # wrong: x twice\n"
	"type A = pred[12]+{x}       # wrong: truth values\n"
	"type A = f32[3{x}12]+{y}    # right: two terms of each tile, along y")

CODE(T12,
	"These words follow a type: by, over, at, on, only, crop, shift, wrap, through, union. They cannot name a "
	"type, since the name would look like the word.",
	"mesh {x: 4}\n"
	"type only = [3{x}12]    # wrong\n"
	"type part = [3{x}12]    # right")
CODE(T13,
	"`..` in the braces starts again from the first device, `..3` exactly three times. Blocks are dealt out, "
	"so their size must be before the brace. `..` without a number continues to the end; before another axis "
	"it makes as many whole rounds as fit. `x@1` gives the first block to x = 1.",
	"mesh {x: 4, y: 2}\n"
	"type A = [{x,..}12]        # wrong: blocks of which size?\n"
	"type A = [2{x,..,y}24]     # wrong: a round has 16 elements\n"
	"type A = [2{x@4,..}24]     # wrong: x goes from 0 to 3\n"
	"type A = [1{x,..}12]       # right: cyclic\n"
	"type A = [1{x,..3,y}24]    # right: three rounds over x, then y counts")
CODE(T14,
	"Stated pieces, 5+4+3+1{x}13, are one for each device along the axes, in the order of its blocks, and add "
	"up to the size. A piece may be 0.",
	"mesh {x: 4}\n"
	"type A = [5+8{x}13]        # wrong: two pieces\n"
	"type A = [5+4+3+2{x}13]    # wrong: 14\n"
	"type A = [5+4+3+1{x}13]    # right")
CODE(T15,
	"`by` says how to divide a size unevenly: ceil, chunk, balanced, floor or nested. It applies to dimensions "
	"without a tile; if every dimension states its tile or pieces, it would mean nothing.",
	"mesh {x: 4}\n"
	"type A = [{x}13] by even        # wrong: no such rule\n"
	"type A = [3{x}12] by ceil       # wrong: the tile is stated\n"
	"type A = [{x}13] by balanced    # right: 4 3 3 3")
CODE(T16,
	"Words after a type must refer to existing devices, indices and sizes: `on` and `at` to devices of the "
	"mesh, `only` and `crop` to one slice for each dimension, `shift` to one distance or one for each "
	"dimension, `over` to a mesh with no more devices than there are.",
	"mesh {x: 4}\n"
	"type A = [3{x}12] on 4            # wrong: devices are 0 to 3\n"
	"type A = [3{x}12, 5] only 2:8     # wrong: and of the other dimension?\n"
	"type A = [3{x}12, 5] only 2:8, :  # right\n"
	"type A = [12] at {0: 0-5; 2: 6-11} # right")
CODE(T17,
	"Plans made of steps begin and end with types in which each device has one tile and all tiles have one "
	"size. Other distributions are redistributed as a whole.",
	"mesh {x: 4}\n"
	"type A = [1{x,..}12]\n"
	"A ~> [12]; step                     # wrong: A is not a tile type\n"
	"type B = [12] at {0: 0-2; 1: 3-5; 2: 6-8; 3: 9-11}\n"
	"B ~> [12]; step                     # right: B is [3{x}12]")

/* Collectives. */

CODE(C01,
	"The theory has four operations: dynslice, allgather, alltoall and allpermute. With several dimensions, "
	"each has a factor: `alltoall(gather 0:2 1:2, split 2:4)`. For sums there are reducescatter, allreduce, "
	"zeros and pad, and for chunks, in groups of a placed mesh, reduce and broadcast: `reduce inside node`.",
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
CODE(C03, "Dimensions count from 0, so an array of two dimensions has the dimensions 0 and 1.",
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
	"Splitting a dimension by a factor cuts each tile into that many equal pieces, so the factor must divide "
	"the tile size of the dimension.",
	"mesh {x: 4, y: 2}\n"
	"from [3{x}12, 12]\n"
	"apply dynslice(0, y)    # wrong: 3 is not divisible by 2\n"
	"apply dynslice(1, y)    # right: 12 is")
CODE(C06,
	"Gathering along a dimension joins the tiles into which axes have split it. If no axis splits it, every "
	"device already has all of it.",
	"mesh {x: 4}\n"
	"from [3{x}12, 12]\n"
	"apply allgather(1)    # wrong: dimension 1 is whole\n"
	"apply allgather(0)    # right")
CODE(C07,
	"Only neighbouring tiles form a larger tile, and neighbours differ in the innermost axes of the dimension. "
	"So the gathered factor must be the product of whole innermost axes, or of these and a minor part of the "
	"next.",
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
	"allpermute sends whole tiles between devices and never cuts one, so tiles have the same shape before and "
	"after.",
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
	"A reducescatter and an allreduce add up what the devices along an axis hold, so these must be terms: the "
	"axis, or part of an axis, must be in `+{...}` after the bracket of the type.",
	"mesh {x: 4, y: 2}\n"
	"from [3{x}12, 12]+{y}\n"
	"apply allreduce {x}    # wrong: x cuts the array\n"
	"apply allreduce {y}    # right")

CODE(C13,
	"Groups hand out as many pieces as they bring together: a reducescatter pushes the size of what it sums "
	"times the size of what it pops. An allpermute sends whole tiles with their terms, so there are as many "
	"terms after it as before.",
	"mesh {x: 4, y: 2}\n"
	"from [3{x}12, 12]+{y}\n"
	"apply reducescatter {y} [[0,2]] [[1,2]]    # wrong: 2 * 2 pieces\n"
	"apply reducescatter {y} [[0,2]] [[1,4]]    # right")

CODE(C14,
	"A reducescatter leaves each device of a group one piece of the sum, and all pieces have the same size. If "
	"no dimension divides, use an allreduce, which leaves the whole sum on all devices.",
	"mesh {x: 4, y: 2}\n"
	"from [7, 4]+{y}\n"
	"apply reducescatter(0, {y})    # wrong: 7 is odd\n"
	"apply reducescatter(1, {y})    # right")

/* Steps on chunks: seed 001, figure 8 and lemmas B.3 to B.6. */

CODE(R01,
	"A collective that adds, adds what its members hold position by position. They must hold the same chunks; if one held the first half and another the second, different chunks would be added, and no later step could separate them.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply reducescatter inside cpu\n"
	"apply allreduce inside cpu    # wrong: A0 holds chunks 0-1, A1 holds 2-3\n"
	"apply allreduce across cpu    # right: A0 and B0 hold the same chunks")

CODE(R02,
	"No share of a chunk may be added to it twice. Devices that have been summed hold the same shares, and "
	"summing over both counts these again; no step can remove a share from a sum.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply allreduce across cpu\n"
	"apply allreduce inside root    # wrong: A0 and B0 hold the share of A0\n"
	"apply allreduce inside cpu     # right: A0 and A1 hold others")

CODE(R03,
	"A reducescatter leaves every member of a group the same number of chunks, so the size of the group must divide the number they hold. Generated programs always satisfy this: a sum has as many chunks as devices, and each step divides by unused factors of that number.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"# wrong if the number of chunks is not a multiple of the group\n"
	"apply reducescatter inside cpu    # right: four chunks, two devices")

CODE(R04,
	"An allgather takes the same amount from every member: it joins buffers of one length. It fails if some members hold more chunks than others, as after a step between only the first devices.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply reduce inside cpu\n"
	"apply allgather inside cpu    # wrong: A0 holds four chunks, A1 none\n"
	"apply broadcast inside cpu    # right")

CODE(R05,
	"An allgather joins different chunks. If two members held the same chunk, there would be two of it, and "
	"neither would be the sum.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply allgather inside cpu        # wrong: both hold all chunks\n"
	"apply reducescatter inside cpu    # right: then each holds its own")

CODE(R06,
	"A broadcast replaces what the other devices of a group hold by what the first device holds. The first "
	"must hold everything that they hold, chunk by chunk and share by share, or something is lost for good.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply broadcast inside cpu    # wrong: A1 holds its own share, A0 does not\n"
	"apply reduce inside cpu       # right\n"
	"apply broadcast inside cpu    # right: now A0 knows more")

CODE(R07,
	"A broadcast must give at least one device something new: every step adds to what devices hold, or empties them for good, so programs end. If the others of a group already hold what the first does, leave it out.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply allreduce inside root\n"
	"apply broadcast inside cpu    # wrong: all know the sum\n"
	"verify                        # right")

CODE(R08,
	"A collective works on what its members hold. After a reduce, all but the first devices hold nothing, so a group of them has nothing to do; the form `masters` is the group of the first devices.",
	"system {cpu: 2, gpu: 2}\n"
	"axes {data: 4}\n"
	"place [[2 2]]\n"
	"reduce {data} f32[1024]\n"
	"apply reduce inside cpu\n"
	"apply allreduce across cpu     # wrong: A1 and B1 hold nothing\n"
	"apply allreduce masters cpu    # right: A0 and B0")

CODE(R09,
	"Devices that differ along an axis that is not summed over hold different values, which must not be added. "
	"The members of a group may differ only along summed axes (lemmas B.3 to B.5): every factor between the "
	"ancestor and the slice of `across`, and below the slice of `inside`, has size 1 or belongs to a summed "
	"axis. Hierarchies d and e have no other factors. The form `masters` needs more (lemma B.6): if a factor "
	"of another axis is below its slice, the first devices sum but the others never can.",
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
	"A program is a mesh, a function with typed inputs and a result, statements of one form each, and a return. This text is none of these (rule SYNTAX).",
	"program mesh {x: 2} fn f(a : [4]) [4] {return a}     # wrong\n"
	"program mesh {x: 2} fn f(a : [4]) -> [4] {return a}  # right")

CODE(A02,
	"An equation names each dimension of both operands and of the result by one letter, `ij,jk->ik`. A letter "
	"appears once in each of them, and every letter of the result is in an operand (rule E-EQ).",
	"mesh {x: 2}\n"
	"einsum ij,jk->iz [4, 6], [6, 3]    # wrong: no operand has z\n"
	"einsum ij,jk->ik [4, 6], [6, 3]    # right")

CODE(A03, "An equation has one letter for each dimension of an operand (rule E-RANK).",
	"mesh {x: 2}\n"
	"einsum ij,j->i [4, 6], [6, 3]      # wrong: B has two dimensions\n"
	"einsum ij,jk->ik [4, 6], [6, 3]    # right")

CODE(A04, "A letter is one index, with the same range everywhere (rule E-SIZE).",
	"mesh {x: 2}\n"
	"einsum ij,jk->ik [4, 6], [5, 3]    # wrong: j is 6 and 5\n"
	"einsum ij,jk->ik [4, 6], [6, 3]    # right")

CODE(A05,
	"Tiles are multiplied in place. For a letter that both operands have, each device needs the same part of both; here the two are partitioned differently (rule E-SHARED, case 2 of seed 004).",
	"program mesh {x:2} fn f(a:[{x}4], b:[4])->? {c = mul a b return c} # wrong\n"
	"program mesh {x:2}fn f(a:[{x}4],b:[{x}4])->?{c=mul a b return c} # right")

CODE(A06,
	"One axis cuts two different letters, of the two operands or of one: only the tiles on the diagonal would be computed (rule E-AXIS, case 4 of seed 004).",
	"program mesh {x:2}fn f(a:[{x}4])->?{b=einsum\"i,j->ij\"a a return b} # wrong\n"
	"program mesh {x:2}fn f(a:[{x}4])->?{b=einsum\"i,i->i\"a a return b} # right")

CODE(A07,
	"A product of two sums over one axis is not the sum of the products of their terms. Complete or gather one of the sums first (rule E-SUM).",
	"program mesh {x:2} fn f(a:[4]+{x})->? {b = mul a a return b} # wrong\n"
	"program mesh {x:2} fn f(a:[4])->? {b = mul a a return b}     # right")

CODE(A08,
	"relu and exp of a sum are not the sums of relu and exp of its terms. Complete the sum first (rule "
	"EW-SUM).",
	"program mesh {x:2} fn f(a:[4]+{x}) -> [4] {b = relu a return b} # wrong\n"
	"program mesh {x:2} fn f(a:[4]+{x}) -> [4]+{x} {b = neg a return b} # right")

CODE(A09,
	"For elementwise operations both operands must have the same type, with the same sums: a copy added to a "
	"term would be added once for each device (rule EW-TYPE). zeros turns a copy into a sum.",
	"program mesh {x:2} fn f(a:[4], b:[2]) -> [4] {c = add a b return c} # wrong\n"
	"program mesh {x:2} fn f(a:[4], b:[4]) -> [4] {c = add a b return c} # right")

CODE(A10, "A statement uses inputs and the results of earlier statements (rule T-VAR).",
	"program mesh {x: 2} fn f(a : [4]) -> [4] {return b}  # wrong\n"
	"program mesh {x: 2} fn f(a : [4]) -> [4] {return a}  # right")

CODE(A11, "A body has one parameter for each operand of its spmd_op (rule T-SPMD-ARGS).",
	"program mesh {x:2} fn f(a:[4]) -> [4] {\n"
	"b = spmd_op a (t:[4], u:[4]) {return t} as [4] return b}    # wrong\n"
	"program mesh {x:2} fn f(a:[4]) -> [4] {\n"
	"b = spmd_op a a (t:[4], u:[4]) {return t} as [4] return b}  # right")

CODE(A12,
	"A parameter is a device's tile of the operand: it has the local type of the operand's type (rule "
	"T-SPMD-TILE).",
	"program mesh {x:2} fn f(a:[{x}4]) -> [{x}4] {\n"
	"b = spmd_op a (t:[4]) {return t} as [{x}4] return b}  # wrong: tiles of [2]\n"
	"program mesh {x:2} fn f(a:[{x}4]) -> [{x}4] {\n"
	"b = spmd_op a (t:[2]) {return t} as [{x}4] return b}  # right")

CODE(A13,
	"A local operation works on whole tiles: matmul of [a, b] and [b, c] makes [a, c]; elementwise, both are equal (rule T-LOCAL).",
	"program mesh {x:2} fn f(a:[2,8], c:[8,2]) -> [2,2] {\n"
	"b = spmd_op a a (t:[2,8], u:[2,8]) {return matmul t u}  # wrong\n"
	"as [2,2] return b}\n"
	"program mesh {x:2} fn f(a:[2,8], c:[8,2]) -> [2,2] {\n"
	"b = spmd_op a c (t:[2,8], u:[8,2]) {return matmul t u}\n"
	"as [2,2] return b}  # right")

CODE(A14, "The local type written after a call must be the type of its result (rule T-ASCRIBE).",
	"program mesh {x:2} fn f(a:[4]) -> [4] {\n"
	"b = spmd_op a (t:[4]) {return neg t : [2]} as [4] return b}  # wrong\n"
	"program mesh {x:2} fn f(a:[4]) -> [4] {\n"
	"b = spmd_op a (t:[4]) {return neg t : [4]} as [4] return b}  # right")

CODE(A15, "The local type of the type after `as` must be the tile that the body returns (rule T-SPMD-OUT).",
	"program mesh {x:2} fn f(a:[{x}4]) -> [{x}4] {\n"
	"b = spmd_op a (t:[2]) {return t} as [4] return b}     # wrong\n"
	"program mesh {x:2} fn f(a:[{x}4]) -> [{x}4] {\n"
	"b = spmd_op a (t:[2]) {return t} as [{x}4] return b}  # right")

CODE(A16,
	"Devices that hold the same tile of the result must compute it from the same tiles. Along an axis that the type after `as` leaves out, they would differ (rule D-SPMD).",
	"program mesh {x:2} fn f(a:[{x}4]) -> [2] {\n"
	"b = spmd_op a (t:[2]) {return t} as [2] return b}  # wrong: x has two tiles\n"
	"program mesh {x:2} fn f(a:[2]) -> [2] {\n"
	"b = spmd_op a (t:[2]) {return t} as [2] return b}  # right")

CODE(A17,
	"A redistribution changes where the elements are, never the array: sizes and element type stay (rule T-REDIST).",
	"program mesh {x:2} fn f(a:[4])->?{b=redistribute a as [2] return b} # wrong\n"
	"program mesh {x:2} fn f(a:[4])->?{b=redistribute a as [4] return b} # right")

CODE(A18, "The returned value must have the type in the signature (rule T-RETURN).",
	"program mesh {x: 2} fn f(a : [4]) -> [2{x}4] {return a}  # wrong\n"
	"program mesh {x: 2} fn f(a : [4]) -> [4] {return a}      # right")

CODE(A19,
	"A name refers to one value, and a parameter of a body to one tile; otherwise its meaning would depend on "
	"the place of its use. Both places are marked.",
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
	"The arrays of a formula are types defined by `type NAME = TYPE`. Only the left side may lack a type, if "
	"`on` says where it is computed.",
	"y[i] = z[i]", "y[i] = x[i]")
FORMULA(F03,
	"An access has one index for each dimension of the array, and so have all accesses of that "
	"array.",
	"y[i] = A[i]", "y[i] = f(A[i,:])")
FORMULA(F04, "A letter is one index, with the same range wherever it is alone. Both places are marked.",
	"y[i] = A[i,j]*x[j]", "y[i] = A[i,j]*x[i]")
FORMULA(F05,
	"In one access each letter appears once: elements with two equal indices form a diagonal, which is not a "
	"product of index sets; on the left, all other elements would be undefined.",
	"A[i,i] = x[i]", "A[i,j] = x[i]")
FORMULA(F06,
	"No array may be on both sides of a formula: the order of its elements would matter. `+=` adds to what the array holds.",
	"y[i] = y[i] + x[i]", "y[i] += x[i]")
FORMULA(F07,
	"An index is `:`, or one letter times a whole number plus a whole number, optionally divided by a whole "
	"number of at least 1 and rounded down.",
	"y[i] = x[i*i]", "y[i] = x[2*i+1]")
FORMULA(F08,
	"Indices on the left are single letters: they name the elements that are computed. Offsets belong "
	"on the right.",
	"y[i+1] = x[i]", "y[i] = x[i-1]")
FORMULA(F09,
	"A letter gets its range from a dimension in which it is alone. A letter that the left side lacks is "
	"summed over, and also needs such an access for its range.",
	"y[i] = x[i]*x[j-1]", "y[i] = x[i-1]")
FORMULA(F10, "A letter is an index, not a value: formulas compute with numbers, accesses and functions of them.",
	"y[i] = i*x[i]", "y[i] = 3*x[i]")
FORMULA(F11,
	"Only a function makes one value from many elements: a whole dimension `:` and the neighbours in a graph must be inside a function.",
	"y[i] = x[:]", "y[i] = f(x[:])")
CODE(F12,
	"`graph FILE` is a list of neighbours, with a line for each value of the letter, or a Matrix Market file; "
	"it may name only elements of the array.",
	"mesh {x: 2}; type x = [{x}4]; type y = [{x}4]\n"
	"compute y[i] = f(x[graph session.shw])      # wrong: not a list of numbers\n"
	"compute y[i] = f(x[i])                      # right")
FORMULA(F13,
	"`on NAME` computes where an array of the formula is: it needs an access of that array with single letters only.",
	"y[i] = x[i-1] on x", "y[i] = x[i-1] + 0*x[i] on x")
CODE(F14,
	"The number of letters, indices, arrays and nested functions in a formula is limited, and values of indices must fit in 64 bits.",
	"mesh {x: 2}; type x = [{x}4]; type y = [{x}4398046511104]\n"
	"compute y[i] = x[1000000*i]  # wrong\n"
	"compute y[i] = x[1000*i]     # right")
CODE(F15,
	"A schedule computes sums of products of accesses with single letters, and chooses the place itself: its "
	"loops run over the letters.",
	"mesh {x: 2}; type x = [{x}4]; type y = [{x}4]\n"
	"compute y[i] = x[i-1]\n"
	"schedule .divide(i,io,ii,2)  # wrong\n"
	"compute y[i] = x[i]\n"
	"schedule .divide(i,io,ii,2)  # right")
CODE(F17,
	"In rounds, the result becomes the first input of the next round: it must have the shape of that array, "
	"and several steps in a row are computed where it is held.",
	"mesh {x: 2}; type x = [{x}4]; type y = [{x}4]; type A = [{x}4, 6]\n"
	"compute y[i] = f(A[i,:]); tasks 2  # wrong\n"
	"compute y[i] = f(x[i]); tasks 2    # right")
CODE(F18, "A statement that computes a formula must have the name of the array that the formula computes.",
	"program mesh {x:2} fn f(x:[{x}4])->[{x}4]{\n"
	"y = compute \"z[i] = x[i]\" as [{x}4] return y}   # wrong\n"
	"program mesh {x:2} fn f(x:[{x}4])->[{x}4]{\n"
	"y = compute \"y[i] = x[i]\" as [{x}4] return y}   # right")

CODE(F19, "All arrays of a formula have one element type: values are never converted.",
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
	"A schedule is a chain of commands, `.divide(i, io, ii, 2).reorder({io, j})`: a word and its arguments in "
	"parentheses, lists in braces.",
	".divide i io ii 2", ".divide(i, io, ii, 2)")
COMMAND(D12,
	"The commands are those of the paper: divide, split, collapse, reorder, distribute, communicate, rotate, parallelize, precompute, substitute.",
	".vectorize(k)", ".parallelize(i, threads)")
COMMAND(D13,
	"Each command has its own arguments, and lists that belong together have the same length; `help schedule` "
	"has a row for each.",
	".divide(i, io, ii)", ".divide(i, io, ii, 2)")
COMMAND(D14, "A command names loops of the statement, or loops that earlier commands made.", ".divide(q, qo, qi, 2)",
	".divide(k, ko, ki, 2)")
COMMAND(D15, "A loop that was cut, fused or rotated is replaced by others; later commands must name these.",
	".divide(i,io,ii,2).divide(i,a,b,2)", ".divide(i,io,ii,2).divide(ii,a,b,2)")
COMMAND(D16, "A new loop or workspace needs a name that no loop, array or letter has or had.", ".divide(k, j, ki, 2)",
	".divide(k, ko, ki, 2)")
COMMAND(D17,
	"A loop has at least one piece, and a piece at least one iteration; if the size does not divide, the last piece is short.",
	".divide(i, io, ii, 0)", ".divide(i, io, ii, 2)")
COMMAND(D18,
	"A list of loops names each loop once: it gives their order, or their places on the "
	"mesh.",
	".reorder({i, j, i})", ".reorder({j, i})")
COMMAND(D19, "Only loops directly inside each other can be fused, the outer one first.", ".collapse(i, k, f)",
	".collapse(i, j, f)")
COMMAND(D20,
	"A loop in space has one device for each iteration: cut and fuse it before distributing it; its iterations cannot be threads.",
	".distribute(i).divide(i, io, ii, 2)", ".divide(i, io, ii, 2).distribute(io)")
COMMAND(D21, "The iterations of a loop of threads are on one device; a loop is either of threads or in space.",
	".parallelize(i, threads).distribute(i)", ".distribute(i)")
COMMAND(D22,
	"A rotation shifts the iterations of a loop by the values of other loops; shifted by its own value, the "
	"loop would do some of them twice.",
	".rotate(k, {k}, ks)", ".rotate(k, {i}, ks)")
COMMAND(D23,
	"The loops that rotate another loop must be outside it; otherwise their values would change while "
	"it runs.",
	".reorder({k, i}).rotate(k, {i}, ks)", ".rotate(k, {i}, ks)")
COMMAND(D24,
	"The loops that a rotation makes or uses cannot change any more: cut and fuse loops before "
	"rotating them.",
	".rotate(k,{i},ks).divide(ks,ko,ki,2)", ".divide(k,ko,ki,2).rotate(ko,{i},ks)")
COMMAND(D25,
	"A rotation is in time: it says when a device does an iteration. In space it would only renumber devices.",
	".distribute(j).rotate(j, {i}, js)", ".distribute(j).rotate(k, {j}, ks)")
COMMAND(D26, "A loop with a communicate cannot change any more: cut, fuse and rotate it first.",
	".communicate(B,k).divide(k,ko,ki,2)", ".divide(k,ko,ki,2).communicate(B,ko)")
COMMAND(D27,
	"Name an array only once in the communicates of a loop: it is fetched there "
	"once.",
	".communicate(A, j).communicate({A,B}, j)", ".communicate({A, B}, j)")
COMMAND(D28,
	"Only arrays of the statement can be communicated: nothing else is read or "
	"made.",
	".communicate(D, j)", ".communicate(C, j)")
COMMAND(D29, "The threads of a summed loop add to the same elements; `reduce` gives each thread its own.",
	".parallelize(k, threads)", ".parallelize(k, threads, reduce)")
COMMAND(D30, "precompute takes a product of factors of one term, as they are in the statement.",
	".precompute(B(i,j), W)", ".precompute(B(i,k), W)")
COMMAND(D31, "A kernel replaces the innermost loops: all loops from some loop inward.", ".substitute({i, j}, gemm)",
	".substitute({i, j, k}, gemm)")
COMMAND(D32,
	"The kernels are gemm, gemv, ttv, ttm, mttkrp, dot and innerprod; a prefix `X::` and capitals do not count.",
	".substitute({i, j, k}, hemm)", ".substitute({i, j, k}, gemm)")
COMMAND(D33, "A kernel replaces loops that compute the same, over all its letters.", ".substitute({i, j, k}, ttv)",
	".substitute({i, j, k}, gemm)")
COMMAND(D34, "A kernel only computes and cannot communicate: fetch what it needs under a loop outside it.",
	".communicate(B,k).substitute({i,j,k},gemm)", ".communicate({B,C},j).communicate(A,j)")
COMMAND(D35,
	"Loops in space run over the axes of the mesh, outer loops over outer axes: there can be no more of them "
	"than axes.",
	".distribute(i).distribute(j).distribute(k)", ".distribute(i).distribute(j)")
COMMAND(D36,
	"A loop in space has no more iterations than its axis has devices. For more pieces than devices, "
	"split it, so that some of the pieces follow each other in time.",
	".distribute(k)", ".divide(k, ko, ki, 2).distribute(ko)")

/* Searching. */

CODE(S01,
	"The budget limits the height of a plan: the largest tile that a device holds at any time, including both "
	"ends. No plan can stay below the larger tile of its two ends; the message says what is needed.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan --budget 20    # wrong: both ends hold 36 elements\n"
	"plan --budget 36    # right")
CODE(S02,
	"With the allowed operations, no sequence leads from one type to the other. Allow an operation that is "
	"forbidden. If a larger budget would help, the error is S01 and gives the number that is needed. A "
	"strategy that follows another system also has no plan if that system would pad tiles or fail. The "
	"strategies of DTensor have no plan for parts of axes, either, and ignore hosts: like DTensor on CPU, they "
	"treat every link as one between hosts.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan --without alltoall,allgather      # wrong: nothing can join tiles\n"
	"plan --without alltoall --budget 144   # right: gather, then slice")
CODE(S03,
	"The search was interrupted before it had any answer. If it had found a plan, that plan would be the "
	"answer, with a lower bound of the cost.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan exact    # wrong if Ctrl-C stops it at once\n"
	"plan exact    # right")
CODE(S04, "A strategy is a way to choose a plan; `help plan` lists them. The default is fused.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan fuse_all    # wrong\n"
	"plan fused       # right")
CODE(S05,
	"A cost model turns a step into a number. `paper` counts elements per device, as the theory does; `volume` "
	"only those that arrive from another device; `latency`, `calibrated` and `roofline` count seconds.",
	"model volumes    # wrong\n"
	"model volume     # right")
CODE(S06,
	"A node of the search graph is a local type: tile sizes that divide the global sizes by factors of the "
	"mesh, and that fit the budget. Name it by its number or by its tile sizes.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"goto [5, 12]    # wrong: 5 does not divide 12\n"
	"goto [6, 6]     # right")
CODE(S07,
	"The walk is at its first step and cannot go back, or at its last step and cannot continue: a search ends "
	"when it has visited the goal or has no nodes left.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"back    # wrong: the walk is at its start\n"
	"step    # right")
CODE(S08,
	"Showing or checking what each device holds needs a row for each device, and works for up to 2^20 devices. "
	"Planning itself uses only sizes and works for up to 2^40. If no type describes the tiles after a step, "
	"the plan has a map instead, again with a row for each device: these maps may take 1 GiB while a plan is "
	"made. `plan direct` needs none.",
	"mesh {x: 4194304}\n"
	"redistribute [1{x}4194304, 4194304] ~> [4194304, 1{x}4194304]\n"
	"plan --maps    # wrong: 2^22 rows\n"
	"plan           # right")
CODE(S09,
	"The cost of a plan is a sum of tile sizes over its steps and must fit in 64 bits. Divide all sizes of a "
	"dimension by a factor that no axis has: the choice of the plan stays the same.",
	"mesh {x: 2, y: 2}\n"
	"from [1{x}2, 2305843009213693951{y}4611686018427387902]\n"
	"to [2, 4611686018427387902]\n"
	"plan        # wrong: the steps cost more than 2^63 - 1\n"
	"from [1{x}2, 2305843009213693{y}4611686018427386]\n"
	"to [2, 4611686018427386]\n"
	"plan        # right")

CODE(S10,
	"The model `calibrated` predicts seconds from what was measured on this machine: on the host of this name, with as many "
	"processors and the same MPI. There is no such measurement: none was made, its file cannot be read, or it "
	"is from another host, number of processors or MPI; the message says which. `calibrate` makes a new one; "
	"`model latency` uses round numbers.",
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
	"open batch.json    # wrong: JSON, but not a plan\n"
	"open plan.json     # right: written by `export plan plan.json`")
CODE(P02,
	"The number at the end of a schema's name counts incompatible changes. This program reads versions 1 and "
	"2; plan again from the mesh and the two types of a plan of another version.",
	"open newer.json    # wrong: it says \"shardwalk.plan/3\"\n"
	"open plan.json     # right: it says \"shardwalk.plan/2\"")
CODE(P03,
	"A plan file contains some things twice: types and tile sizes, costs and steps. They were derived again "
	"and differ from the file: it was changed by hand or damaged.",
	"open edited.json    # wrong: it says height 7, but no tile has 7 elements\n"
	"open plan.json      # right")
CODE(P04,
	"A plan is executed on real data, and every element of every device is compared with the target type. The "
	"message names the first difference: device, index, where the element should have come from, and where it "
	"came from. The plan is wrong, whatever its cost. `plan` and `open` check the maps of a plan, so this code "
	"means a bug in shardwalk itself: please report it.",
	"open plan.json\n"
	"verify    # wrong if an element differs from the target type\nverify    # right if none does")
CODE(P05,
	"After the step, the devices hold something that no collective could have brought them: a group does not "
	"consist of neighbouring tiles, a device is in two groups, or no device sends a tile.",
	"open edited.json    # wrong: device 2 is in two groups of step 1\n"
	"open plan.json      # right: each device is in one")
CODE(P06,
	"Formats of constraints name the type of the array after every step, so every step must end in a type over "
	"the axes of one mesh. Formats of collectives list groups and offsets, for up to 4096 devices, and know "
	"only the collectives of their system. For a program, the message names the step that a format cannot "
	"express: a sum that JAX multiplies, a body on tiles in a format of whole arrays, or elements that C "
	"cannot compute with.",
	"mesh {x: 4}\n[3{x}12, 12] ~> [12, 3{x}12]\n"
	"export hlo - direct    # wrong: HLO has no exchange\n"
	"export mpi - direct    # right: MPI sends what each rank needs")

CODE(P07,
	"Steps by hand or from a file start at `from`; a solution ends with the tile of `to` on every device. The "
	"message names the first device that ends with another tile. `verify --prefix` executes the steps anyway, "
	"as far as they go.",
	"mesh {x: 4, y: 2}\n[8, 2{x}8, 4{y}8] ~> [8, 8, 1{y,x}8]\n"
	"apply alltoall(1, 2)    # leads to [8, 8, 1{x,y}8]\n"
	"verify                  # wrong: the axes are in the other order\n"
	"verify --prefix         # right: it says that this is not a solution\n"
	"plan                    # right: it permutes as well")

CODE(P08,
	"`verify lemma 4.6` draws small random cases, builds what the statement promises, and executes both sides. "
	"A case in which they differ refutes the statement; it is reduced as far as possible and shown as a "
	"script. With `--unsplit`, axes need not have prime size, which most statements assume: then a refutation "
	"is expected.",
	"verify lemma 4.6 --unsplit         # wrong: axes of 4 and 6 are not prime\n"
	"verify lemma 4.6 --random 200      # right: with prime axes it holds")

/* Files and batches. */

CODE(B01,
	"The file could not be read: it does not exist, it is a folder, or its permissions do not allow it. The "
	"message contains the system's own error.",
	"source sesion.shw     # wrong: no such file\n"
	"source session.shw    # right")
CODE(B02,
	"The file could not be written: its folder does not exist, its permissions do not allow it, or the disk is "
	"full. An existing file stays as it was.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan\n"
	"export plan nowhere/plan.json    # wrong: there is no folder nowhere\n"
	"export plan plan.json            # right")
CODE(B03,
	"A line of a batch is one problem: a JSON object with mesh, from and to, or the text MESH FROM ~> TO. The "
	"answer to a bad line is an error, the other lines are planned, and the exit status is 1.",
	"{\"mesh\": \"{x: 4}\", \"from\": \"[3{x}12]\"}                   # wrong: no \"to\"\n"
	"{\"mesh\": \"{x: 4}\", \"from\": \"[3{x}12]\", \"to\": \"[12]\"}     # right\n"
	"{x: 4} [3{x}12] ~> [12]                                  # right")
CODE(B04,
	"The text should be JSON but is not: the message gives the line and the column where reading stopped. "
	"Names and texts are in double quotes, and no comma follows the last entry.",
	"{\"mesh\": \"{x: 4}\", \"from\": \"[3{x}12]\", \"to\": \"[12]\",}    # wrong: a comma\n"
	"{\"mesh\": \"{x: 4}\", \"from\": \"[3{x}12]\", \"to\": \"[12]\"}     # right")

/* Notations of others. */

CODE(N01,
	"The text starts like a sharding of another system, but does not continue as that system would print it. "
	"The message names the notation. The same error reports a text of PyTorch's \"Sharding propagation "
	"failed\" that ends before its operands or its mesh do, on DeviceMesh((dp=2, tp=4), ...) or @ mesh: (2, "
	"4). `explain N07` lists all forms that `import` reads.",
	"mesh {x: 4}\n"
	"shape f32[12,12]\n"
	"from P('x' None)     # wrong: a comma is missing\n"
	"from P('x', None)    # right")
CODE(N02,
	"Planning needs to know which tile each device holds at each end. A sharding has no tiles if it puts "
	"everything on one device, leaves the layout to the program (manual), or combines parts by something other "
	"than a sum, such as a mean or a maximum.",
	"mesh {x: 4}\n"
	"shape f32[12,12]\n"
	"from {maximal device=0}         # wrong: one device has it all\n"
	"from {devices=[4,1]<=[4]}       # right")
CODE(N03,
	"Most notations say how an array is partitioned but not how large it is; many leave out the mesh, too. "
	"Give them by `shape` and `mesh` first, or in the text itself: f32[12,12] in front; "
	"NamedSharding(mesh=Mesh('x': 4), spec=P('x')); "
	"ShapeDtypeStruct(shape=(12, 12), dtype=float32, sharding=NamedSharding(...)); {devices=[4,1]<=[4]}, which "
	"names its devices. jax.device_put(x, NamedSharding(...)) says where an array goes; `from` before it says "
	"where the array is.",
	"mesh {x: 4}\n"
	"from P('x', None)    # wrong: of which array?\n"
	"shape f32[12,12]\n"
	"from P('x', None)    # right")
CODE(N04, "A list of devices names each of 0 to N - 1 once, where N is the product of the tile dimensions.",
	"mesh {x: 4}\n"
	"shape f32[12,12]\n"
	"from {devices=[4,1]0,1,2,2}    # wrong: device 2 twice\n"
	"from {devices=[4,1]0,1,2,3}    # right")
CODE(N05,
	"Both ends of a redistribution are about the same array, with the same number of dimensions. A single end "
	"is over the mesh of the session; `A ~> B` in one statement, and what `import` reads, may be over two "
	"meshes of different devices: two shardings, "
	"two dictionaries of shardings, jax.device_put(x, NamedSharding(...)).",
	"mesh {x: 4}\n"
	"shape f32[12,12]\n"
	"from {devices=[2,1]<=[2]}    # wrong: the mesh has 4 devices\n"
	"from {devices=[2,2]<=[4]}    # right")
CODE(N06,
	"A module from a compiler must be complete: the line `HloModule`, its computations in braces, one of them "
	"`ENTRY`, and their instructions, each on its own line. Text that a log or a terminal cut off is read up "
	"to the cut, if a collective comes before it.",
	"import HloModule f, num_partitions=8    # wrong: only its first line\n"
	"# right: import FILE, as `--xla_dump_hlo_pass_re=spmd.*` writes it")

CODE(N07,
	"`import` reads a text for its contents: warnings \"Involuntary full rematerialization\" of XLA, an arrow "
	"or "
	"`to` between two shardings, an HLO module after partitioning, a plan, or the result of a run; jaxprs with "
	"sharding_constraint or collectives; of PyTorch DebugMode, graphs and generated code with _c10d_functional, tables and "
	"counts of CommDebugMode, the error \"Sharding propagation failed\", calls of redistribute and distribute_tensor; "
	"ShapeDtypeStruct, NamedSharding, Spec, DTensorSpec, an OpSharding as text, the picture of "
	"visualize_sharding. Everything else is skipped, but the text must contain at least one of these.",
	"import the compiler was slow today    # wrong: no sharding in it\n"
	"# right: two shardings\n"
	"import f32[16,16] {devices=[4,1]<=[4]} -> {devices=[1,4]<=[4]}")

#define NOTATION(id, name, called, example) called ", " example "; "

CODE(N08,
	"The text does not begin like a type of the paper or a sharding, mesh or device group of another system. "
	"The notations, with an example of "
	"each: " SW_NOTATIONS(NOTATION) "and what `import` finds in logs and modules.",
	"mesh {x: 4}\n"
	"shape f32[12,12]\n"
	"from by rows        # wrong: no system writes this\n"
	"from P('x', None)   # right")

/* Placements. */

CODE(D01,
	"A placement says for each level of the mesh which dimensions its axes cut: one text for each level, "
	"outermost first, in brackets if there are several. `;` between the axes of a mesh begins a level.",
	"mesh {x: 2, y: 2; g: 2}\n"
	"type B = f64[8, 8] xy->xy             # wrong: and inside a node?\n"
	"type B = f64[8, 8] [xy->xy, zw->z]    # right")
CODE(D02, "The names on the left of the arrow are all the dimensions of the array, in order.",
	"mesh {x: 2, y: 2}\n"
	"type B = f64[8, 8] xyz->xy    # wrong: the array has two dimensions\n"
	"type B = f64[8, 8] xy->xy     # right")
CODE(D03,
	"The places on the right of the arrow are the axes of the mesh, or of one of its levels, in order: each is "
	"the dimension that the axis cuts, the only coordinate that has the array, or `*` for the same on all.",
	"mesh {x: 2, y: 2}\n"
	"type B = f64[8, 8] xy->x     # wrong: and along y?\n"
	"type B = f64[8, 8] xy->x*    # right: the same along y")
CODE(D04,
	"A name refers to one dimension, and at most one axis of a level cuts a dimension. If two axes of one "
	"level cut it, write a type: [{y,x}8].",
	"mesh {x: 2, y: 2}\n"
	"type B = f64[8, 8] xy->xx    # wrong: x twice\n"
	"type B = f64[8, 8] xy->yx    # right")
CODE(D05, "An axis cuts a dimension of the array, by its name on the left. Without commas, each letter is a name.",
	"mesh {x: 2, y: 2}\n"
	"type B = f64[8, 8] xy->xz    # wrong: there is no dimension z\n"
	"type B = f64[8, 8] xy->xy    # right")
CODE(D06, "A number on the right is a coordinate along the axis in that place, from 0 to its size - 1.",
	"mesh {x: 2, y: 2}\n"
	"type B = f64[8, 8] xy->x2    # wrong: coordinates along y are 0 and 1\n"
	"type B = f64[8, 8] xy->x1    # right")

CODE(N09,
	"A function that calls another function twice runs everything in it twice, and so on: a few lines can make "
	"more operations than fit in memory. What a module moves is always counted, times how often it runs; it "
	"becomes a program only if it makes at most 100000 operations.",
	"import deep.mlir    # wrong if functions call each other too often\n"
	"# right: loops, which are stablehlo.while")

/* Where arrays lie and loops run. */

CODE(D40,
	"An algorithm runs on machines of one shape: Johnson's on a cube, Solomonik's on square layers whose number divides their "
	"side. If the present machine has another shape, the nearest one is used; if no such machine fits into the "
	"number of devices, the algorithm is left out.",
	"mesh {x: 2, y: 2}\nschedule johnson m=8 n=8 k=8     # wrong: the smallest cube has 8\n"
	"schedule cannon m=8 n=8 k=8      # right")
CODE(D41,
	"For most algorithms, the machine determines the number of steps. SUMMA has a chunk size, COSMA a number "
	"of steps.",
	"mesh {x: 2, y: 2}\nschedule cannon chunk=3 m=9 n=9 k=9     # wrong\n"
	"schedule summa chunk=3 m=9 n=9 k=9      # right")
CODE(D42,
	"COSMA has a string of splits, separated by commas: `p` (parallel) or `s` (sequential), the dimension `m`, "
	"`n` or `k`, and the number of parts. The product of the parallel splits is the number of devices.",
	"mesh {x: 2, y: 2}\nschedule cosma px2,sm2 m=8 n=8 k=8         # wrong: 'x' is not a dimension\n"
	"schedule cosma pm2,sm2,pk2 m=8 n=8 k=8     # right")

/* The environment. */

CODE(E01,
	"The system has no more memory. All definitions are still there. A search needs memory for each node it "
	"has seen, maps need it for each device.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan --maps    # wrong if a map of every device does not fit\n"
	"plan           # right: no map is needed")
CODE(E02,
	"A program that this statement starts is not installed or not on the PATH. Planning, pictures and checks "
	"need no other program.",
	"mesh {x: 4}\n"
	"redistribute [3{x}12, 12] ~> [12, 3{x}12]\n"
	"plan | lesss    # wrong if no program has this name\n"
	"plan            # right")
CODE(E03,
	"A screen needs a terminal that can position the cursor, has a name in the terminal database, and is large "
	"enough. `show` also prints what a screen shows.",
	"mesh {x: 4}\n"
	"# wrong if the output is a pipe, or with TERM=dumb\n"
	"show mesh    # right anywhere")

CODE(E04,
	"The ranks started but did not finish: one died, hung or left without a message. A run counts only with "
	"its last record, whatever the exit status of the launcher. Everything that was started has been ended, "
	"and the session is as it was before.",
	"mesh {x: 2}\n"
	"redistribute [6{x}12, 12] ~> [12, 6{x}12]\n"
	"run       # wrong if a rank is killed for lack of memory\n"
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
