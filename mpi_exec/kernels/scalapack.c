/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ScaLAPACK and its BLACS, by dlopen.
 *
 * Source: ScaLAPACK Users' Guide, sections 4.3 (descriptors) and A.2 (grids of processes).
 */
#define _GNU_SOURCE
#include "kernels/scalapack.h"

#include <assert.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DESCRIPTOR = 9, DENSE = 1 };

typedef void product_function(const char *turn_a, const char *turn_b, const int *m, const int *n, const int *k,
	const double *alpha, const double *a, const int *row_a, const int *column_a, const int *of_a, const double *b,
	const int *row_b, const int *column_b, const int *of_b, const double *beta, double *c, const int *row_c,
	const int *column_c, const int *of_c);
typedef int rows_function(const int *size, const int *block, const int *process, const int *first,
	const int *processes);

static const char *const names[] = {"libscalapack-mpich.so.2.2", "libscalapack-mpich.so"};
enum { NAMES = sizeof names / sizeof *names };

/* ---- loading ---- */

/* What the dynamic section of a library says. */
typedef struct dynamic {
	ElfW(Addr) base;
	uintptr_t at[DT_NUM]; /* of each tag, an address or a number */
} dynamic;

static void read_dynamic(const struct link_map *map, dynamic *d)
{
	*d = (dynamic){.base = map->l_addr};
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag > 0 && entry->d_tag < DT_NUM)
			d->at[entry->d_tag] = entry->d_un.d_val;
}

/* glibc makes addresses of what the file has as offsets, others leave them. */
static const void *address(const dynamic *d, int tag)
{
	uintptr_t at = d->at[tag];
	return at == 0 ? NULL : (const void *)(at < d->base ? d->base + at : at);
}

/* The slot that is bound to a function, of these relocations. */
static void *bound(const dynamic *d, const ElfW(Rela) * relocation, size_t bytes, const char *name)
{
	enum { SYMBOL = sizeof(void *) == 8 ? 32 : 8 };
	const ElfW(Sym) *symbol = address(d, DT_SYMTAB);
	const char *string = address(d, DT_STRTAB);
	for (size_t i = 0; relocation && symbol && string && i < bytes / sizeof *relocation; i++)
		if (strcmp(string + symbol[relocation[i].r_info >> SYMBOL].st_name, name) == 0)
			return *(void **)(d->base + relocation[i].r_offset);
	return NULL;
}

/* Where the library's own calls of a function go.  NULL: it has none. */
static void *called(void *handle, const char *name)
{
	struct link_map *map;
	dynamic d;
	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
		return NULL;
	read_dynamic(map, &d);
	void *by_call = bound(&d, address(&d, DT_JMPREL), d.at[DT_PLTRELSZ], name);
	return by_call ? by_call : bound(&d, address(&d, DT_RELA), d.at[DT_RELASZ], name);
}

/* What is loaded for everybody comes first where symbols are looked for. */
static void offer(const ex_blas *blas)
{
	if (blas->library)
		(void)dlopen(blas->library, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

static bool refuse(ex_fault *fault, const char *why)
{
	ex_fault_set(fault, EX_LACKS, "E02", "ScaLAPACK cannot be used: %s", why ? why : "there is no pdgemm in it");
	return ex_fault_hint(fault,
		"the package libscalapack-mpich2.2 has it; SHARDWALK_SCALAPACK names the file of another");
}

bool ex_scalapack_load(ex_scalapack *library, const ex_blas *blas, ex_fault *fault)
{
	char why[300] = "";
	*library = (ex_scalapack){.system = -1, .context = -1};
	offer(blas);
	const char *named = getenv("SHARDWALK_SCALAPACK");
	for (int i = 0; i < (named ? 1 : NAMES) && !library->handle; i++) {
		library->handle = dlopen(named ? named : names[i], RTLD_NOW | RTLD_LOCAL);
		if (!library->handle && i == 0)
			snprintf(why, sizeof why, "%s", dlerror());
	}
	if (!library->handle)
		return refuse(fault, why);
	library->multiply = dlsym(library->handle, "pdgemm_");
	library->rows = dlsym(library->handle, "numroc_");
	if (!library->multiply || !library->rows)
		return refuse(fault, NULL);
	ex_blas_file(library->multiply, library->file, sizeof library->file);
	ex_blas_file(called(library->handle, "dgemm_"), library->blas, sizeof library->blas);
	ex_blas_keep_to_one_thread(library->handle);
	return true;
}

/* ---- grids ---- */

bool ex_scalapack_open(ex_scalapack *library, MPI_Comm comm, const int64_t grid[2], ex_fault *fault)
{
	int (*handle_of)(MPI_Comm comm);
	void (*begin)(int *context, const char *order, int rows, int columns);
	void (*look)(int context, int *rows, int *columns, int *row, int *column);
	void *functions[] = {dlsym(library->handle, "Csys2blacs_handle"), dlsym(library->handle, "Cblacs_gridinit"),
		dlsym(library->handle, "Cblacs_gridinfo")};
	int rows, columns;
	if (!functions[0] || !functions[1] || !functions[2])
		return refuse(fault, "there are no BLACS in it");
	memcpy(&handle_of, &functions[0], sizeof handle_of);
	memcpy(&begin, &functions[1], sizeof begin);
	memcpy(&look, &functions[2], sizeof look);
	library->grid[0] = (int)grid[0];
	library->grid[1] = (int)grid[1];
	library->system = library->context = handle_of(comm);
	begin(&library->context, "Col", library->grid[1], library->grid[0]);
	look(library->context, &columns, &rows, &library->at[1], &library->at[0]);
	assert(rows == library->grid[0] && columns == library->grid[1]);
	return true;
}

/* The library itself stays: BLACS keep what MPI knows of. */
void ex_scalapack_close(ex_scalapack *library)
{
	void (*end)(int context), (*release)(int handle);
	void *functions[] = {library->handle ? dlsym(library->handle, "Cblacs_gridexit") : NULL,
		library->handle ? dlsym(library->handle, "Cfree_blacs_system_handle") : NULL};
	memcpy(&end, &functions[0], sizeof end);
	memcpy(&release, &functions[1], sizeof release);
	if (functions[0] && library->context >= 0)
		end(library->context);
	if (functions[1] && library->system >= 0)
		release(library->system);
	library->system = library->context = -1;
}

/* ---- products ---- */

/* Of `size` indices those of this rank, along rows or columns of the grid. */
static int indices_of(const ex_scalapack *library, int64_t size, int64_t block, int axis)
{
	rows_function *rows;
	const int all = (int)size, of = (int)block, first = 0;
	memcpy(&rows, &library->rows, sizeof rows);
	return rows(&all, &of, &library->at[axis], &first, &library->grid[axis]);
}

int64_t ex_scalapack_elements(const ex_scalapack *library, int64_t rows, int64_t columns, int64_t block)
{
	assert(rows <= INT_MAX && columns <= INT_MAX && block <= INT_MAX);
	return (int64_t)indices_of(library, rows, block, 0) * indices_of(library, columns, block, 1);
}

/* Of a matrix that is stored by rows. */
static void describe(const ex_scalapack *library, int64_t rows, int64_t columns, int64_t block, int *descriptor)
{
	int lead = indices_of(library, columns, block, 1);
	const int all[DESCRIPTOR] = {DENSE, library->context, (int)columns, (int)rows, (int)block, (int)block, 0, 0,
		lead > 0 ? lead : 1};
	memcpy(descriptor, all, sizeof all);
}

void ex_scalapack_multiply(const ex_scalapack *library, const sw_schedule_product *product, int64_t block,
	const void *b, const void *c, void *a)
{
	assert(library->context >= 0 && product->m <= INT_MAX && product->n <= INT_MAX && product->k <= INT_MAX);
	const int m = (int)product->m, n = (int)product->n, k = (int)product->k, first = 1;
	const double one = 1, zero = 0;
	int of_a[DESCRIPTOR], of_b[DESCRIPTOR], of_c[DESCRIPTOR];
	product_function *multiply;
	memcpy(&multiply, &library->multiply, sizeof multiply);
	describe(library, m, n, block, of_a);
	describe(library, product->b_turned ? k : m, product->b_turned ? m : k, block, of_b);
	describe(library, product->c_turned ? n : k, product->c_turned ? k : n, block, of_c);
	multiply(product->c_turned ? "T" : "N", product->b_turned ? "T" : "N", &n, &m, &k, &one, c, &first, &first, of_c,
		b, &first, &first, of_b, &zero, a, &first, &first, of_a);
}
