/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hardware by name: what a machine's links and memory do, and where the numbers come from.
 */
#ifndef SHARDWALK_HARDWARE_H
#define SHARDWALK_HARDWARE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/cost.h>
#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

/* Bytes and seconds; bandwidths per device and direction. */
struct sw_hardware {
	const char *name;
	const char *about;  /* one sentence */
	const char *source; /* of the numbers */
	double bandwidth;   /* of a link between neighbours, or into the switch of a node */
	double latency;     /* of a hop, or of a message inside a node */
	int64_t ring;       /* each axis of the mesh is a line of a torus, a ring at multiples of this; 0: a switch */
	int64_t node;       /* devices, by number, that a switch joins; groups that leave it use the network; 0: all */
	double network;     /* bandwidth of a device's share of the network */
	double network_latency;
	double copy;                        /* of packing: bytes that memory reads and writes again */
	double start;                       /* seconds to begin a pass of packing */
	double flops;                       /* operations on floating-point numbers a second; 0: not stated */
	double memory;                      /* bytes that its own memory gives a second; 0: not stated */
	double holds;                       /* bytes that fit into it; 0: not stated */
	double dtype_flops[SW_DTYPE_COUNT]; /* operations on elements of a type, where that is stated; else 0 */
	const char *measured;               /* what others saw on it, one sentence; NULL: nothing that is known here */
};

/* Operations a second on elements of a type: what is stated of it, else of any; 0: neither is. */
double sw_hardware_flops(const sw_hardware *hardware, sw_dtype dtype);

/* The n-th row of the table, NULL after the last; the first is the machine of the model `latency` when nothing is set. */
const sw_hardware *sw_hardware_at(int n);
const sw_hardware *sw_hardware_named(sw_str name); /* NULL: there is none */

/* The machine whose rates follow from the row.  A copy of the row lives in `arena`; false: memory. */
bool sw_hardware_machine(const sw_hardware *hardware, sw_arena *arena, sw_machine *machine);

/* The same for the model `roofline`. */
bool sw_hardware_roofline(const sw_hardware *hardware, sw_arena *arena, sw_machine *machine);

/* Reads what a person knows of a machine: `50GB/s 2us`, and then perhaps `node 8 25GB/s 5us`, `ring 4`, `copy 1TB/s`,
 * `start 1us`, `flops 4.59e14`, `flops 7.8e12 f64`, `memory 2.8TB/s`, `holds 16GB`.  Leaves name, about and source alone.  Errors: L11 with the position. */
bool sw_hardware_parse(sw_str text, sw_hardware *hardware, sw_diag *diag);

#pragma GCC visibility pop

#endif
