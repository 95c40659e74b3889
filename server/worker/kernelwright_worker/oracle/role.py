"""Role oracle: makes inputs, holds the expected values, compares. A trusted process that never sees candidate
code; it learns of a candidate only through output bytes.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import WorkerError
from ..framing import Channel, ProtocolError
from ..source_files import clean_up_when_terminated, remove_all
from ..walls.system import libc

#: Of mallopt(3).
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3

#: The largest that glibc takes, and what the process may keep of what it has freed.
_MAPPED_FROM, _KEPT = 32 << 20, 128 << 20


def _keep_freed_memory() -> None:
    """Comparisons make arrays of megabytes one after the other. Handed back to the system each time, every page of
    them would be cleared anew: a third of the processor time of a comparison.
    """
    mallopt = getattr(libc(), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _MAPPED_FROM)
        mallopt(_TRIM_THRESHOLD, _KEPT)
        # What stays when more than that is free; by default nothing does.
        mallopt(_TOP_PAD, _KEPT)


def serve(channel: Channel, say_hello: Callable[[dict], None]) -> int:
    """Answers one request after the other until the stream ends."""
    try:
        import numpy
    except ImportError:
        say_hello({"numpy": ""})
        return _refuse_all(channel)
    from .judge import Judge

    _keep_freed_memory()
    clean_up_when_terminated()
    say_hello({"numpy": numpy.__version__})
    judge = None
    while True:
        message = channel.read()
        if message is None:
            remove_all()
            return 0
        header, frames = message
        if "cancel" in header:
            continue
        try:
            if header.get("method") == "open":
                judge, result, answer = Judge(header.get("params", {})), {}, []
            elif judge is None:
                raise ProtocolError("the oracle was not opened")
            else:
                result, answer = judge.answer(header.get("method"), header.get("params", {}), frames)
            channel.write({"id": header.get("id"), "result": result}, answer)
        except WorkerError as error:
            channel.write({"id": header.get("id"), "error": error.as_message()})
        except (ValueError, TypeError, KeyError, MemoryError, ArithmeticError) as error:
            channel.write(
                {
                    "id": header.get("id"),
                    "error": {
                        "code": "tool-failed",
                        "message": "oracle: %s: %s" % (type(error).__name__, error),
                        "remedy": "",
                    },
                }
            )


def _refuse_all(channel: Channel) -> int:
    problem = WorkerError(
        "tool-missing",
        "Python has no numpy, which the check needs to make inputs and to compare outputs; compiling still works",
        "pip install numpy",
    )
    while True:
        message = channel.read()
        if message is None:
            return 0
        if "id" in message[0]:
            channel.write({"id": message[0]["id"], "error": problem.as_message()})
