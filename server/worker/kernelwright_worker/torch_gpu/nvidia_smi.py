"""The command nvidia-smi, by which libraries find out whether there is a GPU: it answers for the modelled one."""

from __future__ import annotations

import atexit
import json
import os
import shlex
import shutil
import sys
import tempfile

#: The version of CUDA that programs are told.
CUDA_VERSION = "13.0"
_NAME = "nvidia-smi"
_MEGABYTE = 1 << 20

#: What the command runs; the facts come first among its arguments.
_ANSWER = """
import json, sys
facts = json.loads(sys.argv[1])
given = sys.argv[2:]
query = [each.partition("=")[2] for each in given if each.startswith("--query-gpu=")]
style = "".join(each for each in given if each.startswith("--format="))
if query:
    names = [name.strip() for name in query[0].split(",")]
    cells = [facts.get(name, ("[N/A]", "")) for name in names]
    shows = "nounits" not in style
    if "noheader" not in style:
        print(", ".join("%s [%s]" % (name, unit) if unit else name for name, (_, unit) in zip(names, cells)))
    print(", ".join("%s %s" % (value, unit) if unit and shows else value for value, unit in cells))
elif given[:1] in (["-L"], ["--list-gpus"]):
    print("GPU 0: %s (UUID: %s)" % (facts["name"][0], facts["uuid"][0]))
else:
    print("The virtual GPU of Kernelwright, without a driver.  CUDA Version: %s" % facts["cuda"][0])
    print("GPU 0: %s, compute capability %s, %s MiB" % tuple(
        facts[each][0] for each in ("name", "compute_cap", "memory.total")))
"""


def install(name: str, capability: int, memory: int, cuda: str) -> None:
    """Makes the command for the processes that the program starts, where there is none, and removes it when this
    process ends. `capability`: 80 for 8.0; `memory`: in bytes; `cuda`: the version of the runtime.
    """
    if shutil.which(_NAME) is not None:
        return
    folder = tempfile.mkdtemp(prefix="kernelwright-commands-")
    owner = os.getpid()
    # A process that this one forks leaves the command to it.
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(folder, ignore_errors=True))
    make(folder, name, capability, memory, cuda)


def make(folder: str, name: str, capability: int, memory: int, cuda: str) -> None:
    """Makes the command in a folder that is there, as in `install`."""
    path = os.path.join(folder, _NAME)
    words = [sys.executable, "-IS", "-c", _ANSWER, json.dumps(_facts(name, capability, memory, cuda))]
    # Behind walls a file gets its mode when it is made, or not at all.
    with os.fdopen(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o755), "w", encoding="utf-8"
    ) as file:
        file.write('#!/bin/sh\nexec %s "$@"\n' % shlex.join(words))
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), folder])


def _facts(name: str, capability: int, memory: int, cuda: str) -> dict:
    """Values with their units, by the names that nvidia-smi's queries have."""
    total = str(memory // _MEGABYTE)
    return {
        "name": (name, ""),
        "gpu_name": (name, ""),
        "index": ("0", ""),
        "count": ("1", ""),
        "uuid": ("GPU-00000000-0000-0000-0000-000000000000", ""),
        "compute_cap": ("%d.%d" % divmod(capability, 10), ""),
        "memory.total": (total, "MiB"),
        "memory.free": (total, "MiB"),
        "memory.used": ("0", "MiB"),
        "cuda": (cuda, ""),
    }
