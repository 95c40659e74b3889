"""Chooses the role and says hello."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from . import VERSION
from .protocol import PROTOCOL, ROLES

if TYPE_CHECKING:
    from .framing import Channel


def main(arguments: list[str]) -> int:
    """Runs one role until the other side closes the stream. Exit status 0 at the end, 2 for a wrong call, 3
    for a broken stream.
    """
    _let_idle_threads_sleep()
    role = arguments[0] if arguments else ""
    if role == "script" and len(arguments) > 1:
        return _script(arguments[1], arguments[2:])
    if role == "walled" and "--" in arguments:
        from .walls.launcher import launch

        return launch(arguments[1:])
    if role == "program" and "--" in arguments:
        from .walls.program import start

        return start(arguments[1:])
    if role == "timed" and len(arguments) in (2, 4, 6):
        from .timed.role import start

        return start(arguments[1:])
    if role == "walls" and len(arguments) == 1:
        from .walls.report import report

        return report()
    if role == "fork-server" and len(arguments) == 2:
        from .fork_server.server import serve

        return serve(arguments[1])
    if role not in ROLES:
        sys.stderr.write(
            "usage: python FOLDER build|oracle|candidate|gpu, or: python FOLDER script FILE ARGUMENTS\n"
        )
        return 2
    if role == "candidate" and len(arguments) == 2:
        from .fork_server.client import hand_over

        # Its streams are no longer its own: it ends without a look at them.
        os._exit(hand_over(arguments[1]))
    return serve_role(role)


def _let_idle_threads_sleep() -> None:
    """After a product of matrices the threads of OpenBLAS spin for 2^26 cycles before they sleep, on cores that
    compilers and the virtual GPU wait for. OpenBLAS reads this when numpy loads it; what the user set stays.
    """
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "8")


def serve_role(role: str) -> int:
    """Speaks the protocol over the standard streams as this role."""
    # What follows is loaded here, so that the start of a compiler does not wait for it.
    from .framing import ProtocolError, private_channel

    channel = private_channel()
    try:
        return run(role, channel)
    except ProtocolError as error:
        channel.write({"broken": str(error)})
        return 3
    except BrokenPipeError:
        return 0


def _script(path: str, arguments: list[str]) -> int:
    """A program of the user's own: its streams are its own, and so is its exit status."""
    from .walls import lifetime
    from .script.runner import run_script

    lifetime.end_with_parent()
    return run_script(path, arguments)


def run(role: str, channel: Channel) -> int:
    """Imports the role's own modules only: the build role must start without numpy, and nothing but a
    candidate loads triton.
    """
    from .walls import lifetime

    lifetime.end_with_parent()
    if role == "build":
        from .compile.role import serve
    elif role == "oracle":
        lifetime.refuse_inspection()
        from .oracle.role import serve
    elif role == "gpu":
        from .gpu.role import serve
    else:
        from .candidate.role import serve
    return serve(channel, lambda extra: channel.write({"hello": hello(role, extra)}))


def hello(role: str, extra: dict) -> dict:
    """First message of every role."""
    import platform

    facts = {
        "protocol": PROTOCOL,
        "version": VERSION,
        "role": role,
        "python": platform.python_version(),
        "system": platform.system(),
    }
    facts.update(extra)
    return facts
