/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seconds of what a device computes, by measured rates.
 */
#include <assert.h>
#include <math.h>

#include <shardwalk/cost.h>
#include <shardwalk/hardware.h>

static const char *const names[SW_KERNEL_COUNT] = {"product", "each", "pairs", "exp"};

const char *sw_kernel_name(sw_kernel kernel)
{
	assert((unsigned)kernel < SW_KERNEL_COUNT);
	return names[kernel];
}

sw_kernel sw_kernel_named(sw_str name)
{
	int kernel = 0;

	while (kernel < SW_KERNEL_COUNT && !sw_str_is(name, names[kernel]))
		kernel++;
	return (sw_kernel)kernel;
}

/* The nearest rows on both sides of a size; false where there is none of the kernel. */
static bool around(const sw_machine *machine, sw_kernel kernel, double size, const sw_kernel_rate *near[2])
{
	near[0] = near[1] = NULL;
	for (int i = 0; i < machine->kernels; i++) {
		const sw_kernel_rate *row = &machine->kernel[i];

		if (row->kernel != kernel)
			continue;
		if ((double)row->size <= size && (near[0] == NULL || row->size > near[0]->size))
			near[0] = row;
		if ((double)row->size >= size && (near[1] == NULL || row->size < near[1]->size))
			near[1] = row;
	}
	near[0] = near[0] != NULL ? near[0] : near[1];
	near[1] = near[1] != NULL ? near[1] : near[0];
	return near[0] != NULL;
}

double sw_kernel_seconds(const sw_machine *machine, sw_kernel kernel, double size, double amount)
{
	const sw_kernel_rate *near[2];

	if (!around(machine, kernel, size, near))
		return -1;
	double share = near[0]->size < near[1]->size ?
		log(size / (double)near[0]->size) / log((double)near[1]->size / (double)near[0]->size) :
		0;
	return amount / (near[0]->rate * pow(near[1]->rate / near[0]->rate, share));
}

double sw_kernel_start(const sw_machine *machine, sw_kernel kernel)
{
	const sw_kernel_rate *near[2];

	return around(machine, kernel, 1, near) ? near[0]->alpha : 0;
}

double sw_machine_flops(const sw_machine *machine)
{
	double most = 0;

	if (machine->hardware != NULL)
		return machine->hardware->flops;
	for (int i = 0; i < machine->kernels; i++)
		if (machine->kernel[i].kernel == SW_KERNEL_PRODUCT)
			most = fmax(most, machine->kernel[i].rate);
	return most;
}
