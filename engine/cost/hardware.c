/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of hardware, and what follows from a row: rates on switches with a network, on rings and on lines.
 *
 * An axis of the mesh is a line of a torus, and a ring where its size is a multiple of the hardware's: then both directions
 * work at once, so that a gather of f tiles goes at twice the bandwidth of a link, in f / 2 hops.  In an alltoall every link
 * carries f / 8 tiles on a ring, f / 4 on a line: a piece travels a part of the way round only.  A group of every h-th device
 * shares its links with h - 1 others, and each hop is over h of them.  A group over several axes goes as along one.  The
 * tiles of a permute or an exchange among b neighbours load the links in the middle as those of an alltoall, and go b / 2
 * hops on a ring, b - 1 on a line.
 */
#include "cost/hardware.h"
#include "step/row.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

static const sw_hardware rows[] = {{"default", "round numbers for a fast network",
									   "chosen: 10 GB/s, 5 us a round, 1 us to begin a pass of packing", 10e9, 5e-6,
									   0, 0, 0, 0, 10e9, 1e-6, 0, 0, 0, {0}, NULL},
	{"v4p", "TPU v4p: a torus of three dimensions, rings at multiples of 4",
		"How to Scale Your Model (2025), parts 2 and 3: 4.5e10 B/s a link and direction, 1 us a hop, HBM 1.2e12 B/s, 2.75e14 flops/s; start chosen",
		4.5e10, 1e-6, 4, 0, 0, 0, 0.6e12, 0.5e-6, 2.75e14, 1.2e12, 0, {0}, NULL},
	{"v5e", "TPU v5e: a torus of two dimensions, rings at multiples of 16",
		"How to Scale Your Model (2025), parts 2 and 3: 4.5e10 B/s a link and direction, 1 us a hop, HBM 8.1e11 B/s, 1.97e14 flops/s; start chosen",
		4.5e10, 1e-6, 16, 0, 0, 0, 0.405e12, 0.5e-6, 1.97e14, 810e9, 0, {0},
		"How to Scale Your Model (2025), part 3, saw an allgather along 16 devices of 8 by 16 reach 95 % of a link from about 10 MB on"},
	{"v5p", "TPU v5p: a torus of three dimensions, rings at multiples of 4",
		"How to Scale Your Model (2025), parts 2 and 3: 9e10 B/s a link and direction, 1 us a hop, HBM 2.8e12 B/s, 4.59e14 flops/s; start chosen",
		9e10, 1e-6, 4, 0, 0, 0, 1.4e12, 0.5e-6, 4.59e14, 2.8e12, 0, {0}, NULL},
	{"a100", "nodes of 8 A100 with NVLink, one 200 Gb/s port for each to the network",
		"NVIDIA data sheets of A100 80GB (NVLink 600 GB/s both ways, 2.0e12 B/s, 3.12e14 flops/s) and DGX A100 (8 x 200 Gb/s); latencies of NCCL's "
		"tuning table (0.6 and 2.7 us); start chosen",
		300e9, 0.6e-6, 0, 8, 25e9, 2.7e-6, 1.0e12, 2e-6, 3.12e14, 2e12, 0, {0}, NULL},
	{"h100", "nodes of 8 H100 with NVLink, one 400 Gb/s port for each to the network",
		"NVIDIA data sheets of H100 SXM (NVLink 900 GB/s both ways, 3.35e12 B/s, 9.89e14 flops/s) and DGX H100 (8 x 400 Gb/s); latencies of NCCL's "
		"tuning table (0.6 and 2.7 us); start chosen",
		450e9, 0.6e-6, 0, 8, 50e9, 2.7e-6, 1.675e12, 2e-6, 9.89e14, 3.35e12, 0, {0}, NULL},
	{"lassen-gpu", "nodes of 4 V100 with NVLink, as Lassen has them, two 100 Gb/s ports for a node to the network",
		"NVIDIA data sheet of V100 SXM2 16GB (7.8e12 flops/s in f64, 1.57e13 in f32, 1.25e14 in 16 bits, 9e11 B/s, 16 GB); IBM AC922 (three NVLink "
		"bricks of 25 GB/s a direction between two GPUs); Lassen (4 GPUs a node, EDR InfiniBand: 25 GB/s out of a node, as the paper on DISTAL has it in section 7.1, a quarter each); "
		"latencies of NCCL's tuning table (0.6 and 2.7 us); start chosen",
		75e9, 0.6e-6, 0, 4, 6.25e9, 2.7e-6, 0.45e12, 2e-6, 1.25e14, 9e11, 16e9,
		{[SW_F64] = 7.8e12, [SW_F32] = 15.7e12}, NULL}};

double sw_hardware_flops(const sw_hardware *hardware, sw_dtype dtype)
{
	assert((unsigned)dtype < SW_DTYPE_COUNT);
	return hardware->dtype_flops[dtype] > 0 ? hardware->dtype_flops[dtype] : hardware->flops;
}

const sw_hardware *sw_hardware_at(int n)
{
	return n >= 0 && n < (int)(sizeof rows / sizeof *rows) ? &rows[n] : NULL;
}

const sw_hardware *sw_hardware_named(sw_str name)
{
	for (int n = 0; sw_hardware_at(n) != NULL; n++)
		if (sw_str_is(name, rows[n].name))
			return &rows[n];
	return NULL;
}

/* ---- rates ---- */

const sw_machine *sw_machine_default(void)
{
	static const sw_machine machine = {.name = "default", .start = 1e-6, .links = true, .hardware = &rows[0]};

	return &machine;
}

const sw_machine *sw_machine_of_model(sw_model model)
{
	static const sw_machine roofline = {.name = "default", .links = true, .roofline = true, .hardware = &rows[0]};

	return model == SW_MODEL_ROOFLINE ? &roofline : sw_machine_default();
}

bool sw_hardware_machine(const sw_hardware *hardware, sw_arena *arena, sw_machine *machine)
{
	sw_hardware *own = SW_NEW(arena, sw_hardware, 1);

	if (own == NULL)
		return false;
	*own = *hardware;
	*machine = (sw_machine){.name = own->name, .start = own->start, .links = true, .hardware = own};
	return true;
}

bool sw_hardware_roofline(const sw_hardware *hardware, sw_arena *arena, sw_machine *machine)
{
	if (!sw_hardware_machine(hardware, arena, machine))
		return false;
	machine->roofline = true;
	return true;
}

/* Do slots that differ along these neighbours only stand in one node?  Nodes are runs of devices by number. */
static bool in_one_node(const sw_hardware *hardware, const sw_mesh *mesh, int64_t stride, int64_t block)
{
	return hardware->node == 0 || mesh->devices <= hardware->node || hardware->node % (stride * block) == 0;
}

static bool has_own_link(const sw_axis *axis)
{
	return axis->bandwidth > 0 && axis->latency > 0;
}

sw_link sw_hardware_link(const sw_machine *machine, const sw_mesh *mesh, int axis, int64_t block)
{
	assert(axis >= 0 && axis < mesh->count && block >= 1);
	const sw_hardware *hardware = machine->hardware;
	const sw_axis *own = &mesh->axis[axis];
	bool leaves = !in_one_node(hardware, mesh, own->stride, block);
	sw_link link = {leaves ? hardware->network : hardware->bandwidth,
		leaves ? hardware->network_latency : hardware->latency};

	if (machine->links && own->bandwidth > 0)
		link.bandwidth = own->bandwidth;
	if (machine->links && own->latency > 0)
		link.latency = own->latency;
	return link;
}

/* What the table's links have to do for a step. */
struct way {
	bool leaves;  /* the node */
	bool closes;  /* a ring round every axis that is crossed */
	double hops;  /* from a device of the group to the next, over links that as many groups share */
	double block; /* coordinates of the longest stretch */
};

static struct way way_of(const sw_hardware *hardware, const sw_mesh *mesh, const sw_reach *reach)
{
	struct way way = {false, hardware->ring > 0, 1, 1};

	for (int i = 0; i < mesh->count; i++) {
		const sw_axis *axis = &mesh->axis[i];

		if (!sw_reach_crosses(reach, i) || has_own_link(axis))
			continue;
		way.leaves = way.leaves || !in_one_node(hardware, mesh, axis->stride, reach->block[i]);
		way.closes = way.closes && reach->block[i] == axis->size && axis->size % hardware->ring == 0;
		way.hops = fmax(way.hops, (double)reach->block[i] / (double)reach->count[i]);
		way.block = fmax(way.block, (double)reach->block[i]);
	}
	return way;
}

/* Groups of neighbours, where no mesh says which devices they are. */
static struct way nearest_way(const sw_hardware *hardware, int64_t group)
{
	bool leaves = hardware->node > 0 && group > hardware->node,
		 closes = hardware->ring > 0 && group % hardware->ring == 0;

	return (struct way){leaves, closes, 1, 1};
}

static void group_on_torus(const struct way *way, sw_op op, sw_rate *rate)
{
	double f = (double)rate->group, ways = way->closes ? 2 : 1;

	if (f < 2)
		return;
	rate->alpha *= way->hops * (way->closes ? f / 2 / (f - 1) : 1);
	rate->bandwidth *= (sw_only_gathers(op) ? ways : ways * 4 * (f - 1) / (f * f)) / way->hops;
}

/* Tiles that go to any of the slots: as far as there is, and over the links in the middle as those of an alltoall. */
static void pairs_on_torus(const struct way *way, sw_op op, sw_rate *rate)
{
	(void)op;
	rate->alpha *= fmax(1, way->closes ? way->block / 2 : way->block - 1);
	rate->bandwidth /= fmax(1, way->block / (way->closes ? 8 : 4));
}

static void (*const on_torus[SW_AMONG_COUNT])(const struct way *way, sw_op op, sw_rate *rate) = {
	[SW_AMONG_GROUPS] = group_on_torus,
	[SW_AMONG_PAIRS] = pairs_on_torus,
	[SW_AMONG_ALL] = pairs_on_torus,
}; /* without a row: nothing goes over links */

void sw_hardware_rate(const sw_hardware *hardware, sw_op op, int64_t group, const sw_mesh *mesh,
	const sw_reach *reach, sw_rate *rate)
{
	assert(reach == NULL || mesh != NULL);
	struct way way = reach != NULL ? way_of(hardware, mesh, reach) : nearest_way(hardware, group);

	*rate = (sw_rate){.op = op, .group = group, .copy = hardware->copy};
	if (on_torus[sw_row(op)->among] == NULL)
		return;
	rate->alpha = way.leaves ? hardware->network_latency : hardware->latency;
	rate->bandwidth = way.leaves ? hardware->network : hardware->bandwidth;
	if (hardware->ring > 0)
		on_torus[sw_row(op)->among](&way, op, rate);
}

void sw_hardware_best(const sw_hardware *hardware, double *alpha, double *bandwidth)
{
	*alpha = hardware->latency;
	*bandwidth = hardware->bandwidth * (hardware->ring > 0 ? 2 : 1);
	if (hardware->node > 0) {
		*alpha = fmin(*alpha, hardware->network_latency);
		*bandwidth = fmax(*bandwidth, hardware->network);
	}
}

bool sw_hardware_has_places(const sw_hardware *hardware, const sw_mesh *mesh)
{
	return hardware->ring > 0 || (hardware->node > 0 && mesh->devices > hardware->node);
}

bool sw_hardware_alike(const sw_hardware *hardware, const sw_mesh *mesh, const sw_prime_part *a,
	const sw_prime_part *b)
{
	return hardware->ring == 0 &&
		in_one_node(hardware, mesh, a->stride, a->prime) == in_one_node(hardware, mesh, b->stride, b->prime);
}

/* ---- a row as a person writes it ---- */

enum amount { OF_BANDWIDTH, OF_SECONDS, OF_BYTES };

static const char *const amounts[] = {"a bandwidth above 0, 50GB/s", "a time above 0, 2us", "a size above 0, 16GB"};

static const struct {
	const char *name;
	double factor;
	enum amount amount;
} units[] = {{"TB/s", 1e12, OF_BANDWIDTH}, {"GB/s", 1e9, OF_BANDWIDTH}, {"MB/s", 1e6, OF_BANDWIDTH},
	{"kB/s", 1e3, OF_BANDWIDTH}, {"s", 1, OF_SECONDS}, {"ms", 1e-3, OF_SECONDS}, {"us", 1e-6, OF_SECONDS},
	{"ns", 1e-9, OF_SECONDS}, {"B/s", 1, OF_BANDWIDTH}, {"TB", 1e12, OF_BYTES}, {"GB", 1e9, OF_BYTES},
	{"GiB", 0x1p30, OF_BYTES}, {"MB", 1e6, OF_BYTES}, {"B", 1, OF_BYTES}};

struct reader {
	sw_str text;
	size_t at, begin;
	sw_diag *diag;
};

static sw_str next_word(struct reader *r)
{
	while (r->at < r->text.length && r->text.at[r->at] == ' ')
		r->at++;
	r->begin = r->at;
	while (r->at < r->text.length && r->text.at[r->at] != ' ')
		r->at++;
	return (sw_str){r->text.at + r->begin, r->at - r->begin};
}

static bool refuse(struct reader *r, const char *expected)
{
	sw_str word = {r->text.at + r->begin, r->at - r->begin};

	if (word.length > 0)
		sw_diag_set(r->diag, SW_L11, (sw_span){r->begin, r->at}, "'%.*s' is not one",
			(int)(word.length < 40 ? word.length : 40), word.at);
	else
		sw_diag_set(r->diag, SW_L11, (sw_span){r->begin, r->at}, "something is missing");
	sw_diag_expected(r->diag, "%s", expected);
	sw_diag_hint(r->diag, "for instance 50GB/s 2us node 8 25GB/s 5us copy 1TB/s");
	return false;
}

/* A positive number with its unit.  strtod reads more than a person should write: only digits and a point may start it. */
static bool read_amount(struct reader *r, enum amount of, double *amount)
{
	const char *expected = amounts[of];
	sw_str word = next_word(r);
	char number[40];
	size_t digits = 0;

	while (digits < word.length && (strchr("0123456789.", word.at[digits]) != NULL))
		digits++;
	if (digits == 0 || digits >= sizeof number)
		return refuse(r, expected);
	memcpy(number, word.at, digits);
	number[digits] = '\0';
	for (size_t u = 0; u < sizeof units / sizeof *units; u++)
		if (units[u].amount == of && sw_str_is((sw_str){word.at + digits, word.length - digits}, units[u].name)) {
			*amount = strtod(number, NULL) * units[u].factor;
			return *amount > 0 || refuse(r, expected);
		}
	return refuse(r, expected);
}

/* Operations a second, 4.59e14. */
static bool read_rate(struct reader *r, double *rate)
{
	static const char expected[] = "operations a second, 4.59e14";
	sw_str word = next_word(r);
	char number[40], *end;

	if (word.length == 0 || word.length >= sizeof number || strchr("0123456789", *word.at) == NULL)
		return refuse(r, expected);
	for (size_t i = 0; i < word.length; i++)
		if (strchr("0123456789.eE+-", word.at[i]) == NULL)
			return refuse(r, expected);
	memcpy(number, word.at, word.length);
	number[word.length] = '\0';
	*rate = strtod(number, &end);
	return (*end == '\0' && *rate > 0 && isfinite(*rate)) || refuse(r, expected);
}

/* Of numbers of 16 bits, or of the element type that follows. */
static bool read_flops(struct reader *r, sw_hardware *hardware)
{
	double rate = 0;

	if (!read_rate(r, &rate))
		return false;
	struct reader here = *r;
	sw_dtype dtype;
	if (sw_dtype_parse(next_word(r), &dtype, NULL)) {
		hardware->dtype_flops[dtype] = rate;
		return true;
	}
	*r = here;
	hardware->flops = rate;
	return true;
}

static bool read_whole(struct reader *r, int64_t *number)
{
	sw_str word = next_word(r);

	return (sw_read_int(word, number, NULL) && *number >= 2) || refuse(r, "a number of at least 2 devices");
}

bool sw_hardware_parse(sw_str text, sw_hardware *hardware, sw_diag *diag)
{
	struct reader r = {.text = text, .diag = diag};
	sw_hardware read = {.name = hardware->name, .about = hardware->about, .source = hardware->source};

	if (!read_amount(&r, OF_BANDWIDTH, &read.bandwidth) || !read_amount(&r, OF_SECONDS, &read.latency))
		return false;
	read.copy = read.bandwidth;
	for (sw_str word = next_word(&r); word.length > 0; word = next_word(&r)) {
		bool good;

		if (sw_str_is(word, "node"))
			good = read_whole(&r, &read.node) && read_amount(&r, OF_BANDWIDTH, &read.network) &&
				read_amount(&r, OF_SECONDS, &read.network_latency);
		else if (sw_str_is(word, "ring"))
			good = read_whole(&r, &read.ring);
		else if (sw_str_is(word, "copy"))
			good = read_amount(&r, OF_BANDWIDTH, &read.copy);
		else if (sw_str_is(word, "start"))
			good = read_amount(&r, OF_SECONDS, &read.start);
		else if (sw_str_is(word, "flops"))
			good = read_flops(&r, &read);
		else if (sw_str_is(word, "memory"))
			good = read_amount(&r, OF_BANDWIDTH, &read.memory);
		else if (sw_str_is(word, "holds"))
			good = read_amount(&r, OF_BYTES, &read.holds);
		else
			good = refuse(&r, "node, ring, copy, start, flops, memory or holds");
		if (!good)
			return false;
	}
	*hardware = read;
	return true;
}
