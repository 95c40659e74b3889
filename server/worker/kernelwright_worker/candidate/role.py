"""Role candidate: a single-use process for code that nobody trusts. It is started ahead of time with torch
and triton imported, gets the files and the inputs of one candidate, and is ended afterwards. It never
learns expected values. What it says is believed by nobody: outputs are read from the virtual GPU's memory
on the other side.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable

from ..errors import WorkerError
from ..framing import Channel
from ..quick_imports import forget_digest_of_triton, postpone_dynamo, without_collections
from ..walls import lifetime
from ..walls.enclosure import enclose
from ..walls.limits import Limits, share_of_memory
from ..walls.needed import python_folders, view_of

PROCESSOR_SECONDS = 600
MEMORY_BYTES = 24 * 1024**3
FILE_BYTES = 1024**3
PRIVATE_BYTES = 1024**3


def serve(channel: Channel, say_hello: Callable[[dict], None]) -> int:
    """Prepares, says hello, answers `load` and then `run` any number of times (one for each case)."""
    private = os.path.realpath(tempfile.mkdtemp(prefix="kernelwright-worker-candidate-"))
    walls = enclose(
        view_of(python_folders(), private, PRIVATE_BYTES),
        Limits(PROCESSOR_SECONDS, share_of_memory(MEMORY_BYTES), FILE_BYTES),
        channel.descriptor,
        lambda: shutil.rmtree(private, ignore_errors=True),
    )
    _move_to(private)
    packages = _import_packages()
    lifetime.watch_stream(channel.descriptor)
    say_hello({"walls": walls, **packages})
    session = None
    while True:
        message = channel.read()
        if message is None:
            shutil.rmtree(private, ignore_errors=True)
            return 0
        header, frames = message
        answer = []
        if "id" not in header or "method" not in header:
            continue
        try:
            if header["method"] == "load":
                from .session import CandidateSession

                session = CandidateSession(channel, private, header["params"])
                result = session.load()
            elif header["method"] == "probe":
                from ..probe.attempts import Attempts

                result = Attempts(channel, private, header["params"]).probe(header["id"])
            elif session is not None and header["method"] == "run":
                result, answer = session.run(header["id"], header["params"], frames)
            else:
                raise WorkerError("worker-protocol", "a candidate process is loaded first, then run")
            channel.write({"id": header["id"], "result": result}, answer)
        except WorkerError as error:
            channel.write({"id": header["id"], "error": error.as_message()})


def _move_to(private: str) -> None:
    """Home, temporary files and Triton's caches all lie in the private folder, so that nothing is found of
    any other run.
    """
    kept = {
        name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH") if name in os.environ
    }
    os.environ.clear()
    os.environ.update(kept)
    for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "TRITON_HOME"):
        os.environ[name] = private
    os.environ["TRITON_CACHE_DIR"] = os.path.join(private, "triton-cache")
    tempfile.tempdir = private
    os.chdir(private)


def _import_packages() -> dict[str, str]:
    """Versions of torch and triton. When they are not there they are empty, and `lacking` names the package; when
    this worker cannot use them `unfit` says why. The other side then loads nothing.
    """
    try:
        with without_collections():
            import torch
            import triton
    except ImportError as error:
        return {"torch": "", "triton": "", "lacking": error.name or "torch"}
    postpone_dynamo()
    # Its cache is the folder of this process.
    forget_digest_of_triton()
    torch.set_num_threads(1)
    versions = {"torch": torch.__version__, "triton": triton.__version__}
    try:
        # What it takes of torch's and Triton's insides was not always there, and may be gone one day.
        from . import session  # noqa: F401
    except (ImportError, AttributeError) as error:
        return {**versions, "unfit": str(error), "program": sys.executable}
    return versions
