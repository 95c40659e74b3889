"""What a fork of the server does before it is a candidate process like any other."""

from __future__ import annotations

import os
import signal
import sys

from ..walls import lifetime


def continue_as_candidate(streams: list[int], server: int) -> None:
    """Goes on as a candidate process on these streams, and never returns. Nothing of the server's stays open.
    A fork whose server ended meanwhile, whose process id is given, ends as well.
    """
    lifetime.end_with_parent()
    if os.getppid() != server:
        os._exit(1)
    status = 1
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for standard, stream in enumerate(streams):
            os.dup2(stream, standard)
        os.closerange(3, 1 + max(int(name) for name in os.listdir("/proc/self/fd")))
        lifetime.allow_inspection()
        _draw_other_numbers()
        from ..main import serve_role

        status = serve_role("candidate")
    except Exception:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _draw_other_numbers() -> None:
    """Two processes that were started apart do not draw the same numbers either."""
    import random

    random.seed()
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed()
