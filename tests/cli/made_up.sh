#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A collective that nobody has, a gather at twice the price, is added to a copy of the sources: by its name, its
# row, and what the checker believes of it.  Everything else follows.  So it does from a strategy's row and function, from a walk's graph and row,
# from the name and the row of what programs compute, from a command's row and what it says of its rows, and from the rows of a hundred
# options.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 2

mkdir copy
(cd "$SRC" && cp -r Makefile .ci engine include samples tui mpi_exec "$TMP/copy") || exit 2

# How many files are others than they were.
count_touched() {
	touched=0
	for folder in engine include tui mpi_exec; do
		touched=$((touched + $(diff -rq "$SRC/$folder" "copy/$folder" | wc -l)))
	done
}

sed -i 's/^\tSW_BROADCAST,$/&\n\tSW_RINGGATHER,/' copy/include/shardwalk/collective.h

cat >row <<'END'
	[SW_RINGGATHER] = {.op = SW_RINGGATHER, .name = "ringgather", .usage = "ringgather(DIM[, FACTOR])",
		.needs = "the dimension is partitioned", .effect = "the innermost parts leave the dimension",
		.cost = "twice the localsize of the result", .takes = "twice as long as a gather", .action = "pass their tiles around",
		.why = "neighbours hold neighbouring tiles", .why_not = "nobody near holds the neighbouring tile",
		.example = "mesh {x: 4}\nfrom [3{x}12]\napply ringgather(0)", .phase = 2, .gathers = true, .manner = SW_MANNER_JOINED, .among = SW_AMONG_GROUPS,
		.brings = SW_BRINGS_PARTS, .leaves = SW_LEAVES_ALL, .passes = 1,
		.price = twice_after, .general = "ringgather", .inverse = SW_DYNSLICE, .read = sw_read_gather,
		.print = sw_print_gather, .apply = sw_apply_entries, .sending = &sw_sends_tiles},
END
cat >price <<'END'
static int64_t twice_after(int64_t before, int64_t after)
{
	(void)before;
	return 2 * after;
}

END
sed -i -e '/^const sw_collective sw_collective_rows\[/{
r row
}' copy/engine/step/collective.c
awk -v price="$(cat price)" '/^const sw_collective sw_collective_rows\[/ { print price; print "" } { print }' \
	copy/engine/step/collective.c >with_price && mv with_price copy/engine/step/collective.c

sed -i '/\[SW_EXCHANGE\] = {\.check = /i\
		[SW_RINGGATHER] = {.check = check_groups, .gathers = ALWAYS, .cost_after = 2, .phase = 2, .blocks = true},' copy/engine/plan/check.c

count_touched
if [ "$touched" -ge 3 ] && [ "$touched" -le 6 ]; then ok "$touched files are touched"
else not_ok "at most six files are touched" "$touched are"; fi

sed -i '/^	X(DIRECT, direct,/i\
	X(LAZY, lazy, "lazy", 0, "one step to the whole array everywhere, and one back") \\' copy/include/shardwalk/plan.h
cat >copy/engine/plan/find_lazy.c <<'END'
#include "plan/strategy.h"

bool sw_candidates_lazy(sw_finder *f)
{
	const sw_type *to = &f->problem->to;
	sw_type *whole = SW_NEW(f->arena, sw_type, 1);
	sw_candidate c;

	if (to->rank == 1)
		return sw_diag_memory(f->diag);
	if (!whole || !sw_type_replicated(to->dtype, to->rank, to->global, whole, f->diag))
		return false;
	sw_candidate_begin(&c, f, &f->space);
	sw_lower_to_type(&c.lowering, SW_ALLGATHER, whole);
	sw_lower_to_type(&c.lowering, SW_DYNSLICE, to);
	return sw_finder_consider(f, &c);
}
END
before=$touched
count_touched
if [ $((touched - before)) = 2 ]; then ok 'a strategy touches two files'
else not_ok 'a strategy touches two files' "$((touched - before))"; fi

sed -i 's/^\tX(MUL, "mul") .*/\tX(SQUARE, "square") \\\n&/' copy/include/shardwalk/collective.h
sed -i 's/^EACH(each_mul, .*/&\nEACH(each_square, (value)((number)a[i] * (number)a[i]))/' copy/engine/program/ops.c
cat >row <<'END'
	[SW_SQUARE] = {BY_ELEMENT, .operands = 1, .rule = sw_rule_whole, .forms = sw_forms_whole, .kernel = SW_KERNEL_EACH,
		.each = &each_square, .grows = SW_GROWS_AS_PRODUCT, .words = {.python = "%n.square(%a)", .jax = "square",
		.torch = "torch.square", .mlir = "square", .c = "square"}},
END
sed -i -e '/^static const sw_operation rows\[/{
r row
}' copy/engine/program/ops.c
if grep -q SW_SQUARE copy/engine/program/ops.c && ! diff -rq "$SRC" copy | grep -v 'Only in' |
	grep -vE 'collective\.[ch] |check\.c |ops\.c |plan\.h ' | grep -q differ; then ok 'what is computed touches two files'
else not_ok 'what is computed touches two files' "$(diff -rq "$SRC" copy)"; fi
count_touched

cat >copy/tui/command/lengths.c <<'END'
#include "answer/rows.h"
#include "command/command.h"

static const char *axis_name(const struct row_at *at)
{
	return ((const sw_axis *)at->row)->name;
}

static const struct row_column columns[] = {
	ROW_BY("axis", "axis", WORD, .word_of = axis_name, .role = ROLE_LABEL),
	ROW_AT("size", "devices", COUNT, sw_axis, size, .least = 2),
	ROW_AT("stride", NULL, COUNT, sw_axis, stride),
	ROW_AT(NULL, "bytes/s", NUMBER, sw_axis, bandwidth, .above = true, .missing = "-"),
};

bool command_lengths(struct invocation *run, sw_diag *diag)
{
	const sw_mesh *mesh = &run->session->state.mesh;
	int64_t most = argument_number(run, 0, mesh->count);
	struct rows rows = ROWS_OF(columns, mesh->axis, most < mesh->count ? most : mesh->count);

	return session_need(run->session, DEFINED_MESH, diag) &&
		rows_answer(&rows, run->answer, document_fields(run->answer, "shardwalk.lengths/1"), "axes", diag);
}
END
cat >command_row <<'END'
	{
		.name = "lengths",
		.area = "session",
		.parameter = {{"N", KIND_NUMBER, true}},
		.range = {1, 99},
		.options = {OPTION(JSON)},
		.late = 9,
		.run = command_lengths,
		.about = "list the axes of the mesh",
		.example = "mesh {x: 4}\nlengths",
	},
END
sed -i '/^const struct command commands\[\]/r command_row' copy/tui/table.c
sed -i 's/^command_function command_help,/command_function command_lengths, command_help,/' copy/tui/command/command.h
before=$touched
count_touched
if [ $((touched - before)) -le 3 ]; then ok 'a command touches three files'
else not_ok 'a command touches three files' "$((touched - before))"; fi

# The factors of a number, from the devices of the mesh down to 1: a graph, its declaration, and when a session can walk it.
sed -i 's/^	X(CONTEXTS, sw_walk_of_contexts)/	X(FACTORS, sw_walk_of_factors) \\\n&/' copy/include/shardwalk/walk.h
sed -i 's/^typedef struct sw_walk sw_walk;$/&\nsw_walk *sw_factor_walk_new(int64_t number, sw_diag *diag);/' copy/include/shardwalk/walk.h
cat >copy/engine/search/walk_factors.c <<'END'
#include <string.h>

#include <shardwalk/number.h>

#include "search/graph.h"

static int64_t number_of(const uint8_t *key)
{
	int64_t number;
	memcpy(&number, key, sizeof number);
	return number;
}

static void release(void *of)
{
	(void)of;
}

static sw_walk *again(const void *of, sw_diag *diag)
{
	return sw_factor_walk_new(*(const int64_t *)of, diag);
}

static void offer(sw_walk *walk, int64_t number, int from, int64_t factor)
{
	uint8_t key[sizeof number];
	sw_state state = {.cost = from < 0 ? 0 : walk->store.states[from].cost + factor, .size = number, .parent = from,
		.tag = (int32_t)factor};
	memcpy(key, &number, sizeof number);
	sw_walk_offer(walk, key, &state);
}

static bool leave(sw_walk *walk, int node)
{
	int64_t prime[63], number = number_of(sw_keys_at(&walk->store.keys, node));
	int count = sw_prime_factors(number, prime);
	for (int i = 0; i < count; i++) {
		walk->store.edges++;
		offer(walk, number / prime[i], node, prime[i]);
	}
	return true;
}

static void place_of(const sw_walk *walk, const uint8_t *key, int64_t *place)
{
	(void)walk;
	place[0] = number_of(key);
}

static bool key_of(const sw_walk *walk, const int64_t *place, uint8_t *key, sw_diag *diag)
{
	(void)walk;
	if (place[0] < 1)
		return sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "there is no such number");
	memcpy(key, place, sizeof *place);
	return true;
}

static void look(const sw_walk *walk, const uint8_t *key, sw_node *node)
{
	node->size = number_of(key);
	node->is_start = node->size == *(const int64_t *)walk->of;
	node->is_goal = node->size == 1;
	node->leads_on = true;
}

static int64_t distance(const sw_walk *walk, int node)
{
	return walk->store.states[node].cost;
}

static void via(const sw_walk *walk, int node, sw_move *move)
{
	*move = (sw_move){.step = walk->store.states[node].tag, .cost = walk->store.states[node].tag};
}

static int64_t largest(const sw_walk *walk)
{
	return *(const int64_t *)walk->of;
}

static int edges(const sw_walk *walk, const int64_t *place, bool refused, sw_arena *arena, sw_edge **out)
{
	int64_t prime[63];
	int count = sw_prime_factors(place[0], prime);
	(void)refused;
	*out = SW_NEW_ZERO(arena, sw_edge, count);
	for (int i = 0; *out && i < count; i++) {
		uint8_t key[sizeof(int64_t)];
		(*out)[i] = (sw_edge){.move = {.step = (int)prime[i], .cost = prime[i]}, .size = place[0] / prime[i]};
		(*out)[i].place[0] = (*out)[i].size;
		memcpy(key, &(*out)[i].size, sizeof key);
		(*out)[i].node = sw_store_find(&walk->store, key) + 1;
		(*out)[i].state = (*out)[i].node ? SW_EDGE_NO_BETTER : SW_EDGE_NEW;
	}
	return *out ? count : -1;
}

static void print_place(const sw_walk *walk, const int64_t *place, sw_text *text)
{
	(void)walk;
	sw_text_addf(text, "%lld", (long long)place[0]);
}

static void print_move(const sw_walk *walk, const sw_move *move, sw_text *text)
{
	(void)walk;
	sw_text_addf(text, "divide by %d", move->step);
}

static bool cut_off(const sw_walk *walk, sw_diag *diag)
{
	(void)walk;
	return sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "no factor is left");
}

static const sw_graph row = {
	.words = {.name = "factors", .about = "what is left of the devices without some of their factors", .node = "number",
		.size = "of", .nodes = "numbers", .visited = "numbers visited"},
	.free = release, .again = again, .leave = leave, .place_of = place_of, .key_of = key_of, .look = look,
	.distance = distance, .via = via, .largest = largest, .edges = edges, .print_place = print_place,
	.print_move = print_move, .cut_off = cut_off,
};

const sw_walk_words *sw_walk_of_factors(void)
{
	return &row.words;
}

sw_walk *sw_factor_walk_new(int64_t number, sw_diag *diag)
{
	static int64_t start;
	const int64_t goal = 1;
	start = number;
	sw_walk *walk = sw_walk_make(&row, &start, (const uint8_t *)&goal, (int)sizeof goal, diag);
	if (walk == NULL)
		return NULL;
	walk->places = 1;
	offer(walk, number, -1, 0);
	return walk;
}
END
cat >glue <<'END'
static bool has_devices(const struct session *session, sw_diag *diag)
{
	return session_need(session, DEFINED_MESH, diag);
}

static struct kept_walk *start_factors(struct session *session, sw_diag *diag)
{
	if (!has_devices(session, diag))
		return NULL;
	return keep((struct kept_walk){.kind = SW_WALK_FACTORS,
		.walk = sw_factor_walk_new(session->state.mesh.devices, diag)}, diag);
}

END
cat >walk_row <<'END'
	[SW_WALK_FACTORS] = {.title = "Factors", .possible = has_devices, .start = start_factors},
END
awk -v glue="$(cat glue)" '/^static const struct walk_row rows\[/ { print glue; print "" } { print }' copy/tui/session/walks.c >glued &&
	mv glued copy/tui/session/walks.c
sed -i '/^static const struct walk_row rows\[/r walk_row' copy/tui/session/walks.c
before=$touched
count_touched
if [ $((touched - before)) = 3 ]; then ok 'a walk touches three files'
else not_ok 'a walk touches three files' "$((touched - before))"; fi

options=$(seq -f 'made-up-%g' 100)
for option in $options; do
	id=$(echo "$option" | tr 'a-z-' 'A-Z_')
	printf '\tX(%s, "%s", 0, NULL, FLAG, "nothing at all") \\\n' "$id" "$option" >>option_rows
	printf '%s, ' "OPTION($id)" >>option_set
done
sed -i '/^#define OPTIONS(X)/r option_rows' copy/tui/command/command.h
sed -i "s/\.options = {SHOWN}/.options = {$(cat option_set)SHOWN}/" copy/tui/table.c

mpi=$(command -v mpiexec.hydra || command -v mpiexec.mpich || command -v mpiexec)
if [ -n "$mpi" ]; then set -- build/shardwalk build/shardwalk-exec
else set -- MPICC= build/shardwalk; fi
if make -s -C copy -j "$(nproc)" BUILD=build CFLAGS=-O0 "$@" >built 2>&1; then ok 'it is built'
else
	not_ok 'it is built' "$(grep -m 3 "error:" built)"
	finish
fi
made=$TMP/copy/build/shardwalk

has() { # NAME PATTERN
	if grep -qE -- "$2" out; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 out | tr '\n' '|')"; fi
}

sw() { # STATEMENTS
	"$made" --quiet -c "mesh {x: 2, y: 4}; redistribute [4{x}8, 2{y}8] ~> [8, 2{y}8]; $1" >out 2>&1
}

sw 'apply ringgather(0)'
has 'it is applied by its rule and its price' 'ringgather\(0, 2\) .*\[8, 2\{y\}8\].* cost 32'
sw 'apply ringgather [[0,2],[1,4]]'
has 'its general form too' '\[8, 8\].* cost 128'
sw 'apply ringgather(7)'
has 'its premises are checked' 'error\[C03\]'
sw 'apply ringgathr(0)'
has 'a word near it is reported it' "did you mean ringgather"
sw 'apply ringgather(0); verify'
has 'it is executed, and every element is right' '^verified: all 128 elements on 8 devices are right'
sw 'apply ringgather(0); show plan'
has 'it has groups' '\[0 4\] \[1 5\] \[2 6\] \[3 7\]'
has 'the plan says what it does' 'groups of 2 devices pass their tiles around'
sw 'apply ringgather(0); show traffic'
has 'its traffic is drawn' 'total 64 elements between devices'
sw 'apply ringgather(0); export mpi ring.c'
cp ring.c out
has 'it is exported' 'ringgather.*run_gather'
sw 'apply ringgather(0); normalize'
has 'a normal form is found for it' 'allgather\(0, 2\).*16'
sw 'explain ringgather'
has 'it is explained' 'twice the localsize of the result'
sw 'plan lazy; verify'
has 'a strategy has its plan' '1 allgather\(\[\[0,2\],\[1,4\]\]\)|cost 64 '
has 'which is right' '^verified: all [0-9]* elements on 8 devices are right'
sw 'compare'
has 'it is compared' '^lazy  *64 '
sw '[4{x}8] ~> [8]; compare'
has 'one that fails leaves the others in the table' '^fused  *8 '
has 'and says why it is not there' 'lazy: memory ran out'
sw 'set model latency; plan lazy'
has 'it is priced in seconds' 'strategy lazy'
sw 'set strategy lazi'
has 'a word near it is reported it as well' "did you mean 'lazy'"

mesh='mesh {x: 2, y: 4 @ 8GB/s}'
"$made" --quiet -c "$mesh; lengths" >out 2>&1
has 'a command answers in rows: heads' '^axis  *devices  *bytes/s$'
has 'and what is known' '^y  *4  *8000000000$'
has 'and what is not' '^x  *2  *-$'
"$made" --quiet -c "$mesh; lengths --json" >out 2>&1
has 'the same for programs, under their schema' '"schema": "shardwalk.lengths/1"'
has 'with what people do not see' '\{"axis": "x", "size": 2, "stride": 4\}'
"$made" --quiet --json -c "$mesh; lengths 1" >out 2>&1
has 'and where all answers are' '"axes": \['
if grep -q '"axis": "y"' out; then not_ok 'its argument is a number' "$(head -c 300 out)"; else ok 'its argument is a number'; fi
"$made" --quiet -c "$mesh; lengths 0" >out 2>&1
has 'in its range, and refused where it is' 'error\[L12\].*.0. is out of range'
has 'as the row says' '1 to 99'
"$made" help lengths >out 2>&1
has 'help tells of it' 'List the axes of the mesh'
"$made" completion bash >out 2>&1
has 'a shell completes it' 'lengths\) _shardwalk_words --json'
"$made" help --man commands >out 2>&1
has 'the manual has it' 'lengths.* Op Ar N|Ic lengths'

sw 'show mesh'
cp out plain
sw "show mesh $(echo "$options" | sed 's/^/--/' | tr '\n' ' ')"
if [ -s out ] && cmp -s out plain; then ok 'a command takes a hundred options more'
else not_ok 'a command takes a hundred options more' "$(head -c 300 out)"; fi
sw 'show mesh --made-up-100 --step 0 --reps 2'
has 'and those it had, and no others' "error\[L05\].*'show' has no option '--reps'"
sw 'verify --made-up-100'
has 'another command takes none of them' "error\[L05\].*'verify' has no option '--made-up-100'"
sw 'help show'
cp out help
for n in 1 61 64 65 100; do
	cp help out
	has "help lists number $n" "^  --made-up-$n  *nothing at all"
done

# A walk.
walk='mesh {x: 12, y: 5}; walk factors'
"$made" --quiet -c 'mesh {x: 12}; walk' >out 2>&1
has 'a walk is listed' 'factors .*what is left of the devices'
"$made" --quiet -c "$walk; step 2" >out 2>&1
has 'it is stepped' 'divide by 2'
"$made" --quiet -c "$walk; step 3; back; show graph" >out 2>&1
has 'and back, and drawn' '60'
"$made" --quiet -c "$walk; finish" >out 2>&1
has 'it is finished by the shortest way' 'divide by 5'
has 'whose length is shown' '12'
"$made" --quiet -c "$walk; step 1; edges" >out 2>&1
has 'its edges are listed' 'divide by'
"$made" --quiet -c 'mesh {x: 2}; walk factros' >out 2>&1
has 'a word near it is reported it, too' "did you mean 'factors'"

# What is computed.
squares='mesh {x: 2} fn f(a : [8{x}16, 4]) -> [16, 4] { b = square a c = spmd_op b (t : [8, 4]) { return (square t) } as [8{x}16, 4]
d = redistribute c as [16, 4] return d }'
sw 'help program'
has 'help has the word of what is computed' 'exp, neg, scale, add,? *square'
sw "program $squares; program"
has 'it is typed' '^b +square a +\[8\{x\}16, 4\] '
sw 'program mesh {x: 2} fn f(a : [4]+{x}) -> [4]+{x} { b = square a return b }'
has 'sums are refused' 'error\[A08\].*square of an incomplete sum'
sw 'program mesh {x: 2} fn f(a : [4]) -> [4] { b = squary a return b }'
has 'what may be written names it' 'relu, exp, neg, scale, add, square, mul'
sw 'program mesh {x: 2} fn f(a : [4]+{x}) -> [4] { b = square a as ? return b }; assign; program'
has 'types are assigned' '^1 +a +.* ~> '
sw "program $squares; simulate"
has 'it is executed, bit for bit' '^verified: 4 values on 2 virtual devices, bit for bit'
sw "program $squares; show derivation"
has 'it is derived' 'square t'
for format in jax dtensor stablehlo shardy shard_map mpi; do
	sw "program mesh {x: 2} fn f(a : [8{x}16, 4]) -> ? { b = square a return b }; export $format - program"
	has "$format says it" 'jnp.square\(a\)|torch.square|stablehlo.square %|^static void square\('
done
sw "program $squares; export mpi squares.c program"
if [ -n "$mpi" ] && [ -n "$MPICC" ]; then
	"$MPICC" -o squares squares.c >out 2>&1 && "$mpi" -n 2 ./squares >out 2>&1
	has 'in C it is right' '^verified: 64 elements'
fi
sw "program $squares; export plan squares.json program; open squares.json; program"
has 'it is read back' '^c +spmd_op b '
if [ -n "$mpi" ]; then
	"$mpi" -n 2 copy/build/shardwalk-exec --reps 0 squares.json >out 2>&1
	has 'ranks execute it' '"record":"complete"'
else
	skip 'ranks execute it' 'there is no mpiexec'
fi
finish
