"""Times calls of a Triton kernel's Python entry on a GPU: `python FOLDER timed ARGUMENTS`, behind walls,
where ARGUMENTS are its current and only writable folder, a folder that it may read, names of walls without
which it is not started (with `,` between them), seconds of processor time, and devices of the GPU (with `,`
between them).
`python FOLDER timed FOLDER` does so without walls, for NVIDIA's tools, which could not work behind them;
`python FOLDER timed FOLDER KIND FILE` has Proton look at the calls (`timed/proton.py`), which writes FILE.hatchet.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

from ..quick_imports import forget_digest_of_triton, without_collections
from ..walls import lifetime
from ..walls.enclosure import enclose
from ..walls.launcher import MARK, MISSING_STATUS
from ..walls.limits import UNLIMITED, Limits
from ..walls.needed import python_folders, view_of
from ..walls.program import FILE_BYTES, GPU_FOLDERS, PROCESS
from ..walls.view import View
from .serving import serve
from .wire import private_wire

#: Compilers that Triton starts and the driver's threads are more than a candidate on the virtual GPU has.
_PROCESSES = 1024
_KEPT = (
    *("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_PATH", "CC"),
    *("TRITON_PTXAS_PATH", "TRITON_LIBCUDA_PATH"),
)


def start(arguments: list[str]) -> int:
    """Answers until its input ends. The exit status is 97 where walls are missing."""
    channel = private_wire()
    tool = arguments[1:] if len(arguments) == 3 else []
    walled = len(arguments) == 5
    if walled:
        missing = _enclose(arguments, channel.source)
        if missing:
            sys.stderr.write(MARK + ", ".join(missing) + "\n")
            return MISSING_STATUS
        lifetime.watch_stream(channel.source)
    folder = arguments[0]
    _move_to(folder, walled)
    return serve(channel, lambda: _begin(folder, tool), has_tools=not walled, preload=_preload)


def _preload() -> None:
    """What takes long and leaves the GPU to others."""
    with without_collections():
        import torch  # noqa: F401

        from . import candidate  # noqa: F401
    # Its cache is the folder of this process.
    forget_digest_of_triton()


def _begin(folder: str, tool: list[str]) -> tuple[Any, dict]:
    """The driver's functions first: a candidate is imported after them."""
    from .gpu import Gpu

    # torch says better than the driver why a GPU cannot be used.
    import torch

    torch.cuda.init()
    torch.empty(1, device="cuda")
    gpu = Gpu()
    if tool:
        from .proton import Proton

        gpu.shown_to(Proton(*tool).mark)
    from .candidate import Candidate, versions

    return Candidate(gpu, folder), versions()


def _enclose(arguments: list[str], source: int) -> list[str]:
    """Closes the walls; gives the names of those that are required and missing."""
    writable, shown, required, seconds, devices = arguments
    if PROCESS in os.environ:
        with open(os.environ[PROCESS], "w", encoding="ascii") as file:
            file.write(str(os.getpid()))
    further = [path for path in devices.split(",") if path]
    seen = view_of([*python_folders(), shown, *GPU_FOLDERS], writable)
    view = View(seen.readable, seen.writable, devices=further)
    # The driver reserves addresses for the memory of all GPUs and of the machine, far more than it uses.
    held = enclose(view, Limits(int(seconds), UNLIMITED, FILE_BYTES, _PROCESSES), source)
    return [name for name in required.split(",") if name and name not in held]


def _move_to(folder: str, walled: bool) -> None:
    """Home, temporary files and Triton's caches all lie in the one folder, which holds nothing of any other
    run. NVIDIA's tools, which start it without walls, are in the process by variables of their own.
    """
    if walled:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        os.environ.clear()
        os.environ.update(kept)
    for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "TRITON_HOME", "TORCHINDUCTOR_CACHE_DIR"):
        os.environ[name] = folder
    os.environ["TRITON_CACHE_DIR"] = os.path.join(folder, "triton-cache")
    # A user without a name has no folder for caches.
    os.environ["USER"] = "kernelwright"
    tempfile.tempdir = folder
    os.chdir(folder)
