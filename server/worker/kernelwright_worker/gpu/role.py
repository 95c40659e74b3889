"""Role gpu: asks the driver, keeps a GPU from others, and holds the programs that run on it. A claim may wait
for long, so that each request has a thread of its own.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

from ..errors import WorkerError
from ..framing import Channel
from ..source_files import prune_abandoned
from .claims import Claims, holder
from .driver import ask, devices
from .interpreters import first_usable
from .places import Places


def serve(channel: Channel, say_hello: Callable[[dict], None]) -> int:
    """Answers until the stream ends; then the GPUs are given back and the programs removed."""
    service = _Service(channel)
    signal.signal(signal.SIGTERM, lambda *_: service.end())
    say_hello({})
    threading.Thread(target=prune_abandoned, daemon=True).start()
    while True:
        message = channel.read()
        if message is None:
            service.end()
        header, frames = message
        if "cancel" in header:
            service.cancel(header["cancel"])
        else:
            service.begin(header, frames)


class _Service:
    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._claims = Claims()
        self._places = Places()
        self._cancelled: dict[int, threading.Event] = {}

    def end(self) -> None:
        self._places.remove_all()
        os._exit(0)

    def cancel(self, request: int) -> None:
        """Whoever no longer waits for a GPU must not keep it either."""
        event = self._cancelled.get(request)
        if event is not None:
            event.set()
        self._claims.release(request)

    def begin(self, header: dict, frames: list[bytes]) -> None:
        self._cancelled[header["id"]] = threading.Event()
        threading.Thread(target=self._answer, args=(header, frames), daemon=True).start()

    def _answer(self, header: dict, frames: list[bytes]) -> None:
        number = header["id"]
        try:
            reply = {
                "id": number,
                "result": self._do(number, header.get("method"), header.get("params", {}), frames),
            }
        except WorkerError as error:
            reply = {"id": number, "error": error.as_message()}
        except (KeyError, OSError, TypeError, ValueError) as error:
            told = "%s: %s" % (type(error).__name__, error)
            reply = {"id": number, "error": WorkerError("tool-failed", told).as_message()}
        self._cancelled.pop(number, None)
        try:
            self._channel.write(reply)
        except (BrokenPipeError, ValueError):
            # Nobody listens any more; the reading thread sees the same and ends the process.
            return

    def _do(self, number: int, method: str, params: dict, frames: list[bytes]) -> dict:
        if method == "ask-driver":
            return ask([str(each) for each in params["arguments"]])
        if method == "devices":
            return {"devices": devices(int(params["index"]), str(params["bus"]))}
        if method == "find-python":
            return first_usable(*([str(each) for each in params[kind]] for kind in ("named", "usual")))
        if method == "claim":
            if not self._claims.take(number, str(params["uuid"]), self._cancelled[number]):
                raise WorkerError("cancelled", "waiting for the GPU was cancelled")
            return {"claim": number}
        if method == "holder":
            return {"holder": holder(str(params["uuid"]))}
        if method == "release":
            self._claims.release(int(params["claim"]))
            return {}
        if method == "put-program":
            return self._places.put(frames[0] if frames else None)
        if method == "remove-program":
            self._places.remove(int(params["place"]))
            return {}
        raise WorkerError("worker-protocol", "the gpu role has no method %r" % (method,))
