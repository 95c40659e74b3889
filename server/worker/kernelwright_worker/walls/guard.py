"""Limits and walls around processes. Each wall that could not be built is left out of the list that a role
reports in its hello.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
import threading

#: Address space that torch and Triton need to start at all.
LEAST_MEMORY_BYTES = 8 * 1024**3

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
SIGKILL = 9
CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
MS_REC_PRIVATE = 0x4000 | 0x40000


def _libc():
    return ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None


def end_with_parent():
    """A worker never outlives the process that started it, however that one ended."""
    libc = _libc()
    if libc is not None:
        libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)


def watch_stream(descriptor):
    """Ends this process as soon as the other side of `descriptor` is gone, even while it computes. Needed
    over ssh, where the parent on this machine is an ssh server that may stay.
    """

    def wait():
        poller = select.poll()
        poller.register(descriptor, select.POLLHUP)
        while True:
            if any(
                event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in poller.poll(2000)
            ):
                os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def refuse_inspection():
    """Other processes of the same user may neither trace this one nor read its memory (Linux; root may
    always).
    """
    libc = _libc()
    if libc is not None:
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def share_of_memory(most):
    """The limit `most` in bytes, or three quarters of this machine's memory where that is less: the rest
    stays the user's.
    """
    try:
        physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return most
    return min(most, max(LEAST_MEMORY_BYTES, physical * 3 // 4))


def limit(processor_seconds, memory_bytes, file_bytes):
    """Lowers the limits of this process and of all that it starts. Gives the names of those that hold."""
    wanted = {
        "cpu-time": (resource.RLIMIT_CPU, processor_seconds),
        "file-size": (resource.RLIMIT_FSIZE, file_bytes),
        "core-dump": (resource.RLIMIT_CORE, 0),
    }
    if sys.platform.startswith("linux"):
        wanted["memory"] = (resource.RLIMIT_AS, memory_bytes)
    held = []
    for name, (kind, most) in wanted.items():
        _, hard = resource.getrlimit(kind)
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (value, value))
            held.append(name)
        except (ValueError, OSError):
            # Some systems do not know this limit; the list of those that hold says so.
            continue
    return held


def limit_child(pid, processor_seconds, memory_bytes):
    """Limits a child that has just been started (Linux); elsewhere its time limit alone holds."""
    if not hasattr(resource, "prlimit"):
        return
    try:
        resource.prlimit(pid, resource.RLIMIT_CPU, (processor_seconds, processor_seconds))
        resource.prlimit(pid, resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    except (OSError, ProcessLookupError):
        # The child has ended already, or the system does not allow it: then the time limit alone holds.
        return


def isolate(descriptor, clean_up):
    """Own network, process table, mounts and message queues for the rest of this process's life. Must be
    called while there is one thread. Forks where it can: the caller goes on in the child; the parent waits
    for its end, or brings it about when the other side of `descriptor` is gone, calls `clean_up` and ends
    as the child did. Gives the names of the walls.
    """
    libc = _libc()
    if libc is None:
        return []
    flags = CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC
    user, group = os.getuid(), os.getgid()
    alone = libc.unshare(flags) == 0 if user == 0 else False
    if not alone and libc.unshare(flags | CLONE_NEWUSER) == 0:
        alone = True
        _map_user(user, group)
    if not alone:
        return ["network"] if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 else []
    _continue_in_child(descriptor, clean_up)
    walls = ["network", "processes", "message-queues"]
    libc.mount(b"none", b"/", None, ctypes.c_ulong(MS_REC_PRIVATE), None)
    if libc.mount(b"proc", b"/proc", b"proc", ctypes.c_ulong(0), None) == 0:
        walls.append("process-table")
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "kernelwright")
    if os.path.isdir(os.path.join(cache, "compile")):
        hidden = os.path.join(cache, "compile").encode()
        if libc.mount(b"tmpfs", hidden, b"tmpfs", ctypes.c_ulong(0), b"size=4k") == 0:
            walls.append("compile-cache")
    return walls


def _map_user(user, group):
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


def _continue_in_child(descriptor, clean_up):
    child = os.fork()
    libc = _libc()
    if child == 0:
        end_with_parent()
        return
    # The parent outlives its own parent for a moment: it ends the child and cleans up.
    if libc is not None:
        libc.prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGKILL))
    status = _watch(child, descriptor)
    clean_up()
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def _watch(child, descriptor):
    """Waits for the child's end, and brings it about when the other side of the stream is gone."""
    for other in range(256):
        if other != descriptor:
            try:
                os.close(other)
            except OSError:
                # Not open.
                continue
    poller = select.poll()
    poller.register(descriptor, select.POLLHUP)
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended == child:
            return status
        if any(event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in poller.poll(200)):
            os.kill(child, SIGKILL)
            return os.waitpid(child, 0)[1]
