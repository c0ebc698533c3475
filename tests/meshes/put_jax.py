# SPDX-License-Identifier: GPL-3.0-or-later
#
# What jax.device_put does between meshes of different devices: prints put.txt, with JAX 0.10.2.
#
#     python3 put_jax.py >put.txt
#     python3 put_jax.py --advised SHARDWALK: carries out what `advise` writes, and says what is not as it promises.
import json
import os
import subprocess
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import numpy as np
from jax._src import array
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

SQUARE, ROW, TWO = ([[0, 1], [2, 3]], ("data", "model")), ([4, 5, 6, 7], ("tensor",)), ([4, 5], ("t",))
ALL, ODD = ([[0, 1, 2, 3], [4, 5, 6, 7]], ("p", "q")), ([1, 3, 5, 7], ("z",))
THREE, ONE = ([5, 6, 7], ("h",)), ([7], ("one",))
ENDS = [
    (SQUARE, P("data", "model"), ROW, P("tensor")), (SQUARE, P("data"), TWO, P("t")), (TWO, P(None, "t"), SQUARE, P("data", "model")),
    (SQUARE, P("data", "model"), TWO, P()), (ALL, P("p", "q"), ODD, P("z")), (ODD, P("z"), ALL, P("q", "p")),
    (ODD, P(None, "z"), ALL, P(("p", "q"))), (SQUARE, P(), ROW, P("tensor")), (SQUARE, P(), ROW, P()), (ROW, P("tensor"), THREE, P("h")),
    (ROW, P("tensor"), THREE, P()), (ALL, P("q"), ROW, P("tensor")), (ROW, P("tensor"), ALL, P("q", None)), (THREE, P(None, "h"), TWO, P("t")),
    (ONE, P(), ROW, P(None, "tensor")), (ROW, P("tensor"), ONE, P()),
]

whole = []
value = array.ArrayImpl._value.fget
array.ArrayImpl._value = property(lambda x: (whole.append(1), value(x))[1])


def through_host(move):
    del whole[:]
    result = move().block_until_ready()
    return result, bool(whole)


def sharding(mesh, spec):
    return NamedSharding(Mesh(np.array(jax.devices())[np.array(mesh[0])], mesh[1]), spec)


def text(mesh, spec):
    said = repr(spec).replace("PartitionSpec", "P")
    return "NamedSharding(mesh=Mesh(device_ids=array(%s), axis_names=%s), spec=%s)" % (mesh[0], mesh[1], said)


def advised(program, ends, x, target):
    asked = "f32[48,48] %s ~> %s; advise --json" % ends
    out = subprocess.run([program, "-c", asked], capture_output=True, text=True, check=True).stdout
    advice = json.loads(out.splitlines()[-1])
    names = {"x": x, "target": target, "jax": jax, "Mesh": Mesh, "NamedSharding": NamedSharding, "P": P}
    result, host = through_host(lambda: (exec(advice["code"], names), names["x"])[1])
    right = result.sharding == target and np.array_equal(np.asarray(result), np.asarray(x))
    if not right or host != (advice["way"] == "host"):
        print("WRONG", ends, advice["code"])


for a, p, b, q in ENDS:
    x = jax.device_put(np.arange(48.0 * 48, dtype="f4").reshape(48, 48), sharding(a, p))
    if len(sys.argv) > 2:
        advised(sys.argv[2], (text(a, p), text(b, q)), x, sharding(b, q))
    else:
        _, host = through_host(lambda: jax.device_put(x, sharding(b, q)))
        print("%s: %s -> %s" % ("host" if host else "devices", text(a, p), text(b, q)))
