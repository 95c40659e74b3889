"""Own network, processes and message queues, and the process that stays outside and waits."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable

from . import lifetime, system


class Separation:
    """What `separate` could get: `walls` by name, and whether a user namespace counts this user's processes
    apart from those outside.
    """

    def __init__(self, walls: list[str], own_user: bool) -> None:
        self.walls = walls
        self.own_user = own_user


def separate() -> Separation:
    """Own network, process table and message queues for the processes that this one starts from here on.
    Must be called while there is one thread.
    """
    library = system.libc()
    if library is None:
        return Separation([], False)
    walls = ["network", "processes", "message-queues"]
    flags = system.CLONE_NEWNET | system.CLONE_NEWPID | system.CLONE_NEWIPC
    if os.getuid() == 0 and library.unshare(flags) == 0:
        return Separation(walls, False)
    user, group = os.getuid(), os.getgid()
    if library.unshare(flags | system.CLONE_NEWUSER) == 0:
        _map_user(user, group)
        return Separation(walls, system.kernel_version() >= (5, 14))
    return Separation([], False)


def _map_user(user: int, group: int) -> None:
    try:
        with open("/proc/self/setgroups", "w") as file:
            file.write("deny")
        with open("/proc/self/uid_map", "w") as file:
            file.write("%d %d 1" % (user, user))
        with open("/proc/self/gid_map", "w") as file:
            file.write("%d %d 1" % (group, group))
    except OSError:
        # Without a map we run as nobody inside, which is a wall too.
        return


def continue_in_child(descriptor: int, clean_up: Callable[[], None]) -> None:
    """Forks; the caller goes on in the child. The parent waits for its end, or brings it about when the other
    side of `descriptor` (-1: none) is gone, calls `clean_up` and ends as the child did.
    """
    # Until both know of each other, an end that is asked for is an end of both.
    child = os.fork()
    if child == 0:
        lifetime.end_with_parent()
        return
    # The parent outlives its own parent for a moment: it ends the child and cleans up.
    system.control(system.PR_SET_PDEATHSIG, 0)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGKILL))
    status = _wait(child, descriptor)
    clean_up()
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def _wait(child: int, descriptor: int) -> int:
    for other in range(256):
        if other != descriptor:
            try:
                os.close(other)
            except OSError:
                # Not open.
                continue
    if descriptor < 0:
        return os.waitpid(child, 0)[1]
    poller = select.poll()
    poller.register(descriptor, select.POLLHUP)
    patience = _announce_end(poller, child)
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended == child:
            return status
        found = poller.poll(patience)
        if any(number == descriptor and event & lifetime.GONE for number, event in found):
            os.kill(child, signal.SIGKILL)
            return os.waitpid(child, 0)[1]


def _announce_end(poller: select.poll, child: int) -> int:
    """Lets the poller wake at the child's end where the system can; gives how long it may sleep at a time, in
    milliseconds.
    """
    try:
        poller.register(os.pidfd_open(child), select.POLLIN)
        return 2000
    except (AttributeError, OSError):
        return 200
