# A program of sharded arrays under shard_map in JAX, collective by collective, written by shardwalk.
#
#   mesh {x: 2, y: 2}
#   fn f(A : f32[8{x}16, 8], B : f32[8, 6{y}12], C : f32[6{y}12, 8]) -> f32[4{y,x}16, 8] {
#     h = einsum "ij,jk->ik" A B
#     r = relu h
#     o = einsum "ij,jk->ik" r C as f32[8{x}16, 8]
#     s = add o A
#     t = scale s as f32[4{y,x}16, 8]
#     return t
#   }
#
# It runs by itself and checks the result: python3 THIS_FILE.py

import os

# This many devices in this process, if there is no other hardware.
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=4")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

if len(jax.devices()) < 4:
    raise SystemExit(f"4 devices are needed, {len(jax.devices())} are there")

mesh = Mesh(np.array(jax.devices()[:4]).reshape(2, 2), ("x", "y"))
SOURCES = [P("x", None), P(None, "y"), P("y", None)]
TARGET = P(("x", "y"), None)
DTYPE = jnp.dtype("float32")
AXES = mesh.axis_names  # an index over all of them is the number of a device


def redistribute_4(a):
    # [8{x}16, 8]+{y} to [8{x}16, 8]
    # step 1, allreduce: sums; [8, 8] becomes [8, 8]
    a = lax.psum(a, "y")
    return a
STARTS_2 = [
    (0, 0), (4, 0), (0, 0), (4, 0),
]


def redistribute_7(a):
    # [8{x}16, 8] to [4{y,x}16, 8]
    # step 1, dynslice: splits dimension 0 by 2; [8, 8] becomes [4, 8]
    a = lax.dynamic_slice(a, jnp.array(STARTS_2)[lax.axis_index(AXES)], (4, 8))
    return a


def on_device(A, B, C):
    """What each device does with its tiles."""
    h = jnp.einsum("ij,jk->ik", A, B)  # [8{x}16, 6{y}12]
    r = jnp.maximum(h, 0)  # [8{x}16, 6{y}12]
    o = jnp.einsum("ij,jk->ik", r, C)  # [8{x}16, 8]+{y}
    o = redistribute_4(o)  # [8{x}16, 8]
    s = o + A  # [8{x}16, 8]
    t = 2 * s  # [8{x}16, 8]
    t = redistribute_7(t)  # [4{y,x}16, 8]
    return t


program = jax.shard_map(on_device, mesh=mesh, in_specs=tuple(SOURCES), out_specs=TARGET, check_vma=False)


def placed(values, spec):
    """The array on the devices; or terms that add up to it, along a first dimension of their own."""
    return jax.device_put(values, NamedSharding(mesh, spec))


def whole(result, spec):
    """What the devices hold, put together; copies have to be the same."""
    if not result.sharding.is_equivalent_to(NamedSharding(mesh, spec), result.ndim):
        raise SystemExit(f"WRONG: the result is sharded {result.sharding}")
    values = np.asarray(result)
    for shard in result.addressable_shards:
        if np.asarray(shard.data).tobytes() != values[shard.index].tobytes():
            raise SystemExit(f"WRONG: {shard.device} holds another copy of {shard.index} than others")
    return values


def told(compiled):
    text = compiled.as_text()
    for kind in ("all-gather", "all-to-all", "collective-permute", "all-reduce", "reduce-scatter"):
        print(f"{kind}: {text.count(f' {kind}(') + text.count(f' {kind}-start(')}")
    return compiled


def on_whole_arrays(inputs, negative=np.negative):
    """The result, and the largest value on the way."""
    largest = [0]

    def keep(value):
        largest.append(np.max(np.abs(value)))
        return value

    A, B, C = inputs
    h = keep(np.einsum("ij,jk->ik", A, B))
    r = keep(np.maximum(h, 0))
    o = keep(np.einsum("ij,jk->ik", r, C))
    s = keep(o + A)
    t = keep(2 * s)
    return t, max(largest)


def values_of():
    draw = np.random.default_rng(0)
    return [draw.integers(-1, 2, (16, 8)).astype(np.float64), draw.integers(-1, 2, (8, 12)).astype(np.float64), draw.integers(-1, 2, (12, 8)).astype(np.float64)]


def compared(got, inputs):
    expected, _ = on_whole_arrays(inputs)
    _, largest = on_whole_arrays([np.abs(value) for value in inputs], np.abs)
    got = np.asarray(got).astype(np.float64)
    if largest < 2**24:
        if not np.array_equal(got, expected):
            raise SystemExit("WRONG: the result differs from that of whole arrays")
        return "right: the result is that of whole arrays, bit for bit"
    bound = 2.0**-18 * 5 * largest  # of rounding, whatever the order of additions
    if not np.all(np.abs(got - expected) <= bound):
        raise SystemExit("WRONG: the result differs from that of whole arrays")
    return f"right: the result is that of whole arrays within {bound:.3g}"


def main():
    inputs = values_of()
    arrays = [placed(value.astype(DTYPE), spec) for value, spec in zip(inputs, SOURCES)]
    run = told(jax.jit(program).lower(*arrays).compile())
    print(compared(whole(run(*arrays), TARGET), inputs))


if __name__ == "__main__":
    main()
