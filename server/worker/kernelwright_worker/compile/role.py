"""Role build: compiles and examines. Requests run at the same time, each may be cancelled on its own."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

from .cache import CompileCache, cache_folder
from ..errors import WorkerError
from ..framing import Channel
from .host import compile_host
from .nvcc import assemble_ptx, compile_cuda
from .running import Cancelled, Running, end_all
from ..source_files import prune_abandoned, remove_all
from .setup_file import read_setup_file
from .warm import WarmCompilers
from .tools import examine, package_version


def serve(channel: Channel, say_hello: Callable[[dict], None]) -> int:
    """Answers until the stream ends; then all programs that still run are ended. Gives the exit status."""
    cache = CompileCache(cache_folder())
    warm = WarmCompilers()
    # Told of a compiler that asks for the file it waits for (waiting.py), a process ends by itself.
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    say_hello({"packages": {name: package_version(name) for name in ("numpy", "torch", "triton")}})
    threading.Thread(target=lambda: (cache.prune(), prune_abandoned()), daemon=True).start()
    active = {}
    signal.signal(signal.SIGTERM, lambda *_: _end(active, warm))
    while True:
        message = channel.read()
        if message is None:
            _end(active, warm)
        header, frames = message
        if "cancel" in header:
            running = active.get(header["cancel"])
            if running is not None:
                running.cancel()
            continue
        running = Running()
        active[header.get("id")] = running
        job = threading.Thread(
            target=_answer, args=(channel, (cache, warm), (header, frames, running, active)), daemon=True
        )
        job.start()


def _end(active: dict[int, Running], warm: WarmCompilers) -> None:
    for running in list(active.values()):
        running.cancel()
    warm.close()
    end_all()
    remove_all()
    os._exit(0)


def _answer(channel: Channel, kept: tuple[CompileCache, WarmCompilers], job: tuple) -> None:
    header, frames, running, active = job
    number = header.get("id")
    try:
        result, answer_frames = _dispatch(
            header.get("method"), header.get("params", {}), frames, (running, *kept)
        )
        reply = {"id": number, "result": result}
    except WorkerError as error:
        reply, answer_frames = {"id": number, "error": error.as_message()}, []
    except Cancelled:
        reply, answer_frames = (
            {"id": number, "error": {"code": "cancelled", "message": "cancelled", "remedy": ""}},
            [],
        )
    except Exception as error:
        reply, answer_frames = (
            {
                "id": number,
                "error": {
                    "code": "tool-failed",
                    "message": "%s: %s" % (type(error).__name__, error),
                    "remedy": "",
                },
            },
            [],
        )
    finally:
        active.pop(number, None)
    try:
        channel.write(reply, answer_frames)
    except (BrokenPipeError, ValueError):
        # Nobody listens any more; the reading thread sees the same and ends the process.
        return


def _dispatch(
    method: str, params: dict, frames: list[bytes], place: tuple[Running, CompileCache, WarmCompilers]
) -> tuple[dict, list[bytes]]:
    running, cache, warm = place
    if method == "compile-cuda":
        return compile_cuda(params, running, cache, warm)
    if method == "compile-host":
        return compile_host(params, running, cache)
    if method == "assemble-ptx":
        return assemble_ptx(params, frames, running, cache)
    if method == "read-setup-file":
        return {"extensions": read_setup_file(params["text"])}, []
    if method == "examine":
        return examine(params.get("nvcc", "")), []
    raise WorkerError("worker-protocol", "the build role has no method %r" % (method,))
