# SPDX-License-Identifier: GPL-3.0-or-later
#
# Prints what JAX says of arrays that go from one mesh to another, as the files beside this one keep it: `python print_jax.py FOLDER`.
# They were made by JAX 0.10.2 on 8 devices of one processor.
import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

folder = sys.argv[1]
devices = np.array(jax.devices())
train = Mesh(devices.reshape(4, 2), ("data", "model"))
serve = Mesh(devices.reshape(2, 4), ("replica", "tensor"))
left = Mesh(devices[:4].reshape(2, 2), ("data", "model"))
right = Mesh(devices[4:], ("tensor",))


def keep(name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text + "\n")


def error(call):
    try:
        call()
    except ValueError as why:
        return str(why)
    raise SystemExit("no error")


def shape(*sizes):
    return jax.ShapeDtypeStruct(sizes, jnp.float32)


keep("shardings.txt", "%s\n->\n%s" % (NamedSharding(train, P("data", "model")), NamedSharding(serve, P(None, "tensor"))))
keep(
    "parts.txt",
    "%s\n->\n%s" % (NamedSharding(train, P("data", "model")), NamedSharding(right, P("tensor"))),
)
has = {
    "embed": NamedSharding(train, P("data", "model")),
    "layer": {"kernel": NamedSharding(train, P("data", None)), "out": NamedSharding(train, P(None, "model"))},
    "bias": NamedSharding(train, P()),
}
wants = {
    "embed": NamedSharding(serve, P("tensor", None)),
    "layer": {"kernel": NamedSharding(serve, P(None, "tensor")), "out": NamedSharding(serve, P("tensor"))},
    "norm": NamedSharding(serve, P()),
}
keep("dictionaries.txt", "%s\n%s" % (has, wants))



def compiled(w, b, x):
    """What a program of two arguments, a dictionary and an array, takes"""
    square = lambda spec: jax.ShapeDtypeStruct((8, 8), jnp.float32, sharding=NamedSharding(grid, spec))
    step = jax.jit(lambda p, x: {"w": p["w"] @ x, "b": p["b"] * 2})
    return step.lower({"w": square(w), "b": square(b)}, square(x)).compile().input_shardings


grid = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
keep(
    "input-shardings.txt",
    "%s\n%s" % (compiled(P("x", None), P(None, "y"), P(None, "y")), compiled(P("x", "y"), P(None, "y"), P())),
)
sizes = {"embed": (1024, 256), "layer": {"kernel": (256, 512), "out": (512, 256)}, "bias": (256,)}
arrays = jax.tree.map(
    lambda s, size: jax.ShapeDtypeStruct(size, jnp.float32, sharding=s),
    has,
    sizes,
    is_leaf=lambda v: isinstance(v, (tuple, NamedSharding)),
)
keep("arrays.txt", "%s ->\n%s" % (arrays, wants))
constrained = jax.jit(lambda u: jax.lax.with_sharding_constraint(u, NamedSharding(serve, P(None, "tensor"))),
                      in_shardings=NamedSharding(train, P("data", "model")))
keep("constraint.mlir", constrained.lower(shape(16, 16)).as_text())
asked = jax.jit(lambda u: u * 1, in_shardings=NamedSharding(train, P("data", "model")),
                out_shardings=NamedSharding(serve, P(None, "tensor")))
keep("results.mlir", asked.lower(shape(16, 16)).as_text())
put = jax.make_jaxpr(lambda u: jax.device_put(u, NamedSharding(serve, P(None, "tensor"))))
keep("device_put.txt", str(put(shape(16, 16))))
x = jax.device_put(jnp.zeros((16, 16)), NamedSharding(left, P("data", "model")))
y = jax.device_put(x, NamedSharding(right, P("tensor")))
keep("incompatible.txt", error(lambda: jax.jit(lambda u, v: u + v)(x, y)))
keep("incompatible-result.txt", error(lambda: jax.jit(lambda u: u, out_shardings=NamedSharding(right, P()))(x)))
keep(
    "incompatible-constraint.txt",
    error(lambda: jax.jit(lambda u: jax.lax.with_sharding_constraint(u * 2, NamedSharding(right, P())))(x)),
)
keep("mismatch.txt", error(lambda: jax.jit(lambda u: u, in_shardings=NamedSharding(left, P()))(y)))
keep("device_ids.txt", "%r\n%r" % (left.device_ids, right.device_ids))
