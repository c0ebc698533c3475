# SPDX-License-Identifier: GPL-3.0-or-later
#
# Seconds that XLA takes for one product of sharded arrays on host devices of this machine, the median of REPS, operands in place and
# the result waited for:  xla_product.py MESH EQUATION A B AS REPS
import math, os, re, statistics, sys, time


def sharding(text):
    """Sizes, and the axes of each dimension, major first, of `[2{x,y}16, 8]`."""
    entries = [re.fullmatch(r"(?:\d*\{([^}]*)\})?(\d+)", e.strip()) for e in re.split(r",(?![^{]*\})", text.strip()[1:-1])]
    return [int(e[2]) for e in entries], [tuple(reversed(e[1].split(","))) if e[1] else None for e in entries]


mesh = [(a, int(n)) for a, n in re.findall(r"(\w+): *(\d+)", sys.argv[1])]
equation, reps = sys.argv[2], int(sys.argv[6])
devices = math.prod(n for _, n in mesh)
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
os.environ["JAX_PLATFORMS"] = "cpu"
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

on = Mesh(np.array(jax.devices()[:devices]).reshape([n for _, n in mesh]), [a for a, _ in mesh])
shapes, specs = zip(*(sharding(text) for text in sys.argv[3:6]))
places = [NamedSharding(on, PartitionSpec(*axes)) for axes in specs]
random = np.random.default_rng(0)
a, b = (jax.device_put(random.integers(-3, 4, shape).astype(np.float32), place) for shape, place in zip(shapes[:2], places))
product = jax.jit(lambda x, y: jnp.einsum(equation, x, y), out_shardings=places[2])
product(a, b).block_until_ready()
times = []
for _ in range(reps):
    begin = time.perf_counter()
    product(a, b).block_until_ready()
    times.append(time.perf_counter() - begin)
print(statistics.median(times))
