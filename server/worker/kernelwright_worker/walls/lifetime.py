"""A worker ends when the process that started it does, and nobody looks into the trusted ones."""

from __future__ import annotations

import os
import select
import threading

from . import system

GONE = select.POLLHUP | select.POLLERR | select.POLLNVAL if hasattr(select, "POLLHUP") else 0


def end_with_parent() -> None:
    """A worker never outlives the process that started it, however that one ended."""
    system.control(system.PR_SET_PDEATHSIG, system.SIGKILL)


def watch_stream(descriptor: int) -> None:
    """Ends this process as soon as the other side of `descriptor` is gone, even while it computes. Needed
    over ssh, where the parent on this machine is an ssh server that may stay.
    """

    def wait() -> None:
        poller = select.poll()
        poller.register(descriptor, select.POLLHUP)
        while True:
            if any(event & GONE for _, event in poller.poll(2000)):
                os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def refuse_inspection() -> None:
    """Other processes of the same user may neither trace this one nor read its memory or its environment
    (Linux; root may always).
    """
    system.control(system.PR_SET_DUMPABLE, 0)


def allow_inspection() -> None:
    """Undoes refuse_inspection in a process that inherited it: as long as it holds, the entries of the process
    in /proc are root's, and it cannot set up a user namespace.
    """
    system.control(system.PR_SET_DUMPABLE, 1)
