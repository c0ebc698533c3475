/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting for MPI without keeping the processor.
 */
#define _GNU_SOURCE
#include "requests.h"

#include <sched.h>
#include <string.h>

#include "add.h"
#include "watch.h"

enum { POLLS = 4 };

/* Tests a few times, then yields. */
#define UNTIL(test) \
	do { \
		int flag_ = 0; \
		ex_watch_wait(); \
		for (unsigned long n_ = 1;; n_++) { \
			test; \
			if (flag_) \
				break; \
			if (n_ % POLLS == 0) { \
				sched_yield(); \
				ex_watch_look(); \
			} \
		} \
		ex_watch_work(); \
	} while (0)

void ex_mpi_library(char *name)
{
	int length;
	MPI_Get_library_version(name, &length);
	name[strcspn(name, "\n")] = '\0';
	for (char *tab = name; (tab = strchr(tab, '\t'));)
		*tab = ' ';
}

void ex_wait(MPI_Request *request)
{
	UNTIL(MPI_Test(request, &flag_, MPI_STATUS_IGNORE));
}

int ex_wait_any(int count, MPI_Request *requests)
{
	int index = MPI_UNDEFINED;
	UNTIL(MPI_Testany(count, requests, &index, &flag_, MPI_STATUS_IGNORE));
	return index == MPI_UNDEFINED ? -1 : index;
}

int ex_look_any(int count, MPI_Request *requests)
{
	int index = MPI_UNDEFINED, flag = 0;
	MPI_Testany(count, requests, &index, &flag, MPI_STATUS_IGNORE);
	return flag && index != MPI_UNDEFINED ? index : -1;
}

void ex_wait_all(int count, MPI_Request *requests)
{
	for (int i = 0; i < count; i++)
		ex_wait(&requests[i]);
}

void ex_barrier(MPI_Comm comm)
{
	MPI_Request request;
	MPI_Ibarrier(comm, &request);
	ex_wait(&request);
}

void ex_bcast(MPI_Comm comm, void *data, int bytes, int root)
{
	MPI_Request request;
	MPI_Ibcast(data, bytes, MPI_BYTE, root, comm, &request);
	ex_wait(&request);
}

void ex_gather(MPI_Comm comm, const void *mine, int bytes, void *all)
{
	MPI_Request request;
	MPI_Igather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, comm, &request);
	ex_wait(&request);
}

void ex_allgather(MPI_Comm comm, const void *mine, int bytes, void *all)
{
	MPI_Request request;
	MPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm, &request);
	ex_wait(&request);
}

void ex_allreduce(MPI_Comm comm, double *values, int count, MPI_Op op)
{
	MPI_Request request;
	MPI_Iallreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, op, comm, &request);
	ex_wait(&request);
}

/* ---- sums ---- */

/* Two terms at a time: elements of 16 bits are rounded each time. */
static void add_halves(const ex_adder *adder, const void *in, void *both, int count)
{
	enum { AT_ONCE = 1024 };
	float sum[AT_ONCE];
	for (int at = 0, n; at < count; at += n) {
		n = count - at < AT_ONCE ? count - at : AT_ONCE;
		const void *terms[2] = {(const char *)in + 2 * at, (char *)both + 2 * at};
		adder->add(sum, terms, 2, false, n);
		adder->end((char *)both + 2 * at, sum, n);
	}
}

static void add_bf16(void *in, void *both, int *count, MPI_Datatype *type)
{
	(void)type;
	add_halves(ex_adder_of(SW_BF16), in, both, *count);
}

static void add_f16(void *in, void *both, int *count, MPI_Datatype *type)
{
	(void)type;
	add_halves(ex_adder_of(SW_F16), in, both, *count);
}

/* The library's own operation, where it knows the type. */
static MPI_Op sum_of(sw_dtype dtype)
{
	static MPI_Op bf16 = MPI_OP_NULL, f16 = MPI_OP_NULL;
	if (dtype != SW_BF16 && dtype != SW_F16)
		return MPI_SUM;
	MPI_Op *op = dtype == SW_BF16 ? &bf16 : &f16;
	if (*op == MPI_OP_NULL)
		MPI_Op_create(dtype == SW_BF16 ? add_bf16 : add_f16, 1, op);
	return *op;
}

MPI_Datatype ex_element_type(sw_dtype dtype)
{
	switch (dtype) {
	case SW_F32:
		return MPI_FLOAT;
	case SW_F64:
		return MPI_DOUBLE;
	case SW_C64:
		return MPI_C_FLOAT_COMPLEX;
	case SW_C128:
		return MPI_C_DOUBLE_COMPLEX;
	default:
		break;
	}
	int bytes = sw_dtype_bytes(dtype);
	return bytes == 1 ? MPI_UINT8_T : bytes == 2 ? MPI_UINT16_T : bytes == 4 ? MPI_UINT32_T : MPI_UINT64_T;
}

/* ---- with a count for each rank ---- */

void ex_alltoallv(MPI_Comm comm, const void *data, const ex_count *out, const ex_place *out_at, void *all,
	const ex_count *in, const ex_place *in_at)
{
	MPI_Request request;
	EX_COUNTED(MPI_Ialltoallv)(data, out, out_at, MPI_BYTE, all, in, in_at, MPI_BYTE, comm, &request);
	ex_wait(&request);
}

void ex_alltoallw(MPI_Comm comm, const void *data, const ex_parts *out, void *all, const ex_parts *in)
{
	MPI_Request request;
	EX_COUNTED(MPI_Ialltoallw)
	(data, out->count, out->at, out->type, all, in->count, in->at, in->type, comm, &request);
	ex_wait(&request);
}

void ex_allgatherv(MPI_Comm comm, const void *data, ex_count bytes, void *all, const ex_count *in,
	const ex_place *in_at)
{
	MPI_Request request;
	EX_COUNTED(MPI_Iallgatherv)(data, bytes, MPI_BYTE, all, in, in_at, MPI_BYTE, comm, &request);
	ex_wait(&request);
}

void ex_gatherv(MPI_Comm comm, const void *data, ex_count bytes, void *all, const ex_count *in, const ex_place *in_at,
	int root)
{
	MPI_Request request;
	EX_COUNTED(MPI_Igatherv)(data, bytes, MPI_BYTE, all, in, in_at, MPI_BYTE, root, comm, &request);
	ex_wait(&request);
}

void ex_scatterv(MPI_Comm comm, const void *data, const ex_count *out, const ex_place *out_at, void *mine,
	ex_count bytes, int root)
{
	MPI_Request request;
	EX_COUNTED(MPI_Iscatterv)(data, out, out_at, MPI_BYTE, mine, bytes, MPI_BYTE, root, comm, &request);
	ex_wait(&request);
}

void ex_bcast_bytes(MPI_Comm comm, void *data, int64_t bytes, int root)
{
	MPI_Request request;
	EX_COUNTED(MPI_Ibcast)(data, (ex_count)bytes, MPI_BYTE, root, comm, &request);
	ex_wait(&request);
}

void ex_reduce(MPI_Comm comm, const void *data, void *sum, int64_t bytes, sw_dtype dtype, int root)
{
	MPI_Request request;
	EX_COUNTED(MPI_Ireduce)
	(data, sum, (ex_count)(bytes / sw_dtype_bytes(dtype)), ex_element_type(dtype), sum_of(dtype), root, comm,
		&request);
	ex_wait(&request);
}

void ex_reduce_scatter(MPI_Comm comm, const void *data, void *mine, const ex_count *elements, sw_dtype dtype)
{
	MPI_Request request;
	EX_COUNTED(MPI_Ireduce_scatter)
	(data, mine, elements, ex_element_type(dtype), sum_of(dtype), comm, &request);
	ex_wait(&request);
}

#if MPI_VERSION >= 4

void ex_isend(MPI_Comm comm, const void *data, int64_t bytes, int to, int tag, MPI_Request *request)
{
	MPI_Isend_c(data, bytes, MPI_BYTE, to, tag, comm, request);
}

void ex_irecv(MPI_Comm comm, void *data, int64_t bytes, int from, int tag, MPI_Request *request)
{
	MPI_Irecv_c(data, bytes, MPI_BYTE, from, tag, comm, request);
}

void ex_ialltoall(MPI_Comm comm, const void *data, void *all, int64_t bytes, MPI_Request *request)
{
	MPI_Ialltoall_c(data, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm, request);
}

void ex_iallgather(MPI_Comm comm, const void *data, void *all, int64_t bytes, MPI_Request *request)
{
	MPI_Iallgather_c(data, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm, request);
}

void ex_ireduce_scatter(MPI_Comm comm, const void *data, void *mine, int64_t bytes, sw_dtype dtype,
	MPI_Request *request)
{
	MPI_Ireduce_scatter_block_c(data, mine, bytes / sw_dtype_bytes(dtype), ex_element_type(dtype), sum_of(dtype),
		comm, request);
}

void ex_iallreduce(MPI_Comm comm, const void *data, void *all, int64_t bytes, sw_dtype dtype, MPI_Request *request)
{
	MPI_Iallreduce_c(data, all, bytes / sw_dtype_bytes(dtype), ex_element_type(dtype), sum_of(dtype), comm, request);
}

#else

/* Before MPI 4 a count is an int: long messages are counted in larger units with a type of their own. */
static MPI_Datatype unit(int64_t bytes, int *count)
{
	static MPI_Datatype big = MPI_DATATYPE_NULL;
	enum { UNIT = 1 << 12 };
	if (bytes <= INT32_MAX) {
		*count = (int)bytes;
		return MPI_BYTE;
	}
	if (bytes % UNIT)
		MPI_Abort(MPI_COMM_WORLD, 3);
	if (big == MPI_DATATYPE_NULL) {
		MPI_Type_contiguous(UNIT, MPI_BYTE, &big);
		MPI_Type_commit(&big);
	}
	*count = (int)(bytes / UNIT);
	return big;
}

void ex_isend(MPI_Comm comm, const void *data, int64_t bytes, int to, int tag, MPI_Request *request)
{
	int count;
	MPI_Datatype type = unit(bytes, &count);
	MPI_Isend(data, count, type, to, tag, comm, request);
}

void ex_irecv(MPI_Comm comm, void *data, int64_t bytes, int from, int tag, MPI_Request *request)
{
	int count;
	MPI_Datatype type = unit(bytes, &count);
	MPI_Irecv(data, count, type, from, tag, comm, request);
}

void ex_ialltoall(MPI_Comm comm, const void *data, void *all, int64_t bytes, MPI_Request *request)
{
	int count;
	MPI_Datatype type = unit(bytes, &count);
	MPI_Ialltoall(data, count, type, all, count, type, comm, request);
}

void ex_iallgather(MPI_Comm comm, const void *data, void *all, int64_t bytes, MPI_Request *request)
{
	int count;
	MPI_Datatype type = unit(bytes, &count);
	MPI_Iallgather(data, count, type, all, count, type, comm, request);
}

/* Elements of which there are more than an int counts have no unit that could be added. */
static int elements(int64_t bytes, sw_dtype dtype)
{
	int64_t count = bytes / sw_dtype_bytes(dtype);
	if (count > INT32_MAX)
		MPI_Abort(MPI_COMM_WORLD, 3);
	return (int)count;
}

void ex_ireduce_scatter(MPI_Comm comm, const void *data, void *mine, int64_t bytes, sw_dtype dtype,
	MPI_Request *request)
{
	MPI_Ireduce_scatter_block(data, mine, elements(bytes, dtype), ex_element_type(dtype), sum_of(dtype), comm,
		request);
}

void ex_iallreduce(MPI_Comm comm, const void *data, void *all, int64_t bytes, sw_dtype dtype, MPI_Request *request)
{
	MPI_Iallreduce(data, all, elements(bytes, dtype), ex_element_type(dtype), sum_of(dtype), comm, request);
}

#endif
