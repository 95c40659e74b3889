"""Imports torch and triton once and forks a process for each candidate. No candidate's code ever runs here."""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import sys

from ..quick_imports import postpone_dynamo, without_collections
from ..walls import lifetime
from .fork import continue_as_candidate

#: Connections that may wait for their fork.
BACKLOG = 64

#: How long a connection may take to bring its streams, in seconds.
PATIENCE = 5


def serve(path: str) -> int:
    """Listens at `path` and says so with a line. From then on each connection that brings three streams gets a
    candidate process on them, and the process's exit status as a byte. Ends with its own input.
    """
    lifetime.end_with_parent()
    lifetime.refuse_inspection()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(path)
        listener.listen(BACKLOG)
        sys.stdout.write("listening\n")
        sys.stdout.flush()
        _import_packages()
        return _Forks(listener).serve()


def _import_packages() -> None:
    """What is missing is told by the candidate process, which tries again."""
    # A fork of a process with several threads has locks that nobody opens.
    os.environ.update({"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"})
    with without_collections():
        try:
            import torch  # noqa: F401
            import triton  # noqa: F401

            from ..candidate import role, session  # noqa: F401
        except (ImportError, AttributeError):
            return
        postpone_dynamo()
        # The first compilation imports it, 30 ms that each fork would spend. Other versions may not have it.
        with contextlib.suppress(ImportError):
            importlib.import_module("triton.experimental.gluon")
    # The forks share the pages of what is there now: no collection of theirs writes to it.
    gc.collect()
    gc.freeze()


class _Forks:
    """The forks that run, by the connection over which each was asked for."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._running: dict[int, tuple[int, socket.socket]] = {}
        self._poller = select.poll()

    def serve(self) -> int:
        woken = self._wake_at_ends()
        listening = self._listener.fileno()
        for descriptor in (0, woken, listening):
            self._poller.register(descriptor, select.POLLIN)
        while True:
            ready = [descriptor for descriptor, _ in self._poller.poll()]
            if 0 in ready and not os.read(0, 4096):
                return self._end_all()
            if woken in ready:
                os.read(woken, 4096)
            self._collect()
            for descriptor in ready:
                if descriptor in self._running:
                    self._end(descriptor)
            if listening in ready:
                self._accept()

    def _wake_at_ends(self) -> int:
        """A descriptor that can be read when a fork has ended."""
        woken, wakes = os.pipe()
        os.set_blocking(wakes, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes)
        return woken

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        streams = _received_streams(connection)
        server = os.getpid()
        child = os.fork() if len(streams) == 3 else None
        if child == 0:
            continue_as_candidate(streams, server)
        for stream in streams:
            os.close(stream)
        if child is None:
            connection.close()
            return
        self._running[connection.fileno()] = (child, connection)
        # All that still comes from there is its end.
        self._poller.register(connection.fileno(), select.POLLIN)

    def _end(self, descriptor: int) -> None:
        """Whoever asked for this fork is gone."""
        self._poller.unregister(descriptor)
        child, _ = self._running[descriptor]
        os.kill(child, signal.SIGTERM)

    def _end_all(self) -> int:
        for child, _ in self._running.values():
            os.kill(child, signal.SIGTERM)
        return 0

    def _collect(self) -> None:
        """Tells each end of a fork to whoever asked for it."""
        for descriptor, (child, connection) in list(self._running.items()):
            if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                continue
            # What the fork left running goes with it.
            os.killpg(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
            del self._running[descriptor]
            try:
                self._poller.unregister(descriptor)
                connection.send(bytes([_exit_status(status)]))
            except (KeyError, OSError):
                # Whoever asked for it is gone.
                pass
            connection.close()


def _received_streams(connection: socket.socket) -> list[int]:
    streams = array.array("i")
    connection.settimeout(PATIENCE)
    try:
        _, controls, _, _ = connection.recvmsg(1, socket.CMSG_SPACE(3 * streams.itemsize))
    except OSError:
        return []
    for level, kind, content in controls:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            streams.frombytes(content[: len(content) - len(content) % streams.itemsize])
    return list(streams)


def _exit_status(status: int) -> int:
    """As shells tell it."""
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
